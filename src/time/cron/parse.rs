//! Reads cron expressions: the only place that names pest for them.
//!
//! Judges as Oozie's `ParamChecker.checkFrequency` and the parser of `org.quartz.CronExpression` do, slips included.

// Pest derives items without docs.
#![allow(missing_docs, reason = "pest's derived rule names carry no documentation")]

use std::ops::Range;

use pest::Parser as _;
use pest::iterators::Pair;

use super::field::{KINDS, Kind, LAST_YEAR, MONTHS, WEEKDAYS};
use super::quartz::{ALL, Quartz, UNSPECIFIED, Values};
use super::{COUNT_RULE, CronError, INVALID_RULE, Suspicion};

#[derive(pest_derive::Parser)]
#[grammar = "../grammar/cron.pest"]
struct CronParser;

/// The longest expression that is read; a server would take more, but no expression needs it.
pub(super) const MAX_LENGTH: usize = 4096;
/// One token: its bytes in the expression and what stands there, in upper case.
#[derive(Clone, Debug)]
struct Token {
    text: String,
    start: usize,
}

impl Token {
    fn unspecified(start: usize) -> Token {
        Token { text: "?".to_owned(), start }
    }
}

/// What is known of an expression once it is read.
#[derive(Debug)]
pub(super) struct Parsed {
    /// One expression, or two of which the earlier time counts.
    pub(super) halves: Vec<Quartz>,
    pub(super) suspicions: Vec<Suspicion>,
    /// The bytes of the five fields.
    pub(super) fields: [Range<usize>; 5],
}

/// Reads an expression.
pub(super) fn parse(text: &str) -> Result<Parsed, CronError> {
    if text.len() > MAX_LENGTH {
        let message = format!("a cron expression has at most {MAX_LENGTH} bytes");
        return Err(CronError { rule: INVALID_RULE, message, offset: 0 });
    }
    let fields = split(text)?;
    let trimmed = |index: usize| java_trim(&text[fields[index].clone()]);
    let (day, weekday) = (trimmed(2), trimmed(4));
    let tokens = |replace_day: bool, replace_weekday: bool| {
        let mut tokens = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            if index == 2 && replace_day || index == 4 && replace_weekday {
                tokens.push(Token::unspecified(field.start));
            } else {
                tokens_of(text, field.clone(), &mut tokens);
            }
        }
        tokens
    };
    // Both are tried at submission, whichever is used later.
    let mut suspicions = Vec::new();
    let by_weekday = quartz(&tokens(weekday != "?", false), text.len(), &mut suspicions)?;
    let by_day = quartz(&tokens(false, day != "?"), text.len(), &mut suspicions)?;
    let halves = match (day, weekday) {
        ("?", _) => vec![by_weekday],
        (_, "?") => vec![by_day],
        ("*", _) => vec![by_weekday],
        (_, "*") => vec![by_day],
        _ => vec![by_weekday, by_day],
    };
    suspicions.sort_by_key(|suspicion| (suspicion.range.start, suspicion.range.end));
    suspicions.dedup();
    Ok(Parsed { halves, suspicions, fields })
}

/// The five fields, as Java's `split(" ")` finds them: blanks at the end do not count.
fn split(text: &str) -> Result<[Range<usize>; 5], CronError> {
    let mut fields = Vec::new();
    let mut start = 0;
    for part in text.trim_end_matches(' ').split(' ') {
        fields.push(start..start + part.len());
        start += part.len() + 1;
    }
    let error = |message: String, offset: usize| CronError { rule: COUNT_RULE, message, offset };
    if let Some(doubled) = fields.iter().find(|field| field.is_empty() && !text.trim().is_empty()) {
        let message = "fields are separated by exactly one blank, and none comes first".to_owned();
        return Err(error(message, doubled.start));
    }
    let count = fields.len();
    fields.try_into().map_err(|fields: Vec<Range<usize>>| {
        let found = if text.trim().is_empty() { 0 } else { count };
        let names = "minutes, hours, days of the month, months, days of the week";
        let offset = fields.get(5).map_or(text.len(), |field| field.start);
        error(format!("a cron expression has five fields ({names}), not {found}"), offset)
    })
}

