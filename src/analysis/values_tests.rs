//! What is known of a text before a server evaluates it, from nothing given to all given.

use super::*;
use crate::analysis::subject;
use crate::analysis::testing::{self, text};

fn values(is_complete: bool, pairs: &[(&str, &str)]) -> Values {
    let mut conf = JobConf::new();
    conf.set_all(&Layer::File, pairs.iter().map(|(name, value)| Given::new(*name, *value)));
    Values { conf, is_complete, ..Values::default() }
}

#[test]
fn what_is_known_is_put_in() {
    let values =
        values(false, &[("a", " 1 "), ("open", "${b}/x"), ("my.name", "z")]).late(["day".to_owned()]);
    let check = |value: &str, place, expected: Option<&str>| {
        assert_eq!(values.value(&text(value), place).as_deref(), expected, "{value}");
    };
    check("plain", Place::Coordinator, Some("plain"));
    check("${a}/${concat('x', a)}", Place::WorkflowNode, Some("1/x1"));
    check("${coord:conf('a')}", Place::Coordinator, Some("1"));
    check("${wf:conf('my.name')}", Place::WorkflowNode, Some("z"));
    check("${b}", Place::WorkflowNode, None);
    check("${open}", Place::WorkflowNode, None);
    check("${day}", Place::WorkflowNode, None);
    check("${wf:conf('b')}", Place::WorkflowNode, None);
    check("${wf:actionData('n')['x']}", Place::WorkflowNode, None);
    check("${a == '1' || wf:run() > 0}", Place::WorkflowNode, Some("true"));
    check("${coord:hours(a)}", Place::Frequency, Some("60"));
    check("${coord:current(0)}", Place::Instance, None);
    check("${coord:nominalTime()}", Place::ActionConfiguration, None);
    check("/d/${YEAR}", Place::Coordinator, Some("/d/${YEAR}"));
    check("${coord:tzOffset()}", Place::Instance, None);
    check("${", Place::WorkflowNode, None);
    check("${wf:user()}", Place::WorkflowNode, None);
}

#[test]
fn what_a_sub_workflow_gets_late_is_known() {
    let given = values(false, &[("a", "1")]).late(["day".to_owned(), "hour".to_owned()]);
    let names = |propagates: &str| {
        let property = |name: &str, value: &str| {
            format!("<property><name> {name} </name><value>{value}</value></property>")
        };
        let model = testing::workflow(&format!(
            "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><global><configuration>{}{}</configuration></global>\
             <start to='s'/><action name='s'><sub-workflow><app-path>/x</app-path>{propagates}<configuration>{}{}\
             </configuration></sub-workflow><ok to='e'/><error to='e'/></action><end name='e'/></workflow-app>",
            property("of-global", "${day}"),
            property("again", "${day}"),
            property("again", "${a}"),
            property("hour", "7"),
        ));
        let subject = subject::Workflow::new(&model);
        let details = &subject.actions()[0].details;
        given.handed_down(details, model.global.as_ref()).into_iter().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names("<propagate-configuration/>"), "day of-global");
    assert_eq!(names(""), "of-global");
}

#[test]
fn what_is_missing_is_null_only_when_all_is_known() {
    let complete = values(true, &[("open", "${b}")]);
    let value = |t: &str| complete.value(&text(t), Place::WorkflowNode);
    assert_eq!(value("${wf:conf('b')}").as_deref(), Some(""));
    assert_eq!(value("${open}").as_deref(), Some("${b}"));
    assert_eq!(value("${b}"), None);
}

#[test]
fn texts_are_known_in_both_forms_of_expressions() {
    let known = values(false, &[("a", " 1 ")]);
    assert_eq!(known.value(&text("#{a}"), Place::WorkflowNode).as_deref(), Some("1"));
    assert_eq!(known.value(&text("\\#{a}"), Place::WorkflowNode).as_deref(), Some("#{a}"));
    assert_eq!(known.trimmed(&text(" ${a}\n"), Place::WorkflowNode).as_deref(), Some("1"));
    assert_eq!(known.trimmed(&text(" x y\t"), Place::WorkflowNode).as_deref(), Some("x y"));
    assert_eq!(known.trimmed(&text(" ${b}"), Place::WorkflowNode), None);
    // Older servers know `${…}` alone.
    let older = Version::new("5.1").expect("a version");
    let known = Values { version: older, ..known };
    assert_eq!(known.value(&text("#{a}"), Place::WorkflowNode).as_deref(), Some("#{a}"));
    assert_eq!(Values::unknown_for(older).version, older);
    assert!(!Values::unknown().is_complete && Values::unknown().conf().is_empty());
}

