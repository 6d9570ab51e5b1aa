//! What rules may know of values: a text as the server would see it, or nothing when nobody can know yet.
//!
//! Without parameters only what is written counts; with them, variables and the functions that look at properties alone
//! are put in. What a later phase or the run decides is never guessed. Reads no clock: the present is an argument.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::functions::{InPhase, World, is_variable, variable_text};
use super::parameters::{
    self, AppKind, GROUP_NAME, Given, JOB_ACL, JobConf, Layer, USER_NAME, java_trim, xml_trim,
};
use super::templates::{Place, Template};
use crate::el::{self, Failure, Function, Outcome, Residual, Signature, Value};
use crate::model::action::Details;
use crate::model::functions::{self, Phase, Treatment};
use crate::model::workflow::Global;
use crate::model::{App, Dialect, Parameter};
use crate::schema::Version;
use crate::source::{Span, Text};
use crate::time::{Instant, ProcessingZone};

/// What is known of the parameters of one app in one program.
#[derive(Clone, Debug, Default)]
pub struct Values {
    conf: JobConf,
    /// Properties that have a value only when it runs, or another one in every action.
    late: BTreeSet<String>,
    /// All layers of parameters are known: what is missing has no value.
    pub is_complete: bool,
    /// The server's version.
    pub version: Version,
    /// The server's processing timezone.
    pub zone: ProcessingZone,
    /// The present, when the user names one.
    pub now: Option<Instant>,
    /// Whether the server looks at no forks and joins (`oozie.validate.ForkJoin` is off).
    pub ignores_forks: bool,
    /// The language of the workflow.
    pub dialect: Dialect,
}

static UNKNOWN: LazyLock<Values> = LazyLock::new(Values::default);
static UNKNOWN_HWS: LazyLock<Values> =
    LazyLock::new(|| Values { dialect: Dialect::Hws, ..Values::default() });

/// Functions whose value follows from their arguments.
const PURE: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "firstNotNull",
            "concat",
            "replaceAll",
            "appendAll",
            "trim",
            "urlEncode",
            "toJsonStr",
            "toConfigurationStr",
        ],
    ),
    (
        "coord",
        &[
            "minutes",
            "hours",
            "days",
            "months",
            "endOfDays",
            "endOfWeeks",
            "endOfMonths",
            "dateOffset",
            "dateTzOffset",
            "formatTime",
            "epochTime",
        ],
    ),
];

/// What a URI template takes from the instance.
const DATE_PARTS: [&str; 5] = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE"];

