//! One operation on files.

use super::{FilesFault, Operation, fault};
use crate::execute::storage::backend::{Status, split};
use crate::execute::storage::fault::{StorageFault, Why};
use crate::execute::storage::{MAX_MATCHES, Spot, Storage};
use crate::plan::fs;

/// The source of a move is not there.
pub(super) fn gone(source: &str) -> FilesFault {
    fault("FS006", format!("move, source path [{source}] does not exist"))
}

/// Nothing fits a pattern.
pub(super) fn nothing_matches(name: &str, uri: &str) -> FilesFault {
    fault("FS009", format!("{name}, path(s) that matches [{uri}] does not exist"))
}

/// A pattern stands for too many.
pub(super) fn many() -> FilesFault {
    fault("FS013", "too many globbed files/dirs to do FS operation")
}

/// Does one operation.
pub(super) fn one(storage: &Storage, operation: &Operation) -> Result<(), FilesFault> {
    match operation {
        Operation::Mkdir(path) => mkdir(storage, &storage.spot(path)?),
        Operation::Delete(pattern) => {
            for (spot, _) in few(storage.own_matches(pattern))? {
                storage.guard(&spot)?;
                let deleted = spot.backend.delete(&spot.path);
                deleted.map_err(|found| {
                    named("FS005", found, || format!("delete, path [{}] could not delete path", spot.uri))
                })?;
            }
            Ok(())
        }
        Operation::Trash { path, user } => {
            for (spot, _) in few(storage.own_matches(path))? {
                storage.guard(&spot)?;
                trash(&spot, user)?;
            }
            Ok(())
        }
        Operation::Move { source, target } => {
            let sources = few(storage.own_matches(source))?;
            let to = storage.spot(target)?;
            may_change(storage, &to, "FS008")?;
            if sources.is_empty() {
                return Err(gone(source));
            }
            if sources.len() > 1 && !to.status()?.is_some_and(|status| status.is_folder) {
                let words = "move, could not rename multiple sources to the same target name";
                return Err(fault("FS012", words));
            }
            for (from, _) in sources {
                storage.guard(&from)?;
                rename(&from, &to)?;
            }
            Ok(())
        }
        Operation::Chmod { path, permissions, dir_files, recursive } => {
            let mode = fs::mode(path, permissions)?;
            each(storage, "chmod", path, (*dir_files, *recursive), &|spot| {
                spot.backend.set_mode(&spot.path, mode)
            })
        }
        Operation::Chgrp { path, group, dir_files, recursive } => {
            each(storage, "chgrp", path, (*dir_files, *recursive), &|spot| {
                spot.backend.set_group(&spot.path, group)
            })
        }
        Operation::Touchz(uri) => {
            let spot = storage.spot(uri)?;
            may_change(storage, &spot, "FS014")?;
            // A server throws a bare `Exception` for these two, whose name becomes the code.
            match spot.status()? {
                Some(status) if status.is_folder => {
                    return Err(fault("Exception", format!("{uri} is a directory")));
                }
                Some(status) if status.length != 0 => {
                    return Err(fault("Exception", format!("{uri} must be a zero-length file")));
                }
                _ => {}
            }
            Ok(spot.backend.create(&spot.path, &mut std::io::empty())?)
        }
        Operation::Setrep { path, copies } => {
            let spot = storage.spot(path)?;
            match spot.status()? {
                // What goes wrong here is not told by a server either (`setrep`).
                Some(status) if status.is_file() => {
                    drop(spot.backend.set_replication(&spot.path, *copies));
                    Ok(())
                }
                _ => Ok(()),
            }
        }
    }
}

/// The fault of an operation by its own code, unless it has one that says more.
fn named(code: &'static str, found: StorageFault, words: impl FnOnce() -> String) -> FilesFault {
    match found.why {
        Why::Io | Why::NotFound | Why::Exists | Why::NotFolder | Why::Unsupported | Why::Argument => {
            fault(code, format!("{}: {}", words(), found.words))
        }
        _ => found.into(),
    }
}

/// What a pattern stands for, when it is not too much.
fn few(found: Result<Vec<(Spot, Status)>, StorageFault>) -> Result<Vec<(Spot, Status)>, FilesFault> {
    let found = found?;
    if found.len() > MAX_MATCHES { Err(many()) } else { Ok(found) }
}

