//! Operators, signals and time: what stands still waits for somebody, and nothing is lost when somebody leaves.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use ankus::execute::attempt::Attempt;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::run::{ankus, program, project, shell, statuses, workflow};

/// The folder of the project, from the working directory of an attempt.
const PROJECT: &str = "../../../../..";

/// A workflow of one action with a script, which may say `$PROJECT`.
pub fn of_script(name: &str, script: &str) -> PathBuf {
    let text = workflow("w", &format!(r#"<start to="a"/>{}"#, shell("a", "a.sh", &[], "end")));
    let script = format!("#!/bin/sh\nPROJECT={PROJECT}\n{script}\n");
    project(name, &[("app/workflow.xml", &text), ("app/a.sh", &script)])
}

/// A pipe in a folder: who opens it waits for the other end.
pub fn gate(folder: &Path) -> PathBuf {
    let path = folder.join("gate");
    nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    path
}

pub fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = program(folder, arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

pub fn interrupt(process: &Child) {
    let id = Pid::from_raw(i32::try_from(process.id()).expect("a process number"));
    kill(id, Signal::SIGINT).expect("it can be signalled");
}

/// The exit code and what was written to standard error.
pub fn end(process: Child) -> (Option<i32>, String) {
    let output = process.wait_with_output().expect("it ends");
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

pub fn marks(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("marks")).unwrap_or_default()
}

#[test]
fn an_action_that_was_lost_waits_for_resume() {
    let script = "echo begun >> $PROJECT/marks; echo to-log\n\
                  test -f $PROJECT/again || { touch $PROJECT/again; kill -9 $PPID; exit 0; }";
    let folder = of_script("control-lost", script);
    let (code, _, err) = ankus(&folder, &["run", "app"]);
    assert_eq!(code, 1);
    assert!(err.contains("nothing will happen any more by itself"), "{err}");
    assert_eq!(statuses(&folder), ["SUSPENDED"]);
    let (_, info, _) = ankus(&folder, &["job", "1-W", "info"]);
    for words in
        ["START_MANUAL", "ANKUS-LOST", "waits for somebody to look at it", "`ankus job 0000001-W resume`"]
    {
        assert!(info.contains(words), "{words}: {info}");
    }
    // Nothing happens until somebody asks for it.
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 1);
    assert_eq!(marks(&folder), "begun\n");
    assert_eq!(ankus(&folder, &["job", "1-W", "resume"]), (0, String::new(), String::new()));
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!(marks(&folder), "begun\nbegun\n");
    let log = |more: &[&str]| ankus(&folder, &[&["job", "1-W", "log"], more].concat()).1;
    assert_eq!(log(&[]), "== a, stdout\nto-log\n== a, attempt 2, stdout\nto-log\n");
    assert_eq!(log(&["--attempt", "last"]), "== a, attempt 2, stdout\nto-log\n");
    assert_eq!(log(&["--attempt", "1", "--action", "a"]), "== a, stdout\nto-log\n");
    assert_eq!(log(&["--action", "b"]), "");
}

#[test]
fn an_end_that_cannot_be_read_waits_for_resume() {
    let folder = of_script("control-end", "echo begun >> $PROJECT/marks; cat $PROJECT/gate > /dev/null");
    let gate = gate(&folder);
    let executor = start(&folder, &["run", "app", "--jobs", "2"]);
    // Opened once the action has opened it too.
    let opened = std::fs::OpenOptions::new().write(true).open(&gate).expect("the pipe");
    interrupt(&executor);
    let (code, err) = end(executor);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("what runs in processes runs on") && err.contains("`ankus run --jobs 2`"), "{err}");
    // The process runs on without an executor, and its end is kept.
    let attempt = Attempt::new(folder.join(".ankus/work/1/1"));
    assert!(!attempt.has_result());
    drop(opened);
    attempt.wait().expect("it ends");
    let result = attempt.folder().join("result.json");
    let kept = std::fs::read(&result).expect("a result");
    std::fs::write(&result, "{ half").expect("it can be written");
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 1);
    let (_, info, _) = ankus(&folder, &["job", "1-W", "info"]);
    assert!(info.contains("END_MANUAL") && info.contains("JA009"), "{info}");
    assert!(info.contains("work/1/1/result.json` is damaged") && info.contains("rerun --failed`"), "{info}");
    // A resume that finds it as before waits again.
    assert_eq!(ankus(&folder, &["job", "1-W", "resume"]).0, 0);
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 1);
    std::fs::write(&result, kept).expect("it can be written");
    assert_eq!(ankus(&folder, &["job", "1-W", "resume"]).0, 0);
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!((marks(&folder).as_str(), statuses(&folder)), ("begun\n", vec!["SUCCEEDED".to_owned()]));
}

