//! The findings of an upgrade from one dialect to the other.

use crate::diag::{Group, Info, Severity};

/// Something is not the same after an upgrade.
pub static UPGRADE_LOSS: Info = Info {
    name: "upgrade-loss",
    group: Group::Meaning,
    severity: Severity::Warning,
    stage: None,
    mirrors: &[],
    explanation: "Something of a `hadoop-workflow` is not the same in workflow 1.0.

`ankus upgrade` reports each such place: the upgraded app runs, and differs there. Among them are job states (a `fail` node
ends the job as KILLED), names of evaluations, users of actions, and functions with other results.",
};

/// Something cannot be kept by an upgrade.
pub static UPGRADE_REFUSED: Info = Info {
    name: "upgrade-refused",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: None,
    mirrors: &[],
    explanation: "Something of a `hadoop-workflow` has no counterpart in workflow 1.0, so the app is not upgraded.

`ankus upgrade` writes nothing of an app that it cannot keep: an `end` inside a fork, an http action, a `host-url`, a
`user.name` among the properties of an action, and uses of `wf:exitState` that no other function can stand for.",
};
