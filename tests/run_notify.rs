//! Notifications by HTTP: who is told what, when once more, and that none is lost.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::run::{CONFIG, ankus, program, project, statuses, workflow};
use crate::support::sinks::{self, Sink};

const NODES: &str = r#"<start to="work"/>
    <action name="work"><fs><mkdir path="/out"/></fs><ok to="check"/><error to="fail"/></action>
    <decision name="check"><switch><case to="end">${wf:id() ne ''}</case><default to="fail"/></switch></decision>"#;

const REHEARSAL: [&str; 6] = ["run", "app", "-c", "app/job.properties", "--stub", "all"];

fn rehearse(folder: &Path) -> (i32, String, String) {
    ankus(folder, &REHEARSAL)
}

/// A project whose job tells a listener, through a proxy where there is one.
fn listening(name: &str, settings: &str, listener: &str, proxy: &str) -> PathBuf {
    let properties = format!(
        "oozie.wf.workflow.notification.url=http://{listener}/job/$status?parent=$parentId\n\
         oozie.wf.action.notification.url=http://{listener}/node/$nodeName/$status?token=abc123\n\
         oozie.wf.workflow.notification.proxy={proxy}\n"
    );
    let config = format!("{CONFIG}[run.notification]\n{settings}\n");
    let text = workflow("told", NODES);
    let files = [("ankus.toml", &config), ("app/workflow.xml", &text), ("app/job.properties", &properties)];
    project(name, &files.map(|(path, text)| (path, text.as_str())))
}

fn local(sink: &Sink) -> String {
    format!("127.0.0.1:{}", sink.port)
}

/// What a listener hears of a job that ends well, in order.
fn heard() -> Vec<String> {
    let paths = [
        "/job/RUNNING?parent=",
        "/node/:start:/T:work?token=abc123",
        "/node/work/S:RUNNING?token=abc123",
        "/node/work/T:check?token=abc123",
        "/node/check/T:end?token=abc123",
        "/node/end/T:null?token=abc123",
        "/job/SUCCEEDED?parent=",
    ];
    paths.iter().map(|path| format!("GET {path} HTTP/1.1")).collect()
}

fn chores(folder: &Path) -> i64 {
    let store = rusqlite::Connection::open(folder.join(".ankus/store.sqlite")).expect("a store");
    store.query_row("SELECT count(*) FROM chore", [], |row| row.get(0)).expect("a count")
}

#[test]
fn a_job_stays_until_its_listeners_have_heard() {
    let sink = sinks::web(&[200]);
    let folder = listening("notify-purge", "", &local(&sink), "");
    assert_eq!(ankus(&folder, &["submit", "app", "-c", "app/job.properties"]).0, 0);
    assert_eq!(ankus(&folder, &["job", "1-W", "kill"]).0, 0);
    let purge = || ankus(&folder, &["jobs", "purge", "--older-than", "0s"]).1;
    let kept = "removed 0 jobs of 0 submissions\n1 submission over but kept: ";
    assert!(purge().starts_with(kept), "{}", purge());
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!(sink.all(), ["GET /job/KILLED?parent= HTTP/1.1"]);
    assert_eq!(purge(), "removed 1 job of 1 submission\n");
}

#[test]
fn a_listener_hears_of_jobs_and_nodes_in_order() {
    let sink = sinks::web(&[200]);
    let folder = listening("notify-order", "", &local(&sink), "");
    let (code, out, err) = rehearse(&folder);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(sink.all(), heard());
    assert_eq!(chores(&folder), 0);
}

#[test]
fn what_is_not_taken_is_sent_again_and_then_given_up() {
    let sink = sinks::web(&[500, 404, 200]);
    let folder = listening("notify-again", "retry-seconds = 0", &local(&sink), "");
    let (code, _, err) = rehearse(&folder);
    assert_eq!(code, 0, "{err}");
    let mut all = sink.all();
    let times = all.iter().filter(|line| all.iter().filter(|other| other == line).count() > 1).count();
    assert!(times > 0 && all.len() == heard().len() + 2, "{all:?}");
    all.sort();
    all.dedup();
    let mut expected = heard();
    expected.sort();
    assert_eq!(all, expected);
    let again = "was not taken, and is sent again in 0 s: the answer was 500";
    assert!(err.contains(again), "{err}");
    // Never taken: told, and no matter for the job.
    let sink = sinks::web(&[503]);
    let folder = listening("notify-up", "retry-seconds = 0\nretries = 1", &local(&sink), "");
    let (code, _, err) = rehearse(&folder);
    assert_eq!(code, 0, "{err}");
    assert_eq!(sink.all().len(), 2 * heard().len());
    let words = "could not send notification [http://127.0.0.1:";
    assert_eq!(err.matches(words).count(), heard().len(), "{err}");
    assert!(err.contains("asked 2 times: the answer was 503"), "{err}");
    assert!(!err.contains("abc123"), "secrets are not shown: {err}");
    assert_eq!((statuses(&folder), chores(&folder)), (vec!["SUCCEEDED".to_owned()], 0));
}

