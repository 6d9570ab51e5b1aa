//! Resolves single texts at submission and gathers what is wrong with them.

use super::findings::{DATETIME_INVALID, TIMEZONE_UNKNOWN};
use super::scope::Scope;
use super::settings::Settings;
use super::template::{Compiled, Place};
use super::variables::Variables;
use crate::diag::{Diagnostic, Edit, Stage, closest};
use crate::model::functions::Phase;
use crate::plan::end_of_day;
use crate::plan::near_datetime::{datetime_help, near_datetime};
use crate::source::{Span, Text};
use crate::time::{EndOfDuration, Instant, TimeUnit, Zone};

/// The unit of a frequency or timeout.
pub(super) type Period = Option<(TimeUnit, EndOfDuration)>;

/// A submission under way.
pub(super) struct Resolver<'a> {
    pub(super) settings: &'a Settings,
    pub(super) variables: &'a Variables,
    pub(super) findings: Vec<Diagnostic>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(settings: &'a Settings, variables: &'a Variables) -> Resolver<'a> {
        Resolver { settings, variables, findings: Vec::new() }
    }

    pub(super) fn report(&mut self, finding: Diagnostic) {
        self.findings.push(finding);
    }

    pub(super) fn scope(&self, phase: Phase) -> Scope<'a> {
        Scope::new(phase, self.variables, self.settings.processing)
    }

    /// A text without the blanks around it, evaluated; nothing when there is none or when it fails.
    pub(super) fn text(&mut self, text: Option<&Text>, phase: Phase) -> Option<String> {
        self.in_scope(text?, &self.scope(phase), &["E1004"])
    }

    /// As [`Resolver::text`], in a scope of one's own.
    pub(super) fn in_scope(
        &mut self,
        text: &Text,
        scope: &Scope<'_>,
        codes: &[&'static str],
    ) -> Option<String> {
        let compiled = Compiled::new(text, self.settings.engine);
        match compiled.evaluate(scope) {
            Ok(found) => Some(found.text),
            Err(error) => {
                let place = Place { stage: Stage::Submit, codes, variables: self.variables };
                self.report(compiled.finding(&error, &place));
                None
            }
        }
    }

    /// A text and the unit that its functions set.
    pub(super) fn period(&mut self, text: &Text, phase: Phase) -> Option<(String, Period)> {
        let scope = self.scope(phase);
        let value = self.in_scope(text, &scope, &["E1004"])?;
        Some((value, scope.effects.period()))
    }

    /// A datetime (`ParamChecker.checkDateOozieTZ`).
    pub(super) fn datetime(
        &mut self,
        text: Option<&Text>,
        phase: Phase,
        what: &str,
        place: Span,
    ) -> Option<Instant> {
        let Some(text) = text else {
            self.datetime_missing(what, place);
            return None;
        };
        let value = self.text(Some(text), phase)?;
        let zone = self.settings.processing;
        match zone.parse_datetime(&value) {
            Ok(parsed) => {
                if parsed.end_of_day {
                    let literal = text.value == value;
                    self.report(end_of_day(&value, parsed.instant, zone, text.span, &["E1003"], literal));
                }
                Some(parsed.instant)
            }
            Err(error) => {
                let message = format!("`{what}` is no datetime: `{value}`: {error}");
                let span = match text.value == value {
                    true => text.span_of(error.offset.min(value.len())..value.len()),
                    false => text.span,
                };
                let finding = Diagnostic::new(&DATETIME_INVALID, span, message);
                self.report(match near_datetime(&value, zone) {
                    Some(near) if text.value == value => {
                        let edit = Edit { span: text.span, text: near.clone() };
                        finding.help(format!("write `{near}`")).fix(false, vec![edit])
                    }
                    _ => finding.help(datetime_help(&value, zone)),
                });
                None
            }
        }
    }

    pub(super) fn datetime_missing(&mut self, what: &str, place: Span) {
        let message = format!("`{what}` is missing");
        self.report(Diagnostic::new(&DATETIME_INVALID, place, message));
    }

    /// A zone (`ParamChecker.checkTimeZone`) as it is written and as it is.
    pub(super) fn zone(&mut self, text: Option<&Text>, place: Span) -> Option<(String, Zone)> {
        let Some(text) = text else {
            self.report(Diagnostic::new(&TIMEZONE_UNKNOWN, place, "`timezone` is missing"));
            return None;
        };
        let value = self.text(Some(text), Phase::CoordJobSubmitNofuncs)?;
        match Zone::parse(&value) {
            Ok(zone) => Some((value, zone)),
            Err(_) => {
                let finding =
                    Diagnostic::new(&TIMEZONE_UNKNOWN, text.span, format!("`{value}` is no timezone"));
                self.report(match closest(&value, Zone::ids()) {
                    Some(near) if text.value == value => finding
                        .help(format!("did you mean `{near}`?"))
                        .fix(false, vec![Edit { span: text.span, text: near.to_owned() }]),
                    Some(near) => finding.help(format!("did you mean `{near}`?")),
                    None => finding,
                });
                None
            }
        }
    }
}
