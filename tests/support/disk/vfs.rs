//! The shim that SQLite calls in place of the operating system (`sqlite.org/vfs.html`): it asks the disk of a folder what
//! becomes of each operation, and hands on what is to happen. It is the default of the whole test program, and lets
//! everything pass that no disk is in charge of.

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rusqlite::ffi;
use rusqlite::ffi::{sqlite3_file, sqlite3_io_methods, sqlite3_vfs};

use super::{Change, DISKS, Fate, State, locked};

/// A file of a disk: what SQLite takes for a file, and behind it the operating system's.
#[repr(C)]
struct Handle {
    base: sqlite3_file,
    file: *mut Open,
}

/// What is known of an open file.
struct Open {
    disk: Arc<Mutex<State>>,
    id: u64,
    /// A log or journal: its first sync is one of its folder too (`unixSync`, `UNIXFILE_DIRSYNC`).
    is_log: bool,
}

/// Where the operating system's file begins.
const BEHIND: usize = size_of::<Handle>().next_multiple_of(16);

/// The operating system's functions, which live as long as the program.
struct System(*mut sqlite3_vfs);

// SAFETY: SQLite itself shares it between threads, and nobody changes it.
unsafe impl Send for System {}
// SAFETY: as above.
unsafe impl Sync for System {}

static SYSTEM: OnceLock<System> = OnceLock::new();

/// Puts the shim below every connection that is opened from now on.
pub(super) fn register() {
    SYSTEM.get_or_init(|| {
        // SAFETY: SQLite initializes itself; what is registered is never freed, and all but two functions are those of
        // the operating system, which do not look at the object that they are called on.
        unsafe {
            let system = ffi::sqlite3_vfs_find(std::ptr::null());
            let shim = sqlite3_vfs {
                szOsFile: (*system).szOsFile + BEHIND as c_int,
                pNext: std::ptr::null_mut(),
                zName: c"disk".as_ptr(),
                xOpen: Some(open),
                xDelete: Some(delete),
                ..*system
            };
            assert_eq!(ffi::sqlite3_vfs_register(Box::leak(Box::new(shim)), 1), ffi::SQLITE_OK);
            System(system)
        }
    });
}

fn system() -> *mut sqlite3_vfs {
    SYSTEM.get().expect("it is registered").0
}

/// The disk in charge of a file, and the file's name in its folder.
///
/// # Safety
///
/// The name is that of SQLite, or null.
unsafe fn disk_of(name: *const c_char) -> Option<(Arc<Mutex<State>>, String)> {
    if name.is_null() {
        return None;
    }
    // SAFETY: a name of SQLite ends with a zero.
    let path = Path::new(OsStr::from_bytes(unsafe { CStr::from_ptr(name) }.to_bytes()));
    let disks = DISKS.lock().unwrap_or_else(PoisonError::into_inner);
    let disk = disks.get(path.parent()?)?.clone();
    Some((disk, path.file_name()?.to_string_lossy().into_owned()))
}

unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    // SAFETY: SQLite hands over room of the size that was registered, which holds both files one behind the other.
    unsafe {
        let open = (*system()).xOpen.expect("it opens files");
        let Some((disk, name_in_folder)) = disk_of(name) else {
            return open(system(), name, file, flags, out);
        };
        (*file).pMethods = std::ptr::null();
        let is_log = flags & (ffi::SQLITE_OPEN_WAL | ffi::SQLITE_OPEN_MAIN_JOURNAL) != 0;
        let id = {
            let mut state = locked(&disk);
            let was_there = state.folder.join(&name_in_folder).exists();
            // To open what is there changes nothing, but may fail all the same.
            let fails = if was_there {
                !state.reads()
            } else {
                state.fate(0, format_args!("new {name_in_folder}")) == Fate::Fails
            };
            if fails {
                return ffi::SQLITE_CANTOPEN;
            }
            let code = open(system(), name, behind(file), flags, out);
            if code != ffi::SQLITE_OK {
                return code;
            }
            let id = state.opened(&name_in_folder, was_there);
            state.note(format!("  {name_in_folder} is {id}"));
            state.is_open(id);
            id
        };
        let handle = file.cast::<Handle>();
        (*handle).file = Box::into_raw(Box::new(Open { disk, id, is_log }));
        (*file).pMethods = &METHODS;
        ffi::SQLITE_OK
    }
}

unsafe extern "C" fn delete(_: *mut sqlite3_vfs, name: *const c_char, sync_folder: c_int) -> c_int {
    // SAFETY: what SQLite hands over is handed on.
    unsafe {
        let delete = (*system()).xDelete.expect("it removes files");
        let Some((disk, name_in_folder)) = disk_of(name) else { return delete(system(), name, sync_folder) };
        let mut state = locked(&disk);
        if state.fate(0, format_args!("remove {name_in_folder}")) == Fate::Fails {
            return ffi::SQLITE_IOERR_DELETE;
        }
        let code = delete(system(), name, 0);
        if code == ffi::SQLITE_OK {
            state.removed(&name_in_folder, sync_folder != 0);
        }
        code
    }
}

