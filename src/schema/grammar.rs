//! The schemas as tables: which element has which type, and what a type allows.
//!
//! Read from the same files as other engines read. Only what those files use of XSD is known here; a test reads them all.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::files::{SCHEMAS, SchemaFile};
use super::model::{Model, Occurs, Particle, Term, What, Wildcard};
use super::value::Value;
use crate::source::Sources;
use crate::xml::{Element, Limits, read};

/// The compiled form of one schema.
#[derive(Debug)]
pub(super) struct Grammar {
    pub(super) file: &'static SchemaFile,
    /// The types of the elements that may stand by themselves.
    pub(super) elements: BTreeMap<String, usize>,
    pub(super) types: Vec<Type>,
    /// The types that an element may name itself.
    named: BTreeMap<String, usize>,
}

/// The type of an element.
#[derive(Debug)]
pub(super) struct Type {
    /// Its name; none for a type inside an element.
    pub(super) name: Option<String>,
    /// A type of values alone: what has it cannot have attributes.
    pub(super) simple: bool,
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

impl Type {
    /// A type of values alone.
    pub(super) fn of_values(name: &str, value: Value) -> Type {
        let content = Content::Text(value);
        Type { name: Some(name.to_owned()), simple: true, attributes: Vec::new(), content }
    }

    /// Is it this type, or one that is derived from it.
    pub(super) fn derives_from(&self, base: &Type) -> bool {
        let values = |one: &Type| match one.content {
            Content::Text(value) => Some(value),
            Content::Empty | Content::Elements(_) => None,
        };
        let derived = match (values(self), values(base)) {
            // A type with attributes extends the type of its values.
            (Some(own), Some(wanted)) => base.simple && own.derives_from(wanted),
            _ => false,
        };
        derived || std::ptr::eq(self, base)
    }
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
        self.named.get(name).map(|index| &self.types[*index])
    }
}

/// Reads one schema; its own files are right, so anything unknown in them is a fault of this program.
fn read_schema(file: &'static SchemaFile) -> Grammar {
    let text = file.composed();
    let id = Sources::new().add(file.name, text.as_str());
    let (root, findings) = read(id, &text, &Limits::default());
    let root = root.unwrap_or_else(|| panic!("{} is read: {findings:?}", file.name));
    let mut reader = Reader { file, root: &root, named: BTreeMap::new(), types: Vec::new() };
    let mut elements = BTreeMap::new();
    for element in root.children_named("element") {
        let name = attribute(element, "name").to_owned();
        let its_type = reader.element_type(element);
        elements.insert(name, its_type);
    }
    for kind in ["complexType", "simpleType"] {
        for definition in root.children_named(kind) {
            reader.named_type(attribute(definition, "name"));
        }
    }
    let types = reader.types.into_iter().map(|one| one.expect("every type was read")).collect();
    Grammar { file, elements, types, named: reader.named }
}

struct Reader<'a> {
    file: &'static SchemaFile,
    root: &'a Element,
    /// Types by name, as far as they were met.
    named: BTreeMap<String, usize>,
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
        if let Some(index) = self.named.get(name) {
            return *index;
        }
        if let Some(inner) = self.find("complexType", name) {
            return self.complex(Some(name), inner);
        }
        self.types.push(Some(Type::of_values(name, self.value(name))));
        self.named.insert(name.to_owned(), self.types.len() - 1);
        self.types.len() - 1
    }

    fn complex(&mut self, name: Option<&str>, definition: &'a Element) -> usize {
        let index = self.types.len();
        self.types.push(None);
        if let Some(name) = name {
            self.named.insert(name.to_owned(), index);
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
        self.types[index] = Some(Type { name: name.map(str::to_owned), simple: false, attributes, content });
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
}
