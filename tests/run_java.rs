//! Java actions against a real Java machine: classes are compiled in the test.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{ankus, project, workflow};
use crate::support::{names_in, write_file};

/// Compiles classes into a jar.
///
/// # Panics
///
/// Where there is no compiler: a test that needs it is ignored without the flag `has_javac` of `build.rs`.
pub fn jar_of(folder: &Path, jar: &str, sources: &[(&str, &str)]) -> PathBuf {
    let (from, to) = (folder.join("java/src"), folder.join("java/classes"));
    let mut compiler = Command::new("javac");
    compiler.arg("-d").arg(&to);
    for (name, text) in sources {
        write_file(&from.join(name), text);
        compiler.arg(from.join(name));
    }
    let output = compiler.output().expect("javac");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut files = Vec::new();
    let mut open = vec![to.clone()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(names_in(&path).into_iter().map(|name| path.join(name)));
        } else {
            let name = path.strip_prefix(&to).expect("below").to_string_lossy().into_owned();
            files.push((name, std::fs::read(&path).expect("a class")));
        }
    }
    let jar = folder.join(jar);
    write_file(&jar, "");
    let mut writer = zip::ZipWriter::new(std::fs::File::create(&jar).expect("a file"));
    for (name, bytes) in files {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).expect("an entry");
        std::io::Write::write_all(&mut writer, &bytes).expect("its bytes");
    }
    writer.finish().expect("a jar");
    jar
}

const MAIN: &str = r#"package org.x;
import java.io.*;
import java.util.*;
public class Main {
    public static void main(String[] args) throws Exception {
        for (String name : new String[] {"my.option", "other", "oozie.job.id", "oozie.action.id"}) {
            System.out.println(name + "=" + System.getProperty(name));
        }
        System.out.println("args=" + Arrays.asList(args));
        System.out.println("conf=" + new File(System.getProperty("oozie.action.conf.xml")).isFile());
        System.out.println("resource=" + (Main.class.getResource("/words.txt") != null));
        if (args[0].equals("throw")) throw new IllegalStateException("so it is");
        if (args[0].equals("exit")) System.exit(Integer.parseInt(args[1]));
        Properties output = new Properties();
        output.setProperty("answer", args[1]);
        try (OutputStream to = new FileOutputStream(System.getProperty("oozie.action.output.properties"))) {
            output.store(to, "");
        }
        System.exit(0);
    }
}
"#;

fn java(arguments: &[&str], more: &str) -> String {
    let arguments: String = arguments.iter().map(|text| format!("<arg>{text}</arg>")).collect();
    let nodes = format!(
        r#"<start to="a"/><action name="a"><java><main-class>org.x.Main</main-class>{more}{arguments}
        <file>words.txt</file><capture-output/></java><ok to="check"/><error to="fail"/></action>
        <decision name="check"><switch><case to="end">${{wf:actionData('a')['answer'] eq 'x; y $(id)'}}</case>
        <default to="fail"/></switch></decision>"#
    );
    workflow("java", &nodes)
}

#[test]
#[cfg_attr(not(has_javac), ignore = "needs javac")]
fn classes_run_with_what_an_action_gets() {
    let options = "<java-opts>-Dmy.option=1  -Dother=a,b</java-opts>";
    let text = java(&["write", "x; y $(id)"], options);
    let folder = project("run-java", &[("app/workflow.xml", &text), ("app/words.txt", "")]);
    jar_of(&folder, "app/lib/main.jar", &[("org/x/Main.java", MAIN)]);
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    let (_, log, _) = ankus(&folder, &["job", "1-W", "log", "--action", "a"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}{log}");
    let (_, id, _) = ankus(&folder, &["job", "1-W", "info"]);
    let id = id.split_whitespace().next().expect("an id");
    assert_eq!(
        log,
        format!(
            "== a, stdout\nmy.option=1\nother=a,b\noozie.job.id={id}\noozie.action.id={id}@a\n\
             args=[write, x; y $(id)]\nconf=true\nresource=true\n"
        )
    );
    // Options of the launcher count where the action has none of its own.
    let launcher = "<launcher><java-opts>-Dmy.option=launcher</java-opts></launcher>";
    let launched =
        java(&["write", "x; y $(id)"], "").replace("<main-class>", &format!("{launcher}<main-class>"));
    write_file(&folder.join("app/workflow.xml"), &launched);
    assert_eq!(ankus(&folder, &["-q", "run", "app", "--new"]).0, 0);
    let (_, log, _) = ankus(&folder, &["job", "2-W", "log", "--action", "a"]);
    assert!(log.contains("my.option=launcher\n"), "{log}");
    for (arguments, words) in [
        (&["throw"][..], "JA018: java.lang.IllegalStateException: so it is"),
        (&["exit", "3"], "JA018: `java` ended with exit code [3]"),
    ] {
        write_file(&folder.join("app/workflow.xml"), &java(arguments, ""));
        assert_eq!(ankus(&folder, &["-q", "run", "app", "--new"]).0, 1);
        let (_, jobs, _) = ankus(&folder, &["jobs", "--format", "json"]);
        let jobs: serde_json::Value = serde_json::from_str(&jobs).expect("JSON");
        let id = jobs["jobs"][0]["id"].as_str().expect("an id").to_owned();
        let (_, info, _) = ankus(&folder, &["job", &id, "info"]);
        assert!(info.contains(words), "{info}");
    }
}
