//! `ankus schedule`: sentences about program-status schedules.

use std::io::Write;

use serde_json::json;

use crate::host::ShellError;
use crate::model::schedule::sentence::{self, Sentence, SentenceError};
use crate::shell::{Context, Status};
use crate::source::{Sources, Span};

/// The option that may also stand behind the sentence.
const SHOW_REQUEST: &str = "--show-request";

/// The arguments of `ankus schedule`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print the request to a web service that the sentence stands for
    #[arg(long)]
    show_request: bool,
    /// The sentence, such as `add program schedule NAME for workflow APP.PROGRAM after program OTHER type workflow
    /// status completed`
    #[arg(value_name = "SENTENCE", required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true)]
    sentence: Vec<String>,
}

/// Runs `ankus schedule`.
pub fn run(mut args: Args, context: &mut Context) -> Result<Status, ShellError> {
    if args.sentence.last().is_some_and(|word| word == SHOW_REQUEST) {
        args.sentence.pop();
        args.show_request = true;
    }
    let text = joined(&args.sentence);
    let file = Sources::new().add("sentence", "");
    let sentence = sentence::read(&text, Span::new(file, 0..0)).map_err(|error| misread(&text, &error))?;
    if !args.show_request {
        let message = "only `--show-request` is implemented: schedules cannot be kept in a store yet";
        return Err(ShellError::usage(message));
    }
    let Some(request) = sentence::request(&sentence) else {
        let name = match &sentence {
            Sentence::Change { name, .. } | Sentence::Status { name } => &name.name,
            Sentence::Schedules { program } => &program.name,
            Sentence::Put { schedule, .. } => &schedule.id.name,
        };
        let message = format!("the request needs the application of `{name}`: write `app.{name}`");
        return Err(ShellError::usage(message));
    };
    let document = json!({ "method": request.method, "path": request.path, "body": request.body });
    writeln!(context.io.out, "{document}")?;
    Ok(Status::Clean)
}

/// The words as one sentence; those that a shell has taken the quotes from get them back.
fn joined(words: &[String]) -> String {
    if let [only] = words {
        return only.clone();
    }
    let quoted = |word: &String| {
        if !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c == '"') {
            return word.clone();
        }
        format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// How much of a sentence is shown before the place of a mistake.
const MAX_SHOWN_CHARS: usize = 60;

fn misread(text: &str, error: &SentenceError) -> ShellError {
    let before: Vec<char> = text[..error.offset].chars().collect();
    let cut = before.len().saturating_sub(MAX_SHOWN_CHARS);
    let shown: String = before[cut..]
        .iter()
        .chain(text[error.offset..].chars().collect::<Vec<_>>().iter())
        .take(2 * MAX_SHOWN_CHARS)
        .collect();
    let plain = |text: &str| text.replace(['\n', '\r', '\t'], " ");
    let marker = " ".repeat(before.len() - cut);
    ShellError::usage(format!("{}\n  {}\n  {marker}^", error.message, plain(&shown)))
}
