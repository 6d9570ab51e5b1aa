//! A store as a model in memory, against which the real one is held: what its changes do, and what its readers answer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ankus::engine::{Event, JobId, JobKind, Recorded, VERSION};
use ankus::execute::store::{Batch, Entry, Filter, JobRow, Store};
use ankus::host::ShellError;
use ankus::time::Instant;

use super::graphs::Random;

/// A change of a store.
#[derive(Clone, Debug)]
pub enum Deed {
    /// Whoever holds it writes what belongs together.
    Commit(Batch),
    /// Another process leaves a request.
    Ask(String),
    /// Another process takes a request back.
    Withdraw(i64),
    /// Whoever holds it keeps a remark.
    Note(String, String),
    /// Submissions that are over and old are removed.
    Purge(Instant),
}

impl Deed {
    /// Makes the change; what the store says to it, in the words of [`Model::after`].
    pub fn act(&self, store: &mut Store, folder: &Path) -> Result<String, ShellError> {
        let gone = || ShellError::usage("the store is gone");
        // Requests come from other processes, so from connections of their own.
        let other = || Store::read(folder)?.ok_or_else(gone);
        Ok(match self {
            Deed::Commit(batch) => store.commit(batch).map(|()| String::new())?,
            Deed::Ask(body) => other()?.ask(body)?.to_string(),
            Deed::Withdraw(number) => other()?.withdraw(*number)?.to_string(),
            Deed::Note(name, value) => store.set_meta(name, value).map(|()| String::new())?,
            Deed::Purge(before) => {
                let mut purged = store.purge(*before)?;
                purged.jobs.sort_unstable();
                format!("{} {:?} {}", purged.submissions, purged.jobs, purged.kept)
            }
        })
    }
}

/// What a store holds.
#[derive(Clone, Debug, Default)]
pub struct Model {
    events: BTreeMap<i64, Entry>,
    programs: BTreeMap<u64, String>,
    jobs: BTreeMap<u32, JobRow>,
    chores: BTreeMap<i64, (u32, String)>,
    requests: BTreeMap<i64, (String, Option<String>)>,
    live: BTreeSet<u32>,
    meta: BTreeMap<String, String>,
    /// The last numbers that were ever given to an event, a chore, a request, a key.
    last: (i64, i64, i64, u64),
}

const STATUSES: [&str; 4] = ["RUNNING", "SUCCEEDED", "KILLED", "SUSPENDED"];
const WORDS: [&str; 5] = ["a", "daily", "it's", "größe", ""];

fn at(millis: usize) -> Instant {
    Instant::from_millis(1_704_067_200_000 + millis as i64)
}

impl Model {
    /// The numbers of submissions.
    fn roots(&self) -> Vec<u32> {
        let roots: BTreeSet<u32> = self.jobs.values().map(|job| job.root).collect();
        roots.into_iter().collect()
    }

    /// The number of the newest job that there ever was.
    fn last_number(&self) -> u32 {
        let noted = self.meta.get("last_number").and_then(|number| number.parse().ok()).unwrap_or(0);
        self.jobs.keys().next_back().copied().unwrap_or(0).max(noted)
    }

    /// A change that a program might make now; one that holds the store, if only such are wanted.
    pub fn draw(&self, random: &mut Random, only_holder: bool) -> Deed {
        let body = |random: &mut Random| {
            let length = [3, 40, 700, 9_000][random.below(4)];
            format!("{{\"n\":{}}}", "7".repeat(1 + random.below(length)))
        };
        match random.below(12) {
            0 if !only_holder => Deed::Ask(body(random)),
            1 if !only_holder => Deed::Withdraw(1 + random.below(self.last.2 as usize + 2) as i64),
            2 => Deed::Note(format!("note {}", random.below(3)), body(random)),
            3 => Deed::Purge(at(random.below(1_200))),
            _ => Deed::Commit(self.batch(random, body)),
        }
    }

