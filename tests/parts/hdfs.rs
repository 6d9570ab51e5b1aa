//! A real name node and data node: every operation of storage by both protocols, and what comes of either being killed.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use ankus::engine::TroubleKind;
use ankus::execute::storage::backend::Backend;
use ankus::execute::storage::fault::Why;
use ankus::execute::storage::webhdfs::Webhdfs;

use super::{Stand, fs_app};
use crate::run::{ankus, program, project, statuses, workflow};
use crate::support::not_run;

#[test]
fn a_name_node_does_every_operation_and_refuses_as_the_small_one() {
    let Some(mut stand) = Stand::of(&["hdfs"]) else { return };
    let address = stand.value("hdfs", "webhdfs");
    let backend = Webhdfs::new(&address, "", "oozie");
    let names = ["plain", "two words", "grün", "a+b", "a;b&c=d"];
    backend.mkdirs("work/deep").expect("made");
    for name in names {
        backend.create(&format!("work/{name}"), &mut name.as_bytes()).expect(name);
        let mut text = String::new();
        backend.open(&format!("work/{name}")).expect(name).read_to_string(&mut text).expect(name);
        assert_eq!(text, name);
    }
    let mut listed: Vec<String> =
        backend.list("work").expect("a list").into_iter().map(|(name, _)| name).collect();
    listed.retain(|name| name != "deep");
    let mut sorted = names.map(str::to_owned);
    sorted.sort();
    assert_eq!(listed, sorted);
    let mode = |path: &str| backend.status(path).expect("asked").expect("there").mode;
    assert_eq!((mode("work/deep"), mode("work/plain")), (Some(0o755), Some(0o644)));
    backend.create("work/empty", &mut std::io::empty()).expect("written");
    assert_eq!(mode("work/empty"), Some(0o644));
    backend.rename("work/plain", "work/deep/moved").expect("renamed");
    // Who runs the name node may do all; another may not.
    let other = Webhdfs::new(&address, "", "joe");
    crate::run_webhdfs::refusals(&backend, &other);
    backend.set_mode("work/deep", 0o777).expect("set");
    other.mkdirs("work/deep/joes").expect("anybody may");
    assert_eq!(
        other.set_group("work/deep/joes", "hadoop").expect_err("not a group of joe's").why,
        Why::Denied
    );
    assert_eq!(other.set_mode("work/two words", 0o600).expect_err("not joe's").why, Why::Denied);
    backend.set_group("work/deep", "hadoop").expect("a group of oozie's");
    backend.set_mode("work/deep", 0o700).expect("set");
    assert_eq!(other.list("work/deep").expect_err("the right is missing").why, Why::Denied);
    assert_eq!(other.mkdirs("joes").expect_err("the right is missing").why, Why::Denied);
    // A data node that is gone is named, and tried again.
    stand.order("kill datanode");
    let gone = backend.open("work/two words").map(|_| ()).expect_err("it is gone");
    assert_eq!(
        (gone.why.kind(), gone.words.contains("data node")),
        (TroubleKind::Transient, true),
        "{}",
        gone.words
    );
    // So is a name node that starts: nobody there, not started, no data node, safe mode.
    stand.order("kill namenode");
    let gone = backend.status("work").expect_err("it is gone");
    assert_eq!(gone.why, Why::Connect, "{}", gone.words);
    stand.order("start namenode");
    let begin = std::time::Instant::now();
    loop {
        match backend.create("work/after", &mut &b"x"[..]) {
            Ok(()) => panic!("there is no data node"),
            Err(found) => {
                assert_eq!(found.why.kind(), TroubleKind::Transient, "{}", found.words);
                if found.words.contains("datanode")
                    || found.words.contains("safe mode")
                    || begin.elapsed().as_secs() > 60
                {
                    break;
                }
            }
        }
    }
    stand.order("start datanode");
    assert_eq!(stand.order("await hdfs"), "hdfs answers");
    backend.create("work/after", &mut &b"x"[..]).expect("all is well");
    assert!(backend.delete("work").expect("deleted"));
}

