//! What expressions are known to give, read and ask for, one by one.

use super::*;
use crate::analysis::parameters::{Given, JobConf, Layer};
use crate::analysis::testing::{app, text, workflow};
use crate::analysis::{flow::Flow, subject};
use crate::model::functions::Phase;

fn parsed(value: &str) -> el::Template {
    el::parse(&text(value)).0
}

/// The expression of a text with one.
fn root(template: &el::Template) -> el::NodeId {
    match &template.parts[..] {
        [el::Part::Expression { root, .. }] => *root,
        parts => panic!("{parts:?}"),
    }
}

#[test]
fn kinds_of_values_are_known_before_the_values() {
    let check = |value: &str, phase, expected: Kind| {
        let template = parsed(value);
        assert_eq!(kinds(&template, phase)[root(&template).0 as usize], expected, "{value}");
    };
    let workflow = [
        ("${null}", Kind::Null),
        ("${true}", Kind::Bool),
        ("${1}", Kind::Number),
        ("${1.5}", Kind::Number),
        ("${99999999999999999999}", Kind::Number),
        ("${'x'}", Kind::Text),
        ("${name}", Kind::Text),
        ("${MB}", Kind::Number),
        ("${-name}", Kind::Number),
        ("${!name}", Kind::Bool),
        ("${empty name}", Kind::Bool),
        ("${a + b}", Kind::Number),
        ("${a - b}", Kind::Number),
        ("${a * b}", Kind::Number),
        ("${a / b}", Kind::Number),
        ("${a % b}", Kind::Number),
        ("${a == b}", Kind::Bool),
        ("${a lt b}", Kind::Bool),
        ("${a and b}", Kind::Bool),
        ("${a ? 'x' : 'y'}", Kind::Text),
        ("${a ? 1 : 2}", Kind::Number),
        ("${a ? 1 : 'y'}", Kind::Any),
        ("${wf:id()}", Kind::Text),
        ("${wf:run()}", Kind::Number),
        ("${fs:fileSize(x)}", Kind::Number),
        ("${fs:exists(x)}", Kind::Bool),
        ("${wf:actionData('n')}", Kind::Map),
        ("${wf:actionData('n')['k']}", Kind::Text),
        ("${wf:actionData('n')['k']['l']}", Kind::Any),
        ("${hadoop:counters('n')}", Kind::Map),
        ("${hadoop:counters('n')['g']}", Kind::Map),
        ("${hadoop:counters('n')['g']['c']}", Kind::Number),
        ("${wf:nothing()}", Kind::Any),
        ("${name['k']}", Kind::Any),
    ];
    for (value, expected) in workflow {
        check(value, Phase::Workflow, expected);
    }
    check("${YEAR}", Phase::CoordJobSubmitNofuncs, Kind::Text);
    check("${MINUTE}", Phase::CoordJobSubmitFreq, Kind::Text);
}

#[test]
fn numbers_are_worked_out_where_nothing_else_takes_part() {
    let check = |value: &str, expected: Option<f64>| {
        let template = parsed(value);
        assert_eq!(number(&template, root(&template)), expected, "{value}");
    };
    check("${7}", Some(7.0));
    check("${1.25}", Some(1.25));
    check("${-7}", Some(-7.0));
    check("${7 + 2}", Some(9.0));
    check("${7 - 2}", Some(5.0));
    check("${7 * 2}", Some(14.0));
    check("${7 / 2}", Some(3.5));
    check("${7 % 4}", Some(3.0));
    check("${(1 + 2) * -(3 - 5) / 4}", Some(1.5));
    check("${7 + n}", None);
    check("${7 == 7}", None);
    check("${'7'}", None);
    check("${!7}", None);
    // The numbers of an operand that stands in something else.
    let template = parsed("${concat('x', 2 * 3)}");
    let el::NodeKind::Call { arguments, .. } = &template.node(root(&template)).kind else { panic!() };
    assert_eq!(number(&template, arguments[1]), Some(6.0));
    assert_eq!(number(&template, arguments[0]), None);
}

#[test]
fn words_are_what_could_name_a_variable() {
    assert_eq!(words("a.b_1-c d${e}").collect::<Vec<_>>(), ["a", "b_1", "c", "d", "e"]);
    assert_eq!(words("é  ").count(), 0);
    assert_eq!(words("_x").collect::<Vec<_>>(), ["_x"]);
}

