//! Alerts of service levels by mail (`SLAEmailEventListener`): on disk as chores from the moment that something was missed,
//! taken off when the mail server has taken them or has refused.
//!
//! So each is sent at least once, or told as not sent. A mail server is asked once, as a server asks it.

use std::collections::BTreeMap;
use std::sync::mpsc::{Sender, channel};

use serde::{Deserialize, Serialize};

use super::Executor;
use crate::engine::{JobId, SlaEvent, SlaKind, Watched};
use crate::execute::news::News;
use crate::execute::runners::email;
use crate::shell::config::outward::EmailConfig;
use crate::time::Instant;

/// The first line of a chore that is an alert.
const ALERT: &str = "alert";

/// An alert as it lies on disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Letter {
    to: String,
    subject: String,
    body: String,
}

/// The alerts of an executor that are not sent yet.
pub(super) struct Alerts {
    server: Option<EmailConfig>,
    news: Sender<News>,
    /// To whom each under way is.
    open: BTreeMap<i64, String>,
    /// A thread of its own sends them in order.
    thread: Option<Sender<(i64, email::Mail)>>,
}

impl Alerts {
    /// None yet.
    pub(super) fn new(server: Option<EmailConfig>, news: Sender<News>) -> Alerts {
        Alerts { server, news, open: BTreeMap::new(), thread: None }
    }

    /// Whether all are sent, or told as not sent.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Takes in a chore; false when it is no alert, or nobody is there to send it.
    pub(super) fn take(&mut self, number: i64, body: &str) -> bool {
        let letter = body.strip_prefix(ALERT).and_then(|body| body.strip_prefix('\n'));
        let letter = letter.and_then(|letter| serde_json::from_str::<Letter>(letter).ok());
        let (Some(letter), Some(server)) = (letter, self.server.clone()) else { return false };
        if self.open.insert(number, letter.to.clone()).is_some() {
            return true;
        }
        let mail = email::plain(server, letter.to, letter.subject, letter.body);
        let news = &self.news;
        let thread = self.thread.get_or_insert_with(|| {
            let (sender, mails) = channel::<(i64, email::Mail)>();
            let news = news.clone();
            std::thread::spawn(move || {
                for (number, mail) in mails {
                    // Nobody listens any more when the executor has left.
                    let _ = news.send(News::Alerted { number, outcome: email::post(&mail) });
                }
            });
            sender
        });
        // The thread lives as long as its sender.
        let _ = thread.send((number, mail));
        true
    }
}

impl Executor<'_> {
    /// What was missed as a chore, where somebody is to hear of it and a mail server is named. A rehearsal alerts nobody.
    pub(super) fn alert(&self, event: &SlaEvent) -> Option<String> {
        let alert = event.alert.as_ref().filter(|_| self.options.outward.email.is_some())?;
        let job = match event.subject {
            Watched::Action(action) => action.job(),
            Watched::Workflow(job) => job,
            Watched::Node(node) => node.job(),
        };
        let root = self.roots.get(&job.number).copied().unwrap_or(job.number);
        if self.rehearsals.contains_key(&root) {
            return None;
        }
        let app = self.app_name(job);
        let expected = match event.what {
            SlaKind::DurationMet | SlaKind::DurationMiss => format!("at most {} s", event.expected / 1000),
            _ => self.engine.settings().processing.format(Instant::from_millis(event.expected)),
        };
        let (what, subject) = (event.what.name(), event.subject);
        let mut body =
            format!("Status:\n  {what}\n\nJob:\n  app {app}\n  id {subject}\n\nExpected:\n  {expected}\n");
        if !alert.message.is_empty() {
            body.push_str(&format!("\nMessage:\n  {}\n", alert.message));
        }
        let hidden = |text: &str| self.secrets.veil().text(text).into_owned();
        let title = format!("SLA {what} (app {app}, {subject})");
        let letter = Letter { to: alert.to.clone(), subject: hidden(&title), body: hidden(&body) };
        serde_json::to_string(&letter).ok().map(|letter| format!("{ALERT}\n{letter}"))
    }

    fn app_name(&self, job: JobId) -> String {
        let workflow = self.engine.workflow(job).map(|workflow| workflow.name.to_string());
        let coordinator = || Some(self.engine.coordinator(job)?.program.job.name.to_string());
        workflow.or_else(coordinator).unwrap_or_default()
    }

    /// The mail server has taken an alert, or not.
    pub(super) fn alerted(&mut self, number: i64, outcome: Result<(), String>) {
        let Some(to) = self.alerts.open.remove(&number) else { return };
        self.batch.done.push(number);
        if let Err(words) = outcome {
            self.say(&format!("could not send an alert of a service level to {to}: {words}"));
        }
    }
}
