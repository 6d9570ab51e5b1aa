//! A model of how Airflow moves the tasks of a run: trigger rules, skips, `fail_fast`, the state of the run.
//!
//! Follows `TriggerRuleDep`, `SkipMixin.skip_all_except`, `_stop_remaining_tasks` and `DagRun.update_state` of Airflow 3; answers
//! that Airflow gave are in `fixtures/reference/airflow`, and `tests/export_airflow.rs` holds the model against them.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{Task, TaskGraph, TaskKind, TriggerRule};

/// The state of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing has happened yet.
    None,
    /// It runs.
    Running,
    /// `success`
    Success,
    /// `failed`
    Failed,
    /// `skipped`
    Skipped,
    /// `upstream_failed`
    UpstreamFailed,
}

impl State {
    /// Airflow's name; `none` where it has none yet.
    pub const fn name(self) -> &'static str {
        match self {
            State::None => "none",
            State::Running => "running",
            State::Success => "success",
            State::Failed => "failed",
            State::Skipped => "skipped",
            State::UpstreamFailed => "upstream_failed",
        }
    }

    const fn is_done(self) -> bool {
        !matches!(self, State::None | State::Running)
    }
}

/// What Airflow does next with a task that has not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It waits.
    Wait,
    /// It starts.
    Start,
    /// It gets this state without starting.
    Set(State),
}

/// What a rule says of a task, given the states of what it waits for.
pub fn verdict(rule: TriggerRule, upstream: impl Iterator<Item = State>) -> Verdict {
    let (mut all, mut success, mut failed, mut skipped, mut upstream_failed) = (0, 0, 0, 0, 0);
    for state in upstream {
        all += 1;
        match state {
            State::Success => success += 1,
            State::Failed => failed += 1,
            State::Skipped => skipped += 1,
            State::UpstreamFailed => upstream_failed += 1,
            State::None | State::Running => {}
        }
    }
    let is_done = success + failed + skipped + upstream_failed >= all;
    let start = |is_ready: bool| if is_ready { Verdict::Start } else { Verdict::Wait };
    if all == 0 {
        return Verdict::Start;
    }
    match rule {
        TriggerRule::AllSuccess if upstream_failed + failed > 0 => Verdict::Set(State::UpstreamFailed),
        TriggerRule::AllSuccess if skipped > 0 => Verdict::Set(State::Skipped),
        TriggerRule::AllSuccess => start(success == all),
        TriggerRule::OneDone if is_done && success + failed == 0 => Verdict::Set(State::Skipped),
        TriggerRule::OneDone => start(success + failed > 0),
        TriggerRule::OneSuccess if is_done && skipped == all => Verdict::Set(State::Skipped),
        TriggerRule::OneSuccess if is_done && success == 0 => Verdict::Set(State::UpstreamFailed),
        TriggerRule::OneSuccess => start(success > 0),
        TriggerRule::NoneFailedMinOneSuccess if upstream_failed + failed > 0 => {
            Verdict::Set(State::UpstreamFailed)
        }
        TriggerRule::NoneFailedMinOneSuccess if skipped == all => Verdict::Set(State::Skipped),
        TriggerRule::NoneFailedMinOneSuccess => start(success + skipped == all),
        TriggerRule::AllDoneSetupSuccess => start(is_done),
    }
}

/// How the parts of a workflow behave in one run; by node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fates {
    /// How long each action takes, in seconds; without an entry, one.
    pub seconds: BTreeMap<usize, u64>,
    /// The actions that fail.
    pub fails: BTreeSet<usize>,
    /// Which transition a decision takes; without an entry, its last.
    pub choices: BTreeMap<usize, usize>,
}

impl Fates {
    /// How long an action takes.
    pub fn seconds(&self, node: usize) -> u64 {
        self.seconds.get(&node).copied().unwrap_or(1)
    }
}

/// How an action or a decision of a run went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Well.
    Ok,
    /// With an error.
    Error,
    /// It was killed since the run ended.
    Killed,
}

impl Ended {
    /// In a word.
    pub const fn name(self) -> &'static str {
        match self {
            Ended::Ok => "ok",
            Ended::Error => "error",
            Ended::Killed => "killed",
        }
    }
}

/// What became of a run: whether it succeeded, and when each action and decision started and how it ended, by node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// Whether it succeeded.
    pub success: bool,
    /// When each started, in seconds, and how it ended.
    pub started: BTreeMap<usize, (u64, Ended)>,
    /// Nodes that were entered a second time, which no DAG can do.
    pub entered_twice: BTreeSet<usize>,
}

impl Course {
    /// Whether the run ended before all that it had started.
    pub fn is_cut_short(&self) -> bool {
        !self.success || self.started.values().any(|(_, ended)| *ended == Ended::Killed)
    }
}

/// A run in virtual time.
pub struct Run<'g> {
    graph: &'g TaskGraph,
    downstream: Vec<Vec<usize>>,
    /// The states of the tasks.
    pub states: Vec<State>,
    /// The tasks whose state may change at the next look.
    touched: BTreeSet<usize>,
    running: BTreeSet<(u64, usize)>,
    now: u64,
    course: Course,
}

