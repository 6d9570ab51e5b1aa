//! Rehearsals: which actions of a submission are said to have ended rather than run.
//!
//! That is kept with the submission. So a rehearsal never goes on for real, and beside one nothing real is rehearsed.

use super::Executor;
use crate::engine::{Fault, NodeEnd, NodeId, Outside, Subject};
use crate::execute::rows;
use crate::execute::store::Store;
use crate::execute::stub::Stubs;
use crate::host::ShellError;

/// What is not run of a submission, as its store has it; nothing when all is run.
pub fn kept(store: &Store, root: u32) -> Result<Option<Stubs>, ShellError> {
    let Some(text) = store.meta(&name(root))? else { return Ok(None) };
    let arguments: Vec<String> = serde_json::from_str(&text)
        .map_err(|error| ShellError::usage(format!("what a rehearsal leaves out cannot be read: {error}")))?;
    Stubs::parse(&arguments).map(Some)
}

/// The name under which a store keeps it.
fn name(root: u32) -> String {
    format!("stubs:{root}")
}

impl Executor<'_> {
    /// Makes a rehearsal of a submission of which nothing has begun.
    pub fn rehearse(&mut self, root: u32, stubs: &Stubs) {
        if stubs.is_empty() {
            return;
        }
        let arguments = serde_json::to_string(&stubs.arguments()).unwrap_or_default();
        self.batch.meta.push((name(root), arguments));
        self.rehearsals.insert(root, stubs.clone());
    }

    /// What is not run of a submission.
    pub fn stubs_of(&self, root: u32) -> Option<&Stubs> {
        self.rehearsals.get(&root)
    }

    /// Learns which submissions are rehearsals.
    pub(super) fn recall_rehearsals(&mut self, roots: &[u32]) -> Result<(), ShellError> {
        for root in roots {
            if let Some(stubs) = kept(&self.store, *root)? {
                self.rehearsals.insert(*root, stubs);
            }
        }
        Ok(())
    }

    /// An action begins that is not run: what it does to files those see that follow.
    pub(super) fn rehearse_start(&self, kind: &str, definition: &str) -> Result<(), Fault> {
        let outside: &dyn Outside = match self.world {
            Some(world) => world,
            None => &self.storage,
        };
        self.rehearsal.begin(kind, definition, outside, self.clock.now())
    }

    /// Whether what asks belongs to a rehearsal.
    pub(super) fn is_rehearsed(&self, subject: Subject) -> bool {
        let number = match subject {
            Subject::Node(node) => node.workflow,
            Subject::Action(action) => action.coordinator,
        };
        self.roots.get(&number).is_some_and(|root| self.rehearsals.contains_key(root))
    }

    /// How an action ends that is not run.
    pub(super) fn stub_of(&self, node: NodeId) -> Option<NodeEnd> {
        let stubs = self.rehearsals.get(self.roots.get(&node.workflow)?)?;
        let job = self.engine.workflow(node.job())?;
        let kind = rows::kind_of(job, node.node);
        stubs.end(job.node_name(node.node), &kind, job.program.dialect)
    }
}
