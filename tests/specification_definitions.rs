//! The examples of the coordinator specification (`004`) about definitions, parameters, actions, input logic, users,
//! included datasets and service levels: 5.4, 6.5, 6.7, 6.10, 9, 10.1.1 and 12.
//!
//! Slips in them, and what stands here instead: 5.4 writes the zone `Americas/Los_Angeles`, which is none, and dots
//! between the elements. 6.5 gives formal parameters to a coordinator of namespace 0.1, which has none before 0.4, and
//! calls `hoursInDay` and `daysInMonth` by plural names. 6.7.1 promises 24 URIs, but its range ends with `current(-1)`
//! and names 23, and the last that it lists is `2009/02/00/00`. 6.7.2 asks for `dailyLogs`, which is the dataset and not
//! the event, and shows `logs` for `daily-logs`. 6.7.3 and 6.7.4 leave out the `workflow` element of the action; 6.7.3
//! counts the end as a nominal time, 6.7.4 begins a day too early. 6.10 leaves out quotes around `min` and around names,
//! the `input-events` element, and takes a `min` of 5 for one of 2. In 10.1.1 embedded datasets of one name are refused;
//! servers take the later one. 12 has a frequency of `${1 * HOURS}` and an alert of `${24 * LAST_HOUR}`, which no phase
//! knows, leaves out the `app-name` that its schema demands and has a `message` that the schema lacks, and puts the
//! workflow's service level before its end node.

use ankus::analysis::parameters::{Given, JobConf, Layer};
use ankus::diag::{Diagnostic, Group, Severity, Stage};
use ankus::model::{self, App};
use ankus::plan::bundle;
use ankus::plan::coordinator::{
    Action, CoordinatorJob, IncludeError, Included, PlanOptions, Present, Settings, SlaOutcome, prepare,
    submit,
};
use ankus::schema;
use ankus::source::Sources;
use ankus::time::ProcessingZone;
use ankus::xml;

/// Submits a coordinator; `files` are those that it can include.
fn submitted(
    text: &str,
    properties: &[(&str, &str)],
    files: &[(&str, &str)],
) -> (Option<CoordinatorJob>, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.add("coordinator.xml", text);
    let (root, findings) = xml::read(file, text, &xml::Limits::default());
    let root = root.unwrap_or_else(|| panic!("{findings:?}"));
    let mut findings = schema::check(&root, text, schema::Kind::Coordinator);
    let (Some(App::Coordinator(app)), _) = model::lower(&root) else { panic!("a coordinator") };
    let mut conf = JobConf::new();
    conf.set_all(&Layer::File, [Given::new("user.name", "joe")]);
    conf.set_all(&Layer::File, properties.iter().map(|(name, value)| Given::new(*name, *value)));
    findings.extend(prepare(&mut conf, &[], app.name_span));
    let mut include = |path: &str| {
        let found = files.iter().find(|(name, _)| *name == path);
        let (name, text) = found.ok_or_else(|| IncludeError::Missing(path.to_owned()))?;
        let file = sources.add(*name, *text);
        Ok(Included::new(&xml::read(file, text, &xml::Limits::default()).0.expect("well-formed")))
    };
    let submitted = submit(&app, &conf, None, &Settings::default(), &mut include);
    findings.extend(submitted.findings);
    let refused = findings.iter().any(|f| f.severity == Severity::Error && f.stage == Some(Stage::Submit));
    (submitted.job.filter(|_| !refused), findings)
}

fn job(text: &str, properties: &[(&str, &str)], files: &[(&str, &str)]) -> CoordinatorJob {
    let (job, findings) = submitted(text, properties, files);
    job.unwrap_or_else(|| panic!("{findings:?}"))
}

fn actions(job: &CoordinatorJob, count: usize) -> Vec<Action> {
    let actions = job.actions(PlanOptions::default()).take(count);
    actions.map(|action| action.unwrap_or_else(|finding| panic!("{finding:?}"))).collect()
}

/// The rules of the errors, and the text under each.
fn errors(text: &str, findings: &[Diagnostic]) -> Vec<(&'static str, String)> {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| (finding.rule.name, text[finding.span.range()].to_owned())).collect()
}

