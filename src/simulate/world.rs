//! The world around an app: which data are there when. Data from outside appear when the scenario has it, what an
//! action of the app writes when this action has ended well.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::app::App;
use super::draw::Draw;
use super::files::{Known, Made, matches};
use super::fs_action::Ground;
use super::scenario::{Arrival, DATASET, INSTANCES, Overlap, Scenario, URI, is_at, is_named};
use crate::engine::{ActionId, CoordinatorProgram, Outside};
use crate::plan::coordinator::{DataSource, Exists, Materializer, PlanOptions, plain_uri};
use crate::time::Instant;

/// What a look may ask for without being counted. Only `latest` and `future` of far instances ask for more.
const ORDINARY_LOOK: u64 = 1_000;

/// How many instances all looks together may ask for beyond that, where nobody says otherwise.
pub(super) const MAX_SEARCHED: u64 = 5_000_000;

/// A dataset that somebody reads, under all its names.
#[derive(Debug)]
struct Source {
    data: DataSource,
    names: BTreeSet<Arc<str>>,
    /// The first instance that an action of the app writes, and the coordinators that write.
    first_written: Option<Instant>,
    writers: BTreeSet<Arc<str>>,
}

/// Datasets, found by the beginnings of their URIs: an app may have ten thousands, and asks for each.
#[derive(Debug, Default)]
struct Sources {
    all: Vec<Source>,
    /// The places in `all` of those whose URIs begin so.
    heads: BTreeMap<String, Vec<usize>>,
    /// How long those beginnings are.
    lengths: BTreeSet<usize>,
}

impl Sources {
    /// Takes in a dataset, which may be known under another name.
    fn take(&mut self, data: DataSource) {
        let same = self.heads.entry(data.head().to_owned()).or_default();
        match same.iter().find(|index| self.all[**index].data.is_same(&data)) {
            Some(known) => drop(self.all[*known].names.insert(data.name().clone())),
            None => {
                same.push(self.all.len());
                self.lengths.insert(data.head().len());
                let names = BTreeSet::from([data.name().clone()]);
                self.all.push(Source { names, data, first_written: None, writers: BTreeSet::new() });
            }
        }
    }

    /// The places of those that a URI may belong to, in order.
    fn like(&self, uri: &str) -> Vec<usize> {
        let heads = self.lengths.iter().filter_map(|length| self.heads.get(uri.get(..*length)?));
        let mut places: Vec<usize> = heads.flatten().copied().collect();
        places.sort_unstable();
        places
    }

    /// Those that a URI may belong to, in order.
    fn of(&self, uri: &str) -> impl Iterator<Item = &Source> {
        self.like(uri).into_iter().map(|index| &self.all[index])
    }
}

/// When something is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// From this time on.
    At(Instant),
    /// Once an action of the app has written what is named here, which none has.
    Open(Arc<str>),
    /// Never.
    Never,
}

/// The world.
#[derive(Debug)]
pub(super) struct World<'a> {
    scenario: &'a Scenario,
    seed: Draw,
    pub(super) now: Instant,
    sources: Sources,
    /// What actions have written, without done-flags, and when.
    written: BTreeMap<Arc<str>, Instant>,
    /// What fs actions have made, moved and deleted.
    pub(super) made: Made,
    /// What was written and removed again.
    removed: BTreeSet<Arc<str>>,
    /// What was asked for in vain since the last [`World::take_missing`].
    missing: RefCell<Vec<Arc<str>>>,
    /// How often it was asked since the last [`World::take_missing`].
    asked: Cell<u64>,
    /// How often it was asked in all looks beyond what is ordinary.
    searched: Cell<u64>,
    /// Two rules for the same instance.
    fault: RefCell<Option<(Overlap, Arc<str>)>>,
}

