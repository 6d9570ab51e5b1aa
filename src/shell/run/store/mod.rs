//! The store of an executor: one SQLite file with the journal of events, what its keys stand for, and the jobs as they
//! are now.
//!
//! Whoever changes it holds the lock beside it; anybody may read. A transaction is on disk when [`Store::commit`] returns
//! (WAL, `synchronous = FULL`).

mod schema;

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use crate::engine::{Event, JobId, JobKind, Recorded};
use crate::shell::{ShellError, files};
use crate::time::Instant;

/// The name of the file in the folder of a store.
const FILE: &str = "store.sqlite";

/// The name of the lock beside it.
const LOCK: &str = "lock";

/// How long a reader waits for a writer, which is never long at work.
const BUSY: Duration = Duration::from_secs(10);

/// An open store.
#[derive(Debug)]
pub struct Store {
    db: Connection,
    folder: PathBuf,
    /// Held as long as the store is open for writing.
    lock: Option<File>,
}

/// A job as the store shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRow {
    /// The job.
    pub id: JobId,
    /// The number of the job that was submitted, of which this is a part.
    pub root: u32,
    /// What runs it: the id of a bundle, of an action or of a node.
    pub parent: Option<String>,
    /// Its name.
    pub name: String,
    /// Where its definition lies.
    pub app_path: String,
    /// Who submitted it.
    pub user: String,
    /// Its status, as a server names it.
    pub status: String,
    /// When it was made.
    pub created: Instant,
    /// When it began.
    pub started: Option<Instant>,
    /// When it was over.
    pub ended: Option<Instant>,
    /// When something about it changed last.
    pub modified: Instant,
    /// The user's own name for it.
    pub external_id: Option<String>,
}

/// An event of the journal with what a replay of some jobs alone needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The number of the job that was submitted; none for the passing of time.
    pub root: Option<u32>,
    /// The number of the newest job before the event.
    pub last: u32,
    /// The event.
    pub recorded: Recorded,
}

/// What goes to disk together.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Events, in order.
    pub entries: Vec<Entry>,
    /// New keys with their recipes.
    pub programs: Vec<(String, String)>,
    /// Jobs that are new or have changed.
    pub jobs: Vec<JobRow>,
    /// Things to be done outside, with the root that they are for.
    pub chores: Vec<(u32, String)>,
    /// Numbers of things that were done.
    pub done: Vec<i64>,
    /// Answers to requests.
    pub answers: Vec<(i64, String)>,
    /// Roots that an executor looks after from now on.
    pub live: Vec<u32>,
    /// Roots that are over.
    pub over: Vec<u32>,
}

impl Batch {
    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
            && self.programs.is_empty()
            && self.jobs.is_empty()
            && self.chores.is_empty()
            && self.done.is_empty()
            && self.answers.is_empty()
            && self.live.is_empty()
            && self.over.is_empty()
    }
}

