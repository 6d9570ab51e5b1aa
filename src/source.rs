//! Where text comes from: files, spans, and text whose characters were written differently in the file.
//!
//! Spans count bytes of the text. What renderers need is worked out here on demand: lines, columns, and which byte of the
//! file a place is, since a file may be written in another way than its text.

mod coding;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use self::coding::Runs;
pub use self::coding::{Bad, Coding, Decoded};

/// Names one file among [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// A byte range in one file; `start <= end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of `range` in `file`. Ranges past 4 GiB are cut; readers refuse such files long before.
    pub fn new(file: FileId, range: Range<usize>) -> Span {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { file, start: clamp(range.start), end: clamp(range.end.max(range.start)) }
    }

    /// The byte range.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The empty span at this span's start.
    pub fn at_start(self) -> Span {
        Span { end: self.start, ..self }
    }

    /// The smallest span that holds both; `other` must lie in the same file, else `self` is returned.
    pub fn join(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A place as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Bytes of the file from 0.
    pub offset: usize,
    /// Lines from 1.
    pub line: usize,
    /// Characters (not bytes) from 1.
    pub column: usize,
}

/// One file: its name for messages and its text.
#[derive(Debug)]
struct File {
    path: String,
    text: Arc<str>,
    /// How the file is written.
    coding: Coding,
    runs: Runs,
    line_starts: OnceLock<Vec<u32>>,
    /// How many characters begin before each block of the text, so that columns of long lines take no scan of the line.
    characters: OnceLock<Vec<u32>>,
    /// What nobody shall see.
    veiled: Vec<Range<usize>>,
    /// The text without carriage returns and what is veiled, where there is any.
    shown: OnceLock<Option<String>>,
}

/// Who knows what of a message nobody shall see.
pub trait Redacts: std::fmt::Debug + Send + Sync {
    /// The message without it.
    fn redacted<'t>(&self, text: &'t str) -> Cow<'t, str>;
}

/// All texts that spans refer to. Also holds what is no file, such as `-D` arguments.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<File>,
    /// The texts that nobody shall see.
    secrets: BTreeSet<String>,
    /// Who knows better than these.
    redacts: Option<Box<dyn Redacts>>,
}

/// The length of the blocks of a text for which characters are counted.
const BLOCK_BYTES: usize = 1 << 12;

/// Shorter secrets are not taken out of messages: too many words hold them.
const LEAST_SECRET_CHARS: usize = 4;

