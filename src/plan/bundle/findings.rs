//! The kinds of findings that planning a bundle makes.

use crate::diag::{Group, Info, Severity, Stage};

/// One coordinator name twice.
pub static BUNDLE_COORDINATOR_DUPLICATE: Info = Info {
    name: "bundle-coordinator-duplicate",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1310", "E1304"],
    explanation: "Two coordinators of a bundle have one name, once values are put in.\n\n\
        The server refuses the bundle. Rename one of them.",
};

/// A coordinator without a name.
pub static BUNDLE_COORDINATOR_NAME_EMPTY: Info = Info {
    name: "bundle-coordinator-name-empty",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Start),
    mirrors: &[],
    explanation: "A coordinator of a bundle has no name, or one that resolves to nothing.\n\n\
        Without the attribute the schema refuses the bundle (E0701); with an empty name the bundle is accepted, and \
        then its coordinator cannot be submitted. Name it.",
};

/// No coordinator is enabled.
pub static BUNDLE_ALL_DISABLED: Info = Info {
    name: "bundle-all-disabled",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Start),
    mirrors: &["E1318"],
    explanation: "No coordinator of the bundle is enabled.\n\n\
        The server accepts the bundle and fails it when it starts. Only the word `true`, in any case, enables a \
        coordinator; `yes` and `1` do not.",
};

/// An app path that leads to no coordinator.
pub static BUNDLE_COORDINATOR_MISSING: Info = Info {
    name: "bundle-coordinator-missing",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Start),
    mirrors: &["E1001"],
    explanation: "The `app-path` of a coordinator in a bundle leads to no coordinator.\n\n\
        The server accepts the bundle and fails it when it starts. Correct the path, or map it in ankus.toml. \
        Where no mapping says where it should stand, it may lie on the cluster alone, and the finding is a note.",
};

/// A coordinator of the oldest schema inside a bundle.
pub static BUNDLE_COORDINATOR_NAMESPACE: Info = Info {
    name: "bundle-coordinator-namespace",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Start),
    mirrors: &["E1319"],
    explanation: "A bundle holds a coordinator of the namespace `uri:oozie:coordinator:0.1`.\n\n\
        Coordinators of that version cannot be part of a bundle. Use a newer namespace.",
};

/// A kick-off time that is none.
pub static BUNDLE_KICKOFF_INVALID: Info = Info {
    name: "bundle-kickoff-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1310", "E1301"],
    explanation: "The `kick-off-time` of a bundle is no datetime in the processing timezone, such as \
        `2024-01-01T00:00Z`.\n\nThe server refuses the bundle. An empty one means: at once.",
};

/// A value that breaks the definition it is put into.
pub static VALUE_BREAKS_XML: Info = Info {
    name: "value-breaks-xml",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1310", "E1301"],
    explanation: "A value holds `<` or `&`, and the definition is no longer XML once it is put in.\n\n\
        The server puts values into the text of a definition as they are and reads it again. Write `&lt;` and `&amp;` \
        in the value.",
};

/// A coordinator that names another user than the bundle's.
pub static USER_NAME_CONFLICT: Info = Info {
    name: "user-name-conflict",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Start),
    mirrors: &["E1303"],
    explanation: "The configuration of a coordinator in a bundle sets `user.name` to another user than the bundle's.\n\n\
        The server accepts the bundle and fails it when it starts. Remove the property.",
};
