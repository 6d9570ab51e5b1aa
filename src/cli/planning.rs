//! Writing the plan of an app, action by action, so that a long plan needs no memory.

use std::io::Write;

use crate::analysis::parameters::JobConf;
use crate::analysis::project::Kind;
use crate::diag::{Diagnostic, Severity};
use crate::host::ShellError;
use crate::host::progress::Progress;
use crate::model::App;
use crate::plan::coordinator::CoordinatorJob;
use crate::plan::{bundle, workflow};
use crate::redact::{self, Redactor};
use crate::report::{plan_bundle, plan_csv, plan_json, plan_text, plan_workflow};
use crate::shell::check::program::{Program, workflow_definition};
use crate::shell::check::supply::to_supply;
use crate::shell::library::Loaded;
use crate::shell::submission::{Submitted, Window, submit};

/// How much is gathered before it is written.
const CHUNK_BYTES: usize = 128 * 1024;

/// More remarks than this are not kept; a plan of many actions may fail in each.
const MAX_REMARKS: usize = 200;

/// How a plan is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text {
        /// With everything that is folded otherwise.
        verbose: bool,
    },
    /// One document.
    Json,
    /// One action a line.
    Jsonl,
    /// A line for each URI, expression or property.
    Csv,
}

/// Writes one plan.
pub struct Planner<'a, 'l, 'p> {
    /// Where definitions come from.
    pub program: &'a Program<'l, 'p>,
    /// Which actions.
    pub window: &'a Window,
    /// In which form.
    pub format: Format,
    /// To where.
    pub out: &'a mut dyn Write,
    /// What went wrong on the way; an error makes the exit code 1.
    pub remarks: Vec<Diagnostic>,
    /// The names of coordinators without an action in the window.
    pub empty: Vec<String>,
    /// A coordinator of a bundle is not planned although it would run.
    pub is_partial: bool,
    /// What the plan must not show; none where somebody wants to see it all.
    pub redactor: Option<Redactor>,
    /// Says how far it has come; not where the plan itself goes by on the terminal.
    pub shows_progress: bool,
}

impl<'l> Planner<'_, 'l, '_> {
    /// Writes the plan of an app.
    pub fn write(&mut self, app: &'l Loaded, submitted: Submitted) -> Result<(), ShellError> {
        if self.format == Format::Csv && !matches!(submitted, Submitted::Workflow(_)) {
            self.out.write_all(plan_csv::HEADER.as_bytes())?;
        }
        self.learn(app);
        match submitted {
            Submitted::Coordinator(job, conf) => {
                let shown = self.without_secrets(app, &conf)?;
                let shown = shown.as_ref().and_then(|shown| match shown {
                    Submitted::Coordinator(job, _) => Some(&**job),
                    _ => None,
                });
                self.coordinator(&job, &conf, shown)
            }
            Submitted::Workflow(submitted) => self.workflow(app, &submitted),
            Submitted::Bundle(bundle, started) => {
                let shown = match self.without_secrets(app, &bundle.conf)? {
                    Some(Submitted::Bundle(_, shown)) if shown.children.len() == started.children.len() => {
                        Some(shown)
                    }
                    _ => None,
                };
                self.bundle(app, &bundle, &started, shown.as_ref())
            }
        }
    }

    /// The app as it is submitted without the values of secrets: what comes of them shows where they were put in. None
    /// where there are no secrets, or none is hidden, or the app is refused without them.
    fn without_secrets(&self, app: &'l Loaded, conf: &JobConf) -> Result<Option<Submitted>, ShellError> {
        if self.redactor.is_none() {
            return Ok(None);
        }
        let masked = redact::masked(conf);
        // What coordinators of a bundle are given may hold secrets of its own.
        if masked.iter().eq(conf.iter()) && !matches!(app.definition.app, Some(App::Bundle(_))) {
            return Ok(None);
        }
        Ok(submit(self.program, app, masked)?.0)
    }

    /// Takes in the names of a definition, which are no secrets.
    fn learn(&mut self, app: &Loaded) {
        if let Some(redactor) = &mut self.redactor {
            redactor.learn_names(&app.path.to_string_lossy(), || redact::names::names_in(&app.text));
        }
    }

    fn note(&mut self, finding: &Diagnostic) {
        let is_known = |old: &Diagnostic| old.span == finding.span && old.rule.name == finding.rule.name;
        if self.remarks.len() < MAX_REMARKS && !self.remarks.iter().any(is_known) {
            self.remarks.push(finding.clone());
        }
    }

