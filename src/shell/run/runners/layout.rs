//! What lies in the folder of an action: the app's libraries, its files and its archives
//! (`JavaActionExecutor.setLibFilesArchives`, `MRApps.setupDistributedCache`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{Action, CONF_FILE, Fault, fault, paths};
use crate::shell::run::setup::Piece;
use crate::shell::run::storage::Located;
use crate::xml::Element;

/// Plans the folder. As with the distributed cache, archives come first, and of two things of one name the first stays.
pub(super) fn plan(action: &Action<'_>, root: &Element) -> Result<Vec<Piece>, Fault> {
    let mut layout =
        Layout { action, root, names: BTreeSet::from([PathBuf::from(CONF_FILE)]), pieces: Vec::new() };
    for archive in listed(root, "archive") {
        layout.add(&archive, true)?;
    }
    layout.add_folder(&action.app.join("lib"), paths::home(action));
    layout.add_libraries("oozie.libpath")?;
    for file in listed(root, "file") {
        layout.add(&file, false)?;
    }
    Ok(layout.pieces)
}

/// A file of the action's folder under its own name, such as a script.
pub(super) fn file(action: &Action<'_>, root: &Element, path: &str) -> Result<Piece, Fault> {
    piece(action, root, path, false)
}

/// The paths in the elements of a name; one element holds several with commas between.
fn listed(root: &Element, name: &str) -> Vec<String> {
    let texts = root.children_named(name).map(|element| element.text().value.clone());
    let paths = texts.flat_map(|text| text.split(',').map(|path| path.trim().to_owned()).collect::<Vec<_>>());
    paths.filter(|path| !path.is_empty()).collect()
}

struct Layout<'a> {
    action: &'a Action<'a>,
    root: &'a Element,
    names: BTreeSet<PathBuf>,
    pieces: Vec<Piece>,
}

impl Layout<'_> {
    fn add(&mut self, text: &str, unpacks: bool) -> Result<(), Fault> {
        let piece = piece(self.action, self.root, text, unpacks)?;
        self.push(piece);
        Ok(())
    }

    /// The files that lie in a folder, not those in folders below (`WorkflowAppService.getLibFiles`).
    fn add_folder(&mut self, folder: &Path, root: PathBuf) {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> =
            entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
        files.sort();
        for from in files {
            let name = PathBuf::from(from.file_name().unwrap_or_default());
            self.push(Piece { from, uri: None, root: root.clone(), name, unpacks: false });
        }
    }

    /// Folders of libraries that the job names; one that is not there is left out, as on a server.
    fn add_libraries(&mut self, property: &str) -> Result<(), Fault> {
        let listed = self.action.conf.get(property).unwrap_or_default();
        for folder in listed.split(',').map(str::trim).filter(|folder| !folder.is_empty()) {
            let located = paths::locate(self.action, self.root, folder)?;
            self.add_folder(&located.path, located.root);
        }
        Ok(())
    }

    fn push(&mut self, piece: Piece) {
        let plain: PathBuf = piece.name.components().filter(|part| part.as_os_str() != ".").collect();
        if self.names.insert(plain.clone()) {
            self.pieces.push(Piece { name: plain, ..piece });
        }
    }
}

/// A file or an archive, with or without a name behind `#`.
fn piece(action: &Action<'_>, root: &Element, text: &str, unpacks: bool) -> Result<Piece, Fault> {
    let (path, name) = match text.trim().split_once('#') {
        Some((path, name)) => (path, Some(name)),
        None => (text.trim(), None),
    };
    let remote = paths::remote(action, root, path);
    let located = match &remote {
        Some(uri) => {
            let from = PathBuf::from(uri.rsplit('/').next().unwrap_or_default());
            Located { path: from, root: PathBuf::new() }
        }
        None => paths::locate(action, root, path)?,
    };
    if remote.is_none() && !located.path.exists() {
        return Err(fault("JA008", format!("File does not exist: {path}")));
    }
    let name = match name {
        Some(name) => PathBuf::from(name),
        None => PathBuf::from(located.path.file_name().unwrap_or_default()),
    };
    if !paths::is_plain(&name) {
        return Err(fault("E0904", format!("`{text}` would lie outside the action's folder")));
    }
    Ok(Piece { from: located.path, uri: remote, root: located.root, name, unpacks })
}
