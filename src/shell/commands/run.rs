//! `ankus run` and `ankus submit`.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;

use super::run_again::{self, Again};
use crate::engine::status::{JobStatus, WorkflowStatus};
use crate::engine::{Event, Fault, JobId, JobKind, Submit};
use crate::report::run_lines::{Heard, RunLines};
use crate::report::run_live::{self, Places};
use crate::report::waits::{self, Style};
use crate::shell::check::program::Program;
use crate::shell::files;
use crate::shell::library::{Library, Loaded};
use crate::shell::planning::{self, Submitted, remark};
use crate::shell::project::Project;
use crate::shell::run::clock::{Clock, SystemClock};
use crate::shell::run::executor::{Executor, Glance, Options, Stop};
use crate::shell::run::needed::{self, Wants};
use crate::shell::run::news::News;
use crate::shell::run::open::Place;
use crate::shell::run::requests::Request;
use crate::shell::run::rows;
use crate::shell::run::screen::Screen;
use crate::shell::run::selection::{ENTRY, Selection};
use crate::shell::run::stub::Stubs;
use crate::shell::run::stub_names;
use crate::shell::{Context, ShellError, Status, app, output, times};
use crate::source::Sources;

/// The exit code after a second Ctrl-C, as shells have it.
const EXIT_INTERRUPTED: i32 = 130;

/// How many actions run at once unless somebody says otherwise.
const JOBS: usize = 8;

/// How long is waited before inputs are looked for again.
const LOOK_MILLIS: i64 = 5_000;

/// More actions that need what is not there are counted, not told.
const MAX_TOLD: usize = 10;

/// The arguments of `ankus submit`.
#[derive(Debug, clap::Args)]
pub struct SubmitArgs {
    /// A folder, a definition, or a properties file that leads to one
    #[arg(value_name = "APP")]
    app: PathBuf,
    /// A name of your own; a second submission under it finds the first job
    #[arg(long, value_name = "NAME", value_parser = a_name)]
    external_id: Option<String>,
    /// The folder of the store [default: .ankus in the project]
    #[arg(long, value_name = "FOLDER")]
    store: Option<PathBuf>,
}

/// The arguments of `ankus run`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A folder, a definition, or a properties file that leads to one [default: go on with what the store holds]
    #[arg(value_name = "APP")]
    app: Option<PathBuf>,
    /// Submit the app even if the store holds an unfinished job of it
    #[arg(long, requires = "app")]
    new: bool,
    /// A name of your own; a second submission under it finds the first job
    #[arg(long, value_name = "NAME", value_parser = a_name, requires = "app")]
    external_id: Option<String>,
    /// The folder of the store [default: .ankus in the project]
    #[arg(long, value_name = "FOLDER")]
    store: Option<PathBuf>,
    /// Of a bundle, run only this coordinator (repeatable)
    #[arg(long, value_name = "COORDINATOR")]
    only: Vec<String>,
    /// Of a coordinator, run only these actions, such as 3-5,8; those before and between are skipped, later ones never made
    #[arg(long, value_name = "NUMBERS")]
    actions: Option<String>,
    /// Begin a workflow at this node; the nodes before it are not run
    #[arg(long, value_name = "NODE")]
    from_node: Option<String>,
    /// Stop at this time; what runs then runs on, and the next `ankus run` takes it up
    #[arg(long, value_name = "DATETIME")]
    until: Option<String>,
    /// How many actions run at once
    #[arg(long, value_name = "N", default_value_t = JOBS, value_parser = at_least_one)]
    jobs: usize,
    /// Do not run these actions, but say that they have ended: TYPE, NODE or all, with =OK or =ERROR
    #[arg(long, value_name = "WHAT[=END]")]
    stub: Vec<String>,
    /// How what happens is printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: FormatArg,
    /// On a terminal, print lines only, without the view of what runs and waits; so does NO_COLOR
    #[arg(long)]
    no_live: bool,
}

impl Args {
    /// What a run that goes on with this one needs besides its store.
    fn again(&self) -> Again {
        let format = (self.format == FormatArg::Jsonl).then_some("jsonl");
        let jobs = (self.jobs != JOBS).then_some(self.jobs);
        Again { stub: self.stub.clone(), jobs, format, no_live: self.no_live }
    }

    /// What of the app is run.
    fn selection(&self) -> Selection {
        Selection {
            coordinators: self.only.clone(),
            actions: self.actions.clone(),
            from_node: self.from_node.clone(),
        }
    }
}

fn a_name(text: &str) -> Result<String, String> {
    match text.trim().is_empty() || text.contains(char::is_control) {
        true => Err("a name of one line is needed".to_owned()),
        false => Ok(text.to_owned()),
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("a number from 1 on is needed".to_owned()),
        Ok(number) => Ok(number),
    }
}

