//! Mistakes in schedules, datasets, events and bundles.

use super::super::document::{Document, Edit, Element, hash, typo};
use super::Make::{Attribute, Element as Of, Text, Value};
use super::{Kinds, kind, replace};

fn is_date(value: &str) -> bool {
    value.len() == 17 && value.ends_with('Z') && value.starts_with("20")
}

/// A date that is written out.
fn date(e: &Element<'_>, value: &str, change: impl Fn(&str) -> String) -> Option<String> {
    let is_one =
        is_date(value) && ["coordinator-app", "dataset", "kick-off-time", "instance"].contains(&e.name);
    is_one.then(|| change(value))
}

fn is_coordinator(d: &Document<'_>) -> bool {
    ["coordinator-app", "datasets"].contains(&d.root().name)
}

fn of_root(d: &Document<'_>, e: &Element<'_>, name: &str, is: &str) -> bool {
    d.root().name == "coordinator-app" && e.parent.is_none() && name == is
}

fn instance(e: &Element<'_>, text: &str, start: &str) -> bool {
    ["instance", "start-instance", "end-instance"].contains(&e.name) && text.contains(start)
}

fn control(d: &Document<'_>, e: &Element<'_>, name: &str) -> bool {
    e.name == name && d.is_in(e, "controls")
}

fn is_cron(value: &str) -> bool {
    value.split(' ').count() == 5
}

fn template(e: &Element<'_>) -> bool {
    e.name == "uri-template"
}

/// The definition of a dataset that an event names.
fn dataset_name(d: &Document<'_>, e: &Element<'_>) -> bool {
    ["data-in", "data-out"].contains(&e.name) && is_coordinator(d)
}

/// The name of a call of `coord:dataIn` and the like.
fn data_argument(text: &str) -> Option<&str> {
    let at = ["dataIn('", "dataOut('", "tableOut('", "dataOutPartitions('"]
        .iter()
        .find_map(|f| Some(text.find(f)? + f.len()))?;
    text[at..].split('\'').next()
}

