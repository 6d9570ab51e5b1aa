//! Workflows: the nodes in order of possible execution, each with everything put in that is known before the run.
//!
//! [`submit`] does what `SubmitXCommand` checks besides schema and control flow; [`plan`] resolves the nodes as
//! `LiteWorkflowAppParser` and `ActionStartXCommand` would, and follows sub-workflows. What only the run knows stays an
//! expression. Where application paths lead is an argument; nothing is read here.

mod entry;
mod evaluate;
mod follow;
mod handed;
mod merge;
mod nodes;
mod partial;
mod program;
mod sla;
mod submit;

use std::borrow::Cow;

use indexmap::IndexMap;

use crate::analysis::parameters::{Given, JobConf};
use crate::analysis::project::Astray;
use crate::diag::Diagnostic;
use crate::model;
use crate::plan::sla::SlaRegistration;
use crate::source::Span;
use crate::xml::Element;
use crate::xml::Symbol;

pub use entry::EntryFault;
pub use follow::{MAX_DEPTH, MAX_WORKFLOWS, SUBWORKFLOW_RECURSION, plan};
pub use handed::SUBWORKFLOW_CONFIG;
pub use program::{ActionProgram, ChildRequest, Program, ProgramKind, ProgramNode, Target, counters_of};
pub use sla::{SlaFault, SlaProgram};
pub use submit::{Submitted, resolve, submit};

/// A workflow as it was read.
#[derive(Clone, Copy, Debug)]
pub struct Definition<'a> {
    /// The tree.
    pub root: &'a Element,
    /// The text of the file it was read from.
    pub text: &'a str,
    /// The model.
    pub model: &'a model::Workflow,
    /// What the `config-default.xml` beside it holds.
    pub default_file: &'a [Given],
}

/// The workflow that an application path leads to.
#[derive(Clone, Debug)]
pub struct Lead<'a> {
    /// It.
    pub definition: Definition<'a>,
    /// It is beyond doubt that it is meant.
    pub is_sure: bool,
    /// What is said of it, when it is taken by weak evidence.
    pub doubt: Option<Astray>,
}

impl<'a> From<Definition<'a>> for Lead<'a> {
    fn from(definition: Definition<'a>) -> Lead<'a> {
        Lead { definition, is_sure: true, doubt: None }
    }
}

/// Finds the workflow that an application path leads to, or says why there is none.
pub type Finder<'f, 'a> = &'f dyn Fn(&str) -> Result<Lead<'a>, Astray>;

/// A planned workflow.
#[derive(Clone, Debug)]
pub struct WorkflowPlan {
    /// The resolved name.
    pub name: String,
    /// The job's configuration, as stored.
    pub parameters: JobConf,
    /// Names that expressions use and nothing gives, with the place of their first use.
    pub missing: IndexMap<String, Span>,
    /// The nodes in order of possible execution; those that start does not reach come last.
    pub nodes: Vec<PlannedNode>,
    /// The service levels that are registered with it: under no name its own, under the names of nodes those of actions.
    pub levels: IndexMap<String, SlaRegistration>,
}

impl WorkflowPlan {
    /// Whether another plan of the same definition has the same nodes, transitions, sub-workflows and number of findings,
    /// so that only texts differ. Recursive, no deeper than sub-workflows are followed.
    pub fn has_shape_of(&self, other: &WorkflowPlan) -> bool {
        fn child(node: &PlannedNode) -> Option<&SubWorkflow> {
            node.action.as_ref().and_then(|action| action.child.as_deref())
        }
        let is_same = |(one, other): (&PlannedNode, &PlannedNode)| {
            let is_same_below = match (child(one), child(other)) {
                (None, None) => true,
                (Some(one), Some(other)) => {
                    one.findings.len() == other.findings.len()
                        && match (&one.plan, &other.plan) {
                            (Some(one), Some(other)) => one.has_shape_of(other),
                            (None, None) => true,
                            _ => false,
                        }
                }
                _ => false,
            };
            one.name == other.name
                && one.to == other.to
                && one.findings.len() == other.findings.len()
                && is_same_below
        };
        self.nodes.len() == other.nodes.len() && self.nodes.iter().zip(&other.nodes).all(is_same)
    }
}

/// A node of the plan.
#[derive(Clone, Debug)]
pub struct PlannedNode {
    /// Its name; the start node is called `:start:`.
    pub name: String,
    /// `start`, `action`, `decision`…
    pub kind: &'static str,
    /// The fewest transitions from start; `None` when start does not reach it.
    pub level: Option<usize>,
    /// Where it goes, by the name of the transition: `to`, `ok`, `error`, `case 1`, `default`, `path 1`.
    pub to: Roles,
    /// The predicates of a decision, by the name of the transition, with what is known put in.
    pub cases: Roles,
    /// The message of a kill node, with what is known put in.
    pub message: Option<String>,
    /// What an action does.
    pub action: Option<PlannedAction>,
    /// The expressions that are left in cases or message.
    pub deferred: Vec<String>,
    /// What will make the node fail.
    pub findings: Vec<Diagnostic>,
    /// The place of the node's name.
    pub span: Span,
}

/// Texts by the name of a transition, in order. A node has few, and plans have many nodes: a list, not a map.
pub type Roles = Vec<(Cow<'static, str>, String)>;

/// An action of the plan.
#[derive(Clone, Debug)]
pub struct PlannedAction {
    /// The type: `map-reduce`, `shell`…
    pub kind: Symbol,
    /// The namespace of its element.
    pub namespace: Symbol,
    /// The element as XML, with everything put in that is known.
    pub definition: String,
    /// The expressions that are left, in order, each once.
    pub deferred: Vec<String>,
    /// The workflow that a sub-workflow action runs.
    pub child: Option<Box<SubWorkflow>>,
}

/// Where a sub-workflow action leads.
#[derive(Clone, Debug)]
pub struct SubWorkflow {
    /// The application path, with what is known put in.
    pub app_path: String,
    /// The workflow's own plan; `None` when the path leads nowhere or the workflow would be refused.
    pub plan: Option<Box<WorkflowPlan>>,
    /// Why there is no plan.
    pub findings: Vec<Diagnostic>,
}

impl WorkflowPlan {
    /// All findings of the nodes and of the workflows below, in order.
    pub fn findings(&self) -> Vec<&Diagnostic> {
        let mut found = Vec::new();
        let mut open: Vec<&WorkflowPlan> = vec![self];
        while let Some(plan) = open.pop() {
            for node in &plan.nodes {
                found.extend(&node.findings);
                if let Some(child) = node.action.as_ref().and_then(|action| action.child.as_ref()) {
                    found.extend(&child.findings);
                    open.extend(child.plan.as_deref());
                }
            }
        }
        found
    }
}
