//! Which faults only follow from another one.
//!
//! The workflow is only there to have numbers: `f` and `g` are forks, `j` and `l` joins.

use std::num::NonZeroU32;

use super::*;
use crate::analysis::flow::testing::{fault, workflow};
use crate::analysis::flow::{EdgeId, Flow};

const F: usize = 1;
const G: usize = 2;
const J: usize = 3;
const L: usize = 4;
const E: usize = 5;

fn node(index: usize) -> NodeId {
    NodeId::new(index)
}

fn via() -> EdgeId {
    EdgeId::first(node(0))
}

fn link(fork: usize, join: usize, outer: Option<usize>, before: Option<u32>) -> Link {
    Link {
        fork: node(fork),
        join: node(join),
        outer: outer.map(node),
        before: before.and_then(NonZeroU32::new),
    }
}

/// A fault of the reached part with the last links on the ways to it, counted from 1; 0 for none.
fn report(fault: Fault, link: u32, other: u32) -> Report {
    let found = Found { fault, sight: Sight::Server, is_harmless: false, ways: None };
    Report { found, link: NonZeroU32::new(link), other: NonZeroU32::new(other) }
}

fn same_target(fork: usize) -> Fault {
    Fault::SameTarget { fork: node(fork), first: via(), second: via() }
}

fn end_inside(fork: usize) -> Fault {
    Fault::EndInside { fork: node(fork), end: node(E), via: via() }
}

fn no_fork(join: usize) -> Fault {
    Fault::NoFork { join: node(join), via: via(), fork: None }
}

fn many_forks(first: usize, second: usize) -> Fault {
    Fault::ManyForks { join: node(J), first: (node(first), via()), second: (node(second), via()) }
}

fn concurrent(fork: usize) -> Fault {
    Fault::Concurrent { node: node(E), fork: node(fork), first: via(), second: via() }
}

fn no_join(fork: usize) -> Fault {
    Fault::NoJoin { fork: node(fork), leaf: None }
}

fn many_joins(fork: usize) -> Fault {
    Fault::ManyJoins { fork: node(fork), first: via(), second: via() }
}

/// What is known of forks and joins: the links, the fork of `j` and of `l`, which forks are split, and which joins
/// contested.
#[derive(Default)]
struct Known {
    links: Vec<Link>,
    fork_of: Vec<(usize, usize)>,
    split: Vec<usize>,
    contested: Vec<usize>,
}

impl Known {
    /// The codes of what is kept, each with its node.
    fn kept(&self, reports: Vec<Report>, in_pair: bool) -> String {
        let workflow = workflow("start f; fork f g j; fork g j l; join j l; join l e; end e");
        let flow = Flow::new(&workflow);
        let mut fork_of = vec![None; flow.len()];
        self.fork_of.iter().for_each(|(join, fork)| fork_of[*join] = Some(node(*fork)));
        let mut marks = [vec![false; flow.len()], vec![false; flow.len()]];
        self.split.iter().for_each(|fork| marks[0][*fork] = true);
        self.contested.iter().for_each(|join| marks[1][*join] = true);
        let [split, contested] = marks;
        let kept = sift(reports, &self.links, &fork_of, &split, &contested, in_pair);
        let told = |found: Found| fault(&flow, &found.fault).split(':').next().unwrap_or_default().to_owned();
        kept.into_iter().map(told).collect::<Vec<_>>().join(", ")
    }

    /// True when this fault stays after another one.
    fn keeps(&self, fault: Fault, link: u32, other: u32) -> bool {
        match &self.kept(vec![report(same_target(F), 0, 0), report(fault, link, other)], true)[..] {
            "E0744 at f" => false,
            kept if kept.starts_with("E0744 at f, ") => true,
            kept => panic!("the first is lost: {kept}"),
        }
    }
}

#[test]
fn faults_that_stand_alone_all_stay() {
    let known = Known::default();
    assert_eq!(known.kept(Vec::new(), true), "");
    let all = || {
        [
            same_target(F),
            end_inside(F),
            no_fork(J),
            many_forks(F, G),
            concurrent(F),
            no_join(G),
            many_joins(G),
        ]
        .map(|fault| report(fault, 0, 0))
    };
    let expected = "E0744 at f, E0737 at e, E0742 at j, E0758 at j, E0743 at e, E0733 at g, E0757 at g";
    assert_eq!(known.kept(all().into(), true), expected);
    assert_eq!(known.kept(all().into(), false), expected);
}

