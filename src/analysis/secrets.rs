//! Secrets in names and texts: passwords, tokens, keys.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// What the names of secrets end in, as words without what separates them.
const SECRETS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "secretkey",
    "accesskey",
    "privatekey",
    "authkey",
];

/// The same of words that are the end of longer ones too, such as `compass`: they have to stand alone.
const SECRET_WORDS: &[&str] = &["pass", "pwd", "passwort", "bearer"];

/// What stands where a secret will be put in.
const PLACEHOLDERS: &[&str] = &[
    "changeit",
    "changeme",
    "dummy",
    "example",
    "false",
    "fixme",
    "foo",
    "bar",
    "hidden",
    "mypassword",
    "na",
    "none",
    "null",
    "pass",
    "passwd",
    "password",
    "placeholder",
    "pwd",
    "redacted",
    "replaceme",
    "secret",
    "tbd",
    "todo",
    "token",
    "true",
    "undefined",
    "yes",
    "no",
];

/// What is shown for a secret.
pub(crate) const STARS: &str = "***";

/// What is found, and where in the text.
pub(crate) type Found = (String, Range<usize>);

/// How what may be a secret is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judge {
    /// Whether somebody has written down a secret: [`is_secret`].
    Written,
    /// Whether what is to be shown may hold one: all but a reference.
    Shown,
}

impl Judge {
    fn is_secret(self, value: &str) -> bool {
        match self {
            Judge::Written => is_secret(value),
            // What we write where somebody is to put a value in is none.
            Judge::Shown => !value.trim().is_empty() && !value.contains("${") && value != "…",
        }
    }

    /// What of the text behind the `=` of a parameter in a URI is its value.
    fn of_parameter(self, value: &str) -> &str {
        // A text may go on right behind an address: `[http://host/x?token=y]`.
        let ends = |c: char| matches!(c, '&' | ']' | '"' | '\'' | '`') || c.is_whitespace();
        match self {
            Judge::Written => value,
            Judge::Shown => value.split(ends).next().unwrap_or_default(),
        }
    }

    /// What of the text behind the `=` of an option is its value.
    fn of_option<'v>(self, name: &str, value: &'v str) -> &'v str {
        if self == Judge::Shown && name.contains("://") { self.of_parameter(value) } else { bare(value) }
    }
}

/// All secrets that are written in a text, each told once.
pub(crate) fn within(text: &str) -> Vec<Found> {
    found_in(text, Judge::Written)
}

/// Where secrets may stand in a text that is to be shown.
pub(crate) fn shown_within(text: &str) -> impl Iterator<Item = Range<usize>> {
    // Most texts are short names and numbers.
    let may_hold = text.contains('=')
        || text.contains(char::is_whitespace)
        || text.contains("://")
        || text.contains("AKIA");
    let found = if may_hold { found_in(text, Judge::Shown) } else { Vec::new() };
    found.into_iter().map(|(_, range)| range)
}

fn found_in(text: &str, judge: Judge) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    // The ends of what was found, by the beginnings; none lies over another.
    let mut known: BTreeMap<usize, usize> = BTreeMap::new();
    let in_uri = in_uri(text, judge)
        .into_iter()
        .map(|range| ("a URI holds a password in clear text".to_owned(), range));
    for (message, range) in in_uri.chain(in_command(text, judge)).chain(by_shape(text)) {
        if known.range(..range.end).next_back().is_none_or(|(_, end)| *end <= range.start) {
            known.insert(range.start, range.end);
            found.push((message, range));
        }
    }
    found
}

/// The name as it may stand in a message.
pub(crate) fn shown(name: &str) -> &str {
    name.trim_start_matches('-')
}

/// Whether the name says that the value is a secret: its last words do.
pub(crate) fn names_secret(name: &str) -> bool {
    // Backwards and without a copy: this is asked of every name in millions of lines.
    let ends_in = |end: &&str| {
        let mut letters = name.bytes().rev().filter(u8::is_ascii_alphanumeric);
        end.bytes().rev().all(|byte| letters.next().is_some_and(|letter| letter.to_ascii_lowercase() == byte))
    };
    (SECRETS.iter().any(ends_in) || SECRET_WORDS.iter().any(|word| ends_in(word) && is_apart(name, word)))
        && name.len() <= 200
}

