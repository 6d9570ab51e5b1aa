//! A finding as plain data that outlives its sources: all that any renderer needs, and no more.
//!
//! Lines and columns are worked out while the sources are at hand; afterwards the texts can be forgotten, so that the
//! memory needed grows with the findings only.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::analysis::secrets::shown_within;
use crate::diag::{Diagnostic, Info, Severity, Stage, Subject};
use crate::report::full;
use crate::source::{Coding, Position, Sources, Span};

/// Longer lines are cut in [`Record::line_text`].
const LINE_TEXT_CHARS: usize = 200;

/// What is made of findings beside the plain data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Findings of at least this severity are drawn with the lines of their source.
    pub drawn_down_to: Option<Severity>,
    /// With colours.
    pub color: bool,
    /// How many columns a line of a drawing may take.
    pub columns: usize,
}

impl Style {
    /// Plain data only.
    pub const DATA: Style = Style { drawn_down_to: None, color: false, columns: Style::COLUMNS };

    /// How wide a drawing is where no terminal says how wide it is, so that output is the same everywhere.
    pub const COLUMNS: usize = 200;

    fn draws(self, severity: Severity) -> bool {
        self.drawn_down_to.is_some_and(|least| severity <= least)
    }
}

/// A stretch of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as messages show it.
    pub file: Arc<str>,
    /// Its first character.
    pub start: Position,
    /// One past its last character.
    pub end: Position,
}

impl Place {
    /// The place of a span.
    pub fn of(sources: &Sources, file: &Arc<str>, span: Span) -> Place {
        let start = sources.position(span.file, span.start);
        let end = if span.end == span.start { start } else { sources.position(span.file, span.end) };
        Place { file: Arc::clone(file), start, end }
    }
}

/// A second place that a finding speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordLabel {
    /// Where.
    pub place: Place,
    /// What is there.
    pub message: String,
}

/// One replacement of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordEdit {
    /// What is replaced; empty for an insertion.
    pub place: Place,
    /// What stands there afterwards.
    pub text: String,
    /// How the file writes it.
    pub coding: Coding,
}

/// A way to mend a finding by editing files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFix {
    /// True when it may be applied unasked.
    pub safe: bool,
    /// The replacements, none overlapping.
    pub edits: Vec<RecordEdit>,
    /// A secret stands in what is put in. Such a fix is made, and shown to nobody: with stars it would be another one.
    pub holds_secret: bool,
}

/// How many sets of properties a text names.
const MOST_NAMED: usize = 5;

/// The sets of properties under which a finding holds, where it does not hold under all that lead to its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Under {
    /// Their properties files, sorted.
    pub files: BTreeSet<Arc<str>>,
    /// How many sets of properties lead to the file.
    pub of: usize,
}

impl Under {
    /// Together with others.
    pub fn with(mut self, more: Under) -> Under {
        self.files.extend(more.files);
        self
    }

    /// In words, for people: ``in 2 of 3: `prod.properties`, `qa.properties` ``.
    pub fn words(&self) -> String {
        let mut names: Vec<String> =
            self.files.iter().take(MOST_NAMED).map(|file| format!("`{file}`")).collect();
        if self.files.len() > MOST_NAMED {
            names.push(format!("{} more", self.files.len() - MOST_NAMED));
        }
        format!("in {} of {}: {}", self.files.len(), self.of, names.join(", "))
    }
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its kind.
    pub rule: &'static Info,
    /// How bad it is.
    pub severity: Severity,
    /// When a server would notice.
    pub stage: Option<Stage>,
    /// The server's codes, outermost first.
    pub oozie: Vec<&'static str>,
    /// The status with which a web service refuses it, where one does.
    pub http: Option<u16>,
    /// One line: what is wrong.
    pub message: Arc<str>,
    /// What it is about, where that has a name.
    pub subject: Option<Subject>,
    /// Under which sets of properties it holds; none: under all, or whatever they are.
    pub under: Option<Under>,
    /// Where.
    pub place: Place,
    /// Where it stands in words that stay the same while lines move, when a baseline asks for it.
    pub at: Option<String>,
    /// The line where it starts, without blanks at its ends, cut when very long: what stays the same when lines move.
    pub line_text: String,
    /// What stands at the primary place.
    pub label: Option<String>,
    /// Other places.
    pub labels: Vec<RecordLabel>,
    /// The way out.
    pub help: Option<String>,
    /// The way out as an edit.
    pub fix: Option<RecordFix>,
    /// The finding with the lines of its source, where the [`Style`] wants that.
    pub drawn: Option<String>,
}

/// Takes paths in once each, however many findings name them.
#[derive(Debug, Default)]
pub(crate) struct Paths(Vec<Arc<str>>);

impl Paths {
    fn of(&mut self, sources: &Sources, span: Span) -> Arc<str> {
        let path = sources.path(span.file);
        // A program has few files, and the last one is asked for most.
        match self.0.iter().rev().find(|known| known.as_ref() == path) {
            Some(known) => Arc::clone(known),
            None => {
                let path: Arc<str> = path.into();
                self.0.push(Arc::clone(&path));
                path
            }
        }
    }
}

