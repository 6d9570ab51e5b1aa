//! Schedules that start each other for ever.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use crate::model::schedule::{Limit, Program, Schedule, Status, Unit, UnitKind};

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Its schedules by their place in the list, each started by the one before, the first by the last.
    pub schedules: Vec<usize>,
    /// The programs that they start, in the same order.
    pub programs: Vec<Program>,
    /// It goes round at once, and as long as everything completes.
    pub is_at_once: bool,
}

/// What one schedule does when a program ends.
#[derive(Clone, Debug)]
struct Edge<'a> {
    from: &'a Program,
    to: &'a Program,
    schedule: usize,
    is_at_once: bool,
}

/// One loop for each set of programs that start each other, those that go round at once first.
pub fn cycles(schedules: &[Schedule]) -> Vec<Cycle> {
    let edges: Vec<Edge<'_>> = schedules
        .iter()
        .enumerate()
        .filter(|(_, schedule)| schedule.is_enabled)
        .flat_map(|(index, schedule)| edges_of(index, schedule))
        .collect();
    let fast: Vec<Edge<'_>> = edges.iter().filter(|edge| edge.is_at_once).cloned().collect();
    let mut found = loops(schedules, fast, true);
    let told: BTreeSet<Program> = found.iter().flat_map(|cycle| cycle.programs.clone()).collect();
    let slow = loops(schedules, edges, false).into_iter();
    found.extend(slow.filter(|cycle| !cycle.programs.iter().any(|program| told.contains(program))));
    found
}

fn edges_of(index: usize, schedule: &Schedule) -> Vec<Edge<'_>> {
    let is_slow = schedule.constraints.iter().any(|constraint| {
        matches!(constraint.limit, Limit::Delay { .. } | Limit::LastRun { .. } | Limit::TimeRange(_))
    });
    let edge = |unit: &&'_ Unit| match &unit.kind {
        UnitKind::Program { condition, .. } => !condition.bounds(),
        _ => false,
    };
    schedule
        .units()
        .into_iter()
        .filter(edge)
        .filter_map(|unit| match &unit.kind {
            UnitKind::Program { program, statuses, .. } => Some(Edge {
                from: program,
                to: &schedule.program,
                schedule: index,
                is_at_once: !is_slow && statuses.contains(&Status::Completed),
            }),
            _ => None,
        })
        .collect()
}

fn loops(schedules: &[Schedule], mut edges: Vec<Edge<'_>>, is_at_once: bool) -> Vec<Cycle> {
    loop {
        let groups = groups(&edges);
        let before = edges.len();
        // An AND that waits for what lies outside does not go round by itself.
        let holds = |edge: &Edge<'_>, group: &BTreeSet<&Program>, edges: &[Edge<'_>]| {
            let of_schedule: BTreeSet<&Program> = edges
                .iter()
                .filter(|other| other.schedule == edge.schedule)
                .map(|other| other.from)
                .collect();
            let schedule = &schedules[edge.schedule];
            let mut units = schedule.units().into_iter();
            schedule.trigger.holds(&mut || match units.next().map(|unit| &unit.kind) {
                Some(UnitKind::Program { program, .. }) => {
                    group.contains(program) && of_schedule.contains(program)
                }
                _ => false,
            })
        };
        let all = edges.clone();
        edges.retain(|edge| {
            groups
                .iter()
                .any(|group| group.contains(edge.from) && group.contains(edge.to) && holds(edge, group, &all))
        });
        if edges.len() == before {
            return groups.iter().filter_map(|group| shortest(group, &edges, is_at_once)).collect();
        }
    }
}

/// The sets of programs that reach each other.
fn groups<'a>(edges: &[Edge<'a>]) -> Vec<BTreeSet<&'a Program>> {
    let mut graph: DiGraph<&Program, ()> = DiGraph::new();
    let mut nodes = BTreeMap::new();
    for edge in edges {
        let [from, to] = [edge.from, edge.to]
            .map(|program| *nodes.entry(program).or_insert_with(|| graph.add_node(program)));
        graph.add_edge(from, to, ());
    }
    let groups = tarjan_scc(&graph);
    let is_loop = |group: &Vec<_>| match group.as_slice() {
        [only] => graph.contains_edge(*only, *only),
        _ => true,
    };
    let mut groups: Vec<BTreeSet<&Program>> = groups
        .into_iter()
        .filter(is_loop)
        .map(|group| group.into_iter().map(|node| graph[node]).collect())
        .collect();
    groups.sort();
    groups
}

/// A shortest loop through the schedule of a group that stands first.
fn shortest(group: &BTreeSet<&Program>, edges: &[Edge<'_>], is_at_once: bool) -> Option<Cycle> {
    let within: Vec<&Edge<'_>> =
        edges.iter().filter(|edge| group.contains(edge.from) && group.contains(edge.to)).collect();
    let first = within.iter().min_by_key(|edge| edge.schedule)?;
    let mut from: BTreeMap<&Program, Vec<&Edge<'_>>> = BTreeMap::new();
    for edge in &within {
        from.entry(edge.from).or_default().push(edge);
    }
    let mut came: BTreeMap<&Program, Option<&Edge<'_>>> = BTreeMap::from([(first.to, None)]);
    let mut open = VecDeque::from([first.to]);
    while let Some(program) = open.pop_front() {
        for edge in from.get(program).into_iter().flatten() {
            if !came.contains_key(edge.to) {
                came.insert(edge.to, Some(edge));
                open.push_back(edge.to);
            }
        }
    }
    let mut steps = Vec::new();
    let mut at = first.from;
    while let Some(Some(edge)) = came.get(at) {
        steps.push(*edge);
        at = edge.from;
    }
    steps.push(first);
    steps.reverse();
    Some(Cycle {
        schedules: steps.iter().map(|edge| edge.schedule).collect(),
        programs: steps.iter().map(|edge| edge.to.clone()).collect(),
        is_at_once,
    })
}
