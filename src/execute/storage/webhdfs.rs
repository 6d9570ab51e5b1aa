//! HDFS over HTTP: the REST interface of a name node, or of HttpFS (`/webhdfs/v1`), with a user's name and no other proof.
//!
//! A name node sends readers and writers of contents on to a data node; nothing else that it names is visited.

use std::io::Read;

use serde_json::Value;
use ureq::http::{Method, Response};
use ureq::{Agent, Body, SendBody, Timeout};

use super::backend::{Backend, Done, Patience, Status, Summary, is_name, join, split};
use super::fault::{StorageFault, Why};

/// A longer answer about folders is not read.
const MAX_ANSWER: u64 = 256 << 20;

/// The permissions that a client of Hadoop asks for, its mask (022) applied; without, a name node of version 2 makes files
/// that may be executed.
const FILE_MODE: &str = "644";
const FOLDER_MODE: &str = "755";

/// The path of the interface.
const INTERFACE: &str = "/webhdfs/v1";

/// HDFS over HTTP.
#[derive(Debug)]
pub struct Webhdfs {
    agent: Agent,
    address: String,
    base: String,
    user: String,
    patience: Patience,
}

impl Webhdfs {
    /// The file system behind an address (`http://host:9870`), from a folder of it on.
    pub fn new(address: &str, base: &str, user: &str) -> Webhdfs {
        Webhdfs::patient(address, base, user, Patience::default())
    }

    /// One that waits so long.
    pub fn patient(address: &str, base: &str, user: &str, patience: Patience) -> Webhdfs {
        let Patience { connect, answer } = patience;
        let config = Agent::config_builder()
            // What a proxy of the environment would reach is not what the table names.
            .proxy(None)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_resolve(Some(connect))
            .timeout_connect(Some(connect))
            .timeout_recv_response(Some(answer))
            .timeout_per_read(Some(answer))
            .timeout_per_write(Some(answer));
        Webhdfs {
            agent: config.build().into(),
            address: address.trim_end_matches('/').to_owned(),
            base: base.to_owned(),
            user: user.to_owned(),
            patience,
        }
    }

    fn url(&self, path: &str, operation: &str) -> String {
        let path = join(&self.base, path);
        let names: Vec<String> = path.split('/').map(escaped).collect();
        let user = escaped(&self.user);
        format!("{}{INTERFACE}/{}?op={operation}&user.name={user}", self.address, names.join("/"))
    }

    fn send(&self, method: Method, url: &str, body: SendBody<'_>) -> Done<Response<Body>> {
        let request = ureq::http::Request::builder().method(method).uri(url);
        let request = request.header("Content-Type", "application/octet-stream").body(body);
        let request = request.map_err(|error| self.broken(&error.to_string()))?;
        self.agent.run(request).map_err(|error| self.unreached(url, &error))
    }

    /// Asks the name node, and reads what it says; nothing where it has nothing to say.
    fn ask(&self, method: Method, path: &str, operation: &str) -> Done<Value> {
        let answer = self.send(method, &self.url(path, operation), SendBody::none())?;
        let mut answer = self.good(answer)?;
        let text = answer.body_mut().with_config().limit(MAX_ANSWER).read_to_string();
        let text = text.map_err(|error| self.unreached(&self.address, &error))?;
        if text.trim().is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_str(&text).map_err(|_| self.broken("its answer is no JSON"))
    }

    /// Asks for something that is done or is not.
    fn order(&self, path: &str, operation: &str) -> Done<bool> {
        let answer = self.ask(Method::PUT, path, operation)?;
        Ok(answer.get("boolean").and_then(Value::as_bool).unwrap_or(true))
    }

    /// An answer that is no error.
    fn good(&self, mut answer: Response<Body>) -> Done<Response<Body>> {
        let status = answer.status();
        if status.is_success() {
            return Ok(answer);
        }
        let text = answer.body_mut().with_config().limit(MAX_ANSWER).read_to_string().unwrap_or_default();
        let remote = serde_json::from_str::<Value>(&text).ok();
        let remote = remote.as_ref().and_then(|value| value.get("RemoteException"));
        let word = |name: &str| remote.and_then(|remote| remote.get(name)).and_then(Value::as_str);
        let Some(class) = word("exception") else {
            let why = match status.as_u16() {
                401 | 403 => Why::Denied,
                // Whoever stands before it has nobody behind it for now; a name node that starts does not yet know this
                // interface.
                404 | 502..=504 => Why::Connect,
                _ => Why::Io,
            };
            let words = format!("`{}` answers {status}, and not as WebHDFS does", self.address);
            return Err(StorageFault::new(why, words));
        };
        Err(StorageFault::remote(class, word("message").unwrap_or_default()))
    }

