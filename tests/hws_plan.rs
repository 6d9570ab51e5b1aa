//! `plan`, `graph` and parameters of `hadoop-workflow`, on folders and packages.

use std::io::{Cursor, Write};

use serde_json::Value;

use crate::support::{ankus, folder_of, root};

/// The plan of an app as JSON.
fn plan(arguments: &[&str]) -> Value {
    let given = [&["plan"][..], arguments, &["--format", "json", "--now", "2024-01-01T00:00Z"]].concat();
    let outcome = ankus(&given);
    serde_json::from_str(&outcome.out).unwrap_or_else(|_| panic!("{given:?}: {}{}", outcome.out, outcome.err))
}

fn example(name: &str) -> String {
    root().join("fixtures/hws").join(name).to_string_lossy().into_owned()
}

/// A definition of one action, in a folder.
fn app(name: &str, action: &str) -> String {
    let text = format!(
        "<hadoop-workflow name=\"w\"><start to=\"a\"/>{action}<fail name=\"f\"><message>no</message></fail><end \
         name=\"e\"/></hadoop-workflow>"
    );
    folder_of(name, &[("workflow.xml", &text), ("&1.pig", "")]).to_string_lossy().into_owned()
}

const CLUSTER: &str = "<configuration><property><name>mapred.job.tracker</name><value>jt:1</value></property><property>\
                       <name>fs.default.name</name><value>hdfs://nn:8020</value></property></configuration>";
const TRANSITIONS: &str = "<transition name=\"OK\" to=\"e\"/><transition name=\"ERROR\" to=\"f\"/>";

fn definition(plan: &Value, node: &str) -> String {
    let nodes = plan["nodes"].as_array().expect("nodes");
    let found = nodes.iter().find(|it| it["name"] == node).expect("the node");
    found["action"]["definition"].as_str().expect("a definition").to_owned()
}

/// HWS-1-2 HWS-0-2 HWS-1-1: the kinds of nodes are those of the document, and transitions lead from node to node.
#[test]
fn nodes_have_the_kinds_of_the_document() {
    let plan = plan(&[&example("decision")]);
    let line = |node: &Value| {
        let to = node["to"].as_object().expect("transitions");
        let mut to: Vec<&str> = to.values().filter_map(Value::as_str).collect();
        to.sort_unstable();
        format!(
            "{} {} {}",
            node["name"].as_str().unwrap_or(""),
            node["kind"].as_str().unwrap_or(""),
            to.join(" ")
        )
    };
    let nodes: Vec<String> = plan["nodes"].as_array().expect("nodes").iter().map(line).collect();
    assert_eq!(nodes[0], ":start: start secondjob");
    assert_eq!(nodes[1], "secondjob action fail mydecision");
    assert!(nodes[2].starts_with("mydecision decision"), "{nodes:?}");
    assert!(nodes.contains(&"fail fail ".to_owned()) && nodes.contains(&"end end ".to_owned()), "{nodes:?}");
    let dot = ankus(&["graph", &example("decision"), "--format", "dot"]);
    assert!(dot.out.contains("reconsolidatejob") && dot.out.contains("->"), "{}{}", dot.out, dot.err);
}

