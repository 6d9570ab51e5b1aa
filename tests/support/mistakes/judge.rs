//! What became of a mutant: reported, harmless, or missed; and whether files that nobody touched keep their findings.

use std::path::Path;

use serde_json::Value;

use super::mutant::Mutant;
use super::subject::{Program, Subject};
use crate::support::{ankus, root};

/// How far from its place a mistake may be reported, in lines.
const NEAR: usize = 2;

/// A finding, as JSON tells it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    pub file: String,
    pub line: usize,
    pub severity: String,
    pub rule: String,
    pub message: String,
    pub help: String,
    /// Other places: file, line, words.
    pub labels: Vec<(String, usize, String)>,
}

impl Finding {
    fn is_serious(&self) -> bool {
        self.severity != "info"
    }

    /// Everything that it says.
    fn words(&self) -> String {
        let labels = self.labels.iter().map(|(_, _, words)| words.as_str());
        [self.message.as_str(), self.help.as_str()].into_iter().chain(labels).collect::<Vec<_>>().join(" ")
    }

    /// The same finding, wherever it moved to.
    fn is_like(&self, other: &Finding) -> bool {
        (&self.file, &self.rule, &self.message, &self.severity)
            == (&other.file, &other.rule, &other.message, &other.severity)
    }
}

/// Checks a folder.
pub fn check(folder: &Path) -> (Vec<Finding>, u8) {
    let path = folder.display().to_string();
    let outcome = ankus(&["check", "--format", "json", &path]);
    let report: Value = serde_json::from_str(&outcome.out)
        .unwrap_or_else(|error| panic!("check of {path}: {error}\n{}\n{}", outcome.out, outcome.err));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    // Findings show paths relative to the working directory.
    let shown = folder.strip_prefix(root()).unwrap_or(folder).display().to_string();
    let file = |value: &Value| {
        let file = text(value);
        let inner = file.strip_prefix(&path).or_else(|| file.strip_prefix(&shown)).unwrap_or(&file);
        inner.trim_start_matches('/').to_owned()
    };
    let line = |value: &Value| value["start"]["line"].as_u64().unwrap_or_default() as usize;
    let label = |it: &Value| (file(&it["file"]), line(it), text(&it["message"]));
    let one = |it: &Value| Finding {
        file: file(&it["file"]),
        line: line(it),
        severity: text(&it["severity"]),
        rule: text(&it["rule"]),
        message: text(&it["message"]),
        help: text(&it["help"]),
        labels: it["labels"].as_array().into_iter().flatten().map(label).collect(),
    };
    (report["findings"].as_array().into_iter().flatten().map(one).collect(), outcome.code)
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// By this rule.
    Reported(String),
    /// Every program is planned and played as before.
    Harmless,
    /// With what differs, and what is said elsewhere.
    Missed(String),
}

/// What a check said, and what it said of files that nobody touched that it ought not to say.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub fate: Fate,
    pub elsewhere: Vec<String>,
}

/// Puts a mutant into its subject's folder, looks, and takes it out again.
pub fn judge(subject: &Subject, mutant: &Mutant) -> Verdict {
    let path = subject.folder.join(&mutant.file);
    let original = std::fs::read(&path).expect("the file is there");
    match &mutant.text {
        Some(text) => std::fs::write(&path, text).expect("the file can be written"),
        None => std::fs::remove_file(&path).expect("the file can be removed"),
    }
    let mut verdict = look(subject, mutant);
    let plays = matches!(verdict.fate, Fate::Harmless).then(|| plays(subject));
    std::fs::write(&path, original).expect("the file can be written back");
    // Played only where a plan shows no difference, which is seldom.
    if plays.is_some_and(|plays| plays != self::plays(subject)) {
        verdict.fate = Fate::Missed("only simulations differ".to_owned());
    }
    verdict
}

fn plays(subject: &Subject) -> Vec<String> {
    subject.programs.iter().map(Program::play).collect()
}

fn look(subject: &Subject, mutant: &Mutant) -> Verdict {
    let (findings, _) = check(&subject.folder);
    let new: Vec<&Finding> = news(&findings, &subject.findings, mutant);
    let near = |finding: &&&Finding| finding.is_serious() && is_near(finding, subject, mutant);
    let elsewhere = elsewhere(&findings, subject, mutant);
    if let Some(finding) = new.iter().find(near) {
        return Verdict { fate: Fate::Reported(finding.rule.clone()), elsewhere };
    }
    let said: Vec<String> = new
        .iter()
        .map(|it| format!("{} {}:{} {} {}", it.severity, it.file, it.line, it.rule, it.message))
        .collect();
    let fate = match difference(subject) {
        None if !new.iter().any(|finding| finding.is_serious()) => Fate::Harmless,
        difference => {
            let difference = difference.unwrap_or_else(|| "only findings differ".to_owned());
            Fate::Missed(format!("{difference}; said: {said:?}"))
        }
    };
    Verdict { fate, elsewhere }
}