#[test]
fn properties_are_texts_as_each_phase_has_them() {
    let known = values(false, &[("a", " 1 "), ("amp", "a&b"), ("my.name", " z ")]).late(["day".to_owned()]);
    let check = |name: &str, place, conf, expected: Option<&str>| {
        assert_eq!(known.text_of(name, place, conf).as_deref(), expected, "{name} {place:?} {conf}");
    };
    check("a", Place::WorkflowNode, false, Some("1"));
    check("a", Place::WorkflowNode, true, Some(" 1 "));
    check("amp", Place::WorkflowNode, false, Some("a&amp;b"));
    check("amp", Place::WorkflowNode, true, Some("a&b"));
    check("my.name", Place::WorkflowNode, false, None);
    check("my.name", Place::WorkflowNode, true, Some(" z "));
    check("a", Place::AppName, false, Some(" 1 "));
    check("a", Place::WorkflowSla, false, Some(" 1 "));
    check("a", Place::Bundle, false, Some("1"));
    check("a", Place::Coordinator, true, Some("1"));
    check("my.name", Place::Coordinator, false, Some("z"));
    check("none", Place::WorkflowNode, true, None);
    check("day", Place::WorkflowNode, false, None);
    assert!(known.is_late("day") && !known.is_late("a"));
    assert_eq!(known.conf().get_raw("a"), Some(" 1 "));
    // What is null is no text.
    let complete = values(true, &[]);
    assert_eq!(complete.text_of("none", Place::WorkflowNode, true), None);
}

#[test]
fn what_is_assumed_is_not_known() {
    let mut known = values(false, &[("open", "${b}"), ("x", "file:/x"), ("group.name", "g")]);
    let of_server = [(USER_NAME, "me"), ("dir", "file:/dir"), ("nn", "hdfs://nn1"), ("late", "1")];
    known.conf.set_all(&Layer::Server, of_server.map(|(name, value)| Given::new(name, value)));
    let mut known = known.late(["late".to_owned()]);
    let list = |known: &Values| {
        let names = ["open", "x", "group.name", USER_NAME, "dir", "nn", "late", "none"];
        names.map(|name| known.property(name).unwrap_or("-")).join(" ")
    };
    assert_eq!(list(&known), "- file:/x g - - hdfs://nn1 - -");
    known.is_complete = true;
    assert_eq!(list(&known), "${b} file:/x g - - hdfs://nn1 - -");
    known.conf.set(Layer::Definition, Given::new(USER_NAME, "ann"));
    known.conf.set(Layer::Definition, Given::new("dir", "file:/other"));
    assert_eq!(list(&known), "${b} file:/x g ann file:/other hdfs://nn1 - -");
}

#[test]
fn an_app_takes_its_defaults_in_where_anything_is_given() {
    let parameters = "<parameters><property><name>p</name><value>${a}/p</value></property></parameters>";
    let workflow = format!(
        "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'>{parameters}<start to='e'/><end name='e'/></workflow-app>"
    );
    let coordinator = format!(
        "<coordinator-app xmlns='uri:oozie:coordinator:0.4' name='c' frequency='1' start='2024-01-01T00:00Z' \
         end='2024-01-02T00:00Z' timezone='UTC'>{parameters}<action><workflow><app-path>/w</app-path></workflow></action>\
         </coordinator-app>"
    );
    let bundle = format!(
        "<bundle-app xmlns='uri:oozie:bundle:0.2' name='b'>{parameters}<coordinator name='c'><app-path>/c</app-path>\
         </coordinator></bundle-app>"
    );
    let datasets = "<datasets xmlns='uri:oozie:coordinator:0.4'/>";
    let known = |document: &str, given: Option<Layer>, is_complete| {
        let mut conf = JobConf::new();
        conf.set_all(&given.unwrap_or(Layer::File), [Given::new("a", "1")]);
        let values = Values::of(&testing::app(document), conf, &[Given::new("d", "${a}/d")], is_complete);
        let known = ["a", "d", "p"].map(|name| values.property(name).unwrap_or("-")).join(" ");
        format!("{known} {}", values.is_complete)
    };
    assert_eq!(known(&workflow, None, false), "1 1/d 1/p false");
    assert_eq!(known(&bundle, None, false), "1 1/d 1/p false");
    assert_eq!(known(&workflow, None, true), "1 1/d 1/p true");
    // Defaults of a coordinator stay as they are written.
    assert_eq!(known(&coordinator, None, false), "1 1/d - false");
    assert_eq!(known(&coordinator, None, true), "1 1/d ${a}/p true");
    assert_eq!(known(datasets, None, true), "- - - false");
    // What the server sets is given by nobody.
    assert_eq!(known(&workflow, Some(Layer::Server), false), "- - - false");
    assert_eq!(known(&workflow, Some(Layer::Server), true), "1 1/d 1/p true");
    let nothing = Values::of(&testing::app(&workflow), JobConf::new(), &[Given::new("d", "2")], true);
    assert_eq!((nothing.property("d"), nothing.is_complete), (Some("2"), true));
    let nothing = Values::of(&testing::app(&workflow), JobConf::new(), &[Given::new("d", "2")], false);
    assert_eq!(nothing.property("d"), None);
}

