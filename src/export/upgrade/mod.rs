//! Applications of 2009 as applications of workflow 1.0: a definition written anew, element by element, with all that is
//! not the same as findings. What has no counterpart refuses the whole application.

mod actions;
mod defaults;
mod expressions;
mod losses;
mod markup;
mod names;

use std::collections::{BTreeMap, BTreeSet};

use self::actions::whole;
use self::expressions::{Exits, Words};
use self::losses::{loss, refused};
use self::markup::{Edits, escaped_attribute, translated};
use self::names::Names;
use crate::diag::{Diagnostic, Severity};
use crate::model::Workflow;
use crate::model::workflow::{Node, NodeKind};
use crate::source::Text;
use crate::xml::Element;

/// The namespace of what is written.
const NAMESPACE: &str = "uri:oozie:workflow:1.0";

/// A file that was read.
#[derive(Clone, Copy, Debug)]
pub struct Read<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its root.
    pub root: &'a Element,
}

/// An application of 2009.
#[derive(Debug)]
pub struct App<'a> {
    /// The text of its definition.
    pub text: &'a str,
    /// The root of its definition.
    pub root: &'a Element,
    /// Its definition.
    pub model: &'a Workflow,
    /// `configuration.xml`.
    pub defaults: Option<Read<'a>>,
    /// The files that `job-xml` names, by their paths in the package.
    pub files: BTreeMap<String, Read<'a>>,
}

/// What an application becomes.
#[derive(Debug, Default)]
pub struct Upgrade {
    /// The files that are written anew, by their paths; others stay as they are.
    pub files: BTreeMap<String, String>,
    /// The files that are there no more.
    pub gone: BTreeSet<String>,
    /// What is lost, and what refuses it.
    pub findings: Vec<Diagnostic>,
}

impl Upgrade {
    /// Whether something cannot be kept.
    pub fn is_refused(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }
}

/// An upgrade under way.
struct Upgrading<'a> {
    app: &'a App<'a>,
    words: Words<'a>,
    found: Vec<Diagnostic>,
    /// One step of indentation.
    unit: String,
    /// The indentation of the parts of the action that is being written.
    inner: String,
    /// The files that `job-xml` names.
    job_files: BTreeSet<String>,
    /// The node that stands in for missing transitions, once it is needed.
    missing: Option<String>,
}

/// Upgrades an application.
pub fn upgrade(app: &App<'_>) -> Upgrade {
    let names = Names::new(app.model);
    let exits = exits(app.model);
    let mut upgrading = Upgrading {
        app,
        words: Words { names: &names, exits: &exits },
        found: Vec::new(),
        unit: unit(app),
        inner: String::new(),
        job_files: BTreeSet::new(),
        missing: None,
    };
    let definition = upgrading.definition();
    let mut upgrade = Upgrade::default();
    upgrade.files.insert("workflow.xml".to_owned(), definition);
    upgrading.defaults(&mut upgrade);
    for path in std::mem::take(&mut upgrading.job_files) {
        if let Some(file) = app.files.get(&path) {
            upgrade.files.insert(path, defaults::job_file(file));
        }
    }
    upgrading.end_in_fork();
    upgrade.findings = upgrading.found;
    upgrade.findings.sort_by_key(|finding| (finding.severity != Severity::Error, finding.span.start));
    upgrade
}

/// Where actions lead.
fn exits(model: &Workflow) -> Exits {
    let text = |text: &Option<Text>| text.as_ref().map(|text| text.value.trim().to_owned());
    let exit = |node: &Node| match &node.kind {
        NodeKind::Action(action) => Some((node.name.value.clone(), [text(&action.ok), text(&action.error)])),
        _ => None,
    };
    model.nodes.iter().filter_map(exit).collect()
}

/// The indentation of the nodes, taken for one step.
fn unit(app: &App<'_>) -> String {
    let first = app.root.elements().next();
    let indent = first.map(|first| indent_of(app.text, first.span.start as usize)).unwrap_or_default();
    if indent.is_empty() { "  ".to_owned() } else { indent }
}

/// The blanks between the start of a line and a place.
fn indent_of(text: &str, at: usize) -> String {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let before = &text[line..at];
    if line > 0 && before.trim().is_empty() { before.to_owned() } else { String::new() }
}

