//! `ankus schema`: JSON Schemas of the machine formats and of `ankus.toml`.

use std::io::Write;

use crate::diag::closest;
use crate::host::ShellError;
use crate::report::schemas;
use crate::shell::Context;
use crate::shell::Status;

/// The arguments of `ankus schema`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to describe: baseline, check, config (ankus.toml), convert, eval, event, explain-value, job, jobs, next, plan, rules, scenario, schedule,
    /// schedules, simulation or timezones
    #[arg(value_name = "NAME")]
    name: String,
}

/// Runs `ankus schema`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let Some(schema) = schemas::find(&args.name) else {
        let names = || schemas::ALL.iter().map(|(name, _)| *name);
        let hint = match closest(&args.name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
        };
        return Err(ShellError::usage(format!("there is no schema `{}`; {hint}", args.name)));
    };
    context.io.out.write_all(schema.as_bytes())?;
    Ok(Status::Clean)
}
