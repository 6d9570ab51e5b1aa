//! The callback that an http action of 2009 waits for: taken on the loopback by the supervisor of the attempt, which lives as
//! long as the action, whatever becomes of the executor. One is taken, and only with the token of the attempt.

use std::hash::{BuildHasher, RandomState};
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use super::http::MAX_CAPTURED;
use crate::analysis::functions::{CALLBACKS, callback_place, url_encoded};

/// The longest head of a request that is read, in bytes.
const MAX_HEAD: usize = 8 * 1024;

/// How long one request may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often somebody who waits looks whether it is to be killed.
const LOOK: Duration = Duration::from_millis(50);

/// A place where one callback is taken.
pub(super) struct Waiting {
    listener: TcpListener,
    token: String,
}

/// What a callback says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Callback {
    /// Whether the exit state is OK.
    pub(super) is_ok: bool,
    /// The type of the body.
    pub(super) kind: String,
    /// The body; `None`: it is longer than [`MAX_CAPTURED`].
    pub(super) body: Option<Vec<u8>>,
}

impl Waiting {
    /// Opens the place.
    pub(super) fn open() -> std::io::Result<Waiting> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        // Keys that the system draws, so nobody can guess what they make of anything.
        let chance = |salt: u64| RandomState::new().hash_one((std::process::id(), salt));
        Ok(Waiting { listener, token: format!("{:016x}{:016x}", chance(1), chance(2)) })
    }

    /// A text with this place for the callback URL of an action.
    pub(super) fn put_in(&self, text: &str, action_id: &str) -> std::io::Result<String> {
        let known = callback_place(None, action_id);
        let base = format!("http://{}", self.listener.local_addr()?);
        let here = callback_place(Some(&base), &self.token);
        let text = text.replace(&known, &here);
        Ok(text.replace(&url_encoded(&known), &url_encoded(&here)))
    }

    /// Waits for the callback; `None` when it is not wanted any more.
    pub(super) fn wait(&self, is_killed: &dyn Fn() -> bool) -> std::io::Result<Option<Callback>> {
        while !is_killed() {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    // Who says nothing sensible keeps nobody else from it for long.
                    if let Some(callback) = self.take(stream) {
                        return Ok(Some(callback));
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(LOOK),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Takes one request; `None` when it is not the callback.
    fn take(&self, mut stream: TcpStream) -> Option<Callback> {
        stream.set_nonblocking(false).ok()?;
        stream.set_write_timeout(Some(PATIENCE)).ok()?;
        let request = read(&mut stream, Instant::now() + PATIENCE);
        let judged =
            request.ok_or((400, "the request cannot be read")).and_then(|request| self.judge(request));
        let (status, words) = match &judged {
            Ok(_) => (200, "taken"),
            Err(refused) => *refused,
        };
        let length = words.len();
        // Whoever has said it need not hear that it was taken.
        let _ = write!(
            stream,
            "HTTP/1.1 {status} {words}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{words}"
        );
        judged.ok()
    }

    fn judge(&self, request: Request) -> Result<Callback, (u16, &'static str)> {
        let mut line = request.head.lines().next().unwrap_or_default().split(' ');
        let (method, target) = (line.next().unwrap_or_default(), line.next().unwrap_or_default());
        if !matches!(method, "GET" | "POST") {
            return Err((405, "GET or POST"));
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let token = path.strip_prefix('/').and_then(|path| path.strip_prefix(CALLBACKS)?.strip_prefix('/'));
        if token != Some(self.token.as_str()) {
            return Err((404, "no action waits for this callback"));
        }
        let status = query.split('&').find_map(|pair| pair.strip_prefix("status="));
        let is_ok = match status {
            Some("OK") => true,
            Some("ERROR") => false,
            _ => return Err((400, "status is OK or ERROR")),
        };
        let kind = header(&request.head, "content-type").unwrap_or_default().to_owned();
        Ok(Callback { is_ok, kind, body: request.body })
    }
}

struct Request {
    head: String,
    body: Option<Vec<u8>>,
}

fn header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    head.lines().skip(1).find_map(|line| {
        let (known, value) = line.split_once(':')?;
        known.trim().eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

/// Reads a request within its limits and its time.
fn read(stream: &mut TcpStream, until: Instant) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 1024];
    let mut more = |bytes: &mut Vec<u8>| -> Option<usize> {
        let left = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
        stream.set_read_timeout(Some(left)).ok()?;
        let count = stream.read(&mut buffer).ok()?;
        bytes.extend_from_slice(&buffer[..count]);
        Some(count)
    };
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if bytes.len() > MAX_HEAD || more(&mut bytes)? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).ok()?;
    let wanted = match header(&head, "content-length") {
        Some(length) => length.parse::<u64>().ok()?,
        None => 0,
    };
    if wanted > MAX_CAPTURED {
        return Some(Request { head, body: None });
    }
    let whole = end + 4 + wanted as usize;
    while bytes.len() < whole {
        if more(&mut bytes)? == 0 {
            return None;
        }
    }
    Some(Request { head, body: Some(bytes[end + 4..whole].to_vec()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(port: u16, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
        stream.write_all(request.as_bytes()).expect("it is sent");
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer.split(' ').nth(1).unwrap_or_default().to_owned()
    }

    #[test]
    fn only_the_callback_of_the_attempt_is_taken() {
        let waiting = Waiting::open().expect("a place");
        let port = waiting.listener.local_addr().expect("an address").port();
        let url = waiting.put_in(&callback_place(None, "7-W@a"), "7-W@a").expect("a URL");
        let path = url.split_once(&port.to_string()).expect("the port").1.to_owned();
        let encoded = waiting.put_in(&url_encoded(&callback_place(None, "7-W@a")), "7-W@a").expect("a URL");
        assert_eq!(encoded, url_encoded(&url));
        let asking = std::thread::spawn(move || {
            let ask = |method: &str, target: &str, more: &str| {
                told(port, &format!("{method} {target} HTTP/1.1\r\nHost: x\r\n{more}"))
            };
            let refused = [
                ask("GET", "/hws/v1/callback/00000000000000000000000000000000?status=OK", "\r\n"),
                ask("GET", &format!("{path}?status=PERHAPS"), "\r\n"),
                ask("DELETE", &format!("{path}?status=OK"), "\r\n"),
                ask("GET", &path[..path.len() - 1], "\r\n"),
                ask("POST", &format!("{path}?status=OK"), "Content-Length: nonsense\r\n\r\n"),
            ];
            (
                refused,
                ask(
                    "POST",
                    &format!("{path}?status=ERROR"),
                    "Content-Type: a/b\r\nContent-Length: 3\r\n\r\nk=v",
                ),
            )
        });
        let callback = waiting.wait(&|| false).expect("it waits");
        let expected = Callback { is_ok: false, kind: "a/b".to_owned(), body: Some(b"k=v".to_vec()) };
        assert_eq!(callback, Some(expected));
        let (refused, taken) = asking.join().expect("it asks");
        assert_eq!(refused, ["404", "400", "405", "404", "400"]);
        assert_eq!(taken, "200");
        assert_eq!(waiting.wait(&|| true).expect("it stops"), None);
    }
}
