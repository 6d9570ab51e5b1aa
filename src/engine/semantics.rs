//! By which rules a job is played, so that what was recorded once is replayed to the states that it showed then.

use serde::{Deserialize, Serialize};

/// The version of the rules that a submission, and all that comes of it, is played by. What a later version does
/// otherwise holds for what is submitted from then on; what was recorded without a version is of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Semantics(u16);

impl Semantics {
    /// As the tables and texts of the specifications have it.
    pub const FIRST: Semantics = Semantics(1);
    /// As the commands and services of release 5.2.1 do it.
    pub const COMMANDS: Semantics = Semantics(2);
    /// Those of what is submitted now.
    pub const CURRENT: Semantics = Semantics::COMMANDS;

    /// Whether the commands and services of the server are followed where they do otherwise than its specifications.
    pub fn follows_commands(self) -> bool {
        self >= Semantics::COMMANDS
    }

    /// Those of a submission that does not say any.
    pub(super) const fn unsaid() -> Semantics {
        Semantics::FIRST
    }
}
