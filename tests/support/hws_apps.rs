//! Random definitions of `hadoop-workflow` with scenarios for them.

/// Numbers from a seed.
pub struct Numbers(u64);

impl Numbers {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below another.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}

/// An app and what happens to it.
pub struct HwsApp {
    /// Its definition.
    pub definition: String,
    /// A scenario.
    pub scenario: String,
    /// The names of its actions.
    pub actions: Vec<String>,
}

struct Writer {
    numbers: Numbers,
    nodes: Vec<String>,
    scenario: String,
    actions: Vec<String>,
    /// Whether branches may lead to `end`.
    ends_in_forks: bool,
}

/// A random app; with `ends_in_forks` branches of forks may lead to `end`.
pub fn random(seed: u64, ends_in_forks: bool) -> HwsApp {
    let numbers = Numbers::new(seed);
    let mut writer =
        Writer { numbers, nodes: Vec::new(), scenario: String::new(), actions: Vec::new(), ends_in_forks };
    let first = writer.blocks(3, "e", false);
    let mut nodes = writer.nodes;
    nodes.push(format!("<start to=\"{first}\"/>"));
    nodes.push("<end name=\"e\"/>".to_owned());
    nodes.push("<fail name=\"f\"><message>${wf:errorNode()}</message></fail>".to_owned());
    // Nodes stand in any order.
    for at in (1..nodes.len()).rev() {
        nodes.swap(at, writer.numbers.below(at as u64 + 1) as usize);
    }
    HwsApp {
        definition: format!("<hadoop-workflow name=\"w\">\n  {}\n</hadoop-workflow>\n", nodes.join("\n  ")),
        scenario: writer.scenario,
        actions: writer.actions,
    }
}

impl Writer {
    /// Some blocks one after the other, and what comes behind; the name of the first node.
    fn blocks(&mut self, depth: u64, next: &str, in_fork: bool) -> String {
        let count = 1 + self.numbers.below(2);
        let mut next = next.to_owned();
        for _ in 0..count {
            next = self.block(depth, &next, in_fork);
        }
        next
    }

    fn block(&mut self, depth: u64, next: &str, in_fork: bool) -> String {
        match self.numbers.below(4) {
            0 if depth > 0 => self.fork(depth - 1, next),
            1 if depth > 0 => self.decision(depth - 1, next, in_fork),
            _ => self.action(next, in_fork),
        }
    }

    fn name(&mut self, kind: &str) -> String {
        let number = self.nodes.len() + self.actions.len() + self.numbers.below(1_000) as usize * 1_000;
        format!("{kind}{number}")
    }

    fn action(&mut self, next: &str, in_fork: bool) -> String {
        let name = self.name("a");
        let error = match self.numbers.below(4) {
            0 => next,
            1 if in_fork && self.ends_in_forks => "e",
            _ => "f",
        };
        self.nodes.push(format!(
            "<ssh name=\"{name}\"><host>u@h</host><command>c</command><capture-output/><transition name=\"OK\" \
             to=\"{next}\"/><transition name=\"ERROR\" to=\"{error}\"/></ssh>"
        ));
        self.actions.push(name.clone());
        let (status, minutes, output) = match self.numbers.below(12) {
            0 => ("error", 1 + self.numbers.below(9), 0),
            _ => ("ok", 1 + self.numbers.below(9), self.numbers.below(3)),
        };
        self.scenario.push_str(&format!(
            "[[action]]\nnode = \"{name}\"\nduration = \"{minutes}m\"\nstatus = \"{status}\"\noutput = {{ n = \"{output}\" }}\n"
        ));
        name
    }

    /// An action, and a decision by what it wrote.
    fn decision(&mut self, depth: u64, next: &str, in_fork: bool) -> String {
        let (one, other) = (self.blocks(depth, next, in_fork), self.blocks(depth, next, in_fork));
        let name = self.name("d");
        let action = self.action(&name, in_fork);
        self.nodes.push(format!(
            "<decision name=\"{name}\"><eval name=\"ONE\">${{action:output('{action}', 'n') eq '1'}}</eval><eval name=\"TWO\">\
             ${{wf:exitState('{action}') eq 'OK' and action:output('{action}', 'n') eq '2'}}</eval><default name=\"REST\"/>\
             <transition name=\"ONE\" to=\"{one}\"/><transition name=\"TWO\" to=\"{other}\"/><transition name=\"REST\" \
             to=\"{next}\"/></decision>"
        ));
        action
    }

    fn fork(&mut self, depth: u64, next: &str) -> String {
        let (join, name) = (self.name("j"), self.name("s"));
        self.nodes.push(format!("<join name=\"{join}\"><transition to=\"{next}\"/></join>"));
        let branches = 2 + self.numbers.below(2);
        let paths: Vec<String> = (0..branches).map(|_| self.blocks(depth, &join, true)).collect();
        let paths: String = paths.iter().map(|to| format!("<transition to=\"{to}\"/>")).collect();
        self.nodes.push(format!("<fork name=\"{name}\">{paths}</fork>"));
        name
    }
}
