//! One cause, one finding, at its cause.
//!
//! A definition gets most of its values from elsewhere: a line of a properties file, the configuration of a bundle. A
//! value of the wrong form is wrong there, however often it is used: [`to_values`] moves the finding to that line, with
//! the use as a label, and [`group`] makes one finding of all that share a cause.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::parameters::{JobConf, Layer, PARAMETER_UNDEFINED};
use crate::analysis::templates::Template;
use crate::diag::{Diagnostic, Edit, Fix, Label, Severity, Stage, Subject, SubjectKind};
use crate::el::{self, NodeKind, Part};
use crate::source::{Span, Text};

/// How many uses one finding points at.
const MOST_LABELS: usize = 5;

/// References that are followed from one value to the next.
const MOST_STEPS: usize = 20;

/// Rules that speak of the form of a value, with what the value ought to be: a datetime that two rules refuse is one
/// fault.
pub const OF_VALUES: &[(&str, &str)] = &[
    ("action-env-invalid", "environment"),
    ("action-file-missing", "path"),
    ("action-retry-invalid", "retry"),
    ("app-path-missing", "path"),
    ("bundle-coordinator-missing", "path"),
    ("bundle-flag-invalid", "flag"),
    ("bundle-kickoff-invalid", "datetime"),
    ("control-clamped", "control"),
    ("control-invalid", "control"),
    ("coordinator-too-frequent", "frequency"),
    ("cron-field-count", "frequency"),
    ("cron-invalid", "frequency"),
    ("cron-never-fires", "frequency"),
    ("cron-suspicious", "cron"),
    ("dataset-frequency-invalid", "frequency"),
    ("dataset-include-missing", "path"),
    ("dataset-initial-invalid", "datetime"),
    ("datetime-end-of-day", "datetime"),
    ("datetime-invalid", "datetime"),
    ("email-no-recipient", "address"),
    ("fs-path-relative", "path"),
    ("fs-permissions-invalid", "permissions"),
    ("instance-absolute-invalid", "datetime"),
    ("kick-off-after-end", "datetime"),
    ("sla-event-unknown", "event"),
    ("sla-invalid", "service level"),
    ("ssh-host-invalid", "host"),
    ("timezone-three-letter", "zone"),
    ("timezone-unknown", "timezone"),
    ("uri-invalid", "uri"),
];

/// What the value that a rule speaks of ought to be.
fn kind_of(finding: &Diagnostic) -> Option<&'static str> {
    let at = OF_VALUES.binary_search_by_key(&finding.rule.name, |(rule, _)| *rule).ok()?;
    Some(OF_VALUES[at].1)
}

/// Where a value comes from.
struct Origin {
    name: String,
    place: Span,
    /// It is written there as it is.
    is_whole: bool,
}

/// Moves findings about the form of a value that stands in for a whole text of `templates` to the place that gives the
/// value. What is given on the command line has no place in a file, so its findings stay at the use.
pub fn to_values<'t>(
    findings: &mut [Diagnostic],
    templates: impl FnOnce() -> Vec<Template<'t>>,
    conf: &JobConf,
) {
    if conf.is_empty() || !findings.iter().any(|finding| kind_of(finding).is_some() || is_of_values(finding))
    {
        return;
    }
    let texts: BTreeMap<_, &Text> = templates()
        .into_iter()
        .map(|template| ((template.text.span.file, template.text.span.start), template.text))
        .collect();
    for finding in findings.iter_mut().filter(|finding| kind_of(finding).is_some()) {
        let at = (finding.span.file, finding.span.start);
        let Some((_, text)) = texts.range(..=at).next_back() else { continue };
        if text.span.file != finding.span.file || text.span.end < finding.span.end {
            continue;
        }
        let Some(origin) = sole_name(text).and_then(|name| origin(conf, &name)) else { continue };
        move_to(finding, &origin, text.span);
    }
    for finding in findings.iter_mut().filter(|finding| is_of_values(finding) && kind_of(finding).is_none()) {
        let places = std::iter::once(finding.span).chain(finding.labels.iter().map(|label| label.span));
        let places: Vec<Span> = places.collect();
        for place in places {
            let Some((_, text)) = texts.range(..=(place.file, place.start)).next_back() else { continue };
            if text.span.file != place.file || text.span.end < place.end {
                continue;
            }
            let names = match sole_name(text).or_else(|| unreplaced(text, conf)) {
                Some(name) => vec![name],
                // What an operator or a function does not take is the value of one of them.
                None if finding.rule.name == ARGUMENTS => variables(text),
                None => Vec::new(),
            };
            for name in names {
                let Some(origin) = origin(conf, &name) else { continue };
                if origin.place != finding.span && !finding.labels.iter().any(|it| it.span == origin.place) {
                    let message = format!("`{name}` is given here");
                    finding.labels.push(Label { span: origin.place, message });
                }
            }
        }
    }
}

