//! `simulate` of `hadoop-workflow`: how jobs go from node to node and how they end.

use serde_json::Value;

use crate::support::hws_apps;
use crate::support::{ankus, folder_of};

/// Plays a definition with a scenario; the record of the first workflow.
fn play(name: &str, nodes: &str, scenario: &str) -> Value {
    let text = format!("<hadoop-workflow name=\"w\">\n{nodes}\n</hadoop-workflow>\n");
    let folder = folder_of(name, &[("app/workflow.xml", &text), ("s.toml", scenario)]);
    let path = |file: &str| folder.join(file).display().to_string();
    let (app, scenario) = (path("app"), path("s.toml"));
    let outcome = ankus(&[
        "simulate",
        "-q",
        &app,
        "--check",
        "--now",
        "2024-01-01T00:00Z",
        "--scenario",
        &scenario,
        "--format",
        "json",
    ]);
    let record: Value = serde_json::from_str(&outcome.out)
        .unwrap_or_else(|_| panic!("{name}: {}{}", outcome.out, outcome.err));
    record["workflows"][0].clone()
}

/// Its status, and its nodes with their status in the order of their start.
fn summary(workflow: &Value) -> (String, Vec<String>) {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let nodes = workflow["nodes"].as_array().expect("nodes");
    let line = |node: &Value| format!("{} {}", text(&node["name"]), text(&node["status"]));
    (text(&workflow["status"]), nodes.iter().map(line).collect())
}

fn ssh(name: &str, ok: &str, error: &str) -> String {
    format!(
        "<ssh name=\"{name}\"><host>u@h</host><command>c</command><capture-output/><transition name=\"OK\" to=\"{ok}\"/>\
         <transition name=\"ERROR\" to=\"{error}\"/></ssh>\n"
    )
}

const TAIL: &str = "<fail name=\"f\"><message>${wf:errorNode()} said ${wf:errorCode(wf:errorNode())}</message></fail>\n\
                    <end name=\"e\"/>\n";

#[test]
fn a_job_succeeds_at_its_end_and_fails_at_fail() {
    let nodes = format!("{TAIL}{}{}<start to=\"a\"/>", ssh("b", "e", "f"), ssh("a", "b", "f"));
    let (status, run) = summary(&play("hws-ends", &nodes, ""));
    assert_eq!(
        (status.as_str(), run),
        ("SUCCEEDED", vec!["a OK".to_owned(), "b OK".to_owned()]),
        "HWS-3.1.2-1 HWS-3.1.1-4 HWS-0-1 HWS-11-7"
    );
    let failed = play("hws-fails", &nodes, "[[action]]\nnode = \"b\"\nstatus = \"error\"\ncode = \"X7\"\n");
    let (status, run) = summary(&failed);
    assert_eq!(
        (status.as_str(), run),
        ("FAILED", vec!["a OK".to_owned(), "b ERROR".to_owned()]),
        "HWS-3.1.3-1 HWS-3.2.1.3-1"
    );
    // HWS-3.1.3-5 HWS-3.1.3-6 HWS-4.2.3-8 HWS-3.2.1.3-2: the message is evaluated, and tells why.
    assert_eq!(failed["error"]["message"], "b said X7", "{failed}");
}

/// HWS-3.1.4-1 HWS-3.1.4-2 HWS-3.1.4-3 HWS-3.1.4-11 HWS-1-3 HWS-4-1 HWS-3.2.1.3-3: a decision takes the transition of the first
/// predicate that is true, looked up by its name among its own transitions.
#[test]
fn a_decision_takes_the_transition_that_is_named() {
    let nodes = format!(
        "<start to=\"a\"/>\n{}<decision name=\"d\"><eval name=\"MANY\">${{action:output('a', 'rows') gt 10}}</eval><eval \
         name=\"c\">${{action:output('a', 'rows') gt 5}}</eval><default name=\"NONE\"/><transition name=\"MANY\" to=\"b\"/>\
         <transition name=\"c\" to=\"e\"/><transition name=\"NONE\" to=\"c\"/></decision>\n{}{}{TAIL}",
        ssh("a", "d", "d"),
        ssh("b", "e", "f"),
        ssh("c", "e", "f")
    );
    let went = |rows: &str| {
        let scenario = format!("[[action]]\nnode = \"a\"\noutput = {{ rows = \"{rows}\" }}\n");
        summary(&play(&format!("hws-decision-{rows}"), &nodes, &scenario)).1[1..].to_vec()
    };
    assert_eq!(went("20"), ["b OK"]);
    assert_eq!(went("7"), [""; 0], "a node of the same name is irrelevant");
    assert_eq!(went("1"), ["c OK"]);
}

