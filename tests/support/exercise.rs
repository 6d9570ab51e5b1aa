//! What the fuzz targets do with arbitrary bytes; the tests replay what was found through the same functions.
//!
//! Each panics when something is wrong. Nothing is said about what the readers make of the input, only that they keep
//! their promises: no panic, places within the text and on character boundaries, the same answer to the same question.

use std::collections::{BTreeMap, BTreeSet};

use ankus::analysis::templates::templates;
use ankus::analysis::values::Values;
use ankus::diag::Diagnostic;
use ankus::mend::edits::{self, Change, EditError};
use ankus::mend::{FixKey, Level, choice, verdict};
use ankus::model::workflow::NodeKind;
use ankus::model::{App, functions, lower};
use ankus::properties::{self, Properties, hadoop};
use ankus::report::findings::{Findings, Style};
use ankus::report::record::Record;
use ankus::rules::ALL;
use ankus::schema::{Judge, Version};
use ankus::shell::check::verdict as judge;
use ankus::shell::load::Definition;
use ankus::source::{FileId, Sources, Span, Text};
use ankus::time::cron::Cron;
use ankus::time::format::Pattern;
use ankus::time::{Instant, ProcessingZone, Zone};
use ankus::triage::doubles;
use ankus::xml::{self, Decoding, Element, Limits, Node};
use ankus::{el, source};

/// A target: its name, also of the folder of inputs, and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("xml_to_model", xml_to_model),
    ("properties", java_properties),
    ("el", expressions),
    ("cron", cron),
    ("datetime", datetime),
    ("fixes", fixes),
    ("package", package),
];

/// Small limits, so that short inputs reach them.
fn limits() -> Limits {
    Limits { bytes: 1 << 16, depth: 40, nodes: 4000, attribute_bytes: 1000, attributes: 20 }
}

/// XML by both decodings, into trees, models, templates and configurations.
pub fn xml_to_model(bytes: &[u8]) {
    for decoding in [Decoding::Utf8, Decoding::Declared] {
        let mut sources = Sources::new();
        let (file, root, found) = xml::read_bytes(&mut sources, "a.xml", bytes, decoding, &limits());
        check_findings(&sources, &found);
        assert!(root.is_some() || !found.is_empty(), "no tree, and nothing says why");
        let Some(root) = root else { continue };
        check_tree(&sources, &root);
        let (again, _) = xml::read(file, sources.text(file), &limits());
        assert_eq!(again.as_ref(), Some(&root));
        for reader in [hadoop::Reader::Server, hadoop::Reader::Client] {
            let (read, found) = hadoop::properties(&root, reader);
            check_findings(&sources, &found);
            check_properties(&sources, &read);
        }
        let (app, found) = lower(&root);
        check_findings(&sources, &found);
        if let Some(app) = app {
            check_app(&sources, &app);
        }
    }
}

fn check_app(sources: &Sources, app: &App) {
    for template in templates(app) {
        check_text(sources, template.text);
    }
    let App::Workflow(workflow) = app else { return };
    for node in &workflow.nodes {
        check_text(sources, &node.name);
        if let NodeKind::Action(action) = &node.kind
            && let Some(body) = &action.body
        {
            let details = body.details();
            for operation in details.job().iter().flat_map(|job| &job.prepare) {
                check_span(sources, operation.span);
            }
        }
    }
}

fn check_tree(sources: &Sources, root: &Element) {
    let mut rest = vec![root];
    while let Some(element) = rest.pop() {
        for span in [element.span, element.name_span, element.start_tag] {
            check_span(sources, span);
        }
        let name = sources.slice(element.name_span);
        assert_eq!(name.rsplit(':').next(), Some(element.name.local.as_str()));
        assert!(sources.slice(element.span).starts_with('<') && sources.slice(element.span).ends_with('>'));
        assert!(sources.slice(element.start_tag).ends_with('>'));
        for attribute in &element.attributes {
            let name = sources.slice(attribute.name_span);
            assert_eq!(name.rsplit(':').next(), Some(attribute.name.local.as_str()));
            check_text(sources, &attribute.value);
        }
        check_text(sources, &element.text());
        for child in &element.children {
            match child {
                Node::Element(child) => rest.push(child),
                Node::Text(text) | Node::Comment(text) => check_text(sources, text),
            }
        }
    }
}

