//! Laws of expressions: printing and reading, evaluating in one step and in two.

use std::collections::BTreeMap;

use ankus::diag::Diagnostic;
use ankus::el::{self, Failure, Function, Outcome, Parameter, Residual, Signature, Template, Type, Value};
use ankus::source::{Sources, Span, Text};
use proptest::prelude::*;

fn read(text: &str) -> (Template, Vec<Diagnostic>) {
    let span = Span::new(Sources::new().add("test", text), 0..text.len());
    el::parse(&Text::verbatim(text, span))
}

fn parse(text: &str) -> Template {
    read(text).0
}

/// The value as text, or the rule and the offset of the error.
fn value(text: &str) -> String {
    match el::evaluate(&parse(text), &World::new(true)) {
        Ok(value) => value.to_string(),
        Err(error) => format!("{} at {}", error.rule(), error.range.start),
    }
}

/// A world of few names; `late:…` functions and the variable `late` are known in the second phase only.
struct World {
    variables: BTreeMap<&'static str, &'static str>,
    is_late: bool,
}

const TEXT: Parameter = Parameter { name: "text", kind: Type::String };
static JOIN: Signature =
    Signature { prefix: "", name: "join", parameters: &[TEXT, TEXT], optional: 0, result: Type::String };
static LATE: Signature =
    Signature { prefix: "late", name: "same", parameters: &[TEXT], optional: 0, result: Type::String };
static NONE: Signature =
    Signature { prefix: "late", name: "none", parameters: &[], optional: 0, result: Type::String };

impl World {
    fn new(is_late: bool) -> World {
        let variables =
            [("a", "5"), ("b", "3"), ("d", "2.5"), ("s", "it's"), ("e", ""), ("t", "true"), ("late", "7")];
        World { variables: variables.into(), is_late }
    }
}

impl el::World for World {
    fn variable(&self, name: &str) -> Option<Value<'_>> {
        self.variables.get(name).map(|value| Value::from(*value))
    }

    fn function(&self, prefix: &str, name: &str) -> Function {
        match (prefix, name) {
            ("", "join") => Function::Known(&JOIN),
            ("late", "same") => Function::Known(&LATE),
            ("late", "none") => Function::Known(&NONE),
            _ => Function::Unknown,
        }
    }

    fn call<'a>(
        &'a self,
        function: &'static Signature,
        arguments: Vec<Value<'a>>,
    ) -> Result<Outcome<'a>, Failure> {
        if function.prefix == "late" && !self.is_late {
            return Ok(Outcome::Deferred(function.full_name()));
        }
        Ok(Outcome::Value(match (function.name, arguments.as_slice()) {
            ("join", [first, second]) => Value::from(format!("{first}{second}")),
            ("same", [value]) => value.clone(),
            _ => Value::Null,
        }))
    }

    fn is_deferred(&self, variable: &str) -> bool {
        !self.is_late && variable == "late"
    }
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        prop::sample::select(vec![
            "1",
            "0",
            "2.5",
            "1e3",
            "1e400",
            "9223372036854775807",
            "9223372036854775808",
            "null",
            "true",
            "false",
            "'x'",
            "''",
            "'it\\'s'",
            "'b\\\\'",
            "\"q\"",
            "'${a}'",
            "'7'",
            "a",
            "b",
            "d",
            "s",
            "e",
            "t",
            "late",
            "nope",
            "late:none()",
            "late:same(1)",
            "late:same(a)",
        ])
        .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let operators = vec![
            "+", "-", "*", "/", "%", "==", "!=", "<", ">", "<=", ">=", " and ", " or ", "&&", "||", " div ",
            " mod ", " eq ", " lt ", " ge ",
        ];
        prop_oneof![
            (inner.clone(), prop::sample::select(operators), inner.clone())
                .prop_map(|(l, o, r)| format!("{l}{o}{r}")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(c, y, n)| format!("{c} ? {y} : {n}")),
            inner.clone().prop_map(|e| format!("({e})")),
            (prop::sample::select(vec!["-", "!", "not ", "empty ", "- -"]), inner.clone())
                .prop_map(|(o, e)| format!("{o}{e}")),
            (inner.clone(), inner.clone()).prop_map(|(l, r)| format!("join({l}, {r})")),
            inner.clone().prop_map(|e| format!("late:same({e})")),
            (inner.clone(), inner.clone()).prop_map(|(b, k)| format!("({b})[{k}]")),
            inner.clone().prop_map(|e| format!("({e}).blank")),
            inner.prop_map(|e| format!("({e}).x(a)")),
        ]
    })
}

