//! From a file on disk to a definition with places: bytes, text, tree, model.

use std::path::Path;

use super::error::ShellError;
use super::files::{self, Content};
use crate::diag::Diagnostic;
use crate::model::{self, App};
use crate::source::{FileId, Sources, Span};
use crate::xml::{self, Element, Limits};

/// A definition as far as it could be read.
#[derive(Debug)]
pub struct Definition {
    /// Its file among the sources.
    pub file: FileId,
    /// The tree; none when the document is broken.
    pub root: Option<Element>,
    /// The model; none when the root starts no definition.
    pub app: Option<App>,
    /// What reading found.
    pub findings: Vec<Diagnostic>,
}

/// Reads one definition.
pub fn definition(path: &Path, sources: &mut Sources) -> Result<Definition, ShellError> {
    let shown = files::shown(path);
    let bytes = match files::read(path)? {
        Content::Bytes(bytes) => bytes,
        Content::TooLarge => {
            let file = sources.add(shown, "");
            let message = format!("the file is larger than {} MiB", files::MAX_FILE_BYTES >> 20);
            let finding = Diagnostic::new(&xml::TOO_LARGE, Span::new(file, 0..0), message);
            return Ok(Definition { file, root: None, app: None, findings: vec![finding] });
        }
    };
    let (text, fault) = decode(bytes);
    let file = sources.add(shown, text);
    if let Some((offset, message)) = fault {
        let finding = Diagnostic::new(&xml::NOT_WELL_FORMED, Span::new(file, offset..offset + 1), message);
        return Ok(Definition { file, root: None, app: None, findings: vec![finding] });
    }
    let (root, mut findings) = xml::read(file, sources.text(file), &Limits::default());
    let mut app = None;
    if let Some(root) = &root {
        let (lowered, more) = model::lower(root);
        app = lowered;
        findings.extend(more);
    }
    Ok(Definition { file, root, app, findings })
}

/// The text of a document, with the place of the first byte that is no character of its encoding.
///
/// A byte order mark decides first, then the `encoding` of the XML declaration; UTF-8 when neither says anything.
fn decode(bytes: Vec<u8>) -> (String, Option<(usize, String)>) {
    match bytes[..] {
        [0xff, 0xfe, ..] => return utf16(&bytes[2..], u16::from_le_bytes),
        [0xfe, 0xff, ..] => return utf16(&bytes[2..], u16::from_be_bytes),
        [b'<', 0, ..] => return utf16(&bytes, u16::from_le_bytes),
        [0, b'<', ..] => return utf16(&bytes, u16::from_be_bytes),
        _ => {}
    }
    let declared = declared_encoding(&bytes);
    match declared.as_deref() {
        Some("iso-8859-1" | "latin1" | "windows-1252" | "us-ascii" | "ascii") if !bytes.is_ascii() => {
            (bytes.iter().map(|byte| char::from(*byte)).collect(), None)
        }
        _ => match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                let name = declared.unwrap_or_else(|| "utf-8".to_owned()).to_uppercase();
                // What precedes the fault is kept letter by letter, so that the offset stays right.
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                (text, Some((offset, format!("byte {offset} is no character of the encoding {name}"))))
            }
        },
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> (String, Option<(usize, String)>) {
    let units = bytes.chunks(2).map(|pair| unit([pair[0], pair.get(1).copied().unwrap_or(0)]));
    let mut text = String::with_capacity(bytes.len() / 2);
    for character in char::decode_utf16(units) {
        match character {
            Ok(character) => text.push(character),
            Err(_) => {
                let offset = text.len();
                text.push(char::REPLACEMENT_CHARACTER);
                return (text, Some((offset, "the document is no valid UTF-16".to_owned())));
            }
        }
    }
    (text, None)
}

/// The `encoding` of the XML declaration, in lower case.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(200)];
    let head = String::from_utf8_lossy(head);
    let declaration =
        head.trim_start_matches('\u{feff}').strip_prefix("<?xml")?.split("?>").next()?.to_owned();
    let (_, after) = declaration.split_once("encoding")?;
    let value = after.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    Some(value[1..].split(quote).next()?.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_followed_and_faults_have_a_place() {
        let check = |bytes: &[u8], text: &str, offset: Option<usize>| {
            let (decoded, fault) = decode(bytes.to_vec());
            assert_eq!((decoded.as_str(), fault.map(|(offset, _)| offset)), (text, offset));
        };
        check("<a>é</a>".as_bytes(), "<a>é</a>", None);
        check(
            b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>",
            "<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>",
            None,
        );
        check(b"<a>\xe9</a>", "<a>\u{fffd}</a>", Some(3));
        check(b"\xff\xfe<\0a\0/\0>\0", "<a/>", None);
        check(b"\xfe\xff\0<\xd8\0", "<\u{fffd}", Some(1));
        check(b"", "", None);
    }
}
