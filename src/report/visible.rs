//! Characters that steer a terminal or turn the direction of a text, written out: `\u009b`. Names, values and arguments
//! come from files that nobody has to trust.
//!
//! What they become is also how JSON, JavaScript and TOML write such a character, so every format stays what it is.
//! Line feeds and tabs stay.

use std::borrow::Cow;
use std::io::{self, Write};

/// A longer sequence is not one of our own.
const MAX_STYLE_BYTES: usize = 16;

/// Writes texts out piece by piece; a character may be cut anywhere.
#[derive(Clone, Debug, Default)]
pub struct Visible {
    /// The beginning of what may become something to write out.
    open: Vec<u8>,
    /// Whether our own colours are let through.
    pub has_styles: bool,
}

/// What stands at the beginning of some bytes.
enum Next {
    /// So many bytes that are harmless.
    Plain(usize),
    /// A character to write out, and its bytes.
    Odd(u32, usize),
    /// More bytes decide.
    Open,
}

impl Visible {
    /// Hands bytes on.
    pub fn write(&mut self, bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
        if self.open.is_empty() {
            return self.pass(bytes, out);
        }
        let mut all = std::mem::take(&mut self.open);
        all.extend_from_slice(bytes);
        self.pass(&all, out)
    }

    /// Hands on what was held back, which nothing follows.
    pub fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let open = std::mem::take(&mut self.open);
        match open.first() {
            None => Ok(()),
            Some(0x1b) => {
                write!(out, "\\u001b")?;
                out.write_all(&open[1..])
            }
            // A character that was cut: what it had behind its first byte stands for itself.
            Some(_) => open.iter().try_for_each(|byte| match byte {
                0x80..=0x9f => write!(out, "\\u{byte:04x}"),
                byte => out.write_all(&[*byte]),
            }),
        }
    }

    /// A whole text.
    pub fn text(&self, text: &str) -> String {
        let mut bytes = Vec::with_capacity(text.len());
        let mut visible = Visible { has_styles: self.has_styles, open: Vec::new() };
        let written = visible.write(text.as_bytes(), &mut bytes).and_then(|()| visible.finish(&mut bytes));
        debug_assert!(written.is_ok(), "memory takes everything");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn pass(&mut self, bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
        // Most blocks hold nothing of the kind.
        if !bytes.iter().fold(false, |odd, byte| odd | may_begin(*byte)) {
            return out.write_all(bytes);
        }
        let (mut done, mut at) = (0, 0);
        while let Some(found) = bytes[at..].iter().position(|byte| may_begin(*byte)) {
            at += found;
            match self.next(&bytes[at..]) {
                Next::Plain(length) => at += length,
                Next::Odd(code, length) => {
                    out.write_all(&bytes[done..at])?;
                    write!(out, "\\u{code:04x}")?;
                    at += length;
                    done = at;
                }
                Next::Open => {
                    out.write_all(&bytes[done..at])?;
                    self.open = bytes[at..].to_vec();
                    return Ok(());
                }
            }
        }
        out.write_all(&bytes[done..])
    }

    fn next(&self, bytes: &[u8]) -> Next {
        match bytes {
            [0x1b, rest @ ..] if self.has_styles => style(rest),
            [byte @ (..0x20 | 0x7f), ..] => Next::Odd(u32::from(*byte), 1),
            // No part of a character: a terminal of eight bits would obey it.
            [byte @ 0x80..=0x9f, ..] => Next::Odd(u32::from(*byte), 1),
            [0xc2, last @ 0x80..=0x9f, ..] => Next::Odd(u32::from(*last), 2),
            [0xd8, 0x9c, ..] => Next::Odd(0x61c, 2),
            [0xe2, 0x80, last @ (0x8e | 0x8f | 0xa8..=0xae), ..] => {
                Next::Odd(0x2000 + u32::from(last & 0x3f), 3)
            }
            [0xe2, 0x81, last @ 0xa6..=0xa9, ..] => Next::Odd(0x2040 + u32::from(last & 0x3f), 3),
            [lead, rest @ ..] => {
                let wanted = following(*lead);
                let has = rest.iter().take(wanted).take_while(|byte| matches!(byte, 0x80..=0xbf)).count();
                match has == wanted {
                    true => Next::Plain(1 + wanted),
                    false if has == rest.len() => Next::Open,
                    false => Next::Plain(1),
                }
            }
            [] => Next::Open,
        }
    }
}

/// How many bytes follow the first one of a character in UTF-8.
fn following(lead: u8) -> usize {
    match lead {
        0xc2..=0xdf => 1,
        0xe0..=0xef => 2,
        0xf0..=0xf4 => 3,
        _ => 0,
    }
}

