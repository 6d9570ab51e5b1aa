//! `ankus run`: jobs executed on this machine, and what is seen of it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;

use super::run_again::{self, Again};
use super::run_app::{a_name, options, place, refused, veil_of, will_fail, with_app};
use super::run_end::Ending;
use super::run_part::{self, Part, Taken};
use crate::execute::clock::{Clock, SystemClock};
use crate::execute::executor::Glance;
use crate::execute::needed::{self, Wants};
use crate::execute::news::News;
use crate::execute::open::Place;
use crate::execute::screen::Screen;
use crate::execute::selection::{ENTRY, Selection};
use crate::execute::stub::Stubs;
use crate::execute::stub_names;
use crate::host::ShellError;
use crate::host::files;
use crate::report::run_lines::{Heard, Paint, RunLines};
use crate::report::run_live::{self, Places};
use crate::report::run_summary::Tally;
use crate::report::waits::Style;
use crate::shell::Context;
use crate::shell::Status;
use crate::shell::check::program::Program;
use crate::shell::library::Loaded;
use crate::shell::preflight::{self, Wanted};
use crate::shell::submission::Submitted;
use crate::shell::times;

/// More actions that need what is not there are counted, not told.
const MAX_TOLD: usize = 10;

/// The exit code after a second Ctrl-C, as shells have it.
const EXIT_INTERRUPTED: i32 = 130;

/// How many actions run at once unless somebody says otherwise.
const JOBS: usize = 8;

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
    /// A rehearsal: do not run these actions of the app, but say that they have ended: TYPE, NODE or all, with =OK or =ERROR
    #[arg(long, value_name = "WHAT[=END]", requires = "app")]
    stub: Vec<String>,
    /// Submit the app even if its plan shows that it will fail
    #[arg(long, requires = "app")]
    no_preflight: bool,
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
        Again { jobs, format, no_live: self.no_live }
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

/// How many rows the terminal has at this moment.
fn rows_of_terminal() -> Option<usize> {
    terminal_size::terminal_size().map(|(_, height)| height.0.into())
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

/// Goes on with everything in a store, as `ankus run` without an app does.
pub fn go_on(place: &Place, context: &mut Context) -> Result<Status, ShellError> {
    let args = Args {
        app: None,
        new: false,
        external_id: None,
        store: None,
        only: Vec::new(),
        actions: None,
        from_node: None,
        until: None,
        jobs: JOBS,
        stub: Vec::new(),
        no_preflight: false,
        format: FormatArg::Text,
        no_live: false,
    };
    execute(&args, place, None, context)
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
    let mut failures = Vec::new();
    if let Some((program, loaded, submitted)) = app {
        selection.check(submitted)?;
        stub_names::check(&stubs, place)?;
        all_is_there(program, (loaded, submitted), (&stubs, &selection), place)?;
        if !args.no_preflight {
            let (coordinators, from_node) = (&selection.coordinators[..], selection.from_node.as_deref());
            failures = preflight::failures(program, loaded, submitted, Wanted { coordinators, from_node });
        }
        // Where nothing can be unfinished, nothing is made.
        if !failures.is_empty() && (args.new || place.read().is_err()) {
            return will_fail(&failures, program.library, context);
        }
    } else if !selection.is_all() {
        return Err(ShellError::usage("say of which app only a part is run"));
    } else {
        // Nothing is made where there is nothing to go on with.
        place.read()?;
    }
    let store = place.lock_soon()?.ok_or_else(|| busy(place))?;
    let clock = SystemClock;
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let may_draw = context.io.out_is_terminal && context.color_out() && !is_dumb;
    let paint = Paint { is_on: context.color_out() && args.format == FormatArg::Text };
    let is_live = may_draw && args.format == FormatArg::Text && !args.no_live && !context.common.quiet;
    let has_styles = context.color_out();
    let Context { common, io } = context;
    let err = RefCell::new(&mut io.err);
    let screen = Screen::new(io.out.raw(), is_live, common.quiet).with_height(rows_of_terminal);
    let screen = RefCell::new(screen.with_styles(has_styles));
    let mut lines = RunLines::new(args.format == FormatArg::Jsonl, place.zone, paint);
    let tally = RefCell::new(Tally::default());
    let mut listen = |told: Heard<'_>| {
        let text = lines.of(&told);
        tally.borrow_mut().hear(&told);
        screen.borrow_mut().lines(&text);
    };
    let began = clock.now();
    let mut look = |seen: Glance<'_>| {
        let mut screen = screen.borrow_mut();
        if screen.wants(seen.now) {
            let style = Style { middle: "", zone: place.zone, now: seen.now };
            let places = Places { running: seen.running.keys().copied().collect(), jobs: seen.jobs };
            let text = run_live::text(seen.engine, &places, style);
            screen.draw(seen.veil.text(&text).into_owned(), seen.now);
        }
    };
    let mut executor = place.executor(
        store,
        options(stubs.clone(), args.jobs, place, common.quiet)?,
        &clock,
        Some(&mut listen),
    )?;
    // Where nobody reads them, remarks are lost.
    let mut remark = |words: &str| {
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
    if let Some((program, loaded, submitted)) = app {
        let mut say = |words: &str| {
            if !common.quiet {
                screen.borrow_mut().beside(|| drop(writeln!(err.borrow_mut(), "{words}")));
            }
        };
        let part = Part {
            selection: &selection,
            stubs: &stubs,
            external_id: args.external_id.as_deref(),
            is_new: args.new,
            has_properties: !(common.defines.is_empty() && common.property_files.is_empty()),
            will_fail: !failures.is_empty(),
            may_begin: until.is_none_or(|until| clock.now() < until),
        };
        match run_part::take_up(&mut executor, loaded, submitted, part, &mut say)? {
            Taken::Job(job) => asked_for = BTreeSet::from([job.number]),
            Taken::Refused(fault) if *fault.code == *ENTRY => {
                return Err(ShellError::usage(fault.message.to_string()));
            }
            Taken::Refused(fault) => {
                drop(executor);
                return refused(&fault, &veil_of(submitted), context);
            }
            Taken::WillFail => {
                drop(executor);
                return will_fail(&failures, program.library, context);
            }
        }
    }
    let is_idle = asked_for.is_empty();
    let ran = executor.run(until);
    let ending = Ending::of(&executor, &unfinished, &asked_for, place.zone)?;
    drop(executor);
    let closed = screen.into_inner().close();
    let stop = ran?;
    closed?;
    let is_text = args.format == FormatArg::Text;
    if is_text && !is_idle && !context.common.quiet {
        let millis = clock.now().millis_since(began);
        let text = tally.borrow().text(&ending.jobs, millis, ending.next(stop).as_deref(), paint);
        context.io.out.write_all(text.as_bytes())?;
        context.io.out.flush()?;
    }
    let again = || run_again::command(place, &args.again(), context);
    for words in ending.words(stop, is_idle, again, context.common.quiet, is_text)? {
        writeln!(context.io.err, "{words}")?;
    }
    Ok(if ending.is_well { Status::Clean } else { Status::Findings })
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
    Err(ShellError::usage(veil_of(submitted).text(&words).into_owned()))
}

fn busy(place: &Place) -> ShellError {
    let folder = files::shown(&place.folder);
    ShellError::usage(format!(
        "another executor works on the store `{folder}`; `ankus submit` and `ankus job ID start` hand it work, or stop it, or \
         use `--store`"
    ))
}
