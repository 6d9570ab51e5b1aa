//! A rule that panics on one file is a finding about that file; everything else is still checked.

use ankus::diag::{Group, Info, Severity};
use ankus::report::record::Style;
use ankus::rules::{Check, Rule};
use ankus::shell::check::{Choice, Work};
use ankus::shell::context::Common;

use crate::support::folder_of;

static PANICS: Rule = Rule {
    info: Info {
        name: "of-test",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: None,
        mirrors: &[],
        explanation: "It panics on workflows of one name.",
    },
    check: Check::Workflow(|app, _| {
        let name = app.model.name.as_ref().map(|name| name.value.as_str());
        assert!(name != Some("wrong"), "this name is too much");
    }),
};
static RULES: &[&Rule] = &[&PANICS];

#[test]
fn a_rule_that_panics_is_a_finding_about_one_file() {
    let workflow = |name: &str| {
        format!(
            "<workflow-app name=\"{name}\" xmlns=\"uri:oozie:workflow:0.5\"><start to=\"end\"/><end name=\"end\"/>\
             <nonsense/></workflow-app>"
        )
    };
    let files = [("a/workflow.xml", workflow("right")), ("b/workflow.xml", workflow("wrong"))];
    let files = files.each_ref().map(|(path, text)| (*path, text.as_str()));
    let folder = folder_of("check_isolation", &files);
    let common = Common::default();
    let work = Work::gather(std::slice::from_ref(&folder), Choice::default(), &common).expect("two files");
    let findings = work.with_rules(RULES).findings(&common, Style::DATA).expect("a report");
    let told: Vec<(String, &str)> = findings
        .iter()
        .map(|record| {
            let file = record.place.file.rsplit('/').nth(1).expect("a folder").to_owned();
            (file, record.rule.name)
        })
        .collect();
    assert_eq!(told, [("a".to_owned(), "schema-violation"), ("b".to_owned(), "internal-error")]);
    let last = findings.iter().last().expect("the last");
    assert!(last.message.contains("this name is too much"), "{}", last.message);
}
