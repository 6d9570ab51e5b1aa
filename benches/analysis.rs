//! How long the analysis of the control flow takes on long and deep workflows, on a stack of 512 KiB.
//!
//! `cargo bench --bench analysis`. Oozie's figures are those of `OOZIE.md`, two cores and Java 17: they are for
//! ratios. Its chain is scaled to the same number of nodes; its decisions take 2^K, so K = 25 stands as measured.

#[path = "support/figures.rs"]
#[allow(dead_code, reason = "each bench uses its own part")]
mod figures;
#[path = "../tests/support/graphs.rs"]
#[allow(dead_code, reason = "the bench uses the sketches alone")]
mod graphs;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use ankus::analysis::subject;
use ankus::rules::{self, Sink};
use figures::own_time::thread_time;
use figures::verdict;
use graphs::Sketch;

const STACK_BYTES: usize = 512 * 1024;
const LIMIT: Duration = Duration::from_millis(300);

fn main() -> ExitCode {
    std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("it ends");
    verdict::exit_code()
}

fn run() {
    let oozie_node = Duration::from_millis(159) / 1_000;
    measure("chain of 100,000 nodes", &chain(100_000), Some(oozie_node * 100_000));
    measure("100,000 forks in a row", &forks_in_a_row(100_000), None);
    measure("10,000 nested forks", &nested_forks(10_000), None);
    measure("10,000 decisions in a row inside a fork", &decisions_in_a_fork(10_000), None);
    measure("25 decisions in a row inside a fork", &decisions_in_a_fork(25), Some(Duration::from_secs(20)));
    measure("chain of 1,000 nodes", &chain(1_000), Some(oozie_node * 1_000));
    measure("a loop of 100,000 nodes", &ring(100_000), None);
    measure("100,000 nodes that nothing reaches", &unreached(100_000), None);
}

/// Times facts and rules together: the best round of several, small workflows many times in a round.
fn measure(what: &str, sketch: &Sketch, oozie: Option<Duration>) {
    // `cargo bench --bench analysis -- forks` runs those alone that have the word in their names.
    if std::env::args().skip(1).any(|word| !word.starts_with('-') && !what.contains(&word)) {
        return;
    }
    let workflow = sketch.workflow();
    let nodes = workflow.nodes.len();
    let times = (400_000 / nodes).max(1) as u32;
    let mut best = Duration::MAX;
    let mut findings = 0;
    let origin = Instant::now();
    for _ in 0..5 {
        let begin = thread_time(origin);
        for _ in 0..times {
            let mut sink = Sink::new();
            rules::workflow(rules::ALL, &subject::Workflow::new(&workflow), &mut sink);
            findings = sink.into_findings().len();
        }
        best = best.min((thread_time(origin) - begin) / times);
    }
    let ratio = oozie.map_or_else(String::new, |oozie| {
        format!(", Oozie {:.3} s: {:.0} times", oozie.as_secs_f64(), oozie.as_secs_f64() / best.as_secs_f64())
    });
    let verdict = verdict::hold(best < LIMIT);
    println!("{what:42} {nodes:>7} nodes {:.5} s, {findings} findings{ratio}{verdict}", best.as_secs_f64());
}

fn finish(mut sketch: Sketch) -> Sketch {
    sketch.add("k", "kill", &[]);
    sketch.add("end", "end", &[]);
    sketch
}

fn chain(count: usize) -> Sketch {
    let mut sketch = Sketch::to("a0");
    for number in 0..count {
        let next = if number + 1 == count { "end".to_owned() } else { format!("a{}", number + 1) };
        sketch.add(format!("a{number}"), "action", &[&next, "k"]);
    }
    finish(sketch)
}

fn ring(count: usize) -> Sketch {
    let mut sketch = chain(count);
    sketch.nodes[count - 1].2[0] = "a0".to_owned();
    sketch
}

fn unreached(count: usize) -> Sketch {
    let mut sketch = chain(count);
    sketch.start = "end".to_owned();
    sketch
}

fn forks_in_a_row(count: usize) -> Sketch {
    let mut sketch = Sketch::to("f0");
    for number in 0..count {
        let next = if number + 1 == count { "end".to_owned() } else { format!("f{}", number + 1) };
        let [a, b, join] = ["a", "b", "j"].map(|letter| format!("{letter}{number}"));
        sketch.add(format!("f{number}"), "fork", &[&a, &b]);
        sketch.add(a, "action", &[&join, "k"]);
        sketch.add(b, "action", &[&join, "k"]);
        sketch.add(join, "join", &[&next]);
    }
    finish(sketch)
}

fn nested_forks(count: usize) -> Sketch {
    let mut sketch = Sketch::to("f0");
    for number in 0..count {
        let inner = if number + 1 == count { format!("a{number}") } else { format!("f{}", number + 1) };
        let after = if number == 0 { "end".to_owned() } else { format!("j{}", number - 1) };
        let [b, join] = ["b", "j"].map(|letter| format!("{letter}{number}"));
        sketch.add(format!("f{number}"), "fork", &[&inner, &b]);
        sketch.add(b, "action", &[&join, "k"]);
        sketch.add(join, "join", &[&after]);
    }
    let last = format!("j{}", count - 1);
    sketch.add(format!("a{}", count - 1), "action", &[&last, "k"]);
    finish(sketch)
}

fn decisions_in_a_fork(count: usize) -> Sketch {
    let mut sketch = Sketch::to("f");
    sketch.add("f", "fork", &["d0", "b"]);
    for number in 0..count {
        let next = if number + 1 == count { "j".to_owned() } else { format!("d{}", number + 1) };
        let [x, y] = ["x", "y"].map(|letter| format!("{letter}{number}"));
        sketch.add(format!("d{number}"), "decision", &[&x, &y]);
        sketch.add(x, "action", &[&next, "k"]);
        sketch.add(y, "action", &[&next, "k"]);
    }
    sketch.add("b", "action", &["j", "k"]);
    sketch.add("j", "join", &["end"]);
    finish(sketch)
}
