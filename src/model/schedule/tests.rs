//! Both notations, and what is wrong in them.

use super::*;
use crate::diag::Severity;
use crate::source::Sources;

fn read_text(notation: Notation, text: &str) -> (Vec<Schedule>, Vec<String>) {
    let mut sources = Sources::new();
    let file = sources.add("s", text);
    let (schedules, findings) = read(notation, file, text);
    let shown = findings.iter().map(|finding| {
        let severity = if finding.severity == Severity::Error { "" } else { "(warning) " };
        format!("{severity}{}: {} @ {}", finding.rule.name, finding.message, sources.slice(finding.span))
    });
    (schedules, shown.collect())
}

fn one(notation: Notation, text: &str) -> Schedule {
    let (mut schedules, findings) = read_text(notation, text);
    assert_eq!(findings, [""; 0]);
    assert_eq!(schedules.len(), 1);
    schedules.remove(0)
}

#[test]
fn both_notations_say_the_same() {
    let toml = one(
        Notation::Toml,
        r#"
        application = "Feeds"
        [[schedule]]
        name = "after"
        run = "Clean"
        trigger = { all = [{ program = "Left/B", status = "finished", key = "k", value = "v", when = "runcount < 2" }, { any = [{ cron = "0 4 * * *" }, { dataset = "clicks", partitions = 4 }] }] }
        arguments = { mode = "full" }
        map = { input = "file-path", from = { stage = "copy", key = "target.dir" }, x = { key = "x", of = "Left" } }
        concurrency = { max = 1 }
        delay = "15m"
        window = { from = "22:00", to = "06:00", zone = "Europe/Berlin" }
        since-last-run = { time = "6h", wait = true }
        "#,
    );
    let body = body(&toml).to_string();
    let mut json = one(Notation::Json, &body);
    json.id.application = "Feeds".to_owned();
    assert_eq!(super::body(&json).to_string(), body);
    assert_eq!(
        summary(&toml),
        "Feeds/Clean runs after Left/B is COMPLETED or FAILED or KILLED if `k` is `v` and `runcount < 2` and (at \
         `0 4 * * *` or after 4 new instances of clicks), one at a time, 15m later, between 22:00 and 06:00 \
         Europe/Berlin, no sooner than 6h after the last run"
    );
}

#[test]
fn what_a_trigger_leaves_out_is_that_of_the_scheduled_program() {
    let schedule = one(
        Notation::Json,
        r#"{"name":"s","namespace":"n","application":"A","applicationVersion":"2",
            "program":{"programName":"P","programType":"workflow"},
            "trigger":{"type":"PROGRAM_STATUS","statuses":["COMPLETED","COMPLETED"],
                       "program":{"programType":"WORKFLOW","programName":"Q"}}}"#,
    );
    assert_eq!(summary(&schedule), "n:A@2/P runs after n:A@2/Q is COMPLETED");
}

#[test]
fn the_released_form_is_read() {
    let schedule = one(
        Notation::Json,
        r#"{"name":"s","program":{"programName":"P","programType":"WORKFLOW"},"lastUpdateTime":1,
            "trigger":{"type":"PROGRAM_STATUS","programStatuses":["FAILED"],
                       "programId":{"namespace":"n","application":"A","version":"1","type":"Spark",
                                    "entity":"PROGRAM","program":"Q"}}}"#,
    );
    assert_eq!(summary(&schedule), "/P runs after n:A@1/Q is FAILED");
}

#[test]
fn mistakes_are_told_where_they_stand() {
    let check = |notation: Notation, text: &str, expected: &[&str]| {
        assert_eq!(read_text(notation, text).1, expected, "{text}");
    };
    let with = |trigger: &str| {
        format!(
            r#"{{"name":"s","program":{{"programName":"P","programType":"WORKFLOW"}},"trigger":{trigger}}}"#
        )
    };
    let status = |status: &str| {
        with(&format!(
            r#"{{"type":"PROGRAM_STATUS","statuses":{status},"program":{{"programType":"WORKFLOW","programName":"Q"}}}}"#
        ))
    };
    let json = Notation::Json;
    check(json, "[1]", &["schedule-invalid: `schedule` must be a table, not a number @ 1"]);
    check(
        json,
        "{",
        &["schedule-invalid: the file is not JSON: the document ends too soon: `}` is missing @ "],
    );
    check(
        json,
        "{}",
        &[
            "schedule-invalid: `schedule` has no `name` @ {",
            "schedule-invalid: `schedule` has no `program` @ {",
            "schedule-invalid: `schedule` has no `trigger` @ {",
        ],
    );
    check(
        json,
        &status("[\"FAILING\"]"),
        &["(warning) schedule-status-invalid: `FAILING` is not a status; it is read as FAILED @ FAILING"],
    );
    check(
        json,
        &status("[\"RUNNING\"]"),
        &["schedule-status-invalid: `RUNNING` is not a status that can start a program @ RUNNING"],
    );
    check(json, &status("[]"), &["schedule-status-invalid: the trigger does not name a status @ []"]);
    check(
        json,
        &with(r#"{"type":"AND","triggers":[]}"#),
        &[
            "schedule-invalid: an AND needs at least one trigger (`all` of nothing) @ {\"type\":\"AND\",\"triggers\":[]}",
        ],
    );
    check(
        json,
        &with(r#"{"type":"TIME","cronExpression":"0 4 * *"}"#),
        &[
            "schedule-invalid: a cron expression has five fields (minutes, hours, days of the month, months, days of the week), not 4 @ ",
        ],
    );
    check(
        json,
        &with(r#"{"type":"TIME","cronExpression":"0 4 * * *","key":"a"}"#),
        &["schedule-invalid: `key` needs the payload of a program, which this trigger does not have @ \"a\""],
    );
    check(json, &with(r#"{"type":"SOON"}"#), &["schedule-invalid: `SOON` is not a type of trigger @ SOON"]);
    let toml = Notation::Toml;
    let (_, findings) = read_text(toml, "a = ");
    assert!(findings[0].starts_with("schedule-invalid: the file is not TOML: "), "{findings:?}");
    check(
        toml,
        "[[schedule]]\nname='s'\nrun='A/P'\ntriger={cron='0 4 * * *'}\n",
        &[
            "schedule-invalid: `schedule` has no `trigger` @ [",
            "schedule-invalid: `schedule` does not have a key `triger` @ triger",
        ],
    );
}

#[test]
fn deep_triggers_are_read_up_to_the_limit() {
    let nested = |depth: usize| {
        let leaf = r#"{"type":"TIME","cronExpression":"0 4 * * *"}"#;
        let open = r#"{"type":"AND","triggers":["#.repeat(depth);
        let trigger = format!("{open}{leaf}{}", "]}".repeat(depth));
        format!(
            r#"{{"name":"s","program":{{"programName":"P","programType":"WORKFLOW"}},"trigger":{trigger}}}"#
        )
    };
    assert_eq!(one(Notation::Json, &nested(MAX_TRIGGER_DEPTH)).units().len(), 1);
    let (schedules, findings) = read_text(Notation::Json, &nested(MAX_TRIGGER_DEPTH + 1));
    assert_eq!((schedules.len(), findings.len()), (0, 1));
    assert!(findings[0].contains("nested more than 50 deep"), "{}", findings[0]);
}
