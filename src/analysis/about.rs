//! What a finding is about, by where it stands in a document: a node, a dataset, an event, else the element.
//!
//! A rule that knows better says so itself; this fills in what programs want to know of every finding.

use crate::diag::{Diagnostic, Subject, SubjectKind};
use crate::source::Span;
use crate::xml::{Element, Node};

/// Names what findings in the document below `root` are about, those that say so themselves apart.
pub fn name_subjects(root: &Element, findings: &mut [Diagnostic]) {
    for finding in findings.iter_mut().filter(|finding| finding.subject.is_none()) {
        finding.subject = subject_at(root, finding.span);
    }
}

/// What stands at a place of the document below `root`; none where the place lies outside of it.
pub fn subject_at(root: &Element, place: Span) -> Option<Subject> {
    if !encloses(root.span, place) {
        return None;
    }
    let (mut element, mut parent, mut named) = (root, None::<&Element>, None);
    loop {
        let kind = kind_of(element, parent);
        if let (Some(kind), Some(name)) = (kind, element.attribute("name")) {
            named = Some(Subject { kind, name: name.value.value.clone() });
        }
        // Of the nodes and datasets around a place the innermost counts; what an action holds has no names of that kind.
        match child_around(element, place) {
            Some(child) => (parent, element) = (Some(element), child),
            None => break,
        }
    }
    let element = || Subject { kind: SubjectKind::Element, name: element.name.local.to_string() };
    Some(named.unwrap_or_else(element))
}

/// What an element with a name is, if it is one of those things.
fn kind_of(element: &Element, parent: Option<&Element>) -> Option<SubjectKind> {
    match (parent?.name.local.as_str(), element.name.local.as_str()) {
        ("workflow-app", "action" | "decision" | "fork" | "join" | "end" | "kill") => Some(SubjectKind::Node),
        ("datasets", "dataset" | "async-dataset") => Some(SubjectKind::Dataset),
        ("input-events" | "output-events", "data-in" | "data-out") => Some(SubjectKind::Event),
        _ => None,
    }
}

/// The child element that a place lies in. Children stand in the order of the text.
fn child_around(element: &Element, place: Span) -> Option<&Element> {
    let behind = element.children.partition_point(|child| span_of(child).start <= place.start);
    match element.children.get(behind.checked_sub(1)?)? {
        Node::Element(child) if encloses(child.span, place) => Some(child),
        _ => None,
    }
}

fn span_of(node: &Node) -> Span {
    match node {
        Node::Element(element) => element.span,
        Node::Text(text) | Node::Comment(text) => text.span,
    }
}

fn encloses(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{FileId, Sources};
    use crate::xml::{self, Limits};

    fn read(text: &str) -> (FileId, Element) {
        let mut sources = Sources::new();
        let file = sources.add("a.xml", text);
        let (root, findings) = xml::read(file, text, &Limits::default());
        assert!(findings.is_empty(), "{findings:?}");
        (file, root.expect("a root"))
    }

    /// What stands at the first place of a word.
    fn at(text: &str, word: &str) -> Option<(SubjectKind, String)> {
        let (file, root) = read(text);
        let start = text.find(word).expect("the word");
        let place = Span::new(file, start..start + word.len());
        subject_at(&root, place).map(|subject| (subject.kind, subject.name))
    }

    #[test]
    fn the_innermost_thing_with_a_name_counts() {
        let workflow = "<workflow-app name='w'><start to='one'/><action name='load'><shell><exec>run</exec>\
                        <file name='f'>x.sh</file></shell><ok to='two'/></action><decision name='d'>\
                        <switch><case to='three'>${four}</case></switch></decision></workflow-app>";
        let node = |name: &str| Some((SubjectKind::Node, name.to_owned()));
        let element = |name: &str| Some((SubjectKind::Element, name.to_owned()));
        assert_eq!(at(workflow, "run"), node("load"));
        assert_eq!(at(workflow, "x.sh"), node("load"));
        assert_eq!(at(workflow, "two"), node("load"));
        assert_eq!(at(workflow, "four"), node("d"));
        assert_eq!(at(workflow, "one"), element("start"));
        assert_eq!(at(workflow, "workflow-app"), element("workflow-app"));
        let coordinator = "<coordinator-app name='c'><datasets><dataset name='logs' frequency='f'>\
                           <uri-template>/u</uri-template></dataset></datasets><input-events>\
                           <data-in name='in' dataset='logs2'><instance>i0</instance></data-in></input-events>\
                           <action><workflow><app-path>/p</app-path></workflow></action></coordinator-app>";
        assert_eq!(at(coordinator, "/u"), Some((SubjectKind::Dataset, "logs".to_owned())));
        assert_eq!(at(coordinator, "i0"), Some((SubjectKind::Event, "in".to_owned())));
        assert_eq!(at(coordinator, "/p"), element("app-path"));
    }

    #[test]
    fn places_outside_are_about_nothing() {
        let (file, root) = read("<a><b/></a>\n");
        assert_eq!(subject_at(&root, Span::new(file, 11..12)), None);
        assert_eq!(subject_at(&root, Span::new(file, 3..7)).map(|it| it.name).as_deref(), Some("b"));
    }
}
