//! URI templates of datasets: read once, rendered for each instance.
//!
//! A template sees YEAR, MONTH, DAY, HOUR and MINUTE of the instance in the processing timezone and nothing else
//! (`CoordELEvaluator.createURIELEvaluator`).

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::backwards::{Backwards, Shown};
use super::date_parts::DATE_PARTS;
use super::hcat::HcatUri;
use super::template::Compiled;
use super::uri_syntax;
use crate::el::{
    self, Engine, EvalError, Failure, Function, NodeKind, Outcome, Part, Signature, Value, World,
};
use crate::source::Span;
use crate::time::civil::{self, Local};
use crate::time::{Instant, ProcessingZone};

/// A template whose parameters are resolved.
#[derive(Clone, Debug)]
pub(super) struct UriTemplate {
    compiled: Compiled,
    /// The parts, when every expression is one of the five variables.
    pieces: Option<Vec<Piece>>,
    has_plain_date: bool,
    /// How it is read backwards, once somebody has asked.
    backwards: OnceLock<Option<Backwards>>,
    processing: ProcessingZone,
    schemes: Option<Vec<String>>,
}

#[derive(Clone, Debug)]
enum Piece {
    Literal(Box<str>),
    Year,
    Month,
    Day,
    Hour,
    Minute,
}

/// Why an instance has no URI.
#[derive(Clone, Debug)]
pub(super) struct UriProblem {
    /// The server's codes.
    pub(super) codes: &'static [&'static str],
    pub(super) message: String,
    /// When the template itself fails.
    pub(super) error: Option<Box<EvalError>>,
}

impl fmt::Display for UriProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl UriTemplate {
    /// Reads a template; `span` is where it is written.
    pub(super) fn new(
        text: &str,
        span: Span,
        engine: Engine,
        processing: ProcessingZone,
        schemes: Option<Vec<String>>,
    ) -> UriTemplate {
        let compiled = Compiled::computed(text, span, engine);
        let template = compiled.template();
        let piece = |part: &Part| match part {
            Part::Literal { value, .. } => Some(Piece::Literal(value.as_str().into())),
            Part::Expression { root, .. } => match &template.node(*root).kind {
                NodeKind::Variable(name) => match &**name {
                    "YEAR" => Some(Piece::Year),
                    "MONTH" => Some(Piece::Month),
                    "DAY" => Some(Piece::Day),
                    "HOUR" => Some(Piece::Hour),
                    "MINUTE" => Some(Piece::Minute),
                    _ => None,
                },
                _ => None,
            },
        };
        let readable = template.broken.is_none();
        let pieces = template.parts.iter().map(piece).collect::<Option<Vec<_>>>().filter(|_| readable);
        let has_plain_date = pieces.as_deref().is_some_and(is_plain_date);
        UriTemplate { compiled, pieces, has_plain_date, backwards: OnceLock::new(), processing, schemes }
    }

    pub(super) fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    /// The URI of an instance.
    pub(super) fn render(&self, at: Instant) -> Result<String, UriProblem> {
        let mut uri = String::with_capacity(self.compiled.text().value.len() + 8);
        self.write(at, &mut uri)?;
        self.check(&uri)?;
        Ok(uri)
    }

    /// The URI at the end of `uri`, not checked.
    fn write(&self, at: Instant, uri: &mut String) -> Result<(), UriProblem> {
        let local = Local::at_offset(at, i64::from(self.processing.offset_minutes()) * 60_000);
        if let Some(pieces) = &self.pieces {
            pieces.iter().for_each(|piece| piece.write(local, uri));
            return Ok(());
        }
        let date = local.date;
        let (month, day) = (i64::from(date.month), i64::from(date.day));
        let parts =
            DateParts([year_of_era(local), month, day, i64::from(local.hour), i64::from(local.minute)]);
        let value = el::evaluate(self.compiled.template(), &parts).map_err(|error| UriProblem {
            codes: &["E1004"],
            message: error.message.clone(),
            error: Some(Box::new(error)),
        })?;
        uri.push_str(&value.to_text());
        Ok(())
    }

    /// With what every URI of this template begins; nothing where that is not known.
    pub(super) fn head(&self) -> &str {
        match self.pieces.as_ref().and_then(|pieces| pieces.first()) {
            Some(Piece::Literal(text)) => text,
            _ => "",
        }
    }

