//! Opening a store: for writing by one process at a time, for reading by anybody.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::Type;
use rusqlite::{Connection, OpenFlags};

use super::faults::{Faults, Watch};
use super::guard::{self, Damage, Mark};
use super::place::{Lock, Standing};
use super::seal::Seal;
use super::{FILE, LOCK, Store, schema, unusable};
use crate::host::ShellError;

/// How long a reader waits for a writer, which is never long at work.
const BUSY: Duration = Duration::from_secs(10);

/// How many statements are kept ready; there are not more.
const STATEMENTS: usize = 32;

/// The folder of attempts.
pub(crate) const WORK: &str = "work";

/// The name of a file that is going to be a store.
const DRAFT: &str = "store.sqlite.new";

impl Store {
    /// Opens a store for writing, and makes it when it is not there. Nothing when another process writes to it.
    pub fn lock(folder: &Path) -> Result<Option<Store>, ShellError> {
        let unwritable = |error: std::io::Error| unusable(folder, guard::unwritable(&error));
        if folder.exists() && !folder.is_dir() {
            return Err(unusable(folder, "what lies in the place of its folder is none; move it away"));
        }
        super::place::is_unshared(folder)?;
        super::place::has_its_own_files(folder)?;
        private_folder(folder).map_err(unwritable)?;
        let lock = guard::private_file(&folder.join(LOCK)).map_err(unwritable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(unwritable(error)),
        }
        let lock = Lock(lock);
        if !examine(folder)? {
            super::place::has_free_work(folder)?;
            make(folder)?;
            private_folder(&folder.join(WORK)).map_err(unwritable)?;
        }
        // Whoever had it before was ended in the middle.
        let is_unclean = guard::has_log(&folder.join(FILE));
        if is_unclean {
            guard::settle_log(&folder.join(FILE), folder).map_err(unwritable)?;
        }
        let mut store = Store::open(folder, Some(lock))?;
        if is_unclean {
            store.verify()?;
        }
        let mut mark = Mark::open(folder).map_err(unwritable)?;
        mark.set(store.last_event, &store.seal.borrow());
        store.mark = RefCell::new(Some(mark));
        Ok(Some(store))
    }

    /// Whether somebody writes to a store at this moment, most likely an executor.
    pub fn is_held(folder: &Path) -> bool {
        let lock = File::open(folder.join(LOCK));
        lock.is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// Opens a store for reading and for requests; nothing when there is none.
    pub fn read(folder: &Path) -> Result<Option<Store>, ShellError> {
        super::place::has_its_own_files(folder)?;
        if !examine(folder)? {
            let made = guard::may_be_made(&folder.join(FILE), folder);
            return made.map(|()| None).map_err(|damage| unusable(folder, damage));
        }
        match connect(folder, Access::Read)? {
            (_, true) => Store::open(folder, None).map(Some),
            // Whoever holds it would not understand it any more.
            (db, false) => {
                drop(db);
                match Store::lock(folder)? {
                    Some(store) => drop(store),
                    None => return Err(unusable(folder, schema::SchemaError::Older)),
                }
                Store::open(folder, None).map(Some)
            }
        }
    }

    /// What is to be said of a store of whose events it is not known how many were acknowledged.
    pub fn unmarked(folder: &Path) -> Result<Option<String>, ShellError> {
        let mark = || guard::acknowledged(folder).map_err(|damage| unusable(folder, damage));
        if !folder.join(FILE).is_file() || mark()?.is_some() {
            return Ok(None);
        }
        let last = Store::read(folder)?.map_or(0, |store| store.last_event);
        // It may have been made in between.
        Ok((last > 0 && mark()?.is_none()).then(|| guard::unmarked(folder, last)))
    }

    fn open(folder: &Path, lock: Option<Lock>) -> Result<Store, ShellError> {
        // Read first: it grows behind the journal.
        let acknowledged = guard::acknowledged(folder).map_err(|damage| unusable(folder, damage))?;
        let access = if lock.is_some() { Access::Write } else { Access::Read };
        let (mut db, is_current) = connect(folder, access)?;
        if !is_current {
            schema::migrate(&mut db).map_err(|error| unusable(folder, error))?;
        }
        let prepare = |db: &Connection| -> rusqlite::Result<(u64, u64)> {
            if !db.is_readonly(rusqlite::MAIN_DB)? {
                write_ahead(db)?;
                db.pragma_update(None, "synchronous", "FULL")?;
                db.pragma_update(None, "foreign_keys", "ON")?;
            }
            let number = |name: &str| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
            Ok((number("page_count")?.unsigned_abs(), number("page_size")?.unsigned_abs()))
        };
        let (pages, page) = prepare(&db).map_err(|error| unusable(folder, guard::words(&error)))?;
        guard::holds(&folder.join(FILE), pages, page).map_err(|damage| unusable(folder, damage))?;
        // One state of it, whoever writes meanwhile.
        let sealed = || -> rusqlite::Result<Seal> {
            let tx = db.unchecked_transaction()?;
            let seal = Seal::read(&tx)?;
            seal.fits_at_opening(&tx).map(|()| seal)
        };
        let seal = sealed().map_err(|error| unusable(folder, guard::words(&error)))?;
        // The log is there since something was read.
        let standing = Standing::of(folder, lock.as_ref());
        let standing = standing.map_err(|error| unusable(folder, Damage::Unreadable(error)))?;
        let mut store = Store {
            db,
            folder: folder.to_owned(),
            lock,
            mark: RefCell::new(None),
            seal: RefCell::new(seal),
            standing,
            last_event: 0,
            sums: BTreeMap::new(),
            faults: Faults::default(),
        };
        store.last_event = store.newest_event()?;
        let noted = acknowledged.map_or(Ok(()), |noted| noted.fits(store.last_event, &store.seal.borrow()));
        noted.map_err(|damage| unusable(folder, damage))?;
        store.is_sound().map(|()| store)
    }

    fn is_sound(&self) -> Result<(), ShellError> {
        let done = self.db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false);
        done.map(|_| ()).map_err(|error| self.fault(&error))
    }

