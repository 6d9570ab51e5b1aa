//! Plays that a real server's commands made, read from the folder of reference material, and what `simulate` makes of
//! the same: states that last, final states, states of nodes, refusals, what kill nodes said.

use ankus::shell::submission;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ankus::engine::{Changed, Command, Event, JobId, NodeId, Parent};
use ankus::shell::app;
use ankus::shell::check::program::Program;
use ankus::shell::config::Config;
use ankus::shell::context::Common;
use ankus::shell::library::{Library, Loaded};
use ankus::shell::project::Project;
use ankus::shell::staging::Stage;
use ankus::shell::submission::Submitted;
use ankus::simulate::digest::Digest;
use ankus::simulate::record::Since;
use ankus::simulate::scenario::Scenario;
use ankus::simulate::{Options, Simulation, Told, play};
use ankus::source::Sources;
use ankus::time::{Instant, ProcessingZone};
use serde::Deserialize;
use serde_json::Value;

use super::folder_of;

/// The folder of the apps, as they name it.
const BASE: &str = "hdfs://nn:8020/app";

/// What plays may set on their server, and the keys of `[server]` for it.
const SETTINGS: [(&str, &str); 14] = [
    (WITHOUT_ERROR, "states-without-error"),
    ("oozie.workflow.parallel.fork.action.start", "parallel-fork-start"),
    ("oozie.validate.ForkJoin", "validate-fork-join"),
    ("oozie.coord.execution.none.tolerance", "none-tolerance"),
    ("oozie.service.StatusTransitService.statusTransit.interval", "status-interval"),
    ("oozie.service.PauseTransitService.PauseTransit.interval", "pause-interval"),
    ("oozie.service.CoordMaterializeTriggerService.lookup.interval", "materialization-interval"),
    ("oozie.service.CoordMaterializeTriggerService.materialization.window", "materialization-window"),
    ("oozie.service.RecoveryService.interval", "recovery-interval"),
    ("oozie.service.RecoveryService.coord.older.than", "recovery-older-than"),
    ("oozie.action.retries.max", "action-retries"),
    ("oozie.service.coord.normal.default.timeout", "default-timeout"),
    ("oozie.service.coord.default.concurrency", "default-concurrency"),
    ("oozie.service.coord.default.throttle", "default-throttle"),
];

/// Without it the recorded server shows the states with an error, unlike a server as it is delivered.
const WITHOUT_ERROR: &str = "oozie.service.StatusTransitService.backward.support.for.states.without.error";

/// A state counts when it lasts so long: services of the server run at other moments.
const LASTS_MINUTES: i64 = 4;

/// How often a server looks for actions to create.
const LOOKUP_MINUTES: i64 = 5;

/// A recorded play.
#[derive(Debug, Deserialize)]
pub struct ServerPlay {
    pub name: String,
    pub app: String,
    pub begin: String,
    pub until: String,
    pub files: BTreeMap<String, String>,
    #[serde(default)]
    pub properties: BTreeMap<String, String>,
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    #[serde(default)]
    pub actions: Vec<BTreeMap<String, Value>>,
    #[serde(default)]
    pub operators: Vec<BTreeMap<String, Value>>,
    #[serde(default)]
    pub data: Vec<(String, i64)>,
    pub server: Answer,
}

/// What the server made of it.
#[derive(Debug, Deserialize)]
pub struct Answer {
    /// Minute, kind, name, state.
    pub events: Vec<(i64, String, String, String)>,
    #[serde(default)]
    pub operators: Vec<BTreeMap<String, Value>>,
    /// `kind name` to the state, and the code of the error after it.
    #[serde(rename = "final")]
    pub last: BTreeMap<String, String>,
    #[serde(default)]
    pub kill_messages: BTreeMap<String, String>,
}

/// What was done with a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// It was carried out, as far as the caller knows.
    Taken,
    /// Nothing was done, and the caller does not hear of it.
    Nothing,
    /// It was refused, with this code or `none`; what the server says holds the codes of causes.
    Refused(String, String),
}

