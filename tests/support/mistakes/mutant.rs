//! One mistake at one place.

use std::ops::RangeInclusive;

use super::document::{Document, Edit, hash};
use super::kinds::{Kind, Make};
use super::subject::Subject;

/// One mistake in one file of a subject.
#[derive(Clone, Debug)]
pub struct Mutant {
    pub kind: &'static Kind,
    /// The touched file, relative to the subject's folder.
    pub file: String,
    /// What it holds now; none where it is gone.
    pub text: Option<String>,
    /// The lines that differ, of the new text.
    pub lines: RangeInclusive<usize>,
    /// How many lines were added behind the place.
    pub added: isize,
    /// What was taken away and what was put in.
    pub before: String,
    pub after: String,
    /// What is gone leaves no place: these words, on whatever line they stand, are where it is missed.
    pub missed_as: Vec<String>,
}

impl Mutant {
    fn new(kind: &'static Kind, file: &str, text: &str, edit: &Edit) -> Mutant {
        // What the edit leaves as it is does not belong to the place.
        let old = &text[edit.range.clone()];
        let common = |mut pairs: Box<dyn Iterator<Item = (char, char)> + '_>| -> usize {
            let mut bytes = 0;
            while let Some((a, b)) = pairs.next().filter(|(a, b)| a == b) {
                debug_assert_eq!(a, b);
                bytes += a.len_utf8();
            }
            bytes
        };
        let head = common(Box::new(old.chars().zip(edit.with.chars())));
        let tail = common(Box::new(old[head..].chars().rev().zip(edit.with[head..].chars().rev())));
        let (before, after) = (&old[head..old.len() - tail], &edit.with[head..edit.with.len() - tail]);
        let at = edit.range.start + head;
        let lines = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
        let mut new = text.to_owned();
        new.replace_range(edit.range.clone(), &edit.with);
        let first = 1 + lines(&text[..at]);
        Mutant {
            kind,
            file: file.to_owned(),
            text: Some(new),
            lines: first..=first + lines(after),
            added: lines(after) as isize - lines(before) as isize,
            missed_as: if edit.with.is_empty() { names(old) } else { Vec::new() },
            before: before.to_owned(),
            after: after.to_owned(),
        }
    }

    /// The same choice always: it depends on nothing but what the mutant is.
    pub fn rank(&self, subject: &str) -> usize {
        hash(&format!("{} {subject} {} {:?} {}", self.kind.name, self.file, self.lines, self.after))
    }
}

/// The names that a piece of a definition or a properties file gives.
fn names(gone: &str) -> Vec<String> {
    let quoted = gone.split("name=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let keys = gone.lines().filter(|_| !gone.contains('<')).filter_map(|line| line.split_once('='));
    let properties = gone.split("<name>").skip(1).filter_map(|rest| rest.split('<').next());
    let all = quoted.chain(keys.map(|(key, _)| key.trim())).chain(properties);
    all.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// All mutants of one kind that a subject has room for.
pub fn mutants(kind: &'static Kind, subject: &Subject) -> Vec<Mutant> {
    let mut found = Vec::new();
    for (file, text) in &subject.files {
        for edit in edits(&kind.make, file, text) {
            let mutant = Mutant::new(kind, file, text, &edit);
            if mutant.text.as_deref() != Some(text) {
                found.push(mutant);
            }
        }
    }
    if let Make::File(is_meant) = kind.make {
        for file in subject.all.iter().filter(|file| is_meant(file)) {
            let name = file.rsplit('/').next().unwrap_or_default().to_owned();
            // Where nothing names the file, nothing misses it.
            if !subject.files.iter().any(|(other, text)| other != file && text.contains(&name)) {
                continue;
            }
            found.push(Mutant {
                kind,
                file: file.clone(),
                text: None,
                lines: 1..=1,
                added: 0,
                before: String::new(),
                after: String::new(),
                missed_as: vec![name],
            });
        }
    }
    found
}

fn edits(make: &Make, file: &str, text: &str) -> Vec<Edit> {
    if file.ends_with(".properties") {
        return match make {
            Make::Key(change) => lines(text, *change),
            _ => Vec::new(),
        };
    }
    if !file.ends_with(".xml") {
        return Vec::new();
    }
    let Some(document) = Document::read(text) else { return Vec::new() };
    let known = ["workflow-app", "coordinator-app", "bundle-app", "datasets", "configuration"];
    if !known.contains(&document.root().name) {
        return Vec::new();
    }
    let values = |change: &dyn Fn(&super::document::Element<'_>, &str) -> Option<String>| {
        document.values().filter_map(|(e, value, range)| Some(Edit::new(range, change(e, value)?))).collect()
    };
    match make {
        Make::Attribute(change) => {
            let all = document
                .elements
                .iter()
                .flat_map(|e| e.attributes.iter().map(move |a| (e, a)))
                .filter(|(_, a)| !a.value.is_empty());
            all.filter_map(|(e, a)| Some(Edit::new(a.value_range.clone(), change(&document, e, a)?)))
                .collect()
        }
        Make::Text(change) => {
            let all = document.elements.iter().filter_map(|e| Some((e, e.text.clone()?)));
            all.filter_map(|(e, (t, range))| Some(Edit::new(range, change(&document, e, t)?))).collect()
        }
        Make::Value(change) => values(&|e, value| change(&document, e, value)),
        Make::Element(change) => document.elements.iter().filter_map(|e| change(&document, e)).collect(),
        Make::Raw(change) => change(text),
        Make::Key(_) | Make::File(_) => Vec::new(),
    }
}

/// Each entry of a properties file.
fn lines(text: &str, change: fn(&str, &str) -> Option<String>) -> Vec<Edit> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let written = line.trim_end();
        if let Some((key, value)) = written
            .split_once('=')
            .filter(|(key, _)| !written.starts_with('#') && key.is_ascii() && !key.trim().is_empty())
            && let Some(with) = change(key.trim(), value.trim())
        {
            let end = if with.is_empty() { line.len() } else { written.len() };
            found.push(Edit::new(start..start + end, with));
        }
        start += line.len();
    }
    found
}
