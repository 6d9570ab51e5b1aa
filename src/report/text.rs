//! Findings for people: each with the lines of its source, or each on one line; then a summary.

use std::io::{self, Write};

use super::Report;
use super::record::Record;
use crate::diag::Severity;

/// `check --format full`.
pub fn full(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    if report.statistics {
        statistics(report, out)?;
    } else {
        drawn(report.findings.down_to(report.down_to), report.color, out)?;
    }
    summary(report, out)
}

/// Findings with the lines of their source, where they were drawn, each followed by an empty line.
pub fn drawn<'a>(
    records: impl Iterator<Item = &'a Record>,
    color: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    for record in records {
        match &record.drawn {
            Some(drawn) => {
                write!(out, "{}", clean(drawn, color))?;
                if let Some(under) = &record.under {
                    writeln!(out, "  {}", clean(&under.words(), color))?;
                }
                writeln!(out)?;
            }
            None => writeln!(out, "{}", line(record, color))?,
        }
    }
    Ok(())
}

/// `check --format concise`.
pub fn concise(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    if report.statistics {
        statistics(report, out)?;
    } else {
        for record in report.findings.down_to(report.down_to) {
            writeln!(out, "{}", line(record, report.color))?;
        }
    }
    summary(report, out)
}

/// `path:line:column: error[rule] (codes) message; help`.
fn line(record: &Record, color: bool) -> String {
    let place = &record.place;
    let (on, off) = if color { (paint(record.severity), "\u{1b}[0m") } else { ("", "") };
    let mut line = format!(
        "{}:{}:{}: {on}{}[{}]{off}",
        place.file,
        place.start.line,
        place.start.column,
        record.severity.name(),
        record.rule.name
    );
    if !record.oozie.is_empty() {
        line.push_str(&format!(" ({})", record.oozie.join(", ")));
    }
    line.push_str(&format!(" {}", record.words()));
    if let Some(help) = &record.help {
        line.push_str(&format!("; {help}"));
    }
    clean(&line.replace(['\n', '\r'], " "), color)
}

/// The colour of a severity, as the full form has it.
fn paint(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "\u{1b}[31m",
        Severity::Warning => "\u{1b}[33m",
        Severity::Info => "\u{1b}[36m",
    }
}

/// How often each rule was broken, by severity, the most frequent first.
fn statistics(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let by_rule = report.findings.counts_by_rule();
    let of_rule = |(rule, counts): (&&'static str, &super::findings::Counts)| {
        [
            (Severity::Error, counts.errors),
            (Severity::Warning, counts.warnings),
            (Severity::Info, counts.infos),
        ]
        .map(|(severity, count)| (severity, count, *rule))
    };
    let mut rows: Vec<_> = by_rule.iter().flat_map(of_rule).collect();
    rows.retain(|(severity, count, _)| *count > 0 && *severity <= report.down_to);
    rows.sort_by_key(|(severity, count, rule)| (std::cmp::Reverse(*count), *rule, *severity));
    let width = rows.iter().map(|(_, count, _)| count.to_string().len()).max().unwrap_or(0);
    for (severity, count, rule) in rows {
        let (on, off) = if report.color { (paint(severity), "\u{1b}[0m") } else { ("", "") };
        writeln!(out, "{count:width$}  {on}{:7}{off}  {rule}", severity.name())?;
    }
    Ok(())
}

fn summary(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    if report.quiet {
        return Ok(());
    }
    let counts = report.findings.counts();
    let hidden = if counts.infos > 0 && report.down_to < Severity::Info { " (shown with -v)" } else { "" };
    let left_out = |count: usize, how: &str| match count {
        0 => String::new(),
        count => format!("; {count} {how}"),
    };
    let suppressed = left_out(report.findings.hidden.suppressed, "suppressed");
    let known = left_out(report.findings.hidden.baseline, "in the baseline");
    writeln!(
        out,
        "{} checked: {}, {}, {}{hidden}{suppressed}{known}",
        many(report.files, "file"),
        many(counts.errors, "error"),
        many(counts.warnings, "warning"),
        many(counts.infos, "info"),
    )
}

/// `1 file`, `2 files`.
fn many(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Text without characters that would steer a terminal: names and lines come from files that nobody has to trust. Our
/// own colours stay where they are wanted.
fn clean(text: &str, color: bool) -> String {
    let is_odd = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(is_odd) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_odd) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let colour = rest.strip_prefix("\u{1b}[").and_then(|tail| {
            let end = tail.find(|c: char| !c.is_ascii_digit() && c != ';')?;
            (tail.as_bytes()[end] == b'm').then_some(2 + end + 1)
        });
        let length = match colour {
            Some(length) => {
                out.push_str(if color { &rest[..length] } else { "" });
                length
            }
            None => {
                let odd = rest.chars().next().map_or(1, char::len_utf8);
                // A carriage return at the end of a line is how some files are written, no attempt at anything.
                out.push_str(if rest.starts_with("\r\n") || rest == "\r" { "" } else { "\u{fffd}" });
                odd
            }
        };
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn terminals_are_not_steered() {
        assert_eq!(clean("a\u{1b}[31mb\u{1b}[0m\n", true), "a\u{1b}[31mb\u{1b}[0m\n");
        assert_eq!(clean("a\u{1b}[31mb\u{1b}[0m\n", false), "ab\n");
        assert_eq!(
            clean("\u{1b}]0;title\u{7}\u{9b}x\u{1b}", true),
            "\u{fffd}]0;title\u{fffd}\u{fffd}x\u{fffd}"
        );
        assert_eq!(clean("a\r\nb\rc", true), "a\nb\u{fffd}c");
        assert_eq!(clean("\u{1b}[2J", true), "\u{fffd}[2J");
        assert_eq!(clean("\u{1b}[", false), "\u{fffd}[");
    }
}
