//! The expressions of a node, evaluated when it is entered (`DagELFunctions.configureEvaluator`).

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::job::WorkflowJob;
use crate::analysis::functions::{Action, InPhase, Job, World, variable_text};
use crate::analysis::parameters::{AppKind, GROUP_NAME, JOB_ACL, USER_NAME};
use crate::analysis::templates::Place;
use crate::el::{self, Failure, Function, Outcome, Signature, Template, Value};
use crate::engine::event::Facts;
use crate::engine::settings::Settings;
use crate::engine::status::NodeStatus;
use crate::engine::view::Outside;
use crate::model::functions::{self, Phase};
use crate::plan::serialize::escaped_value;
use crate::plan::workflow::ProgramKind;
use crate::source::{Sources, Span, Text};
use crate::time::Instant;

/// Where a node's functions find files.
pub(super) enum Files<'a> {
    /// In what was recorded.
    Recorded(&'a Facts),
    /// Outside; what is seen is recorded.
    Outside(&'a dyn Outside, &'a RefCell<Facts>),
}

/// What the expressions of a node see.
pub(super) struct NodeWorld<'a> {
    pub(super) job: &'a WorkflowJob,
    pub(super) node: u32,
    pub(super) settings: &'a Settings,
    pub(super) now: Instant,
    pub(super) files: Files<'a>,
}

/// Why an expression has no value.
pub(super) type Why = String;

impl NodeWorld<'_> {
    /// Evaluates a template into text.
    /// The phase of the workflow's nodes.
    fn phase(&self) -> Phase {
        Place::of_nodes(self.job.program.dialect).phase()
    }

    /// The definition of an action: where each text is evaluated by itself, values are escaped.
    pub(super) fn definition(&self, template: &Template) -> Result<String, Why> {
        if !self.job.ways().evaluates_texts || template.broken.is_some() {
            return self.text(template);
        }
        el::evaluate_within(template, self, escaped_value).map_err(|error| error.message)
    }

    pub(super) fn text(&self, template: &Template) -> Result<String, Why> {
        if let Some(literal) = template.literal() {
            return Ok(literal.to_owned());
        }
        if template.broken.is_some() {
            return Err("the expression does not parse".to_owned());
        }
        match el::evaluate(template, self) {
            Ok(value) => Ok(value.into_text().into_owned()),
            Err(error) => Err(error.message),
        }
    }

    /// What functions see of the job.
    fn world(&self) -> World {
        let conf = self.job.conf.as_deref();
        let all = conf.map(|conf| conf.all()).unwrap_or_default();
        let get = |name: &str| conf.and_then(|conf| conf.raw(name)).map(str::to_owned);
        let id = self.job.id().with_middle(&self.settings.id_middle);
        let name = self.job.node_name(self.node);
        World {
            job: Job {
                action_id: Some(format!("{id}@{name}")),
                id: Some(id),
                name: Some(self.job.name.to_string()),
                user: get(USER_NAME),
                group: get(GROUP_NAME).or_else(|| get(JOB_ACL)),
                app_path: get(AppKind::Workflow.property()),
                run: i64::from(self.job.run),
            },
            actions: Some(self.actions()),
            conf: all.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            now: Some(self.now),
            processing: self.settings.processing,
            ..World::default()
        }
    }

    /// The nodes that are over, in order.
    fn actions(&self) -> Vec<Action> {
        let text = |text: &Option<Arc<str>>| text.as_deref().map(str::to_owned);
        let action = |index: &u32| {
            let run = &self.job.nodes[*index as usize];
            let facts = run.facts.as_deref().cloned().unwrap_or_default();
            let kind = &self.job.program.nodes[run.node as usize].kind;
            let fork = matches!(kind, ProgramKind::Fork(_));
            Action {
                name: self.job.node_name(run.node).to_string(),
                status: Some(run.status.name().to_owned()),
                // `LiteWorkflowInstance.signal`: one node cannot hold all transitions of a fork.
                transition: match fork {
                    true => Some("*".to_owned()),
                    false => run.transition.map(|to| self.job.node_name(to).to_string()),
                },
                external_id: text(&facts.external_id),
                external_status: text(&facts.external_status)
                    .or_else(|| ended_well(kind, run.status).map(str::to_owned)),
                tracker_uri: text(&facts.tracker),
                data: text(&facts.data),
                stats: text(&facts.stats),
                child_ids: text(&facts.child_ids),
                error_code: facts.fault.as_ref().map(|fault| fault.code.to_string()),
                error_message: facts.fault.as_ref().map(|fault| fault.message.to_string()),
            }
        };
        self.job.finished.iter().map(action).collect()
    }

    /// A world that holds the files at a path and nothing else.
    fn files(&self, path: &str) -> World {
        let mut files: BTreeMap<String, Option<i64>> = BTreeMap::new();
        match &self.files {
            Files::Recorded(facts) => {
                files.extend(facts.files.iter().map(|(path, length)| (path.to_string(), *length)));
            }
            Files::Outside(outside, seen) => {
                let found = outside.files(path);
                let mut seen = seen.borrow_mut();
                for (path, length) in found {
                    if !seen.files.iter().any(|(known, _)| **known == *path) {
                        seen.files.push((path.as_str().into(), length));
                    }
                    files.insert(path, length);
                }
            }
        }
        World { files: Some(files), ..World::default() }
    }

    /// The bytes of a block of a file, where that is known.
    fn block_size(&self, path: &str) -> Option<i64> {
        match &self.files {
            Files::Recorded(facts) => {
                facts.blocks.iter().find(|(known, _)| **known == *path).map(|(_, bytes)| *bytes)
            }
            Files::Outside(outside, seen) => {
                let bytes = outside.block_size(path)?;
                seen.borrow_mut().blocks.push((path.into(), bytes));
                Some(bytes)
            }
        }
    }

    /// A world that holds a partition when it exists.
    fn partition(&self, uri: &str) -> World {
        let exists = match &self.files {
            Files::Recorded(facts) => facts.uris.iter().any(|known| **known == *uri),
            Files::Outside(outside, seen) => {
                let exists = outside.exists(uri);
                if exists {
                    seen.borrow_mut().uris.push(uri.into());
                }
                exists
            }
        };
        World { partitions: exists.then(|| uri.to_owned()).into_iter().collect(), ..World::default() }
    }
}

