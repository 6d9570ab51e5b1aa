//! The catalogue of rules for readers: one line each, as JSON, or as the page `docs/rules.md`, whose examples `explain`
//! shows.

use serde_json::{Value, json};

use super::catalogue;
use super::server_codes;
use crate::diag::Info;

/// The page of all rules, which `tests/registry.rs` writes from the catalogue, the fixtures and the snapshots.
pub const PAGE: &str = include_str!("../../docs/rules.md");

/// Where the examples of a section begin.
const EXAMPLES: &str = "\n### Wrong\n";

/// The first sentence of an explanation.
fn summary(info: &Info) -> String {
    let explanation = info.explanation();
    let paragraph = explanation.split("\n\n").next().unwrap_or_default().replace('\n', " ");
    match paragraph.find(". ") {
        Some(end) => paragraph[..=end].to_owned(),
        None => paragraph,
    }
}

/// What `check --fix` can do about findings of a rule: is it safe? The page says it in its table.
fn is_fix_safe(info: &Info) -> Option<bool> {
    let start = format!("| [{0}](#{0}) |", info.name);
    let row = PAGE.lines().find(|line| line.starts_with(&start))?;
    match row.split('|').nth_back(2)?.trim() {
        "safe" => Some(true),
        "guess" => Some(false),
        _ => None,
    }
}

/// The examples of a rule, as the page has them.
fn examples(info: &Info) -> Option<&'static str> {
    let heading = format!("\n## {}\n", info.name);
    let section = &PAGE[PAGE.find(&heading)? + heading.len()..];
    let section = &section[..section.find("\n## ").unwrap_or(section.len())];
    Some(&section[section.find(EXAMPLES)?..])
}

/// One line each.
pub fn text() -> String {
    let mut out = String::new();
    for info in catalogue::all() {
        let stage = info.stage.map_or("-", |stage| stage.name());
        let codes = if info.mirrors.is_empty() { "-".to_owned() } else { info.mirrors.join(",") };
        let (name, severity, summary) = (info.name, info.severity.name(), summary(info));
        out.push_str(&format!("{name:<31} {severity:<8} {stage:<11} {codes:<12} {summary}\n"));
    }
    out
}

/// One document.
pub fn json() -> Value {
    let rules = catalogue::all().into_iter().map(|info| {
        json!({
            "rule": info.name,
            "severity": info.severity.name(),
            "stage": info.stage.map(|stage| stage.name()),
            "oozie": info.mirrors,
            "fix": is_fix_safe(info).map(|safe| json!({ "safe": safe })),
            "summary": summary(info),
            "explanation": info.explanation(),
        })
    });
    json!({ "version": 1, "rules": rules.collect::<Vec<_>>() })
}

/// What `ankus explain` says of a rule.
pub fn explain(info: &Info) -> String {
    let stage =
        info.stage.map_or("never noticed by a server".to_owned(), |stage| format!("at {}", stage.name()));
    let codes =
        if info.mirrors.is_empty() { String::new() } else { format!(", {}", info.mirrors.join(", ")) };
    let mut out = format!("{} ({}, {stage}{codes})\n\n", info.name, info.severity.name());
    out.push_str(info.explanation().trim_end());
    out.push('\n');
    let mut is_fenced = false;
    for line in examples(info).unwrap_or_default().lines() {
        if line.starts_with("```") || line.starts_with("~~~~") {
            is_fenced = !is_fenced;
        } else if is_fenced {
            out.push_str(format!("    {line}").trim_end());
            out.push('\n');
        } else if let Some(title) = line.strip_prefix("### ") {
            out.push_str(&format!("{title}:\n"));
        } else {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// What `ankus explain` says of a server's code; none when there is no such code.
pub fn explain_code(name: &str) -> Option<String> {
    let code = server_codes::find(name)?;
    let mut meaning = code.meaning.to_owned();
    if let Some(first) = meaning.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let mut out = format!("{} ({})\n\n{meaning}.\n", code.code, code.when.words());
    let predicting: Vec<_> =
        catalogue::all().into_iter().filter(|info| info.mirrors.contains(&code.code)).collect();
    if predicting.is_empty() {
        out.push_str("\nNo rule is about this code alone.\n");
    } else {
        out.push_str("\nPredicted by:\n");
    }
    for info in predicting {
        out.push_str(&format!("  {:<31} {}\n", info.name, summary(info)));
    }
    Some(out)
}
