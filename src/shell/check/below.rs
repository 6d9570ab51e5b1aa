//! The sub-workflows of a plan: each is judged with the values that it gets.

use std::collections::BTreeSet;

use crate::analysis::project::Kind;
use crate::analysis::values::Values;
use crate::diag::Diagnostic;
use crate::model::{self, App};
use crate::plan::workflow::WorkflowPlan;
use crate::shell::check::program::Program;
use crate::shell::check::supply::undefined;
use crate::shell::library::Loaded;

impl<'l> Program<'l, '_> {
    /// Lets the rules look at every sub-workflow of a plan with the values that it gets. Comes back with what those miss
    /// that get all that their parent has; what others miss is told of the action that leads to them.
    pub(super) fn judge_below(
        &self,
        app: &'l Loaded,
        model: &'l model::Workflow,
        plan: &WorkflowPlan,
        values: Values,
    ) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        let mut open = vec![(model, plan, values)];
        while let Some((model, plan, values)) = open.pop() {
            let children =
                plan.nodes.iter().filter_map(|node| Some((node, node.action.as_ref()?.child.as_ref()?)));
            for (node, child) in children {
                let Some(below) = &child.plan else { continue };
                let Some(loaded) = self.library.find(&child.app_path, Kind::Workflow, &app.path) else {
                    continue;
                };
                let written = model.nodes.iter().find(|written| written.tag_span == node.span);
                let Some(model::workflow::NodeKind::Action(action)) = written.map(|node| &node.kind) else {
                    continue;
                };
                let body = action.body.as_ref();
                let gets_all =
                    body.is_some_and(|body| body.element.child("propagate-configuration").is_some());
                if gets_all && child.findings.is_empty() {
                    let known = || below.parameters.iter().map(|(name, _)| name);
                    let missing = below.missing.iter();
                    findings.extend(missing.map(|(name, span)| undefined(name, *span, known())));
                }
                let late =
                    action.body.as_ref().map(|body| body.details()).map_or_else(BTreeSet::new, |details| {
                        values.handed_down(&details, model.global.as_ref())
                    });
                let handed = self.values(loaded, &below.parameters).late(late);
                if let Some(App::Workflow(model)) = &loaded.definition.app {
                    loaded.judge_among(&handed, &[], &self.library.elsewhere(loaded, model, &handed));
                    self.parts.workflow(model, handed.clone());
                    open.push((model, below, handed));
                }
            }
        }
        findings
    }
}
