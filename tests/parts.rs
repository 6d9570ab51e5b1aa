//! Real parts on the loopback, started by `tests/parts/up`: a name node and data node, an S3 server, a mail server with
//! STARTTLS and a login, a git daemon, an sshd.
//!
//! `ANKUS_PARTS=1` runs all of it, `ANKUS_PARTS=ssh,smtp` these parts; what cannot be had is reported as not run.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use ankus::engine::TroubleKind;
use ankus::execute::storage::backend::Backend;
use ankus::execute::storage::fault::Why;
use ankus::execute::storage::webhdfs::Webhdfs;

use crate::run::{ankus, program, project, statuses, workflow};
use crate::support::{not_run, root};

/// A stand that ends with the value.
struct Stand {
    child: Child,
    orders: Option<ChildStdin>,
    said: BufReader<ChildStdout>,
    /// What is said of a part that answers, by its name.
    parts: BTreeMap<String, BTreeMap<String, String>>,
}

impl Stand {
    /// These parts, when the machine is to run them and can.
    fn of(wanted: &[&str]) -> Option<Stand> {
        let chosen = std::env::var("ANKUS_PARTS").unwrap_or_default();
        let names: Vec<&str> = chosen.split([',', ' ']).collect();
        let is_chosen = |part: &&str| chosen == "1" || names.contains(part);
        if !wanted.iter().all(is_chosen) {
            not_run(&wanted.join(", "), "ANKUS_PARTS=1 starts real parts");
            return None;
        }
        let mut child = Command::new(root().join("tests/parts/up"))
            .args(wanted)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("bash is there");
        let orders = child.stdin.take();
        let said = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut stand = Stand { child, orders, said, parts: BTreeMap::new() };
        loop {
            let line = stand.line();
            if line == "ready" {
                return Some(stand);
            }
            if let Some((part, why)) = line.split_once(" not run: ") {
                not_run(part, why);
                return None;
            }
            let mut words = line.split(' ');
            let part = words.next().unwrap_or_default().to_owned();
            let pairs = words.filter_map(|word| word.split_once('='));
            let values = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            stand.parts.insert(part, values);
        }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert_ne!(self.said.read_line(&mut line).expect("text"), 0, "the stand has ended");
        line.trim_end().to_owned()
    }

    /// What the stand answers to an order.
    fn order(&mut self, order: &str) -> String {
        let orders = self.orders.as_mut().expect("it runs");
        writeln!(orders, "{order}").expect("it reads");
        self.line()
    }

    fn value(&self, part: &str, name: &str) -> String {
        self.parts[part][name].clone()
    }
}

impl Drop for Stand {
    fn drop(&mut self) {
        // The end of its input ends it, and all that it has started.
        drop(self.orders.take());
        let _ = self.child.wait();
    }
}

fn fs_app(name: &str, table: &str, operations: &str) -> std::path::PathBuf {
    let nodes = format!(
        r#"<start to="a"/><action name="a"><fs>{operations}</fs><ok to="end"/><error to="fail"/></action>"#
    );
    let config = format!("[paths]\n\"hdfs://nn/apps\" = \".\"\n[storage]\n\"hdfs://nn\" = {table}\n");
    project(name, &[("ankus.toml", &config), ("app/workflow.xml", &workflow(name, &nodes))])
}

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
    backend.set_mode("work/deep", 0o777).expect("set");
    other.mkdirs("work/deep/joes").expect("anybody may");
    assert_eq!(
        other.set_group("work/deep/joes", "hadoop").expect_err("not a group of joe's").why,
        Why::Denied
    );
    assert_eq!(other.set_mode("work/two words", 0o600).expect_err("not joe's").why, Why::Denied);
    backend.set_group("work/deep", "hadoop").expect("a group of oozie's");
    backend.set_mode("work/deep", 0o700).expect("set");
    let many = backend.set_replication("work/empty", 600).expect_err("too many copies");
    assert!(many.why == Why::Io && !many.words.contains('\n'), "{}", many.words);
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