fn value(action: &Action, index: usize) -> String {
    action.configuration.as_ref().expect("a configuration")[index].1.to_string()
}

fn app(attributes: &str, inner: &str, workflow: &str) -> String {
    format!(
        "<coordinator-app name='app-coord' {attributes} xmlns='uri:oozie:coordinator:0.4'>{inner}<action><workflow>\
         <app-path>hdfs://bar:8020/usr/joe/wf</app-path>{workflow}</workflow></action></coordinator-app>"
    )
}

fn property(name: &str, value: &str) -> String {
    format!("<property><name>{name}</name><value>{value}</value></property>")
}

const DAILY_2009: &str =
    "frequency='${coord:days(1)}' start='2009-01-01T24:00Z' end='2009-12-31T24:00Z' timezone='UTC'";

#[test]
fn datasets_are_defined_beside_included_ones() {
    // 5.4
    let stats = "<dataset name='stats' frequency='${coord:months(1)}' initial-instance='2009-01-10T10:00Z' \
        timezone='ZONE'><uri-template>hdfs://foo:8020/usr/app/stats/${YEAR}/${MONTH}/data</uri-template></dataset>";
    let logs = "<dataset name='logs' frequency='${coord:hours(12)}' initial-instance='2009-02-15T08:15Z' \
        timezone='ZONE'><uri-template>\n  \
        hdfs://foo:8020/app/logs/${market}/${YEAR}${MONTH}/${DAY}/${HOUR}/${MINUTE}/data\n </uri-template></dataset>";
    let shared = "hdfs://foo:8020/app/dataset-definitions/globallogs.xml";
    let inner = format!(
        "<datasets><include>{shared}</include>{logs}{stats}</datasets><input-events>\
         <data-in name='a' dataset='logs'><instance>${{coord:current(0)}}</instance></data-in>\
         <data-in name='b' dataset='stats'><instance>${{coord:current(0)}}</instance></data-in>\
         <data-in name='c' dataset='global'><instance>${{coord:current(0)}}</instance></data-in></input-events>"
    );
    let global = "<datasets><dataset name='global' frequency='60' initial-instance='2009-01-01T00:00Z' \
        timezone='UTC'><uri-template>/g/${YEAR}/${MONTH}/${DAY}/${HOUR}</uri-template></dataset></datasets>";
    let text = app(
        "frequency='${coord:days(1)}' start='2009-02-16T08:15Z' end='2009-03-16T08:15Z' timezone='UTC'",
        &inner,
        "",
    );
    let (_, findings) = submitted(&text, &[("market", "teleco")], &[(shared, global)]);
    let wrong: Vec<_> = errors(&text, &findings);
    assert_eq!(wrong, vec![("timezone-unknown", "ZONE".to_owned()); 2]);
    let spelt = text.replace("ZONE", "Americas/Los_Angeles");
    let (_, findings) = submitted(&spelt, &[("market", "teleco")], &[(shared, global)]);
    assert_eq!(findings[0].help.as_deref(), Some("did you mean `America/Los_Angeles`?"));
    let mended = text.replace("ZONE", "America/Los_Angeles");
    let job = job(&mended, &[("market", "teleco")], &[(shared, global)]);
    let action = &actions(&job, 1)[0];
    let uris: Vec<&str> = action.inputs.iter().map(|event| &*event.uris[0]).collect();
    let expected = [
        "hdfs://foo:8020/app/logs/teleco/200902/16/08/15/data",
        "hdfs://foo:8020/usr/app/stats/2009/02/data",
        "/g/2009/02/16/08",
    ];
    assert_eq!(uris, expected);
    // The dots of the example are text where none may stand.
    let dotted = mended.replace("<datasets><include>", "<datasets>\n.\n<include>");
    let (none, findings) = submitted(&dotted, &[("market", "teleco")], &[(shared, global)]);
    assert!(none.is_none() && findings.iter().any(|finding| finding.rule.group == Group::Schema));
}

