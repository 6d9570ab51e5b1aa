//! An app with its values: what a server would say of it, and of everything that it leads to.
//!
//! A program begins at a bundle, a coordinator or a workflow and is followed down to sub-workflows. Where not all
//! parameters are known, only what does not depend on them is said, and the missing ones are listed.

use std::collections::BTreeSet;
use std::path::Path;

use crate::analysis::parameters::{self, APP_PATH_MISSING, JobConf, Layer, PARAMETER_UNDEFINED, astray};
use crate::analysis::project::{Astray, Kind, Why};
use crate::analysis::templates::{self, Place};
use crate::analysis::values::Values;
use crate::diag::{Diagnostic, Severity, Stage};
use crate::el;
use crate::engine::Server;
use crate::host::files;
use crate::model::coordinator::Datasets;
use crate::model::{self, App};
use crate::plan::workflow::{self, SUBWORKFLOW_CONFIG, SUBWORKFLOW_RECURSION};
use crate::plan::{bundle, coordinator};
use crate::project::causes;
use crate::project::slips::{self, Names};
use crate::shell::check::all_actions;
use crate::shell::check::handed::{each_time, lost};
pub use crate::shell::check::handed::{workflow_conf, workflow_definition};
use crate::shell::check::parts::Parts;
use crate::shell::check::stand_in;
use crate::shell::check::supply::{misspelt_parts, of_credentials, supplied_later, undefined};
use crate::shell::check::twice::{overlaps, tell_codes, tell_undefined};
use crate::shell::library::{Library, Loaded};
use crate::shell::project::Found;
use crate::source::{Span, Text};
use crate::time::{Instant, ProcessingZone};
use crate::triage::doubles;

/// What is judged, and by what.
pub struct Program<'l, 'p> {
    /// Where definitions come from.
    pub library: &'l Library<'p>,
    /// The server's processing timezone.
    pub zone: ProcessingZone,
    /// The server that it is submitted to.
    pub server: Server,
    /// All layers of parameters are known: what is missing is an error.
    pub complete: bool,
    /// The present, when the user names one.
    pub now: Option<Instant>,
    /// What was met on the way.
    pub parts: Parts<'l>,
}

impl<'l, 'p> Program<'l, 'p> {
    /// A program of which all parameters are known.
    pub fn new(library: &'l Library<'p>, zone: ProcessingZone) -> Program<'l, 'p> {
        Program {
            library,
            zone,
            server: Server::default(),
            complete: true,
            now: None,
            parts: Parts::default(),
        }
    }
}

