//! Program-status schedules: both notations through `check`, the sentences, the picture.

use crate::support::{Outcome, ankus, findings_of, folder_of, root};
use serde_json::{Value, json};

const COMMANDS: &str = "[programs]\n\"Feeds/Download\" = { command = [\"./d.sh\"] }\n\"Feeds/Clean\" = { command = [\"./c.sh\"] }\n";

/// The findings of a folder with these schedules: rule, severity and line.
fn check(name: &str, file: &str, text: &str) -> Vec<(String, String, u64)> {
    let folder = folder_of(&format!("schedules-{name}"), &[("ankus.toml", COMMANDS), (file, text)]);
    let found = findings_of(&[&folder.display().to_string()]);
    found.into_iter().map(|(_, line, rule, severity)| (rule, severity, line)).collect()
}

/// A body that starts `Clean` by this trigger.
fn body(trigger: &str) -> String {
    format!(
        "{{\"name\":\"s\",\"application\":\"Feeds\",\n\"program\":{{\"programName\":\"Clean\",\"programType\":\"COMMAND\"}},\n\
         \"trigger\":{trigger}}}"
    )
}

/// A trigger on `Download` with these statuses and more keys.
fn status(statuses: &str, more: &str) -> String {
    format!(
        "{{\"type\":\"PROGRAM_STATUS\",\"statuses\":{statuses},{more}\n\"program\":{{\"programType\":\"COMMAND\",\
         \"programName\":\"Download\"}}}}"
    )
}

fn rule(name: &str, severity: &str, line: u64) -> (String, String, u64) {
    (name.to_owned(), severity.to_owned(), line)
}

/// PSS-REST2, PSS-REST8, PSS-REST9: the body as the specification prints it, with its slips.
#[test]
fn the_documents_body_is_read_with_its_slips_as_warnings() {
    let found = findings_of(&["fixtures/schedules/document"]);
    let file = "document.schedule.json".to_owned();
    let of = |line, rule: &str| (file.clone(), line, rule.to_owned(), "warning".to_owned());
    assert_eq!(found, [of(17, "schedule-status-invalid"), of(23, "schedule-json-comma")]);
}

/// PSS-REST10: only the program and the trigger must be there, beside a name.
#[test]
fn a_short_body_is_enough() {
    assert_eq!(check("short", "a.schedule.json", &body(&status("[\"COMPLETED\"]", ""))), []);
    let found = check(
        "no-trigger",
        "a.schedule.json",
        "{\"name\":\"s\",\"program\":{\"programName\":\"P\",\"programType\":\"WORKFLOW\"}}",
    );
    assert_eq!(found, [rule("schedule-invalid", "error", 1)]);
}

/// PSS-R-FORM: the released form of the trigger.
#[test]
fn the_released_form_is_checked_as_well() {
    let trigger = "{\"type\":\"PROGRAM_STATUS\",\"programStatuses\":[\"KILLED\"],\"programId\":{\"namespace\":\"default\",\
                   \"application\":\"Feeds\",\"version\":\"-SNAPSHOT\",\"type\":\"Command\",\"entity\":\"PROGRAM\",\
                   \"program\":\"Download\"}}";
    assert_eq!(check("released", "a.schedule.json", &body(trigger)), []);
}

/// PSS-A2b, PSS-A2c: other statuses, and none.
#[test]
fn only_three_statuses_start_a_program() {
    for (index, words) in ["[\"RUNNING\"]", "[\"INITIALIZING\"]", "[\"completed\"]", "[]"].iter().enumerate()
    {
        let found = check(&format!("status-{index}"), "a.schedule.json", &body(&status(words, "")));
        assert_eq!(found, [rule("schedule-status-invalid", "error", 3)], "{words}");
    }
    let outcome =
        sentence("add program schedule s for workflow A.P after program Q type workflow status running");
    assert_eq!(outcome.code, 2);
    assert!(outcome.err.contains("`running` is not a status that can start a program"), "{}", outcome.err);
}

/// PSS-UI4, PSS-UI6: words for statuses, and several of them.
#[test]
fn people_have_words_for_statuses() {
    for (index, word) in ["\"finished\"", "[\"Successful\", \"killed\"]", "\"failed\""].iter().enumerate() {
        let text = format!(
            "application = \"Feeds\"\n[[schedule]]\nname = \"s\"\nrun = \"Clean\"\ntype = \"command\"\n\
             trigger = {{ program = \"Download\", type = \"command\", status = {word} }}\n"
        );
        assert_eq!(check(&format!("words-{index}"), "schedules.toml", &text), [], "{word}");
    }
    let outcome =
        sentence("add program schedule s for workflow A.P after program Q type workflow status finished");
    let request: Value = serde_json::from_str(&outcome.out).expect("JSON");
    assert_eq!(request["body"]["trigger"]["statuses"], json!(["COMPLETED", "FAILED", "KILLED"]));
}

