//! Expressions of 2009 in the words of workflow 1.0: other names of functions, other arguments, and what has no counterpart.

use std::collections::BTreeMap;

use super::names::Names;
use crate::diag::Diagnostic;
use crate::el::{self, Binary, Engine, NodeId, NodeKind, Part, Template};
use crate::source::{Span, Text};

use super::losses::{loss, refused};

/// Where the transitions of an action lead, by its old name: OK, then ERROR, as the old definition names them.
pub(super) type Exits = BTreeMap<String, [Option<String>; 2]>;

/// What expressions are put in other words with.
pub(super) struct Words<'w> {
    pub(super) names: &'w Names,
    pub(super) exits: &'w Exits,
}

/// Functions that are the same under another name.
const RENAMED: &[(&str, &str, &str)] = &[
    ("wf", "appName", "wf:name"),
    ("wf", "errorNode", "wf:lastErrorNode"),
    ("wf", "recovery", "wf:run"),
    ("wf", "errorCode", "wf:errorCode"),
    ("wf", "errorMessage", "wf:errorMessage"),
    ("hadoop", "jobId", "wf:actionExternalId"),
    ("hadoop", "jobTracker", "wf:actionTrackerUri"),
    ("hadoop", "jobStatus", "wf:actionExternalStatus"),
    ("hadoop", "jobCounters", "hadoop:counters"),
    ("hadoop", "counters", "hadoop:counters"),
];

/// Functions of files that take a file system and a path there and one path here.
const OF_FILES: &[&str] = &["exists", "isDir", "dirSize", "fileSize", "blockSize"];

/// Functions whose argument is the name of a node.
const OF_NODES: &[(&str, &str)] =
    &[("wf", "errorCode"), ("wf", "errorMessage"), ("hadoop", "jobId"), ("hadoop", "jobTracker")];

/// The same, and others that are written anew.
fn takes_node(prefix: &str, name: &str) -> bool {
    OF_NODES.contains(&(prefix, name)) || matches!((prefix, name), ("hadoop", _) | ("action", "output"))
}

/// One text on its way.
struct Rewriting<'w> {
    words: &'w Words<'w>,
    template: &'w Template,
    found: Vec<Diagnostic>,
}

impl Words<'_> {
    /// A text in the other words; `None`: it stays as it is.
    pub(super) fn rewrite(&self, text: &Text, found: &mut Vec<Diagnostic>) -> Option<String> {
        if !text.value.contains(['$', '#']) {
            return None;
        }
        let (template, _) = el::parse_for(text, Engine::default());
        if template.broken.is_some() {
            found.push(refused(text.span, "an expression cannot be read"));
            return None;
        }
        let mut rewriting = Rewriting { words: self, template: &template, found: Vec::new() };
        let mut out = String::new();
        for part in &template.parts {
            match part {
                Part::Literal { range, .. } => out.push_str(&text.value[range.clone()]),
                Part::Expression { root, range, .. } => {
                    let inner = &text.value[range.start + 2..range.end - 1];
                    let node = &template.node(*root).range;
                    let (start, end) =
                        (node.start as usize - range.start - 2, node.end as usize - range.start - 2);
                    out.push_str("${");
                    out.push_str(&inner[..start]);
                    out.push_str(&rewriting.render(*root));
                    out.push_str(&inner[end..]);
                    out.push('}');
                }
            }
        }
        found.append(&mut rewriting.found);
        (out != text.value).then_some(out)
    }
}

