//! Comments that allow findings: `<!-- ankus: allow(rule) reason -->`.

use crate::support;
use crate::support::{ankus, findings_of, folder_of};

/// A workflow with `transition-unknown` in the line of each `error`, and room for comments: `{0}` before the root, `{1}`
/// before the action `a`, `{2}` as its first child, `{3}` before its `error`, `{4}` at the end of that line.
const WORKFLOW: &str = r#"<?xml version="1.0"?>
{0}
<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">
<start to="a"/>
{1}
<action name="a">
{2}
<fs><mkdir path="hdfs://nn/x"/></fs>
<ok to="b"/>
{3}
<error to="gone"/>{4}
</action>
<action name="b"><fs><mkdir path="hdfs://nn/x"/></fs><ok to="done"/><error to="lost"/></action>
<end name="done"/>
</workflow-app>
"#;

const OF_A: &str = "11 transition-unknown";
const OF_B: &str = "13 transition-unknown";

/// The workflow without comments but this one.
fn with(place: usize, comment: &str) -> String {
    let text = WORKFLOW.replace(&format!("{{{place}}}"), comment);
    (0..5).fold(text, |text, place| text.replace(&format!("{{{place}}}"), ""))
}

/// The findings of the workflow with comments at these places.
fn said(name: &str, comments: &[(usize, &str)]) -> Vec<String> {
    let mut text = WORKFLOW.to_owned();
    for place in 0..5 {
        let comment = comments.iter().find(|(number, _)| *number == place).map_or("", |(_, comment)| comment);
        text = text.replace(&format!("{{{place}}}"), comment);
    }
    let folder = folder_of(&format!("check-suppression-{name}"), &[("workflow.xml", &text)]);
    let found = findings_of(&[&folder.display().to_string()]);
    let kept = found
        .into_iter()
        .filter(|(_, _, rule, _)| rule.starts_with("transition") || rule.starts_with("supp"));
    kept.map(|(_, line, rule, _)| format!("{line} {rule}")).collect()
}

#[test]
fn a_comment_covers_its_element_line_or_file() {
    let allow = "<!-- ankus: allow(transition-unknown) it comes later -->";
    assert_eq!(said("none", &[]), [OF_A, OF_B]);
    assert_eq!(said("element", &[(1, allow)]), [OF_B]);
    assert_eq!(said("first-child", &[(2, allow)]), [OF_B]);
    assert_eq!(said("inner", &[(3, allow)]), [OF_B]);
    assert_eq!(said("end-of-line", &[(4, &format!("  {allow}"))]), [OF_B]);
    assert_eq!(said("root", &[(0, allow)]), Vec::<String>::new());
    let line = "<!-- ankus: allow-line(transition-unknown) -->";
    assert_eq!(said("line", &[(4, line)]), [OF_B]);
    assert_eq!(said("other-line", &[(3, line)]), ["10 suppression-unused", OF_A, OF_B]);
    let file = "<!-- ankus: allow-file(transition-unknown) -->";
    for place in 0..5 {
        assert_eq!(said("file", &[(place, file)]), Vec::<String>::new(), "{place}");
    }
}

#[test]
fn one_comment_may_name_several_rules() {
    let two = "<!-- ankus: allow(transition-unknown, node-dead-end) -->";
    assert_eq!(said("several", &[(1, two)]), ["5 suppression-unused", OF_B]);
}

#[test]
fn what_is_not_needed_is_told() {
    let other = "<!-- ankus: allow(transition-self) -->";
    assert_eq!(said("unused", &[(1, other)]), ["5 suppression-unused", OF_A, OF_B]);
    // The outer comment covers it already.
    let allow = "<!-- ankus: allow(transition-unknown) -->";
    assert_eq!(said("nested", &[(1, allow), (3, allow)]), ["10 suppression-unused", OF_B]);
}