/// HWS-16-1 HWS-10-1 HWS-3.1.5-1 HWS-3.1.5-2 HWS-3.1.2-2 HWS-3.1.2-3 HWS-3.1.3-2: paths start together and wait for each other; an end or a fail node
/// kills what still runs.
#[test]
fn forks_join_and_ends_kill_what_still_runs() {
    let fork = |second: &str| {
        format!(
            "<start to=\"s\"/>\n<fork name=\"s\"><transition to=\"a\"/><transition to=\"b\"/></fork>\n{}{}<join \
             name=\"j\"><transition to=\"c\"/></join>\n{}{TAIL}",
            ssh("a", "j", "f"),
            ssh("b", second, "f"),
            ssh("c", "e", "f")
        )
    };
    let slow = "[[action]]\nnode = \"a\"\nduration = \"9m\"\n";
    let joined = play("hws-fork", &fork("j"), slow);
    let at = |index: usize, key: &str| joined["nodes"][index][key].clone();
    assert_eq!(at(0, "from"), at(1, "from"));
    assert_eq!(at(2, "name"), "c");
    assert_eq!(at(2, "from"), at(0, "to"));
    let (status, run) = summary(&play("hws-end-in-fork", &fork("e"), slow));
    assert_eq!((status.as_str(), run), ("SUCCEEDED", vec!["a KILLED".to_owned(), "b OK".to_owned()]));
    let failing = format!("{slow}[[action]]\nnode = \"b\"\nstatus = \"error\"\n");
    let (status, run) = summary(&play("hws-fail-in-fork", &fork("j"), &failing));
    assert_eq!((status.as_str(), run), ("FAILED", vec!["a KILLED".to_owned(), "b ERROR".to_owned()]));
}

/// HWS-3.2.1.4-1 HWS-3.2.1.4-8 HWS-3.2.1.4-11 HWS-1-13 HWS-11-10: what is beyond recovery fails the job and takes no transition, what
/// needs somebody suspends it.
#[test]
fn failures_go_by_their_kind() {
    let nodes = format!("<start to=\"a\"/>\n{}{}{TAIL}", ssh("a", "e", "b"), ssh("b", "e", "f"));
    let with = |status: &str| {
        let scenario = format!("[[action]]\nnode = \"a\"\nstatus = \"{status}\"\n");
        summary(&play(&format!("hws-kind-{status}"), &nodes, &scenario))
    };
    assert_eq!(with("failed"), ("FAILED".to_owned(), vec!["a FAILED".to_owned()]));
    assert_eq!(with("non-transient").0, "SUSPENDED");
    assert_eq!(with("error"), ("SUCCEEDED".to_owned(), vec!["a ERROR".to_owned(), "b OK".to_owned()]));
}

/// HWS-3.1.4-17: a predicate that cannot be evaluated fails the job.
#[test]
fn a_predicate_without_a_value_fails_the_job() {
    let nodes = format!(
        "<start to=\"a\"/>\n{}<decision name=\"d\"><eval name=\"GO\">${{action:output('a', 'n') - 'x' gt 1}}</eval><default \
         name=\"NO\"/><transition name=\"GO\" to=\"e\"/><transition name=\"NO\" to=\"e\"/></decision>\n{TAIL}",
        ssh("a", "d", "d")
    );
    assert_eq!(summary(&play("hws-no-value", &nodes, "")).0, "FAILED");
}

