//! What a submission is told of its properties: the app's path, formal parameters, names of constants, and what is not
//! used or missing.

use super::*;
use crate::analysis::project::{Astray, Kind, Why};
use crate::analysis::testing::{self, line};
use crate::diag::Diagnostic;
use crate::model::App;
use crate::properties;
use crate::source::{Sources, Span};

/// The configuration that a properties file gives.
fn conf(text: &str) -> JobConf {
    let file = Sources::new().add("job.properties", text);
    let mut conf = JobConf::new();
    conf.set_all(&Layer::File, given(&properties::read(file, text).0));
    conf
}

/// Where that goes which stands nowhere.
fn place() -> Span {
    Span::new(Sources::new().add("x", ""), 900..901)
}

fn lines(found: &[Diagnostic]) -> Vec<String> {
    found.iter().map(line).collect()
}

fn workflow(version: &str, parameters: &str, message: &str) -> App {
    testing::app(&format!(
        "<workflow-app xmlns='uri:oozie:workflow:{version}' name='w'><parameters>{parameters}</parameters>\
         <start to='k'/><kill name='k'><message>{message}</message></kill><end name='e'/></workflow-app>"
    ))
}

#[test]
fn java_and_xml_trim_differently() {
    assert_eq!(java_trim("\u{1} \u{b}a b\u{a0}\n"), "a b\u{a0}");
    assert_eq!(xml_trim("\t\r\n a b\u{b} "), "a b\u{b}");
}

#[test]
fn kinds_of_apps_have_properties_and_files() {
    let found = AppKind::ALL.map(|kind| [kind.property(), kind.default_file(), kind.definition_file()]);
    assert_eq!(
        found,
        [
            ["oozie.wf.application.path", "config-default.xml", "workflow.xml"],
            ["oozie.coord.application.path", "coord-config-default.xml", "coordinator.xml"],
            ["oozie.bundle.application.path", "bundle-config-default.xml", "bundle.xml"],
        ]
    );
}

#[test]
fn a_submission_names_one_app() {
    let check = |conf: &JobConf, path: Option<(AppKind, &str)>, expected: &[&str]| {
        let (found, findings) = app_path(conf, place());
        assert_eq!(found, path.map(|(kind, path)| (kind, path.to_owned())));
        assert_eq!(lines(&findings), expected);
    };
    check(&conf("a=1"), None, &[]);
    let one = conf("nn=hdfs://n\noozie.coord.application.path=${nn}/c");
    check(&one, Some((AppKind::Coordinator, "hdfs://n/c")), &[]);
    let two = conf("oozie.bundle.application.path=/b\noozie.wf.application.path=/w");
    check(
        &two,
        Some((AppKind::Workflow, "/w")),
        &["error app-path-conflict submit E0302 E0404 33..61: `oozie.wf.application.path` and \
         `oozie.bundle.application.path` are given together \
         | 0..32: `oozie.bundle.application.path` stands here > keep the one of the app that is meant"],
    );
    let mut three = two;
    three.set(Layer::Server, Given::new("oozie.coord.application.path", "/c"));
    check(
        &three,
        Some((AppKind::Workflow, "/w")),
        &["error app-path-conflict submit E0302 E0404 33..61: `oozie.wf.application.path` and \
         `oozie.coord.application.path` and `oozie.bundle.application.path` are given together \
         | 900..901: `oozie.coord.application.path` stands here \
         | 0..32: `oozie.bundle.application.path` stands here > keep the one of the app that is meant"],
    );
}

#[test]
fn a_path_that_leads_astray_is_weighed_by_what_is_known() {
    let check = |why: Why, expected: &str| {
        let astray = super::astray(&Astray { why, ..Astray::unknown("/a", Kind::Workflow) }, place());
        let rest = "900..901: `/a` leads to no workflow of the project \
                    > correct the path, or map it under `[paths]` in ankus.toml";
        assert_eq!(line(&astray), format!("{expected} {rest}"));
    };
    check(Why::Absent, "error app-path-missing action");
    check(Why::OtherKind, "error app-path-missing action E0701");
    check(Why::Several, "warning app-path-missing -");
    check(Why::Outside, "warning app-path-missing -");
    check(Why::Beside, "warning app-path-missing -");
    check(Why::Unknown, "info app-path-missing -");
}

