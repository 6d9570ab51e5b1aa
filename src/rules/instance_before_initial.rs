//! The first actions of a coordinator name instances from before the dataset's initial instance.
//!
//! Oozie drops such instances without a word: the action waits for fewer inputs, or for none at all, and `coord:dataIn`
//! gives a shorter list. An output that is dropped has no URI. Start the coordinator later, or give the dataset an
//! earlier initial instance.
//!
//! ```xml
//! <coordinator-app start="2024-01-01T00:00Z" …>
//!   <dataset name="clicks" initial-instance="2024-01-01T00:00Z" …>   <!-- 2023-12-31T01:00Z would serve -->
//!   <start-instance>${coord:current(-23)}</start-instance>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::dates::grouped;
use crate::analysis::schedule::{Event, Named};
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Group, Info, Severity};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "instance-before-initial",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("instance_before_initial.rs"),
    },
    check: Check::Coordinator(check),
};

/// How many actions are looked at.
const MAX_ACTIONS: usize = 2_000;

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    for event in app.inputs.iter().chain(&app.outputs) {
        sink.extend(finding(app, event));
    }
}

fn finding(app: &Coordinator<'_>, event: &Event<'_>) -> Option<Diagnostic> {
    let dataset = app.datasets.get(event.dataset.as_str())?;
    let (series, initial) = (dataset.series.as_ref()?, dataset.model.initial_instance.as_ref()?);
    let zone = app.values.zone;
    if let Some(end) = app.schedule.end.filter(|end| series.initial >= *end) {
        let message = format!("`{}` has no instance before the coordinator ends", event.dataset);
        let begins = format!("`{}` begins at {}", event.dataset, zone.format(series.initial));
        return Some(
            Diagnostic::new(&RULE.info, event.tag, message)
                .label(initial.span, begins)
                .help(format!("give the dataset an initial instance before {}", zone.format(end))),
        );
    }
    let currents = event.named.iter().filter_map(|(named, span)| match named {
        Some(Named::Current(start, _)) => Some((*start, *span)),
        _ => None,
    });
    let (lowest, span) = currents.min_by_key(|(start, _)| *start)?;
    let times = app.schedule.times(app.values)?;
    let mut count = 0;
    for time in times.take(MAX_ACTIONS).map_while(Result::ok) {
        let is_there =
            series.current(time.at).is_some_and(|current| current.count.saturating_add(lowest) >= 0);
        if is_there {
            break;
        }
        count += 1;
    }
    let actions = match count {
        0 => return None,
        1 => "the first action".to_owned(),
        MAX_ACTIONS => "many actions".to_owned(),
        count => format!("the first {} actions", grouped(count as i64)),
    };
    let message =
        format!("`coord:current({lowest})` lies before the initial instance for {actions}, and is dropped");
    Some(
        Diagnostic::new(&RULE.info, span, message)
            .label(initial.span, format!("`{}` begins at {}", event.dataset, zone.format(series.initial)))
            .help("start the coordinator later, or give the dataset an earlier initial instance"),
    )
}