impl Rewriting<'_> {
    fn span(&self, id: NodeId) -> Span {
        self.template.span(id)
    }

    fn source(&self, id: NodeId) -> &str {
        let range = &self.template.node(id).range;
        &self.template.text.value[range.start as usize..range.end as usize]
    }

    fn literal(&self, id: NodeId) -> Option<&str> {
        match &self.template.node(id).kind {
            NodeKind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The source of a node with other texts for some of those in it.
    fn spliced(&self, id: NodeId, mut parts: Vec<(NodeId, String)>) -> String {
        parts.sort_by_key(|(part, _)| self.template.node(*part).range.start);
        let start = self.template.node(id).range.start;
        let source = self.source(id);
        let (mut out, mut done) = (String::new(), 0);
        for (part, text) in parts {
            let range = &self.template.node(part).range;
            out.push_str(&source[done..(range.start - start) as usize]);
            out.push_str(&text);
            done = (range.end - start) as usize;
        }
        out.push_str(&source[done..]);
        out
    }

    fn render(&mut self, id: NodeId) -> String {
        let template = self.template;
        match &template.node(id).kind {
            NodeKind::Call { prefix, name, arguments } => self.call(id, prefix, name, arguments),
            NodeKind::Binary(Binary::Equal | Binary::NotEqual, left, right) => {
                match self.exit_compared(*left, *right).or_else(|| self.exit_compared(*right, *left)) {
                    Some(parts) => self.spliced(id, parts),
                    None => self.within(id, &[*left, *right]),
                }
            }
            NodeKind::Binary(_, left, right) => self.within(id, &[*left, *right]),
            NodeKind::Unary(_, operand) => self.within(id, &[*operand]),
            NodeKind::Choice { condition, yes, no } => self.within(id, &[*condition, *yes, *no]),
            NodeKind::Property { base, key, .. } => self.within(id, &[*base, *key]),
            // A server reads expressions in definitions that were written again, with `&quot;` for each `"`.
            NodeKind::String(text) if self.source(id).starts_with('"') => quoted(text),
            _ => self.source(id).to_owned(),
        }
    }

    fn within(&mut self, id: NodeId, parts: &[NodeId]) -> String {
        let parts = parts.iter().map(|part| (*part, self.render(*part))).collect();
        self.spliced(id, parts)
    }

    /// `wf:exitState('n') == 'OK'`: where the node went says the same, if its two transitions lead apart.
    fn exit_compared(&self, call: NodeId, word: NodeId) -> Option<Vec<(NodeId, String)>> {
        let NodeKind::Call { prefix, name, arguments } = &self.template.node(call).kind else { return None };
        if !is_exit_state(prefix, name) {
            return None;
        }
        let at = match self.literal(word)? {
            "OK" => 0,
            "ERROR" => 1,
            _ => return None,
        };
        let node = self.literal(*arguments.first()?)?;
        let [ok, error] = self.words.exits.get(node)?;
        if ok == error {
            return None;
        }
        let target = if at == 0 { ok } else { error };
        let target = self.words.names.of(target.as_deref()?);
        let node = self.words.names.of(node);
        Some(vec![(call, format!("wf:transition({})", quoted(&node))), (word, quoted(&target))])
    }

    fn call(&mut self, id: NodeId, prefix: &str, name: &str, arguments: &[NodeId]) -> String {
        let span = self.span(id);
        if is_exit_state(prefix, name) {
            let words = "`wf:exitState` has a counterpart only where a literal node is compared with `'OK'` or `'ERROR'` and its \
                         two transitions lead to different nodes";
            self.found.push(refused(span, words));
        }
        if (prefix, name) == ("wf", "callback") {
            self.found.push(refused(span, "no action of workflow 1.0 waits for a callback"));
        }
        let of_node = takes_node(prefix, name);
        let rendered: Vec<String> = arguments
            .iter()
            .enumerate()
            .map(|(at, argument)| match self.literal(*argument) {
                Some(node) if of_node && at == 0 => quoted(&self.words.names.of(node)),
                _ => self.render(*argument),
            })
            .collect();
        if let Some((.., other)) = RENAMED.iter().find(|(p, n, _)| (*p, *n) == (prefix, name)) {
            if name == "jobStatus" {
                self.found
                    .push(loss(span, "a job that failed has the state `FAILED/KILLED` in workflow 1.0"));
            }
            return format!("{other}({})", rendered.join(", "));
        }
        match (prefix, name, &rendered[..]) {
            ("", "concat", [first, second, third]) => format!("concat(concat({first}, {second}), {third})"),
            ("", "timestamp", []) => {
                self.found.push(loss(span, "`timestamp()` has no seconds in workflow 1.0"));
                "timestamp()".to_owned()
            }
            ("hdfs", name, [system, path]) if OF_FILES.contains(&name) => {
                if name == "fileSize" {
                    self.found.push(loss(span, "the size of a folder is 0 in workflow 1.0, not -1"));
                }
                format!("fs:{name}(concat({system}, {path}))")
            }
            ("hdfs", "size", [path]) => {
                format!("(fs:isDir({path}) ? fs:dirSize({path}) : fs:fileSize({path}))")
            }
            ("action", "output", [node, key]) => format!("wf:actionData({node})[{key}]"),
            _ => {
                let parts = arguments.iter().copied().zip(rendered.iter().cloned()).collect();
                self.spliced(id, parts)
            }
        }
    }
}

fn is_exit_state(prefix: &str, name: &str) -> bool {
    prefix == "wf" && matches!(name, "exitState" | "nodeStatus")
}

/// A text between quotes.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
