//! The sentences of `ankus schedule`, and the requests that they stand for.

mod parse;
mod properties;
mod request;

use std::collections::BTreeSet;

use super::Schedule;
use super::build::{ScheduleBuilder, Triggering};
use super::constraint::{Constraint, Limit};
use super::name::{
    DEFAULT_NAMESPACE, DEFAULT_VERSION, Program, ProgramKind, ScheduleName, Status, name_fault,
};
use super::trigger::Condition;
use crate::diag::closest;
use crate::source::{Span, Text};
use crate::time::cron::Cron;
use parse::{Form, Part, Word};

pub use request::{Request, request};

/// The longest sentence that is read.
pub const MAX_SENTENCE_BYTES: usize = 1 << 20;

/// What keeps a text from being a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentenceError {
    /// The byte at which it goes wrong.
    pub offset: usize,
    /// What is wrong there, and what was expected.
    pub message: String,
}

/// What a sentence asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Sentence {
    /// A schedule is added, or replaces the one of its name.
    Put {
        /// The schedule.
        schedule: Box<Schedule>,
        /// It replaces one.
        is_update: bool,
    },
    /// Something is done with a schedule.
    Change {
        /// What.
        verb: Verb,
        /// Which; without an application, the one schedule of this name.
        name: Named,
    },
    /// The status of a schedule is asked for.
    Status {
        /// Which.
        name: Named,
    },
    /// The schedules of a workflow are asked for.
    Schedules {
        /// The workflow.
        program: Named,
    },
}

/// `app.name`, or a name alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The application.
    pub application: Option<String>,
    /// The name itself.
    pub name: String,
}

impl Named {
    /// Takes `app.name` apart at its first dot.
    pub fn parse(text: &str) -> Named {
        match text.split_once('.') {
            Some((application, name)) if !application.is_empty() && !name.is_empty() => {
                Named { application: Some(application.to_owned()), name: name.to_owned() }
            }
            _ => Named { application: None, name: text.to_owned() },
        }
    }
}

/// What can be done with a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// It is removed.
    Delete,
    /// It fires no more, until it is resumed.
    Suspend,
    /// It fires again.
    Resume,
    /// As [`Verb::Resume`].
    Enable,
    /// As [`Verb::Suspend`].
    Disable,
}

impl Verb {
    const ALL: [(Verb, &'static str); 5] = [
        (Verb::Delete, "delete"),
        (Verb::Suspend, "suspend"),
        (Verb::Resume, "resume"),
        (Verb::Enable, "enable"),
        (Verb::Disable, "disable"),
    ];

    /// The word of the sentence and of the path.
    pub fn name(self) -> &'static str {
        Verb::ALL.iter().find(|(verb, _)| *verb == self).map_or("", |(_, name)| name)
    }
}

/// Reads a sentence; `span` is where what is made of it stands.
pub fn read(text: &str, span: Span) -> Result<Sentence, SentenceError> {
    if text.len() > MAX_SENTENCE_BYTES {
        let message = format!("a sentence must not be longer than {} MiB", MAX_SENTENCE_BYTES >> 20);
        return Err(SentenceError { offset: 0, message });
    }
    let (form, words) = parse::parse(text)?;
    let words = Words(words);
    let named = |part: Part| words.last(part).map_or(Named::parse(""), |word| Named::parse(&word.text));
    match form {
        Form::StatusOf => Ok(Sentence::Status { name: named(Part::Name) }),
        Form::SchedulesOf => Ok(Sentence::Schedules { program: named(Part::Program) }),
        Form::Change => {
            let verb = words.text(Part::Verb);
            let verb =
                Verb::ALL.iter().find(|(_, name)| *name == verb).map_or(Verb::Delete, |(verb, _)| *verb);
            Ok(Sentence::Change { verb, name: named(Part::Name) })
        }
        Form::Program | Form::Time => {
            let schedule = schedule(&words, form, span)?;
            let is_update = words.text(Part::Verb) == "update";
            Ok(Sentence::Put { schedule: Box::new(schedule), is_update })
        }
    }
}

struct Words(Vec<Word>);

impl Words {
    fn all(&self, part: Part) -> impl Iterator<Item = &Word> {
        self.0.iter().filter(move |word| word.part == part)
    }

    fn last(&self, part: Part) -> Option<&Word> {
        self.all(part).last()
    }

    fn text(&self, part: Part) -> &str {
        self.last(part).map_or("", |word| word.text.as_str())
    }

    /// A part that stands there at most once, as a part of a name.
    fn once(&self, part: Part) -> Result<Option<String>, SentenceError> {
        let mut all = self.all(part);
        let Some(word) = all.next() else { return Ok(None) };
        if let Some(again) = all.next() {
            return Err(fault(again, "this part of the sentence stands there twice"));
        }
        if !matches!(part, Part::Description | Part::Concurrency | Part::Properties)
            && let Some(why) = name_fault(&word.text)
        {
            return Err(fault(word, format!("the name {why}")));
        }
        Ok(Some(word.text.clone()))
    }
}

