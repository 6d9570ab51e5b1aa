//! The table against the recorded settings of Oozie, pair by pair.

use std::collections::BTreeMap;

use super::*;
use crate::el;
use crate::source::{Sources, Span, Text};

/// The table as Oozie's own settings have it, recorded apart from ours.
fn recorded() -> BTreeMap<(String, String), String> {
    include_str!("../../../fixtures/reference/el/phases.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            ((words[0].to_owned(), words[1].to_owned()), words[2].to_owned())
        })
        .collect()
}

struct PhaseWorld(Phase);

impl el::World for PhaseWorld {
    fn variable(&self, _: &str) -> Option<el::Value<'_>> {
        None
    }

    fn function(&self, prefix: &str, name: &str) -> el::Function {
        lookup(self.0, prefix, name)
    }

    fn call<'a>(
        &'a self,
        function: &'static Signature,
        arguments: Vec<el::Value<'a>>,
    ) -> Result<el::Outcome<'a>, el::Failure> {
        Ok(unevaluated(self.0, function, &arguments).unwrap_or(el::Outcome::Value(el::Value::Null)))
    }
}

#[test]
fn every_pair_of_function_and_phase_is_as_recorded() {
    let recorded = recorded();
    let mut pairs = 0;
    for function in all() {
        // The dialect of 2009 has a table of its own, whose answers no server has given.
        for phase in Phase::ALL.into_iter().filter(|phase| *phase != Phase::Hws) {
            let name = function.signature.full_name();
            let expected = recorded.get(&(name.clone(), phase.name().to_owned())).map(String::as_str);
            let found = match function.in_phase(phase) {
                Treatment::Refused => None,
                Treatment::Evaluated => Some("now"),
                Treatment::Deferred => Some("echo"),
                Treatment::StandIn(_) => Some("stand-in"),
            };
            assert_eq!(found, expected, "{name} in {}", phase.name());
            pairs += usize::from(found.is_some());

            // The same through an expression: a refused pair is an error of its kind, any other evaluates.
            let arguments = vec!["'1'"; function.signature.parameters.len()].join(", ");
            let mut sources = Sources::new();
            let text = format!("${{{name}({arguments})}}").replace("toJsonStr('1')", "toJsonStr(null)");
            let text = text.replace("Str('1')", "Str(null)");
            let file = sources.add("test", text.clone());
            let span = Span::new(file, 0..text.len());
            let (template, findings) = el::parse(&Text::verbatim(text.clone(), span));
            assert!(findings.is_empty(), "{text}: {findings:?}");
            match el::evaluate_and_wrap(&template, &PhaseWorld(phase)) {
                Ok(echoed) => {
                    assert!(expected.is_some(), "{text} in {}", phase.name());
                    assert_eq!(echoed.deferred, expected == Some("echo"), "{text} in {}", phase.name());
                }
                // The engine looks up a name without a prefix only when it is called, and then as a variable.
                Err(error) if function.signature.prefix.is_empty() => {
                    assert_eq!((expected, &*error.java), (None, "ELException"), "{text} in {}", phase.name());
                }
                Err(error) => {
                    let kind = (expected, error.kind);
                    assert_eq!(kind, (None, el::ErrorKind::FunctionContext), "{text} in {}", phase.name());
                }
            }
        }
    }
    assert_eq!(pairs, recorded.len(), "the table lacks functions");
}

#[test]
fn echoes_print_as_oozie_prints_them() {
    let check = |prefix, name, arguments: &[&str], expected: &str| {
        let definition = find(prefix, name).unwrap_or_else(|| panic!("no {prefix}:{name}"));
        assert_eq!(definition.echo(arguments.iter().copied()), expected);
    };
    check("coord", "current", &["-1"], "coord:current(-1)");
    check("coord", "currentRange", &["-1", "0"], "coord:currentRange(-1, 0)");
    check("coord", "offset", &["-1", "DAY"], "coord:offset(-1 , DAY)");
    check(
        "coord",
        "formatTime",
        &["2009-01-01T00:00Z", "yyyy"],
        "coord:formatTime('2009-01-01T00:00Z' , yyyy)",
    );
    check("coord", "dateOffset", &["a", "1", "DAY"], "coord:dateOffset(a , 1 , DAY)");
    check("coord", "future", &["0", "10"], "coord:future(0, 10)");
    check("coord", "dataIn", &["x"], "coord:dataIn('x')");
    check("coord", "dataInPartitions", &["x", "hive-export"], "coord:dataInPartitions('x', 'hive-export')");
    check("coord", "nominalTime", &[], "coord:nominalTime()");
}

#[test]
fn names_are_unique_and_phases_have_their_names() {
    let names: Vec<_> = all().map(|f| f.signature.full_name()).collect();
    let distinct: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len());
    for phase in Phase::ALL {
        assert_eq!(Phase::from_name(phase.name()), Some(phase));
    }
    let echo_without_form = all().find(|f| {
        let deferred = Phase::ALL.iter().any(|phase| f.in_phase(*phase) == Treatment::Deferred);
        deferred && f.echo.matches("{}").count() != f.signature.parameters.len()
    });
    assert!(echo_without_form.is_none(), "{echo_without_form:?}");
}

#[test]
fn calls_are_checked_without_a_world() {
    let check = |text: &str, phase, expected: &[(&str, &str, Option<&str>)]| {
        let mut sources = Sources::new();
        let span = Span::new(sources.add("test", text), 0..text.len());
        let (template, _) = el::parse(&Text::verbatim(text, span));
        let findings = super::check(&template, phase);
        let found: Vec<_> =
            findings.iter().map(|f| (f.rule.name, sources.slice(f.span), f.help.as_deref())).collect();
        assert_eq!(found, expected, "{text}");
    };
    check(
        "${wf:conf('a')} ${coord:user()}",
        Phase::Workflow,
        &[(
            "el-function-context",
            "coord:user()",
            Some(
                "use it in a `frequency`, the attributes and controls of a coordinator, an `initial-instance`, an `instance` of an event, the configuration of a coordinator's action, the `sla:info` of a coordinator or an argument in an `instance`",
            ),
        )],
    );
    check(
        "${wf:cnof('a')}",
        Phase::Workflow,
        &[("el-function-unknown", "wf:cnof('a')", Some("did you mean `wf:conf`?"))],
    );
    check("${wf:conf()}", Phase::Workflow, &[("el-arguments", "wf:conf()", Some("write `wf:conf(name)`"))]);
    check("${coord:days('x')}", Phase::CoordJobSubmitFreq, &[("el-arguments", "'x'", None)]);
    check("${coord:current('x')}", Phase::CoordJobSubmitInstances, &[]);
    check("a ${1 + 99999999999999999999}", Phase::Workflow, &[("el-syntax", "99999999999999999999", None)]);
}