/// The application of 6.5.
fn parameterized(formal: &str) -> String {
    app(
        "frequency='${coord:days(1)}' start='${jobStart}' end='${jobEnd}' timezone='${timezone}'",
        &format!(
            "{formal}<datasets><dataset name='logs' frequency='${{coord:hours(1)}}' \
             initial-instance='${{logsInitialInstance}}' timezone='${{timezone}}'><uri-template>\
             hdfs://bar:8020/app/logs/${{market}}/${{language}}/${{YEAR}}${{MONTH}}/${{DAY}}/${{HOUR}}</uri-template>\
             </dataset></datasets><input-events><data-in name='input' dataset='logs'>\
             <start-instance>${{coord:current(-23)}}</start-instance>\
             <end-instance>${{coord:current(0)}}</end-instance></data-in></input-events>"
        ),
        "",
    )
}

const GIVEN: [(&str, &str); 6] = [
    ("jobStart", "2009-01-02T08:00Z"),
    ("jobEnd", "2009-01-04T08:00Z"),
    ("logsInitialInstance", "2009-01-01T00:00Z"),
    ("timezone", "America/Los_Angeles"),
    ("market", "teleco"),
    ("language", "en"),
];

#[test]
fn every_parameter_must_be_given() {
    // 6.5: six parameters, and each is missed by its name.
    let text = parameterized("");
    let job = job(&text, &GIVEN, &[]);
    let found = actions(&job, 9);
    assert_eq!(found.len(), 2);
    assert_eq!(&*found[0].inputs[0].uris[0], "hdfs://bar:8020/app/logs/teleco/en/200901/02/08");
    for missing in GIVEN.map(|(name, _)| name) {
        let rest: Vec<_> = GIVEN.into_iter().filter(|(name, _)| *name != missing).collect();
        let (none, findings) = submitted(&text, &rest, &[]);
        assert!(none.is_none(), "{missing}");
        let named = findings.iter().filter(|finding| finding.rule.name == "parameter-undefined");
        assert!(named.clone().count() > 0, "{missing}");
        assert!(named.clone().all(|finding| finding.message.contains(missing)), "{missing}: {findings:?}");
    }
    // Names that are no identifiers are asked for with a function.
    let asked = text.replace("${market}", "${coord:conf('the.market')}");
    let with: Vec<_> = GIVEN.into_iter().chain([("the.market", "dotted")]).collect();
    let job = self::job(&asked, &with, &[]);
    assert!(actions(&job, 1)[0].inputs[0].uris[0].contains("/logs/dotted/en/"));
}

#[test]
fn formal_parameters_have_defaults() {
    // 6.5, second example.
    let formal = format!(
        "<parameters><property><name>jobStart</name></property>{}</parameters>",
        property("jobEnd", "2012-12-01T22:00Z")
    );
    let text = parameterized(&formal);
    let without = |missing: &[&str]| -> Vec<(&'static str, &'static str)> {
        GIVEN.into_iter().filter(|(name, _)| !missing.contains(name)).collect()
    };
    let job = job(&text, &without(&["jobEnd"]), &[]);
    assert_eq!(ProcessingZone::UTC.format(job.end), "2012-12-01T22:00Z");
    let job = self::job(&text, &GIVEN, &[]);
    assert_eq!(ProcessingZone::UTC.format(job.end), "2009-01-04T08:00Z");
    let (none, findings) = submitted(&text, &without(&["jobStart"]), &[]);
    assert!(none.is_none());
    assert!(
        findings.iter().any(|finding| finding.oozie == ["E0738"] && finding.message.contains("jobStart"))
    );
    // Namespace 0.1 has no formal parameters.
    let old = text.replace("coordinator:0.4", "coordinator:0.1");
    let (none, findings) = submitted(&old, &GIVEN, &[]);
    assert!(none.is_none() && findings.iter().any(|finding| finding.rule.name == "schema-feature-version"));
}

const HOURLY: &str = "<dataset name='logs' frequency='${coord:hours(1)}' initial-instance='2009-01-01T01:00Z' \
    timezone='UTC'><uri-template>hdfs://bar:8020/app/logs/${YEAR}/${MONTH}/${DAY}/${HOUR}</uri-template></dataset>";

