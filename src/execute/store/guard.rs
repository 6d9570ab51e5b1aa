//! What is looked at before SQLite opens a store, and what is said of damage.
//!
//! SQLite takes an empty file for a new database, throws away the end of a log that does not fit, and does not see a
//! changed byte inside a row. So the file is looked at first, the number of the last event that was acknowledged stands
//! beside it, and rows carry sums. Never changes a file that it finds fault with.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::seal::Seal;
use crate::execute::lasting;

/// The name of the file that holds the number of the last event that was acknowledged.
pub(super) const MARK: &str = "acknowledged";

/// The length of the number in it, so that it is overwritten in place.
const MARK_LENGTH: usize = 20;

/// No more than this is read of it.
const MAX_MARK: u64 = 4 * 1024;

/// The length of the header of a database (`fileformat2.html`, 1.3).
const HEADER: usize = 100;

/// The bytes with which a database begins.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// What a frame of a log has besides its page.
const FRAME: u64 = 24;

/// What is left to do when a store is damaged.
const WAY_OUT: &str =
    "nothing was changed; bring back a copy of the folder, or move the folder away and begin anew";

/// What is wrong with the file of a store.
#[derive(Debug, thiserror::Error)]
pub(super) enum Damage {
    /// There is a folder or a device.
    #[error("what lies in its place is no file; move it away")]
    NotAFile,
    /// It was there.
    #[error("it is gone, though events were written to it; {WAY_OUT}")]
    Gone,
    /// It has no bytes.
    #[error("it is empty, which a store never is; {WAY_OUT}")]
    Empty,
    /// It is something else, or its beginning is.
    #[error("it is not a database, or its first bytes are damaged; {WAY_OUT}")]
    NotADatabase,
    /// Pages are missing at its end.
    #[error("it has lost its end: {has} of {wants} bytes are there; {WAY_OUT}")]
    Short {
        /// How long it is.
        has: u64,
        /// How long it was.
        wants: u64,
    },
    /// The journal ends too early.
    #[error(
        "it ends with event {last}, though event {acknowledged} was written to it; its end is lost, or that of the \
         file `{FILE}-wal` beside it; {WAY_OUT}",
        FILE = super::FILE
    )]
    Behind {
        /// Its last event.
        last: i64,
        /// The last event that was acknowledged.
        acknowledged: i64,
    },
    /// An old copy of it was put in its place.
    #[error(
        "it is an older copy of the store: it was changed {has} times, though {wants} changes of it were acknowledged; \
         restore the newer one, or everything in the folder of this copy; nothing was changed"
    )]
    Outdated {
        /// The serial of its seal.
        has: i64,
        /// The serial that was acknowledged.
        wants: i64,
    },
    /// Another store was put in its place.
    #[error(
        "it is not the store to which the file `{MARK}` beside it belongs; bring back the right one, or the `{MARK}` \
         of this one; nothing was changed"
    )]
    Another,
    /// It was removed, moved or replaced by another while somebody worked on it.
    #[error(
        "it was moved away, removed or replaced while this process worked on it; nothing more is begun; bring it back \
         to this place, and `ankus run` goes on from there"
    )]
    Replaced,
    /// Its log was removed or replaced while somebody worked on it.
    #[error(
        "its `{0}` was removed or replaced while this process worked on it; nothing more is begun, and what was \
         acknowledged is brought into the store; `ankus run` goes on from there"
    )]
    LogReplaced(String),
    /// Actions ran that its journal does not know.
    #[error(
        "it is an older copy of the store: its journal does not know what ran in `{0}`; restore the newer copy, or remove \
         that folder to let its action run again"
    )]
    Foreign(String),
    /// Its pages contradict each other.
    #[error("its pages are damaged ({0}); {WAY_OUT}")]
    Pages(String),
    /// Others may change it.
    #[error(
        "{0} may be changed by other users, and belongs to one of them; take the right to write from others \
         (`chmod go-w`) as its owner, or use another with `--store`"
    )]
    Exposed(String),
    /// It lies, or would lie, where everybody puts files.
    #[error("its folder is shared by the users of this machine; use one of your own with `--store`")]
    Shared,
    /// A link, a pipe or a device stands where a file of its own would.
    #[error(
        "`{0}` is a link, or not a regular file; a store has only files of its own: move it away, or use another store \
         with `--store`"
    )]
    NotItsOwn(String),
    /// Its file has another name, under which somebody else may work on it.
    #[error(
        "its file has more than one name (hard links), so two executors could work on it at once; put a copy in its place"
    )]
    TwoNames,
    /// The folder of attempts is somebody else's.
    #[error(
        "`{0}` holds files already, and a new store would keep there what its actions do: move them away, or use another \
         store with `--store`"
    )]
    Taken(String),
    /// A link stands where its folder would.
    #[error("its folder is a link that leads nowhere; make what it leads to, or use another with `--store`")]
    LostLink,
    /// A row is not what was written.
    #[error("{0} is damaged; {WAY_OUT}")]
    Row(String),
    /// SQLite could not be brought to write a log.
    #[error(
        "it cannot have a write-ahead log (its journal mode stays `{0}`), without which a power cut may take back what was \
         acknowledged; see whether its disk is sound and local, or use another with `--store`"
    )]
    NoLog(String),
    /// Only who may write to it can read its log.
    #[error(
        "its log `{FILE}-wal` holds what is not in it yet, and to read that without the right to write takes the file \
         `{FILE}-shm`, which is not there; any command of its owner, such as `ankus jobs`, brings both into it",
        FILE = super::FILE
    )]
    Logged,
    /// It cannot be read.
    #[error("it cannot be read ({0}); see to its permissions, or use `--store`")]
    Unreadable(#[from] std::io::Error),
}

