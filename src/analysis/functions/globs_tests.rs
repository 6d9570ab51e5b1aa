//! Patterns for files, as Hadoop's `GlobPattern` reads them.

use super::*;

/// Whether a pattern fits a name; nothing where it is no pattern.
fn fits(pattern: &str, name: &str) -> Option<bool> {
    let patterns = alternatives(pattern).ok()?;
    let globs = patterns.iter().map(|pattern| Glob::parse(pattern)).collect::<Result<Vec<_>, _>>().ok()?;
    Some(globs.iter().any(|glob| glob.matches(name)))
}

fn check(pattern: &str, fitting: &[&str], others: &[&str]) {
    for name in fitting {
        assert_eq!(fits(pattern, name), Some(true), "{pattern} {name}");
    }
    for name in others {
        assert_eq!(fits(pattern, name), Some(false), "{pattern} {name}");
    }
}

#[test]
fn stars_stand_for_any_text() {
    check("a*c", &["ac", "abc", "abbc"], &["", "ab", "xac", "acb"]);
    check("*", &["", "x", "xy"], &[]);
    check("**", &["", "x", "xy"], &[]);
    check("*a", &["a", "xa", "xxa", "aa"], &["", "b", "ab"]);
    check("*ab*b", &["xabab", "aabb", "abb"], &["ab", "aab", "ba"]);
    check("a?c", &["abc", "aéc"], &["ac", "abbc", "abd"]);
    check("?", &["x"], &["", "xy"]);
    check("a.c", &["a.c"], &["abc"]);
    check("ab", &["ab"], &["a", "abc", "xy", ""]);
    check("", &[""], &["a"]);
}

#[test]
fn classes_stand_for_one_character() {
    check("[ab]c", &["ac", "bc"], &["cc", "c", "abc"]);
    check("[^ab]", &["c", "^"], &["a", "b", ""]);
    check("[!ab]", &["c", "!"], &["a", "b"]);
    check("[a!]", &["a", "!"], &["b"]);
    check("[a-c]", &["a", "b", "c"], &["d", "-"]);
    check("[a-]", &["a", "-"], &["b"]);
    check("[-a]", &["a", "-"], &["b"]);
    check("[a-c-e]", &["b", "-", "e"], &["d"]);
    check("[]a]", &["]", "a"], &["b"]);
    check("[^]a]", &["b"], &["]", "a"]);
    check("[\\]a]", &["]", "a"], &["\\"]);
    check("[a\\-c]", &["a", "-", "c"], &["b"]);
    check("[é-ü]", &["ö"], &["a"]);
    check("a]", &["a]"], &["a"]);
    for pattern in ["[", "[]", "[^]", "[!]", "[a", "[a-", "[a\\", "[c-a]"] {
        assert_eq!(fits(pattern, "a"), None, "{pattern}");
    }
}

#[test]
fn what_is_escaped_stands_for_itself() {
    check("a\\*", &["a*"], &["ab", "a\\*"]);
    check("\\[a]", &["[a]"], &["a"]);
    check("\\{a", &["{a"], &["a"]);
    check("a^b!", &["a^b!"], &["ab"]);
    assert_eq!(fits("a\\", "a"), None);
}

#[test]
fn braces_stand_for_several_texts() {
    let check = |pattern: &str, expected: &[&str]| {
        let mut found = alternatives(pattern).unwrap_or_else(|failure| vec![failure.java.into_owned()]);
        found.sort_unstable();
        assert_eq!(found, expected, "{pattern}");
    };
    check("", &[""]);
    check("a", &["a"]);
    check("a,b}", &["a,b}"]);
    check("{a}", &["a"]);
    check("x{}y", &["xy"]);
    check("{a,}b", &["ab", "b"]);
    check("{a,b}c", &["ac", "bc"]);
    check("a/{b,c}/d", &["a/b/d", "a/c/d"]);
    check("{a,b}{c,d}", &["ac", "ad", "bc", "bd"]);
    check("{a,{b,c}d}e", &["ae", "bde", "cde"]);
    check("\\{a,b}", &["\\{a,b}"]);
    check("\\\\{a,b}", &["\\\\a", "\\\\b"]);
    check("{a\\,b}", &["a\\,b"]);
    check("{a\\}b,c}", &["a\\}b", "c"]);
    check("{a\\{b,c}", &["a\\{b", "c"]);
    check("{a", &["IOException"]);
    check("a{b,c", &["IOException"]);
    check("{a,{b}", &["IOException"]);
    check("{a\\}", &["IOException"]);
}

#[test]
fn braces_stand_for_so_many_texts_at_most() {
    let many = |count: usize| format!("{{{}}}", vec!["a"; count].join(","));
    let count = |pattern: &str| alternatives(pattern).map(|all| all.len()).ok();
    assert_eq!(count(&many(MAX_ALTERNATIVES)), Some(MAX_ALTERNATIVES));
    assert_eq!(count(&many(MAX_ALTERNATIVES + 1)), None);
    // What was found before counts as well.
    assert_eq!(count(&format!("{{x,y}}{}", many(MAX_ALTERNATIVES / 2))), Some(MAX_ALTERNATIVES));
    assert_eq!(count(&format!("{{x,y}}{}", many(MAX_ALTERNATIVES / 2 + 1))), None);
    assert_eq!(count(&format!("{{x,y,z}}{}", many(MAX_ALTERNATIVES - 1))), None);
}
