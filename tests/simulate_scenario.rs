//! Scenarios: what is refused, with its place, and what rules come to.

use crate::support::{ankus, folder_of, root};

/// Plays a workflow of two actions, the second after the first, with a scenario; code, output, error.
fn play(name: &str, scenario: &str, more: &[&str]) -> (u8, String, String) {
    let action = |name: &str, ok: &str| {
        format!(
            "<action name=\"{name}\" retry-max=\"2\" retry-interval=\"1\"><shell xmlns=\"uri:oozie:shell-action:0.3\">\
             <exec>x</exec><capture-output/></shell><ok to=\"{ok}\"/><error to=\"fail\"/></action>"
        )
    };
    let workflow = format!(
        "<workflow-app name=\"two\" xmlns=\"uri:oozie:workflow:0.5\"><start to=\"one\"/>{}\
         <decision name=\"which\"><switch><case to=\"two\">${{wf:actionData('one')['go'] eq 'on'}}</case>\
         <default to=\"end\"/></switch></decision>{}\
         <kill name=\"fail\"><message>no: ${{wf:errorCode(wf:lastErrorNode())}}</message></kill><end name=\"end\"/>\
         </workflow-app>",
        action("one", "which"),
        action("two", "end")
    );
    let folder = folder_of(name, &[("app/workflow.xml", &workflow), ("scenario.toml", scenario)]);
    let path = |file: &str| folder.join(file).display().to_string();
    let (app, scenario) = (path("app"), path("scenario.toml"));
    let mut arguments =
        vec!["simulate", "-q", &app, "--check", "--now", "2024-01-01T00:00Z", "--scenario", &scenario];
    arguments.extend(more);
    let outcome = ankus(&arguments);
    (outcome.code, outcome.out, outcome.err.replace(&path(""), ""))
}

#[test]
fn actions_end_as_the_rules_have_it() {
    let (code, out, err) = play("scenario-rules", "", &[]);
    assert!(code == 0 && out.contains("one OK") && !out.contains("two OK"), "{out}{err}");
    let on = "[[action]]\nnode = \"one\"\nduration = \"7m\"\noutput = { go = \"on\" }\n";
    let (_, out, _) = play("scenario-rules", on, &[]);
    assert!(out.contains("2024-01-01T00:00Z … 2024-01-01T00:07Z  one OK"), "{out}");
    assert!(out.contains("2024-01-01T00:07Z … 2024-01-01T00:12Z  two OK"), "{out}");
    // The narrower rule says how it ends, the wider one how long it takes.
    let fails =
        format!("{on}[[action]]\nnode = \"one\"\nattempt = 1\nstatus = \"error\"\ncode = \"JA018\"\n");
    let (_, out, _) = play("scenario-rules", &fails, &[]);
    assert!(out.contains("T00:07Z  one USER_RETRY: it fails, as the scenario has it (JA018)"), "{out}");
    assert!(out.contains("2024-01-01T00:08Z … 2024-01-01T00:15Z  one OK, attempt 2"), "{out}");
    let always = "[[action]]\nstatus = \"error\"\ncode = \"X1\"\n";
    let (_, out, _) = play("scenario-rules", always, &[]);
    assert!(out.contains("KILLED") && out.contains("no: X1 (E0729)"), "{out}");
    let hangs = "[[action]]\nstatus = \"hangs\"\n";
    let (_, out, _) = play("scenario-rules", hangs, &[]);
    assert!(out.contains("two (0000001-W) is RUNNING: `one` has not ended"), "{out}");
    let hand = "[[action]]\nnode = \"one\"\nattempt = 1\nstatus = \"non-transient\"\n[[operator]]\nat = \
                \"2024-01-01T01:00Z\"\ncommand = \"resume\"\n";
    let (_, out, _) = play("scenario-rules", hand, &[]);
    assert!(out.contains("2024-01-01T00:00Z  SUSPENDED\n  2024-01-01T01:00Z  RUNNING"), "{out}");
    let failed = "[[action]]\nstatus = \"failed\"\ncode = \"X2\"\n";
    let (_, out, _) = play("scenario-rules", failed, &[]);
    assert!(out.contains("two  FAILED") && out.contains("(X2)"), "{out}");
    let moment = "[[action]]\nnode = \"one\"\nattempt = 1\nstatus = \"transient\"\n";
    let (_, out, _) = play("scenario-rules", moment, &[]);
    assert!(
        out.contains("one START_RETRY")
            && out.contains("2024-01-01T00:00:10Z … 2024-01-01T00:05:10Z  one OK"),
        "{out}"
    );
}

