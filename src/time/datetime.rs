//! Datetimes in the processing timezone, read and written as Oozie's `DateUtils` does.
//!
//! Reading is as lenient as `SimpleDateFormat` with the mask `yyyy-MM-dd'T'HH:mm'Z'` and its leniency off: numbers may
//! have any number of digits and blanks before them. `24:00` is taken as the next midnight, which a server refuses.

use std::fmt::Write as _;

use super::civil::{self, Local};
use super::instant::{DAY_MILLIS, Instant};
use super::zone::Zone;

/// The zone in which datetimes are written: `UTC` or `GMT+hhmm`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessingZone {
    /// None for `UTC`, whose datetimes end in `Z`.
    offset_minutes: Option<i16>,
    /// The sign of the name, which `GMT-0000` keeps.
    minus: bool,
}

/// A processing timezone that is neither `UTC` nor `GMT+hhmm`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no processing timezone; it is `UTC` or `GMT` with a sign and four digits, such as `GMT+0530`"
)]
pub struct InvalidProcessingZone(pub String);

/// A text that is no datetime.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct DatetimeError {
    /// The byte at which it goes wrong.
    pub offset: usize,
    /// Why: lower case, one line.
    pub reason: String,
}

/// What a datetime says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsedDatetime {
    /// The instant.
    pub instant: Instant,
    /// True for `24:00`, which is read as the next day's zero hour and which servers refuse.
    pub end_of_day: bool,
}

impl ProcessingZone {
    /// `UTC`, the default.
    pub const UTC: ProcessingZone = ProcessingZone { offset_minutes: None, minus: false };

    /// Reads `UTC` or `GMT+hhmm`.
    pub fn parse(text: &str) -> Result<ProcessingZone, InvalidProcessingZone> {
        let invalid = || InvalidProcessingZone(text.to_owned());
        if text == "UTC" {
            return Ok(ProcessingZone::UTC);
        }
        let rest = text.strip_prefix("GMT").ok_or_else(invalid)?;
        let (sign, digits) = match rest.as_bytes() {
            [b'+', digits @ ..] => (1, digits),
            [b'-', digits @ ..] => (-1, digits),
            _ => return Err(invalid()),
        };
        if digits.len() != 4 || !digits.iter().all(u8::is_ascii_digit) {
            return Err(invalid());
        }
        let digit = |index: usize| i16::from(digits[index] - b'0');
        let (hours, minutes) = (digit(0) * 10 + digit(1), digit(2) * 10 + digit(3));
        if hours > 23 || minutes > 59 {
            return Err(invalid());
        }
        Ok(ProcessingZone { offset_minutes: Some(sign * (hours * 60 + minutes)), minus: sign < 0 })
    }

    /// The name: `UTC` or `GMT+hhmm`.
    pub fn id(self) -> String {
        match self.offset_minutes {
            None => "UTC".to_owned(),
            Some(_) => format!("GMT{}", self.suffix()),
        }
    }

    /// Minutes east of UTC.
    pub fn offset_minutes(self) -> i16 {
        self.offset_minutes.unwrap_or(0)
    }

    /// The zone itself.
    pub fn zone(self) -> Zone {
        self.offset_minutes.map_or_else(Zone::utc, |minutes| Zone::fixed(minutes, self.minus))
    }

    /// What every datetime ends in: `Z` or `+hhmm`.
    pub fn suffix(self) -> String {
        match self.offset_minutes {
            None => "Z".to_owned(),
            Some(minutes) => {
                let sign = if self.minus { '-' } else { '+' };
                let minutes = minutes.unsigned_abs();
                format!("{sign}{:02}{:02}", minutes / 60, minutes % 60)
            }
        }
    }

    /// Writes a datetime (`DateUtils.formatDateOozieTZ`).
    pub fn format(self, at: Instant) -> String {
        let mut out = String::with_capacity(22);
        self.write(at, &mut out);
        out
    }

    /// As [`ProcessingZone::format`], at the end of `out`.
    pub fn write(self, at: Instant, out: &mut String) {
        self.write_local(Local::at_offset(at, i64::from(self.offset_minutes()) * 60_000), out);
    }