/// Adds what Quartz takes for tokens in a field: tabs separate them too.
fn tokens_of(text: &str, field: Range<usize>, tokens: &mut Vec<Token>) {
    let mut start = field.start;
    for part in text[field].split('\t') {
        if !part.is_empty() {
            let ahead = part.len() - part.trim_start_matches(|c| c <= ' ').len();
            tokens.push(Token { text: java_trim(part).to_ascii_uppercase(), start: start + ahead });
        }
        start += part.len() + 1;
    }
}

/// Java's `String.trim`.
fn java_trim(text: &str) -> &str {
    text.trim_matches(|c| c <= ' ')
}

/// `CronExpression.buildExpression`, without the field of seconds.
fn quartz(tokens: &[Token], end: usize, suspicions: &mut Vec<Suspicion>) -> Result<Quartz, CronError> {
    let mut builder = Builder { quartz: Quartz::default(), years: Vec::new(), suspicions };
    for (token, kind) in tokens.iter().zip(KINDS) {
        builder.field(token, kind)?;
    }
    let invalid =
        |message: &str, offset| Err(CronError { rule: INVALID_RULE, message: message.to_owned(), offset });
    if tokens.len() < 5 {
        return invalid("the expression ends before all fields are given", end);
    }
    let mut quartz = builder.quartz;
    let years = builder.years;
    if tokens.len() > 5 {
        quartz.years = Some(years);
    }
    let by_day = !quartz.days.contains(UNSPECIFIED);
    let by_weekday = !quartz.weekdays.contains(UNSPECIFIED);
    if by_day == by_weekday {
        return invalid("either the days of the month or those of the week must be given", tokens[2].start);
    }
    Ok(quartz)
}

struct Builder<'a> {
    quartz: Quartz,
    years: Vec<i64>,
    suspicions: &'a mut Vec<Suspicion>,
}

/// Where in the expression a pair stands, and what it is for.
#[derive(Clone, Copy)]
struct Place {
    kind: Kind,
    /// Where the token starts.
    base: usize,
}

impl Place {
    fn range(self, pair: &Pair<'_, Rule>) -> Range<usize> {
        let span = pair.as_span();
        self.base + span.start()..self.base + span.end()
    }

    fn error(self, message: String, pair: &Pair<'_, Rule>) -> CronError {
        CronError { rule: INVALID_RULE, message, offset: self.range(pair).start }
    }
}

