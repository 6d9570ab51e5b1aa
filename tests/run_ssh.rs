//! Ssh actions, against a real sshd on the loopback.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use ankus::execute::attempt::Attempt;

use crate::run::{CONFIG, ankus, program, project, statuses, workflow};
use crate::support::sinks::{PATIENCE, free_port};
use crate::support::sshd::{self, Sshd};

const RUN: [&str; 4] = ["run", "app", "-c", "app/job.properties"];

/// Does what waits for somebody else, but not for ever.
fn patiently<T: Send + 'static>(wait: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, done) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(wait()));
    done.recv_timeout(PATIENCE).expect("it comes")
}

/// An ssh action.
fn ssh(name: &str, parts: &str, ok: &str) -> String {
    format!(
        r#"<action name="{name}"><ssh xmlns="uri:oozie:ssh-action:0.2"><host>127.0.0.1</host>{parts}</ssh>
        <ok to="{ok}"/><error to="fail"/></action>"#
    )
}

fn folder_of_sshd(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-sshd"))
}

/// A project whose ssh actions reach a port with a key.
fn reaching(name: &str, nodes: &str, port: u16, key: &Path, user: &str) -> PathBuf {
    let config = format!("{CONFIG}{}", sshd::config(port, key, &folder_of_sshd(name).join("known")));
    let text = workflow("remote", nodes);
    let properties = format!("user.name={user}\n");
    let files = [("ankus.toml", &config), ("app/workflow.xml", &text), ("app/job.properties", &properties)];
    project(name, &files.map(|(path, text)| (path, text.as_str())))
}

/// A project whose ssh actions reach an sshd that runs.
fn with_sshd(name: &str, nodes: &str) -> (Sshd, PathBuf) {
    let folder = folder_of_sshd(name);
    let _ = std::fs::remove_dir_all(&folder);
    let sshd = sshd::start(&folder);
    let project = reaching(name, nodes, sshd.port, &sshd.key, &sshd.user);
    (sshd, project)
}

fn info(folder: &Path) -> String {
    ankus(folder, &["job", "1-W", "info"]).1
}

#[test]
#[cfg_attr(not(has_sshd), ignore = "needs /usr/sbin/sshd")]
fn words_arrive_as_they_are_and_output_comes_back() {
    let nodes = format!(
        r#"<start to="say"/>{}<decision name="check"><switch>
        <case to="flat">${{wf:actionData('say')['a'] eq "$(touch x); it's; *"}}</case><default to="fail"/></switch>
        </decision>{}<decision name="last"><switch>
        <case to="end">${{wf:actionData('flat')['b'] eq 'Hello World;'}}</case><default to="fail"/></switch></decision>"#,
        ssh(
            "say",
            "<command>printf</command><arg>a=%s\\n</arg><arg>$(touch x); it's; *</arg><capture-output/>",
            "check"
        ),
        ssh(
            "flat",
            "<command>echo</command><args>\"b=Hello</args><args>World;\"</args><capture-output/>",
            "last"
        ),
    );
    let (_sshd, folder) = with_sshd("ssh-words", &nodes);
    let (code, out, err) = ankus(&folder, &["-q", "run", "app", "-c", "app/job.properties"]);
    assert_eq!(code, 0, "{out}{err}{}{}", info(&folder), ankus(&folder, &["job", "1-W", "log"]).1);
    let (_, log, _) = ankus(&folder, &["job", "1-W", "log", "--action", "flat"]);
    assert!(log.contains("\nb=Hello World;\n"), "{log}");
    assert!(log.contains(": begun as process group ") && log.contains(": ended with exit code 0\n"), "{log}");
}