impl<'a> World<'a> {
    /// The world of an app before anything happens.
    pub(super) fn new(app: &App, scenario: &'a Scenario, seed: u64) -> World<'a> {
        let mut sources = Sources::default();
        for data in app.coordinators.iter().flat_map(|it| it.job.sources()).filter(|data| !data.is_output) {
            sources.take(data);
        }
        for coordinator in &app.coordinators {
            for uri in first_outputs(coordinator) {
                for index in sources.like(&uri) {
                    let source = &mut sources.all[index];
                    if let Some(instance) = source.data.instance_at(&uri) {
                        let known = source.first_written.map_or(instance.at, |known| known.min(instance.at));
                        source.first_written = Some(known);
                        source.writers.insert(coordinator.job.name.clone());
                    }
                }
            }
        }
        World {
            scenario,
            seed: Draw::new(seed).with(b"data"),
            now: Instant::from_millis(i64::MIN),
            sources,
            written: BTreeMap::new(),
            made: Made::default(),
            removed: BTreeSet::new(),
            missing: RefCell::default(),
            asked: Cell::new(0),
            searched: Cell::new(0),
            fault: RefCell::default(),
        }
    }

    /// Which coordinators read what which write, by their places in the app.
    pub(super) fn shares(&self, app: &App) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for source in self.sources.all.iter().filter(|source| !source.writers.is_empty()) {
            let has = |job: &CoordinatorProgram, wanted: bool| {
                let mut own = job.job.sources().filter(|data| data.is_output == wanted);
                own.any(|data| data.is_same(&source.data))
            };
            let places = |is_one: &dyn Fn(&CoordinatorProgram) -> bool| -> Vec<usize> {
                let all = app.coordinators.iter().enumerate();
                all.filter(|(_, job)| is_one(job)).map(|(index, _)| index).collect()
            };
            let readers = places(&|job| has(job, false));
            let writers = places(&|job| source.writers.contains(&job.job.name));
            let first = readers.first().or(writers.first()).copied().unwrap_or(0);
            pairs.extend(readers.into_iter().chain(writers).map(|other| (first, other)));
        }
        pairs
    }

    /// Whether somebody reads what a coordinator writes.
    pub(super) fn is_read(&self, coordinator: &CoordinatorProgram) -> bool {
        self.sources.all.iter().any(|source| source.writers.contains(&coordinator.job.name))
    }

    /// When something is there, as far as that is known now.
    pub(super) fn when(&self, uri: &str) -> When {
        let usual = self.usually(uri);
        match self.made.find(uri) {
            Some((Known::File(_) | Known::Folder, since)) => match usual {
                When::At(at) => When::At(at.min(since)),
                _ => When::At(since),
            },
            // What comes later than it was deleted is there again.
            Some((Known::Missing, since)) => match usual {
                When::At(at) if at <= since => When::Open(self.base_of(uri)),
                usual => usual,
            },
            _ => usual,
        }
    }

    /// A URI without its done-flag.
    fn base_of(&self, uri: &str) -> Arc<str> {
        let base = self.sources.of(uri).find_map(|source| Some(source.data.instance_of(uri)?.base));
        plain_uri(base.unwrap_or(uri)).into()
    }

    /// What is known of a path now: from fs actions, from the scenario, and of data. Where a scenario says which files
    /// there are, and in the folder of an app, there are no others.
    fn known(&self, path: &str, deployed: Deployed<'_>) -> Known {
        let made = self.made.find(path).map(|(known, _)| known);
        if made.is_some_and(Known::is_there) {
            return made.unwrap_or(Known::Unknown);
        }
        let named = self.scenario.files.iter().find(|(file, _)| **file == *path);
        if let Some((_, length)) = named.filter(|_| made.is_none()) {
            return length.map_or(Known::Folder, Known::File);
        }
        let is_data = named.is_none() && self.is_there(path);
        if is_data {
            return Known::Folder;
        }
        if let Some(known) = made {
            return known;
        }
        let inside = format!("{path}/");
        if self.scenario.files.iter().any(|(file, _)| file.starts_with(&inside)) {
            return Known::Folder;
        }
        match deployed(path) {
            Some(true) => Known::Unknown,
            Some(false) => Known::Missing,
            None if self.is_closed() => Known::Missing,
            None => Known::Unknown,
        }
    }

    /// Whether the scenario says which files there are.
    pub(super) fn is_closed(&self) -> bool {
        !self.scenario.files.is_empty()
    }

    /// Something is deleted by an fs action.
    fn delete(&mut self, path: &str) {
        self.remove(path);
        self.removed.insert(self.base_of(path));
        self.made.delete(path, self.now);
    }

    /// Something is moved by an fs action.
    fn move_to(&mut self, from: &str, to: &str, known: Known) {
        let inside = format!("{from}/");
        let others = self.scenario.files.iter().filter(|(file, _)| file.starts_with(&inside));
        let others = others.filter(|(file, _)| self.made.find(file).is_none());
        let others = others.map(|(file, length)| (file.to_string(), *length)).collect();
        let base = self.base_of(from);
        self.remove(from);
        self.removed.insert(base);
        self.made.move_to(from, to, (known, others), self.now);
    }

