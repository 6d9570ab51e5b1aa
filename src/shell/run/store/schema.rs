//! The tables of a store, and how a store of an older version becomes one of this.

use rusqlite::Connection;

/// What makes each version from the one before; the first from an empty file.
const MIGRATIONS: [&str; 1] = [
    // The `event` table only grows. `root` is the job that was submitted, of which the event's job is a part; none for
    // the passing of time. `last` is the number of the newest job before the event.
    "CREATE TABLE event (
        number INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        root INTEGER,
        last INTEGER NOT NULL,
        body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX event_of_root ON event (root, number);
    -- What the keys in events stand for.
    CREATE TABLE program (
        key TEXT PRIMARY KEY,
        recipe TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    -- Every job as it is now; drawn from the events, and written with them.
    CREATE TABLE job (
        number INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        root INTEGER NOT NULL,
        parent TEXT,
        name TEXT NOT NULL,
        app_path TEXT NOT NULL,
        user TEXT NOT NULL,
        status TEXT NOT NULL,
        created INTEGER NOT NULL,
        started INTEGER,
        ended INTEGER,
        modified INTEGER NOT NULL,
        external_id TEXT UNIQUE
    ) STRICT;
    CREATE INDEX job_of_root ON job (root, number);
    -- The jobs of submissions that an executor still has to look after.
    CREATE TABLE live (root INTEGER PRIMARY KEY) STRICT;
    -- What is to be done outside without an answer, until it is done.
    CREATE TABLE chore (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        root INTEGER NOT NULL,
        body TEXT NOT NULL
    ) STRICT;
    -- What other processes ask of the executor, and its answers.
    CREATE TABLE request (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        body TEXT NOT NULL,
        answer TEXT
    ) STRICT;
    CREATE TABLE meta (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;",
];

/// Marks a file as a store of ours (`PRAGMA application_id`): the letters `Ankj`.
const APPLICATION_ID: i32 = 0x416e_6b6a;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum SchemaError {
    /// It is a database of something else.
    #[error("it is a database, but no store of Ankus")]
    Stranger,
    /// It was written by a newer version.
    #[error("it was written by a newer Ankus (version {found} of stores; this one knows up to {known})")]
    Newer {
        /// Its version.
        found: i64,
        /// The newest that is known here.
        known: i64,
    },
    /// SQLite's own words.
    #[error("{0}")]
    Database(#[from] rusqlite::Error),
}

/// Brings a store up to this version.
pub(super) fn migrate(db: &mut Connection) -> Result<(), SchemaError> {
    let known = MIGRATIONS.len() as i64;
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let id: i32 = db.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if version > known && id == APPLICATION_ID {
        return Err(SchemaError::Newer { found: version, known });
    }
    let tables: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if id != APPLICATION_ID && (tables > 0 || version != 0) {
        return Err(SchemaError::Stranger);
    }
    if version == known {
        return Ok(());
    }
    let tx = db.transaction()?;
    for step in MIGRATIONS.iter().skip(version as usize) {
        tx.execute_batch(step)?;
    }
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.pragma_update(None, "user_version", known)?;
    Ok(tx.commit()?)
}
