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
    // As many digits as a whole number may have, and more.
    check("${'999999999999999999' > 1}", "true");
    check("${'9223372036854775807' > 1}", "true");
    check("${'9223372036854775808' > 1}", "el-arguments at 2");
    check("${'-5' < 1}${'+5' > 1}", "truetrue");
    check("${'' < 1}", "true");
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
fn a_function_without_its_brackets_is_called_one() {
    let message = |text: &str| template(text).1[0].message.clone();
    let words = |call: &str| format!("`{call}` is a function: its arguments in brackets are missing");
    assert_eq!(message("${wf:id}"), words("wf:id"));
    assert_eq!(message("${a + hadoop:counters}"), words("hadoop:counters"));
    assert!(!message("${a ? b:c d}").contains("is a function"));
    assert!(!message("${a::b}").contains("is a function"));
    assert!(!message("${9:b}").contains("is a function"));
}

#[test]
fn what_is_not_expected_is_shown() {
    let message = |text: &str| template(text).1[0].message.clone();
    assert_eq!(message("${a word_1 b}"), "`word_1` is not expected here");
    assert_eq!(message("${a b}"), "`b` is not expected here");
    assert_eq!(message("${a -> b}"), "a function cannot be written here");
    assert_eq!(message("${a @ b}"), "`@` is not expected here");
    assert_eq!(
        message(&format!("${{a {}}}", "x".repeat(60))),
        format!("`{}` is not expected here", "x".repeat(39))
    );
}

#[test]
fn identifiers_are_those_of_java() {
    for name in ["a", "_a9", "$a", "né", "a\u{301}b"] {
        assert!(is_identifier(name), "{name}");
    }
    for name in ["", "9a", "#a", "class", "a\u{2028}", "a\u{20ac}"] {
        assert!(!is_identifier(name), "{name}");
    }
}

#[test]
fn depth_is_counted_up_to_the_end_of_an_expression() {
    let source = format!("(a)}} {}", "(".repeat(2 * scan::MAX_DEPTH as usize));
    assert_eq!(scan::check_depth(&source, 0), Ok(4));
    assert_eq!(scan::check_depth("(a", 0), Ok(2));
    let deep = "(".repeat(2 * scan::MAX_DEPTH as usize);
    assert_eq!(scan::check_depth(&deep, 0), Err(scan::MAX_DEPTH as usize));
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

/// What function signatures there are in these tests.
mod known {
    use super::{Parameter, Signature, Type};

    pub(super) static TWICE: Signature = Signature {
        prefix: "t",
        name: "twice",
        parameters: &[Parameter { name: "number", kind: Type::Int }],
        optional: 0,
        result: Type::Int,
    };
    pub(super) static JOIN: Signature = Signature {
        prefix: "",
        name: "join",
        parameters: &[
            Parameter { name: "first", kind: Type::String },
            Parameter { name: "second", kind: Type::String },
        ],
        optional: 0,
        result: Type::String,
    };
    pub(super) static LATER: Signature = Signature {
        prefix: "t",
        name: "later",
        parameters: &[Parameter { name: "number", kind: Type::Int }],
        optional: 0,
        result: Type::Int,
    };
    pub(super) static GONE: Signature =
        Signature { prefix: "t", name: "gone", parameters: &[], optional: 0, result: Type::String };
}

struct Functions(BTreeMap<String, String>);

impl World for Functions {
    fn variable(&self, name: &str) -> Option<Value<'_>> {
        self.0.variable(name)
    }

    fn function(&self, prefix: &str, name: &str) -> Function {
        match (prefix, name) {
            ("t", "twice") => Function::Known(&known::TWICE),
            ("", "join") => Function::Known(&known::JOIN),
            ("t", "later") => Function::Echoed(&known::LATER),
            ("t", "gone") => Function::Elsewhere(&known::GONE),
            _ => Function::Unknown,
        }
    }

    fn call<'a>(
        &'a self,
        function: &'static Signature,
        arguments: Vec<Value<'a>>,
    ) -> Result<Outcome<'a>, Failure> {
        Ok(match (function.name, arguments.as_slice()) {
            ("twice", [Value::Long(number)]) => Outcome::Value(Value::Long(number * 2)),
            ("join", [a, b]) => Outcome::Value(Value::from(format!("{a}{b}"))),
            ("later", [argument]) => Outcome::Deferred(format!("t:later({argument})")),
            _ => return Err(Failure::new("IllegalStateException", "no such call".to_owned())),
        })
    }

    fn is_deferred(&self, variable: &str) -> bool {
        variable == "tomorrow"
    }
}

fn functions() -> Functions {
    Functions(world())
}

