//! What of jobs must not be shown. Knows where values lie, not what makes one a secret.

use std::collections::{BTreeMap, BTreeSet};

use super::conf::Conf;
use super::{ActionsRerun, Command, Engine, Event, JobId, Key, NodeEnd, Parent, Plans, WorkflowRerun};
use crate::analysis::secrets::names_secret;
use crate::plan::workflow::ProgramKind;
use crate::properties;
use crate::redact::{Redactor, speaks_of_secrets};
use crate::source::Sources;

/// What has been seen of the secrets of jobs, while more jobs come.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    veil: Redactor,
    /// The newest job that was looked through.
    known: u32,
    /// Coordinators whose workflows have the secrets of the coordinator alone.
    alike: BTreeSet<Key>,
    /// Whether the definitions of actions speak of secrets, so that it matters what they are run with.
    speak: BTreeMap<(Key, u32), bool>,
}

impl Secrets {
    /// What must not be shown.
    pub fn veil(&self) -> &Redactor {
        &self.veil
    }

    /// Takes in what an event brings: what jobs are given may be given otherwise later, and actions capture some.
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::RerunWorkflow(_, WorkflowRerun { conf: Some(conf), .. })
            | Event::RerunActions(_, ActionsRerun { conf: Some(conf), .. }) => self.learn(conf),
            Event::NodeEnded { end: NodeEnd { data: Some(data), .. }, .. } => self.learn_captured(data),
            _ => {}
        }
        // A job that runs again may have been unknown until now, however low its number.
        if matches!(event, Event::RerunWorkflow(..) | Event::RerunActions(..) | Event::RerunBundle(..)) {
            self.known = 0;
        }
    }

    /// Takes in what actions are run with: expressions make passwords too.
    pub fn carry_out<P: Plans>(&mut self, commands: &[Command], engine: &Engine<P>) {
        for command in commands {
            let Command::StartNode { node, definition, .. } = command else { continue };
            let Some(job) = engine.workflow(node.job()) else { continue };
            let speaks = self.speak.entry((job.key.clone(), node.node));
            if *speaks.or_insert_with(|| speaks_of_secrets(definition)) {
                self.veil.learn_definition(definition);
            }
        }
    }

    /// Takes in what jobs are given that are newer than those of the last look.
    pub fn look<P: Plans>(&mut self, engine: &Engine<P>) {
        self.look_to(engine.last_number(), engine);
    }

    /// Takes in what jobs are given that are newer than those of the last look, up to a number.
    pub fn look_to<P: Plans>(&mut self, last: u32, engine: &Engine<P>) {
        for number in self.known + 1..=last {
            self.look_at_names(number, engine);
            self.look_at_conf(JobId::workflow(number), engine);
            if let Some(job) = engine.workflow(JobId::workflow(number)) {
                let texts = job.program.nodes.iter().filter_map(|node| match &node.kind {
                    ProgramKind::Action(action) => Some(action.definition.text.value.as_str()),
                    _ => None,
                });
                self.veil.learn_definitions(&job.key, texts);
                let facts = job.nodes.iter().filter_map(|run| run.facts.as_ref());
                facts.filter_map(|facts| facts.data.as_deref()).for_each(|data| self.learn_captured(data));
            }
            if let Some(job) = engine.coordinator(JobId::coordinator(number)) {
                self.learn(&job.program.conf);
            }
            if let Some(job) = engine.bundle(JobId::bundle(number)) {
                self.learn(&job.program.conf);
            }
        }
        self.known = self.known.max(last);
    }

    /// Takes in what the definition of a job calls things: no secret hides that.
    fn look_at_names<P: Plans>(&mut self, number: u32, engine: &Engine<P>) {
        let workflow = engine.workflow(JobId::workflow(number)).map(|job| &job.key);
        let coordinator = || engine.coordinator(JobId::coordinator(number)).map(|job| &job.key);
        let bundle = || engine.bundle(JobId::bundle(number)).map(|job| &job.key);
        if let Some(key) = workflow.or_else(coordinator).or_else(bundle) {
            self.veil.learn_names(key, || engine.plans.names(key));
        }
    }

    /// Takes in what a workflow is given. A coordinator gives the same secrets to each of its workflows, and making each
    /// configuration again takes long, unless its actions have passwords of their own.
    fn look_at_conf<P: Plans>(&mut self, id: JobId, engine: &Engine<P>) {
        let Some(job) = engine.workflow(id) else { return };
        let above = match job.parent {
            Some(Parent::Action(action)) if job.conf.is_none() => engine.coordinator(action.job()),
            _ => None,
        };
        if above.is_some_and(|above| self.alike.contains(&above.key)) {
            return;
        }
        let Some(conf) = engine.conf_of(id) else { return };
        self.learn(&conf);
        if let Some(above) = above {
            let base = &above.program.conf;
            let differs = |name: &str, value: &str| names_secret(name) && base.raw(name) != Some(value);
            if !conf.any(differs) {
                self.alike.insert(above.key.clone());
            }
        }
    }

    /// Takes in jobs however low their numbers, as those of old submissions that come back.
    pub fn look_again<P: Plans>(&mut self, engine: &Engine<P>) {
        self.known = 0;
        self.look(engine);
    }

    /// Takes in what an action has captured: the text of a properties file.
    fn learn_captured(&mut self, data: &str) {
        let mut sources = Sources::new();
        let file = sources.add("captured", data);
        for entry in properties::read(file, data).0.entries {
            self.veil.learn_captured(&entry.key.value, &entry.value.value);
        }
    }

    /// Takes in properties as given and with references put in.
    fn learn(&mut self, conf: &Conf) {
        for (name, value) in conf.all() {
            self.veil.learn(name, value);
            if value.contains("${")
                && let Some(value) = conf.get(name)
            {
                self.veil.learn(name, &value);
            }
        }
    }
}
