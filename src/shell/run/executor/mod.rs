//! The executor's loop: news and time in, events onto disk, commands out.

mod asked;
mod attempts;
mod glance;
pub mod looks;
mod notify;

pub use glance::{Glance, Glancer};

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::engine::{
    Changed, Command, Engine, EngineError, Event, JobId, NodeEnd, NodeId, Outside, Parent, Question,
    Recorded, Settings, Submit, Unanswered, VERSION,
};
use crate::report::run_lines::Heard;
use crate::shell::ShellError;
use crate::shell::config::outward::Outward;
use crate::shell::run::clock::Clock;
use crate::shell::run::deployed::Deployed;
use crate::shell::run::files;
use crate::shell::run::news::News;
use crate::shell::run::requests::{self, Answer};
use crate::shell::run::rows;
use crate::shell::run::runners::template::Commands;
use crate::shell::run::storage::Storage;
use crate::shell::run::store::{Batch, Entry, Store, WORK};
use crate::shell::run::stub::Stubs;
use crate::time::Instant;
use looks::Looks;
use notify::Notices;

/// The code of an action whose supervisor has left no result.
pub const LOST: &str = "ANKUS-LOST";

/// What an executor is asked to do with what it starts.
pub struct Options {
    /// Actions that are not run.
    pub stubs: Stubs,
    /// How many actions run at once.
    pub jobs: usize,
    /// The commands of actions that other programs run.
    pub commands: Commands,
    /// Where something is sent outward.
    pub outward: Outward,
    /// The program whose `supervise` runs an attempt.
    pub program: PathBuf,
    /// How long is waited before inputs are looked for again, in milliseconds.
    pub look_millis: i64,
    /// How long an action takes that is not run, in milliseconds.
    pub stub_millis: i64,
}

/// Hears what has happened, once it is on disk.
pub type Listener<'l> = &'l mut dyn FnMut(Heard<'_>);

/// How far an executor came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All jobs that it was to look after are over.
    Done,
    /// The time until which it was to run has come.
    Until,
    /// Nothing will happen any more unless somebody does something.
    Stuck,
    /// Somebody has interrupted it.
    Interrupted,
}

/// The executor.
pub struct Executor<'x> {
    store: Store,
    deployed: Rc<Deployed>,
    engine: Engine<Rc<Deployed>>,
    unanswered: Unanswered,
    storage: Storage,
    options: Options,
    clock: &'x dyn Clock,
    listen: Option<Listener<'x>>,
    glancer: Option<Glancer<'x>>,
    news: Receiver<News>,
    /// For those who bring news.
    pub sender: Sender<News>,
    /// What the engine asked for and what can be answered at once.
    open: VecDeque<Command>,
    /// What is done once the batch is on disk.
    put_off: Vec<Command>,
    batch: Batch,
    told: Vec<(Recorded, Vec<Command>)>,
    changed: BTreeSet<u32>,
    /// The root of each job.
    roots: BTreeMap<u32, u32>,
    /// External ids of submissions that are being taken in.
    names: BTreeMap<u32, String>,
    live: BTreeSet<u32>,
    /// The ends of actions that are not run.
    stubbed: BTreeSet<(Instant, NodeId, u32)>,
    looks: Looks,
    /// What is looked at instead of storage.
    world: Option<&'x dyn Outside>,
    /// Actions that run in processes.
    running: BTreeMap<NodeId, u32>,
    /// Actions that wait until fewer run.
    waiting: VecDeque<Command>,
    /// What listeners are to be told.
    notices: Notices,
    /// Whether this executor runs, rather than takes in one thing.
    is_running: bool,
    /// The newest chore that was looked at.
    newest_chore: i64,
    /// Who hears what is said besides what happens to jobs.
    remark: Option<&'x mut dyn FnMut(&str)>,
}

