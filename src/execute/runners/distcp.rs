//! A distcp action by this program itself (`DistcpActionExecutor`, `DistcpMain`).

use super::{Action, Fault, Setup, Task, Work, fault, prepare};
use crate::execute::distcp::arguments;
use crate::xml::Element;

/// The work of a distcp action.
pub(super) fn work(action: &Action<'_>, root: &Element) -> Result<Work, Fault> {
    let texts: Vec<String> = root.children_named("arg").map(|element| element.text().value.clone()).collect();
    let name_node = root.child("name-node").map(|element| element.text().value.trim().to_owned());
    let user = action.conf.get("user.name").unwrap_or_default();
    // Arguments are looked at before anything is prepared, so that wrong ones delete nothing.
    let plan = arguments::read(&texts, name_node.as_deref(), &user);
    let plan = plan.map_err(|words| fault("JA018", format!("distcp: {words}")))?;
    let storage = action.storage.clone();
    let setup = Setup { storage: storage.clone(), pieces: Vec::new(), prepare: prepare::operations(root) };
    Ok(Work { setup, task: Task::Copy { storage, plan }, max_output: 0 })
}
