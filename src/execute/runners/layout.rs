//! What lies in the folder of an action: the app's libraries, its files and its archives
//! (`JavaActionExecutor.setLibFilesArchives`, `MRApps.setupDistributedCache`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::paths::{self, Place};
use super::{Action, CONF_FILE, Refusal, fault};
use crate::execute::setup::Piece;
use crate::execute::storage::Spot;
use crate::xml::Element;

/// Plans the folder. As with the distributed cache, archives come first, and of two things of one name the first stays.
pub(super) fn plan(action: &Action<'_>, root: &Element) -> Result<Vec<Piece>, Refusal> {
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
pub(super) fn file(action: &Action<'_>, root: &Element, path: &str) -> Result<Piece, Refusal> {
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
    fn add(&mut self, text: &str, unpacks: bool) -> Result<(), Refusal> {
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

    /// The same of a folder that is none of this machine; what lies in it is brought later.
    fn add_folder_there(&mut self, folder: &Spot) -> Result<(), Refusal> {
        if !folder.status()?.is_some_and(|status| status.is_folder) {
            return Ok(());
        }
        for (name, _) in folder.backend.list(&folder.path)?.into_iter().filter(|(_, status)| status.is_file())
        {
            let (uri, name) = (Some(folder.below(&name).uri), PathBuf::from(name));
            self.push(Piece { from: name.clone(), uri, root: PathBuf::new(), name, unpacks: false });
        }
        Ok(())
    }

    /// Folders of libraries that the job names; one that is not there is left out, as on a server.
    fn add_libraries(&mut self, property: &str) -> Result<(), Refusal> {
        let listed = self.action.conf.get(property).unwrap_or_default();
        for folder in listed.split(',').map(str::trim).filter(|folder| !folder.is_empty()) {
            match paths::place(self.action, self.root, folder)? {
                Place::Here(located) => self.add_folder(&located.path, located.root),
                Place::There(spot) => self.add_folder_there(&spot)?,
            }
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
fn piece(action: &Action<'_>, root: &Element, text: &str, unpacks: bool) -> Result<Piece, Refusal> {
    let (path, name) = match text.trim().split_once('#') {
        Some((path, name)) => (path, Some(name)),
        None => (text.trim(), None),
    };
    // What is not there, or cannot be reached, is told while the action is started, as a server does.
    let (from, uri, home, is_there) = match paths::place(action, root, path)? {
        Place::Here(located) => {
            let is_there = located.path.exists();
            (located.path, None, located.root, is_there)
        }
        Place::There(spot) => {
            let from = PathBuf::from(spot.path.rsplit('/').next().unwrap_or_default());
            let is_there = spot.status()?.is_some();
            (from, Some(spot.uri), PathBuf::new(), is_there)
        }
    };
    if !is_there {
        return Err(fault("JA008", format!("File does not exist: {path}")).into());
    }
    let name = match name {
        Some(name) => PathBuf::from(name),
        None => PathBuf::from(from.file_name().unwrap_or_default()),
    };
    if !paths::is_plain(&name) {
        return Err(fault("E0904", format!("`{text}` would lie outside the action's folder")).into());
    }
    Ok(Piece { from, uri, root: home, name, unpacks })
}