impl<'x> Executor<'x> {
    /// An executor that goes on where the last one of this store stood.
    pub fn new(
        store: Store,
        deployed: Deployed,
        settings: Settings,
        storage: Storage,
        options: Options,
        clock: &'x dyn Clock,
        listen: Option<Listener<'x>>,
    ) -> Result<Executor<'x>, ShellError> {
        let deployed = Rc::new(deployed);
        let (sender, news) = channel();
        let notices = Notices::new(options.outward.notification.clone(), sender.clone());
        let looks = Looks::new(store.meta(looks::UNREACHED)?);
        let mut executor = Executor {
            engine: Engine::new(deployed.clone(), settings),
            store,
            deployed,
            unanswered: Unanswered::default(),
            storage,
            options,
            clock,
            listen,
            glancer: None,
            news,
            sender,
            open: VecDeque::new(),
            put_off: Vec::new(),
            batch: Batch::default(),
            told: Vec::new(),
            changed: BTreeSet::new(),
            roots: BTreeMap::new(),
            names: BTreeMap::new(),
            live: BTreeSet::new(),
            stubbed: BTreeSet::new(),
            looks,
            world: None,
            running: BTreeMap::new(),
            waiting: VecDeque::new(),
            notices,
            is_running: false,
            newest_chore: 0,
            remark: None,
        };
        let live = executor.store.live()?;
        executor.recall(&live)?;
        Ok(executor)
    }

    /// Brings submissions that the engine does not know to where the journal ends; all others stay as they are.
    fn recall(&mut self, roots: &[u32]) -> Result<(), ShellError> {
        let settings = self.engine.settings().clone();
        let (engine, unanswered) = replay(&self.store, &self.deployed, settings, roots)?;
        self.engine.adopt(engine);
        self.engine.continue_after(self.store.last_number()?);
        for root in roots {
            for job in self.store.jobs_of(*root)? {
                self.roots.insert(job.id.number, *root);
            }
        }
        self.live.extend(roots);
        self.open.extend(unanswered.in_order().into_iter().map(|(_, asked)| looks::again(&asked.command)));
        self.unanswered.adopt(unanswered);
        Ok(())
    }

    /// The engine, for whoever shows jobs.
    pub fn engine(&self) -> &Engine<Rc<Deployed>> {
        &self.engine
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The definitions.
    pub fn deployed(&self) -> &Rc<Deployed> {
        &self.deployed
    }

    /// The submissions that are looked after.
    pub fn live(&self) -> &BTreeSet<u32> {
        &self.live
    }

    /// Submits an app. With a name that is known, the job of that name.
    pub fn submit(&mut self, submit: Submit) -> Result<(JobId, bool), ShellError> {
        if let Some(name) = &submit.external_id
            && let Some(job) = self.store.job_named(name)?
        {
            return Ok((job.id, true));
        }
        let number = self.engine.last_number() + 1;
        if let Some(name) = &submit.external_id {
            self.names.insert(number, name.to_string());
        }
        self.tell(Event::Submit(submit)).map_err(broken)?;
        let job = [JobId::workflow(number), JobId::coordinator(number), JobId::bundle(number)]
            .into_iter()
            .find(|id| rows::is_known(&self.engine, *id))
            .ok_or_else(|| ShellError::usage("the app was not taken"))?;
        self.live.insert(number);
        self.batch.live.push(number);
        self.commit()?;
        Ok((job, false))
    }

    /// Tells the engine of what an operator wants; it is on disk when this returns.
    pub fn operate(&mut self, event: Event) -> Result<Result<(), EngineError>, ShellError> {
        let mut woken = None;
        if let Some(row) = event.job().and_then(|job| self.store.job(job.number).transpose()) {
            let root = row?.root;
            if !self.live.contains(&root) {
                // It was over, and may not be after this.
                if event.job().is_none_or(|job| !rows::is_known(&self.engine, job)) {
                    self.commit()?;
                    self.recall(&[root])?;
                }
                self.live.insert(root);
                woken = Some(root);
            }
        }
        let told = self.tell(event);
        if let Some(root) = woken {
            match told {
                Ok(()) => self.batch.live.push(root),
                Err(_) => drop(self.live.remove(&root)),
            }
        }
        self.commit()?;
        Ok(told)
    }

    /// Runs until a time, until all that is live is over, or until nothing more will happen.
    pub fn run(&mut self, until: Option<Instant>) -> Result<Stop, ShellError> {
        // What an executor before this one had yet to do.
        (self.is_running, self.newest_chore) = (true, 0);
        self.chores()?;
        loop {
            self.answer_open()?;
            self.commit()?;
            if self.carry_out()? {
                continue;
            }
            self.retire()?;
            if self.live.is_empty() && self.notices.is_empty() {
                return Ok(Stop::Done);
            }
            self.glance();
            let now = self.clock.now();
            if until.is_some_and(|until| now >= until) {
                return Ok(Stop::Until);
            }
            let next = self.next();
            if next.is_none() && self.running.is_empty() && self.is_idle() {
                return Ok(Stop::Stuck);
            }
            if next.is_none_or(|next| next > now) {
                let limit = [next, until].into_iter().flatten().min();
                match self.clock.wait(limit, &self.news) {
                    Some(News::Interrupted) => return Ok(Stop::Interrupted),
                    Some(News::Over { node, attempt, state }) => self.over(node, attempt, state)?,
                    Some(News::Begun { node, attempt }) => self.begun(node, attempt)?,
                    Some(News::Notified { number, outcome }) => self.notified(number, outcome),
                    None => {}
                }
                self.serve()?;
            }
            self.pass()?;
        }
    }

    /// Whether nobody but an operator can change anything.
    fn is_idle(&self) -> bool {
        self.open.is_empty() && self.waiting.is_empty() && !self.notices.is_under_way()
    }

    /// When something is due next.
    fn next(&self) -> Option<Instant> {
        let stub = self.stubbed.first().map(|(at, ..)| *at);
        [self.engine.next_wake(), stub, self.looks.next(), self.notices.next()].into_iter().flatten().min()
    }

    /// Lets time pass: what is due happens.
    fn pass(&mut self) -> Result<(), ShellError> {
        let now = self.clock.now();
        self.notices.pass(now);
        let stub = self.stubbed.first().copied().filter(|(at, ..)| *at <= now);
        if let Some(entry) = stub {
            self.stubbed.remove(&entry);
            let (_, node, attempt) = entry;
            if let Some(end) = self.stub_of(node) {
                self.tell_or_drop(Event::NodeEnded { node, attempt, end })?;
            }
        } else if !self.looks.take_due(now) && self.engine.next_wake().is_some_and(|wake| wake <= now) {
            self.tell(Event::Tick).map_err(broken)?;
        }
        Ok(())
    }

    /// Tells the engine something, and remembers it for the next batch.
    fn tell(&mut self, event: Event) -> Result<(), EngineError> {
        let now = self.clock.now();
        let last = self.engine.last_number();
        let kept = event.clone();
        let commands = self.engine.handle(now, event)?;
        self.unanswered.take(&kept, &commands);
        let newest = self.engine.last_number();
        let root = match kept.job() {
            Some(job) => self.roots.get(&job.number).copied(),
            None if newest > last => Some(last + 1),
            None => None,
        };
        for number in last + 1..=newest {
            self.roots.insert(number, root.unwrap_or(number));
            self.changed.insert(number);
        }
        for command in &commands {
            match command {
                Command::Changed(changed) => drop(self.changed.insert(job_of(*changed).number)),
                Command::Clean { .. } | Command::Notify { .. } => {
                    if let Some(body) = chore(command) {
                        self.batch.chores.push((root.unwrap_or_default(), body));
                    }
                }
                Command::Submitted { .. }
                | Command::Took(_)
                | Command::Created { .. }
                | Command::Bound { .. }
                | Command::Sla(_) => {}
                command => self.open.push_back(command.clone()),
            }
        }
        if let Some(job) = kept.job() {
            self.changed.insert(job.number);
        }
        let recorded = Recorded { version: VERSION, at: now, event: kept };
        self.batch.entries.push(Entry { root, last, recorded: recorded.clone() });
        if self.listen.is_some() {
            self.told.push((recorded, commands));
        }
        Ok(())
    }

    /// Tells the engine news that may be too late to matter.
    fn tell_or_drop(&mut self, event: Event) -> Result<(), ShellError> {
        match self.tell(event) {
            Ok(()) | Err(EngineError::Stale { .. } | EngineError::NotAllowed { .. }) => Ok(()),
            Err(error) => Err(broken(error)),
        }
    }

    /// Answers what can be answered from what is here; nothing of it changes anything outside.
    fn answer_open(&mut self) -> Result<(), ShellError> {
        loop {
            let Some(command) = self.open.pop_front() else {
                self.forget_told();
                match self.look_again() {
                    Some(event) => self.tell_or_drop(event)?,
                    None => return Ok(()),
                }
                continue;
            };
            let event = match &command {
                Command::Look(subject) => self.look(*subject),
                Command::Await(subject) => {
                    self.wait_for(*subject);
                    None
                }
                Command::PlanCoordinator { bundle, child } => {
                    let key = self.engine.bundle(*bundle).map(|job| job.key.clone()).unwrap_or_default();
                    let outcome = self.deployed.plan_coordinator(&key, *child);
                    Some(Event::CoordinatorPlanned { bundle: *bundle, child: *child, outcome })
                }
                Command::PlanWorkflow { parent, app_path, conf, above } => {
                    let near = self.near(*parent).unwrap_or_default();
                    let outcome = self.deployed.plan_workflow(app_path, conf, above.as_deref(), &near);
                    Some(Event::WorkflowPlanned { parent: *parent, outcome })
                }
                Command::StartNode { node, attempt, .. } if self.stub_of(*node).is_some() => {
                    let begun =
                        self.unanswered.get(&Question::Run(*node)).is_some_and(|asked| asked.has_begun);
                    let ends = self.clock.now().plus_millis(self.options.stub_millis);
                    self.stubbed.insert((ends, *node, *attempt));
                    (!begun).then_some(Event::NodeStarted {
                        node: *node,
                        attempt: *attempt,
                        external_id: None,
                        tracker: None,
                    })
                }
                Command::EndNode { node, attempt } if self.stub_of(*node).is_some() => {
                    let end = self.stub_of(*node).unwrap_or_default();
                    Some(Event::NodeEnded { node: *node, attempt: *attempt, end })
                }
                Command::KillNode { node, attempt } if self.stub_of(*node).is_some() => {
                    self.stubbed.retain(|(_, other, _)| other != node);
                    Some(Event::NodeKilled { node: *node, attempt: *attempt, fault: None })
                }
                _ => {
                    self.put_off.push(command);
                    None
                }
            };
            if let Some(event) = event {
                self.tell_or_drop(event)?;
            }
        }
    }

    fn stub_of(&self, node: NodeId) -> Option<NodeEnd> {
        let job = self.engine.workflow(node.job())?;
        let kind = rows::kind_of(job, node.node);
        self.options.stubs.end(job.node_name(node.node), &kind)
    }

    /// The file from which a path to a workflow is looked at.
    fn near(&self, parent: Parent) -> Option<PathBuf> {
        let key = match parent {
            Parent::Action(action) => &self.engine.coordinator(action.job())?.key,
            Parent::Node(node) => &self.engine.workflow(node.job())?.key,
        };
        self.deployed.path(key)
    }

    /// Puts what has happened on disk.
    fn commit(&mut self) -> Result<(), ShellError> {
        self.batch.programs = self.deployed.take_new();
        let changed = std::mem::take(&mut self.changed);
        for number in changed {
            let root = self.roots.get(&number).copied().unwrap_or(number);
            let name = self.names.remove(&number);
            self.batch.jobs.extend(rows::row(
                &self.engine,
                &self.deployed,
                number,
                root,
                name,
                self.clock.now(),
            ));
        }
        if self.batch.is_empty() {
            return Ok(());
        }
        let batch = std::mem::take(&mut self.batch);
        self.store.commit(&batch)?;
        for (recorded, commands) in std::mem::take(&mut self.told) {
            if let Some(listen) = &mut self.listen {
                listen(Heard { recorded: &recorded, commands: &commands, engine: &self.engine });
            }
        }
        if !batch.chores.is_empty() {
            self.chores()?;
        }
        Ok(())
    }

    /// Does what needs no answer.
    fn chores(&mut self) -> Result<(), ShellError> {
        for (number, _, body) in self.store.chores_after(self.newest_chore)? {
            self.newest_chore = number;
            if let Some(uris) = body.strip_prefix("clean\n") {
                for uri in uris.lines() {
                    // What cannot be removed stays, as on a server.
                    let _ = files::clean(&self.storage, uri);
                }
            } else if !self.is_running || self.notices.take(number, &body) {
                continue;
            }
            self.batch.done.push(number);
        }
        Ok(())
    }

    /// Takes leave of what is over.
    fn retire(&mut self) -> Result<(), ShellError> {
        let over: Vec<u32> =
            self.live.iter().copied().filter(|root| rows::is_over(&self.engine, *root)).collect();
        let busy: BTreeSet<u32> = if over.is_empty() {
            BTreeSet::new()
        } else {
            let asked = self.unanswered.in_order();
            asked.iter().filter_map(|(question, _)| self.roots.get(&question.job().number).copied()).collect()
        };
        for root in over {
            if !busy.contains(&root) {
                self.live.remove(&root);
                self.batch.over.push(root);
            }
        }
        self.commit()
    }

    /// Answers what other processes ask.
    fn serve(&mut self) -> Result<(), ShellError> {
        for (number, body) in self.store.requests()? {
            let answer = match requests::read(&body) {
                Err(words) => Answer::refused(words),
                Ok(request) => self.take(request)?,
            };
            self.batch.answers.push((number, answer.text()));
            self.commit()?;
        }
        Ok(())
    }
}

