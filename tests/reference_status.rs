//! The status of jobs as a server derives it, and its policies: `fixtures/reference/status` and `coord-policy`.

use crate::support;
use crate::support::coordinator::{accepted, app_xml};
use std::fs;

use ankus::engine::coordinator::{policy, scope};
use ankus::engine::status::{ActionStatus, JobStatus};
use ankus::engine::transit::{self, BundleView, CoordinatorView, Tally};
use ankus::plan::coordinator::{CoordinatorJob, Execution, PlanOptions};
use ankus::time::{Instant, ProcessingZone};
use serde_json::Value;

fn recorded(path: &str) -> Value {
    let path = support::root().join("fixtures/reference").join(path);
    serde_json::from_str(&fs::read_to_string(path).expect("a recorded file")).expect("JSON")
}

/// Every cell of a table: children, status, column, expected status.
fn cells(file: &Value, mut check: impl FnMut(&[&str], JobStatus, &str, JobStatus)) -> usize {
    let codes = file["codes"].as_object().expect("codes");
    let status = |code: &str| {
        let (name, _) = codes.iter().find(|(_, value)| *value == code).expect("a code");
        JobStatus::parse(name).expect("a status")
    };
    let columns: Vec<&str> =
        file["columns"].as_array().expect("columns").iter().map(|c| c.as_str().expect("text")).collect();
    let mut count = 0;
    for (children, row) in file["table"].as_object().expect("a table") {
        let children: Vec<&str> = match children.as_str() {
            "NONE" => Vec::new(),
            children => children.split([' ', '+', ',']).filter(|name| !name.is_empty()).collect(),
        };
        for (name, cells) in row.as_object().expect("a row") {
            let before = JobStatus::parse(name).expect("a status");
            let cells = cells.as_str().expect("cells").split(' ');
            for (column, cell) in columns.iter().zip(cells) {
                check(&children, before, column, status(cell));
                count += 1;
            }
        }
    }
    count
}

