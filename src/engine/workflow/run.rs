//! How a workflow goes from node to node (`SignalXCommand`, `LiteWorkflowInstance`, `ActionStartXCommand`,
//! `ActionEndXCommand`).

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

use super::expressions::{Files, NodeWorld, Why};
use super::job::{Fork, JOB_TABLE, JobEvent, WorkflowJob};
use super::node::{NODE_TABLE, NodeEvent, NodeRun};
use super::retry::{transient_retry_at, user_retry_at};
use super::sub::child_conf;
use crate::engine::command::{Changed, Command};
use crate::engine::context::{Context, Notice};
use crate::engine::error::EngineError;
use crate::engine::event::{During, Facts, Fault, NodeEnd, Parent, Subject, Trouble, TroubleKind};
use crate::engine::id::NodeId;
use crate::engine::sla::Ending;
use crate::engine::status::{NodeStatus, WorkflowStatus};
use crate::engine::table::step;
use crate::engine::view::Outside;
use crate::engine::wake::Wake;
use crate::plan::workflow::{ChildRequest, ProgramKind, Target};

/// A step of a workflow that is still to be made.
pub(super) enum Step {
    /// Enter a node, within a fork.
    Enter(u32, Option<u32>),
    /// Begin a node that was entered.
    Begin(usize),
    /// Go on behind a node that is over.
    Leave(usize),
}

/// What a node's expressions gave.
enum Evaluated {
    /// Where a decision leads.
    Decision(Target),
    /// The definition of an action.
    Definition(String),
}

impl WorkflowJob {
    /// Makes all steps that can be made now.
    pub(super) fn advance(&mut self, cx: &mut Context<'_>, first: impl IntoIterator<Item = Step>) {
        let mut open: VecDeque<Step> = first.into_iter().collect();
        while let Some(next) = open.pop_front() {
            if self.status != WorkflowStatus::Running {
                self.put_off(next);
                continue;
            }
            match next {
                Step::Enter(node, fork) => self.enter(cx, &mut open, node, fork),
                Step::Begin(run) => self.begin(cx, &mut open, run),
                Step::Leave(run) => self.leave(cx, &mut open, run),
            }
        }
    }

    /// A step that cannot be made in a job that does not run. Nodes keep waiting for a resume.
    fn put_off(&mut self, step: Step) {
        if let (Step::Enter(node, fork), WorkflowStatus::Suspended) = (step, self.status) {
            self.put_off_nodes.push((node, fork));
        }
    }

    fn node_id(&self, run: usize) -> NodeId {
        NodeId { workflow: self.number, node: self.nodes[run].node }
    }

    /// Takes a row of the table of jobs.
    pub(super) fn move_to(&mut self, cx: &mut Context<'_>, event: JobEvent) -> Result<(), EngineError> {
        let was = self.status;
        let id = self.id();
        self.status = step(JOB_TABLE, "workflow", || id.to_string(), was, event)?;
        cx.out.push(Command::Changed(Changed::Workflow(id, was, self.status)));
        cx.notices.push_back(Notice::Workflow(self.number));
        self.notify_job(cx);
        Ok(())
    }

    /// Whether the table of nodes has a row; changes nothing.
    pub(super) fn check_node(&self, run: usize, event: NodeEvent) -> Result<(), EngineError> {
        step(NODE_TABLE, "node", || self.node_text(run), self.nodes[run].status, event).map(|_| ())
    }

    fn node_text(&self, run: usize) -> String {
        format!("{}@{}", self.id(), self.node_name(self.nodes[run].node))
    }

    /// Takes a row of the table of nodes. A pair without a row is a fault of this program.
    pub(super) fn move_node(&mut self, cx: &mut Context<'_>, run: usize, event: NodeEvent) {
        let was = self.nodes[run].status;
        match step(NODE_TABLE, "node", || self.node_text(run), was, event) {
            Ok(status) => self.set_node(cx, run, status),
            Err(error) => debug_assert!(false, "{error}"),
        }
    }

    fn set_node(&mut self, cx: &mut Context<'_>, run: usize, status: NodeStatus) {
        let was = std::mem::replace(&mut self.nodes[run].status, status);
        if was != status {
            cx.out.push(Command::Changed(Changed::Node(self.node_id(run), was, status)));
        }
    }

