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
