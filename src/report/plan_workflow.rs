//! Planned workflows as text and JSON.

use serde_json::{Map, Value, json};

use super::plan_bundle::short;
use super::{plan_text, plural};
use crate::model::workflow::START_NAME;
use crate::plan::SlaRegistration;
use crate::plan::workflow::{PlannedAction, PlannedNode, Roles, WorkflowPlan};

/// The plan as one JSON document.
pub fn json(plan: &WorkflowPlan) -> String {
    let mut text = value(plan, true).to_string();
    text.push('\n');
    text
}

/// Recursive, no deeper than sub-workflows are followed.
fn value(plan: &WorkflowPlan, top: bool) -> Value {
    let parameters: Map<_, _> =
        plan.parameters.iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    let mut value = Map::new();
    if top {
        value.insert("version".to_owned(), 1.into());
    }
    value.insert("app".to_owned(), plan.name.clone().into());
    value.insert("kind".to_owned(), "workflow".into());
    value.insert("parameters".to_owned(), parameters.into());
    value.insert("missing".to_owned(), plan.missing.keys().cloned().collect());
    value.insert("nodes".to_owned(), plan.nodes.iter().map(node).collect());
    value.into()
}

fn node(node: &PlannedNode) -> Value {
    let texts = |pairs: &Roles| -> Map<_, _> {
        pairs.iter().map(|(name, text)| (name.to_string(), text.clone().into())).collect()
    };
    let mut value = json!({
        "name": node.name,
        "kind": node.kind,
        "level": node.level,
        "to": texts(&node.to),
        "action": node.action.as_ref().map(action),
    });
    if !node.cases.is_empty() {
        value["cases"] = texts(&node.cases).into();
    }
    if let Some(message) = &node.message {
        value["message"] = message.clone().into();
    }
    if !node.deferred.is_empty() {
        value["deferred"] = node.deferred.clone().into();
    }
    if let Some(finding) = node.findings.first() {
        value["error"] = short(finding);
    }
    value
}

fn action(action: &PlannedAction) -> Value {
    let mut value = json!({
        "type": action.kind.as_str(),
        "namespace": action.namespace.as_str(),
        "definition": action.definition,
        "deferred": action.deferred,
    });
    if let Some(child) = &action.child {
        value["workflow"] = json!({
            "appPath": child.app_path,
            "plan": child.plan.as_deref().map(|plan| self::value(plan, false)),
            "error": child.findings.first().map(short),
        });
    }
    value
}

/// The plan for people: a summary, the nodes by level, then each action. `verbose` shows definitions whole.
pub fn text(plan: &WorkflowPlan, verbose: bool) -> String {
    let mut out = String::new();
    write(plan, verbose, "", &mut out);
    out
}

/// How many lines of a definition are shown unless all is wanted.
const SHOWN_LINES: usize = 12;

