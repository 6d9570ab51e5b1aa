//! A small WebHDFS server in memory: a name node and its data node on the loopback, with the answers, redirects and errors
//! that Hadoop's documentation of the interface gives, and the moods in which a name node and data node of version 2.7.3
//! were seen.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// A file or folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// The content of a file; none for a folder.
    pub content: Option<Vec<u8>>,
    /// Permissions.
    pub mode: String,
    /// Who alone may change permissions and the group; where it is empty, everybody.
    pub owner: String,
    /// The group.
    pub group: String,
    /// How many copies.
    pub copies: u64,
    /// When it was changed.
    pub modified: i64,
}

/// An answer that is given instead of the right one.
#[derive(Clone, Debug)]
pub enum Instead {
    /// The right answer, after all.
    Right,
    /// A `RemoteException` with this status and class.
    Exception(u16, &'static str, &'static str),
    /// These bytes as the body, with this status.
    Body(u16, &'static str),
    /// Nothing: the connection is closed.
    Close,
    /// Nothing, and the connection stays.
    Silence,
}

/// How a name node is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mood {
    /// All is well.
    #[default]
    Well,
    /// It takes no changes.
    Safe,
    /// It has just started, knows of no data node, and takes no changes.
    NoBlocks,
    /// It has just started and knows of no data node.
    NoDataNode,
    /// It starts.
    Starting,
    /// It sends to a data node that is gone.
    DataNodeGone,
}

/// What the server holds and has been asked.
#[derive(Debug, Default)]
pub struct State {
    /// How it is.
    pub mood: Mood,
    /// By path; the root is the empty one.
    pub nodes: BTreeMap<String, Node>,
    /// What it was asked, `PUT /a?op=MKDIRS&user.name=joe`; requests to the data node with `data: ` before them.
    pub asked: Vec<String>,
    /// What the next requests get.
    pub instead: VecDeque<Instead>,
    /// Connections that are kept open in silence.
    silent: Vec<TcpStream>,
}

/// A running server; it ends with the value.
pub struct NameNode {
    state: Arc<Mutex<State>>,
    stop: Arc<AtomicBool>,
    addresses: [SocketAddr; 2],
}

impl NameNode {
    /// Starts one that holds these files.
    pub fn with(files: &[(&str, &str)]) -> NameNode {
        let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port of the loopback"));
        let addresses = [0, 1].map(|at: usize| listeners[at].local_addr().expect("an address"));
        let state = Arc::new(Mutex::new(State::default()));
        for (path, content) in files {
            let mut state = state.lock().expect("nobody has panicked");
            state.put(path, content.as_bytes().to_vec());
        }
        state.lock().expect("nobody has panicked").folder("");
        let stop = Arc::new(AtomicBool::new(false));
        for (number, listener) in listeners.into_iter().enumerate() {
            let (state, stop, data) = (state.clone(), stop.clone(), addresses[1]);
            std::thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    if stop.load(Ordering::SeqCst) {
                        return;
                    }
                    let state = state.clone();
                    // Whoever asked may have gone by the time of the answer.
                    std::thread::spawn(move || drop(serve(stream, &state, number == 1, data)));
                }
            });
        }
        NameNode { state, stop, addresses }
    }

    /// Where it is.
    pub fn address(&self) -> String {
        format!("http://{}", self.addresses[0])
    }

    /// What it holds.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody has panicked")
    }

    /// The content of a file, as text.
    pub fn text(&self, path: &str) -> Option<String> {
        let content = self.state().nodes.get(path)?.content.clone()?;
        Some(String::from_utf8(content).expect("text"))
    }

    /// All paths but the root.
    pub fn paths(&self) -> Vec<String> {
        self.state().nodes.keys().filter(|path| !path.is_empty()).cloned().collect()
    }

    /// What the next request gets.
    pub fn next(&self, instead: Instead) {
        self.state().instead.push_back(instead);
    }
}

impl Drop for NameNode {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        for address in self.addresses {
            // Wakes whoever waits for a connection.
            let _ = TcpStream::connect(address);
        }
    }
}

impl State {
    fn folder(&mut self, path: &str) {
        let mode = "755".to_owned();
        let folder = Node { mode, group: "supergroup".to_owned(), modified: 1, ..Node::default() };
        for end in path.match_indices('/').map(|(at, _)| at).chain([path.len()]) {
            self.nodes.entry(path[..end].to_owned()).or_insert_with(|| folder.clone());
        }
    }

