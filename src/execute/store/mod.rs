//! The store of an executor: one SQLite file with the journal of events, what its keys stand for, and the jobs as they
//! are now.
//!
//! Whoever changes it holds the lock beside it; anybody may read. A transaction is on disk when [`Store::commit`] returns
//! (WAL, `synchronous = FULL`).

mod faults;
mod filter;
mod guard;
mod opening;
mod place;
mod schema;
mod seal;
mod verify;
mod writing;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use filter::Filter;
pub(crate) use opening::WORK;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row};

use crate::engine::{Event, JobId, JobKind, Recorded};
use crate::host::ShellError;
use crate::host::files;
use crate::time::Instant;
use faults::Faults;
pub use faults::{Moment, Watch};
use guard::{Damage, Mark};
use place::{Lock, Standing};
use seal::Seal;
pub use verify::Verified;

/// The name of the file in the folder of a store.
const FILE: &str = "store.sqlite";

/// The name of the lock beside it.
const LOCK: &str = "lock";

/// An open store.
#[derive(Debug)]
pub struct Store {
    db: Connection,
    folder: PathBuf,
    /// Held as long as the store is open for writing; let go behind the database, which writes when it is closed.
    lock: Option<Lock>,
    mark: RefCell<Option<Mark>>,
    /// What it was sealed with last, as far as this process knows.
    seal: RefCell<Seal>,
    standing: Standing,
    /// The number of the newest event that there ever was.
    last_event: i64,
    /// The sum of the newest event of each submission that was written to, and of the passing of time.
    sums: BTreeMap<Option<u32>, u32>,
    faults: Faults,
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
    /// Remarks about submissions, by name.
    pub meta: Vec<(String, String)>,
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
            && self.meta.is_empty()
    }
}

