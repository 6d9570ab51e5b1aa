//! Names of local files as text and back, without loss: paths of storage are text, and names on a disk are bytes.
//!
//! A byte that is no UTF-8 stands as a character of a private area. Where such a character is in a name itself, its own
//! bytes stand for it. What is read back holds no slash and no zero byte that was not in the text.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};

/// The characters of bytes begin here; those that are no UTF-8 are from 128 on.
const FIRST: u32 = 0x0010_FE00;

/// The byte that a character stands for.
fn byte_of(c: char) -> Option<u8> {
    u8::try_from(u32::from(c).checked_sub(FIRST)?).ok().filter(|byte| *byte >= 0x80)
}

fn is_plain(text: &str) -> bool {
    !text.contains(|c| byte_of(c).is_some())
}

/// A name as text.
#[cfg(unix)]
pub fn text_of(name: &OsStr) -> String {
    use std::os::unix::ffi::OsStrExt;
    // Most names are plain.
    if let Some(text) = name.to_str().filter(|text| is_plain(text)) {
        return text.to_owned();
    }
    let mut text = String::new();
    let put = |text: &mut String, bytes: &[u8]| {
        text.extend(bytes.iter().filter_map(|byte| char::from_u32(FIRST + u32::from(*byte))));
    };
    for chunk in name.as_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            match byte_of(c) {
                Some(_) => put(&mut text, c.encode_utf8(&mut [0; 4]).as_bytes()),
                None => text.push(c),
            }
        }
        put(&mut text, chunk.invalid());
    }
    text
}

/// The name that a text stands for.
#[cfg(unix)]
pub fn name_of(text: &str) -> OsString {
    use std::os::unix::ffi::OsStringExt;
    if is_plain(text) {
        return text.into();
    }
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match byte_of(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    OsString::from_vec(bytes)
}

/// A name as text; names are text on this system.
#[cfg(not(unix))]
pub fn text_of(name: &OsStr) -> String {
    name.to_string_lossy().into_owned()
}

/// The name that a text stands for.
#[cfg(not(unix))]
pub fn name_of(text: &str) -> OsString {
    text.into()
}

/// A path for somebody to read.
pub fn shown(path: &str) -> Cow<'_, str> {
    match is_plain(path) {
        true => path.into(),
        false => path.replace(|c| byte_of(c).is_some(), "\u{FFFD}").into(),
    }
}

/// Whether a path is text, as every kind of storage but local folders wants it.
pub fn is_text(path: &str) -> bool {
    is_plain(path)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn names_come_back_as_they_were() {
        let own = "a\u{10FE80}b\u{10FEFF}";
        let names: [&[u8]; 6] =
            [b"plain", "gr\u{fc}n".as_bytes(), b"\xff\xfe", b"a\xf0\x9fb\x80", b"", own.as_bytes()];
        for name in names {
            let name = OsStr::from_bytes(name);
            assert_eq!(name_of(&text_of(name)), name, "{name:?}");
        }
        assert_eq!(shown(&text_of(OsStr::from_bytes(b"a/\xff"))), "a/\u{FFFD}");
    }

    #[test]
    fn no_text_becomes_a_slash() {
        for byte in 0..=0xff_u32 {
            let text: String = char::from_u32(FIRST + byte).into_iter().collect();
            let name = name_of(&text);
            assert!(!name.as_bytes().contains(&b'/') && !name.as_bytes().contains(&0), "{byte}");
        }
    }
}
