//! A date pattern has a letter that means something else than it seems.
//!
//! `coord:formatTime` takes the patterns of Java's `SimpleDateFormat`. There `mm` are minutes and `MM` months, `DD` is the day
//! of the year and `dd` that of the month, and `YYYY` is the year that the week belongs to, which is another one in the
//! last days of December. `hh` are the hours of a clock with twelve of them, which `a` (am, pm) has to follow.
//!
//! ```xml
//! <value>${coord:formatTime(coord:nominalTime(), 'yyyy-mm-dd')}</value>
//! <value>${coord:formatTime(coord:nominalTime(), 'yyyy-MM-dd')}</value>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Expressions;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::el::NodeKind;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "date-pattern-suspicious",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("date_pattern_suspicious.rs"),
    },
    check: Check::El(check),
};

/// The letters of `SimpleDateFormat`.
const LETTERS: &str = "GyYMLwWDdFEuaHkKhmsSzZX";

fn check(app: &Expressions<'_>, sink: &mut Sink) {
    for expression in app.list {
        let parsed = &expression.parsed;
        for call in parsed.calls().filter(|call| call.prefix == "coord" && call.name == "formatTime") {
            let [_, argument] = call.arguments else { continue };
            let NodeKind::String(pattern) = &parsed.node(*argument).kind else { continue };
            let Some((message, better)) = doubt(pattern) else { continue };
            let range = &parsed.node(*argument).range;
            let span = parsed.text.span_of(range.start as usize + 1..range.end as usize - 1);
            let finding = Diagnostic::new(&RULE.info, span, message);
            let finding = finding.help(format!("write `{better}`, if that is meant"));
            sink.push(finding.fix(false, vec![Edit { span, text: better }]));
        }
    }
}

/// What is odd about a pattern, and the pattern that is probably meant.
fn doubt(pattern: &str) -> Option<(&'static str, String)> {
    let letters = runs(pattern);
    let has = |letter: char| letters.contains(&letter);
    // No pattern at all, which is another fault.
    if !letters.iter().all(|letter| LETTERS.contains(*letter)) {
        return None;
    }
    if has('Y') && !has('w') {
        let message = "`Y` is the year that the week belongs to, which differs at the turn of the year";
        return Some((message, swap(pattern, 'Y', 'y')));
    }
    // Minutes where months belong: between year and day, and no hour before.
    let at = letters.iter().position(|letter| *letter == 'm');
    if let Some(at) = at
        && !has('M')
        && at > 0
        && letters[at - 1] == 'y'
    {
        return Some(("`m` are minutes, and months are `M`", swap(pattern, 'm', 'M')));
    }
    // Months where minutes belong: behind the hour, and no minute anywhere.
    let behind_hour = letters.windows(2).position(|pair| matches!(pair, ['H' | 'k' | 'K' | 'h', 'M']));
    let is_told_before = |at: usize| letters[..at].contains(&'M') || !(has('y') || has('d'));
    if behind_hour.is_some_and(is_told_before) {
        let at = pattern.rfind('M').map_or(0, |at| pattern[..=at].trim_end_matches('M').len());
        let better = format!("{}{}", &pattern[..at], swap(&pattern[at..], 'M', 'm'));
        return Some(("`M` are months, and minutes are `m`", better));
    }
    if has('S') && !has('s') && has('m') {
        return Some(("`S` are milliseconds, and seconds are `s`", swap(pattern, 'S', 's')));
    }
    if has('h') && !has('a') && !has('H') {
        let message =
            "`h` are hours of half a day, so that one in the morning and one in the afternoon are the same";
        return Some((message, swap(pattern, 'h', 'H')));
    }
    if has('D') && has('M') {
        return Some(("`D` is the day of the year, and that of the month is `d`", swap(pattern, 'D', 'd')));
    }
    None
}

/// The letters of a pattern outside quotes, each run once.
fn runs(pattern: &str) -> Vec<char> {
    let mut found: Vec<char> = Vec::new();
    let mut last = None;
    for part in pattern.split('\'').step_by(2) {
        for c in part.chars() {
            if c.is_ascii_alphabetic() && last != Some(c) {
                found.push(c);
            }
            last = Some(c);
        }
    }
    found
}

/// One letter for another, outside quotes.
fn swap(pattern: &str, from: char, to: char) -> String {
    let mut is_quoted = false;
    let change = |c: char| {
        is_quoted ^= c == '\'';
        if c == from && !is_quoted { to } else { c }
    };
    pattern.chars().map(change).collect()
}