/// Whether the last word of a name is this one: behind a sign, or with the capital of `dbPass`.
fn is_apart(name: &str, word: &str) -> bool {
    let name = name.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
    let Some(at) = name.len().checked_sub(word.len()).filter(|at| name.is_char_boundary(*at)) else {
        return false;
    };
    let (before, last) = name.split_at(at);
    let begins = last.starts_with(|c: char| c.is_ascii_uppercase());
    match before.chars().next_back() {
        None => true,
        Some(c) => !c.is_alphanumeric() || (c.is_ascii_lowercase() && begins),
    }
}

/// A text with stars for the secrets that show in it. `name` is the name of its property, when it has one.
pub(crate) fn veiled<'t>(name: Option<&str>, text: &'t str) -> Cow<'t, str> {
    if name.is_some_and(names_secret) && !text.trim().is_empty() {
        return STARS.into();
    }
    starred(text, shown_within(text).collect())
}

/// A text with stars for parts of it. Those that lie over each other have their stars in common.
pub(crate) fn starred(text: &str, mut parts: Vec<Range<usize>>) -> Cow<'_, str> {
    if parts.is_empty() {
        return text.into();
    }
    parts.sort_by_key(|range| range.start);
    let mut shown = String::with_capacity(text.len());
    let mut at = 0;
    for range in parts {
        if range.start >= at {
            shown.push_str(&text[at..range.start]);
            shown.push_str(STARS);
        }
        at = at.max(range.end);
    }
    shown.push_str(&text[at..]);
    shown.into()
}

/// An address with stars for what stands behind the user's name, and for each parameter with the name of a secret,
/// however short: who shows an address need not judge it.
pub(crate) fn veiled_address(address: &str) -> String {
    let mut shown = String::with_capacity(address.len());
    let mut rest = address;
    if let Some((scheme, behind)) = address.split_once("://") {
        let end = behind.find(['/', '?', '#']).unwrap_or(behind.len());
        let (authority, path) = behind.split_at(end);
        shown.push_str(&format!("{scheme}://"));
        match authority.rsplit_once('@') {
            Some((user, host)) => {
                let (name, password) = user.split_once(':').map_or((user, ""), |(name, _)| (name, ":***"));
                shown.push_str(&format!("{name}{password}@{host}"));
            }
            None => shown.push_str(authority),
        }
        rest = path;
    }
    for part in rest.split_inclusive(['?', '&', ';']) {
        match part.split_once('=') {
            Some((name, value)) if names_secret(name) && !value.is_empty() => {
                let end = value.strip_suffix(['?', '&', ';']).map_or("", |plain| &value[plain.len()..]);
                shown.push_str(&format!("{name}=***{end}"));
            }
            _ => shown.push_str(part),
        }
    }
    shown
}

/// Whether what the property with the name of a secret holds where something runs is one: anything is, but expressions
/// alone, which stand for what is put in, however much it looks like a path or a placeholder.
pub(crate) fn holds_secret(value: &str) -> bool {
    let mut rest = value.trim();
    while let Some(inner) = rest.strip_prefix("${") {
        let mut quote = None;
        let end = inner.find(|c: char| {
            match quote {
                Some(open) if c == open => quote = None,
                None if matches!(c, '"' | '\'') => quote = Some(c),
                _ => {}
            }
            quote.is_none() && c == '}'
        });
        let Some(end) = end else { return true };
        rest = inner[end + 1..].trim_start();
    }
    !rest.is_empty()
}

/// Whether a value stands where a secret will be put in, or has the looks of it: `changeme`, `none`.
pub(crate) fn is_placeholder(value: &str) -> bool {
    PLACEHOLDERS.contains(&plain(value).as_str())
}

