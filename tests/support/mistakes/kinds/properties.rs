//! Mistakes in properties files and default files.

use super::super::document::{hash, typo};
use super::Make::{Key, Text};
use super::{Kinds, kind, replace};

fn is_oozie(key: &str) -> bool {
    key.contains('.')
}

fn is_path(key: &str) -> bool {
    key.ends_with("application.path")
}

fn is_date(value: &str) -> bool {
    value.len() == 17 && value.ends_with('Z') && value.starts_with("20")
}

fn date(key: &str, value: &str, change: impl Fn(&str) -> String) -> Option<String> {
    is_date(value).then(|| format!("{key}={}", change(value)))
}

fn reference(value: &str) -> Option<&str> {
    let start = value.find("${")? + 2;
    Some(&value[start..start + value[start..].find('}')?])
}

pub const KINDS: Kinds = &[
    kind("key-typo", Key(|k, v| (!is_oozie(k)).then(|| format!("{}={v}", typo(k, hash(k)))))),
    kind(
        "key-case",
        Key(|k, v| {
            let upper = k[..1].to_uppercase() + &k[1..];
            (!is_oozie(k) && upper != k).then(|| format!("{upper}={v}"))
        }),
    ),
    kind("key-missing-in-one-profile", Key(|k, _| (!is_oozie(k)).then(String::new))),
    kind("key-commented-out", Key(|k, v| (!is_oozie(k)).then(|| format!("#{k}={v}")))),
    kind("key-with-dot", Key(|k, v| (!is_oozie(k)).then(|| format!("my.{k}={v}")))),
    kind(
        "key-with-dash",
        Key(|k, v| {
            let at = k.find(|c: char| c.is_uppercase())?;
            (!is_oozie(k)).then(|| format!("{}-{}={v}", &k[..at], k[at..].to_lowercase()))
        }),
    ),
    kind("equals-missing", Key(|k, v| (!is_oozie(k) && !v.is_empty()).then(|| format!("{k}{v}")))),
    kind("value-empty", Key(|k, v| (!is_oozie(k) && !v.is_empty()).then(|| format!("{k}=")))),
    kind("key-doubled-other-value", Key(|k, v| (!is_oozie(k)).then(|| format!("{k}={v}\n{k}=other")))),
    kind("value-in-quotes", Key(|k, v| (!v.is_empty()).then(|| format!("{k}=\"{v}\"")))),
    kind("value-with-comment", Key(|k, v| (!v.is_empty()).then(|| format!("{k}={v} # for now")))),
    kind("value-with-semicolon", Key(|k, v| (!v.is_empty()).then(|| format!("{k}={v};")))),
    kind("value-continued", Key(|k, v| (!v.is_empty()).then(|| format!("{k}={v}\\")))),
    kind(
        "application-path-key-typo",
        Key(|k, v| is_path(k).then(|| format!("{}={v}", k.replace("path", "pth")))),
    ),
    kind(
        "application-path-key-of-other-kind",
        Key(|k, v| {
            let other = replace(k, "bundle", "coord")
                .or_else(|| replace(k, ".coord.", ".wf."))
                .or_else(|| replace(k, ".wf.", ".coord."))?;
            is_path(k).then(|| format!("{other}={v}"))
        }),
    ),
    kind(
        "application-path-typo",
        Key(|k, v| {
            let (head, last) = v.rsplit_once('/')?;
            is_path(k).then(|| format!("{k}={head}/{}", typo(last, 4)))
        }),
    ),
    kind(
        "application-path-lost-folder",
        Key(|k, v| {
            let (head, last) = v.rsplit_once('/')?;
            is_path(k).then(|| format!("{k}={head}/old/{last}"))
        }),
    ),
    kind(
        "two-application-paths",
        Key(|k, v| {
            let other = if k.contains("bundle") {
                "oozie.coord.application.path"
            } else {
                "oozie.bundle.application.path"
            };
            is_path(k).then(|| format!("{k}={v}\n{other}={v}"))
        }),
    ),
    kind(
        "libpath-switch-typo",
        Key(|k, v| {
            k.contains("use.system.libpath").then(|| format!("{}={v}", k.replace("libpath", "libpaht")))
        }),
    ),
    kind("libpath-switch-value", Key(|k, _| k.contains("use.system.libpath").then(|| format!("{k}=ture")))),
    kind("libpath-key-typo", Key(|k, v| (k == "oozie.libpath").then(|| format!("oozie.libpaths={v}")))),
    kind("scheme-typo", Key(|k, v| Some(format!("{k}={}", replace(v, "hdfs://", "hfds://")?)))),
    kind("scheme-one-slash", Key(|k, v| Some(format!("{k}={}", replace(v, "hdfs://", "hdfs:/")?)))),
    kind("scheme-without-colon", Key(|k, v| Some(format!("{k}={}", replace(v, "hdfs://", "hdfs//")?)))),
    kind("host-with-blank", Key(|k, v| Some(format!("{k}={}", replace(v, "hdfs://", "hdfs:// ")?)))),
    kind("port-not-a-number", Key(|k, v| Some(format!("{k}={}", replace(v, ":8020", ":8O20")?)))),
    kind(
        "property-job-tracker-with-scheme",
        Key(|k, v| (["jobTracker", "resourceManager"].contains(&k)).then(|| format!("{k}=http://{v}"))),
    ),
    kind(
        "reference-typo",
        Key(|k, v| {
            let name = reference(v)?;
            Some(format!(
                "{k}={}",
                v.replace(&format!("${{{name}}}"), &format!("${{{}}}", typo(name, hash(k))))
            ))
        }),
    ),
    kind(
        "reference-brace-missing",
        Key(|k, v| {
            let name = reference(v)?;
            Some(format!("{k}={}", v.replace(&format!("${{{name}}}"), &format!("${{{name}"))))
        }),
    ),
    kind(
        "reference-parentheses",
        Key(|k, v| {
            let name = reference(v)?;
            Some(format!("{k}={}", v.replace(&format!("${{{name}}}"), &format!("$({name})"))))
        }),
    ),
    kind(
        "reference-without-braces",
        Key(|k, v| {
            let name = reference(v)?;
            Some(format!("{k}={}", v.replace(&format!("${{{name}}}"), &format!("${name}"))))
        }),
    ),
    kind("reference-to-itself", Key(|k, v| v.starts_with("${").then(|| format!("{k}=${{{k}}}/x")))),
    kind("property-date-without-z", Key(|k, v| date(k, v, |v| v[..16].to_owned()))),
    kind("property-date-with-blank", Key(|k, v| date(k, v, |v| v.replace('T', " ")))),
    kind("property-date-month-13", Key(|k, v| date(k, v, |v| format!("{}13{}", &v[..5], &v[7..])))),
    kind("property-date-31-november", Key(|k, v| date(k, v, |v| format!("{}11-31{}", &v[..5], &v[10..])))),
    kind("property-date-with-seconds", Key(|k, v| date(k, v, |v| v.replace('Z', ":00Z")))),
    kind("property-date-with-offset", Key(|k, v| date(k, v, |v| v.replace('Z', "+0100")))),
    kind("property-date-only-day", Key(|k, v| date(k, v, |v| v[..10].to_owned()))),
    kind(
        "property-end-before-start",
        Key(|k, v| {
            let lower = k.to_lowercase();
            (lower.contains("end") || lower.contains("last"))
                .then(|| date(k, v, |v| format!("2011{}", &v[4..])))?
        }),
    ),
    kind(
        "property-start-after-end",
        Key(|k, v| {
            let lower = k.to_lowercase();
            (lower.contains("start") && lower != "kickoff" || lower.contains("first"))
                .then(|| date(k, v, |v| format!("2041{}", &v[4..])))?
        }),
    ),
    kind("property-zone-typo", Key(|k, _| (k == "zone").then(|| format!("{k}=Europe/Berln")))),
    kind(
        "property-mail-typo",
        Key(|k, v| v.contains("@example").then(|| format!("{k}={}", v.replace('@', "")))),
    ),
    kind(
        "default-key-typo",
        Text(|d, e, t| {
            let is_one = e.name == "name" && d.root().name == "configuration" && !is_oozie(t);
            is_one.then(|| typo(t, hash(t)))
        }),
    ),
];
