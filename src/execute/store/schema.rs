//! The tables of a store, and how a store of an older version becomes one of this.

use rusqlite::Connection;

use super::seal::Sealing;

/// What makes each version from the one before; the first from an empty file.
const MIGRATIONS: [&str; 4] = [
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
    // Sums over rows, so that damage is told that SQLite does not see; rows from before have none. Keys are numbers, so
    // that the newest is found at once.
    "ALTER TABLE event ADD COLUMN sum INTEGER;
    ALTER TABLE job ADD COLUMN sum INTEGER;
    CREATE TABLE numbered (
        key INTEGER PRIMARY KEY,
        recipe TEXT NOT NULL,
        sum INTEGER
    ) STRICT;
    INSERT INTO numbered (key, recipe) SELECT CAST(key AS INTEGER), recipe FROM program;
    DROP TABLE program;
    ALTER TABLE numbered RENAME TO program;",
    // The newest event of each submission, and of the passing of time (-1), so that a journal that ends sooner is told;
    // `base` is the sum before the first event that was not purged, where it is known. And one row that says which store
    // this is, how often it was changed, and what all rows but those of events come to.
    "CREATE TABLE head (
        root INTEGER PRIMARY KEY,
        number INTEGER NOT NULL,
        event_sum INTEGER NOT NULL,
        base INTEGER
    ) STRICT;
    INSERT INTO head SELECT ifnull(root, -1), number, ifnull(sum, 0), CASE WHEN root NOT NULL THEN 0 END
        FROM (SELECT root, max(number) AS number, sum FROM event GROUP BY root);
    CREATE TABLE seal (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        lineage TEXT NOT NULL,
        serial INTEGER NOT NULL,
        digest INTEGER NOT NULL,
        duties INTEGER NOT NULL,
        sum INTEGER NOT NULL
    ) STRICT;
    INSERT INTO seal VALUES (1, lower(hex(randomblob(16))), 0, 0, 0, 0);",
    // How many jobs and definitions there are: too many to be read at each opening, and a page that has lost some says
    // nothing of it.
    "ALTER TABLE seal ADD COLUMN jobs INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE seal ADD COLUMN programs INTEGER NOT NULL DEFAULT 0;",
];

/// The version that brought the seal, and the one since which it counts.
const SEALED: u32 = 3;
const COUNTED: u32 = 4;

/// Marks a file as a store of ours (`PRAGMA application_id`): the letters `Ankj`.
const APPLICATION_ID: i32 = 0x416e_6b6a;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum SchemaError {
    /// It is a database of something else.
    #[error("it is a database, but no store of Ankus; use another folder with `--store`")]
    Stranger,
    /// It was written by a newer version.
    #[error(
        "it was written by a newer Ankus (version {found} of stores; this one knows up to {known}); use that one, or \
             another store with `--store`"
    )]
    Newer {
        /// Its version.
        found: i64,
        /// The newest that is known here.
        known: i64,
    },
    /// It was written by an older version, and is not to be changed now.
    #[error("it was written by an older Ankus, whose executor works on it; stop that one first")]
    Older,
    /// SQLite's own words.
    #[error("{}", super::guard::words(.0))]
    Database(#[from] rusqlite::Error),
}

/// Whether a database is a store, and of this version; changes nothing.
pub(super) fn is_current(db: &Connection) -> Result<bool, SchemaError> {
    let known = MIGRATIONS.len() as i64;
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let id: i32 = db.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if id != APPLICATION_ID {
        return Err(SchemaError::Stranger);
    }
    match version > known {
        true => Err(SchemaError::Newer { found: version, known }),
        false => Ok(version == known),
    }
}

/// Brings a store, or an empty database, up to this version.
pub(super) fn migrate(db: &mut Connection) -> Result<(), SchemaError> {
    let version: u32 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let tx = db.transaction()?;
    for step in MIGRATIONS.iter().skip(version as usize) {
        tx.execute_batch(step)?;
    }
    if version < SEALED {
        Sealing::first(&tx)?.close(true)?;
    } else if version < COUNTED {
        Sealing::counted(&tx)?.close(true)?;
    }
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.pragma_update(None, "user_version", MIGRATIONS.len() as i64)?;
    Ok(tx.commit()?)
}
