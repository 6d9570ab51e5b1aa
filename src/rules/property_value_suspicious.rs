//! The value of a property holds what does not belong into a value: quotes, a comment, a home folder, what a shell would
//! replace, or a misspelt `true`.
//!
//! A properties file knows no quotes and no comment behind a value: `start="2024-01-01T00:00Z"` keeps its quotes, and
//! `queue=etl # for now` names a queue of that whole text. No shell reads it, so that `~/data`, `$HOME` and `$(date)` stay as they
//! are. A `ture` is taken for `false`, as everything but `true`. A `$` or a brace too few leaves a reference as it stands, and
//! a year of three digits is one of the Middle Ages.
//!
//! ```xml
//! oozie.use.system.libpath=ture
//! oozie.use.system.libpath=true
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::properties::Origin;
use crate::analysis::subject::Properties;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "property-value-suspicious",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("property_value_suspicious.rs"),
    },
    check: Check::Properties(check),
};

/// What shells replace.
const SHELL: &[&str] = &[
    "$USER",
    "$HOME",
    "$PWD",
    "$HOSTNAME",
    "${USER}",
    "${HOME}",
    "$(date",
    "$(hostname",
    "$(whoami",
    "`date",
    "`hostname",
];

/// Whether a word stands in a text and no name goes on behind it.
fn holds_word(text: &str, word: &str) -> bool {
    text.match_indices(word)
        .any(|(at, _)| !text[at + word.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
}

/// What fingers make of `true` and `false`.
const SLIPS: [(&str, &[&str]); 2] = [
    ("true", &["ture", "treu", "rtue", "tru", "treue", "truee", "trrue", "ttrue"]),
    (
        "false",
        &["flase", "fasle", "fales", "afalse", "fals", "fasel", "falsee", "faslse", "flalse", "ffalse"],
    ),
];

fn check(app: &Properties<'_>, sink: &mut Sink) {
    for property in app.list.iter() {
        let value = property.value.trimmed();
        let text = value.value.as_str();
        let name = property.name.value.trim();
        let mut say = |message: String, help: &str| {
            sink.push(Diagnostic::new(&RULE.info, value.span, message).help(help));
        };
        if let Some((meant, _)) =
            SLIPS.iter().find(|(_, slips)| slips.contains(&text.to_lowercase().as_str()))
        {
            say(format!("`{text}` is neither `true` nor `false`"), &format!("did you mean `{meant}`?"));
        }
        if let Some((message, help)) = malformed(text, app.origin) {
            say(format!("{message} in the value of `{name}`"), help);
        }
        if app.origin != Origin::File {
            continue;
        }
        let is_quoted = ['"', '\''].iter().any(|quote| {
            text.len() > 2
                && text
                    .strip_prefix(*quote)
                    .and_then(|it| it.strip_suffix(*quote))
                    .is_some_and(|it| !it.contains(*quote))
        });
        let by_shell = SHELL.iter().find(|word| holds_word(text, word));
        if text.starts_with("~/") {
            say(
                format!("nobody replaces the `~` in the value of `{name}`"),
                "write the path of the home folder",
            );
        } else if let Some(word) = by_shell {
            let message = format!("no shell replaces the `{word}` in the value of `{name}`");
            say(message, "write the value, or supply it with `-D`");
        } else if is_quoted {
            say(format!("the quotes belong to the value of `{name}`"), "remove the quotes");
        } else if name == "oozie.libpath" && text.contains(';') {
            say("folders of libraries are separated by `,`, not by `;`".to_owned(), "write `,` between them");
        } else if text.ends_with(';') && text.matches(';').count() == 1 && !text.contains([' ', '=', '?']) {
            say(format!("the `;` belongs to the value of `{name}`"), "remove the `;`");
        } else if text.split_once(" #").is_some_and(|(_, comment)| comment.starts_with([' ', '#'])) {
            say(
                format!("a `#` begins no comment here: it belongs to the value of `{name}`"),
                "write the comment on a line of its own",
            );
        }
    }
}

/// What a slip of one character makes of a reference or a datetime, and what helps.
fn malformed(text: &str, origin: Origin) -> Option<(&'static str, &'static str)> {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))
    };
    if text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).is_some_and(is_name) {
        return Some(("a `$` is missing before the `{`", "write `${name}`"));
    }
    // In a properties file another rule tells which property is meant.
    let is_file = origin == Origin::File;
    if !is_file && text.strip_prefix('$').and_then(|rest| rest.strip_suffix('}')).is_some_and(is_name) {
        return Some(("a `{` is missing behind the `$`", "write `${name}`"));
    }
    if !is_file && text.strip_prefix("${").is_some_and(is_name) {
        return Some(("a `}` is missing", "write `${name}`"));
    }
    if text.starts_with(">$") {
        return Some(("a `>` is too many", "remove it"));
    }
    let (date, rest) = text.split_once('T')?;
    let mut parts = date.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return None;
    };
    let digits = |text: &str, count: std::ops::RangeInclusive<usize>| {
        count.contains(&text.len()) && text.chars().all(|c| c.is_ascii_digit())
    };
    let is_datetime = digits(month, 2..=2) && digits(day, 2..=2) && rest.get(2..3) == Some(":");
    (is_datetime && digits(year, 1..=3))
        .then_some(("a digit of the year is missing", "write the year with four digits"))
}
