//! Transition tables: what a machine may do, as data.

use super::error::EngineError;
use super::semantics::Semantics;

/// One row: in this state, on this event, into that state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<S, T> {
    /// The state before.
    pub from: S,
    /// What happens.
    pub on: T,
    /// The state after.
    pub to: S,
}

/// Makes a row.
pub const fn row<S, T>(from: S, on: T, to: S) -> Row<S, T> {
    Row { from, on, to }
}

/// A machine's states or events, with names for messages and reports.
pub trait Named: Copy + PartialEq + 'static {
    /// The name.
    fn name(self) -> &'static str;
}

/// The state after, or the error that says that there is no such row.
pub fn step<S: Named, T: Named>(
    table: &[Row<S, T>],
    machine: &'static str,
    subject: impl FnOnce() -> String,
    from: S,
    on: T,
) -> Result<S, EngineError> {
    match table.iter().find(|row| row.from == from && row.on == on) {
        Some(row) => Ok(row.to),
        None => {
            Err(EngineError::NotAllowed { subject: subject(), machine, state: from.name(), event: on.name() })
        }
    }
}

/// What the first rules had in the place of a row: another state after, or no such row.
pub type Before<S, T> = (S, T, Option<S>);

/// A table with what the first rules had otherwise.
pub type Tables<'t, S, T> = (&'t [Row<S, T>], &'t [Before<S, T>]);

/// The state after as [`step`] has it, by the rules of a job: `before` is what the first rules did otherwise.
pub fn step_by<S: Named, T: Named>(
    (table, before): Tables<'_, S, T>,
    semantics: Semantics,
    machine: &'static str,
    subject: impl FnOnce() -> String,
    from: S,
    on: T,
) -> Result<S, EngineError> {
    if !semantics.follows_commands()
        && let Some((.., to)) = before.iter().find(|row| row.0 == from && row.1 == on)
    {
        return to.ok_or_else(|| EngineError::NotAllowed {
            subject: subject(),
            machine,
            state: from.name(),
            event: on.name(),
        });
    }
    step(table, machine, subject, from, on)
}

/// A row that was taken, by names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Taken {
    /// The machine: `workflow`, `node`, `coordinator`, `action`, `bundle` or `bundle action`.
    pub machine: &'static str,
    /// The state before.
    pub state: &'static str,
    /// What happened.
    pub event: &'static str,
}

impl Taken {
    /// A row of a machine's table.
    pub fn new<S: Named, T: Named>(machine: &'static str, from: S, on: T) -> Taken {
        Taken { machine, state: from.name(), event: on.name() }
    }
}

/// Names for states and events of a table.
macro_rules! events {
    ($(#[$doc:meta])* $name:ident { $($(#[$row_doc:meta])* $event:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$row_doc])* $event,)+
        }

        impl $crate::engine::table::Named for $name {
            fn name(self) -> &'static str {
                match self { $($name::$event => $text,)+ }
            }
        }
    };
}

pub(crate) use events;

macro_rules! named {
    ($($name:ident),+) => {$(
        impl Named for super::status::$name {
            fn name(self) -> &'static str {
                super::status::$name::name(self)
            }
        }
    )+};
}

named!(JobStatus, ActionStatus, WorkflowStatus, NodeStatus);
