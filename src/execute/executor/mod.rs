//! The executor's loop: news and time in, events onto disk, commands out.

mod alerts;
mod answers;
mod asked;
mod attempts;
mod catch_up;
mod chores;
pub mod cleaning;
mod glance;
mod leftovers;
pub mod looks;
mod notify;
mod operating;
mod recall;
pub mod rehearsals;
mod telling;
mod unseen;
mod watch_clock;

pub use glance::{Glance, Glancer};
pub use recall::replay;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::engine::{
    Command, Engine, EngineError, Event, JobId, NodeId, Outside, Recorded, Secrets, Server, Settings,
    Unanswered,
};
use crate::execute::clock::Clock;
use crate::execute::deployed::Deployed;
use crate::execute::news::News;
use crate::execute::runners::template::Commands;
use crate::execute::storage::Storage;
use crate::execute::store::{Batch, Store, WORK};
use crate::execute::stub::Stubs;
use crate::host::ShellError;
use crate::report::run_lines::Heard;
use crate::shell::config::outward::Outward;
use crate::simulate::Rehearsal;
use crate::time::Instant;
use alerts::Alerts;
use cleaning::Cleanings;
use looks::Looks;
use notify::Notices;
use watch_clock::Shown;

/// What an executor is asked to do with what it starts.
pub struct Options {
    /// Actions that are not run of what is submitted; what is under way has its own.
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
    /// The server that new submissions live on, when they do not say so themselves.
    pub server: Server,
    /// Says how far it has come with the journal at the start.
    pub shows_progress: bool,
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
    /// What the clock showed at the last look.
    shown: Shown,
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
    /// The end of what actions that have just failed wrote to standard error.
    said: BTreeMap<NodeId, String>,
    changed: BTreeSet<u32>,
    /// What the names of jobs must not show.
    secrets: Secrets,
    /// Nodes that were killed since the last batch.
    killed: Vec<NodeId>,
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
    /// What the fs actions of rehearsals would have done.
    rehearsal: Rehearsal,
    /// Actions that run in processes.
    running: BTreeMap<NodeId, u32>,
    /// Actions that wait until fewer run.
    waiting: VecDeque<Command>,
    /// What is not run of each submission.
    rehearsals: BTreeMap<u32, Stubs>,
    /// What listeners are to be told.
    notices: Notices,
    /// Who is to hear by mail of what was missed.
    alerts: Alerts,
    /// What is to be removed before it is written again.
    cleanings: Cleanings,
    /// Whether this executor runs, rather than takes in one thing.
    is_running: bool,
    /// The newest chore that was looked at.
    newest_chore: i64,
    /// Coordinators of which was said what keeps them from catching up: that they wait for a time, or not.
    held_up: BTreeSet<(JobId, bool)>,
    /// Of each coordinator, the action of which was said last what it waits for.
    told_waiting: BTreeMap<u32, u32>,
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
        let alerts = Alerts::new(options.outward.email.clone(), sender.clone());
        let looks = Looks::new(store.meta(looks::UNREACHED)?);
        let mut executor = Executor {
            engine: Engine::new(deployed.clone(), settings),
            store,
            deployed,
            unanswered: Unanswered::default(),
            storage,
            options,
            clock,
            shown: Shown::by(clock),
            listen,
            glancer: None,
            news,
            sender,
            open: VecDeque::new(),
            put_off: Vec::new(),
            batch: Batch::default(),
            told: Vec::new(),
            said: BTreeMap::new(),
            changed: BTreeSet::new(),
            secrets: Secrets::default(),
            killed: Vec::new(),
            roots: BTreeMap::new(),
            names: BTreeMap::new(),
            live: BTreeSet::new(),
            stubbed: BTreeSet::new(),
            looks,
            world: None,
            rehearsal: Rehearsal::default(),
            running: BTreeMap::new(),
            waiting: VecDeque::new(),
            rehearsals: BTreeMap::new(),
            notices,
            alerts,
            cleanings: Cleanings::default(),
            is_running: false,
            newest_chore: 0,
            held_up: BTreeSet::new(),
            told_waiting: BTreeMap::new(),
            remark: None,
        };
        let live = executor.store.live()?;
        executor.recall(&live, executor.options.shows_progress)?;
        Ok(executor)
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