    /// Writes date and time of another zone with this zone's ending (`DateUtils.formatDate`).
    pub fn format_in(self, at: Instant, zone: Zone) -> String {
        let mut out = String::with_capacity(22);
        self.write_local(zone.local(at), &mut out);
        out
    }

    fn write_local(self, local: Local, out: &mut String) {
        // Java writes the year of the era.
        let year = if local.date.year > 0 { local.date.year } else { 1 - local.date.year };
        if (1000..=9999).contains(&year) {
            let two = |n: u8| [b'0' + n / 10, b'0' + n % 10];
            let year = year as u16;
            let ([a, b], [c, d]) = (two((year / 100) as u8), two((year % 100) as u8));
            let ([e, f], [g, h]) = (two(local.date.month), two(local.date.day));
            let ([i, j], [k, l]) = (two(local.hour), two(local.minute));
            let bytes = [a, b, c, d, b'-', e, f, b'-', g, h, b'T', i, j, b':', k, l];
            out.extend(bytes.iter().map(|byte| char::from(*byte)));
        } else {
            let (month, day) = (local.date.month, local.date.day);
            let _ = write!(out, "{year:04}-{month:02}-{day:02}T{:02}:{:02}", local.hour, local.minute);
        }
        match self.offset_minutes {
            None => out.push('Z'),
            Some(_) => out.push_str(&self.suffix()),
        }
    }

    /// Reads a datetime (`DateUtils.parseDateOozieTZ`, and `24:00`).
    pub fn parse_datetime(self, text: &str) -> Result<ParsedDatetime, DatetimeError> {
        // Java trims everything up to the blank, control characters too.
        let trimmed_start = text.trim_start_matches(|c| c <= ' ');
        let mut cursor = Cursor { text, at: text.len() - trimmed_start.len() };
        let start = cursor.at;
        let end = start + trimmed_start.trim_end_matches(|c| c <= ' ').len();
        cursor.text = &text[..end];
        let year = cursor.number("a year")?;
        cursor.literal('-', "the year")?;
        let month = cursor.number("a month")?;
        cursor.literal('-', "the month")?;
        let day = cursor.number("a day")?;
        cursor.literal('T', "the date")?;
        let hour = cursor.number("an hour")?;
        cursor.literal(':', "the hour")?;
        let minute = cursor.number("a minute")?;
        let suffix = self.suffix();
        for expected in suffix.chars() {
            cursor.literal(expected, "the minute").map_err(|error| DatetimeError {
                reason: format!("a datetime in {} ends in `{suffix}`", self.id()),
                ..error
            })?;
        }
        if cursor.at < end {
            let reason = format!("nothing may follow the `{suffix}` of a datetime");
            return Err(DatetimeError { offset: cursor.at, reason });
        }
        self.instant(year, month, day, hour, minute)
    }

    fn instant(
        self,
        year: Number,
        month: Number,
        day: Number,
        hour: Number,
        minute: Number,
    ) -> Result<ParsedDatetime, DatetimeError> {
        let within = |number: Number, low: i32, high: i32, what: &str| {
            if (low..=high).contains(&number.value) {
                return Ok(i64::from(number.value));
            }
            let reason = format!("the {what} is from {low} to {high}");
            Err(DatetimeError { offset: number.offset, reason })
        };
        let year_value = within(year, 1, MAX_YEAR, "year")?;
        let month_value = within(month, 1, 12, "month")?;
        let last_day = civil::days_in_month(year_value, month_value as u8);
        let day_value = within(day, 1, i32::from(last_day), "day of this month")?;
        let end_of_day = hour.value == 24 && minute.value == 0;
        let hour_value = if end_of_day { 24 } else { within(hour, 0, 23, "hour")? };
        let minute_value = within(minute, 0, 59, "minute")?;
        let day_number = civil::day_of_date(year_value, month_value, day_value);
        if i64::from(civil::date_of_day(day_number).day) != day_value {
            let reason = "5 to 14 October 1582 never were".to_owned();
            return Err(DatetimeError { offset: day.offset, reason });
        }
        let minutes = hour_value * 60 + minute_value - i64::from(self.offset_minutes());
        let millis = i128::from(day_number) * i128::from(DAY_MILLIS) + i128::from(minutes) * 60_000;
        match i64::try_from(millis) {
            Ok(millis) => Ok(ParsedDatetime { instant: Instant::from_millis(millis), end_of_day }),
            Err(_) => {
                let reason = "the datetime lies beyond what can be counted".to_owned();
                Err(DatetimeError { offset: year.offset, reason })
            }
        }
    }
}