fn reads(start: &str, end: &str) -> String {
    format!(
        "<input-events><data-in name='inputLogs' dataset='logs'><start-instance>{start}</start-instance>\
         <end-instance>{end}</end-instance></data-in></input-events>"
    )
}

#[test]
fn actions_get_the_uris_of_their_events() {
    // 6.7.1: the hours of the last day; with `current(-1)` as the end, as it stands there, it is one less.
    let day = |end: &str| {
        let inner = format!(
            "<datasets>{HOURLY}</datasets>{}",
            reads("${coord:current( -(coord:hoursInDay(0) - 1) )}", end)
        );
        let configuration =
            format!("<configuration>{}</configuration>", property("wfInput", "${coord:dataIn('inputLogs')}"));
        let job = job(&app(DAILY_2009, &inner, &configuration), &[], &[]);
        value(&actions(&job, 1)[0], 0)
    };
    let uri = |day: u32, hour: u32| format!("hdfs://bar:8020/app/logs/2009/01/{day:02}/{hour:02}");
    let mut expected: Vec<String> = vec![uri(2, 0)];
    expected.extend((1..=23).rev().map(|hour| uri(1, hour)));
    assert_eq!(day("${coord:current(0)}"), expected.join(","));
    assert_eq!(day("${coord:current(-1)}"), expected[1..].join(","));
    // 6.7.2
    let inner = format!(
        "<datasets>{HOURLY}<dataset name='dailyLogs' frequency='${{coord:days(1)}}' \
         initial-instance='2009-01-01T24:00Z' timezone='UTC'><uri-template>\
         hdfs://bar:8020/app/daily-logs/${{YEAR}}/${{MONTH}}/${{DAY}}</uri-template></dataset></datasets>\
         <output-events><data-out name='outputLogs' dataset='dailyLogs'>\
         <instance>${{coord:current(0)}}</instance></data-out></output-events>"
    );
    let with = |name: &str| {
        let property = property("wfOutput", &format!("${{coord:dataOut('{name}')}}"));
        app(DAILY_2009, &inner, &format!("<configuration>{property}</configuration>"))
    };
    let job = job(&with("outputLogs"), &[], &[]);
    assert_eq!(value(&actions(&job, 1)[0], 0), "hdfs://bar:8020/app/daily-logs/2009/01/02");
    let (none, findings) = submitted(&with("dailyLogs"), &[], &[]);
    assert!(none.is_none());
    assert!(findings.iter().any(|finding| finding.rule.name == "data-event-unknown"), "{findings:?}");
}

#[test]
fn actions_know_their_times_and_their_user() {
    // 6.7.3: the end is no nominal time.
    let inner =
        format!("<datasets>{HOURLY}</datasets>{}", reads("${coord:current(-23)}", "${coord:current(0)}"));
    let configuration = format!(
        "<configuration>{}{}</configuration>",
        property("nextInstance", "${coord:dateOffset(coord:nominalTime(), 1, 'DAY')}"),
        property("previousInstance", "${coord:dateOffset(coord:nominalTime(), -1, 'DAY')}")
    );
    let text = app(DAILY_2009, &inner, &configuration)
        .replace("hdfs://bar:8020/usr/joe/wf", "${nameNode}/user/${coord:user()}/examples/apps/aggregator");
    let job = job(&text, &[("nameNode", "hdfs://bar:8020")], &[]);
    let found = actions(&job, 1000);
    let nominal = |action: &Action| ProcessingZone::UTC.format(action.nominal);
    assert_eq!(
        found[..3].iter().map(nominal).collect::<Vec<_>>(),
        ["2009-01-02T00:00Z", "2009-01-03T00:00Z", "2009-01-04T00:00Z"]
    );
    assert_eq!((found.len(), nominal(&found[363])), (364, "2009-12-31T00:00Z".to_owned()));
    assert_eq!(value(&found[0], 0), "2009-01-03T00:00Z");
    assert_eq!(value(&found[0], 1), "2009-01-01T00:00Z");
    // 6.7.5
    assert_eq!(&*found[0].app_path, "hdfs://bar:8020/user/joe/examples/apps/aggregator");
    // Without a `workflow` element the definition breaks its schema.
    let bare = text.replace("<workflow>", "").replace("</workflow>", "");
    let (none, findings) = submitted(&bare, &[("nameNode", "hdfs://bar:8020")], &[]);
    assert!(none.is_none() && findings.iter().any(|finding| finding.rule.group == Group::Schema));
}

