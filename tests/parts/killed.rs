//! Two hundred workflows at once against a name node that is killed with -9 and started again every ten seconds: each ends
//! as it must, and each mark is there once.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use ankus::execute::storage::backend::Backend;
use ankus::execute::storage::webhdfs::Webhdfs;
use serde_json::Value;

use super::Stand;
use crate::run::{ankus, program, project, workflow};

/// How many work at once.
const COUNT: usize = 200;

/// How often the name node is killed. Beside other work it may take longer than that to start, and answer slowly: then it is
/// killed once [`STEPS`] have been done since the last time, so that all comes to an end on any machine.
const EVERY: Duration = Duration::from_secs(10);

/// How many nodes and workflows must have ended well between two kills.
const STEPS: usize = 10;

/// When it is looked again whether one that starts answers.
const AGAIN: Duration = Duration::from_millis(500);

/// A coordinator that makes all its actions at once.
fn coordinator() -> String {
    format!(
        r#"<coordinator-app name="many" frequency="5" start="2026-03-01T00:00Z" end="2026-03-01T{:02}:{:02}Z"
        timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
        <controls><concurrency>{COUNT}</concurrency><throttle>{COUNT}</throttle></controls>
        <action><workflow><app-path>hdfs://nn/apps/mark</app-path><configuration>
        <property><name>mark</name><value>${{coord:formatTime(coord:nominalTime(), 'HHmm')}}</value></property>
        </configuration></workflow></action></coordinator-app>"#,
        COUNT * 5 / 60,
        COUNT * 5 % 60,
    )
}

/// The lines of an executor; they end with it.
fn lines(folder: &std::path::Path) -> (std::process::Child, Receiver<String>) {
    let mut command = program(folder, &["run", "many", "--jobs", "200", "--no-live"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it runs");
    let said = BufReader::new(child.stdout.take().expect("a pipe"));
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in said.lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    (child, lines)
}

#[test]
fn each_of_two_hundred_ends_as_it_must_though_the_name_node_is_killed() {
    let Some(mut stand) = Stand::of(&["hdfs"]) else { return };
    let backend = Webhdfs::new(&stand.value("hdfs", "webhdfs"), "", "oozie");
    backend.create("in/text", &mut &b"from there\n"[..]).expect("written");
    let nodes = r#"<start to="there"/><action name="there"><fs><mkdir path="/marks/${mark}"/>
        <touchz path="/marks/${mark}/_DONE"/></fs><ok to="here"/><error to="fail"/></action>
        <action name="here"><shell xmlns="uri:oozie:shell-action:1.0"><exec>mark.sh</exec><argument>${mark}</argument>
        <file>mark.sh</file><file>hdfs://nn/in/text#text</file></shell><ok to="end"/><error to="fail"/></action>"#;
    // One line is written at once, so lines of several do not mix.
    let script = "#!/bin/sh\necho \"$1 $(cat text)\" >> \"$(dirname \"$0\")/../../../../../marks\"\n";
    let config = format!(
        "[paths]\n\"hdfs://nn/apps\" = \".\"\n[storage]\n\"hdfs://nn\" = {{ webhdfs = \"{}\", user = \"oozie\" }}\n\
         [server]\naction-retries = 20\naction-retry-interval = 3\n",
        stand.value("hdfs", "webhdfs")
    );
    let files = [
        ("ankus.toml", config.as_str()),
        ("many/coordinator.xml", &coordinator()),
        ("mark/workflow.xml", &workflow("mark", nodes)),
        ("mark/mark.sh", script),
    ];
    let folder = project("parts-killed", &files);
    let (mut kills, mut resumes) = (0, 0);
    let (mut steps, mut due) = (STEPS, Instant::now());
    loop {
        let (mut child, said) = lines(&folder);
        loop {
            match said.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(line) => steps += usize::from(line.contains("-> OK") || line.contains("-> SUCCEEDED")),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if steps < STEPS || backend.status("in").is_err() => {
                    due = Instant::now() + AGAIN;
                }
                Err(RecvTimeoutError::Timeout) => {
                    kills += 1;
                    due = Instant::now() + EVERY;
                    stand.order("kill namenode");
                    stand.order("start namenode");
                    steps = 0;
                }
            }
        }
        // What has tried often enough waits for somebody to resume it.
        let ended = child.wait().expect("it ends");
        if ended.success() {
            break;
        }
        assert_eq!(ended.code(), Some(1));
        let (_, jobs, _) =
            ankus(&folder, &["jobs", "--status", "SUSPENDED", "--len", "1000", "--format", "json"]);
        let jobs: Value = serde_json::from_str(&jobs).expect("JSON");
        let jobs = jobs["jobs"].as_array().expect("jobs");
        assert!(!jobs.is_empty(), "{}", ankus(&folder, &["job", "1-C", "info"]).1);
        for job in jobs {
            let (code, _, err) = ankus(&folder, &["job", job["id"].as_str().expect("an id"), "resume"]);
            assert_eq!(code, 0, "{err}");
            resumes += 1;
        }
    }
    eprintln!("the name node was killed {kills} times, {resumes} workflows were resumed");
    assert_eq!(stand.order("await hdfs"), "hdfs answers");
    let mut there: Vec<String> =
        backend.list("marks").expect("a list").into_iter().map(|(name, _)| name).collect();
    there.sort();
    assert_eq!(there.len(), COUNT);
    assert!(
        there.iter().all(|mark| backend.status(&format!("marks/{mark}/_DONE")).expect("asked").is_some())
    );
    let text = std::fs::read_to_string(folder.join("marks")).expect("marks");
    let mut here: BTreeMap<&str, u32> = BTreeMap::new();
    for line in text.lines() {
        let mark = line.strip_suffix(" from there").expect("a whole line");
        *here.entry(mark).or_default() += 1;
    }
    assert_eq!(
        here.into_iter().collect::<Vec<_>>(),
        there.iter().map(|mark| (mark.as_str(), 1)).collect::<Vec<_>>()
    );
    let (_, jobs, _) = ankus(&folder, &["jobs", "--len", "1000", "--format", "json"]);
    let jobs: Value = serde_json::from_str(&jobs).expect("JSON");
    let jobs = jobs["jobs"].as_array().expect("jobs");
    assert_eq!(jobs.len(), COUNT + 1);
    assert!(jobs.iter().all(|job| job["status"] == "SUCCEEDED"), "{jobs:?}");
}
