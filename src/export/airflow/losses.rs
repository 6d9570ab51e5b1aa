//! What Airflow cannot express, or an export leaves to its owner.

use crate::source::Span;

/// A kind of difference.
#[derive(Debug, PartialEq, Eq)]
pub struct LossKind {
    /// Its name.
    pub name: &'static str,
    /// What Oozie does.
    pub oozie: &'static str,
    /// What the DAG does.
    pub airflow: &'static str,
}

/// A difference at a place.
#[derive(Clone, Debug)]
pub struct Loss {
    /// Its kind.
    pub kind: &'static LossKind,
    /// Where it was written.
    pub span: Span,
    /// Of what: a node, a text.
    pub subject: String,
}

const fn kind(name: &'static str, oozie: &'static str, airflow: &'static str) -> LossKind {
    LossKind { name, oozie, airflow }
}

/// An action of a type that exports do not know.
pub(super) static ACTION_UNKNOWN: LossKind = kind(
    "action-unknown",
    "runs an action of this type",
    "the task raises `NotImplementedError`; its definition is in its documentation",
);
/// An expression without a counterpart.
pub(super) static EXPRESSION: LossKind = kind(
    "expression",
    "evaluates the expression",
    "the text keeps the expression as it was written, or the task raises `NotImplementedError`",
);
/// The error of another action.
pub(super) static ERROR_TEXT: LossKind = kind(
    "error-text",
    "knows the error code and message of an action",
    "a task cannot read the exception of another; the text points at its log",
);
/// A fork beside a handled failure.
pub(super) static FORK_RUNS_ON: LossKind = kind(
    "fork-runs-on",
    "kills the other branches of a fork once the workflow ends",
    "other branches run to their end; nothing starts after the join",
);
/// Two tokens at one node.
pub(super) static NODE_ENTERED_TWICE: LossKind = kind(
    "node-entered-twice",
    "runs a node again when a second branch of a fork leads to it",
    "the task runs once",
);
/// Retries by code.
pub(super) static RETRY_CODES: LossKind =
    kind("retry-codes", "retries the error codes that the server lists", "retries every failure");
/// Files that Oozie brings along.
pub(super) static FILES: LossKind = kind(
    "files",
    "brings `file` and `archive` into the folder of the process",
    "the process runs in the folder that an Airflow variable names, where they must be",
);
/// Settings of the launcher.
pub(super) static LAUNCHER: LossKind = kind(
    "launcher",
    "runs the process in a container of the cluster with these settings",
    "the process runs on the worker",
);
/// Credentials of a cluster.
pub(super) static CREDENTIALS: LossKind = kind(
    "credentials",
    "gets tokens for these credentials before the action starts",
    "the connection or the worker must have them",
);
/// Service levels.
pub(super) static SLA: LossKind =
    kind("sla", "records whether the service level was met", "no deadline is written");
/// Sub-workflows outlive their parents.
pub(super) static SUB_WORKFLOW_LIVES_ON: LossKind = kind(
    "sub-workflow-lives-on",
    "kills the sub-workflow when its parent is killed",
    "the run that was triggered goes on",
);
/// A sub-workflow that is not in the project.
pub(super) static SUB_WORKFLOW_MISSING: LossKind = kind(
    "sub-workflow-missing",
    "runs the workflow at this path",
    "no file of the project is known to be it; a DAG of the named id must exist",
);
/// One state for several.
pub(super) static KILLED_IS_FAILED: LossKind = kind(
    "killed-is-failed",
    "tells KILLED, FAILED and TIMEDOUT apart",
    "the run is `failed`; noted once for all",
);
/// Files of configuration.
pub(super) static JOB_XML: LossKind = kind(
    "job-xml",
    "reads the properties in this file",
    "the file is named to the command where it takes one, else ignored",
);

/// All kinds.
pub static LOSSES: &[&LossKind] = &[
    &ACTION_UNKNOWN,
    &CREDENTIALS,
    &ERROR_TEXT,
    &EXPRESSION,
    &FILES,
    &FORK_RUNS_ON,
    &JOB_XML,
    &KILLED_IS_FAILED,
    &LAUNCHER,
    &NODE_ENTERED_TWICE,
    &RETRY_CODES,
    &SLA,
    &SUB_WORKFLOW_LIVES_ON,
    &SUB_WORKFLOW_MISSING,
];
