//! Edits of a file's bytes. What no edit names stays as it is.

use crate::source::Coding;

/// A replacement in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// First byte of the file.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What stands there afterwards.
    pub text: String,
    /// How the file writes it.
    pub coding: Coding,
}

/// Why a file is not edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The place is not there.
    #[error("the file is not what was checked")]
    Place,
    /// Two replacements overlap.
    #[error("two edits overlap")]
    Overlap,
    /// The new text has characters that the file's encoding does not.
    #[error("the encoding of the file cannot hold the new text")]
    Encoding,
}

/// Applies changes to the bytes of a file.
pub fn apply(bytes: &[u8], changes: &[Change]) -> Result<Vec<u8>, EditError> {
    let mut changes: Vec<&Change> = changes.iter().collect();
    changes.sort_by_key(|change| (change.start, change.end));
    if changes.windows(2).any(|pair| pair[1].start < pair[0].end) {
        return Err(EditError::Overlap);
    }
    if changes.iter().any(|change| change.start > change.end || change.end > bytes.len()) {
        return Err(EditError::Place);
    }
    let mut out = Vec::with_capacity(bytes.len() + 64);
    let mut done = 0;
    for (index, change) in changes.iter().enumerate() {
        let (mut start, mut end) = (change.start, change.end);
        let holds_ascii = !matches!(change.coding, Coding::Utf16 { .. });
        if change.text.is_empty() && holds_ascii && start < end {
            let next = changes.get(index + 1).map_or(bytes.len(), |next| next.start);
            (start, end) = with_line(bytes, start, end, done, next);
        }
        out.extend_from_slice(&bytes[done..start]);
        if holds_ascii && start == end && change.text.starts_with('<') {
            out.extend_from_slice(own_line(bytes, start));
        }
        out.extend(change.coding.encode(&change.text).ok_or(EditError::Encoding)?);
        done = end;
    }
    out.extend_from_slice(&bytes[done..]);
    Ok(out)
}

/// A stretch that is taken out, with the rest of its lines when these hold nothing else, so that no blank line is left.
/// `least` and `most` belong to the edits around it.
fn with_line(bytes: &[u8], start: usize, end: usize, least: usize, most: usize) -> (usize, usize) {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let before = bytes[least..start].iter().rev().take_while(|byte| is_blank(byte)).count();
    let after = bytes[end..most].iter().take_while(|byte| is_blank(byte)).count();
    let (line_start, line_end) = (start - before, end + after);
    let begins = line_start == 0 || bytes[line_start - 1] == b'\n';
    let rest = &bytes[line_end..most];
    let line_feed = if rest.starts_with(b"\r\n") { 2 } else { usize::from(rest.starts_with(b"\n")) };
    if begins && line_feed > 0 { (line_start, line_end + line_feed) } else { (start, end) }
}

