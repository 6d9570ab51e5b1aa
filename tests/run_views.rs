//! What is shown of jobs: the view of a terminal, `info`, `jobs` and `log`, none with a secret.

use std::cell::RefCell;
use std::path::Path;

use ankus::engine::Submit;
use ankus::execute::attempt::Attempt;
use ankus::execute::clock::{Clock, JumpingClock};
use ankus::execute::executor::{Executor, Glance, Options, Stop};
use ankus::execute::logs;
use ankus::execute::open::Place;
use ankus::execute::view::Tried;
use ankus::redact::Redactor;
use ankus::report::run_live::{self, Places};
use ankus::report::waits::Style;
use ankus::time::{Instant, ProcessingZone};

use crate::json_schemas::{accept as accept_document, validator};
use crate::run::{ankus, project, shell, workflow};
use crate::support::executor::{lock, options, with_app};
use crate::support::{expect_file, root};

/// Half past midnight, when the first action of an hourly coordinator is at work.
fn half_past() -> Instant {
    ProcessingZone::UTC.parse_datetime("2024-01-01T00:30Z").expect("a datetime").instant
}

/// An hourly coordinator whose second action waits for its turn, the third for data and the fourth for its time.
fn files() -> Vec<(&'static str, String)> {
    let coordinator = |name: &str, input: bool| {
        let (datasets, events) = match input {
            false => (String::new(), String::new()),
            true => (
                r#"<datasets><dataset name="d" frequency="60" initial-instance="2023-12-31T00:00Z" timezone="UTC">
                <uri-template>hdfs://nn/in/${HOUR}</uri-template></dataset></datasets>"#
                    .to_owned(),
                r#"<input-events><data-in name="i" dataset="d"><start-instance>${coord:current(-1)}</start-instance>
                <end-instance>${coord:current(0)}</end-instance></data-in></input-events>"#
                    .to_owned(),
            ),
        };
        format!(
            r#"<coordinator-app name="{name}" frequency="10" start="2024-01-01T00:00Z" end="2024-01-01T00:50Z"
            timezone="UTC" xmlns="uri:oozie:coordinator:0.4">{datasets}{events}<action><workflow>
            <app-path>hdfs://nn/apps/app</app-path></workflow></action></coordinator-app>"#
        )
    };
    let nodes = format!(
        r#"<start to="fork"/><fork name="fork"><path start="a"/><path start="b"/><path start="c"/></fork>{}{}{}
        <join name="join" to="end"/>"#,
        shell("a", "x.sh", &[], "join"),
        shell("b", "x.sh", &[], "join")
            .replace(r#"name="b""#, r#"name="b" retry-max="2" retry-interval="20""#),
        shell("c", "x.sh", &[], "join")
    );
    let bundle = r#"<bundle-app name="all" xmlns="uri:oozie:bundle:0.2">
        <coordinator name="turns"><app-path>hdfs://nn/apps/turns</app-path></coordinator>
        <coordinator name="data"><app-path>hdfs://nn/apps/data</app-path></coordinator></bundle-app>"#;
    vec![
        ("all/bundle.xml", bundle.to_owned()),
        ("turns/coordinator.xml", coordinator("turns", false)),
        ("data/coordinator.xml", coordinator("data", true)),
        ("app/workflow.xml", workflow("work", &nodes)),
        ("app/x.sh", "#!/bin/sh\n".to_owned()),
    ]
}

/// Runs an app of a folder with actions that are not run but take an hour.
fn rehearse(folder: &Path, app: &str, stubs: &[&str], until: Option<Instant>) -> (String, Stop, Instant) {
    let path = folder.join(app);
    let place = Place::of(&path, None, None, None).expect("a place");
    let store = lock(&place).expect("a store");
    store.set_meta("id_middle", "").expect("it can be written");
    let options = Options { stub_millis: 3_600_000, ..options(stubs) };
    let clock =
        JumpingClock::at(ProcessingZone::UTC.parse_datetime("2024-01-01T00:00Z").expect("T").instant, false);
    let seen = RefCell::new(String::new());
    let mut look = |glance: Glance<'_>| {
        let style = Style { middle: "", zone: ProcessingZone::UTC, now: glance.now };
        let places = Places { running: glance.running.keys().copied().collect(), jobs: glance.jobs };
        *seen.borrow_mut() = run_live::text(glance.engine, &places, style);
    };
    let mut executor: Executor<'_> = place.executor(store, options, &clock, None).expect("an executor");
    let program = with_app(&path, |_, loaded, submitted| {
        Some(executor.deployed().submission(loaded, &submitted).expect("a submission"))
    });
    let program = program.expect("an app that is accepted");
    executor.submit(Submit::new(program, None, true)).expect("submitted");
    executor.let_look(&mut look);
    let stop = executor.run(until).expect("it runs");
    drop(executor);
    (seen.into_inner(), stop, clock.now())
}