impl Store {
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
        unusable(&self.folder, guard::words(error))
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
            // One state of it, whoever writes meanwhile.
            let tx = self.db.unchecked_transaction()?;
            let sql = format!("SELECT at, root, last, body, number, sum FROM event {chosen} ORDER BY number");
            let mut statement = tx.prepare(&sql)?;
            let mut rows = statement.query([])?;
            // The sums of the events before, once one of the same kind was read.
            let (mut sums, mut heads) = (BTreeMap::new(), verify::Heads::new());
            while let Some(row) = rows.next()? {
                let entry = read_entry(row, &mut sums).map_err(|damage| unusable(&self.folder, damage));
                verify::note(&mut heads, row)?;
                if let Err(error) = entry.and_then(&mut take) {
                    return Ok(Err(error));
                }
            }
            // An index that has lost its end leaves out what the journal holds.
            verify::ends_fit(&tx, roots, &heads)?;
            Ok(Ok(()))
        };
        read().map_err(|error| self.fault(&error))?
    }

    /// The recipe behind a key.
    pub fn recipe(&self, key: &str) -> Result<Option<String>, ShellError> {
        let row =
            |row: &Row<'_>| -> rusqlite::Result<(String, Option<u32>)> { Ok((row.get(0)?, row.get(1)?)) };
        let found =
            self.db.query_row("SELECT recipe, sum FROM program WHERE key = ?1", [key], row).optional();
        match found.map_err(|error| self.fault(&error))? {
            // What the tree of keys does not find is looked for in all rows.
            None => {
                match self
                    .list("SELECT key FROM program WHERE +key = CAST(?1 AS INTEGER)", [key], |_| Ok(()))?[..]
                {
                    [] => Ok(None),
                    [..] => Err(self.fault(&seal::damaged("its table `program`"))),
                }
            }
            Some((recipe, Some(sum))) if sum != recipe_sum(key, &recipe) => {
                Err(unusable(&self.folder, Damage::Row(format!("the definition of number {key}"))))
            }
            found => Ok(found.map(|(recipe, _)| recipe)),
        }
    }

    /// The number of the newest key.
    pub fn last_key(&self) -> Result<u64, ShellError> {
        let last =
            self.db.query_row("SELECT ifnull(max(key), 0) FROM program", [], |row| row.get::<_, i64>(0));
        Ok(last.map_err(|error| self.fault(&error))?.unsigned_abs())
    }

    /// The roots that an executor looks after.
    pub fn live(&self) -> Result<Vec<u32>, ShellError> {
        self.list("SELECT root FROM live ORDER BY root", [], |row| row.get(0))
    }

    /// How many events the journal holds of some roots.
    pub fn len_of(&self, roots: &[u32]) -> Result<u64, ShellError> {
        let list: Vec<String> = roots.iter().map(u32::to_string).collect();
        let sql = format!("SELECT count(*) FROM event WHERE root IN ({})", list.join(","));
        let count: i64 = self.db.query_row(&sql, [], |row| row.get(0)).map_err(|error| self.fault(&error))?;
        Ok(count.unsigned_abs())
    }

    /// The number of the newest job that there ever was.
    pub fn last_number(&self) -> Result<u32, ShellError> {
        let last = self.db.query_row(LAST_NUMBER, [], |row| row.get(0));
        last.map_err(|error| self.fault(&error))
    }

    /// A job.
    pub fn job(&self, number: u32) -> Result<Option<JobRow>, ShellError> {
        self.found("number", number, |job| job.id.number == number)
    }

    /// The job of a user's own name.
    pub fn job_named(&self, external_id: &str) -> Result<Option<JobRow>, ShellError> {
        self.found("external_id", external_id, |job| job.external_id.as_deref() == Some(external_id))
    }

    /// The job with this value in a column that says which one it is. What an index does not find is looked for in all
    /// rows: it may have lost one, and then a job would be taken for a new one.
    fn found<V: rusqlite::ToSql + Copy>(
        &self,
        column: &str,
        value: V,
        is_it: impl Fn(&JobRow) -> bool,
    ) -> Result<Option<JobRow>, ShellError> {
        // One state of it, whoever writes meanwhile.
        let _tx = self.db.unchecked_transaction().map_err(|error| self.fault(&error))?;
        let damaged = || Err(self.fault(&seal::damaged("an index of its table `job`")));
        let by_index =
            self.list(&format!("SELECT {COLUMNS} FROM job WHERE {column} = ?1"), [value], job_row)?.pop();
        match by_index {
            Some(job) if is_it(&job) => Ok(Some(job)),
            Some(_) => damaged(),
            None => {
                match self.list(
                    &format!("SELECT number FROM job NOT INDEXED WHERE +{column} = ?1"),
                    [value],
                    |_| Ok(()),
                )?[..]
                {
                    [] => Ok(None),
                    [..] => damaged(),
                }
            }
        }
    }

    /// The number of the last event.
    pub fn last_event(&self) -> Result<i64, ShellError> {
        let last = self.db.query_row("SELECT ifnull(max(number), 0) FROM event", [], |row| row.get(0));
        last.map_err(|error| self.fault(&error))
    }

    /// When the last event happened.
    pub fn last_time(&self) -> Result<Option<Instant>, ShellError> {
        let sql = "SELECT at FROM event ORDER BY number DESC LIMIT 1";
        Ok(self.list(sql, [], |row| row.get(0))?.pop().map(Instant::from_millis))
    }

    /// The newest jobs, at most so many, newest first.
    pub fn newest(&self, most: u32) -> Result<Vec<JobRow>, ShellError> {
        self.find(&Filter { len: most, ..Filter::default() })
    }

    /// The jobs that a filter lets through, newest first.
    pub fn find(&self, filter: &Filter) -> Result<Vec<JobRow>, ShellError> {
        let read = || -> rusqlite::Result<Vec<JobRow>> {
            let sql = format!("SELECT {COLUMNS} FROM job NOT INDEXED ORDER BY number DESC");
            let mut statement = self.db.prepare_cached(&sql)?;
            // What does not fit its sum ends it, also where it would not be shown.
            let rows = statement
                .query_map([], job_row)?
                .filter(|row| row.as_ref().map_or(true, |it| filter.takes(it)));
            let mut left = filter.offset;
            let rows = rows.filter(|row| {
                let is_shown = left == 0 || row.is_err();
                left = left.saturating_sub(1);
                is_shown
            });
            rows.take(filter.len as usize).collect()
        };
        read().map_err(|error| self.fault(&error))
    }

    /// The jobs of some submissions with the job that was submitted, oldest first.
    pub fn roots_of(&self, roots: &[u32]) -> Result<Vec<(u32, u32)>, ShellError> {
        if roots.is_empty() {
            return Ok(Vec::new());
        }
        // An index that has lost a row would leave one out.
        let sql = format!("SELECT {COLUMNS} FROM job NOT INDEXED ORDER BY number");
        let jobs = self.list(&sql, [], job_row)?.into_iter().map(|job| (job.id.number, job.root));
        Ok(jobs.filter(|(_, root)| roots.contains(root)).collect())
    }

    /// All that is still to be done outside.
    pub fn chores(&self) -> Result<Vec<(i64, u32, String)>, ShellError> {
        self.chores_after(0)
    }

    /// What is still to be done outside, behind a number: number, root and what.
    pub fn chores_after(&self, number: i64) -> Result<Vec<(i64, u32, String)>, ShellError> {
        let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        self.list("SELECT number, root, body FROM chore WHERE number > ?1 ORDER BY number", [number], row)
    }

    /// The answer to a request, once there is one.
    pub fn answer(&self, number: i64) -> Result<Option<String>, ShellError> {
        let sql = "SELECT answer FROM request WHERE number = ?1";
        let found = self.db.query_row(sql, [number], |row| row.get(0)).optional();
        Ok(found.map_err(|error| self.fault(&error))?.flatten())
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

/// The number of the newest job that there ever was.
const LAST_NUMBER: &str = "SELECT max(ifnull((SELECT max(number) FROM job), 0), \
                           ifnull((SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'last_number'), 0))";

/// The columns of a job, in the order of [`job_row`].
const COLUMNS: &str = "number, kind, root, parent, name, app_path, user, status, created, started, ended, modified, \
                       external_id, sum";

/// A store that cannot be used, and why.
fn unusable(folder: &Path, why: impl std::fmt::Display) -> ShellError {
    ShellError::Store { path: files::shown(&folder.join(FILE)), message: why.to_string() }
}

/// Reads an event, and holds its sum against those before it.
fn read_entry(row: &Row<'_>, sums: &mut BTreeMap<Option<u32>, u32>) -> Result<Entry, String> {
    type Fields = (i64, Option<u32>, u32, String, i64, Option<u32>);
    let fields = || -> rusqlite::Result<Fields> {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
    };
    let (at, root, last, body, number, sum) = fields().map_err(|error| guard::words(&error))?;
    // Time passes for all, so what comes before the first event that is asked for is not at hand.
    let before = sums.get(&root).copied().or(root.map(|_| 0));
    let is_damaged = match (sum, before) {
        (Some(sum), Some(before)) => sum != event_sum(before, number, at, root, last, &body),
        _ => false,
    };
    if is_damaged {
        return Err(Damage::Row(format!("event {number}, or one before it,")).to_string());
    }
    sums.insert(root, sum.unwrap_or(0));
    let event: Event =
        serde_json::from_str(&body).map_err(|error| format!("event {number} cannot be read: {error}"))?;
    let recorded = Recorded { version: crate::engine::VERSION, at: Instant::from_millis(at), event };
    Ok(Entry { root, last, recorded })
}

fn event_sum(before: u32, number: i64, at: i64, root: Option<u32>, last: u32, body: &str) -> u32 {
    let root = root.map_or(-1, i64::from);
    let numbers = [number, at, root, i64::from(last)].map(i64::to_le_bytes);
    guard::sum(before, &[numbers.as_flattened(), body.as_bytes()])
}

fn recipe_sum(key: &str, recipe: &str) -> u32 {
    guard::sum(0, &[key.as_bytes(), recipe.as_bytes()])
}

/// The sum of a job, with the user's own name for it, which is given once.
fn job_sum(job: &JobRow, external_id: Option<&str>) -> u32 {
    match external_id {
        Some(name) => guard::sum(nameless_sum(job), &[name.as_bytes()]),
        None => nameless_sum(job),
    }
}

/// The sum of a job without that name, as it once was.
fn nameless_sum(job: &JobRow) -> u32 {
    let millis = |at: Option<Instant>| at.map_or(i64::MIN, Instant::millis);
    let numbers = [
        i64::from(job.id.number),
        i64::from(job.root),
        job.created.millis(),
        millis(job.started),
        millis(job.ended),
        job.modified.millis(),
    ];
    let parent = job.parent.as_deref().unwrap_or_default();
    let texts = [job.id.kind.word(), parent, &job.name, &job.app_path, &job.user, &job.status];
    let texts = texts.map(str::as_bytes);
    let numbers = numbers.map(i64::to_le_bytes);
    guard::sum(guard::sum(0, &texts), &[numbers.as_flattened()])
}

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
    let job = JobRow {
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
    };
    match row.get::<_, Option<u32>>(13)? {
        Some(sum) if sum != job_sum(&job, job.external_id.as_deref()) && sum != nameless_sum(&job) => {
            let damage = Damage::Row(format!("the row of job {}", job.id.number));
            Err(rusqlite::Error::FromSqlConversionFailure(13, Type::Integer, Box::new(damage)))
        }
        _ => Ok(job),
    }
}
