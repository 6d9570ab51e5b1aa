//! What the commands say when a question makes little sense: never nothing.

use crate::support::{ankus, ankus_with_input, folder_of};

const WORKFLOW: &str =
    r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5"><start to="e"/><end name="e"/></workflow-app>"#;

#[test]
fn options_without_effect_on_a_workflow_are_told() {
    let folder = folder_of("words-workflow", &[("workflow.xml", WORKFLOW), ("there.txt", "")]);
    let (app, there) = (folder.join("workflow.xml").display().to_string(), folder.join("there.txt"));
    let there = there.display().to_string();
    let arguments = ["plan", &app, "--present", &there, "--from", "2024-01-01T00:00Z", "--next", "2"];
    let outcome = ankus(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    for option in ["--present", "--from", "--next"] {
        assert!(outcome.err.contains(&format!("`{option}` has no effect")), "{}", outcome.err);
    }
    assert!(!outcome.err.contains("--to"), "{}", outcome.err);
    let quiet = ankus(&[&arguments[..], &["-q"]].concat());
    assert_eq!((quiet.code, quiet.err.as_str(), quiet.out), (0, "", outcome.out));
}

#[test]
fn an_empty_range_is_told() {
    let check = |arguments: &[&str], expected: &str| {
        let outcome = ankus(&[&["plan", "fixtures/demo"], arguments].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.err);
        assert!(outcome.err.contains(expected), "{arguments:?}: {}", outcome.err);
    };
    check(&["--next", "0"], "`--next 0`");
    check(&["--from", "2024-03-12T00:00Z", "--to", "2024-03-09T00:00Z"], "`--from` is not before `--to`");
    check(&["--from", "2030-01-01T00:00Z"], "no action lies in the range");
    assert!(!ankus(&["plan", "fixtures/demo", "--next", "1"]).err.contains("no action"));
}

#[test]
fn unknown_keys_of_a_context_are_refused_with_their_place() {
    let folder = folder_of(
        "words-context",
        &[
            ("a.json", "{\n  \"action\": []\n}"),
            ("b.json", "{\"job\":{\"nam\":\"x\"}}"),
            ("c.json", "{\"conf\":{}}"),
        ],
    );
    let run = |name: &str| {
        let file = folder.join(name).display().to_string();
        ankus(&["eval", "${1}", "--context", &file])
    };
    let outcome = run("a.json");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.err.contains("line 2, column 10: unknown key `action`; did you mean `actions`?"),
        "{}",
        outcome.err
    );
    assert!(run("b.json").err.contains("unknown key `nam`; did you mean `name`?"));
    assert_eq!(run("c.json").code, 0);
}

#[test]
fn requests_of_a_batch_are_refused_in_plain_words() {
    let lines = "{\"expr\":\"${1}\",\"phas\":\"workflow\"}\n[\"${1}\"]\n{\"expr\":5}\n{\"expr\":\"${2}\"}\n";
    let answers = ankus_with_input(&["eval", "--batch"], lines).out;
    let expected =
        ["unknown key `phas`; did you mean `phase`?", "an object is expected", "the number 5 stands"];
    for (answer, words) in answers.lines().zip(expected) {
        assert!(answer.contains(words) && answer.contains("request-invalid"), "{answer}");
    }
    assert!(answers.lines().last().is_some_and(|line| line.contains("\"value\":\"2\"")), "{answers}");
    let answer = ankus_with_input(&["next", "--batch"], "{\"frequency\":\"10\",\"count\":\"x\"}\n").out;
    assert!(answer.contains("where a whole number is expected"), "{answer}");
}

#[test]
fn a_zone_that_is_not_there_is_told() {
    let outcome = ankus(&["timezones", "zzz"]);
    assert_eq!((outcome.code, outcome.out.as_str()), (1, ""));
    assert!(outcome.err.contains("`zzz`"), "{}", outcome.err);
    let near = ankus(&["timezones", "Europe/Berlni"]);
    assert!(near.err.contains("did you mean `Europe/Berlin`?"), "{}", near.err);
    let json = ankus(&["timezones", "zzz", "--format", "json"]);
    assert_eq!(json.code, 1);
    assert!(json.out.contains("\"zones\":[]"), "{}", json.out);
    assert_eq!(ankus(&["timezones", "Berlin"]).code, 0);
}

/// Oozie reads definitions as UTF-8 and goes on, so the plan does as well.
#[test]
fn a_workflow_in_latin_1_is_planned_with_a_warning() {
    let folder = folder_of("words-latin", &[]);
    let file = folder.join("workflow.xml");
    let text = WORKFLOW.replace("name=\"w\"", "name=\"caf\u{FFFD}\"");
    let mut bytes = b"<?xml version='1.0' encoding='ISO-8859-1'?>\n".to_vec();
    for part in text.split_inclusive('\u{FFFD}') {
        bytes.extend(part.trim_end_matches('\u{FFFD}').as_bytes());
        bytes.extend(part.ends_with('\u{FFFD}').then_some(0xE9));
    }
    std::fs::write(&file, bytes).expect("it is written");
    let path = file.display().to_string();
    let outcome = ankus(&["check", &path]);
    assert_eq!(outcome.code, 0, "{}", outcome.out);
    assert!(outcome.out.contains("warning[xml-encoding]"), "{}", outcome.out);
    assert!(outcome.out.contains("does not obey the declared `ISO-8859-1`"), "{}", outcome.out);
    let plan = ankus(&["plan", &path]);
    assert_eq!(plan.code, 0, "{}", plan.out);
    assert!(plan.out.contains("caf\u{FFFD}"), "{}", plan.out);
}

