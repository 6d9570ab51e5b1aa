//! The rules of the house that a compiler does not check: layers, I/O only below the line, short files, no leftovers.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use self::code::{Source, without_tests};
use crate::support::root;

mod code;

/// The modules from the bottom up. A module may use every module before it that is not in [`APART`].
const ORDER: &[&str] = &[
    "source",
    "diag",
    "time",
    "xml",
    "properties",
    "data",
    "el",
    "schema",
    "model",
    "analysis",
    "plan",
    "rules",
    "project",
    "redact",
    "engine",
    "simulate",
    "triage",
    "report",
    "export",
    "mend",
    "host",
    "shell",
    "execute",
    "cli",
];

/// The rows below the line: only they do input and output.
const BELOW_THE_LINE: &[&str] = &["host", "shell", "execute", "cli"];

/// Neighbours that must not know each other: (user, used).
const APART: &[(&str, &str)] = &[
    ("xml", "time"),
    ("properties", "time"),
    ("el", "time"),
    ("el", "xml"),
    ("el", "properties"),
    ("el", "data"),
    ("data", "xml"),
    ("data", "properties"),
    ("data", "time"),
    ("schema", "time"),
    ("schema", "el"),
    ("rules", "plan"),
    ("engine", "rules"),
    ("engine", "schema"),
    ("engine", "project"),
    ("simulate", "rules"),
    ("simulate", "schema"),
    ("simulate", "project"),
    ("export", "rules"),
    ("export", "schema"),
    ("export", "project"),
    ("export", "triage"),
    ("export", "report"),
];

/// What only the rows below the line may name.
const IO: &[&str] = &[
    "std::fs",
    "std::env",
    "std::process",
    "std::thread",
    "std::net",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    "SystemTime",
    "Instant::now",
    "Utc::now",
    "Local::now",
    "println!",
    "print!",
    "eprintln!",
    "eprint!",
];

/// Crates that few places may name, so that they can be replaced.
const PRIVATE_CRATES: &[(&str, &[&str])] = &[
    ("chrono", &["src/time/"]),
    ("chrono_tz", &["src/time/"]),
    ("roxmltree", &["src/xml/"]),
    ("xsd_schema", &[]),
    ("libxml", &["src/schema/"]),
    ("miette", &["src/report/"]),
    ("unicode_width", &["src/report/"]),
    ("clap", &["src/cli/", "src/shell/context.rs"]),
    ("petgraph", &["src/analysis/"]),
    ("pest", &["src/el/parse.rs", "src/time/cron/parse.rs", "src/model/schedule/sentence/parse.rs"]),
];

/// What makes a file that whoever the umask lets may read.
const OPEN_FILES: &[&str] = &[
    "std::fs::write",
    "std::fs::OpenOptions",
    "std::fs::File::create",
    "std::fs::File::create_new",
    "std::fs::File::create_buffered",
    "std::fs::File::options",
];

/// Where the executor makes files otherwise: the one place of those for their owner alone, storage, whose files are
/// for others, and the store, whose permissions have a test of their own.
const OPEN_HOMES: &[&str] = &["src/execute/private.rs", "src/execute/storage/", "src/execute/store/"];

const LEFTOVERS: &[&str] =
    &["dbg!(", "todo!(", "unimplemented!(", "FIXME", "XXX", "#[ignore", "#[should_panic"];

/// Longest file of the program, in lines.
const LONGEST: usize = 600;

/// Longest file of tests and benches, in lines.
const LONGEST_TEST: usize = 800;

/// The paths and texts of the sources in and below a folder of the package; a folder without any fails, because nothing
/// would be checked.
fn texts(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path: PathBuf = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let relative = path.strip_prefix(root).expect("inside the package");
                let path = relative.to_str().expect("a plain name").replace('\\', "/");
                let text = fs::read_to_string(root.join(&path)).expect("a source file");
                files.push((path, text));
            }
        }
    }
    assert!(!files.is_empty(), "no sources in {folder}");
    files.sort();
    files
}

fn parse(path: &str, text: &str) -> Source {
    Source::parse(path, text).unwrap_or_else(|error| panic!("{error}"))
}

