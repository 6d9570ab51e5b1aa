//! What actions wrote to standard output and standard error, and what they go on writing: labelled, with stars for
//! secrets, whole lines at a time.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::view::Tried;
use crate::host::ShellError;
use crate::redact::Redactor;

/// How much is read at once; a longer line is told in pieces.
const PIECE_BYTES: usize = 256 * 1024;

/// Which attempts are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// An action by name or number, anywhere on the way.
    pub action: Option<String>,
    /// Which try of it.
    pub attempt: Option<Which>,
}

/// One of the attempts of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The newest.
    Last,
    /// By its number, from 1.
    Number(u32),
}

impl std::str::FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Which, String> {
        match text.parse() {
            Ok(number) if number > 0 => Ok(Which::Number(number)),
            _ if text == "last" => Ok(Which::Last),
            _ => Err("it is neither a number from 1 nor `last`".to_owned()),
        }
    }
}

impl Wanted {
    /// Whether an attempt is.
    pub fn includes(&self, tried: &Tried) -> bool {
        let is_named = |name: &String| {
            let name = name.trim_start_matches('@');
            tried.path.split('/').any(|part| part.trim_start_matches('@') == name)
        };
        let is_which = |which: Which| match which {
            Which::Last => tried.is_last,
            Which::Number(number) => tried.number == number,
        };
        self.action.as_ref().is_none_or(is_named) && self.attempt.is_none_or(is_which)
    }
}

/// Shows logs, each part of them once.
#[derive(Debug, Default)]
pub struct Logs {
    read: BTreeMap<PathBuf, u64>,
    /// Under which label the last line stands.
    label: Option<String>,
    /// Whether that line has no end yet.
    is_open: bool,
}

impl Logs {
    /// Shows what is new. A last line without an end is shown when nothing more will come.
    pub fn show(
        &mut self,
        tried: &[Tried],
        veil: &Redactor,
        is_over: bool,
        out: &mut dyn Write,
    ) -> Result<(), ShellError> {
        for one in tried {
            let mut number = String::new();
            for (word, which) in [("run", one.run), ("attempt", one.number)] {
                if which > 1 {
                    number.push_str(&format!(", {word} {which}"));
                }
            }
            for (stream, path) in [("stdout", one.attempt.stdout()), ("stderr", one.attempt.stderr())] {
                let label = format!("== {}{number}, {stream}", one.path);
                self.file(&label, &path, veil, is_over, out)?;
            }
        }
        Ok(out.flush()?)
    }

    fn file(
        &mut self,
        label: &str,
        path: &Path,
        veil: &Redactor,
        is_over: bool,
        out: &mut dyn Write,
    ) -> Result<(), ShellError> {
        let fault = |source| ShellError::Read { path: path.to_owned(), source };
        let mut file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            opened => opened.map_err(fault)?,
        };
        let mut from = self.read.get(path).copied().unwrap_or_default();
        file.seek(SeekFrom::Start(from)).map_err(fault)?;
        loop {
            let mut bytes = Vec::new();
            (&mut file).take(PIECE_BYTES as u64).read_to_end(&mut bytes).map_err(fault)?;
            let is_full = bytes.len() == PIECE_BYTES;
            let whole = match bytes.iter().rposition(|byte| *byte == b'\n') {
                _ if is_over && !is_full => bytes.len(),
                Some(end) => end + 1,
                None if is_full => bytes.len(),
                None => 0,
            };
            if whole == 0 {
                break;
            }
            bytes.truncate(whole);
            from += whole as u64;
            file.seek(SeekFrom::Start(from)).map_err(fault)?;
            self.begin(label, out)?;
            self.is_open = bytes.last() != Some(&b'\n');
            out.write_all(&veiled(veil, bytes))?;
        }
        self.read.insert(path.to_owned(), from);
        Ok(())
    }

    fn begin(&mut self, label: &str, out: &mut dyn Write) -> Result<(), ShellError> {
        if self.label.as_deref() != Some(label) {
            if self.is_open {
                writeln!(out)?;
            }
            writeln!(out, "{label}")?;
            self.label = Some(label.to_owned());
        }
        Ok(())
    }
}

/// How much of the end of what an action wrote is looked at when it has failed.
const END_BYTES: u64 = 8 * 1024;

/// The end of what an action wrote to a file; none where there is none.
pub fn end_of(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(END_BYTES))).ok()?;
    let mut bytes = Vec::new();
    file.take(END_BYTES).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (!text.trim().is_empty()).then_some(text)
}

/// Bytes with stars for the secrets in them, which are text.
fn veiled(veil: &Redactor, bytes: Vec<u8>) -> Vec<u8> {
    let text = String::from_utf8_lossy(&bytes);
    let shown: String = text.split_inclusive('\n').map(|line| veil.text(line)).collect();
    if shown == text { bytes } else { shown.into_bytes() }
}

/// Shows what is there, and what comes, until the job is over or nobody waits any more. `look` tells the attempts, what is
/// secret and whether the job is over; `wait` whether to look again.
pub fn follow(
    mut look: impl FnMut() -> Result<(Vec<Tried>, Redactor, bool), ShellError>,
    mut wait: impl FnMut() -> bool,
    out: &mut dyn Write,
) -> Result<(), ShellError> {
    let mut logs = Logs::default();
    loop {
        // Asked before the files are read: what is written later is read in the next round.
        let (tried, veil, is_over) = look()?;
        logs.show(&tried, &veil, is_over, out)?;
        if is_over || !wait() {
            return Ok(());
        }
    }
}