    fn batch(&self, random: &mut Random, body: impl Fn(&mut Random) -> String) -> Batch {
        let mut batch = Batch::default();
        let mut roots = self.roots();
        let mut key = self.last.3;
        // A submission now and then, of up to three jobs.
        if roots.is_empty() || random.one_in(4) {
            let root = self.last_number() + 1;
            roots.push(root);
            batch.live.push(root);
            for number in root..=root + random.below(3) as u32 {
                batch.jobs.push(self.job(random, number, root));
            }
            key += 1;
            batch.programs.push((key.to_string(), body(random)));
        }
        for _ in 0..random.below(5) {
            let root = (!random.one_in(4)).then(|| roots[random.below(roots.len())]);
            let id = JobId::workflow(root.unwrap_or(1));
            let events = [Event::Start(id), Event::Suspend(id), Event::Resume(id), Event::Kill(id)];
            let event = root.map_or(Event::Tick, |_| events[random.below(4)].clone());
            let recorded = Recorded { version: VERSION, at: at(random.below(1_000)), event };
            batch.entries.push(Entry { root, last: self.last_number(), recorded });
        }
        let known: Vec<(u32, u32)> = self.jobs.values().map(|job| (job.id.number, job.root)).collect();
        if !known.is_empty() {
            for _ in 0..random.below(4) {
                let (number, root) = known[random.below(known.len())];
                batch.jobs.push(self.job(random, number, root));
            }
        }
        for root in &roots {
            match random.below(12) {
                0 => batch.chores.push((*root, body(random))),
                1 => batch.over.push(*root),
                2 => batch.meta.push((format!("stubs:{root}"), body(random))),
                _ => {}
            }
        }
        let some = |random: &mut Random, numbers: Vec<i64>| {
            numbers.into_iter().filter(|_| random.one_in(4)).collect::<Vec<_>>()
        };
        batch.done = some(random, self.chores.keys().copied().collect());
        let open = self.requests.iter().filter(|(_, (_, answer))| answer.is_none());
        let open = some(random, open.map(|(number, _)| *number).collect());
        batch.answers = open.into_iter().map(|number| (number, body(random))).collect();
        if random.one_in(200) {
            // More than a log takes before it is brought into the file.
            for _ in 0..5 {
                key += 1;
                batch.programs.push((key.to_string(), "x".repeat(1_000_000)));
            }
        }
        batch
    }

    fn job(&self, random: &mut Random, number: u32, root: u32) -> JobRow {
        let kinds = [JobKind::Workflow, JobKind::Coordinator, JobKind::Bundle];
        let when = |random: &mut Random| (!random.one_in(3)).then(|| at(random.below(1_000)));
        let word = |random: &mut Random| WORDS[random.below(WORDS.len())].to_owned();
        JobRow {
            id: JobId { number, kind: kinds[(number % 3) as usize] },
            root,
            parent: (number != root).then(|| format!("{root}@{}", word(random))),
            name: word(random),
            app_path: format!("apps/{}", word(random)),
            user: word(random),
            status: STATUSES[random.below(4)].to_owned(),
            created: at(number as usize),
            started: when(random),
            ended: when(random),
            modified: at(random.below(1_000)),
            external_id: number.is_multiple_of(2).then(|| format!("mine {number}")),
        }
    }

    /// What it is after a change, and what is said to that.
    pub fn after(&self, deed: &Deed) -> (Model, String) {
        let mut after = self.clone();
        let said = match deed {
            Deed::Commit(batch) => {
                after.commit(batch);
                String::new()
            }
            Deed::Ask(body) => {
                after.last.2 += 1;
                after.requests.insert(after.last.2, (body.clone(), None));
                after.last.2.to_string()
            }
            Deed::Withdraw(number) => {
                let is_open = matches!(self.requests.get(number), Some((_, None)));
                if is_open {
                    after.requests.remove(number);
                }
                is_open.to_string()
            }
            Deed::Note(name, value) => {
                after.meta.insert(name.clone(), value.clone());
                String::new()
            }
            Deed::Purge(before) => after.purge(*before),
        };
        (after, said)
    }

