//! A simulated disk below SQLite: it fails, shortens, reorders or loses writes and syncs, and loses power at any point.
//!
//! [`Disk::below`] takes charge of the SQLite files in one folder; those of other folders are not touched. What programs
//! read is the file itself, as the page cache of a kernel shows it. Beside it the disk keeps what a power cut would leave:
//! the content at the last sync, and every write since then, of which each sector may have arrived or not, so in any
//! order. A sync that fails drops what it should have written, as Linux does. Everything is drawn from a seed.

mod vfs;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::graphs::Random;

/// What a disk writes at once or not at all.
const SECTOR: u64 = 512;

/// The time of the last change that files have which nobody has changed since they were closed.
const STAMP: SystemTime = SystemTime::UNIX_EPOCH;

/// A file that programs write without SQLite and never sync: after a power cut it may be as it was at any time.
const UNSYNCED: &str = "acknowledged";

/// What may happen to an operation, each once in so many of its kind; zero is never.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weather {
    /// A write, a truncation, a sync or a removal fails and says so; half of the writes that fail are shortened.
    pub failures: usize,
    /// A read fails and says so.
    pub failed_reads: usize,
    /// A write is acknowledged and never happens. An honest disk does not do this.
    pub lost_writes: usize,
    /// A sync is acknowledged and never happens. An honest disk does not do this.
    pub lost_syncs: usize,
    /// The power is cut at the operation after so many others that change something.
    pub cut_after: Option<u64>,
}

/// What has happened on a disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Writes, truncations, syncs, removals and new files.
    pub operations: u64,
    /// Failures, shortened writes among them.
    pub failures: u64,
    /// Reads that failed.
    pub failed_reads: u64,
    /// Writes and syncs that were acknowledged and never happened.
    pub lies: u64,
    /// Power cuts.
    pub cuts: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.operations += other.operations;
        self.failures += other.failures;
        self.failed_reads += other.failed_reads;
        self.lies += other.lies;
        self.cuts += other.cuts;
    }
}

/// The disks by the folder that they are in charge of.
static DISKS: Mutex<BTreeMap<PathBuf, Arc<Mutex<State>>>> = Mutex::new(BTreeMap::new());

/// A change that a power cut may undo.
#[derive(Debug)]
enum Change {
    Write(u64, Vec<u8>),
    Truncate(u64),
}

/// A file as the disk has it.
#[derive(Debug, Default)]
struct Recorded {
    inode: u64,
    synced: Vec<u8>,
    pending: Vec<Change>,
    /// How often it is open.
    handles: usize,
}

impl Recorded {
    /// Lets pending changes arrive, each sector of them where `arrives` says so.
    fn settle(&mut self, mut arrives: impl FnMut() -> bool) {
        for change in std::mem::take(&mut self.pending) {
            match change {
                Change::Truncate(length) if arrives() => self.synced.truncate(length as usize),
                Change::Truncate(_) => {}
                Change::Write(at, bytes) => {
                    let mut begin = 0;
                    while begin < bytes.len() {
                        let place = at + begin as u64;
                        let end = bytes.len().min(begin + (SECTOR - place % SECTOR) as usize);
                        if arrives() {
                            let (place, until) = (place as usize, at as usize + end);
                            self.synced.resize(self.synced.len().max(until), 0);
                            self.synced[place..until].copy_from_slice(&bytes[begin..end]);
                        }
                        begin = end;
                    }
                }
            }
        }
    }
}

/// What becomes of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Done,
    Fails,
    Lost,
}

struct State {
    folder: PathBuf,
    random: Random,
    weather: Weather,
    is_dead: bool,
    files: BTreeMap<u64, Recorded>,
    /// Names as programs see them, and as they would be after a power cut.
    live: BTreeMap<String, u64>,
    synced: BTreeMap<String, u64>,
    /// Every content that [`UNSYNCED`] has had since the last power cut.
    unsynced: Vec<Option<Vec<u8>>>,
    /// Whether a write to a log has failed.
    log_failed: bool,
    tally: Tally,
    /// What was done last, for whoever wants to know how it came to a failure.
    done: VecDeque<String>,
}

