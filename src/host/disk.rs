//! The files of this machine as [`Files`], with the contents that stand in for them ([`crate::host::overlay`]).
//!
//! Paths are those of the machine, absolute or from the working directory, with `/` between.

use std::path::Path;

use crate::host::ShellError;
use crate::host::discovery;
use crate::host::files::{self, Content};
use crate::host::overlay;
use crate::project::files::{Entry, Files, FilesError};

/// The disk of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Disk {
    fn place(path: &str) -> &Path {
        Path::new(if path.is_empty() { "." } else { path })
    }
}

impl Files for Disk {
    fn kind(&self, path: &str) -> Option<Entry> {
        let place = Disk::place(path);
        if files::is_file(place) {
            return Some(Entry::File);
        }
        (place.is_dir() || !overlay::below(place).is_empty()).then_some(Entry::Folder)
    }

    fn list(&self, folder: &str) -> Result<Vec<(String, Entry)>, FilesError> {
        let place = Disk::place(folder);
        let mut found = std::collections::BTreeMap::new();
        for path in overlay::below(place) {
            let mut parts = path.components();
            if let Some(name) = parts.next() {
                let entry = if parts.next().is_some() { Entry::Folder } else { Entry::File };
                found.insert(name.as_os_str().to_string_lossy().into_owned(), entry);
            }
        }
        match std::fs::read_dir(place) {
            Err(source) if found.is_empty() => return Err(fault(folder, &source)),
            Err(_) => {}
            Ok(entries) => {
                for entry in entries.flatten() {
                    // Links count as what they lead to.
                    let entry = (entry.file_name().to_string_lossy().into_owned(), entry.path());
                    match std::fs::metadata(&entry.1) {
                        Ok(metadata) if metadata.is_dir() => drop(found.insert(entry.0, Entry::Folder)),
                        Ok(metadata) if metadata.is_file() => drop(found.insert(entry.0, Entry::File)),
                        _ => {}
                    }
                }
            }
        }
        Ok(found.into_iter().collect())
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FilesError> {
        match files::read(Disk::place(path)) {
            Ok(Content::Bytes(bytes)) => Ok(bytes),
            Ok(Content::TooLarge) => Err(FilesError::TooLarge(path.to_owned())),
            Err(ShellError::Read { source, .. }) => Err(fault(path, &source)),
            Err(error) => Err(FilesError::Unreadable { path: path.to_owned(), reason: error.to_string() }),
        }
    }

    fn below(&self, folder: &str) -> Result<Vec<String>, FilesError> {
        let place = Disk::place(folder);
        let listed = discovery::everything_in(place)
            .map_err(|error| FilesError::Unreadable { path: folder.to_owned(), reason: error.to_string() });
        let mut found: Vec<String> = listed?.iter().map(|path| files::slashed(path)).collect();
        let more = overlay::below(place).into_iter().map(|path| files::slashed(&place.join(path)));
        found.extend(more);
        found.sort();
        found.dedup();
        Ok(found)
    }
}

fn fault(path: &str, source: &std::io::Error) -> FilesError {
    match source.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
            FilesError::Missing(path.to_owned())
        }
        _ => FilesError::Unreadable { path: path.to_owned(), reason: source.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn contents_that_stand_in_are_files_too() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/project");
        let shown = files::slashed(&root);
        let before = Disk.below(&shown).expect("a folder");
        assert!(before.contains(&format!("{shown}/files.rs")));
        let overlay = Arc::new([(root.join("new/a.xml"), b"x".to_vec())].into());
        overlay::with(overlay, || {
            let place = format!("{shown}/new/a.xml");
            assert_eq!(Disk.kind(&place), Some(Entry::File));
            assert_eq!(Disk.kind(&format!("{shown}/new")), Some(Entry::Folder));
            assert_eq!(Disk.read(&place).as_deref(), Ok(&b"x"[..]));
            assert!(Disk.below(&shown).expect("a folder").contains(&place));
            assert!(Disk.list(&shown).expect("a folder").contains(&("new".to_owned(), Entry::Folder)));
        });
        assert_eq!(Disk.kind(&format!("{shown}/new")), None);
        assert!(matches!(Disk.list(&format!("{shown}/new")), Err(FilesError::Missing(_))));
    }
}
