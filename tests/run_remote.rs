//! What actions take from and give to storage that is no folder of this machine: files, archives, libraries, `job-xml`, and
//! the inputs and outputs of streaming.

use std::path::Path;
use std::process::Output;

use crate::run::{program, statuses};
use crate::run_files::zip_of;
use crate::run_git::git;
use crate::run_webhdfs::project;
use crate::support::namenode::{Instead, NameNode};
use crate::support::{folder_of, write_file};

/// Runs the app of a project, with more arguments: exit code and what was printed.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = program(folder, &[&["run", "app"], arguments].concat()).output().expect("it runs");
    let Output { status, stdout, stderr } = output;
    (status.code(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
}

fn job(folder: &Path, arguments: &[&str]) -> String {
    let output = program(folder, &[&["job", "1-W"], arguments].concat()).output().expect("it runs");
    String::from_utf8(output.stdout).expect("text")
}

fn shell(parts: &str) -> String {
    format!(
        r#"<start to="a"/><action name="a"><shell xmlns="uri:oozie:shell-action:1.0">{parts}</shell>
        <ok to="end"/><error to="fail"/></action>"#
    )
}

const PROPERTIES: &str = "<configuration><property><name>greeting</name><value>${whom} is greeted</value></property>\
                          <property><name>second</name><value>there</value></property></configuration>";

#[test]
fn files_archives_libraries_and_configuration_are_brought() {
    let script = "#!/bin/sh\nfind . -type f | sort\ncat deep/w.txt z/in/a.txt tree/below/b\ngrep -o '[a-z]* is greeted' action.xml\n";
    let server = NameNode::with(&[
        ("tools/tool.sh", script),
        ("shared/words.txt", "words\n"),
        ("shared/tree/below/b", "deep\n"),
        ("conf/job.xml", PROPERTIES),
        ("libs/one/a.jar", "a"),
        ("libs/one/below/not.jar", ""),
        ("libs/two/a.jar", "hidden by the first"),
        ("libs/two/b.jar", "b"),
    ]);
    let zip = folder_of("remote-zip", &[]).join("z.zip");
    zip_of(&zip, &[("in/a.txt", "zipped\n")]);
    server.state().put("shared/z.zip", std::fs::read(&zip).expect("a file"));
    let parts = "<job-xml>/conf/job.xml</job-xml><exec>tool.sh</exec><file>/tools/tool.sh,hdfs://nn/shared/words.txt#deep/w.txt</file>\
                 <file>/shared/tree</file><archive>hdfs://nn/shared/z.zip#z</archive>";
    let folder = project("brought", &server.address(), &shell(parts));
    let libraries = "oozie.libpath=hdfs://nn/libs/one,/libs/none,hdfs://nn/libs/two";
    let (code, said) = run(&folder, &["-D", libraries, "-D", "whom=nobody"]);
    assert_eq!(code, Some(0), "{said}{}", job(&folder, &["info"]));
    let log = job(&folder, &["log", "--action", "a"]);
    let expected = "./a.jar\n./action.xml\n./b.jar\n./deep/w.txt\n./tool.sh\n./tree/below/b\n./z/in/a.txt\n\
                    words\nzipped\ndeep\nnobody is greeted\n";
    assert!(log.contains(expected), "{log}");
    let jar = folder.join(".ankus/work/1/1/work/a.jar");
    assert_eq!(std::fs::read_to_string(jar).expect("the library"), "a");
    assert!(!folder.join(".ankus/work/1/1/work.brought").exists(), "an archive is not kept twice");
}

#[test]
fn what_is_not_there_has_the_codes_of_a_server() {
    let server = NameNode::with(&[("conf/bad.xml", "<configuration>"), ("conf/folder/x", "")]);
    server.state().put("shared/no.zip", b"no archive".to_vec());
    for (number, (parts, code, status)) in [
        ("<exec>true</exec><file>/none.txt</file>", "JA008: File does not exist: /none.txt", "KILLED"),
        ("<exec>true</exec><archive>hdfs://nn/none.zip</archive>", "JA008: File does not exist", "KILLED"),
        ("<job-xml>/none.xml</job-xml><exec>true</exec>", "JA008: File does not exist: /none.xml", "KILLED"),
        ("<exec>true</exec><archive>/shared/no.zip</archive>", "JA018: the archive", "KILLED"),
        ("<exec>true</exec><file>hdfs://nn/a/../../b</file>", "E0904", "KILLED"),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = project(&format!("unbrought-{number}"), &server.address(), &shell(parts));
        let (exit, said) = run(&folder, &[]);
        assert_eq!(exit, Some(1), "{parts}: {said}");
        assert_eq!(statuses(&folder), [status], "{parts}");
        assert!(job(&folder, &["info"]).contains(code), "{parts}: {}", job(&folder, &["info"]));
    }
}

#[test]
fn storage_that_goes_away_while_files_are_brought_stops_nothing_for_good() {
    let server = NameNode::with(&[("tools/tool.sh", "#!/bin/sh\n")]);
    let parts = "<exec>tool.sh</exec><file>/tools/tool.sh</file>";
    let folder = project("away-later", &server.address(), &shell(parts));
    // It is there when the action is started, and not when its supervisor brings it.
    let standby = Instead::Exception(403, "StandbyException", "not me");
    server.state().instead.extend([Instead::Right, standby]);
    let (code, said) = run(&folder, &[]);
    assert_eq!((code, statuses(&folder)), (Some(1), vec!["SUSPENDED".to_owned()]), "{said}");
    assert!(job(&folder, &["info"]).contains("JA006"), "{}", job(&folder, &["info"]));
    job(&folder, &["resume"]);
    let output = program(&folder, &["run"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// A streaming action with these properties.
fn streaming(properties: &[(&str, &str)]) -> String {
    let property = |(name, value): &(&str, &str)| {
        format!("<property><name>{name}</name><value>{value}</value></property>")
    };
    let properties: String = properties.iter().map(property).collect();
    format!(
        r#"<start to="a"/><action name="a"><map-reduce>
        <streaming><mapper>tr a-z A-Z</mapper><reducer>cat</reducer></streaming>
        <configuration>{properties}</configuration></map-reduce><ok to="end"/><error to="fail"/></action>"#
    )
}

#[test]
fn streaming_reads_from_there_and_writes_to_there() {
    let server = NameNode::with(&[
        ("in/a.txt", "d\nc\nb\nlonger line than others\n"),
        ("in/b.txt", "a"),
        ("in/_not", "x"),
        ("in/other", "y"),
    ]);
    let properties = [
        ("mapred.input.dir", "/in/*.txt"),
        ("mapred.output.dir", "hdfs://nn/out/deep"),
        ("mapred.map.tasks", "4"),
        ("mapred.reduce.tasks", "2"),
    ];
    let folder = project("streaming", &server.address(), &streaming(&properties));
    let (code, said) = run(&folder, &[]);
    assert_eq!(code, Some(0), "{said}{}", job(&folder, &["info"]));
    let mut out: Vec<String> = server
        .paths()
        .into_iter()
        .filter_map(|path| Some(path.strip_prefix("out/deep/")?.to_owned()))
        .collect();
    out.sort();
    assert_eq!(out, ["_SUCCESS", "part-00000", "part-00001"]);
    let text = |name: &str| server.text(&format!("out/deep/{name}")).expect("a part");
    let mut lines: Vec<String> =
        (text("part-00000") + &text("part-00001")).lines().map(|line| line.trim().to_owned()).collect();
    lines.sort();
    assert_eq!(lines, ["A", "B", "C", "D", "LONGER LINE THAN OTHERS"]);
    let asked = server.state().asked.clone();
    // A part of a file is read from where it begins, and what is written takes its place at the end.
    assert!(asked.iter().any(|line| line.starts_with("data: GET /in/a.txt?op=OPEN&offset=")), "{asked:?}");
    let moved = "PUT /out/deep/_temporary/part-00001?op=RENAME&destination=%2Fout%2Fdeep%2Fpart-00001&";
    assert!(asked.iter().any(|line| line.starts_with(moved)), "{asked:?}");
    // Once more: the output is there.
    let (code, _) = run(&folder, &["--new"]);
    assert_eq!(code, Some(1));
    let info = program(&folder, &["job", "2-W", "info"]).output().expect("it runs").stdout;
    let info = String::from_utf8_lossy(&info).into_owned();
    assert!(info.contains("JA018: Output directory hdfs://nn/out/deep already exists"), "{info}");
}

#[test]
fn streaming_between_here_and_there_leaves_no_halves() {
    let server = NameNode::with(&[("in/a.txt", "x\n")]);
    let properties = [("mapred.input.dir", "/in,file:FOLDER/more"), ("mapred.output.dir", "/out")];
    let folder = project("streaming-both", &server.address(), "");
    write_file(&folder.join("more/b.txt"), "y\n");
    let nodes = streaming(&properties).replace("FOLDER", folder.to_str().expect("text"));
    let write = |nodes: &str| {
        write_file(&folder.join("app/workflow.xml"), &crate::run::workflow("w", nodes));
    };
    // The second reducer fails when the part of the first is there.
    let failing = "<reducer>sh -c 'exit $mapreduce_task_partition'</reducer>";
    let two = "<configuration><property><name>mapred.reduce.tasks</name><value>2</value></property>";
    write(&nodes.replace("<reducer>cat</reducer>", failing).replace("<configuration>", two));
    let (code, said) = run(&folder, &[]);
    assert_eq!(code, Some(1), "{said}");
    let asked = server.state().asked.clone();
    assert!(asked.iter().any(|line| line.starts_with("data: PUT /out/_temporary/")), "{asked:?}");
    assert_eq!(server.paths(), ["in", "in/a.txt", "out"]);
    // As with Hadoop, the empty folder is in the way of the next try.
    server.state().nodes.remove("out");
    write(&nodes);
    let (code, said) = run(&folder, &["--new"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(server.text("out/part-00000").as_deref(), Some("X\t\nY\t\n"));
}

#[test]
fn a_key_of_git_may_lie_there() {
    let server = NameNode::with(&[("keys/own", "secret key\n"), ("keys/open", "open key\n")]);
    server.state().nodes.get_mut("keys/own").expect("a key").mode = "640".to_owned();
    for (key, code) in [("own", Some(0)), ("open", Some(1)), ("none", Some(1))] {
        let folder = project(&format!("git-{key}"), &server.address(), "");
        let repository = folder.join("repository");
        write_file(&repository.join("a.txt"), "one\n");
        git(&repository, &["init", "--quiet"]);
        git(&repository, &["add", "."]);
        git(&repository, &["commit", "--quiet", "-m", "Add a file"]);
        let nodes = format!(
            r#"<start to="a"/><action name="a"><git xmlns="uri:oozie:git-action:1.0"><name-node>hdfs://nn</name-node>
            <git-uri>file://{}</git-uri><key-path>/keys/{key}</key-path>
            <destination-uri>hdfs://nn/copy-{key}</destination-uri></git><ok to="end"/><error to="fail"/></action>"#,
            repository.display()
        );
        write_file(&folder.join("app/workflow.xml"), &crate::run::workflow("w", &nodes));
        let (exit, said) = run(&folder, &[]);
        assert_eq!(exit, code, "{key}: {said}{}", job(&folder, &["info"]));
        assert!(!folder.join(".ankus/work/1/1/privkey").exists(), "{key}");
    }
    assert_eq!(server.text("copy-own/a.txt").as_deref(), Some("one\n"));
    assert!(
        server.paths().iter().all(|path| !path.starts_with("copy-open") && !path.starts_with("copy-none"))
    );
}
