//! Names of programs and schedules: `[namespace:]application[@version]/program`.

use std::collections::BTreeSet;
use std::fmt;

/// The namespace that is not written.
pub const DEFAULT_NAMESPACE: &str = "default";

/// The version that is not written.
pub const DEFAULT_VERSION: &str = "-SNAPSHOT";

/// How long a part of a name may be.
pub const MAX_NAME_CHARS: usize = 255;

/// The kinds of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProgramKind {
    /// A workflow app.
    Workflow,
    /// A map-reduce action of a workflow.
    MapReduce,
    /// A spark action of a workflow.
    Spark,
    /// A coordinator app.
    Coordinator,
    /// A bundle app.
    Bundle,
    /// A command line.
    Command,
}

impl ProgramKind {
    /// All of them.
    pub const ALL: [ProgramKind; 6] = [
        ProgramKind::Workflow,
        ProgramKind::MapReduce,
        ProgramKind::Spark,
        ProgramKind::Coordinator,
        ProgramKind::Bundle,
        ProgramKind::Command,
    ];

    /// The word in both notations.
    pub fn name(self) -> &'static str {
        match self {
            ProgramKind::Workflow => "WORKFLOW",
            ProgramKind::MapReduce => "MAPREDUCE",
            ProgramKind::Spark => "SPARK",
            ProgramKind::Coordinator => "COORDINATOR",
            ProgramKind::Bundle => "BUNDLE",
            ProgramKind::Command => "COMMAND",
        }
    }

    /// The kind with this name, in any case.
    pub fn from_name(name: &str) -> Option<ProgramKind> {
        ProgramKind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }

    /// The type of the action that the program is, if it is one.
    pub fn action(self) -> Option<&'static str> {
        match self {
            ProgramKind::MapReduce => Some("map-reduce"),
            ProgramKind::Spark => Some("spark"),
            _ => None,
        }
    }
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// It did what it was to do.
    Completed,
    /// It failed.
    Failed,
    /// Somebody killed it.
    Killed,
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 3] = [Status::Completed, Status::Failed, Status::Killed];

    /// The words that people may write beside the names, each with what it stands for.
    pub const WORDS: [(&'static str, &'static [Status]); 3] =
        [("finished", &Status::ALL), ("successful", &[Status::Completed]), ("failed", &[Status::Failed])];

    /// The word in both notations.
    pub fn name(self) -> &'static str {
        match self {
            Status::Completed => "COMPLETED",
            Status::Failed => "FAILED",
            Status::Killed => "KILLED",
        }
    }

    /// The status with exactly this name.
    pub fn from_name(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }

    /// What a word in any case stands for.
    pub fn from_word(word: &str) -> Option<BTreeSet<Status>> {
        let status = Status::ALL.into_iter().find(|status| status.name().eq_ignore_ascii_case(word));
        let meant = Status::WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
        status.map(|status| BTreeSet::from([status])).or_else(|| Some(meant?.1.iter().copied().collect()))
    }
}

/// What identifies a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Program {
    /// The namespace of its application.
    pub namespace: String,
    /// Its application.
    pub application: String,
    /// The version of its application.
    pub version: String,
    /// What kind of program it is.
    pub kind: ProgramKind,
    /// Its own name.
    pub name: String,
}

impl fmt::Display for Program {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(out, &self.namespace, &self.application, &self.version, &self.name)
    }
}

/// What identifies a schedule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScheduleName {
    /// The namespace of its application.
    pub namespace: String,
    /// Its application.
    pub application: String,
    /// The version of its application.
    pub version: String,
    /// Its own name.
    pub name: String,
}

impl fmt::Display for ScheduleName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(out, &self.namespace, &self.application, &self.version, &self.name)
    }
}

fn write_name(
    out: &mut fmt::Formatter<'_>,
    namespace: &str,
    application: &str,
    version: &str,
    name: &str,
) -> fmt::Result {
    if namespace != DEFAULT_NAMESPACE {
        write!(out, "{namespace}:")?;
    }
    write!(out, "{application}")?;
    if version != DEFAULT_VERSION {
        write!(out, "@{version}")?;
    }
    write!(out, "/{name}")
}

/// A name as people write it, `[[namespace:]application[@version]/]program`: what it says, and what it leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The namespace.
    pub namespace: Option<String>,
    /// The application.
    pub application: Option<String>,
    /// The version.
    pub version: Option<String>,
    /// The name itself.
    pub name: String,
}

impl Written {
    /// Takes a text apart; fails with what is wrong with it.
    pub fn parse(text: &str) -> Result<Written, String> {
        let (scope, name) = match text.split_once('/') {
            Some((scope, name)) => (Some(scope), name),
            None => (None, text),
        };
        let mut written = Written { name: name.to_owned(), ..Written::default() };
        if let Some(scope) = scope {
            let (namespace, rest) = match scope.split_once(':') {
                Some((namespace, rest)) => (Some(namespace), rest),
                None => (None, scope),
            };
            let (application, version) = match rest.split_once('@') {
                Some((application, version)) => (application, Some(version)),
                None => (rest, None),
            };
            written.namespace = namespace.map(str::to_owned);
            written.application = Some(application.to_owned());
            written.version = version.map(str::to_owned);
        }
        let parts = [&written.namespace, &written.application, &written.version];
        for part in parts.into_iter().flatten().chain([&written.name]) {
            if let Some(fault) = name_fault(part) {
                return Err(format!("the name {fault}"));
            }
        }
        Ok(written)
    }
}

/// What keeps a text from being a part of a name, in words that follow it.
pub(super) fn name_fault(part: &str) -> Option<String> {
    if part.is_empty() {
        return Some("is empty".to_owned());
    }
    if part.chars().count() > MAX_NAME_CHARS {
        return Some(format!("has more than {MAX_NAME_CHARS} characters"));
    }
    if part.chars().any(char::is_control) {
        return Some("must not contain control characters".to_owned());
    }
    if part.contains('/') {
        return Some("must not contain `/`, which separates applications from programs".to_owned());
    }
    None
}
