//! Reads the body of the REST call: as the specification prints it, and as the released system prints it.

use std::collections::BTreeSet;

use super::constraint::{Constraint, Limit, Window};
use super::fields::{Fields, Unknown, scalar};
use super::findings::{
    SCHEDULE_CONSTRAINT_INVALID, SCHEDULE_INVALID, SCHEDULE_PROGRAM_TYPE, SCHEDULE_STATUS_INVALID, refusal,
};
use super::mapping::{MAPPING_PROPERTY, Mapping};
use super::name::{
    DEFAULT_NAMESPACE, DEFAULT_VERSION, Program, ProgramKind, ScheduleName, Status, name_fault,
};
use super::trigger::{Condition, MAX_TRIGGER_DEPTH, MAX_UNITS, Trigger, Unit, UnitKind};
use super::{DEFAULT_TIMEOUT_MILLIS, MAX_PROPERTIES, Property, Schedule};
use crate::data::{Node, Value};
use crate::diag::{Diagnostic, Severity, closest};
use crate::source::{Span, Text};
use crate::time::Zone;
use crate::time::cron::Cron;

/// One body, or a list of them.
pub(super) fn schedules(node: &Node, sink: &mut Vec<Diagnostic>) -> Vec<Schedule> {
    match &node.value {
        Value::List(items) => items.iter().filter_map(|item| schedule(item, sink)).collect(),
        Value::Table(_) => schedule(node, sink).into_iter().collect(),
        _ => {
            let message = format!("a schedule must be an object, not {}", node.kind());
            sink.push(refusal(&SCHEDULE_INVALID, node.span, message));
            Vec::new()
        }
    }
}

fn schedule(node: &Node, sink: &mut Vec<Diagnostic>) -> Option<Schedule> {
    let before = errors(sink);
    let mut fields = Fields::of(node, "schedule", Unknown::Ignored, sink)?;
    let name = named(&mut fields, "name", true);
    let namespace = part(&mut fields, "namespace", DEFAULT_NAMESPACE);
    let application = part(&mut fields, "application", "");
    let version = part(&mut fields, "applicationVersion", DEFAULT_VERSION);
    let description = fields.text("description").map(|text| text.value.clone()).unwrap_or_default();
    let target = fields.node("program").and_then(|node| {
        let mut fields = Fields::of(node, "program", Unknown::Ignored, fields.sink)?;
        let name = named(&mut fields, "programName", true);
        let kind = kind(&mut fields, "programType", true);
        fields.finish();
        Some((name?, kind?))
    });
    if target.is_none() && !fields.has("program") {
        fields.missing("program");
    }
    let own = |kind: ProgramKind, name: String| Program {
        namespace: namespace.clone(),
        application: application.clone(),
        version: version.clone(),
        kind,
        name,
    };
    let program = target.as_ref().map(|(name, kind)| own(*kind, name.value.clone()));
    let (properties, mapping) = properties(&mut fields);
    let constraints = constraints(&mut fields);
    let timeout_millis = match fields.whole("timeoutMillis") {
        None => DEFAULT_TIMEOUT_MILLIS,
        Some(Ok((millis, _))) if millis >= 1 => millis,
        Some(Ok((_, span)) | Err(span)) => {
            fields.fault(span, "`timeoutMillis` must be a whole number of at least 1");
            DEFAULT_TIMEOUT_MILLIS
        }
    };
    let is_enabled = match fields.text("status") {
        None => true,
        Some(text) if text.value == "SCHEDULED" => true,
        Some(text) if text.value == "SUSPENDED" => false,
        Some(text) => {
            fields.fault(text.span, "`status` must be SCHEDULED or SUSPENDED");
            true
        }
    };
    fields.known_elsewhere(&["lastUpdateTime"]);
    let scope = own(ProgramKind::Workflow, String::new());
    let trigger = match fields.node("trigger") {
        Some(node) => {
            let mut units = 0;
            trigger(node, &scope, 0, &mut units, fields.sink)
        }
        None => {
            fields.missing("trigger");
            None
        }
    };
    fields.finish();
    if errors(sink) > before {
        return None;
    }
    let (name, (program_name, _)) = (name?, target?);
    Some(Schedule {
        id: ScheduleName { namespace, application, version, name: name.value.clone() },
        name_span: name.span,
        description,
        program: program?,
        program_span: program_name.span,
        properties,
        mapping,
        trigger: trigger?,
        constraints,
        timeout_millis,
        is_enabled,
        span: node.span,
    })
}