#[test]
fn the_actual_time_is_that_of_creation() {
    // 6.7.4: with a start at 24:00 the first action is that of the next day. Nobody knows here when a server would
    // create the actions; each counts as created at its nominal time, unless a time is given.
    let inner = format!(
        "<datasets>{}</datasets>{}",
        HOURLY.replace("2009-01-01T01:00Z", "2011-04-01T01:00Z"),
        reads("${coord:current(-23)}", "${coord:current(0)}")
    );
    let actual = property("actualTime", "${coord:formatTime(coord:actualTime(), 'yyyy-MM-dd')}");
    let attributes = DAILY_2009.replace("2009-01-01", "2011-05-01").replace("2009-12-31", "2011-12-31");
    let job = job(&app(&attributes, &inner, &format!("<configuration>{actual}</configuration>")), &[], &[]);
    let days: Vec<String> = actions(&job, 1000).iter().map(|action| value(action, 0)).collect();
    assert_eq!(days[..2], ["2011-05-02", "2011-05-03"]);
    assert_eq!(days.last().map(String::as_str), Some("2011-12-31"));
    let at = ProcessingZone::UTC.parse_datetime("2012-01-05T06:07Z").expect("a datetime").instant;
    let options = PlanOptions { actual: Some(at), ..Default::default() };
    let late = job.actions(options).next().expect("an action").expect("without an error");
    assert_eq!(value(&late, 0), "2012-01-05");
}

/// The input events of 6.10: A to D, each with five instances.
fn logic(logic: &str, ask: &[&str]) -> String {
    let mut datasets = String::new();
    let mut events = String::new();
    for name in ["A", "B", "C", "D"] {
        datasets.push_str(&format!(
            "<dataset name='set_{name}' frequency='${{coord:minutes(20)}}' initial-instance='2010-01-01T00:00Z' \
             timezone='UTC'><uri-template>/{name}/${{HOUR}}${{MINUTE}}</uri-template><done-flag/></dataset>"
        ));
        events.push_str(&format!(
            "<data-in name='{name}' dataset='set_{name}'><start-instance>${{coord:current(-5)}}</start-instance>\
             <end-instance>${{coord:current(-1)}}</end-instance></data-in>"
        ));
    }
    let properties: String =
        ask.iter().map(|name| property(name, &format!("${{coord:dataIn('{name}')}}"))).collect();
    app(
        "frequency='${coord:days(1)}' start='2010-01-02T12:00Z' end='2010-01-03T12:00Z' timezone='UTC'",
        &format!(
            "<datasets>{datasets}</datasets><input-events>{events}</input-events>\
             <input-logic>{logic}</input-logic>"
        ),
        &format!("<configuration>{properties}</configuration>"),
    )
    .replace("coordinator:0.4", "coordinator:0.5")
}

const HOURS: [&str; 5] = ["1140", "1120", "1100", "1040", "1020"];

/// All instances of some of the inputs.
fn all(names: &[&str]) -> Vec<String> {
    names.iter().flat_map(|name| HOURS.map(|hour| format!("/{name}/{hour}"))).collect()
}

/// Whether an action starts when these URIs exist and it has waited so long, and what its properties are then.
fn starts(text: &str, present: &[String], waited: i64) -> Option<Vec<String>> {
    let job = job(text, &[], &[]);
    let action = &actions(&job, 1)[0];
    let mut waiting = job.waiting(action).unwrap_or_else(|fault| panic!("{fault:?}"));
    let present: Present = present.iter().map(String::as_str).collect();
    let looked = waiting.look(&job, &present, waited).unwrap_or_else(|error| panic!("{error}"));
    looked.satisfied().then(|| {
        let found = waiting.configuration(&job).unwrap_or_else(|fault| panic!("{fault:?}"));
        found.iter().map(|(_, value)| value.to_string()).collect()
    })
}

