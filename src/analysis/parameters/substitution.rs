//! References between values of one configuration, as `XConfiguration.substituteVars` puts them in.
//!
//! Bounded: a value takes at most [`SUBSTITUTION_DEPTH`] steps, and a whole configuration may grow by [`MAX_GROWTH`].

use crate::diag::{Group, Info, Severity, Stage};

/// After this many replacements in one value the server gives up (`oozie.configuration.substitute.depth`).
/// A value that needs exactly so many fails as well.
pub const SUBSTITUTION_DEPTH: usize = 20;

/// Bytes by which the values of one configuration may grow through references.
pub const MAX_GROWTH: usize = 64 << 20;

/// Values that refer to each other in a loop, or too often.
pub static PROPERTY_CYCLE: Info = Info {
    name: "property-cycle",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &[],
    explanation: "Properties refer to each other in a loop, or one value needs 20 or more replacements.\n\n\
        The server puts values into values at most 19 times for one property and then refuses the submission \
        with a bare exception. Write one of the values out.",
};

/// A configuration whose values grow beyond all measure.
pub static CONFIGURATION_TOO_LONG: Info = Info {
    name: "configuration-too-long",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &[],
    explanation: "The values of a configuration, once put into each other, grow by more than 64 MiB.\n\n\
        Values that repeat one long value many times make a configuration that no server stores. Shorten the value.",
};

/// A value took [`SUBSTITUTION_DEPTH`] replacements and was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("values are put into each other {SUBSTITUTION_DEPTH} times")]
pub struct TooDeep;

/// Puts values in for `${name}`, the leftmost first, again and again; stops for good at the first name that has none.
/// `uses` takes the names in the order they were put in.
pub fn substitute<'v>(
    value: &str,
    lookup: impl Fn(&str) -> Option<&'v str>,
    uses: &mut Vec<String>,
) -> Result<String, TooDeep> {
    let mut text = value.to_owned();
    for _ in 0..SUBSTITUTION_DEPTH {
        let Some((start, end)) = first_reference(&text) else { return Ok(text) };
        let name = &text[start + 2..end - 1];
        let Some(found) = lookup(name) else { return Ok(text) };
        uses.push(name.to_owned());
        text.replace_range(start..end, found);
    }
    Err(TooDeep)
}

/// The leftmost `${name}` whose name holds no `}`, `$` or blank and is not empty.
fn first_reference(text: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    while let Some(at) = text[from..].find("${") {
        let start = from + at;
        let name = start + 2;
        let stop = text[name..].find(['}', '$', ' ']).map(|length| name + length)?;
        if stop > name && text.as_bytes()[stop] == b'}' {
            return Some((start, stop + 1));
        }
        from = name;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &str, pairs: &[(&str, &str)], expected: Result<&str, TooDeep>) {
        let lookup = |name: &str| pairs.iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
        let found = substitute(value, lookup, &mut Vec::new());
        assert_eq!(found.as_deref().map_err(|e| *e), expected, "{value}");
    }

    #[test]
    fn references_are_followed_as_hadoop_does() {
        let pairs = &[("a", "1"), ("b", "${a}2"), ("c", "${b}3"), ("e", ""), ("in", "a")];
        check("${c}", pairs, Ok("123"));
        check("x", pairs, Ok("x"));
        check("${e}|", pairs, Ok("|"));
        check("${no}/${a}", pairs, Ok("${no}/${a}"));
        check("${a}/${no}/${a}", pairs, Ok("1/${no}/${a}"));
        check("${ a}${a}", pairs, Ok("${ a}1"));
        check("${}${a}", pairs, Ok("${}1"));
        check("${${in}}", pairs, Ok("1"));
        check("$${a}", pairs, Ok("$1"));
        check("${a", pairs, Ok("${a"));
        check("${é}${a}", pairs, Ok("${é}${a}"));
    }

    #[test]
    fn loops_and_long_chains_stop() {
        check("${a}", &[("a", "${a}")], Err(TooDeep));
        check("${a}", &[("a", "${b}"), ("b", "x${a}")], Err(TooDeep));
        check(&"${a}".repeat(19), &[("a", "1")], Ok(&"1".repeat(19)));
        check(&"${a}".repeat(20), &[("a", "1")], Err(TooDeep));
    }
}