/// Rounds of mending, more than the inputs that the limits let through have levels of faults.
const MAX_ROUNDS: usize = 200;

/// Fixes of a definition, applied as `check --fix --unsafe` applies them: what is kept can be read, and no text comes back.
pub fn fixes(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    let (mut before, mut is_read) = judged(&bytes);
    let mut seen = BTreeSet::from([bytes.clone()]);
    let (mut refused, mut doubtful): (BTreeSet<FixKey>, BTreeSet<FixKey>) = Default::default();
    for _ in 0..MAX_ROUNDS {
        let open = |record: &Record| !refused.contains(&FixKey::of(record));
        let wanting = before.iter().filter(|record| record.fix.is_some() && open(record));
        let Some(level) = wanting.map(|record| Level::of(record.rule)).min() else { break };
        let of_level = |record: &Record| open(record) && Level::of(record.rule) == level;
        let mut batch = choice::together(before.iter(), |record, _| {
            of_level(record) && !doubtful.contains(&FixKey::of(record))
        });
        if batch.is_empty() {
            batch = choice::together(before.iter(), |record, _| of_level(record));
            batch.truncate(1);
        }
        if batch.is_empty() {
            break;
        }
        let edits = batch.iter().flat_map(|record| &record.fix).flat_map(|fix| &fix.edits);
        let changes: Vec<Change> = edits
            .map(|edit| Change {
                start: edit.place.start.offset,
                end: edit.place.end.offset,
                text: edit.text.clone(),
                coding: edit.coding,
            })
            .collect();
        let new = match edits::apply(&bytes, &changes) {
            Ok(new) => new,
            Err(error) => {
                assert_eq!(error, EditError::Encoding, "chosen fixes do not fit their own text");
                refused.extend(batch.iter().map(|record| FixKey::of(record)));
                continue;
            }
        };
        let (after, is_read_after) = judged(&new);
        let objections = verdict::objections(&before, &after, &batch);
        if objections.is_empty() {
            assert!(is_read_after || !is_read, "a fix that is kept breaks the document");
            assert!(seen.insert(new.clone()), "fixes bring back what was mended");
            (bytes, before, is_read) = (new, after, is_read_after);
        } else if let [only] = batch[..] {
            refused.insert(FixKey::of(only));
        } else {
            doubtful.extend(batch.iter().map(|record| FixKey::of(record)));
        }
    }
}

/// What is said of a definition without any value, and whether it can be read at all.
fn judged(bytes: &[u8]) -> (Findings, bool) {
    let mut sources = Sources::new();
    let (file, root, mut findings) = xml::read_bytes(&mut sources, "a.xml", bytes, Decoding::Utf8, &limits());
    let (app, more) = root.as_ref().map(lower).unwrap_or_default();
    findings.extend(more);
    let definition = Definition { file, root, app, findings };
    let version = Version::default();
    let mut found = judge::alone(ALL, version, Judge::default(), &definition, &sources);
    if let Some(app) = &definition.app {
        found.extend(judge::by_rules(ALL, app, &Values::unknown_for(version), &[], (None, &BTreeMap::new())));
    }
    let told = doubles::schema_first(doubles::once(found), |_| true);
    let found = doubles::without_consequences(told.into_iter().map(|told| told.finding).collect());
    check_findings(&sources, &found);
    let mut list = Findings::new(Style::DATA);
    list.add(&sources, &found);
    (list, definition.root.is_some())
}

/// `.properties`.
pub fn java_properties(bytes: &[u8]) {
    let mut sources = Sources::new();
    let (_, read, found) = properties::read_bytes(&mut sources, "a.properties", bytes);
    check_findings(&sources, &found);
    check_properties(&sources, &read);
}

fn check_properties(sources: &Sources, read: &Properties) {
    for entry in &read.entries {
        check_span(sources, entry.span);
        check_text(sources, &entry.key);
        check_text(sources, &entry.value);
        assert!(read.get(&entry.key.value).is_some());
    }
}

