//! A map-reduce action names classes of one interface of Hadoop and switches on the other.
//!
//! `mapred.mapper.class` is a class of the old interface, `mapreduce.job.map.class` one of the new, which counts only with
//! `mapred.mapper.new-api` set to `true`. Hadoop refuses a job with a class of the interface that is switched off
//! (`… is incompatible with … mode`). The same holds for reducers.
//!
//! ```xml
//! <name>mapreduce.job.map.class</name><value>com.example.Map</value>   <!-- wrong without the next -->
//! <name>mapred.mapper.new-api</name><value>true</value>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::Property;
use crate::model::action::Details;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "map-reduce-api-mixed",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("map_reduce_api_mixed.rs"),
    },
    check: Check::Workflow(check),
};

/// The switch of each side, the names of the old interface, those of the new.
type Side = (&'static str, &'static [&'static str], &'static [&'static str]);

const SIDES: [Side; 2] = [
    ("mapred.mapper.new-api", &["mapred.mapper.class"], &["mapreduce.job.map.class", "mapreduce.map.class"]),
    (
        "mapred.reducer.new-api",
        &["mapred.reducer.class"],
        &["mapreduce.job.reduce.class", "mapreduce.reduce.class"],
    ),
];

/// `Job.setUseNewAPI`; `JobClient`, by which the action submits, takes the old interface where nothing is said.
fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let global = app.model.global.as_ref();
    for action in app.actions() {
        let Details::MapReduce(job) = &action.details else { continue };
        // Programs of streaming and pipes are classes of the old interface, and a class may set anything.
        let inherits = global.is_some_and(|global| !global.job_xml.is_empty());
        if job.streaming.is_some() || job.pipes.is_some() || job.config_class.is_some() || inherits {
            continue;
        }
        let own = &job.job.configuration.properties;
        let all: Vec<&Property> =
            global.iter().flat_map(|global| &global.configuration.properties).chain(own).collect();
        for (switch, old, new) in SIDES {
            let last = |names: &[&str]| {
                all.iter().rev().find(|property| names.contains(&property.name.value.trim())).copied()
            };
            let is_new = match last(&[switch]) {
                Some(property) => match actions::known(app.values, &property.value) {
                    Some(value) => value.value.eq_ignore_ascii_case("true"),
                    None => continue,
                },
                None if !job.job.job_xml.is_empty() => continue,
                None => false,
            };
            let Some(class) = last(if is_new { old } else { new }) else { continue };
            let name = class.name.trimmed();
            let (message, help) = match is_new {
                true => (
                    format!("`{}` is of the old interface, and `{switch}` switches it off", name.value),
                    format!("write `{}`, or remove `{switch}`", new[0]),
                ),
                false => (
                    format!("`{}` is of the new interface, which nothing switches on", name.value),
                    format!("add `{switch}` with the value `true`"),
                ),
            };
            let mut finding = Diagnostic::new(&RULE.info, name.span, message).help(help);
            if let Some(property) = last(&[switch]) {
                finding = finding.label(property.value.trimmed().span, "which interface counts");
            }
            sink.push(actions::at_start(&app.flow, action, finding));
        }
    }
}