#[test]
fn input_logic_takes_the_first_that_is_there() {
    // 6.10, first example.
    let or = logic("<or name='AorB'><data-in dataset='A'/><data-in dataset='B'/></or>", &["AorB"]);
    assert_eq!(starts(&or, &[], 0), None);
    assert_eq!(starts(&or, &all(&["B"]), 0), Some(vec![all(&["B"]).join(",")]));
    assert_eq!(starts(&or, &all(&["A", "B"]), 0), Some(vec![all(&["A"]).join(",")]));
    assert_eq!(starts(&or, &all(&["A"])[..4], 0), None);
    // The nested one, and its last form, in which each operation is handed on by its name.
    let nested = logic(
        "<or><and name='AandB'><data-in dataset='A'/><data-in dataset='B'/></and>\
         <and name='CandD'><data-in dataset='C'/><data-in dataset='D'/></and></or>",
        &["AandB", "CandD"],
    );
    assert_eq!(starts(&nested, &all(&["A", "C"]), 0), None);
    let found = starts(&nested, &all(&["C", "D"]), 0).expect("C and D are there");
    // The right side of `and` comes first.
    assert_eq!(found[1], all(&["D", "C"]).join(","));
    let found = starts(&nested, &all(&["A", "B"]), 0).expect("A and B are there");
    assert_eq!(found[0], all(&["B", "A"]).join(","));
}

#[test]
fn combine_fills_gaps_of_the_first_from_the_second() {
    let text =
        logic("<combine name='AorB'><data-in dataset='A'/><data-in dataset='B'/></combine>", &["AorB"]);
    let mut present = all(&["A"])[..3].to_vec();
    assert_eq!(starts(&text, &present, 0), None);
    present.extend_from_slice(&all(&["B"])[3..]);
    let found = starts(&text, &present, 0).expect("every instance is in one of them").remove(0);
    let mut parts: Vec<&str> = found.split(',').collect();
    parts.sort_unstable();
    assert_eq!(parts, ["/A/1100", "/A/1120", "/A/1140", "/B/1020", "/B/1040"]);
}

#[test]
fn a_minimum_is_enough_and_a_wait_asks_for_more() {
    let ab = |attributes: &str, of_a: &str| {
        logic(
            &format!("<or name='AorB' {attributes}><data-in dataset='A' {of_a}/><data-in dataset='B'/></or>"),
            &["AorB"],
        )
    };
    let alone = logic("<or name='A2'><data-in dataset='A' min='2'/></or>", &["A2"]);
    let two = &all(&["A"])[1..3];
    assert_eq!(starts(&alone, &two[..1], 0), None);
    assert_eq!(starts(&alone, two, 0), Some(vec!["/A/1120,/A/1100".to_owned()]));
    let min = ab("min='2'", "");
    assert_eq!(starts(&min, &all(&["B"])[..2], 0), Some(vec!["/B/1140,/B/1120".to_owned()]));
    assert_eq!(starts(&min, &all(&["B"])[..1], 0), None);
    // Ten more minutes for the rest; what comes until then is taken too.
    let wait = ab("min='2'", "wait='10'");
    assert_eq!(starts(&wait, two, 5), None);
    assert_eq!(starts(&wait, two, 11), Some(vec!["/A/1120,/A/1100".to_owned()]));
    assert_eq!(starts(&wait, &all(&["A"]), 5), Some(vec![all(&["A"]).join(",")]));
    // On the operator both reach the data-ins; a minimum of 5 is one of 5.
    let both = ab("min='5' wait='10'", "");
    assert_eq!(starts(&both, two, 11), None);
    assert_eq!(starts(&both, &all(&["A"]), 0), Some(vec![all(&["A"]).join(",")]));
    // Without quotes it is no XML.
    let mut sources = Sources::new();
    let text = both.replace("min='5'", "min=5");
    let file = sources.add("coordinator.xml", text.as_str());
    assert!(xml::read(file, &text, &xml::Limits::default()).0.is_none());
}

