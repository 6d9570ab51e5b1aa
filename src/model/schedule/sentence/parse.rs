//! Reads sentences: the only place that names pest for them.

// Pest derives items without docs.
#![allow(missing_docs, reason = "pest's derived rule names carry no documentation")]

use pest::Parser as _;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;

use super::SentenceError;

#[derive(pest_derive::Parser)]
#[grammar = "../grammar/schedule.pest"]
struct Grammar;

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// What part it is.
    pub(super) part: Part,
    /// Its text without quotes.
    pub(super) text: String,
    /// Where it stands in the sentence.
    pub(super) offset: usize,
}

/// The parts of sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// `add`, `delete` and the like.
    Verb,
    Name,
    Kind,
    Program,
    OwnVersion,
    Description,
    Triggering,
    Status,
    Cron,
    Namespace,
    Application,
    Version,
    Concurrency,
    Properties,
}

/// The forms of sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `add|update program schedule …`
    Program,
    /// `add|update time schedule …`
    Time,
    /// `delete|suspend|resume|enable|disable schedule …`
    Change,
    /// `get schedule status …`
    StatusOf,
    /// `get workflow schedules …`
    SchedulesOf,
}

/// Takes a sentence apart.
pub(super) fn parse(text: &str) -> Result<(Form, Vec<Word>), SentenceError> {
    // A blank at the end, so that what is missing is looked for behind the last word.
    let padded = format!("{text} ");
    let mut pairs = Grammar::parse(Rule::sentence, &padded).map_err(|error| fault(&error, text))?;
    let order = pairs.next().and_then(|sentence| sentence.into_inner().next());
    let Some(order) = order else {
        return Err(SentenceError { offset: 0, message: "this is not a sentence".to_owned() });
    };
    let form = match order.as_rule() {
        Rule::add_program => Form::Program,
        Rule::add_time => Form::Time,
        Rule::change => Form::Change,
        Rule::status_of => Form::StatusOf,
        _ => Form::SchedulesOf,
    };
    Ok((form, order.into_inner().filter_map(word).collect()))
}

fn word(pair: Pair<'_, Rule>) -> Option<Word> {
    let part = match pair.as_rule() {
        Rule::verb_add | Rule::verb_change => Part::Verb,
        Rule::name => Part::Name,
        Rule::kind => Part::Kind,
        Rule::program => Part::Program,
        Rule::own_version => Part::OwnVersion,
        Rule::description => Part::Description,
        Rule::triggering => Part::Triggering,
        Rule::status => Part::Status,
        Rule::cron => Part::Cron,
        Rule::namespace => Part::Namespace,
        Rule::application => Part::Application,
        Rule::version => Part::Version,
        Rule::concurrency => Part::Concurrency,
        Rule::properties => Part::Properties,
        _ => return None,
    };
    let (offset, whole) = (pair.as_span().start(), pair.as_str());
    // The last piece is the value; a verb has a keyword alone.
    let Some(value) = pair.into_inner().last().filter(|_| part != Part::Verb) else {
        return Some(Word { part, text: whole.to_lowercase(), offset });
    };
    let offset = value.as_span().start();
    let text = match value.as_rule() {
        Rule::quoted => unescaped(value.into_inner().as_str()),
        _ => value.as_str().to_owned(),
    };
    Some(Word { part, text, offset })
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    out
}

fn fault(error: &pest::error::Error<Rule>, text: &str) -> SentenceError {
    let offset = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let mut expected: Vec<String> = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => {
            positives.iter().filter_map(|rule| said(*rule)).collect()
        }
        ErrorVariant::CustomError { .. } => Vec::new(),
    };
    expected.dedup();
    let offset = offset.min(text.len());
    let rest = text[offset..].trim_start();
    let found = rest.split_whitespace().next();
    let begin = match found {
        Some(word) => format!("`{}` is not understood here", word.chars().take(40).collect::<String>()),
        None => "the sentence ends too soon".to_owned(),
    };
    let message = match expected.as_slice() {
        [] => begin,
        [only] => format!("{begin}: {only} is expected"),
        [first @ .., last] => format!("{begin}: {} or {last} is expected", first.join(", ")),
    };
    let offset = text.len() - if found.is_some() { rest.len() } else { 0 };
    SentenceError { offset, message }
}

fn said(rule: Rule) -> Option<String> {
    let name = format!("{rule:?}");
    if let Some(keyword) = name.strip_prefix("kw_") {
        return Some(format!("`{keyword}`"));
    }
    Some(match rule {
        Rule::verb_add => "`add` or `update`".to_owned(),
        Rule::verb_change => "`delete`, `suspend`, `resume`, `enable` or `disable`".to_owned(),
        Rule::add_program | Rule::add_time => "`add` or `update`".to_owned(),
        Rule::change => "`delete`, `suspend`, `resume`, `enable`, `disable`".to_owned(),
        Rule::status_of | Rule::schedules_of => "`get`".to_owned(),
        Rule::name => "the name of a schedule".to_owned(),
        Rule::program | Rule::triggering => "the name of a program".to_owned(),
        Rule::kind => "a type of program".to_owned(),
        Rule::status => "a status".to_owned(),
        Rule::cron => "a cron expression in quotes".to_owned(),
        Rule::own_version | Rule::version => "`version`".to_owned(),
        Rule::description => "`description`".to_owned(),
        Rule::namespace => "`namespace`".to_owned(),
        Rule::application => "`application`".to_owned(),
        Rule::concurrency => "`concurrency`".to_owned(),
        Rule::properties => "`properties`".to_owned(),
        Rule::quoted | Rule::plain | Rule::inner => "a word".to_owned(),
        _ => return None,
    })
}
