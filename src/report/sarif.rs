//! Findings as SARIF 2.1.0, the form that code scanning takes.
//!
//! Written result by result, so that many findings need no second copy in memory. Columns count Unicode characters and
//! say so; byte offsets are left out, since lines and columns say it all.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::Report;
use super::record::{Place, Record, RecordFix};
use crate::diag::{Info, Severity};

/// Where the form is described.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What rules judge by, for a build that does not know where its own documentation lies.
const SPECIFICATIONS: &str = "https://oozie.apache.org/docs/5.2.1/index.html";

/// The folder that relative paths start from: the root of the repository where the check runs.
const BASE: &str = "%SRCROOT%";

/// Rules whose labels are the steps of one way through a workflow, in order.
const STEPS: &[&str] = &["workflow-cycle"];

/// `check --format sarif`.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut rules: BTreeMap<&str, &'static Info> = BTreeMap::new();
    for record in report.findings.down_to(report.down_to) {
        rules.insert(record.rule.name, record.rule);
    }
    let index: BTreeMap<&str, usize> = rules.keys().enumerate().map(|(index, name)| (*name, index)).collect();
    let driver = json!({
        "name": "ankus",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules.values().map(|info| rule(info)).collect::<Vec<_>>(),
    });
    write!(
        out,
        "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{driver}}},"
    )?;
    out.write_all(b"\"columnKind\":\"unicodeCodePoints\",\"results\":[")?;
    // Fingerprints count all findings, so that they do not change with what is shown.
    let named = report.findings.with_fingerprints(str::to_owned);
    let shown = named.filter(|(_, record)| record.severity <= report.down_to);
    for (number, (fingerprint, record)) in shown.enumerate() {
        if number > 0 {
            out.write_all(b",")?;
        }
        serde_json::to_writer(&mut *out, &result(record, fingerprint, index[record.rule.name]))?;
    }
    writeln!(out, "]}}]}}")
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn rule(info: &Info) -> Value {
    let explanation = info.explanation();
    let summary = explanation.lines().next().unwrap_or_default();
    let paragraph = explanation.split("\n\n").next().unwrap_or_default().replace('\n', " ");
    let mut rule = json!({
        "id": info.name,
        "shortDescription": { "text": summary },
        "fullDescription": { "text": paragraph },
        "help": { "text": explanation, "markdown": explanation },
        "defaultConfiguration": { "level": level(info.severity) },
        "properties": {
            "tags": std::iter::once("oozie").chain(info.mirrors.iter().copied()).collect::<Vec<_>>(),
            "stage": info.stage.map(|stage| stage.name()),
        },
    });
    let home = env!("CARGO_PKG_REPOSITORY");
    rule["helpUri"] = match home {
        "" => SPECIFICATIONS.into(),
        _ => format!("{home}/blob/main/docs/rules.md#{}", info.name).into(),
    };
    rule
}

fn result(record: &Record, fingerprint: u128, rule_index: usize) -> Value {
    let mut primary = location(&record.place);
    if let Some(label) = &record.label {
        primary["message"] = message(label);
    }
    let mut result = json!({
        "ruleId": record.rule.name,
        "ruleIndex": rule_index,
        "level": level(record.severity),
        "message": message(&match &record.help {
            Some(help) => format!("{}; {help}", record.words()),
            None => record.words(),
        }),
        "locations": [primary],
        "partialFingerprints": { "ankus/v1": format!("{fingerprint:032x}") },
        "properties": { "oozie": record.oozie, "stage": record.stage.map(|stage| stage.name()) },
    });
    if !record.labels.is_empty() {
        let related = record.labels.iter().enumerate().map(|(id, label)| {
            let mut place = location(&label.place);
            place["id"] = id.into();
            place["message"] = message(&label.message);
            place
        });
        result["relatedLocations"] = related.collect();
    }
    if STEPS.contains(&record.rule.name) {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps(record) }] }]);
    }
    if let Some(fix) = record.shown_fix() {
        result["fixes"] = json!([fix_of(record, fix)]);
    }
    result
}

/// The way that a finding speaks of, step by step; the finding itself stands where it ends.
fn steps(record: &Record) -> Vec<Value> {
    let last = (&record.place, record.label.as_deref().unwrap_or(&record.message));
    let rest = record.labels.iter().map(|label| (&label.place, label.message.as_str()));
    let step = |(place, words): (&Place, &str)| {
        let mut location = location(place);
        location["message"] = message(words);
        json!({ "location": location })
    };
    rest.chain(std::iter::once(last)).map(step).collect()
}

fn fix_of(record: &Record, fix: &RecordFix) -> Value {
    let mut files: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for edit in &fix.edits {
        files.entry(&edit.place.file).or_default().push(json!({
            "deletedRegion": region(&edit.place),
            "insertedContent": { "text": edit.text },
        }));
    }
    let changes = files.into_iter().map(
        |(file, replacements)| json!({ "artifactLocation": artifact(file), "replacements": replacements }),
    );
    let words = record.help.as_deref().unwrap_or(&record.message);
    json!({
        "description": message(words),
        "artifactChanges": changes.collect::<Vec<_>>(),
    })
}

/// Plain text; what would read as a link does not. Braces stay single: there are no arguments to put in, and readers
/// show them as they stand.
fn message(text: &str) -> Value {
    json!({ "text": text.replace("](", "\\](") })
}

fn location(place: &Place) -> Value {
    json!({ "physicalLocation": { "artifactLocation": artifact(&place.file), "region": region(place) } })
}

fn region(place: &Place) -> Value {
    json!({
        "startLine": place.start.line,
        "startColumn": place.start.column,
        "endLine": place.end.line,
        "endColumn": place.end.column,
    })
}

fn artifact(file: &str) -> Value {
    let bytes = file.as_bytes();
    let has_drive = bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && bytes[2] == b'/';
    if has_drive {
        json!({ "uri": format!("file:///{}:{}", &file[..1], encoded(&file[2..])) })
    } else if file.starts_with('/') {
        json!({ "uri": format!("file://{}", encoded(file)) })
    } else {
        json!({ "uri": encoded(file), "uriBaseId": BASE })
    }
}

/// A path as part of a URI.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        let uri = |file| artifact(file)["uri"].as_str().map(str::to_owned);
        assert_eq!(uri("a b/ü:x%.xml").as_deref(), Some("a%20b/%C3%BC%3Ax%25.xml"));
        assert_eq!(uri("/srv/a.xml").as_deref(), Some("file:///srv/a.xml"));
        assert_eq!(uri("C:/x/a.xml").as_deref(), Some("file:///C:/x/a.xml"));
    }

    #[test]
    fn rules_with_steps_exist() {
        for name in STEPS {
            assert!(crate::report::catalogue::find(name).is_some(), "{name}");
        }
    }
}
