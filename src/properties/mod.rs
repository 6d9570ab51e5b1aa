//! Java `.properties` files and Hadoop configuration XML as lists of names and values with places.
//!
//! Knows nothing about Oozie's own names and substitutes nothing. Reading never fails.

mod findings;
pub mod hadoop;
mod java;

use crate::diag::Diagnostic;
use crate::source::{Coding, FileId, Sources, Span, Text};

pub use findings::{
    BACKSLASH_DROPPED, BAD_ESCAPE, BYTE_ORDER_MARK, CONFIGURATION_INVALID, ENCODING, INFOS, PROPERTY_UNREAD,
    TOO_LARGE, VALUE_CUT,
};
pub use java::read;

/// Bytes of a `.properties` file that are read.
const MAX_BYTES: usize = 32 << 20;

/// One name and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// All of it: the logical line, or the `property` element.
    pub span: Span,
    /// The name.
    pub key: Text,
    /// The value, empty or not.
    pub value: Text,
    /// Marked `final`; only configuration XML can.
    pub is_final: bool,
}

/// What a file holds, in its order, doubles included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    /// In the file's order.
    pub entries: Vec<Entry>,
}

impl Properties {
    /// The entry that counts for this name: the last one.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().rev().find(|entry| entry.key.value == key)
    }
}

/// Takes a `.properties` file in and reads it as UTF-8, as the command line client of Oozie does since 5.1
/// (`OozieCLI.getConfiguration`: `Properties.load` of an `InputStreamReader` for UTF-8; older ones took Latin-1).
/// Bytes that are none become U+FFFD, there as here.
pub fn read_bytes(sources: &mut Sources, path: &str, bytes: &[u8]) -> (FileId, Properties, Vec<Diagnostic>) {
    if bytes.len() > MAX_BYTES {
        let file = sources.add(path, "");
        let message = format!("the file has {} bytes, the limit is {MAX_BYTES}", bytes.len());
        let finding = Diagnostic::new(&TOO_LARGE, Span::new(file, 0..0), message);
        return (file, Properties::default(), vec![finding]);
    }
    let text = Coding::Utf8.decode(bytes);
    let bad = text.bad.clone();
    let file = sources.add(path, text);
    let (properties, mut found) = read(file, sources.text(file));
    if let Some(bad) = bad {
        let message = format!("the byte 0x{:02X} is not UTF-8", bytes[bad.at]);
        let help = "save the file as UTF-8, or write `\\u` and four hexadecimal digits";
        found.push(Diagnostic::new(&ENCODING, Span::new(file, bad.range), message).help(help));
    }
    (file, properties, found)
}
