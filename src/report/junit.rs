//! Findings as a JUnit report: one suite a file, one case a finding. What makes the check fail is a failure, the rest
//! has passed with a remark.

use std::io::{self, Write};

use super::Report;
use super::markup::{attribute, content};
use super::record::Record;

/// `check --format junit`.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let shown: Vec<&Record> = report.findings.down_to(report.down_to).collect();
    let fails = |record: &&&Record| record.severity <= report.fail_on;
    let failures = shown.iter().filter(fails).count();
    let tests = shown.len().max(1);
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"ankus\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">")?;
    if shown.is_empty() {
        // Readers take a report without any case for a mistake.
        writeln!(out, "  <testsuite name=\"ankus\" tests=\"1\" disabled=\"0\" errors=\"0\" failures=\"0\">")?;
        writeln!(out, "    <testcase name=\"check\" classname=\"ankus\"/>\n  </testsuite>")?;
    }
    for of_file in shown.chunk_by(|a, b| a.place.file == b.place.file) {
        let file = attribute(&of_file[0].place.file);
        let (tests, failures) = (of_file.len(), of_file.iter().filter(fails).count());
        writeln!(
            out,
            "  <testsuite name=\"{file}\" tests=\"{tests}\" disabled=\"0\" errors=\"0\" failures=\"{failures}\">"
        )?;
        for record in of_file {
            case(record, record.severity <= report.fail_on, out)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn case(record: &Record, fails: bool, out: &mut dyn Write) -> io::Result<()> {
    let (file, rule, start) = (attribute(&record.place.file), record.rule.name, record.place.start);
    let (line, column) = (start.line, start.column);
    writeln!(out, "    <testcase name=\"{rule} at {line}:{column}\" classname=\"{file}\">")?;
    let message = attribute(&record.words());
    let mut words = format!("{}:{line}:{column}: {}", record.place.file, record.words());
    if !record.oozie.is_empty() {
        words.push_str(&format!(" ({})", record.oozie.join(", ")));
    }
    for label in &record.labels {
        let place = &label.place;
        let (line, column) = (place.start.line, place.start.column);
        words.push_str(&format!("\n{}:{line}:{column}: {}", place.file, label.message));
    }
    if let Some(help) = &record.help {
        words.push_str(&format!("\nhelp: {help}"));
    }
    let (words, kind) = (content(&words), record.severity.name());
    match fails {
        true => writeln!(out, "      <failure message=\"{message}\" type=\"{kind}\">{words}</failure>")?,
        false => writeln!(out, "      <system-out>{kind}: {words}</system-out>")?,
    }
    writeln!(out, "    </testcase>")
}
