//! How places, transitions, paths, ways and loops are told.

use super::*;
use crate::analysis::flow::testing::workflow;
use crate::analysis::testing;

fn node(flow: &Flow<'_>, name: &str) -> NodeId {
    flow.find(name).unwrap_or_else(|| panic!("no {name}"))
}

/// A chain of actions `a1` to `a<count>`, with `middle` behind it.
fn chain(count: usize, last: &str, middle: &str) -> String {
    let action = |index: usize| match index {
        _ if index == count => format!("action a{index} {last} k; "),
        _ => format!("action a{index} a{} k; ", index + 1),
    };
    let actions: String = (1..=count).map(action).collect();
    format!("start a1; {actions}{middle}; kill k")
}

/// Names from `a<from>` to `a<to>` with arrows between.
fn run(from: usize, to: usize) -> String {
    arrows(
        (from..=to)
            .map(|index| format!("a{index}"))
            .collect::<Vec<_>>()
            .iter()
            .map(|name| Some(name.as_str())),
    )
}

#[test]
fn a_node_is_shown_where_its_name_stands_or_else_its_tag() {
    let document = "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><start to='a'/><action name='a'/>\
                    <kill/><join name=''/><end name='e'/></workflow-app>";
    let workflow = testing::workflow(document);
    let flow = Flow::new(&workflow);
    let places: Vec<&str> = flow.ids().map(|id| &document[flow.place(id).range()]).collect();
    assert_eq!(places, ["start", "a", "kill", "join", "e"]);
    let shown: Vec<&str> = flow.ids().map(|id| flow.shown(id)).collect();
    assert_eq!(shown, ["start", "a", "", "", "e"]);
}

#[test]
fn transitions_are_told_by_what_they_are_for_their_node() {
    let workflow = workflow("start f; fork f a d; decision d a b j; action a j k; join j e; end e; kill k");
    let flow = Flow::new(&workflow);
    let words: Vec<String> = flow.ids().flat_map(|id| flow.edges(id)).map(|(id, _)| flow.words(id)).collect();
    let expected = [
        "start",
        "path 1 of `f`",
        "path 2 of `f`",
        "case 1 of `d`",
        "case 2 of `d`",
        "`default` of `d`",
        "`ok` of `a`",
        "`error` of `a`",
        "join `j`",
    ];
    assert_eq!(words, expected);
}

#[test]
fn names_have_arrows_between() {
    assert_eq!(arrows([]), "");
    assert_eq!(arrows([Some("a")]), "`a`");
    assert_eq!(arrows([Some("a"), None, Some("b")]), "`a` → … → `b`");
}

#[test]
fn a_path_is_told_as_the_walk_went() {
    let check = |sketch: &str, from: &str, to: (&str, u32), expected: &str| {
        let workflow = workflow(sketch);
        let facts = Facts::new(Flow::new(&workflow));
        let via = EdgeId { from: node(&facts.flow, to.0), index: to.1 };
        assert_eq!(facts.path(node(&facts.flow, from), via), expected, "{sketch}");
    };
    let sketch = "start d; decision d a b; action a c k; action b c k; action c e gone; end e; kill k";
    check(sketch, ":start:", (":start:", 0), "`start` → `d`");
    check(sketch, ":start:", ("c", 0), "`start` → `d` → `a` → `c` → `e`");
    check(sketch, "d", ("c", 0), "`d` → `a` → `c` → `e`");
    check(sketch, "c", ("c", 0), "`c` → `e`");
    check(sketch, "b", ("b", 0), "`b` → `c`");
    // To a node that does not exist, the path leads up to where the name is given.
    check(sketch, "a", ("c", 1), "`a` → `c`");
    // The walk came another way.
    check(sketch, "b", ("c", 0), "`b` → … → `start` → `d` → `a` → `c` → `e`");
    // After a join it goes on from there.
    let joined = "start f; fork f a b; action a j k; action b j k; join j e; end e; kill k";
    check(joined, "f", ("j", 0), "`f` → `a` → `j` → `e`");
}

#[test]
fn a_long_path_is_cut_behind_its_beginning() {
    let check = |count: usize, expected: String| {
        let workflow = workflow(&chain(count, "e", "end e"));
        let facts = Facts::new(Flow::new(&workflow));
        let last = node(&facts.flow, &format!("a{count}"));
        assert_eq!(facts.path(facts.flow.start().expect("a start"), EdgeId::first(last)), expected);
    };
    check(10, format!("`start` → {} → `e`", run(1, 10)));
    check(11, format!("`start` → {} → `e`", run(1, 11)));
    check(12, format!("`start` → … → {} → `e`", run(2, 12)));
    check(13, format!("`start` → … → {} → `e`", run(3, 13)));
}

