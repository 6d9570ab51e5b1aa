//! The command lines of actions that other programs run, compared word by word with what a server's own launchers make of
//! the same actions (`fixtures/reference/launcher`).

use std::path::Path;

use ankus::engine::Conf;
use ankus::execute::attempt::{Attempt, Task};
use ankus::execute::runners::template::Commands;
use ankus::execute::runners::{Action, prepare};
use ankus::shell::config::outward::Outward;
use ankus::source::Sources;
use ankus::xml::{self, Element};
use serde_json::Value;

use crate::run_storage::storage;
use crate::support::{folder_of, write_file};

/// The command of an action by its default template, or why there is none.
fn command(kind: &str, definition: &str, folder: &Path, number: usize) -> Result<Vec<String>, String> {
    command_by(kind, definition, folder, number, &Commands::new())
}

/// The command of an action by a template, or why there is none.
fn command_by(
    kind: &str,
    definition: &str,
    folder: &Path,
    number: usize,
    commands: &Commands,
) -> Result<Vec<String>, String> {
    let attempt = prepared(kind, definition, folder, number, commands)?;
    match attempt.spec().expect("a task").task {
        Task::Process { command, .. } => Ok(command),
        other => panic!("a process, not {other:?}"),
    }
}

/// The attempt of an action, with all that it needs to begin, or why there is none.
fn prepared(
    kind: &str,
    definition: &str,
    folder: &Path,
    number: usize,
    commands: &Commands,
) -> Result<Attempt, String> {
    let conf = Conf::new([("user.name", "joe")]);
    let action = Action {
        kind,
        definition,
        conf: &conf,
        app: &folder.join("app"),
        storage: &storage(folder, "\"hdfs://nn\" = \"nn\"\n"),
        commands,
        outward: &Outward::default(),
        job_id: "JOB",
        action_id: "JOB@a",
        asked_millis: 0,
        evaluate: &|text| Ok(text.to_owned()),
    };
    let attempt = Attempt::new(folder.join(format!("{kind}-{number}")));
    prepare(&action, &attempt).map_err(|refusal| refusal.fault.message.to_string())?;
    Ok(attempt)
}

/// Words without what only a server adds: `(word, words that follow)`.
fn without(words: &[String], added: &dyn Fn(&[String]) -> usize) -> Vec<String> {
    let (mut kept, mut at) = (Vec::new(), 0);
    while at < words.len() {
        match added(&words[at..]) {
            0 => {
                kept.push(words[at].clone());
                at += 1;
            }
            count => at += count,
        }
    }
    kept
}

/// How many words at the beginning only a server has: loggers, tags and proofs of identity for its cluster.
fn only_there(kind: &str, words: &[String]) -> usize {
    let second = words.get(1).map_or("", String::as_str);
    match (kind, words[0].as_str()) {
        ("pig", "-log4jconf" | "-logfile") => 2,
        ("hive", "--hiveconf") if second.starts_with("hive.") => 2,
        // The driver is the one that Beeline takes anyway.
        ("hive2", "-d" | "-a") => 2,
        ("spark", "--verbose") => 1,
        ("spark", "--master" | "--deploy-mode") => 2,
        ("spark", "--conf")
            if second.starts_with("spark.yarn.security.")
                || second.ends_with("extraJavaOptions=-Dlog4j.configuration=spark-log4j.properties") =>
        {
            2
        }
        _ => 0,
    }
}

/// Both lines in one form.
fn alike(kind: &str, folder: &Path, ours: Vec<String>, theirs: Vec<String>) -> (Vec<String>, Vec<String>) {
    // One beside the definition is named where it lies.
    let app = format!("{}/app/", folder.display());
    let read = |path: &str| std::fs::read_to_string(path).expect("a file that the command names");
    let theirs = without(&theirs, &|words| only_there(kind, words));
    let mut ours = ours[1..].to_vec();
    let local = ["-x", "local", "--master", "local[*]"];
    if kind == "spark" {
        // A server adds it unless somebody has written it.
        ours.retain(|word| word != "--verbose");
    }
    if kind == "pig" || kind == "spark" {
        let at = ours.iter().position(|word| local.contains(&word.as_str())).expect("the local mode");
        ours.drain(at..at + 2);
    }
    let own = ours.iter().position(|word| word == "-w");
    let ours = ours.iter().enumerate().map(|(at, word)| {
        match Path::new(word).file_name().and_then(|name| name.to_str()) {
            Some("query.hql") if Path::new(word).is_absolute() => "QUERY-FILE".to_owned(),
            // The password stands in a file, where other users of the machine do not see it.
            Some("password") if Path::new(word).is_absolute() => read(word),
            _ if kind == "hive2" && Some(at) == own => "-p".to_owned(),
            _ => word.strip_prefix(&app).unwrap_or(word).to_owned(),
        }
    });
    let theirs = theirs.into_iter().map(|word| {
        // A server's own logger, behind options that a user gives.
        word.replace(" -Dlog4j.configuration=spark-log4j.properties", "")
    });
    (ours.collect(), theirs.collect())
}

