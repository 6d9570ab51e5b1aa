//! What `check` costs: rules beside reading and schemas, one file beside many, and the answer to a save.
//!
//! Run with `cargo bench --bench check`. Each line gives the figure, the target and their ratio (above 1 is better than
//! the target). Needs the corpus, which is found through `ANKUS_REFERENCE`.

#[allow(dead_code, reason = "each bench uses its own part")]
#[path = "support/figures.rs"]
mod figures;
#[path = "../tests/support/xsd_engine.rs"]
mod xsd_engine;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use ankus::model::RootKind;
use ankus::report::findings::Style;
use ankus::rules::{self, Rule};
use ankus::schema::{self, Engine, Kind, Selection, Version};
use ankus::shell::check::{Choice, Work};
use ankus::shell::context::Common;
use ankus::source::Sources;
use ankus::xml::{self, Decoding, Limits};
use figures::{corpus_folder, process_seconds, target, verdict, xml_files};

/// Rounds of which the best counts.
const ROUNDS: usize = 7;

fn main() -> ExitCode {
    let Some(corpus) = corpus_folder() else { return verdict::exit_code() };
    schemas(&corpus);
    rules_beside_reading(&corpus);
    let folder = std::env::temp_dir().join(format!("ankus-bench-check-{}", std::process::id()));
    many_files(&corpus, &folder);
    answer_to_a_save(&folder.join("watch"));
    fs::remove_dir_all(&folder).expect("the inputs can be removed");
    verdict::exit_code()
}

/// Processor time of the verdicts of the corpus, from the tree on: by the tables, with words for what is invalid, and by
/// `xsd-schema`, which judged before them.
fn schemas(corpus: &Path) {
    let mut documents = Vec::new();
    for file in xml_files(corpus) {
        let Ok(text) = fs::read_to_string(file) else { continue };
        let file = Sources::new().add("app.xml", text.as_str());
        let Some(root) = xml::read(file, &text, &Limits::default()).0 else { continue };
        if let Some(kind) = RootKind::of(&root.name.local).and_then(RootKind::schema) {
            documents.push((root, text, kind));
        }
    }
    let count = documents.len() as f64;
    let of_tables = |only_valid: bool, again: u32| {
        let valid = |(root, text, kind): &&(_, String, Kind)| {
            !only_valid || schema::check(root, text, *kind).is_empty()
        };
        let chosen: Vec<_> = documents.iter().filter(valid).collect();
        let seconds = best(|| {
            for _ in 0..again {
                for (root, text, kind) in &chosen {
                    std::hint::black_box(schema::check(root, text, *kind));
                }
            }
        });
        (seconds / f64::from(again), chosen.len() as f64)
    };
    let (all, _) = of_tables(false, 20);
    let (valid, count_valid) = of_tables(true, 100);
    let engine = best(|| {
        for (root, text, kind) in &documents {
            let needed = xsd_engine::needed(root, Selection::of(*kind, Version::default()));
            std::hint::black_box(xsd_engine::Pure.complaints(needed, text).expect("it is read"));
        }
    });
    println!(
        "schemas of {count} documents: {:.1} µs each by the tables ({:.1} µs for those that are valid), {:.0} µs by xsd-schema",
        all * 1e6 / count,
        valid * 1e6 / count_valid,
        engine * 1e6 / count
    );
    target("  the tables take, of the time of xsd-schema,", all / engine * 100.0, "%", 33.3);
}

