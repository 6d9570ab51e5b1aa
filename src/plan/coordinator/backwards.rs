//! URI templates read backwards: which parts of a date a URI shows, whatever the expressions of the template make of them.
//!
//! A part that is named alone is read off. Of any other expression (`${MONTH + 0}`, `${MONTH lt 7 ? 'h1' : 'h2'}`) the
//! values are worked out for all parts that it names, and looked up.

use std::collections::BTreeMap;

use super::date_parts::DATE_PARTS;
use super::uri::DateParts;
use crate::el::{self, NodeKind, Part, Template};
use crate::time::civil;
use crate::time::series::Series;
use crate::time::{Instant, ProcessingZone};

/// Year, month, day, hour and minute, as far as a URI shows them.
pub(super) type Shown = [Option<i64>; 5];

/// The parts of a date from which an expression is worked out; no dataset begins before 1970.
const LEAST: [i64; 5] = [1970, 1, 1, 0, 0];
const MOST: [i64; 5] = [9999, 12, 31, 23, 59];

/// The last year that is tried of an expression that names other parts too.
const MOST_YEAR_WITH_OTHERS: i64 = 2199;

/// More values of one expression are not worked out.
const MAX_VALUES: i64 = 100_000;

/// More steps of a search are not taken: what one URI may stand for.
const MAX_STEPS: usize = 10_000;

/// A template as it is read backwards.
#[derive(Clone, Debug)]
pub(super) struct Backwards {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug)]
enum Piece {
    Literal(Box<str>),
    /// One part of a date with its usual digits.
    Part(usize),
    /// What an expression gives, and from which parts.
    Values {
        values: BTreeMap<String, Vec<Shown>>,
        longest: usize,
    },
}

impl Backwards {
    /// `None`: an expression names too many parts at once, or does not parse.
    pub(super) fn of(template: &Template) -> Option<Backwards> {
        if template.broken.is_some() {
            return None;
        }
        let piece = |part: &Part| match part {
            Part::Literal { value, .. } => Some(Piece::Literal(value.as_str().into())),
            Part::Expression { root, range, .. } => {
                if let NodeKind::Variable(name) = &template.node(*root).kind
                    && let Some(field) = field_of(name)
                {
                    return Some(Piece::Part(field));
                }
                let (alone, _) = el::parse_for(&template.text.part(range.clone()), template.engine);
                let values = values_of(&alone)?;
                let longest = values.keys().map(String::len).max().unwrap_or(0);
                Some(Piece::Values { values, longest })
            }
        };
        Some(Backwards { pieces: template.parts.iter().map(piece).collect::<Option<_>>()? })
    }

    /// What a URI may show; nothing when it is none of the template's.
    pub(super) fn read(&self, uri: &str) -> Vec<Shown> {
        let mut found: Vec<Shown> = Vec::new();
        // The next piece, where it begins, and what is known by then.
        let mut open: Vec<(usize, usize, Shown)> = vec![(0, 0, [None; 5])];
        for _ in 0..MAX_STEPS {
            let Some((index, from, shown)) = open.pop() else { break };
            let rest = &uri[from..];
            match self.pieces.get(index) {
                None if rest.is_empty() && !found.contains(&shown) => found.push(shown),
                None => {}
                Some(Piece::Literal(text)) => {
                    let is_next = rest.starts_with(&**text);
                    open.extend(is_next.then_some((index + 1, from + text.len(), shown)));
                }
                Some(Piece::Part(field)) => {
                    let digits = if *field == 0 { 4 } else { 2 };
                    let text = rest.get(..digits).filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
                    let number = text.and_then(|text| text.parse().ok());
                    let known = number.and_then(|number| joined(shown, *field, number));
                    open.extend(known.map(|known| (index + 1, from + digits, known)));
                }
                Some(Piece::Values { values, longest }) => {
                    // The longest is tried first: it is taken from the end.
                    for length in 0..=rest.len().min(*longest) {
                        let choices = rest.get(..length).and_then(|text| values.get(text));
                        let known = choices.into_iter().flatten().filter_map(|choice| both(shown, choice));
                        open.extend(known.map(|known| (index + 1, from + length, known)));
                    }
                }
            }
        }
        found
    }
}

