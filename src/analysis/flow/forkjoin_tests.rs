//! What the walk over forks and joins finds, fault by fault, and what it keeps of its way.

use super::*;
use crate::analysis::flow::order::{back_edges, reachable};
use crate::analysis::flow::testing::{edge, edges, faults, names, workflow};

fn walked(flow: &Flow<'_>) -> Walk {
    walk(flow, &reachable(flow), &back_edges(flow))
}

/// Holds the faults that the walk alone finds, whether an execution shows them or not, against these.
fn check(sketch: &str, expected: &[&str]) {
    let workflow = workflow(sketch);
    let flow = Flow::new(&workflow);
    assert_eq!(faults(&flow, &walked(&flow)), expected, "{sketch}");
}

#[test]
fn forks_and_joins_that_fit_have_no_fault() {
    let good = [
        "",
        "start e; end e",
        "end e",
        "start f; fork f a b; action a j k; action b j k; join j e; kill k; end e",
        "start f; fork f g c; fork g a b; action a j; action b j; action c l; join j l; join l e; end e",
        "start f; fork f a b; action a j; action b j; join j g; fork g c d; action c l; action d l; join l e; end e",
        // Paths may go straight to the join, and some may only kill.
        "start f; fork f j j; join j e; end e",
        "start f; fork f k k a; action a j; join j e; kill k; end e",
        "start f; fork f a b; action a k; action b j; join j e; kill k; end e",
        // Ways that begin at one decision exclude each other; failures do not count.
        "start d; decision d a b; action a c; action b c; action c e; end e",
        "start d; decision d a b b; action a e; action b e; end e",
        "start a; action a b b; action b e e; end e",
        "start a; action a b c; action b c c; action c e e; end e",
        "start f; fork f d b; decision d a c; action a c; action c j; action b j; join j e; end e",
        // A decision in a fork, both ways to the join.
        "start f; fork f d b; decision d j b2; action b2 j; action b j; join j e; end e",
        // Behind a loose end or a loop nobody knows.
        "start f; fork f a b; action a j; action b j; join j gone; end e",
        "start f; fork f a b; action a gone; action b gone; end e",
        "start f; fork f a b; action a f; action b f; end e",
        "start f; fork f a b; action a j; action b j; join j; end e",
    ];
    good.iter().for_each(|sketch| check(sketch, &[]));
}

#[test]
fn a_fork_without_a_join_is_told_with_its_first_end() {
    check("start f; fork f a b; action a k; action b k; kill k; end e", &["server: E0733 at f: f a.1>k"]);
    check("start f; fork f a b; action a k; action b e; kill k; end e", &["server: E0733 at f: f a.1>k"]);
    check("start f; fork f k k; kill k; end e", &["server: E0733 at f: f f.1>k"]);
    // An inner fork without a join leaves the outer one without a say.
    check(
        "start f; fork f g k; fork g a b; action a k; action b k; kill k; end e",
        &["server: E0733 at g: g a.1>k"],
    );
    // What both paths lead to was walked before, so there is no end to show.
    check(
        "start d; decision d f g; fork f a b; fork g a b; action a j; action b j; join j e; end e",
        &["server: E0733 at g: g -"],
    );
    check(
        "start d; decision d f j; fork f a b; action a e; action b e; join j e; end e",
        &["server: E0737 at e: a.1>e in f", "server: E0733 at f: f a.1>e", "server: E0742 at j: d.2>j of -"],
    );
}

#[test]
fn an_end_inside_a_fork_is_told_at_each_arrival() {
    check(
        "start f; fork f a b; action a j e; action b j e; join j e; end e",
        &["server: E0737 at e: a.2>e in f", "server: E0737 at e: b.2>e in f"],
    );
    check(
        "start f; fork f g c; fork g a b; action a j e; action b j; action c l; join j e; join l e; end e",
        &["server: E0737 at e: a.2>e in g", "server: E0737 at e: j.1>e in f"],
    );
    check(
        "start f; fork f a b; action a j; action b d; decision d j e; join j e; end e",
        &["server: E0737 at e: d.2>e in f"],
    );
}

#[test]
fn paths_that_end_in_different_joins_are_told_by_the_first_and_the_last() {
    check(
        "start f; fork f a b; action a j; action b l; join j e; join l e; end e",
        &["server: E0757 at f: a.1>j b.1>l"],
    );
    check(
        "start f; fork f a b c; action a j; action b l; action c m; join j x; join l y; join m z; action x e; \
         action y e; action z e; end e",
        &["server: E0757 at f: a.1>j c.1>m"],
    );
    // What follows from that is not told, but for what lies in a fork of its own.
    check(
        "start f; fork f l j; join l g; fork g j j; join j m; join m e; end e",
        &[
            "server: E0757 at f: f.1>l f.2>j",
            "server: E0758 at j: f f.2>j, g g.1>j",
            "server: E0742 at m: j.1>m of -",
        ],
    );
    // It goes on behind each of the joins.
    check(
        "start f; fork f a b; action a j; action b l; join j g; join l h; fork g x x; fork h y y; action x m; \
         join m e; action y n; join n e; end e",
        &[
            "server: E0757 at f: a.1>j b.1>l",
            "server: E0744 at g: g.1>x g.2>x",
            "server: E0744 at h: h.1>y h.2>y",
        ],
    );
}