/// HWS-3.2.6-1 HWS-3.2.6-3 HWS-3.2.6-6 HWS-3.2.6-7 HWS-3.2.6-10: a child is found by the name of its application, and gets what its
/// action gives and nothing else of its parent.
#[test]
fn a_child_is_found_by_its_name() {
    let parent = "<hadoop-workflow name=\"above\">\n<start to=\"a\"/>\n<sub-workflow name=\"a\"><hadoop-workflow>below\
                  </hadoop-workflow><configuration><property><name>given</name><value>${wf:conf('own')}</value></property>\
                  </configuration><transition name=\"OK\" to=\"e\"/><transition name=\"ERROR\" to=\"f\"/></sub-workflow>\n<fail \
                  name=\"f\"><message>child failed</message></fail>\n<end name=\"e\"/>\n</hadoop-workflow>\n";
    let child = "<hadoop-workflow name=\"below\">\n<start to=\"d\"/>\n<decision name=\"d\"><eval name=\"GO\">\
                 ${wf:conf('given') eq 'x' and empty wf:conf('own')}</eval><default name=\"NO\"/><transition name=\"GO\" to=\"e\"/>\
                 <transition name=\"NO\" to=\"f\"/></decision>\n<fail name=\"f\"><message>no</message></fail>\n<end name=\"e\"/>\n\
                 </hadoop-workflow>\n";
    let folder = folder_of("hws-child", &[("above/workflow.xml", parent), ("elsewhere/workflow.xml", child)]);
    let app = folder.join("above").display().to_string();
    let play = |own: &str| {
        let define = format!("own={own}");
        let config = folder.join("ankus.toml");
        std::fs::write(&config, "").expect("it is written");
        let outcome =
            ankus(&["simulate", "-q", &app, "-D", &define, "--now", "2024-01-01T00:00Z", "--format", "json"]);
        let record: Value =
            serde_json::from_str(&outcome.out).unwrap_or_else(|_| panic!("{}{}", outcome.out, outcome.err));
        let status = |index: usize| record["workflows"][index]["status"].as_str().unwrap_or("-").to_owned();
        (status(0), status(1))
    };
    assert_eq!(play("x"), ("SUCCEEDED".to_owned(), "SUCCEEDED".to_owned()));
    assert_eq!(play("y"), ("FAILED".to_owned(), "FAILED".to_owned()));
}

/// An operator of a scenario, at a minute.
fn operator(minute: u32, command: &str) -> String {
    format!("[[operator]]\nat = \"2024-01-01T00:{minute:02}Z\"\n{command}\n")
}

/// The states of a job.
fn states(workflow: &Value) -> Vec<String> {
    let states = workflow["spans"].as_array().expect("states");
    states.iter().map(|it| it["status"].as_str().expect("a state").to_owned()).collect()
}

/// HWS-12-1 HWS-12-3 HWS-12-4 HWS-12-5 HWS-12-10 HWS-12-14 HWS-12-15 HWS-12-16 HWS-12-19 HWS-4.2.3-10: a recovery skips what completed,
/// follows the transitions that were taken, still sees outputs, and counts.
#[test]
fn a_recovery_skips_what_completed() {
    let nodes = format!(
        "<start to=\"a\"/>\n{}{}<decision name=\"d\"><eval name=\"AGAIN\">${{wf:recovery() gt 0 and action:output('a', 'k') eq \
         'v' and wf:exitState('b') eq 'ERROR'}}</eval><default name=\"FIRST\"/><transition name=\"AGAIN\" to=\"c\"/><transition \
         name=\"FIRST\" to=\"f\"/></decision>\n{}{TAIL}",
        ssh("a", "b", "f"),
        ssh("b", "f", "d"),
        ssh("c", "e", "f")
    );
    let scenario = format!(
        "[[action]]\nnode = \"a\"\noutput = {{ k = \"v\" }}\n[[action]]\nnode = \"b\"\nstatus = \"error\"\n{}{}{}",
        operator(20, "command = \"rerun\"\nskip-nodes = [\"a\", \"b\"]"),
        operator(30, "command = \"rerun\"\nskip-nodes = [\"a\", \"b\", \"c\"]"),
        operator(31, "command = \"rerun\"\nskip-nodes = [\"a\", \"zzz\"]")
    );
    let played = play("hws-recovery", &nodes, &scenario);
    let (status, run) = summary(&played);
    assert_eq!(
        (status.as_str(), run),
        ("SUCCEEDED", vec!["a OK".into(), "b ERROR".into(), "c OK".into()]),
        "{played}"
    );
    let all = "CREATED RUNNING FAILED CREATED RUNNING SUCCEEDED CREATED RUNNING SUCCEEDED";
    assert_eq!(states(&played).join(" "), all, "HWS-1-12");
}