#[test]
fn operators_work_and_their_refusals_are_told() {
    let scenario = r#"
[[operator]]
at = "2024-01-01T00:01Z"
command = "submit"
start = false
[[operator]]
at = "2024-01-01T00:02Z"
command = "resume"
[[operator]]
at = "2024-01-01T00:03Z"
command = "start"
[[operator]]
at = "2024-01-01T00:04Z"
command = "kill"
[[operator]]
at = "2024-01-01T01:00Z"
command = "rerun"
"#;
    let (_, out, _) = play("scenario-operators", scenario, &[]);
    assert!(
        out.contains(
            "resume two: taken, but nothing is done, as `0000001-W` is PREP; resume is not possible then"
        ),
        "{out}"
    );
    assert!(out.contains("T00:03Z … 2024-01-01T00:04Z  one KILLED"), "{out}");
    assert!(out.contains("2024-01-01T01:00Z … 2024-01-01T01:05Z  one OK, attempt 2"), "{out}");
    assert!(out.contains("two  SUCCEEDED"), "{out}");
}

#[test]
fn a_chance_is_drawn_by_seed_and_name() {
    let scenario = "[[action]]\nnode = \"one\"\nchance = 0.5\nduration = \"9m\"\n";
    let long = |seed: u32| {
        let (_, out, _) = play("scenario-chance", scenario, &["--seed", &seed.to_string()]);
        out.contains("T00:09Z  one OK")
    };
    let drawn: Vec<bool> = (0..16).map(long).collect();
    assert!(drawn.iter().any(|long| *long) && drawn.iter().any(|long| !*long), "{drawn:?}");
}

