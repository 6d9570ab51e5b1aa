//! What `ankus check` takes in, and that one file does not keep the others from being checked.

use crate::support::{ankus, ankus_with_input, findings_of, folder_of, root};
use ankus::diag::{Group, Info, Severity};
use ankus::report::findings::Style;
use ankus::rules::{self, Check, Rule};
use ankus::shell::check::{Choice, Work};
use ankus::shell::context::Common;

const WORKFLOW: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">
<start to="gone"/>
<end name="done"/>
</workflow-app>
"#;

/// Panics on workflows called `bad`.
static PANICS: Rule = Rule {
    info: Info {
        name: "panics",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: None,
        mirrors: &[],
        explanation: "",
    },
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

/// The names of files with a finding of `transition-unknown`, by the last two parts of their paths.
fn told(arguments: &[&str]) -> Vec<String> {
    let mut all = vec!["check", "--format", "json", "--select", "transition-unknown"];
    all.extend(arguments);
    let outcome = ankus(&all);
    assert!(outcome.code < 2, "{}", outcome.err);
    let report: serde_json::Value = serde_json::from_str(&outcome.out).expect("JSON");
    let files =
        report["findings"].as_array().expect("findings").iter().filter_map(|one| one["file"].as_str());
    files.map(|file| file.rsplitn(3, '/').take(2).collect::<Vec<_>>().join(" of ")).collect()
}

#[test]
fn paths_and_patterns_are_taken_in_once() {
    let files = ["a/workflow.xml", "b/workflow.xml", "b/c/other.xml", "d/ignored.xml", "d/notes.txt"];
    let files: Vec<_> = files
        .iter()
        .map(|name| (*name, WORKFLOW))
        .chain([("ankus.toml", ""), (".gitignore", "ignored.xml\n")])
        .collect();
    let folder = folder_of("check-input-paths", &files);
    let path = |name: &str| folder.join(name).display().to_string();
    assert_eq!(told(&[&path("a"), &path("b/workflow.xml")]), ["workflow.xml of a", "workflow.xml of b"]);
    let twice = [path("a"), path("a/workflow.xml"), path("a/../a/workflow.xml"), path("*/workflow.xml")];
    assert_eq!(told(&twice.each_ref().map(String::as_str)), ["workflow.xml of a", "workflow.xml of b"]);
    assert_eq!(told(&[&path("*/workflow.xml")]), ["workflow.xml of a", "workflow.xml of b"]);
    assert_eq!(told(&[&path("**/*.xml")]), ["workflow.xml of a", "other.xml of c", "workflow.xml of b"]);
    assert_eq!(told(&[&path("{a,d}/*")]), ["workflow.xml of a"], "what is no definition is passed over");
    assert_eq!(told(&[&path("[b]")]), ["other.xml of c", "workflow.xml of b"], "a folder may match");
    let outcome = ankus(&["check", &path("nothing/*.xml")]);
    assert!(outcome.code == 2 && outcome.err.contains("matches no file"), "{}", outcome.err);
    let outcome = ankus(&["check", &path("{a")]);
    assert!(outcome.code == 2 && outcome.err.contains("is no pattern"), "{}", outcome.err);
}

#[test]
fn standard_input_stands_for_a_file() {
    let saved = WORKFLOW.replace("gone", "done");
    let caller = WORKFLOW.replace(
        "<start to=\"gone\"/>",
        "<start to=\"s\"/><action name=\"s\"><sub-workflow><app-path>/apps/a</app-path></sub-workflow><ok to=\"done\"/><error to=\"done\"/></action>",
    );
    let folder = folder_of(
        "check-input-stdin",
        &[
            ("ankus.toml", "[check]\nselect = [\"transition\"]\n"),
            ("a/workflow.xml", &saved),
            ("b/workflow.xml", &caller),
        ],
    );
    let file = folder.join("a/workflow.xml").display().to_string();
    assert_eq!(findings_of(&[&file]).len(), 0);
    let check = |arguments: &[&str], input: &str| {
        let mut all = vec!["check", "--format", "concise"];
        all.extend(arguments);
        ankus_with_input(&all, input)
    };
    let outcome = check(&["-", "--stdin-filename", &file], WORKFLOW);
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    assert!(
        outcome.out.starts_with(&format!("{}:2:12: ", ankus::host::files::shown(file.as_ref()))),
        "{}",
        outcome.out
    );
    // The file need not be there, and need not be named at all.
    let new = folder.join("new/workflow.xml").display().to_string();
    assert!(check(&["-", "--stdin-filename", &new], WORKFLOW).out.contains("new/workflow.xml:2:12: "));
    let outcome = check(&["-", "--select", "transition"], WORKFLOW);
    assert!(outcome.out.starts_with("<stdin>:2:12: "), "{}{}", outcome.out, outcome.err);
    // Whatever leads to the file sees the text as well.
    let caller = folder.join("b/workflow.xml").display().to_string();
    let outcome = check(&["-", "--stdin-filename", &file, &caller, "-D", "a=b"], WORKFLOW);
    assert!(
        outcome.out.contains("a/workflow.xml:2:12") && outcome.out.contains("2 files checked"),
        "{}",
        outcome.out
    );
    let outcome = check(&["--stdin-filename", &file, &caller], WORKFLOW);
    assert!(outcome.code == 2 && outcome.err.contains("needs `-`"), "{}", outcome.err);
}

#[test]
fn properties_may_come_from_standard_input() {
    let folder =
        folder_of("check-input-stdin-properties", &[("ankus.toml", ""), ("apps/a/workflow.xml", WORKFLOW)]);
    let name = folder.join("apps/a/job.properties").display().to_string();
    let arguments = ["check", "--format", "concise", "-", "--stdin-filename", &name];
    let outcome = ankus_with_input(&arguments, "oozie.wf.application.path=hdfs://nn/apps/a\nMINUTES=1\n");
    assert!(outcome.out.contains("job.properties:2:"), "{}{}", outcome.out, outcome.err);
    assert!(outcome.out.contains("workflow.xml:2:12"), "{}", outcome.out);
    let outcome = ankus_with_input(&arguments, "a=b\n");
    assert!(outcome.code == 2 && outcome.err.contains("names no app"), "{}", outcome.err);
}

#[test]
fn standard_input_is_not_mended() {
    let outcome = ankus_with_input(&["check", "--fix", "-"], WORKFLOW);
    assert!(outcome.code == 2 && outcome.err.contains("cannot be mended"), "{}", outcome.err);
}

#[test]
fn empty_standard_input_is_told_as_that() {
    for input in ["", " \n"] {
        let outcome = ankus_with_input(&["check", "-"], input);
        assert_eq!((outcome.code, outcome.err.as_str()), (2, "ankus: standard input is empty\n"));
    }
    // What an editor holds may be empty.
    let outcome = ankus_with_input(&["check", "-", "--stdin-filename", "new/workflow.xml"], "");
    assert_eq!(outcome.code, 1, "{}", outcome.err);
}