#[test]
fn an_end_that_is_never_read_leads_to_a_rerun() {
    let folder = of_script("control-unread", "echo begun >> $PROJECT/marks; cat $PROJECT/gate > /dev/null");
    let gate = gate(&folder);
    let open = || std::fs::OpenOptions::new().write(true).open(&gate).expect("the pipe");
    let executor = start(&folder, &["run", "app"]);
    let opened = open();
    interrupt(&executor);
    assert_eq!(end(executor).0, Some(1));
    drop(opened);
    let attempt = Attempt::new(folder.join(".ankus/work/1/1"));
    attempt.wait().expect("it ends");
    std::fs::write(attempt.folder().join("result.json"), "").expect("it can be written");
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 1);
    // The way that `info` names.
    assert_eq!(ankus(&folder, &["job", "1-W", "kill"]).0, 0);
    let next = "next: `ankus run`\n".to_owned();
    assert_eq!(ankus(&folder, &["job", "1-W", "rerun", "--failed"]), (0, next, String::new()));
    let executor = start(&folder, &["run"]);
    drop(open());
    assert_eq!(end(executor).0, Some(0));
    assert_eq!(
        (marks(&folder).as_str(), statuses(&folder)),
        ("begun\nbegun\n", vec!["SUCCEEDED".to_owned()])
    );
}

#[test]
fn a_second_interruption_leaves_at_once_and_loses_nothing() {
    let folder = of_script("control-twice", "echo begun >> $PROJECT/marks");
    // More than a pipe holds, so that the executor waits for a reader who does not read.
    let value = "x".repeat(100_000);
    std::fs::write(folder.join("big.properties"), format!("big={value}\nbigger={value}\n")).expect("a file");
    let mut executor = start(&folder, &["run", "app", "-c", "big.properties", "--format", "jsonl"]);
    let mut byte = [0];
    executor.stdout.as_mut().expect("its output").read_exact(&mut byte).expect("it writes");
    let mut sent = 0;
    let status = loop {
        if let Some(status) = executor.try_wait().expect("it can be asked") {
            break status;
        }
        // Signals that follow too closely count as one.
        interrupt(&executor);
        sent += 1;
        std::thread::yield_now();
    };
    assert!(sent >= 2, "one alone does not end it at once");
    assert_eq!(status.code(), Some(130));
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!((marks(&folder).as_str(), statuses(&folder)), ("begun\n", vec!["SUCCEEDED".to_owned()]));
}