    /// `LiteWorkflowInstance.signal` with `::synch::`, and what `SignalXCommand` does with new actions.
    fn enter(&mut self, cx: &mut Context<'_>, open: &mut VecDeque<Step>, node: u32, fork: Option<u32>) {
        let mut fork = fork;
        if matches!(self.program.nodes[node as usize].kind, ProgramKind::Join(_)) {
            let Some(around) = fork else {
                return self.break_off(cx, Fault::new("E0720", "a join is entered outside a fork"));
            };
            let around = &mut self.forks[around as usize];
            around.open -= 1;
            if around.open > 0 {
                return;
            }
            fork = around.parent;
        }
        if let Some(run) = self.position(node) {
            if let Ok(at) = self.skip.binary_search(&node) {
                self.skip.remove(at);
                self.nodes[run].fork = fork;
                open.push_back(Step::Leave(run));
                return;
            }
            let Ok(at) = self.kept.binary_search(&node) else {
                let name = self.node_name(node);
                return self.break_off(cx, Fault::new("E0709", format!("`{name}` is entered twice")));
            };
            self.kept.remove(at);
            let facts = self.nodes[run].facts.take();
            self.nodes[run] = NodeRun { facts, ..NodeRun::new(node, fork, cx.now) };
            self.node_level_enters(cx, node);
            open.push_back(Step::Begin(run));
            return;
        }
        self.nodes.push(NodeRun::new(node, fork, cx.now));
        self.node_level_enters(cx, node);
        let run = self.nodes.len() - 1;
        if self.suspends_before(node) {
            // What was entered waits for a resume.
            if self.move_to(cx, JobEvent::Suspend).is_ok() {
                return;
            }
        }
        open.push_back(Step::Begin(run));
    }

    /// `SignalXCommand.checkForSuspendNode`
    fn suspends_before(&self, node: u32) -> bool {
        let Some(value) = self.conf.as_ref().and_then(|conf| conf.get("oozie.suspend.on.nodes")) else {
            return false;
        };
        let names: Vec<&str> = value.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        names == ["*"] || names.contains(&&**self.node_name(node))
    }

    /// `ActionStartXCommand.execute`
    fn begin(&mut self, cx: &mut Context<'_>, open: &mut VecDeque<Step>, run: usize) {
        let program = self.program.clone();
        let node = &program.nodes[self.nodes[run].node as usize];
        match &node.kind {
            ProgramKind::Decision { .. } | ProgramKind::Action(_) => {
                if node.asks_outside {
                    cx.out.push(Command::Look(Subject::Node(self.node_id(run))));
                } else {
                    self.begin_with(cx, open, run, &Facts::default());
                }
            }
            _ => {
                self.set_node(cx, run, NodeStatus::Ok);
                self.nodes[run].started = Some(cx.now);
                open.push_back(Step::Leave(run));
            }
        }
    }

