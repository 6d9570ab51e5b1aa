//! Two texts are compared by size although one of them is a number in quotes.
//!
//! Every parameter is text, and so is what stands in quotes. Two texts are compared letter by letter, so `'10' < '9'` is
//! true. Write the number without quotes; the other side is then read as a number too. Dates and names are text that is
//! compared as text: nothing is said of `timestamp() gt '2024'`.
//!
//! ```xml
//! <case to="many">${count gt '10'}</case>   <!-- 9 is more than 10 -->
//! <case to="many">${count gt 10}</case>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::expressions::{Kind, kinds};
use crate::analysis::subject::Expressions;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::el::{self, Binary, NodeId, NodeKind};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "el-string-number-compare",
        group: Group::Expression,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("el_string_number_compare.rs"),
    },
    check: Check::El(check),
};

fn check(app: &Expressions<'_>, sink: &mut Sink) {
    for expression in app.list {
        let parsed = &expression.parsed;
        let by_size = |kind: &NodeKind| {
            let NodeKind::Binary(operator, left, right) = kind else { return None };
            let sorts =
                matches!(operator, Binary::Less | Binary::Greater | Binary::LessEqual | Binary::GreaterEqual);
            sorts.then_some((*left, *right))
        };
        if !parsed.nodes.iter().any(|node| by_size(&node.kind).is_some()) {
            continue;
        }
        let kinds = kinds(parsed, expression.template.place.phase());
        let is_text = |id: NodeId| kinds[id.0 as usize] == Kind::Text;
        let quoted = |id: NodeId| match &parsed.node(id).kind {
            NodeKind::String(text) if el::parse_double(text).is_some() => Some(text),
            _ => None,
        };
        for (left, right) in parsed.nodes.iter().filter_map(|node| by_size(&node.kind)) {
            if [left, right].iter().any(|id| is_no_number(parsed, *id)) {
                continue;
            }
            let number = match (quoted(left), quoted(right)) {
                (Some(number), None) => (left, number),
                (None, Some(number)) => (right, number),
                _ => {
                    let numbers = [left, right].map(|id| known_number(app, parsed, id));
                    if let [Some(a), Some(b)] = numbers
                        && is_text(left)
                        && is_text(right)
                    {
                        let message =
                            format!("this compares letter by letter: `{a}` and `{b}` are text here");
                        sink.push(
                            Diagnostic::new(&RULE.info, parsed.span(left), message)
                                .label(parsed.span(right), "all parameters are text")
                                .help("add 0 to one of them to compare numbers"),
                        );
                    }
                    continue;
                }
            };
            if is_text(left) && is_text(right) {
                let message = format!("this compares letter by letter: `{}` in quotes is text", number.1);
                sink.push(
                    Diagnostic::new(&RULE.info, parsed.span(number.0), message)
                        .help(format!("write `{}` without quotes", number.1)),
                );
            }
        }
    }
}

/// Functions that give a date or a name: text that is sorted as text. A date of a pattern of its own may be digits alone,
/// but as many every time.
const NO_NUMBERS: &[(&str, &[&str])] = &[
    ("", &["timestamp"]),
    (
        "coord",
        &[
            "nominalTime",
            "actualTime",
            "dateOffset",
            "dateTzOffset",
            "formatTime",
            "actionId",
            "name",
            "user",
            "dataIn",
            "dataOut",
        ],
    ),
    ("wf", &["id", "name", "appPath", "user", "group", "callback", "lastErrorNode", "transition"]),
];

/// Whether a node is the call of a function that never gives a number.
fn is_no_number(parsed: &el::Template, id: NodeId) -> bool {
    let NodeKind::Call { prefix, name, .. } = &parsed.node(id).kind else { return false };
    NO_NUMBERS.iter().any(|(of, names)| *of == &**prefix && names.contains(&&**name))
}

/// The number that a parameter holds, where it is known.
fn known_number<'a>(app: &'a Expressions<'_>, parsed: &el::Template, id: NodeId) -> Option<&'a str> {
    let name = match &parsed.node(id).kind {
        NodeKind::Variable(name) => name,
        NodeKind::Call { name, arguments, .. } if &**name == "conf" => match arguments.as_ref() {
            [argument] => match &parsed.node(*argument).kind {
                NodeKind::String(name) => name,
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    app.values.property(name).map(str::trim).filter(|value| el::parse_double(value).is_some())
}
