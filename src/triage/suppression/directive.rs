//! The words of a comment that allows something.

use std::ops::Range;

use crate::diag::closest;

/// The word that all of our comments begin with.
const MARK: &str = "ankus";

/// Names that one comment may hold; more are not read.
const MAX_RULES: usize = 100;

/// How much of a comment is looked at; a reason may be longer.
const MAX_BYTES: usize = 10_000;

/// How far a comment reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The element or entry.
    Place,
    /// The line.
    Line,
    /// The file.
    File,
}

const KINDS: [(&str, Kind); 3] =
    [("allow", Kind::Place), ("allow-line", Kind::Line), ("allow-file", Kind::File)];

/// What people write for the same in other tools.
const FOREIGN: [&str; 6] = ["ignore", "disable", "suppress", "noqa", "nolint", "skip"];

/// A comment that allows some rules.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Directive<'t> {
    /// How far it reaches.
    pub(super) kind: Kind,
    /// The names of the rules and their places.
    pub(super) rules: Vec<(&'t str, Range<usize>)>,
}

/// Why a comment that is meant for us cannot be understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// What is wrong.
    pub(super) message: String,
    /// The way out.
    pub(super) help: String,
    /// Where.
    pub(super) range: Range<usize>,
}

/// Reads the words of a comment that begin at `base` in their file; none when they are not meant for us.
pub(super) fn read(words: &str, base: usize) -> Option<Result<Directive<'_>, Fault>> {
    let mut end = words.len().min(MAX_BYTES);
    while !words.is_char_boundary(end) {
        end -= 1;
    }
    let cut = words[..end].trim_end();
    let text = cut.trim_start();
    let base = base + cut.len() - text.len();
    let fault = |range: Range<usize>, message: String| {
        let help = "write `ankus: allow(rule-name) reason`, `allow-line(…)` or `allow-file(…)`".to_owned();
        Some(Err(Fault { message, help, range: base + range.start..base + range.end }))
    };
    let mark_end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let (mark, rest) = text.split_at(mark_end);
    let after = rest.trim_start_matches([' ', '\t', ':', '-']);
    let word_end = after.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(after.len());
    let word = &after[..word_end];
    let at = text.len() - after.len();
    let is_keyword = KINDS.iter().any(|(name, _)| *name == word);
    let has_list = after[word_end..].trim_start().starts_with('(');
    let kind_meant = || closest(word, KINDS.iter().map(|(name, _)| *name));
    if mark != MARK {
        let is_near = mark.eq_ignore_ascii_case(MARK) || closest(mark, [MARK]).is_some();
        // `ankle: hurts` is no slip of ours; `Ankus: allow(x)` is.
        let is_meant = is_near && has_list && kind_meant().is_some();
        return if is_meant { fault(0..mark_end, format!("`{mark}` is not `{MARK}`")) } else { None };
    }
    if !rest.starts_with(':') {
        let is_meant = has_list && (kind_meant().is_some() || FOREIGN.contains(&word));
        return if is_meant {
            fault(0..mark_end, "a colon is missing after `ankus`".to_owned())
        } else {
            None
        };
    }
    if !is_keyword {
        let mut message = format!("`{word}` is none of `allow`, `allow-line` and `allow-file`");
        if word.is_empty() {
            return fault(0..mark_end + 1, "`ankus:` is not followed by `allow`".to_owned());
        } else if let Some(near) = kind_meant() {
            message = format!("{message}; did you mean `{near}`?");
        }
        return fault(at..at + word_end, message);
    }
    let kind = KINDS.iter().find(|(name, _)| *name == word).map_or(Kind::Place, |(_, kind)| *kind);
    let list = after[word_end..].trim_start();
    let open = text.len() - list.len();
    let Some(inner) = list.strip_prefix('(') else {
        return fault(
            at..at + word_end,
            format!("`{word}` is not followed by the names of rules in parentheses"),
        );
    };
    let Some(close) = inner.find(')') else {
        return fault(open..open + 1, "the parenthesis is not closed".to_owned());
    };
    let mut rules = Vec::new();
    let mut start = open + 1;
    for name in inner[..close].split(',').take(MAX_RULES) {
        let trimmed = name.trim();
        let from = base + start + (name.len() - name.trim_start().len());
        if trimmed.is_empty() {
            return fault(open..open + close + 2, "a name is missing in the list of rules".to_owned());
        }
        rules.push((trimmed, from..from + trimmed.len()));
        start += name.len() + 1;
    }
    Some(Ok(Directive { kind, rules }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_with_their_places() {
        let check = |words: &str, kind: Kind, names: &[&str]| {
            let directive = read(words, 0).expect("it is meant").expect("it is understood");
            assert_eq!(directive.kind, kind, "{words}");
            assert_eq!(directive.rules.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names, "{words}");
            for (name, range) in directive.rules {
                assert_eq!(&words[range], name);
            }
        };
        check(" ankus: allow(a-b) because ", Kind::Place, &["a-b"]);
        check("ankus:allow ( a , b-c,d ) é(", Kind::Place, &["a", "b-c", "d"]);
        check("\n  ankus: allow-file(a)", Kind::File, &["a"]);
        check("ankus: allow-line(a)x", Kind::Line, &["a"]);
    }

    #[test]
    fn near_misses_are_told_and_others_let_be() {
        let told = |words: &str, expected: &str| {
            let fault = read(words, 0).expect("it is meant").expect_err("it is wrong");
            assert!(fault.message.contains(expected), "{words}: {}", fault.message);
            assert!(words.get(fault.range).is_some_and(|text| !text.is_empty()), "{words}");
        };
        told("ankus: alow(a)", "did you mean `allow`?");
        told("ankus: ignore(a)", "`ignore` is none of");
        told("ankus: allow-fiel(a)", "did you mean `allow-file`?");
        told("ankus allow(a)", "a colon is missing");
        told("ankus-allow(a)", "a colon is missing");
        told("ankus ignore(a)", "a colon is missing");
        told("Ankus: allow(a)", "`Ankus` is not `ankus`");
        told("anksu: allow(a)", "`anksu` is not `ankus`");
        told("ankus: allow a", "in parentheses");
        told("ankus: allow(a", "not closed");
        told("ankus: allow()", "a name is missing");
        told("ankus: allow(a,,b)", "a name is missing");
        told("ankus:", "not followed by `allow`");
        told("ankus: é", "none of");
        told("ankus: (a)", "not followed by `allow`");
        for words in [
            "",
            "ankus",
            "ankus is a linter",
            "Ankus checks this (all of it)",
            "allow(a)",
            "é",
            "todo: allow(x)",
        ] {
            assert_eq!(read(words, 0), None, "{words}");
        }
    }
}