/// How many errors there are so far.
pub(super) fn errors(sink: &[Diagnostic]) -> usize {
    sink.iter().filter(|finding| finding.severity == Severity::Error).count()
}

/// A name, or a part of one.
pub(super) fn named(fields: &mut Fields<'_, '_>, key: &'static str, is_required: bool) -> Option<Text> {
    let text = fields.text(key).cloned();
    if text.is_none() && is_required && !fields.has(key) {
        fields.missing(key);
    }
    let text = text?;
    if let Some(fault) = name_fault(&text.value) {
        fields.fault(text.span, format!("`{key}` {fault}"));
        return None;
    }
    Some(text)
}

fn part(fields: &mut Fields<'_, '_>, key: &'static str, default: &str) -> String {
    named(fields, key, false).map_or_else(|| default.to_owned(), |text| text.value)
}

/// A type of program.
pub(super) fn kind(fields: &mut Fields<'_, '_>, key: &'static str, is_required: bool) -> Option<ProgramKind> {
    let Some(text) = fields.text(key) else {
        if is_required && !fields.has(key) {
            fields.missing(key);
        }
        return (!is_required).then_some(ProgramKind::Workflow);
    };
    let kind = ProgramKind::from_name(text.value.trim());
    if kind.is_none() {
        let names = ProgramKind::ALL.map(ProgramKind::name);
        let message = format!("`{}` is not a type of program", shown(&text.value));
        let finding = refusal(&SCHEDULE_PROGRAM_TYPE, text.span, message);
        fields.sink.push(match closest(&text.value, names) {
            Some(near) => finding.help(format!("did you mean `{near}`?")).meant(near),
            None => finding.help(format!("use one of {}", names.join(", "))),
        });
    }
    kind
}

/// The beginning of what a user wrote.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(super::fields::MAX_SHOWN_CHARS).collect()
}

fn properties(fields: &mut Fields<'_, '_>) -> (Vec<Property>, Mapping) {
    let (mut properties, mut mapping) = (Vec::new(), Mapping::default());
    let entries = fields.entries("properties");
    for entry in entries {
        let Some(value) = scalar(&entry.node) else {
            let message = format!("the value of a property must be a string, not {}", entry.node.kind());
            fields.fault(entry.node.span, message);
            continue;
        };
        if entry.key.value == MAPPING_PROPERTY {
            mapping = Mapping::parse(&value, fields.sink);
        } else {
            properties.push(Property { name: entry.key.clone(), value });
        }
    }
    too_many(fields, properties.len());
    (properties, mapping)
}

pub(super) fn too_many(fields: &mut Fields<'_, '_>, count: usize) {
    if count > MAX_PROPERTIES {
        let message = format!("a schedule must not have more than {MAX_PROPERTIES} properties");
        fields.fault(fields.span.at_start(), message);
    }
}

fn constraints(fields: &mut Fields<'_, '_>) -> Vec<Constraint> {
    let items = fields.list("constraints").unwrap_or_default();
    items.iter().filter_map(|item| constraint(item, fields.sink)).collect()
}

fn constraint(node: &Node, sink: &mut Vec<Diagnostic>) -> Option<Constraint> {
    let mut fields = Fields::of(node, "constraint", Unknown::Ignored, sink)?;
    let Some(kind) = fields.text("type") else {
        if !fields.has("type") {
            fields.missing("type");
        }
        return None;
    };
    let waits = fields.boolean("waitUntilMet");
    let limit = match kind.value.as_str() {
        "CONCURRENCY" => {
            at_least_one(&mut fields, "maxConcurrency").map(|max| Limit::Concurrency { max: max as u64 })
        }
        "DELAY" => at_least_one(&mut fields, "millisAfterTrigger").map(|millis| Limit::Delay { millis }),
        "LAST_RUN" => at_least_one(&mut fields, "millisSinceLastRun").map(|millis| Limit::LastRun { millis }),
        "TIME_RANGE" => window(&mut fields, ["startTime", "endTime", "timeZone"]).map(Limit::TimeRange),
        other => {
            let names = ["CONCURRENCY", "DELAY", "TIME_RANGE", "LAST_RUN"];
            let message = format!("`{}` is not a type of constraint", shown(other));
            let finding = refusal(&SCHEDULE_INVALID, kind.span, message);
            fields.sink.push(match closest(other, names) {
                Some(near) => finding.help(format!("did you mean `{near}`?")).meant(near),
                None => finding.help(format!("use one of {}", names.join(", "))),
            });
            return None;
        }
    };
    fields.finish();
    constrained(limit?, waits, node.span, sink)
}

