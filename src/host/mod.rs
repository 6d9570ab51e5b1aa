//! What the machine gives: files, streams, and the terminal on which progress shows.
//!
//! Decides nothing that a higher row of the house could; above the rim, files are seen through
//! [`crate::project::files::Files`].

pub mod app_folder;
pub mod discovery;
pub mod disk;
pub mod error;
pub mod files;
pub mod io;
pub mod overlay;
pub mod packages;
pub mod progress;

pub use error::ShellError;
