//! Planned coordinators as comma-separated values: a line for each URI, expression or property of an action.

use crate::diag::Diagnostic;
use crate::plan::coordinator::{Action, CoordinatorJob, Event};

/// The names of the columns.
pub const HEADER: &str = "coordinator,number,nominal,actual,kind,name,dataset,value\n";

/// The lines of one action; at least one.
pub fn action(job: &CoordinatorJob, action: &Action, out: &mut String) {
    let mut prefix = String::new();
    field(&job.name, &mut prefix);
    let zone = job.settings.processing;
    prefix.push_str(&format!(
        ",{},{},{}",
        action.number,
        zone.format(action.nominal),
        zone.format(action.actual)
    ));
    let mut row = |kind: &str, name: &str, dataset: &str, value: &str| {
        out.push_str(&prefix);
        for text in [kind, name, dataset, value] {
            out.push(',');
            field(text, out);
        }
        out.push('\n');
    };
    row("workflow", "", "", &action.app_path);
    let mut rows = |kind: &str, events: &[Event]| {
        for event in events {
            event.uris.iter().for_each(|uri| row(kind, &event.name, &event.dataset, uri));
            let unresolved = event.unresolved.iter().flat_map(|list| list.iter());
            unresolved.for_each(|text| row(&format!("{kind}-unresolved"), &event.name, &event.dataset, text));
        }
    };
    rows("input", &action.inputs);
    rows("output", &action.outputs);
    for (name, value) in action.configuration.iter().flatten() {
        row("property", name, "", value);
    }
    if let Some(ready) = action.ready {
        row("ready", "", "", if ready { "true" } else { "false" });
    }
    if let Some(failure) = &action.error {
        row("error", failure.rule.name, "", &failure.message);
    }
}

/// What ended the plan early.
pub fn error(job: &CoordinatorJob, failure: &Diagnostic, out: &mut String) {
    field(&job.name, out);
    out.push_str(",,,,error,");
    field(failure.rule.name, out);
    out.push_str(",,");
    field(&failure.message, out);
    out.push('\n');
}

/// A field, quoted where it must be. Spreadsheets take what begins like this for a formula and calculate it; behind an
/// apostrophe it is text (OWASP, CSV injection). Whoever needs the very values takes JSON.
fn field(text: &str, out: &mut String) {
    let is_unseen =
        |c: char| matches!(c, ' ' | '\u{a0}' | '\u{ad}' | '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{3000}');
    let begins = text.trim_start_matches(is_unseen);
    // Some take the full-width signs for the others.
    if begins.starts_with(['=', '+', '-', '@', '\t', '\r', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']) {
        out.push_str("\"'");
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
        return;
    }
    // Whatever separator a spreadsheet has.
    if !text.contains(['"', ',', ';', '\t', '\n', '\r']) {
        out.push_str(text);
        return;
    }
    out.push('"');
    out.push_str(&text.replace('"', "\"\""));
    out.push('"');
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_field_is_a_formula() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a=b", "a=b"),
            ("a,\"b\"", "\"a,\"\"b\"\"\""),
            ("=1+1", "\"'=1+1\""),
            ("+1", "\"'+1\""),
            ("-1", "\"'-1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("\t=1", "\"'\t=1\""),
            ("\u{ff1d}1", "\"'\u{ff1d}1\""),
            ("\u{a0}\u{200b}=1", "\"'\u{a0}\u{200b}=1\""),
            ("x;=1", "\"x;=1\""),
            ("\r=1", "\"'\r=1\""),
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
        ] {
            let mut out = String::new();
            super::field(text, &mut out);
            assert_eq!(out, expected, "{text}");
        }
    }
}
