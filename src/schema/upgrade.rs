//! Changing to the version of a schema that has what a document uses.

use super::explain::faults;
use super::files::SchemaFile;
use super::relatives::numbers;
use super::walk::{Fault, Walk};
use crate::diag::Diagnostic;
use crate::xml::Element;

/// Changes of version that are tried in one document.
const MAX_TRIED: usize = 100;

/// The findings of a walk. What wants another version of a schema gets that as a fix, where nothing else would break.
pub(super) fn findings(walk: Walk<'_>, root: &Element) -> Vec<Diagnostic> {
    let mut tried: Vec<(u32, &'static SchemaFile, bool)> = Vec::new();
    let wanted: Vec<Option<(&Element, &'static SchemaFile)>> =
        walk.faults.iter().map(|f| target(&walk.faults, f)).collect();
    let mut fixes = Vec::new();
    for entered in &wanted {
        let edit = entered.and_then(|(element, file)| {
            let at = element.span.start;
            let known = tried.iter().find(|(start, tried, _)| *start == at && std::ptr::eq(*tried, file));
            if known.is_none() && tried.len() == MAX_TRIED {
                return None;
            }
            let fits = known.map_or_else(|| breaks_nothing(&walk, element, file), |(_, _, fits)| *fits);
            if known.is_none() {
                tried.push((at, file, fits));
            }
            walk.rename_namespace(element, file.namespace).filter(|_| fits && declared_for(root, element))
        });
        fixes.push(edit);
    }
    let with_fix = |(fault, edit): (Fault<'_>, Option<_>)| match edit {
        Some(edit) => fault.finding.fix(false, vec![edit]),
        None => fault.finding,
    };
    walk.faults.into_iter().zip(fixes).map(with_fix).collect()
}

/// The newest version that any fault of the same element wants.
fn target<'a>(faults: &[Fault<'a>], fault: &Fault<'a>) -> Option<(&'a Element, &'static SchemaFile)> {
    const LOOKED_AT: usize = 100;
    let (entered, own) = fault.newer?;
    let same = faults.iter().take(LOOKED_AT).filter_map(|other| other.newer);
    let same = same.filter(|(element, _)| element.span == entered.span).map(|(_, file)| file);
    let newest = same.max_by_key(|file| numbers(file.version)).unwrap_or(own);
    Some((entered, if numbers(newest.version) > numbers(own.version) { newest } else { own }))
}

/// Would the element have no fault in the other version that it has not now.
fn breaks_nothing(walk: &Walk<'_>, element: &Element, file: &'static SchemaFile) -> bool {
    let then = faults(walk.document, element, file, usize::MAX);
    then.iter().all(|fault| {
        let same = |now: &Fault<'_>| now.finding.span == fault.finding.span && now.newer.is_none();
        walk.faults.iter().any(same)
    })
}

/// Is the element the root, or one that stands for an action of its own.
fn declared_for(root: &Element, element: &Element) -> bool {
    element.span == root.span || element.name.namespace != root.name.namespace
}
