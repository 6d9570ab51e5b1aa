//! What an expression of a coordinator sees: the variables and the functions of its phase.
//!
//! The functions are those of `CoordELFunctions` and `HCatELFunctions`; what a phase defers comes back as the text of
//! the call, to be evaluated in a later phase.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::findings::DATA_EVENT_UNKNOWN;
use super::instances;
use super::start::Start;
use super::variables::Variables;
use crate::el::{Failure, Function, Outcome, Signature, Value, World};
use crate::model::functions::{self, Phase};
use crate::time::format::{date_offset, date_tz_offset, epoch_time, format_time};
use crate::time::series::{Series, Walk};
use crate::time::{EndOfDuration, Instant, ProcessingZone, TimeUnit, Zone, calendar};

/// The facts of the action that an expression belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActionFacts<'a> {
    pub(super) nominal: Instant,
    pub(super) actual: Instant,
    pub(super) number: i64,
    pub(super) job_id: &'a str,
    pub(super) app_name: &'a str,
    pub(super) job_zone: Zone,
}

/// Which side of a job an event stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Input,
    Output,
}

/// What evaluation leaves besides a value.
#[derive(Debug, Default)]
pub(super) struct Effects {
    touched: Cell<bool>,
    inputs: Cell<bool>,
    outputs: Cell<bool>,
    current: Cell<Option<i32>>,
    period: Cell<Option<(TimeUnit, EndOfDuration)>>,
}

impl Effects {
    pub(super) fn start(&self) {
        self.touched.set(false);
        self.inputs.set(false);
        self.outputs.set(false);
        self.current.set(None);
    }

    fn touch(&self) {
        self.touched.set(true);
    }

    /// Whether the action's own times or number were asked for.
    pub(super) fn touched(&self) -> bool {
        self.touched.get()
    }

    /// Whether the URIs of inputs were asked for.
    pub(super) fn touched_inputs(&self) -> bool {
        self.inputs.get()
    }

    /// Whether the URIs of outputs were asked for.
    pub(super) fn touched_outputs(&self) -> bool {
        self.outputs.get()
    }

    /// The argument of the last `coord:current`.
    pub(super) fn current(&self) -> Option<i32> {
        self.current.get()
    }

    /// The unit that the last of `coord:days` and its like has set.
    pub(super) fn period(&self) -> Option<(TimeUnit, EndOfDuration)> {
        self.period.get()
    }
}

/// The surroundings of an expression.
#[derive(Debug)]
pub(super) struct Scope<'a> {
    pub(super) phase: Phase,
    pub(super) variables: &'a Variables,
    pub(super) processing: ProcessingZone,
    /// The events that echoes may name.
    pub(super) names: Option<&'a BTreeMap<String, Side>>,
    pub(super) dataset: Option<&'a Series>,
    pub(super) walk: Option<&'a RefCell<Walk>>,
    pub(super) action: Option<ActionFacts<'a>>,
    /// At the start of an action: its events.
    pub(super) start: Option<&'a Start<'a>>,
    pub(super) effects: Effects,
}

impl<'a> Scope<'a> {
    pub(super) fn new(phase: Phase, variables: &'a Variables, processing: ProcessingZone) -> Scope<'a> {
        Scope {
            phase,
            variables,
            processing,
            names: None,
            dataset: None,
            walk: None,
            action: None,
            start: None,
            effects: Effects::default(),
        }
    }

    pub(super) fn names(mut self, names: &'a BTreeMap<String, Side>) -> Scope<'a> {
        self.names = Some(names);
        self
    }

    pub(super) fn action(mut self, action: ActionFacts<'a>) -> Scope<'a> {
        self.action = Some(action);
        self
    }

    pub(super) fn dataset(mut self, series: &'a Series, walk: &'a RefCell<Walk>) -> Scope<'a> {
        self.dataset = Some(series);
        self.walk = Some(walk);
        self
    }

    /// The action; asking for it makes the value depend on it.
    pub(super) fn the_action(&self) -> Result<&ActionFacts<'a>, Failure> {
        self.effects.touch();
        self.action
            .as_ref()
            .ok_or_else(|| Failure::new("NullPointerException", "there is no action at this place"))
    }

    pub(super) fn the_dataset(&self) -> Result<&Series, Failure> {
        self.dataset.ok_or_else(|| Failure::new("RuntimeException", "there is no dataset at this place"))
    }

    fn the_start(&self, side: Side) -> Result<&Start<'a>, Failure> {
        match side {
            Side::Input => self.effects.inputs.set(true),
            Side::Output => self.effects.outputs.set(true),
        }
        self.start.ok_or_else(|| Failure::new("RuntimeException", "there are no events at this place"))
    }

