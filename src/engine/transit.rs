//! The status of a job as it follows from its children.
//!
//! Follows `CoordStatusTransitXCommand` and `BundleStatusTransitXCommand`, oddities included: all their answers stand
//! in `fixtures/reference/status`. Which jobs are looked at, and when, is the engine's business.

use super::status::{ActionStatus, JobStatus};

/// How many children are in each state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    counts: [u32; 14],
    total: u32,
}

impl Tally {
    /// Adds a child.
    pub fn add(&mut self, status: impl Into<Slot>) {
        self.counts[status.into().0] += 1;
        self.total += 1;
    }

    /// Takes a child away.
    pub fn remove(&mut self, status: impl Into<Slot>) {
        let slot = status.into().0;
        debug_assert!(self.counts[slot] > 0, "a child that was not counted");
        self.counts[slot] = self.counts[slot].saturating_sub(1);
        self.total = self.total.saturating_sub(1);
    }

    /// How many are in a state.
    pub fn of(&self, status: impl Into<Slot>) -> u32 {
        self.counts[status.into().0]
    }

    /// How many are in one of these states.
    fn sum<S: Into<Slot> + Copy>(&self, states: &[S]) -> u32 {
        states.iter().map(|state| self.of(*state)).sum()
    }

    fn has<S: Into<Slot> + Copy>(&self, states: &[S]) -> bool {
        self.sum(states) > 0
    }
}

/// The place of a state in a [`Tally`].
#[derive(Clone, Copy, Debug)]
pub struct Slot(usize);

impl From<ActionStatus> for Slot {
    fn from(status: ActionStatus) -> Slot {
        Slot(status as usize)
    }
}

impl From<JobStatus> for Slot {
    fn from(status: JobStatus) -> Slot {
        Slot(status as usize)
    }
}

/// What of a coordinator decides its status.
#[derive(Clone, Copy, Debug)]
pub struct CoordinatorView<'a> {
    /// Its present status.
    pub status: JobStatus,
    /// Whether all actions are materialized.
    pub is_done: bool,
    /// Whether some action waits for an answer.
    pub is_pending: bool,
    /// Its actions, but for ignored ones.
    pub actions: &'a Tally,
}

/// The status of a coordinator. `with_error`: the server knows the states `…WITHERROR`
/// (`backward.support.for.states.without.error` is off).
pub fn coordinator(view: CoordinatorView<'_>, with_error: bool) -> JobStatus {
    use ActionStatus as A;
    use JobStatus as J;
    let CoordinatorView { status, is_done, is_pending, actions } = view;
    let all = actions.total - actions.of(A::Ignored);
    let bad = actions.has(&[A::Killed, A::Failed, A::TimedOut]);
    let either = |yes: JobStatus, no: JobStatus| if bad { yes } else { no };
    let over = all == actions.sum(&[A::Succeeded, A::Failed, A::Killed, A::TimedOut, A::Skipped]);
    let from_below = || {
        if !is_done || is_pending || actions.of(A::Suspended) == 0 {
            return None;
        }
        let well = actions.sum(&[A::Suspended, A::Succeeded]);
        if all == well {
            Some(J::Suspended)
        } else if all == well + actions.sum(&[A::Killed, A::Failed, A::TimedOut]) {
            Some(J::SuspendedWithError)
        } else {
            None
        }
    };
    let next = if (is_done || matches!(status, J::Failed | J::Killed)) && over {
        if status == J::Killed {
            J::Killed
        } else if is_done && all == actions.sum(&[A::Succeeded, A::Skipped]) {
            J::Succeeded
        } else if all == actions.of(A::Killed) {
            J::Killed
        } else if all == actions.of(A::Failed) {
            J::Failed
        } else {
            J::DoneWithError
        }
    } else if matches!(status, J::Paused | J::PausedWithError) {
        either(J::PausedWithError, J::Paused)
    } else if matches!(status, J::Suspended | J::SuspendedWithError) {
        either(J::SuspendedWithError, J::Suspended)
    } else if status == J::PrepSuspended {
        J::PrepSuspended
    } else if let Some(suspended) = from_below() {
        suspended
    } else if status != J::Prep {
        either(J::RunningWithError, J::Running)
    } else {
        status
    };
    if status.is_terminal() && matches!(next, J::Suspended | J::SuspendedWithError) {
        return status;
    }
    if with_error { next } else { next.plain() }
}

/// What of a bundle decides its status.
#[derive(Clone, Copy, Debug)]
pub struct BundleView<'a> {
    /// Its present status.
    pub status: JobStatus,
    /// Whether some coordinator waits for an answer.
    pub is_pending: bool,
    /// Whether it has a pause time.
    pub has_pause: bool,
    /// Whether somebody suspended it.
    pub is_suspended: bool,
    /// Its coordinators, but for ignored ones.
    pub children: &'a Tally,
}

/// The status of a bundle.
pub fn bundle(view: BundleView<'_>, with_error: bool) -> JobStatus {
    use JobStatus as J;
    let BundleView { status, is_pending, has_pause, is_suspended, children } = view;
    let all = children.total - children.of(J::Ignored);
    let bad = children.has(&[J::Killed, J::Failed, J::DoneWithError]);
    let running = || {
        let bad = bad || children.of(J::RunningWithError) > 0;
        if bad { J::RunningWithError } else { J::Running }
    };
    let paused_below = || {
        if children.of(J::Paused) > 0 && all == children.of(J::Paused) {
            Some(J::Paused)
        } else if children.of(J::PausedWithError) > 0 && all == children.sum(&[J::Paused, J::PausedWithError])
        {
            Some(J::PausedWithError)
        } else {
            None
        }
    };
    let suspended_below = || {
        let some = !is_pending && children.of(J::Suspended) > 0 || children.of(J::SuspendedWithError) > 0;
        if !some {
            return None;
        }
        let well = children.sum(&[J::Suspended, J::Succeeded]);
        let rest = children.sum(&[J::SuspendedWithError, J::Killed, J::Failed, J::DoneWithError]);
        if all == well { Some(J::Suspended) } else { (all == well + rest).then_some(J::SuspendedWithError) }
    };
    let is_paused = status == J::Paused || status == J::PausedWithError && has_pause;
    let was_suspended = matches!(status, J::Suspended | J::SuspendedWithError);
    let over = !is_pending && all == children.sum(&[J::Succeeded, J::Failed, J::Killed, J::DoneWithError]);
    let next = if over {
        if status == J::Killed {
            J::Killed
        } else if all == children.of(J::Succeeded) {
            J::Succeeded
        } else if all == children.of(J::Killed) {
            J::Killed
        } else if all == children.of(J::Failed) {
            J::Failed
        } else {
            J::DoneWithError
        }
    } else if is_paused || paused_below().is_some() {
        let own = matches!(status, J::Paused | J::PausedWithError);
        let worse = bad || children.has(&[J::SuspendedWithError, J::RunningWithError, J::PausedWithError]);
        match paused_below() {
            Some(below) if !own => below,
            _ if worse => J::PausedWithError,
            _ => J::Paused,
        }
    } else if was_suspended && is_suspended || suspended_below().is_some() {
        let worse = bad || children.has(&[J::SuspendedWithError, J::PausedWithError]);
        match suspended_below() {
            Some(below) if !was_suspended => below,
            _ if worse => J::SuspendedWithError,
            _ => J::Suspended,
        }
    } else if status != J::Prep || !is_pending && children.of(J::Prep) > 0 && all > children.of(J::Prep) {
        running()
    } else {
        status
    };
    if with_error { next } else { next.plain() }
}
