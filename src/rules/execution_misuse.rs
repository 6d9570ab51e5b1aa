//! The order of execution is LAST_ONLY or NONE, and another setting of the coordinator works against it.
//!
//! With NONE an action is skipped when it has not started one minute after its nominal time; it cannot wait for inputs
//! that come later, whatever its timeout. With LAST_ONLY an action is skipped as soon as the next one's nominal time has
//! passed; a longer timeout has no effect. Take FIFO where actions must wait for their inputs, and give LAST_ONLY a
//! timeout within the frequency, or none.
//!
//! ```xml
//! <controls><timeout>1440</timeout><execution>NONE</execution></controls>  <!-- waits one minute -->
//! <controls><timeout>1440</timeout><execution>FIFO</execution></controls>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::schedule::Named;
use crate::analysis::subject::Coordinator;
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::time::Unit;
use crate::time::nominal::Rhythm;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "execution-misuse",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("execution_misuse.rs"),
    },
    check: Check::Coordinator(check),
};

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let Some(execution) = &app.model.controls.execution else { return };
    let timeout = app.model.controls.timeout.as_ref().and_then(|text| {
        // A number alone is minutes.
        let minutes = app.values.trimmed(text, Place::Timeout)?.parse::<i64>().ok()?;
        (!text.value.contains("coord:")).then_some((text.span, minutes))
    });
    match app.values.trimmed(execution, Place::Coordinator).as_deref() {
        Some("NONE") => {
            // What has existed for long is there in time; what comes with the action is not.
            let waits = app.inputs.iter().find(|event| {
                event.named.iter().any(|(named, _)| match named {
                    Some(Named::Current(_, end)) => *end >= 0,
                    Some(Named::Future { .. }) => true,
                    _ => false,
                })
            });
            if let Some(event) = waits {
                let message = "with NONE an action is skipped a minute after its nominal time, so it never waits for inputs";
                let finding = Diagnostic::new(&RULE.info, execution.span, message);
                let finding = finding.label(event.tag, format!("`{}` must be there by then", event.name));
                sink.push(finding.help("use FIFO or LAST_ONLY if actions shall wait for their inputs"));
            } else if let Some((span, minutes)) = timeout.filter(|(_, minutes)| *minutes > 1) {
                let message = format!("a timeout of {minutes} minutes has no effect with NONE");
                let finding = Diagnostic::new(&RULE.info, span, message);
                let finding =
                    finding.label(execution.span, "an action is skipped a minute after its nominal time");
                sink.push(finding.help("remove the timeout, or use FIFO"));
            }
        }
        Some("LAST_ONLY") => {
            let step = app.schedule.every.as_ref().and_then(|every| match every.rhythm {
                Rhythm::Steps { count, unit: Unit::Minute } => Some(i64::from(count)),
                Rhythm::Steps { count, unit: Unit::Day } => Some(i64::from(count) * 25 * 60),
                _ => None,
            });
            if let (Some((span, minutes)), Some(step)) = (timeout, step)
                && minutes > step
            {
                let message =
                    format!("a timeout of {minutes} minutes is longer than LAST_ONLY lets an action wait");
                let finding = Diagnostic::new(&RULE.info, span, message);
                let finding = finding.label(execution.span, "an action is skipped once the next one is due");
                sink.push(finding.help("give a timeout within the frequency, or use FIFO"));
            }
        }
        _ => {}
    }
}
