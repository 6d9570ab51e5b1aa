//! Replacing and splitting, as Java 17 does it.

use super::Regex;

fn replace(text: &str, pattern: &str, replacement: &str) -> String {
    match Regex::new(pattern).and_then(|regex| regex.replace_all(text, replacement)) {
        Ok(text) => text,
        Err(failure) => failure.java.into_owned(),
    }
}

#[test]
fn replacements_are_as_java_makes_them() {
    let check = |text, pattern, replacement, expected| {
        assert_eq!(replace(text, pattern, replacement), expected, "{text} {pattern} {replacement}");
    };
    check("a1b22", "[0-9]+", "#", "a#b#");
    check("abc", "(a)(b)", "$2$1", "bac");
    check("abc", "", "-", "-a-b-c-");
    check("abc", "x*", "-", "-a-b-c-");
    check("aaa", "a*", "-", "--");
    check("abc", "(", "x", "PatternSyntaxException");
    check("abc", "b", "$1", "IndexOutOfBoundsException");
    check("abc", "x", "$1", "abc");
    check("abc", "b", "\\", "IllegalArgumentException");
    check("abc", "b", "$", "IllegalArgumentException");
    check("abc", "b", "\\$", "a$c");
    check("abc", "(?<n>b)", "[${n}]", "a[b]c");
    check("a11", "(1)", "$11", "a1111");
    check("foobar", "foo(?=bar)", "x", "xbar");
    check("foobar", "(?<=foo)bar", "x", "foox");
    check("foobaz", "foo(?!bar)", "x", "xbaz");
    check("aab", "(a)\\1", "x", "xb");
    check("aaa", "a*+a", "x", "aaa");
    check("aaab", "a+?", "x", "xxxb");
    check("a\nb\r\n", "$", "x", "a\nbx\r\nx");
    check("a\nb", "(?m)^", "x", "xa\nxb");
    check("ABC", "(?i)b", "x", "AxC");
    check("a.b", "\\Q.\\E", "x", "axb");
    check("abcxyz", "[a-z&&[^bc]]", "-", "-bc---");
    check("aé b", "\\w", "x", "xé x");
    check("x{1}", "\\{", "", "x1}");
    check("x", "x{2", "", "PatternSyntaxException");
    check("a]b", "]", "", "ab");
    check("aab", "a{2}{1,}", "x", "xb");
    check("", "(?m)^", "x", "");
    check("aab", "[&&a]", "x", "xxb");
    check("aXbX", "(?:(a)|(b))X", "<$1$2>", "<a><b>");
    check("tel: 555", "\\p{Digit}+", "#", "tel: #");
    check("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "(a+)+$", "", "StackOverflowError");
}

#[test]
fn splits_are_as_java_makes_them() {
    let check = |text: &str, pattern, expected: &[&str]| {
        let parts = Regex::new(pattern).and_then(|regex| regex.split(text)).expect("a pattern");
        assert_eq!(parts, expected, "{text} {pattern}");
    };
    check("a,b,,", ",", &["a", "b"]);
    check(",a", ",", &["", "a"]);
    check("", ",", &[""]);
    check("abc", "", &["a", "b", "c"]);
    check("a|b", "|", &["a", "|", "b"]);
    check(",", ",", &[]);
}

#[test]
fn limits_are_kept_exactly() {
    let is_fine = |pattern: &str| Regex::new(pattern).is_ok();
    // How deep groups and sets nest, and not how many there are.
    let nested = |open: &str, close: &str, depth| format!("{}a{}", open.repeat(depth), close.repeat(depth));
    assert!(is_fine(&nested("(", ")", 50)) && !is_fine(&nested("(", ")", 51)));
    assert!(is_fine(&nested("[", "]", 50)) && !is_fine(&nested("[", "]", 51)));
    for piece in ["(a)", "(?i)", "(?:a)", "[a]", "[a[b]]", "[a&&b]", "[a&&[b]]"] {
        assert!(is_fine(&piece.repeat(60)), "{piece}");
    }
    assert!(is_fine(&"a".repeat(10_000)) && !is_fine(&"a".repeat(10_001)));
    // With the instruction that ends it.
    assert!(is_fine("a{99999}") && !is_fine("a{100000}"));
}

#[test]
fn what_takes_too_long_fails() {
    let failure = Regex::new("(?:a|a)*b").and_then(|regex| regex.replace_all(&"a".repeat(40), ""));
    assert_eq!(failure.map_err(|failure| failure.java.into_owned()), Err("StackOverflowError".to_owned()));
    let long = Regex::new("(?s).*").and_then(|regex| regex.replace_all(&"a".repeat(1_000_000), "x"));
    assert_eq!(long.ok().as_deref(), Some("xx"));
}

#[test]
fn what_is_written_often_stays_small() {
    // None of these may take long or much room.
    let many = format!("[\\w{}]", "&&".repeat(2_000));
    assert_eq!(replace("a b", &many, "x"), "x x");
    let mut deep = "a".to_owned();
    for _ in 0..1_900 {
        deep.push_str("&&[a]");
    }
    assert_eq!(replace("ab", &format!("[{deep}]"), "x"), "xb");
    assert_eq!(replace("ab", &format!("[{}]", ["a"; 2_000].join("&&")), "x"), "xb");
    assert_eq!(replace("ab", &format!("[{}{{50000}}]", "\\p{L}".repeat(10)), "x"), "xx");
    assert_eq!(replace("ab", &format!("[{}]{{50000}}", "\\p{L}".repeat(1_000)), "x"), "ab");
    assert_eq!(replace("ab", "(?:(?:{2147483647}){2147483647})", "x"), "xaxbx");
    let unions = format!("[a{}]", "&&[a]&&&b".repeat(60));
    assert_eq!(replace("ab", &unions, "x"), "PatternSyntaxException");
}

#[test]
fn slow_looks_count_as_steps() {
    let marks = format!("a{}", "\u{301}".repeat(20_000));
    assert_eq!(replace(&marks, "\\bq", "x"), "StackOverflowError");
    assert_eq!(replace(&"a".repeat(100_000), "(a*)\\1b", "x"), "StackOverflowError");
}

#[test]
fn a_group_is_within_itself_what_it_was() {
    assert_eq!(replace("abab", "(?:(\\1?a)b)+", "<$1>"), "<a>");
    assert_eq!(replace("abaab", "(?:(\\1?a)b)+", "<$1>"), "<aa>");
    assert_eq!(replace("aaaaaa", "(\\1?a)+", "<$1>"), "<aaa>");
}
