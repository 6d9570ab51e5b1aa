//! A browser without a screen, driven over the WebDriver protocol through its driver on the loopback.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::{folder_of, not_run};

/// How often a page is asked for what is waited for, once before each of its frames.
const LOOKS: u32 = 900;

/// After so long without an answer the driver is given up.
const SILENCE: Duration = Duration::from_secs(400);

/// How long the driver itself gives a page, in milliseconds: a machine that builds beside the tests is slow.
const PATIENCE: u32 = 300_000;

/// After so many frames a page has drawn what an input asked for: one plans the drawing, one draws it, one draws what
/// a change of sizes asks for.
const FRAMES_TO_SETTLE: u32 = 3;

/// The arguments of the browser: no screen, no network.
const ARGUMENTS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,800",
];

/// Keys as the protocol names them.
pub const ENTER: &str = "\u{E007}";
pub const ESCAPE: &str = "\u{E00C}";
pub const RIGHT: &str = "\u{E014}";
pub const DOWN: &str = "\u{E015}";
pub const LEFT: &str = "\u{E012}";

/// A browser with one page.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts one for the part of a test that can do without; says so where there is none.
    pub fn start_for(name: &str) -> Option<Browser> {
        if cfg!(has_browser) {
            return Some(Browser::start(name));
        }
        not_run(name, "no chromedriver; ANKUS_BROWSER may name one");
        None
    }

    /// Starts one with a new folder of this name for what it keeps, by `ANKUS_BROWSER`, the path of the driver, or the
    /// driver that is found.
    ///
    /// # Panics
    ///
    /// Where there is none: a test that needs it is ignored without the flag `has_browser` of `build.rs`.
    pub fn start(name: &str) -> Browser {
        let wanted = std::env::var_os("ANKUS_BROWSER").map(PathBuf::from);
        let path = wanted.or_else(|| in_path("chromedriver")).expect("a chromedriver");
        let started =
            Command::new(&path).arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut driver = started.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut lines = BufReader::new(driver.stdout.take().expect("its output")).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let rest = line.split("started successfully on port ").nth(1)?;
            rest.trim_end_matches('.').parse().ok()
        });
        // The driver goes on writing; nobody reads, and its pipe has room for the rest.
        std::mem::forget(lines);
        let port = port.expect("the driver says its port");
        let mut browser = Browser { driver, port, session: String::new() };
        let folder = folder_of(&format!("browser-{name}"), &[]);
        let mut arguments: Vec<_> = ARGUMENTS.iter().map(|argument| (*argument).to_owned()).collect();
        arguments.push(format!("--user-data-dir={}", folder.display()));
        let options = json!({
            "browserName": "chrome",
            "goog:loggingPrefs": { "browser": "ALL" },
            "timeouts": { "script": PATIENCE, "pageLoad": PATIENCE },
            "goog:chromeOptions": { "args": arguments },
        });
        let answer = browser.call("POST", "/session", json!({ "capabilities": { "alwaysMatch": options } }));
        browser.session = answer["sessionId"].as_str().expect("a session").to_owned();
        browser
    }

    /// Asks the driver; what it refuses is a failure.
    fn call(&self, method: &str, path: &str, body: Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (status, text) = self.http(method, path, &body).expect("the driver answers");
        let answer: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
        assert_eq!(status, 200, "{method} {path}: {text}");
        answer["value"].clone()
    }

    fn http(&self, method: &str, path: &str, body: &str) -> std::io::Result<(u16, String)> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(SILENCE))?;
        let port = self.port;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )?;
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        let mut length = 0;
        loop {
            line.clear();
            if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        let mut bytes = vec![0; length];
        reader.read_exact(&mut bytes)?;
        Ok((status, String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn command(&self, method: &str, path: &str, body: Value) -> Value {
        self.call(method, &format!("/session/{}/{path}", self.session), body)
    }

    /// Opens a file.
    pub fn open(&self, file: &Path) {
        self.command("POST", "url", json!({ "url": format!("file://{}", file.display()) }));
    }

    /// The value of an expression in the page.
    pub fn value(&self, expression: &str) -> Value {
        self.command("POST", "execute/sync", json!({ "script": format!("return {expression}"), "args": [] }))
    }

    /// Waits until an expression is true and gives its value.
    pub fn wait(&self, expression: &str) -> Value {
        let script = format!(
            "const done = arguments[0]; let left = {LOOKS};
             const look = () => {{
               let value = null;
               try {{ value = {expression}; }} catch (error) {{ value = null; }}
               if (value) done(value);
               else if ((left -= 1) <= 0) done(null);
               else requestAnimationFrame(look);
             }};
             look();"
        );
        let value = self.command("POST", "execute/async", json!({ "script": script, "args": [] }));
        assert!(!value.is_null(), "never true: {expression}");
        value
    }

    /// Presses keys one after the other; held ones stay down while the others are pressed.
    pub fn press(&self, held: &[&str], keys: &[&str]) {
        let action = |kind: &str, key: &&str| json!({ "type": kind, "value": key });
        let mut list: Vec<_> = held.iter().map(|key| action("keyDown", key)).collect();
        for key in keys {
            list.extend([action("keyDown", key), action("keyUp", key)]);
        }
        list.extend(held.iter().map(|key| action("keyUp", key)));
        self.perform(json!({ "type": "key", "id": "keyboard", "actions": list }));
    }

    /// Clicks the middle of what a selector finds.
    pub fn click(&self, selector: &str) {
        let (x, y) = self.place(selector, 0.5, 0.5);
        self.pointer(&[
            json!({ "type": "pointerMove", "x": x, "y": y }),
            json!({ "type": "pointerDown", "button": 0 }),
            json!({ "type": "pointerUp", "button": 0 }),
        ]);
    }

    /// Moves the pointer, presses it, and moves it by so many pixels to the right.
    pub fn drag(&self, selector: &str, right: i64) {
        let (x, y) = self.place(selector, 0.5, 0.5);
        self.pointer(&[
            json!({ "type": "pointerMove", "x": x, "y": y }),
            json!({ "type": "pointerDown", "button": 0 }),
            json!({ "type": "pointerMove", "x": x + right, "y": y, "duration": 50 }),
            json!({ "type": "pointerUp", "button": 0 }),
        ]);
    }

    /// Moves the pointer to a part of what a selector finds.
    pub fn hover(&self, selector: &str, across: f64, down: f64) {
        let (x, y) = self.place(selector, across, down);
        self.pointer(&[json!({ "type": "pointerMove", "x": x, "y": y })]);
    }

    /// Turns the wheel over what a selector finds.
    pub fn wheel(&self, selector: &str, down: i64) {
        let (x, y) = self.place(selector, 0.5, 0.5);
        let scroll = json!({ "type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": down });
        self.perform(json!({ "type": "wheel", "id": "wheel", "actions": [scroll] }));
    }

    fn pointer(&self, actions: &[Value]) {
        self.perform(json!({ "type": "pointer", "id": "mouse", "actions": actions }));
    }

    /// Does it, and waits until the page has drawn what came of it: what it tells at once and what it tells in its
    /// next frame belong to one state then.
    fn perform(&self, source: Value) {
        self.command("POST", "actions", json!({ "actions": [source] }));
        let script = format!(
            "const done = arguments[0]; let left = {FRAMES_TO_SETTLE};
             const frame = () => {{ if (left === 0) done(null); else {{ left -= 1; requestAnimationFrame(frame); }} }};
             frame();"
        );
        self.command("POST", "execute/async", json!({ "script": script, "args": [] }));
    }

    /// Where a part of something stands in the window.
    fn place(&self, selector: &str, across: f64, down: f64) -> (i64, i64) {
        let script = format!(
            "const box = document.querySelector(arguments[0]).getBoundingClientRect();
             return [box.left + box.width * {across}, box.top + box.height * {down}]"
        );
        let at = self.command("POST", "execute/sync", json!({ "script": script, "args": [selector] }));
        let number = |index: usize| at[index].as_f64().expect("a place") as i64;
        (number(0), number(1))
    }

    /// Makes the page believe in a colour scheme and a size of the window.
    pub fn look(&self, scheme: &str, width: u32, height: u32) {
        let run = |command: &str, parameters: Value| {
            self.command("POST", "goog/cdp/execute", json!({ "cmd": command, "params": parameters }));
        };
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        run("Emulation.setEmulatedMedia", json!({ "features": [feature] }));
        run(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
        );
    }

    /// The window as a PNG.
    pub fn picture(&self) -> Vec<u8> {
        bytes_of(self.command("GET", "screenshot", Value::Null).as_str().expect("a picture"))
    }

    /// What the page has written to its console since the last time.
    pub fn console(&self) -> Vec<String> {
        let log = self.command("POST", "se/log", json!({ "type": "browser" }));
        log.as_array().expect("a list").iter().map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = self.http("DELETE", &format!("/session/{}", self.session), "");
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// What a text in base 64 stands for.
fn bytes_of(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::with_capacity(text.len() * 3 / 4), 0_u32, 0);
    for digit in text.bytes().filter_map(|byte| DIGITS.iter().position(|digit| *digit == byte)) {
        bits = (bits << 6) | digit as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}

/// A program in one of the folders of `PATH`.
fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
