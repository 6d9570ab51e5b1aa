//! Processes whose supervisor was ended in the middle: they are told of, nothing is begun beside them, and a kill ends them.

use std::fs::OpenOptions;
use std::path::Path;
use std::process::Command;

use ankus::execute::attempt::Attempt;
use ankus::execute::group;

use crate::json_schemas::{accept as accept_document, validator};
use crate::run::{ankus, statuses};
use crate::run_control::{gate, marks, of_script};
use crate::support::not_run;

/// Ends its supervisor the first time.
const LOSES: &str =
    "export PROJECT; echo begun >> $PROJECT/marks; test -f $PROJECT/again && exit 0; touch $PROJECT/again";

/// How long something may take that is under way.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(120);

fn until(what: &str, is_so: impl Fn() -> bool) {
    let begin = std::time::Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "{what}");
        std::thread::yield_now();
    }
}

/// The first attempt of the only action.
fn first(folder: &Path) -> Attempt {
    Attempt::new(folder.join(".ankus/work/1/1"))
}

fn info(folder: &Path) -> String {
    ankus(folder, &["job", "1-W", "info"]).1
}

/// To resume a coordinator whose action was lost begins nothing; what does is named.
#[test]
fn a_coordinator_that_waits_for_a_lost_action_names_its_workflow() {
    let folder = of_script("left-coordinator", &format!("{LOSES}; kill -9 $PPID"));
    let text = r#"<coordinator-app name="c" frequency="${coord:days(1)}" start="2024-01-01T00:00Z" end="2024-01-02T00:00Z"
        timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><action><workflow><app-path>hdfs://nn/app</app-path></workflow>
        </action></coordinator-app>"#;
    std::fs::create_dir_all(folder.join("daily")).expect("a folder");
    std::fs::write(folder.join("daily/coordinator.xml"), text).expect("an app");
    assert_eq!(ankus(&folder, &["-q", "run", "daily"]).0, 1);
    assert_eq!(ankus(&folder, &["job", "1-C", "resume"]).0, 0);
    let (code, out, err) = ankus(&folder, &["run"]);
    let words = "0000001-C waits for somebody to look at the lost action of 0000002-W, then `ankus job 0000002-W resume`";
    assert!(code == 1 && err.contains(words), "{out}{err}");
    assert!(!err.contains("`ankus job 0000001-C resume`"), "{err}");
}

#[test]
fn nothing_is_begun_beside_what_nobody_watches() {
    let script = format!("{LOSES}; kill -9 $PPID; read x < $PROJECT/gate; echo over >> $PROJECT/marks");
    let folder = of_script("left-beside", &script);
    let gate = gate(&folder);
    assert_eq!(ankus(&folder, &["-q", "run", "app"]).0, 1);
    assert_eq!(statuses(&folder), ["SUSPENDED"]);
    let told = info(&folder);
    for words in [
        "ANKUS-LOST",
        "processes of it still run (group ",
        "processes of a still run, and nobody watches them",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let (_, out, _) = ankus(&folder, &["job", "1-W", "info", "--format", "json"]);
    accept_document(&validator("job"), &out, "info");
    let told: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(told["leftRunning"][0]["part"], "a");
    // Asked for, it waits again.
    assert_eq!(ankus(&folder, &["job", "1-W", "resume"]).0, 0);
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 1);
    let told = info(&folder);
    assert!(
        told.contains("START_MANUAL") && told.contains("attempt 1 was lost, and processes of it still run"),
        "{told}"
    );
    assert_eq!(marks(&folder), "begun\n");
    // Opened once the process has opened it too.
    drop(OpenOptions::new().write(true).open(&gate).expect("the pipe"));
    until("it ends", || group::left(&first(&folder)).is_empty());
    assert_eq!(ankus(&folder, &["job", "1-W", "resume"]).0, 0);
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!(marks(&folder), "begun\nover\nbegun\n");
    assert!(!info(&folder).contains("still run, and nobody"));
}