#[test]
fn calls_are_evaluated() {
    let value = |text: &str| match evaluate(&template(text).0, &functions()) {
        Ok(value) => value.to_string(),
        Err(error) => format!("{} at {}..{}", error.rule(), error.range.start, error.range.end),
    };
    let check = |text: &str, expected: &str| assert_eq!(value(text), expected, "{text}");
    check("${t:twice(a)}", "10");
    check("${t:twice('4') + t:twice('')}", "8");
    check("${join(s, t:twice(2.9))}", "hello4");
    check("${join(null, true)}", "true");
    check("${t:later(a + 1)}", "t:later(6)");
    check("x ${t:twice('much')}", "el-arguments at 12..18");
    check("${t:twice()}", "el-arguments at 2..11");
    check("${join(1, 2, 3)}", "el-arguments at 2..15");
    check("${t:gone()}", "el-function-context at 2..10");
    check("${t:nothing()}", "el-function-unknown at 2..13");
    // Without a prefix it counts only when it is called.
    check("${nothing()}", "el-function-unknown at 2..11");
    check("${true ? 1 : nothing()}", "1");
    check("${true ? 1 : t:nothing()}", "el-function-unknown at 13..24");
}

#[test]
fn keys_of_texts_are_two() {
    let check = |text: &str, expected: &str| assert_eq!(value(text), expected, "{text}");
    check("${s['empty']}", "false");
    check("${''['empty']}", "true");
    check("${''['blank']}", "true");
    check("${' x '.blank}", "false");
    check("${'   '.blank}", "true");
    check("${'   '['empty']}", "false");
    check("${s.other}", "el-arguments at 2");
    check("${5['x']}", "el-arguments at 2");
    check("${true['x']}", "el-arguments at 2");
}

#[test]
fn one_round_wraps_what_is_deferred() {
    let round = |text: &str| {
        let echoed = evaluate_and_wrap(&template(text).0, &functions()).unwrap();
        (echoed.text, echoed.deferred)
    };
    assert_eq!(round("x${t:twice(a)}y"), ("x10y".to_owned(), false));
    assert_eq!(round("x${t:later(a)}y"), ("${xt:later(5)y}".to_owned(), true));
}

#[test]
fn what_is_deferred_stays_an_expression() {
    let check = |text: &str, expected: &str| {
        assert_eq!(partial(&template(text).0, &functions()).unwrap().to_string(), expected, "{text}");
    };
    check("${a + b}", "8");
    check("x${a}y", "x5y");
    check("x${a}y${t:later(a + b)}z${b}", "x5y${t:later(8)}z3");
    check("${t:later(t:twice(4)) + a * 2}", "${t:later(8) + 10}");
    check("${tomorrow}", "${tomorrow}");
    check("${-tomorrow}", "${-tomorrow}");
    check("${!(tomorrow and a gt b)}", "${!(tomorrow and a > b)}");
    check("${a gt b and tomorrow}", "${true and tomorrow}");
    check("${a lt b and tomorrow}", "false");
    check("${a gt b or tomorrow}", "true");
    check("${a gt b ? tomorrow : nope}", "${tomorrow}");
    check("${tomorrow ? a : b}", "${tomorrow ? a : b}");
    check("${1 + 2}${tomorrow ? -b : not s}", "3${tomorrow ? -b : !s}");
    check("${1 + 2}${tomorrow ? -(a + b) : s[a ? b : s]}", "3${tomorrow ? -(a + b) : s[a ? b : s]}");
    check(
        "${1 + 2}${tomorrow and (empty a or join(-a, !b) == -b)}",
        "3${tomorrow and (empty a or join(-a, !b) == -b)}",
    );
    check("${(1 + a) * tomorrow - (b - tomorrow)}", "${6 * tomorrow - ('3' - tomorrow)}");
    check("${tomorrow ? (a) : join(1, tomorrow) + 1}", "${tomorrow ? (a) : join(1, tomorrow) + 1}");
    check("${tomorrow ? (-a) : join(1, 2)[s]}", "${tomorrow ? (-a) : join(1, 2)[s]}");
    check("${tomorrow ? a : t:later(1) + 1}", "${tomorrow ? a : t:later(1) + 1}");
    check("${tomorrow + 0.0 / 0}", "${tomorrow + (0 / 0)}");
    check("${tomorrow + 1.0 / 0}", "${tomorrow + 1e999}");
    check("${tomorrow + -1.0 / 0}", "${tomorrow + (-1e999)}");
    check("${tomorrow + (0 - 1.5)}", "${tomorrow + (-1.5)}");
    check("${tomorrow[s]}", "${tomorrow['hello']}");
    check("${join(tomorrow, 'it\\'s')}", "${join(tomorrow, 'it\\'s')}");
}