impl<'l> Program<'l, '_> {
    /// Everything that can be said of an app with these parameters, and of all definitions that it leads to.
    pub fn judge(&self, app: &'l Loaded, conf: JobConf) -> Vec<Diagnostic> {
        let conf = conf.on(self.library.version()).in_zone(self.zone);
        let mut findings = Vec::new();
        let given = conf.clone();
        if app.is_sound() {
            findings.extend(match &app.definition.app {
                Some(App::Bundle(model)) => self.bundle(app, model, conf),
                Some(App::Coordinator(model)) => self.coordinator(app, model, conf, None),
                Some(App::Workflow(model)) => self.workflow(app, model, conf, Vec::new()),
                Some(App::Datasets(model)) => self.datasets(model),
                None => Vec::new(),
            });
        }
        if self.knows_all(&findings) {
            let apps = self.library.all().filter_map(|loaded| loaded.definition.app.as_ref());
            let defaults = self.library.all_defaults();
            findings.extend(parameters::unused(&given, apps, defaults));
        }
        for loaded in self.library.all() {
            let mut said = loaded.verdict();
            tell_undefined(&mut said, &mut findings);
            let nodes: &[model::workflow::Node] = match &loaded.definition.app {
                Some(App::Workflow(workflow)) => &workflow.nodes,
                _ => &[],
            };
            findings.retain(|finding| !tell_codes(&mut said, finding, nodes));
            findings.extend(said);
        }
        findings.extend(self.parts.judge(self.library.rules()));
        findings.extend(self.library.findings());
        if let Some(App::Bundle(_)) = &app.definition.app {
            // What the rules say of its coordinators may have led to a value that the bundle only hands on.
            at_causes(app, &[], self.values(app, &given).conf(), &mut findings);
        }
        self.at_slips(&given, &mut findings);
        // The apps of a program have layers and files in common.
        causes::group(doubles::once(findings))
    }

    /// Tells what is wrong with references in values, and points at the places that nearly give what is missed.
    fn at_slips(&self, given: &JobConf, findings: &mut Vec<Diagnostic>) {
        let defaults = self.library.all_defaults().map(|default| default.name.clone());
        let of_apps = self.library.all().filter_map(|loaded| loaded.definition.app.as_ref());
        findings
            .extend(parameters::references(given, &defaults.chain(slips::names_given(of_apps)).collect()));
        if !findings.iter().any(slips::misses) {
            return;
        }
        let sources = self.library.sources();
        let mut names = Names::default();
        for loaded in self.library.all() {
            if let Some(app) = &loaded.definition.app {
                names.app(app, loaded.definition.root.as_ref());
            }
        }
        for (name, value) in given.iter() {
            let step = given.steps(name).iter().rev().find(|step| step.layer == Layer::File);
            let place = step.and_then(|step| step.span);
            names.property(name, value, place);
            names.files(place.map(|place| (place.file, sources.text(place.file))));
        }
        slips::point_at(findings, &names);
    }

    /// Whether every definition that the program leads to was read, and every name has its value.
    fn knows_all(&self, findings: &[Diagnostic]) -> bool {
        let is_open = |finding: &Diagnostic| {
            let missing = [PARAMETER_UNDEFINED.name, coordinator::DATASET_URI_VARIABLE.name];
            finding.severity == Severity::Error || missing.contains(&finding.rule.name)
        };
        if self.library.has_missed() || findings.iter().any(is_open) {
            return false;
        }
        let (mut children, mut coordinators, mut workflows) = (0, 0, 0);
        for loaded in self.library.all() {
            match &loaded.definition.app {
                _ if !loaded.is_sound() => return false,
                Some(App::Bundle(model)) => children += model.coordinators.len(),
                Some(App::Coordinator(_)) => coordinators += 1,
                Some(App::Workflow(_)) => workflows += 1,
                Some(App::Datasets(_)) | None => {}
            }
        }
        children <= coordinators && workflows > 0
    }

    /// What the rules say of an app with the values that it is submitted with, as in [`Program::judge`].
    pub fn as_written(&self, app: &Loaded, conf: &JobConf) -> Vec<Diagnostic> {
        match &app.definition.app {
            Some(App::Coordinator(model)) => {
                let values = self.values(app, conf);
                app.judge(&values, &self.included(app, model, &values));
            }
            Some(App::Workflow(_) | App::Bundle(_)) => app.judge(&self.values(app, conf), &[]),
            Some(App::Datasets(_)) | None => {}
        }
        app.verdict()
    }

    /// What rules may know of the values of an app that is given `conf`.
    pub(super) fn values(&self, app: &Loaded, conf: &JobConf) -> Values {
        let Some(definition) = &app.definition.app else { return Values::default() };
        let mut values =
            Values::of(definition, conf.clone(), self.library.defaults(app, conf), self.complete);
        (values.zone, values.now, values.version) = (self.zone, self.now, self.library.version());
        values.ignores_forks = self.library.ignores_forks();
        values
    }

    /// `late` names the properties that have another value each time, or a value only when it runs.
    fn workflow(
        &self,
        app: &'l Loaded,
        model: &'l model::Workflow,
        conf: JobConf,
        late: Vec<String>,
    ) -> Vec<Diagnostic> {
        let Some(definition) = workflow_definition(self.library, app, model, &conf) else {
            return Vec::new();
        };
        let late_names = late.clone();
        let values = self.values(app, &conf).late(late);
        app.judge_among(&values, &[], &self.library.elsewhere(app, model, &values));
        self.parts.workflow(model, values.clone());
        let (submitted, findings) = workflow::resolve(definition, conf);
        // A missing parameter is no reason to keep silent about the rest.
        let is_missing = |finding: &Diagnostic| finding.rule.name == PARAMETER_UNDEFINED.name;
        let missing_name =
            |finding: &Diagnostic| finding.parameter().filter(|_| is_missing(finding)).map(str::to_owned);
        let told: BTreeSet<String> = findings.iter().filter_map(missing_name).collect();
        let refused = findings.iter().any(|finding| Program::refuses(finding) && !is_missing(finding));
        let mut findings = self.fitting(app, &values, findings);
        if refused {
            at_causes(app, &[], values.conf(), &mut findings);
            return findings;
        }
        let find = |uri: &str| self.find_workflow(uri, &app.path, &submitted.conf);
        let plan = workflow::plan(definition, &submitted, &find);
        let conf_of_values = values.conf().clone();
        let below = self.judge_below(app, model, &plan, values);
        let formal = model.parameters.iter().map(|parameter| parameter.name.value.trim());
        let known: Vec<&str> = formal.chain(submitted.conf.iter().map(|(name, _)| name)).collect();
        let in_credentials = of_credentials(model, &submitted.conf, &late_names);
        let in_credentials = in_credentials.iter().filter(|(name, _)| !plan.missing.contains_key(*name));
        let missing = plan.missing.iter().chain(in_credentials);
        let missing = missing.map(|(name, span)| undefined(name, *span, known.iter().copied()));
        let of_nodes = plan.findings().into_iter().cloned().chain(missing);
        let of_nodes = of_nodes.filter(|it| missing_name(it).is_none_or(|name| !told.contains(&name)));
        if self.complete {
            findings.extend(of_nodes);
            findings.extend(below);
        } else {
            // What the syntax of a text is does not depend on values.
            let sure = [SUBWORKFLOW_RECURSION.name, SUBWORKFLOW_CONFIG.name, el::EL_SYNTAX.name];
            // Nor does where a path leads that was found to be wrong.
            let leads_astray = |finding: &Diagnostic| {
                finding.rule.name == APP_PATH_MISSING.name
                    && (finding.severity == Severity::Error
                        || (finding.severity == Severity::Warning && finding.stage.is_none()))
            };
            let (notes, rest) = supplied_later(of_nodes.collect());
            let is_sure = |finding: &Diagnostic| sure.contains(&finding.rule.name) || leads_astray(finding);
            findings.extend(rest.into_iter().filter(is_sure));
            findings.extend(notes);
        }
        at_causes(app, &[], &conf_of_values, &mut findings);
        findings
    }

    /// The workflow that an application path leads to, read and ready. `conf` is that of whatever leads there, whose
    /// properties of Oozie itself it gets.
    pub fn find_workflow(
        &self,
        uri: &str,
        near: &Path,
        conf: &JobConf,
    ) -> Result<workflow::Lead<'l>, Astray> {
        let loaded = self.library.follow(uri, Kind::Workflow, near)?;
        let found = self.library.resolve(uri, Kind::Workflow, near).ok();
        let definition = match &loaded.definition.app {
            Some(App::Workflow(model)) => workflow_definition(self.library, loaded, model, conf),
            _ => None,
        };
        let definition = definition.ok_or_else(|| match &loaded.definition.root {
            Some(_) => Astray::unknown(uri, Kind::Workflow),
            None => Astray::broken(uri, &files::shown(&loaded.path), Kind::Workflow),
        })?;
        let is_sure = found.as_ref().is_none_or(Found::is_sure);
        let doubt = found.and_then(|found| found.doubt(uri, Kind::Workflow));
        Ok(workflow::Lead { definition, is_sure, doubt })
    }

    fn coordinator(
        &self,
        app: &'l Loaded,
        model: &'l model::Coordinator,
        conf: JobConf,
        in_bundle: Option<(&str, Span)>,
    ) -> Vec<Diagnostic> {
        let values = self.values(app, &conf);
        let included = self.included(app, model, &values);
        app.judge(&values, &included);
        let files = std::iter::once(&model.datasets).chain(included.iter().copied());
        let templates =
            files.flat_map(|file| &file.datasets).filter_map(|dataset| dataset.uri_template.as_ref());
        let templates: Vec<&Text> = templates.collect();
        self.parts.coordinator(model, values.clone(), included.clone(), in_bundle);
        let bundle_name = in_bundle.map(|(name, _)| name);
        let given = conf.clone();
        let (submitted, mut findings) = self.submit_coordinator(app, model, conf, bundle_name);
        if !self.complete && submitted.is_none() {
            findings.extend(self.with_stand_ins(app, model, &given, bundle_name, &findings));
        }
        if findings.iter().any(|finding| is_include_unknown(finding, model)) {
            findings.retain(|finding| finding.rule.name != coordinator::DATASET_UNDEFINED.name);
        }
        let is_given = |name: &str| {
            given.contains(name)
                || app.default_file.iter().any(|default| default.name == name)
                || model.parameters.iter().any(|parameter| parameter.name.value.trim() == name)
        };
        let swapped = coordinator::swapped_range(model).filter(|_| !self.complete);
        let mut findings = misspelt_parts(self.fitting(app, &values, findings), &templates, &is_given);
        findings.extend(swapped);
        let Some((job, conf)) = submitted else {
            let path = model.action.as_ref().and_then(|action| action.app_path.as_ref());
            findings.extend(path.and_then(|path| self.of_other_kind(app, path, Kind::Workflow)));
            at_causes(app, &included, values.conf(), &mut findings);
            return findings;
        };
        // The first action shows whether actions can be made, and what their workflow gets.
        match job.actions(coordinator::PlanOptions::default()).next() {
            None => {}
            Some(Err(_)) => findings.extend(self.fitting(app, &values, job.faults_of_first_action())),
            Some(Ok(action)) => {
                findings.extend(self.fitting(app, &values, all_actions::faults(&job)));
                let written = model;
                if let Some(loaded) = self.library.find(&action.app_path, Kind::Workflow, &app.path)
                    && let Some(conf) = workflow_conf(&action, &conf, model)
                    && let Some(App::Workflow(model)) = &loaded.definition.app
                    && loaded.is_sound()
                {
                    let mut of_workflow = self.workflow(loaded, model, conf, each_time(written, &values));
                    // What is handed down has no value where its evaluation fails, which is told as that.
                    if findings.iter().any(|finding| finding.severity == Severity::Error) {
                        let lost = lost(&action, written);
                        of_workflow.retain(|finding| {
                            finding.rule.name != PARAMETER_UNDEFINED.name
                                || !finding.parameter().is_some_and(|name| lost.contains(name))
                        });
                    }
                    // What the workflow's submission refuses fails the action.
                    findings.extend(of_workflow.into_iter().map(|finding| match finding.stage {
                        Some(Stage::Submit) => finding.stage(Some(Stage::Action)),
                        _ => finding,
                    }));
                }
            }
        }
        at_causes(app, &included, values.conf(), &mut findings);
        findings
    }

    /// What is wrong with a file of datasets that nothing includes here.
    fn datasets(&self, model: &Datasets) -> Vec<Diagnostic> {
        let settings = coordinator::Settings {
            processing: self.zone,
            engine: JobConf::new().on(self.library.version()).engine(),
            ..coordinator::Settings::default()
        };
        let templates: Vec<&Text> =
            model.datasets.iter().filter_map(|dataset| dataset.uri_template.as_ref()).collect();
        misspelt_parts(coordinator::datasets_alone(model, &settings), &templates, &|_| false)
    }

    /// What is wrong with the first action of a coordinator for which nothing but parameters is missing, whatever these are.
    fn with_stand_ins(
        &self,
        app: &'l Loaded,
        model: &'l model::Coordinator,
        conf: &JobConf,
        bundle_name: Option<&str>,
        findings: &[Diagnostic],
    ) -> Vec<Diagnostic> {
        let is_missing = |finding: &Diagnostic| finding.rule.name == PARAMETER_UNDEFINED.name;
        if findings.iter().any(|finding| Program::refuses(finding) && !is_missing(finding)) {
            return Vec::new();
        }
        let missing = findings
            .iter()
            .filter(|finding| is_missing(finding))
            .filter_map(|finding| finding.parameter().map(str::to_owned));
        let missing: Vec<String> = missing.collect();
        let counts_are_known = stand_in::knows_instances(model, &missing);
        let conf = stand_in::supplied(model, missing, conf);
        let (Some((job, _)), _) = self.submit_coordinator(app, model, conf, bundle_name) else {
            return Vec::new();
        };
        let mut found = job.faults_of_first_action();
        if let Some(Ok(action)) = job.actions(coordinator::PlanOptions::default()).next() {
            found.extend(job.late_outputs(&action));
            found.extend(job.late_inputs(&action));
        }
        found.retain(stand_in::is_sure);
        if counts_are_known {
            found.extend(all_actions::faults(&job).into_iter().filter(stand_in::is_of_counts));
        }
        found
    }

    fn bundle(&self, app: &'l Loaded, model: &'l model::Bundle, conf: JobConf) -> Vec<Diagnostic> {
        let mut whole = self.bundle_with_values(app, model, conf);
        if !self.complete {
            // The same fault in both keeps one place.
            let more = bundle::alone(model, self.zone);
            whole.retain(|old| !more.iter().any(|new| new.rule.name == old.rule.name));
            whole.extend(more);
            for path in model.coordinators.iter().filter_map(|coordinator| coordinator.app_path.as_ref()) {
                if !whole.iter().any(|known| overlaps(known.span, path.span) && known.stage.is_some()) {
                    whole.extend(self.of_other_kind(app, path, Kind::Coordinator));
                }
            }
        }
        whole
    }

    fn bundle_with_values(
        &self,
        app: &'l Loaded,
        model: &'l model::Bundle,
        conf: JobConf,
    ) -> Vec<Diagnostic> {
        let Some(root) = &app.definition.root else { return Vec::new() };
        let definition = bundle::Definition { root, text: &app.text, model };
        let values = self.values(app, &conf);
        app.judge(&values, &[]);
        self.parts.bundle(model, values.clone());
        let (submitted, findings) = bundle::submit(definition, conf, &app.default_file, self.zone);
        let mut findings = self.fitting(app, &values, findings);
        let Some(submitted) = submitted else {
            at_causes(app, &[], values.conf(), &mut findings);
            return findings;
        };
        let started = bundle::start(&submitted, &|path| self.misses_coordinator(path, &app.path));
        findings.extend(self.fitting(app, &values, started.findings().cloned().collect()));
        for child in started.children.iter().filter(|child| child.is_enabled && child.findings.is_empty()) {
            if let Some(loaded) = self.library.find(&child.app_path, Kind::Coordinator, &app.path)
                && let Some(App::Coordinator(model)) = &loaded.definition.app
                && loaded.is_sound()
            {
                let said =
                    self.coordinator(loaded, model, child.conf.clone(), Some((&child.name, child.span)));
                // The bundle's start submits the coordinator.
                findings.extend(said.into_iter().map(|finding| match finding.stage {
                    Some(Stage::Submit) => finding.stage(Some(Stage::Start)),
                    _ => finding,
                }));
            }
        }
        at_causes(app, &[], values.conf(), &mut findings);
        findings
    }

    /// Why an application path leads to no coordinator, if so.
    pub fn misses_coordinator(&self, uri: &str, near: &Path) -> Option<Astray> {
        match self.library.resolve(uri, Kind::Coordinator, near) {
            Ok(found) => {
                found.doubt(uri, Kind::Coordinator).or_else(|| found.file(uri, Kind::Coordinator).err())
            }
            Err(_) => Some(Astray::unknown(uri, Kind::Coordinator)),
        }
    }

    /// What is said of a coordinator whose workflow is not found. That the project does not hold it is worth a word
    /// only where all parameters are known.
    fn workflow_not_found(&self, app: &Loaded, model: &model::Coordinator, uri: &str) -> Option<Diagnostic> {
        let written = model.action.as_ref()?.app_path.as_ref()?;
        let found = self.library.resolve(uri, Kind::Workflow, &app.path).ok()?;
        let reason = found.doubt(uri, Kind::Workflow).or_else(|| found.file(uri, Kind::Workflow).err())?;
        let is_told = self.complete || !matches!(reason.why, Why::Unknown | Why::Likely);
        is_told.then(|| astray(&reason.as_written(&written.value), written.span))
    }

    /// What is said of a path whose end leads to an app of another kind, while it is not known how it begins.
    fn of_other_kind(&self, app: &Loaded, path: &Text, kind: Kind) -> Option<Diagnostic> {
        if self.complete || !path.value.contains("${") {
            return None;
        }
        let uri = path.value.trim();
        let found = self.library.resolve(uri, kind, &app.path).ok()?;
        let reason = found.doubt(uri, kind).or_else(|| found.file(uri, kind).err())?;
        let is_told = matches!(reason.why, Why::OtherKind | Why::Unclear);
        let found = is_told.then(|| astray(&reason, path.trimmed().span))?;
        Some(match kind {
            Kind::Coordinator if reason.why == Why::Unclear => {
                Diagnostic { rule: &bundle::BUNDLE_COORDINATOR_MISSING, ..found }
            }
            Kind::Coordinator => {
                let found = Diagnostic { rule: &bundle::BUNDLE_COORDINATOR_MISSING, ..found };
                found.stage(Some(Stage::Start))
            }
            _ => found,
        })
    }

    /// Submits a coordinator with the layers above its default file.
    pub fn submit_coordinator(
        &self,
        app: &'l Loaded,
        model: &'l model::Coordinator,
        mut conf: JobConf,
        bundle_name: Option<&str>,
    ) -> (Option<(coordinator::CoordinatorJob, JobConf)>, Vec<Diagnostic>) {
        let mut findings = coordinator::prepare(&mut conf, &app.default_file, model.name_span);
        let small = |number: i64| i32::try_from(number).unwrap_or(i32::MAX);
        let settings = coordinator::Settings {
            processing: self.zone,
            engine: conf.engine(),
            default_timeout_minutes: small(self.server.default_timeout),
            default_concurrency: small(self.server.default_concurrency),
            default_throttle: small(self.server.default_throttle),
            ..coordinator::Settings::default()
        };
        let mut include = |uri: &str| self.include(uri, &app.path);
        let submitted = coordinator::submit(model, &conf, bundle_name, &settings, &mut include);
        let refused = findings.iter().any(Program::refuses);
        findings.extend(submitted.findings);
        let missing = findings.iter().any(|finding| finding.rule.name == PARAMETER_UNDEFINED.name);
        if let Some(job) = submitted.refused.filter(|_| !missing) {
            // What the submission refuses is not told again in the words of a later stage.
            let places: BTreeSet<Span> = findings.iter().map(|finding| finding.span).collect();
            let more = job.faults_of_first_action().into_iter();
            findings.extend(more.filter(|finding| !places.contains(&finding.span)));
        }
        if let Some(job) = &submitted.job {
            findings.extend(self.workflow_not_found(app, model, &job.app_path));
        }
        (submitted.job.filter(|_| !refused).map(|job| (job, submitted.conf)), findings)
    }

    /// Whether a finding makes a server refuse the submission.
    pub fn refuses(finding: &Diagnostic) -> bool {
        finding.severity == Severity::Error && finding.stage == Some(Stage::Submit)
    }

    /// The files of datasets that a coordinator includes, those that they include too, as far as paths are known.
    fn included(&self, app: &Loaded, model: &model::Coordinator, values: &Values) -> Vec<&'l Datasets> {
        let mut files: Vec<&'l Datasets> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut open: Vec<String> = Vec::new();
        let paths = |datasets: &Datasets| -> Vec<String> {
            let known = |text| values.trimmed(text, Place::Coordinator);
            datasets.includes.iter().rev().filter_map(known).collect()
        };
        open.extend(paths(&model.datasets));
        while let Some(uri) = open.pop() {
            if !seen.insert(uri.clone()) || seen.len() > coordinator::MAX_INCLUDES {
                continue;
            }
            let Some(loaded) = self.library.find(&uri, Kind::Datasets, &app.path) else { continue };
            if let Some(App::Datasets(datasets)) = &loaded.definition.app {
                open.extend(paths(datasets));
                files.push(datasets);
            }
        }
        files
    }

    /// The file of datasets that an `include` leads to.
    fn include(&self, uri: &str, near: &Path) -> Result<coordinator::Included, coordinator::IncludeError> {
        let loaded = self.library.follow(uri, Kind::Datasets, near);
        let loaded = loaded.map_err(coordinator::IncludeError::Astray)?;
        let found = self.library.resolve(uri, Kind::Datasets, near).ok();
        let doubt = found.and_then(|found| found.doubt(uri, Kind::Datasets));
        match &loaded.definition.root {
            Some(root) => Ok(coordinator::Included::new(root).doubted(doubt)),
            None => Err(coordinator::IncludeError::Malformed(loaded.definition.findings.clone())),
        }
    }

    /// What may be said: everything when all parameters are known, else what does not depend on the missing ones.
    fn fitting(&self, app: &Loaded, values: &Values, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        if self.complete || findings.is_empty() {
            return findings;
        }
        let open = app.definition.app.as_ref().map(|app| open_places(app, values)).unwrap_or_default();
        let (mut kept, rest) = supplied_later(findings);
        let depends = |span: Span| open.iter().any(|place| overlaps(*place, span));
        kept.extend(rest.into_iter().filter(|finding| {
            !depends(finding.span) && !finding.labels.iter().any(|label| depends(label.span))
        }));
        kept
    }
}