#[test]
fn the_live_view_shows_jobs_and_what_everything_waits_for() {
    let files = files();
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let folder = project("views-live", &[&files[..], &[("data/in/23/_SUCCESS", "")]].concat());
    // A minute later all that was due by then has been looked at.
    let (shown, stop, _) = rehearse(&folder, "all", &["all"], Some(half_past().plus_minutes(1)));
    assert_eq!(stop, Stop::Until);
    expect_file(&root().join("snapshots/run/live.txt"), &shown).expect("as before");
}

#[test]
fn what_only_a_look_can_name_is_told_by_its_dataset() {
    let mut files = files();
    for (_, text) in &mut files {
        *text = text.replace("${coord:current(-1)}", "${coord:latest(-1)}");
        *text = text.replace("${coord:current(0)}", "${coord:latest(0)}");
    }
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let folder = project("views-late", &files);
    let (shown, ..) = rehearse(&folder, "data", &["all"], Some(half_past().plus_minutes(1)));
    let words = "WAITING  waits for ${coord:latestRange(-1,0)} of the dataset `d` for `i`\n";
    assert!(shown.contains(words), "{shown}");
}

#[test]
fn retries_wait_as_long_as_they_must() {
    let files = files();
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let folder = project("views-retries", &files);
    let later = half_past().plus_minutes(40);
    let (shown, stop, _) = rehearse(&folder, "app", &["b=ERROR", "all"], Some(later));
    assert_eq!(stop, Stop::Until);
    assert!(shown.contains("  b  waits for its next try at 2024-01-01T01:20Z, tried 1 times\n"), "{shown}");
    // Three tries of an hour each, and twenty minutes between them.
    let (_, stop, over) = rehearse(&project("views-retried", &files), "app", &["b=ERROR", "all"], None);
    let begun = half_past().plus_minutes(-30);
    assert_eq!((stop, over.millis_since(begun) / 60_000), (Stop::Done, 3 * 60 + 2 * 20));
}

/// What a program may not show.
const SECRETS: [&str; 4] = ["pr0perty-pw", "argum3nt-pw", "ur1-pw", "t0k3n-value"];

