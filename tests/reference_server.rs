//! Recorded plays of a real server's commands, played by `simulate`: states that last, final states, states of nodes,
//! refusals and what kill nodes said. `ANKUS_PLAY=name` shows one of them with all its differences,
//! `ANKUS_PLAY=wf-*` the differences of those whose names begin so.

use std::collections::BTreeMap;
use std::fs;
use std::thread;

use crate::support::server_plays::{ServerPlay, differences};
use crate::support::{reference, root};

const FILES: [&str; 3] = ["workflow.json", "coordinator.json", "bundle.json"];

/// All plays, or those that `ANKUS_PLAY` names.
pub fn plays() -> Vec<ServerPlay> {
    let folder = reference("oracle/server");
    let read = |name: &str| {
        let text = fs::read_to_string(folder.join(name)).expect("a file of plays");
        serde_json::from_str::<Vec<ServerPlay>>(&text).expect("plays")
    };
    let mut plays: Vec<ServerPlay> = FILES.into_iter().flat_map(read).collect();
    if let Ok(name) = std::env::var("ANKUS_PLAY") {
        let part = name.strip_suffix('*');
        plays.retain(|play| part.map_or(play.name == name, |part| play.name.starts_with(part)));
    }
    plays
}

/// Plays that differ on purpose, each with its reason.
fn on_purpose() -> BTreeMap<String, String> {
    let text =
        fs::read_to_string(root().join("fixtures/reference/server-differences.toml")).expect("a table");
    let table: toml::Table = toml::from_str(&text).expect("TOML");
    let rows = table.get("difference").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let text =
        |row: &toml::Value, key: &str| row.get(key).and_then(toml::Value::as_str).expect("a text").to_owned();
    rows.iter().map(|row| (text(row, "play"), text(row, "reason"))).collect()
}

fn compare(play: &ServerPlay) -> Vec<String> {
    match play.simulate() {
        Ok(own) => differences(&play.course(), &own),
        Err(words) => vec![format!("not played: {words}")],
    }
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn plays_of_a_server_are_simulated_alike() {
    let plays = plays();
    let single = std::env::var("ANKUS_PLAY").is_ok();
    if single && plays.len() == 1 {
        for play in &plays {
            println!("{}\n{}", play.files.values().cloned().collect::<Vec<_>>().join("\n"), play.scenario());
            println!("server {:#?}", play.server.events);
            println!("server {:#?}", play.server.operators);
            match play.simulate() {
                Ok(own) => println!("ankus {:#?}", own),
                Err(words) => println!("{words}"),
            }
        }
    }
    let half = plays.len().div_ceil(2);
    let found: Vec<(String, Vec<String>)> = thread::scope(|scope| {
        let parts: Vec<_> = plays
            .chunks(half.max(1))
            .map(|part| {
                scope.spawn(move || part.iter().map(|it| (it.name.clone(), compare(it))).collect::<Vec<_>>())
            })
            .collect();
        parts.into_iter().flat_map(|part| part.join().expect("a thread")).collect()
    });
    let listed = on_purpose();
    assert!(listed.len() <= 15, "{} plays differ on purpose", listed.len());
    let (mut faults, mut differ) = (String::new(), 0);
    for (name, lines) in &found {
        let is_listed = listed.contains_key(name);
        if !lines.is_empty() {
            differ += 1;
        }
        if single && !lines.is_empty() || lines.is_empty() == is_listed {
            let shown = if lines.is_empty() {
                "listed, and no longer differs".to_owned()
            } else {
                lines.join("\n  ")
            };
            faults.push_str(&format!("{name}\n  {shown}\n"));
        }
    }
    println!("{} of {} plays agree", found.len() - differ, found.len());
    assert!(faults.is_empty(), "{faults}");
}
