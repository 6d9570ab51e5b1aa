//! Stars in the place of secrets, wherever they turn up again: what a property with the name of a secret has held is
//! hidden in messages, URIs, definitions and logs too.
//!
//! Unlike a check of files, which asks whether somebody has written down a secret, this takes each value of such a
//! property for one: what something runs with looks as its owner likes. Never told by a text: the length of what it hid.

pub mod document;
pub mod names;
pub mod plan;

pub use plan::masked;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::analysis::secrets::{
    STARS, holds_secret, is_placeholder, names_secret, shown_within, starred, within,
};

use crate::properties;
use crate::source::{FileId, Redacts, Span};

/// Shorter values are hidden elsewhere only where they stand alone: too many words hold them.
const LEAST_CHARS: usize = 4;

/// Words of our own lines. Who has one for a password finds it hidden at its place, and the word where we say it.
const OURS: &[&str] = &[
    "action",
    "actions",
    "application",
    "bundle",
    "config",
    "coordinator",
    "dataset",
    "datasets",
    "decision",
    "default",
    "done",
    "error",
    "file",
    "folder",
    "fork",
    "instance",
    "join",
    "kill",
    "left",
    "missing",
    "node",
    "nodes",
    "property",
    "start",
    "started",
    "value",
    "waiting",
    "workflow",
    "DONE",
    "ERROR",
    "FAILED",
    "KILLED",
    "PAUSED",
    "PREP",
    "READY",
    "RUNNING",
    "SKIPPED",
    "SUBMITTED",
    "SUCCEEDED",
    "SUSPENDED",
    "TIMEDOUT",
    "WAITING",
];

/// Whether a few digits are those of a date or a time.
fn is_of_time(text: &str, part: Range<usize>) -> bool {
    let is_short = part.len() <= LEAST_CHARS && text[part.clone()].bytes().all(|byte| byte.is_ascii_digit());
    let is_between = |c: char| matches!(c, '-' | ':' | '/');
    let next = |text: &str| {
        text.strip_prefix(is_between).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let before = |text: &str| {
        text.strip_suffix(is_between).is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_digit()))
    };
    is_short && (next(&text[part.end..]) || before(&text[..part.start]))
}

