//! Edits of bytes. Findings count bytes of the decoded text; a file may be written in another way, and its own bytes
//! are what is edited.

/// A replacement in a decoded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// First byte of the decoded text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What stands there afterwards.
    pub text: String,
}

/// Why a file is not edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The place is not there, or lies inside a character.
    #[error("the file is not what was checked")]
    Place,
    /// Two replacements overlap.
    #[error("two edits overlap")]
    Overlap,
    /// The new text has characters that the file's encoding does not.
    #[error("the encoding of the file cannot hold the new text")]
    Encoding,
}

/// How bytes became text. The same choices as the readers make, on the same evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    /// UTF-8; each wrong stretch of bytes reads as one U+FFFD.
    Utf8,
    /// One byte a character.
    Latin1,
    /// Two bytes a unit.
    Utf16 { big_endian: bool },
}

/// Applies changes to the bytes of a file. `declared`: the file was read by its own declaration of an encoding, as
/// configuration files are.
pub fn apply(bytes: &[u8], declared: bool, changes: &[Change]) -> Result<Vec<u8>, EditError> {
    let mut changes: Vec<&Change> = changes.iter().collect();
    changes.sort_by_key(|change| (change.start, change.end));
    let coding = coding(bytes, declared);
    let mut offsets = changes.iter().flat_map(|change| [change.start, change.end]).collect::<Vec<_>>();
    if changes.windows(2).any(|pair| pair[1].start < pair[0].end) {
        return Err(EditError::Overlap);
    }
    offsets.dedup();
    let places = places(bytes, coding, &offsets).ok_or(EditError::Place)?;
    let place = |offset| places[offsets.partition_point(|known| *known < offset)];
    let mut out = Vec::with_capacity(bytes.len() + 64);
    let mut done = 0;
    for (index, change) in changes.iter().enumerate() {
        let (mut start, mut end) = (place(change.start), place(change.end));
        if change.text.is_empty() && coding == Coding::Utf8 && start < end {
            let next = changes.get(index + 1).map_or(bytes.len(), |next| place(next.start));
            (start, end) = with_line(bytes, start, end, done, next);
        }
        out.extend_from_slice(&bytes[done..start]);
        encode(&change.text, coding, bytes, &mut out)?;
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

fn coding(bytes: &[u8], declared: bool) -> Coding {
    match bytes {
        [0xFE, 0xFF, ..] | [0, b'<', 0, _, ..] => return Coding::Utf16 { big_endian: true },
        [0xFF, 0xFE, ..] | [b'<', 0, _, 0, ..] => return Coding::Utf16 { big_endian: false },
        _ => {}
    }
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).to_ascii_lowercase();
    let says_latin1 = head.starts_with("<?xml")
        && head.split("?>").next().is_some_and(|head| head.contains("8859") || head.contains("latin1"));
    if declared && says_latin1 { Coding::Latin1 } else { Coding::Utf8 }
}

/// The byte offsets of decoded offsets, which are sorted; none when one of them is no place between two characters.
fn places(bytes: &[u8], coding: Coding, offsets: &[usize]) -> Option<Vec<usize>> {
    let mut places = Vec::with_capacity(offsets.len());
    let (mut decoded, mut source) = (0, 0);
    let mut wanted = offsets.iter().copied().peekable();
    // Units of one character, except where text and bytes are the same for a long stretch.
    let mut unit = |verbatim: Option<&str>, decoded_len: usize, source_len: usize| {
        while let Some(offset) = wanted.next_if(|offset| *offset < decoded + decoded_len) {
            let within = offset - decoded;
            let fits = within == 0 || verbatim.is_some_and(|text| text.is_char_boundary(within));
            if !fits {
                return None;
            }
            places.push(source + within);
        }
        decoded += decoded_len;
        source += source_len;
        Some(())
    };
    match coding {
        Coding::Utf8 => {
            for chunk in bytes.utf8_chunks() {
                unit(Some(chunk.valid()), chunk.valid().len(), chunk.valid().len())?;
                if !chunk.invalid().is_empty() {
                    unit(None, char::REPLACEMENT_CHARACTER.len_utf8(), chunk.invalid().len())?;
                }
            }
        }
        Coding::Latin1 => {
            for byte in bytes {
                unit(None, char::from(*byte).len_utf8(), 1)?;
            }
        }
        Coding::Utf16 { big_endian } => {
            let pair = |pair: &[u8]| match (pair, big_endian) {
                ([a, b], true) => u16::from_be_bytes([*a, *b]),
                ([a, b], false) => u16::from_le_bytes([*a, *b]),
                _ => 0,
            };
            for character in char::decode_utf16(bytes.chunks(2).map(pair)) {
                let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
                unit(None, character.len_utf8(), 2 * character.len_utf16())?;
            }
        }
    }
    let (decoded, source) = (decoded, source.min(bytes.len()));
    for offset in wanted {
        if offset != decoded {
            return None;
        }
        places.push(source);
    }
    Some(places)
}

fn encode(text: &str, coding: Coding, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), EditError> {
    match coding {
        // Into bytes that are no UTF-8 only that goes which is the same in every encoding they may be in.
        Coding::Utf8 if text.is_ascii() || std::str::from_utf8(bytes).is_ok() => {
            out.extend_from_slice(text.as_bytes());
        }
        Coding::Utf8 => return Err(EditError::Encoding),
        Coding::Latin1 => {
            for c in text.chars() {
                out.push(u8::try_from(u32::from(c)).map_err(|_| EditError::Encoding)?);
            }
        }
        Coding::Utf16 { big_endian } => {
            for unit in text.encode_utf16() {
                out.extend(if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn change(start: usize, end: usize, text: &str) -> Change {
        Change { start, end, text: text.to_owned() }
    }

    #[test]
    fn every_encoding_keeps_its_bytes() {
        let check = |bytes: &[u8], declared, start, end, expected: &[u8]| {
            let changed = apply(bytes, declared, &[change(start, end, "yy")]);
            assert_eq!(changed.as_deref(), Ok(expected), "{bytes:?}");
        };
        check("\u{feff}é\r\nx\r\n".as_bytes(), false, 7, 8, "\u{feff}é\r\nyy\r\n".as_bytes());
        check(b"\xff\xe9x\xffz", false, 6, 7, b"\xff\xe9yy\xffz");
        let latin1 = b"<?xml version='1.0' encoding='ISO-8859-1'?>\xe9x\xe9";
        check(latin1, true, 45, 46, b"<?xml version='1.0' encoding='ISO-8859-1'?>\xe9yy\xe9");
        check(latin1, false, 46, 47, b"<?xml version='1.0' encoding='ISO-8859-1'?>\xe9yy\xe9");
        check(b"\xff\xfe\xe9\0x\0", true, 5, 6, b"\xff\xfe\xe9\0y\0y\0");
        check(b"", false, 0, 0, b"yy");
    }

    #[test]
    fn no_blank_line_is_left() {
        let check = |text: &str, expected: &str| {
            let (start, end) = (text.find('<').expect("a start"), text.find('>').expect("an end") + 1);
            let changed = apply(text.as_bytes(), false, &[change(start, end, "")]).expect("it fits");
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
    fn what_does_not_fit_is_refused() {
        let refused = |bytes: &[u8], changes: &[Change]| apply(bytes, true, changes).expect_err("refused");
        assert_eq!(refused("é".as_bytes(), &[change(1, 2, "")]), EditError::Place);
        assert_eq!(refused(b"abc", &[change(2, 9, "")]), EditError::Place);
        assert_eq!(refused(b"abc", &[change(0, 2, ""), change(1, 3, "")]), EditError::Overlap);
        assert_eq!(refused(b"\xff", &[change(3, 3, "é")]), EditError::Encoding);
    }

    proptest! {
        /// Whatever the bytes and the changes: the text afterwards is the changed text, or the change is refused.
        #[test]
        fn bytes_change_as_the_text_does(
            bytes in proptest::collection::vec(prop_oneof![any::<u8>(), b'a'..=b'c', Just(0xC3), Just(0xA9)], 0..40),
            places in proptest::collection::vec((0usize..60, 0usize..10, "[a-z]{1,3}"), 0..5),
        ) {
            let utf16 = matches!(coding(&bytes, false), Coding::Utf16 { .. });
            prop_assume!(!utf16);
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let changes: Vec<Change> =
                places.into_iter().map(|(start, length, new)| change(start, start + length, &new)).collect();
            if let Ok(changed) = apply(&bytes, false, &changes) {
                let mut expected = text;
                let mut sorted: Vec<&Change> = changes.iter().collect();
                sorted.sort_by_key(|change| (change.start, change.end));
                for change in sorted.into_iter().rev() {
                    expected.replace_range(change.start..change.end, &change.text);
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