#[test]
fn the_user_and_the_group_are_handed_on() {
    // 9
    let text = "<bundle-app name='b' xmlns='uri:oozie:bundle:0.2'><coordinator name='c'><app-path>/c</app-path>\
        </coordinator></bundle-app>";
    let file = Sources::new().add("bundle.xml", text);
    let root = xml::read(file, text, &xml::Limits::default()).0.expect("well-formed");
    let Some(App::Bundle(app)) = model::lower(&root).0 else { panic!("a bundle") };
    let mut conf = JobConf::new();
    conf.set_all(&Layer::File, [Given::new("user.name", "joe"), Given::new("oozie.job.acl", "staff,anna")]);
    let definition = bundle::Definition { root: &root, text, model: &app };
    let (submitted, findings) = bundle::submit(definition, conf, &[], ProcessingZone::UTC);
    let submitted = submitted.unwrap_or_else(|| panic!("{findings:?}"));
    assert_eq!(submitted.group.as_deref(), Some("staff,anna"));
    let started = bundle::start(&submitted, &|_| None);
    let child = &started.children[0].conf;
    assert_eq!(
        (child.get_raw("user.name"), child.get_raw("oozie.job.acl")),
        (Some("joe"), Some("staff,anna"))
    );
}

#[test]
fn names_of_datasets_collide() {
    // 10.1.1
    let dataset = |name: &str, folder: &str| {
        format!(
            "<dataset name='{name}' frequency='${{coord:days(1)}}' initial-instance='2009-01-01T24:00Z' \
             timezone='UTC'><uri-template>/{folder}/${{DAY}}</uri-template></dataset>"
        )
    };
    let (one, two) = (dataset("logs", "one"), dataset("logs", "two"));
    let file = |inner: &str| format!("<datasets>{inner}</datasets>");
    let text = |datasets: &str| {
        let inner = format!(
            "<datasets>{datasets}</datasets><input-events><data-in name='i' dataset='logs'>\
             <instance>${{coord:current(0)}}</instance></data-in></input-events>"
        );
        app(DAILY_2009, &inner, "")
    };
    let uri = |text: &str, files: &[(&str, &str)]| {
        let (job, _) = submitted(text, &[], files);
        job.map(|job| actions(&job, 1)[0].inputs[0].uris[0].to_string())
    };
    // Embedded ones of one name: the later one, on a server.
    assert_eq!(uri(&text(&format!("{one}{two}")), &[]).as_deref(), Some("/two/02"));
    // In two included files, or twice in one: refused.
    let include = "<include>/a.xml</include><include>/b.xml</include>";
    let (a, b) = (file(&one), file(&two));
    let (none, findings) = submitted(&text(include), &[], &[("/a.xml", &a), ("/b.xml", &b)]);
    assert!(none.is_none());
    assert!(findings.iter().any(|finding| finding.rule.name == "dataset-duplicate"), "{findings:?}");
    let twice = file(&format!("{one}{two}"));
    let (none, findings) = submitted(&text("<include>/a.xml</include>"), &[], &[("/a.xml", &twice)]);
    assert!(none.is_none() && findings.iter().any(|finding| finding.rule.name == "dataset-duplicate"));
    // An embedded one comes before an included one.
    let both = format!("<include>/a.xml</include>{two}");
    assert_eq!(uri(&text(&both), &[("/a.xml", &a)]).as_deref(), Some("/two/02"));
}

