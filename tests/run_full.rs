//! Disks that are full: the end of what ran is kept until it can be written, and a store loses nothing.

use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

use ankus::execute::attempt::{Attempt, Outcome, Spec, State, Task};
use ankus::execute::captures::Captures;
use ankus::execute::lasting::Patience;
use ankus::execute::setup::Setup;
use ankus::execute::supervisor;

use crate::run::{ankus, statuses};
use crate::run_control::{end, interrupt, marks, of_script, start};
use crate::support::folder_of;

/// A device that is always full.
const FULL: &str = "/dev/full";

/// An attempt that runs a shell script and captures what it says.
fn attempt(name: &str, script: &str) -> Attempt {
    let attempt = Attempt::new(folder_of(name, &[]));
    let command = ["sh", "-c", script].map(str::to_owned).to_vec();
    let env = vec![("PATH".to_owned(), std::env::var("PATH").unwrap_or_default())];
    let task = Task::Process { command, env, captures: Captures::Stdout };
    let spec =
        Spec { task, grace_millis: 1_000, setup: Setup::default(), max_output: 2_048, asked_millis: None };
    attempt.prepare(&spec).expect("it is prepared");
    attempt
}

/// The file that becomes the result.
const DRAFT: &str = "result.json.new";

/// Lets nothing be written where the result is: `full` as on a full disk, else as if the disk were broken.
fn obstruct(folder: &Path, full: bool) {
    let draft = folder.join(DRAFT);
    std::fs::remove_file(&draft).expect("there was room for the result");
    match full {
        true => std::os::unix::fs::symlink(FULL, &draft).expect("a link"),
        false => std::fs::create_dir(&draft).expect("a folder"),
    }
}

fn clear(folder: &Path) {
    let draft = folder.join(DRAFT);
    std::fs::remove_file(&draft).or_else(|_| std::fs::remove_dir(&draft)).expect("it can be removed");
}

#[test]
fn an_end_is_kept_until_it_can_be_written() {
    for full in [true, false] {
        let attempt = attempt("full-kept", "echo a=b; echo x >> ../ran");
        obstruct(attempt.folder(), full);
        let slept = Cell::new(Duration::ZERO);
        let naps = Cell::new(Vec::new());
        let mut sleep = |pause: Duration| {
            // Whoever asks meanwhile is told that it runs, as it did.
            assert_eq!(attempt.state().expect("a state"), State::Running);
            slept.set(slept.get() + pause);
            let mut all = naps.take();
            all.push(pause.as_millis());
            naps.set(all);
            if slept.get() >= Duration::from_secs(200) {
                slept.set(Duration::ZERO);
                clear(attempt.folder());
            }
        };
        supervisor::run_with(attempt.folder(), &mut Patience::new(&mut sleep)).expect("it is written");
        let naps = naps.take();
        assert_eq!(naps[..8], [100, 200, 400, 800, 1_000, 600, 1_000, 1_000], "they grow");
        assert!(naps.iter().all(|nap| *nap <= 1_000), "a kill is seen soon");
        let outcome = Outcome::well("SUCCEEDED", Some("a=b\n".to_owned()));
        assert_eq!(attempt.state().expect("a state"), State::Over(outcome));
        assert_eq!(std::fs::read_to_string(attempt.folder().join("ran")).expect("a file"), "x\n");
    }
}

#[test]
fn a_kill_ends_the_wait_for_room() {
    let attempt = attempt("full-killed", "true");
    obstruct(attempt.folder(), true);
    let naps = Cell::new(0);
    let mut sleep = |_| {
        naps.set(naps.get() + 1);
        assert!(naps.get() <= 3, "it waits no longer");
        if naps.get() == 3 {
            attempt.ask_kill().expect("it is asked");
        }
    };
    let error = supervisor::run_with(attempt.folder(), &mut Patience::new(&mut sleep)).expect_err("no room");
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    assert_eq!(attempt.state().expect("a state"), State::Lost, "nobody asks for it any more");
}

#[test]
fn nobody_waits_for_room_in_a_folder_that_is_gone() {
    let attempt = attempt("full-gone", "cd ../..; rm -r full-gone");
    let mut sleep = |_| panic!("it waits");
    supervisor::run_with(attempt.folder(), &mut Patience::new(&mut sleep)).expect_err("nowhere to write");
}

/// A script after which its end cannot be written.
const OBSTRUCTING: &str = "echo begun >> $PROJECT/marks; echo a=b; ln -sf /dev/full ../result.json.new";

/// Waits until the script of the first attempt has done what it does.
fn obstructed(folder: &Path) -> Attempt {
    let attempt = Attempt::new(folder.join(".ankus/work/1/1"));
    let draft = attempt.folder().join(DRAFT);
    while !draft.is_symlink() {
        std::thread::yield_now();
    }
    attempt
}

#[test]
fn an_executor_and_the_next_wait_for_an_end_that_has_no_room() {
    let folder = of_script("full-executor", OBSTRUCTING);
    let executor = start(&folder, &["run", "app"]);
    let attempt = obstructed(&folder);
    assert_eq!(attempt.state().expect("a state"), State::Running);
    interrupt(&executor);
    assert_eq!(end(executor).0, Some(1));
    let next = start(&folder, &["run"]);
    assert_eq!(statuses(&folder), ["RUNNING"]);
    std::fs::remove_file(attempt.folder().join(DRAFT)).expect("there is room");
    let (code, err) = end(next);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!((marks(&folder).as_str(), statuses(&folder)), ("begun\n", vec!["SUCCEEDED".to_owned()]));
    let Ok(State::Over(outcome)) = attempt.state() else { panic!("it is over") };
    assert_eq!(outcome.data.as_deref(), Some("a=b\n"));
}

#[test]
fn a_job_whose_end_has_no_room_can_be_killed() {
    let folder = of_script("full-kill", OBSTRUCTING);
    let executor = start(&folder, &["run", "app"]);
    obstructed(&folder);
    assert_eq!(ankus(&folder, &["job", "1-W", "kill"]), (0, String::new(), String::new()));
    assert_eq!(end(executor).0, Some(1));
    assert_eq!(statuses(&folder), ["KILLED"]);
    let (_, info, _) = ankus(&folder, &["job", "1-W", "info"]);
    assert!(!info.contains("LOST") && !info.contains("RUNNING"), "{info}");
}

#[test]
fn an_attempt_without_room_for_its_result_is_not_begun() {
    let folder = of_script("full-begin", "echo begun >> $PROJECT/marks");
    assert_eq!(ankus(&folder, &["submit", "app"]).0, 0);
    let attempt = folder.join(".ankus/work/1/1");
    std::fs::create_dir_all(&attempt).expect("its folder");
    std::os::unix::fs::symlink(FULL, attempt.join(DRAFT)).expect("a link");
    assert_eq!(ankus(&folder, &["job", "1-W", "start"]).0, 0);
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 1);
    let (_, info, _) = ankus(&folder, &["job", "1-W", "info"]);
    assert!(info.contains("START_MANUAL") && info.contains("JA009"), "{info}");
    assert_eq!((marks(&folder).as_str(), statuses(&folder)), ("", vec!["SUSPENDED".to_owned()]));
    clear(&attempt);
    assert_eq!(ankus(&folder, &["job", "1-W", "resume"]).0, 0);
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!((marks(&folder).as_str(), statuses(&folder)), ("begun\n", vec!["SUCCEEDED".to_owned()]));
}
