//! Durations as people write them: `90s`, `15m`, `6h`, `1d`, `500ms`, or several after each other.

const UNITS: [(&str, i64); 5] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// The milliseconds of a duration such as `1h30m`; none where it is not one.
pub fn duration_millis(text: &str) -> Option<i64> {
    let mut rest = text.trim();
    let mut total = 0i64;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: i64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (_, millis) = UNITS.iter().find(|(unit, _)| *unit == &rest[..letters])?;
        total = total.checked_add(number.checked_mul(*millis)?)?;
        rest = rest[letters..].trim_start();
    }
    Some(total)
}

/// The shortest text for a duration.
pub fn duration_text(millis: i64) -> String {
    let mut rest = millis.max(0);
    let mut text = String::new();
    for (unit, size) in UNITS {
        if rest >= size {
            text.push_str(&format!("{}{unit}", rest / size));
            rest %= size;
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_and_written() {
        for (text, millis) in
            [("1d", 86_400_000), ("1h30m", 5_400_000), ("15m", 900_000), ("90s", 90_000), ("500ms", 500)]
        {
            assert_eq!(duration_millis(text), Some(millis), "{text}");
        }
        assert_eq!(duration_text(90_000), "1m30s");
        assert_eq!(duration_text(0), "0s");
        for text in ["", "5", "m", "-1m", "1x", "99999999999999999999d", "9223372036854775807d"] {
            assert_eq!(duration_millis(text), None, "{text}");
        }
    }
}
