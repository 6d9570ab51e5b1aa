//! Wrong values of what actions, retries, service levels and credentials are given.

use super::super::document::{Document, Edit, Element, hash, typo};
use super::Make::{Attribute, Element as Of, Text};
use super::{Kinds, is_body, kind, replace};

/// Names of properties that Hadoop and Oozie know, and what people take them for.
const NEAR_NAMES: &[(&str, &str)] = &[
    ("mapreduce.job.queuename", "mapreduce.job.queue.name"),
    ("mapred.job.queue.name", "mapred.job.queuename"),
    ("oozie.launcher.mapreduce.job.queuename", "oozie.launcher.mapreduce.job.queue.name"),
    ("mapreduce.map.memory.mb", "mapreduce.map.memory"),
    ("mapreduce.reduce.memory.mb", "mapreduce.reducer.memory.mb"),
    ("mapreduce.job.reduces", "mapreduce.job.reducers"),
    ("mapreduce.input.fileinputformat.inputdir", "mapreduce.input.fileinputformat.input.dir"),
    ("mapreduce.output.fileoutputformat.outputdir", "mapreduce.output.fileoutputformat.output.dir"),
    ("hive.exec.dynamic.partition.mode", "hive.exec.dynamic.partitions.mode"),
    ("hcat.metastore.uri", "hcat.metastore.url"),
    ("mapred.input.dir", "mapred.inputdir"),
    ("mapred.output.dir", "mapred.outputdir"),
    ("mapred.reducer.class", "mapred.reduce.class"),
    ("mapred.mapper.class", "mapred.map.class"),
    ("oozie.launcher.mapred.job.queue.name", "oozie.launcher.mapred.job.queuename"),
    ("oozie.wf.rerun.failnodes", "oozie.wf.rerun.failednodes"),
];

fn property_name(d: &Document<'_>, e: &Element<'_>) -> bool {
    e.name == "name" && d.is_in(e, "property")
}

fn known_name(text: &str) -> bool {
    NEAR_NAMES.iter().any(|(name, _)| *name == text)
}

/// The value of a property whose name ends so.
fn value_of(d: &Document<'_>, e: &Element<'_>, end: &str) -> bool {
    let name = d.parent(e).and_then(|parent| d.child(parent, "name")).and_then(|name| name.text.clone());
    e.name == "value" && name.is_some_and(|(name, _)| name.ends_with(end))
}

fn is_path(e: &Element<'_>, attribute: &str) -> bool {
    match e.name {
        "mkdir" | "delete" | "chmod" | "touchz" | "chgrp" => attribute == "path",
        "move" => attribute == "source",
        _ => false,
    }
}

fn retried(name: &'static str, value: &'static str) -> impl Fn(&Element<'_>) -> Option<Edit> {
    move |e| {
        let attribute = e.attribute("name").filter(|_| e.name == "action" && e.attribute(name).is_none())?;
        let other = match name {
            "retry-max" => " retry-interval=\"1\"",
            "retry-interval" | "retry-policy" => " retry-max=\"2\"",
            _ => "",
        };
        let at = attribute.range.end;
        (e.attribute("retry-max").is_none()).then(|| Edit::new(at..at, format!(" {name}=\"{value}\"{other}")))
    }
}

