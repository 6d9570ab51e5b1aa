//! Files of storage that is no folder of this machine, brought into a folder that is one.

use std::io::Read;
use std::path::Path;

use super::private;
use super::storage::backend::{Backend, Done, Status, join};
use super::storage::fault::{StorageFault, Why};
use super::storage::{Local, Storage};

/// More files of one folder are not brought.
const MAX_FILES: usize = 200_000;

/// More bytes of one file or folder are not brought; an archive may not unpack to more either.
const MAX_BYTES: u64 = 8 << 30;

/// Brings what lies at a URI, with all below, to a name in a folder. All files may be read and run
/// by their owner.
pub fn fetch(storage: &Storage, uri: &str, folder: &Path, name: &str) -> Done {
    fetch_within(storage, uri, folder, name, MAX_BYTES)
}

fn fetch_within(storage: &Storage, uri: &str, folder: &Path, name: &str, most: u64) -> Done {
    let spot = storage.spot(uri)?;
    let status = spot.status()?.ok_or_else(|| StorageFault::not_found(uri))?;
    let local = Local::new(folder);
    let mut open = vec![(spot, status, name.to_owned())];
    let (mut count, mut left) = (0, most);
    while let Some((spot, status, name)) = open.pop() {
        count += 1;
        if count > MAX_FILES {
            return Err(StorageFault::new(
                Why::Argument,
                format!("`{uri}` holds more than {MAX_FILES} files"),
            ));
        }
        match status {
            Status { is_link: true, .. } => {}
            Status { is_folder: true, .. } => {
                local.mkdirs(&name)?;
                for_owner(&local, &name)?;
                for (inside, status) in spot.backend.list(&spot.path)? {
                    open.push((spot.below(&inside), status, join(&name, &inside)));
                }
            }
            _ => {
                // A file may be longer by now than it was said to be.
                let mut content = spot.backend.open(&spot.path)?.take(left.saturating_add(1));
                local.create(&name, &mut content)?;
                left = content.limit().checked_sub(1).ok_or_else(|| {
                    StorageFault::new(Why::Argument, format!("`{uri}` holds more than {most} bytes"))
                })?;
                for_owner(&local, &name)?;
            }
        }
    }
    Ok(())
}

fn for_owner(local: &Local, name: &str) -> Done {
    let place = local.place(name);
    private::let_owner_run(&place).map_err(|error| StorageFault::io(&place.display().to_string(), &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::config::Config;

    #[test]
    fn no_more_is_brought_than_may_be() {
        let folder = std::env::temp_dir().join(format!("ankus-fetch-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("from/below")).expect("a folder");
        std::fs::write(folder.join("from/a"), "12345").expect("a file");
        std::fs::write(folder.join("from/below/b"), "678").expect("a file");
        let storage = Storage::new(&Config::default(), &folder).expect("storage");
        let uri = format!("file://{}/from", folder.display());
        fetch_within(&storage, &uri, &folder.join("to"), "in/x", 8).expect("it is brought");
        let text = |name: &str| std::fs::read_to_string(folder.join("to/in/x").join(name)).expect("a file");
        assert_eq!((text("a").as_str(), text("below/b").as_str()), ("12345", "678"));
        let told = fetch_within(&storage, &uri, &folder.join("to"), "y", 7).expect_err("it is too much");
        assert_eq!(told.words, format!("`{uri}` holds more than 7 bytes"));
        std::fs::remove_dir_all(folder).expect("it goes");
    }
}
