//! Findings as data: what is wrong, where, and what would be right.
//!
//! Nothing here knows how a finding is shown. Messages are lower case, present tense, without a full stop, names in
//! backticks; help is one imperative sentence.

use crate::source::Span;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something fails, at the latest when it runs.
    Error,
    /// Suspect, or surely not what was meant, but it runs.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// The word used in output.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }
}

/// When a server would notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The submission is refused.
    Submit,
    /// The start of a bundle fails.
    Start,
    /// The creation of actions fails.
    Materialize,
    /// One action or node fails when it starts.
    Action,
}

impl Stage {
    /// The word used in output.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Submit => "submit",
            Stage::Start => "start",
            Stage::Materialize => "materialize",
            Stage::Action => "action",
        }
    }
}

/// What a kind of finding is found in. A fault of one of the first three keeps the later ones from being seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// The characters and tags of a document.
    Xml,
    /// The lines of a properties file.
    Properties,
    /// The elements of a document, held against its schema.
    Schema,
    /// An expression by itself.
    Expression,
    /// What the whole means.
    Meaning,
}

/// What is fixed about a kind of finding. Every kind is one `static`.
#[derive(Debug)]
pub struct Info {
    /// The kebab-case name: printed, suppressed, searched for.
    pub name: &'static str,
    /// What it is found in.
    pub group: Group,
    /// Severity unless a place says otherwise.
    pub severity: Severity,
    /// Stage unless a place says otherwise; `None`: a server never notices.
    pub stage: Option<Stage>,
    /// The server's error codes in the plain case, outermost first.
    pub mirrors: &'static [&'static str],
    /// The text of `explain`: the `//!` header of the rule's own file (`include_str!`), or plain text.
    pub explanation: &'static str,
}

impl Info {
    /// The text of `ankus explain`: the `//!` header when the explanation is a source file, else all of it.
    pub fn explanation(&self) -> String {
        if !self.explanation.starts_with("//!") {
            return self.explanation.trim().to_owned();
        }
        let header = self.explanation.lines().map_while(|line| line.strip_prefix("//!"));
        header.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
    }
}

/// A second place that a finding speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// One replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}

/// A way to mend a finding by editing the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// True when it may be applied unasked.
    pub safe: bool,
    /// The replacements, none overlapping.
    pub edits: Vec<Edit>,
}

/// What kind of thing a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SubjectKind {
    /// A parameter: a property of the job or a variable that stands for one.
    Parameter,
    /// A dataset of a coordinator.
    Dataset,
    /// An input or output event of a coordinator.
    Event,
    /// A node of a workflow.
    Node,
    /// A file beside a definition, by its path from there.
    File,
    /// An element of a document, by its name without a namespace.
    Element,
}

impl SubjectKind {
    /// The word used in output.
    pub fn name(self) -> &'static str {
        match self {
            SubjectKind::Parameter => "parameter",
            SubjectKind::Dataset => "dataset",
            SubjectKind::Event => "event",
            SubjectKind::Node => "node",
            SubjectKind::File => "file",
            SubjectKind::Element => "element",
        }
    }
}

/// What a finding is about, by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// The kind of thing.
    pub kind: SubjectKind,
    /// Its name.
    pub name: String,
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Its kind.
    pub rule: &'static Info,
    /// How bad it is here.
    pub severity: Severity,
    /// When a server would notice it here.
    pub stage: Option<Stage>,
    /// The codes the server raises for it here, outermost first.
    pub oozie: Vec<&'static str>,
    /// The status with which a web service refuses it, where one does.
    pub http: Option<u16>,
    /// One line: what is wrong.
    pub message: String,
    /// What it is about, where that has a name.
    pub subject: Option<Subject>,
    /// The name that was meant, most likely.
    pub meant: Option<String>,
    /// Where.
    pub span: Span,
    /// What stands at the primary place, when the message alone does not say it.
    pub label: Option<String>,
    /// Other places.
    pub labels: Vec<Label>,
    /// One imperative sentence: the way out.
    pub help: Option<String>,
    /// The way out as an edit.
    pub fix: Option<Fix>,
    /// The fault that brings this one, if it is told.
    pub cause: Option<Cause>,
    /// Whether it misses only what the project does not hold, and the cluster may.
    pub is_of_project: bool,
}

/// The kinds of findings that a fault may be reported as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinds {
    /// One of the rule with this name.
    Rule(&'static str),
    /// Any of a group.
    Group(Group),
}

/// A fault of which another is but a consequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    /// What it is reported as.
    pub kinds: Kinds,
    /// Where, or in what.
    pub within: Span,
}

