//! Objects of a cloud (S3, Google, Azure) as files; credentials come from the environment, as each cloud's own tools take
//! them.
//!
//! There are no folders in such a storage: one is there when an object lies below it, or when the empty object
//! `NAME_$folder$` says so. There are no permissions, groups or copies either, so nothing is done when those are set. A
//! rename is a copy and a deletion, object by object.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::Arc;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::client::{HttpError, HttpErrorKind};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path;
use object_store::{Error, ObjectMeta, ObjectStore, ObjectStoreExt, RetryConfig, WriteMultipart};
use tokio::runtime::{Builder, Runtime};

use super::backend::{Backend, Done, Patience, Status, join};
use super::fault::{StorageFault, Why};
use crate::shell::config::storage::Cloud;

/// What an empty object is called that stands for a folder (as Hadoop's first S3 file systems and EMR have it).
const FOLDER: &str = "_$folder$";

/// How much of an object is read or written at once, in bytes; a cloud takes no parts below five MiB.
const PIECE: usize = 8 << 20;

/// How many parts of an object are under way at once.
const PARTS: usize = 4;

/// How often a request is tried again at once; the executor tries again later.
const TRIES: usize = 1;

/// How `object_store` begins to tell of an answer that is an error; it offers no status.
const STATUS: &str = "Server returned non-2xx status code: ";

/// Objects as files.
pub struct Objects {
    store: Arc<dyn ObjectStore>,
    base: String,
    runtime: Runtime,
    /// What is said not to be reached.
    name: String,
    patience: Patience,
}

impl Objects {
    /// A bucket or container, from a prefix on.
    pub fn open(cloud: Cloud, bucket: &str, base: &str) -> Done<Objects> {
        Objects::patient(cloud, bucket, base, Patience::default(), &[])
    }

    /// One that waits so long, with settings besides those of the environment.
    pub fn patient(
        cloud: Cloud,
        bucket: &str,
        base: &str,
        patience: Patience,
        settings: &[(&str, &str)],
    ) -> Done<Objects> {
        let name = match cloud {
            Cloud::S3 => format!("the S3 bucket `{bucket}`"),
            Cloud::Gcs => format!("the Google bucket `{bucket}`"),
            Cloud::Azure => format!("the Azure container `{bucket}`"),
        };
        let retry =
            RetryConfig { max_retries: TRIES, retry_timeout: patience.answer, ..RetryConfig::default() };
        let limits = [("connect_timeout", patience.connect), ("timeout", patience.answer)];
        let limits = limits.map(|(name, limit)| (name.to_owned(), format!("{} ms", limit.as_millis())));
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let settings: Vec<(String, String)> = limits.into_iter().chain(settings).collect();
        let store = match cloud {
            Cloud::S3 => s3(bucket, retry, &settings),
            Cloud::Gcs => gcs(bucket, retry, &settings),
            Cloud::Azure => azure(bucket, retry, &settings),
        };
        let store = store.map_err(|error| {
            StorageFault::new(Why::Argument, format!("{name}: {}", plain(&error.to_string())))
        })?;
        Ok(Objects { name, patience, ..Objects::over(store, base)? })
    }

