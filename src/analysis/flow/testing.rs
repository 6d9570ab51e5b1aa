//! What the tests of the control flow share: workflows in short, and nodes, transitions and faults as text.

use super::forkjoin::{Found, Sight, Walk};
use super::{EdgeId, Facts, Fault, Flow, NodeId};
use crate::analysis::testing;
use crate::model::Workflow;

/// A workflow of nodes with `;` between, each its kind, its name and where it leads, such as
/// "start a; action a e k; kill k; end e". An action gives `ok` and `error`, either of which may be left out at the
/// end; a decision gives its cases and then its default.
pub(super) fn workflow(sketch: &str) -> Workflow {
    let nodes: String = sketch.split(';').filter(|node| !node.trim().is_empty()).map(element).collect();
    testing::workflow(&format!(
        "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'>{nodes}</workflow-app>"
    ))
}

fn element(node: &str) -> String {
    let words: Vec<&str> = node.split_whitespace().collect();
    let each = |text: &str, targets: &[&str]| -> String {
        targets.iter().map(|target| text.replace('?', target)).collect()
    };
    match &words[..] {
        ["start", to] => format!("<start to='{to}'/>"),
        ["start"] => "<start/>".to_owned(),
        [kind @ ("end" | "kill" | "join"), name] => format!("<{kind} name='{name}'/>"),
        ["join", name, to] => format!("<join name='{name}' to='{to}'/>"),
        ["fork", name, paths @ ..] => {
            format!("<fork name='{name}'>{}</fork>", each("<path start='?'/>", paths))
        }
        ["decision", name, cases @ .., default] => {
            let cases = each("<case to='?'>${true}</case>", cases);
            format!("<decision name='{name}'><switch>{cases}<default to='{default}'/></switch></decision>")
        }
        ["action", name, ways @ ..] if ways.len() < 3 => {
            let ok = each("<ok to='?'/>", &ways[..ways.len().min(1)]);
            let error = each("<error to='?'/>", &ways[ways.len().min(1)..]);
            format!("<action name='{name}'><fs/>{ok}{error}</action>")
        }
        other => panic!("no node: {other:?}"),
    }
}

/// Names with blanks between.
pub(super) fn names(flow: &Flow<'_>, nodes: impl IntoIterator<Item = NodeId>) -> String {
    nodes.into_iter().map(|node| flow.shown(node)).collect::<Vec<_>>().join(" ")
}

/// The names of those nodes for which it holds.
pub(super) fn chosen(flow: &Flow<'_>, holds: &[bool]) -> String {
    names(flow, flow.ids().filter(|id| holds[id.index()]))
}

/// A transition, such as "a.2>k" for the second one of `a`.
pub(super) fn edge(flow: &Flow<'_>, id: EdgeId) -> String {
    format!("{}.{}>{}", flow.shown(id.from), id.index + 1, flow.edge(id).to.value)
}

/// Transitions with blanks between.
pub(super) fn edges(flow: &Flow<'_>, ids: impl IntoIterator<Item = EdgeId>) -> String {
    ids.into_iter().map(|id| edge(flow, id)).collect::<Vec<_>>().join(" ")
}

/// A fault: its code, the node at which it shows, and what it tells, such as "E0742 at j: a.1>j of f".
pub(super) fn fault(flow: &Flow<'_>, fault: &Fault) -> String {
    let name = |node: &NodeId| flow.shown(*node);
    let told = match fault {
        Fault::NoJoin { fork, leaf } => {
            format!("{} {}", name(fork), leaf.map_or("-".to_owned(), |leaf| edge(flow, leaf)))
        }
        Fault::ManyJoins { first, second, .. } => edges(flow, [*first, *second]),
        Fault::ManyForks { first, second, .. } => {
            let one = |(fork, via): &(NodeId, EdgeId)| format!("{} {}", name(fork), edge(flow, *via));
            format!("{}, {}", one(first), one(second))
        }
        Fault::NoFork { via, fork, .. } => {
            format!("{} of {}", edge(flow, *via), fork.as_ref().map_or("-", name))
        }
        Fault::EndInside { fork, via, .. } => format!("{} in {}", edge(flow, *via), name(fork)),
        Fault::Concurrent { fork, first, second, .. } => {
            format!("{} of {}", edges(flow, [*first, *second]), name(fork))
        }
        Fault::SameTarget { first, second, .. } => edges(flow, [*first, *second]),
    };
    format!("{} at {}: {told}", fault.code(), name(&fault.node()))
}

/// A fault after who sees it, with the ways that show it.
pub(super) fn found(flow: &Flow<'_>, found: &Found) -> String {
    let sight = match found.sight {
        Sight::Server => "server".to_owned(),
        Sight::Unreached => "unreached".to_owned(),
        Sight::Hidden { entry, needs_failure } => {
            format!("hidden by {}{}", edge(flow, entry), if needs_failure { " after a failure" } else { "" })
        }
    };
    let harmless = if found.is_harmless { ", harmless" } else { "" };
    let ways = found.ways.iter().flatten().map(|way| format!(" [{}]", edges(flow, way.iter().copied())));
    format!("{sight}{harmless}: {}{}", fault(flow, &found.fault), ways.collect::<String>())
}

/// All faults of a walk.
pub(super) fn faults(flow: &Flow<'_>, walk: &Walk) -> Vec<String> {
    walk.faults.iter().map(|one| found(flow, one)).collect()
}

/// What is said of a workflow's forks and joins, by the walk and by its executions together.
pub(super) fn said(sketch: &str) -> Vec<String> {
    let workflow = workflow(sketch);
    let facts = Facts::new(Flow::new(&workflow));
    faults(&facts.flow, &facts.walk)
}