/// The external status of an action that has ended well when nobody has told one: that of its executor
/// (`JavaActionExecutor.check`, `FsActionExecutor.start`, `EmailActionExecutor.start`, `SshActionExecutor.check`).
fn ended_well(kind: &ProgramKind, status: NodeStatus) -> Option<&'static str> {
    match kind {
        ProgramKind::Action(action) if status == NodeStatus::Ok => {
            let is_plain = matches!(&*action.kind, "fs" | "email" | "ssh");
            Some(if is_plain { "OK" } else { "SUCCEEDED" })
        }
        _ => None,
    }
}

impl WorkflowJob {
    /// The value of a text that stands in no definition.
    pub(in crate::engine) fn evaluate_text(
        &self,
        node: u32,
        text: &str,
        settings: &Settings,
        now: Instant,
        outside: &dyn Outside,
    ) -> Result<String, Why> {
        let Some(ProgramKind::Action(action)) = self.program.nodes.get(node as usize).map(|node| &node.kind)
        else {
            return Err("it is no action".to_owned());
        };
        let mut sources = Sources::new();
        let start = Span { file: sources.add("text", text), start: 0, end: 0 };
        let (template, _) = el::parse_for(&Text::computed(text, start), action.definition.engine);
        let seen = RefCell::default();
        let files = Files::Outside(outside, &seen);
        NodeWorld { job: self, node, settings, now, files }.text(&template)
    }
}

impl el::World for NodeWorld<'_> {
    fn variable(&self, name: &str) -> Option<Value<'_>> {
        let value = self.job.conf.as_deref().and_then(|conf| conf.raw(name));
        // Names that are identifiers; empty values got lost in XML.
        let named = name.bytes().next().is_some_and(|b| !b.is_ascii_digit())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        match value.filter(|value| named && !value.is_empty()) {
            Some(value) if self.phase() == Phase::Hws => Some(Value::from(value)),
            Some(value) if value.contains(['<', '&', ']']) || value.trim().len() < value.len() => {
                Some(Value::from(variable_text(value)))
            }
            Some(value) => Some(Value::from(value)),
            None => functions::constant(self.phase(), name).map(functions::Constant::value),
        }
    }

    fn function(&self, prefix: &str, name: &str) -> Function {
        functions::lookup(self.phase(), prefix, name)
    }

    fn call<'a>(
        &'a self,
        function: &'static Signature,
        arguments: Vec<Value<'a>>,
    ) -> Result<Outcome<'a>, Failure> {
        let text = |at: usize| arguments.get(at).map(|argument| argument.to_text().into_owned());
        if (function.prefix, function.name) == ("wf", "conf")
            && let Some(name) = text(0)
            && let Some(value) = self.job.conf.as_deref().map(|conf| conf.raw(&name))
            && value.is_none_or(|value| !value.contains('$'))
        {
            let value = value.filter(|value| !value.is_empty());
            return Ok(Outcome::Value(value.map_or(Value::Null, Value::from)));
        }
        let world = match function.prefix {
            "fs" => {
                let path = text(0).unwrap_or_default();
                let block_size = if function.name == "blockSize" { self.block_size(&path) } else { None };
                World { block_size, ..self.files(&path) }
            }
            "hdfs" => {
                let path = match function.name {
                    "size" => text(0).unwrap_or_default(),
                    _ => format!("{}{}", text(0).unwrap_or_default(), text(1).unwrap_or_default()),
                };
                World { block_size: self.block_size(&path), ..self.files(&path) }
            }
            "hcat" => self.partition(&text(0).unwrap_or_default()),
            _ => self.world(),
        };
        let world = InPhase::new(&world, self.phase());
        el::World::call(&world, function, arguments).map(|outcome| match outcome {
            Outcome::Value(value) => Outcome::Value(value.into_owned()),
            Outcome::Deferred(text) => Outcome::Deferred(text),
        })
    }
}
