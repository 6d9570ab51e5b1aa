//! What stands for a beginning of URIs, as data that goes to the supervisor, and how it is opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Local;
use super::backend::{Backend, Done};
use super::fault::{StorageFault, Why};
use super::webhdfs::Webhdfs;
use crate::host::files;
use crate::shell::config::storage::{Cloud, Entry};

/// What stands for a beginning of URIs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mount {
    /// The beginning, without a slash at its end.
    pub prefix: String,
    /// What stands for it.
    pub kind: Kind,
}

/// Kinds of storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A folder of this machine.
    Folder(PathBuf),
    /// HDFS over HTTP.
    Webhdfs {
        /// Scheme, host and port.
        address: String,
        /// The folder there that the beginning stands for; empty for the root.
        base: String,
        /// As whom it is used.
        user: String,
    },
    /// HDFS by its own protocol.
    Hdfs {
        /// `hdfs://` with host and port, or the name of a service.
        address: String,
        /// The folder there.
        base: String,
    },
    /// Objects of a cloud.
    Objects {
        /// Which.
        cloud: Cloud,
        /// The bucket or container.
        bucket: String,
        /// What the names of all objects begin with.
        base: String,
    },
}

impl Kind {
    /// Whether it is a file system whose root many share.
    pub fn is_file_system(&self) -> bool {
        matches!(self, Kind::Webhdfs { .. } | Kind::Hdfs { .. })
    }

    /// Whether two lie in the same file system or bucket elsewhere, as far as their names tell.
    pub fn is_in_one_system_with(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::Webhdfs { address: one, .. }, Kind::Webhdfs { address: other, .. })
            | (Kind::Hdfs { address: one, .. }, Kind::Hdfs { address: other, .. }) => one == other,
            (Kind::Objects { cloud, bucket, .. }, Kind::Objects { cloud: other, bucket: name, .. }) => {
                (cloud, bucket) == (other, name)
            }
            _ => false,
        }
    }
}

/// The names of a path with single slashes between.
fn plain(path: &str) -> String {
    path.split('/').filter(|name| !name.is_empty()).collect::<Vec<_>>().join("/")
}

/// Scheme and authority of a URI, and the path behind.
fn parts(uri: &str) -> (&str, &str) {
    let start = uri.find("://").map_or(0, |at| at + 3);
    uri.split_at(uri[start..].find('/').map_or(uri.len(), |at| start + at))
}

impl Mount {
    /// What an entry of the table says; paths are relative to `folder`. In words when its kind is not built in.
    pub fn new(prefix: &str, entry: &Entry, folder: &Path, user: &str) -> Result<Mount, String> {
        let prefix = prefix.trim_end_matches('/').to_owned();
        let (root, path) = parts(&prefix);
        let kind = match entry {
            Entry::Folder(to) => Kind::Folder(files::absolute(&folder.join(to))),
            Entry::Webhdfs { address, user: own } => {
                let (address, base) = parts(address);
                let base = if plain(base).is_empty() { path } else { base };
                let user = own.clone().unwrap_or_else(|| user.to_owned());
                Kind::Webhdfs { address: address.to_owned(), base: plain(base), user }
            }
            Entry::Hdfs if !cfg!(feature = "hdfs") => return Err(missing(&prefix, "hdfs")),
            Entry::Hdfs => Kind::Hdfs { address: root.to_owned(), base: plain(path) },
            Entry::Objects { .. } if !cfg!(feature = "object-store") => {
                return Err(missing(&prefix, "object-store"));
            }
            Entry::Objects { cloud, bucket } => {
                let (bucket, base) = bucket.split_once('/').unwrap_or((bucket, path));
                Kind::Objects { cloud: *cloud, bucket: bucket.to_owned(), base: plain(base) }
            }
        };
        Ok(Mount { prefix, kind })
    }

    /// Where in its storage it begins; empty for all of it.
    pub fn base(&self) -> &str {
        match &self.kind {
            Kind::Folder(_) => "",
            Kind::Webhdfs { base, .. } | Kind::Hdfs { base, .. } | Kind::Objects { base, .. } => base,
        }
    }

    /// Opens it; nothing is reached by that yet.
    pub fn open(&self) -> Done<Arc<dyn Backend + Send + Sync>> {
        match &self.kind {
            Kind::Folder(root) => Ok(Arc::new(Local::new(root))),
            Kind::Webhdfs { address, base, user } => Ok(Arc::new(Webhdfs::new(address, base, user))),
            #[cfg(feature = "hdfs")]
            Kind::Hdfs { address, base } => Ok(Arc::new(super::native::Native::open(address, base)?)),
            #[cfg(feature = "object-store")]
            Kind::Objects { cloud, bucket, base } => {
                Ok(Arc::new(super::objects::Objects::open(*cloud, bucket, base)?))
            }
            // A store of another program may name it.
            #[allow(unreachable_patterns)]
            kind => {
                let words = format!("`{}`: {kind:?} is not built into this program", self.prefix);
                Err(StorageFault::new(Why::Unsupported, words))
            }
        }
    }
}

fn missing(prefix: &str, feature: &str) -> String {
    format!(
        "ankus.toml, [storage]: what stands for `{prefix}` is not built into this program; build it with \
         `cargo build --features {feature}`, or name a folder or WebHDFS"
    )
}
