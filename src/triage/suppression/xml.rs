//! Comments of XML documents, and the elements that they cover.

use std::ops::Range;

use super::Comment;
use super::lines::Lines;
use crate::source::FileId;
use crate::xml::{self, Element, Limits};

/// What matters of an element here.
struct Place {
    range: Range<usize>,
    /// One past its start tag.
    tag_end: usize,
    /// It has a name, as nodes, datasets and events have.
    is_named: bool,
}

/// The comments of a document. One that is not well-formed has none: nothing is known of its elements.
///
/// A comment covers
/// - its line, when it ends a line that something else begins;
/// - the element around it, when it stands on the line of its start tag, or when it is the first child of a named
///   element that is not the root, or when no element follows;
/// - else the element that it stands before.
pub(super) fn comments(file: FileId, text: &str) -> Vec<Comment> {
    let (Some(root), _) = xml::read(file, text, &Limits::default()) else { return Vec::new() };
    let (marks, places, lines) = (marks(text), places(&root), Lines::new(text));
    let before = stands_before(text, &marks, &places);
    let mut open: Vec<usize> = Vec::new();
    let mut next = 0;
    // The end of the comment before, and whether nothing but comments stood before it on its line.
    let mut last: Option<(usize, bool)> = None;
    let mut comments = Vec::with_capacity(marks.len());
    for (mark, before) in marks.iter().zip(before) {
        while let Some(place) = places.get(next).filter(|place| place.range.start < mark.start) {
            while open.pop_if(|index| places[*index].range.end <= place.range.start).is_some() {}
            open.push(next);
            next += 1;
        }
        while open.pop_if(|index| places[*index].range.end <= mark.start).is_some() {}
        let parent = open.last().copied();
        // The element that began last is the parent only when no child has begun yet.
        let is_first = parent.is_some_and(|parent| parent + 1 == next);
        let gap = text[..mark.start].trim_end_matches([' ', '\t']);
        let begins = gap.is_empty()
            || gap.ends_with('\n')
            || last.is_some_and(|(end, begins)| begins && gap.len() == end);
        last = Some((mark.end, begins));
        let line = lines.around(mark.start, mark.end);
        let same_line = |from: usize| lines.number(from) == lines.number(mark.start);
        let place = match (parent.map(|index| &places[index]), before.map(|index| &places[index])) {
            (Some(parent), _) if is_first && same_line(parent.tag_end.saturating_sub(1)) => {
                parent.range.clone()
            }
            _ if !begins && ends_a_line(text, mark) => line.clone(),
            (Some(parent), _) if is_first && parent.is_named && open.len() > 1 => parent.range.clone(),
            (_, Some(before)) => before.range.clone(),
            (Some(parent), None) => parent.range.clone(),
            (None, None) => mark.clone(),
        };
        comments.push(Comment { words: mark.start + 4..mark.end - 3, place, line });
    }
    comments
}

/// The comments of a well-formed document, with their marks.
fn marks(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'<', &text.as_bytes()[at..]).map(|offset| at + offset) {
        let rest = &text[open..];
        let (is_comment, end) = if rest.starts_with("<!--") {
            (true, rest.get(4..).and_then(|inner| inner.find("-->")).map(|end| end + 7))
        } else if rest.starts_with("<![CDATA[") {
            (false, rest.find("]]>").map(|end| end + 3))
        } else if rest.starts_with("<?") {
            (false, rest.find("?>").map(|end| end + 2))
        } else {
            (false, Some(1))
        };
        let Some(end) = end else { break };
        if is_comment {
            found.push(open..open + end);
        }
        at = open + end;
    }
    found
}

/// All elements in the order of their start tags.
fn places(root: &Element) -> Vec<Place> {
    let mut places = Vec::new();
    let mut open = vec![root];
    while let Some(element) = open.pop() {
        places.push(Place {
            range: element.span.range(),
            tag_end: element.start_tag.end as usize,
            is_named: element.attribute("name").is_some(),
        });
        let children = open.len();
        open.extend(element.elements());
        open[children..].reverse();
    }
    places
}

/// For each comment the element that it stands before, with nothing but blanks and comments between.
fn stands_before(text: &str, marks: &[Range<usize>], places: &[Place]) -> Vec<Option<usize>> {
    let mut before = vec![None; marks.len()];
    for index in (0..marks.len()).rev() {
        let end = marks[index].end;
        let element = places.partition_point(|place| place.range.start < end);
        let start = places.get(element).map_or(text.len(), |place| place.range.start);
        let is_blank = |to: usize| text.get(end..to).is_some_and(|gap| gap.trim().is_empty());
        before[index] = match marks.get(index + 1) {
            Some(next) if next.start < start => before[index + 1].filter(|_| is_blank(next.start)),
            _ => (element < places.len() && is_blank(start)).then_some(element),
        };
    }
    before
}

/// Whether nothing follows a comment on its line.
fn ends_a_line(text: &str, mark: &Range<usize>) -> bool {
    let after = text[mark.end..].trim_start_matches([' ', '\t']);
    after.is_empty() || after.starts_with(['\n', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    #[test]
    fn each_comment_covers_its_element_or_line() {
        let check = |text: &str, expected: &[&str]| {
            let found = comments(Sources::new().add("a.xml", text), text);
            let found: Vec<_> = found.iter().map(|one| &text[one.place.clone()]).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("<a>\n<!--x-->\n<b><c/></b>\n<d/></a>", &["<b><c/></b>"]);
        check("<a>\n<!--x--><!--y-->\n<!--z-->\n<b/>\n<d/></a>", &["<b/>", "<b/>", "<b/>"]);
        check(
            "<a><e>\n<b name='n'>\n<!--x-->\n<c/><d/></b></e></a>",
            &["<b name='n'>\n<!--x-->\n<c/><d/></b>"],
        );
        check("<a name='n'>\n<!--x-->\n<c/><d/></a>", &["<c/>"]);
        check("<a><b> <!--x-->\n<c/><d/></b><e/></a>", &["<b> <!--x-->\n<c/><d/></b>"]);
        check("<a>\n<b/> <!--x--> \n<c/></a>", &["<b/> <!--x--> \n"]);
        check("<a>\n<b/><!--x--><c/></a>", &["<c/>"]);
        check("<a>\n<b>text<!--x--></b></a>", &["<b>text<!--x--></b>"]);
        check("<a><e/>\n<!--x-->\n</a>", &["<a><e/>\n<!--x-->\n</a>"]);
        check("<?xml version='1.0'?>\n<!--x-->\n<a/>", &["<a/>"]);
        check("<a/>\n<!--x-->", &["<!--x-->"]);
        check("<a><![CDATA[<!--x-->]]><?p <!--y--> ?>\n<!--z-->\n<b/></a>", &["<b/>"]);
        check("<a>\n<!--x-->text<b/></a>", &["<a>\n<!--x-->text<b/></a>"]);
        check("<a", &[]);
    }
}
