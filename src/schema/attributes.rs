//! The attributes of an element, and the values of attributes and texts.

use super::findings::{FEATURE_VERSION, VIOLATION};
use super::grammar::{AttributeUse, Content, Type};
use super::relatives::other_version;
use super::value::Value;
use super::walk::{Scope, Walk, XSI};
use super::words::{list, quoted};
use crate::diag::{Diagnostic, Edit, closest};
use crate::source::Span;
use crate::xml::{Attribute, Element};

/// Checks the attributes of an element.
pub(super) fn check<'a>(
    walk: &mut Walk<'a>,
    element: &'a Element,
    its_type: &'static Type,
    scope: Scope<'a>,
) {
    let mut missing: Vec<&AttributeUse> = its_type.attributes.iter().filter(|one| one.required).collect();
    let mut strangers = Vec::new();
    for attribute in &element.attributes {
        let plain = attribute.name.namespace.is_empty();
        let known = its_type.attributes.iter().find(|one| plain && attribute.name.local == one.name);
        match known {
            Some(known) => {
                missing.retain(|one| one.name != known.name);
                if !known.value.takes(&attribute.value.value) {
                    let span = if attribute.value.value.is_empty() {
                        attribute.name_span
                    } else {
                        attribute.value.span
                    };
                    let name = quoted(&known.name);
                    walk.tell(wrong_value(known.value, &name, &attribute.value.value, span));
                }
            }
            None if speaks_to_the_validator(element, attribute, scope) => {}
            None => strangers.push(attribute),
        }
    }
    for attribute in strangers {
        let free = its_type.attributes.iter().filter(|one| element.attribute(&one.name).is_none());
        let near = closest(&attribute.name.local, free.map(|one| one.name.as_str()));
        let near = near.filter(|_| attribute.name.namespace.is_empty());
        missing.retain(|one| Some(one.name.as_str()) != near);
        stranger(walk, element, attribute, near, its_type, scope);
    }
    // What was written as an element inside one that is empty is told there.
    if matches!(its_type.content, Content::Empty) {
        missing.retain(|one| element.child(&one.name).is_none());
    }
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().map(|one| quoted(&one.name)).collect();
        let (be, what) = if names.len() == 1 { ("is", "the attribute") } else { ("are", "the attributes") };
        let names = list(&names, "and");
        let message = format!("{what} {names} {be} missing on {}", quoted(&element.name.local));
        walk.tell(Diagnostic::new(&VIOLATION, element.name_span, message).help(format!("add {names}")));
    }
}

/// `xsi:schemaLocation` and its like are allowed everywhere; `xsi:nil` is not, as nothing that is declared is nillable.
fn speaks_to_the_validator(element: &Element, attribute: &Attribute, scope: Scope<'_>) -> bool {
    attribute.name.namespace == XSI
        && match attribute.name.local.as_str() {
            "type" | "schemaLocation" | "noNamespaceSchemaLocation" => true,
            "nil" => {
                let declared = scope.declared || scope.entered.span != element.span;
                !declared && Value::Boolean.takes(&attribute.value.value)
            }
            _ => false,
        }
}

/// An attribute that the type does not have.
fn stranger<'a>(
    walk: &mut Walk<'a>,
    element: &'a Element,
    attribute: &'a Attribute,
    near: Option<&str>,
    its_type: &'static Type,
    scope: Scope<'a>,
) {
    let written = &walk.document.text[attribute.name_span.range()];
    let (name, owner) = (quoted(written), quoted(&element.name.local));
    let has = |other: &Type| other.attributes.iter().any(|one| attribute.name.local == one.name);
    let plain = attribute.name.namespace.is_empty();
    if let Some(other) = other_version(scope, its_type, walk.selection(), has).filter(|_| plain) {
        let message = format!("{owner} has no attribute {name} in {}", quoted(scope.grammar.file.namespace));
        let finding = Diagnostic::new(&FEATURE_VERSION, attribute.name_span, message);
        let finding = finding.help(format!("use {}, which has it", quoted(other.namespace)));
        return walk.tell_newer(finding, Some((scope.entered, other)));
    }
    let message = format!("the attribute {name} is not allowed on {owner}");
    let finding = Diagnostic::new(&VIOLATION, attribute.name_span, message);
    let known: Vec<String> = its_type.attributes.iter().map(|one| quoted(&one.name)).collect();
    walk.tell(match near {
        Some(near) => {
            let edit = Edit { span: attribute.name_span, text: near.to_owned() };
            finding.help(format!("did you mean {}?", quoted(near))).fix(true, vec![edit])
        }
        None if known.is_empty() => finding.help(format!("remove it: {owner} has no attributes")),
        None => finding.help(format!("remove it: {owner} has {}", list(&known, "and"))),
    });
}

/// A value that is not what the schema wants.
pub(super) fn wrong_value(value: Value, owner: &str, found: &str, span: Span) -> Diagnostic {
    const SHOWN: usize = 60;
    let mut shown: String = found.chars().take(SHOWN).collect();
    if shown.len() < found.len() {
        shown.push('…');
    }
    let (wanted, help) = match value {
        Value::Any => ("text", "give any text"),
        Value::Boolean => {
            ("`true` or `false`", "write `true` or `false`, not an expression: the schema is applied first")
        }
        Value::Short => (
            "a whole number from -32768 to 32767",
            "write the number, not an expression: the schema is applied first",
        ),
        Value::UnsignedInt => (
            "a whole number from 0 to 4294967295",
            "write the number, not an expression: the schema is applied first",
        ),
        Value::Name => ("a name", "use a letter first, then letters, digits, `-` and `_`"),
        Value::NodeName => ("a name", "use a letter or `_` first, then letters, digits, `-` and `_`"),
        Value::BuiltIn(_) => {
            ("a value of the type in `xsi:type`", "remove `xsi:type`, or write such a value")
        }
    };
    let message = if found.is_empty() {
        format!("{owner} is empty, where the schema wants {wanted}")
    } else {
        format!("`{shown}` in {owner} is not {wanted}")
    };
    Diagnostic::new(&VIOLATION, span, message).help(help)
}
