//! What an app needs of this machine is missed before anything is begun, in whatever workflow it leads to.

use std::path::{Path, PathBuf};

use ankus::execute::clock::JumpingClock;
use ankus::execute::executor::Stop;
use ankus::time::Instant;

use crate::run::{CONFIG, ankus, program, project, workflow};
use crate::support::executor::{Life, jobs, options, place};

/// Runs the program where no other one is on the path: exit code and standard error.
fn alone(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = program(folder, arguments).env("PATH", folder.join("bin")).output().expect("it runs");
    (output.status.code(), String::from_utf8(output.stderr).expect("text"))
}

fn pig(name: &str, ok: &str) -> String {
    format!(
        r#"<action name="{name}"><pig><script>x.pig</script></pig><ok to="{ok}"/><error to="fail"/></action>"#
    )
}

fn below(name: &str, path: &str, ok: &str) -> String {
    format!(
        r#"<action name="{name}"><sub-workflow><app-path>{path}</app-path><propagate-configuration/></sub-workflow>
        <ok to="{ok}"/><error to="fail"/></action>"#
    )
}

/// A bundle of two coordinators; the workflow of one of them runs another workflow, which needs pig and mail.
fn bundled(name: &str) -> PathBuf {
    let coordinator = |name: &str, app: &str| {
        format!(
            r#"<coordinator-app name="{name}" frequency="${{coord:days(1)}}" start="2024-01-01T00:00Z"
            end="2024-01-02T00:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><action><workflow>
            <app-path>hdfs://nn/apps/{app}</app-path></workflow></action></coordinator-app>"#
        )
    };
    let member = |name: &str| {
        format!(
            r#"<coordinator name="{name}"><app-path>hdfs://nn/apps/{name}/coordinator.xml</app-path></coordinator>"#
        )
    };
    let bundle = format!(
        r#"<bundle-app name="all" xmlns="uri:oozie:bundle:0.2">{}{}</bundle-app>"#,
        member("good"),
        member("bad")
    );
    let mail = r#"<action name="mail"><email xmlns="uri:oozie:email-action:0.2"><to>a@example.org</to><subject>s</subject>
        <body>b</body></email><ok to="end"/><error to="fail"/></action>"#;
    let fs = r#"<start to="a"/><action name="a"><fs><mkdir path="/out"/></fs><ok to="end"/><error to="fail"/></action>"#;
    let above = format!(r#"<start to="down"/>{}"#, below("down", "hdfs://nn/apps/${'deep'}", "end"));
    let deep = format!(r#"<start to="swine"/>{}{mail}"#, pig("swine", "mail"));
    let config = format!(
        "{CONFIG}[run.email]\nhost = \"localhost\"\nauth = true\nusername = \"a\"\npassword-env = \"ANKUS_NO_SUCH\"\n"
    );
    let files = [
        ("ankus.toml", config),
        ("all/bundle.xml", bundle),
        ("good/coordinator.xml", coordinator("good", "fine")),
        ("bad/coordinator.xml", coordinator("bad", "above")),
        ("fine/workflow.xml", workflow("fine", fs)),
        ("above/workflow.xml", workflow("above", &above)),
        ("deep/workflow.xml", workflow("deep", &deep)),
    ];
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    project(name, &files)
}

#[test]
fn a_bundle_a_coordinator_and_a_workflow_miss_what_is_needed_below() {
    let folder = bundled("needed-below");
    for app in ["all", "bad", "above", "deep"] {
        let (code, err) = alone(&folder, &["run", app]);
        assert_eq!(code, Some(2), "{app}: {err}");
        let pig = "workflow `deep` (`deep/workflow.xml`): action `swine` of type `pig` needs the program `pig`, which is not on the path";
        let mail = "action `mail` of type `email` needs the password of the mail server: the environment variable `ANKUS_NO_SUCH`";
        assert!(err.replace(&format!("{}/", folder.display()), "").contains(pig), "{app}: {err}");
        assert!(err.contains(mail), "{app}: {err}");
        assert_eq!(err.matches("needs").count(), 2, "{app}: {err}");
        assert!(!folder.join(".ankus").exists(), "{app}: nothing is begun");
    }
    for arguments in [
        &["run", "all", "--only", "good"][..],
        &["run", "all", "--stub", "pig", "--stub", "mail"],
        &["run", "bad", "--stub", "swine", "--stub", "email"],
        // What a stub stands for are actions: the workflow below is run.
        &["run", "above", "--stub", "swine", "--stub", "mail"],
        &["run", "deep", "--stub", "all"],
    ] {
        let (code, err) = alone(&folder, arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {err}");
    }
}

#[test]
fn what_only_the_run_knows_is_left_to_it() {
    let nodes = format!(
        r#"<start to="which"/><decision name="which"><switch><case to="down">${{fs:exists('hdfs://nn/none')}}</case>
        <default to="end"/></switch></decision>{}"#,
        below("down", "hdfs://nn/apps/${wf:actionData('other')['app']}", "end")
    );
    let deep = format!(r#"<start to="swine"/>{}"#, pig("swine", "end"));
    let (above, deep) = (workflow("above", &nodes), workflow("deep", &deep));
    let files = [("above/workflow.xml", above.as_str()), ("deep/workflow.xml", &deep)];
    let folder = project("needed-late", &files);
    assert_eq!(alone(&folder, &["run", "above"]).0, Some(0));
}

#[test]
fn nodes_that_a_part_leaves_out_need_nothing() {
    let fs = r#"<action name="b"><fs><mkdir path="/out"/></fs><ok to="end"/><error to="fail"/></action>"#;
    let text = workflow("parts", &format!(r#"<start to="a"/>{}{fs}"#, pig("a", "b")));
    let folder = project("needed-part", &[("app/workflow.xml", &text)]);
    assert_eq!(alone(&folder, &["run", "app"]).0, Some(2));
    let (code, err) = alone(&folder, &["run", "app", "--from-node", "b"]);
    assert_eq!(code, Some(0), "{err}");
}

#[test]
fn an_input_for_which_nothing_stands_is_told() {
    let coordinator = r#"<coordinator-app name="c" frequency="60" start="2024-01-01T00:00Z" end="2024-01-01T01:00Z"
        timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><controls><timeout>0</timeout></controls><datasets>
        <dataset name="d" frequency="60" initial-instance="2024-01-01T00:00Z" timezone="UTC">
        <uri-template>hdfs://elsewhere/in/${HOUR}</uri-template></dataset></datasets><input-events>
        <data-in name="i" dataset="d"><instance>${coord:current(0)}</instance></data-in></input-events>
        <action><workflow><app-path>hdfs://nn/apps/app</app-path></workflow></action></coordinator-app>"#;
    let text = workflow("w", r#"<start to="end"/>"#);
    let folder =
        project("run-words-unmapped", &[("app/workflow.xml", &text), ("c/coordinator.xml", coordinator)]);
    let words = "no folder stands for `hdfs://elsewhere/in/00/_SUCCESS`; map its beginning under `[storage]`";
    let place = place(&folder.join("c"), &folder.join(".ankus"));
    let clock = JumpingClock::at(Instant::from_millis(1_704_067_200_000), true); // 2024-01-01T00:00Z
    let (app, until, watch) = (folder.join("c"), None, None);
    let life = Life { app: &app, place: &place, clock: &clock, options: options(&[]), until, watch };
    assert_eq!(life.live(&mut |_| {}).expect("it runs"), Stop::Done);
    assert_eq!(jobs(&place).len(), 1);
    let (_, info, _) = ankus(&folder, &["job", "1-C", "info"]);
    assert!(info.contains(words), "{info}");
}

#[test]
fn a_workflow_that_cannot_be_read_is_told_with_its_place() {
    let coordinator = r#"<coordinator-app name="c" frequency="60" start="2024-01-01T00:00Z" end="2024-01-01T01:00Z"
        timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><action><workflow><app-path>hdfs://nn/apps/app</app-path>
        </workflow></action></coordinator-app>"#;
    let unclosed = "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:1.0\">\n<start to=\"end\"/>\n<kill name=\"k\"><message>m</kill>\n\
                    <end name=\"end\"/></workflow-app>";
    let cases = [
        ("unclosed", unclosed, "(`app/workflow.xml`, line 3)"),
        ("text", "no document", "leads to `app`, where there is no workflow"),
    ];
    for (name, text, words) in cases {
        let files = [("app/workflow.xml", text), ("c/coordinator.xml", coordinator)];
        let folder = project(&format!("needed-unread-{name}"), &files);
        let (code, out, err) = ankus(&folder, &["run", "c"]);
        assert_eq!(code, 1, "{out}{err}");
        let (_, info, _) = ankus(&folder, &["job", "1-C", "info"]);
        assert!(info.contains(words), "{name}: {out}{err}{info}");
    }
}
