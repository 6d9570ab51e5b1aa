//! Triggers: a tree of ANDs and ORs whose leaves are units.

use std::collections::BTreeSet;

use super::name::{Program, Status};
use crate::source::{Span, Text};

/// How deep AND and OR may hold each other.
pub const MAX_TRIGGER_DEPTH: usize = 50;

/// How many units a trigger may have.
pub const MAX_UNITS: usize = 1_000;

/// When a schedule fires.
#[derive(Clone, Debug, PartialEq)]
pub enum Trigger {
    /// When this unit holds.
    Unit(Box<Unit>),
    /// When all parts hold.
    All(Vec<Trigger>),
    /// When one part holds.
    Any(Vec<Trigger>),
}

/// A leaf of a trigger.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// What it waits for.
    pub kind: UnitKind,
    /// Where it stands.
    pub span: Span,
}

/// What a unit waits for.
#[allow(clippy::large_enum_variant, reason = "nearly all are programs, and a trigger boxes its units")]
#[derive(Clone, Debug, PartialEq)]
pub enum UnitKind {
    /// A run of a program that ends in one of these ways.
    Program {
        /// The program.
        program: Program,
        /// Where it is named.
        program_span: Span,
        /// The ways.
        statuses: BTreeSet<Status>,
        /// What must hold for the payload.
        condition: Condition,
    },
    /// The times of a cron expression.
    Time {
        /// The expression.
        cron: Text,
    },
    /// New instances of a dataset.
    Partition {
        /// The namespace of the dataset.
        namespace: String,
        /// Its name.
        dataset: Text,
        /// How many.
        count: u64,
    },
}

/// What must hold for a payload; empty: nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Condition {
    /// A key that must be there.
    pub key: Option<Text>,
    /// The value that the key must have.
    pub value: Option<Text>,
    /// A boolean expression over the keys, and over `value`, that of `key`.
    pub expression: Option<Text>,
}

impl Condition {
    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        self.key.is_none() && self.value.is_none() && self.expression.is_none()
    }

    /// Whether it asks for more than that a key is there.
    pub fn bounds(&self) -> bool {
        self.value.is_some() || self.expression.is_some()
    }
}

impl Trigger {
    /// Its units, in the order in which they are written.
    pub fn units(&self) -> Vec<&Unit> {
        let mut units = Vec::new();
        self.collect(&mut units);
        units
    }

    // No deeper than `MAX_TRIGGER_DEPTH`.
    fn collect<'t>(&'t self, units: &mut Vec<&'t Unit>) {
        match self {
            Trigger::Unit(unit) => units.push(unit),
            Trigger::All(parts) | Trigger::Any(parts) => parts.iter().for_each(|part| part.collect(units)),
        }
    }

    /// Whether the trigger holds, given which of its units do; these are asked in the order of [`Trigger::units`].
    pub fn holds(&self, holds: &mut dyn FnMut() -> bool) -> bool {
        match self {
            Trigger::Unit(_) => holds(),
            // Every unit is asked, whatever is known already, so that the order stays that of the units.
            Trigger::All(parts) => {
                parts.iter().map(|part| part.holds(holds)).filter(|holds| !holds).count() == 0
            }
            Trigger::Any(parts) => {
                parts.iter().map(|part| part.holds(holds)).filter(|holds| *holds).count() > 0
            }
        }
    }
}
