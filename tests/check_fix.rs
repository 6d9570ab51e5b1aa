//! Fixes: byte-preserving, judged before they are written, and never outside what was named.

use crate::support;
use std::path::{Path, PathBuf};

use crate::support::{Outcome, ankus, root};

/// A folder of its own for one test, emptied at the start.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("check_fix").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("written");
    path
}

fn run(arguments: &[&str], path: &Path) -> Outcome {
    let path = path.display().to_string();
    ankus(&[&["check"], arguments, &[path.as_str()]].concat())
}

/// With infos, which are fixed where they are shown.
fn run_all(arguments: &[&str], path: &Path) -> Outcome {
    run(&[arguments, &["-v"]].concat(), path)
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("it is there")
}

const KILL: &str = "<kill name=\"fail\"><message>failed</message></kill>";

/// A workflow whose kill node nothing reaches, which has a safe fix, and whose end has a bad name, which has an unsafe
/// one.
fn workflow() -> String {
    format!(
        "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\">\n  <start to=\"e.d\"/>\n  {KILL}\n  \
         <end name=\"e.d\"/>\n</workflow-app>\n"
    )
}

#[test]
fn bytes_that_no_edit_names_are_kept() {
    let folder = folder("bytes");
    let text =
        workflow().replace('\n', "\r\n").replace("name=\"w\"", "name = 'w'  ").replace("failed", "é&#233;");
    let cases: [(&str, Vec<u8>); 3] = [
        ("crlf.xml", text.clone().into_bytes()),
        ("latin1.xml", text.replace('é', "\u{1}").bytes().map(|b| if b == 1 { 0xE9 } else { b }).collect()),
        ("no-end-of-line.xml", text.trim_end().as_bytes().to_vec()),
    ];
    for (name, bytes) in cases {
        let file = write(&folder, name, &bytes);
        let outcome = run_all(&["--fix", "--unsafe"], &file);
        assert_eq!(outcome.code, 0, "{name}: {}{}", outcome.out, outcome.err);
        assert!(outcome.err.contains("findings fixed in 1 file"), "{name}: {}", outcome.err);
        let at = memchr::memmem::find(&bytes, b"  <kill").expect("a kill node");
        let end = memchr::memmem::find(&bytes, b"  <end").expect("an end node");
        let mut expected = [&bytes[..at], &bytes[end..]].concat();
        while let Some(dot) = memchr::memmem::find(&expected, b"e.d") {
            expected[dot + 1] = b'_';
        }
        assert_eq!(String::from_utf8_lossy(&read(&file)), String::from_utf8_lossy(&expected), "{name}");
        assert!(read(&file) == expected, "{name}");
    }
}

#[test]
fn only_what_is_safe_is_mended_unasked() {
    let file = write(&folder("safe"), "workflow.xml", workflow().as_bytes());
    assert_eq!(run_all(&["--fix"], &file).code, 1);
    let text = String::from_utf8(read(&file)).expect("text");
    assert!(!text.contains("<kill") && text.contains("\"e.d\""), "{text}");
    assert_eq!(run_all(&["--fix", "--unsafe"], &file).code, 0);
    assert!(String::from_utf8(read(&file)).expect("text").contains("\"e_d\"/>"));
    let again = run_all(&["--fix", "--unsafe"], &file);
    assert!(again.err.contains("0 findings fixed in 0 files"), "{}", again.err);
    assert_eq!(run(&["--unsafe"], &file).code, 2);
    assert_eq!(run_all(&["--fix", "--diff"], &file).code, 2);
}

#[test]
fn a_difference_is_printed_and_nothing_changed() {
    let file = write(&folder("diff"), "workflow.xml", workflow().as_bytes());
    let before = read(&file);
    let outcome = run_all(&["--diff"], &file);
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    let name =
        file.strip_prefix(root()).map_or(file.display().to_string(), |path| format!("/{}", path.display()));
    let expected = format!(
        "--- a{name}\n+++ b{name}\n@@ -1,5 +1,4 @@ kill-unused\n <workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\">\n   \
         <start to=\"e.d\"/>\n-  {KILL}\n   <end name=\"e.d\"/>\n </workflow-app>\n"
    );
    assert_eq!(outcome.out, expected);
    assert_eq!(read(&file), before);
    assert_eq!(run_all(&["--fix", "--unsafe"], &file).code, 0);
    let after = run_all(&["--diff", "--unsafe"], &file);
    assert_eq!((after.code, after.out.as_str()), (0, ""));
}

#[test]
fn faults_that_hide_others_come_first() {
    let text =
        workflow().replace("failed", "a & b && c").replace("<kill", "<klil").replace("</kill>", "</klil>");
    let file = write(&folder("levels"), "workflow.xml", text.as_bytes());
    let outcome = run_all(&["--fix", "--unsafe"], &file);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    let expected = "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\">\n  <start to=\"e_d\"/>\n  \
                    <end name=\"e_d\"/>\n</workflow-app>\n";
    assert_eq!(String::from_utf8(read(&file)).as_deref(), Ok(expected));
}

