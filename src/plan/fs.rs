//! What an fs action does, from its evaluated definition (`FsActionExecutor`): operations on paths with scheme and
//! authority. Touches no file.

use serde::{Deserialize, Serialize};

use crate::xml::Element;

/// Why an fs action fails before it does anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FsFault {
    /// A server's code. Exceptions that its fs action does not know have the name of their class as their code.
    pub code: &'static str,
    /// In words.
    pub words: String,
}

fn fault(code: &'static str, words: impl Into<String>) -> FsFault {
    FsFault { code, words: words.into() }
}

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Makes a folder and those above it.
    Mkdir(String),
    /// Deletes what a pattern stands for, with all below.
    Delete(String),
    /// Moves what a pattern stands for to the trash of a user.
    Trash {
        /// The pattern.
        path: String,
        /// Whose trash.
        user: String,
    },
    /// Moves what a pattern stands for.
    Move {
        /// From where.
        source: String,
        /// To where.
        target: String,
    },
    /// Sets permissions.
    Chmod {
        /// Of what a pattern stands for.
        path: String,
        /// `755` or `-rwxr-xr-x`.
        permissions: String,
        /// Of what is in a folder too.
        dir_files: bool,
        /// Of all below.
        recursive: bool,
    },
    /// Sets the group.
    Chgrp {
        /// Of what a pattern stands for.
        path: String,
        /// The name of the group.
        group: String,
        /// Of what is in a folder too.
        dir_files: bool,
        /// Of all below.
        recursive: bool,
    },
    /// Makes an empty file, or touches one.
    Touchz(String),
    /// Sets how many copies there are of a file, where storage has copies.
    Setrep {
        /// The file; a folder, or what is not there, is left alone.
        path: String,
        /// How many.
        copies: u16,
    },
}

/// Reads the operations of an action, evaluated; `user` is who runs the job.
pub fn operations(action: &Element, user: &str) -> Result<Vec<Operation>, FsFault> {
    let name_node = action.child("name-node").map(|element| element.text().value.trim().to_owned());
    let name_node = name_node.filter(|text| !text.is_empty());
    if let Some(name_node) = &name_node
        && scheme(name_node).is_none()
    {
        return Err(fault("FS001", format!("Missing scheme in path [{name_node}]")));
    }
    let full = |text: &str| full_of(name_node.as_deref(), text.trim());
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
                Operation::Setrep { path: full_of(None, text("path").trim())?, copies }
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
fn full_of(name_node: Option<&str>, text: &str) -> Result<String, FsFault> {
    match name_node {
        _ if scheme(text).is_some() => Ok(text.to_owned()),
        None => Err(fault("FS001", format!("Missing scheme in path [{text}]"))),
        Some(_) if !text.starts_with('/') => Err(fault("FS011", format!("Path [{text}] cannot be relative"))),
        Some(name_node) => Ok(format!("{}{text}", root(name_node))),
    }
}

/// The target of a move: without scheme it lies where its source does; it may lie nowhere else (`validateSameNN`).
fn beside(source: &str, target: &str) -> Result<String, FsFault> {
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

/// The bits of `755` or `-rwxr-xr-x`.
pub fn mode(path: &str, permissions: &str) -> Result<u32, FsFault> {
    let invalid = || {
        let words = format!("chmod, path [{path}] invalid permissions mask [{permissions}]");
        fault("FS010", words)
    };
    let signs: Vec<char> = permissions.chars().collect();
    match signs.len() {
        3 if signs.iter().all(char::is_ascii_digit) => {
            // `Short.parseShort(…, 8)` has no word for digits that are not octal.
            let octal = u32::from_str_radix(permissions, 8);
            octal.map_err(|_| fault("NumberFormatException", format!("`{permissions}` is no octal number")))
        }
        10 => symbolic(&signs).ok_or_else(invalid),
        _ => Err(invalid()),
    }
}

/// `FsPermission.valueOf`, which takes any letter for a right; here it must be the right one.
fn symbolic(signs: &[char]) -> Option<u32> {
    let mut mode = 0;
    for (place, (sign, expected)) in signs[1..].iter().zip("rwxrwxrwx".chars()).enumerate() {
        let bit = match sign {
            '-' => 0,
            'T' if place == 8 => 0,
            't' if place == 8 => 1,
            sign if *sign == expected => 1,
            _ => return None,
        };
        mode = mode << 1 | bit;
    }
    let sticky = if matches!(signs[9], 't' | 'T') { 0o1000 } else { 0 };
    Some(mode | sticky)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_are_read_as_a_server_reads_them() {
        let read = |text: &str| mode("p", text).map_err(|fault| fault.code);
        assert_eq!(read("755"), Ok(0o755));
        assert_eq!(read("-rwxr-x--t"), Ok(0o1751));
        assert_eq!(read("drwx--x--T"), Ok(0o1710));
        assert_eq!(read("----------"), Ok(0));
        for bad in ["", "7", "0755", "u+x", "-rwxr-xr-z", "-wrxr-xr-x"] {
            assert_eq!(read(bad), Err("FS010"), "{bad}");
        }
        assert_eq!(read("789"), Err("NumberFormatException"));
    }
}
