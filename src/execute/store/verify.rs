//! Everything of a store held against everything else, which takes as long as reading it: after an unclean end, and where
//! somebody asks for it (`ankus jobs verify`).

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::guard::Damage;
use super::seal::{Seal, TIME, damaged};
use super::{Store, read_entry, unusable};
use crate::host::ShellError;

/// What was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How many events.
    pub events: u64,
    /// How many jobs.
    pub jobs: u64,
}

/// The newest event of each submission: its number and its sum.
pub(super) type Heads = BTreeMap<i64, (i64, u32)>;

impl Store {
    /// Compares all pages, indexes, rows and sums.
    pub fn verify(&self) -> Result<Verified, ShellError> {
        let verify = || -> rusqlite::Result<Result<Verified, ShellError>> {
            // One state of it, whoever writes meanwhile.
            let tx = self.db.unchecked_transaction()?;
            let words: String = tx.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
            if words != "ok" {
                return Ok(Err(unusable(&self.folder, Damage::Pages(words))));
            }
            Seal::read(&tx)?.fits(&tx)?;
            let mut sums = bases(&tx)?;
            let (mut heads, mut events) = (Heads::new(), 0);
            let sql = "SELECT at, root, last, body, number, sum FROM event NOT INDEXED ORDER BY number";
            let mut statement = tx.prepare(sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                if let Err(damage) = read_entry(row, &mut sums) {
                    return Ok(Err(unusable(&self.folder, damage)));
                }
                note(&mut heads, row)?;
                events += 1;
            }
            let known = all_heads(&tx)?;
            // Of time that was purged the end is still known.
            let is_purged = |root: i64| root == TIME && !heads.contains_key(&TIME);
            if known.iter().any(|(root, head)| heads.get(root) != Some(head) && !is_purged(*root))
                || heads.keys().any(|root| !known.contains_key(root))
            {
                return Err(damaged("the end of a submission's events"));
            }
            let jobs: i64 = tx.query_row("SELECT count(*) FROM job NOT INDEXED", [], |row| row.get(0))?;
            Ok(Ok(Verified { events, jobs: jobs.unsigned_abs() }))
        };
        let verified = verify().map_err(|error| self.fault(&error))?;
        match self.foreign_work()? {
            Some(folder) => Err(self.has_foreign(&folder)),
            None => verified,
        }
    }
}

/// Takes note of a row of the journal as the newest of its submission.
pub(super) fn note(heads: &mut Heads, row: &rusqlite::Row<'_>) -> rusqlite::Result<()> {
    let root = row.get::<_, Option<u32>>(1)?.map_or(TIME, i64::from);
    heads.insert(root, (row.get(4)?, row.get::<_, Option<u32>>(5)?.unwrap_or(0)));
    Ok(())
}

/// The sums from which the chains begin that do not begin at nothing.
fn bases(db: &Connection) -> rusqlite::Result<BTreeMap<Option<u32>, u32>> {
    let sql = "SELECT base FROM head WHERE root = ?1 AND base NOT NULL";
    let mut statement = db.prepare_cached(sql)?;
    let bases = statement.query_map([TIME], |row| Ok((None, row.get(0)?)))?;
    bases.collect()
}

fn all_heads(db: &Connection) -> rusqlite::Result<Heads> {
    let mut statement = db.prepare("SELECT root, number, event_sum FROM head")?;
    let heads = statement.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?;
    heads.collect()
}

/// Holds the ends of some submissions, or of all, and of time where it was read, against what `head` knows of them.
pub(super) fn ends_fit(db: &Connection, roots: Option<&[u32]>, read: &Heads) -> rusqlite::Result<()> {
    let all: Vec<u32> = match roots {
        Some(roots) => roots.to_vec(),
        None => {
            let known = all_heads(db)?;
            known
                .into_keys()
                .chain(read.keys().copied())
                .filter_map(|root| u32::try_from(root).ok())
                .collect()
        }
    };
    let mut head = db.prepare_cached("SELECT number, event_sum FROM head WHERE root = ?1")?;
    let mut fits = |root: i64| -> rusqlite::Result<bool> {
        let mut known = head.query_map([root], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(known.next().transpose()? == read.get(&root).copied())
    };
    for root in all {
        if !fits(i64::from(root))? {
            return Err(damaged(&format!("the end of the events of job {root}")));
        }
    }
    match !read.contains_key(&TIME) || fits(TIME)? {
        true => Ok(()),
        false => Err(damaged("the end of the events of time")),
    }
}
