//! The state of a walk through a document: what was found, and what is still to be looked at.
//!
//! Whoever looks at an element puts what follows in line, so that nothing here or above recurses into a document.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::files::{SchemaFile, Selection};
use super::findings::MISSPELT_ELEMENT;
use super::grammar::{Grammar, Type};
use super::model::Wildcard;
use super::words::quoted;
use crate::diag::{Diagnostic, Edit};
use crate::source::Span;
use crate::xml::{self, Element, Name};

/// The namespace of attributes that speak to the validator.
pub(super) const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// A document, and what it is held against.
pub(super) struct Document<'a> {
    pub(super) text: &'a str,
    pub(super) selection: Selection,
    /// The types that elements choose themselves, by the start of the element; read when the first one is met.
    types: OnceCell<BTreeMap<u32, Name>>,
}

impl<'a> Document<'a> {
    pub(super) fn new(text: &'a str, selection: Selection) -> Document<'a> {
        Document { text, selection, types: OnceCell::new() }
    }

    /// The name in `xsi:type` of an element.
    pub(super) fn type_of(&self, element: &Element) -> Option<&Name> {
        let read = || xml::qualified_values(self.text, XSI, "type");
        self.types.get_or_init(read).get(&element.span.start)
    }
}

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
    /// Whether the schema declares that element, which else says its type itself.
    pub(super) declared: bool,
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

/// What is still to be looked at.
pub(super) enum Task<'a> {
    /// An element of a known type.
    Element(&'a Element, &'static Type, Scope<'a>),
    /// An element of the wrong namespace.
    Guess(Box<Guess<'a>>),
}

/// An element of the wrong namespace, for which the right one is to be found.
pub(super) struct Guess<'a> {
    pub(super) element: &'a Element,
    /// What is reported in any case.
    pub(super) finding: Diagnostic,
    /// Where the element stands for a wildcard, that.
    pub(super) wildcard: Option<&'static Wildcard>,
}

/// The walk through a document.
pub(super) struct Walk<'a> {
    pub(super) document: &'a Document<'a>,
    pub(super) faults: Vec<Fault<'a>>,
    /// What is still to be looked at, the next one last.
    pub(super) pending: Vec<Task<'a>>,
    /// Namespaces whose mistake was told.
    pub(super) told: Vec<&'a str>,
    /// No guess is tried within a try.
    pub(super) trial: bool,
    /// How many faults are wanted.
    limit: usize,
}

impl<'a> Walk<'a> {
    /// A walk that looks for so many faults.
    pub(super) fn new(document: &'a Document<'a>, trial: bool, limit: usize) -> Walk<'a> {
        Walk { document, faults: Vec::new(), pending: Vec::new(), told: Vec::new(), trial, limit }
    }

    pub(super) fn selection(&self) -> Selection {
        self.document.selection
    }

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

    /// Puts an element in line to be checked.
    pub(super) fn later(&mut self, element: &'a Element, its_type: &'static Type, scope: Scope<'a>) {
        self.pending.push(Task::Element(element, its_type, scope));
    }

    /// Puts an element of the wrong namespace in line.
    pub(super) fn guess(
        &mut self,
        element: &'a Element,
        finding: Diagnostic,
        wildcard: Option<&'static Wildcard>,
    ) {
        self.pending.push(Task::Guess(Box::new(Guess { element, finding, wildcard })));
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
            let tag = &self.document.text[element.start_tag.end as usize..element.span.end as usize];
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
        let tag = &self.document.text[element.start_tag.range()];
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
