//! Nothing reads a formal parameter.
//!
//! A submission must give it a value for nothing, or its default misleads. Remove it, or read it. What a bundle or a
//! coordinator is given goes on to what it runs, so its parameters count as unused only where all of that is known and
//! reads them nowhere. A workflow that hands its configuration down to sub-workflows is left alone, as they may read it,
//! and so are names with dots: those are settings. What a bundle gives a coordinator, or a coordinator its workflow, is told
//! where nothing reads it and it is nearly called like what is read.

use std::collections::BTreeSet;

use super::{Check, Rule, Sink};
use crate::analysis::expressions::{self, names_read, words};
use crate::analysis::subject::{Job, Member, Package};
use crate::analysis::templates::{self, Template};
use crate::analysis::values::Values;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity, closest, distance};
use crate::model::workflow::NodeKind;
use crate::model::{Parameter, Property, Workflow};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "parameter-unused",
        group: Group::Meaning,
        severity: Severity::Info,
        stage: None,
        mirrors: &[],
        explanation: include_str!("parameter_unused.rs"),
    },
    check: Check::Package(check),
};

/// How many letters a slip changes.
const SLIP: usize = 2;

/// The names that something may read; `None` when one is only known when it runs.
type Read = Option<BTreeSet<String>>;

fn check(program: &Package<'_>, sink: &mut Sink) {
    for job in &program.workflows {
        report(&job.model.parameters, job.values, || of_workflow(job), sink);
    }
    for (index, member) in program.coordinators.iter().enumerate() {
        let read = || of_coordinator(program, index, member);
        report(&member.app.model.parameters, member.app.values, read, sink);
        misspelt(program, index, member, sink);
    }
    if let Some(bundle) = &program.bundle {
        report(&bundle.model.parameters, bundle.values, || of_bundle(program), sink);
    }
}

fn of_workflow(job: &Job<'_>) -> Read {
    if hands_down(job.model) {
        return None;
    }
    read(templates::of_workflow(job.model), &job.model.parameters, job.values)
}

/// What a coordinator reads, the files that it includes, and the workflows that it runs.
fn of_coordinator(program: &Package<'_>, index: usize, member: &Member<'_>) -> Read {
    let (model, included) = (member.app.model, &member.app.included);
    // Files that are not there may read anything.
    if included.len() < model.datasets.includes.len() {
        return None;
    }
    let texts = templates::of_coordinator(model)
        .into_iter()
        .chain(included.iter().flat_map(|datasets| templates::of_datasets(datasets)));
    let mut all = read(texts.collect(), &model.parameters, member.app.values)?;
    let mut jobs = program.workflows.iter().filter(|job| job.coordinator == Some(index)).peekable();
    jobs.peek()?;
    for job in jobs {
        all.extend(of_workflow(job)?);
    }
    Some(all)
}

/// What a bundle reads, and all of its coordinators.
fn of_bundle(program: &Package<'_>) -> Read {
    let bundle = program.bundle.as_ref()?;
    if program.coordinators.len() < bundle.model.coordinators.len() {
        return None;
    }
    let mut all = read(templates::of_bundle(bundle.model), &bundle.model.parameters, bundle.values)?;
    for (index, member) in program.coordinators.iter().enumerate() {
        all.extend(of_coordinator(program, index, member)?);
    }
    Some(all)
}

