//! What `run`, `jobs` and `job` say of slips, and of why something failed.

use std::path::Path;

use crate::run::{ankus, project, shell, statuses, workflow};

fn said(folder: &Path, arguments: &[&str], code: i32, words: &[&str]) {
    let (got, out, err) = ankus(folder, arguments);
    assert_eq!(got, code, "{arguments:?}\n{out}{err}");
    for words in words {
        assert!(out.contains(words) || err.contains(words), "{arguments:?}: {words}\n{out}{err}");
    }
}

#[test]
#[cfg(unix)]
fn what_failed_is_told_where_it_happens() {
    let nodes = format!(r#"<start to="a"/>{}"#, shell("a", "x.sh", &["7"], "end"));
    let text = workflow("w", &nodes);
    let folder =
        project("run-words-why", &[("app/workflow.xml", &text), ("app/x.sh", "#!/bin/sh\nexit $1\n")]);
    said(
        &folder,
        &["run", "app"],
        1,
        &[
            "@a  DONE -> ERROR  JA018: ",
            "-W  RUNNING -> KILLED  E0729: ",
            "exit code [7]",
            "0000001-W KILLED after ",
            ": 0 actions OK, 1 failed\n  0000001-W@a failed: JA018: ",
            "next: `ankus job 0000001-W log --action a`\n",
        ],
    );
    let (_, _, err) = ankus(&folder, &["-q", "run", "app"]);
    assert_eq!(err, "");
    // A retry says why, too.
    let text = text.replace("<argument>7</argument>", "<argument>${gone}</argument>");
    std::fs::write(folder.join("app/workflow.xml"), text).expect("it can be written");
    said(&folder, &["run", "app", "--stub", "b"], 2, &["--stub b", "no workflow of the project"]);
}

#[test]
fn a_stub_that_names_nothing_is_refused_before_anything_runs() {
    let nodes = format!(r#"<start to="load"/>{}"#, shell("load", "x.sh", &[], "end"));
    let text = workflow("w", &nodes);
    let files =
        [("app/workflow.xml", text.as_str()), ("app/x.sh", ""), ("coord/coordinator.xml", COORDINATOR)];
    let folder = project("run-words-stub", &files);
    said(&folder, &["run", "app", "--stub", "shel"], 2, &["no type of actions", "did you mean `shell`?"]);
    said(&folder, &["run", "app", "--stub", "laod=ERROR"], 2, &["did you mean `load`?"]);
    said(&folder, &["run", "coord", "--stub", "start"], 2, &["--stub start"]);
    assert!(!folder.join(".ankus").exists());
    said(&folder, &["run", "app", "--jobs", "0"], 2, &["a number from 1 on"]);
    said(&folder, &["run", "app", "--stub", "load=ERROR"], 1, &["it is said to have failed"]);
    said(&folder, &["run", "coord", "--stub", "load"], 0, &[]);
    said(&folder, &["run", "--stub", "load"], 2, &["APP"]);
}

const COORDINATOR: &str = r#"<coordinator-app name="c" frequency="10" start="2024-01-01T00:00Z" end="2024-01-01T00:20Z"
    timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><action><workflow><app-path>hdfs://nn/apps/app</app-path></workflow>
    </action></coordinator-app>"#;

#[test]
fn what_is_not_there_is_told() {
    let nodes = format!(r#"<start to="load"/>{}"#, shell("load", "x.sh", &[], "end"));
    let text = workflow("w", &nodes);
    let folder = project("run-words-not-there", &[("app/workflow.xml", &text), ("app/x.sh", "")]);
    said(&folder, &["-q", "run", "app", "--stub", "all"], 0, &[]);
    said(&folder, &["job", "1-W", "log", "--action", "nope"], 2, &["`0000001-W` has no part `nope`"]);
    said(&folder, &["job", "1-W@nope", "log"], 2, &["has no part `nope`"]);
    said(&folder, &["job", "1-W", "log", "--action", "load", "--attempt", "7"], 2, &["was tried 7 times"]);
    said(&folder, &["job", "1-W@load", "log"], 0, &[]);
    said(&folder, &["job", "0000001-999-other-W", "info"], 2, &["no job `0000001-999-other-W`"]);
    let (_, out, _) = ankus(&folder, &["jobs"]);
    said(&folder, &["job", out.split(' ').next().expect("an id"), "info"], 0, &["SUCCEEDED"]);
    said(&folder, &["job", "1-W@load", "rerun", "--failed"], 2, &["leave `@load` away"]);
    said(&folder, &["jobs", "--status", "FOO"], 2, &["no job is ever in it", "RUNNINGWITHERROR"]);
    said(&folder, &["jobs", "--status", "killed,succeeded"], 0, &["SUCCEEDED"]);
    said(&folder, &["job", "1-W", "pause"], 2, &["`pause` is for coordinators and bundles", "`suspend`"]);
    said(&folder, &["job", "1-W", "change", "--end", "2024-01-01T00:00Z"], 2, &["`change` is for"]);
    said(&folder, &["job", "1-W", "ignore"], 2, &["`ignore` is for", "`kill`"]);
}

#[test]
fn names_from_files_make_no_lines_of_ours() {
    let text = workflow("${n}", r#"<start to="end"/>"#);
    let folder = project("run-words-lines", &[("app/workflow.xml", &text)]);
    said(&folder, &["-q", "run", "app", "-D", "n=x\u{1b}[31mred\nFAKE"], 0, &[]);
    for command in [&["jobs"][..], &["job", "1-W", "info"]] {
        let (_, out, _) = ankus(&folder, command);
        assert!(out.contains("x\\u001b[31mred | FAKE"), "{out}");
    }
}

#[test]
fn an_app_that_is_refused_is_no_job_that_failed() {
    let text = workflow("w", r#"<start to="nowhere"/>"#);
    let folder = project("run-words-refused", &[("app/workflow.xml", &text)]);
    said(&folder, &["run", "app"], 2, &["nowhere"]);
    said(&folder, &["submit", "app"], 2, &["nowhere"]);
    assert!(!folder.join(".ankus").exists());
}

#[test]
fn an_unfinished_job_keeps_its_properties() {
    let nodes = format!(r#"<start to="load"/>{}"#, shell("load", "x.sh", &["${whom}"], "end"));
    let text = workflow("w", &nodes);
    let folder = project("run-words-goes-on", &[("app/workflow.xml", &text), ("app/x.sh", "")]);
    // Who says run means that it is started, too.
    said(&folder, &["submit", "app", "-D", "whom=a"], 0, &[]);
    let words = [
        "goes on with the unfinished job 0000001-W",
        "ignored: the properties of -c and -D",
        "`ankus job 0000001-W kill`, then `ankus job 0000001-W rerun --failed -D …`",
        "--new",
    ];
    said(&folder, &["run", "app", "-D", "whom=b", "--stub", "all"], 0, &words);
    assert_eq!(statuses(&folder), ["SUCCEEDED"]);
}

#[test]
fn an_app_that_is_named_decides_the_exit_code() {
    let nodes = format!(r#"<start to="load"/>{}"#, shell("load", "x.sh", &[], "end"));
    let text = workflow("w", &nodes);
    let files = [("app/workflow.xml", text.as_str()), ("app/x.sh", ""), ("other/workflow.xml", &text)];
    let folder = project("run-words-beside", &files);
    said(&folder, &["submit", "other"], 0, &[]);
    said(&folder, &["run", "app", "--stub", "all"], 0, &["0000001-W waits for `ankus job 0000001-W start`"]);
    said(&folder, &["run"], 1, &["nothing will happen any more by itself"]);
    assert_eq!(statuses(&folder), ["PREP", "SUCCEEDED"]);
    let stands = "no executor works on this store; `ankus run` goes on";
    assert!(!ankus(&folder, &["job", "1-W", "info"]).1.contains(stands));
    said(&folder, &["job", "1-W", "start"], 0, &[]);
    said(&folder, &["job", "1-W", "info"], 0, &["RUNNING", stands]);
    assert!(!ankus(&folder, &["job", "2-W", "info"]).1.contains(stands));
    said(&folder, &["run", "app", "--external-id", " "], 2, &["a name of one line"]);
    said(&folder, &["job", "1-W", "change"], 2, &["`change` is for"]);
}

#[test]
#[cfg(unix)]
fn others_cannot_look_into_a_store() {
    use std::os::unix::fs::PermissionsExt;
    let nodes = format!(r#"<start to="load"/>{}"#, shell("load", "x.sh", &[], "end"));
    let text = workflow("w", &nodes);
    let folder =
        project("run-words-private", &[("app/workflow.xml", &text), ("app/x.sh", ""), ("open/x", "")]);
    for store in [".ankus", "open"] {
        said(&folder, &["-q", "run", "app", "--new", "--stub", "all", "--store", store], 0, &[]);
        let mode = |path: &str| {
            let meta = std::fs::metadata(folder.join(store).join(path)).expect("it is there");
            meta.permissions().mode() & 0o777
        };
        assert_eq!((mode("store.sqlite"), mode("work")), (0o600, 0o700), "{store}");
    }
    let mode = std::fs::metadata(folder.join(".ankus")).expect("a folder").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn options_that_mean_nothing_here_are_refused() {
    let text = workflow("w", r#"<start to="end"/>"#);
    let folder = project("run-words-options", &[("app/workflow.xml", &text)]);
    said(&folder, &["run", "app", "--now", "2030-01-01T00:00Z"], 2, &["--now", "the clock of this machine"]);
    said(&folder, &["-q", "run", "app"], 0, &[]);
    said(&folder, &["jobs", "purge", "--older-than", "1d", "--now", "2035-01-01T00:00Z"], 2, &["--now"]);
    said(&folder, &["run", "--new"], 2, &["APP"]);
    said(&folder, &["run", "--external-id", "x"], 2, &["APP"]);
    said(&folder, &["job", "1-W", "rerun", "--skip", ""], 0, &[]);
}

#[test]
fn lines_for_programs_name_nodes_and_say_why() {
    let nodes = format!(r#"<start to="load"/>{}"#, shell("load", "x.sh", &[], "end"));
    let text = workflow("w", &nodes);
    let folder = project("run-words-jsonl", &[("app/workflow.xml", &text), ("app/x.sh", "")]);
    let (code, out, _) = ankus(&folder, &["run", "app", "--stub", "all=ERROR", "--format", "jsonl"]);
    assert_eq!(code, 1);
    let line = |line: &str| -> serde_json::Value { serde_json::from_str(line).expect("JSON") };
    let form = crate::json_schemas::validator("event");
    assert!(out.lines().count() >= 2, "{out}");
    out.lines().for_each(|text| crate::json_schemas::accept(&form, text, "a line"));
    let changes: Vec<_> =
        out.lines().flat_map(|text| line(text)["changes"].as_array().cloned().unwrap_or_default()).collect();
    let failed = changes.iter().find(|change| change["to"] == "ERROR").expect("it failed");
    assert_eq!(failed["node"], "load");
    assert_eq!(failed["why"], "JA018: it is said to have failed");
    assert!(changes.iter().any(|change| change["node"] == "fail"), "{changes:?}");
}

#[test]
fn reruns_of_nothing_say_what_is_missing() {
    let nodes = format!(r#"<start to="load"/>{}"#, shell("load", "x.sh", &[], "end"));
    let text = workflow("w", &nodes);
    let bundle = r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2"><coordinator name="one">
        <app-path>hdfs://nn/apps/c</app-path></coordinator></bundle-app>"#;
    let files = [
        ("app/workflow.xml", text.as_str()),
        ("app/x.sh", ""),
        ("c/coordinator.xml", COORDINATOR),
        ("b/bundle.xml", bundle),
    ];
    let folder = project("run-words-rerun", &files);
    said(&folder, &["-q", "run", "b", "--stub", "all"], 0, &[]);
    let rerun = ["job", "1-B", "rerun", "--coordinators", "two"];
    said(&folder, &rerun, 2, &["the bundle has no coordinator `two`"]);
    said(&folder, &["job", "1-B", "rerun"], 2, &["`--coordinators` or `--date`"]);
    said(&folder, &["job", "2-C", "rerun", "--actions", "7-9"], 1, &["no action of these is there"]);
}

#[test]
#[cfg(unix)]
fn a_rehearsal_stays_one_and_what_is_real_is_run() {
    let nodes = format!(r#"<start to="load"/>{}"#, shell("load", "x.sh", &[], "end"));
    let text = workflow("w", &nodes);
    let script = "#!/bin/sh\necho ran\n";
    let files = [
        ("real/workflow.xml", text.as_str()),
        ("real/x.sh", script),
        ("rehearsed/workflow.xml", &text),
        ("rehearsed/x.sh", script),
    ];
    let folder = project("run-words-rehearsal", &files);
    let log = |job: &str| ankus(&folder, &["job", job, "log"]).1;
    // A rehearsal that somebody else goes on with, beside something real.
    let suspended = ["run", "rehearsed", "--stub", "all", "-D", "oozie.suspend.on.nodes=load"];
    said(&folder, &suspended, 1, &["ankus job 0000001-W resume"]);
    said(&folder, &["job", "1-W", "info"], 0, &["rehearsal", "not run: all=OK"]);
    said(&folder, &["run", "rehearsed"], 2, &["0000001-W of this app is a rehearsal", "--new"]);
    said(&folder, &["submit", "real"], 0, &[]);
    said(&folder, &["job", "2-W", "start"], 0, &[]);
    said(&folder, &["run", "real", "--stub", "all"], 2, &["0000002-W of this app is real"]);
    said(&folder, &["job", "1-W", "resume"], 0, &[]);
    said(&folder, &["run"], 0, &[]);
    assert_eq!(statuses(&folder), ["SUCCEEDED", "SUCCEEDED"]);
    assert_eq!((log("1-W").as_str(), log("2-W").as_str()), ("", "== load, stdout\nran\n"));
    // Beside an unfinished real job an unfinished rehearsal is found, and the other way round.
    let open = ["-D", "oozie.suspend.on.nodes=load"];
    said(&folder, &[&["run", "real"][..], &open].concat(), 1, &["0000003-W"]);
    said(&folder, &[&["run", "real", "--stub", "all", "--new"][..], &open].concat(), 1, &["0000004-W"]);
    for (more, job) in [(&["--stub", "all"][..], "0000004-W"), (&[], "0000003-W")] {
        let goes_on = format!("goes on with the unfinished job {job}");
        said(&folder, &[&["run", "real"][..], more].concat(), 1, &[&goes_on]);
    }
    for job in ["3-W", "4-W"] {
        said(&folder, &["job", job, "kill"], 0, &[]);
    }
    // What was only submitted may become one.
    said(&folder, &["submit", "real"], 0, &[]);
    said(&folder, &["run", "real", "--stub", "shell"], 0, &["goes on with the unfinished job 0000005-W"]);
    assert_eq!(log("5-W"), "");
}

#[test]
fn what_was_named_before_is_told() {
    let text = workflow("w", r#"<start to="end"/>"#);
    let folder = project("run-words-named", &[("app/workflow.xml", &text)]);
    said(&folder, &["run", "app", "--external-id", "x"], 0, &[]);
    said(
        &folder,
        &["run", "app", "--external-id", "x"],
        0,
        &["0000001-W has this external id and is SUCCEEDED"],
    );
    assert_eq!(statuses(&folder), ["SUCCEEDED"]);
}

#[test]
fn a_name_stands_for_one_job() {
    let text = workflow("w", r#"<start to="end"/>"#);
    let files = [("app/workflow.xml", text.as_str()), ("other/workflow.xml", text.as_str())];
    let folder = project("run-words-one", &files);
    said(&folder, &["submit", "app", "--external-id", "x"], 0, &[]);
    said(&folder, &["submit", "app"], 0, &[]);
    // Neither the unnamed job nor that of another name is taken for it.
    said(&folder, &["run", "app", "--external-id", "y"], 0, &[]);
    assert_eq!(statuses(&folder), ["PREP", "PREP", "SUCCEEDED"]);
    said(
        &folder,
        &["run", "other", "--external-id", "x"],
        2,
        &["0000001-W has this external id and is of the app", "app/workflow.xml"],
    );
    said(
        &folder,
        &["run", "app", "--external-id", "x", "-D", "a=b"],
        0,
        &[
            "goes on with the job 0000001-W, which has this external id",
            "ignored: the properties of -c and -D",
        ],
    );
    assert_eq!(statuses(&folder), ["SUCCEEDED", "PREP", "SUCCEEDED"]);
}

#[test]
fn jobs_below_others_know_their_user_and_actions_their_id() {
    let text = workflow("w", &format!(r#"<start to="a"/>{}"#, shell("a", "a.sh", &["${id}"], "end")));
    let coordinator = r#"<coordinator-app name="c" frequency="60" start="2024-01-01T00:00Z" end="2024-01-01T01:00Z"
        timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><action><workflow><app-path>hdfs://nn/apps/app</app-path>
        <configuration><property><name>id</name><value>${coord:actionId()}</value></property></configuration>
        </workflow></action></coordinator-app>"#;
    let bundle = r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2">
        <coordinator name="c"><app-path>hdfs://nn/apps/c</app-path></coordinator></bundle-app>"#;
    let script = "#!/bin/sh\necho it is $1\n";
    let files = [
        ("app/workflow.xml", text.as_str()),
        ("app/a.sh", script),
        ("c/coordinator.xml", coordinator),
        ("b/bundle.xml", bundle),
    ];
    let folder = project("run-words-user", &files);
    said(&folder, &["run", "b", "-D", "user.name=ann"], 0, &[]);
    let (_, jobs, _) = ankus(&folder, &["jobs", "--user", "ann", "--format", "json"]);
    let jobs: serde_json::Value = serde_json::from_str(&jobs).expect("JSON");
    let ids: Vec<&str> =
        jobs["jobs"].as_array().expect("a list").iter().filter_map(|job| job["id"].as_str()).collect();
    assert_eq!(ids.len(), 3, "{jobs}");
    let coordinator = ids.iter().find(|id| id.ends_with("-C")).expect("a coordinator");
    let (_, log, _) = ankus(&folder, &["job", "3-W", "log"]);
    assert!(log.contains(&format!("it is {coordinator}@1\n")), "{log}");
}
