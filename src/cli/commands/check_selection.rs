//! The arguments of `ankus check` that choose what is looked at and which findings count.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diag::Severity;
use crate::host::ShellError;
use crate::host::files::{self, Content};
use crate::host::overlay::Overlay;
use crate::report::catalogue;
use crate::schema::Judge;
use crate::shell::check::Choice;
use crate::shell::globs::Globs;
use crate::triage::selection::{Layer, Selector};

/// What is looked at, and which findings count.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Files and rules")]
pub struct Selection {
    /// Report only these rules: names, beginnings of names (`fork`), or `all`; ankus.toml then chooses nothing
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    select: Vec<String>,
    /// Do not report these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    ignore: Vec<String>,
    /// Leave out files that match a pattern as in .gitignore, relative to the working directory (repeatable)
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,
    /// Leave out excluded files even when they are named as arguments
    #[arg(long)]
    force_exclude: bool,
    /// Report only what this baseline does not hold [default: baseline in ankus.toml]
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all errors and warnings to a baseline, so that only new ones are reported from now on
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,
    /// The file that the text on standard input (`-`) stands for
    #[arg(long, value_name = "FILE")]
    stdin_filename: Option<PathBuf>,
    /// Which engine validates definitions against the schemas
    #[arg(long, value_name = "ENGINE", default_value = "tables")]
    schema_engine: SchemaEngine,
    /// Check again after every change
    #[arg(long)]
    pub(super) watch: bool,
}

/// What validates definitions against the schemas.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum SchemaEngine {
    /// Ankus's own compiled schemas
    #[default]
    Tables,
    /// libxml2, in builds with the feature `libxml`
    Libxml,
}

impl SchemaEngine {
    fn judge(self) -> Result<Judge, ShellError> {
        match self {
            SchemaEngine::Tables => Ok(Judge::Tables),
            #[cfg(feature = "libxml")]
            SchemaEngine::Libxml => Ok(Judge::Libxml),
            #[cfg(not(feature = "libxml"))]
            SchemaEngine::Libxml => Err(ShellError::usage(
                "`--schema-engine libxml` requires a build with libxml2: `cargo install --path . --features libxml`",
            )),
        }
    }
}

/// The argument that means standard input.
const STDIN: &str = "-";

/// What the text on standard input is called when it stands for no file.
const UNNAMED: &str = "<stdin>";

impl Selection {
    /// Reads standard input where `-` is among the paths, which then names the file that it stands for.
    pub fn overlay(&self, paths: &mut [PathBuf], input: &mut dyn Read) -> Result<Overlay, ShellError> {
        let Some(path) = paths.iter_mut().find(|path| path.as_os_str() == STDIN) else {
            return match &self.stdin_filename {
                Some(_) => Err(ShellError::usage("`--stdin-filename` needs `-` among the paths")),
                None => Ok(Overlay::default()),
            };
        };
        *path = self.stdin_filename.clone().unwrap_or_else(|| PathBuf::from(UNNAMED));
        match files::read_stream(input)? {
            Content::Bytes(bytes) if self.stdin_filename.is_none() && bytes.trim_ascii().is_empty() => {
                Err(ShellError::usage("standard input is empty"))
            }
            Content::Bytes(bytes) => Ok(Arc::new([(files::absolute(path), bytes)].into())),
            Content::TooLarge => {
                let limit = files::MAX_FILE_BYTES >> 20;
                Err(ShellError::usage(format!("standard input is larger than {limit} MiB")))
            }
        }
    }

    /// Understands the arguments. `fail_on` is the least severity that makes the check fail.
    pub fn choice(&self, fail_on: Severity) -> Result<Choice, ShellError> {
        let names: Vec<_> = catalogue::all().into_iter().map(|info| info.name).collect();
        let selectors = |list: &[String], option: &str| {
            let parse = |text: &String| {
                Selector::parse(text, &names)
                    .map_err(|message| ShellError::usage(format!("`{option}`: {message}")))
            };
            list.iter().map(parse).collect::<Result<Vec<_>, _>>()
        };
        let select = selectors(&self.select, "--select")?;
        let mut exclude = Globs::new(Path::new("."));
        for pattern in &self.exclude {
            exclude.add(pattern).map_err(|message| ShellError::usage(format!("`--exclude`: {message}")))?;
        }
        Ok(Choice {
            layer: Layer {
                select: (!select.is_empty()).then_some(select),
                ignore: selectors(&self.ignore, "--ignore")?,
                severity: Vec::new(),
            },
            exclude: exclude.finish(),
            force_exclude: self.force_exclude,
            baseline: self.baseline.clone(),
            write_baseline: self.write_baseline.clone(),
            baseline_down_to: Some(fail_on),
            judge: self.schema_engine.judge()?,
        })
    }
}
