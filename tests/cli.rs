//! The program as a process: exit codes, streams, closed pipes, output files, a small stack.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::support::root;

/// The program with a scrubbed environment, in the crate's folder.
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ankus"));
    command.env_clear().current_dir(root()).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = program().args(arguments).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (status.code().expect("no signal ends it"), text(stdout), text(stderr))
}

/// A folder of its own for one test, emptied at the start.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

#[test]
fn exit_codes_say_how_it_ended() {
    let (code, out, err) = run(&["check", "fixtures/demo"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let (code, out, err) = run(&["check", "fixtures/broken"]);
    assert_eq!((code, err.as_str()), (1, ""));
    assert!(out.contains("error[transition-unknown] (E0708)"), "{out}");
    let (code, out, err) = run(&["check", "no/such/file.xml"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.starts_with("ankus: cannot read `no/such/file.xml`"), "{err}");
    assert_eq!(run(&["chekc"]).0, 2);
    assert_eq!(run(&["--oozie-version", "2.3", "check", "fixtures/demo"]).0, 2);
    assert_eq!(run(&["-D", "nonsense", "check", "fixtures/demo"]).0, 2);
    assert_eq!(run(&["explain", "E9999"]).0, 2);
    let (code, out, _) = run(&["explain", "E0708"]);
    assert!(code == 0 && out.starts_with("E0708 (") && out.contains("transition-unknown"), "{out}");
    assert_eq!(run(&["--version"]).0, 0);
}

#[test]
fn findings_are_sorted_and_without_doubles() {
    let (_, once, _) = run(&["check", "--format", "json", "fixtures/broken/workflow.xml"]);
    let (_, twice, _) =
        run(&["check", "--format", "json", "fixtures/broken/workflow.xml", "fixtures/broken"]);
    assert_eq!(once, twice);
    let report: serde_json::Value = serde_json::from_str(&once).expect("JSON");
    assert_eq!(report["version"], 1);
    let offsets: Vec<_> = report["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .map(|f| f["start"]["offset"].as_u64())
        .collect();
    assert!(offsets.is_sorted() && offsets.len() >= 3, "{offsets:?}");
}

#[test]
fn colours_are_for_terminals() {
    assert!(!run(&["check", "fixtures/broken"]).1.contains('\u{1b}'));
    assert!(run(&["check", "--color", "always", "fixtures/broken"]).1.contains('\u{1b}'));
}

#[test]
fn a_closed_pipe_is_a_quiet_exit() {
    let mut child =
        program().args(["rules"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("text");
    let status = child.wait().expect("it ends");
    assert_eq!((status.code(), err.as_str()), (Some(0), ""));
}

#[test]
fn an_unknown_key_of_the_configuration_is_an_error_with_its_place() {
    let folder = folder("unknown-key");
    std::fs::write(folder.join("ankus.toml"), "version = \"5.2\"\nusr = \"joe\"\n").expect("written");
    std::fs::copy(root().join("fixtures/broken/workflow.xml"), folder.join("workflow.xml")).expect("copied");
    let (code, _, err) = run(&["check", &folder.display().to_string()]);
    assert_eq!(code, 2);
    assert!(err.contains("ankus.toml") && err.contains("line 2") && err.contains("usr"), "{err}");
}

/// Bad input gives a finding, whatever it is.
#[test]
fn hostile_files_give_findings() {
    let folder = folder("hostile");
    let write = |name: &str, text: &[u8]| std::fs::write(folder.join(name), text).expect("written");
    let head = "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\">";
    write("deep.xml", format!("{head}{}", "<a>".repeat(100_000)).as_bytes());
    write(
        "attribute.xml",
        format!("{head}<start to=\"{}\"/></workflow-app>", "x".repeat(1 << 20)).as_bytes(),
    );
    let laughs =
        "<!DOCTYPE w [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">]><workflow-app>&b;</workflow-app>";
    write("laughs.xml", laughs.as_bytes());
    let outside = "<!DOCTYPE w [<!ENTITY a SYSTEM \"/etc/passwd\">]><workflow-app>&a;</workflow-app>";
    write("outside.xml", outside.as_bytes());
    write("cut.xml", &head.as_bytes()[..30]);
    write("bytes.xml", b"<workflow-app name='\xff\xfe'/>");
    write("empty.xml", b"");
    for name in ["deep", "attribute", "laughs", "outside", "cut", "bytes", "empty"] {
        let path = folder.join(format!("{name}.xml"));
        let (code, out, err) = run(&["check", &path.display().to_string()]);
        assert_eq!((code, err.as_str()), (1, ""), "{name}: {out}");
        assert!(out.contains("error["), "{name}: {out}");
    }
}