/// PSS-C3: what cannot be evaluated is refused at the character, with the code of a web service.
#[test]
fn conditions_are_judged_before_anything_runs() {
    for (index, condition) in ["a < < 2", "wf:id() == 'a'", "nothing(1) == 2"].iter().enumerate() {
        let trigger = status("[\"COMPLETED\"]", &format!("\"condition\":\"{condition}\","));
        let found = check(&format!("condition-{index}"), "a.schedule.json", &body(&trigger));
        assert_eq!(found, [rule("schedule-condition-invalid", "error", 3)], "{condition}");
    }
    let folder = root().join("fixtures/rules/schedule-condition-invalid/bad-syntax").display().to_string();
    let outcome = ankus(&["check", "--format", "json", &folder]);
    let report: Value = serde_json::from_str(&outcome.out).expect("JSON");
    assert_eq!(report["findings"][0]["http"], 400);
    assert_eq!(outcome.code, 1);
}

/// PSS-C5: keys and conditions need the payload of a program.
#[test]
fn conditions_on_other_triggers_are_refused() {
    let time = "{\"type\":\"TIME\",\"cronExpression\":\"0 4 * * *\",\"condition\":\"a < 2\"}";
    assert_eq!(
        check("time-condition", "a.schedule.json", &body(time)),
        [rule("schedule-invalid", "error", 3)]
    );
    let partition =
        "{\"type\":\"PARTITION\",\"dataset\":{\"dataset\":\"d\"},\"numPartitions\":1,\"key\":\"a\"}";
    assert_eq!(
        check("part-condition", "a.schedule.json", &body(partition)),
        [rule("schedule-invalid", "error", 3)]
    );
}

/// PSS-UI5: the three kinds of trigger beside each other.
#[test]
fn three_kinds_of_trigger_are_offered() {
    let text = "application = \"Feeds\"\n[[schedule]]\nname = \"s\"\nrun = \"Clean\"\ntype = \"COMMAND\"\n\
                trigger = { any = [{ program = \"Download\", type = \"COMMAND\", status = \"KILLED\" }, \
                { cron = \"*/5 * * * *\" }, { dataset = \"clicks\", partitions = 4 }] }\n";
    assert_eq!(check("kinds", "schedules.toml", text), []);
}

/// PSS-R-CON3, PSS-A3: constraints that cannot be, and all of them together.
#[test]
fn constraints_are_judged() {
    let with = |constraint: &str| {
        body(&status("[\"COMPLETED\"]", "")).replacen('{', &format!("{{\"constraints\":[{constraint}],\n"), 1)
    };
    let faults = [
        "{\"type\":\"CONCURRENCY\",\"maxConcurrency\":0}",
        "{\"type\":\"DELAY\",\"millisAfterTrigger\":-1}",
        "{\"type\":\"LAST_RUN\",\"millisSinceLastRun\":1.5}",
        "{\"type\":\"TIME_RANGE\",\"startTime\":\"9:00\",\"endTime\":\"10:00\",\"timeZone\":\"UTC\"}",
        "{\"type\":\"TIME_RANGE\",\"startTime\":\"09:00\",\"endTime\":\"09:00\",\"timeZone\":\"UTC\"}",
        "{\"type\":\"TIME_RANGE\",\"startTime\":\"09:00\",\"endTime\":\"10:00\",\"timeZone\":\"Mars/North\"}",
    ];
    for (index, fault) in faults.iter().enumerate() {
        let found = check(&format!("constraint-{index}"), "a.schedule.json", &with(fault));
        assert_eq!(found, [rule("schedule-constraint-invalid", "error", 1)], "{fault}");
    }
    let unknown = check("constraint-kind", "a.schedule.json", &with("{\"type\":\"SPEED\"}"));
    assert_eq!(unknown, [rule("schedule-invalid", "error", 1)]);
    let all = "{\"type\":\"CONCURRENCY\",\"maxConcurrency\":1},{\"type\":\"DELAY\",\"millisAfterTrigger\":1000},\
               {\"type\":\"TIME_RANGE\",\"startTime\":\"22:00\",\"endTime\":\"23:00\",\"timeZone\":\"Europe/Berlin\"},\
               {\"type\":\"LAST_RUN\",\"millisSinceLastRun\":1000,\"waitUntilMet\":true}";
    assert_eq!(check("constraint-all", "a.schedule.json", &with(all)), []);
}

