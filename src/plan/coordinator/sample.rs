//! Actions that stand for all of a job: enough to meet what only a later action shows, few enough to be quick.
//!
//! What an action is made of changes in few ways over a range: near its start, where instances before the first one of
//! a dataset are left out and ranges grow; from month to month; where clocks change; and at its end. So the first
//! actions are looked at one after the other, then a few in each month, around clock changes and before the end, in one
//! pass that is bounded. Which ones follows from the job alone.

use super::action::Action;
use super::actions::{Materializer, PlanOptions};
use super::job::CoordinatorJob;
use crate::analysis::dates::changes;
use crate::diag::Diagnostic;
use crate::time::Instant;
use crate::time::civil::day_of_date;

/// So many actions from the start on.
const FIRST: i64 = 64;
/// So many months from the start on.
const MOST_MONTHS: i64 = 36;
/// So many clock changes.
const MOST_CHANGES: usize = 8;
/// So many actions from each other place on.
const NEAR: usize = 4;
/// No more nominal times than this are passed, whatever the range.
const MOST_TIMES: i64 = 20_000;
/// No more URIs than this are made.
const MOST_URIS: usize = 100_000;
/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

impl CoordinatorJob {
    /// Makes the actions that stand for all, in order of time. An `Err` is told once: no action behind it is made.
    pub fn sample(&self, mut take: impl FnMut(Result<Action, Diagnostic>)) {
        let mut starts = self.month_starts();
        let near = self.start.plus_millis(MOST_MONTHS * 31 * DAY).min(self.end);
        let of_clocks = changes(self.zone, self.start, near);
        starts.extend(of_clocks.iter().take(MOST_CHANGES).map(|change| change.at.plus_millis(-2 * DAY)));
        starts.extend([1, 40, 400].map(|days| self.end.plus_millis(-days * DAY)));
        starts.sort_unstable();
        let mut starts = starts.into_iter().peekable();
        let mut all = Materializer::after(self, 0);
        let (mut left, mut uris) = (0, 0);
        while all.number() < MOST_TIMES && uris <= MOST_URIS {
            let nominal = match all.leave_out(self, self.end) {
                None => return,
                Some(Err(finding)) => return take(Err(finding)),
                Some(Ok(nominal)) => nominal,
            };
            while starts.next_if(|start| *start <= nominal).is_some() {
                left = NEAR;
            }
            let number = all.number();
            if number > FIRST && left == 0 {
                continue;
            }
            left = left.saturating_sub(1);
            match all.again(self, number, nominal, PlanOptions::default()) {
                Err(fault) => return take(Err(*fault)),
                Ok(action) => {
                    let lists = action.inputs.iter().chain(&action.outputs);
                    uris += lists.map(|event| event.uris.len()).sum::<usize>();
                    take(Ok(action));
                }
            }
        }
    }

    /// The first days of the first months in the range, in UTC.
    fn month_starts(&self) -> Vec<Instant> {
        let date = crate::time::Zone::utc().local(self.start).date;
        let first = date.year * 12 + i64::from(date.month);
        let start = |month: i64| {
            let day = day_of_date(month.div_euclid(12), month.rem_euclid(12) + 1, 1);
            Instant::from_seconds(day * 86_400)
        };
        (first..first + MOST_MONTHS).map(start).filter(|at| *at < self.end).collect()
    }
}
