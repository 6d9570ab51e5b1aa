//! Workflows from text to plan.

use std::collections::BTreeMap;

use ankus::analysis::parameters::{Given, JobConf, Layer};
use ankus::analysis::project::{Astray, Kind};
use ankus::diag::Diagnostic;
use ankus::model::{self, App};
use ankus::plan::workflow::{Definition, Submitted, WorkflowPlan, plan, submit};
use ankus::report::plan_workflow;
use ankus::source::Sources;
use ankus::xml::{self, Element};

struct Read {
    root: Element,
    text: String,
    model: Box<model::Workflow>,
}

/// Workflows by application path; the one at `main` is planned.
struct Project {
    apps: BTreeMap<String, Read>,
}

impl Project {
    fn new(apps: &[(&str, &str)]) -> Project {
        let mut sources = Sources::new();
        let read = |(path, text): &(&str, &str)| {
            let file = sources.add(*path, *text);
            let (root, findings) = xml::read(file, text, &xml::Limits::default());
            let root = root.unwrap_or_else(|| panic!("{findings:?}"));
            let Some(App::Workflow(model)) = model::lower(&root).0 else { panic!("{path} is no workflow") };
            ((*path).to_owned(), Read { root, text: (*text).to_owned(), model })
        };
        Project { apps: apps.iter().map(read).collect() }
    }

    fn find(&self, path: &str) -> Option<Definition<'_>> {
        let read = self.apps.get(path)?;
        Some(Definition { root: &read.root, text: &read.text, model: &read.model, default_file: &[] })
    }

    fn submit(
        &self,
        properties: &[(&str, &str)],
        default_file: &[Given],
    ) -> (Option<Submitted>, Vec<Diagnostic>) {
        let mut conf = JobConf::new();
        conf.set_all(&Layer::File, properties.iter().map(|(name, value)| Given::new(*name, *value)));
        submit(Definition { default_file, ..self.find("main").expect("main") }, conf)
    }

    fn plan(&self, properties: &[(&str, &str)]) -> WorkflowPlan {
        let (submitted, findings) = self.submit(properties, &[]);
        let submitted = submitted.unwrap_or_else(|| panic!("{findings:?}"));
        plan(self.find("main").expect("main"), &submitted, &|path| {
            self.find(path).map(Into::into).ok_or_else(|| Astray::unknown(path, Kind::Workflow))
        })
    }
}

/// A workflow around one action.
fn around(action: &str) -> String {
    around_with("", action)
}

fn around_with(head: &str, action: &str) -> String {
    format!(
        "<workflow-app name='w' xmlns='uri:oozie:workflow:0.5'>{head}<start to='a'/>\
         <action name='a'>{action}<ok to='e'/><error to='e'/></action><end name='e'/></workflow-app>"
    )
}

fn definition_of(text: &str, properties: &[(&str, &str)]) -> (String, Vec<String>) {
    let plan = Project::new(&[("main", text)]).plan(properties);
    let action = plan.nodes.into_iter().find_map(|node| node.action).expect("an action");
    (action.definition, action.deferred)
}

#[test]
fn what_is_known_is_put_in_and_the_rest_stays() {
    let text = around(
        "<fs><delete path='${nn}/x'/><mkdir path=\"${wf:conf('a.b')}/${wf:actionData('p')['k']}\"/>\
         <move source='${2 * KB}' target='${wf:user()}-${wf:name()}'/></fs>",
    );
    let (definition, deferred) =
        definition_of(&text, &[("nn", " hdfs://n "), ("a.b", "c"), ("user.name", "joe")]);
    let expected = "<fs xmlns=\"uri:oozie:workflow:0.5\">\n  <delete path=\"hdfs://n/x\" />\n  \
         <mkdir path=\"c/${wf:actionData('p')['k']}\" />\n  <move source=\"2048\" target=\"joe-w\" />\n</fs>";
    assert_eq!(definition, expected);
    assert_eq!(deferred, ["${wf:actionData('p')['k']}"]);
}