/// HWS-12-6 HWS-12-7 HWS-12-9 HWS-11-13 HWS-11-14: what did not complete cannot be skipped, and what is not over cannot be recovered.
#[test]
fn recoveries_that_are_refused_change_nothing() {
    let nodes = format!("<start to=\"a\"/>\n{}{}{TAIL}", ssh("a", "b", "f"), ssh("b", "e", "f"));
    let scenario = format!(
        "[[action]]\nnode = \"b\"\nstatus = \"failed\"\n{}{}{}{}{}",
        operator(1, "command = \"rerun\"\nskip-nodes = [\"a\"]"),
        operator(20, "command = \"rerun\"\nskip-nodes = [\"a\", \"b\"]"),
        operator(21, "command = \"rerun\"\nskip-nodes = [\"nobody\"]"),
        operator(22, "command = \"suspend\""),
        operator(23, "command = \"start\"")
    );
    let played = play("hws-refused", &nodes, &scenario);
    assert_eq!(states(&played), ["CREATED", "RUNNING", "FAILED"], "{played}");
    assert_eq!(summary(&played).1, ["a OK", "b FAILED"]);
}

/// HWS-11-1 HWS-11-2 HWS-11-4 HWS-11-5 HWS-11-6 HWS-11-8 HWS-11-11 HWS-11-3 HWS-11-12: jobs are CREATED, run, wait and are killed.
#[test]
fn jobs_are_created_started_suspended_and_killed() {
    let nodes = format!("<start to=\"a\"/>\n{}{}{TAIL}", ssh("a", "b", "f"), ssh("b", "e", "f"));
    let with = |name: &str, operators: &[String]| play(name, &nodes, &operators.concat());
    let submit = operator(0, "command = \"submit\"\nstart = false");
    let start = operator(1, "command = \"start\"");
    let started = with("hws-created", &[submit.clone(), operator(0, "command = \"suspend\""), start.clone()]);
    assert_eq!(states(&started), ["CREATED", "RUNNING", "SUCCEEDED"]);
    assert_eq!(started["nodes"][0]["from"], "2024-01-01T00:01Z", "no node is entered before the start");
    let killed = with("hws-created-killed", &[submit.clone(), operator(1, "command = \"kill\"")]);
    assert_eq!(states(&killed), ["CREATED", "KILLED"]);
    let waits = [submit, start, operator(2, "command = \"suspend\""), operator(30, "command = \"resume\"")];
    let waited = with("hws-suspended", &waits);
    assert_eq!(states(&waited), ["CREATED", "RUNNING", "SUSPENDED", "RUNNING", "SUCCEEDED"]);
    assert_eq!(waited["nodes"][0]["to"], "2024-01-01T00:30Z", "the end of what ran is taken in then");
    assert_eq!(waited["nodes"][1]["from"], "2024-01-01T00:30Z", "and nothing is entered until the resume");
    let killed = with("hws-running-killed", &[operator(2, "command = \"kill\"")]);
    assert_eq!(states(&killed), ["CREATED", "RUNNING", "KILLED"]);
}

