//! What is said of forks and joins is true: every fault that we see comes up in some execution, and workflows in which
//! we see none run well whatever their actions and decisions come to. Held against trying every outcome.
//!
//! `ANKUS_THOROUGH=1` takes 100,000 random graphs of any transitions, 10,000 made of blocks, and every small one, as CI does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::graphs::{Random, Sketch, random_sketch};
use ankus::analysis::flow::{Before, Facts, Fault, Flow, NodeId, truth};

/// More outcomes than this are not tried.
const MOST_OUTCOMES: usize = 4_096;

fn thorough() -> bool {
    std::env::var_os("ANKUS_THOROUGH").is_some()
}

/// A fault as it comes up in one execution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Seen<'s> {
    /// A node, or what follows a join, starts twice.
    Twice(&'s str),
    /// A join is reached outside forks.
    Outside(&'s str),
    /// An end node is reached inside this fork.
    EndInside(&'s str, &'s str),
    /// Paths of this fork wait forever in different joins.
    Split(&'s str),
    /// A path waits forever.
    Stuck(&'s str),
}

/// What one execution shows.
#[derive(Debug, Default)]
struct Execution<'s> {
    faults: BTreeSet<Seen<'s>>,
    /// For each node that has started, the nodes that were done by then.
    done_before: BTreeMap<&'s str, BTreeSet<&'s str>>,
}

type Nodes<'s> = BTreeMap<&'s str, (&'static str, &'s [String])>;

/// The workflow read once, with the nodes that have a choice.
struct Brute<'s> {
    nodes: Nodes<'s>,
    choices: Vec<(&'s str, usize)>,
    start: &'s str,
}

impl<'s> Brute<'s> {
    /// `None` with loops, loose ends or too many outcomes.
    fn of(sketch: &'s Sketch) -> Option<Brute<'s>> {
        let nodes: Nodes<'s> = sketch
            .nodes
            .iter()
            .map(|(name, kind, targets)| (name.as_str(), (*kind, targets.as_slice())))
            .collect();
        if nodes.len() < sketch.nodes.len() {
            return None;
        }
        // Depth first, with what is open.
        let mut state: BTreeMap<&str, bool> = BTreeMap::new();
        let mut stack = vec![(sketch.start.as_str(), false)];
        while let Some((name, is_left)) = stack.pop() {
            if is_left {
                state.insert(name, true);
                continue;
            }
            match state.get(name) {
                Some(true) => continue,
                Some(false) => return None,
                None => {}
            }
            state.insert(name, false);
            stack.push((name, true));
            for target in nodes.get(name)?.1 {
                if state.get(target.as_str()) == Some(&false) {
                    return None;
                }
                if !state.contains_key(target.as_str()) {
                    stack.push((target, false));
                }
            }
            // What stands on the stack twice is open only once.
            let seen = &state;
            stack.retain(|(other, is_left)| *is_left || *other != name || !seen.contains_key(other));
        }
        let choices: Vec<_> = nodes
            .iter()
            .filter(|(name, (kind, targets))| {
                state.contains_key(*name) && *kind != "fork" && targets.len() > 1
            })
            .map(|(name, (_, targets))| (*name, targets.len()))
            .collect();
        choices
            .iter()
            .try_fold(1_usize, |all, (_, count)| Some(all * count).filter(|all| *all <= MOST_OUTCOMES))?;
        Some(Brute { nodes, choices, start: &sketch.start })
    }

    fn executions(&self) -> impl Iterator<Item = Execution<'s>> {
        let total: usize = self.choices.iter().map(|(_, count)| count).product();
        (0..total).map(|number| {
            let mut rest = number;
            let outcome = self.choices.iter().map(|(name, count)| {
                let choice = rest % count;
                rest /= count;
                (*name, choice)
            });
            self.run(&outcome.collect())
        })
    }

    /// Runs it with these outcomes, on after faults. A kill only stops its own path: the others may have been faster.
    fn run(&self, outcome: &BTreeMap<&str, usize>) -> Execution<'s> {
        let mut execution = Execution::default();
        // Each fork that was entered, with the forks around it and what is done when it starts.
        let mut forks: Vec<(&'s str, Option<usize>)> = Vec::new();
        let mut waiting: BTreeMap<(usize, &'s str), (usize, BTreeSet<&'s str>)> = BTreeMap::new();
        let mut killed = false;
        let mut paths: Vec<(&'s str, Option<usize>, BTreeSet<&'s str>)> =
            vec![(self.start, None, BTreeSet::new())];
        let mut joined = BTreeSet::new();
        while let Some((name, inside, mut done)) = paths.pop() {
            let (kind, targets) = self.nodes[name];
            match kind {
                "kill" => killed = true,
                "end" => {
                    if let Some(fork) = inside {
                        execution.faults.insert(Seen::EndInside(forks[fork].0, name));
                    }
                }
                "join" => {
                    let Some(fork) = inside else {
                        execution.faults.insert(Seen::Outside(name));
                        continue;
                    };
                    let arrived = waiting.entry((fork, name)).or_default();
                    arrived.0 += 1;
                    arrived.1.extend(done);
                    if arrived.0 == self.nodes[forks[fork].0].1.len() {
                        if !joined.insert(name) {
                            execution.faults.insert(Seen::Twice(name));
                        }
                        execution.done_before.entry(name).or_insert_with(|| arrived.1.clone());
                        let mut done = arrived.1.clone();
                        done.insert(name);
                        waiting.remove(&(fork, name));
                        paths.push((&targets[0], forks[fork].1, done));
                    }
                }
                _ => {
                    if execution.done_before.insert(name, done.clone()).is_some() {
                        execution.faults.insert(Seen::Twice(name));
                    }
                    done.insert(name);
                    if kind == "fork" {
                        forks.push((name, inside));
                        let own = Some(forks.len() - 1);
                        paths.extend(targets.iter().map(|target| (target.as_str(), own, done.clone())));
                    } else {
                        let target = &targets[outcome.get(name).copied().unwrap_or(0)];
                        paths.push((target, inside, done));
                    }
                }
            }
        }
        if !killed {
            let forks_waiting: Vec<usize> = waiting.keys().map(|(fork, _)| *fork).collect();
            for fork in &forks_waiting {
                let is_split = forks_waiting.iter().filter(|other| *other == fork).count() > 1;
                let name = forks[*fork].0;
                execution.faults.insert(if is_split { Seen::Split(name) } else { Seen::Stuck(name) });
            }
        }
        execution
    }
}

/// Whether a fault that we see came up.
fn came_up(flow: &Flow<'_>, fault: &Fault, seen: &BTreeSet<Seen<'_>>) -> bool {
    let name = |node: NodeId| flow.name(node);
    match fault {
        Fault::Concurrent { node, .. } | Fault::ManyForks { join: node, .. } => {
            seen.contains(&Seen::Twice(name(*node)))
        }
        Fault::SameTarget { first, .. } => {
            flow.edge(*first).target.is_some_and(|node| seen.contains(&Seen::Twice(name(node))))
        }
        Fault::NoFork { join, .. } => seen.contains(&Seen::Outside(name(*join))),
        Fault::EndInside { fork, end, .. } => seen.contains(&Seen::EndInside(name(*fork), name(*end))),
        Fault::ManyJoins { fork, .. } => seen.contains(&Seen::Split(name(*fork))),
        Fault::NoJoin { .. } => false,
    }
}

#[derive(Default)]
struct Tally {
    well: AtomicUsize,
    faulty: AtomicUsize,
    skipped: AtomicUsize,
    executions: AtomicUsize,
    uncovered: AtomicUsize,
    ordered: AtomicUsize,
}

/// Holds one workflow against all of its executions; `None` when it is as it should be.
fn compare(sketch: &Sketch, tally: &Tally) -> Option<String> {
    let count = |counter: &AtomicUsize| {
        counter.fetch_add(1, Ordering::Relaxed);
    };
    let Some(brute) = Brute::of(sketch) else {
        count(&tally.skipped);
        return None;
    };
    let workflow = sketch.workflow();
    let facts = Facts::new(Flow::new(&workflow));
    let truth = truth::truth(&facts.flow, &facts.reachable);
    assert!(truth.is_whole, "{sketch:?}");
    let mut all = BTreeSet::new();
    let mut orders: Vec<BTreeMap<&str, BTreeSet<&str>>> = Vec::new();
    for execution in brute.executions() {
        if !execution.faults.is_empty() {
            count(&tally.executions);
            if !truth.faults.iter().any(|found| came_up(&facts.flow, &found.fault, &execution.faults)) {
                count(&tally.uncovered);
            }
        }
        all.extend(execution.faults);
        orders.push(execution.done_before);
    }
    count(if all.is_empty() { &tally.well } else { &tally.faulty });
    if all.is_empty() != truth.faults.is_empty() {
        return Some(format!("{all:?} comes up, {:?} is said: {sketch:?}", truth.faults));
    }
    for found in &truth.faults {
        if !came_up(&facts.flow, &found.fault, &all) {
            return Some(format!("{:?} never comes up, only {all:?}: {sketch:?}", found.fault));
        }
    }
    let before = facts.before()?;
    count(&tally.ordered);
    compare_order(sketch, &facts, &before, &orders)
}

/// Holds the order of nodes against that of all executions.
fn compare_order(
    sketch: &Sketch,
    facts: &Facts<'_>,
    before: &Before<'_>,
    orders: &[BTreeMap<&str, BTreeSet<&str>>],
) -> Option<String> {
    let inner = |id: &NodeId| !matches!(facts.flow.kind(*id).name(), "start" | "end" | "kill");
    for second in facts.flow.ids().filter(inner) {
        let name = facts.flow.name(second);
        let starts: Vec<_> = orders.iter().filter_map(|order| order.get(name)).collect();
        if starts.is_empty() {
            continue; // It never starts.
        }
        for first in facts.flow.ids().filter(inner) {
            let expected = starts.iter().all(|done| done.contains(facts.flow.name(first)));
            if before.is_before(first, second) != expected {
                let first = facts.flow.name(first);
                return Some(format!("`{first}` before `{name}` should be {expected}: {sketch:?}"));
            }
        }
    }
    None
}

/// Compares many on all processors.
fn in_parallel(count: usize, sketch: impl Fn(usize) -> Sketch + Sync) -> Tally {
    let tally = Tally::default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for first in 0..threads {
            let (tally, sketch) = (&tally, &sketch);
            scope.spawn(move || {
                for number in (first..count).step_by(threads) {
                    if let Some(fault) = compare(&sketch(number), tally) {
                        panic!("{number}: {fault}");
                    }
                }
            });
        }
    });
    println!(
        "{} run well, {} do not, {} skipped; {} faulty executions, {} of them not named; {} with an order",
        tally.well.load(Ordering::Relaxed),
        tally.faulty.load(Ordering::Relaxed),
        tally.skipped.load(Ordering::Relaxed),
        tally.executions.load(Ordering::Relaxed),
        tally.uncovered.load(Ordering::Relaxed),
        tally.ordered.load(Ordering::Relaxed),
    );
    tally
}

