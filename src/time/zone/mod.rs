//! Time zones as `java.util.TimeZone` names and answers them.
//!
//! The data is that of `chrono-tz` (see [`DATA_RELEASE`]); the treatment is Java's: nothing before 1900 but the zone's
//! present standard offset, its last rule for ever after 2037, wall times resolved as `java.util.GregorianCalendar`
//! does. Copies `sun.util.calendar.ZoneInfo` and Oozie's `DateUtils.getTimeZone`.

mod names;
mod table;

use std::borrow::Cow;

use super::civil::Local;
use super::instant::Instant;
use table::Table;

pub use names::{Difference, differences};

/// The release of the zone data.
pub const DATA_RELEASE: &str = chrono_tz::IANA_TZDB_VERSION;

/// A name that is no zone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{id}` is not a time zone")]
pub struct UnknownZone {
    /// The name as written.
    pub id: String,
    /// A zone whose name is near.
    pub suggestion: Option<&'static str>,
}

/// A time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `GMT+05:30`: minutes east of UTC, and the sign of the name, which `GMT-00:00` keeps.
    Offset { minutes: i16, minus: bool },
    /// The place in [`names::all`].
    Named(u16),
}

/// What a zone does at some instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    /// Local time less UTC, in milliseconds.
    pub total_millis: i32,
    /// The part of it that is daylight saving.
    pub dst_millis: i32,
}

/// A wall time and how it stands to the instants of its zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wall {
    /// It comes once.
    Once(Instant),
    /// It comes twice; Java takes the second.
    Twice(Instant, Instant),
    /// It is skipped; Java reads it with the offset before the gap.
    Never(Instant),
}

impl Zone {
    /// `UTC`.
    pub fn utc() -> Zone {
        names::find("UTC").map_or(Zone::fixed(0, false), |index| Zone(Kind::Named(index)))
    }

    /// The zone of a name, exactly as Oozie's `DateUtils.getTimeZone` takes it: a zone id in its own case,
    /// `GMT+hh:mm` or `GMT+hhmm`; no `GMT+8`, no `Z`.
    pub fn parse(id: &str) -> Result<Zone, UnknownZone> {
        if let Some(index) = names::find(id) {
            return Ok(Zone(Kind::Named(index)));
        }
        if let Some(minutes) = custom_offset(id) {
            return Ok(Zone::fixed(minutes, id.contains('-')));
        }
        Err(UnknownZone { id: id.to_owned(), suggestion: names::closest(id) })
    }

    /// A zone that is always so many minutes east of UTC; `minus` tells `GMT-00:00` from `GMT+00:00`.
    pub fn fixed(minutes: i16, minus: bool) -> Zone {
        Zone(Kind::Offset { minutes, minus: minutes < 0 || minutes == 0 && minus })
    }

    /// All names in order. Beside them `GMT+hh:mm` and `GMT+hhmm` name zones.
    pub fn ids() -> impl Iterator<Item = &'static str> {
        names::all().iter().map(|entry| entry.id)
    }

    /// The name, `GMT+hh:mm` for the nameless.
    pub fn id(self) -> Cow<'static, str> {
        match self.0 {
            Kind::Offset { minutes, minus } => {
                let sign = if minus { '-' } else { '+' };
                let minutes = minutes.unsigned_abs();
                format!("GMT{sign}{:02}:{:02}", minutes / 60, minutes % 60).into()
            }
            Kind::Named(index) => names::all()[usize::from(index)].id.into(),
        }
    }

    /// True for names such as `PST`, which say too little (Oozie's `DateUtils.isThreeLetterTZName`).
    pub fn is_three_letter(self) -> bool {
        let id = self.id();
        id.len() == 3 && id.bytes().all(|b| b.is_ascii_uppercase()) && id != "UTC" && id != "GMT"
    }

    /// What the zone does at an instant.
    pub fn offset(self, at: Instant) -> Offset {
        match self.table() {
            Ok(table) => table.offset(at.millis()),
            Err(millis) => Offset { total_millis: millis, dst_millis: 0 },
        }
    }

    /// Local time less UTC, in milliseconds (`TimeZone.getOffset`).
    pub fn offset_millis(self, at: Instant) -> i64 {
        i64::from(self.offset(at).total_millis)
    }

    /// `TimeZone.inDaylightTime`.
    pub fn is_dst(self, at: Instant) -> bool {
        self.offset(at).dst_millis != 0
    }

    /// True when the zone has daylight saving by its last rule (`TimeZone.useDaylightTime`).
    pub fn uses_dst(self) -> bool {
        self.table().is_ok_and(|table| table.has_rule())
    }

    /// Date and time of day at an instant.
    pub fn local(self, at: Instant) -> Local {
        Local::at_offset(at, self.offset_millis(at))
    }

    /// The instant of a date and time of day: in an overlap the second one, in a gap with the offset before it.
    pub fn instant(self, local: Local) -> Instant {
        self.instant_of_wall(local.local_millis())
    }

    /// As [`Zone::instant`], of local milliseconds since 1970-01-01T00:00 (`ZoneInfo.getOffsetsByWall`).
    pub fn instant_of_wall(self, local_millis: i64) -> Instant {
        let offset = match self.table() {
            Ok(table) => table.offset_of_wall(local_millis).total_millis,
            Err(millis) => millis,
        };
        Instant::from_millis(local_millis.wrapping_sub(i64::from(offset)))
    }

    /// How a wall time stands to the instants of this zone.
    pub fn wall(self, local_millis: i64) -> Wall {
        let chosen = self.instant_of_wall(local_millis);
        if chosen.millis().wrapping_add(self.offset_millis(chosen)) != local_millis {
            return Wall::Never(chosen);
        }
        // The other reading, if there is one, has the offset of shortly before.
        let before = self.offset_millis(chosen.plus_millis(-86_400_000));
        let other = Instant::from_millis(local_millis.wrapping_sub(before));
        let fits = other.millis().wrapping_add(self.offset_millis(other)) == local_millis;
        if fits && other < chosen { Wall::Twice(other, chosen) } else { Wall::Once(chosen) }
    }

    /// The table of the zone, or its only offset in milliseconds.
    fn table(self) -> Result<&'static Table, i32> {
        match self.0 {
            Kind::Offset { minutes, .. } => Err(i32::from(minutes) * 60_000),
            Kind::Named(index) => names::all()[usize::from(index)].table(),
        }
    }
}