#[test]
fn service_levels_are_counted_from_the_nominal_time() {
    // 12, first example, with an hourly frequency that exists and without the alert frequency.
    let inner = "<datasets><dataset name='logs' frequency='FREQUENCY' initial-instance='2009-01-01T09:00Z' \
        timezone='America/Los_Angeles'><uri-template>\
        hdfs://bar:8020/app/logs/${YEAR}/${MONTH}/${DAY}/${HOUR}/data</uri-template></dataset></datasets>\
        <input-events><data-in name='input' dataset='logs'>\
        <start-instance>${coord:current( -(coord:hoursInDay(0) - 1) )}</start-instance>\
        <end-instance>${coord:current(0)}</end-instance></data-in></input-events>";
    let sla = "<sla:info><sla:nominal-time>${coord:nominalTime()}</sla:nominal-time>\
        <sla:should-start>${5 * MINUTES}</sla:should-start><sla:should-end>${55 * MINUTES}</sla:should-end>\
        <sla:max-duration>${1 * HOURS}</sla:max-duration><sla:alert-contact>joe@example.com</sla:alert-contact>\
        <sla:upstream-apps>application-a,application-b</sla:upstream-apps>ALERT</sla:info>";
    let text = app(
        "frequency='${coord:days(1)}' start='2009-01-02T08:01Z' end='2010-01-01T08:01Z' \
         timezone='America/Los_Angeles' xmlns:sla='uri:oozie:sla:0.2'",
        inner,
        "",
    )
    .replace("</workflow></action>", &format!("</workflow>{sla}</action>"));
    let mended = text.replace("FREQUENCY", "${coord:hours(1)}").replace("ALERT", "");
    let job = job(&mended, &[], &[]);
    let action = &actions(&job, 1)[0];
    let Some(SlaOutcome::Registered(level)) = &action.sla else { panic!("{:?}", action.sla) };
    let at = |instant: Option<ankus::time::Instant>| instant.map(|at| ProcessingZone::UTC.format(at));
    assert_eq!(at(level.nominal).as_deref(), Some("2009-01-02T08:01Z"));
    assert_eq!(at(level.expected_start).as_deref(), Some("2009-01-02T08:06Z"));
    assert_eq!(at(level.expected_end).as_deref(), Some("2009-01-02T08:56Z"));
    assert_eq!(level.expected_duration_millis, 3_600_000);
    assert_eq!(level.alert_contact.as_deref(), Some("joe@example.com"));
    assert_eq!(level.upstream_apps.as_deref(), Some("application-a,application-b"));
    assert_eq!(action.inputs[0].uris.len(), 24);
    // As it stands there: `HOURS` is no constant of a frequency.
    let (none, findings) =
        submitted(&text.replace("FREQUENCY", "${1 * HOURS}").replace("ALERT", ""), &[], &[]);
    assert!(none.is_none());
    assert!(findings.iter().any(|f| f.rule.name == "parameter-undefined" && f.message.contains("HOURS")));
}

#[test]
fn a_workflow_has_its_service_level_at_its_end() {
    // 12, second example, with what its schema demands: there the level stands before the end node, which is not allowed.
    let sla = "<sla:info><sla:app-name>hello</sla:app-name><sla:nominal-time>${nominal_time}</sla:nominal-time>\
        <sla:should-start>${10 * MINUTES}</sla:should-start><sla:should-end>${30 * MINUTES}</sla:should-end>\
        <sla:alert-contact>joe@example.com</sla:alert-contact><sla:dev-contact>abc@example.com</sla:dev-contact><sla:qa-contact>abc@example.com</sla:qa-contact>\
        <sla:se-contact>abc@example.com</sla:se-contact></sla:info>";
    let findings = |inner: &str| {
        let text = format!(
            "<workflow-app name='hello-wf' xmlns='uri:oozie:workflow:0.2' xmlns:sla='uri:oozie:sla:0.1'>\
             <start to='end'/>{inner}</workflow-app>"
        );
        let file = Sources::new().add("workflow.xml", text.as_str());
        let root = xml::read(file, &text, &xml::Limits::default()).0.expect("well-formed");
        let Some(App::Workflow(_)) = model::lower(&root).0 else { panic!("a workflow") };
        schema::check(&root, &text, schema::Kind::Workflow)
    };
    let end = "<end name='end'/>";
    let found = findings(&format!("{end}{sla}"));
    assert!(found.is_empty(), "{found:?}");
    let found = findings(&format!("{sla}{end}"));
    assert!(found.iter().any(|finding| finding.rule.group == Group::Schema), "{found:?}");
}
