//! What the server says first of a workflow.

use super::*;
use crate::analysis::flow::testing::workflow;

/// The code and the node, such as "E0733 f"; "-" where the server accepts.
fn told(sketch: &str, validate_fork_join: bool) -> String {
    let workflow = workflow(sketch);
    let flow = Flow::new(&workflow);
    let Some(refusal) = verdict(&flow, validate_fork_join) else { return "-".to_owned() };
    let node = refusal.node.map(|node| format!(" {} {}", node.index(), flow.shown(node)));
    refusal.code.to_owned() + &node.unwrap_or_default()
}

#[test]
fn the_verdict_is_the_first_thing_that_the_server_says() {
    let check = |sketch: &str, expected: &str| assert_eq!(told(sketch, true), expected, "{sketch}");
    let fork = "fork f a b; action a j k; action b j k; join j e; kill k; end e";
    check("", "-");
    check("end e", "-");
    check("start a; action a e k; kill k; end e", "-");
    check(&format!("start f; {fork}"), "-");
    // Names, in the order of the document.
    check("start a; action a e e; action a e e; end e", "E0705 2 a");
    check("start a; action a a e; action a e e; end e", "E0706 1 a");
    check("start a; action a e e; action a a a; end e", "E0705 2 a");
    check("start a; action a e e; action b e b; end e", "E0706 2 b");
    check("start a; action a gone e; end e; end e", "E0705 3 e");
    // Then, along a walk in depth, loops, targets and names.
    check("start gone; end e", "E0708 0 start");
    check("start a; action a b e; action b a gone; end e", "E0707 1 a");
    check("start a; action a b e; action b gone a; end e", "E0708 2 b");
    check("start a; action a b gone; action b c e; action c b e; end e", "E0707 2 b");
    check("start 1a; action 1a gone e; end e", "E0724 1 1a");
    check("start a; action a e gone; end e.e", "E0708 1 a");
    check("start a; action a e.e gone; end e.e", "E0724 2 e.e");
    check("start a; action a e e; end e; action 1lost gone 2lost; action 2lost 1lost e", "-");
    check("start d; decision d a b; action a c c; action b c c; action c e e; end e", "-");
    // Then the numbers of forks and joins that start reaches.
    check("start f; fork f a b; action a e k; action b e k; kill k; end e", "E0730");
    check("start a; action a j e; join j e; end e", "E0730");
    check("start f; fork f a b; action a j e; action b l e; join j l; join l e; end e", "E0730");
    check(&format!("start f; {fork}; join l e"), "-");
    check(&format!("start f; {fork}; fork g a b"), "-");
    check(&format!("start a0; action a0 f j; {fork}"), "E0742 5 j");
    check(&format!("start e; {fork}"), "-");
    // Then forks and joins.
    check("start f; fork f a b; action a e k; action b e k; action c j k; join j e; kill k; end e", "E0730");
    check("start j; fork f a b; action a k k; action b k k; join j f; kill k; end e", "E0742 4 j");
    check("start f; fork f a a; action a j k; join j e; kill k; end e", "E0744 1 f");
    check("start f; fork f a b; action a j k; action b e k; join j e; kill k; end e", "E0737 6 e");
    check(
        "start f; fork f a b; action a c k; action b c k; action c j k; join j e; kill k; end e",
        "E0743 4 c",
    );
    check(
        "start f; fork f a g; fork g b c; action a j e; action b j e; action c j e; join j l; join l e; end e",
        "E0737 8 e",
    );
    check(
        "start f; fork f a g; fork g b c; action a j k; action b j k; action c j k; join j l; join l e; \
         kill k; end e",
        "E0758 6 j",
    );
    check(
        "start d; decision d f g; fork f a b; fork g c h; action a j k; action b l k; action c l k; \
         action h l k; join j e; join l e; kill k; end e",
        "E0757 2 f",
    );
    check(
        "start f; fork f g c; fork g a b; action a j k; action b j k; action c j k; join j l; join l e; \
         kill k; end e",
        "E0758 6 j",
    );
    check("start f; fork f k k; kill k; join j e; action x j e; end e", "E0730");
}

#[test]
fn a_job_can_ask_the_server_not_to_look_at_forks_and_joins() {
    let check = |sketch: &str, expected: &str| assert_eq!(told(sketch, false), expected, "{sketch}");
    check("start f; fork f a b; action a e k; action b e k; kill k; end e", "-");
    check("start f; fork f a a; action a j k; join j e; kill k; end e", "-");
    check("start f; fork f f a; action a e k; kill k; end e", "E0706 1 f");
    check("start f; fork f a gone; action a e k; kill k; end e", "E0708 1 f");
}

#[test]
fn forks_and_joins_count_where_they_are_reached() {
    let workflow =
        workflow("start f; fork f g a; fork g a a; join j e; join l e; join m e; action a j l; end e");
    let flow = Flow::new(&workflow);
    let count = |reachable: &[bool]| {
        let counts = Counts::of(&flow, reachable);
        (counts.forks, counts.joins)
    };
    assert_eq!(count(&reachable(&flow)), (2, 2));
    assert_eq!(count(&vec![true; flow.len()]), (2, 3));
    assert_eq!(count(&vec![false; flow.len()]), (0, 0));
}

#[test]
fn names_are_of_letters_digits_dashes_and_underscores() {
    let check = |name: &str, fits, accepted| {
        assert_eq!((name_fits_pattern(name), name_is_accepted(name)), (fits, accepted), "{name}");
    };
    for good in ["a", "Z", "_", "a1", "_-", "aA_0-z9", "a_b", "a-b"] {
        check(good, true, true);
    }
    for bad in ["", "1", "-", "-a", "1a", "a.b", "a b", "é", "aé", "a$", ":start:", "a:"] {
        check(bad, false, false);
    }
    check(&"a".repeat(127), true, true);
    check(&"a".repeat(128), true, true);
    check(&"a".repeat(129), true, false);
    check(&"1".repeat(129), false, false);
}

#[test]
fn every_fault_has_the_code_that_the_server_raises() {
    let (node, edge) = (NodeId::new(0), EdgeId::first(NodeId::new(0)));
    let faults = [
        Fault::NoJoin { fork: node, leaf: None },
        Fault::EndInside { fork: node, end: node, via: edge },
        Fault::NoFork { join: node, via: edge, fork: None },
        Fault::Concurrent { node, fork: node, first: edge, second: edge },
        Fault::SameTarget { fork: node, first: edge, second: edge },
        Fault::ManyJoins { fork: node, first: edge, second: edge },
        Fault::ManyForks { join: node, first: (node, edge), second: (node, edge) },
    ];
    let codes = faults.map(|fault| fault.code());
    assert_eq!(codes, ["E0733", "E0737", "E0742", "E0743", "E0744", "E0757", "E0758"]);
}
