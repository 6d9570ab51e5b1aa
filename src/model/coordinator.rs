//! The `coordinator-app` element, and `datasets` wherever it stands.

use super::sla::Sla;
use super::{Configuration, Namespace, Parameter};
use crate::source::{Span, Text};

/// A coordinator.
#[derive(Clone, Debug)]
pub struct Coordinator {
    /// The root element.
    pub span: Span,
    /// The name in the start tag.
    pub name_span: Span,
    /// `uri:oozie:coordinator:0.1` to `0.5`.
    pub namespace: Namespace,
    /// The `name` attribute.
    pub name: Option<Text>,
    /// The `frequency` attribute: minutes, a `coord:` function or a cron.
    pub frequency: Option<Text>,
    /// The `start` attribute.
    pub start: Option<Text>,
    /// The `end` attribute.
    pub end: Option<Text>,
    /// The `timezone` attribute.
    pub timezone: Option<Text>,
    /// Formal parameters.
    pub parameters: Vec<Parameter>,
    /// `controls`
    pub controls: Controls,
    /// `datasets`
    pub datasets: Datasets,
    /// `input-events/data-in`
    pub inputs: Vec<DataIn>,
    /// `input-logic`
    pub input_logic: Option<InputLogic>,
    /// `output-events/data-out`
    pub outputs: Vec<DataOut>,
    /// `action`
    pub action: Option<Action>,
}

/// The `controls` element.
#[derive(Clone, Debug, Default)]
pub struct Controls {
    /// Minutes an action waits for its inputs.
    pub timeout: Option<Text>,
    /// Actions that run at once.
    pub concurrency: Option<Text>,
    /// FIFO, LIFO, LAST_ONLY or NONE.
    pub execution: Option<Text>,
    /// Actions that wait at once.
    pub throttle: Option<Text>,
}

/// The `datasets` element.
#[derive(Clone, Debug, Default)]
pub struct Datasets {
    /// The element's namespace; an included file must have none, or the server does not see its datasets.
    pub namespace: Option<Namespace>,
    /// Paths of dataset files.
    pub includes: Vec<Text>,
    /// Datasets defined here, in order.
    pub datasets: Vec<Dataset>,
    /// The names of asynchronous datasets, which no server reads.
    pub asynchronous: Vec<Text>,
}

/// A `dataset`.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The element.
    pub span: Span,
    /// The name in the start tag.
    pub tag_span: Span,
    /// Its name.
    pub name: Option<Text>,
    /// How often it is produced.
    pub frequency: Option<Text>,
    /// Its first instance.
    pub initial_instance: Option<Text>,
    /// Its zone.
    pub timezone: Option<Text>,
    /// The URI of an instance.
    pub uri_template: Option<Text>,
    /// The element of the URI, where a done-flag would follow it.
    pub uri_template_span: Option<Span>,
    /// The done-flag; absent means `_SUCCESS`, empty means the folder itself.
    pub done_flag: Option<Text>,
}

/// A `data-in`.
#[derive(Clone, Debug)]
pub struct DataIn {
    /// The element.
    pub span: Span,
    /// The name in the start tag.
    pub tag_span: Span,
    /// Its name.
    pub name: Option<Text>,
    /// The dataset it reads.
    pub dataset: Option<Text>,
    /// Which instances.
    pub instances: Instances,
}

/// A `data-out`.
#[derive(Clone, Debug)]
pub struct DataOut {
    /// The element.
    pub span: Span,
    /// The name in the start tag.
    pub tag_span: Span,
    /// Its name.
    pub name: Option<Text>,
    /// The dataset it writes.
    pub dataset: Option<Text>,
    /// The `nocleanup` attribute.
    pub nocleanup: Option<Text>,
    /// Which instance.
    pub instances: Instances,
}

/// What the `instance`, `start-instance` and `end-instance` elements of an event hold.
#[derive(Clone, Debug, Default)]
pub struct Instances {
    /// Every `instance`, in order.
    pub single: Vec<Text>,
    /// `start-instance`
    pub start: Option<Text>,
    /// `end-instance`
    pub end: Option<Text>,
}

/// The `input-logic` element: its operators, normally one.
#[derive(Clone, Debug)]
pub struct InputLogic {
    /// The element.
    pub span: Span,
    /// What stands directly in it.
    pub operands: Vec<LogicNode>,
}

/// A node of the input logic.
#[derive(Clone, Debug)]
pub struct LogicNode {
    /// The element.
    pub span: Span,
    /// What kind it is.
    pub kind: LogicKind,
    /// Its name.
    pub name: Option<Text>,
    /// The `dataset` attribute, of a `data-in`.
    pub dataset: Option<Text>,
    /// The `min` attribute.
    pub min: Option<Text>,
    /// The `wait` attribute, in minutes.
    pub wait: Option<Text>,
    /// The operands, in order.
    pub operands: Vec<LogicNode>,
}

/// The kinds of input logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogicKind {
    /// `and`
    And,
    /// `or`
    Or,
    /// `combine`
    Combine,
    /// `data-in`
    DataIn,
}

/// The `action` element.
#[derive(Clone, Debug)]
pub struct Action {
    /// The element.
    pub span: Span,
    /// The workflow's path.
    pub app_path: Option<Text>,
    /// What the workflow gets.
    pub configuration: Configuration,
    /// Its service level.
    pub sla: Option<Sla>,
}