    fn newest_event(&self) -> Result<i64, ShellError> {
        let sql = "SELECT max(ifnull((SELECT max(number) FROM event), 0), \
                   ifnull((SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'last_event'), 0))";
        self.db.query_row(sql, [], |row| row.get(0)).map_err(|error| self.fault(&error))
    }

    /// Lets somebody hear of every write, who may end it; for tests and measurements.
    pub fn watch(&mut self, watch: Watch) {
        self.faults = Faults(Some(watch));
    }
}

/// Makes a folder that others cannot look into: what actions get holds passwords.
fn private_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    if let Some(above) = folder.parent() {
        std::fs::create_dir_all(above)?;
    }
    match builder.create(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        made => made,
    }
}

/// The same of a file, which may lie in a folder that was there.
fn make_private(file: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    std::fs::set_permissions(file, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

fn examine(folder: &Path) -> Result<bool, ShellError> {
    guard::examine(&folder.join(FILE)).map_err(|damage| unusable(folder, damage))
}

/// What somebody wants of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    /// To look at it, and to leave requests where that is allowed.
    Read,
    /// To change it.
    Write,
}

/// Opens the file; whether it is a store of this version. Changes nothing. Who may only read looks at the file as it is,
/// which a program that writes has left with a log, or whole.
fn connect(folder: &Path, access: Access) -> Result<(Connection, bool), ShellError> {
    let unusable = |error: schema::SchemaError| unusable(folder, error);
    match open_file(&folder.join(FILE), OpenFlags::SQLITE_OPEN_READ_WRITE) {
        Err(schema::SchemaError::Database(error))
            if access == Access::Read && guard::is_forbidden(&error) =>
        {
            let name =
                guard::unchanging(&folder.join(FILE)).map_err(|damage| self::unusable(folder, damage))?;
            open_file(&name, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI).map_err(unusable)
        }
        opened => opened.map_err(unusable),
    }
}

fn open_file(path: &Path, flags: OpenFlags) -> Result<(Connection, bool), schema::SchemaError> {
    let db = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let prepare = |db: Connection| {
        // Until it is known to be sound, its end writes nothing.
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        db.set_prepared_statement_cache_capacity(STATEMENTS);
        db.busy_timeout(BUSY).map(|()| db)
    };
    let db = db.and_then(prepare)?;
    let is_current = schema::is_current(&db)?;
    Ok((db, is_current))
}

/// Lets a database have a log. Where that fails SQLite keeps the mode that it had, and says so by the row of its answer, or
/// only behind it, when the change is committed.
fn write_ahead(db: &Connection) -> rusqlite::Result<()> {
    let mut statement = db.prepare("PRAGMA journal_mode = WAL")?;
    let modes = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    match modes.into_iter().find(|mode| mode != "wal") {
        None => Ok(()),
        Some(mode) => {
            Err(rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(Damage::NoLog(mode))))
        }
    }
}

/// Makes a store beside its place and moves it there, so that a file in this place is whole at any time.
fn make(folder: &Path) -> Result<(), ShellError> {
    let (path, draft) = (folder.join(FILE), folder.join(DRAFT));
    guard::may_be_made(&path, folder).map_err(|damage| unusable(folder, damage))?;
    let io = |error: std::io::Error| unusable(folder, guard::unwritable(&error));
    match std::fs::remove_file(&draft) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(io(error)),
        _ => {}
    }
    let build = || -> Result<(), schema::SchemaError> {
        let mut db = Connection::open(&draft)?;
        schema::migrate(&mut db)?;
        write_ahead(&db)?;
        db.close().map_err(|(_, error)| error.into())
    };
    build().map_err(|error| unusable(folder, error))?;
    make_private(&draft).and_then(|()| File::open(&draft)?.sync_all()).map_err(io)?;
    std::fs::rename(&draft, &path).map_err(io)?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(io)
}