    /// The node's expressions, with what is known of the world.
    fn evaluate(&self, world: &NodeWorld<'_>) -> Result<Evaluated, Why> {
        match &self.program.nodes[world.node as usize].kind {
            ProgramKind::Decision { cases, default } => {
                // The whole switch is evaluated at once (`DecisionActionExecutor`), so every predicate must have a value.
                let mut taken = None;
                for (predicate, target) in cases {
                    let holds = world.text(predicate)?.trim() == "true";
                    if holds && taken.is_none() {
                        taken = Some(target);
                    }
                }
                Ok(Evaluated::Decision(taken.unwrap_or(default).clone()))
            }
            ProgramKind::Action(action) => world.text(&action.definition).map(Evaluated::Definition),
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
                let fault = Fault::new("EL_EVAL_ERROR", why);
                let trouble = Trouble { kind: TroubleKind::Transient, during: During::Start, fault };
                self.trouble(cx, open, run, trouble);
            }
            Ok(Evaluated::Decision(target)) => {
                self.nodes[run].started = Some(cx.now);
                self.nodes[run].transition = target.node;
                self.nodes[run].facts_mut().external_status = Some(target.name.clone());
                self.set_node(cx, run, NodeStatus::Ok);
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
        cx.out.push(Command::PlanWorkflow {
            parent: Parent::Node(id),
            app_path: request.app_path.into(),
            conf,
            above: Some(self.key.clone()),
        });
    }

    /// The action has begun outside.
    pub(super) fn begun(&mut self, cx: &mut Context<'_>, run: usize) {
        self.move_node(cx, run, NodeEvent::Begin);
        let node = &mut self.nodes[run];
        node.started.get_or_insert(cx.now);
        node.retries = 0;
        node.retry_at = None;
        let index = node.node;
        self.node_level_begins(cx, index);
        self.notify_node(cx, run);
    }

    /// The action is over outside.
    pub(super) fn finished(
        &mut self,
        cx: &mut Context<'_>,
        open: &mut VecDeque<Step>,
        run: usize,
        end: NodeEnd,
    ) {
        let NodeEnd { ok, external_status, fault, data, stats, child_ids } = end;
        let too_long = data.as_ref().is_some_and(|data| data.chars().count() > cx.settings.max_output);
        let node = &mut self.nodes[run];
        node.started.get_or_insert(cx.now);
        node.pending = true;
        let index = node.node;
        if !ok || external_status.is_some() || data.is_some() || stats.is_some() || child_ids.is_some() {
            let facts = node.facts_mut();
            facts.external_status = external_status;
            facts.stats = stats;
            facts.child_ids = child_ids;
            facts.ok = Some(ok && !too_long);
            facts.fault = fault;
            facts.data = data.filter(|_| !too_long);
            if too_long {
                // `LauncherAM`: an output that is too long fails the launcher.
                let words = format!("the output is longer than {} characters", cx.settings.max_output);
                facts.fault = Some(Fault::new("JA018", words));
            }
        } else if let Some(facts) = &mut node.facts {
            facts.ok = Some(true);
            facts.fault = None;
        }
        self.node_level_begins(cx, index);
        if !self.is_over_outside(run) {
            self.move_node(cx, run, NodeEvent::Finish);
        }
        self.end_action(cx, open, run);
    }

    /// `ActionEndXCommand.execute`; in a job that does not run, a resume makes up for it.
    pub(super) fn end_action(&mut self, cx: &mut Context<'_>, open: &mut VecDeque<Step>, run: usize) {
        if self.status != WorkflowStatus::Running {
            return;
        }
        let node = &mut self.nodes[run];
        node.retry_at = None;
        let ok = node.facts.as_ref().is_none_or(|facts| facts.ok != Some(false));
        if !ok && self.retry(cx, run) {
            return;
        }
        self.nodes[run].retries = 0;
        self.move_node(cx, run, if ok { NodeEvent::EndOk } else { NodeEvent::EndError });
        open.push_back(Step::Leave(run));
    }

    /// `ActionXCommand.handleUserRetry`
    fn retry(&mut self, cx: &mut Context<'_>, run: usize) -> bool {
        let node = &self.nodes[run];
        let code = node.facts.as_ref().and_then(|facts| facts.fault.as_ref()).map(|fault| &*fault.code);
        let Some(at) = user_retry_at(self, node.node, node.user_retries, code, cx.settings, cx.now) else {
            return false;
        };
        self.move_node(cx, run, NodeEvent::Retry);
        let id = self.node_id(run);
        let node = &mut self.nodes[run];
        node.user_retries += 1;
        node.pending = true;
        node.attempt = 0;
        node.retry_at = Some(at);
        cx.wakes.insert((at, Wake::Retry(id)));
        true
    }

    /// `ActionXCommand.handleTransient`, `handleNonTransient`, `handleError` and `failJob`.
    pub(super) fn trouble(
        &mut self,
        cx: &mut Context<'_>,
        open: &mut VecDeque<Step>,
        run: usize,
        trouble: Trouble,
    ) {
        let Trouble { kind, during, fault } = trouble;
        let id = self.node_id(run);
        self.nodes[run].facts_mut().fault = Some(fault);
        match kind {
            TroubleKind::Transient => {
                match transient_retry_at(self, self.nodes[run].retries, cx.settings, cx.now) {
                    None => self.wait_for_hand(cx, run, during),
                    Some(at) => {
                        self.nodes[run].retries += 1;
                        self.nodes[run].pending = true;
                        let event = match during {
                            During::Start => NodeEvent::StartTransient,
                            During::Check => return self.move_node(cx, run, NodeEvent::CheckTransient),
                            During::End => NodeEvent::EndTransient,
                        };
                        self.move_node(cx, run, event);
                        if during == During::Start {
                            self.nodes[run].attempt = 0;
                        }
                        self.nodes[run].retry_at = Some(at);
                        cx.wakes.insert((at, Wake::Retry(id)));
                    }
                }
            }
            TroubleKind::NonTransient => self.wait_for_hand(cx, run, during),
            TroubleKind::Error if self.retry(cx, run) => {}
            TroubleKind::Error if during == During::Start => {
                self.nodes[run].started.get_or_insert(cx.now);
                self.node_level_begins(cx, id.node);
                self.nodes[run].facts_mut().ok = Some(false);
                self.move_node(cx, run, NodeEvent::Finish);
                self.end_action(cx, open, run);
            }
            TroubleKind::Error if during == During::End => {
                self.nodes[run].facts_mut().ok = Some(false);
                self.move_node(cx, run, NodeEvent::EndError);
                open.push_back(Step::Leave(run));
            }
            TroubleKind::Failed if self.retry(cx, run) => {}
            TroubleKind::Error | TroubleKind::Failed => {
                self.move_node(cx, run, NodeEvent::Fail);
                self.nodes[run].pending = false;
                self.nodes[run].ended = Some(cx.now);
                self.finished.push(run as u32);
                self.node_level_ends(cx, id.node, Ending::Badly);
                self.notify_node(cx, run);
                self.end_job(cx, JobEvent::Fail);
            }
        }
    }

    /// `handleNonTransient`: the job waits until somebody resumes it.
    fn wait_for_hand(&mut self, cx: &mut Context<'_>, run: usize, during: During) {
        let event = if during == During::End { NodeEvent::EndManual } else { NodeEvent::StartManual };
        self.move_node(cx, run, event);
        let node = &mut self.nodes[run];
        node.pending = false;
        node.retries = 0;
        node.retry_at = None;
        if during != During::End {
            node.attempt = 0;
        }
        self.suspend(cx);
    }

    /// Suspends a job that runs (`SuspendXCommand.suspendJob`): what waits for a retry waits for a resume.
    pub(super) fn suspend(&mut self, cx: &mut Context<'_>) {
        if self.status != WorkflowStatus::Running || self.move_to(cx, JobEvent::Suspend).is_err() {
            return;
        }
        use NodeStatus::{EndManual, EndRetry, StartManual, StartRetry};
        for run in &mut self.nodes {
            if matches!(run.status, StartRetry | StartManual | EndRetry | EndManual) {
                run.pending = false;
            }
        }
    }

    /// `SignalXCommand.execute` for a node that is over.
    fn leave(&mut self, cx: &mut Context<'_>, open: &mut VecDeque<Step>, run: usize) {
        let program = self.program.clone();
        let node = &mut self.nodes[run];
        let skipped = node.ended.is_some();
        node.pending = false;
        node.ended.get_or_insert(cx.now);
        let (index, fork, status) = (node.node, node.fork, node.status);
        let kind = &program.nodes[index as usize].kind;
        let decided = node.transition;
        if !skipped {
            self.finished.push(run as u32);
            let ending = if status == NodeStatus::Ok { Ending::Well } else { Ending::Badly };
            self.node_level_ends(cx, index, ending);
        }
        let mut go = |job: &mut WorkflowJob, cx: &mut Context<'_>, target: &Target, fork| match target.node {
            None => {
                let words = format!("there is no node `{}`", target.name);
                job.break_off(cx, Fault::new("E0708", words));
            }
            Some(to) => {
                job.nodes[run].transition = Some(to);
                open.push_back(Step::Enter(to, fork));
            }
        };
        match kind {
            ProgramKind::Start(to) | ProgramKind::Join(to) => go(self, cx, to, fork),
            ProgramKind::Decision { cases, default } => {
                let targets = cases.iter().map(|(_, target)| target).chain([default]);
                let taken = targets.into_iter().find(|target| target.node == decided && decided.is_some());
                let missing = Target { name: "".into(), node: None };
                go(self, cx, taken.unwrap_or(&missing), fork);
            }
            ProgramKind::Fork(paths) => {
                let open_paths = paths.len() as u32;
                self.forks.push(Fork { parent: fork, open: open_paths });
                let around = self.forks.len() as u32 - 1;
                for path in paths {
                    go(self, cx, path, Some(around));
                }
            }
            ProgramKind::Action(action) => {
                let to = if status == NodeStatus::Ok { &action.ok } else { &action.error };
                go(self, cx, to, fork);
            }
            ProgramKind::End => self.end_job(cx, JobEvent::ReachEnd),
            ProgramKind::Kill(message) => {
                let facts = Facts::default();
                let files = Files::Recorded(&facts);
                let world = NodeWorld { job: self, node: index, settings: cx.settings, now: cx.now, files };
                let fault = match world.text(message) {
                    Ok(message) => Fault::new("E0729", message),
                    Err(why) => {
                        self.set_node(cx, run, NodeStatus::Error);
                        Fault::new("E0756", why)
                    }
                };
                self.nodes[run].facts_mut().fault = Some(fault);
                self.end_job(cx, JobEvent::ReachKill);
            }
        }
        if !skipped {
            self.notify_node(cx, run);
        }
    }

