//! The parameters that the user gives: property files, definitions, a profile.

use std::path::Path;

use crate::analysis::parameters::{Given, Submission};
use crate::analysis::properties::Origin;
use crate::analysis::{settings, subject};
use crate::diag::Diagnostic;
use crate::host::error::ShellError;
use crate::host::files::{self, Content};
use crate::properties::hadoop::{self, Reader};
use crate::properties::{self, Properties};
use crate::rules::{self, Sink};
use crate::shell::config::Config;
use crate::shell::context::Common;
use crate::source::{Sources, Span};
use crate::xml::Limits;

/// Gathers the layers of a submission, from low to high: the properties file that stands for the app, those of the
/// profile, those of `-c`, the definitions of the profile, those of `-D`.
pub fn submission(
    common: &Common,
    config: &Config,
    app: Option<&Path>,
    sources: &mut Sources,
) -> Result<(Submission, Vec<Diagnostic>), ShellError> {
    let profile = config.profile(common.profile.as_deref())?;
    let base = config.folder.clone().unwrap_or_default();
    let from_profile: Vec<_> = profile.properties.iter().map(|path| base.join(path)).collect();
    // One that the profile has anyway stands where the profile has it.
    let app = app.filter(|app| !from_profile.iter().any(|path| files::is_same(path, app)));
    let paths =
        app.map(Path::to_owned).into_iter().chain(from_profile).chain(common.property_files.iter().cloned());
    let (mut lists, mut findings) = (Vec::new(), Vec::new());
    for path in paths {
        let (given, more) = file(&path, sources)?;
        lists.push(given);
        findings.extend(more);
    }
    // A definition stands in no file; its text becomes a source of its own, so that findings can show it.
    let mut given = |origin: &str, name: &str, value: &str| {
        let text = format!("{name}={value}");
        let range = name.len() + 1..text.len();
        let place = Span::new(sources.add(origin, text), range);
        Given::new(name, value).at(place)
    };
    let origin = common.profile.as_ref().map_or_else(String::new, |name| format!("profile {name}"));
    let profile = profile.define.iter().map(|(name, value)| given(&origin, name, value)).collect();
    let definitions =
        common.definitions()?.into_iter().map(|(name, value)| given("-D", name, value)).collect();
    Ok((Submission { files: lists, profile, definitions, user: config.user.clone(), app: None }, findings))
}

/// True when the user gave any parameter.
pub fn any(common: &Common) -> bool {
    !common.property_files.is_empty() || !common.defines.is_empty() || common.profile.is_some()
}

/// Reads a properties file, or Hadoop configuration XML when it is called so.
pub fn file(path: &Path, sources: &mut Sources) -> Result<(Vec<Given>, Vec<Diagnostic>), ShellError> {
    let reader = Reader::Client;
    let (properties, findings) = read(path, sources, reader)?;
    Ok((given(&properties), findings))
}

/// Reads a default file beside an app, as the server does; nothing when there is none.
pub fn default_file(path: &Path, sources: &mut Sources) -> Result<(Vec<Given>, Vec<Diagnostic>), ShellError> {
    if !files::is_file(path) {
        return Ok((Vec::new(), Vec::new()));
    }
    let (properties, findings) = read(path, sources, Reader::Server)?;
    Ok((given(&properties), findings))
}

fn read(
    path: &Path,
    sources: &mut Sources,
    reader: Reader,
) -> Result<(Properties, Vec<Diagnostic>), ShellError> {
    let shown = files::shown(path);
    if path.extension().is_some_and(|extension| extension == "toml") {
        // `-c` and `--config` are one letter apart.
        return Err(ShellError::usage(format!(
            "`-c` reads parameters, and `{shown}` is not a properties file; give an ankus.toml with `--config {shown}`"
        )));
    }
    let Content::Bytes(bytes) = files::read(path)? else {
        return Err(ShellError::usage(format!(
            "`{shown}` is larger than {} MiB",
            files::MAX_FILE_BYTES >> 20
        )));
    };
    let is_xml = path.extension().is_some_and(|extension| extension == "xml");
    let (_, properties, mut findings) = if is_xml {
        hadoop::read_bytes(sources, &shown, &bytes, reader, &Limits::default())
    } else {
        properties::read_bytes(sources, &shown, &bytes)
    };
    let mut sink = Sink::new();
    rules::settings(rules::ALL, settings::of_properties(&properties), &mut sink);
    let origin = if is_xml { Origin::Hadoop } else { Origin::File };
    rules::properties(rules::ALL, &subject::Properties::of_file(&properties, origin), &mut sink);
    findings.extend(sink.into_findings());
    Ok((properties, findings))
}

fn given(properties: &Properties) -> Vec<Given> {
    let one = |entry: &properties::Entry| {
        Given::new(entry.key.value.as_str(), entry.value.value.as_str()).at(entry.value.span)
    };
    properties.entries.iter().map(one).collect()
}