/// Which part of a date a name stands for.
fn field_of(name: &str) -> Option<usize> {
    DATE_PARTS.iter().position(|part| *part == name)
}

/// What an expression gives for the parts that it names.
fn values_of(expression: &Template) -> Option<BTreeMap<String, Vec<Shown>>> {
    let mut names: Vec<usize> = expression.variables().filter_map(|(_, name)| field_of(name)).collect();
    names.sort_unstable();
    names.dedup();
    let most = |field: usize| match field {
        0 if names.len() > 1 => MOST_YEAR_WITH_OTHERS,
        field => MOST[field],
    };
    let count: i64 = names.iter().map(|field| most(*field) - LEAST[*field] + 1).product();
    if count > MAX_VALUES {
        return None;
    }
    let mut values: BTreeMap<String, Vec<Shown>> = BTreeMap::new();
    for index in 0..count {
        let (mut rest, mut parts, mut shown) = (index, LEAST, [None; 5]);
        for field in names.iter().rev() {
            let width = most(*field) - LEAST[*field] + 1;
            parts[*field] = LEAST[*field] + rest % width;
            shown[*field] = Some(parts[*field]);
            rest /= width;
        }
        if let Ok(value) = el::evaluate(expression, &DateParts(parts)) {
            values.entry(value.to_text().into_owned()).or_default().push(shown);
        }
    }
    Some(values)
}

/// With one more part, when it does not contradict.
fn joined(mut shown: Shown, field: usize, number: i64) -> Option<Shown> {
    let is_possible = field == 0 || (LEAST[field]..=MOST[field]).contains(&number);
    if !is_possible || shown[field].is_some_and(|known| known != number) {
        return None;
    }
    shown[field] = Some(number);
    Some(shown)
}

fn both(shown: Shown, more: &Shown) -> Option<Shown> {
    let mut all = shown;
    for (known, more) in all.iter_mut().zip(more) {
        match (*known, more) {
            (Some(one), Some(other)) if one != *other => return None,
            (None, Some(other)) => *known = Some(*other),
            _ => {}
        }
    }
    Some(all)
}

/// More stretches of time are not looked through for an instance.
const MAX_STRETCHES: usize = 20_000;

/// The first instance of a series at a time with these parts; `Err`: none has them, and this is the least such time,
/// if there is one at all.
pub(super) fn first(
    series: &Series,
    shown: &Shown,
    zone: ProcessingZone,
) -> Result<Instant, Option<Instant>> {
    let Some(last) = shown.iter().rposition(Option::is_some) else { return Ok(series.initial) };
    let offset = i64::from(zone.offset_minutes());
    let at = |parts: [i64; 5]| {
        let days = civil::day_of_date(parts[0], parts[1], parts[2]);
        Instant::EPOCH.plus_minutes(days * 1440 + parts[3] * 60 + parts[4] - offset)
    };
    let initial_year = civil::Local::at_offset(series.initial, offset * 60_000).date.year;
    let mut least = None;
    let (mut tried, mut parts) = (0, [0; 5]);
    // The parts up to the last one that is shown are counted up like an odometer.
    let first_of =
        |field: usize| shown[field].unwrap_or(if field == 0 { initial_year } else { LEAST[field] });
    let last_of = |field: usize, parts: &[i64; 5]| {
        shown[field].unwrap_or(match field {
            0 => MOST[0],
            2 => i64::from(civil::days_in_month(parts[0], parts[1] as u8)),
            field => MOST[field],
        })
    };
    (0..5).for_each(|field| parts[field] = if field <= last { first_of(field) } else { LEAST[field] });
    loop {
        let is_day = parts[2] <= i64::from(civil::days_in_month(parts[0], parts[1] as u8));
        if is_day {
            let from = at(parts);
            let to = end_of(parts, last, from, &at);
            least = least.or(Some(from));
            if to > series.initial {
                tried += 1;
                if let Some(instance) = first_in(series, from, to) {
                    return Ok(instance);
                }
            }
        }
        let mut field = last;
        loop {
            if parts[field] < last_of(field, &parts) {
                parts[field] += 1;
                break;
            }
            parts[field] = first_of(field);
            let Some(above) = field.checked_sub(1) else { return Err(least) };
            field = above;
        }
        if tried > MAX_STRETCHES {
            return Err(least);
        }
    }
}

