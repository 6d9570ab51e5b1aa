//! A bundle whose executor is killed at random instants, again and again, and a journal that loses nothing.

use std::io::Read;
use std::path::Path;
use std::process::Stdio;

use crate::run::{program, shell, workflow};
use crate::support::folder_of;
use crate::support::graphs::Random;

/// Kills in one test: more at night.
fn kills() -> usize {
    let given = std::env::var("ANKUS_KILLS").ok().and_then(|text| text.parse().ok());
    given.unwrap_or(if std::env::var_os("ANKUS_THOROUGH").is_some() { 100 } else { 15 })
}

/// A fork of chains whose actions each add one line to a file.
fn app(chains: usize, length: usize) -> String {
    let mut nodes = r#"<start to="fork"/><fork name="fork">"#.to_owned();
    for chain in 0..chains {
        nodes.push_str(&format!(r#"<path start="c{chain}-0"/>"#));
    }
    nodes.push_str("</fork>");
    for chain in 0..chains {
        for step in 0..length {
            let name = format!("c{chain}-{step}");
            let next = if step + 1 < length { format!("c{chain}-{}", step + 1) } else { "join".to_owned() };
            nodes.push_str(&shell(&name, "mark.sh", &["${who}", &name], &next));
        }
    }
    nodes.push_str(r#"<join name="join" to="end"/>"#);
    workflow("torture", &nodes)
}

/// A script that adds a line of its arguments to a file of the project, and tells the second one.
pub const MARK: &str =
    "#!/bin/sh\necho \"$1 $2\" >> \"$(dirname \"$0\")/../../../../../marks\"\necho \"name=$2\"\n";

/// Two coordinators of two actions each; what each action is for is handed to its workflow.
fn files(chains: usize, length: usize) -> Vec<(&'static str, String)> {
    let coordinator = |name: &str| {
        format!(
            r#"<coordinator-app name="{name}" frequency="60" start="2024-01-01T00:00Z" end="2024-01-01T02:00Z"
            timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><action><workflow><app-path>hdfs://nn/apps/app</app-path>
            <configuration><property><name>who</name><value>{name} ${{coord:nominalTime()}}</value></property>
            </configuration></workflow></action></coordinator-app>"#
        )
    };
    let bundle = r#"<bundle-app name="torture" xmlns="uri:oozie:bundle:0.2">
        <coordinator name="one"><app-path>hdfs://nn/apps/one</app-path></coordinator>
        <coordinator name="two"><app-path>hdfs://nn/apps/two</app-path></coordinator></bundle-app>"#;
    vec![
        ("ankus.toml", "[paths]\n\"hdfs://nn/apps\" = \".\"\n".to_owned()),
        ("all/bundle.xml", bundle.to_owned()),
        ("one/coordinator.xml", coordinator("one")),
        ("two/coordinator.xml", coordinator("two")),
        ("app/workflow.xml", app(chains, length)),
        ("app/mark.sh", MARK.to_owned()),
    ]
}

/// Every line that the actions write, sorted.
fn expected(chains: usize, length: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for coordinator in ["one", "two"] {
        for hour in ["00", "01"] {
            for chain in 0..chains {
                for step in 0..length {
                    lines.push(format!("{coordinator} 2024-01-01T{hour}:00Z c{chain}-{step}"));
                }
            }
        }
    }
    lines.sort();
    lines
}

/// Runs until a number of events was told, then kills; the exit code when it came to its end before.
fn run_and_kill(folder: &Path, events: u64) -> Option<i32> {
    let arguments = ["run", "all", "--external-id", "torture", "--format", "jsonl", "--jobs", "4"];
    let mut process = program(folder, &arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut out = process.stdout.take().expect("its output");
    let (mut seen, mut byte) = (0, [0]);
    while seen < events && out.read(&mut byte).expect("it can be read") == 1 {
        seen += u64::from(byte[0] == b'\n');
    }
    if seen == events {
        process.kill().expect("it can be killed");
    }
    process.wait().expect("it ends").code()
}

#[test]
fn killed_at_random_nothing_is_lost_and_nothing_runs_twice() {
    let (chains, length) = (3, 3);
    let wanted = kills();
    let (mut random, mut killed, mut round) = (Random(20_091), 0, 0);
    while killed < wanted {
        round += 1;
        let files = files(chains, length);
        let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let folder = folder_of("run-torture", &files);
        let code = loop {
            if let Some(code) = run_and_kill(&folder, 1 + random.below(20) as u64) {
                break code;
            }
            killed += 1;
            assert!(killed < wanted + 1_000, "it never ends");
        };
        assert_eq!(code, 0, "round {round}: all is well in the end");
        let marks = std::fs::read_to_string(folder.join("marks")).expect("marks");
        let mut marks: Vec<&str> = marks.lines().collect();
        marks.sort_unstable();
        assert_eq!(marks, expected(chains, length), "round {round}");
    }
    println!("{killed} kills in {round} rounds");
}
