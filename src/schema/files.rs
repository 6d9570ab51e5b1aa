//! The schema files, embedded, and which of them a server of some version loads.
//!
//! Knows the files by name, namespace and age only; never what stands in them.

use super::Kind;

/// One schema that has a namespace of its own.
#[derive(Debug)]
pub struct SchemaFile {
    /// Its name under `grammar/xsd`, which is the server's name for it.
    pub name: &'static str,
    /// The namespace that it describes.
    pub namespace: &'static str,
    /// The namespace without its version, with the colon.
    pub family: &'static str,
    /// The version in the namespace.
    pub version: &'static str,
    /// The sets that hold it.
    kinds: u8,
    /// The Oozie release that brought it.
    since: (u16, u16),
    text: &'static str,
}

const WORKFLOW: u8 = 1;
const COORDINATOR: u8 = 2;
const BUNDLE: u8 = 4;

macro_rules! schema {
    ($name:literal, $family:literal, $version:literal, $kinds:expr, $since:expr) => {
        SchemaFile {
            name: $name,
            namespace: concat!($family, $version),
            family: $family,
            version: $version,
            kinds: $kinds,
            since: $since,
            text: include_str!(concat!("../../grammar/xsd/", $name)),
        }
    };
}

macro_rules! part {
    ($name:literal) => {
        ($name, include_str!(concat!("../../grammar/xsd/", $name)))
    };
}

/// Every schema with a namespace: families together, oldest first, as the server's `SchemaService` is configured by
/// `oozie-default.xml` (before 4.2: by its own lists and the `oozie-site.xml` that was shipped).
#[rustfmt::skip]
pub static SCHEMAS: &[SchemaFile] = &[
    schema!("oozie-workflow-0.1.xsd", "uri:oozie:workflow:", "0.1", WORKFLOW, (3, 1)),
    schema!("oozie-workflow-0.2.xsd", "uri:oozie:workflow:", "0.2", WORKFLOW, (3, 1)),
    schema!("oozie-workflow-0.2.5.xsd", "uri:oozie:workflow:", "0.2.5", WORKFLOW, (3, 1)),
    schema!("oozie-workflow-0.3.xsd", "uri:oozie:workflow:", "0.3", WORKFLOW, (3, 1)),
    schema!("oozie-workflow-0.4.xsd", "uri:oozie:workflow:", "0.4", WORKFLOW, (3, 3)),
    schema!("oozie-workflow-0.4.5.xsd", "uri:oozie:workflow:", "0.4.5", WORKFLOW, (4, 1)),
    schema!("oozie-workflow-0.5.xsd", "uri:oozie:workflow:", "0.5", WORKFLOW, (4, 0)),
    schema!("oozie-workflow-1.0.xsd", "uri:oozie:workflow:", "1.0", WORKFLOW, (5, 0)),
    schema!("oozie-coordinator-0.1.xsd", "uri:oozie:coordinator:", "0.1", COORDINATOR, (3, 1)),
    schema!("oozie-coordinator-0.2.xsd", "uri:oozie:coordinator:", "0.2", COORDINATOR, (3, 1)),
    schema!("oozie-coordinator-0.3.xsd", "uri:oozie:coordinator:", "0.3", COORDINATOR, (3, 1)),
    schema!("oozie-coordinator-0.4.xsd", "uri:oozie:coordinator:", "0.4", COORDINATOR, (3, 3)),
    schema!("oozie-coordinator-0.5.xsd", "uri:oozie:coordinator:", "0.5", COORDINATOR, (4, 3)),
    schema!("oozie-bundle-0.1.xsd", "uri:oozie:bundle:", "0.1", BUNDLE, (3, 1)),
    schema!("oozie-bundle-0.2.xsd", "uri:oozie:bundle:", "0.2", BUNDLE, (3, 3)),
    schema!("oozie-sla-0.1.xsd", "uri:oozie:sla:", "0.1", WORKFLOW | COORDINATOR, (3, 1)),
    schema!("oozie-sla-0.2.xsd", "uri:oozie:sla:", "0.2", WORKFLOW | COORDINATOR, (4, 0)),
    schema!("distcp-action-0.1.xsd", "uri:oozie:distcp-action:", "0.1", WORKFLOW, (3, 3)),
    schema!("distcp-action-0.2.xsd", "uri:oozie:distcp-action:", "0.2", WORKFLOW, (4, 0)),
    schema!("distcp-action-1.0.xsd", "uri:oozie:distcp-action:", "1.0", WORKFLOW, (5, 0)),
    schema!("email-action-0.1.xsd", "uri:oozie:email-action:", "0.1", WORKFLOW, (3, 1)),
    schema!("email-action-0.2.xsd", "uri:oozie:email-action:", "0.2", WORKFLOW, (4, 1)),
    schema!("git-action-1.0.xsd", "uri:oozie:git-action:", "1.0", WORKFLOW, (5, 1)),
    schema!("hive-action-0.2.xsd", "uri:oozie:hive-action:", "0.2", WORKFLOW, (3, 2)),
    schema!("hive-action-0.3.xsd", "uri:oozie:hive-action:", "0.3", WORKFLOW, (3, 3)),
    schema!("hive-action-0.4.xsd", "uri:oozie:hive-action:", "0.4", WORKFLOW, (4, 0)),
    schema!("hive-action-0.5.xsd", "uri:oozie:hive-action:", "0.5", WORKFLOW, (4, 0)),
    schema!("hive-action-0.6.xsd", "uri:oozie:hive-action:", "0.6", WORKFLOW, (4, 3)),
    schema!("hive-action-1.0.xsd", "uri:oozie:hive-action:", "1.0", WORKFLOW, (5, 0)),
    schema!("hive2-action-0.1.xsd", "uri:oozie:hive2-action:", "0.1", WORKFLOW, (4, 2)),
    schema!("hive2-action-0.2.xsd", "uri:oozie:hive2-action:", "0.2", WORKFLOW, (4, 3)),
    schema!("hive2-action-1.0.xsd", "uri:oozie:hive2-action:", "1.0", WORKFLOW, (5, 0)),
    schema!("shell-action-0.1.xsd", "uri:oozie:shell-action:", "0.1", WORKFLOW, (3, 2)),
    schema!("shell-action-0.2.xsd", "uri:oozie:shell-action:", "0.2", WORKFLOW, (3, 3)),
    schema!("shell-action-0.3.xsd", "uri:oozie:shell-action:", "0.3", WORKFLOW, (4, 0)),
    schema!("shell-action-1.0.xsd", "uri:oozie:shell-action:", "1.0", WORKFLOW, (5, 0)),
    schema!("spark-action-0.1.xsd", "uri:oozie:spark-action:", "0.1", WORKFLOW, (4, 2)),
    schema!("spark-action-0.2.xsd", "uri:oozie:spark-action:", "0.2", WORKFLOW, (4, 3)),
    schema!("spark-action-1.0.xsd", "uri:oozie:spark-action:", "1.0", WORKFLOW, (5, 0)),
    schema!("sqoop-action-0.2.xsd", "uri:oozie:sqoop-action:", "0.2", WORKFLOW, (3, 2)),
    schema!("sqoop-action-0.3.xsd", "uri:oozie:sqoop-action:", "0.3", WORKFLOW, (3, 3)),
    schema!("sqoop-action-0.4.xsd", "uri:oozie:sqoop-action:", "0.4", WORKFLOW, (4, 0)),
    schema!("sqoop-action-1.0.xsd", "uri:oozie:sqoop-action:", "1.0", WORKFLOW, (5, 0)),
    schema!("ssh-action-0.1.xsd", "uri:oozie:ssh-action:", "0.1", WORKFLOW, (3, 2)),
    schema!("ssh-action-0.2.xsd", "uri:oozie:ssh-action:", "0.2", WORKFLOW, (4, 0)),
];

