//! The URI of a dataset shows a finer part of the date than its instances differ in.
//!
//! Instances of a daily dataset all have the same hour, that of `initial-instance`, in UTC: under a URI with `${HOUR}` each
//! day has one folder, named for that hour, and in a zone with daylight saving for another one in summer. Data that are
//! written hourly are found once a day. Give the dataset the frequency of its data, or leave the part out.
//!
//! ```xml
//! <dataset frequency="${coord:days(1)}" …><uri-template>hdfs://nn/clicks/${YEAR}/${MONTH}/${DAY}/${HOUR}</uri-template>
//! <dataset frequency="${coord:days(1)}" …><uri-template>hdfs://nn/clicks/${YEAR}/${MONTH}/${DAY}</uri-template>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::time::Unit;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "dataset-uri-too-fine",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("dataset_uri_too_fine.rs"),
    },
    check: Check::Coordinator(check),
};

const HOUR_MINUTES: i32 = 60;
const DAY_MINUTES: i32 = 24 * HOUR_MINUTES;

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    for dataset in app.datasets.values() {
        let (Some((count, unit, _)), Some(text), Some(parts)) =
            (dataset.every, &dataset.model.uri_template, dataset.parts(app.values))
        else {
            continue;
        };
        let is_minutes = unit == Unit::Minute;
        let part = if parts.minute && (!is_minutes || count % HOUR_MINUTES == 0) {
            "MINUTE"
        } else if parts.hour && (!is_minutes || count % DAY_MINUTES == 0) {
            "HOUR"
        } else {
            continue;
        };
        let written = format!("${{{part}}}");
        let trimmed = text.trimmed();
        let span = match trimmed.value.find(&written) {
            Some(at) => trimmed.span_of(at..at + written.len()),
            None => trimmed.span,
        };
        let message = format!("`{written}` is the same in every instance of this dataset");
        let mut finding = Diagnostic::new(&RULE.info, span, message);
        if let Some(frequency) = &dataset.model.frequency {
            finding = finding.label(frequency.span, "how often there is an instance");
        }
        sink.push(finding.help("give the dataset the frequency of its data, or leave the part out"));
    }
}