fn text() -> impl Strategy<Value = String> {
    let literal = prop::sample::select(vec![
        "", "x", " ", "$", "#", "\\", "\\${", "\\#{a}", "{", "}", "é", "$$", "\\\\",
    ]);
    prop::collection::vec((literal.clone(), prop::option::of(expression())), 1..4).prop_map(|parts| {
        parts
            .into_iter()
            .map(|(literal, e)| literal.to_owned() + &e.map(|e| format!("${{{e}}}")).unwrap_or_default())
            .collect()
    })
}

/// The kinds of all parts and nodes, without places.
fn shape(template: &Template) -> String {
    let parts: Vec<_> = template
        .parts
        .iter()
        .map(|part| match part {
            el::Part::Literal { value, .. } => format!("{value:?}"),
            el::Part::Expression { root, .. } => format!("{:?}", tree(template, *root)),
        })
        .collect();
    parts.join(" ")
}

/// A tree with everything in brackets.
fn tree(template: &Template, id: el::NodeId) -> String {
    use el::NodeKind::{Binary, Call, Choice, Property, Unary};
    let list = |ids: &[el::NodeId]| ids.iter().map(|id| tree(template, *id)).collect::<Vec<_>>().join(",");
    match &template.node(id).kind {
        Unary(operator, operand) => format!("({operator:?} {})", tree(template, *operand)),
        Binary(operator, l, r) => format!("({} {operator:?} {})", tree(template, *l), tree(template, *r)),
        Choice { condition, yes, no } => format!("(?{})", list(&[*condition, *yes, *no])),
        Call { prefix, name, arguments } => format!("{prefix}:{name}({})", list(arguments)),
        Property { base, key, arguments } => {
            format!(
                "{}[{}]{:?}",
                tree(template, *base),
                tree(template, *key),
                arguments.as_ref().map(|a| list(a))
            )
        }
        leaf => format!("{leaf:?}"),
    }
}

/// A value that can be compared, NaN included.
fn outcome(result: Result<Value<'_>, el::EvalError>) -> String {
    match result {
        Ok(value) => format!("{}: {value}", value.type_name()),
        Err(error) => error.kind_name(),
    }
}

trait KindName {
    fn kind_name(&self) -> String;
}

