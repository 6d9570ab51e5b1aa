//! HDFS by its own protocol. `HADOOP_CONF_DIR` says where the name nodes of a service are, `HADOOP_USER_NAME` who asks.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use hdfs_native::client::FileStatus;
use hdfs_native::file::{FileReader, FileWriter};
use hdfs_native::{Client, ClientBuilder, HdfsError, WriteOptions};
use tokio::runtime::{Builder, Runtime};

use super::backend::{Backend, Done, Patience, Status, is_name, join, split};
use super::fault::{StorageFault, Why};
use super::services;

/// How much is read or written at once, in bytes.
const PIECE: usize = 1 << 20;

/// The permissions of a folder that is made; masks are a client's business, and that of Hadoop has 022.
const FOLDER_MODE: u32 = 0o755;

/// The name node is asked whether it is there at all when it has not answered for so long: the client that is used here
/// tries again for minutes without a word.
const DOUBT: Duration = Duration::from_secs(1);

/// HDFS by its own protocol.
pub struct Native {
    client: Client,
    address: String,
    base: String,
    runtime: Arc<Runtime>,
    /// Where its name nodes listen.
    hosts: Vec<String>,
    patience: Patience,
}

impl Native {
    /// The file system at `hdfs://host:port` or of a service, from a folder of it on.
    pub fn open(address: &str, base: &str) -> Done<Native> {
        Native::patient(address, base, Patience::default())
    }

    /// One that waits so long.
    pub fn patient(address: &str, base: &str, patience: Patience) -> Done<Native> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StorageFault::io(address, &error))?;
        let client = runtime.block_on(async { ClientBuilder::new().with_url(address).build() });
        let client = client.map_err(|error| fault(address, &error))?;
        let (hosts, runtime) = (services::name_nodes(address), Arc::new(runtime));
        let (address, base) = (address.to_owned(), base.to_owned());
        Ok(Native { client, address, base, runtime, hosts, patience })
    }

    fn place(&self, path: &str) -> String {
        format!("/{}", join(&self.base, path))
    }

    /// Waits for an answer, and no longer than storage is waited for.
    fn wait<T>(&self, path: &str, asked: impl Future<Output = Result<T, HdfsError>>) -> Done<T> {
        self.runtime.block_on(async {
            tokio::select! {
                answer = tokio::time::timeout(self.patience.answer, asked) => match answer {
                    Ok(answer) => answer.map_err(|error| fault(path, &error)),
                    Err(_) => {
                        let words = format!("`{}` {}", self.address, Patience::words(self.patience.answer));
                        Err(StorageFault::new(Why::Connect, words))
                    }
                },
                found = self.doubt() => Err(found),
            }
        })
    }

    /// Comes to an end when no name node is reached, and never when one is.
    async fn doubt(&self) -> StorageFault {
        tokio::time::sleep(DOUBT).await;
        let (mut why, limit) = (String::new(), self.patience.connect);
        for host in &self.hosts {
            why = match tokio::time::timeout(limit, tokio::net::TcpStream::connect(host)).await {
                Ok(Ok(_)) => return std::future::pending().await,
                Ok(Err(error)) => format!("is not reached: {error}"),
                Err(_) => Patience::words(limit),
            };
        }
        if why.is_empty() {
            return std::future::pending().await;
        }
        StorageFault::new(Why::Connect, format!("`{}` {why}", self.address))
    }

    fn write(&self, path: &str, content: &mut dyn Read) -> Done {
        let options = WriteOptions::default();
        let mut writer: FileWriter = self.wait(path, self.client.create(&self.place(path), options))?;
        loop {
            let mut bytes = Vec::new();
            let read = Read::take(&mut *content, PIECE as u64).read_to_end(&mut bytes);
            read.map_err(|error| StorageFault::io(path, &error))?;
            if bytes.is_empty() {
                break;
            }
            self.wait(path, writer.write_bytes(bytes.into()))?;
        }
        self.wait(path, writer.close())
    }
}

fn status_of(found: &FileStatus) -> Status {
    Status {
        is_folder: found.isdir,
        is_link: false,
        length: if found.isdir { 0 } else { found.length as u64 },
        block_size: found.blocksize.filter(|_| !found.isdir),
        modified: i64::try_from(found.modification_time).unwrap_or(i64::MAX),
        mode: Some(found.permission.into()),
    }
}