/// So much of that is kept.
const KEPT: usize = 200;

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn happens(&mut self, once_in: usize) -> bool {
        once_in > 0 && self.random.one_in(once_in)
    }

    fn note(&mut self, what: String) {
        if self.done.len() == KEPT {
            self.done.pop_front();
        }
        self.done.push_back(what);
    }

    /// Decides what becomes of a change, before it is made; `lies` is how often it is acknowledged and lost.
    fn fate(&mut self, lies: usize, what: std::fmt::Arguments<'_>) -> Fate {
        let fate = self.draw(lies);
        self.note(format!("  {what}: {fate:?}"));
        fate
    }

    fn draw(&mut self, lies: usize) -> Fate {
        if self.is_dead {
            return Fate::Fails;
        }
        self.tally.operations += 1;
        if let Some(left) = self.weather.cut_after {
            self.weather.cut_after = left.checked_sub(1);
            if left == 0 {
                self.cut();
                return Fate::Fails;
            }
        }
        if self.happens(self.weather.failures) {
            self.tally.failures += 1;
            return Fate::Fails;
        }
        if self.happens(lies) {
            self.tally.lies += 1;
            return Fate::Lost;
        }
        Fate::Done
    }

    fn cut(&mut self) {
        self.is_dead = true;
        self.tally.cuts += 1;
    }

    fn reads(&mut self) -> bool {
        if self.is_dead || self.happens(self.weather.failed_reads) {
            self.tally.failed_reads += u64::from(!self.is_dead);
            return false;
        }
        true
    }

    /// A file that was opened; what lies there and was not written through this disk is on it.
    fn opened(&mut self, name: &str, was_there: bool) -> u64 {
        let path = self.folder.join(name);
        let meta = std::fs::metadata(&path);
        let inode = meta.as_ref().map_or(0, MetadataExt::ino);
        let is_stamped = meta.is_ok_and(|meta| meta.modified().is_ok_and(|at| at == STAMP));
        let known = self.live.get(name).filter(|id| self.files[*id].inode == inode);
        // Changed by the program itself, which syncs what it changes.
        if let Some(id) = known.filter(|id| is_stamped || self.files[*id].handles > 0) {
            return *id;
        }
        let id = self.files.keys().next_back().map_or(0, |last| last + 1);
        let synced = std::fs::read(&path).unwrap_or_default();
        self.files.insert(id, Recorded { inode, synced, ..Recorded::default() });
        self.live.insert(name.to_owned(), id);
        if was_there {
            self.synced.insert(name.to_owned(), id);
        }
        id
    }

    fn is_open(&mut self, file: u64) {
        if let Some(file) = self.files.get_mut(&file) {
            file.handles += 1;
        }
    }

    /// A file was closed; who changes it now goes past this disk, and is known by that the stamp is gone.
    fn closed(&mut self, file: u64) {
        if let Some(recorded) = self.files.get_mut(&file) {
            recorded.handles -= 1;
            let name = self.live.iter().find(|(_, id)| **id == file).map(|(name, _)| self.folder.join(name));
            if let (0, Some(path)) = (recorded.handles, name) {
                let file = std::fs::File::options().write(true).open(path);
                let _ = file.and_then(|file| file.set_modified(STAMP));
            }
        }
    }

    fn changed(&mut self, file: u64, change: Change) {
        if let Some(file) = self.files.get_mut(&file) {
            file.pending.push(change);
        }
    }

    /// Writes pending changes down, or, where that fails, any of them and never the others.
    fn sync(&mut self, file: u64, is_whole: bool) {
        let State { files, random, .. } = self;
        if let Some(file) = files.get_mut(&file) {
            file.settle(|| is_whole || random.one_in(2));
        }
    }

    fn removed(&mut self, name: &str, is_synced: bool) {
        self.live.remove(name);
        if is_synced {
            self.sync_folder();
        }
    }

    fn sync_folder(&mut self) {
        self.synced.clone_from(&self.live);
    }

    /// The files after a power cut.
    fn left(&mut self) -> BTreeMap<String, Vec<u8>> {
        // All of what was pending, nothing of it, or some.
        let of_hundred = match self.random.below(4) {
            0 => 0,
            1 => 100,
            _ => self.random.below(101),
        };
        let names: BTreeSet<String> = self.live.keys().chain(self.synced.keys()).cloned().collect();
        let mut left = BTreeMap::new();
        for name in names {
            let (seen, synced) = (self.live.get(&name), self.synced.get(&name));
            let id = if self.random.below(100) < of_hundred { seen } else { synced };
            let Some(id) = id else { continue };
            let State { files, random, .. } = self;
            if let Some(file) = files.get_mut(id) {
                file.settle(|| random.below(100) < of_hundred);
                left.insert(name, file.synced.clone());
            }
        }
        left
    }
}

