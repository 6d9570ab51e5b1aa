//! Expressions of a workflow's nodes, as far as they can be known before the run (`DagELFunctions`).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::partial::{Rest, partial};
use crate::analysis::functions as functions_of;
use crate::analysis::parameters::{AppKind, GROUP_NAME, JOB_ACL, JobConf, USER_NAME};
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Stage};
use crate::el::{
    self, Failure, Function, NodeId, NodeKind, Outcome, Part, Signature, Template, Value, World,
};
use crate::model::Dialect;
use crate::model::functions::{self, Phase};
use crate::plan::evaluate::{finding, syntax};
use crate::plan::serialize::escaped_value;
use crate::source::{Span, Text};

/// What the nodes of one workflow see.
pub(super) struct NodeWorld<'w> {
    dialect: Dialect,
    conf: &'w JobConf,
    name: &'w str,
    /// Variables as `DagELFunctions.configureEvaluator` sets them.
    variables: BTreeMap<&'w str, String>,
    /// Properties whose value only the run will know.
    deferred: &'w BTreeSet<String>,
    /// Names that nothing gives, with the place of their first use.
    missing: RefCell<IndexMap<String, Span>>,
}

/// Functions whose value is known before the run when their arguments are.
const KNOWN: &[(&str, &str)] = &[
    ("wf", "name"),
    ("wf", "appName"),
    ("wf", "appPath"),
    ("wf", "user"),
    ("wf", "group"),
    ("wf", "conf"),
    ("", "firstNotNull"),
    ("", "concat"),
    ("", "replaceAll"),
    ("", "appendAll"),
    ("", "trim"),
    ("", "urlEncode"),
    ("", "toJsonStr"),
    ("", "toConfigurationStr"),
];

/// A text with what is known put in.
#[derive(Clone, Debug, Default)]
pub(super) struct Resolved {
    /// The text.
    pub(super) text: String,
    /// The expressions that are left.
    pub(super) deferred: Vec<String>,
    /// What cannot be evaluated at all.
    pub(super) findings: Vec<Diagnostic>,
}

impl<'w> NodeWorld<'w> {
    /// The world of a workflow's nodes: `conf` as stored, the resolved name, and what only the run will know.
    pub(super) fn new(
        dialect: Dialect,
        conf: &'w JobConf,
        name: &'w str,
        deferred: &'w BTreeSet<String>,
    ) -> NodeWorld<'w> {
        let variables = conf.iter().filter(|(name, _)| functions_of::is_variable(name));
        let text = |value: &str| match dialect {
            Dialect::Oozie => functions_of::variable_text(value),
            Dialect::Hws => value.to_owned(),
        };
        let variables = variables.map(|(name, value)| (name, text(value))).collect();
        NodeWorld { dialect, conf, name, variables, deferred, missing: RefCell::default() }
    }

    /// The names that nothing gives, in the order of their first use.
    pub(super) fn missing(self) -> IndexMap<String, Span> {
        self.missing.into_inner()
    }

    /// Evaluates a text; faults are found when the node starts.
    pub(super) fn resolve(&self, text: &Text) -> Resolved {
        self.resolve_in(text, false)
    }

    /// The same for the text of an action's element: where each text is evaluated by itself, values are escaped.
    pub(super) fn resolve_action(&self, text: &Text) -> Resolved {
        self.resolve_in(text, self.dialect == Dialect::Hws)
    }

    /// The phase of the nodes.
    fn phase(&self) -> Phase {
        Place::of_nodes(self.dialect).phase()
    }

    fn resolve_in(&self, text: &Text, is_markup: bool) -> Resolved {
        let (template, faults) = el::parse_for(text, self.conf.engine());
        let mut resolved = Resolved::default();
        if template.broken.is_some() {
            resolved.text = text.value.clone();
            let faults = syntax(text, &template, faults);
            resolved.findings =
                faults.into_iter().map(|fault| fault.oozie(&[]).stage(Some(Stage::Action))).collect();
            return resolved;
        }
        for part in &template.parts {
            match part {
                Part::Literal { value, .. } => resolved.text.push_str(value),
                Part::Expression { range, .. } => {
                    self.expression(&text.part(range.clone()), is_markup, &mut resolved);
                }
            }
        }
        resolved
    }

    fn expression(&self, text: &Text, is_markup: bool, resolved: &mut Resolved) {
        let (template, _) = el::parse_for(text, self.conf.engine());
        for (id, name) in template.variables() {
            if self.variable(name).is_none() && !self.deferred.contains(name) {
                self.missing.borrow_mut().entry(name.to_owned()).or_insert_with(|| template.span(id));
            }
        }
        if self.dialect.needs_what_it_asks_for() {
            for (name, span) in asked_for(&template) {
                if !self.conf.contains(&name) && !self.deferred.contains(&name) {
                    self.missing.borrow_mut().entry(name).or_insert(span);
                }
            }
        }
        match partial(&template, self, |template, id| self.is_late(template, id)) {
            Ok(Rest::Value(value)) if is_markup => resolved.text.push_str(&escaped_value(&value)),
            Ok(Rest::Value(value)) => resolved.text.push_str(&value),
            Ok(Rest::Expression(rest)) => {
                resolved.text.push_str(&rest);
                resolved.deferred.push(rest);
            }
            Err(fault) => {
                let found = finding(&fault.text, &fault.error, self.conf, &[]);
                resolved.findings.push(found.stage(Some(Stage::Action)));
                resolved.text.push_str(&text.value);
            }
        }
    }

    /// Whether only the run, or nobody, knows a node of an expression.
    fn is_late(&self, template: &Template, id: NodeId) -> bool {
        match &template.node(id).kind {
            NodeKind::Variable(name) => self.deferred.contains(&**name) || self.variable(name).is_none(),
            NodeKind::Call { prefix, name, arguments } if (&**prefix, &**name) == ("wf", "conf") => {
                let argument = arguments.first().map(|id| &template.node(*id).kind);
                matches!(argument, Some(NodeKind::String(name)) if self.deferred.contains(&**name))
            }
            NodeKind::Call { prefix, name, .. } if (&**prefix, &**name) == ("wf", "appPath") => {
                !self.conf.contains(AppKind::Workflow.property())
            }
            NodeKind::Call { prefix, name, .. } => {
                let exists = matches!(self.function(prefix, name), Function::Known(_));
                exists && !KNOWN.contains(&(prefix, name))
            }
            _ => false,
        }
    }
}

