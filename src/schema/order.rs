//! Children that are right but in the wrong order.

use super::files::Selection;
use super::findings::CHILD_ORDER;
use super::model::Model;
use super::repair::{Candidates, Step, repair};
use super::row::Row;
use super::words::{describe, quoted};
use crate::diag::{Diagnostic, Edit};
use crate::source::Span;

/// Children that are tried one by one when not all can be put in order.
const TRIED_ALONE: usize = 8;

/// What is to be said about a row of children.
pub(super) struct Plan {
    /// Children that must stand elsewhere.
    pub(super) moved: Vec<usize>,
    /// All other steps, by the numbers of the original row.
    pub(super) steps: Vec<Step>,
    /// The children that stay or move, in the right order.
    pub(super) sorted: Vec<usize>,
}

/// Tells apart what is in the wrong place, what is too much and what is missing.
pub(super) fn plan(model: &Model, candidates: &[Candidates]) -> Plan {
    let (cost, steps) = repair(model, candidates);
    let dropped = |step: &Step| match *step {
        Step::Drop { child } => Some(child),
        _ => None,
    };
    let known: Vec<usize> =
        steps.iter().filter_map(dropped).filter(|child| candidates[*child].exact != 0).collect();
    let nothing = |steps| Plan { moved: Vec::new(), steps, sorted: Vec::new() };
    if known.is_empty() {
        return nothing(steps);
    }
    let mut ranks = vec![None; candidates.len()];
    for step in &steps {
        if let Step::Take { child, position } = *step {
            ranks[child] = Some(model.positions[position].rank);
        }
    }
    let rank_of = |child: usize| {
        // The last: a service level is taken by the wildcard of its own, not by that of actions.
        let position = candidates[child].exact.ilog2() as usize;
        model.positions[position].rank
    };
    let price =
        |row: &[usize]| repair(model, &row.iter().map(|child| candidates[*child]).collect::<Vec<_>>()).0;
    let with = |ranks: &[Option<u32>], more: &[usize]| {
        let mut ranks = ranks.to_vec();
        for child in more {
            ranks[*child] = Some(rank_of(*child));
        }
        let mut row: Vec<usize> = (0..ranks.len()).filter(|child| ranks[*child].is_some()).collect();
        row.sort_by_key(|child| ranks[*child]);
        row
    };
    // Every child that finds a place again saves what dropping it cost; a lone drop costs as much as one finding.
    let all_dropped = steps.iter().filter_map(dropped).count() as u32;
    let kept = cost.saturating_sub(all_dropped * super::repair::DROP);
    let mut moved = Vec::new();
    if price(&with(&ranks, &known)) <= kept {
        moved = known;
    } else if known.len() <= TRIED_ALONE {
        for child in known {
            moved.push(child);
            if price(&with(&ranks, &moved)) > kept {
                moved.pop();
            }
        }
    }
    if moved.is_empty() {
        return nothing(steps);
    }
    let sorted = with(&ranks, &moved);
    let row: Vec<Candidates> = sorted.iter().map(|child| candidates[*child]).collect();
    let (_, after) = repair(model, &row);
    let original = |step: Step| match step {
        Step::Take { child, position } => Step::Take { child: sorted[child], position },
        Step::Drop { child } => Step::Drop { child: sorted[child] },
        Step::Miss { before, position } => Step::Miss { before, position },
    };
    let mut final_steps: Vec<Step> = after.into_iter().map(original).collect();
    final_steps
        .extend(steps.iter().filter(|step| dropped(step).is_some_and(|child| !moved.contains(&child))));
    Plan { moved, steps: final_steps, sorted }
}

