//! Reading a table of TOML key by key: wrong types and unknown keys become faults with their place.

use std::cell::RefCell;
use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::diag::closest;
use crate::time::{Instant, ProcessingZone};

/// What is wrong with a scenario, and where in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What, and what would be right.
    pub message: String,
    /// The bytes that say it.
    pub range: Range<usize>,
}

/// A value with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// The bytes that say it.
    pub range: Range<usize>,
}

/// The faults that were found so far.
#[derive(Debug, Default)]
pub(super) struct Faults(RefCell<Vec<Fault>>);

impl Faults {
    pub(super) fn add(&self, message: impl Into<String>, range: &Range<usize>) {
        self.0.borrow_mut().push(Fault { message: message.into(), range: range.clone() });
    }

    /// All of them in the order of the text.
    pub(super) fn finish(self) -> Vec<Fault> {
        let mut faults = self.0.into_inner();
        faults.sort_by_key(|fault| fault.range.start);
        faults
    }

    /// Says that a name is none of those that are known.
    pub(super) fn unknown<'n>(
        &self,
        what: &str,
        name: &Placed<String>,
        known: impl Iterator<Item = &'n str> + Clone,
    ) {
        let found = &name.value;
        let hint = match closest(found, known.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let names: Vec<_> = known.map(|name| format!("`{name}`")).collect();
                if names.is_empty() {
                    "there is none".to_owned()
                } else {
                    format!("there are {}", names.join(", "))
                }
            }
        };
        self.add(format!("there is no {what} `{found}`; {hint}"), &name.range);
    }
}

/// A table that is being read.
pub(super) struct Table<'t> {
    entries: &'t DeTable<'t>,
    /// Where its header stands, for faults of the table as a whole.
    pub(super) range: Range<usize>,
    known: Vec<&'static str>,
    pub(super) faults: &'t Faults,
    pub(super) zone: ProcessingZone,
}

