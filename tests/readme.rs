//! What the readme shows is what the program does: the broken app is the fixture, and every output is real.

use std::fmt::Write;

use crate::support::{ankus, root, update};

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
            let outcome = ankus(&arguments.split(' ').collect::<Vec<_>>());
            assert_ne!(outcome.code, 2, "{command}: {}", outcome.err);
            writeln!(text, "{command}\n{}", outcome.out.trim_end()).expect("memory takes everything");
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