/// What may have done its work already is begun again when its workflow is named, not along with others.
#[test]
fn what_was_lost_begins_again_only_when_it_is_named() {
    let folder = of_script("left-unseen", &format!("{LOSES}; kill -9 $PPID"));
    let coordinator = r#"<coordinator-app name="c" frequency="60" start="2024-01-01T00:00Z" end="2024-01-01T01:00Z"
        timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><action><workflow><app-path>hdfs://nn/app</app-path>
        </workflow></action></coordinator-app>"#;
    std::fs::create_dir(folder.join("c")).expect("a folder");
    std::fs::write(folder.join("c/coordinator.xml"), coordinator).expect("it can be written");
    std::fs::write(folder.join("ankus.toml"), "[paths]\n\"hdfs://nn\" = \".\"\n").expect("it can be written");
    assert_eq!(ankus(&folder, &["-q", "run", "c"]).0, 1);
    let told = ankus(&folder, &["job", "2-W", "info"]).1;
    assert!(told.contains("ANKUS-LOST"), "{told}");
    for command in ["suspend", "resume"] {
        let (_, out, err) = ankus(&folder, &["job", "1-C", command]);
        println!("{command}: {out}{err}");
    }
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 1);
    assert_eq!(marks(&folder), "begun\n", "it has not begun again along with its coordinator");
    let told = ankus(&folder, &["job", "2-W", "info"]).1;
    assert!(told.contains("begun again only when its workflow is named"), "{told}");
    assert_eq!(ankus(&folder, &["job", "2-W", "resume"]).0, 0);
    let (_, out, err) = ankus(&folder, &["run"]);
    assert_eq!(marks(&folder), "begun\nbegun\n", "{out}{err}");
    assert!(ankus(&folder, &["job", "2-W", "info"]).1.contains("SUCCEEDED"));
}

#[test]
fn a_kill_ends_what_nobody_watches() {
    // With a process of its own below it, and deaf to polite words in the second round.
    for (name, trap) in [("left-kill", ""), ("left-kill-deaf", "trap '' TERM;")] {
        let script = format!(
            "{trap} {LOSES}; (read x < $PROJECT/gate; echo over >> $PROJECT/marks) & kill -9 $PPID; wait; wait"
        );
        let folder = of_script(name, &script);
        let gate = gate(&folder);
        assert_eq!(ankus(&folder, &["-q", "run", "app"]).0, 1);
        assert!(!group::left(&first(&folder)).is_empty());
        // No executor runs that would do it.
        assert_eq!(ankus(&folder, &["job", "1-W", "kill"]).0, 0);
        until("it is ended", || group::left(&first(&folder)).is_empty());
        assert_eq!((marks(&folder).as_str(), statuses(&folder)), ("begun\n", vec!["KILLED".to_owned()]));
        assert!(gate.exists());
    }
}

#[test]
fn what_nobody_watches_is_found_in_a_container_too() {
    // There the session may have begun outside, and is number 0 inside.
    let unshare = |folder: &Path, script: &str| {
        let mut command = Command::new("unshare");
        command.args([
            "--user",
            "--map-root-user",
            "--pid",
            "--fork",
            "--mount-proc",
            "--kill-child",
            "sh",
            "-c",
            script,
        ]);
        command.current_dir(folder).arg(env!("CARGO_BIN_EXE_ankus")).output()
    };
    let script = format!("{LOSES}; kill -9 $PPID; read x < $PROJECT/gate; echo over >> $PROJECT/marks");
    let folder = of_script("left-container", &script);
    gate(&folder);
    if !unshare(&folder, "true").is_ok_and(|output| output.status.success()) {
        not_run("an executor in a container", "no namespaces are allowed");
        return;
    }
    let script = r#"cut -d' ' -f6 /proc/self/stat; "$0" -q run app; "$0" job 1-W info; "$0" job 1-W kill; "$0" job 1-W info"#;
    let output = unshare(&folder, script).expect("it runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.starts_with("0\n"), "the session is from outside: {told}");
    assert_eq!(told.matches("nobody watches them").count(), 1, "{told}");
    assert_eq!((marks(&folder).as_str(), statuses(&folder)), ("begun\n", vec!["KILLED".to_owned()]));
}

#[test]
fn a_daemon_that_has_left_its_group_is_nobody_of_the_action() {
    let script = format!(
        "{LOSES}; setsid sh -c 'echo > $PROJECT/up; read x < $PROJECT/gate; echo daemon >> $PROJECT/marks' &\n\
         while ! test -f $PROJECT/up; do :; done; kill -9 $PPID"
    );
    let folder = of_script("left-daemon", &script);
    let gate = gate(&folder);
    assert_eq!(ankus(&folder, &["-q", "run", "app"]).0, 1);
    until("the script ends", || group::left(&first(&folder)).is_empty());
    assert_eq!(ankus(&folder, &["job", "1-W", "resume"]).0, 0);
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!(marks(&folder), "begun\nbegun\n");
    drop(OpenOptions::new().write(true).open(&gate).expect("the pipe"));
    until("the daemon has gone on", || marks(&folder) == "begun\nbegun\ndaemon\n");
}
