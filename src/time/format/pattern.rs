//! Date patterns as `java.text.SimpleDateFormat` compiles and writes them.

use std::fmt::Write as _;

use super::FormatError;
use crate::time::civil::{self, Local};
use crate::time::datetime::ProcessingZone;
use crate::time::instant::Instant;

/// The letters that mean something.
const LETTERS: &str = "GyMdkHmsSEDFwWahKzZYuXL";
/// The longest pattern that is read; a server would take more, but no use needs it.
const MAX_LENGTH: usize = 65_536;
/// Java's number format writes at most so many leading zeros.
const MAX_DIGITS: usize = 309;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// A compiled pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Literal(String),
    /// A letter and how often it stands there.
    Field(u8, usize),
}

impl Pattern {
    /// Reads a pattern; fails where Java raises an `IllegalArgumentException`.
    pub fn parse(text: &str) -> Result<Pattern, FormatError> {
        let error = |offset, reason: String| FormatError::Pattern { offset, reason };
        if text.len() > MAX_LENGTH {
            return Err(error(0, format!("a date pattern has at most {MAX_LENGTH} bytes")));
        }
        let mut pieces: Vec<Piece> = Vec::new();
        let mut quote = None;
        let mut rest = text.char_indices().peekable();
        while let Some((offset, c)) = rest.next() {
            if c == '\'' {
                if rest.next_if(|(_, next)| *next == '\'').is_some() {
                    literal(&mut pieces, c);
                } else {
                    quote = if quote.is_some() { None } else { Some(offset) };
                }
            } else if quote.is_some() || !c.is_ascii_alphabetic() {
                literal(&mut pieces, c);
            } else {
                let mut count = 1;
                while rest.next_if(|(_, next)| *next == c).is_some() {
                    count += 1;
                }
                if !LETTERS.contains(c) {
                    let reason = format!("`{c}` means nothing in a date pattern; quote it as `'{c}'`");
                    return Err(error(offset, reason));
                }
                if c == 'X' && count > 3 {
                    return Err(error(offset, "at most three `X` may follow each other".to_owned()));
                }
                pieces.push(Piece::Field(c as u8, count));
            }
        }
        match quote {
            Some(offset) => Err(error(offset, "the quote is not closed".to_owned())),
            None => Ok(Pattern { pieces }),
        }
    }

    /// Writes an instant in the processing timezone.
    pub fn format(&self, at: Instant, processing: ProcessingZone) -> String {
        let offset_minutes = processing.offset_minutes();
        let local = Local::at_offset(at, i64::from(offset_minutes) * 60_000);
        let fields = Fields::of(local);
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => out.push_str(text),
                Piece::Field(letter, count) => fields.write(*letter, *count, processing, &mut out),
            }
        }
        out
    }
}

fn literal(pieces: &mut Vec<Piece>, c: char) {
    match pieces.last_mut() {
        Some(Piece::Literal(text)) => text.push(c),
        _ => pieces.push(Piece::Literal(c.to_string())),
    }
}

/// The fields of `GregorianCalendar` that patterns show.
struct Fields {
    local: Local,
    /// 1 Sunday to 7 Saturday.
    weekday: u8,
    day_of_year: i64,
    week_of_year: i64,
    week_year: i64,
    week_of_month: i64,
    weekday_in_month: i64,
}

impl Fields {
    fn of(local: Local) -> Fields {
        let date = local.date;
        let day = civil::day_of_date(date.year, i64::from(date.month), i64::from(date.day));
        let new_year = civil::day_of_date(date.year, 1, 1);
        let next_new_year = civil::day_of_date(date.year + 1, 1, 1);
        let month_start = civil::day_of_date(date.year, i64::from(date.month), 1);
        let sunday_of = |day: i64| day + 1 - i64::from(civil::weekday(day));
        let week_since = |start: i64| (sunday_of(day) - sunday_of(start)) / 7 + 1;
        let in_next_year = day >= sunday_of(next_new_year);
        Fields {
            local,
            weekday: civil::weekday(day),
            day_of_year: day - new_year + 1,
            week_of_year: if in_next_year { 1 } else { week_since(new_year) },
            week_year: date.year + i64::from(in_next_year),
            week_of_month: week_since(month_start),
            weekday_in_month: (day - month_start) / 7 + 1,
        }
    }

