//! The laws of layers.

use proptest::prelude::*;

use super::*;
use crate::analysis::testing::line;
use crate::properties;
use crate::source::Sources;

fn place() -> Span {
    Span::new(Sources::new().add("x", ""), 0..0)
}

fn conf(pairs: &[(&str, &str)]) -> JobConf {
    let mut conf = JobConf::new();
    conf.set_all(&Layer::File, pairs.iter().map(|(name, value)| Given::new(*name, *value)));
    conf
}

#[test]
fn loops_are_named() {
    let check = |pairs: &[(&str, &str)], expected: &[&str]| {
        let messages: Vec<_> = conf(pairs).resolve(place()).into_iter().map(|found| found.message).collect();
        assert_eq!(messages, expected);
    };
    check(&[("a", "${a}")], &["`a` refers to itself"]);
    check(
        &[("a", "${c}"), ("b", "${c}"), ("c", "${b}")],
        &["properties refer to each other in a loop: `b` → `c` → `b`"],
    );
    check(&[("a", "1"), ("b", &"${a}".repeat(20))], &["`b` needs 20 or more replacements"]);
    check(&[("a", "1"), ("b", "${a}")], &[]);
    // A reference to itself behind those that the server follows is none of a loop, and the value is told all the same.
    check(&[("a", "1"), ("b", &("${a}".repeat(20) + "${b}"))], &["`b` needs 20 or more replacements"]);
    // Names that have no value end the walk, and what is no reference is none.
    check(&[("a", "${none}${a}"), ("b", "${ b}"), ("c", "${c"), ("d", "{d}$")], &[]);
    // A chain is told at its top, not at every link that is too far from the end.
    let chain: Vec<_> = (0..30).map(|n| (format!("p{n:02}"), format!("${{p{:02}}}", n + 1))).collect();
    let mut chain: Vec<(&str, &str)> = chain.iter().map(|(name, value)| (&**name, &**value)).collect();
    chain.push(("p30", "1"));
    check(&chain, &["`p00` needs 20 or more replacements"]);
}

#[test]
fn loops_are_told_once_from_their_smallest_name() {
    let text = "top=${c}\na=${b}\nb=${c}\nc=x${a}\nself=${self}";
    let file = Sources::new().add("job.properties", text);
    let mut conf = JobConf::new();
    conf.set_all(&Layer::File, given(&properties::read(file, text).0));
    // One of them stands nowhere.
    conf.set(Layer::Definition, Given::new("aside", "${aside}"));
    let found: Vec<_> = conf.resolve(Span::new(file, 90..91)).iter().map(line).collect();
    let help = "write the value out; the server follows fewer than 20 references";
    let expected = [
        "9..15: properties refer to each other in a loop: `a` → `b` → `c` → `a` \
         | 16..22: `b` is part of the loop | 23..30: `c` is part of the loop",
        "90..91: `aside` refers to itself",
        "31..43: `self` refers to itself",
    ];
    assert_eq!(found, expected.map(|found| format!("error property-cycle submit {found} > {help}")));
    assert_eq!(conf.get_raw("top"), Some("${c}"));
    assert_eq!((conf.get("top"), conf.get_lenient("top")), (Err(TooDeep), Some("${c}".to_owned())));
}

#[test]
fn loops_are_looked_for_where_they_can_be_reached() {
    let check = |pairs: &[(String, String)], expected: &[&str]| {
        let pairs: Vec<_> = pairs.iter().map(|(name, value)| (&**name, &**value)).collect();
        let messages: Vec<_> = conf(&pairs).resolve(place()).into_iter().map(|found| found.message).collect();
        assert_eq!(messages, expected);
    };
    let pair = |name: &str, value: String| (name.to_owned(), value);
    // Behind many names that lead nowhere: each is looked at once.
    let mut wide = vec![pair("one", "1".to_owned()), pair("self", "${self}".to_owned())];
    for outer in 0..19 {
        for inner in 0..10 {
            wide.push((format!("x{outer}-{inner}"), "1".to_owned()));
        }
        wide.push((format!("m{outer}"), (0..10).map(|inner| format!("${{x{outer}-{inner}}}")).collect()));
    }
    wide.push(pair("top", (0..19).map(|outer| format!("${{m{outer}}}")).collect::<String>() + "${self}"));
    check(&wide, &["`self` refers to itself"]);
    // Many ways to the same names are one.
    let mut dense: Vec<_> =
        (0..15).map(|n| (format!("d{n:02}"), format!("${{d{:02}}}", n + 1).repeat(20))).collect();
    dense.push(pair("d15", "1".to_owned()));
    check(&dense, &["`d00` needs 20 or more replacements"]);
    // A loop that no server gets to is not what is wrong.
    let mut long: Vec<_> = (0..29).map(|n| (format!("p{n:02}"), format!("${{p{:02}}}", n + 1))).collect();
    long.push(pair("p29", "${p29}".to_owned()));
    check(&long, &["`p29` refers to itself", "`p00` needs 20 or more replacements"]);
}

