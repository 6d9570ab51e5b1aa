//! Which nodes are done before others start, and which can run side by side.

use super::*;
use crate::analysis::flow::Facts;
use crate::analysis::flow::testing::{edges, names, workflow};

/// For each node the nodes that are done when it starts.
fn order(sketch: &str) -> String {
    let workflow = workflow(sketch);
    let facts = Facts::new(Flow::new(&workflow));
    let before = facts.before().unwrap_or_else(|| panic!("no order: {sketch}"));
    let flow = &facts.flow;
    let one = |second: NodeId| {
        let firsts = flow.ids().filter(|first| before.is_before(*first, second));
        format!("{}: {}", flow.shown(second), names(flow, firsts))
    };
    let inner = flow.ids().filter(|id| !matches!(flow.kind(*id), Kind::Start | Kind::End | Kind::Kill));
    inner.map(one).collect::<Vec<_>>().join(", ")
}

#[test]
fn what_every_path_leads_through_is_before() {
    let check = |sketch: &str, expected: &str| assert_eq!(order(sketch), expected, "{sketch}");
    check("start e; end e", "");
    check("start a; action a e k; kill k; end e", "a: start");
    check(
        "start a; action a b k; action b c k; action c e k; kill k; end e",
        "a: start, b: start a, c: start a b",
    );
    check(
        "start d; decision d a b; action a c; action b c; action c e; end e",
        "d: start, a: start d, b: start d, c: start d",
    );
    check("start a; action a b c; action b c c; action c e e; end e", "a: start, b: start a, c: start a");
    // The order of the document does not matter, and what start does not reach is before nothing.
    check(
        "action c e e; action l c e; action b c e; start a; action a b e; end e",
        "c: b start a, l: , b: start a, a: start",
    );
}

#[test]
fn what_lies_on_a_path_of_a_fork_is_before_what_follows_the_join() {
    let check = |sketch: &str, expected: &str| assert_eq!(order(sketch), expected, "{sketch}");
    check(
        "start f; fork f a b; action a j k; action b j k; join j c; action c e k; kill k; end e",
        "f: start, a: start f, b: start f, j: start f a b, c: start f a b j",
    );
    // Of a decision in a path only what both ways have in common.
    check(
        "start f; fork f d b; decision d x y; action x z; action y z; action z j; action b j; join j c; action c e; \
         end e",
        "f: start, d: start f, x: start f d, y: start f d, z: start f d, b: start f, j: start f d z b, \
         c: start f d z b j",
    );
    // One way past, straight to the join.
    check(
        "start f; fork f a b; action a x j; action x j k; action b j k; join j c; action c e k; kill k; end e",
        "f: start, a: start f, x: start f a, b: start f, j: start f a b, c: start f a b j",
    );
    check(
        "start f; fork f g c; fork g a b; action a j; action b j; join j d; action d l; action c l; join l x; \
         action x e; end e",
        "f: start, g: start f, a: start f g, b: start f g, j: start f g a b, d: start f g a b j, c: start f, \
         l: start f g a b j d c, x: start f g a b j d c l",
    );
    // The second fork comes after all of the first.
    check(
        "start f; fork f a b; action a j; action b j; join j g; fork g c d; action c l; action d l; join l e; end e",
        "f: start, a: start f, b: start f, j: start f a b, g: start f a b j, c: start f a b j g, \
         d: start f a b j g, l: start f a b j g c d",
    );
}

#[test]
fn of_the_ways_of_one_path_to_the_join_only_what_they_share_is_before() {
    let check = |sketch: &str, expected: &str| assert_eq!(order(sketch), expected, "{sketch}");
    check("start f; fork f j j; join j c; action c e; end e", "f: start, j: start f, c: start f j");
    check(
        "start f; fork f d b; decision d x y; action x j; action y j; action b j; join j c; action c e; end e",
        "f: start, d: start f, x: start f d, y: start f d, b: start f, j: start f d b, c: start f d b j",
    );
    check(
        "start f; fork f a b j; action a j c; action c j k; action b k j; join j e; kill k; end e",
        "f: start, a: start f, c: start f a, b: start f, j: start f a b",
    );
}

