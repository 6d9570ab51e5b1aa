//! The recorded cases of input logic: `fixtures/reference/input-logic`.

use std::collections::BTreeMap;
use std::fs;

use ankus::analysis::parameters::JobConf;
use ankus::diag::Diagnostic;
use ankus::plan::coordinator::{CoordinatorJob, Settings};
use ankus::schema;
use serde_json::Value;

use super::coordinator::{Taken, refuses, take};

/// A recorded case.
pub struct Case {
    pub name: String,
    pub xml: String,
    pub properties: BTreeMap<String, String>,
    pub expected: Value,
}

/// All cases.
pub fn cases() -> Vec<Case> {
    let folder = super::root().join("fixtures/reference/input-logic");
    let files = super::names_in(&folder);
    let names = files.iter().filter_map(|name| name.strip_suffix(".expected.json"));
    let case = |name: &str| {
        let read = |suffix: &str| fs::read_to_string(folder.join(format!("{name}.{suffix}"))).expect(name);
        Case {
            name: name.to_owned(),
            xml: read("xml"),
            properties: super::properties(&read("properties")),
            expected: serde_json::from_str(&read("expected.json")).expect("JSON"),
        }
    };
    let cases: Vec<Case> = names.map(case).collect();
    assert_eq!(cases.len(), 62);
    cases
}

impl Case {
    /// The steps: what to look at after how many minutes, in order.
    pub fn steps(&self) -> impl Iterator<Item = &str> {
        let steps = self.properties.iter().filter(|(name, _)| name.starts_with("oracle.step."));
        steps.map(|(_, step)| step.as_str())
    }

    /// The job and its configuration unless it is refused, and what was found.
    pub fn submit(&self, settings: &Settings) -> (Option<(CoordinatorJob, JobConf)>, Vec<Diagnostic>) {
        let given = self.properties.iter().filter(|(name, _)| !name.starts_with("oracle."));
        let given: Vec<(&str, &str)> = given.map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let Taken { root, conf, mut submitted, .. } = match take(&self.xml, &given, &[], settings) {
            Ok(taken) => taken,
            Err(findings) => return (None, findings),
        };
        submitted.findings.extend(schema::check(&root, &self.xml, schema::Kind::Coordinator));
        let refused = submitted.findings.iter().any(refuses);
        (submitted.job.filter(|_| !refused).map(|job| (job, conf)), submitted.findings)
    }
}
