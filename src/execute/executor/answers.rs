//! What the engine asks for and what can be answered from what is here; nothing of it changes anything outside.

use std::path::PathBuf;

use super::Executor;
use crate::engine::{Command, During, Event, Parent, Question, Trouble, TroubleKind};
use crate::host::ShellError;

impl Executor<'_> {
    /// Answers what can be answered from what is here; nothing of it changes anything outside.
    pub(super) fn answer_open(&mut self) -> Result<(), ShellError> {
        loop {
            let Some(command) = self.open.pop_front() else {
                self.forget_told();
                match self.look_again() {
                    Some(event) => self.tell_or_drop(event)?,
                    None => return Ok(()),
                }
                continue;
            };
            let Some(command) = self.cleanings.hold(command) else { continue };
            let event = match &command {
                Command::Look(subject) => self.look(*subject),
                Command::Await(subject) => {
                    self.wait_for(*subject);
                    None
                }
                Command::PlanCoordinator { bundle, child } => {
                    let key = self.engine.bundle(*bundle).map(|job| job.key.clone()).unwrap_or_default();
                    let outcome = self.deployed.plan_coordinator(&key, *child);
                    Some(Event::CoordinatorPlanned { bundle: *bundle, child: *child, outcome })
                }
                Command::PlanWorkflow { parent, app_path, conf, above } => {
                    let near = self.near(*parent).unwrap_or_default();
                    let outcome = self.deployed.plan_workflow(app_path, conf, above.as_deref(), &near);
                    Some(Event::WorkflowPlanned { parent: *parent, outcome })
                }
                Command::StartNode { node, attempt, kind, definition } if self.stub_of(*node).is_some() => {
                    let begun =
                        self.unanswered.get(&Question::Run(*node)).is_some_and(|asked| asked.has_begun);
                    let is_well = self.stub_of(*node).is_some_and(|end| end.ok);
                    if is_well
                        && !begun
                        && let Err(fault) = self.rehearse_start(kind, definition)
                    {
                        let trouble = Trouble { kind: TroubleKind::Error, during: During::Start, fault };
                        self.tell_or_drop(Event::NodeTrouble { node: *node, attempt: *attempt, trouble })?;
                        continue;
                    }
                    let ends = self.clock.now().plus_millis(self.options.stub_millis);
                    self.stubbed.insert((ends, *node, *attempt));
                    (!begun).then_some(Event::NodeStarted {
                        node: *node,
                        attempt: *attempt,
                        external_id: None,
                        tracker: None,
                    })
                }
                Command::EndNode { node, attempt } if self.stub_of(*node).is_some() => {
                    let end = self.stub_of(*node).unwrap_or_default();
                    Some(Event::NodeEnded { node: *node, attempt: *attempt, end })
                }
                Command::KillNode { node, attempt } if self.stub_of(*node).is_some() => {
                    self.stubbed.retain(|(_, other, _)| other != node);
                    Some(Event::NodeKilled { node: *node, attempt: *attempt, fault: None })
                }
                _ => {
                    self.put_off.push(command);
                    None
                }
            };
            if let Some(event) = event {
                self.tell_or_drop(event)?;
            }
        }
    }

    /// The file from which a path to a workflow is looked at.
    pub(super) fn near(&self, parent: Parent) -> Option<PathBuf> {
        let key = match parent {
            Parent::Action(action) => &self.engine.coordinator(action.job())?.key,
            Parent::Node(node) => &self.engine.workflow(node.job())?.key,
        };
        self.deployed.path(key)
    }
}