/// Moves findings about values to where the values are given; `included` are the files of datasets of a coordinator.
fn at_causes(app: &Loaded, included: &[&Datasets], conf: &JobConf, findings: &mut [Diagnostic]) {
    let Some(definition) = &app.definition.app else { return };
    let all = || {
        let included = included.iter().flat_map(|datasets| templates::of_datasets(datasets));
        templates::templates(definition).into_iter().chain(included).collect()
    };
    causes::to_values(findings, all, conf);
}

/// Whether a finding says that a file of datasets cannot be known, so that nothing can be said of its datasets.
fn is_include_unknown(finding: &Diagnostic, model: &model::Coordinator) -> bool {
    [PARAMETER_UNDEFINED.name, coordinator::DATASET_INCLUDE_MISSING.name].contains(&finding.rule.name)
        && model.datasets.includes.iter().any(|include| overlaps(include.span, finding.span))
}

/// The places of texts whose value depends on what is not known.
fn open_places(app: &App, values: &Values) -> Vec<Span> {
    let list = templates::templates(app);
    list.iter()
        .filter(|template| template.depends_on_parameters() && !values.knows(template))
        .map(|template| template.text.span)
        .collect()
}

/// Makes notes of findings about files that the project does not hold: what lies on the cluster alone is no fault, though
/// nothing can be planned without it.
pub fn as_may_be(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let noted = |finding: Diagnostic| match finding.is_of_project {
        true => finding.severity(Severity::Info).stage(None),
        false => finding,
    };
    findings.into_iter().map(noted).collect()
}
