//! From bytes to text: which encoding a document is in, as Java's XML parser sees it.
//!
//! How the bytes of an encoding are read is [`Coding`]'s; which one, and what is said of the others, is said here.

use super::findings::{ENCODING, NOT_WELL_FORMED, TOO_LARGE};
use super::{Element, Limits, read};
use crate::diag::Diagnostic;
use crate::source::{Bad, Coding, Decoded, FileId, Sources, Span};

/// Who opens the file, and so who says what its bytes mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decoding {
    /// A reader that takes everything for UTF-8, whatever the document declares, and puts U+FFFD for the rest. It hands
    /// a byte order mark on as text, which is then refused. Servers read definitions so.
    Utf8,
    /// The XML parser itself, which obeys byte order mark and declaration. Configuration files are read so.
    Declared,
}

/// What is wrong with the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fault {
    /// In the decoded text.
    start: usize,
    end: usize,
    message: String,
    help: String,
    /// The reader goes on all the same, and a server does.
    harmless: bool,
}

/// Takes a file in and reads it: decodes, then [`read`]s.
pub fn read_bytes(
    sources: &mut Sources,
    path: &str,
    bytes: &[u8],
    decoding: Decoding,
    limits: &Limits,
) -> (FileId, Option<Element>, Vec<Diagnostic>) {
    if bytes.len() > limits.bytes {
        let file = sources.add(path, "");
        let message = format!("the file has {} bytes, the limit is {}", bytes.len(), limits.bytes);
        return (file, None, vec![Diagnostic::new(&TOO_LARGE, Span::new(file, 0..0), message)]);
    }
    let (text, fault) = decode(bytes, decoding);
    let file = sources.add(path, text);
    let mut found = Vec::new();
    if let Some(fault) = &fault {
        let span = Span::new(file, fault.start..fault.end);
        let rule = if fault.harmless { &ENCODING } else { &NOT_WELL_FORMED };
        found.push(Diagnostic::new(rule, span, fault.message.clone()).help(fault.help.clone()));
        if fault.start == 0 && fault.end == 0 {
            return (file, None, found);
        }
    }
    let (root, more) = read(file, sources.text(file), limits);
    found.extend(more);
    (file, root, found)
}

/// The text, and what is wrong with the bytes. A fault without extent at the very start: nothing could be made of them.
fn decode(bytes: &[u8], decoding: Decoding) -> (Decoded, Option<Fault>) {
    let encoding = detect(bytes);
    match decoding {
        Decoding::Utf8 if matches!(encoding, Encoding::Known(Coding::Utf16 { .. })) => {
            ("".into(), Some(unreadable("the file is in UTF-16, which a server does not read".to_owned())))
        }
        Decoding::Utf8 => {
            let (text, fault) = read_as(Coding::Utf8, bytes);
            let mark = bytes.starts_with(MARK).then(|| Fault {
                start: 0,
                end: MARK.len(),
                message: "a byte order mark stands before the XML".to_owned(),
                help: "save the file as UTF-8 without a byte order mark".to_owned(),
                harmless: false,
            });
            (text, mark.or(fault.map(|fault| as_replaced(fault, bytes, &encoding))))
        }
        Decoding::Declared => match encoding {
            Encoding::Known(coding) => read_as(coding, bytes),
            Encoding::Unknown(name) => {
                ("".into(), Some(unreadable(format!("the encoding `{name}` is not supported"))))
            }
        },
    }
}

const MARK: &[u8] = "\u{FEFF}".as_bytes();

#[derive(Debug, PartialEq, Eq)]
enum Encoding {
    Known(Coding),
    Unknown(String),
}

/// By byte order mark, else by the shape of the first characters, else by the declaration.
fn detect(bytes: &[u8]) -> Encoding {
    let utf16 = |big_endian| Encoding::Known(Coding::Utf16 { big_endian });
    match bytes {
        [0xFE, 0xFF, ..] | [0, b'<', 0, _, ..] => return utf16(true),
        [0xFF, 0xFE, ..] | [b'<', 0, _, 0, ..] => return utf16(false),
        _ if bytes.starts_with(MARK) => return Encoding::Known(Coding::Utf8),
        _ => {}
    }
    let Some(name) = declared(bytes) else { return Encoding::Known(Coding::Utf8) };
    match name.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" => Encoding::Known(Coding::Utf8),
        "us-ascii" | "ascii" | "iso646-us" => Encoding::Known(Coding::Ascii),
        "iso-8859-1" | "iso8859-1" | "iso8859_1" | "iso_8859-1" | "latin1" | "l1" => {
            Encoding::Known(Coding::Latin1)
        }
        _ => Encoding::Unknown(name),
    }
}

