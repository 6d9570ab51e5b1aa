//! The configuration of one job with the layers behind each value.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::substitution::{
    CONFIGURATION_TOO_LONG, MAX_GROWTH, PROPERTY_CYCLE, SUBSTITUTION_DEPTH, TooDeep, substitute,
};
use super::{java_trim, xml_trim};
use crate::diag::Diagnostic;
use crate::el::Engine;
use crate::model::functions;
use crate::properties::{Entry, Properties};
use crate::schema::Version;
use crate::source::Span;
use crate::time::ProcessingZone;

/// Hadoop's newer name of `user.name`; reading or writing either reaches both.
const HADOOP_USER_NAME: &str = "mapreduce.job.user.name";

/// What gives a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The default of a formal parameter.
    FormalDefault,
    /// The default file beside the app.
    DefaultFile,
    /// A property file.
    File,
    /// A definition in the profile.
    Profile,
    /// A definition on the command line.
    Definition,
    /// The planner itself, as the server would: the user, an application path.
    Server,
    /// The configuration of a coordinator in a bundle.
    Coordinator(String),
    /// The configuration of a coordinator's action.
    Action,
    /// The configuration of a sub-workflow action.
    SubWorkflow(String),
    /// The values of other properties were put into this one.
    Substitution,
}

impl Layer {
    /// In words, for people.
    pub fn describe(&self) -> String {
        match self {
            Layer::FormalDefault => "default of the formal parameter".to_owned(),
            Layer::DefaultFile => "default file".to_owned(),
            Layer::File => "property file".to_owned(),
            Layer::Profile => "profile".to_owned(),
            Layer::Definition => "command line".to_owned(),
            Layer::Server => "set as the server does".to_owned(),
            Layer::Coordinator(name) => format!("configuration of coordinator `{name}` in the bundle"),
            Layer::Action => "configuration of the coordinator's workflow".to_owned(),
            Layer::SubWorkflow(name) => format!("configuration of sub-workflow action `{name}`"),
            Layer::Substitution => "with values put in".to_owned(),
        }
    }
}

/// One link in the chain behind a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What gave it.
    pub layer: Layer,
    /// The value it gave.
    pub value: Arc<str>,
    /// Where it stands, when it stands anywhere.
    pub span: Option<Span>,
    /// For a substitution: the names that were put in, in order.
    pub uses: Vec<String>,
}

/// A name and a value as a reader found them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The name.
    pub name: String,
    /// The value as written.
    pub value: String,
    /// Where it stands.
    pub span: Option<Span>,
}

impl Given {
    /// A name and a value without a place.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Given {
        Given { name: name.into(), value: value.into(), span: None }
    }

    /// With a place.
    pub fn at(mut self, span: Span) -> Given {
        self.span = Some(span);
        self
    }
}

impl From<&Entry> for Given {
    fn from(entry: &Entry) -> Given {
        Given { name: entry.key.value.clone(), value: entry.value.value.clone(), span: Some(entry.span) }
    }
}

/// Whether a value is `${name}` under this very name.
pub fn is_its_own_value(name: &str, value: &str) -> bool {
    let inner = value.trim().strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    inner.is_some_and(|inner| inner.trim() == name.trim())
}

/// The entries of a file, to be given to a job.
pub fn given(properties: &Properties) -> Vec<Given> {
    properties.entries.iter().map(Given::from).collect()
}

/// A value and the steps that led to it, lowest layer first; the last one wins.
#[derive(Clone, Debug)]
struct Held {
    value: Arc<str>,
    steps: Arc<Vec<Step>>,
}

/// The properties of a job, as `XConfiguration` holds them.
///
/// Jobs that are made from one configuration share it: [`JobConf::shared`], and then each holds only its own changes.
#[derive(Clone, Debug, Default)]
pub struct JobConf {
    base: Arc<BTreeMap<Arc<str>, Held>>,
    /// Hides what `base` holds under the same names.
    own: BTreeMap<Arc<str>, Held>,
    /// The version of the server that runs the job.
    version: Version,
    /// Its processing timezone.
    zone: ProcessingZone,
    /// Names that files leave to the command line, where such names are set aside.
    awaited: Option<BTreeMap<String, Option<Span>>>,
}

impl JobConf {
    /// The same job on a server of a version.
    pub fn on(self, version: Version) -> JobConf {
        JobConf { version, ..self }
    }

    /// The same job on a server with this processing timezone.
    pub fn in_zone(self, zone: ProcessingZone) -> JobConf {
        JobConf { zone, ..self }
    }

    /// The version of the server.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The server's processing timezone.
    pub fn zone(&self) -> ProcessingZone {
        self.zone
    }