    /// The first time that a URI of this template can stand for: what it does not show is the least. `Some(None)`: the
    /// URI shows no time. `None`: the URI is none of this template's, or what it shows is not all it takes to know a time,
    /// and [`UriTemplate::shown`] says more.
    pub(super) fn time_in(&self, uri: &str) -> Option<Option<Instant>> {
        let mut rest = uri;
        // Year, month, day, hour, minute.
        let mut found: [Option<i64>; 5] = [None; 5];
        for piece in self.pieces.as_ref()? {
            let (field, digits) = match piece {
                Piece::Literal(text) => {
                    rest = rest.strip_prefix(&**text)?;
                    continue;
                }
                Piece::Year => (0, 4),
                Piece::Month => (1, 2),
                Piece::Day => (2, 2),
                Piece::Hour => (3, 2),
                Piece::Minute => (4, 2),
            };
            let shown = rest.get(..digits).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
            let number = shown.parse::<i64>().ok()?;
            if found[field].is_some_and(|before| before != number) {
                return None;
            }
            found[field] = Some(number);
            rest = &rest[digits..];
        }
        let Some(year) = found[0] else {
            return (rest.is_empty() && found.iter().all(Option::is_none)).then_some(None);
        };
        // What lies between parts that it shows is shown too.
        if found.windows(2).any(|pair| pair[0].is_none() && pair[1].is_some()) {
            return None;
        }
        let (month, day) = (found[1].unwrap_or(1), found[2].unwrap_or(1));
        let (hour, minute) = (found[3].unwrap_or(0), found[4].unwrap_or(0));
        if !rest.is_empty() || !(1..=12).contains(&month) || hour > 23 || minute > 59 {
            return None;
        }
        if !(1..=i64::from(civil::days_in_month(year, month as u8))).contains(&day) {
            return None;
        }
        let minutes = civil::day_of_date(year, month, day) * 24 * 60 + hour * 60 + minute;
        Some(Some(Instant::EPOCH.plus_minutes(minutes - i64::from(self.processing.offset_minutes()))))
    }

    /// Which parts of a date a URI of this template shows, in each way in which it can be read. `None`: the template
    /// cannot be read backwards.
    pub(super) fn shown(&self, uri: &str) -> Option<Vec<Shown>> {
        let backwards = self.backwards.get_or_init(|| Backwards::of(self.compiled.template()));
        backwards.as_ref().map(|backwards| backwards.read(uri))
    }

    /// Whether all that it shows is a date from its year on, each part as it stands: then [`UriTemplate::time_in`] knows
    /// all there is to know.
    pub(super) fn has_plain_date(&self) -> bool {
        self.has_plain_date
    }

    /// The processing timezone, in which parts of dates are shown.
    pub(super) fn processing(&self) -> ProcessingZone {
        self.processing
    }

    /// Whether an instance has this URI.
    pub(super) fn is_of(&self, at: Instant, uri: &str) -> bool {
        let mut written = String::with_capacity(uri.len());
        self.write(at, &mut written).is_ok() && written == uri
    }

    /// `URIHandlerService.getURIHandler` and `URIHandler.validate`.
    fn check(&self, uri: &str) -> Result<(), UriProblem> {
        let problem =
            |codes: &'static [&'static str], message: String| UriProblem { codes, message, error: None };
        let scheme = uri_syntax::check(uri).map_err(|e| {
            problem(&["E0902"], format!("`{uri}` is no URI: at byte {}, {}", e.offset, e.message))
        })?;
        match scheme {
            Some("hcat") => {
                let parsed = HcatUri::parse(uri);
                parsed
                    .map(|_| ())
                    .map_err(|e| problem(&["E0906"], format!("`{uri}` is no catalogue URI: {e}")))
            }
            Some(scheme) if self.schemes.as_ref().is_some_and(|known| !known.iter().any(|s| s == scheme)) => {
                Err(problem(&["E0904"], format!("the server handles no `{scheme}` URIs")))
            }
            _ => Ok(()),
        }
    }

    /// `URIHandlerService.getAuthorityWithScheme` of the template as it is written.
    pub(super) fn check_authority(&self) -> Result<(), UriProblem> {
        let text = &self.compiled.text().value;
        let Some(at) = text.find("://") else { return Ok(()) };
        let authority = if text.contains(":///") {
            &text[..at + 4]
        } else {
            let from = (at + 4).min(text.len());
            let from = (from..=text.len()).find(|i| text.is_char_boundary(*i)).unwrap_or(text.len());
            text[from..].find('/').map_or(text.as_str(), |slash| &text[..from + slash])
        };
        uri_syntax::check(authority).map(|_| ()).map_err(|e| UriProblem {
            codes: &["E0906"],
            message: format!("`{authority}` is no URI: at byte {}, {}", e.offset, e.message),
            error: None,
        })
    }

    /// What must exist for a URI (`URIHandler.getURIWithDoneFlag`).
    pub(super) fn with_done_flag(&self, uri: &str, done_flag: &str) -> String {
        if done_flag.is_empty() || is_hcat(uri) { uri.to_owned() } else { format!("{uri}/{done_flag}") }
    }
}

/// Whether a URI belongs to the catalogue.
pub(super) fn is_hcat(uri: &str) -> bool {
    uri.starts_with("hcat:")
}

impl Piece {
    fn write(&self, local: Local, out: &mut String) {
        let number = match self {
            Piece::Literal(text) => return out.push_str(text),
            Piece::Year => {
                let year = year_of_era(local);
                if !(1000..=9999).contains(&year) {
                    return out.push_str(&year.to_string());
                }
                two((year / 100) as u8, out);
                (year % 100) as u8
            }
            Piece::Month => local.date.month,
            Piece::Day => local.date.day,
            Piece::Hour => local.hour,
            Piece::Minute => local.minute,
        };
        two(number, out);
    }
}

