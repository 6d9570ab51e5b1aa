//! Mistakes in the control flow of workflows.

use super::super::document::{Document, Edit, Element, hash, typo};
use super::Make::{Attribute, Element as Of};
use super::{Kinds, is_node, kind};

fn is_transition(document: &Document<'_>, e: &Element<'_>, attribute: &str) -> bool {
    document.root().name == "workflow-app"
        && e.namespace == "workflow"
        && (attribute == "to" && ["start", "ok", "error", "case", "default", "join"].contains(&e.name)
            || attribute == "start" && e.name == "path")
}

fn first<'d>(document: &'d Document<'_>, name: &str) -> Option<&'d str> {
    document
        .elements
        .iter()
        .find(|e| e.name == name && is_node(document, e))?
        .attribute("name")
        .map(|a| a.value)
}

fn node<'d, 't>(d: &'d Document<'t>, name: &str) -> Option<&'d Element<'t>> {
    d.elements.iter().find(|e| is_node(d, e) && e.attribute("name").is_some_and(|a| a.value == name))
}

/// The action that an `ok` or `error` belongs to.
fn name_above<'d>(d: &'d Document<'_>, e: &Element<'_>) -> Option<&'d str> {
    let above = &d.elements[e.parent?];
    Some(above.attribute("name")?.value)
}

/// Where `ok` of an action leads.
fn after<'d>(d: &'d Document<'_>, name: &str) -> Option<&'d str> {
    Some(d.child(node(d, name)?, "ok")?.attribute("to")?.value)
}

fn gone(d: &Document<'_>, e: &Element<'_>, name: &str) -> Option<Edit> {
    (e.name == name && d.root().name == "workflow-app" && e.namespace == "workflow").then(|| d.without(e))
}

