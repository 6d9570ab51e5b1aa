//! `upgrade` of `hadoop-workflow` to workflow 1.0: what is written, what is lost, and the proof that both play alike.

use std::path::Path;

use serde_json::Value;

use crate::support::hws_apps;
use crate::support::{ankus, folder_of, root};

/// Upgrades an app; the exit code and the findings as `rule line message`.
fn upgrade(app: &Path, output: &Path) -> (u8, Vec<String>) {
    let _ = std::fs::remove_dir_all(output);
    let (app, output) = (app.to_string_lossy(), output.to_string_lossy());
    let outcome = ankus(&["upgrade", &app, "-o", &output, "--format", "json"]);
    if outcome.code == 0 {
        return (0, Vec::new());
    }
    let report: Value = serde_json::from_str(&outcome.out)
        .unwrap_or_else(|_| panic!("{app}: {}{}", outcome.out, outcome.err));
    let line = |finding: &Value| {
        let text = |key: &str| finding[key].as_str().unwrap_or("").to_owned();
        format!("{} {} {}", text("rule"), finding["start"]["line"], text("message"))
    };
    (outcome.code, report["findings"].as_array().expect("findings").iter().map(line).collect())
}

/// Plays an app; how its job ended, and its actions with their ends in the order of their starts.
fn played(app: &Path, scenario: &Path, more: &[&str]) -> (String, Vec<String>) {
    let (app, scenario) = (app.to_string_lossy(), scenario.to_string_lossy());
    let given = [
        "simulate",
        "-q",
        &app,
        "--check",
        "--now",
        "2024-01-01T00:00Z",
        "--format",
        "json",
        "--scenario",
        &scenario,
    ];
    let outcome = ankus(&[&given[..], more].concat());
    let record: Value = serde_json::from_str(&outcome.out)
        .unwrap_or_else(|_| panic!("{app}: {}{}", outcome.out, outcome.err));
    let workflow = &record["workflows"][0];
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let line = |run: &Value| {
        format!("{} {} {} {}", text(&run["name"]), text(&run["status"]), text(&run["from"]), text(&run["to"]))
    };
    let runs = workflow["nodes"].as_array().expect("nodes").iter().map(line).collect();
    (text(&workflow["status"]), runs)
}

/// Both apps give the same actions at the same times, and end alike; a `fail` node ends one as FAILED and the other as KILLED.
fn assert_alike(old: &Path, new: &Path, scenario: &Path, more: &[&str]) {
    let (before, after) = (played(old, scenario, more), played(new, scenario, more));
    assert_eq!(before.1, after.1, "{}", old.display());
    let ends = (before.0.as_str(), after.0.as_str());
    assert!(ends == ("FAILED", "KILLED") || ends.0 == ends.1, "{}: {ends:?}", old.display());
}

fn clean(app: &Path) {
    let outcome = ankus(&["check", &app.to_string_lossy(), "--format", "json"]);
    let report: Value = serde_json::from_str(&outcome.out).expect("JSON");
    let errors =
        report["findings"].as_array().expect("findings").iter().filter(|it| it["severity"] == "error");
    assert_eq!(errors.count(), 0, "{}", outcome.out);
}

/// HWS-X-1 HWS-X-2: every example is upgraded or refused by name; what is written passes `check` and plays alike.
#[test]
fn the_examples_are_upgraded_and_play_alike() {
    let out = folder_of("hws-upgraded", &[("none.toml", "")]);
    let scenario = out.join("none.toml");
    for name in
        ["decision", "email", "fork-join", "hdfs", "map-reduce", "parameters", "pig", "ssh", "streaming"]
    {
        let (old, new) = (root().join("fixtures/hws").join(name), out.join(name));
        let (code, findings) = upgrade(&old, &new);
        assert!(
            code <= 1 && !findings.iter().any(|it| it.starts_with("upgrade-refused")),
            "{name}: {findings:#?}"
        );
        clean(&new);
        let given =
            ["-D", "resourceManager=rm:1", "-D", "nameNode=hdfs://nn:1", "-D", "hadoop.job.tracker=j:1"];
        let own = match name {
            // Later servers look at every predicate, also at one that asks for counters.
            "decision" => {
                "[[action]]\nnode = \"secondjob\"\ncounters = { \"org.apache.hadoop.mapred.Task$Counter\" = { \
                           REDUCE_OUTPUT_RECORDS = 5 } }\n"
            }
            _ => "",
        };
        std::fs::write(&scenario, own).expect("it is written");
        assert_alike(&old, &new, &scenario, &given);
        let named = std::fs::read_to_string(new.join("workflow.xml")).expect("it is written");
        assert!(named.contains("uri:oozie:workflow:1.0"), "{named}");
    }
    let (code, findings) = upgrade(&root().join("fixtures/hws/http"), &out.join("http"));
    assert!(code == 1 && findings[0].starts_with("upgrade-refused"), "{findings:?}");
    assert!(!out.join("http").exists(), "nothing is written of what is refused");
}

