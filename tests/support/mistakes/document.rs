//! A definition as mistakes see it: elements, attributes and texts with their places, no meaning.

use std::ops::Range;

/// A piece of text is replaced by another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Bytes of the text before.
    pub range: Range<usize>,
    /// What stands there afterwards.
    pub with: String,
}

impl Edit {
    pub fn new(range: Range<usize>, with: impl Into<String>) -> Edit {
        Edit { range, with: with.into() }
    }
}

/// An attribute, without its namespace's prefix.
#[derive(Clone, Debug)]
pub struct Attribute<'t> {
    pub name: &'t str,
    /// With name and quotes.
    pub range: Range<usize>,
    /// As written, without quotes.
    pub value: &'t str,
    pub value_range: Range<usize>,
}

/// An element.
#[derive(Clone, Debug)]
pub struct Element<'t> {
    pub name: &'t str,
    /// The namespace that it is in.
    pub namespace: &'t str,
    /// From `<` to behind the end tag.
    pub range: Range<usize>,
    /// The name in the start tag, with its prefix.
    pub tag: Range<usize>,
    pub parent: Option<usize>,
    pub children: Vec<usize>,
    pub attributes: Vec<Attribute<'t>>,
    /// Its text without blanks around it, where it holds nothing else.
    pub text: Option<(&'t str, Range<usize>)>,
}

impl<'t> Element<'t> {
    pub fn attribute(&self, name: &str) -> Option<&Attribute<'t>> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }
}

/// A definition that is well-formed.
#[derive(Debug)]
pub struct Document<'t> {
    pub text: &'t str,
    /// In order of their start tags.
    pub elements: Vec<Element<'t>>,
}

impl<'t> Document<'t> {
    /// `None` where it is not well-formed.
    pub fn read(text: &'t str) -> Option<Document<'t>> {
        let tree = roxmltree::Document::parse(text).ok()?;
        let mut indexes = std::collections::BTreeMap::new();
        let mut elements: Vec<Element<'t>> = Vec::new();
        for node in tree.root().descendants().filter(|node| node.is_element()) {
            let range = node.range();
            let rest = &text[range.start + 1..];
            let end = rest.find(|c: char| c.is_whitespace() || c == '>' || c == '/')?;
            let tag = range.start + 1..range.start + 1 + end;
            let written = &text[tag.clone()];
            let parent =
                node.parent_element().and_then(|parent| indexes.get(&parent.id().get_usize()).copied());
            let index = elements.len();
            indexes.insert(node.id().get_usize(), index);
            if let Some(parent) = parent {
                let above: &mut Element<'_> = &mut elements[parent];
                above.children.push(index);
            }
            let attribute = |it: roxmltree::Attribute<'_, '_>| {
                let written = &text[it.range()];
                let name = written.split(['=', ' ']).next().unwrap_or_default();
                Attribute {
                    name: name.rsplit(':').next().unwrap_or_default(),
                    range: it.range(),
                    value: &text[it.range_value()],
                    value_range: it.range_value(),
                }
            };
            let only = node.children().next().filter(|child| child.is_text() && node.children().count() == 1);
            let trimmed = only.map(|child| {
                let range = child.range();
                let raw = &text[range.clone()];
                let start = range.start + (raw.len() - raw.trim_start().len());
                (raw.trim(), start..start + raw.trim().len())
            });
            elements.push(Element {
                name: written.rsplit(':').next().unwrap_or_default(),
                namespace: namespace(node.tag_name().namespace().unwrap_or_default()),
                range,
                tag,
                parent,
                children: Vec::new(),
                attributes: node.attributes().map(attribute).collect(),
                text: trimmed.filter(|(text, _)| !text.is_empty()),
            });
        }
        Some(Document { text, elements })
    }

    pub fn root(&self) -> &Element<'t> {
        &self.elements[0]
    }

