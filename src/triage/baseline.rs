//! A list of findings that were there before: only new ones count.
//!
//! An entry names the rule, the file and the place in it, never a line, and how often the rule was broken there.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::diag::{Group, Info, Severity};

/// An entry of the baseline that nothing matches any more.
pub static BASELINE_STALE: Info = Info {
    name: "baseline-stale",
    group: Group::Meaning,
    severity: Severity::Info,
    stage: None,
    mirrors: &[],
    explanation: "The baseline holds a finding that is no longer there.\n\n\
                  It was mended, or its file or element has another name now. The entry does no harm until the same fault \
                  comes back at the same place, which it would hide. Write the baseline anew with `--write-baseline`.",
};

/// The version of the format.
const VERSION: u64 = 1;

/// What an entry names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: String,
    at: String,
    rule: String,
    count: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    file: String,
    at: String,
    rule: String,
}

/// How often something was and is found.
#[derive(Clone, Debug, Default)]
struct Count {
    known: usize,
    met: usize,
    range: Range<usize>,
}

/// What was found before.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    counts: BTreeMap<Key, Count>,
}

/// An entry that was met less often than it says.
#[derive(Debug, PartialEq, Eq)]
pub struct Stale<'b> {
    /// The file.
    pub file: &'b str,
    /// The place in it.
    pub at: &'b str,
    /// The rule.
    pub rule: &'b str,
    /// How many are gone.
    pub gone: usize,
    /// Where the entry stands in the baseline.
    pub range: Range<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<'t> {
    version: u64,
    #[serde(borrow)]
    findings: Vec<&'t RawValue>,
}

impl Baseline {
    /// Reads a baseline, or says why it is none.
    pub fn parse(text: &str) -> Result<Baseline, String> {
        let document: Document<'_> =
            serde_json::from_str(text).map_err(|error| format!("it is no baseline: {error}"))?;
        if document.version != VERSION {
            let version = document.version;
            return Err(format!("it is a baseline of version {version}; known is {VERSION}"));
        }
        let mut baseline = Baseline::default();
        for raw in document.findings {
            let raw = raw.get();
            // The entry is a part of the text, so the distance of their beginnings is its place.
            let start = (raw.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            let entry: Entry = serde_json::from_str(raw)
                .map_err(|error| format!("it is no baseline: {error} in the entry at byte {start}"))?;
            let key = Key { file: entry.file, at: entry.at, rule: entry.rule };
            let count = baseline.counts.entry(key).or_default();
            count.known = count.known.saturating_add(entry.count);
            count.range = start..start + raw.len();
        }
        Ok(baseline)
    }

    /// Takes a finding in, as one that was there before.
    pub fn add(&mut self, rule: &str, file: &str, at: &str) {
        self.counts.entry(key(rule, file, at)).or_default().known += 1;
    }

    /// Whether a finding was there before; each entry answers yes as often as its count says.
    pub fn knows(&mut self, rule: &str, file: &str, at: &str) -> bool {
        let Some(count) = self.counts.get_mut(&key(rule, file, at)) else { return false };
        count.met += 1;
        count.met <= count.known
    }

    /// The entries that were not met as often as they say.
    pub fn stale(&self) -> impl Iterator<Item = Stale<'_>> {
        self.counts.iter().filter(|(_, count)| count.met < count.known).map(|(key, count)| Stale {
            file: &key.file,
            at: &key.at,
            rule: &key.rule,
            gone: count.known - count.met,
            range: count.range.clone(),
        })
    }

    /// How many findings it holds.
    pub fn len(&self) -> usize {
        self.counts.values().map(|count| count.known).fold(0, usize::saturating_add)
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The text of the file: the same for the same findings, one entry a line, in order of file and place.
    pub fn to_json(&self) -> String {
        let entries = self.counts.iter().map(|(key, count)| {
            let Key { file, at, rule } = key.clone();
            let entry = Entry { file, at, rule, count: count.known };
            serde_json::to_string(&entry).unwrap_or_default()
        });
        let entries: Vec<_> = entries.collect();
        let gap = if entries.is_empty() { "" } else { "\n" };
        format!("{{\"version\":{VERSION},\"findings\":[{gap}{}{gap}]}}\n", entries.join(",\n"))
    }
}

fn key(rule: &str, file: &str, at: &str) -> Key {
    Key { file: file.to_owned(), at: at.to_owned(), rule: rule.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_counted() {
        let mut baseline = Baseline::default();
        for (rule, at) in [("b", "x"), ("a", "x"), ("a", "x"), ("a", "w")] {
            baseline.add(rule, "f", at);
        }
        let text = baseline.to_json();
        let mut again = Baseline::parse(&text).expect("it is one");
        assert_eq!((again.to_json(), again.len()), (text.clone(), 4));
        assert!(again.knows("a", "f", "x") && again.knows("a", "f", "x") && !again.knows("a", "f", "x"));
        assert!(!again.knows("c", "f", "x"));
        let stale: Vec<_> = again.stale().map(|stale| (stale.at, stale.rule, &text[stale.range])).collect();
        assert_eq!(
            stale,
            [
                ("w", "a", r#"{"file":"f","at":"w","rule":"a","count":1}"#),
                ("x", "b", r#"{"file":"f","at":"x","rule":"b","count":1}"#),
            ]
        );
        assert_eq!(Baseline::default().to_json(), "{\"version\":1,\"findings\":[]}\n");
        assert!(Baseline::parse(&Baseline::default().to_json()).expect("it is one").is_empty());
    }

    #[test]
    fn other_files_are_refused() {
        let check = |text: &str, expected: &str| {
            let fault = Baseline::parse(text).expect_err("it is none");
            assert!(fault.contains(expected), "{fault}");
        };
        check("<a/>", "it is no baseline: expected value at line 1");
        check("{\"version\":2,\"findings\":[]}", "version 2");
        check("{\"version\":1,\"findings\":[{\"file\":1}]}", "in the entry at byte 25");
        check("{\"version\":1}", "missing field `findings`");
    }
}
