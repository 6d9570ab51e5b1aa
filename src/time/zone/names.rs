//! The names that Java knows, and what stands behind each.

use std::sync::OnceLock;

use chrono_tz::{TZ_VARIANTS, Tz};

use super::table::Table;

/// One name.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) id: &'static str,
    source: Source,
    table: OnceLock<Table>,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    /// Always so many hours east of UTC.
    Hours(i32),
    /// So many hours east of UTC, with the rule of System V.
    SystemV(i32),
    /// The data of this zone.
    Data(Tz),
}

impl Entry {
    /// The table, or the only offset in milliseconds.
    pub(super) fn table(&self) -> Result<&Table, i32> {
        match self.source {
            Source::Hours(hours) => Err(hours * 3_600_000),
            Source::SystemV(hours) => Ok(self.table.get_or_init(|| Table::system_v(hours))),
            Source::Data(tz) => Ok(self.table.get_or_init(|| Table::of(tz))),
        }
    }
}

/// A zone that answers differently from Java's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The zone.
    pub id: &'static str,
    /// What differs, and why.
    pub reason: &'static str,
}

const IRAN_1978: &str =
    "from 10 November to 31 December 1978: UTC+03:30 by the zone data 2025b, UTC+04:00 by 2025a";

/// All zones that answer differently from those of Java 17 with its zone data 2025a, found by comparing every zone
/// over the years 1850 to 2150.
pub fn differences() -> &'static [Difference] {
    const {
        &[
            Difference {
                id: "America/Coyhaique",
                reason: "new in the zone data 2025b; Java does not know it",
            },
            Difference { id: "Asia/Tehran", reason: IRAN_1978 },
            Difference { id: "Iran", reason: IRAN_1978 },
        ]
    }
}

/// Names of the Java platform itself (`sun.util.calendar.ZoneInfoFile`): the old three-letter ones.
const JAVA_ALIASES: &[(&str, Tz)] = &[
    ("ACT", Tz::Australia__Darwin),
    ("AET", Tz::Australia__Sydney),
    ("AGT", Tz::America__Argentina__Buenos_Aires),
    ("ART", Tz::Africa__Cairo),
    ("AST", Tz::America__Anchorage),
    ("BET", Tz::America__Sao_Paulo),
    ("BST", Tz::Asia__Dhaka),
    ("CAT", Tz::Africa__Harare),
    ("CNT", Tz::America__St_Johns),
    ("CST", Tz::America__Chicago),
    ("CTT", Tz::Asia__Shanghai),
    ("EAT", Tz::Africa__Addis_Ababa),
    ("ECT", Tz::Europe__Paris),
    ("IET", Tz::America__Indiana__Indianapolis),
    ("IST", Tz::Asia__Kolkata),
    ("JST", Tz::Asia__Tokyo),
    ("MIT", Tz::Pacific__Apia),
    ("NET", Tz::Asia__Yerevan),
    ("NST", Tz::Pacific__Auckland),
    ("PLT", Tz::Asia__Karachi),
    ("PNT", Tz::America__Phoenix),
    ("PRT", Tz::America__Puerto_Rico),
    ("PST", Tz::America__Los_Angeles),
    ("SST", Tz::Pacific__Guadalcanal),
    ("VST", Tz::Asia__Ho_Chi_Minh),
];

/// Names without any rule.
const FIXED_HOURS: &[(&str, i32)] = &[
    ("EST", -5),
    ("HST", -10),
    ("MST", -7),
    ("SystemV/AST4", -4),
    ("SystemV/CST6", -6),
    ("SystemV/EST5", -5),
    ("SystemV/HST10", -10),
    ("SystemV/MST7", -7),
    ("SystemV/PST8", -8),
    ("SystemV/YST9", -9),
];

/// Names with the rule of System V.
const SYSTEM_V: &[(&str, i32)] = &[
    ("SystemV/AST4ADT", -4),
    ("SystemV/CST6CDT", -6),
    ("SystemV/EST5EDT", -5),
    ("SystemV/MST7MDT", -7),
    ("SystemV/PST8PDT", -8),
    ("SystemV/YST9YDT", -9),
];

/// Names that Java leaves out.
const UNKNOWN_TO_JAVA: &[&str] = &["GMT+0", "GMT-0", "ROC"];

/// All names, in order.
pub(super) fn all() -> &'static [Entry] {
    static ALL: OnceLock<Vec<Entry>> = OnceLock::new();
    ALL.get_or_init(|| {
        let entry = |id, source| Entry { id, source, table: OnceLock::new() };
        let mut entries: Vec<Entry> =
            FIXED_HOURS.iter().map(|(id, h)| entry(id, Source::Hours(*h))).collect();
        entries.extend(JAVA_ALIASES.iter().map(|(id, tz)| entry(id, Source::Data(*tz))));
        entries.extend(SYSTEM_V.iter().map(|(id, h)| entry(id, Source::SystemV(*h))));
        let own = entries.len();
        for tz in TZ_VARIANTS {
            let id = tz.name();
            if !UNKNOWN_TO_JAVA.contains(&id) && entries[..own].iter().all(|e| e.id != id) {
                entries.push(entry(id, Source::Data(tz)));
            }
        }
        entries.sort_by_key(|entry| entry.id);
        entries
    })
}

/// The place of a name in [`all`].
pub(super) fn find(id: &str) -> Option<u16> {
    all().binary_search_by_key(&id, |entry| entry.id).ok().map(|index| index as u16)
}

/// A name near to `id`.
pub(super) fn closest(id: &str) -> Option<&'static str> {
    // A city alone, or another case, is the commonest slip.
    let lower = id.to_lowercase().replace(' ', "_");
    let same = all().iter().find(|entry| entry.id.to_lowercase() == lower);
    let city = || {
        let tail = format!("/{lower}");
        all().iter().find(|entry| !lower.is_empty() && entry.id.to_lowercase().ends_with(&tail))
    };
    same.or_else(city)
        .map(|entry| entry.id)
        .or_else(|| crate::diag::closest(id, all().iter().map(|entry| entry.id)))
}
