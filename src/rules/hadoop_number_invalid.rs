//! A setting that Hadoop reads as a whole number has another value.
//!
//! `mapreduce.map.memory.mb` is a number of megabytes without a unit, `mapreduce.job.reduces` a number. With anything else the
//! job fails when it is submitted or when its tasks start (`NumberFormatException`).
//!
//! ```xml
//! <name>mapreduce.map.memory.mb</name><value>4g</value>      <!-- wrong -->
//! <name>mapreduce.map.memory.mb</name><value>4096</value>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Workflow;
use crate::analysis::{actions, known_properties};
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::Property;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "hadoop-number-invalid",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("hadoop_number_invalid.rs"),
    },
    check: Check::Workflow(check),
};

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let global = app.model.global.iter().flat_map(|global| &global.configuration.properties);
    sink.extend(global.filter_map(|property| judge(app, property)));
    for action in app.actions().iter().filter(|action| action.is_on_cluster()) {
        for property in &action.body.configuration().properties {
            sink.extend(judge(app, property).map(|finding| actions::at_start(&app.flow, action, finding)));
        }
    }
}

/// `Configuration.getInt`: a decimal number, or a hexadecimal one behind `0x`.
fn judge(app: &Workflow<'_>, property: &Property) -> Option<Diagnostic> {
    let name = property.name.value.trim();
    if !known_properties::is_whole_number(name) {
        return None;
    }
    let value = actions::known(app.values, &property.value)?;
    let text = value.value.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).is_ok(),
        None => digits.parse::<i64>().is_ok(),
    };
    // An empty value is another finding.
    if is_number || text.is_empty() || text.contains("${") {
        return None;
    }
    let message = format!("`{text}` is not a whole number, and `{name}` is one");
    Some(Diagnostic::new(&RULE.info, value.span, message).help("write digits only, without a unit"))
}
