//! Which parts of an app are run, where somebody does not want the whole of it.

use super::deployed::Deployed;
use super::recipe::What;
use crate::engine::coordinator::Only;
use crate::host::ShellError;
use crate::shell::submission::Submitted;

/// The code of a workflow that cannot begin where somebody wants it to.
pub const ENTRY: &str = "ANKUS-FROM-NODE";

/// What of an app is run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// These coordinators of a bundle; none: all that are enabled.
    pub coordinators: Vec<String>,
    /// These actions of a coordinator, such as `3-5,8`.
    pub actions: Option<String>,
    /// A workflow begins at this node.
    pub from_node: Option<String>,
}

impl Selection {
    /// Whether the whole app is run.
    pub fn is_all(&self) -> bool {
        *self == Selection::default()
    }

    /// Says what does not fit the app, in the user's words.
    pub fn check(&self, submitted: &Submitted) -> Result<(), ShellError> {
        let wrong = |option: &str, kind: &str| {
            Err(ShellError::usage(format!("`{option}` is for a {kind}, and this app is none")))
        };
        if !self.coordinators.is_empty() {
            let Submitted::Bundle(_, started) = submitted else { return wrong("--only", "bundle") };
            for name in &self.coordinators {
                let known = started.children.iter().find(|child| child.name == *name);
                let Some(known) = known else {
                    let names: Vec<&str> = started.children.iter().map(|child| child.name.as_str()).collect();
                    let words =
                        format!("the bundle has no coordinator `{name}`; it has {}", names.join(", "));
                    return Err(ShellError::usage(words));
                };
                if !known.is_enabled {
                    return Err(ShellError::usage(format!("the coordinator `{name}` is not enabled")));
                }
            }
        }
        if let Some(actions) = &self.actions {
            let Submitted::Coordinator(job, _) = submitted else {
                return wrong("--actions", "coordinator");
            };
            let only = Only::read(actions).map_err(|refusal| ShellError::usage(refusal.to_string()))?;
            let last = only.last();
            let before = crate::plan::coordinator::Materializer::after(job, last - 1);
            if before.peek(job, job.end).is_none() {
                return Err(ShellError::usage(format!("the coordinator has no action {last}")));
            }
        }
        if self.from_node.is_some() && !matches!(submitted, Submitted::Workflow(_)) {
            return wrong("--from-node", "workflow");
        }
        Ok(())
    }
}

impl Deployed {
    /// What of an app runs under a key.
    pub fn selection(&self, key: &str) -> Selection {
        match self.recipe(key).as_deref().map(|recipe| &recipe.what) {
            Some(What::Workflow { from, .. }) => {
                Selection { from_node: from.clone(), ..Selection::default() }
            }
            Some(What::Coordinator { only, .. }) => {
                Selection { actions: only.clone(), ..Selection::default() }
            }
            Some(What::Bundle { only, .. }) => {
                Selection { coordinators: only.clone(), ..Selection::default() }
            }
            None => Selection::default(),
        }
    }
}
