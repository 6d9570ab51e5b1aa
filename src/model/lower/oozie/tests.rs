//! Lowering of whole documents.

use crate::model::action::{Details, FsKind};
use crate::model::workflow::{Action, NodeKind, START_NAME};
use crate::model::{App, Bundle, Coordinator, Workflow, lower};
use crate::source::{Sources, Text};
use crate::xml::{self, Limits};

fn app(text: &str) -> (Sources, App) {
    let mut sources = Sources::new();
    let file = sources.add("a.xml", text);
    let (root, found) = xml::read(file, text, &Limits::default());
    assert!(found.is_empty(), "{found:?}");
    let (app, found) = lower(&root.expect("a tree"));
    assert!(found.is_empty());
    (sources, app.expect("an app"))
}

fn workflow(inner: &str) -> Workflow {
    match app(&format!("<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'>{inner}</workflow-app>")).1 {
        App::Workflow(workflow) => *workflow,
        other => panic!("{other:?}"),
    }
}

fn action(inner: &str) -> Action {
    let workflow = workflow(&format!("<action name='a'>{inner}<ok to='b'/><error to='k'/></action>"));
    match workflow.nodes.into_iter().next().expect("a node").kind {
        NodeKind::Action(action) => *action,
        other => panic!("{other:?}"),
    }
}

fn details(inner: &str) -> Details {
    action(inner).body.expect("a body").details()
}

fn value(text: &Option<Text>) -> &str {
    text.as_ref().map_or("-", |text| &text.value)
}

fn values(texts: &[Text]) -> Vec<&str> {
    texts.iter().map(|text| text.value.as_str()).collect()
}

#[test]
fn every_kind_of_node_is_read() {
    let read = workflow(
        "<parameters><property><name>p</name></property><property><name>q</name><value>1</value></property></parameters>
         <global><job-tracker>jt</job-tracker><name-node>nn</name-node><job-xml>a</job-xml><job-xml>b</job-xml>
           <configuration><property><name>n</name><value>v</value><final>true</final></property></configuration></global>
         <credentials><credential name='c' type='hcat'><property><name>x</name><value>y</value></property></credential>
         </credentials>
         <start to='f'/><fork name='f'><path start='a'/><path start='b'/></fork><join name='j' to='d'/>
         <decision name='d'><switch><case to='a'>${x &lt; <!-- c -->1}</case><default to='e'/></switch></decision>
         <kill name='k'><message>m</message></kill><end name='e'/><action/>
         <info xmlns='uri:oozie:sla:0.2'><nominal-time>t</nominal-time></info>",
    );
    assert_eq!(read.parameters.len(), 2);
    assert!(read.parameters[0].default.is_none());
    let global = read.global.expect("global");
    assert_eq!((value(&global.resource_manager), values(&global.job_xml)), ("jt", vec!["a", "b"]));
    assert!(global.configuration.properties[0].is_final);
    assert_eq!((value(&read.credentials[0].kind), read.credentials[0].properties.len()), ("hcat", 1));
    let names: Vec<_> = read.nodes.iter().map(|node| node.name.value.as_str()).collect();
    assert_eq!(names, [START_NAME, "f", "j", "d", "k", "e", ""]);
    let NodeKind::Decision { cases, default, .. } = &read.nodes[3].kind else { panic!("a decision") };
    assert_eq!((cases[0].predicate.value.as_str(), value(default)), ("${x < 1}", "e"));
    assert_eq!(read.sla.expect("sla").get("nominal-time").expect("time").value, "t");
}

#[test]
fn every_known_action_is_read() {
    let Details::Shell(shell) = details(
        "<shell xmlns='uri:oozie:shell-action:1.0'><resource-manager>rm</resource-manager><name-node>nn</name-node>
         <prepare><delete path='p' skip-trash='true'/><mkdir path='q'/></prepare><launcher><queue>x</queue></launcher>
         <exec>e</exec><argument>1</argument><argument>2</argument><env-var>A=b</env-var><file>f#g</file>
         <archive>z</archive><capture-output/></shell>",
    ) else {
        panic!("a shell")
    };
    assert_eq!((value(&shell.exec), values(&shell.arguments)), ("e", vec!["1", "2"]));
    assert_eq!((value(&shell.job.resource_manager), values(&shell.job.files)), ("rm", vec!["f#g"]));
    assert_eq!((shell.job.prepare.len(), shell.job.launcher[0].0.as_str()), (2, "queue"));
    assert!(shell.job.capture_output.is_some());
    let Details::Fs(fs) = details(
        "<fs><move source='a' target='b'/><chmod path='c' permissions='755' dir-files='true'><recursive/></chmod></fs>",
    ) else {
        panic!("an fs")
    };
    assert_eq!((fs.operations[0].kind, value(&fs.operations[0].path)), (FsKind::Move, "a"));
    assert!(fs.operations[1].recursive.is_some());
    let Details::SubWorkflow(sub) =
        details("<sub-workflow><app-path>p</app-path><propagate-configuration/></sub-workflow>")
    else {
        panic!("a sub-workflow")
    };
    assert_eq!((value(&sub.app_path), sub.propagate_configuration.is_some()), ("p", true));
    let Details::Ssh(ssh) = details("<ssh xmlns='u'><host>h</host><args>a b</args><arg>c</arg></ssh>") else {
        panic!("an ssh")
    };
    assert_eq!(
        ssh.args.iter().map(|(one, text)| (*one, text.value.as_str())).collect::<Vec<_>>(),
        [(false, "a b"), (true, "c")]
    );
    for kind in [
        "map-reduce",
        "pig",
        "hive",
        "hive2",
        "sqoop",
        "email",
        "java",
        "distcp",
        "spark",
        "git",
        "unheard-of",
    ] {
        let details = details(&format!("<{kind} xmlns='uri:x'><name-node>nn</name-node></{kind}>"));
        assert_eq!(matches!(details, Details::Extension), kind == "unheard-of");
        assert_eq!(details.job().is_some(), !matches!(kind, "email" | "unheard-of"), "{kind}");
    }
}

