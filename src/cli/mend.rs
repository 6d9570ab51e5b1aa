//! `--fix`, `--unsafe`, `--diff`: fixes are tried on copies in memory, judged by checking again, and only then written.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diag::Severity;
use crate::host::ShellError;
use crate::host::files::{self, Content};
use crate::host::io;
use crate::host::overlay::{self, Overlay};
use crate::mend::edits::{self, Change};
use crate::mend::verdict::{self, Objection};
use crate::mend::{FixKey, Level, choice, diff};
use crate::report::findings::Findings;
use crate::report::record::{Record, RecordFix};
use crate::shell::Context;

/// How often everything is checked again, so that fixes that disturb each other come to an end.
const MAX_CHECKS: usize = 100;

/// The arguments that say what is mended.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[command(next_help_heading = "Fixes")]
pub struct MendArgs {
    /// Mend what can be mended without a doubt, then say what is left
    #[arg(long)]
    pub fix: bool,
    /// With --fix or --diff: also mend where the mending is a guess
    #[arg(long = "unsafe")]
    pub is_unsafe: bool,
    /// Print what --fix would change, and change nothing
    #[arg(long, conflicts_with = "fix")]
    pub diff: bool,
}

impl MendArgs {
    /// Whether anything is to be mended.
    pub fn any(self) -> Result<bool, ShellError> {
        if self.is_unsafe && !self.fix && !self.diff {
            return Err(ShellError::usage("`--unsafe` goes with `--fix` or `--diff`"));
        }
        Ok(self.fix || self.diff)
    }

    fn takes(self, fix: &RecordFix) -> bool {
        fix.safe || self.is_unsafe
    }
}

/// A fix that was not kept.
#[derive(Debug)]
struct Refused {
    /// `path:line:column`, the rule and why.
    words: String,
}

