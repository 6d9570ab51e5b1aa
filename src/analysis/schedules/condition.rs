//! Conditions over a payload: a key, its value, an expression.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::analysis::expressions::{Predicate, predicate};
use crate::analysis::functions::{self, InPhase, is_variable};
use crate::analysis::values::Values;
use crate::diag::Diagnostic;
use crate::el::{self, Failure, Function, Map, NodeKind, Outcome, Signature, Template, Value};
use crate::model::functions::{self as catalogue, Phase};
use crate::model::schedule::Condition;
use crate::source::Text;

/// The variable that stands for the value of `key`.
const VALUE: &str = "value";

/// The variable that holds all keys of the payload.
const CONF: &str = "conf";

/// Operators that take `value` on their left where an expression begins with them.
const SIGNS: [&str; 6] = ["<=", ">=", "==", "!=", "<", ">"];

/// The words for the same operators.
const WORDS: [&str; 6] = ["le", "ge", "eq", "ne", "lt", "gt"];

/// An expression that was read.
#[derive(Clone, Debug)]
pub struct Compiled {
    template: Template,
}

impl Compiled {
    /// Reads the expression of a condition, and says what is wrong with it.
    pub fn new(expression: &Text) -> (Compiled, Vec<Diagnostic>) {
        let (template, mut findings) = el::parse(&whole(expression));
        let world = World::of(&BTreeMap::new(), None, |world| {
            let offered = || {
                let names = catalogue::names_in(Phase::Workflow).filter(|name| !name.contains(':'));
                names.collect::<Vec<_>>()
            };
            let names = offered();
            el::check(
                &template,
                |prefix, name| el::World::function(world, prefix, name),
                || names.iter().map(String::as_str).collect(),
                |_| Some("use the keys of the payload; a condition is about no job".to_owned()),
            )
        });
        findings.extend(world);
        (Compiled { template }, findings)
    }

    /// What it comes to whatever the payload is.
    pub fn predicate(&self) -> Predicate {
        predicate(&self.template, Values::unknown())
    }

    /// The keys of the payload that it reads, as far as they are written out.
    pub fn keys(&self) -> impl Iterator<Item = (el::NodeId, &str)> {
        let variables = self.template.variables().filter(|(_, name)| {
            ![VALUE, CONF].contains(name) && catalogue::constant(Phase::Workflow, name).is_none()
        });
        let nodes = self.template.nodes.iter();
        let indexed = nodes.enumerate().filter_map(|(index, node)| {
            let NodeKind::Property { base, key, .. } = &node.kind else { return None };
            let is_conf =
                matches!(&self.template.node(*base).kind, NodeKind::Variable(name) if &**name == CONF);
            match &self.template.node(*key).kind {
                NodeKind::String(name) if is_conf => Some((el::NodeId(index as u32), &**name)),
                _ => None,
            }
        });
        variables.chain(indexed)
    }

    /// Where a part of it stands.
    pub fn span(&self, id: el::NodeId) -> crate::source::Span {
        self.template.span(id)
    }
}

/// Whether a condition holds for a payload; else why it does not.
pub fn holds(
    condition: &Condition,
    compiled: Option<&Compiled>,
    payload: &BTreeMap<String, String>,
) -> Result<(), String> {
    let value = match &condition.key {
        None => None,
        Some(key) => match payload.get(&key.value) {
            None => return Err(format!("the key `{}` is missing", key.value)),
            Some(value) => {
                if let Some(wanted) = condition.value.as_ref().filter(|wanted| wanted.value != *value) {
                    return Err(format!("`{}` is `{}`, not `{}`", key.value, value, wanted.value));
                }
                Some(value.as_str())
            }
        },
    };
    let (Some(compiled), Some(written)) = (compiled, &condition.expression) else { return Ok(()) };
    let written = written.value.trim();
    World::of(payload, value, |world| match el::evaluate(&compiled.template, world) {
        Ok(value) if value.to_text() == "true" => Ok(()),
        Ok(value) => Err(format!("`{written}` is {}", value.to_text())),
        Err(error) => Err(format!("`{written}` cannot be evaluated: {error}")),
    })
}