impl<'t> Table<'t> {
    pub(super) fn new(
        entries: &'t DeTable<'t>,
        range: Range<usize>,
        faults: &'t Faults,
        zone: ProcessingZone,
    ) -> Table<'t> {
        Table { entries, range, known: Vec::new(), faults, zone }
    }

    fn get(&mut self, key: &'static str) -> Option<(&'t DeValue<'t>, Range<usize>)> {
        self.known.push(key);
        let found = self.entries.iter().find(|(name, _)| name.get_ref() == key);
        found.map(|(_, value)| (value.get_ref(), value.span()))
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|(name, _)| name.get_ref() == key)
    }

    /// Where a key stands.
    pub(super) fn key_range(&self, key: &str) -> Range<usize> {
        let found = self.entries.keys().find(|name| name.get_ref() == key);
        found.map_or_else(|| self.range.clone(), |name| name.span())
    }

    fn wrong(&self, key: &str, wanted: &str, found: &DeValue<'_>, range: &Range<usize>) {
        let found = match found {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a datetime of TOML",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.faults.add(format!("`{key}` is {wanted}, not {found}"), range);
    }

    pub(super) fn text(&mut self, key: &'static str) -> Option<Placed<String>> {
        self.text_that_is(key, "a text")
    }

    fn text_that_is(&mut self, key: &'static str, wanted: &str) -> Option<Placed<String>> {
        let (value, range) = self.get(key)?;
        match value {
            DeValue::String(text) => Some(Placed { value: text.to_string(), range }),
            other => {
                self.wrong(key, wanted, other, &range);
                None
            }
        }
    }

    pub(super) fn boolean(&mut self, key: &'static str) -> Option<bool> {
        let (value, range) = self.get(key)?;
        match value {
            DeValue::Boolean(value) => Some(*value),
            other => {
                self.wrong(key, "true or false", other, &range);
                None
            }
        }
    }

    /// A whole number of at least `least`.
    pub(super) fn integer(&mut self, key: &'static str, least: i64, most: i64) -> Option<Placed<i64>> {
        let (value, range) = self.get(key)?;
        let DeValue::Integer(number) = value else {
            self.wrong(key, "a whole number", value, &range);
            return None;
        };
        match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(value) if (least..=most).contains(&value) => Some(Placed { value, range }),
            _ => {
                let wanted = if most == i64::MAX {
                    format!("at least {least}")
                } else {
                    format!("from {least} to {most}")
                };
                self.faults.add(format!("`{key}` is {wanted}"), &range);
                None
            }
        }
    }

    /// A part of one, in millionths: from above 0 to 1.
    pub(super) fn chance(&mut self, key: &'static str) -> Option<u32> {
        let (value, range) = self.get(key)?;
        let number = match value {
            DeValue::Float(number) => number.as_str().parse::<f64>().ok(),
            DeValue::Integer(number) => number.as_str().parse::<f64>().ok(),
            other => {
                self.wrong(key, "a number from 0 to 1", other, &range);
                return None;
            }
        };
        match number.filter(|number| *number > 0.0 && *number <= 1.0) {
            Some(number) => Some((number * 1_000_000.0).round().max(1.0) as u32),
            None => {
                self.faults.add(format!("`{key}` is a number above 0, and at most 1"), &range);
                None
            }
        }
    }

    pub(super) fn instant(&mut self, key: &'static str) -> Option<Placed<Instant>> {
        let form = format!("2024-01-01T00:00{}", self.zone.suffix());
        let text = self.text_that_is(key, &format!("a datetime in quotes, such as \"{form}\""))?;
        match self.zone.parse_datetime(&text.value) {
            Ok(parsed) => Some(Placed { value: parsed.instant, range: text.range }),
            Err(error) => {
                let message = format!("`{}` is no datetime such as `{form}`: {}", text.value, error.reason);
                self.faults.add(message, &text.range);
                None
            }
        }
    }

    /// A list of texts.
    pub(super) fn texts(&mut self, key: &'static str) -> Option<Vec<Placed<String>>> {
        let (value, range) = self.get(key)?;
        let DeValue::Array(array) = value else {
            self.wrong(key, "a list of texts", value, &range);
            return None;
        };
        let mut texts = Vec::new();
        for item in array.iter() {
            match item.get_ref() {
                DeValue::String(text) => texts.push(Placed { value: text.to_string(), range: item.span() }),
                other => self.wrong(key, "a list of texts", other, &item.span()),
            }
        }
        Some(texts)
    }

    /// A text, or a table in braces.
    pub(super) fn text_or_table(
        &mut self,
        key: &'static str,
        wanted: &str,
    ) -> Option<Result<Placed<String>, Table<'t>>> {
        let (value, range) = self.get(key)?;
        match value {
            DeValue::String(text) => Some(Ok(Placed { value: text.to_string(), range })),
            DeValue::Table(table) => Some(Err(Table::new(table, range, self.faults, self.zone))),
            other => {
                self.wrong(key, wanted, other, &range);
                None
            }
        }
    }

    /// A table of its own.
    pub(super) fn table(&mut self, key: &'static str) -> Option<Table<'t>> {
        let (value, range) = self.get(key)?;
        match value {
            DeValue::Table(table) => Some(Table::new(table, range, self.faults, self.zone)),
            other => {
                self.wrong(key, &format!("a table: `[{key}]`"), other, &range);
                None
            }
        }
    }

    /// The tables `[[key]]`.
    pub(super) fn tables(&mut self, key: &'static str) -> Vec<Table<'t>> {
        let Some((value, range)) = self.get(key) else { return Vec::new() };
        let wanted = format!("a list of tables: `[[{key}]]`");
        let DeValue::Array(array) = value else {
            self.wrong(key, &wanted, value, &range);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in array.iter() {
            match item.get_ref() {
                DeValue::Table(table) => tables.push(Table::new(table, item.span(), self.faults, self.zone)),
                other => self.wrong(key, &wanted, other, &item.span()),
            }
        }
        tables
    }

    /// Names and values of a table whose keys are the user's own.
    pub(super) fn entries(&self) -> impl Iterator<Item = (Placed<String>, &'t DeValue<'t>, Range<usize>)> {
        self.entries.iter().map(|(name, value)| {
            let key = Placed { value: name.get_ref().to_string(), range: name.span() };
            (key, value.get_ref(), value.span())
        })
    }

    /// Says which keys nobody has asked for.
    pub(super) fn finish(self) {
        for name in self.entries.keys() {
            let key = name.get_ref();
            if !self.known.contains(&&**key) {
                let hint = match closest(key, self.known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => {
                        let known: Vec<_> = self.known.iter().map(|name| format!("`{name}`")).collect();
                        format!("there are {}", known.join(", "))
                    }
                };
                self.faults.add(format!("there is no key `{key}` here; {hint}"), &name.span());
            }
        }
    }
}
