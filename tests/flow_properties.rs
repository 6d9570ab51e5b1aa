//! The linear verdict agrees with a naive port of the server's validator, over all small graphs and random large ones.
//!
//! `ANKUS_THOROUGH=1` takes 100,000 random graphs instead of a few thousand, and every small one, as CI does.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::support::graphs::{Sketch, naive_verdict, random_sketch};
use ankus::analysis::flow::{Flow, server};
use ankus::analysis::subject;
use ankus::diag::Stage;
use ankus::rules::Sink;

fn thorough() -> bool {
    std::env::var_os("ANKUS_THOROUGH").is_some()
}

/// Runs `check` for every number below `count` on all processors.
fn in_parallel(count: usize, check: impl Fn(usize) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for first in 0..threads {
            let check = &check;
            scope.spawn(move || (first..count).step_by(threads).for_each(check));
        }
    });
}

/// Compares both verdicts, and ours with our own findings; gives the server's code.
fn compare(sketch: &Sketch) -> Option<&'static str> {
    let expected = naive_verdict(sketch);
    let workflow = sketch.workflow();
    let flow = Flow::new(&workflow);
    let verdict = server::verdict(&flow, true);
    assert_eq!(verdict.map(|refusal| refusal.code), expected, "{sketch:?}");

    let mut sink = Sink::new();
    ankus::rules::workflow(ankus::rules::ALL, &subject::Workflow::new(&workflow), &mut sink);
    let findings = sink.into_findings();
    let submit: Vec<_> = findings.iter().filter(|found| found.stage == Some(Stage::Submit)).collect();
    match expected {
        None => assert!(submit.is_empty(), "{sketch:?}\n{submit:#?}"),
        Some(code) => {
            let has = submit.iter().any(|found| found.oozie.contains(&code));
            assert!(has, "{code}: {sketch:?}\n{submit:#?}");
        }
    }
    for found in &findings {
        assert_eq!(found.stage.is_none(), found.oozie.is_empty(), "{sketch:?}\n{found:#?}");
    }
    expected
}

#[test]
fn random_graphs_get_the_verdict_of_the_server() {
    let seen = Mutex::new(BTreeMap::new());
    in_parallel(if thorough() { 100_000 } else { 5_000 }, |seed| {
        let code = compare(&random_sketch(seed as u64));
        *seen.lock().expect("no one failed").entry(code).or_insert(0) += 1;
    });
    let seen = seen.into_inner().expect("no one failed");
    assert!(seen.contains_key(&None), "none is accepted: {seen:?}");
    for code in
        ["E0705", "E0706", "E0707", "E0708", "E0730", "E0737", "E0742", "E0743", "E0744", "E0757", "E0758"]
    {
        assert!(seen.contains_key(&Some(code)), "{code} never occurs: {seen:?}");
    }
}

/// What a node can be and where it can lead, among `count` inner nodes, a kill node and an end node.
fn shapes(names: &[String]) -> Vec<(&'static str, Vec<String>)> {
    let mut shapes = Vec::new();
    for first in names {
        shapes.push(("join", vec![first.clone()]));
        for second in names {
            for kind in ["action", "decision", "fork"] {
                shapes.push((kind, vec![first.clone(), second.clone()]));
            }
        }
    }
    shapes
}

#[test]
fn all_small_graphs_get_the_verdict_of_the_server() {
    for inner in 1..=3 {
        let mut names: Vec<String> = (0..inner).map(|index| format!("n{index}")).collect();
        names.extend(["k".to_owned(), "end".to_owned()]);
        let shapes = shapes(&names);
        let total = shapes.len().pow(inner as u32);
        // All of them take long without optimization; a step that is prime to the number of shapes skips evenly.
        let step = if thorough() || total < 10_000 { 1 } else { 37 };
        in_parallel(total.div_ceil(step), |number| {
            let mut sketch = Sketch::to("n0");
            let mut rest = number * step;
            for name in &names[..inner] {
                let (kind, targets) = &shapes[rest % shapes.len()];
                rest /= shapes.len();
                sketch.nodes.push((name.clone(), kind, targets.clone()));
            }
            sketch.add("k", "kill", &[]);
            sketch.add("end", "end", &[]);
            compare(&sketch);
        });
    }
}

/// The rules that refuse, sorted.
fn refusals(sketch: &Sketch) -> Vec<String> {
    let workflow = sketch.workflow();
    let mut sink = Sink::new();
    ankus::rules::workflow(ankus::rules::ALL, &subject::Workflow::new(&workflow), &mut sink);
    let refusals = sink.into_findings().into_iter().filter(|found| found.stage == Some(Stage::Submit));
    let mut names: Vec<_> = refusals.map(|found| format!("{}: {}", found.rule.name, found.message)).collect();
    names.sort();
    names
}

