//! What mistakes are put into: estates of this repository and apps that other people wrote, in a folder of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::judge::{self, Finding};
use crate::support::{ankus, names_in, reference_for, root};

/// An estate or an app that nothing is wrong with.
#[derive(Debug)]
pub struct Subject {
    pub name: String,
    /// The copy that mutants are made in.
    pub folder: PathBuf,
    /// Definitions, default files and properties files by their path in the folder.
    pub files: BTreeMap<String, String>,
    /// Every file.
    pub all: Vec<String>,
    /// What the folder's check says of it as it is.
    pub findings: Vec<Finding>,
    /// How it is submitted, with what is planned then.
    pub programs: Vec<Program>,
}

/// An app with its values.
#[derive(Debug)]
pub struct Program {
    /// Arguments of a command.
    pub arguments: Vec<String>,
    pub plan: String,
    /// Until when it is played.
    pub until: Option<String>,
}

/// How many actions are planned.
const ACTIONS: &str = "40";

impl Program {
    pub fn plan(arguments: &[String]) -> (u8, String) {
        let all = ["plan"].into_iter().chain(arguments.iter().map(String::as_str));
        let outcome = ankus(&all.chain(["--format", "json", "--next", ACTIONS]).collect::<Vec<_>>());
        (outcome.code, outcome.out + &outcome.err)
    }

    pub fn play(&self) -> String {
        let all = ["simulate"].into_iter().chain(self.arguments.iter().map(String::as_str));
        let until = self.until.as_deref().into_iter().flat_map(|until| ["--until", until]);
        let outcome = ankus(&all.chain(until).collect::<Vec<_>>());
        outcome.out + &outcome.err
    }

    /// `None` where it cannot be planned, so that nothing could be proved by it.
    fn new(arguments: Vec<String>) -> Option<Program> {
        let (code, plan) = Program::plan(&arguments);
        if code != 0 {
            return None;
        }
        let document: Value = serde_json::from_str(&plan).ok()?;
        // What runs for years need not be played to its end.
        let nominal = |number: usize| document["actions"][number]["nominal"].as_str().map(str::to_owned);
        let until = nominal(20);
        Some(Program { arguments, plan, until })
    }
}

/// The files below a folder, relative to it, sorted.
fn files_in(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for name in names_in(&at) {
            let path = at.join(&name);
            if path.is_dir() {
                open.push(path);
            } else if let Ok(relative) = path.strip_prefix(folder) {
                found.push(relative.display().to_string());
            }
        }
    }
    found.sort();
    found
}

/// Copies files into a folder of the subject's own and looks at them as they are.
fn subject(run: &str, name: &str, files: &BTreeMap<String, PathBuf>) -> Option<Subject> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mistakes").join(run).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    // A project of its own: what the repository around it ignores is no matter here.
    std::fs::create_dir_all(folder.join(".git")).expect("the folder can be made");
    let mut texts = BTreeMap::new();
    for (relative, from) in files {
        let to = folder.join(relative);
        std::fs::create_dir_all(to.parent()?).expect("the folder can be made");
        let bytes = std::fs::read(from).unwrap_or_default();
        std::fs::write(&to, &bytes).expect("the file can be written");
        if let (Ok(text), true) =
            (String::from_utf8(bytes), relative.ends_with(".xml") || relative.ends_with(".properties"))
        {
            texts.insert(relative.clone(), text);
        }
    }
    let (findings, _) = judge::check(&folder);
    let all: Vec<String> = files.keys().cloned().collect();
    let mut subject =
        Subject { name: name.to_owned(), folder, files: texts, all, findings, programs: Vec::new() };
    // Mistakes are made in what is right.
    if subject.findings.iter().any(|finding| finding.severity == "error") {
        return None;
    }
    subject.programs = programs(&subject);
    Some(subject)
}

/// Its properties files; where there are none, each definition with values for what it misses.
fn programs(subject: &Subject) -> Vec<Program> {
    let path = |file: &str| subject.folder.join(file).display().to_string();
    let names_app = |file: &&String| {
        file.ends_with(".properties") && ankus::host::discovery::names_app(&subject.folder.join(file))
    };
    let by_properties: Vec<Program> =
        subject.files.keys().filter(names_app).filter_map(|file| Program::new(vec![path(file)])).collect();
    if !by_properties.is_empty() {
        return by_properties;
    }
    let definitions = subject.files.iter().filter(|(file, text)| file.ends_with(".xml") && is_app(text));
    definitions.filter_map(|(file, _)| with_values(&path(file))).collect()
}

fn is_app(text: &str) -> bool {
    ["<workflow-app", "<coordinator-app", "<bundle-app"].iter().any(|root| text.contains(root))
}

