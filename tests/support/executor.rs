//! An executor inside the test, over an app and a store in a folder.

use ankus::shell::submission;
use std::path::{Path, PathBuf};

use ankus::engine::{Event, JobId, Recorded, Server, Submit, VERSION};
use ankus::execute::clock::Clock;
use ankus::execute::executor::{Executor, Options, Stop};
use ankus::execute::open::Place;
use ankus::execute::store::{Batch, Entry, JobRow, Store, Watch};
use ankus::execute::stub::Stubs;
use ankus::host::ShellError;
use ankus::report::run_lines::Heard;
use ankus::shell::check::program::Program;
use ankus::shell::config::Config;
use ankus::shell::context::Common;
use ankus::shell::library::{Library, Loaded};
use ankus::shell::project::Project;
use ankus::shell::submission::Submitted;
use ankus::source::Sources;
use ankus::time::Instant;

/// An app that planning has accepted, for some work with it; nothing when it is refused.
pub fn with_app<T>(
    path: &Path,
    work: impl for<'l, 'p> FnOnce(&Program<'l, 'p>, &'l Loaded, Submitted) -> Option<T>,
) -> Option<T> {
    let config = Config::find(None, path).ok()?;
    let project = Project::of(path, &config);
    let mut sources = Sources::new();
    let common = Common::default();
    let chosen = ankus::shell::app::choose(path, &common, &config, &project, &mut sources).ok()?;
    let library = Library::new(&project, sources).with_version(config.version(None).ok()?);
    let program = Program::new(&library, config.zone().ok()?);
    let Ok(Ok((loaded, submitted, _))) = submission::accept(&program, chosen) else {
        return None;
    };
    work(&program, loaded, submitted)
}

/// The place of an app with its store in a folder.
pub fn place(app: &Path, store: &Path) -> Place {
    Place::of(app, Some(store), None, None).expect("a place")
}

/// How an executor in a test works: processes run under the program that is tested.
pub fn options(stubs: &[&str]) -> Options {
    let stubs: Vec<String> = stubs.iter().map(|stub| (*stub).to_owned()).collect();
    Options {
        shows_progress: false,
        stubs: Stubs::parse(&stubs).expect("stubs"),
        jobs: 8,
        commands: std::collections::BTreeMap::new(),
        outward: ankus::shell::config::outward::Outward::default(),
        program: PathBuf::from(env!("CARGO_BIN_EXE_ankus")),
        look_millis: 60_000,
        stub_millis: 60_000,
        server: Server::default(),
    }
}

/// How long a store may be held by somebody who is about to let go of it.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(120);

/// The store for writing. A process that is just being started elsewhere in the test may hold a lock a moment longer
/// than its owner did.
pub fn lock(place: &Place) -> Result<Store, ShellError> {
    let begin = std::time::Instant::now();
    while begin.elapsed() < PATIENCE {
        if let Some(store) = place.lock()? {
            return Ok(store);
        }
        std::thread::yield_now();
    }
    panic!("somebody else has the store")
}

/// The name under which [`Life`] submits its app.
const NAME: &str = "life";

/// One life of an executor.
pub struct Life<'a> {
    /// The app, submitted unless it was before.
    pub app: &'a Path,
    /// Its store.
    pub place: &'a Place,
    /// Its time.
    pub clock: &'a dyn Clock,
    /// What it does.
    pub options: Options,
    /// Until when.
    pub until: Option<Instant>,
    /// Who hears of every write.
    pub watch: Option<Watch>,
}

impl Life<'_> {
    /// Lives it.
    pub fn live(self, hear: &mut dyn FnMut(Heard<'_>)) -> Result<Stop, ShellError> {
        self.live_and(hear, |_| Ok(()))
    }

    /// Lives it, and does something before it runs.
    pub fn live_and(
        self,
        hear: &mut dyn FnMut(Heard<'_>),
        first: impl FnOnce(&mut Executor<'_>) -> Result<(), ShellError>,
    ) -> Result<Stop, ShellError> {
        self.live_saying(hear, &mut |_| {}, first)
    }

    /// The same, with somebody who hears what is said besides.
    pub fn live_saying(
        self,
        hear: &mut dyn FnMut(Heard<'_>),
        remark: &mut dyn FnMut(&str),
        first: impl FnOnce(&mut Executor<'_>) -> Result<(), ShellError>,
    ) -> Result<Stop, ShellError> {
        let Life { app, place, clock, options, until, watch } = self;
        let mut store = lock(place)?;
        if let Some(watch) = watch {
            store.watch(watch);
        }
        let mut executor = place.executor(store, options, clock, Some(hear))?;
        executor.remark_to(remark);
        if executor.store().job_named(NAME)?.is_none() {
            let submitted = with_app(app, |_, loaded, submitted| {
                let program = executor.deployed().submission(loaded, &submitted).expect("a submission");
                Some(executor.submit(Submit::new(program, Some(NAME.into()), true)))
            });
            submitted.expect("an app that is accepted")?;
        }
        first(&mut executor)?;
        executor.run(until)
    }
}

/// Every job with its name and status, oldest first.
pub fn jobs(place: &Place) -> Vec<(String, String, String)> {
    let store = place.read().expect("a store");
    let jobs = store.newest(u32::MAX >> 1).expect("jobs");
    jobs.into_iter().rev().map(|job| (job.id.to_string(), job.name, job.status)).collect()
}

/// Fills a store with jobs that are over, each a submission of its own with events and a definition.
pub fn fill(store: &Path, jobs: u32) {
    let mut store = Store::lock(store).expect("a store").expect("nobody has it");
    let at = Instant::from_millis(1_704_067_200_000);
    let mut batch = Batch::default();
    for number in 1..=jobs {
        let id = JobId::workflow(number);
        let entry = |event| {
            let recorded = Recorded { version: VERSION, at, event };
            Entry { root: Some(number), last: number - 1, recorded }
        };
        let events = [Event::Start(id), Event::Suspend(id), Event::Resume(id), Event::Kill(id)];
        batch.entries.extend(events.map(entry));
        batch.programs.push((number.to_string(), "x".repeat(2_000)));
        batch.jobs.push(JobRow {
            id,
            root: number,
            parent: None,
            name: format!("job {number}"),
            app_path: "app".to_owned(),
            user: "me".to_owned(),
            status: "KILLED".to_owned(),
            created: at,
            started: Some(at),
            ended: Some(at),
            modified: at,
            external_id: (number % 2 == 0).then(|| format!("name {number}")),
        });
        if number % 1_000 == 0 || number == jobs {
            store.commit(&std::mem::take(&mut batch)).expect("it is written");
        }
    }
}