/// The expression in its marks, with `value` where it is left out.
fn whole(expression: &Text) -> Text {
    let text = expression.trimmed();
    if text.value.starts_with("${") && text.value.ends_with('}') {
        return text;
    }
    let is_word = |word: &&str| {
        let rest = text.value.strip_prefix(*word);
        rest.is_some_and(|rest| rest.starts_with(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
    };
    let needs_value = SIGNS.iter().any(|sign| text.value.starts_with(sign)) || WORDS.iter().any(is_word);
    let open = if needs_value { "${value " } else { "${" };
    let open = Text::computed(open, text.span.at_start());
    let end = crate::source::Span { start: text.span.end, ..text.span };
    Text::joined([&open, &text, &Text::computed("}", end)])
}

/// The payload as variables.
struct World<'w> {
    payload: &'w BTreeMap<String, String>,
    value: Option<&'w str>,
    basic: InPhase<'w>,
}

impl World<'_> {
    fn of<T>(
        payload: &BTreeMap<String, String>,
        value: Option<&str>,
        look: impl FnOnce(&World<'_>) -> T,
    ) -> T {
        let world = functions::World::default();
        look(&World { payload, value, basic: InPhase::new(&world, Phase::Workflow) })
    }
}

impl el::World for World<'_> {
    fn variable(&self, name: &str) -> Option<Value<'_>> {
        match name {
            VALUE if self.value.is_some() => self.value.map(Value::from),
            CONF => {
                let entry = |(key, value): (&String, &String)| {
                    (key.clone(), Value::String(Cow::Owned(value.clone())))
                };
                let entries = self.payload.iter().map(entry).collect();
                Some(Value::Map(Arc::new(Map { entries, text: CONF.to_owned(), class: "HashMap" })))
            }
            name if is_variable(name) && self.payload.contains_key(name) => {
                self.payload.get(name).map(|value| Value::from(value.as_str()))
            }
            name => self.basic.variable(name),
        }
    }

    fn function(&self, prefix: &str, name: &str) -> Function {
        match catalogue::lookup(Phase::Workflow, prefix, name) {
            Function::Known(signature) | Function::Echoed(signature) if !prefix.is_empty() => {
                Function::Elsewhere(signature)
            }
            other => other,
        }
    }

    fn call<'a>(
        &'a self,
        function: &'static Signature,
        arguments: Vec<Value<'a>>,
    ) -> Result<Outcome<'a>, Failure> {
        self.basic.call(function, arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Sources, Span};

    fn text(value: &str) -> Text {
        let file = Sources::new().add("s", value);
        Text::verbatim(value, Span::new(file, 0..value.len()))
    }

    fn check(
        key: Option<&str>,
        value: Option<&str>,
        expression: Option<&str>,
        pairs: &[(&str, &str)],
    ) -> String {
        let condition =
            Condition { key: key.map(text), value: value.map(text), expression: expression.map(text) };
        let compiled = condition.expression.as_ref().map(|expression| Compiled::new(expression).0);
        let payload = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        holds(&condition, compiled.as_ref(), &payload).err().unwrap_or_default()
    }

    #[test]
    fn keys_and_values_are_compared_as_text() {
        assert_eq!(check(Some("a.b"), None, None, &[("a.b", "")]), "");
        assert_eq!(check(Some("a.b"), None, None, &[]), "the key `a.b` is missing");
        assert_eq!(check(Some("a"), Some("1"), None, &[("a", "1")]), "");
        assert_eq!(check(Some("a"), Some("1"), None, &[("a", "1.0")]), "`a` is `1.0`, not `1`");
    }

    #[test]
    fn expressions_see_the_payload() {
        let pairs = [("runcount", "1"), ("files.processed", "7"), ("count", "9"), ("empty", "")];
        let holds = |key: Option<&str>, expression: &str| check(key, None, Some(expression), &pairs);
        for expression in [
            "runcount < 2",
            "${runcount < 2}",
            "conf['files.processed'] != '' && runcount < 2",
            "conf['files.processed'] > 6",
            "concat(runcount, count) == '19'",
        ] {
            assert_eq!(holds(None, expression), "", "{expression}");
        }
        for expression in ["< 10", "lt 10", "not empty value", "value == '9'", "== 9", "!= 8"] {
            assert_eq!(holds(Some("count"), expression), "", "{expression}");
        }
        assert_eq!(holds(Some("count"), "< 9"), "`< 9` is false");
        assert_eq!(holds(Some("empty"), "not empty value"), "`not empty value` is false");
        assert!(holds(None, "absent < 2").contains("cannot be evaluated"));
    }

    #[test]
    fn a_value_that_is_not_a_number_does_not_meet_a_comparison() {
        let of = |value: &str| check(Some("count"), None, Some("< 10"), &[("count", value)]);
        assert_eq!(of("9"), "");
        assert_eq!(of("10"), "`< 10` is false");
        assert!(of("abc").starts_with("`< 10` cannot be evaluated"), "{}", of("abc"));
    }

    #[test]
    fn what_is_in_a_value_is_data() {
        assert_eq!(check(Some("a"), Some("${1 == 1}"), None, &[("a", "${1 == 1}")]), "");
        assert_eq!(check(None, None, Some("a == 'true'"), &[("a", "${true}")]), "`a == 'true'` is false");
    }

    #[test]
    fn mistakes_are_told() {
        let faults = |expression: &str| {
            let findings = Compiled::new(&text(expression)).1;
            findings.into_iter().map(|finding| (finding.span.start, finding.message)).collect::<Vec<_>>()
        };
        assert_eq!(faults("runcount < 2"), []);
        assert_eq!(faults("< 2"), []);
        assert_eq!(faults("a < < 2").len(), 1);
        assert_eq!(faults("wf:id() == 'a'"), [(0, "`wf:id` does not exist at this place".to_owned())]);
        assert_eq!(faults("1 == nothing(2)").len(), 1);
    }

    #[test]
    fn keys_are_listed() {
        let text = text("a < 2 && conf['b.c'] == value && KB > 1");
        let (compiled, _) = Compiled::new(&text);
        assert_eq!(compiled.keys().map(|(_, name)| name).collect::<Vec<_>>(), ["a", "b.c"]);
    }
}
