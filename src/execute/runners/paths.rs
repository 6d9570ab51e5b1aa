//! Where the paths of an action lie: below the app, on the name node, or where their scheme says.

use std::path::{Component, Path, PathBuf};

use super::{Action, Fault, Refusal, fault};
use crate::execute::storage::fault::Why;
use crate::execute::storage::{Located, Spot, StorageError};
use crate::host::files;
use crate::xml::Element;

/// Whether a path has only names in it, so that it leads nowhere else.
pub(super) fn is_plain(path: &Path) -> bool {
    let is_plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    path.components().all(is_plain) && path.file_name().is_some()
}

/// A path of an action as a URI, an absolute one on the name node; relative ones as they are.
pub(super) fn uri(root: &Element, path: &str) -> String {
    let path = path.trim();
    match root.child("name-node") {
        Some(name_node) if path.starts_with('/') => {
            format!("{}{path}", authority(name_node.text().value.trim()))
        }
        _ => path.to_owned(),
    }
}

/// Scheme and authority of a URI, without the path.
pub(super) fn authority(uri: &str) -> &str {
    let scheme = uri.find("://").map_or(0, |at| at + 3);
    let end = uri[scheme..].find('/').map_or(uri.len(), |at| scheme + at);
    &uri[..end]
}

/// Where a path of an action lies: relative ones in the app's folder, absolute ones on the name node or, where no folder
/// stands for that, on this machine.
pub(super) fn locate(action: &Action<'_>, root: &Element, path: &str) -> Result<Located, Fault> {
    let path = path.trim();
    if !path.contains(':') && !path.starts_with('/') {
        if !is_plain(Path::new(path)) {
            return Err(fault("E0904", format!("`{path}` leads out of the app's folder")));
        }
        let located = Located { path: action.app.join(path), root: home(action) };
        // Where nothing is, whoever opens it says so.
        if located.path.exists() {
            files::holds(&located.root, &located.path).map_err(|error| fault("E0904", error.to_string()))?;
        }
        return Ok(located);
    }
    let located = match action.storage.locate(&uri(root, path)) {
        Err(StorageError { why: Why::Unmapped, .. }) => action.storage.locate(path),
        located => located,
    };
    located.map_err(|error| fault("E0904", error.to_string()))
}

/// Where a path of an action leads.
pub(super) enum Place {
    /// Into a folder of this machine.
    Here(Located),
    /// Into storage that is none.
    There(Spot),
}

/// Where a path of an action leads, by the rules of [`locate`]. Nothing is reached by the question.
pub(super) fn place(action: &Action<'_>, root: &Element, path: &str) -> Result<Place, Refusal> {
    let uri = uri(root, path);
    Ok(match action.storage.is_remote(&uri) {
        true => Place::There(action.storage.spot(&uri)?),
        false => Place::Here(locate(action, root, path)?),
    })
}

/// The folder that links of the app may not leave: the project, or the app itself where that lies elsewhere.
pub(super) fn home(action: &Action<'_>) -> PathBuf {
    let located = action.app.to_str().and_then(|app| action.storage.locate(app).ok());
    located.map_or_else(|| action.app.to_owned(), |located| located.root)
}
