//! Plays an app: tells the engine what happens, in order of time, until nothing more would happen.

mod ends;
mod hadoop;
mod operators;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};
use std::sync::Arc;

use super::app::{App, Apps};
use super::check::{Checker, Violation};
use super::draw::Draw;
use super::fate::{Fate, fate};
use super::record::{Simulation, Stop};
use super::recorder::Recorder;
use super::scenario::{self, Operator, Overlap, Scenario, Way};
use super::world::{Here, MAX_SEARCHED, Outputs, When, World};
use super::{files, fs_action};
use crate::analysis::parameters::{AppKind, USER_NAME};
use crate::engine::status::ActionStatus;
use crate::engine::{
    ActionId, Answer, Changed, Command, During, Engine, EngineError, Event, Fault, JobId, NodeId, Secrets,
    Settings, Subject, Submit, Trouble, TroubleKind,
};
use crate::plan::coordinator::plain_uri;
use crate::plan::hdfs;
use crate::redact::Redactor;
use crate::time::Instant;

/// No simulation tells the engine more events.
pub const MAX_EVENTS: u64 = 50_000_000;

/// Without a time until which an app is played, it is played so many days beyond the end of its last coordinator.
pub const TAIL_DAYS: i64 = 366;

/// Without a time until which an app is played, it is played so many days from its start at most when its coordinators
/// go on longer, ...
pub const HORIZON_DAYS: i64 = 400;

/// ... and no further than where so many actions of coordinators are created.
pub const HORIZON_ACTIONS: u64 = 10_000;

/// After how many events whoever plans hears how far the play has come, and the engine forgets what is over.
const PASSING_EVENTS: u64 = 4_096;

/// What a simulation may do.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The seed of what is drawn.
    pub seed: u64,
    /// When the app is submitted.
    pub begin: Instant,
    /// Until when it is played; without it, until nothing more would happen, or to the horizon ([`HORIZON_DAYS`],
    /// [`HORIZON_ACTIONS`]).
    pub until: Option<Instant>,
    /// Check after every event that nothing impossible has happened.
    pub check: bool,
    /// How many events the engine is told at most.
    pub max_events: u64,
    /// How many instances all looks together ask for at most, beyond what is ordinary.
    pub max_searched: u64,
    /// After how many events the engine forgets workflows that are over: no answer depends on it, only memory.
    pub forget_after: u64,
    /// Whether all that is wanted is a summary: the record drops workflows of which none would speak.
    pub is_summary: bool,
}

impl Options {
    /// What a scenario and the app say; an argument comes first.
    pub fn of(app: &App, scenario: &Scenario, seed: Option<u64>, until: Option<Instant>) -> Options {
        Options {
            seed: seed.or(scenario.seed).unwrap_or(0),
            begin: scenario.begin.unwrap_or(app.begin),
            until: until.or(scenario.until),
            check: false,
            max_events: MAX_EVENTS,
            max_searched: MAX_SEARCHED,
            forget_after: PASSING_EVENTS,
            is_summary: false,
        }
    }
}

/// Why a simulation broke off.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// It has more events than anybody waits for.
    #[error("the simulation takes more than {limit} events; shorten it with `--until`")]
    TooLong {
        /// The limit.
        limit: u64,
        /// When it was reached.
        at: Instant,
    },
    /// Its actions search through more instances than anybody waits for.
    #[error(
        "a coordinator looks through more than {limit} instances; name fewer or nearer ones, or shorten it with `--until`"
    )]
    TooFar {
        /// The limit.
        limit: u64,
        /// When it was reached.
        at: Instant,
    },
    /// Two rules of the scenario are for the same thing.
    #[error("two rules are for `{what}`, and neither is narrower in all it says")]
    Overlap {
        /// What they are for.
        what: String,
        /// Where they stand.
        rules: Overlap,
    },
    /// Something happened that must not.
    #[error("{0}")]
    Violation(Violation),
    /// The engine did not take an event that it should.
    #[error("the engine did not take an event: {0}")]
    Engine(EngineError),
}

/// What happens next outside. The order is that in which things happen at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    /// An action of a workflow ends.
    End(NodeId, u32),
    /// Something appears that an action of a coordinator waits for.
    Look(ActionId),
    /// An operator does something.
    Operator(usize),
}

/// An event with what followed from it, as those hear who listen.
#[derive(Debug)]
pub struct Told<'t> {
    /// When.
    pub at: Instant,
    /// What happened.
    pub event: &'t Event,
    /// What followed.
    pub commands: &'t [Command],
    /// What must not be shown of it.
    pub veil: &'t Redactor,
}

