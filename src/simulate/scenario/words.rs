//! What a command is told besides its name, in words.

use super::operator::Command;
use crate::engine::{Change, Scope};
use crate::simulate::moment;
use crate::time::ProcessingZone;

impl Command {
    /// The particulars of a command, such as `actions 1-3, refresh`; empty when there are none.
    pub fn details(&self, zone: ProcessingZone) -> String {
        let mut parts = Vec::new();
        let mut flag = |is_given: bool, word: &str| {
            if is_given {
                parts.push(word.to_owned());
            }
        };
        match self {
            Command::Submit { start, external_id } => {
                flag(!start, "not started");
                if let Some(id) = external_id {
                    parts.push(format!("external-id {id}"));
                }
            }
            Command::KillActions(scope) | Command::IgnoreActions(scope) => parts.push(of_scope(scope)),
            Command::Change(change) => parts = of_change(change, zone),
            Command::RerunActions(rerun) => {
                flag(true, &of_scope(&rerun.scope));
                flag(rerun.nocleanup, "nocleanup");
                flag(rerun.refresh, "refresh");
                flag(rerun.failed, "failed");
            }
            Command::RerunBundle(rerun) => {
                flag(
                    !rerun.coordinators.is_empty(),
                    &format!("coordinators {}", rerun.coordinators.join(" ")),
                );
                flag(rerun.dates.is_some(), &format!("dates {}", rerun.dates.as_deref().unwrap_or_default()));
                flag(rerun.nocleanup, "nocleanup");
                flag(rerun.refresh, "refresh");
            }
            Command::RerunWorkflow(rerun) => {
                let skip = rerun.skip.as_deref().unwrap_or_default();
                flag(rerun.skip.is_some(), &format!("skip-nodes {}", skip.join(" ")));
                flag(rerun.failed, "failed");
            }
            Command::Start
            | Command::Suspend
            | Command::Resume
            | Command::Pause
            | Command::Kill
            | Command::Ignore => {}
        }
        parts.join(", ")
    }
}

fn of_scope(scope: &Scope) -> String {
    match scope {
        Scope::Numbers(numbers) => format!("actions {numbers}"),
        Scope::Dates(dates) => format!("dates {dates}"),
    }
}

fn of_change(change: &Change, zone: ProcessingZone) -> Vec<String> {
    let show = |at| moment::shown(at, zone);
    let end = change.end.map(|end| format!("end {}", show(end)));
    let concurrency = change.concurrency.map(|concurrency| format!("concurrency {concurrency}"));
    let pause = change.pause.map(|pause| format!("pause {}", pause.map_or("none".to_owned(), show)));
    let status = change.status.map(|status| format!("status {status}"));
    [end, concurrency, pause, status].into_iter().flatten().collect()
}