/// Where the stretch ends that begins with these parts, the last of them being at `last`.
fn end_of(parts: [i64; 5], last: usize, from: Instant, at: &dyn Fn([i64; 5]) -> Instant) -> Instant {
    match last {
        0 => at([parts[0] + 1, 1, 1, 0, 0]),
        1 if parts[1] == 12 => at([parts[0] + 1, 1, 1, 0, 0]),
        1 => at([parts[0], parts[1] + 1, 1, 0, 0]),
        2 => from.plus_minutes(1440),
        3 => from.plus_minutes(60),
        _ => from.plus_minutes(1),
    }
}

/// The first instance from a time on and before another.
fn first_in(series: &Series, from: Instant, to: Instant) -> Option<Instant> {
    let first = first_from(series, from);
    (first < to).then_some(first)
}

/// The first instance at a time or after it.
pub(super) fn first_from(series: &Series, at: Instant) -> Instant {
    match series.current(at) {
        None => series.initial,
        Some(current) if current.instance >= at => current.instance,
        Some(current) => series.next(current.instance),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::coordinator::uri::UriTemplate;
    use crate::source::{Sources, Span};
    use crate::time::{EndOfDuration, Unit, Zone};

    fn template(text: &str) -> UriTemplate {
        let span = Span::new(Sources::new().add("", ""), 0..0);
        UriTemplate::new(text, span, el::Engine::default(), ProcessingZone::UTC, None)
    }

    fn at(text: &str) -> Instant {
        ProcessingZone::UTC.parse_datetime(text).expect("a datetime").instant
    }

    /// What a template makes of an instance is read back as this instance, or as the first with the same URI.
    #[test]
    fn what_is_written_is_read() {
        let cases = [
            ("/a/${YEAR}/${MONTH + 0}/${DAY + 0}/${HOUR + 0}", "2024-11-12T01:00Z", "2024-11-12T01:00Z"),
            ("/a/${YEAR}${MONTH}${DAY}", "2024-11-12T00:00Z", "2024-11-12T00:00Z"),
            ("/a/${MONTH + 0}${DAY + 0}", "2024-11-01T00:00Z", "2024-01-11T00:00Z"),
            ("/a/${YEAR * 10000 + MONTH * 100 + DAY}/x", "2024-02-29T05:00Z", "2024-02-29T00:00Z"),
            ("/a/${MONTH lt 7 ? 'h1' : 'h2'}-${YEAR - 2000}", "2024-11-12T00:00Z", "2024-07-01T00:00Z"),
            ("/a/${HOUR}", "2024-11-12T07:00Z", "2024-01-10T07:00Z"),
            ("/a/${YEAR}/${DAY}", "2024-11-12T07:00Z", "2024-01-12T00:00Z"),
            ("/a/${MONTH}", "2024-03-12T07:00Z", "2024-03-01T00:00Z"),
            ("/a/${DAY}", "2025-03-09T07:00Z", "2024-02-09T00:00Z"),
        ];
        let hour = Series::new(at("2024-01-10T02:00Z"), 1, Unit::Hour, EndOfDuration::None, Zone::utc());
        for (text, instance, expected) in cases {
            let template = template(text);
            let uri = template.render(at(instance)).expect("a URI");
            let shown =
                Backwards::of(template.compiled().template()).expect("a readable template").read(&uri);
            let found = shown.iter().filter_map(|shown| first(&hour, shown, ProcessingZone::UTC).ok()).min();
            assert_eq!(found, Some(at(expected)), "{text} {uri} {shown:?}");
        }
    }

    #[test]
    fn what_no_instance_has_is_not_read() {
        let template = template("/a/${YEAR}/${MONTH + 0}");
        let backwards = Backwards::of(template.compiled().template()).expect("a readable template");
        for uri in ["/a/2024/13", "/a/2024/01", "/a/2024/1/", "/b/2024/1", "/a/2024/"] {
            assert_eq!(backwards.read(uri), Vec::<Shown>::new(), "{uri}");
        }
        assert_eq!(backwards.read("/a/2024/1"), vec![[Some(2024), Some(1), None, None, None]]);
    }
}
