//! Mistakes in expressions.

use super::super::document::{hash, typo};
use super::Make::{Element as Of, Value};
use super::{Kinds, kind, replace};
use crate::support::mistakes::document::Edit;

/// The name of the first call with a prefix.
fn call(text: &str) -> Option<(&str, &str)> {
    let at = ["wf:", "coord:", "fs:", "hcat:"].iter().filter_map(|prefix| text.find(prefix)).min()?;
    let rest = &text[at..];
    let end = rest.find('(')?;
    rest[..end].split_once(':')
}

/// The name in the first `${name}`.
fn variable(text: &str) -> Option<&str> {
    let start = text.find("${")? + 2;
    let name = &text[start..start + text[start..].find('}')?];
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_constant = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE"].contains(&name);
    (is_name && !is_constant).then_some(name)
}

fn changed_variable(text: &str, change: impl Fn(&str) -> String) -> Option<String> {
    let name = variable(text)?;
    replace(text, &format!("${{{name}}}"), &format!("${{{}}}", change(name))).filter(|new| new != text)
}

fn changed_call(text: &str, change: impl Fn(&str, &str) -> String) -> Option<String> {
    let (prefix, name) = call(text)?;
    replace(text, &format!("{prefix}:{name}("), &format!("{}(", change(prefix, name)))
        .filter(|new| new != text)
}

/// The first call's arguments are changed.
fn arguments(text: &str, change: impl Fn(&str) -> Option<String>) -> Option<String> {
    let (prefix, name) = call(text)?;
    let head = format!("{prefix}:{name}(");
    let start = text.find(&head)? + head.len();
    let mut depth = 1;
    let end = text[start..].find(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    })?;
    Some(format!("{}{}{}", &text[..start], change(&text[start..start + end])?, &text[start + end..]))
}

