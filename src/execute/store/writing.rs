//! Everything that changes a store. Each change is whole on disk when its function returns, or not there at all.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::guard::Damage;
use super::seal::{CHORE, HEAD, JOB, LIVE, META, PROGRAM, REQUEST, Seal, Sealing, TIME};
use super::{Batch, COLUMNS, Moment, Store, event_sum, job_sum, recipe_sum, unusable};
use crate::host::ShellError;
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
    fn change<T>(
        &self,
        act: impl FnOnce(&Sealing<'_>) -> rusqlite::Result<T>,
    ) -> Result<(T, Seal), ShellError> {
        let watched = |moment| self.faults.at(moment).map_err(|words| unusable(&self.folder, words));
        self.is_in_place()?;
        watched(Moment::Before)?;
        let change = |db: &Connection| -> rusqlite::Result<Result<(T, Seal), Damage>> {
            let tx = Transaction::new_unchecked(db, TransactionBehavior::Immediate)?;
            let sealing = Sealing::begin(&tx)?;
            if !self.is_same(sealing.seal()) {
                return Ok(Err(Damage::Replaced));
            }
            let done = act(&sealing)?;
            let seal = sealing.close(self.is_locked())?;
            tx.commit()?;
            Ok(Ok((done, seal)))
        };
        let done = change(&self.db).map_err(|error| self.fault(&error))?;
        let done = done.map_err(|damage| unusable(&self.folder, damage))?;
        watched(Moment::After)?;
        Ok(done)
    }

    /// Whether a seal is that which this process left; whoever does not hold the store knows only which store it is.
    fn is_same(&self, seal: &Seal) -> bool {
        let known = self.seal.borrow();
        seal.lineage == known.lineage && (!self.is_locked() || seal.serial == known.serial)
    }

    /// Takes note of a change that is on disk.
    fn acknowledge(&self, seal: Seal) {
        if let Some(mark) = &mut *self.mark.borrow_mut() {
            mark.set(self.last_event, &seal);
        }
        self.seal.replace(seal);
    }

    /// Writes a batch; when this returns it is on disk. After an error nothing of it is seen here; whoever is ended then, or
    /// loses power, finds all of it or nothing.
    pub fn commit(&mut self, batch: &Batch) -> Result<(), ShellError> {
        let mut end = End { last_event: self.last_event, known: &self.sums, sums: BTreeMap::new() };
        let ((), seal) = self.change(|sealing| write(sealing, batch, &mut end))?;
        let End { last_event, sums, .. } = end;
        self.last_event = last_event;
        self.sums.extend(sums);
        for root in &batch.over {
            self.sums.remove(&Some(*root));
        }
        self.acknowledge(seal);
        Ok(())
    }

    /// Leaves a request for the executor; its number.
    pub fn ask(&self, body: &str) -> Result<i64, ShellError> {
        let sql = "INSERT INTO request (body) VALUES (?1)";
        Ok(self.change(|sealing| sealing.add(REQUEST, sql, [body]))?.0)
    }

    /// Takes a request back that nobody has answered; false when somebody has.
    pub fn withdraw(&self, number: i64) -> Result<bool, ShellError> {
        let sql = "DELETE FROM request WHERE number = ?1 AND answer IS NULL";
        let act =
            |sealing: &Sealing<'_>| sealing.row(REQUEST, &number, |db| Ok(db.execute(sql, [number])? > 0));
        Ok(self.change(act)?.0)
    }

    /// Keeps a remark about the store itself.
    pub fn set_meta(&self, name: &str, value: &str) -> Result<(), ShellError> {
        let ((), seal) = self.change(|sealing| set_meta(sealing, name, value))?;
        self.acknowledge(seal);
        Ok(())
    }

    /// Removes submissions that are over and were last changed before a time.
    pub fn purge(&mut self, before: Instant) -> Result<Purged, ShellError> {
        let (purged, seal) = self.change(|sealing| {
            let purged = purge(sealing.db(), before)?;
            sealing.take_all().map(|()| purged)
        })?;
        self.acknowledge(seal);
        Ok(purged)
    }
}

fn set_meta(sealing: &Sealing<'_>, name: &str, value: &str) -> rusqlite::Result<()> {
    sealing.row(META, &name, |db| db.prepare_cached(SET_META)?.execute([name, value]).map(|_| ()))
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

fn purge(tx: &Connection, before: Instant) -> rusqlite::Result<Purged> {
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
        tx.execute("DELETE FROM head WHERE root = ?1", [root])?;
        tx.execute("DELETE FROM job WHERE root = ?1", [root])?;
        tx.execute("DELETE FROM meta WHERE name = 'stubs:' || ?1", [root])?;
    }
    // The passing of time concerns nobody before the first event that is left.
    let first = "SELECT min(number) FROM event WHERE root NOT NULL";
    let gone = format!("root IS NULL AND number < ifnull(({first}), 9223372036854775807)");
    let last = format!("SELECT sum FROM event WHERE {gone} ORDER BY number DESC LIMIT 1");
    let base: Option<Option<u32>> = tx.query_row(&last, [], |row| row.get(0)).optional()?;
    if let Some(base) = base {
        tx.execute("UPDATE head SET base = ?2 WHERE root = ?1", params![TIME, base])?;
    }
    tx.execute(&format!("DELETE FROM event WHERE {gone}"), [])?;
    Ok(Purged { submissions: roots.len(), jobs, kept: kept.len() })
}

