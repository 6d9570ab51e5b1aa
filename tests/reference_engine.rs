//! Recorded answers of a server, reached through the engine: `fixtures/reference/input-logic`.

use crate::support;

use std::fs;
use std::sync::Arc;

use crate::support::engine::{Disk, Stage};
use crate::support::input_logic::{Case, cases};
use ankus::analysis::parameters::JobConf;
use ankus::engine::status::ActionStatus;
use ankus::engine::{Command, Conf, CoordinatorProgram, Event, JobId, Subject, Submission, Submit};
use ankus::plan::coordinator::{CoordinatorJob, Settings};
use ankus::time::{Instant, ProcessingZone};
use serde_json::{Value, json};

/// The coordinator; actions wait for as long as it takes.
fn job(case: &Case) -> Option<(CoordinatorJob, JobConf)> {
    let settings = Settings { default_timeout_minutes: -1, ..Settings::default() };
    let (mut job, conf) = case.submit(&settings).0?;
    job.timeout_minutes = -1;
    Some((job, conf))
}

/// A stage on which the first action of the job has begun to wait.
fn fresh(case: &Case, program: &Arc<CoordinatorProgram>) -> Stage {
    let mut stage = Stage::new();
    let created = case.properties.get("oracle.actual-time");
    let created = created.map(|text| ProcessingZone::UTC.parse_datetime(text).expect("a time").instant);
    stage.now = created.unwrap_or(program.job.start);
    stage.apps.coordinators.borrow_mut().insert("c".to_owned(), program.clone());
    let program = Submission::Coordinator("c".into());
    stage.must(Event::Submit(Submit::new(program, None, true)));
    stage
}

fn faults(case: &Case) -> Vec<String> {
    let mut faults = Vec::new();
    if case.expected.get("submit_error").is_some() {
        if job(case).is_some() {
            faults.push("accepted".to_owned());
        }
        return faults;
    }
    let Some((job, conf)) = job(case) else { return vec!["refused".to_owned()] };
    let program = CoordinatorProgram {
        job,
        conf: Arc::new(Conf::from(&conf.stored())),
        kept_outputs: Vec::new(),
        only: None,
    };
    let program = Arc::new(program);
    let id = JobId::coordinator(1);
    let subject = Subject::Action(ankus::engine::ActionId { coordinator: 1, number: 1 });
    let Some(expected) = case.expected["actions"][0]["steps"].as_array() else { return faults };
    let mut stage = fresh(case, &program);
    for (step, expected) in case.steps().zip(expected) {
        let mut words = step.split_whitespace();
        let waited: i64 = words.next().and_then(|word| word.parse().ok()).expect("minutes");
        let disk = Disk(words.map(str::to_owned).collect());
        let action = *stage.engine.coordinator(id).and_then(|job| job.action(1)).expect("an action");
        let base: Instant = action.nominal.max(action.created);
        stage.now = base.plus_minutes(waited);
        let looked = stage.engine.look(stage.now, subject, &disk).expect("a look");
        let said = stage.must(looked);
        let action = *stage.engine.coordinator(id).and_then(|job| job.action(1)).expect("an action");
        let satisfied = action.status == ActionStatus::Submitted;
        if expected["error"].is_object() {
            if satisfied {
                faults.push(format!("step `{step}`: satisfied instead of {}", expected["error"]));
            }
        } else {
            if expected["satisfied"] != satisfied {
                faults.push(format!("step `{step}`: satisfied {satisfied}, action {}", action.status));
            }
            let conf = said.iter().find_map(|command| match command {
                Command::PlanWorkflow { conf, .. } => Some(conf.clone()),
                _ => None,
            });
            if let (Some(conf), Some(wanted)) = (conf, expected["conf"].as_object()) {
                for (name, value) in wanted {
                    let found = json!(conf.raw(name));
                    if &found != value {
                        faults.push(format!("step `{step}`: {name} is {found}, not {value}"));
                    }
                }
            }
        }
        if action.status != ActionStatus::Waiting {
            stage = fresh(case, &program);
        }
    }
    faults
}

