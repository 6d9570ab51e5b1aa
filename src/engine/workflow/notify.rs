//! Who is told by HTTP of a workflow and its nodes (`WorkflowNotificationXCommand`).

use std::sync::Arc;

use super::job::WorkflowJob;
use crate::engine::command::Command;
use crate::engine::context::Context;
use crate::engine::event::Parent;
use crate::engine::status::NodeStatus;
use crate::plan::workflow::ProgramKind;

/// The proxy for notifications of the job and of its nodes alike.
const PROXY: &str = "oozie.wf.workflow.notification.proxy";

impl WorkflowJob {
    /// `WorkflowNotificationXCommand` for the job.
    pub(super) fn notify_job(&self, cx: &mut Context<'_>) {
        let Some(url) = self.url("oozie.wf.workflow.notification.url") else { return };
        let parent = match self.parent {
            None => String::new(),
            Some(Parent::Action(action)) => {
                format!("{}@{}", action.job().with_middle(&cx.settings.id_middle), action.number)
            }
            Some(Parent::Node(node)) => node.job().with_middle(&cx.settings.id_middle),
        };
        let id = self.id().with_middle(&cx.settings.id_middle);
        let url = url.replace("$jobId", &id).replace("$status", self.status.name());
        let proxy = self.url(PROXY);
        cx.out.push(Command::Notify { url: url.replace("$parentId", &parent), proxy });
    }

    /// `WorkflowNotificationXCommand` for a node.
    pub(super) fn notify_node(&self, cx: &mut Context<'_>, run: usize) {
        let Some(url) = self.url("oozie.wf.action.notification.url") else { return };
        let node = &self.nodes[run];
        let fork = matches!(self.program.nodes[node.node as usize].kind, ProgramKind::Fork(_));
        let to: Arc<str> = match node.transition {
            Some(_) if fork => "*".into(),
            Some(to) => self.node_name(to).clone(),
            None => "null".into(),
        };
        use NodeStatus::{Error, Killed, Ok};
        let status = match node.status {
            Ok | Error | Killed => format!("T:{to}"),
            other => format!("S:{other}"),
        };
        let id = self.id().with_middle(&cx.settings.id_middle);
        let url = url.replace("$jobId", &id).replace("$nodeName", self.node_name(node.node));
        let proxy = self.url(PROXY);
        cx.out.push(Command::Notify { url: url.replace("$status", &status), proxy });
    }

    fn url(&self, name: &str) -> Option<String> {
        self.conf.as_ref().and_then(|conf| conf.get(name))
    }
}
