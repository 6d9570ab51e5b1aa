//! A large bundle whose coordinators share no data, played part by part on all cores and folded into a summary.
//!
//! Every worker reads the project for itself, since what is read is not shared between threads; which parts there are and
//! how they are put together does not depend on how many workers there are.

use crate::shell::submission;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::simulate::{Args, Playing, Read};
use crate::engine::server::Server;
use crate::host::ShellError;
use crate::host::progress::Progress;
use crate::plan::coordinator::{CoordinatorJob, PlanOptions};
use crate::shell::Context;
use crate::shell::app;
use crate::shell::check::program::Program;
use crate::shell::config::Config;
use crate::shell::context::Common;
use crate::shell::library::Library;
use crate::shell::project::Project;
use crate::shell::staging::Stage;
use crate::shell::times;
use crate::simulate::digest::Digest;
use crate::simulate::parts::{self, Joined, Played};
use crate::simulate::{App, Apps, Options, PlayError};
use crate::source::Sources;

/// Bundles of fewer actions are played as a whole.
const LARGE_ACTIONS: i64 = 100_000;

/// The stack of a worker.
const STACK_BYTES: usize = 2 * 1024 * 1024;

/// What an action takes of memory at most, where nothing unusual happens to it.
const ACTION_BYTES: i64 = 700;

/// The same where it fails: what failed is kept, since summaries speak of it.
const FAILED_BYTES: i64 = 2_400;

/// A simulation of more actions is announced.
const ANNOUNCED_ACTIONS: i64 = 250_000;

/// What the workers have come to.
#[derive(Default)]
struct Done {
    count: u64,
    joined: Joined,
    errors: BTreeMap<usize, PlayError>,
}

/// What a summary needs of a bundle that can be taken apart; `None`: it is to be played as a whole.
pub(super) fn digest<A: Apps>(
    args: &Args,
    common: &Common,
    server: &Server,
    playing: &Playing<'_, A>,
    read: &Read,
) -> Result<Option<Digest>, ShellError> {
    let options = playing.options(read);
    let is_wanted = args.jobs.is_some() || actions(playing.app, &options) > LARGE_ACTIONS;
    if !is_wanted || options.until.is_none_or(|until| until < options.begin) {
        return Ok(None);
    }
    let Some(parts) = parts::split(playing.stage, playing.app, &read.scenario, &options) else {
        return Ok(None);
    };
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let workers = args.jobs.map_or_else(cores, usize::from).min(parts.len());
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Done::default()));
    let progress = Progress::new("simulated", parts.len() as u64, !common.quiet);
    let work = |stage: &dyn Apps, app: &App| loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(part) = parts.get(index) else { break };
        let outcome = parts::play_one(stage, app, &read.scenario, options, part);
        // What cannot be told apart from the rest makes the work on all others vain.
        if matches!(outcome, Ok(Played::Entangled) | Err(_)) {
            next.fetch_max(parts.len(), Ordering::Relaxed);
        }
        if let Ok(mut done) = done.lock() {
            done.count += 1;
            progress.step(done.count);
            match outcome {
                Ok(part) => done.joined.add(index, part),
                Err(error) => drop(done.errors.insert(index, error)),
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..workers {
            let run = || drop(with_stage(args, common, server, &work));
            // Without threads the work is done here.
            if thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        work(playing.stage, playing.app);
    });
    let Done { joined, errors, .. } = done.into_inner().unwrap_or_default();
    if let Some(error) = errors.values().next() {
        return Err(playing.failed(error, read));
    }
    Ok(joined.finish(parts.len(), playing.app, &read.scenario, &options))
}

/// Says of a large simulation that it is one, before it begins.
pub(super) fn announce(app: &App, options: &Options, context: &mut Context) -> Result<(), ShellError> {
    let actions = actions(app, options);
    if actions <= ANNOUNCED_ACTIONS || context.common.quiet {
        return Ok(());
    }
    let tenths = actions / 100_000;
    let [megabytes, failed] = [ACTION_BYTES, FAILED_BYTES].map(|bytes| actions * bytes / (1 << 20));
    writeln!(
        context.io.err,
        "about {}.{} million actions are simulated, which takes a while and up to {megabytes} MiB, \
         or {failed} MiB where all fail; `--until` ends it sooner",
        tenths / 10,
        tenths % 10
    )?;
    Ok(())
}

/// About how many actions all coordinators create.
fn actions(app: &App, options: &Options) -> i64 {
    let Some(until) = options.until else { return 0 };
    let of = |job: &CoordinatorJob| {
        // From the times of the first two.
        let mut first = job.actions(PlanOptions::default()).take(2).filter_map(Result::ok);
        let (Some(one), Some(two)) = (first.next(), first.next()) else { return 1 };
        let between = two.nominal.millis_since(one.nominal).max(60_000);
        job.end.min(until).millis_since(job.start).max(0) / between
    };
    app.coordinators.iter().map(|coordinator| of(&coordinator.job)).sum()
}

/// Reads the project as the command has, and does something with it. What there is to say has been said already.
fn with_stage(
    args: &Args,
    common: &Common,
    server: &Server,
    work: &dyn Fn(&dyn Apps, &App),
) -> Result<(), ShellError> {
    let config = Config::find(common.config.as_deref(), &args.app)?;
    let version = config.version(common.oozie_version.as_deref())?;
    let zone = config.zone()?;
    let now = times::option("--now", common.now.as_deref(), zone)?;
    let project = Project::of(&args.app, &config);
    let mut sources = Sources::new();
    let chosen = app::choose(&args.app, common, &config, &project, &mut sources)?;
    let library = Library::new(&project, sources).with_version(version);
    let library = library.ignoring_forks(!server.validate_fork_join);
    let program = Program { now, server: server.clone(), ..Program::new(&library, zone) };
    if let Ok((loaded, submitted, _)) = submission::accept(&program, chosen)? {
        let (stage, app) = Stage::new(&program, loaded, submitted, now);
        work(&stage, &app);
    }
    Ok(())
}
