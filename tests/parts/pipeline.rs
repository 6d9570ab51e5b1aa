//! The worked example of `docs/run.md`, `fixtures/pipeline`: a bundle that catches up six hours of logs, from HDFS through
//! Spark and a Hive server into letters; its executor is killed twice, and an hour with a bad line is mended and run again.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use ankus::execute::storage::backend::Backend;
use ankus::execute::storage::webhdfs::Webhdfs;
use serde_json::Value;

use super::Stand;
use crate::run::program;
use crate::support::{folder_of, names_in, root, write_file};

/// The commands of the worked example, in order; those of the console blocks of its section.
const COMMANDS: [&str; 5] = [
    "ankus run load -c job.properties --store .load",
    "ankus run . -c job.properties",
    "ankus job 2-C info",
    "ankus run load -c job.properties --store .load --new",
    "ankus job 2-C rerun --actions 4",
];

/// The section of the guide.
fn section() -> String {
    let guide = std::fs::read_to_string(root().join("docs/run.md")).expect("the guide");
    let from = guide.find("\n## A pipeline\n").expect("its section");
    let section = &guide[from + 1..];
    section[..section[1..].find("\n## ").map_or(section.len(), |end| end + 1)].to_owned()
}

/// The blocks of a language in a text.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let start = format!("```{language}\n");
    let parts = text.split(start.as_str()).skip(1);
    parts.map(|part| part.split("```").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_guide_shows_the_files_and_commands_that_are_run() {
    let section = section();
    for (language, file) in
        [("toml", "ankus.toml"), ("xml", "report/workflow.xml"), ("sql", "report/top.hql")]
    {
        let text = std::fs::read_to_string(root().join("fixtures/pipeline").join(file)).expect(file);
        assert_eq!(blocks(&section, language), [text], "docs/run.md shows fixtures/pipeline/{file}");
    }
    let shown = blocks(&section, "console").concat();
    let commands: Vec<&str> = shown.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    let ours: Vec<&str> = commands.into_iter().filter(|line| line.starts_with("ankus ")).collect();
    assert_eq!(ours, COMMANDS);
}

/// Copies the project, with the addresses of a stand in place of those that its files name.
fn copied(from: &Path, to: &Path, stand: &[(&str, String)]) {
    for name in names_in(from) {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            copied(&from, &to, stand);
        } else {
            let mut text = std::fs::read_to_string(&from).expect("text");
            for (before, after) in stand {
                text = text.replace(before, after);
            }
            write_file(&to, &text);
        }
    }
}

/// The three pages of an hour that were visited most, as the report has them.
fn expected(logs: &Path, hour: &str) -> String {
    let text = std::fs::read_to_string(logs.join(hour).join("access.log")).expect("a log");
    let mut pages: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        let page = pages.entry(words.next().expect("a page")).or_default();
        page.0 += 1;
        page.1 += words.nth(1).and_then(|size| size.parse::<u64>().ok()).expect("a size");
    }
    let mut pages: Vec<_> = pages.into_iter().collect();
    pages.sort_by_key(|(page, (visits, _))| (std::cmp::Reverse(*visits), *page));
    pages.iter().take(3).map(|(page, (visits, size))| format!("{page},{visits},{size}\n")).collect()
}

/// A project whose commands reach the stand.
struct Pipeline {
    folder: std::path::PathBuf,
    path: String,
}

impl Pipeline {
    fn command(&self, line: &str) -> Command {
        let words: Vec<&str> = line.split(' ').skip(1).collect();
        let mut command = program(&self.folder, &words);
        command.env("PATH", &self.path).env("MAIL_PASSWORD", "right");
        command
    }

    fn said(&self, line: &str) -> (i32, String) {
        let output = self.command(line).output().expect("it runs");
        let said = [output.stdout, output.stderr].concat();
        (output.status.code().expect("it was not killed"), String::from_utf8_lossy(&said).into_owned())
    }

    /// An executor that goes on until one of its lines is wanted; with what it has said.
    fn until(&self, line: &str, mut is_wanted: impl FnMut(&str) -> bool) -> (Child, impl BufRead, String) {
        let mut child = self.command(line).stdout(Stdio::piped()).spawn().expect("it runs");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut said = String::new();
        while !is_wanted(said.lines().next_back().unwrap_or_default()) {
            if lines.read_line(&mut said).expect("text") == 0 {
                let status = child.wait().expect("it has ended");
                panic!("it has ended with {status}: {said}");
            }
        }
        (child, lines, said)
    }

    /// The states of a job's parts, in order.
    fn parts(&self, job: &str) -> Vec<String> {
        let (_, text) = self.said(&format!("ankus job {job} info --format json"));
        let info: Value = serde_json::from_str(&text).expect("JSON");
        let parts = info["parts"].as_array().expect("parts");
        parts.iter().map(|part| part["status"].as_str().expect("a status").to_owned()).collect()
    }
}

