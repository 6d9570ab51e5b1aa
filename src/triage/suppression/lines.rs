//! Comments of properties files, and lines.

use super::Comment;

/// Where the lines of a text begin.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Lines<'t> {
        let breaks = memchr::memchr_iter(b'\n', text.as_bytes());
        Lines { text, starts: std::iter::once(0).chain(breaks.map(|at| at + 1)).collect() }
    }

    /// The line of an offset, from 0.
    pub(super) fn number(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
    }

    /// The lines from that of the first offset to that of the last.
    pub(super) fn around(&self, first: usize, last: usize) -> std::ops::Range<usize> {
        let next = self.starts.get(self.number(last) + 1);
        self.starts[self.number(first)]..next.copied().unwrap_or(self.text.len())
    }
}

/// The comments of a properties file. What they cover is the entry that follows, with all of its lines.
pub(super) fn comments(text: &str) -> Vec<Comment> {
    let mut comments: Vec<Comment> = Vec::new();
    // Comments that no entry has followed yet begin here.
    let mut open = 0;
    let mut entry: Option<usize> = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let end = offset + line.len();
        let body = line.trim_end_matches(['\n', '\r']);
        let words = body.trim_start_matches([' ', '\t', '\u{c}']);
        if entry.is_none() && words.starts_with(['#', '!']) {
            let start = end - (line.len() - (body.len() - words.len())) + 1;
            comments.push(Comment { words: start..offset + body.len(), place: end..end, line: offset..end });
        } else if entry.is_some() || !words.is_empty() {
            let start = entry.unwrap_or(offset);
            let slashes = body.len() - body.trim_end_matches('\\').len();
            entry = (slashes % 2 == 1).then_some(start);
            if entry.is_none() {
                for comment in &mut comments[open..] {
                    comment.place = start..end;
                }
                open = comments.len();
            }
        }
        offset = end;
    }
    if let Some(start) = entry {
        for comment in &mut comments[open..] {
            comment.place = start..text.len();
        }
    }
    comments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_covers_the_entry_below_it() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let found = comments(text);
            let found: Vec<_> =
                found.iter().map(|one| (&text[one.words.clone()], &text[one.place.clone()])).collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check("#a\nb=1\nc=2\n", &[("a", "b=1\n")]);
        check("  ! a\r\n#d\r\n\r\nb=1\r\n", &[(" a", "b=1\r\n"), ("d", "b=1\r\n")]);
        check("#a\nb=1\\\n# no comment\nc=2", &[("a", "b=1\\\n# no comment\n")]);
        check("#a\nb=1\\\\\n#c\n", &[("a", "b=1\\\\\n"), ("c", "")]);
        check("#a\nb=1\\\n", &[("a", "b=1\\\n")]);
        check("", &[]);
    }
}