    fn commit(&mut self, batch: &Batch) {
        for (key, recipe) in &batch.programs {
            let key = key.parse().expect("a key is a number");
            self.programs.insert(key, recipe.clone());
            self.last.3 = key;
        }
        for entry in &batch.entries {
            self.last.0 += 1;
            self.events.insert(self.last.0, entry.clone());
        }
        for job in &batch.jobs {
            // The user's own name is given once.
            let external_id =
                self.jobs.get(&job.id.number).map_or(job.external_id.clone(), |job| job.external_id.clone());
            self.jobs.insert(job.id.number, JobRow { external_id, ..job.clone() });
        }
        for chore in &batch.chores {
            self.last.1 += 1;
            self.chores.insert(self.last.1, chore.clone());
        }
        for number in &batch.done {
            self.chores.remove(number);
        }
        for (number, answer) in &batch.answers {
            if let Some(request) = self.requests.get_mut(number) {
                request.1 = Some(answer.clone());
            }
        }
        self.meta.extend(batch.meta.iter().cloned());
        self.live.extend(&batch.live);
        for root in &batch.over {
            self.live.remove(root);
        }
    }

    fn purge(&mut self, before: Instant) -> String {
        let is_old = |root: &u32| {
            !self.live.contains(root)
                && self.jobs.values().filter(|job| job.root == *root).all(|job| job.modified < before)
        };
        let old: Vec<u32> = self.roots().into_iter().filter(is_old).collect();
        let has_chores = |root: &u32| self.chores.values().any(|(other, _)| other == root);
        let (kept, gone): (Vec<u32>, Vec<u32>) = old.into_iter().partition(has_chores);
        let newest_job = self.jobs.keys().next_back().map(|number| i64::from(*number));
        let newest_event = self.events.keys().next_back().copied();
        for (name, newest) in [("last_number", newest_job), ("last_event", newest_event)] {
            let Some(newest) = newest else { continue };
            let noted: i64 = self.meta.get(name).and_then(|number| number.parse().ok()).unwrap_or(0);
            self.meta.insert(name.to_owned(), newest.max(noted).to_string());
        }
        let jobs = self.jobs.values().filter(|job| gone.contains(&job.root)).map(|job| job.id.number);
        let jobs: Vec<u32> = jobs.collect();
        self.jobs.retain(|_, job| !gone.contains(&job.root));
        self.events.retain(|_, entry| entry.root.is_none_or(|root| !gone.contains(&root)));
        for root in &gone {
            self.meta.remove(&format!("stubs:{root}"));
        }
        // Time that nobody is left to remember.
        let first = self.events.iter().find(|(_, entry)| entry.root.is_some()).map(|(number, _)| *number);
        self.events
            .retain(|number, entry| entry.root.is_some() || first.is_some_and(|first| *number >= first));
        format!("{} {jobs:?} {}", gone.len(), kept.len())
    }

    fn replay(&self, roots: &[u32]) -> Vec<&Entry> {
        let is_of = |entry: &Entry| entry.root.is_some_and(|root| roots.contains(&root));
        let first = self.events.iter().find(|(_, entry)| is_of(entry)).map(|(number, _)| *number);
        let since = |number: i64| first.is_some_and(|first| number > first);
        let is_taken =
            |(number, entry): &(&i64, &Entry)| is_of(entry) || entry.root.is_none() && since(**number);
        self.events.iter().filter(is_taken).map(|(_, entry)| entry).collect()
    }

    fn find(&self, filter: &Filter) -> Vec<&JobRow> {
        fn lets<T: PartialEq>(list: &[T], value: &T) -> bool {
            list.is_empty() || list.contains(value)
        }
        let is_wanted = |job: &&JobRow| {
            lets(&filter.statuses, &job.status)
                && lets(&filter.names, &job.name)
                && lets(&filter.users, &job.user)
                && lets(&filter.kinds, &job.id.kind)
        };
        let found = self.jobs.values().rev().filter(is_wanted);
        found.skip(filter.offset as usize).take(filter.len as usize).collect()
    }

