//! What `ankus check` takes in, and that one file does not keep the others from being checked.

mod support;

use ankus::diag::{Info, Severity};
use ankus::report::findings::Style;
use ankus::rules::{self, Check, Rule};
use ankus::shell::check::{Choice, Work};
use ankus::shell::context::Common;
use support::{folder_of, root};

const WORKFLOW: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">
<start to="gone"/>
<end name="done"/>
</workflow-app>
"#;

/// Panics on workflows called `bad`.
static PANICS: Rule = Rule {
    info: Info { name: "panics", severity: Severity::Error, stage: None, mirrors: &[], explanation: "" },
    check: Check::Workflow(|workflow, _| {
        assert_ne!(workflow.model.name.as_ref().map(|name| name.value.as_str()), Some("bad"), "as asked");
    }),
};

/// All rules and one that panics.
fn with_a_panicking_rule() -> &'static [&'static Rule] {
    Vec::leak(rules::ALL.iter().copied().chain([&PANICS]).collect())
}

#[test]
fn a_rule_that_panics_costs_one_file() {
    let bad = WORKFLOW.replace("\"w\"", "\"bad\"");
    let names: Vec<String> = (0..20).map(|number| format!("{number:02}/workflow.xml")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), WORKFLOW)).collect();
    files[7].1 = &bad;
    let folder = folder_of("check-input-panic", &files);
    let common = Common::default();
    let work = Work::gather(&[folder], Choice::default(), &common).expect("the folder is there");
    let work = work.with_rules(with_a_panicking_rule());
    let findings = work.findings(&common, Style::DATA).expect("the others are checked");
    let of = |rule: &str| {
        let of_rule = findings.iter().filter(|record| record.rule.name == rule);
        of_rule.map(|record| record.place.file.to_string()).collect::<Vec<_>>()
    };
    let failed = of("internal-error");
    assert!(failed.len() == 1 && failed[0].ends_with("07/workflow.xml"), "{failed:?}");
    assert_eq!(of("transition-unknown").len(), 19);
    let told = findings.iter().find(|record| record.rule.name == "internal-error").expect("it is told");
    assert!(
        told.message.contains("as asked") && told.message.contains("check_input.rs:"),
        "{}",
        told.message
    );
    assert!(told.help.as_ref().is_some_and(|help| help.starts_with("report this")));
    assert!(findings.any_at_least(Severity::Error), "the exit code is 1");
}

/// An app whose properties cannot be followed to the end is still checked without them.
#[test]
fn a_panic_behind_properties_leaves_the_definitions() {
    let coordinator =
        std::fs::read_to_string(root().join("fixtures/demo/coordinator.xml")).expect("the demo");
    let properties = "oozie.coord.application.path=hdfs://nn/apps/demo\nnameNode=hdfs://nn\n";
    let folder = folder_of(
        "check-input-panic-behind",
        &[
            ("ankus.toml", ""),
            ("apps/demo/coordinator.xml", &coordinator),
            ("apps/demo/job.properties", properties),
            ("apps/other/workflow.xml", WORKFLOW),
            ("apps/bad/workflow.xml", &WORKFLOW.replace("\"w\"", "\"bad\"")),
            ("apps/bad/job.properties", "oozie.wf.application.path=hdfs://nn/apps/bad\n"),
        ],
    );
    let common = Common::default();
    let work = Work::gather(&[folder], Choice::default(), &common).expect("the folder is there");
    let findings = work.with_rules(with_a_panicking_rule()).findings(&common, Style::DATA).expect("it ends");
    let mut failed: Vec<_> = findings
        .iter()
        .filter(|record| record.rule.name == "internal-error")
        .filter_map(|record| record.place.file.split("/apps/").last())
        .collect();
    failed.sort_unstable();
    assert_eq!(failed, ["bad/job.properties", "bad/workflow.xml"]);
    assert!(findings.iter().any(|record| record.place.file.ends_with("other/workflow.xml")));
}
