//! Bundles beyond the recorded ones: places of findings, several faults at once, hostile input.

use ankus::analysis::parameters::{Given, JobConf, Layer};
use ankus::analysis::project::{Astray, Kind};
use ankus::diag::{Diagnostic, Stage};
use ankus::model::{self, App};
use ankus::plan::bundle::{Definition, Started, Submitted, alone, start, submit, submit_child};
use ankus::plan::coordinator::{IncludeError, PlanOptions, Settings};
use ankus::report::plan_bundle;
use ankus::source::Sources;
use ankus::time::ProcessingZone;
use ankus::xml;

/// Reads and submits a bundle.
fn submitted(text: &str, properties: &[(&str, &str)]) -> (Option<Submitted>, Vec<Diagnostic>) {
    let file = Sources::new().add("bundle.xml", text);
    let root = xml::read(file, text, &xml::Limits::default()).0.expect("well-formed");
    let Some(App::Bundle(bundle)) = model::lower(&root).0 else { panic!("no bundle") };
    let mut conf = JobConf::new();
    conf.set_all(&Layer::File, properties.iter().map(|(name, value)| Given::new(*name, *value)));
    submit(Definition { root: &root, text, model: &bundle }, conf, &[], ProcessingZone::UTC)
}

fn started(text: &str, properties: &[(&str, &str)]) -> (Submitted, Started) {
    let (found, findings) = submitted(text, properties);
    let found = found.unwrap_or_else(|| panic!("{findings:?}"));
    let started =
        start(&found, &|path| path.contains("gone").then(|| Astray::unknown(path, Kind::Coordinator)));
    (found, started)
}

/// A bundle around what stands in it.
fn around(inner: &str) -> String {
    format!("<bundle-app name='b' xmlns='uri:oozie:bundle:0.2'>{inner}</bundle-app>")
}

/// A coordinator with one property.
fn coordinator(name: &str, value: &str) -> String {
    format!(
        "<coordinator name='{name}'><app-path>/{name}</app-path><configuration><property><name>v</name>\
         <value>{value}</value></property></configuration></coordinator>"
    )
}

/// Rule, codes and the text under each finding.
fn told(text: &str, findings: &[Diagnostic]) -> Vec<(&'static str, Vec<&'static str>, String)> {
    let one = |it: &Diagnostic| (it.rule.name, it.oozie.clone(), text[it.span.range()].to_owned());
    findings.iter().map(one).collect()
}

#[test]
fn every_fault_is_told_at_its_place() {
    let text =
        around(&format!("{}{}", coordinator("a&amp;${x}", "1 ${y}\n${2 +}"), coordinator("b", "&lt;${z}")));
    let (found, findings) = submitted(&text, &[]);
    assert!(found.is_none());
    // The text does not parse, so nothing of it is evaluated.
    assert_eq!(findings[0].rule.name, "el-syntax");
    let text = text.replace("${2 +}", "${bundle:config('q')}");
    let (_, findings) = submitted(&text, &[("KB", "1")]);
    let codes = vec!["E1310", "E1004"];
    let expected = [
        ("property-reserved", vec!["E1310", "E0808"], "bundle-app".to_owned()),
        ("parameter-undefined", codes.clone(), "x".to_owned()),
        ("parameter-undefined", codes.clone(), "x".to_owned()),
        ("parameter-undefined", codes.clone(), "y".to_owned()),
        ("el-function-unknown", codes.clone(), "bundle:config('q')".to_owned()),
        ("parameter-undefined", codes, "z".to_owned()),
    ];
    assert_eq!(told(&text, &findings), expected);
}

#[test]
fn a_value_that_breaks_the_definition_is_blamed() {
    let text = around(&format!("{}{}", coordinator("a", "${ok}"), coordinator("b", "${bad} ${ok}")));
    let check = |bad: &str| {
        let (_, findings) = submitted(&text, &[("ok", "1"), ("bad", bad)]);
        assert_eq!(
            told(&text, &findings),
            [("value-breaks-xml", vec!["E1310", "E1301"], "${bad}".to_owned())],
            "{bad}"
        );
    };
    check("a&b<c");
    check("<x>");
    check("</value>");
    check("<!--");
    let (found, _) = submitted(&text, &[("ok", "1"), ("bad", "<![CDATA[<x>]]>")]);
    assert_eq!(found.expect("accepted").members[1].configuration.as_ref().expect("given")[0].value, "<x>");
}

#[test]
fn what_values_bring_along_becomes_part_of_the_bundle() {
    let text = around(&coordinator("a", "${x}"));
    let end = "</value></property></configuration></coordinator>";
    let value = format!(
        "1{end}<coordinator name=\"n\"><app-path>/n</app-path><configuration><property><name>q</name><value>2"
    );
    let (found, _) = submitted(&text, &[("x", &value)]);
    assert_eq!(found.expect("accepted").members.len(), 2);
}