#[test]
fn a_join_that_two_forks_reach_is_told_once_for_each_further_fork() {
    check(
        "start f; fork f a g; fork g b c; action a j; action b j; action c j; join j e; end e",
        &["server: E0758 at j: f a.1>j, g b.1>j"],
    );
    check(
        "start f; fork f g a; fork g b c; action a j; action b j; action c j; join j e; end e",
        &["server: E0758 at j: g b.1>j, f a.1>j"],
    );
    check(
        "start f; fork f a g h; fork g b c; fork h x y; action a j; action b j; action c j; action x j; \
         action y j; join j e; end e",
        &["server: E0758 at j: f a.1>j, g b.1>j", "server: E0758 at j: f a.1>j, h x.1>j"],
    );
}

#[test]
fn a_join_outside_of_forks_is_told_with_the_fork_that_it_has_else() {
    check("start j; join j e; end e", &["server: E0742 at j: start.1>j of -"]);
    check(
        "start f; fork f b c; action b j; action c j; join j l; join l m; join m e; end e",
        &["server: E0742 at l: j.1>l of -", "server: E0742 at m: l.1>m of -"],
    );
    check(
        "start a; action a f j; fork f b c; action b j; action c j; join j e; end e",
        &["server: E0742 at j: a.2>j of f"],
    );
    // Once, however often it is reached, and what comes after it is walked.
    check(
        "start a; action a j b; action b j j; join j f; fork f x x; action x l; join l e; end e",
        &["server: E0742 at j: a.1>j of -", "server: E0744 at f: f.1>x f.2>x"],
    );
}

#[test]
fn two_ways_of_ok_transitions_to_a_node_are_told_where_they_part() {
    check(
        "start f; fork f a b; action a c; action b c; action c j; join j e; end e",
        &["server: E0743 at c: a.1>c b.1>c of f"],
    );
    // Once for each node, however many come.
    check(
        "start f; fork f a b x; action a c; action b c; action x c; action c j; join j e; end e",
        &["server: E0743 at c: a.1>c b.1>c of f"],
    );
    check(
        "start f; fork f d c; decision d a c; action a c; action c j; join j e; end e",
        &["server: E0743 at c: a.1>c f.2>c of f"],
    );
    check(
        "start a; action a f; fork f g x; fork g b c; action b y; action c y; action x j; action y l; join l j; \
         join j e; end e",
        &["server: E0743 at y: b.1>y c.1>y of g"],
    );
    // Two decisions, of which one lies in each path.
    check(
        "start f; fork f p q; decision p a c; decision q b c; action a j; action b j; action c j; join j e; end e",
        &["server: E0743 at c: p.2>c q.2>c of f"],
    );
    // The eldest decision counts: what is below it excludes each other, though a fork lies between.
    check("start d; decision d f c; fork f a c; action a j; action c j; join j e; end e", &[]);
    check("start f; fork f a b; action a j c; action b j c; action c j; join j e; end e", &[]);
}

#[test]
fn a_fork_that_names_a_node_twice_is_told_for_each_such_node() {
    check(
        "start f; fork f a a a b; action a j; action b j; join j e; end e",
        &["server: E0744 at f: f.1>a f.2>a"],
    );
    check(
        "start f; fork f a b b a; action a j; action b j; join j e; end e",
        &["server: E0744 at f: f.1>a f.4>a", "server: E0744 at f: f.2>b f.3>b"],
    );
    check(
        "start f; fork f a e e; action a j; join j e; end e",
        &["server: E0744 at f: f.2>e f.3>e", "server: E0737 at e: f.2>e in f"],
    );
    // The name given twice, and reached by another path before, is a matter of its own.
    check(
        "start f; fork f a b b; action a b; action b j; join j e; end e",
        &["server: E0744 at f: f.2>b f.3>b", "server: E0743 at b: a.1>b f.2>b of f"],
    );
}

#[test]
fn targets_are_repeated_but_for_joins_and_kills() {
    let check = |fork: &str, expected: &[&str]| {
        let workflow =
            workflow(&format!("start f; {fork}; action a e; decision d e; join j e; kill k; end e"));
        let flow = Flow::new(&workflow);
        let told: Vec<_> =
            repeated_targets(&flow, NodeId::new(1)).into_iter().map(|(a, b)| edges(&flow, [a, b])).collect();
        assert_eq!(told, expected, "{fork}");
    };
    check("fork f", &[]);
    check("fork f a", &[]);
    check("fork f a d", &[]);
    check("fork f a a", &["f.1>a f.2>a"]);
    check("fork f e e", &["f.1>e f.2>e"]);
    check("fork f j j", &[]);
    check("fork f k k", &[]);
    check("fork f gone gone", &[]);
    check("fork f a j k gone j k gone d", &[]);
    check("fork f d a d a a", &["f.1>d f.3>d", "f.2>a f.4>a"]);
}