/// The operating system's file.
///
/// # Safety
///
/// The file is one that [`open`] got from SQLite.
unsafe fn behind(file: *mut sqlite3_file) -> *mut sqlite3_file {
    // SAFETY: there is room for both.
    unsafe { file.byte_add(BEHIND) }
}

/// # Safety
///
/// The file is one that [`open`] has opened.
unsafe fn opened<'f>(file: *mut sqlite3_file) -> &'f Open {
    // SAFETY: it lives until the file is closed.
    unsafe { &*(*file.cast::<Handle>()).file }
}

/// Calls the operating system's function of this name.
macro_rules! below {
    ($file:expr, $method:ident $(, $argument:expr)*) => {{
        let inner = behind($file);
        ((*(*inner).pMethods).$method.expect("the system has it"))(inner $(, $argument)*)
    }};
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: it was opened, and is not used again.
    unsafe {
        let Open { disk, id, .. } = *Box::from_raw((*file.cast::<Handle>()).file);
        let code = below!(file, xClose);
        let mut state = locked(&disk);
        state.note(format!("  close {id}"));
        state.closed(id);
        code
    }
}

unsafe extern "C" fn read(file: *mut sqlite3_file, into: *mut c_void, length: c_int, at: i64) -> c_int {
    // SAFETY: what SQLite hands over is handed on.
    unsafe {
        match locked(&opened(file).disk).reads() {
            true => below!(file, xRead, into, length, at),
            false => ffi::SQLITE_IOERR_READ,
        }
    }
}

unsafe extern "C" fn write(file: *mut sqlite3_file, from: *const c_void, length: c_int, at: i64) -> c_int {
    // SAFETY: SQLite hands over so many bytes.
    unsafe {
        let Open { disk, id, is_log } = opened(file);
        let bytes = std::slice::from_raw_parts(from.cast::<u8>(), length as usize);
        let mut state = locked(disk);
        if state.is_dead {
            return ffi::SQLITE_IOERR_WRITE;
        }
        let lies = state.weather.lost_writes;
        match state.fate(lies, format_args!("write {length} at {at} to {id}")) {
            Fate::Lost => ffi::SQLITE_OK,
            Fate::Done => {
                state.changed(*id, Change::Write(at as u64, bytes.to_vec()));
                below!(file, xWrite, from, length, at)
            }
            Fate::Fails => {
                state.log_failed |= is_log;
                // What was under way may have come anywhere.
                let written = state.random.below(bytes.len().max(1));
                let is_short = written > 0 && state.random.one_in(2);
                if !is_short {
                    return ffi::SQLITE_IOERR_WRITE;
                }
                state.changed(*id, Change::Write(at as u64, bytes[..written].to_vec()));
                below!(file, xWrite, from, written as c_int, at);
                if state.is_dead { ffi::SQLITE_IOERR_WRITE } else { ffi::SQLITE_FULL }
            }
        }
    }
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, length: i64) -> c_int {
    // SAFETY: what SQLite hands over is handed on.
    unsafe {
        let Open { disk, id, .. } = opened(file);
        let mut state = locked(disk);
        if state.fate(0, format_args!("truncate {id} to {length}")) == Fate::Fails {
            return ffi::SQLITE_IOERR_TRUNCATE;
        }
        state.changed(*id, Change::Truncate(length as u64));
        below!(file, xTruncate, length)
    }
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, _: c_int) -> c_int {
    // SAFETY: it was opened. The operating system need not sync: what would be left is kept beside it.
    let Open { disk, id, is_log } = unsafe { opened(file) };
    let mut state = locked(disk);
    let lies = state.weather.lost_syncs;
    match state.fate(lies, format_args!("sync {id}")) {
        Fate::Lost => ffi::SQLITE_OK,
        Fate::Fails => {
            if !state.is_dead {
                state.sync(*id, false);
            }
            ffi::SQLITE_IOERR_FSYNC
        }
        Fate::Done => {
            state.sync(*id, true);
            if *is_log {
                state.sync_folder();
            }
            ffi::SQLITE_OK
        }
    }
}

/// Functions that only hand on.
macro_rules! handed_on {
    ($($name:ident = $method:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        unsafe extern "C" fn $name(file: *mut sqlite3_file, $($argument: $kind),*) -> $result {
            // SAFETY: what SQLite hands over is handed on.
            unsafe { below!(file, $method $(, $argument)*) }
        }
    )*};
}

handed_on! {
    file_size = xFileSize(size: *mut i64) -> c_int;
    lock = xLock(level: c_int) -> c_int;
    unlock = xUnlock(level: c_int) -> c_int;
    check_reserved = xCheckReservedLock(out: *mut c_int) -> c_int;
    file_control = xFileControl(what: c_int, argument: *mut c_void) -> c_int;
    sector_size = xSectorSize() -> c_int;
    characteristics = xDeviceCharacteristics() -> c_int;
    shm_map = xShmMap(page: c_int, size: c_int, extend: c_int, out: *mut *mut c_void) -> c_int;
    shm_lock = xShmLock(offset: c_int, count: c_int, flags: c_int) -> c_int;
    shm_barrier = xShmBarrier() -> ();
    shm_unmap = xShmUnmap(delete: c_int) -> c_int;
}

static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    // Without memory maps, which would go past it.
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};
