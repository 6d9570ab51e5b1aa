//! A finding with the lines of the source around it, for people.
//!
//! miette draws; this module gives it lines in constant time and keeps what it draws short.

use std::borrow::Cow;
use std::fmt;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode,
    SourceSpan, SpanContents,
};

use super::record::Style;
use crate::diag::{Diagnostic, Severity};
use crate::source::{FileId, Sources, Span, looked_through};

/// The widest that messages run on, on however wide a terminal.
const WIDTH: usize = 110;

/// A marked stretch of more lines than this is cut to its first line.
const MARKED_LINES: usize = 6;

/// What stands left of a line of source: its number and a rule.
const GUTTER_COLUMNS: usize = 10;

/// How many columns a tab takes, as miette draws it.
const TAB_COLUMNS: usize = 4;

/// One finding as text that ends with a line feed.
pub fn finding(sources: &Sources, finding: &Diagnostic, style: Style) -> String {
    let theme = if style.color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(style.columns.min(WIDTH))
        .tab_width(TAB_COLUMNS)
        .with_links(false)
        .with_break_words(false)
        .with_context_lines(1);
    let mut text = String::new();
    if handler
        .render_report(
            &mut text,
            &Shown::primary(sources, finding, style.columns.saturating_sub(GUTTER_COLUMNS)),
        )
        .is_err()
    {
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
    } else if sources.text(finding.span.file).is_empty() {
        // Nothing is drawn that would name the file.
        text.push_str(&format!("  in `{}`\n", sources.path(finding.span.file)));
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
    /// `columns` is how wide a line of source may be.
    fn primary(sources: &'a Sources, finding: &'a Diagnostic, columns: usize) -> Shown<'a> {
        let file = finding.span.file;
        let mut labels = Vec::new();
        if !sources.text(file).is_empty() {
            let span = shown_span(sources, finding.span, columns);
            let label = finding.label.as_deref().map(|label| sources.veiled(label).into_owned());
            labels.push(LabeledSpan::new_primary_with_span(label, span));
        }
        let (here, elsewhere): (Vec<_>, Vec<_>) = finding.labels.iter().partition(|l| l.span.file == file);
        labels.extend(
            here.iter()
                .map(|l| {
                    (Some(sources.veiled(&l.message).into_owned()), shown_span(sources, l.span, columns))
                })
                .map(|(message, span)| LabeledSpan::new_with_span(message, span)),
        );
        let related = elsewhere.iter().map(|label| Shown {
            code: None,
            severity: Severity::Info,
            message: sources.veiled(&label.message).into_owned(),
            help: None,
            labels: vec![LabeledSpan::new_primary_with_span(None, shown_span(sources, label.span, columns))],
            source: Lines { sources, file: label.span.file, columns },
            related: Vec::new(),
        });
        Shown {
            code: Some(code(finding)),
            severity: finding.severity,
            message: sources.veiled(&finding.message).into_owned(),
            help: finding.help.as_deref().map(|help| sources.veiled(help)),
            labels,
            source: Lines { sources, file, columns },
            related: related.collect(),
        }
    }
}

