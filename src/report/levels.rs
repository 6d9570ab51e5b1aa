//! How far service levels are kept, from what an engine says of them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::engine::{Changed, Engine, Plans, SlaEvent, SlaKind, SlaStatus, Watched};

/// What was said of service levels so far. An engine keeps those of what is not over only.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    said: BTreeMap<Watched, Vec<SlaKind>>,
}

impl Levels {
    /// Takes in what was met or missed.
    pub fn hear(&mut self, event: &SlaEvent) {
        self.said.entry(event.subject).or_default().push(event.what);
    }

    /// Forgets what was said of a run before, where something that was over begins anew.
    pub fn changed(&mut self, changed: &Changed) {
        let subject = match changed {
            Changed::Action(action, from, to) if from.is_over() && !to.is_over() => Watched::Action(*action),
            Changed::Workflow(job, from, to) if from.is_terminal() && !to.is_terminal() => {
                Watched::Workflow(*job)
            }
            Changed::Node(node, from, to) if from.is_over() && !to.is_over() => Watched::Node(*node),
            _ => return,
        };
        self.said.remove(&subject);
    }

    /// How a service level stands; none where nothing is expected.
    pub fn of<P: Plans>(&self, engine: &Engine<P>, subject: Watched) -> Option<Level> {
        let said = self.said.get(&subject).cloned().unwrap_or_default();
        let ended = said.iter().find_map(|kind| match kind {
            SlaKind::EndMet => Some(SlaStatus::Met),
            SlaKind::EndMiss => Some(SlaStatus::Miss),
            _ => None,
        });
        let status = ended.or_else(|| engine.service_level(subject))?;
        Some(Level { status, said })
    }
}

/// How a service level stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// Decided by the end (`SLASummaryBean.getSLAStatus`).
    pub status: SlaStatus,
    /// What was met and missed, in order.
    pub said: Vec<SlaKind>,
}

impl Level {
    /// As a document.
    pub fn document(&self) -> Value {
        let said: Vec<&str> = self.said.iter().map(|kind| kind.name()).collect();
        json!({ "status": self.status.name(), "events": said })
    }

    /// In words: `MISS (START_MET, END_MISS)`.
    pub fn words(&self) -> String {
        let said: Vec<&str> = self.said.iter().map(|kind| kind.name()).collect();
        if said.is_empty() {
            self.status.name().to_owned()
        } else {
            format!("{} ({})", self.status.name(), said.join(", "))
        }
    }
}