impl Upgrading<'_> {
    fn definition(&mut self) -> String {
        let (app, unit) = (self.app, self.unit.clone());
        let root = app.root;
        let name = root.attribute("name").map(|name| name.value.value.trim().to_owned()).unwrap_or_default();
        let mut out = app.text[..root.span.start as usize].to_owned();
        out.push_str(&format!(
            "<workflow-app xmlns=\"{NAMESPACE}\" name=\"{}\">\n",
            escaped_attribute(&name)
        ));
        let place = |element: &Element| match element.name.local.as_str() {
            "start" => 0,
            "end" => 2,
            _ => 1,
        };
        let mut written: Vec<(u8, String)> = Vec::new();
        for element in root.elements() {
            let comments = self.comments_of(element, root, &unit);
            let node = app.model.nodes.iter().find(|node| node.tag_span == element.name_span);
            let Some(text) = node.and_then(|node| self.node(element, node)) else { continue };
            written.push((place(element), format!("{comments}{unit}{text}\n")));
        }
        if let Some(name) = &self.missing {
            let kill = format!(
                "{unit}<kill name=\"{name}\">\n{unit}{unit}<message>a transition is missing</message>\n{unit}</kill>\n"
            );
            written.push((1, kill));
        }
        written.sort_by_key(|(place, _)| *place);
        written.iter().for_each(|(_, text)| out.push_str(text));
        let last = root.elements().last().map_or(root.start_tag.end, |last| last.span.end) as usize;
        for comment in comments_in(&app.text[last..root.span.end as usize]) {
            out.push_str(&format!("{unit}{comment}\n"));
        }
        out.push_str("</workflow-app>");
        out.push_str(&app.text[root.span.end as usize..]);
        out
    }

    /// The comments before an element, a line each.
    fn comments_of(&self, element: &Element, parent: &Element, indent: &str) -> String {
        let start = element.span.start as usize;
        let before = parent.elements().take_while(|other| other.span.start < element.span.start).last();
        let from = before.map_or(parent.start_tag.end, |before| before.span.end) as usize;
        comments_in(&self.app.text[from.min(start)..start]).map(|it| format!("{indent}{it}\n")).collect()
    }

    /// The comments before a part of an action, each on its line before it.
    fn comments_before(&self, child: &Element) -> String {
        let start = child.span.start as usize;
        let before = &self.app.text[..start];
        // Back to the tag before; comments hold no tags of their own here.
        let mut from = start;
        loop {
            let trimmed = before[..from].trim_end();
            match trimmed.strip_suffix("-->").and_then(|rest| rest.rfind("<!--")) {
                Some(begin) => from = begin,
                None => break,
            }
        }
        comments_in(&before[from..]).map(|comment| format!("{comment}\n{}", self.inner)).collect()
    }

    /// A node without its indentation; `None` for what is no node.
    fn node(&mut self, element: &Element, node: &Node) -> Option<String> {
        let unit = self.unit.clone();
        let deep = format!("{unit}{unit}");
        let name = self.words.names.of(&node.name.value);
        if self.words.names.renames(&node.name.value) {
            let words = format!("the node is called `{name}`: its name does not fit workflow 1.0");
            self.found.push(loss(node.name.span, words));
        }
        let target =
            |to: &Option<Text>| to.as_ref().map_or(String::new(), |to| self.words.names.of(&to.value));
        Some(match &node.kind {
            NodeKind::Start { to } => format!("<start to=\"{}\"/>", target(to)),
            NodeKind::End => format!("<end name=\"{name}\"/>"),
            NodeKind::Kill { message, .. } => {
                self.found
                    .push(loss(element.name_span, "the job ends as KILLED in workflow 1.0, not as FAILED"));
                let text = match message {
                    Some(message) => translated(message, &self.words, &mut self.found),
                    None => String::new(),
                };
                let text = markup::escaped(&text);
                format!("<kill name=\"{name}\">\n{deep}<message>{text}</message>\n{unit}</kill>")
            }
            NodeKind::Fork { paths } => {
                let paths: String = paths
                    .iter()
                    .map(|path| format!("{deep}<path start=\"{}\"/>\n", self.words.names.of(&path.value)))
                    .collect();
                format!("<fork name=\"{name}\">\n{paths}{unit}</fork>")
            }
            NodeKind::Join { to } => format!("<join name=\"{name}\" to=\"{}\"/>", target(to)),
            NodeKind::Decision { default, .. } => {
                let default = target(default);
                self.decision(element, &name, &default, node)
            }
            NodeKind::Action(action) => {
                let ok = self.exit(element, &action.ok, "OK");
                let error = self.exit(element, &action.error, "ERROR");
                let body = self.action(element, action, &deep);
                format!(
                    "<action name=\"{name}\">\n{body}\n{deep}<ok to=\"{ok}\"/>\n{deep}<error to=\"{error}\"/>\n{unit}</action>"
                )
            }
        })
    }

    /// Where an exit state leads; one that is missing leads to a kill node of its own.
    fn exit(&mut self, element: &Element, to: &Option<Text>, state: &str) -> String {
        if let Some(to) = to {
            return self.words.names.of(&to.value);
        }
        let words = format!("the missing transition `{state}` leads to a kill node");
        self.found.push(loss(element.name_span, words));
        let model = self.app.model;
        let names = self.words.names;
        self.missing.get_or_insert_with(|| names.unused("missing-transition", model)).clone()
    }

    fn decision(&mut self, element: &Element, name: &str, default: &str, node: &Node) -> String {
        let NodeKind::Decision { cases, .. } = &node.kind else { return String::new() };
        let unit = self.unit.clone();
        let (two, three) = (unit.repeat(2), unit.repeat(3));
        self.found.push(loss(element.name_span, "workflow 1.0 has no names for what a decision finds"));
        if cases.len() > 1 {
            let words =
                "every predicate must have a value in workflow 1.0, also those behind the first that is true";
            self.found.push(loss(element.name_span, words));
        }
        let named: BTreeSet<String> = element
            .elements()
            .filter(|it| matches!(it.name.local.as_str(), "eval" | "default"))
            .filter_map(|it| it.attribute("name").map(|name| name.value.value.trim().to_owned()))
            .collect();
        let mut out = format!("<decision name=\"{name}\">\n{two}<switch>\n");
        let evals = element.elements().filter(|child| child.name.local == "eval");
        for (eval, case) in evals.zip(cases) {
            out.push_str(&self.comments_of(eval, element, &three));
            let to = case.to.as_ref().map_or(String::new(), |to| self.words.names.of(&to.value));
            let mut edits = Edits::of(self.app.text);
            if let Some(text) = self.words.rewrite(&case.predicate, &mut self.found) {
                edits.replace_text(eval, &text);
            }
            let whole = edits.applied(eval.span.range());
            let inner = &whole[(eval.start_tag.end - eval.start_tag.start) as usize..];
            let inner = inner.rfind("</").map_or("", |end| &inner[..end]);
            out.push_str(&format!("{three}<case to=\"{to}\">{inner}</case>\n"));
        }
        for child in element.elements() {
            match child.name.local.as_str() {
                "default" => {
                    out.push_str(&self.comments_of(child, element, &three));
                    out.push_str(&format!("{three}<default to=\"{default}\"/>\n"));
                }
                "transition" => {
                    let own = child.attribute("name").map(|name| name.value.value.trim());
                    if own.is_some_and(|own| !named.contains(own)) {
                        self.found.push(loss(child.name_span, "a transition that nothing names is left out"));
                    }
                }
                _ => {}
            }
        }
        out.push_str(&format!("{two}</switch>\n{unit}</decision>"));
        out
    }

    /// An `end` within a fork is refused by the later dialect, whose join would wait.
    fn end_in_fork(&mut self) {
        let nodes = &self.app.model.nodes;
        let index: BTreeMap<&str, usize> =
            nodes.iter().enumerate().map(|(at, node)| (node.name.value.as_str(), at)).collect();
        let start = nodes.iter().position(|node| matches!(node.kind, NodeKind::Start { .. }));
        let mut open: Vec<(usize, usize)> = start.map(|start| (start, 0)).into_iter().collect();
        let mut seen = BTreeSet::new();
        let mut ends = BTreeSet::new();
        while let Some((at, depth)) = open.pop() {
            if depth > nodes.len() || !seen.insert((at, depth)) {
                continue;
            }
            let (targets, depth): (Vec<&Text>, usize) = match &nodes[at].kind {
                NodeKind::Start { to } => (to.iter().collect(), depth),
                NodeKind::End => {
                    if depth > 0 {
                        ends.insert(at);
                    }
                    continue;
                }
                NodeKind::Kill { .. } => continue,
                NodeKind::Decision { cases, default, .. } => {
                    (cases.iter().filter_map(|case| case.to.as_ref()).chain(default).collect(), depth)
                }
                NodeKind::Fork { paths } => (paths.iter().collect(), depth + 1),
                NodeKind::Join { to } => (to.iter().collect(), depth.saturating_sub(1)),
                NodeKind::Action(action) => (action.ok.iter().chain(&action.error).collect(), depth),
            };
            open.extend(targets.iter().filter_map(|to| Some((*index.get(to.value.trim())?, depth))));
        }
        for end in ends {
            let words = "an `end` that a branch of a fork reaches is not allowed in workflow 1.0 (E0737)";
            self.found.push(refused(nodes[end].tag_span, words).help("lead the branch to the join"));
        }
        if start.is_none() {
            self.found.push(refused(whole(self.app), "the definition has no start"));
        }
    }
}

/// The comments of a stretch between two elements, with their marks.
fn comments_in(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find("<!--")?;
        let end = rest[start..].find("-->").map_or(rest.len(), |end| start + end + 3);
        let comment = &rest[start..end];
        rest = &rest[end..];
        Some(comment)
    })
}
