//! Apps of all kinds in virtual time, every event checked: choices of instances, forks, sub-workflows, kills, catch-up.

use crate::support::{ankus, folder_of};

/// A coordinator of an hour's frequency around its inputs, outputs and so on, that runs `wf`.
fn coordinator(name: &str, controls: &str, data: &str) -> String {
    format!(
        r#"<coordinator-app name="{name}" frequency="${{coord:hours(1)}}" start="2024-01-01T00:00Z"
 end="2024-01-01T04:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.5" xmlns:sla="uri:oozie:sla:0.2">
<controls>{controls}</controls><datasets>
<dataset name="in" frequency="${{coord:hours(1)}}" initial-instance="2023-12-31T00:00Z" timezone="UTC">
<uri-template>hdfs://nn/in/${{YEAR}}${{MONTH}}${{DAY}}${{HOUR}}</uri-template></dataset>
<dataset name="more" frequency="${{coord:hours(1)}}" initial-instance="2023-12-31T00:00Z" timezone="UTC">
<uri-template>hdfs://nn/more/${{YEAR}}${{MONTH}}${{DAY}}${{HOUR}}</uri-template></dataset></datasets>{data}
</coordinator-app>"#
    )
}

const RUN: &str = "<action><workflow><app-path>hdfs://nn/wf</app-path></workflow></action>";

fn data_in(name: &str, dataset: &str, instance: &str) -> String {
    format!(
        "<data-in name=\"{name}\" dataset=\"{dataset}\"><instance>${{coord:{instance}}}</instance></data-in>"
    )
}

fn action(name: &str, ok: &str) -> String {
    format!(
        "<action name=\"{name}\"><shell xmlns=\"uri:oozie:shell-action:0.3\"><exec>x</exec></shell><ok to=\"{ok}\"/>\
         <error to=\"fail\"/></action>"
    )
}

fn workflow(name: &str, nodes: &str) -> String {
    format!(
        "<workflow-app name=\"{name}\" xmlns=\"uri:oozie:workflow:0.5\">{nodes}\
         <kill name=\"fail\"><message>no</message></kill><end name=\"end\"/></workflow-app>"
    )
}

fn one() -> String {
    workflow("wf", &format!("<start to=\"a\"/>{}", action("a", "end")))
}

/// Plays an app of these files with a scenario, `--check` and more.
fn play(name: &str, app: &str, files: &[(&str, &str)], scenario: &str, more: &[&str]) -> String {
    let config = ("ankus.toml", "[paths]\n\"hdfs://nn\" = \".\"\n");
    let mut all = vec![config, ("scenario.toml", scenario)];
    all.extend(files);
    let folder = folder_of(name, &all);
    let path = |file: &str| folder.join(file).display().to_string();
    let (app, scenario) = (path(app), path("scenario.toml"));
    let mut arguments = vec!["simulate", "-q", "--check", &app, "--scenario", &scenario];
    arguments.extend(more);
    let outcome = ankus(&arguments);
    assert_eq!((outcome.code, outcome.err.as_str()), (0, ""), "{}", outcome.out);
    outcome.out
}

/// The same of one coordinator and a workflow of one action.
fn coordinate(name: &str, controls: &str, inputs: &str, scenario: &str, more: &[&str]) -> String {
    let inputs =
        if inputs.is_empty() { String::new() } else { format!("<input-events>{inputs}</input-events>") };
    let text = coordinator("c", controls, &format!("{inputs}{RUN}"));
    let files = [("c/coordinator.xml", text.as_str()), ("wf/workflow.xml", &one())];
    play(name, "c", &files, scenario, more)
}

