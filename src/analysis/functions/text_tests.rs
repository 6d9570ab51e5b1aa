//! The functions without a prefix, against what Java gives.

use super::super::tests::value;
use super::*;
use crate::model::functions::Phase;
use crate::time::ProcessingZone;

#[test]
fn texts_are_put_together_and_taken_apart() {
    let world = World::default();
    let check = |text, expected| assert_eq!(value(text, &world, Phase::Workflow), expected, "{text}");
    check("${firstNotNull('a', 'b')}", "a");
    check("${firstNotNull(null, 'b')}", "b");
    check("[${firstNotNull('', 'b')}]", "[]");
    check("[${firstNotNull(null, null)}]", "[]");
    check("${concat('a', 'b')}${concat(1, null)}", "ab1");
    check("[${trim(' a b ')}]", "[a b]");
    check("${replaceAll('a1b22', '[0-9]+', '#')}", "a#b#");
    check("${replaceAll('abc', '(', 'x')}", "PatternSyntaxException");
    check("${appendAll('a,b', 'X', ',')}", "aX,bX");
    check("${urlEncode('a b&c')}", "a+b%26c");
    check("${toJsonStr(wf:actionData('x'))}", "{}");
    check("${toConfigurationStr(wf:actionData('x'))}", "&lt;configuration /&gt;");
}

#[test]
fn the_present_is_an_argument() {
    let now = ProcessingZone::UTC.parse_datetime("2025-01-04T05:06Z").expect("a datetime").instant;
    let processing = ProcessingZone::parse("GMT+0530").expect("a zone");
    let world = World { now: Some(now), processing, ..World::default() };
    let check = |text: &str, world: &World, expected: &str| {
        assert_eq!(value(text, world, Phase::Workflow), expected, "{text}")
    };
    check("${timestamp()}", &world, "2025-01-04T10:36+0530");
    check("${toPropertiesStr(wf:actionData('x'))}", &world, "#\n#Sat Jan 04 05:06:00 UTC 2025\n");
    check("${timestamp()}", &World::default(), "IllegalStateException");
    check("${toPropertiesStr(wf:actionData('x'))}", &World::default(), "IllegalStateException");
}

#[test]
fn blanks_are_all_up_to_the_blank() {
    assert_eq!(java_trim("\u{0}\t a\u{1f}b \r\n"), "a\u{1f}b");
    assert_eq!(java_trim("\u{a0}a\u{3000}!"), "\u{a0}a\u{3000}!");
    assert_eq!(java_trim(" \u{1} "), "");
}

#[test]
fn every_part_gets_the_addition() {
    let check = |text: &str, addition: &str, separator: &str, expected: &str| {
        assert_eq!(append_all(text, addition, separator).as_deref(), Ok(expected), "{text}");
    };
    check("a,b,c", "X", ",", "aX,bX,cX");
    check("a", "X", ",", "aX");
    check("a", "", ",", "a");
    check("", "X", ",", "X");
    check(",a", "X", ",", "X,aX");
    check(",", "X", ",", "");
    check("a.b", ",", "[.]", "a,[.]b,");
    check("a..b", "X", ".", "");
    // Java splits between all characters, and leaves no empty part before the first.
    check("a|b", "X", "|", "aX||X|bX");
    check("|a", "X", "|", "X|X|aX");
    check("|", "X", "|", "X|X");
}

#[test]
fn texts_with_additions_have_a_greatest_length() {
    let length = |addition: usize| append_all("a,b", &"x".repeat(addition), ",").map(|text| text.len());
    // What is counted is each part as it is added; its separator follows.
    let half = MAX_TEXT_BYTES / 2;
    assert_eq!(length(half - 2), Ok(MAX_TEXT_BYTES - 1));
    assert_eq!(
        append_all("a", &"x".repeat(MAX_TEXT_BYTES - 1), ",").map(|text| text.len()),
        Ok(MAX_TEXT_BYTES)
    );
    assert!(append_all("a", &"x".repeat(MAX_TEXT_BYTES), ",").is_err());
    assert!(length(half).is_err());
}

#[test]
fn all_but_a_few_characters_are_encoded() {
    let check = |text, expected: &str| assert_eq!(url_encode(text), expected);
    check("", "");
    check("a b+c/d~e*f-g_h.i", "a+b%2Bc%2Fd%7Ee*f-g_h.i");
    check("äß€😀", "%C3%A4%C3%9F%E2%82%AC%F0%9F%98%80");
    check("\t\n%", "%09%0A%25");
    check("AZaz09@`[{", "AZaz09%40%60%5B%7B");
}
