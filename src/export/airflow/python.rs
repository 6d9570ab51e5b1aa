//! Python as text: literals that cannot break out, and calls laid out as `ruff format` does.

use std::fmt::Write;

/// The width of a line.
pub(super) const WIDTH: usize = 88;

/// An expression that can be laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expr {
    /// Code that stays on one line.
    Code(String),
    /// A call with arguments, by name or place.
    Call(String, Vec<(Option<String>, Expr)>),
    /// A dictionary; keys are code.
    Dict(Vec<(String, Expr)>),
    /// A list.
    List(Vec<Expr>),
}

impl Expr {
    /// Text.
    pub(super) fn text(value: &str) -> Expr {
        Expr::Code(string(value))
    }

    /// On one line.
    pub(super) fn flat(&self) -> String {
        match self {
            Expr::Code(code) => code.clone(),
            Expr::Call(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(flat_argument).collect();
                format!("{name}({})", arguments.join(", "))
            }
            Expr::Dict(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{key}: {}", value.flat())).collect();
                format!("{{{}}}", entries.join(", "))
            }
            Expr::List(items) => {
                let items: Vec<String> = items.iter().map(Expr::flat).collect();
                format!("[{}]", items.join(", "))
            }
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Expr::Code(_) => true,
            Expr::Call(_, arguments) => arguments.is_empty(),
            Expr::Dict(entries) => entries.is_empty(),
            Expr::List(items) => items.is_empty(),
        }
    }

    /// Writes it behind what stands on the line already, `used` wide, with `trail` wide behind it. Nesting is that of the
    /// exporter's own code, a few levels.
    fn write(&self, out: &mut String, indent: usize, used: usize, trail: usize) {
        let flat = self.flat();
        if used + width(&flat) + trail <= WIDTH || self.is_empty() {
            out.push_str(&flat);
            return;
        }
        let (open, close, items) = match self {
            Expr::Code(_) => return out.push_str(&flat),
            Expr::Call(name, arguments) => {
                let items = arguments.iter().map(|(name, value)| {
                    (name.as_ref().map(|name| format!("{name}=")).unwrap_or_default(), value)
                });
                (format!("{name}("), ")", items.collect::<Vec<_>>())
            }
            Expr::Dict(entries) => {
                let items = entries.iter().map(|(key, value)| (format!("{key}: "), value));
                ("{".to_owned(), "}", items.collect())
            }
            Expr::List(items) => {
                ("[".to_owned(), "]", items.iter().map(|item| (String::new(), item)).collect())
            }
        };
        out.push_str(&open);
        out.push('\n');
        for (lead, value) in items {
            let _ = write!(out, "{:1$}{lead}", "", indent + 4);
            value.write(out, indent + 4, indent + 4 + width(&lead), 1);
            out.push_str(",\n");
        }
        let _ = write!(out, "{:1$}{close}", "", indent);
    }
}

fn flat_argument((name, value): &(Option<String>, Expr)) -> String {
    match name {
        Some(name) => format!("{name}={}", value.flat()),
        None => value.flat(),
    }
}

/// How wide a text is: East Asian letters count twice, as `ruff` does.
fn width(text: &str) -> usize {
    let is_wide = |c: char| matches!(u32::from(c), 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd);
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// A statement: what stands before the expression, the expression, what stands behind it.
pub(super) fn statement(indent: usize, lead: &str, value: &Expr, trail: &str) -> String {
    let mut out = format!("{:1$}{lead}", "", indent);
    let used = indent + width(lead);
    if let (Expr::Code(code), true) = (value, lead.ends_with("= ")) {
        let fits_below = indent + 4 + width(code) <= WIDTH;
        if used + width(code) + width(trail) > WIDTH && fits_below {
            let _ = write!(out, "(\n{:2$}{code}\n{:3$}){trail}\n", "", "", indent + 4, indent);
            return out;
        }
    }
    value.write(&mut out, indent, used, width(trail));
    out.push_str(trail);
    out.push('\n');
    out
}

/// A string literal: whatever the text, it is one literal on one line.
pub(super) fn string(text: &str) -> String {
    let count = |quote: char| text.chars().filter(|c| *c == quote).count();
    let quote = if count('"') > count('\'') { '\'' } else { '"' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c => push_visible(c, &mut out),
        }
    }
    out.push(quote);
    out
}

