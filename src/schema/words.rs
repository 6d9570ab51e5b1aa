//! Content models in plain words.

use super::files::Selection;
use super::grammar::Grammar;
use super::model::{Model, Occurs, Particle, Set, Term, What, Wildcard, bits};

/// `` `a`, `b` or `c` ``.
pub(super) fn list(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// A name in backticks.
pub(super) fn quoted(name: &str) -> String {
    format!("`{name}`")
}

/// A model from first to last.
pub(super) fn describe(tree: &Particle, selection: Selection) -> String {
    let mut parts = Vec::new();
    flatten(tree, selection, &mut parts);
    if parts.is_empty() { "nothing".into() } else { parts.join(", then ") }
}

/// The parts of a model that follow each other.
fn flatten(particle: &Particle, selection: Selection, parts: &mut Vec<String>) {
    match &particle.what {
        What::Sequence(inner) if particle.occurs == Occurs::ONCE => {
            for part in inner {
                flatten(part, selection, parts);
            }
        }
        _ => parts.push(phrase(particle, selection)),
    }
}

/// One part with its number.
fn phrase(particle: &Particle, selection: Selection) -> String {
    let Occurs { min, max } = particle.occurs;
    match &particle.what {
        What::Term(term) => {
            let name = term_name(term, selection);
            match (min, max) {
                (1, Some(1)) => name,
                (0, Some(1)) => format!("optionally {name}"),
                (0, None) => format!("any number of {name}"),
                (1, None) => format!("one or more {name}"),
                (2, None) => format!("two or more {name}"),
                (min, _) => format!("{min} or more {name}"),
            }
        }
        What::Sequence(inner) => {
            let parts: Vec<String> = inner.iter().map(|part| phrase(part, selection)).collect();
            let row = parts.join(" and ");
            if particle.occurs.repeats() { format!("any number of ({row})") } else { row }
        }
        What::Choice(inner) => {
            // Branches that may be left out themselves make the whole choice optional.
            let lax = inner.iter().all(|part| part.occurs.min == 0);
            let plain = |part: &Particle| match &part.what {
                What::Term(_) => part.occurs == Occurs::ONCE,
                What::Choice(_) => true,
                What::Sequence(_) => false,
            };
            if particle.occurs.repeats() {
                format!("any number of {}", list(&names(particle, selection), "or"))
            } else if lax || min == 0 && inner.iter().all(plain) {
                format!("optionally one of {}", list(&names(particle, selection), "or"))
            } else if inner.iter().all(plain) {
                format!("one of {}", list(&names(particle, selection), "or"))
            } else {
                let parts: Vec<String> = inner.iter().map(|part| phrase(part, selection)).collect();
                let optionally = if min == 0 { "optionally " } else { "" };
                format!("{optionally}either {}", list(&parts, "or"))
            }
        }
    }
}

/// All names in a part.
fn names(particle: &Particle, selection: Selection) -> Vec<String> {
    match &particle.what {
        What::Term(term) => vec![term_name(term, selection)],
        What::Sequence(inner) | What::Choice(inner) => {
            inner.iter().flat_map(|part| names(part, selection)).collect()
        }
    }
}

/// The names of a set of positions, each once.
pub(super) fn expected(model: &Model, set: Set, selection: Selection) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for position in bits(set) {
        let name = term_name(&model.positions[position].term, selection);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The nth choice of a model, in the order of its text.
pub(super) fn choice(tree: &Particle, number: u32) -> Option<&Particle> {
    fn find<'a>(particle: &'a Particle, left: &mut u32) -> Option<&'a Particle> {
        let (What::Sequence(inner) | What::Choice(inner)) = &particle.what else { return None };
        if matches!(particle.what, What::Choice(_)) {
            if *left == 0 {
                return Some(particle);
            }
            *left -= 1;
        }
        inner.iter().find_map(|part| find(part, left))
    }
    find(tree, &mut number.clone())
}

fn term_name(term: &Term, selection: Selection) -> String {
    match term {
        Term::Element(name, _) => quoted(name),
        Term::Any(Wildcard::OneOf(namespaces)) => {
            let spaces: Vec<String> = namespaces.iter().map(|one| quoted(one)).collect();
            let mut elements: Vec<String> = Vec::new();
            for file in selection.files().filter(|file| namespaces.iter().any(|one| one == file.namespace)) {
                elements.extend(Grammar::of(file).elements.keys().map(|name| quoted(name)));
            }
            elements.dedup();
            format!("{} of {}", list(&elements, "or"), list(&spaces, "or"))
        }
        Term::Any(Wildcard::Other(_)) => "an action with its own namespace".into(),
    }
}
