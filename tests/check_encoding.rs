//! Places and fixes count the bytes of the file, in whichever encoding it is.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::ankus;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("check_encoding").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

fn utf16(text: &str) -> Vec<u8> {
    format!("\u{FEFF}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// The bytes of the text, with 0xE9 for each `é`.
fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect()
}

/// The bytes that the JSON says a rule's finding stands at, and those that its fix replaces.
fn bytes_of(path: &Path, file: &Path, rule: &str) -> (Vec<u8>, Vec<Vec<u8>>) {
    let outcome = ankus(&["check", "--format", "json", &path.display().to_string()]);
    let json: Value = serde_json::from_str(&outcome.out).expect("JSON");
    let findings = json["findings"].as_array().expect("a list");
    let finding = findings.iter().find(|finding| finding["rule"] == rule);
    let finding = finding.unwrap_or_else(|| panic!("no {rule} in {}", outcome.out));
    let bytes = std::fs::read(file).expect("it is there");
    let number = |value: &Value| usize::try_from(value.as_u64().expect("a number")).expect("a place");
    let slice = |start: &Value, end: &Value| bytes[number(start)..number(end)].to_vec();
    let edits = finding["fix"]["edits"].as_array().cloned().unwrap_or_default();
    let edits = edits.iter().map(|edit| slice(&edit["start"], &edit["end"])).collect();
    (slice(&finding["start"]["offset"], &finding["end"]["offset"]), edits)
}

const WORKFLOW: &str = "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\">\n  <!-- ééé -->\n  \
                        <start to=\"end\"/>\n  <kill name=\"fail\"><message>é</message></kill>\n  \
                        <end name=\"end\"/>\n</workflow-app>\n";

#[test]
fn wrong_bytes_before_a_finding_count_as_they_stand() {
    let folder = folder("workflow");
    let file = folder.join("workflow.xml");
    std::fs::write(&file, latin1(WORKFLOW)).expect("written");
    let (place, edits) = bytes_of(&file, &file, "kill-unused");
    assert_eq!(place, b"fail");
    assert_eq!(edits, [latin1("<kill name=\"fail\"><message>é</message></kill>")]);
    let (place, _) = bytes_of(&file, &file, "xml-encoding");
    assert_eq!(place, b"\xE9");

    let file = folder.join("job.properties");
    let text = "# é\nnn=é1\noozie.wf.application.path=${nn}/x\nnn=2\n";
    std::fs::write(&file, latin1(text)).expect("written");
    assert_eq!(bytes_of(&file, &file, "properties-encoding").0, b"\xE9");
    assert_eq!(bytes_of(&file, &file, "property-duplicate").0, b"nn");
}

#[test]
fn configurations_count_the_bytes_of_what_they_declare() {
    let text = |encoding: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"{encoding}\"?>\n<configuration>\n  <!-- ééé -->\n  \
             <property><name>a</name><value>1</value></property>\n  \
             <property><name>a</name><value>2</value></property>\n</configuration>\n"
        )
    };
    for (name, bytes, expected) in [
        ("latin1", latin1(&text("ISO-8859-1")), b"a".to_vec()),
        ("utf16", utf16(&text("UTF-16")), b"a\0".to_vec()),
        ("utf8", text("UTF-8").into_bytes(), b"a".to_vec()),
    ] {
        let folder = folder(name);
        let workflow = folder.join("workflow.xml");
        std::fs::write(&workflow, WORKFLOW).expect("written");
        let file = folder.join("config-default.xml");
        std::fs::write(&file, &bytes).expect("written");
        assert_eq!(bytes_of(&folder, &file, "property-duplicate").0, expected, "{name}");
        let outcome = ankus(&["check", "--fix", &folder.display().to_string()]);
        let mended = std::fs::read(&file).expect("it is there");
        assert!(mended.len() < bytes.len(), "{name}: {}{}", outcome.out, outcome.err);
        // What is left is what was there, without one stretch.
        let start = mended.iter().zip(&bytes).take_while(|(new, old)| new == old).count();
        let (end, taken) = (bytes.len() - (mended.len() - start), bytes.len() - mended.len());
        assert_eq!(mended[start..], bytes[end..], "{name}");
        assert_eq!(taken % expected.len(), 0, "{name}");
    }
}

/// A name that is no text leads to its file all the same; reports cannot name it, so it is not mended.
#[cfg(unix)]
#[test]
fn names_need_not_be_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = folder("names");
    let app = folder.join(OsStr::from_bytes(b"caf\xE9"));
    // Not every file system takes such a name.
    if std::fs::create_dir_all(&app).is_err() {
        return;
    }
    let workflow = WORKFLOW.replace("to=\"end\"", "to=\"ende\"");
    std::fs::write(app.join("workflow.xml"), &workflow).expect("written");
    let properties = "oozie.wf.application.path=${nn}/${app}\nday=1\nday=2\n";
    std::fs::write(app.join("job.properties"), properties).expect("written");
    let outcome =
        ankus(&["check", "--format", "concise", "--fix", "--unsafe", &folder.display().to_string()]);
    assert_eq!(outcome.code, 1, "{}{}", outcome.out, outcome.err);
    for expected in [
        "caf\u{FFFD}/workflow.xml:3:14: error[",
        "caf\u{FFFD}/job.properties:3:1: warning[property-duplicate]",
    ] {
        assert!(outcome.out.contains(expected), "{expected}: {}{}", outcome.out, outcome.err);
    }
    assert!(outcome.err.contains("has a path that is not UTF-8"), "{}", outcome.err);
    assert_eq!(std::fs::read(app.join("workflow.xml")).expect("it is there"), workflow.as_bytes());
}
