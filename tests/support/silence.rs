//! Servers that say nothing: one that takes connections and never answers, one that does not even take them.

use std::net::{TcpListener, TcpStream};

/// A server that says nothing until it goes.
pub struct Silence {
    listener: TcpListener,
    /// Connections that fill its queue.
    _queue: Vec<TcpStream>,
}

impl Silence {
    /// One that takes connections, reads nothing and never answers.
    pub fn after_connecting() -> Silence {
        Silence {
            listener: TcpListener::bind("127.0.0.1:0").expect("a port of the loopback"),
            _queue: Vec::new(),
        }
    }

    /// One whose queue of connections is full, so that the system drops what asks for another.
    #[cfg(target_os = "linux")]
    pub fn before_connecting() -> Silence {
        use nix::sys::socket::{Backlog, listen};
        let mut silence = Silence::after_connecting();
        listen(&silence.listener, Backlog::new(0).expect("a length")).expect("a shorter queue");
        let address = silence.listener.local_addr().expect("an address");
        let limit = std::time::Duration::from_millis(200);
        while let Ok(stream) = TcpStream::connect_timeout(&address, limit) {
            silence._queue.push(stream);
        }
        silence
    }

    /// `127.0.0.1` and its port.
    pub fn host(&self) -> String {
        self.listener.local_addr().expect("an address").to_string()
    }
}