    /// The control flow is broken: the job fails.
    fn break_off(&mut self, cx: &mut Context<'_>, fault: Fault) {
        self.fault = Some(fault);
        self.end_job(cx, JobEvent::Fail);
    }

    /// The job is over: what still runs is killed.
    pub(super) fn end_job(&mut self, cx: &mut Context<'_>, event: JobEvent) {
        if self.move_to(cx, event).is_err() {
            return;
        }
        self.ended = Some(cx.now);
        let ending = if event == JobEvent::ReachEnd { Ending::Well } else { Ending::Badly };
        self.level_ends(cx, ending);
        self.kill_nodes(cx);
        self.tidy();
    }

    /// Forgets what only a job that runs needs.
    fn tidy(&mut self) {
        self.forks = Vec::new();
        self.put_off_nodes = Vec::new();
        self.skip = Vec::new();
        self.kept = Vec::new();
        self.levels = None;
        self.nodes.shrink_to_fit();
        self.finished.shrink_to_fit();
        // What a rerun was given is known nowhere else.
        if matches!(self.parent, Some(Parent::Action(_))) && self.run == 0 {
            self.conf = None;
        }
    }

    /// `KillXCommand.execute` for the actions.
    pub(super) fn kill_nodes(&mut self, cx: &mut Context<'_>) {
        for run in 0..self.nodes.len() {
            let node = &self.nodes[run];
            if node.status.is_over() {
                continue;
            }
            let child = node.facts.as_ref().and_then(|facts| facts.child);
            let is_outside = node.is_outside() && child.is_none();
            let (attempt, id) = (node.attempt, self.node_id(run));
            self.move_node(cx, run, NodeEvent::Kill);
            let ProgramKind::Action(action) = &self.program.nodes[id.node as usize].kind else {
                self.nodes[run].pending = false;
                continue;
            };
            let asked = is_outside && &*action.kind != "sub-workflow";
            let node = &mut self.nodes[run];
            node.ended = Some(cx.now);
            node.retry_at = None;
            node.pending = asked;
            if asked {
                cx.out.push(Command::KillNode { node: id, attempt });
            }
            if let Some(child) = child {
                cx.notices.push_back(Notice::Kill(child));
            }
            self.finished.push(run as u32);
            self.node_level_ends(cx, id.node, Ending::Badly);
            self.notify_node(cx, run);
        }
    }

