//! Keys of a properties file that no definition of its program reads.

use std::collections::BTreeSet;

use super::app_path::AppKind;
use super::job_conf::{Given, JobConf, Layer};
use super::used::used;
use crate::analysis::expressions::{self, names_read, words};
use crate::analysis::properties;
use crate::diag::{Diagnostic, Group, Info, Severity, SubjectKind, closest};
use crate::model::{App, Parameter};
use crate::schema::versions::Version;

/// A property that no definition reads.
pub static PROPERTY_UNUSED: Info = Info {
    name: "property-unused",
    group: Group::Meaning,
    severity: Severity::Info,
    stage: None,
    mirrors: &[],
    explanation: "No definition of the program reads a key of its properties file.\n\n\
        It may be left over, or misspelt. Told only of the file that names the application path, where all definitions \
        that it leads to are known, and not of keys with dots, which are settings. Remove it, or read it. Where it is \
        nearly a name that is read and has its value from elsewhere, it is a warning.",
};

/// The keys that nothing reads; `apps` are all definitions of the program, `defaults` their default files.
pub fn unused<'a>(
    conf: &JobConf,
    apps: impl Iterator<Item = &'a App>,
    defaults: impl Iterator<Item = &'a Given>,
) -> Vec<Diagnostic> {
    let Some(file) = AppKind::ALL.iter().find_map(|kind| conf.span(kind.property())).map(|span| span.file)
    else {
        return Vec::new();
    };
    let is_own = |name: &&str| {
        let step = conf.steps(name).last();
        step.is_some_and(|step| step.layer == Layer::File && step.span.is_some_and(|span| span.file == file))
    };
    // A byte order mark became part of it, which is told.
    let has_mark = |name: &&str| name.starts_with('\u{FEFF}');
    let candidates: Vec<&str> = conf
        .iter()
        .map(|(name, _)| name)
        .filter(|name| !has_mark(name))
        .filter(|name| !name.contains('.'))
        .filter(is_own)
        .collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let mut read: BTreeSet<String> = BTreeSet::new();
    let defaults: Vec<&Given> = defaults.collect();
    let mut others: BTreeSet<String> = defaults.iter().map(|given| given.name.clone()).collect();
    let values = conf.iter().map(|(_, value)| value);
    let values = values.chain(defaults.iter().map(|given| given.value.as_str()));
    for value in values.filter(|value| value.contains('$')) {
        read.extend(words(value).map(str::to_owned));
    }
    for app in apps {
        others.extend(properties::of_app(app).iter().flat_map(|list| {
            list.list.iter().map(|property| property.name.value.trim().to_owned()).collect::<Vec<_>>()
        }));
        others.extend(used(app).into_keys().filter(|name| !conf.contains(name)));
        others.extend(formal(app).iter().map(|parameter| parameter.name.value.trim().to_owned()));
        let list = expressions::of_app(app, Version::default());
        let Some(names) = names_read(&list) else { return Vec::new() };
        read.extend(names.into_iter().map(str::to_owned));
    }
    let elsewhere: Vec<&str> = others.iter().map(String::as_str).filter(|name| !is_own(name)).collect();
    let unread = candidates.into_iter().filter(|name| !read.contains(*name));
    unread
        .filter_map(|name| {
            let message = format!("no definition reads `{name}`");
            let found = Diagnostic::new(&PROPERTY_UNUSED, conf.span(name)?, message)
                .about(SubjectKind::Parameter, name);
            // Where something else gives a value to the name that is meant, nothing else tells the slip.
            let meant = elsewhere.iter().copied().filter(|other| read.contains(*other) && *other != name);
            Some(match closest(name, meant) {
                Some(near) => {
                    found.severity(Severity::Warning).help(format!("did you mean `{near}`?")).meant(near)
                }
                None => found.help("remove it, or read it"),
            })
        })
        .collect()
}

fn formal(app: &App) -> &[Parameter] {
    match app {
        App::Bundle(app) => &app.parameters,
        App::Coordinator(app) => &app.parameters,
        App::Workflow(app) => &app.parameters,
        App::Datasets(_) => &[],
    }
}
