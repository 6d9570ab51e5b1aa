//! Many actions at once, many after each other, and a store of many jobs.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use crate::run::{ankus, program, project, shell, statuses, workflow};
use crate::support::executor::{fill, lock, options, place};

/// How many actions run at once.
const AT_ONCE: usize = 200;

/// How many run after each other.
const IN_SEQUENCE: usize = 60;

/// A file of `/proc` of a process, as text.
fn of_process(process: u32, file: &str) -> String {
    std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default()
}

fn open_files(process: u32) -> usize {
    std::fs::read_dir(format!("/proc/{process}/fd")).map_or(0, Iterator::count)
}

fn resident_kib(process: u32) -> usize {
    let status = of_process(process, "status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

#[test]
fn actions_in_sequence_let_neither_memory_nor_open_files_grow() {
    let mut nodes = r#"<start to="n0"/>"#.to_owned();
    for node in 0..IN_SEQUENCE {
        let next = if node + 1 < IN_SEQUENCE { format!("n{}", node + 1) } else { "end".to_owned() };
        nodes.push_str(&shell(&format!("n{node}"), "a.sh", &[], &next));
    }
    let text = workflow("sequence", &nodes);
    // Each waits for a line, so that the executor is looked at while it runs, however busy the machine is.
    let script = "#!/bin/sh\nread line < \"$(dirname \"$0\")/../../../../../go\"\necho a=b\n";
    let folder = project("load-sequence", &[("app/workflow.xml", &text), ("app/a.sh", script)]);
    let mut go = pipe(&folder, "go");
    let mut child = program(&folder, &["run", "app", "--format", "jsonl"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let out = BufReader::new(child.stdout.take().expect("its output"));
    let mut seen: Vec<(usize, usize)> = Vec::new();
    for line in out.lines() {
        if line.expect("a line").contains("\"kind\":\"action-started\"") {
            seen.push((open_files(child.id()), resident_kib(child.id())));
            go.write_all(b"\n").expect("it is told to go on");
        }
    }
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_eq!(seen.len(), IN_SEQUENCE);
    assert!(seen.iter().all(|(_, resident)| *resident > 0), "{seen:?}");
    let third = seen.len() / 3;
    // What is open at one moment depends on how busy the machine is; what is never closed again is open at every moment.
    let open = |part: &[(usize, usize)]| part.iter().map(|it| it.0).min().unwrap_or(0);
    let resident = |part: &[(usize, usize)]| part.iter().map(|it| it.1).min().unwrap_or(0);
    let (first, last) = (&seen[..third], &seen[2 * third..]);
    let (first, last) = ((open(first), resident(first)), (open(last), resident(last)));
    println!("open files {} and {}, KiB {} and {}", first.0, last.0, first.1, last.1);
    assert!(last.0 <= first.0 + IN_SEQUENCE / 6, "open files: {} after {}", last.0, first.0);
    assert!(last.1 <= first.1 + 4 * 1024, "KiB: {} after {}", last.1, first.1);
}

/// A pipe with a name, open for both, so that nobody sees an end.
fn pipe(folder: &std::path::Path, name: &str) -> std::fs::File {
    let path = folder.join(name);
    nix::unistd::mkfifo(&path, nix::sys::stat::Mode::from_bits_truncate(0o600)).expect("a pipe");
    std::fs::OpenOptions::new().read(true).write(true).open(path).expect("it opens")
}

/// Each action says that it is there and goes on only when all are.
#[test]
fn two_hundred_actions_run_at_once() {
    let mut nodes = r#"<start to="fork"/><fork name="fork">"#.to_owned();
    (0..AT_ONCE).for_each(|node| nodes.push_str(&format!(r#"<path start="n{node}"/>"#)));
    nodes.push_str("</fork>");
    for node in 0..AT_ONCE {
        nodes.push_str(&shell(&format!("n{node}"), "meet.sh", &[], "join"));
    }
    nodes.push_str(r#"<join name="join" to="end"/>"#);
    let text = workflow("meet", &nodes);
    // A line to one pipe, and then one of an empty line from another, of which there is one for each.
    let script =
        "#!/bin/sh\nat=\"$(dirname \"$0\")/../../../../..\"\necho x > \"$at/here\"\nread line < \"$at/go\"\n";
    let folder = project("load-meet", &[("app/workflow.xml", &text), ("app/meet.sh", script)]);
    let (mut here, mut go) = (pipe(&folder, "here"), pipe(&folder, "go"));
    let jobs = AT_ONCE.to_string();
    let mut child = program(&folder, &["run", "app", "-q", "--jobs", &jobs])
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut said = vec![0; 2 * AT_ONCE];
    here.read_exact(&mut said).expect("all say that they are there");
    assert_eq!(said, b"x\n".repeat(AT_ONCE));
    go.write_all(&[b'\n'; AT_ONCE]).expect("all are told to go on");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_eq!(statuses(&folder), ["SUCCEEDED"]);
}

#[test]
fn a_store_of_many_old_jobs_is_opened_at_once() {
    let text = workflow("w", r#"<start to="end"/>"#);
    let folder = project("load-many", &[("app/workflow.xml", &text)]);
    let jobs = 10_000;
    fill(&folder.join(".ankus"), jobs);
    let place = place(&folder.join("app"), &folder.join(".ankus"));
    let clock = ankus::execute::clock::SystemClock;
    // The quickest of a few: what else the machine does is not asked here.
    let quickest = (0..5)
        .map(|_| {
            let began = std::time::Instant::now();
            let store = lock(&place).expect("nobody has it");
            let executor = place.executor(store, options(&[]), &clock, None).expect("an executor");
            let took = began.elapsed();
            assert_eq!(executor.store().last_number().expect("a number"), jobs);
            took
        })
        .min()
        .expect("five");
    println!("{quickest:?}");
    assert!(quickest.as_secs_f64() < 0.5, "{quickest:?}");
    let (_, out, _) = ankus(&folder, &["jobs", "--len", "1"]);
    assert!(out.contains("job 10000"), "{out}");
    let (_, id, _) = ankus(&folder, &["submit", "app"]);
    assert!(id.starts_with("0010001-"), "{id}");
}
