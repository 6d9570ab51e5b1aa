//! Scenarios: when data appear, how long actions take and how they end, what operators do. Read from TOML, each mistake
//! with its place.

mod action;
mod data;
mod duration;
mod operator;
mod rules;
mod server;
mod table;
mod words;

use std::sync::Arc;

use globset::{GlobBuilder, GlobMatcher};
use toml::de::{DeTable, DeValue};

pub use action::{ActionRule, Outcome, Way};
pub use data::Arrival;
pub use duration::Duration;
pub use operator::{Command, Operator, Target};
pub use rules::{By, Overlap, Rule, Rules};
pub use table::{Fault, Placed};

pub(crate) use action::{ATTEMPT, COORDINATOR, NODE, TIMES as NOMINAL_TIMES, WORKFLOW};
pub(crate) use data::{DATASET, TIMES as INSTANCES, URI};
pub(crate) use rules::{is_at, is_named};

use crate::engine::JobKind;
use crate::engine::server::{Server, Value};
use crate::time::{Instant, ProcessingZone};
use table::{Faults, Table};

/// More rules or operators than this are refused: they are compared with each other.
pub const MAX_RULES: usize = 1_000;

/// What a scenario may name.
#[derive(Clone, Debug)]
pub struct Names {
    /// The app itself.
    pub app: Arc<str>,
    /// What it is.
    pub kind: JobKind,
    /// Its coordinators.
    pub coordinators: Vec<Arc<str>>,
    /// The workflows that they lead to, and sub-workflows.
    pub workflows: Vec<WorkflowNames>,
    /// The datasets that are read or written.
    pub datasets: Vec<Arc<str>>,
}

/// A workflow and its actions.
#[derive(Clone, Debug)]
pub struct WorkflowNames {
    /// The name.
    pub name: Arc<str>,
    /// The coordinators that lead to it.
    pub coordinators: Vec<Arc<str>>,
    /// The names of its actions.
    pub nodes: Vec<Arc<str>>,
}

/// What is assumed of the world, and what people do.
#[derive(Clone, Debug, Default)]
pub struct Scenario {
    /// When the app is submitted.
    pub begin: Option<Instant>,
    /// Until when it is played.
    pub until: Option<Instant>,
    /// The seed of what is drawn.
    pub seed: Option<u64>,
    /// When data appear.
    pub data: Rules<Arrival>,
    /// How actions end.
    pub actions: Rules<ActionRule>,
    /// What operators do, in order of time.
    pub operators: Vec<Operator>,
    /// What the server is set to, over what the configuration says.
    pub server: Vec<(Arc<str>, Value)>,
    /// Other files: paths and lengths, null for a folder.
    pub files: Vec<(Arc<str>, Option<i64>)>,
    /// The patterns that rules of data name, ready to match.
    patterns: Vec<(Arc<str>, GlobMatcher)>,
}

/// A pattern of URIs: `*` stands for anything but `/`, `**` for anything, `?` for one character, `{a,b}` for either.
pub(crate) fn pattern(text: &str) -> Result<GlobMatcher, String> {
    let glob = GlobBuilder::new(text).literal_separator(true).backslash_escape(true).build();
    glob.map(|glob| glob.compile_matcher())
        .map_err(|error| format!("`{text}` is no pattern: {}", error.kind()))
}

impl Scenario {
    /// Reads a scenario, or says what is wrong with it. `begin` is when the app is submitted, unless the scenario says;
    /// `now` comes before both.
    pub fn read(
        text: &str,
        zone: ProcessingZone,
        names: &Names,
        begin: Instant,
        now: Option<Instant>,
    ) -> Result<Scenario, Vec<Fault>> {
        let parsed = DeTable::parse(text).map_err(|error| {
            vec![Fault {
                message: error.message().trim_end().to_owned(),
                range: error.span().unwrap_or_default(),
            }]
        })?;
        let faults = Faults::default();
        let mut root = Table::new(parsed.get_ref(), 0..0, &faults, zone);
        let (start, until) = (root.instant("begin"), root.instant("until"));
        let own = now.or(start.as_ref().map(|start| start.value));
        let begin = own.unwrap_or(begin);
        if let Some(until) = until.as_ref().filter(|until| until.value < begin) {
            faults.add(format!("this lies before the beginning, {}", zone.format(begin)), &until.range);
        }
        let seed = root.integer("seed", 0, i64::MAX).map(|seed| seed.value as u64);
        let line = |at: usize| text[..at].matches('\n').count() + 1;
        let (data, actions) = (root.tables("data"), root.tables("action"));
        let operators = root.tables("operator");
        for (key, number) in [("data", data.len()), ("action", actions.len()), ("operator", operators.len())]
        {
            if number > MAX_RULES {
                faults.add(
                    format!("there are {number} tables `[[{key}]]`, more than {MAX_RULES}"),
                    &root.key_range(key),
                );
                return Err(faults.finish());
            }
        }
        let data: Vec<_> = data.into_iter().filter_map(|table| data::read(table, names)).collect();
        let actions: Vec<_> = actions.into_iter().filter_map(|table| action::read(table, names)).collect();
        let read = |table| operator::read(table, names, begin);
        let mut operators: Vec<_> = operators.into_iter().filter_map(read).collect();
        operators.sort_by_key(|operator| operator.at);
        let files = files(&mut root);
        let server = server::read(&mut root);
        root.finish();
        let (data, actions) = (Rules::new(data, &faults, line), Rules::new(actions, &faults, line));
        let faults = faults.finish();
        if !faults.is_empty() {
            return Err(faults);
        }
        let named = data.iter().filter_map(|rule| match &rule.by[URI] {
            By::Pattern(Some(text)) => Some((text.clone(), pattern(text).ok()?)),
            _ => None,
        });
        let patterns = named.collect();
        let until = until.map(|until| until.value);
        Ok(Scenario { begin: own, until, seed, patterns, data, actions, operators, server, files })
    }

    /// The server that the scenario of a text is played on, `server` being the configuration's. It decides what is
    /// submitted, so it is known before the names are that the rest is read with.
    pub fn server_of(text: &str, server: &Server) -> Server {
        server::before(text, server)
    }

    /// The server that it is played on, `server` being the configuration's.
    pub fn server(&self, server: &Server) -> Server {
        let mut server = server.clone();
        for (key, value) in &self.server {
            // What does not fit was reported when it was read.
            let _ = server.set(key, *value);
        }
        server
    }

    /// Whether a URI is one of a pattern's.
    pub(crate) fn is_like(&self, by: &By, uri: &str) -> bool {
        match by {
            By::Pattern(Some(text)) => {
                self.patterns.iter().any(|(known, matcher)| known == text && matcher.is_match(uri))
            }
            _ => true,
        }
    }
}

/// `[files]`: paths, and lengths or `"folder"`.
fn files(root: &mut Table<'_>) -> Vec<(Arc<str>, Option<i64>)> {
    let Some(table) = root.table("files") else { return Vec::new() };
    let mut files = Vec::new();
    for (path, value, range) in table.entries() {
        let length = match value {
            DeValue::Integer(number) => {
                let length = i64::from_str_radix(number.as_str(), number.radix()).ok();
                length.filter(|length| *length >= 0).map(Some)
            }
            DeValue::String(text) if *text == "folder" => Some(None),
            _ => None,
        };
        match length {
            Some(length) => files.push((path.value.into(), length)),
            None => table.faults.add("a file has a length, such as 10, or is a \"folder\"", &range),
        }
    }
    files.sort();
    files
}