#[test]
fn a_coordinators_status_follows_from_its_actions() {
    for (name, with_error) in [("coordinator", false), ("coordinator-with-error", true)] {
        let mut faults = Vec::new();
        let count = cells(&recorded(&format!("status/{name}.json")), |children, before, column, expected| {
            let mut actions = Tally::default();
            for child in children {
                actions.add(ActionStatus::parse(child).expect("a status"));
            }
            let view = CoordinatorView {
                status: before,
                is_done: column.starts_with("done"),
                is_pending: column.ends_with("pending"),
                actions: &actions,
            };
            let found = transit::coordinator(view, with_error);
            if found != expected {
                faults.push(format!("{name}: {before} {column} {children:?}: {expected}, found {found}"));
            }
        });
        assert!(count > 2000, "{count} cells");
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

#[test]
fn a_bundles_status_follows_from_its_coordinators() {
    for (name, with_error) in [("bundle", false), ("bundle-with-error", true)] {
        let mut faults = Vec::new();
        let count = cells(&recorded(&format!("status/{name}.json")), |names, before, column, expected| {
            let mut children = Tally::default();
            for child in names {
                children.add(JobStatus::parse(child).expect("a status"));
            }
            let is = |flag: &str| column.split('+').any(|word| word == flag);
            let view = BundleView {
                status: before,
                is_pending: is("pending"),
                has_pause: is("p"),
                is_suspended: is("s"),
                children: &children,
            };
            let found = transit::bundle(view, with_error);
            if found != expected {
                faults.push(format!("{name}: {before} {column} {names:?}: {expected}, found {found}"));
            }
        });
        assert!(count > 5000, "{count} cells");
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

fn policies(part: &str) -> Vec<Value> {
    recorded("coord-policy/coord-policy.json")[part].as_array().expect("cases").clone()
}

#[test]
fn actions_are_named_by_numbers() {
    for case in policies("action_scope") {
        let text = case["scope"].as_str().expect("a scope");
        match scope::numbers(text) {
            Ok(found) => assert_eq!(Value::from(found), case["actions"], "`{text}`"),
            Err(refusal) => assert_eq!(case["error"], refusal.code, "`{text}`"),
        }
    }
}

#[test]
fn actions_are_named_by_times() {
    for case in policies("date_scope") {
        let text = case["scope"].as_str().expect("a scope");
        match scope::dates(text, ProcessingZone::UTC) {
            Ok(_) => assert_eq!(case["ok"], true, "`{text}`"),
            Err(refusal) => assert_eq!(case["error"], refusal.code, "`{text}`"),
        }
    }
}

fn at(text: &str) -> Instant {
    // The recorded times have seconds, Oozie's have none.
    match (text.len(), text.strip_suffix('Z').and_then(|text| text.rsplit_once(':'))) {
        (20, Some((minutes, seconds))) => {
            let minute = ProcessingZone::UTC.parse_datetime(&format!("{minutes}Z")).expect("a time").instant;
            minute.plus_millis(seconds.parse::<i64>().expect("seconds") * 1000)
        }
        _ => ProcessingZone::UTC.parse_datetime(text).expect("a time").instant,
    }
}

#[test]
fn waiting_actions_time_out_after_whole_minutes() {
    for case in policies("input_timeout") {
        let time = |name: &str| at(case[name].as_str().expect("a time"));
        let timeout = case["timeout_minutes"].as_i64().expect("minutes") as i32;
        let found = policy::is_timed_out(time("nominal"), time("created"), timeout, time("now"));
        assert_eq!(case["timed_out"], found, "{case}");
    }
}

fn job(frequency: &str, start: &str, end: &str, timezone: &str) -> CoordinatorJob {
    let attributes = format!(r#"frequency="{frequency}" start="{start}" end="{end}" timezone="{timezone}""#);
    accepted(&app_xml(&attributes, "", ""), &[]).job()
}

#[test]
fn the_next_nominal_time_ends_with_the_job() {
    for case in policies("next_nominal") {
        let text = |name: &str| case[name].as_str().expect("a text");
        let job = job(text("frequency"), text("start"), text("end"), text("timezone"));
        let mut found = Vec::new();
        for action in job.actions(PlanOptions::default()) {
            let action = action.expect("an action");
            let next = job.next_nominal(action.number, action.nominal, job.end);
            let show = |at: Instant| ProcessingZone::UTC.format(at);
            found.push(serde_json::json!([action.number, show(action.nominal), next.map(show)]));
        }
        assert_eq!(Value::from(found), case["actions"], "{case}");
    }
}

#[test]
fn ready_actions_are_skipped_when_their_time_has_passed() {
    for case in policies("ready_skip") {
        let number = |name: &str| case[name].as_i64().expect("a number");
        let execution = Execution::parse(case["execution"].as_str().expect("text")).expect("an execution");
        let before: Vec<i64> = case["nominal_minutes_before_now"]
            .as_array()
            .expect("minutes")
            .iter()
            .map(|m| m.as_i64().expect("minutes"))
            .collect();
        let minute = at("2024-01-10T00:00Z");
        let now = minute.plus_millis(5_000);
        let start = minute.plus_minutes(-before[0]);
        let end = minute.plus_minutes(number("end_minutes_after_now"));
        let mut skipped = Vec::new();
        for minutes in before.iter().copied() {
            let nominal = minute.plus_minutes(-minutes);
            let index = nominal.millis_since(start) / 60_000 / number("frequency_minutes");
            let next = start.plus_minutes((index + 1) * number("frequency_minutes"));
            let next = (next <= end).then_some(next);
            if policy::is_skipped(execution, nominal, next, 1, now) {
                skipped.push(index + 1);
            }
        }
        assert_eq!(Value::from(skipped), case["skipped_actions"], "{case}");
    }
}
