//! What is reached, in which order, what can finish, and which loops there are.

use super::*;
use crate::analysis::flow::testing::{chosen, edge, edges, names, workflow};

#[test]
fn the_level_of_a_node_is_the_fewest_transitions_from_start() {
    let check = |sketch: &str, expected: &str| {
        let workflow = workflow(sketch);
        let flow = Flow::new(&workflow);
        let level = |(id, level): (NodeId, Option<usize>)| {
            format!("{} {}", flow.shown(id), level.map_or("-".to_owned(), |level| level.to_string()))
        };
        assert_eq!(levels(&flow).into_iter().map(level).collect::<Vec<_>>().join(", "), expected, "{sketch}");
    };
    check("", "");
    check("start e; end e", "start 0, e 1");
    check("end e; start e", "start 0, e 1");
    check("start gone; end e", "start 0, e -");
    check("action a e k; end e; kill k", "a -, e -, k -");
    check(
        "action lost c k; start a; action c d k; action d e k; action a b k; action b c d; kill k; end e",
        "start 0, a 1, b 2, k 2, c 3, d 3, e 4, lost -",
    );
    // The shorter of two ways counts, whichever comes first; and a loop changes nothing.
    check("start d; decision d a e; action a b e; action b d e; end e", "start 0, d 1, a 2, e 2, b 3");
}

#[test]
fn only_what_start_leads_to_is_reached() {
    let check = |sketch: &str, expected: &str| {
        let workflow = workflow(sketch);
        let flow = Flow::new(&workflow);
        assert_eq!(chosen(&flow, &reachable(&flow)), expected, "{sketch}");
    };
    check("start a; action a b k; action b e k; end e; kill k; action c a k", "start a b e k");
    check("start gone; action a e e; end e", "start");
    check("action a e e; end e", "");
    check("start a; start b; action a e e; action b e e; end e", "start a e");
}

#[test]
fn what_leads_to_no_end_or_kill_node_does_not_finish() {
    let check = |sketch: &str, expected: &str| {
        let workflow = workflow(sketch);
        let flow = Flow::new(&workflow);
        assert_eq!(chosen(&flow, &can_finish(&flow)), expected, "{sketch}");
    };
    check("", "");
    check("end e", "e");
    check("end e; kill k; action a k k; action b e e; action c c c", "e k a b");
    check("start a; action a b gone; action b c gone; action c b gone; end e; kill k", "e k");
    check("start a; action a b gone; action b c gone; action c b k; end e; kill k", "start a b c e k");
    check(
        "start a; decision a b c e; action b x y; action x y y; action y x x; action c k b; end e; kill k",
        "start a c e k",
    );
    check("start f; fork f a b; action a j e; action b j; join j gone; end e", "start f a e");
}

#[test]
fn a_transition_back_to_the_path_closes_a_loop() {
    let check = |sketch: &str, expected: &str| {
        let workflow = workflow(sketch);
        let flow = Flow::new(&workflow);
        let back = back_edges(&flow);
        let all = flow.ids().flat_map(|id| flow.edges(id)).map(|(id, _)| id);
        let closing = all.filter(|id| back[flow.position(*id)]).map(|id| edge(&flow, id));
        assert_eq!(back.len(), flow.edge_count(), "{sketch}");
        assert_eq!(closing.collect::<Vec<_>>().join(" "), expected, "{sketch}");
    };
    check("", "");
    check("start a; action a e k; end e; kill k", "");
    check("start a; action a a a; end e", "a.1>a a.2>a");
    check("start a; action a b e; action b c a; action c a b; end e", "b.2>a c.1>a c.2>b");
    // Two ways to one node are no loop.
    check("start d; decision d a b c; action a c c; action b c gone; action c e e; end e", "");
    // What start does not reach has loops too, and a walk that begins there comes to what is done.
    check("start a; action a e e; action x y a; action y x e; end e", "y.1>x");
    check("action x y e; action y x a; start a; action a x e; end e", "y.1>x y.2>a");
}

#[test]
fn a_node_is_finished_after_all_that_it_leads_to() {
    let check = |sketch: &str, expected: &str| {
        let workflow = workflow(sketch);
        let flow = Flow::new(&workflow);
        assert_eq!(names(&flow, finished_first(&flow)), expected, "{sketch}");
    };
    check("", "");
    check("start a; action a b k; action b e k; end e; kill k", "e k b a start");
    check("start a; action a gone e; end e", "e a start");
    check("action x e e; start a; action a e e; end e", "e a start x");
    check("start a; decision a b c; action b c c; action c a e; end e", "e c b a start");
}

#[test]
fn each_group_of_nodes_that_reach_each_other_has_one_shortest_loop() {
    let check = |sketch: &str, expected: &[&str]| {
        let workflow = workflow(sketch);
        let flow = Flow::new(&workflow);
        let loops = loops(&flow, &back_edges(&flow));
        let told: Vec<String> = loops.into_iter().map(|one| edges(&flow, one)).collect();
        assert_eq!(told, expected, "{sketch}");
    };
    check("", &[]);
    check("start a; action a e e; end e", &[]);
    check("start a; action a a e; end e", &[]);
    check("start a; action a b e; action b a e; end e", &["a.1>b b.1>a"]);
    check("start a; action a b e; action b c e; action c a e; end e", &["a.1>b b.1>c c.1>a"]);
    // It begins at the node that stands first, wherever start comes in.
    check("action c a e; start a; action a b e; action b c e; end e", &["c.1>a a.1>b b.1>c"]);
    // The shorter way round, though it is named later; nodes beside and to themselves do not count.
    check(
        "start a; decision a b a c x; action b c e; action c d a; action d a d; action x e e; end e",
        &["a.3>c c.2>a"],
    );
    check(
        "start a; action a b k; action b a c; action c d k; action d x c; action x y k; action y z k; \
         action z x k; kill k",
        &["a.1>b b.1>a", "c.1>d d.2>c", "x.1>y y.1>z z.1>x"],
    );
    // An eight through one node is one group, and its loop the one through the first node.
    check("start a; action a m e; decision m a b e; action b m e; end e", &["a.1>m m.1>a"]);
}
