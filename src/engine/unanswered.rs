//! What an engine has asked for and was not told yet. A driver that begins anew learns from it where it stood.
//!
//! Made from the same events and commands as the engine, so a replay gives both.

use std::collections::BTreeMap;

use super::command::Command;
use super::event::{During, Event, Parent, Subject, TroubleKind};
use super::id::{JobId, NodeId};
use crate::time::Instant;

/// What an answer is about. Questions about nodes are asked for one attempt at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// A coordinator of a bundle is to be planned.
    Coordinator(JobId, u32),
    /// A workflow is to be planned.
    Workflow(Parent),
    /// The world is to be looked at, now or later.
    Look(Subject),
    /// An action is to be started, or runs.
    Run(NodeId),
    /// The end of an action is to be told once more.
    End(NodeId),
    /// An action is to be killed.
    Kill(NodeId),
}

impl Question {
    /// The job that waits for the answer.
    pub fn job(&self) -> JobId {
        match self {
            Question::Coordinator(job, _) => *job,
            Question::Workflow(Parent::Action(action)) | Question::Look(Subject::Action(action)) => {
                action.job()
            }
            Question::Workflow(Parent::Node(node))
            | Question::Look(Subject::Node(node))
            | Question::Run(node)
            | Question::End(node)
            | Question::Kill(node) => node.job(),
        }
    }
}

/// A question that is open.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The command that asked.
    pub command: Command,
    /// The time of the event that made the engine ask.
    pub at: Instant,
    /// Of an action: it was told that it has begun.
    pub has_begun: bool,
    /// In which order questions were asked.
    order: u64,
}

/// The open questions.
#[derive(Clone, Debug, Default)]
pub struct Unanswered {
    open: BTreeMap<Question, Asked>,
    asked: u64,
}

impl Unanswered {
    /// Takes in an event that the engine has taken, and its time, then what it answered.
    pub fn take(&mut self, at: Instant, event: &Event, commands: &[Command]) {
        self.told(event);
        for command in commands {
            self.ask(at, command);
        }
    }

    /// Takes in what is open elsewhere, behind all that is open here.
    pub fn adopt(&mut self, other: Unanswered) {
        for (question, asked) in other.in_order() {
            self.asked += 1;
            self.open.insert(question, Asked { order: self.asked, ..asked.clone() });
        }
    }

    fn told(&mut self, event: &Event) {
        match event {
            Event::CoordinatorPlanned { bundle, child, .. } => {
                self.close(Question::Coordinator(*bundle, *child));
            }
            Event::WorkflowPlanned { parent, .. } => self.close(Question::Workflow(*parent)),
            Event::Looked { subject, .. } => self.close(Question::Look(*subject)),
            Event::NodeStarted { node, attempt, .. } => {
                if let Some(asked) = self.open.get_mut(&Question::Run(*node))
                    && attempt_of(&asked.command) == Some(*attempt)
                {
                    asked.has_begun = true;
                }
            }
            Event::NodeEnded { node, attempt, .. } => {
                self.close_attempt(Question::Run(*node), *attempt);
                self.close_attempt(Question::End(*node), *attempt);
            }
            Event::NodeTrouble { node, attempt, trouble } => {
                // What was only looked after in vain runs on.
                let goes_on = trouble.during == During::Check && trouble.kind == TroubleKind::Transient;
                if !goes_on {
                    self.close_attempt(Question::Run(*node), *attempt);
                }
                self.close_attempt(Question::End(*node), *attempt);
            }
            Event::NodeKilled { node, attempt, .. } => {
                self.close_attempt(Question::Kill(*node), *attempt);
                self.close_attempt(Question::Run(*node), *attempt);
            }
            _ => {}
        }
    }

    fn ask(&mut self, at: Instant, command: &Command) {
        let question = match command {
            Command::PlanCoordinator { bundle, child } => Question::Coordinator(*bundle, *child),
            Command::PlanWorkflow { parent, .. } => Question::Workflow(*parent),
            Command::Look(subject) | Command::Await(subject) => Question::Look(*subject),
            Command::StartNode { node, .. } => Question::Run(*node),
            Command::EndNode { node, .. } => Question::End(*node),
            Command::KillNode { node, .. } => Question::Kill(*node),
            _ => return,
        };
        self.asked += 1;
        let asked = Asked { command: command.clone(), at, has_begun: false, order: self.asked };
        self.open.insert(question, asked);
    }

    fn close(&mut self, question: Question) {
        self.open.remove(&question);
    }

    fn close_attempt(&mut self, question: Question, attempt: u32) {
        if self.open.get(&question).is_some_and(|asked| attempt_of(&asked.command) == Some(attempt)) {
            self.open.remove(&question);
        }
    }

    /// What is open, in the order of asking.
    pub fn in_order(&self) -> Vec<(Question, &Asked)> {
        let mut open: Vec<_> = self.open.iter().map(|(question, asked)| (*question, asked)).collect();
        open.sort_by_key(|(_, asked)| asked.order);
        open
    }

    /// The question, while it is open.
    pub fn get(&self, question: &Question) -> Option<&Asked> {
        self.open.get(question)
    }
}

fn attempt_of(command: &Command) -> Option<u32> {
    match command {
        Command::StartNode { attempt, .. }
        | Command::EndNode { attempt, .. }
        | Command::KillNode { attempt, .. } => Some(*attempt),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Fault, NodeEnd};

    const NODE: NodeId = NodeId { workflow: 1, node: 2 };
    const NOW: Instant = Instant::from_millis(7);

    fn start(attempt: u32) -> Command {
        Command::StartNode { node: NODE, attempt, kind: "shell".into(), definition: "".into() }
    }

    fn questions(open: &Unanswered) -> Vec<Question> {
        open.in_order().into_iter().map(|(question, _)| question).collect()
    }

    #[test]
    fn an_action_is_open_until_its_end_is_told() {
        let mut open = Unanswered::default();
        open.take(NOW, &Event::Tick, &[start(1)]);
        assert_eq!(open.get(&Question::Run(NODE)).map(|asked| asked.has_begun), Some(false));
        let begun = Event::NodeStarted { node: NODE, attempt: 1, external_id: None, tracker: None };
        open.take(NOW, &begun, &[]);
        assert_eq!(open.get(&Question::Run(NODE)).map(|asked| asked.has_begun), Some(true));
        // News of another attempt changes nothing.
        open.take(NOW, &Event::NodeEnded { node: NODE, attempt: 7, end: NodeEnd::default() }, &[]);
        assert_eq!(questions(&open), [Question::Run(NODE)]);
        open.take(NOW, &Event::NodeEnded { node: NODE, attempt: 1, end: NodeEnd::default() }, &[]);
        assert_eq!(questions(&open), []);
    }

    #[test]
    fn questions_come_in_the_order_of_asking() {
        let mut open = Unanswered::default();
        let other = NodeId { workflow: 0, node: 9 };
        let kill = Command::KillNode { node: other, attempt: 3 };
        open.take(NOW, &Event::Tick, &[start(1), kill]);
        assert_eq!(questions(&open), [Question::Run(NODE), Question::Kill(other)]);
        let fault = Some(Fault::new("JA000", "no"));
        open.take(NOW, &Event::NodeKilled { node: other, attempt: 3, fault }, &[]);
        assert_eq!(questions(&open), [Question::Run(NODE)]);
    }
}
