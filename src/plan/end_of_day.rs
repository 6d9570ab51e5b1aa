//! `24:00`, which the specification allows and servers refuse.

use crate::diag::{Diagnostic, Edit, Group, Info, Severity, Stage};
use crate::source::Span;
use crate::time::{Instant, ProcessingZone};

/// A datetime at `24:00`.
pub static DATETIME_END_OF_DAY: Info = Info {
    name: "datetime-end-of-day",
    group: Group::Meaning,
    severity: Severity::Warning,
    stage: Some(Stage::Submit),
    mirrors: &["E1003"],
    explanation: "A datetime says `24:00`.\n\n\
        The specification (4.1.1) allows it as the end of a day, and it is read so here: as the next day's zero hour. \
        Servers refuse it. Write the next day and `00:00`.",
};

/// The finding for a datetime at `24:00`; `codes` are those of its place. `literal`: it stands there as it is.
pub fn end_of_day(
    text: &str,
    read_as: Instant,
    zone: ProcessingZone,
    span: Span,
    codes: &[&'static str],
    literal: bool,
) -> Diagnostic {
    let message = format!("`{}` is read as the next day's zero hour; servers refuse it", text.trim());
    let meant = zone.format(read_as);
    let finding =
        Diagnostic::new(&DATETIME_END_OF_DAY, span, message).oozie(codes).help(format!("write `{meant}`"));
    if literal { finding.fix(true, vec![Edit { span, text: meant }]) } else { finding }
}