impl<'g> Run<'g> {
    /// A run of which nothing has happened.
    pub fn new(graph: &'g TaskGraph) -> Run<'g> {
        Run {
            graph,
            downstream: graph.downstream(),
            states: vec![State::None; graph.tasks.len()],
            touched: (0..graph.tasks.len()).collect(),
            running: BTreeSet::new(),
            now: 0,
            course: Course::default(),
        }
    }

    /// Plays to the end; nothing where the run is stuck.
    pub fn play(mut self, fates: &Fates) -> (Vec<State>, Course) {
        loop {
            self.settle(fates);
            let Some((at, task)) = self.running.pop_first() else { break };
            self.now = at;
            let TaskKind::Action(node) = self.graph.tasks[task].kind else { continue };
            let is_failed = fates.fails.contains(&node);
            let ended = if is_failed { Ended::Error } else { Ended::Ok };
            if let Some(entry) = self.course.started.get_mut(&node) {
                entry.1 = ended;
            }
            self.set(task, if is_failed { State::Failed } else { State::Success });
        }
        let downstream = &self.downstream;
        // A task before teardowns that do not count would be a leaf too; the only teardown here counts.
        let leaves = (0..self.states.len()).filter(|task| downstream[*task].is_empty());
        let is_good = |task: usize| matches!(self.states[task], State::Success | State::Skipped);
        self.course.success = leaves.into_iter().all(is_good);
        (self.states, self.course)
    }

    /// Lets everything happen that takes no time, pass by pass: what a pass finds is decided by the states before it.
    fn settle(&mut self, fates: &Fates) {
        while !self.touched.is_empty() {
            let graph = self.graph;
            let mut ready = Vec::new();
            let mut given = Vec::new();
            for task in std::mem::take(&mut self.touched) {
                let it = &graph.tasks[task];
                if self.states[task] != State::None {
                    continue;
                }
                match verdict(it.rule, it.upstream.iter().map(|up| self.states[*up])) {
                    Verdict::Wait => {}
                    Verdict::Set(state) => given.push((task, state)),
                    Verdict::Start => ready.push(task),
                }
            }
            for (task, state) in given {
                self.set(task, state);
            }
            for task in ready {
                // What started before it in the same pass may have skipped it.
                if self.states[task] == State::None {
                    self.start(task, &graph.tasks[task], fates);
                }
            }
        }
    }

    fn start(&mut self, task: usize, it: &Task, fates: &Fates) {
        match it.kind {
            TaskKind::Action(node) => {
                self.course.started.insert(node, (self.now, Ended::Killed));
                self.states[task] = State::Running;
                self.running.insert((self.now + fates.seconds(node), task));
            }
            TaskKind::Decision(node) => {
                self.course.started.insert(node, (self.now, Ended::Ok));
                let last = it.targets.len().saturating_sub(1);
                let choice = fates.choices.get(&node).copied().unwrap_or(last).min(last);
                self.branch(task, it.targets.get(choice).copied());
            }
            TaskKind::Next(node) => {
                let own = self.graph.task_of(node).map(|own| self.states[own]);
                let choice = usize::from(own != Some(State::Success));
                self.branch(task, it.targets.get(choice).copied());
            }
            TaskKind::Kill(_) => self.set(task, State::Failed),
            TaskKind::End(_) | TaskKind::Control(_) | TaskKind::Empty => self.set(task, State::Success),
            TaskKind::Outcome => {
                let is_end = |task: &usize| matches!(self.graph.tasks[*task].kind, TaskKind::End(_));
                let mut ends = (0..self.states.len()).filter(is_end);
                let is_good = ends.any(|end| self.states[end] == State::Success);
                self.set(task, if is_good { State::Success } else { State::Failed });
            }
        }
    }

    /// A choice: what is directly behind it and not behind the target too is skipped.
    fn branch(&mut self, task: usize, target: Option<usize>) {
        let mut kept = BTreeSet::new();
        let mut open: Vec<usize> = target.into_iter().collect();
        while let Some(next) = open.pop() {
            if kept.insert(next) {
                open.extend(&self.downstream[next]);
            }
        }
        for next in self.downstream[task].clone() {
            let is_free = !matches!(self.states[next], State::Running | State::Success | State::Failed);
            if is_free && !kept.contains(&next) {
                self.set(next, State::Skipped);
            }
        }
        self.set(task, State::Success);
    }

    fn set(&mut self, task: usize, state: State) {
        self.states[task] = state;
        self.touched.extend(&self.downstream[task]);
        if state == State::Failed && self.graph.fail_fast {
            self.stop(task);
        }
    }

    /// What `fail_fast` does when a task fails: running ones fail, all others are skipped, teardowns go on.
    fn stop(&mut self, failed: usize) {
        for task in 0..self.states.len() {
            let is_over = matches!(self.states[task], State::Success | State::Failed);
            if task == failed || is_over || self.graph.tasks[task].kind == TaskKind::Outcome {
                continue;
            }
            self.states[task] =
                if self.states[task] == State::Running { State::Failed } else { State::Skipped };
            self.touched.extend(&self.downstream[task]);
        }
        self.running.clear();
    }

    /// Whether all tasks are over.
    pub fn is_done(states: &[State]) -> bool {
        states.iter().all(|state| state.is_done())
    }
}
