//! `ankus export`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::cli::output::{self, remark};
use crate::export::airflow::{self, Export, Options, WorkflowInput};
use crate::host::{ShellError, files, io};
use crate::model::App;
use crate::plan::workflow;
use crate::shell::check::program::{Program, workflow_definition};
use crate::shell::config::Config;
use crate::shell::library::{Library, Loaded};
use crate::shell::project::Project;
use crate::shell::submission::{self, Submitted};
use crate::shell::{Context, Status, app, times};
use crate::source::{Sources, Span};

/// The arguments of `ankus export`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What it is exported to
    #[command(subcommand)]
    target: Target,
}

/// What an app is exported to.
#[derive(Debug, clap::Subcommand)]
enum Target {
    /// Write DAG files for Apache Airflow 3, with tests that prove them
    Airflow(AirflowArgs),
}

/// The arguments of `ankus export airflow`.
#[derive(Debug, clap::Args)]
struct AirflowArgs {
    /// Folders, definitions, or properties files that lead to workflows
    #[arg(value_name = "APP", required_unless_present = "verify")]
    apps: Vec<PathBuf>,
    /// The folder to write to
    #[arg(short, long, value_name = "DIR", required_unless_present = "verify")]
    output: Option<PathBuf>,
    /// Exit with 1 and write nothing when something cannot be expressed
    #[arg(long)]
    deny_losses: bool,
    /// Overwrite files that were edited
    #[arg(long)]
    force: bool,
    /// How the account is printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: FormatArg,
    /// Prove an export with an installed Airflow
    #[arg(long, value_name = "DIR", conflicts_with_all = ["apps", "output"])]
    verify: Option<PathBuf>,
    /// The Python that has Apache Airflow
    #[arg(long, value_name = "PATH", default_value = "python3", requires = "verify")]
    python: PathBuf,
    /// What to prove: 1 that files import, 2 also what runs do
    #[arg(long, value_name = "N", default_value = "2", requires = "verify", value_parser = clap::value_parser!(u8).range(1..=2))]
    level: u8,
}

/// How the account is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// For people
    Text,
    /// One document
    Json,
}

/// Runs `ankus export`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let Target::Airflow(args) = args.target;
    match &args.verify {
        Some(folder) => verify(folder, &args, context),
        None => write(&args, context),
    }
}

fn write(args: &AirflowArgs, context: &mut Context) -> Result<Status, ShellError> {
    let folder = args.output.as_deref().unwrap_or(Path::new("."));
    let common = context.common.clone();
    let first = &args.apps[0];
    let config = Config::find(common.config.as_deref(), first)?;
    let version = config.version(common.oozie_version.as_deref())?;
    let zone = config.zone()?;
    let now = times::option("--now", common.now.as_deref(), zone)?;
    let project = Project::of(first, &config);
    let mut sources = Sources::new();
    let chosen: Vec<_> = args
        .apps
        .iter()
        .map(|app| app::choose(app, &common, &config, &project, &mut sources))
        .collect::<Result<_, _>>()?;
    let library = Library::new(&project, sources).with_version(version);
    let library = library.ignoring_forks(!config.server().validate_fork_join);
    let program = Program { now, server: config.server().clone(), ..Program::new(&library, zone) };
    let mut inputs = Inputs { program: &program, list: Vec::new(), known: BTreeMap::new() };
    for (chosen, app) in chosen.into_iter().zip(&args.apps) {
        let (loaded, submitted, findings) = match submission::accept(&program, chosen)? {
            Ok(accepted) => accepted,
            Err(findings) => return output::refuse(&findings, &library, output::Format::Full, context),
        };
        remark(&findings, &library, context)?;
        match submitted {
            Submitted::Workflow(submitted) => inputs.add(loaded, *submitted)?,
            Submitted::Coordinator(..) | Submitted::Bundle(..) => {
                let app = files::shown(app);
                return Err(ShellError::usage(format!(
                    "`{app}` is not a workflow; only workflows are exported so far"
                )));
            }
        }
    }
    library.finish()?;
    let place = |span: Span| {
        let sources = library.sources();
        let position = sources.position(span.file, span.start);
        format!("{}:{}", sources.path(span.file), position.line)
    };
    let exported = airflow::export(&inputs.list, Options::default(), &place)
        .map_err(|fault| ShellError::usage(fault.to_string()))?;
    let is_denied = args.deny_losses && !exported.losses.is_empty();
    if !is_denied {
        store(&exported, folder, args.force)?;
    }
    account(&exported, folder, args.format, is_denied, &place, context)?;
    Ok(if is_denied { Status::Findings } else { Status::Clean })
}