    /// No properties, on the same server.
    pub fn beside(&self) -> JobConf {
        JobConf { awaited: self.awaited.clone(), ..JobConf::new().on(self.version).in_zone(self.zone) }
    }

    /// Sets aside what is its own value, as `nameNode=${nameNode}`: by custom such a line stands for a definition on the
    /// command line, `-D nameNode=…`. A server that gets it as it is refuses the job; see [`JobConf::awaited`].
    pub fn set_aside_awaited(mut self) -> JobConf {
        let names = self.entries().filter(|(name, held)| is_its_own_value(name, &held.value));
        let names: BTreeMap<String, Option<Span>> =
            names.map(|(name, _)| (name.to_string(), self.span(name))).collect();
        if !names.is_empty() {
            let server = self.beside();
            let mut flat = self.flat();
            flat.retain(|name, _| !names.contains_key(&**name));
            self = JobConf { own: flat, ..server };
        }
        self.awaited = Some(names);
        self
    }

    /// The names that files leave to the command line and nothing there gives, with the place of each.
    pub fn awaited(&self) -> impl Iterator<Item = (&str, Option<Span>)> {
        self.awaited.iter().flatten().map(|(name, span)| (name.as_str(), *span))
    }

    /// The engine that evaluates the job's expressions.
    pub fn engine(&self) -> Engine {
        functions::engine(self.version)
    }

    /// No properties.
    pub fn new() -> JobConf {
        JobConf::default()
    }

    /// The same, ready to be copied often.
    pub fn shared(self) -> JobConf {
        let server = self.beside();
        JobConf { base: Arc::new(self.flat()), ..server }
    }

    fn flat(self) -> BTreeMap<Arc<str>, Held> {
        if self.base.is_empty() {
            return self.own;
        }
        let mut flat = Arc::unwrap_or_clone(self.base);
        flat.extend(self.own);
        flat
    }

    fn held(&self, name: &str) -> Option<&Held> {
        let name = canonical(name);
        self.own.get(name).or_else(|| self.base.get(name))
    }

    /// The entry to change.
    fn held_mut(&mut self, name: &str) -> Option<&mut Held> {
        if !self.own.contains_key(name) {
            let (name, held) = self.base.get_key_value(name)?;
            self.own.insert(name.clone(), held.clone());
        }
        self.own.get_mut(name)
    }

    fn entries(&self) -> impl Iterator<Item = (&Arc<str>, &Held)> {
        let (mut base, mut own) = (self.base.iter().peekable(), self.own.iter().peekable());
        std::iter::from_fn(move || match (base.peek(), own.peek()) {
            (Some((left, _)), Some((right, _))) if left < right => base.next(),
            (Some((left, _)), Some((right, _))) if left == right => {
                base.next();
                own.next()
            }
            (_, Some(_)) => own.next(),
            (_, None) => base.next(),
        })
    }

    /// Gives a property, over whatever it was.
    pub fn set(&mut self, layer: Layer, given: Given) {
        let name = canonical(&given.name);
        let value: Arc<str> = given.value.into();
        let step = Step { layer, value: value.clone(), span: given.span, uses: Vec::new() };
        match self.held_mut(name) {
            None => {
                self.own.insert(name.into(), Held { value, steps: Arc::new(vec![step]) });
            }
            Some(held) => {
                let same_layer = held
                    .steps
                    .last()
                    .is_some_and(|last| last.layer == step.layer && in_one_file(last, &step));
                let steps = Arc::make_mut(&mut held.steps);
                if same_layer {
                    steps.pop();
                }
                steps.push(step);
                held.value = value;
            }
        }
    }

    /// Gives a property as it is written and what its evaluation made of it; `uses` names what was put in.
    pub fn set_evaluated(&mut self, layer: Layer, written: Given, value: &str, uses: Vec<String>) {
        let name = written.name.clone();
        let is_same = written.value == value;
        self.set(layer, written);
        if let Some(held) = self.held_mut(canonical(&name)).filter(|_| !is_same) {
            let value: Arc<str> = value.into();
            let step = Step { layer: Layer::Substitution, value: value.clone(), span: None, uses };
            Arc::make_mut(&mut held.steps).push(step);
            held.value = value;
        }
    }

    /// Gives several properties in order, over whatever they were (`XConfiguration.copy`).
    pub fn set_all(&mut self, layer: &Layer, given: impl IntoIterator<Item = Given>) {
        for one in given {
            self.set(layer.clone(), one);
        }
    }