#[test]
#[cfg_attr(not(has_sshd), ignore = "needs /usr/sbin/sshd")]
fn errors_have_the_codes_and_kinds_of_a_server() {
    let (sshd, folder) =
        with_sshd("ssh-errors", &format!("<start to=\"a\"/>{}", ssh("a", "<command>false</command>", "end")));
    let (code, _, _) = ankus(&folder, &RUN);
    assert_eq!((code, statuses(&folder)), (1, vec!["KILLED".to_owned()]));
    assert!(info(&folder).contains("E1111") && info(&folder).contains("Exit code:1"), "{}", info(&folder));
    let stranger = folder_of_sshd("ssh-errors").join("stranger");
    sshd::key(&stranger);
    let long = "<command>sh</command><arg>-c</arg><arg>echo a=$(printf %03000d 1)</arg><capture-output/>";
    let lost = "<command>sh</command><arg>-c</arg><arg>kill -KILL $PPID</arg>";
    let none = "<command>none-such</command>";
    let fine = "<command>true</command>";
    let missing = folder.join("no-key");
    for (number, (parts, port, key, status, code)) in [
        (none, sshd.port, &sshd.key, "KILLED", "Exit code:127"),
        (long, sshd.port, &sshd.key, "FAILED", "ERR_UNKNOWN_ERROR"),
        (lost, sshd.port, &sshd.key, "SUSPENDED", "ANKUS-LOST"),
        // Somebody must look at it.
        (fine, sshd.port, &stranger, "SUSPENDED", "AUTH_FAILED"),
        (fine, free_port(), &sshd.key, "KILLED", "UNKNOWN_ERROR"),
        // It may go away by itself, so it is tried again later.
        (fine, sshd.port, &missing, "RUNNING", "FNF"),
    ]
    .into_iter()
    .enumerate()
    {
        let nodes = format!("<start to=\"a\"/>{}", ssh("a", parts, "end"));
        let name = format!("ssh-errors-{number}");
        let folder = reaching(&name, &nodes, port, key, &sshd.user);
        let mut child = program(&folder, &RUN);
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program runs");
        let mut out = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
        if status == "RUNNING" {
            let mut line = String::new();
            while !line.contains("START_RETRY") {
                line.clear();
                assert!(std::io::BufRead::read_line(&mut out, &mut line).expect("a line") > 0, "no retry");
            }
            child.kill().expect("it is killed");
        } else {
            let mut rest = String::new();
            out.read_to_string(&mut rest).expect("lines");
        }
        child.wait().expect("it ends");
        assert_eq!(statuses(&folder), [status], "{code}: {}", info(&folder));
        assert!(info(&folder).contains(code), "{code}: {}", info(&folder));
    }
}

#[test]
#[cfg_attr(not(has_sshd), ignore = "needs /usr/sbin/sshd")]
fn a_killed_command_ends_where_it_runs() {
    let pipe = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("ssh-kill-pipe");
    let _ = std::fs::remove_file(&pipe);
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    let script = format!("exec 3&gt;{}; echo up &gt;&amp;3; sleep 600", pipe.display());
    let parts = format!("<command>sh</command><arg>-c</arg><arg>{script}</arg>");
    let nodes = format!("<start to=\"a\"/>{}", ssh("a", &parts, "end"));
    let (_sshd, folder) = with_sshd("ssh-kill", &nodes);
    let mut child = program(&folder, &RUN)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let mut pipe = patiently(move || {
        let mut pipe = std::fs::File::open(&pipe).expect("the command opens it");
        pipe.read_exact(&mut [0; 3]).expect("the command writes");
        pipe
    });
    let mut out = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while !line.contains("@a  PREP -> RUNNING") {
        line.clear();
        assert!(std::io::BufRead::read_line(&mut out, &mut line).expect("a line") > 0, "it does not run");
    }
    assert_eq!(ankus(&folder, &["job", "1-W", "kill"]).0, 0);
    // It comes to its end when nobody has the pipe open any more, there.
    assert_eq!(patiently(move || pipe.read_to_end(&mut Vec::new()).expect("its end")), 0);
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("lines");
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    assert_eq!(statuses(&folder), ["KILLED"]);
    assert!(!info(&folder).contains("FAILED_TO_KILL"), "{}", info(&folder));
}

/// An action whose command says that it is up, waits for a word, and says that; with both pipes and the file of its marks.
struct Waiting {
    nodes: String,
    up: PathBuf,
    go: PathBuf,
    marks: PathBuf,
}

