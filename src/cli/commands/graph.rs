//! `ankus graph`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::analysis::parameters::JobConf;
use crate::analysis::project::Kind;
use crate::analysis::subject;
use crate::cli::output;
use crate::diag::Diagnostic;
use crate::host::{ShellError, discovery, files, overlay, packages};
use crate::model::App;
use crate::redact::{self, Redactor};
use crate::report::findings::{Findings, Style};
use crate::report::graph::{self, Direction, Graph, dot, lineage, mermaid, svg, workflow};
use crate::report::text;
use crate::shell::Context;
use crate::shell::Status;
use crate::shell::app;
use crate::shell::check::program::Program;
use crate::shell::config::Config;
use crate::shell::library::{Library, Loaded};
use crate::shell::lineage::{coordinator, fill, of_bundle};
use crate::shell::parameters;
use crate::shell::project::Project;
use crate::shell::schedules;
use crate::source::Sources;

/// The arguments of `ankus graph`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A folder, a definition, a properties file that leads to one, or a file of schedules
    #[arg(value_name = "APP")]
    app: PathBuf,
    /// How the picture is written [default: by the extension of the output, else svg]
    #[arg(long, value_name = "FORMAT")]
    format: Option<FormatArg>,
    /// Where the picture leads [default: down; to the right where a coordinator has many datasets]
    #[arg(long, value_name = "DIRECTION")]
    direction: Option<DirectionArg>,
    /// Show passwords, tokens and the like as they are
    #[arg(long)]
    show_secrets: bool,
    /// Write the picture to a file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// How the picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// A picture that browsers show
    Svg,
    /// For Graphviz
    Dot,
    /// For Mermaid
    Mermaid,
}

/// Where the picture leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DirectionArg {
    /// From top to bottom
    Down,
    /// From left to right
    Right,
}

/// What is drawn.
enum Subject {
    /// One definition with what it is submitted with.
    One(PathBuf, JobConf),
    /// The bundles and coordinators of a folder, each with its own.
    Estate(Vec<(PathBuf, JobConf)>),
}

/// Runs `ankus graph`.
pub fn run(mut args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let package = packages::open_app(&mut args.app)?;
    overlay::with(package, || within(args, context))
}

fn within(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let common = context.common.clone();
    let config = Config::find(common.config.as_deref(), &args.app)?;
    config.version(common.oozie_version.as_deref())?;
    let zone = config.zone()?;
    let project = Project::of(&args.app, &config);
    let mut sources = Sources::new();
    let files = schedules::files_of(&args.app)?;
    if !files.is_empty() {
        return of_schedules(&args, &files, &config, &project, context);
    }
    let (mut subjects, mut findings) = (Vec::new(), Vec::new());
    let several = estate(&args.app, context, &config, &project)?;
    let is_several = !several.is_empty();
    let chosen = if is_several { several } else { vec![(args.app.clone(), None)] };
    for (argument, expected) in chosen {
        let mut chosen = app::choose(&argument, &common, &config, &project, &mut sources)?;
        // The properties beside a coordinator may be those of another app.
        let leads_to = |path: &PathBuf| {
            chosen.definition.as_deref().is_some_and(|found| files::absolute(found) == files::absolute(path))
        };
        if let Some(path) = expected.filter(|path| !leads_to(path)) {
            chosen = app::choose(&path, &common, &config, &project, &mut sources)?;
        }
        if let Some(file) = chosen.properties.as_deref().filter(|file| **file != *argument && !common.quiet) {
            writeln!(context.io.err, "with the properties of {}", files::shown(file))?;
        }
        context.spare(args.output.as_deref(), chosen.definition.iter().chain(&chosen.properties))?;
        findings.extend(chosen.findings);
        subjects.extend(chosen.definition.map(|path| (path, chosen.conf)));
    }
    context.announce(subjects.iter().map(|(path, _)| path.as_path()))?;
    // Names are no secrets; what parameters put into labels may be, and labels are shortened.
    let mut redactor = Redactor::default();
    subjects.iter().for_each(|(_, conf)| redactor.learn_all(conf.iter()));
    for (_, conf) in subjects.iter_mut().filter(|_| !args.show_secrets) {
        *conf = redact::masked(conf);
    }
    let library = Library::new(&project, sources);
    let program = Program::new(&library, zone);
    let subject = match subjects.pop() {
        None => return refuse(&findings, &library, context),
        Some((path, conf)) if !is_several => Subject::One(path, conf),
        Some(last) => {
            subjects.push(last);
            Subject::Estate(subjects)
        }
    };
    let mut graph = match subject {
        Subject::One(path, conf) => {
            let loaded = library.load(&path)?;
            let Some(graph) = of_app(&program, loaded, conf)? else {
                findings.extend(loaded.findings());
                return refuse(&findings, &library, context);
            };
            graph
        }
        Subject::Estate(list) => {
            let title = format!("folder {}", files::shown(&args.app));
            of_estate(&program, &title, list)?
        }
    };
    for loaded in library.all() {
        redactor.learn_definition(&loaded.text);
        redactor.learn_names(&loaded.path.to_string_lossy(), || redact::names::names_in(&loaded.text));
    }
    for loaded in library.all() {
        redactor.keep_name(files::shown(&loaded.path));
    }
    if !args.show_secrets {
        graph.redact(&redactor);
    }
    library.finish()?;
    match args.direction {
        Some(DirectionArg::Down) => graph.direction = Direction::Down,
        Some(DirectionArg::Right) => graph.direction = Direction::Right,
        None => {}
    }
    write_graph(&graph, &args, context)
}

