//! Datasets as a submission resolves them, those of included files among them.
//!
//! Follows `resolveDataSets`, `includeDataSets` and `includeOneDSFile` of `CoordSubmitXCommand`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::findings::{
    DATASET_DUPLICATE, DATASET_FREQUENCY_INVALID, DATASET_INCLUDE_LOOP, DATASET_INCLUDE_MISSING,
    DATASET_INCLUDE_NAMESPACE, DATASET_INCOMPLETE, DATASET_INITIAL_INVALID,
};
use super::resolver::Resolver;
use super::settings::{MAX_INCLUDES, Settings};
use super::uri::UriTemplate;
use super::uri_syntax;
use super::variables::Variables;
use crate::analysis::parameters::{JobConf, PARAMETER_UNDEFINED, described, xml_trim};
use crate::analysis::project::{Astray, Why};
use crate::diag::{Diagnostic, Edit, Severity};
use crate::model::coordinator::{Dataset as Model, Datasets};
use crate::model::functions::Phase;
use crate::model::{RootKind, lower_datasets};
use crate::source::{Span, Text};
use crate::time::series::Series;
use crate::time::{EndOfDuration, Instant, TimeUnit};
use crate::xml::Element;

/// A resolved dataset.
#[derive(Clone, Debug)]
pub(super) struct Dataset {
    pub(super) name: Arc<str>,
    pub(super) series: Series,
    pub(super) uri: UriTemplate,
    pub(super) done_flag: Arc<str>,
}

/// A file of datasets, as the caller has read it.
#[derive(Clone, Debug)]
pub struct Included {
    /// What its root element is called.
    pub root: String,
    /// The namespace of its root element; with one, nothing in it is seen.
    pub namespace: String,
    /// Where the root element declares its namespace, else its start tag.
    pub span: Span,
    /// The declaration, where the namespace goes when it is taken out.
    pub declaration: Option<Span>,
    /// What stands in it.
    pub datasets: Datasets,
    /// What is said of the path that led here, when this file is taken by weak evidence.
    pub doubt: Option<Astray>,
}

impl Included {
    /// What the root element of an included file holds.
    pub fn new(root: &Element) -> Included {
        Included {
            root: root.name.local.to_string(),
            namespace: root.name.namespace.to_string(),
            span: root.declaration.as_ref().map_or(root.start_tag, |it| it.value),
            declaration: root.declaration.as_ref().filter(|it| !it.prefixed).map(|it| it.span),
            datasets: lower_datasets(root),
            doubt: None,
        }
    }

    /// Taken by weak evidence.
    pub fn doubted(self, doubt: Option<Astray>) -> Included {
        Included { doubt, ..self }
    }
}

/// Why an included file cannot be read.
#[derive(Clone, Debug)]
pub enum IncludeError {
    /// It is not there; the text says what was looked for.
    Missing(String),
    /// Its path leads nowhere, with the reason.
    Astray(Astray),
    /// It is no XML.
    Malformed(Vec<Diagnostic>),
}

/// Gives the file that a resolved include path leads to.
pub type Includes<'a> = &'a mut dyn FnMut(&str) -> Result<Included, IncludeError>;

/// `done-flag` when there is none.
const DEFAULT_DONE_FLAG: &str = "_SUCCESS";

/// A dataset under its name; `None` for one whose faults have been told.
pub(super) type Named = (String, Option<Arc<Dataset>>);

/// Resolves everything under `datasets`. The second value is the namespaced files, whose datasets stay unseen.
pub(super) fn resolve(
    resolver: &mut Resolver<'_>,
    datasets: &Datasets,
    includes: Includes<'_>,
) -> (Vec<Named>, Vec<Unseen>) {
    let mut found = Collected::default();
    for include in &datasets.includes {
        if let Some(path) = resolver.text(Some(include), Phase::CoordJobSubmitNofuncs) {
            let path = IncludePath { path: xml_trim(&path), written: &include.value, span: include.span };
            read(resolver, path, include.span, includes, &mut found);
        }
    }
    let mut own: BTreeMap<String, Span> = BTreeMap::new();
    for model in &datasets.datasets {
        let Some(name) = model.name.as_ref().map(|name| name.value.clone()) else { continue };
        let dataset = dataset(resolver, model, &name, model.tag_span).map(Arc::new);
        let place = |model: &Model| model.name.as_ref().map_or(model.tag_span, |name| name.span);
        if let Some(first) = own.insert(name.clone(), place(model)) {
            let message =
                format!("the coordinator defines the dataset `{name}` twice, and only the last counts");
            let twice = Diagnostic::new(&DATASET_DUPLICATE, place(model), message).stage(None);
            resolver.report(twice.severity(Severity::Warning).label(first, "this one is ignored"));
        }
        found.all.retain(|(known, _)| *known != name);
        found.all.push((name, dataset));
    }
    (found.all, found.unseen)
}