#[test]
fn an_end_in_a_fork_without_a_join_follows_from_that() {
    let known = Known::default();
    let reports = || {
        vec![
            report(same_target(F), 0, 0),
            report(end_inside(F), 0, 0),
            report(end_inside(G), 0, 0),
            report(no_join(G), 0, 0),
        ]
    };
    assert_eq!(known.kept(reports(), true), "E0744 at f, E0737 at e, E0733 at g");
}

#[test]
fn what_lies_behind_a_contested_join_of_a_fork_inside_follows() {
    let links = || vec![link(G, J, Some(F), None), link(G, L, Some(F), Some(1)), link(F, J, None, None)];
    let known = Known { links: links(), contested: vec![J], ..Known::default() };
    let keeps = |link| (known.keeps(end_inside(F), link, 0), known.keeps(many_forks(F, G), link, 0));
    assert_eq!(keeps(0), (true, true));
    assert_eq!(keeps(1), (false, false));
    // All that comes later inside the same fork is behind it too; outside of any fork nothing is.
    assert_eq!(keeps(2), (false, false));
    assert_eq!(keeps(3), (true, true));
    let known = Known { links: links(), ..Known::default() };
    assert!([0, 1, 2, 3].iter().all(|link| known.keeps(end_inside(F), *link, 0)));
    let known = Known { links: links(), contested: vec![L], ..Known::default() };
    assert_eq!([1, 2, 3].map(|link| known.keeps(many_forks(F, G), link, 0)), [true, false, true]);
}

#[test]
fn a_later_join_of_a_split_fork_follows_when_it_lies_behind_an_earlier_one() {
    let links = || vec![link(G, L, None, None), link(F, J, None, None), link(G, J, None, Some(2))];
    let known =
        Known { links: links(), fork_of: vec![(J, F), (L, G)], split: vec![F], contested: Vec::new() };
    let keeps = |link| {
        [no_fork(J), no_fork(L), many_forks(F, G), many_forks(G, F)].map(|fault| known.keeps(fault, link, 0))
    };
    assert_eq!(keeps(0), [true; 4]);
    assert_eq!(keeps(1), [true; 4]);
    assert_eq!(keeps(2), [false, true, false, true]);
    assert_eq!(keeps(3), [false, true, false, true]);
    let whole = Known { links: links(), fork_of: vec![(J, F), (L, G)], ..Known::default() };
    assert!([0, 1, 2, 3].iter().all(|link| whole.keeps(no_fork(J), *link, 0)));
    // Of no fork at all.
    let lone = Known { links: links(), split: vec![F], ..Known::default() };
    assert!(lone.keeps(no_fork(J), 2, 0));
}

#[test]
fn paths_of_a_split_fork_that_meet_behind_its_joins_follow() {
    let links = || vec![link(F, J, None, None), link(F, L, None, None)];
    let known = Known { links: links(), split: vec![F], ..Known::default() };
    assert!(!known.keeps(concurrent(F), 1, 2));
    assert!(known.keeps(concurrent(F), 1, 0));
    assert!(known.keeps(concurrent(F), 0, 2));
    assert!(known.keeps(concurrent(F), 0, 0));
    assert!(known.keeps(concurrent(G), 1, 2));
}

#[test]
fn the_first_fault_stays_where_it_is_what_the_server_says() {
    let known = Known::default();
    let reports = || vec![report(end_inside(G), 0, 0), report(no_join(G), 0, 0)];
    assert_eq!(known.kept(reports(), true), "E0737 at e, E0733 at g");
    // Where numbers do not pair, any fault stands for E0730; but one has to.
    assert_eq!(known.kept(reports(), false), "E0733 at g");
    let known = Known { links: vec![link(F, J, None, None)], split: vec![F], ..Known::default() };
    let alone = || vec![report(concurrent(F), 1, 1), report(concurrent(F), 1, 1)];
    assert_eq!(known.kept(alone(), false), "E0743 at e");
    // What lies in a part that start does not reach stands for nothing.
    let mut reports = alone();
    reports.push(report(no_join(G), 0, 0));
    reports[2].found.sight = Sight::Unreached;
    assert_eq!(known.kept(reports, false), "E0743 at e, E0733 at g");
}
