//! A value that the user gives does not reach the workflow or the coordinator, whose own configuration sets the name anew.
//!
//! Which layer wins is fixed: `-D` over property files, later files over earlier ones, all of these over the default file
//! beside the app and over the defaults of formal parameters. These are there to be overridden, and nothing is reported of
//! them. But what a bundle sets for a coordinator, and a coordinator for its workflow, wins over `-D` and property files:
//! who changes the value there sees no effect. `ankus plan --explain-value NAME` shows all layers of a value.
//!
//! ```xml
//! <property><name>queueName</name><value>default</value></property>        <!-- -D queueName=fast has no effect -->
//! <property><name>queueName</name><value>${queueName}</value></property>   <!-- hands it on -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::parameters::{Layer, Step, USER_NAME};
use crate::analysis::subject::Expressions;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::source::Span;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "property-shadowed",
        group: Group::Meaning,
        severity: Severity::Info,
        stage: None,
        mirrors: &[],
        explanation: include_str!("property_shadowed.rs"),
    },
    check: Check::El(check),
};

/// Whether the user gives a value by hand.
fn is_of_user(layer: &Layer) -> bool {
    matches!(layer, Layer::File | Layer::Profile | Layer::Definition)
}

fn check(app: &Expressions<'_>, sink: &mut Sink) {
    let conf = app.values.conf();
    for name in conf.iter().map(|(name, _)| name).filter(|name| *name != USER_NAME) {
        let is_given = |step: &&Step| !matches!(step.layer, Layer::Server | Layer::Substitution);
        let steps: Vec<&Step> = conf.steps(name).iter().filter(is_given).collect();
        let [lower @ .., wins] = steps.as_slice() else { continue };
        // What a sub-workflow is given is an argument: its parent uses the user's own value.
        let (Some(place), Layer::Action | Layer::Coordinator(_)) = (wins.span, &wins.layer) else { continue };
        if takes_up(&wins.value, name) {
            continue;
        }
        let loses = |step: &Step, place: Span| {
            let is_other =
                step.value.trim() != wins.value.trim() && step.span.is_some_and(|span| span != place);
            is_of_user(&step.layer) && is_other
        };
        let Some(given) = lower.iter().rev().find(|step| loses(step, place)) else { continue };
        let message = format!(
            "`{name}` of the {} has no effect: the {} sets it",
            given.layer.describe(),
            wins.layer.describe()
        );
        let finding = Diagnostic::new(&RULE.info, place, message).help(format!(
            "write `${{{name}}}` to hand it on, or remove it from the {}",
            given.layer.describe()
        ));
        sink.push(match given.span {
            Some(span) => finding.label(span, "this has no effect"),
            None => finding,
        });
    }
}

/// Whether a written value is made from the value of the same name.
fn takes_up(value: &str, name: &str) -> bool {
    value.contains("${") && value.contains(name)
}
