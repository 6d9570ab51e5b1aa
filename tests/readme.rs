//! What the readme shows is what the program does: the broken app is the fixture, and every output is real.

use std::fmt::Write;

use std::path::Path;
use std::process::Command;

use crate::support::{ankus, folder_of, names_in, root, update};

/// What an app prints that is executed, from a copy, so that nothing is written beside it. Times and what is made of them
/// are those of one moment.
fn ran(arguments: &[&str]) -> String {
    let folder = folder_of("readme", &[]);
    copy(&root().join("fixtures/run"), &folder.join("fixtures/run"));
    let output = Command::new(env!("CARGO_BIN_EXE_ankus")).current_dir(&folder).args(arguments).output();
    let output = output.expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("its output is UTF-8");
    let line = |line: &str| match (line.split_once("Z  "), line.split_once(" after ")) {
        (Some((_, what)), _) => format!("2026-11-22T09:30:00Z  {what}\n"),
        (None, Some((job, after))) => {
            let (_, counts) = after.split_once(':').expect("counts");
            format!("{job} after 1 s:{counts}\n")
        }
        (None, None) => panic!("what line is `{line}`?"),
    };
    text.lines().map(line).collect()
}

/// Copies a folder with all below.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the folder can be made");
    for name in names_in(from) {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(from, to).expect("the file can be copied");
        }
    }
}

/// Fills the blocks of the readme: `xml` with the fixture, `console` with the output of its command.
fn refreshed(readme: &str) -> String {
    let fixture = std::fs::read_to_string(root().join("fixtures/broken/workflow.xml")).expect("the fixture");
    let mut text = String::new();
    let mut lines = readme.lines();
    while let Some(line) = lines.next() {
        writeln!(text, "{line}").expect("memory takes everything");
        let is_block = line == "```xml" || line == "```console";
        if !is_block {
            continue;
        }
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if line == "```xml" {
            text.push_str(&fixture);
        } else {
            let command = block.first().expect("a command");
            let arguments = command.strip_prefix("$ ankus ").expect("a command of ours");
            let arguments: Vec<&str> = arguments.split(' ').collect();
            let out = if arguments[0] == "run" {
                ran(&arguments)
            } else {
                let outcome = ankus(&arguments);
                assert_ne!(outcome.code, 2, "{command}: {}", outcome.err);
                outcome.out
            };
            writeln!(text, "{command}\n{}", out.trim_end()).expect("memory takes everything");
        }
        text.push_str("```\n");
    }
    text
}

#[test]
fn the_readme_shows_what_happens() {
    let path = root().join("README.md");
    let readme = std::fs::read_to_string(&path).expect("the readme");
    let fresh = refreshed(&readme);
    if fresh != readme {
        assert!(update(), "README.md is stale; UPDATE=1 cargo test readme rewrites it");
        std::fs::write(&path, fresh).expect("it can be written");
    }
}