#[test]
fn the_shortest_way_past_a_node_is_found() {
    let check =
        |sketch: &str, from: &str, to: &str, without: Option<&str>, expected: Option<&str>, looked: usize| {
            let workflow = workflow(sketch);
            let facts = Facts::new(Flow::new(&workflow));
            let at = |name: &str| node(&facts.flow, name);
            let mut steps = 0;
            let way = facts.way_past(at(from), at(to), without.map(at), &mut steps);
            let told = way.map(|way| facts.way(&way));
            assert_eq!((told.as_deref(), steps), (expected, looked), "{sketch}: {from} {to} {without:?}");
        };
    let sketch =
        "start d; decision d a b c; action a b k; action b c k; action c e k; end e; kill k; action l k";
    check(sketch, "d", "d", None, Some("`d`"), 0);
    check(sketch, "d", "c", None, Some("`d` → `c`"), 1);
    check(sketch, "a", "c", None, Some("`a` → `b` → `c`"), 2);
    check(sketch, ":start:", "e", None, Some("`start` → `d` → `c` → `e`"), 5);
    check(sketch, ":start:", "k", None, Some("`start` → `d` → `a` → error → `k`"), 3);
    // Each node once: start, `d`, `a`, `b`, then `k` and `c`, and `e` behind it.
    check(sketch, ":start:", "l", None, None, 7);
    check(sketch, "a", "c", Some("b"), None, 2);
    check(sketch, "d", "e", Some("c"), None, 4);
    check(sketch, "d", "b", Some("a"), Some("`d` → `b`"), 1);
    check(sketch, "e", "k", None, None, 1);
    // A loop leads back to where it began, and to nothing else.
    let looped = "start a; action a b b; action b a c; action c gone a; end e";
    check(looped, "a", "a", None, Some("`a`"), 0);
    check(looped, "a", "c", None, Some("`a` → `b` → error → `c`"), 2);
    check(looped, "a", "e", None, None, 3);
    check(looped, "b", "a", None, Some("`b` → `a`"), 1);
}

#[test]
fn a_way_says_where_it_goes_on_after_a_failure() {
    let workflow = workflow("start a; action a b k; action b gone k; kill k");
    let facts = Facts::new(Flow::new(&workflow));
    let at = |name: &str, index| EdgeId { from: node(&facts.flow, name), index };
    let check = |from: &str, edges: &[EdgeId], expected: &str| {
        assert_eq!(facts.way(&Way { from: node(&facts.flow, from), edges: edges.to_vec() }), expected);
    };
    check(":start:", &[], "`start`");
    check(":start:", &[at(":start:", 0), at("a", 0), at("b", 1)], "`start` → `a` → `b` → error → `k`");
    check("b", &[at("b", 0)], "`b` → `gone`");
}

#[test]
fn a_long_way_is_cut_in_its_middle() {
    let workflow = workflow(&chain(20, "e", "end e"));
    let facts = Facts::new(Flow::new(&workflow));
    let check = |transitions: usize, expected: String| {
        let all = (1..=transitions).map(|index| EdgeId::first(node(&facts.flow, &format!("a{index}"))));
        let way = Way { from: node(&facts.flow, "a1"), edges: all.collect() };
        assert_eq!(facts.way(&way), expected);
    };
    check(1, run(1, 2));
    check(5, run(1, 6));
    check(6, run(1, 7));
    check(7, run(1, 8));
    check(11, run(1, 12));
    check(12, run(1, 13));
    check(13, format!("{} → … → {}", run(1, 7), run(9, 14)));
    check(14, format!("{} → … → {}", run(1, 7), run(10, 15)));
    check(18, format!("{} → … → {}", run(1, 7), run(14, 19)));
}

#[test]
fn a_loop_ends_where_it_begins_and_is_cut_in_its_middle_when_long() {
    let check = |count: usize, expected: String| {
        let workflow = workflow(&chain(count, "a1", "end e"));
        let facts = Facts::new(Flow::new(&workflow));
        assert_eq!(facts.loops.len(), 1);
        assert_eq!(facts.whole_loop(&facts.loops[0]), expected);
    };
    check(2, "`a1` → `a2` → `a1`".to_owned());
    check(98, format!("{} → `a1`", run(1, 98)));
    check(99, format!("{} → `a1`", run(1, 99)));
    check(100, format!("{} → … → {} → `a1`", run(1, 50), run(52, 100)));
    check(150, format!("{} → … → {} → `a1`", run(1, 50), run(102, 150)));
    let workflow = workflow("start e; end e");
    assert_eq!(Facts::new(Flow::new(&workflow)).whole_loop(&[]), "");
}
