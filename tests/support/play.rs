//! A random play: random apps, operators, data, ends, troubles and crashes, from one seed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use ankus::engine::status::{ActionStatus, JobStatus, NodeStatus, WorkflowStatus};
use ankus::engine::table::Taken;
use ankus::engine::{
    Command, Conf, During, Engine, Event, Fault, JobId, NodeEnd, NodeId, Outside, Parent, PlannedWorkflow,
    Recorded, Settings, Subject, Trouble, TroubleKind, VERSION,
};
use ankus::plan::coordinator::Exists;
use ankus::time::Instant;

use super::engine::{Apps, minute};
use super::graphs::Random;
use super::invariants::Invariants;
use super::random_apps::{FLAG, apps};
use super::random_deeds::deed;

/// What exists, and what ever did.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub uris: BTreeSet<String>,
    pub ever: BTreeSet<String>,
    /// What lies at [`FLAG`]: nothing, a folder (null) or a file.
    pub flag: Option<Option<i64>>,
}

impl Exists for World {
    fn exists(&self, uri: &str) -> bool {
        self.uris.contains(uri)
    }
}

impl Outside for World {
    fn files(&self, path: &str) -> Vec<(String, Option<i64>)> {
        self.flag.filter(|_| path == FLAG).map(|length| (FLAG.to_owned(), length)).into_iter().collect()
    }
}

/// All that ever existed.
#[derive(Debug)]
struct Ever<'a>(&'a BTreeSet<String>);

impl Exists for Ever<'_> {
    fn exists(&self, uri: &str) -> bool {
        self.0.contains(uri)
    }
}

/// A play under way.
pub struct Play {
    pub random: Random,
    pub apps: Apps,
    pub engine: Engine<Apps>,
    pub now: Instant,
    pub world: World,
    pub log: Vec<Recorded>,
    /// What was said to each event of the log.
    said: Vec<Vec<Command>>,
    /// What is to be answered.
    inbox: VecDeque<Command>,
    awaiting: BTreeSet<Subject>,
    /// What runs outside, by the attempt that was started last.
    pub outside: BTreeMap<NodeId, u32>,
    /// Kills that are on their way.
    pub dying: Vec<(NodeId, u32)>,
    /// Rows that were taken.
    pub taken: BTreeSet<Taken>,
    watch: Invariants,
    /// Whether everything is answered at once.
    prompt: bool,
    /// What this play is about.
    pub theme: Theme,
    /// Whether actions take their time, and whether few of them fail.
    slow: bool,
    pub gentle: bool,
    /// How many jobs are submitted at most.
    pub most_jobs: usize,
}

/// What a play is about: what happens more often than the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    Everything,
    Bundles,
    Coordinators,
    Nodes,
}

/// The settings of all plays: few levels of sub-workflows, and every row is told.
fn settings() -> Settings {
    Settings { max_depth: 3, tells_rows: true, ..Settings::default() }
}

impl Play {
    /// Plays a seed to its end.
    pub fn of(seed: u64) -> Play {
        let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let gentle = random.one_in(2);
        let apps = apps(&mut random, gentle);
        let prompt = !random.one_in(3);
        let mut play = Play {
            engine: Engine::new(apps.clone(), settings()),
            random,
            apps,
            now: minute(0),
            world: World::default(),
            log: Vec::new(),
            said: Vec::new(),
            inbox: VecDeque::new(),
            awaiting: BTreeSet::new(),
            outside: BTreeMap::new(),
            dying: Vec::new(),
            taken: BTreeSet::new(),
            watch: Invariants::default(),
            prompt,
            theme: Theme::Everything,
            slow: false,
            gentle,
            most_jobs: 1,
        };
        use Theme::{Bundles, Coordinators, Everything, Nodes};
        play.theme = [Everything, Bundles, Coordinators, Nodes, Nodes][play.random.below(5)];
        play.slow = play.random.one_in(3);
        if play.theme == Nodes && play.random.one_in(2) {
            play.world.flag = Some(None);
        }
        play.most_jobs = 1 + play.random.below(4);
        play.prompt &= play.theme != Bundles || play.random.one_in(2);
        for _ in 0..play.random.below(4) {
            let at = 60 * play.random.below(8) as i64;
            play.now = play.now.max(minute(at));
        }
        let steps = 40 + play.random.below(160);
        for _ in 0..steps {
            play.step();
        }
        play.end();
        play.hold_against_a_fresh_engine();
        play
    }

