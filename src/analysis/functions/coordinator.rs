//! Those functions of coordinators that need neither a dataset nor an event (`CoordELFunctions`).

use super::{Arguments, InPhase};
use crate::el::{Failure, Value};
use crate::time::format::{self, FormatError};

/// Calls `coord:name`.
pub(super) fn call<'a>(
    phase: &InPhase<'_>,
    name: &str,
    arguments: &Arguments<'a>,
) -> Result<Value<'a>, Failure> {
    let world = phase.world();
    let zone = world.processing;
    let text = |index| arguments.text(index);
    let job = &world.job;
    match name {
        "conf" => Ok(phase.text_variable(&text(0)).map_or(Value::Null, Value::from)),
        "user" => {
            let user = phase.text_variable("user.name").or_else(|| job.user.clone());
            Ok(user.map_or(Value::Null, Value::from))
        }
        "name" => Ok(job.name.clone().map_or(Value::Null, Value::from)),
        "actionId" => Ok(job.action_id.clone().map_or(Value::Null, Value::from)),
        "minutes" | "days" | "months" | "endOfDays" | "endOfWeeks" | "endOfMonths" => {
            positive(arguments.int(0)).map(|n| Value::Long(n.into()))
        }
        "hours" => positive(arguments.int(0)).map(|n| Value::Long(n.wrapping_mul(60).into())),
        "formatTime" => time(format::format_time(&text(0), &text(1), zone)),
        "epochTime" => time(format::epoch_time(&text(0), &text(1), zone)),
        "dateOffset" => time(format::date_offset(&text(0), arguments.int(1), &text(2), zone)),
        "dateTzOffset" => time(format::date_tz_offset(&text(0), &text(1), zone)),
        "nominalTime" => moment(world.nominal.as_deref(), "nominal", phase),
        "actualTime" => moment(world.actual.as_deref().or(world.nominal.as_deref()), "actual", phase),
        _ => {
            let message = format!("`coord:{name}` needs a coordinator: `plan` evaluates it");
            Err(Failure::new("RuntimeException", message))
        }
    }
}

/// `ParamChecker.checkGTZero`
fn positive(n: i32) -> Result<i32, Failure> {
    if n > 0 {
        Ok(n)
    } else {
        Err(Failure::new("IllegalArgumentException", format!("{n} is not greater than zero")))
    }
}

fn time<'a>(result: Result<String, FormatError>) -> Result<Value<'a>, Failure> {
    result.map(Value::from).map_err(|error| Failure::new(error.java_class(), error.to_string()))
}

/// A time of the action, read and written as Oozie does.
fn moment<'a>(text: Option<&str>, what: &str, phase: &InPhase<'_>) -> Result<Value<'a>, Failure> {
    let Some(text) = text else {
        return Err(Failure::new(
            "NullPointerException",
            format!("the {what} time of the action is not given"),
        ));
    };
    let zone = phase.world().processing;
    match zone.parse_datetime(text) {
        Ok(parsed) => Ok(Value::from(zone.format(parsed.instant))),
        Err(error) => {
            Err(Failure::new("ParseException", format!("the {what} time `{text}` is no datetime: {error}")))
        }
    }
}

#[cfg(test)]
#[path = "coordinator_tests.rs"]
mod tests;
