//! The origin of a value, for `plan --explain-value`.

use serde_json::{Value, json};

use crate::analysis::parameters::Explanation;
use crate::source::{Sources, Span};

/// For people: the value, then the layers that give it with the winning one first, then the values put into it.
pub fn text(parts: &[Explanation], sources: &Sources) -> String {
    let mut out = String::new();
    for part in parts {
        let indent = "  ".repeat(part.depth);
        match &part.value {
            Some(value) => out.push_str(&format!("{indent}{} = {value}\n", part.name)),
            None => out.push_str(&format!("{indent}{}: nothing gives it a value\n", part.name)),
        }
        let width = part.steps.iter().map(|step| step.layer.describe().chars().count()).max().unwrap_or(0);
        for (number, step) in part.steps.iter().rev().enumerate() {
            let mark = if number == 0 { "→" } else { " " };
            let place = step.span.map_or_else(String::new, |span| format!("  {}", place(sources, span)));
            let layer = step.layer.describe();
            out.push_str(&format!("{indent}  {mark} {layer:width$}  {}{place}\n", step.value));
        }
    }
    out
}

/// For programs, one document: every part with its chain, lowest layer first; `all` are the definitions with their parts.
pub fn json(all: &[(&str, Vec<Explanation>)], sources: &Sources) -> String {
    let step = |step: &crate::analysis::parameters::Step| {
        let at = step.span.map(|span| (sources.path(span.file), sources.position(span.file, span.start)));
        json!({
            "layer": step.layer.describe(),
            "value": &*step.value,
            "file": at.map(|(path, _)| path),
            "line": at.map(|(_, position)| position.line),
            "uses": step.uses,
        })
    };
    let part = |of: &str, part: &Explanation| {
        let chain: Vec<Value> = part.steps.iter().map(step).collect();
        json!({ "of": of, "name": part.name, "value": part.value, "depth": part.depth, "chain": chain })
    };
    let parts = all.iter().flat_map(|(of, parts)| parts.iter().map(move |it| (of, it)));
    let parts: Vec<Value> = parts.map(|(of, it)| part(of, it)).collect();
    format!("{}\n", json!({ "version": 1, "values": parts }))
}

fn place(sources: &Sources, span: Span) -> String {
    format!("{}:{}", sources.path(span.file), sources.position(span.file, span.start).line)
}