    fn step(&mut self) {
        if matches!(self.theme, Theme::Bundles | Theme::Coordinators) {
            // Most actions end at once, so that jobs come to their end.
            for (node, attempt) in self.outside.clone() {
                if self.slow && !self.random.one_in(5) {
                    continue;
                }
                let ok = !self.random.one_in(if self.gentle { 60 } else { 6 });
                if !self.gentle && self.random.one_in(20) {
                    let fault = Fault::new("X", "it broke");
                    let trouble = Trouble { kind: TroubleKind::Failed, during: During::Start, fault };
                    self.tell(Event::NodeTrouble { node, attempt, trouble });
                } else if !self.random.one_in(4) {
                    self.tell(Event::NodeEnded { node, attempt, end: NodeEnd { ok, ..NodeEnd::default() } });
                }
            }
        }
        match self.random.below(40) {
            0..=9 if !self.inbox.is_empty() => {
                let at = if self.random.one_in(3) { self.random.below(self.inbox.len()) } else { 0 };
                if let Some(command) = self.inbox.remove(at) {
                    self.answer(command);
                }
            }
            0..=9 => {
                let most = if self.random.one_in(3) { 120 } else { 15 };
                let minutes = 1 + self.random.below(most);
                self.wait_until(self.now.plus_minutes(minutes as i64));
            }
            10 | 11 => self.look_again(),
            12 => self.crash(),
            13 => self.wait_until(self.now.plus_millis(10_000)),
            _ => {
                if let Some(event) = deed(self) {
                    self.tell(event);
                }
            }
        }
    }

    /// Tells the engine something; whether it was taken. What it says is answered at once, or later.
    pub fn tell(&mut self, event: Event) -> bool {
        // Now and then, since looking at everything takes its time.
        let before = self.log.len().is_multiple_of(7).then(|| shown(&self.engine));
        let commands = match self.engine.handle(self.now, event.clone()) {
            Ok(commands) => commands,
            Err(error) => {
                if let Some(before) = before {
                    same(&shown(&self.engine), &before, &format!("{event:?} is refused ({error})"));
                }
                return false;
            }
        };
        let ever = Ever(&self.world.ever);
        let held = self.watch.after(&self.engine, self.now, &event, &commands, &ever);
        held.unwrap_or_else(|what| {
            let before: Vec<&Event> = self.log.iter().rev().take(8).map(|recorded| &recorded.event).collect();
            panic!(
                "at event {}: {what}\n{event:?} said {commands:?}\nbefore, from the last: {before:#?}",
                self.log.len()
            )
        });
        match &event {
            Event::NodeEnded { node, .. } => drop(self.outside.remove(node)),
            Event::NodeTrouble { node, trouble, .. }
                if trouble.kind != TroubleKind::Transient || trouble.during != During::Check =>
            {
                self.outside.remove(node);
            }
            _ => {}
        }
        self.log.push(Recorded { version: VERSION, at: self.now, event });
        for command in &commands {
            match command {
                Command::Took(row) => drop(self.taken.insert(*row)),
                Command::StartNode { node, attempt, .. } | Command::EndNode { node, attempt } => {
                    self.outside.insert(*node, *attempt);
                }
                Command::KillNode { node, attempt } => {
                    self.outside.remove(node);
                    self.dying.push((*node, *attempt));
                }
                Command::Clean { uris, .. } => {
                    self.world.uris.retain(|uri| !uris.iter().any(|cleaned| **cleaned == **uri));
                }
                Command::Await(subject) => drop(self.awaiting.insert(*subject)),
                Command::Look(_) | Command::PlanWorkflow { .. } | Command::PlanCoordinator { .. } => {
                    self.inbox.push_back(command.clone());
                }
                _ => {}
            }
        }
        self.said.push(commands);
        while self.prompt
            && let Some(command) = self.inbox.pop_front()
        {
            self.answer(command);
        }
        true
    }