/// The program itself, without its unit tests.
static PROGRAM: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let sources = without_tests(texts("src").iter().map(|(path, text)| parse(path, text)).collect());
    for module in ORDER {
        let is_there = sources.iter().any(|source| source.module() == Some(module));
        assert!(is_there, "no sources of layer `{module}`: a check that looks at nothing passes always");
    }
    sources
});

/// The program, its tests and its benches.
fn everything() -> Vec<(String, String)> {
    ["src", "tests", "benches"].iter().flat_map(|folder| texts(folder)).collect()
}

fn report(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Layers that are used from below, and modules that have no layer.
fn upward(sources: &[Source]) -> Vec<String> {
    let rank = |name: &str| ORDER.iter().position(|module| *module == name);
    let mut faults = Vec::new();
    for source in sources {
        let Some(module) = source.module() else { continue };
        let Some(own) = rank(module) else {
            faults.push(format!("{}: module `{module}` has no layer", source.path));
            continue;
        };
        for used in source.used.iter().filter(|used| used.segments[0] == "crate") {
            let Some(other) = used.segments.get(1) else { continue };
            let is_upward = rank(other).is_some_and(|other| other > own) || other == "*";
            if is_upward || APART.contains(&(module, other)) {
                faults.push(format!("{}:{}: `{module}` may not use `{other}`", source.path, used.line));
            }
        }
    }
    faults
}

/// I/O above the line.
fn foreign_io(sources: &[Source]) -> Vec<String> {
    let is_above = |it: &&Source| it.module().is_some_and(|module| !BELOW_THE_LINE.contains(&module));
    let outside = sources.iter().filter(is_above);
    let mut faults = Vec::new();
    for source in outside {
        for used in &source.used {
            for name in IO.iter().filter(|name| used.names(name)) {
                faults.push(format!("{}:{}: `{name}` belongs below the line", source.path, used.line));
            }
        }
    }
    faults
}

/// Crates that are named away from their home.
fn strays(sources: &[Source]) -> Vec<String> {
    let mut faults = Vec::new();
    for source in sources {
        for (name, homes) in PRIVATE_CRATES {
            let at_home = homes.iter().any(|home| source.path.starts_with(home));
            for used in source.used.iter().filter(|used| !at_home && used.segments[0] == *name) {
                let homes = homes.join(", ");
                faults.push(format!("{}:{}: `{name}` is private to {homes}", source.path, used.line));
            }
        }
    }
    faults
}

/// Files of the executor that are made for more than their owner.
fn open_files(sources: &[Source]) -> Vec<String> {
    let is_home = |path: &str| OPEN_HOMES.iter().any(|home| path.starts_with(home));
    let mut faults = Vec::new();
    for source in sources.iter().filter(|it| it.module() == Some("execute") && !is_home(&it.path)) {
        for used in &source.used {
            for name in OPEN_FILES.iter().filter(|name| used.names(name)) {
                faults.push(format!("{}:{}: `{name}` instead of `private`", source.path, used.line));
            }
        }
    }
    faults
}

/// Files that are long, or do not say what they are for.
fn shapeless(files: &[(String, String)]) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in files {
        let lines = text.lines().count();
        let longest = if path.starts_with("src/") { LONGEST } else { LONGEST_TEST };
        if lines > longest {
            faults.push(format!("{path}: {lines} lines, more than {longest}"));
        }
        if !text.starts_with("//!") && !path.contains("/fuzz/") {
            faults.push(format!("{path}: does not open with `//!`"));
        }
    }
    faults
}

/// Words of unfinished work.
fn leftovers(files: &[(String, String)]) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| path != "tests/tidy.rs") {
        for (index, line) in text.lines().enumerate() {
            for word in LEFTOVERS.iter().filter(|word| line.contains(**word)) {
                faults.push(format!("{path}:{}: `{word}`", index + 1));
            }
        }
    }
    faults
}

#[test]
fn imports_point_down() {
    report(&upward(&PROGRAM));
}

#[test]
fn only_the_rows_below_the_line_do_io() {
    report(&foreign_io(&PROGRAM));
}

#[test]
fn replaceable_crates_have_one_home() {
    report(&strays(&PROGRAM));
}

#[test]
fn files_of_the_executor_are_for_their_owner() {
    report(&open_files(&PROGRAM));
}

#[test]
fn files_are_short_and_say_what_they_are_for() {
    report(&shapeless(&everything()));
}