/// Hears of every event.
pub type Listener<'l> = &'l mut dyn FnMut(Told<'_>);

/// Plays an app to its end.
pub fn play<A: Apps + ?Sized>(
    apps: &A,
    app: &App,
    scenario: &Scenario,
    options: Options,
    listen: Option<Listener<'_>>,
) -> Result<Simulation, PlayError> {
    play_all(apps, app, scenario, options, listen).map(|(simulation, _)| simulation)
}

/// Plays one part of an app to its end, and tells whether it had to do with files.
pub(super) fn play_part<A: Apps + ?Sized>(
    apps: &A,
    app: &App,
    scenario: &Scenario,
    options: Options,
) -> Result<(Simulation, bool), PlayError> {
    play_all(apps, app, scenario, options, None)
}

fn play_all<A: Apps + ?Sized>(
    apps: &A,
    app: &App,
    scenario: &Scenario,
    options: Options,
    listen: Option<Listener<'_>>,
) -> Result<(Simulation, bool), PlayError> {
    let settings = Settings { processing: app.zone, ..Settings::default() };
    let settings = scenario.server(&app.server).over(&settings);
    let submits = |operator: &Operator| matches!(operator.command, scenario::Command::Submit { .. });
    let mut player = Player {
        apps,
        app,
        scenario,
        options,
        engine: Engine::new(apps, settings),
        world: World::new(app, scenario, options.seed),
        recorder: Recorder::default(),
        answer: None,
        checker: options.check.then(Checker::default),
        listen,
        now: options.begin,
        open: VecDeque::new(),
        queue: BinaryHeap::new(),
        running: BTreeMap::new(),
        asked: BTreeMap::new(),
        remembers: false,
        awaited: BTreeSet::new(),
        outputs: BTreeMap::new(),
        secrets: Secrets::default(),
        forgotten: 0,
        forgets_at: options.forget_after,
        events: 0,
        created: 0,
        last: options.begin,
        job: None,
    };
    player.world.now = options.begin;
    for (index, operator) in scenario.operators.iter().enumerate() {
        player.queue.push(Reverse((operator.at.max(options.begin), Item::Operator(index))));
    }
    if !scenario.operators.iter().any(submits) {
        player.submit(true, None)?.map_err(PlayError::Engine)?;
        player.note_submission();
    }
    let stop = player.run()?;
    let used_files = player.remembers || !player.world.made.is_empty();
    Ok((player.finish(stop)?, used_files))
}

struct Player<'a, 'l, A: Apps + ?Sized> {
    apps: &'a A,
    app: &'a App,
    scenario: &'a Scenario,
    options: Options,
    engine: Engine<&'a A>,
    secrets: Secrets,
    /// Up to which number the engine was asked to forget workflows, ...
    forgotten: u32,
    /// ... and after how many events it is asked again.
    forgets_at: u64,
    world: World<'a>,
    recorder: Recorder,
    /// What a server would answer to the command that was just taken.
    answer: Option<Answer>,
    checker: Option<Checker>,
    listen: Option<Listener<'l>>,
    now: Instant,
    /// What the engine asked for.
    open: VecDeque<Command>,
    /// What will happen.
    queue: BinaryHeap<Reverse<(Instant, Item)>>,
    /// The actions that run outside, and their attempt.
    running: BTreeMap<NodeId, u32>,
    /// What was looked for in vain, until the engine has heard of it.
    asked: BTreeMap<ActionId, Vec<Arc<str>>>,
    /// Whether all is remembered that actions write, and not only what others wait for.
    remembers: bool,
    /// Who waits for what an action of the app writes.
    awaited: BTreeSet<(Arc<str>, ActionId)>,
    /// What coordinators write that somebody reads.
    outputs: BTreeMap<JobId, Option<Outputs>>,
    events: u64,
    /// How many actions of coordinators were created.
    created: u64,
    /// When something followed from an event for the last time.
    last: Instant,
    /// The app's own job.
    job: Option<JobId>,
}

impl<A: Apps + ?Sized> Player<'_, '_, A> {
    /// The time until which is played, and why no further.
    fn until(&self) -> (Instant, Stop) {
        if let Some(until) = self.options.until {
            return (until, Stop::Until);
        }
        let begin = self.options.begin;
        let operators = self.scenario.operators.iter().map(|operator| operator.at);
        let asked = operators.max().unwrap_or(begin).max(begin);
        let starts = self.app.coordinators.iter().map(|coordinator| coordinator.job.start);
        let start = starts.min().unwrap_or(begin).max(begin);
        let ends = self.app.coordinators.iter().map(|coordinator| coordinator.job.end);
        let last = ends.max().unwrap_or(begin).max(asked);
        let horizon = start.plus_minutes(HORIZON_DAYS * 24 * 60).max(asked);
        match last > horizon {
            true => (horizon, Stop::HorizonDays),
            false => (last.plus_minutes(TAIL_DAYS * 24 * 60), Stop::Until),
        }
    }

    fn run(&mut self) -> Result<Stop, PlayError> {
        let (until, reason) = self.until();
        let most = if self.options.until.is_none() { HORIZON_ACTIONS } else { u64::MAX };
        loop {
            if let Some(command) = self.open.pop_front() {
                if let Some(event) = self.answer(command)? {
                    self.tell(event)?;
                }
                continue;
            }
            if self.events >= self.forgets_at {
                self.forget();
                self.forgets_at = self.events.saturating_add(self.options.forget_after);
            }
            let wake = self.engine.next_wake();
            let item = self.queue.peek().map(|Reverse((at, _))| *at);
            let Some(next) = wake.into_iter().chain(item).min() else { return Ok(Stop::Complete) };
            if next > until {
                if self.is_over() {
                    return Ok(Stop::Complete);
                }
                self.now = self.now.max(until);
                self.world.now = self.now;
                return Ok(reason);
            }
            if self.created >= most && next > self.now && !self.is_over() {
                return Ok(Stop::HorizonActions);
            }
            self.now = self.now.max(next);
            self.world.now = self.now;
            if item.is_some_and(|at| at <= self.now)
                && let Some(Reverse((_, item))) = self.queue.pop()
            {
                self.happen(item)?;
            } else {
                self.tell(Event::Tick)?;
            }
        }
    }

    /// Whether nothing is left that could do anything: what is still to come concerns jobs and actions that are over.
    fn is_over(&self) -> bool {
        let engine = &self.engine;
        let operators = self.queue.iter().any(|Reverse((_, item))| matches!(item, Item::Operator(_)));
        !operators
            && engine.bundles().all(|job| job.status.is_terminal())
            && engine.coordinators().all(|job| job.status.is_terminal())
            && engine.workflows().all(|job| job.status.is_terminal())
    }

    /// Tells the engine something that it must take.
    fn tell(&mut self, event: Event) -> Result<(), PlayError> {
        self.try_tell(event)?.map_err(PlayError::Engine)
    }

    fn try_tell(&mut self, event: Event) -> Result<Result<(), EngineError>, PlayError> {
        if self.events >= self.options.max_events {
            return Err(PlayError::TooLong { limit: self.options.max_events, at: self.now });
        }
        let heard = (self.listen.is_some() || self.checker.is_some()).then(|| event.clone());
        let commands = match self.engine.handle(self.now, event) {
            Ok(commands) => commands,
            Err(error) => return Ok(Err(error)),
        };
        self.events += 1;
        if self.events.is_multiple_of(PASSING_EVENTS) {
            self.apps.passes(self.now);
        }
        if !commands.is_empty() {
            self.last = self.now;
        }
        self.recorder.take(self.now, &commands, &self.engine, &self.world);
        if let Some(event) = &heard {
            if let Some(listen) = &mut self.listen {
                self.secrets.hear(event);
                self.secrets.look(&self.engine);
                self.secrets.carry_out(&commands, &self.engine);
                let veil = self.secrets.veil();
                listen(Told { at: self.now, event, commands: &commands, veil });
            }
            if let Some(checker) = &mut self.checker {
                let seen = checker.take(self.now, self.events, event, &commands, &self.engine, &self.world);
                seen.map_err(PlayError::Violation)?;
            }
        }
        for command in commands {
            match command {
                Command::Changed(Changed::Action(id, _, ActionStatus::Succeeded)) => self.write(id),
                Command::Created { .. } => self.created += 1,
                Command::Changed(_) | Command::Took(_) | Command::Bound { .. } => {}
                Command::Answered(answer) => self.answer = Some(answer),
                Command::Submitted { job, .. } => self.job = self.job.or(Some(job)),
                command => self.open.push_back(command),
            }
        }
        Ok(Ok(()))
    }

    /// What a finished action has written is there, and who waits for it looks again.
    fn write(&mut self, id: ActionId) {
        let Some(job) = self.engine.coordinator(id.job()) else { return };
        let (program, world) = (&job.program, &mut self.world);
        let outputs = self.outputs.entry(id.job());
        let is_of_use = self.remembers || world.is_read(program);
        let outputs = outputs.or_insert_with(|| is_of_use.then(|| Outputs::new(program)));
        let (Some(outputs), Some(action)) = (outputs, job.action(id.number)) else { return };
        for uri in outputs.of(program, id, action.nominal, action.created) {
            let base = self.world.write(&uri);
            self.wake(&base);
        }
    }

    /// Who waits for something looks again.
    fn wake(&mut self, base: &Arc<str>) {
        let lowest = ActionId { coordinator: 0, number: 0 };
        let waiting = self.awaited.range((base.clone(), lowest)..);
        let waiting: Vec<_> = waiting.take_while(|(known, _)| known == base).cloned().collect();
        for entry in waiting {
            let action = entry.1;
            self.awaited.remove(&entry);
            // The scenario may delay what is written; the look then finds out until when.
            self.queue.push(Reverse((self.now, Item::Look(action))));
        }
    }

    fn happen(&mut self, item: Item) -> Result<(), PlayError> {
        match item {
            Item::Look(action) => {
                self.open.push_back(Command::Look(Subject::Action(action)));
                Ok(())
            }
            Item::End(node, attempt) => {
                if self.running.get(&node) != Some(&attempt) {
                    return Ok(());
                }
                self.running.remove(&node);
                let event = self.end(node, attempt)?;
                match self.try_tell(event)? {
                    // It went on after its job had failed, which has been run again since.
                    Err(EngineError::Stale { .. } | EngineError::UnknownAction(_)) => Ok(()),
                    told => told.map_err(PlayError::Engine),
                }
            }
            Item::Operator(index) => self.operate(index),
        }
    }

    /// What the engine wants to know.
    fn answer(&mut self, command: Command) -> Result<Option<Event>, PlayError> {
        Ok(match command {
            Command::Look(subject) => self.look(subject)?,
            Command::Await(Subject::Action(action)) => {
                self.wait(action);
                None
            }
            Command::PlanCoordinator { bundle, child } => {
                let key = self.engine.bundle(bundle).map(|job| job.key.clone()).unwrap_or_default();
                let outcome = self.apps.plan_coordinator(&key, child);
                Some(Event::CoordinatorPlanned { bundle, child, outcome })
            }
            Command::PlanWorkflow { parent, app_path, conf, above } => {
                let outcome = self.apps.plan_workflow(&app_path, &conf, above.as_deref());
                Some(Event::WorkflowPlanned { parent, outcome })
            }
            Command::StartNode { node, attempt, kind, definition } => {
                return self.start(node, attempt, &kind, &definition).map(Some);
            }
            Command::EndNode { node, attempt } => return self.end(node, attempt).map(Some),
            Command::KillNode { node, attempt } => {
                self.running.remove(&node);
                Some(Event::NodeKilled { node, attempt, fault: None })
            }
            Command::Clean { uris, .. } => {
                uris.iter().for_each(|uri| self.world.remove(uri));
                None
            }
            _ => None,
        })
    }

    /// Once a workflow asks for files, what was written so far matters to it.
    fn remember(&mut self) {
        if std::mem::replace(&mut self.remembers, true) {
            return;
        }
        let read: Vec<JobId> =
            self.outputs.iter().filter(|(_, it)| it.is_some()).map(|(id, _)| *id).collect();
        self.outputs.retain(|_, it| it.is_some());
        let jobs = self.engine.coordinators().filter(|job| !read.contains(&job.id()));
        let ended: Vec<ActionId> = jobs
            .flat_map(|job| {
                let numbered = (1..).zip(&job.actions);
                let well = numbered.filter(|(_, action)| action.status == ActionStatus::Succeeded);
                well.map(|(number, _)| ActionId { coordinator: job.number, number })
            })
            .collect();
        ended.into_iter().for_each(|id| self.write(id));
    }

    fn look(&mut self, subject: Subject) -> Result<Option<Event>, PlayError> {
        if let Subject::Node(_) = subject {
            self.remember();
        }
        self.world.take_missing();
        let event = self.engine.look(self.now, subject, &self.world).ok();
        if let Subject::Action(action) = subject {
            self.asked.insert(action, self.world.take_missing());
            let limit = self.options.max_searched;
            if self.world.searched() > limit {
                return Err(PlayError::TooFar { limit, at: self.now });
            }
        }
        if let Some((rules, what)) = self.world.take_fault() {
            return Err(PlayError::Overlap { what: what.to_string(), rules });
        }
        Ok(event)
    }

    /// An action waits, and looks again when something appears.
    fn wait(&mut self, action: ActionId) {
        let asked = self.asked.remove(&action).unwrap_or_default();
        let subject = Subject::Action(action);
        self.recorder.waits(self.now, subject, &asked, &self.engine, &self.world);
        let mut next: Option<Instant> = None;
        for uri in &asked {
            match self.world.when(uri) {
                When::At(at) => next = Some(next.map_or(at, |next| next.min(at))),
                When::Open(base) => drop(self.awaited.insert((base, action))),
                When::Never => drop(self.awaited.insert((plain_uri(uri).into(), action))),
            }
        }
        if let Some(at) = next.filter(|at| *at > self.now) {
            self.queue.push(Reverse((at, Item::Look(action))));
        }
    }

    fn fate(&self, node: NodeId, attempt: u32) -> Result<Fate, PlayError> {
        let draw = Draw::new(self.options.seed).with(b"action");
        fate(self.scenario, draw, &self.engine, node, attempt)
            .map_err(|(rules, what)| PlayError::Overlap { what, rules })
    }

    fn start(
        &mut self,
        node: NodeId,
        attempt: u32,
        kind: &str,
        definition: &str,
    ) -> Result<Event, PlayError> {
        let nth = self.recorder.attempts(node);
        let fate = self.fate(node, nth)?;
        let trouble = |kind, fault: Fault| Event::NodeTrouble {
            node,
            attempt,
            trouble: Trouble { kind, during: During::Start, fault },
        };
        Ok(match (fate.way, fate.fault) {
            (Way::Failed, Some(fault)) => trouble(TroubleKind::Failed, fault),
            (Way::Transient, Some(fault)) => trouble(TroubleKind::Transient, fault),
            (Way::NonTransient, Some(fault)) => trouble(TroubleKind::NonTransient, fault),
            (way, _) => {
                if !matches!(kind, "fs" | hdfs::KIND) {
                    self.world.made.named_in(definition, self.world.is_closed(), self.now);
                } else if way == Way::Ok
                    && let Err(fault) = self.change_files(node, definition)
                {
                    return Ok(trouble(TroubleKind::Error, fault));
                }
                self.running.insert(node, attempt);
                if way != Way::Hangs {
                    let at = self.now.plus_millis(fate.seconds.saturating_mul(1000));
                    self.queue.push(Reverse((at, Item::End(node, attempt))));
                }
                let (external_id, tracker) = hadoop::job(kind, node, attempt, definition).unzip();
                Event::NodeStarted { node, attempt, external_id, tracker }
            }
        })
    }

    /// An fs action makes, moves and deletes; who waits for what is there now looks again.
    fn change_files(&mut self, node: NodeId, definition: &str) -> Result<(), Fault> {
        let conf = self.engine.conf_of(node.job());
        let get = |name: &str| conf.as_ref().and_then(|conf| conf.get(name));
        let app_path = get(AppKind::Workflow.property()).unwrap_or_default();
        let user = get(USER_NAME).unwrap_or_else(|| "user".to_owned());
        let file = app_path.rsplit('/').next().is_some_and(|name| name.contains('.'));
        let folder =
            if file { files::above(&app_path).unwrap_or(&app_path) } else { app_path.trim_end_matches('/') };
        let apps = self.apps;
        let deployed = |path: &str| {
            let below = path.strip_prefix(folder)?.strip_prefix('/').filter(|_| !folder.is_empty())?;
            Some(apps.deploys(&app_path, below))
        };
        let mut here = Here { world: &mut self.world, deployed: &deployed };
        let (made, outcome) = fs_action::act(&mut here, definition, &user);
        for path in made {
            [Some(&*path), files::above(&path)].into_iter().flatten().for_each(|it| self.wake(&it.into()));
        }
        outcome
    }

    fn submit(
        &mut self,
        start: bool,
        external_id: Option<Arc<str>>,
    ) -> Result<Result<(), EngineError>, PlayError> {
        let program = self.app.submission.clone();
        self.try_tell(Event::Submit(Submit::new(program, external_id, start)))
    }
}
