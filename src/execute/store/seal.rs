//! The seal of a store: which store it is (`lineage`), how often it was changed (`serial`, as terraform's state has them),
//! and what its rows come to. Rows of events are not among them: each takes in the one before, and `head` knows the last.

use std::cell::Cell;

use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, ToSql};

use super::guard::{self, Damage};

/// The root under which `head` knows the passing of time.
pub(super) const TIME: i64 = -1;

/// A table whose rows are sealed, with its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Table(&'static str, &'static str);

pub(super) const HEAD: Table = Table("head", "root");
pub(super) const PROGRAM: Table = Table("program", "key");
pub(super) const JOB: Table = Table("job", "number");
pub(super) const LIVE: Table = Table("live", "root");
pub(super) const CHORE: Table = Table("chore", "number");
pub(super) const REQUEST: Table = Table("request", "number");
pub(super) const META: Table = Table("meta", "name");

const TABLES: [Table; 7] = [HEAD, PROGRAM, JOB, LIVE, CHORE, REQUEST, META];

/// The tables that say what is still to be done. They are short, and nothing else would miss a row of theirs, so they are
/// compared whenever a store is opened.
const DUTIES: [Table; 4] = [LIVE, CHORE, REQUEST, META];

/// What the row says that every store has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seal {
    /// Which store this is; copies of it share that.
    pub lineage: String,
    /// How often whoever held it has changed it.
    pub serial: i64,
    digests: Digests,
}

/// What rows come to, in whatever order they stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Digests {
    /// Those of all tables.
    all: i64,
    /// Those of the tables that say what is still to be done.
    duties: i64,
    /// How many jobs there are.
    jobs: i64,
    /// How many definitions.
    programs: i64,
}

impl Digests {
    /// Reads all rows of some tables.
    fn of(db: &Connection, tables: &[Table]) -> rusqlite::Result<Digests> {
        let mut digests = Digests::default();
        for table in tables {
            // The table itself, never an index of it.
            let mut statement = db.prepare(&format!("SELECT * FROM {} NOT INDEXED", table.0))?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                digests = digests.changed(*table, NONE, row_sum(*table, row)?);
            }
        }
        Ok(digests)
    }

    /// After a row of a table has changed its sum.
    fn changed(self, table: Table, before: i64, after: i64) -> Digests {
        let by = after.wrapping_sub(before);
        let of_duties = if DUTIES.contains(&table) { by } else { 0 };
        let rows = i64::from(after != NONE) - i64::from(before != NONE);
        let rows_of = |counted| if table == counted { rows } else { 0 };
        Digests {
            all: self.all.wrapping_add(by),
            duties: self.duties.wrapping_add(of_duties),
            jobs: self.jobs + rows_of(JOB),
            programs: self.programs + rows_of(PROGRAM),
        }
    }
}

impl Seal {
    /// Reads it; a row that does not fit its own sum is damage.
    pub(super) fn read(db: &Connection) -> rusqlite::Result<Seal> {
        Seal::read_as(db, Seal::sum)
    }

    fn read_as(db: &Connection, sum: impl Fn(&Seal) -> u32) -> rusqlite::Result<Seal> {
        let sql = "SELECT lineage, serial, digest, duties, jobs, programs, sum FROM seal WHERE one = 1";
        let found = db.prepare_cached(sql)?.query_row([], |row| {
            let (jobs, programs) = (row.get(4)?, row.get(5)?);
            let digests = Digests { all: row.get(2)?, duties: row.get(3)?, jobs, programs };
            let seal = Seal { lineage: row.get(0)?, serial: row.get(1)?, digests };
            Ok((row.get::<_, u32>(6)? == sum(&seal)).then_some(seal))
        });
        found.optional()?.flatten().ok_or_else(|| damaged("its seal"))
    }

    fn sum(&self) -> u32 {
        let Digests { all, duties, jobs, programs } = self.digests;
        self.sum_over(&[self.serial, all, duties, jobs, programs])
    }

    /// The sum as it was before jobs and definitions were counted.
    fn uncounted_sum(&self) -> u32 {
        self.sum_over(&[self.serial, self.digests.all, self.digests.duties])
    }

    fn sum_over(&self, numbers: &[i64]) -> u32 {
        let numbers: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        guard::sum(0, &[self.lineage.as_bytes(), &numbers])
    }

    /// Whether all rows are those that were sealed; reads them all.
    pub(super) fn fits(&self, db: &Connection) -> rusqlite::Result<()> {
        match Digests::of(db, &TABLES)? == self.digests {
            true => Ok(()),
            false => Err(damaged("a row of it, or its seal,")),
        }
    }

    /// Whether the rows that say what is still to be done are those that were sealed, and no job and no definition is
    /// missing; the rows of these carry sums of their own.
    pub(super) fn fits_at_opening(&self, db: &Connection) -> rusqlite::Result<()> {
        if Digests::of(db, &DUTIES)?.duties != self.digests.duties {
            return Err(damaged("a row of what is still to be done"));
        }
        for (table, sealed) in [(JOB, self.digests.jobs), (PROGRAM, self.digests.programs)] {
            let (mut count, mut last) = (0, i64::MIN);
            let sql = format!("SELECT {1} FROM {0} NOT INDEXED ORDER BY {1}", table.0, table.1);
            let mut statement = db.prepare_cached(&sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let key: i64 = row.get(0)?;
                // Of pages that have changed their places.
                if key <= last {
                    return Err(damaged(&format!("the order of its table `{}`", table.0)));
                }
                (count, last) = (count + 1, key);
            }
            if count != sealed {
                return Err(damaged(&format!(
                    "its table `{}`, of which {count} of {sealed} rows are there,",
                    table.0
                )));
            }
        }
        Ok(())
    }
}

