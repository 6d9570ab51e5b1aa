//! A node has a name that the server does not accept.
//!
//! A name begins with a letter or `_`, goes on with letters, digits, `_` and `-`, and is at most 128 characters long, 50
//! before Oozie 4.3 (else E0724, for nodes that start reaches). Only letters from A to Z count.
//!
//! Other characters are refused by the schema (E0701): the finding is then a `schema-violation` with this rule's way out,
//! and only where that is switched off this rule's own. Either name chooses it in `ankus.toml`, and a comment that allows
//! either allows it.

use super::{Check, Rule, Sink};
use crate::analysis::flow::server::name_fits_pattern;
use crate::analysis::flow::{Flow, Kind, NodeId};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity, Stage};
use crate::model::Dialect;
use crate::source::Span;
use std::collections::BTreeMap;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "node-name-invalid",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0724"],
        explanation: include_str!("node_name_invalid.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    if app.model.dialect == Dialect::Hws {
        return check_plain(app, sink);
    }
    let flow = &app.flow.flow;
    let longest = app.values.version.longest_node_name();
    let mut incoming: Option<BTreeMap<NodeId, Vec<Span>>> = None;
    for id in flow.ids().filter(|id| flow.kind(*id) != Kind::Start) {
        let node = flow.node(id);
        let name = node.name.value.as_str();
        if name.is_empty() && node.name.span == node.tag_span {
            continue; // There is no attribute; the schema says so.
        }
        let finding = if name.is_empty() {
            Diagnostic::new(&RULE.info, node.name.span, "the name of a node is empty").oozie(&["E0701"])
        } else if !name_fits_pattern(name) {
            Diagnostic::new(&RULE.info, node.name.span, format!("`{name}` is not a name for a node"))
                .oozie(&["E0701"])
                .help("begin with a letter or `_` and go on with letters, digits, `_` and `-`")
        } else if name.len() > longest {
            let message = format!("the name of this {} has {} characters", node.kind, name.len());
            let finding = Diagnostic::new(&RULE.info, node.name.span, message)
                .help(format!("shorten it to {longest} characters"));
            app.flow.weigh(id, finding)
        } else {
            continue;
        };
        let incoming = incoming.get_or_insert_with(|| transitions_by_target(flow));
        sink.push(with_fix(finding, flow, id, incoming, longest));
    }
}

/// Where each node's name is written in transitions.
fn transitions_by_target(flow: &Flow<'_>) -> BTreeMap<NodeId, Vec<Span>> {
    let mut places: BTreeMap<NodeId, Vec<Span>> = BTreeMap::new();
    for (_, edge) in flow.ids().flat_map(|id| flow.edges(id)) {
        if let Some(target) = edge.target {
            places.entry(target).or_default().push(edge.to.span);
        }
    }
    places
}

/// Offers the nearest good name, unless another node has it. Expressions may name the node too, so it is not safe.
fn with_fix(
    finding: Diagnostic,
    flow: &Flow<'_>,
    id: NodeId,
    places: &BTreeMap<NodeId, Vec<Span>>,
    longest: usize,
) -> Diagnostic {
    let name = &flow.node(id).name;
    let good = good_name(&name.value, longest);
    if good.is_empty() || flow.find(&good).is_some() || flow.find(&name.value) != Some(id) {
        return finding;
    }
    let spans = std::iter::once(name.span).chain(places.get(&id).into_iter().flatten().copied());
    let edits = spans.map(|span| Edit { span, text: good.clone() }).collect();
    finding.fix(false, edits)
}

/// The name with `_` for every character that is not allowed, and cut to the length.
fn good_name(name: &str, longest: usize) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let mut good: String = name.chars().map(allowed).collect();
    if good.starts_with(|c: char| !c.is_ascii_alphabetic() && c != '_') {
        good.insert(0, '_');
    }
    good.truncate(longest);
    good
}

/// In a `hadoop-workflow` names have no pattern; they are not empty, and blanks around them would be lost on a reader.
fn check_plain(app: &Workflow<'_>, sink: &mut Sink) {
    let flow = &app.flow.flow;
    let of_nodes = flow.ids().filter(|id| flow.kind(*id) != Kind::Start).map(|id| {
        let node = flow.node(id);
        (node.name, node.tag_span, "a node")
    });
    let own = app.model.name.iter().map(|name| (name, app.model.name_span, "the workflow"));
    for (name, tag, whose) in own.chain(of_nodes) {
        if name.value.is_empty() && name.span == tag {
            continue; // There is no attribute; the schema says so.
        }
        let trimmed = name.value.trim();
        if trimmed.is_empty() {
            let message = format!("the name of {whose} is empty");
            sink.push(Diagnostic::new(&RULE.info, name.span, message).help("give it a name"));
        } else if trimmed.len() != name.value.len() {
            let message = format!("blanks stand around the name `{trimmed}`");
            sink.push(
                Diagnostic::new(&RULE.info, name.span, message).help("remove them, in transitions too"),
            );
        }
    }
}
