//! `ankus run` on a real terminal: what is drawn, drawn again and taken away, and what Ctrl-C does there.

use std::path::{Path, PathBuf};

use ankus::execute::attempt::{Attempt, State};

use crate::run::{ankus, project, shell, statuses, workflow};
use crate::run_control::{gate, marks, of_script};
use crate::support::terminal::Terminal;

/// How many actions run beside each other.
const MANY: usize = 10;

/// A workflow whose actions all wait at a gate.
fn forked(name: &str) -> PathBuf {
    let mut nodes = r#"<start to="fork"/><fork name="fork">"#.to_owned();
    (0..MANY).for_each(|n| nodes.push_str(&format!(r#"<path start="a{n}"/>"#)));
    nodes.push_str("</fork>");
    (0..MANY).for_each(|n| nodes.push_str(&shell(&format!("a{n}"), "wait.sh", &[], "join")));
    nodes.push_str(r#"<join name="join" to="end"/>"#);
    let script = "#!/bin/sh\ncat ../../../../../gate > /dev/null 2>&1\necho x >> ../../../../../marks\n";
    project(name, &[("app/workflow.xml", &workflow("many", &nodes)), ("app/wait.sh", script)])
}

fn lines_with(terminal: &Terminal, words: &str) -> usize {
    terminal.seen().iter().filter(|line| line.contains(words)).count()
}

fn attempt(folder: &Path) -> Attempt {
    Attempt::new(folder.join(".ankus/work/1/1"))
}

#[test]
fn the_view_is_drawn_again_and_a_key_stops_the_executor() {
    let folder = forked("terminal-view");
    let gate = gate(&folder);
    // The view alone has more lines than this terminal.
    let mut terminal = Terminal::start(&folder, 8, &["run", "app"]);
    terminal.until(|terminal| lines_with(terminal, "  runs for ") >= 5);
    // With the time, too.
    let drawn = terminal.erased();
    terminal.until(|terminal| terminal.erased() >= drawn + 2 && lines_with(terminal, "  runs for ") >= 5);
    assert_eq!(lines_with(&terminal, "  many  RUNNING  "), 1, "{:#?}", terminal.seen());
    assert_eq!(lines_with(&terminal, " more lines"), 1, "{:#?}", terminal.seen());
    let opened = std::fs::OpenOptions::new().write(true).open(&gate).expect("the pipe");
    terminal.types(b"\x03");
    let status = terminal.end();
    let seen = terminal.seen();
    assert_eq!(status.code(), Some(1), "{seen:#?}");
    assert_eq!(lines_with(&terminal, "  runs for ") + lines_with(&terminal, " more lines"), 0, "{seen:#?}");
    let last = seen.iter().rev().find(|line| !line.is_empty()).expect("lines");
    assert!(last.ends_with("nothing new is begun; go on with `ankus run`"), "{seen:#?}");
    assert_eq!(
        attempt(&folder).state().expect("a state"),
        State::Running,
        "the key is for the executor alone"
    );
    std::fs::remove_file(gate).expect("it can be removed");
    drop(opened);
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!((marks(&folder).lines().count(), statuses(&folder)), (MANY, vec!["SUCCEEDED".to_owned()]));
}

#[test]
fn the_key_typed_again_leaves_at_once() {
    let folder = of_script("terminal-twice", "echo begun >> $PROJECT/marks");
    let value = "x".repeat(100_000);
    std::fs::write(folder.join("big.properties"), format!("big={value}\nbigger={value}\n")).expect("a file");
    let again = ["run", "app", "-c", "big.properties", "--format", "jsonl"];
    let mut terminal = Terminal::start(&folder, 24, &again);
    // It writes a line for which nobody makes room.
    terminal.until(|terminal| terminal.raw.len() > 10_000);
    let mut typed = 0;
    let status = loop {
        if let Some(status) = terminal.has_ended() {
            break status;
        }
        terminal.types(b"\x03");
        typed += 1;
        std::thread::yield_now();
    };
    assert!(typed >= 2, "one alone does not end it at once");
    assert_eq!(status.code(), Some(130));
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!((marks(&folder).as_str(), statuses(&folder)), ("begun\n", vec!["SUCCEEDED".to_owned()]));
}

#[test]
fn what_runs_outlives_its_terminal() {
    let folder = of_script("terminal-gone", "echo begun >> $PROJECT/marks; cat $PROJECT/gate > /dev/null");
    let gate = gate(&folder);
    let mut terminal = Terminal::start(&folder, 24, &["run", "app"]);
    terminal.until(|terminal| lines_with(terminal, "  runs for ") == 1);
    let opened = std::fs::OpenOptions::new().write(true).open(&gate).expect("the pipe");
    terminal.hang_up();
    assert_eq!(attempt(&folder).state().expect("a state"), State::Running);
    drop(opened);
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!((marks(&folder).as_str(), statuses(&folder)), ("begun\n", vec!["SUCCEEDED".to_owned()]));
}
