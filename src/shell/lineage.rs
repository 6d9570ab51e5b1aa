//! Gathers what coordinators read, write and run: from their submission where there is one, else from what is written.

use std::collections::BTreeMap;
use std::path::Path;

use crate::analysis::parameters::{Given, JobConf, Layer, PARAMETER_UNDEFINED};
use crate::analysis::project::Kind;
use crate::host::files;
use crate::model::coordinator::{Dataset, Datasets, Instances};
use crate::model::{self, App, lower_datasets};
use crate::plan::bundle;
use crate::plan::coordinator::{CoordinatorJob, DataUse, MAX_INCLUDES};
use crate::report::graph::Mark;
use crate::report::graph::lineage::{Coordinator, Use};
use crate::shell::check::program::Program;
use crate::shell::library::Loaded;
use crate::time::TimeUnit;

/// The coordinators of a bundle, those that cannot be found or are not enabled too.
pub fn of_bundle<'l>(
    program: &Program<'l, '_>,
    app: &'l Loaded,
    model: &'l model::Bundle,
    conf: JobConf,
) -> Vec<Coordinator> {
    let Some(root) = &app.definition.root else { return Vec::new() };
    let definition = bundle::Definition { root, text: &app.text, model };
    let (submitted, _) = bundle::submit(definition, conf.clone(), &app.default_file, program.zone);
    let Some(submitted) = submitted else { return as_written(program, app, model, &conf) };
    let started = bundle::start(&submitted, &|path| program.misses_coordinator(path, &app.path));
    let children = started.children.iter().map(|child| {
        let mut marks = Vec::new();
        if !child.is_enabled {
            marks.push(Mark::Disabled);
        }
        if child.is_critical {
            marks.push(Mark::Critical);
        }
        member(program, app, &child.name, &child.app_path, child.conf.clone(), marks)
    });
    children.collect()
}

/// The same of a bundle that a server would refuse, or whose parameters are not known.
fn as_written<'l>(
    program: &Program<'l, '_>,
    app: &'l Loaded,
    model: &'l model::Bundle,
    conf: &JobConf,
) -> Vec<Coordinator> {
    let mut conf = conf.clone();
    conf.inject_defaults(app.default_file.iter().cloned());
    let members = model.coordinators.iter().map(|written| {
        let fill = |text: &Option<crate::source::Text>| {
            text.as_ref().map_or_else(String::new, |text| fill(&text.value, &conf))
        };
        let name = fill(&written.name);
        let own = written.configuration.properties.iter();
        let own = own
            .map(|property| Given::new(property.name.value.trim(), self::fill(&property.value.value, &conf)));
        let mut conf = conf.clone();
        conf.set_all(&Layer::Coordinator(name.clone()), own);
        member(program, app, &name, &fill(&written.app_path), conf, Vec::new())
    });
    members.collect()
}

/// A coordinator that a bundle names.
fn member<'l>(
    program: &Program<'l, '_>,
    app: &'l Loaded,
    name: &str,
    path: &str,
    conf: JobConf,
    mut marks: Vec<Mark>,
) -> Coordinator {
    let loaded = program.library.find(path, Kind::Coordinator, &app.path);
    let Some((loaded, App::Coordinator(model))) =
        loaded.and_then(|loaded| Some((loaded, loaded.definition.app.as_ref()?)))
    else {
        marks.insert(0, Mark::Absent);
        let file = Some(path.to_owned());
        return Coordinator { name: name.to_owned(), file, marks, ..Coordinator::default() };
    };
    let mut found = coordinator(program, loaded, model, conf, Some(name));
    found.marks.extend(marks);
    found
}

/// A coordinator with the layers above its default file.
pub fn coordinator<'l>(
    program: &Program<'l, '_>,
    app: &'l Loaded,
    model: &'l model::Coordinator,
    conf: JobConf,
    bundle_name: Option<&str>,
) -> Coordinator {
    let (submitted, findings) = program.submit_coordinator(app, model, conf.clone(), bundle_name);
    let mut found = match &submitted {
        Some((job, _)) => of_job(job),
        None => of_model(program, app, model, conf, bundle_name),
    };
    // What lacks values is not wrong, nor can be said what follows from it.
    let lacks_values = findings.iter().any(|finding| finding.rule.name == PARAMETER_UNDEFINED.name);
    if !app.is_sound() || (!lacks_values && findings.iter().any(Program::refuses)) {
        found.marks.push(Mark::Refused);
    }
    found.file = Some(files::shown(&app.path));
    found.workflow_name = found.workflow.as_deref().and_then(|path| workflow_name(program, path, &app.path));
    found
}

/// The name of the workflow that a path leads to.
fn workflow_name(program: &Program<'_, '_>, path: &str, near: &Path) -> Option<String> {
    let loaded = program.library.find(path, Kind::Workflow, near)?;
    let Some(App::Workflow(model)) = &loaded.definition.app else { return None };
    model.name.as_ref().map(|name| name.value.clone())
}

