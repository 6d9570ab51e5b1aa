//! The Java platform's validator, which is the server's, as a judge to compare the tables with.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use ankus::schema::{Kind, Selection, Version};

use super::root;

/// Tests run beside each other, each with a folder of its own.
fn next() -> u32 {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    COUNT.fetch_add(1, Ordering::Relaxed)
}

/// What the validator says of each document: nothing where it is valid.
pub fn complaints(documents: &[(Kind, String)]) -> Vec<Option<String>> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("java-schemas-{}", next()));
    let _ = fs::remove_dir_all(&folder);
    for kind in [Kind::Workflow, Kind::Coordinator, Kind::Bundle] {
        let folder = folder.join(format!("{kind:?}"));
        fs::create_dir_all(&folder).expect("a folder for schemas");
        let mut list = String::new();
        for file in Selection::of(kind, Version::default()).files() {
            fs::write(folder.join(file.name), file.composed()).expect("a schema");
            writeln!(list, "{}", file.name).expect("a name");
        }
        fs::write(folder.join("list"), list).expect("a list");
    }
    let mut child = Command::new("java")
        .arg(root().join("tests/support/java_schemas/Validator.java"))
        .arg(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("java starts");
    let mut lines = String::new();
    for (kind, text) in documents {
        write!(lines, "{kind:?} ").expect("a kind");
        for byte in text.bytes() {
            write!(lines, "{byte:02x}").expect("a byte");
        }
        lines.push('\n');
    }
    // It answers when it has read everything.
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("java ends");
    fs::remove_dir_all(&folder).expect("the schemas can be removed");
    assert!(output.status.success(), "java ends with {}", output.status);
    let answers = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<Option<String>> =
        answers.lines().map(|line| (line != "valid").then(|| line.to_owned())).collect();
    assert_eq!(answers.len(), documents.len(), "an answer for each document");
    answers
}