#[test]
fn global_is_merged_into_actions() {
    let global = "<global><job-tracker>jt</job-tracker><name-node>nn</name-node><job-xml>g.xml</job-xml>\
         <configuration><property><name>a</name><value>global</value></property>\
         <property><name>b</name><value>${q}</value></property></configuration></global>";
    let action = "<java><job-tracker>own</job-tracker><configuration><property><name>a</name><value>own</value>\
         </property></configuration><main-class>M</main-class></java>";
    let (definition, _) = definition_of(&around_with(global, action), &[("q", "Q")]);
    let expected = "<java xmlns=\"uri:oozie:workflow:0.5\">\n  <job-xml>g.xml</job-xml>\n  \
         <job-tracker>own</job-tracker>\n  <configuration>\n    <property>\n      <name>a</name>\n      \
         <value>own</value>\n    </property>\n    <property>\n      <name>b</name>\n      <value>Q</value>\n    \
         </property>\n  </configuration>\n  <main-class>M</main-class>\n  <name-node>nn</name-node>\n</java>";
    assert_eq!(definition, expected);
    let (mail, _) = definition_of(
        &around_with(global, "<email xmlns='uri:oozie:email-action:0.1'><to>x</to></email>"),
        &[],
    );
    assert_eq!(mail, "<email xmlns=\"uri:oozie:email-action:0.1\">\n  <to>x</to>\n</email>");
}

#[test]
fn values_are_escaped_unless_they_are_xml() {
    let text = around("<fs><delete path='${a}'/><delete path='${b}'/></fs>");
    let (definition, _) = definition_of(&text, &[("a", "x&y<z"), ("b", "x&amp;y")]);
    assert!(definition.contains("x&amp;y&lt;z"), "{definition}");
    assert!(definition.contains("\"x&amp;y\""), "{definition}");
}

#[test]
fn names_that_nothing_gives_are_listed() {
    let plan =
        Project::new(&[("main", &around("<fs><delete path='${nn}/${out}'/><delete path='${nn}'/></fs>"))])
            .plan(&[]);
    assert_eq!(plan.missing.keys().collect::<Vec<_>>(), ["nn", "out"]);
    let action = plan.nodes[1].action.as_ref().expect("an action");
    assert_eq!(action.deferred, ["${nn}", "${out}"]);
    assert!(plan.findings().is_empty());
}

#[test]
fn decisions_are_evaluated_as_xml_text() {
    let text = "<workflow-app name='w' xmlns='uri:oozie:workflow:0.5'><start to='d'/><decision name='d'><switch>\
         <case to='e'>${n gt 1}</case><case to='e'>${n &gt; 1}</case><case to='e'><![CDATA[${n > 1}]]></case>\
         <default to='k'/></switch></decision><kill name='k'><message>no ${wf:errorMessage('d')} &gt; ${n}</message></kill>\
         <end name='e'/></workflow-app>";
    let plan = Project::new(&[("main", text)]).plan(&[("n", "2")]);
    let decision = &plan.nodes[1];
    let cases: Vec<_> = decision.cases.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(cases, ["true", "${n &gt; 1}", "true"]);
    assert_eq!(decision.findings.len(), 1);
    assert_eq!(decision.findings[0].rule.name, "el-syntax");
    assert_eq!(decision.findings[0].stage, Some(ankus::diag::Stage::Action));
    let kill = plan.nodes.iter().find(|node| node.kind == "kill").expect("a kill node");
    assert_eq!(kill.message.as_deref(), Some("no ${wf:errorMessage('d')} > 2"));
}