    /// Asks a store everything, and holds its answers against this model: the first difference, or why it cannot answer.
    pub fn differs(&self, store: &Store, random: &mut Random) -> Result<Option<String>, ShellError> {
        let mut first = None;
        macro_rules! same {
            ($mine:expr, $its:expr, $($what:tt)*) => {
                match (&$mine, &$its) {
                    (mine, its) if mine != its && first.is_none() => {
                        let cut = |text: String| text.chars().take(2_000).collect::<String>();
                        let (mine, its) = (cut(format!("{mine:?}")), cut(format!("{its:?}")));
                        first = Some(format!("{}\n model: {mine}\n store: {its}", format_args!($($what)*)));
                    }
                    _ => {}
                }
            };
        }
        let replayed = |roots: Option<&[u32]>| {
            let mut entries = Vec::new();
            store.replay(roots, |entry| {
                entries.push(entry);
                Ok(())
            })?;
            Ok::<_, ShellError>(entries)
        };
        let owned = |entries: Vec<&Entry>| entries.into_iter().cloned().collect::<Vec<_>>();
        let jobs = |jobs: Vec<&JobRow>| jobs.into_iter().cloned().collect::<Vec<_>>();
        same!(owned(self.events.values().collect()), replayed(None)?, "events");
        let mut roots = self.roots();
        roots.push(self.last_number() + 1);
        for root in &roots {
            same!(owned(self.replay(&[*root])), replayed(Some(&[*root]))?, "events of {root}");
            let mine = self.jobs.values().filter(|job| job.root == *root);
            let numbers: Vec<(u32, u32)> = mine.map(|job| (job.id.number, job.root)).collect();
            same!(numbers, store.roots_of(&[*root])?, "jobs of {root}");
        }
        let some: Vec<u32> = roots.iter().copied().filter(|_| random.one_in(2)).collect();
        same!(owned(self.replay(&some)), replayed(Some(&some))?, "events of {some:?}");
        for number in 0..=self.last_number() + 1 {
            same!(self.jobs.get(&number), store.job(number)?.as_ref(), "job {number}");
            let name = format!("mine {number}");
            let named = self.jobs.values().find(|job| job.external_id.as_ref() == Some(&name));
            same!(named, store.job_named(&name)?.as_ref(), "job named {name}");
        }
        let filter = self.filter(random);
        same!(jobs(self.find(&filter)), store.find(&filter)?, "{filter:?}");
        let all_jobs = Filter { len: 1_000_000, ..Filter::default() };
        same!(jobs(self.find(&all_jobs)), store.newest(1_000_000)?, "all jobs");
        for key in 0..=self.last.3 + 1 {
            same!(self.programs.get(&key), store.recipe(&key.to_string())?.as_ref(), "key {key}");
        }
        same!(self.last.3, store.last_key()?, "last key");
        same!(self.live.iter().copied().collect::<Vec<_>>(), store.live()?, "live");
        let after = random.below(self.last.1 as usize + 2) as i64;
        let chores = |after: i64| {
            let rest = self.chores.range(after + 1..);
            rest.map(|(number, (root, body))| (*number, *root, body.clone())).collect::<Vec<_>>()
        };
        same!(chores(0), store.chores()?, "chores");
        same!(chores(after), store.chores_after(after)?, "chores after {after}");
        let open = self.requests.iter().filter(|(_, (_, answer))| answer.is_none());
        let open: Vec<_> = open.map(|(number, (body, _))| (*number, body.clone())).collect();
        same!(open, store.requests()?, "requests");
        for number in 0..=self.last.2 + 1 {
            let answer = self.requests.get(&number).and_then(|(_, answer)| answer.clone());
            same!(answer, store.answer(number)?, "answer {number}");
        }
        let notes = (0..3).map(|number| format!("note {number}"));
        let stubs = roots.iter().map(|root| format!("stubs:{root}"));
        for name in notes.chain(stubs).chain(["last_number".to_owned(), "last_event".to_owned()]) {
            same!(self.meta.get(&name), store.meta(&name)?.as_ref(), "{name}");
        }
        let last_event = self.events.keys().next_back().copied().unwrap_or(0);
        same!(last_event, store.last_event()?, "last event");
        same!(self.last_number(), store.last_number()?, "last number");
        Ok(first)
    }

    fn filter(&self, random: &mut Random) -> Filter {
        let mut some = |words: &[&str]| {
            let take = random.one_in(3);
            words.iter().filter(|_| take && random.one_in(2)).map(|word| (*word).to_owned()).collect()
        };
        let (statuses, names, users) = (some(&STATUSES), some(&WORDS), some(&WORDS));
        let kinds = [JobKind::Workflow, JobKind::Coordinator, JobKind::Bundle];
        let kinds = kinds.into_iter().filter(|_| random.one_in(4)).collect();
        let (offset, len) = (random.below(4) as u32, random.below(20) as u32);
        Filter { statuses, names, users, kinds, offset, len }
    }
}