#[test]
fn six_hours_are_caught_up_though_it_is_killed_twice_and_one_is_bad() {
    let Some(stand) = Stand::of(&["smtp", "hdfs", "thrift"]) else { return };
    let value = |part: &str, name: &str| stand.value(part, name);
    let folder = folder_of("parts-pipeline", &[]);
    let addresses = [
        ("hdfs://localhost:8020", value("hdfs", "uri")),
        ("http://localhost:9870", value("hdfs", "webhdfs")),
        ("jdbc:hive2://localhost:10000", value("thrift", "jdbc")),
        ("port = 2525", format!("port = {}", value("smtp", "port"))),
    ];
    copied(&root().join("fixtures/pipeline"), &folder, &addresses);
    std::fs::copy(value("smtp", "ca"), folder.join("ca.pem")).expect("a certificate");
    let path = format!("{}:{}", value("thrift", "bin"), std::env::var("PATH").expect("a path"));
    let pipeline = Pipeline { folder: folder.clone(), path };
    let [load, run, info, load_again, rerun] = COMMANDS;

    let (code, said) = pipeline.said(load);
    assert_eq!(code, 0, "{said}");
    // Killed while Spark works, and while the Hive server does: whatever works goes on.
    for moment in ["@count  PREP -> RUNNING", "@top  PREP -> RUNNING"] {
        let (mut child, ..) = pipeline.until(run, |line| line.contains(moment));
        child.kill().expect("it runs");
        child.wait().expect("it ends");
    }
    let is_caught_up = |_: &str| {
        let is_done = |status: &&String| *status == "SUCCEEDED";
        let (clean, report) = (pipeline.parts("2-C"), pipeline.parts("3-C"));
        report.iter().filter(is_done).count() == 5 && clean.iter().filter(is_done).count() == 5
    };
    let (mut child, mut lines, _) = pipeline.until(run, is_caught_up);
    let (_, told) = pipeline.said(info);
    assert!(told.contains("DONEWITHERROR") && told.contains("@4                       KILLED"), "{told}");
    assert_eq!(pipeline.parts("3-C")[3], "WAITING");
    let (_, failed) = pipeline.said("ankus jobs --status KILLED --format json");
    let failed: Value = serde_json::from_str(&failed).expect("JSON");
    let failed = failed["jobs"][0]["id"].as_str().expect("a job");
    let (_, log) = pipeline.said(&format!("ankus job {failed} log"));
    assert!(log.contains("/logs/2026/03/01/03 has a bad line: /cart 304 -"), "{log}");

    let logs = folder.join("data/logs/2026/03/01");
    let bad = logs.join("03/access.log");
    let text = std::fs::read_to_string(&bad).expect("a log");
    std::fs::write(&bad, text.replace("/cart 304 -", "/cart 304 0")).expect("it is mended");
    let (code, said) = pipeline.said(load_again);
    assert_eq!(code, 0, "{said}");
    let (_, said) = pipeline.said(rerun);
    let mut rest = String::new();
    lines.read_to_string(&mut rest).expect("text");
    assert!(child.wait().expect("it ends").success(), "{said}{rest}");

    let (_, jobs) = pipeline.said("ankus jobs --format json");
    let jobs: Value = serde_json::from_str(&jobs).expect("JSON");
    let jobs = jobs["jobs"].as_array().expect("jobs");
    let mut counts: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    for job in jobs {
        let text = |name: &str| job[name].as_str().expect("a text");
        *counts.entry((text("name"), text("status"))).or_default() += 1;
    }
    // The coordinators have the names of their workflows.
    let wanted = [
        (("clean", "KILLED"), 1),
        (("clean", "SUCCEEDED"), 7),
        (("report", "SUCCEEDED"), 7),
        (("visits", "SUCCEEDED"), 1),
    ];
    assert_eq!(counts, BTreeMap::from(wanted));
    let backend = Webhdfs::new(&value("hdfs", "webhdfs"), "", "oozie");
    let letters = Path::new(&value("smtp", "letters")).to_owned();
    let letters: Vec<String> = names_in(&letters)
        .iter()
        .map(|name| std::fs::read_to_string(letters.join(name)).expect("a letter").replace("\r\n", "\n"))
        .collect();
    let mut subjects = BTreeSet::new();
    for hour in ["00", "01", "02", "03", "04", "05"] {
        let report = expected(&logs, hour);
        let mut text = String::new();
        let place = format!("reports/2026-03-01-{hour}/top.csv");
        backend.open(&place).expect(&place).read_to_string(&mut text).expect("text");
        assert_eq!(text, report, "{hour}");
        let subject = format!("Subject: visits of 2026-03-01-{hour}\n");
        let sent: Vec<_> = letters.iter().filter(|letter| letter.contains(&subject)).collect();
        assert!(sent.len() == 1 && sent[0].contains(&report), "{hour}: {sent:?}");
        subjects.insert(subject);
    }
    assert_eq!((letters.len(), subjects.len()), (6, 6), "{letters:?}");
}
