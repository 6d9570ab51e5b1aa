//! Nothing that a file or an argument holds steers a terminal or turns the direction of a text, whatever is asked for.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::support::{ankus_on, folder_of};

/// Every control character but those of lines and columns, and every mark of direction.
fn odd() -> impl Iterator<Item = char> {
    let controls = (0..0x20u32).filter(|code| ![9, 10].contains(code)).chain(0x7f..0xa0);
    let marks = (0x202a..=0x202e).chain(0x2066..=0x2069).chain([0x200e, 0x200f, 0x61c]);
    controls.chain(marks).filter_map(char::from_u32)
}

fn is_odd(c: char) -> bool {
    odd().any(|odd| odd == c)
}

/// A text with all of them that may stand in XML.
fn in_xml() -> String {
    odd().filter(|c| u32::from(*c) >= 0x7f).flat_map(|c| ['x', c]).collect::<String>() + "&#13;y"
}

/// A value of a properties file with all of them.
fn in_properties() -> String {
    odd().map(|c| format!("x\\u{:04x}", u32::from(c))).collect()
}

/// An argument with all of them; none holds a zero.
fn in_argument() -> String {
    odd().filter(|c| *c != '\0').flat_map(|c| ['x', c]).collect()
}

fn clean(what: &[&str], text: &str) {
    let found = text.char_indices().find(|(_, c)| is_odd(*c));
    if let Some((at, c)) = found {
        let start = text[..at].char_indices().rev().nth(60).map_or(0, |(start, _)| start);
        panic!(
            "{c:?} in {:?}: {:?}",
            what.iter().take(4).collect::<Vec<_>>(),
            &text[start..at + c.len_utf8()]
        );
    }
}

/// A folder with all of them: in names, values, messages and comments of definitions, of properties and of a scenario, in
/// the names of folders and files, and in what an action writes.
struct Place {
    root: PathBuf,
    etl: String,
    daily: String,
    store: String,
    scenario: String,
    dags: String,
    argument: String,
}

impl Place {
    fn new(name: &str) -> Place {
        let xml = in_xml();
        let workflow = format!(
            r#"<workflow-app name="w{xml}" xmlns="uri:oozie:workflow:1.0"><!-- {xml} --><start to="a"/>
  <action name="a"><shell xmlns="uri:oozie:shell-action:1.0"><resource-manager>rm</resource-manager><name-node>hdfs://nn</name-node>
    <configuration><property><name>p{xml}</name><value>v{xml}</value></property></configuration>
    <exec>x.sh</exec><argument>{xml}</argument><argument>${{given}}</argument><file>x.sh</file><capture-output/></shell>
    <ok to="e"/><error to="k"/></action>
  <kill name="k"><message>m{xml}${{given}}</message></kill><end name="e"/></workflow-app>"#
        );
        let coordinator = format!(
            r#"<coordinator-app name="c{xml}" frequency="${{coord:days(1)}}" start="2024-01-01T00:00Z" end="2024-01-03T00:00Z"
    timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
  <datasets><dataset name="d{xml}" frequency="${{coord:days(1)}}" initial-instance="2024-01-01T00:00Z" timezone="UTC">
    <uri-template>hdfs://nn/{xml}/${{given}}/${{YEAR}}/${{MONTH}}/${{DAY}}</uri-template></dataset></datasets>
  <input-events><data-in name="in{xml}" dataset="d{xml}"><instance>${{coord:current(0)}}</instance></data-in></input-events>
  <action><workflow><app-path>hdfs://nn/apps/etl</app-path>
    <configuration><property><name>p{xml}</name><value>${{given}}{xml}</value></property></configuration></workflow></action>
</coordinator-app>"#
        );
        let given = in_properties();
        let properties =
            |path: &str| format!("{path}\nnameNode=hdfs://nn\ngiven={given}\nn{given}=v{given}\n");
        let broken = workflow.replace("to=\"e\"", &format!("to=\"no{xml}\""));
        let odd_name: String = odd().filter(|c| *c != '\0').collect();
        let (odd_app, odd_note) =
            (format!("{odd_name}/workflow.xml"), format!("{odd_name}/{odd_name}.properties"));
        let said: String = odd().flat_map(|c| ['x', c]).collect();
        let script = format!(
            "#!/bin/sh\ncat said\ncat said >&2\necho \"{}\"\nexit 1\n",
            in_argument().replace('`', "")
        );
        let files = [
            ("ankus.toml", "[paths]\n\"hdfs://nn/apps\" = \".\"\n"),
            ("etl/workflow.xml", &*workflow),
            ("etl/x.sh", &*script),
            ("etl/job.properties", &*properties("oozie.wf.application.path=hdfs://nn/apps/etl")),
            ("daily/coordinator.xml", &*coordinator),
            ("daily/job.properties", &*properties("oozie.coord.application.path=hdfs://nn/apps/daily")),
            ("broken/workflow.xml", &*broken),
            ("said", &*said),
            ("scenario.toml", "[[action]]\nname = \"\\u001B\\u009B\\u202Ex\"\nfails = \"\\u001B\\u0085\"\n"),
            (&*odd_app, &*broken),
            (&*odd_note, &*properties("oozie.wf.application.path=hdfs://nn/apps/etl")),
        ];
        let root = folder_of(name, &files);
        let path = |part: &str| root.join(part).display().to_string();
        let (etl, daily) = (path("etl/job.properties"), path("daily/job.properties"));
        let (store, scenario, dags) = (path(".ankus"), path("scenario.toml"), path("dags"));
        Place { etl, daily, store, scenario, dags, argument: in_argument(), root }
    }

