//! A password is shown nowhere while something runs, whatever it looks like.

use std::path::PathBuf;

use crate::run::{ankus, project, workflow};

/// Passwords that look like paths, variables, placeholders, texts and nothing at all.
const PASSWORDS: &[&str] = &[
    "/aB3+xyz9Q==",
    "$ecret99",
    "yourCat7!",
    "axxxb77",
    "[q9Q8w7]",
    "correct horse battery",
    "p://q9",
    "${x}xyz123",
    "password",
    "q9\"Q8\\w7",
    "Kj7",
    "z",
];

/// A workflow that says its password in its name, in a log and in the message that it is killed with.
fn telling(name: &str) -> PathBuf {
    let nodes = r#"<start to="say"/><action name="say"><shell xmlns="uri:oozie:shell-action:1.0"><exec>say.sh</exec>
        <argument>val ${my_password} end</argument><file>say.sh</file><capture-output/></shell><ok to="fail"/>
        <error to="fail"/></action>"#;
    let text = workflow("name ${my_password} end", nodes)
        .replace("<message>", "<message>why ${my_password} end ${wf:actionData('say')['made_token']} ");
    let script =
        "#!/bin/sh\necho \"$1 and 'made by it'\"\necho 'made_token=made by it'\necho \"err $1\" >&2\n";
    project(name, &[("app/workflow.xml", &text), ("app/say.sh", script)])
}

/// How a text looks in a document.
fn in_json(text: &str) -> String {
    serde_json::to_string(text).expect("a text").trim_matches('"').to_owned()
}

#[test]
fn no_password_is_shown_whatever_it_looks_like() {
    for (number, password) in PASSWORDS.iter().enumerate() {
        let folder = telling(&format!("secrets-{number}"));
        let given = format!("my_password={password}");
        let outputs = [
            ankus(&folder, &["run", "app", "-D", &given]),
            ankus(&folder, &["run", "app", "-D", &given, "--new", "--format", "jsonl"]),
            ankus(&folder, &["job", "1-W", "log"]),
            ankus(&folder, &["job", "1-W", "info"]),
            ankus(&folder, &["job", "1-W", "info", "--format", "json"]),
            ankus(&folder, &["job", "1-W@fail", "info"]),
            ankus(&folder, &["jobs"]),
            ankus(&folder, &["jobs", "--format", "json"]),
        ];
        for (output, (_, out, err)) in outputs.iter().enumerate() {
            assert!(!out.is_empty(), "{password}, output {output}: {err}");
            for secret in [*password, "made by it"] {
                for text in [format!(" {secret} "), format!(" {} ", in_json(secret)), format!("'{secret}'")] {
                    assert!(
                        !out.contains(&text) && !err.contains(&text),
                        "{password}, output {output}: {out}{err}"
                    );
                }
            }
        }
        let [lines, events, log, info, document, part, list, lists] = outputs.map(|(_, out, _)| out);
        for text in [&lines, &events, &info, &document, &part] {
            assert!(text.contains("why *** end ***"), "{password}: {text}");
        }
        for line in events.lines() {
            let event: serde_json::Value = serde_json::from_str(line).expect("an event is JSON");
            assert!(event["number"].is_u64(), "{password}: {line}");
        }
        for text in [r#""my_password":"***""#, r#""name":"name *** end""#, r#""data":""#] {
            assert!(events.contains(text), "{password}: {events}");
        }
        assert_eq!(log.matches(" *** end").count(), 2, "{password}: {log}");
        assert!(info.contains("  name *** end\n"), "{password}: {info}");
        assert!(list.contains("  name *** end\n"), "{password}: {list}");
        for (text, name) in [(document, "/name"), (lists, "/jobs/0/name")] {
            let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let name = value.pointer(name).and_then(|name| name.as_str());
            assert_eq!(name, Some("name *** end"), "{password}: {text}");
        }
        // The action itself got it.
        let kept = std::fs::read_to_string(folder.join(".ankus/work/1/1/stdout")).expect("what it wrote");
        assert!(kept.contains(&format!("val {password} end")), "{kept}");
    }
}

