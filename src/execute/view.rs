//! The jobs of one submission as their journal tells, for whoever only looks.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;

use super::attempt::{Attempt, State};
use super::deployed::Deployed;
use super::executor::folder_in;
use super::group;
use super::rows;
use super::store::Store;
use crate::engine::{
    Changed, Command, Engine, Event, JobId, JobKind, NodeId, Parent, Recorded, Secrets, Settings,
};
use crate::host::ShellError;
use crate::redact::Redactor;
use crate::report::job_text::Changes;

/// Jobs that are looked at.
pub struct View {
    engine: Engine<Rc<Deployed>>,
    deployed: Rc<Deployed>,
    folder: PathBuf,
    /// When parts changed last.
    pub changes: Changes,
    /// What must not be shown.
    pub veil: Redactor,
    /// The attempts that have begun, in order.
    begun: Vec<(NodeId, u32)>,
}

/// An attempt of an action.
#[derive(Clone, Debug)]
pub struct Tried {
    /// What leads to the action from the job that is looked at: `say`, `@3/say`, `daily/@3/say`.
    pub path: String,
    /// Which run of the action it belongs to: each rerun of what leads to it is another one, from 1.
    pub run: u32,
    /// How often it had been tried in that run by then.
    pub number: u32,
    /// Whether it is the last so far.
    pub is_last: bool,
    /// Its folder.
    pub attempt: Attempt,
}

impl View {
    /// What the journal of a submission says.
    pub fn of(
        store: &Store,
        deployed: Rc<Deployed>,
        settings: Settings,
        root: u32,
    ) -> Result<View, ShellError> {
        let mut engine = Engine::new(deployed.clone(), settings);
        let (mut changes, mut begun) = (Changes::default(), Vec::new());
        let mut secrets = Secrets::default();
        store.replay(Some(&[root]), |entry| {
            engine.continue_after(entry.last);
            let Recorded { at, event, .. } = entry.recorded;
            if let Event::NodeStarted { node, attempt, .. } = &event {
                begun.push((*node, *attempt));
            }
            // What logs hold of earlier runs is secret still, though the job may hold something else by now.
            secrets.hear(&event);
            let commands = engine.handle(at, event);
            let broken = |error| deployed.take_fault().unwrap_or_else(|| super::executor::broken(error));
            let commands = commands.map_err(broken)?;
            secrets.look(&engine);
            secrets.carry_out(&commands, &engine);
            for command in commands {
                if let Command::Changed(changed) = &command {
                    changes.levels.changed(changed);
                }
                match command {
                    Command::Sla(event) => changes.levels.hear(&event),
                    Command::Changed(Changed::Node(node, ..)) => {
                        changes.nodes.insert(node, at);
                    }
                    Command::Changed(Changed::Action(action, ..)) | Command::Created { action, .. } => {
                        changes.actions.insert(action, at);
                    }
                    _ => {}
                }
            }
            Ok(())
        })?;
        let veil = secrets.veil().clone();
        Ok(View { engine, deployed, folder: store.folder().to_owned(), changes, veil, begun })
    }

    /// The engine.
    pub fn engine(&self) -> &Engine<Rc<Deployed>> {
        &self.engine
    }

    /// What is known of definitions.
    pub fn deployed(&self) -> &Deployed {
        &self.deployed
    }

    /// The text of a job's definition, with stars for secrets.
    pub fn definition(&self, id: JobId) -> Option<String> {
        let text = self.deployed.definition(rows::key_of(&self.engine, id)?)?;
        Some(self.veil.xml(&text))
    }

    /// The attempts of the actions of a job and of all that runs below it, in the order in which they began.
    pub fn attempts(&self, id: JobId) -> Vec<Tried> {
        let mut tried: Vec<(NodeId, Tried)> = Vec::new();
        for (node, number) in &self.begun {
            let Some(path) = self.path(*node, id) else { continue };
            let mut runs: BTreeSet<NodeId> = BTreeSet::from([*node]);
            for (other, tried) in tried.iter_mut().filter(|(_, tried)| tried.path == path) {
                tried.is_last = false;
                runs.insert(*other);
            }
            let before = tried.iter().filter(|(other, _)| other == node).count() as u32;
            let attempt = Attempt::new(folder_in(&self.folder, *node, *number));
            let run = runs.len() as u32;
            tried.push((*node, Tried { path, run, number: before + 1, is_last: true, attempt }));
        }
        tried.into_iter().map(|(_, tried)| tried).collect()
    }

    /// What runs on of attempts of which nobody knows an end: what leads to the action, and the process groups.
    pub fn left_running(&self, id: JobId) -> Vec<(String, BTreeSet<i32>)> {
        let left = self.attempts(id).into_iter().map(|tried| (group::left(&tried.attempt), tried));
        let lost = left
            .filter(|(groups, tried)| !groups.is_empty() && matches!(tried.attempt.state(), Ok(State::Lost)));
        lost.map(|(groups, tried)| (tried.path, groups)).collect()
    }

    /// Whether a job has a part of this name, or anything that runs below it has.
    pub fn has_part(&self, name: &str) -> bool {
        let name = name.trim_start_matches('@');
        let has_number = |number: u32| {
            let Some(job) = self.engine.coordinator(JobId::coordinator(number)) else { return false };
            name.parse().is_ok_and(|action: usize| (1..=job.actions.len()).contains(&action))
        };
        let has_child = |number: u32| {
            let Some(job) = self.engine.bundle(JobId::bundle(number)) else { return false };
            job.program.children.iter().any(|child| *child.name == *name)
        };
        rows::action_names(&self.engine).contains(name)
            || (1..=self.engine.last_number()).any(|number| has_number(number) || has_child(number))
    }

    /// What leads from a job to a node below it; nothing when it does not lie there.
    fn path(&self, node: NodeId, from: JobId) -> Option<String> {
        let mut parts = Vec::new();
        let mut at = node;
        loop {
            let job = self.engine.workflow(at.job())?;
            parts.push(job.node_name(at.node).to_string());
            if job.id() == from {
                break;
            }
            match job.parent? {
                Parent::Node(above) => at = above,
                Parent::Action(action) => {
                    parts.push(format!("@{}", action.number));
                    if action.job() == from {
                        break;
                    }
                    let (bundle, child) = self.engine.coordinator(action.job())?.bundle?;
                    let bundle = self.engine.bundle(JobId::bundle(bundle)).filter(|job| job.id() == from)?;
                    parts.push(bundle.program.children.get(child as usize)?.name.to_string());
                    break;
                }
            }
        }
        parts.reverse();
        Some(parts.join("/"))
    }

    /// Whether a job is over.
    pub fn is_over(&self, id: JobId) -> bool {
        debug_assert!(id.kind != JobKind::Workflow || self.engine.workflow(id).is_some());
        rows::is_over(&self.engine, id.number)
    }
}
