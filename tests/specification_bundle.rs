//! The requirements and the design of bundles (document `000`), as far as reading, checking and planning hold them. The
//! table of states is held by the engine.
//!
//! Slips in it, and what stands here instead: requirement 4 names the property `oozie.application.bundle.path`; servers
//! read `oozie.bundle.application.path`. The pattern of names has a parenthesis too many, and accepts what
//! `[a-zA-Z][\-_a-zA-Z0-9]*` does; servers hold coordinators to it, not the bundle itself. `BundleStartXCommand` is called `BundleSubmitXComamnd` in places, and authenticates
//! there. Requirement 6 is missing, 19 and 20 speak of a bundle where its coordinators are meant.

use ankus::analysis::parameters::{AppKind, Given, JobConf, Layer};
use ankus::diag::{Diagnostic, Severity, Stage};
use ankus::model::{self, App};
use ankus::plan::bundle::{Definition, Started, Submitted, start, submit};
use ankus::schema;
use ankus::source::Sources;
use ankus::time::ProcessingZone;
use ankus::xml;

/// Submits a bundle; the findings of its schema come first.
fn submitted(text: &str, properties: &[(&str, &str)]) -> (Option<Submitted>, Vec<Diagnostic>) {
    let file = Sources::new().add("any-name.xml", text);
    let root = xml::read(file, text, &xml::Limits::default()).0.expect("well-formed");
    let mut findings = schema::check(&root, text, schema::Kind::Bundle);
    let Some(App::Bundle(bundle)) = model::lower(&root).0 else { panic!("no bundle") };
    let mut conf = JobConf::new();
    conf.set_all(&Layer::File, properties.iter().map(|(name, value)| Given::new(*name, *value)));
    let definition = Definition { root: &root, text, model: &bundle };
    let (submitted, more) = submit(definition, conf, &[], ProcessingZone::UTC);
    findings.extend(more);
    let refused = findings.iter().any(|f| f.severity == Severity::Error && f.stage == Some(Stage::Submit));
    (submitted.filter(|_| !refused), findings)
}

fn accepted(text: &str, properties: &[(&str, &str)]) -> (Submitted, Started) {
    let (found, findings) = submitted(text, properties);
    let found = found.unwrap_or_else(|| panic!("{findings:?}"));
    let started = start(&found, &|_| None);
    (found, started)
}

fn codes(findings: &[Diagnostic]) -> Vec<&'static str> {
    findings.iter().flat_map(|finding| finding.oozie.iter().copied()).collect()
}

const SMALL: &str = "<bundle-app name='b' xmlns='uri:oozie:bundle:0.1'>\
    <coordinator name='c'><app-path>hdfs://foo/c</app-path></coordinator></bundle-app>";

#[test]
fn a_bundle_is_a_list_of_coordinators() {
    // Requirements 1 and 2, and the schema: controls at most once, at least one coordinator, each with one path.
    let (bundle, started) = accepted(SMALL, &[]);
    assert_eq!((bundle.name.as_str(), started.children.len()), ("b", 1));
    assert_eq!(started.children[0].app_path, "hdfs://foo/c");
    let none = "<bundle-app name='b' xmlns='uri:oozie:bundle:0.1'></bundle-app>";
    assert!(submitted(none, &[]).0.is_none());
    let no_path = SMALL.replace("<app-path>hdfs://foo/c</app-path>", "");
    assert!(submitted(&no_path, &[]).0.is_none());
    let controls = "<controls/><controls/>";
    let twice = SMALL.replace("<coordinator ", &format!("{controls}<coordinator "));
    assert!(submitted(&twice, &[]).0.is_none());
    // A description follows the value of a property; without a value there is no property.
    let with = |property: &str| {
        let configuration =
            format!("<configuration><property>{property}</property></configuration></coordinator>");
        SMALL.replace("</coordinator>", &configuration)
    };
    let (_, started) = accepted(&with("<name>a</name><value>1</value><description>one</description>"), &[]);
    assert_eq!(started.children[0].conf.get_raw("a"), Some("1"));
    assert!(submitted(&with("<name>a</name>"), &[]).0.is_none());
}