    /// `ph1_coord_dataIn_echo` and its like: the event must exist, on the right side where it matters.
    fn check_event(&self, name: &str, side: Option<Side>) -> Result<(), Failure> {
        let known = self.names.and_then(|names| names.get(name));
        if known.is_some_and(|found| side.is_none_or(|side| side == *found)) {
            return Ok(());
        }
        let what = match side {
            Some(Side::Input) => "input event",
            Some(Side::Output) => "output event",
            None => "event",
        };
        let names = self.names.into_iter().flatten();
        let candidates =
            names.filter(|(_, found)| side.is_none_or(|side| side == **found)).map(|(n, _)| n.as_str());
        let near = crate::diag::closest(name, candidates);
        Err(Failure::new(DATA_EVENT_UNKNOWN.name, format!("no {what} is named `{name}`")).near(near))
    }

    /// What `ph1_coord_dataIn_echo` and its like check before they print the call.
    fn check_echo(&self, name: &str, arguments: &[Value<'_>]) -> Result<(), Failure> {
        let side = match name {
            "dataIn" => Some(Side::Input),
            "dataOut" => Some(Side::Output),
            _ if name.starts_with("data") && !name.starts_with("date") || name.starts_with("table") => None,
            _ => return Ok(()),
        };
        let event = arguments.first().map(Value::to_text).unwrap_or_default();
        self.check_event(&event, side)
    }

    /// A unit of time as a frequency or a timeout: `ph1_coord_days` and its like.
    fn period_call(&self, name: &str, count: i32) -> Option<Result<Value<'_>, Failure>> {
        use EndOfDuration::{EndOfDay, EndOfMonth, EndOfWeek};
        let (unit, end) = match name {
            "minutes" | "hours" => (TimeUnit::Minute, EndOfDuration::None),
            "days" => (TimeUnit::Day, EndOfDuration::None),
            "months" => (TimeUnit::Month, EndOfDuration::None),
            "endOfDays" => (TimeUnit::Day, EndOfDay),
            "endOfWeeks" => (TimeUnit::Week, EndOfWeek),
            "endOfMonths" => (TimeUnit::Month, EndOfMonth),
            _ => return None,
        };
        if count <= 0 {
            let message = format!("`coord:{name}` takes a number greater than zero, not {count}");
            return Some(Err(Failure::new("IllegalArgumentException", message)));
        }
        self.effects.period.set(Some((unit, end)));
        let value = if name == "hours" { count.wrapping_mul(60) } else { count };
        Some(Ok(Value::Long(value.into())))
    }

    /// `getEffectiveNominalTime` moved by `n` instances.
    fn shifted_nominal(&self, n: i32) -> Result<Option<(Instant, Zone)>, Failure> {
        let nominal = self.the_action()?.nominal;
        let series = self.the_dataset()?;
        if series.initial > nominal {
            return Ok(None);
        }
        let amount = series.frequency.wrapping_mul(n);
        let at = calendar::add(nominal, amount.into(), series.unit, series.zone);
        Ok(Some((at, series.zone)))
    }