#[test]
fn random_workflows_have_the_faults_that_we_say() {
    let tally = in_parallel(if thorough() { 10_000 } else { 3_000 }, |seed| random_sketch(seed as u64));
    assert!(tally.well.into_inner() > 0 && tally.faulty.into_inner() > 0);
}

/// Any transitions forward, with a kill and an end node at the end: mostly broken.
fn wild_sketch(seed: u64) -> Sketch {
    let mut random = Random(seed);
    let count = 3 + random.below(6);
    let mut sketch = Sketch::to("n0");
    let name = |index: usize| match index - count {
        0 => "k".to_owned(),
        1 => "end".to_owned(),
        _ => unreachable!("only two follow"),
    };
    for own in 0..count {
        let later = |random: &mut Random| {
            let index = own + 1 + random.below((count + 1 - own).min(4));
            if index < count { format!("n{index}") } else { name(index) }
        };
        let (first, second) = (later(&mut random), later(&mut random));
        let kind = ["action", "decision", "fork", "fork", "join", "join"][random.below(6)];
        let targets: &[&str] = if kind == "join" { &[&first] } else { &[&first, &second] };
        sketch.add(format!("n{own}"), kind, targets);
    }
    sketch.add("k", "kill", &[]);
    sketch.add("end", "end", &[]);
    sketch
}

