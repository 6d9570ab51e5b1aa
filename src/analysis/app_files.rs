//! The files beside a workflow: which ones its actions name by a relative path, and which of them there are.
//!
//! Nothing is read here. The shell looks for what [`references`] names and hands the answer in as [`AppFiles`].

use std::collections::BTreeSet;

use super::actions::{self, ActionNode, Start};
use super::flow::Facts;
use super::templates::Place;
use super::values::Values;
use crate::model::action::Details;
use crate::model::workflow::{NodeKind, Workflow};
use crate::source::{Span, Text};

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// The script of a pig, hive or hive2 action.
    Script,
    /// A configuration file.
    JobXml,
    /// A file that is put into the working directory.
    File,
    /// An archive that is unpacked there.
    Archive,
}

impl Use {
    /// The element that names it.
    pub fn element(self) -> &'static str {
        match self {
            Use::Script => "script",
            Use::JobXml => "job-xml",
            Use::File => "file",
            Use::Archive => "archive",
        }
    }
}

/// A relative path that an action names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The node of the action, by its index; `None` in `global`.
    pub node: Option<usize>,
    /// The type of the action; empty in `global`.
    pub kind: String,
    /// What it is for.
    pub use_of: Use,
    /// The path, relative to the app's folder, without what stands behind `#`.
    pub path: String,
    /// Where it stands.
    pub span: Span,
}

/// What the app's folder holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppFiles {
    /// Files in and below the folder, by relative path with `/` between, as far as they were listed.
    pub files: BTreeSet<String>,
    /// All of them are in the list.
    pub is_whole: bool,
}

impl AppFiles {
    /// Whether there is a file of this path.
    pub fn holds(&self, path: &str) -> bool {
        self.files.contains(path)
    }
}

/// A relative path without `.` steps; `None` when it leads out of the folder or is none.
pub fn normal(path: &str) -> Option<String> {
    let steps: Vec<&str> = path.split('/').filter(|step| !step.is_empty() && *step != ".").collect();
    (!steps.is_empty() && !steps.contains(&"..")).then(|| steps.join("/"))
}

/// Every relative path that the actions of a workflow name and that is known, in order.
///
/// `JavaActionExecutor.addToCache` and `parseJobXmlAndConfiguration` look for those in the app's folder.
pub fn references(workflow: &Workflow, values: &Values) -> Vec<Reference> {
    let mut found = Vec::new();
    if let Some(global) = &workflow.global {
        for text in &global.job_xml {
            found.extend(one(None, "", Use::JobXml, text, values));
        }
    }
    for (index, node) in workflow.nodes.iter().enumerate() {
        let NodeKind::Action(action) = &node.kind else { continue };
        let Some(body) = &action.body else { continue };
        let kind = body.kind.as_str();
        let details = body.details();
        let mut add = |use_of: Use, text: &Text| found.extend(one(Some(index), kind, use_of, text, values));
        let script = match &details {
            Details::Pig(script) | Details::Hive(script) => script.script.as_ref(),
            Details::Hive2(hive) => hive.script.script.as_ref(),
            Details::Fs(fs) => {
                fs.job_xml.iter().for_each(|text| add(Use::JobXml, text));
                None
            }
            _ => None,
        };
        script.into_iter().for_each(|text| add(Use::Script, text));
        if let Some(job) = details.job() {
            job.job_xml.iter().for_each(|text| add(Use::JobXml, text));
            job.files.iter().for_each(|text| add(Use::File, text));
            job.archives.iter().for_each(|text| add(Use::Archive, text));
        }
    }
    found
}

/// The paths of one element; `file` and `archive` may hold several with commas between.
fn one(node: Option<usize>, kind: &str, use_of: Use, text: &Text, values: &Values) -> Vec<Reference> {
    let Some(value) = values.trimmed(text, Place::WorkflowNode) else { return Vec::new() };
    let is_list = matches!(use_of, Use::File | Use::Archive);
    let parts: Vec<&str> = if is_list { value.split(',').collect() } else { vec![&value] };
    let relative = |part: &&str| {
        let text = Text::computed(*part, text.span);
        actions::start(&text) == Start::Name && !part.contains("${")
    };
    parts
        .into_iter()
        .filter(relative)
        .filter_map(|part| {
            let path = part.split('#').next().unwrap_or_default().trim();
            let path = normal(path)?;
            let span = text.trimmed().span;
            Some(Reference { node, kind: kind.to_owned(), use_of, path, span })
        })
        .collect()
}

/// Whether a workflow names any file that may lie in its folder, so that looking is worth while: scripts of shell
/// actions too.
pub fn names_any(workflow: &Workflow) -> bool {
    workflow.global.as_ref().is_some_and(|global| !global.job_xml.is_empty())
        || workflow.nodes.iter().any(|node| match &node.kind {
            NodeKind::Action(action) => action.body.as_ref().is_some_and(|body| {
                let names = |element: &crate::xml::Element| {
                    matches!(
                        &*element.name.local,
                        "script" | "job-xml" | "file" | "archive" | "exec" | "jar" | "streaming"
                    )
                };
                body.element.elements().any(names)
            }),
            _ => false,
        })
}

/// The names under which the `file` elements of an action put files into its working directory, and whether one of
/// them cannot be known.
pub fn shipped(action: &ActionNode<'_>, values: &Values) -> (BTreeSet<String>, bool) {
    let mut names = BTreeSet::new();
    let mut is_open = false;
    let Some(job) = action.details.job() else { return (names, is_open) };
    for text in job.files.iter().chain(&job.archives) {
        let known = values.trimmed(text, Place::WorkflowNode);
        // Behind `#` stands the name, whatever the path is.
        let value = known.unwrap_or_else(|| text.value.trim().to_owned());
        for part in value.split(',') {
            let name = part.rsplit(['#', '/']).next().unwrap_or_default().trim();
            is_open |= name.contains("${") || name.contains("#{") || name.contains('}');
            names.insert(name.to_owned());
        }
    }
    (names, is_open)
}

/// The nodes of a workflow by index, for references.
pub fn is_reached(flow: &Facts<'_>, node: Option<usize>) -> bool {
    node.is_none_or(|index| flow.reachable.get(index).copied().unwrap_or(true))
}
