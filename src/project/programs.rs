//! Which definition a program of a schedule is: by `[programs]`, else by folder and name.

use crate::analysis::project::Kind;
use crate::model::schedule::{DEFAULT_NAMESPACE, DEFAULT_VERSION, Program, ProgramKind, Written};

/// A program that `[programs]` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name; the application is always there.
    pub name: Written,
    /// What it is.
    pub target: Target,
    /// The keys of its token that it hands on; none: all.
    pub emits: Option<Vec<String>>,
}

/// What a program is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A folder or definition, relative to the folder of `ankus.toml`.
    App(String),
    /// A command line.
    Command(Vec<String>),
}

/// A definition of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its path, with slashes.
    pub path: String,
    /// What it is.
    pub kind: Kind,
    /// The name in its root element.
    pub name: String,
}

impl Declared {
    fn parts(&self) -> (&str, &str, &str) {
        (
            self.name.namespace.as_deref().unwrap_or(DEFAULT_NAMESPACE),
            self.name.application.as_deref().unwrap_or_default(),
            self.name.version.as_deref().unwrap_or(DEFAULT_VERSION),
        )
    }

    /// Whether it has the name of another one.
    pub fn is_same_as(&self, other: &Declared) -> bool {
        self.parts() == other.parts() && self.name.name == other.name.name
    }

    /// Whether it belongs to the application of a program.
    pub fn is_beside(&self, program: &Program) -> bool {
        self.parts() == (program.namespace.as_str(), program.application.as_str(), program.version.as_str())
    }

    /// Whether it has the name of a program.
    pub fn is(&self, program: &Program) -> bool {
        self.is_beside(program) && self.name.name == program.name
    }

    /// Its name without what is not written.
    pub fn shown(&self) -> String {
        let (namespace, application, version) = self.parts();
        Program {
            namespace: namespace.to_owned(),
            application: application.to_owned(),
            version: version.to_owned(),
            kind: ProgramKind::Workflow,
            name: self.name.name.clone(),
        }
        .to_string()
    }
}

impl Listed {
    /// Its application: the name of its folder.
    pub fn application(&self) -> &str {
        let folder = self.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        folder.rsplit('/').next().unwrap_or_default()
    }

    /// `Application/Program`.
    pub fn shown(&self) -> String {
        format!("{}/{}", self.application(), self.name)
    }
}

/// Whether definitions of the project can be programs of its namespace and version.
pub fn is_unversioned(program: &Program) -> bool {
    program.namespace == DEFAULT_NAMESPACE && program.version == DEFAULT_VERSION
}

/// The kind of definition that a kind of program is.
pub fn definition_of(kind: ProgramKind) -> Option<Kind> {
    match kind {
        ProgramKind::Workflow | ProgramKind::MapReduce | ProgramKind::Spark => Some(Kind::Workflow),
        ProgramKind::Coordinator => Some(Kind::Coordinator),
        ProgramKind::Bundle => Some(Kind::Bundle),
        ProgramKind::Command => None,
    }
}
