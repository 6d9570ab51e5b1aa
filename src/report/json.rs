//! Findings as the JSON that other programs rely on: one document, or one finding a line.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::{Report, record};
use crate::diag::Diagnostic;
use crate::source::{Position, Sources};
use record::{Place, Record, Style};

/// The document of `check --format json`, written finding by finding.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"{\"version\":1,\"findings\":[")?;
    for (index, record) in report.findings.iter().enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        serde_json::to_writer(&mut *out, &value(record))?;
    }
    let counts = report.findings.counts();
    let mut summary = json!({
        "files": report.files,
        "errors": counts.errors,
        "warnings": counts.warnings,
        "infos": counts.infos,
    });
    // Left out where nothing is, so that the summary of a plain check stays as it ever was.
    if report.findings.hidden.suppressed > 0 {
        summary["suppressed"] = report.findings.hidden.suppressed.into();
    }
    if report.findings.hidden.baseline > 0 {
        summary["baseline"] = report.findings.hidden.baseline.into();
    }
    if report.statistics {
        let rules: Map<String, Value> = report
            .findings
            .counts_by_rule()
            .into_iter()
            .map(|(rule, c)| (rule.to_owned(), (c.errors + c.warnings + c.infos).into()))
            .collect();
        summary["rules"] = rules.into();
        let severities = |c: super::findings::Counts| json!({ "errors": c.errors, "warnings": c.warnings, "infos": c.infos });
        let of_rules: Map<String, Value> = report
            .findings
            .counts_by_rule()
            .into_iter()
            .map(|(rule, counts)| (rule.to_owned(), severities(counts)))
            .collect();
        summary["severities"] = of_rules.into();
    }
    writeln!(out, "],\"summary\":{summary}}}")
}

/// One finding a line, for `check --format jsonl`.
pub fn lines(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for record in report.findings.iter() {
        serde_json::to_writer(&mut *out, &value(record))?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// One finding while its sources are at hand.
pub fn finding(sources: &Sources, finding: &Diagnostic) -> Value {
    value(&Record::of(sources, finding, Style::DATA))
}

/// One finding, as an element of `findings`.
pub fn value(record: &Record) -> Value {
    let labels: Vec<Value> = record.labels.iter().map(|label| place(&label.place, &label.message)).collect();
    let fix = record.shown_fix().map(|fix| {
        let edits: Vec<Value> = fix
            .edits
            .iter()
            .map(|edit| {
                json!({
                    "file": &*edit.place.file,
                    "start": edit.place.start.offset,
                    "end": edit.place.end.offset,
                    "text": edit.text,
                })
            })
            .collect();
        json!({ "safe": fix.safe, "edits": edits })
    });
    let mut value = json!({
        "rule": record.rule.name,
        "severity": record.severity.name(),
        "stage": record.stage.map(|stage| stage.name()),
        "oozie": record.oozie,
        "message": &*record.message,
        "subject": record.subject.as_ref().map(|it| json!({ "kind": it.kind.name(), "name": it.name })),
        "under": record.under.as_ref().map(|under| under.files.iter().map(|file| &**file).collect::<Vec<_>>()),
        "file": &*record.place.file,
        "start": position(record.place.start),
        "end": position(record.place.end),
        "labels": labels,
        "help": record.help,
        "fix": fix,
    });
    // Only what a web service answers has one, so that other findings stay as they ever were.
    if let Some(status) = record.http {
        value["http"] = status.into();
    }
    value
}

fn place(place: &Place, message: &str) -> Value {
    json!({
        "file": &*place.file,
        "start": position(place.start),
        "end": position(place.end),
        "message": message,
    })
}

fn position(place: Position) -> Value {
    json!({ "offset": place.offset, "line": place.line, "column": place.column })
}