#[test]
fn growth_is_bounded() {
    // What has no value ends the search at once.
    let long = "${none}".to_owned() + &"x".repeat(MAX_GROWTH - "${none}".len());
    let mut conf =
        conf(&[("long", &long), ("one", "1"), ("p1", "${long}"), ("p2", "${one}"), ("p3", "${p2}")]);
    let found: Vec<_> = conf.resolve(place()).iter().map(line).collect();
    let expected =
        ["error configuration-too-long submit 0..0: `p2` makes the configuration longer than 64 MiB"];
    assert_eq!(found, expected);
    assert_eq!((conf.get_raw("p1").map(str::len), conf.get_raw("p2")), (Some(MAX_GROWTH), Some("${one}")));
}

#[test]
fn the_user_has_two_names() {
    let mut conf = conf(&[("mapreduce.job.user.name", "a")]);
    assert_eq!(conf.get_raw("user.name"), Some("a"));
    conf.set(Layer::Definition, Given::new("user.name", "b"));
    assert_eq!(conf.get_raw(" mapreduce.job.user.name\n"), Some("b"));
    assert_eq!(conf.len(), 1);
}

#[test]
fn storing_trims_and_drops_what_is_empty() {
    let stored = conf(&[("a", " x "), ("b", ""), ("c", " \n "), ("d", "\u{b}")]).stored();
    assert_eq!(stored.iter().collect::<Vec<_>>(), [("a", "x"), ("d", "\u{b}")]);
}

#[test]
fn trimming_cuts_control_characters_and_keeps_what_is_empty() {
    let mut conf = conf(&[("a", " x "), ("b", "y"), ("c", " \u{b}\n "), ("d", "\u{a0}z")]).shared();
    conf.set(Layer::Definition, Given::new("e", "\tw"));
    conf.trim();
    let expected = [("a", "x"), ("b", "y"), ("c", ""), ("d", "\u{a0}z"), ("e", "w")];
    assert_eq!(conf.iter().collect::<Vec<_>>(), expected);
    assert_eq!(steps(&conf, "a"), ["File  x "]);
}

/// The steps behind a value.
fn steps(conf: &JobConf, name: &str) -> Vec<String> {
    let uses = |step: &Step| if step.uses.is_empty() { String::new() } else { format!(" {:?}", step.uses) };
    conf.steps(name).iter().map(|step| format!("{:?} {}{}", step.layer, step.value, uses(step))).collect()
}

