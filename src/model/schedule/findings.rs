//! The kinds of findings that reading schedules makes.

use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::source::Span;

/// The code of a server that is asked for something that it does not understand.
pub(super) const BAD_REQUEST: u16 = 400;

/// A schedule that cannot be understood.
pub static SCHEDULE_INVALID: Info = Info {
    name: "schedule-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: None,
    mirrors: &[],
    explanation: "A schedule is not valid: the file is neither JSON nor TOML, a part is missing or of the wrong type, or \
a trigger or constraint is of an unknown kind.

A schedule has a name, a program that it starts, and a trigger. `docs/schedules.md` shows both notations; `ankus schema \
schedule` and `ankus schema schedules` describe them. Keys that a body does not have are ignored with a warning.",
};

/// A comma before a closing bracket.
pub static SCHEDULE_JSON_COMMA: Info = Info {
    name: "schedule-json-comma",
    group: Group::Meaning,
    severity: Severity::Warning,
    stage: None,
    mirrors: &[],
    explanation: "A comma stands before a closing bracket in the JSON of a schedule.

JSON does not allow it, and other readers refuse the file. It is read all the same, since the example in the \
specification has such a comma. Remove it.",
};

/// Statuses that are none.
pub static SCHEDULE_STATUS_INVALID: Info = Info {
    name: "schedule-status-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: None,
    mirrors: &[],
    explanation: "A trigger names no status, or one that is not COMPLETED, FAILED or KILLED.

Only the end of a run starts another one. INITIALIZING and RUNNING are refused, so that nothing starts beside a program \
that it depends on. FAILING, which the example in the specification has, is read as FAILED with a warning.",
};

/// Constraints that cannot be.
pub static SCHEDULE_CONSTRAINT_INVALID: Info = Info {
    name: "schedule-constraint-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: None,
    mirrors: &[],
    explanation: "A constraint has a value that it cannot have.

Numbers are at least 1, times of day have the form `HH:mm`, a range has two different times, its zone is an identifier \
such as `Europe/Berlin`, and a DELAY always waits.",
};

/// A mapping that cannot be understood.
pub static SCHEDULE_MAPPING_INVALID: Info = Info {
    name: "schedule-mapping-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: None,
    mirrors: &[],
    explanation: "The property `triggering.properties.mapping` does not hold a mapping.

It is JSON of the form `{\"arguments\":[{\"source\":\"a\",\"target\":\"b\"}],\"pluginProperties\":[{\"stageName\":\"copy\",\
\"source\":\"a\",\"target\":\"b\"}]}`; either list may be absent, and so may each `target`. In TOML, write `map = { b = \"a\" }`.",
};

/// A type of program that does not exist.
pub static SCHEDULE_PROGRAM_TYPE: Info = Info {
    name: "schedule-program-type",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: None,
    mirrors: &[],
    explanation: "A program has a type that does not exist, or that is not the type of the program of this name.

Types are WORKFLOW, MAPREDUCE, SPARK, COORDINATOR, BUNDLE and COMMAND. MAPREDUCE and SPARK name an action of that type \
in a workflow of the application; COMMAND a command line under `[programs]` in ankus.toml.",
};

/// A finding that a server answers with 400.
pub(super) fn refusal(info: &'static Info, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(info, span, message).http(BAD_REQUEST)
}
