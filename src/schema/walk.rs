//! Finds every fault of a document against the tables, one finding a fault.
//!
//! Whether there is a fault at all is the engine's judgement; this says which, where, and what would be right.

use super::attributes;
use super::children;
use super::files::{SchemaFile, Selection};
use super::findings::{MISSING_NAMESPACE, MISSPELT_ELEMENT, UNKNOWN_NAMESPACE, VIOLATION};
use super::grammar::{Content, Grammar, Type};
use super::words::{list, quoted};
use crate::diag::{Diagnostic, Edit, closest};
use crate::source::Span;
use crate::xml::{Element, Node};

/// The namespace of attributes that speak to the validator.
pub(super) const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
/// Findings of one document; the last says that there are more.
const MAX_FINDINGS: usize = 10_000;
/// Findings that a try of another schema collects.
const MAX_TRIAL_FINDINGS: usize = 200;

/// The way out for what no stock schema declares.
const EXTENSION: &str = "use an action that Oozie has, or have the server name your schema in \
                         `oozie.service.SchemaService.wf.ext.schemas`";

/// A fault, and the schema that would not have it.
pub(super) struct Fault<'a> {
    pub(super) finding: Diagnostic,
    /// Where the schema is named, and the one that knows the feature.
    pub(super) newer: Option<(&'a Element, &'static SchemaFile)>,
}

/// What is known about the place of an element.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) grammar: &'static Grammar,
    /// The outermost element of this schema here.
    pub(super) entered: &'a Element,
    /// Elements of the first namespace are taken for such of the second.
    pub(super) alias: Option<(&'a str, &'static str)>,
}

impl<'a> Scope<'a> {
    /// The namespace that an element is taken to have.
    pub(super) fn namespace<'b>(&self, element: &'b Element) -> &'b str
    where
        'a: 'b,
    {
        match self.alias {
            Some((from, to)) if element.name.namespace == from => to,
            _ => &element.name.namespace,
        }
    }
}

/// The walk through a document.
pub(super) struct Walk<'a> {
    pub(super) text: &'a str,
    pub(super) selection: Selection,
    pub(super) faults: Vec<Fault<'a>>,
    /// Elements that are still to be checked, the next one last; nothing recurses into children.
    pending: Vec<(&'a Element, &'static Type, Scope<'a>)>,
    /// Namespaces whose mistake was told.
    pub(super) told: Vec<&'a str>,
    /// No guess is tried within a try.
    trial: bool,
    /// How many faults are wanted.
    limit: usize,
}

/// All faults of a document, in its order.
pub(super) fn walk(root: &Element, text: &str, selection: Selection) -> Vec<Diagnostic> {
    let mut walk = Walk {
        text,
        selection,
        faults: Vec::new(),
        pending: Vec::new(),
        told: Vec::new(),
        trial: false,
        limit: MAX_FINDINGS,
    };
    walk.root(root);
    walk.run();
    let full = walk.faults.len() >= MAX_FINDINGS;
    let mut findings = super::upgrade::finish(walk, root);
    findings.sort_by_key(|finding| finding.span.start);
    if full {
        let message = format!("more than {MAX_FINDINGS} faults; only the first are told");
        findings.push(Diagnostic::new(&VIOLATION, root.name_span, message));
    }
    findings
}

/// The faults of an element when it is taken for one of this schema, up to a number.
pub(super) fn faults(
    element: &Element,
    text: &str,
    selection: Selection,
    file: &'static SchemaFile,
    limit: usize,
) -> Vec<Diagnostic> {
    let limit = limit.min(MAX_TRIAL_FINDINGS);
    let mut walk = Walk {
        text,
        selection,
        faults: Vec::new(),
        pending: Vec::new(),
        told: Vec::new(),
        trial: true,
        limit,
    };
    walk.assumed(element, file);
    walk.run();
    walk.faults.into_iter().map(|fault| fault.finding).collect()
}

