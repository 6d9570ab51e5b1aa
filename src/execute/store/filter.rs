//! Which jobs of a store are shown.

use super::JobRow;
use crate::engine::JobKind;

/// Conditions that all hold of the jobs that are shown; of a list one is enough, and an empty list is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Statuses as a server names them.
    pub statuses: Vec<String>,
    /// Names of jobs.
    pub names: Vec<String>,
    /// Who submitted them.
    pub users: Vec<String>,
    /// Kinds of jobs.
    pub kinds: Vec<JobKind>,
    /// So many of the newest are left out.
    pub offset: u32,
    /// At most so many are shown.
    pub len: u32,
}

impl Filter {
    /// Whether it lets a job through. Never a question for the database: of a row whose status is not what was written it
    /// would say that it is none of those.
    pub(super) fn takes(&self, job: &JobRow) -> bool {
        fn is_in<T: PartialEq>(list: &[T], it: &T) -> bool {
            list.is_empty() || list.contains(it)
        }
        is_in(&self.statuses, &job.status)
            && is_in(&self.names, &job.name)
            && is_in(&self.users, &job.user)
            && is_in(&self.kinds, &job.id.kind)
    }
}
