//! What a server checks and resolves once, when a coordinator is submitted.
//!
//! Follows `CoordSubmitXCommand.submitJob`, but goes on after a fault, so that all of them are told at once.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::as_written::reversed_range;
use super::dataset::{self, Includes, Named};
use super::event::EventSpec;
use super::findings::{
    CONTROL_INVALID, COORDINATOR_EMPTY_RANGE, COORDINATOR_NEVER_RUNS, COORDINATOR_TOO_FREQUENT,
    CRON_FIELD_COUNT, CRON_INVALID, CRON_NEVER_FIRES, DATA_EVENT_DUPLICATE, DATASET_UNDEFINED,
    INSTANCE_EMPTY,
};
use super::job::{CoordinatorJob, Execution, PropertyTemplate};
use super::logic;
use super::resolver::{Period, Resolver};
use super::scope::Side;
use super::settings::Settings;
use super::sla;
use super::static_check::{Fault, has_outside};
use super::template::{Compiled, java_trimmed};
use super::variables::Variables;
use crate::analysis::parameters::{
    AppKind, Given, JobConf, check_default_file, check_user, verify, xml_trim,
};
use crate::diag::{Diagnostic, Edit, Kinds, Severity, Stage, SubjectKind, closest};
use crate::el::EL_SYNTAX;
use crate::model::Coordinator;
use crate::model::coordinator::Instances;
use crate::model::functions::Phase;
use crate::plan::bundle::BUNDLE_COORDINATOR_NAMESPACE;
use crate::source::{Span, Text};
use crate::time::cron::{Cron, SearchError};
use crate::time::nominal::Rhythm;
use crate::time::{EndOfDuration, Instant, TimeUnit, calendar};

/// What a submission comes to.
#[derive(Clone, Debug)]
pub struct Submitted {
    /// The job; `None` when a server would refuse it.
    pub job: Option<CoordinatorJob>,
    /// What a server refuses, as far as it can be put together all the same, to see what else is wrong.
    pub refused: Option<Box<CoordinatorJob>>,
    /// What the job is stored with, and what its workflows get: what was given, and the defaults of formal parameters
    /// (`verifyParameters` before `storeToDB`).
    pub conf: JobConf,
    /// Everything that is wrong, and what is odd.
    pub findings: Vec<Diagnostic>,
}

/// Adds the default file to what was given and puts references in (`CoordSubmitXCommand.mergeDefaultConfig`); `place` is
/// where a finding goes whose property stands nowhere.
pub fn prepare(conf: &mut JobConf, default_file: &[Given], place: Span) -> Vec<Diagnostic> {
    let mut findings = check_default_file(AppKind::Coordinator, default_file, place);
    findings.iter_mut().for_each(|finding| finding.oozie = vec!["E0803", "E0808"]);
    conf.inject_defaults(default_file.iter().cloned());
    findings.extend(conf.resolve(place).into_iter().map(|finding| finding.oozie(&["E0803"])));
    findings
}