#[test]
fn formal_parameters_give_defaults_or_are_missed() {
    let check = |version: &str, expected: &[(&str, &str)], findings: &[&str]| {
        let App::Workflow(app) = workflow(
            version,
            "<property><name> a </name><value>0</value></property>\
             <property><name>b</name><value> 2 </value></property>\
             <property><name>c</name><value/></property>\
             <property><name>d</name></property>\
             <property><name>  </name><value>3</value></property>\
             <property><name>e</name></property>",
            "",
        ) else {
            panic!("no workflow")
        };
        let mut conf = conf("a=1\ne=5");
        let found = verify(&mut conf, &app.namespace.value, &app.parameters);
        assert_eq!(conf.iter().collect::<Vec<_>>(), expected, "{version}");
        assert_eq!(lines(&found), findings, "{version}");
        let first: Vec<_> = conf.steps("a").iter().map(|step| &*step.value).collect();
        assert_eq!(first, if version == "0.5" { vec!["0", "1"] } else { vec!["1"] });
    };
    check(
        "0.5",
        &[("a", "1"), ("b", "2"), ("c", ""), ("e", "5")],
        &[
            "error parameter-undefined submit E0738 231..232: the formal parameter `d` has no default and is not supplied \
         > supply it with `-D d=…` or a property file, or give it a default",
            "error parameter-name-empty submit E0739 250..302: a formal parameter has no name",
        ],
    );
    check("0.3", &[("a", "1"), ("e", "5")], &[]);
}

#[test]
fn an_undefined_variable_is_told_with_the_nearest_name() {
    let check = |text: &str, expected: &str| {
        assert_eq!(line(&undefined(&conf(text), "nameNode", place(), &["E0803"])), expected);
    };
    check(
        "jobTracker=x",
        "error parameter-undefined submit E0803 900..901: `nameNode` has no value \
         > supply it with `-D nameNode=…` or a property file",
    );
    check(
        "namenode=x",
        "error parameter-undefined submit E0803 900..901: `nameNode` has no value \
         > did you mean `namenode`? Else supply it with `-D nameNode=…` or a property file",
    );
}

#[test]
fn names_of_constants_are_refused() {
    let given = |names: &[&str]| names.iter().map(|name| Given::new(*name, "1")).collect::<Vec<_>>();
    let names = given(&["a", "KB", "GROUPS", "YEAR", "MINUTE", "MINUTES", "user.name", "kb"]);
    let mut conf = JobConf::new();
    conf.set_all(&Layer::File, names.clone());
    let check = |kind: AppKind, expected: &[&str]| {
        let constant = |name: &&str| {
            format!(
                "error property-reserved submit E0808 900..901: `{name}` is the name of a constant \
                 > choose another name for the property"
            )
        };
        let mut expected: Vec<_> = expected.iter().map(constant).collect();
        assert_eq!(lines(&check_user(kind, &conf, place())), expected, "{kind:?}");
        expected.push(
            "error property-reserved submit E0808 900..901: `user.name` may not be set here \
             > remove it; the user comes with the submission"
                .to_owned(),
        );
        let mut found = lines(&check_default_file(kind, &names, place()));
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{kind:?}");
    };
    check(AppKind::Workflow, &["GROUPS", "KB", "MINUTES"]);
    check(AppKind::Coordinator, &["GROUPS", "KB", "MINUTE", "MINUTES", "YEAR"]);
    check(AppKind::Bundle, &["GROUPS", "KB", "MINUTE", "MINUTES", "YEAR"]);
    let found = check_default_file(AppKind::Bundle, &given(&[" mapreduce.job.user.name "]), place());
    assert_eq!(
        lines(&found),
        ["error property-reserved submit E0808 900..901: `mapreduce.job.user.name` may not be set here \
         > remove it; the user comes with the submission"]
    );
    let found = check_user(AppKind::Workflow, &self::conf("x=1\nTB=2"), place());
    assert_eq!(
        lines(&found),
        ["error property-reserved submit E0808 4..8: `TB` is the name of a constant \
         > choose another name for the property"]
    );
}