    /// What a command is asked for, with what it finds of all that; `None` of a command that nobody has thought of here.
    fn asked_of(&self, command: &str) -> Option<Vec<Vec<&str>>> {
        let (root, etl, daily) = (self.root.to_str().expect("plain"), self.etl.as_str(), self.daily.as_str());
        let (argument, store) = (self.argument.as_str(), self.store.as_str());
        Some(match command {
            "check" => vec![
                vec!["-v", root],
                vec!["-v", "--statistics", root],
                vec!["-v", etl, "-D", "given=1"],
                vec!["--diff", root],
            ],
            "plan" => vec![
                vec!["-v", etl],
                vec!["-v", daily],
                vec!["--show-secrets", etl],
                vec!["--explain-value", "given", daily],
                vec!["--explain-value", argument, daily],
                vec![daily, "--from", argument],
                vec![etl, "-D", argument],
            ],
            "simulate" => vec![
                vec!["-v", etl],
                vec!["-v", daily],
                vec!["--scenario", &self.scenario, etl],
                vec!["--explain", argument, daily],
            ],
            "graph" => vec![vec![etl], vec![daily], vec![root]],
            // These would start processes of this program, which a test is not.
            "run" | "submit" => vec![vec![argument], vec!["--store", store, "--no-such", argument]],
            "jobs" => vec![vec!["--store", store], vec!["--store", store, "--name", argument]],
            "jobs verify" => vec![vec!["--store", store]],
            "jobs purge" => vec![vec!["--store", store, "--older-than", "100d"]],
            "job info" | "job log" | "job definition" | "job start" | "job suspend" | "job resume"
            | "job kill" | "job pause" | "job change" | "job rerun" | "job ignore" => {
                vec![vec!["--store", store]]
            }
            "schedule" => vec![vec!["--show-request", argument], vec!["run", argument, "every", argument]],
            "export airflow" => vec![vec![etl, "-o", &self.dags], vec![root, "-o", &self.scenario]],
            "eval" => vec![
                vec!["${given}", "-c", etl],
                vec!["${'", argument],
                vec![argument],
                vec!["--phase", argument, "x"],
            ],
            "next" => vec![vec![argument], vec!["0 0 * * *", "--start", argument]],
            "convert" => vec![vec![argument], vec!["2024-01-01T00:00Z", "--to", argument]],
            "timezones" | "rules" | "completions" | "man" | "explain" | "schema" => vec![vec![argument]],
            // Of a later dialect, which is not upgraded; findings about packages are of `check`.
            "upgrade" => vec![vec![root, "--diff"], vec![argument]],
            "app pack" => vec![vec![argument], vec![root, "-o", &self.dags]],
            "app deploy" => vec![vec![argument, "--store", store], vec![root, "--store", store]],
            "app undeploy" | "app activate" | "app suspend" | "app deactivate" | "app info" => {
                vec![vec![argument, "--store", store]]
            }
            "app list" => vec![vec!["--store", store]],
            "init" => vec![vec!["--print", root], vec!["--print", argument]],
            // For an executor alone, which reads nothing of what it prints.
            "supervise" => vec![],
            _ => return None,
        })
    }
}

/// All commands that can be asked for, with their names from the outermost on; asked of the parser itself, so that none is
/// forgotten.
fn commands() -> Vec<(String, clap::Command)> {
    let mut all = Vec::new();
    let mut command = <ankus::cli::arguments::Cli as clap::CommandFactory>::command();
    command.build();
    let mut open = vec![(String::new(), command)];
    while let Some((name, command)) = open.pop() {
        for inner in command.get_subcommands().filter(|it| it.get_name() != "help") {
            let full = format!("{name} {}", inner.get_name()).trim_start().to_owned();
            let is_leaf = inner.get_subcommands().all(|it| it.get_name() == "help");
            // A command that needs none of its own is asked for by itself too.
            if is_leaf || !inner.is_subcommand_required_set() {
                all.push((full.clone(), inner.clone()));
            }
            open.push((full, inner.clone()));
        }
    }
    all
}

