//! A deployed application: its table, which is all there is.

use std::fmt;

/// The state of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AppStatus {
    /// Deployed; takes no jobs.
    Inactive,
    /// Takes jobs.
    Active,
    /// Its jobs go on, and it takes no new ones.
    Suspended,
}

/// What is done with an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AppCommand {
    /// Take jobs.
    Activate,
    /// Take no new jobs.
    Suspend,
    /// Take it out of use, once its jobs have finished.
    Deactivate,
    /// Remove it.
    Undeploy,
}

/// One row: in a state, on a command, the next state, or nothing left; and whether all its jobs must have finished.
pub type AppRow = (AppStatus, AppCommand, Option<AppStatus>, bool);

/// What an application may do. Every other pair is refused and changes nothing.
pub const APP_TABLE: &[AppRow] = &[
    (AppStatus::Inactive, AppCommand::Activate, Some(AppStatus::Active), false),
    (AppStatus::Inactive, AppCommand::Undeploy, None, false),
    (AppStatus::Active, AppCommand::Suspend, Some(AppStatus::Suspended), false),
    (AppStatus::Suspended, AppCommand::Activate, Some(AppStatus::Active), false),
    (AppStatus::Suspended, AppCommand::Deactivate, Some(AppStatus::Inactive), true),
];

/// The row for a command in a state.
pub fn row_of(status: AppStatus, command: AppCommand) -> Option<&'static AppRow> {
    APP_TABLE.iter().find(|(from, of, ..)| (*from, *of) == (status, command))
}

impl AppStatus {
    /// All of them.
    pub const ALL: [AppStatus; 3] = [AppStatus::Inactive, AppStatus::Active, AppStatus::Suspended];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            AppStatus::Inactive => "INACTIVE",
            AppStatus::Active => "ACTIVE",
            AppStatus::Suspended => "SUSPENDED",
        }
    }
}

impl fmt::Display for AppStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl AppCommand {
    /// All of them.
    pub const ALL: [AppCommand; 4] =
        [AppCommand::Activate, AppCommand::Suspend, AppCommand::Deactivate, AppCommand::Undeploy];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            AppCommand::Activate => "activate",
            AppCommand::Suspend => "suspend",
            AppCommand::Deactivate => "deactivate",
            AppCommand::Undeploy => "undeploy",
        }
    }
}
