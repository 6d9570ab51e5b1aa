//! The control flow of a workflow as a graph.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::model::{Direction, Edge, Graph, Kind, Line, Mark, Node};
use super::text;
use crate::analysis::flow::{self, EdgeId, Facts, NodeId, Role};
use crate::model::Workflow;
use crate::model::action::Details;
use crate::model::workflow::NodeKind;

/// Draws a workflow. `resolve` puts values into the application path of a sub-workflow, as far as they are known.
pub fn graph(workflow: &Workflow, facts: &Facts<'_>, resolve: &dyn Fn(&str) -> String) -> Graph {
    let flow = &facts.flow;
    let mut nodes: Vec<Node> = flow.ids().map(|id| node(workflow, facts, id, resolve)).collect();
    for (first, again) in flow.duplicates() {
        nodes[again.index()].marks.push(Mark::Duplicate);
        let about =
            format!("another `{}` stands before it, and every transition leads there", flow.name(*first));
        add_line(&mut nodes[again.index()].about, &text::short(&about, text::MAX_ABOUT_COLUMNS));
    }
    let in_loop: BTreeSet<EdgeId> = facts.loops.iter().flatten().copied().collect();
    let mut missing: IndexMap<&str, usize> = IndexMap::new();
    let mut edges = Vec::with_capacity(flow.edge_count());
    for from in flow.ids() {
        for (id, edge) in flow.edges(from) {
            let to = edge.target.map_or_else(
                || {
                    *missing.entry(edge.to.value.as_str()).or_insert_with(|| {
                        nodes.push(unknown(&edge.to.value));
                        nodes.len() - 1
                    })
                },
                NodeId::index,
            );
            let line = match (edge.role, nodes[to].kind) {
                (Role::Error, Kind::Kill) => Line::Failure,
                (Role::Error, _) => Line::Error,
                _ => Line::Plain,
            };
            let words = format!("{} to {}", flow.words(id), nodes[to].name);
            let (label, more) = label(workflow, from, edge.role);
            let about = more.map_or(words.clone(), |more| format!("{words}: {more}"));
            let is_cyclic = in_loop.contains(&id) || edge.target == Some(from);
            let about = text::short(&about, text::MAX_ABOUT_COLUMNS);
            edges.push(Edge { from: from.index(), to, line, label, about, is_cyclic });
        }
    }
    let name = workflow.name.as_ref().map_or_else(String::new, |name| resolve(&name.value));
    let title = text::short(&format!("workflow {name}"), text::MAX_LINE_COLUMNS);
    let mut graph = Graph { title, about: String::new(), direction: Direction::Down, nodes, edges };
    graph.about = format!("control flow of {}: {}", graph.title, graph.summary());
    graph
}

fn node(workflow: &Workflow, facts: &Facts<'_>, id: NodeId, resolve: &dyn Fn(&str) -> String) -> Node {
    let flow = &facts.flow;
    let name = flow.shown(id);
    let mut lines = Vec::new();
    let mut about = format!("{} {name}", flow.kind(id));
    let kind = match &workflow.nodes[id.index()].kind {
        NodeKind::Action(action) => match &action.body {
            None => Kind::Action,
            Some(body) => {
                about = format!("{} action {name}", body.kind);
                match body.details() {
                    Details::SubWorkflow(sub) => {
                        let path = sub.app_path.map_or_else(String::new, |path| resolve(&path.value));
                        lines.push(text::short(
                            &format!("sub-workflow {}", text::path_end(&path)),
                            text::MAX_LINE_COLUMNS,
                        ));
                        about = format!("{about}, which runs {path}");
                        Kind::SubWorkflow
                    }
                    _ => {
                        lines.push(text::short(&body.kind, text::MAX_NAME_COLUMNS));
                        Kind::Action
                    }
                }
            }
        },
        _ => match flow.kind(id) {
            flow::Kind::Start => Kind::Start,
            flow::Kind::End => Kind::End,
            flow::Kind::Kill => Kind::Kill,
            flow::Kind::Decision => Kind::Decision,
            flow::Kind::Fork => Kind::Fork,
            flow::Kind::Join => Kind::Join,
            flow::Kind::Action => Kind::Action,
        },
    };
    let mut marks = Vec::new();
    if !facts.is_reached(id) {
        marks.push(Mark::Unreached);
    }
    if !facts.finishes[id.index()] {
        marks.push(Mark::Endless);
    }
    let about = text::short(&about, text::MAX_ABOUT_COLUMNS);
    Node { kind, name: shown(name), lines, about, marks }
}

/// A node that a transition names and nothing defines.
fn unknown(name: &str) -> Node {
    let about = text::short(&format!("no node is named `{name}`"), text::MAX_ABOUT_COLUMNS);
    Node { kind: Kind::Action, name: shown(name), lines: Vec::new(), about, marks: vec![Mark::Missing] }
}

/// A name as boxes show it.
fn shown(name: &str) -> String {
    let name = text::short_middle(name, text::MAX_NAME_COLUMNS);
    if name.is_empty() { "(no name)".to_owned() } else { name }
}

/// The label of an edge, and what the tooltip says of it.
fn label(workflow: &Workflow, from: NodeId, role: Role) -> (Option<String>, Option<&str>) {
    match (role, &workflow.nodes[from.index()].kind) {
        (Role::Case(number), NodeKind::Decision { cases, .. }) => {
            let predicate = cases.get(number - 1).map(|case| case.predicate.value.as_str());
            let label = text::condition(predicate.unwrap_or_default());
            (Some(if label.is_empty() { "(no condition)".to_owned() } else { label }), predicate)
        }
        (Role::Default, _) => (Some("default".to_owned()), None),
        _ => (None, None),
    }
}

fn add_line(about: &mut String, line: &str) {
    about.push('\n');
    about.push_str(line);
}
