//! Payloads, mappings and loops.

use std::collections::BTreeMap;

use super::launch::{Launch, Source, launch, triggering_info};
use super::run::{Keys, MAX_PAYLOAD_KEYS, Run, Stage};
use crate::analysis::schedules::cycles::cycles;
use crate::model::schedule::{Notation, Program, ProgramKind, Schedule, Status, read};
use crate::source::Sources;
use crate::time::Instant;

fn schedules(text: &str) -> Vec<Schedule> {
    let text = format!("application = \"A\"\n{text}");
    let file = Sources::new().add("s", text.as_str());
    let (schedules, findings) = read(Notation::Toml, file, &text);
    assert!(findings.is_empty(), "{findings:?}");
    schedules
}

fn schedule(more: &str) -> Schedule {
    let trigger = "trigger = { all = [{ program = \"L/P\", status = \"failed\" }, { program = \"R/P\", status = \"failed\" }] }";
    schedules(&format!("[[schedule]]\nname = \"s\"\nrun = \"Q\"\n{trigger}\n{more}")).remove(0)
}

fn keys(pairs: &[(&str, &str)]) -> Keys {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn run(application: &str, arguments: &[(&str, &str)], token: &[(&str, &str)]) -> Run {
    let program = Program {
        namespace: "default".to_owned(),
        application: application.to_owned(),
        version: "-SNAPSHOT".to_owned(),
        kind: ProgramKind::Workflow,
        name: "P".to_owned(),
    };
    Run {
        id: format!("{application}#1"),
        program,
        status: Status::Failed,
        started: Instant::from_seconds(10),
        running: Instant::from_seconds(11),
        ended: Instant::from_millis(12_999),
        arguments: keys(arguments),
        token: keys(token),
        stages: BTreeMap::new(),
        chain: BTreeMap::new(),
    }
}

fn given(schedule: &Schedule, runs: &[&Run]) -> Launch {
    let sources: Vec<_> = runs.iter().map(|run| Source::Run(run)).collect();
    launch(schedule, &sources).expect("it is not too much")
}

#[test]
fn later_layers_win() {
    let run = run(
        "L",
        &[("a", "argument"), ("b", "argument"), ("stopTs", "argument")],
        &[("b", "token"), ("c", "token"), ("startTs", "token")],
    );
    let payload = run.payload();
    let of = |name: &str| payload.get(name).map(String::as_str);
    assert_eq!((of("a"), of("b"), of("c")), (Some("argument"), Some("token"), Some("token")));
    assert_eq!((of("stopTs"), of("runTs"), of("startTs")), (Some("12"), Some("11"), Some("token")));
    assert_eq!(
        (of("programRunId"), of("programRunStatus"), of("runcount")),
        (Some("L#1"), Some("FAILED"), Some("0"))
    );
    let schedule =
        schedule("arguments = { c = \"property\", d = \"property\" }\nmap = { d = \"b\", e = \"c\" }");
    let launch = given(&schedule, &[&run]);
    let of = |name: &str| (launch.arguments[name].as_str(), launch.origins[name].words());
    assert_eq!(of("b"), ("token", "handed on by L#1".to_owned()));
    assert_eq!(of("c"), ("property", "a property of the schedule".to_owned()));
    assert_eq!(of("d"), ("token", "mapped from `b` of L#1".to_owned()));
    assert_eq!(of("e"), ("token", "mapped from `c` of L#1".to_owned()));
}

#[test]
fn payloads_of_several_runs_are_joined_in_written_order() {
    let (left, right) =
        (run("L", &[("x", "left"), ("l", "1")], &[]), run("R", &[("x", "right"), ("r", "1")], &[]));
    let one = schedule("map = { of-left = { key = \"x\", of = \"L\" }, all = \"x\", none = \"y\" }");
    let launch = given(&one, &[&left, &right]);
    assert_eq!((launch.arguments["x"].as_str(), launch.arguments["l"].as_str()), ("right", "1"));
    assert_eq!((launch.arguments["of-left"].as_str(), launch.arguments["all"].as_str()), ("left", "right"));
    assert!(!launch.arguments.contains_key("none"));
    assert_eq!(launch.notes, ["`none` is omitted: no triggering run has `y`"]);
    assert_eq!(given(&one, &[&right, &left]).arguments["x"], "left");
}

#[test]
fn stages_give_what_they_captured_before_their_configuration() {
    let mut run = run("L", &[], &[]);
    let stage = Stage {
        captured: keys(&[("dir", "captured")]),
        configuration: keys(&[("dir", "conf"), ("out", "/out/1")]),
    };
    run.stages.insert("copy".to_owned(), stage);
    let schedule = schedule(
        "map = { a = { stage = \"copy\", key = \"dir\" }, b = { stage = \"copy\", key = \"out\" }, c = { stage = \"move\", key = \"out\" } }",
    );
    let launch = given(&schedule, &[&run]);
    assert_eq!((launch.arguments["a"].as_str(), launch.arguments["b"].as_str()), ("captured", "/out/1"));
    assert_eq!(launch.notes, ["`c` is omitted: action `move` of no triggering run has `out`"]);
}

#[test]
fn chains_count_runs_of_the_same_program() {
    let mut first = run("L", &[], &[]);
    let chain = given(&schedule(""), &[&first]).chain;
    assert_eq!(chain.get(&first.program), Some(&1));
    first.chain = chain;
    assert_eq!(first.payload()["runcount"], "1");
    assert_eq!(given(&schedule(""), &[&first]).chain.get(&first.program), Some(&2));
}

#[test]
fn values_are_data_and_have_a_limit() {
    let odd = run("L", &[("a", "${wf:id()}"), ("b", "../..;rm")], &[]);
    let launch = given(&schedule("map = { c = \"a\" }"), &[&odd]);
    assert_eq!((launch.arguments["c"].as_str(), launch.arguments["b"].as_str()), ("${wf:id()}", "../..;rm"));
    let mut many = run("L", &[], &[]);
    many.token = (0..MAX_PAYLOAD_KEYS).map(|index| (index.to_string(), String::new())).collect();
    let why = super::launch::launch(&schedule(""), &[Source::Run(&many)]).expect_err("it is too much");
    assert_eq!(why, "10006 keys; a run is given at most 10000");
    many.token = keys(&[("a", &"x".repeat(1 << 20))]);
    assert!(super::launch::launch(&schedule(""), &[Source::Run(&many)]).is_err());
}

#[test]
fn all_of_what_triggered_is_one_document() {
    let run = run("L", &[("a", "1")], &[("t", "2")]);
    let info = triggering_info(&schedule("arguments = { p = \"3\" }"), &[Source::Run(&run)]);
    let info: serde_json::Value = serde_json::from_str(&info).expect("JSON");
    assert_eq!((&info["schedule"], &info["properties"]["p"]), (&"A/s".into(), &"3".into()));
    assert_eq!(
        (&info["runs"][0]["arguments"]["a"], &info["runs"][0]["token"]["t"]),
        (&"1".into(), &"2".into())
    );
}

/// The loops of schedules that are written as `name: program trigger`.
fn loops(list: &[(&str, &str)]) -> Vec<(Vec<usize>, bool)> {
    let one = |(index, (run, trigger)): (usize, &(&str, &str))| {
        format!("[[schedule]]\nname = \"s{index}\"\nrun = \"{run}\"\ntrigger = {trigger}\n")
    };
    let text: String = list.iter().enumerate().map(one).collect();
    cycles(&schedules(&text)).into_iter().map(|cycle| (cycle.schedules, cycle.is_at_once)).collect()
}

#[test]
fn an_and_closes_a_loop_only_where_all_of_it_lies_in_the_loop() {
    let on = |program: &str| format!("{{ program = \"{program}\", status = \"COMPLETED\" }}");
    let all = |parts: &[String]| format!("{{ all = [{}] }}", parts.join(", "));
    let (a, both) = (on("P"), all(&[on("B"), on("C")]));
    let diamond = [("B", a.as_str()), ("C", a.as_str()), ("P", both.as_str())];
    assert_eq!(loops(&diamond), [(vec![0, 2], true)]);
    let outside = all(&[on("B"), on("Elsewhere")]);
    assert_eq!(loops(&[("B", &a), ("P", &outside)]), []);
    let either = format!("{{ any = [{}, {}] }}", on("B"), on("Elsewhere"));
    assert_eq!(loops(&[("B", &a), ("P", &either)]), [(vec![0, 1], true)]);
    let timed = all(&[on("B"), "{ cron = \"0 4 * * *\" }".to_owned()]);
    assert_eq!(loops(&[("B", &a), ("P", &timed)]), []);
}

#[test]
fn two_loops_are_told_apart() {
    let on = |program: &str, status: &str| format!("{{ program = \"{program}\", status = \"{status}\" }}");
    let list = [on("P", "COMPLETED"), on("B", "COMPLETED"), on("X", "FAILED")];
    assert_eq!(
        loops(&[("B", &list[0]), ("P", &list[1]), ("X", &list[2])]),
        [(vec![0, 1], true), (vec![2], false)]
    );
    let bounded = "{ program = \"P\", status = \"COMPLETED\", when = \"runcount < 5\" }";
    assert_eq!(loops(&[("P", bounded)]), []);
}
