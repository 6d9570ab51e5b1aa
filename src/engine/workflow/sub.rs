//! What a sub-workflow is submitted with (`SubWorkflowActionExecutor.start`).

use std::sync::Arc;

use super::job::WorkflowJob;
use crate::analysis::parameters::{AppKind, GROUP_NAME, JOB_ACL, USER_NAME};
use crate::engine::conf::Conf;
use crate::engine::settings::Settings;
use crate::plan::workflow::ChildRequest;

/// The id of the workflow above.
const PARENT_ID: &str = "oozie.wf.parent.job.id";
/// The id of the topmost workflow, or of the coordinator's action.
const SUPER_PARENT_ID: &str = "oozie.wf.superparent.id";
/// How deep it lies.
const DEPTH: &str = "oozie.action.subworkflow.depth";

/// The configuration of a sub-workflow: the parent's when it is handed down, the parent's prototype, the path, the
/// action's own properties, and what the server adds.
pub(super) fn child_conf(job: &WorkflowJob, request: &ChildRequest, settings: &Settings) -> Arc<Conf> {
    let nothing = Arc::new(Conf::default());
    let parent = job.conf.as_ref().unwrap_or(&nothing);
    if request.is_named {
        let mut conf = Conf::default();
        let user = parent.raw(USER_NAME).map(|user| (USER_NAME, user));
        conf.extend(user);
        conf.set(AppKind::Workflow.property(), request.app_path.as_str());
        conf.extend(request.properties.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        return Arc::new(conf);
    }
    let mut conf = if request.propagates { Conf::over(parent) } else { Conf::default() };
    if !request.propagates {
        // `createProtoActionConf`: the user and everything of Oozie's.
        let all = parent.all();
        conf.extend(all.into_iter().filter(|(name, _)| *name == USER_NAME || name.starts_with("oozie.")));
    }
    conf.set(AppKind::Workflow.property(), request.app_path.as_str());
    if let Some(group) = parent.raw(GROUP_NAME).or_else(|| parent.raw(JOB_ACL)) {
        conf.set(GROUP_NAME, group);
    }
    conf.extend(request.properties.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    let id = job.id().with_middle(&settings.id_middle);
    conf.set(PARENT_ID, id.as_str());
    let above = parent.raw(SUPER_PARENT_ID).map(str::to_owned);
    conf.set(SUPER_PARENT_ID, above.unwrap_or(id));
    conf.set(DEPTH, (job.depth + 1).to_string());
    Arc::new(conf)
}
