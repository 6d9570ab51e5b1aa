//! What several integration tests share.

pub mod browser;
pub mod coordinator;
#[cfg(unix)]
pub mod disk;
pub mod engine;
pub mod executor;
pub mod exercise;
pub mod graphs;
pub mod hourly;
pub mod hws_apps;
pub mod input_logic;
pub mod invariants;
pub mod java_schemas;
pub mod mistakes;
pub mod namenode;
pub mod own_time;
pub mod play;
pub mod random_apps;
pub mod random_deeds;
pub mod record;
pub mod rows;
pub mod server_plays;
pub mod silence;
pub mod sinks;
#[cfg(unix)]
pub mod sshd;
pub mod store_model;
#[cfg(unix)]
pub mod terminal;
pub mod xsd_engine;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ankus::properties::hadoop;
use ankus::source::Sources;

/// The folder of the crate.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A folder or file of the reference material, which is read where it lies.
///
/// # Panics
///
/// When it is not there: a test that needs it is ignored without the flag `has_reference` of `build.rs`.
pub fn reference(what: &str) -> PathBuf {
    let folder = std::env::var_os("ANKUS_REFERENCE").map_or_else(|| root().join("../shared"), PathBuf::from);
    let folder = folder.join(what);
    // Without `..` in it, so that the paths that findings show begin with it.
    folder
        .canonicalize()
        .unwrap_or_else(|error| panic!("no reference material: {}: {error}", folder.display()))
}

/// The reference material for the part of a test that can do without; says so where it is missing.
pub fn reference_for(part: &str, what: &str) -> Option<PathBuf> {
    if cfg!(has_reference) {
        return Some(reference(what));
    }
    not_run(part, "no reference material");
    None
}

/// Reports a part of a test that cannot be run on this machine, also where the harness keeps what tests print.
pub fn not_run(part: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "not run: {part} ({why})");
}

/// True when expected output is to be rewritten: `UPDATE=1 cargo test`.
pub fn update() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}

/// Compares a text with a file of the repository, or writes it with `UPDATE=1`.
pub fn expect_file(path: &Path, actual: &str) -> Result<(), String> {
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    if update() {
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
        std::fs::write(path, actual).expect("the file can be written");
        return Ok(());
    }
    let name = path.strip_prefix(root()).unwrap_or(path).display();
    Err(format!("{name} differs (UPDATE=1 rewrites it)\n--- expected\n{expected}\n--- actual\n{actual}"))
}

/// A folder of its own for one test, emptied at the start, with these files in it.
pub fn folder_of(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    for (path, text) in files {
        write_file(&folder.join(path), text);
    }
    folder
}

/// Writes a file and the folders above it.
pub fn write_file(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
    std::fs::write(path, text).expect("the file can be written");
}

/// The findings of `check --format json` with these arguments: file name, line, rule, severity.
pub fn findings_of(arguments: &[&str]) -> Vec<(String, u64, String, String)> {
    let mut all = vec!["check", "--format", "json"];
    all.extend(arguments);
    let outcome = ankus(&all);
    assert!(outcome.code < 2, "{}", outcome.err);
    let report: serde_json::Value = serde_json::from_str(&outcome.out).expect("check prints JSON");
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let one = |finding: &serde_json::Value| {
        let file = text(&finding["file"]).rsplit('/').next().unwrap_or_default().to_owned();
        let line = finding["start"]["line"].as_u64().expect("a line");
        (file, line, text(&finding["rule"]), text(&finding["severity"]))
    };
    report["findings"].as_array().expect("findings").iter().map(one).collect()
}

/// What a command line came to.
#[derive(Debug)]
pub struct Outcome {
    /// The exit code.
    pub code: u8,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Runs `ankus` with these arguments inside the test, in the crate's folder.
pub fn ankus(arguments: &[&str]) -> Outcome {
    ankus_with_input(arguments, "")
}

/// Runs `ankus` with these arguments and this standard input.
pub fn ankus_with_input(arguments: &[&str], input: &str) -> Outcome {
    ankus_with(arguments, input, false)
}

/// Runs `ankus` with these arguments, which takes its output for a terminal, or does not.
pub fn ankus_on(arguments: &[&str], is_terminal: bool) -> Outcome {
    ankus_with(arguments, "", is_terminal)
}

fn ankus_with(arguments: &[&str], input: &str, is_terminal: bool) -> Outcome {
    let (out, err) = (Memory::default(), Memory::default());
    let io = ankus::host::io::Io {
        out: ankus::host::io::Stream::new("standard output", Box::new(out.clone())),
        err: ankus::host::io::Stream::new("standard error", Box::new(err.clone())),
        input: Box::new(Cursor::new(input.as_bytes().to_vec())),
        out_is_terminal: is_terminal,
        err_is_terminal: false,
    };
    let arguments = std::iter::once("ankus").chain(arguments.iter().copied()).map(Into::into).collect();
    let code = ankus::cli::arguments::run(arguments, io);
    Outcome { code, out: out.text(), err: err.text() }
}

/// A stream that keeps what is written.
#[derive(Clone, Default)]
struct Memory(Rc<RefCell<Vec<u8>>>);

impl Memory {
    fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).expect("output is UTF-8")
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The seeds to play: as many as the variable `{name}S` says, or so many; only one where `{name}` says which.
pub fn seeds(name: &str, ordinary: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number(name) {
        Some(seed) => seed..seed + 1,
        None => 0..number(&format!("{name}S")).unwrap_or(ordinary),
    }
}

/// The names in a folder, sorted; none when there is no such folder.
pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The deliberate differences of an area: case and reason.
pub fn differences(area: &str) -> BTreeMap<String, String> {
    let file = root().join("fixtures/reference/differences.toml");
    let text = std::fs::read_to_string(file).expect("the table of differences is there");
    let table: toml::Table = text.parse().expect("it is TOML");
    let rows = table.get("difference").and_then(toml::Value::as_array).into_iter().flatten();
    let cell = |row: &toml::Value, name: &str| row[name].as_str().expect("a text").to_owned();
    rows.filter(|row| cell(row, "area") == area).map(|row| (cell(row, "case"), cell(row, "reason"))).collect()
}

/// The names and values of a `.properties` text.
pub fn properties(text: &str) -> BTreeMap<String, String> {
    let file = Sources::new().add("job.properties", text);
    let (found, _) = ankus::properties::read(file, text);
    found.entries.into_iter().map(|entry| (entry.key.value, entry.value.value)).collect()
}

/// The properties of a Hadoop configuration text, as the server reads it.
pub fn configuration(text: &str) -> Vec<ankus::analysis::parameters::Given> {
    let file = Sources::new().add("default.xml", text);
    let (root, _) = ankus::xml::read(file, text, &ankus::xml::Limits::default());
    let (found, _) = hadoop::properties(&root.expect("well-formed"), hadoop::Reader::Server);
    ankus::analysis::parameters::given(&found)
}