/// Draws the schedules of some files.
fn of_schedules(
    args: &Args,
    files: &[PathBuf],
    config: &Config,
    project: &Project,
    context: &mut Context,
) -> Result<Status, ShellError> {
    let mut sources = Sources::new();
    let (list, findings) = schedules::read(files, &mut sources)?;
    let library = Library::new(project, Sources::new());
    if list.is_empty() && !findings.is_empty() {
        let (down_to, color) = (output::down_to(context), context.color_err());
        let columns = output::columns(context.io.err_is_terminal);
        let mut shown = Findings::new(Style { drawn_down_to: Some(down_to), color, columns });
        shown.add(&sources, &findings);
        text::drawn(shown.down_to(down_to), color, &mut context.io.err)?;
        return Ok(Status::Findings);
    }
    let programs = schedules::programs(&list, config, project, &library)?;
    let title = format!("schedules of {}", files::shown(&args.app));
    let mut graph = graph::schedules::graph(&title, &list, &programs);
    if !args.show_secrets {
        let mut redactor = Redactor::default();
        let properties = list.iter().flat_map(|schedule| &schedule.properties);
        redactor.learn_all(
            properties.map(|property| (property.name.value.as_str(), property.value.value.as_str())),
        );
        graph.redact(&redactor);
    }
    match args.direction {
        Some(DirectionArg::Right) => graph.direction = Direction::Right,
        Some(DirectionArg::Down) | None => {}
    }
    write_graph(&graph, args, context)
}

/// Writes a picture to where it is asked for.
fn write_graph(graph: &Graph, args: &Args, context: &mut Context) -> Result<Status, ShellError> {
    let common = &context.common;
    let text = render(graph, args.format, args.output.as_deref());
    if matches!(format_of(args.format, args.output.as_deref()), FormatArg::Mermaid)
        && graph.edges.len() > mermaid::MAX_EDGES
        && !common.quiet
    {
        let (count, most) = (graph.edges.len(), mermaid::MAX_EDGES);
        writeln!(
            context.io.err,
            "{count} edges; viewers of Mermaid draw {most} unless `maxEdges` says more"
        )?;
    }
    let mut output = context.io.output(args.output.as_deref())?;
    output.write_all(text.as_bytes())?;
    output.finish()?;
    Ok(Status::Clean)
}

fn format_of(format: Option<FormatArg>, output: Option<&Path>) -> FormatArg {
    let of_extension = || match output.and_then(discovery::extension) {
        Some("dot" | "gv") => FormatArg::Dot,
        Some("mmd" | "mermaid") => FormatArg::Mermaid,
        _ => FormatArg::Svg,
    };
    format.unwrap_or_else(of_extension)
}

fn render(graph: &Graph, format: Option<FormatArg>, output: Option<&Path>) -> String {
    match format_of(format, output) {
        FormatArg::Svg => svg::render(graph),
        FormatArg::Dot => dot::render(graph),
        FormatArg::Mermaid => mermaid::render(graph),
    }
}

