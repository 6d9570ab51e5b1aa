//! Random operators over apps whose actions end in all ways: every simulation keeps what must hold (`--check`), and is
//! played to its end.
//!
//! `ANKUS_SEEDS=10000` plays so many, `ANKUS_SEED=7` one.

use serde_json::{Value, json};

use crate::support::graphs::Random;
use crate::support::server_plays::ServerPlay;

/// Seeds at the desk, and where time is no matter.
const SEEDS: (u64, u64) = (60, 2_000);

const BEGIN: &str = "2026-11-23T00:00Z";
const KILL: &str = r#"<kill name="k"><message>bad</message></kill><end name="end"/></workflow-app>"#;

fn action(name: &str, ok: &str) -> String {
    let java = "<java><main-class>x.A</main-class></java>";
    format!(r#"<action name="{name}">{java}<ok to="{ok}"/><error to="k"/></action>"#)
}

fn workflow(nodes: &str) -> String {
    format!(r#"<workflow-app name="w" xmlns="uri:oozie:workflow:1.0">{nodes}{KILL}"#)
}

/// The file of the app, all its files, the names of its actions, and the jobs that operators can name.
fn app(random: &mut Random) -> (&'static str, Value, Vec<&'static str>, Vec<String>) {
    let linear = workflow(&format!(r#"<start to="a"/>{}{}"#, action("a", "b"), action("b", "end")));
    let fork =
        r#"<start to="f"/><fork name="f"><path start="a"/><path start="b"/></fork><join name="j" to="end"/>"#;
    let fork = workflow(&format!("{fork}{}{}", action("a", "j"), action("b", "j")));
    let inner = "<sub-workflow><app-path>${base}/inner.xml</app-path></sub-workflow>";
    let inner = format!(r#"<action name="s">{inner}<ok to="b"/><error to="k"/></action>"#);
    let outer = workflow(&format!(r#"<start to="s"/>{inner}{}"#, action("b", "end")));
    let (own, below) = match random.below(3) {
        0 => (linear, false),
        1 => (fork, false),
        _ => (outer, true),
    };
    let inner = workflow(&format!(r#"<start to="a"/>{}"#, action("a", "end")));
    let controls = |random: &mut Random| {
        let execution = ["FIFO", "LIFO", "LAST_ONLY", "NONE"][random.below(4).min(random.below(4))];
        let concurrency = 1 + random.below(3);
        format!(
            "<controls><concurrency>{concurrency}</concurrency><execution>{execution}</execution></controls>"
        )
    };
    let mut coordinator = |name: &str| {
        let (days, controls) = (11 + random.below(4), controls(random));
        let head = format!(r#"<coordinator-app name="{name}" frequency="${{coord:days(1)}}" timezone="UTC""#);
        let times = format!(r#"start="2026-11-10T00:00Z" end="2026-11-{days}T00:00Z""#);
        let path = "<action><workflow><app-path>${base}/workflow.xml</app-path></workflow></action>";
        format!(r#"{head} {times} xmlns="uri:oozie:coordinator:0.5">{controls}{path}</coordinator-app>"#)
    };
    let (p, q) = (coordinator("p"), coordinator("q"));
    let child = |name: &str| {
        format!(r#"<coordinator name="{name}"><app-path>${{base}}/{name}.xml</app-path></coordinator>"#)
    };
    let bundle = format!(
        r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2">{}{}</bundle-app>"#,
        child("p"),
        child("q")
    );
    let files =
        json!({ "workflow.xml": own, "inner.xml": inner, "p.xml": p, "q.xml": q, "bundle.xml": bundle });
    let nodes = vec!["a", "b"];
    let workflows = |of: &str| -> Vec<String> {
        let own = (1..4).map(|number| format!("{of}@{number}"));
        own.flat_map(|job| [job.clone(), format!("{job}/s")])
            .filter(|job| below || !job.contains('/'))
            .collect()
    };
    match random.below(3) {
        0 => ("workflow.xml", files, nodes, if below { vec!["w/s".to_owned()] } else { Vec::new() }),
        1 => ("p.xml", files, nodes, workflows("p")),
        _ => {
            let jobs = ["p", "q"].map(str::to_owned).into_iter().chain(workflows("p"));
            ("bundle.xml", files, nodes, jobs.collect())
        }
    }
}

/// What is done with a job of a kind.
fn command(random: &mut Random, kind: &str) -> Value {
    let numbers = ["1", "2", "1-2", "2-3", "1-3"][random.below(5)];
    let dates = ["2026-11-10T00:00Z", "2026-11-10T00:00Z::2026-11-12T00:00Z"][random.below(2)];
    let flag = random.one_in(3);
    match (random.below(12), kind) {
        (0 | 1, _) => json!({ "command": "suspend" }),
        (2 | 3, _) => json!({ "command": "resume" }),
        (4, _) => json!({ "command": "kill" }),
        (5, "coordinator") => json!({ "command": "kill", "actions": numbers }),
        (6, "coordinator") => json!({ "command": "kill", "dates": dates }),
        (7, "coordinator") => json!({ "command": "ignore", "actions": numbers }),
        (8, "coordinator") => {
            json!({ "command": "change", "end": format!("2026-11-{}T00:00Z", 10 + random.below(6)) })
        }
        (9, "coordinator") => match random.below(4) {
            0 => json!({ "command": "change", "status": (["RUNNING", "IGNORED"][random.below(2)]) }),
            1 => json!({ "command": "change", "concurrency": (1 + random.below(3)) }),
            2 => json!({ "command": "change", "pause": format!("2026-11-23T0{}:00Z", random.below(4)) }),
            _ => json!({ "command": "change", "pause": "none" }),
        },
        (_, "coordinator") => json!({ "command": "rerun", "actions": numbers, "failed": flag }),
        (5, "bundle") => json!({ "command": "start" }),
        (6, "bundle") => {
            json!({ "command": "change", "pause": format!("2026-11-23T0{}:00Z", random.below(4)) })
        }
        (7, "bundle") => json!({ "command": "change", "pause": "none" }),
        (8, "bundle") => {
            json!({ "command": "change", "end": format!("2026-11-{}T00:00Z", 10 + random.below(6)) })
        }
        (9, "bundle") => json!({ "command": "rerun", "coordinators": ["p"] }),
        (_, "bundle") => json!({ "command": "rerun", "dates": dates }),
        (5 | 6, _) => json!({ "command": "rerun", "skip-nodes": (if flag { vec!["a"] } else { vec![] }) }),
        _ => json!({ "command": "rerun", "failed": true }),
    }
}

/// A play from a seed, with operators or without.
fn of(seed: u64, operated: bool) -> ServerPlay {
    let random = &mut Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let (app, files, nodes, jobs) = app(random);
    let mut actions = Vec::new();
    for node in nodes {
        for day in 10..13 {
            let ends = ["ok", "error", "failed", "transient", "non-transient"];
            let status = ends[random.below(5)];
            let mut rule = json!({ "node": node, "status": status });
            if matches!(status, "ok" | "error") {
                rule["duration"] = json!(1 + random.below(90));
            }
            if app != "workflow.xml" {
                rule["from"] = json!(format!("2026-11-{day}T00:00Z"));
                rule["to"] = json!(format!("2026-11-{}T00:00Z", day + 1));
            }
            if random.one_in(2) {
                rule["attempt"] = json!(1);
            }
            if random.one_in(2) && (app != "workflow.xml" || day == 10) {
                actions.push(rule);
            }
        }
    }
    let mut minute = 0;
    let operators = (0..1 + random.below(6)).map(|_| {
        minute += 1 + random.below(70);
        let job = jobs.get(random.below(jobs.len() + 1));
        let kind = match job {
            None => app.trim_end_matches(".xml"),
            Some(name) if name.contains(['@', '/']) => "workflow",
            Some(_) => "coordinator",
        };
        let mut operator = command(random, if kind == "p" { "coordinator" } else { kind });
        operator["at"] = json!(minute);
        if let Some(job) = job {
            operator["job"] = json!(job);
        }
        operator
    });
    let operators: Vec<Value> = operators.filter(|_| operated).collect();
    let play = json!({
        "name": format!("random-{seed}"), "app": app, "begin": BEGIN, "until": "2026-11-23T12:00Z", "files": files,
        "actions": actions, "operators": operators, "server": { "events": [], "final": {} },
    });
    serde_json::from_value(play).expect("a play")
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

#[test]
fn random_operators_keep_what_must_hold() {
    let thorough = std::env::var_os("ANKUS_THOROUGH").is_some();
    let count = number("ANKUS_SEEDS").unwrap_or(if thorough { SEEDS.1 } else { SEEDS.0 });
    let seeds = number("ANKUS_SEED").map_or(0..count, |seed| seed..seed + 1);
    let (mut faults, mut states) = (String::new(), 0);
    for seed in seeds {
        let play = of(seed, true);
        match play.simulate() {
            Ok(course) => states += course.states.len(),
            Err(words) => faults += &format!("ANKUS_SEED={seed}: {words}\n{}\n", play.scenario()),
        }
    }
    assert!(faults.is_empty(), "{faults}");
    assert!(states > 0, "nothing was played");
}

/// Whatever ends is forgotten after every event, or nothing ever is: not a byte of the simulation differs.
#[test]
fn what_the_engine_forgets_changes_nothing() {
    let thorough = std::env::var_os("ANKUS_THOROUGH").is_some();
    let count = number("ANKUS_SEEDS").unwrap_or(if thorough { SEEDS.1 } else { SEEDS.0 });
    let seeds = number("ANKUS_SEED").map_or(0..count, |seed| seed..seed + 1);
    let mut workflows = 0;
    for seed in seeds {
        let play = of(seed, false);
        let whole = play.forgetful(u64::MAX).expect("a simulation");
        let short = play.forgetful(1).expect("a simulation");
        assert!(whole == short, "ANKUS_SEED={seed}\n{whole}\n---\n{short}");
        workflows += whole.matches("Succeeded").count();
    }
    assert!(workflows > 0, "no workflow ended");
}

/// What the record drops for a summary is nothing that the summary speaks of.
#[test]
fn a_summary_misses_nothing_of_what_is_dropped() {
    let thorough = std::env::var_os("ANKUS_THOROUGH").is_some();
    let count = number("ANKUS_SEEDS").unwrap_or(if thorough { SEEDS.1 } else { SEEDS.0 });
    let seeds = number("ANKUS_SEED").map_or(0..count, |seed| seed..seed + 1);
    let mut dropped = 0;
    for seed in seeds {
        let play = of(seed, false);
        let (whole, all) = play.summary(false).expect("a simulation");
        let (short, kept) = play.summary(true).expect("a simulation");
        assert_eq!(whole, short, "ANKUS_SEED={seed}");
        dropped += all - kept;
    }
    assert!(dropped > 0, "nothing was dropped");
}
