//! A frequency of the command line: evaluated as a coordinator's is, and read.

use std::cell::Cell;

use crate::analysis::functions::{InPhase, World};
use crate::el::{self, Failure, Outcome, Signature, Value};
use crate::model::functions::Phase;
use crate::source::{Sources, Span, Text};
use crate::time::cron::Cron;
use crate::time::{EndOfDuration, Frequency, Schedule, Unit};

/// Why a text is no frequency.
#[derive(Debug)]
pub struct Fault {
    /// The slug.
    pub rule: &'static str,
    /// What is wrong.
    pub message: String,
    /// The byte of the text.
    pub offset: usize,
    /// Whether the frequency itself shows it at that byte.
    pub is_shown: bool,
}

impl Fault {
    /// Puts a fault together.
    pub fn new(rule: &'static str, message: impl Into<String>, offset: usize) -> Fault {
        Fault { rule, message: message.into(), offset, is_shown: false }
    }

    /// One that the frequency itself shows.
    fn shown(rule: &'static str, message: impl Into<String>, offset: usize) -> Fault {
        Fault { is_shown: true, ..Fault::new(rule, message, offset) }
    }
}

/// A frequency and the text that its expressions came to.
#[derive(Debug)]
pub struct Read {
    /// What it says.
    pub schedule: Schedule,
    /// The evaluated text.
    pub text: String,
}

/// Reads a number of minutes, a cron expression, or expressions that come to either.
pub fn read(text: &str, world: &World) -> Result<Read, Fault> {
    if !text.contains("${") && !text.contains("#{") {
        let schedule = schedule(text, Unit::Minute, EndOfDuration::None)?;
        return Ok(Read { schedule, text: text.to_owned() });
    }
    let span = Span::new(Sources::new().add("FREQUENCY", text), 0..text.len());
    let (template, findings) = el::parse(&Text::verbatim(text, span));
    if let Some(finding) = findings.into_iter().next() {
        return Err(Fault::shown(finding.rule.name, finding.message, finding.span.start as usize));
    }
    let surroundings = Surroundings {
        inner: InPhase::new(world, Phase::CoordJobSubmitFreq),
        period: Cell::new((Unit::Minute, EndOfDuration::None)),
    };
    let value = el::evaluate(&template, &surroundings)
        .map_err(|error| Fault::shown(error.rule(), error.message.clone(), error.range.start))?
        .into_text()
        .into_owned();
    let (unit, end) = surroundings.period.get();
    // An offset in the evaluated text means nothing in the written one.
    let schedule = schedule(&value, unit, end).map_err(|fault| Fault { offset: 0, ..fault })?;
    Ok(Read { schedule, text: value })
}

fn schedule(text: &str, unit: Unit, end: EndOfDuration) -> Result<Schedule, Fault> {
    // Java's `Integer.parseInt`; what it refuses is taken for cron.
    let Ok(count) = text.parse::<i32>() else {
        let cron =
            Cron::parse(text).map_err(|error| Fault::shown(error.rule, error.message, error.offset))?;
        return Ok(Schedule::Cron(Box::new(cron)));
    };
    if count <= 0 {
        return Err(Fault::new("coordinator-too-frequent", "a frequency is greater than zero", 0));
    }
    Ok(Schedule::Calendar(Frequency { count, unit, end }))
}

/// The functions of a frequency, which set its unit beside (`CoordELFunctions.ph1_coord_days` and its like).
struct Surroundings<'w> {
    inner: InPhase<'w>,
    period: Cell<(Unit, EndOfDuration)>,
}

impl el::World for Surroundings<'_> {
    fn variable(&self, name: &str) -> Option<Value<'_>> {
        self.inner.variable(name)
    }

    fn function(&self, prefix: &str, name: &str) -> el::Function {
        self.inner.function(prefix, name)
    }

    fn call<'a>(
        &'a self,
        function: &'static Signature,
        arguments: Vec<Value<'a>>,
    ) -> Result<Outcome<'a>, Failure> {
        let outcome = self.inner.call(function, arguments)?;
        let period = match (function.prefix, function.name) {
            ("coord", "minutes" | "hours") => Some((Unit::Minute, EndOfDuration::None)),
            ("coord", "days") => Some((Unit::Day, EndOfDuration::None)),
            ("coord", "months") => Some((Unit::Month, EndOfDuration::None)),
            ("coord", "endOfDays") => Some((Unit::Day, EndOfDuration::EndOfDay)),
            ("coord", "endOfWeeks") => Some((Unit::Week, EndOfDuration::EndOfWeek)),
            ("coord", "endOfMonths") => Some((Unit::Month, EndOfDuration::EndOfMonth)),
            _ => None,
        };
        if let Some(period) = period {
            self.period.set(period);
        }
        Ok(outcome)
    }
}