    /// Gives a property unless it is there (`XConfiguration.injectDefaults`); the loser stays in the chain.
    pub fn set_default(&mut self, layer: Layer, given: Given) {
        match self.held_mut(canonical(&given.name)) {
            None => self.set(layer, given),
            Some(held) => {
                let step = Step { layer, value: given.value.into(), span: given.span, uses: Vec::new() };
                Arc::make_mut(&mut held.steps).insert(0, step);
            }
        }
    }

    /// Gives the properties of a default file: the last of several of one name counts, then only what is not there.
    pub fn inject_defaults(&mut self, given: impl IntoIterator<Item = Given>) {
        let mut last: BTreeMap<String, Given> = BTreeMap::new();
        for one in given {
            last.insert(canonical(&one.name).to_owned(), one);
        }
        for one in last.into_values() {
            if let Some(awaited) = &mut self.awaited
                && is_its_own_value(&one.name, &one.value)
            {
                awaited.entry(one.name).or_insert(one.span);
                continue;
            }
            self.set_default(Layer::DefaultFile, one);
        }
    }

    /// Whether there is a property of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.held(name).is_some()
    }

    /// The value as given, without references put in.
    pub fn get_raw(&self, name: &str) -> Option<&str> {
        self.held(name).map(|held| &*held.value)
    }

    /// The value with references put in (`XConfiguration.get`).
    pub fn get(&self, name: &str) -> Result<Option<String>, TooDeep> {
        match self.get_raw(name) {
            None => Ok(None),
            Some(raw) => substitute(raw, |name| self.get_raw(name), &mut Vec::new()).map(Some),
        }
    }

    /// The value with references put in, or as given where that fails.
    pub fn get_lenient(&self, name: &str) -> Option<String> {
        self.get(name).unwrap_or_else(|TooDeep| self.get_raw(name).map(str::to_owned))
    }

    /// The steps behind a value, lowest layer first; empty for an unknown name.
    pub fn steps(&self, name: &str) -> &[Step] {
        self.held(name).map_or(&[], |held| &held.steps)
    }

    /// The place of the winning value.
    pub fn span(&self, name: &str) -> Option<Span> {
        self.steps(name).iter().rev().find_map(|step| step.span)
    }

    /// Names and values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries().map(|(name, held)| (&**name, &*held.value))
    }

    /// How many properties there are.
    pub fn len(&self) -> usize {
        self.base.len() + self.own.keys().filter(|name| !self.base.contains_key(*name)).count()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.base.is_empty() && self.own.is_empty()
    }

    /// Names and values as plain text.
    pub fn to_map(&self) -> BTreeMap<String, String> {
        self.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// Puts references in everywhere, as every submission does before it evaluates anything.
    /// A value in a loop stays as given; `place` is where a finding goes whose property stands nowhere.
    pub fn resolve(&mut self, place: Span) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        let mut changed = Vec::new();
        let mut growth = 0usize;
        let mut loops = BTreeSet::new();
        let mut deep = Vec::new();
        for (name, held) in self.entries().filter(|(_, held)| held.value.contains("${")) {
            let mut uses = Vec::new();
            let result = substitute(&held.value, |name| self.get_raw(name), &mut uses);
            let span = self.span(name).unwrap_or(place);
            match result {
                Err(TooDeep) if find_loop(self, name).is_none() => deep.push((name.clone(), span)),
                Err(TooDeep) => findings.extend(in_loop(self, name, span, &mut loops)),
                Ok(value) if uses.is_empty() => debug_assert_eq!(*value, *held.value),
                Ok(value) => {
                    growth = growth.saturating_add(value.len());
                    if growth > MAX_GROWTH {
                        let message =
                            format!("`{name}` makes the configuration longer than {} MiB", MAX_GROWTH >> 20);
                        findings.push(Diagnostic::new(&CONFIGURATION_TOO_LONG, span, message));
                        break;
                    }
                    changed.push((name.clone(), Arc::<str>::from(value), uses));
                }
            }
        }
        findings.extend(too_deep(self, &deep));
        for (name, value, uses) in changed {
            if let Some(held) = self.held_mut(&name) {
                let step = Step { layer: Layer::Substitution, value: value.clone(), span: None, uses };
                Arc::make_mut(&mut held.steps).push(step);
                held.value = value;
            }
        }
        findings
    }

    /// What comes back after the server has stored the configuration as pretty-printed XML: values are trimmed, and
    /// those that are empty then are gone.
    pub fn stored(&self) -> JobConf {
        let kept = self.entries().filter_map(|(name, held)| {
            let trimmed = xml_trim(&held.value);
            let value = if trimmed.len() == held.value.len() { held.value.clone() } else { trimmed.into() };
            (!trimmed.is_empty()).then(|| (name.clone(), Held { value, steps: held.steps.clone() }))
        });
        JobConf { base: Arc::new(kept.collect()), ..self.beside() }
    }

    /// Trims every value, as the servlet that takes a submission does (`XConfiguration.trim`).
    pub fn trim(&mut self) {
        let server = self.beside();
        let mut flat = std::mem::replace(self, server).flat();
        for held in flat.values_mut() {
            let trimmed = java_trim(&held.value);
            if trimmed.len() != held.value.len() {
                held.value = trimmed.into();
            }
        }
        self.own = flat;
    }
}

