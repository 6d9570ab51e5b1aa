//! How a node begins (`ActionStartXCommand`): its expressions are evaluated, then an action is started outside.

use std::cell::RefCell;
use std::collections::VecDeque;

use super::expressions::{Files, NodeWorld, Why};
use super::job::WorkflowJob;
use super::node::NodeEvent;
use super::run::Step;
use super::sub::child_conf;
use crate::engine::command::Command;
use crate::engine::context::Context;
use crate::engine::event::{During, Facts, Fault, Parent, Subject, Trouble, TroubleKind};
use crate::engine::status::{NodeStatus, WorkflowStatus};
use crate::engine::view::Outside;
use crate::plan::workflow::{ChildRequest, ProgramKind, Target};

/// What a node's expressions gave.
enum Evaluated {
    /// Where a decision leads.
    Decision(Target),
    /// The definition of an action.
    Definition(String),
}

impl WorkflowJob {
    /// `ActionStartXCommand.execute`
    pub(super) fn begin(&mut self, cx: &mut Context<'_>, open: &mut VecDeque<Step>, run: usize) {
        let program = self.program.clone();
        let node = &program.nodes[self.nodes[run].node as usize];
        match &node.kind {
            // Commands of one job wait for each other.
            ProgramKind::Action(_) if !self.starting.is_empty() && !self.nodes[run].is_forked => {
                self.due.push_back(run);
            }
            ProgramKind::Decision { .. } | ProgramKind::Action(_) => {
                if node.asks_outside {
                    cx.out.push(Command::Look(Subject::Node(self.node_id(run))));
                } else {
                    self.begin_with(cx, open, run, &Facts::default());
                }
            }
            _ => {
                self.move_node(cx, run, NodeEvent::Pass);
                self.nodes[run].started = Some(cx.now);
                open.push_back(Step::Leave(run));
            }
        }
    }

    /// The node's expressions, with what is known of the world.
    fn evaluate(&self, world: &NodeWorld<'_>) -> Result<Evaluated, Why> {
        match &self.program.nodes[world.node as usize].kind {
            ProgramKind::Decision { cases, default } => {
                // A server evaluates the whole switch at once (`DecisionActionExecutor`), so every predicate must have a value.
                let mut taken = None;
                let evaluates_all = self.ways().evaluates_all_predicates;
                for (predicate, target) in cases {
                    if taken.is_some() && !evaluates_all {
                        break;
                    }
                    let holds = world.text(predicate)?.trim() == "true";
                    if holds && taken.is_none() {
                        taken = Some(target);
                    }
                }
                Ok(Evaluated::Decision(taken.unwrap_or(default).clone()))
            }
            ProgramKind::Action(action) => world.definition(&action.definition).map(Evaluated::Definition),
            _ => Ok(Evaluated::Definition(String::new())),
        }
    }

    /// What a node's expressions ask of the world.
    pub(in crate::engine) fn look(&self, node: u32, cx: &Context<'_>, outside: &dyn Outside) -> Facts {
        let seen = RefCell::default();
        let files = Files::Outside(outside, &seen);
        let world = NodeWorld { job: self, node, settings: cx.settings, now: cx.now, files };
        // What fails here fails again when the answer comes in.
        let _ = self.evaluate(&world);
        seen.into_inner()
    }