/// What an expression makes of properties with other names is a password where it is given as one.
#[test]
fn passwords_that_expressions_make_are_hidden() {
    let nodes = r#"<start to="say"/><action name="say"><shell xmlns="uri:oozie:shell-action:1.0"><exec>say.sh</exec>
        <argument>val ${half}/two end</argument><env-var>MY_PASSWORD=${half}/two</env-var><file>say.sh</file></shell>
        <ok to="end"/><error to="fail"/></action>"#;
    let script = "#!/bin/sh\necho \"$1\"\n";
    let text = workflow("made", nodes);
    let folder = project("secrets-made", &[("app/workflow.xml", &text), ("app/say.sh", script)]);
    let (code, out, err) = ankus(&folder, &["run", "app", "-D", "half=/one"]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(ankus(&folder, &["job", "1-W", "log"]).1, "== say, stdout\nval *** end\n");
}

/// What a job was given before it was run again stands in its logs still.
#[test]
fn passwords_of_earlier_runs_are_hidden() {
    let folder = telling("secrets-again");
    assert_eq!(ankus(&folder, &["run", "app", "-D", "my_password=/first/one"]).0, 1);
    let (code, _, err) = ankus(&folder, &["job", "1-W", "rerun", "--skip", "", "-D", "my_password=[second]"]);
    assert_eq!(code, 0, "{err}");
    let (code, out, _) = ankus(&folder, &["run"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("why *** end ***"), "{out}");
    let (_, log, _) = ankus(&folder, &["job", "1-W", "log"]);
    assert_eq!(log.matches("val *** end").count(), 4, "{log}");
    assert!(!log.contains("/first/one") && !log.contains("[second]"), "{log}");
}

/// Neither is a bundle's, which has a name before anything of it runs, nor that of an app that is refused.
#[test]
fn passwords_of_what_does_not_run_are_hidden() {
    let bundle = r#"<bundle-app name="all ${my_password} end" xmlns="uri:oozie:bundle:0.2"><controls>
        <kick-off-time>2090-01-01T00:00Z</kick-off-time></controls><coordinator name="c">
        <app-path>hdfs://nn/turns</app-path></coordinator></bundle-app>"#;
    let coordinator = r#"<coordinator-app name="c" frequency="60" start="${my_password}" end="2090-01-02T00:00Z"
        timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><action><workflow><app-path>hdfs://nn/app</app-path></workflow>
        </action></coordinator-app>"#;
    let text = workflow("w", "<start to=\"end\"/>");
    let files =
        [("all/bundle.xml", bundle), ("turns/coordinator.xml", coordinator), ("app/workflow.xml", &text)];
    let folder = project("secrets-waiting", &files);
    let given = ["-D", "my_password=/aB3+xyz9Q=="];
    let (code, out, err) = ankus(&folder, &[&["submit", "all", "--no-preflight"], &given[..]].concat());
    assert_eq!(code, 0, "{out}{err}");
    let (_, list, _) = ankus(&folder, &["jobs"]);
    assert!(list.contains("  all *** end\n"), "{list}");
    let (_, info, _) = ankus(&folder, &["job", "1-B", "info"]);
    assert!(info.contains("  all *** end\n"), "{info}");
    let (code, out, err) = ankus(&folder, &[&["run", "turns"], &given[..]].concat());
    assert_eq!(code, 2, "{out}{err}");
    assert!(out.contains("`***`") && !format!("{out}{err}").contains("aB3"), "{out}{err}");
}

/// Each workflow of a coordinator may have a password of its own.
#[test]
fn passwords_of_each_workflow_are_hidden() {
    let coordinator = r#"<coordinator-app name="c" frequency="60" start="2024-01-01T00:00Z" end="2024-01-01T03:00Z"
        timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><action><workflow><app-path>hdfs://nn/apps/app</app-path>
        <configuration><property><name>my_password</name><value>/own/${coord:nominalTime()}</value></property>
        </configuration></workflow></action></coordinator-app>"#;
    let text = workflow("name ${my_password} end", "<start to=\"end\"/>");
    for (name, value) in [
        ("own", coordinator.to_owned()),
        ("given", coordinator.replace("/own/${coord:nominalTime()}", "${given_password}")),
    ] {
        let files = [("turns/coordinator.xml", value.as_str()), ("app/workflow.xml", &text)];
        let folder = project(&format!("secrets-turns-{name}"), &files);
        let (code, out, err) = ankus(&folder, &["run", "turns", "-D", "given_password=/own/given"]);
        assert_eq!(code, 0, "{out}{err}");
        let (_, list, err) = ankus(&folder, &["jobs", "--type", "workflow"]);
        assert_eq!(list.matches("  name *** end\n").count(), 3, "{list}{err}");
        for job in ["2-W", "3-W", "4-W"] {
            let (_, info, _) = ankus(&folder, &["job", job, "info"]);
            assert!(info.contains("  name *** end\n"), "{info}");
        }
    }
}