#[test]
fn the_last_body_counts_and_is_kept_whole() {
    let read = action("<fs/><x:y xmlns:x='uri:x' a='1'><z>t</z></x:y><info xmlns='uri:oozie:sla:0.1'/>");
    let body = read.body.expect("a body");
    assert_eq!((body.kind.as_str(), body.namespace.as_str()), ("y", "uri:x"));
    assert_eq!(body.element.child("z").expect("z").text().value, "t");
    assert_eq!((value(&read.ok), value(&read.error)), ("b", "k"));
    assert!(read.sla.is_some());
}

#[test]
fn coordinators_and_bundles_are_read() {
    let text = "<coordinator-app xmlns='uri:oozie:coordinator:0.5' name='c' frequency='${coord:days(1)}' start='s' end='e'
        timezone='UTC'><controls><timeout>1</timeout><execution>FIFO</execution></controls>
        <datasets><include>i</include><dataset name='d' frequency='60' initial-instance='t' timezone='UTC'>
        <uri-template>u</uri-template><done-flag></done-flag></dataset></datasets>
        <input-events><data-in name='in' dataset='d'><instance>1</instance><instance>2</instance></data-in></input-events>
        <input-logic><or name='o' min='2'><and><data-in dataset='in' wait='5'/></and></or></input-logic>
        <output-events><data-out name='out' dataset='d' nocleanup='true'><instance>3</instance></data-out></output-events>
        <action><workflow><app-path>p</app-path><configuration><property><name>n</name></property></configuration>
        </workflow><sla:info xmlns:sla='uri:oozie:sla:0.2'/></action></coordinator-app>";
    let (sources, app) = app(text);
    let App::Coordinator(read) = app else { panic!("a coordinator") };
    let Coordinator { frequency, controls, datasets, inputs, input_logic, outputs, action, .. } = *read;
    assert_eq!((value(&frequency), value(&controls.timeout)), ("${coord:days(1)}", "1"));
    assert_eq!(values(&datasets.includes), ["i"]);
    assert_eq!(value(&datasets.datasets[0].done_flag), "");
    assert_eq!(values(&inputs[0].instances.single), ["1", "2"]);
    let logic = input_logic.expect("logic");
    assert_eq!(value(&logic.operands[0].operands[0].operands[0].wait), "5");
    assert_eq!(value(&outputs[0].nocleanup), "true");
    let action = action.expect("an action");
    assert_eq!(sources.slice(action.app_path.as_ref().expect("a path").span), "p");
    assert_eq!(action.configuration.properties[0].value.value, "");
    assert!(action.sla.is_some());

    let (_, app) = self::app(
        "<bundle-app xmlns='uri:oozie:bundle:0.2' name='b'><controls><kick-off-time>k</kick-off-time></controls>
         <coordinator name='c' enabled='false' critical='true'><app-path>p</app-path></coordinator></bundle-app>",
    );
    let App::Bundle(read) = app else { panic!("a bundle") };
    let Bundle { kick_off_time, coordinators, .. } = *read;
    assert_eq!((value(&kick_off_time), value(&coordinators[0].enabled)), ("k", "false"));
}

#[test]
fn anything_gives_a_model() {
    for root in ["workflow-app", "coordinator-app", "bundle-app", "datasets"] {
        app(&format!("<{root}/>"));
        app(&format!(
            "<{root}><start/><action><ok/></action><decision/><fork><path/></fork><info/></{root}>"
        ));
        app(&format!("<{root}><input-logic><or/></input-logic><coordinator/><dataset/>x</{root}>"));
    }
}
