//! The outer shape of a template: literal text, where expressions begin, and how deep they go.

use std::borrow::Cow;

use super::ast::Engine;

/// How deep an expression may be nested: brackets, choices within choices, operators before operators.
/// The engine's own limit is the stack of the server's thread, some thousands.
pub const MAX_DEPTH: u32 = 50;

/// A piece of a template.
pub(super) enum Piece<'t> {
    /// Text up to `end`, as it is printed.
    Literal { value: Cow<'t, str>, end: usize },
    /// `${` or `#{` stands here.
    Expression { sign: char },
}

/// The piece that begins at `at`, as the tokens of the server's engine have it: a backslash before `${` or `#{` makes
/// text of them and is not printed; any other backslash is printed as it is. The older engine knows `${` only, and no
/// backslash.
pub(super) fn piece(source: &str, at: usize, engine: Engine) -> Piece<'_> {
    if engine == Engine::Legacy {
        return match source[at..].find("${") {
            Some(0) => Piece::Expression { sign: '$' },
            found => {
                let end = found.map_or(source.len(), |length| at + length);
                Piece::Literal { value: Cow::Borrowed(&source[at..end]), end }
            }
        };
    }
    let bytes = source.as_bytes();
    let opens = |i: usize| matches!(bytes.get(i), Some(b'$' | b'#')) && bytes.get(i + 1) == Some(&b'{');
    if opens(at) {
        return Piece::Expression { sign: if bytes[at] == b'$' { '$' } else { '#' } };
    }
    let mut value = Cow::Borrowed("");
    let (mut copied, mut i) = (at, at);
    while i < bytes.len() && !opens(i) {
        if bytes[i] == b'\\' && opens(i + 1) {
            value.to_mut().push_str(&source[copied..i]);
            copied = i + 1;
            i += 3;
        } else {
            i += 1;
        }
    }
    match &mut value {
        Cow::Borrowed(_) => value = Cow::Borrowed(&source[copied..i]),
        Cow::Owned(text) => text.push_str(&source[copied..i]),
    }
    Piece::Literal { value, end: i }
}

/// The text that a quoted string stands for.
pub(super) fn unquote(quoted: &str) -> String {
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or("");
    let mut text = String::with_capacity(inner.len());
    let mut signs = inner.chars();
    while let Some(c) = signs.next() {
        // The grammar lets a backslash stand before a sign only that it makes literal.
        text.push(if c == '\\' { signs.next().unwrap_or(c) } else { c });
    }
    text
}

/// The word or the sign that a text begins with, for messages.
pub(super) fn word(rest: &str) -> &str {
    let word_length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let sign_length = rest.chars().next().map_or(0, char::len_utf8);
    let length = rest.char_indices().map(|(at, _)| at).take(40).last().unwrap_or(0);
    &rest[..word_length.max(sign_length).min(length.max(sign_length))]
}

/// What closes the innermost bracket that is open at the end of this part of an expression.
pub(super) fn open_bracket(before: &str) -> Option<char> {
    let (mut open, mut quote) = (Vec::new(), None);
    let mut signs = before.chars();
    while let Some(c) = signs.next() {
        match (quote, c) {
            (Some(_), '\\') => drop(signs.next()),
            (Some(closing), c) if c == closing => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(') => open.push(')'),
            (None, '[') => open.push(']'),
            (None, ')' | ']') => drop(open.pop()),
            (None, _) => {}
        }
    }
    open.pop()
}

/// Finds the end of the expression that begins at `at`, its brace included, and checks that it is not nested too
/// deeply; else says where it becomes so. Counts what makes the reader call itself, in one pass, whatever the text is.
pub(super) fn check_depth(source: &str, at: usize) -> Result<usize, usize> {
    let bytes = source.as_bytes();
    // For each open bracket what was counted outside of it.
    let mut outside: Vec<u32> = Vec::new();
    let (mut level, mut signs) = (0u32, 0u32);
    let mut i = at;
    while i < bytes.len() {
        match bytes[i] {
            b'}' => return Ok(i + 1),
            quote @ (b'\'' | b'"') => {
                signs = 0;
                i += 1;
                while i < bytes.len() && bytes[i] != quote {
                    i += if bytes[i] == b'\\' { 2 } else { 1 };
                }
            }
            b'(' | b'[' => {
                outside.push(level);
                level += signs + 1;
                signs = 0;
            }
            b')' | b']' => {
                level = outside.pop().unwrap_or(0);
                signs = 0;
            }
            b'?' => {
                level += 1;
                signs = 0;
            }
            b',' => {
                level = outside.last().map_or(0, |before| before + 1);
                signs = 0;
            }
            b'-' | b'!' => signs += 1,
            b' ' | b'\t' | b'\n' | b'\r' => {}
            byte if byte.is_ascii_alphabetic() => {
                let start = i;
                while i < bytes.len() && (bytes[i].is_ascii_alphanumeric() || bytes[i] == b'_') {
                    i += 1;
                }
                signs = if matches!(&bytes[start..i], b"not" | b"empty") { signs + 1 } else { 0 };
                if level + signs > MAX_DEPTH {
                    return Err(start);
                }
                continue;
            }
            _ => signs = 0,
        }
        if level + signs > MAX_DEPTH {
            return Err(i);
        }
        i += 1;
    }
    Ok(bytes.len())
}
