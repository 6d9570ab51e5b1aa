//! Comments that allow a finding where it stands.
//!
//! `<!-- ankus: allow(rule) reason -->` covers the element that it stands before, or whose first child it is;
//! `allow-line` covers its line and `allow-file` the file. In properties files `# ankus: allow(rule) reason` covers the
//! entry below it.

mod directive;
mod lines;
mod xml;

use std::collections::BTreeMap;

use super::place::is_xml;
use crate::diag::{Diagnostic, Group, Info, Severity};
use crate::source::{FileId, Sources, Span};
use directive::{Directive, Kind};

/// A comment allows what is not found.
pub static SUPPRESSION_UNUSED: Info = Info {
    name: "suppression-unused",
    group: Group::Meaning,
    severity: Severity::Warning,
    stage: None,
    mirrors: &[],
    explanation: "A comment allows a rule where the rule finds nothing.\n\n\
                  The fault was mended, or the comment stands at the wrong place. If it stays, it hides the next fault of \
                  this kind. Remove the rule from the comment, or move the comment.\n\n\
                  Where the values of parameters may matter and are not given, this is a note only.",
};

/// A comment is meant to allow something and cannot be understood.
pub static SUPPRESSION_INVALID: Info = Info {
    name: "suppression-invalid",
    group: Group::Meaning,
    severity: Severity::Warning,
    stage: None,
    mirrors: &[],
    explanation: "A comment is meant to allow a rule, and does not: it is misspelt, or no rule has this name.\n\n\
                  Write `<!-- ankus: allow(rule-name) reason -->` before the element, with several names parted by commas; \
                  `allow-line(…)` at the end of the line; `allow-file(…)` anywhere for the whole file. In a properties \
                  file write `# ankus: allow(rule-name) reason` above the entry. `ankus rules` lists the names.",
};

/// One rule that a comment allows, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// The name of the rule.
    pub rule: &'static str,
    /// Where the name stands.
    pub span: Span,
    /// The part of the file that is covered.
    pub covers: Span,
}

/// What the comments of one file allow.
#[derive(Debug, Default)]
pub struct Suppressions {
    allowed: Vec<Allowed>,
    by_rule: BTreeMap<&'static str, Stretches>,
}

/// The covered stretches of one rule, by their start.
#[derive(Debug, Default)]
struct Stretches {
    /// Starts with the index of the stretch that reaches farthest among those that start no later.
    starts: Vec<(u32, usize)>,
}

impl Suppressions {
    fn new(mut allowed: Vec<Allowed>) -> Suppressions {
        // Of stretches with one start the longest first, so that what it holds counts as not needed.
        allowed.sort_by_key(|one| (one.covers.start, std::cmp::Reverse(one.covers.end), one.span));
        let mut by_rule: BTreeMap<_, Stretches> = BTreeMap::new();
        for (index, one) in allowed.iter().enumerate() {
            let starts = &mut by_rule.entry(one.rule).or_default().starts;
            let farthest = match starts.last() {
                Some((_, last)) if allowed[*last].covers.end >= one.covers.end => *last,
                _ => index,
            };
            starts.push((one.covers.start, farthest));
        }
        Suppressions { allowed, by_rule }
    }

    /// Everything that is allowed.
    pub fn allowed(&self) -> &[Allowed] {
        &self.allowed
    }

    /// Which of [`Suppressions::allowed`] covers a finding of this file.
    pub fn covering(&self, finding: &Diagnostic) -> Option<usize> {
        let starts = &self.by_rule.get(finding.rule.name)?.starts;
        let at = finding.span.start;
        let (_, farthest) = starts[..starts.partition_point(|(start, _)| *start <= at)].last()?;
        let end = self.allowed[*farthest].covers.end;
        (at < end || (at == end && finding.span.end == end)).then_some(*farthest)
    }
}

/// Reads the comments of a file. `names` are those of all rules, sorted. None when no comment speaks to us.
pub fn read(
    sources: &Sources,
    file: FileId,
    names: &[&'static str],
) -> Option<(Suppressions, Vec<Diagnostic>)> {
    let text = sources.text(file);
    if !may_speak(text) {
        return None;
    }
    let comments = if is_xml(text) { xml::comments(file, text) } else { lines::comments(text) };
    let (mut allowed, mut findings) = (Vec::new(), Vec::new());
    for comment in comments {
        let span = |range: std::ops::Range<usize>| Span::new(file, range);
        match directive::read(&text[comment.words.clone()], comment.words.start) {
            None => {}
            Some(Ok(directive)) => {
                let covers = match directive.kind {
                    Kind::File => 0..text.len(),
                    Kind::Line => comment.line.clone(),
                    Kind::Place => comment.place.clone(),
                };
                allow(&directive, span(covers), names, span, &mut allowed, &mut findings);
            }
            Some(Err(fault)) => findings.push(
                Diagnostic::new(&SUPPRESSION_INVALID, span(fault.range), fault.message).help(fault.help),
            ),
        }
    }
    Some((Suppressions::new(allowed), findings))
}

fn allow(
    directive: &Directive<'_>,
    covers: Span,
    names: &[&'static str],
    span: impl Fn(std::ops::Range<usize>) -> Span,
    allowed: &mut Vec<Allowed>,
    findings: &mut Vec<Diagnostic>,
) {
    for (name, range) in &directive.rules {
        let span = span(range.clone());
        match names.binary_search(name) {
            Ok(index) => allowed.push(Allowed { rule: names[index], span, covers }),
            Err(_) => findings.push(
                Diagnostic::new(&SUPPRESSION_INVALID, span, format!("no rule is named `{name}`"))
                    .help("name a rule; `ankus rules` lists them")
                    .help_did_you_mean(name, names.iter().copied()),
            ),
        }
    }
}

/// A comment, with what it covers when it allows something.
struct Comment {
    /// The bytes between its marks.
    words: std::ops::Range<usize>,
    /// The element or entry that it belongs to.
    place: std::ops::Range<usize>,
    /// The lines it stands on.
    line: std::ops::Range<usize>,
}

/// A quick look: most files need no second one.
fn may_speak(text: &str) -> bool {
    let has = |word: &str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    ["ankus", "Ankus", "ANKUS", "allow(", "allow-file(", "allow-line("].into_iter().any(has)
}

/// The finding for what is allowed and not found. `is_sure`: nothing that is not known could change that.
pub fn unused(allowed: &Allowed, is_sure: bool) -> Diagnostic {
    let message = format!("`{}` is allowed here and not found", allowed.rule);
    let finding = Diagnostic::new(&SUPPRESSION_UNUSED, allowed.span, message);
    if is_sure {
        finding.help("remove it, or move the comment to the place of the finding")
    } else {
        finding.severity(Severity::Info).help("check with the app's properties to see whether it is needed")
    }
}