/// An engine as the journal of some submissions makes it, and what it was not told yet.
pub fn replay(
    store: &Store,
    deployed: &Rc<Deployed>,
    settings: Settings,
    roots: &[u32],
) -> Result<(Engine<Rc<Deployed>>, Unanswered), ShellError> {
    let mut engine = Engine::new(deployed.clone(), settings);
    let mut unanswered = Unanswered::default();
    store.replay(Some(roots), |entry| {
        engine.continue_after(entry.last);
        let commands = engine.handle(entry.recorded.at, entry.recorded.event.clone());
        let commands = commands.map_err(|error| deployed.take_fault().unwrap_or_else(|| broken(error)))?;
        unanswered.take(&entry.recorded.event, &commands);
        Ok(())
    })?;
    Ok((engine, unanswered))
}

/// The folder of an attempt in a store.
pub fn folder_of(store: &Store, node: NodeId, attempt: u32) -> PathBuf {
    folder_in(store.folder(), node, attempt)
}

/// The folder of an attempt in the folder of a store.
pub fn folder_in(store: &std::path::Path, node: NodeId, attempt: u32) -> PathBuf {
    store.join(WORK).join(node.workflow.to_string()).join(attempt.to_string())
}

/// What is to be done without an answer, as text.
fn chore(command: &Command) -> Option<String> {
    match command {
        Command::Clean { uris, .. } => {
            let uris: Vec<String> = uris.iter().map(|uri| uri.to_string()).collect();
            Some(format!("clean\n{}", uris.join("\n")))
        }
        command => notify::chore(command),
    }
}

fn job_of(changed: Changed) -> JobId {
    match changed {
        Changed::Job(job, ..) | Changed::Workflow(job, ..) => job,
        Changed::Action(action, ..) => action.job(),
        Changed::Node(node, ..) => node.job(),
    }
}

/// The engine did not take what it must: the journal and the program do not fit.
pub(super) fn broken(error: EngineError) -> ShellError {
    ShellError::usage(format!("the engine did not take an event: {error}"))
}
