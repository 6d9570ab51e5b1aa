//! From a tree of elements to the model: each dialect is one module here and lowers into the same types.
//!
//! Nothing is refused: what is missing is `None`, what is strange is kept as it stands. What the schema says about it is
//! not said again here.

mod action;
mod bundle;
mod coordinator;
mod elements;
#[cfg(test)]
mod tests;
mod workflow;

pub(super) use action::details;
pub(super) use elements::configuration;

use super::App;
use super::coordinator::Datasets;
use crate::diag::Diagnostic;
use crate::xml::Element;

/// The definition that an element holds, by its local name; `None` for a root that starts no definition.
///
/// The namespace does not decide: a definition without one, or with a misspelt one, is still read.
pub fn lower(root: &Element) -> (Option<App>, Vec<Diagnostic>) {
    let app = match root.name.local.as_str() {
        "workflow-app" => App::Workflow(Box::new(workflow::workflow(root))),
        "coordinator-app" => App::Coordinator(Box::new(coordinator::coordinator(root))),
        "bundle-app" => App::Bundle(Box::new(bundle::bundle(root))),
        "datasets" => App::Datasets(coordinator::datasets(root)),
        _ => return (None, Vec::new()),
    };
    (Some(app), Vec::new())
}

/// The datasets in an included file, whatever its root is called: the server does not look at the name.
pub fn lower_datasets(root: &Element) -> Datasets {
    coordinator::datasets(root)
}
