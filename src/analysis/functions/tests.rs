//! Maps, partitions and phases; what is recorded stands in `tests/reference_el.rs`.

use super::*;
use crate::source::{Sources, Span, Text};

fn value(text: &str, world: &World, phase: Phase) -> String {
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
