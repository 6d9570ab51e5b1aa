//! Actions that are not run but said to have ended: a rehearsal.

use crate::engine::{Fault, NodeEnd};
use crate::host::ShellError;
use crate::model::Dialect;
use crate::plan::workflow::counters_of;

/// What stands for every action.
pub const ALL: &str = "all";

/// Which actions are not run, and how each is said to have ended; the first that fits by name, else by type, counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stubs {
    rules: Vec<(String, bool)>,
}

impl Stubs {
    /// Reads `TYPE`, `NODE` or `all`, with `=OK` or `=ERROR` behind it or nothing.
    pub fn parse(arguments: &[String]) -> Result<Stubs, ShellError> {
        let mut rules = Vec::new();
        for argument in arguments {
            let (name, ok) = match argument.rsplit_once('=') {
                None => (argument.as_str(), true),
                Some((name, "OK")) => (name, true),
                Some((name, "ERROR")) => (name, false),
                Some((_, end)) => {
                    let words =
                        format!("--stub {argument}: an action ends with OK or ERROR, not with `{end}`");
                    return Err(ShellError::usage(words));
                }
            };
            rules.push((name.to_owned(), ok));
        }
        Ok(Stubs { rules })
    }

    /// Whether everything is run.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// What [`Stubs::parse`] reads.
    pub fn arguments(&self) -> Vec<String> {
        let end = |ok: bool| if ok { "OK" } else { "ERROR" };
        self.rules.iter().map(|(name, ok)| format!("{name}={}", end(*ok))).collect()
    }

    /// What is named, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().map(|(name, _)| name.as_str())
    }

    /// How an action is said to end, when it is not run.
    pub fn end(&self, node: &str, kind: &str, dialect: Dialect) -> Option<NodeEnd> {
        let find = |wanted: &str| self.rules.iter().find(|(name, _)| name == wanted);
        let (_, ok) = find(node).or_else(|| find(kind)).or_else(|| find(ALL))?;
        let fault = (!ok).then(|| Fault::new("JA018", "it is said to have failed"));
        let status = if *ok { "SUCCEEDED" } else { dialect.failed_job() };
        let stats = counters_of(kind, *ok).map(Into::into);
        Some(NodeEnd { ok: *ok, fault, external_status: Some(status.into()), stats, ..NodeEnd::default() })
    }
}