/// PSS-R-RANGE3, PSS-SEC2, PSS-V1, PSS-V2, PSS-V4, PSS-V5, PSS-V6, PSS-V7, PSS-PL2, PSS-M5: each has its rule, and each rule
/// its fixtures.
#[test]
fn every_statement_about_check_has_its_rule() {
    let rules = [
        ("schedule-time-zone/bad-none", "info"),
        ("schedule-cross-namespace/bad-other", "info"),
        ("schedule-cycle/bad-two", "error"),
        ("schedule-cycle/bad-slow", "warning"),
        ("schedule-program-unknown/bad-misspelt", "error"),
        ("schedule-key-unknown/bad-not-emitted", "error"),
        ("schedule-key-unknown/bad-not-captured", "warning"),
        ("schedule-condition-never/bad-false", "error"),
        ("schedule-constraint-conflict/bad-delay", "error"),
        ("schedule-mapping-invalid/bad-no-json", "error"),
        ("schedule-program-ambiguous/bad-two", "error"),
    ];
    for (fixture, severity) in rules {
        let found = findings_of(&[&format!("fixtures/rules/{fixture}")]);
        let name = fixture.split('/').next().expect("a rule");
        let fits = |(_, _, rule, found): &(String, u64, String, String)| rule == name && found == severity;
        assert!(found.iter().any(fits), "{fixture}: {found:?}");
    }
}

/// PSS-REST6: a name may be used in another application, version or namespace.
#[test]
fn names_belong_to_applications() {
    let one = |more: &str| {
        format!(
            "[[schedule]]\nname = \"fork\"\nrun = \"{more}\"\ntype = \"COMMAND\"\ntrigger = {{ cron = \"0 4 * * *\" }}\n"
        )
    };
    let programs = "[programs]\n\"L/P\" = { command = [\"p\"] }\n\"R/P\" = { command = [\"p\"] }\n\
                    \"L@2/P\" = { command = [\"p\"] }\n\"n:L/P\" = { command = [\"p\"] }\n";
    let text = ["L/P", "R/P", "L@2/P", "n:L/P"].map(one).concat();
    let folder = folder_of("schedules-names", &[("ankus.toml", programs), ("schedules.toml", &text)]);
    assert_eq!(findings_of(&[&folder.display().to_string()]), []);
    let folder = folder_of(
        "schedules-twice",
        &[("ankus.toml", programs), ("a.schedules.toml", &one("L/P")), ("b.schedules.toml", &one("L/P"))],
    );
    let found = findings_of(&[&folder.display().to_string()]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].2, "schedule-duplicate");
}

/// PSS-E2: the file, line and column of a mistake in both notations, also within the mapping's own JSON.
#[test]
fn mistakes_have_their_places() {
    let mapping = "\"properties\":{\"triggering.properties.mapping\":\"{\\\"arguments\\\":[{\\\"target\\\":\\\"a\\\"}]}\"},\n";
    let text = body(&status("[\"COMPLETED\"]", "")).replacen('{', &format!("{{{mapping}"), 1);
    let folder = folder_of("schedules-places", &[("ankus.toml", COMMANDS), ("a.schedule.json", &text)]);
    let outcome = ankus(&["check", "--format", "json", &folder.display().to_string()]);
    let report: Value = serde_json::from_str(&outcome.out).expect("JSON");
    let start = &report["findings"][0]["start"];
    assert_eq!((start["line"].as_u64(), start["column"].as_u64()), (Some(1), Some(65)), "{}", outcome.out);
}

/// Schedules of a secret are shown without it.
#[test]
fn secrets_of_schedules_are_hidden() {
    let text = "application = \"Feeds\"\n[[schedule]]\nname = \"s\"\nrun = \"Claen\"\ntype = \"COMMAND\"\n\
                arguments = { password = \"hunter22\" }\nmapp = { a = \"hunter22\" }\ntrigger = { cron = \"0 4 * * *\" }\n";
    let folder = folder_of("schedules-secret", &[("ankus.toml", COMMANDS), ("schedules.toml", text)]);
    let outcome = ankus(&["check", &folder.display().to_string()]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.out.contains("mapp"), "{}", outcome.out);
}

fn sentence(text: &str) -> Outcome {
    ankus(&["schedule", "--show-request", text])
}

