//! Notifications by HTTP (`NotificationXCommand`): one GET each, through a proxy where one is named.
//!
//! A thread for each listener sends them in order, so one that does not answer keeps nobody else waiting, and never the
//! executor. What becomes of one that was not taken is the executor's affair.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use ureq::http::Uri;
use ureq::{Agent, Proxy, ProxyProtocol};

use super::news::News;

/// Listeners that have a thread of their own; those beyond share one.
const MAX_THREADS: usize = 16;

/// The answer that a listener gives when it has taken a notification (`HttpURLConnection.HTTP_OK`).
const TAKEN: u16 = 200;

/// A line of an answer that is longer is none, in bytes.
const MAX_LINE: u64 = 8 * 1024;

/// A notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Its number among the chores.
    pub number: i64,
    /// Where to.
    pub url: String,
    /// Through what, as configured.
    pub proxy: Option<String>,
}

/// Why a notification was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// In words.
    pub words: String,
    /// Whether asking again is in vain.
    pub is_final: bool,
}

impl Refusal {
    fn new(words: impl ToString) -> Refusal {
        Refusal { words: words.to_string(), is_final: false }
    }

    fn at_last(words: impl ToString) -> Refusal {
        Refusal { words: words.to_string(), is_final: true }
    }
}

/// Sends letters, and brings news of each.
#[derive(Debug)]
pub struct Post {
    timeout: Duration,
    news: Sender<News>,
    threads: BTreeMap<String, Sender<Letter>>,
}

impl Post {
    /// A post that gives listeners so much time.
    pub fn new(timeout: Duration, news: Sender<News>) -> Post {
        Post { timeout, news, threads: BTreeMap::new() }
    }

    /// Sends a letter; the news of it come later.
    pub fn send(&mut self, letter: Letter) {
        let mut name = listener(&letter.url);
        if !self.threads.contains_key(&name) && self.threads.len() >= MAX_THREADS {
            name = String::new();
        }
        let thread = self.threads.entry(name).or_insert_with(|| {
            let (sender, letters) = channel::<Letter>();
            let (news, timeout) = (self.news.clone(), self.timeout);
            std::thread::spawn(move || {
                for letter in letters {
                    let outcome = deliver(&letter, timeout);
                    // Nobody listens any more when the executor has left.
                    let _ = news.send(News::Notified { number: letter.number, outcome });
                }
            });
            sender
        });
        // The thread lives as long as its sender.
        let _ = thread.send(letter);
    }
}

/// Scheme, host and port of an address.
fn listener(url: &str) -> String {
    let from = url.find("://").map_or(0, |at| at + 3);
    let end = url[from..].find(['/', '?', '#']).map_or(url.len(), |at| from + at);
    url[..end].to_owned()
}

/// Sends one letter and waits for the answer.
fn deliver(letter: &Letter, timeout: Duration) -> Result<(), Refusal> {
    let uri: Uri =
        letter.url.parse().map_err(|error| Refusal::at_last(format!("it is no address: {error}")))?;
    let is_plain = match uri.scheme_str() {
        Some("http") => true,
        Some("https") => false,
        _ => return Err(Refusal::at_last("only http and https are spoken")),
    };
    if uri.host().is_none_or(str::is_empty) {
        return Err(Refusal::at_last("it names no host"));
    }
    let proxy = proxy(letter.proxy.as_deref().unwrap_or_default());
    let status = match proxy {
        // Java asks such a proxy for the whole address, and lets it open a tunnel for https alone; so do others expect it.
        Some((false, host, port)) if is_plain => through(&uri, &host, port, timeout)?,
        proxy => {
            let proxy = proxy.map(|(is_socks, host, port)| {
                let protocol = if is_socks { ProxyProtocol::Socks5h } else { ProxyProtocol::Http };
                Proxy::builder(protocol).host(&host).port(port).build().map_err(Refusal::at_last)
            });
            let config = Agent::config_builder()
                .proxy(proxy.transpose()?)
                .http_status_as_error(false)
                .timeout_connect(Some(timeout))
                .timeout_recv_response(Some(timeout))
                .timeout_resolve(Some(timeout));
            let agent = Agent::new_with_config(config.build());
            agent.get(uri).call().map_err(Refusal::new)?.status().as_u16()
        }
    };
    if status == TAKEN { Ok(()) } else { Err(Refusal::new(format!("the answer was {status}"))) }
}

