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

/// The way out for a text that is no datetime in a zone. A datetime of another processing timezone may be right on the
/// server that it was written for.
pub(super) fn datetime_help(text: &str, zone: ProcessingZone) -> String {
    let example = || format!("write it like `2024-01-01T00:00{}`", zone.suffix());
    let write = near_datetime(text, zone).map_or_else(example, |near| format!("write `{near}`"));
    let text = text.trim();
    let other = text.len().checked_sub("+0900".len()).and_then(|at| text.get(at..));
    let other = match other.filter(|tail| tail.starts_with(['+', '-'])) {
        Some(tail) => format!("GMT{tail}"),
        None if text.ends_with('Z') => "UTC".to_owned(),
        None => return write,
    };
    let fits = |other: &ProcessingZone| other.parse_datetime(text).is_ok();
    match ProcessingZone::parse(&other).ok().filter(fits) {
        Some(_) => format!(
            "{write}, or set `processing-timezone = \"{other}\"` in ankus.toml if the server runs in that zone"
        ),
        None => write,
    }
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

    #[test]
    fn another_processing_timezone_is_offered_where_the_text_fits_it() {
        let utc = ProcessingZone::parse("UTC").expect("a zone");
        let other = ProcessingZone::parse("GMT+0530").expect("a zone");
        let check = |text: &str, zone, expected: Option<&str>| {
            let help = datetime_help(text, zone);
            let wanted = expected.map(|zone| format!("processing-timezone = \"{zone}\""));
            match wanted {
                Some(wanted) => assert!(help.contains(&wanted), "{text}: {help}"),
                None => assert!(!help.contains("processing-timezone"), "{text}: {help}"),
            }
        };
        check("2018-07-01T00:00+0900", utc, Some("GMT+0900"));
        check("2018-07-01T00:00-0330", utc, Some("GMT-0330"));
        check("2018-07-01T00:00Z", other, Some("UTC"));
        check("2018-07-01T00:00+9900", utc, None);
        check("2018-07-01+0900", utc, None);
        check("2018-07-01", utc, None);
    }
}