/// Each mistake with what is said of it, place first.
#[test]
fn mistakes_are_refused_with_their_place() {
    let revenue = root().join("fixtures/simulate/revenue").display().to_string();
    let check = |scenario: &str, expected: &str| {
        let folder = folder_of("scenario-mistakes", &[("s.toml", scenario)]);
        let path = folder.join("s.toml").display().to_string();
        let outcome = ankus(&["simulate", "-q", &revenue, "--scenario", &path]);
        assert_eq!((outcome.code, outcome.out.as_str()), (2, ""), "{scenario}");
        let said = outcome.err.replace(&path, "s.toml");
        assert!(said.contains(expected), "{scenario}\nexpected {expected}\n{said}");
    };
    let data = |rest: &str| format!("[[data]]\n{rest}\n");
    check(
        &data("dataset = \"checkout\"\ndelay = \"5m\""),
        "s.toml:2:11: there is no dataset `checkout`; did you mean `checkouts`?\n  |\n2 | dataset = \"checkout\"\n  |           ^^^^^^^^^^",
    );
    check(&data("dataset = \"checkouts\"\ndelay = \"-5m\""), "s.toml:3:9: `-5m` is negative");
    check(&data("dataset = \"checkouts\"\ndelay = 5"), "s.toml:3:9: `delay` is a duration such as");
    check(&data("dataset = \"checkouts\"\ndelay = \"5 x\""), "s.toml:3:9: `5 x` is no duration");
    check(
        &data("dataset = \"checkouts\"\ndelay = { min = \"5m\" }"),
        "s.toml:3:9: `delay` needs `max` as well",
    );
    check(
        &data("dataset = \"checkouts\"\ndelay = { min = \"5m\", max = \"1m\" }"),
        "`max` is less than `min`",
    );
    check(&data("dataset = \"checkouts\"\ndelay = \"5m\"\narrives = \"never\""), "exclude each other");
    check(
        &data("dataset = \"checkouts\"\narrives = \"nevr\""),
        "s.toml:3:11: there is no way to arrive `nevr`; did you mean",
    );
    check(&data("dataset = \"checkouts\""), "s.toml:1:1: say when the data appear");
    check(&data("delay = \"5m\""), "s.toml:1:1: a rule of data names a `dataset`, a `uri`, or both");
    check(&data("uri = \"[\"\ndelay = \"5m\""), "s.toml:2:7: `[` is no pattern");
    check(
        &data("dataset = \"checkouts\"\ndelai = \"5m\""),
        "s.toml:3:1: there is no key `delai` here; did you mean `delay`?",
    );
    let range =
        "dataset = \"checkouts\"\nfrom = \"2009-02-02T00:00Z\"\nto = \"2009-02-01T00:00Z\"\ndelay = \"5m\"";
    check(&data(range), "s.toml:4:6: `to` is not after `from`");
    check(
        &data("dataset = \"checkouts\"\nfrom = \"2009-2-31\"\ndelay = \"5m\""),
        "s.toml:3:8: `2009-2-31` is no datetime",
    );
    check(
        &data("dataset = \"checkouts\"\nfrom = 2009-02-01\ndelay = \"5m\""),
        "`from` is a datetime in quotes",
    );
    let twice = data("dataset = \"checkouts\"\ndelay = \"5m\"").repeat(2);
    check(&twice, "s.toml:4:1: this rule overlaps the one of line 1");
    let across = format!(
        "{}{}",
        data("dataset = \"checkouts\"\nto = \"2009-02-20T00:00Z\"\ndelay = \"5m\""),
        data("dataset = \"checkouts\"\nfrom = \"2009-02-19T00:00Z\"\ndelay = \"6m\"")
    );
    check(&across, "s.toml:5:1: this rule overlaps the one of line 1");
    let action = |rest: &str| format!("[[action]]\n{rest}\n");
    check(
        &action("node = \"calcualte\"\nduration = \"1m\""),
        "s.toml:2:8: there is no action `calcualte`; did you mean `calculate`?",
    );
    check(
        &action("coordinator = \"dailyRollUpRevenue-coord\"\nnode = \"calculate\"\nduration = \"1m\""),
        "s.toml:3:8: there is no action `calculate`; there are `roll-up`",
    );
    check(
        &action("coordinator = \"hourly\"\nduration = \"1m\""),
        "s.toml:2:15: there is no coordinator `hourly`",
    );
    check(&action("workflow = \"rollUpRevenue\"\nduration = \"1m\""), "did you mean `rollUpRevenue-wf`?");
    check(&action("status = \"eror\""), "s.toml:2:10: there is no status `eror`; did you mean `error`?");
    check(&action("code = \"X\"\nduration = \"1m\""), "s.toml:2:8: `code` is for an error");
    check(
        &action("status = \"hangs\"\nduration = \"1m\""),
        "s.toml:3:1: an action that hangs takes no `duration`",
    );
    check(&action("node = \"calculate\""), "s.toml:1:1: say what happens");
    check(&action("attempt = 0\nduration = \"1m\""), "s.toml:2:11: `attempt` is from 1 to");
    check(&action("chance = 2\nduration = \"1m\""), "s.toml:2:10: `chance` is a number above 0");
    check(&action("output = { a = 1 }"), "`a` is a text");
    let operator = |rest: &str| format!("[[operator]]\nat = \"2009-02-02T00:00Z\"\n{rest}\n");
    check(
        &operator("command = \"suspend\"\njob = \"hourlyRevenu-coord\""),
        "s.toml:4:7: there is no job `hourlyRevenu-coord`; did you mean",
    );
    check(
        &operator("command = \"supend\""),
        "s.toml:3:11: there is no command `supend`; did you mean `suspend`?",
    );
    check(&operator("command = \"start\"\njob = \"hourlyRevenue-coord\""), "a coordinator starts by itself");
    check(
        &operator("command = \"pause\"\njob = \"hourlyRevenue-coord@3\""),
        "a workflow cannot be told to `pause`",
    );
    check(&operator("command = \"rerun\"\njob = \"hourlyRevenue-coord\""), "say which actions are run again");
    check(&operator("command = \"kill\"\njob = \"hourlyRevenue-coord@x\""), "names no action; write it like");
    check(&operator("command = \"suspend\"\nactions = \"1\""), "s.toml:4:1: there is no key `actions` here");
    check(&operator("command = \"change\""), "say what is changed");
    let within = |job: &str| operator(&format!("command = \"resume\"\njob = \"{job}\""));
    check(&within("revenue@3"), "s.toml:4:7: `revenue` is a bundle; `@` names an action of a coordinator");
    check(&within("hourlyRevenue-coord/calculate"), "is a coordinator; only workflows run sub-workflows");
    check(
        &within("hourlyRevenue-coord@3/calc"),
        "there is no action `calc`; there are `calculate`, `roll-up`",
    );
    check("[[operator]]\ncommand = \"kill\"\n", "s.toml:1:1: an operator needs `at`");
    check(
        "[[operator]]\nat = \"2009-01-01T00:00Z\"\ncommand = \"kill\"\n",
        "s.toml:2:6: this lies before the beginning",
    );
    check("sed = 1\n", "s.toml:1:1: there is no key `sed` here; did you mean `seed`?");
    check("seed = -1\n", "s.toml:1:8: `seed` is at least 0");
    check("until = \"2008-01-01T00:00Z\"\n", "s.toml:1:9: this lies before the beginning");
    check("data = 1\n", "s.toml:1:8: `data` is a list of tables: `[[data]]`, not a number");
    check("[files]\na = \"x\"\n", "s.toml:2:5: a file has a length");
    check("seed = \n", "s.toml:1:8");
    // All are told at once.
    check("sed = 1\nunil = 2\n", "s.toml:2:1: there is no key `unil` here; did you mean `until`?");
}

