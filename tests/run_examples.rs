//! Oozie's own example apps, executed: shell, java, fs, streaming, git, ssh, decisions, sub-workflows, coordinators and
//! bundles for real, and actions that other programs run by stand-ins for these programs.
//!
//! The apps are read where they lie and run as they are; what they need besides and what is not kept there, the test
//! supplies: the configuration of git leads their repository to one of this machine, and an sshd listens on the loopback.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::run::{ankus, bring, ended, program};
use crate::run_git::git;
use crate::run_java::jar_of;
use crate::support::sshd::{self, Sshd};
use crate::support::{folder_of, names_in, not_run, reference, write_file};

const APPS: &str = "corpus/apache__oozie/examples/src/main/apps";

const CONFIG: &str = r#"[paths]
"hdfs://localhost:8020" = "data"
"hdfs://localhost:9000" = "data"
[storage]
"hdfs://localhost:8020" = "data"
"hdfs://localhost:9000" = "data"
"hcat://localhost:11002" = "hcat"
"#;

/// A coordinator and its six workflows.
const SIX_RUNS: &[&str] = &[
    "C SUCCEEDED",
    "W SUCCEEDED",
    "W SUCCEEDED",
    "W SUCCEEDED",
    "W SUCCEEDED",
    "W SUCCEEDED",
    "W SUCCEEDED",
];

/// The repository that the example of git clones.
const REPOSITORY: &str = "https://github.com/apache/oozie";

/// Who runs the examples.
const USER: &str = "oozie";

/// Where the examples of a user lie on the name node.
fn home(user: &str) -> String {
    format!("data/user/{user}/examples")
}