/// The minutes of `GMT+hh:mm` or `GMT+hhmm`.
fn custom_offset(id: &str) -> Option<i16> {
    let rest = id.strip_prefix("GMT")?;
    let (sign, digits) = match rest.as_bytes() {
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return None,
    };
    let digits: Vec<i16> = match digits {
        [a, b, b':', c, d] | [a, b, c, d] => [a, b, c, d].iter().map(|d| i16::from(**d) - 48).collect(),
        _ => return None,
    };
    if digits.iter().any(|digit| !(0..=9).contains(digit)) {
        return None;
    }
    let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3]);
    (hours <= 23 && minutes <= 59).then_some(sign * (hours * 60 + minutes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_as_they_stand() {
        for id in [
            "UTC",
            "GMT",
            "PST",
            "IST",
            "BST",
            "EST",
            "SystemV/PST8PDT",
            "Etc/GMT+8",
            "GMT+05:30",
            "GMT-00:00",
        ] {
            assert_eq!(Zone::parse(id).map(|zone| zone.id().into_owned()), Ok(id.to_owned()));
        }
        assert_eq!(Zone::parse("GMT-0530").expect("a zone").id(), "GMT-05:30");
        for id in [
            "",
            "Z",
            "utc",
            "GMT+8",
            "UTC+5",
            "GMT+24:00",
            "GMT+05:60",
            "GMT+0a:00",
            "EDT",
            "ROC",
            "GMT+0",
            "gmt+01:00",
        ] {
            assert!(Zone::parse(id).is_err(), "{id}");
        }
        let suggestion = |id| Zone::parse(id).unwrap_err().suggestion;
        assert_eq!(suggestion("america/los_angeles"), Some("America/Los_Angeles"));
        assert_eq!(suggestion("Los Angeles"), Some("America/Los_Angeles"));
        assert_eq!(suggestion("Europe/Berln"), Some("Europe/Berlin"));
        assert_eq!(suggestion("xyzzy"), None);
    }

    #[test]
    fn three_letter_names_are_javas() {
        let hours =
            |id: &str| Zone::parse(id).expect("a zone").offset_millis(Instant::EPOCH) as f64 / 3_600_000.0;
        let found = ["PST", "EST", "MST", "HST", "IST", "BST", "NST"].map(hours);
        assert_eq!(found, [-8.0, -5.0, -7.0, -10.0, 5.5, 6.0, 12.0]);
        assert!(Zone::parse("PST").is_ok_and(|zone| zone.is_three_letter() && zone.uses_dst()));
        assert!(Zone::parse("EST").is_ok_and(|zone| zone.is_three_letter() && !zone.uses_dst()));
        assert!(!Zone::utc().is_three_letter());
    }

    #[test]
    fn gaps_and_overlaps_are_read_as_java_reads_them() {
        let zone = Zone::parse("America/New_York").expect("a zone");
        let minute =
            |text: &str| super::super::ProcessingZone::UTC.parse_datetime(text).expect("a datetime").instant;
        let wall = |text: &str| zone.wall(minute(text).millis());
        assert_eq!(wall("2024-03-10T02:30Z"), Wall::Never(minute("2024-03-10T07:30Z")));
        assert_eq!(wall("2024-03-10T03:00Z"), Wall::Once(minute("2024-03-10T07:00Z")));
        let twice = Wall::Twice(minute("2024-11-03T05:30Z"), minute("2024-11-03T06:30Z"));
        assert_eq!(wall("2024-11-03T01:30Z"), twice);
        assert_eq!(wall("2024-11-03T02:00Z"), Wall::Once(minute("2024-11-03T07:00Z")));
        assert_eq!(wall("2024-06-01T12:00Z"), Wall::Once(minute("2024-06-01T16:00Z")));
        // The last rule goes on for ever.
        assert_eq!(wall("2399-03-14T02:30Z"), Wall::Never(minute("2399-03-14T07:30Z")));
    }
}
