//! Whether fixes made things better: their findings are gone, and no error came that was not there.

use std::collections::BTreeMap;

use super::Level;
use crate::diag::Severity;
use crate::report::findings::Findings;
use crate::report::record::{Place, Record};

/// Why fixes are not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// Which of the fixes, as indices into the batch.
    pub fixes: Vec<usize>,
    /// In the user's words.
    pub reason: String,
}

/// Rules whose fix lets the schema look at the document for the first time.
const OPENS_THE_SCHEMA: &[&str] =
    &["schema-missing-namespace", "schema-unknown-namespace", "schema-feature-version"];

/// Compares the findings before and after the fixes of `batch`, all of one level, were applied.
pub fn objections(before: &Findings, after: &Findings, batch: &[&Record]) -> Vec<Objection> {
    let mut objections = Vec::new();
    let shifts = Shifts::of(batch);
    for (index, record) in batch.iter().enumerate() {
        let (start, end) = shifts.moved(&record.place);
        let stays = after.iter().any(|other| {
            let place = &other.place;
            let (from, to) = (place.start.offset, place.end.offset);
            other.rule.name == record.rule.name
                && other.message == record.message
                && place.file == record.place.file
                && (from == start || from < end && start < to)
        });
        if stays {
            objections.push(Objection { fixes: vec![index], reason: "the finding would stay".to_owned() });
        }
    }
    let old = errors(before);
    for (key, new) in errors(after) {
        let known = old.get(&key).map_or(0, Vec::len);
        if new.len() <= known {
            continue;
        }
        // Where the same error was there already it is not known which is the new one; any of them tells the words.
        let came = new[new.len() - 1];
        if was_hidden(came, batch, &shifts) {
            continue;
        }
        let near = |record: &&Record| {
            let edits = record.fix.iter().flat_map(|fix| &fix.edits);
            record.place.file == came.place.file
                || edits.into_iter().any(|edit| edit.place.file == came.place.file)
        };
        let mut fixes: Vec<usize> =
            batch.iter().enumerate().filter(|(_, record)| near(record)).map(|(index, _)| index).collect();
        if fixes.is_empty() {
            fixes = (0..batch.len()).collect();
        }
        let reason = format!("it would bring {}: {}", came.rule.name, came.message);
        objections.push(Objection { fixes, reason });
    }
    objections
}

type Key<'a> = (&'a str, &'static str, &'a str);

/// The errors by what they say of which file.
fn errors(findings: &Findings) -> BTreeMap<Key<'_>, Vec<&Record>> {
    let mut errors: BTreeMap<Key<'_>, Vec<&Record>> = BTreeMap::new();
    for record in findings.iter().filter(|record| record.severity == Severity::Error) {
        errors.entry((&record.place.file, record.rule.name, &record.message)).or_default().push(record);
    }
    errors
}

/// Whether an error was there before and only could not be seen: a reader stops at the first fault, and what cannot be
/// read has no meaning yet.
fn was_hidden(came: &Record, batch: &[&Record], shifts: &Shifts<'_>) -> bool {
    let Some(level) = batch.first().map(|record| Level::of(record.rule)) else { return false };
    let of_came = Level::of(came.rule);
    let same_file = |record: &&&Record| record.place.file == came.place.file;
    match level {
        Level::Meaning => false,
        _ if of_came > level => true,
        Level::Xml => batch.iter().filter(same_file).any(|record| {
            let (_, end) = shifts.moved(&record.place);
            came.place.start.offset >= end
        }),
        Level::Schema => {
            batch.iter().filter(same_file).any(|record| OPENS_THE_SCHEMA.contains(&record.rule.name))
        }
    }
}

/// How places move when the edits of a batch are applied.
struct Shifts<'a>(BTreeMap<&'a str, Vec<(usize, usize, usize)>>);

impl<'a> Shifts<'a> {
    fn of(batch: &[&'a Record]) -> Shifts<'a> {
        let mut files: BTreeMap<&str, Vec<(usize, usize, usize)>> = BTreeMap::new();
        for edit in batch.iter().flat_map(|record| &record.fix).flat_map(|fix| &fix.edits) {
            let place = &edit.place;
            let of_file = files.entry(&place.file).or_default();
            let length = edit.coding.encode(&edit.text).map_or(0, |bytes| bytes.len());
            of_file.push((place.start.offset, place.end.offset, length));
        }
        files.values_mut().for_each(|edits| edits.sort_unstable());
        Shifts(files)
    }

    /// Where a place stands afterwards. What was replaced stands where its replacement does.
    fn moved(&self, place: &Place) -> (usize, usize) {
        let (start, end) = (place.start.offset, place.end.offset);
        let Some(edits) = self.0.get(&*place.file) else { return (start, end) };
        let (mut new_start, mut new_end) = (start as i64, end as i64);
        for (from, to, length) in edits {
            let growth = *length as i64 - (to - from) as i64;
            if *to <= start && (*from, *to) != (start, start) {
                new_start += growth;
            } else if *from < start {
                new_start -= (start - from) as i64;
            }
            if *to <= end && *from < end {
                new_end += growth;
            } else if *from < end {
                new_end = new_end - (end - from) as i64 + *length as i64;
            }
        }
        let new_start = usize::try_from(new_start).unwrap_or(0);
        (new_start, usize::try_from(new_end).unwrap_or(0).max(new_start))
    }
}
