//! What is said about a definition that breaks its schema, and what the offered edits do to it.

use crate::support;
use std::fmt::Write as _;

use ankus::diag::{Diagnostic, Edit};
use ankus::schema::{Kind, Version, check, check_for};
use ankus::source::Sources;
use ankus::xml::{Limits, read};

/// A wrong definition for each kind of fault. `WF…` and `CO…` are put into a frame; anything else is the whole document.
const CASES: &[(&str, &str)] = &[
    ("an element is missing", "WF05 <action name='a'><fs/><ok to='e'/></action>"),
    ("several are missing", "WF05 <action name='a'/>"),
    (
        "one of a choice is missing",
        "WF05 <action name='a'><sqoop xmlns='uri:oozie:sqoop-action:0.4'/><ok to='e'/><error to='e'/></action>",
    ),
    ("a choice of sequences is missing", "CO05 <input-events><data-in name='i' dataset='d'/></input-events>"),
    (
        "half a range",
        "CO05 <input-events><data-in name='i' dataset='d'><start-instance>x</start-instance></data-in></input-events>",
    ),
    ("one path in a fork", "WF05 <fork name='f'><path start='a'/></fork>"),
    (
        "wrong order",
        "WF05 <action name='a'><shell xmlns='uri:oozie:shell-action:0.3'>\n <file>f</file>\n <argument>x</argument>\n <exec>e</exec>\n</shell><ok to='e'/><error to='e'/></action>",
    ),
    ("two swapped", "WF05 <action name='a'><fs/><error to='e'/><ok to='e'/></action>"),
    (
        "end before the actions",
        "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'>\n <start to='a'/>\n <end name='e'/>\n <action name='a'><fs/><ok to='e'/><error to='e'/></action>\n</workflow-app>",
    ),
    (
        "wrong order and something missing",
        "WF05 <action name='a'><email xmlns='uri:oozie:email-action:0.1'><body>b</body><to>t</to></email><ok to='e'/><error to='e'/></action>",
    ),
    (
        "twice",
        "WF05 <action name='a'><pig><name-node>n</name-node><name-node>n</name-node><script>s</script></pig><ok to='e'/><error to='e'/></action>",
    ),
    (
        "beside its alternative",
        "WF05 <action name='a'><sqoop xmlns='uri:oozie:sqoop-action:0.4'><command>c</command><arg>a</arg></sqoop><ok to='e'/><error to='e'/></action>",
    ),
    ("misspelt", "WF05 <action name='a'><fs></fs><ok to='e'/><eror to='e'></eror></action>"),
    (
        "misspelt inside",
        "CO05 <input-event><data-in name='i' dataset='d'><instanc>x</instanc></data-in></input-event>",
    ),
    (
        "misspelt action",
        "WF05 <action name='a'><shel xmlns='uri:oozie:shell-action:0.3'><exec>e</exec></shel><ok to='e'/><error to='e'/></action>",
    ),
    ("something else instead", "WF05 <action name='a'><fs/><then to='e'/><error to='e'/></action>"),
    ("unknown", "WF05 <note/>"),
    ("after the end of a type", "WF05 <kill name='k'><message>m</message><cause/></kill>"),
    (
        "text among elements",
        "WF05 <action name='a'>\n  stray text\n  <fs/><ok to='e'/><error to='e'/></action>",
    ),
    ("blank in an empty element", "WF05 <join name='j' to='e'> </join>"),
    ("element in an empty element", "WF05 <join name='j' to='e'><x/></join>"),
    ("element in text", "WF05 <kill name='k'><message>a <b>bold</b> word</message></kill>"),
    ("attribute missing", "WF05 <join/>"),
    ("attribute unknown", "WF05 <join name='j' to='e' note='x'/>"),
    ("attribute misspelt", "WF05 <join nam='j' to='e'/>"),
    ("attribute of another kind", "WF05 <join name='j' to='e' xml:lang='en'/>"),
    ("name with a blank", "WF05 <join name='a b' to='${next}'/>"),
    ("empty name", "WF05 <join name='' to='e'/>"),
    (
        "expression for a boolean",
        "WF05 <action name='a'><fs><delete path='/x' skip-trash='${skip}'/></fs><ok to='e'/><error to='e'/></action>",
    ),
    (
        "expression for a number",
        "WF10 <action name='a'><java><launcher><vcores>${n}</vcores></launcher><main-class>c</main-class></java><ok to='e'/><error to='e'/></action>",
    ),
    (
        "feature of a later schema",
        "<workflow-app xmlns='uri:oozie:workflow:0.3' name='w'>\n <parameters><property><name>a</name></property></parameters>\n <global/>\n <start to='e'/>\n <end name='e'/>\n</workflow-app>",
    ),
    (
        "attribute of a later schema",
        "<workflow-app xmlns='uri:oozie:workflow:0.2' name='w'><start to='a'/><action name='a' retry-max='1'><fs/><ok to='e'/><error to='e'/></action><end name='e'/></workflow-app>",
    ),
    (
        "feature of an earlier schema",
        "WF10 <action name='a'><fs><setrep path='/x' replication-factor='2'/></fs><ok to='e'/><error to='e'/></action>",
    ),
    (
        "feature of a later action schema",
        "WF05 <action name='a'><hive xmlns='uri:oozie:hive-action:0.4'><script>s</script><argument>a</argument></hive><ok to='e'/><error to='e'/></action>",
    ),
    (
        "service level of a later schema",
        "<workflow-app xmlns='uri:oozie:workflow:0.4' name='w' xmlns:sla='uri:oozie:sla:0.2'><start to='e'/><end name='e'/><sla:info><sla:nominal-time>n</sla:nominal-time><sla:should-end>e</sla:should-end></sla:info></workflow-app>",
    ),
    (
        "feature that another fault hides",
        "<workflow-app xmlns='uri:oozie:workflow:0.3' name='w'><global/><start to='e'/><stop name='e'/></workflow-app>",
    ),
    ("no namespace", "<workflow-app name='w'>\n <start to='e'/>\n <end name='e'/>\n</workflow-app>"),
    (
        "no namespace and a fault",
        "<coordinator-app name='w' frequency='1' start='s' end='e'><action><workflow><app-path/></workflow></action></coordinator-app>",
    ),
    (
        "version that does not exist",
        "<workflow-app xmlns='uri:oozie:workflow:0.6' name='w'><start to='e'/><end name='e'/></workflow-app>",
    ),
    (
        "misspelt namespace",
        "<workflow-app xmlns='uri:oozie:worflow:0.5' name='w'><start to='e'/><end name='e'/></workflow-app>",
    ),
    (
        "action without its namespace",
        "WF05 <action name='a'><shell><exec>e</exec></shell><ok to='e'/><error to='e'/></action>",
    ),
    (
        "action of a version that does not exist",
        "WF05 <action name='a'><hive xmlns='uri:oozie:hive-action:0.7'><script>s</script></hive><ok to='e'/><error to='e'/></action>",
    ),
    (
        "extension action",
        "WF05 <action name='a'><job xmlns='urn:ours'><x/></job><ok to='e'/><error to='e'/></action>",
    ),
    (
        "child in the wrong namespace",
        "WF05 <action name='a'><fs/><ok xmlns='' to='e'/><error to='e'/></action>",
    ),
    (
        "children without the prefix",
        "<w:workflow-app xmlns:w='uri:oozie:workflow:0.5' name='w'><start to='e'/><end name='e'/></w:workflow-app>",
    ),
    (
        "unknown root",
        "<workflow-ap xmlns='uri:oozie:workflow:0.5' name='w'><start to='e'/><end name='e'/></workflow-ap>",
    ),
    (
        "bundle order",
        "<bundle-app xmlns='uri:oozie:bundle:0.1' name='b'><coordinator name='${n}' enabled='true'><configuration><property><value>v</value><name>n</name></property></configuration><app-path>p</app-path></coordinator></bundle-app>",
    ),
    ("input logic below its version", "CO04 <input-logic><or><data-in dataset='a'/></or></input-logic>"),
    (
        "many faults at once",
        "WF05 <action nam='a'><fs><mkdir/></fs><ok to='e'/></action><decision name='d'><switch><default to='e'/></switch></decision><fork name='f'><path start='1'/><path to='x'/></fork>",
    ),
];