/// Whether the rest of a text goes on with `@` and a host, so that a password stood before it, and not with the number of
/// an action (`daily@1`).
fn is_before_host(rest: &str) -> bool {
    let Some(host) = rest.strip_prefix('@') else { return false };
    let end = host.find(|c: char| !c.is_alphanumeric()).unwrap_or(host.len());
    let (word, behind) = host.split_at(end);
    !word.is_empty() && (behind.starts_with('.') || !word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What is known to be secret.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    /// What is hidden wherever it stands.
    long: BTreeSet<String>,
    /// What is hidden where neither a letter nor a digit stands beside it.
    short: BTreeSet<String>,
    /// The names of what was looked through.
    met: BTreeSet<String>,
    /// What definitions call things: nothing is hidden where one of these stands.
    names: BTreeSet<String>,
    /// For what is hidden, the names that hold it.
    guards: BTreeMap<String, BTreeSet<String>>,
}

impl Redactor {
    /// Takes in a property.
    pub fn learn(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if names_secret(name) && holds_secret(value) {
            self.keep(value);
        }
        for range in shown_within(value) {
            self.keep_found(&value[range]);
        }
        if !self.names.contains(name) {
            self.keep_name(name.to_owned());
        }
        names::of_property(name, value).into_iter().for_each(|name| self.keep_name(name));
    }

    /// Takes in a property that an action has captured. What it prints may be a secret where a name is expected, so that
    /// its names are not kept from being hidden.
    pub fn learn_captured(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if names_secret(name) && holds_secret(value) {
            self.keep(value);
        }
        for range in shown_within(value) {
            self.keep_found(&value[range]);
        }
    }

    /// Takes in what stands at the place of a secret in a file.
    pub fn learn_written(&mut self, text: &str) {
        if text.chars().count() >= LEAST_CHARS {
            self.keep(text);
        }
    }

    /// Takes in the properties of a configuration.
    pub fn learn_all<'p>(&mut self, properties: impl IntoIterator<Item = (&'p str, &'p str)>) {
        for (name, value) in properties {
            self.learn(name, value);
        }
    }

    /// Takes in the names of a definition; of a key once.
    pub fn learn_names(&mut self, key: &str, names: impl FnOnce() -> BTreeSet<String>) {
        if self.met.insert(format!("names of {key}")) {
            for name in names() {
                self.keep_name(name);
            }
        }
    }

    /// Keeps a name from being hidden, though a secret may be the same or a part of it.
    pub fn keep_name(&mut self, name: String) {
        if self.names.contains(&name) {
            return;
        }
        for value in self.long.iter().chain(&self.short).filter(|value| name.contains(value.as_str())) {
            self.guards.entry(value.clone()).or_default().insert(name.clone());
        }
        self.names.insert(name);
    }

    /// Whether nothing is known to be secret.
    pub fn is_empty(&self) -> bool {
        self.long.is_empty() && self.short.is_empty()
    }

    /// Takes in what a definition holds; of a name once.
    pub fn learn_definitions<'d>(&mut self, name: &str, texts: impl IntoIterator<Item = &'d str>) {
        if self.met.insert(name.to_owned()) {
            for text in texts {
                self.learn_definition(text);
            }
        }
    }

    /// Takes in what a definition holds.
    pub fn learn_definition(&mut self, text: &str) {
        for range in properties_of(text).into_iter().chain(elements_of(text)) {
            self.keep(&text[range]);
        }
        for range in elsewhere_in(text) {
            self.keep_found(&text[range]);
        }
    }

    /// Keeps the value of a property, in all the ways in which it shows. Flags are no secrets, whatever their names.
    fn keep(&mut self, value: &str) {
        let value = value.trim();
        if value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false") {
            return;
        }
        self.keep_one(value);
        // Logs are hidden line by line.
        let lines = value.lines().map(str::trim).filter(|line| line.chars().count() >= LEAST_CHARS);
        for line in lines {
            let tame = |c: char| match c {
                '\t' => ' ',
                c if c.is_control() => char::REPLACEMENT_CHARACTER,
                c => c,
            };
            self.keep_one(line);
            if line.contains(char::is_control) {
                self.keep_one(&line.chars().map(tame).collect::<String>());
            }
            for changed in [unescaped(line), escaped(line)] {
                if changed != line {
                    self.keep_one(&changed);
                    self.keep_one(&changed.replace('"', "&quot;").replace('\'', "&apos;"));
                }
            }
        }
    }

    /// Keeps what stood in a text where a secret does. That may be anything, so short and common words are left.
    fn keep_found(&mut self, value: &str) {
        if value.chars().count() >= LEAST_CHARS && !is_placeholder(value) {
            self.keep(value);
        }
    }

    fn keep_one(&mut self, value: &str) {
        if value.chars().all(|c| c == '*') {
            return;
        }
        let kept = if value.chars().count() < LEAST_CHARS { &mut self.short } else { &mut self.long };
        if !kept.contains(value) {
            kept.insert(value.to_owned());
            let names: BTreeSet<String> =
                self.names.iter().filter(|name| name.contains(value)).cloned().collect();
            if !names.is_empty() {
                self.guards.insert(value.to_owned(), names);
            }
        }
    }

    /// Whether what stands at a place of a text is a name, or a part of one.
    fn is_name(&self, text: &str, value: &str, at: usize) -> bool {
        let part = at..at + value.len();
        if is_before_host(&text[part.end..]) {
            return false;
        }
        if OURS.contains(&value) && stands_alone(text, part.clone()) || is_of_time(text, part) {
            return true;
        }
        let Some(names) = self.guards.get(value) else { return false };
        let covers = |name: &String| {
            name.match_indices(value).any(|(before, _)| {
                let Some(start) = at.checked_sub(before) else { return false };
                text.get(start..).is_some_and(|text| text.starts_with(name.as_str()))
                    && stands_alone(text, start..start + name.len())
            })
        };
        names.iter().any(covers)
    }

    /// A text with stars for the secrets in it.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut found = self.known(text);
        found.extend(shown_within(text));
        starred(text, found)
    }

    /// The value of a property with stars for the secrets in it; stars alone when its name is that of a secret.
    pub fn value<'t>(&self, name: Option<&str>, text: &'t str) -> Cow<'t, str> {
        match name.is_some_and(names_secret) && !text.trim().is_empty() {
            true => STARS.into(),
            false => self.text(text),
        }
    }

    /// Where what is known already stands in a text.
    fn known(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        for value in &self.long {
            let places = text.match_indices(value.as_str()).map(|(at, _)| at);
            let places = places.filter(|at| !self.is_name(text, value, *at));
            found.extend(places.map(|at| at..at + value.len()));
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        for value in &self.short {
            let mut from = 0;
            while let Some(at) = text[from..].find(value.as_str()).map(|at| from + at) {
                let end = at + value.len();
                if text[..at].ends_with(is_word) || text[end..].starts_with(is_word) {
                    from = at + text[at..].chars().next().map_or(1, char::len_utf8);
                } else {
                    if !self.is_name(text, value, at) {
                        found.push(at..end);
                    }
                    from = end;
                }
            }
        }
        found
    }

    /// A definition with stars for the secrets in it: in properties, and in arguments that stand one after the other.
    pub fn xml(&self, text: &str) -> String {
        let mut found = self.known(text);
        found.extend(properties_of(text));
        found.extend(elements_of(text));
        found.extend(elsewhere_in(text));
        starred(text, found).into_owned()
    }
}