/// A simulated disk for the SQLite files in one folder, until it is dropped.
pub struct Disk(Arc<Mutex<State>>);

impl Disk {
    /// Takes charge of a folder, in calm weather.
    pub fn below(folder: &Path, seed: u64) -> Disk {
        vfs::register();
        let state = State {
            folder: folder.to_owned(),
            random: Random(seed),
            weather: Weather::default(),
            is_dead: false,
            files: BTreeMap::new(),
            live: BTreeMap::new(),
            synced: BTreeMap::new(),
            unsynced: vec![None],
            log_failed: false,
            tally: Tally::default(),
            done: VecDeque::new(),
        };
        let state = Arc::new(Mutex::new(state));
        let mut disks = DISKS.lock().unwrap_or_else(PoisonError::into_inner);
        disks.insert(folder.to_owned(), state.clone());
        Disk(state)
    }

    /// What happens from now on.
    pub fn set(&self, weather: Weather) {
        locked(&self.0).weather = weather;
    }

    /// Cuts the power now, or ends whoever writes: every operation fails until [`Disk::restart`] or
    /// [`Disk::power_up`].
    pub fn stop(&self) {
        let mut state = locked(&self.0);
        if !state.is_dead {
            state.cut();
            state.note("stopped".to_owned());
        }
    }

    /// Whether the power is cut.
    pub fn is_dead(&self) -> bool {
        locked(&self.0).is_dead
    }

    /// Whether a write to a log has failed since this was asked last.
    pub fn log_has_failed(&self) -> bool {
        std::mem::take(&mut locked(&self.0).log_failed)
    }

    /// Goes on after a process was ended: the kernel still has all that it wrote.
    pub fn restart(&self) {
        let mut state = locked(&self.0);
        (state.is_dead, state.weather) = (false, Weather::default());
        state.note("goes on after a kill".to_owned());
    }

    /// Goes on after a power cut: the files become what had arrived. Nobody may have them open.
    pub fn power_up(&self, is_unsynced_lost: bool) {
        let mut state = locked(&self.0);
        let left = state.left();
        let folder = state.folder.clone();
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if state.live.contains_key(&name) || name.ends_with("-shm") {
                std::fs::remove_file(entry.path()).expect("it goes");
            }
        }
        (state.files, state.live, state.synced) = Default::default();
        for (name, bytes) in &left {
            std::fs::write(folder.join(name), bytes).expect("it can be written");
            state.opened(name, true);
        }
        if is_unsynced_lost {
            let kept = state.unsynced.len();
            let which = state.random.below(kept + 2);
            // Or with the length that it had, but nothing in it.
            let content = state.unsynced.get(which).cloned().unwrap_or_else(|| Some(vec![0; which - kept]));
            let path = folder.join(UNSYNCED);
            match &content {
                Some(bytes) => std::fs::write(&path, bytes).expect("it can be written"),
                None => drop(std::fs::remove_file(&path)),
            }
            state.unsynced = vec![content];
        }
        (state.is_dead, state.weather) = (false, Weather::default());
        let sizes: Vec<String> = left.iter().map(|(name, bytes)| format!("{name} {}", bytes.len())).collect();
        state.note(format!("goes on after a power cut with {}", sizes.join(", ")));
    }

    /// Looks at what is written without a sync, to know what a power cut may bring back.
    pub fn look(&self) {
        let mut state = locked(&self.0);
        let now = std::fs::read(state.folder.join(UNSYNCED)).ok();
        if state.unsynced.last() != Some(&now) {
            state.unsynced.push(now);
        }
    }

    /// Takes down what somebody did.
    pub fn note(&self, what: String) {
        locked(&self.0).note(what);
    }

    /// What was done last.
    pub fn done(&self) -> String {
        locked(&self.0).done.iter().fold(String::new(), |text, line| text + line + "\n")
    }

    /// What has happened.
    pub fn tally(&self) -> Tally {
        locked(&self.0).tally
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let mut disks = DISKS.lock().unwrap_or_else(PoisonError::into_inner);
        disks.remove(&locked(&self.0).folder);
    }
}