#[test]
fn the_latest_instance_is_taken_when_one_comes() {
    let input = data_in("i", "in", "latest(0)");
    let never = "[[data]]\ndataset = \"in\"\narrives = \"never\"\n";
    let some = format!("{never}[[data]]\ndataset = \"in\"\nfrom = \"2024-01-01T02:00Z\"\ndelay = \"10m\"\n");
    let text = coordinate("apps-latest", "<timeout>-1</timeout>", &input, &some, &["--explain", "c@3"]);
    assert!(text.contains("2024-01-01T02:00Z  WAITING  for 10 min"), "{text}");
    assert!(
        text.contains("until 2024-01-01T02:10Z: hdfs://nn/in/2024010102/_SUCCESS (others would do)"),
        "{text}"
    );
    // An earlier action may not take a later instance.
    let until = ["--until", "2024-01-01T12:00Z"];
    let text = coordinate("apps-latest", "<timeout>-1</timeout>", &input, &some, &until);
    assert!(text.contains("c@1 is WAITING: not enough of its inputs are there"), "{text}");
    assert!(text.contains("2 WAITING, 2 SUCCEEDED"), "{text}");
    assert!(
        text.contains("SUCCEEDED waited 10 min, ran 5 min, for hdfs://nn/in/2024010102/_SUCCESS"),
        "{text}"
    );
}

#[test]
fn a_future_instance_is_waited_for() {
    let input = data_in("i", "in", "future(1, 5)");
    let text = coordinate("apps-future", "<timeout>-1</timeout>", &input, "", &[]);
    // The first that is there counts as 0, the next as 1.
    assert!(text.contains("4 actions: 4 SUCCEEDED"), "{text}");
    assert!(text.contains("waited 1 h, ran 5 min"), "{text}");
}

#[test]
fn either_input_will_do_with_input_logic() {
    let inputs = format!("{}{}", data_in("a", "in", "current(0)"), data_in("b", "more", "current(0)"));
    let logic = "</input-events><input-logic><or><data-in dataset=\"a\"/><data-in dataset=\"b\"/></or></input-logic><!--";
    let text = coordinator("c", "<timeout>120</timeout>", &format!("<input-events>{inputs}{logic} -->{RUN}"));
    let files = [("c/coordinator.xml", text.as_str()), ("wf/workflow.xml", &one())];
    let scenario =
        "[[data]]\ndataset = \"in\"\narrives = \"never\"\n[[data]]\ndataset = \"more\"\ndelay = \"30m\"\n";
    let text = play("apps-logic", "c", &files, scenario, &[]);
    assert!(text.contains("@1-4") && text.contains("SUCCEEDED waited 30 min, ran 5 min"), "{text}");
}

#[test]
fn a_join_waits_and_a_sub_workflow_is_part_of_it() {
    let nodes = format!(
        "<start to=\"f\"/><fork name=\"f\"><path start=\"a\"/><path start=\"s\"/></fork>{}\
         <action name=\"s\"><sub-workflow><app-path>hdfs://nn/sub</app-path><propagate-configuration/></sub-workflow>\
         <ok to=\"j\"/><error to=\"fail\"/></action><join name=\"j\" to=\"z\"/>{}",
        action("a", "j"),
        action("z", "end")
    );
    let sub = workflow("sub", &format!("<start to=\"deep\"/>{}", action("deep", "end")));
    let top = workflow("top", &nodes);
    let files = [("top/workflow.xml", top.as_str()), ("sub/workflow.xml", sub.as_str())];
    let scenario =
        "begin = \"2024-01-01T00:00Z\"\n[[action]]\nworkflow = \"sub\"\nnode = \"deep\"\nduration = \"1h\"\n";
    let text = play("apps-fork", "top", &files, scenario, &[]);
    assert!(text.contains("2024-01-01T00:00Z … 2024-01-01T00:05Z  a OK"), "{text}");
    assert!(text.contains("2024-01-01T00:00Z … 2024-01-01T01:00Z  s OK"), "{text}");
    assert!(text.contains("2024-01-01T01:00Z … 2024-01-01T01:05Z  z OK"), "{text}");
    let fails = format!("{scenario}status = \"error\"\ncode = \"X\"\n");
    let text = play("apps-fork", "top", &files, &fails, &[]);
    assert!(text.contains("s ERROR") && text.contains("top  KILLED"), "{text}");
}