#[test]
fn addresses_that_are_none_are_given_up_at_once() {
    let folder = listening("notify-bad", "", "", "");
    let (code, _, err) = rehearse(&folder);
    assert_eq!(code, 0, "{err}");
    assert_eq!(err.matches("asked once: ").count(), heard().len(), "{err}");
}

#[test]
#[cfg(unix)]
fn what_was_under_way_when_the_executor_was_killed_is_sent_again() {
    // It hears the first and never answers it, but all that come later.
    let mut kept = None;
    let sink = Sink::new(move |stream, told| {
        use std::io::BufRead;
        if kept.is_some() {
            return sinks::answer(stream, 200, told);
        }
        let mut line = String::new();
        std::io::BufReader::new(&stream).read_line(&mut line).expect("a line");
        told.send(line.trim().to_owned()).expect("a test");
        kept = Some(stream);
    });
    let folder = listening("notify-kill", "", &local(&sink), "");
    let mut child = program(&folder, &REHEARSAL)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    assert_eq!(sink.next(), heard()[0]);
    child.kill().and_then(|()| child.wait()).expect("it is killed");
    assert!(chores(&folder) > 0);
    let (code, out, err) = ankus(&folder, &["run"]);
    assert_eq!(code, 0, "{out}{err}");
    let told = sink.all();
    for line in heard() {
        assert!(told.contains(&line), "{line} is lost: {told:?}");
    }
    assert_eq!(chores(&folder), 0);
}

#[test]
fn proxies_are_asked_for_the_whole_address() {
    let sink = sinks::web(&[200]);
    let folder = listening("notify-http", "", "listener.example:81", &local(&sink));
    let (code, _, err) = rehearse(&folder);
    assert_eq!(code, 0, "{err}");
    let whole = |line: &String| line.replace("GET ", "GET http://listener.example:81");
    assert_eq!(sink.all(), heard().iter().map(whole).collect::<Vec<_>>(), "{err}");
    let sink = sinks::socks();
    let folder = listening("notify-socks", "", "listener.example:81", &format!("socks@{}", local(&sink)));
    let (code, _, err) = rehearse(&folder);
    assert_eq!(code, 0, "{err}");
    let all = sink.all();
    assert!(all.iter().step_by(2).all(|name| name == "listener.example:81"), "{all:?}");
    assert_eq!(all.into_iter().skip(1).step_by(2).collect::<Vec<_>>(), heard());
    // The proxy of all jobs, from the configuration.
    let sink = sinks::web(&[200]);
    let folder =
        listening("notify-default", &format!("proxy = \"{}\"", local(&sink)), "listener.example", "");
    let properties = folder.join("app/job.properties");
    let text = std::fs::read_to_string(&properties).expect("properties");
    let text: Vec<&str> = text.lines().filter(|line| !line.contains(".proxy=")).collect();
    std::fs::write(&properties, text.join("\n")).expect("written");
    assert_eq!(rehearse(&folder).0, 0);
    assert_eq!(sink.all().len(), heard().len());
}

#[test]
fn a_listener_hears_of_the_actions_of_a_coordinator() {
    let sink = sinks::web(&[200]);
    let coordinator = r#"<coordinator-app name="c" frequency="60" start="2024-01-01T00:00Z" end="2024-01-01T01:00Z"
        timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><action><workflow><app-path>hdfs://nn/apps/app</app-path>
        </workflow></action></coordinator-app>"#;
    let url = format!("http://{}/$actionId/$status", local(&sink));
    let properties = format!("oozie.coord.action.notification.url={url}\n");
    let text = workflow("told", NODES);
    let files = [
        ("coord/coordinator.xml", coordinator),
        ("coord/job.properties", &properties),
        ("app/workflow.xml", &text),
    ];
    let folder = project("notify-coordinator", &files);
    let (code, out, err) = ankus(&folder, &["run", "coord", "-c", "coord/job.properties", "--stub", "all"]);
    assert_eq!(code, 0, "{out}{err}");
    let all = sink.all();
    let statuses: Vec<&str> = all
        .iter()
        .map(|line| {
            let path = line.split(' ').nth(1).expect("a path");
            let (id, status) = path.rsplit_once('/').expect("two parts");
            assert!(id.starts_with("/0000001-") && id.ends_with("-C@1"), "{id}");
            status
        })
        .collect();
    assert_eq!(statuses, ["WAITING", "READY", "SUBMITTED", "RUNNING", "SUCCEEDED"]);
}
