//! A first `ankus.toml` for a repository: the apps that are there, properties files as profiles, and where their
//! application paths lie.

mod mapping;
mod profiles;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis::parameters::AppKind;
use crate::analysis::project::Kind;
use crate::host::ShellError;
use crate::host::discovery;
use crate::host::files;
use crate::host::overlay;
use crate::report::findings::{Findings, Style};
use crate::report::json;
use crate::schema::Version;
use crate::shell::app::kind_of;
use crate::shell::check::{Choice, Work, threads};
use crate::shell::config::{Config, FILE_NAME};
use crate::shell::context::Common;
use crate::triage::placeholders;
use mapping::Mapping;
use profiles::Profile;

/// So much of a definition is looked at for what a build fills in.
const MAX_HEAD_BYTES: u64 = 1 << 20;

/// More apps than this are counted, not named.
const MAX_NAMED_APPS: usize = 40;

/// What was found in a repository.
#[derive(Debug)]
pub struct Draft {
    /// The text of the file.
    pub text: String,
    /// How many apps there are.
    pub apps: usize,
    /// How many profiles.
    pub profiles: usize,
    /// How many mapped paths, without those that would change findings.
    pub paths: usize,
    /// With the file, other things are found than without it.
    pub changes_findings: bool,
}

/// Looks at a folder and drafts the file for it. Nothing that it says changes what is found, where that can be had.
pub fn draft(folder: &Path) -> Result<Draft, ShellError> {
    let root = files::absolute(folder);
    let found = discovery::candidates(&root)?.files;
    let kinds = threads::map(&found, |path| match discovery::extension(path) {
        Some("xml") => discovery::kind(path),
        _ => None,
    });
    let apps: Vec<(Kind, &PathBuf)> = found
        .iter()
        .zip(kinds)
        .filter_map(|(path, kind)| Some((kind.filter(|kind| is_app(*kind))?, path)))
        .collect();
    let leading: Vec<PathBuf> = found
        .iter()
        .filter(|path| discovery::extension(path) == Some("properties") && discovery::names_app(path))
        .cloned()
        .collect();
    let profiles = profiles::of(&leading, &root);
    let mappings = mapping::of(&leading, &root);
    let before = check(&root, None)?;
    let placeholders = placeholders(&apps);
    let write = |active: bool| text(&root, &apps, &profiles, &mappings, &placeholders, active, &before);
    let mut draft = Draft {
        text: write(true),
        apps: apps.len(),
        profiles: profiles.len(),
        paths: mappings.len(),
        changes_findings: false,
    };
    draft.changes_findings = is_changed(&root, &draft.text, &before)?;
    if draft.changes_findings && !mappings.is_empty() {
        (draft.text, draft.paths) = (write(false), 0);
        draft.changes_findings = is_changed(&root, &draft.text, &before)?;
    }
    Ok(draft)
}

/// What a build seems to fill in.
fn placeholders(apps: &[(Kind, &PathBuf)]) -> BTreeSet<String> {
    let found = threads::map(apps, |(_, path)| {
        let text = files::head(path, MAX_HEAD_BYTES);
        placeholders::proposed(&files::slashed(path), &String::from_utf8_lossy(&text))
    });
    found.into_iter().flatten().collect()
}

fn is_app(kind: Kind) -> bool {
    [AppKind::Bundle, AppKind::Coordinator, AppKind::Workflow].map(kind_of).contains(&kind)
}

/// What is found in the folder, with this text as its configuration.
fn check(root: &Path, text: Option<&str>) -> Result<Findings, ShellError> {
    let contents = text.map(|text| (root.join(FILE_NAME), text.as_bytes().to_vec()));
    overlay::with(Arc::new(contents.into_iter().collect()), || {
        let common = Common::default();
        Work::gather(&[root.to_owned()], Choice::default(), &common)?.findings(&common, Style::DATA)
    })
}

