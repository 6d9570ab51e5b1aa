//! What a page says before its program runs: what was simulated, how actions ended, what was waited for and missed.

use std::collections::BTreeMap;
use std::fmt::Display;

use super::data::{LeftOut, place};
use super::{Limits, curve};
use crate::engine::Fault;
use crate::engine::status::{ActionStatus, WorkflowStatus};
use crate::report::markup::{attribute, content};
use crate::simulate::moment::{duration, shown};
use crate::simulate::record::{Simulation, Stop};
use crate::simulate::summary;

/// How many of the longest waits are told.
const WAITS: usize = 5;

/// How many kinds of errors are told.
const ERRORS: usize = 4;

/// Writes the title of the window.
pub(super) fn title(simulation: &Simulation, out: &mut String) {
    let (kind, app) = (simulation.kind.word(), content(&simulation.app));
    out.push_str(&format!("<title>{app} – simulated {kind}</title>\n"));
}

/// Writes everything above the chart.
pub(super) fn write(simulation: &Simulation, limits: &Limits, left_out: &LeftOut, out: &mut String) {
    let kind = simulation.kind.word();
    let app = content(&simulation.app);
    out.push_str(&format!(
        "<header class=\"top\">\n<h1><span class=\"kind\">{kind}</span> <bdi title=\"{}\">{app}</bdi></h1>\n",
        attribute(&simulation.app)
    ));
    let [begin, end] = [simulation.begin, simulation.end].map(|at| shown(at, simulation.zone));
    let lasted = duration(simulation.end.millis_since(simulation.begin));
    let stop = match simulation.stop {
        Stop::Complete => "until nothing more happens",
        Stop::Until => "as far as was asked for",
        Stop::HorizonDays => "to the default horizon of 400 days",
        Stop::HorizonActions => "to the default horizon of 10,000 actions",
    };
    out.push_str(&format!(
        "<p class=\"facts\"><span>{begin} to {end}</span> <span>{lasted}, {stop}</span> <span>zone {}</span> \
         <span>seed {}</span> <span>{} events</span></p>\n</header>\n",
        content(&simulation.zone.id()),
        simulation.seed,
        grouped(simulation.events)
    ));
    if !left_out.is_nothing() {
        out.push_str(&note(left_out));
    }
    out.push_str("<details class=\"summary\" open>\n<summary>Summary</summary>\n<div class=\"cards\">\n");
    ends(simulation, out);
    backlog(simulation, out);
    waits(simulation, limits, out);
    misses(simulation, out);
    out.push_str("</div>\n</details>\n");
}

/// What is not shown, in words.
fn note(left_out: &LeftOut) -> String {
    format!(
        "<p class=\"note\" role=\"note\">This page would be too large: it leaves out {left_out}. The summary counts all; \
         <code>--format json</code> has all of them.</p>\n"
    )
}

/// A number with its digits in groups of three.
fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How actions ended; of a workflow alone, how workflows ended.
fn ends(simulation: &Simulation, out: &mut String) {
    let (title, counts): (_, Vec<(&str, usize)>) = if simulation.coordinators.is_empty() {
        let mut counts: BTreeMap<WorkflowStatus, usize> = BTreeMap::new();
        for workflow in &simulation.workflows {
            let last = workflow.history.last().map_or(WorkflowStatus::Prep, |since| since.status);
            *counts.entry(last).or_default() += 1;
        }
        ("Workflows", counts.into_iter().map(|(status, count)| (status.name(), count)).collect())
    } else {
        let (counts, _) = summary::counts(simulation);
        // Good ends first, then what went wrong, then what is not over.
        let rank = |status: ActionStatus| match status {
            ActionStatus::Succeeded => 0,
            status if status.is_bad() => 1,
            status if status.is_over() => 2,
            _ => 3,
        };
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(status, _)| (rank(*status), *status));
        ("Actions", counts.into_iter().map(|(status, count)| (status.name(), count)).collect())
    };
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    out.push_str(&format!(
        "<section class=\"card\" id=\"ends\"><h2>{title}</h2><p class=\"big\">{}</p>\n<div class=\"bar\" aria-hidden=\"true\">",
        grouped(total)
    ));
    for (status, count) in &counts {
        out.push_str(&format!("<i class=\"sw {status}\" style=\"flex-grow:{count}\"></i>"));
    }
    out.push_str("</div>\n<ul class=\"states\">\n");
    for (status, count) in &counts {
        let count = grouped(count);
        out.push_str(&format!(
            "<li><button type=\"button\" data-state=\"{status}\" aria-pressed=\"false\"><i class=\"sw {status}\"></i>\
             <span>{status}</span><b>{count}</b></button></li>\n"
        ));
    }
    out.push_str("</ul></section>\n");
}

