//! What a job reads and writes, dataset by dataset, as its submission leaves it: for pictures and lists, not for plans.

use super::event::EventSpec;
use super::job::CoordinatorJob;
use crate::time::calendar::Unit;

/// An input or output event.
#[derive(Clone, Debug)]
pub struct DataUse<'j> {
    /// Whether it is written.
    pub is_output: bool,
    /// The event's name.
    pub event: &'j str,
    /// The dataset's name.
    pub dataset: &'j str,
    /// The URI template with its parameters put in.
    pub uri: &'j str,
    /// How many units lie between two instances of the dataset.
    pub frequency: i32,
    /// The unit.
    pub unit: Unit,
    /// Every `instance`, still to be evaluated.
    pub instances: Vec<&'j str>,
    /// `start-instance` and `end-instance`, likewise.
    pub range: Option<(&'j str, &'j str)>,
}

impl CoordinatorJob {
    /// Its input events, then its output events, in order.
    pub fn data(&self) -> impl Iterator<Item = DataUse<'_>> {
        let inputs = self.inputs.iter().map(|event| data_use(event, false));
        inputs.chain(self.outputs.iter().map(|event| data_use(event, true)))
    }
}

fn data_use(event: &EventSpec, is_output: bool) -> DataUse<'_> {
    let dataset = &event.dataset;
    DataUse {
        is_output,
        event: &event.name,
        dataset: &dataset.name,
        uri: &dataset.uri.compiled().text().value,
        frequency: dataset.series.frequency,
        unit: dataset.series.unit,
        instances: event.singles.iter().map(|instance| instance.text().value.as_str()).collect(),
        range: event
            .range
            .as_ref()
            .map(|(start, end)| (start.text().value.as_str(), end.text().value.as_str())),
    }
}
