//! `fs:…` and `hcat:exists` on the files and partitions that the world names (`FsELFunctions`, `HCatELFunctions`).

use std::collections::BTreeMap;

use super::globs::{Glob, alternatives};
use super::world::World;
use crate::el::{Failure, Value};

/// Schemes that a server has a file system for.
const SCHEMES: [&str; 13] = [
    "hdfs", "hftp", "webhdfs", "swebhdfs", "viewfs", "file", "har", "ftp", "s3a", "s3", "abfs", "wasb", "gs",
];

/// The block size that HDFS has when nothing else is said.
const BLOCK_SIZE: i64 = 128 << 20;

/// Calls `fs:name`.
pub(super) fn call<'a>(world: &World, name: &str, path: &str) -> Result<Value<'a>, Failure> {
    let path = Path::parse(path)?;
    path.check_scheme(world)?;
    Ok(match name {
        "exists" => Value::Bool(path.exists(world)?),
        "isDir" => Value::Bool(matches!(path.find(world), Some(Found::Folder))),
        "fileSize" => Value::Long(match path.find(world) {
            Some(Found::File(length)) => length,
            Some(Found::Folder) => 0,
            None => -1,
        }),
        "blockSize" => Value::Long(match path.find(world) {
            Some(Found::File(_)) => world.block_size.unwrap_or(BLOCK_SIZE),
            Some(Found::Folder) => 0,
            None => -1,
        }),
        "dirSize" => Value::Long(match path.find(world) {
            Some(Found::Folder) => path.direct_files(world),
            _ => -1,
        }),
        _ => return Err(Failure::new("ELException", format!("`fs:{name}` is not known"))),
    })
}

/// What lies at a path.
enum Found {
    File(i64),
    Folder,
}

/// A path, taken apart as `org.apache.hadoop.fs.Path` does.
struct Path {
    scheme: String,
    /// Scheme and authority, `hdfs://nn1:8020`, or nothing.
    root: String,
    /// The names, without empty ones.
    names: Vec<String>,
}

impl Path {
    fn parse(text: &str) -> Result<Path, Failure> {
        if text.is_empty() {
            return Err(Failure::new("IllegalArgumentException", "the path is empty"));
        }
        let colon = text.split('/').next().and_then(|first| first.find(':'));
        let (scheme, rest) = match colon {
            Some(0) => return Err(Failure::new("IllegalArgumentException", format!("`{text}` is no path"))),
            Some(colon) => (&text[..colon], &text[colon + 1..]),
            None => ("", text),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
            None => ("", rest),
        };
        if !scheme.is_empty() && authority.is_empty() && !path.starts_with('/') {
            return Err(Failure::new(
                "IllegalArgumentException",
                format!("`{text}` is a relative path with a scheme"),
            ));
        }
        let root = if scheme.is_empty() && authority.is_empty() {
            String::new()
        } else {
            format!("{scheme}://{authority}")
        };
        Ok(Path { scheme: scheme.to_owned(), root, names: names(path) })
    }

    fn check_scheme(&self, world: &World) -> Result<(), Failure> {
        let scheme = self.scheme.as_str();
        let is_used = || world.files().any(|(file, _)| file.split(':').next() == Some(scheme));
        if scheme.is_empty() || SCHEMES.contains(&scheme) || is_used() {
            return Ok(());
        }
        Err(Failure::new(
            "HadoopAccessorException",
            format!("there is no file system for the scheme `{scheme}`"),
        ))
    }

    /// The files of the same file system: their names and their length.
    fn files<'w>(&self, world: &'w World) -> impl Iterator<Item = (Vec<String>, Option<i64>)> + use<'_, 'w> {
        world.files().filter_map(|(file, length)| {
            let path = Path::parse(file).ok()?;
            (path.root == self.root).then_some((path.names, length))
        })
    }

    fn find(&self, world: &World) -> Option<Found> {
        let mut folder = false;
        for (names, length) in self.files(world) {
            if names == self.names {
                return Some(length.map_or(Found::Folder, Found::File));
            }
            folder |= names.starts_with(&self.names);
        }
        folder.then_some(Found::Folder)
    }

    fn direct_files(&self, world: &World) -> i64 {
        let is_direct =
            |names: &Vec<String>| names.len() == self.names.len() + 1 && names.starts_with(&self.names);
        self.files(world).filter(|(names, _)| is_direct(names)).filter_map(|(_, length)| length).sum()
    }

    /// `FileSystem.globStatus`: does anything match?
    fn exists(&self, world: &World) -> Result<bool, Failure> {
        if !self.names.iter().any(|name| name.contains(['*', '?', '[', '{', '\\'])) {
            return Ok(self.find(world).is_some());
        }
        let files: Vec<_> = self.files(world).map(|(names, _)| names).collect();
        for pattern in alternatives(&self.names.join("/"))? {
            let pattern =
                names(&pattern).iter().map(|name| Glob::parse(name)).collect::<Result<Vec<_>, _>>()?;
            let matches = |names: &Vec<String>| {
                names.len() >= pattern.len()
                    && pattern.iter().zip(names).all(|(glob, name)| glob.matches(name))
            };
            if files.iter().any(matches) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn names(path: &str) -> Vec<String> {
    path.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// `hcat:exists`: partitions of the world that have what the URI asks for; other URIs are files.
pub(super) fn exists_uri(world: &World, uri: &str) -> Result<bool, Failure> {
    if !uri.starts_with("hcat://") {
        let path = Path::parse(uri)?;
        if !SCHEMES.contains(&path.scheme.as_str()) {
            return Err(
                Failure::new("URIHandlerException", format!("`{uri}` is no URI of data")).oozie("E0904")
            );
        }
        return Ok(path.find(world).is_some());
    }
    let wanted = partition(uri).ok_or_else(|| {
        Failure::new("HCatAccessorException", format!("`{uri}` is no URI of a partition")).oozie("E0902")
    })?;
    let has = |found: &Partition| {
        found.table == wanted.table
            && wanted.keys.iter().all(|(key, value)| found.keys.get(key) == Some(value))
    };
    Ok(world.partitions.iter().filter_map(|uri| partition(uri)).any(|found| has(&found)))
}

/// `hcat://host/database/table/key=value;key=value`
struct Partition<'t> {
    table: &'t str,
    keys: BTreeMap<&'t str, &'t str>,
}

fn partition(uri: &str) -> Option<Partition<'_>> {
    let rest = uri.strip_prefix("hcat://")?;
    let mut slashes = rest.match_indices('/').map(|(at, _)| at);
    let (_, _) = (slashes.next()?, slashes.next()?);
    let end = slashes.next().unwrap_or(rest.len());
    let spec = rest.get(end + 1..).unwrap_or("");
    let keys = spec.split(';').filter(|pair| !pair.is_empty()).map(|pair| pair.split_once('='));
    Some(Partition { table: &rest[..end], keys: keys.collect::<Option<_>>()? })
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