/// Submits a coordinator.
///
/// `conf` holds everything that the submission gives: properties, the default file, references put in. Formal
/// parameters are added here. `bundle_name` is the name that a bundle gives the job. `includes` reads the files of
/// datasets.
pub fn submit(
    app: &Coordinator,
    conf: &JobConf,
    bundle_name: Option<&str>,
    settings: &Settings,
    includes: Includes<'_>,
) -> Submitted {
    let mut conf = conf.clone();
    let mut findings: Vec<Diagnostic> = check_user(AppKind::Coordinator, &conf, app.name_span)
        .into_iter()
        .map(|finding| finding.oozie(&["E0803", "E0808"]))
        .collect();
    if bundle_name.is_some() && app.namespace.value == "uri:oozie:coordinator:0.1" {
        let message = "a coordinator of namespace `uri:oozie:coordinator:0.1` cannot stand in a bundle";
        let finding = Diagnostic::new(&BUNDLE_COORDINATOR_NAMESPACE, app.namespace.span, message);
        let finding = finding
            .stage(Some(Stage::Submit))
            .oozie(&["E1319"])
            .help("use `uri:oozie:coordinator:0.2` or later");
        // The next version has all that the first one has.
        let next = "uri:oozie:coordinator:0.2".to_owned();
        let edit = app.namespace.declaration.as_ref().map(|it| Edit { span: it.value, text: next });
        findings.push(match edit {
            Some(edit) => finding.fix(true, vec![edit]),
            None => finding,
        });
    }
    findings.extend(verify(&mut conf, &app.namespace.value, &app.parameters));
    let variables = Variables::new(&conf);
    let mut resolver = Resolver::new(settings, &variables);
    resolver.findings = findings;
    let job = resolve(&mut resolver, app, &conf, bundle_name, includes);
    let findings = resolver.findings;
    let refused = findings.iter().any(|f| f.severity == Severity::Error && f.stage == Some(Stage::Submit));
    match refused {
        true => Submitted { job: None, refused: job.map(Box::new), conf, findings },
        false => Submitted { job, refused: None, conf, findings },
    }
}

fn resolve(
    resolver: &mut Resolver<'_>,
    app: &Coordinator,
    conf: &JobConf,
    bundle_name: Option<&str>,
    includes: Includes<'_>,
) -> Option<CoordinatorJob> {
    let settings = resolver.settings;
    let frequency = app.frequency.as_ref().and_then(|text| resolver.period(text, Phase::CoordJobSubmitFreq));
    let name = name(resolver, app, conf, bundle_name);
    let nofuncs = Phase::CoordJobSubmitNofuncs;
    let start = resolver.datetime(app.start.as_ref(), nofuncs, "start", app.name_span);
    let end = resolver.datetime(app.end.as_ref(), nofuncs, "end", app.name_span);
    let zone = resolver.zone(app.timezone.as_ref(), app.name_span);
    let rhythm = frequency.as_ref().and_then(|found| rhythm(resolver, app, found));
    if let (Some(start), Some(end)) = (start, end) {
        check_times(resolver, app, start, end, rhythm.as_ref());
    }
    let controls = controls(resolver, app);
    let (datasets, unseen) = dataset::resolve(resolver, &app.datasets, includes);
    let mut names = BTreeMap::new();
    let inputs: Vec<_> =
        app.inputs.iter().map(|e| (&e.name, &e.dataset, &e.instances, e.tag_span, Side::Input)).collect();
    let outputs: Vec<_> =
        app.outputs.iter().map(|e| (&e.name, &e.dataset, &e.instances, e.tag_span, Side::Output)).collect();
    let mut known = Known {
        datasets: &datasets,
        asynchronous: &app.datasets.asynchronous,
        unseen: &unseen,
        names: &mut names,
    };
    let inputs = events(resolver, &inputs, &mut known);
    let outputs = events(resolver, &outputs, &mut known);
    let written: Vec<&str> =
        app.inputs.iter().map(|e| e.name.as_ref().map_or("", |name| &name.value)).collect();
    let logic = app.input_logic.as_ref().map(|logic| logic::resolve(resolver, logic, &written, &mut names));
    let action = app.action.as_ref();
    let app_path = action.and_then(|action| resolver.text(action.app_path.as_ref(), nofuncs));
    let configuration = configuration(resolver, app, &names);
    let sla = action.and_then(|action| action.sla.as_ref()).map(|sla| sla::submit(resolver, sla, &names));
    let (frequency, _) = frequency?;
    let ((timezone, zone), (rhythm, time_unit, end_of_duration)) = (zone?, rhythm?);
    // What these say has no bearing on what an action is made of; a fault of theirs has been told, and refuses the job.
    let (timeout_minutes, concurrency, throttle, execution) = controls.unwrap_or((0, 0, 0, Execution::Fifo));
    Some(CoordinatorJob {
        name: name.unwrap_or_default().into(),
        app_name: app.name.as_ref().map_or("", |name| &name.value).into(),
        start: start?,
        end: end?,
        timezone,
        zone,
        frequency,
        time_unit,
        end_of_duration,
        timeout_minutes,
        concurrency,
        throttle,
        execution,
        app_path: xml_trim(&app_path.unwrap_or_default()).into(),
        settings: settings.clone(),
        rhythm,
        span: app.name_span,
        variables: Arc::new(Variables::new(&conf.stored())),
        inputs,
        outputs,
        logic,
        configuration,
        sla,
    })
}

