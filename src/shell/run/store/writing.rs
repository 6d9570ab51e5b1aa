//! Everything that changes a store. Each change is whole on disk when its function returns, or not there at all.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::{Batch, COLUMNS, Moment, Store, event_sum, job_sum, recipe_sum, unusable};
use crate::shell::ShellError;
use crate::time::Instant;

const SET_META: &str =
    "INSERT INTO meta VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";

/// What is known of the journal's end while a batch is written.
struct End<'s> {
    last_event: i64,
    known: &'s BTreeMap<Option<u32>, u32>,
    sums: BTreeMap<Option<u32>, u32>,
}

impl Store {
    /// Changes the file, all at once.
    fn change<T>(&self, act: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T, ShellError> {
        let watched = |moment| self.faults.at(moment).map_err(|words| unusable(&self.folder, words));
        watched(Moment::Before)?;
        let change = |db: &Connection| -> rusqlite::Result<T> {
            let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
            let done = act(&tx)?;
            tx.commit()?;
            Ok(done)
        };
        let done = change(&self.db).map_err(|error| self.fault(&error))?;
        watched(Moment::After)?;
        Ok(done)
    }

    /// Writes a batch; when this returns it is on disk. After an error nothing of it is.
    pub fn commit(&mut self, batch: &Batch) -> Result<(), ShellError> {
        let mut end = End { last_event: self.last_event, known: &self.sums, sums: BTreeMap::new() };
        self.change(|tx| write(tx, batch, &mut end))?;
        let End { last_event, sums, .. } = end;
        self.last_event = last_event;
        self.sums.extend(sums);
        for root in &batch.over {
            self.sums.remove(&Some(*root));
        }
        if let (Some(mark), false) = (&mut self.mark, batch.entries.is_empty()) {
            mark.set(last_event);
        }
        Ok(())
    }

    /// Leaves a request for the executor; its number.
    pub fn ask(&self, body: &str) -> Result<i64, ShellError> {
        self.change(|tx| {
            tx.execute("INSERT INTO request (body) VALUES (?1)", [body])?;
            Ok(tx.last_insert_rowid())
        })
    }

    /// Takes a request back that nobody has answered; false when somebody has.
    pub fn withdraw(&self, number: i64) -> Result<bool, ShellError> {
        let sql = "DELETE FROM request WHERE number = ?1 AND answer IS NULL";
        self.change(|tx| Ok(tx.execute(sql, [number])? > 0))
    }

    /// Keeps a remark about the store itself.
    pub fn set_meta(&self, name: &str, value: &str) -> Result<(), ShellError> {
        self.change(|tx| tx.execute(SET_META, [name, value]).map(|_| ()))
    }

    /// Removes submissions that are over and were last changed before a time.
    pub fn purge(&mut self, before: Instant) -> Result<Purged, ShellError> {
        self.change(|tx| purge(tx, before))
    }
}

/// What was removed.
#[derive(Debug)]
pub struct Purged {
    /// How many submissions.
    pub submissions: usize,
    /// The numbers of their jobs.
    pub jobs: Vec<u32>,
    /// How many others stay although they are over: they have notifications to deliver or outputs to remove.
    pub kept: usize,
}

fn purge(tx: &Transaction<'_>, before: Instant) -> rusqlite::Result<Purged> {
    // Chores, which somebody has still to do, keep their jobs too.
    let roots = "SELECT root, root IN (SELECT root FROM chore) FROM job GROUP BY root HAVING max(modified) < ?1 \
                 AND root NOT IN (SELECT root FROM live)";
    let roots: Vec<(u32, bool)> = {
        let mut statement = tx.prepare(roots)?;
        let rows = statement.query_map([before.millis()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect::<Result<_, _>>()?
    };
    let (kept, roots): (Vec<_>, Vec<_>) = roots.into_iter().partition(|(_, is_kept)| *is_kept);
    let roots: Vec<u32> = roots.into_iter().map(|(root, _)| root).collect();
    // The numbers of jobs and events that are gone are not given again.
    for (name, table) in [("last_number", "job"), ("last_event", "event")] {
        let sql = format!(
            "INSERT INTO meta SELECT '{name}', max(number) FROM {table} WHERE true HAVING max(number) NOT NULL \
             ON CONFLICT (name) DO UPDATE SET value = max(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER))"
        );
        tx.execute(&sql, [])?;
    }
    let mut jobs: Vec<u32> = Vec::new();
    for root in &roots {
        let mut statement = tx.prepare_cached("SELECT number FROM job WHERE root = ?1")?;
        let rows = statement.query_map([root], |row| row.get(0))?;
        jobs.extend(rows.collect::<Result<Vec<u32>, _>>()?);
        tx.execute("DELETE FROM event WHERE root = ?1", [root])?;
        tx.execute("DELETE FROM job WHERE root = ?1", [root])?;
        tx.execute("DELETE FROM meta WHERE name = 'stubs:' || ?1", [root])?;
    }
    // The passing of time concerns nobody before the first event that is left.
    let first = "SELECT min(number) FROM event WHERE root NOT NULL";
    let sql =
        format!("DELETE FROM event WHERE root IS NULL AND number < ifnull(({first}), 9223372036854775807)");
    tx.execute(&sql, [])?;
    Ok(Purged { submissions: roots.len(), jobs, kept: kept.len() })
}

fn write(tx: &Transaction<'_>, batch: &Batch, end: &mut End<'_>) -> rusqlite::Result<()> {
    for (key, recipe) in &batch.programs {
        let sql = "INSERT INTO program VALUES (?1, ?2, ?3)";
        tx.prepare_cached(sql)?.execute(params![key, recipe, recipe_sum(key, recipe)])?;
    }
    write_events(tx, batch, end)?;
    let sql = format!(
        "INSERT INTO job ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) \
         ON CONFLICT (number) DO UPDATE SET kind = excluded.kind, root = excluded.root, parent = excluded.parent, \
         name = excluded.name, app_path = excluded.app_path, user = excluded.user, status = excluded.status, \
         created = excluded.created, started = excluded.started, ended = excluded.ended, \
         modified = excluded.modified, sum = excluded.sum"
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
            job_sum(job),
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
    for (name, value) in &batch.meta {
        tx.prepare_cached(SET_META)?.execute([name, value])?;
    }
    for root in &batch.live {
        tx.prepare_cached("INSERT OR IGNORE INTO live VALUES (?1)")?.execute([root])?;
    }
    for root in &batch.over {
        tx.prepare_cached("DELETE FROM live WHERE root = ?1")?.execute([root])?;
    }
    Ok(())
}

/// Writes events, each with a sum that takes in the one before it of the same submission.
fn write_events(tx: &Transaction<'_>, batch: &Batch, end: &mut End<'_>) -> rusqlite::Result<()> {
    let sql = "INSERT INTO event (number, at, root, last, body, sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let mut insert = tx.prepare_cached(sql)?;
    for entry in &batch.entries {
        let (at, root, last) = (entry.recorded.at.millis(), entry.root, entry.last);
        let body = serde_json::to_string(&entry.recorded.event)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        let before = match end.sums.get(&root).or_else(|| end.known.get(&root)) {
            Some(sum) => *sum,
            None => last_sum(tx, root)?,
        };
        let number = end.last_event + 1;
        let sum = event_sum(before, number, at, root, last, &body);
        insert.execute(params![number, at, root, last, body, sum])?;
        end.last_event = number;
        end.sums.insert(root, sum);
    }
    Ok(())
}

/// The sum of the newest event of a submission; zero where there is none.
fn last_sum(tx: &Transaction<'_>, root: Option<u32>) -> rusqlite::Result<u32> {
    let sql = "SELECT sum FROM event WHERE root IS ?1 ORDER BY number DESC LIMIT 1";
    let found: Option<Option<u32>> =
        tx.prepare_cached(sql)?.query_row([root], |row| row.get(0)).optional()?;
    Ok(found.flatten().unwrap_or(0))
}
