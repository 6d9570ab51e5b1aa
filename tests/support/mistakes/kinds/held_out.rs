//! Kinds that were measured before any rule was written for them: what becomes of mistakes that nobody thought of.

use super::super::document::{Edit, hash, typo};
use super::Make::{Attribute, Element as Of, Key, Raw, Text, Value};
use super::{Kinds, everywhere, is_body, is_node, kind, replace};

pub const KINDS: Kinds = &[
    kind(
        "transition-with-blank",
        Attribute(|d, e, a| {
            (a.name == "to" && d.root().name == "workflow-app" && e.name == "ok")
                .then(|| format!("{} ", a.value))
        }),
    ),
    kind(
        "transition-is-action-type",
        Attribute(|d, e, a| {
            let action = d
                .elements
                .iter()
                .find(|it| is_node(d, it) && it.attribute("name").is_some_and(|n| n.value == a.value))?;
            let body = action.children.iter().map(|at| &d.elements[*at]).find(|it| is_body(d, it))?;
            (e.name == "ok" && body.name != a.value).then(|| body.name.to_owned())
        }),
    ),
    kind(
        "kill-without-message",
        Of(|d, e| (e.name == "message" && d.is_in(e, "kill")).then(|| d.without(e))),
    ),
    kind(
        "action-commented-out",
        Of(|d, e| {
            (e.name == "action" && is_node(d, e))
                .then(|| Edit::new(e.range.clone(), format!("<!-- {} -->", d.written(e))))
        }),
    ),
    kind(
        "fork-commented-out",
        Of(|d, e| {
            (e.name == "fork" && is_node(d, e))
                .then(|| Edit::new(e.range.clone(), format!("<!-- {} -->", d.written(e))))
        }),
    ),
    kind("body-missing", Of(|d, e| is_body(d, e).then(|| d.without(e)))),
    kind("body-doubled", Of(|d, e| is_body(d, e).then(|| d.doubled(e)))),
    kind(
        "name-of-start",
        Of(|d, e| {
            let a = e.attribute("to").filter(|_| e.name == "start" && d.root().name == "workflow-app")?;
            Some(Edit::new(a.range.start..a.range.start + 2, "name"))
        }),
    ),
    kind(
        "conf-function-case",
        Value(|_, _, v| {
            replace(v, "wf:conf(", "wf:Conf(").or_else(|| replace(v, "coord:conf(", "coord:config("))
        }),
    ),
    kind(
        "sum-of-texts",
        Value(|_, e, v| (e.name == "arg").then(|| replace(v, "}", " + '/x'}"))?.filter(|v| v.contains("${"))),
    ),
    kind("dollar-doubled", Value(|_, _, v| replace(v, "${", "$${"))),
    kind(
        "typographic-quotes",
        Value(|_, _, v| v.contains("${").then(|| v.replace('\'', "\u{2019}")).filter(|new| new != v)),
    ),
    kind(
        "no-break-space",
        Value(|_, _, v| {
            replace(v, " eq ", "\u{a0}eq\u{a0}").or_else(|| replace(v, " gt ", "\u{a0}gt\u{a0}"))
        }),
    ),
    kind(
        "property-name-upper",
        Text(|d, e, t| {
            (e.name == "name" && d.is_in(e, "property") && t.starts_with("mapreduce."))
                .then(|| t.replace("mapreduce", "MapReduce"))
        }),
    ),
    kind(
        "queue-property-old-style",
        Text(|d, e, t| {
            (e.name == "name" && d.is_in(e, "property") && t.ends_with("job.queuename"))
                .then(|| t.replace("queuename", "queuname"))
        }),
    ),
    kind("global-twice", Of(|d, e| (e.name == "global").then(|| d.doubled(e)))),
    kind(
        "credentials-after-start",
        Of(|d, e| {
            let start = d.elements.iter().find(|e| e.name == "start" && e.namespace == "workflow")?;
            (e.name == "credentials").then(|| d.swapped(e, start))
        }),
    ),
    kind(
        "parameters-last",
        Of(|d, e| {
            let last = &d.elements[*d.root().children.last()?];
            (e.name == "parameters").then(|| d.swapped(e, last))
        }),
    ),
    kind(
        "output-before-input",
        Of(|d, e| Some(d.swapped(d.child(e, "input-events")?, d.child(e, "output-events")?))),
    ),
    kind(
        "datasets-after-events",
        Of(|d, e| {
            Some(d.swapped(
                d.child(e, "datasets")?,
                d.child(e, "input-events").or_else(|| d.child(e, "output-events"))?,
            ))
        }),
    ),
    kind(
        "start-as-day",
        Attribute(|_, e, a| (e.name == "coordinator-app" && a.name == "start").then(|| "today".to_owned())),
    ),
    kind(
        "end-as-number",
        Attribute(|_, e, a| (e.name == "coordinator-app" && a.name == "end").then(|| "20240104".to_owned())),
    ),
    kind(
        "frequency-word",
        Attribute(|_, e, a| {
            (e.name == "coordinator-app" && a.name == "frequency").then(|| "daily".to_owned())
        }),
    ),
    kind(
        "frequency-unit-typo",
        Attribute(|_, _, a| {
            (a.name == "frequency").then(|| {
                replace(a.value, "coord:days", "coord:day")
                    .or_else(|| replace(a.value, "coord:hours", "coord:hurs"))
            })?
        }),
    ),
    kind(
        "cron-with-names-of-months",
        Attribute(|_, e, a| {
            (e.name == "coordinator-app" && a.name == "frequency" && a.value.split(' ').count() == 5)
                .then(|| "0 5 1 January *".to_owned())
        }),
    ),
    kind(
        "dataset-frequency-missing",
        Of(|_, e| {
            let a = e.attribute("frequency").filter(|_| e.name == "dataset")?;
            Some(Edit::new(a.range.start - 1..a.range.end, ""))
        }),
    ),
    kind("template-missing", Of(|d, e| (e.name == "uri-template").then(|| d.without(e)))),
    kind(
        "template-of-catalogue",
        Text(|_, e, t| {
            (e.name == "uri-template" && t.starts_with("hcat:")).then(|| t.replacen("hcat://", "hcat:/", 1))
        }),
    ),
    kind(
        "template-day-for-hour",
        Text(|_, e, t| (e.name == "uri-template").then(|| replace(t, "${HOUR}", "${DAY}"))?),
    ),
    kind(
        "done-flag-double-s",
        Text(|_, e, t| (e.name == "done-flag" && t == "_SUCCESS").then(|| "_SUCCESSS".to_owned())),
    ),
    kind(
        "throttle-text",
        Text(|d, e, _| (e.name == "throttle" && d.is_in(e, "controls")).then(|| "all".to_owned())),
    ),
    kind(
        "instance-wrong-function",
        Text(|_, e, t| {
            e.name.ends_with("instance").then(|| replace(t, "coord:current(", "coord:dataIn("))?
        }),
    ),
    kind(
        "instance-text",
        Text(|_, e, t| (e.name == "instance" && t.contains("current(-1)")).then(|| "yesterday".to_owned())),
    ),
    kind(
        "sla-contact-element-typo",
        Of(|d, e| (e.name == "alert-contact").then(|| d.renamed(e, "alert-contacts"))),
    ),
    kind(
        "sub-workflow-path-is-coordinator",
        Text(|d, e, t| {
            (e.name == "app-path" && d.is_below(e, "sub-workflow") && t.contains('/'))
                .then(|| format!("{}/coordinator.xml", t.rsplit_once('/').map_or(t, |it| it.0)))
        }),
    ),
    kind(
        "email-two-ats",
        Text(|d, e, t| {
            (["to", "cc"].contains(&e.name) && d.is_in(e, "email") && !t.contains("${"))
                .then(|| t.replacen('@', "@@", 1))
        }),
    ),
    kind("ssh-command-missing", Of(|d, e| (e.name == "host" && d.is_in(e, "ssh")).then(|| d.without(e)))),
    kind(
        "file-with-two-hashes",
        Text(|_, e, t| (e.name == "file" && t.contains('#')).then(|| format!("{t}#x"))),
    ),
    kind(
        "chmod-without-permissions",
        Of(|_, e| {
            let a = e.attribute("permissions")?;
            Some(Edit::new(a.range.start - 1..a.range.end, ""))
        }),
    ),
    kind(
        "move-without-target",
        Of(|_, e| {
            let a = e.attribute("target").filter(|_| e.name == "move")?;
            Some(Edit::new(a.range.start - 1..a.range.end, ""))
        }),
    ),
    kind("mkdir-typo", Of(|d, e| (e.name == "mkdir").then(|| d.renamed(e, "mkdirs")))),
    kind("tab-in-key", Key(|k, v| (!k.contains('.')).then(|| format!("{k}\t{v}x={v}")))),
    kind(
        "key-letters-swapped-in-oozie",
        Key(|k, v| {
            (k.starts_with("oozie.") && !k.ends_with("application.path"))
                .then(|| format!("{}={v}", typo(k, hash(k))))
        }),
    ),
    kind("user-name-empty", Key(|k, _| (k == "user.name").then(|| "user.name=".to_owned()))),
    kind(
        "name-node-of-other-profile",
        Key(|k, v| {
            (k == "root" || k == "base" || k == "apps").then(|| {
                format!("{k}={}", v.replace("${nameNode}", "${namenode}").replace("hdfs://", "hdfs:///"))
            })
        }),
    ),
    kind("double-slash-comment", Key(|k, v| (!k.contains('.')).then(|| format!("//{k}={v}")))),
    kind("entity-unknown", Raw(|text| everywhere(text, "</message>", "&nbsp;</message>"))),
    kind("xml-in-xml", Raw(|text| everywhere(text, "<start to", "<?xml version=\"1.0\"?><start to"))),
];
