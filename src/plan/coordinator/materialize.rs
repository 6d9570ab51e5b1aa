//! The instances of one event for one action.
//!
//! Follows `CoordCommandUtils.resolveInstances`, `resolveInstanceRange` and `createEarlyURIs`. What does not depend on
//! the action is worked out once; when the dataset's current instance is that of the action before, its list is too.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use super::action::Texts;
use super::bounds::{self, Bound, Func, func_of};
use super::date_parts::DATE_PARTS;
use super::event::EventSpec;
use super::findings::{
    self, INSTANCE_ABSOLUTE_INVALID, INSTANCE_INVALID, INSTANCE_RANGE_REVERSED, INSTANCE_TOO_MANY,
    URI_INVALID,
};
use super::instances::{
    absolute_instances, calendar_number, newest_first, no_unit, offset_instance, unit_of,
};
use super::scope::{ActionFacts, Scope};
use super::settings::MAX_INSTANCES;
use super::template::{Compiled, Fault, Place};
use super::uri::{UriCache, UriProblem};
use super::variables::Variables;
use crate::diag::{Diagnostic, Edit, Fix, Stage};
use crate::el::{EL_ARGUMENTS, Failure};
use crate::model::functions::Phase;
use crate::source::{Span, Text};
use crate::time::series::{Current, Walk};
use crate::time::{Instant, ProcessingZone, calendar};

/// What an event comes to for one action.
#[derive(Debug)]
pub(super) struct EventList {
    pub(super) uris: Texts,
    /// The same with done-flags.
    pub(super) wait_for: Texts,
    pub(super) unresolved: Option<Texts>,
    joined: OnceLock<Option<Arc<str>>>,
}

impl EventList {
    fn new(uris: Texts, wait_for: Texts, unresolved: Option<Texts>) -> EventList {
        EventList { uris, wait_for, unresolved, joined: OnceLock::new() }
    }

    /// The URIs with commas between, as `dataIn` and `dataOut` give them; `None` when there are none.
    pub(super) fn joined(&self) -> Option<&Arc<str>> {
        self.joined.get_or_init(|| (!self.uris.is_empty()).then(|| join(&self.uris).into())).as_ref()
    }
}

/// Texts with commas between.
pub(super) fn join(texts: &[Arc<str>]) -> String {
    let mut joined = String::with_capacity(texts.iter().map(|text| text.len() + 1).sum());
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            joined.push(',');
        }
        joined.push_str(text);
    }
    joined
}

/// A piece of an event before its URIs are known.
enum Piece {
    At(Instant),
    Late(Arc<str>),
}

/// What is remembered of an event from action to action.
#[derive(Debug, Default)]
pub(super) struct EventState {
    pub(super) walk: RefCell<Walk>,
    cache: UriCache,
    /// The ends of the range, when they are the same for all actions.
    bounds: Option<(Bound, Bound)>,
    /// For each `instance` that is one `coord:current`, its argument.
    currents: Vec<Option<i32>>,
    last: Option<(Option<Current>, Rc<EventList>)>,
}

/// The action that an event belongs to.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) variables: &'a Variables,
    pub(super) processing: ProcessingZone,
    pub(super) facts: ActionFacts<'a>,
    pub(super) is_input: bool,
}

impl EventState {
    /// The list of an event, and whether it is that of the action before.
    pub(super) fn materialize(
        &mut self,
        spec: &EventSpec,
        context: &Context<'_>,
    ) -> Result<(Rc<EventList>, bool), Fault> {
        let series = &spec.dataset.series;
        let current = series.current(context.facts.nominal);
        if let Some((known, list)) = &self.last
            && *known == current
        {
            return Ok((list.clone(), true));
        }
        let walk = std::mem::take(&mut self.walk);
        let result = self.pieces(spec, context, current, &walk);
        self.walk = walk;
        let (pieces, repeats) = result?;
        let list = Rc::new(self.list(spec, context, pieces)?);
        self.last = repeats.then(|| (current, list.clone()));
        Ok((list, false))
    }

