//! The command line: which commands there are, and the way from arguments to an exit code.

use std::ffi::OsString;
use std::io::Write;

use clap::{FromArgMatches, Parser, Subcommand};

use crate::cli::commands;
use crate::cli::help;
use crate::host::error::ShellError;
use crate::host::io::Io;
use crate::shell::context::{Common, Context, Status};

/// The exit code when the work could not be done.
pub const EXIT_FAILURE: u8 = 2;

/// Checks, plans and explains Apache Oozie applications without a cluster
#[derive(Debug, Parser)]
#[command(name = "ankus", version, max_term_width = 110)]
pub struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub common: Common,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands, one file each.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say what a server would refuse, with the exact place
    #[command(aliases = ["validate", "lint"])]
    Check(commands::check::Args),
    /// Print what would be materialized
    Plan(commands::plan::Args),
    /// Play an app in virtual time
    #[command(alias = "play")]
    Simulate(commands::simulate::Args),
    /// Execute apps on this machine, and lose nothing
    Run(commands::run::Args),
    /// Put an app into the store without starting it, and print its id
    Submit(commands::submit::Args),
    /// List the jobs of a store, or remove old ones
    Jobs(commands::jobs::Args),
    /// Look at a job, or do something with it
    Job(commands::job::Args),
    /// Run one attempt of an action for an executor
    #[command(hide = true)]
    Supervise(commands::supervise::Args),
    /// Draw the control flow of a workflow, or what coordinators read and write
    Graph(commands::graph::Args),
    /// Say what shall become of program-status schedules
    Schedule(commands::schedule::Args),
    /// Pack and deploy apps of 2009
    App(commands::app::Args),
    /// Rewrite apps of 2009 as workflow 1.0, with every loss
    Upgrade(commands::upgrade::Args),
    /// Rewrite apps for another scheduler, with a proof
    Export(commands::export::Args),
    /// Evaluate an expression
    Eval(commands::eval::Args),
    /// Print the next occurrences of a frequency
    Next(commands::next::Args),
    /// List the time zones
    Timezones(commands::timezones::Args),
    /// Convert a datetime between zones
    Convert(commands::convert::Args),
    /// Explain a rule or an Oozie error code
    Explain(commands::explain::Args),
    /// List the rules
    Rules(commands::rules::Args),
    /// Print the JSON Schema of a machine format or of ankus.toml
    Schema(commands::schema::Args),
    /// Write an ankus.toml that fits the repository
    Init(commands::init::Args),
    /// Print a completion script for a shell
    Completions(commands::completions::Args),
    /// Print manual pages
    Man(commands::man::Args),
}

/// Runs one command line and returns the exit code: 0 clean, 1 findings, 2 could not do it.
pub fn run(arguments: Vec<OsString>, mut io: Io) -> u8 {
    let parsed = help::command().try_get_matches_from(&arguments);
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error, &arguments, &mut io),
    };
    let mut context = Context { common: cli.common, io };
    let (of_out, of_err) = (context.color_out(), context.color_err());
    context.io.out.with_styles(of_out);
    context.io.err.with_styles(of_err);
    let result = dispatch(cli.command, &mut context);
    let result = result.and_then(|status| match context.io.out.flush().map_err(ShellError::from) {
        Err(error) if !error.is_closed_pipe() => Err(error),
        // What was found stays found when nobody reads to the end.
        _ => Ok(status),
    });
    match result {
        Ok(Status::Clean) => 0,
        Ok(Status::Findings) => 1,
        Ok(Status::Incomplete) => EXIT_FAILURE,
        Err(error) if error.is_closed_pipe() => 0,
        Err(error) => {
            // What was already computed comes first; a second failure there changes nothing.
            let _ = context.io.out.flush();
            let _ = writeln!(context.io.err, "ankus: {error}");
            EXIT_FAILURE
        }
    }
}

fn dispatch(command: Command, context: &mut Context) -> Result<Status, ShellError> {
    match command {
        Command::Check(args) => commands::check::run(args, context),
        Command::Plan(args) => commands::plan::run(args, context),
        Command::Simulate(args) => commands::simulate::run(args, context),
        Command::Run(args) => commands::run::run(args, context),
        Command::Submit(args) => commands::submit::run(args, context),
        Command::Jobs(args) => commands::jobs::run(args, context),
        Command::Job(args) => commands::job::run(args, context),
        Command::Supervise(args) => commands::supervise::run(args, context),
        Command::Graph(args) => commands::graph::run(args, context),
        Command::Schedule(args) => commands::schedule::run(args, context),
        Command::App(args) => commands::app::run(args, context),
        Command::Upgrade(args) => commands::upgrade::run(args, context),
        Command::Export(args) => commands::export::run(args, context),
        Command::Eval(args) => commands::eval::run(args, context),
        Command::Next(args) => commands::next::run(args, context),
        Command::Timezones(args) => commands::timezones::run(args, context),
        Command::Convert(args) => commands::convert::run(args, context),
        Command::Explain(args) => commands::explain::run(args, context),
        Command::Rules(args) => commands::rules::run(args, context),
        Command::Schema(args) => commands::schema::run(args, context),
        Command::Init(args) => commands::init::run(args, context),
        Command::Completions(args) => commands::completions::run(args, context),
        Command::Man(args) => commands::man::run(args, context),
    }
}

/// Prints help, version or a fault of the arguments.
fn refuse(error: &clap::Error, arguments: &[OsString], io: &mut Io) -> u8 {
    let text = error.render();
    let to_err = error.use_stderr();
    let color = if to_err { io.err_is_terminal } else { io.out_is_terminal };
    let text = if color { text.ansi().to_string() } else { text.to_string() };
    let stream = if to_err { &mut io.err } else { &mut io.out };
    stream.with_styles(color);
    let meant = if to_err { help::words::meant(arguments) } else { None };
    let hint = meant.map_or_else(String::new, |command| format!("\n  help: use `{command}`\n"));
    let written = stream.write_all((text + &hint).as_bytes()).and_then(|()| stream.flush());
    if let Err(fault) = written
        && fault.kind() != std::io::ErrorKind::BrokenPipe
    {
        // Where nothing can be written, nobody can be told either.
        let _ = writeln!(io.err, "ankus: {fault}");
        return EXIT_FAILURE;
    }
    u8::try_from(error.exit_code()).unwrap_or(EXIT_FAILURE)
}
