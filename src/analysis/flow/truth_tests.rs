//! Which faults come up in executions, by which ways, and what that says of what a server sees.

use super::*;
use crate::analysis::flow::order::reachable;
use crate::analysis::flow::testing::{chosen, edges, fault, said, workflow};

/// Holds the faults of all executions against these, each with its ways, and "!" where it needs a failure; and the
/// nodes that some execution starts.
fn check(sketch: &str, starts: &str, expected: &[&str]) {
    let workflow = workflow(sketch);
    let flow = Flow::new(&workflow);
    let truth = truth(&flow, &reachable(&flow));
    let told = |found: &True| {
        let ways = found.ways.iter().map(|way| format!(" [{}]", edges(&flow, way.iter().copied())));
        let mark = if found.needs_failure { "!" } else { "" };
        format!("{}{mark}{}", fault(&flow, &found.fault), ways.collect::<String>())
    };
    assert!(truth.is_whole, "{sketch}");
    assert_eq!(truth.faults.iter().map(told).collect::<Vec<_>>(), expected, "{sketch}");
    assert_eq!(chosen(&flow, &truth.starts), starts, "{sketch}");
}

#[test]
fn what_fits_never_goes_wrong_and_some_execution_starts_every_node() {
    check("start e; end e", "start", &[]);
    check("start a; action a e k; kill k; end e; action l e k", "start a", &[]);
    check("start f; fork f a b; action a j k; action b j k; join j e; end e; kill k", "start f a b j", &[]);
    check("start f; fork f j j; join j a; action a e e; end e", "start f j a", &[]);
    // A path that always kills keeps the join from going on.
    check("start f; fork f a k; action a j; join j c; action c e; end e; kill k", "start f a", &[]);
    check(
        "start f; fork f g c; fork g a b; action a k k; action b j; join j l; action c l; join l e; end e; kill k",
        "start f g a b c",
        &[],
    );
    // What excludes each other meets nothing.
    check("start d; decision d a b; action a c; action b c; action c e; end e", "start d a b c", &[]);
    check(
        "start d; decision d f g; fork f a b; fork g x y; action a j; action b j; action x j; action y j; join j e; \
         end e",
        "start d f g a b x y j",
        &[],
    );
    check(
        "start f; fork f d b; decision d x y; action x z; action y z; action z j; action b j; join j e; end e",
        "start f d x y z b j",
        &[],
    );
    let workflow = workflow("end e; action a e e");
    let flow = Flow::new(&workflow);
    let none = truth(&flow, &reachable(&flow));
    assert_eq!((none.faults.len(), none.is_whole, none.starts.len()), (0, false, 0));
}

#[test]
fn an_end_inside_a_fork_comes_up_once_for_each_fork_and_end() {
    check(
        "start f; fork f a b; action a e k; action b e k; kill k; end e",
        "start f a b",
        &["E0737 at e: b.1>e in f [f.2>b b.1>e] []"],
    );
    check(
        "start f; fork f a b; action a j e; action b j e; join j e; end e",
        "start f a b j",
        &["E0737 at e: b.2>e in f! [f.2>b b.2>e] []"],
    );
    check(
        "start f; fork f a b; action a d k; decision d j e; action b j k; join j e; kill k; end e",
        "start f a d b j",
        &["E0737 at e: d.2>e in f [f.1>a a.1>d d.2>e] []"],
    );
    // The join of an inner fork leads on inside the outer one.
    check(
        "start f; fork f a g; fork g b c; action a j; action b j; action c j; join j e; end e",
        "start f g a b c j",
        &["E0737 at e: j.1>e in f [f.2>g g.1>b b.1>j j.1>e] []"],
    );
}

#[test]
fn a_join_outside_of_forks_comes_up_once() {
    check(
        "start d; decision d a b; action a j; action b j; join j c; action c e; end e",
        "start d a b",
        &["E0742 at j: b.1>j of - [start.1>d d.2>b b.1>j] []"],
    );
    check(
        "start a; action a f c; fork f b c; action b j; action c j; join j e; end e",
        "start a f b c j",
        &["E0742 at j: c.1>j of -! [start.1>a a.2>c c.1>j] []"],
    );
    check(
        "start f; fork f b c; action b j; action c j; join j l; join l e; end e",
        "start f b c j",
        &["E0742 at l: j.1>l of - [start.1>f f.1>b b.1>j j.1>l] []"],
    );
}

