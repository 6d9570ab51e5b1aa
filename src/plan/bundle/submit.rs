//! The submission of a bundle (`BundleSubmitXCommand`).

use std::collections::BTreeMap;

use super::alone::alone;
use super::findings::{
    BUNDLE_COORDINATOR_DUPLICATE, BUNDLE_COORDINATOR_NAME_EMPTY, BUNDLE_KICKOFF_INVALID, VALUE_BREAKS_XML,
};
use crate::analysis::parameters::{
    self, AppKind, GROUP_NAME, Given, JOB_ACL, JobConf, check_default_file, check_user, java_trim,
};
use crate::diag::{Diagnostic, Edit, Severity, Stage};
use crate::model;
use crate::model::functions::Phase;
use crate::plan::end_of_day;
use crate::plan::evaluate::evaluate;
use crate::plan::near_datetime::{datetime_help, near_datetime};
use crate::plan::resolved::Resolved;
use crate::plan::serialize::{first_piece, serialize};
use crate::source::{Sources, Span, Text};
use crate::time::{Instant, ProcessingZone};
use crate::xml::{self, Element};

/// A bundle as it was read.
#[derive(Clone, Copy, Debug)]
pub struct Definition<'a> {
    /// The tree.
    pub root: &'a Element,
    /// The text of the file it was read from.
    pub text: &'a str,
    /// The model.
    pub model: &'a model::Bundle,
}

/// A bundle that a server has taken.
#[derive(Clone, Debug)]
pub struct Submitted {
    /// The resolved name.
    pub name: String,
    /// When it starts; `None`: at once.
    pub kick_off: Option<Instant>,
    /// The group, as given.
    pub group: Option<String>,
    /// The configuration as stored.
    pub conf: JobConf,
    /// The coordinators in order.
    pub members: Vec<Member>,
    /// The `bundle-app` element.
    pub span: Span,
}

/// A coordinator of a bundle with its values put in.
#[derive(Clone, Debug)]
pub struct Member {
    /// The name, evaluated once; its start evaluates it again.
    pub name: Text,
    /// Whether it is critical.
    pub is_critical: bool,
    /// The `enabled` attribute, evaluated once.
    pub enabled: Option<Text>,
    /// The application path.
    pub app_path: Text,
    /// The same as the definition writes it.
    pub written_path: String,
    /// The properties of its configuration; `None` when there is no such element.
    pub configuration: Option<Vec<Given>>,
    /// The element's name in its start tag.
    pub span: Span,
}

/// What every fault of evaluation comes out as.
const EVALUATION: &[&str] = &["E1310", "E1004"];

/// Submits a bundle: `conf` is what the user gave, `default_file` the `bundle-config-default.xml` beside the app.
/// Nothing when a server would refuse it; the findings then say why. What the schema says is not said here.
pub fn submit(
    definition: Definition<'_>,
    mut conf: JobConf,
    default_file: &[Given],
    zone: ProcessingZone,
) -> (Option<Submitted>, Vec<Diagnostic>) {
    let place = definition.model.name_span;
    let mut findings = check_default_file(AppKind::Bundle, default_file, place);
    conf.inject_defaults(default_file.iter().cloned());
    let more = check_user(AppKind::Bundle, &conf, place);
    let is_new = |found: &Diagnostic| !findings.iter().any(|old| old.is_of_same_fault(found));
    let more: Vec<_> = more.into_iter().filter(is_new).collect();
    findings.extend(more);
    findings.extend(parameters::verify(
        &mut conf,
        &definition.model.namespace.value,
        &definition.model.parameters,
    ));
    findings.extend(conf.resolve(place));
    // The server wraps whatever goes wrong here (`eagerVerifyPrecondition`, `submit`).
    for finding in findings.iter_mut().filter(|finding| finding.stage == Some(Stage::Submit)) {
        finding.oozie.insert(0, "E1310");
    }

    let printed = serialize(definition.root, definition.text);
    let resolved = match evaluate(&printed, &conf, Phase::BundleSubmit, EVALUATION) {
        Ok(resolved) => resolved,
        Err(more) => {
            findings.extend(more);
            findings.extend(bundle_name(definition.model, &conf).err().unwrap_or_default());
            add_static(&mut findings, definition.model, zone);
            return (None, findings);
        }
    };
    let root = match reread(&resolved) {
        Ok(root) => root,
        Err(finding) => {
            findings.push(*finding);
            add_static(&mut findings, definition.model, zone);
            return (None, findings);
        }
    };
    let mut members = members(&root, &resolved);
    for (member, written) in members.iter_mut().zip(&definition.model.coordinators) {
        member.written_path = written.app_path.as_ref().map_or_else(String::new, |path| path.value.clone());
    }
    findings.extend(unique_names(&members, &conf));
    let name = bundle_name(definition.model, &conf).unwrap_or_else(|more| {
        findings.extend(more);
        String::new()
    });
    let (kick_off, more) = kick_off(&root, &resolved, zone);
    findings.extend(more);
    let refused =
        findings.iter().any(|found| found.severity == Severity::Error && found.stage == Some(Stage::Submit));
    let group = conf.get_lenient(GROUP_NAME).or_else(|| conf.get_lenient(JOB_ACL));
    let submitted = Submitted { name, kick_off, group, conf: conf.stored(), members, span: place };
    ((!refused).then_some(submitted), findings)
}