    /// Any store of objects, from a prefix on.
    pub fn over(store: Arc<dyn ObjectStore>, base: &str) -> Done<Objects> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StorageFault::io("objects", &error))?;
        let name = "the store".to_owned();
        Ok(Objects { store, base: base.to_owned(), runtime, name, patience: Patience::default() })
    }

    /// What went wrong with an object.
    fn fault(&self, what: &str, error: &Error) -> StorageFault {
        let why = match error {
            Error::NotFound { .. } => Why::NotFound,
            Error::AlreadyExists { .. } | Error::Precondition { .. } => Why::Exists,
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => Why::Denied,
            Error::InvalidPath { .. } => Why::Argument,
            Error::NotSupported { .. } | Error::NotImplemented { .. } => Why::Unsupported,
            error => return self.unreached(what, error),
        };
        StorageFault::new(why, format!("`{what}`: {}", plain(&error.to_string())))
    }

    /// A cloud that is not reached, or anything else.
    fn unreached(&self, what: &str, error: &Error) -> StorageFault {
        let (mut last, mut kind, mut is_connecting): (&(dyn std::error::Error + 'static), _, _) =
            (error, None, false);
        while let Some(next) = last.source() {
            kind = next.downcast_ref::<HttpError>().map(HttpError::kind).or(kind);
            // The client that is used tells of a connection that was not made in time by this alone.
            is_connecting |= next.to_string().contains("(Connect)");
            last = next;
        }
        let words = plain(&last.to_string());
        let connect = |why: String| StorageFault::new(Why::Connect, format!("{} {why}", self.name));
        match kind {
            Some(HttpErrorKind::Timeout) => {
                let Patience { connect: connecting, answer } = self.patience;
                connect(Patience::words(if is_connecting { connecting } else { answer }))
            }
            Some(HttpErrorKind::Decode | HttpErrorKind::Unknown) => {
                StorageFault::new(Why::Io, format!("`{what}`: {words}"))
            }
            Some(_) => connect(format!("is not reached: {words}")),
            // A cloud that is asked too much, or that has nobody behind its door.
            None if words.strip_prefix(STATUS).is_some_and(is_passing) => {
                connect(format!("answers {}", &words[STATUS.len()..]))
            }
            None => StorageFault::new(Why::Io, format!("`{what}`: {words}")),
        }
    }

    /// The name of an object.
    fn key(&self, path: &str) -> Done<Path> {
        let path = join(&self.base, path);
        Path::parse(&path).map_err(|error| StorageFault::new(Why::Argument, error.to_string()))
    }

    fn head(&self, path: &str) -> Done<Option<ObjectMeta>> {
        match self.runtime.block_on(self.store.head(&self.key(path)?)) {
            Ok(meta) => Ok(Some(meta)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.fault(path, &error)),
        }
    }

    /// What lies in a folder, the empty objects that stand for folders included.
    fn inside(&self, path: &str) -> Done<BTreeMap<String, Status>> {
        let key = self.key(path)?;
        let prefix = (!key.as_ref().is_empty()).then_some(&key);
        let listed = self.runtime.block_on(self.store.list_with_delimiter(prefix));
        let listed = listed.map_err(|error| self.fault(path, &error))?;
        let mut found = BTreeMap::new();
        for prefix in &listed.common_prefixes {
            if let Some(name) = prefix.filename() {
                found.insert(name.to_owned(), Status { is_folder: true, ..Status::default() });
            }
        }
        for object in &listed.objects {
            if let Some(name) = object.location.filename() {
                found.insert(name.to_owned(), status_of(object));
            }
        }
        Ok(found)
    }

    /// All objects at and below a path, as paths.
    fn all(&self, path: &str) -> Done<Vec<String>> {
        let (mut found, mut open) = (Vec::new(), vec![path.to_owned()]);
        let marker = format!("{path}{FOLDER}");
        for own in [path, marker.as_str()] {
            if !path.is_empty() && self.head(own)?.is_some() {
                found.push(own.to_owned());
            }
        }
        while let Some(folder) = open.pop() {
            for (name, status) in self.inside(&folder)? {
                let below = join(&folder, &name);
                if status.is_folder { open.push(below) } else { found.push(below) }
            }
        }
        Ok(found)
    }

    fn put(&self, path: &str, bytes: Vec<u8>) -> Done {
        let put = self.runtime.block_on(self.store.put(&self.key(path)?, bytes.into()));
        put.map(|_| ()).map_err(|error| self.fault(path, &error))
    }

    fn remove(&self, path: &str) -> Done {
        match self.runtime.block_on(self.store.delete(&self.key(path)?)) {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.fault(path, &error)),
        }
    }
}

/// An open store.
type Store = Result<Arc<dyn ObjectStore>, Error>;

fn s3(bucket: &str, retry: RetryConfig, settings: &[(String, String)]) -> Store {
    let mut builder = AmazonS3Builder::from_env().with_retry(retry).with_bucket_name(bucket);
    for (name, value) in settings {
        builder = builder.with_config(name.parse::<AmazonS3ConfigKey>()?, value);
    }
    Ok(Arc::new(builder.build()?))
}

fn gcs(bucket: &str, retry: RetryConfig, settings: &[(String, String)]) -> Store {
    let mut builder = GoogleCloudStorageBuilder::from_env().with_retry(retry).with_bucket_name(bucket);
    for (name, value) in settings {
        builder = builder.with_config(name.parse::<GoogleConfigKey>()?, value);
    }
    Ok(Arc::new(builder.build()?))
}

