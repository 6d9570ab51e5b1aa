//! What the command line says of itself: the commands with their examples, and the way from words of other tools.

pub mod examples;
pub mod words;

use clap::{Command, CommandFactory};

use crate::cli::arguments::Cli;
use examples::Examples;

/// What exit codes mean, the same for all commands.
pub const EXIT_STATUS: &[(&str, &str)] = &[
    ("0", "clean: no finding counts, everything succeeded"),
    ("1", "findings at or above --fail-on, or a job or an answer that failed"),
    ("2", "the work could not be done"),
];

/// The variables of the environment that count.
pub const ENVIRONMENT: &[(&str, &str)] = &[
    ("NO_COLOR", "when it is set and not empty, --color=auto uses no colours"),
    ("TERM", "`dumb`: `ankus run` prints lines and draws nothing"),
    ("PATH", "where `ankus run` finds the programs that actions need"),
];

/// All commands, each with its examples.
pub fn command() -> Command {
    let mut command = Cli::command();
    for examples in examples::ALL {
        command = with_examples(command, examples.command, examples);
    }
    command
}

/// The command with examples put below the one that `path` leads to.
fn with_examples(command: Command, path: &str, examples: &Examples) -> Command {
    match path.split_once(' ') {
        Some((first, rest)) => command.mut_subcommand(first, |sub| with_examples(sub, rest, examples)),
        None if command.get_name() == path => command.after_help(shown(examples)),
        None => command.mut_subcommand(path, |sub| with_examples(sub, path, examples)),
    }
}

/// The examples as help shows them.
fn shown(examples: &Examples) -> String {
    let mut text = "Examples:".to_owned();
    for (line, purpose) in examples.lines {
        text.push_str(&format!("\n  {line}\n      {purpose}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a line as a shell makes them; quotes only as the examples use them.
    fn words(line: &str) -> Vec<String> {
        let mut words = Vec::new();
        for (index, part) in line.split('\'').enumerate() {
            match index % 2 {
                0 => words.extend(part.split_whitespace().map(str::to_owned)),
                _ => words.push(part.to_owned()),
            }
        }
        words
    }

    #[test]
    fn every_command_has_examples_that_parse() {
        let known: Vec<&str> = examples::ALL.iter().map(|examples| examples.command).collect();
        for sub in command().get_subcommands().filter(|sub| !sub.is_hide_set()) {
            assert!(known.contains(&sub.get_name()), "{} has no example", sub.get_name());
            for below in sub.get_subcommands() {
                let path = format!("{} {}", sub.get_name(), below.get_name());
                assert!(known.contains(&path.as_str()), "{path} has no example");
            }
        }
        for examples in examples::ALL {
            for (line, _) in examples.lines {
                // What a shell does with the output is not for us to parse.
                let line = line.split(" | ").flat_map(|line| line.split(" > ")).next().unwrap_or_default();
                let parsed = command().try_get_matches_from(words(line));
                assert!(parsed.is_ok(), "{line}: {}", parsed.expect_err("checked"));
                let named = words(line).join(" ");
                let first = examples.command.split(' ').next().unwrap_or_default();
                let begins = if first == "ankus" { "ankus ".to_owned() } else { format!("ankus {first}") };
                assert!(named.starts_with(&begins), "{line} is of another command");
            }
        }
    }
}