fn bundle() -> Vec<(&'static str, String)> {
    let of = |name: &str, path: &str| {
        format!("<coordinator name=\"{name}\"><app-path>hdfs://nn/{path}</app-path></coordinator>")
    };
    let text = format!(
        "<bundle-app name=\"all\" xmlns=\"uri:oozie:bundle:0.2\">{}{}</bundle-app>",
        of("first", "first"),
        of("second", "second")
    );
    let writes = "<output-events><data-out name=\"o\" dataset=\"more\"><instance>${coord:current(0)}</instance></data-out>\
                  </output-events>";
    let reads = format!("<input-events>{}</input-events>", data_in("i", "more", "current(0)"));
    vec![
        ("all/bundle.xml", text),
        ("first/coordinator.xml", coordinator("first", "", &format!("{writes}{RUN}"))),
        ("second/coordinator.xml", coordinator("second", "<timeout>-1</timeout>", &format!("{reads}{RUN}"))),
        ("wf/workflow.xml", one()),
    ]
}

fn play_bundle(name: &str, scenario: &str, more: &[&str]) -> String {
    let files = bundle();
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    play(name, "all", &files, scenario, more)
}

#[test]
fn what_one_coordinator_writes_another_waits_for() {
    let text = play_bundle("apps-bundle", "", &[]);
    assert!(text.contains("8 actions: 8 SUCCEEDED"), "{text}");
    // The rule of data that are written counts from their end.
    let text = play_bundle("apps-bundle", "[[data]]\ndataset = \"more\"\ndelay = \"20m\"\n", &[]);
    assert!(text.contains("@1-4") && text.contains("SUCCEEDED waited 25 min, ran 5 min"), "{text}");
    // What is not written never comes.
    let fails = "[[action]]\ncoordinator = \"first\"\nto = \"2024-01-01T01:00Z\"\nstatus = \"error\"\n";
    let text = play_bundle("apps-bundle", fails, &["--until", "2024-01-01T12:00Z"]);
    assert!(text.contains("second@1 is WAITING: it waits for `hdfs://nn/more/2024010100/_SUCCESS`: `first` has not written it"), "{text}");
    assert!(text.contains("second  RUNNING"), "{text}");
    // The server does not let it wait for ever: 86,400 minutes at most.
    let text = play_bundle("apps-bundle", fails, &[]);
    assert!(text.contains("TIMEDOUT  waited 60 d, for hdfs://nn/more/2024010100/_SUCCESS"), "{text}");
    // Until somebody runs it again.
    let again = format!(
        "{fails}attempt = 1\n[[operator]]\nat = \"2024-01-01T06:00Z\"\ncommand = \"rerun\"\njob = \"first@1\"\n"
    );
    let text = play_bundle("apps-bundle", &again, &[]);
    // What was run again by itself does not bring back what is over above it.
    assert!(text.contains("all     DONEWITHERROR"), "{text}");
    assert!(text.contains("SUCCEEDED waited 6 h 5 min, ran 5 min"), "{text}");
}