impl Sources {
    /// No files.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Takes a text in under the name that messages shall show: one that [`Coding::decode`] gave, or a plain one, which
    /// is written as UTF-8.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<Decoded>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).expect("fewer than 2^32 files"));
        let Decoded { text, coding, runs, .. } = text.into();
        self.files.push(File {
            path: path.into(),
            text: text.into(),
            coding,
            runs,
            line_starts: OnceLock::new(),
            characters: OnceLock::new(),
            veiled: Vec::new(),
            shown: OnceLock::new(),
        });
        id
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// The files in the order in which they were added.
    pub fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..u32::try_from(self.files.len()).unwrap_or(u32::MAX)).map(FileId)
    }

    /// True when nothing was added yet.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The name shown in messages.
    pub fn path(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].path
    }

    /// The whole text.
    pub fn text(&self, file: FileId) -> &str {
        &self.files[file.0 as usize].text
    }

    /// The whole text, for who keeps it while files are added.
    pub fn shared_text(&self, file: FileId) -> Arc<str> {
        self.files[file.0 as usize].text.clone()
    }

    /// How new text is written into the file.
    pub fn coding(&self, file: FileId) -> Coding {
        self.files[file.0 as usize].coding
    }

    /// The whole text as it may be drawn: a blank for each carriage return, so that only line feeds end lines, and stars
    /// for what is veiled. Offsets are the same.
    pub fn text_to_show(&self, file: FileId) -> &str {
        let file = &self.files[file.0 as usize];
        let shown = file.shown.get_or_init(|| {
            let mut shown = file.text.contains('\r').then(|| file.text.replace('\r', " "));
            for range in &file.veiled {
                let text = shown.get_or_insert_with(|| file.text.to_string());
                let hide = |byte: u8| if byte == b'\n' { '\n' } else { '*' };
                let stars: String = text[range.clone()].bytes().map(hide).collect();
                text.replace_range(range.clone(), &stars);
            }
            shown
        });
        shown.as_deref().unwrap_or(&file.text)
    }

    /// Keeps what stands under a span, and whatever message repeats it, from being shown.
    pub fn veil(&mut self, span: Span) {
        let Some(text) = self.files[span.file.0 as usize].text.get(span.range()) else { return };
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
        let decoded = entities.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
        for secret in [text.to_owned(), decoded] {
            if secret.chars().count() >= LEAST_SECRET_CHARS {
                self.secrets.insert(secret);
            }
        }
        let file = &mut self.files[span.file.0 as usize];
        file.veiled.push(span.range());
        file.shown = OnceLock::new();
    }

    /// Leaves it to somebody what messages must not show.
    pub fn redact_with(&mut self, redacts: Box<dyn Redacts>) {
        self.redacts = Some(redacts);
    }

    /// A message without what is veiled.
    pub fn veiled<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if let Some(redacts) = &self.redacts {
            return redacts.redacted(text);
        }
        let mut text = Cow::Borrowed(text);
        // The longer ones first, as one may begin another.
        for secret in self.secrets.iter().rev() {
            if text.contains(secret.as_str()) {
                text = Cow::Owned(text.replace(secret.as_str(), "***"));
            }
        }
        text
    }

    /// The text under a span, empty where the span does not fit the file.
    pub fn slice(&self, span: Span) -> &str {
        self.text(span.file).get(span.range()).unwrap_or("")
    }

    /// Line, column and byte of the file for a byte of the text; one past the end counts as the end.
    pub fn position(&self, file: FileId, offset: u32) -> Position {
        let entry = &self.files[file.0 as usize];
        let starts = entry.line_starts();
        let mut offset = (offset as usize).min(entry.text.len());
        while !entry.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = starts.partition_point(|start| *start as usize <= offset);
        let line_start = starts[line - 1] as usize;
        let column = entry.characters_before(offset) - entry.characters_before(line_start) + 1;
        Position { offset: entry.runs.place(offset), line, column }
    }

    /// The line that holds a byte of the text, without its line feed. The byte after the last line belongs to it.
    pub fn line(&self, file: FileId, offset: usize) -> Range<usize> {
        let entry = &self.files[file.0 as usize];
        let starts = entry.line_starts();
        let next = starts.partition_point(|start| *start as usize <= offset);
        let end = starts.get(next).map_or(entry.text.len(), |next| *next as usize - 1);
        starts[next - 1] as usize..end
    }
}

impl File {
    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let newlines = memchr::memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0).chain(newlines.map(|at| at as u32 + 1)).collect()
        })
    }

    /// How many characters begin before a byte of the text.
    fn characters_before(&self, at: usize) -> usize {
        let begins = |bytes: &[u8]| bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        let bytes = self.text.as_bytes();
        let blocks = self.characters.get_or_init(|| {
            let mut all = 0;
            let before = |block| {
                let before = all;
                all += begins(block) as u32;
                before
            };
            bytes.chunks(BLOCK_BYTES).map(before).collect()
        });
        let block = at / BLOCK_BYTES;
        looked_through(at % BLOCK_BYTES);
        match blocks.get(block) {
            Some(before) => *before as usize + begins(&bytes[block * BLOCK_BYTES..at]),
            // Right behind the last block.
            None => blocks.last().map_or(0, |before| *before as usize + begins(&bytes[at - BLOCK_BYTES..at])),
        }
    }
}

#[cfg(test)]
thread_local! {
    static LOOKED_THROUGH: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Takes note that so many bytes of a text are looked through for what is shown of it: tests hold their number against
/// that of findings.
#[inline]
pub(crate) fn looked_through(_bytes: usize) {
    #[cfg(test)]
    LOOKED_THROUGH.with(|all| all.set(all.get() + _bytes));
}

/// How many bytes this thread has looked through since it was asked last.
#[cfg(test)]
pub(crate) fn looked_through_so_far() -> usize {
    LOOKED_THROUGH.with(std::cell::Cell::take)
}

/// A stretch of decoded text and the bytes it was written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Where it starts in the decoded text.
    pub decoded: u32,
    /// Where it starts in the file.
    pub source: u32,
    /// How many bytes of the file it takes.
    pub source_len: u32,
    /// True when decoded and written bytes are the same, so that offsets within can be carried over.
    pub verbatim: bool,
}

/// Text as a reader understood it (entities, escapes and `CDATA` resolved) that still knows where each piece stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The decoded text.
    pub value: String,
    /// All of it in the file.
    pub span: Span,
    /// With `segments` what [`Text::mapping`] tells; in two fields, as a tree has millions of texts and this is smaller.
    verbatim: bool,
    /// Behind one pointer, as few texts have them; never empty.
    segments: Option<Box<Segments>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Segments(Vec<Segment>);

