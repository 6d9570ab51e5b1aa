//! Back from a URI to the instance of a dataset that it belongs to: what a world needs that knows datasets and is asked
//! for URIs.

use std::sync::Arc;

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
}

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
        let source =
            |is_output| move |dataset: &Arc<Dataset>| DataSource { is_output, dataset: dataset.clone() };
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
        let series = &self.dataset.series;
        let Some(shown) = self.dataset.uri.time_in(base)? else {
            return Some(Instance { at: series.initial, base });
        };
        let first = match series.current(shown) {
            None => series.initial,
            Some(current) if current.instance >= shown => current.instance,
            Some(current) => series.next(current.instance),
        };
        let at = if self.dataset.uri.is_of(first, base) { first } else { shown };
        Some(Instance { at, base })
    }
}