impl Cause {
    /// Whether a finding of this kind may be the cause.
    pub fn is_reported_as(&self, rule: &Info) -> bool {
        match self.kinds {
            Kinds::Rule(name) => rule.name == name,
            Kinds::Group(group) => rule.group == group,
        }
    }
}

impl Diagnostic {
    /// A finding with the defaults of its kind.
    pub fn new(rule: &'static Info, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            rule,
            severity: rule.severity,
            stage: rule.stage,
            oozie: rule.mirrors.to_vec(),
            http: None,
            message: message.into(),
            subject: None,
            meant: None,
            span,
            label: None,
            labels: Vec::new(),
            help: None,
            fix: None,
            cause: None,
            is_of_project: false,
        }
    }

    /// With another severity.
    pub fn severity(mut self, severity: Severity) -> Diagnostic {
        self.severity = severity;
        self
    }

    /// With another stage. `None` also clears the codes: a server that never notices raises none.
    pub fn stage(mut self, stage: Option<Stage>) -> Diagnostic {
        self.stage = stage;
        if stage.is_none() {
            self.oozie.clear();
        }
        self
    }

    /// With other server codes, outermost first.
    pub fn oozie(mut self, codes: &[&'static str]) -> Diagnostic {
        self.oozie = codes.to_vec();
        self
    }

    /// With the status with which a web service refuses it.
    pub fn http(mut self, status: u16) -> Diagnostic {
        self.http = Some(status);
        self
    }

    /// About a thing with a name.
    pub fn about(mut self, kind: SubjectKind, name: impl Into<String>) -> Diagnostic {
        self.subject = Some(Subject { kind, name: name.into() });
        self
    }

    /// Whether another finding reports the same fault: by the same rule, at the same place, about the same thing.
    pub fn is_of_same_fault(&self, other: &Diagnostic) -> bool {
        self.span == other.span && self.rule.name == other.rule.name && self.subject == other.subject
    }

    /// The name of the parameter that it is about.
    pub fn parameter(&self) -> Option<&str> {
        let subject = self.subject.as_ref().filter(|subject| subject.kind == SubjectKind::Parameter);
        subject.map(|subject| subject.name.as_str())
    }

    /// With the name that was meant, which the help speaks of.
    pub fn meant(mut self, name: impl Into<String>) -> Diagnostic {
        self.meant = Some(name.into());
        self
    }

    /// As one that misses what the project does not hold, and the cluster may.
    pub fn of_project(mut self, is_of_project: bool) -> Diagnostic {
        self.is_of_project = is_of_project;
        self
    }

    /// With words at the primary place.
    pub fn at(mut self, message: impl Into<String>) -> Diagnostic {
        self.label = Some(message.into());
        self
    }

    /// With one more place.
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// With a way out.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// With `did you mean` when one of `names` is close to `found`.
    pub fn help_did_you_mean<'a>(self, found: &str, names: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        match closest(found, names) {
            Some(name) => self.help(format!("did you mean `{name}`?")).meant(name),
            None => self,
        }
    }

    /// As a consequence of what is reported of a place, or of something in it, as one of these kinds: where that is
    /// reported, this is not.
    pub fn because(mut self, kinds: Kinds, within: Span) -> Diagnostic {
        self.cause = Some(Cause { kinds, within });
        self
    }

    /// With an edit that mends it.
    pub fn fix(mut self, safe: bool, edits: Vec<Edit>) -> Diagnostic {
        self.fix = Some(Fix { safe, edits });
        self
    }
}

/// Longer names are not compared: the work grows with the square of the length.
const MAX_COMPARED_CHARS: usize = 100;
/// More names are not compared: a broken file of 100,000 nodes has as many findings as names.
const MAX_COMPARED_NAMES: usize = 1000;

/// The name nearest to `found`, if it is near enough to be a slip; ties go to the first.
pub fn closest<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<Vec<_>>();
    let length = found.chars().take(MAX_COMPARED_CHARS + 1).count();
    if length > MAX_COMPARED_CHARS {
        return None;
    }
    let (written, found) = (found, lower(found));
    // A name of one letter shares nothing with another one.
    let limit = (length / 3).max(1).min(length.saturating_sub(1));
    // A character has at most four bytes, so most names are passed over by their length alone.
    let comparable =
        |name: &&str| name.len() <= 4 * (length + limit) && name.chars().count().abs_diff(length) <= limit;
    let mut rows = Rows::default();
    let mut best: Option<(usize, &str)> = None;
    for name in names.into_iter().take(MAX_COMPARED_NAMES).filter(comparable) {
        let allowed = best.map_or(limit, |(distance, _)| distance.saturating_sub(1));
        match rows.distance(&found, &lower(name), allowed) {
            Some(0) => return Some(name),
            Some(_) if !is_slip(written, name, &mut rows) => {}
            Some(distance) => best = Some((distance, name)),
            None => {}
        }
    }
    best.map(|(_, name)| name)
}

/// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`; `None` when more than `limit`.
pub fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let chars = |text: &str| text.chars().take(MAX_COMPARED_CHARS).collect::<Vec<_>>();
    if a.chars().count().abs_diff(b.chars().count()) > limit {
        return None;
    }
    Rows::default().distance(&chars(a), &chars(b), limit)
}

/// Whether one name may be a slip for another: names that differ in a number (`table1`, `table2`) or in a whole word
/// (`inputDir`, `outputDir`) stand for different things.
fn is_slip(found: &str, name: &str, rows: &mut Rows) -> bool {
    let (ours, theirs) = (words(found), words(name));
    let letters =
        |words: &[Vec<char>]| words.iter().filter(|word| !is_number(word)).cloned().collect::<Vec<_>>();
    let numbers =
        |words: &[Vec<char>]| words.iter().filter(|word| is_number(word)).cloned().collect::<Vec<_>>();
    if letters(&ours).concat() == letters(&theirs).concat() && numbers(&ours) != numbers(&theirs) {
        return false;
    }
    ours.len() != theirs.len()
        || ours.iter().zip(&theirs).all(|(a, b)| {
            let limit = (a.len().max(b.len()) / 3).max(1);
            rows.distance(a, b, limit).is_some()
        })
}

fn is_number(word: &[char]) -> bool {
    word.iter().all(char::is_ascii_digit)
}

/// The words of a name in lower case: `jobTracker_2` is job, tracker and 2.
fn words(name: &str) -> Vec<Vec<char>> {
    let mut words: Vec<Vec<char>> = Vec::new();
    let mut before = ' ';
    for c in name.chars() {
        if c.is_alphanumeric() {
            let begins = !before.is_alphanumeric()
                || before.is_lowercase() && c.is_uppercase()
                || before.is_ascii_digit() != c.is_ascii_digit();
            if begins || words.is_empty() {
                words.push(Vec::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        before = c;
    }
    words
}

/// Three rows of the table of distances, kept from name to name.
#[derive(Default)]
struct Rows {
    before_last: Vec<usize>,
    last: Vec<usize>,
    row: Vec<usize>,
}

impl Rows {
    /// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`; `None` when more than `limit`.
    fn distance(&mut self, a: &[char], b: &[char], limit: usize) -> Option<usize> {
        let Rows { before_last, last, row } = self;
        *before_last = vec![0; b.len() + 1];
        last.clear();
        last.extend(0..=b.len());
        for i in 1..=a.len() {
            row.clear();
            row.push(i);
            for j in 1..=b.len() {
                let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = replace.min(last[j] + 1).min(row[j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(before_last[j - 2] + 1);
                }
                row.push(best);
            }
            // A swap reaches two rows back.
            let least = |row: &[usize]| row.iter().min().copied().unwrap_or(0);
            if least(row) > limit && least(last) > limit {
                return None;
            }
            std::mem::swap(before_last, last);
            std::mem::swap(last, row);
        }
        Some(last[b.len()]).filter(|distance| *distance <= limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_are_offered() {
        let check = |found, names: &[&'static str], expected| {
            assert_eq!(closest(found, names.iter().copied()), expected, "{found}");
        };
        check("fial", &["end", "fail"], Some("fail"));
        check("xyz", &["end", "fail"], None);
        check("c", &["z", "C"], Some("C"));
        check("c", &["z"], None);
        check("", &["z"], None);
        check("abcdef", &["abxdxf", "abcdxf", "xbcdef"], Some("abcdxf"));
        check("abcdef", &["ABDCEF"], Some("ABDCEF"));
        check("outputDir", &["inputDir"], None);
        check("output_path", &["input_path"], None);
        check("table1", &["table2", "table10"], None);
        check("tabel1", &["table1"], Some("table1"));
        check("nameNod", &["namenode"], Some("namenode"));
        check("jobTraker", &["jobTracker"], Some("jobTracker"));
        check("wf2", &["wf1"], None);
        check("coord:curent", &["coord:current", "coord:currentRange"], Some("coord:current"));
    }
}
