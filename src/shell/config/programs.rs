//! `[programs]` and `[schedules]` of `ankus.toml`.

use std::ops::Range;

use indexmap::IndexMap;
use serde::Deserialize;
use toml::Spanned;

use crate::model::schedule::{Status, Written};
use crate::project::programs::{Declared, Target};

/// A program as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a program is a path, `{ app = \"path\" }` or `{ command = [\"program\"] }`")]
pub enum Entry {
    /// The path of its definition.
    Path(String),
    /// A definition, and what it hands on.
    App(AppEntry),
    /// A command line.
    Command(CommandEntry),
}

/// A definition, and what it hands on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppEntry {
    app: String,
    #[serde(default)]
    emits: Option<Vec<String>>,
}

/// A command line, and what it hands on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandEntry {
    command: Vec<String>,
    #[serde(default)]
    emits: Option<Vec<String>>,
}

/// `[schedules]`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SchedulesConfig {
    /// What a run counts as that ends at its kill node.
    kill_node: Option<KillNode>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
enum KillNode {
    #[serde(rename = "FAILED")]
    Failed,
    #[serde(rename = "KILLED")]
    Killed,
}

impl SchedulesConfig {
    /// What a run counts as that ends at its own kill node.
    pub fn kill_node(&self) -> Status {
        match self.kill_node {
            Some(KillNode::Killed) => Status::Killed,
            Some(KillNode::Failed) | None => Status::Failed,
        }
    }
}

/// Understands `[programs]`; else what is wrong, and where.
pub(super) fn understand(
    table: &IndexMap<Spanned<String>, Entry>,
) -> Result<Vec<Declared>, (Range<usize>, String)> {
    let mut found = Vec::new();
    for (key, entry) in table {
        let fault = |message: String| (key.span(), message);
        let name = Written::parse(key.get_ref()).map_err(fault)?;
        if name.application.is_none() {
            let message = format!("a program is named `Application/Program`, not `{}`", key.get_ref());
            return Err(fault(message));
        }
        let (target, emits) = match entry.clone() {
            Entry::Path(path) => (Target::App(path), None),
            Entry::App(AppEntry { app, emits }) => (Target::App(app), emits),
            Entry::Command(CommandEntry { command, .. }) if command.is_empty() => {
                return Err(fault("a command names at least a program".to_owned()));
            }
            Entry::Command(CommandEntry { command, emits }) => (Target::Command(command), emits),
        };
        let declared = Declared { name, target, emits };
        if let Some(other) = found.iter().find(|other: &&Declared| other.is_same_as(&declared)) {
            return Err(fault(format!("`{}` is named twice", other.shown())));
        }
        found.push(declared);
    }
    Ok(found)
}
