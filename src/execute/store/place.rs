//! Where a store stands: whether it is still the file that was opened, and who may change it.

use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};

use super::guard::{Damage, MARK};
use super::{FILE, LOCK, Store, WORK, unusable};
use crate::host::ShellError;
use crate::host::files;

/// The files that a store is, by device and number, while somebody works on it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Standing {
    file: (u64, u64),
    /// Of whoever holds it: another lock in this place would let another executor in.
    lock: Option<(u64, u64)>,
    /// Its log, and what those who read and write it share: SQLite goes on with files that have no name any more, and
    /// whoever comes after knows nothing of what is in them.
    log: [Option<(u64, u64)>; 2],
}

/// What the names of the files of a log add to that of the store.
const LOG: [&str; 2] = ["-wal", "-shm"];

/// The lock of whoever holds a store.
#[derive(Debug)]
pub(super) struct Lock(pub(super) File);

impl Drop for Lock {
    /// Closing the file would do, but for a process that another thread has just forked: it has the lock as well until it
    /// becomes its program, and would keep the next one out.
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

impl Standing {
    /// The files that stand there now, and the lock that is held.
    pub(super) fn of(folder: &Path, lock: Option<&Lock>) -> std::io::Result<Standing> {
        let lock = lock.map(|lock| lock.0.metadata()).transpose()?;
        Ok(Standing {
            file: identity(&std::fs::metadata(folder.join(FILE))?),
            lock: lock.as_ref().map(identity),
            log: LOG.map(|end| {
                std::fs::metadata(folder.join(format!("{FILE}{end}"))).ok().as_ref().map(identity)
            }),
        })
    }