    /// Puts a file and the folders above it.
    pub fn put(&mut self, path: &str, content: Vec<u8>) {
        if let Some((above, _)) = path.rsplit_once('/') {
            self.folder(above);
        }
        let group = "supergroup".to_owned();
        let (mode, owner) = ("644".to_owned(), String::new());
        let file = Node { content: Some(content), mode, owner, group, copies: 3, modified: 1 };
        self.nodes.insert(path.to_owned(), file);
    }

    fn below(&self, path: &str) -> Vec<String> {
        let inside = if path.is_empty() { String::new() } else { format!("{path}/") };
        let is_in = |other: &&String| other.starts_with(&inside) && !other.is_empty() && *other != path;
        self.nodes.keys().filter(is_in).cloned().collect()
    }
}

/// Status, headers, body.
type Answer = (u16, Vec<(&'static str, String)>, Vec<u8>);

fn exception(status: u16, class: &str, message: &str) -> Answer {
    let package = match class {
        "FileNotFoundException" | "IOException" => "java.io",
        "IllegalArgumentException" | "SecurityException" => "java.lang",
        _ => "org.apache.hadoop",
    };
    let body = serde_json::json!({"RemoteException": {
        "exception": class, "javaClassName": format!("{package}.{class}"), "message": message,
    }});
    (status, vec![("Content-Type", "application/json".to_owned())], body.to_string().into_bytes())
}

fn json(body: serde_json::Value) -> Answer {
    (200, vec![("Content-Type", "application/json".to_owned())], body.to_string().into_bytes())
}

fn decoded(text: &str) -> String {
    let (bytes, mut out, mut at) = (text.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        let hex = text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match hex.filter(|_| bytes[at] == b'%') {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).expect("names are UTF-8")
}

fn serve(stream: TcpStream, state: &Mutex<State>, is_data: bool, data: SocketAddr) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace();
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(()) };
    let (mut length, mut is_chunked) = (0, false);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let header = header.trim().to_ascii_lowercase();
        match header.split_once(": ") {
            Some(("content-length", value)) => length = value.parse().expect("a number"),
            Some(("transfer-encoding", value)) => is_chunked = value == "chunked",
            Some(_) => {}
            None if header.is_empty() => break,
            None => {}
        }
    }
    let mut body = Vec::new();
    if is_chunked {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size)?;
            let size = usize::from_str_radix(size.trim(), 16).expect("a size");
            let mut chunk = vec![0; size + 2];
            reader.read_exact(&mut chunk)?;
            body.extend(&chunk[..size]);
            if size == 0 {
                break;
            }
        }
    } else {
        body.resize(length, 0);
        reader.read_exact(&mut body)?;
    }
    let (status, headers, bytes) = {
        let mut state = state.lock().expect("nobody has panicked");
        let asked = target.strip_prefix("/webhdfs/v1").unwrap_or(target);
        state.asked.push(format!("{}{method} {asked}", if is_data { "data: " } else { "" }));
        match state.instead.pop_front() {
            Some(Instead::Exception(status, class, message)) => exception(status, class, message),
            Some(Instead::Body(status, body)) => (status, Vec::new(), body.as_bytes().to_vec()),
            Some(Instead::Close) => return Ok(()),
            Some(Instead::Silence) => {
                state.silent.push(stream);
                return Ok(());
            }
            None | Some(Instead::Right) => answer(&mut state, method, asked, body, is_data, data),
        }
    };
    let mut stream = stream;
    write!(stream, "HTTP/1.1 {status} Said\r\nContent-Length: {}\r\nConnection: close\r\n", bytes.len())?;
    for (name, value) in headers {
        write!(stream, "{name}: {value}\r\n")?;
    }
    stream.write_all(b"\r\n")?;
    stream.write_all(&bytes)
}