/// What goes before an element that is put behind another one which has its line to itself: the end of that line and its
/// indentation, so that two elements never share a line that held one.
fn own_line(bytes: &[u8], at: usize) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let after = &bytes[at + bytes[at..].iter().take_while(|byte| is_blank(byte)).count()..];
    let ends_line = after.starts_with(b"\n") || after.starts_with(b"\r\n");
    let Some(feed) = memchr::memrchr(b'\n', &bytes[..at]) else { return b"" };
    let indent = bytes[feed + 1..at].iter().take_while(|byte| is_blank(byte)).count();
    if !ends_line || bytes.get(feed + 1 + indent) != Some(&b'<') || bytes[at - 1] != b'>' {
        return b"";
    }
    let start = if feed > 0 && bytes[feed - 1] == b'\r' { feed - 1 } else { feed };
    &bytes[start..feed + 1 + indent]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Sources, Span};
    use proptest::prelude::*;

    fn change(start: usize, end: usize, text: &str) -> Change {
        Change { start, end, text: text.to_owned(), coding: Coding::Utf8 }
    }

    /// The change of a range of a text that stands for these bytes.
    fn change_of(bytes: &[u8], coding: Coding, range: std::ops::Range<usize>, text: &str) -> Change {
        let mut sources = Sources::new();
        let file = sources.add("a", coding.decode(bytes));
        let span = Span::new(file, range);
        let place = |offset| sources.position(file, offset).offset;
        let (start, end) = (place(span.start), place(span.end));
        Change { start, end, text: text.to_owned(), coding: sources.coding(file) }
    }

    #[test]
    fn every_encoding_keeps_its_bytes() {
        let check = |bytes: &[u8], coding, start, end, expected: &[u8]| {
            let changed = apply(bytes, &[change_of(bytes, coding, start..end, "yy")]);
            assert_eq!(changed.as_deref(), Ok(expected), "{bytes:?}");
        };
        check("\u{feff}é\r\nx\r\n".as_bytes(), Coding::Utf8, 7, 8, "\u{feff}é\r\nyy\r\n".as_bytes());
        check(b"\xff\xe9x\xffz", Coding::Utf8, 6, 7, b"\xff\xe9yy\xffz");
        check(b"\xe9x\xe9", Coding::Latin1, 2, 3, b"\xe9yy\xe9");
        check(b"\xff\xfe\xe9\0x\0", Coding::Utf16 { big_endian: false }, 5, 6, b"\xff\xfe\xe9\0y\0y\0");
        check(b"", Coding::Utf8, 0, 0, b"yy");
    }

    #[test]
    fn no_blank_line_is_left() {
        let check = |text: &str, expected: &str| {
            let (start, end) = (text.find('<').expect("a start"), text.find('>').expect("an end") + 1);
            let changed = apply(text.as_bytes(), &[change(start, end, "")]).expect("it fits");
            assert_eq!(String::from_utf8(changed).as_deref(), Ok(expected), "{text:?}");
        };
        check("a\n  <b> \nc", "a\nc");
        check("a\r\n  <b\r\n/>\r\nc", "a\r\nc");
        check("<b>\nc", "c");
        check("a <b>\nc", "a \nc");
        check("a\n  <b> c", "a\n   c");
        check("a\n  <b>", "a\n  ");
    }

    #[test]
    fn an_element_gets_a_line_of_its_own_where_its_neighbour_has_one() {
        let check = |text: &str, expected: &str| {
            let at = text.find('|').expect("a place");
            let text = text.replace('|', "");
            let changed = apply(text.as_bytes(), &[change(at, at, "<b/>")]).expect("it fits");
            assert_eq!(String::from_utf8(changed).as_deref(), Ok(expected), "{text:?}");
        };
        check("<d>\n  <a/>|\n</d>", "<d>\n  <a/>\n  <b/>\n</d>");
        check("<d>\r\n\t<a/>| \r\n</d>", "<d>\r\n\t<a/>\r\n\t<b/> \r\n</d>");
        check("<d><a/>|</d>\n", "<d><a/><b/></d>\n");
        check("<d>\n  x <a/>|\n</d>", "<d>\n  x <a/><b/>\n</d>");
        check("<d>\n  |\n</d>", "<d>\n  <b/>\n</d>");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let refused = |bytes: &[u8], changes: &[Change]| apply(bytes, changes).expect_err("refused");
        assert_eq!(refused(b"abc", &[change(2, 9, "")]), EditError::Place);
        assert_eq!(refused(b"abc", &[change(0, 2, ""), change(1, 3, "")]), EditError::Overlap);
        assert_eq!(refused(b"\xff", &[change_of(b"\xff", Coding::Utf8, 3..3, "é")]), EditError::Encoding);
    }

    proptest! {
        /// Whatever the bytes and the changes: the text afterwards is the changed text, or the change is refused.
        #[test]
        fn bytes_change_as_the_text_does(
            bytes in proptest::collection::vec(prop_oneof![any::<u8>(), b'a'..=b'c', Just(0xC3), Just(0xA9)], 0..40),
            places in proptest::collection::vec((0usize..60, 0usize..10, "[a-z]{1,3}"), 0..5),
        ) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let floor = |mut at: usize| {
                at = at.min(text.len());
                while !text.is_char_boundary(at) { at -= 1; }
                at
            };
            let mut ranges: Vec<_> =
                places.iter().map(|(start, length, new)| (floor(*start)..floor(start + length), new)).collect();
            ranges.sort_by_key(|(range, _)| (range.start, range.end));
            let changes: Vec<Change> = ranges
                .iter()
                .map(|(range, new)| change_of(&bytes, Coding::Utf8, range.clone(), new))
                .collect();
            if let Ok(changed) = apply(&bytes, &changes) {
                let mut expected = text.clone();
                for (range, new) in ranges.into_iter().rev() {
                    expected.replace_range(range, new);
                }
                // Wrong bytes that come to stand side by side may read as fewer characters.
                let plain = |text: &str| text.replace('\u{fffd}', "");
                if std::str::from_utf8(&bytes).is_ok() {
                    prop_assert_eq!(String::from_utf8(changed), Ok(expected));
                } else if plain(&expected).is_ascii() {
                    let ascii: String = changed.iter().filter(|b| b.is_ascii()).map(|b| char::from(*b)).collect();
                    prop_assert_eq!(ascii, plain(&expected));
                }
            }
        }
    }
}