#[test]
fn no_output_steers_a_terminal() {
    let place = Place::new("control");
    let define = format!("{0}={0}", place.argument);
    // A job, with what an action wrote and why it failed.
    let marks: String = odd().filter(|c| u32::from(*c) >= 0x80).flat_map(|c| ['x', c]).collect();
    for given in [format!("given={marks}"), define.clone()] {
        for format in ["text", "jsonl"] {
            let line = ["run", "--new", "etl/job.properties", "-D", &given, "--format", format];
            let (_, out, err) = crate::run::ankus(&place.root, &line);
            clean(&line, &out);
            clean(&line, &err);
            assert!(given == define || out.contains("KILLED"), "{out}{err}");
        }
    }
    // Files are written where nobody looks for them.
    let nowhere = format!("/nowhere/{}", place.argument);
    let (mut formats, mut tried) = (BTreeSet::new(), 0);
    for (name, command) in commands() {
        let asked = place
            .asked_of(&name)
            .unwrap_or_else(|| panic!("`{name}` is a command of which nothing is asked here"));
        let words: Vec<&str> = match name.split_once(' ') {
            Some(("job", what)) => vec!["job", "1-W", what],
            _ => name.split(' ').collect(),
        };
        let mut lines: Vec<Vec<&str>> = asked.iter().map(|more| [&words[..], more].concat()).collect();
        let first = lines.first().cloned().unwrap_or_else(|| words.clone());
        let options = command.get_arguments().filter(|it| it.get_action().takes_values());
        let options: Vec<(String, &str)> =
            options.filter_map(|it| Some((format!("--{}", it.get_long()?), it.get_id().as_str()))).collect();
        let values: Vec<String> = command
            .get_arguments()
            .filter(|it| it.get_id() == "format")
            .flat_map(|it| it.get_possible_values())
            .map(|value| value.get_name().to_owned())
            .collect();
        if name != "supervise" {
            for (option, id) in &options {
                let value = match *id {
                    "output" | "write_baseline" | "store" => &nowhere,
                    "defines" => &define,
                    _ => &place.argument,
                };
                lines.push([&first[..], &[option.as_str(), value]].concat());
            }
        }
        let mut all: Vec<Vec<&str>> = Vec::new();
        for (nth, line) in lines.iter().enumerate() {
            all.push(line.clone());
            // An argument that is refused is refused in every format alike.
            let is_given = line.contains(&"--format") || nth >= asked.len();
            for value in values.iter().filter(|_| !is_given) {
                formats.insert(format!("{name} {value}"));
                all.push([&line[..1], &["--format", value], &line[1..]].concat());
            }
        }
        for line in all {
            // What is kept byte for byte is written out for a terminal alone.
            let is_exact = ["job log", "job definition"].contains(&name.as_str()) || line.contains(&"--diff");
            let outcome = ankus_on(&[&line[..], &["--color", "never"]].concat(), is_exact);
            clean(&line, &outcome.out);
            clean(&line, &outcome.err);
            tried += 1;
            let is_json = line.windows(2).any(|pair| pair == ["--format", "json"]);
            if is_json && !is_exact && !outcome.out.is_empty() {
                let read: Result<serde_json::Value, _> = serde_json::from_str(&outcome.out);
                assert!(read.is_ok(), "{line:?}: {read:?}");
            }
        }
    }
    let exported = std::fs::read_dir(&place.dags).expect("a folder").flatten().map(|entry| entry.path());
    for file in exported.filter(|path| path.is_file()) {
        clean(&["export"], &std::fs::read_to_string(&file).expect("a text"));
    }
    // What is listed above is what is tried.
    assert!(formats.len() > 30 && tried > 200, "{tried}: {formats:?}");
    for line in [&["--help"][..], &["--config", &place.argument], &[&place.argument]] {
        let outcome = ankus_on(line, false);
        clean(line, &outcome.out);
        clean(line, &outcome.err);
    }
}

/// The exit code of a command whose standard output is what the shell makes of it.
#[cfg(target_os = "linux")]
fn code_with(redirection: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("\"$0\" \"$@\" {redirection}"), env!("CARGO_BIN_EXE_ankus")]);
    let output = command.args(arguments).current_dir(crate::support::root()).stdin(Stdio::null()).output();
    let output = output.expect("there is sh");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_a_failure() {
    let demo = "fixtures/demo";
    let store = folder_of("control-closed", &[]).join("store").display().to_string();
    crate::support::executor::fill(std::path::Path::new(&store), 2);
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["help", "plan"],
        &["check", "--help"],
        &["check", demo],
        &["check", "--format", "json", demo],
        &["plan", demo],
        &["plan", "--format", "csv", demo],
        &["simulate", demo],
        &["graph", demo],
        &["eval", "1"],
        &["next", "0 0 * * *", "--now", "2024-01-01T00:00Z"],
        &["timezones"],
        &["explain", "E0701"],
        &["rules"],
        &["schema", "config"],
        &["completions", "bash"],
        &["man"],
        &["init", "--print", demo],
        &["jobs", "--store", &store],
        &["jobs", "verify", "--store", &store],
    ] {
        for redirection in ["> /dev/full", ">&-"] {
            let (code, err) = code_with(redirection, arguments);
            assert_eq!(code, Some(2), "{arguments:?} {redirection}: {err}");
            assert!(err.contains("cannot write to standard output"), "{arguments:?} {redirection}: {err}");
        }
        // Whoever reads no further makes no fault of it.
        let (code, err) = code_with("| head -c 1 > /dev/null", arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {err}");
        assert!(!err.contains("cannot write"), "{arguments:?}: {err}");
    }
    // Nowhere is a place like any other.
    assert_eq!(code_with("<> /dev/null >&0", &["--version"]).0, Some(0));
}