fn waiting(name: &str) -> Waiting {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-pipes"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let (up, go, marks) = (folder.join("up"), folder.join("go"), folder.join("marks"));
    for pipe in [&up, &go] {
        nix::unistd::mkfifo(pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    }
    let script = format!(
        "echo once &gt;&gt; {}; echo early=1; echo up &gt; {}; read x &lt; {}; echo a=$x",
        marks.display(),
        up.display(),
        go.display()
    );
    let parts = format!("<command>sh</command><arg>-c</arg><arg>{script}</arg><capture-output/>");
    let nodes = format!(
        r#"<start to="a"/>{}<decision name="d"><switch><case to="end">${{wf:actionData('a')['a'] eq 'on'}}</case>
        <default to="fail"/></switch></decision>"#,
        ssh("a", &parts, "d")
    );
    Waiting { nodes, up, go, marks }
}

impl Waiting {
    /// Waits until the command is up.
    fn is_up(&self) {
        let up = self.up.clone();
        patiently(move || std::fs::read_to_string(&up).expect("the command writes"));
    }

    /// Lets it go on.
    fn goes_on(&self) {
        let go = self.go.clone();
        patiently(move || std::fs::write(&go, "on\n").expect("the command reads"));
    }
}

/// What an attempt has written to its standard error so far, once there is something in it.
fn errors(folder: &Path, wanted: &'static str) -> String {
    let file = folder.join(".ankus/work/1/1/stderr");
    patiently(move || {
        loop {
            match std::fs::read_to_string(&file) {
                Ok(text) if text.contains(wanted) => return text,
                _ => std::thread::yield_now(),
            }
        }
    })
}

/// The command is over, was run once, and has left nothing there.
fn is_whole(folder: &Path, waiting: &Waiting) {
    assert_eq!(std::fs::read_to_string(&waiting.marks).expect("marks"), "once\n");
    let stdout = std::fs::read_to_string(folder.join(".ankus/work/1/1/stdout")).expect("output");
    assert_eq!(stdout, "early=1\na=on\n");
    let errors = errors(folder, ": ended with exit code 0\n");
    let (mark, _) = errors.split_once(": begun as process group").expect("it has begun");
    let mark = mark.lines().last().expect("a mark");
    assert!(mark.starts_with("ankus-1-1-"), "{errors}");
    let user = nix::unistd::User::from_uid(nix::unistd::getuid()).expect("users").expect("a user");
    assert!(!user.dir.join(format!(".{mark}")).exists(), "{mark}");
}

#[test]
#[cfg_attr(not(has_sshd), ignore = "needs /usr/sbin/sshd")]
fn a_command_outlives_the_executor_and_runs_once() {
    let waiting = waiting("ssh-adopt");
    let (_sshd, folder) = with_sshd("ssh-adopt", &waiting.nodes);
    let mut child =
        program(&folder, &RUN).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program runs");
    waiting.is_up();
    child.kill().and_then(|()| child.wait()).expect("it is killed");
    let next = program(&folder, &["run"]).stdout(Stdio::piped()).spawn().expect("the program runs");
    waiting.goes_on();
    let output = next.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}{}", info(&folder));
    is_whole(&folder, &waiting);
}

#[test]
#[cfg_attr(not(has_sshd), ignore = "needs /usr/sbin/sshd")]
fn a_command_outlives_its_connection() {
    let waiting = waiting("ssh-cut");
    let (mut sshd, folder) = with_sshd("ssh-cut", &waiting.nodes);
    let child = program(&folder, &RUN).stdout(Stdio::piped()).spawn().expect("the program runs");
    waiting.is_up();
    sshd.cut();
    errors(&folder, "the connection was lost, and is made again: ");
    // Nobody is there for a while, and the command goes on meanwhile.
    errors(&folder, "Connection refused");
    waiting.goes_on();
    sshd.again();
    let output = patiently(move || child.wait_with_output().expect("it ends"));
    assert!(output.status.success(), "{output:?}{}", info(&folder));
    is_whole(&folder, &waiting);
}

