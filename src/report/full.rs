//! A finding with the lines of the source around it, for people.
//!
//! miette draws; this module gives it lines in constant time and keeps what it draws short.

use std::borrow::Cow;
use std::fmt;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode,
    SourceSpan, SpanContents,
};

use crate::diag::{Diagnostic, Severity};
use crate::source::{FileId, Sources, Span};

/// The width that messages are broken at, the same everywhere so that output does not depend on the terminal.
const WIDTH: usize = 110;

/// A marked stretch of more lines than this is cut to its first line.
const MARKED_LINES: usize = 6;

/// Longer lines are cut around the marked stretch.
const LINE_BYTES: usize = 300;

/// What is shown of a cut line on either side of the marked stretch.
const MARGIN_BYTES: usize = 80;

/// One finding as text that ends with a line feed.
pub fn finding(sources: &Sources, finding: &Diagnostic, color: bool) -> String {
    let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(WIDTH)
        .with_links(false)
        .with_break_words(false)
        .with_context_lines(1);
    let mut text = String::new();
    if handler.render_report(&mut text, &Shown::primary(sources, finding)).is_err() {
        // Drawing failed; the words are what matters.
        let place = sources.position(finding.span.file, finding.span.start);
        let path = sources.path(finding.span.file);
        text = format!(
            "{}\n\n  {}\n  {path}:{}:{}\n",
            code(finding),
            sources.veiled(&finding.message),
            place.line,
            place.column
        );
    }
    text
}

/// The first line: `error[transition-unknown] (E0708)`.
fn code(finding: &Diagnostic) -> String {
    let mut code = format!("{}[{}]", finding.severity.name(), finding.rule.name);
    if !finding.oozie.is_empty() {
        code.push_str(&format!(" ({})", finding.oozie.join(", ")));
    }
    code
}

/// A finding, or the part of it that lies in another file, as miette sees it.
struct Shown<'a> {
    code: Option<String>,
    severity: Severity,
    message: String,
    help: Option<Cow<'a, str>>,
    labels: Vec<LabeledSpan>,
    source: Lines<'a>,
    related: Vec<Shown<'a>>,
}

impl<'a> Shown<'a> {
    fn primary(sources: &'a Sources, finding: &'a Diagnostic) -> Shown<'a> {
        let file = finding.span.file;
        let mut labels = Vec::new();
        if !sources.text(file).is_empty() {
            let span = shown_span(sources, finding.span);
            let label = finding.label.as_deref().map(|label| sources.veiled(label).into_owned());
            labels.push(LabeledSpan::new_primary_with_span(label, span));
        }
        let (here, elsewhere): (Vec<_>, Vec<_>) = finding.labels.iter().partition(|l| l.span.file == file);
        labels.extend(
            here.iter()
                .map(|l| (Some(sources.veiled(&l.message).into_owned()), shown_span(sources, l.span)))
                .map(|(message, span)| LabeledSpan::new_with_span(message, span)),
        );
        let related = elsewhere.iter().map(|label| Shown {
            code: None,
            severity: Severity::Info,
            message: sources.veiled(&label.message).into_owned(),
            help: None,
            labels: vec![LabeledSpan::new_primary_with_span(None, shown_span(sources, label.span))],
            source: Lines { sources, file: label.span.file },
            related: Vec::new(),
        });
        Shown {
            code: Some(code(finding)),
            severity: finding.severity,
            message: sources.veiled(&finding.message).into_owned(),
            help: finding.help.as_deref().map(|help| sources.veiled(help)),
            labels,
            source: Lines { sources, file },
            related: related.collect(),
        }
    }
}

/// The part of a span that is marked: at most a few lines, and never an empty stretch inside a line.
fn shown_span(sources: &Sources, span: Span) -> SourceSpan {
    let text = sources.text(span.file);
    let (mut start, mut end) = ((span.start as usize).min(text.len()), (span.end as usize).min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let marked = &text[start..end.max(start)];
    let lines = memchr::memchr_iter(b'\n', marked.as_bytes()).take(MARKED_LINES).count();
    if lines >= MARKED_LINES || marked.len() > LINE_BYTES {
        let first = memchr::memchr(b'\n', marked.as_bytes()).unwrap_or(marked.len());
        end = start + floor_boundary(marked, first.min(LINE_BYTES));
    }
    SourceSpan::from(start..end.max(start))
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl miette::Diagnostic for Shown<'_> {
    fn code<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        self.code.as_ref().map(|code| Box::new(code) as Box<dyn fmt::Display>)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Info => miette::Severity::Advice,
        })
    }

    fn help<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        (!self.labels.is_empty()).then_some(&self.source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty())
            .then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = _>>)
    }

    fn related<'b>(&'b self) -> Option<Box<dyn Iterator<Item = &'b dyn miette::Diagnostic> + 'b>> {
        let related = self.related.iter().map(|shown| shown as &dyn miette::Diagnostic);
        (!self.related.is_empty()).then(|| Box::new(related) as Box<dyn Iterator<Item = _>>)
    }
}

