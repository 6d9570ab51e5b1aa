//! A timezone is named by three letters, such as `PST`, `EST` or `BST`.
//!
//! Java knows these names for the sake of old programs only. `EST`, `MST` and `HST` never have daylight saving there,
//! `BST` is Bangladesh, `AST` is Alaska, `ECT` is Paris; the server logs a warning. Name a region instead.
//!
//! ```xml
//! <coordinator-app … timezone="PST">
//! <coordinator-app … timezone="America/Los_Angeles">
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Coordinator;
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::source::Text;
use crate::time::{Instant, Zone};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "timezone-three-letter",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("timezone_three_letter.rs"),
    },
    check: Check::Coordinator(check),
};

/// What Java takes a name for, and whether people rarely mean anything else.
const REGIONS: &[(&str, &str, bool)] = &[
    ("ACT", "Australia/Darwin", false),
    ("AET", "Australia/Sydney", true),
    ("AGT", "America/Argentina/Buenos_Aires", true),
    ("ART", "Africa/Cairo", false),
    ("AST", "America/Anchorage", false),
    ("BET", "America/Sao_Paulo", true),
    ("BST", "Asia/Dhaka", false),
    ("CAT", "Africa/Harare", true),
    ("CET", "Europe/Paris", true),
    ("CNT", "America/St_Johns", true),
    ("CST", "America/Chicago", true),
    ("CTT", "Asia/Shanghai", true),
    ("EAT", "Africa/Addis_Ababa", true),
    ("ECT", "Europe/Paris", false),
    ("EET", "Europe/Athens", true),
    ("EST", "America/New_York", false),
    ("HST", "Pacific/Honolulu", true),
    ("IET", "America/Indiana/Indianapolis", true),
    ("IST", "Asia/Kolkata", true),
    ("JST", "Asia/Tokyo", true),
    ("MET", "Europe/Paris", true),
    ("MIT", "Pacific/Apia", true),
    ("MST", "America/Denver", false),
    ("NET", "Asia/Yerevan", true),
    ("NST", "Pacific/Auckland", false),
    ("PLT", "Asia/Karachi", true),
    ("PNT", "America/Phoenix", true),
    ("PRC", "Asia/Shanghai", true),
    ("PRT", "America/Puerto_Rico", true),
    ("PST", "America/Los_Angeles", true),
    ("ROK", "Asia/Seoul", true),
    ("SST", "Pacific/Guadalcanal", false),
    ("UCT", "UTC", true),
    ("VST", "Asia/Ho_Chi_Minh", true),
    ("WET", "Europe/Lisbon", true),
];

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let datasets = app.datasets.values().filter_map(|dataset| dataset.model.timezone.as_ref());
    for text in app.model.timezone.iter().chain(datasets) {
        sink.extend(finding(app, text));
    }
}

fn finding(app: &Coordinator<'_>, text: &Text) -> Option<Diagnostic> {
    let value = app.values.value(text, Place::Coordinator)?;
    let zone = Zone::parse(&value).ok().filter(|zone| zone.is_three_letter())?;
    let message = format!("`{value}` is an ambiguous name of a timezone");
    let finding = Diagnostic::new(&RULE.info, text.span, message);
    let Some((_, region, is_plain)) = REGIONS.iter().find(|(name, ..)| *name == value) else {
        return Some(finding.help("name a region, such as `Europe/Paris`"));
    };
    let same = Zone::parse(region).is_ok_and(|region| is_same(zone, region));
    let finding = match same {
        true => finding.at(format!("Java takes it for `{region}`")),
        false => finding.at(format!("Java takes it for {} all year", offset(zone))),
    };
    let finding = finding.help(format!("write `{region}`, if that is meant"));
    // Elsewhere than in this attribute the name may serve something else as well.
    if value != text.value {
        return Some(finding);
    }
    Some(finding.fix(same && *is_plain, vec![Edit { span: text.span, text: (*region).to_owned() }]))
}

/// Whether two zones go together from 1990 to 2049, looked at every tenth day.
fn is_same(a: Zone, b: Zone) -> bool {
    let first = Instant::from_seconds(631_152_000);
    (0..2_190).map(|index| first.plus_minutes(index * 10 * 24 * 60)).all(|at| a.offset(at) == b.offset(at))
}

fn offset(zone: Zone) -> String {
    let minutes = zone.offset_millis(Instant::EPOCH) / 60_000;
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("UTC{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}
