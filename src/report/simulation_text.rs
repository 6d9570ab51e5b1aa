//! A simulation for people: a summary, then the timeline, folded.

use std::fmt::{Display, Write};

use crate::engine::JobId;
use crate::engine::status::WorkflowStatus;
use crate::simulate::digest::{Digest, MAX_FOLDS};
use crate::simulate::fold::{Course, Fold};
use crate::simulate::moment;
use crate::simulate::record::{
    Coordinator, Expected, Run, Simulation, Since, Stop, Subject, Workflow, spans,
};
use crate::simulate::summary::{BACKLOG_STRETCHES, Counts};
use crate::time::Instant;

/// More service levels that were missed are counted, not told.
const MAX_MISSED: usize = 20;

/// More that never ended is counted, not told.
const MAX_UNFINISHED: usize = 20;

/// More lines of a coordinator's timeline are counted, unless everything is asked for.
const MAX_LINES: usize = MAX_FOLDS;

/// The widest bar of the backlog, in characters.
const BAR_WIDTH: usize = 40;

/// Writes a simulation. `verbose`: with everything that is folded otherwise; that takes the whole record.
pub fn write(digest: &Digest, verbose: bool, out: &mut String) {
    let writer = Writer { digest, simulation: &digest.simulation, verbose };
    writer.head(out);
    writer.jobs(out);
    writer.waits(out);
    writer.backlog(out);
    writer.sla(out);
    writer.operators(out);
    writer.unfinished(out);
    writer.oddities(out);
    writer.timeline(out);
}

/// A number with commas between thousands.
fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How many actions ended how, in words.
pub(super) fn in_words(counts: &Counts) -> String {
    let all: usize = counts.values().sum();
    let noun = if all == 1 { "action" } else { "actions" };
    let parts: Vec<_> =
        counts.iter().map(|(status, number)| format!("{} {status}", count(*number))).collect();
    match parts.len() {
        0 => "no actions".to_owned(),
        _ => format!("{} {noun}: {}", count(all), parts.join(", ")),
    }
}

struct Writer<'s> {
    digest: &'s Digest,
    simulation: &'s Simulation,
    verbose: bool,
}

