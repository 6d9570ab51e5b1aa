//! `[[action]]`: how long actions of workflows take, and how they end.

use std::sync::Arc;

use toml::de::DeValue;

use super::Names;
use super::data::times;
use super::duration::{self, Duration};
use super::rules::{By, Rule};
use super::table::{Placed, Table};

/// What happens to an action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionRule {
    /// In how many of a million cases the rule counts.
    pub chance: Option<u32>,
    /// How long it takes.
    pub duration: Option<Duration>,
    /// How it ends.
    pub outcome: Option<Outcome>,
}

/// How an action ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// In which way.
    pub way: Way,
    /// The code of its error.
    pub code: Arc<str>,
    /// The error in words.
    pub message: Arc<str>,
    /// What it captured, as the text of a properties file.
    pub output: Option<Arc<str>>,
    /// Its counters, as JSON: `hadoop:counters`.
    pub counters: Option<Arc<str>>,
}

/// The ways in which an action can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Well.
    Ok,
    /// With an error; the error transition is taken, or it is tried again.
    Error,
    /// Its start fails and the job with it.
    Failed,
    /// Its start fails for the moment, and is tried again by the server.
    Transient,
    /// Its start fails, and the job is suspended until somebody resumes it.
    NonTransient,
    /// It never ends.
    Hangs,
}

/// The words for the ways.
const WAYS: [(&str, Way); 6] = [
    ("ok", Way::Ok),
    ("error", Way::Error),
    ("failed", Way::Failed),
    ("transient", Way::Transient),
    ("non-transient", Way::NonTransient),
    ("hangs", Way::Hangs),
];

/// The code of an error for which none is given: that of a launcher whose program failed.
const DEFAULT_CODE: &str = "JA018";

/// By what a rule of actions selects, in this order.
pub(crate) const COORDINATOR: usize = 0;
pub(crate) const WORKFLOW: usize = 1;
pub(crate) const NODE: usize = 2;
pub(crate) const TIMES: usize = 3;
pub(crate) const ATTEMPT: usize = 4;

pub(super) fn read(mut table: Table<'_>, names: &Names) -> Option<Rule<ActionRule>> {
    let range = table.range.clone();
    let coordinator = table.text("coordinator");
    if let Some(coordinator) = &coordinator {
        let known = names.coordinators.iter().map(|name| &**name);
        if !known.clone().any(|name| name == coordinator.value) {
            table.faults.unknown("coordinator", coordinator, known);
        }
    }
    let workflow = table.text("workflow");
    if let Some(workflow) = &workflow {
        let known = names.workflows.iter().map(|workflow| &*workflow.name);
        if !known.clone().any(|name| name == workflow.value) {
            table.faults.unknown("workflow", workflow, known);
        }
    }
    let node = table.text("node");
    if let Some(node) = &node {
        let is = |wanted: &Option<Placed<String>>, name: &str| {
            wanted.as_ref().is_none_or(|wanted| wanted.value == name)
        };
        let fitting = names.workflows.iter().filter(|it| {
            let of = coordinator.is_none() || it.coordinators.iter().any(|name| is(&coordinator, name));
            of && is(&workflow, &it.name)
        });
        let known = fitting.flat_map(|workflow| workflow.nodes.iter().map(|node| &**node));
        if !known.clone().any(|name| name == node.value) {
            table.faults.unknown("action", node, known);
        }
    }
    let times = times(&mut table);
    let attempt = table.integer("attempt", 1, i64::from(u32::MAX));
    let chance = table.chance("chance");
    let duration = duration::read(&mut table, "duration");
    let status = table.text("status");
    let way = status.as_ref().and_then(|status| {
        let found = WAYS.iter().find(|(word, _)| *word == status.value);
        if found.is_none() {
            table.faults.unknown("status", status, WAYS.iter().map(|(word, _)| *word));
        }
        found.map(|(_, way)| *way)
    });
    let way = if table.has("status") { way } else { Some(Way::Ok) };
    let (code, message) = (table.text("code"), table.text("message"));
    for (key, text) in [("code", &code), ("message", &message)] {
        if let (Some(text), Some(Way::Ok | Way::Hangs)) = (text, way) {
            table.faults.add(
                format!("`{key}` is for an error, and this rule has none: give it a `status`"),
                &text.range,
            );
        }
    }
    if let (true, Some(Way::Failed | Way::Transient | Way::NonTransient | Way::Hangs)) =
        (table.has("duration"), way)
    {
        let at = table.key_range("duration");
        let words =
            if way == Some(Way::Hangs) { "an action that hangs" } else { "an action whose start fails" };
        table.faults.add(format!("{words} takes no `duration`"), &at);
    }
    let says_outcome = ["status", "output", "counters"].iter().any(|key| table.has(key));
    let (output, counters) = (output(&mut table), counters(&mut table));
    if duration.is_none() && !says_outcome && !table.has("duration") {
        table.faults.add("say what happens: `duration`, `status`, `output` or `counters`", &range);
    }
    table.finish();
    let text = |text: Option<Placed<String>>, default: &str| -> Arc<str> {
        text.map_or_else(|| default.into(), |text| text.value.into())
    };
    let outcome = way.filter(|_| says_outcome).map(|way| Outcome {
        way,
        code: text(code, DEFAULT_CODE),
        message: text(message, "it fails, as the scenario has it"),
        output,
        counters,
    });
    let name = |text: Option<Placed<String>>| By::Name(text.map(|text| Arc::from(text.value)));
    let attempt = By::Number(attempt.map(|attempt| attempt.value as u32));
    let by = vec![name(coordinator), name(workflow), name(node), times, attempt];
    Some(Rule { by, says: ActionRule { chance, duration, outcome }, range })
}

/// The captured output: the text of a properties file, or names and values.
fn output(table: &mut Table<'_>) -> Option<Arc<str>> {
    let output = match table.text_or_table("output", "a table of texts, such as { count = \"17\" }")? {
        Ok(text) => return Some(text.value.into()),
        Err(output) => output,
    };
    let mut properties = String::new();
    for (name, value, range) in output.entries() {
        let DeValue::String(value) = value else {
            output.faults.add(format!("`{}` is a text", name.value), &range);
            continue;
        };
        escape(&name.value, true, &mut properties);
        properties.push('=');
        escape(value, false, &mut properties);
        properties.push('\n');
    }
    Some(properties.into())
}

/// The counters: groups of names and numbers.
fn counters(table: &mut Table<'_>) -> Option<Arc<str>> {
    let wanted = "`counters = { GROUP = { NAME = 17 } }`";
    let groups = table.table("counters")?;
    let mut all = serde_json::Map::new();
    for (group, names, range) in groups.entries() {
        let DeValue::Table(names) = names else {
            groups.faults.add(format!("a group of counters is a table: {wanted}"), &range);
            continue;
        };
        let mut own = serde_json::Map::new();
        for (name, number) in names {
            let number = match number.get_ref() {
                DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
                _ => None,
            };
            match number {
                Some(number) => drop(own.insert(name.get_ref().to_string(), number.into())),
                None => groups.faults.add(format!("a counter is a whole number: {wanted}"), &range),
            }
        }
        all.insert(group.value.to_string(), own.into());
    }
    Some(serde_json::Value::Object(all).to_string().into())
}

/// As `java.util.Properties.store` writes keys and values.
fn escape(text: &str, is_key: bool, out: &mut String) {
    for (at, c) in text.chars().enumerate() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            ' ' if !is_key && at > 0 => out.push(' '),
            ' ' | '\\' | '=' | ':' | '#' | '!' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
}