#[test]
fn input_logic_decides_in_the_engine_as_recorded() {
    let cases = cases();
    let mut all = Vec::new();
    for case in &cases {
        all.extend(faults(case).into_iter().map(|fault| format!("{}: {fault}", case.name)));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// A text as it stands in XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The actions of the recorded state `done`, one after the other; then a node that shows an expression.
fn chain(state: &Value, probe: &str) -> String {
    let action = |name: &str, ok: &str, error: &str| crate::support::engine::action(name, ok, error);
    let actions = state["actions"].as_array().map_or(0, Vec::len);
    let first = if actions == 0 { "probe" } else { "prep" };
    let mut nodes = format!("<start to=\"{first}\"/>");
    if actions > 0 {
        nodes += &action("prep", "fork1", "probe");
        nodes += r#"<fork name="fork1"><path start="mr"/><path start="mr2"/></fork>"#;
        nodes += &[action("mr", "join1", "probe"), action("mr2", "join1", "probe")].concat();
        nodes += r#"<join name="join1" to="pigkids"/>"#;
        nodes += &[action("pigkids", "bad", "probe"), action("bad", "probe", "with-dash")].concat();
        nodes += &[action("with-dash", "weird", "probe"), action("weird", "probe", "probe")].concat();
    }
    nodes + probe + r#"<end name="end"/>"#
}

/// What the expression gives in a job that has come into the state by events alone.
fn shown(state: &Value, expr: &str) -> Result<String, ()> {
    let asks = expr.contains("fs:");
    let exec = format!(
        r#"<action name="probe"><shell xmlns="uri:oozie:shell-action:0.3"><exec>{}</exec></shell><ok to="end"/>
<error to="end"/></action>"#,
        escaped(expr)
    );
    let kill = format!(r#"<kill name="probe"><message>{}</message></kill>"#, escaped(expr));
    let nodes = chain(state, if asks { &exec } else { &kill });
    let mut stage = Stage::new();
    let mut conf: Vec<(String, String)> = vec![
        ("user.name".to_owned(), "alice".to_owned()),
        ("oozie.wf.application.path".to_owned(), "hdfs://nn1:8020/apps/demo".to_owned()),
    ];
    conf.extend(state["group"].as_str().map(|group| ("group.name".to_owned(), group.to_owned())));
    let given = state["conf"].as_object().into_iter().flatten();
    conf.extend(given.map(|(name, value)| (name.clone(), value.as_str().expect("text").to_owned())));
    stage.add("w", &nodes);
    let planned = ankus::engine::PlannedWorkflow {
        program: "w".into(),
        name: "demo-wf".into(),
        conf: Some(Arc::new(Conf::new(conf))),
    };
    let program = Submission::Workflow(planned);
    let job = JobId::workflow(1);
    let mut said = stage.must(Event::Submit(Submit::new(program, None, true)));
    for action in state["actions"].as_array().into_iter().flatten() {
        let text = |name: &str| action[name].as_str().map(Arc::<str>::from);
        let name = action["name"].as_str().expect("a name");
        if name == "fork1" {
            continue;
        }
        let (node, attempt) = stage.node(job, name);
        let (external_id, tracker) = (text("external_id"), text("tracker_uri"));
        stage.must(Event::NodeStarted { node, attempt, external_id, tracker });
        let message = text("error_message").unwrap_or_default();
        let fault = text("error_code").map(|code| ankus::engine::Fault::new(&code, message));
        let end = ankus::engine::NodeEnd {
            ok: action["status"] == "OK",
            external_status: text("external_status"),
            fault,
            data: text("data"),
            stats: text("stats"),
            child_ids: text("child_ids"),
        };
        said = stage.must(Event::NodeEnded { node, attempt, end });
    }
    if asks {
        let files = state["files"].as_object().cloned().unwrap_or_default();
        let disk = Recorded(files.iter().map(|(path, length)| (path.clone(), length.as_i64())).collect());
        let subject = Subject::Node(stage.node(job, "probe").0);
        assert!(said.contains(&Command::Look(subject)), "{expr}: {said:?}");
        let looked = stage.engine.look(stage.now, subject, &disk).expect("a look");
        let said = stage.must(looked);
        let definition = said.iter().find_map(|command| match command {
            Command::StartNode { definition, .. } => Some(definition.clone()),
            _ => None,
        });
        let definition = definition.ok_or(())?;
        let (_, rest) = definition.split_once("<exec>").expect("an element");
        return Ok(rest.split_once("</exec>").expect("an element").0.to_owned());
    }
    let (node, _) = stage.node(job, "probe");
    let run = stage.engine.workflow(job).and_then(|job| job.node(node.node)).expect("a run");
    let fault = run.facts.as_ref().and_then(|facts| facts.fault.clone()).expect("a message");
    if &*fault.code == "E0756" { Err(()) } else { Ok(fault.message.to_string()) }
}

/// A file system of recorded files.
#[derive(Debug)]
struct Recorded(Vec<(String, Option<i64>)>);

impl ankus::plan::coordinator::Exists for Recorded {
    fn exists(&self, uri: &str) -> bool {
        self.0.iter().any(|(path, _)| path == uri)
    }
}

impl ankus::engine::Outside for Recorded {
    fn files(&self, _: &str) -> Vec<(String, Option<i64>)> {
        // More than was asked for does no harm.
        self.0.clone()
    }
}

#[test]
fn workflow_expressions_give_in_the_engine_what_was_recorded() {
    let text = fs::read_to_string(support::root().join("fixtures/reference/el/workflow-state.json"));
    let recorded: Value = serde_json::from_str(&text.expect("a file")).expect("JSON");
    let mut faults = Vec::new();
    let mut count = 0;
    for case in recorded["cases"].as_array().expect("cases") {
        let (state, expr) = (case["state"].as_str().expect("a state"), case["expr"].as_str().expect("text"));
        // No job that runs has nodes that failed or were killed, and none of ours has been run again or went from
        // `bad` to the recorded node.
        if state == "two-errors"
            || expr.contains("wf:run()") && state == "done"
            || expr.contains("transition('bad')")
        {
            continue;
        }
        // An action's element is evaluated as text, where `>` is `&gt;`.
        if expr.contains("fs:") && expr.contains('>') {
            continue;
        }
        count += 1;
        let found = shown(&recorded["states"][state], expr);
        let found = found.map(|value| value.replace("#Mon Jan 01 00:00:00 UTC 2024", "#<DATE>"));
        // The recorded answers come from an action named `current`.
        let found = found.map(|value| value.replace("-W@probe", "-W@current"));
        if found.as_deref().ok() != case["value"].as_str() {
            faults.push(format!("{state}: {expr}: {found:?} instead of {}", case["value"]));
        }
    }
    assert!(count >= 142, "{count} cases");
    assert!(faults.is_empty(), "{} of {count}\n{}", faults.len(), faults.join("\n"));
}