impl Writer<'_> {
    fn time(&self, at: Instant) -> String {
        moment::shown(at, self.simulation.zone)
    }

    fn head(&self, out: &mut String) {
        let it = self.simulation;
        let _ = writeln!(
            out,
            "{} {}, from {} to {}, seed {}, {} events",
            it.kind.word(),
            it.app,
            self.time(it.begin),
            self.time(it.end),
            it.seed,
            count(it.events as usize)
        );
        match it.stop {
            Stop::Complete => {}
            Stop::Until => out.push_str("not played to its end: more would happen\n"),
            Stop::HorizonDays => {
                let days = crate::simulate::HORIZON_DAYS;
                let _ = writeln!(
                    out,
                    "not played to its end: without `--until` it stops {days} days after its start"
                );
            }
            Stop::HorizonActions => {
                let actions = count(crate::simulate::HORIZON_ACTIONS as usize);
                let _ = writeln!(
                    out,
                    "not played to its end: without `--until` it stops once {actions} actions are created"
                );
            }
        }
        let all = self.digest.all_counts();
        if !it.coordinators.is_empty() {
            let _ = writeln!(out, "{}", in_words(&all));
        }
    }

    fn jobs(&self, out: &mut String) {
        let it = self.simulation;
        out.push_str("\njobs\n");
        let own: Vec<&Workflow> = it.workflows.iter().filter(|workflow| workflow.parent.is_none()).collect();
        let names = it.bundles.iter().map(|job| &job.name);
        let names =
            names.chain(it.coordinators.iter().map(|job| &job.name)).chain(own.iter().map(|job| &job.name));
        let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
        let mut line = |name: &str, status: &str, more: &str| {
            let _ = write!(out, "  {name:width$}  {status:<17} {more}");
            end_line(out);
        };
        for bundle in &it.bundles {
            let status = bundle.history.last().map_or("PREP", |since| since.status.name());
            line(&bundle.name, status, &because(bundle.fault.as_ref()));
            for (name, fault) in &bundle.refused {
                line(name, "refused", &format!("{} ({})", fault.message, fault.code));
            }
        }
        for (coordinator, counts) in it.coordinators.iter().zip(&self.digest.counts) {
            let status = coordinator.history.last().map_or("PREP", |since| since.status.name());
            let more = format!("{}{}", in_words(counts), because(coordinator.fault.as_ref()));
            line(&coordinator.name, status, &more);
        }
        for workflow in own {
            let status = workflow.status_word();
            line(&workflow.name, status, &because(workflow.fault.as_ref()));
        }
    }

    fn waits(&self, out: &mut String) {
        let waits = &self.digest.waits;
        if waits.is_empty() {
            return;
        }
        out.push_str("\nlongest waits for data\n");
        let names: Vec<_> = waits.iter().map(|wait| self.simulation.name_of(wait.action)).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (wait, name) in waits.iter().zip(names) {
            let length = moment::duration(wait.to.millis_since(wait.from));
            let others =
                if wait.others > 0 { format!(" and {} more", count(wait.others)) } else { String::new() };
            let never = if wait.came { "" } else { ", which did not come in time" };
            let _ = writeln!(
                out,
                "  {name:width$}  {length:>10}  from {}  for {}{others}{never}",
                self.time(wait.from),
                wait.uri
            );
        }
    }

    fn backlog(&self, out: &mut String) {
        if self.simulation.coordinators.is_empty() {
            return;
        }
        let parts = self.digest.backlog(BACKLOG_STRETCHES);
        let most = parts.iter().map(|part| part.most).max().unwrap_or(0);
        if most < 2 {
            return;
        }
        out.push_str("\nbacklog: actions that are due and not over, at most, from these times on\n");
        let mut before = None;
        for part in parts.into_iter().filter(|part| before.replace(part.most) != Some(part.most)) {
            let bar = "#".repeat((part.most * BAR_WIDTH).div_ceil(most));
            let _ = write!(out, "  {}  {:>6}  {bar}", self.time(part.from), count(part.most));
            end_line(out);
        }
    }

    fn sla(&self, out: &mut String) {
        let all = &self.simulation.sla;
        if all.is_empty() {
            return;
        }
        let missed: Vec<_> = all.iter().filter(|sla| sla.is_missed()).collect();
        let _ = writeln!(
            out,
            "\nservice levels: {} missed, {} met",
            count(missed.len()),
            count(all.len() - missed.len())
        );
        for sla in missed.iter().take(MAX_MISSED) {
            let expected = match sla.expected {
                Expected::At(at) => self.time(at),
                Expected::Millis(millis) => moment::duration(millis),
            };
            let name = self.simulation.name_of_watched(sla.subject);
            let _ =
                writeln!(out, "  {}  {:<13} {name}, expected {expected}", self.time(sla.at), sla.what.name());
        }
        rest(missed.len(), MAX_MISSED, "", out);
    }

    fn operators(&self, out: &mut String) {
        if self.simulation.operations.is_empty() {
            return;
        }
        out.push_str("\noperators\n");
        for it in &self.simulation.operations {
            let _ = write!(out, "  {}  {} {}", self.time(it.at), it.command, it.target);
            if !it.details.is_empty() {
                let _ = write!(out, " ({})", it.details);
            }
            match &it.refusal {
                Some(refusal) => drop(writeln!(out, ": refused, as {refusal}")),
                None if it.does_nothing => match &it.unmet {
                    Some(unmet) => drop(writeln!(out, ": taken, but nothing is done, as {unmet}")),
                    None => out.push_str(": taken, but nothing is done\n"),
                },
                None => out.push('\n'),
            }
        }
    }

    fn unfinished(&self, out: &mut String) {
        let all = &self.simulation.unfinished;
        if all.is_empty() {
            return;
        }
        out.push_str("\nnot over\n");
        for it in all.iter().take(MAX_UNFINISHED) {
            let name = match it.subject {
                Subject::Job(id) => self.job_name(id),
                Subject::Action(id) => self.simulation.name_of(id),
            };
            let _ = writeln!(out, "  {name} is {}: {}", it.status, it.reason);
        }
        rest(all.len(), MAX_UNFINISHED, "", out);
    }

    fn oddities(&self, out: &mut String) {
        let all = &self.digest.oddities;
        if all.is_empty() {
            return;
        }
        out.push_str("\nwarning: as a server does it, and nobody would expect (docs/server-oddities.md)\n");
        for it in all.iter().take(MAX_UNFINISHED) {
            let name = match it.subject {
                Subject::Job(id) => self.job_name(id),
                Subject::Action(id) => self.simulation.name_of(id),
            };
            let _ = writeln!(out, "  {}  {name}: {} ({})", self.time(it.at), it.words, it.kind.name());
        }
        rest(all.len(), MAX_UNFINISHED, "", out);
    }

    fn job_name(&self, id: JobId) -> String {
        let it = self.simulation;
        let bundle = it.bundles.iter().find(|job| job.id == id).map(|job| job.name.to_string());
        let coordinator = || it.coordinator(id).map(|job| job.name.to_string());
        let workflow = || it.workflow(id).map(|job| format!("{} ({id})", job.name));
        bundle.or_else(coordinator).or_else(workflow).unwrap_or_else(|| id.to_string())
    }

    fn timeline(&self, out: &mut String) {
        for bundle in &self.simulation.bundles {
            let _ = writeln!(out, "\nbundle {}", bundle.name);
            self.history(&bundle.history, 2, out);
        }
        for (coordinator, (folds, lines)) in self.simulation.coordinators.iter().zip(&self.digest.folds) {
            self.coordinator(coordinator, (folds, *lines), out);
        }
        for workflow in self.simulation.workflows.iter().filter(|workflow| workflow.parent.is_none()) {
            let _ = writeln!(out, "\nworkflow {}", workflow.name);
            self.workflow(workflow, 2, out);
        }
    }

    /// The states that lasted, and the last one.
    fn history<S: Copy + Display>(&self, history: &[Since<S>], indent: usize, out: &mut String) {
        for (index, (status, from, to)) in spans(history, self.simulation.end).enumerate() {
            if to > from || index + 1 == history.len() {
                let _ = writeln!(out, "{:indent$}{}  {status}", "", self.time(from));
            }
        }
    }

    fn coordinator(&self, coordinator: &Coordinator, (folds, lines): (&[Fold], usize), out: &mut String) {
        let _ = writeln!(out, "\ncoordinator {}", coordinator.name);
        self.history(&coordinator.history, 2, out);
        let most = if self.verbose { usize::MAX } else { MAX_LINES };
        for fold in folds.iter().take(most) {
            self.fold(fold, out);
            if self.verbose && fold.first == fold.last {
                let action = &coordinator.actions[fold.first as usize - 1];
                for workflow in action.workflows.iter().filter_map(|id| self.simulation.workflow(*id)) {
                    self.workflow(workflow, 6, out);
                }
            }
        }
        rest(lines, most, " (all with -v)", out);
    }

    fn fold(&self, fold: &Fold, out: &mut String) {
        let (numbers, times) = match fold.first == fold.last {
            true => (format!("@{}", fold.first), self.time(fold.from)),
            false => {
                let numbers = format!("@{}-{}", fold.first, fold.last);
                (numbers, format!("{} … {}", self.time(fold.from), self.time(fold.to)))
            }
        };
        let _ = write!(out, "  {numbers:<12} {times:<38} {:<9} {}", fold.course.status, words(fold));
        end_line(out);
    }

    /// What a workflow started, and below it what its sub-workflows did: all of them when everything is asked for, else
    /// those that did not end well.
    fn workflow(&self, workflow: &Workflow, indent: usize, out: &mut String) {
        self.history(&workflow.history, indent, out);
        let mut open = vec![(workflow, 0, indent + 2)];
        while let Some((workflow, next, indent)) = open.pop() {
            let Some(run) = workflow.runs.get(next) else { continue };
            open.push((workflow, next + 1, indent));
            self.run(workflow, run, indent, out);
            // One that is run again stands below its last run.
            let is_last = !workflow.runs[next + 1..].iter().any(|later| later.child == run.child);
            let child = run.child.filter(|_| is_last).and_then(|id| self.simulation.workflow(id));
            let of_interest = |child: &&Workflow| {
                let status = child.history.last().map(|since| since.status);
                self.verbose || status != Some(WorkflowStatus::Succeeded)
            };
            if let Some(child) = child.filter(of_interest) {
                let _ = writeln!(out, "{:width$}workflow {}", "", child.name, width = indent + 2);
                self.history(&child.history, indent + 4, out);
                open.push((child, 0, indent + 6));
            }
        }
    }

    fn run(&self, workflow: &Workflow, run: &Run, indent: usize, out: &mut String) {
        let node = &workflow.nodes[run.node as usize];
        let attempt = if run.attempt > 1 { format!(", attempt {}", run.attempt) } else { String::new() };
        let to = run.to.map_or_else(|| "…".to_owned(), |to| self.time(to));
        let fault = run.fault.as_deref();
        let why = fault.map(|fault| format!(": {} ({})", fault.message, fault.code)).unwrap_or_default();
        let from = self.time(run.from);
        let _ = writeln!(out, "{:indent$}{from} … {to}  {} {}{attempt}{why}", "", node.name, run.status);
    }
}

