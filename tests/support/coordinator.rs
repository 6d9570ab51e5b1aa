//! Coordinators from their XML, submitted.

use ankus::analysis::parameters::{Given, JobConf, Layer};
use ankus::diag::{Diagnostic, Severity, Stage};
use ankus::model::{self, App};
use ankus::plan::coordinator::{
    CoordinatorJob, IncludeError, Included, Settings, Submitted, prepare, submit,
};
use ankus::source::Sources;
use ankus::xml::{self, Element};

/// A coordinator's text around all that it holds.
pub fn app_xml_around(attributes: &str, inner: &str) -> String {
    format!(
        r#"<coordinator-app name="c" xmlns="uri:oozie:coordinator:0.5" xmlns:sla="uri:oozie:sla:0.2" {attributes}>{inner}</coordinator-app>"#
    )
}

/// A coordinator's text around what stands before its action, whose workflow gets these properties.
pub fn app_xml(attributes: &str, before: &str, properties: &str) -> String {
    let action = format!(
        "<action><workflow><app-path>hdfs://nn/w</app-path><configuration>{properties}</configuration></workflow></action>"
    );
    app_xml_around(attributes, &(before.to_owned() + &action))
}

/// A coordinator that was read and submitted.
pub struct Taken {
    pub root: Element,
    pub app: model::Coordinator,
    /// The configuration as it was given and prepared.
    pub conf: JobConf,
    /// With the findings of the preparation before its own.
    pub submitted: Submitted,
}

impl Taken {
    /// The job; panics when it was refused.
    pub fn job(self) -> CoordinatorJob {
        self.submitted.job.unwrap_or_else(|| panic!("{:?}", self.submitted.findings))
    }
}

/// Reads and submits a coordinator with these properties; `files` are what it may include, by path. Where it is no
/// coordinator, the findings say why.
pub fn take(
    text: &str,
    given: &[(&str, &str)],
    files: &[(&str, &str)],
    settings: &Settings,
) -> Result<Taken, Vec<Diagnostic>> {
    let mut sources = Sources::new();
    let file = sources.add("coordinator.xml", text);
    let (root, findings) = xml::read(file, text, &xml::Limits::default());
    let Some(root) = root else { return Err(findings) };
    let (Some(App::Coordinator(app)), _) = model::lower(&root) else { return Err(findings) };
    let mut conf = JobConf::new();
    conf.set_all(&Layer::File, given.iter().map(|(name, value)| Given::new(*name, *value)));
    conf.set_default(Layer::File, Given::new("user.name", "alice"));
    let mut findings = prepare(&mut conf, &[], app.name_span);
    let mut includes = |path: &str| {
        let found = files.iter().find(|(name, _)| *name == path);
        let (_, text) = found.ok_or_else(|| IncludeError::Missing(path.to_owned()))?;
        let file = sources.add(path, *text);
        let (root, findings) = xml::read(file, text, &xml::Limits::default());
        root.map(|root| Included::new(&root)).ok_or(IncludeError::Malformed(findings))
    };
    let mut submitted = submit(&app, &conf, None, settings, &mut includes);
    findings.append(&mut submitted.findings);
    Ok(Taken { root, app: *app, conf, submitted: Submitted { findings, ..submitted } })
}

/// A coordinator that is known to be accepted.
pub fn accepted(text: &str, given: &[(&str, &str)]) -> Taken {
    take(text, given, &[], &Settings::default()).unwrap_or_else(|findings| panic!("{findings:?}"))
}

/// Whether a server refuses a submission for this finding.
pub fn refuses(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error && finding.stage == Some(Stage::Submit)
}