#[test]
fn names_are_read_unless_one_is_only_known_later() {
    let read = |values: &[&str]| {
        let message = values.join("</message></kill><kill name='k'><message>");
        let document = format!(
            "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><start to='e'/><kill name='k'><message>{message}\
             </message></kill><end name='e'/></workflow-app>"
        );
        let app = app(&document);
        let expressions = of_app(&app, Values::unknown().version);
        names_read(&expressions).map(|names| names.into_iter().collect::<Vec<_>>().join(" "))
    };
    let names = |names: &str| Some(names.to_owned());
    assert_eq!(read(&["${a}${b + 1}"]), names("a b"));
    assert_eq!(read(&["${wf:conf('my.x')}"]), names("my x"));
    assert_eq!(read(&["${a}", "{c} ${1}"]), names("a c"));
    assert_eq!(read(&["plain ${1}"]), names(""));
    // What it asks for is put together when it runs.
    assert_eq!(read(&["${wf:conf(concat('a', b))}"]), None);
    assert_eq!(read(&["${coord:conf(b)}"]), None);
    assert_eq!(read(&["${bundle:conf(b)}"]), None);
    assert_eq!(read(&["${hadoop:conf(b, 'x')}"]), names("b x"));
    assert_eq!(read(&["${wf:user()}${a"]), None);
}

#[test]
fn calls_that_name_a_node_are_found_with_their_places() {
    let model = workflow(
        "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><start to='a'/>\
         <kill name='a'><message>${wf:errorMessage('a')} ${wf:actionData(x)} ${wf:conf('a')}</message></kill>\
         <kill name='b'><message>${concat('é', hadoop:counters('gone')['g']['c'])}</message></kill>\
         <end name='e'/></workflow-app>",
    );
    let flow = Flow::new(&model);
    let subject = subject::Workflow::new(&model);
    let uses: Vec<_> = node_uses(&subject.expressions, &flow)
        .map(|it| (it.function, it.name, it.holder.map(|id| id.index()), it.target.map(|id| id.index())))
        .collect();
    let of = |name| model.nodes.iter().position(|node| node.name.value == name);
    assert_eq!(
        uses,
        [("wf:errorMessage", "a", of("a"), of("a")), ("hadoop:counters", "gone", of("b"), None),]
    );
    for it in node_uses(&subject.expressions, &flow) {
        let text = &it.expression.template.text.value;
        let from = text.find(&format!("'{}'", it.name)).expect("it is written there") + 1;
        assert_eq!(it.span, it.expression.parsed.text.span_of(from..from + it.name.len()));
    }
}

#[test]
fn predicates_come_to_something() {
    let no = |why: &'static str| Predicate::NoBoolean(why);
    let text_of_it = no("it always gives the same text, which is not `true`");
    let check = |value: &str, expected: Predicate| {
        assert_eq!(predicate(&parsed(value), Values::unknown()), expected, "{value}");
    };
    check("true", Predicate::Always);
    check(" ${true}\n", Predicate::Always);
    check("${false}", Predicate::Never);
    check("${1 gt 2}", Predicate::Never);
    check("${'yes'}", text_of_it.clone());
    check("${1 + 1}", text_of_it);
    check("yes", no("it is plain text, not an expression"));
    check("${wf:run() gt 2}", Predicate::Open);
    check("${x}", Predicate::Open);
    check("${x ? 'true' : 'no'}", Predicate::Open);
    check("${x ? true : 'no'}", Predicate::Open);
    check("${x ? 'false' : false}", Predicate::Never);
    check(" ${x ? ' false' : 'false '} ", Predicate::Never);
    let chosen = no("none of the texts that it chooses from is `true`");
    check("${x ? 'a' : 'b'}", chosen.clone());
    check("${x ? null : 2}", chosen.clone());
    check("${x ? (y ? 1.5 : 'false') : 'b'}", chosen);
    check("${x ? y : 'b'}", Predicate::Open);
    check("${x + 1}", no("a number is never `true`"));
    check("${wf:actionData('n')}", no("a map is never `true`"));
    check("${x}tr${y}", Predicate::Open);
    check("${x}et", no("what stands outside `${…}` is text, so that all of it is never `true`"));
    check(
        "no ${x ? 'false' : false}",
        no("what stands outside `${…}` is text, so that all of it is never `true`"),
    );
    check("${x ? true : false}", Predicate::Open);
    check("${x ? 'false' : null}", no("none of the texts that it chooses from is `true`"));
    check("${x ? 'false' : ''}${x ? 'false' : ''}", Predicate::Open);
    check("${wf:run() * 2 gt 2 ? 1.5 : 2}", no("none of the texts that it chooses from is `true`"));
    check("not ${x}", no("what stands outside `${…}` is text, so that all of it is never `true`"));
    let more = no("a boolean with more text beside it is never `true`");
    check("${x == 1}e", more.clone());
    check("${x == 1}${y == 1}", more);
    check("${x == 1} ${y}", Predicate::Open);
    check("${", Predicate::Open);
}

