//! What every command gets: the common options and the streams.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::host::error::ShellError;
use crate::host::files;
use crate::host::io::Io;
use crate::xml::Limits;

/// Larger files are announced before they are read.
const LARGE_BYTES: u64 = 2 << 20;

/// How a command ended, short of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nothing to complain about: exit code 0.
    Clean,
    /// Findings, or answers that hold an error: exit code 1.
    Findings,
    /// Something could not be done, and that was told: exit code 2.
    Incomplete,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The options that every command takes.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Options of every command")]
pub struct Common {
    /// Read parameters from a properties file or a Hadoop configuration file (repeatable, later ones win)
    #[arg(short = 'c', long = "config-file", value_name = "FILE", global = true)]
    pub property_files: Vec<PathBuf>,
    /// Define one parameter (repeatable, wins over files)
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE", global = true)]
    pub defines: Vec<String>,
    /// Use a profile of ankus.toml
    #[arg(long, value_name = "NAME", global = true)]
    pub profile: Option<String>,
    /// Use this ankus.toml instead of the one found upwards from the app
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
    /// The version of Oozie to judge by [default: version in ankus.toml, else 5.2]
    #[arg(long, value_name = "VERSION", global = true)]
    pub oozie_version: Option<String>,
    /// Take this datetime for the present
    #[arg(long, value_name = "DATETIME", global = true)]
    pub now: Option<String>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto")]
    pub color: Color,
    /// Say less: errors and results only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

impl Common {
    /// The `-D` arguments as names and values, in order.
    pub fn definitions(&self) -> Result<Vec<(&str, &str)>, ShellError> {
        let split = |define: &'_ String| -> Result<(usize, usize), ShellError> {
            match define.split_once('=') {
                Some((name, _)) if !name.trim().is_empty() => Ok((name.len(), name.len() + 1)),
                _ => Err(ShellError::usage(format!("`-D {define}` is not of the form NAME=VALUE"))),
            }
        };
        self.defines
            .iter()
            .map(|define| split(define).map(|(end, start)| (define[..end].trim(), &define[start..])))
            .collect()
    }
}

/// The surroundings of one command.
pub struct Context {
    /// The common options.
    pub common: Common,
    /// The streams.
    pub io: Io,
}

impl Context {
    /// Whether results on standard output are coloured.
    pub fn color_out(&self) -> bool {
        self.color(self.io.out_is_terminal)
    }

    /// Whether errors and progress are coloured.
    pub fn color_err(&self) -> bool {
        self.color(self.io.err_is_terminal)
    }

    fn color(&self, terminal: bool) -> bool {
        match self.common.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        }
    }

    /// Reports files that take a while, before any of them is read.
    pub fn announce<'p>(&mut self, files: impl IntoIterator<Item = &'p Path>) -> Result<(), ShellError> {
        for file in files {
            let bytes = std::fs::metadata(file).map_or(0, |meta| meta.len());
            let is_read = bytes <= Limits::default().bytes as u64;
            if is_read && bytes >= LARGE_BYTES && !self.common.quiet {
                let (file, size) = (files::shown(file), bytes >> 20);
                writeln!(
                    self.io.err,
                    "`{file}` has {size} MiB, which takes a while to read and some memory"
                )?;
            }
        }
        Ok(())
    }

    /// Refuses an output that is one of the files which are read, or a file of properties.
    pub fn spare<'p>(
        &'p self,
        output: Option<&Path>,
        inputs: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Result<(), ShellError> {
        let Some(output) = output else { return Ok(()) };
        let inputs = inputs.into_iter().chain(&self.common.property_files);
        match inputs.into_iter().find(|input| files::is_same(output, input)) {
            None => Ok(()),
            Some(input) => {
                let words = format!("`{}` is read; write it somewhere else", files::shown(input));
                Err(ShellError::usage(words))
            }
        }
    }

    /// The system's clock, for commands whose answer may depend on it; `--now` comes first.
    pub fn clock_epoch_seconds(&self) -> i64 {
        match std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH) {
            Ok(duration) => i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
            Err(_) => 0,
        }
    }
}
