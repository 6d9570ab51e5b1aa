//! An input names an instance that can never be there when it is waited for.
//!
//! `coord:future(5, 3)` looks for the sixth instance among three. An action that reads what it writes itself, or what
//! only a later action writes, waits until it times out. So does one whose instance lies further ahead than its timeout
//! reaches, and one whose instance comes after the last that the coordinators of its bundle write. Count back instead of
//! ahead, or let the producer run as long as the consumer.
//!
//! ```xml
//! <data-in name="in" dataset="a"><instance>${coord:current(0)}</instance></data-in>
//! <data-out name="out" dataset="a"><instance>${coord:current(0)}</instance></data-out>   <!-- in: ${coord:current(-1)} -->
//! ```

use std::collections::BTreeMap;

use super::{Check, Rule, Sink};
use crate::analysis::dates::grouped;
use crate::analysis::schedule::{Event, Named, gather};
use crate::analysis::subject::{Coordinator, Member, Package};
use crate::analysis::templates::Place;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::model::coordinator::{InputLogic, LogicNode};
use crate::source::Span;
use crate::time::Instant;
use crate::time::calendar::minutes_between;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "instance-never",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("instance_never.rs"),
    },
    check: Check::Package(check),
};

/// How many instances of one action are looked at.
const MAX_INSTANCES: usize = 10_000;

fn check(program: &Package<'_>, sink: &mut Sink) {
    let written = written(program);
    for member in &program.coordinators {
        for event in &member.app.inputs {
            // Input logic may do without some of its inputs; but with `min` alone it does with a part of one.
            if let Some(logic) = &member.app.model.input_logic {
                sink.extend(beyond_timeout(&member.app, event).filter(|_| !has_minimum(logic)));
                continue;
            }
            let found = never_among(event)
                .or_else(|| own_output(&member.app, event))
                .or_else(|| beyond_timeout(&member.app, event))
                .or_else(|| beyond_producers(member, event, &written));
            sink.extend(found);
        }
    }
}

/// Whether some input may come in part.
fn has_minimum(logic: &InputLogic) -> bool {
    let mut open: Vec<&LogicNode> = logic.operands.iter().collect();
    while let Some(node) = open.pop() {
        if node.min.is_some() {
            return true;
        }
        open.extend(&node.operands);
    }
    false
}

/// `coord:future` with a number that its limit never reaches.
fn never_among(event: &Event<'_>) -> Option<Diagnostic> {
    let (end, limit, span) = event.named.iter().find_map(|(named, span)| match named {
        // A limit below 1 is refused, which is told as that.
        Some(Named::Future { end, limit, .. }) if end >= limit && *limit > 0 => Some((*end, *limit, *span)),
        _ => None,
    })?;
    let message =
        format!("`coord:future({end}, {limit})` looks for number {end}, counted from 0, among {limit}");
    Some(Diagnostic::new(&RULE.info, span, message).help(format!("raise the limit above {end}")))
}

/// The latest of an event's instances that are counted from the current one, and its place.
fn latest(event: &Event<'_>) -> Option<(i32, Span)> {
    let ends = event.named.iter().filter_map(|(named, span)| match named {
        Some(Named::Current(_, end)) => Some((*end, *span)),
        _ => None,
    });
    ends.chain(event.last).max_by_key(|(end, _)| *end)
}

/// The action waits for what it writes, or for what a later one writes.
fn own_output(app: &Coordinator<'_>, event: &Event<'_>) -> Option<Diagnostic> {
    let (needed, span) = latest(event)?;
    let outputs =
        app.outputs.iter().filter(|output| !event.dataset.is_empty() && output.dataset == event.dataset);
    let (output, written) =
        outputs.filter_map(|output| Some((output, latest(output)?.0))).min_by_key(|(_, written)| *written)?;
    if needed < written {
        return None;
    }
    let message = if needed == written {
        format!("`{}` waits for what this action itself writes", event.name)
    } else {
        format!("`{}` waits for what only a later action writes", event.name)
    };
    Some(
        Diagnostic::new(&RULE.info, span, message)
            .label(output.tag, format!("`{}` writes `coord:current({written})` of it", output.name))
            .help(format!("read `coord:current({})` or earlier", written.saturating_sub(1))),
    )
}