fn document(case: &str) -> (Kind, String) {
    let coordinator = |version: &str, body: &str| {
        format!(
            "<coordinator-app xmlns='uri:oozie:coordinator:{version}' name='c' frequency='1' start='s' end='e' timezone='UTC'>\n{}\n<action><workflow><app-path>p</app-path></workflow></action></coordinator-app>\n",
            body.trim()
        )
    };
    let workflow = |version: &str, body: &str| {
        format!(
            "<workflow-app xmlns='uri:oozie:workflow:{version}' name='w'><start to='a'/>\n{}\n<end name='e'/></workflow-app>\n",
            body.trim()
        )
    };
    match case.split_at(4) {
        ("WF05", body) => (Kind::Workflow, workflow("0.5", body)),
        ("WF10", body) => (Kind::Workflow, workflow("1.0", body)),
        ("CO05", body) => (Kind::Coordinator, coordinator("0.5", body)),
        ("CO04", body) => (Kind::Coordinator, coordinator("0.4", body)),
        ("<coo", _) => (Kind::Coordinator, case.to_owned()),
        ("<bun", _) => (Kind::Bundle, case.to_owned()),
        _ => (Kind::Workflow, case.to_owned()),
    }
}

fn findings(kind: Kind, text: &str) -> (Sources, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.add("case.xml", text);
    let (root, found) = read(file, text, &Limits::default());
    let root = root.unwrap_or_else(|| panic!("{found:?}\n{text}"));
    let findings = check(&root, text, kind);
    (sources, findings)
}

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut out = String::new();
    let mut done = 0;
    for edit in edits {
        let range = edit.span.range();
        assert!(range.start >= done, "edits overlap");
        out.push_str(&text[done..range.start]);
        out.push_str(&edit.text);
        done = range.end;
    }
    out.push_str(&text[done..]);
    out
}