#[test]
fn an_fs_action_and_distcp_work_on_a_cluster() {
    let Some(stand) = Stand::of(&["hdfs"]) else { return };
    let table = format!("{{ webhdfs = \"{}\", user = \"oozie\" }}", stand.value("hdfs", "webhdfs"));
    let operations = "<mkdir path='hdfs://nn/in/day'/><touchz path='hdfs://nn/in/day/_DONE'/>\
        <chmod path='hdfs://nn/in/day' permissions='750' dir-files='false'/><move source='hdfs://nn/in/day' target='/out'/>";
    let folder = fs_app("parts-fs", &table, operations);
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    // The folder of the target is there, so the move renames.
    assert_eq!(code, 0, "{out}{err}{}", ankus(&folder, &["job", "1-W", "info"]).1);
    let backend = Webhdfs::new(&stand.value("hdfs", "webhdfs"), "", "oozie");
    assert_eq!(backend.status("out").expect("asked").expect("there").mode, Some(0o750));
    assert!(backend.status("out/_DONE").expect("asked").is_some());
}

/// The table of a name node by HTTP, and by its own protocol where that is built in.
fn tables(stand: &Stand) -> Vec<(&'static str, String)> {
    let web = format!("{{ webhdfs = \"{}\", user = \"oozie\" }}", stand.value("hdfs", "webhdfs"));
    let mut tables = vec![("webhdfs", web)];
    if cfg!(feature = "hdfs") {
        tables.push(("hdfs", "{ hdfs = true }".to_owned()));
    } else {
        not_run("a name node by its own protocol", "a build without --features hdfs");
    }
    tables
}

/// A project whose only storage is that of the stand.
fn over(stand: &Stand, name: &str, table: &str, files: &[(&str, &str)]) -> Project {
    let uri = stand.value("hdfs", "uri");
    let config = format!(
        "[paths]\n\"{uri}/apps\" = \".\"\n[storage]\n\"{uri}\" = {table}\n\"hdfs://here\" = \"here\"\n"
    );
    let files: Vec<(&str, String)> =
        files.iter().map(|(path, text)| (*path, text.replace("hdfs://nn", &uri))).collect();
    let mut all = vec![("ankus.toml", config.as_str())];
    all.extend(files.iter().map(|(path, text)| (*path, text.as_str())));
    let folder = project(&format!("parts-{name}"), &all);
    Project { folder, conf: stand.value("hdfs", "conf"), user: "oozie" }
}

/// A project beside a stand.
struct Project {
    folder: PathBuf,
    conf: String,
    /// Who asks by the own protocol.
    user: &'static str,
}

impl Project {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program(&self.folder, arguments);
        command.env("HADOOP_CONF_DIR", &self.conf).env("HADOOP_USER_NAME", self.user);
        command
    }

    fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.command(arguments).output().expect("it runs");
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    }
}