pub const KINDS: Kinds = &[
    kind(
        "hadoop-property-near-name",
        Text(|d, e, text| {
            let (_, near) = NEAR_NAMES.iter().find(|(name, _)| property_name(d, e) && *name == text)?;
            Some((*near).to_owned())
        }),
    ),
    kind(
        "hadoop-property-typo",
        Text(|d, e, text| {
            (property_name(d, e) && known_name(text)).then(|| {
                let (head, tail) = text.rsplit_once('.').unwrap_or(("", text));
                format!("{head}.{}", typo(tail, hash(head)))
            })
        }),
    ),
    kind(
        "hadoop-property-prefix-typo",
        Text(|d, e, text| {
            (property_name(d, e) && known_name(text)).then(|| {
                let (head, tail) = text.split_once('.').unwrap_or((text, ""));
                format!("{}.{tail}", typo(head, hash(tail)))
            })
        }),
    ),
    kind(
        "hadoop-property-dash",
        Text(|d, e, text| (property_name(d, e) && known_name(text)).then(|| replace(text, ".", "-"))?),
    ),
    kind(
        "hadoop-property-with-blank",
        Text(|d, e, text| (property_name(d, e) && known_name(text)).then(|| replace(text, ".", ". "))?),
    ),
    kind("memory-with-unit", Text(|d, e, text| value_of(d, e, ".memory.mb").then(|| format!("{text}m")))),
    kind("reduces-not-a-number", Text(|d, e, _| value_of(d, e, ".reduces").then(|| "four".to_owned()))),
    kind(
        "banned-property",
        Text(|d, e, text| {
            let is_meant = property_name(d, e)
                && d.parent(e).is_some_and(|p| d.is_in(p, "configuration"))
                && d.root().name == "workflow-app"
                && text.starts_with("mapred");
            is_meant.then(|| "fs.default.name".to_owned())
        }),
    ),
    kind("boolean-typo", Text(|d, e, _| value_of(d, e, ".failnodes").then(|| "flase".to_owned()))),
    kind("retry-max-not-a-number", Of(|_, e| retried("retry-max", "three")(e))),
    kind("retry-max-negative", Of(|_, e| retried("retry-max", "-1")(e))),
    kind("retry-interval-with-unit", Of(|_, e| retried("retry-interval", "5m")(e))),
    kind("retry-policy-typo", Of(|_, e| retried("retry-policy", "exponental")(e))),
    kind(
        "retry-on-wrong-element",
        Of(|d, e| {
            is_body(d, e).then(|| Edit::new(e.tag.end..e.tag.end, " retry-max=\"3\" retry-interval=\"1\""))
        }),
    ),
    kind(
        "retry-attribute-typo",
        Of(|_, e| {
            let a = e.attribute("retry-max")?;
            Some(Edit::new(a.range.start..a.range.start + 9, "retry-maxx"))
        }),
    ),
    kind(
        "credential-use-typo",
        Attribute(|_, e, a| (e.name == "action" && a.name == "cred").then(|| typo(a.value, hash(a.value)))),
    ),
    kind(
        "credential-name-typo",
        Attribute(|_, e, a| {
            (e.name == "credential" && a.name == "name").then(|| typo(a.value, hash(a.value)))
        }),
    ),
    kind(
        "credential-type-typo",
        Attribute(|_, e, a| {
            (e.name == "credential" && a.name == "type").then(|| typo(a.value, hash(a.value)))
        }),
    ),
    kind("credential-missing", Of(|d, e| (e.name == "credentials").then(|| d.without(e)))),
    kind("sla-without-should-end", Of(|d, e| (e.name == "should-end").then(|| d.without(e)))),
    kind("sla-without-nominal-time", Of(|d, e| (e.name == "nominal-time").then(|| d.without(e)))),
    kind(
        "sla-end-before-start",
        Text(|d, e, _| {
            d.child(d.parent(e)?, "should-start")?;
            (e.name == "should-end").then(|| "${1 * MINUTES}".to_owned())
        }),
    ),
    kind(
        "sla-duration-without-unit",
        Text(|_, e, text| {
            (e.name == "should-end")
                .then(|| text.replace(" * MINUTES", " MINUTES").replace(" * HOURS", " HOURS"))
        }),
    ),
    kind(
        "sla-unit-typo",
        Text(|_, e, text| {
            (e.namespace == "sla" && text.contains("MINUTES")).then(|| text.replace("MINUTES", "MINUTE"))
        }),
    ),
    kind(
        "sla-nominal-time-not-a-date",
        Text(|_, e, _| (e.name == "nominal-time").then(|| "2024-01-01 00:00".to_owned())),
    ),
    kind("sla-event-typo", Text(|_, e, text| (e.name == "alert-events").then(|| typo(text, 9)))),
    kind("sla-event-dash", Text(|_, e, text| (e.name == "alert-events").then(|| text.replace('_', "-")))),
    kind(
        "email-without-at",
        Text(|d, e, text| {
            let is_one = ["to", "cc"].contains(&e.name) && d.is_in(e, "email") && !text.contains("${");
            is_one.then(|| text.replace('@', "."))
        }),
    ),
    kind(
        "email-to-empty",
        Of(|d, e| {
            let (_, range) = e.text.clone()?;
            (e.name == "to" && d.is_in(e, "email")).then(|| Edit::new(range, ""))
        }),
    ),
    kind(
        "email-semicolon",
        Text(|d, e, text| {
            (["to", "cc"].contains(&e.name) && d.is_in(e, "email")).then(|| replace(text, ",", ";"))?
        }),
    ),
    kind(
        "fs-path-relative",
        Attribute(|d, e, a| (is_path(e, a.name) && d.is_in(e, "fs")).then(|| "data/out".to_owned())),
    ),
    kind(
        "fs-scheme-typo",
        Attribute(|d, e, a| {
            (is_path(e, a.name) && d.is_in(e, "fs") && a.value.starts_with("${nameNode}"))
                .then(|| a.value.replacen("${nameNode}", "hdsf://nn:8020", 1))
        }),
    ),
    kind(
        "fs-name-node-doubled",
        Attribute(|d, e, a| {
            (is_path(e, a.name) && d.is_in(e, "fs") && a.value.starts_with("${nameNode}"))
                .then(|| format!("${{nameNode}}{}", a.value))
        }),
    ),
    kind(
        "fs-delete-root",
        Attribute(|d, e, a| {
            (e.name == "delete" && a.name == "path" && d.is_in(e, "fs")).then(|| "${nameNode}/".to_owned())
        }),
    ),
    kind(
        "fs-permissions-invalid",
        Attribute(|_, e, a| (e.name == "chmod" && a.name == "permissions").then(|| "rwx".to_owned())),
    ),
    kind(
        "fs-permissions-nine",
        Attribute(|_, e, a| (e.name == "chmod" && a.name == "permissions").then(|| "985".to_owned())),
    ),
    kind(
        "fs-boolean-typo",
        Attribute(|_, e, a| (e.name == "chmod" && a.name == "dir-files").then(|| "yes".to_owned())),
    ),
    kind(
        "env-var-without-equals",
        Text(|_, e, text| (e.name == "env-var").then(|| text.replacen('=', " ", 1))),
    ),
    kind(
        "param-without-equals",
        Text(|_, e, text| (e.name == "param" && text.contains('=')).then(|| text.replacen('=', " ", 1))),
    ),
    kind("main-class-as-file", Text(|_, e, text| (e.name == "main-class").then(|| format!("{text}.java")))),
    kind(
        "main-class-with-slashes",
        Text(|_, e, text| {
            (["main-class", "class"].contains(&e.name) && text.contains('.')).then(|| text.replace('.', "/"))
        }),
    ),
    kind("spark-master-typo", Text(|_, e, _| (e.name == "master").then(|| "yran".to_owned()))),
    kind("spark-mode-typo", Text(|_, e, _| (e.name == "mode").then(|| "clustre".to_owned()))),
    kind(
        "sqoop-command-with-quotes",
        Text(|d, e, text| {
            (e.name == "command" && d.is_in(e, "sqoop")).then(|| format!("{text} --where \"a = 1\""))
        }),
    ),
    kind(
        "sqoop-command-with-tool-name",
        Text(|d, e, text| (e.name == "command" && d.is_in(e, "sqoop")).then(|| format!("sqoop {text}"))),
    ),
    kind(
        "distcp-one-argument",
        Of(|d, e| {
            let last = d.parent(e)?.children.last().map(|at| &d.elements[*at])?;
            (e.name == "arg" && d.is_in(e, "distcp") && last.range == e.range).then(|| d.without(e))
        }),
    ),
    kind(
        "exec-with-arguments",
        Text(|d, e, text| (e.name == "exec" && d.is_in(e, "shell")).then(|| format!("{text} --verbose"))),
    ),
    kind(
        "ssh-host-without-user-name",
        Text(|_, e, text| (e.name == "host").then(|| text.replace('@', " at "))),
    ),
    kind(
        "jdbc-url-typo",
        Text(|_, e, _| (e.name == "jdbc-url").then(|| "jdbc:hiv2://h:10000/default".to_owned())),
    ),
    kind(
        "name-node-without-scheme",
        Text(|_, e, _| (e.name == "name-node").then(|| "nn.example:8020".to_owned())),
    ),
    kind(
        "job-tracker-with-scheme",
        Text(|_, e, _| {
            (["job-tracker", "resource-manager"].contains(&e.name))
                .then(|| "http://rm.example:8032".to_owned())
        }),
    ),
    kind(
        "capture-output-with-text",
        Of(|_, e| {
            (e.name == "capture-output")
                .then(|| Edit::new(e.range.clone(), "<capture-output>true</capture-output>"))
        }),
    ),
];
