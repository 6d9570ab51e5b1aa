//! Parameters that nobody has given yet: notes and errors about their names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use indexmap::IndexMap;

use crate::analysis::parameters::{JobConf, PARAMETER_UNDEFINED, PROPERTY_REFERENCE};
use crate::diag::{Diagnostic, Edit, Severity, Stage, SubjectKind, closest};
use crate::el;
use crate::model;
use crate::plan::coordinator::{DATASET_URI_VARIABLE, near_part};
use crate::shell::check::twice::overlaps;
use crate::shell::globs::Globs;
use crate::source::{Sources, Span, Text};

/// Makes notes of the findings about missing parameters; the others come back as they are.
pub fn supplied_later(findings: Vec<Diagnostic>) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let (missing, rest): (Vec<_>, Vec<_>) =
        findings.into_iter().partition(|finding| finding.rule.name == PARAMETER_UNDEFINED.name);
    let names = missing.iter().filter_map(|finding| Some((finding.parameter()?.to_owned(), finding.span)));
    let near: BTreeMap<&str, &Diagnostic> = missing
        .iter()
        .filter(|finding| finding.meant.is_some())
        .filter_map(|finding| Some((finding.parameter()?, finding)))
        .collect();
    let notes = to_supply(names).map(|note| match note.parameter().and_then(|name| near.get(name)) {
        Some(known) => Diagnostic { help: known.help.clone(), meant: known.meant.clone(), ..note },
        None => note,
    });
    (notes.collect(), rest)
}

/// Whether a finding misses a name that a file leaves to the command line (`nameNode=${nameNode}`).
pub fn is_awaited(finding: &Diagnostic, awaited: &BTreeSet<String>) -> bool {
    [PARAMETER_UNDEFINED.name, PROPERTY_REFERENCE.name].contains(&finding.rule.name)
        && finding.parameter().is_some_and(|name| awaited.contains(name))
}

/// Whether a finding misses a file beside a definition that comes with its deployment.
pub fn is_deployed(finding: &Diagnostic, sources: &Sources, deployed: &Globs) -> bool {
    let name = finding.subject.as_ref().filter(|subject| subject.kind == SubjectKind::File);
    name.is_some_and(|subject| {
        let folder = Path::new(sources.path(finding.span.file)).parent().unwrap_or(Path::new(""));
        deployed.matches(&folder.join(&subject.name))
    })
}

/// One note for each name, at its first use.
pub fn to_supply(names: impl Iterator<Item = (String, Span)>) -> impl Iterator<Item = Diagnostic> {
    let mut first: IndexMap<String, Span> = IndexMap::new();
    for (name, span) in names {
        first.entry(name).or_insert(span);
    }
    first.into_iter().map(|(name, span)| {
        Diagnostic::new(&PARAMETER_UNDEFINED, span, format!("`{name}` must be supplied"))
            .about(SubjectKind::Parameter, name.as_str())
            .severity(Severity::Info)
            .stage(None)
            .help(format!("supply it with `-D {name}=…` or a property file"))
    })
}

/// Tells the names in URI templates that are most likely misspelt parts of a date as that: an error where the evaluation of
/// the template fails for want of a value, else a warning. `is_given` tells of the names that something gives a value.
pub(super) fn misspelt_parts(
    mut findings: Vec<Diagnostic>,
    templates: &[&Text],
    is_given: &dyn Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    for text in templates.iter().filter(|text| text.value.contains('{')) {
        let is_missing = |finding: &Diagnostic| finding.rule.name == PARAMETER_UNDEFINED.name;
        let failure = findings.iter().find(|finding| {
            is_missing(finding) && finding.severity == Severity::Error && overlaps(finding.span, text.span)
        });
        let failure = failure.map(|finding| (finding.stage, finding.oozie.clone()));
        let (template, _) = el::parse(text);
        for (id, name) in template.variables() {
            let Some(near) = near_part(name).filter(|near| *near != name && !is_given(name)) else {
                continue;
            };
            // What is asked for elsewhere too is a parameter.
            let elsewhere = |finding: &Diagnostic| {
                is_missing(finding)
                    && finding.parameter() == Some(name)
                    && !templates.iter().any(|text| overlaps(finding.span, text.span))
            };
            if findings.iter().any(elsewhere) {
                continue;
            }
            let span = template.span(id);
            findings.retain(|finding| !(is_missing(finding) && finding.span == span));
            let message =
                format!("`{name}` is none of YEAR, MONTH, DAY, HOUR, MINUTE, and nothing gives it a value");
            let found = Diagnostic::new(&DATASET_URI_VARIABLE, span, message)
                .about(SubjectKind::Parameter, name)
                .help(format!("did you mean `{near}`?"))
                .meant(near);
            let found = match &failure {
                Some((stage, codes)) => found.stage(*stage).oozie(codes),
                None => found.stage(None).severity(Severity::Warning),
            };
            let is_written = span.range().len() == name.len();
            let edit = Edit { span, text: near.to_owned() };
            findings.push(if is_written { found.fix(false, vec![edit]) } else { found });
        }
    }
    findings
}

/// A variable that a node uses and nothing gives; `known` are names that it may have been meant for.
pub(super) fn undefined<'a>(name: &str, span: Span, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let supply = format!("supply it with `-D {name}=…` or a property file");
    let (own, others): (Vec<&str>, Vec<&str>) = known.partition(|other| *other == name);
    let is_empty = !own.is_empty();
    let found = Diagnostic::new(&PARAMETER_UNDEFINED, span, format!("`{name}` has no value"))
        .about(SubjectKind::Parameter, name)
        .stage(Some(Stage::Action))
        .oozie(&[]);
    // A server loses values that are empty where it stores a configuration.
    if is_empty {
        return found
            .help(format!("give it a value that is not empty, or ask for it by `wf:conf('{name}')`"));
    }
    match closest(name, others) {
        Some(near) => found.help(format!("did you mean `{near}`? Else {supply}")).meant(near),
        None => found.help(supply),
    }
}

/// The names that credentials of actions ask for and nothing gives, with their places: the server evaluates them when
/// such an action starts, with the configuration alone (`JavaActionExecutor.getCredProperties`).
pub(super) fn of_credentials(
    model: &model::Workflow,
    conf: &JobConf,
    late: &[String],
) -> IndexMap<String, Span> {
    let mut missing = IndexMap::new();
    let mut used = BTreeSet::new();
    for node in &model.nodes {
        if let model::workflow::NodeKind::Action(action) = &node.kind
            && let Some(names) = &action.credentials
        {
            used.extend(names.value.split(',').map(|name| name.trim().to_lowercase()));
        }
    }
    let is_used = |credential: &&model::workflow::Credential| {
        credential.name.as_ref().is_some_and(|name| used.contains(&name.value.trim().to_lowercase()))
    };
    for property in model.credentials.iter().filter(is_used).flat_map(|credential| &credential.properties) {
        let (template, _) = el::parse(&property.value);
        for (id, name) in template.variables() {
            if !conf.contains(name) && !late.iter().any(|known| known == name) {
                missing.entry(name.to_owned()).or_insert_with(|| template.span(id));
            }
        }
    }
    missing
}