#[test]
fn every_operation_of_an_fs_action_works_by_both_protocols() {
    let Some(stand) = Stand::of(&["hdfs"]) else { return };
    let backend = Webhdfs::new(&stand.value("hdfs", "webhdfs"), "", "oozie");
    let mode = |path: &str| backend.status(path).expect("asked").map(|status| status.mode.unwrap_or(0));
    for (name, table) in tables(&stand) {
        let nodes = r#"<start to="a"/><action name="a"><fs>
            <mkdir path="/IN/day"/><mkdir path="/IN/grün/two words"/><touchz path="/IN/day/a+b;c"/><touchz path="/IN/day/a&amp;b"/>
            <touchz path="/IN/day/_DONE"/><touchz path="/IN/day/gone"/><delete path="/IN/day/gone"/>
            <move source="hdfs://nn/IN/day" target="/IN/grün/two words"/>
            <chmod path="/IN/grün" permissions="750" dir-files="false"/><chgrp path="/IN/grün" group="hadoop" dir-files="false"/>
            </fs><ok to="look"/><error to="fail"/></action>
            <decision name="look"><switch><case to="end">${fs:exists('hdfs://nn/IN/grün/two words/day/_DONE') and
            fs:isDir('hdfs://nn/IN/grün/two words') and fs:fileSize('hdfs://nn/IN/grün/two words/day/a+b;c') eq 0
            and not fs:exists('hdfs://nn/IN/day')}</case><default to="fail"/></switch></decision>"#;
        let nodes = nodes.replace("IN", name);
        let project =
            over(&stand, &format!("ops-{name}"), &table, &[("app/workflow.xml", &workflow("ops", &nodes))]);
        let (code, said) = project.run(&["run", "app"]);
        assert_eq!(code, Some(0), "{name}: {said}");
        let inside = format!("{name}/grün/two words/day");
        assert_eq!((mode(&inside), mode(&format!("{name}/grün"))), (Some(0o755), Some(0o750)), "{name}");
        for file in ["_DONE", "a+b;c", "a&b"] {
            assert_eq!(mode(&format!("{inside}/{file}")), Some(0o644), "{name}: {file}");
        }
        // A folder of somebody else's in one that anybody may write to.
        backend.set_mode(name, 0o777).expect("set");
        Webhdfs::new(&stand.value("hdfs", "webhdfs"), "", "joe")
            .mkdirs(&format!("{name}/joes"))
            .expect("made");
        for (number, (user, operation, code)) in [
            (
                "oozie",
                "<setrep path=\"hdfs://nn/IN/grün/two words/day/_DONE\" replication-factor=\"2\"/>",
                "",
            ),
            ("oozie", "<chmod path=\"/IN/none\" permissions=\"750\"/>", "FS009"),
            ("oozie", "<move source=\"hdfs://nn/IN/none\" target=\"/IN/x\"/>", "FS006"),
            ("oozie", "<mkdir path=\"/IN/grün/two words/day/_DONE/below\"/>", "FS004"),
            // Not a group of joe's, not joe's, not for joe to write to.
            ("joe", "<chgrp path=\"/IN/joes\" group=\"hadoop\"/>", "FS014"),
            ("joe", "<chmod path=\"/IN/grün\" permissions=\"700\" dir-files=\"false\"/>", "FS014"),
            ("joe", "<mkdir path=\"/in-the-root\"/>", "FS014"),
        ]
        .into_iter()
        .enumerate()
        {
            let nodes = format!(
                r#"<start to="a"/><action name="a"><fs>{operation}</fs><ok to="end"/><error to="fail"/></action>"#
            );
            let mut text = workflow("refused", &nodes.replace("IN", name));
            if operation.starts_with("<setrep") {
                // Later schemas have it no more.
                text =
                    text.replace("workflow:1.0", "workflow:0.5").replace("resource-manager", "job-tracker");
            }
            let (table, files) = (table.replace("oozie", user), [("app/workflow.xml", text.as_str())]);
            let mut project = over(&stand, &format!("refused-{name}-{number}"), &table, &files);
            project.user = user;
            let (exit, said) = project.run(&["run", "app"]);
            let is_refused = !code.is_empty();
            assert_eq!(exit, Some(i32::from(is_refused)), "{name}, {operation}: {said}");
            assert!(said.contains(code), "{name}, {operation}: {said}");
            assert!(!said.contains("\tat ") && !said.contains("org.apache."), "{name}, {operation}: {said}");
        }
    }
}