/// Writes a letter, or its number where it steers a terminal, ends a line or cannot be seen.
fn push_visible(c: char, out: &mut String) {
    let number = u32::from(c);
    let is_hidden = c.is_control()
        || matches!(number, 0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xfff0..=0xfffb | 0xe0000..=0xe0fff);
    if !is_hidden {
        out.push(c);
    } else if number <= 0xff {
        let _ = write!(out, "\\x{number:02x}");
    } else if number <= 0xffff {
        let _ = write!(out, "\\u{number:04x}");
    } else {
        let _ = write!(out, "\\U{number:08x}");
    }
}

/// A literal inside of Jinja's `{{ }}`: single quotes, and no braces that could end it.
pub(super) fn jinja_string(text: &str) -> String {
    let mut out = String::from("'");
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\'' => out.push_str("\\'"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '{' => out.push_str("\\x7b"),
            '}' => out.push_str("\\x7d"),
            c if c.is_ascii() => push_visible(c, &mut out),
            // Jinja decodes escapes of ASCII alone without a loss.
            c if u32::from(c) <= 0xffff => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => {
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
        }
    }
    out.push('\'');
    out
}

/// Text in a template that Jinja prints as it is.
pub(super) fn jinja_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        let next = rest[at + 1..].chars().next();
        // At the end of a part the next one may begin with a brace.
        if matches!(next, Some('{' | '%' | '#') | None) {
            out.push_str("{{ '{' }}");
        } else {
            out.push('{');
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out
}

/// A text inside of a docstring or a comment: one line, nothing that ends it.
pub(super) fn comment(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push('/'),
            '"' => out.push('\''),
            '\n' | '\r' | '\t' => out.push(' '),
            c => push_visible_plain(c, &mut out),
        }
    }
    out.trim().to_owned()
}

fn push_visible_plain(c: char, out: &mut String) {
    let mut shown = String::new();
    push_visible(c, &mut shown);
    if shown.starts_with('\\') { out.push('?') } else { out.push_str(&shown) }
}

/// A word of a shell: quoted where it must be.
pub(super) fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    if text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\"'\"'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_cannot_be_left() {
        assert_eq!(string("a"), r#""a""#);
        assert_eq!(string("a\"b"), r#"'a"b'"#);
        assert_eq!(string("'\"\"'\\\n"), r#""'\"\"'\\\n""#);
        assert_eq!(string("\u{202e}\u{1b}\u{e0001}"), r#""\u202e\x1b\U000e0001""#);
        assert_eq!(jinja_string("}}'{%\n"), r"'\x7d\x7d\'\x7b%\n'");
        assert_eq!(jinja_text("a{{b}}{%c{"), "a{{ '{' }}{b}}{{ '{' }}%c{{ '{' }}");
        assert_eq!(comment("a\"\"\"\nb\\"), "a''' b/");
        assert_eq!(shell_word("a b'$(c)"), r#"'a b'"'"'$(c)'"#);
    }

    #[test]
    fn calls_are_laid_out() {
        let call = |texts: &[&str]| {
            let arguments = texts.iter().map(|text| (Some("x".to_owned()), Expr::text(text)));
            statement(4, "a = ", &Expr::Call("F".to_owned(), arguments.collect()), "")
        };
        assert_eq!(call(&["1"]), "    a = F(x=\"1\")\n");
        let long = "1".repeat(40);
        assert_eq!(
            call(&[&long, &long]),
            format!("    a = F(\n        x=\"{long}\",\n        x=\"{long}\",\n    )\n")
        );
    }
}