#[test]
fn parameters_are_verified() {
    let head = "<parameters><property><name>a</name></property><property><name>b</name><value>${a}/x</value></property>\
         </parameters>";
    let project = Project::new(&[("main", &around_with(head, "<fs><delete path='${b}'/></fs>"))]);
    let (submitted, findings) = project.submit(&[], &[]);
    assert!(submitted.is_none());
    assert_eq!(findings.iter().map(|found| found.oozie.clone()).collect::<Vec<_>>(), [["E0738"]]);
    let (submitted, findings) = project.submit(&[("a", "A")], &[]);
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!(submitted.expect("accepted").conf.get_raw("b"), Some("A/x"));
    let (_, findings) =
        project.submit(&[("a", "A"), ("KB", "1"), ("YEAR", "1")], &[Given::new("user.name", "x")]);
    assert_eq!(findings.iter().map(|found| found.oozie.clone()).collect::<Vec<_>>(), [["E0803", "E0808"]; 2]);
    let (_, findings) = project.submit(&[("a", "${a}")], &[]);
    assert_eq!(findings[0].rule.name, "property-cycle");
    assert_eq!(findings[0].oozie, ["E0803"]);
}

#[test]
fn a_default_file_reaches_actions_and_parameters() {
    let project = Project::new(&[("main", &around("<fs><delete path='${d}'/></fs>"))]);
    let defaults = [Given::new("d", "${n}/d"), Given::new("n", "default"), Given::new("own", "o")];
    let (submitted, findings) = project.submit(&[("n", "given")], &defaults);
    assert!(findings.is_empty(), "{findings:?}");
    let plan = plan(project.find("main").expect("main"), &submitted.expect("accepted"), &|path| {
        Err(Astray::unknown(path, Kind::Workflow))
    });
    let definition = &plan.nodes[1].action.as_ref().expect("an action").definition;
    assert!(definition.contains("path=\"given/d\""), "{definition}");
    assert!(definition.contains("<name>own</name>\n      <value>o</value>"), "{definition}");
    // The references of a default file are looked up in the file itself first.
    assert!(definition.contains("<name>d</name>\n      <value>default/d</value>"), "{definition}");
}

#[test]
fn sub_workflows_are_followed() {
    let global = "<global><name-node>gn</name-node></global>";
    let call = |propagate: &str, path: &str| {
        around_with(
            global,
            &format!(
                "<sub-workflow><app-path>{path}</app-path>{propagate}<configuration><property><name>p</name>\
                 <value>${{v}}-p</value></property><property><name>late</name><value>${{wf:id()}}</value></property>\
                 </configuration></sub-workflow>"
            ),
        )
    };
    let child = around("<fs><delete path='${p}/${v}/${late}'/></fs>");
    let check = |propagate: &str, expected: &str, missing: &[&str]| {
        let plan = Project::new(&[("main", &call(propagate, "${base}/sub")), ("b/sub", &child)]).plan(&[
            ("base", "b"),
            ("v", "V"),
            ("user.name", "joe"),
        ]);
        let action = plan.nodes[1].action.clone().expect("an action");
        let follow = action.child.expect("a child");
        assert_eq!(follow.app_path, "b/sub");
        let below = follow.plan.expect("a plan");
        assert_eq!(below.parameters.get_raw("user.name"), Some("joe"));
        assert_eq!(below.parameters.get_raw("oozie.wf.application.path"), Some("b/sub"));
        assert_eq!(below.missing.keys().collect::<Vec<_>>(), missing);
        let action = below.nodes[1].action.as_ref().expect("an action");
        assert!(action.definition.contains(expected), "{}", action.definition);
        assert_eq!(action.definition.contains("<name-node>gn"), !propagate.is_empty());
        assert!(plan_workflow::json(&plan_of(&below)).starts_with("{\"version\":1"));
    };
    check("<propagate-configuration/>", "path=\"V-p/V/${late}\"", &[]);
    check("", "path=\"V-p/${v}/${late}\"", &["v"]);
}

fn plan_of(plan: &WorkflowPlan) -> WorkflowPlan {
    plan.clone()
}

#[test]
fn recursion_ends() {
    let call = |path: &str| around(&format!("<sub-workflow><app-path>{path}</app-path></sub-workflow>"));
    let plan = Project::new(&[("main", &call("other")), ("other", &call("main"))]).plan(&[]);
    assert_eq!(
        plan.findings().iter().map(|found| found.rule.name).collect::<Vec<_>>(),
        ["subworkflow-recursion"]
    );
    let plan = Project::new(&[("main", &call("gone"))]).plan(&[]);
    assert_eq!(plan.findings()[0].rule.name, "app-path-missing");
}