fn report(parameters: &[Parameter], values: &Values, read: impl FnOnce() -> Read, sink: &mut Sink) {
    if parameters.is_empty() {
        return;
    }
    let Some(read) = read() else { return };
    let is_unused = |name: &str| !name.is_empty() && !name.contains('.') && !read.contains(name);
    // A list of parameters may not be empty.
    let mut left = parameters.len();
    for parameter in parameters.iter().filter(|parameter| is_unused(parameter.name.value.trim())) {
        let name = parameter.name.trimmed();
        let finding = Diagnostic::new(
            &RULE.info,
            name.span,
            format!("nothing reads the formal parameter `{}`", name.value),
        )
        .help("remove it, or read it");
        // Where something else gives the name that is meant its value, nothing else tells the slip.
        let is_formal = |other: &str| parameters.iter().any(|it| it.name.value.trim() == other);
        let given = values.conf().iter().map(|(other, _)| other);
        let meant = given.filter(|other| read.contains(*other) && !is_formal(other));
        if let Some(near) = closest(&name.value, meant) {
            let finding = finding.severity(Severity::Warning);
            sink.push(finding.help(format!("did you mean `{near}`?")).meant(near));
            continue;
        }
        left -= 1;
        sink.push(if left > 0 {
            finding.fix(true, vec![Edit { span: parameter.span, text: String::new() }])
        } else {
            finding
        });
    }
}

/// Properties that a bundle gives a coordinator, or a coordinator its workflows, that nothing reads and that nearly have the
/// name of one that is read and that they do not give.
fn misspelt(program: &Package<'_>, index: usize, member: &Member<'_>, sink: &mut Sink) {
    let place = program.bundle.as_ref().zip(member.place);
    let of_bundle = place.and_then(|(bundle, place)| {
        bundle.model.coordinators.iter().find(|it| it.span == place || it.tag_span == place)
    });
    if let Some(given) = of_bundle {
        let has = |name: &str| member.app.values.conf().contains(name);
        near(&given.configuration.properties, || of_coordinator(program, index, member), has, sink);
    }
    if let Some(action) = &member.app.model.action {
        let of_jobs = || {
            let mut jobs = program.workflows.iter().filter(|job| job.coordinator == Some(index)).peekable();
            jobs.peek()?;
            jobs.try_fold(BTreeSet::new(), |mut all, job| {
                all.extend(of_workflow(job)?);
                Some(all)
            })
        };
        let jobs = || program.workflows.iter().filter(|job| job.coordinator == Some(index));
        let has = |name: &str| jobs().all(|job| job.values.conf().contains(name));
        near(&action.configuration.properties, of_jobs, has, sink);
    }
}

fn near(given: &[Property], read: impl FnOnce() -> Read, has: impl Fn(&str) -> bool, sink: &mut Sink) {
    if given.is_empty() {
        return;
    }
    let Some(read) = read() else { return };
    let names = || given.iter().map(|property| property.name.value.trim());
    for property in given {
        let name = property.name.trimmed();
        if name.value.contains('.') || name.value.contains("${") || read.contains(&name.value) {
            continue;
        }
        // What has no value at all is another finding.
        let lacking =
            read.iter().map(String::as_str).filter(|read| !names().any(|given| given == *read) && has(read));
        let Some(near) =
            closest(&name.value, lacking).filter(|near| distance(&name.value, near, SLIP).is_some())
        else {
            continue;
        };
        let message = format!("nothing reads the property `{}` that is given here", name.value);
        let finding = Diagnostic::new(&RULE.info, name.span, message).severity(Severity::Warning);
        sink.push(finding.help(format!("did you mean `{near}`, which is read?")).meant(near));
    }
}

fn hands_down(workflow: &Workflow) -> bool {
    workflow.nodes.iter().any(|node| match &node.kind {
        NodeKind::Action(action) => action.body.as_ref().is_some_and(|body| {
            body.kind == "sub-workflow" && body.element.child("propagate-configuration").is_some()
        }),
        _ => false,
    })
}

/// What texts read, and the values that refer to others.
fn read(texts: Vec<Template<'_>>, parameters: &[Parameter], values: &Values) -> Read {
    let expressions = expressions::read(texts, values.version, |_| true);
    let mut read: BTreeSet<String> = names_read(&expressions)?.into_iter().map(str::to_owned).collect();
    let defaults = parameters.iter().filter_map(|parameter| parameter.default.as_ref());
    let given = values.conf().iter().map(|(_, value)| value);
    for value in defaults.map(|text| text.value.as_str()).chain(given).filter(|value| value.contains("${")) {
        read.extend(words(value).map(str::to_owned));
    }
    Some(read)
}
