//! A plausible simulation of any length, made by hand: late data, retries, failures, missed service levels.

use std::sync::Arc;

use ankus::engine::status::{ActionStatus, JobStatus, NodeStatus, WorkflowStatus};
use ankus::engine::{ActionId, Fault, JobId, JobKind, NodeId, Parent, SlaKind, Watched};
use ankus::simulate::record::{
    Action, Bundle, Coordinator, Expected, Node, Operation, Run, Simulation, Since, Sla, Stop, Subject,
    Unfinished, Wait, Workflow,
};
use ankus::time::{Instant, ProcessingZone};

const HOUR: i64 = 60;

/// The nodes of every workflow.
const NODES: [(&str, &str); 5] =
    [("fetch", "shell"), ("clean", "pig"), ("count", "hive"), ("report", "sub-workflow"), ("publish", "fs")];

/// A number that looks drawn and is the same every time.
fn drawn(a: u32, b: u32, below: u32) -> u32 {
    let mut mixed = a.wrapping_mul(0x9E37_79B9) ^ b.wrapping_mul(0x85EB_CA6B);
    mixed ^= mixed >> 15;
    mixed = mixed.wrapping_mul(0x2C1B_3C6D);
    (mixed ^ (mixed >> 13)) % below
}

/// Hourly coordinators of these names, each with so many actions.
pub fn hourly(names: &[&str], actions: u32) -> Simulation {
    let begin = Instant::from_seconds(1_704_067_200);
    let end = begin.plus_minutes(i64::from(actions + 12) * HOUR);
    let mut simulation = Simulation {
        app: "clicks".into(),
        kind: JobKind::Bundle,
        zone: ProcessingZone::UTC,
        seed: 7,
        begin,
        end,
        stop: Stop::Until,
        events: u64::from(actions) * 17,
        bundles: vec![Bundle {
            id: JobId::bundle(1),
            name: "clicks".into(),
            history: history(&[
                (begin, JobStatus::Prep),
                (begin.plus_minutes(1), JobStatus::Running),
                (begin.plus_minutes(30 * HOUR), JobStatus::RunningWithError),
            ]),
            fault: None,
            refused: Vec::new(),
        }],
        coordinators: Vec::new(),
        workflows: Vec::new(),
        sla: Vec::new(),
        operations: Vec::new(),
        unfinished: Vec::new(),
    };
    let nodes: Arc<[Node]> =
        NODES.iter().map(|(name, kind)| Node { name: (*name).into(), kind: (*kind).into() }).collect();
    let mut next = names.len() as u32 + 2;
    for (index, name) in names.iter().enumerate() {
        let mut maker =
            Maker { simulation: &mut simulation, nodes: &nodes, number: index as u32 + 2, next: &mut next };
        let list = (1..=actions).map(|number| maker.action(name, number)).collect();
        simulation.coordinators.push(Coordinator {
            id: JobId::coordinator(index as u32 + 2),
            name: (*name).into(),
            bundle: Some(JobId::bundle(1)),
            history: history(&[(begin, JobStatus::Prep), (begin.plus_minutes(1), JobStatus::Running)]),
            fault: None,
            actions: list,
        });
    }
    let operation = |hours: i64, command, refusal: Option<&str>| Operation {
        does_nothing: false,
        unmet: None,
        at: begin.plus_minutes(hours * HOUR),
        command,
        details: String::new(),
        target: names[0].to_owned(),
        refusal: refusal.map(str::to_owned),
    };
    simulation.operations = vec![operation(40, "suspend", None), operation(41, "resume", Some("it runs"))];
    simulation.unfinished = vec![Unfinished {
        subject: Subject::Job(JobId::coordinator(2)),
        status: "RUNNING",
        reason: "its actions are not over".to_owned(),
    }];
    simulation.sla.sort_by_key(|sla| sla.at);
    simulation
}

fn history<S: Copy>(list: &[(Instant, S)]) -> Vec<Since<S>> {
    list.iter().map(|(at, status)| Since { at: *at, status: *status }).collect()
}

/// A plausible error.
fn fault() -> Fault {
    Fault::new("JA018", "exit code 1")
}

struct Maker<'m> {
    simulation: &'m mut Simulation,
    nodes: &'m Arc<[Node]>,
    number: u32,
    next: &'m mut u32,
}