/// How what happens is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// For people
    Text,
    /// One event a line
    Jsonl,
}

/// How an executor of a command works.
pub fn options(stubs: Stubs, jobs: usize, place: &Place) -> Result<Options, ShellError> {
    let program = std::env::current_exe()?;
    let commands = place.config.run.commands.clone();
    let outward = place.config.outward();
    let (jobs, look_millis) = (jobs.max(1), LOOK_MILLIS);
    Ok(Options { stubs, jobs, commands, outward, program, look_millis, stub_millis: 0 })
}

/// Runs `ankus submit`.
pub fn submit(args: SubmitArgs, context: &mut Context) -> Result<Status, ShellError> {
    let place = place(&args.app, args.store.as_deref(), context)?;
    with_app(&args.app, &place, context, |_, loaded, submitted, context| {
        place.make()?;
        let deployed = place.definitions()?;
        let program = match deployed.submission_of(loaded, submitted, &Selection::default()) {
            Ok(program) => program,
            Err(fault) => return refused(&fault, context),
        };
        let recipe = deployed.recipe_text(&program);
        let external_id = args.external_id.map(Into::into);
        let event = Event::Submit(Submit { program, external_id, start: false });
        let request = Request { event, reads: false, recipe };
        let answer = place.operate(request, options(Stubs::default(), 1, &place)?, &SystemClock)?;
        let (job, existed) = match answer.result() {
            Ok(Some(submitted)) => submitted,
            Ok(None) => return Err(ShellError::usage("the app was not taken")),
            Err(words) => return Err(ShellError::usage(format!("the app is refused: {words}"))),
        };
        if existed && !context.common.quiet {
            writeln!(context.io.err, "there is a job of this name already")?;
        }
        let middle = place.settings(&place.read()?, &SystemClock)?.id_middle;
        writeln!(context.io.out, "{}", job.with_middle(&middle))?;
        Ok(Status::Clean)
    })
}

/// Runs `ankus run`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let start = args.app.clone().unwrap_or_else(|| PathBuf::from("."));
    let place = place(&start, args.store.as_deref(), context)?;
    match &args.app {
        Some(app) => with_app(app, &place, context, |program, loaded, submitted, context| {
            execute(&args, &place, Some((program, loaded, submitted)), context)
        }),
        None => execute(&args, &place, None, context),
    }
}

