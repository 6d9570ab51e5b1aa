//! Workflows: both dialects, `workflow-app` and `hadoop-workflow`, lower into the same types.

use std::sync::Arc;

use super::action::Details;
use super::roots::Dialect;
use super::sla::Sla;
use super::{Configuration, Namespace, Parameter};
use crate::source::{Span, Text};
use crate::xml::{Element, Symbol};

/// A workflow.
#[derive(Clone, Debug)]
pub struct Workflow {
    /// The language that it is written in.
    pub dialect: Dialect,
    /// The root element.
    pub span: Span,
    /// The name in the start tag.
    pub name_span: Span,
    /// `uri:oozie:workflow:0.1` to `1.0`.
    pub namespace: Namespace,
    /// The `name` attribute.
    pub name: Option<Text>,
    /// Formal parameters.
    pub parameters: Vec<Parameter>,
    /// `global`
    pub global: Option<Global>,
    /// `credentials/credential`
    pub credentials: Vec<Credential>,
    /// Every node in document order; the start node too.
    pub nodes: Vec<Node>,
    /// Named elements beside the nodes that are none; a schema says what is wrong with them.
    pub strangers: Vec<Stranger>,
    /// The transitions that have names, of decisions and actions of 2009, in document order.
    pub transitions: Vec<NamedTransition>,
    /// Elements that only the other dialect has at their place.
    pub foreign: Vec<Foreign>,
    /// The decisions, by index, whose `default` lacks the name of a transition.
    pub defaults_without_name: Vec<usize>,
    /// The workflow's own service level.
    pub sla: Option<Sla>,
}

/// A named element that is no node, a misspelt one perhaps.
#[derive(Clone, Debug)]
pub struct Stranger {
    /// The name in its start tag.
    pub tag_span: Span,
    /// Its `name`.
    pub name: Text,
}

/// A `transition` with a name.
#[derive(Clone, Debug)]
pub struct NamedTransition {
    /// The index of the node that holds it.
    pub node: usize,
    /// The name in its start tag.
    pub tag_span: Span,
    /// The name, in an action `OK` or `ERROR`.
    pub name: Option<Text>,
    /// The node that it leads to.
    pub to: Option<Text>,
}

/// An element of the other dialect.
#[derive(Clone, Debug)]
pub struct Foreign {
    /// The name in its start tag.
    pub tag_span: Span,
    /// Its name.
    pub word: Symbol,
    /// What to write here, as a sentence in the imperative.
    pub instead: &'static str,
}

/// The `global` element: what every action gets that does not set it itself.
#[derive(Clone, Debug)]
pub struct Global {
    /// The element.
    pub span: Span,
    /// `job-tracker` or `resource-manager`.
    pub resource_manager: Option<Text>,
    /// `name-node`
    pub name_node: Option<Text>,
    /// `job-xml`
    pub job_xml: Vec<Text>,
    /// `configuration`
    pub configuration: Configuration,
    /// The element as written.
    pub element: Arc<Element>,
    /// The element without comments: the texts that a server evaluates (`XmlUtils.removeComments`).
    pub texts: Arc<Element>,
}

/// A `credential`.
#[derive(Clone, Debug)]
pub struct Credential {
    /// The element.
    pub span: Span,
    /// Its name.
    pub name: Option<Text>,
    /// Its type.
    pub kind: Option<Text>,
    /// Its properties.
    pub properties: Vec<super::Property>,
}

/// What the server calls the start node.
pub const START_NAME: &str = ":start:";

/// A node of the workflow.
#[derive(Clone, Debug)]
pub struct Node {
    /// The element.
    pub span: Span,
    /// The name in the start tag: the place for a finding about the node.
    pub tag_span: Span,
    /// Its name; the start node has none in the file and is called [`START_NAME`].
    pub name: Text,
    /// What it is.
    pub kind: NodeKind,
}

/// The kinds of nodes with their transitions.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// `start`
    Start {
        /// The first node.
        to: Option<Text>,
    },
    /// `end`
    End,
    /// `kill`, or `fail` of 2009
    Kill {
        /// The message, a template.
        message: Option<Text>,
        /// The job ends as FAILED, not as KILLED.
        fails: bool,
    },
    /// `decision`
    Decision {
        /// The cases in order.
        cases: Vec<Case>,
        /// Where to go when no case holds.
        default: Option<Text>,
        /// The name of the transition to there, where transitions have names.
        default_name: Option<Box<Text>>,
    },
    /// `fork`
    Fork {
        /// Where each path starts.
        paths: Vec<Text>,
    },
    /// `join`
    Join {
        /// The node after it.
        to: Option<Text>,
    },
    /// `action`
    Action(Box<Action>),
}

/// A case of a decision.
#[derive(Clone, Debug)]
pub struct Case {
    /// The predicate, a template.
    pub predicate: Text,
    /// The name of its transition, where transitions have names.
    pub name: Option<Box<Text>>,
    /// Where to go.
    pub to: Option<Text>,
}

/// An action node.
#[derive(Clone, Debug)]
pub struct Action {
    /// The `ok` transition.
    pub ok: Option<Text>,
    /// The `error` transition.
    pub error: Option<Text>,
    /// The `cred` attribute: names of credentials, with commas between.
    pub credentials: Option<Box<Text>>,
    /// `retry-max`
    pub retry_max: Option<Box<Text>>,
    /// `retry-interval`, in minutes.
    pub retry_interval: Option<Box<Text>>,
    /// `retry-policy`
    pub retry_policy: Option<Box<Text>>,
    /// The element that says what is done; `None` when it is missing.
    pub body: Option<ActionBody>,
    /// Its service level.
    pub sla: Option<Box<Sla>>,
}

/// What an action does. The element is always kept whole; [`ActionBody::details`] reads known types.
#[derive(Clone, Debug)]
pub struct ActionBody {
    /// The language that it is written in.
    pub dialect: Dialect,
    /// The type: the element's local name, such as `map-reduce`.
    pub kind: Symbol,
    /// The element's namespace.
    pub namespace: Symbol,
    /// The element as written.
    pub element: Arc<Element>,
    /// The element without comments: the texts that a server evaluates (`XmlUtils.removeComments`).
    pub texts: Arc<Element>,
}

impl ActionBody {
    /// The parts of a known type.
    pub fn details(&self) -> Details {
        super::lower::details(&self.element, self.dialect)
    }

    /// Its `configuration`, whatever the type.
    pub fn configuration(&self) -> super::Configuration {
        super::lower::configuration(&self.element)
    }
}