pub const KINDS: Kinds = &[
    kind(
        "transition-typo",
        Attribute(|d, e, a| is_transition(d, e, a.name).then(|| typo(a.value, hash(a.value)))),
    ),
    kind(
        "transition-case",
        Attribute(|d, e, a| {
            let upper = a.value.to_uppercase();
            (is_transition(d, e, a.name) && upper != a.value).then_some(upper)
        }),
    ),
    kind(
        "transition-dash-underscore",
        Attribute(|d, e, a| {
            (is_transition(d, e, a.name) && a.value.contains('-')).then(|| a.value.replace('-', "_"))
        }),
    ),
    kind(
        "node-name-typo",
        Attribute(|d, e, a| (a.name == "name" && is_node(d, e)).then(|| typo(a.value, hash(a.value)))),
    ),
    kind(
        "node-name-with-blank",
        Attribute(|d, e, a| (a.name == "name" && is_node(d, e)).then(|| format!("my {}", a.value))),
    ),
    kind(
        "node-name-with-digit-first",
        Attribute(|d, e, a| (a.name == "name" && is_node(d, e)).then(|| format!("1{}", a.value))),
    ),
    kind(
        "ok-error-swapped",
        Of(|d, e| {
            let (ok, error) = (d.child(e, "ok")?, d.child(e, "error")?);
            let (to, other) = (ok.attribute("to")?, error.attribute("to")?);
            let written = d.written(e);
            let (from, until) = (ok.range.start - e.range.start, error.range.end - e.range.start);
            let pair = &written[from..until];
            let pair = pair.replacen(&format!("to=\"{}\"", to.value), "to=\"\u{1}\"", 1);
            let pair = pair.replacen(&format!("to=\"{}\"", other.value), &format!("to=\"{}\"", to.value), 1);
            let pair = pair.replacen('\u{1}', other.value, 1);
            (to.value != other.value && is_node(d, e))
                .then(|| Edit::new(ok.range.start..error.range.end, pair))
        }),
    ),
    kind("ok-missing", Of(|d, e| gone(d, e, "ok"))),
    kind("error-missing", Of(|d, e| gone(d, e, "error"))),
    kind("start-missing", Of(|d, e| gone(d, e, "start"))),
    kind("end-missing", Of(|d, e| gone(d, e, "end"))),
    kind("kill-missing", Of(|d, e| gone(d, e, "kill"))),
    kind("join-missing", Of(|d, e| gone(d, e, "join"))),
    kind("action-missing", Of(|d, e| (e.name == "action" && is_node(d, e)).then(|| d.without(e)))),
    kind("decision-missing", Of(|d, e| gone(d, e, "decision"))),
    kind("default-missing", Of(|d, e| (d.is_in(e, "switch")).then(|| gone(d, e, "default"))?)),
    kind("ok-doubled", Of(|d, e| (e.name == "ok" && e.namespace == "workflow").then(|| d.doubled(e)))),
    kind("end-doubled", Of(|d, e| (e.name == "end" && is_node(d, e)).then(|| d.doubled(e)))),
    kind("action-doubled", Of(|d, e| (e.name == "action" && is_node(d, e)).then(|| d.doubled(e)))),
    kind("error-before-ok", Of(|d, e| Some(d.swapped(d.child(e, "ok")?, d.child(e, "error")?)))),
    kind("default-before-case", Of(|d, e| Some(d.swapped(d.child(e, "case")?, d.child(e, "default")?)))),
    kind("ok-to-itself", Attribute(|d, e, _| (e.name == "ok").then(|| name_above(d, e).map(str::to_owned))?)),
    kind(
        "error-to-itself",
        Attribute(|d, e, _| (e.name == "error").then(|| name_above(d, e).map(str::to_owned))?),
    ),
    kind(
        "ok-back-to-start",
        Attribute(|d, e, _| {
            let start = d.elements.iter().find(|e| e.name == "start")?.attribute("to")?.value;
            (e.name == "ok" && name_above(d, e)? != start).then(|| start.to_owned())
        }),
    ),
    kind(
        "ok-skips-a-node",
        Attribute(|d, e, a| (e.name == "ok").then(|| after(d, a.value).map(str::to_owned))?),
    ),
    kind("ok-to-kill", Attribute(|d, e, _| (e.name == "ok").then(|| first(d, "kill").map(str::to_owned))?)),
    kind(
        "start-to-end",
        Attribute(|d, e, a| {
            (e.name == "start" && a.name == "to").then(|| first(d, "end").map(str::to_owned))?
        }),
    ),
    kind(
        "branch-past-join",
        Attribute(|d, e, a| {
            let join = node(d, a.value).filter(|node| node.name == "join")?;
            (e.name == "ok").then(|| Some(join.attribute("to")?.value.to_owned()))?
        }),
    ),
    kind("fork-branch-missing", Of(|d, e| (e.name == "path" && d.is_in(e, "fork")).then(|| d.without(e)))),
    kind("fork-branch-doubled", Of(|d, e| (e.name == "path" && d.is_in(e, "fork")).then(|| d.doubled(e)))),
    kind(
        "fork-to-join",
        Attribute(|d, e, _| (e.name == "path").then(|| first(d, "join").map(str::to_owned))?),
    ),
    kind(
        "join-back-to-fork",
        Attribute(|d, e, a| {
            (e.name == "join" && a.name == "to").then(|| first(d, "fork").map(str::to_owned))?
        }),
    ),
    kind(
        "two-joins-swapped",
        Attribute(|d, e, a| {
            let joins = d.elements.iter().filter(|e| e.name == "join" && is_node(d, e));
            let mut names = joins.filter_map(|e| Some(e.attribute("name")?.value));
            node(d, a.value).filter(|node| node.name == "join")?;
            (e.name == "ok").then(|| names.find(|name| *name != a.value).map(str::to_owned))?
        }),
    ),
    kind(
        "case-without-predicate",
        Of(|_, e| {
            let (_, range) = e.text.clone()?;
            (e.name == "case").then(|| Edit::new(range, ""))
        }),
    ),
    kind(
        "case-always-true",
        super::Make::Text(|_, e, text| {
            (e.name == "case" && text.contains("${")).then(|| "${true}".to_owned())
        }),
    ),
    kind(
        "case-is-text",
        super::Make::Text(|_, e, text| {
            let inner = text.strip_prefix("${")?.strip_suffix('}')?;
            (e.name == "case").then(|| inner.to_owned())
        }),
    ),
];
