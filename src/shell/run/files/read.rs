//! The operations of an fs action, from its evaluated definition.

use super::{FilesFault, Operation, fault};
use crate::xml::Element;

/// Reads the operations of an action, evaluated; `user` is who runs the job.
pub fn operations(action: &Element, user: &str) -> Result<Vec<Operation>, FilesFault> {
    let name_node = action.child("name-node").map(|element| element.text().value.trim().to_owned());
    let name_node = name_node.filter(|text| !text.is_empty());
    if let Some(name_node) = &name_node
        && scheme(name_node).is_none()
    {
        return Err(fault("FS001", format!("Missing scheme in path [{name_node}]")));
    }
    let full = |text: &str| full(name_node.as_deref(), text.trim());
    let mut operations = Vec::new();
    for command in action.elements() {
        let text =
            |name: &str| command.attribute(name).map(|text| text.value.value.as_str()).unwrap_or_default();
        let path = || full(text("path"));
        let dir_files =
            command.attribute("dir-files").is_none_or(|_| text("dir-files").eq_ignore_ascii_case("true"));
        let recursive = command.child("recursive").is_some();
        operations.push(match command.name.local.as_str() {
            "mkdir" => Operation::Mkdir(path()?),
            // Only the very word `false` asks for the trash.
            "delete" if text("skip-trash") == "false" => {
                Operation::Trash { path: path()?, user: user.to_owned() }
            }
            "delete" => Operation::Delete(path()?),
            "move" => {
                let source = full(text("source"))?;
                let target = beside(&source, text("target").trim())?;
                Operation::Move { source, target }
            }
            "chmod" => {
                let permissions = text("permissions").trim().to_owned();
                Operation::Chmod { path: path()?, permissions, dir_files, recursive }
            }
            "chgrp" => {
                Operation::Chgrp { path: path()?, group: text("group").to_owned(), dir_files, recursive }
            }
            "touchz" => Operation::Touchz(path()?),
            "setrep" => {
                let copies = text("replication-factor");
                if copies.is_empty() {
                    continue;
                }
                // `Short.parseShort`
                let number = copies.parse::<i16>().ok().and_then(|copies| u16::try_from(copies).ok());
                let copies = number.ok_or_else(|| {
                    fault("NumberFormatException", format!("`{copies}` is no number of copies"))
                })?;
                // The name node of the action does not count here.
                Operation::Setrep { path: self::full(None, text("path").trim())?, copies }
            }
            _ => continue,
        });
    }
    Ok(operations)
}

/// The scheme of a path, when it has one.
pub fn scheme(path: &str) -> Option<&str> {
    let colon = path.find(':')?;
    (colon > 0 && path.find('/').is_none_or(|slash| colon < slash)).then(|| &path[..colon])
}

/// Scheme and authority of a path, `hdfs://nn`, as far as it has them.
pub fn root(path: &str) -> &str {
    let after = scheme(path).map_or(0, |scheme| scheme.len() + 1);
    let Some(authority) = path[after..].strip_prefix("//") else { return &path[..after] };
    let start = after + 2;
    &path[..start + authority.find('/').unwrap_or(authority.len())]
}

/// A path with scheme and authority (`resolveToFullPath`).
fn full(name_node: Option<&str>, text: &str) -> Result<String, FilesFault> {
    match name_node {
        _ if scheme(text).is_some() => Ok(text.to_owned()),
        None => Err(fault("FS001", format!("Missing scheme in path [{text}]"))),
        Some(_) if !text.starts_with('/') => Err(fault("FS011", format!("Path [{text}] cannot be relative"))),
        Some(name_node) => Ok(format!("{}{text}", root(name_node))),
    }
}

/// The target of a move: without scheme it lies where its source does; it may lie nowhere else (`validateSameNN`).
fn beside(source: &str, target: &str) -> Result<String, FilesFault> {
    if scheme(target).is_none() {
        return match target.starts_with('/') {
            true => Ok(format!("{}{target}", root(source))),
            false => Err(fault("FS011", format!("Path [{target}] cannot be relative"))),
        };
    }
    if root(target) != root(source) {
        let words = format!("move, target NN URI different from that of source: [{source}] and [{target}]");
        return Err(fault("FS007", words));
    }
    Ok(target.to_owned())
}