fn azure(bucket: &str, retry: RetryConfig, settings: &[(String, String)]) -> Store {
    let mut builder = MicrosoftAzureBuilder::from_env().with_retry(retry).with_container_name(bucket);
    for (name, value) in settings {
        builder = builder.with_config(name.parse::<AzureConfigKey>()?, value);
    }
    Ok(Arc::new(builder.build()?))
}

fn status_of(object: &ObjectMeta) -> Status {
    let modified = object.last_modified.timestamp_millis();
    Status { length: object.size, modified, ..Status::default() }
}

/// Whether a status says nothing about what was asked for, only that it cannot be answered now.
fn is_passing(status: &str) -> bool {
    ["429 ", "500 ", "502 ", "503 ", "504 "].iter().any(|passing| status.starts_with(passing))
}

/// Words without the document of the cloud that follows them.
fn plain(words: &str) -> String {
    let end = words.find(['<', '{', '\n']).unwrap_or(words.len());
    words[..end].trim_end_matches([' ', ':']).to_owned()
}

/// Reads until a piece is full or nothing is left.
fn piece(content: &mut dyn Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    content.take(PIECE as u64).read_to_end(&mut bytes).map(|_| bytes)
}

impl Backend for Objects {
    fn status(&self, path: &str) -> Done<Option<Status>> {
        let folder = Some(Status { is_folder: true, ..Status::default() });
        if path.is_empty() {
            return Ok(folder);
        }
        if let Some(object) = self.head(path)? {
            return Ok(Some(status_of(&object)));
        }
        let is_folder = self.head(&format!("{path}{FOLDER}"))?.is_some() || !self.inside(path)?.is_empty();
        Ok(folder.filter(|_| is_folder))
    }

    fn list(&self, path: &str) -> Done<Vec<(String, Status)>> {
        let mut found = BTreeMap::new();
        for (name, status) in self.inside(path)? {
            match name.strip_suffix(FOLDER) {
                Some(name) => {
                    found.entry(name.to_owned()).or_insert(Status { is_folder: true, ..Status::default() });
                }
                None => {
                    found.insert(name, status);
                }
            }
        }
        Ok(found.into_iter().collect())
    }

    fn mkdirs(&self, path: &str) -> Done {
        for end in path.match_indices('/').map(|(at, _)| at).chain([path.len()]) {
            let folder = &path[..end];
            match self.status(folder)? {
                None => self.put(&format!("{folder}{FOLDER}"), Vec::new())?,
                Some(status) if status.is_folder => {}
                Some(_) => return Err(StorageFault::new(Why::NotFolder, format!("`{folder}` is a file"))),
            }
        }
        Ok(())
    }

    fn delete(&self, path: &str) -> Done<bool> {
        let all = self.all(path)?;
        all.iter().try_for_each(|path| self.remove(path))?;
        Ok(!all.is_empty())
    }

    fn rename(&self, from: &str, to: &str) -> Done {
        let all = self.all(from)?;
        if all.is_empty() {
            return Err(StorageFault::not_found(from));
        }
        // All are there twice before the first is gone.
        for path in &all {
            let (key, new) = (self.key(path)?, self.key(&format!("{to}{}", &path[from.len()..]))?);
            self.runtime.block_on(self.store.copy(&key, &new)).map_err(|error| self.fault(path, &error))?;
        }
        all.iter().try_for_each(|path| self.remove(path))
    }

    fn open_at(&self, path: &str, start: u64) -> Done<Box<dyn Read + '_>> {
        let object = self.head(path)?.ok_or_else(|| StorageFault::not_found(path))?;
        let key = self.key(path)?;
        let (path, length) = (path.to_owned(), object.size);
        Ok(Box::new(Pieces { objects: self, path, key, length, at: start, rest: Vec::new(), read: 0 }))
    }

    fn create(&self, path: &str, content: &mut dyn Read) -> Done {
        let read = |content: &mut dyn Read| piece(content).map_err(|error| StorageFault::io(path, &error));
        let mut bytes = read(content)?;
        if bytes.len() < PIECE {
            return self.put(path, bytes);
        }
        let key = self.key(path)?;
        let failed = |error: Error| self.fault(path, &error);
        let upload = self.runtime.block_on(self.store.put_multipart(&key)).map_err(failed)?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, PIECE);
        while !bytes.is_empty() {
            let written = self.runtime.block_on(async {
                upload.wait_for_capacity(PARTS).await?;
                upload.write(&bytes);
                Ok::<(), Error>(())
            });
            let next = written.map_err(failed).and_then(|()| read(content));
            match next {
                Ok(next) => bytes = next,
                Err(found) => {
                    // Its parts would be paid for; the first error counts.
                    let _ = self.runtime.block_on(upload.abort());
                    return Err(found);
                }
            }
        }
        self.runtime.block_on(upload.finish()).map(|_| ()).map_err(failed)
    }

    fn set_times(&self, path: &str, _modified: i64) -> Done {
        Err(StorageFault::new(Why::Unsupported, format!("`{path}`: a cloud says itself when it was changed")))
    }
}

