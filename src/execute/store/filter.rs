//! Which jobs of a store are shown.

use rusqlite::types::Value;

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
    /// As SQL with its values, those of `LIMIT` and `OFFSET` at the end.
    pub(super) fn conditions(&self) -> (String, Vec<Value>) {
        let kinds: Vec<String> = self.kinds.iter().map(|kind| kind.word().to_owned()).collect();
        let lists =
            [("status", &self.statuses), ("name", &self.names), ("user", &self.users), ("kind", &kinds)];
        let mut values: Vec<Value> = Vec::new();
        let mut conditions = Vec::new();
        for (column, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            let marks = vec!["?"; list.len()].join(", ");
            conditions.push(format!("{column} IN ({marks})"));
            values.extend(list.iter().cloned().map(Value::Text));
        }
        values.extend([Value::Integer(self.len.into()), Value::Integer(self.offset.into())]);
        let begin = if conditions.is_empty() { "" } else { "WHERE " };
        (format!("{begin}{}", conditions.join(" AND ")), values)
    }
}
