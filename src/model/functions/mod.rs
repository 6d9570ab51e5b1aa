//! The catalogue of functions and constants: what exists, with which parameters, in which phase.
//!
//! One table, read by the checker, the evaluators and the documentation. It follows the settings
//! `oozie.service.ELService.functions.*` and `.constants.*` of `oozie-default.xml`. Calls nothing.

mod constants;
mod coordinator;
mod hws;
mod phase;
mod workflow;

use std::sync::LazyLock;

use crate::diag::Diagnostic;
use crate::el::{self, Signature};
use crate::schema::versions::{self, Version};
use crate::source::Span;

pub use constants::{CONSTANTS, Constant, ConstantValue, constant};
pub use hws::ALIASES as HWS_ALIASES;
pub use phase::Phase;

/// What a phase does with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// There is no such function in this phase.
    Refused,
    /// It is called.
    Evaluated,
    /// The call is printed, to be evaluated in a later phase.
    Deferred,
    /// This text stands in for the value: the phase only checks, and nothing of what it gives is kept.
    StandIn(&'static str),
}

/// A function of the catalogue.
#[derive(Debug)]
pub struct Definition {
    /// Its name, its parameters, its result.
    pub signature: Signature,
    /// One line of documentation.
    pub doc: &'static str,
    /// How Oozie's echo functions print the arguments, each `{}` being one; empty for functions that are never deferred.
    pub echo: &'static str,
    /// What each phase does, in the order of [`Phase::ALL`].
    pub phases: [Treatment; Phase::COUNT],
}

impl Definition {
    /// What a phase does with a call of it.
    pub fn in_phase(&self, phase: Phase) -> Treatment {
        self.phases[phase as usize]
    }

    /// The version since which a phase knows it; `None` where none does.
    pub fn since(&self, phase: Phase) -> Option<Version> {
        (self.in_phase(phase) != Treatment::Refused)
            .then(|| versions::of_function(&self.signature.full_name(), phase.name()))
    }

    /// The text of a call that is deferred, as Oozie's echo functions print it (`CoordELFunctions.echoUnResolved`).
    pub fn echo<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> String {
        let mut text = format!("{}(", self.signature.full_name());
        let mut arguments = arguments.into_iter();
        let mut pieces = self.echo.split("{}");
        text.push_str(pieces.next().unwrap_or(""));
        for piece in pieces {
            text.push_str(arguments.next().unwrap_or(""));
            text.push_str(piece);
        }
        text.push(')');
        text
    }
}

/// Everything of Oozie, workflows first.
pub fn all() -> impl Iterator<Item = &'static Definition> {
    workflow::FUNCTIONS.iter().chain(coordinator::FUNCTIONS)
}

/// Everything of `hadoop-workflow`, whose functions are evaluated in one phase.
pub fn of_hws() -> impl Iterator<Item = &'static Definition> {
    hws::FUNCTIONS.iter()
}

/// All functions of Oozie in the order of [`order`]: every evaluation looks for its functions by name.
static INDEX: LazyLock<Vec<&'static Definition>> = LazyLock::new(|| sorted(all()));

/// The same of `hadoop-workflow`.
static HWS_INDEX: LazyLock<Vec<&'static Definition>> = LazyLock::new(|| sorted(of_hws()));

fn sorted(all: impl Iterator<Item = &'static Definition>) -> Vec<&'static Definition> {
    let mut index: Vec<_> = all.collect();
    index.sort_by(|a, b| {
        let (a, b) = (&a.signature, &b.signature);
        order(a.prefix, a.name).cmp(&order(b.prefix, b.name))
    });
    index
}

/// Lengths come first, which mostly decide.
fn order<'n>(prefix: &'n str, name: &'n str) -> (usize, &'n str, &'n str) {
    (name.len(), name, prefix)
}

/// Oozie's function of this name, whatever the phase.
pub fn find(prefix: &str, name: &str) -> Option<&'static Definition> {
    find_among(&INDEX, prefix, name)
}

/// The function of this name in the language of a phase.
pub fn find_for(phase: Phase, prefix: &str, name: &str) -> Option<&'static Definition> {
    find_among(if phase == Phase::Hws { &HWS_INDEX } else { &INDEX }, prefix, name)
}

