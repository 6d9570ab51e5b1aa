//! The states of jobs and actions, under the names that Oozie prints.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::Dialect;

/// States with the names that Oozie prints.
macro_rules! states {
    ($(#[$doc:meta])* $name:ident { $($(#[$row_doc:meta])* $state:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$row_doc])* #[serde(rename = $text)] $state,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$state),+];

            /// Oozie's name.
            pub const fn name(self) -> &'static str {
                match self { $($name::$state => $text,)+ }
            }

            /// The state of a name.
            pub fn parse(text: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|state| state.name() == text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

states! {
    /// The state of a bundle or of a coordinator.
    JobStatus {
        /// Submitted, not started.
        Prep = "PREP",
        /// Suspended before it started.
        PrepSuspended = "PREPSUSPENDED",
        /// Paused before it started.
        PrepPaused = "PREPPAUSED",
        /// It runs.
        Running = "RUNNING",
        /// It runs, and something below has failed.
        RunningWithError = "RUNNINGWITHERROR",
        /// Suspended.
        Suspended = "SUSPENDED",
        /// Suspended, and something below has failed.
        SuspendedWithError = "SUSPENDEDWITHERROR",
        /// Paused.
        Paused = "PAUSED",
        /// Paused, and something below has failed.
        PausedWithError = "PAUSEDWITHERROR",
        /// All went well.
        Succeeded = "SUCCEEDED",
        /// It is over, and something below has failed.
        DoneWithError = "DONEWITHERROR",
        /// Somebody killed it.
        Killed = "KILLED",
        /// It failed.
        Failed = "FAILED",
        /// Its parent does not look at it any more.
        Ignored = "IGNORED",
    }
}

states! {
    /// The state of an action of a coordinator.
    ActionStatus {
        /// For its inputs.
        Waiting = "WAITING",
        /// For its turn.
        Ready = "READY",
        /// Its workflow is being submitted.
        Submitted = "SUBMITTED",
        /// Its workflow runs.
        Running = "RUNNING",
        /// Its workflow is suspended.
        Suspended = "SUSPENDED",
        /// Its inputs did not come in time.
        TimedOut = "TIMEDOUT",
        /// Its workflow succeeded.
        Succeeded = "SUCCEEDED",
        /// It was killed.
        Killed = "KILLED",
        /// It failed.
        Failed = "FAILED",
        /// The job does not look at it any more.
        Ignored = "IGNORED",
        /// Its time had passed.
        Skipped = "SKIPPED",
    }
}

states! {
    /// The state of a workflow.
    WorkflowStatus {
        /// Submitted, not started.
        Prep = "PREP",
        /// It runs.
        Running = "RUNNING",
        /// Suspended.
        Suspended = "SUSPENDED",
        /// It reached its end.
        Succeeded = "SUCCEEDED",
        /// It reached a kill node, or somebody killed it.
        Killed = "KILLED",
        /// It failed.
        Failed = "FAILED",
    }
}

states! {
    /// The state of a node of a workflow.
    NodeStatus {
        /// Entered, not started.
        Prep = "PREP",
        /// Its start failed for the moment and is tried again.
        StartRetry = "START_RETRY",
        /// Its start failed; somebody must resume the job.
        StartManual = "START_MANUAL",
        /// It runs.
        Running = "RUNNING",
        /// What it does is over.
        Done = "DONE",
        /// It ended well.
        Ok = "OK",
        /// It ended with an error, and the error transition is taken.
        Error = "ERROR",
        /// It failed and is run again, as its definition says.
        UserRetry = "USER_RETRY",
        /// Its end failed for the moment and is tried again.
        EndRetry = "END_RETRY",
        /// Its end failed; somebody must resume the job.
        EndManual = "END_MANUAL",
        /// It was killed.
        Killed = "KILLED",
        /// It failed, and the job with it.
        Failed = "FAILED",
    }
}

impl JobStatus {
    /// `Job.isTerminalStatus`
    pub const fn is_terminal(self) -> bool {
        use JobStatus::{DoneWithError, Failed, Ignored, Killed, Succeeded};
        matches!(self, Succeeded | DoneWithError | Killed | Failed | Ignored)
    }

    /// The state without the words that something below has failed (`StatusUtils.getStatusIfBackwardSupportTrue`).
    pub const fn plain(self) -> JobStatus {
        match self {
            JobStatus::RunningWithError => JobStatus::Running,
            JobStatus::SuspendedWithError => JobStatus::Suspended,
            JobStatus::PausedWithError => JobStatus::Paused,
            other => other,
        }
    }
}

impl ActionStatus {
    /// `CoordinatorActionBean.isTerminalStatus`: what can be run again.
    pub const fn is_rerunnable(self) -> bool {
        use ActionStatus::{Failed, Ignored, Killed, Succeeded, TimedOut};
        matches!(self, TimedOut | Succeeded | Killed | Failed | Ignored)
    }

    /// Whether nothing more happens to it by itself.
    pub const fn is_over(self) -> bool {
        self.is_rerunnable() || matches!(self, ActionStatus::Skipped)
    }

    /// Whether it ended badly.
    pub const fn is_bad(self) -> bool {
        matches!(self, ActionStatus::Killed | ActionStatus::Failed | ActionStatus::TimedOut)
    }
}

impl WorkflowStatus {
    /// Whether it is over.
    pub const fn is_terminal(self) -> bool {
        matches!(self, WorkflowStatus::Succeeded | WorkflowStatus::Killed | WorkflowStatus::Failed)
    }
}

impl NodeStatus {
    /// Whether it is over (`WorkflowActionBean.isComplete`, and failures).
    pub const fn is_over(self) -> bool {
        matches!(self, NodeStatus::Ok | NodeStatus::Error | NodeStatus::Killed | NodeStatus::Failed)
    }
}

impl WorkflowStatus {
    /// The word for it in a dialect.
    pub fn name_in(self, dialect: Dialect) -> &'static str {
        if self == WorkflowStatus::Prep { dialect.submitted() } else { self.name() }
    }
}