#[test]
fn what_is_known_later_stays_as_it_is_written() {
    let known = values(false, &[("a", "1"), ("MB", "2")]).late(["day".to_owned(), "MB".to_owned()]);
    let check = |value: &str, place, expected: &str| {
        let (template, _) = el::parse(&text(value));
        let found = match known.partial(&template, place) {
            Some(Residual::Value(value)) => format!("value {value}"),
            Some(Residual::Template(template)) => format!("template {template}"),
            None => "nothing".to_owned(),
        };
        assert_eq!(found, expected, "{value}");
    };
    check("${a}/${a + 1}", Place::WorkflowNode, "value 1/2");
    check("${GB}", Place::WorkflowNode, "value 1073741824");
    check("${day}/${a}", Place::WorkflowNode, "template ${day}/1");
    check("${b}/${a}", Place::WorkflowNode, "template ${b}/1");
    check("${MB}", Place::WorkflowNode, "template ${MB}");
    check("${timestamp()}/${a}", Place::WorkflowNode, "template ${timestamp()}/1");
    check("${wf:id()}${wf:run()}", Place::WorkflowNode, "template ${wf:id()}${wf:run()}");
    check("${wf:user()}", Place::WorkflowNode, "template ${wf:user()}");
    check("${replaceAll('a', '(', a)}", Place::WorkflowNode, "nothing");
    check("${concat('x')}", Place::WorkflowNode, "nothing");
    check("${nothing:at(all)}", Place::WorkflowNode, "nothing");
    check("${", Place::WorkflowNode, "nothing");
}

#[test]
fn the_job_is_known_from_its_properties() {
    let path = AppKind::Workflow.property();
    let given = [(USER_NAME, "ann"), (GROUP_NAME, "staff"), (JOB_ACL, "acl"), (path, "/apps/w"), ("k", "v")];
    let check = |given: &[(&str, &str)], value: &str, place, expected: Option<&str>| {
        assert_eq!(values(false, given).value(&text(value), place).as_deref(), expected, "{value}");
    };
    check(
        &given,
        "${wf:user()} ${wf:group()} ${wf:appPath()}",
        Place::WorkflowNode,
        Some("ann staff /apps/w"),
    );
    check(&given, "${wf:conf('k')}", Place::WorkflowNode, Some("v"));
    check(&given, "${coord:user()} ${coord:conf('k')}", Place::Coordinator, Some("ann v"));
    check(&given, "${bundle:conf('k')}", Place::Bundle, Some("v"));
    check(&given, "${wf:id()}", Place::WorkflowNode, None);
    check(&given, "${hadoop:conf('h', 'k')}", Place::WorkflowNode, None);
    check(&given[2..], "${wf:group()}", Place::WorkflowNode, Some("acl"));
    check(&given[3..], "${wf:group()}", Place::WorkflowNode, None);
    check(&given[4..], "${wf:appPath()}", Place::WorkflowNode, None);
}

#[test]
fn what_is_missing_is_not_what_is_late_or_assumed() {
    let mut complete = values(true, &[]).late(["day".to_owned()]);
    complete.conf.set(Layer::Server, Given::new(USER_NAME, "me"));
    let value = |t: &str| complete.value(&text(t), Place::WorkflowNode);
    assert_eq!(value("[${wf:conf('none')}]").as_deref(), Some("[]"));
    assert_eq!(value("[${wf:conf('day')}]"), None);
    assert_eq!(value(&format!("[${{wf:conf('{USER_NAME}')}}]")), None);
}

#[test]
fn functions_of_dates_have_the_zone_of_the_server() {
    let zone = ProcessingZone::parse("GMT+0530").expect("a zone");
    let known = Values { zone, ..values(false, &[]) };
    let date = text("${coord:dateOffset('2024-01-01T00:00+0530', 1, 'DAY')}");
    assert_eq!(known.value(&date, Place::InitialInstance).as_deref(), Some("2024-01-02T00:00+0530"));
    assert_eq!(known.value(&date, Place::Coordinator), None);
}