#[test]
fn nothing_is_left_over() {
    report(&leftovers(&everything()));
}

/// A check of one file.
type Check = fn(&str, &str) -> Vec<String>;

const UPWARD: Check = |path, text| upward(&without_tests(vec![parse(path, text)]));
const FOREIGN_IO: Check = |path, text| foreign_io(&without_tests(vec![parse(path, text)]));
const STRAYS: Check = |path, text| strays(&without_tests(vec![parse(path, text)]));
const OPEN: Check = |path, text| open_files(&without_tests(vec![parse(path, text)]));
const SHAPELESS: Check = |path, text| shapeless(&[(path.to_owned(), text.to_owned())]);
const LEFT_OVER: Check = |path, text| leftovers(&[(path.to_owned(), text.to_owned())]);

#[test]
fn each_check_finds_what_is_planted() {
    const PLAN: &str = "src/plan/x/y.rs";
    let long = format!("//! Long.\n{}", "\n".repeat(LONGEST));
    let planted: &[(Check, &str, &str)] = &[
        (UPWARD, PLAN, "use crate::execute::store;"),
        (UPWARD, PLAN, "use crate::{el, cli::{self, commands}};"),
        (UPWARD, PLAN, "use super::super::super::engine::Job;"),
        (UPWARD, PLAN, "use crate::*;"),
        (UPWARD, PLAN, "use crate as ankus; fn f() { ankus::engine::go() }"),
        (UPWARD, PLAN, "fn f() { let it: crate::engine::Job = todo(); }"),
        (UPWARD, PLAN, "fn f() { format!(\"{}\", crate::engine::name()) }"),
        (UPWARD, PLAN, "#[cfg(test)] mod tests { fn f() {} } fn f() { crate::engine::go() }"),
        (UPWARD, "src/el/x.rs", "use crate::time::Instant;"),
        (UPWARD, "src/novel/x.rs", ""),
        (FOREIGN_IO, PLAN, "use std::fs;"),
        (FOREIGN_IO, PLAN, "use std::{collections::BTreeMap, fs::File};"),
        (FOREIGN_IO, PLAN, "use std::io; fn f() { io::stdin(); }"),
        (FOREIGN_IO, PLAN, "use std::io::*;"),
        (FOREIGN_IO, PLAN, "use std as s; fn f() { s::env::args(); }"),
        (FOREIGN_IO, PLAN, "fn f() { ::std::process::exit(1) }"),
        (FOREIGN_IO, PLAN, "fn f() { println!(\"x\") }"),
        (FOREIGN_IO, PLAN, "fn f() { std::time::SystemTime::now(); }"),
        (FOREIGN_IO, PLAN, "use std::time::Instant as Clock; fn f() { Clock::now(); }"),
        (STRAYS, PLAN, "use chrono::Utc;"),
        (STRAYS, PLAN, "use {clap::Parser, std::fmt};"),
        (STRAYS, PLAN, "fn f(it: ::roxmltree::Document) {}"),
        (STRAYS, "src/el/other.rs", "use pest as grammar; fn f(it: grammar::Span) {}"),
        (OPEN, "src/execute/x/y.rs", "use std::fs::File; fn f() { File::create(\"x\"); }"),
        (OPEN, "src/execute/x/y.rs", "use std::fs; fn f() { fs::write(\"x\", \"\"); }"),
        (OPEN, "src/execute/x/y.rs", "use std::fs::OpenOptions;"),
        (OPEN, "src/execute/x/y.rs", "fn f() { std::fs::File::options(); }"),
        (SHAPELESS, PLAN, &long),
        (SHAPELESS, PLAN, "fn f() {}"),
        (LEFT_OVER, PLAN, "fn f() { todo!() }"),
        (LEFT_OVER, "tests/x.rs", "#[ignore] fn f() {}"),
    ];
    for (check, path, text) in planted {
        assert!(!check(path, text).is_empty(), "not found in {path}: {}", text.trim_end());
    }
}

