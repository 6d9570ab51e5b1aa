//! The actions of a coordinator that somebody wants; a server knows nothing like it.
//!
//! Actions before and between them are skipped as soon as they are made, whatever their time; those behind the last are
//! never made, and the coordinator is then done.

use std::collections::BTreeSet;

use super::scope::{self, MAX_SCOPE};
use crate::engine::Refusal;

/// Numbers of actions; there is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Only(BTreeSet<u32>);

impl Only {
    /// Reads `3-5,8`. Refused (`E0302`) where it is no such list, and where a number is none that an action can have.
    pub fn read(text: &str) -> Result<Only, Refusal> {
        let mut numbers = BTreeSet::new();
        for number in scope::numbers(text)? {
            let read = number.parse::<u32>().ok();
            let read = read.filter(|read| (1..=MAX_SCOPE as u32).contains(read)).ok_or_else(|| {
                Refusal::new("E0302", format!("`{number}` is no number of an action, from 1 to {MAX_SCOPE}"))
            })?;
            numbers.insert(read);
        }
        Ok(Only(numbers))
    }

    /// Whether an action is wanted.
    pub fn wants(&self, number: i64) -> bool {
        u32::try_from(number).is_ok_and(|number| self.0.contains(&number))
    }

    /// The last action that is wanted.
    pub fn last(&self) -> i64 {
        self.0.last().copied().unwrap_or_default().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_others_refused() {
        let only = Only::read("3-5, 8").expect("a list");
        let wanted: Vec<i64> = (0..10).filter(|number| only.wants(*number)).collect();
        assert_eq!((wanted, only.last()), (vec![3, 4, 5, 8], 8));
        for bad in ["", "0", "x", "5-3", "1000001", "-1"] {
            assert!(Only::read(bad).is_err(), "{bad}");
        }
    }
}
