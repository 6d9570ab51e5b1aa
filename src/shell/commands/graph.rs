//! `ankus graph`.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::analysis::parameters::JobConf;
use crate::analysis::project::Kind;
use crate::analysis::subject;
use crate::diag::Diagnostic;
use crate::model::App;
use crate::redact::{self, Redactor};
use crate::report::findings::{Findings, Style};
use crate::report::graph::{Direction, Graph, dot, lineage, mermaid, svg, workflow};
use crate::report::text;
use crate::shell::app;
use crate::shell::check::program::Program;
use crate::shell::config::Config;
use crate::shell::library::{Library, Loaded};
use crate::shell::lineage::{coordinator, fill, of_bundle};
use crate::shell::project::Project;
use crate::shell::{Context, ShellError, Status, discovery, files, output, parameters};
use crate::source::Sources;

/// The arguments of `ankus graph`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A folder, a definition, or a properties file that leads to one
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
    /// The coordinators of a folder, each with its own.
    Coordinators(Vec<(PathBuf, JobConf)>),
}

/// Runs `ankus graph`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let common = context.common.clone();
    let config = Config::find(common.config.as_deref(), &args.app)?;
    config.version(common.oozie_version.as_deref())?;
    let zone = config.zone()?;
    let project = Project::of(&args.app, &config);
    let mut sources = Sources::new();
    let (mut subjects, mut findings) = (Vec::new(), Vec::new());
    let several = several_coordinators(&args.app, context)?;
    let is_several = !several.is_empty();
    let chosen = if is_several { several } else { vec![(args.app.clone(), None)] };
    for (argument, expected) in chosen {
        let mut chosen = app::choose(&argument, &common, &config, &project, &mut sources)?;
        // The properties beside a coordinator may be those of another app.
        if let Some(path) = expected.filter(|path| chosen.definition.as_ref() != Some(path)) {
            chosen = app::choose(&path, &common, &config, &project, &mut sources)?;
        }
        if let Some(file) = chosen.properties.as_deref().filter(|file| **file != *argument && !common.quiet) {
            writeln!(context.io.err, "with the properties of {}", files::shown(file))?;
        }
        findings.extend(chosen.findings);
        subjects.extend(chosen.definition.map(|path| (path, chosen.conf)));
    }
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
            Subject::Coordinators(subjects)
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
        Subject::Coordinators(list) => {
            let title = format!("folder {}", files::shown(&args.app));
            of_coordinators(&program, &title, list)?
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
    let text = render(&graph, args.format, args.output.as_deref());
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

/// The coordinators below a folder that holds no bundle, when there are several: the folder of each, where its
/// properties may lie, and its file. Nothing when the folder has an app of its own by a properties file.
fn several_coordinators(
    argument: &Path,
    context: &Context,
) -> Result<Vec<(PathBuf, Option<PathBuf>)>, ShellError> {
    if !argument.is_dir() {
        return Ok(Vec::new());
    }
    let found = discovery::candidates(argument)?.files;
    let has_parameters = parameters::any(&context.common);
    let names_app = |path: &&PathBuf| {
        path.parent() == Some(argument)
            && discovery::extension(path) == Some("properties")
            && discovery::names_app(path)
    };
    if !has_parameters && found.iter().any(|path| names_app(&path)) {
        return Ok(Vec::new());
    }
    let mut coordinators = Vec::new();
    for path in found.into_iter().filter(|path| discovery::extension(path) == Some("xml")) {
        match discovery::kind(&path) {
            Some(Kind::Bundle) if app::is_one_app(argument)? => return Ok(Vec::new()),
            Some(Kind::Coordinator) => coordinators.push(path),
            _ => {}
        }
    }
    if coordinators.len() < 2 {
        return Ok(Vec::new());
    }
    // A folder that holds one coordinator is asked for its properties; others may hold several apps.
    let alone = |path: &Path| {
        coordinators.iter().filter(|other| path.parent().is_some_and(|own| other.starts_with(own))).count()
            == 1
    };
    let places = coordinators.iter().map(|path| match path.parent() {
        Some(folder) if !has_parameters && alone(path) && has_one_app(folder) => {
            (folder.to_owned(), Some(path.clone()))
        }
        _ => (path.clone(), None),
    });
    Ok(places.collect())
}

/// Whether the properties files directly in a folder name one app.
fn has_one_app(folder: &Path) -> bool {
    let Ok(found) = discovery::candidates(folder).map(|found| found.files) else { return false };
    let is_direct = |path: &&PathBuf| path.parent() == Some(folder);
    let properties = |path: &&PathBuf| discovery::extension(path) == Some("properties");
    found.iter().filter(is_direct).filter(properties).filter(|path| discovery::names_app(path)).count() == 1
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

fn of_coordinators(
    program: &Program<'_, '_>,
    title: &str,
    list: Vec<(PathBuf, JobConf)>,
) -> Result<Graph, ShellError> {
    let mut coordinators = Vec::new();
    for (path, conf) in list {
        let loaded = program.library.load(&path)?;
        if let Some(App::Coordinator(model)) = &loaded.definition.app {
            coordinators.push(coordinator(program, loaded, model, conf, None));
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
