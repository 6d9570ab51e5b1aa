//! Baselines on disk: read, applied to findings, written.

use std::io::Write;
use std::path::{Component, Path, PathBuf};

use crate::diag::{Diagnostic, Severity};
use crate::host::ShellError;
use crate::host::files::{self, Content};
use crate::report::findings::Findings;
use crate::report::record::Record;
use crate::shell::Context;
use crate::source::{Sources, Span};
use crate::triage::baseline::{BASELINE_STALE, Baseline, Stale};
use crate::triage::is_always_told;

/// A baseline and the file it stands in; the paths in it are relative to the file's folder.
#[derive(Debug)]
pub struct BaselineFile {
    path: PathBuf,
    text: String,
    baseline: Baseline,
}

impl BaselineFile {
    /// Reads a baseline.
    pub fn read(path: &Path) -> Result<BaselineFile, ShellError> {
        let fault = |message: String| ShellError::Config { path: files::shown(path), message };
        if !path.exists() {
            let hint = "there is no such baseline; `ankus check --write-baseline FILE` writes one";
            return Err(fault(hint.to_owned()));
        }
        let Content::Bytes(bytes) = files::read(path)? else {
            return Err(fault("it is too large".to_owned()));
        };
        let text = String::from_utf8(bytes).map_err(|_| fault("it is not UTF-8".to_owned()))?;
        let baseline = Baseline::parse(&text).map_err(fault)?;
        Ok(BaselineFile { path: path.to_owned(), text, baseline })
    }

    /// The baseline that hides all findings down to a severity, to be written to a file.
    pub fn of(findings: &Findings, down_to: Severity, path: &Path) -> BaselineFile {
        let mut baseline = Baseline::default();
        let folder = folder_of(path);
        for record in findings.iter().filter(|record| may_hide(record, down_to)) {
            let file = relative(&record.place.file, &folder);
            baseline.add(record.rule.name, &file, record.at.as_deref().unwrap_or_default());
        }
        BaselineFile { path: path.to_owned(), text: baseline.to_json(), baseline }
    }

    /// Writes it, unless something else stands there.
    pub fn write(&self, context: &mut Context) -> Result<(), ShellError> {
        if self.path.exists() {
            BaselineFile::read(&self.path)?;
        }
        let mut output = context.io.output(Some(&self.path))?;
        let written = output.write_all(self.text.as_bytes());
        written.map_err(|source| ShellError::Write { path: self.path.clone(), source })?;
        output.finish()?;
        if !context.common.quiet {
            let (count, path) = (self.baseline.len(), files::shown(&self.path));
            writeln!(context.io.err, "wrote `{path}`: {count} known finding(s)")?;
        }
        Ok(())
    }

    /// Takes out the findings that it knows, and tells entries that nothing meets any more. `is_judged` says of a file
    /// and a rule whether they were looked at, so that nothing is told of the others.
    pub fn apply(
        mut self,
        findings: &mut Findings,
        down_to: Severity,
        is_judged: impl Fn(&Path, &str) -> bool,
    ) {
        let folder = folder_of(&self.path);
        let mut hidden = 0;
        findings.retain(|record| {
            let file = relative(&record.place.file, &folder);
            let at = record.at.as_deref().unwrap_or_default();
            let is_known = may_hide(record, down_to) && self.baseline.knows(record.rule.name, &file, at);
            hidden += usize::from(is_known);
            !is_known
        });
        findings.hidden.baseline += hidden;
        let mut sources = Sources::new();
        let source = sources.add(files::shown(&self.path), self.text);
        let stale = |stale: Stale<'_>| {
            let path = files::absolute(&folder.join(stale.file));
            (is_judged(&path, stale.rule) || !path.exists()).then(|| {
                let Stale { file, rule, at, gone, range } = stale;
                let (count, place) = match (gone, at) {
                    (1, "") => (String::new(), String::new()),
                    (1, at) => (String::new(), format!(" at `{at}`")),
                    (gone, at) => (format!("{gone} times "), format!(" at `{at}`")),
                };
                let message = format!("`{rule}` is no longer found {count}in `{file}`{place}");
                Diagnostic::new(&BASELINE_STALE, Span::new(source, range), message)
                    .help("write the baseline anew with `--write-baseline`")
            })
        };
        let stale: Vec<_> = self.baseline.stale().filter_map(stale).collect();
        findings.add(&sources, &stale);
    }
}

fn may_hide(record: &Record, down_to: Severity) -> bool {
    record.severity <= down_to && !is_always_told(record.rule.name) && record.rule.name != BASELINE_STALE.name
}

fn folder_of(path: &Path) -> PathBuf {
    files::absolute(path).parent().map(Path::to_owned).unwrap_or_default()
}

/// A path as findings show it, seen from a folder, with `/` between.
fn relative(shown: &str, folder: &Path) -> String {
    let path = files::absolute(Path::new(shown));
    let (mut own, mut base) = (path.components().peekable(), folder.components().peekable());
    while own.peek().is_some() && own.peek() == base.peek() {
        own.next();
        base.next();
    }
    if base.peek().is_some_and(|part| matches!(part, Component::Prefix(_))) {
        return shown.to_owned();
    }
    let up = base.map(|_| "..".to_owned());
    let down = own.map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_seen_from_the_folder() {
        let check = |path: &str, folder: &str, expected: &str| {
            assert_eq!(relative(path, Path::new(folder)), expected);
        };
        check("/r/a/w.xml", "/r", "a/w.xml");
        check("/r/a/w.xml", "/r/b/c", "../../a/w.xml");
        check("/r/a/../w.xml", "/r", "w.xml");
    }
}
