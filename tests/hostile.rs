//! Input that wants to do harm: every case ends in bounded time with exit code 1 or 2 and a clear text, on a small stack.
//!
//! The cases go through the program itself, so that every reader and limit is met where users meet it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for one test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("ankus-hostile-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("its folder");
        fs::write(&path, content).expect("an input file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs the program in `folder` with a main stack of 512 KiB.
fn ankus(folder: &Folder, arguments: &[&str]) -> Output {
    Command::new("sh")
        .args(["-c", "ulimit -s 512; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_ankus")])
        .args(arguments)
        .current_dir(&folder.0)
        .output()
        .expect("the program starts")
}

/// Runs the program and holds it to its promise: exit code 1 or 2, the words in its output, no panic.
fn refused(folder: &Folder, arguments: &[&str], words: &[&str]) {
    let output = ankus(folder, arguments);
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let shown: String = text.chars().take(2_000).collect();
    assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}: {:?}\n{shown}", output.status);
    assert!(!text.contains("panicked"), "{arguments:?}\n{shown}");
    for word in words {
        assert!(text.contains(word), "{arguments:?}: no `{word}` in\n{shown}");
    }
}

fn check(name: &str, content: impl AsRef<[u8]>, words: &[&str]) {
    let folder = Folder::new(name);
    folder.write("app.xml", content);
    refused(&folder, &["check", "app.xml"], words);
}

fn coordinator(frequency: &str, start: &str, end: &str, instance: &str) -> String {
    format!(
        r#"<coordinator-app name="c" frequency="{frequency}" start="{start}" end="{end}" timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
<datasets><dataset name="d" frequency="60" initial-instance="2000-01-01T00:00Z" timezone="UTC"><uri-template>hdfs://n/${{YEAR}}</uri-template></dataset></datasets>
<input-events><data-in name="i" dataset="d">{instance}</data-in></input-events>
<action><workflow><app-path>hdfs://n/w</app-path></workflow></action></coordinator-app>"#
    )
}

fn workflow(body: &str) -> String {
    format!(
        "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\"><start to=\"a\"/>{body}<kill name=\"k\"><message>m</message></kill><end name=\"end\"/></workflow-app>"
    )
}

fn fs_action(path: &str) -> String {
    format!("<action name=\"a\"><fs><mkdir path=\"{path}\"/></fs><ok to=\"end\"/><error to=\"k\"/></action>")
}

const ONE: &str = "<instance>${coord:current(0)}</instance>";

#[test]
fn entities_are_never_expanded() {
    let mut laughs = String::from("<!DOCTYPE lolz [<!ENTITY l0 \"lol\">");
    for level in 1..10 {
        let before = format!("&l{};", level - 1).repeat(10);
        let _ = write!(laughs, "<!ENTITY l{level} \"{before}\">");
    }
    laughs += "]><workflow-app name=\"&l9;\" xmlns=\"uri:oozie:workflow:0.5\"/>";
    check("laughs", laughs, &["xml-doctype"]);
    check(
        "external",
        "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><workflow-app name=\"&e;\" xmlns=\"uri:oozie:workflow:0.5\"/>",
        &["xml-doctype"],
    );
}

#[test]
fn deep_nesting_ends_in_a_finding() {
    let levels = 100_000;
    let deep = "<a>".repeat(levels) + &"</a>".repeat(levels);
    check("deep-closed", workflow(&deep), &["xml-"]);
    check("deep-open", workflow(&"<a>".repeat(levels)), &["xml-"]);
    let parentheses = format!("${{{}1{}}}", "(".repeat(levels), ")".repeat(levels));
    check("deep-el", workflow(&fs_action(&parentheses)), &["el-too-deep"]);
    let nots = format!("${{{} true}}", "!".repeat(levels));
    check("deep-not", workflow(&fs_action(&nots)), &["el-too-deep"]);
}

#[test]
fn any_bytes_as_xml_are_a_finding() {
    check("empty", "", &["xml-not-well-formed"]);
    check("zeros", [0_u8; 4096], &["xml-"]);
    check("high", [0xff_u8; 4096], &["xml-"]);
    check("cut", "<workflow-app name=\"w", &["xml-not-well-formed"]);
    check("latin", b"<workflow-app name=\"\xe9\" xmlns=\"uri:oozie:workflow:0.5\"/>", &["xml-"]);
}

#[test]
fn a_huge_attribute_is_refused() {
    let folder = Folder::new("huge");
    let value = "x".repeat(100 << 20);
    folder.write("app.xml", workflow(&fs_action(&value)));
    refused(&folder, &["check", "app.xml"], &["app.xml"]);
}

