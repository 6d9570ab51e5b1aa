//! What each version of Oozie has, as `--oozie-version` sees it: one table of parts with the version that brought each.

use crate::support::ankus;
use ankus::el;
use ankus::model::RootKind;
use ankus::model::functions::{self, Phase};
use ankus::schema::{self, Version};
use ankus::source::{Sources, Span, Text};
use ankus::xml::{self, Limits};

fn workflow(namespace: &str, action: &str, attributes: &str) -> String {
    format!(
        "<workflow-app name='w' xmlns='uri:oozie:workflow:{namespace}'><start to='a'/><action name='a'{attributes}>\
         {action}<ok to='e'/><error to='e'/></action><end name='e'/></workflow-app>"
    )
}

fn email(parts: &str) -> String {
    format!("<email xmlns='uri:oozie:email-action:0.2'><to>a@b</to>{parts}</email>")
}

fn findings(text: &str, version: &str) -> Vec<String> {
    let file = Sources::new().add("x.xml", text);
    let root = xml::read(file, text, &Limits::default()).0.expect("it is XML");
    let kind = RootKind::of(&root.name.local).and_then(RootKind::schema).expect("a definition");
    let version = Version::new(version).expect("a version");
    let found = schema::check_for(&root, text, kind, version);
    found.into_iter().map(|finding| format!("{}: {}", finding.rule.name, finding.message)).collect()
}

/// Accepted from `since` on, refused by all before.
fn comes_with(since: &str, text: &str) {
    for version in Version::ALL.map(|version| version.to_string()) {
        let found = findings(text, &version);
        let has = Version::new(&version) >= Version::new(since);
        assert_eq!(found.is_empty(), has, "{version}: {text}\n{found:?}");
    }
}

#[test]
fn namespaces_come_with_their_versions() {
    let fs = "<fs><mkdir path='hdfs://nn/a'/></fs>";
    for (namespace, since) in
        [("0.1", "3.3"), ("0.4", "3.3"), ("0.4.5", "4.1"), ("0.5", "4.0"), ("1.0", "5.0")]
    {
        comes_with(since, &workflow(namespace, fs, ""));
    }
    let ends = "<job-tracker>j</job-tracker><name-node>n</name-node>";
    for (name, part, since) in [
        ("shell-action:0.2", "shell", "3.3"),
        ("shell-action:0.3", "shell", "4.0"),
        ("shell-action:1.0", "shell", "5.0"),
    ] {
        let action = format!("<{part} xmlns='uri:oozie:{name}'>{ends}<exec>x</exec></{part}>");
        comes_with(since, &workflow("0.4", &action, ""));
    }
    let git = "<git xmlns='uri:oozie:git-action:1.0'><resource-manager>r</resource-manager><name-node>n</name-node>\
         <git-uri>g</git-uri><destination-uri>d</destination-uri></git>";
    comes_with("5.1", &workflow("0.4", git, ""));
    let spark = format!(
        "<spark xmlns='uri:oozie:spark-action:0.1'>{ends}<master>m</master><name>n</name><jar>j</jar></spark>"
    );
    comes_with("4.2", &workflow("0.4", &spark, ""));
}

#[test]
fn parts_of_schemas_come_with_their_versions() {
    let fs = "<fs><mkdir path='hdfs://nn/a'/></fs>";
    comes_with("4.1", &workflow("0.4", &email("<subject>s</subject><body>b</body>"), ""));
    comes_with(
        "4.2",
        &workflow("0.4", &email("<subject>s</subject><body>b</body><attachment>x</attachment>"), ""),
    );
    comes_with("4.3", &workflow("0.4", &email("<bcc>c@d</bcc><subject>s</subject><body>b</body>"), ""));
    comes_with("4.3", &workflow("0.5", fs, " retry-policy='periodic'"));
    comes_with("4.3", &workflow("0.5", "<fs><delete path='hdfs://nn/a' skip-trash='true'/></fs>", ""));
    comes_with("5.0", &workflow("0.5", "<fs><setrep path='hdfs://nn/a' replication-factor='2'/></fs>", ""));
    let bundle = |name: &str, more: &str| {
        format!(
            "<bundle-app name='b' xmlns='uri:oozie:bundle:0.2'><coordinator name='{name}'{more}>\
             <app-path>x</app-path></coordinator></bundle-app>"
        )
    };
    comes_with("3.3", &bundle("c", ""));
    comes_with("4.2", &bundle("${c}", ""));
    comes_with("4.3", &bundle("c", " enabled='true'"));
}

#[test]
fn functions_come_with_their_versions() {
    let check = |text: &str, phase: Phase, since: &str, rule: &str| {
        let file = Sources::new().add("x", text);
        let (template, _) = el::parse(&Text::verbatim(text, Span::new(file, 0..text.len())));
        for version in Version::ALL {
            let found = functions::check_for(&template, phase, version);
            let rules: Vec<&str> = found.iter().map(|finding| finding.rule.name).collect();
            let has = Some(version) >= Version::new(since);
            let expected: &[&str] = if has { &[] } else { &[rule] };
            assert_eq!(rules, expected, "{version}: {text}");
        }
    };
    check("${hcat:exists('x')}", Phase::Workflow, "4.0", "el-function-unknown");
    check("${hadoop:conf('a', 'b')}", Phase::Workflow, "4.1", "el-function-unknown");
    check("${wf:conf('a')}", Phase::Workflow, "3.3", "");
    check("${coord:absolute('x')}", Phase::CoordJobSubmitInstances, "4.1", "el-function-unknown");
    check("${coord:epochTime('x', 'y')}", Phase::CoordJobSubmitData, "4.3", "el-function-unknown");
    check("${coord:dateOffset('x', 1, 'DAY')}", Phase::CoordJobSubmitData, "3.3", "");
    check("${coord:dateOffset('x', 1, 'DAY')}", Phase::CoordSlaSubmit, "4.1", "el-function-context");
    check("${coord:endOfMonths(1)}", Phase::CoordJobSubmitFreq, "3.3", "");
    check("${coord:endOfMonths(1)}", Phase::CoordJobSubmitInstances, "5.0", "el-function-context");
    check("${bundle:conf('x')}", Phase::BundleSubmit, "4.3", "el-function-unknown");
}

#[test]
fn the_command_line_takes_a_version() {
    let eval = |version: &str, template: &str| {
        let run = ankus(&["eval", "--oozie-version", version, "-D", "a=5", template]);
        if run.code == 0 { run.out.trim_end().to_owned() } else { run.err }
    };
    assert_eq!(eval("5.2", "#{a}"), "5");
    assert_eq!(eval("5.1", "#{a}"), "#{a}");
    assert_eq!(eval("4.3.1", r"\${a}"), r"\5");
    assert!(eval("4.0", "${hadoop:conf('a', 'b')}").contains("came with 4.1"));
    // A plan evaluates as that version does.
    let plan = |version: &str| {
        let path = "fixtures/versions/older-engine";
        ankus(&["plan", "--oozie-version", version, "-D", "a=5", "--format", "json", path])
    };
    assert!(plan("5.1").out.contains(r"hdfs://nn/5/#{a}/\\5"), "{}", plan("5.1").out);
    assert!(plan("5.2").out.contains("el-syntax"), "{}", plan("5.2").out);
    let unknown = ankus(&["eval", "--oozie-version", "2.0", "x"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("3.3, 4.0, 4.1, 4.2, 4.3, 5.0, 5.1, 5.2"), "{}", unknown.err);
}