#[test]
fn what_cannot_be_understood_is_told() {
    let told = |comment: &str, help: &str| {
        let text = with(1, comment);
        let folder = folder_of("check-suppression-invalid", &[("workflow.xml", &text)]);
        let outcome = ankus(&["check", &folder.display().to_string()]);
        assert!(outcome.out.contains("warning[suppression-invalid]"), "{comment}: {}", outcome.out);
        assert!(outcome.out.contains(help), "{comment}: {}", outcome.out);
    };
    told("<!-- ankus: allow(transition-unknwon) -->", "did you mean `transition-unknown`?");
    told("<!-- ankus: alow(transition-unknown) -->", "did you mean `allow`?");
    told("<!-- ankus allow(transition-unknown) -->", "a colon is missing");
    told("<!-- Ankus: allow(transition-unknown) -->", "`Ankus` is not `ankus`");
    told("<!-- ankus: allow transition-unknown -->", "in parentheses");
    told("<!-- ankus: allow(elephant-in-the-room) -->", "`ankus rules` lists them");
}

#[test]
fn suppressed_findings_are_counted() {
    let text = with(0, "<!-- ankus: allow(transition-unknown) -->");
    let folder = folder_of("check-suppression-count", &[("ankus.toml", ""), ("workflow.xml", &text)]);
    let path = folder.display().to_string();
    let outcome = ankus(&["check", &path]);
    assert_eq!(outcome.code, 0);
    assert!(
        outcome.out.contains("0 errors, ") && outcome.out.ends_with("; 2 suppressed\n"),
        "{}",
        outcome.out
    );
    let report: serde_json::Value =
        serde_json::from_str(&ankus(&["check", "--format", "json", &path]).out).expect("JSON");
    assert_eq!(report["summary"]["suppressed"], 2);
    // The same workflow behind properties is the same two findings.
    let properties = "oozie.wf.application.path=hdfs://nn/check-suppression-count\n";
    support::write_file(&folder.join("job.properties"), properties);
    assert!(ankus(&["check", &path]).out.ends_with("; 2 suppressed\n"));
}

/// What is switched off is not missed.
#[test]
fn comments_for_rules_that_are_off_are_let_be() {
    let text = with(0, "<!-- ankus: allow(transition-unknown) -->");
    let folder = folder_of("check-suppression-off", &[("ankus.toml", ""), ("workflow.xml", &text)]);
    let path = folder.display().to_string();
    let found = findings_of(&[&path, "--ignore", "transition-unknown"]);
    assert!(!found.iter().any(|(_, _, rule, _)| rule.starts_with("supp")), "{found:?}");
    let found = findings_of(&[&path, "--ignore", "suppression,transition-unknown"]);
    assert!(!found.iter().any(|(_, _, rule, _)| rule.starts_with("supp")), "{found:?}");
}

#[test]
fn properties_have_comments_too() {
    let workflow = with(0, "").replace("gone", "b").replace("lost", "done");
    let check = |properties: &str, expected: &[&str]| {
        let files = [("ankus.toml", ""), ("workflow.xml", &workflow), ("job.properties", properties)];
        let folder = folder_of("check-suppression-properties", &files);
        let path = folder.join("job.properties").display().to_string();
        let found = findings_of(&[&path]);
        let of_file: Vec<_> = found
            .into_iter()
            .filter(|(file, ..)| file == "job.properties")
            .map(|(_, line, rule, _)| format!("{line} {rule}"))
            .collect();
        assert_eq!(of_file, expected, "{properties}");
    };
    let odd = "MINUTES=5\noozie.wf.application.path=hdfs://nn/check-suppression-properties\n";
    check(&format!("\n{odd}"), &["2 property-reserved"]);
    check(&format!("# ankus: allow(property-reserved) later\n{odd}"), &[]);
    check(&format!("# ankus: allow-file(property-reserved)\nb=b\n{odd}"), &[]);
    check(
        &format!("# ankus: allow(property-reserved)\nb=b\n{odd}"),
        &["1 suppression-unused", "3 property-reserved"],
    );
    check(
        &format!("# ankus: alow(property-reserved)\n{odd}"),
        &["1 suppression-invalid", "2 property-reserved"],
    );
}