/// The first action gives up before its instance's own time has come.
fn beyond_timeout(app: &Coordinator<'_>, event: &Event<'_>) -> Option<Diagnostic> {
    let (needed, span) = latest(event).filter(|(needed, _)| *needed > 0)?;
    let text = app.model.controls.timeout.as_ref().filter(|text| !text.value.contains("coord:"))?;
    let timeout: i64 =
        app.values.trimmed(text, Place::Timeout)?.parse().ok().filter(|minutes| *minutes >= 0)?;
    let series = app.datasets.get(event.dataset.as_str())?.series.as_ref()?;
    let nominal = app.schedule.times(app.values)?.next()?.ok()?.at;
    let current = series.current(nominal)?;
    let due = series.nth(current.count.checked_add(needed)?);
    let ahead = minutes_between(nominal, due);
    // With the present known, times that have passed are no matter.
    let is_past = app.values.now.is_some_and(|now| app.schedule.end.is_some_and(|end| end <= now));
    if ahead <= timeout || is_past {
        return None;
    }
    let message = format!(
        "`coord:current({needed})` is due {} minutes after the nominal time, and the action waits {}",
        grouped(ahead),
        grouped(timeout)
    );
    Some(
        Diagnostic::new(&RULE.info, span, message)
            .label(text.span, "the timeout")
            .help("raise the timeout, or read an earlier instance"),
    )
}

/// Who writes a URI last, and until when.
struct Last<'p> {
    at: Instant,
    name: &'p str,
    tag: Span,
}

/// The last instance of each URI that coordinators of the program write.
fn written<'p>(program: &'p Package<'_>) -> BTreeMap<String, Option<Last<'p>>> {
    let mut written: BTreeMap<String, Option<Last<'p>>> = BTreeMap::new();
    for member in &program.coordinators {
        for event in &member.app.outputs {
            let Some(dataset) = member.app.datasets.get(event.dataset.as_str()) else { continue };
            let Some(uri) = dataset.uri(member.app.values) else { continue };
            let last = extreme(&member.app, event).map(|at| Last { at, name: &member.name, tag: event.tag });
            match written.get_mut(&uri) {
                None => drop(written.insert(uri, last)),
                // Where one is not known, nothing is.
                Some(known) => {
                    *known = match (known.take(), last) {
                        (Some(a), Some(b)) => Some(if b.at > a.at { b } else { a }),
                        _ => None,
                    }
                }
            }
        }
    }
    written
}

/// The latest instance that the last action of a coordinator names.
fn extreme(app: &Coordinator<'_>, event: &Event<'_>) -> Option<Instant> {
    let series = app.datasets.get(event.dataset.as_str())?.series.as_ref()?;
    let last = app.schedule.last(app.values)?;
    gather(series, &event.currents()?, std::iter::once(last), MAX_INSTANCES).last().copied()
}

/// The last actions wait for instances that nobody writes any more.
fn beyond_producers(
    member: &Member<'_>,
    event: &Event<'_>,
    written: &BTreeMap<String, Option<Last<'_>>>,
) -> Option<Diagnostic> {
    let app = &member.app;
    let (_, span) = latest(event)?;
    let uri = app.datasets.get(event.dataset.as_str())?.uri(app.values).filter(|uri| uri.contains("${"))?;
    let last = written.get(&uri)?.as_ref()?;
    let needed = extreme(app, event)?;
    if needed <= last.at || last.tag == event.tag {
        return None;
    }
    let zone = app.values.zone;
    let message = format!(
        "the last action of `{}` waits for {}, but `{}` writes up to {} only",
        member.name,
        zone.format(needed),
        last.name,
        zone.format(last.at)
    );
    Some(
        Diagnostic::new(&RULE.info, span, message)
            .label(last.tag, format!("`{}` writes it here", last.name))
            .help("end the consumer earlier, or let the producer run longer"),
    )
}
