//! Those who take what `run` sends outward: listeners on the loopback that keep what they were told.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// How long a test waits for what must come.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// A listener, and what it was told.
pub struct Sink {
    /// Its port on the loopback.
    pub port: u16,
    /// What it was told, in order.
    pub told: Receiver<String>,
}

impl Sink {
    /// A listener that serves each connection on a thread of its own.
    pub fn new(mut serve: impl FnMut(TcpStream, &Sender<String>) + Send + 'static) -> Sink {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (sender, told) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                serve(stream.expect("a connection"), &sender);
            }
        });
        Sink { port, told }
    }

    /// The next thing that it is told.
    pub fn next(&self) -> String {
        self.told.recv_timeout(PATIENCE).expect("something is told")
    }

    /// What it was told so far.
    pub fn all(&self) -> Vec<String> {
        self.told.try_iter().collect()
    }
}

/// A port of the loopback on which nobody listens.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port()
}

/// The lines of a request's head.
fn head(stream: &TcpStream) -> Vec<String> {
    let lines = BufReader::new(stream).lines().map(|line| line.expect("a line"));
    lines.take_while(|line| !line.is_empty()).collect()
}

/// Reads a request, tells its first line, and gives an answer of this status.
pub fn answer(mut stream: TcpStream, status: u16, told: &Sender<String>) {
    let head = head(&stream);
    // Nobody may listen any more.
    let _ = told.send(head.first().cloned().unwrap_or_default());
    let _ = write!(stream, "HTTP/1.1 {status} So\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

/// A web server that answers with these statuses, the last one ever after; it tells the first lines of requests.
pub fn web(statuses: &'static [u16]) -> Sink {
    let mut left = statuses.iter();
    let mut status = 200;
    Sink::new(move |stream, told| {
        status = left.next().copied().unwrap_or(status);
        answer(stream, status, told);
    })
}

/// A SOCKS proxy that is every host itself: it tells for whom it is asked, then the first lines of requests.
pub fn socks() -> Sink {
    Sink::new(|mut stream, told| {
        let take = |stream: &mut TcpStream, count: usize| {
            let mut bytes = vec![0; count];
            stream.read_exact(&mut bytes).expect("so many bytes");
            bytes
        };
        let methods = take(&mut stream, 2);
        assert_eq!(methods[0], 5);
        take(&mut stream, methods[1].into());
        stream.write_all(&[5, 0]).expect("an answer");
        // Connect, to a name, of this length.
        let asked = take(&mut stream, 5);
        assert_eq!(asked[..4], [5, 1, 0, 3]);
        let name = take(&mut stream, asked[4].into());
        let port = take(&mut stream, 2);
        let port = u16::from_be_bytes([port[0], port[1]]);
        told.send(format!("{}:{port}", String::from_utf8_lossy(&name))).expect("a test");
        stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).expect("an answer");
        answer(stream, 200, told);
    })
}

/// A mail server. It tells every command, and each letter as one text. `answer` may give other answers than a friendly
/// one to what it is told.
pub fn mail(answer: impl Fn(&str) -> Option<String> + Send + 'static) -> Sink {
    Sink::new(move |stream, told| {
        let mut out = stream.try_clone().expect("a stream");
        let mut say = |text: &str| drop(out.write_all(format!("{text}\r\n").as_bytes()));
        let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
        say("220 sink");
        while let Some(line) = lines.next() {
            let _ = told.send(line.clone());
            let word = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
            if let Some(other) = answer(&line) {
                say(&other);
                continue;
            }
            match word.as_str() {
                "EHLO" => say("250-sink\r\n250 AUTH PLAIN LOGIN"),
                "AUTH" => say("235 welcome"),
                "DATA" => {
                    say("354 go on");
                    let text: Vec<String> = lines.by_ref().take_while(|line| line != ".").collect();
                    let letter = text.join("\n");
                    let _ = told.send(letter.clone());
                    say(&answer(&letter).unwrap_or_else(|| "250 taken".to_owned()));
                }
                "QUIT" => {
                    say("221 bye");
                    break;
                }
                _ => say("250 well"),
            }
        }
    })
}