/// Where a value may matter that is not given, nobody is asked to remove a comment.
#[test]
fn comments_that_values_may_need_are_only_noted() {
    let allow = "<!-- ankus: allow(action-retry-invalid) -->";
    let text = with(1, allow).replace("hdfs://nn/x", "${nameNode}/x");
    let folder = folder_of("check-suppression-values", &[("workflow.xml", &text)]);
    let path = folder.join("workflow.xml").display().to_string();
    let unused = |more: &[&str]| {
        let mut arguments = vec![path.as_str()];
        arguments.extend(more);
        let found = findings_of(&arguments);
        found.into_iter().find(|(_, _, rule, _)| rule == "suppression-unused").map(|(.., severity)| severity)
    };
    assert_eq!(unused(&[]).as_deref(), Some("info"));
    assert_eq!(unused(&["-D", "nameNode=hdfs://nn"]).as_deref(), Some("warning"));
}

/// Many comments are read in linear time; deep trees need no stack.
#[test]
fn many_comments_are_no_burden() {
    let comment = "<!-- ankus: allow(transition-unknown) -->";
    let text = format!(
        "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\"><start to=\"x\"/>{}{}<end name=\"e\"/></workflow-app>",
        comment.repeat(1_000),
        format!("{comment}\n").repeat(10_000)
    );
    let folder = folder_of("check-suppression-many", &[("workflow.xml", &text)]);
    let found = findings_of(&[&folder.display().to_string()]);
    assert!(found.len() >= 11_000, "{}", found.len());
}

/// A fork of one path, and a node with a bad name that a transition names too; what is said of each, with its severity.
fn said_of_schema(name: &str, before: &str, arguments: &[&str]) -> Vec<String> {
    let text = format!(
        r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5"><start to="f"/>
{before}
<fork name="f"><path start="1a"/></fork>
<action name="1a"><fs><mkdir path="hdfs://nn/x"/></fs><ok to="j"/><error to="j"/></action>
<join name="j" to="end"/><end name="end"/></workflow-app>"#
    );
    let folder = folder_of(&format!("check-suppression-{name}"), &[("workflow.xml", &text)]);
    let folder = folder.display().to_string();
    let all: Vec<&str> = arguments.iter().copied().chain([folder.as_str()]).collect();
    let found = findings_of(&all).into_iter();
    found.map(|(_, line, rule, severity)| format!("{line} {rule} {severity}")).collect()
}

#[test]
fn what_the_schema_says_too_is_chosen_and_allowed_by_either_name() {
    let (fork, node) = ("3 schema-violation error", "4 schema-violation error");
    let said = |name: &str, arguments: &[&str]| said_of_schema(name, "", arguments);
    assert_eq!(said("either", &[]), [fork, node]);
    assert_eq!(said("either-fork", &["--ignore", "fork-single-path"]), [node]);
    assert_eq!(said("either-node", &["--ignore", "node-name-invalid"]), [fork]);
    let by_rule = ["3 fork-single-path error", "4 node-name-invalid error"];
    assert_eq!(said("either-schema", &["--ignore", "schema-violation"]), by_rule);
    assert_eq!(said("either-selected", &["--select", "fork-single-path"]), by_rule[..1]);
    let none: [&str; 0] = [];
    for rules in ["fork-single-path, node-name-invalid", "schema-violation"] {
        let file = format!("<!-- ankus: allow-file({rules}) -->");
        assert_eq!(said_of_schema("either-file", &file, &[])[..], none, "{rules}");
    }
    let place = "<!-- ankus: allow(fork-single-path) -->";
    assert_eq!(said_of_schema("either-place", place, &[]), [node]);
    let wrong = "<!-- ankus: allow(node-name-invalid) -->";
    assert_eq!(said_of_schema("either-wrong", wrong, &[]), ["2 suppression-unused warning", fork, node]);
}