#[test]
fn letters_go_over_a_secured_connection_with_a_login() {
    let Some(stand) = Stand::of(&["smtp"]) else { return };
    let value = |name: &str| stand.value("smtp", name);
    let nodes = r#"<start to="m"/><action name="m"><email xmlns="uri:oozie:email-action:0.2"><to>a@example.org</to>
        <subject>hello</subject><body>text</body></email><ok to="end"/><error to="fail"/></action>"#;
    for (name, password, certificate, status) in [
        ("parts-mail", "right", true, "SUCCEEDED"),
        ("parts-mail-password", "wrong", true, "KILLED"),
        ("parts-mail-stranger", "right", false, "KILLED"),
    ] {
        let certificate =
            if certificate { format!("certificate = \"{}\"\n", value("ca")) } else { String::new() };
        let config = format!(
            "[run.email]\nhost = \"localhost\"\nport = {}\nauth = true\nusername = \"joe\"\npassword-env = \"MAIL_PASSWORD\"\n\
             starttls = true\n{certificate}",
            value("port")
        );
        let folder = project(name, &[("ankus.toml", &config), ("app/workflow.xml", &workflow(name, nodes))]);
        let output =
            program(&folder, &["run", "app"]).env("MAIL_PASSWORD", password).output().expect("it runs");
        let said =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(statuses(&folder), [status], "{said}");
        assert!(!said.contains("wrong"), "{said}");
    }
    let letters = std::fs::read_dir(value("letters")).expect("a folder").count();
    assert_eq!(letters, 1);
}

#[test]
fn a_repository_comes_from_a_git_daemon() {
    let Some(stand) = Stand::of(&["git"]) else { return };
    let repository = Path::new(&stand.value("git", "folder")).join("one");
    crate::support::write_file(&repository.join("a.txt"), "text\n");
    let git = crate::run_git::git;
    git(&repository, &["init", "--quiet", "--initial-branch=main"]);
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "--quiet", "-m", "Add a file"]);
    let mut names = vec!["none", "one"];
    while let Some(name) = names.pop() {
        let nodes = format!(
            r#"<start to="c"/><action name="c"><git xmlns="uri:oozie:git-action:1.0"><name-node>hdfs://nn</name-node>
            <git-uri>{}/{name}</git-uri><destination-uri>hdfs://nn/copy</destination-uri></git>
            <ok to="end"/><error to="fail"/></action>"#,
            stand.value("git", "url")
        );
        // Only what says so is given away.
        crate::support::write_file(&repository.join(".git/git-daemon-export-ok"), "");
        let folder =
            project(&format!("parts-git-{name}"), &[("app/workflow.xml", &workflow("clone", &nodes))]);
        let (_, out, err) = ankus(&folder, &["run", "app"]);
        let status = if name == "one" { "SUCCEEDED" } else { "KILLED" };
        assert_eq!(statuses(&folder), [status], "{out}{err}");
        let copied = std::fs::read_to_string(folder.join("data/copy/a.txt")).ok();
        assert_eq!(copied.as_deref(), (name == "one").then_some("text\n"));
    }
}

#[test]
fn a_command_goes_on_where_the_sshd_is_killed() {
    let Some(mut stand) = Stand::of(&["ssh"]) else { return };
    let value = |stand: &Stand, name: &str| stand.value("ssh", name);
    let folder = project("parts-ssh", &[]);
    let (begun, go) = (folder.join("begun"), folder.join("go"));
    let nodes = format!(
        r#"<start to="s"/><action name="s"><ssh xmlns="uri:oozie:ssh-action:0.2"><host>{}@127.0.0.1</host>
        <command>sh</command><arg>-c</arg><arg>touch {}; while ! test -e {}; do :; done; echo done=yes</arg><capture-output/></ssh>
        <ok to="end"/><error to="fail"/></action>"#,
        value(&stand, "user"),
        begun.display(),
        go.display()
    );
    let config = format!(
        "{}[run.ssh]\nport = {}\nidentity = \"{}\"\noptions = [\"StrictHostKeyChecking=no\", \"UserKnownHostsFile={}\"]\n",
        crate::run::CONFIG,
        value(&stand, "port"),
        value(&stand, "key"),
        folder.join("known").display()
    );
    crate::support::write_file(&folder.join("ankus.toml"), &config);
    crate::support::write_file(&folder.join("app/workflow.xml"), &workflow("ssh", &nodes));
    let mut child = program(&folder, &["run", "app"]).stdout(Stdio::null()).spawn().expect("it runs");
    while !begun.exists() {
        assert!(child.try_wait().expect("asked").is_none(), "{}", ankus(&folder, &["job", "1-W", "info"]).1);
        std::thread::yield_now();
    }
    stand.order("kill ssh");
    std::fs::write(&go, "").expect("a file");
    assert!(stand.order("start ssh").starts_with("ssh port="));
    assert!(child.wait().expect("it ends").success(), "{}", ankus(&folder, &["job", "1-W", "info"]).1);
}