/// How decoded offsets lead into the file.
enum Mapping<'a> {
    /// Letter by letter from the start of the span.
    Verbatim,
    /// Every part stands at the whole span.
    Whole,
    /// In order, without gaps in the decoded text; not empty.
    Segments(&'a [Segment]),
}

impl Text {
    /// Text that stands in the file letter by letter.
    pub fn verbatim(value: impl Into<String>, span: Span) -> Text {
        Text { value: value.into(), span, verbatim: true, segments: None }
    }

    /// Text that was computed; every part of it is said to stand at `span`.
    pub fn computed(value: impl Into<String>, span: Span) -> Text {
        Text { value: value.into(), span, verbatim: false, segments: None }
    }

    /// Text put together by a reader; `segments` are in order and cover `value`.
    pub fn with_segments(value: impl Into<String>, span: Span, segments: Vec<Segment>) -> Text {
        let segments = (!segments.is_empty()).then(|| Box::new(Segments(segments)));
        Text { value: value.into(), span, verbatim: false, segments }
    }

    fn mapping(&self) -> Mapping<'_> {
        match &self.segments {
            Some(segments) => Mapping::Segments(&segments.0),
            None if self.verbatim => Mapping::Verbatim,
            None => Mapping::Whole,
        }
    }

    /// Texts of one file, one after the other. Panics without any.
    pub fn joined<'a>(texts: impl IntoIterator<Item = &'a Text>) -> Text {
        let mut texts = texts.into_iter();
        let first = texts.next().expect("at least one text");
        let (mut value, mut span) = (first.value.clone(), first.span);
        let mut segments = first.segments();
        for text in texts {
            let offset = value.len() as u32;
            segments
                .extend(text.segments().into_iter().map(|s| Segment { decoded: s.decoded + offset, ..s }));
            value.push_str(&text.value);
            span = span.join(text.span);
        }
        Text::with_segments(value, span, segments)
    }

    /// Where a byte range of the decoded text stands in the file.
    pub fn span_of(&self, range: Range<usize>) -> Span {
        let (start, end) = match self.mapping() {
            Mapping::Whole => return self.span,
            Mapping::Verbatim => {
                let place = |offset: usize| {
                    self.span.start.saturating_add(offset.min(self.value.len()) as u32).min(self.span.end)
                };
                (place(range.start), place(range.end))
            }
            Mapping::Segments(segments) => (
                source_of(segments, range.start.min(self.value.len()), Edge::Start),
                source_of(segments, range.end.min(self.value.len()), Edge::End),
            ),
        };
        // An empty range at a seam stands where the next piece starts.
        let end = if range.is_empty() { start } else { end.max(start) };
        Span { file: self.span.file, start, end }
    }

    /// The text without what `String.trim` of Java cuts: characters up to the blank, at both ends.
    pub fn trimmed(&self) -> Text {
        let cut = |c: char| c <= ' ';
        let start = self.value.len() - self.value.trim_start_matches(cut).len();
        self.part(start..start + self.value.trim_matches(cut).len())
    }

    /// The text up to the first place where the next piece does not follow in the file right after it, as at the
    /// marks of a CDATA section.
    pub fn first_run(&self) -> Text {
        let Mapping::Segments(segments) = self.mapping() else { return self.clone() };
        let gap = segments.windows(2).find(|pair| pair[0].source + pair[0].source_len != pair[1].source);
        self.part(0..gap.map_or(self.value.len(), |pair| pair[1].decoded as usize))
    }

    /// A part of the text, with its places. `range` must lie on character boundaries.
    pub fn part(&self, range: Range<usize>) -> Text {
        let span = self.span_of(range.clone());
        let value = self.value[range.clone()].to_owned();
        let Mapping::Segments(segments) = self.mapping() else {
            return Text { value, span, verbatim: self.verbatim, segments: None };
        };
        let first = segments.partition_point(|s| s.decoded as usize <= range.start).saturating_sub(1);
        let mut parts = Vec::new();
        for (index, segment) in segments.iter().enumerate().skip(first) {
            let next = segments.get(index + 1).map_or(self.value.len(), |s| s.decoded as usize);
            let start = (segment.decoded as usize).max(range.start);
            let end = next.min(range.end);
            if segment.decoded as usize >= range.end {
                break;
            }
            if start >= end {
                continue;
            }
            let skipped = if segment.verbatim { start as u32 - segment.decoded } else { 0 };
            let source_len = if segment.verbatim { (end - start) as u32 } else { segment.source_len };
            parts.push(Segment {
                decoded: (start - range.start) as u32,
                source: segment.source + skipped,
                source_len,
                verbatim: segment.verbatim,
            });
        }
        Text::with_segments(value, span, parts)
    }

    /// The pieces; one for text that has none.
    fn segments(&self) -> Vec<Segment> {
        let whole = |verbatim| Segment {
            decoded: 0,
            source: self.span.start,
            source_len: self.span.end - self.span.start,
            verbatim,
        };
        match self.mapping() {
            _ if self.value.is_empty() => Vec::new(),
            Mapping::Verbatim => vec![whole(true)],
            Mapping::Whole => vec![whole(false)],
            Mapping::Segments(segments) => segments.to_vec(),
        }
    }
}