#[test]
fn operators_of_bundles_and_coordinators_are_obeyed() {
    let operator = |at: &str, rest: &str| format!("[[operator]]\nat = \"2024-01-01T{at}Z\"\n{rest}\n");
    let kill = operator("02:02", "command = \"kill\"");
    let text = play_bundle("apps-operators", &kill, &[]);
    assert!(text.contains("all     KILLED") && text.contains("1 KILLED"), "{text}");
    let held =
        [operator("01:02", "command = \"suspend\""), operator("05:00", "command = \"resume\"")].concat();
    let text = play_bundle("apps-operators", &held, &[]);
    assert!(text.contains("8 actions: 8 SUCCEEDED") && text.contains("SUSPENDED"), "{text}");
    let paused = [
        operator("01:30", "command = \"pause\"\njob = \"first\""),
        operator("03:30", "command = \"change\"\njob = \"first\"\npause = \"none\""),
    ];
    let text = play_bundle("apps-operators", &paused.concat(), &[]);
    assert!(text.contains("2024-01-01T01:30Z  PAUSED\n  2024-01-01T03:30Z  RUNNING"), "{text}");
    let shorter = operator("00:30", "command = \"change\"\njob = \"first\"\nend = \"2024-01-01T02:00Z\"");
    let text = play_bundle("apps-operators", &shorter, &[]);
    assert!(text.contains("first   SUCCEEDED         2 actions: 2 SUCCEEDED"), "{text}");
    let some = operator("00:02", "command = \"kill\"\njob = \"first\"\nactions = \"1\"")
        + &operator("00:03", "command = \"ignore\"\njob = \"first\"\nactions = \"1\"");
    let text = play_bundle("apps-operators", &some, &[]);
    assert!(text.contains("1 IGNORED"), "{text}");
    let nothing = operator("00:02", "command = \"kill\"\njob = \"first@3\"");
    let text = play_bundle("apps-operators", &nothing, &[]);
    assert!(text.contains("kill first@3: refused, as `first@3` has no workflow yet"), "{text}");
}

#[test]
fn a_late_submission_catches_up() {
    let late = "begin = \"2024-01-03T00:00Z\"\n";
    let text = coordinate("apps-late", "<concurrency>2</concurrency>", "", late, &[]);
    assert!(text.contains("4 actions: 4 SUCCEEDED"), "{text}");
    assert!(text.contains("created late by 2 d, ran 5 min"), "{text}");
    let text = coordinate("apps-late", "<execution>LAST_ONLY</execution>", "", late, &[]);
    assert!(text.contains("4 SKIPPED"), "{text}");
}

#[test]
fn service_levels_are_told() {
    let sla = "<sla:info><sla:nominal-time>${coord:nominalTime()}</sla:nominal-time>\
               <sla:should-end>${30 * MINUTES}</sla:should-end></sla:info>";
    let run = RUN.replace("</action>", &format!("{sla}</action>"));
    let text = coordinator("c", "", &run);
    let files = [("c/coordinator.xml", text.as_str()), ("wf/workflow.xml", &one())];
    let long = "[[action]]\nfrom = \"2024-01-01T02:00Z\"\nto = \"2024-01-01T03:00Z\"\nduration = \"45m\"\n";
    let text = play("apps-sla", "c", &files, long, &[]);
    assert!(text.contains("service levels: 1 missed, 3 met"), "{text}");
    assert!(text.contains("END_MISS      c@3, expected 2024-01-01T02:30Z"), "{text}");
}

#[test]
fn files_decide_where_a_workflow_goes() {
    let nodes = format!(
        "<start to=\"d\"/><decision name=\"d\"><switch><case to=\"a\">${{fs:exists('hdfs://nn/flag')}}</case>\
         <default to=\"end\"/></switch></decision>{}",
        action("a", "end")
    );
    let text = workflow("w", &nodes);
    let files = [("w/workflow.xml", text.as_str())];
    let begin = "begin = \"2024-01-01T00:00Z\"\n";
    assert!(!play("apps-files", "w", &files, begin, &[]).contains("a OK"));
    let there = format!("{begin}[files]\n\"hdfs://nn/flag\" = 0\n");
    assert!(play("apps-files", "w", &files, &there, &[]).contains("a OK"));
}