/// HWS-3.2.1.4-2 HWS-3.2.1.4-3 HWS-3.2.1.4-5 HWS-3.2.1.4-7 HWS-3.2.1.4-9: what is transient is tried again after a time that is fixed or
/// grows, by the properties of the job; then somebody has to look at it.
#[test]
fn transient_failures_are_retried() {
    let text = format!(
        "<hadoop-workflow name=\"w\">\n<start to=\"a\"/>\n{}{TAIL}</hadoop-workflow>\n",
        ssh("a", "e", "f")
    );
    let scenario = "[[action]]\nnode = \"a\"\nstatus = \"transient\"\n[[action]]\nnode = \"a\"\nattempt = 4\nstatus = \"ok\"\n";
    let folder = folder_of("hws-retries", &[("app/workflow.xml", &text), ("s.toml", scenario)]);
    let path = |file: &str| folder.join(file).display().to_string();
    let starts = |properties: &[&str]| {
        let mut given = vec!["simulate".to_owned(), "-q".into(), path("app"), "--check".into()];
        given.extend(["--now", "2024-01-01T00:00Z", "--format", "json", "--scenario"].map(str::to_owned));
        given.push(path("s.toml"));
        given.extend(properties.iter().flat_map(|it| ["-D".to_owned(), (*it).to_owned()]));
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let outcome = ankus(&given);
        let record: Value = serde_json::from_str(&outcome.out).unwrap_or_else(|_| panic!("{}", outcome.err));
        let workflow = record["workflows"][0].clone();
        let starts: Vec<String> = workflow["nodes"]
            .as_array()
            .expect("nodes")
            .iter()
            .map(|run| run["from"].as_str().expect("a time")[11..].to_owned())
            .collect();
        (workflow["status"].as_str().expect("a state").to_owned(), starts)
    };
    let (status, fixed) = starts(&["hws.action.retry.max=3", "hws.action.retry.interval=60"]);
    assert_eq!((status.as_str(), fixed.join(" ")), ("SUCCEEDED", "00:00Z 00:01Z 00:02Z 00:03Z".into()));
    let (_, grows) = starts(&[
        "hws.action.retry.max=3",
        "hws.action.retry.interval=60",
        "hws.action.retry.policy=exponential",
    ]);
    assert_eq!(grows.join(" "), "00:00Z 00:01Z 00:03Z 00:07Z");
    let (status, few) =
        starts(&["hws.action.retry.max=3", "hws.action.retry.max.ssh=1", "hws.action.retry.interval=60"]);
    assert_eq!((status.as_str(), few.join(" ")), ("SUSPENDED", "00:00Z 00:01Z".into()), "by type");
    let (status, later) = starts(&["oozie.wf.action.max.retries=0", "hws.action.retry.interval=1"]);
    assert_eq!((status.as_str(), later.len()), ("SUCCEEDED", 4), "names of the later dialect say nothing");
}

/// HWS-3.1.4-16 HWS-3.2.2-4 HWS-3.2.2-5 HWS-3.2.2-6 HWS-4.2.4-1 HWS-4.2.4-2 HWS-4.2.4-3: counters, state, id and tracker of a Hadoop job.
#[test]
fn decisions_see_hadoop_jobs() {
    let hadoop = "<hadoop name=\"a\"><configuration><property><name>mapred.job.tracker</name><value>jt:8021</value></property>\
                  <property><name>fs.default.name</name><value>hdfs://n:1</value></property></configuration><transition \
                  name=\"OK\" to=\"d\"/><transition name=\"ERROR\" to=\"d\"/></hadoop>\n";
    let nodes = format!(
        "<start to=\"a\"/>\n{hadoop}<decision name=\"d\"><eval name=\"BAD\">${{hadoop:jobStatus('a') eq 'FAILED'}}</eval><eval name=\"MANY\">${{hadoop:jobCounters('a')['G']['IN'] gt 40 and \
         hadoop:jobTracker('a') eq 'jt:8021' and not empty hadoop:jobId('a') and hadoop:jobStatus('a') eq 'SUCCEEDED'}}</eval><default name=\"FEW\"/><transition name=\"MANY\" to=\"b\"/>\
         <transition name=\"BAD\" to=\"f\"/><transition name=\"FEW\" to=\"c\"/></decision>\n{}{}{TAIL}",
        ssh("b", "e", "f"),
        ssh("c", "e", "f")
    );
    let went = |name: &str, says: &str| {
        let scenario = format!("[[action]]\nnode = \"a\"\n{says}\n");
        summary(&play(&format!("hws-hadoop-{name}"), &nodes, &scenario))
    };
    assert_eq!(went("many", "counters = { G = { IN = 42 } }").1, ["a OK", "b OK"]);
    assert_eq!(went("few", "counters = { G = { IN = 2 } }").1, ["a OK", "c OK"]);
    assert_eq!(went("bad", "status = \"error\"").0, "FAILED");
}

