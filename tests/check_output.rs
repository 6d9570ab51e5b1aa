//! The forms that findings are written in, each read back by a reader of that form.

use crate::support;
use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::support::{Outcome, ankus, root};
use serde_json::Value;

/// Many findings of many rules, with labels, fixes and several files.
const MANY: &str = "fixtures/rules";

/// A folder of its own for one test, emptied at the start.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("check_output").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// An app whose names need every kind of escaping.
fn awkward(name: &str) -> PathBuf {
    let folder = folder(name);
    let text = "<workflow-app name=\"é\" xmlns=\"uri:oozie:workflow:0.5\">\n  <start to=\"a]](0)&lt;&amp;%0A::,é\u{1F418}\"/>\n  \
                <end name=\"end\"/>\n</workflow-app>\n";
    let file = folder.join("we, 100% &'<é\u{1F418}: x.xml");
    std::fs::write(&file, text).expect("written");
    file
}

fn check(format: &str, path: &str) -> Outcome {
    let outcome = ankus(&["check", "--format", format, path]);
    assert_ne!(outcome.code, 2, "{}", outcome.err);
    outcome
}

/// The findings as `--format json` has them.
fn findings(path: &str) -> Vec<Value> {
    let report: Value = serde_json::from_str(&check("json", path).out).expect("it is JSON");
    report["findings"].as_array().expect("findings").clone()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("no text `{name}` in {value}"))
}

/// Those that are shown without `-v`.
fn shown(path: &str) -> Vec<Value> {
    findings(path).into_iter().filter(|finding| finding["severity"] != "info").collect()
}

#[test]
fn json_lines_are_the_findings_of_the_document() {
    let lines: Vec<Value> =
        check("jsonl", MANY).out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(lines.len() > 50);
    assert_eq!(lines, findings(MANY));
}

#[test]
fn junit_is_read_by_a_reader_of_it() {
    let awkward = awkward("junit").display().to_string();
    for (path, fail_on) in
        [(MANY, "error"), (MANY, "warning"), ("fixtures/demo", "error"), (&awkward, "error")]
    {
        let out = ankus(&["check", "--format", "junit", "--fail-on", fail_on, path]).out;
        let report = quick_junit::Report::deserialize_from_str(&out).expect("it is a report");
        let cases: Vec<_> = report.test_suites.iter().flat_map(|suite| &suite.test_cases).collect();
        let shown = shown(path);
        assert_eq!(cases.len(), shown.len().max(1));
        assert_eq!(report.tests, cases.len());
        let fails = |finding: &&Value| finding["severity"] == "error" || fail_on == "warning";
        assert_eq!(report.failures, shown.iter().filter(fails).count());
        let failed = |case: &quick_junit::TestCase| {
            !matches!(case.status, quick_junit::TestCaseStatus::Success { .. })
        };
        assert_eq!(cases.iter().filter(|case| failed(case)).count(), report.failures);
        for (case, finding) in cases.iter().zip(&shown) {
            assert!(case.name.as_str().starts_with(text(finding, "rule")), "{case:?}");
            assert_eq!(case.classname.as_ref().map(|name| name.as_str()), finding["file"].as_str());
        }
    }
}

#[test]
fn checkstyle_holds_every_finding() {
    let awkward = awkward("checkstyle").display().to_string();
    for path in [MANY, &awkward] {
        let out = check("checkstyle", path).out;
        let document = roxmltree::Document::parse(&out).expect("it is XML");
        assert_eq!(document.root_element().tag_name().name(), "checkstyle");
        let mut files = BTreeSet::new();
        let of_file = |file: roxmltree::Node<'_, '_>| {
            let name = file.attribute("name").expect("a name").to_owned();
            assert!(files.insert(name.clone()), "{name} stands there twice");
            let rows = file.children().filter(|node| node.has_tag_name("error")).map(|error| {
                let attribute = |name| error.attribute(name).expect("an attribute").to_owned();
                assert!(!attribute("message").is_empty());
                (
                    name.clone(),
                    attribute("line"),
                    attribute("column"),
                    attribute("severity"),
                    attribute("source"),
                )
            });
            rows.collect::<Vec<_>>()
        };
        let found =
            document.root_element().children().filter(|node| node.has_tag_name("file")).flat_map(of_file);
        let expected = shown(path).into_iter().map(|finding| {
            let start = &finding["start"];
            let own = |name| text(&finding, name).to_owned();
            let source = format!("ankus.{}", text(&finding, "rule"));
            (own("file"), start["line"].to_string(), start["column"].to_string(), own("severity"), source)
        });
        assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }
}

