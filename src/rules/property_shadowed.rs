//! Several layers give one property different values.
//!
//! Which one wins is fixed: `-D` over property files, later files over earlier ones, all of these over the default file beside
//! the app and over the defaults of formal parameters; what a bundle, a coordinator or a parent workflow hands down is
//! overridden by the configuration that stands there. This says which one it is; `ankus plan --explain-value NAME` shows all.

use super::{Check, Rule, Sink};
use crate::analysis::parameters::{Layer, Step, USER_NAME};
use crate::analysis::subject::Expressions;
use crate::diag::{Diagnostic, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "property-shadowed",
        severity: Severity::Info,
        stage: None,
        mirrors: &[],
        explanation: include_str!("property_shadowed.rs"),
    },
    check: Check::El(check),
};

fn check(app: &Expressions<'_>, sink: &mut Sink) {
    let conf = app.values.conf();
    for name in conf.iter().map(|(name, _)| name).filter(|name| *name != USER_NAME) {
        let is_given = |step: &&Step| !matches!(step.layer, Layer::Server | Layer::Substitution);
        let steps: Vec<&Step> = conf.steps(name).iter().filter(is_given).collect();
        let [lower @ .., wins] = steps.as_slice() else { continue };
        let Some(place) = wins.span else { continue };
        let lost = |step: &&&Step| {
            step.value.trim() != wins.value.trim() && step.span.is_some_and(|span| span != place)
        };
        let Some(first) = lower.iter().rev().find(lost) else { continue };
        let message =
            format!("`{name}` of the {} wins over the {}", wins.layer.describe(), first.layer.describe());
        let mut finding = Diagnostic::new(&RULE.info, place, message);
        for step in lower.iter().rev().filter(lost) {
            if let Some(span) = step.span {
                finding = finding.label(span, format!("does not count: {}", step.layer.describe()));
            }
        }
        sink.push(finding);
    }
}
