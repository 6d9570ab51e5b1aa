//! The programs that schedules name, as the project has them.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::parameters::used;
use crate::model::schedule::{Program, ProgramKind, Status};
use crate::model::workflow::{ActionBody, NodeKind, Workflow};
use crate::model::{self, App};

/// What a program is.
#[derive(Clone, Debug)]
pub enum Definition<'a> {
    /// An app.
    App(&'a App),
    /// An action of a workflow.
    Action(&'a Workflow, &'a ActionBody),
    /// A command line, in which `{name}` stands for an argument.
    Command(&'a [String]),
}

/// A program that is there.
#[derive(Clone, Debug)]
pub struct Known<'a> {
    /// What it is.
    pub definition: Definition<'a>,
    /// Its file, as messages show it; empty for a command.
    pub file: String,
    /// The text of its file.
    pub text: &'a str,
    /// The keys of its token that it hands on; none: all.
    pub emits: Option<Vec<String>>,
}

/// What became of looking for a program.
#[derive(Clone, Debug)]
pub enum Lookup<'a> {
    /// It is there.
    Found(Known<'a>),
    /// Its application is not said, so it was not looked for.
    Open,
    /// It cannot be read, which is reported of its file.
    Broken,
    /// Several fit: these.
    Ambiguous(Vec<String>),
    /// There is one of this name, but it is something else, in words.
    OtherKind(String),
    /// There is none.
    Unknown,
}

/// All programs that schedules name.
#[derive(Debug, Default)]
pub struct Programs<'a> {
    /// What became of looking for each.
    pub lookups: BTreeMap<Program, Lookup<'a>>,
    /// The names of all programs of the project.
    pub names: Vec<String>,
    /// What a workflow counts as that ends at its own kill node.
    pub kill_node: Option<Status>,
}

/// What a program can hand on in its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// These keys and no others.
    Declared(BTreeSet<String>),
    /// Whatever its actions capture.
    Captured,
    /// Nothing.
    Nothing,
}

impl<'a> Programs<'a> {
    /// A program that is there.
    pub fn known(&self, program: &Program) -> Option<&Known<'a>> {
        match self.lookups.get(program) {
            Some(Lookup::Found(known)) => Some(known),
            _ => None,
        }
    }
}

impl Known<'_> {
    /// What it can hand on in its token.
    pub fn gives(&self) -> Given {
        if let Some(emits) = &self.emits {
            return Given::Declared(emits.iter().cloned().collect());
        }
        let captures = match &self.definition {
            Definition::App(App::Workflow(workflow)) => bodies(workflow).any(captures),
            Definition::Action(_, body) => captures(body),
            Definition::Command(_) => true,
            Definition::App(_) => false,
        };
        if captures { Given::Captured } else { Given::Nothing }
    }

    /// The arguments that it reads, as far as they are written out: formal parameters and variables.
    pub fn reads(&self) -> BTreeSet<String> {
        match &self.definition {
            Definition::App(app) => {
                let parameters: &[model::Parameter] = match app {
                    App::Bundle(app) => &app.parameters,
                    App::Coordinator(app) => &app.parameters,
                    App::Workflow(app) => &app.parameters,
                    App::Datasets(_) => &[],
                };
                let formal = parameters.iter().map(|parameter| parameter.name.value.trim().to_owned());
                used(app).into_keys().chain(formal).collect()
            }
            Definition::Action(..) => BTreeSet::new(),
            Definition::Command(words) => words.iter().flat_map(|word| placeholders(word)).collect(),
        }
    }

    /// Whether it may read an argument of this name: its text names it, or hands everything on.
    pub fn may_read(&self, name: &str) -> bool {
        match &self.definition {
            Definition::Command(_) => self.reads().contains(name),
            _ => self.text.contains(name) || self.text.contains("propagate-configuration"),
        }
    }

    /// The ways in which a run can end; `kill_node` is what an end at a kill node counts as.
    pub fn ends(&self, kill_node: Status) -> BTreeSet<Status> {
        let all = || Status::ALL.into_iter().collect::<BTreeSet<_>>();
        let Definition::App(App::Workflow(workflow)) = &self.definition else { return all() };
        let reached = reached(workflow);
        let is_reached = |is: fn(&NodeKind) -> bool| {
            workflow.nodes.iter().any(|node| is(&node.kind) && reached.contains(node.name.value.trim()))
        };
        let mut ends = BTreeSet::from([Status::Killed]);
        if is_reached(|kind| matches!(kind, NodeKind::End)) {
            ends.insert(Status::Completed);
        }
        // What has work to do can fail.
        if is_reached(|kind| matches!(kind, NodeKind::Action(_) | NodeKind::Decision { .. })) {
            ends.insert(Status::Failed);
        }
        if is_reached(|kind| matches!(kind, NodeKind::Kill { .. })) {
            ends.insert(kill_node);
        }
        ends
    }
}

/// The names of the nodes that the start leads to.
fn reached(workflow: &Workflow) -> BTreeSet<&str> {
    let by_name: BTreeMap<&str, &NodeKind> =
        workflow.nodes.iter().map(|node| (node.name.value.trim(), &node.kind)).collect();
    let mut open = vec![model::workflow::START_NAME];
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop() {
        if !reached.insert(name) {
            continue;
        }
        let next: Vec<&crate::source::Text> = match by_name.get(name) {
            Some(NodeKind::Start { to } | NodeKind::Join { to }) => to.iter().collect(),
            Some(NodeKind::Decision { cases, default, .. }) => {
                cases.iter().filter_map(|case| case.to.as_ref()).chain(default).collect()
            }
            Some(NodeKind::Fork { paths }) => paths.iter().collect(),
            Some(NodeKind::Action(action)) => action.ok.iter().chain(&action.error).collect(),
            Some(NodeKind::End | NodeKind::Kill { .. }) | None => Vec::new(),
        };
        open.extend(next.into_iter().map(|text| text.value.trim()));
    }
    reached
}

fn bodies(workflow: &Workflow) -> impl Iterator<Item = &ActionBody> {
    workflow.nodes.iter().filter_map(|node| match &node.kind {
        NodeKind::Action(action) => action.body.as_ref(),
        _ => None,
    })
}

fn captures(body: &ActionBody) -> bool {
    body.element.elements().any(|child| child.name.local == "capture-output")
}

/// The action of a workflow that a program of this kind and name is.
pub fn action<'a>(
    workflow: &'a Workflow,
    kind: ProgramKind,
    name: &str,
) -> Result<&'a ActionBody, Option<String>> {
    let node = workflow.nodes.iter().find(|node| node.name.value.trim() == name).ok_or(None)?;
    let NodeKind::Action(found) = &node.kind else {
        return Err(Some("it is not an action".to_owned()));
    };
    let body = found.body.as_ref().ok_or(None)?;
    if Some(body.kind.as_str()) == kind.action() {
        Ok(body)
    } else {
        Err(Some(format!("it is an action of type `{}`", body.kind.as_str())))
    }
}

/// The names in braces of a word of a command.
pub fn placeholders(word: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = word;
    while let Some((_, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        names.push(name.to_owned());
        rest = after;
    }
    names
}
