//! Nothing that a file or an argument holds steers a terminal or turns the direction of a text, whatever is asked for.

use std::process::{Command, Stdio};

use crate::support::{ankus, folder_of};

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

#[test]
fn no_output_steers_a_terminal() {
    let xml = in_xml();
    let workflow = format!(
        r#"<workflow-app name="w{xml}" xmlns="uri:oozie:workflow:1.0"><start to="a"/>
  <action name="a"><shell xmlns="uri:oozie:shell-action:1.0"><resource-manager>rm</resource-manager><name-node>hdfs://nn</name-node>
    <configuration><property><name>p{xml}</name><value>v{xml}</value></property></configuration>
    <exec>true</exec><argument>{xml}</argument><argument>${{given}}</argument></shell><ok to="e"/><error to="k"/></action>
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
    let properties = |path: &str| format!("{path}\nnameNode=hdfs://nn\ngiven={given}\nn{given}=v{given}\n");
    let broken = workflow.replace("to=\"e\"", &format!("to=\"no{xml}\""));
    let files = [
        ("ankus.toml", "[paths]\n\"hdfs://nn/apps\" = \".\"\n"),
        ("etl/workflow.xml", &*workflow),
        ("etl/job.properties", &*properties("oozie.wf.application.path=hdfs://nn/apps/etl")),
        ("daily/coordinator.xml", &*coordinator),
        ("daily/job.properties", &*properties("oozie.coord.application.path=hdfs://nn/apps/daily")),
        ("broken/workflow.xml", &*broken),
    ];
    let root = folder_of("control", &files).display().to_string();
    let (etl, daily) = (format!("{root}/etl/job.properties"), format!("{root}/daily/job.properties"));
    let argument = in_argument();
    let mut asked: Vec<Vec<&str>> = Vec::new();
    for format in ["full", "concise", "json", "jsonl", "sarif", "junit", "github", "gitlab", "checkstyle"] {
        asked.push(vec!["check", "-v", "--format", format, &root]);
        asked.push(vec!["check", "-v", "--format", format, &etl, "-D", "given=1"]);
    }
    asked.push(vec!["check", "-v", "--statistics", &root]);
    for app in [&etl, &daily] {
        for format in ["text", "json", "jsonl", "csv"] {
            asked.push(vec!["plan", "-v", "--format", format, app]);
            asked.push(vec!["plan", "--show-secrets", "--format", format, app]);
        }
        for format in ["text", "json"] {
            asked.push(vec!["plan", "--format", format, "--explain-value", "given", app]);
            asked.push(vec!["plan", "--format", format, "--explain-value", &argument, app]);
        }
        for format in ["svg", "dot", "mermaid"] {
            asked.push(vec!["graph", "--format", format, app]);
        }
        for format in ["text", "json", "jsonl"] {
            asked.push(vec!["simulate", "-v", "--format", format, app]);
        }
    }
    let define = format!("{argument}={argument}");
    for command in [
        &["check"][..],
        &["plan"],
        &["simulate"],
        &["graph"],
        &["run"],
        &["submit"],
        &["job"],
        &["jobs"],
        &["eval"],
        &["next"],
        &["timezones"],
        &["convert"],
        &["explain"],
        &["rules"],
        &["schema"],
        &["init", "--print"],
        &["completions"],
        &["help"],
        &[],
    ] {
        asked.push([command, &[&argument]].concat());
        asked.push([command, &["--config", &argument]].concat());
        asked.push([command, &["--format", &argument]].concat());
        asked.push([command, &["-c", &argument, &etl]].concat());
    }
    asked.push(vec!["plan", &etl, "-D", &define]);
    asked.push(vec!["plan", &etl, "-D", &argument]);
    asked.push(vec!["eval", "-D", &define, "${given}"]);
    asked.push(vec!["eval", "${'", &argument]);
    asked.push(vec!["plan", &daily, "--from", &argument]);
    asked.push(vec!["plan", &daily, "--oozie-version", &argument]);
    asked.push(vec!["job", "0000001-W", "info", "--store", &argument]);
    for what in &asked {
        // In a process of its own nothing is started, so commands that would are asked for with what they refuse.
        let outcome = ankus(what);
        clean(what, &outcome.out);
        clean(what, &outcome.err);
        if what.contains(&"json") && !outcome.out.is_empty() {
            let read: Result<serde_json::Value, _> = serde_json::from_str(&outcome.out);
            assert!(read.is_ok(), "{what:?}: {read:?}");
        }
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