#[test]
fn two_paths_that_meet_before_they_are_joined_are_told_at_the_first_node() {
    check(
        "start f; fork f a b; action a c k; action b c k; action c x k; action x j k; join j e; end e; kill k",
        "start f a b c x",
        &["E0743 at c: a.1>c b.1>c of f [f.1>a a.1>c] [f.2>b b.1>c]"],
    );
    check(
        "start f; fork f a b; action a c k; action b j c; action c j; join j e; end e; kill k",
        "start f a b c",
        &["E0743 at c: a.1>c b.2>c of f! [f.1>a a.1>c] [f.2>b b.2>c]"],
    );
    // Where both only kill from there, the rest is looked at all the same.
    check(
        "start f; fork f a b; action a c k; action b c k; action c k k; end e; kill k",
        "start f a b c",
        &["E0743 at c: a.1>c b.1>c of f [f.1>a a.1>c] [f.2>b b.1>c]"],
    );
    check(
        "start f; fork f a a; action a j; join j e; end e",
        "start f a",
        &["E0744 at f: f.1>a f.2>a [f.1>a] [f.2>a]"],
    );
    check(
        "start f; fork f d a; decision d a j; action a j; join j e; end e",
        "start f d a",
        &["E0743 at a: f.2>a d.1>a of f [f.2>a] [f.1>d d.1>a]"],
    );
    // The paths of two forks inside one fork come to one join, which goes on twice.
    check(
        "start f; fork f g h; fork g a b; fork h c d; action a j; action b j; action c j; action d j; join j l; \
         join l e; end e",
        "start f g h a b c d j",
        &["E0758 at j: g a.1>j, h c.1>j [f.1>g g.1>a a.1>j] [f.2>h h.1>c c.1>j]"],
    );
}

#[test]
fn paths_that_wait_in_different_joins_are_told_by_two_that_do_so_at_once() {
    let split = |a: &str, b: &str| {
        format!("start f; fork f a b; action a {a}; action b {b}; join j e; join l e; end e")
    };
    check(&split("j", "l"), "start f a b", &["E0757 at f: a.1>j b.1>l [f.1>a a.1>j] [f.2>b b.1>l]"]);
    check(&split("l", "j"), "start f a b", &["E0757 at f: a.1>l b.1>j [f.1>a a.1>l] [f.2>b b.1>j]"]);
    check(&split("j", "j l"), "start f a b j", &["E0757 at f: a.1>j b.2>l! [f.1>a a.1>j] [f.2>b b.2>l]"]);
    check(&split("j l", "j l"), "start f a b j l", &["E0757 at f: a.2>l b.1>j! [f.1>a a.2>l] [f.2>b b.1>j]"]);
    check(&split("j l", "l j"), "start f a b j l", &["E0757 at f: a.1>j b.1>l [f.1>a a.1>j] [f.2>b b.1>l]"]);
    check(&split("j j", "j j"), "start f a b j", &[]);
    // A third path that always kills ends what waits; one that may go well does not.
    let third = |c: &str| {
        format!(
            "start f; fork f a b c; action a j; action b l; action c {c}; join j e; join l e; end e; kill k"
        )
    };
    check(&third("k k"), "start f a b c", &[]);
    check(&third("j k"), "start f a b c", &["E0757 at f: a.1>j b.1>l [f.1>a a.1>j] [f.2>b b.1>l]"]);
    check(
        "start f; fork f a b k; action a j; action b l; join j e; join l e; end e; kill k",
        "start f a b",
        &[],
    );
}