fn request(text: &str) -> Value {
    let outcome = sentence(text);
    assert_eq!(outcome.code, 0, "{text}: {}", outcome.err);
    serde_json::from_str(&outcome.out).expect("JSON")
}

/// PSS-CLI1, PSS-REST12, PSS-API5, PSS-CLI4: the plain sentence; what it leaves out of the triggering program is that of the
/// scheduled one.
#[test]
fn a_sentence_becomes_the_documents_request() {
    let expected = json!({
        "method": "PUT",
        "path": "/v3/namespaces/default/apps/Feeds/versions/-SNAPSHOT/schedules/after",
        "body": {
            "name": "after",
            "description": "",
            "program": { "programName": "Clean", "programType": "WORKFLOW" },
            "properties": {},
            "constraints": [],
            "trigger": {
                "type": "PROGRAM_STATUS",
                "statuses": ["COMPLETED"],
                "program": {
                    "namespace": "default",
                    "application": "Feeds",
                    "applicationVersion": "-SNAPSHOT",
                    "programType": "WORKFLOW",
                    "programName": "Download",
                },
            },
        },
    });
    let text = "add program schedule after for workflow Feeds.Clean after program Download type workflow status completed";
    assert_eq!(request(text), expected);
    // As a shell hands it over, with the option behind it.
    let mut words = vec!["schedule"];
    words.extend(text.split(' '));
    words.push("--show-request");
    let outcome = ankus(&words);
    assert_eq!(serde_json::from_str::<Value>(&outcome.out).expect("JSON"), expected);
}

/// PSS-CLI2, PSS-CLI3, PSS-CLI6, PSS-CLI7, PSS-CLI8, PSS-CLI10, PSS-API2: every optional part, in any case.
#[test]
fn every_part_of_a_sentence_is_understood() {
    let found = request(
        "ADD Program Schedule Feeds.after FOR WorkFlow Feeds.Clean version 2 description \"runs \\\"after\\\"\" AFTER program \
         Down.load TYPE spark STATUS completed OR Failed or KILLED concurrency 3 version 1 properties \"a=1 b=2\" \
         application Left namespace ops",
    );
    assert_eq!(found["path"], "/v3/namespaces/default/apps/Feeds/versions/2/schedules/after");
    let body = &found["body"];
    assert_eq!(body["description"], "runs \"after\"");
    assert_eq!(body["properties"], json!({ "a": "1", "b": "2" }));
    assert_eq!(
        body["constraints"],
        json!([{ "type": "CONCURRENCY", "maxConcurrency": 3, "waitUntilMet": false }])
    );
    assert_eq!(body["trigger"]["statuses"], json!(["COMPLETED", "FAILED", "KILLED"]));
    let program = json!({
        "namespace": "ops", "application": "Left", "applicationVersion": "1", "programType": "SPARK", "programName": "Down.load"
    });
    assert_eq!(body["trigger"]["program"], program);
    let with = |properties: &str| {
        let text =
            format!("add time schedule s for workflow A.P at \"0 4 * * *\" properties \"{properties}\"");
        request(&text)["body"]["properties"].clone()
    };
    assert_eq!(with("a=\\\"x y\\\" b=2"), json!({ "a": "x y", "b": "2" }));
    assert_eq!(with("{\\\"a\\\":\\\"x y\\\"}"), json!({ "a": "x y" }));
}

/// PSS-API3, PSS-API4: application alone, and neither.
#[test]
fn what_a_sentence_leaves_out_is_filled_in() {
    let program = |more: &str| {
        let text = format!(
            "add program schedule s for workflow A.P version 7 after program Q type workflow status killed {more}"
        );
        request(text.trim())["body"]["trigger"]["program"].clone()
    };
    assert_eq!(program("application B")["applicationVersion"], "7");
    assert_eq!(program("application B")["application"], "B");
    assert_eq!(program("")["application"], "A");
    assert_eq!(program("namespace n")["namespace"], "n");
}

