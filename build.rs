//! Says to the tests what this machine has for them, so that one which needs something else is reported as ignored.
//!
//! The program itself depends on none of it.

use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let reference = found("ANKUS_REFERENCE").unwrap_or_else(|| PathBuf::from("../shared"));
    has("has_reference", reference.join("README.md").exists().then_some(reference.join("README.md")));
    has("has_browser", found("ANKUS_BROWSER").or_else(|| in_path("chromedriver")));
    has("has_sshd", Some(PathBuf::from("/usr/sbin/sshd")));
    has("has_javac", in_path("javac"));
}

/// Sets a flag where the file is there, and asks again when it has changed or gone.
///
/// Of a file that is missing nothing is said to Cargo, which would build anew each time: after an installation
/// `touch build.rs` does it.
fn has(flag: &str, file: Option<PathBuf>) {
    println!("cargo::rustc-check-cfg=cfg({flag})");
    if let Some(file) = file.filter(|file| file.exists()) {
        println!("cargo::rerun-if-changed={}", file.display());
        println!("cargo::rustc-cfg={flag}");
    }
}

/// A path that the environment gives.
fn found(name: &str) -> Option<PathBuf> {
    println!("cargo::rerun-if-env-changed={name}");
    env::var_os(name).map(PathBuf::from)
}

fn in_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|file| Path::is_file(file))
}
