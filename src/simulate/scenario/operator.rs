//! `[[operator]]`: what people do with jobs, and when.

use std::ops::Range;
use std::sync::Arc;

use super::Names;
use super::table::{Placed, Table};
use crate::engine::status::JobStatus;
use crate::engine::{ActionsRerun, BundleRerun, Change, JobKind, Scope, WorkflowRerun};
use crate::time::Instant;

/// Something that somebody does.
#[derive(Clone, Debug)]
pub struct Operator {
    /// When.
    pub at: Instant,
    /// With which job.
    pub target: Target,
    /// What.
    pub command: Command,
    /// Where it stands.
    pub range: Range<usize>,
}

/// A job, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The app itself.
    App,
    /// A coordinator.
    Coordinator(Arc<str>),
    /// The workflow of a coordinator's action.
    WorkflowOf(Arc<str>, u32),
    /// The workflow that actions of these names run below another one.
    Below(Box<Target>, Vec<Arc<str>>),
}

impl Target {
    /// What kind of job it is.
    fn kind(&self, names: &Names) -> JobKind {
        match self {
            Target::App => names.kind,
            Target::Coordinator(_) => JobKind::Coordinator,
            Target::WorkflowOf(..) | Target::Below(..) => JobKind::Workflow,
        }
    }
}

/// A command.
#[derive(Clone, Debug)]
pub enum Command {
    /// Submit the app.
    Submit {
        /// Start it at once.
        start: bool,
        /// A name of the user's own.
        external_id: Option<Arc<str>>,
    },
    /// Start a job that is submitted.
    Start,
    /// Suspend a job.
    Suspend,
    /// Resume a job.
    Resume,
    /// Pause a job from now on.
    Pause,
    /// Kill a job.
    Kill,
    /// Kill some actions.
    KillActions(Scope),
    /// Change a job.
    Change(Change),
    /// Run actions again.
    RerunActions(ActionsRerun),
    /// Run coordinators of a bundle again.
    RerunBundle(BundleRerun),
    /// Run a workflow again.
    RerunWorkflow(WorkflowRerun),
    /// Look at a coordinator no more.
    Ignore,
    /// Look at some actions no more.
    IgnoreActions(Scope),
}

impl Command {
    /// The word for it.
    pub const fn word(&self) -> &'static str {
        match self {
            Command::Submit { .. } => "submit",
            Command::Start => "start",
            Command::Suspend => "suspend",
            Command::Resume => "resume",
            Command::Pause => "pause",
            Command::Kill | Command::KillActions(_) => "kill",
            Command::Change(_) => "change",
            Command::RerunActions(_) | Command::RerunBundle(_) | Command::RerunWorkflow(_) => "rerun",
            Command::Ignore | Command::IgnoreActions(_) => "ignore",
        }
    }
}

const WORDS: [&str; 9] =
    ["submit", "start", "suspend", "resume", "pause", "kill", "change", "rerun", "ignore"];

pub(super) fn read(mut table: Table<'_>, names: &Names, begin: Instant) -> Option<Operator> {
    let range = table.range.clone();
    let at = table.instant("at");
    match &at {
        None if !table.has("at") => table.faults.add("an operator needs `at`, the time", &range),
        Some(at) if at.value < begin => {
            let message = format!("this lies before the beginning, {}", table.zone.format(begin));
            table.faults.add(message, &at.range);
        }
        _ => {}
    }
    let word = table.text("command");
    match &word {
        None if !table.has("command") => table.faults.add("an operator needs a `command`", &range),
        Some(word) if !WORDS.contains(&&*word.value) => {
            table.faults.unknown("command", word, WORDS.into_iter());
        }
        _ => {}
    }
    let job = table.text("job");
    let target = target(&table, job.as_ref(), names);
    let command = match (&word, &target) {
        (Some(word), Some(target)) if WORDS.contains(&&*word.value) => {
            command(&mut table, word, target, names)
        }
        // Nothing can be said of the other keys.
        _ => return None,
    };
    table.finish();
    Some(Operator { at: at?.value, target: target?, command: command?, range })
}

fn target(table: &Table<'_>, job: Option<&Placed<String>>, names: &Names) -> Option<Target> {
    let Some(job) = job else {
        return (!table.has("job")).then_some(Target::App);
    };
    // The names of apps may hold anything.
    let (job_name, nodes) = match job.value.split_once('/') {
        Some((job_name, nodes)) if job.value != *names.app => (job_name, Some(nodes)),
        _ => (&*job.value, None),
    };
    let (name, number) = match job_name.rsplit_once('@') {
        Some((name, number)) => (name, Some(number)),
        None => (job_name, None),
    };
    let coordinator = names.coordinators.iter().find(|known| ***known == *name);
    let number = match number {
        None => None,
        Some(number) => match number.parse::<u32>().ok().filter(|number| *number > 0) {
            Some(number) => Some(number),
            None => {
                table
                    .faults
                    .add(format!("`{}` names no action; write it like `{name}@3`", job.value), &job.range);
                return None;
            }
        },
    };
    let above = match (coordinator, number) {
        (Some(name), Some(number)) => Some(Target::WorkflowOf(name.clone(), number)),
        (_, None) if *name == *names.app => Some(Target::App),
        (Some(name), None) => Some(Target::Coordinator(name.clone())),
        (None, Some(_)) if *name == *names.app => {
            let kind = names.kind.word();
            table
                .faults
                .add(format!("`{name}` is a {kind}; `@` names an action of a coordinator"), &job.range);
            None
        }
        _ => {
            let known = names.coordinators.iter().map(|name| &**name);
            let known = std::iter::once(&*names.app).chain(known.filter(|name| *name != &*names.app));
            let named = Placed { value: name.to_owned(), range: job.range.clone() };
            table.faults.unknown("job", &named, known);
            None
        }
    }?;
    let Some(nodes) = nodes else { return Some(above) };
    if above.kind(names) != JobKind::Workflow {
        let words = format!("`{name}` is a {}; only workflows run sub-workflows", above.kind(names).word());
        table.faults.add(words, &job.range);
        return None;
    }
    let known = names.workflows.iter().flat_map(|workflow| workflow.nodes.iter().map(|node| &**node));
    for node in nodes.split('/') {
        if !known.clone().any(|name| name == node) {
            let named = Placed { value: node.to_owned(), range: job.range.clone() };
            table.faults.unknown("action", &named, known);
            return None;
        }
    }
    Some(Target::Below(Box::new(above), nodes.split('/').map(Arc::from).collect()))
}