#[test]
fn no_check_finds_what_is_allowed() {
    const PLAN: &str = "src/plan/x/y.rs";
    let fine: &[(Check, &str, &str)] = &[
        (UPWARD, PLAN, "use crate::{el, model::Workflow}; use super::z;"),
        (UPWARD, PLAN, "#[cfg(test)] mod tests { use crate::engine::Job; }"),
        (
            UPWARD,
            PLAN,
            "// crate::engine::Job\n/// [`crate::engine::Job`]\nfn f() -> &'static str { \"crate::engine\" }",
        ),
        (UPWARD, "src/host/x.rs", "use crate::engine::Job;"),
        (FOREIGN_IO, PLAN, "use std::io::Write; fn f() { let fs = 1; if fs != 2 {} }"),
        (FOREIGN_IO, "src/host/x.rs", "use std::fs;"),
        (OPEN, "src/execute/storage/x.rs", "fn f() { std::fs::File::create(\"x\"); }"),
        (OPEN, "src/execute/x.rs", "use std::fs::File; fn f() { File::open(\"x\"); std::fs::read(\"x\"); }"),
        (STRAYS, "src/time/x.rs", "use chrono::Utc;"),
        (STRAYS, PLAN, "fn f() { let chrono_like = 1; }"),
    ];
    for (check, path, text) in fine {
        assert_eq!(check(path, text), Vec::<String>::new(), "{path}: {text}");
    }
    let parent =
        parse("src/plan/mod.rs", "#[cfg(test)] mod tests; #[cfg(test)] #[path = \"x_tests.rs\"] mod more;");
    let children = ["tests", "x_tests", "other"];
    let mut sources = vec![parent];
    sources.extend(children.map(|name| parse(&format!("src/plan/{name}.rs"), "use crate::engine::Job;")));
    assert_eq!(upward(&without_tests(sources)), ["src/plan/other.rs:1: `plan` may not use `engine`"]);
}

/// Whoever adds a crate says what it is for.
#[test]
fn every_dependency_is_explained() {
    let read = |name: &str| fs::read_to_string(root().join(name)).expect("a file of the repository");
    let manifest = toml::Value::Table(read("Cargo.toml").parse().expect("TOML"));
    let targets = manifest.get("target").and_then(toml::Value::as_table).expect("targets");
    let tables = targets.values().chain([&manifest]);
    let names = tables.flat_map(|table| {
        let of =
            |kind| table.get(kind).and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys);
        of("dependencies").chain(of("dev-dependencies")).cloned().collect::<Vec<_>>()
    });
    let text = read("ARCHITECTURE.md");
    let (_, section) = text.split_once("## 8. Dependencies").expect("the section");
    let (section, _) = section.split_once("\n## ").expect("the next section");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" |"));
    let cells: Vec<&str> = rows.map(|(cell, _)| cell).collect();
    let is_named = |name: &str| {
        let is_part = |c: char| !(c.is_alphanumeric() || "-_".contains(c));
        cells.iter().any(|cell| cell.split(is_part).any(|word| word == name))
    };
    let missing: Vec<String> = names.filter(|name| !is_named(name)).collect();
    assert!(missing.is_empty(), "section 8 of ARCHITECTURE.md does not say what {missing:?} are for");
}

/// A command that stands beside a figure runs something: a filter that names no test passes always.
#[test]
fn commands_beside_figures_name_tests() {
    let tests: Vec<String> = texts("tests")
        .into_iter()
        .flat_map(|(path, text)| {
            let file = path.trim_start_matches("tests/").trim_end_matches(".rs").to_owned();
            let parts: Vec<String> = text.split("#[test]").skip(1).map(str::to_owned).collect();
            let name = |part: String| Some(part.split_once("fn ")?.1.split_once('(')?.0.to_owned());
            parts.into_iter().filter_map(name).map(move |name| format!("{file}::{name}"))
        })
        .collect();
    let mut count = 0;
    for file in ["ARCHITECTURE.md", ".ci/nightly", ".ci/run"] {
        let text = fs::read_to_string(root().join(file)).expect("a file of the repository");
        for command in text.split("--test all -- ").skip(1) {
            let command = command.split(['`', '\n']).next().unwrap_or_default();
            for filter in command.split_whitespace().filter(|word| !word.starts_with("--")) {
                count += 1;
                assert!(
                    tests.iter().any(|test| test.contains(filter)),
                    "{file}: no test is called `{filter}`"
                );
            }
        }
    }
    assert!(count > 8, "{count}");
}