    /// When something is there, but for what fs actions do.
    fn usually(&self, uri: &str) -> When {
        let found = self.sources.of(uri).find_map(|source| Some((source, source.data.instance_of(uri)?)));
        let Some((source, instance)) = found else {
            if self.scenario.files.iter().any(|(path, _)| **path == *uri) {
                return When::At(Instant::from_millis(i64::MIN));
            }
            return self.written.get(&*plain_uri(uri)).map_or(When::Never, |at| When::At(*at));
        };
        let Some(arrival) = self.arrival(source, instance.at, uri) else { return When::Never };
        let from = match source.first_written {
            Some(first) if instance.at >= first => {
                let base = plain_uri(instance.base);
                match self.written.get(&*base) {
                    Some(at) => *at,
                    None => return When::Open(base.into()),
                }
            }
            _ => instance.at,
        };
        When::At(from.plus_millis(arrival.saturating_mul(1000)))
    }

    /// Whether an instance is there now, asked for by its done-flag or by its folder.
    fn is_there(&self, path: &str) -> bool {
        let is_now = |uri: &str| matches!(self.when(uri), When::At(at) if at <= self.now);
        let path = plain_uri(path);
        is_now(&path)
            || self
                .sources
                .of(&path)
                .any(|source| source.data.instance_at(&path).is_some() && is_now(&source.data.flagged(&path)))
    }

    /// How many seconds late an instance is; `None`: it never comes.
    fn arrival(&self, source: &Source, at: Instant, uri: &str) -> Option<i64> {
        if self.scenario.data.is_empty() {
            return Some(0);
        }
        let rules = self.scenario.data.matching(|by| {
            is_named(&by[DATASET], |name| source.names.contains(name))
                && is_at(&by[INSTANCES], Some(at))
                && self.scenario.is_like(&by[URI], uri)
        });
        let rule = match rules {
            Ok(rules) => rules.first().map(|rule| rule.says),
            Err(overlap) => {
                self.fault.borrow_mut().get_or_insert((overlap, uri.into()));
                None
            }
        };
        match rule {
            None => Some(0),
            Some(Arrival::Never) => None,
            Some(Arrival::After(delay)) => Some(delay.seconds(|| self.seed.with(uri.as_bytes()))),
        }
    }

    /// How many instances all looks have asked for beyond what is ordinary.
    pub(super) fn searched(&self) -> u64 {
        self.searched.get()
    }

    /// What was asked for in vain since this was called last.
    pub(super) fn take_missing(&self) -> Vec<Arc<str>> {
        let beyond = self.asked.take().saturating_sub(ORDINARY_LOOK);
        self.searched.set(self.searched.get() + beyond);
        std::mem::take(&mut self.missing.borrow_mut())
    }

    /// Two rules for one instance, once somebody has asked for it.
    pub(super) fn take_fault(&self) -> Option<(Overlap, Arc<str>)> {
        self.fault.borrow_mut().take()
    }

    /// An action has written something; its name for those who wait for it.
    pub(super) fn write(&mut self, uri: &Arc<str>) -> Arc<str> {
        let base: Arc<str> = match plain_uri(uri) {
            std::borrow::Cow::Borrowed(_) => uri.clone(),
            std::borrow::Cow::Owned(plain) => plain.into(),
        };
        self.written.insert(base.clone(), self.now);
        base
    }

    /// What is written somewhere is removed.
    pub(super) fn remove(&mut self, uri: &str) {
        let base = plain_uri(uri);
        if self.made.find(&base).is_some_and(|(known, _)| known.is_there()) {
            self.made.delete(&base, self.now);
        }
        if let Some((base, _)) = self.written.remove_entry(&*base) {
            self.removed.insert(base);
        }
    }

    /// Why something is not there now, in words.
    pub(super) fn why(&self, uri: &str, show: impl Fn(Instant) -> String) -> String {
        match self.when(uri) {
            When::At(at) if at > self.now => format!("it comes at {}", show(at)),
            When::At(_) => "it is there, and was not looked for any more".to_owned(),
            When::Never if self.source_of(uri).is_none() => {
                "no dataset holds it, and no action writes it".to_owned()
            }
            When::Never => "the scenario lets it never come".to_owned(),
            When::Open(base) if self.removed.contains(&base) => {
                "it was removed, and not written again".to_owned()
            }
            When::Open(_) => {
                let writers = self.source_of(uri).map(|source| source.writers.iter());
                let writers: Vec<_> = writers.into_iter().flatten().map(|name| format!("`{name}`")).collect();
                format!("{} has not written it", writers.join(" or "))
            }
        }
    }