/// Looks at the file of a store that SQLite is about to open; false when there is none.
pub(super) fn examine(path: &Path) -> Result<bool, Damage> {
    let meta = match std::fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        meta => meta?,
    };
    if !meta.is_file() {
        return Err(Damage::NotAFile);
    }
    if meta.len() == 0 {
        return Err(Damage::Empty);
    }
    let mut header = Vec::with_capacity(HEADER);
    File::open(path)?.take(HEADER as u64).read_to_end(&mut header)?;
    if header.len() < HEADER || !header.starts_with(MAGIC) {
        return Err(Damage::NotADatabase);
    }
    let number = |at: usize| {
        let bytes = header.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        u64::from(u32::from_be_bytes(bytes.unwrap_or_default()))
    };
    // What the header says counts unless a program that knows no such field has written since, or a log says otherwise.
    let wants = number(28) * page_size(u64::from(header[16]) << 8 | u64::from(header[17]));
    if log_length(path) == 0 && number(24) == number(92) && meta.len() < wants {
        return Err(Damage::Short { has: meta.len(), wants });
    }
    Ok(true)
}

fn page_size(field: u64) -> u64 {
    if field == 1 { 65_536 } else { field }
}

/// Whether file and log together can hold so many pages.
pub(super) fn holds(path: &Path, pages: u64, page: u64) -> Result<(), Damage> {
    let has = std::fs::metadata(path)?.len();
    let logged = log_length(path) / (page + FRAME);
    match has / page.max(1) + logged < pages {
        true => Err(Damage::Short { has, wants: pages * page }),
        false => Ok(()),
    }
}

/// The log beside a database.
fn log_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

fn log_length(path: &Path) -> u64 {
    std::fs::metadata(log_of(path)).map_or(0, |meta| meta.len())
}

/// Whether a store may be made where there is no file: not where one was.
pub(super) fn may_be_made(path: &Path, folder: &Path) -> Result<(), Damage> {
    let was = log_length(path) > 0 || acknowledged(folder)?.is_some_and(|noted| noted.last > 0);
    if was { Err(Damage::Gone) } else { Ok(()) }
}

/// Whether a log is left of whoever wrote last, as after a kill or a lost power.
pub(super) fn has_log(path: &Path) -> bool {
    log_length(path) > 0
}

/// Brings a log to disk that somebody left who was ended: perhaps before its last sync, perhaps after one that failed, of
/// which a kernel only remembers that it failed. Nobody may act on what it holds before that, and a sync alone would not
/// write what the kernel takes for written; so every byte of it is written again, to where it stands.
pub(super) fn settle_log(path: &Path, folder: &Path) -> std::io::Result<()> {
    let mut log = OpenOptions::new().read(true).write(true).open(log_of(path))?;
    let (mut at, mut piece) = (0, vec![0; 1 << 16]);
    loop {
        log.seek(SeekFrom::Start(at))?;
        let length = log.read(&mut piece)?;
        if length == 0 {
            break;
        }
        log.seek(SeekFrom::Start(at))?;
        log.write_all(&piece[..length])?;
        at += length as u64;
    }
    log.sync_all()?;
    File::open(folder)?.sync_all()
}

/// What stands beside a store.
#[derive(Debug)]
pub(super) struct Noted {
    /// The number of the last event that was acknowledged.
    pub last: i64,
    /// The serial and the lineage of the store then; not known from before there were any.
    pub seal: Option<(i64, String)>,
}

impl Noted {
    /// Whether a store is the one that was acknowledged, or has grown since.
    pub(super) fn fits(&self, last: i64, seal: &Seal) -> Result<(), Damage> {
        match &self.seal {
            Some((_, lineage)) if *lineage != seal.lineage => return Err(Damage::Another),
            _ if self.last > last => return Err(Damage::Behind { last, acknowledged: self.last }),
            Some((serial, _)) if *serial > seal.serial => {
                return Err(Damage::Outdated { has: seal.serial, wants: *serial });
            }
            _ => {}
        }
        Ok(())
    }
}