const COUNT: &str = "import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
print('option', spark.sparkContext._jvm.java.lang.System.getProperty('foo'))
lines = spark.read.text(sys.argv[1])
print('lines', lines.count())
lines.write.mode('overwrite').text(sys.argv[2])
";

#[test]
fn lines_go_from_hdfs_through_spark_and_a_hive_server() {
    let Some(stand) = Stand::of(&["hdfs", "thrift"]) else { return };
    let (uri, bin) = (stand.value("hdfs", "uri"), stand.value("thrift", "bin"));
    let path = format!("PATH={bin}:{}", std::env::var("PATH").expect("a path"));
    let config = format!(
        r#"[storage]
"hdfs://nn" = {{ webhdfs = "{}", user = "oozie" }}
[run.commands]
spark = ["env", "{path}", "SPARK_LOCAL_IP=127.0.0.1", "HADOOP_USER_NAME=oozie", "spark-submit", "--master", "local[1]",
    "--conf", "spark.ui.enabled=false", "--driver-memory", "512m", "{{name:--name}}", "{{spark-opts/}}", "{{jar}}", "{{arg}}"]
hive2 = ["env", "{path}", "beeline", "-u", "{{jdbc-url}}", "{{user.name:-n}}", "{{password-file:-w}}", "{{script:-f}}",
    "{{param:--hivevar}}", "{{argument}}"]
"#,
        stand.value("hdfs", "webhdfs")
    );
    let nodes = format!(
        r#"<start to="in"/><action name="in"><fs><mkdir path="/in"/><mkdir path="/out"/><touchz path="/in/a"/></fs>
        <ok to="count"/><error to="fail"/></action>
        <action name="count"><spark xmlns="uri:oozie:spark-action:1.0"><master>yarn</master><name>count lines</name>
        <jar>count.py</jar><spark-opts>--conf spark.driver.extraJavaOptions="-Xss2m -Dfoo=bar"</spark-opts>
        <arg>{uri}/in</arg><arg>{uri}/out/lines</arg><file>count.py</file></spark><ok to="ask"/><error to="fail"/></action>
        <action name="ask"><hive2 xmlns="uri:oozie:hive2-action:1.0"><jdbc-url>{}</jdbc-url><script>ask.hql</script>
        <param>WHAT=two words</param></hive2><ok to="end"/><error to="fail"/></action>"#,
        stand.value("thrift", "jdbc")
    );
    let files = [
        ("ankus.toml", config.as_str()),
        ("app/workflow.xml", &workflow("lines", &nodes)),
        ("app/count.py", COUNT),
        ("app/ask.hql", "select concat('n=', '${WHAT}') as a;\n"),
    ];
    let folder = project("parts-lines", &files);
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    let log = ankus(&folder, &["job", "1-W", "log"]).1;
    assert_eq!(code, 0, "{out}{err}{log}");
    for part in ["option bar", "lines 0", "n=two words"] {
        assert!(log.contains(part), "{part}: {log}");
    }
    let backend = Webhdfs::new(&stand.value("hdfs", "webhdfs"), "", "oozie");
    assert!(backend.status("out/lines/_SUCCESS").expect("asked").is_some());
}

#[cfg(feature = "object-store")]
#[test]
fn objects_of_an_s3_server_are_files() {
    let Some(stand) = Stand::of(&["s3"]) else { return };
    let operations = "<mkdir path='hdfs://nn/in/day'/><touchz path='hdfs://nn/in/day/_DONE'/><move source='hdfs://nn/in/day' target='hdfs://nn/in/other'/>";
    let folder = fs_app("parts-s3", "{ s3 = \"bkt\" }", operations);
    let endpoint = stand.value("s3", "endpoint");
    let run = |folder: &Path| {
        let mut command = program(folder, &["run", "app"]);
        command.envs([
            ("AWS_ENDPOINT", endpoint.as_str()),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "us-east-1"),
        ]);
        command.envs([("AWS_ACCESS_KEY_ID", "test"), ("AWS_SECRET_ACCESS_KEY", "test")]);
        command
    };
    let output = run(&folder).output().expect("it runs");
    assert!(output.status.success(), "{output:?}");
}