impl Maker<'_> {
    fn action(&mut self, name: &str, number: u32) -> Action {
        let chance = |salt: u32, below: u32| drawn(self.number * 131 + salt, number, below);
        let begin = self.simulation.begin;
        let nominal = begin.plus_minutes(i64::from(number - 1) * HOUR);
        let created = nominal.plus_minutes(-i64::from(chance(1, 5))).max(begin);
        let late = if chance(2, 17) == 0 { 20 + i64::from(chance(3, 200)) } else { 0 };
        let (is_lost, is_bad) = (chance(4, 97) == 0, chance(5, 41) == 0);
        let mut states = vec![(created, ActionStatus::Waiting)];
        let uri = format!("hdfs://nn.example.com/data/{name}/{number:05}");
        let mut action = Action {
            nominal,
            created,
            history: Vec::new(),
            waits: Vec::new(),
            workflows: Vec::new(),
            fault: None,
            is_removed: false,
        };
        if is_lost {
            states.push((nominal.plus_minutes(6 * HOUR), ActionStatus::TimedOut));
            action.waits.push(Wait { uri: uri.into(), from: nominal, to: None, is_choice: false });
            action.history = history(&states);
            return action;
        }
        let ready = nominal.plus_minutes(late);
        if late > 0 {
            action.waits.push(Wait {
                uri: uri.into(),
                from: nominal,
                to: Some(ready),
                is_choice: number.is_multiple_of(2),
            });
        }
        let start = ready.plus_minutes(i64::from(chance(6, 4)));
        let retry = chance(7, 23) == 0;
        let id = ActionId { coordinator: self.number, number };
        let end = self.workflow(id, name, start, is_bad, retry, &mut action);
        let last = if is_bad { ActionStatus::Killed } else { ActionStatus::Succeeded };
        states.extend([(ready, ActionStatus::Ready), (start, ActionStatus::Running), (end, last)]);
        action.history = history(&states);
        let expected = nominal.plus_minutes(90);
        let what = if end > expected || is_bad { SlaKind::EndMiss } else { SlaKind::EndMet };
        self.simulation.sla.push(Sla {
            at: end,
            subject: Watched::Action(id),
            what,
            expected: Expected::At(expected),
        });
        action
    }

    /// The sub-workflow of a workflow's fourth node, if it came to it.
    fn child(&mut self, parent: JobId) {
        let workflow = self.simulation.workflows.last_mut().expect("the parent");
        let Some(run) = workflow.runs.iter_mut().find(|run| run.node == 3) else { return };
        if !parent.number.is_multiple_of(10) {
            return;
        }
        let id = JobId::workflow(*self.next);
        *self.next += 1;
        run.child = Some(id);
        let (from, to) = (run.from, run.to.expect("it is over"));
        self.simulation.workflows.push(Workflow {
            dialect: Default::default(),
            id,
            name: "report-wf".into(),
            parent: Some(Parent::Node(NodeId { workflow: parent.number, node: 3 })),
            history: history(&[(from, WorkflowStatus::Running), (to, WorkflowStatus::Succeeded)]),
            fault: None,
            nodes: Arc::new([Node { name: "draw".into(), kind: "shell".into() }]),
            runs: vec![Run {
                node: 0,
                attempt: 1,
                from,
                to: Some(to),
                status: NodeStatus::Ok,
                fault: None,
                child: None,
            }],
        });
    }

    /// A workflow with its nodes; gives when it is over.
    fn workflow(
        &mut self,
        id: ActionId,
        name: &str,
        start: Instant,
        is_bad: bool,
        retry: bool,
        action: &mut Action,
    ) -> Instant {
        let (mut runs, mut now) = (Vec::new(), start);
        for node in 0..NODES.len() as u32 {
            let minutes = 2 + i64::from(drawn(id.coordinator * 5 + node, id.number, 9));
            let mut run = |attempt, from: Instant, minutes, status, fault: Option<Fault>| {
                let to = from.plus_minutes(minutes);
                let fault = fault.map(Box::new);
                runs.push(Run { node, attempt, from, to: Some(to), status, fault, child: None });
                to
            };
            if retry && node == 1 {
                now = run(1, now, minutes, NodeStatus::UserRetry, Some(fault())).plus_minutes(10);
            }
            let fails = is_bad && node == 2;
            let status = if fails { NodeStatus::Error } else { NodeStatus::Ok };
            let attempt = if retry && node == 1 { 2 } else { 1 };
            now = run(attempt, now, minutes, status, fails.then(fault));
            if fails {
                break;
            }
        }
        let last = if is_bad { WorkflowStatus::Killed } else { WorkflowStatus::Succeeded };
        let job = JobId::workflow(*self.next);
        *self.next += 1;
        self.simulation.workflows.push(Workflow {
            dialect: Default::default(),
            id: job,
            name: format!("{name}-wf").into(),
            parent: Some(Parent::Action(id)),
            history: history(&[(start, WorkflowStatus::Prep), (start, WorkflowStatus::Running), (now, last)]),
            fault: is_bad.then(|| Fault::new("E0729", "Kill node message: exit code 1")),
            nodes: self.nodes.clone(),
            runs,
        });
        action.workflows.push(job);
        self.child(job);
        now
    }
}
