//! Coordinators that nobody means well: every one ends in bounded time, with a finding or with a bounded plan.

use crate::support::coordinator::{app_xml, take};
use ankus::diag::Diagnostic;
use ankus::plan::coordinator::{Action, PlanOptions, Settings, Submitted};

const DAILY: &str =
    r#"frequency="${coord:days(1)}" start="2024-01-01T00:00Z" end="2024-01-03T00:00Z" timezone="UTC""#;

fn events(dataset: &str, instances: &str) -> String {
    format!(
        r#"<datasets><dataset name="a" {dataset}><uri-template>hdfs://nn/${{YEAR}}/${{MONTH}}</uri-template></dataset>
        </datasets><input-events><data-in name="i" dataset="a">{instances}</data-in></input-events>"#
    )
}

const MINUTELY: &str = r#"frequency="1" initial-instance="1970-01-01T00:00Z" timezone="UTC""#;

fn submitted(text: &str, properties: &[(&str, &str)], files: &[(&str, &str)]) -> Submitted {
    let taken = take(text, properties, files, &Settings::default());
    taken.unwrap_or_else(|findings| panic!("{findings:?}")).submitted
}

/// The names of all findings of a submission.
fn refusals(text: &str, properties: &[(&str, &str)], files: &[(&str, &str)]) -> Vec<&'static str> {
    submitted(text, properties, files).findings.iter().map(|finding| finding.rule.name).collect()
}

/// At most ten actions and what ends the plan.
fn plan(text: &str) -> (Vec<Action>, Option<Diagnostic>) {
    let submitted = submitted(text, &[], &[]);
    let job = submitted.job.unwrap_or_else(|| panic!("{:?}", submitted.findings));
    let mut actions = Vec::new();
    for action in job.actions(PlanOptions::default()).take(10) {
        match action {
            Ok(action) => actions.push(action),
            Err(finding) => return (actions, Some(finding)),
        }
    }
    (actions, None)
}

fn ends_with(text: &str, rule: &str) {
    let (_, finding) = plan(text);
    assert_eq!(finding.map(|finding| finding.rule.name), Some(rule), "{text}");
}

#[test]
fn ranges_without_end_are_refused() {
    let range = |start: &str, end: &str| {
        let instances = format!("<start-instance>{start}</start-instance><end-instance>{end}</end-instance>");
        app_xml(DAILY, &events(MINUTELY, &instances), "")
    };
    let single =
        |instance: &str| app_xml(DAILY, &events(MINUTELY, &format!("<instance>{instance}</instance>")), "");
    ends_with(&range("${coord:current(-20000000)}", "${coord:current(0)}"), "instance-too-many");
    ends_with(&range("${coord:current(0)}", "${coord:current(1000000000)}"), "instance-too-many");
    ends_with(&range("${coord:current(0)}", "${coord:current(2147483647)}"), "instance-too-many");
    ends_with(&range("${coord:offset(-100,'YEAR')}", "${coord:offset(0,'YEAR')}"), "instance-too-many");
    ends_with(&range("${coord:absolute('1970-01-01T00:00Z')}", "${coord:current(0)}"), "instance-too-many");
    ends_with(&single("${coord:current(1/0)}"), "instance-too-many");
    ends_with(&single("${coord:currentRange(-2147483648, 2147483647)}"), "instance-too-many");
    // Nothing before the initial instance is kept, however far a range reaches.
    let (actions, finding) = plan(&range("${coord:current(-1000000000)}", "${coord:current(-999999999)}"));
    assert!(finding.is_none() && actions.iter().all(|action| action.inputs[0].uris.is_empty()));
}

