//! Reads the notation for people.

use std::collections::BTreeSet;

use super::body::{
    bad_status, composite, constrained, cron, errors, fits, kind, named, no_status, refuse_conditions, shown,
    status, too_many, window,
};
use super::constraint::{Constraint, Limit};
use super::duration::duration_millis;
use super::fields::{Fields, Unknown, scalar};
use super::findings::{SCHEDULE_CONSTRAINT_INVALID, SCHEDULE_INVALID, SCHEDULE_MAPPING_INVALID, refusal};
use super::mapping::{MAPPING_PROPERTY, Mapped, Mapping};
use super::name::{DEFAULT_NAMESPACE, DEFAULT_VERSION, Program, ProgramKind, ScheduleName, Status, Written};
use super::trigger::{Condition, Trigger, Unit, UnitKind};
use super::{DEFAULT_TIMEOUT_MILLIS, Property, Schedule};
use crate::data::{Entry, Node, Value};
use crate::diag::Diagnostic;
use crate::source::{Span, Text};

/// What the file says for all of its schedules.
struct Scope {
    namespace: Option<String>,
    application: Option<String>,
    version: Option<String>,
}

/// The schedules of a file.
pub(super) fn schedules(node: &Node, sink: &mut Vec<Diagnostic>) -> Vec<Schedule> {
    let Some(mut fields) = Fields::of(node, "file", Unknown::Refused, sink) else { return Vec::new() };
    let scope = scope(&mut fields);
    let items = fields.list("schedule").unwrap_or_default();
    let found = items.iter().filter_map(|item| schedule(item, &scope, fields.sink)).collect();
    fields.finish();
    found
}

fn scope(fields: &mut Fields<'_, '_>) -> Scope {
    let mut part = |key| named(fields, key, false).map(|text| text.value);
    Scope { namespace: part("namespace"), application: part("application"), version: part("version") }
}

