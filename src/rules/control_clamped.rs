//! A timeout, throttle or concurrency lies outside what the server honours.
//!
//! The server does not refuse such a value, it silently takes another: a timeout of more than 86,400 minutes (60 days)
//! or below zero becomes 86,400, a throttle below 1 or above 500 becomes 500, a concurrency below zero means no limit.
//! With a concurrency of 0 no action is ever started. (The limits are those of `oozie-default.xml`.) Write what will
//! happen.
//!
//! ```xml
//! <throttle>1000</throttle>
//! <throttle>500</throttle>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::dates::grouped;
use crate::analysis::subject::Coordinator;
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::el;
use crate::source::Text;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "control-clamped",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("control_clamped.rs"),
    },
    check: Check::Coordinator(check),
};

/// `oozie.service.coord.default.max.timeout`
const MAX_TIMEOUT_MINUTES: i64 = 86_400;
/// The queue's size (10,000) times `oozie.service.coord.materialization.throttling.factor` (0.05).
const MAX_THROTTLE: i64 = 500;

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let controls = &app.model.controls;
    if let Some((text, minutes)) = timeout(app) {
        let limit = grouped(MAX_TIMEOUT_MINUTES);
        let asked = grouped(minutes);
        if minutes > MAX_TIMEOUT_MINUTES {
            let message = format!("a timeout of {asked} minutes is cut to {limit}");
            sink.push(
                Diagnostic::new(&RULE.info, text.span, message)
                    .help(format!("write {MAX_TIMEOUT_MINUTES} or less")),
            );
        } else if minutes < -1 {
            let message = format!("a timeout of {asked} minutes is taken for {limit}");
            sink.push(
                Diagnostic::new(&RULE.info, text.span, message).help("write -1 for the longest timeout"),
            );
        } else if minutes == -1 {
            let message =
                format!("a timeout of -1 is not for ever: it is taken for {limit} minutes, 60 days");
            sink.push(Diagnostic::new(&RULE.info, text.span, message).severity(Severity::Info));
        }
    }
    if let Some((text, throttle)) = number(app, controls.throttle.as_ref())
        && !(1..=MAX_THROTTLE).contains(&throttle)
    {
        let message = format!("a throttle of {} is taken for {MAX_THROTTLE}", grouped(throttle));
        let help = format!("write a number from 1 to {MAX_THROTTLE}");
        sink.push(Diagnostic::new(&RULE.info, text.span, message).help(help));
    }
    if let Some((text, concurrency)) = number(app, controls.concurrency.as_ref()) {
        if concurrency == 0 {
            let message = "with a concurrency of 0 no action is ever started";
            let finding = Diagnostic::new(&RULE.info, text.span, message).severity(Severity::Error);
            sink.push(finding.help("write 1 or more, or -1 for no limit"));
        } else if concurrency < -1 {
            let message = format!("a concurrency of {} means no limit", grouped(concurrency));
            sink.push(Diagnostic::new(&RULE.info, text.span, message).help("write -1, if no limit is meant"));
        }
    }
}

/// A control whose value is known to be a number that Java's `int` holds.
fn number<'a>(app: &Coordinator<'a>, text: Option<&'a Text>) -> Option<(&'a Text, i64)> {
    let value = app.values.trimmed(text?, Place::Coordinator)?;
    Some((text?, value.parse::<i32>().ok()?.into()))
}

/// The timeout in minutes, before it is cut.
fn timeout<'a>(app: &Coordinator<'a>) -> Option<(&'a Text, i64)> {
    let text = app.model.controls.timeout.as_ref()?;
    let count: i64 = app.values.trimmed(text, Place::Timeout)?.parse::<i32>().ok()?.into();
    let (template, _) = el::parse(text);
    let mut units =
        template.calls().filter(|call| call.prefix == "coord").filter_map(|call| match call.name {
            "minutes" | "hours" => Some(1),
            "days" => Some(24 * 60),
            "months" => Some(30 * 24 * 60),
            _ => None,
        });
    let unit = units.next().unwrap_or(1);
    units.all(|other| other == unit).then_some((text, count * unit))
}
