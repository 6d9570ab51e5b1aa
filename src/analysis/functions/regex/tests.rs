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