/// What is included by others, by name. The server counts `oozie-common-1.0` among the schemas of a workflow; without a
/// namespace and without elements it adds nothing there.
#[rustfmt::skip]
static PARTS: &[(&str, &str)] = &[
    part!("oozie-common-1.0.xsd"),
    part!("parts/bundle.xsd"),
    part!("parts/chgrp.xsd"),
    part!("parts/chmod.xsd"),
    part!("parts/cluster-required.xsd"),
    part!("parts/cluster-yarn.xsd"),
    part!("parts/cluster.xsd"),
    part!("parts/configuration.xsd"),
    part!("parts/coordinator-controls.xsd"),
    part!("parts/coordinator-input.xsd"),
    part!("parts/coordinator-output-0.4.xsd"),
    part!("parts/coordinator-output.xsd"),
    part!("parts/coordinator.xsd"),
    part!("parts/credentials.xsd"),
    part!("parts/delete.xsd"),
    part!("parts/files.xsd"),
    part!("parts/flag.xsd"),
    part!("parts/job-settings-yarn.xsd"),
    part!("parts/job-settings.xsd"),
    part!("parts/job-xml-many.xsd"),
    part!("parts/job-xml-one.xsd"),
    part!("parts/map-reduce-kind.xsd"),
    part!("parts/move.xsd"),
    part!("parts/name.xsd"),
    part!("parts/node-name.xsd"),
    part!("parts/parameters.xsd"),
    part!("parts/prepare.xsd"),
    part!("parts/script-arguments.xsd"),
    part!("parts/script-or-query.xsd"),
    part!("parts/script-params.xsd"),
    part!("parts/script.xsd"),
    part!("parts/sla-0.1.xsd"),
    part!("parts/sla.xsd"),
    part!("parts/workflow-actions-0.1.xsd"),
    part!("parts/workflow-actions-0.4.xsd"),
    part!("parts/workflow-map-reduce-0.4.xsd"),
    part!("parts/workflow.xsd"),
];

