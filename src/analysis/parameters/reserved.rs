//! Names that a job may not define because the server's own constants bear them, and the user's name.

use super::app_path::AppKind;
use super::job_conf::{Given, JobConf};
use crate::diag::{Diagnostic, Group, Info, Severity, Stage, SubjectKind};
use crate::source::Span;

/// A reserved name among the properties.
pub static PROPERTY_RESERVED: Info = Info {
    name: "property-reserved",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0808"],
    explanation: "A property has the name of one of the server's constants, or a default file names the user.\n\n\
        `KB`, `MINUTES`, `RECORDS` and the like are constants of the expression language, `YEAR` to `MINUTE` those of \
        dataset URIs; a job that defines one is refused. The user comes from the submission, never from a default \
        file. Choose another name.",
};

/// Refused in every job.
const CONSTANTS: &[&str] = &[
    "DAYS",
    "HOURS",
    "MINUTES",
    "KB",
    "MB",
    "GB",
    "TB",
    "PB",
    "RECORDS",
    "MAP_IN",
    "MAP_OUT",
    "REDUCE_IN",
    "REDUCE_OUT",
    "GROUPS",
];

/// Refused in bundles and coordinators as well.
const DATE_PARTS: &[&str] = &["YEAR", "MONTH", "DAY", "HOUR", "MINUTE"];

fn reserved(kind: AppKind, name: &str) -> bool {
    CONSTANTS.contains(&name) || (kind != AppKind::Workflow && DATE_PARTS.contains(&name))
}

/// The check of what the user gave (`PropertiesUtils.checkDisallowedProperties`).
pub fn check_user(kind: AppKind, conf: &JobConf, place: Span) -> Vec<Diagnostic> {
    let found = conf.iter().filter(|(name, _)| reserved(kind, name));
    found.map(|(name, _)| finding(name, conf.span(name).unwrap_or(place))).collect()
}

/// The check of a default file or of what a sub-workflow is given: the user's name may not stand there either
/// (`PropertiesUtils.checkDefaultDisallowedProperties`).
pub fn check_default_file(kind: AppKind, given: &[Given], place: Span) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for one in given {
        let name = super::java_trim(&one.name);
        if reserved(kind, name) {
            findings.push(finding(name, one.span.unwrap_or(place)));
        } else if [super::USER_NAME, "mapreduce.job.user.name"].contains(&name) {
            let message = format!("`{name}` may not be set here");
            let found = Diagnostic::new(&PROPERTY_RESERVED, one.span.unwrap_or(place), message)
                .about(SubjectKind::Parameter, name);
            findings.push(found.help("remove it; the user comes with the submission"));
        }
    }
    findings
}

fn finding(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(&PROPERTY_RESERVED, span, format!("`{name}` is the name of a constant"))
        .about(SubjectKind::Parameter, name)
        .help("choose another name for the property")
}