    fn pieces(
        &mut self,
        spec: &EventSpec,
        context: &Context<'_>,
        current: Option<Current>,
        walk: &RefCell<Walk>,
    ) -> Result<(Vec<Piece>, bool), Fault> {
        let scope = |phase| {
            Scope::new(phase, context.variables, context.processing)
                .action(context.facts)
                .dataset(&spec.dataset.series, walk)
        };
        let create = scope(Phase::CoordActionCreate);
        let mut pieces = Vec::new();
        let mut repeats = true;
        self.currents.resize(spec.singles.len(), None);
        for (single, known) in spec.singles.iter().zip(&mut self.currents) {
            if let Some(n) = *known {
                let found = current
                    .map_or(Ok(Vec::new()), |current| newest_first(&spec.dataset.series, current, n, n));
                let found = found.map_err(|failure| failed(&failure, single.span(), &["E1004"]))?;
                pieces.extend(found.into_iter().map(|at| Piece::At(to_minute(at))));
                continue;
            }
            repeats &= single.literal().is_some() || single.sole_call().is_some_and(repeats_with_current);
            let found = single.evaluate(&create).map_err(|e| single.finding(&e, &place(context)))?;
            split(&found.text, single.span(), context.processing, &mut pieces)?;
            if single.sole_call() == Some("current") {
                *known = create.effects.current();
            }
        }
        if let Some((start, end)) = &spec.range {
            let fixed = self.bounds.clone();
            let (start_bound, end_bound) = match fixed {
                Some(bounds) => bounds,
                None => {
                    let inner = scope(Phase::CoordActionCreateInst);
                    let evaluate = |compiled: &Compiled| {
                        compiled
                            .evaluate(&inner)
                            .map_err(|e| Fault::new(compiled.finding(&e, &place(context))))
                    };
                    let (from, to) = (evaluate(start)?, evaluate(end)?);
                    let bounds = bounds::read(&from.text, &to.text).map_err(|fault| {
                        let (at, other) = if fault.at_end { (end, start) } else { (start, end) };
                        Diagnostic::new(fault.rule, at.span(), fault.message)
                            .oozie(fault.codes)
                            .label(other.span(), if fault.at_end { "the start" } else { "the end" })
                    })?;
                    if from.depends_on_action || to.depends_on_action {
                        repeats = false;
                    } else {
                        self.bounds = Some(bounds.clone());
                    }
                    bounds
                }
            };
            repeats &= !matches!(start_bound.func, Func::EndOfMonths | Func::EndOfWeeks | Func::EndOfDays);
            let range = Range { scope: &create, context, current, start: &start_bound, end: &end_bound };
            range.pieces(start.text(), end.text(), &mut pieces)?;
        }
        Ok((pieces, repeats))
    }

    /// `createEarlyURIs`
    fn list(
        &mut self,
        spec: &EventSpec,
        context: &Context<'_>,
        pieces: Vec<Piece>,
    ) -> Result<EventList, Fault> {
        let template = &spec.dataset.uri;
        let flag = context.is_input.then_some(&*spec.dataset.done_flag);
        let problem = |problem: UriProblem| uri_finding(&problem, spec, context);
        let (mut uris, mut wait_for, mut late) = (Vec::with_capacity(pieces.len()), Vec::new(), Vec::new());
        if context.is_input {
            wait_for.reserve(pieces.len());
        }
        for piece in pieces {
            match piece {
                Piece::Late(text) => late.push(text),
                Piece::At(at) => {
                    let rendered = self.cache.get(template, flag, at).map_err(problem)?;
                    let add = if rendered.has_separator { add_split } else { Vec::push };
                    add(&mut uris, rendered.uri);
                    if context.is_input {
                        add(&mut wait_for, rendered.with_flag);
                    }
                }
            }
        }
        if uris.iter().all(|uri| uri.is_empty()) {
            // An empty template makes no list at all.
            uris.clear();
            wait_for.clear();
        }
        if context.is_input && !uris.is_empty() {
            template.check_authority().map_err(problem)?;
        }
        let late = (!late.is_empty()).then(|| late.into());
        Ok(EventList::new(uris.into(), wait_for.into(), late))
    }
}

fn add_split(list: &mut Vec<Arc<str>>, text: Arc<str>) {
    list.extend(text.trim_end_matches('#').split('#').map(Arc::from));
}

/// Functions whose value only depends on their arguments and on the dataset's current instance.
fn repeats_with_current(name: &str) -> bool {
    matches!(
        name,
        "current"
            | "currentRange"
            | "offset"
            | "latest"
            | "latestRange"
            | "future"
            | "futureRange"
            | "absoluteRange"
    )
}

