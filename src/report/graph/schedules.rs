//! Schedules and the programs that they join.

use indexmap::IndexMap;

use super::text::{MAX_ABOUT_COLUMNS, MAX_LABEL_COLUMNS, MAX_LINE_COLUMNS, MAX_NAME_COLUMNS, short};
use super::{Direction, Edge, Graph, Kind, Line, Mark, Node};
use crate::analysis::schedules::cycles::cycles;
use crate::analysis::schedules::{Lookup, Programs};
use crate::model::schedule::{Program, ProgramKind, Schedule, Status, Unit, UnitKind, summary};

/// What an edge starts or ends at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum End {
    Program(String, &'static str),
    Time(String),
    Dataset(String),
}

/// Draws programs as boxes and schedules as edges between them; loops are marked.
pub fn graph(title: &str, schedules: &[Schedule], programs: &Programs<'_>) -> Graph {
    let mut nodes: IndexMap<End, Node> = IndexMap::new();
    let mut edges = Vec::new();
    let looping: Vec<usize> = cycles(schedules).into_iter().flat_map(|cycle| cycle.schedules).collect();
    for (index, schedule) in schedules.iter().enumerate() {
        let to = place(&mut nodes, program_end(&schedule.program), || program(&schedule.program, programs));
        for unit in schedule.units() {
            let (end, node) = match &unit.kind {
                UnitKind::Program { program, .. } => (program_end(program), self::program(program, programs)),
                UnitKind::Time { cron } => {
                    (End::Time(cron.value.clone()), other(Kind::Start, &cron.value, "time"))
                }
                UnitKind::Partition { dataset, .. } => {
                    (End::Dataset(dataset.value.clone()), other(Kind::Dataset, &dataset.value, "dataset"))
                }
            };
            let from = place(&mut nodes, end, || node);
            edges.push(Edge {
                from,
                to,
                line: line(unit),
                label: Some(short(&schedule.id.name, MAX_LABEL_COLUMNS)),
                about: short(&summary(schedule), MAX_ABOUT_COLUMNS),
                is_cyclic: looping.contains(&index),
            });
        }
    }
    let title = short(title, MAX_LINE_COLUMNS);
    let nodes = nodes.into_values().collect();
    let mut graph = Graph { title, about: String::new(), direction: Direction::Down, nodes, edges };
    graph.edges.sort_by_key(|edge| edge.from);
    graph.about = format!("programs and schedules of {}: {}", graph.title, graph.summary());
    graph
}

fn program_end(program: &Program) -> End {
    End::Program(program.to_string(), program.kind.name())
}

fn place(nodes: &mut IndexMap<End, Node>, end: End, node: impl FnOnce() -> Node) -> usize {
    let entry = nodes.entry(end);
    let index = entry.index();
    entry.or_insert_with(node);
    index
}

/// What follows from a success is drawn plainly, what needs a failure as that.
fn line(unit: &Unit) -> Line {
    match &unit.kind {
        UnitKind::Program { statuses, .. } if !statuses.contains(&Status::Completed) => Line::Error,
        _ => Line::Plain,
    }
}

fn program(program: &Program, programs: &Programs<'_>) -> Node {
    let kind = match program.kind {
        ProgramKind::Workflow => Kind::SubWorkflow,
        ProgramKind::Coordinator | ProgramKind::Bundle => Kind::Coordinator,
        ProgramKind::MapReduce | ProgramKind::Spark | ProgramKind::Command => Kind::Action,
    };
    let mark = match programs.lookups.get(program) {
        Some(Lookup::Unknown | Lookup::OtherKind(_)) => Some(Mark::Absent),
        Some(Lookup::Ambiguous(_)) => Some(Mark::Refused),
        _ => None,
    };
    let word = program.kind.name().to_lowercase();
    Node {
        kind,
        name: short(&program.to_string(), MAX_NAME_COLUMNS),
        about: short(&format!("{word} {program}"), MAX_ABOUT_COLUMNS),
        lines: vec![word],
        marks: mark.into_iter().collect(),
    }
}

fn other(kind: Kind, name: &str, word: &str) -> Node {
    Node {
        kind,
        name: short(name, MAX_NAME_COLUMNS),
        lines: vec![word.to_owned()],
        about: short(&format!("{word} {name}"), MAX_ABOUT_COLUMNS),
        marks: Vec::new(),
    }
}