impl<'a> Walk<'a> {
    pub(super) fn tell(&mut self, finding: Diagnostic) {
        self.tell_newer(finding, None);
    }

    pub(super) fn tell_newer(
        &mut self,
        finding: Diagnostic,
        newer: Option<(&'a Element, &'static SchemaFile)>,
    ) {
        if !self.enough() {
            // What a version of a schema does not have is a matter of the place that names the version.
            let named = newer.and_then(|(entered, _)| entered.declaration.as_ref());
            let finding = match named {
                Some(named) => finding.label(named.value, "the schema is named here"),
                None => finding,
            };
            self.faults.push(Fault { finding, newer });
        }
    }

    /// Nothing more needs to be found.
    pub(super) fn enough(&self) -> bool {
        self.faults.len() >= self.limit
    }

    fn root(&mut self, root: &'a Element) {
        if self.selection.file(&root.name.namespace).is_some() {
            self.foreign(root);
        } else {
            self.unknown_namespace(root);
        }
    }

    /// An element that must be declared by the schema of its own namespace.
    pub(super) fn foreign(&mut self, element: &'a Element) {
        let (namespace, local) = (element.name.namespace.as_str(), element.name.local.as_str());
        let Some(file) = self.selection.file(namespace) else {
            return self.unknown_namespace(element);
        };
        let grammar = Grammar::of(file);
        let scope = Scope { grammar, entered: element, alias: None };
        if let Some(index) = grammar.elements.get(local) {
            return self.later(element, &grammar.types[*index], scope);
        }
        let names = || grammar.elements.keys().map(String::as_str);
        match closest(local, names()) {
            Some(name) => {
                self.misspelt(element, name);
                self.later(element, &grammar.types[grammar.elements[name]], scope);
            }
            None => {
                let known: Vec<String> = names().map(quoted).collect();
                let message = format!("{} is no element of {}", quoted(local), quoted(namespace));
                let finding = Diagnostic::new(&VIOLATION, element.name_span, message);
                self.tell(finding.help(format!("use {}", list(&known, "or"))));
            }
        }
    }

    /// An element whose namespace has no schema.
    pub(super) fn unknown_namespace(&mut self, element: &'a Element) {
        let finding = self.without_schema(element);
        self.guess(element, finding, |_| true);
    }

    /// Says that an element's namespace has no schema.
    pub(super) fn without_schema(&self, element: &Element) -> Diagnostic {
        let namespace = element.name.namespace.as_str();
        if namespace.is_empty() {
            let message = format!("{} has no namespace", quoted(&element.name.local));
            return Diagnostic::new(&MISSING_NAMESPACE, element.name_span, message);
        }
        let message = match self.selection.later(namespace) {
            Some(file) => {
                format!("the namespace {} came with Oozie {}", quoted(namespace), file.since())
            }
            None => format!("no schema of this version has the namespace {}", quoted(namespace)),
        };
        let finding = Diagnostic::new(&UNKNOWN_NAMESPACE, element.name_span, message);
        match &element.declaration {
            Some(declaration) => finding.label(declaration.value, "named here"),
            None => finding,
        }
    }