#[test]
fn secrets_are_shown_nowhere() {
    let nodes = r#"<start to="a"/><action name="a"><shell xmlns="uri:oozie:shell-action:1.0"><exec>a.sh</exec>
        <argument>--password</argument><argument>argum3nt-pw</argument><argument>${wf:conf('db.password')}</argument>
        <env-var>API_TOKEN=t0k3n-value</env-var><file>a.sh</file><capture-output/></shell><ok to="end"/>
        <error to="fail"/></action>"#;
    let script = "#!/bin/sh\necho \"said=$*\"; echo \"with $3 and jdbc:mysql://u:ur1-pw@db/x\" >&2\n\
                  echo \"--password $2 API_TOKEN=$API_TOKEN\" >&2; exit 7\n";
    let text = workflow("w", nodes)
        .replace("<message>", "<message>of ${wf:conf('db.password')} at ${wf:conf('jdbc.url')}: ");
    let given = "db.password=pr0perty-pw\njdbc.url=jdbc:mysql://u:ur1-pw@db/x\n";
    let folder = project(
        "views-secrets",
        &[("app/workflow.xml", &text), ("app/a.sh", script), ("job.properties", given)],
    );
    let with = ["-c", "job.properties"];
    let outputs = [
        ankus(&folder, &[&["run", "app"], &with[..]].concat()),
        ankus(&folder, &[&["run", "app", "--format", "jsonl"], &with[..]].concat()),
        ankus(&folder, &["jobs"]),
        ankus(&folder, &["jobs", "--format", "json"]),
        ankus(&folder, &["job", "1-W", "info"]),
        ankus(&folder, &["job", "1-W@a", "info"]),
        ankus(&folder, &["job", "1-W", "info", "--format", "json"]),
        ankus(&folder, &["job", "1-W@fail", "info", "--format", "json"]),
        ankus(&folder, &["job", "1-W", "log"]),
        ankus(&folder, &["job", "1-W", "definition"]),
    ];
    for (number, (_, out, err)) in outputs.iter().enumerate() {
        assert!(!out.is_empty(), "output {number}");
        for secret in SECRETS {
            assert!(
                !out.contains(secret) && !err.contains(secret),
                "{secret} in output {number}: {out}{err}"
            );
        }
    }
    let log = &outputs[8].1;
    assert!(log.contains("with *** and jdbc:mysql://u:***@db/x\n"), "{log}");
    assert!(log.contains("--password *** API_TOKEN=***\n"), "{log}");
    assert!(
        outputs[9].1.contains("<argument>--password</argument><argument>***</argument>"),
        "{}",
        outputs[9].1
    );
    // The action itself got them.
    let kept = std::fs::read_to_string(folder.join(".ankus/work/1/1/stderr")).expect("what it wrote");
    assert!(kept.contains("with pr0perty-pw"), "{kept}");
}

#[test]
fn logs_are_followed_to_the_end() {
    let folder = crate::support::folder_of("views-follow", &[("one/stdout", "a\nhalf"), ("one/stderr", "")]);
    let tried = |name: &str| Tried {
        run: 1,
        path: name.to_owned(),
        number: 1,
        is_last: true,
        attempt: Attempt::new(folder.join(name)),
    };
    let mut veil = Redactor::default();
    veil.learn("db.password", "hunter22");
    let round = RefCell::new(0);
    // What is written while nobody looks.
    let write = |path: &str, text: &str| {
        let before = std::fs::read_to_string(folder.join(path)).unwrap_or_default();
        crate::support::write_file(&folder.join(path), &(before + text));
    };
    let look = || {
        let number = *round.borrow();
        let tried = if number < 2 { vec![tried("one")] } else { vec![tried("one"), tried("two")] };
        Ok((tried, veil.clone(), number == 3))
    };
    let wait = || {
        *round.borrow_mut() += 1;
        match *round.borrow() {
            1 => write("one/stdout", " line hunter22\n"),
            2 => write("two/stderr", "x\n"),
            _ => write("one/stdout", "no end"),
        }
        true
    };
    let mut out = Vec::new();
    logs::follow(look, wait, &mut out).expect("it can be followed");
    let expected = "== one, stdout\na\nhalf line ***\n== two, stderr\nx\n== one, stdout\nno end";
    assert_eq!(String::from_utf8(out).expect("UTF-8"), expected);
    // Who stops waiting has seen what was there.
    let mut out = Vec::new();
    let never = || Ok((vec![tried("two")], Redactor::default(), false));
    logs::follow(never, || false, &mut out).expect("it can be followed");
    assert_eq!(out, b"== two, stderr\nx\n");
}

