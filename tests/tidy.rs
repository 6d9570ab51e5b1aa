//! The rules of the house that a compiler does not check: layers, I/O only in the shell, short files, no leftovers.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules from the bottom up. A module may use every module before it that is not in [`APART`].
const ORDER: &[&str] = &[
    "source",
    "diag",
    "time",
    "xml",
    "properties",
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
    "mend",
    "shell",
];

/// Neighbours that must not know each other: (user, used).
const APART: &[(&str, &str)] = &[
    ("xml", "time"),
    ("properties", "time"),
    ("el", "time"),
    ("el", "xml"),
    ("el", "properties"),
    ("schema", "time"),
    ("schema", "el"),
    ("rules", "plan"),
    ("engine", "rules"),
    ("engine", "schema"),
    ("engine", "project"),
    ("simulate", "rules"),
    ("simulate", "schema"),
    ("simulate", "project"),
];

/// What only `src/shell` may name.
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
    ("chrono::", &["src/time/"]),
    ("chrono_tz::", &["src/time/"]),
    ("roxmltree::", &["src/xml/"]),
    ("xsd_schema::", &["src/schema/"]),
    ("libxml::", &["src/schema/"]),
    ("miette::", &["src/report/"]),
    ("unicode_width::", &["src/report/"]),
    ("clap::", &["src/shell/"]),
    ("petgraph::", &["src/analysis/"]),
    ("pest::", &["src/el/parse.rs", "src/time/cron/parse.rs"]),
];

const LEFTOVERS: &[&str] =
    &["dbg!(", "todo!(", "unimplemented!(", "FIXME", "XXX", "#[ignore", "#[should_panic"];

/// Longest file, in lines.
const LONGEST: usize = 800;

struct Source {
    /// Relative to the package, with `/` between.
    path: String,
    text: String,
}

impl Source {
    /// Lines of code with their numbers from 1, without comments and the unit tests, which stand last.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let code = self.text.split("#[cfg(test)]\nmod ").next().unwrap_or("");
        let numbered = code.lines().enumerate().map(|(index, line)| (index + 1, line));
        numbered.filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// The top-level module the file belongs to; none for `lib.rs` and `main.rs`.
    fn module(&self) -> Option<&str> {
        let rest = self.path.strip_prefix("src/")?;
        let name = rest.split('/').next()?.trim_end_matches(".rs");
        (name != "lib" && name != "main").then_some(name)
    }
}

fn sources(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path: PathBuf = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let relative = path.strip_prefix(root).expect("inside the package");
                let path = relative.to_str().expect("a plain name").replace('\\', "/");
                let text = fs::read_to_string(root.join(&path)).expect("a source file");
                files.push(Source { path, text });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// Every `needle` in `line` that does not continue a longer name.
fn names<'a>(line: &'a str, needle: &'a str) -> impl Iterator<Item = usize> + 'a {
    line.match_indices(needle)
        .map(|(at, _)| at)
        .filter(|at| !line[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':'))
}

fn report(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn imports_point_down() {
    let rank = |name: &str| ORDER.iter().position(|module| *module == name);
    let mut faults = Vec::new();
    for source in sources("src") {
        let Some(module) = source.module() else { continue };
        let Some(own) = rank(module) else {
            faults.push(format!("{}: module `{module}` has no layer", source.path));
            continue;
        };
        for (number, line) in source.lines() {
            for at in names(line, "crate::") {
                let rest = &line[at + "crate::".len()..];
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                let used = &rest[..end];
                let upward = rank(used).is_some_and(|other| other > own);
                if upward || APART.contains(&(module, used)) {
                    faults.push(format!("{}:{number}: `{module}` may not use `{used}`", source.path));
                }
            }
        }
    }
    report(&faults);
}

#[test]
fn only_the_shell_does_io() {
    let mut faults = Vec::new();
    for source in sources("src") {
        if source.path.starts_with("src/shell/") || source.path == "src/main.rs" {
            continue;
        }
        for (number, line) in source.lines() {
            for name in IO.iter().filter(|name| names(line, name).next().is_some()) {
                faults.push(format!("{}:{number}: `{name}` belongs to src/shell", source.path));
            }
        }
    }
    report(&faults);
}

#[test]
fn replaceable_crates_have_one_home() {
    let mut faults = Vec::new();
    for source in sources("src") {
        for (number, line) in source.lines() {
            for (name, homes) in PRIVATE_CRATES {
                let at_home = homes.iter().any(|home| source.path.starts_with(home));
                if !at_home && names(line, name).next().is_some() {
                    faults.push(format!(
                        "{}:{number}: `{name}` is private to {}",
                        source.path,
                        homes.join(", ")
                    ));
                }
            }
        }
    }
    report(&faults);
}

#[test]
fn files_are_short_and_say_what_they_are_for() {
    let mut faults = Vec::new();
    for source in ["src", "tests", "benches"].iter().flat_map(|folder| sources(folder)) {
        let lines = source.text.lines().count();
        if lines > LONGEST {
            faults.push(format!("{}: {lines} lines, more than {LONGEST}", source.path));
        }
        if !source.text.starts_with("//!") && !source.path.contains("/fuzz/") {
            faults.push(format!("{}: does not open with `//!`", source.path));
        }
    }
    report(&faults);
}

#[test]
fn nothing_is_left_over() {
    let mut faults = Vec::new();
    for source in ["src", "tests", "benches"].iter().flat_map(|folder| sources(folder)) {
        if source.path == "tests/tidy.rs" {
            continue;
        }
        for (index, line) in source.text.lines().enumerate() {
            for word in LEFTOVERS.iter().filter(|word| line.contains(**word)) {
                faults.push(format!("{}:{}: `{word}`", source.path, index + 1));
            }
        }
    }
    report(&faults);
}
