//! `--watch`: what changed is checked again, and no more than that. The tests drive the changes; nothing waits.

use std::cell::RefCell;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{folder_of, root, write_file};
use ankus::cli::watch::{Changes, Checked, Session, watch};
use ankus::report::findings::Style;
use ankus::shell::check::Choice;
use ankus::shell::context::Common;

const GOOD: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">
<start to="done"/>
<end name="done"/>
</workflow-app>
"#;

/// With an error, and of another length: two changes within one tick of the file system's clock must differ.
fn bad() -> String {
    GOOD.replace("to=\"done\"", "to=\"nowhere\"")
}

/// A folder with some good workflows.
fn apps(name: &str, count: usize) -> PathBuf {
    let names: Vec<String> = (0..count).map(|number| format!("{number:02}/workflow.xml")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), GOOD)).collect();
    files.push(("ankus.toml", ""));
    folder_of(&format!("check-watch-{name}"), &files)
}

fn session(folder: &Path) -> Session {
    Session::new(vec![folder.to_owned()], Choice::default(), Common::default(), Style::DATA)
}

/// How many units were judged, and how many findings there are.
fn round(session: &mut Session, changes: &Changes) -> (usize, usize) {
    let checked = session.round(changes).expect("it can be checked");
    (checked.judged, checked.findings.iter().count())
}

#[test]
fn a_save_costs_one_file() {
    let folder = apps("save", 30);
    let mut session = session(&folder);
    assert_eq!(round(&mut session, &Changes::all()), (30, 0));
    assert_eq!(session.poll(), None);
    let file = folder.join("07/workflow.xml");
    write_file(&file, &bad());
    let changes = session.poll().expect("it is seen");
    assert_eq!(changes, Changes { contents: [file.clone()].into(), everything: false });
    assert_eq!(round(&mut session, &changes), (1, 1));
    // Editors write another file and give it the name of the first.
    let other = folder.join("07/.workflow.xml.swp");
    write_file(&other, GOOD);
    std::fs::rename(&other, &file).expect("it can be renamed");
    let changes = session.poll().expect("it is seen");
    assert_eq!((changes.everything, round(&mut session, &changes)), (false, (1, 0)));
    assert_eq!(session.poll(), None);
}

#[test]
fn what_leads_to_a_file_is_checked_with_it() {
    let folder = apps("leads", 3);
    write_file(
        &folder.join("00/job.properties"),
        "oozie.wf.application.path=hdfs://nn/check-watch-leads/00\n",
    );
    let mut session = session(&folder);
    assert_eq!(round(&mut session, &Changes::all()).1, 0);
    write_file(&folder.join("00/workflow.xml"), &bad());
    let changes = session.poll().expect("it is seen");
    let checked = session.round(&changes).expect("it can be checked");
    assert!(checked.judged == 1 && checked.findings.iter().count() == 1, "{checked:?}");
    write_file(&folder.join("00/job.properties"), "a=b\n");
    let changes = session.poll().expect("it is seen");
    assert_eq!(round(&mut session, &changes), (3, 1), "it names no app any more");
}

#[test]
fn files_come_and_go() {
    let folder = apps("come", 3);
    let mut session = session(&folder);
    assert_eq!(round(&mut session, &Changes::all()), (3, 0));
    write_file(&folder.join("new/workflow.xml"), &bad());
    let changes = session.poll().expect("it is seen");
    assert_eq!((changes.everything, round(&mut session, &changes)), (true, (4, 1)));
    std::fs::remove_file(folder.join("new/workflow.xml")).expect("it was there");
    let changes = session.poll().expect("it is seen");
    assert_eq!((changes.everything, round(&mut session, &changes)), (true, (3, 0)));
    write_file(&folder.join("00/workflow.xml"), "<configuration></configuration>\n");
    let changes = session.poll().expect("it is seen");
    assert_eq!(round(&mut session, &changes), (2, 0));
}

#[test]
fn the_configuration_is_read_anew() {
    let folder = apps("configuration", 3);
    write_file(&folder.join("00/workflow.xml"), &bad());
    let mut session = session(&folder);
    assert_eq!(round(&mut session, &Changes::all()), (3, 1));
    write_file(&folder.join("ankus.toml"), "[check]\nignroe = 1\n");
    let changes = session.poll().expect("it is seen");
    let error = session.round(&changes).expect_err("it is wrong").to_string();
    assert!(error.contains("ignroe"), "{error}");
    write_file(&folder.join("ankus.toml"), "[check]\nignore = [\"all\"]\n");
    let changes = session.poll().expect("it is seen");
    assert_eq!(round(&mut session, &changes), (3, 0));
}

#[test]
fn what_we_write_is_no_change() {
    let folder = apps("output", 2);
    let report = folder.join("report.xml");
    let mut session = session(&folder).without([report.clone()]);
    round(&mut session, &Changes::all());
    write_file(&report, "<testsuites/>");
    assert_eq!(session.poll(), None);
    write_file(&report, "<testsuites></testsuites>");
    assert_eq!(session.poll(), None);
}

#[test]
fn each_change_is_shown_until_it_is_enough() {
    let folder = apps("loop", 4);
    let shown = RefCell::new(Vec::new());
    let mut session = session(&folder);
    let mut turns = 0;
    let mut wait = |_| {
        turns += 1;
        match turns {
            1 => write_file(&folder.join("01/workflow.xml"), &bad()),
            3 => write_file(&folder.join("ankus.toml"), "nonsense\n"),
            5 => write_file(&folder.join("ankus.toml"), "[check]\n"),
            _ => {}
        }
        turns < 8
    };
    let mut show = |checked: Result<Checked, ankus::host::ShellError>| {
        let text = checked
            .map_or_else(|_| "error".to_owned(), |checked| checked.findings.iter().count().to_string());
        shown.borrow_mut().push(text);
        Ok(())
    };
    watch(&mut session, &mut wait, &mut show).expect("it ends");
    assert_eq!(shown.into_inner(), ["0", "1", "error", "1"]);
}

/// The whole program: it answers each save on standard output, without a clear screen, which is for terminals.
#[test]
fn the_program_answers_a_save() {
    let folder = apps("program", 2);
    let mut child = Command::new(env!("CARGO_BIN_EXE_ankus"))
        .args(["check", "--watch", "--format", "concise", &folder.display().to_string()])
        .env_clear()
        .current_dir(root())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut next = || lines.next().expect("it goes on").expect("text");
    let first = next();
    write_file(&folder.join("01/workflow.xml"), &bad());
    let (finding, second) = (next(), next());
    child.kill().expect("it can be ended");
    child.wait().expect("it ends");
    assert!(first.starts_with("2 files checked: 0 errors"), "{first}");
    assert!(finding.contains("transition-unknown") && second.contains("1 error"), "{finding}\n{second}");
}
