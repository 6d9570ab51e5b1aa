//! Submitting an app, in one way for all commands: what a server would take of it, and why not.

use crate::analysis::parameters::{self, JobConf};
use crate::analysis::project::Kind;
use crate::diag::Diagnostic;
use crate::host::ShellError;
use crate::model::App;
use crate::plan::coordinator::{CoordinatorJob, PlanOptions, Present};
use crate::plan::{bundle, workflow};
use crate::shell::app::Chosen;
use crate::shell::check::program::{Program, workflow_conf, workflow_definition};
use crate::shell::library::Loaded;
use crate::time::Instant;

/// Which actions are wanted and what is known of the world.
#[derive(Debug, Default)]
pub struct Window {
    /// Only actions with this nominal time or a later one.
    pub from: Option<Instant>,
    /// Only actions with a nominal time before this.
    pub to: Option<Instant>,
    /// At most so many actions of each coordinator.
    pub next: Option<u64>,
    /// When actions are created.
    pub actual: Option<Instant>,
    /// When inputs are looked for.
    pub now: Option<Instant>,
    /// What exists.
    pub present: Option<Present>,
}

impl Window {
    /// The same, as a coordinator's plan takes it.
    pub fn options(&self) -> PlanOptions<'_> {
        PlanOptions {
            from: self.from,
            to: self.to,
            actual: self.actual,
            now: self.now,
            present: self.present.as_ref().map(|present| present as _),
            job_id: None,
        }
    }
}

/// An app that a server has taken.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum Submitted {
    /// A bundle and its start.
    Bundle(Box<bundle::Submitted>, bundle::Started),
    /// A coordinator and its configuration.
    Coordinator(Box<CoordinatorJob>, JobConf),
    /// A workflow.
    Workflow(Box<workflow::Submitted>),
}

/// Submits an app; nothing when a server would refuse it.
pub fn submit<'l>(
    program: &Program<'l, '_>,
    app: &'l Loaded,
    conf: JobConf,
) -> Result<(Option<Submitted>, Vec<Diagnostic>), ShellError> {
    let conf = conf.on(program.library.version()).in_zone(program.zone);
    match (&app.definition.app, &app.definition.root) {
        (Some(App::Workflow(model)), Some(_)) => {
            let definition = workflow_definition(program.library, app, model, &conf);
            let Some(definition) = definition else { return Ok((None, Vec::new())) };
            let (submitted, findings) = workflow::submit(definition, conf);
            Ok((submitted.map(|submitted| Submitted::Workflow(Box::new(submitted))), findings))
        }
        (Some(App::Coordinator(model)), _) => {
            let (submitted, findings) = program.submit_coordinator(app, model, conf, None);
            Ok((submitted.map(|(job, conf)| Submitted::Coordinator(Box::new(job), conf)), findings))
        }
        (Some(App::Bundle(model)), Some(root)) => {
            let definition = bundle::Definition { root, text: &app.text, model };
            let (submitted, findings) = bundle::submit(definition, conf, &app.default_file, program.zone);
            let started = |submitted: bundle::Submitted| {
                let started = bundle::start(&submitted, &|path| program.misses_coordinator(path, &app.path));
                Submitted::Bundle(Box::new(submitted), started)
            };
            Ok((submitted.map(started), findings))
        }
        _ => {
            let path = crate::host::files::shown(&app.path);
            Err(ShellError::usage(format!("`{path}` is no bundle, coordinator or workflow")))
        }
    }
}

/// An app that a server takes, and what is to be said of it all the same; else why it is refused.
pub type Accepted<'l> = Result<(&'l Loaded, Submitted, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Reads and submits an app that was chosen.
pub fn accept<'l>(program: &Program<'l, '_>, chosen: Chosen) -> Result<Accepted<'l>, ShellError> {
    let library = program.library;
    library.veil_given(&chosen.conf);
    let mut findings = chosen.findings;
    findings.extend(parameters::not_awaited(&chosen.conf));
    let Some(path) = chosen.definition.as_deref() else { return Ok(Err(findings)) };
    let loaded = library.load(path)?;
    if loaded.definition.root.is_none() {
        // What the reader says is all that can be said.
        findings.extend(loaded.findings());
        return Ok(Err(findings));
    }
    let as_written = program.as_written(loaded, &chosen.conf);
    let is_refused = |findings: &[Diagnostic]| findings.iter().any(Program::refuses);
    let (submitted, more) = match is_refused(&findings) || is_refused(&as_written) {
        true => (None, Vec::new()),
        false => submit(program, loaded, chosen.conf.clone())?,
    };
    let submitted = match submitted {
        Some(submitted) if !is_refused(&more) => submitted,
        _ => {
            findings.extend(program.judge(loaded, chosen.conf));
            return Ok(Err(findings));
        }
    };
    findings.extend(more);
    findings.extend(as_written);
    findings.extend(library.findings());
    library.finish()?;
    Ok(if is_refused(&findings) { Err(findings) } else { Ok((loaded, submitted, findings)) })
}

/// The configurations that an app works with, each with the words for whose it is, from the outside in.
pub fn configurations<'l>(
    submitted: &Submitted,
    program: &Program<'l, '_>,
    app: &'l Loaded,
    window: &Window,
) -> Vec<(String, JobConf)> {
    let of_workflow = |job: &CoordinatorJob, conf: &JobConf, loaded: &Loaded| {
        let Some(App::Coordinator(model)) = &loaded.definition.app else { return None };
        let action = job.actions(window.options()).next()?.ok()?;
        let words = format!("workflow of coordinator {}, first action", job.name);
        Some((words, workflow_conf(&action, conf, model)?))
    };
    match submitted {
        Submitted::Workflow(submitted) => {
            vec![(format!("workflow {}", submitted.name), submitted.conf.clone())]
        }
        Submitted::Coordinator(job, conf) => {
            let own = (format!("coordinator {}", job.name), conf.clone());
            [own].into_iter().chain(of_workflow(job, conf, app)).collect()
        }
        Submitted::Bundle(bundle, started) => {
            let mut confs = vec![(format!("bundle {}", bundle.name), bundle.conf.clone())];
            for child in &started.children {
                let loaded = program.library.find(&child.app_path, Kind::Coordinator, &app.path);
                let job = loaded.and_then(|loaded| {
                    let Some(App::Coordinator(model)) = &loaded.definition.app else { return None };
                    let submitted =
                        program.submit_coordinator(loaded, model, child.conf.clone(), Some(&child.name)).0;
                    submitted.map(|(job, conf)| (loaded, job, conf))
                });
                match job {
                    None => confs.push((format!("coordinator {}", child.name), child.conf.clone())),
                    Some((loaded, job, conf)) => {
                        let below = of_workflow(&job, &conf, loaded);
                        confs.push((format!("coordinator {}", child.name), conf));
                        confs.extend(below);
                    }
                }
            }
            confs
        }
    }
}