#[test]
fn gitlab_reports_have_what_gitlab_asks_for() {
    let awkward = awkward("gitlab").display().to_string();
    for path in [MANY, "fixtures/demo", &awkward] {
        let issues: Vec<Value> = serde_json::from_str(&check("gitlab", path).out).expect("it is JSON");
        let shown = shown(path);
        assert_eq!(issues.len(), shown.len());
        let mut fingerprints = BTreeSet::new();
        for (issue, finding) in issues.iter().zip(&shown) {
            assert!(["info", "minor", "major", "critical", "blocker"].contains(&text(issue, "severity")));
            assert_eq!(text(issue, "check_name"), text(finding, "rule"));
            assert!(text(issue, "description").starts_with(text(finding, "message")));
            assert_eq!(text(&issue["location"], "path"), text(finding, "file"));
            assert_eq!(issue["location"]["lines"]["begin"], finding["start"]["line"]);
            assert!(fingerprints.insert(text(issue, "fingerprint").to_owned()), "{issue}");
        }
    }
}

#[test]
fn fingerprints_stay_when_lines_move() {
    let folder = folder("moved");
    let text = std::fs::read_to_string(root().join("fixtures/broken/workflow.xml")).expect("the fixture");
    let file = folder.join("workflow.xml");
    let fingerprints = |text: &str| -> BTreeSet<String> {
        std::fs::write(&file, text).expect("written");
        let out = check("gitlab", &file.display().to_string()).out;
        let issues: Vec<Value> = serde_json::from_str(&out).expect("it is JSON");
        issues.iter().map(|issue| issue["fingerprint"].as_str().expect("a text").to_owned()).collect()
    };
    let before = fingerprints(&text);
    assert!(before.len() >= 3);
    assert_eq!(before, fingerprints(&text.replace("  <action", "\n\n    <!-- moved -->\n  <action")));
    assert_ne!(before, fingerprints(&text.replace("fial", "filed")));
}

/// A workflow command: its name, its properties, its text.
type Command = (String, Vec<(String, String)>, String);

/// Reads a workflow command as the runner does (`ActionCommand.TryParseV2`).
fn workflow_command(line: &str) -> Command {
    let (head, data) = line.strip_prefix("::").and_then(|rest| rest.split_once("::")).expect("a command");
    let (name, properties) = head.split_once(' ').expect("properties");
    let unescape = |text: &str| {
        let plain = text.replace("%0D", "\r").replace("%0A", "\n").replace("%3A", ":").replace("%2C", ",");
        plain.replace("%25", "%")
    };
    let pairs = properties.split(',').map(|pair| {
        let (name, value) = pair.split_once('=').expect("a pair");
        (name.to_owned(), unescape(value))
    });
    let data = data.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
    (name.to_owned(), pairs.collect(), data)
}

#[test]
fn github_commands_are_read_as_the_runner_reads_them() {
    let awkward = awkward("github").display().to_string();
    for path in [MANY, &awkward] {
        let out = check("github", path).out;
        let shown = shown(path);
        assert_eq!(out.lines().count(), shown.len());
        for (line, finding) in out.lines().zip(&shown) {
            let (name, properties, data) = workflow_command(line);
            assert_eq!(name, text(finding, "severity"));
            let property =
                |name: &str| properties.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str());
            assert_eq!(property("file"), finding["file"].as_str());
            assert_eq!(property("line"), Some(finding["start"]["line"].to_string().as_str()));
            assert!(property("title").is_some_and(|title| title.starts_with(text(finding, "rule"))));
            assert!(data.starts_with(text(finding, "message")), "{line}");
            let one_line = finding["start"]["line"] == finding["end"]["line"];
            assert_eq!(property("endColumn").is_some(), one_line);
        }
    }
}

