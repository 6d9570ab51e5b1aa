//! Rules that select what they are for: how two of them lie to each other, and which one counts.
//!
//! A rule that is narrower than another one in all it says wins over it. Two that meet without one lying within the
//! other overlap, which is a mistake of the scenario: nobody could say which was meant.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use super::table::Faults;
use crate::time::Instant;

/// One thing by which a rule selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// A name; `None`: any.
    Name(Option<Arc<str>>),
    /// A number; `None`: any.
    Number(Option<u32>),
    /// From a time, and before another.
    Times(Option<Instant>, Option<Instant>),
    /// A pattern; `None`: anything.
    Pattern(Option<Arc<str>>),
}

/// How what one rule selects lies to what another one selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lies {
    Apart,
    Same,
    Within,
    Around,
    Across,
}

impl Lies {
    fn of(order: Ordering) -> Lies {
        match order {
            Ordering::Less => Lies::Within,
            Ordering::Equal => Lies::Same,
            Ordering::Greater => Lies::Around,
        }
    }

    fn and(self, other: Lies) -> Lies {
        match (self, other) {
            (Lies::Apart, _) | (_, Lies::Apart) => Lies::Apart,
            (Lies::Same, other) | (other, Lies::Same) => other,
            (one, other) if one == other => one,
            _ => Lies::Across,
        }
    }
}

fn optional<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> Lies {
    match (one, other) {
        (None, None) => Lies::Same,
        (None, Some(_)) => Lies::Around,
        (Some(_), None) => Lies::Within,
        (Some(one), Some(other)) if one == other => Lies::Same,
        _ => Lies::Apart,
    }
}

