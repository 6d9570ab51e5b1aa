//! The instance functions of the phase in which actions are created, as text between which `#` stands.
//!
//! Follows `ph2_coord_current`, `ph2_coord_currentRange`, `ph2_coord_offset` and `ph2_coord_absolute_range`.

use super::findings::too_many;
use super::scope::Scope;
use super::settings::MAX_INSTANCES;
use crate::el::Failure;
use crate::time::series::{Current, Offset, Series};
use crate::time::{Instant, ProcessingZone, Unit, calendar};

/// `coord:currentRange(start, end)`: newest first.
pub(super) fn current_range(scope: &Scope<'_>, start: i32, end: i32) -> Result<String, Failure> {
    let nominal = scope.the_action()?.nominal;
    let series = scope.the_dataset()?;
    match series.current(nominal) {
        None => Ok(String::new()),
        Some(current) => Ok(join(scope.processing, &newest_first(series, current, start, end)?)),
    }
}

/// The instances of a range relative to the current one, newest first.
pub(super) fn newest_first(
    series: &Series,
    current: Current,
    start: i32,
    end: i32,
) -> Result<Vec<Instant>, Failure> {
    let mut found = series.range(current, start, end, MAX_INSTANCES).map_err(too_many)?;
    found.reverse();
    Ok(found)
}

/// `coord:offset(n, unit)`
pub(super) fn offset(scope: &Scope<'_>, n: i32, unit: &str) -> Result<String, Failure> {
    let unit = unit_of(unit).ok_or_else(|| no_unit(unit))?;
    let nominal = scope.the_action()?.nominal;
    let series = scope.the_dataset()?;
    let Some(current) = series.current(nominal) else { return Ok(String::new()) };
    let found = offset_instance(scope, series, current, n, unit)?;
    Ok(found.map_or_else(String::new, |at| scope.processing.format(at)))
}

/// The instance that an offset from the current one falls on; `None` before the initial one.
pub(super) fn offset_instance(
    scope: &Scope<'_>,
    series: &Series,
    current: Current,
    n: i32,
    unit: Unit,
) -> Result<Option<Instant>, Failure> {
    let wanted = calendar::add(current.instance, n.into(), unit, series.zone);
    let Some(walk) = scope.walk else { return Ok(None) };
    match walk.borrow_mut().find(series, wanted) {
        Offset::At(at) => Ok(Some(at)),
        Offset::BeforeInitial => Ok(None),
        Offset::Drifted => Err(Failure::new(
            "RuntimeException",
            "the server finds no instance there: its steps from the initial instance drift, over a change of the clocks or a short month",
        )),
        Offset::TooFar => Err(Failure::new("", "the instance lies too far from the initial instance")),
    }
}

/// `coord:absoluteRange(start, end)`: from a date to an instance relative to the current one, newest first.
pub(super) fn absolute_range(scope: &Scope<'_>, start: &str, end: i32) -> Result<String, Failure> {
    let parsed = scope.processing.parse_datetime(start);
    let start = parsed.map_err(|e| absolute(format!("`{start}` is no datetime: {e}")))?.instant;
    let found = absolute_instances(scope, start, end)?;
    Ok(join(scope.processing, &found))
}

/// The instances from a date on, newest first.
pub(super) fn absolute_instances(
    scope: &Scope<'_>,
    start: Instant,
    end: i32,
) -> Result<Vec<Instant>, Failure> {
    let nominal = scope.the_action()?.nominal;
    let series = scope.the_dataset()?;
    let text = |at| scope.processing.format(at);
    let initial = text(series.initial);
    let Some(first) = series.current(start) else {
        return Err(absolute(format!("`{}` lies before the initial instance `{initial}`", text(start))));
    };
    if first.instance != start {
        let near = text(first.instance);
        return Err(absolute(format!("`{}` is no instance of the dataset; `{near}` is one", text(start))));
    }
    let Some(current) = series.current(nominal) else {
        let nominal = text(nominal);
        return Err(absolute(format!(
            "the initial instance `{initial}` is later than the nominal time `{nominal}`"
        )));
    };
    let from = first.count.wrapping_sub(current.count);
    if from > end {
        return Err(absolute(format!(
            "the range starts with `current({from})`, after its end `current({end})`"
        )));
    }
    newest_first(series, current, from, end)
}

fn absolute(message: String) -> Failure {
    Failure::new(super::findings::INSTANCE_ABSOLUTE_INVALID.name, message)
}

/// The units that Oozie knows by name; those of end-of-period count like the period itself.
pub(super) fn unit_of(name: &str) -> Option<Unit> {
    Some(match name {
        "MINUTE" => Unit::Minute,
        "HOUR" => Unit::Hour,
        "DAY" | "END_OF_DAY" => Unit::Day,
        "WEEK" | "END_OF_WEEK" => Unit::Week,
        "MONTH" | "END_OF_MONTH" => Unit::Month,
        "YEAR" => Unit::Year,
        _ => return None,
    })
}

/// The number of a unit in `java.util.Calendar`, by which ranges of offsets are compared.
pub(super) fn calendar_number(unit: Unit) -> i32 {
    match unit {
        Unit::Minute => 12,
        Unit::Hour => 10,
        Unit::Day => 5,
        Unit::Week => 3,
        Unit::Month => 2,
        Unit::Year => 1,
    }
}

pub(super) fn no_unit(name: &str) -> Failure {
    let message = format!("`{name}` is no unit; it is one of MINUTE, HOUR, DAY, WEEK, MONTH, YEAR");
    Failure::new("IllegalArgumentException", message)
}

fn join(zone: ProcessingZone, instants: &[Instant]) -> String {
    let mut text = String::with_capacity(instants.len() * 18);
    for (index, at) in instants.iter().enumerate() {
        if index > 0 {
            text.push('#');
        }
        zone.write(*at, &mut text);
    }
    text
}
