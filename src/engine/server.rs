//! What a submission says of the server that its jobs live on: settings under the names of `[server]` in `ankus.toml`
//! and in scenarios, with the values that are delivered.
//!
//! It is recorded with the submission, so a replay makes the same jobs again whatever is set meanwhile.

use serde::{Deserialize, Serialize};

use super::settings::Settings;

/// The settings of a server that decide the course of jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Server {
    /// `oozie.service.StatusTransitService.backward.support.for.states.without.error`; delivered: true. Here it is
    /// false, as the specifications have it: jobs show `RUNNINGWITHERROR` and its like.
    pub states_without_error: bool,
    /// `oozie.workflow.parallel.fork.action.start`
    pub parallel_fork_start: bool,
    /// `oozie.validate.ForkJoin`
    pub validate_fork_join: bool,
    /// `oozie.coord.execution.none.tolerance`, in minutes.
    pub none_tolerance: i64,
    /// `oozie.service.StatusTransitService.statusTransit.interval`, in seconds; up to a minute counts as at once.
    pub status_interval: i64,
    /// `oozie.service.PauseTransitService.PauseTransit.interval`, in seconds; up to a minute counts as at once.
    pub pause_interval: i64,
    /// `oozie.service.CoordMaterializeTriggerService.lookup.interval`, in seconds.
    pub materialization_interval: i64,
    /// `oozie.service.CoordMaterializeTriggerService.materialization.window`, in seconds.
    pub materialization_window: i64,
    /// `oozie.service.RecoveryService.interval`, in seconds.
    pub recovery_interval: i64,
    /// `oozie.service.RecoveryService.coord.older.than`, in seconds.
    pub recovery_older_than: i64,
    /// `oozie.action.retries.max`
    pub action_retries: i64,
    /// `oozie.action.retry.interval`, in seconds.
    pub action_retry_interval: i64,
    /// `oozie.service.LiteWorkflowStoreService.user.retry.max`
    pub user_retry_max: i64,
    /// `oozie.service.LiteWorkflowStoreService.user.retry.inteval`, in minutes.
    pub user_retry_interval: i64,
    /// `oozie.service.coord.normal.default.timeout`, in minutes; -1: none.
    pub default_timeout: i64,
    /// `oozie.service.coord.default.concurrency`; -1: no limit.
    pub default_concurrency: i64,
    /// `oozie.service.coord.default.throttle`
    pub default_throttle: i64,
}

impl Default for Server {
    fn default() -> Server {
        Server {
            states_without_error: false,
            parallel_fork_start: true,
            validate_fork_join: true,
            none_tolerance: 1,
            status_interval: 60,
            pause_interval: 60,
            materialization_interval: 300,
            materialization_window: 3600,
            recovery_interval: 60,
            recovery_older_than: 600,
            action_retries: 3,
            action_retry_interval: 10,
            user_retry_max: 3,
            user_retry_interval: 10,
            default_timeout: 120,
            default_concurrency: 1,
            default_throttle: 12,
        }
    }
}

/// What a key of `[server]` holds.
#[derive(Debug)]
enum Place<'s> {
    /// True or false.
    Flag(&'s mut bool),
    /// A whole number of at least this.
    Number(&'s mut i64, i64),
}

/// A value of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// True or false.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// Anything else.
    Other,
}

/// No interval and no number is larger: 100 years in seconds fit.
const MOST: i64 = 4_000_000_000;

impl Server {
    /// The keys of `[server]`.
    pub const KEYS: [&'static str; 17] = [
        "states-without-error",
        "parallel-fork-start",
        "validate-fork-join",
        "none-tolerance",
        "status-interval",
        "pause-interval",
        "materialization-interval",
        "materialization-window",
        "recovery-interval",
        "recovery-older-than",
        "action-retries",
        "action-retry-interval",
        "user-retry-max",
        "user-retry-interval",
        "default-timeout",
        "default-concurrency",
        "default-throttle",
    ];

