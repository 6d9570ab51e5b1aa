//! `ankus explain`: what a rule or an Oozie error code means.

use std::io::Write;

use crate::diag::{Info, closest};
use crate::report::catalogue;
use crate::shell::{Context, ShellError, Status};

/// The arguments of `ankus explain`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A rule such as `transition-unknown`, or a code such as `E0708`
    #[arg(value_name = "RULE|CODE")]
    name: String,
}

/// Runs `ankus explain`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let all = catalogue::all();
    let name = args.name.to_lowercase();
    let is_code = |info: &&&Info| info.mirrors.iter().any(|code| code.eq_ignore_ascii_case(&name));
    let mut found: Vec<_> = all.iter().filter(|info| info.name == name).collect();
    if found.is_empty() {
        found = all.iter().filter(is_code).collect();
    }
    if found.is_empty() {
        let names = all.iter().flat_map(|info| info.mirrors.iter().copied().chain([info.name]));
        let hint =
            closest(&args.name, names).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Err(ShellError::usage(format!("no rule or error code is named `{}`{hint}", args.name)));
    }
    for (index, info) in found.iter().enumerate() {
        if index > 0 {
            writeln!(context.io.out)?;
        }
        let stage = info.stage.map_or("never noticed by a server".to_owned(), |s| format!("at {}", s.name()));
        let codes =
            if info.mirrors.is_empty() { String::new() } else { format!(", {}", info.mirrors.join(", ")) };
        writeln!(context.io.out, "{} ({}, {stage}{codes})\n", info.name, info.severity.name())?;
        writeln!(context.io.out, "{}", info.explanation())?;
    }
    Ok(Status::Clean)
}