/// What stands beside a store, where it can be read.
pub(super) fn acknowledged(folder: &Path) -> Result<Option<Noted>, Damage> {
    let mut text = String::new();
    let mark = File::open(folder.join(MARK));
    match mark.and_then(|mark| mark.take(MAX_MARK).read_to_string(&mut text)) {
        Ok(_) => {}
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::InvalidData) => {
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    }
    let mut words = text.split_whitespace();
    let Some(last) = words.next().and_then(|word| word.parse().ok()) else { return Ok(None) };
    let serial = words.next().and_then(|word| word.parse().ok());
    let seal = serial.zip(words.next().map(str::to_owned));
    Ok(Some(Noted { last, seal }))
}

/// What is said where that number is not known.
pub(super) fn unmarked(folder: &Path, last: i64) -> String {
    let path = folder.join(MARK);
    let how = if path.exists() { "holds no number" } else { "is gone" };
    format!(
        "`{}` {how}, though events were written: had the store lost its end, nobody would notice; its last event is \
         {last}, and the file is written anew by what changes the store next",
        crate::host::files::shown(&path)
    )
}

/// Whether SQLite lacks the right to write.
pub(super) fn is_forbidden(error: &rusqlite::Error) -> bool {
    let codes = [ErrorCode::ReadOnly, ErrorCode::CannotOpen, ErrorCode::PermissionDenied];
    error.sqlite_error_code().is_some_and(|code| codes.contains(&code))
}

/// The name by which SQLite reads a file that nobody changes, without a file beside it.
pub(super) fn unchanging(path: &Path) -> Result<PathBuf, Damage> {
    if log_length(path) > 0 {
        return Err(Damage::Logged);
    }
    File::open(path)?;
    let name = path.to_str().ok_or_else(|| std::io::Error::other("its path is not UTF-8"))?;
    let name = name.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Ok(PathBuf::from(format!("file:{name}?immutable=1")))
}

/// The file with the number of the last event that was acknowledged. It is not forced to disk: it is written after the
/// event is, so it never says too much, and what a lost power takes from it is only what it would have told.
#[derive(Debug)]
pub(super) struct Mark(File);

impl Mark {
    /// Opens it for writing.
    pub(super) fn open(folder: &Path) -> std::io::Result<Mark> {
        Ok(Mark(private_file(&folder.join(MARK))?))
    }

    /// Writes down how far a store has come.
    pub(super) fn set(&mut self, number: i64, seal: &Seal) {
        let Seal { lineage, serial, .. } = seal;
        let line = format!("{number:0MARK_LENGTH$} {serial:0MARK_LENGTH$} {lineage}\n");
        // The event is on disk already; without the mark its loss would be noticed less.
        let _ = self.0.seek(SeekFrom::Start(0));
        let _ = self.0.write_all(line.as_bytes());
    }
}

/// Opens a file for writing, and makes it so that others cannot look into it, whatever the umask.
pub(super) fn private_file(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A sum over parts of a row, after the sum of the row before it.
pub(super) fn sum(before: u32, parts: &[&[u8]]) -> u32 {
    let mut sum = flate2::Crc::new();
    sum.update(&before.to_le_bytes());
    for part in parts {
        sum.update(&part.len().to_le_bytes());
        sum.update(part);
    }
    sum.sum()
}

/// A failure of SQLite in words that say what can be done.
pub(super) fn words(error: &rusqlite::Error) -> String {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error};
    match error {
        FromSqlConversionFailure(_, _, damage) => return damage.to_string(),
        InvalidColumnType(..) | IntegralValueOutOfRange(..) | Utf8Error(..) => {
            return Damage::Row(format!("a row ({error})")).to_string();
        }
        _ => {}
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            format!("its pages are damaged ({error}); {WAY_OUT}")
        }
        Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => full(error),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            format!("it cannot be opened for writing ({error}); see to its permissions, or use `--store`")
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            format!("another program keeps it busy ({error}); try again when it has ended")
        }
        _ => error.to_string(),
    }
}

/// A disk takes no more.
fn full(error: &dyn std::error::Error) -> String {
    format!(
        "the disk does not take what is written ({error}); see whether it is full; what was acknowledged is kept, and \
         `ankus run` goes on from there"
    )
}

/// The folder of a store that cannot be written to, in words that say what can be done.
pub(super) fn unwritable(error: &std::io::Error) -> String {
    match lasting::is_full(error) {
        true => full(error),
        false => {
            let words = "see to the permissions of its folder, or use another with `--store`";
            format!("its folder cannot be written to ({error}); {words}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_tell_what_stands_where() {
        assert_eq!(sum(1, &[b"ab", b"c"]), sum(1, &[b"ab", b"c"]));
        assert_ne!(sum(1, &[b"ab", b"c"]), sum(1, &[b"a", b"bc"]));
        assert_ne!(sum(1, &[b"ab", b"c"]), sum(2, &[b"ab", b"c"]));
    }

    #[test]
    fn the_largest_page_has_a_field_of_its_own() {
        assert_eq!((page_size(1), page_size(4_096)), (65_536, 4_096));
    }
}