/// Forks in a row, each broken in another way: each fault is named, and nothing else.
#[test]
fn faults_in_different_places_are_all_named() {
    let mut sketch = Sketch::to("split");
    sketch.add("split", "fork", &["a1", "a2"]);
    sketch.add("a1", "action", &["j1", "k"]);
    sketch.add("a2", "action", &["j2", "k"]);
    sketch.add("j1", "join", &["shared"]);
    sketch.add("j2", "join", &["shared"]);
    sketch.add("shared", "fork", &["b1", "b2"]);
    sketch.add("b1", "action", &["b3", "k"]);
    sketch.add("b2", "action", &["b3", "k"]);
    sketch.add("b3", "action", &["j3", "k"]);
    sketch.add("j3", "join", &["twice"]);
    sketch.add("twice", "fork", &["c1", "c1"]);
    sketch.add("c1", "action", &["j4", "k"]);
    sketch.add("j4", "join", &["ending"]);
    sketch.add("ending", "fork", &["d1", "d2"]);
    sketch.add("d1", "action", &["j5", "end"]);
    sketch.add("d2", "action", &["j5", "k"]);
    sketch.add("j5", "join", &["lone"]);
    sketch.add("lone", "join", &["outer"]);
    sketch.add("outer", "fork", &["inner", "e3"]);
    sketch.add("inner", "fork", &["e1", "e2"]);
    sketch.add("e1", "action", &["j6", "k"]);
    sketch.add("e2", "action", &["j6", "k"]);
    sketch.add("e3", "action", &["j6", "k"]);
    sketch.add("j6", "join", &["last"]);
    sketch.add("last", "decision", &["joinless", "loop", "gone", "last"]);
    sketch.add("joinless", "fork", &["g1", "k"]);
    sketch.add("g1", "action", &["end", "k"]);
    sketch.add("loop", "action", &["turn", "k"]);
    sketch.add("turn", "action", &["loop", "k"]);
    sketch.add("b1", "action", &["end", "k"]);
    sketch.add("k", "kill", &[]);
    sketch.add("end", "end", &[]);
    assert_eq!(
        refusals(&sketch),
        [
            "concurrent-node: two paths of `shared` lead to action `b3`",
            "end-inside-fork: end `end` is reached inside fork `ending`",
            "fork-many-joins: paths of fork `split` end in different joins: `j1` and `j2`",
            "fork-same-target: fork `twice` names `c1` twice",
            "fork-without-join: no path of fork `joinless` reaches a join",
            "join-many-forks: join `j6` waits for two forks: `inner` and `outer`",
            "join-without-fork: join `lone` is reached outside any fork",
            "node-duplicate: two nodes are named `b1`",
            "transition-self: decision `last` goes to itself",
            "transition-unknown: no node is named `gone`",
            "workflow-cycle: these nodes form a loop: `loop` → `turn` → `loop`",
        ]
    );
}

/// Everything that is said of it, as rule, severity and stage.
fn said(sketch: &Sketch) -> Vec<String> {
    let workflow = sketch.workflow();
    let mut sink = Sink::new();
    ankus::rules::workflow(ankus::rules::ALL, &subject::Workflow::new(&workflow), &mut sink);
    let words = |found: ankus::diag::Diagnostic| {
        let stage = found.stage.map_or("never", Stage::name);
        format!("{} {} {stage}: {}", found.severity.name(), found.rule.name, found.message)
    };
    sink.into_findings().into_iter().map(words).collect()
}

/// Two forks inside a fork; where the error transitions of `a` and `c` go is left to the caller.
fn two_inner_forks(a_error: &str, c_error: &str) -> Sketch {
    let mut sketch = Sketch::to("f");
    sketch.add("f", "fork", &["g", "h"]);
    sketch.add("g", "fork", &["a", "b"]);
    sketch.add("h", "fork", &["c", "d"]);
    for (name, error, join) in
        [("a", a_error, "jg"), ("b", "k", "jg"), ("c", c_error, "jh"), ("d", "k", "jh")]
    {
        sketch.add(name, "action", &[join, error]);
    }
    sketch.add("jg", "join", &["j"]);
    sketch.add("jh", "join", &["j"]);
    sketch.add("j", "join", &["end"]);
    sketch.add("k", "kill", &[]);
    sketch
}