/// The encoding that the declaration names.
fn declared(bytes: &[u8]) -> Option<String> {
    let rest = bytes.strip_prefix(b"<?xml")?;
    let declaration = String::from_utf8_lossy(&rest[..memchr::memmem::find(rest, b"?>")?]).into_owned();
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    Some(value[1..].split(quote).next()?.to_owned())
}

fn unreadable(message: String) -> Fault {
    Fault { start: 0, end: 0, message, help: "save the file as UTF-8".to_owned(), harmless: false }
}

fn read_as(coding: Coding, bytes: &[u8]) -> (Decoded, Option<Fault>) {
    let decoded = coding.decode(bytes);
    let fault = decoded.bad.as_ref().map(|Bad { range, at }| {
        let byte = bytes[*at];
        let message = match coding {
            Coding::Ascii => format!("the byte 0x{byte:02X} is not ASCII, which the file declares"),
            Coding::Utf16 { big_endian } => {
                let next = bytes.get(at + 1).copied().unwrap_or_default();
                let (high, low) = if big_endian { (byte, next) } else { (next, byte) };
                format!("the unit 0x{high:02X}{low:02X} is not UTF-16")
            }
            Coding::Utf8 | Coding::Latin1 => format!("the byte 0x{byte:02X} is not UTF-8"),
        };
        let help = match coding {
            Coding::Ascii => "declare the encoding that the file is in",
            _ => "save the file as UTF-8",
        };
        Fault { start: range.start, end: range.end, message, help: help.to_owned(), harmless: false }
    });
    (decoded, fault)
}

/// A byte that a server reads as U+FFFD, whatever the file declares (`WorkflowAppService.readDefinition`,
/// `CoordSubmitXCommand.readDefinition` and `BundleSubmitXCommand.readDefinition`: an `InputStreamReader` for UTF-8).
fn as_replaced(fault: Fault, bytes: &[u8], encoding: &Encoding) -> Fault {
    let other = declared(bytes).filter(|_| *encoding != Encoding::Known(Coding::Utf8));
    let other = other.map(|name| format!(" and does not obey the declared `{name}`"));
    let message = format!("{}; a server reads it as `\u{FFFD}`{}", fault.message, other.unwrap_or_default());
    Fault { message, harmless: true, ..fault }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The root's text, or else what was found.
    fn check(bytes: &[u8], decoding: Decoding, expected: &str) {
        let mut sources = Sources::new();
        let (_, root, found) = read_bytes(&mut sources, "a.xml", bytes, decoding, &Limits::default());
        let text = root.map(|root| root.text().value);
        let shown = found.first().map_or_else(|| text.unwrap_or_default(), |d| d.message.clone());
        assert_eq!(shown, expected, "{bytes:?}");
    }

    fn utf16_bytes(text: &str, to: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to).collect()
    }

    #[test]
    fn encodings_are_javas() {
        let declared = |bytes: &[u8], expected| check(bytes, Decoding::Declared, expected);
        declared("<a>é</a>".as_bytes(), "é");
        declared("\u{FEFF}<a>é</a>".as_bytes(), "é");
        declared(b"<a>\xE9</a>", "the byte 0xE9 is not UTF-8");
        declared(b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xE9</a>", "é");
        declared(
            b"<?xml version='1.0' encoding='us-ascii'?><a>\xE9</a>",
            "the byte 0xE9 is not ASCII, which the file declares",
        );
        declared(b"<?xml version='1.0' encoding='foo'?><a/>", "the encoding `foo` is not supported");
        declared(&utf16_bytes("\u{FEFF}<a>é</a>", u16::to_le_bytes), "é");
        declared(&utf16_bytes("<?xml version='1.0'?><a>é</a>", u16::to_be_bytes), "é");
    }

    #[test]
    fn definitions_are_utf8() {
        let utf8 = |bytes: &[u8], expected| check(bytes, Decoding::Utf8, expected);
        utf8("<?xml version='1.0' encoding='UTF-16'?><a>é</a>".as_bytes(), "é");
        utf8("\u{FEFF}<a/>".as_bytes(), "a byte order mark stands before the XML");
        utf8(
            b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xE9</a>",
            "the byte 0xE9 is not UTF-8; a server reads it as `\u{FFFD}` and does not obey the declared `ISO-8859-1`",
        );
        utf8(b"<a>\xE9</a>", "the byte 0xE9 is not UTF-8; a server reads it as `\u{FFFD}`");
        utf8(
            &utf16_bytes("\u{FEFF}<a/>", u16::to_le_bytes),
            "the file is in UTF-16, which a server does not read",
        );
    }
}