impl Builder<'_> {
    fn field(&mut self, token: &Token, kind: Kind) -> Result<(), CronError> {
        let place = Place { kind, base: token.start };
        let list = token.text.contains(',');
        let starts = |c: char| token.text.find(c).map(|at| token.start + at);
        let invalid = |message: &str, offset| {
            Err(CronError { rule: INVALID_RULE, message: message.to_owned(), offset })
        };
        if let (Kind::Day | Kind::Weekday, true, Some(at)) = (kind, list, starts('L')) {
            return invalid("`L` cannot stand in a list", at);
        }
        if kind == Kind::Weekday && token.text.matches('#').count() > 1 {
            return invalid("only one `#` may stand in a field", starts('#').unwrap_or(token.start));
        }
        let parsed = CronParser::parse(Rule::field, &token.text).map_err(|error| {
            let at = match error.location {
                pest::error::InputLocation::Pos(at) => at,
                pest::error::InputLocation::Span((at, _)) => at,
            };
            let message = format!("this cannot be read; {} are {}", kind.name(), kind.allowed());
            CronError { rule: INVALID_RULE, message, offset: token.start + at }
        })?;
        let items: Vec<Pair<'_, Rule>> = parsed
            .flat_map(Pair::into_inner)
            .filter(|pair| pair.as_rule() == Rule::item)
            .flat_map(Pair::into_inner)
            .collect();
        if list && items.len() != token.text.split(',').count() {
            let range = token.start..token.start + token.text.len();
            self.suspect(range, "empty items of the list are ignored".to_owned());
        }
        let several = items.len() > 1;
        for item in items {
            match item.as_rule() {
                Rule::last => self.last(&item, place)?,
                Rule::name => self.name(item, place, several)?,
                Rule::unspecified => self.unspecified(item, place)?,
                Rule::every => self.every(item, place)?,
                Rule::number => self.number(item, place, several)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn suspect(&mut self, range: Range<usize>, message: String) {
        self.suspicions.push(Suspicion { range, message });
    }

    /// What Quartz does not look at.
    fn ignored(&mut self, pair: &Pair<'_, Rule>, place: Place) {
        self.suspect(place.range(pair), format!("`{}` is ignored", pair.as_str()));
    }

    /// `L` and its kin; in fields other than the days nothing is added, and the search crashes.
    fn last(&mut self, item: &Pair<'_, Rule>, place: Place) -> Result<(), CronError> {
        let (mut offset, mut weekday) = (None, false);
        for part in item.clone().into_inner() {
            match part.as_rule() {
                Rule::last_offset => offset = Some(part),
                _ => weekday = true,
            }
        }
        match place.kind {
            Kind::Day => {
                self.quartz.last_day = true;
                if let Some(part) = &offset {
                    let digits = &part.as_str()[1..];
                    if digits.is_empty() && !weekday {
                        return Err(place.error("a number is missing after `L-`".to_owned(), item));
                    }
                    let value = if digits.is_empty() { Some(0) } else { java_int(digits) };
                    match value {
                        Some(value) if value <= 30 => self.quartz.last_day_offset = value,
                        _ => {
                            let message = "at most 30 days lie before the last one".to_owned();
                            return Err(place.error(message, part));
                        }
                    }
                }
                self.quartz.nearest_weekday |= weekday;
            }
            Kind::Weekday => {
                self.quartz.weekdays.insert(7);
                if item.as_str() != "L" {
                    self.suspect(place.range(item), "this is read as Saturday".to_owned());
                }
            }
            _ => {
                let message =
                    format!("`{}` means nothing in {}: the field is empty", item.as_str(), place.kind.name());
                self.suspect(place.range(item), message);
            }
        }
        Ok(())
    }

    fn name(&mut self, item: Pair<'_, Rule>, place: Place, several: bool) -> Result<(), CronError> {
        let whole = item.clone();
        let names: &[&str] = match place.kind {
            Kind::Month => &MONTHS,
            Kind::Weekday => &WEEKDAYS,
            kind => {
                let message = format!("{} have no names; they are {}", kind.name(), kind.allowed());
                return Err(place.error(message, &item));
            }
        };
        let number_of = |pair: &Pair<'_, Rule>| {
            names.iter().position(|name| *name == pair.as_str()).map(|index| index as i64 + 1).ok_or_else(
                || {
                    let message = format!(
                        "`{}` is not among the {}: {}",
                        pair.as_str(),
                        place.kind.name(),
                        names.join(", ")
                    );
                    place.error(message, pair)
                },
            )
        };
        let mut parts = item.into_inner();
        let Some(first) = parts.next() else { return Ok(()) };
        let start = number_of(&first)?;
        let mut end = None;
        for part in parts {
            match (part.as_rule(), place.kind) {
                (Rule::name_range, _) => {
                    for inner in part.into_inner() {
                        match inner.as_rule() {
                            Rule::three => end = Some(number_of(&inner)?),
                            _ => self.ignored(&inner, place),
                        }
                    }
                }
                (Rule::nth, Kind::Weekday) => self.nth(&part, place, several)?,
                (Rule::name_last, Kind::Weekday) => {
                    self.quartz.last_weekday = true;
                    part.into_inner().for_each(|rest| self.ignored(&rest, place));
                }
                _ => self.ignored(&part, place),
            }
        }
        let step = i64::from(end.is_some());
        self.add(start, end, step, place, &whole)
    }

    fn nth(&mut self, part: &Pair<'_, Rule>, place: Place, several: bool) -> Result<(), CronError> {
        let count = java_int(&part.as_str()[1..])
            .filter(|count| (1..=5).contains(count))
            .ok_or_else(|| place.error("a number from 1 to 5 must follow `#`".to_owned(), part))?;
        self.quartz.nth_weekday = count;
        if several {
            let message = "with `#`, only the first weekday of the list counts".to_owned();
            self.suspect(place.range(part), message);
        }
        Ok(())
    }

    fn unspecified(&mut self, item: Pair<'_, Rule>, place: Place) -> Result<(), CronError> {
        let whole = item.clone();
        for rest in item.into_inner() {
            if rest.as_str().chars().count() > 1 {
                return Err(place.error("nothing may follow `?`".to_owned(), &rest));
            }
            self.ignored(&rest, place);
        }
        if !matches!(place.kind, Kind::Day | Kind::Weekday) {
            let message = "`?` may only stand for the days of the month or of the week".to_owned();
            return Err(place.error(message, &whole));
        }
        if place.kind == Kind::Weekday && !self.quartz.last_day {
            let message = match self.quartz.days.last() {
                None => Some("the days of the month are empty"),
                Some(UNSPECIFIED) => Some("`?` may not stand for both the days of the month and of the week"),
                Some(_) => None,
            };
            if let Some(message) = message {
                return Err(place.error(message.to_owned(), &whole));
            }
        }
        self.set(place.kind, UNSPECIFIED);
        Ok(())
    }

    fn every(&mut self, item: Pair<'_, Rule>, place: Place) -> Result<(), CronError> {
        let whole = item.clone();
        let mut step = 1;
        for part in item.into_inner() {
            if part.as_rule() != Rule::every_step {
                self.ignored(&part, place);
                continue;
            }
            step = java_int(part.as_str())
                .ok_or_else(|| place.error("`/` must be followed by a number".to_owned(), &part))?;
            check_step(step, place, &part)?;
            if step <= 0 {
                let message = format!("a step of {step} is read as 1");
                self.suspect(place.range(&part), message);
            }
        }
        // Quartz takes a `*` without a step for all, and marks it.
        if whole.as_str() == "*" || step <= 0 {
            self.set(place.kind, ALL);
            step = 1;
        }
        self.fill(place.kind.low(), place.kind.high(), step, place.kind);
        Ok(())
    }

    fn number(&mut self, item: Pair<'_, Rule>, place: Place, several: bool) -> Result<(), CronError> {
        let whole = item.clone();
        let number = |pair: &Pair<'_, Rule>| {
            java_int(pair.as_str()).ok_or_else(|| place.error("the number is too large".to_owned(), pair))
        };
        let mut parts = item.into_inner();
        let Some(first) = parts.next() else { return Ok(()) };
        let value = number(&first)?;
        let Some(tail) = parts.next() else {
            if place.kind == Kind::Weekday && value == 1 {
                self.suspect(place.range(&whole), "1 is Sunday; Monday is `2` or `MON`".to_owned());
            }
            return self.add(value, None, -1, place, &whole);
        };
        match tail.as_rule() {
            Rule::weekday_last => {
                if place.kind != Kind::Weekday {
                    let message = "`L` after a number is for days of the week".to_owned();
                    return Err(place.error(message, &tail));
                }
                if !(1..=7).contains(&value) {
                    return Err(place.error("days of the week are 1 (Sunday) to 7".to_owned(), &first));
                }
                self.quartz.last_weekday = true;
                self.set(place.kind, value);
                if several {
                    let message = "with `L`, only the first weekday of the list counts".to_owned();
                    self.suspect(place.range(&tail), message);
                }
                tail.into_inner().for_each(|rest| self.ignored(&rest, place));
            }
            Rule::weekday_near => {
                if place.kind != Kind::Day {
                    return Err(place.error("`W` is for days of the month".to_owned(), &tail));
                }
                if value > 31 {
                    return Err(place.error("no month has so many days".to_owned(), &first));
                }
                self.quartz.nearest_weekday = true;
                self.set(place.kind, value);
                if value == 0 {
                    self.suspect(place.range(&first), "day 0: a server's search never ends".to_owned());
                }
                if several {
                    let message = "with `W`, only the first day of the list counts".to_owned();
                    self.suspect(place.range(&tail), message);
                }
                tail.into_inner().for_each(|rest| self.ignored(&rest, place));
            }
            Rule::nth => {
                if place.kind != Kind::Weekday {
                    return Err(place.error("`#` is for days of the week".to_owned(), &tail));
                }
                self.nth(&tail, place, several)?;
                self.set(place.kind, value);
                if !(1..=7).contains(&value) {
                    self.suspect(place.range(&first), "no day of the week has this number".to_owned());
                }
            }
            Rule::range => {
                let (mut end, mut step) = (value, 1);
                for (index, part) in tail.into_inner().enumerate() {
                    match (part.as_rule(), index) {
                        (Rule::value, 0) => end = number(&part)?,
                        (Rule::value, _) => step = number(&part)?,
                        _ => self.ignored(&part, place),
                    }
                }
                if place.kind == Kind::Weekday && (value, end) == (1, 5) {
                    let message =
                        "this is Sunday to Thursday; Monday to Friday is `2-6` or `MON-FRI`".to_owned();
                    self.suspect(place.range(&whole), message);
                }
                if step > place.kind.size() {
                    self.suspect(place.range(&whole), "the step leaves only the first value".to_owned());
                }
                self.add(value, Some(end), step, place, &whole)?;
            }
            Rule::step => {
                let mut inner = tail.clone().into_inner();
                let Some(part) = inner.next() else { return Ok(()) };
                let step = number(&part)?;
                if let Some(rest) = inner.next() {
                    if part.as_str().len() == 1 {
                        return Err(place.error(format!("`{}` cannot follow the step", rest.as_str()), &rest));
                    }
                    self.ignored(&rest, place);
                }
                check_step(step, place, &part)?;
                self.add(value, None, step, place, &whole)?;
                if step == 0 || value + step > place.kind.high() {
                    let message =
                        format!("only {value} comes of this: the step leads past {}", place.kind.high());
                    self.suspect(place.range(&whole), message);
                }
            }
            _ => {
                self.ignored(&tail, place);
                self.add(value, None, 0, place, &whole)?;
            }
        }
        Ok(())
    }

    /// `CronExpression.addToSet` for what is no `*` and no `?`. A `step` of 0 or -1: the value alone.
    fn add(
        &mut self,
        value: i64,
        end: Option<i64>,
        step: i64,
        place: Place,
        item: &Pair<'_, Rule>,
    ) -> Result<(), CronError> {
        let kind = place.kind;
        // 98 and 99 are Quartz's marks for `?` and `*`, and let through where they are allowed.
        let marked = value == ALL || value == UNSPECIFIED && matches!(kind, Kind::Day | Kind::Weekday);
        let outside = value < kind.low() || value > kind.high() || end.is_some_and(|end| end > kind.high());
        if outside && !marked && kind != Kind::Year {
            let message = format!("{} are {}", kind.name(), kind.allowed());
            return Err(place.error(message, item));
        }
        if step <= 0 && value != ALL {
            self.set(kind, value);
            return Ok(());
        }
        if step <= 0 {
            self.set(kind, ALL);
        }
        let step = step.max(1);
        let start = if value == ALL { kind.low() } else { value };
        let stop = end.unwrap_or(kind.high());
        if stop >= start {
            self.fill(start, stop, step, kind);
            return Ok(());
        }
        if kind == Kind::Year {
            return Err(place.error("the first year must be less than the last".to_owned(), item));
        }
        self.suspect(place.range(item), format!("the range goes round the end of the {}", kind.name()));
        let size = kind.size();
        for value in (start..=stop + size).step_by(step as usize) {
            let value = value % size;
            self.set(kind, if value == 0 && kind.low() == 1 { size } else { value });
        }
        Ok(())
    }

    fn fill(&mut self, start: i64, stop: i64, step: i64, kind: Kind) {
        for value in (start..=stop.min(LAST_YEAR)).step_by(step as usize) {
            self.set(kind, value);
        }
    }

    fn set(&mut self, kind: Kind, value: i64) {
        let values: &mut Values = match kind {
            Kind::Minute => &mut self.quartz.minutes,
            Kind::Hour => &mut self.quartz.hours,
            Kind::Day => &mut self.quartz.days,
            Kind::Month => &mut self.quartz.months,
            Kind::Weekday => &mut self.quartz.weekdays,
            Kind::Year => {
                if let Err(at) = self.years.binary_search(&value) {
                    self.years.insert(at, value);
                }
                return;
            }
        };
        values.insert(value);
    }
}

/// `CronExpression.checkIncrementRange`.
fn check_step(step: i64, place: Place, part: &Pair<'_, Rule>) -> Result<(), CronError> {
    let most = match place.kind {
        Kind::Minute => 59,
        Kind::Hour => 23,
        Kind::Day => 31,
        Kind::Month => 12,
        Kind::Weekday => 7,
        Kind::Year => i64::MAX,
    };
    if step > most {
        return Err(place.error(format!("the step in {} is at most {most}", place.kind.name()), part));
    }
    Ok(())
}

/// Java's `Integer.parseInt`.
fn java_int(text: &str) -> Option<i64> {
    text.parse::<i32>().ok().map(i64::from)
}
