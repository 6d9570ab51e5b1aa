//! Where expressions of a workflow ask for another node: `wf:actionData('n')` and the like.

use super::Expression;
use crate::analysis::flow::{Flow, NodeId};
use crate::el::{self, NodeKind};
use crate::source::Span;

/// One call that names a node.
#[derive(Clone, Copy, Debug)]
pub struct NodeUse<'e> {
    /// The expression that holds it.
    pub expression: &'e Expression<'e>,
    /// The call.
    pub call: el::NodeId,
    /// The function, such as `wf:actionData`.
    pub function: &'static str,
    /// The name that it asks for.
    pub name: &'e str,
    /// Where the name stands, without its quotes.
    pub span: Span,
    /// The node that is evaluated; `None` for `global` and credentials, which belong to every action.
    pub holder: Option<NodeId>,
    /// The node of that name.
    pub target: Option<NodeId>,
}

/// Functions whose argument is the name of a node.
const FUNCTIONS: [(&str, &str, &str); 15] = [
    ("wf", "transition", "wf:transition"),
    ("wf", "errorCode", "wf:errorCode"),
    ("wf", "errorMessage", "wf:errorMessage"),
    ("wf", "actionData", "wf:actionData"),
    ("wf", "actionExternalId", "wf:actionExternalId"),
    ("wf", "actionTrackerUri", "wf:actionTrackerUri"),
    ("wf", "actionExternalStatus", "wf:actionExternalStatus"),
    ("hadoop", "counters", "hadoop:counters"),
    ("wf", "exitState", "wf:exitState"),
    ("wf", "nodeStatus", "wf:nodeStatus"),
    ("hadoop", "jobId", "hadoop:jobId"),
    ("hadoop", "jobTracker", "hadoop:jobTracker"),
    ("hadoop", "jobStatus", "hadoop:jobStatus"),
    ("hadoop", "jobCounters", "hadoop:jobCounters"),
    ("action", "output", "action:output"),
];

/// Every call whose argument is the name of a node, written out.
pub fn node_uses<'e>(
    expressions: &'e [Expression<'e>],
    flow: &'e Flow<'e>,
) -> impl Iterator<Item = NodeUse<'e>> {
    expressions.iter().flat_map(move |expression| {
        let parsed = &expression.parsed;
        parsed.calls().filter_map(move |call| {
            let known = FUNCTIONS.iter().find(|known| known.0 == call.prefix && known.1 == call.name)?;
            let argument = call.arguments.first()?;
            let NodeKind::String(name) = &parsed.node(*argument).kind else { return None };
            let range = &parsed.node(*argument).range;
            Some(NodeUse {
                expression,
                call: call.node,
                function: known.2,
                name,
                span: parsed.text.span_of(range.start as usize + 1..range.end as usize - 1),
                holder: expression.template.node.map(NodeId::new),
                target: flow.find(name),
            })
        })
    })
}
