//! The nominal times of a job.
//!
//! Follows `CoordMaterializeTransitionXCommand.materializeActions`: steps are counted from the start, a cron goes from
//! time to time.

use super::findings::{CRON_NEVER_FIRES, TIME_OUT_OF_RANGE};
use super::job::{CoordinatorJob, Rhythm};
use crate::diag::{Diagnostic, Stage};
use crate::time::calendar;
use crate::time::{Instant, TimeUnit};

/// A year that no calendar of ours reaches in earnest.
const LAST_MILLIS: i64 = 253_402_300_800_000 * 4;

/// Where one stands among the nominal times of a job, which is an argument to all questions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    origin: Instant,
    /// The number of the last action.
    number: i64,
    /// The last nominal time, without the correction that crons get.
    cursor: Option<Instant>,
}

impl Times {
    pub(super) fn new(job: &CoordinatorJob) -> Times {
        let origin = calendar::move_to_end(job.start, job.end_of_duration, job.zone);
        Times { origin, number: 0, cursor: None }
    }

    /// The number of the last action.
    pub(super) fn number(&self) -> i64 {
        self.number
    }

    /// Behind an action, wherever the job ends.
    pub(super) fn after(job: &CoordinatorJob, number: i64) -> Times {
        let mut times = Times::new(job);
        if let (Rhythm::Steps(count), Some(unit), true) = (&job.rhythm, job.time_unit.unit(), number > 0) {
            let amount = ((number - 1) as i32).wrapping_mul(*count);
            times.cursor = Some(calendar::add(times.origin, amount.into(), unit, job.zone));
            times.number = number;
            return times;
        }
        while times.number < number {
            if !matches!(times.next(job, Instant::from_millis(LAST_MILLIS)), Some(Ok(_))) {
                break;
            }
        }
        times
    }

    /// Leaves out actions before `from`, as many as can be left out without looking at each.
    pub(super) fn skip_to(&mut self, job: &CoordinatorJob, from: Instant) {
        if let (Rhythm::Steps(count), TimeUnit::Minute) = (&job.rhythm, job.time_unit) {
            let step = i64::from(*count) * 60_000;
            let passed = from.millis_since(self.origin);
            if step > 0 && passed > step && self.number == 0 {
                self.number = (passed - 1) / step;
                self.cursor = Some(self.origin.plus_millis((self.number - 1) * step));
            }
        }
    }

    /// The next number and nominal time, before `end`.
    pub(super) fn next(
        &mut self,
        job: &CoordinatorJob,
        end: Instant,
    ) -> Option<Result<(i64, Instant), Diagnostic>> {
        let nominal = match &job.rhythm {
            Rhythm::Steps(count) => {
                let amount = (self.number as i32).wrapping_mul(*count);
                let unit = job.time_unit.unit()?;
                let at = calendar::add(self.origin, amount.into(), unit, job.zone);
                if at >= end {
                    return None;
                }
                if self.cursor.is_some_and(|before| at <= before) {
                    let message =
                        format!("a frequency of {} runs backwards from the second action on", job.frequency);
                    return Some(Err(Diagnostic::new(&TIME_OUT_OF_RANGE, job.span, message)));
                }
                self.cursor = Some(at);
                at
            }
            Rhythm::Cron(cron) => {
                let cursor = self.cursor.unwrap_or(self.origin);
                if cursor >= end {
                    return None;
                }
                let before = if self.cursor.is_none() { cursor.plus_minutes(-1) } else { cursor };
                let found = match cron.next_after(before, job.settings.processing) {
                    Ok(found) => found,
                    Err(error) => {
                        let finding = Diagnostic::new(&CRON_NEVER_FIRES, job.span, error.to_string());
                        return Some(Err(finding.stage(Some(Stage::Materialize)).oozie(&[])));
                    }
                };
                self.cursor = Some(found);
                if found >= end {
                    return None;
                }
                // `addDSTChangeToNominalTime`
                if found.millis_since(before) >= 24 * 60 * 60_000 {
                    found.plus_millis(calendar::dst_offset_millis(job.zone, job.start, found))
                } else {
                    found
                }
            }
        };
        if nominal.millis().abs() > LAST_MILLIS {
            let finding =
                Diagnostic::new(&TIME_OUT_OF_RANGE, job.span, "the nominal times leave the calendar");
            return Some(Err(finding));
        }
        self.number += 1;
        Some(Ok((self.number, nominal)))
    }
}

impl CoordinatorJob {
    /// The nominal time after that of an action, unless it lies behind the job's end
    /// (`CoordCommandUtils.computeNextNominalTime`). `None` also when a cron has no further time.
    pub fn next_nominal(&self, number: i64, nominal: Instant, end: Instant) -> Option<Instant> {
        let next = match &self.rhythm {
            Rhythm::Steps(count) => {
                let amount = (number as i32).wrapping_mul(*count);
                let at = calendar::add(self.start, amount.into(), self.time_unit.unit()?, self.zone);
                calendar::move_to_end(at, self.end_of_duration, self.zone)
            }
            Rhythm::Cron(cron) => cron.next_after(nominal, self.settings.processing).ok()?,
        };
        (next <= end).then_some(next)
    }
}
