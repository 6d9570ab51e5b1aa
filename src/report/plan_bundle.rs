//! Planned bundles as text and JSON, written coordinator by coordinator so that a long plan needs no memory.
//!
//! Use: [`begin`], then for each coordinator [`child_begin`], the coordinator's own plan, [`child_end`]; then [`end`].
//! The text form has the same steps.

use serde_json::json;

use crate::analysis::parameters::JobConf;
use crate::diag::Diagnostic;
use crate::plan::bundle::{Child, Started, Submitted};
use crate::time::ProcessingZone;

/// JSON: everything before the first coordinator.
pub fn begin(bundle: &Submitted, zone: ProcessingZone, out: &mut String) {
    let value = json!({
        "version": 1,
        "app": bundle.name,
        "kind": "bundle",
        "kickOff": bundle.kick_off.map(|at| zone.format(at)),
        "group": bundle.group,
    });
    let text = value.to_string();
    out.push_str(&text[..text.len() - 1]);
    out.push_str(",\"configuration\":");
    configuration(&bundle.conf, out);
    out.push_str(",\"coordinators\":[");
}

/// JSON: a coordinator up to its plan; `first` is true for the first one. What follows is the plan, or `null`.
pub fn child_begin(child: &Child, first: bool, out: &mut String) {
    let value = json!({
        "name": child.name,
        "enabled": child.is_enabled,
        "critical": child.is_critical,
        "appPath": child.app_path,
    });
    let text = value.to_string();
    out.push_str(if first { "\n" } else { ",\n" });
    out.push_str(&text[..text.len() - 1]);
    out.push_str(",\"configuration\":");
    configuration(&child.conf, out);
    out.push_str(",\"plan\":");
}

/// JSON: the rest of a coordinator. `findings` are its own and those of its submission; the first is its error.
pub fn child_end(findings: &[&Diagnostic], out: &mut String) {
    out.push_str(",\"error\":");
    out.push_str(&findings.first().map_or_else(|| "null".to_owned(), |found| short(found).to_string()));
    if findings.len() > 1 {
        let all: Vec<_> = findings.iter().map(|found| short(found)).collect();
        out.push_str(",\"findings\":");
        out.push_str(&serde_json::Value::from(all).to_string());
    }
    out.push('}');
}

/// JSON: everything after the last coordinator.
pub fn end(started: &Started, out: &mut String) {
    out.push_str("],\"error\":");
    out.push_str(&started.error.as_ref().map_or_else(|| "null".to_owned(), |found| short(found).to_string()));
    out.push_str("}\n");
}

/// A finding in the short form that plans hold.
pub(super) fn short(finding: &Diagnostic) -> serde_json::Value {
    json!({ "rule": finding.rule.name, "oozie": finding.oozie, "message": finding.message })
}

/// A configuration as a JSON object.
pub(super) fn configuration(conf: &JobConf, out: &mut String) {
    let map: serde_json::Map<_, _> =
        conf.iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    out.push_str(&serde_json::Value::Object(map).to_string());
}

/// Text: what is known before the first coordinator.
pub fn summary(bundle: &Submitted, started: &Started, zone: ProcessingZone, out: &mut String) {
    out.push_str(&format!("bundle {}\n", bundle.name));
    let kick_off =
        bundle.kick_off.map_or_else(|| "at once".to_owned(), |at| format!("at {}", zone.format(at)));
    out.push_str(&format!("  starts {kick_off}\n"));
    if let Some(group) = &bundle.group {
        out.push_str(&format!("  group {group}\n"));
    }
    let enabled = started.children.iter().filter(|child| child.is_enabled).count();
    out.push_str(&format!("  {}, {enabled} enabled\n", super::plural(started.children.len(), "coordinator")));
    if let Some(error) = &started.error {
        out.push_str(&format!("  the start fails: {}\n", error.message));
    }
    let width = started.children.iter().map(|child| child.name.chars().count()).max().unwrap_or(0).min(40);
    for child in &started.children {
        out.push_str(&format!("    {:width$}  {:10}{}\n", child.name, state(child), child.app_path));
    }
}

fn state(child: &Child) -> &'static str {
    match (child.findings.is_empty(), child.is_enabled, child.is_critical) {
        (false, ..) => "fails",
        (true, false, _) => "disabled",
        (true, true, true) => "critical",
        (true, true, false) => "enabled",
    }
}

/// Text: a coordinator, before its own plan. Only what differs from the bundle's configuration is shown, unless all
/// is wanted.
pub fn child(bundle: &Submitted, child: &Child, verbose: bool, out: &mut String) {
    out.push_str(&format!("\n{} ({})\n", child.name, state(child)));
    let shown: Vec<_> = child
        .conf
        .iter()
        .filter(|(name, value)| verbose || bundle.conf.get_raw(name) != Some(*value))
        .collect();
    super::plan_workflow::pairs(&shown, "  ", out);
    for finding in &child.findings {
        out.push_str(&format!("  error: {}\n", finding.message));
    }
}