    /// `WorkflowNotificationXCommand` for the job.
    fn notify_job(&self, cx: &mut Context<'_>) {
        let Some(url) = self.url("oozie.wf.workflow.notification.url") else { return };
        let parent = match self.parent {
            None => String::new(),
            Some(Parent::Action(action)) => {
                format!("{}@{}", action.job().with_middle(&cx.settings.id_middle), action.number)
            }
            Some(Parent::Node(node)) => node.job().with_middle(&cx.settings.id_middle),
        };
        let id = self.id().with_middle(&cx.settings.id_middle);
        let url = url.replace("$jobId", &id).replace("$status", self.status.name());
        let proxy = self.url("oozie.wf.workflow.notification.proxy");
        cx.out.push(Command::Notify { url: url.replace("$parentId", &parent), proxy });
    }

    /// `WorkflowNotificationXCommand` for a node.
    pub(super) fn notify_node(&self, cx: &mut Context<'_>, run: usize) {
        let Some(url) = self.url("oozie.wf.action.notification.url") else { return };
        let node = &self.nodes[run];
        let fork = matches!(self.program.nodes[node.node as usize].kind, ProgramKind::Fork(_));
        let to: Arc<str> = match node.transition {
            Some(_) if fork => "*".into(),
            Some(to) => self.node_name(to).clone(),
            None => "null".into(),
        };
        use NodeStatus::{Error, Killed, Ok};
        let status = match node.status {
            Ok | Error | Killed => format!("T:{to}"),
            other => format!("S:{other}"),
        };
        let id = self.id().with_middle(&cx.settings.id_middle);
        let url = url.replace("$jobId", &id).replace("$nodeName", self.node_name(node.node));
        let proxy = self.url("oozie.wf.action.notification.proxy");
        cx.out.push(Command::Notify { url: url.replace("$status", &status), proxy });
    }

    fn url(&self, name: &str) -> Option<String> {
        self.conf.as_ref().and_then(|conf| conf.get(name))
    }
}