/// The job's name (`ELUtils.resolveAppName`), unless a bundle gives it.
fn name(
    resolver: &mut Resolver<'_>,
    app: &Coordinator,
    conf: &JobConf,
    bundle_name: Option<&str>,
) -> Option<String> {
    if let Some(name) = bundle_name {
        return Some(name.to_owned());
    }
    let Some(text) = &app.name else { return Some(String::new()) };
    match crate::plan::evaluate::evaluate(text, conf, Phase::JobSubmit, &["E0803"]) {
        Ok(resolved) => Some(resolved.text),
        Err(findings) => {
            resolver.findings.extend(findings);
            None
        }
    }
}

/// The frequency as a number of units or a cron (`ParamChecker.checkFrequency`).
fn rhythm(
    resolver: &mut Resolver<'_>,
    app: &Coordinator,
    (value, period): &(String, Period),
) -> Option<(Rhythm, TimeUnit, EndOfDuration)> {
    let span = app.frequency.as_ref().map_or(app.name_span, |text| text.span);
    let end = period.map_or(EndOfDuration::None, |(_, end)| end);
    if let Ok(count) = value.parse::<i32>() {
        let unit = period.map_or(TimeUnit::Minute, |(unit, _)| unit);
        if resolver.settings.check_maximum_frequency && (count == 0 || count < 5 && unit == TimeUnit::Minute)
        {
            let message = if count == 0 {
                "a coordinator cannot run every 0 minutes".to_owned()
            } else {
                format!("a coordinator cannot run every {count} minutes: every 5 is the most")
            };
            resolver.report(Diagnostic::new(&COORDINATOR_TOO_FREQUENT, span, message));
            return None;
        }
        let step = Rhythm::Steps { count, unit: unit.unit().unwrap_or(calendar::Unit::Minute) };
        return Some((step, unit, end));
    }
    match Cron::parse(value) {
        Ok(cron) => Some((Rhythm::Cron(cron), TimeUnit::Cron, end)),
        Err(error) => {
            let rule = if error.rule == CRON_FIELD_COUNT.name { &CRON_FIELD_COUNT } else { &CRON_INVALID };
            let text = app.frequency.as_ref().filter(|text| text.value == *value);
            let offset = error.offset.min(value.len());
            let place = text.map_or(span, |text| text.span_of(offset..value.len()));
            let mut finding = Diagnostic::new(rule, place, error.message);
            if let (Some(text), Some(meant)) = (text, five_fields(value)) {
                finding = finding
                    .help(format!("write `{meant}`"))
                    .fix(false, vec![Edit { span: text.span, text: meant }]);
            }
            resolver.report(finding);
            None
        }
    }
}

/// The cron that was meant by one with other blanks between its fields, or with seconds before them.
fn five_fields(value: &str) -> Option<String> {
    let fields: Vec<&str> = value.split_whitespace().collect();
    let fields = match fields[..] {
        ["0", ref rest @ ..] if rest.len() == 5 => rest,
        ref all => all,
    };
    let meant = fields.join(" ");
    (fields.len() == 5 && meant != value && Cron::parse(&meant).is_ok()).then_some(meant)
}

