//! Runs to compare: which actions fail and where decisions lead, what the engine makes of it, and what Airflow will.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::graph::TaskGraph;
use super::shape::{Shape, ShapeKind};
use super::states::{Course, Ended, Fates, Run};
use crate::el;
use crate::engine::status::WorkflowStatus;
use crate::engine::{
    BundleProgram, Command, Conf, CoordinatorProgram, Engine, Event, Fault, JobId, NodeEnd, NodeId,
    PlannedWorkflow, Plans, Settings, Submission, Submit,
};
use crate::plan::workflow::{Program, ProgramKind};
use crate::source::{Span, Text};
use crate::time::Instant;

/// At most so many runs of one workflow are compared.
pub(super) const MAX_CASES: usize = 60;

/// More steps than this make no run.
const MAX_STEPS: usize = 200_000;

/// A run to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What is special about it.
    pub name: String,
    /// How its parts behave.
    pub fates: Fates,
    /// What the engine made of it.
    pub expected: Course,
    /// Whether a DAG can do the same; where it cannot, the difference is a loss.
    pub agrees: bool,
}

/// Pseudo-random numbers from a seed (SplitMix64).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// The programs of an engine that knows one workflow.
struct One(Arc<Program>);

impl Plans for One {
    fn workflow(&self, _key: &str) -> Option<Arc<Program>> {
        Some(self.0.clone())
    }

    fn coordinator(&self, _key: &str) -> Option<Arc<CoordinatorProgram>> {
        None
    }

    fn bundle(&self, _key: &str) -> Option<Arc<BundleProgram>> {
        None
    }
}

/// Makes a program one whose decisions follow properties and whose actions do nothing.
pub fn stubbed(mut program: Program, place: Span) -> Arc<Program> {
    let template = |text: String| el::parse(&Text::computed(text, place)).0;
    for (index, node) in program.nodes.iter_mut().enumerate() {
        node.asks_outside = false;
        match &mut node.kind {
            ProgramKind::Decision { cases, .. } => {
                for (case, (predicate, _)) in cases.iter_mut().enumerate() {
                    *predicate = template(format!("${{choice_{index} == '{case}'}}"));
                }
            }
            ProgramKind::Kill { message, .. } => *message = template(String::new()),
            ProgramKind::Action(action) => {
                action.kind = "shell".into();
                action.definition = template("<shell/>".to_owned());
                (action.retry_max, action.retry_interval, action.retry_policy) = (None, None, None);
            }
            ProgramKind::Start(_) | ProgramKind::End | ProgramKind::Fork(_) | ProgramKind::Join(_) => {}
        }
    }
    program.levels.clear();
    program.name = template("w".to_owned());
    Arc::new(program)
}

/// The runs to compare of a workflow, at most `MAX_CASES` of them.
pub fn cases(shape: &Shape, graph: &TaskGraph, program: &Arc<Program>) -> Vec<Case> {
    let mut all = wanted(shape);
    if all.len() > MAX_CASES {
        // The first says that all goes well; of the rest, some from everywhere.
        let step = all.len().div_ceil(MAX_CASES);
        all = all.into_iter().step_by(step).collect();
    }
    let ways = Ways::new(shape);
    let all = all.into_iter().zip(0..).map(|(wanted, seed)| wanted.fates(shape, &ways, seed));
    let case = |(name, fates): (String, Fates)| {
        let expected = by_engine(program, shape, &fates)?;
        let (_, found) = Run::new(graph).play(&fates);
        let agrees = expected.entered_twice.is_empty()
            && (found.success, &found.started) == (expected.success, &expected.started);
        Some(Case { name, fates, expected, agrees })
    };
    all.filter_map(case).collect()
}

/// What a run is to show.
enum Wanted {
    /// All goes well.
    Well,
    /// A decision takes a transition.
    Choice(usize, usize),
    /// An action fails; early, late, or after some time.
    Fail(usize, Option<bool>),
    /// Whatever is drawn.
    Draw(u64),
}

/// All goes well; each target of a decision; each action fails alone, in forks at different times; draws.
fn wanted(shape: &Shape) -> Vec<Wanted> {
    let actions = of_kind(shape, |kind| matches!(kind, ShapeKind::Action { .. }));
    let decisions = of_kind(shape, |kind| matches!(kind, ShapeKind::Decision(_)));
    let mut wanted = vec![Wanted::Well];
    for node in &decisions {
        wanted.extend((0..shape.transitions(*node).len()).map(|choice| Wanted::Choice(*node, choice)));
    }
    wanted.extend(actions.iter().map(|node| Wanted::Fail(*node, None)));
    if shape.has_fork() {
        let twice = actions.iter().flat_map(|node| [(*node, true), (*node, false)]);
        wanted.extend(twice.map(|(node, is_early)| Wanted::Fail(node, Some(is_early))));
    }
    if actions.len() + decisions.len() > 1 {
        wanted.extend((1..=16).map(Wanted::Draw));
    }
    wanted
}

