//! `ankus next`, `ankus timezones` and `ankus convert`.

use crate::support::{ankus, ankus_with_input};
use serde_json::{Value, json};

fn json_of(arguments: &[&str]) -> (u8, Value) {
    let outcome = ankus(arguments);
    (outcome.code, serde_json::from_str(&outcome.out).expect("an answer in JSON"))
}

#[test]
fn next_gives_occurrences_from_the_start_on() {
    let arguments =
        ["next", "0 10 * * *", "--start", "2024-01-01T10:00Z", "--count", "2", "--format", "json"];
    let expected = json!({"version": 1, "frequency": "0 10 * * *", "timezone": "UTC",
        "occurrences": ["2024-01-01T10:00Z", "2024-01-02T10:00Z"], "exhausted": false});
    assert_eq!(json_of(&arguments), (0, expected));
}

#[test]
fn next_says_what_is_wrong_and_where() {
    let (code, answer) = json_of(&["next", "0 25 * * *", "--start", "2024-01-01T10:00Z", "--format", "json"]);
    assert_eq!(
        (code, &answer["error"]["rule"], &answer["error"]["offset"]),
        (1, &json!("cron-invalid"), &json!(2))
    );
    let text = ankus(&["next", "0 25 * * *", "--start", "2024-01-01T10:00Z"]);
    assert_eq!(text.out, "error[cron-invalid]: hours are 0 to 23, `*`\n  0 25 * * *\n    ^\n");
    for (frequency, rule) in [
        ("0 0 0W * ?", "cron-never-fires"),
        ("* * * *", "cron-field-count"),
        ("0", "coordinator-too-frequent"),
        ("${coord:days(0)}", "el-arguments"),
        ("${coord:years(1)}", "el-function-unknown"),
        ("${coord:days}", "el-syntax"),
    ] {
        let (code, answer) =
            json_of(&["next", frequency, "--start", "2024-01-01T10:00Z", "--format", "json"]);
        assert_eq!((code, answer["error"]["rule"].as_str()), (1, Some(rule)), "{frequency}");
    }
}

#[test]
fn next_steps_through_the_calendar_of_the_zone() {
    let outcome = ankus(&[
        "next",
        "${coord:endOfMonths(1)}",
        "--start",
        "2024-01-31T10:00Z",
        "--timezone",
        "America/New_York",
        "--end",
        "2024-04-01T04:00Z",
    ]);
    assert_eq!(
        outcome.out,
        "2024-02-01T05:00Z  2024-02-01T00:00-05:00\n2024-03-01T05:00Z  2024-03-01T00:00-05:00\n"
    );
}

#[test]
fn next_answers_a_batch_line_by_line() {
    let requests = [
        r#"{"frequency":"*/30 * * * *","start":"2024-01-01T00:01Z","end":"2024-01-01T01:00Z"}"#,
        r#"{"frequency":"60","start":"2024-01-01T00:00Z","timezone":"Mars"}"#,
        r#"{"frequency":"60","start":"9999-12-31T23:30Z","count":2}"#,
        r#"{"frequency":"60","start":"2024-01-01T00:00Z","count":99999999}"#,
        "[",
        r#"{"frequency":"0 0 30 2 ?","start":"2024-01-01T00:00Z"}"#,
    ];
    let outcome = ankus_with_input(&["next", "--batch", "--format", "json"], &requests.join("\n"));
    let answers: Vec<Value> = outcome.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((outcome.code, answers.len()), (1, requests.len()));
    assert_eq!(answers[0]["occurrences"], json!(["2024-01-01T00:30Z"]));
    assert_eq!(answers[1]["error"]["rule"], json!("timezone-unknown"));
    assert_eq!(answers[2]["occurrences"], json!(["9999-12-31T23:30Z", "10000-01-01T00:30Z"]));
    assert_eq!(answers[3]["error"]["rule"], json!("request-invalid"));
    assert_eq!(answers[4]["error"]["rule"], json!("request-invalid"));
    assert_eq!((&answers[5]["occurrences"], &answers[5]["exhausted"]), (&json!([]), &json!(true)));
}

#[test]
fn timezones_name_their_release_and_what_differs() {
    let (code, answer) = json_of(&["timezones", "Tehran", "--now", "2024-07-01T00:00Z", "--format", "json"]);
    assert_eq!((code, &answer["release"]), (0, &json!("2025b")));
    assert_eq!(answer["zones"][0]["offset"], json!("+03:30"));
    assert_eq!(answer["differences"][0]["id"], json!("Asia/Tehran"));
    let text = ankus(&["timezones", "los_angeles", "--now", "2024-07-01T00:00Z"]).out;
    assert_eq!(text.lines().nth(1), Some("America/Los_Angeles               -07:00     daylight saving now"));
}

#[test]
fn convert_tells_gaps_and_overlaps() {
    let outcome = ankus(&["convert", "2024-03-10T10:30Z", "--to", "America/Los_Angeles"]);
    assert_eq!(
        outcome.out,
        "UTC                  2024-03-10T10:30+00:00\nAmerica/Los_Angeles  2024-03-10T03:30-07:00 DST\n"
    );
    let convert =
        |datetime| json_of(&["convert", datetime, "--from", "America/Los_Angeles", "--format", "json"]).1;
    let gap = convert("2024-03-10T02:30");
    assert_eq!((&gap["instant"], &gap["gap"]), (&json!("2024-03-10T10:30Z"), &json!(true)));
    let overlap = convert("2024-11-03T01:30");
    assert_eq!(overlap["overlap"], json!(["2024-11-03T08:30Z", "2024-11-03T09:30Z"]));
    for wrong in [
        &["convert", "2024-03-10T10:30Z", "--from", "America/Los_Angeles"][..],
        &["convert", "2024-03-10", "--from", "UTC"],
        &["convert", "2024-03-10T10:30Z", "--to", "America/Los_Angles"],
    ] {
        assert_eq!(ankus(wrong).code, 2);
    }
}
