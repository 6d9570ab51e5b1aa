//! How a workflow and its nodes take the rows of their tables.

use super::job::{JOB_TABLE, JobEvent, WorkflowJob};
use super::node::{NODE_TABLE, NodeEvent};
use crate::engine::command::{Changed, Command};
use crate::engine::context::{Context, Notice};
use crate::engine::error::EngineError;
use crate::engine::id::NodeId;
use crate::engine::table::step;

impl WorkflowJob {
    pub(super) fn node_id(&self, run: usize) -> NodeId {
        NodeId { workflow: self.number, node: self.nodes[run].node }
    }

    /// Takes a row of the table of jobs.
    pub(super) fn move_to(&mut self, cx: &mut Context<'_>, event: JobEvent) -> Result<(), EngineError> {
        let was = self.status;
        let id = self.id();
        self.status = step(JOB_TABLE, "workflow", || id.to_string(), was, event)?;
        cx.took("workflow", was, event);
        cx.out.push(Command::Changed(Changed::Workflow(id, was, self.status)));
        cx.notices.push_back(Notice::Workflow(self.number, self.status));
        self.notify_job(cx);
        Ok(())
    }

    /// Whether the table of nodes has a row; changes nothing.
    pub(super) fn check_node(&self, run: usize, event: NodeEvent) -> Result<(), EngineError> {
        step(NODE_TABLE, "node", || self.node_text(run), self.nodes[run].status, event).map(|_| ())
    }

    fn node_text(&self, run: usize) -> String {
        format!("{}@{}", self.id(), self.node_name(self.nodes[run].node))
    }

    /// Takes a row of the table of nodes. A pair without a row is a fault of this program.
    pub(super) fn move_node(&mut self, cx: &mut Context<'_>, run: usize, event: NodeEvent) {
        let was = self.nodes[run].status;
        match step(NODE_TABLE, "node", || self.node_text(run), was, event) {
            Err(error) => debug_assert!(false, "{error}"),
            Ok(status) => {
                cx.took("node", was, event);
                self.nodes[run].status = status;
                // An attempt is over even when the next one leaves the node in the same state.
                let again =
                    matches!(event, NodeEvent::StartTransient | NodeEvent::StartManual | NodeEvent::Retry);
                if was != status || again {
                    cx.out.push(Command::Changed(Changed::Node(self.node_id(run), was, status)));
                }
            }
        }
    }
}