fn plain(value: &str) -> String {
    value.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether a value is itself a secret, and neither a reference to one nor what stands for one.
pub(crate) fn is_secret(value: &str) -> bool {
    let value = value.trim();
    let plain = plain(value);
    let refers = ["${", "#{", "$(", "{{", "://", "ENC(", "{cipher}"].iter().any(|mark| value.contains(mark));
    let is_framed = [('<', '>'), ('@', '@'), ('%', '%'), ('[', ']'), ('{', '}')]
        .iter()
        .any(|(open, close)| value.starts_with(*open) && value.ends_with(*close));
    let is_path = value.starts_with('/') || value.ends_with(".jceks");
    // Stars, dots, underscores.
    let is_one_sign = plain.is_empty() && value.chars().all(|c| value.starts_with(c));
    let stands_for = is_one_sign
        || PLACEHOLDERS.contains(&plain.as_str())
        || plain.starts_with("your")
        || !plain.is_empty() && plain.chars().all(|c| c == 'x')
        || value.contains("xxx")
        || value.starts_with('$');
    let is_text = value.contains(char::is_whitespace) || value.len() < 3;
    !(refers || is_framed || is_path || stands_for || is_text)
}

/// The passwords in `scheme://user:password@host` and of parameters of URIs.
fn in_uri(text: &str, judge: Judge) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("://") {
        let from = at + 3;
        let authority = &text[from..];
        let end =
            authority.find(|c: char| c == '/' || c == '?' || c.is_whitespace()).unwrap_or(authority.len());
        let authority = &authority[..end];
        if let Some((user_info, _)) = authority.rsplit_once('@')
            && let Some((_, password)) = user_info.split_once(':')
            && !user_info.contains("${")
            && judge.is_secret(password)
        {
            let start = from + user_info.len() - password.len();
            found.push(start..start + password.len());
        }
    }
    // Piece by piece, so that the time grows with the text and not with its square.
    for piece in text.split(|c: char| matches!(c, '&' | ';') || c.is_whitespace()) {
        let at = piece.as_ptr() as usize - text.as_ptr() as usize;
        let Some((before, value)) = piece.split_once('=') else { continue };
        let is_next = text[..at].ends_with(['&', ';']);
        let (name, is_parameter) = match before.rsplit_once('?') {
            Some((_, name)) => (name, true),
            None => (before, is_next),
        };
        let value = judge.of_parameter(value);
        if is_parameter && names_secret(name) && judge.is_secret(value) {
            let start = at + before.len() + 1;
            found.push(start..start + value.len());
        }
    }
    found
}

/// A word without the quotes around it and what separates it from the next. Only at its ends: within, anything may belong
/// to a secret.
fn bare(word: &str) -> &str {
    let is_quote = |c: char| matches!(c, '"' | '\'' | '`');
    let word = word.trim_start_matches(is_quote);
    word.trim_end_matches(|c: char| is_quote(c) || matches!(c, ';' | ',' | '|' | '&' | ')'))
}

/// The secrets behind options of a command: `--password x`, `-Ddb.password=x`, `PASSWORD=x`.
fn in_command(text: &str, judge: Judge) -> Vec<Found> {
    let mut found = Vec::new();
    let mut option: Option<&str> = None;
    let offset = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    for word in text.split_whitespace() {
        if let Some(name) = option.take()
            && names_secret(name)
            && !word.starts_with('-')
            && let value = bare(word)
            && judge.is_secret(value)
        {
            let from = offset(value);
            found.push((format!("`{name}` gives a secret in clear text"), from..from + value.len()));
            continue;
        }
        match word.split_once('=') {
            Some((name, value))
                if names_secret(name)
                    && !name.contains("${")
                    && judge.is_secret(judge.of_option(name, value)) =>
            {
                let value = judge.of_option(name, value);
                let from = offset(value);
                let message = format!("`{}` gives a secret in clear text", shown(name));
                found.push((message, from..from + value.len()));
            }
            _ if word.starts_with('-') => option = Some(word),
            _ => {}
        }
    }
    found
}

/// Keys that show by their shape.
fn by_shape(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = text[at..].find("-----BEGIN ") {
        at += begin;
        let line = text[at..].lines().next().unwrap_or_default().len();
        if !text[at..at + line].contains("PRIVATE KEY") {
            at += line;
            continue;
        }
        let end = text[at..]
            .find("-----END ")
            .map_or(text.len(), |end| at + end + text[at + end..].lines().next().unwrap_or_default().len());
        found.push(("a private key stands in clear text".to_owned(), at..end));
        at = end;
    }
    // The id of an access key of Amazon Web Services.
    for (at, _) in text.match_indices("AKIA") {
        if text[..at].ends_with(|c: char| c.is_ascii_alphanumeric()) {
            continue;
        }
        let word = text[at..]
            .find(|c: char| !c.is_ascii_alphanumeric())
            .map_or(&text[at..], |end| &text[at..at + end]);
        if word.len() == 20 && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit()) {
            found.push(("an access key stands in clear text".to_owned(), at..at + word.len()));
        }
    }
    found
}

#[cfg(test)]
#[path = "secrets_tests.rs"]
mod tests;