impl Wanted {
    fn fates(&self, shape: &Shape, ways: &Ways<'_>, seed: u64) -> (String, Fates) {
        let mut draws = Draws(seed);
        let actions = of_kind(shape, |kind| matches!(kind, ShapeKind::Action { .. }));
        // Odd lengths, so that two ends seldom fall together.
        let seconds = actions.iter().map(|node| (*node, 1 + draws.next() % 100_000)).collect();
        let mut fates = Fates { seconds, ..Fates::default() };
        let name = |node: usize| shape.nodes[node].name.as_str();
        let name = match *self {
            Wanted::Well => "all actions succeed".to_owned(),
            Wanted::Choice(node, choice) => {
                fates.choices = ways.to(node);
                fates.choices.insert(node, choice);
                format!("`{}` takes transition {}", name(node), choice + 1)
            }
            Wanted::Fail(node, when) => {
                fates.choices = ways.to(node);
                fates.fails.insert(node);
                if let Some(is_early) = when {
                    fates.seconds.insert(node, if is_early { 1 } else { 1_000_003 });
                }
                let when = when.map_or("", |is_early| if is_early { " early" } else { " late" });
                format!("`{}` fails{when}", name(node))
            }
            Wanted::Draw(number) => {
                fates.fails = actions.iter().copied().filter(|_| draws.next().is_multiple_of(5)).collect();
                for node in of_kind(shape, |kind| matches!(kind, ShapeKind::Decision(_))) {
                    let count = shape.transitions(node).len().max(1) as u64;
                    fates.choices.insert(node, (draws.next() % count) as usize);
                }
                format!("draw {number}")
            }
        };
        (name, fates)
    }
}

fn of_kind(shape: &Shape, is_such: impl Fn(&ShapeKind) -> bool) -> Vec<usize> {
    shape.reached.iter().copied().filter(|node| is_such(&shape.nodes[*node].kind)).collect()
}

/// A way to each node: where it comes from, and by which transition.
struct Ways<'s> {
    shape: &'s Shape,
    from: BTreeMap<usize, (usize, usize)>,
}

impl<'s> Ways<'s> {
    fn new(shape: &'s Shape) -> Ways<'s> {
        let mut from = BTreeMap::new();
        let mut open = std::collections::VecDeque::from([shape.first]);
        while let Some(node) = open.pop_front() {
            for (choice, target) in shape.transitions(node).into_iter().enumerate() {
                if target != shape.first && !from.contains_key(&target) {
                    from.insert(target, (node, choice));
                    open.push_back(target);
                }
            }
        }
        Ways { shape, from }
    }

    /// The choices of decisions by which a node is reached.
    fn to(&self, node: usize) -> BTreeMap<usize, usize> {
        let mut choices = BTreeMap::new();
        let mut at = node;
        while let Some((from, choice)) = self.from.get(&at) {
            if matches!(self.shape.nodes[*from].kind, ShapeKind::Decision(_)) {
                choices.insert(*from, *choice);
            }
            at = *from;
        }
        choices
    }
}

/// Plays a run by the engine; nothing where it does not end.
pub fn by_engine(program: &Arc<Program>, shape: &Shape, fates: &Fates) -> Option<Course> {
    let begin = Instant::EPOCH;
    let choice = |node: usize| {
        let last = shape.transitions(node).len().saturating_sub(1);
        fates.choices.get(&node).copied().unwrap_or(last).min(last).to_string()
    };
    let decisions = of_kind(shape, |kind| matches!(kind, ShapeKind::Decision(_)));
    let conf = Conf::new(decisions.iter().map(|node| (format!("choice_{node}"), choice(*node))));
    let planned = PlannedWorkflow { program: "w".into(), name: "w".into(), conf: Some(Arc::new(conf)) };
    let mut engine = Engine::new(One(program.clone()), Settings::default());
    let submit = Event::Submit(Submit::new(Submission::Workflow(planned), None, true));
    let mut commands = engine.handle(begin, submit).ok()?;
    let mut course = Course::default();
    let mut running: BTreeSet<(u64, usize, u32)> = BTreeSet::new();
    let (mut job, mut now, mut steps) = (JobId::workflow(1), 0_u64, 0_usize);
    loop {
        let mut more = std::collections::VecDeque::from(commands);
        while let Some(command) = more.pop_front() {
            steps += 1;
            if steps > MAX_STEPS {
                return None;
            }
            match command {
                Command::Submitted { job: new, .. } => job = new,
                Command::StartNode { node, attempt, .. } => {
                    let index = node.node as usize;
                    if course.started.insert(index, (now, Ended::Killed)).is_some() {
                        course.entered_twice.insert(index);
                    }
                    running.insert((now + fates.seconds(index), index, attempt));
                    let event = Event::NodeStarted { node, attempt, external_id: None, tracker: None };
                    more.extend(engine.handle(at(begin, now), event).ok()?);
                }
                Command::KillNode { node, attempt } => {
                    running.retain(|(_, other, _)| *other != node.node as usize);
                    let event = Event::NodeKilled { node, attempt, fault: None };
                    more.extend(engine.handle(at(begin, now), event).ok()?);
                }
                Command::Changed(crate::engine::Changed::Node(node, ..)) => {
                    let index = node.node as usize;
                    if matches!(shape.nodes[index].kind, ShapeKind::Decision(_)) {
                        course.started.entry(index).or_insert((now, Ended::Ok));
                    }
                }
                _ => {}
            }
        }
        let Some((time, node, attempt)) = running.pop_first() else { break };
        now = time;
        let ok = !fates.fails.contains(&node);
        if let Some(entry) = course.started.get_mut(&node) {
            entry.1 = if ok { Ended::Ok } else { Ended::Error };
        }
        let fault = (!ok).then(|| Fault::new("E", "it failed"));
        let end = NodeEnd { ok, fault, ..NodeEnd::default() };
        let node = NodeId { workflow: job.number, node: node as u32 };
        commands = engine.handle(at(begin, now), Event::NodeEnded { node, attempt, end }).ok()?;
    }
    course.success = engine.workflow(job)?.status == WorkflowStatus::Succeeded;
    Some(course)
}

fn at(begin: Instant, seconds: u64) -> Instant {
    begin.plus_millis(seconds as i64 * 1000)
}
