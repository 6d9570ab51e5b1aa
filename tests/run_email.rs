//! Email actions, against a mail server in the test.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::channel;

use crate::run::{CONFIG, ankus, program, project, statuses, workflow};
use crate::support::sinks::{self, Sink};

const LETTER: &str = r#"<to>a@example.org, b@example.org</to><cc>c@example.org</cc><bcc>d@example.org</bcc>
    <subject>Größe of ${wf:name()}</subject><body>It is <![CDATA[<b>done</b>]]>.
.
A dot stands alone.</body><content_type>text/html</content_type><attachment>hdfs://nn/out/rows.csv</attachment>"#;

fn mailing(name: &str, settings: &str, letter: &str) -> PathBuf {
    let nodes = format!(
        r#"<start to="mail"/><action name="mail"><email xmlns="uri:oozie:email-action:0.2">{letter}</email>
        <ok to="end"/><error to="fail"/></action>"#
    );
    let text = workflow("mailing", &nodes);
    let config = format!("{CONFIG}{settings}");
    let files =
        [("ankus.toml", config.as_str()), ("app/workflow.xml", &text), ("data/out/rows.csv", "1;2\n")];
    project(name, &files)
}

fn server(sink: &Sink) -> String {
    format!("[run.email]\nhost = \"127.0.0.1\"\nport = {}\nfrom = \"oozie@localhost\"\n", sink.port)
}

fn info(folder: &Path) -> String {
    ankus(folder, &["job", "1-W", "info"]).1
}

#[test]
fn a_letter_reaches_everybody_once() {
    let sink = sinks::mail(|_| None);
    let folder = mailing("email-well", &server(&sink), LETTER);
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}{}", info(&folder));
    let all = sink.all();
    let said: Vec<&str> = all.iter().map(String::as_str).filter(|line| !line.contains('\n')).collect();
    assert!(said[0].starts_with("EHLO "), "{said:?}");
    assert!(said[1].starts_with("MAIL FROM:<oozie@localhost>"), "{said:?}");
    let to = ["a", "b", "c", "d"].map(|name| format!("RCPT TO:<{name}@example.org>"));
    assert_eq!(said[2..6], to.each_ref().map(String::as_str));
    let letters: Vec<&String> = all.iter().filter(|line| line.contains('\n')).collect();
    assert_eq!(letters.len(), 1);
    let letter = letters[0];
    for part in [
        "From: oozie@localhost\n",
        "To: a@example.org, b@example.org\n",
        "Cc: c@example.org\n",
        "Subject: =?utf-8?b?R3LDtsOfZQ==?= of mailing\n",
        "Content-Type: multipart/mixed;",
        "Content-Type: text/html; charset=utf-8\n",
        "It is <b>done</b>.\n..\nA dot stands alone.",
        "Content-Disposition: attachment; filename=\"rows.csv\"\n",
        "Content-Type: application/octet-stream\n",
        "1;2",
    ] {
        assert!(letter.contains(part), "{part} is not in\n{letter}");
    }
    assert!(!letter.contains("d@example.org"), "{letter}");
}

#[test]
fn what_the_server_refuses_ends_the_action_with_its_code() {
    let simple = "<to>a@example.org</to><subject>s</subject><body>b</body>";
    let sink = sinks::mail(|line| line.starts_with("RCPT").then(|| "550 nobody of this name".to_owned()));
    let dead = format!("[run.email]\nhost = \"127.0.0.1\"\nport = {}\n", sinks::free_port());
    let secured = format!("{}starttls = true\n", server(&sink));
    for (number, (settings, letter, words)) in [
        (server(&sink), simple.to_owned(), "EM007"),
        (dead, simple.to_owned(), "EM007"),
        (secured, simple.to_owned(), "EM007"),
        (server(&sink), simple.replace("a@example.org", "nonsense@"), "EM004"),
        (server(&sink), simple.replace("a@example.org", " "), "EM001"),
        (server(&sink).replace("oozie@", ""), simple.to_owned(), "EM002"),
        (server(&sink), format!("{simple}<attachment>file:///etc/hosts</attachment>"), "EM008"),
        (server(&sink), format!("{simple}<attachment>hdfs://nn/../x</attachment>"), "EM008"),
        (server(&sink), format!("{simple}<attachment>hdfs://nn/none</attachment>"), "EM007"),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = mailing(&format!("email-bad-{number}"), &settings, &letter);
        let (code, out, err) = ankus(&folder, &["run", "app"]);
        assert_eq!(code, 1, "{number}: {out}{err}");
        assert_eq!(statuses(&folder), ["KILLED"], "{number}");
        assert!(info(&folder).contains(words), "{number}: {}", info(&folder));
    }
    assert!(!sink.all().iter().any(|line| line.contains('\n')), "nothing was sent");
}