/// Recursive, no deeper than sub-workflows are followed.
fn write(plan: &WorkflowPlan, verbose: bool, indent: &str, out: &mut String) {
    let actions = plan.nodes.iter().filter(|node| node.action.is_some()).count();
    let name = if plan.name.is_empty() { "(no name)" } else { &plan.name };
    out.push_str(&format!("{indent}workflow {name}\n"));
    out.push_str(&format!("{indent}  {}, {}\n", plural(plan.nodes.len(), "node"), plural(actions, "action")));
    if let Some(own) = plan.levels.get("") {
        out.push_str(&format!("{indent}  sla{}\n", level(plan, own)));
    }
    let unreached = plan.nodes.iter().filter(|node| node.level.is_none()).count();
    if unreached > 0 {
        out.push_str(&format!("{indent}  {} never reached\n", plural(unreached, "node")));
    }
    if !plan.missing.is_empty() {
        let names: Vec<_> = plan.missing.keys().map(String::as_str).collect();
        out.push_str(&format!("{indent}  must be supplied: {}\n", names.join(", ")));
    }
    let left: usize = plan.nodes.iter().map(left_of).sum();
    if left > 0 {
        out.push_str(&format!("{indent}  {} known only when it runs\n", plural(left, "expression")));
    }
    let parameters: Vec<_> = plan.parameters.iter().collect();
    if verbose && !parameters.is_empty() {
        out.push_str(&format!("{indent}  parameters\n"));
        pairs(&parameters, &format!("{indent}    "), out);
    }
    out.push('\n');
    let width = plan.nodes.iter().map(|node| shown(node).chars().count()).max().unwrap_or(0).min(40);
    for node in &plan.nodes {
        let level = node.level.map_or_else(|| "-".to_owned(), |level| level.to_string());
        let kind = node.action.as_ref().map_or(node.kind, |action| action.kind.as_str());
        let to: Vec<_> = node.to.iter().map(|(role, to)| format!("{role} → {to}")).collect();
        let line = format!("{indent}  {level:>3}  {:width$}  {kind:14}  {}", shown(node), to.join(", "));
        out.push_str(line.trim_end());
        out.push('\n');
    }
    for node in &plan.nodes {
        details(plan, node, verbose, indent, out);
    }
}

fn level(plan: &WorkflowPlan, level: &SlaRegistration) -> String {
    plan_text::level(level, &|at| plan.parameters.zone().format(at))
}

fn left_of(node: &PlannedNode) -> usize {
    node.deferred.len() + node.action.as_ref().map_or(0, |action| action.deferred.len())
}

fn shown(node: &PlannedNode) -> &str {
    if node.name == START_NAME { "start" } else { &node.name }
}

fn details(plan: &WorkflowPlan, node: &PlannedNode, verbose: bool, indent: &str, out: &mut String) {
    let is_quiet = node.cases.is_empty() && node.message.is_none() && node.action.is_none();
    if is_quiet && node.findings.is_empty() {
        return;
    }
    out.push_str(&format!("\n{indent}{}\n", shown(node)));
    let cases: Vec<_> = node.cases.iter().map(|(name, text)| (&**name, text.as_str())).collect();
    pairs(&cases, &format!("{indent}  "), out);
    if let Some(message) = &node.message {
        out.push_str(&format!("{indent}  message: {message}\n"));
    }
    if let Some(action) = &node.action {
        let lines: Vec<_> = action.definition.lines().collect();
        let cut = if verbose || lines.len() <= SHOWN_LINES { lines.len() } else { SHOWN_LINES - 1 };
        for line in &lines[..cut] {
            out.push_str(&format!("{indent}  {line}\n"));
        }
        if cut < lines.len() {
            out.push_str(&format!("{indent}  … and {} more\n", plural(lines.len() - cut, "line")));
        }
    }
    if let Some(own) = plan.levels.get(&node.name) {
        out.push_str(&format!("{indent}  sla{}\n", level(plan, own)));
    }
    let left = node.deferred.iter().chain(node.action.iter().flat_map(|action| &action.deferred));
    for expression in left {
        out.push_str(&format!("{indent}  left for the run: {expression}\n"));
    }
    for finding in &node.findings {
        out.push_str(&format!("{indent}  error: {}\n", finding.message));
    }
    if let Some(child) = node.action.as_ref().and_then(|action| action.child.as_ref()) {
        for finding in &child.findings {
            out.push_str(&format!("{indent}  {}: {}\n", finding.severity.name(), finding.message));
        }
        if let Some(plan) = &child.plan {
            out.push('\n');
            write(plan, verbose, &format!("{indent}    "), out);
        }
    }
}

/// Names and values, one a line, the values aligned.
pub(super) fn pairs(pairs: &[(&str, &str)], indent: &str, out: &mut String) {
    let width = pairs.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).min(40);
    for (name, value) in pairs {
        out.push_str(&format!("{indent}{name:width$} = {value}\n"));
    }
}