/// A program of a definition for which values are made up.
fn with_values(path: &str) -> Option<Program> {
    let mut arguments = vec![path.to_owned()];
    let mut given = BTreeSet::new();
    for _ in 0..3 {
        if let Some(program) = Program::new(arguments.clone()) {
            let missing = serde_json::from_str::<Value>(&program.plan).ok()?["missing"].take();
            let names: Vec<String> = missing
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|it| Some(it.as_str()?.to_owned()))
                .collect();
            if names.is_empty() || names.iter().all(|name| given.contains(name)) {
                return Some(program);
            }
            arguments.extend(names.into_iter().filter(|name| given.insert(name.clone())).flat_map(value));
            continue;
        }
        let (_, out) = Program::plan(&arguments);
        let report: Value = serde_json::from_str(&out).ok()?;
        let findings = report["findings"].as_array()?;
        let missing = findings.iter().filter(|finding| finding["rule"] == "parameter-undefined");
        let names: Vec<String> =
            missing.filter_map(|it| Some(it["message"].as_str()?.split('`').nth(1)?.to_owned())).collect();
        let new: Vec<String> = names.into_iter().filter(|name| given.insert(name.clone())).collect();
        if new.is_empty() {
            return None;
        }
        arguments.extend(new.into_iter().flat_map(value));
    }
    Program::new(arguments)
}

/// A value that a name asks for.
fn value(name: String) -> [String; 2] {
    let lower = name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let value = match () {
        () if has(&["start", "begin", "initial", "kick"]) => "2024-01-01T00:00Z",
        () if has(&["end"]) => "2024-01-03T00:00Z",
        () if has(&["zone"]) => "UTC",
        () if has(&["freq"]) => "60",
        () if has(&["node"]) => "hdfs://nn.example:8020",
        () if has(&["path", "dir", "root", "input", "output"]) => "/data/some",
        () if has(&["mail"]) => "a@example.com",
        () => "7",
    };
    ["-D".to_owned(), format!("{name}={value}")]
}

/// The estates of this repository, copied for one test.
pub fn estates(run: &str) -> Vec<Subject> {
    let folder = root().join("fixtures/estates");
    let one = |name: &String| {
        let files = files_in(&folder.join(name));
        let files = files.into_iter().map(|file| (file.clone(), folder.join(name).join(file))).collect();
        subject(run, &format!("estates/{name}"), &files)
            .unwrap_or_else(|| panic!("{name} has errors as it is"))
    };
    names_in(&folder).iter().map(one).collect()
}

/// How many definitions a folder has that is taken for one app; in one with more each is an app by itself.
const MAX_DEFINITIONS: usize = 4;

/// The apps of other people that have no errors and can be planned.
pub fn corpus(run: &str, is_wanted: impl Fn(usize) -> bool) -> Vec<Subject> {
    let Some(corpus) = reference_for("mistakes in apps of other people", "corpus") else { return Vec::new() };
    let files = files_in(&corpus);
    let mut by_folder: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.ends_with(".xml")) {
        let text = std::fs::read_to_string(corpus.join(file)).unwrap_or_default();
        if is_app(&text) {
            by_folder.entry(file.rsplit_once('/').map_or("", |(folder, _)| folder)).or_default().push(file);
        }
    }
    let omitted = std::fs::read_to_string(corpus.join("OMITTED.tsv")).unwrap_or_default();
    let omitted: Vec<String> =
        omitted.lines().filter_map(|line| Some(line.split('\t').next()?.to_owned())).collect();
    let mut apps: Vec<BTreeMap<String, PathBuf>> = Vec::new();
    let mut taken: Vec<&str> = Vec::new();
    for (folder, definitions) in &by_folder {
        // What lies in the folder of another app belongs to it.
        if taken.iter().any(|above| folder.starts_with(&format!("{above}/"))) {
            continue;
        }
        if definitions.len() > MAX_DEFINITIONS {
            let alone = |file: &&String| {
                let name = file.rsplit('/').next().unwrap_or_default();
                BTreeMap::from([(name.to_owned(), corpus.join(file))])
            };
            apps.extend(definitions.iter().map(alone));
            continue;
        }
        taken.push(folder);
        let inside = files.iter().chain(&omitted).filter_map(|file| {
            let relative = file.strip_prefix(&format!("{folder}/"))?;
            Some((relative.to_owned(), corpus.join(file)))
        });
        apps.push(inside.collect());
    }
    let named = apps.iter().enumerate().filter(|(index, _)| is_wanted(*index));
    let subjects = named.filter_map(|(index, files)| subject(run, &format!("apps/{index:03}"), files));
    subjects.filter(|subject| !subject.programs.is_empty()).collect()
}
