//! The files that a workflow names by their whole paths on the cluster, as far as the project holds their folders.

use std::path::{Path, PathBuf};

use crate::analysis::app_files::{self, ByPath, Elsewhere};
use crate::analysis::parameters::AppKind;
use crate::analysis::project::Kind;
use crate::analysis::values::Values;
use crate::diag::closest;
use crate::host::files;
use crate::model;
use crate::shell::library::{Library, Loaded};
use crate::source::{Sources, Span, Text};

/// The names in longer scripts are not looked at.
const MAX_SCRIPT_BYTES: u64 = 1 << 20;

/// Of so many files that one workflow names by their whole paths the project is asked.
const MAX_ELSEWHERE: usize = 1_000;

/// Of so many names in a folder the nearest is looked for.
const MAX_NEIGHBOURS: usize = 2_000;

impl Library<'_> {
    /// What the project knows of the files that a workflow names by their whole paths. The path of the app itself, where it
    /// surely leads to its folder, says where those beside it lie; `[paths]` says it of any.
    pub fn elsewhere(&self, app: &Loaded, model: &model::Workflow, values: &Values) -> ByPath {
        let own = values.property(AppKind::Workflow.property()).and_then(|uri| {
            let found = self.project.resolve(uri, Kind::Workflow, &app.path).ok()?;
            found.is_sure().then(|| own_folder(uri, &app.path)).flatten()
        });
        let mut found = ByPath::new();
        for reference in app_files::whole_paths(model, values) {
            if found.contains_key(&reference.path) || found.len() >= MAX_ELSEWHERE {
                continue;
            }
            let Some(file) = self.project.place_of(&reference.path, own.as_ref()) else { continue };
            let is_there = file.exists();
            // Of a folder that the project does not hold nothing is known.
            let Some(folder) = file.parent().filter(|folder| is_there || folder.is_dir()) else { continue };
            if self.project.holds(&file).is_err() {
                continue;
            }
            let near = if is_there { None } else { near(folder, &file, &reference.path) };
            let is_script = is_there && reference.use_of == app_files::Use::Script;
            let script = if is_script { self.script(&file, &mut self.sources.borrow_mut()) } else { None };
            let place = Elsewhere { shown: files::shown(&file), is_there, near, script };
            found.insert(reference.path, place);
        }
        found
    }

    /// The text of a script, read once.
    pub(super) fn script(&self, file: &Path, sources: &mut Sources) -> Option<Text> {
        let mut known = self.scripts.borrow_mut();
        if let Some(text) = known.get(file) {
            return text.clone();
        }
        let bytes = files::head(file, MAX_SCRIPT_BYTES + 1);
        let text = String::from_utf8(bytes).ok().filter(|text| text.len() as u64 <= MAX_SCRIPT_BYTES);
        let text = text.map(|text| {
            let id = sources.add(files::shown(file), text.as_str());
            let span = Span::new(id, 0..text.len());
            Text::verbatim(text, span)
        });
        known.insert(file.to_owned(), text.clone());
        text
    }
}

/// The folder of an app on the cluster, by the path that names it, and in the project.
fn own_folder(uri: &str, path: &Path) -> Option<(String, PathBuf)> {
    let folder = path.parent()?.to_owned();
    let uri = uri.trim().trim_end_matches('/');
    let name = path.file_name()?.to_str()?;
    let cluster = match uri.rsplit_once('/') {
        Some((above, last)) if last == name || last.ends_with(".xml") => above,
        _ => uri,
    };
    Some((cluster.to_owned(), folder))
}

/// The path with the name of the file that lies in the folder and is nearly called so.
fn near(folder: &Path, file: &Path, uri: &str) -> Option<String> {
    let name = file.file_name()?.to_str()?;
    let entries = std::fs::read_dir(folder).ok()?.flatten().take(MAX_NEIGHBOURS);
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let near = closest(name, names.iter().map(String::as_str))?;
    Some(format!("{}{near}", uri.strip_suffix(name)?))
}
