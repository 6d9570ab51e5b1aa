//! The page of what a server does that nobody would expect: each of its scenarios plays, and shows what stands above it.

use crate::support::{ankus, folder_of, root};

/// What the output shows of entries that have no name, by how they begin.
const WORDS: [(&str, &str); 5] = [
    ("An expression", "EL_ERROR"),
    ("A retry of a branch", "suspended 30 min"),
    ("`kill` of a workflow", "kill c@1\n"),
    ("`start` of a workflow", "(E0801)"),
    ("With the delivered settings", "  2024-01-02T00:10Z  KILLED\n"),
];

/// A scenario with the text of its entry.
fn entries(page: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut above = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("**") {
            above.clear();
        }
        if line == "```toml" {
            let scenario: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            all.push((std::mem::take(&mut above), format!("{}\n", scenario.join("\n"))));
        } else {
            above.push_str(line);
            above.push('\n');
        }
    }
    all
}

#[test]
fn every_entry_has_a_scenario_that_shows_it() {
    let page = std::fs::read_to_string(root().join("docs/server-oddities.md")).expect("the page");
    let (_, body) = page.split_once("## Workflows").expect("the entries");
    assert_eq!(body.lines().filter(|line| line.starts_with("**")).count(), entries(body).len());
    let mut named = Vec::new();
    for (text, scenario) in entries(body) {
        let folder = folder_of("server-oddities", &[("scenario.toml", &scenario)]);
        let app = match text.contains("fixtures/oddities/unvalidated") {
            true => "fixtures/oddities/unvalidated/coordinator.xml",
            false => "fixtures/oddities/app/coordinator.xml",
        };
        let (app, scenario) = (root().join(app), folder.join("scenario.toml"));
        let path = |path: &std::path::Path| path.display().to_string();
        let arguments = ["--now", "2024-01-01T00:00Z", "--check", "--scenario", &path(&scenario)];
        let outcome = ankus(&[&["simulate", "-v", &path(&app)], &arguments[..]].concat());
        assert_eq!(outcome.code, 0, "{text}{}", outcome.err);
        // What is warned of, or the word that the entry is about.
        let mut names = text.split("(`").skip(1).filter_map(|rest| Some(rest.split_once("`)")?.0));
        let name = names.find(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
        let name = name.map(|name| format!("({name})"));
        let word = WORDS.iter().find(|(begin, _)| text.starts_with(&format!("**{begin}")));
        let word = name.clone().or_else(|| word.map(|(_, word)| (*word).to_owned()));
        let shown = word.is_some_and(|word| outcome.out.contains(&word));
        assert!(shown, "{text}\n{}", outcome.out);
        named.extend(name);
    }
    named.sort();
    let all =
        ["branches-run-on", "killed-by-end", "stays-as-it-ended", "success-killed", "suspended-for-good"];
    assert_eq!(named, all.map(|name| format!("({name})")));
}