pub const KINDS: Kinds = &[
    kind("variable-typo", Value(|_, _, v| changed_variable(v, |name| typo(name, hash(name))))),
    kind("variable-case", Value(|_, _, v| changed_variable(v, |name| name[..1].to_uppercase() + &name[1..]))),
    kind("variable-all-lower", Value(|_, _, v| changed_variable(v, str::to_lowercase))),
    kind(
        "variable-snake-case",
        Value(|_, _, v| {
            changed_variable(v, |name| {
                name.chars()
                    .map(|c| if c.is_uppercase() { format!("_{}", c.to_lowercase()) } else { c.to_string() })
                    .collect()
            })
        }),
    ),
    kind("variable-with-dash", Value(|_, _, v| changed_variable(v, |name| format!("{name}-dir")))),
    kind(
        "brace-missing",
        Value(|_, _, v| {
            let at = v.find("${")?;
            let end = at + v[at..].find('}')?;
            Some(format!("{}{}", &v[..end], &v[end + 1..]))
        }),
    ),
    kind("brace-doubled", Value(|_, _, v| replace(v, "${", "${{"))),
    kind("dollar-missing", Value(|_, _, v| replace(v, "${", "{"))),
    kind(
        "parenthesis-for-brace",
        Value(|_, _, v| {
            let name = variable(v)?;
            replace(v, &format!("${{{name}}}"), &format!("$({name})"))
        }),
    ),
    kind("brace-open-missing", Value(|_, _, v| replace(v, "${", "$"))),
    kind(
        "nested-expression",
        Value(|_, _, v| {
            let name = variable(v)?;
            replace(v, &format!("${{{name}}}"), &format!("${{concat('a', ${{{name}}})}}"))
        }),
    ),
    kind("function-typo", Value(|_, _, v| changed_call(v, |p, name| format!("{p}:{}", typo(name, hash(v)))))),
    kind("function-case", Value(|_, _, v| changed_call(v, |p, name| format!("{p}:{}", name.to_lowercase())))),
    kind("function-without-prefix", Value(|_, _, v| changed_call(v, |_, name| name.to_owned()))),
    kind("function-with-dot", Value(|_, _, v| changed_call(v, |p, name| format!("{p}.{name}")))),
    kind(
        "function-other-prefix",
        Value(|_, _, v| {
            changed_call(v, |p, name| match p {
                "wf" => format!("coord:{name}"),
                _ => format!("wf:{name}"),
            })
        }),
    ),
    kind(
        "function-without-parentheses",
        Value(|_, _, v| {
            let (prefix, name) = call(v)?;
            replace(v, &format!("{prefix}:{name}()"), &format!("{prefix}:{name}"))
        }),
    ),
    kind(
        "function-parenthesis-missing",
        Value(|_, _, v| {
            call(v)?;
            replace(v, ")}", "}")
        }),
    ),
    kind(
        "function-one-argument-more",
        Value(|_, _, v| {
            arguments(v, |all| Some(if all.is_empty() { "1".to_owned() } else { format!("{all}, 1") }))
        }),
    ),
    kind("function-no-argument", Value(|_, _, v| arguments(v, |all| (!all.is_empty()).then(String::new)))),
    kind(
        "argument-without-quotes",
        Value(|_, _, v| {
            arguments(v, |all| {
                let inner = all.strip_prefix('\'')?.strip_suffix('\'')?;
                (!inner.contains('\'')).then(|| inner.to_owned())
            })
        }),
    ),
    kind(
        "argument-quote-missing",
        Value(|_, _, v| arguments(v, |all| all.contains('\'').then(|| all.replacen('\'', "", 1)))),
    ),
    kind(
        "argument-double-for-single",
        Value(|_, _, v| {
            arguments(v, |all| {
                Some(format!("\u{201d}{}\u{201d}", all.strip_prefix('\'')?.strip_suffix('\'')?))
            })
        }),
    ),
    kind(
        "number-as-text",
        Value(|_, _, v| {
            arguments(v, |all| {
                all.trim_start_matches('-').chars().all(|c| c.is_ascii_digit()).then(|| format!("'x{all}'"))
            })
            .filter(|_| v.contains("coord:current") || v.contains("coord:latest"))
        }),
    ),
    kind(
        "actionData-node-typo",
        Value(|_, _, v| {
            let at = v.find("wf:actionData('")? + 15;
            let name = &v[at..at + v[at..].find('\'')?];
            replace(v, &format!("'{name}'"), &format!("'{}'", typo(name, hash(v))))
        }),
    ),
    kind("capture-output-missing", Of(|d, e| (e.name == "capture-output").then(|| d.without(e)))),
    kind("operator-single-equals", Value(|_, _, v| replace(v, " eq ", " = "))),
    kind("operator-assign", Value(|_, _, v| replace(v, " gt ", " => "))),
    kind("operator-and-word", Value(|_, _, v| replace(v, " and ", " AND "))),
    kind("operator-ampersand", Value(|_, _, v| replace(v, " and ", " &amp; "))),
    kind("bracket-missing", Value(|_, _, v| replace(v, "']", "'"))),
    kind(
        "index-without-quotes",
        Value(|_, _, v| {
            let at = v.find(")['")? + 3;
            let key = &v[at..at + v[at..].find('\'')?];
            replace(v, &format!("['{key}']"), &format!("[{key}]"))
        }),
    ),
    kind(
        "kill-message-node-typo",
        Value(|_, _, v| replace(v, "wf:errorMessage(wf:lastErrorNode())", "wf:errorMessage('no-such-node')")),
    ),
    kind(
        "workflow-function-in-coordinator",
        Value(|d, e, v| {
            (d.root().name == "coordinator-app" && e.name == "value")
                .then(|| replace(v, "${", "${wf:id()}${"))?
        }),
    ),
    kind(
        "coordinator-function-in-workflow",
        Value(|d, e, v| {
            let is_meant =
                d.root().name == "workflow-app" && ["arg", "argument", "value", "param"].contains(&e.name);
            is_meant.then(|| changed_variable(v, |_| "coord:nominalTime()".to_owned()))?
        }),
    ),
    kind(
        "data-function-in-dataset",
        Value(|d, e, v| {
            (d.root().name != "workflow-app" && e.name == "uri-template")
                .then(|| replace(v, "${", "${coord:nominalTime()}/${"))?
        }),
    ),
    kind(
        "blank-around-name",
        Of(|_, e| {
            let (text, range) = e.text.clone()?;
            let name = variable(text)?;
            Some(Edit::new(range, text.replacen(&format!("${{{name}}}"), &format!("$ {{{name}}}"), 1)))
        }),
    ),
];