    /// `SimpleDateFormat.subFormat`.
    fn write(&self, letter: u8, count: usize, processing: ProcessingZone, out: &mut String) {
        let date = self.local.date;
        let hour = i64::from(self.local.hour);
        let year_of_era = if date.year > 0 { date.year } else { 1 - date.year };
        match letter {
            // However many letters there are.
            b'G' => out.push_str(if date.year > 0 { "AD" } else { "BC" }),
            b'y' => write_year(year_of_era, count, out),
            b'Y' => write_year(self.week_year, count, out),
            b'M' | b'L' => {
                let name = MONTHS[usize::from(date.month) - 1];
                match count {
                    1 | 2 => write_number(i64::from(date.month), count, out),
                    3 => out.push_str(&name[..3]),
                    _ => out.push_str(name),
                }
            }
            b'E' => {
                let name = WEEKDAYS[usize::from(self.weekday) - 1];
                out.push_str(if count >= 4 { name } else { &name[..3] });
            }
            b'a' => out.push_str(if hour < 12 { "AM" } else { "PM" }),
            b'k' => write_number(if hour == 0 { 24 } else { hour }, count, out),
            b'h' => write_number(if hour % 12 == 0 { 12 } else { hour % 12 }, count, out),
            b'K' => write_number(hour % 12, count, out),
            b'H' => write_number(hour, count, out),
            b'd' => write_number(i64::from(date.day), count, out),
            b'm' => write_number(i64::from(self.local.minute), count, out),
            b's' => write_number(i64::from(self.local.second), count, out),
            b'S' => write_number(i64::from(self.local.milli), count, out),
            b'D' => write_number(self.day_of_year, count, out),
            b'F' => write_number(self.weekday_in_month, count, out),
            b'w' => write_number(self.week_of_year, count, out),
            b'W' => write_number(self.week_of_month, count, out),
            b'u' => write_number((i64::from(self.weekday) + 5) % 7 + 1, count, out),
            b'z' => write_zone_name(count, processing, out),
            _ => write_zone_offset(letter, count, processing.offset_minutes(), out),
        }
    }
}

/// Two letters cut the year to its last two digits.
fn write_year(year: i64, count: usize, out: &mut String) {
    if count == 2 {
        write_number(year % 100, 2, out);
    } else {
        write_number(year, count, out);
    }
}

fn write_number(value: i64, digits: usize, out: &mut String) {
    let width = digits.min(MAX_DIGITS);
    if value < 0 {
        out.push('-');
    }
    let _ = write!(out, "{:0width$}", value.unsigned_abs());
}

fn write_zone_name(count: usize, processing: ProcessingZone, out: &mut String) {
    match processing == ProcessingZone::UTC {
        true if count >= 4 => out.push_str("Coordinated Universal Time"),
        true => out.push_str("UTC"),
        false => out.push_str(&processing.zone().id()),
    }
}

fn write_zone_offset(letter: u8, count: usize, offset_minutes: i16, out: &mut String) {
    let sign = if offset_minutes < 0 { '-' } else { '+' };
    let minutes = offset_minutes.unsigned_abs();
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let _ = match (letter, count) {
        (b'X', _) if offset_minutes == 0 => write!(out, "Z"),
        (b'X', 1) => write!(out, "{sign}{hours:02}"),
        (b'X', 3) => write!(out, "{sign}{hours:02}:{minutes:02}"),
        _ => write!(out, "{sign}{hours:02}{minutes:02}"),
    };
}
