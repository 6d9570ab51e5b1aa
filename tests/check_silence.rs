//! A check is never green because it did not look: what cannot be read, or is not there, is told.

use crate::support;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{folder_of, not_run, root};

const WORKFLOW: &str =
    r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5"><start to="e"/><end name="e"/></workflow-app>"#;

/// Runs `ankus check` in a folder: exit code, standard output and error.
fn check(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    run(Command::new(env!("CARGO_BIN_EXE_ankus")).current_dir(folder).arg("check").args(arguments))
}

fn run(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command.stdin(Stdio::null()).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The files and rules of the findings.
fn findings(json: &str) -> Vec<(String, String)> {
    let report: serde_json::Value = serde_json::from_str(json).expect("it is JSON");
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let findings = report["findings"].as_array().expect("findings").iter();
    findings.map(|finding| (text(&finding["file"]), text(&finding["rule"]))).collect()
}

/// A folder outside every repository, gone when the test ends.
struct Outside(PathBuf);

impl Outside {
    fn new(name: &str, files: &[(&str, &str)]) -> Outside {
        let folder = std::env::temp_dir().join(format!("ankus-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        let folder = folder.canonicalize().expect("it is there");
        files.iter().for_each(|(path, text)| support::write_file(&folder.join(path), text));
        Outside(folder)
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_file_with_the_name_of_a_definition_is_one_whatever_it_holds() {
    let folder = folder_of(
        "silence-names",
        &[("ankus.toml", ""), ("a/workflow.xml", ""), ("b/coordinator.xml", "\0\0\0"), ("c/pom.xml", "")],
    );
    std::fs::write(folder.join("bundle.xml"), [0x9f, 0x92, 0x96, 0x00, 0xff]).expect("it is written");
    let (code, out, err) = check(&folder, &["--format", "json"]);
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    let files: Vec<_> = findings(&out).into_iter().map(|(file, _)| file).collect();
    for name in ["a/workflow.xml", "b/coordinator.xml", "bundle.xml"] {
        assert!(files.iter().any(|file| file == name), "{name} in {files:?}");
    }
    assert!(!files.iter().any(|file| file.contains("pom")), "{files:?}");
}

#[test]
fn a_folder_without_definitions_is_told() {
    let folder = folder_of(
        "silence-empty",
        &[("ankus.toml", ""), ("good/workflow.xml", WORKFLOW), ("empty/readme.txt", "")],
    );
    let (code, _, err) = check(&folder, &["empty"]);
    assert_eq!((code, err.as_str()), (Some(2), "ankus: `empty` holds no definition\n"));
    let (code, out, err) = check(&folder, &["good", "empty"]);
    assert_eq!((code, err.as_str()), (Some(0), "ankus: `empty` holds no definition\n"), "{out}");
    // Who excludes everything has chosen so.
    let (code, _, err) = check(&folder, &["good", "--exclude", "good/"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let bare = folder.join("empty");
    let (code, _, err) = check(&bare, &["."]);
    assert_eq!((code, err.as_str()), (Some(2), "ankus: `.` holds no definition\n"));
}

#[test]
fn what_is_not_there_keeps_nothing_else_from_being_checked() {
    let bad = WORKFLOW.replace("\"e\"/><end", "\"f\"/><end");
    let folder = folder_of("silence-missing", &[("ankus.toml", ""), ("bad/workflow.xml", &bad)]);
    let (code, out, err) = check(&folder, &["bad", "nosuch", "none/*.xml", "--format", "json"]);
    assert_eq!(code, Some(2));
    assert_eq!(findings(&out), [("bad/workflow.xml".to_owned(), "transition-unknown".to_owned())]);
    assert!(err.contains("cannot read `nosuch`") && err.contains("`none/*.xml` matches no file"), "{err}");
    let (code, out, _) = check(&folder, &["nosuch"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_told() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let place = Outside::new(
        "unreadable",
        &[("one/workflow.xml", WORKFLOW), ("two/workflow.xml", WORKFLOW), ("closed/workflow.xml", WORKFLOW)],
    );
    let close = |name: &str| {
        std::fs::set_permissions(place.0.join(name), PermissionsExt::from_mode(0o000)).expect("its own file");
    };
    close("one/workflow.xml");
    close("closed");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ankus"));
    command.current_dir(&place.0).args(["check", "."]);
    if std::fs::read(place.0.join("one/workflow.xml")).is_ok() {
        // The superuser may read everything, so somebody else does it.
        command.uid(65534);
    }
    let Ok(_) = command.stdout(Stdio::null()).stderr(Stdio::null()).status() else {
        not_run("files that cannot be read", "another user cannot start the program");
        return;
    };
    let (code, out, err) = run(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    std::fs::set_permissions(place.0.join("closed"), PermissionsExt::from_mode(0o755)).expect("its own");
    assert_eq!(code, Some(2), "{out}{err}");
    assert!(err.contains("cannot read `one/workflow.xml`") && err.contains("cannot read `closed`"), "{err}");
    assert!(out.starts_with("1 file checked"), "{out}");
}

/// Without a mark of its own a project ends at the working directory, or at what is named.
#[test]
fn foreign_projects_are_not_looked_at() {
    let coordinator = r#"<coordinator-app name="c" frequency="${coord:days(1)}" start="2024-01-01T00:00Z" end="2024-01-03T00:00Z"
 timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><action><workflow><app-path>hdfs://nn/apps/wf</app-path></workflow></action></coordinator-app>"#;
    let bad = WORKFLOW.replace("\"e\"/><end", "\"f\"/><end");
    let place = Outside::new(
        "foreign",
        &[
            ("one/coord/coordinator.xml", coordinator),
            ("one/job.properties", "oozie.coord.application.path=hdfs://nn/coord\n"),
            ("two/apps/wf/workflow.xml", &bad),
        ],
    );
    let one = place.0.join("one");
    let answers = |arguments: &[&str]| {
        let (code, out, err) = check(&one, &[arguments, &["--format", "json"]].concat());
        assert!(code.is_some_and(|code| code < 2), "{err}");
        (
            code,
            findings(&out).into_iter().filter(|(_, rule)| rule == "transition-unknown").collect::<Vec<_>>(),
        )
    };
    let ways: [&[&str]; 4] = [&["."], &["job.properties"], &["coord"], &["coord/coordinator.xml"]];
    for way in ways {
        assert_eq!(answers(way), (Some(0), Vec::new()), "{way:?}");
    }
    // The same workflow inside belongs to it, whichever way one comes.
    support::write_file(&one.join("apps/wf/workflow.xml"), &bad);
    for way in ways {
        let expected = vec![("apps/wf/workflow.xml".to_owned(), "transition-unknown".to_owned())];
        assert_eq!(answers(way), (Some(1), expected), "{way:?}");
    }
}

#[test]
fn what_is_followed_is_counted() {
    let (code, out, err) = check(&root(), &["fixtures/demo/job.properties", "--format", "json"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let report: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!(report["summary"]["files"], 3, "the coordinator, its datasets and its workflow");
}