/// The last year of Java's calendar.
const MAX_YEAR: i32 = 292_278_994;

/// A number and where it starts.
#[derive(Clone, Copy)]
struct Number {
    value: i32,
    offset: usize,
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// A number as Java's `DecimalFormat` reads a whole one: blanks before it, a minus sign, digits of any script, an
    /// exponent.
    fn number(&mut self, what: &str) -> Result<Number, DatetimeError> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let offset = self.at;
        if self.rest().starts_with("NaN") {
            self.at += 3;
            return Ok(Number { value: 0, offset });
        }
        let negative = self.take('-');
        let mut digits = self.digits();
        if digits.is_empty() {
            self.at = offset;
            let reason = format!("{what} is expected here, in digits");
            return Err(DatetimeError { offset, reason });
        }
        let mut exponent = 0;
        let before_exponent = self.at;
        if self.take('E') {
            let negative = self.take('-');
            let digits = self.digits();
            match digits.parse::<i64>() {
                Ok(value) => exponent = if negative { -value } else { value },
                Err(_) => self.at = before_exponent,
            }
        }
        if negative {
            digits.insert(0, '-');
        }
        Ok(Number { value: java_int(&digits, exponent), offset })
    }

    fn take(&mut self, expected: char) -> bool {
        let found = self.rest().starts_with(expected);
        self.at += if found { expected.len_utf8() } else { 0 };
        found
    }

    fn digits(&mut self) -> String {
        let (mut digits, mut length) = (String::new(), 0);
        for c in self.rest().chars() {
            let Some(digit) = java_digit(c) else { break };
            digits.push(digit);
            length += c.len_utf8();
        }
        self.at += length;
        digits
    }

    fn literal(&mut self, expected: char, after: &str) -> Result<(), DatetimeError> {
        if self.rest().starts_with(expected) {
            self.at += expected.len_utf8();
            return Ok(());
        }
        let reason = format!("`{expected}` is expected after {after}");
        Err(DatetimeError { offset: self.at, reason })
    }
}

/// `Number.intValue` of what `DecimalFormat` makes of digits and an exponent: a whole number that fits a `long` keeps
/// its lowest 32 bits, any other is cut to the range of `int`.
fn java_int(digits: &str, exponent: i64) -> i32 {
    let significant = digits.trim_end_matches('0');
    let zeros = (digits.len() - significant.len()) as i64 + exponent;
    if matches!(significant, "" | "-") {
        return 0;
    }
    let whole = usize::try_from(zeros).ok().filter(|zeros| *zeros < 20);
    let whole = whole.and_then(|zeros| format!("{significant}{}", "0".repeat(zeros)).parse::<i64>().ok());
    match whole {
        Some(long) => long as i32,
        None => format!("{digits}e{exponent}").parse::<f64>().unwrap_or(0.0) as i32,
    }
}

