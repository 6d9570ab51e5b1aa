//! The kinds of findings that reading properties makes.

use crate::diag::{Group, Info, Severity, Stage};

/// `\u` without four hexadecimal digits.
pub static BAD_ESCAPE: Info = Info {
    name: "properties-bad-escape",
    group: Group::Properties,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &[],
    explanation: "A `\\u` in a properties file is not followed by four hexadecimal digits.

Java refuses the whole file, so nothing can be submitted with it. A typical cause is a Windows path such as
`C:\\users`. Double the backslash, or use `/`.",
};

/// A backslash before a letter or digit that it does not change.
pub static BACKSLASH_DROPPED: Info = Info {
    name: "properties-backslash-dropped",
    group: Group::Properties,
    severity: Severity::Warning,
    stage: None,
    mirrors: &[],
    explanation: "A backslash in a properties file stands before a letter that it does not change.

Java drops it: `C:\\data` becomes `C:data`. Paths of a cluster are written with `/`; where a backslash is meant, as in a
regular expression, double it.",
};

/// Bytes that are not UTF-8.
pub static ENCODING: Info = Info {
    name: "properties-encoding",
    group: Group::Properties,
    severity: Severity::Warning,
    stage: None,
    mirrors: &[],
    explanation: "A properties file holds bytes that are not UTF-8.

The client reads it as UTF-8 and puts U+FFFD in place of each such byte, without a word. Clients before 5.1 read
Latin-1. An escape such as `\\u00e9` means the same to all of them.",
};

/// A byte order mark.
pub static BYTE_ORDER_MARK: Info = Info {
    name: "properties-byte-order-mark",
    group: Group::Properties,
    severity: Severity::Warning,
    stage: None,
    mirrors: &[],
    explanation: "A properties file starts with a byte order mark.

Java takes it for the first character of the first name, so that this property is not found under its own name, and a
comment on the first line becomes a property. Save the file as UTF-8 without a byte order mark.",
};

/// A file over the limit.
pub static TOO_LARGE: Info = Info {
    name: "properties-too-large",
    group: Group::Properties,
    severity: Severity::Error,
    stage: None,
    mirrors: &[],
    explanation: "The properties file is larger than this program reads.

The limit keeps memory within bounds.",
};

/// Something else than properties in a configuration file.
pub static CONFIGURATION_INVALID: Info = Info {
    name: "configuration-invalid",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &[],
    explanation: "A configuration file is not made of `configuration`, `property`, `name` and `value`.

Client and server refuse such a file as a whole (`bad conf file`).",
};

/// A property without a name or a value.
pub static PROPERTY_UNREAD: Info = Info {
    name: "configuration-property-unread",
    group: Group::Meaning,
    severity: Severity::Warning,
    stage: None,
    mirrors: &[],
    explanation: "A property of a configuration file has no `name` or no `value`.

Client and server pass over it without a word. Most often the element is misspelt: only `name`, `value`, `final` and
`description` are known.",
};

/// A value of which only the first piece is read.
pub static VALUE_CUT: Info = Info {
    name: "configuration-value-cut",
    group: Group::Meaning,
    severity: Severity::Warning,
    stage: None,
    mirrors: &[],
    explanation: "Only the first piece of this name or value is read.

In a configuration file, client and server take the text up to the first CDATA section, or one CDATA section if it
stands first; a line break before `<![CDATA[` is such a first piece, and the rest is lost without a word. Write the whole
value as text, or the whole as one CDATA section that begins right after `<value>`.",
};

/// All kinds of this module.
pub static INFOS: &[&Info] = &[
    &BACKSLASH_DROPPED,
    &BAD_ESCAPE,
    &ENCODING,
    &BYTE_ORDER_MARK,
    &TOO_LARGE,
    &CONFIGURATION_INVALID,
    &PROPERTY_UNREAD,
    &VALUE_CUT,
];
