//! What `-o` and `--output` write to: never half a file, never in the place of what is no regular file.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{folder_of, names_in, root};

/// Runs the program in the folder of the crate: exit code, standard output and error.
fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ankus"));
    let output = command.args(arguments).current_dir(root()).stdin(Stdio::null()).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn plan_to(path: &Path) -> (Option<i32>, String, String) {
    run(&["plan", "fixtures/demo", "-q", "-o", &path.display().to_string()])
}

/// What `plan` prints without `-o`.
fn expected() -> String {
    run(&["plan", "fixtures/demo", "-q"]).1
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("it was written")
}

#[test]
fn a_pipe_is_written_through() {
    let folder = folder_of("output-pipe", &[]);
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("there is mkfifo").success());
    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().expect("there is cat");
    assert_eq!(plan_to(&pipe), (Some(0), String::new(), String::new()));
    let received = reader.wait_with_output().expect("cat ends").stdout;
    assert_eq!(String::from_utf8(received).expect("text"), expected());
    assert_eq!(names_in(&folder), ["pipe"]);
    assert!(!fs::metadata(&pipe).expect("it is there").is_file());
}

/// Through a link to a device of its own, so that a fault does no harm to the machine.
#[test]
fn a_device_stays_one() {
    let folder = folder_of("output-device", &[]);
    let (null, full) = (folder.join("null"), folder.join("full"));
    symlink("/dev/null", &null).expect("a link");
    symlink("/dev/full", &full).expect("a link");
    // Where a device would be replaced, its link would be as well.
    assert_eq!(plan_to(&null).0, Some(0));
    assert!(null.is_symlink() && !fs::metadata(&null).expect("it is there").is_file());
    if full.exists() {
        let (code, _, err) = plan_to(&full);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains("full") && err.contains("No space left"), "{err}");
        assert!(full.is_symlink());
    }
    assert_eq!(names_in(&folder), ["full", "null"]);
}

#[test]
fn links_are_followed_whether_their_target_is_there_or_not() {
    let folder = folder_of("output-link", &[("there/old", "old"), ("there/x", "")]);
    for name in ["old", "new"] {
        let link = folder.join(name);
        symlink(Path::new("there").join(name), &link).expect("a link");
        assert_eq!(plan_to(&link).0, Some(0));
        assert!(link.is_symlink(), "{name} is still a link");
        assert_eq!(read(&folder.join("there").join(name)), expected());
    }
    assert_eq!(names_in(&folder.join("there")), ["new", "old", "x"]);
    let (one, other) = (folder.join("one"), folder.join("other"));
    symlink(&other, &one).expect("a link");
    symlink(&one, &other).expect("a link");
    assert_eq!(plan_to(&one).0, Some(2));
}

#[test]
fn the_mode_is_kept() {
    let folder = folder_of("output-mode", &[("secret", "old")]);
    let file = folder.join("secret");
    let mode = |path: &PathBuf| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    for bits in [0o600, 0o640, 0o755] {
        fs::set_permissions(&file, fs::Permissions::from_mode(bits)).expect("its own file");
        assert_eq!(plan_to(&file).0, Some(0));
        assert_eq!((mode(&file), read(&file)), (bits, expected()));
        let target = format!("json={}", file.display());
        assert_eq!(run(&["check", "-q", "fixtures/demo", "--output", &target]).0, Some(0));
        assert_eq!(mode(&file), bits);
        assert!(read(&file).starts_with('{'));
    }
}

#[test]
fn standard_output_by_its_name_is_standard_output() {
    let (code, out, _) = run(&["plan", "fixtures/demo", "-q", "-o", "/dev/stdout"]);
    assert_eq!((code, out), (Some(0), expected()));
}

#[test]
fn a_failure_leaves_what_was_there() {
    let workflow = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5"><start to="e"/><end name="e"/></workflow-app>"#;
    let folder = folder_of("output-failure", &[("plan.txt", "old"), ("workflow.xml", workflow)]);
    let file = folder.join("plan.txt");
    let (path, app) = (file.display().to_string(), folder.join("workflow.xml").display().to_string());
    let (code, _, err) = run(&["plan", &app, "-q", "--format", "csv", "-o", &path]);
    assert_eq!(code, Some(2), "{err}");
    assert_eq!(read(&file), "old");
    assert_eq!(names_in(&folder), ["plan.txt", "workflow.xml"]);
}

/// `head` and `grep -q` leave early; what was found stays found.
#[test]
fn a_reader_that_leaves_changes_no_exit_code() {
    for (fixture, code) in [("fixtures/broken", 1), ("fixtures/demo", 0)] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_ankus"));
        let command = command.args(["check", fixture]).current_dir(root()).stdin(Stdio::null());
        let output = command.stdout(writer).stderr(Stdio::piped()).output().expect("it runs");
        assert_eq!((output.status.code(), output.stderr.len()), (Some(code), 0), "{fixture}");
    }
}

/// A picture or a plan is never written over what it is made from.
#[test]
fn what_is_read_is_not_written_over() {
    let folder = folder_of("output-read", &[]);
    let text = std::fs::read_to_string(root().join("fixtures/demo/workflow.xml"))
        .or_else(|_| std::fs::read_to_string(root().join("fixtures/broken/workflow.xml")))
        .expect("a definition");
    let text = text.as_str();
    let (definition, properties) = (folder.join("workflow.xml"), folder.join("job.properties"));
    std::fs::write(&definition, text).expect("a file");
    std::fs::write(&properties, "oozie.wf.application.path=.\n").expect("a file");
    let [app, file] = [&folder, &definition].map(|path| path.display().to_string());
    let conf = properties.display().to_string();
    for command in ["plan", "graph", "simulate"] {
        for output in [&file, &conf] {
            let (code, out, err) = run(&[command, &app, "-c", &conf, "-o", output]);
            assert_eq!((code, out.as_str()), (Some(2), ""), "{command} {output}: {err}");
            assert!(err.contains("write it somewhere else"), "{command} {output}: {err}");
        }
    }
    assert_eq!(std::fs::read_to_string(&definition).expect("a file"), text);
}

/// What cannot be written as asked is refused before anything is: no baseline, no first of two files.
#[test]
fn outputs_that_make_no_sense_are_refused_at_once() {
    let folder = folder_of("output-refused", &[]);
    let [report, baseline] = ["report", "baseline"].map(|name| folder.join(name).display().to_string());
    let refused = |outputs: &[&str]| {
        let whole = ["check", "fixtures/broken", "--write-baseline", &baseline].into_iter();
        let (code, out, err) = run(&whole.chain(outputs.iter().copied()).collect::<Vec<_>>());
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        assert!(names_in(&folder).is_empty(), "{:?}", names_in(&folder));
        err
    };
    let (json, sarif) = (format!("json={report}"), format!("sarif={report}"));
    assert!(refused(&["--output", &json, "--output", &sarif]).contains("two `--output` name the file"));
    assert!(refused(&["--output", "sarif=-"]).contains("use `--format sarif` for standard output"));
    assert!(refused(&["--format", "sarif", "--statistics"]).contains("`--statistics` has no place"));
}