fn execute<'l>(
    args: &Args,
    place: &Place,
    app: Option<(&Program<'l, '_>, &'l Loaded, &Submitted)>,
    context: &mut Context,
) -> Result<Status, ShellError> {
    let until = times::option("--until", args.until.as_deref(), place.zone)?;
    let stubs = Stubs::parse(&args.stub)?;
    let selection = args.selection();
    if let Some((program, loaded, submitted)) = app {
        selection.check(submitted)?;
        stub_names::check(&stubs, place, &BTreeSet::new())?;
        all_is_there(program, (loaded, submitted), (&stubs, &selection), place)?;
    } else if !selection.is_all() {
        return Err(ShellError::usage("say of which app only a part is run"));
    } else {
        // Nothing is made where there is nothing to go on with.
        place.read()?;
    }
    let store = place.lock_soon()?.ok_or_else(|| busy(place))?;
    let clock = SystemClock;
    let middle = place.settings(&store, &clock)?.id_middle;
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let may_draw = context.io.out_is_terminal && context.color_out() && !is_dumb;
    let is_live = may_draw && args.format == FormatArg::Text && !args.no_live && !context.common.quiet;
    let Context { common, io } = context;
    let err = RefCell::new(&mut io.err);
    let screen = RefCell::new(Screen::new(&mut io.out, is_live, common.quiet));
    let lines = RunLines::new(args.format == FormatArg::Jsonl, place.zone, middle.clone());
    let lines = RefCell::new(lines);
    let mut listen = |told: Heard<'_>| {
        let text = lines.borrow_mut().of(&told);
        screen.borrow_mut().lines(&text);
    };
    let mut look = |seen: Glance<'_>| {
        let mut screen = screen.borrow_mut();
        if screen.wants(seen.now) {
            let style = Style { middle: &middle, zone: place.zone, now: seen.now };
            let places = Places { running: seen.running.keys().copied().collect(), jobs: seen.jobs };
            let text = run_live::text(seen.engine, &places, style);
            screen.draw(lines.borrow().veil().text(&text).into_owned(), seen.now);
        }
    };
    let mut executor =
        place.executor(store, options(stubs.clone(), args.jobs, place)?, &clock, Some(&mut listen))?;
    if app.is_none() {
        stub_names::check(&stubs, place, &rows::action_names(executor.engine()))?;
    }
    // Where nobody reads them, remarks are lost.
    let mut remark = |words: &str| {
        let words = lines.borrow().veil().text(words).into_owned();
        screen.borrow_mut().beside(|| drop(writeln!(err.borrow_mut(), "{words}")));
    };
    executor.remark_to(&mut remark);
    executor.let_look(&mut look);
    // An app that is named decides the exit code alone, whatever else the store holds.
    let unfinished = executor.live().clone();
    let mut asked_for = unfinished.clone();
    let sender = executor.sender.clone();
    let interrupted = AtomicBool::new(false);
    // Where no handler can be set, Ctrl-C ends the process at once; nothing is lost by that.
    let _ = ctrlc::set_handler(move || {
        if interrupted.swap(true, Ordering::SeqCst) {
            std::process::exit(EXIT_INTERRUPTED);
        }
        let _ = sender.send(News::Interrupted);
    });
    let going = match app {
        Some((_, loaded, _)) if !args.new => goes_on(&executor, loaded, &selection)?,
        _ => None,
    };
    if let Some(id) = going {
        if !common.quiet {
            let given = if common.defines.is_empty() && common.property_files.is_empty() {
                String::new()
            } else {
                format!(
                    " with the properties that it has, not with those of -c and -D; `ankus job {id} rerun -D` takes others"
                )
            };
            let words = format!("goes on with the unfinished job {id}{given}; --new submits the app again");
            screen.borrow_mut().beside(|| drop(writeln!(err.borrow_mut(), "{words}")));
        }
        asked_for = BTreeSet::from([id.number]);
        // Who says run means that what was only submitted is started.
        if is_prepared(&executor, id) {
            executor.operate(Event::Start(id))?.map_err(|error| ShellError::usage(error.to_string()))?;
        }
    } else if let Some((_, loaded, submitted)) = app {
        match take_in(&mut executor, loaded, submitted, args.external_id.clone(), Some(&selection))? {
            Ok((job, existed)) => {
                if existed && !common.quiet {
                    let words = format!("goes on with the job {job}, which has this external id");
                    screen.borrow_mut().beside(|| drop(writeln!(err.borrow_mut(), "{words}")));
                }
                asked_for = BTreeSet::from([job.number]);
            }
            Err(fault) if *fault.code == *ENTRY => return Err(ShellError::usage(fault.message.to_string())),
            Err(fault) => {
                drop(executor);
                return refused(&fault, context);
            }
        }
    }
    let is_idle = asked_for.is_empty();
    let ran = executor.run(until);
    let (mut well, mut ended) = (true, Vec::new());
    for root in &unfinished | &asked_for {
        let Some(row) = executor.store().job(root)? else { continue };
        let is_well = row.status == JobStatus::Succeeded.name();
        well &= is_well || !asked_for.contains(&root);
        if !is_well && !executor.live().contains(&root) {
            let (id, status) = (row.id, &row.status);
            ended.push(format!("{id} ended {status}; see `ankus job {id} info` and `ankus job {id} log`"));
        }
    }
    let style = Style { middle: "", zone: place.zone, now: SystemClock.now() };
    let mut waiting = String::new();
    for id in executor.jobs() {
        if let Some(what) = waits::of_job(executor.engine(), id, style) {
            waiting.push_str(&format!("\n  {id} waits for {what}"));
        }
    }
    drop(executor);
    let closed = screen.into_inner().close();
    let stop = ran?;
    closed?;
    let again = || run_again::command(place, &args.again(), context);
    let words = match stop {
        Stop::Done if is_idle && !context.common.quiet => {
            Some("there is no unfinished job; `ankus run APP` submits one".to_owned())
        }
        Stop::Done => None,
        Stop::Until => Some(format!("stopped at the time that was asked for; go on with `{}`", again()?)),
        Stop::Interrupted => {
            let words = "interrupted; what runs in processes runs on, and nothing new is begun; go on with";
            Some(format!("{words} `{}`", again()?))
        }
        Stop::Stuck => Some(format!("nothing will happen any more by itself; see `ankus jobs`{waiting}")),
    };
    let ended = ended.into_iter().filter(|_| !context.common.quiet);
    for words in ended.chain(words) {
        writeln!(context.io.err, "{words}")?;
    }
    Ok(if well { Status::Clean } else { Status::Findings })
}

/// Whether a job was submitted and waits for somebody to start it.
fn is_prepared(executor: &Executor<'_>, id: JobId) -> bool {
    let engine = executor.engine();
    match id.kind {
        JobKind::Workflow => engine.workflow(id).is_some_and(|job| job.status == WorkflowStatus::Prep),
        // A coordinator starts by its time alone, and so does a bundle that has one.
        JobKind::Coordinator => false,
        JobKind::Bundle => engine
            .bundle(id)
            .is_some_and(|job| job.status == JobStatus::Prep && job.program.kick_off.is_none()),
    }
}