fn place<'a>(context: &Context<'a>) -> Place<'a> {
    Place { stage: Stage::Materialize, codes: &["E1004"], variables: context.variables }
}

/// The instances of a text with `#` between: datetimes, and what is still a function.
fn split(text: &str, span: Span, zone: ProcessingZone, pieces: &mut Vec<Piece>) -> Result<(), Fault> {
    for part in text.split('#').map(str::trim).filter(|part| !part.is_empty()) {
        if pieces.len() >= MAX_INSTANCES {
            return Err(too_many(span).into());
        }
        match func_of(part) {
            Func::Latest | Func::Future => pieces.push(Piece::Late(part.into())),
            func => {
                let parsed = zone.parse_datetime(part);
                let at = parsed.map_err(|error| {
                    let lonely = matches!(
                        func,
                        Func::Absolute | Func::EndOfMonths | Func::EndOfWeeks | Func::EndOfDays
                    );
                    if lonely {
                        let message = format!("`{part}` works as the start of a range only");
                        let finding = Diagnostic::new(&INSTANCE_ABSOLUTE_INVALID, span, message).oozie(&[]);
                        return finding
                            .help("use `start-instance` with it, and `end-instance` with `coord:current`");
                    }
                    let finding =
                        Diagnostic::new(&INSTANCE_INVALID, span, format!("`{part}` is no instance: {error}"));
                    match part.trim().starts_with("coord:") {
                        true => finding.help(format!("write `${{{}}}`", part.trim())),
                        false => finding,
                    }
                })?;
                pieces.push(Piece::At(to_minute(at.instant)));
            }
        }
    }
    Ok(())
}

/// Seconds do not survive being written.
fn to_minute(at: Instant) -> Instant {
    Instant::from_seconds(at.minutes() * 60)
}

fn too_many(span: Span) -> Diagnostic {
    Diagnostic::new(&INSTANCE_TOO_MANY, span, format!("the event has more than {MAX_INSTANCES} instances"))
}

fn uri_finding(problem: &UriProblem, spec: &EventSpec, context: &Context<'_>) -> Diagnostic {
    let compiled = spec.dataset.uri.compiled();
    let finding = match &problem.error {
        Some(error) => {
            let mut finding = compiled.finding(error, &place(context));
            if error.kind == crate::el::ErrorKind::UnknownVariable {
                finding.rule = &super::findings::DATASET_URI_VARIABLE;
                let message = format!("`{}` is none of YEAR, MONTH, DAY, HOUR, MINUTE", error.subject);
                finding.message = message;
                finding.help = None;
                if let Some(near) = crate::diag::closest(&error.subject, DATE_PARTS) {
                    finding.help = Some(format!("did you mean `{near}`?"));
                    if finding.span.range().len() == error.subject.len() {
                        let edit = Edit { span: finding.span, text: near.to_owned() };
                        finding.fix = Some(Fix { safe: false, edits: vec![edit] });
                    }
                }
            }
            finding
        }
        None => Diagnostic::new(&URI_INVALID, compiled.span(), problem.message.clone()).oozie(problem.codes),
    };
    finding.label(spec.span, "for this event")
}

/// The finding for a range from late to early, whose ends change places where they stand as they are read.
pub(super) fn reversed(start: &Text, end: &Text) -> Diagnostic {
    let message = "the start of the range lies after its end";
    let finding = Diagnostic::new(&INSTANCE_RANGE_REVERSED, start.span, message)
        .label(end.span, "the end")
        .help("let the earlier one be the start");
    let is_plain = |text: &Text| text.span.range().len() == text.value.len();
    if !is_plain(start) || !is_plain(end) {
        return finding;
    }
    let edit = |at: &Text, other: &Text| Edit { span: at.span, text: other.value.clone() };
    finding.fix(false, vec![edit(start, end), edit(end, start)])
}

/// A range under way.
struct Range<'a> {
    scope: &'a Scope<'a>,
    context: &'a Context<'a>,
    current: Option<Current>,
    start: &'a Bound,
    end: &'a Bound,
}

