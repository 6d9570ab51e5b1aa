//! `ankus job ID rerun`: what is run again, with which properties, and from which definition.

use crate::shell::submission;
use std::sync::Arc;

use super::job::Named;
use crate::analysis::parameters::{Given, JobConf, Layer};
use crate::cli::output;
use crate::engine::{ActionsRerun, BundleRerun, Conf, Event, JobKind, Scope, WorkflowRerun};
use crate::execute::clock::SystemClock;
use crate::execute::open::Place;
use crate::execute::requests::Request;
use crate::execute::rows;
use crate::host::ShellError;
use crate::host::files;
use crate::shell::Context;
use crate::shell::Status;
use crate::shell::app::Chosen;
use crate::shell::check::program::Program;
use crate::shell::library::Library;
use crate::shell::parameters;
use crate::source::Sources;

/// The nodes of a workflow that are not run again.
const SKIP_NODES: &str = "oozie.wf.rerun.skip.nodes";

/// Whether only failed nodes are run again.
const FAIL_NODES: &str = "oozie.wf.rerun.failnodes";

/// The property that leads to a workflow.
const APP_PATH: &str = "oozie.wf.application.path";

/// The arguments of `rerun`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Actions of a coordinator by number, such as 3-5,8
    #[arg(long, value_name = "NUMBERS", visible_alias = "action", conflicts_with = "date")]
    actions: Option<String>,
    /// Actions of a coordinator, or of those of a bundle, by nominal time: T1::T2,T3
    #[arg(long, value_name = "DATES", visible_alias = "dates")]
    date: Option<String>,
    /// Coordinators of a bundle, with commas between [default: all]
    #[arg(long, value_name = "NAMES", visible_alias = "coordinator", value_delimiter = ',')]
    coordinators: Vec<String>,
    /// Nodes of a workflow that are not run again, with commas between (oozie.wf.rerun.skip.nodes)
    #[arg(long, value_name = "NODES", value_delimiter = ',')]
    skip: Option<Vec<String>>,
    /// Only what failed; of a workflow: oozie.wf.rerun.failnodes
    #[arg(long)]
    failed: bool,
    /// Leave outputs where they are
    #[arg(long)]
    nocleanup: bool,
    /// Work out inputs once more
    #[arg(long)]
    refresh: bool,
    /// Run the definition of a workflow that was kept, and not what its file holds now
    #[arg(long)]
    kept: bool,
    /// Execute it at once, as `ankus run` does
    #[arg(long)]
    pub and_run: bool,
}

/// Properties that the command line gives; later ones win.
fn own(place: &Place, context: &Context) -> Result<Vec<(String, String)>, ShellError> {
    if !parameters::any(&context.common) {
        return Ok(Vec::new());
    }
    let mut sources = Sources::new();
    let (given, _) = parameters::submission(&context.common, &place.config, None, &mut sources)?;
    let lists = given.files.into_iter().chain([given.profile, given.definitions]);
    Ok(lists.flatten().map(|given| (given.name, given.value)).collect())
}

/// What does not belong to a kind of job is refused, rather than left aside.
fn only_for(args: &Args, kind: JobKind) -> Result<(), ShellError> {
    use JobKind::{Bundle, Coordinator, Workflow};
    let options: [(&str, bool, &[JobKind]); 8] = [
        ("--actions", args.actions.is_some(), &[Coordinator]),
        ("--date", args.date.is_some(), &[Coordinator, Bundle]),
        ("--coordinators", !args.coordinators.is_empty(), &[Bundle]),
        ("--skip", args.skip.is_some(), &[Workflow]),
        ("--failed", args.failed, &[Workflow, Coordinator]),
        ("--nocleanup", args.nocleanup, &[Coordinator, Bundle]),
        ("--refresh", args.refresh, &[Coordinator, Bundle]),
        ("--kept", args.kept, &[Workflow]),
    ];
    match options.iter().find(|(_, is_given, kinds)| *is_given && !kinds.contains(&kind)) {
        None => Ok(()),
        Some((option, ..)) => {
            Err(ShellError::usage(format!("`{option}` does not belong to the rerun of a {}", kind.word())))
        }
    }
}