fn write(sealing: &Sealing<'_>, batch: &Batch, end: &mut End<'_>) -> rusqlite::Result<()> {
    let tx = sealing.db();
    for (key, recipe) in &batch.programs {
        let sql = "INSERT INTO program VALUES (?1, ?2, ?3)";
        sealing.add(PROGRAM, sql, params![key, recipe, recipe_sum(key, recipe)])?;
    }
    write_events(sealing, batch, end)?;
    let sql = format!(
        "INSERT INTO job ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) \
         ON CONFLICT (number) DO UPDATE SET kind = excluded.kind, root = excluded.root, parent = excluded.parent, \
         name = excluded.name, app_path = excluded.app_path, user = excluded.user, status = excluded.status, \
         created = excluded.created, started = excluded.started, ended = excluded.ended, \
         modified = excluded.modified, sum = excluded.sum"
    );
    let mut insert = tx.prepare_cached(&sql)?;
    let newest: u32 = tx.prepare_cached(super::LAST_NUMBER)?.query_row([], |row| row.get(0))?;
    for job in &batch.jobs {
        let number = job.id.number;
        let name = match (&job.external_id, number <= newest) {
            (None, true) => name_of(tx, number)?,
            (name, _) => name.clone(),
        };
        let millis = |at: Option<Instant>| at.map(Instant::millis);
        let values = params![
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
            job_sum(job, name.as_deref()),
        ];
        // Of an older one there is a row; where it is not found, a second one would stand beside it.
        match number <= newest {
            true => sealing.known_row(JOB, &number, |_| insert.execute(values))?,
            false => sealing.row(JOB, &number, |_| insert.execute(values))?,
        };
    }
    for (root, body) in &batch.chores {
        sealing.add(CHORE, "INSERT INTO chore (root, body) VALUES (?1, ?2)", params![root, body])?;
    }
    let delete = "DELETE FROM chore WHERE number = ?1";
    for number in &batch.done {
        sealing.row(CHORE, number, |tx| tx.prepare_cached(delete)?.execute([number]))?;
    }
    let update = "UPDATE request SET answer = ?2 WHERE number = ?1";
    for (number, answer) in &batch.answers {
        sealing.row(REQUEST, number, |tx| tx.prepare_cached(update)?.execute(params![number, answer]))?;
    }
    for (name, value) in &batch.meta {
        set_meta(sealing, name, value)?;
    }
    let insert = "INSERT OR IGNORE INTO live VALUES (?1)";
    for root in &batch.live {
        sealing.row(LIVE, root, |tx| tx.prepare_cached(insert)?.execute([root]))?;
    }
    let delete = "DELETE FROM live WHERE root = ?1";
    for root in &batch.over {
        sealing.row(LIVE, root, |tx| tx.prepare_cached(delete)?.execute([root]))?;
    }
    Ok(())
}

/// The user's own name for a job.
fn name_of(tx: &Connection, number: u32) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT external_id FROM job WHERE number = ?1";
    Ok(tx.prepare_cached(sql)?.query_row([number], |row| row.get(0)).optional()?.flatten())
}

/// Writes events, each with a sum that takes in the one before it of the same submission.
fn write_events(sealing: &Sealing<'_>, batch: &Batch, end: &mut End<'_>) -> rusqlite::Result<()> {
    let tx = sealing.db();
    let sql = "INSERT INTO event (number, at, root, last, body, sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let mut insert = tx.prepare_cached(sql)?;
    let mut heads = BTreeMap::new();
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
        heads.insert(root.map_or(TIME, i64::from), (number, sum));
    }
    let sql = "INSERT INTO head VALUES (?1, ?2, ?3, 0) \
               ON CONFLICT (root) DO UPDATE SET number = excluded.number, event_sum = excluded.event_sum";
    for (root, (number, sum)) in heads {
        sealing.row(HEAD, &root, |tx| tx.prepare_cached(sql)?.execute(params![root, number, sum]))?;
    }
    Ok(())
}

/// The sum of the newest event of a submission; zero where there is none.
fn last_sum(tx: &Connection, root: Option<u32>) -> rusqlite::Result<u32> {
    let sql = "SELECT event_sum FROM head WHERE root = ?1";
    let root = root.map_or(TIME, i64::from);
    let found: Option<u32> = tx.prepare_cached(sql)?.query_row([root], |row| row.get(0)).optional()?;
    Ok(found.unwrap_or(0))
}
