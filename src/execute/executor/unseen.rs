//! Attempts that were lost, and that nobody has looked at since: what may have done its work already is begun again only
//! when its workflow is named, never because the coordinator or the bundle above it is resumed.
//!
//! Which these are stands in a file beside the folders of a workflow's attempts. A start that finds no such file begins:
//! whoever has named the workflow has removed it.

use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use super::{Executor, folder_of};
use crate::engine::{Event, Fault, JobId, JobKind, NodeId};
use crate::execute::attempt::LOST;
use crate::execute::private;
use crate::host::ShellError;

/// The name of the file: a node and the number of an attempt in each line.
const FILE: &str = "unseen";

impl Executor<'_> {
    /// The file of a workflow, of which any node is given.
    fn unseen_file(&self, node: NodeId) -> PathBuf {
        folder_of(&self.store, node, 0).with_file_name(FILE)
    }

    /// Takes note of an attempt that was lost.
    pub(super) fn note_unseen(&self, node: NodeId, number: u32) -> Result<(), ShellError> {
        let path = self.unseen_file(node);
        let write = || -> std::io::Result<()> {
            // The folder may be what was lost.
            path.parent().map_or(Ok(()), private::make_folders)?;
            let mut file = private::append(&path)?;
            writeln!(file, "{} {number}", node.node)
        };
        let written = write();
        written.map_err(|source| ShellError::Write { path, source })
    }

    /// Why a node is not begun: an attempt of it was lost, and nobody has named its workflow since.
    pub(super) fn is_unseen(&self, node: NodeId) -> Option<Fault> {
        let text = std::fs::read_to_string(self.unseen_file(node)).ok()?;
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        let (_, number) = lines.rfind(|(other, _)| *other == node.node.to_string())?;
        let job = node.job();
        let words = format!(
            "attempt {number} was lost, and may have done its work: it is begun again only when its workflow is named; \
             look what it has done, then `ankus job {job} resume` begins it"
        );
        Some(Fault::new(LOST, words))
    }

    /// Somebody has named a workflow: what was lost of it may begin again.
    pub(super) fn has_named(&self, event: &Event) -> Result<(), ShellError> {
        let (Event::Resume(job) | Event::RerunWorkflow(job, _)) = event else { return Ok(()) };
        let JobId { kind: JobKind::Workflow, number } = *job else { return Ok(()) };
        let path = self.unseen_file(NodeId { workflow: number, node: 0 });
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != ErrorKind::NotFound => Err(ShellError::Write { path, source }),
            _ => Ok(()),
        }
    }
}
