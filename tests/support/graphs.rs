//! Workflows made of names alone, a generator of random ones, and the server's validator as a naive port.
//!
//! The port recurses and compares names, as `LiteWorkflowValidator` does; it is the yardstick, not the product.

use std::collections::BTreeMap;

use ankus::model::Dialect;
use ankus::model::workflow::{Action, Case, Node, NodeKind};
use ankus::model::{Namespace, Workflow};
use ankus::source::{Sources, Span, Text};

/// A workflow as names: where start goes, and each node's name, kind and targets.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    pub start: String,
    pub nodes: Vec<(String, &'static str, Vec<String>)>,
}

impl Sketch {
    pub fn to(start: &str) -> Sketch {
        Sketch { start: start.to_owned(), nodes: Vec::new() }
    }

    pub fn add(&mut self, name: impl Into<String>, kind: &'static str, targets: &[&str]) {
        self.nodes.push((name.into(), kind, targets.iter().map(|name| (*name).to_owned()).collect()));
    }

    /// The model of it; every node and transition has a place of its own, in document order.
    pub fn workflow(&self) -> Workflow {
        let file = Sources::new().add("workflow.xml", "");
        let mut at = 0;
        let mut text = |value: &str| {
            at += 1;
            Text::computed(value, Span::new(file, at..at))
        };
        let start = text(":start:");
        let to = text(&self.start);
        let mut nodes = vec![node(start, NodeKind::Start { to: Some(to) })];
        for (name, kind, targets) in &self.nodes {
            let name = text(name);
            let mut targets: Vec<Text> = targets.iter().map(|target| text(target)).collect();
            let kind = match *kind {
                "end" => NodeKind::End,
                "kill" => NodeKind::Kill { message: None, fails: false },
                "join" => NodeKind::Join { to: targets.pop() },
                "fork" => NodeKind::Fork { paths: targets },
                "decision" => {
                    let default = targets.pop();
                    let predicate = |number| Text::computed(format!("${{wf:run() eq {number}}}"), name.span);
                    let case = |(number, to)| Case { predicate: predicate(number), name: None, to: Some(to) };
                    NodeKind::Decision {
                        cases: (0..).zip(targets).map(case).collect(),
                        default,
                        default_name: None,
                    }
                }
                "action" => NodeKind::Action(Box::new(Action {
                    error: targets.pop(),
                    ok: targets.pop(),
                    credentials: None,
                    retry_max: None,
                    retry_interval: None,
                    retry_policy: None,
                    body: None,
                    sla: None,
                })),
                other => panic!("no kind {other}"),
            };
            nodes.push(node(name, kind));
        }
        let span = Span::new(file, 0..0);
        Workflow {
            dialect: Dialect::Oozie,
            span,
            name_span: span,
            namespace: Namespace { value: "uri:oozie:workflow:0.5".to_owned(), span, declaration: None },
            name: None,
            parameters: Vec::new(),
            global: None,
            credentials: Vec::new(),
            nodes,
            strangers: Vec::new(),
            transitions: Vec::new(),
            foreign: Vec::new(),
            defaults_without_name: Vec::new(),
            sla: None,
        }
    }
}

fn node(name: Text, kind: NodeKind) -> Node {
    Node { span: name.span, tag_span: name.span, name, kind }
}

/// What the server says of it: the code of its first complaint.
pub fn naive_verdict(sketch: &Sketch) -> Option<&'static str> {
    Server::build(sketch).and_then(|mut server| server.validate()).err()
}

type Verdict = Result<(), &'static str>;

struct Server {
    nodes: BTreeMap<String, (&'static str, Vec<String>)>,
    path: Vec<String>,
    checked: Vec<String>,
    forks: usize,
    joins: usize,
    join_to_fork: BTreeMap<String, String>,
    decision_above: BTreeMap<String, Option<String>>,
    visited: Vec<String>,
}

impl Server {
    fn build(sketch: &Sketch) -> Result<Server, &'static str> {
        let mut nodes = BTreeMap::new();
        nodes.insert(":start:".to_owned(), ("start", vec![sketch.start.clone()]));
        for (name, kind, targets) in &sketch.nodes {
            if nodes.contains_key(name) {
                return Err("E0705");
            }
            if targets.contains(name) {
                return Err("E0706");
            }
            nodes.insert(name.clone(), (*kind, targets.clone()));
        }
        Ok(Server {
            nodes,
            path: Vec::new(),
            checked: Vec::new(),
            forks: 0,
            joins: 0,
            join_to_fork: BTreeMap::new(),
            decision_above: BTreeMap::new(),
            visited: Vec::new(),
        })
    }

    fn validate(&mut self) -> Verdict {
        self.basic(":start:")?;
        if self.forks != self.joins {
            return Err("E0730");
        }
        self.fork_join(":start:", None, None, true)
    }

    fn basic(&mut self, name: &str) -> Verdict {
        let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let first = |c: char| c.is_ascii_alphabetic() || c == '_';
        if name != ":start:" && !(name.len() <= 128 && name.starts_with(first) && name.chars().all(legal)) {
            return Err("E0724");
        }
        let (kind, targets) = self.nodes[name].clone();
        match kind {
            "fork" => self.forks += 1,
            "join" => self.joins += 1,
            _ => {}
        }
        if self.path.iter().any(|above| above == name) {
            return Err("E0707");
        }
        self.path.push(name.to_owned());
        for target in targets {
            if !self.nodes.contains_key(&target) {
                return Err("E0708");
            }
            if !self.checked.contains(&target) {
                self.basic(&target)?;
                self.checked.push(target);
            }
        }
        self.path.pop();
        Ok(())
    }

