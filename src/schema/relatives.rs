//! Other versions of the same schema.

use super::files::{SchemaFile, Selection};
use super::grammar::{Grammar, Type};
use super::walk::Scope;

/// The nearest version of a schema in which the same type has something: the first newer one, else the last older one.
pub(super) fn other_version(
    scope: Scope<'_>,
    its_type: &Type,
    selection: Selection,
    has: impl Fn(&Type) -> bool,
) -> Option<&'static SchemaFile> {
    let own = scope.grammar.file;
    let name = its_type.name.as_deref()?;
    let family: Vec<_> = selection.files().filter(|file| file.family == own.family).collect();
    let knows = |file: &&&'static SchemaFile| Grammar::of(file).type_named(name).is_some_and(&has);
    let newer = |file: &&&'static SchemaFile| numbers(file.version) > numbers(own.version);
    let older = |file: &&&'static SchemaFile| numbers(file.version) < numbers(own.version);
    let first = family.iter().filter(newer).find(knows);
    first.or_else(|| family.iter().rev().filter(older).find(knows)).copied()
}

/// A version as numbers.
pub(super) fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map(|part| part.parse().unwrap_or(u32::MAX)).collect()
}