/// The lines of one file.
struct Lines<'a> {
    sources: &'a Sources,
    file: FileId,
}

impl SourceCode for Lines<'_> {
    fn read_span<'b>(
        &'b self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'b> + 'b>, MietteError> {
        // miette numbers the lines after a carriage return wrongly.
        let text = self.sources.text_to_show(self.file);
        let (start, end) = (span.offset(), span.offset() + span.len());
        if end > text.len() || !text.is_char_boundary(start) || !text.is_char_boundary(end) {
            return Err(MietteError::OutOfBounds);
        }
        let (mut from, mut to) = (start, end);
        if before + after > 0 {
            (from, to) = (line_start(text, start), line_end(text, end));
            let longest = text[from..to].split('\n').map(str::len).max().unwrap_or(0);
            if longest > LINE_BYTES {
                if end - start > 2 * LINE_BYTES {
                    // Two far places in long lines are better shown apart.
                    return Err(MietteError::OutOfBounds);
                }
                from = from.max(ceil_boundary(text, start.saturating_sub(MARGIN_BYTES)));
                to = to.min(floor_boundary(text, end + MARGIN_BYTES));
            } else {
                (from, to) = with_context(text, from, to, before, after);
            }
        }
        let place = self.sources.position(self.file, u32::try_from(from).unwrap_or(u32::MAX));
        let data = &text[from..to];
        Ok(Box::new(MietteSpanContents::new_named(
            self.sources.path(self.file).to_owned(),
            data.as_bytes(),
            SourceSpan::from(from..to),
            place.line - 1,
            place.column - 1,
            data.lines().count().max(1),
        )))
    }
}

/// Adds neighbouring lines that are not too long.
fn with_context(text: &str, mut from: usize, mut to: usize, before: usize, after: usize) -> (usize, usize) {
    for _ in 0..before {
        if from == 0 {
            break;
        }
        let start = line_start(text, from - 1);
        if from - start > LINE_BYTES {
            break;
        }
        from = start;
    }
    for _ in 0..after {
        if to >= text.len() {
            break;
        }
        let end = line_end(text, to + 1);
        if end - to > LINE_BYTES {
            break;
        }
        to = end;
    }
    (from, to)
}

fn ceil_boundary(text: &str, mut at: usize) -> usize {
    while at < text.len() && !text.is_char_boundary(at) {
        at += 1;
    }
    at.min(text.len())
}

/// The start of the line that holds a byte.
fn line_start(text: &str, at: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |newline| newline + 1)
}

/// The end of the line that holds a byte, before its line feed.
fn line_end(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |newline| at + newline)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Info, Stage};
    use crate::source::Sources;

    static INFO_OF_TEST: Info = Info {
        name: "transition-unknown",
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0708"],
        explanation: "text",
    };

    fn render(text: &str, range: std::ops::Range<usize>) -> String {
        let mut sources = Sources::new();
        let file = sources.add("a.xml", text);
        let diagnostic = Diagnostic::new(&INFO_OF_TEST, Span::new(file, range), "no node is named `x`");
        finding(&sources, &diagnostic, false)
    }

    #[test]
    fn the_line_is_shown_with_its_place() {
        let text = render("<a>\n <b to=\"x\"/>\n</a>\n", 11..12);
        assert!(text.starts_with("error[transition-unknown] (E0708)\n"), "{text}");
        assert!(text.contains("[a.xml:2:8]"), "{text}");
        assert!(text.contains("<b to=\"x\"/>"), "{text}");
    }

    #[test]
    fn lines_that_end_as_on_windows_are_numbered_as_others() {
        let unix = "<a>\n <b to=\"x\"/>\n</a>\n";
        let windows = unix.replace('\n', "\r\n");
        let trimmed = |text: String| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
        assert_eq!(trimmed(render(&windows, 12..13)), trimmed(render(unix, 11..12)));
    }

    #[test]
    fn no_span_is_too_odd_or_too_long_to_show() {
        let long = format!("<a>{}é</a>", "x".repeat(100_000));
        for text in ["", "\n", "é", "a\r\nb\n\n", &long, &"line\n".repeat(10_000)] {
            for start in [0, 1, 2, text.len() / 2, text.len()] {
                for end in [start, start + 1, text.len(), text.len() + 5] {
                    let shown = render(text, start..end.max(start));
                    assert!(shown.contains("no node is named"), "{shown}");
                    assert!(shown.len() < 3_000, "{} bytes for {start}..{end}", shown.len());
                }
            }
        }
    }
}
