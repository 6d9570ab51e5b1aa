//! Durations as a scenario writes them: `45m`, `1h 30m`, `{ min = "5m", max = "2h" }`.

use super::table::{Placed, Table};
use crate::simulate::draw::Draw;

/// A duration, known or drawn, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duration {
    /// Always the same.
    Fixed(i64),
    /// Any whole number of seconds between the two, both included, with the same chance.
    Drawn {
        /// The shortest.
        least: i64,
        /// The longest.
        most: i64,
    },
}

/// No duration is longer: a hundred years, in seconds.
const LONGEST_SECONDS: i64 = 100 * 366 * 86_400;

impl Duration {
    /// Five minutes.
    pub const FIVE_MINUTES: Duration = Duration::Fixed(300);

    /// The seconds.
    pub fn seconds(self, draw: impl FnOnce() -> Draw) -> i64 {
        match self {
            Duration::Fixed(seconds) => seconds,
            Duration::Drawn { least, most } => draw().between(least, most),
        }
    }
}

/// Reads a duration; `Err` says what is wrong.
pub(super) fn parse(text: &str) -> Result<i64, String> {
    let wrong = || format!("`{text}` is no duration; write it like `90s`, `45m`, `1h 30m` or `2d`");
    let trimmed = text.trim();
    if let Some(rest) = trimmed.strip_prefix('-')
        && parse(rest).is_ok()
    {
        return Err(format!("`{text}` is negative; nothing happens before its time"));
    }
    let (mut total, mut rest) = (0_i64, trimmed);
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: i64 = rest[..digits].parse().map_err(|_| wrong())?;
        rest = rest[digits..].trim_start();
        let letters = rest.bytes().take_while(u8::is_ascii_lowercase).count();
        let unit = match &rest[..letters] {
            "s" => 1,
            "m" | "min" => 60,
            "h" => 3600,
            "d" => 86_400,
            "w" => 7 * 86_400,
            _ => return Err(wrong()),
        };
        rest = rest[letters..].trim_start();
        total = number.checked_mul(unit).and_then(|part| total.checked_add(part)).ok_or_else(wrong)?;
    }
    if trimmed.is_empty() {
        return Err(wrong());
    }
    if total > LONGEST_SECONDS {
        return Err(format!("`{text}` is longer than a hundred years"));
    }
    Ok(total)
}

fn placed(table: &Table<'_>, text: &Placed<String>) -> Option<i64> {
    parse(&text.value).map_err(|message| table.faults.add(message, &text.range)).ok()
}

/// The duration under a key.
pub(super) fn read(table: &mut Table<'_>, key: &'static str) -> Option<Duration> {
    match table.text_or_table(key, "a duration such as \"45m\", or { min = \"5m\", max = \"2h\" }")? {
        Ok(text) => placed(table, &text).map(Duration::Fixed),
        Err(mut drawn) => {
            let (least, most) = (drawn.text("min"), drawn.text("max"));
            for (name, found) in [("min", &least), ("max", &most)] {
                if found.is_none() && !drawn.has(name) {
                    drawn.faults.add(format!("`{key}` needs `{name}` as well"), &drawn.range);
                }
            }
            let range = most.as_ref().map(|most| most.range.clone());
            let least = least.and_then(|text| placed(&drawn, &text));
            let most = most.and_then(|text| placed(&drawn, &text));
            let faults = drawn.faults;
            drawn.finish();
            let (least, most) = (least?, most?);
            if least > most {
                faults.add("`max` is less than `min`", &range.unwrap_or_default());
                return None;
            }
            Some(Duration::Drawn { least, most })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn durations_are_read() {
        for (text, seconds) in
            [("0s", 0), ("90s", 90), ("45m", 2700), ("1h 30m", 5400), ("1h30min", 5400), ("2d", 172_800)]
        {
            assert_eq!(parse(text), Ok(seconds), "{text}");
        }
        for text in ["", "5", "m", "5 x", "1.5h", "99999999999999999999s", "101000d", "-", "5m-"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse("-5m").unwrap_err().contains("negative"));
    }
}