/// `CoordSubmitXCommand.validateCoordinatorJob`
fn check_times(
    resolver: &mut Resolver<'_>,
    app: &Coordinator,
    start: Instant,
    end: Instant,
    rhythm: Option<&(Rhythm, TimeUnit, EndOfDuration)>,
) {
    let span = |text: &Option<Text>| text.as_ref().map_or(app.name_span, |text| text.span);
    if start >= end {
        let finding =
            Diagnostic::new(&COORDINATOR_EMPTY_RANGE, span(&app.end), "the end is not after the start");
        resolver.report(finding.label(span(&app.start), "the start"));
        return;
    }
    let Some((Rhythm::Cron(cron), ..)) = rhythm else { return };
    let place = span(&app.frequency);
    let zone = resolver.settings.processing;
    let finding = match cron.next_after(start.plus_minutes(-1), zone) {
        Ok(first) if first < end => return,
        Ok(first) => {
            let message = format!("the first time is {}, which is not before the end", zone.format(first));
            Diagnostic::new(&COORDINATOR_NEVER_RUNS, place, message).label(span(&app.end), "the end")
        }
        Err(error) => {
            let codes: &[&'static str] = match error {
                SearchError::Exhausted => &["E1003"],
                SearchError::Crash { .. } => &["E0803"],
                SearchError::Hang => &[],
            };
            Diagnostic::new(&CRON_NEVER_FIRES, place, error.to_string()).oozie(codes)
        }
    };
    resolver.report(finding);
}

/// Timeout, concurrency, throttle and execution with their defaults.
fn controls(resolver: &mut Resolver<'_>, app: &Coordinator) -> Option<(i32, i32, i32, Execution)> {
    let controls = &app.controls;
    let settings = resolver.settings;
    let timeout = timeout(resolver, controls.timeout.as_ref());
    let concurrency =
        number(resolver, controls.concurrency.as_ref(), "concurrency", settings.default_concurrency);
    let throttle = number(resolver, controls.throttle.as_ref(), "throttle", settings.default_throttle)
        .map(|n| if n > settings.max_throttle || n < 1 { settings.max_throttle } else { n });
    let execution = match &controls.execution {
        None => Some(Execution::Fifo),
        Some(text) => resolver.text(Some(text), Phase::CoordJobSubmitNofuncs).and_then(|value| {
            let found = Execution::parse(&value);
            if found.is_none() {
                let message = format!("`{value}` is no order of execution");
                let finding = Diagnostic::new(&CONTROL_INVALID, text.span, message);
                let names = ["FIFO", "LIFO", "LAST_ONLY", "NONE"];
                let near = crate::diag::closest(&value, names);
                resolver.report(match near {
                    Some(near) => finding.help(format!("did you mean `{near}`?")),
                    None => finding.help("write FIFO, LIFO, LAST_ONLY or NONE"),
                });
            }
            found
        }),
    };
    Some((timeout?, concurrency?, throttle?, execution?))
}

/// The timeout in minutes. Unlike the other controls, an empty element is an error.
fn timeout(resolver: &mut Resolver<'_>, text: Option<&Text>) -> Option<i32> {
    let settings = resolver.settings;
    let minutes = match text {
        None => settings.default_timeout_minutes,
        Some(text) => {
            let (value, period) = resolver.period(text, Phase::CoordJobWaitTimeout)?;
            let Ok(count) = value.parse::<i32>() else {
                invalid_number(resolver, "timeout", &value, text.span);
                return None;
            };
            match period {
                Some((TimeUnit::Day, _)) => count.wrapping_mul(24 * 60),
                Some((TimeUnit::Month, _)) => count.wrapping_mul(30 * 24 * 60),
                _ => count,
            }
        }
    };
    let max = settings.max_timeout_minutes;
    Some(if minutes < 0 || minutes > max { max } else { minutes })
}

fn number(resolver: &mut Resolver<'_>, text: Option<&Text>, what: &str, default: i32) -> Option<i32> {
    let Some(text) = text else { return Some(default) };
    let value = resolver.text(Some(text), Phase::CoordJobSubmitNofuncs)?;
    if value.is_empty() {
        return Some(default);
    }
    let number = value.parse::<i32>().ok();
    if number.is_none() {
        invalid_number(resolver, what, &value, text.span);
    }
    number
}