impl Redacts for Redactor {
    fn redacted<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.text(text)
    }
}

/// Where secrets stand in the value of a property with which something runs.
pub fn places(name: &str, value: &str) -> Vec<Range<usize>> {
    if names_secret(name) && holds_secret(value) {
        let start = value.len() - value.trim_start().len();
        return std::iter::once(start..value.trim_end().len()).collect();
    }
    shown_within(value).collect()
}

/// Whether a definition has words that name a secret.
pub fn speaks_of_secrets(text: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-'))).any(names_secret)
}

/// Whether a part of a text is no part of a longer word.
fn stands_alone(text: &str, part: Range<usize>) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let inside = &text[part.clone()];
    let begins = !inside.starts_with(is_word) || !text[..part.start].ends_with(is_word);
    begins && (!inside.ends_with(is_word) || !text[part.end..].starts_with(is_word))
}

/// Where secrets stand in the text of a file: the values of properties with their names, of elements, of options, in URIs.
pub fn places_in(file: FileId, text: &str) -> Vec<Span> {
    let of_text = |range: Range<usize>| Span::new(file, range);
    let is_flag = |span: &Span| matches!(text.get(span.range()).map(str::trim), Some("true" | "false"));
    let mut found: Vec<Span> = if text.trim_start().starts_with(['<', '\u{feff}']) {
        let ranges = properties_of(text).into_iter().chain(elements_of(text)).chain(elsewhere_in(text));
        ranges.map(of_text).collect()
    } else {
        let entries = properties::read(file, text).0.entries;
        let places = |entry: &properties::Entry| {
            let value = &entry.value;
            let places = places(&entry.key.value, &value.value);
            places.into_iter().map(|range| value.span_of(range)).collect::<Vec<_>>()
        };
        entries.iter().flat_map(places).collect()
    };
    found.retain(|span| !is_flag(span));
    found
}

/// A text as it stands in XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What a text in XML stands for.
fn unescaped(text: &str) -> String {
    let text = text.strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>")).unwrap_or(text);
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    entities.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// Where secrets may stand in a definition, beside the values of properties.
fn elsewhere_in(text: &str) -> Vec<Range<usize>> {
    // What the tags are does not matter to where a secret stands, but attributes may hold one too. Among these, tags look
    // like values, so they have to look like secrets.
    let mut found: Vec<_> = shown_within(&without_tags(text)).collect();
    let flat = text.replace(['<', '>', '"', '\''], " ");
    found.extend(within(&flat).into_iter().map(|(_, range)| range));
    found
}

/// The text with spaces for its tags, byte for byte.
fn without_tags(text: &str) -> String {
    let (mut blanked, mut inside) = (String::with_capacity(text.len()), false);
    for c in text.chars() {
        let is_tag = inside || c == '<';
        inside = is_tag && c != '>';
        match is_tag {
            true => blanked.extend(std::iter::repeat_n(' ', c.len_utf8())),
            false => blanked.push(c),
        }
    }
    blanked
}

/// What elements hold whose names alone say it: `password` of a hive2 action.
fn elements_of(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for element in ["<password>", "<secret>", "<token>"] {
        for (at, _) in text.match_indices(element) {
            let start = at + element.len();
            let end = text[start..].find('<').map_or(text.len(), |end| start + end);
            if holds_secret(&text[start..end]) {
                found.push(start..end);
            }
        }
    }
    found
}

/// The values of properties whose names are those of secrets.
fn properties_of(text: &str) -> Vec<Range<usize>> {
    const END: &str = "</value>";
    let mut found = Vec::new();
    // The next end of a value: looked for once, however many begin before it.
    let mut end = 0;
    for (at, mark) in text.match_indices("<name>") {
        let rest = &text[at + mark.len()..];
        let Some((name, behind)) = rest.find('<').map(|tag| rest.split_at(tag)) else { break };
        let Some(behind) = behind.strip_prefix("</name>") else { continue };
        let Some(value) = behind.trim_start().strip_prefix("<value>") else { continue };
        let start = text.len() - value.len();
        if end < start {
            let Some(next) = value.find(END) else { break };
            end = start + next;
        }
        if names_secret(name.trim()) && holds_secret(&text[start..end]) {
            found.push(start..end);
        }
    }
    found
}

#[cfg(test)]
mod tests;