    /// The keys that decide what is submitted, rather than how it goes on.
    pub const AT_SUBMISSION: [&'static str; 4] =
        ["validate-fork-join", "default-timeout", "default-concurrency", "default-throttle"];

    fn place(&mut self, key: &str) -> Option<Place<'_>> {
        use Place::{Flag, Number};
        Some(match key {
            "states-without-error" => Flag(&mut self.states_without_error),
            "parallel-fork-start" => Flag(&mut self.parallel_fork_start),
            "validate-fork-join" => Flag(&mut self.validate_fork_join),
            "none-tolerance" => Number(&mut self.none_tolerance, 0),
            "status-interval" => Number(&mut self.status_interval, 1),
            "pause-interval" => Number(&mut self.pause_interval, 1),
            "materialization-interval" => Number(&mut self.materialization_interval, 1),
            "materialization-window" => Number(&mut self.materialization_window, 1),
            "recovery-interval" => Number(&mut self.recovery_interval, 1),
            "recovery-older-than" => Number(&mut self.recovery_older_than, 0),
            "action-retries" => Number(&mut self.action_retries, 0),
            "action-retry-interval" => Number(&mut self.action_retry_interval, 0),
            "user-retry-max" => Number(&mut self.user_retry_max, 0),
            "user-retry-interval" => Number(&mut self.user_retry_interval, 0),
            "default-timeout" => Number(&mut self.default_timeout, -1),
            "default-concurrency" => Number(&mut self.default_concurrency, -1),
            "default-throttle" => Number(&mut self.default_throttle, 1),
            _ => return None,
        })
    }

    /// Sets a key; in words why not. A name that is no key is the caller's to report.
    pub fn set(&mut self, key: &str, value: Value) -> Result<(), String> {
        match (self.place(key), value) {
            (Some(Place::Flag(place)), Value::Flag(value)) => *place = value,
            (Some(Place::Number(place, least)), Value::Number(value)) if (least..=MOST).contains(&value) => {
                *place = value;
            }
            (Some(Place::Flag(_)), _) => return Err(format!("`{key}` is true or false")),
            (Some(Place::Number(_, least)), Value::Number(_)) => {
                return Err(format!("`{key}` must be from {least} to {MOST}"));
            }
            (Some(Place::Number(..)), _) => return Err(format!("`{key}` is a whole number")),
            (None, _) => return Err(format!("`[server]` has no key `{key}`")),
        }
        Ok(())
    }

    /// The first setting that decides what is submitted and that another server has otherwise.
    pub fn other_submission(&self, other: &Server) -> Option<&'static str> {
        let (mut one, mut other) = (self.clone(), other.clone());
        Server::AT_SUBMISSION.into_iter().find(|key| match (one.place(key), other.place(key)) {
            (Some(Place::Flag(one)), Some(Place::Flag(other))) => one != other,
            (Some(Place::Number(one, _)), Some(Place::Number(other, _))) => one != other,
            _ => false,
        })
    }

    /// The settings of an engine with these in them.
    pub fn over(&self, settings: &Settings) -> Settings {
        let small = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
        Settings {
            with_error: !self.states_without_error,
            parallel_forks: self.parallel_fork_start,
            lookup_seconds: self.materialization_interval,
            window_seconds: self.materialization_window,
            status_seconds: self.status_interval,
            pause_seconds: self.pause_interval,
            recovery_interval_seconds: self.recovery_interval,
            recovery_seconds: self.recovery_older_than,
            none_tolerance_minutes: self.none_tolerance,
            transient_retries: small(self.action_retries),
            transient_seconds: self.action_retry_interval,
            user_retry_max: small(self.user_retry_max),
            user_retry_minutes: self.user_retry_interval,
            ..settings.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_place_and_bounds() {
        let mut server = Server::default();
        for key in Server::KEYS {
            let taken = [Value::Flag(true), Value::Number(7)].map(|value| server.set(key, value).is_ok());
            assert_eq!(taken.iter().filter(|taken| **taken).count(), 1, "{key}");
            assert!(server.set(key, Value::Other).is_err(), "{key}");
            assert!(server.set(key, Value::Number(-2)).is_err(), "{key}");
        }
        assert!(server.set("no-key", Value::Number(1)).is_err());
        assert!(Server::AT_SUBMISSION.iter().all(|key| Server::KEYS.contains(key)));
    }

    #[test]
    fn what_is_delivered_changes_nothing() {
        let (before, after) = (Settings::default(), Server::default().over(&Settings::default()));
        assert_eq!(format!("{before:?}"), format!("{after:?}"));
    }
}
