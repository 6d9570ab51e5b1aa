//! Which actions an operator means: numbers (`1,3-5`) or nominal times (`T`, `T1::T2`).
//!
//! Follows `CoordUtils.getActionsIds` and `CoordUtils.getCoordActionsFromDates`, what they accept by oversight
//! included.

use std::collections::BTreeSet;

use crate::engine::Refusal;
use crate::time::{Instant, ProcessingZone};

/// The most actions that one command may name.
pub const MAX_SCOPE: usize = 1_000_000;

fn bad(message: String) -> Refusal {
    Refusal::new("E0302", message)
}

/// `Integer.parseInt`
fn int(text: &str) -> Option<i32> {
    text.parse().ok()
}

/// The action numbers that a list names, in its order and as it writes them, each once.
pub fn numbers(scope: &str) -> Result<Vec<String>, Refusal> {
    if scope.is_empty() {
        return Err(Refusal::new("IllegalArgumentException", "no action is named"));
    }
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let mut add = |number: String| {
        if seen.insert(number.clone()) {
            found.push(number);
        }
        found.len() <= MAX_SCOPE
    };
    for part in java_split(scope, ",") {
        let part = part.trim();
        if !part.contains('-') {
            int(part).ok_or_else(|| bad(format!("`{part}` is no number of an action")))?;
            add(part.to_owned());
            continue;
        }
        let &[start, end] = java_split(part, "-").as_slice() else {
            return Err(bad(format!("`{part}` is no range of actions; write it as `1-5`")));
        };
        let number = |text: &str| int(text.trim()).ok_or_else(|| bad(format!("`{text}` is no number")));
        let (start, end) = (number(start)?, number(end)?);
        if start > end {
            return Err(bad(format!("the range `{part}` runs backwards")));
        }
        for number in start..=end {
            if !add(number.to_string()) {
                return Err(bad(format!("more than {MAX_SCOPE} actions are named")));
            }
        }
    }
    Ok(found)
}

/// A time or a range of times, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dates {
    /// Exactly this nominal time.
    At(Instant),
    /// All from the one to the other.
    Between(Instant, Instant),
}

/// The nominal times that a list names.
pub fn dates(scope: &str, zone: ProcessingZone) -> Result<Vec<Dates>, Refusal> {
    if scope.is_empty() {
        return Err(Refusal::new("IllegalArgumentException", "no time is named"));
    }
    let parse = |text: &str| zone.parse_datetime(text.trim()).ok().map(|parsed| parsed.instant);
    let one = |part: &str| {
        let part = part.trim();
        let range = |message: &str| Refusal::new("E0308", format!("`{part}`: {message}"));
        if !part.contains("::") {
            return parse(part).map(Dates::At).ok_or_else(|| bad(format!("`{part}` is no datetime")));
        }
        let &[start, end] = java_split(part, "::").as_slice() else {
            return Err(range("a range has one datetime on either side of `::`"));
        };
        match (parse(start), parse(end)) {
            (Some(start), Some(end)) if start > end => Err(range("the range runs backwards")),
            (Some(start), Some(end)) => Ok(Dates::Between(start, end)),
            _ => Err(range("a side is no datetime")),
        }
    };
    java_split(scope, ",").into_iter().map(one).collect()
}

/// `String.split`: empty pieces at the end are left out.
fn java_split<'t>(text: &'t str, by: &str) -> Vec<&'t str> {
    let mut pieces: Vec<&str> = text.split(by).collect();
    while pieces.last().is_some_and(|piece| piece.is_empty()) {
        pieces.pop();
    }
    pieces
}
