//! `--watch`: checks again what a change may touch, within a blink.
//!
//! What each unit came to is kept. When the text of a known file changes, only the units that read it are looked at
//! again; when files come, go or become something else, everything is.

mod events;
mod stamps;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::analysis::project::Kind;
use crate::host::ShellError;
use crate::host::discovery;
use crate::host::files;
use crate::report::findings::{Findings, Style};
use crate::shell::check::{Choice, Kept, Work};
use crate::shell::config::FILE_NAME;
use crate::shell::context::Common;
pub use events::Events;
use stamps::Stamps;
pub use stamps::{Changes, Watched};

/// How long nothing is looked at between two looks.
const PAUSE: Duration = Duration::from_millis(30);

/// Of the time, no more than one part in so many goes into looking.
const SHARE: u32 = 5;

/// What a round of checking came to.
#[derive(Debug)]
pub struct Checked {
    /// The findings.
    pub findings: Findings,
    /// How many definitions there are.
    pub files: usize,
    /// What could not be looked at, a line each.
    pub undone: Vec<String>,
    /// How many units were looked at anew.
    pub judged: usize,
}

/// How the time between two looks passes.
pub trait Wait {
    /// Takes note of the folders in which changes count.
    fn follow(&mut self, _folders: &BTreeSet<PathBuf>) {}

    /// Returns after a change, or when as much time has passed as a look should leave; false when it is enough.
    fn wait(&mut self, pause: Duration) -> bool;
}

impl<F: FnMut(Duration) -> bool> Wait for F {
    fn wait(&mut self, pause: Duration) -> bool {
        self(pause)
    }
}

/// A check that goes on.
pub struct Session {
    paths: Vec<PathBuf>,
    choice: Choice,
    common: Common,
    style: Style,
    /// What was gathered; none when it must be gathered anew.
    work: Option<Work>,
    kept: Kept,
    /// The files beside those of the units that may become definitions, and all folders.
    around: Watched,
    natures: BTreeMap<PathBuf, Nature>,
    stamps: Stamps,
    /// The folders in which something may change.
    folders: BTreeSet<PathBuf>,
}

/// What decides whether a file is looked at by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Nature {
    kind: Option<Kind>,
    names_app: bool,
}

impl Nature {
    /// None when there is no such file.
    fn of(path: &Path) -> Option<Nature> {
        path.is_file().then(|| Nature { kind: discovery::kind(path), names_app: discovery::names_app(path) })
    }
}

impl Session {
    /// Nothing checked yet.
    pub fn new(paths: Vec<PathBuf>, choice: Choice, common: Common, style: Style) -> Session {
        Session {
            paths,
            choice,
            common,
            style,
            work: None,
            kept: Kept::default(),
            around: Watched::default(),
            natures: BTreeMap::new(),
            stamps: Stamps::default(),
            folders: BTreeSet::new(),
        }
    }

    /// With files of our own making, whose changes are none.
    pub fn without(mut self, outputs: impl IntoIterator<Item = PathBuf>) -> Session {
        self.stamps.ignore(outputs.into_iter().map(|path| files::absolute(&path)));
        self
    }

    /// Checks what some changes may touch.
    pub fn round(&mut self, changes: &Changes) -> Result<Checked, ShellError> {
        let start = SystemTime::now();
        if !self.is_small(changes) {
            self.work = None;
            self.kept = Kept::default();
            self.natures.clear();
        }
        // An error on the way leaves nothing gathered, so that the next round begins anew.
        let work = match self.work.take() {
            Some(work) => work,
            None => {
                // What is changed from here on is seen by the next look, also when the work fails.
                self.around = around(&self.paths, &self.common);
                self.follow(start);
                Work::gather(&self.paths, self.choice.clone(), &self.common)?
            }
        };
        self.around.files.extend(work.inputs());
        self.follow(start);
        self.kept.forget(&changes.contents);
        let before = self.kept.len();
        let findings = work.findings_again(&self.common, self.style, &mut self.kept)?;
        let (files, judged) = (work.files(), self.kept.len() - before);
        let undone = work.undone();
        self.work = Some(work);
        self.follow(start);
        Ok(Checked { findings, files, undone, judged })
    }

    /// The changes since the last round began; none when there are none.
    pub fn poll(&mut self) -> Option<Changes> {
        self.stamps.poll()
    }

    /// Waits for changes; none when `wait` says that it is enough.
    fn next_changes(&mut self, wait: &mut dyn Wait) -> Option<Changes> {
        wait.follow(&self.folders);
        loop {
            let start = Instant::now();
            if let Some(changes) = self.poll() {
                return Some(changes);
            }
            if !wait.wait(PAUSE.max(start.elapsed() * SHARE)) {
                return None;
            }
        }
    }

    /// Whether only the texts of known files changed, and none of these became something else.
    fn is_small(&self, changes: &Changes) -> bool {
        let is_text = |path: &PathBuf| {
            path.file_name().is_none_or(|name| name != FILE_NAME)
                && self.natures.get(path).is_some_and(|nature| Nature::of(path) == Some(*nature))
        };
        !changes.everything && changes.contents.iter().all(is_text)
    }

    /// Follows all files that were looked at or may be.
    fn follow(&mut self, start: SystemTime) {
        let mut watched = self.around.clone();
        for file in self.kept.files() {
            watched.folders.extend(file.parent().map(Path::to_owned));
            watched.files.insert(file.clone());
        }
        self.stamps.follow(&watched, start);
        let parents = watched.files.iter().filter_map(|file| file.parent().map(Path::to_owned));
        self.folders = watched.folders.iter().cloned().chain(parents).collect();
        self.natures.retain(|path, _| watched.files.contains(path));
        for path in watched.files {
            if !self.natures.contains_key(&path)
                && let Some(nature) = Nature::of(&path)
            {
                self.natures.insert(path, nature);
            }
        }
    }
}

/// The files and folders in which definitions may appear.
fn around(paths: &[PathBuf], common: &Common) -> Watched {
    let mut watched = Watched::default();
    for path in paths {
        let folder =
            if path.is_file() { path.parent().map(Path::to_owned) } else { discovery::fixed_part(path) };
        let folder = files::absolute(folder.as_deref().unwrap_or(Path::new(".")));
        if !path.is_file() {
            let (found, folders) = discovery::everything(&folder);
            watched.files.extend(found);
            watched.folders.extend(folders);
        }
        watched.files.extend(folder.ancestors().map(|folder| folder.join(FILE_NAME)));
        watched.folders.insert(folder);
    }
    let named = common.property_files.iter().chain(&common.config);
    watched.files.extend(named.map(|path| files::absolute(path)));
    watched
}

/// Checks, and checks again after changes, until `wait` says that it is enough or `show` fails.
pub fn watch(
    session: &mut Session,
    wait: &mut dyn Wait,
    show: &mut dyn FnMut(Result<Checked, ShellError>) -> Result<(), ShellError>,
) -> Result<(), ShellError> {
    let mut changes = Changes::all();
    loop {
        let checked = session.round(&changes);
        show(checked)?;
        match session.next_changes(wait) {
            Some(next) => changes = next,
            None => return Ok(()),
        }
    }
}