/// The version of Oozie whose schemas apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Profile(u16, u16);

impl Default for Profile {
    fn default() -> Profile {
        Profile(5, 2)
    }
}

impl std::fmt::Display for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

impl Profile {
    /// The profile of a version such as `5.2` or `4.3.1`; `None` when it is no such version, or older than 3.1.
    pub fn new(version: &str) -> Option<Profile> {
        let mut numbers = version.split('.').map(|part| part.parse::<u16>().ok());
        let profile = Profile(numbers.next()??, numbers.next()??);
        (numbers.all(|number| number.is_some()) && profile >= Profile(3, 1)).then_some(profile)
    }
}

/// A choice among [`SCHEMAS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selection(u64);

impl Selection {
    /// All that a server of this version applies to this kind of definition.
    pub fn of(kind: Kind, profile: Profile) -> Selection {
        let bit = match kind {
            Kind::Workflow => WORKFLOW,
            Kind::Coordinator => COORDINATOR,
            Kind::Bundle => BUNDLE,
        };
        let chosen =
            |file: &SchemaFile| file.kinds & bit != 0 && Profile(file.since.0, file.since.1) <= profile;
        Selection::from_filter(chosen)
    }

    /// Those of them whose namespace passes. Elements of a schema refer to other namespaces through wildcards only, so a
    /// namespace that a document does not use can be left out.
    pub fn keep(self, mut namespace: impl FnMut(&str) -> bool) -> Selection {
        let kept = self.files().filter(|file| namespace(file.namespace)).map(|file| file.namespace);
        let kept: Vec<&str> = kept.collect();
        Selection::from_filter(|file| kept.contains(&file.namespace))
    }

    /// The files, in the order of [`SCHEMAS`].
    pub fn files(self) -> impl DoubleEndedIterator<Item = &'static SchemaFile> {
        SCHEMAS.iter().enumerate().filter(move |(index, _)| self.0 & (1 << index) != 0).map(|(_, file)| file)
    }

    /// The chosen schema of a namespace.
    pub fn file(self, namespace: &str) -> Option<&'static SchemaFile> {
        self.files().find(|file| file.namespace == namespace)
    }

    fn from_filter(chosen: impl Fn(&SchemaFile) -> bool) -> Selection {
        let mut bits = 0;
        for (index, file) in SCHEMAS.iter().enumerate() {
            bits |= u64::from(chosen(file)) << index;
        }
        Selection(bits)
    }
}

impl SchemaFile {
    /// The version of Oozie that brought it.
    pub fn since(&self) -> Profile {
        Profile(self.since.0, self.since.1)
    }

    /// The schema as one text, with everything it includes put in.
    pub fn composed(&self) -> String {
        let (head, body) = split(self.text);
        let mut text = String::from(head);
        let mut seen = Vec::new();
        put_in(body, "", &mut seen, &mut text);
        text.push_str("</xs:schema>\n");
        text
    }
}

/// Appends a schema's body; includes become the bodies of what they name, each once.
fn put_in(body: &'static str, folder: &str, seen: &mut Vec<String>, text: &mut String) {
    const INCLUDE: &str = "<xs:include schemaLocation=\"";
    for line in body.lines() {
        let Some(rest) = line.trim_start().strip_prefix(INCLUDE) else {
            text.push_str(line);
            text.push('\n');
            continue;
        };
        let location = format!("{folder}{}", rest.split('"').next().unwrap_or_default());
        if seen.contains(&location) {
            continue;
        }
        let part = PARTS.iter().find(|(name, _)| *name == location);
        let (_, part) = part.unwrap_or_else(|| panic!("`{location}` is embedded"));
        let folder = location.rfind('/').map_or("", |slash| &location[..=slash]).to_owned();
        seen.push(location);
        put_in(split(part).1, &folder, seen, text);
    }
}

/// A schema's head, to the end of its first tag, and its body.
fn split(text: &'static str) -> (&'static str, &'static str) {
    let tag = text.find("<xs:schema").expect("a schema has a first tag");
    let end = tag + text[tag..].find('>').expect("the first tag ends") + 1;
    let close = text.rfind("</xs:schema>").expect("a schema has a last tag");
    (&text[..end], &text[end..close])
}
