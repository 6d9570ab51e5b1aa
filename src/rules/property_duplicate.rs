//! One configuration gives a property twice.
//!
//! The last value counts, and the earlier one is dropped without a word; whoever edits the first one wonders. Remove the one
//! that does not count:
//!
//! ```xml
//! <property><name>queue</name><value>fast</value></property>   <!-- never used -->
//! <property><name>queue</name><value>slow</value></property>
//! ```

use std::collections::BTreeMap;

use super::{Check, Rule, Sink};
use crate::analysis::properties::Origin;
use crate::analysis::subject::Properties;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::model::Property;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "property-duplicate",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("property_duplicate.rs"),
    },
    check: Check::Properties(check),
};

fn check(app: &Properties<'_>, sink: &mut Sink) {
    let mut last: BTreeMap<&str, &Property> = BTreeMap::new();
    for property in app.list.iter() {
        let name = property.name.value.trim();
        // Where a value is missing the property does not exist, so that it hides nothing.
        let is_missing = app.origin != Origin::File && property.value.value.is_empty();
        if name.is_empty() || is_missing {
            continue;
        }
        let Some(earlier) = last.insert(name, property) else { continue };
        let (counts, lost) = if earlier.is_final && app.origin == Origin::Hadoop {
            last.insert(name, earlier);
            (earlier, property)
        } else {
            (property, earlier)
        };
        let same = counts.value.value.trim() == lost.value.value.trim();
        let words = if same { "with the same value" } else { "this value does not count" };
        sink.push(
            Diagnostic::new(&RULE.info, counts.name.trimmed().span, format!("`{name}` is given twice"))
                .at("this one counts")
                .label(lost.name.trimmed().span, words)
                .help("remove the one that does not count")
                .fix(true, vec![Edit { span: lost.span, text: String::new() }]),
        );
    }
}
