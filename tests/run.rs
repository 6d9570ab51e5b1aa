//! `ankus run` and its companions: workflows executed for real, and what operators do with them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::folder_of;

/// Apps and storage of a project.
pub const CONFIG: &str = "[paths]\n\"hdfs://nn/apps\" = \".\"\n[storage]\n\"hdfs://nn\" = \"data\"\n";

/// A workflow around its nodes.
pub fn workflow(name: &str, nodes: &str) -> String {
    format!(
        r#"<workflow-app name="{name}" xmlns="uri:oozie:workflow:1.0">
        <global><resource-manager>local</resource-manager><name-node>hdfs://nn</name-node></global>
        {nodes}<kill name="fail"><message>${{wf:errorMessage(wf:lastErrorNode())}}</message></kill><end name="end"/>
        </workflow-app>"#
    )
}

/// A shell action that runs a script of the app.
pub fn shell(name: &str, script: &str, arguments: &[&str], ok: &str) -> String {
    let arguments: String = arguments.iter().map(|text| format!("<argument>{text}</argument>")).collect();
    format!(
        r#"<action name="{name}"><shell xmlns="uri:oozie:shell-action:1.0"><exec>{script}</exec>{arguments}
        <file>{script}</file><capture-output/></shell><ok to="{ok}"/><error to="fail"/></action>"#
    )
}

/// The program in a folder.
pub fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ankus"));
    command.current_dir(folder).args(arguments);
    command
}

/// Runs the program in a folder: exit code, standard output, standard error.
pub fn ankus(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    ended(program(folder, arguments), folder)
}

/// Runs a command to its end, with the programs that the test brings along in a folder before those of this machine.
pub fn ended(mut command: Command, folder: &Path) -> (i32, String, String) {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(folder.join("bin")).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).expect("a path");
    let Output { status, stdout, stderr } = command.env("PATH", path).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("its output is UTF-8");
    (status.code().expect("it was not killed"), text(stdout), text(stderr))
}

/// A folder of a test with files and a configuration.
pub fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let mut all = vec![("ankus.toml", CONFIG)];
    all.extend(files);
    folder_of(name, &all)
}