#[test]
fn inner_forks_can_be_stuck_too() {
    let inner = |last: &str| {
        format!(
            "start f; fork f g c; fork g a b; action a j; action b m; action c {last}; join j l; join m l; join l e; \
             end e; kill k"
        )
    };
    let told = ["E0757 at g: a.1>j b.1>m [g.1>a a.1>j] [g.2>b b.1>m]"];
    check(&inner("l"), "start f g a b c", &told);
    check(&inner("l k"), "start f g a b c", &told);
    // The other path of the fork around kills everything.
    check(&inner("k"), "start f g a b c", &[]);
    check(
        "start f; fork f g h; fork g a b; action a j; action b m; fork h c x; action c p; action x q; join j l; \
         join m l; join p l; join q l; join l e; end e; kill k",
        "start f g a b h c x",
        &[
            "E0757 at g: a.1>j b.1>m [g.1>a a.1>j] [g.2>b b.1>m]",
            "E0757 at h: c.1>p x.1>q [h.1>c c.1>p] [h.2>x x.1>q]",
        ],
    );
}

#[test]
fn what_always_kills_beside_leaves_nothing_waiting() {
    let beside = |path: &str| {
        format!(
            "start f; fork f g x; fork g a b; action a j; action b m; join j l; join m l; join l e; {path}; end e; \
             kill k"
        )
    };
    let told = ["E0757 at g: a.1>j b.1>m [g.1>a a.1>j] [g.2>b b.1>m]"];
    // A fork of which one path kills, or what follows its join.
    check(&beside("fork x k y; action y p; join p l"), "start f g a b x y", &[]);
    check(
        &beside("fork x y y2; action y p; action y2 p; join p z; action z k k"),
        "start f g a b x y y2 p z",
        &[],
    );
    check(
        &beside("fork x y y2; action y p; action y2 p; join p z; action z k l"),
        "start f g a b x y y2 p z",
        &told,
    );
    // Of two joins the one that leads on will do.
    check(
        &beside("fork x y y2; decision y p q; decision y2 p q; join p k; join q l"),
        "start f g a b x y y2 p q",
        &[told[0], "E0757 at x: y.2>q y2.1>p [x.1>y y.2>q] [x.2>y2 y2.1>p]"],
    );
    // A path that waits in `j` kills nothing, though the join of `g`, which is the same, would.
    check(
        "start f; fork f p h; decision p j g; fork g a b; action a j; action b j; join j x; action x k k; \
         fork h c d; action c m; action d q; join m j; join q j; end e; kill k",
        "start f p g a b j x h c d",
        &["E0757 at h: c.1>m d.1>q [h.1>c c.1>m] [h.2>d d.1>q]"],
    );
}

/// A node that is reached in several ways by one path.
#[test]
fn the_best_way_of_a_path_counts() {
    // A way that needs no failure goes before one that does.
    check("start a; action a f f; fork f e e; end e", "start a f", &["E0737 at e: f.1>e in f [f.1>e] []"]);
    check(
        "start f; fork f j a; action a l l; join j e; join l e; end e",
        "start f a",
        &["E0757 at f: f.1>j a.1>l [f.1>j] [f.2>a a.1>l]"],
    );
    check(
        "start f; fork f a j; action a b j; action b j k; join j g; fork g e e; kill k; end e",
        "start f a b j g",
        &["E0737 at e: g.1>e in g [g.1>e] []"],
    );
    // Of two that are as good, the first.
    check(
        "start f; fork f j a; decision a l l; join j e; join l e; end e",
        "start f a",
        &["E0757 at f: f.1>j a.1>l [f.1>j] [f.2>a a.1>l]"],
    );
    check(
        "start f; fork f c j; decision c j j; join j l; join l e; end e",
        "start f c j",
        &["E0742 at l: j.1>l of - [start.1>f f.1>c c.1>j j.1>l] []"],
    );
    // Two paths that need no failure to wait in different joins go before two of which one does.
    check(
        "start f; fork f j a l; action a k m; join j e; join l e; join m e; end e; kill k",
        "start f a",
        &["E0757 at f: f.1>j f.3>l [f.1>j] [f.3>l]"],
    );
    // A path that has come to one join in several ways can still come to another.
    check(
        "start f; fork f g j; fork g d l; decision d a l; action a l j; join l j; join j e; end e",
        "start f g d a l j",
        &["E0757 at g: g.2>l a.2>j! [g.2>l] [g.1>d d.1>a a.2>j]"],
    );
}