fn find_among(index: &[&'static Definition], prefix: &str, name: &str) -> Option<&'static Definition> {
    let key = |function: &Definition| order(function.signature.prefix, function.signature.name);
    let at = index.binary_search_by(|function| key(function).cmp(&order(prefix, name))).ok()?;
    Some(index[at])
}

/// The definition that a signature belongs to.
pub fn of(signature: &Signature) -> Option<&'static Definition> {
    let is_it = |found: &&Definition| std::ptr::eq(&found.signature, signature);
    find(signature.prefix, signature.name)
        .filter(is_it)
        .or_else(|| find_for(Phase::Hws, signature.prefix, signature.name).filter(is_it))
}

/// The names of all functions of a phase, as they are written in calls.
pub fn names_in(phase: Phase) -> impl Iterator<Item = String> {
    let all = all().chain(of_hws());
    all.filter(move |f| f.in_phase(phase) != Treatment::Refused).map(|f| f.signature.full_name())
}

/// What an evaluation in this phase finds under a name: the answer of [`el::World::function`].
pub fn lookup(phase: Phase, prefix: &str, name: &str) -> el::Function {
    match find_for(phase, prefix, name) {
        None => el::Function::Unknown,
        Some(definition) => match definition.in_phase(phase) {
            Treatment::Refused => el::Function::Elsewhere(&definition.signature),
            Treatment::Evaluated => el::Function::Known(&definition.signature),
            Treatment::Deferred | Treatment::StandIn(_) => el::Function::Echoed(&definition.signature),
        },
    }
}

/// What is wrong with the calls of a template at a place of this phase for a version: functions that it has not yet,
/// and what [`check`] says.
pub fn check_for(template: &el::Template, phase: Phase, version: Version) -> Vec<Diagnostic> {
    let mut findings = check(template, phase);
    findings.extend(too_new(template, phase, version));
    findings
}

/// The calls of functions that a version has not yet, or not at this place.
pub fn too_new(template: &el::Template, phase: Phase, version: Version) -> Vec<Diagnostic> {
    if version >= Version::default() || phase == Phase::Hws {
        return Vec::new();
    }
    let calls = template.calls().filter_map(|call| {
        let definition = find(call.prefix, call.name)?;
        let came = definition.since(phase)?;
        (came > version).then(|| came_later(definition, phase, version, template.span(call.node)))
    });
    calls.collect()
}

/// A function that a version does not have at this place, or not at all.
fn came_later(definition: &Definition, phase: Phase, version: Version, span: Span) -> Diagnostic {
    let name = definition.signature.full_name();
    let elsewhere =
        Phase::ALL.into_iter().filter(|phase| definition.since(*phase).is_some_and(|s| s <= version));
    let places: Vec<&str> = elsewhere.map(Phase::place).collect();
    let came = definition.since(phase).unwrap_or_default();
    if places.is_empty() {
        let message = format!("Oozie {version} has no function `{name}`, which came with {came}");
        return Diagnostic::new(&el::EL_FUNCTION_UNKNOWN, span, message);
    }
    let message = format!("`{name}` came to {} with Oozie {came}", phase.place());
    Diagnostic::new(&el::EL_FUNCTION_CONTEXT, span, message)
}

/// What is wrong with the calls of a template at a place of this phase: unknown functions, functions of other phases,
/// wrong arguments. Evaluates nothing.
pub fn check(template: &el::Template, phase: Phase) -> Vec<Diagnostic> {
    let names: Vec<String> = names_in(phase).collect();
    let mut findings = el::check(
        template,
        |prefix, name| lookup(phase, prefix, name),
        || names.iter().map(String::as_str).collect(),
        places,
    );
    if phase == Phase::Hws {
        findings.iter_mut().for_each(|finding| name_counterpart(template, finding));
    }
    findings
}

/// Names the function of 2009 where one of Oozie is called.
fn name_counterpart(template: &el::Template, finding: &mut Diagnostic) {
    if finding.rule.name != el::EL_FUNCTION_UNKNOWN.name {
        return;
    }
    let call = template.calls().find(|call| template.span(call.node) == finding.span);
    let Some(written) = call.map(|call| format!("{}:{}", call.prefix, call.name)) else { return };
    if let Some((_, here)) = hws::COUNTERPARTS.iter().find(|(there, _)| *there == written) {
        finding.help = Some(format!("use `{here}`, its counterpart in this dialect"));
        finding.fix = None;
    }
}

/// What is wrong with a call of a function that an evaluation does not know, where other phases do: in the words of
/// [`check`], so that both say one thing. A name without a prefix is looked up while the text is evaluated.
pub fn elsewhere(error: &el::EvalError) -> Option<String> {
    let (prefix, name) = error.subject.split_once(':').unwrap_or(("", &error.subject));
    let is_known = error.kind == el::ErrorKind::UnknownFunction && find(prefix, name).is_some();
    is_known.then(|| format!("`{}` does not exist at this place", error.subject))
}

/// A sentence on where a function does exist: a place that several phases look at must have it in each.
fn places(signature: &Signature) -> Option<String> {
    let definition = of(signature)?;
    let refuses = |place: &str| {
        let mut phases = Phase::ALL.into_iter().filter(|phase| phase.place() == place);
        phases.any(|phase| definition.in_phase(phase) == Treatment::Refused)
    };
    let mut places: Vec<&str> = Vec::new();
    for phase in Phase::ALL {
        if !places.contains(&phase.place()) && !refuses(phase.place()) {
            places.push(phase.place());
        }
    }
    let (last, rest) = places.split_last()?;
    Some(match rest {
        [] => format!("use it in {last}"),
        rest => format!("use it in {} or {last}", rest.join(", ")),
    })
}

/// The engine that evaluates expressions in a version.
pub fn engine(version: Version) -> el::Engine {
    if version.has_legacy_expressions() { el::Engine::Legacy } else { el::Engine::Current }
}

/// The outcome of a call that a phase does not evaluate: its echo, or what stands in for it. `None`: it is evaluated.
pub fn unevaluated(
    phase: Phase,
    signature: &Signature,
    arguments: &[el::Value<'_>],
) -> Option<el::Outcome<'static>> {
    let definition = of(signature)?;
    match definition.in_phase(phase) {
        Treatment::Evaluated | Treatment::Refused => None,
        Treatment::StandIn(text) => Some(el::Outcome::Value(el::Value::from(text))),
        Treatment::Deferred => {
            let texts: Vec<_> = arguments.iter().map(el::Value::to_text).collect();
            Some(el::Outcome::Deferred(definition.echo(texts.iter().map(|text| &**text))))
        }
    }
}

/// The phases of a function, in the short form of the tables.
const fn phases(
    evaluated: &[Phase],
    deferred: &[Phase],
    stand_in: &[(Phase, &'static str)],
) -> [Treatment; Phase::COUNT] {
    let mut all = [Treatment::Refused; Phase::COUNT];
    let mut i = 0;
    while i < evaluated.len() {
        all[evaluated[i] as usize] = Treatment::Evaluated;
        i += 1;
    }
    i = 0;
    while i < deferred.len() {
        all[deferred[i] as usize] = Treatment::Deferred;
        i += 1;
    }
    i = 0;
    while i < stand_in.len() {
        all[stand_in[i].0 as usize] = Treatment::StandIn(stand_in[i].1);
        i += 1;
    }
    all
}

/// One row of a table:
/// `"prefix" "name" (parameter: Type, …) -> Type, "documentation", now [phases], later "echo" [phases], dummy [phases];`
macro_rules! functions {
    ($($prefix:literal $name:literal ($($parameter:ident: $kind:ident),*) $(optional $optional:literal)? -> $result:ident, $doc:literal,
       now [$($now:expr),*] $(, later $echo:literal [$($later:expr),*])? $(, dummy [$($dummy:expr),*])?;)*) => {
        &[$(crate::model::functions::Definition {
            signature: crate::el::Signature {
                prefix: $prefix,
                name: $name,
                parameters: &[$(crate::el::Parameter {
                    name: stringify!($parameter),
                    kind: crate::el::Type::$kind,
                }),*],
                optional: 0 $(+ $optional)?,
                result: crate::el::Type::$result,
            },
            doc: $doc,
            echo: concat!($($echo)?),
            phases: crate::model::functions::phases(&[$($now),*], &[$($($later),*)?], &[$($($dummy),*)?]),
        }),*]
    };
}
use functions;

#[cfg(test)]
mod tests;
