//! The difference of two versions of a file in the unified form, byte for byte.

use std::collections::BTreeSet;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

/// Unchanged lines around a change.
const CONTEXT_LINES: usize = 3;

/// Of versions that differ in longer stretches all of the stretch is shown as changed: finding the least difference
/// takes time that grows with the product of lines and changes.
const MAX_COMPARED_LINES: usize = 5_000;

/// The difference, empty when there is none. `name` is the file as `a/name` and `b/name` shall show it; `reasons` are
/// lines of the old version, from 0, with what is named at the head of the hunk that changes them.
pub fn unified(name: &str, old: &[u8], new: &[u8], reasons: &[(usize, &str)], out: &mut Vec<u8>) {
    if old == new {
        return;
    }
    let (old, new) = (lines(old), lines(new));
    let mark =
        |side: char| if name.starts_with('/') { format!("{side}{name}") } else { format!("{side}/{name}") };
    out.extend_from_slice(format!("--- {}\n+++ {}\n", mark('a'), mark('b')).as_bytes());
    for hunk in group_diff_ops(operations(&old, &new), CONTEXT_LINES) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let old_range = first.old_range().start..last.old_range().end;
        let new_range = first.new_range().start..last.new_range().end;
        let here = reasons.iter().filter(|(line, _)| (old_range.start..=old_range.end).contains(line));
        let words: BTreeSet<&str> = here.map(|(_, reason)| *reason).collect();
        let words = words.into_iter().fold(String::new(), |words, reason| match words.is_empty() {
            true => format!(" {reason}"),
            false => format!("{words}, {reason}"),
        });
        let (before, after) = (range(&old_range), range(&new_range));
        out.extend_from_slice(format!("@@ -{before} +{after} @@{words}\n").as_bytes());
        for operation in &hunk {
            match operation.tag() {
                DiffTag::Equal => write(b' ', &old[operation.old_range()], out),
                _ => {
                    write(b'-', &old[operation.old_range()], out);
                    write(b'+', &new[operation.new_range()], out);
                }
            }
        }
    }
}

/// Where the lines of a changed version stand in the old one, each by the nearest line that was kept; `lines_of_old` are
/// those of `old` in a still older one.
pub fn origins(lines_of_old: &[usize], old: &[u8], new: &[u8]) -> Vec<usize> {
    let (old, new) = (lines(old), lines(new));
    let origin = |line: usize| lines_of_old.get(line).or(lines_of_old.last()).copied().unwrap_or(0);
    let mut origins = Vec::with_capacity(new.len());
    for operation in operations(&old, &new) {
        let (from, to) = (operation.old_range(), operation.new_range());
        let last = from.end.saturating_sub(1).max(from.start);
        origins.extend((0..to.len()).map(|step| origin((from.start + step).min(last))));
    }
    origins
}

fn operations(old: &[&[u8]], new: &[&[u8]]) -> Vec<DiffOp> {
    let same = |(a, b): &(&&[u8], &&[u8])| a == b;
    let prefix = old.iter().zip(new).take_while(same).count();
    let (rest_old, rest_new) = (&old[prefix..], &new[prefix..]);
    let suffix = rest_old.iter().rev().zip(rest_new.iter().rev()).take_while(same).count();
    let (old_len, new_len) = (rest_old.len() - suffix, rest_new.len() - suffix);
    if old_len.max(new_len) <= MAX_COMPARED_LINES {
        return capture_diff_slices(Algorithm::Myers, old, new);
    }
    vec![
        DiffOp::Equal { old_index: 0, new_index: 0, len: prefix },
        DiffOp::Replace { old_index: prefix, old_len, new_index: prefix, new_len },
        DiffOp::Equal { old_index: prefix + old_len, new_index: prefix + new_len, len: suffix },
    ]
}

/// Lines with their line feeds.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// `first,count` as `diff -u` writes it: lines from 1; an empty range names the line before it.
fn range(range: &std::ops::Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        length => format!("{},{length}", range.start + 1),
    }
}

fn write(sign: u8, lines: &[&[u8]], out: &mut Vec<u8>) {
    for line in lines {
        out.push(sign);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{origins, unified};

    fn check(old: &str, new: &str, expected: &str) {
        let mut out = Vec::new();
        unified("x.xml", old.as_bytes(), new.as_bytes(), &[], &mut out);
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }

    #[test]
    fn it_is_what_diff_prints() {
        check("a\n", "a\n", "");
        check("a\nb\n", "a\nc\n", "--- a/x.xml\n+++ b/x.xml\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
        check("a", "a\n", "--- a/x.xml\n+++ b/x.xml\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
        check("", "a\n", "--- a/x.xml\n+++ b/x.xml\n@@ -0,0 +1 @@\n+a\n");
        let many: String = (0..50_000).map(|n| format!("{n}\n")).collect();
        let other: String = (0..50_000).map(|n| format!("{}\n", n * 2 + 1)).collect();
        let mut out = Vec::new();
        unified("x", many.as_bytes(), other.as_bytes(), &[], &mut out);
        assert!(out.len() > many.len());
    }

    #[test]
    fn a_hunk_names_why_its_lines_change() {
        let old = "a\nb\n1\n2\n3\n4\n5\n6\n7\n8\ny\nz\n";
        let new = "a\nc\n1\n2\n3\n4\n5\n6\n7\n8\nx\nz\n";
        let mut out = Vec::new();
        let reasons = [(1, "kill-unused"), (1, "el-syntax"), (10, "fork-single-path")];
        unified("x.xml", old.as_bytes(), new.as_bytes(), &reasons, &mut out);
        let out = String::from_utf8(out).expect("text");
        let heads: Vec<&str> = out.lines().filter(|line| line.starts_with("@@")).collect();
        assert_eq!(heads, ["@@ -1,5 +1,5 @@ el-syntax, kill-unused", "@@ -8,5 +8,5 @@ fork-single-path"]);
    }

    #[test]
    fn lines_of_several_rounds_are_found_again() {
        let (first, second, third) = ("a\nb\nc\nd\n", "b\nc\nd\n", "b\nx\nd\n");
        let once = origins(&[0, 1, 2, 3], first.as_bytes(), second.as_bytes());
        assert_eq!(once, [1, 2, 3]);
        assert_eq!(origins(&once, second.as_bytes(), third.as_bytes()), [1, 2, 3]);
    }
}