pub const KINDS: Kinds = &[
    kind("date-month-13", Value(|_, e, v| date(e, v, |v| format!("{}13{}", &v[..5], &v[7..])))),
    kind("date-30-february", Value(|_, e, v| date(e, v, |v| format!("{}02-30{}", &v[..5], &v[10..])))),
    kind("date-without-z", Value(|_, e, v| date(e, v, |v| v[..16].to_owned()))),
    kind("date-with-blank", Value(|_, e, v| date(e, v, |v| v.replace('T', " ")))),
    kind("date-with-slashes", Value(|_, e, v| date(e, v, |v| v.replace('-', "/")))),
    kind("date-with-seconds", Value(|_, e, v| date(e, v, |v| v.replace('Z', ":00Z")))),
    kind("date-without-time", Value(|_, e, v| date(e, v, |v| v[..10].to_owned()))),
    kind(
        "date-day-first",
        Value(|_, e, v| date(e, v, |v| format!("{}-{}-{}{}", &v[8..10], &v[5..7], &v[..4], &v[10..]))),
    ),
    kind("date-with-offset", Value(|_, e, v| date(e, v, |v| v.replace('Z', "+01:00")))),
    kind("date-hour-24", Value(|_, e, v| date(e, v, |v| format!("{}24{}", &v[..11], &v[13..])))),
    kind("date-letter-o", Value(|_, e, v| date(e, v, |v| v.replacen('0', "O", 1)))),
    kind(
        "start-end-swapped",
        Of(|d, e| {
            let (start, end) = (e.attribute("start")?, e.attribute("end")?);
            let head = &d.text[e.range.start..];
            let head = &head[..head.find('>')?];
            let swapped = head
                .replacen(" start=", " \u{1}=", 1)
                .replacen(" end=", " start=", 1)
                .replacen('\u{1}', "end", 1);
            (start.value != end.value && e.name == "coordinator-app")
                .then(|| Edit::new(e.range.start..e.range.start + head.len(), swapped))
        }),
    ),
    kind(
        "end-is-start",
        Attribute(|d, e, a| {
            of_root(d, e, a.name, "end").then(|| e.attribute("start").map(|s| s.value.to_owned()))?
        }),
    ),
    kind(
        "end-before-start",
        Attribute(|d, e, a| of_root(d, e, a.name, "end").then(|| "2001-01-01T00:00Z".to_owned())),
    ),
    kind(
        "timezone-typo",
        Attribute(|d, _, a| {
            (a.name == "timezone" && is_coordinator(d) && !a.value.contains("${")).then(|| match a.value {
                "UTC" => "UCT+".to_owned(),
                value => typo(value, 4),
            })
        }),
    ),
    kind(
        "timezone-city-only",
        Attribute(|d, _, a| {
            let city = a.value.rsplit_once('/')?.1;
            (a.name == "timezone" && is_coordinator(d)).then(|| city.to_owned())
        }),
    ),
    kind(
        "timezone-three-letters",
        Attribute(|d, _, a| (a.name == "timezone" && is_coordinator(d)).then(|| "CET/CEST".to_owned())),
    ),
    kind(
        "timezone-gmt-minutes",
        Attribute(|d, _, a| (a.name == "timezone" && is_coordinator(d)).then(|| "UTC+5:30".to_owned())),
    ),
    kind(
        "timezone-pst",
        Attribute(|d, _, a| (a.name == "timezone" && is_coordinator(d)).then(|| "PDT".to_owned())),
    ),
    kind(
        "frequency-zero",
        Attribute(|d, _, a| (a.name == "frequency" && is_coordinator(d)).then(|| "0".to_owned())),
    ),
    kind(
        "frequency-negative",
        Attribute(|d, _, a| (a.name == "frequency" && is_coordinator(d)).then(|| "-60".to_owned())),
    ),
    kind(
        "frequency-with-unit",
        Attribute(|d, _, a| (a.name == "frequency" && is_coordinator(d)).then(|| "1h".to_owned())),
    ),
    kind(
        "frequency-function-singular",
        Attribute(|d, _, a| {
            (a.name == "frequency" && is_coordinator(d)).then(|| replace(a.value, "s(", "("))?
        }),
    ),
    kind(
        "frequency-without-prefix",
        Attribute(|d, _, a| {
            (a.name == "frequency" && is_coordinator(d)).then(|| replace(a.value, "coord:", ""))?
        }),
    ),
    kind(
        "frequency-without-braces",
        Attribute(|d, _, a| {
            (a.name == "frequency" && is_coordinator(d))
                .then(|| Some(a.value.strip_prefix("${")?.strip_suffix('}')?.to_owned()))?
        }),
    ),
    kind(
        "frequency-fraction",
        Attribute(|d, _, a| (a.name == "frequency" && is_coordinator(d)).then(|| "0.5".to_owned())),
    ),
    kind(
        "cron-six-fields",
        Attribute(|_, e, a| {
            (e.name == "coordinator-app" && a.name == "frequency" && is_cron(a.value))
                .then(|| format!("0 {}", a.value))
        }),
    ),
    kind(
        "cron-four-fields",
        Attribute(|_, e, a| {
            (e.name == "coordinator-app" && a.name == "frequency" && is_cron(a.value))
                .then(|| a.value.rsplit_once(' ').map(|it| it.0.to_owned()))?
        }),
    ),
    kind(
        "cron-minute-60",
        Attribute(|_, e, a| {
            (e.name == "coordinator-app" && a.name == "frequency" && is_cron(a.value))
                .then(|| format!("60 {}", a.value.split_once(' ').map_or("", |it| it.1)))
        }),
    ),
    kind(
        "cron-hour-24",
        Attribute(|_, e, a| {
            (e.name == "coordinator-app" && a.name == "frequency" && is_cron(a.value))
                .then(|| "30 24 * * *".to_owned())
        }),
    ),
    kind(
        "cron-day-word-typo",
        Attribute(|_, e, a| {
            (e.name == "coordinator-app" && a.name == "frequency" && is_cron(a.value))
                .then(|| "30 5 ? * MOND".to_owned())
        }),
    ),
    kind(
        "cron-never",
        Attribute(|_, e, a| {
            (e.name == "coordinator-app" && a.name == "frequency" && is_cron(a.value))
                .then(|| "30 5 31 2 *".to_owned())
        }),
    ),
    kind(
        "cron-sunday-zero",
        Attribute(|_, e, a| {
            (e.name == "coordinator-app" && a.name == "frequency" && is_cron(a.value))
                .then(|| "30 5 * * 0".to_owned())
        }),
    ),
    kind(
        "cron-every-minute-of-an-hour",
        Attribute(|_, e, a| {
            (e.name == "coordinator-app" && a.name == "frequency" && is_cron(a.value))
                .then(|| "* 5 * * *".to_owned())
        }),
    ),
    kind(
        "cron-for-frequency",
        Attribute(|_, e, a| {
            (e.name == "coordinator-app" && a.name == "frequency").then(|| "*/15".to_owned())
        }),
    ),
    kind(
        "dataset-use-typo",
        Attribute(|d, e, a| {
            (a.name == "dataset" && dataset_name(d, e)).then(|| typo(a.value, hash(a.value)))
        }),
    ),
    kind(
        "dataset-use-case",
        Attribute(|d, e, a| {
            (a.name == "dataset" && dataset_name(d, e)).then(|| a.value[..1].to_uppercase() + &a.value[1..])
        }),
    ),
    kind(
        "dataset-name-typo",
        Attribute(|d, e, a| {
            (a.name == "name" && e.name == "dataset" && is_coordinator(d))
                .then(|| typo(a.value, hash(a.value)))
        }),
    ),
    kind("dataset-missing", Of(|d, e| (e.name == "dataset" && is_coordinator(d)).then(|| d.without(e)))),
    kind("dataset-doubled", Of(|d, e| (e.name == "dataset" && is_coordinator(d)).then(|| d.doubled(e)))),
    kind("datasets-missing", Of(|d, e| (e.name == "datasets" && e.parent.is_some()).then(|| d.without(e)))),
    kind(
        "event-name-typo",
        Attribute(|d, e, a| (a.name == "name" && dataset_name(d, e)).then(|| typo(a.value, hash(a.value)))),
    ),
    kind(
        "event-missing",
        Of(|d, e| {
            (dataset_name(d, e) && d.parent(e).is_some_and(|p| p.name.ends_with("events")))
                .then(|| d.without(e))
        }),
    ),
    kind(
        "event-doubled",
        Of(|d, e| {
            (dataset_name(d, e) && d.parent(e).is_some_and(|p| p.name.ends_with("events")))
                .then(|| d.doubled(e))
        }),
    ),
    kind(
        "data-argument-typo",
        Text(|_, _, t| {
            let name = data_argument(t)?;
            replace(t, &format!("'{name}'"), &format!("'{}'", typo(name, hash(t))))
        }),
    ),
    kind(
        "data-in-for-out",
        Text(|_, _, t| {
            replace(t, "coord:dataOut('", "coord:dataIn('")
                .or_else(|| replace(t, "coord:dataIn('", "coord:dataOut('"))
        }),
    ),
    kind(
        "data-argument-without-quotes",
        Text(|_, _, t| {
            let name = data_argument(t)?;
            replace(t, &format!("'{name}'"), name)
        }),
    ),
    kind(
        "data-argument-is-dataset",
        Text(|d, _, t| {
            let name = data_argument(t)?;
            let event = d
                .elements
                .iter()
                .find(|e| dataset_name(d, e) && e.attribute("name").is_some_and(|a| a.value == name))?;
            let dataset = event.attribute("dataset")?.value;
            (dataset != name).then(|| replace(t, &format!("'{name}'"), &format!("'{dataset}'")))?
        }),
    ),
    kind(
        "initial-instance-late",
        Attribute(|d, e, a| {
            let start = d.root().attribute("start").map_or("2024-01-01T00:00Z", |a| a.value);
            (a.name == "initial-instance"
                && d.root().name == "coordinator-app"
                && e.name == "dataset"
                && is_date(start))
            .then(|| "2031-01-01T00:00Z".to_owned())
        }),
    ),
    kind(
        "initial-instance-far-late",
        Attribute(|d, _, a| {
            (a.name == "initial-instance" && is_coordinator(d)).then(|| "2051-01-01T00:00Z".to_owned())
        }),
    ),
    kind(
        "template-part-missing",
        Text(|_, e, t| {
            template(e).then(|| {
                ["/${HOUR}", "/${DAY}", "-${DAY}", "${DAY}", "${HOUR}"]
                    .iter()
                    .find_map(|part| replace(t, part, ""))
            })?
        }),
    ),
    kind(
        "template-part-typo",
        Text(|_, e, t| {
            template(e)
                .then(|| replace(t, "${MONTH}", "${MOTNH}").or_else(|| replace(t, "${YEAR}", "${YAER}")))?
        }),
    ),
    kind("template-part-lower", Text(|_, e, t| template(e).then(|| replace(t, "${YEAR}", "${year}"))?)),
    kind(
        "template-minute-for-month",
        Text(|_, e, t| template(e).then(|| replace(t, "${MONTH}", "${MINUTE}"))?),
    ),
    kind(
        "template-hour-more",
        Text(|d, e, t| {
            let frequency = d.parent(e)?.attribute("frequency")?.value;
            (template(e) && frequency.contains("days") && t.contains("${DAY}"))
                .then(|| format!("{t}/${{HOUR}}"))
        }),
    ),
    kind(
        "template-part-without-dollar",
        Text(|_, e, t| {
            template(e)
                .then(|| replace(t, "${DAY}", "{DAY}").or_else(|| replace(t, "${MONTH}", "{MONTH}")))?
        }),
    ),
    kind(
        "template-java-pattern",
        Text(|_, e, t| {
            template(e).then(|| {
                let new = t
                    .replace("${YEAR}", "yyyy")
                    .replace("${MONTH}", "MM")
                    .replace("${DAY}", "dd")
                    .replace("${HOUR}", "HH");
                (new != t).then_some(new)
            })?
        }),
    ),
    kind(
        "dataset-daily-for-hourly",
        Attribute(|_, e, a| {
            (e.name == "dataset" && a.name == "frequency")
                .then(|| replace(a.value, "coord:hours(1)", "coord:days(1)"))?
        }),
    ),
    kind(
        "dataset-hourly-for-daily",
        Attribute(|_, e, a| {
            (e.name == "dataset" && a.name == "frequency")
                .then(|| replace(a.value, "coord:days(1)", "coord:hours(1)"))?
        }),
    ),
    kind(
        "coordinator-hourly-for-daily",
        Attribute(|_, e, a| {
            (e.name == "coordinator-app" && a.name == "frequency")
                .then(|| replace(a.value, "coord:days(1)", "coord:hours(1)"))?
        }),
    ),
    kind(
        "done-flag-typo",
        Text(|_, e, t| (e.name == "done-flag" && t == "_SUCCESS").then(|| "_SUCESS".to_owned())),
    ),
    kind(
        "done-flag-case",
        Text(|_, e, t| (e.name == "done-flag" && t == "_SUCCESS").then(|| "_success".to_owned())),
    ),
    kind(
        "done-flag-without-underscore",
        Text(|_, e, t| (e.name == "done-flag" && t == "_SUCCESS").then(|| "SUCCESS".to_owned())),
    ),
    kind(
        "done-flag-with-template",
        Text(|d, e, _| {
            let uri = d.child(d.parent(e)?, "uri-template")?.text.clone()?.0;
            (e.name == "done-flag").then(|| format!("{uri}/_SUCCESS"))
        }),
    ),
    kind(
        "instance-range-reversed",
        Of(|d, e| {
            let (start, end) = (d.child(e, "start-instance")?, d.child(e, "end-instance")?);
            let (a, b) = (start.text.clone()?, end.text.clone()?);
            let with = format!("{}{}{}", b.0, &d.text[a.1.end..b.1.start], a.0);
            Some(Edit::new(a.1.start..b.1.end, with))
        }),
    ),
    kind("instance-end-missing", Of(|d, e| (e.name == "end-instance").then(|| d.without(e)))),
    kind(
        "instance-missing",
        Of(|d, e| {
            (e.name == "instance" && d.parent(e).is_some_and(|p| p.children.len() == 1)).then(|| d.without(e))
        }),
    ),
    kind(
        "instance-without-coord",
        Text(|_, e, t| instance(e, t, "coord:").then(|| replace(t, "coord:", ""))?),
    ),
    kind(
        "instance-without-braces",
        Text(|_, e, t| {
            instance(e, t, "${").then(|| Some(t.strip_prefix("${")?.strip_suffix('}')?.to_owned()))?
        }),
    ),
    kind(
        "instance-latest-positive",
        Text(|_, e, t| instance(e, t, "latest(0)").then(|| t.replace("latest(0)", "latest(1)"))),
    ),
    kind(
        "instance-without-argument",
        Text(|_, e, t| instance(e, t, "coord:current(-1)").then(|| t.replace("(-1)", "()"))),
    ),
    kind(
        "instance-far-future",
        Text(|_, e, t| instance(e, t, "coord:current(-1)").then(|| t.replace("(-1)", "(1000)"))),
    ),
    kind(
        "instance-current-24",
        Text(|d, e, t| {
            (instance(e, t, "coord:current(-1)") && d.is_in(e, "data-in")).then(|| t.replace("(-1)", "(24)"))
        }),
    ),
    kind(
        "instance-mixed-range",
        Text(|_, e, t| {
            (e.name == "start-instance" && t.contains("current")).then(|| "${coord:latest(-3)}".to_owned())
        }),
    ),
    kind(
        "instance-output-latest",
        Text(|d, e, t| {
            (d.is_in(e, "data-out") && instance(e, t, "current")).then(|| "${coord:latest(0)}".to_owned())
        }),
    ),
    kind(
        "instance-offset-unit",
        Text(|_, e, t| {
            (e.name == "instance" && t.contains("coord:offset(")).then(|| t.replace("'HOUR'", "'HOURS'"))
        }),
    ),
    kind(
        "instances-in-one",
        Text(|_, e, t| (e.name == "instance" && t.contains("current(-")).then(|| format!("{t},{t}"))),
    ),
    kind(
        "dst-constant-range",
        Text(|_, e, t| {
            (e.name == "start-instance" && t.contains("coord:hoursInDay"))
                .then(|| "${coord:current(-24)}".to_owned())
        }),
    ),
    kind("control-timeout-text", Text(|d, e, _| control(d, e, "timeout").then(|| "3h".to_owned()))),
    kind("control-timeout-negative", Text(|d, e, _| control(d, e, "timeout").then(|| "-10".to_owned()))),
    kind("control-concurrency-text", Text(|d, e, _| control(d, e, "concurrency").then(|| "one".to_owned()))),
    kind("control-concurrency-zero", Text(|d, e, _| control(d, e, "concurrency").then(|| "0".to_owned()))),
    kind("control-execution-typo", Text(|d, e, t| control(d, e, "execution").then(|| typo(t, 4)))),
    kind("control-execution-lower", Text(|d, e, t| control(d, e, "execution").then(|| t.to_lowercase()))),
    kind("control-order", Of(|d, e| Some(d.swapped(d.child(e, "timeout")?, d.child(e, "concurrency")?)))),
    kind(
        "date-offset-unit",
        Text(|_, _, t| {
            t.contains("coord:dateOffset(")
                .then(|| replace(t, "'DAY'", "'DAYS'").or_else(|| replace(t, "'HOUR'", "'hour'")))?
        }),
    ),
    kind(
        "date-offset-arguments-swapped",
        Text(|_, _, t| {
            replace(t, "-1, 'DAY'", "'DAY', -1").or_else(|| replace(t, "-1, 'HOUR'", "'HOUR', -1"))
        }),
    ),
    kind(
        "date-pattern-minutes-for-months",
        Text(|_, _, t| {
            t.contains("formatTime")
                .then(|| replace(t, "yyyy-MM", "yyyy-mm").or_else(|| replace(t, "yyyyMM", "yyyymm")))?
        }),
    ),
    kind(
        "date-pattern-week-year",
        Text(|_, _, t| t.contains("formatTime").then(|| replace(t, "yyyy", "YYYY"))?),
    ),
    kind(
        "date-pattern-day-of-year",
        Text(|_, _, t| {
            t.contains("formatTime")
                .then(|| replace(t, "MM-dd", "MM-DD").or_else(|| replace(t, "MMdd", "MMDD")))?
        }),
    ),
    kind(
        "date-pattern-letter",
        Text(|_, _, t| t.contains("formatTime").then(|| replace(t, "yyyy", "yyyj"))?),
    ),
    kind(
        "coord-conf-unknown",
        Text(|_, _, t| t.contains("coord:conf('").then(|| replace(t, "coord:conf('", "coord:conf('nope"))?),
    ),
    kind(
        "input-logic-unknown",
        Attribute(|d, e, a| {
            (e.name == "data-in" && a.name == "dataset" && d.is_below(e, "input-logic"))
                .then(|| typo(a.value, 4))
        }),
    ),
    kind(
        "input-logic-min-too-many",
        Of(|d, e| {
            (e.name == "or" && d.is_below(e, "input-logic"))
                .then(|| Edit::new(e.tag.end..e.tag.end, " min=\"5\""))
        }),
    ),
    kind(
        "bundle-coordinator-doubled",
        Of(|d, e| (e.name == "coordinator" && d.root().name == "bundle-app").then(|| d.doubled(e))),
    ),
    kind(
        "bundle-coordinator-without-name",
        Of(|d, e| {
            let a = e.attribute("name").filter(|_| e.name == "coordinator")?;
            (d.root().name == "bundle-app").then(|| Edit::new(a.range.start - 1..a.range.end, ""))
        }),
    ),
    kind(
        "bundle-kick-off-invalid",
        Text(|_, e, _| (e.name == "kick-off-time").then(|| "tomorrow".to_owned())),
    ),
    kind(
        "workflow-property-typo",
        Text(|d, e, t| {
            let is_one = e.name == "name"
                && d.root().name != "workflow-app"
                && d.is_below(e, "configuration")
                && !t.contains('.');
            is_one.then(|| typo(t, hash(t)))
        }),
    ),
    kind(
        "workflow-property-case",
        Text(|d, e, t| {
            let is_one = e.name == "name"
                && d.root().name != "workflow-app"
                && d.is_below(e, "configuration")
                && !t.contains('.');
            is_one.then(|| t.to_uppercase())
        }),
    ),
    kind(
        "workflow-property-missing",
        Of(|d, e| {
            (e.name == "property" && d.root().name != "workflow-app" && d.is_below(e, "configuration"))
                .then(|| d.without(e))
        }),
    ),
    kind(
        "sub-workflow-property-typo",
        Text(|d, e, t| {
            let is_one = e.name == "name" && d.is_below(e, "sub-workflow") && !t.contains('.');
            is_one.then(|| typo(t, hash(t)))
        }),
    ),
    kind("propagation-missing", Of(|d, e| (e.name == "propagate-configuration").then(|| d.without(e)))),
    kind(
        "formal-parameter-typo",
        Text(|d, e, t| (e.name == "name" && d.is_below(e, "parameters")).then(|| typo(t, hash(t)))),
    ),
    kind(
        "output-instance-two",
        Of(|d, e| (e.name == "instance" && d.is_in(e, "data-out")).then(|| d.doubled(e))),
    ),
];