/// The name under which a property is kept.
fn canonical(name: &str) -> &str {
    match java_trim(name) {
        HADOOP_USER_NAME => super::USER_NAME,
        name => name,
    }
}

/// Whether two steps of one kind come from one file, so that the later replaces the earlier.
fn in_one_file(a: &Step, b: &Step) -> bool {
    a.span.map(|span| span.file) == b.span.map(|span| span.file)
}

/// The findings for values that take too many replacements without a loop: those that no other of them refers to.
fn too_deep(conf: &JobConf, deep: &[(Arc<str>, Span)]) -> Vec<Diagnostic> {
    let raw = |name: &str| conf.get_raw(name).unwrap_or_default().to_owned();
    let mut below = BTreeSet::new();
    for (name, _) in deep {
        let raw = raw(name);
        let names = raw.split("${").skip(1).filter_map(|rest| rest.split_once('}'));
        below.extend(names.map(|(used, _)| used.to_owned()).filter(|used| **used != **name));
    }
    let top = deep.iter().filter(|(name, _)| !below.contains(&**name));
    let finding = |(name, span): &(Arc<str>, Span)| {
        let message = format!("`{name}` needs {SUBSTITUTION_DEPTH} or more replacements");
        Diagnostic::new(&PROPERTY_CYCLE, *span, message).help(replacement_help())
    };
    top.map(finding).collect()
}

fn replacement_help() -> String {
    format!("write the value out; the server follows fewer than {SUBSTITUTION_DEPTH} references")
}

/// The finding for a value in a loop, or that leads to one: each loop once.
fn in_loop(conf: &JobConf, name: &str, span: Span, loops: &mut BTreeSet<String>) -> Option<Diagnostic> {
    let help = replacement_help();
    let mut names = find_loop(conf, name)?;
    names.pop();
    // Told from its smallest name, whichever property led to it.
    let smallest = names.iter().enumerate().min_by_key(|(_, name)| **name).map_or(0, |(at, _)| at);
    names.rotate_left(smallest);
    if !loops.insert(names.join("\n")) {
        return None;
    }
    let place = |name: &str| conf.span(name).unwrap_or(span);
    let message = match &*names {
        [only] => format!("`{only}` refers to itself"),
        [first, ..] => {
            format!("properties refer to each other in a loop: `{}` → `{first}`", names.join("` → `"))
        }
        [] => return None,
    };
    let mut finding = Diagnostic::new(&PROPERTY_CYCLE, place(names[0]), message).help(help);
    for name in &names[1..] {
        finding = finding.label(place(name), format!("`{name}` is part of the loop"));
    }
    Some(finding)
}

/// A loop that can be reached from a name: its names in order, the first again at the end.
fn find_loop<'c>(conf: &'c JobConf, name: &'c str) -> Option<Vec<&'c str>> {
    let mut path: Vec<(&str, Vec<&str>)> = vec![(name, references(conf, name))];
    let mut done = BTreeSet::new();
    while let Some((_, rest)) = path.last_mut() {
        let Some(next) = rest.pop() else {
            done.extend(path.pop().map(|(name, _)| name));
            continue;
        };
        if let Some(start) = path.iter().position(|(name, _)| *name == next) {
            return Some(path[start..].iter().map(|(name, _)| *name).chain([next]).collect());
        }
        if !done.contains(next) && path.len() <= SUBSTITUTION_DEPTH && done.len() <= 100 * SUBSTITUTION_DEPTH
        {
            path.push((next, references(conf, next)));
        }
    }
    None
}

/// The names that a raw value refers to, last one first; no more than could be followed.
fn references<'c>(conf: &'c JobConf, name: &str) -> Vec<&'c str> {
    let raw = conf.get_raw(name).unwrap_or("");
    let names =
        raw.match_indices("${").filter_map(|(at, _)| raw[at + 2..].split_once('}').map(|(name, _)| name));
    let mut names: Vec<_> = names.filter(|name| conf.contains(name)).take(SUBSTITUTION_DEPTH).collect();
    names.reverse();
    names
}

#[cfg(test)]
#[path = "job_conf_tests.rs"]
mod tests;