    fn answer(&mut self, command: Command) {
        let event = match command {
            Command::Look(subject) => match self.engine.look(self.now, subject, &self.world) {
                Ok(event) => event,
                Err(_) => return,
            },
            Command::PlanWorkflow { parent, app_path, conf, .. } => {
                let known = self.apps.workflows.borrow().contains_key(&*app_path);
                let refused = self.random.one_in(15) || !known;
                let conf = matches!(parent, Parent::Node(_)).then_some(conf);
                let planned = PlannedWorkflow { program: app_path, name: "w".into(), conf };
                let outcome = if refused { Err(Fault::new("E0710", "no workflow")) } else { Ok(planned) };
                Event::WorkflowPlanned { parent, outcome }
            }
            Command::PlanCoordinator { bundle, child } => {
                let program = &self.engine.bundle(bundle).expect("a bundle").program;
                let name = program.children[child as usize].name.clone();
                let known = self.apps.coordinators.borrow().contains_key(&*name);
                let outcome = if known { Ok(name) } else { Err(Fault::new("E1001", "no coordinator")) };
                Event::CoordinatorPlanned { bundle, child, outcome }
            }
            _ => return,
        };
        self.tell(event);
    }

    /// Who waits for something looks again.
    pub fn look_again(&mut self) {
        for subject in std::mem::take(&mut self.awaiting) {
            self.answer(Command::Look(subject));
        }
    }

    /// Something exists from now on.
    pub fn put(&mut self, uri: String) {
        self.world.ever.insert(uri.clone());
        self.world.uris.insert(uri);
    }

    /// Lets time pass, with all that falls into it.
    pub fn wait_until(&mut self, until: Instant) {
        while let Some(at) = self.engine.next_wake().filter(|at| *at <= until) {
            self.now = self.now.max(at);
            assert!(self.tell(Event::Tick), "time is never refused");
        }
        self.now = until;
    }

    /// The engine is gone, and made again from what was recorded.
    pub fn crash(&mut self) {
        let text = serde_json::to_string(&self.log).expect("JSON");
        let log: Vec<Recorded> = serde_json::from_str(&text).expect("JSON");
        assert_eq!(log, self.log, "events are read as they were written");
        let again = Engine::replay(self.apps.clone(), settings(), &log).expect("a replay");
        same(&shown(&again), &shown(&self.engine), "an engine is made again");
        self.engine = again;
    }

    /// An engine that never crashed says the same at every event.
    fn hold_against_a_fresh_engine(&self) {
        let mut fresh = Engine::new(self.apps.clone(), settings());
        for (index, (recorded, said)) in self.log.iter().zip(&self.said).enumerate() {
            let again = fresh.handle(recorded.at, recorded.event.clone()).expect("taken once, taken twice");
            assert_eq!(&again, said, "event {index}");
        }
        same(&shown(&fresh), &shown(&self.engine), "an engine never crashed");
    }