/// Whether two patterns meet shows only when a URI fits both.
#[test]
fn patterns_that_meet_are_refused_when_they_do() {
    let revenue = root().join("fixtures/simulate/revenue").display().to_string();
    let scenario = "[[data]]\nuri = \"**/checkouts/2009/02/01/09/**\"\ndelay = \"5m\"\n[[data]]\nuri = \
                    \"**/15/_SUCCESS\"\ndelay = \"6m\"\n";
    let folder = folder_of("scenario-patterns", &[("s.toml", scenario)]);
    let path = folder.join("s.toml").display().to_string();
    let outcome = ankus(&["simulate", "-q", &revenue, "--scenario", &path]);
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    let said = outcome.err.replace(&path, "s.toml");
    assert!(
        said.contains(
            "s.toml:1:1: two rules are for `hdfs://nn.example.com:8020/data/checkouts/2009/02/01/09/15/"
        ),
        "{said}"
    );
    assert!(said.contains("s.toml:4:1: two rules"), "{said}");
}

#[test]
fn every_retry_is_told_with_its_end() {
    let always = "[[action]]\nnode = \"one\"\nstatus = \"failed\"\ncode = \"JA018\"\n";
    let (_, out, _) = play("scenario-retries", always, &[]);
    let attempts = [
        "2024-01-01T00:00Z … 2024-01-01T00:00Z  one USER_RETRY:",
        "2024-01-01T00:01Z … 2024-01-01T00:01Z  one USER_RETRY, attempt 2:",
        "2024-01-01T00:02Z … 2024-01-01T00:02Z  one FAILED, attempt 3:",
    ];
    assert!(attempts.iter().all(|attempt| out.contains(attempt)), "{out}");
    let moment = "[[action]]\nnode = \"one\"\nstatus = \"transient\"\n";
    let (_, out, _) = play("scenario-retries", moment, &[]);
    assert_eq!(out.matches("one START_RETRY").count(), 3, "{out}");
    assert!(out.contains("one START_MANUAL, attempt 4") && !out.contains("one RUNNING"), "{out}");
}