    /// Begins a node once the world is known.
    pub(super) fn begin_with(
        &mut self,
        cx: &mut Context<'_>,
        open: &mut VecDeque<Step>,
        run: usize,
        facts: &Facts,
    ) {
        let node = self.nodes[run].node;
        let files = Files::Recorded(facts);
        let world = NodeWorld { job: self, node, settings: cx.settings, now: cx.now, files };
        match self.evaluate(&world) {
            Err(why) => {
                // No function of the server throws what is tried again, so the node fails and the job with it.
                let (kind, code) = match self.semantics.follows_commands() {
                    true => (TroubleKind::Failed, "EL_ERROR"),
                    false => (TroubleKind::Transient, "EL_EVAL_ERROR"),
                };
                let trouble = Trouble { kind, during: During::Start, fault: Fault::new(code, why) };
                self.trouble(cx, open, run, trouble);
            }
            Ok(Evaluated::Decision(target)) => {
                self.nodes[run].started = Some(cx.now);
                self.nodes[run].transition = target.node;
                let found = target.label.unwrap_or(target.name);
                self.nodes[run].facts_mut().external_status = Some(found);
                self.move_node(cx, run, NodeEvent::Pass);
                open.push_back(Step::Leave(run));
            }
            Ok(Evaluated::Definition(definition)) => self.start_action(cx, open, run, definition),
        }
    }

    fn start_action(
        &mut self,
        cx: &mut Context<'_>,
        open: &mut VecDeque<Step>,
        run: usize,
        definition: String,
    ) {
        let id = self.node_id(run);
        let program = self.program.clone();
        let ProgramKind::Action(action) = &program.nodes[id.node as usize].kind else { return };
        self.attempts += 1;
        let attempt = self.attempts;
        self.nodes[run].attempt = attempt;
        self.nodes[run].pending = true;
        if let Some(facts) = &mut self.nodes[run].facts {
            facts.fault = None;
        }
        let error = |code, message: &str| {
            let fault = Fault::new(code, message);
            Trouble { kind: TroubleKind::Error, during: During::Start, fault }
        };
        if &*action.kind != "sub-workflow" {
            self.starts(run);
            let definition = definition.into();
            cx.out.push(Command::StartNode { node: id, attempt, kind: action.kind.clone(), definition });
            return;
        }
        let Some(request) = ChildRequest::read(&definition) else {
            return self.trouble(cx, open, run, error("ParsingError", "the action is no XML"));
        };
        if self.depth >= cx.settings.max_depth {
            let words = format!("sub-workflows lie more than {} deep", cx.settings.max_depth);
            return self.trouble(cx, open, run, error("SUBWF001", &words));
        }
        let conf = child_conf(self, &request, cx.settings);
        self.nodes[run].facts_mut().asked = Some(conf.clone());
        self.starts(run);
        cx.out.push(Command::PlanWorkflow {
            parent: Parent::Node(id),
            app_path: request.app_path.into(),
            conf,
            above: Some(self.key.clone()),
        });
    }

    /// The start of an action is on its way.
    fn starts(&mut self, run: usize) {
        if self.semantics.follows_commands() {
            self.starting.push(run);
        }
    }

    /// The start of an action is answered.
    pub(super) fn has_started(&mut self, run: usize) {
        self.starting.retain(|known| *known != run);
    }

    /// Begins what has waited until nothing else was being started.
    pub(super) fn begin_due(&mut self, cx: &mut Context<'_>) {
        if self.due.is_empty() {
            return;
        }
        if self.status != WorkflowStatus::Running {
            // A resume finds them in their state.
            return self.due.clear();
        }
        while self.starting.is_empty()
            && let Some(run) = self.due.pop_front()
        {
            use NodeStatus::{Prep, StartManual, StartRetry, UserRetry};
            let waits = self.nodes.get(run).is_some_and(|node| {
                node.pending
                    && node.attempt == 0
                    && matches!(node.status, Prep | StartManual | StartRetry | UserRetry)
            });
            if waits {
                self.advance(cx, [Step::Begin(run)]);
            }
        }
    }

    /// The action has begun outside.
    pub(super) fn begun(&mut self, cx: &mut Context<'_>, run: usize) {
        self.has_started(run);
        self.nodes[run].is_forked = false;
        self.move_node(cx, run, NodeEvent::Begin);
        let node = &mut self.nodes[run];
        node.started.get_or_insert(cx.now);
        node.retries = 0;
        node.retry_at = None;
        let index = node.node;
        self.node_level_begins(cx, index);
        self.notify_node(cx, run);
    }
}