fn is_changed(root: &Path, text: &str, before: &Findings) -> Result<bool, ShellError> {
    Config::parse(text, root)
        .map_err(|message| ShellError::Config { path: FILE_NAME.to_owned(), message })?;
    let after = check(root, Some(text))?;
    Ok(!before.iter().map(json::value).eq(after.iter().map(json::value)))
}

fn text(
    root: &Path,
    apps: &[(Kind, &PathBuf)],
    profiles: &[Profile],
    mappings: &[Mapping],
    placeholders: &BTreeSet<String>,
    active: bool,
    before: &Findings,
) -> String {
    let mut text =
        String::from("# How ankus reads this repository; `ankus schema config` describes every key.\n#\n");
    text.push_str(&format!("# Apps found: {}\n", apps.len()));
    for (kind, path) in apps.iter().take(MAX_NAMED_APPS) {
        text.push_str(&format!("#   {:<12} {}\n", kind.name(), comment(&below(path, root))));
    }
    if apps.len() > MAX_NAMED_APPS {
        text.push_str(&format!("#   … and {} more\n", apps.len() - MAX_NAMED_APPS));
    }
    text.push_str(&format!("\nversion = \"{}\"\n", Version::default()));
    text.push_str("# processing-timezone = \"UTC\"\n# user = \"oozie\"\n");
    text.push_str("\n# Where URIs lie in this repository; the longest prefix wins.\n");
    if mappings.is_empty() {
        text.push_str("# [paths]\n# \"hdfs://namenode:8020/apps\" = \"apps\"\n");
    } else {
        let mark = if active { "" } else { "# " };
        if !active {
            text.push_str(
                "# These were guessed, and with them other things are found: look at them first.\n",
            );
        }
        text.push_str(&format!("{mark}[paths]\n"));
        for mapping in mappings {
            text.push_str(&format!("# by {}\n", comment(&below(&mapping.source, root))));
            text.push_str(&format!("{mark}{} = {}\n", quoted(&mapping.prefix), quoted(&mapping.folder)));
        }
    }
    text.push_str("\n# Sets of parameters: `ankus check --profile NAME`.\n");
    if profiles.is_empty() {
        text.push_str("# [profiles.prod]\n# properties = [\"prod.properties\"]\n");
    }
    for profile in profiles {
        let (name, path) = (quoted(&profile.name), quoted(&below(&profile.path, root)));
        text.push_str(&format!("[profiles.{name}]\nproperties = [{path}]\n"));
    }
    let counts = before.counts();
    text.push_str(
        "\n# Which rules speak; `ankus rules` lists them.\n# [check]\n# ignore = [\"kill-unused\"]\n",
    );
    text.push_str("# exclude = [\"third-party/\"]\n");
    if !placeholders.is_empty() {
        let names: Vec<String> = placeholders.iter().map(|name| quoted(name)).collect();
        text.push_str("# Values that the build seems to fill in, which are not judged then:\n");
        text.push_str(&format!("# placeholders = [{}]\n", names.join(", ")));
    }
    if counts.errors + counts.warnings > 0 {
        text.push_str("# Only new findings, after `ankus check --write-baseline baseline.json`:\n");
        text.push_str("# baseline = \"baseline.json\"\n");
    }
    text
}

/// A path as seen from the root, with `/` between.
fn below(path: &Path, root: &Path) -> String {
    files::slashed(path.strip_prefix(root).unwrap_or(path))
}

/// Text that may stand in a comment: file names may hold line breaks.
fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn texts_are_quoted_as_toml_wants() {
        for text in ["", "a", "a\"b\\c", "é\n\t\u{7f}"] {
            let table: toml::Table = format!("{0} = {0}", quoted(text)).parse().expect("it is TOML");
            assert_eq!(
                table.iter().next().map(|(key, value)| (key.as_str(), value.as_str())),
                Some((text, Some(text)))
            );
        }
    }
}
