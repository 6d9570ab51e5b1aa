//! `ankus explain`: what a rule or an Oozie error code means.

use std::io::Write;

use crate::diag::{closest, distance};
use crate::host::ShellError;
use crate::report::server_codes::CODES;
use crate::report::{catalogue, rules};
use crate::shell::Context;
use crate::shell::Status;

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
        let rules = catalogue::all().into_iter().map(|info| info.name);
        let near = closest(name, rules).or_else(|| nearest_code(name));
        let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Err(ShellError::usage(format!("no rule or error code is named `{name}`{hint}")));
    };
    context.io.out.write_all(text.as_bytes())?;
    Ok(Status::Clean)
}

/// The code that is nearest to what was typed: digits are what a slip changes in it.
fn nearest_code(typed: &str) -> Option<&'static str> {
    let typed = typed.to_uppercase();
    let near = CODES.iter().filter_map(|code| Some((distance(&typed, code.code, 1)?, code.code)));
    near.min_by_key(|(distance, _)| *distance).map(|(_, code)| code)
}