#[test]
fn keys_that_nothing_reads_are_told() {
    let mut sources = Sources::new();
    let text = "oozie.wf.application.path=/w\nused=1\nleft=2\ndotted.key=3\ninner=4\nouter=${inner}\nover=5\n\
                bydefault=6\n\u{FEFF}marked=7";
    let [own, other] = [("a.properties", text), ("b.properties", "foreign=1")].map(|(path, text)| {
        let file = sources.add(path, text);
        given(&properties::read(file, text).0)
    });
    let mut conf = JobConf::new();
    conf.set_all(&Layer::File, own.clone());
    conf.set_all(&Layer::File, other.clone());
    conf.set(Layer::Definition, Given::new("over", "6"));
    let check = |conf: &JobConf, message: &str, expected: &[&str]| {
        let apps = [workflow("0.5", "", "${used}"), workflow("0.5", "", message)];
        let defaults = [Given::new("x", "${bydefault}"), Given::new("y", "left")];
        assert_eq!(lines(&unused(conf, apps.iter(), defaults.iter())), expected, "{message}");
    };
    let told = |key: &str, at: &str| {
        format!("info property-unused - {at}: no definition reads `{key}` > remove it, or read it")
    };
    check(&conf, "${outer}", &[&told("left", "36..42")]);
    check(&conf, "x", &[&told("left", "36..42"), &told("outer", "64..78")]);
    check(&conf, "${left} ${wf:conf('outer')}", &[]);
    // Any name may be asked for.
    check(&conf, "${wf:conf(used)}", &[]);
    // Which file is that of the program is not known.
    let mut without = JobConf::new();
    without.set_all(&Layer::File, own.into_iter().skip(1).chain(other));
    check(&without, "x", &[]);
    without.set(Layer::Server, Given::new("oozie.wf.application.path", "/w"));
    check(&without, "x", &[]);
}

#[test]
fn variables_are_used_in_the_order_of_the_app() {
    let app = workflow("0.5", "", "${b} ${a + b} ${KB} ${wf:id()} ${b}");
    let found: Vec<_> = used(&app)
        .into_iter()
        .map(|(name, found)| format!("{name} {:?} {:?} {}", found.place, found.codes, found.spans.len()))
        .collect();
    assert_eq!(found, ["b WorkflowNode [] 3", "a WorkflowNode [] 1"]);
}

#[test]
fn what_is_missing_is_told_once() {
    let check = |app: &App, text: &str, is_complete: bool, expected: &[&str]| {
        assert_eq!(lines(&missing(app, &conf(text), is_complete)), expected);
    };
    let app = workflow("0.5", "<property><name> formal </name></property>", "${a}${given}${formal}${a}");
    check(
        &app,
        "given=1",
        true,
        &["error parameter-undefined action 162..163: `a` has no value | 183..184: used here too \
         > supply it with `-D a=…` or a property file"],
    );
    check(
        &app,
        "given=1",
        false,
        &["info parameter-undefined - 162..163: `a` must be supplied | 183..184: used here too \
         > supply it with `-D a=…` or a property file"],
    );
    check(&app, "a=1\ngiven=2", true, &[]);
    let supplied = "supply it with `-D";
    // Older apps have no formal parameters.
    let old = workflow("0.3", "<property><name>formal</name></property>", "${formal}");
    check(
        &old,
        "",
        true,
        &[&format!(
            "error parameter-undefined action 160..166: `formal` has no value \
         > {supplied} formal=…` or a property file"
        )],
    );
    let near = workflow("0.5", "<property><name> formal </name></property>", "${formel}");
    check(
        &near,
        "",
        true,
        &["error parameter-undefined action 162..168: `formel` has no value > did you mean `formal`?"],
    );
    let often = workflow("0.5", "", &"${nameNode}".repeat(8));
    check(
        &often,
        "namenode=1",
        true,
        &["error parameter-undefined action 120..128: `nameNode` has no value | 131..139: used here too \
         | 142..150: used here too | 153..161: used here too | 164..172: used here too | 175..183: used here too \
         > did you mean `namenode`?"],
    );
    let coordinator = testing::app(
        "<coordinator-app xmlns='uri:oozie:coordinator:0.4' name='c' frequency='${f}' start='2024-01-01T00:00Z' \
         end='2024-01-02T00:00Z' timezone='UTC'><parameters><property><name>f</name></property></parameters>\
         <action><workflow><app-path>${path}</app-path></workflow></action></coordinator-app>",
    );
    check(
        &coordinator,
        "",
        true,
        &[&format!(
            "error parameter-undefined submit E1004 232..236: `path` has no value > {supplied} path=…` or a property file"
        )],
    );
    let bundle = testing::app(
        "<bundle-app xmlns='uri:oozie:bundle:0.2' name='b'><parameters><property><name>f</name></property>\
         </parameters><coordinator name='${f}'><app-path>${path}</app-path></coordinator></bundle-app>",
    );
    check(
        &bundle,
        "",
        true,
        &[&format!(
            "error parameter-undefined submit E1310 E1004 147..151: `path` has no value \
         > {supplied} path=…` or a property file"
        )],
    );
    let datasets = testing::app(
        "<datasets><dataset name='d' frequency='${f}' initial-instance='2024-01-01T00:00Z' timezone='UTC'>\
         <uri-template>/d</uri-template></dataset></datasets>",
    );
    check(
        &datasets,
        "",
        true,
        &[&format!(
            "error parameter-undefined submit E1004 41..42: `f` has no value > {supplied} f=…` or a property file"
        )],
    );
}