/// The bundles and coordinators below a folder that is not one app: the properties file that leads to each, or the file
/// itself, and its file. Nothing when the folder has an app of its own by a properties file.
fn estate(
    argument: &Path,
    context: &Context,
    config: &Config,
    project: &Project,
) -> Result<Vec<(PathBuf, Option<PathBuf>)>, ShellError> {
    if !argument.is_dir() {
        return Ok(Vec::new());
    }
    let found = discovery::candidates(argument)?.files;
    let has_parameters = parameters::any(&context.common);
    let names_app = |path: &&PathBuf| {
        discovery::extension(path) == Some("properties") && discovery::names_app(path) && !has_parameters
    };
    if found.iter().filter(names_app).any(|path| path.parent() == Some(argument)) {
        return Ok(Vec::new());
    }
    let (mut bundles, mut coordinators) = (Vec::new(), Vec::new());
    for path in found.iter().filter(|path| discovery::extension(path) == Some("xml")) {
        match discovery::kind(path) {
            Some(Kind::Bundle) => bundles.push(path),
            Some(Kind::Coordinator) => coordinators.push(path),
            _ => {}
        }
    }
    let is_one = app::is_one_app(argument)?;
    let given = match has_parameters {
        true => BTreeMap::new(),
        false => app::led_to(argument, &context.common, config, project)?,
    };
    if is_one && given.len() < 2 && (!bundles.is_empty() || coordinators.len() < 2) {
        return Ok(Vec::new());
    }
    let places =
        bundles.into_iter().chain(coordinators).map(|path| match given.get(&files::absolute(path)) {
            Some(properties) => (properties.clone(), Some(path.clone())),
            None => (path.clone(), None),
        });
    Ok(places.collect())
}

/// The picture of a definition; `None` when there is nothing to draw.
fn of_app<'l>(
    program: &Program<'l, '_>,
    app: &'l Loaded,
    mut conf: JobConf,
) -> Result<Option<Graph>, ShellError> {
    let named = |kind: &str, name: &Option<crate::source::Text>, conf: &JobConf| {
        let name = name.as_ref().map_or_else(String::new, |name| fill(&name.value, conf));
        format!("{kind} {name}")
    };
    Ok(Some(match &app.definition.app {
        Some(App::Workflow(model)) => {
            conf.inject_defaults(app.default_file.iter().cloned());
            let subject = subject::Workflow::new(model);
            workflow::graph(model, &subject.flow, &|text| fill(text, &conf))
        }
        Some(App::Coordinator(model)) => {
            let title = named("coordinator", &model.name, &conf);
            lineage::graph(&title, &[coordinator(program, app, model, conf, None)])
        }
        Some(App::Bundle(model)) => {
            let title = named("bundle", &model.name, &conf);
            lineage::graph(&title, &of_bundle(program, app, model, conf))
        }
        Some(App::Datasets(_)) => {
            let path = files::shown(&app.path);
            return Err(ShellError::usage(format!("`{path}` is no bundle, coordinator or workflow")));
        }
        None => return Ok(None),
    }))
}

/// The coordinators of several apps with the data between them; those of bundles once, as their bundles give them.
fn of_estate(
    program: &Program<'_, '_>,
    title: &str,
    list: Vec<(PathBuf, JobConf)>,
) -> Result<Graph, ShellError> {
    let mut coordinators: Vec<lineage::Coordinator> = Vec::new();
    for (path, conf) in list {
        let loaded = program.library.load(&path)?;
        match &loaded.definition.app {
            Some(App::Bundle(model)) => coordinators.extend(of_bundle(program, loaded, model, conf)),
            Some(App::Coordinator(model)) => {
                let file = files::shown(&loaded.path);
                if !coordinators.iter().any(|known| known.file.as_ref() == Some(&file)) {
                    coordinators.push(coordinator(program, loaded, model, conf, None));
                }
            }
            _ => {}
        }
    }
    Ok(lineage::graph(title, &coordinators))
}

/// Says on standard error why there is nothing to draw.
fn refuse(
    findings: &[Diagnostic],
    library: &Library<'_>,
    context: &mut Context,
) -> Result<Status, ShellError> {
    let (down_to, color) = (output::down_to(context), context.color_err());
    let mut list = Findings::new(Style {
        drawn_down_to: Some(down_to),
        color,
        columns: output::columns(context.io.err_is_terminal),
    });
    library.veil(findings);
    list.add(&library.sources(), findings);
    text::drawn(list.down_to(down_to), color, &mut context.io.err)?;
    Ok(Status::Findings)
}