#[test]
fn an_argument_comes_before_the_scenario() {
    let begin = "begin = \"2024-02-01T00:00Z\"\nuntil = \"2024-02-01T00:07Z\"\n";
    let (code, out, err) = play("scenario-now", begin, &[]);
    assert!(code == 0 && out.starts_with("workflow two, from 2024-01-01T00:00Z"), "{out}{err}");
    let early = format!("{begin}[[operator]]\nat = \"2023-12-31T23:00Z\"\ncommand = \"kill\"\n");
    let (code, _, err) = play("scenario-now", &early, &[]);
    assert!(code == 2 && err.contains("this lies before the beginning, 2024-01-01T00:00Z"), "{err}");
}

#[test]
fn workflows_that_stand_alone_are_compared_and_have_nothing_to_explain() {
    let slow = "[[action]]\nnode = \"one\"\nduration = \"1h\"\n";
    let folder = folder_of("scenario-other", &[("slow.toml", slow), ("same.toml", "")]);
    let path = |file: &str| folder.join(file).display().to_string();
    let against = |file: &str| play("scenario-compared", "", &["--against", &path(file)]).1;
    assert_eq!(against("slow.toml"), "two: SUCCEEDED 55 min later\n");
    assert_eq!(against("same.toml"), "no job ends in another state or at another time\n");
    let (code, _, err) = play("scenario-compared", "", &["--explain", "two@1"]);
    assert!(code == 2 && err.contains("there is no coordinator here"), "{err}");
}

#[test]
fn what_is_read_is_not_written_over() {
    let (folder, name) = (folder_of("scenario-over", &[]), "scenario-over-app");
    let scenario = folder.parent().expect("a folder").join(name).join("scenario.toml").display().to_string();
    let (code, out, err) = play(name, "seed = 3\n", &["-o", &scenario]);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert!(err.contains("is read; write it somewhere else"), "{err}");
    assert_eq!(std::fs::read_to_string(scenario).expect("it is there"), "seed = 3\n");
}

/// `CoordChangeXCommand.execute` (`dontChange`): the next action would lie behind the new end, too.
#[test]
fn a_later_end_that_reaches_no_action_changes_nothing() {
    let coordinator = r#"<coordinator-app name="c" frequency="${coord:days(1)}" start="2026-11-10T00:00Z"
        end="2026-11-12T12:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.5"><action><workflow>
        <app-path>hdfs://nn/w</app-path></workflow></action></coordinator-app>"#;
    let workflow = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5"><start to="e"/><end name="e"/></workflow-app>"#;
    let scenario = |end: &str| {
        format!(
            "begin = \"2026-11-23T00:00Z\"\n[[operator]]\nat = \"2026-11-23T00:31Z\"\ncommand = \"change\"\njob = \
             \"c\"\nend = \"{end}\"\n"
        )
    };
    let folder = folder_of(
        "scenario-change-end",
        &[
            ("c/coordinator.xml", coordinator),
            ("w/workflow.xml", workflow),
            ("ankus.toml", "[paths]\n\"hdfs://nn\" = \".\"\n"),
            ("little.toml", &scenario("2026-11-12T18:00Z")),
            ("more.toml", &scenario("2026-11-13T18:00Z")),
        ],
    );
    let play = |scenario: &str| {
        let path = |file: &str| folder.join(file).display().to_string();
        let outcome = ankus(&["simulate", "-q", &path("c"), "--check", "--scenario", &path(scenario)]);
        assert_eq!(outcome.code, 0, "{}", outcome.err);
        outcome.out
    };
    let little = play("little.toml");
    assert!(!little.contains("00:31Z  RUNNING") && little.contains("nothing is done"), "{little}");
    let more = play("more.toml");
    assert!(more.contains("00:31Z  RUNNING") && more.contains("4 actions: 4 SUCCEEDED"), "{more}");
}