/// What can be compared of a play.
#[derive(Debug, Default)]
pub struct Course {
    /// `kind name` to the states with the minutes in which they begin.
    pub states: BTreeMap<String, Vec<(i64, String)>>,
    /// The last states of nodes.
    pub nodes: BTreeMap<String, String>,
    /// Minute, command, what became of it.
    pub operators: Vec<(i64, String, Done)>,
    /// What kill nodes said.
    pub kill_messages: BTreeMap<String, String>,
}

impl ServerPlay {
    fn time(&self, minute: i64) -> String {
        let begin = ProcessingZone::UTC.parse_datetime(&self.begin).expect("a time").instant;
        ProcessingZone::UTC.format(begin.plus_minutes(minute))
    }

    /// The names of datasets.
    fn datasets(&self) -> BTreeSet<&str> {
        let pieces = self.files.values().flat_map(|text| text.split("<dataset name=\"").skip(1));
        pieces.filter_map(|piece| piece.split('"').next()).collect()
    }

    /// The play as a scenario.
    pub fn scenario(&self) -> String {
        let mut text = format!("begin = \"{}\"\nuntil = \"{}\"\n", self.begin, self.until);
        for name in self.datasets() {
            let _ = write!(text, "[[data]]\ndataset = \"{name}\"\narrives = \"never\"\n");
            for (path, minute) in &self.data {
                let day = path.rsplit('/').next().unwrap_or_default();
                let parse = |text: &str| ProcessingZone::UTC.parse_datetime(text).expect("a time").instant;
                let (own, at) = (parse(&format!("{day}T00:00Z")), parse(&self.time(*minute)));
                let next = ProcessingZone::UTC.format(own.plus_minutes(24 * 60));
                let delay = ((at.millis() - own.millis()) / 60_000).max(0);
                let _ = write!(text, "[[data]]\ndataset = \"{name}\"\nfrom = \"{day}T00:00Z\"\n");
                let _ = write!(text, "to = \"{next}\"\ndelay = \"{delay}m\"\n");
            }
        }
        // Rules for the same are one.
        let is_what =
            |key: &String| !matches!(key.as_str(), "duration" | "status" | "code" | "message" | "output");
        let mut rules: Vec<BTreeMap<String, Value>> = Vec::new();
        for rule in &self.actions {
            let whom = |rule: &BTreeMap<String, Value>| -> BTreeMap<String, Value> {
                rule.iter()
                    .filter(|(key, _)| is_what(key))
                    .map(|(key, it)| (key.clone(), it.clone()))
                    .collect()
            };
            match rules.iter_mut().find(|known| whom(known) == whom(rule)) {
                Some(known) => known.extend(rule.clone()),
                None => rules.push(rule.clone()),
            }
        }
        for rule in &rules {
            text.push_str("[[action]]\n");
            for (key, value) in rule {
                match (key.as_str(), value) {
                    ("duration", minutes) => writeln!(text, "duration = \"{minutes}m\""),
                    ("output", Value::Object(output)) => {
                        let pairs: Vec<_> = output.iter().map(|(key, it)| format!("{key} = {it}")).collect();
                        writeln!(text, "output = {{ {} }}", pairs.join(", "))
                    }
                    (key, value) => writeln!(text, "{key} = {value}"),
                }
                .expect("a text takes what is written");
            }
        }
        for operator in &self.operators {
            text.push_str("[[operator]]\n");
            for (key, value) in operator {
                match (key.as_str(), value.as_i64()) {
                    ("at", Some(minute)) => writeln!(text, "at = \"{}\"", self.time(minute)),
                    (key, _) => writeln!(text, "{key} = {value}"),
                }
                .expect("a text takes what is written");
            }
        }
        text
    }

    /// The play's own `ankus.toml`.
    pub fn config(&self) -> String {
        let mut settings = BTreeMap::from([(WITHOUT_ERROR, "false")]);
        settings.extend(self.settings.iter().map(|(name, value)| (&**name, &**value)));
        let mut text = "[server]\n".to_owned();
        for (name, value) in settings {
            let key = SETTINGS.iter().find(|(known, _)| *known == name);
            let (_, key) = key.unwrap_or_else(|| panic!("{}: no key of [server] is `{name}`", self.name));
            let _ = writeln!(text, "{key} = {value}");
        }
        let _ = write!(text, "[paths]\n\"{BASE}\" = \".\"\n");
        text
    }