/// A constraint, unless it cannot be.
pub(super) fn constrained(
    limit: Limit,
    waits: Option<bool>,
    span: Span,
    sink: &mut Vec<Diagnostic>,
) -> Option<Constraint> {
    if matches!(limit, Limit::Delay { .. }) && waits == Some(false) {
        let message = "a DELAY that does not wait would never launch anything";
        sink.push(
            refusal(&SCHEDULE_CONSTRAINT_INVALID, span, message)
                .help("remove `waitUntilMet`, or set it to true"),
        );
        return None;
    }
    let waits = waits.unwrap_or(limit.waits_by_default());
    Some(Constraint { limit, waits, span })
}

fn at_least_one(fields: &mut Fields<'_, '_>, key: &'static str) -> Option<i64> {
    match fields.whole(key) {
        Some(Ok((number, _))) if number >= 1 => Some(number),
        Some(Ok((_, span)) | Err(span)) => {
            let message = format!("`{key}` must be a whole number of at least 1");
            fields.sink.push(refusal(&SCHEDULE_CONSTRAINT_INVALID, span, message));
            None
        }
        None => {
            fields.missing(key);
            None
        }
    }
}

/// A range of times of day, under the keys of its notation.
pub(super) fn window(fields: &mut Fields<'_, '_>, keys: [&'static str; 3]) -> Option<Window> {
    let [from, to, zone] = keys;
    let mut minute = |key: &'static str| {
        let Some(text) = fields.text(key) else {
            if !fields.has(key) {
                fields.missing(key);
            }
            return None;
        };
        let minute = Window::minute(&text.value);
        if minute.is_none() {
            let message = format!("`{}` is not a time of day", shown(&text.value));
            let finding = refusal(&SCHEDULE_CONSTRAINT_INVALID, text.span, message);
            fields.sink.push(finding.help("write it as `HH:mm`, from `00:00` to `23:59`"));
        }
        minute.map(|minute| (minute, text.span))
    };
    let (start, end) = (minute(from), minute(to));
    let zone = match fields.text(zone) {
        None => Some(None),
        Some(text) => match Zone::parse(&text.value) {
            Ok(zone) => Some(Some(zone)),
            Err(error) => {
                let message = format!("`{}` is not a time zone", shown(&text.value));
                let finding = refusal(&SCHEDULE_CONSTRAINT_INVALID, text.span, message);
                fields.sink.push(match error.suggestion {
                    Some(near) => finding.help(format!("did you mean `{near}`?")),
                    None => finding.help("use an identifier that `ankus timezones` lists"),
                });
                None
            }
        },
    };
    let ((start_minute, _), (end_minute, span)) = (start?, end?);
    if start_minute == end_minute {
        let message = "the range starts and ends at the same time, so it is empty";
        fields.sink.push(refusal(&SCHEDULE_CONSTRAINT_INVALID, span, message));
        return None;
    }
    Some(Window { start_minute, end_minute, zone: zone? })
}