#[test]
fn layers_have_words() {
    let found = [
        Layer::FormalDefault,
        Layer::DefaultFile,
        Layer::File,
        Layer::Profile,
        Layer::Definition,
        Layer::Server,
        Layer::Coordinator("c".to_owned()),
        Layer::Action,
        Layer::SubWorkflow("s".to_owned()),
        Layer::Substitution,
    ]
    .map(|layer| layer.describe());
    let expected = [
        "default of the formal parameter",
        "default file",
        "property file",
        "profile",
        "command line",
        "set as the server does",
        "configuration of coordinator `c` in the bundle",
        "configuration of the coordinator's workflow",
        "configuration of sub-workflow action `s`",
        "with values put in",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_job_knows_its_server() {
    let version = Version::new("5.1").expect("a version");
    let zone = ProcessingZone::parse("GMT+0530").expect("a zone");
    let conf = conf(&[("a", " 1 ")]).on(version).in_zone(zone);
    let mut trimmed = conf.clone();
    trimmed.trim();
    let all = [conf.beside(), conf.clone().shared(), conf.stored(), trimmed, conf];
    for (conf, value) in all.iter().zip([None, Some(" 1 "), Some("1"), Some("1"), Some(" 1 ")]) {
        assert_eq!((conf.version(), conf.zone(), conf.engine()), (version, zone, Engine::Legacy));
        assert_eq!((conf.get_raw("a"), conf.is_empty()), (value, value.is_none()));
    }
    assert_eq!(JobConf::new().engine(), Engine::Current);
}

#[test]
fn a_value_keeps_the_steps_that_led_to_it() {
    let mut sources = Sources::new();
    let [a, b] = ["a", "b"].map(|path| Span::new(sources.add(path, "n=1\nn=2"), 0..3));
    let mut conf = JobConf::new();
    let given = |value: &str| Given::new("n", value);
    conf.set(Layer::File, given("1").at(a));
    assert_eq!(steps(&conf, "n"), ["File 1"]);
    // The later of two in one file is the one that counts.
    conf.set(Layer::File, given("2").at(a));
    conf.set(Layer::File, given("3").at(b));
    conf.set(Layer::Definition, given("4"));
    assert_eq!(steps(&conf, "n"), ["File 2", "File 3", "Definition 4"]);
    assert_eq!(conf.span("n"), Some(b));
    conf.set_evaluated(Layer::Action, given("5"), "5", Vec::new());
    conf.set_evaluated(Layer::SubWorkflow("s".to_owned()), given("${x}"), "6", vec!["x".to_owned()]);
    let all =
        ["File 2", "File 3", "Definition 4", "Action 5", "SubWorkflow(\"s\") ${x}", "Substitution 6 [\"x\"]"];
    assert_eq!(steps(&conf, "n"), all);
    assert_eq!((conf.get_raw("n"), conf.span("n"), conf.span("none")), (Some("6"), Some(b), None));
}

#[test]
fn defaults_stay_below() {
    let mut conf = conf(&[("a", "1")]);
    conf.inject_defaults([("a", "2"), (" b", "3"), ("b ", "4")].map(|(name, value)| Given::new(name, value)));
    assert_eq!(conf.iter().collect::<Vec<_>>(), [("a", "1"), ("b", "4")]);
    assert_eq!(steps(&conf, "a"), ["DefaultFile 2", "File 1"]);
    assert_eq!(steps(&conf, "b"), ["DefaultFile 4"]);
}

#[test]
fn a_reference_without_a_value_stays_and_is_no_step() {
    let mut conf = conf(&[("a", "${none}"), ("b", "${a}/x"), ("c", "${")]);
    assert!(conf.resolve(place()).is_empty());
    assert_eq!(conf.iter().collect::<Vec<_>>(), [("a", "${none}"), ("b", "${none}/x"), ("c", "${")]);
    let found = ["a", "b", "c"].map(|name| steps(&conf, name).join(", "));
    assert_eq!(found, ["File ${none}", "File ${a}/x, Substitution ${none}/x [\"a\"]", "File ${"]);
}

#[test]
fn values_are_read_with_what_they_refer_to() {
    let conf = conf(&[("a", "1"), ("b", "${a}2"), ("l", "${l}")]).shared();
    assert_eq!(conf.get("b"), Ok(Some("12".to_owned())));
    assert_eq!(conf.get("none"), Ok(None));
    assert_eq!(conf.get("l"), Err(TooDeep));
    let lenient = ["b", "none", "l"].map(|name| conf.get_lenient(name));
    assert_eq!(lenient, [Some("12".to_owned()), None, Some("${l}".to_owned())]);
    assert!(conf.contains("a") && !conf.contains("none") && !conf.contains("1"));
    assert!(JobConf::new().is_empty() && JobConf::new().shared().is_empty());
    assert!(!conf.is_empty() && !self::conf(&[("a", "1")]).is_empty());
    assert_eq!((conf.len(), JobConf::new().len()), (3, 0));
}

#[test]
fn entries_of_files_are_given_with_their_places() {
    let text = "a=1\nb : 2 \n";
    let file = Sources::new().add("job.properties", text);
    let found = given(&properties::read(file, text).0);
    let at = |range| Span::new(file, range);
    assert_eq!(found, [Given::new("a", "1").at(at(0..3)), Given::new("b", "2 ").at(at(4..10))]);
}

#[test]
fn copies_of_a_shared_configuration_change_alone() {
    let shared = conf(&[("a", "1"), ("c", "3")]).shared();
    let mut copy = shared.clone();
    copy.set_all(
        &Layer::Action,
        [("a", "x"), ("b", "y"), ("d", "${c}")].map(|(name, value)| Given::new(name, value)),
    );
    assert!(copy.resolve(place()).is_empty());
    assert_eq!(copy.iter().collect::<Vec<_>>(), [("a", "x"), ("b", "y"), ("c", "3"), ("d", "3")]);
    assert_eq!((copy.len(), copy.steps("a").len()), (4, 2));
    assert_eq!(steps(&copy, "d"), ["Action ${c}", "Substitution 3 [\"c\"]"]);
    let map = [("a", "x"), ("b", "y"), ("c", "3"), ("d", "3")];
    assert_eq!(copy.to_map(), map.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    assert_eq!(shared.iter().collect::<Vec<_>>(), [("a", "1"), ("c", "3")]);
    copy.trim();
    assert_eq!(copy.stored().to_map(), copy.to_map());
    // Copies of copies too.
    let mut again = copy.clone().shared();
    again.set(Layer::Action, Given::new("0", "z"));
    again.set(Layer::Action, Given::new("e", "z"));
    let all = [("0", "z"), ("a", "x"), ("b", "y"), ("c", "3"), ("d", "3"), ("e", "z")];
    assert_eq!(again.iter().collect::<Vec<_>>(), all);
    assert_eq!(again.shared().iter().collect::<Vec<_>>(), all);
}

/// A layer by rank, lowest first, and how it is given.
fn give(conf: &mut JobConf, rank: usize, name: &str, value: &str) {
    let given = Given::new(name, value);
    match rank {
        0 => conf.set_default(Layer::FormalDefault, given),
        1 => conf.inject_defaults([given]),
        2 => conf.set(Layer::File, given),
        _ => conf.set(Layer::Definition, given),
    }
}

proptest! {
    #[test]
    fn the_highest_layer_wins_and_ends_the_chain(present in prop::collection::vec(any::<bool>(), 4)) {
        let mut conf = JobConf::new();
        // In the server's order: files, definitions, the default file, formal defaults.
        for rank in [2, 3, 1, 0] {
            if present[rank] {
                give(&mut conf, rank, "n", &format!("v{rank}"));
            }
        }
        let winner = present.iter().rposition(|there| *there);
        prop_assert_eq!(conf.get_raw("n").map(str::to_owned), winner.map(|rank| format!("v{rank}")));
        let chain: Vec<_> = conf.steps("n").iter().map(|step| step.value.to_string()).collect();
        let expected: Vec<_> = (0..4).filter(|rank| present[*rank]).map(|rank| format!("v{rank}")).collect();
        prop_assert_eq!(chain, expected);
    }

    #[test]
    fn resolving_is_idempotent_and_ends_the_chain(
        values in prop::collection::vec("([a-e]|\\$\\{[a-f]\\}| ){0,4}", 5),
    ) {
        let mut once = JobConf::new();
        for (name, value) in ["a", "b", "c", "d", "e"].iter().zip(&values) {
            once.set(Layer::File, Given::new(*name, value.as_str()));
        }
        let findings = once.resolve(place());
        for (name, value) in once.iter() {
            prop_assert_eq!(&*once.steps(name).last().expect("a step").value, value);
        }
        if findings.is_empty() {
            let mut twice = once.clone();
            prop_assert!(twice.resolve(place()).is_empty());
            prop_assert_eq!(once.to_map(), twice.to_map());
        }
    }

    #[test]
    fn any_value_resolves_in_bounded_steps(values in prop::collection::vec("[$a-c{} ]{0,12}", 3)) {
        let mut conf = JobConf::new();
        for (name, value) in ["a", "b", "c"].iter().zip(&values) {
            conf.set(Layer::File, Given::new(*name, value.as_str()));
        }
        conf.resolve(place());
    }
}