fn command(table: &mut Table<'_>, word: &Placed<String>, target: &Target, names: &Names) -> Option<Command> {
    let kind = target.kind(names);
    let impossible = |table: &Table<'_>| {
        table.faults.add(format!("a {} cannot be told to `{}`", kind.word(), word.value), &word.range);
        None
    };
    match word.value.as_str() {
        "submit" if *target != Target::App => {
            table.faults.add("only the app itself is submitted", &word.range);
            None
        }
        "submit" => {
            let start = table.boolean("start").unwrap_or(true);
            let external_id = table.text("external-id").map(|id| id.value.into());
            Some(Command::Submit { start, external_id })
        }
        "start" if kind == JobKind::Coordinator => {
            table.faults.add("a coordinator starts by itself", &word.range);
            None
        }
        "start" => Some(Command::Start),
        "suspend" => Some(Command::Suspend),
        "resume" => Some(Command::Resume),
        "pause" if kind == JobKind::Workflow => impossible(table),
        "pause" => Some(Command::Pause),
        "kill" if kind == JobKind::Coordinator => {
            Some(scope(table).map_or(Command::Kill, Command::KillActions))
        }
        "kill" => Some(Command::Kill),
        "change" => change(table, word),
        "rerun" => rerun(table, word, kind),
        "ignore" if kind != JobKind::Coordinator => impossible(table),
        _ => Some(scope(table).map_or(Command::Ignore, Command::IgnoreActions)),
    }
}

/// `actions` or `dates`. A list that is malformed is the server's to refuse, which a scenario may well want to see.
fn scope(table: &mut Table<'_>) -> Option<Scope> {
    let (actions, dates) = (table.text("actions"), table.text("dates"));
    if let (Some(_), Some(dates)) = (&actions, &dates) {
        table.faults.add("`actions` and `dates` exclude each other", &dates.range);
    }
    let actions = actions.map(|text| Scope::Numbers(text.value.into()));
    actions.or_else(|| dates.map(|text| Scope::Dates(text.value.into())))
}

fn change(table: &mut Table<'_>, word: &Placed<String>) -> Option<Command> {
    let end = table.instant("end").map(|at| at.value);
    let concurrency = table.integer("concurrency", -1, i64::from(i32::MAX)).map(|it| it.value as i32);
    let pause = match table.text("pause") {
        Some(text) if text.value == "none" => Some(None),
        Some(_) => table.instant("pause").map(|at| Some(at.value)),
        None => None,
    };
    let status = table.text("status").and_then(|status| {
        let found = JobStatus::ALL.iter().copied().find(|it| it.name() == status.value);
        if found.is_none() {
            let known = JobStatus::ALL.iter().map(|status| status.name());
            table.faults.unknown("status", &status, known);
        }
        found
    });
    let given = ["end", "concurrency", "pause", "status"];
    if !given.iter().any(|key| table.has(key)) {
        let known = given.map(|key| format!("`{key}`")).join(", ");
        table.faults.add(format!("say what is changed: {known}"), &word.range);
    }
    Some(Command::Change(Change { end, concurrency, pause, status }))
}

fn rerun(table: &mut Table<'_>, word: &Placed<String>, kind: JobKind) -> Option<Command> {
    match kind {
        JobKind::Workflow => {
            let skip = table.texts("skip-nodes");
            let skip = skip.map(|skip| skip.into_iter().map(|name| name.value.into()).collect());
            let failed = table.boolean("failed").unwrap_or(skip.is_none());
            Some(Command::RerunWorkflow(WorkflowRerun { skip, failed, conf: None, program: None }))
        }
        JobKind::Coordinator => {
            let scope = scope(table);
            if scope.is_none() && !table.has("actions") && !table.has("dates") {
                table
                    .faults
                    .add("say which actions are run again: `actions = \"1-3\"` or `dates`", &word.range);
            }
            let mut flag = |key| table.boolean(key).unwrap_or(false);
            let (nocleanup, refresh, failed) = (flag("nocleanup"), flag("refresh"), flag("failed"));
            Some(Command::RerunActions(ActionsRerun {
                nocleanup,
                refresh,
                failed,
                ..ActionsRerun::of(scope?)
            }))
        }
        JobKind::Bundle => {
            let named = table.texts("coordinators").unwrap_or_default();
            let coordinators = named.into_iter().map(|name| name.value.into()).collect();
            let dates = table.text("dates").map(|text| text.value.into());
            let mut flag = |key| table.boolean(key).unwrap_or(false);
            let (nocleanup, refresh) = (flag("nocleanup"), flag("refresh"));
            Some(Command::RerunBundle(BundleRerun { coordinators, dates, nocleanup, refresh }))
        }
    }
}