impl Range<'_> {
    fn pieces(&self, first: &Text, last: &Text, pieces: &mut Vec<Piece>) -> Result<(), Fault> {
        let (start, end) = (self.start, self.end);
        let start_span = first.span;
        let reversed = || reversed(first, last);
        let fail = |failure: Failure| failed(&failure, start_span, &["E1004"]);
        let found = match start.func {
            Func::Absolute => {
                let parsed = self.scope.processing.parse_datetime(&start.rest);
                let at = parsed.map_err(|error| {
                    let message = format!("`{}` is no datetime: {error}", start.rest);
                    Diagnostic::new(&INSTANCE_ABSOLUTE_INVALID, start_span, message)
                })?;
                absolute_instances(self.scope, at.instant, end.index).map_err(fail)?
            }
            Func::EndOfMonths | Func::EndOfWeeks | Func::EndOfDays => {
                absolute_instances(self.scope, self.period_start(), end.index).map_err(fail)?
            }
            Func::Offset => self.offsets(start_span, reversed)?,
            _ if start.index > end.index => return Err(reversed().into()),
            Func::Current => match (self.current, self.scope.the_dataset()) {
                (Some(current), Ok(series)) => {
                    newest_first(series, current, start.index, end.index).map_err(fail)?
                }
                _ => Vec::new(),
            },
            Func::Latest => {
                pieces.push(Piece::Late(
                    format!("${{coord:latestRange({},{})}}", start.index, end.index).into(),
                ));
                Vec::new()
            }
            Func::Future => {
                let text = format!("${{coord:futureRange({},{},'{}')}}", start.index, end.index, end.rest);
                pieces.push(Piece::Late(text.into()));
                Vec::new()
            }
            Func::Unexpected => Vec::new(),
        };
        if found.len() + pieces.len() > MAX_INSTANCES {
            return Err(too_many(start_span).into());
        }
        pieces.extend(found.into_iter().map(|at| Piece::At(to_minute(at))));
        Ok(())
    }

    /// The start of a period in the dataset's zone (`StartInstanceFinder`).
    fn period_start(&self) -> Instant {
        let nominal = self.context.facts.nominal;
        let Ok(series) = self.scope.the_dataset() else { return nominal };
        let zone = series.zone;
        let (at, unit) = match self.start.func {
            Func::EndOfMonths => (calendar::start_of_month(nominal, zone), calendar::Unit::Month),
            Func::EndOfWeeks => (calendar::start_of_week(nominal, zone), calendar::Unit::Week),
            _ => (calendar::start_of_day(nominal, zone), calendar::Unit::Day),
        };
        let moved = calendar::add(at, i64::from(self.start.index.wrapping_add(1)), unit, zone);
        Instant::from_seconds(moved.minutes() * 60)
    }

    /// A range of offsets, newest first.
    fn offsets(&self, span: Span, reversed: impl Fn() -> Diagnostic) -> Result<Vec<Instant>, Fault> {
        let unit = |bound: &Bound| {
            unit_of(&bound.rest).ok_or_else(|| Fault::new(failed(&no_unit(&bound.rest), span, &[])))
        };
        let (from_unit, to_unit) = (unit(self.start)?, unit(self.end)?);
        let weight = |unit, bound: &Bound| calendar_number(unit).wrapping_mul(bound.index);
        if weight(from_unit, self.start) > weight(to_unit, self.end) {
            return Err(reversed().into());
        }
        let (Some(current), Ok(series)) = (self.current, self.scope.the_dataset()) else {
            return Ok(Vec::new());
        };
        let moved =
            |bound: &Bound, unit| calendar::add(current.instance, bound.index.into(), unit, series.zone);
        let (from, to) = (moved(self.start, from_unit), moved(self.end, to_unit));
        let distances = series
            .distances(current.instance, from, to, MAX_INSTANCES)
            .map_err(|count| failed(&findings::too_many(count), span, &[]))?;
        let mut found = Vec::with_capacity(distances.len());
        for distance in distances.into_iter().rev() {
            let at = offset_instance(self.scope, series, current, distance, series.unit);
            match at.map_err(|failure| failed(&failure, span, &["E1004"]))? {
                Some(at) => found.push(at),
                // Earlier than the initial instance, and so is everything before it.
                None => break,
            }
        }
        Ok(found)
    }
}

/// The finding for a function that failed without an expression around it.
fn failed(failure: &Failure, span: Span, codes: &[&'static str]) -> Diagnostic {
    let rule = findings::of(&failure.java).unwrap_or(&EL_ARGUMENTS);
    let codes = if std::ptr::eq(rule, &INSTANCE_TOO_MANY) { &[] } else { codes };
    Diagnostic::new(rule, span, failure.message.clone()).stage(Some(Stage::Materialize)).oozie(codes)
}