/// The statuses that `jobs` tells, oldest job first.
pub fn statuses(folder: &Path) -> Vec<String> {
    let (code, out, err) = ankus(folder, &["jobs", "--format", "json"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let document: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let jobs = document["jobs"].as_array().expect("jobs");
    jobs.iter().rev().map(|job| job["status"].as_str().expect("a status").to_owned()).collect()
}

#[test]
fn a_workflow_runs_with_files_output_and_decisions() {
    let nodes = format!(
        r#"<start to="prepare"/><action name="prepare"><fs><mkdir path="/out"/><touchz path="/out/_READY"/></fs>
        <ok to="say"/><error to="fail"/></action>{}<decision name="check"><switch>
        <case to="end">${{wf:actionData('say')['who'] eq 'a; rm -rf $HOME' and fs:exists('hdfs://nn/out/_READY')}}</case>
        <default to="fail"/></switch></decision>"#,
        shell("say", "say.sh", &["a; rm -rf $HOME"], "check")
    );
    let script = "#!/bin/sh\necho \"who=$1\"\necho noise >&2\ntest -f \"$OOZIE_ACTION_CONF_XML\"\n";
    let files = [("app/workflow.xml", workflow("real", &nodes)), ("app/say.sh", script.to_owned())];
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let folder = project("run-real", &files);
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("  0000001-W  RUNNING -> SUCCEEDED\n"), "{out}");
    assert!(out.lines().last().is_some_and(|line| line.starts_with("0000001-W SUCCEEDED after ")), "{out}");
    assert!(out.ends_with(": 2 actions OK\n"), "{out}");
    assert!(folder.join("data/out/_READY").is_file());
    let (_, log, _) = ankus(&folder, &["job", "1-W", "log", "--action", "say"]);
    assert_eq!(log, "== say, stdout\nwho=a; rm -rf $HOME\n== say, stderr\nnoise\n");
    let (_, info, _) = ankus(&folder, &["job", "1-W", "info"]);
    assert!(info.contains("say                      OK"), "{info}");
}

#[test]
fn a_failure_takes_the_error_transition_and_exit_code_1() {
    let nodes = format!(r#"<start to="bad"/>{}"#, shell("bad", "bad.sh", &[], "end"));
    let text = workflow("bad", &nodes);
    let folder = project("run-bad", &[("app/workflow.xml", &text), ("app/bad.sh", "#!/bin/sh\nexit 3\n")]);
    let (code, out, _) = ankus(&folder, &["run", "app"]);
    assert_eq!(code, 1, "{out}");
    assert_eq!(statuses(&folder), ["KILLED"]);
    let (_, info, _) = ankus(&folder, &["job", "1-W", "info"]);
    assert!(info.contains("exit code [3]"), "{info}");
    // Mended, it runs again from where it failed.
    std::fs::write(folder.join("app/bad.sh"), "#!/bin/sh\nexit 0\n").expect("it can be written");
    let (code, _, err) = ankus(&folder, &["job", "1-W", "rerun", "--failed"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let (code, out, err) = ankus(&folder, &["run"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert_eq!(statuses(&folder), ["SUCCEEDED"]);
}

#[test]
fn what_storage_does_not_hold_is_not_touched() {
    let fs = |what: &str| {
        format!(
            r#"<start to="fs"/><action name="fs"><fs>{what}</fs><ok to="end"/><error to="fail"/></action>"#
        )
    };
    for (number, (what, code)) in [
        (r#"<delete path="/../../kept"/>"#, "E0904"),
        (r#"<delete path="/"/>"#, "FS005"),
        (r#"<delete path="hdfs://other/x"/>"#, "E0904"),
        (r#"<mkdir path="/x"/><move source="/nothing" target="/y"/>"#, "FS006"),
        (r#"<delete path="/link/kept"/>"#, "E0904"),
    ]
    .into_iter()
    .enumerate()
    {
        let text = workflow("fs", &fs(what));
        let name = format!("run-storage-{number}");
        let folder = project(&name, &[("app/workflow.xml", &text), ("kept/file", "x"), ("data/a", "x")]);
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.join("kept"), folder.join("data/link")).expect("a link");
        let (exit, out, _) = ankus(&folder, &["run", "app"]);
        assert_eq!(exit, 1, "{what}: {out}");
        let (_, info, _) = ankus(&folder, &["job", "1-W", "info"]);
        assert!(info.contains(code), "{what}: {info}");
        assert!(folder.join("kept/file").is_file() && folder.join("data/a").is_file(), "{what}");
    }
}

#[test]
fn jobs_are_submitted_started_and_killed_without_an_executor() {
    let text = workflow("w", &format!(r#"<start to="a"/>{}"#, shell("a", "a.sh", &[], "end")));
    let folder = project("run-operate", &[("app/workflow.xml", &text), ("app/a.sh", "#!/bin/sh\n")]);
    let (code, first, _) = ankus(&folder, &["submit", "app", "--external-id", "mine"]);
    assert_eq!(code, 0);
    let (_, second, err) = ankus(&folder, &["submit", "app", "--external-id", "mine"]);
    assert_eq!((first, err.as_str()), (second, "there is a job of this name already\n"));
    assert_eq!(statuses(&folder), ["PREP"]);
    let operate = |what: &str| ankus(&folder, &["job", "0000001-W", what]);
    assert_eq!(operate("start").0, 0);
    assert_eq!(operate("suspend").0, 0);
    assert_eq!(statuses(&folder), ["SUSPENDED"]);
    let (code, _, err) = operate("start");
    assert_eq!(code, 1);
    assert!(err.starts_with("refused: "), "{err}");
    // What was started comes to its end, and nothing goes on after that while it is suspended.
    let (code, out, err) = ankus(&folder, &["run", "--jobs", "2"]);
    assert_eq!(code, 1, "{err}");
    assert!(out.contains("@a  RUNNING -> DONE\n"), "{out}");
    assert!(err.contains("nothing will happen any more"), "{err}");
    assert_eq!(statuses(&folder), ["SUSPENDED"]);
    assert_eq!(operate("resume").0, 0);
    assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
    assert_eq!(statuses(&folder), ["SUCCEEDED"]);
    assert_eq!(operate("kill").0, 1);
    assert_eq!(ankus(&folder, &["job", "7-W", "kill"]).0, 2);
    let (_, purged, _) = ankus(&folder, &["jobs", "purge", "--older-than", "0s"]);
    assert_eq!(purged, "removed 1 job of 1 submission\n");
    // Numbers are not given twice.
    let (_, next, _) = ankus(&folder, &["submit", "app"]);
    assert!(next.starts_with("0000002-"), "{next}");
}

#[test]
fn a_submitted_job_is_started_by_a_run_of_its_name() {
    let text = workflow("w", &format!(r#"<start to="a"/>{}"#, shell("a", "a.sh", &[], "end")));
    let folder = project("run-named", &[("app/workflow.xml", &text), ("app/a.sh", "#!/bin/sh\n")]);
    assert_eq!(ankus(&folder, &["submit", "app", "--external-id", "mine"]).0, 0);
    let (code, _, err) = ankus(&folder, &["run", "app", "--new", "--external-id", "mine"]);
    assert!(code == 0 && err.contains("goes on with the job 0000001-"), "{code} {err}");
    assert_eq!(statuses(&folder), ["SUCCEEDED"]);
}

#[test]
fn what_cannot_be_used_is_said_and_left_alone() {
    let text = workflow("w", r#"<start to="end"/>"#);
    let folder = project("run-stores", &[("app/workflow.xml", &text)]);
    let (code, _, err) = ankus(&folder, &["run"]);
    assert_eq!(code, 2);
    assert!(err.contains("there is no store at"), "{err}");
    assert!(!folder.join(".ankus").exists());
    std::fs::create_dir(folder.join(".ankus")).expect("a folder");
    std::fs::write(folder.join(".ankus/store.sqlite"), "no database at all, but long enough to be looked at")
        .expect("a file");
    let (code, _, err) = ankus(&folder, &["run", "app"]);
    assert_eq!(code, 2);
    assert!(err.contains("cannot be used: it is not a database, or its first bytes are damaged"), "{err}");
    let other = rusqlite::Connection::open(folder.join("other.sqlite")).expect("a database");
    other.execute_batch("CREATE TABLE t (a); PRAGMA user_version = 9").expect("a table");
    drop(other);
    std::fs::rename(folder.join("other.sqlite"), folder.join(".ankus/store.sqlite")).expect("moved");
    let (code, _, err) = ankus(&folder, &["run", "app"]);
    assert_eq!(code, 2);
    assert!(err.contains("it is a database, but no store of Ankus"), "{err}");
}

#[test]
fn stubs_stand_for_actions() {
    let nodes = format!(
        r#"<start to="a"/>{}{}"#,
        shell("a", "none.sh", &[], "b"),
        r#"<action name="b"><hive xmlns="uri:oozie:hive-action:1.0"><script>x.q</script></hive><ok to="end"/>
        <error to="fail"/></action>"#
    );
    let text = workflow("w", &nodes);
    let folder = project("run-stubs", &[("app/workflow.xml", &text), ("app/none.sh", "")]);
    assert_eq!(ankus(&folder, &["-q", "run", "app", "--stub", "all"]).0, 0);
    assert_eq!(ankus(&folder, &["-q", "run", "app", "--stub", "all", "--stub", "hive=ERROR"]).0, 1);
    assert_eq!(ankus(&folder, &["-q", "run", "app", "--stub", "a=MAYBE"]).0, 2);
    assert_eq!(statuses(&folder), ["SUCCEEDED", "KILLED"]);
}

/// A program that tells its arguments, one a line, and does what is said besides.
#[cfg(unix)]
pub fn bring(folder: &Path, name: &str, besides: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("bin").join(name);
    crate::support::write_file(
        &path,
        &format!("#!/bin/sh\nfor a in \"$@\"; do echo \"$a\"; done\n{besides}\n"),
    );
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("it can be made executable");
}

#[test]
#[cfg(unix)]
fn other_programs_run_actions_by_templates() {
    let nodes = r#"<start to="java"/>
        <action name="java"><java><main-class>org.x.Main</main-class><java-opts>-Xmx1g -Da=b</java-opts>
        <arg>one two</arg><capture-output/></java><ok to="pig"/><error to="fail"/></action>
        <action name="pig"><pig><script>x.pig</script><param>DAY=${wf:actionData('java')['day']}</param></pig>
        <ok to="own"/><error to="fail"/></action>
        <action name="own"><hive xmlns="uri:oozie:hive-action:1.0"><script>x.q</script></hive><ok to="end"/>
        <error to="fail"/></action>"#;
    let text = workflow("others", nodes);
    let config = format!("{CONFIG}[run.commands]\nhive = [\"my-hive\", \"--file={{script}}\"]\n");
    let files =
        [("app/workflow.xml", text.as_str()), ("ankus.toml", &config), ("app/x.pig", ""), ("app/x.q", "")];
    let folder = project("run-others", &files);
    let (code, _, err) = ankus(&folder, &["run", "app"]);
    assert_eq!(code, 2);
    assert!(err.contains("needs the program `"), "{err}");
    assert!(!folder.join(".ankus").exists(), "nothing is begun");
    let write = "for a in \"$@\"; do case \"$a\" in -Doozie.action.output.properties=*) echo day=7 > \"${a#*=}\";; esac; done";
    bring(&folder, "java", write);
    bring(&folder, "pig", "");
    bring(&folder, "my-hive", "");
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let log = |action: &str| ankus(&folder, &["job", "1-W", "log", "--action", action]).1;
    let java = log("java");
    assert!(java.starts_with("== java, stdout\n-Xmx1g\n-Da=b\n-Doozie.action.conf.xml="), "{java}");
    assert!(java.ends_with("\n-cp\n.:*\norg.x.Main\none two\n"), "{java}");
    assert_eq!(log("pig"), "== pig, stdout\n-x\nlocal\n-file\nx.pig\n-param\nDAY=7\n");
    assert_eq!(log("own"), "== own, stdout\n--file=x.q\n");
}
