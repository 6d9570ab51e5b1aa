//! The names of jobs and actions: `0000001-W`, `0000002-C`, `0000002-C@3`, `0000003-B`, as a server writes them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobKind {
    /// A workflow.
    Workflow,
    /// A coordinator.
    Coordinator,
    /// A bundle.
    Bundle,
}

impl JobKind {
    /// The letter at the end of an id.
    pub const fn letter(self) -> char {
        match self {
            JobKind::Workflow => 'W',
            JobKind::Coordinator => 'C',
            JobKind::Bundle => 'B',
        }
    }

    /// In words.
    pub const fn word(self) -> &'static str {
        match self {
            JobKind::Workflow => "workflow",
            JobKind::Coordinator => "coordinator",
            JobKind::Bundle => "bundle",
        }
    }
}

/// A job.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct JobId {
    /// Counted over all jobs, from 1.
    pub number: u32,
    /// What it is.
    pub kind: JobKind,
}

impl JobId {
    /// A workflow.
    pub const fn workflow(number: u32) -> JobId {
        JobId { number, kind: JobKind::Workflow }
    }

    /// A coordinator.
    pub const fn coordinator(number: u32) -> JobId {
        JobId { number, kind: JobKind::Coordinator }
    }

    /// A bundle.
    pub const fn bundle(number: u32) -> JobId {
        JobId { number, kind: JobKind::Bundle }
    }

    /// The id with the words that a server puts into the middle, such as `240101000000000-oozie`.
    pub fn with_middle(self, middle: &str) -> String {
        match middle {
            "" => self.to_string(),
            middle => format!("{:07}-{middle}-{}", self.number, self.kind.letter()),
        }
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:07}-{}", self.number, self.kind.letter())
    }
}

impl fmt::Debug for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no id; an id looks like `0000001-W`, `0000002-C@3` or `0000003-B`")]
pub struct BadId(pub String);

impl FromStr for JobId {
    type Err = BadId;

    /// Reads an id; what stands in its middle does not count.
    fn from_str(text: &str) -> Result<JobId, BadId> {
        let bad = || BadId(text.to_owned());
        let (number, _) = text.split_once('-').ok_or_else(bad)?;
        let (_, letter) = text.rsplit_once('-').ok_or_else(bad)?;
        let kind = match letter {
            "W" => JobKind::Workflow,
            "C" => JobKind::Coordinator,
            "B" => JobKind::Bundle,
            _ => return Err(bad()),
        };
        let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse().ok().filter(|_| digits).ok_or_else(bad)?;
        Ok(JobId { number, kind })
    }
}

/// An action of a coordinator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ActionId {
    /// The number of the coordinator.
    pub coordinator: u32,
    /// Its own number, from 1.
    pub number: u32,
}

impl ActionId {
    /// Its coordinator.
    pub const fn job(self) -> JobId {
        JobId::coordinator(self.coordinator)
    }
}

impl fmt::Display for ActionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.job(), self.number)
    }
}

impl fmt::Debug for ActionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ActionId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<ActionId, BadId> {
        let bad = || BadId(text.to_owned());
        let (job, number) = text.split_once('@').ok_or_else(bad)?;
        let job: JobId = job.parse().map_err(|_| bad())?;
        let number = number.parse().map_err(|_| bad())?;
        if job.kind != JobKind::Coordinator {
            return Err(bad());
        }
        Ok(ActionId { coordinator: job.number, number })
    }
}

/// A node of a workflow, by its place in the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId {
    /// The number of the workflow.
    pub workflow: u32,
    /// The node's index in the workflow's program.
    pub node: u32,
}

impl NodeId {
    /// Its workflow.
    pub const fn job(self) -> JobId {
        JobId::workflow(self.workflow)
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.job(), self.node)
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for NodeId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<NodeId, BadId> {
        let bad = || BadId(text.to_owned());
        let (job, node) = text.split_once('@').ok_or_else(bad)?;
        let job: JobId = job.parse().map_err(|_| bad())?;
        let node = node.parse().map_err(|_| bad())?;
        if job.kind != JobKind::Workflow {
            return Err(bad());
        }
        Ok(NodeId { workflow: job.number, node })
    }
}

macro_rules! as_text {
    ($($name:ident),+) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}

as_text!(JobId, ActionId, NodeId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_as_they_are_written() {
        assert_eq!(JobId::bundle(3).to_string(), "0000003-B");
        assert_eq!(
            JobId::workflow(12).with_middle("240101000000000-oozie"),
            "0000012-240101000000000-oozie-W"
        );
        assert_eq!("0000012-240101000000000-oozie-W".parse(), Ok(JobId::workflow(12)));
        assert_eq!("0000002-C@3".parse(), Ok(ActionId { coordinator: 2, number: 3 }));
        for bad in ["", "1", "x-W", "1-X", "+1-W", "1-W@2@3", "0000002-C", "0000002-B@1"] {
            assert!(bad.parse::<ActionId>().is_err(), "{bad}");
        }
    }
}