#[test]
#[cfg_attr(not(has_sshd), ignore = "needs /usr/sbin/sshd")]
fn a_command_outlives_everything_here() {
    let waiting = waiting("ssh-all");
    let (_sshd, folder) = with_sshd("ssh-all", &waiting.nodes);
    let mut child =
        program(&folder, &RUN).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program runs");
    waiting.is_up();
    errors(&folder, ": begun as process group");
    child.kill().and_then(|()| child.wait()).expect("it is killed");
    // The supervisor too, as if this machine had lost its power.
    let attempt = Attempt::new(folder.join(".ankus/work/1/1"));
    let all =
        std::process::Command::new("ps").args(["-A", "-o", "pid=,args="]).output().expect("ps runs").stdout;
    let all = String::from_utf8_lossy(&all).into_owned();
    let own = attempt.folder().display().to_string();
    let lines = all.lines().filter(|line| line.contains("supervise") && line.trim_end().ends_with(&own));
    let ids: Vec<i32> = lines
        .map(|line| line.split_whitespace().next().expect("a number").parse().expect("a number"))
        .collect();
    assert_eq!(ids.len(), 1, "{all}");
    let id = nix::unistd::Pid::from_raw(ids[0]);
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGKILL).expect("it is killed");
    attempt.wait().expect("it is gone");
    assert!(!attempt.has_result());
    let next = program(&folder, &["run"]).stdout(Stdio::piped()).spawn().expect("the program runs");
    waiting.goes_on();
    let output = patiently(move || next.wait_with_output().expect("it ends"));
    assert!(output.status.success(), "{output:?}{}", info(&folder));
    is_whole(&folder, &waiting);
}

#[test]
#[cfg_attr(not(has_sshd), ignore = "needs /usr/sbin/sshd")]
fn a_command_outlives_trouble_with_files_here() {
    let waiting = waiting("ssh-files");
    let (_sshd, folder) = with_sshd("ssh-files", &waiting.nodes);
    let child = program(&folder, &RUN).stdout(Stdio::piped()).spawn().expect("the program runs");
    waiting.is_up();
    errors(&folder, ": begun as process group");
    // What comes over the connection can be neither read nor written for a while.
    let (said, stderr) = (".ankus/work/1/1/connection.out", ".ankus/work/1/1/stderr");
    let (said, stderr) = (folder.join(said), folder.join(stderr));
    std::fs::remove_file(&said).and_then(|()| std::fs::create_dir(&said)).expect("a folder in its place");
    waiting.goes_on();
    // All is asked for again from the beginning.
    patiently(move || {
        while std::fs::metadata(&stderr).is_ok_and(|meta| meta.len() > 0) {
            std::thread::yield_now();
        }
    });
    std::fs::remove_dir(&said).expect("it goes");
    let output = patiently(move || child.wait_with_output().expect("it ends"));
    assert!(output.status.success(), "{output:?}{}", info(&folder));
    is_whole(&folder, &waiting);
}

#[test]
#[cfg_attr(not(has_sshd), ignore = "needs /usr/sbin/sshd")]
fn a_command_that_cannot_be_reached_cannot_be_killed() {
    let waiting = waiting("ssh-unkilled");
    let (mut sshd, folder) = with_sshd("ssh-unkilled", &waiting.nodes);
    let child = program(&folder, &RUN).stdout(Stdio::piped()).spawn().expect("the program runs");
    waiting.is_up();
    errors(&folder, ": begun as process group");
    sshd.cut();
    errors(&folder, "Connection refused");
    assert_eq!(ankus(&folder, &["job", "1-W", "kill"]).0, 0);
    let output = patiently(move || child.wait_with_output().expect("it ends"));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(info(&folder).contains("FAILED_TO_KILL"), "{}", info(&folder));
    // It runs on there, and its folder stays.
    waiting.goes_on();
    let errors = errors(&folder, ": begun as process group");
    let mark = errors.split(": begun as process group").next().expect("a mark").to_owned();
    let user = nix::unistd::User::from_uid(nix::unistd::getuid()).expect("users").expect("a user");
    let kept = user.dir.join(format!(".{mark}"));
    patiently({
        let code = kept.join("code");
        move || {
            while !code.exists() {
                std::thread::yield_now();
            }
        }
    });
    assert_eq!(std::fs::read_to_string(kept.join("stdout")).expect("its output"), "early=1\na=on\n");
    std::fs::remove_dir_all(kept).expect("it goes");
}