/// HWS-3.1.4-2 HWS-5.1-6: later predicates are not looked at once one is true, whatever is wrong with them.
#[test]
fn later_predicates_are_not_evaluated() {
    let nodes = format!(
        "<start to=\"a\"/>\n{}<decision name=\"d\"><eval name=\"GO\">${{wf:exitState('a') eq 'OK'}}</eval><eval \
         name=\"NO\">${{action:output('a', 'n') - 'x' gt 1}}</eval><default name=\"NO\"/><transition name=\"GO\" to=\"e\"/>\
         <transition name=\"NO\" to=\"f\"/></decision>\n{TAIL}",
        ssh("a", "d", "d")
    );
    assert_eq!(summary(&play("hws-lazy", &nodes, "")).0, "SUCCEEDED");
}

/// HWS-3.2.7-7 HWS-3.2.7-6: an http action that waits for a callback which does not come leaves its job running; one that does not wait goes on.
#[test]
fn a_callback_that_never_comes() {
    let nodes = format!(
        "<start to=\"a\"/>\n<http name=\"a\"><url>http://h/?c=${{urlEncode(wf:callback('%E%'))}}</url><mode>WAIT</mode><transition \
         name=\"OK\" to=\"e\"/><transition name=\"ERROR\" to=\"f\"/></http>\n{TAIL}"
    );
    let waits = play(
        "hws-hangs",
        &nodes,
        "until = \"2024-01-02T00:00Z\"\n[[action]]\nnode = \"a\"\nstatus = \"hangs\"\n",
    );
    assert_eq!(summary(&waits), ("RUNNING".to_owned(), vec!["a RUNNING".to_owned()]));
    assert_eq!(summary(&play("hws-goes-on", &nodes.replace("WAIT", "CONTINUE"), "")).0, "SUCCEEDED");
}

/// HWS-3.2.4-2 HWS-3.2.4-3 HWS-3.2.4-7 HWS-3.2.4-9 HWS-3.2.4-13 HWS-3.2.4-14 HWS-3.2.4-15 HWS-3.2.4-17 HWS-4.2.5-3 HWS-4.2.5-4 HWS-4.2.5-6
/// HWS-3.1.4-14: an hdfs action looks at all commands before it does the first, and what it makes is seen by decisions.
#[test]
fn hdfs_actions_change_files() {
    let nodes = |commands: &str| {
        format!(
            "<start to=\"a\"/>\n<hdfs name=\"a\"><file-system>hdfs://n:1</file-system><user>tucu</user><commands>{commands}\
             </commands><transition name=\"OK\" to=\"d\"/><transition name=\"ERROR\" to=\"d\"/></hdfs>\n<decision name=\"d\">\
             <eval name=\"MOVED\">${{hdfs:exists('hdfs://n:1', '/user/tucu/archives/in') and not hdfs:exists('hdfs://n:1', \
             '/in')}}</eval><eval name=\"MADE\">${{hdfs:isDir('hdfs://n:1', '/made')}}</eval><eval name=\"BIG\">\
             ${{hdfs:fileSize('hdfs://n:1', '/file') eq 7}}</eval><default name=\"NO\"/><transition name=\"MOVED\" to=\"moved\"/>\
             <transition name=\"MADE\" to=\"made\"/><transition name=\"BIG\" to=\"big\"/><transition name=\"NO\" to=\"f\"/>\
             </decision>\n{}{}{}{TAIL}",
            ssh("moved", "e", "f"),
            ssh("made", "e", "f"),
            ssh("big", "e", "f")
        )
    };
    let files = "[files]\n\"hdfs://n:1/in/part\" = 5\n\"hdfs://n:1/file\" = 7\n";
    let went =
        |name: &str, commands: &str| summary(&play(&format!("hws-hdfs-{name}"), &nodes(commands), files)).1;
    let moved = "<mkdir path=\"archives\"/><move source=\"/in\" target=\"archives/in\"/>";
    assert_eq!(went("moved", moved), ["a OK", "moved OK"]);
    assert_eq!(went("made", "<mkdir path=\"/made\"/>"), ["a OK", "made OK"]);
    let nothing_done = ["a ERROR", "big OK"];
    assert_eq!(
        went("target", "<mkdir path=\"/made\"/><move source=\"/in\" target=\"/file\"/>"),
        nothing_done
    );
    assert_eq!(went("source", "<delete path=\"/in\"/><move source=\"/in\" target=\"/new\"/>"), nothing_done);
    assert_eq!(went("above", "<move source=\"/in\" target=\"/none/new\"/>"), nothing_done);
}