    fn workflow(&mut self, app: &'l Loaded, submitted: &workflow::Submitted) -> Result<(), ShellError> {
        let Some(App::Workflow(model)) = &app.definition.app else { return Ok(()) };
        let program = self.program;
        let definition = workflow_definition(program.library, app, model, &submitted.conf);
        let Some(definition) = definition else { return Ok(()) };
        let find = |uri: &str| program.find_workflow(uri, &app.path, &submitted.conf);
        let mut plan = workflow::plan(definition, submitted, &find);
        let missing = plan.missing.iter().map(|(name, span)| (name.clone(), *span));
        for finding in to_supply(missing) {
            self.note(&finding.severity(Severity::Warning));
        }
        for finding in plan.findings() {
            self.note(finding);
        }
        if let Some(redactor) = &mut self.redactor {
            // Planned again without the values of secrets: what comes of them shows where they were put in, and nothing
            // else is hidden. Where the plan hangs on such a value it is another one, and texts are looked through.
            let mut masked = submitted.clone();
            masked.conf = redact::masked(&submitted.conf);
            let shown = workflow::plan(definition, &masked, &find);
            if shown.has_shape_of(&plan) {
                plan = shown;
            }
            for loaded in program.library.all() {
                let key = loaded.path.to_string_lossy();
                redactor.learn_names(&key, || redact::names::names_in(&loaded.text));
            }
            redactor.workflow(&mut plan);
        }
        let text = match self.format {
            Format::Text { verbose } => plan_workflow::text(&plan, verbose),
            Format::Json | Format::Jsonl => plan_workflow::json(&plan),
            Format::Csv => {
                return Err(ShellError::usage(
                    "a workflow has no plan in CSV; use `--format json` or `text`",
                ));
            }
        };
        Ok(self.out.write_all(text.as_bytes())?)
    }

    /// Writes the actions of a coordinator; `shown` is the same without the values of secrets.
    fn coordinator(
        &mut self,
        job: &CoordinatorJob,
        conf: &JobConf,
        shown: Option<&CoordinatorJob>,
    ) -> Result<(), ShellError> {
        let mut redactor = self.redactor.clone();
        let mut of_shown = redactor.clone();
        if let Some(redactor) = &mut redactor {
            redactor.learn_all(conf.iter());
        }
        let of_failures = redactor.clone();
        let mut text = String::with_capacity(2 * CHUNK_BYTES);
        match self.format {
            Format::Text { .. } => plan_text::summary(job, &mut text),
            Format::Json => plan_json::begin(job, &mut text),
            Format::Jsonl | Format::Csv => {}
        }
        let window = self.window;
        let options = window.options();
        let most = window.next.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
        let (mut failure, mut is_empty) = (None, true);
        let mut without = shown.map(|shown| shown.actions(options));
        let progress = Progress::through_time("planned", self.shows_progress);
        let from = window.from.map_or(job.start, |from| from.max(job.start));
        let to = window.to.map_or(job.end, |to| to.min(job.end));
        for (index, action) in job.actions(options).take(most).enumerate() {
            is_empty = false;
            let mut action = match action {
                Ok(action) => action,
                Err(error) => {
                    self.note(&error);
                    failure = Some(error);
                    break;
                }
            };
            if let Some(error) = &action.error {
                self.note(error);
            }
            // Most plans hold nothing secret, and pay nothing for it.
            redactor = redactor.filter(|redactor| index > 0 || redactor.concerns(&action));
            let shown = without.as_mut().and_then(Iterator::next).and_then(Result::ok);
            let shown = shown.and_then(|shown| redact::plan::alike(&action, shown));
            let used = if shown.is_some() { &mut of_shown } else { &mut redactor };
            action = shown.unwrap_or(action);
            if let Some(redactor) = used {
                redactor.action(&mut action);
            }
            match self.format {
                Format::Text { verbose } => plan_text::action(job, &action, verbose, &mut text),
                Format::Json => plan_json::action(job, &action, index == 0, &mut text),
                Format::Jsonl => plan_json::line(job, &action, &mut text),
                Format::Csv => plan_csv::action(job, &action, &mut text),
            }
            progress.at(action.nominal, from, to, || format!("`{}`", job.name));
            if text.len() >= CHUNK_BYTES {
                self.out.write_all(text.as_bytes())?;
                text.clear();
            }
        }
        if is_empty {
            self.empty.push(job.name.to_string());
        }
        if let (Some(redactor), Some(failure)) = (&of_failures, &mut failure) {
            failure.message = redactor.text(&failure.message).into_owned();
        }
        match (self.format, &failure) {
            (Format::Json, failure) => plan_json::end(failure.as_ref(), &mut text),
            (Format::Text { .. }, Some(error)) => plan_text::error(error, &mut text),
            (Format::Jsonl, Some(error)) => plan_json::error_line(job, error, &mut text),
            (Format::Csv, Some(error)) => plan_csv::error(job, error, &mut text),
            (_, None) => {}
        }
        Ok(self.out.write_all(text.as_bytes())?)
    }

