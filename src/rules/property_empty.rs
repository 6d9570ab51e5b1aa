//! A property has an empty value.
//!
//! The server reads configurations as XML, and there a property without a value is none: `${x}` is undefined when the action
//! starts (E1004), and `wf:conf('x')` gives null. It is the same with a properties file, as the server keeps what it holds as
//! XML. Remove the property, or give it a value that stands for nothing, such as `none`.

use super::{Check, Rule, Sink};
use crate::analysis::properties::Origin;
use crate::analysis::subject::Properties;
use crate::diag::{Diagnostic, Group, Info, Kinds, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "property-empty",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &["E1004"],
        explanation: include_str!("property_empty.rs"),
    },
    check: Check::Properties(check),
};

fn check(app: &Properties<'_>, sink: &mut Sink) {
    for property in app.list.iter() {
        let name = property.name.value.trim();
        // Settings of the server and of Hadoop have dots, and no variable asks for them.
        let is_setting = matches!(app.origin, Origin::File | Origin::Hadoop) && name.contains('.');
        if name.is_empty() || is_setting || !property.value.value.trim().is_empty() {
            continue;
        }
        let message = format!("`{name}` is empty, so it does not exist when it is read");
        sink.push(
            Diagnostic::new(&RULE.info, property.name.trimmed().span, message)
                .oozie(&[])
                .help("give it a value, or remove it")
                .because(Kinds::Group(Group::Schema), property.span),
        );
    }
}