    /// The arguments that stand for the properties.
    fn common(&self) -> Common {
        let given = self.properties.iter().map(|(name, value)| format!("{name}={value}"));
        let defines = given.chain([format!("base={BASE}")]).collect();
        Common { defines, ..Common::default() }
    }

    /// The server's course.
    pub fn course(&self) -> Course {
        let mut course = Course::default();
        for (minute, kind, name, state) in &self.server.events {
            if matches!(kind.as_str(), "bundle" | "coordinator" | "action" | "workflow") {
                course.states.entry(format!("{kind} {name}")).or_default().push((*minute, state.clone()));
            }
        }
        for (name, state) in &self.server.last {
            let state = state.split(' ').next().unwrap_or_default().to_owned();
            if let Some(node) = name.strip_prefix("node ") {
                course.nodes.insert(node.to_owned(), state);
            }
        }
        // What was removed again is in no final state.
        course.states.retain(|name, _| self.server.last.contains_key(name));
        for operator in &self.server.operators {
            let text = |key: &str| operator.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let unmet = operator.get("precondition").and_then(Value::as_array);
            let own = |it: &Value| !it.as_str().is_some_and(|it| it.ends_with(" CoordActionUpdateXCommand"));
            let done = match operator.get("error").and_then(Value::as_str) {
                Some(code) => Done::Refused(code.to_owned(), text("message")),
                None if unmet.is_some_and(|unmet| unmet.iter().any(own)) => Done::Nothing,
                None => Done::Taken,
            };
            let minute = operator.get("at").and_then(Value::as_i64).unwrap_or_default();
            course.operators.push((minute, text("command"), done));
        }
        course.operators.retain(|(_, command, done)| command != "submit" || *done != Done::Taken);
        // What was said in an earlier run is in no final state.
        let said = |name: &str| {
            let is_own = |(node, state): (&String, &String)| {
                let own = node.strip_prefix("node ").and_then(|node| node.rsplit_once('#'));
                own.is_some_and(|own| own.0 == name) && (state.ends_with("E0729") || state.ends_with("E0756"))
            };
            let ends = self.server.last.get(&format!("workflow {name}"));
            ends.is_some_and(|state| state == "KILLED") && self.server.last.iter().any(is_own)
        };
        let messages = self.server.kill_messages.iter().filter(|(name, _)| said(name));
        course.kill_messages = messages.map(|(name, text)| (name.clone(), text.clone())).collect();
        course
    }

    /// Our own course, or why there is none.
    pub fn simulate(&self) -> Result<Course, String> {
        let played = self.accepted(|program, loaded, submitted, _| {
            let (simulation, steps) = self.played(program, loaded, submitted, &mut |_| {})?;
            Ok(self.course_of(&simulation, &last_of(&simulation, steps)))
        });
        played.unwrap_or_else(|refused| {
            let operators = vec![(0, "submit".to_owned(), refused)];
            Ok(Course { operators, ..Course::default() })
        })
    }

