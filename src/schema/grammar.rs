//! The schemas as tables: which element has which type, and what a type allows.
//!
//! Read from the same files as the engines read. Only what those files use of XSD is known here; a test reads them all.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::files::{SCHEMAS, SchemaFile};
use super::model::{Model, Occurs, Particle, Term, What, Wildcard};
use crate::source::Sources;
use crate::xml::{Element, Limits, read};

/// The compiled form of one schema.
#[derive(Debug)]
pub(super) struct Grammar {
    pub(super) file: &'static SchemaFile,
    /// The types of the elements that may stand by themselves.
    pub(super) elements: BTreeMap<String, usize>,
    pub(super) types: Vec<Type>,
}

/// The type of an element.
#[derive(Debug)]
pub(super) struct Type {
    /// Its name; none for a type inside an element.
    pub(super) name: Option<String>,
    pub(super) attributes: Vec<AttributeUse>,
    pub(super) content: Content,
}

/// An attribute of a type.
#[derive(Debug)]
pub(super) struct AttributeUse {
    pub(super) name: String,
    pub(super) value: Value,
    pub(super) required: bool,
}

/// What an element holds.
#[derive(Debug)]
pub(super) enum Content {
    /// Nothing at all.
    Empty,
    /// Text.
    Text(Value),
    /// Elements.
    Elements(Model),
}

/// What a value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Anything.
    Any,
    /// `true`, `false`, `1` or `0`.
    Boolean,
    /// A whole number of 16 bits.
    Short,
    /// A whole number of 32 bits without sign.
    UnsignedInt,
    /// A letter, then letters, digits, `-` and `_`.
    Name,
    /// The same, or an underscore first.
    NodeName,
}

impl Grammar {
    /// The grammar of a schema.
    pub(super) fn of(file: &'static SchemaFile) -> &'static Grammar {
        static GRAMMARS: [OnceLock<Grammar>; SCHEMAS.len()] = [const { OnceLock::new() }; SCHEMAS.len()];
        let index =
            SCHEMAS.iter().position(|one| std::ptr::eq(one, file)).expect("the schema is in the table");
        GRAMMARS[index].get_or_init(|| read_schema(file))
    }

    /// The type of this name.
    pub(super) fn type_named(&self, name: &str) -> Option<&Type> {
        self.types.iter().find(|one| one.name.as_deref() == Some(name))
    }
}

/// Reads one schema; its own files are right, so anything unknown in them is a fault of this program.
fn read_schema(file: &'static SchemaFile) -> Grammar {
    let text = file.composed();
    let id = Sources::new().add(file.name, text.as_str());
    let (root, findings) = read(id, &text, &Limits::default());
    let root = root.unwrap_or_else(|| panic!("{} is read: {findings:?}", file.name));
    let mut reader = Reader { file, root: &root, grammar: BTreeMap::new(), types: Vec::new() };
    let mut elements = BTreeMap::new();
    for element in root.children_named("element") {
        let name = attribute(element, "name").to_owned();
        let its_type = reader.element_type(element);
        elements.insert(name, its_type);
    }
    let types = reader.types.into_iter().map(|one| one.expect("every type was read")).collect();
    Grammar { file, elements, types }
}

struct Reader<'a> {
    file: &'static SchemaFile,
    root: &'a Element,
    /// Types by name, as far as they were met.
    grammar: BTreeMap<String, usize>,
    /// `None`: being read.
    types: Vec<Option<Type>>,
}

impl<'a> Reader<'a> {
    /// The type of an element declaration.
    fn element_type(&mut self, element: &'a Element) -> usize {
        match element.child("complexType") {
            Some(inner) => self.complex(None, inner),
            None => self.named_type(attribute(element, "type")),
        }
    }

    fn named_type(&mut self, name: &str) -> usize {
        if let Some(index) = self.grammar.get(name) {
            return *index;
        }
        if let Some(inner) = self.find("complexType", name) {
            return self.complex(Some(name), inner);
        }
        let content = Content::Text(self.value(name));
        self.types.push(Some(Type { name: Some(name.to_owned()), attributes: Vec::new(), content }));
        self.grammar.insert(name.to_owned(), self.types.len() - 1);
        self.types.len() - 1
    }

    fn complex(&mut self, name: Option<&str>, definition: &'a Element) -> usize {
        let index = self.types.len();
        self.types.push(None);
        if let Some(name) = name {
            self.grammar.insert(name.to_owned(), index);
        }
        let mut attributes = Vec::new();
        let extension = definition.child("simpleContent").and_then(|simple| simple.child("extension"));
        self.attributes(extension.unwrap_or(definition), &mut attributes);
        let content = match extension {
            Some(extension) => Content::Text(self.value(attribute(extension, "base"))),
            None => {
                let mut parts = definition.elements().filter_map(|part| self.particle(part));
                match parts.next() {
                    Some(tree) => Content::Elements(Model::new(tree)),
                    None => Content::Empty,
                }
            }
        };
        self.types[index] = Some(Type { name: name.map(str::to_owned), attributes, content });
        index
    }

