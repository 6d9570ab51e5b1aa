//! Attempts of actions: begun once their event is on disk, watched, killed, and told of when they are over.

use std::io::Read;
use std::process::{Command as Process, Stdio};

use super::{Executor, Options, folder_of};
use crate::engine::{Command, During, Event, Fault, NodeEnd, NodeId, Question, Trouble, TroubleKind};
use crate::execute::attempt::{Attempt, LOST, Outcome, State};
use crate::execute::logs;
use crate::execute::news::News;
use crate::execute::runners::{self, Action, Refusal};
use crate::host::ShellError;

/// The code of an attempt of which nothing can be read.
const UNREADABLE: &str = "JA009";

impl Executor<'_> {
    /// Does what was put off until its event was on disk; whether there was anything.
    pub(super) fn carry_out(&mut self) -> Result<bool, ShellError> {
        let commands = std::mem::take(&mut self.put_off);
        let any = !commands.is_empty();
        for command in commands {
            match &command {
                Command::StartNode { .. } => self.waiting.push_back(command),
                Command::EndNode { node, attempt } => {
                    let state = self.attempt(*node, *attempt).state().map_err(|error| error.to_string());
                    self.over(*node, *attempt, state)?;
                }
                Command::KillNode { node, attempt } => self.kill(*node, *attempt)?,
                _ => {}
            }
        }
        let mut started = false;
        while self.running.len() < self.options.jobs {
            let Some(Command::StartNode { node, attempt, kind, definition }) = self.waiting.pop_front()
            else {
                break;
            };
            started = true;
            self.start(node, attempt, &kind, &definition)?;
        }
        Ok(any || started)
    }

    /// The folder of an attempt.
    fn attempt(&self, node: NodeId, attempt: u32) -> Attempt {
        Attempt::new(folder_of(&self.store, node, attempt))
    }

    fn start(&mut self, node: NodeId, number: u32, kind: &str, definition: &str) -> Result<(), ShellError> {
        let open = self.unanswered.get(&Question::Run(node));
        let Some((has_begun, asked)) = open.map(|asked| (asked.has_begun, asked.at.millis())) else {
            return Ok(());
        };
        let attempt = self.attempt(node, number);
        if attempt.is_prepared() && !attempt.was_asked_at(asked) {
            return Err(self.store.has_foreign(attempt.folder()));
        }
        let state = match attempt.state() {
            Ok(state) => state,
            Err(error) => return self.over(node, number, Err(error.to_string())),
        };
        if state == State::Fresh && has_begun && !attempt.is_prepared() {
            // Its folder is gone, and nobody knows what became of it.
            return self.over(node, number, Ok(State::Lost));
        }
        if state == State::Fresh
            && !attempt.is_prepared()
            && let Some(fault) = self.still_runs(node).or_else(|| self.is_unseen(node))
        {
            let trouble = Trouble { kind: TroubleKind::NonTransient, during: During::Start, fault };
            return self.tell_or_drop(Event::NodeTrouble { node, attempt: number, trouble });
        }
        if state == State::Fresh
            && !attempt.is_prepared()
            && let Err(refusal) = self.prepare(node, kind, definition, asked, &attempt)
        {
            let Refusal { kind, fault } = refusal;
            let trouble = Trouble { kind, during: During::Start, fault };
            return self.tell_or_drop(Event::NodeTrouble { node, attempt: number, trouble });
        }
        if !has_begun && (attempt.has_started() || !runners::may_fail_to_start(kind)) {
            self.begin(node, number)?;
        }
        if matches!(state, State::Over(_) | State::Lost) {
            return self.over(node, number, Ok(state));
        }
        self.running.insert(node, number);
        self.watch(node, number, attempt, state == State::Fresh);
        Ok(())
    }

    /// Tells that an attempt has begun.
    fn begin(&mut self, node: NodeId, number: u32) -> Result<(), ShellError> {
        let external_id: Option<std::sync::Arc<str>> = Some(format!("{}-{number}", node.job()).into());
        self.tell_or_drop(Event::NodeStarted { node, attempt: number, external_id, tracker: None })
    }

    /// What an attempt does elsewhere has begun there.
    pub(super) fn begun(&mut self, node: NodeId, number: u32) -> Result<(), ShellError> {
        match self.unanswered.get(&Question::Run(node)) {
            Some(asked) if !asked.has_begun => self.begin(node, number),
            _ => Ok(()),
        }
    }

    fn prepare(
        &self,
        node: NodeId,
        kind: &str,
        definition: &str,
        asked_millis: i64,
        attempt: &Attempt,
    ) -> Result<(), Refusal> {
        let job = self.engine.workflow(node.job());
        let job = job.ok_or_else(|| Fault::new("JA018", "its workflow is not known"))?;
        let conf = job.conf.clone().unwrap_or_default();
        let app = self.deployed.path(&job.key).and_then(|path| Some(path.parent()?.to_owned()));
        let app = app.unwrap_or_default();
        let storage = &self.storage;
        let Options { commands, outward, .. } = &self.options;
        let job_id = node.job().with_middle(&self.engine.settings().id_middle);
        let action_id = format!("{job_id}@{}", job.node_name(node.node));
        let evaluate = |text: &str| self.engine.evaluate(node, text, &self.storage);
        let action = Action {
            kind,
            definition,
            conf: &conf,
            app: &app,
            storage,
            commands,
            outward,
            job_id: &job_id,
            action_id: &action_id,
            asked_millis,
            evaluate: &evaluate,
        };
        runners::prepare(&action, attempt)
    }

    /// Lets a supervisor run an attempt, or waits for the one that does.
    fn watch(&self, node: NodeId, number: u32, attempt: Attempt, begins: bool) {
        let (sender, program) = (self.sender.clone(), self.options.program.clone());
        std::thread::spawn(move || {
            let ran = if begins {
                let mut process = Process::new(program);
                process.arg("supervise").arg(attempt.folder());
                process.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
                #[cfg(unix)]
                std::os::unix::process::CommandExt::process_group(&mut process, 0);
                let status = process.spawn().and_then(|mut process| {
                    // It says a line when something has begun elsewhere; its end closes the pipe.
                    let said = process.stdout.as_mut().map(|pipe| pipe.read(&mut [0; 16])).transpose()?;
                    if said.is_some_and(|bytes| bytes > 0) {
                        let _ = sender.send(News::Begun { node, attempt: number });
                    }
                    process.wait()
                });
                status.and_then(|status| match status.success() || attempt.is_begun() {
                    // Where it was ended in the middle, what it has left tells how far it came.
                    true => attempt.wait(),
                    false => Err(std::io::Error::other(format!("its supervisor ended with {status}"))),
                })
            } else {
                attempt.wait()
            };
            let state = match attempt.is_prepared() {
                true => ran.and_then(|()| attempt.state()).map_err(|error| error.to_string()),
                // Its folder is gone, and nobody knows what became of it.
                false => Ok(State::Lost),
            };
            // Nobody listens any more when the executor has left.
            let _ = sender.send(News::Over { node, attempt: number, state });
        });
    }

    fn kill(&mut self, node: NodeId, number: u32) -> Result<(), ShellError> {
        self.waiting
            .retain(|command| !matches!(command, Command::StartNode { node: other, .. } if *other == node));
        let attempt = self.attempt(node, number);
        // Asked first: a supervisor that has yet to begin looks before it does.
        if attempt.is_prepared() {
            let asked = attempt.ask_kill();
            asked.map_err(|source| ShellError::Write { path: attempt.folder().to_owned(), source })?;
        }
        if self.running.contains_key(&node) {
            return Ok(());
        }
        // What was begun elsewhere and is followed by nobody is ended there.
        let state = attempt.state();
        let is_elsewhere = matches!(state, Ok(State::Fresh)) && attempt.is_begun();
        if is_elsewhere || matches!(state, Ok(State::Running)) {
            self.running.insert(node, number);
            self.watch(node, number, attempt, is_elsewhere);
            return Ok(());
        }
        self.end_lost(&attempt);
        self.tell_or_drop(Event::NodeKilled { node, attempt: number, fault: None })
    }

    /// Lets supervisors end what an operator has killed where no executor runs that would; one that goes on later hears of
    /// the ends.
    pub(super) fn end_what_is_killed(&self) -> Result<(), ShellError> {
        for command in &self.open {
            let Command::KillNode { node, attempt } = command else { continue };
            let attempt = self.attempt(*node, *attempt);
            if attempt.is_prepared() {
                let asked = attempt.ask_kill();
                asked.map_err(|source| ShellError::Write { path: attempt.folder().to_owned(), source })?;
            }
            self.end_lost(&attempt);
        }
        Ok(())
    }

    /// An attempt is over, or was found so.
    pub(super) fn over(
        &mut self,
        node: NodeId,
        attempt: u32,
        state: Result<State, String>,
    ) -> Result<(), ShellError> {
        if self.running.get(&node) == Some(&attempt) {
            self.running.remove(&node);
        }
        let is_killed = self.unanswered.get(&Question::Kill(node)).is_some();
        if is_killed {
            let fault = match state {
                Ok(State::Over(Outcome { killed: true, fault, .. })) => fault,
                _ => None,
            };
            let fault = fault.map(|(code, words)| Fault::new(&code, words));
            return self.tell_or_drop(Event::NodeKilled { node, attempt, fault });
        }
        if self.attempt(node, attempt).has_started() {
            self.begun(node, attempt)?;
        }
        let trouble = |kind, during, code: &str, words: String| Event::NodeTrouble {
            node,
            attempt,
            trouble: Trouble { kind, during, fault: Fault::new(code, words) },
        };
        let event = match state {
            Ok(State::Over(outcome)) => {
                // Of what ran elsewhere, too.
                if outcome.fault.as_ref().is_some_and(|(code, _)| code == LOST) {
                    self.note_unseen(node, attempt)?;
                }
                if self.listen.is_some() && !outcome.ok {
                    let said = logs::end_of(&self.attempt(node, attempt).stderr());
                    self.said.extend(said.map(|said| (node, said)));
                }
                let has_begun = self.has_begun(node);
                ended(node, attempt, outcome, if has_begun { During::Check } else { During::Start })
            }
            Ok(State::Fresh) => {
                // Its supervisor gave way to one that had gone.
                self.running.insert(node, attempt);
                self.watch(node, attempt, self.attempt(node, attempt), true);
                return Ok(());
            }
            Ok(State::Lost) => {
                let words = self.lost(node, attempt);
                self.note_unseen(node, attempt)?;
                trouble(TroubleKind::NonTransient, During::Check, LOST, words)
            }
            Ok(State::Running) => {
                self.running.insert(node, attempt);
                self.watch(node, attempt, self.attempt(node, attempt), false);
                return Ok(());
            }
            // What it did is over, and only its end cannot be read: a resume reads it again, and does nothing twice.
            Err(words) if self.attempt(node, attempt).has_result() => {
                let job = node.job();
                let words = format!(
                    "{words}; what it did is over, and only its end cannot be read: bring the file back and use `ankus job \
                     {job} resume`, or `ankus job {job} kill` and `ankus job {job} rerun --failed`"
                );
                trouble(TroubleKind::NonTransient, During::End, UNREADABLE, words)
            }
            Err(words) => trouble(TroubleKind::NonTransient, During::Check, UNREADABLE, words),
        };
        let is_start =
            matches!(&event, Event::NodeTrouble { trouble, .. } if trouble.during == During::Start);
        if !is_start && !self.has_begun(node) {
            self.begin(node, attempt)?;
        }
        self.tell_or_drop(event)
    }

    /// Whether the engine knows that an action has begun, or does not wait for it.
    fn has_begun(&self, node: NodeId) -> bool {
        self.unanswered.get(&Question::Run(node)).is_none_or(|asked| asked.has_begun)
    }
}

fn ended(node: NodeId, attempt: u32, outcome: Outcome, during: During) -> Event {
    let fault = outcome.fault.map(|(code, words)| Fault::new(&code, words));
    match (fault, outcome.trouble) {
        (Some(fault), Some(kind)) => {
            // What had begun is not begun again by itself.
            let is_over = (kind, during) == (TroubleKind::Transient, During::Check);
            let kind = if is_over { TroubleKind::NonTransient } else { kind };
            Event::NodeTrouble { node, attempt, trouble: Trouble { kind, during, fault } }
        }
        (fault, _) => {
            let end = NodeEnd {
                ok: outcome.ok,
                external_status: Some(outcome.status.into()),
                fault,
                data: outcome.data.map(Into::into),
                stats: outcome.stats.map(Into::into),
                ..NodeEnd::default()
            };
            Event::NodeEnded { node, attempt, end }
        }
    }
}