/// What is wrong with a file of datasets whoever includes it: all that hangs on no parameter.
pub fn datasets_alone(datasets: &Datasets, settings: &Settings) -> Vec<Diagnostic> {
    let variables = Variables::new(&JobConf::new());
    let mut resolver = Resolver::new(settings, &variables);
    let mut known: BTreeMap<&str, Span> = BTreeMap::new();
    for model in &datasets.datasets {
        let name = model.name.as_ref().map_or("null", |name| name.value.as_str());
        dataset(&mut resolver, model, name, model.tag_span);
        let Some(text) = model.name.as_ref().filter(|_| model.uri_template.is_some()) else {
            let message = "an included dataset needs a `name` and a `uri-template`";
            resolver.report(Diagnostic::new(&DATASET_INCOMPLETE, model.tag_span, message));
            continue;
        };
        if let Some(first) = known.insert(name, text.span) {
            let message = format!("a dataset named `{name}` is included twice");
            resolver
                .report(Diagnostic::new(&DATASET_DUPLICATE, text.span, message).label(first, "the first"));
        }
    }
    let is_open = |finding: &Diagnostic| finding.rule.name == PARAMETER_UNDEFINED.name;
    resolver.findings.into_iter().filter(|finding| !is_open(finding)).collect()
}

#[derive(Default)]
struct Collected {
    all: Vec<Named>,
    /// Files being read, outermost first.
    open: Vec<String>,
    files: usize,
    unseen: Vec<Unseen>,
}

/// A path that is included.
#[derive(Clone, Copy)]
struct IncludePath<'p> {
    path: &'p str,
    /// The same as the definition writes it.
    written: &'p str,
    span: Span,
}

fn read(
    resolver: &mut Resolver<'_>,
    include: IncludePath<'_>,
    outermost: Span,
    includes: Includes<'_>,
    found: &mut Collected,
) {
    let IncludePath { path, written, span } = include;
    if found.open.iter().any(|open| open == path) || found.files >= MAX_INCLUDES {
        let message = if found.files >= MAX_INCLUDES {
            format!("more than {MAX_INCLUDES} files are included")
        } else {
            format!("`{path}` includes itself")
        };
        resolver.report(Diagnostic::new(&DATASET_INCLUDE_LOOP, span, message));
        return;
    }
    found.files += 1;
    if let Err(error) = uri_syntax::check(path) {
        let message = format!("`{path}` leads nowhere: at byte {}, {}", error.offset, error.message);
        resolver.report(Diagnostic::new(&DATASET_INCLUDE_MISSING, span, message));
        return;
    }
    let included = match includes(path) {
        Ok(included) => included,
        Err(IncludeError::Missing(what)) => {
            let message = format!("`{path}` leads to no file: {what}");
            resolver.report(Diagnostic::new(&DATASET_INCLUDE_MISSING, span, message));
            return;
        }
        Err(IncludeError::Astray(astray)) => {
            let found = described(&DATASET_INCLUDE_MISSING, &astray.clone().as_written(written), span);
            resolver.report(found.of_project(astray.why == Why::Unknown));
            return;
        }
        Err(IncludeError::Malformed(findings)) => {
            for finding in findings {
                resolver.report(finding.oozie(&["E0700"]).label(outermost, "included here"));
            }
            return;
        }
    };
    if let Some(doubt) = &included.doubt {
        let severity = if doubt.why == Why::Likely { Severity::Info } else { Severity::Warning };
        let found = described(&DATASET_INCLUDE_MISSING, &doubt.clone().as_written(written), span);
        resolver.report(found.severity(severity).stage(None).oozie(&[]));
    }
    if RootKind::of(&included.root).is_some_and(|root| root != RootKind::Datasets) {
        let message = format!("`{path}` is a `{}`, no file of `datasets`", included.root);
        let found = Diagnostic::new(&DATASET_INCLUDE_MISSING, span, message).severity(Severity::Warning);
        resolver.report(found.stage(None).oozie(&[]).help("name a file whose root element is `datasets`"));
    }
    if !included.namespace.is_empty() {
        let names =
            included.datasets.datasets.iter().filter_map(|d| d.name.as_ref().map(|n| n.value.clone()));
        let (span, declaration) = (included.span, included.declaration);
        found.unseen.push(Unseen { span, declaration, names: names.collect() });
    } else {
        for model in &included.datasets.datasets {
            let name = model.name.as_ref().map(|name| name.value.clone());
            let resolved = dataset(resolver, model, name.as_deref().unwrap_or("null"), outermost);
            let Some(name) = name.filter(|_| model.uri_template.is_some()) else {
                let message = "an included dataset needs a `name` and a `uri-template`";
                resolver.report(Diagnostic::new(&DATASET_INCOMPLETE, model.tag_span, message));
                continue;
            };
            if found.all.iter().any(|(known, _)| *known == name) {
                let message = format!("a dataset named `{name}` is included twice");
                let place = model.name.as_ref().map_or(model.tag_span, |name| name.span);
                resolver.report(
                    Diagnostic::new(&DATASET_DUPLICATE, place, message).label(outermost, "included here"),
                );
                continue;
            }
            found.all.push((name, resolved.map(Arc::new)));
        }
    }
    found.open.push(path.to_owned());
    for include in &included.datasets.includes {
        // Expressions in an include of an included file are left as they are.
        // What is included is taken as it is, so its paths hold no expressions.
        let path =
            IncludePath { path: xml_trim(&include.value), written: &include.value, span: include.span };
        read(resolver, path, outermost, includes, found);
    }
    found.open.pop();
}

