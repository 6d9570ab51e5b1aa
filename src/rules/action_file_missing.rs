//! An action names a script, `job-xml`, `file` or `archive`, and it is not there.
//!
//! Relative paths lead into the folder of the workflow, and the action fails when it starts (JA008). Whole paths are looked at where
//! `[paths]` in ankus.toml, or the path of the app itself, says where they lie in the project, and the project has the folder.
//! Where another file that the workflow names is there (besides XML), the folder is taken for the app as it is deployed,
//! and the finding is an error; where none is, packaging may put the files together, and it is a note.
//! Jars and archives are often built, so a missing one is a warning at most.
//!
//! ```xml
//! <script>scripts/load.pig</script>    <!-- scripts/load.pig beside workflow.xml -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::app_files::{self, Reference, Use};
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, Stage, SubjectKind, closest, distance};
use crate::model::Dialect;
use indexmap::IndexMap;
use std::collections::BTreeSet;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "action-file-missing",
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Action),
        mirrors: &["JA008"],
        explanation: include_str!("action_file_missing.rs"),
    },
    check: Check::Workflow(check),
};

/// How many other places of one file are shown.
const MOST_LABELS: usize = 3;

/// For how many missing files a near one is looked for.
const MOST_SUGGESTIONS: usize = 50;

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    let files = app.files.filter(|files| files.is_whole);
    let relative = app_files::references(app.model, app.values);
    let relative = if files.is_some() { relative } else { Vec::new() };
    let mut references = app_files::whole_paths(app.model, app.values);
    references.retain(|reference| app.elsewhere(&reference.path).is_some());
    references.splice(0..0, relative);
    let is_there = |reference: &Reference| match app.elsewhere(&reference.path) {
        Some(place) => place.is_there,
        None => files.is_some_and(|files| files.holds(&reference.path)),
    };
    // Definitions and settings lie beside each other anyhow; a script or a library shows that all is there.
    let is_deployed =
        references.iter().any(|reference| !reference.path.ends_with(".xml") && is_there(reference));
    let mut missing: IndexMap<&str, Vec<&Reference>> = IndexMap::new();
    for reference in references.iter().filter(|reference| !is_there(reference)) {
        missing.entry(&reference.path).or_default().push(reference);
    }
    for (index, (path, places)) in missing.into_iter().enumerate() {
        let reached = places.iter().position(|place| app_files::is_reached(&app.flow, place.node));
        let first = places[reached.unwrap_or_default()];
        let place = app.elsewhere(path);
        let message = match place {
            Some(place) => format!("`{path}` leads to `{}`, where there is no file", place.shown),
            None => format!("the app's folder holds no `{path}`"),
        };
        let mut finding = Diagnostic::new(&RULE.info, first.span, message).about(SubjectKind::File, path);
        // The executor of `fs` registers no code for a file that is not there.
        if first.kind == "fs" {
            finding = finding.oozie(&[]);
        }
        for other in places.iter().filter(|place| place.span != first.span).take(MOST_LABELS) {
            finding = finding.label(other.span, "named here too");
        }
        let near = match (place, files) {
            (Some(place), _) => place.near.as_deref(),
            (None, Some(files)) if index < MOST_SUGGESTIONS => near(first, &files.files),
            _ => None,
        };
        let is_near = near.is_some_and(|near| is_slip(&first.path, near));
        finding = match (near, place) {
            (Some(near), _) => finding.help(format!("did you mean `{near}`?")),
            (None, Some(_)) => finding.help("correct the path, or add the file"),
            (None, None) => finding.help("add the file to the folder of the workflow, or correct the path"),
        };
        let severity = match severity(first, is_deployed) {
            // A package holds all that its actions need.
            _ if app.model.dialect == Dialect::Hws => Severity::Error,
            // What lies there is nearly it: no deployment adds what is meant.
            Severity::Info if is_near => Severity::Warning,
            severity => severity,
        };
        sink.push(match (severity, reached) {
            (Severity::Info, _) => finding.severity(Severity::Info).stage(None),
            (_, Some(_)) => finding.severity(severity),
            (_, None) => finding.severity(Severity::Warning).stage(None),
        });
    }
}

fn severity(reference: &Reference, is_deployed: bool) -> Severity {
    let is_built = reference.use_of == Use::Archive
        || [".jar", ".so", ".zip", ".gz", ".egg", ".whl"].iter().any(|end| reference.path.ends_with(end));
    match (is_deployed, is_built) {
        (false, _) => Severity::Info,
        (true, true) => Severity::Warning,
        (true, false) => Severity::Error,
    }
}

/// Whether two paths of one folder differ by a slip in the name, such as `cout.hql` for `count.hql`.
fn is_slip(path: &str, near: &str) -> bool {
    let split = |path: &str| {
        path.rsplit_once('/')
            .map_or(("".to_owned(), path.to_owned()), |(folder, name)| (folder.to_owned(), name.to_owned()))
    };
    let ((folder, name), (other, own)) = (split(path), split(near));
    let ends = |name: &str| name.rsplit_once('.').map(|(_, end)| end.to_owned());
    // Files that are numbered are near to each other and different ones.
    let plain = |name: &str| name.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let limit = if name.len() < 8 { 1 } else { 2 };
    let is_long = name.len() > 5;
    folder == other
        && is_long
        && plain(&name) != plain(&own)
        && ends(&name) == ends(&own)
        && distance(&name, &own, limit).is_some()
}

/// The file that is probably meant: of the same name elsewhere, else of nearly the same path.
fn near<'f>(reference: &Reference, files: &'f BTreeSet<String>) -> Option<&'f str> {
    let name = |path: &'_ str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let own = name(&reference.path);
    let same = files.iter().find(|file| name(file) == own).map(String::as_str);
    same.or_else(|| closest(&reference.path, files.iter().map(String::as_str)))
}
