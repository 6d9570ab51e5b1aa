//! Which names expressions may read, told rather too many than too few.

use std::collections::BTreeSet;

use super::Expression;
use crate::el::{NodeKind, Part, Template};

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
        gather(parsed, &mut read);
    }
    Some(read)
}

/// All names that expressions may ask for, texts that they hold included, as far as they can be read.
pub fn names_used(expressions: &[Expression<'_>]) -> BTreeSet<String> {
    let mut read = BTreeSet::new();
    for expression in expressions {
        gather(&expression.parsed, &mut read);
        for node in &expression.parsed.nodes {
            if let NodeKind::String(text) = &node.kind {
                read.insert(text.trim());
            }
        }
    }
    read.into_iter().map(str::to_owned).collect()
}

fn gather<'e>(parsed: &'e Template, read: &mut BTreeSet<&'e str>) {
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

/// The words of a text that can be names of variables.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