/// All files below a folder that hold a text.
fn holding(folder: &Path, text: &str) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if String::from_utf8_lossy(&std::fs::read(&path).expect("a file")).contains(text) {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn a_password_comes_from_the_environment_and_goes_to_the_server_alone() {
    let sink = sinks::mail(|_| None);
    let login = "auth = true\nusername = \"bob\"\npassword-env = \"ANKUS_TEST_PASSWORD\"\n";
    let folder = mailing("email-auth", &format!("{}{login}", server(&sink)), LETTER);
    let (code, _, err) = ankus(&folder, &["run", "app"]);
    assert_eq!(code, 2);
    assert!(err.contains("the environment variable `ANKUS_TEST_PASSWORD`"), "{err}");
    assert!(!folder.join(".ankus").exists(), "nothing is begun");
    let mut command = program(&folder, &["run", "app"]);
    let output = command.env("ANKUS_TEST_PASSWORD", "hunter2-of-bob").output().expect("it runs");
    assert!(output.status.success(), "{output:?}");
    // AUTH PLAIN of bob and the password.
    assert!(sink.all().iter().any(|line| line == "AUTH PLAIN AGJvYgBodW50ZXIyLW9mLWJvYg=="));
    assert_eq!(holding(&folder, "hunter2-of-bob"), Vec::<PathBuf>::new());
    assert!(!format!("{output:?}").contains("hunter2"));
}

#[test]
fn without_a_mail_server_nothing_is_begun() {
    let folder = mailing("email-none", "", LETTER);
    let (code, _, err) = ankus(&folder, &["run", "app"]);
    assert_eq!(code, 2);
    assert!(err.contains("action `mail` of type `email` needs a mail server"), "{err}");
    assert!(!folder.join(".ankus").exists(), "nothing is begun");
    assert_eq!(ankus(&folder, &["-q", "run", "app", "--stub", "email"]).0, 0);
}

#[test]
fn a_letter_outlives_its_executor_and_is_not_sent_twice() {
    // The server takes its time until it is told.
    let (go, gone) = channel::<()>();
    let gone = std::sync::Mutex::new(gone);
    let sink = sinks::mail(move |line| {
        if line.starts_with("DATA") {
            gone.lock().expect("a lock").recv().expect("a word");
        }
        None
    });
    let folder = mailing("email-killed", &server(&sink), LETTER);
    let mut child = program(&folder, &["run", "app"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    while sink.next() != "DATA" {}
    child.kill().and_then(|()| child.wait()).expect("it is killed");
    go.send(()).expect("the server waits");
    let (code, out, err) = ankus(&folder, &["run"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert_eq!(sink.all().iter().filter(|line| line.contains('\n')).count(), 1);
}

#[test]
fn a_missed_service_level_goes_to_its_contact() {
    let sink = sinks::mail(|_| None);
    // The end was due long ago: what runs now has missed it.
    let text = r#"<workflow-app name="late" xmlns="uri:oozie:workflow:1.0" xmlns:sla="uri:oozie:sla:0.2">
        <start to="made"/><action name="made"><fs><mkdir path="hdfs://nn/out/late"/></fs><ok to="end"/><error to="end"/>
        </action><end name="end"/>
        <sla:info><sla:nominal-time>2020-01-01T00:00Z</sla:nominal-time><sla:should-start>10</sla:should-start>
        <sla:should-end>30</sla:should-end><sla:alert-events>end_miss</sla:alert-events>
        <sla:alert-contact>ops@example.org</sla:alert-contact><sla:notification-msg>Ring ${ring}.</sla:notification-msg>
        </sla:info></workflow-app>"#;
    let config = format!("{CONFIG}{}", server(&sink));
    let files = [("ankus.toml", config.as_str()), ("app/workflow.xml", text)];
    let folder = project("email-alert", &files);
    let (code, out, err) = ankus(&folder, &["run", "app", "-D", "ring=Ada"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let all = sink.all();
    let letters: Vec<&String> = all.iter().filter(|line| line.contains('\n')).collect();
    assert_eq!(letters.len(), 1, "{all:?}");
    for part in [
        "To: ops@example.org\n",
        "Subject: SLA END_MISS (app late, 0000001-W)\n",
        "2020-01-01T00:30Z",
        "Ring Ada.",
    ] {
        assert!(letters[0].contains(part), "{part} is not in\n{}", letters[0]);
    }
    // It is sent once, whatever is run later.
    let (code, ..) = ankus(&folder, &["run"]);
    assert_eq!((code, sink.all()), (0, Vec::new()));
}

#[test]
fn an_alert_that_nobody_takes_is_said_and_holds_nothing_up() {
    let dead = format!("[run.email]\nhost = \"127.0.0.1\"\nport = {}\n", sinks::free_port());
    let text = r#"<workflow-app name="late" xmlns="uri:oozie:workflow:1.0" xmlns:sla="uri:oozie:sla:0.2">
        <start to="made"/><action name="made"><fs><mkdir path="hdfs://nn/out/late"/></fs><ok to="end"/><error to="end"/>
        </action><end name="end"/>
        <sla:info><sla:nominal-time>2020-01-01T00:00Z</sla:nominal-time><sla:should-end>30</sla:should-end>
        <sla:alert-contact>ops@example.org</sla:alert-contact></sla:info></workflow-app>"#;
    let config = format!("{CONFIG}{dead}");
    let folder = project("email-alert-dead", &[("ankus.toml", config.as_str()), ("app/workflow.xml", text)]);
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    assert_eq!(code, 0, "{out}{err}");
    let said = format!("{out}{err}");
    assert!(said.contains("could not send an alert of a service level to ops@example.org: EM007"), "{said}");
}
