//! Findings as a GitLab code quality report.

use std::io::{self, Write};

use serde_json::json;

use super::Report;
use crate::diag::Severity;

/// `check --format gitlab`.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"[")?;
    let named = report.findings.with_fingerprints(str::to_owned);
    let shown = named.filter(|(_, record)| record.severity <= report.down_to);
    for (number, (fingerprint, record)) in shown.enumerate() {
        let severity = match record.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Info => "info",
        };
        let description = match &record.help {
            Some(help) => format!("{}; {help}", record.words()),
            None => record.words(),
        };
        let place = &record.place;
        let issue = json!({
            "type": "issue",
            "check_name": record.rule.name,
            "description": description,
            "categories": ["Bug Risk"],
            "severity": severity,
            "fingerprint": format!("{fingerprint:032x}"),
            "location": {
                "path": &*place.file,
                "lines": { "begin": place.start.line, "end": place.end.line },
            },
        });
        write!(out, "{}{issue}", if number > 0 { "," } else { "" })?;
    }
    writeln!(out, "]")
}
