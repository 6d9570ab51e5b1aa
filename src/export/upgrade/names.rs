//! Names of nodes that workflow 1.0 takes, for those that it does not.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Workflow;
use crate::model::workflow::NodeKind;

/// The longest name of a node.
const LONGEST: usize = 39;

/// New names by the old ones, of those that differ.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeMap<String, String>);

impl Names {
    /// Names that fit, none of them twice.
    pub(super) fn new(model: &Workflow) -> Names {
        let named = || model.nodes.iter().filter(|node| !matches!(node.kind, NodeKind::Start { .. }));
        let mut taken: BTreeSet<String> =
            named().map(|node| node.name.value.clone()).filter(|name| fits(name)).collect();
        let mut renamed = BTreeMap::new();
        for node in named().filter(|node| !fits(&node.name.value)) {
            let name = free(&fitting(&node.name.value), &taken);
            taken.insert(name.clone());
            renamed.insert(node.name.value.clone(), name);
        }
        Names(renamed)
    }

    /// The new name of a node.
    pub(super) fn of(&self, name: &str) -> String {
        self.0.get(name.trim()).cloned().unwrap_or_else(|| name.trim().to_owned())
    }

    /// Whether a node is called otherwise.
    pub(super) fn renames(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// A name that no node has.
    pub(super) fn unused(&self, wanted: &str, model: &Workflow) -> String {
        let taken = model.nodes.iter().map(|node| self.of(&node.name.value)).collect();
        free(wanted, &taken)
    }
}

fn fits(name: &str) -> bool {
    name.len() <= LONGEST && name == fitting(name)
}

/// Letters, digits, `-` and `_`, a letter first.
fn fitting(name: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let mut fitting: String = name.trim().chars().map(|c| if is_part(c) { c } else { '-' }).collect();
    if !fitting.starts_with(|c: char| c.is_ascii_alphabetic()) {
        fitting.insert(0, 'n');
    }
    fitting.truncate(LONGEST);
    fitting
}

fn free(wanted: &str, taken: &BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| {
        let end = format!("-{number}");
        format!("{}{end}", &wanted[..wanted.len().min(LONGEST - end.len())])
    });
    std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or_default()
}