    fn fork_join(&mut self, name: &str, fork: Option<&str>, decision: Option<&str>, ok: bool) -> Verdict {
        let (kind, targets) = self.nodes[name].clone();
        if ok && !["kill", "join", "end"].contains(&kind) {
            match self.decision_above.get(name) {
                None => {
                    self.decision_above.insert(name.to_owned(), decision.map(str::to_owned));
                }
                Some(above) if above.is_none() && decision.is_none() => return Err("E0743"),
                Some(above) if above.as_deref() != decision => return Err("E0743"),
                Some(_) => {}
            }
        }
        if self.visited.iter().any(|seen| seen == name) {
            return Ok(());
        }
        if kind != "join" && kind != "end" {
            self.visited.push(name.to_owned());
        }
        match kind {
            "fork" => {
                for target in &targets {
                    let counted = !["join", "kill"].contains(&self.nodes[target].0);
                    if counted && targets.iter().filter(|other| *other == target).count() > 1 {
                        return Err("E0744");
                    }
                }
                for target in &targets {
                    self.fork_join(target, Some(name), decision, ok)?;
                }
                let joins = self.join_to_fork.iter().filter(|(_, owner)| *owner == name);
                let joins: Vec<String> = joins.map(|(join, _)| join.clone()).collect();
                match &joins[..] {
                    [] => Err("E0733"),
                    [join] => {
                        let next = self.nodes[join].1[0].clone();
                        self.fork_join(&next, fork, decision, ok)
                    }
                    _ => Err("E0757"),
                }
            }
            "join" => {
                let Some(fork) = fork else { return Err("E0742") };
                let owner = self.join_to_fork.entry(name.to_owned()).or_insert(fork.to_owned());
                if owner == fork { Ok(()) } else { Err("E0758") }
            }
            "decision" => {
                let above = decision.unwrap_or(name);
                for target in &targets {
                    self.fork_join(target, fork, Some(above), ok)?;
                }
                Ok(())
            }
            "kill" => Ok(()),
            "end" => {
                if fork.is_some() {
                    return Err("E0737");
                }
                Ok(())
            }
            "action" => {
                self.fork_join(&targets[0], fork, decision, ok)?;
                self.fork_join(&targets[1], fork, decision, false)
            }
            _ => self.fork_join(&targets[0], fork, decision, ok),
        }
    }
}

/// A stream of numbers that depends on its seed alone (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// A random workflow: blocks put into each other that fit, then a few transitions bent.
pub fn random_sketch(seed: u64) -> Sketch {
    let mut random = Random(seed);
    let mut sketch = Sketch::default();
    let mut size = 2 + random.below(14);
    sketch.start = block(&mut sketch, &mut random, &mut size, "end", 0);
    let shuffle = random.one_in(2);
    if shuffle {
        for index in (1..sketch.nodes.len()).rev() {
            let other = random.below(index + 1);
            sketch.nodes.swap(index, other);
        }
    }
    sketch.add("k", "kill", &[]);
    sketch.add("end", "end", &[]);
    let bends = [0, 0, 1, 1, 2, 3][random.below(6)];
    for _ in 0..bends {
        let (from, to) = (random.below(sketch.nodes.len()), random.below(sketch.nodes.len()));
        let to = if random.one_in(20) { "gone".to_owned() } else { sketch.nodes[to].0.clone() };
        let count = sketch.nodes[from].2.len();
        if count > 0 {
            sketch.nodes[from].2[random.below(count)] = to;
        }
    }
    if random.one_in(40) {
        let (from, to) = (random.below(sketch.nodes.len()), random.below(sketch.nodes.len()));
        sketch.nodes[to].0 = sketch.nodes[from].0.clone();
    }
    sketch
}

/// Adds nodes that all lead to `next`; gives the first.
fn block(sketch: &mut Sketch, random: &mut Random, size: &mut usize, next: &str, depth: usize) -> String {
    let mut next = next.to_owned();
    for _ in 0..=random.below(3) {
        if *size == 0 {
            break;
        }
        *size -= 1;
        let name = format!("n{}", sketch.nodes.len());
        let shape = random.below(if depth > 3 { 4 } else { 8 });
        sketch.add(name.clone(), "action", &[]);
        let own = sketch.nodes.len() - 1;
        let any = sketch.nodes[random.below(own.max(1))].0.clone();
        match shape {
            0..=3 => {
                let error = match random.below(6) {
                    0 => next.clone(),
                    1 => any,
                    _ => "k".to_owned(),
                };
                sketch.nodes[own].2 = vec![next.clone(), error];
            }
            4 | 5 => {
                let ways = 2 + random.below(2);
                let mut targets = vec![next.clone()];
                for _ in 1..ways {
                    targets.push(block(sketch, random, size, &next, depth + 1));
                }
                targets.reverse();
                (sketch.nodes[own].1, sketch.nodes[own].2) = ("decision", targets);
            }
            _ => {
                let join = format!("j{}", sketch.nodes.len());
                sketch.add(join.clone(), "join", &[&next]);
                let ways = 2 + random.below(2);
                let targets = (0..ways).map(|_| block(sketch, random, size, &join, depth + 1)).collect();
                (sketch.nodes[own].1, sketch.nodes[own].2) = ("fork", targets);
            }
        }
        next = name;
    }
    next
}