/// A file that changes.
struct NewVersion<'a> {
    path: &'a Path,
    /// What stands on disk.
    old: Vec<u8>,
    new: &'a [u8],
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Mended {
    /// The new contents.
    contents: Overlay,
    /// How many findings were mended.
    fixed: usize,
    /// Which rules had which lines changed: lines of the file on disk, from 0.
    reasons: BTreeMap<PathBuf, Vec<(usize, &'static str)>>,
    /// The lines of the new contents, by those of the file on disk.
    origins: BTreeMap<PathBuf, Vec<usize>>,
    refused: BTreeMap<FixKey, Refused>,
    /// More was to be done than the limit allows.
    is_cut: bool,
}

/// Tries the fixes of findings of at least the severity `down_to`, until none is left. `check` looks at everything anew.
pub fn mend(
    paths: &[PathBuf],
    args: MendArgs,
    down_to: Severity,
    check: &dyn Fn() -> Result<Findings, ShellError>,
) -> Result<Mended, ShellError> {
    let grounds = Grounds::of(paths);
    let mut mended = Mended::default();
    let mut doubtful: BTreeSet<FixKey> = BTreeSet::new();
    let mut before = check()?;
    for round in 0.. {
        mended.is_cut = round == MAX_CHECKS;
        if mended.is_cut {
            break;
        }
        mended.refuse_strangers(&before, args, down_to, &grounds);
        let open = |record: &Record, fix: &RecordFix| {
            record.severity <= down_to && args.takes(fix) && !mended.refused.contains_key(&FixKey::of(record))
        };
        let wanting = before.iter().filter(|record| record.fix.as_ref().is_some_and(|fix| open(record, fix)));
        let Some(level) = wanting.map(|record| Level::of(record.rule)).min() else { break };
        let of_level =
            |record: &Record, fix: &RecordFix| open(record, fix) && Level::of(record.rule) == level;
        let mut batch = choice::together(before.iter(), |record, fix| {
            of_level(record, fix) && !doubtful.contains(&FixKey::of(record))
        });
        if batch.is_empty() {
            // Those that did not go well with others are tried one by one.
            batch = choice::together(before.iter(), of_level);
            batch.truncate(1);
        }
        let (batch, contents) = mended.applied(batch);
        if batch.is_empty() {
            continue;
        }
        let overlay = Arc::new(contents);
        let after = overlay::with(Arc::clone(&overlay), check);
        let objections = match &after {
            Ok(after) => verdict::objections(&before, after, &batch),
            Err(error) => {
                vec![Objection { fixes: (0..batch.len()).collect(), reason: error.to_string() }]
            }
        };
        match after {
            Ok(after) if objections.is_empty() => {
                mended.fixed += batch.len();
                mended.note(&batch, &overlay);
                mended.contents = overlay;
                before = after;
            }
            _ => mended.doubt(&batch, &objections, &mut doubtful),
        }
    }
    Ok(mended)
}

impl Mended {
    /// Notes which lines a batch changes, and why.
    fn note(&mut self, batch: &[&Record], contents: &Overlay) {
        let mut touched: BTreeSet<PathBuf> = BTreeSet::new();
        for record in batch {
            for edit in record.fix.iter().flat_map(|fix| &fix.edits) {
                let path = files::absolute(Path::new(&*edit.place.file));
                let line = edit.place.start.line.saturating_sub(1);
                let line = match self.origins.get(&path) {
                    Some(origins) => origins.get(line).or(origins.last()).copied().unwrap_or(line),
                    None => line,
                };
                self.reasons.entry(path.clone()).or_default().push((line, record.rule.name));
                touched.insert(path);
            }
        }
        for path in touched {
            let Some(new) = contents.get(&path) else { continue };
            let old = match self.contents.get(&path) {
                Some(bytes) => bytes.clone(),
                None => match files::read(&path) {
                    Ok(Content::Bytes(bytes)) => bytes,
                    _ => continue,
                },
            };
            let lines = || (0..=memchr::memchr_iter(b'\n', &old).count()).collect();
            let known = self.origins.remove(&path).unwrap_or_else(lines);
            self.origins.insert(path, diff::origins(&known, &old, new));
        }
    }

    /// Notes what is wrong with a batch: a single fix is refused, several are tried one by one.
    fn doubt(&mut self, batch: &[&Record], objections: &[Objection], doubtful: &mut BTreeSet<FixKey>) {
        for objection in objections {
            match (batch, &objection.fixes[..]) {
                ([only], _) => self.refuse(only, &objection.reason),
                (_, fixes) => doubtful.extend(fixes.iter().map(|index| FixKey::of(batch[*index]))),
            }
        }
    }

    fn refuse(&mut self, record: &Record, reason: &str) {
        let (place, rule) = (&record.place, record.rule.name);
        let (line, column) = (place.start.line, place.start.column);
        let words = format!("{}:{line}:{column}: {rule}: {reason}", place.file);
        self.refused.entry(FixKey::of(record)).or_insert(Refused { words });
    }

    /// Fixes that would change files which nobody named are not made.
    fn refuse_strangers(
        &mut self,
        findings: &Findings,
        args: MendArgs,
        down_to: Severity,
        grounds: &Grounds,
    ) {
        let mut known: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for record in findings.down_to(down_to) {
            let Some(fix) = record.fix.as_ref().filter(|fix| args.takes(fix)) else { continue };
            for edit in &fix.edits {
                let file = &*edit.place.file;
                let objection = known.entry(file).or_insert_with(|| grounds.objection(Path::new(file), args));
                if let Some(reason) = objection {
                    let subject = if *file == *record.place.file { "the file" } else { file };
                    self.refuse(record, &format!("{subject} {reason}"));
                }
            }
        }
    }

    /// The contents with the edits of a batch; without those fixes that do not fit their files, which are refused.
    fn applied<'r>(&mut self, mut batch: Vec<&'r Record>) -> (Vec<&'r Record>, BTreeMap<PathBuf, Vec<u8>>) {
        loop {
            let mut changes: BTreeMap<&str, Vec<Change>> = BTreeMap::new();
            for edit in batch.iter().flat_map(|record| &record.fix).flat_map(|fix| &fix.edits) {
                let place = &edit.place;
                let (start, end) = (place.start.offset, place.end.offset);
                let change = Change { start, end, text: edit.text.clone(), coding: edit.coding };
                changes.entry(&place.file).or_default().push(change);
            }
            let mut contents = BTreeMap::clone(&self.contents);
            let failed = changes.iter().find_map(|(file, changes)| {
                let path = files::absolute(Path::new(file));
                match changed(&path, &self.contents, changes) {
                    Ok(bytes) => {
                        contents.insert(path, bytes);
                        None
                    }
                    Err(reason) => Some(((*file).to_owned(), reason)),
                }
            });
            let Some((file, reason)) = failed else { return (batch, contents) };
            let touches = |record: &Record| {
                record.fix.iter().flat_map(|fix| &fix.edits).any(|edit| *edit.place.file == *file)
            };
            batch.iter().filter(|record| touches(record)).for_each(|record| self.refuse(record, &reason));
            batch.retain(|record| !touches(record));
        }
    }

    /// The files that change.
    fn files(&self) -> Result<Vec<NewVersion<'_>>, ShellError> {
        let mut files = Vec::new();
        for (path, new) in self.contents.iter() {
            let Content::Bytes(old) = files::read(path)? else { continue };
            if old != *new {
                files.push(NewVersion { path, old, new });
            }
        }
        Ok(files)
    }

    /// Prints the difference; true when there is one.
    pub fn print_diff(&self, context: &mut Context) -> Result<bool, ShellError> {
        let mut out = Vec::new();
        for file in self.files()? {
            let reasons = self.reasons.get(file.path).map_or(&[][..], Vec::as_slice);
            diff::unified(&files::shown(file.path), &file.old, file.new, reasons, &mut out);
        }
        context.io.exact().write_all(&out)?;
        self.tell(context, None)?;
        Ok(!out.is_empty())
    }

    /// Writes the files, each by a new name first, so that none is ever half written.
    pub fn write(&self, context: &mut Context) -> Result<(), ShellError> {
        let mut ready = Vec::new();
        for file in self.files()? {
            ready.push(io::replacement(file.path, file.new)?);
        }
        let files = ready.len();
        ready.into_iter().try_for_each(io::OutputFile::finish)?;
        self.tell(context, Some(files))
    }

    /// Says on standard error what was and what was not mended; `files` is how many were written.
    fn tell(&self, context: &mut Context, files: Option<usize>) -> Result<(), ShellError> {
        context.io.out.flush()?;
        for refused in self.refused.values() {
            writeln!(context.io.err, "not fixed: {}", refused.words)?;
        }
        if self.is_cut {
            writeln!(context.io.err, "not all was tried: everything was checked {MAX_CHECKS} times already")?;
        }
        if let (Some(files), false) = (files, context.common.quiet) {
            writeln!(context.io.err, "{} fixed in {}", many(self.fixed, "finding"), many(files, "file"))?;
        }
        Ok(())
    }
}