fn invalid_number(resolver: &mut Resolver<'_>, what: &str, value: &str, span: Span) {
    let message = if value.is_empty() {
        format!("`{what}` is empty")
    } else {
        format!("`{what}` is no whole number: `{value}`")
    };
    let help = format!("write a number, or leave `{what}` out for the default");
    resolver.report(Diagnostic::new(&CONTROL_INVALID, span, message).help(help));
}

/// What events refer to.
struct Known<'a> {
    datasets: &'a [Named],
    asynchronous: &'a [Text],
    unseen: &'a [dataset::Unseen],
    names: &'a mut BTreeMap<String, Side>,
}

type EventParts<'a> = (&'a Option<Text>, &'a Option<Text>, &'a Instances, Span, Side);

/// The events of one side (`resolveIODataset`, `resolveIOEvents`, `checkMultipleTimeInstances`).
fn events(resolver: &mut Resolver<'_>, parts: &[EventParts<'_>], known: &mut Known<'_>) -> Vec<EventSpec> {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    let mut found = Vec::new();
    for (index, (name, dataset, instances, tag, side)) in parts.iter().enumerate() {
        let (text, span) = name.as_ref().map_or(("", *tag), |name| (name.value.as_str(), name.span));
        known.names.insert(text.to_owned(), *side);
        if let Some(first) = seen.get(text) {
            let side = if *side == Side::Input { "input" } else { "output" };
            let finding =
                Diagnostic::new(&DATA_EVENT_DUPLICATE, span, format!("two {side} events are named `{text}`"));
            resolver.report(finding.label(*first, "the first one"));
        }
        seen.entry(text).or_insert(span);
        let dataset = dataset.as_ref().and_then(|dataset| {
            let wanted = resolver.text(Some(dataset), Phase::CoordJobSubmitInstances)?;
            find(resolver, known, &wanted, dataset.span)
        });
        check_instances(resolver, instances, *side);
        if index == 0 {
            check_multiple(resolver, instances);
        }
        let Some(dataset) = dataset else {
            reversed_range(instances).into_iter().for_each(|finding| resolver.report(finding));
            continue;
        };
        let engine = resolver.settings.engine;
        found.push(EventSpec {
            name: text.into(),
            span,
            dataset,
            singles: instances.single.iter().map(|text| Compiled::new(text, engine)).collect(),
            range: instances
                .start
                .as_ref()
                .zip(instances.end.as_ref())
                .map(|(start, end)| (Compiled::new(start, engine), Compiled::new(end, engine))),
        });
    }
    found
}

/// The dataset of an event; nothing when it is unknown or has faults of its own.
fn find(
    resolver: &mut Resolver<'_>,
    known: &Known<'_>,
    wanted: &str,
    span: Span,
) -> Option<Arc<dataset::Dataset>> {
    if let Some((_, dataset)) = known.datasets.iter().find(|(name, _)| name == wanted) {
        return dataset.clone();
    }
    if let Some(own) = known.asynchronous.iter().find(|name| name.value == wanted) {
        let message = format!("`{wanted}` is an asynchronous dataset, which no server supports");
        let finding = Diagnostic::new(&DATASET_UNDEFINED, span, message);
        resolver.report(finding.label(own.span, "a server passes over it").help("define it as a `dataset`"));
        return None;
    }
    let finding = dataset::namespaced(known.unseen, wanted, span).unwrap_or_else(|| {
        let names = known.datasets.iter().map(|(name, _)| name.as_str());
        let finding = Diagnostic::new(&DATASET_UNDEFINED, span, format!("no dataset is named `{wanted}`"))
            .about(SubjectKind::Dataset, wanted);
        match closest(wanted, names) {
            // A name that is written in another way than it is read is not touched.
            Some(near) if span.range().len() == wanted.len() => finding
                .help(format!("did you mean `{near}`?"))
                .meant(near)
                .fix(false, vec![Edit { span, text: near.to_owned() }]),
            Some(near) => finding.help(format!("did you mean `{near}`?")).meant(near),
            None => finding,
        }
    });
    resolver.report(finding);
    None
}