/// The finding about the children in the wrong place, with their moves as fix.
pub(super) fn finding(row: &Row<'_, '_>, plan: &Plan, text: &str, selection: Selection) -> Diagnostic {
    let name = |child: usize| quoted(&row.kids[child].name.local);
    let place = |child: usize| {
        let at = plan.sorted.iter().position(|one| *one == child).unwrap_or_default();
        let before = plan.sorted[at + 1..].iter().find(|next| **next < child);
        let after = plan.sorted[..at].iter().rev().find(|last| **last > child);
        match (before, after) {
            (Some(next), _) => (format!("{} must come before {}", name(child), name(*next)), *next),
            (None, Some(last)) => (format!("{} must come after {}", name(child), name(*last)), *last),
            (None, None) => (format!("{} is in the wrong place", name(child)), child),
        }
    };
    let (message, other) = place(plan.moved[0]);
    let mut finding = Diagnostic::new(&CHILD_ORDER, row.kids[plan.moved[0]].name_span, message)
        .label(row.kids[other].name_span, "of this");
    for child in &plan.moved[1..] {
        finding = finding.label(row.kids[*child].name_span, place(*child).0);
    }
    let parent = quoted(&row.parent.name.local);
    let order = describe(&row.model.tree, selection);
    finding.help(format!("give {parent} in this order: {order}")).fix(true, moves(row, plan, text))
}

/// A child with the comments that speak of it: one behind it in its last line, and those that fill the lines right above.
fn with_comments(text: &str, span: Span) -> Span {
    let (mut start, mut end) = (span.start as usize, span.end as usize);
    let rest = &text[end..];
    let comment = rest.trim_start_matches([' ', '\t']);
    if comment.starts_with("<!--")
        && let Some(length) = comment.find("-->")
    {
        let close = end + (rest.len() - comment.len()) + length + "-->".len();
        if text[close..].trim_start_matches([' ', '\t', '\r']).starts_with('\n') {
            end = close;
        }
    }
    let blank = [' ', '\t'];
    while let Some(above) = text[..start].trim_end_matches(blank).strip_suffix('\n') {
        let above = above.trim_end_matches([' ', '\t', '\r']);
        let Some(open) = above.strip_suffix("-->").and_then(|inner| inner.rfind("<!--")) else { break };
        if !text[..open].trim_end_matches(blank).ends_with('\n') {
            break;
        }
        start = open;
    }
    Span { start: start as u32, end: end as u32, ..span }
}

/// Takes the moved children out and puts each where it belongs, with the blanks of its new neighbour.
fn moves(row: &Row<'_, '_>, plan: &Plan, text: &str) -> Vec<Edit> {
    let moved = |child: usize| plan.moved.contains(&child);
    let blanks = |span: Span| {
        let before = &text[..span.start as usize];
        &before[before.trim_end_matches([' ', '\t', '\n', '\r']).len()..]
    };
    let mut edits: Vec<Edit> = Vec::new();
    for child in &plan.moved {
        let span = with_comments(text, row.kids[*child].span);
        let start = span.start - blanks(span).len() as u32;
        edits.push(Edit { span: Span { start, ..span }, text: String::new() });
    }
    let mut waiting = String::new();
    let mut last_kept: Option<Span> = None;
    for child in &plan.sorted {
        let span = with_comments(text, row.kids[*child].span);
        if moved(*child) {
            match last_kept {
                // After the last that stays, unless one follows that stays: it is put before that.
                Some(kept) if !plan.sorted.iter().skip_while(|one| *one != child).any(|one| !moved(*one)) => {
                    let piece = format!("{}{}", blanks(kept), &text[span.range()]);
                    let at = Span { start: kept.end, ..kept };
                    match edits.iter_mut().find(|edit| edit.span == at) {
                        Some(edit) => edit.text.push_str(&piece),
                        None => edits.push(Edit { span: at, text: piece }),
                    }
                }
                _ => {
                    waiting.push_str(&text[span.range()]);
                    waiting.push('\0');
                }
            }
            continue;
        }
        if !waiting.is_empty() {
            edits.push(Edit { span: span.at_start(), text: waiting.replace('\0', blanks(span)) });
            waiting.clear();
        }
        last_kept = Some(span);
    }
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    edits
}