// No deeper than `MAX_TRIGGER_DEPTH`.
fn trigger(
    node: &Node,
    scope: &Program,
    depth: usize,
    units: &mut usize,
    sink: &mut Vec<Diagnostic>,
) -> Option<Trigger> {
    if !fits(node.span, depth, units, sink) {
        return None;
    }
    let mut fields = Fields::of(node, "trigger", Unknown::Ignored, sink)?;
    let Some(kind) = fields.text("type") else {
        if !fields.has("type") {
            fields.missing("type");
        }
        return None;
    };
    if kind.value != "PROGRAM_STATUS" {
        refuse_conditions(&mut fields, ["key", "value", "condition"]);
    }
    let found = match kind.value.as_str() {
        "PROGRAM_STATUS" => program_unit(&mut fields, scope),
        "TIME" => {
            let text = fields.text("cronExpression");
            if text.is_none() && !fields.has("cronExpression") {
                fields.missing("cronExpression");
            }
            text.and_then(|text| cron(text, fields.sink))
        }
        "PARTITION" => partition(&mut fields, scope),
        "AND" | "OR" => {
            let parts = fields.list("triggers");
            if parts.is_none() && !fields.has("triggers") {
                fields.missing("triggers");
            }
            let is_all = kind.value == "AND";
            let parts = parts.unwrap_or_default();
            let read: Vec<_> =
                parts.iter().filter_map(|part| trigger(part, scope, depth + 1, units, fields.sink)).collect();
            let is_whole = read.len() == parts.len();
            let composed = composite(is_all, read, node.span, parts.is_empty(), fields.sink);
            fields.finish();
            return composed.filter(|_| is_whole);
        }
        other => {
            let names = ["PROGRAM_STATUS", "TIME", "PARTITION", "AND", "OR"];
            let message = format!("`{}` is not a type of trigger", shown(other));
            let finding = refusal(&SCHEDULE_INVALID, kind.span, message);
            fields.sink.push(match closest(other, names) {
                Some(near) => finding.help(format!("did you mean `{near}`?")).meant(near),
                None => finding.help(format!("use one of {}", names.join(", "))),
            });
            return None;
        }
    };
    fields.finish();
    Some(Trigger::Unit(Box::new(Unit { kind: found?, span: node.span })))
}

/// Whether a trigger may have one more part here.
pub(super) fn fits(span: Span, depth: usize, units: &mut usize, sink: &mut Vec<Diagnostic>) -> bool {
    *units += 1;
    if depth > MAX_TRIGGER_DEPTH {
        let message = format!("triggers must not be nested more than {MAX_TRIGGER_DEPTH} deep");
        sink.push(refusal(&SCHEDULE_INVALID, span.at_start(), message));
        return false;
    }
    if *units > MAX_UNITS {
        if *units == MAX_UNITS + 1 {
            let message = format!("a trigger must not have more than {MAX_UNITS} parts");
            sink.push(refusal(&SCHEDULE_INVALID, span.at_start(), message));
        }
        return false;
    }
    true
}

/// AND or OR of what was read.
pub(super) fn composite(
    is_all: bool,
    parts: Vec<Trigger>,
    span: Span,
    is_empty: bool,
    sink: &mut Vec<Diagnostic>,
) -> Option<Trigger> {
    if is_empty {
        let (name, word) = if is_all { ("AND", "all") } else { ("OR", "any") };
        let message = format!("an {name} needs at least one trigger (`{word}` of nothing)");
        sink.push(refusal(&SCHEDULE_INVALID, span, message));
        return None;
    }
    Some(if is_all { Trigger::All(parts) } else { Trigger::Any(parts) })
}