#[test]
fn parts_that_start_does_not_reach_are_walked_from_where_nothing_leads() {
    check(
        "start a; action a u; end u; fork g x y; action x e; action y e; end e",
        &["unreached: E0737 at e: x.1>e in g", "unreached: E0733 at g: g x.1>e"],
    );
    check(
        "start a; action a e; end e; fork g x y; action x k; action y k; kill k",
        &["unreached: E0733 at g: g x.1>k"],
    );
    check(
        "start a; action a e; fork g x x; action x m; join m z; action z z2; action z2 e; end e; action u g",
        &["unreached: E0744 at g: g.1>x g.2>x"],
    );
    check(
        "start a; action a e; start g; fork g x x; action x m; join m u; end u; end e",
        &["unreached: E0744 at g: g.1>x g.2>x"],
    );
    // What start reaches is not walked again, a path that leads there has no say.
    check("start e; end e; fork g x y; action x e; action y e", &[]);
    check("start e; end e; fork g x k; action x e; kill k", &[]);
    // A join may be that of a fork which is not there; and two parts never run beside each other.
    check("start e; end e; action x m; join m u; end u", &[]);
    check("start e; end e; action u a; action v a; action a u2; end u2", &[]);
    check("start e; end e; join m f; fork f x x; action x m", &[]);
    check("start e; end e; action u v; action v u", &[]);
    check(
        "start e; end e; action u f; fork f a b; action a c; action b c; action c m; join m x; end x; action v c",
        &["unreached: E0743 at c: a.1>c b.1>c of f"],
    );
    check(
        "start e; end e; action v c; action c m; join m x; end x; action u f; fork f a b; action a c; action b c",
        &["unreached: E0743 at c: a.1>c b.1>c of f", "unreached: E0733 at f: f -"],
    );
}

#[test]
fn the_walk_keeps_by_which_path_it_came() {
    let workflow = workflow(
        "start f; fork f g c; fork g a b; action a j k; action b j k; action c l k; join j d; join l e; \
         decision d l x; action x l k; kill k; end e; action u v; action v e",
    );
    let flow = Flow::new(&workflow);
    let walk = walked(&flow);
    let each = |of: &[Option<EdgeId>]| {
        let one = |id: NodeId| {
            format!("{}: {}", flow.shown(id), of[id.index()].map_or("-".to_owned(), |via| edge(&flow, via)))
        };
        flow.ids().map(one).collect::<Vec<_>>().join(", ")
    };
    let came_by = "start: -, f: start.1>f, g: f.1>g, a: g.1>a, b: g.2>b, c: f.2>c, j: a.1>j, l: d.1>l, d: j.1>d, \
                   x: d.2>x, k: a.2>k, e: l.1>e, u: -, v: u.1>v";
    assert_eq!(each(&walk.came_by), came_by);
    let path_of = "start: -, f: -, g: f.1>g, a: g.1>a, b: g.2>b, c: f.2>c, j: g.1>a, l: f.1>g, d: f.1>g, x: f.1>g, \
                   k: g.1>a, e: -, u: -, v: -";
    assert_eq!(each(&walk.path_of), path_of);
    let fork_of = flow.ids().filter_map(|join| Some([join, walk.fork_of[join.index()]?]));
    assert_eq!(names(&flow, fork_of.flatten()), "j g l f");
    assert_eq!(names(&flow, walk.forks.iter().copied()), "f g");
}

#[test]
fn a_fault_shows_at_its_node() {
    let (one, two) = (NodeId::new(1), NodeId::new(2));
    let edge = EdgeId::first(one);
    let faults = [
        Fault::NoJoin { fork: two, leaf: None },
        Fault::ManyJoins { fork: two, first: edge, second: edge },
        Fault::SameTarget { fork: two, first: edge, second: edge },
        Fault::EndInside { fork: one, end: two, via: edge },
        Fault::NoFork { join: two, via: edge, fork: Some(one) },
        Fault::ManyForks { join: two, first: (one, edge), second: (one, edge) },
        Fault::Concurrent { node: two, fork: one, first: edge, second: edge },
    ];
    assert!(faults.iter().all(|fault| fault.node() == two));
}

#[test]
fn only_faults_of_the_part_that_start_does_not_reach_are_not_reached() {
    let edge = EdgeId::first(NodeId::new(0));
    let sights = [Sight::Server, Sight::Unreached, Sight::Hidden { entry: edge, needs_failure: true }];
    let fault = Fault::NoJoin { fork: NodeId::new(1), leaf: None };
    let reached = sights
        .map(|sight| Found { fault: fault.clone(), sight, is_harmless: false, ways: None }.is_reached());
    assert_eq!(reached, [true, false, true]);
}
