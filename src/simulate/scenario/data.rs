//! `[[data]]`: when data of a dataset appear.

use std::sync::Arc;

use super::Names;
use super::duration::{self, Duration};
use super::rules::{By, Rule};
use super::table::{Faults, Placed, Table};

/// When an instance appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// So long after its time, or after the action that writes it has ended.
    After(Duration),
    /// Never.
    Never,
}

/// By what a rule of data selects, in this order.
pub(crate) const DATASET: usize = 0;
pub(crate) const URI: usize = 1;
pub(crate) const TIMES: usize = 2;

pub(super) fn read(mut table: Table<'_>, names: &Names) -> Option<Rule<Arrival>> {
    let dataset = table.text("dataset");
    if let Some(dataset) = &dataset {
        let known = names.datasets.iter().map(|name| &**name);
        if !known.clone().any(|name| name == dataset.value) {
            table.faults.unknown("dataset", dataset, known);
        }
    }
    let uri = table.text("uri");
    if let Some(uri) = &uri
        && let Err(message) = super::pattern(&uri.value)
    {
        table.faults.add(message, &uri.range);
    }
    let times = times(&mut table);
    let delay = duration::read(&mut table, "delay");
    let arrives = table.text("arrives");
    let range = table.range.clone();
    if dataset.is_none() && uri.is_none() && !table.has("dataset") && !table.has("uri") {
        table.faults.add("a rule of data names a `dataset`, a `uri`, or both", &range);
    }
    let says = match (&arrives, delay) {
        (Some(arrives), _) if table.has("delay") => {
            table.faults.add("`delay` and `arrives` exclude each other", &arrives.range);
            None
        }
        (Some(arrives), _) => word(table.faults, arrives),
        (None, Some(delay)) => Some(Arrival::After(delay)),
        (None, None) => {
            if !table.has("delay") && !table.has("arrives") {
                table
                    .faults
                    .add("say when the data appear: `delay = \"45m\"` or `arrives = \"never\"`", &range);
            }
            None
        }
    };
    table.finish();
    let name = |text: Option<Placed<String>>| text.map(|text| Arc::from(text.value));
    Some(Rule { by: vec![By::Name(name(dataset)), By::Pattern(name(uri)), times], says: says?, range })
}

fn word(faults: &Faults, arrives: &Placed<String>) -> Option<Arrival> {
    match arrives.value.as_str() {
        "never" => Some(Arrival::Never),
        "on-time" => Some(Arrival::After(Duration::Fixed(0))),
        _ => {
            faults.unknown("way to arrive", arrives, ["on-time", "never"].into_iter());
            None
        }
    }
}

/// `from` and `to`.
pub(super) fn times(table: &mut Table<'_>) -> By {
    let (from, to) = (table.instant("from"), table.instant("to"));
    if let (Some(from), Some(to)) = (&from, &to)
        && from.value >= to.value
    {
        table.faults.add("`to` is not after `from`, so the rule is for nothing", &to.range);
    }
    By::Times(from.map(|at| at.value), to.map(|at| at.value))
}
