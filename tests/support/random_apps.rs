//! Random small apps: workflows with forks, decisions, retries and sub-workflows; coordinators with data, input logic
//! and policies; bundles. What a server would refuse at submission is not among them; what fails later is.

use std::sync::Arc;

use ankus::engine::{BundleProgram, ChildProgram, Conf, Fault};

use super::coordinator::app_xml_around;
use super::engine::{Apps, coordinator_program, minute, program, workflow_xml};
use super::graphs::Random;

/// Where the workflows lie; the last leads to itself.
pub const WORKFLOWS: [&str; 4] = ["hdfs://nn/w0", "hdfs://nn/w1", "hdfs://nn/w2", "hdfs://nn/self"];
/// A path at which nothing lies.
pub const NOTHING: &str = "hdfs://nn/none";
/// The keys of the coordinators.
pub const COORDINATORS: [&str; 3] = ["c0", "c1", "c2"];
/// The keys of the bundles.
pub const BUNDLES: [&str; 2] = ["b0", "b1"];
/// A path that is nothing, a folder or a file.
pub const FLAG: &str = "hdfs://nn/flag";

/// A service level that counts from this time; `start` minutes until the start.
fn level(nominal: &str, start: &str) -> String {
    format!(
        "<sla:info><sla:nominal-time>{nominal}</sla:nominal-time><sla:should-start>{start}</sla:should-start>\
         <sla:should-end>90</sla:should-end><sla:max-duration>40</sla:max-duration></sla:info>"
    )
}

fn pick<'a>(random: &mut Random, all: &[&'a str]) -> &'a str {
    all[random.below(all.len())]
}

struct Writer<'r> {
    random: &'r mut Random,
    gentle: bool,
    nodes: String,
    count: usize,
}

