//! The facts of a workflow together: what is said of it, how it is weighed, and by which path it is shown.

use super::testing::{names, workflow};
use super::*;
use crate::diag::{Group, Info};
use crate::source::Span;

const INFO: &Info = &Info {
    name: "any",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0700"],
    explanation: "",
};

fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(INFO, span, "it is wrong")
}

/// A finding as text: how bad, when noticed, the codes, the message, and what labels say.
fn told(finding: &Diagnostic) -> String {
    let stage = finding.stage.map_or("never", Stage::name);
    let labels: String = finding.labels.iter().map(|label| format!(" [{}]", label.message)).collect();
    format!("{} {stage} {}: {}{labels}", finding.severity.name(), finding.oozie.join(" "), finding.message)
}

/// Every fault of fork and join as a finding about its node, weighed.
fn judged(sketch: &str, validates_forks: bool) -> Vec<String> {
    let workflow = workflow(sketch);
    let mut facts = Facts::new(Flow::new(&workflow));
    facts.validates_forks = validates_forks;
    let judge = |found: &Found| {
        let node = found.fault.node();
        let finding = facts.judge(found, finding(facts.flow.place(node)));
        format!("{} {}", facts.flow.shown(node), told(&finding))
    };
    facts.walk.faults.iter().map(judge).collect()
}

#[test]
fn executions_are_looked_at_where_no_loop_or_loose_end_is_reached() {
    let check = |sketch: &str, loose, plain| {
        let workflow = workflow(sketch);
        let facts = Facts::new(Flow::new(&workflow));
        assert_eq!((facts.has_loose_end(), facts.truth.is_some()), (loose, plain), "{sketch}");
        assert_eq!(facts.before().is_some(), plain, "{sketch}");
    };
    check("start a; action a e k; kill k; end e", false, true);
    check("start gone; end e", true, false);
    check("start a; action a e gone; end e", true, false);
    check("start a; action a e e; end e; action l e gone", false, true);
    check("start a; action a b e; action b a e; end e", false, false);
    check("start e; action a b e; action b a e; end e", false, true);
    check("start e; action b a e; action a b e; end e", false, true);
    check("start a; action a e a; end e", false, false);
    check("start e; action a e a; end e", false, true);
    check("start a; action a b e; action b a gone; end e", true, false);
    check("start a; action a e e; end e; action x y e; action y x e", false, true);
}

#[test]
fn without_a_start_nothing_is_reached_and_there_is_no_order() {
    let workflow = workflow("action a b e; action b a gone; end e");
    let facts = Facts::new(Flow::new(&workflow));
    assert_eq!((facts.has_loose_end(), facts.truth.is_some()), (false, true));
    assert!(facts.before().is_none());
}

#[test]
fn there_is_no_order_where_forks_and_joins_do_not_fit() {
    let check = |sketch: &str, expected| {
        let workflow = workflow(sketch);
        assert_eq!(Facts::new(Flow::new(&workflow)).before().is_some(), expected, "{sketch}");
    };
    let fork = "fork f a b; action a j k; action b j k; join j e; kill k; end e";
    check(&format!("start f; {fork}"), true);
    check(&format!("start f; {fork}; fork g c c; action c l k; join l e"), true);
    check("start f; fork f a b; action a e k; action b e k; kill k; end e", false);
    check("start a; action a j k; join j e; kill k; end e", false);
}

#[test]
fn a_node_goes_to_itself_where_it_gives_its_own_name() {
    let check = |sketch: &str, expected: &str| {
        let workflow = workflow(sketch);
        let facts = Facts::new(Flow::new(&workflow));
        let own = facts.flow.ids().filter(|id| facts.goes_to_itself(*id));
        assert_eq!(own.map(|id| id.index().to_string()).collect::<Vec<_>>().join(" "), expected, "{sketch}");
    };
    check("start a; action a b c; action b e e; action c e e; end e", "");
    check("start a; action a b a; action b b e; action c e e; end e", "1 2");
    // Of two nodes of one name both give it, though it means the first.
    check("start a; action a b e; action b e e; action b b e; end e", "3");
    check("start a; action a b e; action b e b; action b e e; end e", "2");
}

#[test]
fn what_start_does_not_reach_is_only_a_warning() {
    let workflow = workflow("start a; action a e e; action b e e; end e");
    let facts = Facts::new(Flow::new(&workflow));
    let weighed = |name: &str| {
        let node = facts.flow.find(name).expect("a node");
        assert_eq!(facts.is_reached(node), name != "b");
        told(&facts.weigh(node, finding(facts.flow.place(node))))
    };
    assert_eq!(weighed("a"), "error submit E0700: it is wrong");
    assert_eq!(weighed("b"), "warning never : it is wrong");
}

#[test]
fn what_the_server_refuses_has_its_codes() {
    let ends = "start f; fork f a b; action a e k; action b j k; join j e; kill k; end e";
    assert_eq!(judged(ends, true), ["e error submit E0737: it is wrong"]);
    assert_eq!(
        judged(ends, false),
        [
            "e warning never : it is wrong, which this server does not look at: it ends the workflow there, and what runs on other paths is killed"
        ]
    );
    // The numbers of forks and joins are compared first.
    let alone = "start f; fork f a b; action a e k; action b e k; kill k; end e";
    let found = judged(alone, true);
    assert!(found.iter().all(|found| found.contains(" error submit E0730 E07")), "{found:?}");
    let after = "start a; action a j k; join j e; kill k; end e";
    assert_eq!(judged(after, true), ["j error submit E0730 E0742: it is wrong"]);
    let harmless = "start f; fork f a b k; action a j; action b l; join j e; join l e; end e; kill k";
    assert_eq!(
        judged(harmless, true),
        [
            "f error submit E0730 E0757: it is wrong, which the server refuses although no execution goes wrong"
        ]
    );
    assert_eq!(
        judged(harmless, false),
        ["f warning never : it is wrong, which this server does not look at"]
    );
}