    fn bundle(
        &mut self,
        app: &'l Loaded,
        bundle: &bundle::Submitted,
        started: &bundle::Started,
        without: Option<&bundle::Started>,
    ) -> Result<(), ShellError> {
        let mut text = String::new();
        let redacted = self.redactor.as_mut().map(|redactor| {
            redactor.learn_all(bundle.conf.iter());
            started.children.iter().for_each(|child| redactor.learn_all(child.conf.iter()));
            bundle::Submitted { conf: redact::masked(&bundle.conf), ..bundle.clone() }
        });
        let whole = bundle;
        let bundle = redacted.as_ref().unwrap_or(whole);
        match self.format {
            Format::Text { .. } => plan_bundle::summary(bundle, started, self.program.zone, &mut text),
            Format::Json => plan_bundle::begin(bundle, self.program.zone, &mut text),
            Format::Jsonl | Format::Csv => {}
        }
        for finding in started.findings() {
            self.note(finding);
        }
        for (index, child) in started.children.iter().enumerate() {
            let without = without.and_then(|without| without.children.get(index));
            let redacted = self.redactor.as_ref().map(|redactor| {
                let app_path = redactor.text(&child.app_path).into_owned();
                let conf =
                    without.map_or_else(|| redactor.conf(&child.conf), |child| redact::masked(&child.conf));
                bundle::Child { conf, app_path, ..child.clone() }
            });
            let shown = redacted.as_ref().unwrap_or(child);
            match self.format {
                Format::Text { verbose } => plan_bundle::child(bundle, shown, verbose, &mut text),
                Format::Json => plan_bundle::child_begin(shown, index == 0, &mut text),
                Format::Jsonl | Format::Csv => {}
            }
            self.out.write_all(std::mem::take(&mut text).as_bytes())?;
            let mut refusals = self.child(app, child, without.map(|child| &child.conf))?;
            if let Some(redactor) = &self.redactor {
                for finding in &mut refusals {
                    finding.message = redactor.text(&finding.message).into_owned();
                }
            }
            let all: Vec<&Diagnostic> = child.findings.iter().chain(&refusals).collect();
            match self.format {
                Format::Json => plan_bundle::child_end(&all, &mut text),
                Format::Text { .. } => {
                    for finding in &refusals {
                        text.push_str(&format!("  error: {}\n", finding.message));
                    }
                }
                Format::Jsonl | Format::Csv => {}
            }
        }
        if self.format == Format::Json {
            plan_bundle::end(started, &mut text);
        }
        Ok(self.out.write_all(text.as_bytes())?)
    }

    /// Writes the plan of a bundle's coordinator, or `null`; why there is none.
    fn child(
        &mut self,
        app: &'l Loaded,
        child: &bundle::Child,
        without: Option<&JobConf>,
    ) -> Result<Vec<Diagnostic>, ShellError> {
        let is_submitted = child.is_enabled && child.findings.is_empty();
        self.is_partial |= child.is_enabled && !is_submitted;
        let loaded = self.program.library.find(&child.app_path, Kind::Coordinator, &app.path);
        let mut refusals = Vec::new();
        if let (true, Some(loaded)) = (is_submitted, loaded)
            && let Some(App::Coordinator(model)) = &loaded.definition.app
        {
            let of_file = self.program.as_written(loaded, &child.conf);
            let (job, more) =
                self.program.submit_coordinator(loaded, model, child.conf.clone(), Some(&child.name));
            let findings: Vec<_> = of_file.into_iter().chain(more).collect();
            for finding in &findings {
                self.note(finding);
            }
            refusals = findings.into_iter().filter(Program::refuses).collect();
            self.learn(loaded);
            if let (true, Some((job, conf))) = (refusals.is_empty(), job) {
                let masked = self.redactor.is_some().then(|| redact::masked(without.unwrap_or(&conf)));
                let masked = masked.filter(|masked| !masked.iter().eq(conf.iter()));
                let shown = masked
                    .and_then(|masked| {
                        self.program.submit_coordinator(loaded, model, masked, Some(&child.name)).0
                    })
                    .map(|(job, _)| job);
                self.coordinator(&job, &conf, shown.as_ref())?;
                return Ok(refusals);
            }
        }
        if self.format == Format::Json {
            self.out.write_all(b"null")?;
        }
        Ok(refusals)
    }
}
