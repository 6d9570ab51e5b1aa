//! The names that scripts of Pig and Hive ask to be given.
//!
//! Only what is surely asked for is said: names that a script sets by itself, in a macro or from a file are not.

use std::collections::BTreeSet;

use crate::source::{Span, Text};

/// A name that a script asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The name.
    pub name: String,
    /// Where it is asked for first.
    pub span: Span,
}

/// The names that a script of Hive takes from variables: `${name}` and `${hivevar:name}`.
pub fn of_hive(script: &Text) -> Vec<Wanted> {
    let text = without_comments(&script.value);
    let set = set_by_hive(&text);
    let names = references(&text, false).filter_map(|(at, name)| {
        let bare = name.strip_prefix("hivevar:").unwrap_or(name);
        // What has a colon or a dot is a setting of Hive or of the system.
        let is_name = bare.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        (is_name && !set.contains(&bare.to_lowercase())).then_some((at + (name.len() - bare.len()), bare))
    });
    first_of_each(script, names)
}

/// The names that a script of Pig takes from parameters: `$name` and `${name}`.
pub fn of_pig(script: &Text) -> Vec<Wanted> {
    let text = without_comments(&script.value);
    // Parameters of macros are written in the same way.
    if text.to_lowercase().contains("returns") {
        return Vec::new();
    }
    let set: BTreeSet<String> = text
        .lines()
        .filter_map(|line| {
            let line = line.trim_start();
            let rest = ["%default", "%declare"].iter().find_map(|word| line.strip_prefix(word))?;
            rest.split_whitespace().next().map(str::to_owned)
        })
        .collect();
    let names = references(&text, true).filter(|(_, name)| {
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !set.contains(*name)
    });
    first_of_each(script, names)
}

/// The files without a folder that a script of Pig (`IMPORT`, `REGISTER`) or Hive (`SOURCE`, `ADD`) reads, each with its
/// place.
pub fn imports(script: &Text) -> Vec<(String, Span)> {
    let text = without_comments(&script.value);
    let mut found = Vec::new();
    let mut from = 0;
    for line in text.split(['\n', ';']) {
        let start = from;
        from += line.len() + 1;
        let mut words = line.split_whitespace();
        let path = match words.next().map(str::to_uppercase).as_deref() {
            Some("IMPORT" | "REGISTER" | "SOURCE") => words.next(),
            Some("ADD") => words
                .next()
                .filter(|kind| ["JAR", "FILE", "ARCHIVE", "JARS", "FILES"].contains(&&*kind.to_uppercase()))
                .and_then(|_| words.next()),
            _ => None,
        };
        let Some(name) = path.map(|path| path.trim_matches(['\'', '"'])) else { continue };
        if name.is_empty() || name.contains(['/', '$', '*', ':']) {
            continue;
        }
        if let Some(at) = line.find(name) {
            // `lib/*.jar` is a path, though a comment may begin so.
            if script.value[start + at + name.len()..].starts_with('/') {
                continue;
            }
            found.push((name.to_owned(), script.span_of(start + at..start + at + name.len())));
        }
    }
    found
}

/// The names in lower case that `SET` gives a value to.
fn set_by_hive(text: &str) -> BTreeSet<String> {
    let statements = text.split([';', '\n']).map(str::trim_start);
    let set = statements.filter_map(|statement| {
        let rest =
            statement.get(..3).filter(|word| word.eq_ignore_ascii_case("set")).map(|_| &statement[3..])?;
        let (name, _) = rest.split_once('=')?;
        let name = name.trim().to_lowercase();
        Some(name.strip_prefix("hivevar:").unwrap_or(&name).to_owned())
    });
    set.collect()
}

/// The names behind `$`, with the place of the name; `bare` takes those without braces too.
fn references(text: &str, bare: bool) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices('$').filter_map(move |(at, _)| {
        if text[..at].ends_with('\\') {
            return None;
        }
        let rest = &text[at + 1..];
        let (start, name) = match rest.strip_prefix('{') {
            Some(inner) => (at + 2, &inner[..inner.find(['}', '\n'])?]),
            None if bare => {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                (at + 1, &rest[..end])
            }
            None => return None,
        };
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        is_name.then_some((start, name))
    })
}

fn first_of_each<'t>(script: &Text, names: impl Iterator<Item = (usize, &'t str)>) -> Vec<Wanted> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (at, name) in names {
        if seen.insert(name) {
            found.push(Wanted { name: name.to_owned(), span: script.span_of(at..at + name.len()) });
        }
    }
    found
}

/// The text with blanks in place of comments, so that all else stands where it stood.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quote: Option<char> = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = if quote.is_none() && rest.starts_with("--") {
            rest.find('\n').unwrap_or(rest.len())
        } else if quote.is_none() && rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            match quote {
                Some(open) if open == c => quote = None,
                None if matches!(c, '\'' | '"') => quote = Some(c),
                // Quotes do not go on in the next line: the one before was none.
                Some(_) if c == '\n' => quote = None,
                _ => {}
            }
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        let comment = &rest[..taken];
        out.extend(comment.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        rest = &rest[taken..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn names(of: fn(&Text) -> Vec<Wanted>, text: &str) -> Vec<String> {
        let mut sources = Sources::new();
        let file = sources.add("s", text);
        let script = Text::verbatim(text, Span::new(file, 0..text.len()));
        let found = of(&script);
        for wanted in &found {
            assert_eq!(sources.slice(wanted.span), wanted.name);
        }
        found.into_iter().map(|wanted| wanted.name).collect()
    }

    #[test]
    fn hive_asks_for_variables() {
        let hive = |text: &str| names(of_hive, text);
        assert_eq!(hive("USE ${DB}; SELECT '${hivevar:DAY}' FROM ${DB}.t;"), ["DB", "DAY"]);
        assert_eq!(hive("SET hivevar:DAY=1; set db = x;\nUSE ${DB} ${DAY}"), [""; 0]);
        assert_eq!(hive("${hiveconf:x} ${system:user.name} ${env:HOME} ${a.b} $1 $x \\${y}"), [""; 0]);
        assert_eq!(hive("-- ${A}\n/* ${B}\n */ '--' ${C} ${open"), ["C"]);
    }

    #[test]
    fn scripts_read_files() {
        let listed = |text: &str| {
            let file = Sources::new().add("s", text);
            let script = Text::verbatim(text, Span::new(file, 0..text.len()));
            imports(&script).into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(
            listed("IMPORT 'm.pig';\nregister udf.py using jython as u; A = LOAD 'x';"),
            ["m.pig", "udf.py"]
        );
        assert_eq!(
            listed("ADD JAR a.jar; add column c; SOURCE b.hql;\nADD FILE /x/c.py; -- IMPORT 'n.pig'"),
            ["a.jar", "b.hql"]
        );
        assert_eq!(listed("IMPORT '$DIR'; REGISTER lib/*.jar; import"), [""; 0]);
    }

    #[test]
    fn pig_asks_for_parameters() {
        let pig = |text: &str| names(of_pig, text);
        assert_eq!(
            pig("A = LOAD '$IN/${DAY}' AS (x); B = FOREACH A GENERATE $0; STORE B INTO '$IN';"),
            ["IN", "DAY"]
        );
        assert_eq!(pig("%default IN '/x'\n  %declare DAY `date`\nA = LOAD '$IN/$DAY';"), [""; 0]);
        assert_eq!(pig("DEFINE m(x) RETURNS y { $y = FILTER $x BY 1; };"), [""; 0]);
        assert_eq!(pig("-- $A\nF = FILTER A BY n MATCHES '.*e$'; /* $B */"), [""; 0]);
    }
}