#[test]
fn configurations_merge_and_name_their_layers() {
    let text = around(&format!(
        "{}{}",
        coordinator("a", "${v}-own"),
        "<coordinator name='g'><app-path>/gone</app-path></coordinator>"
    ));
    let (bundle, started) = started(&text, &[("v", "bundle"), ("user.name", "joe"), ("w", "${v}")]);
    let child = &started.children[0];
    assert_eq!(child.conf.get_raw("v"), Some("bundle-own"));
    let layers: Vec<_> = child.conf.steps("v").iter().map(|step| step.layer.clone()).collect();
    assert_eq!(layers, [Layer::File, Layer::Coordinator("a".to_owned())]);
    let span = child.conf.span("v").expect("a place");
    assert_eq!(&text[span.range()], "${v}-own");
    assert_eq!(child.conf.get_raw("w"), Some("bundle"));
    let error = started.error.as_ref().expect("the second one is missing");
    assert_eq!((error.oozie[0], error.stage), ("E1001", Some(Stage::Start)));
    assert_eq!(&text[error.span.range()], "/gone");
    let mut out = String::new();
    plan_bundle::begin(&bundle, ProcessingZone::UTC, &mut out);
    for (number, child) in started.children.iter().enumerate() {
        plan_bundle::child_begin(child, number == 0, &mut out);
        out.push_str("null");
        plan_bundle::child_end(&child.findings.iter().collect::<Vec<_>>(), &mut out);
    }
    plan_bundle::end(&started, &mut out);
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(value["coordinators"][0]["configuration"]["v"], "bundle-own");
    assert_eq!(value["coordinators"][1]["error"]["oozie"][0], "E1001");
    assert_eq!(value["error"]["rule"], "bundle-coordinator-missing");
    let mut out = String::new();
    plan_bundle::summary(&bundle, &started, ProcessingZone::UTC, &mut out);
    plan_bundle::child(&bundle, child, false, &mut out);
    let expected = "bundle b\n  starts at once\n  2 coordinators, 2 enabled\n  the start fails: `/gone` leads to no \
         coordinator of the project\n    a  enabled   /a\n    g  fails     /gone\n\na (enabled)\n  \
         oozie.coord.application.path = /a\n  v                            = bundle-own\n";
    assert_eq!(out, expected);
}

#[test]
fn some_faults_need_no_values() {
    let text = "<bundle-app name='b' xmlns='uri:oozie:bundle:0.2'><parameters><property><name> </name></property>\
         </parameters><controls><kick-off-time>soon</kick-off-time></controls><coordinator name='${a}' enabled='no'>\
         <app-path>/a</app-path></coordinator><coordinator name='${a}' enabled='1'><app-path>/a</app-path></coordinator>\
         <coordinator name='' enabled='false'><app-path>/a</app-path></coordinator></bundle-app>";
    let file = Sources::new().add("bundle.xml", text);
    let root = xml::read(file, text, &xml::Limits::default()).0.expect("well-formed");
    let Some(App::Bundle(bundle)) = model::lower(&root).0 else { panic!("no bundle") };
    let names: Vec<_> = alone(&bundle, ProcessingZone::UTC).iter().map(|found| found.rule.name).collect();
    let expected = [
        "parameter-name-empty",
        "bundle-coordinator-duplicate",
        "bundle-coordinator-name-empty",
        "bundle-kickoff-invalid",
        "bundle-all-disabled",
    ];
    assert_eq!(names, expected);
}

#[test]
fn a_coordinator_gets_what_its_bundle_hands_it() {
    let bundle = around(
        "<coordinator name='c-${env}'><app-path>/c</app-path><configuration><property><name>start</name>\
         <value>2024-01-0${n}T00:00Z</value></property></configuration></coordinator>",
    );
    let app = "<coordinator-app name='own' frequency='${coord:days(1)}' start='${start}' end='2024-01-04T00:00Z' \
         timezone='UTC' xmlns='uri:oozie:coordinator:0.4'><action><workflow><app-path>/w</app-path><configuration>\
         <property><name>q</name><value>${queue}/${low}/${start}</value></property></configuration></workflow></action>\
         </coordinator-app>";
    let (_, started) = started(&bundle, &[("env", "p"), ("n", "2"), ("start", "x"), ("queue", "high")]);
    let file = Sources::new().add("c.xml", app);
    let root = xml::read(file, app, &xml::Limits::default()).0.expect("well-formed");
    let Some(App::Coordinator(model)) = model::lower(&root).0 else { panic!("no coordinator") };
    let defaults = [Given::new("queue", "default"), Given::new("low", "l")];
    let mut includes = |path: &str| Err(IncludeError::Missing(path.to_owned()));
    let found = submit_child(&started.children[0], &model, &defaults, &Settings::default(), &mut includes);
    let job = found.job.unwrap_or_else(|| panic!("{:?}", found.findings));
    assert_eq!(&*job.name, "c-p");
    let actions: Vec<_> = job.actions(PlanOptions::default()).collect();
    let action = actions[0].as_ref().expect("an action");
    let configuration = action.configuration.as_ref().expect("a configuration");
    let found: Vec<_> = configuration.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!((actions.len(), found), (2, vec![("q", "high/l/2024-01-02T00:00Z")]));
}

/// Runs on a small stack.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(test).expect("a thread");
    thread.join().expect("it ends well");
}

#[test]
fn deep_and_large_input_is_planned_on_a_small_stack() {
    on_a_small_stack(|| {
        let deep = format!("{}x{}", "<q>".repeat(190), "</q>".repeat(190));
        let (found, _) = submitted(&around(&coordinator("a", &deep)), &[]);
        assert!(found.is_some());
        let many: String = (0..2_000).map(|number| coordinator(&format!("c{number}"), "${v}")).collect();
        let mut conf: Vec<(String, String)> =
            (0..200).map(|number| (format!("p{number}"), format!("${{p{}}}", number + 1))).collect();
        conf.push(("v".to_owned(), "x".repeat(1_000)));
        let conf: Vec<_> = conf.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let (found, findings) = submitted(&around(&many), &conf);
        assert!(found.is_none());
        assert!(findings.iter().all(|found| found.rule.name == "property-cycle"));
        let (_, started) = started(&around(&many), &conf[200..]);
        assert_eq!(started.children.len(), 2_000);
    });
}