    /// Tells that an element has the wrong namespace, with the one that it should have when that can be said, and goes on
    /// as if it had it.
    pub(super) fn guess(
        &mut self,
        element: &'a Element,
        finding: Diagnostic,
        allowed: impl Fn(&'static SchemaFile) -> bool,
    ) {
        let found = element.name.namespace.as_str();
        let (family, version) = found.rsplit_once(':').map_or(("", found), |(f, v)| (f, v));
        let declares = |file: &&'static SchemaFile| {
            allowed(file) && Grammar::of(file).elements.contains_key(element.name.local.as_str())
        };
        // Newest first; but of a version that does not exist, first those below it.
        let mut candidates: Vec<_> = self.selection.files().filter(declares).collect();
        candidates.reverse();
        if file_family(&candidates, family) {
            let wanted = numbers(version);
            candidates.retain(|file| file.family.trim_end_matches(':') == family);
            candidates.sort_by_key(|file| numbers(file.version) > wanted);
        } else if let Some(near) = closest(found, candidates.iter().map(|file| file.namespace)) {
            candidates.sort_by_key(|file| file.namespace != near);
        }
        if self.trial || candidates.is_empty() {
            let near = closest(found, self.selection.files().map(|file| file.namespace));
            return self.tell(match near {
                Some(near) if !found.is_empty() => finding.help(format!("did you mean {}?", quoted(near))),
                None if !self.trial => finding.help(EXTENSION),
                _ => finding,
            });
        }
        let (faults, file) = self.best(element, &candidates);
        let mut finding = match (file.namespace, &element.declaration) {
            ("", Some(declared)) if !declared.prefixed => {
                let edit = Edit { span: declared.span, text: String::new() };
                let finding = finding.help("remove the namespace: this dialect has none");
                if faults == 0 { finding.fix(false, vec![edit]) } else { finding }
            }
            ("", _) => finding.help("remove the namespace: this dialect has none"),
            (namespace, _) => finding.help(format!("name the namespace {}", quoted(namespace))),
        };
        if !file.namespace.is_empty()
            && let Some(edit) = self.rename_namespace(element, file.namespace).filter(|_| faults == 0)
        {
            finding = finding.fix(false, vec![edit]);
        }
        self.tell(finding);
        self.assumed(element, file);
    }