/// A failure that says what is damaged.
pub(super) fn damaged(what: &str) -> rusqlite::Error {
    let damage = Damage::Row(what.to_owned());
    rusqlite::Error::FromSqlConversionFailure(0, Type::Null, Box::new(damage))
}

/// A change of a store, after which it is sealed again.
pub(super) struct Sealing<'c> {
    db: &'c Connection,
    seal: Seal,
    digests: Cell<Digests>,
}

impl<'c> Sealing<'c> {
    /// Begins a change.
    pub(super) fn begin(db: &'c Connection) -> rusqlite::Result<Sealing<'c>> {
        let seal = Seal::read(db)?;
        Ok(Sealing { db, digests: Cell::new(seal.digests), seal })
    }

    /// Seals a store for the first time.
    pub(super) fn first(db: &'c Connection) -> rusqlite::Result<Sealing<'c>> {
        let lineage = db.query_row("SELECT lineage FROM seal", [], |row| row.get(0))?;
        let digests = Digests::of(db, &TABLES)?;
        Ok(Sealing { db, seal: Seal { lineage, serial: 0, digests }, digests: Cell::new(digests) })
    }

    /// Counts what a sealed store has not counted yet, if all of it is what was sealed.
    pub(super) fn counted(db: &'c Connection) -> rusqlite::Result<Sealing<'c>> {
        let seal = Seal::read_as(db, Seal::uncounted_sum)?;
        let digests = Digests::of(db, &TABLES)?;
        let seal = Seal {
            digests: Digests { jobs: digests.jobs, programs: digests.programs, ..seal.digests },
            ..seal
        };
        seal.fits(db)?;
        Ok(Sealing { db, seal, digests: Cell::new(digests) })
    }

    /// The seal as it was before.
    pub(super) fn seal(&self) -> &Seal {
        &self.seal
    }

    /// The database.
    pub(super) fn db(&self) -> &'c Connection {
        self.db
    }

    /// Changes one row.
    pub(super) fn row<T>(
        &self,
        table: Table,
        key: &dyn ToSql,
        act: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let before = self.sum_of(table, key)?;
        let done = act(self.db)?;
        let after = self.sum_of(table, key)?;
        self.digests.set(self.digests.get().changed(table, before, after));
        Ok(done)
    }

    /// Changes one row that is there.
    pub(super) fn known_row<T>(
        &self,
        table: Table,
        key: &dyn ToSql,
        act: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        match self.sum_of(table, key)? {
            NONE => Err(damaged(&format!("a row of its table `{}`", table.0))),
            _ => self.row(table, key, act),
        }
    }

    /// Adds one row, whose key the table gives.
    pub(super) fn add(
        &self,
        table: Table,
        sql: &str,
        values: impl rusqlite::Params,
    ) -> rusqlite::Result<i64> {
        self.db.prepare_cached(sql)?.execute(values)?;
        let key = self.db.last_insert_rowid();
        let after = self.sum_of(table, &key)?;
        self.digests.set(self.digests.get().changed(table, NONE, after));
        Ok(key)
    }

    /// Takes all rows as they are now.
    pub(super) fn take_all(&self) -> rusqlite::Result<()> {
        self.digests.set(Digests::of(self.db, &TABLES)?);
        Ok(())
    }

    /// Seals what was changed; the new seal. Who does not hold the store leaves its serial alone.
    pub(super) fn close(self, is_holder: bool) -> rusqlite::Result<Seal> {
        let serial = self.seal.serial + i64::from(is_holder);
        let digests = self.digests.get();
        let seal = Seal { serial, digests, ..self.seal };
        let sql = "UPDATE seal SET serial = ?1, digest = ?2, duties = ?3, jobs = ?4, programs = ?5, sum = ?6";
        let Digests { all, duties, jobs, programs } = digests;
        self.db.prepare_cached(sql)?.execute((seal.serial, all, duties, jobs, programs, seal.sum()))?;
        Ok(seal)
    }

    fn sum_of(&self, table: Table, key: &dyn ToSql) -> rusqlite::Result<i64> {
        let Table(name, column) = table;
        let sql = format!("SELECT * FROM {name} WHERE {column} = ?1");
        let found = self.db.prepare_cached(&sql)?.query_row([key], |row| row_sum(table, row)).optional();
        Ok(found?.unwrap_or(NONE))
    }
}

/// What a row comes to that is not there.
const NONE: i64 = 0;

fn row_sum(table: Table, row: &Row<'_>) -> rusqlite::Result<i64> {
    let mut sum = guard::sum(0, &[table.0.as_bytes()]);
    for column in 0..row.as_ref().column_count() {
        sum = match row.get_ref(column)? {
            ValueRef::Null => guard::sum(sum, &[b"null"]),
            ValueRef::Integer(number) => guard::sum(sum, &[b"integer", &number.to_le_bytes()]),
            ValueRef::Real(number) => guard::sum(sum, &[b"real", &number.to_le_bytes()]),
            ValueRef::Text(bytes) => guard::sum(sum, &[b"text", bytes]),
            ValueRef::Blob(bytes) => guard::sum(sum, &[b"blob", bytes]),
        };
    }
    Ok(spread(sum))
}

/// Spreads a sum over all bits, so that what is added up hides no two changes (the finalizer of splitmix64).
fn spread(sum: u32) -> i64 {
    let mut bits = u64::from(sum).wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (bits ^ (bits >> 31)).cast_signed()
}