/// A fix takes its finding away, brings none, and leaves XML.
fn hold_fixes(kind: Kind, text: &str, before: &[Diagnostic], name: &str) -> usize {
    let mut fixes = 0;
    for finding in before {
        let Some(fix) = &finding.fix else { continue };
        fixes += 1;
        let after = apply(text, &fix.edits);
        let (_, left) = findings(kind, &after);
        let count = |list: &[Diagnostic]| {
            list.iter()
                .filter(|one| one.rule.name == finding.rule.name && one.message == finding.message)
                .count()
        };
        let words = || left.iter().map(|one| one.message.as_str()).collect::<Vec<_>>();
        assert!(count(&left) < count(before), "{name}: `{}` stays\n{after}", finding.message);
        assert!(
            left.len() < before.len(),
            "{name}: `{}` brings others: {:?}\n{after}",
            finding.message,
            words()
        );
    }
    fixes
}

#[test]
fn words() {
    let mut out = String::new();
    for (name, case) in CASES {
        let (kind, text) = document(case);
        let (sources, found) = findings(kind, &text);
        assert!(!found.is_empty(), "{name} is no fault");
        writeln!(out, "# {name}\n").unwrap();
        let place = |span: ankus::source::Span| {
            let at = sources.position(span.file, span.start);
            format!("{}:{} `{}`", at.line, at.column, text[span.range()].replace('\n', "⏎"))
        };
        for line in text.lines() {
            writeln!(out, "    {line}").unwrap();
        }
        for finding in &found {
            writeln!(out, "\n{}: {}\n  at {}", finding.rule.name, finding.message, place(finding.span))
                .unwrap();
            assert_eq!(finding.oozie, ["E0701"]);
            for label in &finding.labels {
                writeln!(out, "  and {}: {}", place(label.span), label.message).unwrap();
            }
            if let Some(help) = &finding.help {
                writeln!(out, "  help: {help}").unwrap();
            }
            if let Some(fix) = &finding.fix {
                writeln!(out, "  fix{}:", if fix.safe { "" } else { " (to be looked at)" }).unwrap();
                let after = apply(&text, &fix.edits);
                let before: Vec<&str> = text.lines().collect();
                for line in after.lines().filter(|line| !before.contains(line)) {
                    writeln!(out, "    {line}").unwrap();
                }
            }
        }
        hold_fixes(kind, &text, &found, name);
        out.push('\n');
    }
    support::expect_file(&support::root().join("snapshots/schema/words.txt"), &out)
        .unwrap_or_else(|e| panic!("{e}"));
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn fixes_of_the_recorded_cases_mend_what_they_say() {
    let path = support::reference("oracle/schema/cases.jsonl");
    let mut fixes = 0;
    for line in std::fs::read_to_string(path).expect("the cases are there").lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("a case is JSON");
        let kind = match case["kind"].as_str() {
            Some("workflow") => Kind::Workflow,
            Some("coordinator") => Kind::Coordinator,
            _ => Kind::Bundle,
        };
        let text = case["xml"].as_str().expect("a text");
        if case["valid"] == false {
            let (_, found) = findings(kind, text);
            fixes += hold_fixes(kind, text, &found, &format!("{} {}", case["id"], case["about"]));
        }
    }
    assert!(fixes > 500, "{fixes} fixes");
}