/// HWS-4.1-5 HWS-1-10: what a definition asks for by name and nothing gives is listed, but not where a default stands beside it.
#[test]
fn names_that_nothing_gives_are_missing() {
    let example = example("parameters");
    let missing = |arguments: &[&str]| {
        let plan = plan(&[&[example.as_str()][..], arguments].concat());
        plan["missing"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|it| it.as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(missing(&[]), ["hadoop.job.tracker", "wfjob.input.dir", "wfjob.output.dir"]);
    assert_eq!(missing(&["-D", "wfjob.input.dir=/i", "-D", "hadoop.job.tracker=j:1"]), ["wfjob.output.dir"]);
    let guarded = app(
        "hws-guarded",
        &format!(
            "<ssh name=\"a\"><host>u@h</host><command>${{firstNotNull(wf:conf('x'), 'y')}}</command><args>${{empty \
             wf:conf('z') ? 1 : 2}}</args>{TRANSITIONS}</ssh>"
        ),
    );
    assert_eq!(plan(&[&guarded])["missing"], Value::Array(Vec::new()));
}

/// HWS-6-1 HWS-4.1-1 HWS-4.1-2 HWS-4.1-3 HWS-7-5 HWS-1-11: defaults of the package lie below what is submitted, and each value has an origin.
#[test]
fn properties_have_layers_and_origins() {
    let example = example("map-reduce");
    assert_eq!(plan(&[&example])["parameters"]["first.job.reducers"], "3");
    assert!(plan(&[&example])["parameters"]["user.name"].is_string(), "who submits is known");
    let own = plan(&[&example, "-D", "first.job.reducers=7", "-D", "more=1", "-D", "a.b-c=2"]);
    assert_eq!(own["parameters"]["first.job.reducers"], "7");
    assert_eq!(
        (&own["parameters"]["more"], &own["parameters"]["a.b-c"]),
        (&Value::from("1"), &Value::from("2"))
    );
    let reducers = "<name>mapred.reduce.tasks</name>\n      <value>7</value>";
    assert!(definition(&own, "myfirstHadoopJob").contains(reducers), "HWS-3.2.2-9 {own}");
    let told = ankus(&["plan", &example, "--explain-value", "first.job.reducers"]).out;
    assert!(told.contains("configuration.xml:"), "{told}");
    let told =
        ankus(&["plan", &example, "--explain-value", "first.job.reducers", "-D", "first.job.reducers=7"]).out;
    assert!(told.starts_with("first.job.reducers = 7"), "{told}");
    let folder = folder_of(
        "hws-submission",
        &[(
            "job.xml",
            "<configuration><property><name>first.job.reducers</name><value>9</value></property></configuration>",
        )],
    );
    let file = folder.join("job.xml");
    let of_file = plan(&[&example, "-c", &file.to_string_lossy()]);
    assert_eq!(of_file["parameters"]["first.job.reducers"], "9");
}

/// HWS-3.2.2.2-9 HWS-3.2.3-15 HWS-3.2.4-18 HWS-3.2.5-9 HWS-3.2.7-16 HWS-3.2.8-4 HWS-4-3 HWS-6.2-1: texts and attributes of every type
/// may hold expressions.
#[test]
fn every_part_of_an_action_may_hold_expressions() {
    let resolved = |name: &str, action: &str| {
        let app = app(&format!("hws-resolved-{name}"), action);
        definition(&plan(&[&app, "-D", "v=&1", "-D", "user.name=joe"]), "a")
    };
    let has = |text: &str, parts: &[&str]| {
        for part in parts {
            assert!(text.contains(part), "{part} in {text}");
        }
    };
    let v = "${wf:conf(\"v\")}";
    let text = resolved(
        "streaming",
        &format!(
            "<hadoop name='a'><prepare><delete path='/{v}'/></prepare><streaming><mapper>m {v}</mapper><reducer>r {v}</reducer>\
             <cacheFiles><file>/{v}#x</file></cacheFiles></streaming>{CLUSTER}{TRANSITIONS}</hadoop>"
        ),
    );
    has(&text, &["path=\"/&amp;1\"", "m &amp;1", "r &amp;1", "<file>/&amp;1#x</file>"]);
    let text = resolved(
        "pig",
        &format!(
            "<pig name='a'><pig-host>{v}@h</pig-host><pig-script>{v}.pig</pig-script><hadoop-user>{v}</hadoop-user><parameters>\
             <param>A={v}</param></parameters>{TRANSITIONS}</pig>"
        ),
    );
    has(&text, &["&amp;1@h", "&amp;1.pig", "<hadoop-user>&amp;1</hadoop-user>", "A=&amp;1"]);
    let text = resolved(
        "hdfs",
        &format!(
            "<hdfs name='a'><file-system>hdfs://{v}</file-system><user>{v}</user><commands><mkdir path='/{v}'/><move \
             source='/a{v}' target='/b{v}'/></commands>{TRANSITIONS}</hdfs>"
        ),
    );
    has(
        &text,
        &[
            "hdfs://&amp;1",
            "<user>&amp;1</user>",
            "path=\"/&amp;1\"",
            "source=\"/a&amp;1\"",
            "target=\"/b&amp;1\"",
        ],
    );
    let text = resolved(
        "ssh",
        &format!("<ssh name='a'><host>u@{v}</host><command>{v}</command><args>{v}</args>{TRANSITIONS}</ssh>"),
    );
    has(&text, &["u@&amp;1", "<command>&amp;1</command>", "<args>&amp;1</args>"]);
    let text = resolved(
        "http",
        &format!(
            "<http name='a'><url>http://h/?{v}</url><post content-type='text/{v}'>{v}</post><mode>{v}</mode>{TRANSITIONS}</http>"
        ),
    );
    has(&text, &["http://h/?&amp;1", "text/&amp;1", ">&amp;1</post>", "<mode>&amp;1</mode>"]);
    let text = resolved(
        "email",
        &format!(
            "<email name='a'><to>{v}@h</to><subject>{v}</subject><message>{v}</message>{TRANSITIONS}</email>"
        ),
    );
    has(&text, &["&amp;1@h", "<subject>&amp;1</subject>", "<message>&amp;1</message>"]);
}

/// HWS-4-1 HWS-3.2.6-9 HWS-16-4 HWS-6-3: what only the run knows is left to it; properties of Hadoop pass through as they are.
#[test]
fn what_only_the_run_knows_is_left() {
    let app = app(
        "hws-left",
        &format!(
            "<hadoop name='a'><configuration><property><name>mapred.job.tracker</name><value>j:1</value></property><property><name>fs.default.name</name><value>hdfs://n:1</value></property><property><name>mapred.job.priority</name><value>LOW</value></property><property>\
             <name>user.name</name><value>other</value></property><property><name>x</name><value>${{wf:id()}}</value></property>\
             </configuration>{TRANSITIONS}</hadoop>"
        ),
    );
    let plan = plan(&[&app]);
    let text = definition(&plan, "a");
    assert!(text.contains("<value>LOW</value>") && text.contains("<value>other</value>"), "{text}");
    assert!(text.contains("${wf:id()}"), "{text}");
    let node = plan["nodes"].as_array().expect("nodes").iter().find(|it| it["name"] == "a").expect("it");
    assert_eq!(node["action"]["deferred"], serde_json::json!(["${wf:id()}"]));
}

/// HWS-1-5 HWS-7-12 HWS-0-2: a package is planned, drawn and played like the folder that it was made from.
#[test]
fn packages_are_planned_drawn_and_played() {
    let folder = root().join("fixtures/hws/map-reduce");
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for entry in std::fs::read_dir(&folder).expect("a folder") {
        let entry = entry.expect("an entry");
        writer
            .start_file(entry.file_name().to_string_lossy(), zip::write::SimpleFileOptions::default())
            .expect("an entry");
        writer.write_all(&std::fs::read(entry.path()).expect("a file")).expect("it is written");
    }
    let out = folder_of("hws-planned-package", &[("x", "")]);
    let package = out.join("app.zip");
    std::fs::write(&package, writer.finish().expect("it ends").into_inner()).expect("it is written");
    let (folder, package) = (folder.to_string_lossy().into_owned(), package.to_string_lossy().into_owned());
    let nodes = |app: &str| plan(&[app, "-D", "oozie.wf.application.path=x"])["nodes"].clone();
    assert_eq!(nodes(&folder), nodes(&package));
    assert_eq!(plan(&[&package])["parameters"]["first.job.reducers"], "3");
    let drawn = |app: &str| ankus(&["graph", app, "--format", "mermaid"]).out;
    assert_eq!(drawn(&folder), drawn(&package));
    let played = |app: &str| ankus(&["simulate", app, "--now", "2024-01-01T00:00Z"]).out;
    assert_eq!(played(&folder), played(&package));
    std::fs::write(&package, b"PK\x03\x04").expect("it is written");
    let refused = ankus(&["plan", &package]);
    assert!(refused.code == 2 && refused.err.contains("truncated or corrupt"), "{}", refused.err);
}