fn schedule(node: &Node, file: &Scope, sink: &mut Vec<Diagnostic>) -> Option<Schedule> {
    let before = errors(sink);
    let mut fields = Fields::of(node, "schedule", Unknown::Refused, sink)?;
    let name = named(&mut fields, "name", true);
    let own = scope(&mut fields);
    let description = fields.text("description").map(|text| text.value.clone()).unwrap_or_default();
    let kind = kind(&mut fields, "type", false);
    let run = written(&mut fields, "run");
    if run.is_none() && !fields.has("run") {
        fields.missing("run");
    }
    let of = |own: &Option<String>, file: &Option<String>, default: &str| {
        own.clone().or_else(|| file.clone()).unwrap_or_else(|| default.to_owned())
    };
    let (run_span, run) = match run {
        Some((span, run)) => (span, Some(run)),
        None => (node.span, None),
    };
    let default = Written::default();
    let said = run.as_ref().unwrap_or(&default);
    let program = Program {
        namespace: of(&said.namespace, &own.namespace.or(file.namespace.clone()), DEFAULT_NAMESPACE),
        application: of(&said.application, &own.application.or(file.application.clone()), ""),
        version: of(&said.version, &own.version.or(file.version.clone()), DEFAULT_VERSION),
        kind: kind.unwrap_or(ProgramKind::Workflow),
        name: said.name.clone(),
    };
    if run.is_some() && program.application.is_empty() {
        let message = format!("it is not said which application `{}` belongs to", program.name);
        let help =
            "add `application = \"…\"` to the file or the schedule, or write `run = \"Application/Program\"`";
        fields.sink.push(refusal(&SCHEDULE_INVALID, run_span, message).help(help));
    }
    let properties = arguments(&mut fields);
    let mapping = Mapping { entries: mapped(&mut fields, &program.namespace) };
    let constraints = constraints(&mut fields);
    let timeout_millis =
        duration(&mut fields, "timeout", &SCHEDULE_INVALID).unwrap_or(DEFAULT_TIMEOUT_MILLIS);
    let is_enabled = fields.boolean("enabled").unwrap_or(true);
    let trigger = match fields.node("trigger") {
        Some(node) => {
            let mut units = 0;
            trigger(node, &program, 0, &mut units, fields.sink)
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
    let name = name?;
    Some(Schedule {
        id: ScheduleName {
            namespace: program.namespace.clone(),
            application: program.application.clone(),
            version: program.version.clone(),
            name: name.value.clone(),
        },
        name_span: name.span,
        description,
        program,
        program_span: run_span,
        properties,
        mapping,
        trigger: trigger?,
        constraints,
        timeout_millis,
        is_enabled,
        span: node.span,
    })
}

fn written(fields: &mut Fields<'_, '_>, key: &'static str) -> Option<(Span, Written)> {
    let text = fields.text(key)?;
    match Written::parse(&text.value) {
        Ok(written) => Some((text.span, written)),
        Err(message) => {
            let help = "write it as `[[namespace:]application[@version]/]program`";
            fields.sink.push(refusal(&SCHEDULE_INVALID, text.span, format!("`{key}`: {message}")).help(help));
            None
        }
    }
}

fn arguments(fields: &mut Fields<'_, '_>) -> Vec<Property> {
    let mut properties = Vec::new();
    for entry in fields.entries("arguments") {
        let Some(value) = scalar(&entry.node) else {
            let message = format!("the value of an argument must be a string, not {}", entry.node.kind());
            fields.fault(entry.node.span, message);
            continue;
        };
        if entry.key.value == MAPPING_PROPERTY {
            fields.fault(entry.key.span, "the mapping is written as `map = { target = \"source\" }`");
            continue;
        }
        properties.push(Property { name: entry.key.clone(), value });
    }
    too_many(fields, properties.len());
    properties
}

/// The mapping; arguments before those of stages, as in the JSON of the property.
fn mapped(fields: &mut Fields<'_, '_>, namespace: &str) -> Vec<Mapped> {
    let mut entries = Vec::new();
    for Entry { key, node } in fields.entries("map") {
        let entry = match &node.value {
            Value::Text(source) => {
                Some(Mapped { stage: None, source: source.clone(), target: key.clone(), of: None })
            }
            Value::Table(_) => {
                let mut own = Vec::new();
                let entry = mapped_table(key, node, namespace, &mut own);
                fields.sink.extend(
                    own.into_iter().map(|finding| Diagnostic { rule: &SCHEDULE_MAPPING_INVALID, ..finding }),
                );
                entry
            }
            _ => {
                let message = format!("a source must be a key or a table, not {}", node.kind());
                fields.sink.push(refusal(&SCHEDULE_MAPPING_INVALID, node.span, message));
                None
            }
        };
        entries.extend(entry);
    }
    too_many(fields, entries.len());
    entries.sort_by_key(|entry| entry.stage.is_some());
    entries
}

fn mapped_table(target: &Text, node: &Node, namespace: &str, sink: &mut Vec<Diagnostic>) -> Option<Mapped> {
    let mut fields = Fields::of(node, "source", Unknown::Refused, sink)?;
    let stage = fields.text("stage").cloned();
    let source = fields.text("key").cloned();
    if source.is_none() && !fields.has("key") {
        fields.missing("key");
    }
    let of = fields.text("of").map(|text| match text.value.split_once(':') {
        Some((namespace, application)) => (namespace.to_owned(), application.to_owned()),
        None => (namespace.to_owned(), text.value.clone()),
    });
    fields.finish();
    Some(Mapped { stage, source: source?, target: target.clone(), of })
}

/// A duration of at least a millisecond.
fn duration(fields: &mut Fields<'_, '_>, key: &'static str, info: &'static crate::diag::Info) -> Option<i64> {
    let text = fields.text(key)?;
    let millis = duration_millis(&text.value).filter(|millis| *millis >= 1);
    if millis.is_none() {
        let message = format!("`{}` is not a duration", shown(&text.value));
        fields
            .sink
            .push(refusal(info, text.span, message).help("write it as `15m`, `6h`, `1d`, `90s` or `500ms`"));
    }
    millis
}

fn constraints(fields: &mut Fields<'_, '_>) -> Vec<Constraint> {
    let info = &SCHEDULE_CONSTRAINT_INVALID;
    let mut found = Vec::new();
    if let Some(node) = fields.node("concurrency") {
        let limit = match &node.value {
            Value::Number(_) => fields.whole("concurrency").map(|max| (max, None)),
            _ => Fields::of(node, "concurrency", Unknown::Refused, fields.sink).and_then(|mut inner| {
                let max = inner.whole("max");
                if max.is_none() {
                    inner.missing("max");
                }
                let waits = inner.boolean("wait");
                inner.finish();
                max.map(|max| (max, waits))
            }),
        };
        match limit {
            Some((Ok((max, _)), waits)) if max >= 1 => {
                let limit = Limit::Concurrency { max: max as u64 };
                found.extend(constrained(limit, waits, node.span, fields.sink));
            }
            Some((Ok((_, span)) | Err(span), _)) => {
                let message = "the number of concurrent runs must be a whole number of at least 1";
                fields.sink.push(refusal(info, span, message));
            }
            None => {}
        }
    }
    if let Some(node) = fields.node("delay") {
        let millis = duration(fields, "delay", info);
        found.extend(millis.map(|millis| Constraint {
            limit: Limit::Delay { millis },
            waits: true,
            span: node.span,
        }));
    }
    if let Some(node) = fields.node("window")
        && let Some(mut inner) = Fields::of(node, "window", Unknown::Refused, fields.sink)
    {
        let window = window(&mut inner, ["from", "to", "zone"]);
        let waits = inner.boolean("wait");
        inner.finish();
        found.extend(
            window.and_then(|window| constrained(Limit::TimeRange(window), waits, node.span, fields.sink)),
        );
    }
    if let Some(node) = fields.node("since-last-run") {
        let (millis, waits) = match &node.value {
            Value::Text(_) => (duration(fields, "since-last-run", info), None),
            _ => Fields::of(node, "since-last-run", Unknown::Refused, fields.sink).map_or(
                (None, None),
                |mut inner| {
                    let millis = duration(&mut inner, "time", info);
                    if millis.is_none() && !inner.has("time") {
                        inner.missing("time");
                    }
                    let waits = inner.boolean("wait");
                    inner.finish();
                    (millis, waits)
                },
            ),
        };
        found.extend(
            millis.and_then(|millis| constrained(Limit::LastRun { millis }, waits, node.span, fields.sink)),
        );
    }
    found
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
    let mut fields = Fields::of(node, "trigger", Unknown::Refused, sink)?;
    let kinds = ["program", "cron", "dataset", "all", "any"];
    let named: Vec<_> = kinds.into_iter().filter(|kind| fields.has(kind)).collect();
    let [named] = named.as_slice() else {
        let said = if named.is_empty() { "none" } else { "several" };
        let message =
            format!("a trigger has exactly one of {}; this one has {said}", kinds.map(quoted).join(", "));
        fields.fault(node.span, message);
        return None;
    };
    if *named != "program" {
        refuse_conditions(&mut fields, ["key", "value", "when"]);
    }
    let found = match *named {
        "program" => program_unit(&mut fields, scope),
        "cron" => fields.text("cron").and_then(|text| cron(text, fields.sink)),
        "dataset" => {
            let dataset = fields.text("dataset").cloned();
            let count = match fields.whole("partitions") {
                None => Some(1),
                Some(Ok((count, _))) if count >= 1 => Some(count as u64),
                Some(Ok((_, span)) | Err(span)) => {
                    fields.fault(span, "`partitions` must be a whole number of at least 1");
                    None
                }
            };
            let namespace = scope.namespace.clone();
            dataset.and_then(|dataset| Some(UnitKind::Partition { namespace, dataset, count: count? }))
        }
        key => {
            let parts = fields.list(key)?;
            let read: Vec<_> =
                parts.iter().filter_map(|part| trigger(part, scope, depth + 1, units, fields.sink)).collect();
            let is_whole = read.len() == parts.len();
            let composed = composite(key == "all", read, node.span, parts.is_empty(), fields.sink);
            fields.finish();
            return composed.filter(|_| is_whole);
        }
    };
    fields.finish();
    Some(Trigger::Unit(Box::new(Unit { kind: found?, span: node.span })))
}

fn quoted(name: &str) -> String {
    format!("`{name}`")
}

fn program_unit(fields: &mut Fields<'_, '_>, scope: &Program) -> Option<UnitKind> {
    let named = written(fields, "program");
    let kind = kind(fields, "type", false);
    let statuses = statuses(fields);
    let condition = Condition {
        key: fields.text("key").cloned(),
        value: fields.scalar("value"),
        expression: fields.text("when").cloned(),
    };
    if let (Some(value), None) = (&condition.value, &condition.key) {
        fields.fault(value.span, "`value` needs a `key`");
        return None;
    }
    let (program_span, said) = named?;
    let program = Program {
        namespace: said.namespace.unwrap_or_else(|| scope.namespace.clone()),
        application: said.application.unwrap_or_else(|| scope.application.clone()),
        version: said.version.unwrap_or_else(|| scope.version.clone()),
        kind: kind?,
        name: said.name,
    };
    Some(UnitKind::Program { program, program_span, statuses: statuses?, condition })
}

fn statuses(fields: &mut Fields<'_, '_>) -> Option<BTreeSet<Status>> {
    let Some(node) = fields.node("status") else {
        let span = fields.span;
        fields.sink.push(no_status(span));
        return None;
    };
    let words = match &node.value {
        Value::Text(_) => std::slice::from_ref(node),
        Value::List(items) => items,
        _ => {
            fields.fault(node.span, format!("`status` must be a string or a list, not {}", node.kind()));
            return None;
        }
    };
    if words.is_empty() {
        fields.sink.push(no_status(node.span));
    }
    let mut statuses = BTreeSet::new();
    let before = fields.sink.len();
    for word in words {
        let Value::Text(text) = &word.value else {
            fields.fault(word.span, format!("a status must be a string, not {}", word.kind()));
            continue;
        };
        match Status::from_word(&text.value) {
            Some(meant) => statuses.extend(meant),
            None if text.value.eq_ignore_ascii_case("failing") => {
                let text = Text::computed("FAILING", text.span);
                statuses.extend(status(&text, Status::from_name, fields.sink));
            }
            None => {
                let finding = bad_status(text);
                fields.sink.push(finding);
            }
        }
    }
    (!statuses.is_empty() && errors(&fields.sink[before..]) == 0).then_some(statuses)
}