#[test]
fn a_file_is_brought_once_its_data_node_is_back() {
    let Some(mut stand) = Stand::of(&["hdfs"]) else { return };
    let backend = Webhdfs::new(&stand.value("hdfs", "webhdfs"), "", "oozie");
    backend.create("in/text", &mut &b"from there\n"[..]).expect("written");
    let nodes = r#"<start to="here"/><action name="here"><shell xmlns="uri:oozie:shell-action:1.0"><exec>cat</exec>
        <argument>text</argument><file>hdfs://nn/in/text#text</file></shell><ok to="end"/><error to="fail"/></action>"#;
    let (_, table) = tables(&stand).remove(0);
    let project = over(&stand, "file", &table, &[("app/workflow.xml", &workflow("file", nodes))]);
    stand.order("kill datanode");
    let (code, said) = project.run(&["run", "app"]);
    assert!(code == Some(1) && said.contains("JA006") && said.contains("the data node"), "{said}");
    assert_eq!(statuses(&project.folder), ["SUSPENDED"], "{said}");
    stand.order("start datanode");
    assert_eq!(stand.order("await hdfs"), "hdfs answers");
    let (code, said) = project.run(&["job", "1-W", "resume"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = project.run(&["run"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(project.run(&["job", "1-W", "log"]).1.contains("from there"));
}

#[test]
fn a_coordinator_waits_for_data_while_its_name_node_is_killed() {
    let Some(mut stand) = Stand::of(&["hdfs"]) else { return };
    let backend = Webhdfs::new(&stand.value("hdfs", "webhdfs"), "", "oozie");
    let coordinator = r#"<coordinator-app name="c" frequency="60" start="2026-03-01T00:00Z" end="2026-03-01T01:00Z"
        timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><datasets><dataset name="in" frequency="60"
        initial-instance="2026-03-01T00:00Z" timezone="UTC"><uri-template>hdfs://nn/wait/${HOUR}</uri-template></dataset>
        </datasets><input-events><data-in name="in" dataset="in"><instance>${coord:current(0)}</instance></data-in>
        </input-events><action><workflow><app-path>hdfs://nn/apps/w</app-path></workflow></action></coordinator-app>"#;
    let nodes = r#"<start to="a"/><action name="a"><fs><mkdir path="hdfs://nn/wait/done"/></fs><ok to="end"/><error to="fail"/></action>"#;
    let files = [("c/coordinator.xml", coordinator), ("w/workflow.xml", &workflow("w", nodes))];
    let (_, table) = tables(&stand).remove(0);
    let project = over(&stand, "wait", &table, &files);
    let mut child = project.command(&["run", "c"]).stdout(Stdio::null()).spawn().expect("it runs");
    stand.order("kill namenode");
    let mut unreached = String::new();
    while !unreached.contains("is not reached") {
        assert!(child.try_wait().expect("asked").is_none(), "{unreached}");
        unreached = project.run(&["job", "1-C", "info"]).1;
    }
    stand.order("start namenode");
    assert_eq!(stand.order("await hdfs"), "hdfs answers");
    backend.create("wait/00/_SUCCESS", &mut std::io::empty()).expect("written");
    assert!(child.wait().expect("it ends").success(), "{}", project.run(&["job", "1-C", "info"]).1);
    assert!(backend.status("wait/done").expect("asked").is_some());
}

#[test]
fn a_copy_that_its_name_node_breaks_is_healed_by_a_rerun() {
    let Some(mut stand) = Stand::of(&["hdfs"]) else { return };
    let backend = Webhdfs::new(&stand.value("hdfs", "webhdfs"), "", "oozie");
    let nodes = r#"<start to="copy"/><action name="copy"><distcp xmlns="uri:oozie:distcp-action:1.0"><arg>-update</arg>
        <arg>hdfs://here/day</arg><arg>hdfs://nn/copied</arg></distcp><ok to="end"/><error to="fail"/></action>"#;
    let (_, table) = tables(&stand).remove(0);
    let files: Vec<(String, String)> =
        (0..40).map(|number| (format!("here/day/part-{number:02}"), "x".repeat(50_000 + number))).collect();
    let text = workflow("copy", nodes);
    let mut all = vec![("app/workflow.xml", text.as_str()), ("here/day/_SUCCESS", "")];
    all.extend(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let project = over(&stand, "copy", &table, &all);
    let mut child = project.command(&["run", "app"]).stdout(Stdio::null()).spawn().expect("it runs");
    while backend.list("copied").map_or(0, |found| found.len()) < 2 {
        assert!(child.try_wait().expect("asked").is_none(), "it has ended");
    }
    stand.order("kill namenode");
    child.wait().expect("it ends");
    let broken = statuses(&project.folder);
    stand.order("start namenode");
    assert_eq!(stand.order("await hdfs"), "hdfs answers");
    // The mark comes last, so nobody takes half of it for the whole.
    assert!(backend.status("copied/_SUCCESS").expect("asked").is_none(), "{broken:?}");
    let (code, said) = match broken[0].as_str() {
        "SUSPENDED" => project.run(&["job", "1-W", "resume"]),
        _ => project.run(&["job", "1-W", "rerun", "--failed"]),
    };
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = project.run(&["run"]);
    assert_eq!(code, Some(0), "{said}");
    let found: Vec<(String, u64)> = backend
        .list("copied")
        .expect("a list")
        .into_iter()
        .map(|(name, status)| (name, status.length))
        .collect();
    let mut wanted: Vec<(String, u64)> =
        (0..40).map(|number| (format!("part-{number:02}"), 50_000 + number)).collect();
    wanted.insert(0, ("_SUCCESS".to_owned(), 0));
    assert_eq!(found, wanted);
}
