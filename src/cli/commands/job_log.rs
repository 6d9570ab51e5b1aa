//! `ankus job ID log`: what the actions of a job wrote, and with `-f` what they go on writing.

use std::time::Duration;

use super::job::Named;
use crate::engine::JobId;
use crate::execute::clock::SystemClock;
use crate::execute::logs::{self, Wanted, Which};
use crate::execute::open::Place;
use crate::execute::view::View;
use crate::host::ShellError;
use crate::shell::Context;
use crate::shell::Status;

/// How long is waited before the next look.
const LOOK: Duration = Duration::from_millis(250);

/// The arguments of `log`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only of this action: the name of a node, or the number of an action of a coordinator
    #[arg(long, value_name = "NAME|N")]
    action: Option<String>,
    /// Only this attempt of an action: a number from 1, or `last`
    #[arg(long, value_name = "N|last")]
    attempt: Option<Which>,
    /// Go on with what is written until the job is over
    #[arg(short, long)]
    follow: bool,
    /// Print control characters to a terminal as they are
    #[arg(long)]
    raw: bool,
}

/// Shows the logs of a job, or of one part of it.
pub fn run(place: &Place, named: &Named, args: &Args, context: &mut Context) -> Result<Status, ShellError> {
    let wanted = Wanted { action: args.action.clone().or(named.part.clone()), attempt: args.attempt };
    let (id, root) = (named.row.id, named.row.root);
    let mut seen: Option<(i64, View)> = None;
    let mut look = || {
        let store = place.read()?;
        let last = store.last_event()?;
        let view = match seen.take() {
            Some((known, view)) if known == last => view,
            _ => place.view(store, root, &SystemClock)?,
        };
        let tried = view.attempts(id).into_iter().filter(|tried| wanted.includes(tried)).collect();
        let answer = (tried, view.veil.clone(), view.is_over(id));
        seen = Some((last, view));
        Ok(answer)
    };
    let out = if args.raw { context.io.out.raw() } else { context.io.exact() };
    if args.follow {
        let wait = || {
            std::thread::sleep(LOOK);
            true
        };
        logs::follow(look, wait, out)?;
    } else {
        let (tried, veil, _) = look()?;
        if let Some((_, view)) = seen.as_ref().filter(|_| tried.is_empty()) {
            is_there(view, named.row.id, &wanted)?;
        }
        logs::Logs::default().show(&tried, &veil, true, out)?;
    }
    Ok(Status::Clean)
}

/// Refuses to show what there is not, which is something else than what has written nothing yet.
fn is_there(view: &View, id: JobId, wanted: &Wanted) -> Result<(), ShellError> {
    if let Some(name) = wanted.action.as_deref().filter(|name| !view.has_part(name)) {
        return Err(ShellError::usage(format!("the job `{id}` has no part `{name}`")));
    }
    let any = Wanted { attempt: None, ..wanted.clone() };
    match (wanted.attempt, view.attempts(id).into_iter().filter(|tried| any.includes(tried)).count()) {
        (Some(Which::Number(number)), tried) if tried > 0 => {
            Err(ShellError::usage(format!("nothing there was tried {number} times")))
        }
        _ => Ok(()),
    }
}