#[test]
fn a_fault_where_start_does_not_lead_is_a_warning() {
    let lost = "start e; end e; fork f a a; action a j; join j u; end u";
    assert_eq!(judged(lost, true), ["f warning never : it is wrong"]);
}

#[test]
fn what_only_an_execution_shows_is_told_with_the_way_in() {
    let check = |sketch: &str, expected: &str| {
        assert_eq!(judged(sketch, true), [expected], "{sketch}");
        assert_eq!(judged(sketch, false), [expected], "{sketch}");
    };
    // The error transition of `b` leads where the other path leads: the server looks at `ok` alone.
    check(
        "start f; fork f a b; action a c k; action b j c; action c j k; join j e; kill k; end e",
        "c warning never : it is wrong, which the server does not see [`error` of `b` leads there]",
    );
    // The decision above the fork hides that its paths meet.
    check(
        "start d; decision d f e; fork f a b; action a c; action b c; action c j; join j e; end e",
        "c error action E0709: it is wrong, which the server does not see [`ok` of `b` leads there]",
    );
    // What was walked inside the fork is not walked again outside.
    check(
        "start d; decision d f c; fork f a c; action a j; action c j; join j e; end e",
        "j error action E0720: it is wrong, which the server does not see [`ok` of `c` leads there]",
    );
    // And the other way round.
    check(
        "start d; decision d x f; fork f a y; action a j; decision y j x; join j e; action x e; end e",
        "e error never : it is wrong, which the server does not see [`ok` of `x` leads there]",
    );
}

#[test]
fn the_way_in_is_marked_once() {
    let workflow = workflow("start d; decision d f c; fork f a c; action a j; action c j; join j e; end e");
    let facts = Facts::new(Flow::new(&workflow));
    let place = |name: &str| facts.flow.edge(EdgeId::first(facts.flow.find(name).expect("a node"))).to.span;
    let labels = |finding: Diagnostic| {
        let finding = facts.judge(&facts.walk.faults[0], finding);
        finding.labels.into_iter().map(|label| label.message).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(labels(finding(place("a"))), "`ok` of `c` leads there");
    assert_eq!(labels(finding(place("c"))), "");
    assert_eq!(labels(finding(place("a")).label(place("c"), "here")), "here");
    assert_eq!(labels(finding(place("c")).label(place("d"), "there")), "there");
    assert_eq!(labels(finding(place("a")).label(place("d"), "there")), "there, `ok` of `c` leads there");
}

#[test]
fn a_fault_is_shown_by_ways_of_an_execution_or_else_of_the_walk() {
    let workflow = workflow(
        "start f; fork f a b; action a c k; action b d c; action c j k; action d j k; join j l; join l e; kill k; \
         end e",
    );
    let facts = Facts::new(Flow::new(&workflow));
    let node = |name: &str| facts.flow.find(name).expect("a node");
    let told = |found: &Found, index, from: &str, via: &str, at| {
        facts.witness(found, index, node(from), EdgeId { from: node(via), index: at })
    };
    let [outside, meeting] = &facts.walk.faults[..] else { panic!("{:?}", facts.walk.faults) };
    assert_eq!(outside.fault.code(), "E0742");
    assert_eq!(told(outside, 0, ":start:", "j", 0), "`start` → `f` → `a` → `c` → `j` → `l`");
    assert_eq!(meeting.fault.code(), "E0743");
    assert_eq!(told(meeting, 0, "f", "a", 0), "`f` → `a` → `c`");
    assert_eq!(told(meeting, 1, "f", "b", 1), "`f` → `b` → error → `c`");
    // A way that ends elsewhere shows nothing.
    assert_eq!(told(meeting, 0, "f", "b", 1), "`f` → `b` → `c`");
    assert_eq!(told(meeting, 1, "f", "b", 0), "`f` → `b` → `d`");
    let bare = Found { ways: None, ..meeting.clone() };
    assert_eq!(told(&bare, 1, "f", "b", 1), "`f` → `b` → `c`");
    // It begins where the way begins, wherever one asks from.
    assert_eq!(told(meeting, 1, ":start:", "b", 1), "`f` → `b` → error → `c`");
}

#[test]
fn nodes_are_reached_finish_and_turn() {
    let workflow = workflow("start a; action a b e; action b c e; action c b k; action l l l; end e; kill k");
    let facts = Facts::new(Flow::new(&workflow));
    let flow = &facts.flow;
    let reached = flow.ids().filter(|id| facts.is_reached(*id));
    assert_eq!(names(flow, reached), "start a b c e k");
    assert_eq!(names(flow, flow.ids().filter(|id| facts.finishes[id.index()])), "start a b c e k");
    assert_eq!(facts.whole_loop(&facts.loops[0]), "`b` → `c` → `b`");
    assert!(facts.validates_forks);
}