/// Classes of the examples' jar that are run, written anew.
const CLASSES: [(&str, &str); 2] = [
    (
        "org/apache/oozie/example/DemoJavaMain.java",
        "package org.apache.oozie.example;
        public class DemoJavaMain {
            public static void main(String[] args) { System.out.println(String.join(\" \", args)); }
        }",
    ),
    (
        "org/apache/oozie/example/DateList.java",
        "package org.apache.oozie.example;
        import java.io.*; import java.time.*; import java.util.*;
        public class DateList {
            static Instant parse(String text) { return Instant.parse(text.replace(\"Z\", \":00Z\")); }
            public static void main(String[] args) throws IOException {
                Duration step = Duration.ofMinutes(Long.parseLong(args[2]) * (args[3].equals(\"HOURS\") ? 60 : 1));
                List<String> list = new ArrayList<>();
                for (Instant at = parse(args[0]); at.isBefore(parse(args[1])); at = at.plus(step)) {
                    list.add(at.toString().replace(\":00Z\", \"Z\"));
                }
                Properties output = new Properties();
                output.setProperty(\"datelist\", String.join(\",\", list));
                try (OutputStream to = new FileOutputStream(System.getProperty(\"oozie.action.output.properties\"))) {
                    output.store(to, \"\");
                }
            }
        }",
    ),
];

/// What an example is run with, and what becomes of it.
struct Example {
    app: &'static str,
    properties: &'static str,
    /// The jobs and their ends, sorted.
    ends: &'static [&'static str],
    /// What the log of an action holds: the action and lines.
    says: &'static [(&'static str, &'static str)],
    /// Files and folders of the output that are there afterwards.
    writes: &'static [&'static str],
}

const WELL: &[&str] = &["W SUCCEEDED"];
const HOURLY: &[&str] = &["C SUCCEEDED", "W SUCCEEDED", "W SUCCEEDED"];

const fn example(app: &'static str, ends: &'static [&'static str]) -> Example {
    Example { app, properties: "job.properties", ends, says: &[], writes: &[] }
}

const EXAMPLES: &[Example] = &[
    Example { writes: &["aggregator/aggregatedLogs/2010/01/01/02"], ..example("aggregator", HOURLY) },
    Example {
        properties: "job-with-offset.properties",
        writes: &["aggregator/aggregatedLogs/2010/01/01/02"],
        ..example("aggregator", HOURLY)
    },
    Example {
        writes: &["aggregator/aggregatedLogs/2010/01/01/01"],
        ..example("bundle", &["B SUCCEEDED", "C SUCCEEDED", "W SUCCEEDED", "W SUCCEEDED"])
    },
    Example { writes: &["inputLogic/2010/01/01/01"], ..example("coord-input-logic", HOURLY) },
    example("cron", SIX_RUNS),
    example("cron-schedule", SIX_RUNS),
    Example {
        says: &[("pig-node", "-file\nid.pig\n")],
        writes: &["custom-main/mr-node"],
        ..example("custom-main", WELL)
    },
    example("datelist-java-main", WELL),
    Example { writes: &["demo/streaming-node/_SUCCESS", "demo/final-data"], ..example("demo", WELL) },
    example("distcp", WELL),
    Example { writes: &["git/oozie/docs/README.txt", "git/oozie/.git/HEAD"], ..example("git", WELL) },
    Example { writes: &["hadoop-el"], ..example("hadoop-el", WELL) },
    Example {
        says: &[("pig-node", "-param\nOUTPUT_PARTITION='ds=2011-01-01,region=usa'\n")],
        ..example("hcatalog", HOURLY)
    },
    Example { says: &[("hive-node", "-f\nscript.q\n")], ..example("hive", WELL) },
    Example {
        says: &[("hive2-node", "-u\njdbc:hive2://localhost:10000/default\n")],
        ..example("hive2", WELL)
    },
    Example { says: &[("java-node", "Hello Oozie!\n")], ..example("java-main", WELL) },
    Example { writes: &["map-reduce"], ..example("map-reduce", WELL) },
    Example { properties: "job-with-config-class.properties", ..example("map-reduce", WELL) },
    example("no-op", WELL),
    Example { says: &[("pig-node", "-file\nid.pig\n")], ..example("pig", WELL) },
    Example {
        says: &[("spark-node", "--name\nPython-Spark-Pi\n--jars\noozie-examples.jar\npi.py\n")],
        ..example("pyspark", WELL)
    },
    Example { says: &[("shell-node", "my_output=Hello Oozie\n")], ..example("shell", WELL) },
    example("sla", HOURLY),
    Example {
        says: &[("spark-node", "--class\norg.apache.oozie.example.SparkFileCopy\n")],
        ..example("spark", WELL)
    },
    Example {
        says: &[("sqoop-node", "jdbc:hsqldb:file:db.hsqldb\n--table\nTT\n")],
        ..example("sqoop", WELL)
    },
    Example {
        says: &[("sqoop-freeform-node", "select TT.I, TT.S from TT where $CONDITIONS\n")],
        ..example("sqoop-freeform", WELL)
    },
    Example { says: &[("ssh", "Hello Oozie!\n")], ..example("ssh", WELL) },
    Example { writes: &["streaming/part-00000", "streaming/_SUCCESS"], ..example("streaming", WELL) },
    Example { writes: &["subwf"], ..example("subwf", &["W SUCCEEDED", "W SUCCEEDED"]) },
];

/// A project with an example, the apps that it leads to, data and programs.
fn project(apps: &Path, example: &Example, number: usize, sshd: Option<&Sshd>) -> PathBuf {
    let folder = folder_of(&format!("run-example-{number}"), &[]);
    let reached = sshd.map(|sshd| sshd::config(sshd.port, &sshd.key, &folder.join("known")));
    write_file(&folder.join("ankus.toml"), &format!("{CONFIG}{}", reached.unwrap_or_default()));
    let home = home(sshd.map_or(USER, |sshd| &sshd.user));
    if example.app == "git" {
        let repository = folder.join("repository");
        write_file(&repository.join("docs/README.txt"), "read it\n");
        git(&repository, &["init", "--quiet"]);
        git(&repository, &["add", "."]);
        git(&repository, &["commit", "--quiet", "-m", "Add a file"]);
        let text = format!("[url \"file://{}\"]\n\tinsteadOf = {REPOSITORY}\n", repository.display());
        write_file(&folder.join(".gitconfig"), &text);
    }
    let more = match example.app {
        "bundle" => &["aggregator"][..],
        "subwf" => &["map-reduce"],
        _ => &[],
    };
    for app in more.iter().chain([&example.app]) {
        for name in names_in(&apps.join(app)) {
            let text = std::fs::read_to_string(apps.join(app).join(&name)).expect("a text");
            write_file(&folder.join(&home).join("apps").join(app).join(name), &text);
        }
    }
    let own = folder.join(&home).join("apps").join(example.app);
    for name in ["id.pig", "script.q", "db.hsqldb.script", "lib/hive-site.xml", "lib/pi.py"] {
        write_file(&own.join(name), "");
    }
    write_file(&own.join("lib/oozie-examples.jar"), "");
    let inputs = folder.join(&home).join("input-data");
    write_file(&inputs.join("text/data.txt"), "To be or not to be\nthat is the question\n");
    for hour in ["00", "01", "02", "03"] {
        for minute in ["00", "20", "40"] {
            write_file(&inputs.join("rawLogs/2010/01/01").join(hour).join(minute).join("_SUCCESS"), "");
        }
    }
    std::fs::create_dir_all(folder.join("hcat/default/invites/ds=2010-01-01;region=usa"))
        .expect("a partition");
    for program in ["pig", "hive", "beeline", "spark-submit", "sqoop", "hadoop"] {
        bring(&folder, program, "");
    }
    let counted = "echo '  Map input records=2' >&2; echo '  Map output records=2' >&2
        echo '  Reduce input records=2' >&2; echo '  Reduce output records=2' >&2; echo '  Reduce input groups=1' >&2";
    let writes = "while [ $# -gt 0 ]; do [ \"$1\" = -output ] && mkdir -p \"$2\"; shift; done; true";
    bring(&folder, "mapred", &format!("{counted}\n{writes}"));
    folder
}

/// The kinds of jobs and their ends, sorted; and the ids of the workflows.
fn ends(folder: &Path) -> (Vec<String>, Vec<String>) {
    let (code, out, err) = ankus(folder, &["jobs", "--format", "json"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let document: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let jobs: Vec<_> = document["jobs"]
        .as_array()
        .expect("jobs")
        .iter()
        .map(|job| (text(&job["id"]), text(&job["status"])))
        .collect();
    let mut ends: Vec<String> =
        jobs.iter().map(|(id, status)| format!("{} {status}", &id[id.len() - 1..])).collect();
    ends.sort();
    let workflows = jobs.into_iter().map(|(id, _)| id).filter(|id| id.ends_with('W')).collect();
    (ends, workflows)
}

fn run(apps: &Path, number: usize, example: &Example) {
    let Example { app, properties, says, writes, .. } = *example;
    let (is_ssh, is_java) = (app == "ssh", ["java-main", "datelist-java-main"].contains(&app));
    if (is_ssh && !cfg!(has_sshd)) || (is_java && !cfg!(has_javac)) {
        return not_run(&format!("the example `{app}`"), if is_ssh { "no sshd" } else { "no javac" });
    }
    // An sshd lets nobody in but who has started it.
    let sshd = is_ssh.then(|| sshd::start(&folder_of(&format!("run-example-{number}-sshd"), &[])));
    let folder = project(apps, example, number, sshd.as_ref());
    let user = sshd.as_ref().map_or(USER, |sshd| &sshd.user);
    let home = home(user);
    let arguments = [
        "run".to_owned(),
        format!("{home}/apps/{app}/{properties}"),
        "-D".to_owned(),
        format!("user.name={user}"),
    ];
    if is_java {
        let jar = format!("{home}/apps/{app}/lib/oozie-examples.jar");
        jar_of(&folder, &jar, &CLASSES);
    }
    let arguments = arguments.each_ref().map(String::as_str);
    let mut command = program(&folder, &arguments);
    command.env("HOME", &folder);
    let (code, out, err) = ended(command, &folder);
    let info = || -> String {
        let (_, workflows) = ends(&folder);
        workflows.iter().map(|id| ankus(&folder, &["job", id, "info"]).1).collect()
    };
    assert_eq!(code, 0, "{app}: {err}\n{out}\n{}", info());
    let (ends, workflows) = ends(&folder);
    assert_eq!(ends, example.ends, "{app}: {}", info());
    for (action, lines) in says {
        let (_, log, _) = ankus(&folder, &["job", &workflows[0], "log", "--action", action]);
        assert!(log.contains(lines), "{app}: {log}");
    }
    for path in writes {
        let path = folder.join(&home).join("output-data").join(path);
        assert!(path.exists(), "{app}: {}\n{}", path.display(), info());
    }
}

/// Runs every third example, so that tests share the processors.
fn every_third(from: usize) {
    let apps = reference(APPS);
    for (number, example) in EXAMPLES.iter().enumerate().filter(|(number, _)| number % 3 == from) {
        run(&apps, number, example);
    }
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn the_first_third_of_the_examples_runs() {
    every_third(0);
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn the_second_third_of_the_examples_runs() {
    every_third(1);
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn the_last_third_of_the_examples_runs() {
    every_third(2);
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn no_example_is_left_out() {
    let apps = reference(APPS);
    let mut there = BTreeMap::new();
    for app in names_in(&apps) {
        let is_properties = |name: &String| name.starts_with("job") && name.ends_with(".properties");
        let names = names_in(&apps.join(&app)).into_iter().filter(is_properties);
        // The variants for Windows differ in the commands of that system.
        let names: BTreeSet<String> = names.filter(|name| !name.contains("windows")).collect();
        there.insert(app, names);
    }
    let mut run: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for example in EXAMPLES {
        run.entry(example.app.to_owned()).or_default().insert(example.properties.to_owned());
    }
    assert_eq!(there, run);
}