/// The cases of a type: the action, and its words or the error.
fn cases(kind: &str) -> Vec<(String, Result<Vec<String>, String>)> {
    let path = format!("fixtures/reference/launcher/{kind}.json");
    let text = std::fs::read_to_string(path).expect("recorded answers");
    let all: Value = serde_json::from_str(&text).expect("JSON");
    let texts = |value: &Value| -> Vec<String> { serde_json::from_value(value.clone()).expect("words") };
    let case = |case: &Value| {
        let action = case["action"].as_str().expect("an action").to_owned();
        let answer = match case["error"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => Ok(texts(&case["words"])),
        };
        (action, answer)
    };
    all["cases"].as_array().expect("cases").iter().map(case).collect()
}

fn project(name: &str) -> std::path::PathBuf {
    let folder = folder_of(name, &[]);
    for file in ["q.hql", "deep/q.hql", "q.sql", "q.pig", "deep/q.pig", "job.jar", "job.py"] {
        write_file(&folder.join("app").join(file), "x");
    }
    for file in ["q.hql", "q.pig"] {
        write_file(&folder.join("nn/x").join(file), "x");
    }
    folder
}

#[test]
fn command_lines_are_those_of_a_servers_launchers() {
    let folder = project("launcher-words");
    for kind in ["pig", "hive", "hive2", "spark", "sqoop"] {
        let cases = cases(kind);
        assert!(cases.len() >= 24, "{kind}: {}", cases.len());
        for (number, (action, theirs)) in cases.into_iter().enumerate() {
            let ours = command(kind, &action, &folder, number);
            match (ours, theirs) {
                (Ok(ours), Ok(theirs)) => {
                    let (ours, theirs) = alike(kind, &folder, ours, theirs);
                    assert_eq!(ours, theirs, "{action}");
                }
                (Err(ours), Err(theirs)) => assert_eq!(ours, theirs, "{action}"),
                (ours, theirs) => panic!("{action}: {ours:?}, on a server {theirs:?}"),
            }
        }
    }
}

#[test]
fn options_of_java_arrive_as_on_a_server_or_are_refused() {
    let folder = project("launcher-java");
    let cases = cases("java");
    assert!(cases.len() >= 24);
    for (number, (action, theirs)) in cases.into_iter().enumerate() {
        let ours = command("java", &action, &folder, number);
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => {
                let end = ours.iter().position(|word| word.starts_with("-Doozie.")).expect("our own");
                assert_eq!(ours[1..end], theirs, "{action}");
            }
            // What a shell would put in is not known here.
            (Err(words), Ok(_)) => assert!(action.contains(['$', '`', '{']), "{action}: {words}"),
            (Err(words), Err(_)) => assert!(words.contains("single quotes"), "{words}"),
            (Ok(ours), Err(theirs)) => panic!("{action}: {ours:?}, on a server {theirs}"),
        }
    }
}

#[test]
fn a_distcp_gets_the_arguments_that_a_servers_launcher_hands_over() {
    let folder = project("launcher-distcp");
    let cases = cases("distcp");
    assert!(cases.len() >= 24);
    let ours = Commands::from([("distcp".to_owned(), vec!["distcp".to_owned(), "{arg}".to_owned()])]);
    for (number, (action, theirs)) in cases.into_iter().enumerate() {
        let command = command_by("distcp", &action, &folder, number, &ours).expect("a command");
        assert_eq!(command[1..], theirs.expect("words"), "{action}");
    }
}