    /// The first schema by which an element has the fewest faults.
    fn best(&self, element: &'a Element, files: &[&'static SchemaFile]) -> (usize, &'static SchemaFile) {
        let mut best = (usize::MAX, files[0]);
        for file in files {
            let faults = faults(element, self.text, self.selection, file, best.0).len();
            if faults < best.0 {
                best = (faults, file);
            }
            if faults == 0 {
                break;
            }
        }
        best
    }

    /// Walks an element as if its namespace were another.
    fn assumed(&mut self, element: &'a Element, file: &'static SchemaFile) {
        let grammar = Grammar::of(file);
        let alias = Some((element.name.namespace.as_str(), file.namespace));
        match grammar.elements.get(element.name.local.as_str()) {
            Some(index) => {
                self.later(element, &grammar.types[*index], Scope { grammar, entered: element, alias });
            }
            None => self.tell(Diagnostic::new(&VIOLATION, element.name_span, "no such element")),
        }
    }

    /// Puts an element in line to be checked.
    pub(super) fn later(&mut self, element: &'a Element, its_type: &'static Type, scope: Scope<'a>) {
        self.pending.push((element, its_type, scope));
    }

    /// Checks what is in line, in the order of the document.
    fn run(&mut self) {
        while let Some((element, its_type, scope)) = self.pending.pop() {
            let waiting = self.pending.len();
            self.element(element, its_type, scope);
            self.pending[waiting..].reverse();
        }
    }

    /// Checks an element against its type.
    fn element(&mut self, element: &'a Element, its_type: &'static Type, scope: Scope<'a>) {
        if self.enough() || attributes::names_its_type(element) {
            return;
        }
        attributes::check(self, element, its_type, scope);
        let name = quoted(&element.name.local);
        match &its_type.content {
            Content::Empty => {
                let inner = element.children.iter().find_map(|node| match node {
                    Node::Element(child) => {
                        Some((child.name_span, format!("{} inside {name}", quoted(&child.name.local))))
                    }
                    Node::Text(text) if !text.value.is_empty() => {
                        Some((text.span, format!("text inside {name}")))
                    }
                    Node::Text(_) | Node::Comment(_) => None,
                });
                if let Some((span, what)) = inner {
                    let finding = Diagnostic::new(&VIOLATION, span, format!("{what}, which must be empty"));
                    self.tell(finding.help(format!("write <{}/> with nothing in it", element.name.local)));
                }
            }
            Content::Text(value) => {
                if let Some(child) = element.elements().next() {
                    let message =
                        format!("{} inside {name}, which holds text only", quoted(&child.name.local));
                    self.tell(Diagnostic::new(&VIOLATION, child.name_span, message));
                } else {
                    let text = element.text();
                    if !value.takes(&text.value) {
                        let span = if text.value.is_empty() { element.name_span } else { text.span };
                        self.tell(attributes::wrong_value(*value, &name, &text.value, span));
                    }
                }
            }
            Content::Elements(model) => {
                self.stray_text(element);
                children::check(self, element, its_type, model, scope);
            }
        }
    }

    /// Text among elements.
    fn stray_text(&mut self, element: &'a Element) {
        let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
        let stray = element.children.iter().find_map(|node| match node {
            Node::Text(text) if !text.value.chars().all(blank) => Some(text),
            _ => None,
        });
        if let Some(text) = stray {
            let start = text.value.len() - text.value.trim_start_matches(blank).len();
            let span = text.span_of(start..text.value.trim_end_matches(blank).len());
            let message = format!("text inside {}, which holds elements only", quoted(&element.name.local));
            self.tell(
                Diagnostic::new(&VIOLATION, span, message).help("remove the text, or make it a comment"),
            );
        }
    }

    /// Tells that an element has almost the right name.
    pub(super) fn misspelt(&mut self, element: &'a Element, name: &str) {
        let message = format!("there is no {} here", quoted(&element.name.local));
        let finding = Diagnostic::new(&MISSPELT_ELEMENT, element.name_span, message);
        let edits = self.rename(element, name);
        self.tell(finding.help(format!("did you mean {}?", quoted(name))).fix(true, edits));
    }

    /// Gives an element another local name.
    fn rename(&self, element: &Element, name: &str) -> Vec<Edit> {
        let local = |span: Span| Span { start: span.end - element.name.local.len() as u32, ..span };
        let mut edits = vec![Edit { span: local(element.name_span), text: name.to_owned() }];
        if element.span.end > element.start_tag.end {
            let tag = &self.text[element.start_tag.end as usize..element.span.end as usize];
            if let Some(open) = tag.rfind("</") {
                let length =
                    tag[open..].trim_end_matches(|c: char| c == '>' || c.is_ascii_whitespace()).len();
                let end = element.start_tag.end + (open + length) as u32;
                edits.push(Edit { span: local(Span { end, ..element.span }), text: name.to_owned() });
            }
        }
        edits
    }

    /// Gives an element another namespace, where it says it in its own start tag.
    pub(super) fn rename_namespace(&self, element: &Element, namespace: &str) -> Option<Edit> {
        let found = element.name.namespace.as_str();
        let tag = &self.text[element.start_tag.range()];
        let declarations: Vec<usize> = tag
            .match_indices(found)
            .map(|(at, _)| at)
            .filter(|at| !found.is_empty() && tag[..*at].ends_with(['"', '\'']))
            .filter(|at| tag[at + found.len()..].starts_with(['"', '\'']))
            .collect();
        let start = element.start_tag.start;
        match declarations[..] {
            [at] => {
                let start = start + at as u32;
                let span = Span { start, end: start + found.len() as u32, ..element.start_tag };
                Some(Edit { span, text: namespace.to_owned() })
            }
            // It is inherited: declare it here, unless the name has a prefix that must be declared.
            [] if !tag[..(element.name_span.end - start) as usize].contains(':')
                && !tag.contains("xmlns=") =>
            {
                let span = Span { start: element.name_span.end, ..element.name_span };
                Some(Edit { span, text: format!(" xmlns=\"{namespace}\"") })
            }
            _ => None,
        }
    }
}

/// Is one of the candidates of this family.
fn file_family(candidates: &[&'static SchemaFile], family: &str) -> bool {
    candidates.iter().any(|file| file.family.trim_end_matches(':') == family)
}

/// A version as numbers.
pub(super) fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map(|part| part.parse().unwrap_or(u32::MAX)).collect()
}
