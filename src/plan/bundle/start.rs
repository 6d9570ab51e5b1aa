//! The start of a bundle (`BundleStartXCommand`): which coordinators it submits, and with what.

use super::findings::{BUNDLE_ALL_DISABLED, BUNDLE_COORDINATOR_MISSING, USER_NAME_CONFLICT};
use super::submit::{Member, Submitted};
use crate::analysis::parameters::{
    AppKind, Given, JobConf, Layer, PROPERTY_CYCLE, TooDeep, USER_NAME, described,
};
use crate::analysis::project::{Astray, Why};
use crate::diag::{Diagnostic, Severity, Stage};
use crate::model::functions::Phase;
use crate::plan::evaluate::evaluate;
use crate::source::Span;

/// A submission for which the server does not look whether the application path exists.
const PROXY_SUBMISSION: &str = "oozie.proxysubmission";

/// A bundle that has started, as far as it could.
#[derive(Clone, Debug)]
pub struct Started {
    /// The coordinators in order, those that are not enabled too.
    pub children: Vec<Child>,
    /// The fault at which a server would stop, the first of all.
    pub error: Option<Diagnostic>,
}

impl Started {
    /// All faults in order.
    pub fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        let own = self.error.iter().filter(|error| error.rule.name == BUNDLE_ALL_DISABLED.name);
        self.children.iter().flat_map(|child| child.findings.iter().chain(&child.doubt)).chain(own)
    }
}

/// What a bundle hands to one coordinator.
#[derive(Clone, Debug)]
pub struct Child {
    /// The name, resolved as far as it can be.
    pub name: String,
    /// The name under which the bundle submits it: evaluated once less.
    pub name_in_bundle: String,
    /// Whether it is submitted at all.
    pub is_enabled: bool,
    /// Whether the bundle fails when it fails.
    pub is_critical: bool,
    /// The application path.
    pub app_path: String,
    /// The merged configuration.
    pub conf: JobConf,
    /// Why it cannot be submitted; empty when it can.
    pub findings: Vec<Diagnostic>,
    /// What is said of its path, when its file is taken by weak evidence; it is submitted all the same.
    pub doubt: Option<Diagnostic>,
    /// The place of its application path.
    pub app_path_span: Span,
    /// The place of the coordinator in the bundle.
    pub span: Span,
}

/// Says of an application path why it leads to nothing, if so.
pub type Missing<'f> = &'f dyn Fn(&str) -> Option<Astray>;

/// Starts a bundle.
pub fn start(submitted: &Submitted, missing: Missing<'_>) -> Started {
    let mut children = Vec::new();
    let (mut first, mut later) = (None, None);
    for member in &submitted.members {
        let mut child = merge(submitted, member, missing);
        match is_enabled(member, &child.conf) {
            Ok(enabled) => child.is_enabled = enabled,
            Err(findings) => child.findings.extend(at_start(findings)),
        }
        first = first.or_else(|| child.findings.first().cloned());
        if child.is_enabled {
            match evaluate(&member.name, &child.conf, Phase::JobSubmit, &["E1321"]) {
                Ok(name) => child.name = name.text,
                Err(findings) => {
                    // Names are resolved once all coordinators have been merged.
                    let findings = at_start(findings);
                    later = later.or_else(|| findings.first().cloned());
                    child.findings.extend(findings);
                }
            }
        }
        children.push(child);
    }
    let nobody = first.is_none() && !children.iter().any(|child| child.is_enabled);
    let disabled = nobody.then(|| {
        Diagnostic::new(&BUNDLE_ALL_DISABLED, submitted.span, "no coordinator of the bundle is enabled")
            .help("set `enabled` of one to `true`, or remove it")
    });
    Started { children, error: first.or(disabled).or(later) }
}

/// What goes wrong here is noticed when the bundle starts.
fn at_start(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    findings.into_iter().map(|finding| finding.stage(Some(Stage::Start))).collect()
}

