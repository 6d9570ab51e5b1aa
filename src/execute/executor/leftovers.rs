//! What runs on of an attempt whose supervisor has gone without a result: nothing is begun beside it, and a kill ends it.
//!
//! Which attempts these are stands in a file beside their folders, since the journal knows nothing of processes.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command as Process, Stdio};

use super::{Executor, folder_of};
use crate::engine::{Fault, NodeId};
use crate::execute::attempt::{Attempt, LOST, State};
use crate::execute::group;
use crate::execute::private;

/// The name of the file: a node and the number of an attempt in each line.
const FILE: &str = "lost";

impl Executor<'_> {
    fn lost_file(&self, node: NodeId) -> PathBuf {
        folder_of(&self.store, node, 0).with_file_name(FILE)
    }

    /// What is said of an attempt that was lost. What runs on of it is remembered.
    pub(super) fn lost(&self, node: NodeId, number: u32) -> String {
        let words = "it was begun, and whoever ran it has left no result; look what it has done";
        let left = group::left(&Attempt::new(folder_of(&self.store, node, number)));
        let Some(groups) = group::shown(&left) else { return words.to_owned() };
        let file = private::append(&self.lost_file(node));
        // Where this cannot be written, a start has one thing less to look at.
        let _ = file.and_then(|mut file| writeln!(file, "{} {number}", node.node));
        format!("{words}; processes of it still run (group {groups})")
    }

    /// The attempts of a node that were lost.
    fn lost_of(&self, node: NodeId) -> Vec<(u32, Attempt)> {
        let text = std::fs::read_to_string(self.lost_file(node)).unwrap_or_default();
        let number = |line: &str| {
            let (other, number) = line.split_once(' ')?;
            (other == node.node.to_string()).then(|| number.parse().ok()).flatten()
        };
        text.lines()
            .filter_map(number)
            .map(|number| (number, Attempt::new(folder_of(&self.store, node, number))))
            .collect()
    }

    /// Why a node is not begun: an attempt of it that nobody watches runs on.
    pub(super) fn still_runs(&self, node: NodeId) -> Option<Fault> {
        self.lost_of(node).into_iter().find_map(|(number, attempt)| {
            let groups = group::shown(&group::left(&attempt))?;
            let job = node.job();
            let words = format!(
                "attempt {number} was lost, and processes of it still run (group {groups}): it is not begun beside them; \
                 `ankus job {job} resume` begins it when they have ended, `ankus job {job} kill` ends them"
            );
            Some(Fault::new(LOST, words))
        })
    }

    /// Ends what runs on of a node that was killed.
    pub(super) fn end_left(&self, node: NodeId) {
        for (_, attempt) in self.lost_of(node) {
            self.end_lost(&attempt);
        }
    }

    /// Lets somebody end what runs on of an attempt, who lives as long as that takes.
    pub(super) fn end_lost(&self, attempt: &Attempt) {
        let is_lost = matches!(attempt.state(), Ok(State::Lost)) && !group::left(attempt).is_empty();
        if !is_lost || attempt.ask_kill().is_err() {
            return;
        }
        let mut process = Process::new(&self.options.program);
        process.arg("supervise").arg(attempt.folder());
        process.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut process, 0);
        if let Ok(mut process) = process.spawn() {
            std::thread::spawn(move || process.wait());
        }
    }
}