#[test]
fn words_of_other_tools_lead_to_the_command() {
    let check = |arguments: &[&str], expected: &str| {
        let outcome = ankus(arguments);
        assert_eq!(outcome.code, 2, "{arguments:?}");
        assert!(outcome.err.contains(expected), "{arguments:?}: {}", outcome.err);
    };
    check(&["kill", "1-W"], "use `ankus job ID kill`");
    check(&["job", "-info", "1-W"], "use `ankus job ID info`");
    check(&["dryrun", "fixtures/demo"], "use `ankus plan APP`");
    let expected = ankus(&["check", "fixtures/broken"]);
    for word in ["lint", "validate"] {
        let outcome = ankus(&[word, "fixtures/broken"]);
        assert_eq!((outcome.code, outcome.out), (expected.code, expected.out.clone()), "{word}");
    }
    let help = ankus(&["help", "check"]);
    assert!(help.code == 0 && help.out.contains("Examples:"), "{}", help.out);
    for heading in ["Files and rules:", "Output:", "Fixes:", "Options of every command:"] {
        assert!(help.out.contains(heading), "{heading} is missing: {}", help.out);
    }
}

#[test]
fn a_configuration_that_is_given_as_parameters_is_reported() {
    let outcome = ankus(&["check", "fixtures/demo", "-c", "ankus.toml"]);
    assert!(outcome.code == 2 && outcome.err.contains("`--config ankus.toml`"), "{}", outcome.err);
}

#[test]
fn a_date_is_its_midnight() {
    let plan = |from: &str, to: &str| {
        let outcome = ankus(&["plan", "fixtures/demo", "--from", from, "--to", to, "--format", "json"]);
        assert_eq!(outcome.code, 0, "{}", outcome.err);
        outcome.out
    };
    assert_eq!(plan("2024-03-10", "2024-03-12"), plan("2024-03-10T00:00Z", "2024-03-12T00:00Z"));
    let next = ankus(&["next", "0 10 * * *", "--start", "2024-01-01", "--end", "2024-01-02"]);
    assert_eq!(next.out, "2024-01-01T10:00Z\n");
    let wrong = ankus(&["plan", "fixtures/demo", "--from", "2024-02-30"]);
    assert!(wrong.code == 2 && wrong.err.contains("`--from 2024-02-30` is not a datetime"), "{}", wrong.err);
}

#[test]
fn manual_pages_have_the_usual_sections() {
    let folder = folder_of("words-man", &[]);
    let path = folder.display().to_string();
    assert_eq!(ankus(&["man", &path]).code, 0);
    for (page, example) in [("ankus.1", "ankus check"), ("ankus-job.1", "ankus job 1\\-W info")] {
        let text = std::fs::read_to_string(folder.join(page)).expect("a page");
        for section in ["EXIT STATUS", "ENVIRONMENT", "EXAMPLES", example] {
            assert!(text.contains(section), "{page} lacks {section}: {text}");
        }
    }
}

#[test]
fn a_request_without_an_end_is_passed_over() {
    let endless = "x".repeat((16 << 20) + 2);
    for (command, request, answered) in [
        ("eval", "{\"expr\":\"${2}\"}", "\"value\":\"2\""),
        ("next", "{\"frequency\":\"10\",\"start\":\"2024-01-01T00:00Z\",\"count\":1}", "2024-01-01T00:00Z"),
    ] {
        let out = ankus_with_input(&[command, "--batch"], &format!("{endless}\n{request}\n")).out;
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), 2, "{out}");
        assert!(lines[0].contains("the request is longer than 16 MiB"), "{out}");
        assert!(lines[1].contains(answered), "{out}");
        let cut = ankus_with_input(&[command, "--batch"], &endless).out;
        assert!(cut.lines().count() == 1 && cut.contains("longer than 16 MiB"), "{cut}");
    }
}

/// The program is given a stream that goes on until it stops reading.
#[test]
#[cfg(unix)]
fn a_request_that_never_ends_ends_the_work() {
    for command in ["eval", "next"] {
        let input = std::fs::File::open("/dev/zero").expect("zeros");
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_ankus"))
            .args([command, "--batch"])
            .stdin(input)
            .output()
            .expect("the program starts");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{out}{err}");
        assert!(out.lines().count() == 1 && out.contains("longer than 16 MiB"), "{out}");
        assert!(err.contains("no line feed within 272 MiB; the rest is not read"), "{err}");
    }
}
