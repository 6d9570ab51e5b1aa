//! An fs action in the world of a simulation: what it makes, moves and deletes, and the errors of a server
//! (`FsActionExecutor`).

use super::files::{Known, Made, above};
use crate::engine::Fault;
use crate::plan::coordinator::plain_uri;
use crate::plan::fs::{self, Operation};
use crate::plan::hdfs::{self, Lies};
use crate::source::Sources;
use crate::time::Instant;
use crate::xml;

/// Where an fs action does what it does.
pub(super) trait Ground {
    /// What time it is.
    fn now(&self) -> Instant;

    /// What is known of a path.
    fn known(&self, path: &str) -> Known;

    /// The paths that a pattern stands for.
    fn matches(&self, pattern: &str) -> Vec<String>;

    /// What fs actions have done.
    fn made(&mut self) -> &mut Made;

    /// Something is deleted.
    fn delete(&mut self, path: &str);

    /// Something is moved.
    fn move_to(&mut self, from: &str, to: &str);
}

fn fault(code: &str, words: String) -> Fault {
    Fault::new(code, words)
}

/// Does what an evaluated definition says, operation by operation; what was done before an error stays done. Gives the
/// paths that are there since.
pub(super) fn act(world: &mut dyn Ground, definition: &str, user: &str) -> (Vec<String>, Result<(), Fault>) {
    let mut made = Vec::new();
    let mut sources = Sources::new();
    let file = sources.add("fs", definition);
    let Some(root) = xml::read(file, definition, &xml::Limits::default()).0 else { return (made, Ok(())) };
    let is_hdfs = root.name.local == hdfs::KIND;
    let read = if is_hdfs { hdfs::operations(&root, user) } else { fs::operations(&root, user) };
    let operations = read.and_then(|operations| {
        if is_hdfs {
            let mut lies = |path: &str| match world.known(&plain_uri(path)) {
                Known::File(_) => Lies::File,
                Known::Folder => Lies::Folder,
                Known::Missing => Lies::Nothing,
                Known::Unknown => Lies::Unknown,
            };
            hdfs::look_ahead(&operations, &mut lies)?;
        }
        Ok(operations)
    });
    let operations = match operations {
        Ok(operations) => operations,
        Err(found) => return (made, Err(fault(found.code, found.words))),
    };
    for operation in &operations {
        if let Err(found) = one(world, operation, &mut made) {
            return (made, Err(found));
        }
    }
    (made, Ok(()))
}

fn one(world: &mut dyn Ground, operation: &Operation, made: &mut Vec<String>) -> Result<(), Fault> {
    let now = world.now();
    match operation {
        Operation::Mkdir(path) => {
            let path = plain_uri(path).into_owned();
            let known = world.known(&path);
            let over = above(&path).map(|folder| world.known(folder));
            match (known, over) {
                (Known::File(_) | Known::Folder, _) => {}
                (_, Some(Known::File(_))) => {
                    return Err(fault("FS004", format!("mkdir, path [{path}] could not create directory")));
                }
                (known, _) => {
                    world.made().make_folder(&path, known == Known::Missing, now);
                    made.push(path);
                }
            }
            Ok(())
        }
        Operation::Delete(pattern) | Operation::Trash { path: pattern, .. } => {
            for path in world.matches(pattern) {
                world.delete(&path);
            }
            Ok(())
        }
        Operation::Move { source, target } => {
            let target = plain_uri(target).into_owned();
            let sources = world.matches(source);
            if sources.is_empty() {
                return Err(fault("FS006", format!("move, source path [{source}] does not exist")));
            }
            let to = world.known(&target);
            if sources.len() > 1 && matches!(to, Known::Missing | Known::File(_)) {
                let words = "move, could not rename multiple sources to the same target name";
                return Err(fault("FS012", words.to_owned()));
            }
            sources.iter().try_for_each(|path| rename(world, path, (&target, to), made))
        }
        Operation::Chmod { path, permissions, .. } => {
            if world.matches(path).is_empty() {
                return Err(fault("FS009", format!("chmod, path(s) that matches [{path}] does not exist")));
            }
            fs::mode(path, permissions).map(drop).map_err(|found| fault(found.code, found.words))
        }
        Operation::Chgrp { path, .. } if world.matches(path).is_empty() => {
            Err(fault("FS009", format!("chgrp, path(s) that matches [{path}] does not exist")))
        }
        Operation::Touchz(path) => {
            let path = plain_uri(path).into_owned();
            // A server throws a bare `Exception` for these two, whose name becomes the code.
            match world.known(&path) {
                Known::Folder => return Err(fault("Exception", format!("{path} is a directory"))),
                Known::File(length) if length != 0 => {
                    return Err(fault("Exception", format!("{path} must be a zero-length file")));
                }
                _ => {}
            }
            world.made().make_file(&path, 0, now);
            made.push(path);
            Ok(())
        }
        Operation::Chgrp { .. } | Operation::Setrep { .. } => Ok(()),
    }
}

/// Renames as HDFS does: into a folder that is there, never over a file, never into itself, and only where the folder above
/// is there.
fn rename(
    world: &mut dyn Ground,
    from: &str,
    (target, to): (&str, Known),
    made: &mut Vec<String>,
) -> Result<(), Fault> {
    let refused = || Err(fault("FS008", format!("move, could not move [{from}] to [{target}]")));
    let name = from.rsplit('/').next().unwrap_or_default();
    let place = match to {
        Known::Folder => format!("{target}/{name}"),
        Known::File(_) if target == from => return Ok(()),
        Known::File(_) => return refused(),
        Known::Missing | Known::Unknown => target.to_owned(),
    };
    let is_inside = place == from || place.starts_with(&format!("{from}/"));
    let is_taken = place != target && world.known(&place).is_there();
    let is_nowhere = above(&place).is_some_and(|folder| world.known(folder) == Known::Missing);
    if is_inside || is_taken || is_nowhere {
        return refused();
    }
    world.move_to(from, &place);
    made.push(place);
    Ok(())
}