/// The bundle's configuration under the coordinator's own, and the application path (`mergeConfig`).
fn merge(submitted: &Submitted, member: &Member, missing: Missing<'_>) -> Child {
    let mut conf = submitted.conf.clone();
    let mut findings = Vec::new();
    if let Some(own) = &member.configuration {
        conf.set_all(&Layer::Coordinator(member.name.value.clone()), own.iter().cloned());
        findings.extend(user_conflict(submitted, &conf, member));
    }
    let property = AppKind::Coordinator.property();
    let path = Given::new(property, member.app_path.value.clone()).at(member.app_path.span);
    conf.set(Layer::Coordinator(member.name.value.clone()), path);
    let mut doubt = None;
    let app_path = match normalize(&mut conf, member, missing, &mut doubt) {
        Ok(()) => conf.get_raw(property).unwrap_or_default().to_owned(),
        Err(finding) => {
            findings.push(*finding);
            member.app_path.value.clone()
        }
    };
    Child {
        name: member.name.value.clone(),
        name_in_bundle: member.name.value.clone(),
        is_enabled: false,
        is_critical: member.is_critical,
        app_path,
        conf,
        findings,
        doubt,
        app_path_span: member.app_path.span,
        span: member.span,
    }
}

/// `ConfigUtils.checkAndSetDisallowedProperties`
fn user_conflict(submitted: &Submitted, conf: &JobConf, member: &Member) -> Option<Diagnostic> {
    let (user, own) = (submitted.conf.get_raw(USER_NAME)?, conf.get_lenient(USER_NAME)?);
    let span = conf.span(USER_NAME).unwrap_or(member.span);
    (own != user).then(|| {
        let message = format!("the coordinator names the user `{own}`, the bundle `{user}`");
        Diagnostic::new(&USER_NAME_CONFLICT, span, message).help("remove `user.name` from the configuration")
    })
}

/// `JobUtils.normalizeAppPath`: a workflow's path among the properties comes before the coordinator's own.
fn normalize(
    conf: &mut JobConf,
    member: &Member,
    missing: Missing<'_>,
    doubt: &mut Option<Diagnostic>,
) -> Result<(), Box<Diagnostic>> {
    if conf.contains(PROXY_SUBMISSION) {
        return Ok(());
    }
    let kind =
        if conf.contains(AppKind::Workflow.property()) { AppKind::Workflow } else { AppKind::Coordinator };
    let path = match conf.get(kind.property()) {
        Ok(path) => path.unwrap_or_default(),
        Err(TooDeep) => {
            let message = format!("`{}` refers to itself", kind.property());
            let finding = Diagnostic::new(&PROPERTY_CYCLE, member.app_path.span, message);
            return Err(Box::new(finding.stage(Some(Stage::Start))));
        }
    };
    let found = |message| Diagnostic::new(&BUNDLE_COORDINATOR_MISSING, member.app_path.span, message);
    if path.is_empty() {
        let help = "name the folder of a coordinator, or its file";
        return Err(Box::new(found("the application path is empty".to_owned()).help(help)));
    }
    if let Some(astray) = missing(&path) {
        let astray = astray.as_written(&member.written_path);
        let finding = described(&BUNDLE_COORDINATOR_MISSING, &astray, member.app_path.span);
        let unsure = |finding: Diagnostic| finding.severity(Severity::Warning).stage(None).oozie(&[]);
        match astray.why {
            // A coordinator is taken for it.
            Why::Unclear => *doubt = Some(unsure(finding)),
            Why::Likely => *doubt = Some(unsure(finding).severity(Severity::Info)),
            Why::Unknown => return Err(Box::new(finding.of_project(true))),
            Why::Absent => return Err(Box::new(finding)),
            // The path exists, but the schema of coordinators refuses what it leads to.
            Why::OtherKind => return Err(Box::new(finding.oozie(&["E0701"]))),
            // It may well be there.
            Why::Several | Why::Outside | Why::Beside | Why::Broken => return Err(Box::new(unsure(finding))),
        }
    }
    if conf.get_raw(kind.property()) != Some(&path) {
        conf.set(Layer::Server, Given::new(kind.property(), path));
    }
    Ok(())
}

/// Only the word `true`, in any case; the attribute is evaluated once more with the merged configuration.
fn is_enabled(member: &Member, conf: &JobConf) -> Result<bool, Vec<Diagnostic>> {
    match &member.enabled {
        None => Ok(true),
        Some(enabled) => evaluate(enabled, conf, Phase::JobSubmit, &["E1321"])
            .map(|resolved| resolved.text.eq_ignore_ascii_case("true")),
    }
}
