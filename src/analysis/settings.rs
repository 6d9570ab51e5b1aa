//! The texts of a definition or a properties file, each with the name that says what it is for.

use crate::properties::Properties;
use crate::source::Text;
use crate::xml::{Element, Node};

/// A text and its name.
#[derive(Clone, Debug)]
pub struct Setting<'a> {
    /// The property, the attribute, the option before it, or the element that holds it.
    pub name: &'a str,
    /// The text as decoded.
    pub value: &'a Text,
    /// It is the value of a property: nothing else stands in the text.
    pub is_property: bool,
    /// The element that has the attribute or the text, or the `property`; none in a properties file.
    pub element: Option<&'a Element>,
    /// The element around that.
    pub parent: Option<&'a Element>,
}

impl Setting<'_> {
    /// Whether it stands in an element of this name within one of that name.
    pub fn stands_in(&self, element: &str, parent: &str) -> bool {
        let is = |found: Option<&Element>, name: &str| found.is_some_and(|it| it.name.local == name);
        is(self.element, element) && is(self.parent, parent)
    }
}

/// The entries of a properties file.
pub fn of_properties(properties: &Properties) -> impl Iterator<Item = Setting<'_>> {
    properties.entries.iter().map(|entry| Setting {
        name: entry.key.value.trim(),
        value: &entry.value,
        is_property: true,
        element: None,
        parent: None,
    })
}

/// The attributes and texts of a document, in order; comments are none.
pub fn of_document(root: &Element) -> Vec<Setting<'_>> {
    let mut found = Vec::new();
    let mut open: Vec<(&Element, Option<&Element>)> = vec![(root, None)];
    while let Some((element, parent)) = open.pop() {
        let setting =
            |name, value, is_property| Setting { name, value, is_property, element: Some(element), parent };
        for attribute in &element.attributes {
            found.push(setting(&attribute.name.local, &attribute.value, false));
        }
        if &*element.name.local == "property" {
            found.extend(property(element).map(|(name, value)| setting(name, value, true)));
            continue;
        }
        let mut option = None;
        for node in &element.children {
            match node {
                Node::Text(text) if !text.value.trim().is_empty() => {
                    found.push(setting(&element.name.local, text, false));
                }
                Node::Element(child) if matches!(&*child.name.local, "arg" | "argument") => {
                    let text = only_text(child);
                    if let (Some(name), Some(value)) = (option, text) {
                        found.push(setting(name, value, true));
                    }
                    option = text.map(|text| text.value.trim()).filter(|text| text.starts_with('-'));
                }
                _ => {}
            }
        }
        let from = open.len();
        open.extend(element.elements().map(|child| (child, Some(element))));
        open[from..].reverse();
    }
    found
}

fn property(element: &Element) -> Option<(&str, &Text)> {
    Some((only_text(element.child("name")?)?.value.trim(), only_text(element.child("value")?)?))
}

/// The text of an element that holds one piece of it.
fn only_text(element: &Element) -> Option<&Text> {
    element.children.iter().find_map(|node| match node {
        Node::Text(text) => Some(&**text),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;
    use crate::xml::{self, Limits};

    fn listed(document: &str) -> Vec<String> {
        let file = Sources::new().add("a.xml", document);
        let (root, _) = xml::read(file, document, &Limits::default());
        let root = root.expect("well-formed");
        let line = |it: Setting<'_>| {
            let name = |element: Option<&Element>| element.map_or("-", |it| &it.name.local).to_owned();
            let mark = if it.is_property { "!" } else { "" };
            let value = it.value.value.trim();
            format!("{}/{} {}={value}{mark}", name(it.parent), name(it.element), it.name)
        };
        of_document(&root).into_iter().map(line).collect()
    }

    #[test]
    fn texts_attributes_and_properties_are_told_in_order() {
        let found = listed(
            "<a x='1'> <b y='2'>t<!-- c -->u</b><property><!-- c --><name> n </name><value><!-- c -->v</value></property>\
             <c><property><name>m</name></property><property><value>v</value></property><d>w</d></c> </a>",
        );
        assert_eq!(found, ["-/a x=1", "a/b y=2", "a/b b=t", "a/b b=u", "a/property n=v!", "c/d d=w"]);
    }

    #[test]
    fn an_argument_belongs_to_the_option_before_it() {
        let found = listed(
            "<j><arg>--password</arg><arg>x</arg><arg>y</arg><argument>-p</argument><argument>--q</argument>\
             <argument>z</argument><arg/><arg>--r</arg><other/><arg>s</arg></j>",
        );
        let pairs: Vec<_> = found.iter().filter(|line| line.ends_with('!')).collect();
        assert_eq!(pairs, ["-/j --password=x!", "-/j -p=--q!", "-/j --q=z!", "-/j --r=s!"]);
    }

    #[test]
    fn entries_of_a_properties_file_are_properties() {
        let text = "a.password=x\nb : ${a}\n";
        let file = Sources::new().add("job.properties", text);
        let (properties, _) = crate::properties::read(file, text);
        let found: Vec<_> = of_properties(&properties)
            .map(|it| (it.name, it.value.value.as_str(), it.is_property, it.stands_in("a", "b")))
            .collect();
        assert_eq!(found, [("a.password", "x", true, false), ("b", "${a}", true, false)]);
    }

    #[test]
    fn a_setting_knows_where_it_stands() {
        let file = Sources::new().add("a.xml", "<a><b>t</b></a>");
        let (root, _) = xml::read(file, "<a><b>t</b></a>", &Limits::default());
        let root = root.expect("well-formed");
        let [setting] = &of_document(&root)[..] else { panic!() };
        assert!(setting.stands_in("b", "a"));
        assert!(!setting.stands_in("b", "b") && !setting.stands_in("a", "a"));
    }
}
