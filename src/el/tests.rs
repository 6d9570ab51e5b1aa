//! Reading and evaluating: values, and findings with their places.

use std::collections::BTreeMap;

use super::*;
use crate::source::{Sources, Span, Text};

fn template(text: &str) -> (Template, Vec<crate::diag::Diagnostic>) {
    let mut sources = Sources::new();
    let span = Span::new(sources.add("test", text), 0..text.len());
    parse(&Text::verbatim(text, span))
}

fn world() -> BTreeMap<String, String> {
    [("a", "5"), ("b", "3"), ("s", "hello")].map(|(k, v)| (k.to_owned(), v.to_owned())).into()
}

/// The value as text, or the rule and the offset of the error.
fn value(text: &str) -> String {
    match evaluate(&template(text).0, &world()) {
        Ok(value) => value.to_string(),
        Err(error) => format!("{} at {}", error.rule(), error.range.start),
    }
}

#[test]
fn what_holds_no_expression_is_a_literal() {
    let literal = |text| template(text).0.literal().map(str::to_owned);
    assert_eq!(literal(""), Some(String::new()));
    assert_eq!(literal("plain \\${x}").as_deref(), Some("plain ${x}"));
    assert_eq!(literal("a ${b}"), None);
    assert_eq!(literal("a ${"), None);
}

#[test]
fn templates_evaluate() {
    let check = |text, expected| assert_eq!(value(text), expected, "{text}");
    check("", "");
    check("x${a + b * 2}y", "x11y");
    check("${a > b ? 'big' : 'small'}", "big");
    check("${false and nope}", "false");
    check("${nope}", "parameter-undefined at 2");
    check("\\${a} $${a} \\n", "${a} $5 \\n");
    check("${s.length()}", "");
    check("${a b}", "el-syntax at 4");
    check("${a", "el-syntax at 3");
    check("${a}#{a}", "el-syntax at 4");
    check("${9 div 2}${not empty s}", "4.5true");
}

#[test]
fn what_is_refused_is_said_where_it_stands() {
    let check = |text: &str, offset: u32, help: Option<&str>| {
        let (_, findings) = template(text);
        assert_eq!(findings.len(), 1, "{text}");
        assert_eq!((findings[0].span.start, findings[0].help.as_deref()), (offset, help), "{text}");
    };
    check("${[1, 2]}", 2, Some("pass the values one by one"));
    check("${{'a': 1}}", 2, Some("pass the values one by one"));
    check("${a = 3}", 4, Some("compare with `==`"));
    check("${a += 'x'}", 4, Some("join texts with `concat(a, b)`"));
    check("${(x -> x)(2)}", 5, Some("call one of the functions that exist"));
    check("${1; 2}", 3, Some("write each expression in its own `${…}`"));
    check("${a & b}", 4, Some("write `&&` or `and`"));
    check("x ${'a} y", 4, None);
    check("${class}", 2, None);
}

#[test]
fn what_is_missing_is_named() {
    let message =
        |text: &str| template(text).1.first().map(|finding| finding.message.clone()).unwrap_or_default();
    for (text, sign) in [("${f('('}", ')'), ("${a[1}", ']'), ("${f(a, (b)}", ')'), ("${a ? b}", ':')] {
        assert_eq!(message(text), format!("`{sign}` is missing before `}}`"), "{text}");
    }
    for text in ["${}", "${a + }", "${(a and }", "${-}"] {
        assert_eq!(message(text), "an operand is missing before `}`", "{text}");
    }
}