/// Instances are tried out at submission, but what comes of them is not kept. Ranges of outputs are not looked at.
fn check_instances(resolver: &mut Resolver<'_>, instances: &Instances, side: Side) {
    let range = instances.start.iter().chain(&instances.end).filter(|_| side == Side::Input);
    for text in instances.single.iter().chain(range) {
        resolver.text(Some(text), Phase::CoordJobSubmitInstances);
    }
}

/// `checkMultipleTimeInstances`: only the first event of each side is looked at.
fn check_multiple(resolver: &mut Resolver<'_>, instances: &Instances) {
    let range = [("start-instance", &instances.start), ("end-instance", &instances.end)];
    let singles = instances.single.iter().map(|text| ("instance", text));
    let all =
        singles.chain(range.into_iter().filter_map(|(tag, text)| text.as_ref().map(|text| (tag, text))));
    let all: Vec<_> = all.collect();
    for (tag, text) in all {
        let trimmed = java_trimmed(text);
        let several = || format!("write one `{tag}` element for each instance");
        let (message, help) = if trimmed.value.is_empty() {
            (format!("`{tag}` is empty"), several())
        } else {
            match has_outside(&trimmed.value, b',') {
                Ok(false) => continue,
                Ok(true) => (format!("`{tag}` holds more than one instance"), several()),
                Err(Fault::Braces) => (
                    format!("the braces of `{tag}` do not match"),
                    "write an expression as `${…}`".to_owned(),
                ),
                Err(Fault::Brackets) => {
                    (format!("the brackets of `{tag}` do not match"), "close every `(` with a `)`".to_owned())
                }
            }
        };
        let finding = Diagnostic::new(&INSTANCE_EMPTY, text.span, message).help(help);
        let finding = finding.because(Kinds::Rule(EL_SYNTAX.name), text.span);
        resolver.report(match split(tag, text) {
            Some(edits) => finding.fix(false, edits),
            None => finding,
        });
    }
}

/// The edits that make an element of each instance in a list.
fn split(tag: &str, text: &Text) -> Option<Vec<Edit>> {
    if tag != "instance" || text.value.trim().is_empty() {
        return None;
    }
    let mut edits = Vec::new();
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, _) in text.value.match_indices(',') {
        let before = &text.value[..at];
        if before.matches('{').count() == before.matches('}').count() {
            pieces.push(&text.value[start..at]);
            start = at + 1;
            edits.push(Edit { span: text.span_of(at..at + 1), text: "</instance><instance>".to_owned() });
        }
    }
    pieces.push(&text.value[start..]);
    let all_whole = pieces.iter().all(|piece| !piece.trim().is_empty());
    (!edits.is_empty() && all_whole).then_some(edits)
}

/// The action's configuration: names are resolved, values only tried out.
fn configuration(
    resolver: &mut Resolver<'_>,
    app: &Coordinator,
    names: &BTreeMap<String, Side>,
) -> Vec<PropertyTemplate> {
    let mut found: Vec<PropertyTemplate> = Vec::new();
    let properties = app.action.iter().flat_map(|action| &action.configuration.properties);
    for property in properties {
        let scope = resolver.scope(Phase::CoordJobSubmitData).names(names);
        let name = resolver.in_scope(&property.name, &scope, &["E1004"]);
        resolver.in_scope(&property.value, &scope, &["E1004"]);
        let Some(name) = name else { continue };
        let name: Arc<str> = xml_trim(&name).into();
        let value = Compiled::new(&xml_trimmed(&property.value), resolver.settings.engine);
        // The configuration that the workflow gets holds one value for each name, the last one.
        match found.iter_mut().find(|known| known.name == name) {
            Some(known) => known.value = value,
            None => found.push(PropertyTemplate { name, value }),
        }
    }
    found
}

/// Without the white space that pretty-printing cuts.
fn xml_trimmed(text: &Text) -> Text {
    let kept = xml_trim(&text.value);
    let start = kept.as_ptr() as usize - text.value.as_ptr() as usize;
    text.part(start..start + kept.len())
}
