//! The children of an element: order, number, names.

use std::collections::BTreeMap;

use super::files::Selection;
use super::findings::{FEATURE_VERSION, MISSING_NAMESPACE, VIOLATION};
use super::grammar::{Grammar, Type};
use super::model::{Model, Set, Term, Wildcard, bits};
use super::namespaces::has_own_schema;
use super::order;
use super::relatives::other_version;
use super::repair::{Candidates, Step};
use super::row::Row;
use super::walk::{Scope, Walk};
use super::words::{choice, describe, expected, list, quoted};
use crate::diag::{Diagnostic, closest};
use crate::source::Span;
use crate::xml::Element;

/// The schemas of workflows themselves.
const WORKFLOW_FAMILY: &str = "uri:oozie:workflow:";

/// An element that more actions have than this says nothing about which one was meant.
const MOST_HOMES: usize = 3;

/// Different names among the children of one element for which near names are looked up.
const LOOKED_UP: usize = 256;

/// Checks the children of an element, and all below.
pub(super) fn check<'a>(
    walk: &mut Walk<'a>,
    parent: &'a Element,
    its_type: &'static Type,
    model: &'static Model,
    scope: Scope<'a>,
) {
    let own = scope.grammar.file.namespace;
    let exact = |kid: &Element| {
        let namespace = scope.namespace(kid);
        model.matching(|term| match term {
            Term::Element(name, _) => namespace == own && *name == *kid.name.local,
            Term::Any(wildcard) => wildcard.takes(namespace),
        })
    };
    if model.accepts(parent.elements().map(exact)) {
        for kid in parent.elements() {
            go_on(walk, kid, model, exact(kid).trailing_zeros() as usize, scope);
        }
        return;
    }
    let kids: Vec<&Element> = parent.elements().collect();
    let mut known: BTreeMap<(&str, &str), Candidates> = BTreeMap::new();
    let mut candidates = Vec::with_capacity(kids.len());
    for kid in &kids {
        let key = (scope.namespace(kid), kid.name.local.as_str());
        let strange = known.len() > LOOKED_UP;
        let found = known
            .entry(key)
            .or_insert_with(|| relate(walk.selection(), its_type, model, scope, kid, strange));
        candidates.push(*found);
    }
    let row = Row { parent, its_type, model, kids: &kids, candidates: &candidates, scope };
    row.tell(walk);
}

/// The positions that a child matches, or nearly matches; of a strange one nothing near is looked for.
fn relate(
    selection: Selection,
    its_type: &Type,
    model: &Model,
    scope: Scope<'_>,
    kid: &Element,
    strange: bool,
) -> Candidates {
    let own = scope.grammar.file.namespace;
    let (namespace, local) = (scope.namespace(kid), kid.name.local.as_str());
    let exact = model.matching(|term| match term {
        Term::Element(name, _) => namespace == own && *name == local,
        Term::Any(wildcard) => wildcard.takes(namespace),
    });
    if exact != 0 {
        // A wildcard took it; perhaps it only says the wrong namespace.
        let near = model
            .matching(|term| matches!(term, Term::Element(name, _) if namespace != own && *name == local));
        return Candidates { exact, near, stranger: false };
    }
    if strange {
        return Candidates { stranger: true, ..Candidates::default() };
    }
    let elsewhere = other_version(scope, its_type, selection, |other| holds(other, local)).is_some();
    let names = model.positions.iter().filter_map(|position| match &position.term {
        Term::Element(name, _) => Some(name.as_str()),
        Term::Any(_) => None,
    });
    let slip = if namespace == own && !elsewhere { closest(local, names) } else { None };
    // Without a namespace of its own, or with one that does not exist.
    let may_lack = !elsewhere && (namespace == own || selection.file(namespace).is_none());
    let near = model.matching(|term| match term {
        Term::Element(name, _) => Some(name.as_str()) == slip || (namespace != own && *name == local),
        Term::Any(wildcard) => {
            may_lack && selection.files().any(|file| has_own_schema(file, wildcard, local))
        }
    });
    Candidates { exact, near, stranger: near == 0 && !elsewhere }
}

/// Can a child of this name stand in this type.
fn holds(its_type: &Type, local: &str) -> bool {
    let super::grammar::Content::Elements(model) = &its_type.content else { return false };
    model.matching(|term| matches!(term, Term::Element(name, _) if name == local)) != 0
}

/// Checks a child that stands for a position.
fn go_on<'a>(
    walk: &mut Walk<'a>,
    kid: &'a Element,
    model: &'static Model,
    position: usize,
    scope: Scope<'a>,
) {
    match &model.positions[position].term {
        Term::Element(_, index) => walk.later(kid, &scope.grammar.types[*index], scope),
        Term::Any(_) => walk.foreign(kid),
    }
}