#[test]
fn the_same_predicate_has_one_form() {
    let form = |value: &str| normal_form(&parsed(value));
    assert_eq!(form(" ${a  ==  'x'} "), form("${a == \"x\"}"));
    assert_eq!(form("${a eq 'x'}"), form("${a == 'x'}"));
    assert_ne!(form("${a == 'x'}"), form("${a == 'y'}"));
    assert_eq!(form("true"), None);
    assert_eq!(form("${a == 99999999999999999999}"), None);
    assert_eq!(form("${a"), None);
}

#[test]
fn operands_that_never_fit_are_told() {
    let document = |message: &str| {
        format!(
            "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><start to='k'/><kill name='k'><message>{message}\
             </message></kill><end name='e'/></workflow-app>"
        )
    };
    let mut conf = JobConf::new();
    let given = [("n", "2.5"), ("word", "abc"), ("open", "${later}")];
    conf.set_all(&Layer::File, given.map(|(name, value)| Given::new(name, value)));
    let app_of = |message: &str| app(&document(message));
    let check = |message: &str, expected: usize| {
        let app = app_of(message);
        let values = Values::of(&app, conf.clone(), &[], false);
        let found = operands::check(&of_app(&app, values.version)[0], &values);
        assert_eq!(found.len(), expected, "{message}: {found:?}");
    };
    check("${word gt 5}", 1);
    check("${word + 1}", 1);
    check("${open gt 5}", 0);
    check("${other gt 5}", 0);
    check("${MB gt 5}", 0);
    check("${wf:conf('word') gt 5}", 1);
    check("${wf:conf('open') gt 5}", 0);
    check("${wf:conf(word) gt 5}", 0);
    check("${fs:exists('x') gt 5}", 1);
    check("${wf:run() gt 5}", 0);
    check("${wf:id() gt 5}", 0);
    check("${wf:nothing() gt 5}", 0);
    check("${coord:hours(1) and true}", 0);
    check("${trim('word') gt 5}", 0);
    check("${concat('word', 'word') gt 5}", 0);
    check("${wf:actionData('n') gt 5}", 1);
    check("${wf:conf('none') gt 5}", 0);
    let app = app_of("${other ? word gt 5 : true}");
    let values = Values::of(&app, conf.clone(), &[], false);
    let found = operands::check(&of_app(&app, values.version)[0], &values);
    let said: Vec<_> = found.iter().map(|it| (it.severity, it.stage, it.help.as_deref())).collect();
    assert_eq!(said, [(Severity::Warning, None, Some("mend it: it fails once it is evaluated"))]);
}

#[test]
fn what_start_does_not_reach_is_a_warning() {
    let model = workflow(
        "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><start to='e'/><kill name='k'>\
         <message>${nothing:at(all)}</message></kill><end name='e'/></workflow-app>",
    );
    let subject = subject::Workflow::new(&model);
    let finding =
        || Diagnostic::new(&el::EL_ARGUMENTS, subject.expressions[0].template.text.span_of(0..1), "x");
    let [unreached] = &subject.expressions[..] else { panic!() };
    assert!(!unreached.is_reached);
    let said = unreached.placed(finding());
    assert_eq!((said.stage, said.severity), (None, Severity::Warning));
    // What is evaluated at submission counts wherever it stands.
    let model = workflow(
        "<workflow-app xmlns='uri:oozie:workflow:0.5' xmlns:sla='uri:oozie:sla:0.2' name='${n}'><start to='k'/>\
         <action name='a'><fs><mkdir path='${p}'/></fs><ok to='e'/><error to='e'/><sla:info><sla:nominal-time>${t}\
         </sla:nominal-time></sla:info></action><kill name='k'><message>${m}</message></kill><end name='e'/>\
         </workflow-app>",
    );
    let subject = subject::Workflow::new(&model);
    let reached = subject.expressions.iter().map(|it| (it.template.text.value.trim(), it.is_reached));
    assert_eq!(
        reached.collect::<Vec<_>>(),
        [("${n}", true), ("${p}", false), ("${t}", true), ("${m}", true)]
    );
    let app = app(
        "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w${x'><start to='e'/><end name='e'/></workflow-app>",
    );
    let all = of_app(&app, Values::unknown().version);
    assert!(all[0].is_reached);
    let found = check(&all, Values::unknown());
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].stage, found[0].severity), (Some(Stage::Submit), Severity::Error));
}
