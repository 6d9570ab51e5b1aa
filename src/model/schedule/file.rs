//! Reads a file of schedules in either notation.

use super::findings::{SCHEDULE_INVALID, SCHEDULE_JSON_COMMA, refusal};
use super::{Schedule, body, people};
use crate::data::{self, Fault, FaultKind, Node};
use crate::diag::{Diagnostic, Edit};
use crate::source::{FileId, Span, Text};

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// The body of the REST call, or a list of them.
    Json,
    /// The notation for people.
    Toml,
}

/// The longest file that is read.
const MAX_FILE_BYTES: usize = 16 << 20;

/// The schedules of a file.
pub fn read(notation: Notation, file: FileId, text: &str) -> (Vec<Schedule>, Vec<Diagnostic>) {
    if text.len() > MAX_FILE_BYTES {
        let message = format!("a schedule file must not be longer than {} MiB", MAX_FILE_BYTES >> 20);
        return (Vec::new(), vec![refusal(&SCHEDULE_INVALID, Span::new(file, 0..0), message)]);
    }
    let (node, faults) = match notation {
        Notation::Json => data::json(&Text::verbatim(text, Span::new(file, 0..text.len()))),
        Notation::Toml => data::toml(file, text),
    };
    let mut findings: Vec<Diagnostic> = faults.into_iter().map(|fault| finding(notation, fault)).collect();
    let schedules = node.map_or(Vec::new(), |node| schedules(notation, &node, &mut findings));
    (schedules, findings)
}

fn schedules(notation: Notation, node: &Node, findings: &mut Vec<Diagnostic>) -> Vec<Schedule> {
    match notation {
        Notation::Json => body::schedules(node, findings),
        Notation::Toml => people::schedules(node, findings),
    }
}

fn finding(notation: Notation, fault: Fault) -> Diagnostic {
    let Fault { kind, message, span } = fault;
    match kind {
        FaultKind::Comma => {
            let edit = Edit { span, text: String::new() };
            Diagnostic::new(&SCHEDULE_JSON_COMMA, span, message)
                .help("remove the comma")
                .fix(true, vec![edit])
        }
        FaultKind::Duplicate => refusal(&SCHEDULE_INVALID, span, message),
        FaultKind::Syntax => {
            let name = if notation == Notation::Json { "JSON" } else { "TOML" };
            refusal(&SCHEDULE_INVALID, span, format!("the file is not {name}: {message}"))
        }
    }
}
