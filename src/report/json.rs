//! Findings as the JSON that other programs rely on.

use serde_json::{Value, json};

use crate::diag::Diagnostic;
use crate::source::{FileId, Sources};

/// One finding, as an element of `findings`.
pub fn finding(sources: &Sources, finding: &Diagnostic) -> Value {
    let position = |file: FileId, offset: u32| {
        let place = sources.position(file, offset);
        json!({ "offset": place.offset, "line": place.line, "column": place.column })
    };
    let labels: Vec<Value> = finding
        .labels
        .iter()
        .map(|label| {
            json!({
                "file": sources.path(label.span.file),
                "start": position(label.span.file, label.span.start),
                "end": position(label.span.file, label.span.end),
                "message": label.message,
            })
        })
        .collect();
    let fix = finding.fix.as_ref().map(|fix| {
        let edits: Vec<Value> = fix
            .edits
            .iter()
            .map(|edit| {
                json!({
                    "file": sources.path(edit.span.file),
                    "start": edit.span.start,
                    "end": edit.span.end,
                    "text": edit.text,
                })
            })
            .collect();
        json!({ "safe": fix.safe, "edits": edits })
    });
    json!({
        "rule": finding.rule.name,
        "severity": finding.severity.name(),
        "stage": finding.stage.map(|stage| stage.name()),
        "oozie": finding.oozie,
        "message": finding.message,
        "file": sources.path(finding.span.file),
        "start": position(finding.span.file, finding.span.start),
        "end": position(finding.span.file, finding.span.end),
        "labels": labels,
        "help": finding.help,
        "fix": fix,
    })
}
