//! The one table of root elements: what a file is by the local name of its root.
//!
//! The namespace does not decide: a definition without one, or with a misspelt one, is still read.

use crate::schema;

/// Which language a workflow is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// The definitions of Apache Oozie.
    #[default]
    Oozie,
    /// `hadoop-workflow`, the language of the Hadoop Workflow System of 2009.
    Hws,
}

impl Dialect {
    /// The element of a node that ends a workflow badly.
    pub fn kill(self) -> &'static str {
        match self {
            Dialect::Oozie => "kill",
            Dialect::Hws => "fail",
        }
    }

    /// The word for a job that is known and not started.
    pub fn submitted(self) -> &'static str {
        match self {
            Dialect::Oozie => "PREP",
            Dialect::Hws => "CREATED",
        }
    }

    /// The state of a Hadoop job whose action ended with an error, where nothing more is known.
    pub fn failed_job(self) -> &'static str {
        match self {
            Dialect::Oozie => "FAILED/KILLED",
            Dialect::Hws => "FAILED",
        }
    }

    /// Whether a property that is asked for by its name counts as one that is needed.
    pub fn needs_what_it_asks_for(self) -> bool {
        self == Dialect::Hws
    }
}

/// What a root element starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKind {
    /// A bundle.
    Bundle,
    /// A coordinator.
    Coordinator,
    /// A workflow.
    Workflow(Dialect),
    /// A file of datasets.
    Datasets,
    /// A Hadoop configuration, which belongs to a definition.
    Configuration,
}

/// Every root element that is known.
pub static ROOTS: &[(&str, RootKind)] = &[
    ("workflow-app", RootKind::Workflow(Dialect::Oozie)),
    ("coordinator-app", RootKind::Coordinator),
    ("bundle-app", RootKind::Bundle),
    ("datasets", RootKind::Datasets),
    ("hadoop-workflow", RootKind::Workflow(Dialect::Hws)),
    ("configuration", RootKind::Configuration),
];

impl RootKind {
    /// What a root of this local name starts.
    pub fn of(local: &str) -> Option<RootKind> {
        ROOTS.iter().find(|(name, _)| *name == local).map(|(_, kind)| *kind)
    }

    /// The schemas that a definition of this kind is held against.
    pub fn schema(self) -> Option<schema::Kind> {
        match self {
            RootKind::Bundle => Some(schema::Kind::Bundle),
            RootKind::Coordinator | RootKind::Datasets => Some(schema::Kind::Coordinator),
            RootKind::Workflow(Dialect::Oozie) => Some(schema::Kind::Workflow),
            RootKind::Workflow(Dialect::Hws) => Some(schema::Kind::Hws),
            RootKind::Configuration => None,
        }
    }
}

/// The roots of definitions, which `check` looks at by themselves.
pub fn definition_roots() -> impl Iterator<Item = &'static str> {
    ROOTS.iter().filter(|(_, kind)| *kind != RootKind::Configuration).map(|(name, _)| *name)
}
