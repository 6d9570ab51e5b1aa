//! What a workflow knows of its job and of the actions that are over.

use super::super::tests::value;
use super::*;
use crate::analysis::functions::Job;
use crate::model::functions::Phase;

fn world(conf: &[(&str, &str)], actions: Vec<Action>) -> World {
    World {
        conf: conf.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        actions: Some(actions),
        ..World::default()
    }
}

/// An action of which each part says its own name.
fn action(name: &str, status: &str, mark: &str) -> Action {
    let some = |part: &str| Some(format!("{part}{mark}"));
    Action {
        name: name.to_owned(),
        status: Some(status.to_owned()),
        transition: some("transition"),
        external_id: some("id"),
        external_status: some("status"),
        tracker_uri: some("tracker"),
        data: some("k=data"),
        stats: Some(format!("{{\"n\":\"{mark}\"}}")),
        child_ids: None,
        error_code: some("code"),
        error_message: some("message"),
    }
}

#[test]
fn a_workflow_knows_its_job() {
    let text = |text: &str| Some(text.to_owned());
    let job = Job {
        id: text("0000001-W"),
        name: text("demo"),
        user: text("ann"),
        group: text("staff"),
        app_path: text("/apps/demo"),
        run: 2,
        action_id: text("0000001-W@a"),
    };
    let all = World { job, base_url: text("http://o/oozie"), ..world(&[("user.name", "ben")], Vec::new()) };
    let check = |text, world: &World, expected| {
        assert_eq!(value(text, world, Phase::Workflow), expected, "{text}");
    };
    let names = "[${wf:id()}] [${wf:name()}] [${wf:user()}] [${wf:group()}] [${wf:appPath()}] [${wf:run()}]";
    check(names, &all, "[0000001-W] [demo] [ann] [staff] [/apps/demo] [2]");
    check("${wf:callback('$s')}", &all, "http://o/oozie/callback?id=0000001-W@a&status=$s");
    check("${wf:callback('')}", &all, "IllegalArgumentException");
    let mut few = World { base_url: None, ..all };
    few.job = Job { id: few.job.id, ..Job::default() };
    check(names, &few, "[0000001-W] [] [ben] [] [] [0]");
    check("${wf:callback('s')}", &few, "http://0.0.0.0:11000/oozie/callback?id=0000001-W@current&status=s");
    check(names, &World::default(), "[] [] [] [] [] [0]");
}

#[test]
fn properties_are_asked_for_with_others_put_in() {
    let conf = [("in", "/in"), ("ref", "${in}/sub"), ("blank", ""), ("sp", "  x  "), ("loop", "${loop}")];
    let world = world(&conf, Vec::new());
    let check = |text, expected| assert_eq!(value(text, &world, Phase::Workflow), expected, "{text}");
    check("${wf:conf('ref')} ${ref}", "/in/sub ${in}/sub");
    check("[${wf:conf('sp')}] [${sp}]", "[  x  ] [x]");
    check("${wf:conf('blank') == null} ${wf:conf('none') == null}", "true true");
    check("${wf:conf('loop')}", "IllegalStateException");
    check("${blank}", "ELException");
}

#[test]
fn variables_are_escaped_where_they_are_no_content_of_xml() {
    let check = |value: &str, expected: &str| assert_eq!(variable_text(value), expected, "{value}");
    check(" plain ", "plain");
    check("", "");
    check("a\"b'c>d", "a\"b'c>d");
    check("a & b", "a &amp; b");
    check("a &amp; b", "a &amp; b");
    check("a<b", "a&lt;b");
    check("<x>1</x>", "<x>1</x>");
    check("</value><value>", "&lt;/value&gt;&lt;value&gt;");
    check("x[1]", "x[1]");
    check("]]>'", "]]&gt;&#039;");
}

#[test]
fn the_last_that_an_action_recorded_counts() {
    let silent = Action { name: "a".to_owned(), ..Action::default() };
    let actions = vec![action("a", "ERROR", "1"), action("a", "OK", "2"), silent, action("b", "OK", "3")];
    let world = world(&[], actions);
    let check = |text, expected| assert_eq!(value(text, &world, Phase::Workflow), expected, "{text}");
    let recorded = |node: &str| {
        let calls = ["transition", "errorCode", "errorMessage", "actionExternalId", "actionTrackerUri"];
        let ask = |name: &&str| format!("${{wf:{name}('{node}')}} ");
        let all: String = calls.iter().chain(&["actionExternalStatus"]).map(ask).collect();
        value(&format!("{all}|"), &world, Phase::Workflow)
    };
    assert_eq!(recorded("a"), "transition2 code2 message2 id2 tracker2 status2 |");
    assert_eq!(recorded("b"), "transition3 code3 message3 id3 tracker3 status3 |");
    assert_eq!(recorded("c"), "      |");
    check("${wf:actionData('a')} ${wf:actionData('b')} ${wf:actionData('c')}", "{k=data2} {k=data3} {}");
    check("${hadoop:counters('a')} ${hadoop:counters('b')['n']}", "{\"n\":\"2\"} 3");
    check("${hadoop:counters('c')}", "IllegalArgumentException");
    check("${wf:lastErrorNode()}", "a");
}

#[test]
fn the_last_node_in_error_is_known() {
    let last = |actions: Vec<Action>| value("[${wf:lastErrorNode()}]", &world(&[], actions), Phase::Workflow);
    assert_eq!(last(Vec::new()), "[]");
    assert_eq!(last(vec![action("a", "OK", "")]), "[]");
    let three = vec![action("a", "ERROR", ""), action("b", "ERROR", ""), action("c", "KILLED", "")];
    assert_eq!(last(three), "[b]");
}

#[test]
fn ids_of_children_take_the_place_of_captured_output() {
    let children = |ids: &str, data: Option<&str>| Action {
        name: "a".to_owned(),
        data: data.map(str::to_owned),
        child_ids: Some(ids.to_owned()),
        ..Action::default()
    };
    let data = |actions: Vec<Action>| value("${wf:actionData('a')}", &world(&[], actions), Phase::Workflow);
    assert_eq!(data(vec![children("job_1,job_2", Some("k=v"))]), "{hadoopJobs=job_1,job_2}");
    assert_eq!(data(vec![children("job_1", None), action("a", "OK", "")]), "{k=data}");
    assert_eq!(data(vec![action("a", "OK", ""), children("job_1", None)]), "{hadoopJobs=job_1}");
}

#[test]
fn counters_are_a_map_or_nothing() {
    let counters = |stats: &str| {
        let action = Action { stats: Some(stats.to_owned()), ..action("a", "OK", "") };
        value("[${hadoop:counters('a')}]", &world(&[], vec![action]), Phase::Workflow)
    };
    assert_eq!(counters("{\"g\":{\"c\":1}}"), "[{\"g\":{\"c\":1}}]");
    assert_eq!(counters("null"), "[]");
    assert_eq!(counters("{\"g\""), "[]");
    assert_eq!(counters("[1]"), "ClassCastException");
    assert_eq!(counters("\"text\""), "ClassCastException");
    assert_eq!(counters("1"), "ClassCastException");
}