impl World for NodeWorld<'_> {
    fn variable(&self, name: &str) -> Option<Value<'_>> {
        match self.variables.get(name) {
            _ if self.deferred.contains(name) => None,
            Some(value) => Some(Value::from(value.as_str())),
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
        let text = |value: Option<&'a str>| Ok(Outcome::Value(value.map_or(Value::Null, Value::from)));
        match (function.prefix, function.name) {
            ("wf", "name" | "appName") => text(Some(self.name)),
            ("wf", "appPath") => match self.conf.get_raw(AppKind::Workflow.property()) {
                None => Err(late(function)),
                path => text(path),
            },
            ("wf", "user") => text(self.conf.get_raw(USER_NAME)),
            ("wf", "group") => text(self.conf.get_raw(GROUP_NAME).or_else(|| self.conf.get_raw(JOB_ACL))),
            ("wf", "run") => Ok(Outcome::Value(Value::Long(0))),
            ("wf", "conf") => {
                let name = arguments.first().map(|name| name.to_text().into_owned()).unwrap_or_default();
                if self.deferred.contains(&name) {
                    return Err(late(function));
                }
                text(self.conf.get_raw(&name))
            }
            (prefix, name) if KNOWN.contains(&(prefix, name)) => {
                call_of_values(self.phase(), function, arguments)
            }
            _ => Err(late(function)),
        }
    }
}

/// The literal names that `wf:conf` is asked for, but for those beside which something else is ready: the arguments of
/// `firstNotNull`, and what is looked at with `empty` or compared.
fn asked_for(template: &Template) -> Vec<(String, Span)> {
    let mut guarded: BTreeSet<NodeId> = BTreeSet::new();
    for node in &template.nodes {
        match &node.kind {
            NodeKind::Call { prefix, name, arguments } if (&**prefix, &**name) == ("", "firstNotNull") => {
                guarded.extend(arguments.iter().copied());
            }
            NodeKind::Unary(el::Unary::Empty, operand) => drop(guarded.insert(*operand)),
            NodeKind::Binary(el::Binary::Equal | el::Binary::NotEqual, left, right) => {
                guarded.extend([*left, *right]);
            }
            _ => {}
        }
    }
    let ids = template.calls().map(|call| call.node);
    let ids: Vec<NodeId> = ids.filter(|id| !guarded.contains(id)).collect();
    let of = |id: &NodeId| asked_name(template, *id).map(|name| (name.to_owned(), template.span(*id)));
    ids.iter().filter_map(of).collect()
}

/// The literal name that a call of `wf:conf` is for.
fn asked_name(template: &Template, id: NodeId) -> Option<&str> {
    let NodeKind::Call { prefix, name, arguments } = &template.node(id).kind else { return None };
    match &template.node(*arguments.first()?).kind {
        NodeKind::String(asked) if (&**prefix, &**name) == ("wf", "conf") => Some(asked),
        _ => None,
    }
}

/// Calls a function that looks at its arguments alone.
fn call_of_values<'a>(
    phase: Phase,
    function: &'static Signature,
    arguments: Vec<Value<'a>>,
) -> Result<Outcome<'a>, Failure> {
    let nothing = functions_of::World::default();
    let world = functions_of::InPhase::new(&nothing, phase);
    world.call(function, arguments).map(|outcome| match outcome {
        Outcome::Value(value) => Outcome::Value(value.into_owned()),
        Outcome::Deferred(text) => Outcome::Deferred(text),
    })
}

fn late(function: &Signature) -> Failure {
    Failure::new("ELException", format!("only the run knows `{}`", function.full_name()))
}