#[test]
fn a_workflow_that_is_not_there_is_played_as_one_action() {
    let text = coordinator("c", "", RUN);
    let folder = folder_of("apps-stranger", &[("c/coordinator.xml", &text), ("ankus.toml", "")]);
    let outcome = ankus(&["simulate", &folder.join("c").display().to_string()]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert!(outcome.out.contains("4 actions: 4 SUCCEEDED"), "{}", outcome.out);
    assert!(
        outcome.err.contains("`hdfs://nn/wf` is not in the project; it was played as one action"),
        "{}",
        outcome.err
    );
}

#[test]
fn a_workflow_is_asked_for_its_values_each_time() {
    // Values of a default file and of formal parameters depend on the action.
    let nodes = format!(
        "<parameters><property><name>mode</name><value>plain</value></property></parameters><start to=\"d\"/>\
         <decision name=\"d\"><switch><case to=\"a\">${{hour eq '02' and mode eq 'plain'}}</case><default to=\"end\"/>\
         </switch></decision>{}",
        action("a", "end")
    );
    let workflow = workflow("wf", &nodes);
    let run = RUN.replace(
        "</workflow>",
        "<configuration><property><name>hour</name><value>${coord:formatTime(coord:nominalTime(), 'HH')}</value>\
         </property></configuration></workflow>",
    );
    let text = coordinator("c", "", &run);
    let files = [("c/coordinator.xml", text.as_str()), ("wf/workflow.xml", workflow.as_str())];
    let text = play("apps-values", "c", &files, "", &[]);
    assert!(text.contains("@3") && text.contains("SUCCEEDED ran 5 min"), "{text}");
    assert!(text.contains("@1-2"), "{text}");
}

/// A workflow that runs `sub`, and what that consists of.
fn nested(inner: &str) -> [(&'static str, String); 2] {
    let nodes = format!(
        "<start to=\"s\"/><action name=\"s\"><sub-workflow><app-path>hdfs://nn/sub</app-path><propagate-configuration/>\
         <configuration><property><name>own</name><value>1</value></property></configuration></sub-workflow>\
         <ok to=\"z\"/><error to=\"fail\"/></action>{}",
        action("z", "end")
    );
    [("top/workflow.xml", workflow("top", &nodes)), ("sub/workflow.xml", workflow("sub", inner))]
}

fn play_nested(name: &str, inner: &str, scenario: &str, more: &[&str]) -> String {
    let files = nested(inner);
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let scenario = format!("begin = \"2024-01-01T00:00Z\"\n{scenario}");
    play(name, "top", &files, &scenario, more)
}

#[test]
fn a_sub_workflow_has_what_it_is_given() {
    let inner = format!(
        "<start to=\"d\"/><decision name=\"d\"><switch><case to=\"deep\">${{given eq '7' and own eq '1'}}</case>\
         <default to=\"end\"/></switch></decision>{}",
        action("deep", "end")
    );
    let text = play_nested("apps-given", &inner, "", &["-D", "given=7"]);
    assert!(text.contains("2024-01-01T00:00Z … 2024-01-01T00:05Z  s OK"), "{text}");
    let text = play_nested("apps-given", &inner, "", &["-D", "given=8"]);
    assert!(text.contains("2024-01-01T00:00Z … 2024-01-01T00:00Z  s OK"), "{text}");
    // Nodes before which it suspends are among what is handed down.
    let inner = format!("<start to=\"deep\"/>{}", action("deep", "end"));
    let text = play_nested("apps-given", &inner, "", &["-D", "oozie.suspend.on.nodes=deep"]);
    assert!(text.contains("top (0000001-W) is SUSPENDED"), "{text}");
    assert!(text.contains("sub (0000002-W) is SUSPENDED"), "{text}");
}

#[test]
fn a_sub_workflow_that_needs_a_hand_does_not_hold_what_runs_it() {
    let inner = format!("<start to=\"deep\"/>{}", action("deep", "end"));
    let stuck = "[[action]]\nworkflow = \"sub\"\nstatus = \"non-transient\"\nattempt = 1\n";
    let resume = |job: &str| {
        format!("{stuck}[[operator]]\nat = \"2024-01-01T01:00Z\"\ncommand = \"resume\"\njob = \"{job}\"\n")
    };
    let text = play_nested("apps-hand", &inner, &resume("top"), &[]);
    assert!(text.contains("resume top: taken, but nothing is done, as `0000001-W` is RUNNING"), "{text}");
    assert!(
        text.contains("sub (0000002-W) is SUSPENDED: it is suspended, as `deep` needs somebody"),
        "{text}"
    );
    let text = play_nested("apps-hand", &inner, &resume("top/s"), &[]);
    assert!(text.contains("resume top/s\n") && text.contains("top  SUCCEEDED"), "{text}");
    assert!(text.contains("2024-01-01T00:00Z … 2024-01-01T01:05Z  s OK"), "{text}");
}

#[test]
fn what_a_sub_workflow_did_is_shown_when_it_fails() {
    let inner = format!("<start to=\"deep\"/>{}", action("deep", "end"));
    let fails = "[[action]]\nnode = \"deep\"\nstatus = \"error\"\ncode = \"X7\"\n";
    let text = play_nested("apps-below", &inner, fails, &[]);
    assert!(text.contains("  s ERROR\n      workflow sub\n"), "{text}");
    assert!(text.contains("deep ERROR: it fails, as the scenario has it (X7)"), "{text}");
    assert!(!play_nested("apps-below", &inner, "", &[]).contains("workflow sub"));
}

/// Two forks, one within the other.
fn forks(inner: &str) -> String {
    workflow(
        "w",
        &format!(
            "<start to=\"f\"/><fork name=\"f\"><path start=\"g\"/><path start=\"c\"/></fork>\
             <fork name=\"g\"><path start=\"a\"/><path start=\"b\"/></fork>{}{inner}<join name=\"k\" to=\"j\"/>{}\
             <join name=\"j\" to=\"end\"/>",
            action("a", "k"),
            action("c", "j")
        ),
    )
}

#[test]
fn a_fork_is_suspended_once() {
    let text = forks(&action("b", "k"));
    let files = [("w/workflow.xml", text.as_str())];
    let hours = |hours: std::ops::Range<u32>| -> String {
        let resume = |hour| format!("[[operator]]\nat = \"2024-01-01T0{hour}:00Z\"\ncommand = \"resume\"\n");
        "begin = \"2024-01-01T00:00Z\"\n".to_owned() + &hours.map(resume).collect::<String>()
    };
    // Both ways are entered before the job stands still, and begin together.
    let more = ["-D", "oozie.suspend.on.nodes=a,b"];
    let shown = play("apps-suspended-forks", "w", &files, &hours(1..2), &more);
    for name in ["a", "b"] {
        assert!(shown.contains(&format!("2024-01-01T01:00Z … 2024-01-01T01:05Z  {name} OK")), "{shown}");
    }
    assert!(shown.contains("w  SUCCEEDED"), "{shown}");
    // Start, f, g with c, a with b, both joins and the end.
    let more = ["-D", "oozie.suspend.on.nodes=*"];
    let shown = play("apps-suspended-forks", "w", &files, &hours(1..9), &more);
    assert!(shown.contains("w  SUCCEEDED"), "{shown}");
}

#[test]
fn a_fork_that_fails_at_once_wants_no_sub_workflow() {
    let sub = "<action name=\"b\"><sub-workflow><app-path>hdfs://nn/sub</app-path></sub-workflow><ok to=\"k\"/>\
               <error to=\"fail\"/></action>";
    let inner = workflow("sub", &format!("<start to=\"deep\"/>{}", action("deep", "end")));
    let text = forks(sub);
    let files = [("w/workflow.xml", text.as_str()), ("sub/workflow.xml", inner.as_str())];
    let fails =
        "begin = \"2024-01-01T00:00Z\"\n[[action]]\nnode = \"a\"\nstatus = \"failed\"\ncode = \"X\"\n";
    let serial = format!("{fails}[server]\nparallel-fork-start = false\n");
    let shown = play("apps-failed-fork", "w", &files, &serial, &[]);
    assert!(shown.contains("w  FAILED") && shown.contains("b KILLED"), "{shown}");
    assert!(!shown.contains("deep"), "{shown}");
    // With the delivered setting it runs to its end beside the job that has failed.
    let shown = play("apps-failed-fork", "w", &files, fails, &[]);
    assert!(shown.contains("w  FAILED") && shown.contains("to 2024-01-01T00:05Z"), "{shown}");
    assert!(shown.contains("(branches-run-on)"), "{shown}");
}

#[test]
fn a_simulation_ends_with_what_happened_last() {
    let kill = "[[operator]]\nat = \"2024-01-01T01:02Z\"\ncommand = \"kill\"\n";
    let text = coordinate("apps-end", "", "", kill, &[]);
    assert!(text.starts_with("coordinator c, from 2024-01-01T00:00Z to 2024-01-01T01:02Z"), "{text}");
    // What is over does not wait for a pause time in another century.
    let pause =
        "[[operator]]\nat = \"2024-01-01T01:02Z\"\ncommand = \"change\"\npause = \"2124-01-01T00:00Z\"\n";
    let text = coordinate("apps-end", "", "", pause, &[]);
    assert!(text.starts_with("coordinator c, from 2024-01-01T00:00Z to 2024-01-01T03:05Z"), "{text}");
    assert!(!text.contains("not played to its end"), "{text}");
}

#[test]
fn data_that_come_too_late_are_not_said_to_never_come() {
    let late = "[[data]]\ndataset = \"in\"\ndelay = \"2h\"\n";
    let input = data_in("i", "in", "current(0)");
    let text = coordinate("apps-too-late", "<timeout>30</timeout>", &input, late, &[]);
    assert!(text.contains("4 TIMEDOUT") && text.contains("which did not come in time"), "{text}");
}

#[test]
fn workflows_see_data_and_what_was_written() {
    let asks = |question: &str| {
        let nodes = format!(
            "<start to=\"d\"/><decision name=\"d\"><switch><case to=\"a\">${{{question}}}</case><default to=\"end\"/>\
             </switch></decision>{}",
            action("a", "end")
        );
        workflow("wf", &nodes)
    };
    let play = |question: &str, data: &str, scenario: &str| {
        let run = RUN.replace(
            "</workflow>",
            "<configuration><property><name>hour</name>\
             <value>${coord:formatTime(coord:nominalTime(), 'yyyyMMddHH')}</value></property></configuration></workflow>",
        );
        let (text, workflow) = (coordinator("c", "", &format!("{data}{run}")), asks(question));
        let files = [("c/coordinator.xml", text.as_str()), ("wf/workflow.xml", workflow.as_str())];
        play("apps-seen", "c", &files, scenario, &[])
    };
    // The folder of an input that is complete is there, and so is its flag.
    let reads = format!("<input-events>{}</input-events>", data_in("i", "in", "current(0)"));
    let text = play("fs:exists(concat('hdfs://nn/in/', hour))", &reads, "");
    assert!(text.contains("@1-4") && text.contains("SUCCEEDED ran 5 min"), "{text}");
    let text = play("fs:exists(concat(concat('hdfs://nn/in/', hour), '/_SUCCESS'))", &reads, "");
    assert!(text.contains("@1-4") && text.contains("SUCCEEDED ran 5 min"), "{text}");
    // What an action has written is there when it is run again, whoever else reads it.
    let writes = "<output-events><data-out name=\"o\" dataset=\"more\"><instance>${coord:current(0)}</instance></data-out>\
                  </output-events>";
    let again = |keys: &str| {
        format!("[[operator]]\nat = \"2024-01-01T06:00Z\"\ncommand = \"rerun\"\nactions = \"2\"\n{keys}")
    };
    let question = "not fs:exists(concat('hdfs://nn/more/', hour))";
    let text = play(question, writes, &again("nocleanup = true\n"));
    assert!(text.contains("@2") && text.contains("SUCCEEDED ran 5 min, 2 times"), "{text}");
    let text = play(question, writes, &again(""));
    assert!(text.contains("SUCCEEDED ran 10 min, 2 times"), "{text}");
    // Patterns find files.
    let files = "[files]\n\"hdfs://nn/flags/2024\" = 0\n";
    let text = play("fs:exists('hdfs://nn/flags/*')", "", files);
    assert!(text.contains("@1-4") && text.contains("SUCCEEDED ran 5 min"), "{text}");
    assert!(!play("fs:exists('hdfs://nn/flags/19*')", "", files).contains("ran 5 min"));
}

#[test]
fn actions_that_ran_again_do_not_look_like_others() {
    let again =
        "[[operator]]\nat = \"2024-01-01T06:00Z\"\ncommand = \"rerun\"\nactions = \"2\"\nfailed = true\n";
    let text = coordinate("apps-again", "", "", again, &[]);
    assert!(text.contains("SUCCEEDED ran 5 min, 2 times"), "{text}");
}

#[test]
fn what_failed_and_what_operators_were_told_is_shown() {
    let fails = "[[action]]\nnode = \"a\"\nstatus = \"error\"\ncode = \"X7\"\n";
    let operator = |rest: &str| format!("[[operator]]\nat = \"2024-01-01T06:00Z\"\n{rest}\n");
    let told = [
        operator("command = \"rerun\"\nactions = \"1-2\"\nrefresh = true"),
        operator("command = \"change\"\nend = \"2024-01-01T08:00Z\"\nconcurrency = 3"),
        operator("command = \"change\"\npause = \"none\""),
        operator("command = \"rerun\"\njob = \"c@4\"\nskip-nodes = [\"a\"]"),
    ];
    let text = coordinate("apps-told", "", "", &format!("{fails}{}", told.concat()), &[]);
    assert!(text.contains("KILLED    ran 5 min, `a` X7"), "{text}");
    for line in [
        "rerun c (actions 1-2, refresh)\n",
        "change c (end 2024-01-01T08:00Z, concurrency 3)\n",
        "change c (pause none)\n",
        "rerun c@4 (skip-nodes a)",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let early = coordinate("apps-early", "", "", "begin = \"2023-12-31T23:58Z\"\n", &["--explain", "c@1"]);
    assert!(early.contains("2023-12-31T23:58Z  WAITING  for 2 min\n      for its time\n"), "{early}");
}

#[test]
fn a_path_that_may_lead_to_several_workflows_is_told() {
    let files = nested(&format!("<start to=\"deep\"/>{}", action("deep", "end")));
    let (top, sub) = (files[0].1.as_str(), files[1].1.as_str());
    let all = [
        ("top/workflow.xml", top),
        ("a/sub/workflow.xml", sub),
        ("b/sub/workflow.xml", sub),
        ("ankus.toml", ""),
    ];
    let folder = folder_of("apps-unclear", &all);
    let outcome = ankus(&["simulate", &folder.join("top").display().to_string()]);
    assert!(outcome.code == 0 && outcome.out.contains("KILLED"), "{}{}", outcome.out, outcome.err);
    assert!(outcome.err.contains("`hdfs://nn/sub` may lead to"), "{}", outcome.err);
    assert!(outcome.err.contains("map it under `[paths]` in ankus.toml"), "{}", outcome.err);
}

#[test]
fn properties_that_are_left_aside_are_told() {
    let properties = "oozie.coord.application.path=hdfs://nn/c\nx=1\n";
    let text = coordinator("c", "", RUN);
    let files = [("c/coordinator.xml", text.as_str()), ("c/job.properties", properties), ("ankus.toml", "")];
    let folder = folder_of("apps-left-aside", &files).join("c").display().to_string();
    let said = |more: &[&str]| ankus(&[&["simulate", &folder], more].concat()).err;
    assert!(said(&[]).contains("with the properties of"), "{}", said(&[]));
    let err = said(&["-D", "y=2"]);
    assert!(err.contains("without the properties of") && err.contains("job.properties` adds them"), "{err}");
    let file = format!("{folder}/job.properties");
    assert!(!said(&["-D", "y=2", "-c", &file]).contains("without"));
}
