//! A look at all operations before the first is done. What an earlier one makes, or takes away, is known to a later one.

use super::act::{gone, many, nothing_matches};
use super::{FilesFault, Operation};
use crate::execute::storage::{MAX_MATCHES, Storage};
use crate::plan::fs;

/// Whether each can be done as things stand, as far as that can be said.
pub fn all(storage: &Storage, operations: &[Operation]) -> Result<(), FilesFault> {
    // What earlier ones change: below and above these, nothing is known any more.
    let mut changed: Vec<&str> = Vec::new();
    for operation in operations {
        let (path, target) = operation.paths();
        for literal in target.into_iter().chain((!has_pattern(operation)).then_some(path)) {
            storage.spot(literal)?;
        }
        match operation {
            Operation::Delete(_) | Operation::Trash { .. } | Operation::Move { .. } => {
                storage.guard_pattern(path)?;
            }
            Operation::Chmod { permissions, .. } => drop(fs::mode(path, permissions)?),
            _ => {}
        }
        let is_known = !changed.iter().any(|other| is_near(fixed(path), fixed(other)));
        if is_known && has_pattern(operation) {
            // What is deleted or moved may be a link that leads out.
            let found = match operation {
                Operation::Delete(_) | Operation::Trash { .. } | Operation::Move { .. } => {
                    storage.own_matches(path)
                }
                _ => storage.matches(path),
            };
            let found = found?.len();
            match operation {
                Operation::Move { source, .. } if found == 0 => return Err(gone(source)),
                Operation::Chmod { .. } if found == 0 => return Err(nothing_matches("chmod", path)),
                Operation::Chgrp { .. } if found == 0 => return Err(nothing_matches("chgrp", path)),
                _ if found > MAX_MATCHES => return Err(many()),
                _ => {}
            }
        }
        use Operation::{Chgrp, Chmod, Setrep};
        if !matches!(operation, Chmod { .. } | Chgrp { .. } | Setrep { .. }) {
            changed.extend(std::iter::once(path).chain(target));
        }
    }
    Ok(())
}

/// Whether what an operation looks at may be a pattern; in others its signs are names.
fn has_pattern(operation: &Operation) -> bool {
    use Operation::{Chgrp, Chmod, Delete, Move, Trash};
    matches!(operation, Delete(_) | Trash { .. } | Move { .. } | Chmod { .. } | Chgrp { .. })
}

/// The folders of a path before its first pattern.
fn fixed(path: &str) -> &str {
    match path.find(['*', '?', '[', '{', '\\']) {
        Some(first) => &path[..path[..first].rfind('/').unwrap_or(0)],
        None => path,
    }
}

/// Whether one path is the other or lies below it.
fn is_near(one: &str, other: &str) -> bool {
    let plain = |path: &str| -> Vec<String> {
        path.split('/').filter(|name| !name.is_empty() && *name != ".").map(str::to_owned).collect()
    };
    let (one, other) = (plain(one), plain(other));
    one.starts_with(&other) || other.starts_with(&one)
}