#[test]
fn the_text_form_says_what_is_left() {
    let plan = Project::new(&[("main", &around("<fs><delete path='${nn}/${wf:id()}'/></fs>"))]).plan(&[]);
    let expected = "workflow w\n  3 nodes, 1 action\n  must be supplied: nn\n  2 expressions known only when it runs\n\n    \
         0  start  start           to → a\n    1  a      fs              ok → e, error → e\n    2  e      end\n\na\n  \
         <fs xmlns=\"uri:oozie:workflow:0.5\">\n    <delete path=\"${nn}/${wf:id()}\" />\n  </fs>\n  \
         left for the run: ${nn}\n  left for the run: ${wf:id()}\n";
    assert_eq!(plan_workflow::text(&plan, false), expected);
}

#[test]
fn known_operands_become_literals() {
    let check = |expression: &str, expected: &str| {
        let text = around(&format!("<fs><delete path=\"${{{expression}}}\"/></fs>"));
        let (definition, _) = definition_of(&text, &[("n", "2"), ("t", "a'b"), ("m", "-3")]);
        let found = definition
            .split_once("path=\"")
            .and_then(|(_, rest)| rest.split_once("\" />"))
            .expect("a path")
            .0;
        assert_eq!(found, expected, "{expression}");
    };
    check("n + 1", "3");
    check("concat(t, replaceAll('x-y', '-', n))", "a'bx2y");
    check("concat(trim(' x '), wf:id())", "${concat('x', wf:id())}");
    check("replaceAll(t, '(', n)", "${replaceAll(t, '(', n)}");
    check("wf:run() + n * 2", "4");
    check("fs:fileSize(t) gt n * GB", "${fs:fileSize('a\\'b') gt 2147483648}");
    check(
        "wf:actionData('x')[t] + (1 - n)",
        "${wf:actionData('x')['a\\'b'] + (-1)}".replace("((-1))", "(-1)").as_str(),
    );
    check("false and fs:exists(t)", "false");
    check("n == 2 ? 'y' : wf:id()", "y");
    check("n == 3 ? 'y' : wf:id()", "${false ? 'y' : wf:id()}");
    check("nosuch + n", "${nosuch + '2'}");
    check("empty wf:conf('gone') or fs:exists('/x')", "true");
    check("wf:conf(wf:id())", "${wf:conf(wf:id())}");
}

#[test]
fn service_levels_show_their_times() {
    let level = |more: &str| {
        format!(
            "<sla:info><sla:nominal-time>${{when}}</sla:nominal-time>{more}<sla:should-end>30</sla:should-end>\
             <sla:max-duration>20</sla:max-duration></sla:info>"
        )
    };
    let text = format!(
        r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5" xmlns:sla="uri:oozie:sla:0.2"><start to="a"/>
        <action name="a"><fs><mkdir path="hdfs://nn/x"/></fs><ok to="e"/><error to="e"/>{}</action><end name="e"/>{}</workflow-app>"#,
        level("<sla:should-start>5</sla:should-start>"),
        level("")
    );
    let folder = crate::support::folder_of("plan-levels", &[("workflow.xml", &text)]);
    let app = folder.join("workflow.xml").display().to_string();
    let outcome = crate::support::ankus(&["plan", &app, "-D", "when=2024-01-01T00:00Z"]);
    let own = "  sla, to end by 2024-01-01T00:30Z, to take at most 20 minutes\n";
    let of_action =
        "  sla, to start by 2024-01-01T00:05Z, to end by 2024-01-01T00:30Z, to take at most 20 minutes\n";
    assert_eq!(outcome.out.matches(own).count(), 1, "{}{}", outcome.out, outcome.err);
    assert_eq!(outcome.out.matches(of_action).count(), 1, "{}{}", outcome.out, outcome.err);
}