/// A proxy as it is configured: whether it speaks SOCKS, its host and port (`getProxy`). What cannot be read is none.
fn proxy(text: &str) -> Option<(bool, String, u16)> {
    let (before, port) = text.trim().rsplit_once(':')?;
    let (kind, host) = before.split_once('@').unwrap_or(("http", before));
    Some((kind.eq_ignore_ascii_case("socks"), host.to_owned(), port.parse().ok()?))
}

/// Asks an HTTP proxy for an address; the status of the answer.
fn through(uri: &Uri, host: &str, port: u16, timeout: Duration) -> Result<u16, Refusal> {
    let of_proxy = |error: std::io::Error| Refusal::new(format!("the proxy {host}:{port}: {error}"));
    let timeout = Some(timeout).filter(|timeout| !timeout.is_zero());
    let mut last = None;
    for address in (host, port).to_socket_addrs().map_err(of_proxy)? {
        let connected = match timeout {
            Some(timeout) => TcpStream::connect_timeout(&address, timeout),
            None => TcpStream::connect(address),
        };
        let mut stream = match connected {
            Ok(stream) => stream,
            Err(error) => {
                last = Some(error);
                continue;
            }
        };
        let authority = uri.authority().map(|authority| authority.as_str()).unwrap_or_default();
        // Who logs in is no part of what a host is called.
        let name = authority.rsplit('@').next().unwrap_or_default();
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let mut ask = || -> std::io::Result<String> {
            stream.set_read_timeout(timeout)?;
            stream.set_write_timeout(timeout)?;
            write!(
                stream,
                "GET http://{name}{path} HTTP/1.1\r\nHost: {name}\r\nUser-Agent: ankus\r\nAccept: */*\r\n\
                 Connection: close\r\n\r\n"
            )?;
            let mut line = String::new();
            std::io::Read::take(BufReader::new(&stream), MAX_LINE).read_line(&mut line)?;
            Ok(line)
        };
        let line = ask().map_err(of_proxy)?;
        let status = line.strip_prefix("HTTP/").and_then(|line| line.split(' ').nth(1)?.trim().parse().ok());
        return status.ok_or_else(|| Refusal::new(format!("the proxy {host}:{port} does not speak HTTP")));
    }
    Err(of_proxy(last.unwrap_or_else(|| std::io::Error::other("it has no address"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_read_as_a_server_reads_them() {
        for (text, expected) in [
            ("h:80", Some((false, "h".to_owned(), 80))),
            ("http@h:80", Some((false, "h".to_owned(), 80))),
            ("SOCKS@h.x.org:1080", Some((true, "h.x.org".to_owned(), 1080))),
            ("other@h:1", Some((false, "h".to_owned(), 1))),
            ("h", None),
            ("h:port", None),
            ("", None),
        ] {
            assert_eq!(proxy(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_address_of_a_listener_is_refused_for_good() {
        for url in ["ftp://x/y", "file:///etc/passwd", "/y", "", "http://", "http://x y/"] {
            let letter = Letter { number: 1, url: url.to_owned(), proxy: None };
            let refused = deliver(&letter, Duration::from_secs(1)).expect_err(url);
            assert!(refused.is_final, "{url}: {refused:?}");
        }
    }

    #[test]
    fn letters_to_one_listener_go_one_way() {
        assert_eq!(listener("http://x:1/a?b"), "http://x:1");
        assert_eq!(listener("https://x?b"), "https://x");
        assert_eq!(listener("nonsense"), "nonsense");
    }
}