fn fault(word: &Word, message: impl Into<String>) -> SentenceError {
    SentenceError { offset: word.offset, message: message.into() }
}

fn schedule(words: &Words, form: Form, span: Span) -> Result<Schedule, SentenceError> {
    let mut kinds = words.all(Part::Kind).map(kind);
    let own_kind = kinds.next().transpose()?.unwrap_or(ProgramKind::Workflow);
    let program = Named::parse(&words.once(Part::Program)?.unwrap_or_default());
    let name = Named::parse(&words.once(Part::Name)?.unwrap_or_default());
    let Some(application) = program.application.or_else(|| name.application.clone()) else {
        let word = words.last(Part::Program);
        let offset = word.map_or(0, |word| word.offset);
        let message =
            format!("it is not said which application `{}` belongs to: write `app.{0}`", program.name);
        return Err(SentenceError { offset, message });
    };
    if name.application.as_ref().is_some_and(|own| *own != application) {
        let offset = words.last(Part::Name).map_or(0, |word| word.offset);
        let message = format!("the schedule must belong to `{application}`, the application of its program");
        return Err(SentenceError { offset, message });
    }
    let program = Program {
        namespace: DEFAULT_NAMESPACE.to_owned(),
        application,
        version: words.once(Part::OwnVersion)?.unwrap_or_else(|| DEFAULT_VERSION.to_owned()),
        kind: own_kind,
        name: program.name,
    };
    let mut builder = ScheduleBuilder::new(name.name, program, span)
        .description(words.once(Part::Description)?.unwrap_or_default());
    if words.once(Part::Concurrency)?.is_some()
        && let Some(word) = words.last(Part::Concurrency)
    {
        let max = word.text.parse::<u64>().ok().filter(|max| *max >= 1);
        let max = max.ok_or_else(|| fault(word, "`concurrency` must be a whole number of at least 1"))?;
        let limit = Limit::Concurrency { max };
        let waits = limit.waits_by_default();
        builder = builder.constraint(Constraint { limit, waits, span });
    }
    if words.once(Part::Properties)?.is_some()
        && let Some(word) = words.last(Part::Properties)
    {
        for (name, value) in properties::read(&word.text).map_err(|message| fault(word, message))? {
            builder = builder.property(&name, value);
        }
    }
    if form == Form::Time {
        let word = words.last(Part::Cron);
        let text = word.map_or(String::new(), |word| word.text.clone());
        if let (Err(error), Some(word)) = (Cron::parse(&text), word) {
            return Err(fault(word, error.message));
        }
        return Ok(builder.trigger_by_time(Text::computed(text, span)));
    }
    let kind = kinds.next().transpose()?.unwrap_or(ProgramKind::Workflow);
    let mut statuses = BTreeSet::new();
    for word in words.all(Part::Status) {
        statuses.extend(Status::from_word(&word.text).ok_or_else(|| {
            let names = Status::ALL.map(Status::name);
            let near = closest(&word.text, names).map(|near| format!("; did you mean `{near}`?"));
            let near = near.unwrap_or_else(|| "; use COMPLETED, FAILED or KILLED".to_owned());
            fault(word, format!("`{}` is not a status that can start a program{near}", word.text))
        })?);
    }
    let application = words.once(Part::Application)?;
    let triggering = words.once(Part::Triggering)?.unwrap_or_default();
    // With an application of its own, the whole word is the name.
    let triggering = match application {
        Some(_) => Named { application, name: triggering },
        None => Named::parse(&triggering),
    };
    let of = Triggering {
        namespace: words.once(Part::Namespace)?,
        application: triggering.application,
        version: words.once(Part::Version)?,
    };
    let condition = Condition::default();
    Ok(builder.trigger_on_program_status(of, kind, &triggering.name, statuses, condition))
}

fn kind(word: &Word) -> Result<ProgramKind, SentenceError> {
    ProgramKind::from_name(&word.text).ok_or_else(|| {
        let names = ProgramKind::ALL.map(ProgramKind::name);
        let near = closest(&word.text, names).map(|near| format!("; did you mean `{near}`?"));
        let near = near.unwrap_or_else(|| format!("; use one of {}", names.join(", ")));
        fault(word, format!("`{}` is not a type of program{near}", word.text))
    })
}

impl Named {
    /// The schedule of this name in the default namespace and version; none without an application.
    pub fn schedule(&self) -> Option<ScheduleName> {
        Some(ScheduleName {
            namespace: DEFAULT_NAMESPACE.to_owned(),
            application: self.application.clone()?,
            version: DEFAULT_VERSION.to_owned(),
            name: self.name.clone(),
        })
    }
}
