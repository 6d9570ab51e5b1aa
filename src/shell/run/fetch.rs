//! Files of storage that is no folder of this machine, brought into a folder that is one.

use std::path::Path;

use super::storage::backend::{Backend, Done, Status, join};
use super::storage::fault::{StorageFault, Why};
use super::storage::{Local, Storage};

/// More files of one folder are not brought.
const MAX_FILES: usize = 200_000;

/// Brings what lies at a URI, with all below, to a name in a folder.
pub fn fetch(storage: &Storage, uri: &str, folder: &Path, name: &str) -> Done {
    let spot = storage.spot(uri)?;
    let status = spot.status()?.ok_or_else(|| StorageFault::not_found(uri))?;
    let local = Local::new(folder);
    let mut open = vec![(spot, status, name.to_owned())];
    let mut count = 0;
    while let Some((spot, status, name)) = open.pop() {
        count += 1;
        if count > MAX_FILES {
            return Err(StorageFault::new(Why::Io, format!("`{uri}` holds more than {MAX_FILES} files")));
        }
        match status {
            Status { is_link: true, .. } => {}
            Status { is_folder: true, .. } => {
                local.mkdirs(&name)?;
                for (inside, status) in spot.backend.list(&spot.path)? {
                    open.push((spot.below(&inside), status, join(&name, &inside)));
                }
            }
            _ => local.create(&name, &mut *spot.backend.open(&spot.path)?)?,
        }
    }
    Ok(())
}