#[test]
fn behind_paths_that_meet_only_what_can_be_reached_without_that_is_looked_at() {
    // The join of a fork whose paths meet, or of one that starts twice, does not go on.
    check(
        "start f; fork f g g; fork g j j; join j e; end e",
        "start f g",
        &["E0744 at f: f.1>g f.2>g [f.1>g] [f.2>g]"],
    );
    check(
        "start f; fork f a b; decision a g j; decision b j g; fork g k j; join j e; kill k; end e",
        "start f a b g",
        &["E0743 at g: a.1>g b.2>g of f [f.1>a a.1>g] [f.2>b b.2>g]"],
    );
    // But `l` can be joined without `b`.
    check(
        "start f; fork f g b; fork g d l; decision d l b; action b l k; join l j; join j e; kill k; end e",
        "start f g d b l",
        &["E0743 at b: f.2>b d.2>b of f [f.2>b] [f.1>g g.1>d d.2>b]"],
    );
    // And a path of `f` comes to `j` without `b`, while the other one waits in `l`.
    check(
        "start o; fork o f p; fork f d l; decision d j b; decision p m b; action b j k; join j m; join l m; \
         join m e; end e; kill k",
        "start o f d p b",
        &[
            "E0743 at b: d.2>b p.2>b of o [o.1>f f.1>d d.2>b] [o.2>p p.2>b]",
            "E0757 at f: f.2>l d.1>j [f.2>l] [f.1>d d.1>j]",
        ],
    );
    // And `f` by a way on which nothing meets.
    check(
        "start a; fork a d b; decision b k c d; action c f k; action d k f; fork f k e e; kill k; end e",
        "start a b c d f",
        &[
            "E0743 at d: a.1>d b.3>d of a [a.1>d] [a.2>b b.3>d]",
            "E0743 at f: c.1>f d.2>f of a! [a.2>b b.2>c c.1>f] [a.1>d d.2>f]",
            "E0737 at e: f.2>e in f [f.2>e] []",
        ],
    );
    // Two that meet are told where one of them is not yet met by another.
    check(
        "start a; fork a c d c; fork c e d; action d k e; kill k; end e",
        "start a c d",
        &[
            "E0744 at a: a.1>c a.3>c [a.1>c] [a.3>c]",
            "E0737 at e: c.1>e in c [c.1>e] []",
            "E0743 at d: a.2>d c.2>d of a [a.2>d] [a.1>c c.2>d]",
            "E0737 at e: d.2>e in a! [a.2>d d.2>e] []",
        ],
    );
}

#[test]
fn only_so_many_contexts_of_a_node_are_looked_at() {
    let is_whole = |paths: usize| {
        let workflow =
            workflow(&format!("start f; fork f {}; action a j; join j e; end e", "a ".repeat(paths)));
        let flow = Flow::new(&workflow);
        truth(&flow, &reachable(&flow)).is_whole
    };
    assert_eq!([is_whole(1), is_whole(MOST_CONTEXTS), is_whole(MOST_CONTEXTS + 1)], [true, true, false]);
}

#[test]
fn only_the_end_of_a_very_long_way_is_kept() {
    let length = |count: usize| {
        let chain: String = (1..count).map(|index| format!("action a{index} a{}; ", index + 1)).collect();
        let workflow =
            workflow(&format!("start f; fork f a1 b; {chain}action a{count} e; action b k; end e; kill k"));
        let flow = Flow::new(&workflow);
        let truth = truth(&flow, &reachable(&flow));
        let way = &truth.faults[0].ways[0];
        (way.len(), flow.shown(way[0].from).to_owned(), flow.shown(way[way.len() - 1].from).to_owned())
    };
    let told = |length, first: &str, last: &str| (length, first.to_owned(), last.to_owned());
    assert_eq!(length(1), told(2, "f", "a1"));
    assert_eq!(length(LONGEST_WAY - 1), told(LONGEST_WAY, "f", "a999"));
    assert_eq!(length(LONGEST_WAY), told(LONGEST_WAY, "a1", "a1000"));
    assert_eq!(length(LONGEST_WAY + 9), told(LONGEST_WAY, "a10", "a1009"));
}