impl Writer<'_> {
    fn name(&mut self, letter: &str) -> String {
        self.count += 1;
        format!("{letter}{}", self.count)
    }

    /// Nodes one after the other; the name of the first.
    fn block(&mut self, next: &str, depth: usize) -> String {
        let mut to = next.to_owned();
        for _ in 0..=self.random.below(3 - depth) {
            to = match self.random.below(11) {
                0..=5 => self.action(&to),
                6 | 7 => self.decision(&to, depth),
                8 | 9 if depth < 2 => self.fork(&to, depth),
                8 | 9 => self.action(&to),
                _ => self.sub(&to),
            };
        }
        to
    }

    fn action(&mut self, to: &str) -> String {
        let name = self.name("a");
        let retries = [
            "",
            r#"retry-max="3" retry-interval="1""#,
            r#"retry-max="2" retry-interval="3""#,
            r#"retry-max="9" retry-policy="exponential""#,
        ];
        let retries = pick(self.random, &retries);
        let error = pick(self.random, &["fail", "fail", to]);
        let execs = [
            "x",
            "x",
            "${wf:id()}",
            "${wf:actionData('a1')['x']}",
            "${fs:exists('hdfs://nn/flag')}",
            "${lost}",
        ];
        let exec = pick(self.random, if self.gentle { &execs[..3] } else { &execs });
        let level = if self.random.one_in(8) { level("2024-01-01T01:00Z", "30") } else { String::new() };
        self.nodes += &format!(
            r#"<action name="{name}" {retries}><shell xmlns="uri:oozie:shell-action:0.3"><exec>{exec}</exec></shell>
<ok to="{to}"/><error to="{error}"/>{level}</action>"#
        );
        name
    }

    fn sub(&mut self, to: &str) -> String {
        let name = self.name("s");
        let paths = [WORKFLOWS[0], WORKFLOWS[0], WORKFLOWS[1], WORKFLOWS[3], NOTHING];
        let path = pick(self.random, if self.gentle { &paths[..3] } else { &paths });
        let more = pick(self.random, &["", "<propagate-configuration/>"]);
        self.nodes += &format!(
            r#"<action name="{name}"><sub-workflow><app-path>{path}</app-path>{more}</sub-workflow>
<ok to="{to}"/><error to="fail"/></action>"#
        );
        name
    }

    fn decision(&mut self, to: &str, depth: usize) -> String {
        let name = self.name("d");
        let cases = [
            "${wf:run() eq 0}",
            "${wf:conf('p') eq '1'}",
            "${fs:exists('hdfs://nn/flag')}",
            // An error while the flag is a folder.
            "${(5 % fs:fileSize('hdfs://nn/flag')) ge 0}",
            "${lost}",
        ];
        let case = pick(self.random, if self.gentle { &cases[..3] } else { &cases });
        let taken = if depth < 2 { self.block(to, depth + 1) } else { self.action(to) };
        self.nodes += &format!(
            r#"<decision name="{name}"><switch><case to="{taken}">{case}</case><default to="{to}"/></switch></decision>"#
        );
        name
    }

    fn fork(&mut self, to: &str, depth: usize) -> String {
        let (fork, join) = (self.name("f"), self.name("j"));
        let paths = 2 + self.random.below(2);
        let paths: Vec<String> =
            (0..paths).map(|_| format!(r#"<path start="{}"/>"#, self.block(&join, depth + 1))).collect();
        let paths = paths.concat();
        self.nodes += &format!(r#"<fork name="{fork}">{paths}</fork><join name="{join}" to="{to}"/>"#);
        fork
    }
}

fn workflow(random: &mut Random, gentle: bool) -> String {
    let mut writer = Writer { random, gentle, nodes: String::new(), count: 0 };
    let first = writer.block("end", 0);
    let Writer { random, nodes, .. } = writer;
    let message = pick(random, &["failed", "${wf:lastErrorNode()}", "${lost}"]);
    let own = if random.one_in(4) { level("2024-01-01T00:00Z", "20") } else { String::new() };
    workflow_xml(&format!(
        r#"<start to="{first}"/>{nodes}<kill name="fail"><message>{message}</message></kill><end name="end"/>{own}"#
    ))
}

/// A workflow that runs itself below itself, behind an action.
fn itself() -> String {
    workflow_xml(
        r#"<start to="a1"/><action name="a1"><shell xmlns="uri:oozie:shell-action:0.3"><exec>x</exec></shell>
<ok to="s"/><error to="fail"/></action><action name="s"><sub-workflow><app-path>hdfs://nn/self</app-path>
<propagate-configuration/></sub-workflow><ok to="end"/><error to="fail"/></action>
<kill name="fail"><message>failed</message></kill><end name="end"/>"#,
    )
}

fn dataset(name: &str) -> String {
    format!(
        r#"<dataset name="{name}" frequency="${{coord:hours(1)}}" initial-instance="2023-12-31T00:00Z" timezone="UTC">
<uri-template>hdfs://nn/{name}/${{YEAR}}${{MONTH}}${{DAY}}${{HOUR}}</uri-template><done-flag></done-flag></dataset>"#
    )
}

fn coordinator(random: &mut Random, gentle: bool) -> String {
    // One in eight is late in the day, where its service level stops being a number: see below.
    let breaks = random.one_in(8) && !gentle;
    let start = if breaks { 19 } else { random.below(5) };
    let end = if breaks { 23 } else { start + 1 + random.below(7) };
    let frequency = pick(random, &["${coord:hours(1)}", "${coord:hours(1)}", "30", "0 * * * *"]);
    let attributes = format!(
        r#"frequency="{frequency}" start="2024-01-01T{start:02}:00Z" end="2024-01-01T{end:02}:00Z" timezone="UTC""#
    );
    let timeout = pick(random, &["-1", "-1", "0", "20", "90"]);
    let concurrency = pick(random, &["1", "1", "2", "3", "0", "-1"]);
    let throttle = pick(random, &["1", "2", "3", "12"]);
    let execution = pick(random, &["FIFO", "FIFO", "LIFO", "LAST_ONLY", "NONE"]);
    let controls = format!(
        "<controls><timeout>{timeout}</timeout><concurrency>{concurrency}</concurrency><execution>{execution}</execution>\
         <throttle>{throttle}</throttle></controls>"
    );
    let data = format!("<datasets>{}{}</datasets>", dataset("d"), dataset("e"));
    let input = |name: &str, dataset: &str, instance: &str| {
        format!(
            r#"<data-in name="{name}" dataset="{dataset}"><instance>${{coord:{instance}}}</instance></data-in>"#
        )
    };
    let events = |inner: &str| format!("<input-events>{inner}</input-events>");
    let inputs = match random.below(8) {
        0..=2 => String::new(),
        3 | 4 => events(&input("i", "d", "current(0)")),
        5 => events(&(input("i", "d", "latest(-1)") + &input("k", "e", "current(0)"))),
        6 => events(&input("i", "d", "future(1, 4)")),
        _ => {
            let inner = input("i", "d", "current(0)") + &input("k", "e", "current(0)");
            let logic = r#"<input-logic><or name="o"><data-in dataset="i"/><data-in dataset="k"/></or></input-logic>"#;
            events(&inner) + logic
        }
    };
    let outputs = format!(
        "<output-events>{}</output-events>",
        input("out", "e", "current(2)").replace("data-in", "data-out")
    );
    let paths = [WORKFLOWS[0], WORKFLOWS[1], WORKFLOWS[2], WORKFLOWS[2], NOTHING];
    let path = pick(random, if gentle { &paths[..4] } else { &paths });
    // A property without a value passes a submission and is missed when an action starts.
    let values = ["${coord:nominalTime()}", "${coord:nominalTime()}", "${p}", "${hollow}"];
    let value = pick(random, if gentle { &values[..3] } else { &values });
    let configuration =
        format!("<configuration><property><name>p</name><value>{value}</value></property></configuration>");
    let info = match (breaks, random.below(6)) {
        // Above 2,147,483,647 it is no whole number of minutes, which ends the creation of actions at 21:00.
        (true, _) => {
            level("${coord:nominalTime()}", "${coord:formatTime(coord:nominalTime(), 'HH')}47483648")
        }
        (_, 0 | 1) => level("${coord:nominalTime()}", "20"),
        (_, 2) if random.one_in(3) && !gentle => level("${coord:nominalTime()}", "soon"),
        _ => String::new(),
    };
    let action =
        format!("<action><workflow><app-path>{path}</app-path>{configuration}</workflow>{info}</action>");
    app_xml_around(&attributes, &[controls, data, inputs, outputs, action].concat())
}

fn bundle(random: &mut Random, hard: bool, gentle: bool) -> BundleProgram {
    let child =
        |name: &str, critical: bool, enabled: bool| ChildProgram { name: name.into(), critical, enabled };
    let keys = [COORDINATORS[0], COORDINATORS[1], COORDINATORS[2], "unknown"];
    let children: Vec<ChildProgram> = if hard {
        // A refusal that does no harm, and later one that does.
        let order = [["unknown", "c0", "lost"], ["c0", "lost", "unknown"]][random.below(2)];
        order.iter().map(|name| child(name, *name == "lost", true)).collect()
    } else {
        let count = 1 + random.below(3);
        let keys = if gentle { &keys[..3] } else { &keys };
        (0..count).map(|_| child(pick(random, keys), random.one_in(3), !random.one_in(8))).collect()
    };
    let kick_off = random.one_in(3).then(|| minute(random.below(200) as i64));
    let none = children.iter().all(|child| !child.enabled);
    let fault = (none || !gentle && random.one_in(10)).then(|| Fault::new("E1318", "nobody is enabled"));
    BundleProgram { name: "b".into(), kick_off, children, fault, conf: Conf::default() }
}

/// Apps under the keys above. In gentle ones little fails by itself.
pub fn apps(random: &mut Random, gentle: bool) -> Apps {
    let apps = Apps::default();
    for key in WORKFLOWS {
        let text = if key == WORKFLOWS[3] { itself() } else { workflow(random, gentle) };
        apps.workflows.borrow_mut().insert(key.to_owned(), Arc::new(program(&text, None)));
    }
    for key in COORDINATORS {
        let conf: &[(&str, &str)] = if random.one_in(3) && !gentle {
            &[
                ("p", "1"),
                ("hollow", ""),
                ("oozie.suspend.on.nodes", "a1,j3"),
                ("oozie.coord.action.notification.url", "http://h/$actionId/$status"),
            ]
        } else {
            &[("p", "1"), ("hollow", "")]
        };
        let program = coordinator_program(&coordinator(random, gentle), conf);
        apps.coordinators.borrow_mut().insert(key.to_owned(), Arc::new(program));
    }
    for (key, hard) in BUNDLES.into_iter().zip([false, true]) {
        apps.bundles.borrow_mut().insert(key.to_owned(), Arc::new(bundle(random, hard, gentle)));
    }
    apps
}