fn backlog(simulation: &Simulation, out: &mut String) {
    let mut picture = String::new();
    let most = curve::write(simulation, &mut picture);
    out.push_str(&format!(
        "<section class=\"card wide\"><h2>Backlog</h2><p class=\"more\">due and not over, at most \
         <b>{}</b> at once</p>\n<div class=\"curve\" id=\"curve\">{picture}<div id=\"window\"></div></div>\n\
         <p class=\"ends\"><span>{}</span><span>{}</span></p></section>\n",
        grouped(most),
        shown(simulation.begin, simulation.zone),
        shown(simulation.end, simulation.zone)
    ));
}

fn waits(simulation: &Simulation, limits: &Limits, out: &mut String) {
    let longest = summary::longest_waits(simulation, WAITS);
    out.push_str("<section class=\"card wide\"><h2>Longest waits</h2>\n");
    if longest.is_empty() {
        out.push_str("<p class=\"more\">nothing was waited for</p></section>\n");
        return;
    }
    out.push_str("<ol class=\"list\">\n");
    for wait in longest {
        let name = simulation.name_of(wait.action);
        let long = duration(wait.to.millis_since(wait.from));
        let came = if wait.came { "" } else { ", not in time" };
        let others = if wait.others == 0 { String::new() } else { format!(" and {} more", wait.others) };
        let uri = super::table::short(&wait.uri, limits.letters);
        out.push_str(&format!(
            "<li><button type=\"button\" data-action=\"{}\" title=\"{}\"><b>{long}</b><bdi>{}</bdi>\
             <span class=\"uri\"><bdi>{}{others}{came}</bdi></span></button></li>\n",
            place(simulation, limits, wait.action),
            attribute(&format!("{name}\n{uri}{others}{came}")),
            content(&name),
            content(&uri),
        ));
    }
    out.push_str("</ol></section>\n");
}

/// Service levels missed, errors, and what never ended.
fn misses(simulation: &Simulation, out: &mut String) {
    let missed = simulation.sla.iter().filter(|sla| sla.is_missed()).count();
    let mut errors: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for fault in faults(simulation) {
        let (count, _) = errors.entry(&fault.code).or_insert((0, &fault.message));
        *count += 1;
    }
    let mut errors: Vec<_> = errors.into_iter().collect();
    errors.sort_by_key(|(code, (count, _))| (std::cmp::Reverse(*count), *code));
    out.push_str("<section class=\"card\"><h2>Missed and failed</h2>\n<dl class=\"facts\">");
    out.push_str(&format!(
        "<dt>SLA missed</dt><dd>{} <small>of {}</small></dd><dt>Not over</dt><dd>{}</dd></dl>\n",
        grouped(missed),
        grouped(simulation.sla.len()),
        grouped(simulation.unfinished.len())
    ));
    out.push_str("<ul class=\"list errors\">\n");
    for (code, (count, message)) in errors.iter().take(ERRORS) {
        let message = super::table::short(message, Limits::PAGE.letters);
        out.push_str(&format!(
            "<li title=\"{}\"><b>{}×</b><code>{}</code><span>{}</span></li>\n",
            attribute(&message),
            grouped(count),
            content(code),
            content(&message)
        ));
    }
    if errors.len() > ERRORS {
        out.push_str(&format!("<li>and {} more kinds of errors</li>\n", errors.len() - ERRORS));
    }
    out.push_str("</ul></section>\n");
}

/// The errors of attempts, of jobs that were refused, and of actions and workflows without a failed attempt.
fn faults(simulation: &Simulation) -> impl Iterator<Item = &Fault> {
    let refused = simulation.bundles.iter().flat_map(|bundle| bundle.refused.iter().map(|(_, fault)| fault));
    let actions = simulation.coordinators.iter().flat_map(|coordinator| &coordinator.actions);
    let actions = actions.filter(|action| action.workflows.is_empty());
    let workflows = simulation.workflows.iter();
    let own = workflows.clone().filter(|workflow| workflow.runs.iter().all(|run| run.fault.is_none()));
    let runs = workflows.flat_map(|workflow| workflow.runs.iter().filter_map(|run| run.fault.as_deref()));
    let jobs = simulation.bundles.iter().filter_map(|bundle| bundle.fault.as_ref());
    let coordinators = simulation.coordinators.iter().filter_map(|coordinator| coordinator.fault.as_ref());
    jobs.chain(refused)
        .chain(coordinators)
        .chain(actions.filter_map(|action| action.fault.as_ref()))
        .chain(own.filter_map(|workflow| workflow.fault.as_ref()))
        .chain(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
