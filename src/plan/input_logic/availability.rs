//! What is known of an action's inputs: every instance and whether it was seen.

use std::collections::BTreeMap;

/// One instance of a data-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// What must exist: the URI with its done-flag.
    pub uri: String,
    /// Whether it was seen.
    pub available: bool,
}

/// The part of a data-in that only the start of the action resolves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unresolved {
    /// The expressions, such as `${coord:latest(0)}`.
    pub expressions: Vec<String>,
    /// Whether all of them were resolved.
    pub is_resolved: bool,
    /// What they gave, without done-flags.
    pub resolved: Vec<String>,
}

/// The instances of one kind of dependency, pulled or pushed (`AbstractCoordInputDependency`).
#[derive(Clone, Debug, Default)]
pub(super) struct Dependencies {
    pub(super) instances: BTreeMap<String, Vec<Instance>>,
    /// In the order of discovery and with doubles, on which `combine` and `dataIn` depend.
    pub(super) available: BTreeMap<String, Vec<String>>,
}

impl Dependencies {
    pub(super) fn mark(&mut self, dataset: &str, index: usize) {
        let Some(instance) = self.instances.get_mut(dataset).and_then(|list| list.get_mut(index)) else {
            return;
        };
        instance.available = true;
        self.available.entry(dataset.to_owned()).or_default().push(instance.uri.clone());
    }

    fn reload(&mut self) {
        self.available.clear();
        for (name, list) in &self.instances {
            let seen: Vec<String> = list.iter().filter(|i| i.available).map(|i| i.uri.clone()).collect();
            if !seen.is_empty() {
                self.available.insert(name.clone(), seen);
            }
        }
    }

    pub(super) fn is_resolved(&self, dataset: &str) -> bool {
        let Some(all) = self.instances.get(dataset) else { return false };
        self.available.get(dataset).map_or(0, Vec::len) == all.len()
    }
}

/// All inputs of one action.
#[derive(Clone, Debug, Default)]
pub struct Availability {
    pub(super) pull: Dependencies,
    pub(super) push: Dependencies,
    pub(super) unresolved: BTreeMap<String, Unresolved>,
    /// The done-flag of every data-in, by name.
    pub(super) done_flags: BTreeMap<String, String>,
}

impl Availability {
    /// Adds a data-in: its known instances with their done-flags, and whether events announce them (`push`).
    pub fn add(&mut self, name: &str, done_flag: &str, push: bool, uris: impl IntoIterator<Item = String>) {
        self.done_flags.insert(name.to_owned(), done_flag.to_owned());
        let list: Vec<Instance> = uris.into_iter().map(|uri| Instance { uri, available: false }).collect();
        if !list.is_empty() {
            let side = if push { &mut self.push } else { &mut self.pull };
            side.instances.insert(name.to_owned(), list);
        }
    }

    /// Adds the unresolved part of a data-in.
    pub fn add_unresolved(&mut self, name: &str, expressions: Vec<String>) {
        self.unresolved
            .insert(name.to_owned(), Unresolved { expressions, is_resolved: false, resolved: Vec::new() });
    }

    /// Forgets the order of discovery, as storing and loading an action does; what was seen stays seen.
    pub fn reload(&mut self) {
        self.pull.reload();
        self.push.reload();
    }

    /// What has been seen so far, by data-in, in the order of discovery; a `combine` may list one twice.
    pub fn available(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.pull.available.iter().chain(&self.push.available).map(|(n, list)| (n.as_str(), list.as_slice()))
    }

    /// The instances of a data-in.
    pub fn instances(&self, name: &str) -> Option<&[Instance]> {
        self.pull.instances.get(name).or_else(|| self.push.instances.get(name)).map(Vec::as_slice)
    }

    /// The unresolved part of a data-in.
    pub fn unresolved(&self, name: &str) -> Option<&Unresolved> {
        self.unresolved.get(name)
    }

    /// True when some data-in has a part that only the start of the action resolves.
    pub fn has_unresolved(&self) -> bool {
        !self.unresolved.is_empty()
    }
}