/// Refuses an app whose actions need what is not on this machine, before anything is begun.
fn all_is_there<'l>(
    program: &Program<'l, '_>,
    (app, submitted): (&'l Loaded, &Submitted),
    (stubs, selection): (&Stubs, &Selection),
    place: &Place,
) -> Result<(), ShellError> {
    let (commands, outward) = (&place.config.run.commands, &place.config.outward());
    let wants = Wants { stubs, selection, commands, outward };
    let missing = needed::missing(program, app, submitted, wants);
    if missing.is_empty() {
        return Ok(());
    }
    let mut words = missing.iter().take(MAX_TOLD).map(String::as_str).collect::<Vec<_>>().join("\n");
    if missing.len() > MAX_TOLD {
        words.push_str(&format!("\nand {} more actions need what is not there", missing.len() - MAX_TOLD));
    }
    Err(ShellError::usage(words))
}

/// The store that a command means, and what is made from it.
pub fn place(start: &Path, store: Option<&Path>, context: &Context) -> Result<Place, ShellError> {
    if context.common.now.is_some() {
        let words =
            "--now is for `check`, `plan` and `eval`: what is executed goes by the clock of this machine";
        return Err(ShellError::usage(words));
    }
    Place::of(start, store, context.common.config.as_deref(), context.common.oozie_version.as_deref())
}

fn busy(place: &Place) -> ShellError {
    let folder = files::shown(&place.folder);
    ShellError::usage(format!(
        "another executor works on the store `{folder}`; `ankus submit` and `ankus job ID start` hand it work, or stop it, or \
         use `--store`"
    ))
}

/// Says why an app was not taken once it had been planned.
fn refused(fault: &Fault, context: &mut Context) -> Result<Status, ShellError> {
    writeln!(context.io.err, "the app is refused: {} ({})", fault.message, fault.code)?;
    Ok(Status::Incomplete)
}

/// The unfinished job of an app that is looked after, and runs what is asked for.
fn goes_on(
    executor: &Executor<'_>,
    app: &Loaded,
    selection: &Selection,
) -> Result<Option<JobId>, ShellError> {
    let path = app.path.to_string_lossy();
    for root in executor.live() {
        let Some(row) = executor.store().job(*root)?.filter(|row| row.app_path == path) else { continue };
        let key = rows::key_of(executor.engine(), row.id).cloned().unwrap_or_default();
        if selection.is_all() || *selection == executor.deployed().selection(&key) {
            return Ok(Some(row.id));
        }
        return Err(ShellError::usage(format!(
            "the unfinished job {} of this app runs another part of it; `ankus run` goes on with that, `--new` submits again",
            row.id
        )));
    }
    Ok(None)
}

/// Submits an app that planning has accepted; with a selection it is started too.
fn take_in(
    executor: &mut Executor<'_>,
    loaded: &Loaded,
    submitted: &Submitted,
    external_id: Option<String>,
    part: Option<&Selection>,
) -> Result<Result<(JobId, bool), Fault>, ShellError> {
    let program =
        match executor.deployed().submission_of(loaded, submitted, part.unwrap_or(&Selection::default())) {
            Ok(program) => program,
            Err(fault) => return Ok(Err(fault)),
        };
    let start = part.is_some();
    executor.submit(Submit { program, external_id: external_id.map(Into::into), start }).map(Ok)
}

/// Reads and plans an app, and goes on with it unless a server would refuse it.
fn with_app(
    argument: &Path,
    place: &Place,
    context: &mut Context,
    go_on: impl for<'l, 'p> FnOnce(
        &Program<'l, 'p>,
        &'l Loaded,
        &Submitted,
        &mut Context,
    ) -> Result<Status, ShellError>,
) -> Result<Status, ShellError> {
    let common = context.common.clone();
    let project = Project::of(argument, &place.config);
    let mut sources = Sources::new();
    let chosen = app::choose(argument, &common, &place.config, &project, &mut sources)?;
    let library = Library::new(&project, sources).with_version(place.version);
    let program = Program::new(&library, place.zone);
    if let Some(file) = chosen.properties.as_deref().filter(|file| **file != *argument && !common.quiet) {
        writeln!(context.io.err, "with the properties of {}", files::shown(file))?;
    }
    match planning::accept(&program, chosen)? {
        Ok((loaded, submitted, findings)) => {
            remark(&findings, &library, context)?;
            go_on(&program, loaded, &submitted, context)
        }
        // Nothing was begun, which is not that a job has failed.
        Err(findings) => {
            planning::refuse(&findings, &library, output::Format::Full, context).map(|_| Status::Incomplete)
        }
    }
}
