//! `coord:conf` or `wf:conf` asks for a property that nothing gives.
//!
//! The call has no value then, and nobody is told: a path gets a hole, a comparison takes the other branch. A workflow may ask
//! for what need not be there, so `wf:conf` is reported only where the name is nearly one that is given. Reported only
//! where a properties file gives values.
//!
//! ```xml
//! <value>${coord:conf('nope')}</value>
//! <value>${coord:conf('region')}</value>   <!-- region=north in job.properties -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::parameters::Layer;
use crate::analysis::subject::Expressions;
use crate::diag::{Diagnostic, Group, Info, Severity, SubjectKind, distance};
use crate::el::NodeKind;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "el-conf-unknown",
        group: Group::Expression,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("el_conf_unknown.rs"),
    },
    check: Check::El(check),
};

/// How many letters a slip changes, and from which length on a name is compared.
const SLIP: usize = 2;
const MIN_LENGTH: usize = 5;

fn check(app: &Expressions<'_>, sink: &mut Sink) {
    // Without a properties file everything is still to be given.
    let conf = app.values.conf();
    let is_of_file = |name: &str| conf.steps(name).iter().any(|step| step.layer == Layer::File);
    if !app.values.is_complete && !conf.iter().any(|(name, _)| is_of_file(name)) {
        return;
    }
    let formal = |name: &str| app.parameters.iter().any(|parameter| parameter.name.value.trim() == name);
    for expression in app.list {
        let parsed = &expression.parsed;
        for call in
            parsed.calls().filter(|call| call.name == "conf" && ["coord", "wf"].contains(&call.prefix))
        {
            let [argument] = call.arguments else { continue };
            let NodeKind::String(name) = &parsed.node(*argument).kind else { continue };
            let name: &str = name;
            let is_late = app.values.is_late(name);
            if name.is_empty() || app.values.conf().contains(name) || is_late || formal(name) {
                continue;
            }
            let mut given = app.values.conf().iter().map(|(given, _)| given);
            let near = given.find(|given| name.len() >= MIN_LENGTH && distance(given, name, SLIP).is_some());
            if call.prefix == "wf" && near.is_none() {
                continue;
            }
            let message = format!("nothing gives `{name}`, so this has no value");
            let finding = Diagnostic::new(&RULE.info, parsed.span(*argument), message)
                .about(SubjectKind::Parameter, name);
            sink.push(match near {
                Some(near) => finding.help(format!("did you mean `{near}`?")).meant(near),
                None => finding.help("give it in the properties file, or leave the call out"),
            });
        }
    }
}