/// `c` is reached inside the fork and outside of it, but never both in one execution: it only kills.
#[test]
fn a_node_inside_a_fork_and_outside_is_after_what_each_way_leads_through() {
    let check = |sketch: &str, expected: &str| assert_eq!(order(sketch), expected, "{sketch}");
    check(
        "start x; action x d k; decision d f c; fork f a b; action a j c; action b j k; join j m; action m e k; \
         action c n k; action n k k; end e; kill k",
        "x: start, d: start x, f: start x d, a: start x d f, b: start x d f, j: start x d f a b, \
         m: start x d f a b j, c: start x d, n: start x d c",
    );
    check(
        "start d; decision d f c; fork f a b; action a c x; action x j k; action b j; join j y; action y e k; \
         action c z z; action z k k; end e; kill k",
        "d: start, f: start d, a: start d f, x: start d f a, b: start d f, j: start d f a x b, \
         y: start d f a x b j, c: start d, z: start d c",
    );
    // Inside the fork and after its join: both ways lead through `c` and `p`, but only one through `b`.
    check(
        "start f; fork f c b; action c p k; action p j z; action b j k; join j m; action m e z; action z k k; end e; \
         kill k",
        "f: start, c: start f, p: start f c, b: start f, j: start f c p b, m: start f c p b j, z: start f c p",
    );
    // The same from two forks.
    check(
        "start a; action a d k; decision d f g; fork f a1 b1; fork g x y; action a1 j c; action b1 j k; join j m; \
         action x l c; action y l k; join l m; action m e k; action c h k; action h k k; end e; kill k",
        "a: start, d: start a, f: start a d, g: start a d, a1: start a d f, b1: start a d f, \
         j: start a d f a1 b1, x: start a d g, y: start a d g, l: start a d g x y, m: start a d, c: start a d, \
         h: start a d c",
    );
}

#[test]
fn two_nodes_run_side_by_side_where_paths_of_one_fork_part() {
    let check = |sketch: &str, expected: &str| {
        let workflow = workflow(sketch);
        let facts = Facts::new(Flow::new(&workflow));
        let before = facts.before().unwrap_or_else(|| panic!("no order: {sketch}"));
        let flow = &facts.flow;
        let mut told = Vec::new();
        for first in flow.ids() {
            for second in flow.ids() {
                let fork = before.parting(first, second);
                assert_eq!(fork, before.parting(second, first));
                told.extend(fork.filter(|_| first < second).map(|fork| names(flow, [first, second, fork])));
            }
        }
        assert_eq!(told.join(", "), expected, "{sketch}");
    };
    check("start a; action a e k; kill k; end e", "");
    check("start f; fork f a b; action a j; action b j; join j c; action c e; end e", "a b f");
    check(
        "start f; fork f g c; fork g a b; action a j; action b j; join j d; action d l; action c l; join l e; end e",
        "g c f, a b g, a c f, b c f, j c f, d c f",
    );
}

#[test]
fn transitions_into_a_node_are_those_of_reached_nodes_in_order() {
    let workflow =
        workflow("start d; decision d a b b; action a b e; action b e gone; action l b a; end e; kill k");
    let flow = Flow::new(&workflow);
    let check = |reachable: &[bool], expected: &str| {
        let entries = Entries::of(&flow, reachable);
        let into = |node: NodeId| {
            format!("{}: {}", flow.shown(node), edges(&flow, entries.of_node(node).iter().copied()))
        };
        assert_eq!(flow.ids().map(into).collect::<Vec<_>>().join(", "), expected);
    };
    let reached = crate::analysis::flow::order::reachable(&flow);
    check(&reached, "start: , d: start.1>d, a: d.1>a, b: d.2>b d.3>b a.1>b, l: , e: a.2>e b.1>e, k: ");
    check(
        &[true; 7],
        "start: , d: start.1>d, a: d.1>a l.2>a, b: d.2>b d.3>b a.1>b l.1>b, l: , e: a.2>e b.1>e, k: ",
    );
    check(&[false; 7], "start: , d: , a: , b: , l: , e: , k: ");
}

#[test]
fn after_a_join_goes_on_the_path_around_its_fork() {
    let workflow = workflow(
        "start a; action a f; fork f g b; fork g x x2; action x j; action x2 j; join j l; action b l; join l e; end e",
    );
    let facts = Facts::new(Flow::new(&workflow));
    let flow = &facts.flow;
    let path = |name: &str, index| {
        let from = flow.find(name).expect("a node");
        path_after(flow, &facts.walk, EdgeId { from, index }).map(|path| edges(flow, [path]))
    };
    assert_eq!([path("a", 0), path("l", 0)], [None, None]);
    assert_eq!(path("f", 1).as_deref(), Some("f.2>b"));
    assert_eq!(path("b", 0).as_deref(), Some("f.2>b"));
    assert_eq!(path("g", 0).as_deref(), Some("g.1>x"));
    assert_eq!(path("x2", 0).as_deref(), Some("g.2>x2"));
    assert_eq!(path("j", 0).as_deref(), Some("f.1>g"));
}