/// HWS-0-1 HWS-3.1.5-6: whatever random apps of the dialect do, the invariants hold; operators suspend, resume, kill and recover.
#[test]
fn random_apps_keep_the_invariants() {
    let seeds = std::env::var("ANKUS_HWS_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(40);
    let mut ends = std::collections::BTreeMap::<String, usize>::new();
    for seed in 0..seeds {
        let app = hws_apps::random(seed, true);
        let mut numbers = hws_apps::Numbers::new(seed + 1_000_000);
        let mut scenario = app.scenario.clone();
        for _ in 0..numbers.below(4) {
            let minute = numbers.below(59) as u32;
            let command = match numbers.below(4) {
                0 => "command = \"suspend\"".to_owned(),
                1 => "command = \"resume\"".to_owned(),
                2 if numbers.below(4) == 0 => "command = \"kill\"".to_owned(),
                _ => {
                    let skip = &app.actions[numbers.below(app.actions.len() as u64) as usize];
                    format!("command = \"rerun\"\nskip-nodes = [\"{skip}\"]")
                }
            };
            scenario.push_str(&operator(minute, &command));
        }
        let folder = folder_of("hws-random", &[("app/workflow.xml", &app.definition), ("s.toml", &scenario)]);
        let path = |file: &str| folder.join(file).display().to_string();
        let (app, file) = (path("app"), path("s.toml"));
        let given = [
            "simulate",
            "-q",
            &app,
            "--check",
            "--now",
            "2024-01-01T00:00Z",
            "--scenario",
            &file,
            "--format",
            "json",
        ];
        let outcome = ankus(&given);
        let record: Value = serde_json::from_str(&outcome.out)
            .unwrap_or_else(|_| panic!("seed {seed}: {}{}", outcome.out, outcome.err));
        let status = record["workflows"][0]["status"].as_str().expect("a state").to_owned();
        *ends.entry(status).or_default() += 1;
    }
    assert!(ends.len() >= 2, "{ends:?}");
}

/// HWS-3.2.3-3: what comes behind a pig action starts at its end.
#[test]
fn pig_actions_are_waited_for() {
    let pig = "<pig name=\"a\"><pig-host>u@h</pig-host><pig-script>s.pig</pig-script><transition name=\"OK\" to=\"b\"/><transition \
               name=\"ERROR\" to=\"f\"/></pig>\n";
    let nodes = format!("<start to=\"a\"/>\n{pig}{}{TAIL}", ssh("b", "e", "f"));
    let played = play("hws-pig", &nodes, "[[action]]\nnode = \"a\"\nduration = \"17m\"\n");
    assert_eq!(played["nodes"][0]["to"], played["nodes"][1]["from"]);
    assert_eq!(played["nodes"][0]["to"], "2024-01-01T00:17Z");
}
