//! Parameters: references between values as Java resolves them, and every properties file of the corpus.

use crate::support;
use std::collections::BTreeMap;
use std::path::PathBuf;

use ankus::analysis::parameters::{
    Given, JobConf, Layer, Submission, TooDeep, explain, given, missing, substitute, used,
};
use ankus::diag::Severity;
use ankus::model::{self, App};
use ankus::properties;
use ankus::source::{Sources, Span};
use ankus::xml;

/// `substitution.tsv`: a value, `=` and the result or `!` where Java gives up, then the properties. Drawn at random and
/// answered by `java.util.regex` with the pattern and the limit of `XConfiguration.substituteVars`.
#[test]
fn references_resolve_as_java_resolves_them() {
    let file = support::root().join("fixtures/reference/parameters/substitution.tsv");
    let text = std::fs::read_to_string(file).expect("the answers are there");
    let mut faults = Vec::new();
    let mut count = 0;
    for line in text.lines() {
        let mut fields = line.split('\t');
        let (value, answer) = (fields.next().expect("a value"), fields.next().expect("an answer"));
        let properties: BTreeMap<_, _> = fields.filter_map(|field| field.split_once('=')).collect();
        let expected = answer.strip_prefix('=').map(str::to_owned).ok_or(TooDeep);
        let found = substitute(value, |name| properties.get(name).copied(), &mut Vec::new());
        if found != expected {
            faults.push(format!("{line}: {found:?}"));
        }
        count += 1;
    }
    assert_eq!(count, 600);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn corpus(extension: &str) -> Vec<PathBuf> {
    let folder = support::reference("corpus");
    let (mut files, mut folders) = (Vec::new(), vec![folder]);
    while let Some(folder) = folders.pop() {
        for name in support::names_in(&folder) {
            let path = folder.join(name);
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn every_properties_file_of_the_corpus_resolves() {
    let mut faults = Vec::new();
    for path in corpus("properties") {
        let bytes = std::fs::read(&path).expect("it can be read");
        let mut sources = Sources::new();
        let (file, found, _) = properties::read_bytes(&mut sources, "job.properties", &bytes);
        let names: Vec<_> = found.entries.iter().map(|entry| entry.key.value.trim().to_owned()).collect();
        let mut conf = Submission { files: vec![given(&found)], ..Submission::default() }.job_conf();
        // Files that a build fills in hold `name=${name}`; submitted as they are, a server refuses them.
        for finding in conf.resolve(Span::new(file, 0..0)) {
            if finding.rule.name != "property-cycle" || !finding.message.ends_with("refers to itself") {
                faults.push(format!("{}: {}", path.display(), finding.message));
            }
        }
        for name in names {
            let parts = explain(&conf, &name);
            let last = parts[0].steps.last().map(|step| step.value.trim().to_owned());
            if last != parts[0].value {
                faults.push(format!("{}: the chain of `{name}` does not end in its value", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn every_app_of_the_corpus_names_what_it_needs() {
    for path in corpus("xml") {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let file = Sources::new().add("app.xml", text.as_str());
        let (Some(root), _) = xml::read(file, &text, &xml::Limits::default()) else { continue };
        let Some(app) = model::lower(&root).0 else { continue };
        let mut conf = JobConf::new();
        for finding in missing(&app, &conf, true) {
            assert_eq!(finding.severity, Severity::Error, "{}", path.display());
        }
        for (name, found) in used(&app) {
            for span in found.spans {
                assert_eq!(&text[span.range()], name, "{}", path.display());
            }
            conf.set(Layer::Definition, Given::new(name, "x"));
        }
        assert!(missing(&app, &conf, true).is_empty(), "{}", path.display());
    }
}

#[test]
fn what_is_missing_is_named_with_every_line() {
    let text = "<coordinator-app name='c' frequency='${f}' start='${s}' end='${e}' timezone='UTC' \
         xmlns='uri:oozie:coordinator:0.4'><parameters><property><name>e</name></property></parameters><datasets>\
         <dataset name='d' frequency='${f}' initial-instance='${s}' timezone='UTC'><uri-template>${nn}/${YEAR}</uri-template>\
         </dataset></datasets><action><workflow><app-path>${nn}</app-path></workflow></action></coordinator-app>";
    let file = Sources::new().add("c.xml", text);
    let root = xml::read(file, text, &xml::Limits::default()).0.expect("well-formed");
    let app: App = model::lower(&root).0.expect("a coordinator");
    let mut conf = JobConf::new();
    conf.set(Layer::File, Given::new("s", "x"));
    let told: Vec<_> = missing(&app, &conf, false)
        .iter()
        .map(|it| (it.message.clone(), it.labels.len(), it.severity))
        .collect();
    let expected = ["f", "nn"].map(|name| (format!("`{name}` must be supplied"), 1, Severity::Info));
    assert_eq!(told, expected);
    assert!(
        missing(&app, &conf, true).iter().all(|it| it.severity == Severity::Error && it.oozie == ["E1004"])
    );
}