/// HWS-X-1 HWS-X-2: random apps play alike before and after.
#[test]
fn random_apps_play_alike() {
    let seeds = std::env::var("ANKUS_HWS_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(25);
    let (mut upgraded, mut refused) = (0, 0);
    for seed in 0..seeds {
        let app = hws_apps::random(seed, false);
        let folder = folder_of(
            "hws-random-upgrade",
            &[("old/workflow.xml", &app.definition), ("s.toml", &app.scenario)],
        );
        let (old, new) = (folder.join("old"), folder.join("new"));
        let (_, findings) = upgrade(&old, &new);
        if findings.iter().any(|it| it.starts_with("upgrade-refused")) {
            assert!(
                findings.iter().all(|it| !it.starts_with("upgrade-refused") || it.contains("wf:exitState")),
                "{findings:?}"
            );
            refused += 1;
            continue;
        }
        upgraded += 1;
        assert_alike(&old, &new, &folder.join("s.toml"), &[]);
    }
    assert!(upgraded > refused, "{upgraded} of {seeds}");
}

/// An app of these nodes between a start and an end.
fn app(name: &str, nodes: &str) -> std::path::PathBuf {
    let text = format!(
        "<!-- the head -->\n<hadoop-workflow name=\"w\">\n  <end name=\"e\"/>\n  {nodes}\n  <!-- the start -->\n  <start \
         to=\"a\"/>\n  <!-- how it fails -->\n  <fail name=\"f\"><message>${{wf:errorNode()}}</message></fail>\n  <!-- last \
         -->\n</hadoop-workflow>\n"
    );
    folder_of(name, &[("old/workflow.xml", &text)])
}

const TRANSITIONS: &str = "<transition name=\"OK\" to=\"e\"/>\n    <transition name=\"ERROR\" to=\"f\"/>\n  ";

/// Comments and layout stay with their elements, which get the order that schemas want.
#[test]
fn comments_move_with_their_elements() {
    let folder = app(
        "hws-upgrade-layout",
        &format!(
            "<!-- the work -->\n  <ssh name=\"a\">\n    <command>c</command>\n    <!-- where -->\n    <host>u@h</host>\n    {TRANSITIONS}\
             </ssh>"
        ),
    );
    let (code, findings) = upgrade(&folder.join("old"), &folder.join("new"));
    assert_eq!((code, findings.len()), (1, 1), "{findings:?}");
    assert!(findings[0].starts_with("upgrade-loss 15"), "{findings:?}");
    let text = std::fs::read_to_string(folder.join("new/workflow.xml")).expect("it is written");
    let expected = "<!-- the head -->\n<workflow-app xmlns=\"uri:oozie:workflow:1.0\" name=\"w\">\n  <!-- the start -->\n  <start \
                    to=\"a\"/>\n  <!-- the work -->\n  <action name=\"a\">\n    <ssh xmlns=\"uri:oozie:ssh-action:0.2\">\n      \
                    <!-- where -->\n      <host>u@h</host>\n      <command>c</command>\n    </ssh>\n    <ok to=\"e\"/>\n    <error \
                    to=\"f\"/>\n  </action>\n  <!-- how it fails -->\n  <kill name=\"f\">\n    <message>${wf:lastErrorNode()}</message>\
                    \n  </kill>\n  <end name=\"e\"/>\n  <!-- last -->\n</workflow-app>\n";
    assert_eq!(text, expected);
    let diff = ankus(&["upgrade", &folder.join("old").to_string_lossy(), "--diff"]);
    assert!(diff.code == 1 && diff.out.contains("+++ b/workflow.xml"), "{}{}", diff.out, diff.err);
    assert!(diff.err.contains("KILLED"), "losses stand beside a difference: {}", diff.err);
}

/// Every kind of loss is a finding at its place, and what cannot be kept is refused by name.
#[test]
fn losses_and_refusals_have_places() {
    let of = |name: &str, nodes: &str| {
        let folder = app(&format!("hws-loss-{name}"), nodes);
        let (_, findings) = upgrade(&folder.join("old"), &folder.join("new"));
        let text = std::fs::read_to_string(folder.join("new/workflow.xml")).unwrap_or_default();
        (findings.join("\n"), text)
    };
    let ssh =
        |args: &str| format!("<ssh name=\"a\"><host>u@h</host><command>c</command>{args}{TRANSITIONS}</ssh>");
    let capturing = |args: &str| ssh(&format!("{args}<capture-output/>"));
    let (found, text) = of(
        "expressions",
        &capturing(
            "<args>${wf:appName()} ${concat('x', wf:errorCode('a'), 'z')} ${hdfs:fileSize('hdfs://n:1', '/x')} ${timestamp()} \
             ${wf:recovery() + 1} ${action:output('a', 'k')} ${hadoop:jobStatus('a') eq 'OK' ? 1 : 2}</args>",
        ),
    );
    let args = "<args>${wf:name()} ${concat(concat('x', wf:errorCode('a')), 'z')} ${fs:fileSize(concat('hdfs://n:1', '/x'))} \
                ${timestamp()} ${wf:run() + 1} ${wf:actionData('a')['k']} ${wf:actionExternalStatus('a') eq 'OK' ? 1 : 2}</args>";
    assert!(text.contains(args), "{text}\n{found}");
    for words in ["has no seconds", "size of a folder", "FAILED/KILLED"] {
        assert!(found.contains(words), "{words}: {found}");
    }
    let (found, text) = of("exit", &ssh("<args>${wf:exitState('a') == 'OK' ? 1 : 2}</args>"));
    assert!(text.contains("${wf:transition('a') == 'e' ? 1 : 2}"), "{text}{found}");
    let (found, text) = of("exit-refused", &ssh("<args>${wf:exitState('a')}</args>"));
    assert!(found.contains("upgrade-refused 4") && text.is_empty(), "{found}");
    let (found, text) = of("missing", &ssh("").replace("<transition name=\"ERROR\" to=\"f\"/>", ""));
    assert!(
        text.is_empty() || (text.contains("missing-transition") && found.contains("missing transition")),
        "{text}{found}"
    );
    let (found, text) = of(
        "user",
        &format!(
            "<hadoop name=\"a\"><configuration><property><name>mapred.job.tracker</name><value>j:1</value></property><property><name>\
             fs.default.name</name><value>hdfs://n:1</value></property><property><name>user.name</name><value>x</value></property>\
             </configuration>{TRANSITIONS}</hadoop>"
        ),
    );
    assert!(found.contains("upgrade-refused 4") && found.contains("user.name") && text.is_empty(), "{found}");
    let end_in_fork = "<fork name=\"a\"><transition to=\"b\"/><transition to=\"c\"/></fork><ssh name=\"b\"><host>u@h</host><command>c\
                       </command><transition name=\"OK\" to=\"j\"/><transition name=\"ERROR\" to=\"e\"/></ssh><ssh name=\"c\"><host>\
                       u@h</host><command>c</command><transition name=\"OK\" to=\"j\"/><transition name=\"ERROR\" to=\"f\"/></ssh>\
                       <join name=\"j\"><transition to=\"e\"/></join>";
    let (found, text) = of("end", end_in_fork);
    assert!(found.contains("E0737") && text.is_empty(), "{found}");
}

/// HWS-7-13: a package made from a folder is the same application, byte for byte the same each time.
#[test]
fn a_packed_folder_is_the_same_application() {
    let out = folder_of("hws-packed", &[("x", "")]);
    for name in ["decision", "map-reduce", "streaming", "pig"] {
        let folder = root().join("fixtures/hws").join(name);
        let folder = folder.to_string_lossy();
        let (one, two) = (out.join(format!("{name}.zip")), out.join(format!("{name}2.zip")));
        for package in [&one, &two] {
            let packed = ankus(&["app", "pack", &folder, "-o", &package.to_string_lossy()]);
            assert_eq!(packed.code, 0, "{}", packed.err);
        }
        assert_eq!(std::fs::read(&one).expect("one"), std::fs::read(&two).expect("two"));
        let one = one.to_string_lossy();
        let plan = |app: &str| {
            let given = [
                "plan",
                app,
                "--format",
                "json",
                "--now",
                "2024-01-01T00:00Z",
                "-D",
                "oozie.wf.application.path=x",
            ];
            let plan: Value = serde_json::from_str(&ankus(&given).out).expect("JSON");
            plan["nodes"].clone()
        };
        assert_eq!(plan(&folder), plan(&one), "{name}");
        assert_eq!(ankus(&["check", &one]).code, ankus(&["check", &folder]).code, "{name}");
    }
    let empty = ankus(&["app", "pack", &out.to_string_lossy()]);
    assert!(empty.code == 2 && empty.err.contains("workflow.xml"), "{}", empty.err);
}
