//! Which names an app needs: the variables of its expressions that nothing gives a value.

use indexmap::IndexMap;

use super::formal::{PARAMETER_UNDEFINED, supports_parameters};
use super::java_trim;
use super::job_conf::JobConf;
use crate::analysis::templates::{Place, Template, templates};
use crate::diag::{Diagnostic, Severity, SubjectKind};
use crate::el;
use crate::model::{App, Parameter, functions};
use crate::source::Span;

/// How many further uses of a name one finding points at.
const MAX_LABELS: usize = 5;

/// A name that the expressions of an app use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// What the first use is for.
    pub place: Place,
    /// The codes that a server raises there when the name is undefined.
    pub codes: &'static [&'static str],
    /// Where it is used, in the order of the model.
    pub spans: Vec<Span>,
}

/// The variables of an app's expressions, in the order of their first use. Constants are none.
pub fn used(app: &App) -> IndexMap<String, Use> {
    let mut uses: IndexMap<String, Use> = IndexMap::new();
    for template in templates(app) {
        let Template { text, place, codes, .. } = template;
        let (parsed, _) = el::parse(text);
        for (id, name) in parsed.variables() {
            if functions::constant(place.phase(), name).is_some() {
                continue;
            }
            match uses.get_mut(name) {
                Some(found) => found.spans.push(parsed.span(id)),
                None => {
                    uses.insert(name.to_owned(), Use { place, codes, spans: vec![parsed.span(id)] });
                }
            }
        }
    }
    uses
}

/// A finding for every name that an app uses and nothing gives: neither `conf` nor a formal parameter. Where
/// `is_complete`, all layers are known and it is an error; else it must still be supplied.
pub fn missing(app: &App, conf: &JobConf, is_complete: bool) -> Vec<Diagnostic> {
    let (namespace, parameters): (&str, &[Parameter]) = match app {
        App::Bundle(app) => (&app.namespace.value, &app.parameters),
        App::Coordinator(app) => (&app.namespace.value, &app.parameters),
        App::Workflow(app) => (&app.namespace.value, &app.parameters),
        App::Datasets(_) => ("", &[]),
    };
    // Without them in its schema, an app has none, whatever stands there.
    let parameters = if supports_parameters(namespace) { parameters } else { &[] };
    let is_formal = |name: &str| parameters.iter().any(|parameter| java_trim(&parameter.name.value) == name);
    let mut findings = Vec::new();
    for (name, found) in used(app).iter().filter(|(name, _)| !conf.contains(name) && !is_formal(name)) {
        let [first, rest @ ..] = &*found.spans else { continue };
        let mut finding = if is_complete {
            let finding = Diagnostic::new(&PARAMETER_UNDEFINED, *first, format!("`{name}` has no value"));
            finding.stage(Some(found.place.stage())).oozie(found.codes)
        } else {
            let finding = Diagnostic::new(&PARAMETER_UNDEFINED, *first, format!("`{name}` must be supplied"));
            finding.severity(Severity::Info).stage(None)
        };
        finding = finding.about(SubjectKind::Parameter, name);
        for span in rest.iter().take(MAX_LABELS) {
            finding = finding.label(*span, "used here too");
        }
        let formal = parameters.iter().map(|parameter| java_trim(&parameter.name.value));
        let near = crate::diag::closest(name, conf.iter().map(|(name, _)| name).chain(formal));
        findings.push(match near {
            Some(near) => finding.help(format!("did you mean `{near}`?")).meant(near),
            None => finding.help(format!("supply it with `-D {name}=…` or a property file")),
        });
    }
    findings
}