#[test]
fn info_and_jobs_are_as_their_schemas_say() {
    let (job, jobs) = (validator("job"), validator("jobs"));
    let files = files();
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let folder = project("views-info", &[&files[..], &[("data/in/23/_SUCCESS", "")]].concat());
    let (_, stop, _) = rehearse(&folder, "all", &["all"], Some(half_past()));
    assert_eq!(stop, Stop::Until);
    let accept = |validator: &jsonschema::Validator, arguments: &[&str]| {
        let (code, out, err) = ankus(&folder, &[arguments, &["--format", "json"]].concat());
        assert_eq!(code, 0, "{err}");
        accept_document(validator, &out, &arguments.join(" "));
        let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        value
    };
    let all = accept(&jobs, &["jobs"]);
    assert_eq!(all["jobs"].as_array().map(Vec::len), Some(4), "{all}");
    let bundle = accept(&job, &["job", "1-B", "info"]);
    assert_eq!(bundle["parts"][0]["job"], "0000002-C");
    let data = accept(&job, &["job", "3-C", "info"]);
    assert_eq!(data["parts"][0]["missing"][0], "hdfs://nn/in/00/_SUCCESS", "{data}");
    let action = accept(&job, &["job", "3-C@1", "info"]);
    assert_eq!(action["waitsFor"], "hdfs://nn/in/00/_SUCCESS and 1 more");
    assert_eq!((&action["nominal"], &action["type"]), (&data["parts"][0]["nominal"], &"action".into()));
    let node = accept(&job, &["job", "4-W@a", "info"]);
    assert_eq!((&node["status"], &node["type"]), (&"RUNNING".into(), &"shell".into()));
    accept(&job, &["job", "4-W", "info"]);
    let count = |arguments: &[&str]| {
        let value = accept(&jobs, &[&["jobs"], arguments].concat());
        value["jobs"].as_array().expect("a list").len()
    };
    assert_eq!(count(&["--type", "coord"]), 2);
    assert_eq!(count(&["--type", "wf", "--type", "bundle"]), 2);
    assert_eq!(count(&["--name", "data"]), 1);
    assert_eq!(count(&["--status", "running", "--len", "2"]), 2);
    assert_eq!(count(&["--status", "KILLED,FAILED"]), 0);
    assert_eq!(count(&["--offset", "3"]), 1);
    assert_eq!(ankus(&folder, &["job", "3-C@99", "info"]).0, 2);
}

#[test]
fn service_levels_are_shown_as_they_stand() {
    let sla = r#"</workflow><sla:info><sla:nominal-time>${coord:nominalTime()}</sla:nominal-time>
        <sla:should-start>5</sla:should-start><sla:should-end>100</sla:should-end>
        <sla:max-duration>30</sla:max-duration></sla:info>"#;
    let coordinator = |files: &mut Vec<(&'static str, String)>, sla: &str| {
        let (_, text) = files.iter_mut().find(|(path, _)| path.starts_with("turns")).expect("a coordinator");
        *text = text.replace("coordinator:0.4\"", "coordinator:0.4\" xmlns:sla=\"uri:oozie:sla:0.2\"");
        *text = text.replace("</workflow>", sla);
    };
    let mut files = files();
    coordinator(&mut files, sla);
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let folder = project("views-levels", &files);
    let at = |text: &str| ProcessingZone::UTC.parse_datetime(text).expect("a datetime").instant;
    rehearse(&folder, "turns", &["all"], Some(at("2024-01-01T01:30Z")));
    let (code, out, err) = ankus(&folder, &["job", "1-C", "info", "--format", "json"]);
    assert_eq!(code, 0, "{err}");
    accept_document(&validator("job"), &out, "info");
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let level = |index: usize| value["parts"][index]["sla"].clone();
    // One that ran for an hour, one that began late and runs, one that waits for its turn.
    let met = serde_json::json!({ "status": "MET", "events": ["START_MET", "DURATION_MISS", "END_MET"] });
    let runs = serde_json::json!({ "status": "IN_PROCESS", "events": ["START_MISS"] });
    let waits = serde_json::json!({ "status": "NOT_STARTED", "events": ["START_MISS"] });
    assert_eq!([level(0), level(1), level(2)], [met, runs, waits], "{out}");
    let (_, out, _) = ankus(&folder, &["job", "1-C", "info"]);
    assert!(out.contains("SUCCEEDED") && out.contains("  service level MET"), "{out}");
    let (_, out, _) = ankus(&folder, &["job", "1-C@1", "info"]);
    assert!(out.contains("service level    MET (START_MET, DURATION_MISS, END_MET)"), "{out}");
}
