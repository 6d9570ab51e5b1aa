//! Which names expressions may read, told rather too many than too few.

use std::collections::BTreeSet;

use super::Expression;
use crate::el::{NodeKind, Part};

/// Every name that some expression may read as a variable or a property; `None` when one is only known when it runs.
pub fn names_read<'e>(expressions: &'e [Expression<'_>]) -> Option<BTreeSet<&'e str>> {
    let mut read = BTreeSet::new();
    for expression in expressions {
        let parsed = &expression.parsed;
        let asks = |prefix: &str, name: &str| name == "conf" && matches!(prefix, "wf" | "coord" | "bundle");
        let is_open = |argument: Option<&crate::el::NodeId>| {
            !argument.is_some_and(|id| matches!(parsed.node(*id).kind, NodeKind::String(_)))
        };
        if parsed.broken.is_some()
            || parsed.calls().any(|call| asks(call.prefix, call.name) && is_open(call.arguments.first()))
        {
            return None;
        }
        for node in &parsed.nodes {
            match &node.kind {
                NodeKind::Variable(name) => drop(read.insert(&**name)),
                // The name of a property, or text that is evaluated later.
                NodeKind::String(text) => read.extend(words(text)),
                _ => {}
            }
        }
        for part in &parsed.parts {
            if let Part::Literal { value, .. } = part
                && value.contains('{')
            {
                read.extend(words(value));
            }
        }
    }
    Some(read)
}

/// The words of a text that can be names of variables.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
