//! Elements of the old definition written anew: the source as it is, with other texts in some places.

use std::ops::Range;

use super::expressions::Words;
use crate::diag::Diagnostic;
use crate::source::Text;
use crate::xml::Element;

/// Text in an element.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Text in an attribute, whatever quotes stand around it.
pub(super) fn escaped_attribute(text: &str) -> String {
    escaped(text).replace('"', "&quot;").replace('\'', "&apos;").replace('\n', "&#10;")
}

/// Edits of a source.
pub(super) struct Edits<'s> {
    source: &'s str,
    edits: Vec<(Range<usize>, String)>,
}

impl<'s> Edits<'s> {
    pub(super) fn of(source: &'s str) -> Edits<'s> {
        Edits { source, edits: Vec::new() }
    }

    /// A part of the source with the edits that lie in it.
    pub(super) fn applied(&self, range: Range<usize>) -> String {
        let inside = |edit: &&(Range<usize>, String)| edit.0.start >= range.start && edit.0.end <= range.end;
        let mut edits: Vec<_> = self.edits.iter().filter(inside).collect();
        edits.sort_by_key(|edit| edit.0.start);
        let (mut out, mut done) = (String::new(), range.start);
        for (place, text) in edits {
            if place.start < done {
                continue;
            }
            out.push_str(&self.source[done..place.start]);
            out.push_str(text);
            done = place.end;
        }
        out.push_str(&self.source[done..range.end]);
        out
    }

    /// Puts the expressions of an element and all in it in other words.
    pub(super) fn translate(&mut self, element: &Element, words: &Words<'_>, found: &mut Vec<Diagnostic>) {
        for attribute in &element.attributes {
            if let Some(text) = words.rewrite(&attribute.value, found) {
                self.edits.push((attribute.value.span.range(), escaped_attribute(&text)));
            }
        }
        if element.elements().next().is_none() {
            if let Some(text) = words.rewrite(&element.text(), found) {
                self.replace_text(element, &text);
            }
            return;
        }
        element.elements().for_each(|child| self.translate(child, words, found));
    }

    /// Another text for all that an element holds.
    pub(super) fn replace_text(&mut self, element: &Element, text: &str) {
        let whole = element.span.range();
        let start = element.start_tag.end as usize;
        let end = self.source[whole.clone()].rfind("</").map_or(start, |end| whole.start + end);
        if start <= end {
            self.edits.push((start..end, escaped(text)));
        }
    }

    /// Another text for the value of an attribute.
    pub(super) fn replace_attribute(&mut self, value: &Text, text: &str) {
        self.edits.retain(|(place, _)| *place != value.span.range());
        self.edits.push((value.span.range(), escaped_attribute(text)));
    }

    /// Without an element, and the blanks before it.
    pub(super) fn remove(&mut self, element: &Element) {
        let start = element.span.start as usize;
        let blanks = start - self.source[..start].trim_end().len();
        let place = start - blanks..element.span.end as usize;
        self.edits.retain(|(inside, _)| inside.start < place.start || inside.end > place.end);
        self.edits.push((place, String::new()));
    }
}

/// The text of a child, evaluated in other words.
pub(super) fn translated(text: &Text, words: &Words<'_>, found: &mut Vec<Diagnostic>) -> String {
    words.rewrite(text, found).unwrap_or_else(|| text.value.clone())
}