impl KindName for el::EvalError {
    fn kind_name(&self) -> String {
        format!("{:?} {}", self.kind, self.java)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, max_global_rejects: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_reads_the_same(text in text()) {
        let first = parse(&text);
        prop_assume!(first.broken.is_none());
        let printed = first.to_string();
        let second = parse(&printed);
        prop_assert!(second.broken.is_none(), "{text} printed as {printed}");
        prop_assert_eq!(second.to_string(), printed.clone());
        // An escaped backslash before an expression becomes an expression of its own.
        if !printed.contains("${'\\\\'}") {
            prop_assert_eq!(shape(&first), shape(&second), "{} printed as {}", text, printed);
        }
    }

    #[test]
    fn two_steps_give_what_one_gives(text in text()) {
        let template = parse(&text);
        prop_assume!(template.broken.is_none());
        let late = World::new(true);
        let at_once = outcome(el::evaluate(&template, &late));
        match el::partial(&template, &World::new(false)) {
            // Another error may come first when the rest is known as well.
            // Keys of a residue are evaluated at once, though a null would leave them out.
            Err(_) => {
                let has_keys = template.nodes.iter().any(|node| matches!(node.kind, el::NodeKind::Property { .. }));
                prop_assert!(has_keys || !at_once.contains(": "), "{} gives {}", text, at_once);
            }
            Ok(Residual::Value(value)) => prop_assert_eq!(at_once, outcome(Ok(value)), "{}", text),
            Ok(Residual::Template(rest)) => {
                let in_two = outcome(el::evaluate(&rest, &late));
                // The engine takes a key of null for an error only when it has looked nothing up before.
                prop_assume!(!at_once.starts_with("Property") && !in_two.starts_with("Property"));
                prop_assert_eq!(&at_once, &in_two, "{} left {}", text, rest);
                let again = parse(&rest.to_string());
                prop_assert_eq!(&at_once, &outcome(el::evaluate(&again, &late)), "{} left {}", text, rest);
            }
        }
    }

    #[test]
    fn any_text_is_read_and_evaluated(text in "(\\$|#|\\{|\\}|\\(|\\)|'|\"|\\\\|[a-z0-9 .:?!=<>+*/%&|,;\\[\\]-]|é|\u{3042}){0,40}") {
        let world = World::new(true);
        for text in [text.clone(), format!("${{{text}}}")] {
            let template = parse(&text);
            let _ = el::evaluate(&template, &world);
            let _ = el::partial(&template, &world);
            for node in &template.nodes {
                prop_assert!(text.get(node.range.start as usize..node.range.end as usize).is_some());
            }
        }
    }
}

/// Whatever is deep or long is read, evaluated and dropped on a small stack, or refused.
#[test]
fn depth_and_length_have_their_limits() {
    let many = |piece: &str| piece.repeat(100_000);
    let long = |piece: &str| piece.repeat(20_000);
    let run = move || {
        let deep = [
            format!("${{{}1{}}}", many("("), many(")")),
            format!("${{{}1}}", many("- ")),
            format!("${{{}true}}", many("not ")),
            format!("${{{}1}}", many("true ? 1 : ")),
            format!("${{a{}}}", many("[a")),
            format!("${{{}", many("f(")),
        ];
        for text in deep {
            let (template, findings) = read(&text);
            assert_eq!(findings[0].rule.name, "el-too-deep");
            assert!(el::evaluate(&template, &World::new(true)).is_err());
        }
        assert_eq!(value(&format!("${{1{}}}", long(" + 1"))), "20001");
        assert_eq!(value(&format!("${{true{}}}", long(" and true"))), "true");
        assert_eq!(value(&format!("${{s{}}}", long("[0]"))), "el-arguments at 2");
        assert_eq!(value(&long("${a}")).len(), 20_000);
        let depth = el::MAX_DEPTH as usize;
        let open = "(1 or 1 == 1 < 1 + 1 * ".repeat(depth);
        assert!(read(&format!("${{{open}1{}}}", ")".repeat(depth))).1.is_empty());
        let calls = format!("${{{}1{}}}", "f(".repeat(depth), ")".repeat(depth));
        assert!(read(&calls).1.is_empty());
        let choices = format!("${{{}1}}", "1 ? 1 : ".repeat(depth));
        assert!(read(&choices).1.is_empty());
        let signs = format!("${{{}1}}", "-".repeat(depth));
        assert!(read(&signs).1.is_empty());
        let keys =
            format!("${{1{}1{}}}", "[1 or 1 and 1 == 1 < 1 + 1 * 1".repeat(depth - 1), "]".repeat(depth - 1));
        assert!(read(&keys).1.is_empty());
    };
    let thread = std::thread::Builder::new().stack_size(512 * 1024).spawn(run).expect("a thread");
    thread.join().expect("no overflow");
}