/// The rule that tells which arguments functions and operators do not take.
const ARGUMENTS: &str = "el-arguments";

/// How many names of one text are pointed at.
const MOST_NAMES: usize = 3;

/// The names that a text asks for, each once.
fn variables(text: &Text) -> Vec<String> {
    let (template, _) = el::parse(text);
    let names: BTreeSet<&str> = template.variables().map(|(_, name)| name).collect();
    names.into_iter().take(MOST_NAMES).map(str::to_owned).collect()
}

/// Whether a finding is a verdict about values, whatever gave them.
fn is_of_values(finding: &Diagnostic) -> bool {
    let is_known = finding.rule.name != PARAMETER_UNDEFINED.name;
    is_known && finding.stage.is_some() && finding.severity != Severity::Info
}

/// The first name in a text whose value still holds a reference.
fn unreplaced(text: &Text, conf: &JobConf) -> Option<String> {
    let (template, _) = el::parse(text);
    let mut names = template.variables().map(|(_, name)| name);
    names
        .find(|name| conf.get_lenient(name).is_some_and(|value| value.contains("${") || value.contains("$(")))
        .map(str::to_owned)
}

fn move_to(finding: &mut Diagnostic, origin: &Origin, used: Span) {
    let words = match &finding.label {
        Some(label) => format!("`{}` is used here: {label}", origin.name),
        None => format!("`{}` is used here", origin.name),
    };
    finding.labels.insert(0, Label { span: used, message: words });
    finding.label = None;
    finding.span = origin.place;
    // What was to stand instead of the reference is to stand instead of the value.
    finding.fix = finding.fix.take().and_then(|fix| match &*fix.edits {
        [Edit { span, text }] if *span == used && origin.is_whole && !text.contains(['\\', '<', '&']) => {
            let edits = vec![Edit { span: origin.place, text: text.clone() }];
            Some(Fix { safe: false, edits })
        }
        _ => None,
    });
    // The name nearest to the value, however many hand it on.
    if finding.subject.is_none() || finding.parameter().is_some() {
        finding.subject = Some(Subject { kind: SubjectKind::Parameter, name: origin.name.clone() });
    }
}