    /// Whether they still stand there; else what became of them.
    fn holds(&self, folder: &Path) -> Result<(), Damage> {
        let is = |name: &str, known: (u64, u64)| {
            std::fs::metadata(folder.join(name)).is_ok_and(|meta| identity(&meta) == known)
        };
        if !is(FILE, self.file) || self.lock.is_some_and(|lock| !is(LOCK, lock)) {
            return Err(Damage::Replaced);
        }
        for (end, known) in LOG.into_iter().zip(self.log) {
            let name = format!("{FILE}{end}");
            if known.is_some_and(|known| !is(&name, known)) {
                return Err(Damage::LogReplaced(name));
            }
        }
        Ok(())
    }
}

/// Refuses a folder that users share on purpose, such as `/tmp`: its permissions are others' business too.
#[cfg(unix)]
pub(super) fn is_unshared(folder: &Path) -> Result<(), ShellError> {
    use std::os::unix::fs::MetadataExt;
    const SHARED: u32 = 0o1000;
    match std::fs::metadata(folder) {
        Ok(meta) if meta.mode() & SHARED != 0 && meta.mode() & 0o022 != 0 => {
            Err(unusable(folder, Damage::Shared))
        }
        _ => Ok(()),
    }
}

/// Other systems have other rights.
#[cfg(not(unix))]
pub(super) fn is_unshared(_: &Path) -> Result<(), ShellError> {
    Ok(())
}

/// Refuses a store whose files lead somewhere else, or could be waited for without end. Two names of one file would let two
/// executors in, each with a lock and a log of its own.
pub(super) fn has_its_own_files(folder: &Path) -> Result<(), ShellError> {
    let refused = |damage| Err(unusable(folder, damage));
    if folder.is_symlink() && !folder.exists() {
        return refused(Damage::LostLink);
    }
    let log = [format!("{FILE}-wal"), format!("{FILE}-shm")];
    for name in [FILE, &log[0], &log[1], LOCK, MARK, WORK] {
        let path = folder.join(name);
        let Ok(meta) = std::fs::symlink_metadata(&path) else { continue };
        let is_own = match name {
            // What else lies in its place is said elsewhere.
            FILE => !meta.is_symlink(),
            WORK => meta.is_dir(),
            _ => meta.is_file(),
        };
        if !is_own {
            return refused(Damage::NotItsOwn(files::shown(&path)));
        }
        if name == FILE && meta.is_file() && has_two_names(&meta) {
            return refused(Damage::TwoNames);
        }
    }
    Ok(())
}

/// Refuses to make a store beside a folder of attempts that is not its own: it would take for its own what lies there.
pub(super) fn has_free_work(folder: &Path) -> Result<(), ShellError> {
    let work = folder.join(WORK);
    match std::fs::read_dir(&work).map(|mut entries| entries.next().is_none()) {
        Ok(false) => Err(unusable(folder, Damage::Taken(files::shown(&work)))),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn has_two_names(meta: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(meta) > 1
}

/// Other systems do not tell.
#[cfg(not(unix))]
fn has_two_names(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn identity(meta: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (meta.dev(), meta.ino())
}

/// Other systems keep an open file in its place.
#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

impl Store {
    /// Fails where the store was moved away, removed or replaced since it was opened.
    pub fn is_in_place(&self) -> Result<(), ShellError> {
        self.standing.holds(&self.folder).map_err(|damage| unusable(&self.folder, damage))
    }

    /// The error that ends an executor that comes upon the folder of an attempt or a job that another journal has left.
    pub fn has_foreign(&self, folder: &Path) -> ShellError {
        unusable(&self.folder, Damage::Foreign(files::shown(folder)))
    }

    /// A folder of a job that the journal does not know.
    pub(super) fn foreign_work(&self) -> Result<Option<PathBuf>, ShellError> {
        let work = self.folder.join(WORK);
        let Ok(folders) = std::fs::read_dir(&work) else { return Ok(None) };
        let numbers = folders.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
        // Read before the journal, to which an executor may add jobs meanwhile.
        let newest = numbers.max();
        let last = self.last_number()?;
        Ok(newest.filter(|newest| *newest > last).map(|newest| work.join(newest.to_string())))
    }

    /// Takes the right to write from others where a store's folder and files are one's own, and says so; refuses what is
    /// not. Only what belongs to a store is touched: anybody may name any folder, and look for a store where none is.
    #[cfg(unix)]
    pub fn shut(folder: &Path) -> Result<Option<String>, ShellError> {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        const OTHERS_WRITE: u32 = 0o022;
        has_its_own_files(folder)?;
        if !folder.join(FILE).is_file() {
            return Ok(None);
        }
        is_unshared(folder)?;
        let log = [format!("{FILE}-wal"), format!("{FILE}-shm")];
        let names = [FILE, &log[0], &log[1], LOCK, MARK, WORK];
        let paths = std::iter::once(folder.to_owned()).chain(names.map(|name| folder.join(name)));
        let mut tightened = Vec::new();
        for path in paths {
            // The folder itself may be reached by a link; what stands in it is no store's if it is one.
            let is_link = path != folder && path.is_symlink();
            let Ok(meta) = std::fs::metadata(&path) else { continue };
            if is_link || meta.mode() & OTHERS_WRITE == 0 {
                continue;
            }
            let mode = PermissionsExt::from_mode(meta.mode() & 0o7777 & !OTHERS_WRITE);
            let is_own = meta.uid() == nix::unistd::geteuid().as_raw();
            if !is_own || std::fs::set_permissions(&path, mode).is_err() {
                let path = format!("`{}`", files::shown(&path));
                return Err(unusable(folder, Damage::Exposed(path)));
            }
            tightened.push(format!("`{}`", files::shown(&path)));
        }
        let words = "could be changed by other users, who could have let this one run what they like; they cannot any more";
        Ok((!tightened.is_empty()).then(|| format!("{} {words}", tightened.join(", "))))
    }

    /// Other systems have other rights.
    #[cfg(not(unix))]
    pub fn shut(_: &Path) -> Result<Option<String>, ShellError> {
        Ok(None)
    }
}
