//! `check` on definitions of `hadoop-workflow`: what is accepted, what is refused, and where. Each case names the
//! statements of the specification that it holds.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{ankus, folder_of};

/// What a case is about, its definition, and the findings as `severity rule line`.
struct Case(&'static str, String, &'static [&'static str]);

/// A definition of these nodes.
fn workflow(nodes: &str) -> String {
    format!("<hadoop-workflow name=\"w\">\n{nodes}\n</hadoop-workflow>\n")
}

/// An action between start and end, on line 3.
fn action(kind: &str, parts: &str) -> String {
    workflow(&format!(
        "<start to=\"a\"/>\n<{kind} name=\"a\">{parts}<transition name=\"OK\" to=\"e\"/><transition name=\"ERROR\" \
         to=\"f\"/></{kind}>\n<fail name=\"f\"><message>no</message></fail>\n<end name=\"e\"/>"
    ))
}

/// An ssh action that leads to two nodes, one line.
fn ssh(name: &str, ok: &str, error: &str) -> String {
    format!(
        "<ssh name=\"{name}\"><host>u@h</host><command>c</command><transition name=\"OK\" to=\"{ok}\"/><transition \
         name=\"ERROR\" to=\"{error}\"/></ssh>\n"
    )
}

/// A decision on line 3.
fn decision(inner: &str) -> String {
    workflow(&format!(
        "<start to=\"d\"/>\n<decision name=\"d\">{inner}</decision>\n<fail name=\"f\"><message>no</message></fail>\n\
         <end name=\"e\"/>"
    ))
}

const TAIL: &str = "<fail name=\"f\"><message>no</message></fail>\n<end name=\"e\"/>";

/// Checks all definitions at once, and compares what is found.
fn check(name: &str, cases: Vec<Case>) {
    let files: Vec<(String, String)> = cases
        .iter()
        .enumerate()
        .map(|(at, case)| (format!("{at:03}/workflow.xml"), case.1.clone()))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let folder = folder_of(name, &files);
    let outcome = ankus(&["check", &folder.to_string_lossy(), "--format", "json"]);
    let report: Value =
        serde_json::from_str(&outcome.out).unwrap_or_else(|_| panic!("{}{}", outcome.out, outcome.err));
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for finding in report["findings"].as_array().expect("findings") {
        let file = finding["file"].as_str().expect("a file");
        let at: usize = file.rsplit('/').nth(1).and_then(|folder| folder.parse().ok()).expect("a case");
        assert_eq!(finding["oozie"], Value::Array(Vec::new()), "no code of a server: {finding}");
        let text = |key: &str| finding[key].as_str().expect("a text").to_owned();
        let line = format!("{} {} {}", text("severity"), text("rule"), finding["start"]["line"]);
        // Cases are short, and few lead to their fail node.
        if !line.starts_with("info kill-unused") && !line.starts_with("info parameter-undefined") {
            found.entry(at).or_default().push(line);
        }
    }
    let mut faults = Vec::new();
    for (at, Case(ids, text, expected)) in cases.iter().enumerate() {
        let mut found = found.remove(&at).unwrap_or_default();
        found.sort();
        let mut expected = expected.to_vec();
        expected.retain(|line| !line.starts_with("info parameter-undefined"));
        expected.sort_unstable();
        if found != expected {
            faults.push(format!("{ids}\n{text}found {found:#?}, not {expected:#?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_root() {
    let plain = workflow(&format!("<start to=\"e\"/>\n{TAIL}"));
    check(
        "hws-root",
        vec![
            Case(
                "HWS-2-1 HWS-2-3 HWS-A-1",
                plain.replace("to=\"e\"", "to=\"f\""),
                &["warning node-unreachable 4"],
            ),
            Case(
                "HWS-2-2",
                plain.replace("<hadoop-workflow ", "<hadoop-workflow xmlns=\"uri:x\" "),
                &["error schema-unknown-namespace 1"],
            ),
            Case("HWS-2-7", plain.replace(" name=\"w\"", ""), &["error schema-violation 1"]),
            Case("HWS-2-7", plain.replace("\"w\"", "\"\""), &["error node-name-invalid 1"]),
            Case(
                "HWS-2-6 HWS-2-4 HWS-2-3 HWS-A-3",
                workflow(&format!(
                    "<start to=\"e\"/>\n<action name=\"b\"><fs/><ok to=\"e\"/></action>\n<kill name=\"k\"/>\n{TAIL}"
                )),
                &["error schema-violation 3", "error schema-violation 4"],
            ),
            Case(
                "HWS-3-1",
                workflow(&format!("<start to=\"e\"/>\n<sshh name=\"b\"/>\n{TAIL}")),
                &["error schema-misspelt-element 3"],
            ),
            Case("HWS-3-2", workflow(&format!("{TAIL}\n{}<start to=\"a\"/>", ssh("a", "e", "f"))), &[]),
            Case(
                "HWS-4-4",
                workflow("<start to=\"e\"/>\n<${x} name=\"b\"/>\n<end name=\"e\"/>"),
                &["error xml-not-well-formed 3"],
            ),
        ],
    );
}

#[test]
fn start_end_and_fail() {
    let plain = |nodes: &str| workflow(nodes);
    check(
        "hws-bounds",
        vec![
            Case("HWS-3.1.1-1", plain("<end name=\"e\"/>"), &["error start-end-count 1"]),
            Case(
                "HWS-3.1.1-1",
                plain("<start to=\"e\"/>\n<start to=\"e\"/>\n<end name=\"e\"/>"),
                &["error start-end-count 3"],
            ),
            Case("HWS-3.1.1-2", plain("<start/>\n<end name=\"e\"/>"), &["error schema-violation 2"]),
            Case(
                "HWS-3.1.1-2",
                plain("<start to=\"e\" name=\"s\"/>\n<end name=\"e\"/>"),
                &["error schema-violation 2"],
            ),
            Case(
                "HWS-3.1.1-2",
                plain("<start to=\"e\">x</start>\n<end name=\"e\"/>"),
                &["error schema-violation 2"],
            ),
            Case(
                "HWS-3.1.1-3 HWS-3-4",
                plain("<start to=\"ende\"/>\n<end name=\"end\"/>"),
                &["error transition-unknown 2"],
            ),
            Case(
                "HWS-3.1.2-5",
                plain("<start to=\"f\"/>\n<fail name=\"f\"><message/></fail>"),
                &["error start-end-count 1"],
            ),
            Case(
                "HWS-3.1.2-5",
                plain("<start to=\"e\"/>\n<end name=\"e\"/>\n<end name=\"g\"/>"),
                &["error start-end-count 4"],
            ),
            Case(
                "HWS-3.1.2-6",
                plain("<start to=\"e\"/>\n<end/>"),
                &["error transition-unknown 2", "error schema-violation 3"],
            ),
            Case("HWS-3.1.2-7", plain("<start to=\"done\"/>\n<end name=\"done\"/>"), &[]),
            Case("HWS-3.1.3-3", plain("<start to=\"e\"/>\n<end name=\"e\"/>"), &[]),
            Case(
                "HWS-3.1.3-4",
                plain("<start to=\"e\"/>\n<fail><message>x</message></fail>\n<end name=\"e\"/>"),
                &["error schema-violation 3"],
            ),
            Case(
                "HWS-3.1.3-7",
                plain(
                    "<start to=\"f\"/>\n<fail name=\"f\"><message>x</message>\n<transition to=\"e\"/></fail>\n<end name=\"e\"/>",
                ),
                &["error schema-violation 4", "warning node-unreachable 5"],
            ),
            Case(
                "HWS-3-3",
                plain(&format!("<start to=\"a\"/>\n{}{}{TAIL}", ssh("a", "e", "f"), ssh("a", "e", "f"))),
                &["error node-duplicate 4"],
            ),
            Case(
                "HWS-2-5",
                plain(&format!("<start to=\"e\"/>\n{}{TAIL}", ssh("a", "e", "f"))),
                &["warning node-unreachable 3"],
            ),
        ],
    );
}

#[test]
fn cycles() {
    let pair = format!("{}{}", ssh("a", "b", "f"), ssh("b", "a", "f"));
    check(
        "hws-cycles",
        vec![
            Case(
                "HWS-2.1-1",
                workflow(&format!("<start to=\"a\"/>\n{}{}{TAIL}", ssh("a", "b", "f"), ssh("b", "e", "a"))),
                &["error workflow-cycle 4"],
            ),
            Case(
                "HWS-2.1-2",
                workflow(&format!("<start to=\"e\"/>\n{pair}{TAIL}")),
                &["warning node-unreachable 3", "warning node-unreachable 4", "error workflow-cycle 4"],
            ),
            Case(
                "HWS-2.1-3",
                workflow(&format!("<start to=\"a\"/>\n{}{TAIL}", ssh("a", "e", "a"))),
                &["error transition-self 3"],
            ),
            Case(
                "HWS-2.1-5",
                workflow(&format!(
                    "<start to=\"a\"/>\n{}<decision name=\"d\"><eval name=\"GO\">${{wf:id() eq 'x'}}</eval><default name=\"B\"/>\
                     <transition name=\"GO\" to=\"e\"/><transition name=\"B\" to=\"a\"/></decision>\n{TAIL}",
                    ssh("a", "d", "f")
                )),
                &["error workflow-cycle 4"],
            ),
        ],
    );
}

#[test]
fn decisions() {
    let eval = "<eval name=\"GO\">${wf:id() eq 'x'}</eval>";
    let to = "<transition name=\"GO\" to=\"e\"/><transition name=\"NO\" to=\"f\"/>";
    check(
        "hws-decisions",
        vec![
            Case(
                "HWS-3.1.4-5",
                decision(&format!(
                    "<eval name=\"GO\">\n ${{\n wf:id() eq 'x' }}\n</eval><default name=\"NO\"/>{to}"
                )),
                &[],
            ),
            Case(
                "HWS-3.1.4-7",
                decision(&format!("{eval}<default name=\"NO\"/>{to}")).replace(" name=\"d\"", ""),
                &["error transition-unknown 2", "error schema-violation 3"],
            ),
            Case(
                "HWS-3.1.4-8",
                decision(&format!("{eval}\n<default name=\"NO\"/>{}", to.replace("GO", "OTHER"))),
                &[
                    "error decision-transition-invalid 3",
                    "warning decision-transition-invalid 4",
                    "warning node-unreachable 6",
                ],
            ),
            Case(
                "HWS-3.1.4-9",
                decision(&format!(
                    "{eval}\n<default name=\"none\"/>{}",
                    to.replace("\"NO\" to=\"f\"", "\"NO\" to=\"e\"")
                )),
                &["error decision-transition-invalid 4", "warning decision-transition-invalid 4"],
            ),
            Case(
                "HWS-3.1.4-10",
                decision(&format!("{eval}<transition name=\"GO\" to=\"e\"/>")),
                &["error decision-transition-invalid 3"],
            ),
            Case(
                "HWS-3.1.4-12",
                decision(&format!("{eval}<default name=\"GO\"/>\n{to}")),
                &["warning decision-transition-invalid 4"],
            ),
            Case(
                "HWS-3.1.4-13",
                decision(&format!("{eval}<default name=\"NO\"/>{to}\n<transition name=\"GO\" to=\"f\"/>")),
                &["error decision-transition-invalid 4"],
            ),
            Case(
                "HWS-3.1.4-4",
                decision(&format!("<eval name=\"GO\">${{10 * GB}}</eval><default name=\"NO\"/>{to}")),
                &["error el-decision-not-boolean 3"],
            ),
            Case(
                "HWS-3.1.4-15",
                decision(&format!(
                    "<eval name=\"GO\">${{hdfs:size('hdfs://nn:8020/x') gt 10 * GB}}</eval><default name=\"NO\"/>{to}"
                )),
                &["info el-function-alias 3"],
            ),
            Case(
                "HWS-4.2.3-5",
                decision(&format!(
                    "<eval name=\"GO\">${{empty wf:callback('x')}}</eval><default name=\"NO\"/>{to}"
                )),
                &["warning el-node-kind 3"],
            ),
            Case(
                "HWS-4.2.5-2",
                decision(&format!(
                    "<eval name=\"GO\">${{hdfs:exists('nn:8020', 'x')}}</eval><default name=\"NO\"/>{to}"
                )),
                &["error hdfs-file-system-invalid 3", "error hdfs-file-system-invalid 3"],
            ),
            Case(
                "HWS-4.2-2",
                decision(&format!("<eval name=\"GO\">${{wf:run() gt 1}}</eval><default name=\"NO\"/>{to}")),
                &["error el-function-unknown 3"],
            ),
            Case(
                "HWS-4.2.3-11",
                decision(&format!(
                    "<eval name=\"GO\">${{wf:exitState('none') eq 'OK'}}</eval><default name=\"NO\"/>{to}"
                )),
                &["error el-node-unknown 3"],
            ),
        ],
    );
}

#[test]
fn forks_and_joins() {
    let fork = |paths: &str| {
        let paths = paths.split(' ').map(|to| format!("<transition to=\"{to}\"/>")).collect::<String>();
        format!("<start to=\"s\"/>\n<fork name=\"s\">{paths}</fork>\n")
    };
    let join = "<join name=\"j\"><transition to=\"e\"/></join>\n";
    check(
        "hws-forks",
        vec![
            Case(
                "HWS-3.1.5-10",
                workflow(&format!("{}{}{}{join}{TAIL}", fork("a b"), ssh("a", "j", "f"), ssh("b", "j", "f"))),
                &[],
            ),
            Case(
                "HWS-3.1.2-4",
                workflow(&format!("{}{}{}{join}{TAIL}", fork("a b"), ssh("a", "j", "f"), ssh("b", "j", "e"))),
                &["warning error-to-end 5", "info end-inside-fork 5"],
            ),
            Case(
                "HWS-3.1.5-3",
                workflow(&format!("{}{}{}{TAIL}", fork("a b"), ssh("a", "e", "f"), ssh("b", "e", "f"))),
                &["error fork-without-join 3"],
            ),
            Case(
                "HWS-3.1.5-4",
                workflow(&format!("<start to=\"a\"/>\n{}{join}{TAIL}", ssh("a", "j", "f"))),
                &["error join-without-fork 3"],
            ),
            Case(
                "HWS-3.1.5-5",
                workflow(&format!(
                    "{}{}{}{join}<join name=\"k\"><transition to=\"e\"/></join>\n{TAIL}",
                    fork("a b"),
                    ssh("a", "j", "f"),
                    ssh("b", "k", "f")
                )),
                &["error fork-many-joins 3"],
            ),
            Case(
                "HWS-3.1.5-7",
                workflow(&format!("<start to=\"s\"/>\n<fork name=\"s\"/>\n{join}{TAIL}")),
                &["error schema-violation 3"],
            ),
            Case(
                "HWS-3.1.5-7",
                workflow(&format!(
                    "{}{}{}{join}{TAIL}",
                    fork("a b").replace("to=\"a\"", "name=\"x\" to=\"a\""),
                    ssh("a", "j", "f"),
                    ssh("b", "j", "f")
                )),
                &["error schema-violation 3"],
            ),
            Case(
                "HWS-3.1.5-8",
                workflow(&format!("{}{}{join}{TAIL}", fork("a"), ssh("a", "j", "f"))),
                &["warning fork-single-path 3"],
            ),
            Case(
                "HWS-3.1.5-8",
                workflow(&format!("{}{}{join}{TAIL}", fork("a a"), ssh("a", "j", "f"))),
                &["error fork-same-target 3"],
            ),
            Case(
                "HWS-3.1.5-9",
                workflow(&format!(
                    "{}{}{}{}{TAIL}",
                    fork("a b"),
                    ssh("a", "j", "f"),
                    ssh("b", "j", "f"),
                    join.replace("</join>", "<transition to=\"f\"/></join>")
                )),
                &["error schema-violation 6"],
            ),
            Case(
                "HWS-3.1.5-11",
                workflow(&format!(
                    "{}{}{}{}{join}{TAIL}",
                    fork("a b"),
                    ssh("a", "c", "f"),
                    ssh("b", "c", "f"),
                    ssh("c", "j", "f")
                )),
                &["error concurrent-node 6"],
            ),
            Case(
                "HWS-3.1.5-6",
                workflow(&format!(
                    "{}{}<fork name=\"b\"><transition to=\"c\"/><transition to=\"d\"/></fork>\n{}{}<join name=\"i\"><transition \
                     to=\"j\"/></join>\n{join}{TAIL}",
                    fork("a b"),
                    ssh("a", "j", "f"),
                    ssh("c", "i", "f"),
                    ssh("d", "i", "f")
                )),
                &[],
            ),
        ],
    );
}

#[test]
fn transitions_of_actions() {
    let own = action("ssh", "<host>u@h</host><command>c</command>");
    check(
        "hws-transitions",
        vec![
            Case(
                "HWS-3.2.2.1-11 HWS-3.2.3-16",
                own.replace("<transition name=\"ERROR\" to=\"f\"/>", ""),
                &["warning action-transition-invalid 3"],
            ),
            Case(
                "HWS-3.2.2.1-12",
                own.replace(
                    "<transition name=\"ERROR\" to=\"f\"/>",
                    "<transition name=\"ERROR\" to=\"f\"/><transition name=\"DONE\" to=\"e\"/>",
                ),
                &["warning action-transition-invalid 3"],
            ),
            Case("HWS-3.2.2.1-13", own.replace("to=\"f\"", "to=\"e\""), &[]),
            Case(
                "HWS-4-5",
                own.replace("name=\"a\"", "name=\"${x}\"").replace("<start to=\"a\"/>", "<start to=\"e\"/>"),
                &["error expression-in-name 3", "warning node-unreachable 3"],
            ),
            Case(
                "HWS-4-6",
                own.replace("to=\"f\"", "to=\"${x}\""),
                &["error expression-in-name 3", "error transition-unknown 3"],
            ),
            Case(
                "HWS-4-7",
                own.replace("<start to=\"a\"/>", "<start to=\"${x}\"/>"),
                &["error expression-in-name 2", "error transition-unknown 2"],
            ),
        ],
    );
}

#[test]
fn hadoop_actions() {
    let cluster = "<configuration><property><name>mapred.job.tracker</name><value>jt:1</value></property><property>\
                   <name>fs.default.name</name><value>hdfs://nn:8020</value></property></configuration>";
    let with = |parts: &str| action("hadoop", &format!("{parts}{cluster}"));
    check(
        "hws-hadoop",
        vec![
            Case("HWS-1-1 HWS-3.2.2.1-9", with(""), &[]),
            Case("HWS-3.2.2-11", action("hadoop", ""), &["error action-missing-endpoint 3"]),
            Case(
                "HWS-3.2.2.1-1",
                with("").replace("<hadoop name=\"a\">", "<hadoop>"),
                &["error transition-unknown 2", "error schema-violation 3"],
            ),
            Case(
                "HWS-3.2.2.1-2",
                with("<prepar/>"),
                &["error schema-misspelt-element 3", "error schema-violation 3"],
            ),
            Case("HWS-3.2.2.1-3", with("<prepare><delete path=\"/w/a\"/></prepare>"), &[]),
            Case(
                "HWS-3.2.2.1-3",
                with("<prepare><mkdir path=\"/w/a\"/></prepare>"),
                &["error schema-violation 3"],
            ),
            Case("HWS-3.2.2.1-3", with("<prepare><delete/></prepare>"), &["error schema-violation 3"]),
            Case(
                "HWS-3.2.2.1-5",
                with("<prepare><delete path=\"/user\"/></prepare>"),
                &["warning delete-near-root 3"],
            ),
            Case(
                "HWS-3.2.2.1-6",
                with("<job-xml>a.xml</job-xml><job-xml>b.xml</job-xml>"),
                &["error action-file-missing 3", "error action-part-count 3", "error action-file-missing 3"],
            ),
            Case(
                "HWS-3.2.2.1-9",
                with("").replace("<value>jt:1</value>", "<property>jt:1</property>"),
                &["error schema-violation 3"],
            ),
            Case(
                "HWS-3.2.2.2-2",
                with(
                    "<streaming><mapper>cat</mapper><reducer>cat</reducer><cacheFiles><file>/x/y#y</file></cacheFiles>\
                     <cacheArchives><file>/x/z.jar#z</file></cacheArchives></streaming>",
                ),
                &[],
            ),
            Case(
                "HWS-3.2.2.2-2",
                with("<streaming><mapper>cat</mapper><cachefiles/></streaming>"),
                &["error schema-misspelt-element 3", "error schema-violation 3"],
            ),
            Case(
                "HWS-6.1-1",
                with("").replace(
                    "<configuration>",
                    "<configuration><property><name>user.name</name><value>tucu</value></property>",
                ),
                &[],
            ),
        ],
    );
}

#[test]
fn pig_actions() {
    let cluster = "<configuration><property><name>mapred.job.tracker</name><value>jt:1</value></property><property>\
                   <name>fs.default.name</name><value>hdfs://nn:8020</value></property></configuration>";
    let with = |parts: &str| action("pig", &format!("{parts}{cluster}"));
    let (host, script) = ("<pig-host>u@h</pig-host>", "<pig-script>${wf:conf('s')}</pig-script>");
    check(
        "hws-pig",
        vec![
            Case("HWS-3.2.3-17", with(&format!("{host}{script}<hadoop-user>t</hadoop-user>")), &[]),
            Case("HWS-3.2.3-17", with(&format!("{host}{script}<exec/>")), &["error schema-violation 3"]),
            Case("HWS-3.2.3-4", with(script), &["error action-part-count 3"]),
            Case("HWS-3.2.3-4", with(host), &["error action-part-count 3"]),
            Case(
                "HWS-3.2.3-5",
                with(&format!("<pig-host>h</pig-host>{script}")),
                &["warning host-without-user 3"],
            ),
            Case(
                "HWS-3.2.3-8",
                with(&format!("{host}{script}<parameters><param>A=b</param></parameters>")),
                &[],
            ),
            Case(
                "HWS-3.2.3-8",
                with(&format!("{host}{script}<parameters><param>b</param></parameters>")),
                &["error pig-parameter-invalid 3"],
            ),
            Case(
                "HWS-3.2.3-8",
                with(&format!("{host}{script}<params><param>A=b</param></params>")),
                &["error schema-violation 3"],
            ),
            Case(
                "HWS-3.2.3-12",
                with(&format!("{host}{script}<job-xml>${{x}}</job-xml><job-xml>${{y}}</job-xml>")),
                &["info parameter-undefined 3", "error action-part-count 3", "info parameter-undefined 3"],
            ),
            Case(
                "HWS-3.2.3-14",
                action("pig", &format!("{host}{script}")),
                &["warning action-missing-endpoint 3"],
            ),
            Case("HWS-6.2-2", with(&format!("<host>u@h</host>{script}")), &["error schema-violation 3"]),
        ],
    );
}

#[test]
fn hdfs_actions() {
    let (system, commands) =
        ("<file-system>hdfs://nn:8020</file-system>", "<commands><mkdir path='a/b'/></commands>");
    check(
        "hws-hdfs",
        vec![
            Case("HWS-3.2.4-19 HWS-3.2.4-17", action("hdfs", &format!("{system}{commands}")), &[]),
            Case(
                "HWS-3.2.4-19",
                action("hdfs", &format!("{system}{commands}")).replace("<hdfs name=\"a\">", "<hdfs>"),
                &["error transition-unknown 2", "error schema-violation 3"],
            ),
            Case(
                "HWS-3.2.4-1",
                action("hdfs", &format!("{system}<commands><chmod path='/a'/></commands>")),
                &["error schema-violation 3"],
            ),
            Case("HWS-3.2.4-4", action("hdfs", commands), &["error action-part-count 3"]),
            Case(
                "HWS-3.2.4-4",
                action("hdfs", &format!("<file-system>/x</file-system>{commands}")),
                &["error hdfs-file-system-invalid 3"],
            ),
            Case("HWS-3.2.4-5", action("hdfs", system), &["error action-part-count 3"]),
            Case(
                "HWS-3.2.4-16",
                action("hdfs", &format!("{system}<commands><delete/></commands>")),
                &["error schema-violation 3"],
            ),
            Case(
                "HWS-3.2.4-16",
                action("hdfs", &format!("{system}<commands><move source='/a'/></commands>")),
                &["error schema-violation 3"],
            ),
            Case(
                "HWS-3.2.4-16",
                action("hdfs", &format!("{system}<commands><mkdir path='/a' target='/b'/></commands>")),
                &["error schema-violation 3"],
            ),
            Case(
                "HWS-3.2.4-18",
                action(
                    "hdfs",
                    &format!(
                        "{system}<commands><move source='${{wf:conf(\"in\")}}' target='/b'/></commands>"
                    ),
                ),
                &[],
            ),
        ],
    );
}

#[test]
fn ssh_and_sub_workflow_actions() {
    let (host, command) = ("<host>u@h</host>", "<command>c</command>");
    check(
        "hws-ssh",
        vec![
            Case(
                "HWS-3.2.5-11",
                action("ssh", &format!("{host}{command}<args>a</args><args>b</args><capture-output/>")),
                &[],
            ),
            Case(
                "HWS-3.2.5-11",
                action("ssh", &format!("{host}{command}<arg>a</arg>")),
                &["error schema-misspelt-element 3"],
            ),
            Case("HWS-3.2.5-3", action("ssh", command), &["error action-part-count 3"]),
            Case("HWS-3.2.5-3", action("ssh", host), &["error action-part-count 3"]),
            Case(
                "HWS-3.2.5-4 HWS-6-4",
                action("ssh", &format!("<host>h</host>{command}")),
                &["warning host-without-user 3"],
            ),
            Case("HWS-3.2.6-2", action("sub-workflow", ""), &["error action-part-count 3"]),
            Case(
                "HWS-3.2.6-12",
                action("sub-workflow", "<hadoop-workflow>${x}</hadoop-workflow><app-path>/a</app-path>"),
                &["error schema-violation 3"],
            ),
        ],
    );
}

#[test]
fn http_and_email_actions() {
    let url = "<url>http://h/x</url>";
    check(
        "hws-http",
        vec![
            Case(
                "HWS-3.2.7-18",
                action("http", &format!("{url}<mode>CONTINUE</mode>")).replace("to=\"f\"", "to=\"e\""),
                &[],
            ),
            Case(
                "HWS-3.2.7-18",
                action("http", &format!("{url}<mode>CONTINUE</mode><body/>")),
                &["error schema-violation 3"],
            ),
            Case("HWS-3.2.7-2", action("http", "<mode>CONTINUE</mode>"), &["error action-part-count 3"]),
            Case(
                "HWS-3.2.7-2",
                action("http", "<url> </url><mode>CONTINUE</mode>"),
                &["error action-part-count 3"],
            ),
            Case(
                "HWS-3.2.7-3",
                action("http", &format!("{url}<post>x</post><mode>CONTINUE</mode>")),
                &["error schema-violation 3"],
            ),
            Case(
                "HWS-3.2.7-4",
                action("http", &format!("{url}<mode>STOP</mode>")),
                &["error http-mode-invalid 3"],
            ),
            Case("HWS-3.2.7-5", action("http", url), &["warning http-mode-invalid 3"]),
            Case(
                "HWS-3.2.7-8",
                action("http", &format!("{url}<mode>WAIT</mode>")),
                &["error http-callback-missing 3"],
            ),
            Case(
                "HWS-3.2.8-2",
                action("email", "<to/><subject>s</subject><message/>"),
                &["error email-no-recipient 3"],
            ),
            Case(
                "HWS-3.2.8-2",
                action("email", "<subject>s</subject><message/>"),
                &["error action-part-count 3"],
            ),
            Case("HWS-3.2.8-3", action("email", "<to>a@b , c@d</to><subject>s</subject><message/>"), &[]),
            Case(
                "HWS-3.2.8-5",
                action("email", "<to>a@b</to><subject>s</subject><body>x</body>"),
                &["error schema-violation 3"],
            ),
        ],
    );
}

/// Expressions are the same in texts and in attribute values, functions exist in both kinds of nodes, and each asks for
/// nodes of its own type.
#[test]
fn expressions() {
    let load = "<host>u@h</host><command>c</command>";
    let to = "<transition name=\"GO\" to=\"e\"/><transition name=\"NO\" to=\"f\"/>";
    let after = |predicate: &str, captures: &str| {
        workflow(&format!(
            "<start to=\"a\"/>\n<ssh name=\"a\">{load}{captures}<transition name=\"OK\" to=\"d\"/><transition name=\"ERROR\" \
             to=\"d\"/></ssh>\n<decision name=\"d\"><eval name=\"GO\">${{{predicate}}}</eval><default name=\"NO\"/>{to}\
             </decision>\n{TAIL}"
        ))
    };
    check(
        "hws-expressions",
        vec![
            Case("HWS-4.2-1", after("wf:errorCode('a') eq 'X' or wf:appName() eq 'w'", ""), &[]),
            Case("HWS-4.2.4-5", after("hadoop:jobStatus('a') eq 'FAILED'", ""), &["warning el-node-kind 4"]),
            Case(
                "HWS-4.2.6-2",
                after("action:output('d', 'x') eq 'y'", ""),
                &["warning el-node-not-before 4", "warning el-node-kind 4"],
            ),
            Case(
                "HWS-4.2.6-3",
                after("action:output('a', 'x') eq 'y'", ""),
                &["error action-capture-missing 4"],
            ),
            Case("HWS-4.2.6-3", after("action:output('a', 'x') eq 'y'", "<capture-output/>"), &[]),
            Case(
                "HWS-1-4",
                after("wf:id() eq 'x'", "<args>#{wf:id()}</args>"),
                &["info expression-misspelt 3"],
            ),
            Case(
                "HWS-3.2.2.2-9 HWS-3.2.8-4",
                after("wf:id() eq 'x'", "<args>{wf:conf('a')}</args>"),
                &["warning expression-misspelt 3"],
            ),
            Case(
                "HWS-4-3",
                action(
                    "hdfs",
                    "<file-system>hdfs://nn:8020</file-system><commands><mkdir path='/${nofunction()}'/></commands>",
                ),
                &["error el-function-unknown 3"],
            ),
        ],
    );
}