/// What an operator wants; nothing when the app was refused and that was told.
pub fn request(
    place: &Place,
    named: &Named,
    args: &Args,
    context: &mut Context,
) -> Result<Option<Request>, ShellError> {
    let id = named.row.id;
    only_for(args, id.kind)?;
    if let (Some(part), true) = (&named.part, id.kind != JobKind::Coordinator) {
        return Err(ShellError::usage(format!("this is for a whole job; leave `@{part}` away")));
    }
    let own = own(place, context)?;
    let find =
        |name: &str| own.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let conf = (!own.is_empty()).then(|| Conf::new(own.clone()));
    let (nocleanup, refresh) = (args.nocleanup, args.refresh);
    match id.kind {
        JobKind::Workflow => {
            // Nothing between commas is no node: `--skip ''` runs all again.
            let names = |text: &str| {
                text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(Arc::from).collect()
            };
            let skip = match &args.skip {
                Some(skip) => Some(names(&skip.join(","))),
                None => find(SKIP_NODES).map(names),
            };
            let failed = args.failed || find(FAIL_NODES).is_some_and(|value| value.trim() == "true");
            let reads = !args.kept;
            if reads && !is_accepted(place, named, conf.as_ref(), context)? {
                return Ok(None);
            }
            let event = Event::RerunWorkflow(id, WorkflowRerun { skip, failed, conf, program: None });
            Ok(Some(Request { reads, ..event.into() }))
        }
        JobKind::Coordinator => {
            let scope = match (&args.actions, &args.date, &named.part) {
                (Some(actions), ..) => Scope::Numbers(actions.as_str().into()),
                (None, Some(dates), _) => Scope::Dates(dates.as_str().into()),
                (None, None, Some(part)) => Scope::Numbers(part.as_str().into()),
                (None, None, None) => {
                    return Err(ShellError::usage("say which actions run again: `--actions` or `--date`"));
                }
            };
            let rerun = ActionsRerun { scope, nocleanup, refresh, failed: args.failed, conf };
            Ok(Some(Event::RerunActions(id, rerun).into()))
        }
        JobKind::Bundle => {
            if conf.is_some() {
                let words = "a rerun of a bundle takes no properties; run actions of its coordinators again";
                return Err(ShellError::usage(words));
            }
            // A server takes both, and does nothing.
            if args.coordinators.is_empty() && args.date.is_none() {
                let words = "name what runs again: `--coordinators` or `--date`";
                return Err(ShellError::usage(words));
            }
            let view = place.view(place.read()?, named.row.root, &SystemClock)?;
            if let Some(bundle) = view.engine().bundle(id) {
                let has = |name: &&String| bundle.program.children.iter().any(|child| *child.name == ***name);
                if let Some(name) = args.coordinators.iter().find(|name| !has(name)) {
                    return Err(ShellError::usage(format!("the bundle has no coordinator `{name}`")));
                }
            }
            let coordinators = args.coordinators.iter().map(|name| Arc::from(name.as_str())).collect();
            let dates = args.date.as_deref().map(Arc::from);
            Ok(Some(Event::RerunBundle(id, BundleRerun { coordinators, dates, nocleanup, refresh }).into()))
        }
    }
}

/// Whether a server would take the workflow as its file is now; says why not.
fn is_accepted(
    place: &Place,
    named: &Named,
    own: Option<&Conf>,
    context: &mut Context,
) -> Result<bool, ShellError> {
    if own.is_some_and(|own| own.raw(APP_PATH).is_some()) {
        // Where that leads to is found, and judged, with the job's own place in view.
        return Ok(true);
    }
    let view = place.view(place.read()?, named.row.root, &SystemClock)?;
    let id = named.row.id;
    let key = rows::key_of(view.engine(), id).cloned().unwrap_or_default();
    let Some(path) = view.deployed().path(&key).filter(|path| files::is_file(path)) else {
        let words =
            format!("the definition `{}` is gone; `--kept` runs what was kept of it", named.row.app_path);
        return Err(ShellError::usage(words));
    };
    let old = view.engine().conf_of(id).unwrap_or_default();
    let mut conf = JobConf::new().on(place.version).in_zone(place.zone);
    for values in [Some(&*old), own].into_iter().flatten() {
        // A run takes what may be handed down to a workflow, and so does what runs it again.
        let values = values.all().into_iter().filter(|(name, _)| *name != APP_PATH);
        conf.set_all(&Layer::File, values.map(|(name, value)| Given::new(name, value)));
    }
    let project = place.whole_project();
    let library = Library::new(&project, Sources::new()).with_version(place.version);
    let program = Program::new(&library, place.zone);
    let chosen = Chosen { definition: Some(path), conf, findings: Vec::new(), properties: None };
    match submission::accept(&program, chosen)? {
        Ok(_) => Ok(true),
        Err(findings) => {
            let status = output::refuse(&findings, &library, output::Format::Full, context)?;
            debug_assert!(status != Status::Clean);
            Ok(false)
        }
    }
}
