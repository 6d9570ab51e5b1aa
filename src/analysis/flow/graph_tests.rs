//! How the nodes and transitions of a workflow are numbered and found.

use super::*;
use crate::analysis::flow::testing::workflow;

/// Each node with its transitions and the position of each target.
fn printed(flow: &Flow<'_>) -> Vec<String> {
    let node = |id: NodeId| {
        let edges = flow.out(id).iter().map(|edge| {
            let target = edge.target.map_or("-".to_owned(), |target| target.index().to_string());
            format!(" {:?} {}={target}", edge.role, edge.to.value)
        });
        format!("{} {} {}:{}", id.index(), flow.kind(id), flow.name(id), edges.collect::<String>())
    };
    flow.ids().map(node).collect()
}

#[test]
fn nodes_and_transitions_are_those_of_the_document() {
    let workflow = workflow(
        "start f; fork f a b d; decision d a b a j; action a j k; action b j; action c; join j e; join l; \
         kill k; end e; fork g; decision h gone",
    );
    let flow = Flow::new(&workflow);
    let expected = [
        "0 start :start:: To f=1",
        "1 fork f: Path(1) a=3 Path(2) b=4 Path(3) d=2",
        "2 decision d: Case(1) a=3 Case(2) b=4 Case(3) a=3 Default j=6",
        "3 action a: Ok j=6 Error k=8",
        "4 action b: Ok j=6",
        "5 action c:",
        "6 join j: To e=9",
        "7 join l:",
        "8 kill k:",
        "9 end e:",
        "10 fork g:",
        "11 decision h: Default gone=-",
    ];
    assert_eq!(printed(&flow), expected);
    assert_eq!((flow.len(), flow.edge_count(), flow.is_empty()), (12, 13, false));
    assert_eq!(flow.start(), Some(NodeId::new(0)));
    let names: Vec<_> = flow.names().collect();
    assert_eq!(names, [":start:", "f", "d", "a", "b", "c", "j", "l", "k", "e", "g", "h"]);
    assert_eq!(flow.duplicates(), []);
    assert_eq!(flow.find("e"), Some(NodeId::new(9)));
    assert_eq!(flow.find("gone"), None);
    assert_eq!(flow.node(NodeId::new(8)).name.value, "k");
}

#[test]
fn each_transition_has_a_number_among_all() {
    let workflow = workflow("start f; fork f a b; action a e k; action b e k; end e; kill k");
    let flow = Flow::new(&workflow);
    let all: Vec<EdgeId> = flow.ids().flat_map(|id| flow.edges(id)).map(|(id, _)| id).collect();
    let positions: Vec<usize> = all.iter().map(|id| flow.position(*id)).collect();
    assert_eq!(positions, [0, 1, 2, 3, 4, 5, 6]);
    let targets: Vec<&str> = all.iter().map(|id| flow.edge(*id).to.value.as_str()).collect();
    assert_eq!(targets, ["f", "a", "b", "e", "k", "e", "k"]);
    let fork = NodeId::new(1);
    let last = EdgeId { from: fork, index: 1 };
    assert_eq!(all[1..3], [EdgeId::first(fork), last]);
    assert_eq!(flow.get(last).map(|edge| edge.to.value.as_str()), Some("b"));
    assert!(flow.get(EdgeId { from: fork, index: 2 }).is_none());
    assert!(flow.get(EdgeId::first(NodeId::new(4))).is_none());
}

#[test]
fn a_workflow_without_nodes_is_empty() {
    let workflow = workflow("");
    let flow = Flow::new(&workflow);
    assert_eq!((flow.len(), flow.edge_count(), flow.is_empty()), (0, 0, true));
    assert_eq!((flow.start(), flow.ids().count(), flow.names().count()), (None, 0, 0));
    assert_eq!((flow.graph().node_count(), flow.graph().edge_count()), (0, 0));
}

#[test]
fn a_name_that_two_nodes_have_means_the_first() {
    let workflow = workflow("start a; action b a k; action a b k; action a e k; action b a e; end e; kill k");
    let flow = Flow::new(&workflow);
    let expected = [
        "0 start :start:: To a=2",
        "1 action b: Ok a=2 Error k=6",
        "2 action a: Ok b=1 Error k=6",
        "3 action a: Ok e=5 Error k=6",
        "4 action b: Ok a=2 Error e=5",
        "5 end e:",
        "6 kill k:",
    ];
    assert_eq!(printed(&flow), expected);
    assert_eq!(flow.find("b"), Some(NodeId::new(1)));
    let pair = |first, second| (NodeId::new(first), NodeId::new(second));
    assert_eq!(flow.duplicates(), [pair(2, 3), pair(1, 4)]);
    assert_eq!(flow.names().collect::<Vec<_>>(), [":start:", "b", "a", "e", "k"]);
}

#[test]
fn targets_are_found_near_and_far() {
    // Before, at once behind, at the last place that is looked at first, one beyond, and far behind.
    let workflow = workflow(
        "start a; action a d a; action b e a; action c b d; action d c e; action e b f; end f; kill a1",
    );
    let flow = Flow::new(&workflow);
    let expected = [
        "0 start :start:: To a=1",
        "1 action a: Ok d=4 Error a=1",
        "2 action b: Ok e=5 Error a=1",
        "3 action c: Ok b=2 Error d=4",
        "4 action d: Ok c=3 Error e=5",
        "5 action e: Ok b=2 Error f=6",
        "6 end f:",
        "7 kill a1:",
    ];
    assert_eq!(printed(&flow), expected);
}

#[test]
fn the_plain_graph_has_every_node_and_every_known_transition() {
    let workflow = workflow("start d; decision d a a gone; action a e d; end e; kill k");
    let flow = Flow::new(&workflow);
    let graph = flow.graph();
    assert_eq!(graph.node_count(), 5);
    let edges: Vec<_> = graph.raw_edges().iter().map(|e| (e.source().index(), e.target().index())).collect();
    assert_eq!(edges, [(0, 1), (1, 2), (1, 2), (2, 3), (2, 1)]);
}

#[test]
fn kinds_have_the_names_of_their_elements() {
    let kinds = [Kind::Start, Kind::End, Kind::Kill, Kind::Decision, Kind::Fork, Kind::Join, Kind::Action];
    let names: Vec<String> = kinds.iter().map(Kind::to_string).collect();
    assert_eq!(names, ["start", "end", "kill", "decision", "fork", "join", "action"]);
    assert_eq!(kinds.map(Kind::name).join(" "), names.join(" "));
}

#[test]
fn the_position_of_a_node_is_its_index() {
    for index in [0, 1, 2, 9, 1_000] {
        assert_eq!(NodeId::new(index).index(), index);
    }
    assert_eq!(EdgeId::first(NodeId::new(3)), EdgeId { from: NodeId::new(3), index: 0 });
}
