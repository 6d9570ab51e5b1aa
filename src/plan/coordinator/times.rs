//! The nominal times of a job, with findings for what goes wrong among them.

use super::findings::{CRON_NEVER_FIRES, TIME_OUT_OF_RANGE};
use super::job::CoordinatorJob;
use crate::diag::{Diagnostic, Stage};
use crate::time::nominal::{Course, NominalError, Position, Rhythm};
use crate::time::{Instant, calendar};

/// Where one stands among the nominal times of a job, which is an argument to all questions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times(Position);

impl Times {
    /// The number of the last action.
    pub(super) fn number(&self) -> i64 {
        self.0.number()
    }

    /// Behind an action, wherever the job ends.
    pub(super) fn after(job: &CoordinatorJob, number: i64) -> Times {
        Times(Position::after(&job.course(), number))
    }

    /// Leaves out actions before `from`, as many as can be left out without looking at each.
    pub(super) fn skip_to(&mut self, job: &CoordinatorJob, from: Instant) {
        self.0.skip_to(&job.course(), from);
    }

    /// The next number and nominal time, before `end`.
    pub(super) fn next(
        &mut self,
        job: &CoordinatorJob,
        end: Instant,
    ) -> Option<Result<(i64, Instant), Diagnostic>> {
        let found = self.0.next(&Course { end, ..job.course() })?;
        Some(found.map(|nominal| (nominal.number, nominal.at)).map_err(|error| finding(job, error)))
    }
}

fn finding(job: &CoordinatorJob, error: NominalError) -> Diagnostic {
    match error {
        NominalError::Backwards => {
            let message =
                format!("a frequency of {} runs backwards from the second action on", job.frequency);
            Diagnostic::new(&TIME_OUT_OF_RANGE, job.span, message)
        }
        NominalError::OutOfRange => {
            Diagnostic::new(&TIME_OUT_OF_RANGE, job.span, "the nominal times leave the calendar")
        }
        NominalError::Search(error) => {
            let finding = Diagnostic::new(&CRON_NEVER_FIRES, job.span, error.to_string());
            finding.stage(Some(Stage::Materialize)).oozie(&[])
        }
    }
}

impl CoordinatorJob {
    fn course(&self) -> Course<'_> {
        Course {
            rhythm: &self.rhythm,
            end_of_duration: self.end_of_duration,
            start: self.start,
            end: self.end,
            zone: self.zone,
            processing: self.settings.processing,
        }
    }

    /// The nominal time after that of an action, unless it lies behind the job's end
    /// (`CoordCommandUtils.computeNextNominalTime`). `None` also when a cron has no further time.
    pub fn next_nominal(&self, number: i64, nominal: Instant, end: Instant) -> Option<Instant> {
        let next = match &self.rhythm {
            Rhythm::Steps { count, unit } => {
                let amount = (number as i32).wrapping_mul(*count);
                let at = calendar::add(self.start, amount.into(), *unit, self.zone);
                calendar::move_to_end(at, self.end_of_duration, self.zone)
            }
            Rhythm::Cron(cron) => cron.next_after(nominal, self.settings.processing).ok()?,
        };
        (next <= end).then_some(next)
    }
}