    /// Everything that may be missing comes, and nobody holds anything any more: all ends, but for what can say why not.
    fn end(&mut self) {
        self.world.flag = Some(Some(1));
        for hour in 0..72 {
            for dataset in ["d", "e"] {
                self.put(format!("hdfs://nn/{dataset}/202401{:02}{:02}", 1 + hour / 24, hour % 24));
            }
        }
        for round in 0..60 {
            let before = self.log.len();
            self.let_go(round);
            self.look_again();
            while let Some(command) = self.inbox.pop_front() {
                self.answer(command);
            }
            for (node, attempt) in std::mem::take(&mut self.dying) {
                self.tell(Event::NodeKilled { node, attempt, fault: None });
            }
            for (node, attempt) in std::mem::take(&mut self.outside) {
                self.tell(Event::NodeEnded {
                    node,
                    attempt,
                    end: NodeEnd { ok: true, ..NodeEnd::default() },
                });
            }
            let ended: Vec<(NodeId, u32)> = self.asked_again();
            for (node, attempt) in ended {
                self.tell(Event::NodeEnded {
                    node,
                    attempt,
                    end: NodeEnd { ok: true, ..NodeEnd::default() },
                });
            }
            self.wait_until(self.now.plus_minutes(60));
            if self.log.len() == before && self.engine.next_wake().is_none() {
                break;
            }
        }
        // The longest patience of an action is sixty days.
        self.wait_until(self.now.plus_minutes(61 * 24 * 60));
        self.look_again();
        let open = self.unfinished();
        assert!(open.is_empty(), "never ends: {}", open.join(", "));
    }

    /// What waits for its end to be told once more.
    fn asked_again(&self) -> Vec<(NodeId, u32)> {
        let of = |job: &ankus::engine::workflow::WorkflowJob| {
            let number = job.number;
            let ends = job.nodes.iter().filter(|run| {
                matches!(run.status, NodeStatus::EndRetry | NodeStatus::EndManual | NodeStatus::Done)
            });
            ends.map(|run| (NodeId { workflow: number, node: run.node }, run.attempt)).collect::<Vec<_>>()
        };
        self.engine.workflows().flat_map(of).collect()
    }

    /// Starts what nobody has started, and resumes and unpauses what somebody holds. What goes on failing is killed.
    fn let_go(&mut self, round: usize) {
        use JobStatus::{
            Paused, PausedWithError, Prep, PrepPaused, PrepSuspended, Suspended, SuspendedWithError,
        };
        let bundles: Vec<(JobId, JobStatus)> =
            self.engine.bundles().map(|job| (job.id(), job.status)).collect();
        let coordinators: Vec<(JobId, JobStatus)> =
            self.engine.coordinators().map(|job| (job.id(), job.status)).collect();
        for (job, status) in bundles.into_iter().chain(coordinators) {
            match status {
                Prep if job.kind == ankus::engine::JobKind::Bundle => drop(self.tell(Event::Start(job))),
                PrepSuspended | Suspended | SuspendedWithError => drop(self.tell(Event::Resume(job))),
                Prep | PrepPaused | Paused | PausedWithError => {
                    let pause = Some(None);
                    self.tell(Event::Change(job, ankus::engine::Change { pause, ..Default::default() }));
                }
                _ => {}
            }
            if self.engine.coordinator(job).is_some_and(|job| job.concurrency != 5) {
                let concurrency = Some(5);
                self.tell(Event::Change(job, ankus::engine::Change { concurrency, ..Default::default() }));
            }
        }
        let workflows: Vec<(JobId, WorkflowStatus)> =
            self.engine.workflows().map(|job| (job.id(), job.status)).collect();
        for (job, status) in workflows {
            match status {
                WorkflowStatus::Prep => drop(self.tell(Event::Start(job))),
                // One whose expressions fail whatever comes.
                _ if round > 30 && !status.is_terminal() => drop(self.tell(Event::Kill(job))),
                WorkflowStatus::Suspended => drop(self.tell(Event::Resume(job))),
                _ => {}
            }
        }
    }