fn answer(
    state: &mut State,
    method: &str,
    asked: &str,
    body: Vec<u8>,
    is_data: bool,
    data: SocketAddr,
) -> Answer {
    let (path, query) = asked.split_once('?').unwrap_or((asked, ""));
    let path = decoded(path.trim_matches('/'));
    let query: BTreeMap<&str, String> = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name, decoded(value)))
        .collect();
    let operation = query.get("op").map_or("", String::as_str);
    let missing = || exception(404, "FileNotFoundException", &format!("File does not exist: /{path}"));
    if query.get("user.name").is_none_or(String::is_empty) {
        return exception(401, "SecurityException", "Failed to obtain user group information");
    }
    if path.split('/').any(|name| name == "..") {
        return exception(400, "IllegalArgumentException", "Invalid path");
    }
    let is_change = method != "GET";
    let refusal = match state.mood {
        Mood::Starting => Some((403, "RetriableException", "NameNode still not started".to_owned())),
        Mood::NoDataNode if matches!(operation, "CREATE" | "OPEN") && !is_data => {
            Some((403, "IOException", "Failed to find datanode, suggest to check cluster health.".to_owned()))
        }
        Mood::NoBlocks if operation == "OPEN" => Some((
            403,
            "SafeModeException",
            format!("Zero blocklocations for /{path}. Name node is in safe mode."),
        )),
        Mood::Safe | Mood::NoBlocks if is_change && !is_data => Some((
            403,
            "SafeModeException",
            format!("Cannot create directory /{path}. Name node is in safe mode."),
        )),
        _ => None,
    };
    if let Some((status, class, words)) = refusal {
        return exception(status, class, &words);
    }
    let owner = state.nodes.get(&path).map_or("", |node| node.owner.as_str());
    let user = query["user.name"].as_str();
    if matches!(operation, "SETPERMISSION" | "SETOWNER") && !owner.is_empty() && owner != user {
        let words = format!("Permission denied. user={user} is not the owner of inode={}", last(&path));
        return exception(403, "AccessControlException", &words);
    }
    // Its group is one of the user's, its copies are not too many (`dfs.replication.max`).
    match (operation, query.get("group"), query.get("replication").and_then(|copies| copies.parse().ok())) {
        ("SETOWNER", Some(group), _) if group == "hadoop" => {
            return exception(403, "AccessControlException", "User does not belong to hadoop");
        }
        ("SETREPLICATION", _, Some(513_u64..)) => {
            let words =
                format!("file /{path}.\nRequested replication {} exceeds maximum 512", query["replication"]);
            return exception(403, "IOException", &words);
        }
        _ => {}
    }
    let nowhere = SocketAddr::from(([127, 0, 0, 1], 1));
    let data = if state.mood == Mood::DataNodeGone { nowhere } else { data };
    let node = state.nodes.get(&path).cloned();
    let file_above = path.match_indices('/').find_map(|(at, _)| {
        state.nodes.get(&path[..at]).is_some_and(|node| node.content.is_some()).then(|| path[..at].to_owned())
    });
    match (method, operation, is_data) {
        ("GET", "GETFILESTATUS", false) => match node {
            Some(node) => json(serde_json::json!({"FileStatus": described(&node, "")})),
            None => missing(),
        },
        ("GET", "LISTSTATUS", false) => match node {
            None => missing(),
            Some(Node { content: None, .. }) => {
                let inside = if path.is_empty() { 0 } else { path.len() + 1 };
                let names = state.below(&path).into_iter().filter(|other| !other[inside..].contains('/'));
                let all: Vec<_> =
                    names.map(|other| described(&state.nodes[&other], &other[inside..])).collect();
                json(serde_json::json!({"FileStatuses": {"FileStatus": all}}))
            }
            Some(node) => json(serde_json::json!({"FileStatuses": {"FileStatus": [described(&node, "")]}})),
        },
        ("GET", "GETCONTENTSUMMARY", false) => {
            let all = state.below(&path);
            let files: Vec<_> = all.iter().filter_map(|other| state.nodes[other].content.as_ref()).collect();
            let length: usize = files.iter().map(|content| content.len()).sum();
            json(serde_json::json!({"ContentSummary": {
                "directoryCount": all.len() - files.len() + 1, "fileCount": files.len(), "length": length,
                "quota": -1, "spaceConsumed": length * 3, "spaceQuota": -1,
            }}))
        }
        ("PUT", "MKDIRS", false) => match file_above {
            Some(file) => {
                let words = format!("Parent path is not a directory: /{file} {}", last(&path));
                exception(403, "FileAlreadyExistsException", &words)
            }
            None if node.is_some_and(|node| node.content.is_some()) => {
                exception(403, "FileAlreadyExistsException", &format!("Path is not a directory: /{path}"))
            }
            None => {
                let is_new = !state.nodes.contains_key(&path);
                state.folder(&path);
                if let Some(made) = state.nodes.get_mut(&path).filter(|_| is_new) {
                    made.mode = query.get("permission").cloned().unwrap_or_else(|| "755".to_owned());
                    made.owner = user.to_owned();
                }
                json(serde_json::json!({"boolean": true}))
            }
        },
        ("DELETE", "DELETE", false) => {
            let all = state.below(&path);
            if !all.is_empty() && query.get("recursive").is_none_or(|recursive| recursive != "true") {
                return exception(
                    403,
                    "PathIsNotEmptyDirectoryException",
                    &format!("`/{path} is non empty'"),
                );
            }
            for other in all {
                state.nodes.remove(&other);
            }
            json(serde_json::json!({"boolean": state.nodes.remove(&path).is_some()}))
        }
        ("PUT", "RENAME", false) => {
            let to = query["destination"].trim_matches('/').to_owned();
            let above = to.rsplit_once('/').map_or("", |(above, _)| above);
            let is_free = !state.nodes.contains_key(&to)
                && state.nodes.get(above).is_some_and(|node| node.content.is_none());
            if node.is_none() || !is_free || to.starts_with(&format!("{path}/")) {
                return json(serde_json::json!({"boolean": false}));
            }
            for other in state.below(&path).into_iter().chain([path.clone()]) {
                let moved = state.nodes.remove(&other).expect("it is there");
                state.nodes.insert(format!("{to}{}", &other[path.len()..]), moved);
            }
            json(serde_json::json!({"boolean": true}))
        }
        ("PUT", "CREATE", _) if file_above.is_some() => {
            exception(403, "ParentNotDirectoryException", "a file is not a directory")
        }
        ("PUT", "CREATE", _) if node.as_ref().is_some_and(|node| node.content.is_none()) => {
            exception(403, "FileAlreadyExistsException", &format!("/{path} already exists as a directory"))
        }
        ("PUT", "CREATE", false) if body.is_empty() => redirect(data, asked),
        ("PUT", "CREATE", true) => {
            state.put(&path, body);
            if let Some(made) = state.nodes.get_mut(&path) {
                made.mode = query.get("permission").cloned().unwrap_or_else(|| "755".to_owned());
                made.owner = user.to_owned();
            }
            (201, vec![("Location", format!("webhdfs://somewhere/{path}"))], Vec::new())
        }
        ("GET", "OPEN", is_data) => match node {
            Some(Node { content: Some(_), .. }) if !is_data => redirect(data, asked),
            Some(Node { content: Some(content), .. }) => {
                let offset = query.get("offset").map_or(0, |offset| offset.parse().expect("a number"));
                match content.get(offset..) {
                    Some(rest) => (200, Vec::new(), rest.to_vec()),
                    None => exception(403, "IOException", "Offset out of the range"),
                }
            }
            _ => missing(),
        },
        ("PUT", "SETPERMISSION" | "SETOWNER" | "SETREPLICATION" | "SETTIMES", false) => {
            let Some(node) = state.nodes.get_mut(&path) else { return missing() };
            let set = |name: &str| query.get(name).cloned();
            node.mode = set("permission").unwrap_or_else(|| node.mode.clone());
            node.group = set("group").unwrap_or_else(|| node.group.clone());
            node.copies = set("replication").map_or(node.copies, |copies| copies.parse().expect("a number"));
            node.modified = set("modificationtime").map_or(node.modified, |at| at.parse().expect("a number"));
            match operation {
                "SETREPLICATION" => json(serde_json::json!({"boolean": true})),
                _ => (200, Vec::new(), Vec::new()),
            }
        }
        _ => exception(400, "IllegalArgumentException", "Invalid value for webhdfs parameter \"op\""),
    }
}

/// The last name of a path.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

fn redirect(data: SocketAddr, asked: &str) -> Answer {
    (307, vec![("Location", format!("http://{data}/webhdfs/v1{asked}"))], Vec::new())
}

fn described(node: &Node, name: &str) -> serde_json::Value {
    serde_json::json!({
        "accessTime": 0, "blockSize": if node.content.is_some() { 67_108_864 } else { 0 }, "group": node.group,
        "length": node.content.as_ref().map_or(0, Vec::len), "modificationTime": node.modified, "owner": node.owner,
        "pathSuffix": name, "permission": node.mode, "replication": node.copies,
        "type": if node.content.is_some() { "FILE" } else { "DIRECTORY" },
    })
}