#[test]
fn times_at_the_end_of_the_calendar_are_bounded() {
    let attributes =
        r#"frequency="${coord:months(1)}" start="9999-01-01T00:00Z" end="9999-12-31T00:00Z" timezone="UTC""#;
    for instance in ["${coord:current(0)}", "${coord:offset(-1,'DAY')}", "${coord:current(2000000000)}"] {
        for dataset in [
            MINUTELY,
            r#"frequency="${coord:days(1)}" initial-instance="1970-01-01T00:00Z" timezone="America/New_York""#,
            r#"frequency="${coord:months(1)}" initial-instance="1970-01-31T00:00Z" timezone="America/New_York""#,
        ] {
            let text = app_xml(attributes, &events(dataset, &format!("<instance>{instance}</instance>")), "");
            let _ = plan(&text);
        }
    }
    let far = r#"frequency="${coord:days(1)}" start="2024-01-01T00:00Z" end="99999999-01-01T00:00Z" timezone="UTC""#;
    assert_eq!(plan(&app_xml(far, "", "")).0.len(), 10);
}

#[test]
fn frequencies_that_never_advance_are_refused() {
    let with = |frequency: &str| app_xml(&DAILY.replace("${coord:days(1)}", frequency), "", "");
    for frequency in ["0", "-5", "4", "${coord:minutes(1)}"] {
        assert_eq!(refusals(&with(frequency), &[], &[]), ["coordinator-too-frequent"], "{frequency}");
    }
    for frequency in ["${coord:days(0)}", "${coord:months(-1)}"] {
        assert_eq!(refusals(&with(frequency), &[], &[]), ["el-arguments"], "{frequency}");
    }
    // Text before the function: minus one day, which a server takes.
    let (actions, finding) = plan(&with("-${coord:days(1)}"));
    assert_eq!((actions.len(), finding.map(|f| f.rule.name)), (1, Some("time-out-of-range")));
    let (actions, finding) = plan(&with("${coord:months(2147483647)}"));
    assert!(actions.len() <= 2, "{} {finding:?}", actions.len());
}

#[test]
fn parameters_and_files_that_refer_to_themselves_are_refused() {
    let text = app_xml(DAILY, "", "<property><name>x</name><value>${a}</value></property>");
    assert_eq!(refusals(&text, &[("a", "${b}"), ("b", "${a}")], &[]), ["property-cycle"]);
    let include = "<datasets><include>hdfs://nn/x.xml</include></datasets>";
    let text = app_xml(DAILY, include, "");
    let itself = ("hdfs://nn/x.xml", "<datasets><include>hdfs://nn/x.xml</include></datasets>");
    assert_eq!(refusals(&text, &[], &[itself]), ["dataset-include-loop"]);
    let other = ("hdfs://nn/x.xml", "<datasets><include>hdfs://nn/y.xml</include></datasets>");
    let back = ("hdfs://nn/y.xml", "<datasets><include>hdfs://nn/x.xml</include></datasets>");
    assert_eq!(refusals(&text, &[], &[other, back]), ["dataset-include-loop"]);
}

#[test]
fn everything_wrong_is_told_at_once() {
    let attributes = r#"frequency="0 0 0 0 0 0" start="soon" end="2024-13-01T00:00Z" timezone="Mars/Phobos""#;
    let body = r#"<controls><timeout>x</timeout><execution>fifo</execution></controls>
        <datasets><dataset name="a" frequency="often" initial-instance="1969-01-01T00:00Z" timezone="UTC">
        <uri-template>${nn}/x</uri-template></dataset></datasets>
        <input-events><data-in name="i" dataset="b"><instance></instance></data-in></input-events>"#;
    let text =
        app_xml(attributes, body, "<property><name>x</name><value>${coord:dataIn('j')}</value></property>");
    let mut names = refusals(&text, &[], &[]);
    names.sort_unstable();
    let expected = [
        "control-invalid",
        "control-invalid",
        "cron-field-count",
        "data-event-unknown",
        "dataset-frequency-invalid",
        "dataset-initial-invalid",
        "dataset-undefined",
        "datetime-invalid",
        "datetime-invalid",
        "instance-empty",
        "parameter-undefined",
        "timezone-unknown",
    ];
    assert_eq!(names, expected);
}
