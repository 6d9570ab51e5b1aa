//! `ankus upgrade`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::output::{self, Format};
use crate::diag::Severity;
use crate::export::upgrade::{self, Read, Upgrade};
use crate::host::{ShellError, app_folder, files, io, overlay, packages};
use crate::mend::diff;
use crate::model::{App, Dialect};
use crate::report::findings::Style;
use crate::shell::check::{Choice, Work};
use crate::shell::{Context, Status, load};
use crate::source::Sources;
use crate::xml::{self, Decoding, Element, Limits};

/// The arguments of `ankus upgrade`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A folder or a package with an app of 2009
    #[arg(value_name = "APP")]
    app: PathBuf,
    /// The folder to write the upgraded app to
    #[arg(short, long, value_name = "DIR", required_unless_present = "diff")]
    output: Option<PathBuf>,
    /// Print what changes, and write nothing
    #[arg(long, conflicts_with = "output")]
    diff: bool,
    /// How losses are printed
    #[arg(long, value_name = "FORMAT", default_value = "full")]
    format: Format,
}

/// The definition and the default values.
const DEFINITION: &str = "workflow.xml";
const DEFAULTS: &str = "configuration.xml";

/// Runs `ankus upgrade`.
pub fn run(args: Args, context: &mut Context) -> Result<Status, ShellError> {
    let shown = files::shown(&args.app);
    if let Some(folder) = &args.output
        && folder.read_dir().is_ok_and(|mut entries| entries.next().is_some())
    {
        let folder = files::shown(folder);
        return Err(ShellError::usage(format!("`{folder}` is not empty; name a new folder")));
    }
    let contents = app_folder::read(&args.app)?;
    if !contents.contains_key(DEFINITION) {
        return Err(ShellError::usage(format!("`{shown}` holds no `{DEFINITION}`")));
    }
    let mut path = args.app.clone();
    let package = packages::open_app(&mut path)?;
    if path.is_dir() {
        path = path.join(DEFINITION);
    }
    overlay::with(package, || {
        refuse_broken(&path, context)?;
        let mut sources = Sources::new();
        let upgraded = upgraded(&path, &contents, &mut sources)?;
        finish(&args, &contents, &upgraded, &sources, context)
    })
}

/// What `check` calls an error comes first.
pub(super) fn refuse_broken(path: &Path, context: &mut Context) -> Result<(), ShellError> {
    let work = Work::gather(&[path.to_owned()], Choice::default(), &context.common)?;
    let findings = work.findings(&context.common, Style::DATA)?;
    let errors = findings.down_to(Severity::Error).count();
    if errors == 0 {
        return Ok(());
    }
    let path = files::shown(path);
    let count = if errors == 1 { "an error".to_owned() } else { format!("{errors} errors") };
    Err(ShellError::usage(format!("`{path}` has {count}; correct what `ankus check {path}` reports first")))
}

fn upgraded(
    path: &Path,
    contents: &BTreeMap<String, Vec<u8>>,
    sources: &mut Sources,
) -> Result<Upgrade, ShellError> {
    let definition = load::definition(path, sources)?;
    let shown = files::shown(path);
    let (Some(root), Some(App::Workflow(model))) = (&definition.root, &definition.app) else {
        return Err(ShellError::usage(format!("`{shown}` is not a workflow")));
    };
    if model.dialect != Dialect::Hws {
        return Err(ShellError::usage(format!(
            "`{shown}` is not an app of 2009: its root is `{}`",
            root.name.local
        )));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut read: BTreeMap<String, (Arc<str>, Element)> = BTreeMap::new();
    for (name, bytes) in contents.iter().filter(|(name, _)| name.ends_with(".xml") && *name != DEFINITION) {
        let place = files::shown(&folder.join(name));
        let (file, root, _) = xml::read_bytes(sources, &place, bytes, Decoding::Declared, &Limits::default());
        if let Some(root) = root.filter(|root| root.name.local == "configuration") {
            read.insert(name.clone(), (sources.shared_text(file), root));
        }
    }
    let text = sources.shared_text(definition.file);
    let as_read = |name: &String| read.get(name).map(|(text, root)| Read { text, root });
    let app = upgrade::App {
        text: &text,
        root,
        model,
        defaults: as_read(&DEFAULTS.to_owned()),
        files: read.keys().filter_map(|name| Some((name.clone(), as_read(name)?))).collect(),
    };
    Ok(upgrade::upgrade(&app))
}

fn finish(
    args: &Args,
    contents: &BTreeMap<String, Vec<u8>>,
    upgraded: &Upgrade,
    sources: &Sources,
    context: &mut Context,
) -> Result<Status, ShellError> {
    let is_refused = upgraded.is_refused();
    if args.diff && !is_refused {
        let mut out = Vec::new();
        for name in &upgraded.gone {
            diff::unified(name, contents.get(name).map_or(&[][..], Vec::as_slice), b"", &[], &mut out);
        }
        for (name, text) in &upgraded.files {
            diff::unified(
                name,
                contents.get(name).map_or(&[][..], Vec::as_slice),
                text.as_bytes(),
                &[],
                &mut out,
            );
        }
        context.io.out.write_all(&out)?;
    }
    if let Some(folder) = args.output.as_deref().filter(|_| !is_refused) {
        let kept = contents.iter().filter(|(name, _)| !upgraded.gone.contains(*name));
        let mut all: BTreeMap<&str, &[u8]> =
            kept.map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        all.extend(upgraded.files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())));
        for (name, bytes) in all {
            let path = folder.join(name);
            let above = path.parent().unwrap_or(folder);
            let fault = |source| ShellError::Write { path: above.to_owned(), source };
            std::fs::create_dir_all(above).map_err(fault)?;
            io::exact_file(&path, bytes)?.finish()?;
        }
    }
    if upgraded.findings.is_empty() {
        return Ok(Status::Clean);
    }
    // A difference is for programs; what is lost goes beside it.
    let format = (!args.diff).then_some(args.format);
    output::print(&upgraded.findings, sources, format, context)?;
    if is_refused && !context.common.quiet {
        context.io.out.flush()?;
        writeln!(context.io.err, "nothing is written: the app cannot be kept as it is")?;
    }
    Ok(Status::Findings)
}
