//! How long a picture takes: `cargo bench --bench graph`. The promise is 200 nodes in less than a second; the rest
//! shows that time grows with size and that nothing hangs. Runs on a stack of 512 KiB, as everything must.

#[path = "support/figures.rs"]
#[allow(dead_code, reason = "each bench uses its own part")]
mod figures;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use figures::own_time::thread_time;
use figures::verdict;

use ankus::report::graph::{Direction, Edge, Graph, Kind, Line, Node, dot, mermaid, svg};

const STACK_BYTES: usize = 512 * 1024;
const LIMIT: Duration = Duration::from_secs(1);

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
    let typical = workflow(200);
    within_limit(measure("svg, workflow of 200 nodes", &typical, svg::render));
    measure("dot, workflow of 200 nodes", &typical, dot::render);
    measure("mermaid, workflow of 200 nodes", &typical, mermaid::render);
    within_limit(measure("svg, 200 nodes, 2,000 edges at random", &random(200, 2_000), svg::render));
    measure("svg, workflow of 2,000 nodes", &workflow(2_000), svg::render);
    measure("svg, chain of 10,000 nodes, all to one kill node", &chain(10_000), svg::render);
    measure("svg, 10,000 nodes and 20,000 edges at random", &random(10_000, 20_000), svg::render);
}

fn within_limit(took: Duration) {
    let verdict = verdict::hold(took < LIMIT);
    println!("  at most {} ms are wanted{verdict}", LIMIT.as_millis());
}

fn measure(what: &str, graph: &Graph, render: fn(&Graph) -> String) -> Duration {
    let origin = Instant::now();
    let begin = thread_time(origin);
    let bytes = black_box(render(graph)).len();
    let took = thread_time(origin) - begin;
    println!("{what}: {:.1} ms, {} KiB", took.as_secs_f64() * 1_000.0, bytes >> 10);
    took
}

fn node(kind: Kind, name: String) -> Node {
    let about = format!("{} {name}", kind.name());
    Node { kind, name, lines: vec!["hive".to_owned()], about, marks: Vec::new() }
}

fn edge(from: usize, to: usize, line: Line) -> Edge {
    Edge { from, to, line, label: None, about: format!("{from} to {to}"), is_cyclic: false }
}

fn graph(nodes: Vec<Node>, edges: Vec<Edge>) -> Graph {
    Graph { title: "bench".to_owned(), about: String::new(), direction: Direction::Down, nodes, edges }
}

/// Groups of a decision, a fork of four actions and a join, one after the other; failures lead to one kill node.
fn workflow(count: usize) -> Graph {
    const GROUP: usize = 7;
    let mut nodes: Vec<Node> = Vec::new();
    let mut edges = Vec::new();
    for group in 0..count / GROUP {
        let first = group * GROUP;
        let kinds = [
            Kind::Decision,
            Kind::Fork,
            Kind::Action,
            Kind::Action,
            Kind::Action,
            Kind::SubWorkflow,
            Kind::Join,
        ];
        nodes.extend(kinds.into_iter().enumerate().map(|(n, kind)| node(kind, format!("step-{group}-{n}"))));
        let label = |text: &str, edge: Edge| Edge { label: Some(text.to_owned()), ..edge };
        edges.push(label("wf:conf('full') eq 'true'", edge(first, first + 1, Line::Plain)));
        edges.push(label("default", edge(first, first + GROUP, Line::Plain)));
        for action in first + 2..first + 6 {
            edges.push(edge(first + 1, action, Line::Plain));
            edges.push(edge(action, first + 6, Line::Plain));
            edges.push(edge(action, usize::MAX, Line::Failure));
        }
        edges.push(edge(first + 6, first + GROUP, Line::Plain));
    }
    nodes.push(node(Kind::End, "done".to_owned()));
    nodes.push(node(Kind::Kill, "failed".to_owned()));
    let kill = nodes.len() - 1;
    edges.iter_mut().filter(|edge| edge.to == usize::MAX).for_each(|edge| edge.to = kill);
    graph(nodes, edges)
}

fn chain(count: usize) -> Graph {
    let mut nodes: Vec<Node> = (0..count).map(|n| node(Kind::Action, format!("step-{n}"))).collect();
    nodes.push(node(Kind::Kill, "failed".to_owned()));
    let on = (1..count).map(|n| edge(n - 1, n, Line::Plain));
    let failures = (0..count).map(|n| edge(n, count, Line::Failure));
    graph(nodes, on.chain(failures).collect())
}

fn random(count: usize, edges: usize) -> Graph {
    let mut state = 1_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let nodes = (0..count).map(|n| node(Kind::Action, format!("step-{n}"))).collect();
    let edges = (0..edges).map(|_| edge(next(count), next(count), Line::Plain)).collect();
    graph(nodes, edges)
}
