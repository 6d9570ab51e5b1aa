//! What keeps the program from doing its work. Faults in the user's apps are findings, never errors.

use std::path::PathBuf;

use crate::host::files;

/// The program could not do what was asked: exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    /// Reading a file or folder failed.
    #[error("cannot read `{}`: {source}", files::shown(path))]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Writing a file failed; nothing was left behind.
    #[error("cannot write `{}`: {source}", files::shown(path))]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// `ankus.toml` cannot be understood.
    #[error("`{path}`: {message}")]
    Config {
        /// The file.
        path: String,
        /// What and where.
        message: String,
    },
    /// Writing to standard output or reading standard input failed.
    #[error("{0}")]
    Stream(#[from] std::io::Error),
    /// The store of an executor cannot be used.
    #[error("the store `{path}` cannot be used: {message}")]
    Store {
        /// Its file.
        path: String,
        /// Why.
        message: String,
    },
    /// The arguments or a configuration do not make sense; the text says why.
    #[error("{0}")]
    Usage(String),
}

impl ShellError {
    /// An error of the arguments.
    pub fn usage(message: impl Into<String>) -> ShellError {
        ShellError::Usage(message.into())
    }

    /// True when the reader of our output went away, which is no fault.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, ShellError::Stream(error) if error.kind() == std::io::ErrorKind::BrokenPipe)
    }
}
