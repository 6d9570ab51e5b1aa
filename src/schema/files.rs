//! The schema files, embedded, and which of them a server of some version loads.
//!
//! Knows the files by name, namespace and age only; never what stands in them.

use super::Kind;
use super::versions::{self, Version};

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
    text: &'static str,
}

const WORKFLOW: u8 = 1;
const COORDINATOR: u8 = 2;
const BUNDLE: u8 = 4;
const HWS: u8 = 8;

macro_rules! schema {
    ($name:literal, $family:literal, $version:literal, $kinds:expr) => {
        SchemaFile {
            name: $name,
            namespace: concat!($family, $version),
            family: $family,
            version: $version,
            kinds: $kinds,
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
    schema!("oozie-workflow-0.1.xsd", "uri:oozie:workflow:", "0.1", WORKFLOW),
    schema!("oozie-workflow-0.2.xsd", "uri:oozie:workflow:", "0.2", WORKFLOW),
    schema!("oozie-workflow-0.2.5.xsd", "uri:oozie:workflow:", "0.2.5", WORKFLOW),
    schema!("oozie-workflow-0.3.xsd", "uri:oozie:workflow:", "0.3", WORKFLOW),
    schema!("oozie-workflow-0.4.xsd", "uri:oozie:workflow:", "0.4", WORKFLOW),
    schema!("oozie-workflow-0.4.5.xsd", "uri:oozie:workflow:", "0.4.5", WORKFLOW),
    schema!("oozie-workflow-0.5.xsd", "uri:oozie:workflow:", "0.5", WORKFLOW),
    schema!("oozie-workflow-1.0.xsd", "uri:oozie:workflow:", "1.0", WORKFLOW),
    schema!("oozie-coordinator-0.1.xsd", "uri:oozie:coordinator:", "0.1", COORDINATOR),
    schema!("oozie-coordinator-0.2.xsd", "uri:oozie:coordinator:", "0.2", COORDINATOR),
    schema!("oozie-coordinator-0.3.xsd", "uri:oozie:coordinator:", "0.3", COORDINATOR),
    schema!("oozie-coordinator-0.4.xsd", "uri:oozie:coordinator:", "0.4", COORDINATOR),
    schema!("oozie-coordinator-0.5.xsd", "uri:oozie:coordinator:", "0.5", COORDINATOR),
    schema!("oozie-bundle-0.1.xsd", "uri:oozie:bundle:", "0.1", BUNDLE),
    schema!("oozie-bundle-0.2.xsd", "uri:oozie:bundle:", "0.2", BUNDLE),
    schema!("oozie-sla-0.1.xsd", "uri:oozie:sla:", "0.1", WORKFLOW | COORDINATOR),
    schema!("oozie-sla-0.2.xsd", "uri:oozie:sla:", "0.2", WORKFLOW | COORDINATOR),
    schema!("distcp-action-0.1.xsd", "uri:oozie:distcp-action:", "0.1", WORKFLOW),
    schema!("distcp-action-0.2.xsd", "uri:oozie:distcp-action:", "0.2", WORKFLOW),
    schema!("distcp-action-1.0.xsd", "uri:oozie:distcp-action:", "1.0", WORKFLOW),
    schema!("email-action-0.1.xsd", "uri:oozie:email-action:", "0.1", WORKFLOW),
    schema!("email-action-0.2.xsd", "uri:oozie:email-action:", "0.2", WORKFLOW),
    schema!("git-action-1.0.xsd", "uri:oozie:git-action:", "1.0", WORKFLOW),
    schema!("hive-action-0.2.xsd", "uri:oozie:hive-action:", "0.2", WORKFLOW),
    schema!("hive-action-0.3.xsd", "uri:oozie:hive-action:", "0.3", WORKFLOW),
    schema!("hive-action-0.4.xsd", "uri:oozie:hive-action:", "0.4", WORKFLOW),
    schema!("hive-action-0.5.xsd", "uri:oozie:hive-action:", "0.5", WORKFLOW),
    schema!("hive-action-0.6.xsd", "uri:oozie:hive-action:", "0.6", WORKFLOW),
    schema!("hive-action-1.0.xsd", "uri:oozie:hive-action:", "1.0", WORKFLOW),
    schema!("hive2-action-0.1.xsd", "uri:oozie:hive2-action:", "0.1", WORKFLOW),
    schema!("hive2-action-0.2.xsd", "uri:oozie:hive2-action:", "0.2", WORKFLOW),
    schema!("hive2-action-1.0.xsd", "uri:oozie:hive2-action:", "1.0", WORKFLOW),
    schema!("shell-action-0.1.xsd", "uri:oozie:shell-action:", "0.1", WORKFLOW),
    schema!("shell-action-0.2.xsd", "uri:oozie:shell-action:", "0.2", WORKFLOW),
    schema!("shell-action-0.3.xsd", "uri:oozie:shell-action:", "0.3", WORKFLOW),
    schema!("shell-action-1.0.xsd", "uri:oozie:shell-action:", "1.0", WORKFLOW),
    schema!("spark-action-0.1.xsd", "uri:oozie:spark-action:", "0.1", WORKFLOW),
    schema!("spark-action-0.2.xsd", "uri:oozie:spark-action:", "0.2", WORKFLOW),
    schema!("spark-action-1.0.xsd", "uri:oozie:spark-action:", "1.0", WORKFLOW),
    schema!("sqoop-action-0.2.xsd", "uri:oozie:sqoop-action:", "0.2", WORKFLOW),
    schema!("sqoop-action-0.3.xsd", "uri:oozie:sqoop-action:", "0.3", WORKFLOW),
    schema!("sqoop-action-0.4.xsd", "uri:oozie:sqoop-action:", "0.4", WORKFLOW),
    schema!("sqoop-action-1.0.xsd", "uri:oozie:sqoop-action:", "1.0", WORKFLOW),
    schema!("ssh-action-0.1.xsd", "uri:oozie:ssh-action:", "0.1", WORKFLOW),
    schema!("ssh-action-0.2.xsd", "uri:oozie:ssh-action:", "0.2", WORKFLOW),
    schema!("hadoop-workflow.xsd", "", "", HWS),
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

/// A choice among [`SCHEMAS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selection {
    chosen: u64,
    /// What a later version adds to them.
    later: u64,
}

impl Selection {
    /// All that a server of this version applies to this kind of definition.
    pub fn of(kind: Kind, version: Version) -> Selection {
        let bit = match kind {
            Kind::Workflow => WORKFLOW,
            Kind::Coordinator => COORDINATOR,
            Kind::Bundle => BUNDLE,
            Kind::Hws => HWS,
        };
        let of_kind = |file: &SchemaFile| file.kinds & bit != 0;
        Selection {
            chosen: bits(|file| of_kind(file) && file.since() <= version),
            later: bits(|file| of_kind(file) && file.since() > version),
        }
    }

    /// Those of them whose namespace passes. Elements of a schema refer to other namespaces through wildcards only, so a
    /// namespace that a document does not use can be left out.
    pub fn keep(self, mut namespace: impl FnMut(&str) -> bool) -> Selection {
        let kept = self.files().filter(|file| namespace(file.namespace)).map(|file| file.namespace);
        let kept: Vec<&str> = kept.collect();
        Selection { chosen: bits(|file| kept.contains(&file.namespace)), ..self }
    }

    /// The files, in the order of [`SCHEMAS`].
    pub fn files(self) -> impl DoubleEndedIterator<Item = &'static SchemaFile> {
        SCHEMAS
            .iter()
            .enumerate()
            .filter(move |(index, _)| self.chosen & (1 << index) != 0)
            .map(|(_, file)| file)
    }

    /// The chosen schema of a namespace.
    pub fn file(self, namespace: &str) -> Option<&'static SchemaFile> {
        self.files().find(|file| file.namespace == namespace)
    }

    /// The schema of a namespace that only a later version has.
    pub fn later(self, namespace: &str) -> Option<&'static SchemaFile> {
        let mut later = SCHEMAS.iter().enumerate().filter(|(index, _)| self.later & (1 << index) != 0);
        later.find(|(_, file)| file.namespace == namespace).map(|(_, file)| file)
    }
}

/// One bit for each file that passes.
fn bits(passes: impl Fn(&SchemaFile) -> bool) -> u64 {
    SCHEMAS.iter().enumerate().fold(0, |bits, (index, file)| bits | u64::from(passes(file)) << index)
}

impl SchemaFile {
    /// The version of Oozie that brought it.
    pub fn since(&self) -> Version {
        versions::of_schema(self.name)
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
