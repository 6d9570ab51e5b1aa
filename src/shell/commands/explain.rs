//! `ankus explain`: what a rule or an Oozie error code means.

use std::io::Write;

use crate::diag::closest;
use crate::report::server_codes::CODES;
use crate::report::{catalogue, rules};
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
    let name = args.name.trim();
    let of_rule = catalogue::find(&name.to_lowercase()).map(rules::explain);
    let Some(text) = of_rule.or_else(|| rules::explain_code(name)) else {
        let names = catalogue::all().into_iter().map(|info| info.name);
        let names = names.chain(CODES.iter().map(|code| code.code));
        let hint = closest(name, names).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Err(ShellError::usage(format!("no rule or error code is named `{name}`{hint}")));
    };
    context.io.out.write_all(text.as_bytes())?;
    Ok(Status::Clean)
}
