//! `[check]` of `ankus.toml`: which rules, how grave, where.

use std::ops::Range;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::Deserialize;
use toml::Spanned;

use crate::diag::closest;
use crate::shell::globs::Globs;
use crate::triage::selection::{Layer, Level, Selector};

/// The table as it is written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Table {
    select: Option<Vec<Spanned<String>>>,
    ignore: Vec<Spanned<String>>,
    exclude: Vec<Spanned<String>>,
    baseline: Option<PathBuf>,
    placeholders: Vec<String>,
    supplied: Vec<String>,
    deployed: Vec<Spanned<String>>,
    severity: IndexMap<Spanned<String>, Spanned<String>>,
    #[serde(rename = "override")]
    overrides: Vec<Override>,
}

/// Other choices for some paths.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Override {
    paths: Vec<Spanned<String>>,
    #[serde(default)]
    select: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    ignore: Vec<Spanned<String>>,
    #[serde(default)]
    severity: IndexMap<Spanned<String>, Spanned<String>>,
}

/// The table as it is meant.
#[derive(Clone, Debug, Default)]
pub struct CheckConfig {
    /// The choice of rules for all files.
    pub layer: Layer,
    /// Other choices for some paths, later ones win.
    pub overrides: Vec<(Globs, Layer)>,
    /// Files that are not checked.
    pub exclude: Globs,
    /// The baseline, relative to the folder of the file.
    pub baseline: Option<PathBuf>,
    /// What a build fills in.
    pub placeholders: Vec<String>,
    /// Names that come with the command line alone, as `-D name=…`.
    pub supplied: Vec<String>,
    /// Files that are put beside the apps when these are deployed.
    pub deployed: Globs,
}

/// What is wrong with the file, and where in it.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    /// What.
    pub message: String,
    /// The bytes that say it.
    pub range: Range<usize>,
}

impl Table {
    /// Understands the table; `names` are those of all rules.
    pub fn understand(self, folder: &Path, names: &[&str]) -> Result<CheckConfig, Fault> {
        let overrides = self.overrides.into_iter().map(|part| {
            let layer = layer(part.select, part.ignore, part.severity, names)?;
            Ok((globs(folder, part.paths)?, layer))
        });
        Ok(CheckConfig {
            overrides: overrides.collect::<Result<_, _>>()?,
            layer: layer(self.select, self.ignore, self.severity, names)?,
            exclude: globs(folder, self.exclude)?,
            baseline: self.baseline,
            placeholders: self.placeholders,
            supplied: self.supplied,
            deployed: globs(folder, self.deployed)?,
        })
    }
}

fn layer(
    select: Option<Vec<Spanned<String>>>,
    ignore: Vec<Spanned<String>>,
    severity: IndexMap<Spanned<String>, Spanned<String>>,
    names: &[&str],
) -> Result<Layer, Fault> {
    let selector = |text: &Spanned<String>| {
        Selector::parse(text.get_ref(), names).map_err(|message| Fault { message, range: text.span() })
    };
    let selectors = |list: Vec<Spanned<String>>| list.iter().map(selector).collect::<Result<Vec<_>, _>>();
    let level = |text: &Spanned<String>| {
        Level::from_name(text.get_ref()).ok_or_else(|| {
            let name = text.get_ref();
            let message = match closest(name, Level::NAMES) {
                Some(near) => format!("there is no severity `{name}`; did you mean `{near}`?"),
                None => format!("there is no severity `{name}`; there are {}", Level::NAMES.join(", ")),
            };
            Fault { message, range: text.span() }
        })
    };
    Ok(Layer {
        select: select.map(selectors).transpose()?,
        ignore: selectors(ignore)?,
        severity: severity
            .iter()
            .map(|(rule, text)| Ok((selector(rule)?, level(text)?)))
            .collect::<Result<_, _>>()?,
    })
}

fn globs(folder: &Path, patterns: Vec<Spanned<String>>) -> Result<Globs, Fault> {
    let mut globs = Globs::new(folder);
    for pattern in patterns {
        globs.add(pattern.get_ref()).map_err(|message| Fault { message, range: pattern.span() })?;
    }
    Ok(globs.finish())
}