/// Which end of a range an offset is.
#[derive(Clone, Copy, PartialEq)]
enum Edge {
    Start,
    End,
}

/// The file offset for a decoded offset; at a seam, an end belongs to the piece before it.
fn source_of(segments: &[Segment], offset: usize, edge: Edge) -> u32 {
    let offset = offset as u32;
    let index = match edge {
        Edge::Start => segments.partition_point(|s| s.decoded <= offset),
        Edge::End => segments.partition_point(|s| s.decoded < offset),
    };
    let Some(segment) = index.checked_sub(1).map(|index| &segments[index]) else {
        return segments[0].source;
    };
    let end = segment.source + segment.source_len;
    if segment.verbatim {
        (segment.source + (offset - segment.decoded)).min(end)
    } else if edge == Edge::End {
        end
    } else {
        segment.source
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity_text() -> (Sources, Text) {
        let mut sources = Sources::new();
        let file = sources.add("a.xml", "x&lt;y");
        let segment =
            |decoded, source, source_len, verbatim| Segment { decoded, source, source_len, verbatim };
        let segments = vec![segment(0, 0, 1, true), segment(1, 1, 4, false), segment(2, 5, 1, true)];
        (sources, Text::with_segments("x<y", Span::new(file, 0..6), segments))
    }

    #[test]
    fn spans_reach_through_entities() {
        let (_, text) = entity_text();
        let range = |r: Range<usize>| text.span_of(r).range();
        assert_eq!(range(0..1), 0..1);
        assert_eq!(range(1..2), 1..5);
        assert_eq!(range(2..3), 5..6);
        assert_eq!(range(0..3), 0..6);
        assert_eq!(text.part(1..3).span_of(1..2).range(), 5..6);
        let twice = Text::joined([&text, &text]);
        assert_eq!(twice.value, "x<yx<y");
        assert_eq!(twice.span_of(4..5).range(), 1..5);
    }

    #[test]
    fn trimming_is_javas() {
        let mut sources = Sources::new();
        let file = sources.add("a", " \u{1}\u{a0}x\n");
        let text = Text::verbatim(" \u{1}\u{a0}x\n", Span::new(file, 0..6)).trimmed();
        assert_eq!((text.value.as_str(), text.span.range()), ("\u{a0}x", 2..5));
    }

    #[test]
    fn places_in_long_lines_are_those_of_a_scan() {
        let line = "aé€\u{1F600}".repeat(BLOCK_BYTES / 7);
        for text in ["x".repeat(2 * BLOCK_BYTES), format!("é\n{line}\n\n{line}{line}"), String::new()] {
            let mut sources = Sources::new();
            let file = sources.add("a.xml", text.as_str());
            let near = |at: usize| at.saturating_sub(9)..at + 9;
            let blocks = (0..=text.len() / BLOCK_BYTES).flat_map(|block| near(block * BLOCK_BYTES));
            for offset in blocks.chain(near(text.len())).map(|offset| offset.min(text.len())) {
                let at = (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
                let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
                let found = sources.position(file, offset as u32);
                let expected = (text[..at].matches('\n').count() + 1, text[start..at].chars().count() + 1);
                assert_eq!((found.line, found.column), expected, "byte {offset} of {}", text.len());
                let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
                assert_eq!(sources.line(file, at), start..end, "byte {at} of {}", text.len());
            }
        }
    }

    #[test]
    fn positions_count_characters_and_lines() {
        let mut sources = Sources::new();
        let file = sources.add("a", "é\nab\n");
        let place = |offset| {
            let p = sources.position(file, offset);
            (p.line, p.column)
        };
        assert_eq!(place(0), (1, 1));
        assert_eq!(place(2), (1, 2));
        assert_eq!(place(3), (2, 1));
        assert_eq!(place(99), (3, 1));
    }
}