    /// Does something with the play's app, in a folder of its own; else the refusal of its submission.
    pub fn accepted<T>(
        &self,
        work: impl for<'l, 'p> FnOnce(&Program<'l, 'p>, &'l Loaded, Submitted, &Path) -> Result<T, String>,
    ) -> Result<Result<T, String>, Done> {
        let config = self.config();
        let mut files: Vec<(&str, &str)> = self.files.iter().map(|it| (&**it.0, &**it.1)).collect();
        files.push(("ankus.toml", &config));
        // Several tests play the same at once.
        static USED: AtomicUsize = AtomicUsize::new(0);
        let used = USED.fetch_add(1, Ordering::Relaxed);
        let folder = folder_of(&format!("server-plays/{used}-{}", self.name), &files);
        let done = self.accepted_in(&folder, work);
        let _ = std::fs::remove_dir_all(&folder);
        done
    }

    fn accepted_in<T>(
        &self,
        folder: &Path,
        work: impl for<'l, 'p> FnOnce(&Program<'l, 'p>, &'l Loaded, Submitted, &Path) -> Result<T, String>,
    ) -> Result<Result<T, String>, Done> {
        let (path, common) = (folder.join(&self.app), self.common());
        let config = Config::find(None, &path).expect("a configuration");
        let project = Project::of(&path, &config);
        let mut sources = Sources::new();
        let chosen = app::choose(&path, &common, &config, &project, &mut sources).expect("an app");
        let library = Library::new(&project, sources);
        let program =
            Program { server: config.server().clone(), ..Program::new(&library, ProcessingZone::UTC) };
        match submission::accept(&program, chosen).expect("an app") {
            Ok((loaded, submitted, _)) => Ok(work(&program, loaded, submitted, folder)),
            Err(findings) => {
                let code = findings.iter().filter(|it| Program::refuses(it)).flat_map(|it| it.oozie.last());
                let code = code.last().copied().unwrap_or("none");
                Err(Done::Refused(code.to_owned(), String::new()))
            }
        }
    }

    /// What `simulate` makes of the play, without anybody who listens or checks, where the engine forgets workflows
    /// that are over after so many events.
    pub fn forgetful(&self, forget_after: u64) -> Result<String, String> {
        let played = self.accepted(|program, loaded, submitted, _| {
            let (stage, app) = Stage::new(program, loaded, submitted, None);
            let scenario = Scenario::read(&self.scenario(), app.zone, &app.names, app.begin, None);
            let scenario = scenario.map_err(|faults| format!("{faults:?}"))?;
            let options = Options { forget_after, ..Options::of(&app, &scenario, None, None) };
            let simulation = play(&stage, &app, &scenario, options, None);
            simulation.map(|it| format!("{it:#?}")).map_err(|error| error.to_string())
        });
        played.unwrap_or_else(|refused| Err(format!("{refused:?}")))
    }

    /// The summary that `simulate` prints of the play, and how many workflows the record kept; where nothing else is wanted
    /// it drops those of which a summary does not speak, as soon as the engine forgets them.
    pub fn summary(&self, is_summary: bool) -> Result<(String, usize), String> {
        let played = self.accepted(|program, loaded, submitted, _| {
            let (stage, app) = Stage::new(program, loaded, submitted, None);
            let scenario = Scenario::read(&self.scenario(), app.zone, &app.names, app.begin, None);
            let scenario = scenario.map_err(|faults| format!("{faults:?}"))?;
            let options = Options { forget_after: 1, is_summary, ..Options::of(&app, &scenario, None, None) };
            let simulation =
                play(&stage, &app, &scenario, options, None).map_err(|error| error.to_string())?;
            let (mut text, kept) = (String::new(), simulation.workflows.len());
            ankus::report::simulation_text::write(&Digest::of(simulation), false, &mut text);
            Ok((text, kept))
        });
        played.unwrap_or_else(|refused| Err(format!("{refused:?}")))
    }

    /// What `simulate` makes of the play, with the last steps of nodes; somebody else may listen.
    pub fn played<'l>(
        &self,
        program: &Program<'l, '_>,
        loaded: &'l Loaded,
        submitted: Submitted,
        hear: &mut dyn FnMut(&Told<'_>),
    ) -> Result<(Simulation, Vec<Step>), String> {
        let words = |error: &dyn std::fmt::Display| error.to_string();
        let (stage, app) = Stage::new(program, loaded, submitted, None);
        let scenario = Scenario::read(&self.scenario(), app.zone, &app.names, app.begin, None);
        let scenario =
            scenario.map_err(|faults| faults.iter().map(|it| format!("{it:?}\n")).collect::<String>())?;
        let options = Options { check: true, ..Options::of(&app, &scenario, None, None) };
        let mut steps: Vec<Step> = Vec::new();
        let mut listen = |told: Told<'_>| {
            hear(&told);
            let named = match told.event {
                Event::RerunWorkflow(_, rerun) => rerun.skip.clone(),
                _ => None,
            };
            for command in told.commands {
                match command {
                    Command::Changed(Changed::Node(node, _, status)) => {
                        steps.push(Step::Node(*node, status.name()));
                    }
                    Command::Changed(Changed::Workflow(job, was, _)) if was.is_terminal() => {
                        steps.push(Step::Again(*job, named.clone()));
                    }
                    _ => {}
                }
            }
        };
        let simulation = play(&stage, &app, &scenario, options, Some(&mut listen));
        let simulation = simulation.map_err(|error| words(&error))?;
        Ok((simulation, steps))
    }

    fn course_of(&self, simulation: &Simulation, nodes: &BTreeMap<NodeId, &'static str>) -> Course {
        let begin = simulation.begin;
        let mut course = Course::default();
        for job in &simulation.bundles {
            let states = since(&job.history, begin, |it| it.name());
            course.states.entry(format!("bundle {}", job.name)).or_default().extend(states);
        }
        for job in &simulation.coordinators {
            let states = since(&job.history, begin, |it| it.name());
            course.states.entry(format!("coordinator {}", job.name)).or_default().extend(states);
        }
        for (_, id, action) in simulation.actions() {
            let name = format!("action {}", simulation.name_of(id));
            let states = since(&action.history, begin, |it| it.name());
            course.states.entry(name).or_default().extend(states);
        }
        let mut all: Vec<(String, JobId)> = Vec::new();
        for job in &simulation.workflows {
            let name = name_of(simulation, job.id);
            let states = since(&job.history, begin, |it| it.name());
            course.states.entry(format!("workflow {name}")).or_default().extend(states);
            all.push((name, job.id));
        }
        // An action that was run again has had several workflows; the last has the last word on each node.
        all.sort_by_key(|(_, id)| *id);
        for (name, id) in all {
            let Some(job) = simulation.workflow(id) else { continue };
            course.kill_messages.remove(&name);
            if let Some(fault) = &job.fault
                && job.history.last().is_some_and(|since| since.status.name() == "KILLED")
            {
                course.kill_messages.insert(name.clone(), fault.message.to_string());
            }
            // What was entered and not started has had no other state.
            for run in &job.runs {
                let node = &job.nodes[run.node as usize].name;
                course.nodes.insert(format!("{name}#{node}"), run.status.name().to_owned());
            }
            for (node, status) in nodes.iter().filter(|(node, _)| node.job() == id) {
                let node = &job.nodes[node.node as usize].name;
                course.nodes.insert(format!("{name}#{node}"), (*status).to_owned());
            }
        }
        for operation in &simulation.operations {
            let minute = minutes(operation.at, begin);
            let code = |text: &str| {
                let code = text.rsplit_once('(').and_then(|(_, code)| code.strip_suffix(')'));
                code.filter(|code| code.starts_with('E') && code.len() == 5).map(str::to_owned)
            };
            let done = match &operation.refusal {
                Some(text) => Done::Refused(code(text).unwrap_or_else(|| "none".to_owned()), text.clone()),
                None if operation.does_nothing => Done::Nothing,
                None => Done::Taken,
            };
            course.operators.push((minute, operation.command.to_owned(), done));
        }
        course.operators.retain(|(_, command, done)| command != "submit" || *done != Done::Taken);
        course
    }
}

/// What happens to nodes.
#[derive(Debug)]
pub enum Step {
    /// A node has another state.
    Node(NodeId, &'static str),
    /// A workflow is run again, without these nodes; else without those that ended well.
    Again(JobId, Option<Vec<Arc<str>>>),
}

/// The last states of nodes; what a rerun runs again has none before it is entered.
fn last_of(simulation: &Simulation, steps: Vec<Step>) -> BTreeMap<NodeId, &'static str> {
    let mut nodes: BTreeMap<NodeId, &'static str> = BTreeMap::new();
    for step in steps {
        match step {
            Step::Node(node, status) => drop(nodes.insert(node, status)),
            Step::Again(job, named) => nodes.retain(|node, status| {
                let workflow = simulation.workflow(node.job());
                let name = workflow.map(|job| &job.nodes[node.node as usize].name);
                let is_named = |names: &Vec<Arc<str>>| name.is_some_and(|name| names.contains(name));
                node.job() != job || named.as_ref().map_or(*status == "OK", is_named)
            }),
        }
    }
    nodes
}

fn minutes(at: Instant, begin: Instant) -> i64 {
    (at.millis() - begin.millis()).div_euclid(60_000)
}

fn since<S: Copy>(
    history: &[Since<S>],
    begin: Instant,
    name: impl Fn(S) -> &'static str,
) -> Vec<(i64, String)> {
    history.iter().map(|since| (minutes(since.at, begin), name(since.status).to_owned())).collect()
}

/// `w`, `c@3`, `w/node`.
fn name_of(simulation: &Simulation, id: JobId) -> String {
    let Some(job) = simulation.workflow(id) else { return id.to_string() };
    match job.parent {
        None => job.name.to_string(),
        Some(Parent::Action(action)) => simulation.name_of(action),
        Some(Parent::Node(node)) => {
            let above = simulation.workflow(node.job());
            let own = above.and_then(|above| above.nodes.get(node.node as usize));
            format!("{}/{}", name_of(simulation, node.job()), own.map_or("", |node| &node.name))
        }
    }
}

/// The states that last, one after the other.
fn lasting(states: &[(i64, String)]) -> Vec<&str> {
    let mut lasting: Vec<&str> = Vec::new();
    for (index, (from, state)) in states.iter().enumerate() {
        let to = states.get(index + 1).map(|(to, _)| *to);
        // When an action is created depends on when the service of that server comes by.
        let least = if state == "WAITING" { LASTS_MINUTES + LOOKUP_MINUTES } else { LASTS_MINUTES };
        let counts = to.is_none_or(|to| to - from >= least);
        if counts && lasting.last() != Some(&state.as_str()) {
            lasting.push(state);
        }
    }
    lasting
}

/// In what the two courses differ, a line each.
pub fn differences(server: &Course, own: &Course) -> Vec<String> {
    let mut lines = Vec::new();
    let mut names: Vec<&String> = server.states.keys().chain(own.states.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let of = |course: &Course| -> Vec<String> {
            let states = course.states.get(name).map_or(&[][..], Vec::as_slice);
            lasting(states).into_iter().map(str::to_owned).collect()
        };
        let (theirs, ours) = (of(server), of(own));
        if theirs != ours {
            lines.push(format!("{name}: server {}; ankus {}", theirs.join(" "), ours.join(" ")));
        }
    }
    let mut names: Vec<&String> = server.nodes.keys().chain(own.nodes.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let (theirs, ours) = (server.nodes.get(name), own.nodes.get(name));
        if theirs != ours && !name.ends_with("#:start:") {
            let show = |state: Option<&String>| state.map_or("none".to_owned(), String::clone);
            lines.push(format!("{name}: server {}; ankus {}", show(theirs), show(ours)));
        }
    }
    if server.operators.len() != own.operators.len() {
        lines.push(format!("commands: server {:?}; ankus {:?}", server.operators, own.operators));
    }
    for ((minute, command, theirs), (_, _, ours)) in server.operators.iter().zip(&own.operators) {
        let agree = match (theirs, ours) {
            // A server says nothing of a command that changes nothing, such as `suspend` of what is suspended.
            (Done::Taken, Done::Taken | Done::Nothing) => true,
            (Done::Nothing, Done::Nothing) => true,
            (Done::Refused(theirs, words), Done::Refused(ours, _)) => {
                theirs == ours || theirs == "none" || words.contains(&format!(", {ours}: "))
            }
            _ => false,
        };
        if !agree {
            lines.push(format!("{command} at {minute}: server {theirs:?}; ankus {ours:?}"));
        }
    }
    let is_alike = |(name, theirs): (&String, &String)| {
        // A message without a value is told in our own words.
        own.kill_messages.get(name).is_some_and(|ours| ours == theirs || theirs.starts_with("E0756: "))
    };
    let own_only = own.kill_messages.keys().any(|name| !server.kill_messages.contains_key(name));
    if own_only || !server.kill_messages.iter().all(is_alike) {
        lines
            .push(format!("kill messages: server {:?}; ankus {:?}", server.kill_messages, own.kill_messages));
    }
    lines
}