#[test]
fn names_are_identifiers() {
    let check = |name: &str, expected: bool| {
        let text = SMALL.replace("name='c'", &format!("name='{name}'"));
        assert_eq!(submitted(&text, &[]).0.is_some(), expected, "{name}");
    };
    check("c", true);
    check("load_clicks-2", true);
    // The pattern's own limit of 39 is none: the piece that it repeats has any length.
    check(&"n".repeat(100), true);
    check("2nd", false);
    check("_c", false);
    check("a.b", false);
    check("", false);
    // The bundle's own name is any text to a server, though the document's schema says otherwise.
    let text = SMALL.replace("name='b'", "name='-b'");
    assert!(submitted(&text, &[]).0.is_some());
}

#[test]
fn the_path_stands_in_a_property() {
    // Requirements 3 and 4, with the name that servers read.
    assert_eq!(AppKind::Bundle.property(), "oozie.bundle.application.path");
}

#[test]
fn variables_are_resolved_at_submission() {
    // Requirements 7 and 8.
    let text = SMALL.replace("hdfs://foo/c", "${nameNode}/c").replace(
        "</coordinator>",
        "<configuration><property><name>day</name><value>${day}</value></property></configuration></coordinator>",
    );
    let (_, started) = accepted(&text, &[("nameNode", "hdfs://foo"), ("day", "monday"), ("more", "1")]);
    let child = &started.children[0];
    assert_eq!(child.app_path, "hdfs://foo/c");
    assert_eq!((child.conf.get_raw("day"), child.conf.get_raw("more")), (Some("monday"), Some("1")));
    // All that is missing is told at once; a server stops at the first.
    let (none, findings) = submitted(&text, &[]);
    assert!(none.is_none());
    let missing = findings.iter().filter(|finding| finding.rule.name == "parameter-undefined");
    assert_eq!(missing.count(), 2);
    assert!(codes(&findings).contains(&"E1004"));
}

#[test]
fn no_two_coordinators_have_one_name() {
    // "Bundle Submission", fourth step; requirement 11: nothing is submitted in part.
    let twice = SMALL.replace(
        "</bundle-app>",
        "<coordinator name='c'><app-path>hdfs://foo/d</app-path></coordinator></bundle-app>",
    );
    let (none, findings) = submitted(&twice, &[]);
    assert!(none.is_none());
    assert!(codes(&findings).contains(&"E1304"), "{findings:?}");
}

#[test]
fn the_kick_off_time_may_be_left_out() {
    // Requirement 15, and "Bundle Start": without one the bundle starts at once.
    let with = |time: &str| {
        let controls = format!("<controls><kick-off-time>{time}</kick-off-time></controls><coordinator ");
        SMALL.replace("<coordinator ", &controls)
    };
    let at = |text: &str| accepted(text, &[]).0.kick_off.map(|at| ProcessingZone::UTC.format(at));
    assert_eq!(at(SMALL), None);
    assert_eq!(at(&SMALL.replace("<coordinator ", "<controls/><coordinator ")), None);
    assert_eq!(at(&with("2010-10-01T12:00Z")).as_deref(), Some("2010-10-01T12:00Z"));
    let (none, findings) = submitted(&with("tomorrow"), &[]);
    assert!(none.is_none() && codes(&findings).contains(&"E1301"));
}

#[test]
fn a_critical_coordinator_is_marked() {
    // The table of states: when the submission of a critical child fails, the bundle fails.
    let text = |critical: &str| SMALL.replace("name='c'", &format!("name='c' critical='{critical}'"));
    let is_critical = |text: &str| accepted(text, &[]).1.children[0].is_critical;
    assert!(!is_critical(SMALL));
    assert!(is_critical(&text("true")) && is_critical(&text("TRUE")));
    assert!(!is_critical(&text("yes")));
}