    /// What is not over, in words.
    fn unfinished(&self) -> Vec<String> {
        // What a server leaves as it is for good, and what is above.
        let left = |bundle: u32| {
            let mut below =
                self.engine.coordinators().filter(|job| job.bundle.is_some_and(|(of, _)| of == bundle));
            below.any(|job| job.is_left())
        };
        let bundles = self.engine.bundles().filter(|job| !job.status.is_terminal() && !left(job.number));
        let mut open: Vec<String> =
            bundles.map(|job| format!("{} is {}: {:?}", job.id(), job.status, job.children)).collect();
        let jobs = self.engine.coordinators().filter(|job| !job.status.is_terminal() && !job.is_left());
        open.extend(jobs.map(|job| {
            let states: Vec<&str> = job.actions.iter().map(|action| action.status.name()).collect();
            let (id, status, done, end, fault) = (job.id(), job.status, job.is_done, job.end, &job.fault);
            format!("{id} is {status}: {states:?}, done {done}, end {end:?}, {fault:?}")
        }));
        for job in self.engine.coordinators() {
            // In a job that is over nobody looks for inputs, nor takes turns.
            let is_left = job.status.is_terminal() && job.semantics.follows_commands();
            let stays = |status| is_left && matches!(status, ActionStatus::Waiting | ActionStatus::Ready);
            let actions = (1u32..).zip(&job.actions).filter(|(_, action)| !action.status.is_over());
            let actions = actions.filter(|(_, action)| !stays(action.status));
            open.extend(
                actions.map(|(number, action)| format!("{}@{number} is {}", job.id(), action.status)),
            );
        }
        let workflows = self.engine.workflows().filter(|job| !job.status.is_terminal());
        open.extend(workflows.map(|job| {
            let named = |run: &ankus::engine::workflow::NodeRun| {
                let name = job.node_name(run.node);
                format!(
                    "{name} {} pending {} attempt {} {:?}",
                    run.status, run.pending, run.attempt, run.retry_at
                )
            };
            let nodes: Vec<String> = job.nodes.iter().map(named).collect();
            format!("{} is {}: {nodes:?}", job.id(), job.status)
        }));
        open
    }

    /// Something that runs outside.
    pub fn any_outside(&mut self) -> Option<(NodeId, u32)> {
        let at = self.random.below(self.outside.len().max(1));
        self.outside.iter().nth(at).map(|(node, attempt)| (*node, *attempt))
    }

    /// A configuration for a workflow.
    pub fn conf(&mut self) -> Arc<Conf> {
        let mut conf =
            Conf::new([("user.name", "alice"), ("p", if self.random.one_in(2) { "1" } else { "2" })]);
        match self.random.below(8) {
            0 => conf.set("oozie.suspend.on.nodes", "*"),
            1 => conf.set("oozie.suspend.on.nodes", "a1, d2, j3"),
            2 => conf.set("oozie.wf.action.max.retries", "1"),
            3 => conf.set("oozie.wf.action.notification.url", "http://h/$jobId/$nodeName/$status"),
            4 => conf.set("lost", "found"),
            _ => {}
        }
        Arc::new(conf)
    }
}

/// Two engines look the same.
fn same(one: &str, other: &str, when: &str) {
    let differs = one.lines().zip(other.lines()).find(|(one, other)| one != other);
    assert!(one == other, "{when}, and {differs:#?}");
}

/// All that can be seen of an engine, but for its apps.
fn shown(engine: &Engine<Apps>) -> String {
    let coordinators = engine.coordinators().map(|job| {
        let id = job.id();
        let rest = (job.is_done, job.pause, job.end, job.concurrency, job.is_pending(), &job.fault);
        let waits: Vec<_> =
            (1..=job.actions.len() as u32).map(|n| (job.missing(n), job.fault_of(n))).collect();
        format!("{id} {} {:?} {rest:?} {waits:?}\n", job.status, job.actions)
    });
    let workflows = engine.workflows().map(|job| {
        // A configuration that was written and read again has lost its layers, and no property.
        let conf = job.conf.as_ref().map(|conf| conf.all());
        let rest = (job.run, job.started, job.ended, &job.finished, conf, &job.fault, &job.key);
        format!("{} {} {:?} {rest:?}\n", job.id(), job.status, job.nodes)
    });
    let bundles = engine
        .bundles()
        .map(|job| format!("{} {} {:?} {:?}\n", job.id(), job.status, job.children, job.pause));
    let all: String = coordinators.chain(workflows).chain(bundles).collect();
    format!("{all}{:?}", engine.next_wake())
}
