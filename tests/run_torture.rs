//! An executor that is killed at random instants, again and again, and a journal that loses nothing.

use std::collections::BTreeMap;
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
            nodes.push_str(&shell(&name, "mark.sh", &["${wf:id()}", &name], &next));
        }
    }
    nodes.push_str(r#"<join name="join" to="end"/>"#);
    workflow("torture", &nodes)
}

const MARK: &str =
    "#!/bin/sh\necho \"$1 $2\" >> \"$(dirname \"$0\")/../../../../../marks\"\necho \"name=$2\"\n";

/// Runs until a random number of events was told, then kills; true when it came to its end before.
fn run_and_kill(folder: &Path, events: u64) -> bool {
    let mut process =
        program(folder, &["run", "app", "--external-id", "torture", "--format", "jsonl", "--jobs", "4"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
    let mut out = process.stdout.take().expect("its output");
    let (mut seen, mut byte) = (0, [0]);
    while seen < events && out.read(&mut byte).expect("it can be read") == 1 {
        seen += u64::from(byte[0] == b'\n');
    }
    let has_ended = seen < events;
    if !has_ended {
        process.kill().expect("it can be killed");
    }
    process.wait().expect("it ends");
    has_ended
}

#[test]
fn killed_at_random_nothing_is_lost_and_nothing_runs_twice() {
    let wanted = kills();
    let (mut random, mut killed, mut round) = (Random(20_091), 0, 0);
    while killed < wanted {
        round += 1;
        let text = app(3, 5);
        let files = [("app/workflow.xml", text.as_str()), ("app/mark.sh", MARK), ("ankus.toml", "")];
        let folder = folder_of("run-torture", &files);
        while !run_and_kill(&folder, 1 + random.below(8) as u64) {
            killed += 1;
            assert!(killed < wanted + 1_000, "it never ends");
        }
        let marks = std::fs::read_to_string(folder.join("marks")).expect("marks");
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        marks.lines().for_each(|line| *count.entry(line).or_default() += 1);
        let twice: Vec<_> = count.iter().filter(|(_, times)| **times != 1).collect();
        assert!(twice.is_empty(), "round {round}: {twice:?}");
        assert_eq!(count.len(), 15, "round {round}: {marks}");
    }
    println!("{killed} kills in {round} rounds");
}