#[test]
fn an_older_server_knows_fewer_schemas() {
    let text =
        "<workflow-app xmlns='uri:oozie:workflow:1.0' name='w'><start to='e'/><end name='e'/></workflow-app>";
    let file = Sources::new().add("w.xml", text);
    let root = read(file, text, &Limits::default()).0.expect("it is read");
    let at = |version| check_for(&root, text, Kind::Workflow, Version::new(version).expect("a version"));
    assert!(at("5.2").is_empty() && at("5.0.0").is_empty());
    let found = at("4.3.1");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].rule.name, "schema-unknown-namespace");
    assert_eq!(found[0].help.as_deref(), Some("name the namespace `uri:oozie:workflow:0.5`"));
    assert!(Version::new("5").is_none() && Version::new("2.0").is_none() && Version::new("5.x").is_none());
}

#[test]
fn deep_and_long_documents_are_checked_on_a_small_stack() {
    let work = || {
        let deep = Limits::default().depth - 10;
        let (and, end) = ("<and>".repeat(deep), "</and>".repeat(deep));
        let frame = |inner: &str| {
            format!(
                "<coordinator-app xmlns='uri:oozie:coordinator:0.5' name='c' frequency='1' start='s' end='e' timezone='t'><input-logic>{inner}</input-logic><action><workflow><app-path/></workflow></action></coordinator-app>"
            )
        };
        assert_eq!(findings(Kind::Coordinator, &frame(&format!("{and}{end}"))).1.len(), 0);
        assert_eq!(findings(Kind::Coordinator, &frame(&format!("{and}<x/>{end}"))).1.len(), 1);
        let long = format!(
            "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><start to='a'/>{}</workflow-app>",
            "<x/>".repeat(20_000)
        );
        let found = findings(Kind::Workflow, &long).1;
        assert!(found.last().is_some_and(|last| last.message.contains("only the first")), "{}", found.len());
    };
    std::thread::Builder::new()
        .stack_size(512 << 10)
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("no overflow");
}

#[test]
fn the_engine_can_be_chosen() {
    let folder = support::folder_of(
        "schema-engine",
        &[
            (
                "good/workflow.xml",
                "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><start to='e'/><end name='e'/></workflow-app>",
            ),
            (
                "bad/workflow.xml",
                "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><start to='e'/><stop name='e'/></workflow-app>",
            ),
        ],
    );
    let check = |engine: &str, app: &str| {
        let app = folder.join(app);
        support::ankus(&[
            "check",
            "--schema-engine",
            engine,
            "--format",
            "concise",
            app.to_str().expect("a path"),
        ])
    };
    let (good, bad) = (check("tables", "good"), check("tables", "bad"));
    assert_eq!((good.code, bad.code), (0, 1), "{} {}", good.out, bad.out);
    for (app, by_tables) in [("good", good), ("bad", bad)] {
        let by_libxml = check("libxml", app);
        if cfg!(feature = "libxml") {
            assert_eq!((by_libxml.code, by_libxml.out), (by_tables.code, by_tables.out));
        } else {
            assert_eq!(by_libxml.code, 2);
            assert!(by_libxml.err.contains("--features libxml"), "{}", by_libxml.err);
        }
    }
    assert_eq!(check("other", "good").code, 2);
}

#[test]
fn an_element_that_chooses_its_type_is_checked_by_it() {
    let frame = |inner: &str| {
        format!(
            "<workflow-app xmlns='uri:oozie:workflow:0.5' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xmlns:xs='http://www.w3.org/2001/XMLSchema' name='w'><start to='e'/><kill name='k'>{inner}</kill><end name='e'/></workflow-app>"
        )
    };
    let check = |inner: &str, expected: &[&str]| {
        let (_, found) = findings(Kind::Workflow, &frame(inner));
        let words: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(words, expected, "{inner}");
    };
    check("<message xsi:type='xs:token'>m</message>", &[]);
    check("<message xsi:type='CASE' to='e'>m</message>", &[]);
    check("<message xsi:type='CASE'>m</message>", &["the attribute `to` is missing on `message`"]);
    check(
        "<message xsi:type='xs:NCName'>a b</message>",
        &["`a b` in `message` is not a value of the type in `xsi:type`"],
    );
    check(
        "<message xsi:type='FS'>m</message>",
        &["`message` has the type `FS`, which is not derived from the type of `message`"],
    );
    check(
        "<message xsi:type='none'>m</message>",
        &["`message` has the type `none`, which is not a type of the schemas"],
    );
    check(
        "<message xsi:type='xs:ID'>m</message>",
        &["`message` has the type `xs:ID`, which Oozie's schemas do not use and ankus does not check"],
    );
}
