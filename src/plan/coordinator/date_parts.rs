//! The parts of a date that URI templates name, and what is a slip of one of them.

use crate::diag::closest;

/// The parts of a date that a URI template may name.
pub(super) const DATE_PARTS: [&str; 5] = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE"];

/// The part of a date that a name is a slip of, as far as one can tell: `MONTHLY` is a name of its own.
pub fn near_part(name: &str) -> Option<&'static str> {
    closest(name, DATE_PARTS).filter(|near| near.len().abs_diff(name.len()) < 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_near_and_about_as_long() {
        for (name, near) in [("YEER", Some("YEAR")), ("MONHT", Some("MONTH")), ("day", Some("DAY"))] {
            assert_eq!(near_part(name), near, "{name}");
        }
        for name in ["MONTHLY", "HOURLY", "DATE", "nameNode", "n", ""] {
            assert_eq!(near_part(name), None, "{name}");
        }
    }
}
