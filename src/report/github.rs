//! Findings as workflow commands of GitHub Actions, which become annotations.

use std::io::{self, Write};

use super::Report;
use crate::diag::Severity;

/// `check --format github`.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for record in report.findings.down_to(report.down_to) {
        let command = match record.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let place = &record.place;
        let mut title = record.rule.name.to_owned();
        if !record.oozie.is_empty() {
            title.push_str(&format!(" ({})", record.oozie.join(", ")));
        }
        write!(out, "::{command} title={},file={}", property(&title), property(&place.file))?;
        write!(out, ",line={},endLine={},col={}", place.start.line, place.end.line, place.start.column)?;
        // Columns of a stretch of several lines are refused.
        if place.start.line == place.end.line {
            write!(out, ",endColumn={}", place.end.column)?;
        }
        let mut message = record.words();
        if let Some(help) = &record.help {
            message.push_str(&format!("\nhelp: {help}"));
        }
        writeln!(out, "::{}", data(&message))?;
    }
    Ok(())
}

/// Text after the command, as `escapeData` of the toolkit writes it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text of a property, as `escapeProperty` of the toolkit writes it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_ends_a_command_early() {
        assert_eq!(super::data("a%0Ab\r\n::error::x"), "a%250Ab%0D%0A::error::x");
        assert_eq!(super::property("a,b:c\n"), "a%2Cb%3Ac%0A");
    }
}