/// Templates: read, checked in every phase, evaluated over a few variables.
pub fn expressions(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut sources = Sources::new();
    let file = sources.add("expression", text.as_ref());
    let text = Text::verbatim(text.as_ref(), whole(&sources, file));
    let (template, found) = el::parse(&text);
    check_findings(&sources, &found);
    for phase in functions::Phase::ALL {
        check_findings(&sources, &functions::check(&template, phase));
    }
    let world: BTreeMap<String, String> = [("a", "1"), ("b", "x"), ("c", "2.5"), ("e", ""), ("t", "true")]
        .map(|(k, v)| (k.into(), v.into()))
        .into();
    let answer = || el::evaluate(&template, &world).map(|value| value.to_text().into_owned());
    let text_of = |answer: Result<String, el::EvalError>| match answer {
        Ok(value) => value,
        Err(error) => {
            assert!(text.value.get(error.range.clone()).is_some(), "an error outside the text");
            format!("{error:?}")
        }
    };
    assert_eq!(text_of(answer()), text_of(answer()));
}

/// Cron expressions: read, then a few times, which must rise.
pub fn cron(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let cron = match Cron::parse(&text) {
        Ok(cron) => cron,
        Err(error) => return assert!(text.get(..error.offset).is_some(), "an error outside the text"),
    };
    for suspicion in cron.suspicions() {
        assert!(text.get(suspicion.range.clone()).is_some(), "a suspicion outside the text");
    }
    let start = Instant::from_seconds(1_700_000_000);
    let times: Vec<_> = cron.times_from(start, ProcessingZone::UTC).take(5).collect();
    let times: Vec<_> = times.into_iter().map_while(Result::ok).collect();
    assert!(times.first().is_none_or(|first| *first >= start.plus_minutes(-1)));
    assert!(times.is_sorted_by(|a, b| a < b), "{times:?}");
}

/// Datetimes, processing timezones, zones and patterns.
pub fn datetime(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let zones = [Ok(ProcessingZone::UTC), ProcessingZone::parse("GMT+0530"), ProcessingZone::parse(&text)];
    for zone in zones.into_iter().flatten() {
        match zone.parse_datetime(&text) {
            Ok(parsed) => {
                let written = zone.format(parsed.instant);
                let again = zone.parse_datetime(&written).expect("what is written can be read");
                assert_eq!(again.instant, parsed.instant, "{written}");
            }
            Err(error) => assert!(text.get(..error.offset).is_some(), "an error outside the text"),
        }
        if let Ok(pattern) = Pattern::parse(&text) {
            let instant = Instant::from_seconds(1_700_000_000);
            assert_eq!(pattern.format(instant, zone), pattern.format(instant, zone));
        }
    }
    if let Ok(zone) = Zone::parse(&text) {
        let instant = Instant::from_seconds(1_700_000_000);
        assert!(zone.offset_millis(instant).abs() <= 24 * 3_600_000);
    }
}

fn whole(sources: &Sources, file: FileId) -> Span {
    Span::new(file, 0..sources.text(file).len())
}

fn check_findings(sources: &Sources, found: &[Diagnostic]) {
    for finding in found {
        check_span(sources, finding.span);
        for label in &finding.labels {
            check_span(sources, label.span);
        }
        for edit in finding.fix.iter().flat_map(|fix| &fix.edits) {
            check_span(sources, edit.span);
        }
        assert!(!finding.message.is_empty() && !finding.message.ends_with('.'), "{}", finding.message);
    }
}

fn check_span(sources: &Sources, span: Span) {
    assert!(sources.text(span.file).get(span.range()).is_some(), "{span:?} is no place in the text");
}

/// A text's own place and the places of each character in it.
fn check_text(sources: &Sources, text: &Text) {
    check_span(sources, text.span);
    for (at, c) in text.value.char_indices() {
        let span = text.span_of(at..at + c.len_utf8());
        check_span(sources, span);
        assert!(
            text.span.start <= span.start && span.end <= text.span.end,
            "{span:?} is not in {:?}",
            text.span
        );
    }
    let source::Span { start, end, .. } = text.trimmed().span;
    assert!(text.span.start <= start && end <= text.span.end);
}

/// A package: what is read of it lies within its root, and its faults say so where nothing is.
pub fn package(bytes: &[u8]) {
    let package = ankus::project::package::read_whole(bytes);
    assert!(package.faults.is_empty() || package.files.is_empty());
    for name in package.files.keys() {
        assert!(!name.starts_with('/') && !name.split('/').any(|step| step == ".."), "{name}");
    }
    if package.faults.is_empty() {
        let written = ankus::project::package::write(&package.files).expect("it is written");
        assert_eq!(ankus::project::package::read_whole(&written).files, package.files);
    }
}
