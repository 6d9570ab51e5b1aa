//! A coordinator job after its submission: everything resolved that a server resolves once.

use std::sync::Arc;

use super::event::EventSpec;
use super::settings::Settings;
use super::template::Compiled;
use super::variables::Variables;
use crate::plan::input_logic::LogicNode;
use crate::source::Span;
use crate::time::nominal::Rhythm;
use crate::time::{EndOfDuration, Instant, TimeUnit, Zone};

/// In which order actions that wait are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// The oldest first.
    Fifo,
    /// The newest first.
    Lifo,
    /// The newest only.
    LastOnly,
    /// Those only that are on time.
    None,
}

impl Execution {
    /// Reads Oozie's name.
    pub fn parse(text: &str) -> Option<Execution> {
        [Execution::Fifo, Execution::Lifo, Execution::LastOnly, Execution::None]
            .into_iter()
            .find(|execution| execution.name() == text)
    }

    /// Oozie's name.
    pub fn name(self) -> &'static str {
        match self {
            Execution::Fifo => "FIFO",
            Execution::Lifo => "LIFO",
            Execution::LastOnly => "LAST_ONLY",
            Execution::None => "NONE",
        }
    }
}

/// A submitted coordinator.
#[derive(Clone, Debug)]
pub struct CoordinatorJob {
    /// The resolved name.
    pub name: Arc<str>,
    /// The `name` attribute as written, which `coord:name` gives.
    pub app_name: Arc<str>,
    /// When it starts.
    pub start: Instant,
    /// When it ends; no action has this time.
    pub end: Instant,
    /// The zone as written.
    pub timezone: String,
    /// The zone.
    pub zone: Zone,
    /// The number of units, or the cron.
    pub frequency: String,
    /// The unit.
    pub time_unit: TimeUnit,
    /// Whether nominal times move to the end of their period.
    pub end_of_duration: EndOfDuration,
    /// Minutes an action waits for its inputs.
    pub timeout_minutes: i32,
    /// Actions that run at once; -1 for no limit.
    pub concurrency: i32,
    /// Actions that wait at once.
    pub throttle: i32,
    /// The order of execution.
    pub execution: Execution,
    /// The workflow's path.
    pub app_path: Arc<str>,
    /// The settings it was submitted under.
    pub settings: Settings,
    pub(super) rhythm: Rhythm,
    pub(super) span: Span,
    pub(super) variables: Arc<Variables>,
    pub(super) inputs: Vec<EventSpec>,
    pub(super) outputs: Vec<EventSpec>,
    /// `None` without an `input-logic` element.
    pub(super) logic: Option<Vec<LogicTemplate>>,
    pub(super) configuration: Vec<PropertyTemplate>,
    pub(super) sla: Option<Vec<(String, Compiled)>>,
}

/// A property of the action's configuration.
#[derive(Clone, Debug)]
pub(super) struct PropertyTemplate {
    pub(super) name: Arc<str>,
    /// As stored: trimmed, and not yet evaluated.
    pub(super) value: Compiled,
}

/// A node of the input logic whose `min` and `wait` are still to be evaluated.
#[derive(Clone, Debug)]
pub(super) struct LogicTemplate {
    pub(super) span: Span,
    /// Names are resolved; `min` and `wait` are as written.
    pub(super) node: LogicNode,
    pub(super) min: Option<Compiled>,
    pub(super) wait: Option<Compiled>,
    pub(super) operands: Vec<LogicTemplate>,
}
