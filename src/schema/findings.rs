//! The kinds of findings that the schemas make.

use crate::diag::{Group, Info, Severity, Stage};

/// The document breaks its schema.
pub static VIOLATION: Info = Info {
    name: "schema-violation",
    group: Group::Schema,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0701"],
    explanation: "The definition breaks its schema.

An element, an attribute, a value or text stands where it is not allowed, or something that is required is missing. The
server checks the file as it is, before any parameter is put in, and refuses it at submission.",
};

/// The right children in the wrong order.
pub static CHILD_ORDER: Info = Info {
    name: "schema-child-order",
    group: Group::Schema,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0701"],
    explanation: "The children of an element are right, but not in the order of the schema.

Oozie's schemas fix the order of nearly everything: in a shell action, for example, `exec` comes before `argument`, and
`file` after both. The server refuses any other order.",
};

/// A near match of a name that is allowed there.
pub static MISSPELT_ELEMENT: Info = Info {
    name: "schema-misspelt-element",
    group: Group::Schema,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0701"],
    explanation: "An element has almost the name of one that the schema wants at this place.

Names are compared exactly, upper and lower case included.",
};

/// A namespace that no schema declares.
pub static UNKNOWN_NAMESPACE: Info = Info {
    name: "schema-unknown-namespace",
    group: Group::Schema,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0701"],
    explanation: "The element's namespace is not one of the schemas that a server of this version loads.

Either its version does not exist, or it came with a later Oozie, or it belongs to an extension. A server accepts an
extension's actions only when its schema is named in `oozie.service.SchemaService.wf.ext.schemas`.",
};

/// No namespace.
pub static MISSING_NAMESPACE: Info = Info {
    name: "schema-missing-namespace",
    group: Group::Schema,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0701"],
    explanation: "The root, or an action of a kind that has its own schema, says no namespace of its own.

The namespace names the version of the schema: `<workflow-app xmlns=\"uri:oozie:workflow:0.5\">`,
`<shell xmlns=\"uri:oozie:shell-action:0.3\">`. Without it the server finds no declaration for the element.",
};

/// Something of another schema version.
pub static FEATURE_VERSION: Info = Info {
    name: "schema-feature-version",
    group: Group::Schema,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0701"],
    explanation: "An element or attribute exists in another version of the schema, but not in the one the file names.

`parameters` and `global` came with workflow 0.4, `credentials` with 0.2.5, `input-logic` with coordinator 0.5, `launcher`
with the 1.0 schemas; `setrep` and `skip-trash` are in workflow 0.5 only. Name a version that has it.",
};
