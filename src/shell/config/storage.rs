//! `[storage]` of `ankus.toml`: what stands for which beginnings of URIs when apps run here.

use serde::de::{Error, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};

/// What stands for a beginning of URIs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A folder, relative to the folder of the file.
    Folder(String),
    /// `{ webhdfs = "http://host:9870", user = "…" }`
    Webhdfs {
        /// The address, with the folder there that is meant; without one, the path of the beginning itself.
        address: String,
        /// As whom.
        user: Option<String>,
    },
    /// `{ hdfs = true }`
    Hdfs,
    /// `{ s3 = "bucket" }`, `{ gcs = "bucket" }`, `{ azure = "container" }`
    Objects {
        /// Whose cloud.
        cloud: Cloud,
        /// The bucket, with what all names begin with behind a slash.
        bucket: String,
    },
}

/// Clouds that keep objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cloud {
    /// Amazon S3 and what speaks its language.
    S3,
    /// Google Cloud Storage.
    Gcs,
    /// Azure Blob Storage and Data Lake.
    Azure,
}

/// The table of an entry as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    webhdfs: Option<String>,
    user: Option<String>,
    hdfs: Option<bool>,
    s3: Option<String>,
    gcs: Option<String>,
    azure: Option<String>,
}

impl Table {
    fn understand(self) -> Result<Entry, &'static str> {
        let object = |cloud, bucket: Option<String>| bucket.map(|bucket| Entry::Objects { cloud, bucket });
        let mut kinds: Vec<Entry> = Vec::new();
        kinds.extend(self.webhdfs.map(|address| Entry::Webhdfs { address, user: self.user.clone() }));
        kinds.extend((self.hdfs == Some(true)).then_some(Entry::Hdfs));
        kinds.extend(object(Cloud::S3, self.s3));
        kinds.extend(object(Cloud::Gcs, self.gcs));
        kinds.extend(object(Cloud::Azure, self.azure));
        if kinds.len() > 1 {
            return Err("it names several kinds of storage; one stands for a beginning of URIs");
        }
        let kind = kinds
            .pop()
            .ok_or("it names no storage; give `webhdfs`, `hdfs = true`, `s3`, `gcs` or `azure`")?;
        match &kind {
            Entry::Webhdfs { address, .. } => {
                let host = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"));
                if host.is_none_or(|host| {
                    host.is_empty() || host.starts_with('/') || host.contains(['@', '?', '#'])
                }) {
                    return Err("`webhdfs` is the address of a name node, as in `http://namenode:9870`");
                }
            }
            _ if self.user.is_some() => return Err("`user` goes with `webhdfs` only"),
            Entry::Objects { bucket, .. } if bucket.is_empty() || bucket.contains(':') => {
                return Err("the bucket is its name alone, as in `s3 = \"my-bucket\"`");
            }
            _ => {}
        }
        Ok(kind)
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entry, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Entry;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a folder, or a table such as `{ webhdfs = \"http://namenode:9870\" }`")
            }

            fn visit_str<E: Error>(self, folder: &str) -> Result<Entry, E> {
                Ok(Entry::Folder(folder.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Entry, A::Error> {
                Table::deserialize(MapAccessDeserializer::new(map))?.understand().map_err(A::Error::custom)
            }
        }
        deserializer.deserialize_any(Either)
    }
}
