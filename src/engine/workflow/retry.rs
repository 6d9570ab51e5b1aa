//! When an action is tried again (`ActionXCommand.handleTransient`, `handleUserRetry`).

use super::expressions::{Files, NodeWorld};
use super::job::WorkflowJob;
use crate::el::Template;
use crate::engine::event::Facts;
use crate::engine::settings::Settings;
use crate::plan::workflow::{ActionProgram, ProgramKind};
use crate::time::Instant;

/// The longest wait before a retry, in milliseconds: a hundred years.
const LONGEST: i64 = 100 * 366 * 24 * 3_600_000;

/// How often and when an action is run again.
struct UserRetries {
    max: u32,
    interval_minutes: i64,
    exponential: bool,
}

/// The retries of an action, with the job's values put in (`LiteWorkflowStoreService.getUserRetryMax` and its like).
fn user_retries(job: &WorkflowJob, node: u32, action: &ActionProgram, settings: &Settings) -> UserRetries {
    let facts = Facts::default();
    let world = NodeWorld { job, node, settings, now: job.created, files: Files::Recorded(&facts) };
    let text = |template: &Option<Template>| template.as_ref().and_then(|it| world.text(it).ok());
    let number = |template| text(template).and_then(|text| text.trim().parse::<i64>().ok());
    let policy = text(&action.retry_policy).unwrap_or_default();
    UserRetries {
        max: number(&action.retry_max).unwrap_or(0).clamp(0, i64::from(settings.user_retry_max)) as u32,
        interval_minutes: number(&action.retry_interval).unwrap_or(settings.user_retry_minutes),
        exponential: policy.trim().eq_ignore_ascii_case("exponential"),
    }
}

/// When an action that ended with this code is run again, if its definition says so.
pub(super) fn user_retry_at(
    job: &WorkflowJob,
    node: u32,
    done: u8,
    code: Option<&str>,
    settings: &Settings,
    now: Instant,
) -> Option<Instant> {
    let ProgramKind::Action(action) = &job.program.nodes[node as usize].kind else { return None };
    action.retry_max.as_ref()?;
    let codes = &settings.user_retry_codes;
    let counts = codes.iter().any(|known| known == "ALL" || Some(known.as_str()) == code);
    let retries = user_retries(job, node, action, settings);
    if !counts || u32::from(done) >= retries.max {
        return None;
    }
    let factor = if retries.exponential { 1_i64 << done.min(30) } else { 1 };
    let wait = retries.interval_minutes.max(0).saturating_mul(factor).saturating_mul(60_000);
    Some(now.plus_millis(wait.min(LONGEST)))
}

/// When what failed for the moment is tried again; `None`: not any more.
pub(super) fn transient_retry_at(
    job: &WorkflowJob,
    node: u32,
    done: u8,
    settings: &Settings,
    now: Instant,
) -> Option<Instant> {
    let names = &job.ways().retries;
    let kind = match &job.program.nodes[node as usize].kind {
        ProgramKind::Action(action) if names.by_type => Some(&action.kind),
        _ => None,
    };
    let text = |name: &str| {
        let of_type = kind.and_then(|kind| job.property(&format!("{name}.{kind}")));
        of_type.or_else(|| job.property(name)).map(|text| text.trim().to_owned())
    };
    let number = |name: &str| text(name)?.parse::<i64>().ok();
    let max = number(names.max).unwrap_or(settings.transient_retries.into());
    let seconds = number(names.interval).unwrap_or(settings.transient_seconds);
    let policy = names.policy.and_then(text).unwrap_or_default();
    let factor = if policy.eq_ignore_ascii_case("exponential") { 1_i64 << done.min(30) } else { 1 };
    let wait = seconds.max(0).saturating_mul(factor).saturating_mul(1000).min(LONGEST);
    (i64::from(done) < max && done < u8::MAX).then(|| now.plus_millis(wait))
}
