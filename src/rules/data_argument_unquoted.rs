//! A function asks for an event by a name without quotes.
//!
//! `coord:dataIn(clicks)` asks for the event whose name is the value of the parameter `clicks`. An event is called
//! `clicks`, and nothing gives the parameter a value: the name was meant. Write it in quotes.
//!
//! ```xml
//! <value>${coord:dataIn(clicks)}</value>   <!-- wrong -->
//! <value>${coord:dataIn('clicks')}</value>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity};
use crate::el::{self, NodeKind};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "data-argument-unquoted",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("data_argument_unquoted.rs"),
    },
    check: Check::Coordinator(check),
};

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let events = || app.inputs.iter().chain(&app.outputs).map(|event| event.name);
    let formal = |name: &str| app.model.parameters.iter().any(|it| it.name.value.trim() == name);
    let values = app.model.action.iter().flat_map(|action| &action.configuration.properties);
    for text in values.map(|property| &property.value) {
        let (template, _) = el::parse(text);
        for call in template.calls().filter(|call| call.prefix == "coord" && takes_event(call.name)) {
            let Some(argument) = call.arguments.first() else { continue };
            let NodeKind::Variable(name) = &template.node(*argument).kind else { continue };
            let name: &str = name;
            if !events().any(|event| event == name) || app.values.conf().contains(name) || formal(name) {
                continue;
            }
            let span = template.span(*argument);
            let message = format!("`{name}` is a parameter here, and the name of an event in quotes");
            let finding = Diagnostic::new(&RULE.info, span, message).help(format!("write `'{name}'`"));
            let edit = Edit { span, text: format!("'{name}'") };
            let is_plain = span.range().len() == name.len();
            sink.push(if is_plain { finding.fix(false, vec![edit]) } else { finding });
        }
    }
}

fn takes_event(name: &str) -> bool {
    ["data", "table", "database"].iter().any(|start| name.starts_with(start)) && !name.starts_with("date")
}
