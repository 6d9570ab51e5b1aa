//! What a run says to a person: before it begins, where something fails, and at its end.

use std::path::Path;

use crate::run::{ankus, project, shell, statuses, workflow};

const COORDINATOR: &str = r#"<coordinator-app name="c" frequency="10" start="2024-01-01T00:00Z" end="2024-01-01T00:10Z"
    timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><action><workflow><app-path>hdfs://nn/apps/app</app-path>
    <configuration><property><name>what</name><value>${where}</value></property></configuration></workflow></action>
    </coordinator-app>"#;

const BUNDLE: &str = r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2"><coordinator name="one">
    <app-path>hdfs://nn/apps/coord</app-path></coordinator></bundle-app>"#;

fn asking(name: &str) -> std::path::PathBuf {
    let nodes = format!(r#"<start to="load"/>{}"#, shell("load", "x.sh", &["${whom}"], "end"));
    let text = workflow("w", &nodes);
    let files = [
        ("app/workflow.xml", text.as_str()),
        ("app/x.sh", "#!/bin/sh\necho hello\n"),
        ("coord/coordinator.xml", COORDINATOR),
        ("bundle/bundle.xml", BUNDLE),
    ];
    project(name, &files)
}

#[test]
fn what_would_fail_is_refused_before_anything_is_begun() {
    let folder = asking("preflight");
    for (app, given, name, place) in [
        ("app", &[][..], "whom", "app/workflow.xml:"),
        ("coord", &[], "where", "coord/coordinator.xml:"),
        ("coord", &["-D", "where=x"], "whom", "app/workflow.xml:"),
        ("bundle", &["-D", "where=x"], "whom", "app/workflow.xml:"),
        ("bundle", &[], "where", "coord/coordinator.xml:"),
    ] {
        for command in ["run", "submit"] {
            let (code, out, err) = ankus(&folder, &[&[command, app][..], given].concat());
            let said = format!("{out}{err}");
            assert_eq!(code, 2, "{command} {app}: {said}");
            for words in [&format!("`{name}`"), place, &format!("-D {name}=…")] {
                assert!(said.contains(words), "{command} {app}: {words}\n{said}");
            }
        }
    }
    assert!(!folder.join(".ankus").exists());
    // What nothing reaches does not fail.
    let (code, out, err) = ankus(&folder, &["run", "app", "-D", "whom=x", "--stub", "all"]);
    assert_eq!(code, 0, "{out}{err}");
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    assert_eq!((code, statuses(&folder).len()), (2, 1), "{out}{err}");
    let (code, _, err) = ankus(&folder, &["submit", "app", "--no-preflight"]);
    assert_eq!((code, err.as_str()), (0, ""));
    // An unfinished job has properties of its own.
    let (code, _, err) = ankus(&folder, &["job", "2-W", "kill"]);
    assert_eq!(code, 0, "{err}");
    let (code, _, err) = ankus(&folder, &["submit", "app", "-D", "whom=x"]);
    assert_eq!(code, 0, "{err}");
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(err.contains("goes on with the unfinished job 0000003-W"), "{err}");
}

#[test]
fn nodes_that_are_not_reached_need_nothing() {
    let nodes = format!(
        r#"<start to="first"/>{}{}{}"#,
        shell("first", "x.sh", &["${early}"], "load"),
        shell("load", "x.sh", &[], "end"),
        shell("lost", "x.sh", &["${never}"], "end")
    );
    let text = workflow("w", &nodes);
    let folder =
        project("preflight-reached", &[("app/workflow.xml", &text), ("app/x.sh", "#!/bin/sh\nexit 0\n")]);
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    assert_eq!(code, 2, "{out}{err}");
    assert!(
        format!("{out}{err}").contains("`early` has no value") && !format!("{out}{err}").contains("`never`")
    );
    let (code, out, err) = ankus(&folder, &["run", "app", "--from-node", "load"]);
    assert_eq!(code, 0, "{out}{err}");
}

fn failing(name: &str, script: &str) -> std::path::PathBuf {
    let nodes = format!(r#"<start to="bad"/>{}"#, shell("bad", "bad.sh", &["${my_token}"], "end"));
    project(name, &[("app/workflow.xml", &workflow("bad", &nodes)), ("app/bad.sh", script)])
}

#[test]
#[cfg(unix)]
fn the_last_words_of_what_failed_stand_in_its_line() {
    let script =
        "#!/bin/sh\nseq 1 5000 >&2\necho \"no such table: $1\" >&2\nprintf 'a\\033[31mb\\001' >&2\nexit 3\n";
    let folder = failing("last-words", script);
    let given = ["-D", "my_token=s3cr3tt0k"];
    let (code, out, err) = ankus(&folder, &[&["run", "app"][..], &given].concat());
    assert_eq!((code, err.as_str()), (1, ""));
    let line =
        out.lines().find(|line| line.contains("@bad  DONE -> ERROR")).expect("the line of the failure");
    assert!(line.ends_with(r"; stderr: 5000 | no such table: *** | a\u001b[31mb\u0001"), "{line}");
    assert!(!out.contains("s3cr3t") && !out.contains('\u{1b}') && !out.contains("4990"), "{out}");
    assert!(out.contains("\n  0000001-W@bad failed: JA018: "), "{out}");
    assert!(out.ends_with("next: `ankus job 0000001-W log --action bad`\n"), "{out}");
    let (_, events, _) =
        ankus(&folder, &[&["run", "app", "--new", "--format", "jsonl"][..], &given].concat());
    assert!(events.contains("; stderr: 5000 | no such table: ***"), "{events}");
    assert!(events.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()), "{events}");
}

#[test]
#[cfg(unix)]
fn colours_are_for_who_wants_them() {
    let folder = failing("colours", "#!/bin/sh\nexit 3\n");
    let run = |more: &[&str]| {
        ankus(&folder, &[&["run", "app", "--new", "-D", "my_token=x1y2"][..], more].concat()).1
    };
    assert!(!run(&[]).contains('\u{1b}'));
    let coloured = run(&["--color", "always"]);
    assert!(coloured.contains("\u{1b}[31mERROR\u{1b}[0m") && coloured.contains("\u{1b}[31mKILLED\u{1b}[0m"));
    assert!(!run(&["--color", "always", "--format", "jsonl"]).contains('\u{1b}'));
}

fn next_of(folder: &Path, arguments: &[&str]) -> String {
    let (code, out, err) = ankus(folder, arguments);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    out
}

#[test]
#[cfg(unix)]
fn a_rerun_says_what_is_next_or_does_it() {
    let folder = failing("rerun-next", "#!/bin/sh\nexit 3\n");
    let (code, ..) = ankus(&folder, &["run", "app", "-D", "my_token=x1y2"]);
    assert_eq!(code, 1);
    std::fs::write(folder.join("app/bad.sh"), "#!/bin/sh\nexit 0\n").expect("it can be written");
    assert_eq!(next_of(&folder, &["job", "1-W", "rerun", "--failed"]), "next: `ankus run`\n");
    let (code, _, err) = ankus(&folder, &["job", "1-W", "rerun", "--failed", "-D", "a=b"]);
    assert_eq!(code, 1);
    assert!(err.contains("has not finished") && err.contains("`ankus job 0000001-W kill`"), "{err}");
    assert!(next_of(&folder, &["run"]).ends_with(": 1 action OK\n"));
    let out = next_of(&folder, &["job", "1-W", "rerun", "--skip", "", "--and-run"]);
    assert!(out.contains("RUNNING -> SUCCEEDED") && out.ends_with(": 1 action OK\n"), "{out}");
}
