//! Deployed applications: their states, what is refused, and jobs that outlive them.

use std::path::Path;

use crate::run::{ankus, project, statuses};

fn definition(path: &str) -> String {
    format!(
        "<hadoop-workflow name=\"w\"><start to=\"a\"/><hdfs name=\"a\"><file-system>hdfs://nn</file-system><commands><mkdir \
         path=\"{path}\"/></commands><transition name=\"OK\" to=\"e\"/><transition name=\"ERROR\" to=\"f\"/></hdfs><fail name=\"f\">\
         <message>no</message></fail><end name=\"e\"/></hadoop-workflow>"
    )
}

/// What a command says: its exit code, and the line that it prints or refuses with.
fn app(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let (code, out, err) = ankus(folder, &[&["app"][..], arguments].concat());
    (code, format!("{out}{err}").trim().to_owned())
}

/// HWS-8-1 HWS-8-2 HWS-8-4 HWS-8-5 HWS-8-10 HWS-8-11 HWS-8-12 HWS-8-13 HWS-8-14 HWS-8-15 HWS-8-16: every pair of a state and a command.
#[test]
fn states_change_by_the_table() {
    let folder = project("hws-app-states", &[("app/workflow.xml", &definition("/x"))]);
    assert_eq!(ankus(&folder, &["app", "pack", "app", "-o", "w.zip"]).0, 0);
    assert_eq!(app(&folder, &["deploy", "w.zip"]), (0, "w INACTIVE".to_owned()));
    let again = app(&folder, &["deploy", "w.zip"]);
    assert!(again.0 == 1 && again.1.contains("deployed already; it is INACTIVE"), "{again:?}");
    let commands = ["activate", "suspend", "deactivate", "undeploy"];
    let allowed = [
        ("INACTIVE", "activate", "ACTIVE"),
        ("ACTIVE", "suspend", "SUSPENDED"),
        ("SUSPENDED", "activate", "ACTIVE"),
        ("ACTIVE", "suspend", "SUSPENDED"),
        ("SUSPENDED", "deactivate", "INACTIVE"),
        ("INACTIVE", "undeploy", ""),
    ];
    for (state, command, next) in allowed {
        for other in commands {
            let is_allowed = match state {
                "INACTIVE" => matches!(other, "activate" | "undeploy"),
                "ACTIVE" => other == "suspend",
                _ => matches!(other, "activate" | "deactivate"),
            };
            if !is_allowed {
                let (code, said) = app(&folder, &[other, "w"]);
                assert_eq!((code, said), (1, format!("refused: cannot {other} `w`: it is {state}")));
            }
        }
        let (code, said) = app(&folder, &[command, "w"]);
        let expected = if next.is_empty() { "w is undeployed".to_owned() } else { format!("w {next}") };
        assert_eq!((code, said), (0, expected));
    }
    assert_eq!(app(&folder, &["list"]), (0, "no applications".to_owned()));
    assert_eq!(app(&folder, &["activate", "w"]).0, 1, "there is none");
    assert_eq!(app(&folder, &["deploy", "app"]), (0, "w INACTIVE".to_owned()), "the name is free again");
    let info = ankus(&folder, &["app", "info", "w", "--format", "json"]).1;
    let info: serde_json::Value = serde_json::from_str(&info).expect("JSON");
    assert_eq!((&info["name"], &info["status"]), (&"w".into(), &"INACTIVE".into()));
    assert!(info["definition"].as_str().expect("a text").contains("hadoop-workflow"), "{info}");
}

/// HWS-2.1-4 HWS-1-6 HWS-8-3 HWS-8-7 HWS-8-6 HWS-8-8 HWS-8-9 HWS-8-17: what `check` refuses is not deployed; only ACTIVE applications take
/// jobs, whose end is waited for, and which stay when the application is gone.
#[test]
fn only_active_applications_take_jobs() {
    let broken = definition("/x").replace("to=\"e\"", "to=\"a\"");
    let folder = project(
        "hws-app-jobs",
        &[("app/workflow.xml", &definition("/made")), ("broken/workflow.xml", &broken)],
    );
    let refused = app(&folder, &["deploy", "broken"]);
    assert!(refused.0 == 2 && refused.1.contains("ankus check"), "{refused:?}");
    assert_eq!(app(&folder, &["list"]).1, "no applications");
    assert_eq!(ankus(&folder, &["submit", "w"]).0, 2, "nothing of this name is deployed");
    assert_eq!(app(&folder, &["deploy", "app"]).0, 0);
    let (code, _, err) = ankus(&folder, &["submit", "w"]);
    assert!(code == 2 && err.contains("is INACTIVE"), "{err}");
    assert_eq!(app(&folder, &["activate", "w"]).0, 0);
    let (code, out, err) = ankus(&folder, &["submit", "w"]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(app(&folder, &["suspend", "w"]).0, 0);
    let (code, _, err) = ankus(&folder, &["submit", "w"]);
    assert!(code == 2 && err.contains("is SUSPENDED"), "{err}");
    let (code, said) = app(&folder, &["deactivate", "w"]);
    assert!(code == 1 && said.contains("1 of its jobs have not finished"), "{said}");
    assert_eq!(statuses(&folder), ["CREATED"]);
    assert_eq!(ankus(&folder, &["job", "1-W", "start"]).0, 0);
    let (code, out, err) = ankus(&folder, &["run"]);
    assert_eq!(code, 0, "a job goes on while its application is suspended: {out}{err}");
    assert!(folder.join("data/made").exists());
    assert_eq!(app(&folder, &["deactivate", "w"]), (0, "w INACTIVE".to_owned()));
    assert_eq!(app(&folder, &["undeploy", "w"]).0, 0);
    assert_eq!(statuses(&folder), ["SUCCEEDED"]);
    assert_eq!(ankus(&folder, &["job", "1-W", "info"]).0, 0, "its history stays");
}

/// HWS-1-5: a package is run as it is.
#[test]
fn packages_are_run() {
    let folder = project("hws-app-package", &[("app/workflow.xml", &definition("/made"))]);
    assert_eq!(ankus(&folder, &["app", "pack", "app", "-o", "w.zip"]).0, 0);
    std::fs::remove_dir_all(folder.join("app")).expect("it is removed");
    let (code, out, err) = ankus(&folder, &["run", "w.zip"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(err.contains("deployed and activated") && folder.join("data/made").exists(), "{err}");
}