    /// Runs until a time, until all that is live is over, or until nothing more will happen.
    pub fn run(&mut self, until: Option<Instant>) -> Result<Stop, ShellError> {
        // With a time that is over nothing is begun: no action, no decision, no notification.
        if until.is_some_and(|until| self.clock.now() >= until) {
            self.glance();
            return Ok(Stop::Until);
        }
        self.watch_clock_since()?;
        // What an executor before this one had yet to do.
        (self.is_running, self.newest_chore, self.cleanings) = (true, 0, Cleanings::default());
        self.chores()?;
        let stop = self.go_on(until)?;
        self.tell_left();
        Ok(stop)
    }

    fn go_on(&mut self, until: Option<Instant>) -> Result<Stop, ShellError> {
        loop {
            self.answer_open()?;
            self.commit()?;
            // What was one store is worked on by one: whoever lost it begins nothing more.
            self.store.is_in_place()?;
            // From then on nothing is begun.
            if until.is_some_and(|until| self.clock.now() >= until) {
                self.glance();
                return Ok(Stop::Until);
            }
            if self.carry_out()? {
                continue;
            }
            self.retire()?;
            if self.live.is_empty()
                && self.notices.is_empty()
                && self.alerts.is_empty()
                && self.cleanings.next().is_none()
            {
                return Ok(Stop::Done);
            }
            self.glance();
            self.tell_held_up();
            self.tell_waiting();
            self.watch_clock()?;
            let now = self.clock.now();
            let next = self.next();
            if next.is_none() && self.running.is_empty() && self.is_idle() {
                return Ok(Stop::Stuck);
            }
            if next.is_none_or(|next| next > now) {
                let limit = [next, until].into_iter().flatten().min();
                let heard = self.clock.wait(limit, &self.news);
                self.watch_clock()?;
                match heard {
                    Some(News::Interrupted) => return Ok(Stop::Interrupted),
                    Some(News::Over { node, attempt, state }) => self.over(node, attempt, state)?,
                    Some(News::Begun { node, attempt }) => self.begun(node, attempt)?,
                    Some(News::Notified { number, outcome }) => self.notified(number, outcome),
                    Some(News::Alerted { number, outcome }) => self.alerted(number, outcome),
                    None => {}
                }
                self.serve()?;
            }
            self.pass()?;
        }
    }

    /// Whether nobody but an operator can change anything.
    fn is_idle(&self) -> bool {
        self.open.is_empty()
            && self.waiting.is_empty()
            && !self.notices.is_under_way()
            && self.alerts.is_empty()
    }

    /// When something is due next.
    fn next(&self) -> Option<Instant> {
        let stub = self.stubbed.first().map(|(at, ..)| *at);
        let own = [self.looks.next(), self.notices.next(), self.cleanings.next()];
        [self.engine.next_wake(), stub].into_iter().chain(own).flatten().min()
    }

    /// Lets time pass: what is due happens.
    fn pass(&mut self) -> Result<(), ShellError> {
        let now = self.clock.now();
        self.notices.pass(now);
        self.clean();
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
}

/// The folder of an attempt in a store.
pub fn folder_of(store: &Store, node: NodeId, attempt: u32) -> PathBuf {
    folder_in(store.folder(), node, attempt)
}

/// The folder of an attempt in the folder of a store.
pub fn folder_in(store: &std::path::Path, node: NodeId, attempt: u32) -> PathBuf {
    store.join(WORK).join(node.workflow.to_string()).join(attempt.to_string())
}

/// The engine did not take what it must: the journal and the program do not fit.
pub(super) fn broken(error: EngineError) -> ShellError {
    ShellError::usage(format!("the engine did not take an event: {error}"))
}