/// The part of a span that is marked: at most a few lines, and never an empty stretch inside a line.
fn shown_span(sources: &Sources, span: Span, columns: usize) -> SourceSpan {
    let text = sources.text(span.file);
    let (mut start, mut end) = ((span.start as usize).min(text.len()), (span.end as usize).min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let marked = &text[start..end.max(start)];
    let is_long = marked.len() > MARKED_LINES * columns;
    let lines = || memchr::memchr_iter(b'\n', marked.as_bytes()).take(MARKED_LINES).count();
    if is_long || lines() >= MARKED_LINES || widest(marked, columns).is_none() {
        let first = sources.line(span.file, start).end.saturating_sub(start).min(marked.len());
        end = start + fitting(&marked[..first], columns);
    }
    SourceSpan::from(start..end.max(start))
}

/// How many columns the widest line of a text takes; nothing where one takes more than there are. Of a line that is too
/// long no more is looked at than shows that.
fn widest(text: &str, columns: usize) -> Option<usize> {
    let (mut at, mut widest) = (0, 0);
    loop {
        let rest = &text.as_bytes()[at..];
        let near = &rest[..rest.len().min(columns + 1)];
        let end = match memchr::memchr(b'\n', near) {
            Some(end) => end,
            None if near.len() > columns => return None,
            None => near.len(),
        };
        looked_through(end);
        widest = widest.max(width(&text[at..at + end]));
        at += end + 1;
        if widest > columns {
            return None;
        }
        if at > text.len() {
            return Some(widest);
        }
    }
}

/// How many columns a text takes at most: no character is wider than its bytes, but for tabs.
fn width(text: &str) -> usize {
    looked_through(text.len());
    text.len() + memchr::memchr_iter(b'\t', text.as_bytes()).count() * (TAB_COLUMNS - 1)
}

/// The last boundary between characters at or before a byte.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// How many bytes of the beginning of a text fit into so many columns.
fn fitting(text: &str, columns: usize) -> usize {
    let mut left = columns;
    for (at, c) in text.char_indices() {
        let wide = if c == '\t' { TAB_COLUMNS } else { c.len_utf8() };
        if wide > left {
            return at;
        }
        left -= wide;
    }
    text.len()
}

/// How many bytes of the end of a text fit into so many columns.
fn fitting_end(text: &str, columns: usize) -> usize {
    let mut left = columns;
    for (at, c) in text.char_indices().rev() {
        let wide = if c == '\t' { TAB_COLUMNS } else { c.len_utf8() };
        if wide > left {
            return text.len() - at - c.len_utf8();
        }
        left -= wide;
    }
    text.len()
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
    /// How wide a line may be.
    columns: usize,
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
            let line = |at| self.sources.line(self.file, at);
            (from, to) = (line(start).start, line(end).end);
            let columns = self.columns;
            // Of a long line no more is looked at than can be shown.
            (from, to) = (
                from.max(floor(text, start.saturating_sub(columns + 1))),
                to.min(floor(text, end + columns + 4)),
            );
            // Two far places in long lines are better shown apart.
            let marked = widest(&text[start..end], columns).ok_or(MietteError::OutOfBounds)?;
            if widest(&text[from..to], columns).is_none() {
                // What the line has on either side, as far as there is room for both.
                let room = columns - marked;
                let ahead =
                    width(&text[from..start]).min((room / 2).max(room.saturating_sub(width(&text[end..to]))));
                from = start - fitting_end(&text[from..start], ahead);
                to = end + fitting(&text[end..to], room - ahead);
            } else {
                (from, to) = with_context(text, &line, from..to, before, after, self.columns);
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
fn with_context(
    text: &str,
    line: &dyn Fn(usize) -> std::ops::Range<usize>,
    marked: std::ops::Range<usize>,
    before: usize,
    after: usize,
    columns: usize,
) -> (usize, usize) {
    let (mut from, mut to) = (marked.start, marked.end);
    for _ in 0..before {
        if from == 0 {
            break;
        }
        let start = line(from - 1).start;
        if from - start > columns + 1 || width(&text[start..from]) > columns {
            break;
        }
        from = start;
    }
    for _ in 0..after {
        if to >= text.len() {
            break;
        }
        let end = line(to + 1).end;
        if end - to > columns + 1 || width(&text[to..end]) > columns {
            break;
        }
        to = end;
    }
    (from, to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Group;
    use crate::diag::{Info, Stage};
    use crate::source::Sources;

    static INFO_OF_TEST: Info = Info {
        name: "transition-unknown",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0708"],
        explanation: "text",
    };

    fn render(text: &str, range: std::ops::Range<usize>) -> String {
        let mut sources = Sources::new();
        let file = sources.add("a.xml", text);
        let diagnostic = Diagnostic::new(&INFO_OF_TEST, Span::new(file, range), "no node is named `x`");
        finding(&sources, &diagnostic, Style::DATA)
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

    /// Two marks in one long line, near each other and far apart, on terminals of any width.
    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let text =
            format!("<a>\n{}<b/>\t{}<c/>{}\n</a>\n", "x ".repeat(400), "é\t".repeat(300), "y".repeat(500));
        let mut sources = Sources::new();
        let file = sources.add("a.xml", text.as_str());
        let place = |what: &str| {
            let at = text.find(what).expect("it is there");
            Span::new(file, at..at + 4)
        };
        for columns in [40, 80, 110, 250] {
            for label in [place("<b/>"), place("<c/>"), Span::new(file, 0..text.len())] {
                let diagnostic = Diagnostic::new(&INFO_OF_TEST, place("<b/>"), "wrong").label(label, "here");
                let shown = finding(&sources, &diagnostic, Style { columns, ..Style::DATA });
                let widest = shown.lines().map(|line| line.chars().count()).max().unwrap_or(0);
                assert!(widest <= columns, "{widest} of {columns} columns: {shown}");
                assert!(shown.contains("<b/>"), "{shown}");
            }
        }
    }

    /// Findings in one long line, each with a second place at its beginning, its end and beside it: twice as many of them
    /// take twice the work. What is counted is how much of the text is looked through, not time.
    #[test]
    fn the_work_grows_with_the_findings_alone() {
        let work = |count: usize| {
            let text = "<a b=\"c\"/>".repeat(count);
            let mut sources = Sources::new();
            let file = sources.add("a.xml", text.as_str());
            let places: Vec<Span> = (0..count).map(|nth| Span::new(file, nth * 10..nth * 10 + 9)).collect();
            crate::source::looked_through_so_far();
            for (nth, place) in places.iter().enumerate() {
                let (first, last, next) = (places[0], places[count - 1], places[(nth + 1) % count]);
                let mut diagnostic = Diagnostic::new(&INFO_OF_TEST, *place, "wrong");
                for other in [first, last, next, Span::new(file, 0..text.len())] {
                    diagnostic = diagnostic.label(other, "here");
                }
                let style = Style { drawn_down_to: Some(Severity::Info), ..Style::DATA };
                let record = crate::report::record::Record::of(&sources, &diagnostic, style);
                assert!(record.drawn.is_some_and(|text| text.len() < 10_000));
            }
            crate::source::looked_through_so_far()
        };
        let (few, many) = (work(2_000), work(4_000));
        assert!(few > 2_000 && 2 * many < 5 * few, "{few} bytes for 2,000 findings, {many} for 4,000");
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
                    let widest = shown.lines().map(|line| line.chars().count()).max().unwrap_or(0);
                    assert!(widest <= Style::COLUMNS, "{widest} columns for {start}..{end}: {shown}");
                }
            }
        }
    }
}