/// The decimal digit that Java's `Character.digit` sees, as ASCII.
fn java_digit(c: char) -> Option<char> {
    /// The zeros of the scripts that have ten digits in a row.
    const ZEROS: [u32; 37] = [
        0x0030, 0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6,
        0x0D66, 0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80,
        0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0,
        0xFF10,
    ];
    if c.is_ascii() {
        return c.is_ascii_digit().then_some(c);
    }
    let zero = ZEROS.iter().rev().find(|zero| **zero <= u32::from(c))?;
    char::from_digit(u32::from(c) - zero, 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datetimes_are_read_leniently() {
        let check = |text: &str, expected: &str| {
            let parsed = ProcessingZone::UTC.parse_datetime(text).unwrap();
            assert_eq!(ProcessingZone::UTC.format(parsed.instant), expected, "{text}");
        };
        check("2024-01-01T00:00Z", "2024-01-01T00:00Z");
        check(" 2024-1-1T0:0Z\n", "2024-01-01T00:00Z");
        check("12024-01-01T00:00Z", "12024-01-01T00:00Z");
        check("2024-02-29T24:00Z", "2024-03-01T00:00Z");
        check("1500-02-29T00:00Z", "1500-02-29T00:00Z");
    }

    #[test]
    fn errors_say_where() {
        let check = |text: &str, offset: usize| {
            assert_eq!(ProcessingZone::UTC.parse_datetime(text).unwrap_err().offset, offset, "{text}");
        };
        check("", 0);
        check("2024-01-01", 10);
        check(" 2024-13-01T00:00Z", 6);
        check("2023-02-29T00:00Z", 8);
        check("2024-01-01T00:00z", 16);
        check("2024-01-01T00:00ZZ", 17);
        check("2024-01-01T00:00+0530", 16);
        check("2024-01-01T00:00:00Z", 16);
        check("2024-01-01T25:00Z", 11);
        check("1582-10-10T00:00Z", 8);
    }

    #[test]
    fn the_processing_zone_may_have_an_offset() {
        let zone = ProcessingZone::parse("GMT+0530").unwrap();
        let parsed = zone.parse_datetime("2024-01-01T00:00+0530").unwrap();
        assert_eq!(ProcessingZone::UTC.format(parsed.instant), "2023-12-31T18:30Z");
        assert_eq!(zone.format(parsed.instant), "2024-01-01T00:00+0530");
        assert!(zone.parse_datetime("2024-01-01T00:00Z").is_err());
        for wrong in ["", "utc", "GMT", "GMT+5", "GMT+05:30", "GMT+2400", "GMT+05é"] {
            assert!(ProcessingZone::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_processing_zone_has_its_name_and_offset() {
        let check = |text: &str, minutes: i16| {
            let zone = ProcessingZone::parse(text).unwrap();
            assert_eq!((zone.id().as_str(), zone.offset_minutes()), (text, minutes));
        };
        check("UTC", 0);
        check("GMT+0000", 0);
        check("GMT-0000", 0);
        check("GMT+2359", 1439);
        check("GMT-1034", -634);
        let zone = ProcessingZone::parse("GMT-0800").unwrap();
        let error = zone.parse_datetime("2024-01-01T00:00Z").unwrap_err();
        assert_eq!((error.offset, error.reason.as_str()), (16, "a datetime in GMT-0800 ends in `-0800`"));
    }

    #[test]
    fn numbers_are_read_as_java_reads_them() {
        let read = |text: &str| {
            let mut cursor = Cursor { text, at: 0 };
            cursor.number("a year").map(|number| (number.value, number.offset, cursor.at))
        };
        assert_eq!(read("2024-"), Ok((2024, 0, 4)));
        assert_eq!(read(" \t-7x"), Ok((-7, 2, 4)));
        assert_eq!(read("NaN-"), Ok((0, 0, 3)));
        assert_eq!(read("2E3-"), Ok((2000, 0, 3)));
        assert_eq!(read("5E-1"), Ok((0, 0, 4)));
        assert_eq!(read("1500E-2-"), Ok((15, 0, 7)));
        // An `E` without digits is no exponent.
        assert_eq!(read("12E-x"), Ok((12, 0, 2)));
        assert_eq!(read("\u{0661}\u{0662}Z"), Ok((12, 0, 4)));
        assert_eq!(read(" -").map_err(|error| error.offset), Err(1));
    }

    #[test]
    fn whole_numbers_are_cut_as_java_cuts_them() {
        assert_eq!(java_int("0", 99), 0);
        assert_eq!(java_int("-0", 0), 0);
        // A `long` keeps its lowest bits; anything longer, or with a fraction, is cut to the range.
        assert_eq!(java_int("4294967298", 0), 2);
        assert_eq!(java_int("-4294967298", 0), -2);
        assert_eq!(java_int("9223372036854775807", 0), -1);
        assert_eq!(java_int("9223372036854775808", 0), i32::MAX);
        assert_eq!(java_int("1", 19), i32::MAX);
        assert_eq!(java_int("1", 18), 1_000_000_000_000_000_000_i64 as i32);
        assert_eq!(java_int("1", 20), i32::MAX);
        assert_eq!(java_int("25", -1), 2);
        assert_eq!(java_int("1", i64::MIN / 2), 0);
    }
}
