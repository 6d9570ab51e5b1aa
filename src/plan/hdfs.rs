//! What an `hdfs` action of 2009 does, as operations of an fs action, and the look at all of them before the first is done.
//! Touches no file.

use std::collections::BTreeMap;

use super::fs::{FsFault, Operation, scheme};
use crate::xml::Element;

/// The element of such an action.
pub const KIND: &str = "hdfs";

/// Reads the commands of an action, evaluated; `job_user` is who runs the job.
///
/// # Errors
/// Where its file system is not a URI.
pub fn operations(action: &Element, job_user: &str) -> Result<Vec<Operation>, FsFault> {
    let text = |name: &str| action.child(name).map(|it| it.text().value.trim().to_owned());
    let file_system = text("file-system").unwrap_or_default();
    if scheme(&file_system).is_none() {
        return Err(fault("FS001", format!("`{file_system}` is not the URI of a file system")));
    }
    let user = text("user").filter(|user| !user.is_empty());
    let user = user.as_deref().unwrap_or(job_user);
    let root = file_system.trim_end_matches('/');
    let full = |path: &str| match path.trim() {
        path if scheme(path).is_some() => path.to_owned(),
        path if path.starts_with('/') => format!("{root}{path}"),
        path => format!("{root}/user/{user}/{path}"),
    };
    let commands = action.child("commands").into_iter().flat_map(Element::elements);
    let command = |command: &Element| {
        let path = |name: &str| full(command.attribute(name).map_or("", |it| it.value.value.as_str()));
        match command.name.local.as_str() {
            "mkdir" => Some(Operation::Mkdir(path("path"))),
            "delete" => Some(Operation::Delete(path("path"))),
            "move" => Some(Operation::Move { source: path("source"), target: path("target") }),
            _ => None,
        }
    };
    Ok(commands.filter_map(command).collect())
}

fn fault(code: &'static str, words: impl Into<String>) -> FsFault {
    FsFault { code, words: words.into() }
}

/// What lies at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lies {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// Nothing.
    Nothing,
    /// Nobody knows.
    Unknown,
}

/// The folder above a path.
fn above(path: &str) -> Option<&str> {
    let (folder, _) = path.rsplit_once('/')?;
    (folder.len() > super::fs::root(path).len()).then_some(folder)
}

/// What earlier commands have done, over what there is.
struct Ahead<'l> {
    lies: &'l mut dyn FnMut(&str) -> Lies,
    changed: BTreeMap<String, Lies>,
}

impl Ahead<'_> {
    fn at(&mut self, path: &str) -> Lies {
        let mut place = Some(path);
        // What was deleted or moved away is gone with all below.
        while let Some(here) = place {
            match self.changed.get(here) {
                Some(lies) if here == path => return *lies,
                Some(Lies::Nothing) => return Lies::Nothing,
                Some(_) => return Lies::Unknown,
                None => place = above(here),
            }
        }
        (self.lies)(path)
    }

    fn set(&mut self, path: &str, lies: Lies) {
        let below = format!("{path}/");
        self.changed.retain(|known, _| known != path && !known.starts_with(&below));
        self.changed.insert(path.to_owned(), lies);
    }
}

/// Looks at all commands before anything is done, counting what earlier ones make and take away: every source is there, no
/// target is, and the folder above each target is.
///
/// # Errors
/// The first that cannot be done.
pub fn look_ahead(operations: &[Operation], lies: &mut dyn FnMut(&str) -> Lies) -> Result<(), FsFault> {
    let mut ahead = Ahead { lies, changed: BTreeMap::new() };
    for operation in operations {
        match operation {
            Operation::Mkdir(path) => {
                if ahead.at(path) == Lies::File {
                    return Err(fault("FS004", format!("mkdir: `{path}` is a file")));
                }
                let mut place = Some(path.as_str());
                while let Some(folder) = place.filter(|folder| ahead.at(folder) != Lies::Folder) {
                    if ahead.at(folder) == Lies::File {
                        return Err(fault("FS004", format!("mkdir: `{folder}` is a file")));
                    }
                    ahead.changed.insert(folder.to_owned(), Lies::Folder);
                    place = above(folder);
                }
            }
            Operation::Delete(path) => ahead.set(path, Lies::Nothing),
            Operation::Move { source, target } => {
                let moved = ahead.at(source);
                if moved == Lies::Nothing {
                    return Err(fault("FS006", format!("move: the source `{source}` does not exist")));
                }
                if matches!(ahead.at(target), Lies::File | Lies::Folder) {
                    return Err(fault("FS008", format!("move: the target `{target}` exists")));
                }
                if let Some(folder) = above(target)
                    && matches!(ahead.at(folder), Lies::Nothing | Lies::File)
                {
                    return Err(fault("FS008", format!("move: the folder `{folder}` does not exist")));
                }
                ahead.set(source, Lies::Nothing);
                ahead.set(target, moved);
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;
    use crate::xml;

    fn read(text: &str) -> Vec<Operation> {
        let text = format!(
            "<hdfs><file-system>hdfs://nn:1/</file-system><user>tucu</user><commands>{text}</commands></hdfs>"
        );
        let file = Sources::new().add("", &*text);
        let root = xml::read(file, &text, &xml::Limits::default()).0.expect("XML");
        operations(&root, "job").expect("operations")
    }

    #[test]
    fn relative_paths_start_at_home() {
        let made = Operation::Mkdir("hdfs://nn:1/user/tucu/archives/x".to_owned());
        assert_eq!(read("<mkdir path='archives/x'/>"), [made]);
        let moved =
            Operation::Move { source: "hdfs://nn:1/a".to_owned(), target: "hdfs://nn:1/b".to_owned() };
        assert_eq!(read("<move source='/a' target='/b'/>"), [moved]);
    }

    #[test]
    fn the_look_ahead_counts_earlier_commands() {
        let look = |text: &str| {
            let mut lies = |path: &str| match path {
                "hdfs://nn:1/in" => Lies::Folder,
                "hdfs://nn:1/file" => Lies::File,
                _ => Lies::Nothing,
            };
            look_ahead(&read(text), &mut lies).map_err(|fault| fault.code)
        };
        assert_eq!(look("<mkdir path='/out/x'/><move source='/in' target='/out/x/y'/>"), Ok(()));
        assert_eq!(look("<move source='/in' target='/out/y'/>"), Err("FS008"), "no folder above");
        assert_eq!(look("<move source='/in' target='/file'/>"), Err("FS008"), "the target exists");
        assert_eq!(look("<delete path='/file'/><move source='/in' target='/file'/>"), Ok(()));
        assert_eq!(look("<delete path='/in'/><move source='/in' target='/new'/>"), Err("FS006"));
        assert_eq!(look("<move source='/in' target='/a'/><move source='/in' target='/b'/>"), Err("FS006"));
        assert_eq!(look("<mkdir path='/file/x'/>"), Err("FS004"));
        assert_eq!(look("<mkdir path='/in'/><delete path='/none'/>"), Ok(()));
    }
}
