//! Every bundle and workflow of the corpus is planned, with nothing given and with everything given.

use crate::support;
use std::path::PathBuf;

use ankus::analysis::parameters::{Given, JobConf, Layer, used};
use ankus::analysis::project::{Astray, Kind};
use ankus::model::{self, App};
use ankus::plan::{bundle, workflow};
use ankus::report::plan_workflow;
use ankus::source::Sources;
use ankus::time::ProcessingZone;
use ankus::xml::{self, Element};

fn definitions() -> Vec<PathBuf> {
    let folder = support::reference("corpus");
    let (mut files, mut folders) = (Vec::new(), vec![folder]);
    while let Some(folder) = folders.pop() {
        for name in support::names_in(&folder) {
            let path = folder.join(name);
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == "xml") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn read(text: &str) -> Option<(Element, App)> {
    let file = Sources::new().add("app.xml", text);
    let root = xml::read(file, text, &xml::Limits::default()).0?;
    let app = model::lower(&root).0?;
    Some((root, app))
}

/// A value for every name that the app uses.
fn everything(app: &App) -> JobConf {
    let mut conf = JobConf::new();
    let names: Vec<_> = used(app).into_keys().collect();
    conf.set_all(&Layer::File, names.into_iter().map(|name| Given::new(name, "1")));
    conf
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn every_workflow_is_planned() {
    let mut planned = 0;
    for path in definitions() {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Some((root, app)) = read(&text) else { continue };
        let App::Workflow(model) = &app else { continue };
        let definition = workflow::Definition { root: &root, text: &text, model, default_file: &[] };
        for conf in [JobConf::new(), everything(&app)] {
            let given = !conf.is_empty();
            let (Some(submitted), _) = workflow::submit(definition, conf) else { continue };
            let plan =
                workflow::plan(definition, &submitted, &|path| Err(Astray::unknown(path, Kind::Workflow)));
            assert_eq!(plan.nodes.len(), model.nodes.len(), "{}", path.display());
            assert!(!given || plan.missing.is_empty(), "{}: {:?}", path.display(), plan.missing);
            let value: serde_json::Value = serde_json::from_str(&plan_workflow::json(&plan)).expect("JSON");
            assert_eq!(value["nodes"].as_array().map(Vec::len), Some(plan.nodes.len()));
            assert!(plan_workflow::text(&plan, true).starts_with("workflow"));
            for node in &plan.nodes {
                let Some(action) = &node.action else { continue };
                if action.deferred.is_empty() && node.findings.is_empty() {
                    let file = Sources::new().add("action.xml", action.definition.as_str());
                    let (again, _) = xml::read(file, &action.definition, &xml::Limits::default());
                    assert!(again.is_some(), "{}: {}", path.display(), action.definition);
                }
            }
            planned += 1;
        }
    }
    eprintln!("{planned} plans of workflows");
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn every_bundle_is_submitted_and_started() {
    let mut planned = 0;
    for path in definitions() {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Some((root, app)) = read(&text) else { continue };
        let App::Bundle(model) = &app else { continue };
        let definition = bundle::Definition { root: &root, text: &text, model };
        let (submitted, findings) = bundle::submit(definition, JobConf::new(), &[], ProcessingZone::UTC);
        for finding in &findings {
            assert!(
                text.get(finding.span.range()).is_some_and(|under| !under.is_empty()),
                "{}",
                path.display()
            );
        }
        assert!(submitted.is_some() || !findings.is_empty());
        let (submitted, findings) = bundle::submit(definition, everything(&app), &[], ProcessingZone::UTC);
        if let Some(submitted) = submitted {
            let started = bundle::start(&submitted, &|_| None);
            assert_eq!(started.children.len(), model.coordinators.len(), "{}", path.display());
            planned += 1;
        } else {
            // `1` is no kick-off time, and makes names equal that differ only in a parameter.
            let mended = ["bundle-kickoff-invalid", "bundle-coordinator-duplicate"];
            let others: Vec<_> = findings.iter().filter(|it| !mended.contains(&it.rule.name)).collect();
            assert!(others.is_empty(), "{}: {others:?}", path.display());
        }
    }
    eprintln!("{planned} bundles started");
}
