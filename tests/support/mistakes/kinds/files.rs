//! Mistakes in paths, and files that are missing.

use super::super::document::{Document, Element, hash, typo};
use super::Make::{Attribute, File, Text};
use super::{Kinds, kind, replace};

fn last_changed(path: &str, change: impl Fn(&str) -> String) -> Option<String> {
    let (head, last) = path.rsplit_once('/').map_or(("", path), |(head, last)| (&path[..=head.len()], last));
    (!last.is_empty() && !last.contains("${")).then(|| format!("{head}{}", change(last)))
}

fn middle_changed(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('/').collect();
    let at = (1..parts.len().checked_sub(1)?)
        .rev()
        .find(|at| parts[*at].len() > 2 && !parts[*at].contains("${"))?;
    let mut parts: Vec<String> = parts.into_iter().map(str::to_owned).collect();
    parts[at] = typo(&parts[at], hash(path));
    Some(parts.join("/"))
}

fn is_app_path(e: &Element<'_>) -> bool {
    e.name == "app-path"
}

fn is_shipped(d: &Document<'_>, e: &Element<'_>) -> bool {
    d.root().name == "workflow-app" && ["file", "archive", "job-xml"].contains(&e.name)
}

pub const KINDS: Kinds = &[
    kind(
        "app-path-typo",
        Text(|_, e, t| is_app_path(e).then(|| last_changed(t, |last| typo(last, hash(last))))?),
    ),
    kind("app-path-folder-typo", Text(|_, e, t| is_app_path(e).then(|| middle_changed(t))?)),
    kind("app-path-case", Text(|_, e, t| is_app_path(e).then(|| last_changed(t, str::to_uppercase))?)),
    kind(
        "app-path-other-file",
        Text(|_, e, t| (is_app_path(e) && !t.ends_with(".xml")).then(|| format!("{t}/wrokflow.xml"))),
    ),
    kind(
        "app-path-lost-folder",
        Text(|_, e, t| is_app_path(e).then(|| last_changed(t, |last| format!("old/{last}")))?),
    ),
    kind(
        "app-path-with-blank",
        Text(|_, e, t| is_app_path(e).then(|| last_changed(t, |last| format!(" {last}")))?),
    ),
    kind("app-path-parent", Text(|_, e, t| is_app_path(e).then(|| Some(t.rsplit_once('/')?.0.to_owned()))?)),
    kind(
        "app-path-is-this-app",
        Text(|d, e, t| {
            (is_app_path(e) && d.is_below(e, "sub-workflow") && t.contains('/'))
                .then(|| "${wf:appPath()}".to_owned())
        }),
    ),
    kind(
        "include-typo",
        Text(|_, e, t| (e.name == "include").then(|| last_changed(t, |last| typo(last, hash(last))))?),
    ),
    kind(
        "include-folder-typo",
        Text(|_, e, t| (e.name == "include").then(|| last_changed(t, |last| format!("common/{last}")))?),
    ),
    kind(
        "script-typo",
        Text(|d, e, t| {
            (e.name == "script" && d.root().name == "workflow-app")
                .then(|| last_changed(t, |last| typo(last, hash(last))))?
        }),
    ),
    kind(
        "script-extension",
        Text(|_, e, t| {
            (e.name == "script").then(|| {
                replace(t, ".hql", ".sql")
                    .or_else(|| replace(t, ".pig", ".pg"))
                    .or_else(|| replace(t, ".q", ".hql"))
            })?
        }),
    ),
    kind(
        "script-folder-missing",
        Text(|_, e, t| (e.name == "script").then(|| Some(t.rsplit_once('/')?.1.to_owned()))?),
    ),
    kind(
        "shipped-file-typo",
        Text(|d, e, t| {
            let (path, link) = t.split_once('#').map_or((t, None), |(path, link)| (path, Some(link)));
            let path = is_shipped(d, e).then(|| last_changed(path, |last| typo(last, hash(last))))??;
            Some(link.map_or(path.clone(), |link| format!("{path}#{link}")))
        }),
    ),
    kind(
        "shipped-file-link-typo",
        Text(|d, e, t| {
            let (path, link) = t.split_once('#')?;
            is_shipped(d, e).then(|| format!("{path}#{}", typo(link, hash(link))))
        }),
    ),
    kind(
        "shipped-file-folder-missing",
        Text(|d, e, t| {
            let (path, link) = t.split_once('#')?;
            is_shipped(d, e).then(|| Some(format!("{}#{link}", path.rsplit_once('/')?.1)))?
        }),
    ),
    kind(
        "shipped-file-missing",
        super::Make::Element(|d, e| (is_shipped(d, e) && e.name == "file").then(|| d.without(e))),
    ),
    kind(
        "exec-typo",
        Text(|d, e, t| {
            (e.name == "exec" && d.is_in(e, "shell") && t.contains('.')).then(|| typo(t, hash(t)))
        }),
    ),
    kind(
        "jar-typo",
        Text(|_, e, t| {
            (e.name == "jar" && !t.contains("${")).then(|| last_changed(t, |last| typo(last, hash(last))))?
        }),
    ),
    kind(
        "mapper-program-typo",
        Text(|_, e, t| {
            let (program, file) = t.split_once(' ')?;
            ["mapper", "reducer"].contains(&e.name).then(|| format!("{program} {}", typo(file, hash(file))))
        }),
    ),
    kind(
        "fs-path-one-slash",
        Attribute(|d, e, a| (a.name == "path" && d.is_in(e, "fs")).then(|| replace(a.value, "}/", "}"))?),
    ),
    kind("script-gone", File(|f| f.ends_with(".hql") || f.ends_with(".pig") || f.ends_with(".q"))),
    kind("program-gone", File(|f| f.ends_with(".sh") || f.ends_with(".py"))),
    kind("library-gone", File(|f| f.ends_with(".jar"))),
    kind("job-xml-gone", File(|f| f.ends_with("settings.xml"))),
    kind("datasets-file-gone", File(|f| f.ends_with("datasets.xml"))),
];
