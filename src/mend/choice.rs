//! Which fixes are taken together: in order of place, none that touches what an earlier one changes.

use std::collections::BTreeMap;

use crate::report::record::{Record, RecordFix};

/// The fixes that go together, of those that `wanted` is true of; the first of two that overlap wins. At most one of
/// a file where `singly` is true of the record, and then nothing else there.
pub fn together<'a>(
    records: impl Iterator<Item = &'a Record>,
    wanted: impl Fn(&Record, &RecordFix) -> bool,
) -> Vec<&'a Record> {
    let mut taken: BTreeMap<&str, BTreeMap<usize, usize>> = BTreeMap::new();
    let mut chosen = Vec::new();
    for record in records {
        let Some(fix) = &record.fix else { continue };
        if fix.edits.is_empty() || !wanted(record, fix) {
            continue;
        }
        let is_free = fix.edits.iter().all(|edit| {
            let place = &edit.place;
            let of_file = taken.get(&*place.file);
            of_file.is_none_or(|ranges| !touches(ranges, place.start.offset, place.end.offset))
        });
        if is_free && !overlap_themselves(fix) {
            for edit in &fix.edits {
                let place = &edit.place;
                taken.entry(&place.file).or_default().insert(place.start.offset, place.end.offset);
            }
            chosen.push(record);
        }
    }
    chosen
}

/// Whether a range meets one of the others, none of which overlap. Two at one place meet, even when both are empty.
fn touches(ranges: &BTreeMap<usize, usize>, start: usize, end: usize) -> bool {
    let before = ranges.range(..=start).next_back();
    let after = ranges.range(start..).next();
    before.is_some_and(|(own, own_end)| *own == start || *own_end > start)
        || after.is_some_and(|(own, _)| *own < end || *own == start)
}

fn overlap_themselves(fix: &RecordFix) -> bool {
    let mut own: Vec<_> = fix
        .edits
        .iter()
        .map(|edit| (&edit.place.file, edit.place.start.offset, edit.place.end.offset))
        .collect();
    own.sort();
    own.windows(2).any(|pair| {
        pair[0].0 == pair[1].0 && (pair[1].1 < pair[0].2 || pair[0].1 == pair[1].1 && pair[0] == pair[1])
    })
}

#[cfg(test)]
mod tests {
    use super::touches;

    #[test]
    fn ranges_meet_where_they_share_a_place() {
        let ranges = [(5, 10), (20, 20)].into_iter().collect();
        for (start, end, expected) in [
            (0, 5, false),
            (0, 6, true),
            (5, 5, true),
            (9, 9, true),
            (10, 12, false),
            (10, 20, false),
            (10, 21, true),
            (20, 20, true),
            (21, 30, false),
        ] {
            assert_eq!(touches(&ranges, start, end), expected, "{start}..{end}");
        }
    }
}