    /// Where a name node sends whoever reads or writes.
    fn onward(&self, answer: Response<Body>) -> Done<Result<String, Response<Body>>> {
        if !answer.status().is_redirection() {
            return Ok(Err(self.good(answer)?));
        }
        let location = answer.headers().get("location").and_then(|location| location.to_str().ok());
        match location {
            Some(location) if location.starts_with("http://") || location.starts_with("https://") => {
                Ok(Ok(location.to_owned()))
            }
            _ => Err(self.broken("it does not say where its data node is")),
        }
    }

    /// What keeps one from whom a URL names: the name node, or the data node to which it sent us.
    fn unreached(&self, url: &str, error: &ureq::Error) -> StorageFault {
        use std::io::ErrorKind::{NotFound, PermissionDenied};
        let why = match error {
            ureq::Error::HostNotFound => Why::UnknownHost,
            ureq::Error::Timeout(_) | ureq::Error::ConnectionFailed => Why::Connect,
            // What the system says of names that it cannot look up has no kind of its own.
            ureq::Error::Io(error) if error.to_string().contains("lookup address") => Why::UnknownHost,
            ureq::Error::Io(error) => match StorageFault::io("", error).why {
                // What another reader says while its content is sent.
                why if matches!(error.kind(), NotFound | PermissionDenied) => why,
                Why::Io => Why::Connect,
                why => why,
            },
            _ => Why::Io,
        };
        let start = url.find("://").map_or(0, |at| at + 3);
        let host = &url[..url[start..].find('/').map_or(url.len(), |at| start + at)];
        let whom = match host == self.address {
            true => format!("`{host}`"),
            false => format!("the data node `{host}`, to which `{}` leads,", self.address),
        };
        use std::io::ErrorKind::WouldBlock;
        let words = match error {
            ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
                format!("{whom} {}", Patience::words(self.patience.connect))
            }
            ureq::Error::Timeout(_) => format!("{whom} {}", Patience::words(self.patience.answer)),
            ureq::Error::Io(error) if error.kind() == WouldBlock => {
                format!("{whom} {}", Patience::words(self.patience.answer))
            }
            error => format!("{whom} is not reached: {error}"),
        };
        StorageFault::new(why, words)
    }

    fn broken(&self, words: &str) -> StorageFault {
        StorageFault::new(Why::Io, format!("`{}` does not answer as WebHDFS does: {words}", self.address))
    }

    /// Writes a file at once, over one that is there.
    fn write(&self, path: &str, content: &mut dyn Read) -> Done {
        let url = self.url(path, &format!("CREATE&overwrite=true&permission={FILE_MODE}"));
        let answer = self.send(Method::PUT, &url, SendBody::none())?;
        let Ok(location) = self.onward(answer)? else {
            return Err(self.broken("it takes a file without saying where to"));
        };
        let answer = self.send(Method::PUT, &location, SendBody::from_reader(content))?;
        self.good(answer).map(|_| ())
    }
}