#[test]
fn a_fix_that_breaks_something_is_not_made_and_told() {
    // The only near name is the node before, so that the mended transition would close a loop.
    let text = "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\">\n  <start to=\"load\"/>\n  \
                <action name=\"load\">\n    <fs><mkdir path=\"hdfs://nn/x\"/></fs>\n    <ok to=\"next\"/>\n    \
                <error to=\"stop\"/>\n  </action>\n  <action name=\"next\">\n    \
                <fs><mkdir path=\"hdfs://nn/y\"/></fs>\n    <ok to=\"laod\"/>\n    <error to=\"stop\"/>\n  \
                </action>\n  <kill name=\"stop\"><message>m</message></kill>\n  <end name=\"finished\"/>\n\
                </workflow-app>\n";
    let file = write(&folder("worse"), "workflow.xml", text.as_bytes());
    for argument in ["--diff", "--fix"] {
        let outcome = run(&[argument, "--unsafe"], &file);
        assert!(
            outcome.err.contains("transition-unknown: it would bring workflow-cycle: "),
            "{}",
            outcome.err
        );
        assert_eq!(String::from_utf8(read(&file)).as_deref(), Ok(text));
    }
}

#[test]
fn files_that_were_not_named_are_left_alone() {
    let folder = folder("grounds");
    let inner = folder.join("sub");
    std::fs::create_dir_all(&inner).expect("made");
    let sub = write(&inner, "workflow.xml", workflow().replace("e.d", "end").as_bytes());
    let caller = "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\">\n  <start to=\"a\"/>\n  \
                  <action name=\"a\">\n    <sub-workflow><app-path>hdfs://nn/apps/sub</app-path></sub-workflow>\n    \
                  <ok to=\"end\"/>\n    <error to=\"stop\"/>\n  </action>\n  \
                  <kill name=\"stop\"><message>m</message></kill>\n  <end name=\"end\"/>\n</workflow-app>\n";
    let file = write(&folder, "workflow.xml", caller.as_bytes());
    write(&folder, "ankus.toml", b"[paths]\n\"hdfs://nn/apps\" = \".\"\n");
    let before = read(&sub);
    let outcome = run_all(&["--fix", "-v"], &file);
    assert!(outcome.out.contains("kill-unused"), "{}{}", outcome.out, outcome.err);
    assert!(outcome.err.contains("was not named"), "{}", outcome.err);
    assert!(outcome.err.contains("0 findings fixed in 0 files"), "{}", outcome.err);
    assert_eq!(read(&sub), before);
    run_all(&["--fix"], &folder);
    assert_ne!(read(&sub), before);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("permissions");
    let real = write(&folder, "real.xml", workflow().as_bytes());
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o750)).expect("set");
    let link = folder.join("workflow.xml");
    std::os::unix::fs::symlink("real.xml", &link).expect("linked");
    assert_eq!(run_all(&["--fix", "--unsafe"], &link).code, 0);
    assert!(std::fs::symlink_metadata(&link).expect("there").is_symlink());
    assert_eq!(std::fs::metadata(&real).expect("there").permissions().mode() & 0o777, 0o750);
    assert!(!String::from_utf8(read(&real)).expect("text").contains("<kill"));
    // Read-only means that nobody shall change it.
    let locked = write(&folder, "locked.xml", workflow().as_bytes());
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o440)).expect("set");
    let outcome = run_all(&["--fix"], &locked);
    assert!(outcome.err.contains("the file is read-only"), "{}", outcome.err);
    assert_eq!(read(&locked), workflow().as_bytes());
    assert_eq!(support::names_in(&folder), ["locked.xml", "real.xml", "workflow.xml"]);
}

/// A dataset whose done-flag an info suggests to write: nothing is fixed that is not shown.
#[test]
fn only_what_is_shown_is_fixed() {
    let folder = folder("shown");
    let text = std::fs::read(root().join("fixtures/rules/done-flag-implicit/bad-none/coordinator.xml"))
        .expect("a fixture");
    let file = write(&folder, "coordinator.xml", &text);
    assert_eq!(run(&["--diff"], &file).out, "");
    let outcome = run(&["--diff", "-v"], &file);
    assert!(outcome.out.contains("@@ done-flag-implicit\n"), "{}", outcome.out);
    assert!(outcome.out.contains("\n+      <done-flag>_SUCCESS</done-flag>\n"), "{}", outcome.out);
    run(&["--fix"], &file);
    assert_eq!(read(&file), text);
    run(&["--fix", "-v"], &file);
    let fixed = String::from_utf8(read(&file)).expect("text");
    let lines: Vec<&str> = fixed.lines().map(str::trim).collect();
    assert!(lines.contains(&"<done-flag>_SUCCESS</done-flag>"), "{fixed}");
}