/// Whether no part of a date stands without the larger ones.
fn is_plain_date(pieces: &[Piece]) -> bool {
    let shows = |wanted: fn(&Piece) -> bool| pieces.iter().any(wanted);
    let shown = [
        shows(|piece| matches!(piece, Piece::Year)),
        shows(|piece| matches!(piece, Piece::Month)),
        shows(|piece| matches!(piece, Piece::Day)),
        shows(|piece| matches!(piece, Piece::Hour)),
        shows(|piece| matches!(piece, Piece::Minute)),
    ];
    shown.windows(2).all(|pair| pair[0] || !pair[1])
}

fn two(number: u8, out: &mut String) {
    out.push(char::from(b'0' + number / 10));
    out.push(char::from(b'0' + number % 10));
}

fn year_of_era(local: Local) -> i64 {
    if local.date.year > 0 { local.date.year } else { 1 - local.date.year }
}

/// The five variables of a template that does more than name them: year, month, day, hour, minute.
pub(super) struct DateParts(pub(super) [i64; 5]);

impl World for DateParts {
    fn variable(&self, name: &str) -> Option<Value<'_>> {
        match DATE_PARTS.iter().position(|part| *part == name)? {
            0 => Some(Value::Long(self.0[0])),
            field => Some(Value::from(format!("{:02}", self.0[field]))),
        }
    }

    fn function(&self, prefix: &str, name: &str) -> Function {
        match crate::model::functions::find(prefix, name) {
            Some(definition) => Function::Elsewhere(&definition.signature),
            None => Function::Unknown,
        }
    }

    fn call<'a>(&'a self, function: &'static Signature, _: Vec<Value<'a>>) -> Result<Outcome<'a>, Failure> {
        Err(Failure::new("ELException", format!("`{}` does not exist at this place", function.full_name())))
    }
}

/// A rendered instance.
#[derive(Clone, Debug)]
pub(super) struct Rendered {
    pub(super) uri: Arc<str>,
    /// What must exist.
    pub(super) with_flag: Arc<str>,
    /// `#` separates instances, so one within a URI separates it too.
    pub(super) has_separator: bool,
}

/// How many rendered instances of one event are kept at hand.
const SLOTS: usize = 1024;

/// Rendered instances by their minute; a newer one of the same slot replaces an older.
#[derive(Debug, Default)]
pub(super) struct UriCache {
    slots: Vec<Option<(i64, Rendered)>>,
    buffer: String,
    /// Where instances differ in digits only, what holds for one holds for all.
    is_checked: bool,
}

impl UriCache {
    /// The URI of an instance, from the cache where it lies there.
    pub(super) fn get(
        &mut self,
        template: &UriTemplate,
        done_flag: Option<&str>,
        at: Instant,
    ) -> Result<Rendered, UriProblem> {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, None);
        }
        let minute = at.minutes();
        let slot = (minute.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64) as u64 >> 54) as usize % SLOTS;
        if let Some((found, rendered)) = &self.slots[slot]
            && *found == minute
        {
            return Ok(rendered.clone());
        }
        self.buffer.clear();
        template.write(at, &mut self.buffer)?;
        if !self.is_checked {
            template.check(&self.buffer)?;
            self.is_checked = template.pieces.is_some();
        }
        let uri: Arc<str> = self.buffer.as_str().into();
        let with_flag = match done_flag {
            Some(flag) if !flag.is_empty() && !is_hcat(&uri) => {
                self.buffer.push('/');
                self.buffer.push_str(flag);
                self.buffer.as_str().into()
            }
            _ => uri.clone(),
        };
        let has_separator = uri.contains('#');
        let rendered = Rendered { uri, with_flag, has_separator };
        self.slots[slot] = Some((minute, rendered.clone()));
        Ok(rendered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    #[test]
    fn templates_are_read_backwards() {
        let span = Span::new(Sources::new().add("", ""), 0..0);
        let template = |text| UriTemplate::new(text, span, Engine::default(), ProcessingZone::UTC, None);
        let at = |text: &str| ProcessingZone::UTC.parse_datetime(text).unwrap().instant;
        let hourly = template("hdfs://nn/${YEAR}/${MONTH}${DAY}/${HOUR}");
        assert_eq!(hourly.time_in("hdfs://nn/2024/0229/07"), Some(Some(at("2024-02-29T07:00Z"))));
        assert!(hourly.is_of(at("2024-02-29T07:00Z"), "hdfs://nn/2024/0229/07"));
        for other in
            ["hdfs://nn/2024/0230/07", "hdfs://nn/2024/0229/7", "hdfs://nn/2024/0229/07/x", "hdfs://n"]
        {
            assert_eq!(hourly.time_in(other), None, "{other}");
        }
        let monthly = template("/a/${YEAR}-${MONTH}/${YEAR}");
        assert_eq!(monthly.time_in("/a/2024-03/2024"), Some(Some(at("2024-03-01T00:00Z"))));
        assert_eq!(monthly.time_in("/a/2024-03/2025"), None);
        assert_eq!(template("/constant").time_in("/constant"), Some(None));
    }
}
