//! Real parts on the loopback, started by `tests/parts/up`: a name node and data node, Spark and its Thrift server, servers
//! of S3 and of Azure's blobs, a mail server with STARTTLS and a login, a git daemon, an sshd.
//!
//! `ANKUS_PARTS=1` runs all of it, `ANKUS_PARTS=ssh,smtp` these parts; what cannot be had is reported as not run.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::run::{project, workflow};
use crate::support::{not_run, root};

#[cfg(feature = "object-store")]
mod clouds;
mod hdfs;
mod jobs;
mod killed;
mod pipeline;
#[cfg(target_os = "linux")]
mod silent;
mod small;

/// What runs under Java takes memory by the hundred MiB, so one stand of these is up at a time.
static HEAVY: Mutex<()> = Mutex::new(());

/// A stand that ends with the value.
struct Stand {
    child: Child,
    orders: Option<ChildStdin>,
    said: BufReader<ChildStdout>,
    /// What is said of a part that answers, by its name.
    parts: BTreeMap<String, BTreeMap<String, String>>,
    _alone: Option<MutexGuard<'static, ()>>,
}

impl Stand {
    /// These parts, when the machine is to run them and can.
    fn of(wanted: &[&str]) -> Option<Stand> {
        let chosen = std::env::var("ANKUS_PARTS").unwrap_or_default();
        let names: Vec<&str> = chosen.split([',', ' ']).collect();
        let is_chosen = |part: &&str| chosen == "1" || names.contains(part);
        if !wanted.iter().all(is_chosen) {
            not_run(&wanted.join(", "), "ANKUS_PARTS=1 starts real parts");
            return None;
        }
        let is_heavy = wanted.iter().any(|part| ["hdfs", "thrift"].contains(part));
        let _alone = is_heavy.then(|| HEAVY.lock().unwrap_or_else(PoisonError::into_inner));
        let mut child = Command::new(root().join("tests/parts/up"))
            .args(wanted)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("bash is there");
        let orders = child.stdin.take();
        let said = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut stand = Stand { child, orders, said, parts: BTreeMap::new(), _alone };
        loop {
            let line = stand.line();
            if line == "ready" {
                return Some(stand);
            }
            if let Some((part, why)) = line.split_once(" not run: ") {
                not_run(part, why);
                return None;
            }
            let mut words = line.split(' ');
            let part = words.next().unwrap_or_default().to_owned();
            let pairs = words.filter_map(|word| word.split_once('='));
            let values = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            stand.parts.insert(part, values);
        }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert_ne!(self.said.read_line(&mut line).expect("text"), 0, "the stand has ended");
        line.trim_end().to_owned()
    }

    /// What the stand answers to an order.
    fn order(&mut self, order: &str) -> String {
        let orders = self.orders.as_mut().expect("it runs");
        writeln!(orders, "{order}").expect("it reads");
        self.line()
    }

    fn value(&self, part: &str, name: &str) -> String {
        self.parts[part][name].clone()
    }
}

impl Drop for Stand {
    fn drop(&mut self) {
        // The end of its input ends it, and all that it has started.
        drop(self.orders.take());
        let _ = self.child.wait();
    }
}

/// A project with an fs action over storage that a table names.
fn fs_app(name: &str, table: &str, operations: &str) -> std::path::PathBuf {
    let nodes = format!(
        r#"<start to="a"/><action name="a"><fs>{operations}</fs><ok to="end"/><error to="fail"/></action>"#
    );
    let config = format!("[paths]\n\"hdfs://nn/apps\" = \".\"\n[storage]\n\"hdfs://nn\" = {table}\n");
    project(name, &[("ankus.toml", &config), ("app/workflow.xml", &workflow(name, &nodes))])
}