#[test]
fn nothing_leaves_the_project() {
    let folder = Folder::new("escape");
    folder.write("project/ankus.toml", "[paths]\n\"hdfs://n\" = \".\"\n");
    folder.write("secret/datasets.xml", "<datasets/>");
    let include = coordinator("60", "2024-01-01T00:00Z", "2024-01-02T00:00Z", ONE)
        .replace("<datasets>", "<datasets><include>hdfs://n/../secret/datasets.xml</include>");
    folder.write("project/app/coordinator.xml", include);
    refused(&folder, &["plan", "project/app/coordinator.xml"], &["dataset-include-missing"]);
}

#[test]
fn loops_end() {
    let folder = Folder::new("loops");
    let sub = |target: &str| {
        workflow(&format!(
            "<action name=\"a\"><sub-workflow><app-path>hdfs://n/{target}</app-path></sub-workflow><ok to=\"end\"/><error to=\"k\"/></action>"
        ))
    };
    folder.write("ankus.toml", "[paths]\n\"hdfs://n\" = \".\"\n");
    folder.write("one/workflow.xml", sub("two"));
    folder.write("two/workflow.xml", sub("one"));
    refused(&folder, &["plan", "one/workflow.xml"], &["subworkflow-recursion"]);
    folder.write("c/coordinator.xml", coordinator("60", "2024-01-01T00:00Z", "${a}", ONE));
    refused(&folder, &["plan", "c/coordinator.xml", "-D", "a=${b}", "-D", "b=${a}"], &["property-cycle"]);
    let include = coordinator("60", "2024-01-01T00:00Z", "2024-01-02T00:00Z", ONE)
        .replace("<datasets>", "<datasets><include>hdfs://n/i/1.xml</include>");
    folder.write("i/coordinator.xml", include);
    folder.write("i/1.xml", "<datasets><include>hdfs://n/i/2.xml</include></datasets>");
    folder.write("i/2.xml", "<datasets><include>hdfs://n/i/1.xml</include></datasets>");
    refused(&folder, &["plan", "i/coordinator.xml"], &["dataset-include"]);
}

#[test]
fn absurd_numbers_end() {
    let plan = |name: &str, xml: String, words: &[&str]| {
        let folder = Folder::new(name);
        folder.write("app.xml", xml);
        refused(&folder, &["plan", "app.xml", "--next", "3"], words);
    };
    let (start, end) = ("2024-01-01T00:00Z", "2024-01-02T00:00Z");
    plan("zero", coordinator("0", start, end, ONE), &["E1003"]);
    plan("cron-zero", coordinator("0 0 30 2 *", start, end, ONE), &["cron-never-fires"]);
    let billion = "<start-instance>${coord:current(-1000000000)}</start-instance><end-instance>${coord:current(0)}</end-instance>";
    plan("billion", coordinator("60", start, "9999-12-31T00:00Z", billion), &["app.xml"]);
    let nines = "99999999999999999999";
    plan("nines", coordinator(nines, start, end, ONE), &["E1003"]);
}

#[test]
fn far_years_are_planned_or_refused_in_bounded_time() {
    let folder = Folder::new("far");
    folder.write("app.xml", coordinator("1440", "9999-12-01T00:00Z", "9999-12-31T00:00Z", ONE));
    let output = ankus(&folder, &["plan", "app.xml", "--next", "3"]);
    assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
}

#[test]
fn any_bytes_as_arguments_are_an_error() {
    let folder = Folder::new("arguments");
    refused(&folder, &["eval", "${"], &["el-syntax"]);
    refused(&folder, &["next", "* * *"], &["cron-field-count"]);
    refused(&folder, &["next", "\u{1}é * * * *"], &["cron-"]);
    refused(&folder, &["plan", "nowhere"], &["nowhere"]);
    refused(&folder, &["convert", "not-a-date", "--to", "UTC"], &["datetime"]);
    folder.write("bad.properties", b"a\\u12=\xff\n".as_slice());
    folder.write("app.xml", workflow(&fs_action("/x")));
    refused(&folder, &["plan", "app.xml", "-c", "bad.properties"], &["bad.properties"]);
}

#[test]
fn values_that_grow_without_end_are_refused() {
    let folder = Folder::new("growth");
    let mut tenfold = "'aaaaaaaaaa'".to_owned();
    for _ in 0..9 {
        tenfold = format!("replaceAll({tenfold},'a','$0$0$0$0$0$0$0$0$0$0')");
    }
    refused(&folder, &["eval", &format!("${{{tenfold}}}")], &["grows beyond"]);
}

#[test]
fn a_refused_run_leaves_no_output_file() {
    let folder = Folder::new("output");
    folder.write("app.xml", "<nonsense");
    refused(&folder, &["plan", "app.xml", "-o", "plan.json", "--format", "json"], &[]);
    assert!(!Path::new(&folder.0).join("plan.json").exists());
}