impl Store {
    /// Opens a store for writing, and makes it when it is not there. Nothing when another process writes to it.
    pub fn lock(folder: &Path) -> Result<Option<Store>, ShellError> {
        let fault = |source| ShellError::Write { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(fault)?;
        let path = folder.join(LOCK);
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let lock = lock.map_err(|source| ShellError::Write { path: path.clone(), source })?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Store::open(folder, Some(lock))?)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(ShellError::Write { path, source }),
        }
    }

    /// Opens a store for reading and for requests; nothing when there is none.
    pub fn read(folder: &Path) -> Result<Option<Store>, ShellError> {
        if !files::is_file(&folder.join(FILE)) {
            return Ok(None);
        }
        Store::open(folder, None).map(Some)
    }

    fn open(folder: &Path, lock: Option<File>) -> Result<Store, ShellError> {
        let path = folder.join(FILE);
        let fault = |error: &dyn std::fmt::Display| ShellError::Store {
            path: files::shown(&path),
            message: error.to_string(),
        };
        let mut db = Connection::open(&path).map_err(|error| fault(&error))?;
        let prepare = |db: &Connection| -> rusqlite::Result<()> {
            db.busy_timeout(BUSY)?;
            db.pragma_update(None, "journal_mode", "WAL")?;
            db.pragma_update(None, "synchronous", "FULL")?;
            db.pragma_update(None, "foreign_keys", "ON")
        };
        prepare(&db).map_err(|error| fault(&error))?;
        schema::migrate(&mut db).map_err(|error| fault(&error))?;
        Ok(Store { db, folder: folder.to_owned(), lock })
    }

    /// The folder of the store.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether this process may write events.
    pub fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// A failure of the file, in words.
    fn fault(&self, error: &rusqlite::Error) -> ShellError {
        ShellError::Store { path: files::shown(&self.folder.join(FILE)), message: error.to_string() }
    }

    /// Writes a batch; when this returns it is on disk. After an error nothing of it is.
    pub fn commit(&mut self, batch: &Batch) -> Result<(), ShellError> {
        let write = |db: &mut Connection| {
            let tx = db.transaction()?;
            write(&tx, batch)?;
            tx.commit()
        };
        write(&mut self.db).map_err(|error| self.fault(&error))
    }

    /// The events of some roots and the passing of time since the first of them, in order; of all roots without a list.
    pub fn replay(
        &self,
        roots: Option<&[u32]>,
        mut take: impl FnMut(Entry) -> Result<(), ShellError>,
    ) -> Result<(), ShellError> {
        let mut read = || -> rusqlite::Result<Result<(), ShellError>> {
            let chosen = match roots {
                None => String::new(),
                Some([]) => return Ok(Ok(())),
                Some(roots) => {
                    let list: Vec<String> = roots.iter().map(u32::to_string).collect();
                    let list = list.join(",");
                    format!(
                        "WHERE root IN ({list}) OR root IS NULL AND number > \
                         (SELECT min(number) FROM event WHERE root IN ({list}))"
                    )
                }
            };
            let sql = format!("SELECT at, root, last, body, number FROM event {chosen} ORDER BY number");
            let mut statement = self.db.prepare(&sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                if let Err(error) = self.entry(row).and_then(&mut take) {
                    return Ok(Err(error));
                }
            }
            Ok(Ok(()))
        };
        read().map_err(|error| self.fault(&error))?
    }

    fn entry(&self, row: &Row<'_>) -> Result<Entry, ShellError> {
        let fields = || -> rusqlite::Result<(i64, Option<u32>, u32, String, i64)> {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
        };
        let (at, root, last, body, number) = fields().map_err(|error| self.fault(&error))?;
        let event: Event = serde_json::from_str(&body).map_err(|error| ShellError::Store {
            path: files::shown(&self.folder.join(FILE)),
            message: format!("event {number} cannot be read: {error}"),
        })?;
        let recorded = Recorded { version: crate::engine::VERSION, at: Instant::from_millis(at), event };
        Ok(Entry { root, last, recorded })
    }

    /// The recipe behind a key.
    pub fn recipe(&self, key: &str) -> Result<Option<String>, ShellError> {
        let found = self.db.query_row("SELECT recipe FROM program WHERE key = ?1", [key], |row| row.get(0));
        found.optional().map_err(|error| self.fault(&error))
    }

    /// How many keys there are.
    pub fn program_count(&self) -> Result<u64, ShellError> {
        let count = self.db.query_row("SELECT count(*) FROM program", [], |row| row.get::<_, i64>(0));
        Ok(count.map_err(|error| self.fault(&error))?.unsigned_abs())
    }

    /// The roots that an executor looks after.
    pub fn live(&self) -> Result<Vec<u32>, ShellError> {
        self.list("SELECT root FROM live ORDER BY root", [], |row| row.get(0))
    }

    /// The number of the newest job that there ever was.
    pub fn last_number(&self) -> Result<u32, ShellError> {
        let sql = "SELECT max(ifnull((SELECT max(number) FROM job), 0), \
                   ifnull((SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'last_number'), 0))";
        let last = self.db.query_row(sql, [], |row| row.get(0));
        last.map_err(|error| self.fault(&error))
    }

    /// A job.
    pub fn job(&self, number: u32) -> Result<Option<JobRow>, ShellError> {
        Ok(self.list(&format!("SELECT {COLUMNS} FROM job WHERE number = ?1"), [number], job_row)?.pop())
    }

    /// The job of a user's own name.
    pub fn job_named(&self, external_id: &str) -> Result<Option<JobRow>, ShellError> {
        let sql = format!("SELECT {COLUMNS} FROM job WHERE external_id = ?1");
        Ok(self.list(&sql, [external_id], job_row)?.pop())
    }

    /// The newest jobs, at most so many, newest first.
    pub fn newest(&self, most: u32) -> Result<Vec<JobRow>, ShellError> {
        self.list(&format!("SELECT {COLUMNS} FROM job ORDER BY number DESC LIMIT ?1"), [most], job_row)
    }

    /// All jobs of a submission, oldest first.
    pub fn jobs_of(&self, root: u32) -> Result<Vec<JobRow>, ShellError> {
        self.list(&format!("SELECT {COLUMNS} FROM job WHERE root = ?1 ORDER BY number"), [root], job_row)
    }

    /// What is still to be done outside: number, root and what.
    pub fn chores(&self) -> Result<Vec<(i64, u32, String)>, ShellError> {
        let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        self.list("SELECT number, root, body FROM chore ORDER BY number", [], row)
    }

    /// Leaves a request for the executor; its number.
    pub fn ask(&self, body: &str) -> Result<i64, ShellError> {
        let asked = self.db.execute("INSERT INTO request (body) VALUES (?1)", [body]);
        asked.map_err(|error| self.fault(&error))?;
        Ok(self.db.last_insert_rowid())
    }

    /// The answer to a request, once there is one.
    pub fn answer(&self, number: i64) -> Result<Option<String>, ShellError> {
        let sql = "SELECT answer FROM request WHERE number = ?1";
        let found = self.db.query_row(sql, [number], |row| row.get(0)).optional();
        Ok(found.map_err(|error| self.fault(&error))?.flatten())
    }

    /// Takes a request back that nobody has answered; false when somebody has.
    pub fn withdraw(&self, number: i64) -> Result<bool, ShellError> {
        let sql = "DELETE FROM request WHERE number = ?1 AND answer IS NULL";
        Ok(self.db.execute(sql, [number]).map_err(|error| self.fault(&error))? > 0)
    }

    /// The requests without an answer, oldest first.
    pub fn requests(&self) -> Result<Vec<(i64, String)>, ShellError> {
        let sql = "SELECT number, body FROM request WHERE answer IS NULL ORDER BY number";
        self.list(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// A remark about the store itself, kept under a name.
    pub fn meta(&self, name: &str) -> Result<Option<String>, ShellError> {
        let found = self.db.query_row("SELECT value FROM meta WHERE name = ?1", [name], |row| row.get(0));
        found.optional().map_err(|error| self.fault(&error))
    }

    /// Keeps a remark about the store itself.
    pub fn set_meta(&self, name: &str, value: &str) -> Result<(), ShellError> {
        let sql = "INSERT INTO meta VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
        self.db.execute(sql, [name, value]).map(|_| ()).map_err(|error| self.fault(&error))
    }

    /// Removes submissions that are over and were last changed before a time; how many, and the jobs that they had.
    pub fn purge(&mut self, before: Instant) -> Result<(usize, Vec<u32>), ShellError> {
        let purge = |db: &mut Connection| -> rusqlite::Result<(usize, Vec<u32>)> {
            let tx = db.transaction()?;
            let roots = "SELECT root FROM job GROUP BY root HAVING max(modified) < ?1 \
                         AND root NOT IN (SELECT root FROM live)";
            let roots: Vec<u32> = {
                let mut statement = tx.prepare(roots)?;
                let rows = statement.query_map([before.millis()], |row| row.get(0))?;
                rows.collect::<Result<_, _>>()?
            };
            // The numbers of jobs that are gone are not given again.
            tx.execute(
                "INSERT INTO meta SELECT 'last_number', max(number) FROM job WHERE true HAVING max(number) NOT NULL \
                 ON CONFLICT (name) DO UPDATE SET value = max(CAST(value AS INTEGER), excluded.value)",
                [],
            )?;
            let mut jobs: Vec<u32> = Vec::new();
            for root in &roots {
                let mut statement = tx.prepare_cached("SELECT number FROM job WHERE root = ?1")?;
                let rows = statement.query_map([root], |row| row.get(0))?;
                jobs.extend(rows.collect::<Result<Vec<u32>, _>>()?);
                tx.execute("DELETE FROM event WHERE root = ?1", [root])?;
                tx.execute("DELETE FROM chore WHERE root = ?1", [root])?;
                tx.execute("DELETE FROM job WHERE root = ?1", [root])?;
            }
            tx.commit()?;
            Ok((roots.len(), jobs))
        };
        purge(&mut self.db).map_err(|error| self.fault(&error))
    }

    fn list<T>(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, ShellError> {
        let rows = || -> rusqlite::Result<Vec<T>> {
            let mut statement = self.db.prepare_cached(sql)?;
            let rows = statement.query_map(params, read)?;
            rows.collect()
        };
        rows().map_err(|error| self.fault(&error))
    }
}

/// The columns of a job, in the order of [`job_row`].
const COLUMNS: &str = "number, kind, root, parent, name, app_path, user, status, created, started, ended, modified, \
                       external_id";

fn job_row(row: &Row<'_>) -> rusqlite::Result<JobRow> {
    let kind: String = row.get(1)?;
    let kind = match kind.as_str() {
        "bundle" => JobKind::Bundle,
        "coordinator" => JobKind::Coordinator,
        _ => JobKind::Workflow,
    };
    let time = |index| -> rusqlite::Result<Option<Instant>> {
        Ok(row.get::<_, Option<i64>>(index)?.map(Instant::from_millis))
    };
    Ok(JobRow {
        id: JobId { number: row.get(0)?, kind },
        root: row.get(2)?,
        parent: row.get(3)?,
        name: row.get(4)?,
        app_path: row.get(5)?,
        user: row.get(6)?,
        status: row.get(7)?,
        created: Instant::from_millis(row.get(8)?),
        started: time(9)?,
        ended: time(10)?,
        modified: Instant::from_millis(row.get(11)?),
        external_id: row.get(12)?,
    })
}

fn write(tx: &Transaction<'_>, batch: &Batch) -> rusqlite::Result<()> {
    for (key, recipe) in &batch.programs {
        tx.prepare_cached("INSERT INTO program VALUES (?1, ?2)")?.execute([key, recipe])?;
    }
    let mut insert = tx.prepare_cached("INSERT INTO event (at, root, last, body) VALUES (?1, ?2, ?3, ?4)")?;
    for entry in &batch.entries {
        let body = serde_json::to_string(&entry.recorded.event)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        insert.execute(params![entry.recorded.at.millis(), entry.root, entry.last, body])?;
    }
    let sql = format!(
        "INSERT INTO job ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) \
         ON CONFLICT (number) DO UPDATE SET status = excluded.status, name = excluded.name, \
         app_path = excluded.app_path, started = excluded.started, ended = excluded.ended, \
         modified = excluded.modified"
    );
    let mut insert = tx.prepare_cached(&sql)?;
    for job in &batch.jobs {
        let millis = |at: Option<Instant>| at.map(Instant::millis);
        insert.execute(params![
            job.id.number,
            job.id.kind.word(),
            job.root,
            job.parent,
            job.name,
            job.app_path,
            job.user,
            job.status,
            job.created.millis(),
            millis(job.started),
            millis(job.ended),
            job.modified.millis(),
            job.external_id,
        ])?;
    }
    for (root, body) in &batch.chores {
        tx.prepare_cached("INSERT INTO chore (root, body) VALUES (?1, ?2)")?.execute(params![root, body])?;
    }
    for number in &batch.done {
        tx.prepare_cached("DELETE FROM chore WHERE number = ?1")?.execute([number])?;
    }
    for (number, answer) in &batch.answers {
        let sql = "UPDATE request SET answer = ?2 WHERE number = ?1";
        tx.prepare_cached(sql)?.execute(params![number, answer])?;
    }
    for root in &batch.live {
        tx.prepare_cached("INSERT OR IGNORE INTO live VALUES (?1)")?.execute([root])?;
    }
    for root in &batch.over {
        tx.prepare_cached("DELETE FROM live WHERE root = ?1")?.execute([root])?;
    }
    Ok(())
}
