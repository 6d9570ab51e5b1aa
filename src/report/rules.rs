//! The catalogue of rules for readers: one line each, as JSON, or as the pages of `docs/rules.md`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::catalogue;
use super::examples::{self, Example, ExampleFile, Mending};
use super::server_codes;
use crate::diag::Info;

/// How often each rule speaks over the corpus; written by `tests/corpus_counts.rs`.
const CORPUS_COUNTS: &str = include_str!("../../snapshots/corpus/counts.txt");

/// The first sentence of an explanation.
fn summary(info: &Info) -> String {
    let explanation = info.explanation();
    let paragraph = explanation.split("\n\n").next().unwrap_or_default().replace('\n', " ");
    match paragraph.find(". ") {
        Some(end) => paragraph[..=end].to_owned(),
        None => paragraph,
    }
}

fn mending(info: &Info) -> Mending {
    examples::find(info.name).map_or(Mending::None, |example| example.mending)
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
            "fix": match mending(info) {
                Mending::None => None,
                Mending::Safe => Some(json!({ "safe": true })),
                Mending::Guess => Some(json!({ "safe": false })),
            },
            "summary": summary(info),
            "explanation": info.explanation(),
        })
    });
    json!({ "version": 1, "rules": rules.collect::<Vec<_>>() })
}

/// The text of `docs/rules.md`.
pub fn markdown() -> String {
    let counts: BTreeMap<&str, &str> = CORPUS_COUNTS
        .lines()
        .filter_map(|line| line.split_once(' ').map(|(rule, n)| (rule, n.trim())))
        .collect();
    let mut out = "# Rules\n\nWritten by `UPDATE=1 cargo test --test registry`; `ankus rules --format markdown` prints it.\n\n\
                   *Stage* says when a server would notice. *Fix* says what `ankus check --fix` can do: `safe` is done \
                   unasked, `guess` with `--unsafe`. *Seen* counts the findings over 403 files of real applications.\n\n\
                   | rule | severity | stage | codes | fix | seen |\n|---|---|---|---|---|---|\n"
        .to_owned();
    for info in catalogue::all() {
        let stage = info.stage.map_or("–", |stage| stage.name());
        let codes = if info.mirrors.is_empty() { "–".to_owned() } else { info.mirrors.join(", ") };
        let fix = match mending(info) {
            Mending::None => "–",
            other => other.name(),
        };
        let (name, severity) = (info.name, info.severity.name());
        let seen = counts.get(name).copied().unwrap_or("0");
        out.push_str(&format!("| [{name}](#{name}) | {severity} | {stage} | {codes} | {fix} | {seen} |\n"));
    }
    for info in catalogue::all() {
        section(info, &mut out);
    }
    out
}

fn section(info: &Info, out: &mut String) {
    out.push_str(&format!("\n## {}\n\n{}", info.name, info.severity.name()));
    match info.stage {
        Some(stage) => out.push_str(&format!(", noticed by a server at {}", stage.name())),
        None => out.push_str(", never noticed by a server"),
    }
    if !info.mirrors.is_empty() {
        out.push_str(&format!(" ({})", info.mirrors.join(", ")));
    }
    out.push_str(&format!("\n\n{}\n", info.explanation().trim_end()));
    let Some(example) = examples::find(info.name) else { return };
    for (name, text) in example.wrong {
        out.push_str(&format!("\n`{name}`\n\n{}", block(kind(name), text)));
    }
    out.push_str(&format!("\n{}", block("text", example.output)));
}

/// The language of a file, for the colours of a reader.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("xml") => "xml",
        Some("toml") => "toml",
        _ => "properties",
    }
}

/// A fenced block, with a fence that the text does not hold.
fn block(kind: &str, text: &str) -> String {
    let fence = if text.contains("```") { "~~~~" } else { "```" };
    format!("{fence}{kind}\n{}\n{fence}\n", text.trim_end())
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
    if let Some(Example { wrong, right, output, .. }) = examples::find(info.name) {
        files("Wrong", wrong, &mut out);
        out.push_str("\nOutput:\n\n");
        indented(output, &mut out);
        files("Right", right, &mut out);
    }
    out
}

fn files(title: &str, files: &[ExampleFile], out: &mut String) {
    for (name, text) in files {
        out.push_str(&format!("\n{title} ({name}):\n\n"));
        indented(text, out);
    }
}

fn indented(text: &str, out: &mut String) {
    for line in text.trim_end().lines() {
        out.push_str(format!("    {line}").trim_end());
        out.push('\n');
    }
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
