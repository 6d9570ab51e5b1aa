//! Back from a URI to the instance of a dataset that it belongs to: what a world needs that knows datasets and is asked
//! for URIs.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::backwards::{self, first_from};
use super::dataset::Dataset;
use super::job::CoordinatorJob;
use super::uri::is_hcat;
use crate::time::Instant;

/// A dataset that a job reads or writes, as the world sees it.
#[derive(Clone, Debug)]
pub struct DataSource {
    /// Whether it is written.
    pub is_output: bool,
    dataset: Arc<Dataset>,
    /// The first instance of each URI, of a template that cannot be read backwards.
    listed: OnceLock<BTreeMap<String, Instant>>,
}

/// More instances of a template that cannot be read backwards are not known by their URIs.
const MAX_LISTED: i32 = 100_000;

/// An instance that a URI belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance<'u> {
    /// The time of the instance.
    pub at: Instant,
    /// The URI without the done-flag.
    pub base: &'u str,
}

impl CoordinatorJob {
    /// The datasets of its events, one for each event.
    pub fn sources(&self) -> impl Iterator<Item = DataSource> {
        let source = |is_output| {
            move |dataset: &Arc<Dataset>| DataSource {
                is_output,
                dataset: dataset.clone(),
                listed: OnceLock::new(),
            }
        };
        let inputs = self.inputs.iter().map(|event| &event.dataset).map(source(false));
        inputs.chain(self.outputs.iter().map(|event| &event.dataset).map(source(true)))
    }
}

impl DataSource {
    /// The dataset's name.
    pub fn name(&self) -> &Arc<str> {
        &self.dataset.name
    }

    /// The template of its URIs, with its parameters put in.
    pub fn template(&self) -> &str {
        &self.dataset.uri.compiled().text().value
    }

    /// With what the URIs of all instances begin; empty where that is not known.
    pub fn head(&self) -> &str {
        self.dataset.uri.head()
    }

    /// What lies in an instance that is complete; empty: the instance itself.
    pub fn done_flag(&self) -> &str {
        &self.dataset.done_flag
    }

    /// Whether another has the same instances under the same URIs, whatever it is called.
    pub fn is_same(&self, other: &DataSource) -> bool {
        let (one, two) = (&self.dataset.series, &other.dataset.series);
        let series = one.initial == two.initial && one.frequency == two.frequency && one.unit == two.unit;
        let same = series && one.zone == two.zone && self.done_flag() == other.done_flag();
        same && self.template() == other.template()
    }

    /// The instance that a URI with its done-flag belongs to. Where several have one URI, the first of them. A URI of
    /// the template's form that is none of the dataset's is an instance at the time that it shows.
    pub fn instance_of<'u>(&self, uri: &'u str) -> Option<Instance<'u>> {
        let flag = &*self.dataset.done_flag;
        let base = match flag.is_empty() || is_hcat(uri) {
            true => uri,
            false => uri.strip_suffix(flag)?.strip_suffix('/')?,
        };
        self.instance_at(base)
    }

    /// What is waited for when an instance has this URI.
    pub fn flagged(&self, base: &str) -> String {
        let flag = &*self.dataset.done_flag;
        match flag.is_empty() || is_hcat(base) {
            true => base.to_owned(),
            false => format!("{base}/{flag}"),
        }
    }

    /// As [`DataSource::instance_of`], for a URI without its done-flag.
    pub fn instance_at<'u>(&self, base: &'u str) -> Option<Instance<'u>> {
        let (series, template) = (&self.dataset.series, &self.dataset.uri);
        match template.time_in(base) {
            Some(None) => Some(Instance { at: series.initial, base }),
            Some(Some(shown)) => {
                let first = first_from(series, shown);
                let at = if template.is_of(first, base) { first } else { shown };
                Some(Instance { at, base })
            }
            None if template.has_plain_date() => None,
            None => self.searched(base).map(|at| Instance { at, base }),
        }
    }

    /// The first instance with a URI that shows less than a date, or shows it in a way of its own.
    fn searched(&self, base: &str) -> Option<Instant> {
        let (series, template) = (&self.dataset.series, &self.dataset.uri);
        let Some(ways) = template.shown(base) else {
            let listed = self.listed.get_or_init(|| self.list());
            return listed.get(base).copied();
        };
        let found = ways.iter().map(|shown| backwards::first(series, shown, template.processing()));
        let (mut first, mut least) = (None, None);
        for found in found {
            match found {
                Ok(at) if template.is_of(at, base) => first = Some(first.map_or(at, |first| at.min(first))),
                Ok(_) | Err(None) => {}
                Err(Some(at)) if template.is_of(at, base) => {
                    least = Some(least.map_or(at, |least| at.min(least)));
                }
                Err(Some(_)) => {}
            }
        }
        first.or(least)
    }

    /// The URIs of the first instances.
    fn list(&self) -> BTreeMap<String, Instant> {
        let mut all = BTreeMap::new();
        for at in (0..MAX_LISTED).map(|index| self.dataset.series.nth(index)) {
            let Ok(uri) = self.dataset.uri.render(at) else { break };
            all.entry(uri).or_insert(at);
        }
        all
    }
}