/// `1 file`, `2 files`.
fn many(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// The new bytes of a file; its bytes so far are those of the overlay, else those on disk.
fn changed(path: &Path, contents: &Overlay, changes: &[Change]) -> Result<Vec<u8>, String> {
    let old = match contents.get(path) {
        Some(bytes) => bytes.clone(),
        None => match files::read(path) {
            Ok(Content::Bytes(bytes)) => bytes,
            Ok(Content::TooLarge) => return Err("the file is too large".to_owned()),
            Err(error) => return Err(error.to_string()),
        },
    };
    edits::apply(&old, changes).map_err(|error| error.to_string())
}

/// What the user named: only files in there are changed.
struct Grounds(Vec<PathBuf>);

impl Grounds {
    fn of(paths: &[PathBuf]) -> Grounds {
        Grounds(paths.iter().filter_map(|path| std::fs::canonicalize(path).ok()).collect())
    }

    /// Why a file may not be changed.
    fn objection(&self, file: &Path, args: MendArgs) -> Option<&'static str> {
        let Ok(path) = std::fs::canonicalize(file) else {
            // Reports cannot name it, so nobody knows which file is meant.
            let is_shown = !file.to_string_lossy().contains(char::REPLACEMENT_CHARACTER);
            return Some(if is_shown { "is no file" } else { "has a path that is not UTF-8" });
        };
        if !self.0.iter().any(|ground| path.starts_with(ground)) {
            return Some("was not named");
        }
        let is_locked = std::fs::metadata(&path).is_ok_and(|metadata| metadata.permissions().readonly());
        (args.fix && is_locked).then_some("is read-only")
    }
}