fn lies(one: &By, other: &By) -> Lies {
    match (one, other) {
        (By::Name(one), By::Name(other)) => optional(one.as_ref(), other.as_ref()),
        (By::Number(one), By::Number(other)) => optional(one.as_ref(), other.as_ref()),
        // Whether two patterns meet shows only when something matches both.
        (By::Pattern(one), By::Pattern(other)) => optional(one.as_ref(), other.as_ref()),
        (By::Times(from, to), By::Times(other_from, other_to)) => {
            let low = |at: &Option<Instant>| at.unwrap_or(Instant::from_millis(i64::MIN));
            let high = |at: &Option<Instant>| at.unwrap_or(Instant::from_millis(i64::MAX));
            if low(from) >= high(other_to) || low(other_from) >= high(to) {
                return Lies::Apart;
            }
            Lies::of(low(other_from).cmp(&low(from))).and(Lies::of(high(to).cmp(&high(other_to))))
        }
        _ => Lies::Apart,
    }
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule<T> {
    /// What it is for.
    pub by: Vec<By>,
    /// What it says.
    pub says: T,
    /// Where it stands.
    pub range: Range<usize>,
}

impl<T> Rule<T> {
    fn lies(&self, other: &Rule<T>) -> Lies {
        self.by.iter().zip(&other.by).map(|(one, other)| lies(one, other)).fold(Lies::Same, Lies::and)
    }
}

/// Two rules for the same thing, of which neither is narrower: where they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap(pub [Range<usize>; 2]);

/// Rules, the narrower before the wider.
#[derive(Clone, Debug)]
pub struct Rules<T> {
    all: Vec<Rule<T>>,
}

impl<T> Default for Rules<T> {
    fn default() -> Rules<T> {
        Rules { all: Vec::new() }
    }
}

impl<T> Rules<T> {
    /// Puts rules in order, and says which of them overlap; `place` gives the line of a place.
    pub(super) fn new(rules: Vec<Rule<T>>, faults: &Faults, line: impl Fn(usize) -> usize) -> Rules<T> {
        for (index, rule) in rules.iter().enumerate() {
            let before = rules[..index].iter();
            // Whether what fits a pattern lies across shows only when there is such a thing.
            let has_pattern = |rule: &Rule<T>| rule.by.iter().any(|by| matches!(by, By::Pattern(Some(_))));
            let mut overlaps = before.filter(|other| match rule.lies(other) {
                Lies::Same => true,
                Lies::Across => !has_pattern(rule) && !has_pattern(other),
                _ => false,
            });
            if let Some(other) = overlaps.next() {
                let first = line(other.range.start);
                let message = format!(
                    "this rule overlaps the one of line {first}: both may be for the same, and neither is narrower in all \
                     it says"
                );
                faults.add(message, &rule.range);
            }
        }
        let depth = |rule: &Rule<T>| rules.iter().filter(|other| rule.lies(other) == Lies::Within).count();
        let depths: Vec<usize> = rules.iter().map(depth).collect();
        let mut numbered: Vec<(usize, Rule<T>)> = depths.into_iter().zip(rules).collect();
        numbered.sort_by_key(|(depth, _)| std::cmp::Reverse(*depth));
        Rules { all: numbered.into_iter().map(|(_, rule)| rule).collect() }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// All rules, the narrower before the wider.
    pub fn iter(&self) -> impl Iterator<Item = &Rule<T>> {
        self.all.iter()
    }

    /// The rules for something, the narrowest first. Two of which neither is narrower are a fault.
    pub fn matching(&self, is_for: impl Fn(&[By]) -> bool) -> Result<Vec<&Rule<T>>, Overlap> {
        let found: Vec<_> = self.all.iter().filter(|rule| is_for(&rule.by)).collect();
        for pair in found.windows(2) {
            if pair[0].lies(pair[1]) != Lies::Within {
                let ranges = [pair[0].range.clone(), pair[1].range.clone()];
                return Err(Overlap(ranges));
            }
        }
        Ok(found)
    }
}

/// Whether a name is selected.
pub(crate) fn is_named(by: &By, is: impl Fn(&str) -> bool) -> bool {
    match by {
        By::Name(Some(name)) => is(name),
        _ => true,
    }
}

/// Whether a time is selected; what has no time is selected only by rules that name none.
pub(crate) fn is_at(by: &By, at: Option<Instant>) -> bool {
    match (by, at) {
        (By::Times(None, None), _) => true,
        (By::Times(from, to), Some(at)) => from.is_none_or(|from| at >= from) && to.is_none_or(|to| at < to),
        (By::Times(..), None) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(name: Option<&str>, from: Option<i64>, to: Option<i64>, says: u32) -> Rule<u32> {
        let at = |at: Option<i64>| at.map(Instant::from_seconds);
        let by = vec![By::Name(name.map(Arc::from)), By::Times(at(from), at(to))];
        Rule { by, says, range: says as usize..says as usize + 1 }
    }

    fn overlaps(rules: Vec<Rule<u32>>) -> usize {
        let faults = Faults::default();
        Rules::new(rules, &faults, |at| at);
        faults.finish().len()
    }

    #[test]
    fn the_narrowest_counts_and_others_overlap() {
        let nested = vec![
            rule(None, None, None, 1),
            rule(Some("a"), None, None, 2),
            rule(Some("a"), Some(5), Some(9), 3),
        ];
        let rules = Rules::new(nested.clone(), &Faults::default(), |at| at);
        let found = |name: &str, at: i64| {
            let at = Some(Instant::from_seconds(at));
            let found = rules.matching(|by| is_named(&by[0], |known| known == name) && is_at(&by[1], at));
            found.expect("they are nested").iter().map(|rule| rule.says).collect::<Vec<_>>()
        };
        assert_eq!(found("a", 5), [3, 2, 1]);
        assert_eq!(found("a", 9), [2, 1]);
        assert_eq!(found("b", 5), [1]);
        assert_eq!(overlaps(nested), 0);
        assert_eq!(overlaps(vec![rule(None, None, None, 1), rule(None, None, None, 2)]), 1);
        assert_eq!(overlaps(vec![rule(None, Some(1), Some(5), 1), rule(None, Some(5), Some(9), 2)]), 0);
        assert_eq!(overlaps(vec![rule(None, Some(1), Some(6), 1), rule(None, Some(5), Some(9), 2)]), 1);
        assert_eq!(overlaps(vec![rule(None, Some(1), Some(6), 1), rule(Some("a"), None, None, 2)]), 1);
    }
}