#[test]
fn concise_is_one_line_each() {
    let out = ankus(&["check", "-q", "--format", "concise", "fixtures/broken"]).out;
    let expected = "\
fixtures/broken/workflow.xml:5:52: error[el-syntax] `)` is missing before `}`
fixtures/broken/workflow.xml:8:16: error[transition-unknown] (E0708) no node is named `fial`; did you mean `fail`?
fixtures/broken/workflow.xml:11:29: warning[el-function-unknown] there is no function `wf:errorMesage`; did you mean `wf:errorMessage`?
";
    assert_eq!(out, expected);
    let coloured = ankus(&["check", "-q", "--color", "always", "--format", "concise", "fixtures/broken"]).out;
    assert!(coloured.contains("\u{1b}[31merror[el-syntax]\u{1b}[0m"), "{coloured}");
}

#[test]
fn several_outputs_are_written_at_once_and_whole() {
    let folder = folder("several");
    let formats = ["full", "concise", "json", "jsonl", "sarif", "junit", "github", "gitlab", "checkstyle"];
    let files: Vec<String> =
        formats.iter().map(|format| format!("{format}={}", folder.join(format).display())).collect();
    let mut arguments = vec!["check", "--color", "always", "fixtures/broken"];
    arguments.extend(files.iter().flat_map(|file| ["--output", file]));
    let outcome = ankus(&arguments);
    assert_eq!((outcome.code, outcome.err.as_str()), (1, ""));
    assert!(outcome.out.contains('\u{1b}'));
    for format in formats {
        let written = std::fs::read_to_string(folder.join(format)).expect("it is there");
        assert_eq!(written, check(format, "fixtures/broken").out, "{format}");
    }
    let names = support::names_in(&folder);
    assert_eq!(names.len(), formats.len(), "{names:?}");
}

#[test]
fn an_output_that_cannot_be_written_is_told() {
    let folder = folder("unwritable");
    for (argument, words) in [
        (format!("sarif={}", folder.join("no/such/folder/x").display()), "cannot write"),
        (format!("sarif={}", folder.display()), "it is a folder"),
        ("sarif".to_owned(), "FORMAT=FILE"),
        ("sarif=".to_owned(), "names no file"),
        ("srif=x".to_owned(), "there is no format `srif`"),
    ] {
        let outcome = ankus(&["check", "fixtures/demo", "--output", &argument]);
        assert_eq!(outcome.code, 2, "{argument}");
        assert!(outcome.err.contains(words), "{argument}: {}", outcome.err);
    }
    assert!(support::names_in(&folder).is_empty());
}

#[test]
fn statistics_count_by_rule() {
    let outcome = ankus(&["check", "--statistics", "fixtures/broken"]);
    let expected = "\
1  warning  el-function-unknown
1  error    el-syntax
1  error    transition-unknown
1 file checked: 2 errors, 1 warning, 0 infos
";
    assert_eq!((outcome.code, outcome.out.as_str()), (1, expected));
    let json: Value =
        serde_json::from_str(&ankus(&["check", "--statistics", "--format", "json", "fixtures/broken"]).out)
            .expect("it is JSON");
    assert_eq!(json["summary"]["rules"]["el-syntax"], 1);
    assert_eq!(ankus(&["check", "--statistics", "--format", "sarif", "fixtures/broken"]).code, 2);
}

#[test]
fn what_fails_is_chosen() {
    let folder = folder("fail-on");
    let file = folder.join("workflow.xml");
    let warns = "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\">\n  <start to=\"end\"/>\n  \
                 <kill name=\"k\"><message>${wf:mistake()}</message></kill>\n  <end name=\"end\"/>\n</workflow-app>\n";
    std::fs::write(&file, warns).expect("written");
    let path = file.display().to_string();
    let severities: BTreeSet<String> =
        findings(&path).iter().map(|finding| text(finding, "severity").to_owned()).collect();
    assert!(severities.contains("info") && !severities.contains("error"), "{severities:?}");
    let code = |fail_on: &str| ankus(&["check", "--fail-on", fail_on, &path]).code;
    assert_eq!(code("error"), 0);
    assert_eq!(code("warning"), u8::from(severities.contains("warning")));
    assert_eq!(code("info"), 1);
}
