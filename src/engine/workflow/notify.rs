//! Who is told by HTTP of a workflow and its nodes (`WorkflowNotificationXCommand`).

use std::sync::Arc;

use super::job::WorkflowJob;
use super::ways::{Style, Ways};
use crate::analysis::functions::url_encoded;
use crate::engine::command::Command;
use crate::engine::context::Context;
use crate::engine::event::Parent;
use crate::engine::status::NodeStatus;
use crate::plan::workflow::ProgramKind;

impl WorkflowJob {
    pub(super) fn ways(&self) -> &'static Ways {
        Ways::of(self.program.dialect)
    }

    /// `WorkflowNotificationXCommand` for the job.
    pub(super) fn notify_job(&self, cx: &mut Context<'_>) {
        let Some(url) = self.property(self.ways().notifications.job) else { return };
        let id = self.id().with_middle(&cx.settings.id_middle);
        let url = match self.ways().notifications.style {
            Style::States => {
                let parent = match self.parent {
                    None => String::new(),
                    Some(Parent::Action(action)) => {
                        format!("{}@{}", action.job().with_middle(&cx.settings.id_middle), action.number)
                    }
                    Some(Parent::Node(node)) => node.job().with_middle(&cx.settings.id_middle),
                };
                let url = url.replace("$jobId", &id).replace("$status", self.status.name());
                url.replace("$parentId", &parent)
            }
            Style::Words if !self.status.is_terminal() => return,
            Style::Words => {
                let status = self.status.name();
                put_in(&url, &[("$wfId", &id), ("$wfstatus", status), ("$wfStatus", status)])
            }
        };
        cx.out.push(Command::Notify { url, proxy: self.proxy() });
    }

    /// `WorkflowNotificationXCommand` for a node.
    pub(super) fn notify_node(&self, cx: &mut Context<'_>, run: usize) {
        let Some(url) = self.property(self.ways().notifications.node) else { return };
        let id = self.id().with_middle(&cx.settings.id_middle);
        let name = self.node_name(self.nodes[run].node);
        let url = match self.ways().notifications.style {
            Style::States => {
                let url = url.replace("$jobId", &id).replace("$nodeName", name);
                url.replace("$status", &self.state_of(run))
            }
            Style::Words => {
                let Some(word) = self.word_of(run) else { return };
                put_in(&url, &[("$wfId", &id), ("$nodeName", name), ("$nodeStatus", &word)])
            }
        };
        cx.out.push(Command::Notify { url, proxy: self.proxy() });
    }

    /// Tells of a node that is tried again or waits for somebody, where that is told.
    pub(super) fn notify_trouble(&self, cx: &mut Context<'_>, run: usize) {
        if self.ways().notifications.style == Style::Words {
            self.notify_node(cx, run);
        }
    }

    fn state_of(&self, run: usize) -> String {
        let node = &self.nodes[run];
        let fork = matches!(self.program.nodes[node.node as usize].kind, ProgramKind::Fork(_));
        let to: Arc<str> = match node.transition {
            Some(_) if fork => "*".into(),
            Some(to) => self.node_name(to).clone(),
            None => "null".into(),
        };
        use NodeStatus::{Error, Killed, Ok};
        match node.status {
            Ok | Error | Killed => format!("T:{to}"),
            other => format!("S:{other}"),
        }
    }

    /// How an action goes on, or the name of what a decision found; `None`: nobody is told.
    fn word_of(&self, run: usize) -> Option<Arc<str>> {
        use NodeStatus::{EndManual, EndRetry, Error, Ok, Running, StartManual, StartRetry};
        let node = &self.nodes[run];
        match &self.program.nodes[node.node as usize].kind {
            ProgramKind::Action(_) => match node.status {
                Running => Some("started".into()),
                StartRetry | EndRetry => Some("automatic-retry".into()),
                StartManual | EndManual => Some("manual-retry".into()),
                Ok => Some("OK".into()),
                Error => Some("ERROR".into()),
                _ => None,
            },
            ProgramKind::Decision { .. } if node.status == Ok => {
                node.facts.as_ref().and_then(|facts| facts.external_status.clone())
            }
            _ => None,
        }
    }

    fn proxy(&self) -> Option<String> {
        self.ways().notifications.proxy.and_then(|name| self.property(name))
    }

    pub(super) fn property(&self, name: &str) -> Option<String> {
        self.conf.as_ref().and_then(|conf| conf.get(name))
    }
}

/// A URL with values put in, encoded; longer tokens come first where one begins another.
fn put_in(url: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(url.to_owned(), |url, (token, value)| url.replace(token, &url_encoded(value)))
}