/// Whether a text that is to be put into a file holds a secret.
fn shows_secret(sources: &Sources, text: &str) -> bool {
    sources.veiled(text) != text || shown_within(text).next().is_some()
}

impl Record {
    /// The record of one finding.
    pub fn of(sources: &Sources, finding: &Diagnostic, style: Style) -> Record {
        Record::with_paths(sources, finding, style, &mut Paths::default())
    }

    pub(crate) fn with_paths(
        sources: &Sources,
        finding: &Diagnostic,
        style: Style,
        paths: &mut Paths,
    ) -> Record {
        let mut place = |span: Span| Place::of(sources, &paths.of(sources, span), span);
        let labels = finding.labels.iter().map(|label| RecordLabel {
            place: place(label.span),
            message: sources.veiled(&label.message).into_owned(),
        });
        let labels = labels.collect();
        let fix = finding.fix.as_ref().map(|fix| RecordFix {
            safe: fix.safe,
            holds_secret: fix.edits.iter().any(|edit| shows_secret(sources, &edit.text)),
            edits: fix
                .edits
                .iter()
                .map(|edit| RecordEdit {
                    place: place(edit.span),
                    text: edit.text.clone(),
                    coding: sources.coding(edit.span.file),
                })
                .collect(),
        });
        Record {
            rule: finding.rule,
            severity: finding.severity,
            stage: finding.stage,
            oozie: finding.oozie.clone(),
            http: finding.http,
            message: sources.veiled(&finding.message).into(),
            subject: finding.subject.clone(),
            under: None,
            place: place(finding.span),
            at: None,
            line_text: line_text(sources, finding.span),
            label: finding.label.as_deref().map(|label| sources.veiled(label).into_owned()),
            labels,
            help: finding.help.as_deref().map(|help| sources.veiled(help).into_owned()),
            fix,
            drawn: style.draws(finding.severity).then(|| full::finding(sources, finding, style)),
        }
    }

    /// The fix, where it may be shown.
    pub fn shown_fix(&self) -> Option<&RecordFix> {
        self.fix.as_ref().filter(|fix| !fix.holds_secret)
    }

    /// The message, with the sets of properties under which it holds where these are not all.
    pub fn words(&self) -> String {
        match &self.under {
            None => self.message.to_string(),
            Some(under) => format!("{} ({})", self.message, under.words()),
        }
    }

    /// A number that stays the same while lines move, wherever the program is built and run: from the rule, the file,
    /// the message and the text of the line. `nth` tells apart what is the same in all of these, counted from 0.
    pub fn fingerprint(&self, file: &str, nth: usize) -> u128 {
        let mut hash = Fnv::new();
        for part in [self.rule.name, file, &self.message, &self.line_text] {
            hash.write(part.as_bytes());
            // A byte that no text holds keeps the parts apart.
            hash.write(&[0xFF]);
        }
        hash.write(&(nth as u64).to_le_bytes());
        hash.0
    }
}

/// The first line under a span, trimmed and cut.
fn line_text(sources: &Sources, span: Span) -> String {
    let text = sources.text_to_show(span.file).as_bytes();
    let at = (span.start as usize).min(text.len());
    let line = sources.line(span.file, at);
    let most = line.end.min(line.start + 4 * LINE_TEXT_CHARS);
    let line = String::from_utf8_lossy(&text[line.start..most]);
    line.trim().chars().take(LINE_TEXT_CHARS).collect()
}

/// FNV-1a of 128 bits: short, and the same in every version of everything.
struct Fnv(u128);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Group;

    static RULE: Info = Info {
        name: "of-test",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &["E0708"],
        explanation: "text",
    };

    fn record(text: &str, range: std::ops::Range<usize>) -> Record {
        let mut sources = Sources::new();
        let file = sources.add("a.xml", text);
        Record::of(&sources, &Diagnostic::new(&RULE, Span::new(file, range), "wrong"), Style::DATA)
    }

    #[test]
    fn hashes_are_the_published_ones() {
        let mut hash = Fnv::new();
        hash.write(b"foobar");
        assert_eq!(hash.0, 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18);
    }

    #[test]
    fn fingerprints_survive_moved_lines() {
        let (a, b) = (record("<a>\n  <b/>\n</a>", 6..10), record("<a>\n\n\n\t<b/>\r\n</a>", 7..11));
        assert_eq!(a.line_text, "<b/>");
        assert_eq!(a.fingerprint("a.xml", 0), b.fingerprint("a.xml", 0));
        assert_ne!(a.fingerprint("a.xml", 0), b.fingerprint("a.xml", 1));
        assert_ne!(a.fingerprint("a.xml", 0), a.fingerprint("b.xml", 0));
    }

    #[test]
    fn lines_are_cut() {
        let long = "é".repeat(1000);
        assert_eq!(record(&long, 0..2).line_text.chars().count(), LINE_TEXT_CHARS);
        assert_eq!(record("", 0..0).line_text, "");
        assert_eq!(record("a", 5..9).line_text, "a");
    }
}