/// Adds what can be said although the definition could not be resolved.
fn add_static(findings: &mut Vec<Diagnostic>, model: &model::Bundle, zone: ProcessingZone) {
    let is_new = |found: &Diagnostic| {
        !findings.iter().any(|old| old.span == found.span && old.rule.name == found.rule.name)
    };
    let more: Vec<_> = alone(model, zone).into_iter().filter(is_new).collect();
    findings.extend(more);
}

/// The name as `storeToDB` resolves it: as written in the file, without functions.
fn bundle_name(model: &model::Bundle, conf: &JobConf) -> Result<String, Vec<Diagnostic>> {
    let Some(name) = &model.name else { return Ok(String::new()) };
    evaluate(name, conf, Phase::JobSubmit, &["E1310", "E1301"]).map(|resolved| resolved.text)
}

/// Reads the resolved definition again, as the server does.
fn reread(resolved: &Resolved<'_>) -> Result<Element, Box<Diagnostic>> {
    let file = Sources::new().add("", "");
    let (root, faults) = xml::read(file, &resolved.text, &xml::Limits::default());
    if let Some(root) = root {
        return Ok(root);
    }
    let fault = faults.first();
    let at = fault.map_or(0, |fault| fault.span.start as usize);
    let why = fault.map_or("it cannot be read", |fault| &fault.message);
    let finding = match resolved.culprit(at) {
        Some(chunk) => {
            let expression = resolved.original.value.get(chunk.from.clone()).unwrap_or("");
            let message = format!("the value of `{expression}` breaks the definition: {why}");
            Diagnostic::new(&VALUE_BREAKS_XML, resolved.original.span_of(chunk.from.clone()), message)
        }
        None => {
            let message = format!("the definition breaks when values are put in: {why}");
            Diagnostic::new(&VALUE_BREAKS_XML, resolved.origin(at..at), message)
        }
    };
    Err(Box::new(finding.help("write `&lt;` for `<` and `&amp;` for `&` in the value")))
}

/// The text of a piece of the resolved definition, with the place it was written at.
fn moved(text: &Text, resolved: &Resolved<'_>) -> Text {
    Text::computed(text.value.clone(), resolved.origin(text.span.range()))
}

fn children<'e>(parent: &'e Element, local: &'e str) -> impl Iterator<Item = &'e Element> {
    parent.children_named(local).filter(|child| child.name.namespace == parent.name.namespace)
}