#[test]
fn what_a_server_says_is_put_beside_what_is_true() {
    let check = |sketch: &str, expected: &[&str]| assert_eq!(said(sketch), expected, "{sketch}");
    // The same fault is shown as an execution has it.
    check(
        "start f; fork f d c; decision d a c; action a c; action c j; join j e; end e",
        &["server: E0743 at c: f.2>c d.2>c of f [f.2>c] [f.1>d d.2>c]"],
    );
    check(
        "start d; decision d a b; action a j; action b j; join j e; end e",
        &["server: E0742 at j: b.1>j of - [start.1>d d.2>b b.1>j] []"],
    );
    check(
        "start a; action a f j; fork f b c; action b j; action c j; join j e; end e",
        &["server: E0742 at j: a.2>j of f [start.1>a a.2>j] []"],
    );
    // What only follows from a fault that the server tells is not told again.
    check("start f; fork f a b; action a e k; action b e k; kill k; end e", &["server: E0733 at f: f a.1>e"]);
    check(
        "start f; fork f a g; fork g b c; action a j; action b j; action c j; join j e; end e",
        &["server: E0758 at j: f a.1>j, g b.1>j"],
    );
    // What the server does not see is told with its way in.
    check(
        "start d; decision d f c; fork f a c; action a j; action c j; join j e; end e",
        &["hidden by c.1>j: E0742 at j: c.1>j of f [start.1>d d.2>c c.1>j] []"],
    );
    check(
        "start f; fork f a b; action a c k; action b j c; action c j; join j e; end e; kill k",
        &["hidden by b.2>c after a failure: E0743 at c: a.1>c b.2>c of f [f.1>a a.1>c] [f.2>b b.2>c]"],
    );
    // What it refuses though no execution goes wrong is harmless.
    check(
        "start f; fork f a b k; action a j; action b l; join j e; join l e; end e; kill k",
        &["server, harmless: E0757 at f: a.1>j b.1>l"],
    );
    check(
        "start d; decision d f g; fork f a b; fork g x y; action a j; action b j; action x j; action y j; join j e; \
         end e",
        &["server, harmless: E0758 at j: f a.1>j, g x.1>j"],
    );
    // A path that ends in the join of another fork is told as that.
    check(
        "start f; fork f a g; fork g b c; action a j; action b l; action c j; join j e; join l e; end e",
        &[
            "server: E0758 at j: f a.1>j, g c.1>j [g.1>b b.1>l] [g.2>c c.1>j]",
            "server: E0737 at e: l.1>e in f",
        ],
    );
    check(
        "start a; fork a f b; fork b f c; join c f; join f e; end e",
        &["server: E0758 at f: a a.1>f, b b.1>f [b.1>f] [b.2>c]"],
    );
    // Each fault takes the place of that one which is told at its node with its code.
    check(
        "start a; fork a b c; fork b c e; fork c k k; kill k; end e",
        &[
            "server: E0733 at c: c c.1>k",
            "server: E0737 at e: b.2>e in b [b.2>e] []",
            "server: E0743 at c: a.2>c b.1>c of a [a.2>c] [a.1>b b.1>c]",
        ],
    );
    // Paths meet in `f` only behind `d`, of which more is told than that; the end comes up without it.
    check(
        "start a; join b k; action f e k; action a b c; fork c d f; fork d e f; kill k; end e",
        &[
            "server: E0742 at b: a.1>b of - [start.1>a a.1>b] []",
            "server: E0733 at d: d d.1>e",
            "hidden by f.1>e after a failure: E0737 at e: f.1>e in c [c.2>f f.1>e] []",
        ],
    );
    // Of what start does not reach, executions say nothing.
    check(
        "start e; end e; fork f a b; action a j; action b l; join j u; join l u; end u",
        &["unreached: E0757 at f: a.1>j b.1>l"],
    );
}
