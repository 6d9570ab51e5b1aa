//! What the program of a page draws, as compact JSON.
//!
//! Times are numbers of `unit` milliseconds, each counted from the one before it. What many have in common (states in
//! order, nodes and how they ended) is a form that is written once. `data.js` reads all this in the same order.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::Limits;
use super::table::{Table, guarded, numbers, short, sorted_texts, texts};
use crate::engine::status::{ActionStatus, JobStatus, NodeStatus, WorkflowStatus};
use crate::engine::{ActionId, Fault, JobId, Parent, SlaKind, Watched};
use crate::report::plan_json::string;
use crate::simulate::record::{Action, Expected, Simulation, Since, Subject, Workflow};
use crate::time::Instant;

/// What a page does not show because it would be too large.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Actions.
    pub actions: usize,
    /// What actions waited for.
    pub waits: usize,
    /// Attempts of nodes.
    pub runs: usize,
}

impl LeftOut {
    /// Whether the page shows everything.
    pub fn is_nothing(&self) -> bool {
        *self == LeftOut::default()
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [(self.actions, "actions"), (self.waits, "waits"), (self.runs, "attempts of nodes")];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0);
        for (index, (count, what)) in parts.enumerate() {
            write!(f, "{}{count} {what}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// Writes the data, safe between the tags of a script.
pub(super) fn write(simulation: &Simulation, limits: &Limits, out: &mut String) -> LeftOut {
    let mut writer = Writer {
        simulation,
        limits,
        unit: unit(simulation),
        texts: Table::new(),
        faults: Table::new(),
        actions: Columns::new(),
        workflows: Columns::new(),
        ids: Vec::new(),
        left_out: LeftOut::default(),
    };
    let json = writer.document();
    out.push_str(&guarded(&json));
    writer.left_out
}

/// The place of an action among those that are shown, or -1.
pub(super) fn place(simulation: &Simulation, limits: &Limits, id: ActionId) -> i64 {
    let mut before = 0;
    for coordinator in &simulation.coordinators {
        if coordinator.id == id.job() {
            let place = before + (id.number as usize).saturating_sub(1);
            let is_shown = place < limits.actions && id.number as usize <= coordinator.actions.len();
            return if is_shown { place as i64 } else { -1 };
        }
        before += coordinator.actions.len();
    }
    -1
}

/// The action that a workflow runs for, through those that run it.
fn action_of(simulation: &Simulation, workflow: JobId) -> Option<ActionId> {
    let mut parent = simulation.workflow(workflow)?.parent?;
    loop {
        match parent {
            Parent::Action(action) => return Some(action),
            Parent::Node(node) => parent = simulation.workflow(node.job())?.parent?,
        }
    }
}

/// Of things of one kind: forms, the form of each, and what is different with each.
struct Columns {
    forms: Table<Vec<i64>>,
    form: Vec<i64>,
    times: Vec<i64>,
}

impl Columns {
    fn new() -> Columns {
        Columns { forms: Table::new(), form: Vec::new(), times: Vec::new() }
    }

    fn add(&mut self, form: Vec<i64>) {
        let place = self.forms.place(form);
        self.form.push(place);
    }

    fn write(&self, name: &str, out: &mut String) {
        out.push_str(&format!(",\n\"{name}\":{{\"forms\":["));
        for (index, form) in self.forms.values().iter().enumerate() {
            out.push_str(if index == 0 { "" } else { "," });
            numbers(form, out);
        }
        out.push_str("],\n\"form\":");
        numbers(&self.form, out);
        out.push_str(",\n\"times\":");
        numbers(&self.times, out);
    }
}

/// The longest unit of time that all times are multiples of, in milliseconds.
fn unit(simulation: &Simulation) -> i64 {
    const UNITS: [i64; 3] = [60_000, 1_000, 1];
    let mut place = 0;
    each_time(simulation, &mut |at| {
        let millis = at.millis_since(simulation.begin);
        while millis % UNITS[place] != 0 {
            place += 1;
        }
    });
    UNITS[place]
}

fn each_time(simulation: &Simulation, see: &mut impl FnMut(Instant)) {
    see(simulation.end);
    simulation.bundles.iter().flat_map(|bundle| &bundle.history).for_each(|since| see(since.at));
    for coordinator in &simulation.coordinators {
        coordinator.history.iter().for_each(|since| see(since.at));
        for action in &coordinator.actions {
            see(action.nominal);
            see(action.created);
            action.history.iter().for_each(|since| see(since.at));
            for wait in &action.waits {
                see(wait.from);
                wait.to.into_iter().for_each(&mut *see);
            }
        }
    }
    for workflow in &simulation.workflows {
        workflow.history.iter().for_each(|since| see(since.at));
        for run in &workflow.runs {
            see(run.from);
            run.to.into_iter().for_each(&mut *see);
        }
    }
    for sla in &simulation.sla {
        see(sla.at);
        match sla.expected {
            Expected::At(at) => see(at),
            Expected::Millis(millis) => see(simulation.begin.plus_millis(millis)),
        }
    }
    simulation.operations.iter().for_each(|operation| see(operation.at));
}

fn place_in<S: PartialEq>(all: &[S], status: &S) -> i64 {
    all.iter().position(|other| other == status).map_or(-1, |place| place as i64)
}

struct Writer<'s> {
    simulation: &'s Simulation,
    limits: &'s Limits,
    unit: i64,
    texts: Table<Arc<str>>,
    faults: Table<(Arc<str>, Arc<str>)>,
    actions: Columns,
    workflows: Columns,
    /// The numbers of the workflows, each counted from the one before.
    ids: Vec<i64>,
    left_out: LeftOut,
}

impl<'s> Writer<'s> {
    fn document(&mut self) -> String {
        let simulation = self.simulation;
        let mut out = String::from("{\"version\":1,\"app\":");
        string(&short(&simulation.app, self.limits.letters), &mut out);
        let zone = simulation.zone;
        out.push_str(&format!(
            ",\"zone\":\"{}\",\"suffix\":\"{}\",\"offset\":{},\"begin\":{},\"unit\":{},\"end\":{},\"stop\":\"{}\"",
            zone.id(),
            zone.suffix(),
            zone.offset_minutes(),
            simulation.begin.millis(),
            self.unit,
            self.since(simulation.end, simulation.begin),
            simulation.stop.name(),
        ));
        out.push_str(",\n\"states\":{\"job\":");
        texts(JobStatus::ALL.iter().map(|status| status.name()), &mut out);
        out.push_str(",\"action\":");
        texts(ActionStatus::ALL.iter().map(|status| status.name()), &mut out);
        out.push_str(",\"workflow\":");
        texts(WorkflowStatus::ALL.iter().map(|status| status.name()), &mut out);
        out.push_str(",\"node\":");
        texts(NodeStatus::ALL.iter().map(|status| status.name()), &mut out);
        out.push('}');
        let jobs = self.jobs();
        out.push_str(&jobs);
        let (waits, uris) = self.waits();
        let roots = self.all_actions_and_workflows();
        self.actions.write("actions", &mut out);
        out.push_str(",\n\"waits\":");
        numbers(&waits, &mut out);
        out.push('}');
        self.workflows.write("workflows", &mut out);
        out.push_str(",\n\"ids\":");
        numbers(&self.ids, &mut out);
        out.push_str(&format!(",\"roots\":{roots}}}"));
        let events = self.events();
        out.push_str(&events);
        out.push_str(",\n\"faults\":[");
        for (index, (code, message)) in self.faults.values().iter().enumerate() {
            out.push_str(if index == 0 { "" } else { "," });
            let message = short(message, self.limits.letters);
            texts([&**code, message.as_str()], &mut out);
        }
        out.push_str("],\n\"texts\":");
        let shortened: Vec<_> =
            self.texts.values().iter().map(|text| short(text, self.limits.letters)).collect();
        texts(shortened.iter().map(String::as_str), &mut out);
        out.push_str(",\n\"uris\":");
        sorted_texts(&uris, &mut out);
        out.push('}');
        out
    }

    /// A time, counted from another.
    fn since(&self, at: Instant, from: Instant) -> i64 {
        at.millis_since(from) / self.unit
    }

    fn text(&mut self, text: &Arc<str>) -> i64 {
        self.texts.place(text.clone())
    }

    /// The place of a fault, from 1; 0 is none.
    fn fault(&mut self, fault: Option<&Fault>) -> i64 {
        fault.map_or(0, |fault| self.faults.place((fault.code.clone(), fault.message.clone())) + 1)
    }

    /// States and, in turn, when they begin.
    fn history<S: PartialEq>(&self, all: &[S], history: &[Since<S>]) -> Vec<i64> {
        let mut last = self.simulation.begin;
        let mut numbers = Vec::with_capacity(history.len() * 2);
        for since in history {
            numbers.extend([place_in(all, &since.status), self.since(since.at, last)]);
            last = since.at;
        }
        numbers
    }

    /// Bundles and coordinators.
    fn jobs(&mut self) -> String {
        let simulation = self.simulation;
        let mut out = String::from(",\n\"bundles\":[");
        for (index, bundle) in simulation.bundles.iter().enumerate() {
            out.push_str(if index == 0 { "[" } else { ",[" });
            let (name, fault) = (self.text(&bundle.name), self.fault(bundle.fault.as_ref()));
            out.push_str(&format!("{},{name},{fault},", bundle.id.number));
            numbers(&self.history(JobStatus::ALL, &bundle.history), &mut out);
            let refused =
                bundle.refused.iter().flat_map(|(name, fault)| [self.text(name), self.fault(Some(fault))]);
            let refused: Vec<i64> = refused.collect();
            out.push(',');
            numbers(&refused, &mut out);
            out.push(']');
        }
        out.push_str("],\n\"coordinators\":[");
        let mut room = self.limits.actions;
        for (index, coordinator) in simulation.coordinators.iter().enumerate() {
            out.push_str(if index == 0 { "[" } else { ",[" });
            let (name, fault) = (self.text(&coordinator.name), self.fault(coordinator.fault.as_ref()));
            let bundle = simulation.bundles.iter().position(|bundle| Some(bundle.id) == coordinator.bundle);
            let bundle = bundle.map_or(-1, |place| place as i64);
            let shown = coordinator.actions.len().min(room);
            room -= shown;
            self.left_out.actions += coordinator.actions.len() - shown;
            out.push_str(&format!("{},{name},{fault},{bundle},{shown},", coordinator.id.number));
            numbers(&self.history(JobStatus::ALL, &coordinator.history), &mut out);
            out.push(']');
        }
        out.push(']');
        out
    }

    /// The actions that are shown, in order.
    fn shown(&self) -> impl Iterator<Item = &'s Action> + use<'s> {
        let actions = self.simulation.coordinators.iter().flat_map(|coordinator| &coordinator.actions);
        actions.take(self.limits.actions)
    }

    /// What actions waited for: number of waits for those that did, with their URIs, which are sorted.
    fn waits(&mut self) -> (Vec<i64>, Vec<String>) {
        let limits = self.limits;
        let kept: Vec<_> = self.shown().flat_map(|action| &action.waits).take(limits.waits).collect();
        let uris: BTreeSet<&str> = kept.iter().map(|wait| &*wait.uri).collect();
        let uris: Vec<&str> = uris.into_iter().collect();
        let (mut column, mut room, mut last_action, mut last_uri) = (Vec::new(), kept.len(), 0, 0);
        for (index, action) in (0_i64..).zip(self.shown()) {
            let count = action.waits.len().min(room);
            self.left_out.waits += action.waits.len() - count;
            if count == 0 {
                continue;
            }
            room -= count;
            column.extend([index - last_action, count as i64]);
            last_action = index;
            for wait in &action.waits[..count] {
                let uri = uris.binary_search(&&*wait.uri).map_or(0, |place| place as i64);
                let length = wait.to.map_or(0, |to| self.since(to, wait.from) + 1);
                let from = self.since(wait.from, action.nominal);
                column.extend([(uri - last_uri) * 2 + i64::from(wait.is_choice), from, length]);
                last_uri = uri;
            }
        }
        (column, uris.into_iter().map(|uri| short(uri, limits.letters)).collect())
    }

    /// Actions, then workflows: those of actions in the order of the actions, those that nothing runs, then
    /// sub-workflows in the order of the nodes that run them. Says how many there are that nothing runs.
    fn all_actions_and_workflows(&mut self) -> usize {
        let simulation = self.simulation;
        let mut workflows: Vec<(&Workflow, Instant)> = Vec::new();
        let mut room = self.limits.actions;
        for coordinator in &simulation.coordinators {
            let mut last = simulation.begin;
            for action in coordinator.actions.iter().take(room) {
                let own = action.workflows.iter().filter_map(|id| simulation.workflow(*id));
                let before = workflows.len();
                workflows.extend(own.map(|workflow| (workflow, action.nominal)));
                self.action(action, last, workflows.len() - before);
                last = action.nominal;
            }
            room -= coordinator.actions.len().min(room);
        }
        let roots = simulation.workflows.iter().filter(|workflow| workflow.parent.is_none());
        let before = workflows.len();
        workflows.extend(roots.map(|workflow| (workflow, simulation.begin)));
        let roots = workflows.len() - before;
        self.all_workflows(workflows);
        roots
    }

    fn action(&mut self, action: &Action, last: Instant, workflows: usize) {
        let mut form =
            vec![self.fault(action.fault.as_ref()), i64::from(action.is_removed), workflows as i64];
        form.extend(action.history.iter().map(|since| place_in(ActionStatus::ALL, &since.status)));
        self.actions.add(form);
        let times = [self.since(action.nominal, last), self.since(action.created, action.nominal)];
        self.actions.times.extend(times);
        let times = self.follow(&action.history, action.created);
        self.actions.times.extend(times);
    }

    /// The beginnings of states, each counted from the one before.
    fn follow<S>(&self, history: &[Since<S>], from: Instant) -> Vec<i64> {
        let mut last = from;
        let mut times = Vec::with_capacity(history.len());
        for since in history {
            times.push(self.since(since.at, last));
            last = since.at;
        }
        times
    }

    fn all_workflows(&mut self, mut workflows: Vec<(&'s Workflow, Instant)>) {
        let is_bad = |workflow: &Workflow| {
            let last = workflow.history.last().map(|since| since.status);
            matches!(last, Some(WorkflowStatus::Killed | WorkflowStatus::Failed))
        };
        // Those that ended badly are what people look for: room is kept for them.
        let bad = workflows.iter().filter(|(workflow, _)| is_bad(workflow));
        let mut kept = bad.map(|(workflow, _)| workflow.runs.len()).sum::<usize>().min(self.limits.runs);
        let mut room = self.limits.runs - kept;
        let mut seen: BTreeSet<JobId> = workflows.iter().map(|(workflow, _)| workflow.id).collect();
        let (initial, mut index, mut last_id) = (workflows.len(), 0, 0);
        while let Some((workflow, from)) = workflows.get(index).copied() {
            let is_kept = is_bad(workflow) && index < initial;
            let place = if is_kept { &mut kept } else { &mut room };
            let is_shown = workflow.runs.len() <= *place;
            if is_shown {
                *place -= workflow.runs.len();
            } else {
                self.left_out.runs += workflow.runs.len();
            }
            let children = self.workflow(workflow, from, is_shown, &mut seen);
            workflows.extend(children);
            self.ids.push(i64::from(workflow.id.number) - last_id);
            last_id = i64::from(workflow.id.number);
            index += 1;
        }
    }

    /// A workflow; gives the sub-workflows that it runs, with the time from which on theirs are counted.
    fn workflow(
        &mut self,
        workflow: &'s Workflow,
        from: Instant,
        is_shown: bool,
        seen: &mut BTreeSet<JobId>,
    ) -> Vec<(&'s Workflow, Instant)> {
        let mut children = Vec::new();
        let runs = if is_shown { workflow.runs.as_slice() } else { &[] };
        let name = self.text(&workflow.name);
        let fault = self.fault(workflow.fault.as_ref());
        let mut form = vec![name, fault, i64::from(is_shown), workflow.history.len() as i64];
        form.extend(workflow.history.iter().map(|since| place_in(WorkflowStatus::ALL, &since.status)));
        let mut times = self.follow(&workflow.history, from);
        let mut last = from;
        for run in runs {
            let node = workflow.nodes.get(run.node as usize);
            let child = run.child.filter(|id| !seen.contains(id)).and_then(|id| self.simulation.workflow(id));
            let (name, kind) = match node {
                Some(node) => (self.text(&node.name), self.text(&node.kind)),
                None => (self.text(&"?".into()), self.text(&"?".into())),
            };
            let fault = self.fault(run.fault.as_deref());
            let status = place_in(NodeStatus::ALL, &run.status);
            let node = i64::from(run.node);
            form.extend([
                node,
                name,
                kind,
                i64::from(run.attempt),
                status,
                fault,
                i64::from(child.is_some()),
            ]);
            let length = run.to.map_or(0, |to| self.since(to, run.from) + 1);
            times.extend([self.since(run.from, last), length]);
            last = run.from;
            if let Some(child) = child {
                seen.insert(child.id);
                children.push((child, run.from));
            }
        }
        self.workflows.add(form);
        self.workflows.times.extend(times);
        children
    }

    /// Service levels, operators' commands, and what never ended.
    fn events(&mut self) -> String {
        let simulation = self.simulation;
        let mut out = String::new();
        let names = [
            SlaKind::StartMet,
            SlaKind::StartMiss,
            SlaKind::EndMet,
            SlaKind::EndMiss,
            SlaKind::DurationMet,
            SlaKind::DurationMiss,
        ];
        out.push_str(",\n\"slaKinds\":");
        texts(names.iter().map(|kind| kind.name()), &mut out);
        let mut column = Vec::new();
        let mut last = simulation.begin;
        for sla in &simulation.sla {
            let expected = match sla.expected {
                Expected::At(at) => self.since(at, simulation.begin),
                Expected::Millis(millis) => millis / self.unit,
            };
            let (action, workflow, name) = match sla.subject {
                Watched::Action(id) => (Some(id), 0, -1),
                Watched::Workflow(id) => (
                    action_of(simulation, id),
                    id.number,
                    self.text(&simulation.name_of_watched(sla.subject).into()),
                ),
                Watched::Node(id) => (
                    action_of(simulation, id.job()),
                    id.workflow,
                    self.text(&simulation.name_of_watched(sla.subject).into()),
                ),
            };
            let action = action.map_or(-1, |id| place(simulation, self.limits, id));
            let kind = place_in(&names, &sla.what);
            column.extend([self.since(sla.at, last), action, i64::from(workflow), name, kind, expected]);
            last = sla.at;
        }
        out.push_str(",\n\"sla\":");
        numbers(&column, &mut out);
        let mut column = Vec::new();
        for operation in &simulation.operations {
            let refusal = operation.refusal.as_deref().map_or(-1, |refusal| self.text(&refusal.into()));
            let at = self.since(operation.at, simulation.begin);
            let (command, target) = (operation.command.into(), operation.target.as_str().into());
            column.extend([at, self.text(&command), self.text(&target), refusal]);
        }
        out.push_str(",\n\"operations\":");
        numbers(&column, &mut out);
        let mut column = Vec::new();
        for unfinished in &simulation.unfinished {
            let (name, place) = match unfinished.subject {
                Subject::Job(job) => (job.to_string(), -1),
                Subject::Action(action) => {
                    (simulation.name_of(action), place(simulation, self.limits, action))
                }
            };
            let (status, reason) = (unfinished.status.into(), unfinished.reason.as_str().into());
            column.extend([self.text(&name.into()), place, self.text(&status), self.text(&reason)]);
        }
        out.push_str(",\n\"unfinished\":");
        numbers(&column, &mut out);
        out
    }
}