    pub fn parent(&self, element: &Element<'t>) -> Option<&Element<'t>> {
        element.parent.map(|index| &self.elements[index])
    }

    /// Whether an element lies in one of these names.
    pub fn is_in(&self, element: &Element<'t>, name: &str) -> bool {
        self.parent(element).is_some_and(|parent| parent.name == name)
    }

    /// Whether an element of this name is above.
    pub fn is_below(&self, element: &Element<'t>, name: &str) -> bool {
        let mut at = element.parent;
        while let Some(index) = at {
            if self.elements[index].name == name {
                return true;
            }
            at = self.elements[index].parent;
        }
        false
    }

    pub fn child(&self, element: &Element<'t>, name: &str) -> Option<&Element<'t>> {
        element.children.iter().map(|index| &self.elements[*index]).find(|child| child.name == name)
    }

    /// The element as written.
    pub fn written(&self, element: &Element<'t>) -> &'t str {
        &self.text[element.range.clone()]
    }

    /// Takes an element away with its line.
    pub fn without(&self, element: &Element<'t>) -> Edit {
        let Range { start, end } = element.range;
        let from = self.text[..start].rfind('\n').filter(|at| self.text[*at..start].trim().is_empty());
        Edit::new(from.unwrap_or(start)..end, "")
    }

    /// The element twice.
    pub fn doubled(&self, element: &Element<'t>) -> Edit {
        Edit::new(element.range.end..element.range.end, format!("\n{}", self.written(element)))
    }

    /// An element and another behind it change places.
    pub fn swapped(&self, one: &Element<'t>, other: &Element<'t>) -> Edit {
        let (first, second) = if one.range.start < other.range.start { (one, other) } else { (other, one) };
        let between = &self.text[first.range.end..second.range.start];
        let with = format!("{}{between}{}", self.written(second), self.written(first));
        Edit::new(first.range.start..second.range.end, with)
    }

    /// The start tag and the end tag get another name.
    pub fn renamed(&self, element: &Element<'t>, name: &str) -> Edit {
        let old = &self.text[element.tag.clone()];
        let prefix = old.rfind(':').map_or("", |at| &old[..=at]);
        let written = self.written(element);
        let mut with = format!("<{prefix}{name}{}", &written[1 + old.len()..]);
        let end = format!("</{old}");
        if let Some(at) = with.rfind(&end).filter(|_| !written.ends_with("/>")) {
            with.replace_range(at..at + end.len(), &format!("</{prefix}{name}"));
        }
        Edit::new(element.range.clone(), with)
    }

    /// Every text and every value of an attribute, with the element that it belongs to; no declarations of namespaces.
    pub fn values(&self) -> impl Iterator<Item = (&Element<'t>, &'t str, Range<usize>)> {
        self.elements.iter().flat_map(|element| {
            let text = element.text.clone();
            let attributes = element.attributes.iter().map(|it| (it.value, it.value_range.clone()));
            attributes.chain(text).map(move |(value, range)| (element, value, range))
        })
    }
}

/// Only what a namespace is for, without its version.
fn namespace(uri: &str) -> &'static str {
    let kinds = ["workflow", "coordinator", "bundle", "sla"];
    kinds.into_iter().find(|kind| uri.starts_with(&format!("uri:oozie:{kind}"))).unwrap_or("")
}

/// A word misspelt, as fingers do it; `salt` chooses how and where.
pub fn typo(word: &str, salt: usize) -> String {
    let letters: Vec<char> = word.chars().collect();
    let is_letter = |at: usize| letters[at].is_alphabetic();
    let inner: Vec<usize> = (1..letters.len().saturating_sub(1)).filter(|at| is_letter(*at)).collect();
    if inner.is_empty() {
        return format!("{word}x");
    }
    let at = inner[salt / 4 % inner.len()];
    let mut wrong = letters.clone();
    match salt % 4 {
        0 if at + 1 < letters.len() && letters[at] != letters[at + 1] && is_letter(at + 1) => {
            wrong.swap(at, at + 1);
        }
        1 if letters.len() > 3 => drop(wrong.remove(at)),
        2 => wrong.insert(at, letters[at]),
        _ => wrong[at] = if letters[at] == 'e' { 'r' } else { 'e' },
    }
    let wrong: String = wrong.into_iter().collect();
    if wrong == word { format!("{word}s") } else { wrong }
}

/// A number that depends on a text alone (FNV-1a).
pub fn hash(text: &str) -> usize {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    (text.bytes().fold(0xcbf2_9ce4_8422_2325, mix) >> 17) as usize
}