#[test]
fn what_the_server_does_not_look_at_is_said_as_a_warning() {
    let mut shared = two_inner_forks("n", "n");
    shared.add("n", "action", &["jg", "k"]);
    shared.add("end", "end", &[]);
    assert_eq!(compare(&shared), None);
    assert_eq!(
        said(&shared),
        ["warning concurrent-node never: two paths of `f` lead to action `n`, which the server does not see"]
    );

    // One of two decisions' ways is taken: nothing runs twice, but the second way leads to the first fork's join.
    let mut exclusive = two_inner_forks("n", "n");
    exclusive.nodes[0].1 = "decision";
    exclusive.nodes.retain(|(name, _, _)| name != "j");
    exclusive.nodes.iter_mut().for_each(|(_, _, targets)| {
        targets.iter_mut().filter(|target| *target == "j").for_each(|target| *target = "end".to_owned());
    });
    exclusive.add("n", "action", &["jg", "k"]);
    exclusive.add("end", "end", &[]);
    assert_eq!(compare(&exclusive), None);
    assert_eq!(
        said(&exclusive),
        [
            "warning join-many-forks never: join `jg` waits for two forks: `g` and `h`, which the server does not see"
        ]
    );

    // A node before the fork and a node inside it fail over to one that ends the workflow.
    let mut ending = Sketch::to("p");
    ending.add("p", "action", &["f", "n"]);
    ending.add("n", "action", &["x", "k"]);
    ending.add("x", "action", &["end", "k"]);
    ending.add("f", "fork", &["a", "b"]);
    ending.add("a", "action", &["j", "n"]);
    ending.add("b", "action", &["j", "k"]);
    ending.add("j", "join", &["end"]);
    ending.add("k", "kill", &[]);
    ending.add("end", "end", &[]);
    assert_eq!(compare(&ending), Some("E0737"), "the ok way is walked first");
    ending.nodes[0].2 = vec!["d".to_owned(), "k".to_owned()];
    ending.nodes.insert(1, ("d".to_owned(), "decision", vec!["n".to_owned(), "f".to_owned()]));
    assert_eq!(compare(&ending), None);
    assert_eq!(
        said(&ending),
        [
            "warning end-inside-fork never: end `end` is reached inside fork `f`, which the server does not see"
        ]
    );

    // The other way round: from outside into a path of the fork.
    let mut into = Sketch::to("d");
    into.add("d", "decision", &["f", "e"]);
    into.add("f", "fork", &["a", "b"]);
    into.add("a", "action", &["j", "n"]);
    into.add("b", "action", &["j", "k"]);
    into.add("n", "action", &["j", "k"]);
    into.add("e", "action", &["end", "n"]);
    into.add("j", "join", &["end"]);
    into.add("k", "kill", &[]);
    into.add("end", "end", &[]);
    assert_eq!(compare(&into), None);
    assert_eq!(
        said(&into),
        [
            "warning join-without-fork never: join `j` is reached outside any fork, which the server does not see"
        ]
    );

    // Both may fail over to a node that only kills.
    let mut fine = two_inner_forks("k", "k");
    fine.add("end", "end", &[]);
    assert!(said(&fine).is_empty());
}

#[test]
fn parts_that_start_does_not_reach_are_judged_as_warnings() {
    let mut sketch = Sketch::to("end");
    sketch.add("a", "action", &["b", "gone"]);
    sketch.add("b", "action", &["a", "f"]);
    sketch.add("f", "fork", &["c", "c"]);
    sketch.add("c", "action", &["end2", "end2"]);
    sketch.add("end2", "kill", &[]);
    sketch.add("n".repeat(129), "action", &["end2", "end2"]);
    sketch.add("end", "end", &[]);
    assert_eq!(compare(&sketch), None);
    let said = said(&sketch);
    for rule in ["transition-unknown", "workflow-cycle", "node-name-invalid"] {
        assert!(
            said.iter().any(|text| text.starts_with(&format!("warning {rule} never"))),
            "{rule}: {said:#?}"
        );
    }
    assert!(!said.iter().any(|text| text.starts_with("error")), "{said:#?}");
}

#[test]
fn levels_count_the_shortest_way_from_start() {
    let mut sketch = Sketch::to("a");
    sketch.add("lost", "action", &["a", "a"]);
    sketch.add("b", "action", &["c", "c"]);
    sketch.add("a", "decision", &["b", "c"]);
    sketch.add("c", "action", &["end", "end"]);
    sketch.add("end", "end", &[]);
    let workflow = sketch.workflow();
    let flow = Flow::new(&workflow);
    let levels = ankus::analysis::flow::levels(&flow);
    let levels: Vec<_> = levels.into_iter().map(|(id, level)| (flow.shown(id), level)).collect();
    let expected = [
        ("start", Some(0)),
        ("a", Some(1)),
        ("b", Some(2)),
        ("c", Some(2)),
        ("end", Some(3)),
        ("lost", None),
    ];
    assert_eq!(levels, expected);
}
