//! `coord:hoursInDay(n)` or `coord:daysInMonth(n)` counts in instances of the dataset, not in days or months.
//!
//! The specification says that `n` moves by days and months. Servers move the nominal time by `n` instances of the dataset that the
//! event names: `coord:hoursInDay(-2)` of an hourly dataset asks for the day two hours ago. Reported only where an action gets
//! another number than the specification promises.
//!
//! ```xml
//! <start-instance>${coord:current(-(coord:hoursInDay(-2)))}</start-instance>
//! <start-instance>${coord:current(-(coord:hoursInDay(-48)))}</start-instance>   <!-- hourly: two days -->
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Coordinator;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::el::{self, NodeId, NodeKind, Template, Unary};
use crate::source::Text;
use crate::time::{Instant, Unit, calendar};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "day-counted-in-instances",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("day_counted_in_instances.rs"),
    },
    check: Check::Coordinator(check),
};

/// How many actions are looked at: a year of daily ones, so that all changes of the clocks are among them.
const MAX_ACTIONS: usize = 400;

fn check(app: &Coordinator<'_>, sink: &mut Sink) {
    let Some(times) = app.schedule.times(app.values) else { return };
    let times: Vec<Instant> = times.take(MAX_ACTIONS).map_while(|time| Some(time.ok()?.at)).collect();
    let inputs = app.model.inputs.iter().map(|event| (&event.dataset, &event.instances));
    let outputs = app.model.outputs.iter().map(|event| (&event.dataset, &event.instances));
    for (name, instances) in inputs.chain(outputs) {
        let dataset = name.as_ref().and_then(|name| app.datasets.get(name.value.trim()));
        let Some(dataset) = dataset else { continue };
        let (Some((count, unit, _)), Some(zone)) = (dataset.every, dataset.zone) else { continue };
        let texts: Vec<&Text> =
            instances.single.iter().chain(&instances.start).chain(&instances.end).collect();
        for text in texts {
            let template = el::parse(text).0;
            for call in template.calls().filter(|call| call.prefix == "coord") {
                let (wanted, number): (Unit, fn(Instant, crate::time::Zone) -> u8) = match call.name {
                    "hoursInDay" => (Unit::Day, calendar::hours_in_day),
                    "daysInMonth" => (Unit::Month, calendar::days_in_month),
                    _ => continue,
                };
                let Some(n) = call.arguments.first().and_then(|id| constant(&template, *id)) else {
                    continue;
                };
                let differing = times.iter().copied().find_map(|at| {
                    let theirs = number(calendar::add(at, i64::from(count) * n, unit, zone), zone);
                    let promised = number(calendar::add(at, n, wanted, zone), zone);
                    (theirs != promised).then_some((at, theirs, promised))
                });
                let Some((at, theirs, promised)) = differing else { continue };
                let message = format!(
                    "`coord:{}({n})` is {theirs} for the action of {}, and not {promised}: it counts in instances",
                    call.name,
                    app.values.zone.format(at)
                );
                let mut finding = Diagnostic::new(&RULE.info, template.span(call.node), message);
                if let Some(frequency) = &dataset.model.frequency {
                    finding = finding.label(frequency.span, "an instance of the dataset");
                }
                sink.push(finding.help("count the days or months in instances of this dataset"));
            }
        }
    }
}

/// A number that is written out, with a sign or without.
fn constant(template: &Template, id: NodeId) -> Option<i64> {
    match &template.node(id).kind {
        NodeKind::Long(number) => Some(*number),
        NodeKind::Unary(Unary::Negative, inner) => constant(template, *inner).map(|number| -number),
        _ => None,
    }
}
