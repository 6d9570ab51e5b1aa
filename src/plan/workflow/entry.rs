//! A workflow that begins at another node than its first one.

use super::program::{Program, ProgramKind, Target};

/// Why a workflow cannot begin at a node.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryFault {
    /// There is no such node.
    #[error("the workflow has no node `{0}`")]
    Unknown(String),
    /// A join would be entered whose fork was not.
    #[error(
        "from `{node}` the join `{join}` is reached without its fork, since `{node}` lies inside it; begin at the fork, or \
         behind the join"
    )]
    InsideFork {
        /// The node.
        node: String,
        /// The join.
        join: String,
    },
}

impl Program {
    /// Lets the workflow begin at a node: what its start node leads to. Refused where a join could be reached without its
    /// fork, since it would wait for ways that nobody goes.
    pub fn begin_at(&mut self, name: &str) -> Result<(), EntryFault> {
        let node = self.find(name).ok_or_else(|| EntryFault::Unknown(name.to_owned()))?;
        if let Some(join) = self.unopened_join(node) {
            return Err(EntryFault::InsideFork { node: name.to_owned(), join });
        }
        let start = self.start();
        if node != start {
            let target =
                Target { name: self.nodes[node as usize].name.clone(), node: Some(node), label: None };
            self.nodes[start as usize].kind = ProgramKind::Start(target);
        }
        Ok(())
    }

    /// A join that can be reached from a node without its fork: what counts is the fewest forks that may be open at each
    /// node.
    fn unopened_join(&self, from: u32) -> Option<String> {
        let mut fewest: Vec<Option<u32>> = vec![None; self.nodes.len()];
        let mut open = vec![(from, 0_u32)];
        while let Some((at, forks)) = open.pop() {
            let node = &self.nodes[at as usize];
            let seen = &mut fewest[at as usize];
            if seen.is_some_and(|seen| seen <= forks) {
                continue;
            }
            *seen = Some(forks);
            let (targets, forks): (Vec<&Target>, u32) = match &node.kind {
                ProgramKind::End | ProgramKind::Kill { .. } => continue,
                ProgramKind::Start(to) => (vec![to], forks),
                ProgramKind::Decision { cases, default } => {
                    (cases.iter().map(|(_, to)| to).chain([default]).collect(), forks)
                }
                ProgramKind::Fork(paths) => (paths.iter().collect(), forks + 1),
                ProgramKind::Join(to) => match forks.checked_sub(1) {
                    None => return Some(node.name.to_string()),
                    Some(forks) => (vec![to], forks),
                },
                ProgramKind::Action(action) => (vec![&action.ok, &action.error], forks),
            };
            open.extend(targets.into_iter().filter_map(|to| Some((to.node?, forks))));
        }
        None
    }
}