/// An operator with a coordinator of two days.
fn operate(keys: &str) -> String {
    let app = root().join("fixtures/oddities/app/coordinator.xml").display().to_string();
    let scenario = format!("[[operator]]\nat = \"2024-01-01T12:00Z\"\njob = \"c\"\n{keys}\n");
    let folder = folder_of("scenario-operate", &[("scenario.toml", &scenario)]);
    let scenario = folder.join("scenario.toml").display().to_string();
    let now = ["--check", "--now", "2024-01-01T00:00Z", "--scenario", &scenario];
    let outcome = ankus(&[&["simulate", "-q", &app], &now[..]].concat());
    assert_eq!(outcome.code, 0, "{keys}: {}", outcome.err);
    assert!(outcome.out.contains("2 SUCCEEDED"), "{keys}: {}", outcome.out);
    outcome.out
}

/// `CoordUtils.getActionsIds`, `CoordActionsInDateRange.getCoordActionsFromDateRange`: what the server refuses can be
/// said, and is played on.
#[test]
fn lists_of_actions_that_a_server_refuses_can_be_said() {
    let backwards = "dates = \"2024-01-02T00:00Z::2024-01-01T00:00Z\"";
    let refused = [
        (backwards, "(E0308)"),
        ("dates = \"2009-02-01\"", "(E0302)"),
        ("actions = \"3-1\"", "(E0302)"),
        ("actions = \"abc\"", "(E0302)"),
        ("actions = \"1-x\"", "(E0302)"),
        ("actions = \"1-\"", "(E0302)"),
    ];
    for (list, code) in refused {
        for command in ["kill", "rerun", "ignore"] {
            let shown = operate(&format!("command = \"{command}\"\n{list}"));
            // What fails while the actions to be ignored are loaded has another code around it.
            let code = if command == "ignore" { "(E0603)" } else { code };
            assert!(shown.contains("refused, as ") && shown.contains(code), "{command} {list}: {shown}");
        }
    }
}

/// `CoordChangeXCommand.checkStatusChange`, and what `XCommand.call` does with a `PreconditionException`.
#[test]
fn commands_are_refused_or_dropped_as_on_a_server() {
    let shown = operate("command = \"change\"\nstatus = \"SUCCEEDED\"");
    assert!(shown.contains("refused, as ") && shown.contains("(E1015)"), "{shown}");
    let change = operate("command = \"change\"\nstatus = \"RUNNING\"");
    assert!(change.contains("refused, as ") && change.contains("(E1015)"), "{change}");
}

/// What decides what is submitted can be said in a scenario, too.
#[test]
fn a_scenario_decides_how_the_server_takes_the_app() {
    let app = root().join("fixtures/oddities/unvalidated/coordinator.xml").display().to_string();
    let forks = |flag: bool, more: &str| format!("[server]\nvalidate-fork-join = {flag}\n{more}");
    let files = [
        ("off.toml", forks(false, "")),
        ("on.toml", forks(true, "")),
        ("many.toml", forks(false, "default-timeout = 7\n")),
    ];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    let folder = folder_of("scenario-server", &files);
    let path = |file: &str| folder.join(file).display().to_string();
    let simulate = |arguments: &[&str]| {
        ankus(&[&["simulate", "-q", &app, "--now", "2024-01-01T00:00Z"], arguments].concat())
    };
    for validated in [vec![], vec!["--scenario", &path("on.toml")]] {
        let outcome = simulate(&validated);
        assert!(
            outcome.out.contains("2 actions: 2 FAILED") && outcome.out.contains("E0737"),
            "{}",
            outcome.out
        );
    }
    let outcome = simulate(&["--scenario", &path("off.toml")]);
    assert!(
        outcome.code == 0 && outcome.out.contains("2 actions: 2 SUCCEEDED"),
        "{}{}",
        outcome.out,
        outcome.err
    );
    let outcome = simulate(&["--scenario", &path("many.toml"), "--against", &path("off.toml")]);
    assert!(outcome.code == 2 && outcome.err.contains("`default-timeout` differs"), "{}", outcome.err);
}
