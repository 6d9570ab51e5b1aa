//! Whether `--stub` names something that there is: a slip would let actions run in what is meant as a rehearsal.

use std::collections::BTreeSet;

use super::open::Place;
use super::stub::{ALL, Stubs};
use crate::analysis::actions::{CLUSTER_TYPES, SERVER_TYPES};
use crate::analysis::project::Kind;
use crate::diag::closest;
use crate::host::ShellError;
use crate::model::App;
use crate::model::workflow::NodeKind;
use crate::shell::load;
use crate::source::Sources;

/// Refuses a stub that names no type of actions, and no action of a workflow in the project.
pub fn check(stubs: &Stubs, place: &Place) -> Result<(), ShellError> {
    let types = CLUSTER_TYPES.iter().chain(SERVER_TYPES).copied();
    let mut known: BTreeSet<String> = types.map(str::to_owned).collect();
    known.extend(place.config.run.commands.keys().cloned());
    known.extend([ALL.to_owned()]);
    if stubs.names().all(|name| known.contains(name)) {
        return Ok(());
    }
    for path in place.whole_project().files_of(Kind::Workflow)? {
        let definition = load::definition(&path, &mut Sources::new())?;
        let Some(App::Workflow(model)) = definition.app else { continue };
        for node in &model.nodes {
            let NodeKind::Action(action) = &node.kind else { continue };
            known.insert(node.name.value.clone());
            known.extend(action.body.iter().map(|body| body.kind.to_string()));
        }
    }
    let Some(unknown) = stubs.names().find(|name| !known.contains(*name)) else { return Ok(()) };
    let near = closest(unknown, known.iter().map(String::as_str));
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Err(ShellError::usage(format!(
        "--stub {unknown}: that is no type of actions, and no workflow of the project has an action of this name{near}"
    )))
}
