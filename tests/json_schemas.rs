//! `ankus schema`: what we write and read is what the schemas say.

use crate::support;
use std::path::{Path, PathBuf};

use crate::support::{ankus, ankus_with_input, folder_of, names_in, root};
use jsonschema::Validator;
use serde_json::Value;

/// The schema of this name, ready to judge.
pub fn validator(name: &str) -> Validator {
    let outcome = ankus(&["schema", name]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let schema: Value = serde_json::from_str(&outcome.out).expect("a schema is JSON");
    assert!(jsonschema::meta::is_valid(&schema), "{name} is a schema");
    let version = if name == "event" { 2 } else { 1 };
    assert_eq!(schema["$id"], format!("ankus:{name}:{version}"));
    jsonschema::validator_for(&schema).expect("the schema can be used")
}

/// A schema for a part of another.
fn part(name: &str, part: &str) -> Validator {
    let mut schema: Value = serde_json::from_str(&ankus(&["schema", name]).out).expect("a schema is JSON");
    let rest = schema.as_object_mut().expect("an object");
    rest.retain(|key, _| key.starts_with('$'));
    rest.insert("$ref".to_owned(), format!("#/$defs/{part}").into());
    jsonschema::validator_for(&schema).expect("the schema can be used")
}

fn faults(validator: &Validator, value: &Value) -> Vec<String> {
    validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// Panics unless a text is a document that the schema describes.
pub fn accept(validator: &Validator, text: &str, what: &str) {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{what}: {error}\n{text}"));
    let faults = faults(validator, &value);
    assert!(faults.is_empty(), "{what}: {}", faults.join("\n"));
}

/// The folders of all fixtures with apps.
fn apps() -> Vec<PathBuf> {
    let rules = root().join("fixtures/rules");
    let mut apps = vec![root().join("fixtures/demo"), root().join("fixtures/broken")];
    for rule in names_in(&rules) {
        apps.extend(names_in(&rules.join(&rule)).iter().map(|case| rules.join(&rule).join(case)));
    }
    apps
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn unknown_names_are_told() {
    let outcome = ankus(&["schema", "cofnig"]);
    assert!(outcome.code == 2 && outcome.err.contains("did you mean `config`?"), "{}", outcome.err);
}

#[test]
fn findings_are_as_described() {
    let (document, line) = (validator("check"), part("check", "finding"));
    for more in [&[][..], &["--statistics"]] {
        let mut arguments = vec!["check", "--format", "json", "fixtures/rules"];
        arguments.extend(more);
        accept(&document, &ankus(&arguments).out, "fixtures");
    }
    let lines = ankus(&["check", "--format", "jsonl", "fixtures/rules"]).out;
    assert!(lines.lines().count() > 50);
    for text in lines.lines() {
        accept(&line, text, "a line");
    }
    let workflow = "<!-- ankus: allow(transition-unknown) -->\n<workflow-app name=\"w\" \
                    xmlns=\"uri:oozie:workflow:0.5\"><start to=\"x\"/><end name=\"e\"/></workflow-app>";
    let folder = folder_of("json-schemas-hidden", &[("ankus.toml", ""), ("workflow.xml", workflow)]);
    let out = ankus(&["check", "--format", "json", &text(&folder)]).out;
    assert!(out.contains("\"suppressed\""), "{out}");
    accept(&document, &out, "with hidden findings");
}

#[test]
fn plans_are_as_described() {
    let (plan, check, line) = (validator("plan"), validator("check"), part("plan", "line"));
    let (mut plans, mut refused, mut lines) = (0, 0, 0);
    for app in apps() {
        let out = ankus(&["plan", "--format", "json", "--next", "2", &text(&app)]).out;
        if out.is_empty() {
            continue;
        }
        if out.starts_with("{\"version\":1,\"findings\"") {
            refused += 1;
            accept(&check, &out, &text(&app));
            continue;
        }
        plans += 1;
        accept(&plan, &out, &text(&app));
        let out = ankus(&["plan", "--format", "jsonl", "--next", "2", &text(&app)]).out;
        for text in out.lines().filter(|line| line.starts_with("{\"coordinator\"")) {
            lines += 1;
            accept(&line, text, "a line");
        }
    }
    assert!(plans > 20 && refused > 5 && lines > 1, "{plans} plans, {refused} refused, {lines} lines");
}

/// Of recorded coordinators and bundles as well, whose plans hold what the fixtures do not.
#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn plans_of_the_corpus_are_as_described() {
    let corpus = support::reference("corpus");
    let (plan, check) = (validator("plan"), validator("check"));
    let mut files = Vec::new();
    let mut open = vec![corpus];
    while let Some(folder) = open.pop() {
        for name in names_in(&folder) {
            let path = folder.join(&name);
            if path.is_dir() {
                open.push(path);
            } else if name.ends_with(".xml") || name.ends_with(".properties") {
                files.push(path);
            }
        }
    }
    let mut plans = 0;
    for file in files {
        let out =
            ankus(&["plan", "--format", "json", "--next", "1", "-D", "nameNode=hdfs://nn", &text(&file)]).out;
        if out.starts_with("{\"version\":1,\"findings\"") {
            accept(&check, &out, &text(&file));
        } else if !out.is_empty() {
            plans += 1;
            accept(&plan, &out, &text(&file));
        }
    }
    assert!(plans > 50, "{plans}");
}

#[test]
fn evaluations_are_as_described() {
    let validator = validator("eval");
    for template in
        ["${1 + 1}", "a${1}", "${1/2}", "${empty 1}", "${wf:conf('x')}", "${", "${nothing()}", "${wf:id("]
    {
        accept(&validator, &ankus(&["eval", "--format", "json", template]).out, template);
    }
    let input = "{\"expr\":\"${1}\"}\n{\"expr\":\"${\"}\nnonsense\n";
    let lines = ankus_with_input(&["eval", "--batch"], input).out;
    assert_eq!(lines.lines().count(), 3);
    lines.lines().for_each(|line| accept(&validator, line, line));
}

#[test]
fn occurrences_are_as_described() {
    let validator = validator("next");
    for frequency in ["0 10 * * *", "${coord:days(1)}", "61 * * * *", "", "${coord:nothing(1)}"] {
        let arguments =
            ["next", "--format", "json", "--start", "2024-01-01T00:00Z", "--count", "2", frequency];
        accept(&validator, &ankus(&arguments).out, frequency);
    }
}

#[test]
fn baselines_are_as_described() {
    let folder = folder_of("json-schemas-baseline", &[]);
    let path = folder.join("baseline.json");
    let outcome = ankus(&["check", "fixtures", "--write-baseline", &text(&path)]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    accept(&validator("baseline"), &std::fs::read_to_string(path).expect("it was written"), "the baseline");
}

#[test]
fn simulations_are_as_described() {
    let (revenue, late) = ("fixtures/simulate/revenue", "fixtures/simulate/revenue/late.toml");
    let run = |more: &[&str]| {
        let mut all = vec!["simulate", "-q", revenue, "--scenario", late, "--until", "2009-03-24T00:00Z"];
        all.extend(more);
        ankus(&all).out
    };
    let document = validator("simulation");
    accept(&document, &run(&["--format", "json"]), "a simulation");
    accept(&document, &ankus(&["simulate", "-q", "fixtures/demo", "--format", "json"]).out, "the demo");
    let line = validator("event");
    let lines = run(&["--format", "jsonl"]);
    assert!(lines.lines().count() > 5000);
    lines.lines().step_by(50).for_each(|text| accept(&line, text, "a line"));
    for action in ["hourlyRevenue-coord@1134", "dailyRollUpRevenue-coord@10", "hourlyRevenue-coord@459"] {
        accept(&part("simulation", "explanation"), &run(&["--explain", action, "--format", "json"]), action);
    }
    let other = run(&["--against", late, "--seed", "1", "--format", "json"]);
    accept(&part("simulation", "comparison"), &other, "nothing changes");
    let out = ankus(&["simulate", "-q", revenue, "--against", late, "--format", "json"]).out;
    accept(&part("simulation", "comparison"), &out, "something changes");
}

/// The program and the schema take and refuse the same scenarios, as far as the app does not decide.
#[test]
fn scenarios_are_as_described() {
    let validator = validator("scenario");
    let check = |scenario: &str, is_right: bool| {
        let table = scenario.parse::<toml::Table>().expect("it is TOML");
        let value = serde_json::to_value(table).expect("TOML is JSON");
        assert_eq!(validator.is_valid(&value), is_right, "the schema on\n{scenario}");
        let folder = folder_of("json-schemas-scenario", &[("s.toml", scenario)]);
        let path = text(&folder.join("s.toml"));
        let until = ["--until", "2009-02-01T09:00Z"];
        let mut arguments = vec!["simulate", "-q", "fixtures/simulate/revenue", "--scenario", &path];
        arguments.extend(until);
        let outcome = ankus(&arguments);
        assert_eq!(outcome.code == 0, is_right, "the program on\n{scenario}\n{}", outcome.err);
    };
    check("", true);
    let late =
        std::fs::read_to_string(root().join("fixtures/simulate/revenue/late.toml")).expect("it is there");
    check(&late, true);
    let page = std::fs::read_to_string(root().join("docs/simulate.md")).expect("the page is there");
    check(
        page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example"),
        true,
    );
    let operator = |rest: &str| format!("[[operator]]\nat = \"2009-02-02T00:00Z\"\n{rest}\n");
    check(&operator("command = \"submit\"\nstart = false\nexternal-id = \"x\""), true);
    check(
        &operator("command = \"change\"\njob = \"hourlyRevenue-coord\"\nconcurrency = -1\npause = \"none\""),
        true,
    );
    check(&operator("command = \"ignore\"\njob = \"hourlyRevenue-coord\"\nactions = \"1-3\""), true);
    check(&operator("command = \"rerun\"\ncoordinators = [\"hourlyRevenue-coord\"]\nrefresh = true"), true);
    check(
        &operator("command = \"rerun\"\njob = \"hourlyRevenue-coord@1\"\nskip-nodes = [\"calculate\"]"),
        true,
    );
    check("[[action]]\nstatus = \"ok\"\noutput = { a = \"1\" }\n", true);
    check("[[action]]\nchance = 1\nduration = { min = \"1s\", max = \"1h 30m\" }\n", true);
    check("[files]\na = 10\nb = \"folder\"\n", true);
    check("[files]\na = -1\n", false);
    check("seed = -1\n", false);
    check("sed = 1\n", false);
    check("begin = \"soon\"\n", false);
    check("[[data]]\ndataset = \"checkouts\"\n", false);
    check("[[data]]\ndelay = \"5m\"\n", false);
    check("[[data]]\ndataset = \"checkouts\"\ndelay = \"-5m\"\n", false);
    check("[[data]]\ndataset = \"checkouts\"\ndelay = \"5m\"\narrives = \"never\"\n", false);
    check("[[action]]\nnode = \"calculate\"\n", false);
    check("[[action]]\ncode = \"X\"\nduration = \"5m\"\n", false);
    check("[[action]]\nstatus = \"hangs\"\nduration = \"5m\"\n", false);
    check("[[action]]\nstatus = \"well\"\n", false);
    check("[[operator]]\ncommand = \"kill\"\n", false);
    check(&operator("command = \"stop\""), false);
}

/// The program and the schema take and refuse the same files.
#[test]
fn configurations_are_as_described() {
    let validator = validator("config");
    let check = |config: &str, is_right: bool| {
        let value: Value = toml::from_str::<toml::Table>(config)
            .map(|table| serde_json::to_value(table).expect("TOML is JSON"))
            .expect("it is TOML");
        assert_eq!(validator.is_valid(&value), is_right, "the schema on\n{config}");
        let datasets = ("datasets.xml", "<datasets/>");
        let folder = folder_of("json-schemas-config", &[("ankus.toml", config), datasets]);
        let outcome = ankus(&["check", &text(&folder)]);
        assert_eq!(outcome.code == 0, is_right, "the program on\n{config}\n{}", outcome.err);
    };
    check("", true);
    check(
        r#"version = "5.2"
processing-timezone = "GMT+0530"
user = "joe"
[paths]
"hdfs://nn" = "apps"
[profiles.prod]
properties = ["a.properties"]
define = { a = "b" }
[check]
select = ["all"]
ignore = ["el", "fork-single-path"]
exclude = ["x/"]
[check.severity]
node-unreachable = "off"
[[check.override]]
paths = ["legacy/"]
select = ["node"]
ignore = ["fork"]
severity = { el-syntax = "info" }
"#,
        true,
    );
    for (entry, is_right) in [
        ("\"data\"", true),
        ("{ webhdfs = \"http://nn:9870\" }", true),
        ("{ webhdfs = \"https://nn:9870/below\", user = \"joe\" }", true),
        ("{ hdfs = true }", true),
        ("{ s3 = \"bucket/below\" }", true),
        ("{ gcs = \"bucket\" }", true),
        ("{ azure = \"container\" }", true),
        ("1", false),
        ("{}", false),
        ("{ hdfs = false }", false),
        ("{ webhdfs = \"nn:9870\" }", false),
        ("{ webhdfs = \"http:///x\" }", false),
        ("{ s3 = \"b\", gcs = \"b\" }", false),
        ("{ s3 = \"b\", user = \"joe\" }", false),
        ("{ s3 = \"s3://b\" }", false),
        ("{ memory = true }", false),
    ] {
        check(&format!("[storage]\n\"hdfs://nn\" = {entry}\n"), is_right);
    }
    check("[server]\nstates-without-error = true\nparallel-fork-start = false\naction-retries = 0\n", true);
    check("[server]\ndefault-timeout = -1\ndefault-concurrency = 3\n", true);
    check("[server]\nnone-tolerance = -1\n", false);
    check("[server]\nparallel-fork-start = 1\n", false);
    check("[server]\nparallel-forks = true\n", false);
    check("versoin = \"5.2\"\n", false);
    check("user = 1\n", false);
    check("[check]\nselect = \"all\"\n", false);
    check("[check]\nbase = \"x\"\n", false);
    check("[check.severity]\nel-syntax = \"fatal\"\n", false);
    check("[[check.override]]\nignore = []\n", false);
    check("[profiles.a]\nproperty = []\n", false);
    check("[paths]\na = 1\n", false);
}

#[test]
fn small_answers_are_as_described() {
    let check = |schema: &str, arguments: &[&str]| {
        let outcome = ankus(arguments);
        accept(&validator(schema), &outcome.out, &format!("{arguments:?} {}", outcome.err));
    };
    check("rules", &["rules", "--format", "json"]);
    check("timezones", &["timezones", "europe", "--format", "json", "--now", "2024-07-01"]);
    check("convert", &["convert", "2024-01-01T10:00Z", "--to", "America/New_York", "--format", "json"]);
    for local in ["2024-03-10T02:30", "2024-11-03T01:30"] {
        check("convert", &["convert", local, "--from", "America/New_York", "--format", "json"]);
    }
    for name in ["nameNode", "input", "nope"] {
        check("explain-value", &["plan", "fixtures/demo", "--explain-value", name, "--format", "json"]);
    }
}

/// One event of each kind, whatever it may hold, as lines show it.
#[test]
fn every_kind_of_event_is_as_described() {
    use ankus::engine::{
        ActionId, ActionsRerun, BundleRerun, Change, Conf, During, Event, Facts, Fault, JobId, NodeEnd,
        NodeId, Parent, PlannedWorkflow, Scope, Subject, Submission, Submit, Trouble, TroubleKind,
        WorkflowRerun, status::JobStatus,
    };
    use ankus::time::{Instant, ProcessingZone};
    let (workflow, coordinator, bundle) = (JobId::workflow(3), JobId::coordinator(2), JobId::bundle(1));
    let (action, node) = (ActionId { coordinator: 2, number: 7 }, NodeId { workflow: 3, node: 1 });
    let conf = Conf::new([("a", "1"), ("b.c", "")]);
    let planned =
        PlannedWorkflow { program: "key".into(), name: "w".into(), conf: Some(conf.clone().into()) };
    let fault = Fault::new("JA018", "it failed");
    let submit = |program| Event::Submit(Submit::new(program, Some("mine".into()), true));
    let scopes = || [Scope::Numbers("1,3-5".into()), Scope::Dates("2024-01-01T00:00Z".into())];
    let at = Instant::from_seconds(1_704_067_201);
    let mut events = vec![
        submit(Submission::Workflow(planned.clone())),
        submit(Submission::Coordinator("c".into())),
        submit(Submission::Bundle("b".into())),
        Event::Start(workflow),
        Event::Suspend(coordinator),
        Event::Resume(bundle),
        Event::Kill(workflow),
        Event::Change(coordinator, Change { end: Some(at), concurrency: Some(2), ..Change::default() }),
        Event::Change(
            bundle,
            Change { pause: Some(None), status: Some(JobStatus::Ignored), ..Change::default() },
        ),
        Event::Change(coordinator, Change { pause: Some(Some(at)), ..Change::default() }),
        Event::RerunWorkflow(workflow, WorkflowRerun::default()),
        Event::RerunWorkflow(
            workflow,
            WorkflowRerun {
                skip: Some(vec!["a".into()]),
                failed: true,
                conf: Some(conf.clone()),
                program: Some("new".into()),
            },
        ),
        Event::RerunBundle(bundle, BundleRerun::default()),
        Event::RerunBundle(
            bundle,
            BundleRerun { coordinators: vec!["c".into()], dates: Some("d".into()), ..BundleRerun::default() },
        ),
        Event::Tick,
        Event::ClockSet { millis: -3_600_000 },
        Event::CoordinatorPlanned { bundle, child: 0, outcome: Ok("c".into()) },
        Event::CoordinatorPlanned { bundle, child: 1, outcome: Err(fault.clone()) },
        Event::WorkflowPlanned { parent: Parent::Action(action), outcome: Ok(planned) },
        Event::WorkflowPlanned { parent: Parent::Node(node), outcome: Err(fault.clone()) },
        Event::Looked { subject: Subject::Action(action), facts: Facts::default() },
        Event::Looked {
            subject: Subject::Node(node),
            facts: Facts {
                found: 2,
                uris: vec!["hdfs://nn/a".into()],
                files: vec![("/a".into(), Some(3)), ("/b".into(), None)],
                blocks: vec![("/a".into(), 128)],
            },
        },
        Event::NodeStarted { node, attempt: 1, external_id: None, tracker: None },
        Event::NodeStarted { node, attempt: 2, external_id: Some("x".into()), tracker: Some("t".into()) },
        Event::NodeEnded { node, attempt: 1, end: NodeEnd { ok: true, ..NodeEnd::default() } },
        Event::NodeEnded {
            node,
            attempt: 1,
            end: NodeEnd {
                ok: false,
                external_status: Some("KILLED".into()),
                fault: Some(fault.clone()),
                data: Some("a=b".into()),
                stats: Some("{}".into()),
                child_ids: Some("1,2".into()),
            },
        },
        Event::NodeKilled { node, attempt: 1, fault: None },
        Event::NodeKilled { node, attempt: 1, fault: Some(fault.clone()) },
    ];
    for scope in scopes() {
        events.push(Event::RerunActions(
            coordinator,
            ActionsRerun { conf: Some(conf.clone()), ..ActionsRerun::of(scope.clone()) },
        ));
        events.push(Event::KillActions(coordinator, scope.clone()));
        events.push(Event::IgnoreActions(coordinator, scope));
    }
    for kind in [TroubleKind::Transient, TroubleKind::NonTransient, TroubleKind::Error, TroubleKind::Failed] {
        for during in [During::Start, During::Check, During::End] {
            let trouble = Trouble { kind, during, fault: fault.clone() };
            events.push(Event::NodeTrouble { node, attempt: 1, trouble });
        }
    }
    let schema: Value = serde_json::from_str(&ankus(&["schema", "event"]).out).expect("a schema is JSON");
    let described = schema["$defs"]["event"]["oneOf"].as_array().expect("kinds of events");
    let mut kinds: Vec<_> =
        described.iter().filter_map(|kind| kind["properties"]["kind"]["const"].as_str()).collect();
    let form = part("event", "event");
    let mut shown = std::collections::BTreeSet::new();
    for event in &events {
        let mut text = String::new();
        ankus::report::event_form::write(event, ProcessingZone::UTC, &mut text);
        accept(&form, &text, &format!("{event:?}"));
        let value: Value = serde_json::from_str(&text).expect("JSON");
        shown.insert(value["kind"].as_str().expect("a kind").to_owned());
    }
    kinds.sort_unstable();
    assert_eq!(shown.iter().map(String::as_str).collect::<Vec<_>>(), kinds);
}