impl Values {
    /// Nothing is known but what is written.
    pub fn unknown() -> &'static Values {
        &UNKNOWN
    }

    /// Nothing is known but what is written, in this language.
    pub fn unknown_in(dialect: Dialect) -> &'static Values {
        match dialect {
            Dialect::Oozie => &UNKNOWN,
            Dialect::Hws => &UNKNOWN_HWS,
        }
    }

    /// Nothing is known but what is written, and the version of the server.
    pub fn unknown_for(version: Version) -> Values {
        Values { version, ..Values::default() }
    }

    /// Nothing is known of an app but what is written, and the version of the server.
    pub fn alone_for(app: &App, version: Version) -> Values {
        Values { version, ..Values::alone(app) }
    }

    /// Nothing is known of an app but what is written.
    pub fn alone(app: &App) -> Values {
        Values { dialect: app.dialect(), ..Values::default() }
    }

    /// The values of an app: `conf` is what a submission, a bundle, a coordinator or a parent gives it, the default file
    /// and the formal parameters come in here as at its submission. What is wrong with them is not said here.
    ///
    /// Where nobody has given anything and not all is known, defaults are not taken for values: they are there to be
    /// overridden.
    pub fn of(app: &App, mut conf: JobConf, default_file: &[Given], is_complete: bool) -> Values {
        let (namespace, parameters, place): (&str, &[Parameter], Span) = match app {
            App::Bundle(app) => (&app.namespace.value, &app.parameters, app.span),
            App::Coordinator(app) => (&app.namespace.value, &app.parameters, app.span),
            App::Workflow(app) => (&app.namespace.value, &app.parameters, app.span),
            App::Datasets(_) => return Values::default(),
        };
        let is_given = |name: &str| conf.steps(name).iter().any(|step| step.layer != Layer::Server);
        if !is_complete && !conf.iter().any(|(name, _)| is_given(name)) {
            return Values::alone(app);
        }
        conf.inject_defaults(default_file.iter().cloned());
        if matches!(app, App::Coordinator(_)) {
            // Defaults of formal parameters come after references are put in: `${nn}/x` stays as written.
            conf.resolve(place);
            parameters::verify(&mut conf, namespace, parameters);
        } else {
            parameters::verify(&mut conf, namespace, parameters);
            conf.resolve(place);
        }
        Values { conf: conf.shared(), is_complete, ..Values::alone(app) }
    }

    /// With properties whose value is known only later.
    pub fn late(mut self, names: impl IntoIterator<Item = String>) -> Values {
        self.late.extend(names);
        self
    }

    /// Which properties of the workflow that a sub-workflow action runs are known only later.
    pub fn handed_down(&self, details: &Details, global: Option<&Global>) -> BTreeSet<String> {
        let Details::SubWorkflow(action) = details else { return BTreeSet::new() };
        let mut late = match action.propagate_configuration {
            Some(_) => self.late.clone(),
            None => BTreeSet::new(),
        };
        let of_global = global.iter().flat_map(|global| &global.configuration.properties);
        for property in of_global.chain(&action.configuration.properties) {
            let name = property.name.value.trim();
            match self.value(&property.value, Place::WorkflowNode) {
                Some(_) => drop(late.remove(name)),
                None => drop(late.insert(name.to_owned())),
            }
        }
        late
    }

    /// The configuration behind the values, with the origin of each.
    pub fn conf(&self) -> &JobConf {
        &self.conf
    }

    /// Whether a property has a value that only a later phase will know.
    pub fn is_late(&self, name: &str) -> bool {
        self.late.contains(name)
    }

    /// A property's value, when it is known and does not refer to what is not.
    pub fn property(&self, name: &str) -> Option<&str> {
        let value = self.conf.get_raw(name).filter(|_| !self.is_late(name))?;
        let assumed = || {
            let by_us = self.conf.steps(name).last().is_some_and(|step| step.layer == Layer::Server);
            by_us && (name == USER_NAME || value.starts_with("file:"))
        };
        let open = !self.is_complete && value.contains("${");
        (!open && !assumed()).then_some(value)
    }

    /// Whether everything that a text takes from parameters is known.
    pub fn knows(&self, template: &Template<'_>) -> bool {
        let (parsed, _) = el::parse_for(template.text, functions::engine(self.version));
        let phase = template.place.phase();
        let is_known = |name: &str| {
            self.property(name).is_some()
                || functions::constant(phase, name).is_some()
                || DATE_PARTS.contains(&name)
        };
        let asks_known = |call: el::Call<'_>| match (call.name, call.arguments) {
            ("conf", [only]) => match &parsed.node(*only).kind {
                el::NodeKind::String(name) => is_known(name) || self.is_complete && !self.is_late(name),
                _ => false,
            },
            ("user", _) => self.property(USER_NAME).is_some(),
            ("group", _) => self.property(GROUP_NAME).or_else(|| self.property(JOB_ACL)).is_some(),
            _ => true,
        };
        parsed.variables().all(|(_, name)| is_known(name)) && parsed.calls().all(asks_known)
    }

    /// The text as the server sees it once the phase of its place has evaluated it; `None` when that cannot be known,
    /// or when the evaluation fails. Text without an expression is its own value.
    pub fn value(&self, text: &Text, place: Place) -> Option<String> {
        if !text.value.contains("${") && !text.value.contains("#{") {
            return Some(text.value.clone());
        }
        let (template, _) = el::parse_for(text, functions::engine(self.version));
        match self.partial(&template, place)? {
            Residual::Value(value) => Some(value.to_text().into_owned()),
            Residual::Template(_) => None,
        }
    }

    /// [`Values::value`] without the blanks that the server trims.
    pub fn trimmed(&self, text: &Text, place: Place) -> Option<String> {
        self.value(text, place).map(|value| xml_trim(&value).to_owned())
    }

    /// The value of a variable, or with `conf` of a property that a function asks for, at a place; `None` when that cannot
    /// be known yet.
    pub fn text_of(&self, name: &str, place: Place, conf: bool) -> Option<String> {
        let known = Known { values: self, phase: place.phase() };
        let value = if conf { known.conf(name) } else { known.property(name, true) };
        value.filter(|value| *value != Value::Null).map(|value| value.into_text().into_owned())
    }

    /// A template as far as it is known: its value, or what is left to evaluate with everything known put in. `None`
    /// when it is broken or its evaluation fails.
    pub fn partial<'t>(&self, template: &'t el::Template, place: Place) -> Option<Residual<'t>> {
        if template.broken.is_some() {
            return None;
        }
        let place = if place == Place::WorkflowNode { Place::of_nodes(self.dialect) } else { place };
        let world = Known { values: self, phase: place.phase() };
        match el::partial(template, &world).ok()? {
            Residual::Value(value) => Some(Residual::Value(value.into_owned())),
            Residual::Template(rest) => Some(Residual::Template(rest)),
        }
    }
}