/// Keys and conditions belong to the payload of a program.
pub(super) fn refuse_conditions(fields: &mut Fields<'_, '_>, keys: [&'static str; 3]) {
    for key in keys {
        if let Some(node) = fields.node(key) {
            let message = format!("`{key}` needs the payload of a program, which this trigger does not have");
            fields.fault(node.span, message);
        }
    }
}

/// The unit of a cron expression.
pub(super) fn cron(text: &Text, sink: &mut Vec<Diagnostic>) -> Option<UnitKind> {
    if let Err(error) = Cron::parse(&text.value) {
        let end = text.value[error.offset.min(text.value.len())..].chars().next().map_or(0, char::len_utf8);
        let span = text.span_of(error.offset..error.offset + end);
        sink.push(refusal(&SCHEDULE_INVALID, span, error.message));
        return None;
    }
    Some(UnitKind::Time { cron: text.clone() })
}

fn partition(fields: &mut Fields<'_, '_>, scope: &Program) -> Option<UnitKind> {
    let dataset = match fields.node("dataset") {
        Some(node) => {
            let mut fields = Fields::of(node, "dataset", Unknown::Ignored, fields.sink)?;
            let namespace = part(&mut fields, "namespace", &scope.namespace);
            let name = named(&mut fields, "dataset", true);
            fields.finish();
            name.map(|name| (namespace, name))
        }
        None => {
            fields.missing("dataset");
            None
        }
    };
    let count = at_least_one(fields, "numPartitions");
    let (namespace, dataset) = dataset?;
    Some(UnitKind::Partition { namespace, dataset, count: count? as u64 })
}

fn program_unit(fields: &mut Fields<'_, '_>, scope: &Program) -> Option<UnitKind> {
    let statuses = statuses(fields);
    let condition = Condition {
        key: fields.text("key").cloned(),
        value: fields.scalar("value"),
        expression: fields.text("condition").cloned(),
    };
    if condition.value.is_some() && condition.key.is_none() {
        fields.fault(condition.value.as_ref()?.span, "`value` needs a `key`");
        return None;
    }
    // The specification's form, then the released one.
    let form = ["program", "programId"].into_iter().find(|key| fields.has(key));
    let Some(form) = form else {
        fields.missing("program");
        return None;
    };
    let node = fields.node(form)?;
    let mut inner = Fields::of(node, form, Unknown::Ignored, fields.sink)?;
    let (version, kind_key, name_key) = match form {
        "program" => ("applicationVersion", "programType", "programName"),
        _ => ("version", "type", "program"),
    };
    let namespace = part(&mut inner, "namespace", &scope.namespace);
    let application = part(&mut inner, "application", &scope.application);
    let version = part(&mut inner, version, &scope.version);
    let kind = kind(&mut inner, kind_key, true);
    let name = named(&mut inner, name_key, true);
    inner.known_elsewhere(&["entity"]);
    inner.finish();
    let (kind, name, statuses) = (kind?, name?, statuses?);
    let program_span = name.span;
    let program = Program { namespace, application, version, kind, name: name.value };
    Some(UnitKind::Program { program, program_span, statuses, condition })
}

fn statuses(fields: &mut Fields<'_, '_>) -> Option<BTreeSet<Status>> {
    let key = ["statuses", "programStatuses"].into_iter().find(|key| fields.has(key));
    let Some(key) = key else {
        let span = fields.span.at_start();
        fields.sink.push(no_status(span));
        return None;
    };
    let items = fields.list(key)?;
    let span = fields.node(key)?.span;
    let mut statuses = BTreeSet::new();
    let before = fields.sink.len();
    for item in items {
        match &item.value {
            Value::Text(text) => statuses.extend(status(text, Status::from_name, fields.sink)),
            _ => fields.fault(item.span, format!("a status must be a string, not {}", item.kind())),
        }
    }
    if items.is_empty() {
        fields.sink.push(no_status(span));
    }
    (!statuses.is_empty() && errors(&fields.sink[before..]) == 0).then_some(statuses)
}

pub(super) fn no_status(span: Span) -> Diagnostic {
    refusal(&SCHEDULE_STATUS_INVALID, span, "the trigger does not name a status")
        .help("name one or more of COMPLETED, FAILED, KILLED")
}

/// The status that a word stands for in the body; FAILING, a slip of the specification, with a warning.
pub(super) fn status(
    text: &Text,
    read: impl Fn(&str) -> Option<Status>,
    sink: &mut Vec<Diagnostic>,
) -> Option<Status> {
    if let Some(status) = read(&text.value) {
        return Some(status);
    }
    if text.value == "FAILING" {
        let message = "`FAILING` is not a status; it is read as FAILED";
        sink.push(
            Diagnostic::new(&SCHEDULE_STATUS_INVALID, text.span, message)
                .severity(Severity::Warning)
                .help("write `FAILED`"),
        );
        return Some(Status::Failed);
    }
    sink.push(bad_status(text));
    None
}

pub(super) fn bad_status(text: &Text) -> Diagnostic {
    let names = Status::ALL.map(Status::name);
    let message = format!("`{}` is not a status that can start a program", shown(&text.value));
    let finding = refusal(&SCHEDULE_STATUS_INVALID, text.span, message);
    match closest(&text.value, names) {
        Some(near) => finding.help(format!("did you mean `{near}`?")).meant(near),
        None => finding.help("use COMPLETED, FAILED or KILLED"),
    }
}