    fn attributes(&self, holder: &'a Element, uses: &mut Vec<AttributeUse>) {
        for element in holder.elements() {
            match element.name.local.as_str() {
                "attribute" => uses.push(AttributeUse {
                    name: attribute(element, "name").to_owned(),
                    value: self.value(attribute(element, "type")),
                    required: element.attribute("use").is_some_and(|a| a.value.value == "required"),
                }),
                "attributeGroup" => self.attributes(self.group("attributeGroup", element), uses),
                _ => {}
            }
        }
    }

    /// A part of a content model; `None` for what is none.
    fn particle(&mut self, part: &'a Element) -> Option<Particle> {
        let what = match part.name.local.as_str() {
            "element" => {
                What::Term(Term::Element(attribute(part, "name").to_owned(), self.element_type(part)))
            }
            "any" => What::Term(Term::Any(match attribute(part, "namespace") {
                "##other" => Wildcard::Other(self.file.namespace),
                list => Wildcard::OneOf(list.split(' ').map(str::to_owned).collect()),
            })),
            "sequence" => What::Sequence(self.particles(part)),
            "choice" => What::Choice(self.particles(part)),
            "group" => {
                let group = self.group("group", part);
                self.particles(group).pop().expect("a group holds a part").what
            }
            _ => return None,
        };
        let number = |name| part.attribute(name).map(|a| a.value.value.as_str());
        let min = number("minOccurs").map_or(1, |n| n.parse().expect("minOccurs is a number"));
        let max = match number("maxOccurs") {
            Some("unbounded") => None,
            Some(n) => Some(n.parse().expect("maxOccurs is a number")),
            None => Some(1),
        };
        Some(Particle { occurs: Occurs { min, max }, what })
    }

    fn particles(&mut self, holder: &'a Element) -> Vec<Particle> {
        holder.elements().filter_map(|part| self.particle(part)).collect()
    }

    /// The group that a reference names.
    fn group(&self, kind: &str, reference: &Element) -> &'a Element {
        let name = attribute(reference, "ref");
        self.find(kind, name).unwrap_or_else(|| panic!("{} has the {kind} `{name}`", self.file.name))
    }

    fn find(&self, kind: &str, name: &str) -> Option<&'a Element> {
        let named = |element: &&Element| attribute(element, "name") == name;
        self.root.elements().filter(|element| element.name.local == kind).find(named)
    }

    fn value(&self, simple: &str) -> Value {
        match simple {
            "xs:string" => Value::Any,
            "xs:boolean" => Value::Boolean,
            "xs:short" => Value::Short,
            "xs:unsignedInt" => Value::UnsignedInt,
            name => {
                let definition = self.find("simpleType", name).and_then(|one| one.child("restriction"));
                let pattern = definition.and_then(|one| one.child("pattern"));
                match pattern.map(|one| attribute(one, "value")) {
                    Some(r"[a-zA-Z][\-_a-zA-Z0-9]*") => Value::Name,
                    Some(r"[a-zA-Z_][\-_a-zA-Z0-9]*") => Value::NodeName,
                    other => panic!("{}: the type `{name}` ({other:?}) is known", self.file.name),
                }
            }
        }
    }
}

/// The value of an attribute of the schema; empty when it is absent.
fn attribute<'a>(element: &'a Element, name: &str) -> &'a str {
    element.attribute(name).map_or("", |a| a.value.value.as_str())
}

impl Value {
    /// Is this text such a value.
    pub(super) fn takes(self, text: &str) -> bool {
        let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
        let trimmed = text.trim_matches(blank);
        let name = |first: fn(&u8) -> bool| {
            let rest = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            text.as_bytes().first().is_some_and(first) && text.as_bytes().iter().all(rest)
        };
        match self {
            Value::Any => true,
            Value::Boolean => matches!(trimmed, "true" | "false" | "1" | "0"),
            Value::Short => whole(trimmed).is_some_and(|n| i16::try_from(n).is_ok()),
            Value::UnsignedInt => whole(trimmed).is_some_and(|n| u32::try_from(n).is_ok()),
            Value::Name => name(u8::is_ascii_alphabetic),
            Value::NodeName => name(|byte| byte.is_ascii_alphabetic() || *byte == b'_'),
        }
    }
}

/// A whole number with an optional sign; numbers far too large become the largest.
fn whole(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse::<i64>().unwrap_or(i64::MAX);
    Some(if text.starts_with('-') { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_read() {
        for file in SCHEMAS {
            let grammar = Grammar::of(file);
            assert!(!grammar.elements.is_empty(), "{}", file.name);
            assert!(file.namespace.starts_with(file.family) && file.namespace.ends_with(file.version));
        }
    }

    #[test]
    fn values_are_told_apart() {
        let check = |value: Value, good: &[&str], bad: &[&str]| {
            for text in good {
                assert!(value.takes(text), "{value:?} {text:?}");
            }
            for text in bad {
                assert!(!value.takes(text), "{value:?} {text:?}");
            }
        };
        check(Value::Name, &["a", "a-b_c9"], &["", "_a", "9", "a b", "a ", "ä", "${x}", "a.b"]);
        check(Value::NodeName, &["a", "_a"], &["", "9", "-a"]);
        check(Value::Boolean, &["true", " 0\n"], &["TRUE", "", "yes"]);
        check(Value::Short, &["-32768", "+7", " 0032767 "], &["32768", "", "+", "1.0", "1e3", "1 2"]);
        check(Value::UnsignedInt, &["0", "-0", "4294967295"], &["-1", "4294967296", "${n}"]);
    }
}