#[test]
fn what_is_printed_reads_as_the_same() {
    let check = |text: &str, expected: &str| {
        let (printed, findings) = template(text);
        assert!(findings.is_empty(), "{text}");
        assert_eq!(printed.to_string(), expected, "{text}");
        assert_eq!(template(expected).0.to_string(), expected, "{text}");
    };
    check("${a or b and c}", "${a or b and c}");
    check("${(a or b) and c}", "${(a or b) and c}");
    check("${(a == b) != c}", "${a == b != c}");
    check("${a == (b != c)}", "${a == (b != c)}");
    check("${(a lt b) == (c ge d)}", "${a < b == c >= d}");
    check("${(a == b) le c}", "${(a == b) <= c}");
    check("${a + b gt c - d}", "${a + b > c - d}");
    check("${(a gt b) + c}", "${(a > b) + c}");
    check("${a * b + c div d mod e}", "${a * b + c / d % e}");
    check("${a * (b + c)}", "${a * (b + c)}");
    check("${a - (b - c) - d}", "${a - (b - c) - d}");
    check("${-(a + b)}", "${-(a + b)}");
    check("${not empty a}", "${!empty a}");
    check("${a ? b : (c ? d : e)}", "${a ? b : c ? d : e}");
    check("${(a ? b : c) ? d : e}", "${(a ? b : c) ? d : e}");
    check("${a ? (b) : f(c)}", "${a ? (b) : f(c)}");
    check("${f(a, g:h('x\\'y'))}", "${f(a, g:h('x\\'y'))}");
    check("\\${a} \\#{b} $c", "\\${a} \\#{b} $c");
    check("a\\\\${b}", "a\\\\${b}");
    check("${1.50}${2e10}${0.001}", "${1.5}${20000000000.0}${0.001}");
    check("${a.b['c']}", "${a['b']['c']}");
}

#[test]
fn calls_are_checked_without_a_world() {
    let found = |text: &str| {
        let (template, _) = template(text);
        let names = || vec!["t:twice", "join"];
        let elsewhere = |signature: &Signature| Some(format!("{} is for later", signature.name));
        let lookup = |prefix: &str, name: &str| functions().function(prefix, name);
        let findings = check(&template, lookup, names, elsewhere);
        let tell = |finding: crate::diag::Diagnostic| {
            let edits = finding.fix.map(|fix| {
                let edit = &fix.edits[0];
                (edit.span.range(), edit.text.clone())
            });
            (finding.rule.name, finding.span.range(), finding.message, finding.help, edits)
        };
        findings.into_iter().map(tell).collect::<Vec<_>>()
    };
    let one = |text: &str| {
        let mut all = found(text);
        assert_eq!(all.len(), 1, "{text}: {all:?}");
        all.remove(0)
    };
    for fine in ["${t:twice(a)}", "${join('x', 1)}", "${t:later('x')}", "${t:twice('4')}", "${t:twice(-x)}"] {
        assert_eq!(found(fine), [], "{fine}");
    }
    let (rule, at, message, help, edits) = one("x ${t:twyce(1)}");
    assert_eq!(
        (rule, at, message.as_str()),
        ("el-function-unknown", 4..14, "there is no function `t:twyce`")
    );
    assert_eq!(help.as_deref(), Some("did you mean `t:twice`?"));
    assert_eq!(edits, Some((4..11, "t:twice".to_owned())));
    let (_, _, message, help, edits) = one("${wholly()}");
    assert_eq!((message.as_str(), help, edits), ("there is no function `wholly`", None, None));
    // With a blank in it, it is not written as it would be replaced.
    let (_, _, _, help, edits) = one("${t : twyce(1)}");
    assert_eq!((help.as_deref(), edits), (Some("did you mean `t:twice`?"), None));
    let (rule, at, message, help, _) = one("${t:gone()}");
    assert_eq!(
        (rule, at, message.as_str()),
        ("el-function-context", 2..10, "`t:gone` does not exist at this place")
    );
    assert_eq!(help.as_deref(), Some("gone is for later"));
    let (rule, at, message, help, _) = one("${join(a)}");
    assert_eq!((rule, at, message.as_str()), ("el-arguments", 2..9, "`join` takes 2 arguments, not 1"));
    assert_eq!(help.as_deref(), Some("write `join(first, second)`"));
    let (_, _, message, ..) = one("${t:twice(1, 2)}");
    assert_eq!(message, "`t:twice` takes 1 argument, not 2");
    let (rule, at, message, ..) = one("${t:twice('much')}");
    assert_eq!((rule, at), ("el-arguments", 10..16));
    assert_eq!(message, "the text `much` is not a whole number (`number` of `t:twice`)");
    let (rule, at, message, ..) = one("${1 + 99999999999999999999}");
    assert_eq!((rule, at), ("el-syntax", 6..26));
    assert_eq!(message, "`99999999999999999999` is too large for a whole number");
}

#[test]
fn a_template_tells_what_is_in_it() {
    let (found, _) = template("a${b + t:c(d, e(b))}${f}");
    assert!(found.has_expressions() && !template("a \\${b}").0.has_expressions());
    let names: Vec<_> = found.variables().map(|(id, name)| (found.span(id).start, name.to_owned())).collect();
    let name = |at, name: &str| (at, name.to_owned());
    assert_eq!(names, [name(3, "b"), name(11, "d"), name(16, "b"), name(22, "f")]);
    let calls: Vec<_> = found.calls().map(|call| (call.prefix, call.name, call.arguments.len())).collect();
    assert_eq!(calls, [("", "e", 1), ("t", "c", 2)]);
}