fn fault(what: &str, error: &HdfsError) -> StorageFault {
    let why = match error {
        HdfsError::FileNotFound(_) => Why::NotFound,
        HdfsError::AlreadyExists(_) => Why::Exists,
        HdfsError::InvalidPath(_) | HdfsError::InvalidArgument(_) | HdfsError::UrlParseError(_) => {
            Why::Argument
        }
        HdfsError::UnsupportedFeature(_) => Why::Unsupported,
        HdfsError::IOError(error) => StorageFault::io(what, error).why,
        HdfsError::RPCError(class, message) | HdfsError::FatalRPCError(class, message) => {
            let found = StorageFault::remote(class, message);
            return StorageFault::new(found.why, format!("`{what}`: {}", found.words));
        }
        // No data node is known that has them, or that takes them.
        HdfsError::BlocksNotFound(_) | HdfsError::DataTransferError(_) => Why::Connect,
        _ => Why::Io,
    };
    let words = error.to_string();
    StorageFault::new(why, format!("`{what}`: {}", words.lines().next().unwrap_or_default()))
}

impl Backend for Native {
    fn status(&self, path: &str) -> Done<Option<Status>> {
        match self.wait(path, self.client.get_file_info(&self.place(path))) {
            Ok(found) => Ok(Some(status_of(&found))),
            Err(found) if matches!(found.why, Why::NotFound | Why::NotFolder) => Ok(None),
            Err(found) => Err(found),
        }
    }

    fn list(&self, path: &str) -> Done<Vec<(String, Status)>> {
        let listed = self.wait(path, self.client.list_status(&self.place(path), false))?;
        let mut found = Vec::new();
        for one in &listed {
            let name = one.path.rsplit('/').next().unwrap_or_default();
            if !is_name(name) {
                return Err(StorageFault::new(Why::Io, format!("the name node names a file `{name}`")));
            }
            found.push((name.to_owned(), status_of(one)));
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(found)
    }

    fn mkdirs(&self, path: &str) -> Done {
        self.wait(path, self.client.mkdirs(&self.place(path), FOLDER_MODE, true))
    }

    fn delete(&self, path: &str) -> Done<bool> {
        self.wait(path, self.client.delete(&self.place(path), true))
    }

    fn rename(&self, from: &str, to: &str) -> Done {
        self.wait(from, self.client.rename(&self.place(from), &self.place(to), false))
    }

    fn open_at(&self, path: &str, start: u64) -> Done<Box<dyn Read + '_>> {
        let reader = self.wait(path, self.client.read(&self.place(path)))?;
        let at = usize::try_from(start).unwrap_or(usize::MAX).min(reader.file_length());
        Ok(Box::new(Pieces { native: self, path: path.to_owned(), reader, at, rest: Vec::new(), read: 0 }))
    }

    fn create(&self, path: &str, content: &mut dyn Read) -> Done {
        let (above, name) = split(path).unwrap_or_default();
        // Written beside it and put into its place at once, so that nobody sees a half.
        let beside = join(above, &format!(".{name}.ankus"));
        self.delete(&beside)?;
        let written = self.write(&beside, content);
        let put = written.and_then(|()| {
            self.wait(path, self.client.rename(&self.place(&beside), &self.place(path), true))
        });
        if put.is_err() {
            // What is written is of no use; the first error counts.
            let _ = self.delete(&beside);
        }
        put
    }

    fn set_mode(&self, path: &str, mode: u32) -> Done {
        self.wait(path, self.client.set_permission(&self.place(path), mode))
    }

    fn set_group(&self, path: &str, group: &str) -> Done {
        self.wait(path, self.client.set_owner(&self.place(path), None, Some(group)))
    }

    fn set_replication(&self, path: &str, copies: u16) -> Done {
        self.wait(path, self.client.set_replication(&self.place(path), copies.into())).map(|_| ())
    }

    fn set_times(&self, path: &str, modified: i64) -> Done {
        let at = u64::try_from(modified).unwrap_or_default();
        self.wait(path, self.client.set_times(&self.place(path), at, at))
    }
}

/// The content of a file, piece by piece.
struct Pieces<'n> {
    native: &'n Native,
    path: String,
    reader: FileReader,
    at: usize,
    rest: Vec<u8>,
    read: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let left = self.reader.file_length() - self.at;
        if self.read == self.rest.len() && left > 0 {
            let asked = self.reader.read_range(self.at, left.min(PIECE));
            let got = self.native.wait(&self.path, asked).map_err(StorageFault::into_io)?;
            if got.is_empty() {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            (self.at, self.rest, self.read) = (self.at + got.len(), got.to_vec(), 0);
        }
        let count = out.len().min(self.rest.len() - self.read);
        out[..count].copy_from_slice(&self.rest[self.read..self.read + count]);
        self.read += count;
        Ok(count)
    }
}
