//! What a run comes down to: what ran, how long that took, what failed, and the one command that helps next.

use super::one_line::one_line;
use super::plural;
use super::run_lines::{Heard, Paint, has_failed};
use crate::engine::status::NodeStatus;
use crate::engine::{Changed, Command, NodeId};
use crate::simulate::moment;

/// More failed actions are counted, not named.
const MOST_NAMED: usize = 5;

/// An action that failed.
#[derive(Clone, Debug)]
struct Failed {
    node: NodeId,
    name: String,
    why: String,
}

/// How a job that was asked for stands at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stands {
    /// Its id as a person types it.
    pub id: String,
    /// Its status.
    pub status: String,
    /// Whether that is what was wanted.
    pub is_well: bool,
}

/// Counts what actions come to while jobs run.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    ok: usize,
    killed: usize,
    failed: Vec<Failed>,
}

impl Tally {
    /// Takes in an event.
    pub fn hear(&mut self, heard: &Heard<'_>) {
        for command in heard.commands {
            let Command::Changed(changed @ Changed::Node(node, from, to)) = command else { continue };
            if from == to {
                continue;
            }
            // What is tried again has not failed.
            self.failed.retain(|failed| failed.node != *node);
            let Some(name) = heard.engine.action(*node) else { continue };
            match to {
                NodeStatus::Ok => self.ok += 1,
                NodeStatus::Killed => self.killed += 1,
                NodeStatus::StartRetry | NodeStatus::EndRetry | NodeStatus::UserRetry => {}
                status if !has_failed(*status) => {}
                _ => {
                    let why = heard.why(changed).unwrap_or_default();
                    self.failed.push(Failed { node: *node, name, why });
                }
            }
        }
    }

    /// The summary, with a line end after each line. `next` is the command that helps where nothing that is known here
    /// does; nothing where everything went well.
    pub fn text(&self, jobs: &[Stands], millis: i64, next: Option<&str>, paint: Paint) -> String {
        let mut out = String::new();
        let took = moment::duration(millis);
        let mut counts = vec![format!("{} OK", plural(self.ok, "action"))];
        if !self.failed.is_empty() {
            counts.push(format!("{} failed", self.failed.len()));
        }
        if self.killed > 0 {
            counts.push(format!("{} killed", self.killed));
        }
        let counts = counts.join(", ");
        match jobs {
            [] => return out,
            [job] => {
                let status = paint.status(&job.status);
                out.push_str(&format!("{} {status} after {took}: {counts}\n", job.id));
            }
            jobs => {
                let well = jobs.iter().filter(|job| job.is_well).count();
                out.push_str(&format!(
                    "{well} of {} SUCCEEDED after {took}: {counts}\n",
                    plural(jobs.len(), "job")
                ));
                for job in jobs.iter().filter(|job| !job.is_well) {
                    out.push_str(&format!("  {} {}\n", job.id, paint.status(&job.status)));
                }
            }
        }
        for failed in self.failed.iter().take(MOST_NAMED) {
            let what = paint.bad(&format!("{}@{}", failed.node.job(), failed.name));
            out.push_str(&format!("  {what} failed: {}\n", one_line(&failed.why)));
        }
        if self.failed.len() > MOST_NAMED {
            out.push_str(&format!("  … and {} more\n", self.failed.len() - MOST_NAMED));
        }
        let log = |failed: &Failed| {
            let name = shell_word(&failed.name);
            format!("ankus job {} log --action {name}", failed.node.job())
        };
        let is_well = jobs.iter().all(|job| job.is_well);
        let next = self.failed.first().map(log).or_else(|| next.map(str::to_owned));
        if let Some(next) = next.filter(|_| !is_well) {
            out.push_str(&format!("next: `{next}`\n"));
        }
        out
    }
}

/// A name as one word of a shell.
fn shell_word(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    match !name.is_empty() && name.chars().all(is_plain) {
        true => name.to_owned(),
        false => format!("'{}'", name.replace('\'', "'\\''")),
    }
}