#[test]
fn commands_work_while_an_executor_runs() {
    let nodes = |script: &str| format!(r#"<start to="a"/>{}"#, shell("a", script, &["${mode}"], "end"));
    let script = "#!/bin/sh\necho \"$1\"; test \"$1\" = good\n";
    let wait = format!("#!/bin/sh\ncat {PROJECT}/gate > /dev/null\n");
    let files = [
        ("bad/workflow.xml", workflow("bad", &nodes("a.sh"))),
        ("bad/a.sh", script.to_owned()),
        ("slow/workflow.xml", workflow("slow", &nodes("wait.sh"))),
        ("slow/wait.sh", wait),
    ];
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let folder = project("control-both", &files);
    let gate = gate(&folder);
    assert_eq!(ankus(&folder, &["-q", "run", "bad", "-D", "mode=bad"]).0, 1);
    let executor = start(&folder, &["run", "slow", "-D", "mode=slow"]);
    let mut opened = std::fs::OpenOptions::new().write(true).open(&gate).expect("the pipe");
    // The executor takes the definition as it is now, with new properties.
    let patched = workflow("bad", &nodes("a.sh").replace("<exec>", "<exec><!-- mended -->"));
    std::fs::write(folder.join("bad/workflow.xml"), patched).expect("it can be written");
    let rerun = ["job", "1-W", "rerun", "--failed", "-D", "mode=good"];
    assert_eq!(ankus(&folder, &rerun), (0, String::new(), String::new()));
    let (code, followed, _) = ankus(&folder, &["job", "1-W", "log", "-f"]);
    assert_eq!((code, followed.as_str()), (0, "== a, stdout\nbad\n== a, attempt 2, stdout\ngood\n"));
    assert!(ankus(&folder, &["job", "1-W", "definition"]).1.contains("<!-- mended -->"));
    let (code, _, err) = ankus(&folder, &["run", "bad", "-D", "mode=good"]);
    assert_eq!(code, 2);
    assert!(err.contains("another executor works on the store"), "{err}");
    opened.write_all(b"go").expect("it can be written");
    drop(opened);
    assert_eq!(end(executor).0, Some(0));
    assert_eq!(statuses(&folder), ["SUCCEEDED", "SUCCEEDED"]);
}

#[test]
fn exit_codes_tell_how_it_went() {
    let folder = of_script("control-codes", "exit 0");
    assert_eq!(ankus(&folder, &["-q", "run", "app"]).0, 0);
    assert_eq!(ankus(&folder, &["-q", "run", "app", "--stub", "all=ERROR"]).0, 1);
    let (code, _, err) = ankus(&folder, &["-q", "run", "app", "--until", "2020-01-01T00:00Z"]);
    assert_eq!(code, 1);
    assert!(err.contains("stopped at the time that was asked for; go on with `ankus run`"), "{err}");
    assert_eq!(ankus(&folder, &["-q", "run", "nowhere"]).0, 2);
    assert_eq!(ankus(&folder, &["-q", "job", "9-W", "info"]).0, 2);
    assert_eq!(ankus(&folder, &["-q", "run", "app", "--jobs", "many"]).0, 2);
}

#[test]
fn submissions_are_taken_while_an_executor_runs() {
    let nodes = |script: &str| format!(r#"<start to="a"/>{}"#, shell("a", script, &[], "end"));
    let wait = format!("#!/bin/sh\ncat {PROJECT}/gate > /dev/null\n");
    let coordinator = r#"<coordinator-app name="c" frequency="10" start="2024-01-01T00:00Z" end="2024-01-01T00:20Z"
        timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><action><workflow><app-path>hdfs://nn/apps/w</app-path>
        </workflow></action></coordinator-app>"#;
    let bundle = r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2"><coordinator name="one">
        <app-path>hdfs://nn/apps/c</app-path></coordinator></bundle-app>"#;
    let files = [
        ("slow/workflow.xml", workflow("slow", &nodes("wait.sh"))),
        ("slow/wait.sh", wait),
        ("w/workflow.xml", workflow("w", &nodes("x.sh"))),
        ("w/x.sh", "#!/bin/sh\n".to_owned()),
        ("c/coordinator.xml", coordinator.to_owned()),
        ("b/bundle.xml", bundle.to_owned()),
    ];
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let folder = project("control-submit", &files);
    let gate = gate(&folder);
    let executor = start(&folder, &["run", "slow"]);
    let mut opened = std::fs::OpenOptions::new().write(true).open(&gate).expect("the pipe");
    let submit = |app: &str, ends: &str| {
        let (code, out, err) = ankus(&folder, &["submit", app, "--external-id", app]);
        assert_eq!((code, err.as_str()), (0, ""), "{app}: {out}");
        assert!(out.trim_end().ends_with(ends) && out.contains("-ankus-"), "{out}");
        out.trim_end().to_owned()
    };
    let submitted = [submit("w", "-W"), submit("c", "-C"), submit("b", "-B")];
    let (code, out, err) = ankus(&folder, &["submit", "w", "--external-id", "c"]);
    assert_eq!((code, err.as_str()), (0, "there is a job of this name already\n"));
    assert!(out.starts_with("0000003-"), "{out}");
    // Commands of its own kind wait for their turn; the executor does them all.
    let ids = [&submitted[0], &submitted[2]];
    let starts: Vec<Child> = ids.iter().map(|id| start(&folder, &["job", id, "start"])).collect();
    for one in starts {
        assert_eq!(end(one), (Some(0), String::new()));
    }
    opened.write_all(b"go").expect("it can be written");
    drop(opened);
    assert_eq!(end(executor).0, Some(0));
    let all = statuses(&folder);
    assert!(all.len() == 9 && all.iter().all(|status| status == "SUCCEEDED"), "{all:?}");
}

#[test]
fn commands_at_once_wait_for_each_other() {
    let nodes = format!(r#"<start to="a"/>{}"#, shell("a", "x.sh", &[], "end"));
    let text = workflow("w", &nodes);
    let folder = project("control-at-once", &[("app/workflow.xml", &text), ("app/x.sh", "")]);
    let at_once = |commands: Vec<Vec<String>>| {
        let commands: Vec<Child> = commands
            .iter()
            .map(|words| start(&folder, &words.iter().map(String::as_str).collect::<Vec<_>>()))
            .collect();
        for command in commands {
            assert_eq!(end(command), (Some(0), String::new()));
        }
    };
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    at_once((0..8).map(|_| words(&["submit", "app"])).collect());
    assert_eq!(statuses(&folder), ["PREP"; 8]);
    at_once((1..=8).map(|number| words(&["job", &format!("{number}-W"), "start"])).collect());
    assert_eq!(statuses(&folder), ["RUNNING"; 8]);
}

#[test]
fn a_kill_without_an_executor_ends_what_runs() {
    let folder = of_script(
        "control-kill-alone",
        "trap 'echo ended > $PROJECT/told; exit 1' TERM\necho begun > $PROJECT/gate\nwhile :; do sleep 0.01; done",
    );
    let read = |path: &Path| std::fs::read_to_string(path).expect("the pipe");
    let gate = gate(&folder);
    let told = folder.join("told");
    nix::unistd::mkfifo(&told, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    let mut executor = start(&folder, &["run", "app"]);
    assert_eq!(read(&gate), "begun\n");
    executor.kill().expect("it can be killed");
    executor.wait().expect("it is over");
    assert_eq!(ankus(&folder, &["job", "1-W", "kill"]), (0, String::new(), String::new()));
    // Nobody else is there to end it.
    assert_eq!(read(&told), "ended\n");
    assert_eq!(statuses(&folder), ["KILLED"]);
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 1);
}