/// The workflows to export, each after those that it runs.
struct Inputs<'i, 'l, 'p> {
    program: &'i Program<'l, 'p>,
    list: Vec<WorkflowInput<'l>>,
    /// The places of those that are in the list, by the address of their file's text.
    known: BTreeMap<*const u8, usize>,
}

/// A workflow whose sub-workflows are being added.
struct Open<'l> {
    input: WorkflowInput<'l>,
    /// The sub-workflow actions that are left, with what each runs.
    left: Vec<(String, workflow::Definition<'l>, workflow::Submitted)>,
    /// The action that the next finished workflow belongs to.
    waits: Option<String>,
}

impl<'l> Inputs<'_, 'l, '_> {
    /// Adds a workflow and all below it.
    fn add(&mut self, app: &'l Loaded, submitted: workflow::Submitted) -> Result<(), ShellError> {
        let Some(App::Workflow(model)) = &app.definition.app else { return Ok(()) };
        let definition = workflow_definition(self.program.library, app, model, &submitted.conf);
        let Some(definition) = definition else { return Ok(()) };
        if self.known.contains_key(&definition.text.as_ptr()) {
            return Ok(());
        }
        let mut stack = vec![self.open(definition, submitted, &app.path)];
        while let Some(mut top) = stack.pop() {
            if let Some((node, definition, submitted)) = top.left.pop() {
                if let Some(known) = self.known.get(&definition.text.as_ptr()) {
                    top.input.children.insert(node, *known);
                    stack.push(top);
                    continue;
                }
                let is_open =
                    |open: &Open<'l>| open.input.definition.text.as_ptr() == definition.text.as_ptr();
                if is_open(&top) || stack.iter().any(is_open) {
                    return Err(ShellError::usage(format!(
                        "`{node}` in `{}` runs a workflow above it",
                        top.input.path
                    )));
                }
                top.waits = Some(node);
                stack.push(top);
                stack.push(self.open(definition, submitted, &app.path));
                continue;
            }
            let place = self.list.len();
            self.known.insert(top.input.definition.text.as_ptr(), place);
            self.list.push(top.input);
            if let Some(above) = stack.last_mut()
                && let Some(node) = above.waits.take()
            {
                above.input.children.insert(node, place);
            }
        }
        Ok(())
    }

    fn open(
        &self,
        definition: workflow::Definition<'l>,
        submitted: workflow::Submitted,
        near: &Path,
    ) -> Open<'l> {
        // Looking for sub-workflows reads more files, so nothing may hold on to those that are there.
        let path = self.program.library.sources().path(definition.model.name_span.file).to_owned();
        let find = |uri: &str| self.program.find_workflow(uri, near, &submitted.conf);
        let mut left = Vec::new();
        for node in workflow::plan(definition, &submitted, &find).nodes {
            let child = node
                .action
                .and_then(|action| action.child)
                .and_then(|child| Some((child.app_path, child.plan?)));
            if let Some((uri, plan)) = child
                && let Ok(lead) = find(&uri)
            {
                let (submitted, _) = workflow::resolve(lead.definition, plan.parameters);
                left.push((node.name, lead.definition, submitted));
            }
        }
        left.reverse();
        let input = WorkflowInput { definition, submitted, path, children: BTreeMap::new() };
        Open { input, left, waits: None }
    }
}

/// Writes the files; none where one was edited.
fn store(exported: &Export, folder: &Path, force: bool) -> Result<(), ShellError> {
    for file in exported.files.iter().filter(|_| !force) {
        let path = folder.join(&file.path);
        let Ok(old) = std::fs::read_to_string(&path) else { continue };
        if old != file.text && !file.path.ends_with(".json") && !airflow::is_untouched(&old) {
            let path = files::shown(&path);
            return Err(ShellError::usage(format!("`{path}` was edited; move it away or use `--force`")));
        }
    }
    for file in &exported.files {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            let fault = |source| ShellError::Write { path: parent.to_owned(), source };
            std::fs::create_dir_all(parent).map_err(fault)?;
        }
        io::exact_file(&path, file.text.as_bytes())?.finish()?;
    }
    Ok(())
}

