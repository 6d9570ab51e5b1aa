//! Findings as a Checkstyle report.

use std::io::{self, Write};

use super::Report;
use super::markup::attribute;
use super::record::Record;

/// `check --format checkstyle`.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">")?;
    let shown: Vec<&Record> = report.findings.down_to(report.down_to).collect();
    for of_file in shown.chunk_by(|a, b| a.place.file == b.place.file) {
        writeln!(out, "  <file name=\"{}\">", attribute(&of_file[0].place.file))?;
        for record in of_file {
            let start = record.place.start;
            let message = match &record.help {
                Some(help) => format!("{}; {help}", record.words()),
                None => record.words(),
            };
            writeln!(
                out,
                "    <error line=\"{}\" column=\"{}\" severity=\"{}\" message=\"{}\" source=\"ankus.{}\"/>",
                start.line,
                start.column,
                record.severity.name(),
                attribute(&message),
                record.rule.name
            )?;
        }
        writeln!(out, "  </file>")?;
    }
    writeln!(out, "</checkstyle>")
}