/// The name of the property that a text consists of: `${name}`, or `${wf:conf('name')}` and its like.
fn sole_name(text: &Text) -> Option<String> {
    let (template, _) = el::parse(text);
    let mut parts = template.parts.iter().filter(|part| match part {
        Part::Literal { value, .. } => !value.trim().is_empty(),
        Part::Expression { .. } => true,
    });
    let (Some(Part::Expression { root, .. }), None) = (parts.next(), parts.next()) else { return None };
    match &template.node(*root).kind {
        NodeKind::Variable(name) => Some(name.to_string()),
        NodeKind::Call { name, arguments, .. } if &**name == "conf" => match &**arguments {
            [only] => match &template.node(*only).kind {
                NodeKind::String(name) => Some(name.to_string()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Where the value of a property is written, as long as each value consists of the next one.
fn origin(conf: &JobConf, name: &str) -> Option<Origin> {
    let mut found = None;
    let mut name = name.to_owned();
    let mut below = usize::MAX;
    for _ in 0..MOST_STEPS {
        let steps = conf.steps(&name);
        let written =
            steps[..below.min(steps.len())].iter().rposition(|step| step.layer != Layer::Substitution);
        let Some((index, step)) = written.map(|index| (index, &steps[index])) else { break };
        if matches!(step.layer, Layer::Definition | Layer::Profile | Layer::Server) {
            break;
        }
        let Some(place) = step.span else { break };
        let reference = reference(&step.value);
        found = Some(Origin { name: name.clone(), place, is_whole: !step.value.contains("${") });
        match reference {
            Some(next) if next == name => below = index,
            Some(next) => (name, below) = (next.to_owned(), usize::MAX),
            None => break,
        }
    }
    found
}

/// The name in a value that is one reference.
fn reference(value: &str) -> Option<&str> {
    let name = value.trim().strip_prefix("${")?.strip_suffix('}')?;
    (!name.is_empty() && !name.contains(['{', '}', '$', ' ', '('])).then_some(name)
}

/// What findings that are grouped share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// A value of the wrong form at one place.
    Value(Span, &'static str),
    /// A name that nothing gives a value; notes of that are apart.
    Undefined(String, bool),
}

fn cause_of(finding: &Diagnostic) -> Option<Cause> {
    let name = finding.parameter()?;
    if finding.rule.name == PARAMETER_UNDEFINED.name {
        return Some(Cause::Undefined(name.to_owned(), finding.severity == Severity::Info));
    }
    kind_of(finding).map(|kind| Cause::Value(finding.span, kind))
}

/// Makes one finding of those with one cause: the gravest, where the first of them stood, which points at the places of
/// the others.
pub fn group(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut groups: BTreeMap<Cause, Vec<usize>> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        if let Some(cause) = cause_of(finding) {
            groups.entry(cause).or_default().push(at);
        }
    }
    groups.retain(|_, members| members.len() > 1);
    if groups.is_empty() {
        return bounded(findings);
    }
    let mut findings: Vec<Option<Diagnostic>> = findings.into_iter().map(Some).collect();
    for (cause, members) in groups {
        let first = members[0];
        let mut members: Vec<Diagnostic> = members.into_iter().filter_map(|at| findings[at].take()).collect();
        members.sort_by_key(graveness);
        let mut rest = members.into_iter();
        let Some(mut main) = rest.next() else { continue };
        for other in rest {
            if matches!(cause, Cause::Undefined(..)) {
                main.labels.push(Label { span: other.span, message: "used here too".to_owned() });
            }
            main.labels.extend(other.labels);
            main.meant = main.meant.or(other.meant);
        }
        findings[first] = Some(main);
    }
    bounded(findings.into_iter().flatten().collect())
}

/// The gravest first; among equals the order stays.
fn graveness(finding: &Diagnostic) -> (Severity, bool, Option<Stage>) {
    (finding.severity, finding.stage.is_none(), finding.stage)
}

/// Leaves findings about causes with few labels, each place once, and says how many there are besides.
fn bounded(mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for finding in findings.iter_mut().filter(|finding| finding.labels.len() > 1) {
        if cause_of(finding).is_none() {
            continue;
        }
        let mut seen = BTreeSet::from([finding.span]);
        finding.labels.retain(|label| seen.insert(label.span));
        let more = finding.labels.len().saturating_sub(MOST_LABELS);
        finding.labels.truncate(MOST_LABELS);
        if let Some(last) = finding.labels.last_mut().filter(|_| more > 0) {
            last.message.push_str(&format!(", and at {more} more place{}", if more == 1 { "" } else { "s" }));
        }
    }
    findings
}

#[cfg(test)]
#[path = "causes_tests.rs"]
mod tests;
