//! A name that is missing, and where it stands in another way: misspelt, in a comment, run together with its value.
//!
//! What misses a name is told where it is asked for. Whoever has to mend it looks for the place that should give it,
//! which may be another file; so the finding points there too, wherever something nearly says the name and nothing
//! asks for what it says.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::analysis::expressions::{self, names_used};
use crate::analysis::parameters::PROPERTY_REFERENCE;
use crate::analysis::properties::{self, Origin};
use crate::diag::{Diagnostic, Label, Severity, SubjectKind, closest};
use crate::model::coordinator::{Datasets, LogicNode};
use crate::model::{App, Parameter};
use crate::schema::Version;
use crate::source::{FileId, Span, Text};
use crate::xml::{Element, Node};

/// Rules that miss a name.
const MISSES: &[&str] = &[
    "action-subworkflow-config",
    "data-event-unknown",
    "dataset-undefined",
    "dataset-uri-variable",
    "el-conf-unknown",
    "el-node-unknown",
    "input-logic-invalid",
    "parameter-undefined",
    "property-reference",
    "transition-unknown",
];

/// Whether a finding misses the name that it is about.
pub fn misses(finding: &Diagnostic) -> bool {
    let is_told = finding.severity != Severity::Info || finding.rule.name == PROPERTY_REFERENCE.name;
    is_told && finding.subject.is_some() && MISSES.contains(&finding.rule.name)
}

/// What a program says of names: which ones it gives and which it asks for.
#[derive(Debug, Default)]
pub struct Names<'a> {
    given: Vec<(SubjectKind, String, Span)>,
    asked: BTreeSet<String>,
    datasets: BTreeSet<&'a str>,
    comments: Vec<&'a Text>,
    files: Vec<(FileId, &'a str)>,
}

impl<'a> Names<'a> {
    /// Takes in a property that something gives.
    pub fn property(&mut self, name: &str, value: &str, span: Option<Span>) {
        self.given.extend(span.map(|span| (SubjectKind::Parameter, name.to_owned(), span)));
        if value.contains("${") {
            self.asked.extend(expressions::words(value).map(str::to_owned));
        }
    }

    /// Takes in texts of properties files.
    pub fn files(&mut self, files: impl IntoIterator<Item = (FileId, &'a str)>) {
        for (file, text) in files {
            if !self.files.iter().any(|(known, _)| *known == file) {
                self.files.push((file, text));
            }
        }
    }

    /// Takes in a definition.
    pub fn app(&mut self, app: &'a App, root: Option<&'a Element>) {
        self.asked.extend(names_used(&expressions::of_app(app, Version::default())));
        // What is handed to a child; what runs on the cluster reads properties that no expression names.
        for list in properties::of_app(app).iter().filter(|list| list.origin == Origin::Child) {
            self.give(SubjectKind::Parameter, list.list.iter().map(|property| &property.name));
        }
        match app {
            App::Bundle(app) => self.formal(&app.parameters),
            App::Coordinator(app) => {
                self.formal(&app.parameters);
                self.defined(&app.datasets);
                let inputs = app.inputs.iter().map(|event| (&event.name, &event.dataset));
                let outputs = app.outputs.iter().map(|event| (&event.name, &event.dataset));
                for (name, dataset) in inputs.chain(outputs) {
                    self.give(SubjectKind::Event, name);
                    self.datasets.extend(dataset.iter().map(|it| it.value.trim()));
                }
                let mut open: Vec<&LogicNode> = app.input_logic.iter().flat_map(|it| &it.operands).collect();
                while let Some(node) = open.pop() {
                    self.asked.extend(node.dataset.iter().map(|it| it.value.trim().to_owned()));
                    open.extend(&node.operands);
                }
            }
            App::Workflow(app) => self.formal(&app.parameters),
            App::Datasets(datasets) => self.defined(datasets),
        }
        let mut open: Vec<&Element> = root.into_iter().collect();
        while let Some(element) = open.pop() {
            for child in &element.children {
                match child {
                    Node::Comment(text) => self.comments.push(text),
                    Node::Element(child) => open.push(child),
                    Node::Text(_) => {}
                }
            }
        }
    }

    fn formal(&mut self, parameters: &[Parameter]) {
        self.give(SubjectKind::Parameter, parameters.iter().map(|parameter| &parameter.name));
    }

    fn defined(&mut self, datasets: &Datasets) {
        self.give(SubjectKind::Dataset, datasets.datasets.iter().filter_map(|dataset| dataset.name.as_ref()));
    }

    fn give<'t>(&mut self, kind: SubjectKind, names: impl IntoIterator<Item = &'t Text>) {
        self.given.extend(names.into_iter().map(|name| (kind, name.value.trim().to_owned(), name.span)));
    }

    /// Whether something asks for it.
    fn is_asked(&self, kind: SubjectKind, name: &str) -> bool {
        match kind {
            SubjectKind::Dataset => self.datasets.contains(name),
            _ => self.asked.contains(name),
        }
    }

    /// What gives nearly this name, and nothing asks for.
    fn nearly(&self, kind: SubjectKind, name: &str) -> Option<(&str, Span)> {
        let fits = |(of, other, _): &&(SubjectKind, String, Span)| {
            *of == kind && other != name && !self.is_asked(kind, other)
        };
        let candidates = || self.given.iter().filter(fits).map(|(_, other, _)| other.as_str());
        let near =
            closest(name, candidates()).or_else(|| candidates().find(|other| is_longer(other, name)))?;
        self.given.iter().find(|(of, other, _)| *of == kind && other == near).map(|it| (near, it.2))
    }

