//! Operators at work while executors, supervisors and the processes of users are killed, all at random: what really ran, by
//! the marks that actions leave, is what the journal says, and nothing that was acknowledged is lost.
//!
//! `ANKUS_TORTURES=200` plays so many seeds; the nightly script does. `ANKUS_TORTURE=n` plays one, whose draws are the same
//! and whose processes are as quick as they are that day.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use ankus::engine::{Event, JobKind};
use ankus::execute::attempt::LOST;
use ankus::execute::store::{JobRow, Store};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::run::{program, shell, workflow};
use crate::support::graphs::Random;
use crate::support::{folder_of, seeds};

/// Longest wait for a line of an executor.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is done while executors run, in one play.
const DEEDS: usize = 25;

const END: [&str; 5] = ["SUCCEEDED", "KILLED", "FAILED", "DONEWITHERROR", "IGNORED"];

/// A script that leaves a mark when it begins and one when it is over, each with the folder of its attempt, and works for
/// a while in between.
const SCRIPT: &str = r#"#!/bin/sh
here=${PWD%/work}
mark="${here##*/.ankus/work/} $1 $2"
echo "begun $mark" >> ../../../../../marks
i=0
while [ $i -lt 20000 ]; do i=$((i + 1)); done
echo "over $mark" >> ../../../../../marks
"#;

/// What is ready though nobody took turns is started after a second, not after ten minutes.
const CONFIG: &str =
    "[paths]\n\"hdfs://nn/apps\" = \".\"\n[server]\nrecovery-interval = 1\nrecovery-older-than = 1\n";

const COORDINATOR: &str = r#"<coordinator-app name="c" frequency="60" start="2024-01-01T00:00Z" end="2024-01-01T03:00Z"
    timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><controls><concurrency>2</concurrency></controls><action><workflow>
    <app-path>hdfs://nn/apps/app</app-path><configuration><property><name>who</name>
    <value>${coord:nominalTime()}</value></property></configuration></workflow></action></coordinator-app>"#;

const NODES: [&str; 4] = ["a-0", "a-1", "b-0", "b-1"];

