//! From a tree of elements to the model: each dialect is one module here and lowers into the same types.
//!
//! Nothing is refused: what is missing is `None`, what is strange is kept as it stands. What the schema says about it is
//! not said again here.

mod elements;
mod hws;
mod oozie;

pub(super) use elements::configuration;

use super::App;
use super::action::Details;
use super::coordinator::Datasets;
use super::roots::{Dialect, RootKind};
use crate::diag::Diagnostic;
use crate::xml::Element;

/// The definition that an element holds, by its local name; `None` for a root that starts no definition.
///
/// The namespace does not decide: a definition without one, or with a misspelt one, is still read.
pub fn lower(root: &Element) -> (Option<App>, Vec<Diagnostic>) {
    let app = match RootKind::of(&root.name.local) {
        Some(RootKind::Workflow(Dialect::Oozie)) => App::Workflow(Box::new(oozie::workflow::workflow(root))),
        Some(RootKind::Workflow(Dialect::Hws)) => App::Workflow(Box::new(hws::workflow::workflow(root))),
        Some(RootKind::Coordinator) => App::Coordinator(Box::new(oozie::coordinator::coordinator(root))),
        Some(RootKind::Bundle) => App::Bundle(Box::new(oozie::bundle::bundle(root))),
        Some(RootKind::Datasets) => App::Datasets(oozie::coordinator::datasets(root)),
        Some(RootKind::Configuration) | None => return (None, Vec::new()),
    };
    (Some(app), Vec::new())
}

/// The datasets in an included file, whatever its root is called: the server does not look at the name.
pub fn lower_datasets(root: &Element) -> Datasets {
    oozie::coordinator::datasets(root)
}

/// The parts of an action's element.
pub(super) fn details(action: &Element, dialect: Dialect) -> Details {
    match dialect {
        Dialect::Oozie => oozie::action::details(action),
        Dialect::Hws => hws::action::details(action),
    }
}
