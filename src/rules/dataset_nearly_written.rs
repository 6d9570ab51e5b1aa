//! A coordinator waits for URIs that are nearly those which another one of the bundle writes.
//!
//! Nothing in the bundle writes them, but a dataset that another coordinator writes has the same URI template but for a slip,
//! for how the date is written, or for the done-flag. Whoever reads then waits until the timeout. Reported only where the
//! two datasets have the same name, or the templates differ in how the date is written alone.
//!
//! ```xml
//! <uri-template>${data}/visits/${YEAR}-${MONTH}-${DAY}</uri-template>   <!-- written -->
//! <uri-template>${data}/visits/${YEAR}${MONTH}${DAY}</uri-template>     <!-- waited for -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::schedule::{Dataset, Event};
use crate::analysis::subject::{Member, Package};
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Group, Info, Severity, distance};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "dataset-nearly-written",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("dataset_nearly_written.rs"),
    },
    check: Check::Package(check),
};

/// How many datasets of one bundle are compared with each other.
const MAX_WRITTEN: usize = 500;
/// So many letters of one name may differ.
const MAX_DISTANCE: usize = 2;
/// Shorter names are near to each other by chance.
const MIN_NAME: usize = 4;

/// A dataset that an event names.
struct Used<'p, 'a> {
    member: &'p Member<'a>,
    dataset: &'p Dataset<'a>,
    uri: String,
}

fn check(program: &Package<'_>, sink: &mut Sink) {
    let written: Vec<Used<'_, '_>> = program
        .coordinators
        .iter()
        .flat_map(|member| used(member, &member.app.outputs))
        .take(MAX_WRITTEN)
        .collect();
    if written.is_empty() {
        return;
    }
    for member in &program.coordinators {
        for read in used(member, &member.app.inputs) {
            let same: Vec<&Used<'_, '_>> = written.iter().filter(|it| it.uri == read.uri).collect();
            let found = if same.is_empty() {
                written.iter().find_map(|it| Some((it, difference(it, &read)?)))
            } else {
                let differs = same.iter().all(|it| flags_differ(it, &read));
                differs.then(|| (same[0], "the done-flag")).map(|(it, what)| (it, what.to_owned()))
            };
            if let Some((other, what)) = found {
                sink.extend(finding(&read, other, &what));
            }
        }
    }
}

fn used<'p, 'a>(member: &'p Member<'a>, events: &'p [Event<'a>]) -> impl Iterator<Item = Used<'p, 'a>> {
    events.iter().filter_map(move |event| {
        let dataset = member.app.datasets.get(event.dataset.as_str())?;
        let uri = dataset.uri(member.app.values)?.trim().trim_end_matches('/').to_owned();
        Some(Used { member, dataset, uri })
    })
}

fn finding(read: &Used<'_, '_>, written: &Used<'_, '_>, what: &str) -> Option<Diagnostic> {
    let text = read.dataset.model.uri_template.as_ref()?;
    let other = written.dataset.model.uri_template.as_ref()?;
    let (flag, other_flag) = (&read.dataset.model.done_flag, &written.dataset.model.done_flag);
    let is_flag = read.uri == written.uri;
    let (place, label) = match (flag, other_flag) {
        (Some(flag), _) if is_flag => {
            (flag.trimmed().span, other_flag.as_ref().unwrap_or(other).trimmed().span)
        }
        (_, other_flag) if is_flag => {
            (text.trimmed().span, other_flag.as_ref().unwrap_or(other).trimmed().span)
        }
        _ => (text.trimmed().span, other.trimmed().span),
    };
    if place == label {
        return None;
    }
    let writer = &written.member.name;
    let message = format!("nothing writes this, but `{writer}` writes what differs from it in {what}");
    let message =
        if is_flag { format!("`{writer}` writes this dataset with another done-flag") } else { message };
    Some(
        Diagnostic::new(&RULE.info, place, message)
            .label(label, format!("`{writer}` writes this"))
            .help("let the two be the same, or give the dataset another name if another one is meant"),
    )
}

/// In what the URIs of two datasets differ, where that is most likely a slip.
fn difference(written: &Used<'_, '_>, read: &Used<'_, '_>) -> Option<String> {
    if std::ptr::eq(written.member, read.member) {
        return None;
    }
    let plain = |uri: &str| uri.chars().filter(|c| !matches!(c, '/' | '-' | '_' | '.')).collect::<String>();
    if read.uri.contains("${") && plain(&written.uri) == plain(&read.uri) {
        return Some("how it is separated".to_owned());
    }
    let name =
        |used: &Used<'_, '_>| used.dataset.model.name.as_ref().map(|name| name.value.trim().to_owned());
    if name(written) != name(read) {
        return None;
    }
    let (ours, theirs): (Vec<&str>, Vec<&str>) =
        (read.uri.split('/').collect(), written.uri.split('/').collect());
    if ours.len() != theirs.len() {
        return None;
    }
    let mut differing = ours.iter().zip(&theirs).filter(|(a, b)| a != b);
    let (a, b) = differing.next()?;
    let is_name = |text: &str| {
        text.len() >= MIN_NAME && !text.contains("${") && !text.ends_with(|c: char| c.is_ascii_digit())
    };
    let is_near = is_name(a) && is_name(b) && distance(a, b, MAX_DISTANCE.min(a.len() / 3)).is_some();
    (is_near && differing.next().is_none()).then(|| format!("one name, `{b}`"))
}

/// Whether both name a done-flag, and not the same.
fn flags_differ(written: &Used<'_, '_>, read: &Used<'_, '_>) -> bool {
    let flag = |used: &Used<'_, '_>| match &used.dataset.model.done_flag {
        None => Some("_SUCCESS".to_owned()),
        Some(text) => used.member.app.values.trimmed(text, Place::Coordinator),
    };
    let (Some(one), Some(other)) = (flag(written), flag(read)) else { return false };
    !one.is_empty() && !other.is_empty() && one != other && !std::ptr::eq(written.member, read.member)
}