/// An included file with a namespace.
#[derive(Debug)]
pub(super) struct Unseen {
    span: Span,
    declaration: Option<Span>,
    names: Vec<String>,
}

/// The finding for an event of an unknown dataset that stands in a file with a namespace.
pub(super) fn namespaced(unseen: &[Unseen], name: &str, span: Span) -> Option<Diagnostic> {
    let file = unseen.iter().find(|file| file.names.iter().any(|known| known == name))?;
    let message = format!("the file that defines `{name}` carries a namespace, so its datasets are not seen");
    let finding = Diagnostic::new(&DATASET_INCLUDE_NAMESPACE, file.span, message)
        .label(span, "used here")
        .help("remove `xmlns` from the root element of the included file");
    Some(match file.declaration {
        // With it no coordinator sees anything in the file, so that none can miss it.
        Some(span) => finding.fix(true, vec![Edit { span, text: String::new() }]),
        None => finding,
    })
}

fn dataset(resolver: &mut Resolver<'_>, model: &Model, name: &str, place: Span) -> Option<Dataset> {
    let frequency = frequency(resolver, model, place);
    let initial = initial(resolver, model, place);
    let zone = resolver.zone(model.timezone.as_ref(), place).map(|(_, zone)| zone);
    let uri = resolver.text(model.uri_template.as_ref(), Phase::CoordJobSubmitNofuncs);
    let done_flag = match &model.done_flag {
        None => Some(DEFAULT_DONE_FLAG.to_owned()),
        Some(flag) => resolver.text(Some(flag), Phase::CoordJobSubmitNofuncs),
    };
    let (count, unit, end) = frequency?;
    let (initial, zone, uri, done_flag) = (initial?, zone?, uri?, done_flag?);
    let span = model.uri_template.as_ref().map_or(place, |text| text.span);
    let settings = resolver.settings;
    let uri = UriTemplate::new(
        xml_trim(&uri),
        span,
        settings.engine,
        settings.processing,
        settings.schemes.clone(),
    );
    Some(Dataset {
        name: name.into(),
        series: Series::new(initial, count, unit.unit()?, end, zone),
        uri,
        done_flag: xml_trim(&done_flag).into(),
    })
}

fn frequency(
    resolver: &mut Resolver<'_>,
    model: &Model,
    place: Span,
) -> Option<(i32, TimeUnit, EndOfDuration)> {
    let wrong = |resolver: &mut Resolver<'_>, span: Span, message: String| {
        resolver.report(Diagnostic::new(&DATASET_FREQUENCY_INVALID, span, message));
        None
    };
    let Some(text) = &model.frequency else {
        return wrong(resolver, place, "the dataset has no frequency".to_owned());
    };
    let (value, period) = resolver.period(text, Phase::CoordJobSubmitFreq)?;
    let (unit, end) = period.unwrap_or((TimeUnit::Minute, EndOfDuration::None));
    match value.parse::<i32>() {
        Ok(count) if count > 0 => Some((count, unit, end)),
        Ok(count) => wrong(
            resolver,
            text.span,
            format!("the frequency of a dataset must be greater than 0, not {count}"),
        ),
        Err(_) => {
            wrong(resolver, text.span, format!("the frequency of a dataset is a whole number, not `{value}`"))
        }
    }
}

fn initial(resolver: &mut Resolver<'_>, model: &Model, place: Span) -> Option<Instant> {
    let text: &Text = match &model.initial_instance {
        Some(text) => text,
        None => {
            resolver.datetime_missing("initial-instance", place);
            return None;
        }
    };
    let at =
        resolver.datetime(Some(text), Phase::CoordJobSubmitInitialInstance, "initial-instance", place)?;
    if at < Instant::EPOCH {
        let zone = resolver.settings.processing;
        let message =
            format!("the initial instance `{}` lies before {}", zone.format(at), zone.format(Instant::EPOCH));
        resolver.report(Diagnostic::new(&DATASET_INITIAL_INVALID, text.span, message));
        return None;
    }
    Some(at)
}