fn members(root: &Element, resolved: &Resolved<'_>) -> Vec<Member> {
    let member = |element: &Element| {
        let attribute = |name| element.attribute(name).map(|attribute| moved(&attribute.value, resolved));
        let nothing = || Text::computed("", resolved.origin(element.name_span.range()));
        let configuration = children(element, "configuration").next();
        Member {
            name: attribute("name").unwrap_or_else(nothing),
            is_critical: attribute("critical").is_some_and(|text| text.value.eq_ignore_ascii_case("true")),
            enabled: attribute("enabled"),
            app_path: children(element, "app-path")
                .next()
                .map_or_else(nothing, |path| moved(&path.text(), resolved)),
            written_path: String::new(),
            configuration: configuration.map(|element| properties(element, resolved)),
            span: resolved.origin(element.name_span.range()),
        }
    };
    children(root, "coordinator").map(member).collect()
}

/// The properties of a configuration after it was printed and read as `XConfiguration` does: those without a value
/// are left out, values are trimmed.
fn properties(configuration: &Element, resolved: &Resolved<'_>) -> Vec<Given> {
    let property = |element: &Element| {
        let name = first_piece(element.child("name")?, &resolved.text)?;
        let value = first_piece(element.child("value")?, &resolved.text)?;
        let span = resolved.origin(value.span.range());
        Some(Given { name: java_trim(&name.value).to_owned(), value: value.value, span: Some(span) })
    };
    children(configuration, "property").filter_map(property).collect()
}

/// The names, resolved once more, must differ (`verifyCoordNameUnique`).
fn unique_names(members: &[Member], conf: &JobConf) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    for member in members {
        let name = match evaluate(&member.name, conf, Phase::JobSubmit, &["E1310", "E1321"]) {
            Ok(resolved) => resolved.text,
            Err(more) => {
                findings.extend(more);
                continue;
            }
        };
        if name.is_empty() {
            let finding = Diagnostic::new(
                &BUNDLE_COORDINATOR_NAME_EMPTY,
                member.span,
                "a coordinator has an empty name",
            );
            findings.push(finding.help("give it a name"));
        }
        match seen.get(&name) {
            Some(first) => findings.push(duplicate(&name, member.name.span, *first)),
            None => drop(seen.insert(name, member.name.span)),
        }
    }
    findings
}

/// The finding for a second coordinator of one name.
pub(super) fn duplicate(name: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&BUNDLE_COORDINATOR_DUPLICATE, span, format!("two coordinators are named `{name}`"))
        .label(first, "the first one")
        .help("rename one of them")
}

/// When the bundle starts; an empty time means at once.
fn kick_off(
    root: &Element,
    resolved: &Resolved<'_>,
    zone: ProcessingZone,
) -> (Option<Instant>, Vec<Diagnostic>) {
    let controls = children(root, "controls").next();
    let Some(time) = controls.and_then(|controls| children(controls, "kick-off-time").next()) else {
        return (None, Vec::new());
    };
    let text = moved(&time.text(), resolved);
    if text.value.is_empty() {
        return (None, Vec::new());
    }
    kick_off_time(&text, zone, text.value == time.text().value)
}

/// What a kick-off time that is not empty says. `literal`: it stands there as it is.
pub(super) fn kick_off_time(
    text: &Text,
    zone: ProcessingZone,
    literal: bool,
) -> (Option<Instant>, Vec<Diagnostic>) {
    match zone.parse_datetime(&text.value) {
        Ok(parsed) if parsed.end_of_day => {
            let finding =
                end_of_day(&text.value, parsed.instant, zone, text.span, &["E1310", "E1301"], literal);
            (Some(parsed.instant), vec![finding])
        }
        Ok(parsed) => (Some(parsed.instant), Vec::new()),
        Err(error) => {
            let message = format!("`{}` is no datetime: {}", text.value.trim(), error.reason);
            let finding = Diagnostic::new(&BUNDLE_KICKOFF_INVALID, text.span, message);
            let finding = match near_datetime(&text.value, zone) {
                Some(near) if literal => {
                    let edit = Edit { span: text.span, text: near.clone() };
                    finding.help(format!("write `{near}`")).fix(false, vec![edit])
                }
                _ => finding.help(datetime_help(&text.value, zone)),
            };
            (None, vec![finding])
        }
    }
}
