//! How bytes become text and text becomes bytes, and which byte of the file a place in the text is.
//!
//! Which coding a file is in, and what is said of bytes that do not fit it, is for readers to decide.

use std::ops::Range;

/// A way to write text as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// UTF-8; each wrong stretch of bytes reads as one U+FFFD.
    Utf8,
    /// Bytes from 0x80 read as U+FFFD.
    Ascii,
    /// One byte a character.
    Latin1,
    /// Two bytes a unit; half a pair reads as U+FFFD.
    Utf16 {
        /// The high byte comes first.
        big_endian: bool,
    },
}

/// A file's bytes as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The characters.
    pub text: String,
    /// How new text is written into the file. Where bytes of UTF-8 were wrong, [`Coding::Ascii`]: what is the same in
    /// every coding that the file may truly be in.
    pub coding: Coding,
    /// The first bytes that do not fit the coding.
    pub bad: Option<Bad>,
    pub(super) runs: Runs,
}

/// Bytes that mean nothing in their coding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// The U+FFFD that stands for them in the text, in bytes of the text.
    pub range: Range<usize>,
    /// The first of them in the file.
    pub at: usize,
}

/// Text of which the bytes are that of UTF-8.
impl From<String> for Decoded {
    fn from(text: String) -> Decoded {
        Decoded { text, coding: Coding::Utf8, bad: None, runs: Runs::default() }
    }
}

impl From<&str> for Decoded {
    fn from(text: &str) -> Decoded {
        text.to_owned().into()
    }
}

impl Coding {
    /// The text that bytes stand for.
    pub fn decode(self, bytes: &[u8]) -> Decoded {
        if matches!(self, Coding::Utf8 | Coding::Ascii)
            && let Ok(text) = std::str::from_utf8(bytes)
            && (self == Coding::Utf8 || text.is_ascii())
        {
            return Decoded { coding: self, ..text.into() };
        }
        let mut builder = Builder::default();
        match self {
            Coding::Utf8 => {
                for chunk in bytes.utf8_chunks() {
                    builder.verbatim(chunk.valid());
                    if !chunk.invalid().is_empty() {
                        builder.bad(chunk.invalid().len());
                    }
                }
            }
            Coding::Ascii | Coding::Latin1 => {
                for byte in bytes {
                    if self == Coding::Latin1 || byte.is_ascii() {
                        builder.character(char::from(*byte), 1);
                    } else {
                        builder.bad(1);
                    }
                }
            }
            Coding::Utf16 { big_endian } => {
                let pair = |pair: &[u8]| {
                    let pair = [pair[0], pair.get(1).copied().unwrap_or_default()];
                    if big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
                };
                for character in char::decode_utf16(bytes.chunks(2).map(pair)) {
                    match character {
                        Ok(character) => builder.character(character, 2 * character.len_utf16()),
                        Err(_) => builder.bad(2),
                    }
                }
            }
        }
        let coding = if self == Coding::Utf8 { Coding::Ascii } else { self };
        let Builder { text, runs, bad, .. } = builder;
        Decoded { text, coding, bad, runs: Runs { of: runs.into_boxed_slice(), bytes: bytes.len() } }
    }

    /// The bytes that stand for a text; none where the coding has not all of its characters.
    pub fn encode(self, text: &str) -> Option<Vec<u8>> {
        match self {
            Coding::Utf8 => Some(text.as_bytes().to_owned()),
            Coding::Ascii => text.is_ascii().then(|| text.as_bytes().to_owned()),
            Coding::Latin1 => text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect(),
            Coding::Utf16 { big_endian: true } => {
                Some(text.encode_utf16().flat_map(u16::to_be_bytes).collect())
            }
            Coding::Utf16 { big_endian: false } => {
                Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect())
            }
        }
    }
}

/// Characters that all take equally many bytes in the text, and equally many in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    text_start: usize,
    file_start: usize,
    /// Of one character.
    text_bytes: usize,
    /// Of one character.
    file_bytes: usize,
}

/// Where the characters of a text stand in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Runs {
    /// In order and without gaps; none where text and file are the same.
    of: Box<[Run]>,
    /// How many the file has, where there are runs.
    bytes: usize,
}

impl Runs {
    /// The byte of the file for a byte of the text, at which a character starts or the text ends.
    pub(super) fn place(&self, offset: usize) -> usize {
        let index = self.of.partition_point(|run| run.text_start <= offset);
        let Some(run) = index.checked_sub(1).map(|index| &self.of[index]) else { return offset };
        (run.file_start + (offset - run.text_start) / run.text_bytes * run.file_bytes).min(self.bytes)
    }
}

