//! The datetime that a text was meant to be, where there is no doubt about the numbers.

use crate::time::ProcessingZone;

/// The text in the form that servers read: without seconds, with `T` and the processing timezone. Nothing where numbers
/// would have to be guessed, or where the text names another zone.
pub(super) fn near_datetime(text: &str, zone: ProcessingZone) -> Option<String> {
    let text = text.trim();
    let (date, rest) = text.split_at_checked("2024-01-31".len())?;
    let (time, zone_part) = match rest.strip_prefix(['T', 't', ' ']) {
        None if rest.is_empty() => ("00:00", ""),
        None => return None,
        Some(rest) => {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(rest.len());
            rest.split_at(end)
        }
    };
    // Seconds that are not zero are part of what was meant.
    let time = match (time.len(), time.get(5..)) {
        (5, _) | (8, Some(":00")) => &time[..5],
        _ => return None,
    };
    let is_utc =
        zone.suffix() == "Z" && ["", "z", "Z", "UTC", "+00:00", "+0000", ".0Z", ".000Z"].contains(&zone_part);
    if !is_utc && !zone_part.is_empty() && zone_part != zone.suffix() {
        return None;
    }
    let near = format!("{date}T{time}{}", zone.suffix());
    let is_read = zone.parse_datetime(&near).is_ok_and(|parsed| !parsed.end_of_day);
    (is_read && near != text).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_and_never_guessed() {
        let utc = ProcessingZone::parse("UTC").expect("a zone");
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(near_datetime(text, utc).as_deref(), expected, "{text}");
        };
        check("2024-01-31T08:00:00Z", Some("2024-01-31T08:00Z"));
        check("2024-01-31 08:00", Some("2024-01-31T08:00Z"));
        check("2024-01-31", Some("2024-01-31T00:00Z"));
        check("2024-01-31t08:00z", Some("2024-01-31T08:00Z"));
        check("2024-01-31T08:00+00:00", Some("2024-01-31T08:00Z"));
        check("2024-01-31T08:00:30Z", None);
        check("2024-01-31T08:00+02:00", None);
        check("2024-02-31T08:00:00Z", None);
        check("31.01.2024", None);
        check("2024-01-31T8:00Z", None);
        check("é024-01-31", None);
        check("", None);
        let other = ProcessingZone::parse("GMT+0530").expect("a zone");
        assert_eq!(near_datetime("2024-01-31T08:00", other).as_deref(), Some("2024-01-31T08:00+0530"));
        assert_eq!(near_datetime("2024-01-31T08:00Z", other), None);
    }
}