/// A name as a URL writes it.
fn escaped(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(byte.into()),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn status_of(value: &Value) -> Option<Status> {
    let number = |name: &str| value.get(name).and_then(Value::as_u64);
    let kind = value.get("type").and_then(Value::as_str)?;
    let is_folder = kind == "DIRECTORY";
    Some(Status {
        is_folder,
        is_link: kind == "SYMLINK",
        length: if is_folder { 0 } else { number("length")? },
        block_size: number("blockSize").filter(|_| !is_folder),
        modified: value.get("modificationTime").and_then(Value::as_i64).unwrap_or_default(),
        mode: value
            .get("permission")
            .and_then(Value::as_str)
            .and_then(|mode| u32::from_str_radix(mode, 8).ok()),
    })
}

impl Backend for Webhdfs {
    fn status(&self, path: &str) -> Done<Option<Status>> {
        match self.ask(Method::GET, path, "GETFILESTATUS") {
            Ok(answer) => match answer.get("FileStatus").and_then(status_of) {
                Some(status) => Ok(Some(status)),
                None => Err(self.broken("it does not say what lies there")),
            },
            // A file stands above it, or nothing does.
            Err(fault) if matches!(fault.why, Why::NotFound | Why::NotFolder) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    fn list(&self, path: &str) -> Done<Vec<(String, Status)>> {
        let answer = self.ask(Method::GET, path, "LISTSTATUS")?;
        let all = answer.pointer("/FileStatuses/FileStatus").and_then(Value::as_array);
        let all = all.ok_or_else(|| self.broken("it does not say what a folder holds"))?;
        let mut found = Vec::new();
        for one in all {
            let name = one.get("pathSuffix").and_then(Value::as_str).unwrap_or_default();
            let status = status_of(one).filter(|_| is_name(name));
            let status = status.ok_or_else(|| self.broken(&format!("it names a file `{name}`")))?;
            found.push((name.to_owned(), status));
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(found)
    }

    fn mkdirs(&self, path: &str) -> Done {
        match self.order(path, &format!("MKDIRS&permission={FOLDER_MODE}"))? {
            true => Ok(()),
            false => Err(StorageFault::new(Why::Io, "the name node did not make the folder")),
        }
    }

    fn delete(&self, path: &str) -> Done<bool> {
        let answer = self.ask(Method::DELETE, path, "DELETE&recursive=true")?;
        Ok(answer.get("boolean").and_then(Value::as_bool).unwrap_or(false))
    }

    fn rename(&self, from: &str, to: &str) -> Done {
        let destination = escaped(&format!("/{}", join(&self.base, to)));
        match self.order(from, &format!("RENAME&destination={destination}"))? {
            true => Ok(()),
            false => Err(StorageFault::new(Why::Io, "the name node did not rename it")),
        }
    }

    fn open_at(&self, path: &str, start: u64) -> Done<Box<dyn Read + '_>> {
        let operation = if start == 0 { "OPEN".to_owned() } else { format!("OPEN&offset={start}") };
        let answer = self.send(Method::GET, &self.url(path, &operation), SendBody::none())?;
        let answer = match self.onward(answer)? {
            Err(answer) => answer,
            Ok(location) => self.good(self.send(Method::GET, &location, SendBody::none())?)?,
        };
        Ok(Box::new(answer.into_body().into_reader()))
    }

    fn create(&self, path: &str, content: &mut dyn Read) -> Done {
        let mut first = [0];
        let mut length = 0;
        while length == 0 {
            match content.read(&mut first) {
                Ok(0) => break,
                Ok(read) => length = read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(StorageFault::io(path, &error)),
            }
        }
        let Some((above, name)) = split(path).filter(|_| length > 0) else {
            return self.write(path, &mut std::io::empty());
        };
        // Written beside it and put into its place, so that nobody sees a half.
        let beside = join(above, &format!(".{name}.ankus"));
        let written = self.write(&beside, &mut first[..length].chain(content));
        let put = written.and_then(|()| match self.status(path)? {
            Some(status) if status.is_folder => Err(StorageFault::new(Why::Exists, "it is a folder")),
            Some(_) => self.delete(path).and_then(|_| self.rename(&beside, path)),
            None => self.rename(&beside, path),
        });
        if put.is_err() {
            // What is written is of no use; the first error counts.
            let _ = self.delete(&beside);
        }
        put
    }

    fn set_mode(&self, path: &str, mode: u32) -> Done {
        self.order(path, &format!("SETPERMISSION&permission={mode:o}")).map(|_| ())
    }

    fn set_group(&self, path: &str, group: &str) -> Done {
        self.order(path, &format!("SETOWNER&group={}", escaped(group))).map(|_| ())
    }

    fn set_replication(&self, path: &str, copies: u16) -> Done {
        self.order(path, &format!("SETREPLICATION&replication={copies}")).map(|_| ())
    }

    fn set_times(&self, path: &str, modified: i64) -> Done {
        self.order(path, &format!("SETTIMES&modificationtime={modified}&accesstime=-1")).map(|_| ())
    }

    fn summary(&self, path: &str) -> Done<Summary> {
        let answer = self.ask(Method::GET, path, "GETCONTENTSUMMARY")?;
        let number = |name: &str| answer.pointer(&format!("/ContentSummary/{name}")).and_then(Value::as_u64);
        match (number("directoryCount"), number("fileCount"), number("length")) {
            (Some(folders), Some(files), Some(length)) => Ok(Summary { folders, files, length }),
            _ => Err(self.broken("it does not say what a folder holds")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_keeps_one_from_the_server_has_its_kind() {
        let backend = Webhdfs::new("http://nn:9870/", "", "joe");
        let io = |words: &str| ureq::Error::Io(std::io::Error::other(words.to_owned()));
        let refused = std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
        for (error, why, code) in [
            (ureq::Error::HostNotFound, Why::UnknownHost, "JA001"),
            (
                io("failed to lookup address information: Name or service not known"),
                Why::UnknownHost,
                "JA001",
            ),
            (ureq::Error::Io(refused), Why::Connect, "JA006"),
            (io("peer disconnected"), Why::Connect, "JA006"),
            (ureq::Error::ConnectionFailed, Why::Connect, "JA006"),
            (ureq::Error::TooManyRedirects, Why::Io, "JA009"),
        ] {
            let found = backend.unreached("http://nn:9870/x", &error);
            assert_eq!((found.why, found.why.code()), (why, code), "{}", found.words);
            assert!(found.words.contains("`http://nn:9870`"), "{}", found.words);
        }
    }
}