fn fresh(name: &str) -> PathBuf {
    let mut nodes =
        r#"<start to="fork"/><fork name="fork"><path start="a-0"/><path start="b-0"/></fork>"#.to_owned();
    for (name, next) in [("a-0", "a-1"), ("a-1", "join"), ("b-0", "b-1"), ("b-1", "join")] {
        nodes.push_str(&shell(name, "mark.sh", &["${who}", name], next));
    }
    nodes.push_str(r#"<join name="join" to="end"/>"#);
    let files = [
        ("ankus.toml", CONFIG),
        ("c/coordinator.xml", COORDINATOR),
        ("app/workflow.xml", &workflow("w", &nodes)),
        ("app/mark.sh", SCRIPT),
    ];
    folder_of(name, &files)
}

/// An executor whose lines somebody reads.
struct Executor {
    process: Child,
    lines: Receiver<String>,
}

impl Executor {
    fn start(folder: &Path) -> Executor {
        let arguments = ["run", "c", "--external-id", "torture", "--format", "jsonl", "--jobs", "3"];
        let mut process = program(folder, &arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let out = BufReader::new(process.stdout.take().expect("its output"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Executor { process, lines }
    }

    /// Waits for so many lines; false when it ends before.
    fn says(&self, lines: usize) -> bool {
        (0..lines).all(|_| match self.lines.recv_timeout(PATIENCE) {
            Ok(_) => true,
            Err(RecvTimeoutError::Disconnected) => false,
            Err(RecvTimeoutError::Timeout) => panic!("the executor stands still"),
        })
    }

    fn kill(mut self) {
        self.process.kill().expect("it can be killed");
        self.process.wait().expect("it ends");
    }

    fn wait(mut self) -> Option<i32> {
        self.process.wait().expect("it ends").code()
    }
}

/// The processes of attempts in a folder: supervisors, and what users run.
fn processes(folder: &Path, of_users: bool) -> Vec<Pid> {
    let work = folder.join(".ankus/work");
    let is_wanted = |process: &Path| {
        let command = std::fs::read(process.join("cmdline")).unwrap_or_default();
        let is_supervisor = command.split(|byte| *byte == 0).nth(1) == Some(b"supervise");
        let names_it = String::from_utf8_lossy(&command).contains(&*work.to_string_lossy());
        match of_users {
            false => is_supervisor && names_it,
            true => !is_supervisor && process.join("cwd").read_link().is_ok_and(|cwd| cwd.starts_with(&work)),
        }
    };
    let found = std::fs::read_dir("/proc").expect("Linux").flatten();
    let numbers =
        found.filter_map(|entry| Some((entry.file_name().to_str()?.parse::<i32>().ok()?, entry.path())));
    numbers.filter(|(_, path)| is_wanted(path)).map(|(number, _)| Pid::from_raw(number)).collect()
}

/// What an operator asks for.
struct Wish {
    job: String,
    verb: &'static str,
    more: Vec<String>,
}

/// What was asked of the jobs of a store: the words, and whether it was acknowledged.
type Asked = Vec<(String, &'static str, bool)>;

struct Torture {
    folder: PathBuf,
    random: Random,
    asked: Asked,
    kills: [usize; 3],
}

impl Torture {
    fn store(&self) -> Store {
        Store::read(&self.folder.join(".ankus")).expect("it can be read").expect("a store")
    }

    fn jobs(&self) -> Vec<JobRow> {
        match Store::read(&self.folder.join(".ankus")).expect("it can be read") {
            Some(store) => store.newest(1_000).expect("jobs"),
            None => Vec::new(),
        }
    }

    /// Begins to ask for something, as an operator does.
    fn begin(&self, wish: &Wish) -> Child {
        let Wish { job, verb, more } = wish;
        let mut command = program(&self.folder, &["job", job, verb]);
        command.args(more).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    /// Waits for the answer.
    fn hear(&mut self, Wish { job, verb, more }: Wish, asked: Child) {
        let output = asked.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        let code = output.status.code().expect("it was not killed");
        assert!(code < 3 && !said.contains("panic"), "{job} {verb} {more:?}: {said}");
        self.asked.push((job, verb, code == 0));
    }

    fn ask(&mut self, wish: Wish) {
        let asked = self.begin(&wish);
        self.hear(wish, asked);
    }

    /// What an operator might ask for now.
    fn wish(&mut self) -> Option<Wish> {
        let jobs = self.jobs();
        let job = (!jobs.is_empty()).then(|| &jobs[self.random.below(jobs.len())])?;
        let number = (1 + self.random.below(3)).to_string();
        let concurrency = (1 + self.random.below(3)).to_string();
        let (verb, more): (_, &[&str]) = match (job.id.kind, self.random.below(10)) {
            (_, 0..=2) => ("suspend", &[]),
            (_, 3..=5) => ("resume", &[]),
            (JobKind::Workflow, 6) => ("kill", &[]),
            (JobKind::Workflow, 7) => ("rerun", &["--failed"]),
            (JobKind::Workflow, _) => ("rerun", &["--skip", "a-0"]),
            (_, 6) => ("kill", &["--actions", &number]),
            (_, 7) => ("change", &["--concurrency", &concurrency]),
            (_, _) => ("rerun", &["--actions", &number]),
        };
        let more = more.iter().map(|word| (*word).to_owned()).collect();
        Some(Wish { job: job.id.to_string(), verb, more })
    }

    /// Kills one of the processes of attempts, if there is one before the executor has said a few lines more.
    fn kill_one(&mut self, executor: &Executor, of_users: bool) {
        for _ in 0..6 {
            let found = processes(&self.folder, of_users);
            if !found.is_empty() {
                // It may have ended since.
                let is_killed = kill(found[self.random.below(found.len())], Signal::SIGKILL).is_ok();
                self.kills[1 + usize::from(of_users)] += usize::from(is_killed);
                return;
            }
            if !executor.says(1) {
                return;
            }
        }
    }

    fn play(&mut self) {
        let mut executor = Executor::start(&self.folder);
        for _ in 0..DEEDS {
            let runs = executor.says(self.random.below(6));
            match self.random.below(10) {
                0..=4 => {
                    if let Some(wish) = self.wish() {
                        self.ask(wish);
                    }
                }
                5 | 6 => self.kill_one(&executor, false),
                7 => self.kill_one(&executor, true),
                kind => {
                    // Perhaps while it is asked for something.
                    let wish = (kind == 8).then(|| self.wish()).flatten();
                    let asked = wish.as_ref().map(|wish| self.begin(wish));
                    executor.kill();
                    self.kills[0] += 1;
                    if let Some((wish, asked)) = wish.zip(asked) {
                        self.hear(wish, asked);
                    }
                    executor = Executor::start(&self.folder);
                    continue;
                }
            }
            if !runs {
                executor.wait();
                executor = Executor::start(&self.folder);
            }
        }
        executor.kill();
        self.settle();
    }

    /// Lets everything come to its end in peace.
    fn settle(&mut self) {
        for _ in 0..60 {
            let executor = Executor::start(&self.folder);
            while executor.says(1) {}
            let code = executor.wait();
            let open: Vec<JobRow> =
                self.jobs().into_iter().filter(|job| !END.contains(&&*job.status)).collect();
            if open.is_empty() && !self.jobs().is_empty() {
                return;
            }
            assert!(code.is_some_and(|code| code < 2), "the executor ended with {code:?}");
            for job in open {
                self.ask(Wish { job: job.id.to_string(), verb: "resume", more: Vec::new() });
            }
        }
        let jobs: Vec<String> = self.jobs().iter().map(|job| format!("{} {}", job.id, job.status)).collect();
        panic!("it never ends: {jobs:#?}");
    }

    /// Holds the marks of actions, and what operators were told, against the journal.
    fn check(&self) {
        let store = self.store();
        store.verify().expect("it is sound");
        let mut events = Vec::new();
        store
            .replay(None, |entry| {
                events.push(entry.recorded.event);
                Ok(())
            })
            .expect("it can be replayed");
        self.check_marks(&events);
        self.check_asked(&events);
    }

    fn check_marks(&self, events: &[Event]) {
        let marks = std::fs::read_to_string(self.folder.join("marks")).unwrap_or_default();
        let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        // The attempts of a node of a workflow; the workflows of a nominal time.
        let mut attempts: BTreeMap<(u32, &str), BTreeSet<u32>> = BTreeMap::new();
        let mut workflows: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        for mark in marks.lines() {
            let words: Vec<&str> = mark.split(' ').collect();
            let [kind, place, who, node] = words[..] else { panic!("{mark}") };
            *counts.entry((place, kind)).or_default() += 1;
            let (job, attempt) = place.split_once('/').expect("a job and an attempt");
            let (job, attempt) = (job.parse().expect("a job"), attempt.parse().expect("an attempt"));
            attempts.entry((job, node)).or_default().insert(attempt);
            workflows.entry(who).or_default().insert(job);
        }
        let marked = |job: u32, attempt: u32, kind| {
            counts.get(&(&*format!("{job}/{attempt}"), kind)).copied().unwrap_or(0)
        };
        for ((place, kind), count) in &counts {
            assert_eq!(*count, 1, "attempt {place} has {kind} {count} times");
        }
        // Where the journal says how an attempt ended, and where that lets another begin.
        let mut ends: BTreeMap<(u32, u32), Vec<(usize, bool)>> = BTreeMap::new();
        let mut reruns: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let mut again = false;
        for (at, event) in events.iter().enumerate() {
            match event {
                Event::NodeEnded { node, attempt, end } => {
                    let (begun, over) =
                        (marked(node.workflow, *attempt, "begun"), marked(node.workflow, *attempt, "over"));
                    assert!(!end.ok || begun == 1 && over == 1, "{node} attempt {attempt}: {begun}, {over}");
                    ends.entry((node.workflow, *attempt)).or_default().push((at, !end.ok));
                }
                Event::NodeKilled { node, attempt, .. } => {
                    ends.entry((node.workflow, *attempt)).or_default().push((at, true));
                }
                Event::NodeTrouble { node, attempt, trouble } => {
                    // A supervisor that was killed before it began has done nothing.
                    let begun = marked(node.workflow, *attempt, "begun");
                    assert!(&*trouble.fault.code == LOST || begun == 0, "{node}: {trouble:?}");
                    ends.entry((node.workflow, *attempt)).or_default().push((at, true));
                }
                Event::RerunWorkflow(job, _) => reruns.entry(job.number).or_default().push(at),
                Event::RerunActions(..) => again = true,
                _ => {}
            }
        }
        for ((job, node), attempts) in &attempts {
            let attempts: Vec<u32> = attempts.iter().copied().collect();
            let ends_of = |attempt| {
                let known = ends.get(&(*job, attempt));
                known.unwrap_or_else(|| panic!("{job}@{node}: the journal does not know attempt {attempt}"))
            };
            for pair in attempts.windows(2) {
                let (before, after) = (ends_of(pair[0]), ends_of(pair[1]));
                let (ended, next) = (before[0].0, after[0].0);
                let is_named = before.iter().any(|(_, lets)| *lets)
                    || reruns.get(job).is_some_and(|at| at.iter().any(|at| ended < *at && *at < next));
                assert!(is_named, "{job}@{node} ran as attempts {pair:?}, and nobody asked for that");
            }
            ends_of(attempts[attempts.len() - 1]);
        }
        for (who, jobs) in &workflows {
            assert!(jobs.len() == 1 || again, "{who} ran as {jobs:?}, and nobody asked for that");
        }
        let succeeded = self.jobs().into_iter().filter(|job| job.status == "SUCCEEDED");
        for job in succeeded.filter(|job| job.id.kind == JobKind::Workflow) {
            for node in NODES {
                let attempts = attempts.get(&(job.id.number, node));
                let is_over = |attempt: &u32| marked(job.id.number, *attempt, "over") == 1;
                assert!(
                    attempts.is_some_and(|all| all.iter().any(is_over)),
                    "{}@{node} has never ended",
                    job.id
                );
            }
        }
    }

    /// What operators were told was done is in the journal, and nothing that they did not ask for.
    fn check_asked(&self, events: &[Event]) {
        let mut journal: BTreeMap<(String, &str), usize> = BTreeMap::new();
        for event in events {
            let (job, verb) = match event {
                Event::Suspend(job) => (job, "suspend"),
                Event::Resume(job) => (job, "resume"),
                Event::Kill(job) | Event::KillActions(job, _) => (job, "kill"),
                Event::Change(job, _) => (job, "change"),
                Event::RerunWorkflow(job, _) | Event::RerunActions(job, _) => (job, "rerun"),
                _ => continue,
            };
            *journal.entry((job.to_string(), verb)).or_default() += 1;
        }
        let mut asked: BTreeMap<(String, &str), (usize, usize)> = BTreeMap::new();
        for (job, verb, is_done) in &self.asked {
            let (done, all) = asked.entry((job.clone(), *verb)).or_default();
            (*done, *all) = (*done + usize::from(*is_done), *all + 1);
        }
        for (what, (done, all)) in &asked {
            let noted = journal.remove(what).unwrap_or(0);
            assert!(*done <= noted && noted <= *all, "{what:?}: asked {all}, told {done}, noted {noted}");
        }
        assert!(journal.is_empty(), "nobody asked for {journal:?}");
    }
}

#[test]
fn what_ran_is_what_the_journal_says_whoever_is_killed_and_whoever_operates() {
    let (mut played, mut kills, mut asked, mut done) = (0, [0; 3], 0, 0);
    for seed in seeds("ANKUS_TORTURE", if std::env::var_os("ANKUS_THOROUGH").is_some() { 5 } else { 3 }) {
        println!("ANKUS_TORTURE={seed}");
        // Several programs may play at once.
        let folder = fresh(&format!("run-torture-operators-{}", std::process::id()));
        let mut torture = Torture { folder, random: Random(seed), asked: Vec::new(), kills: [0; 3] };
        torture.play();
        torture.check();
        let _ = std::fs::remove_dir_all(&torture.folder);
        played += 1;
        asked += torture.asked.len();
        done += torture.asked.iter().filter(|(.., is_done)| *is_done).count();
        for (all, some) in kills.iter_mut().zip(torture.kills) {
            *all += some;
        }
    }
    let [executors, supervisors, users] = kills;
    println!(
        "{played} plays: {executors} executors, {supervisors} supervisors and {users} processes of users killed, \
         {asked} commands of operators, of which {done} were taken"
    );
}
