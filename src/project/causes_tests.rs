//! Where values come from, and what becomes of findings about them.

use super::*;
use crate::analysis::parameters::Given;
use crate::analysis::templates::{Place, Template};
use crate::diag::{Group, Info};
use crate::source::{FileId, Sources};

static DATETIME: Info = info("datetime-invalid");
static KICK_OFF: Info = info("bundle-kickoff-invalid");
static OTHER: Info = info("node-unreachable");

const fn info(name: &'static str) -> Info {
    Info {
        name,
        group: Group::Meaning,
        severity: Severity::Error,
        stage: Some(Stage::Submit),
        mirrors: &[],
        explanation: "",
    }
}

struct World {
    sources: Sources,
    conf: JobConf,
}

impl World {
    fn new() -> World {
        World { sources: Sources::new(), conf: JobConf::new() }
    }

    /// A line of a properties file; the place of its value.
    fn line(&mut self, layer: Layer, name: &str, value: &str) -> Span {
        let file = self.sources.add("job.properties", format!("{name}={value}"));
        let place = Span::new(file, name.len() + 1..name.len() + 1 + value.len());
        self.conf.set(layer, Given::new(name, value).at(place));
        place
    }

    fn text(&mut self, text: &str) -> Text {
        let file: FileId = self.sources.add("coordinator.xml", text);
        Text::verbatim(text, Span::new(file, 0..text.len()))
    }

    /// Where a finding of a rule about a whole text ends up, with the places of its labels.
    fn moved(&self, rule: &'static Info, text: &Text) -> (Span, Vec<Span>) {
        let mut findings = [Diagnostic::new(rule, text.span, "wrong")];
        let template = || vec![Template { text, place: Place::Coordinator, codes: &[], node: None }];
        to_values(&mut findings, template, &self.conf);
        (findings[0].span, findings[0].labels.iter().map(|label| label.span).collect())
    }
}

#[test]
fn the_table_is_sorted() {
    assert!(OF_VALUES.is_sorted());
}

#[test]
fn a_value_is_to_blame_where_it_is_the_whole_text() {
    let mut world = World::new();
    let line = world.line(Layer::File, "v", "2018-07-01");
    for whole in ["${v}", " ${ v } ", "${coord:conf('v')}"] {
        let text = world.text(whole);
        assert_eq!(world.moved(&DATETIME, &text), (line, vec![text.span]), "{whole}");
        assert_eq!(
            world.moved(&OTHER, &text),
            (text.span, vec![line]),
            "no matter of form, but of this value"
        );
    }
    for part in ["${v}T00:00Z", "${v}${v}", "${other}", "${v eq 1}", "2018-07-01"] {
        let text = world.text(part);
        assert_eq!(world.moved(&DATETIME, &text), (text.span, vec![]), "{part}");
    }
}

#[test]
fn references_lead_to_the_line_that_is_written_out() {
    let mut world = World::new();
    let line = world.line(Layer::File, "first", "2018-07-01");
    world.line(Layer::File, "second", "${first}");
    world.line(Layer::Coordinator("c".to_owned()), "second", "${second}");
    let text = world.text("${second}");
    assert_eq!(world.moved(&DATETIME, &text).0, line);
    world.line(Layer::File, "a", "${b}");
    world.line(Layer::File, "b", "${a}");
    let text = world.text("${a}");
    assert_ne!(world.moved(&DATETIME, &text).0, line, "a loop ends");
}

#[test]
fn the_command_line_is_no_place_in_a_file() {
    let mut world = World::new();
    world.line(Layer::File, "v", "2018");
    world.line(Layer::Definition, "v", "2019");
    let text = world.text("${v}");
    assert_eq!(world.moved(&DATETIME, &text).0, text.span);
}

#[test]
fn one_cause_is_one_finding_with_few_labels() {
    let mut world = World::new();
    let line = world.line(Layer::File, "v", "2018-07-01");
    let uses: Vec<Span> = (0..9).map(|_| world.text("${v}").span).collect();
    let of = |rule, used: &Span| {
        let found = Diagnostic::new(rule, line, "wrong").about(SubjectKind::Parameter, "v");
        found.label(*used, "`v` is used here")
    };
    let mut findings: Vec<Diagnostic> = uses.iter().map(|used| of(&DATETIME, used)).collect();
    findings.push(of(&KICK_OFF, &uses[0]).severity(Severity::Warning));
    findings.push(Diagnostic::new(&OTHER, uses[0], "stays"));
    let grouped = group(findings);
    assert_eq!(grouped.len(), 2);
    assert_eq!((grouped[0].rule.name, grouped[0].span), ("datetime-invalid", line));
    assert_eq!(grouped[0].labels.len(), MOST_LABELS);
    let last = &grouped[0].labels[MOST_LABELS - 1].message;
    assert_eq!(last, "`v` is used here, and at 4 more places");
}