    fn call_coord(&self, name: &str, arguments: &[Value<'_>]) -> Result<Value<'_>, Failure> {
        let text = |index: usize| arguments.get(index).map_or_else(Default::default, |value| value.to_text());
        let int = |index: usize| match arguments.get(index) {
            Some(Value::Long(number)) => *number as i32,
            _ => 0,
        };
        let time = |result: Result<String, crate::time::format::FormatError>| {
            result.map(Value::from).map_err(|e| Failure::new(e.java_class(), e.to_string()))
        };
        let zone = self.processing;
        Ok(match name {
            "conf" => self.lookup(&text(0)).unwrap_or(Value::Null),
            "user" => self.variables.user().map_or(Value::Null, Value::from),
            "nominalTime" => Value::from(zone.format(self.the_action()?.nominal)),
            "actualTime" => Value::from(zone.format(self.the_action()?.actual)),
            "actionId" => {
                let action = self.the_action()?;
                Value::from(format!("{}@{}", action.job_id, action.number))
            }
            "name" => {
                let name = self.action.map(|action| action.app_name);
                name.map_or(Value::Null, Value::from)
            }
            "formatTime" => time(format_time(&text(0), &text(1), zone))?,
            "epochTime" => time(epoch_time(&text(0), &text(1), zone))?,
            "dateOffset" => time(date_offset(&text(0), int(1), &text(2), zone))?,
            "dateTzOffset" => time(date_tz_offset(&text(0), &text(1), zone))?,
            "hoursInDay" => {
                let hours = self.shifted_nominal(int(0))?.map(|(at, zone)| calendar::hours_in_day(at, zone));
                Value::Long(hours.map_or(-1, i64::from))
            }
            "daysInMonth" => {
                let days = self.shifted_nominal(int(0))?.map(|(at, zone)| calendar::days_in_month(at, zone));
                Value::Long(days.map_or(-1, i64::from))
            }
            "tzOffset" => {
                let action = self.the_action()?;
                let dataset = self.the_dataset()?.zone.offset_millis(action.nominal);
                Value::Long((dataset - action.job_zone.offset_millis(action.nominal)) / 60_000)
            }
            "current" => {
                self.effects.current.set(Some(int(0)));
                instances::current_range(self, int(0), int(0))?.into()
            }
            "currentRange" => instances::current_range(self, int(0), int(1))?.into(),
            "offset" => instances::offset(self, int(0), &text(1))?.into(),
            "absoluteRange" => instances::absolute_range(self, &text(0), int(1))?.into(),
            "latest" | "latestRange" | "future" | "futureRange" => {
                self.effects.touch();
                let bounds = [int(0), int(1), int(2)];
                return self.the_start(Side::Input)?.resolve_instance(self, name, bounds).map(Value::from);
            }
            _ => {
                let side = if name.contains("Out") { Side::Output } else { Side::Input };
                return self.the_start(side)?.call(name, &text(0), &text(1));
            }
        })
    }

    fn lookup(&self, name: &str) -> Option<Value<'_>> {
        match self.variables.get(name) {
            Some(value) => Some(Value::from(value)),
            None => functions::constant(self.phase, name).map(functions::Constant::value),
        }
    }
}

impl World for Scope<'_> {
    fn variable(&self, name: &str) -> Option<Value<'_>> {
        self.lookup(name)
    }

    fn function(&self, prefix: &str, name: &str) -> Function {
        functions::lookup(self.phase, prefix, name)
    }

    fn call<'v>(
        &'v self,
        function: &'static Signature,
        arguments: Vec<Value<'v>>,
    ) -> Result<Outcome<'v>, Failure> {
        if function.prefix != "coord" {
            // `hadoop:conf`: the server's own configuration, which nothing here knows.
            return Ok(Outcome::Value(Value::Null));
        }
        if matches!(self.phase, Phase::CoordJobSubmitFreq | Phase::CoordJobWaitTimeout)
            && let Some(Value::Long(count)) = arguments.first()
            && let Some(outcome) = self.period_call(function.name, *count as i32)
        {
            return outcome.map(Outcome::Value);
        }
        if let Some(outcome) = functions::unevaluated(self.phase, function, &arguments) {
            self.check_echo(function.name, &arguments)?;
            return Ok(outcome);
        }
        self.call_coord(function.name, &arguments).map(Outcome::Value)
    }
}
