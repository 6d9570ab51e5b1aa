//! Builds schedules in code, in the four forms of the specification's `ScheduleBuilder`.

use std::collections::BTreeSet;

use super::constraint::Constraint;
use super::mapping::Mapping;
use super::name::{DEFAULT_NAMESPACE, DEFAULT_VERSION, Program, ProgramKind, ScheduleName, Status};
use super::trigger::{Condition, Trigger, Unit, UnitKind};
use super::{DEFAULT_TIMEOUT_MILLIS, Property, Schedule};
use crate::source::{Span, Text};

/// A schedule in the making.
#[derive(Clone, Debug)]
pub struct ScheduleBuilder {
    name: String,
    description: String,
    program: Program,
    properties: Vec<Property>,
    constraints: Vec<Constraint>,
    /// Where the schedule comes from.
    span: Span,
}

/// What is named of a triggering program; what is left out is that of the scheduled one.
#[derive(Clone, Debug, Default)]
pub struct Triggering {
    /// Its namespace.
    pub namespace: Option<String>,
    /// Its application.
    pub application: Option<String>,
    /// The version of its application.
    pub version: Option<String>,
}

impl ScheduleBuilder {
    /// A schedule of this name that starts a program.
    pub fn new(name: impl Into<String>, program: Program, span: Span) -> ScheduleBuilder {
        ScheduleBuilder {
            name: name.into(),
            description: String::new(),
            program,
            properties: Vec::new(),
            constraints: Vec::new(),
            span,
        }
    }

    /// A program of an application, without its namespace and version.
    pub fn program(application: &str, kind: ProgramKind, name: &str) -> Program {
        Program {
            namespace: DEFAULT_NAMESPACE.to_owned(),
            application: application.to_owned(),
            version: DEFAULT_VERSION.to_owned(),
            kind,
            name: name.to_owned(),
        }
    }

    /// With a description.
    pub fn description(self, description: impl Into<String>) -> ScheduleBuilder {
        ScheduleBuilder { description: description.into(), ..self }
    }

    /// With one more property.
    pub fn property(mut self, name: &str, value: impl Into<String>) -> ScheduleBuilder {
        self.properties.push(Property {
            name: Text::computed(name, self.span),
            value: Text::computed(value, self.span),
        });
        self
    }

    /// With one more constraint.
    pub fn constraint(mut self, constraint: Constraint) -> ScheduleBuilder {
        self.constraints.push(constraint);
        self
    }

    /// Fires when a program ends in one of these ways.
    pub fn trigger_on_program_status(
        self,
        of: Triggering,
        kind: ProgramKind,
        program: &str,
        statuses: impl IntoIterator<Item = Status>,
        condition: Condition,
    ) -> Schedule {
        let program = Program {
            namespace: of.namespace.unwrap_or_else(|| self.program.namespace.clone()),
            application: of.application.unwrap_or_else(|| self.program.application.clone()),
            version: of.version.unwrap_or_else(|| self.program.version.clone()),
            kind,
            name: program.to_owned(),
        };
        let statuses: BTreeSet<Status> = statuses.into_iter().collect();
        let kind = UnitKind::Program { program, program_span: self.span, statuses, condition };
        self.trigger(kind)
    }

    /// Fires at the times of a cron expression.
    pub fn trigger_by_time(self, cron: Text) -> Schedule {
        self.trigger(UnitKind::Time { cron })
    }

    fn trigger(self, kind: UnitKind) -> Schedule {
        let program = self.program;
        Schedule {
            id: ScheduleName {
                namespace: program.namespace.clone(),
                application: program.application.clone(),
                version: program.version.clone(),
                name: self.name,
            },
            name_span: self.span,
            description: self.description,
            program,
            program_span: self.span,
            properties: self.properties,
            mapping: Mapping::default(),
            trigger: Trigger::Unit(Box::new(Unit { kind, span: self.span })),
            constraints: self.constraints,
            timeout_millis: DEFAULT_TIMEOUT_MILLIS,
            is_enabled: false,
            span: self.span,
        }
    }
}
