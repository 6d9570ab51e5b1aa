//! The ends of a range of instances, as the text of a deferred function.
//!
//! Follows `CoordCommandUtils.getFuncType`, `checkIfBothSameType`, `getInstanceNumber` and `parseOneArg`: the function is
//! found by substring, its arguments are read as doubles and then cut.

use super::findings::{INSTANCE_INVALID, INSTANCE_MIXED_RANGE};
use crate::diag::Info;
use crate::el;

/// The function of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Func {
    Current,
    Latest,
    Future,
    Offset,
    Absolute,
    EndOfMonths,
    EndOfWeeks,
    EndOfDays,
    Unexpected,
}

/// One end of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) func: Func,
    /// The number; 4 for `absolute`.
    pub(super) index: i32,
    /// For `offset` and `future`, the last argument; for `absolute` the only one.
    pub(super) rest: String,
}

/// Why a range has no ends.
#[derive(Clone, Debug)]
pub(super) struct BoundFault {
    pub(super) rule: &'static Info,
    pub(super) codes: &'static [&'static str],
    pub(super) message: String,
    /// Whether the end of the range is to blame.
    pub(super) at_end: bool,
}

/// The function of a text, by substring and in this order.
pub(super) fn func_of(text: &str) -> Func {
    const FUNCS: [(&str, Func); 8] = [
        ("current", Func::Current),
        ("latest", Func::Latest),
        ("future", Func::Future),
        ("offset", Func::Offset),
        ("absolute", Func::Absolute),
        ("endOfMonths", Func::EndOfMonths),
        ("endOfWeeks", Func::EndOfWeeks),
        ("endOfDays", Func::EndOfDays),
    ];
    FUNCS.iter().find(|(name, _)| text.contains(name)).map_or(Func::Unexpected, |(_, func)| *func)
}

/// Reads both ends.
pub(super) fn read(start: &str, end: &str) -> Result<(Bound, Bound), BoundFault> {
    let (from, to) = (func_of(start), func_of(end));
    let period = matches!(from, Func::Absolute | Func::EndOfMonths | Func::EndOfWeeks | Func::EndOfDays);
    if from != to && !(period && to == Func::Current) {
        let message = format!("a range from `{start}` to `{end}` makes no sense");
        return Err(BoundFault { rule: &INSTANCE_MIXED_RANGE, codes: &["E1010"], message, at_end: true });
    }
    let fault = |text: &str, at_end| BoundFault {
        rule: &INSTANCE_INVALID,
        codes: &[],
        message: format!("`{text}` gives no end of a range"),
        at_end,
    };
    let start = bound(from, start).ok_or_else(|| fault(start, false))?;
    let end = bound(to, end).ok_or_else(|| fault(end, true))?;
    Ok((start, end))
}

fn bound(func: Func, text: &str) -> Option<Bound> {
    let open = text.find('(');
    let close = text.rfind(')');
    let inner = match (open, close) {
        (Some(open), Some(close)) if close > open => Some(text[open + 1..close].trim()),
        _ => None,
    };
    match func {
        Func::Absolute => Some(Bound { func, index: 4, rest: inner?.to_owned() }),
        Func::Current | Func::Latest | Func::EndOfMonths | Func::EndOfWeeks | Func::EndOfDays => {
            Some(Bound { func, index: number(inner?)?, rest: String::new() })
        }
        Func::Future | Func::Offset | Func::Unexpected => {
            let (open, comma, close) = (open?, text.rfind(',')?, close?);
            if comma <= open || close <= comma {
                return None;
            }
            let index = number(text[open + 1..comma].trim())?;
            Some(Bound { func, index, rest: text[comma + 1..close].trim().to_owned() })
        }
    }
}

/// `(int) Double.parseDouble(text)`
fn number(text: &str) -> Option<i32> {
    el::parse_double(text).map(|number| number as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_read_as_the_reference_reads_them() {
        let check = |start: &str, end: &str, expected: (i32, i32)| {
            let (start, end) = read(start, end).unwrap();
            assert_eq!((start.index, end.index), expected);
        };
        check("${coord:current(-3)}", "${coord:current(0.9)}", (-3, 0));
        check("${coord:offset(-1 , DAY)}", "${coord:offset(0 , DAY)}", (-1, 0));
        check("${coord:future(0, 10)}", "${coord:future(1, 10)}", (0, 1));
        check("${coord:absolute(2024-01-01T00:00Z)}", "${coord:current(0)}", (4, 0));
        check("${coord:absolute(2024-01-01T00:00Z)}", "${coord:absolute(2024-01-02T00:00Z)}", (4, 4));
        check("${coord:endOfDays(-1)}", "${coord:current(0)}", (-1, 0));
        assert_eq!(read("${coord:current(0)}", "${coord:latest(0)}").unwrap_err().codes, ["E1010"]);
        assert!(read("${coord:current()}", "${coord:current(0)}").is_err());
        assert!(read("2024-01-01T00:00Z", "2024-01-02T00:00Z").is_err());
    }
}