#[test]
fn wild_workflows_have_the_faults_that_we_say() {
    let tally = in_parallel(if thorough() { 100_000 } else { 3_000 }, |seed| wild_sketch(seed as u64));
    assert!(tally.well.into_inner() > 0 && tally.faulty.into_inner() > 0);
}

/// Every workflow without loops of so many nodes, ends and kills among them: transitions lead to later nodes.
fn small_sketch(count: usize, mut number: usize) -> Option<Sketch> {
    let mut sketch = Sketch::to("n0");
    for own in 0..count {
        let later: Vec<String> = (own + 1..count).map(|index| format!("n{index}")).collect();
        let mut shapes: Vec<(&'static str, Vec<&str>)> = vec![("end", Vec::new()), ("kill", Vec::new())];
        for (index, first) in later.iter().enumerate() {
            shapes.push(("join", vec![first]));
            for (other, second) in later.iter().enumerate() {
                shapes.push(("action", vec![first, second]));
                if index <= other {
                    shapes.push(("decision", vec![first, second]));
                    shapes.push(("fork", vec![first, second]));
                }
            }
        }
        let (kind, targets) = shapes[number % shapes.len()].clone();
        number /= shapes.len();
        sketch.add(format!("n{own}"), kind, &targets);
    }
    (number == 0).then_some(sketch)
}

#[test]
fn all_small_workflows_have_the_faults_that_we_say() {
    for count in 1..=5 {
        let total = (0..count).map(|own| {
            let later = count - own - 1;
            2 + later + later * later + later * (later + 1)
        });
        let total: usize = total.product();
        let step = if thorough() || total < 10_000 { 1 } else { 53 };
        in_parallel(total.div_ceil(step), |number| {
            small_sketch(count, number * step).expect("it is one of them")
        });
    }
}
