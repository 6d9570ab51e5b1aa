//! Where application paths lie: what the URI in a properties file and the folder that it leads to have in common.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::analysis::parameters::app_path;
use crate::host::files;
use crate::shell::app;
use crate::shell::config::Config;
use crate::shell::context::Common;
use crate::shell::project::Project;
use crate::source::{Sources, Span};

/// A prefix of URIs and the folder that it stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mapping {
    pub(super) prefix: String,
    /// Relative to the root.
    pub(super) folder: String,
    /// The properties file that says so.
    pub(super) source: PathBuf,
}

/// The mappings that some properties files agree on.
pub(super) fn of(paths: &[PathBuf], root: &Path) -> Vec<Mapping> {
    let mut config = Config::default();
    config.folder = Some(root.to_owned());
    let project = Project::of(root, &config);
    let mut found: BTreeMap<String, Option<Mapping>> = BTreeMap::new();
    for path in paths {
        let Some(mapping) = mapping(path, root, &config, &project) else { continue };
        match found.get_mut(&mapping.prefix) {
            None => {
                found.insert(mapping.prefix.clone(), Some(mapping));
            }
            // Two files that do not agree say nothing.
            Some(other) => {
                if other.as_ref().is_some_and(|other| other.folder != mapping.folder) {
                    *other = None;
                }
            }
        }
    }
    found.into_values().flatten().collect()
}

fn mapping(path: &Path, root: &Path, config: &Config, project: &Project) -> Option<Mapping> {
    let mut sources = Sources::new();
    // A file that cannot be read, or names no app, maps nothing.
    let chosen = app::choose(path, &Common::default(), config, project, &mut sources).ok()?;
    let place = Span::new(sources.add(files::shown(path), ""), 0..0);
    let (_, uri) = app_path(&chosen.conf, place).0?;
    let definition = files::absolute(&chosen.definition?);
    let below = definition.strip_prefix(root).ok()?;
    let below = files::slashed(below);
    let name = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (prefix, folder) = split(&uri, &below).or_else(|| own(&uri, &below, &name))?;
    Some(Mapping { prefix, folder, source: path.to_owned() })
}

/// The mapping of the root itself, where that is the folder of the app: its name is all that it shares with the URI.
fn own(uri: &str, definition: &str, root: &str) -> Option<(String, String)> {
    let (scheme, rest) = uri.split_once("://")?;
    if uri.contains("${") || scheme == "file" || root.is_empty() || definition.contains('/') {
        return None;
    }
    let rest = rest.trim_end_matches('/');
    let folder = rest.strip_suffix(definition).map_or(rest, |folder| folder.trim_end_matches('/'));
    let (above, name) = folder.rsplit_once('/')?;
    let is_clean = !above.split('/').any(|segment| segment.is_empty() || segment == "..");
    (name == root && is_clean).then(|| (format!("{scheme}://{folder}"), ".".to_owned()))
}

/// Takes off what a URI and the path of a definition end with both.
fn split(uri: &str, definition: &str) -> Option<(String, String)> {
    let (scheme, rest) = uri.split_once("://")?;
    if uri.contains("${") || scheme == "file" {
        return None;
    }
    let rest = rest.trim_end_matches('/');
    let mut segments: Vec<&str> = rest.split('/').collect();
    let mut folders: Vec<&str> = definition.split('/').collect();
    // The URI may name the folder or the file in it.
    if segments.last() != folders.last() {
        folders.pop();
    }
    let mut common = 0;
    while segments.len() > 1 && segments.last() == folders.last() {
        segments.pop();
        folders.pop();
        common += 1;
    }
    let folder = if folders.is_empty() { ".".to_owned() } else { folders.join("/") };
    (common > 0 && !segments.iter().any(|segment| segment.is_empty() || *segment == ".."))
        .then(|| (format!("{scheme}://{}", segments.join("/")), folder))
}

#[cfg(test)]
mod tests {
    use super::{own, split};

    #[test]
    fn an_app_s_own_folder_is_known_by_its_name() {
        let check = |uri: &str, definition: &str, expected: Option<&str>| {
            let expected = expected.map(|prefix| (prefix.to_owned(), ".".to_owned()));
            assert_eq!(own(uri, definition, "load"), expected, "{uri} {definition}");
        };
        check("hdfs://nn/apps/load", "workflow.xml", Some("hdfs://nn/apps/load"));
        check("hdfs://nn/apps/load/", "workflow.xml", Some("hdfs://nn/apps/load"));
        check("hdfs://nn/apps/load/wf.xml", "wf.xml", Some("hdfs://nn/apps/load"));
        check("hdfs://nn/apps/other", "workflow.xml", None);
        check("hdfs://nn/apps/load", "sub/workflow.xml", None);
        check("hdfs://${nn}/apps/load", "workflow.xml", None);
    }

    #[test]
    fn what_both_end_with_is_taken_off() {
        let check = |uri: &str, definition: &str, expected: Option<(&str, &str)>| {
            let expected = expected.map(|(prefix, folder)| (prefix.to_owned(), folder.to_owned()));
            assert_eq!(split(uri, definition), expected, "{uri} {definition}");
        };
        check("hdfs://nn/user/joe/apps/x", "apps/x/workflow.xml", Some(("hdfs://nn/user/joe", ".")));
        check("hdfs://nn/user/joe/x/", "src/main/x/workflow.xml", Some(("hdfs://nn/user/joe", "src/main")));
        check("hdfs://nn/x/wf.xml", "a/x/wf.xml", Some(("hdfs://nn", "a")));
        check("hdfs://nn/x", "a/x/b/workflow.xml", None);
        check("hdfs://nn/y", "x/workflow.xml", None);
        check("hdfs://nn", "workflow.xml", None);
        check("/user/x", "x/workflow.xml", None);
        check("hdfs://${nn}/x", "x/workflow.xml", None);
    }
}