fn because(fault: Option<&crate::engine::Fault>) -> String {
    fault.map(|fault| format!(" {} ({})", fault.message, fault.code)).unwrap_or_default()
}

/// How the actions of a fold went, in words.
fn words(fold: &Fold) -> String {
    let Course { late, waited, queued, ran, suspended, runs, code, .. } = &fold.course;
    let mut parts = Vec::new();
    let mut add = |words: &str, millis: i64| {
        if millis > 0 {
            parts.push(format!("{words} {}", moment::duration(millis)));
        }
    };
    add("created late by", *late);
    add("waited", *waited);
    add("queued", *queued);
    add("ran", *ran);
    add("suspended", *suspended);
    if *runs > 1 {
        parts.push(format!("{runs} times"));
    }
    if let Some(code) = code {
        parts.push(code.to_string());
    }
    let mut words = parts.join(", ");
    if let Some(uri) = fold.uri.as_ref().filter(|_| *waited > 0) {
        let each = if fold.first == fold.last { "for" } else { "the first for" };
        let _ = write!(words, ", {each} {uri}");
    }
    words
}

/// Ends a line without blanks before its end.
fn end_line(out: &mut String) {
    out.truncate(out.trim_end().len());
    out.push('\n');
}

fn rest(all: usize, most: usize, how: &str, out: &mut String) {
    if all > most {
        let _ = writeln!(out, "  and {} more{how}", count(all - most));
    }
}
