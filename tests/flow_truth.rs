//! What is said of forks and joins is true: workflows that nothing is said about run well whatever their actions and
//! decisions come to, and those that only we complain about do not.

#[path = "support/graphs.rs"]
#[allow(dead_code, reason = "the naive verdict is used elsewhere")]
mod graphs;

use std::collections::{BTreeMap, BTreeSet};

use ankus::analysis::flow::{Facts, Flow};
use graphs::{Sketch, naive_verdict, random_sketch};

/// More outcomes than this are not tried.
const MOST_OUTCOMES: usize = 4_096;

/// Runs it once for every outcome; what goes wrong in one of them.
fn run_all(sketch: &Sketch) -> Option<Option<String>> {
    let choices: Vec<_> = sketch
        .nodes
        .iter()
        .filter(|(_, kind, targets)| *kind != "fork" && targets.len() > 1)
        .map(|(name, _, targets)| (name.as_str(), targets.len()))
        .collect();
    let total = choices
        .iter()
        .try_fold(1_usize, |all, (_, count)| Some(all * count).filter(|all| *all <= MOST_OUTCOMES))?;
    for number in 0..total {
        let mut rest = number;
        let mut outcome = BTreeMap::new();
        for (name, count) in &choices {
            outcome.insert(*name, rest % count);
            rest /= count;
        }
        if let Some(fault) = run(sketch, &outcome) {
            return Some(Some(fault));
        }
    }
    Some(None)
}

/// Runs it with these outcomes. A kill only stops its own path: the others may have been faster.
fn run(sketch: &Sketch, outcome: &BTreeMap<&str, usize>) -> Option<String> {
    let nodes: BTreeMap<_, _> =
        sketch.nodes.iter().map(|(name, kind, targets)| (name.as_str(), (*kind, targets))).collect();
    let mut started = BTreeSet::new();
    let mut waiting: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    // Each path with the forks around it.
    let mut killed = false;
    let mut paths: Vec<(&str, Vec<&str>)> = vec![(&sketch.start, Vec::new())];
    while let Some((name, mut forks)) = paths.pop() {
        let (kind, targets) = nodes[name];
        match kind {
            "kill" => killed = true,
            "end" if !forks.is_empty() => return Some(format!("`{name}` ends while other paths run")),
            "end" => {}
            "join" => {
                let Some(fork) = forks.pop() else {
                    return Some(format!("`{name}` is reached outside forks"));
                };
                let arrived = waiting.entry(name).or_default();
                *arrived.entry(fork).or_insert(0) += 1;
                if arrived.len() > 1 {
                    return Some(format!("`{name}` is reached from two forks"));
                }
                if arrived[fork] == nodes[fork].1.len() {
                    paths.push((&targets[0], forks));
                }
            }
            _ if !started.insert(name) => return Some(format!("`{name}` starts twice")),
            "fork" => {
                forks.push(name);
                paths.extend(targets.iter().map(|target| (target.as_str(), forks.clone())));
            }
            _ => paths.push((&targets[outcome.get(name).copied().unwrap_or(0)], forks)),
        }
    }
    let waits = |(_, arrived): &(&&str, &BTreeMap<&str, usize>)| {
        arrived.iter().any(|(fork, count)| *count < nodes[fork].1.len())
    };
    waiting.iter().find(|found| !killed && waits(found)).map(|(name, _)| format!("`{name}` waits forever"))
}

/// True when a fork names a kill node.
fn always_killed(sketch: &Sketch) -> bool {
    let kills = |name: &String| sketch.nodes.iter().any(|(other, kind, _)| other == name && *kind == "kill");
    sketch.nodes.iter().any(|(_, kind, targets)| *kind == "fork" && targets.iter().any(kills))
}

#[test]
fn accepted_workflows_run_well_unless_we_say_so() {
    let rounds = if std::env::var_os("ANKUS_THOROUGH").is_some() { 50_000 } else { 2_000 };
    let (mut well, mut told, mut untrue) = (0, 0, Vec::new());
    for seed in 0..rounds {
        let sketch = random_sketch(seed);
        // Where a fork names a kill node, what comes after its join never runs, so nothing is wrong with it.
        if naive_verdict(&sketch).is_some() || always_killed(&sketch) {
            continue;
        }
        let Some(fault) = run_all(&sketch) else { continue };
        let workflow = sketch.workflow();
        let facts = Facts::new(Flow::new(&workflow));
        let said = facts.walk.faults.iter().any(|found| found.is_reached());
        match (&fault, said) {
            (None, false) => well += 1,
            (Some(_), true) => told += 1,
            _ => untrue.push(format!("{fault:?}, said {said}: {sketch:?}\n{:?}", facts.walk.faults)),
        }
    }
    println!("{well} run well, {told} do not and are told, {} otherwise", untrue.len());
    assert!(untrue.is_empty(), "{}", untrue.join("\n"));
}