/// The findings that were not there before.
fn news<'f>(now: &'f [Finding], before: &[Finding], mutant: &Mutant) -> Vec<&'f Finding> {
    let mut old: Vec<&Finding> = before.iter().collect();
    let moved = |line: usize| match line > *mutant.lines.start() {
        true => line.saturating_add_signed(mutant.added),
        false => line,
    };
    let is_old = |finding: &&Finding| {
        let same = |it: &&Finding| {
            let line = if it.file == mutant.file { moved(it.line) } else { it.line };
            it.is_like(finding) && line.abs_diff(finding.line) <= mutant.added.unsigned_abs()
        };
        match old.iter().position(same) {
            Some(at) => drop(old.remove(at)),
            None => return false,
        }
        true
    };
    let mut is_old = is_old;
    now.iter().filter(|finding| !is_old(finding)).collect()
}

fn is_near(finding: &Finding, subject: &Subject, mutant: &Mutant) -> bool {
    let first = mutant.lines.start().saturating_sub(NEAR);
    let place = first..=mutant.lines.end() + NEAR;
    let places = finding.labels.iter().map(|(file, line, _)| (file, *line));
    let mut places = places.chain([(&finding.file, finding.line)]);
    places.any(|(file, line)| {
        let is_there = mutant.text.is_some() && *file == mutant.file && place.contains(&line);
        is_there || is_use(file, line, subject, mutant)
    })
}

/// Whether a line names what is gone.
fn is_use(file: &str, line: usize, subject: &Subject, mutant: &Mutant) -> bool {
    let now = mutant.text.as_ref().filter(|_| file == mutant.file);
    let Some(text) = now.or_else(|| subject.files.get(file)) else { return false };
    let around = text.lines().skip(line.saturating_sub(1 + NEAR)).take(1 + 2 * NEAR);
    let text = around.collect::<Vec<_>>().join("\n");
    mutant.missed_as.iter().any(|word| text.contains(word.as_str()))
}

/// Findings of files that nobody touched may change only where they speak of what was touched: they have a label in
/// that file, or name it or a word that the mistake took away or put in. What is not understood any more is not
/// judged, so they may also vanish where the touched file has an error now.
fn elsewhere(now: &[Finding], subject: &Subject, mutant: &Mutant) -> Vec<String> {
    let is_broken =
        now.iter().any(|it| it.file == mutant.file && it.severity == "error") || mutant.text.is_none();
    let name = mutant.file.rsplit('/').next().unwrap_or_default();
    let words: Vec<&str> = [mutant.before.as_str(), mutant.after.as_str(), name]
        .into_iter()
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && !"_.-".contains(c)))
        .chain(mutant.missed_as.iter().map(String::as_str))
        .filter(|word| !word.is_empty())
        .collect();
    let line = mutant.text.as_ref().and_then(|text| text.lines().nth(mutant.lines.start() - 1));
    let words: Vec<&str> = words
        .into_iter()
        .chain(line.into_iter().flat_map(|line| {
            line.split(|c: char| !c.is_alphanumeric() && !"_.-".contains(c)).filter(|word| word.len() > 3)
        }))
        .collect();
    let speaks_of_it = |finding: &Finding| {
        let said = finding.words();
        finding.labels.iter().any(|(file, ..)| *file == mutant.file)
            || words.iter().any(|word| said.contains(word))
    };
    let elsewhere = |list: &[Finding]| -> Vec<Finding> {
        list.iter().filter(|it| it.file != mutant.file && it.is_serious()).cloned().collect()
    };
    let (before, after) = (elsewhere(&subject.findings), elsewhere(now));
    let told =
        |sign: &str, it: &Finding| format!("{sign} {}:{} {} {}", it.file, it.line, it.rule, it.message);
    let is_same = |a: &Finding, b: &Finding| a.is_like(b) && a.line == b.line;
    let gained = after.iter().filter(|it| !before.iter().any(|old| is_same(old, it)) && !speaks_of_it(it));
    let lost = before
        .iter()
        .filter(|it| !is_broken && !after.iter().any(|new| is_same(new, it)) && !speaks_of_it(it));
    gained.map(|it| told("+", it)).chain(lost.map(|it| told("-", it))).collect()
}

/// What is planned or played otherwise than before.
fn difference(subject: &Subject) -> Option<String> {
    if subject.programs.is_empty() {
        return Some("nothing can be planned".to_owned());
    }
    for program in &subject.programs {
        let name = program.arguments[0].rsplit('/').next().unwrap_or_default();
        let (_, plan) = Program::plan(&program.arguments);
        if plan != program.plan {
            let differs = plan.lines().zip(program.plan.lines()).find(|(a, b)| a != b);
            let cut = |line: &str| line.trim().chars().take(160).collect::<String>();
            let differs = differs.map_or_else(String::new, |(a, b)| format!("{} < {}", cut(a), cut(b)));
            return Some(format!("plan of {name}: {differs}"));
        }
    }
    None
}