#[derive(Default)]
struct Builder {
    text: String,
    file_bytes: usize,
    runs: Vec<Run>,
    bad: Option<Bad>,
}

impl Builder {
    fn run(&mut self, text_bytes: usize, file_bytes: usize) {
        let last = self.runs.last();
        if last.is_none_or(|last| (last.text_bytes, last.file_bytes) != (text_bytes, file_bytes)) {
            let (text_start, file_start) = (self.text.len(), self.file_bytes);
            self.runs.push(Run { text_start, file_start, text_bytes, file_bytes });
        }
    }

    /// Characters that are written as the text writes them, each byte for itself.
    fn verbatim(&mut self, text: &str) {
        if !text.is_empty() {
            self.run(1, 1);
            self.text.push_str(text);
            self.file_bytes += text.len();
        }
    }

    fn character(&mut self, character: char, file_bytes: usize) {
        self.run(character.len_utf8(), file_bytes);
        self.text.push(character);
        self.file_bytes += file_bytes;
    }

    fn bad(&mut self, file_bytes: usize) {
        let (start, at) = (self.text.len(), self.file_bytes);
        self.character(char::REPLACEMENT_CHARACTER, file_bytes);
        self.bad.get_or_insert(Bad { range: start..self.text.len(), at });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Coding; 5] = [
        Coding::Utf8,
        Coding::Ascii,
        Coding::Latin1,
        Coding::Utf16 { big_endian: true },
        Coding::Utf16 { big_endian: false },
    ];

    #[test]
    fn places_count_the_bytes_of_the_file() {
        let check = |coding: Coding, bytes: &[u8], text: &str, places: &[usize]| {
            let decoded = coding.decode(bytes);
            assert_eq!(decoded.text, text);
            let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            assert_eq!(ends.map(|at| decoded.runs.place(at)).collect::<Vec<_>>(), places, "{text:?}");
        };
        check(Coding::Utf8, "aé€".as_bytes(), "aé€", &[0, 1, 3, 6]);
        check(Coding::Utf8, b"a\xFF\xC3\xA9\xE2\x82b", "a\u{FFFD}é\u{FFFD}b", &[0, 1, 2, 4, 6, 7]);
        check(Coding::Latin1, b"a\xE9\xE8b", "aéèb", &[0, 1, 2, 3, 4]);
        check(Coding::Ascii, b"\xE9b", "\u{FFFD}b", &[0, 1, 2]);
        let utf16 = Coding::Utf16 { big_endian: false };
        check(utf16, b"a\0\xAC\x20\x3D\xD8\x00\xDE\x3D\xD8b\0", "a€😀\u{FFFD}b", &[0, 2, 4, 8, 10, 12]);
        check(utf16, b"a\0b", "ab", &[0, 2, 3]);
    }

    #[test]
    fn what_a_coding_lacks_is_not_written() {
        assert_eq!(Coding::Latin1.encode("é"), Some(vec![0xE9]));
        assert_eq!(Coding::Latin1.encode("€"), None);
        assert_eq!(Coding::Ascii.encode("é"), None);
        assert_eq!(Coding::Utf8.decode(b"\xFF").coding, Coding::Ascii);
        assert_eq!(Coding::Utf16 { big_endian: true }.encode("é"), Some(vec![0, 0xE9]));
    }

    proptest! {
        /// Whatever the bytes: every character stands where the one before it ends, and those that fit are written so.
        #[test]
        fn characters_follow_each_other(
            bytes in proptest::collection::vec(
                prop_oneof![any::<u8>(), b'a'..=b'c', Just(0xC3), Just(0xA9), Just(0xD8)], 0..40),
        ) {
            for coding in ALL {
                let decoded = coding.decode(&bytes);
                let mut done = 0;
                for (at, character) in decoded.text.char_indices() {
                    prop_assert_eq!(decoded.runs.place(at), done);
                    let end = decoded.runs.place(at + character.len_utf8());
                    prop_assert!(end > done && end <= bytes.len());
                    let written = coding.encode(character.encode_utf8(&mut [0; 4]));
                    let is_half = (end - done) % 2 == 1 && matches!(coding, Coding::Utf16 { .. });
                    if character != char::REPLACEMENT_CHARACTER && !is_half {
                        prop_assert_eq!(written.as_deref(), Some(&bytes[done..end]));
                    }
                    done = end;
                }
                prop_assert_eq!(done, bytes.len());
                if !matches!(coding, Coding::Utf16 { .. }) {
                    let is_same = coding.encode(&decoded.text).as_deref() == Some(&bytes[..]);
                    prop_assert_eq!(decoded.bad.is_none(), is_same);
                }
            }
        }
    }
}