/// The values seen from one phase.
struct Known<'v> {
    values: &'v Values,
    phase: Phase,
}

impl Known<'_> {
    /// A property as a variable or as `conf` gives it.
    fn property(&self, name: &str, as_variable: bool) -> Option<Value<'_>> {
        let value = self.values.property(name)?;
        Some(match self.phase {
            Phase::Workflow | Phase::Hws if as_variable && !is_variable(name) => return None,
            Phase::Workflow if as_variable => Value::from(variable_text(value)),
            Phase::Workflow | Phase::Hws | Phase::WfSlaSubmit | Phase::JobSubmit => Value::from(value),
            _ => Value::from(java_trim(value)),
        })
    }

    /// What a call of `conf` gives; a missing property is null only when nothing is left to be supplied.
    fn conf(&self, name: &str) -> Option<Value<'_>> {
        let is_missing = !self.values.conf.contains(name) && !self.values.is_late(name);
        match self.property(name, false) {
            None if is_missing && self.values.is_complete => Some(Value::Null),
            found => found,
        }
    }
}

impl el::World for Known<'_> {
    fn variable(&self, name: &str) -> Option<Value<'_>> {
        match self.property(name, true) {
            Some(value) => Some(value),
            None => functions::constant(self.phase, name).map(functions::Constant::value),
        }
    }

    fn function(&self, prefix: &str, name: &str) -> Function {
        functions::lookup(self.phase, prefix, name)
    }

    fn is_deferred(&self, variable: &str) -> bool {
        self.values.is_late(variable) || el::World::variable(self, variable).is_none()
    }

    fn call<'a>(
        &'a self,
        function: &'static Signature,
        arguments: Vec<Value<'a>>,
    ) -> Result<Outcome<'a>, Failure> {
        let later = || Ok(Outcome::Deferred(String::new()));
        let is_now =
            functions::of(function).is_some_and(|found| found.in_phase(self.phase) == Treatment::Evaluated);
        if !is_now {
            return later();
        }
        let known = match (function.prefix, function.name) {
            ("wf" | "coord" | "bundle", "conf") => {
                self.conf(&arguments.first().map(Value::to_text).unwrap_or_default())
            }
            ("wf" | "coord", "user") => self.property(USER_NAME, false),
            ("wf", "group") => self.property(GROUP_NAME, false).or_else(|| self.property(JOB_ACL, false)),
            ("wf", "appPath") => self.property(AppKind::Workflow.property(), false),
            (prefix, name) if PURE.iter().any(|(p, names)| *p == prefix && names.contains(&name)) => {
                let nothing = World { processing: self.values.zone, ..World::default() };
                let world = InPhase::new(&nothing, self.phase);
                return match el::World::call(&world, function, arguments)? {
                    Outcome::Value(value) => Ok(Outcome::Value(value.into_owned())),
                    Outcome::Deferred(text) => Ok(Outcome::Deferred(text)),
                };
            }
            _ => None,
        };
        known.map_or_else(later, |value| Ok(Outcome::Value(value)))
    }
}

#[cfg(test)]
#[path = "values_tests.rs"]
mod tests;