/// Processor time over the same files: reading and schemas alone, the whole `check` without rules, and with all.
fn rules_beside_reading(corpus: &Path) {
    let files = xml_files(corpus);
    let reading = best(|| {
        let mut sources = Sources::new();
        for file in &files {
            let bytes = fs::read(file).expect("a corpus file");
            let (_, root, _) =
                xml::read_bytes(&mut sources, "app.xml", &bytes, Decoding::Utf8, &Limits::default());
            let Some(root) = root else { continue };
            if let Some(kind) = RootKind::of(&root.name.local).and_then(RootKind::schema) {
                std::hint::black_box(schema::check(&root, &String::from_utf8_lossy(&bytes), kind));
            }
        }
    });
    let checked = |rules: &'static [&'static Rule]| {
        best(|| {
            let common = Common::default();
            let work = Work::gather(&[corpus.to_owned()], Choice::default(), &common).expect("the corpus");
            std::hint::black_box(
                work.with_rules(rules).findings(&common, Style::DATA).expect("it is checked"),
            );
        })
    };
    let (bare, whole) = (checked(&[]), checked(rules::ALL));
    println!("{} files: reading and schemas {:.0} ms of processor time", files.len(), reading * 1e3);
    println!("  check without rules {:.0} ms, with all {:.0} ms", bare * 1e3, whole * 1e3);
    target("  rules beside reading and schemas", (whole - bare) / reading, "times", 2.0);
    target("  all that follows them beside reading and schemas", (whole - reading) / reading, "times", 2.0);
}

/// Wall time of whole processes over copies of the corpus: ten times the files, at most about ten times the time.
fn many_files(corpus: &Path, folder: &Path) {
    let originals: Vec<Vec<u8>> =
        xml_files(corpus).iter().map(|file| fs::read(file).expect("a corpus file")).collect();
    let mut seconds = Vec::new();
    for count in [1_000, 10_000] {
        let copies = folder.join(count.to_string());
        for number in 0..count {
            let app = copies.join(format!("{:03}/{:02}", number / 100, number % 100));
            fs::create_dir_all(&app).expect("a folder for a copy");
            fs::write(app.join("app.xml"), &originals[number % originals.len()]).expect("a copy");
        }
        let run = || figures::ankus(&["check", copies.to_str().expect("a plain path")]);
        let runs: Vec<_> = (0..3).map(|_| run()).collect();
        let best = runs.iter().map(|run| run.wall.as_secs_f64()).fold(f64::MAX, f64::min);
        let peak = runs.iter().map(|run| run.peak_mib).fold(0.0, f64::max);
        println!("check of {count} files: {best:.2} s, {:.3} ms a file", best * 1e3 / count as f64);
        target("  peak memory", peak, "MiB", 512.0);
        seconds.push(best);
    }
    target("  ten times the files take", seconds[1] / seconds[0], "times as long", 11.0);
}

/// From a save to the last line of the answer, in a folder of a hundred apps.
fn answer_to_a_save(folder: &Path) {
    let good = "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\">\n<start to=\"done\"/>\n<end name=\"done\"/>\n</workflow-app>\n";
    let app = |number: usize| folder.join(format!("{number:03}"));
    for number in 0..100 {
        fs::create_dir_all(app(number)).expect("a folder for an app");
        fs::write(app(number).join("workflow.xml"), good).expect("an app");
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_ankus"))
        .args(["check", "--watch", "--format", "concise", folder.to_str().expect("a plain path")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut summary = || {
        lines
            .by_ref()
            .map(|line| line.expect("text"))
            .find(|line| line.contains("checked:"))
            .expect("a summary")
    };
    summary();
    let file: PathBuf = app(50).join("workflow.xml");
    let mut worst = 0.0_f64;
    for round in 0..20 {
        // Another length each time, so that the file differs within one tick of the file system's clock.
        fs::write(&file, good.replace("to=\"done\"", &format!("to=\"{}\"", "x".repeat(round + 5))))
            .expect("a save");
        let saved = Instant::now();
        summary();
        worst = worst.max(saved.elapsed().as_secs_f64() * 1e3);
    }
    child.kill().expect("it can be ended");
    child.wait().expect("it ends");
    target("watch answers a save, the slowest of 20,", worst, "ms", 100.0);
}

fn best(mut work: impl FnMut()) -> f64 {
    (0..ROUNDS)
        .map(|_| {
            let begin = process_seconds();
            work();
            process_seconds() - begin
        })
        .fold(f64::MAX, f64::min)
}
