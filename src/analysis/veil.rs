//! Stars in the place of secrets, wherever they turn up again: what a property with the name of a secret has held is
//! hidden in messages, URIs, definitions and logs too.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::secrets::{is_secret, names_secret, veiled, within};

/// Shorter values are not hidden elsewhere: too many words hold them.
const LEAST_CHARS: usize = 4;

const STARS: &str = "***";

/// What is known to be secret.
#[derive(Clone, Debug, Default)]
pub struct Veil {
    /// Sorted by length, the longest first: one may lie within another.
    values: BTreeSet<(std::cmp::Reverse<usize>, String)>,
    /// The names of what was looked through.
    met: BTreeSet<String>,
}

impl Veil {
    /// Takes in a property.
    pub fn learn(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if names_secret(name) && is_secret(value) {
            self.keep(value);
        }
        if value.contains("://") || value.contains('=') || value.contains(char::is_whitespace) {
            for (_, range) in within(value) {
                self.keep(&value[range]);
            }
        }
    }

    /// Takes in the properties of a configuration.
    pub fn learn_all<'p>(&mut self, properties: impl IntoIterator<Item = (&'p str, &'p str)>) {
        for (name, value) in properties {
            self.learn(name, value);
        }
    }

    /// Takes in what a definition holds; of a name once.
    pub fn learn_definitions<'d>(&mut self, name: &str, texts: impl IntoIterator<Item = &'d str>) {
        if self.met.insert(name.to_owned()) {
            for text in texts {
                for range in of_definition(text) {
                    self.keep(&text[range]);
                }
            }
        }
    }

    fn keep(&mut self, value: &str) {
        if value.chars().count() >= LEAST_CHARS {
            self.values.insert((std::cmp::Reverse(value.len()), value.to_owned()));
        }
    }

    /// A text with stars for the secrets in it.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let shown = self.known(text);
        match veiled(None, &shown) {
            Cow::Borrowed(_) => shown,
            Cow::Owned(more) => Cow::Owned(more),
        }
    }

    /// A text with stars for what is known already.
    fn known<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut shown = Cow::Borrowed(text);
        for (_, value) in &self.values {
            if shown.contains(value.as_str()) {
                shown = Cow::Owned(shown.replace(value.as_str(), STARS));
            }
        }
        shown
    }

    /// A definition with stars for the secrets in it: in properties, and in arguments that stand one after the other.
    pub fn xml(&self, text: &str) -> String {
        let mut shown = String::with_capacity(text.len());
        let mut at = 0;
        for range in of_definition(text) {
            if range.start >= at {
                shown.push_str(&text[at..range.start]);
                shown.push_str(STARS);
                at = range.end;
            }
        }
        shown.push_str(&text[at..]);
        self.known(&shown).into_owned()
    }
}

/// Where secrets stand in a definition, in order.
fn of_definition(text: &str) -> Vec<Range<usize>> {
    let mut found = properties_of(text);
    // What the tags are does not matter to where a secret stands, but attributes may hold one too.
    for flat in [without_tags(text), text.replace(['<', '>', '"', '\''], " ")] {
        found.extend(within(&flat).into_iter().map(|(_, range)| range));
    }
    found.sort_by_key(|range| range.start);
    found
}

/// The text with spaces for its tags, byte for byte.
fn without_tags(text: &str) -> String {
    let mut inside = false;
    let blank = |c: char| {
        let is_tag = inside || c == '<';
        inside = (inside || c == '<') && c != '>';
        if is_tag { " ".repeat(c.len_utf8()) } else { c.to_string() }
    };
    text.chars().map(blank).collect()
}

/// The values of properties whose names are those of secrets.
fn properties_of(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, mark) in text.match_indices("<name>") {
        let rest = &text[at + mark.len()..];
        let Some((name, behind)) = rest.split_once("</name>") else { continue };
        let Some(value) = behind.trim_start().strip_prefix("<value>") else { continue };
        let start = text.len() - value.len();
        let Some((value, _)) = value.split_once("</value>") else { continue };
        if names_secret(name.trim()) && is_secret(value) {
            found.push(start..start + value.len());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learnt_is_hidden_everywhere() {
        let mut veil = Veil::default();
        veil.learn_all([
            ("db.password", "hunter22"),
            ("short.password", "abc"),
            ("jdbc.url", "jdbc:mysql://app:s3cr3ts@db/x"),
            ("plain", "kept"),
            ("admin.password", "hunter2233"),
        ]);
        let text = "hunter22 abc s3cr3ts kept hunter2233 https://u:pa55word@h/";
        assert_eq!(veil.text(text), "*** abc *** kept *** https://u:***@h/");
    }

    #[test]
    fn secrets_in_values_are_learnt_wherever_they_show() {
        let check = |name: &str, value: &str, text: &str, expected: &str| {
            let mut veil = Veil::default();
            veil.learn(name, value);
            assert_eq!(veil.text(text), expected, "{name} {value}");
        };
        check("options", "db.password=hunter22", "a hunter22 b", "a *** b");
        check("command", "import --password hunter22", "a hunter22 b", "a *** b");
        check("url", "sftp://bob:hunter22@host", "a hunter22 b", "a *** b");
        check("word", "hunter22", "a hunter22 b", "a hunter22 b");
        // A placeholder is no secret, and three characters are too few to look for.
        check("db.password", "changeme", "a changeme b", "a changeme b");
        check("db.password", " äbcd ", "xäbcdx", "x***x");
        check("db.password", "äbc", "xäbcx", "xäbcx");
    }

    #[test]
    fn a_definition_is_looked_through_once() {
        let mut veil = Veil::default();
        let definition = |value: &str| format!("<name>my.password</name><value>{value}</value>");
        veil.learn_definitions("w", [&*definition("hunter22"), "<arg>--token</arg><arg>hunter33</arg>"]);
        veil.learn_definitions("w", [&*definition("hunter44")]);
        veil.learn_definitions("v", [&*definition("hunter55")]);
        assert_eq!(veil.text("hunter22 hunter33 hunter44 hunter55"), "*** *** hunter44 ***");
    }

    #[test]
    fn definitions_show_no_secrets() {
        let text = "<a><argument>--password</argument>\n <argument>hünter22</argument><x uri=\"ä\"/>\
                    <property><name>my.secret</name>\n<value>topmost1</value></property>\
                    <property><name>my.place</name><value>here1</value></property><arg>token=t0psecret</arg>\
                    <env-var>API_TOKEN=t0k3n-v</env-var><ok to=\"end\"/><fs at='hdfs://u:s3cr3ts@nn/x'/></a>";
        let shown = Veil::default().xml(text);
        let expected = text.replace("hünter22", "***").replace("topmost1", "***").replace("t0psecret", "***");
        assert_eq!(shown, expected.replace("t0k3n-v", "***").replace("s3cr3ts", "***"));
    }
}