    fn source_of(&self, uri: &str) -> Option<&Source> {
        self.sources.of(uri).find(|source| source.data.instance_of(uri).is_some())
    }

    /// The world in which nothing is ever removed.
    pub(super) fn ever(&self) -> Ever<'_, 'a> {
        Ever(self)
    }
}

/// Whether a path of the app's own folder was deployed with it; `None`: it lies elsewhere.
pub(super) type Deployed<'d> = &'d dyn Fn(&str) -> Option<bool>;

/// The world as an fs action of one workflow sees it.
pub(super) struct Here<'w, 'a, 'd> {
    pub(super) world: &'w mut World<'a>,
    pub(super) deployed: Deployed<'d>,
}

impl Ground for Here<'_, '_, '_> {
    fn now(&self) -> Instant {
        self.world.now
    }

    fn known(&self, path: &str) -> Known {
        self.world.known(path, self.deployed)
    }

    fn matches(&self, pattern: &str) -> Vec<String> {
        matches(pattern, &|path| self.known(path), &|start| self.world.files(start))
    }

    fn made(&mut self) -> &mut Made {
        &mut self.world.made
    }

    fn delete(&mut self, path: &str) {
        self.world.delete(path);
    }

    fn move_to(&mut self, from: &str, to: &str) {
        let known = self.known(from);
        self.world.move_to(from, to, known);
    }
}

/// What the first action of a coordinator writes.
fn first_outputs(coordinator: &CoordinatorProgram) -> Vec<Arc<str>> {
    let Some(Ok(first)) = coordinator.job.actions(PlanOptions::default()).next() else { return Vec::new() };
    first.outputs.iter().flat_map(|output| output.uris.iter().cloned().collect::<Vec<_>>()).collect()
}

impl Exists for World<'_> {
    fn exists(&self, uri: &str) -> bool {
        self.asked.set(self.asked.get() + 1);
        let exists = matches!(self.when(uri), When::At(at) if at <= self.now);
        if !exists {
            self.missing.borrow_mut().push(uri.into());
        }
        exists
    }
}

impl Outside for World<'_> {
    fn files(&self, path: &str) -> Vec<(String, Option<i64>)> {
        // What a pattern matches begins like the pattern itself.
        let start = path.find(['*', '?', '[', '{', '\\']).map_or(path, |at| &path[..at]);
        let files = self.scenario.files.iter().filter(|(file, _)| file.starts_with(start));
        let files = files.filter(|(file, _)| self.made.find(file).is_none());
        let mut files: Vec<_> = files.map(|(file, length)| (file.to_string(), *length)).collect();
        files.extend(self.made.there(start).map(|(file, length)| (file.to_owned(), length)));
        if files.is_empty() && self.is_there(path) {
            files.push((path.to_owned(), None));
        }
        files
    }
}

/// The world in which nothing is ever removed: what was seen once stays seen.
#[derive(Debug)]
pub(super) struct Ever<'w, 'a>(&'w World<'a>);

impl Exists for Ever<'_, '_> {
    fn exists(&self, uri: &str) -> bool {
        match self.0.when(uri) {
            When::At(at) => at <= self.0.now,
            When::Open(base) => self.0.removed.contains(&base),
            When::Never => false,
        }
    }
}

/// What the actions of a coordinator write, worked out again when it is needed.
#[derive(Debug)]
pub(super) struct Outputs {
    materializer: Materializer,
}

impl Outputs {
    pub(super) fn new(program: &CoordinatorProgram) -> Outputs {
        Outputs { materializer: Materializer::after(&program.job, 0) }
    }

    /// The URIs that an action writes.
    pub(super) fn of(
        &mut self,
        program: &CoordinatorProgram,
        id: ActionId,
        nominal: Instant,
        created: Instant,
    ) -> Vec<Arc<str>> {
        let outputs = self.materializer.outputs(&program.job, id.number.into(), nominal, created);
        outputs.into_iter().flatten().flat_map(|uris| uris.iter().cloned().collect::<Vec<_>>()).collect()
    }
}
