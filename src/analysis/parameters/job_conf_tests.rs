//! The laws of layers.

use proptest::prelude::*;

use super::*;
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
    // A chain is told at its top, not at every link that is too far from the end.
    let chain: Vec<_> = (0..30).map(|n| (format!("p{n:02}"), format!("${{p{:02}}}", n + 1))).collect();
    let mut chain: Vec<(&str, &str)> = chain.iter().map(|(name, value)| (&**name, &**value)).collect();
    chain.push(("p30", "1"));
    check(&chain, &["`p00` needs 20 or more replacements"]);
}

#[test]
fn growth_is_bounded() {
    let mut conf = conf(&[("long", &"x".repeat(1 << 20))]);
    for number in 0..100 {
        conf.set(Layer::File, Given::new(format!("p{number:03}"), "${long}"));
    }
    let findings = conf.resolve(place());
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].rule.name, "configuration-too-long");
}

#[test]
fn the_user_has_two_names() {
    let mut conf = conf(&[("mapreduce.job.user.name", "a")]);
    assert_eq!(conf.get_raw("user.name"), Some("a"));
    conf.set(Layer::Definition, Given::new("user.name", "b"));
    assert_eq!(conf.get_raw("mapreduce.job.user.name"), Some("b"));
    assert_eq!(conf.len(), 1);
}

#[test]
fn storing_trims_and_drops_what_is_empty() {
    let stored = conf(&[("a", " x "), ("b", ""), ("c", " \n "), ("d", "\u{b}")]).stored();
    assert_eq!(stored.iter().collect::<Vec<_>>(), [("a", "x"), ("d", "\u{b}")]);
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
    assert_eq!(shared.iter().collect::<Vec<_>>(), [("a", "1"), ("c", "3")]);
    copy.trim();
    assert_eq!(copy.stored().to_map(), copy.to_map());
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
