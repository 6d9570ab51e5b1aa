//! `ankus simulate`: the pipeline of specification 004, 6.2, over three months; explanations, comparisons, formats.

use crate::support::{ankus, expect_file, folder_of, root};

const REVENUE: &str = "fixtures/simulate/revenue";
const LATE: &str = "fixtures/simulate/revenue/late.toml";

fn simulate(more: &[&str]) -> String {
    let mut arguments = vec!["simulate", "-q", REVENUE, "--check"];
    arguments.extend(more);
    let outcome = ankus(&arguments);
    assert_eq!((outcome.code, outcome.err.as_str()), (0, ""), "{}", outcome.out);
    outcome.out
}

fn snapshot(name: &str, text: &str) {
    expect_file(&root().join("snapshots/simulate").join(name), text)
        .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn the_pipeline_of_the_specification_plays_through() {
    snapshot("revenue.txt", &simulate(&[]));
}

#[test]
fn late_data_failures_and_operators_show() {
    snapshot("revenue-late.txt", &simulate(&["--scenario", LATE]));
}

#[test]
fn a_wait_is_explained() {
    let text = [
        "dailyRollUpRevenue-coord@49",
        "hourlyRevenue-coord@1134",
        "hourlyRevenue-coord@459",
        "0000002-C@1509",
    ]
    .map(|action| simulate(&["--scenario", LATE, "--explain", action]));
    snapshot("revenue-explain.txt", &text.concat());
    let refused = |action: &str| {
        let outcome = ankus(&["simulate", "-q", REVENUE, "--explain", action]);
        assert_eq!(outcome.code, 2);
        outcome.err
    };
    assert!(refused("hourlyRevenue@1").contains("there is no coordinator `hourlyRevenue`"));
    assert!(refused("hourlyRevenue-cord@1").contains("did you mean `hourlyRevenue-coord`?"));
    assert!(refused("hourlyRevenue-coord@3000").contains("no action 3000; it has 2136"));
    assert!(refused("hourlyRevenue-coord").contains("names no action"));
}

#[test]
fn two_scenarios_are_compared() {
    snapshot("revenue-against.txt", &simulate(&["--against", LATE]));
    let nothing = simulate(&["--scenario", LATE, "--against", LATE]);
    assert!(
        nothing.starts_with("of 2230 actions, 0 end in another state, 0 end later and 0 earlier"),
        "{nothing}"
    );
}

#[test]
fn the_same_gives_the_same_bytes_and_another_seed_other_times() {
    let play = |seed| simulate(&["--scenario", LATE, "--format", "json", "--seed", seed]);
    let first = play("5");
    assert!(first == play("5"));
    // Only the two hours whose data are drawn differ, and what waits for them.
    let other = play("6");
    let differ = first.lines().zip(other.lines()).filter(|(one, other)| one != other).count();
    assert!((2..12).contains(&differ), "{differ} lines differ");
}

#[test]
fn a_simulation_ends_where_it_is_told_to() {
    let text = simulate(&["--until", "2009-02-03T10:03Z"]);
    assert!(text.contains("not played to its end"), "{text}");
    assert!(text.contains("hourlyRevenue-coord@51 is RUNNING: `calculate` has not ended"), "{text}");
    let outcome = ankus(&["simulate", "-q", REVENUE, "--until", "2009-01-01T00:00Z"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.err.contains("lies before the beginning"), "{}", outcome.err);
}

/// The example of the documentation is a scenario of the pipeline.
#[test]
fn the_documented_scenario_plays() {
    let page = std::fs::read_to_string(root().join("docs/simulate.md")).expect("the page is there");
    let example =
        page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let folder = folder_of("simulate-documented", &[("scenario.toml", example)]);
    let path = folder.join("scenario.toml").display().to_string();
    let text = simulate(&["--scenario", &path]);
    assert!(
        text.starts_with("bundle revenue, from 2009-02-01T08:00Z to 2009-03-01T08:00Z, seed 7,"),
        "{text}"
    );
    assert!(text.contains("1 TIMEDOUT") && text.contains("suspend dailyRollUpRevenue-coord"), "{text}");
}

#[test]
fn an_app_that_is_refused_is_not_played() {
    let workflow = "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\"><start to=\"x\"/><end name=\"e\"/></workflow-app>";
    let folder = folder_of("simulate-refused", &[("workflow.xml", workflow)]);
    let path = folder.display().to_string();
    let outcome = ankus(&["simulate", &path]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.out.contains("transition-unknown"), "{}", outcome.out);
    let outcome = ankus(&["simulate", &path, "--format", "json"]);
    assert!(outcome.out.starts_with("{\"version\":1,\"findings\""), "{}", outcome.out);
}