fn account(
    exported: &Export,
    folder: &Path,
    format: FormatArg,
    is_denied: bool,
    place: airflow::Source<'_>,
    context: &mut Context,
) -> Result<(), ShellError> {
    let (dags, tasks, runs) = exported.counts;
    let out = &mut context.io.out;
    match format {
        FormatArg::Json => {
            let loss = |(dag, loss): &(String, airflow::Loss)| {
                serde_json::json!({
                    "dag": dag,
                    "loss": loss.kind.name,
                    "place": place(loss.span),
                    "subject": loss.subject,
                    "oozie": loss.kind.oozie,
                    "airflow": loss.kind.airflow,
                })
            };
            let files: Vec<&str> = exported.files.iter().map(|file| file.path.as_str()).collect();
            let document = serde_json::json!({
                "version": 1,
                "dags": dags,
                "tasks": tasks,
                "runsToCompare": runs,
                "files": if is_denied { Vec::new() } else { files },
                "losses": exported.losses.iter().map(loss).collect::<Vec<_>>(),
            });
            writeln!(out, "{}", serde_json::to_string_pretty(&document).unwrap_or_default())?;
        }
        FormatArg::Text => {
            for (dag, loss) in &exported.losses {
                writeln!(out, "{}: {} ({dag}): {}", place(loss.span), loss.kind.name, loss.subject)?;
            }
            let losses = exported.losses.len();
            let plural = |number: usize, word: &str| match number {
                1 => format!("1 {word}"),
                _ => format!("{number} {word}"),
            };
            let losses = match losses {
                1 => "1 loss".to_owned(),
                _ => format!("{losses} losses"),
            };
            let what = format!(
                "{}, {}, {losses}",
                plural(dags, if dags == 1 { "DAG" } else { "DAGs" }),
                plural(tasks, if tasks == 1 { "task" } else { "tasks" })
            );
            match is_denied {
                true => writeln!(out, "{what}; nothing was written")?,
                false => writeln!(
                    out,
                    "{what} in {}; prove it: ankus export airflow --verify {0}",
                    files::shown(folder)
                )?,
            }
        }
    }
    Ok(())
}

/// Runs the tests of an export by the Python that has Airflow.
fn verify(folder: &Path, args: &AirflowArgs, context: &mut Context) -> Result<Status, ShellError> {
    let test = folder.join("tests/test_export.py");
    if !test.is_file() {
        let folder = files::shown(folder);
        return Err(ShellError::usage(format!(
            "`{folder}` holds no export: `tests/test_export.py` is missing"
        )));
    }
    context.io.out.flush()?;
    let python = files::shown(&args.python);
    let cannot = |error: std::io::Error| ShellError::usage(format!("cannot run `{python}`: {error}"));
    let probe =
        std::process::Command::new(&args.python).args(["-c", "import airflow"]).output().map_err(cannot)?;
    if !probe.status.success() {
        return Err(ShellError::usage(format!(
            "`{python}` has no Apache Airflow; make an environment: python3 -m venv airflow && airflow/bin/pip install \
             apache-airflow==3.3.2, then use `--python airflow/bin/python`"
        )));
    }
    let output = std::process::Command::new(&args.python)
        .arg("-B")
        .arg(&test)
        .arg(format!("--level={}", args.level))
        .stderr(std::process::Stdio::piped())
        .output()
        .map_err(cannot)?;
    context.io.out.write_all(&output.stdout)?;
    match output.status.code() {
        Some(0) => Ok(Status::Clean),
        Some(1) if String::from_utf8_lossy(&output.stdout).contains("differences") => Ok(Status::Findings),
        _ => {
            context.io.err.write_all(&output.stderr)?;
            Err(ShellError::usage(format!("`{}` did not come to an end", files::shown(&test))))
        }
    }
}