impl<'a> Row<'_, 'a> {
    fn tell(&self, walk: &mut Walk<'a>) {
        let plan = order::plan(self.model, self.candidates);
        let steps = &plan.steps;
        if !plan.moved.is_empty() {
            walk.tell(order::finding(self, &plan, walk.document.text, walk.selection()));
        }
        let mut first = vec![None; self.model.start()];
        for step in steps {
            if let Step::Take { child, position } = *step {
                first[position].get_or_insert(child);
            }
        }
        let mut state = self.model.start();
        for step in steps {
            match *step {
                Step::Take { child, position } => {
                    let kid = self.kids[child];
                    if self.candidates[child].exact & 1 << position != 0 {
                        go_on(walk, kid, self.model, position, self.scope);
                    } else {
                        self.nearly(walk, child, position);
                    }
                    state = position;
                }
                Step::Drop { .. } if walk.enough() => {}
                Step::Drop { child } => self.extra(walk, child, state, &first),
                Step::Miss { position, .. } => state = position,
            }
        }
        self.missing(walk, steps, &first);
    }

    /// A child that was meant for a position but says it wrongly.
    fn nearly(&self, walk: &mut Walk<'a>, child: usize, position: usize) {
        let kid = self.kids[child];
        let own = self.scope.grammar.file.namespace;
        if self.candidates[child].near == 0 {
            let number = self.model.positions[position].choice.map(|(number, _)| number);
            let wanted = match number.and_then(|number| choice(&self.model.tree, number)) {
                Some(choice) => describe(choice, walk.selection()),
                None => expected(self.model, 1 << position, walk.selection()).remove(0),
            };
            let message = format!("{} stands where {wanted} is expected", quoted(&kid.name.local));
            let order = describe(&self.model.tree, walk.selection());
            let help = format!("give {} in this order: {order}", quoted(&self.parent.name.local));
            return walk.tell(Diagnostic::new(&VIOLATION, kid.name_span, message).help(help));
        }
        match &self.model.positions[position].term {
            Term::Element(name, index) => {
                let mut scope = self.scope;
                if kid.name.local == *name {
                    scope.alias = Some((kid.name.namespace.as_str(), own));
                    if !walk.told.contains(&kid.name.namespace.as_str()) {
                        walk.told.push(&kid.name.namespace);
                        let space = match kid.name.namespace.as_str() {
                            "" => "no namespace".to_owned(),
                            other => format!("the namespace {}", quoted(other)),
                        };
                        let message = format!(
                            "{} has {space}, not that of {}",
                            quoted(name),
                            quoted(&self.parent.name.local)
                        );
                        let finding = Diagnostic::new(&VIOLATION, kid.name_span, message);
                        walk.tell(finding.help(format!("put it into {}", quoted(own))));
                    }
                } else {
                    walk.misspelt(kid, name);
                }
                walk.later(kid, &self.scope.grammar.types[*index], scope);
            }
            Term::Any(wildcard) => {
                let namespace = kid.name.namespace.as_str();
                let finding = if namespace.is_empty() || self.scope.namespace(kid) == own {
                    let message = format!("{} lacks a namespace of its own", quoted(&kid.name.local));
                    Diagnostic::new(&MISSING_NAMESPACE, kid.name_span, message)
                } else {
                    walk.without_schema(kid)
                };
                walk.guess(kid, finding, Some(wildcard));
            }
        }
    }

    /// A child that does not belong here.
    fn extra(&self, walk: &mut Walk<'a>, child: usize, state: usize, first: &[Option<usize>]) {
        let kid = self.kids[child];
        let (name, parent) = (quoted(&kid.name.local), quoted(&self.parent.name.local));
        let space = self.scope.namespace(kid);
        let own = self.scope.grammar.file.namespace;
        let here = expected(self.model, self.model.follow(state), walk.selection());
        let help = match &here[..] {
            [] => format!("remove it: nothing more may stand in {parent}"),
            here => format!("remove it, or use what may stand here: {}", list(here, "or")),
        };
        let taker =
            || other_version(self.scope, self.its_type, walk.selection(), |other| takes(other, space));
        if let Some(other) = (space != own).then(taker).flatten() {
            let message = format!("{parent} takes no {name} of {} in {}", quoted(space), quoted(own));
            let finding = Diagnostic::new(&FEATURE_VERSION, kid.name_span, message);
            let finding = finding.help(format!("use {}, which takes it", quoted(other.namespace)));
            walk.tell_newer(finding, Some((self.scope.entered, other)));
            return walk.foreign(kid);
        }
        let exact = self.candidates[child].exact;
        if exact != 0 {
            let finding = match self.rival(exact, first) {
                Some(rival) if rival.name == kid.name => {
                    let message = format!("{name} may not stand again in {parent}");
                    Diagnostic::new(&VIOLATION, kid.name_span, message)
                        .label(rival.name_span, "it stands here already")
                }
                Some(rival) => {
                    let message =
                        format!("{name} may not stand beside {} in {parent}", quoted(&rival.name.local));
                    Diagnostic::new(&VIOLATION, kid.name_span, message)
                        .label(rival.name_span, "only one of the two")
                }
                None => Diagnostic::new(
                    &VIOLATION,
                    kid.name_span,
                    format!("{name} is not allowed here in {parent}"),
                ),
            };
            walk.tell(finding.help(help));
            if space != own {
                return;
            }
            return go_on(walk, kid, self.model, exact.trailing_zeros() as usize, self.scope);
        }
        let holds = |other: &Type| space == own && holds(other, &kid.name.local);
        let other = || other_version(self.scope, self.its_type, walk.selection(), holds);
        if let Some(other) = (!self.candidates[child].stranger).then(other).flatten() {
            let message = format!("{parent} has no {name} in {}", quoted(own));
            let finding = Diagnostic::new(&FEATURE_VERSION, kid.name_span, message);
            let finding = finding.help(format!("use {}, which has it", quoted(other.namespace)));
            return walk.tell_newer(finding, Some((self.scope.entered, other)));
        }
        if space != own && !space.is_empty() && walk.selection().file(space).is_none() {
            return walk.unknown_namespace(kid);
        }
        let message = format!("{name} is not allowed in {parent}");
        let finding = Diagnostic::new(&VIOLATION, kid.name_span, message);
        let homes = self.homes(walk.selection(), &kid.name.local);
        walk.tell(match &homes[..] {
            [] => finding.help(help),
            homes => finding.help(format!("{help}; {name} is a part of {}", list(homes, "and"))),
        });
    }

    /// The actions with schemas of their own that have a child of this name, where this is one that has not; none where
    /// so many have it that nothing is said by it.
    fn homes(&self, selection: Selection, local: &str) -> Vec<String> {
        let own = self.scope.grammar;
        let mut homes = Vec::new();
        if self.scope.entered.span != self.parent.span || own.file.family == WORKFLOW_FAMILY {
            return homes;
        }
        for file in
            selection.files().filter(|file| ![own.file.family, WORKFLOW_FAMILY].contains(&file.family))
        {
            let grammar = Grammar::of(file);
            let has = |index: &usize| holds(&grammar.types[*index], local);
            homes.extend(
                grammar.elements.iter().filter(|(_, index)| has(index)).map(|(name, _)| quoted(name)),
            );
        }
        homes.sort();
        homes.dedup();
        if homes.len() > MOST_HOMES { Vec::new() } else { homes }
    }

    /// The child that took the place of one that matches these positions.
    fn rival(&self, exact: Set, first: &[Option<usize>]) -> Option<&'a Element> {
        let choices: Vec<_> = bits(exact).filter_map(|at| self.model.positions[at].choice).collect();
        let beside = |at: &usize| {
            let its = self.model.positions[*at].choice;
            choices.iter().any(|(number, branch)| its.is_some_and(|(n, b)| n == *number && b != *branch))
        };
        let same = bits(exact).find_map(|at| first[at]);
        let other = || (0..first.len()).filter(beside).find_map(|at| first[at]);
        same.or_else(other).map(|child| self.kids[child])
    }

    /// Tells what is missing, each gap once.
    fn missing(&self, walk: &mut Walk<'a>, steps: &[Step], first: &[Option<usize>]) {
        let positions = &self.model.positions;
        let chosen = |number: u32| {
            (0..first.len())
                .any(|at| first[at].is_some() && positions[at].choice.is_some_and(|(n, _)| n == number))
        };
        let mut gap: Vec<String> = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            let Step::Miss { position, .. } = *step else { continue };
            if walk.enough() {
                return;
            }
            let place = &positions[position];
            let open = place.choice.filter(|(number, _)| !chosen(*number));
            let again = (0..first.len()).any(|at| first[at].is_some() && positions[at].term == place.term);
            let what = match open.and_then(|(number, _)| choice(&self.model.tree, number)) {
                Some(choice) => describe(choice, walk.selection()),
                None => expected(self.model, 1 << position, walk.selection()).remove(0),
            };
            let what = if again { format!("another {what}") } else { what };
            if !gap.contains(&what) {
                gap.push(what);
            }
            if matches!(steps.get(index + 1), Some(Step::Miss { .. })) {
                continue;
            }
            let parent = quoted(&self.parent.name.local);
            let be = if gap.len() == 1 { "is" } else { "are" };
            let message = format!("{} {be} missing in {parent}", list(&gap, "and"));
            let order = describe(&self.model.tree, walk.selection());
            let mut finding = Diagnostic::new(&VIOLATION, self.parent.name_span, message);
            let next = match steps.get(index + 1) {
                Some(Step::Take { child, .. } | Step::Drop { child }) => Some(self.kids[*child].name_span),
                _ => end_tag(self.parent, walk.document.text),
            };
            if let Some(next) = next {
                finding = finding.label(next, "expected before this");
            }
            walk.tell(finding.help(format!("give {parent} in this order: {order}")));
            gap.clear();
        }
    }
}

/// Where an element ends that has an end tag.
fn end_tag(element: &Element, text: &str) -> Option<Span> {
    let range = element.span.range();
    let at = text.get(element.start_tag.range().end..range.end)?.rfind("</")?;
    Some(Span::new(element.span.file, element.start_tag.range().end + at..range.end))
}

/// Does the type take elements of this namespace by name.
fn takes(its_type: &Type, namespace: &str) -> bool {
    let super::grammar::Content::Elements(model) = &its_type.content else { return false };
    model.matching(
        |term| matches!(term, Term::Any(wildcard @ Wildcard::OneOf(_)) if wildcard.takes(namespace)),
    ) != 0
}