/// PSS-CLI5, PSS-REST13, PSS-R-CLI1: the other sentences.
#[test]
fn other_sentences_become_their_requests() {
    let path = "/v3/namespaces/default/apps/A/versions/-SNAPSHOT";
    let check = |text: &str, method: &str, rest: &str| {
        let found = request(text);
        assert_eq!(
            (found["method"].as_str(), found["path"].as_str()),
            (Some(method), Some(&*format!("{path}{rest}"))),
            "{text}"
        );
    };
    check(
        "update program schedule s for workflow A.P after program Q type workflow status failed",
        "POST",
        "/schedules/s/update",
    );
    check("add time schedule s for workflow A.P at \"0 4 * * *\"", "PUT", "/schedules/s");
    check(
        "update time schedule s for workflow A.P at \"0 4 * * *\" concurrency 1",
        "POST",
        "/schedules/s/update",
    );
    check("delete schedule A.s", "DELETE", "/schedules/s");
    for verb in ["suspend", "resume", "enable", "disable"] {
        check(&format!("{verb} schedule A.s"), "POST", &format!("/schedules/s/{verb}"));
    }
    check("get schedule status A.s", "GET", "/schedules/s/status");
    check("get workflow schedules A.P", "GET", "/workflows/P/schedules");
    check("delete schedule \"A.a b/..\"", "DELETE", "/schedules/a%20b%2F..");
}

/// PSS-CLI9: what is no sentence is refused with its place and what was expected there.
#[test]
fn what_is_no_sentence_is_refused_with_its_place() {
    let check = |text: &str, message: &str, column: usize| {
        let outcome = sentence(text);
        assert_eq!(outcome.code, 2, "{text}");
        assert!(outcome.err.contains(message), "{text}: {}", outcome.err);
        let marker = outcome.err.lines().last().unwrap_or_default();
        assert_eq!(marker, format!("  {}^", " ".repeat(column)), "{text}: {}", outcome.err);
    };
    check("delete schedul A.s", "`schedule` is expected", 7);
    check("add program schedule x", "the sentence ends too soon: `for` is expected", 22);
    check(
        "add program schedule x for wrkflow A.P after program Q type workflow status failed",
        "`wrkflow` is not a type of program; did you mean `WORKFLOW`?",
        27,
    );
    check(
        "add program schedule x for workflow P after program Q type workflow status failed",
        "which application `P` belongs to",
        36,
    );
    check("add time schedule x for workflow A.P at \"0 4 * *\"", "five fields", 40);
    check(
        "add time schedule x for workflow A.P at \"0 4 * * *\" concurrency none",
        "whole number of at least 1",
        60,
    );
}

/// PSS-V8: programs as boxes, schedules as edges, loops marked.
#[test]
fn schedules_are_drawn() {
    let dot = ankus(&["graph", "fixtures/schedules/feeds/schedules.toml", "--format", "dot"]);
    assert_eq!(dot.code, 0, "{}", dot.err);
    for part in ["Feeds/Download", "Feeds/Clean", "clean-after-download", "*/5 * * * *"] {
        assert!(dot.out.contains(part), "{part}: {}", dot.out);
    }
    assert!(!dot.out.contains("a loop"), "the retry is bounded: {}", dot.out);
    let svg = ankus(&["graph", "fixtures/rules/schedule-cycle/bad-two/schedules.toml"]);
    assert!(svg.out.contains("a loop"), "{}", svg.out);
}

/// The example of the tutorial is without findings but for the parameter that its schedule gives.
#[test]
fn the_tutorial_holds() {
    let page = std::fs::read_to_string(root().join("docs/schedules.md")).expect("the page");
    for file in ["ankus.toml", "schedules.toml"] {
        let text =
            std::fs::read_to_string(root().join("fixtures/schedules/feeds").join(file)).expect("the file");
        assert!(page.contains(&text), "docs/schedules.md does not show {file}");
    }
    let found = findings_of(&["fixtures/schedules/feeds"]);
    assert!(
        found.iter().all(|(_, _, rule, severity)| rule == "parameter-undefined" && severity == "info"),
        "{found:?}"
    );
    assert_eq!(findings_of(&["fixtures/schedules/feeds/schedules.toml"]), []);
}

/// What the program takes, the JSON Schemas of both notations take.
#[test]
fn schemas_describe_both_notations() {
    let judge = |name: &str, value: &Value| crate::json_schemas::validator(name).is_valid(value);
    let text =
        std::fs::read_to_string(root().join("fixtures/schedules/feeds/schedules.toml")).expect("the file");
    let table = serde_json::to_value(toml::from_str::<toml::Table>(&text).expect("TOML")).expect("JSON");
    assert!(judge("schedules", &table));
    let found = request(
        "add program schedule s for workflow A.P after program Q type workflow status failed concurrency 1",
    );
    assert!(judge("schedule", &found["body"]));
    let mut wrong = found["body"].clone();
    wrong["trigger"]["statuses"] = json!(["RUNNING"]);
    assert!(!judge("schedule", &wrong));
    let wrong = json!({ "schedule": [{ "name": "s", "run": "A/P", "triger": { "cron": "0 4 * * *" } }] });
    assert!(!judge("schedules", &wrong));
}