/// Refuses what belongs to the store of the executor, with the code of the operation.
fn may_change(storage: &Storage, spot: &Spot, code: &'static str) -> Result<(), FilesFault> {
    storage.guard_change(spot).map_err(|found| fault(code, found.words))
}

fn mkdir(storage: &Storage, spot: &Spot) -> Result<(), FilesFault> {
    if spot.status()?.is_some() {
        return Ok(());
    }
    may_change(storage, spot, "FS004")?;
    let words = || format!("mkdir, path [{}] could not create directory", spot.uri);
    spot.backend.mkdirs(&spot.path).map_err(|found| named("FS004", found, words))
}

/// Renames as HDFS does: into a folder that is there, never over a file, never into itself, and only where the folder above
/// is there.
fn rename(from: &Spot, to: &Spot) -> Result<(), FilesFault> {
    let words = || format!("move, could not move [{}] to [{}]", from.uri, to.uri);
    let refused = |why: &str| fault("FS008", format!("{}: {why}", words()));
    if !from.is_beside(to) {
        return Err(refused("they lie in different storages"));
    }
    let name = split(&from.path).map_or("", |(_, name)| name);
    let to = match to.status()? {
        Some(status) if status.is_folder => to.below(name),
        Some(_) if to.path == from.path => return Ok(()),
        Some(_) => return Err(refused("the target is there")),
        None => to.clone(),
    };
    if to.path == from.path || to.path.starts_with(&format!("{}/", from.path)) {
        return Err(refused("the target lies in the source"));
    }
    if to.status()?.is_some() {
        return Err(refused("the target is there"));
    }
    match to.split() {
        Some((above, _)) if !above.status()?.is_some_and(|status| status.is_folder) => {
            Err(refused("the folder of the target is not there"))
        }
        _ => from.backend.rename(&from.path, &to.path).map_err(|found| named("FS008", found, words)),
    }
}

/// Moves to the trash (`TrashPolicyDefault.moveToTrash`): `/user/NAME/.Trash/Current`, with the path below it; what is there
/// already gets a number behind it.
fn trash(spot: &Spot, user: &str) -> Result<(), FilesFault> {
    let failed =
        |why: &str| fault("FS005", format!("Could not move path [{}] to trash on delete: {why}", spot.uri));
    if user.is_empty() || user.contains(['/', '\0']) || user == ".." || user == "." {
        return Err(failed("it is not known whose trash"));
    }
    let home = format!("user/{user}/.Trash");
    let inside = |path: &str, folder: &str| path == folder || path.starts_with(&format!("{folder}/"));
    if inside(&spot.path, &home) {
        return Err(failed("it lies in the trash"));
    }
    if inside(&home, &spot.path) {
        return Err(failed("it contains the trash"));
    }
    let place = format!("{home}/Current/{}", spot.path);
    let backend = &spot.backend;
    let told =
        |found| named("FS005", found, || format!("Could not move path [{}] to trash on delete", spot.uri));
    if let Some((above, _)) = split(&place) {
        backend.mkdirs(above).map_err(told)?;
    }
    let mut to = place.clone();
    for number in 1.. {
        if backend.status(&to)?.is_none() {
            break;
        }
        to = format!("{place}.{number}");
    }
    backend.rename(&spot.path, &to).map_err(told)
}

/// Does something with what a pattern stands for, with what is in its folders, and with all below; deeper ones first, as
/// `recursiveFsOperation` has it. Links are left alone.
fn each(
    storage: &Storage,
    name: &str,
    uri: &str,
    (dir_files, recursive): (bool, bool),
    act: &dyn Fn(&Spot) -> Result<(), StorageFault>,
) -> Result<(), FilesFault> {
    let found = few(storage.matches(uri))?;
    if found.is_empty() {
        return Err(nothing_matches(name, uri));
    }
    for (spot, status) in found {
        // First what is to be done, then from its end.
        let mut all = vec![(spot, status)];
        let mut next = 0;
        while let Some((spot, status)) = all.get(next).cloned() {
            let is_open = status.is_folder && !status.is_link && dir_files && (next == 0 || recursive);
            next += 1;
            if is_open {
                let inside = spot.backend.list(&spot.path)?;
                all.extend(inside.into_iter().map(|(name, status)| (spot.below(&name), status)));
            }
        }
        for (spot, status) in all.into_iter().rev() {
            if !status.is_link {
                may_change(storage, &spot, "FS014")?;
                act(&spot)?;
            }
        }
    }
    Ok(())
}