#[test]
fn a_streaming_job_has_the_properties_that_a_servers_launcher_puts_into_it() {
    let folder = project("launcher-streaming");
    let cases = cases("streaming");
    assert!(cases.len() >= 24);
    for (number, (action, theirs)) in cases.into_iter().enumerate() {
        let attempt = prepared("map-reduce", &action, &folder, number, &Commands::new());
        let ours = attempt.map(|attempt| {
            let text = std::fs::read_to_string(attempt.work().join("action.xml")).expect("a configuration");
            let file = Sources::new().add("action.xml", text.as_str());
            let (root, _) = xml::read(file, &text, &xml::Limits::default());
            let root = root.expect("well-formed");
            // Empty values count here, which whoever reads a configuration passes over.
            let value =
                |property: &Element, name: &str| property.child(name).expect(name).text().value.clone();
            let pairs = root.children_named("property");
            let all = pairs.map(|pair| format!("{}={}", value(pair, "name"), value(pair, "value")));
            all.filter(|text| text.starts_with("stream.") || text.starts_with("mapred.")).collect::<Vec<_>>()
        });
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs, "{action}"),
            (ours, theirs) => panic!("{action}: {ours:?}, on a server {theirs:?}"),
        }
    }
}

#[test]
fn a_job_of_map_reduce_is_given_what_it_can_reach() {
    let folder = project("launcher-reach");
    let action = "<map-reduce><name-node>hdfs://nn</name-node><configuration>\
        <property><name>fs.defaultFS</name><value>hdfs://nn</value></property>\
        <property><name>mapred.input.dir</name><value>/x/q.hql,hdfs://nn/x,hdfs://other/x</value></property>\
        <property><name>mapred.output.dir</name><value>hdfs://nn/out</value></property>\
        <property><name>own</name><value>/x</value></property></configuration></map-reduce>";
    let attempt = prepared("map-reduce", action, &folder, 0, &Commands::new()).expect("an attempt");
    let text = std::fs::read_to_string(attempt.work().join("action.xml")).expect("a configuration");
    let here = folder.join("nn");
    let here = here.display();
    for (name, value) in [
        ("fs.defaultFS", "file:///".to_owned()),
        ("mapred.input.dir", format!("{here}/x/q.hql,{here}/x,hdfs://other/x")),
        ("mapred.output.dir", format!("{here}/out")),
        ("own", "/x".to_owned()),
    ] {
        let property = format!("<name>{name}</name><value>{value}</value>");
        assert!(text.contains(&property), "{property}: {text}");
    }
}

#[test]
fn a_jar_that_comes_by_several_ways_is_named_once() {
    let folder = project("launcher-jars");
    for jar in ["app/lib/a.jar", "app/lib/job.jar", "libs/a.jar", "libs/b.jar", "app/a.jar"] {
        write_file(&folder.join(jar), "x");
    }
    for jar in ["shared/a.jar", "shared/c.jar"] {
        write_file(&folder.join("nn").join(jar), "x");
    }
    let action = "<spark><master>local</master><name>n</name><jar>job.jar</jar><file>hdfs://nn/shared/a.jar</file>\
        <file>a.jar#a.jar</file><file>hdfs://nn/shared/c.jar,hdfs://nn/shared/c.jar</file></spark>";
    let command = command("spark", action, &folder, 0).expect("a command");
    let at = command.iter().position(|word| word == "--jars").expect("jars");
    let mut jars: Vec<&str> = command[at + 1].split(',').collect();
    jars.sort_unstable();
    // The action's own jar is named by itself.
    assert_eq!(jars, ["a.jar", "c.jar"]);
    assert_eq!(command.last().map(String::as_str), Some("job.jar"));
}

#[test]
fn a_password_is_in_no_command_line() {
    let folder = project("launcher-password");
    let action = "<hive2><jdbc-url>jdbc:hive2://h:1/</jdbc-url><password> secret word </password><query>q</query></hive2>";
    let command = command("hive2", action, &folder, 0).expect("a command");
    assert!(!command.iter().any(|word| word.contains("secret")), "{command:?}");
    let at = command.iter().position(|word| word == "-w").expect("a file");
    let path = Path::new(&command[at + 1]);
    assert_eq!(std::fs::read_to_string(path).expect("the file"), "secret word");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(path.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
    }
}