/// The content of an object, piece by piece.
struct Pieces<'o> {
    objects: &'o Objects,
    path: String,
    key: Path,
    length: u64,
    at: u64,
    rest: Vec<u8>,
    read: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.read == self.rest.len() && self.at < self.length {
            let end = self.length.min(self.at + PIECE as u64);
            let got = self.objects.runtime.block_on(self.objects.store.get_range(&self.key, self.at..end));
            let got = got.map_err(|error| self.objects.fault(&self.path, &error).into_io())?;
            if got.is_empty() {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            (self.at, self.rest, self.read) = (self.at + got.len() as u64, got.to_vec(), 0);
        }
        let count = out.len().min(self.rest.len() - self.read);
        out[..count].copy_from_slice(&self.rest[self.read..self.read + count]);
        self.read += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    fn text(objects: &Objects, path: &str) -> String {
        let mut text = String::new();
        objects.open(path).expect("it opens").read_to_string(&mut text).expect("it is read");
        text
    }

    fn names(objects: &Objects, path: &str) -> Vec<String> {
        objects.list(path).expect("a list").into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn objects_behave_as_files_and_folders() {
        let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let objects = Objects::over(store.clone(), "base").expect("a store");
        assert_eq!(objects.status("a").expect("asked"), None);
        objects.mkdirs("a/b").expect("made");
        objects.mkdirs("a/b").expect("there");
        assert!(objects.status("a/b").expect("asked").expect("there").is_folder);
        objects.create("a/b/x y%2e~", &mut &b"text"[..]).expect("written");
        objects.create("a/empty", &mut std::io::empty()).expect("written");
        assert_eq!(
            (names(&objects, "a"), names(&objects, "a/b")),
            (vec!["b".into(), "empty".into()], vec!["x y%2e~".into()])
        );
        assert_eq!(text(&objects, "a/b/x y%2e~"), "text");
        assert_eq!(objects.mkdirs("a/empty/c").expect_err("a file").why, Why::NotFolder);
        objects.rename("a", "c").expect("renamed");
        assert_eq!(objects.status("a").expect("asked"), None);
        assert_eq!(
            (names(&objects, ""), names(&objects, "c")),
            (vec!["c".into()], vec!["b".into(), "empty".into()])
        );
        assert_eq!(objects.rename("a", "d").expect_err("nothing").why, Why::NotFound);
        // What does not lie below the base is another's.
        let all = Objects::over(store, "").expect("a store");
        assert_eq!(names(&all, ""), ["base"]);
        assert!(objects.delete("c").expect("deleted") && !objects.delete("c").expect("asked"));
        assert_eq!(names(&all, ""), Vec::<String>::new());
        assert_eq!(objects.key("a/../b").expect_err("it leads out").why, Why::Argument);
    }

    #[test]
    fn long_objects_come_and_go_in_pieces() {
        let objects = Objects::over(Arc::new(InMemory::new()), "").expect("a store");
        let long: Vec<u8> = (0..2 * PIECE + 12_345).map(|at| (at % 251) as u8).collect();
        objects.create("long", &mut &long[..]).expect("written");
        let mut back = Vec::new();
        objects.open("long").expect("it opens").read_to_end(&mut back).expect("it is read");
        assert!(back == long);
        let (mut end, start) = (Vec::new(), PIECE + 7);
        objects.open_at("long", start as u64).expect("it opens").read_to_end(&mut end).expect("it is read");
        assert!(end == long[start..]);
        struct Broken(usize);
        impl Read for Broken {
            fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
                self.0 = self.0.checked_sub(1).ok_or_else(|| std::io::Error::other("the source is gone"))?;
                Ok(out.len())
            }
        }
        objects.create("broken", &mut Broken(5_000)).expect_err("it breaks");
        assert_eq!(objects.status("broken").expect("asked"), None);
    }
}