fn of_job(job: &CoordinatorJob) -> Coordinator {
    let rhythm = match job.time_unit {
        TimeUnit::Cron => format!("cron {}", job.frequency),
        unit => every(&job.frequency, unit.name()),
    };
    let to_use = |data: DataUse<'_>| Use {
        is_output: data.is_output,
        event: data.event.to_owned(),
        dataset: data.dataset.to_owned(),
        uri: Some(data.uri.to_owned()),
        rhythm: Some(every(&data.frequency.to_string(), &format!("{:?}", data.unit))),
        instances: data.instances.iter().map(|text| (*text).to_owned()).collect(),
        range: data.range.map(|(start, end)| (start.to_owned(), end.to_owned())),
    };
    Coordinator {
        name: job.name.to_string(),
        rhythm: Some(rhythm),
        workflow: Some(job.app_path.to_string()),
        uses: job.data().map(to_use).collect(),
        ..Coordinator::default()
    }
}

/// "every 2 hours": a server keeps hours as minutes.
fn every(count: &str, unit: &str) -> String {
    let hours =
        count.parse::<i32>().ok().filter(|count| count % 60 == 0).map(|count| (count / 60).to_string());
    let (count, unit) = match (unit.to_lowercase(), &hours) {
        (unit, Some(hours)) if unit == "minute" => (hours.as_str(), "hour".to_owned()),
        (unit, _) => (count, unit),
    };
    if count == "1" { format!("every {unit}") } else { format!("every {count} {unit}s") }
}

/// A frequency that was not evaluated: `${coord:days(2)}` is "every 2 days".
fn as_rhythm(text: &str) -> String {
    let call = text.strip_prefix("${coord:").and_then(|rest| rest.strip_suffix(")}"));
    let parts = call.and_then(|call| call.split_once("s("));
    match parts.filter(|(_, count)| count.parse::<u32>().is_ok()) {
        Some((unit, count)) => every(count, unit),
        None if text.parse::<u32>().is_ok() => every(text, "minute"),
        None => format!("every {text}"),
    }
}

/// A coordinator that has no job: its texts with the values that are known.
fn of_model<'l>(
    program: &Program<'l, '_>,
    app: &'l Loaded,
    model: &'l model::Coordinator,
    mut conf: JobConf,
    bundle_name: Option<&str>,
) -> Coordinator {
    conf.inject_defaults(app.default_file.iter().cloned());
    let text = |text: &Option<crate::source::Text>| text.as_ref().map(|text| fill(text.value.trim(), &conf));
    let datasets = datasets(program, app, &model.datasets, &conf);
    let used = |is_output, event: &Option<_>, dataset: &Option<_>, instances: &Instances| {
        let name = text(dataset).unwrap_or_default();
        let known = datasets.get(&name);
        let (start, end) = (text(&instances.start), text(&instances.end));
        Use {
            is_output,
            event: text(event).unwrap_or_default(),
            uri: known.map(|dataset: &Dataset| text(&dataset.uri_template).unwrap_or_default()),
            rhythm: known.and_then(|dataset| text(&dataset.frequency)).map(|text| as_rhythm(&text)),
            dataset: name,
            instances: instances.single.iter().map(|one| fill(one.value.trim(), &conf)).collect(),
            range: start.zip(end),
        }
    };
    let inputs = model.inputs.iter().map(|data| used(false, &data.name, &data.dataset, &data.instances));
    let outputs = model.outputs.iter().map(|data| used(true, &data.name, &data.dataset, &data.instances));
    Coordinator {
        name: text(&model.name).or_else(|| bundle_name.map(str::to_owned)).unwrap_or_default(),
        rhythm: text(&model.frequency).map(|frequency| as_rhythm(&frequency)),
        workflow: model.action.as_ref().and_then(|action| text(&action.app_path)),
        uses: inputs.chain(outputs).collect(),
        ..Coordinator::default()
    }
}

/// The datasets that a coordinator sees, those of included files too, by name.
fn datasets<'l>(
    program: &Program<'l, '_>,
    app: &'l Loaded,
    own: &Datasets,
    conf: &JobConf,
) -> BTreeMap<String, Dataset> {
    let mut found = BTreeMap::new();
    let mut paths: Vec<String> = own.includes.iter().map(|path| fill(path.value.trim(), conf)).collect();
    let mut next = 0;
    while next < paths.len().min(MAX_INCLUDES) {
        let loaded = program.library.find(&paths[next], Kind::Datasets, &app.path);
        next += 1;
        let Some(root) = loaded.and_then(|loaded| loaded.definition.root.as_ref()) else { continue };
        let included = lower_datasets(root);
        for path in included.includes {
            let path = fill(path.value.trim(), conf);
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        for dataset in included.datasets {
            if let Some(name) = &dataset.name {
                found.entry(name.value.clone()).or_insert(dataset);
            }
        }
    }
    for dataset in &own.datasets {
        if let Some(name) = &dataset.name {
            found.insert(name.value.clone(), dataset.clone());
        }
    }
    found
}

/// The text with the values of those `${name}` that are known; all else stays as it is.
pub fn fill(text: &str, conf: &JobConf) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let value = from.find('}').and_then(|end| Some((end, conf.get_lenient(from[2..end].trim())?)));
        match value {
            Some((end, value)) => {
                out.push_str(&value);
                rest = &from[end + 1..];
            }
            None => {
                out.push_str("${");
                rest = &from[2..];
            }
        }
    }
    out.push_str(rest);
    out
}