    /// Where a comment gives the name.
    fn in_comment(&self, name: &str) -> Option<Span> {
        let ways = [format!("name=\"{name}\""), format!("name='{name}'"), format!("<name>{name}</name>")];
        self.comments.iter().find_map(|text| {
            let (at, way) = ways.iter().find_map(|way| Some((text.value.find(way.as_str())?, way)))?;
            Some(text.span_of(at..at + way.len()))
        })
    }

    /// The place that was to give the name, in words.
    fn place(&self, kind: SubjectKind, name: &str) -> Option<(Option<&str>, Label)> {
        if let Some((near, span)) = self.nearly(kind, name) {
            let message = match kind {
                SubjectKind::Parameter => format!("`{near}` is given here, and nothing reads it"),
                SubjectKind::Dataset => format!("`{near}` is defined here, and no event names it"),
                _ => format!("`{near}` is defined here, and nothing asks for it"),
            };
            return Some((Some(near), Label { span, message }));
        }
        if let Some(span) = self.in_comment(name) {
            return Some((None, Label { span, message: format!("`{name}` stands in a comment here") }));
        }
        if kind != SubjectKind::Parameter {
            return None;
        }
        self.files.iter().find_map(|(file, text)| {
            let (range, message) = mention(text, name)?;
            Some((None, Label { span: Span::new(*file, range), message }))
        })
    }
}

/// The names that definitions give to themselves and to what they lead to.
pub fn names_given<'a>(apps: impl Iterator<Item = &'a App>) -> impl Iterator<Item = String> {
    let names = |app: &'a App| {
        let mut names = Names::default();
        names.app(app, None);
        names.given.into_iter().map(|(_, name, _)| name)
    };
    apps.flat_map(names)
}

/// Lets findings that miss a name point at the place that nearly gives it.
pub fn point_at(findings: &mut [Diagnostic], names: &Names<'_>) {
    for finding in findings.iter_mut().filter(|finding| misses(finding)) {
        let Some(subject) = finding.subject.clone() else { continue };
        let Some((near, label)) = names.place(subject.kind, &subject.name) else { continue };
        if label.span == finding.span || finding.labels.iter().any(|known| known.span == label.span) {
            continue;
        }
        if let Some(near) = near.filter(|_| finding.meant.is_none()) {
            let more = finding.help.take();
            let more = more.map_or_else(String::new, |help| format!(" Else {help}"));
            finding.help = Some(format!("did you mean `{near}`?{more}"));
            finding.meant = Some(near.to_owned());
        }
        finding.labels.insert(0, label);
        // What may be left to the command line is not, where the file tries to give it.
        finding.severity = finding.severity.min(Severity::Warning);
    }
}

/// Whether a name is another one with something before it: `my.user`, `//user`.
fn is_longer(longer: &str, name: &str) -> bool {
    name.len() > 1
        && longer
            .strip_suffix(name)
            .is_some_and(|head| head.ends_with(|c: char| !c.is_alphanumeric() && c != '_'))
}

/// Where a properties file speaks of a name without giving it, and how.
fn mention(text: &str, name: &str) -> Option<(Range<usize>, String)> {
    let (mut start, mut is_continued) = (0, false);
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        let written = line.trim_end_matches(['\n', '\r']);
        let was_continued = is_continued;
        let is_comment = !was_continued && written.trim_start().starts_with(['#', '!']);
        let ends = written.len() - written.trim_end_matches('\\').len();
        is_continued = !is_comment && ends % 2 == 1;
        let Some((head, tail)) = written.split_once(name) else { continue };
        let range = at + head.len()..at + head.len() + name.len();
        let is_whole = !head.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_given = tail.trim_start_matches([' ', '\t']).starts_with(['=', ':']);
        let blank = head.trim().is_empty();
        if is_comment && is_given && head.chars().all(|c| !c.is_alphanumeric()) {
            return Some((range, format!("`{name}` stands in a comment here")));
        }
        if was_continued && is_given && blank {
            let message = format!("`{name}` belongs to the value before it: the line above ends in `\\`");
            return Some((range, message));
        }
        if !is_comment && is_given && is_whole && !blank && !head.contains(['=', ':']) {
            return Some((range, format!("`{}` stands before the name here", head.trim())));
        }
        if !is_comment && blank && !is_given && !written.contains('=') && !tail.is_empty() {
            return Some((range, format!("`=` is missing behind `{name}` here")));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_speak_of_names_in_several_ways() {
        let check = |text: &str, name: &str, expected: Option<&str>| {
            let found = mention(text, name);
            assert_eq!(found.as_ref().map(|(_, words)| words.as_str()), expected, "{text}");
            assert!(found.is_none_or(|(range, _)| &text[range] == name));
        };
        check("a=1\n# user = x\n", "user", Some("`user` stands in a comment here"));
        check("# the user: see below\n", "user", None);
        check(
            "a=1\\\nuser=x\n",
            "user",
            Some("`user` belongs to the value before it: the line above ends in `\\`"),
        );
        check("a=1\\\\\nuserx\n", "user", Some("`=` is missing behind `user` here"));
        check("//user=x\n", "user", Some("`//` stands before the name here"));
        check("export user=x\n", "user", Some("`export` stands before the name here"));
        check("userhdfs://nn:8020\n", "user", Some("`=` is missing behind `user` here"));
        check("url=jdbc;user=x\n", "user", None);
        check("superuser=x\n", "user", None);
        check("userName=x\n", "user", None);
    }

    #[test]
    fn a_longer_name_ends_in_the_other() {
        assert!(is_longer("my.user", "user"));
        assert!(is_longer("//user", "user"));
        assert!(!is_longer("superuser", "user"));
        assert!(!is_longer("my_user", "user"));
        assert!(!is_longer("user", "user"));
    }
}