/// A text on one way to a terminal without colours.
pub fn visible(text: &str) -> Cow<'_, str> {
    match text.bytes().any(may_begin) {
        true => Visible::default().text(text).into(),
        false => text.into(),
    }
}

/// Whether a byte may be the first of a character that is written out.
fn may_begin(byte: u8) -> bool {
    (byte < 0x20 && byte != b'\n' && byte != b'\t') || byte >= 0x7f
}

/// What follows an escape: one of our own colours, which are those of the foreground, bold, dim and underlined.
fn style(rest: &[u8]) -> Next {
    let odd = Next::Odd(0x1b, 1);
    let Some((b'[', parameters)) = rest.split_first() else {
        return if rest.is_empty() { Next::Open } else { odd };
    };
    let end = parameters.iter().position(|byte| !(byte.is_ascii_digit() || *byte == b';'));
    match end {
        None if parameters.len() < MAX_STYLE_BYTES => Next::Open,
        Some(end) if parameters[end] == b'm' && is_ours(&parameters[..end]) => Next::Plain(end + 3),
        _ => odd,
    }
}

fn is_ours(parameters: &[u8]) -> bool {
    let text = String::from_utf8_lossy(parameters);
    if let Some(color) = text.strip_prefix("38;5;") {
        return color.parse::<u8>().is_ok();
    }
    let is_one = |number: &str| {
        let number = number.parse::<u8>().ok();
        number.is_some_and(|number| matches!(number, 0..=4 | 22..=24 | 31..=37 | 39 | 90..=97))
    };
    text.is_empty() || text.split(';').all(is_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Logs hold any bytes.
    #[test]
    fn bytes_that_are_no_characters_are_written_out() {
        for (bytes, expected) in [
            (&b"b\x9bc"[..], &b"b\\u009bc"[..]),
            (b"\xc3\xa9\xc2\x9b\x80", b"\xc3\xa9\\u009b\\u0080"),
            (b"\xe2\x82\xac \xf0\x9f\x98\x80", b"\xe2\x82\xac \xf0\x9f\x98\x80"),
            (b"\xe2\x9b\x9bx", b"\xe2\x9b\x9bx"),
            (b"\xe2\x9b", b"\xe2\\u009b"),
            (b"\xe2\x9bx", b"\xe2\\u009bx"),
            (b"\xff\xc0\x9b", b"\xff\xc0\\u009b"),
        ] {
            for cut in 0..bytes.len() {
                let (mut visible, mut out) = (Visible::default(), Vec::new());
                let written = visible
                    .write(&bytes[..cut], &mut out)
                    .and_then(|()| visible.write(&bytes[cut..], &mut out));
                written.and_then(|()| visible.finish(&mut out)).expect("memory takes everything");
                assert_eq!(out, expected, "{bytes:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn what_steers_is_written_out() {
        let odd = (0..0x20u32).filter(|code| ![9, 10].contains(code)).chain(0x7f..0xa0);
        let marks = (0x202a..=0x202e).chain(0x2066..=0x2069).chain([0x200e, 0x200f, 0x61c]);
        for code in odd.chain(marks) {
            let character = char::from_u32(code).expect("a character");
            assert_eq!(visible(&format!("a{character}b")), format!("a\\u{code:04x}b"));
        }
        for text in ["plain é … — ü\n\ttext", "Â ’ \u{2060} ض", "\u{a0}\u{2010}\u{2030}\u{2065}\u{206a}"]
        {
            assert_eq!(visible(text), text);
        }
    }

    #[test]
    fn colours_are_ours_and_nothing_else() {
        let text = "\u{1b}[1m\u{1b}[31mred\u{1b}[0m\u{1b}[38;5;9mx\u{1b}[m";
        let styled = Visible { has_styles: true, ..Visible::default() };
        assert_eq!(styled.text(text), text);
        assert!(!visible(text).contains('\u{1b}'));
        for hostile in
            ["\u{1b}[8mx", "\u{1b}[2J", "\u{1b}]0;t\u{7}", "\u{1b}[", "\u{1b}", "\u{1b}[30;40mx", "\u{1b}c"]
        {
            assert!(!styled.text(hostile).contains('\u{1b}'), "{hostile:?}");
        }
    }

    #[test]
    fn pieces_are_as_good_as_the_whole() {
        let text = "é…\u{9b}\u{202e}x\u{1b}[31my\u{2066}\u{61c}\u{1b}[2J";
        for has_styles in [false, true] {
            let mut visible = Visible { has_styles, ..Visible::default() };
            let mut out = Vec::new();
            for byte in text.bytes() {
                visible.write(&[byte], &mut out).expect("memory");
            }
            visible.finish(&mut out).expect("memory");
            assert_eq!(String::from_utf8(out).expect("UTF-8"), visible.text(text));
        }
    }
}
