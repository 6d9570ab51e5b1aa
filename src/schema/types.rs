//! Elements that choose their type themselves, by `xsi:type`.

use std::sync::LazyLock;

use super::findings::VIOLATION;
use super::grammar::{Grammar, Type};
use super::value::BUILT_IN;
use super::walk::{Document, Scope, Walk, XSI};
use super::words::quoted;
use crate::diag::Diagnostic;
use crate::xml::{Attribute, Element};

/// The namespace of the types of XSD itself.
const XSD: &str = "http://www.w3.org/2001/XMLSchema";

static BUILT_IN_TYPES: LazyLock<Vec<Type>> =
    LazyLock::new(|| BUILT_IN.iter().map(|(name, value)| Type::of_values(name, *value)).collect());

/// What an element says about its type.
enum Chosen {
    /// A type of a schema, or of XSD itself.
    Type(&'static Type, Option<&'static Grammar>),
    /// One of XSD that is not checked here.
    Unsupported,
    /// Nothing that is there.
    Unknown,
}

/// The attribute by which an element chooses its type.
fn attribute(element: &Element) -> Option<&Attribute> {
    element.attributes.iter().find(|one| one.name.local == "type" && one.name.namespace == XSI)
}

fn chosen(document: &Document<'_>, element: &Element) -> Chosen {
    let Some(name) = document.type_of(element) else { return Chosen::Unknown };
    if name.namespace == XSD {
        let known = BUILT_IN_TYPES.iter().find(|one| one.name.as_deref() == Some(&*name.local));
        return known.map_or(Chosen::Unsupported, |known| Chosen::Type(known, None));
    }
    let grammar = document.selection.file(&name.namespace).map(Grammar::of);
    let found = grammar.and_then(|grammar| Some((grammar.type_named(&name.local)?, grammar)));
    found.map_or(Chosen::Unknown, |(found, grammar)| Chosen::Type(found, Some(grammar)))
}

/// The type by which an element is checked: the one that it chooses, where it may choose it, else the declared one.
pub(super) fn of_declared<'a>(
    walk: &mut Walk<'a>,
    element: &'a Element,
    declared: &'static Type,
    scope: Scope<'a>,
) -> (&'static Type, Scope<'a>) {
    let Some(attribute) = attribute(element) else { return (declared, scope) };
    let found = chosen(walk.document, element);
    if let Chosen::Type(chosen, grammar) = found
        && chosen.derives_from(declared)
    {
        let same = grammar.is_none_or(|grammar| std::ptr::eq(grammar, scope.grammar));
        let grammar = grammar.unwrap_or(scope.grammar);
        let alias = scope.alias.filter(|_| same);
        return (chosen, Scope { grammar, alias, ..scope });
    }
    let (name, owner) = (quoted(attribute.value.value.trim()), quoted(&element.name.local));
    let what = match found {
        Chosen::Unknown => "which is not a type of the schemas".to_owned(),
        Chosen::Unsupported => "which Oozie's schemas do not use and ankus does not check".to_owned(),
        Chosen::Type(..) => format!("which is not derived from the type of {owner}"),
    };
    let finding =
        Diagnostic::new(&VIOLATION, attribute.value.span, format!("{owner} has the type {name}, {what}"));
    walk.tell(finding.help("remove the attribute: the schema gives every element its type"));
    (declared, scope)
}

/// The type that an element chooses which no schema declares: the server's validator then needs no declaration.
pub(super) fn of_undeclared(
    document: &Document<'_>,
    element: &Element,
) -> Option<(&'static Type, &'static Grammar)> {
    attribute(element)?;
    match chosen(document, element) {
        Chosen::Type(chosen, Some(grammar)) => Some((chosen, grammar)),
        _ => None,
    }
}
