//! Maps, partitions, variables and phases; what is recorded stands in `tests/reference_el.rs`.

use super::*;
use crate::source::{Sources, Span, Text};

pub(super) fn value(text: &str, world: &World, phase: Phase) -> String {
    let span = Span::new(Sources::new().add("test", text), 0..text.len());
    let (template, _) = el::parse(&Text::verbatim(text, span));
    match el::evaluate_and_wrap(&template, &InPhase::new(world, phase)) {
        Ok(echoed) => echoed.text,
        Err(error) => error.java.into_owned(),
    }
}

#[test]
fn maps_print_in_the_order_of_java() {
    let data = "b=2\na=1\nzeta=26\nkey.with.dots=v\n";
    let action = Action { name: "p".to_owned(), data: Some(data.to_owned()), ..Action::default() };
    let world = World { actions: Some(vec![action]), ..World::default() };
    let check = |text, expected| assert_eq!(value(text, &world, Phase::Workflow), expected, "{text}");
    check("${wf:actionData('p')}", "{zeta=26, a=1, b=2, key.with.dots=v}");
    check("${toJsonStr(wf:actionData('none'))}", "{}");
}

#[test]
fn partitions_are_found_by_what_they_are_asked_for() {
    let partitions = vec!["hcat://h:1/db/t/dt=1;region=us".to_owned()];
    let world = World { partitions, ..World::default() };
    let check = |text, expected| assert_eq!(value(text, &world, Phase::Workflow), expected, "{text}");
    check("${hcat:exists('hcat://h:1/db/t/region=us;dt=1')}", "true");
    check("${hcat:exists('hcat://h:1/db/t/dt=1')}", "true");
    check("${hcat:exists('hcat://h:1/db/t/dt=2')}", "false");
    check("${hcat:exists('hcat://h:1/db/u/dt=1')}", "false");
}

#[test]
fn what_a_phase_defers_is_printed_in_braces() {
    let world = World { nominal: Some("2024-01-01T00:00Z".to_owned()), ..World::default() };
    let check = |text, phase, expected| assert_eq!(value(text, &world, phase), expected, "{text}");
    check("a/${coord:dataIn('x')}", Phase::CoordJobSubmitData, "${a/coord:dataIn('x')}");
    let nested = "${coord:formatTime(coord:nominalTime(), 'yyyy')}";
    check(nested, Phase::CoordJobSubmitData, "${coord:formatTime('coord:nominalTime()' , yyyy)}");
    check(nested, Phase::CoordActionStart, "2024");
    check(
        "${coord:current(coord:hoursInDay(0) * -1)}",
        Phase::CoordJobSubmitInstances,
        "${coord:current(-24)}",
    );
    check("${coord:days(2) + 1}", Phase::CoordJobSubmitFreq, "3");
    check("${coord:days(0)}", Phase::CoordJobSubmitFreq, "IllegalArgumentException");
    check("${coord:current(0)}", Phase::CoordActionCreate, "RuntimeException");
    check("${YEAR}/${MONTH}", Phase::CoordJobSubmitNofuncs, "${YEAR}/${MONTH}");
}

#[test]
fn properties_that_are_identifiers_are_variables() {
    for name in ["a", "_", "A9_b", "aB"] {
        assert!(is_variable(name), "{name}");
    }
    for name in ["", "9a", "a.b", "a-b", "é", "a b", "."] {
        assert!(!is_variable(name), "{name}");
    }
}

#[test]
fn variables_are_made_as_each_phase_makes_them() {
    let conf = [("a", " 1 "), ("blank", ""), ("amp", "a&b"), ("my.name", " z ")];
    let conf: indexmap::IndexMap<_, _> =
        conf.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let still = World { conf, ..World::default() };
    let running = World { actions: Some(Vec::new()), ..still.clone() };
    let variables = |world: &World, phase| {
        let seen = InPhase::new(world, phase);
        let names = ["a", "blank", "amp", "my.name", "none"];
        names.map(|name| seen.text_variable(name).unwrap_or_else(|| "-".to_owned())).join("|")
    };
    // Where nothing is said of a workflow that runs, properties are variables as they stand.
    assert_eq!(variables(&still, Phase::Workflow), " 1 ||a&b| z |-");
    assert_eq!(variables(&running, Phase::Workflow), "1|-|a&amp;b|-|-");
    assert_eq!(variables(&running, Phase::BundleSubmit), "1||a&b|z|-");
    assert_eq!(variables(&still, Phase::CoordJobSubmitNofuncs), "1||a&b|z|-");
    assert_eq!(variables(&still, Phase::CoordActionStart), "1|-|a&b|z|-");
    let check =
        |world: &World, phase, text, expected| assert_eq!(value(text, world, phase), expected, "{text}");
    check(&running, Phase::Workflow, "${a}", "1");
    check(&running, Phase::Workflow, "${blank}", "ELException");
    check(&still, Phase::BundleSubmit, "[${bundle:conf('my.name')}${bundle:conf('none')}]", "[z]");
    check(&still, Phase::CoordJobSubmitNofuncs, "${coord:conf('YEAR')}", "${YEAR}");
    let seen = InPhase::new(&still, Phase::BundleSubmit);
    assert_eq!((seen.phase(), seen.world().conf.len()), (Phase::BundleSubmit, 4));
}

#[test]
fn clusters_have_configurations_by_host() {
    let of_host = [("fs.hdfs.impl.disable.cache", "false"), ("k", "v"), ("blank", "")];
    let of_host = of_host.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let other = [("fs.hdfs.impl.disable.cache".to_owned(), String::new())].into();
    let hadoop_conf = [("nn1:8020".to_owned(), of_host), ("nn2:8020".to_owned(), other)].into();
    let world = World { hadoop_conf, ..World::default() };
    let check = |host: &str, name: &str, expected: &str| {
        let found = value(&format!("${{hadoop:conf('{host}', '{name}')}}"), &world, Phase::Workflow);
        assert_eq!(found, expected, "{host} {name}");
    };
    check("nn1:8020", "k", "v");
    check("nn1:8020", "blank", "");
    check("nn1:8020", "fs.hdfs.impl.disable.cache", "false");
    check("nn2:8020", "fs.hdfs.impl.disable.cache", "true");
    check("nn3:8020", "fs.hdfs.impl.disable.cache", "true");
    check("nn2:8020", "k", "");
}
