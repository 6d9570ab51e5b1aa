//! What a definition calls things: names of apps, nodes, datasets and properties, elements, files. None of them is a
//! secret, whatever somebody has chosen for a password, so nothing is redacted where such a name stands.

use std::collections::BTreeSet;

use crate::analysis::secrets::names_secret;

/// Attributes whose values are names.
const NAMES: &[&str] = &["name", "to", "dataset", "path", "start", "xmlns", "cred", "retry-policy"];

/// Elements whose text is a name, or a path whose parts are.
const PATHS: &[&str] = &[
    "name",
    "app-path",
    "uri-template",
    "exec",
    "script",
    "file",
    "archive",
    "job-xml",
    "main-class",
    "class",
    "done-flag",
    "name-node",
    "job-tracker",
    "resource-manager",
];

/// The names in the text of a definition, as they are written: without what expressions put in, but with the names that
/// these ask for.
pub fn names_in(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let comment = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"), ("/", ">")];
        if let Some((_, end)) = comment.iter().find(|(begin, _)| rest.starts_with(begin)) {
            rest = rest.find(end).map_or("", |at| &rest[at + end.len()..]);
            continue;
        }
        let end = rest.find('>').unwrap_or(rest.len());
        let (tag, behind) = rest.split_at(end);
        let element = of_tag(tag, &mut names);
        if PATHS.contains(&element)
            && let Some(content) = behind.strip_prefix('>')
        {
            let content = &content[..content.find('<').unwrap_or(content.len())];
            literal_parts(content).for_each(|part| add_path(part, &mut names));
        }
        rest = behind;
    }
    asked_for(text, &mut names);
    names
}

/// The names in the value of a property that leads to an app or names a cluster.
pub(super) fn of_property(name: &str, value: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let name = name.to_ascii_lowercase();
    let leads =
        ["application.path", "namenode", "name-node", "jobtracker", "resourcemanager", "fs.defaultfs"];
    if leads.iter().any(|end| name.ends_with(end)) {
        add_path(value, &mut names);
    }
    names
}

/// The names in a tag; its own is given back, without a prefix.
fn of_tag<'t>(tag: &'t str, names: &mut BTreeSet<String>) -> &'t str {
    let end = tag.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(tag.len());
    let element = tag[..end].rsplit(':').next().unwrap_or_default();
    add(element, names);
    let mut rest = &tag[end..];
    while let Some((before, value)) = rest.split_once('=') {
        let attribute = before.trim();
        let value = value.trim_start();
        let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else { break };
        let value = &value[1..];
        let (value, behind) = value.split_once(quote).unwrap_or((value, ""));
        add(attribute, names);
        if NAMES.contains(&attribute) || attribute.starts_with("xmlns") {
            literal_parts(value).for_each(|part| add(part, names));
        }
        rest = behind;
    }
    element
}

/// A text without its expressions.
fn literal_parts(text: &str) -> impl Iterator<Item = &str> {
    let behind = |part: &'_ str| part.find('}').map_or(part.len(), |end| end + 1);
    let mut parts = text.split("${");
    let first = parts.next();
    first.into_iter().chain(parts.map(move |part| &part[behind(part)..]))
}

/// The parts of a path, but for those that may hold somebody's password.
fn add_path(path: &str, names: &mut BTreeSet<String>) {
    let is_plain = |part: &&str| !part.contains(['@', '=', ':', '?', '&']);
    path.split(['/', '#', ',']).filter(is_plain).for_each(|part| add(part, names));
    if let Some((scheme, _)) = path.split_once("://")
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    {
        names.insert(format!("{scheme}://"));
    }
}

/// The names that expressions ask for; what stands in quotes is a value.
fn asked_for(text: &str, names: &mut BTreeSet<String>) {
    for part in text.split("${").skip(1) {
        let (mut quote, mut word) = (None, String::new());
        for c in part.chars() {
            let is_of_word = quote.is_none() && (c.is_alphanumeric() || matches!(c, '_' | '.' | '-'));
            if is_of_word {
                word.push(c);
                continue;
            }
            add(&std::mem::take(&mut word), names);
            match quote {
                Some(open) if open == c => quote = None,
                None if matches!(c, '"' | '\'') => quote = Some(c),
                None if c == '}' => break,
                _ => {}
            }
        }
    }
}

fn add(name: &str, names: &mut BTreeSet<String>) {
    let name = name.trim();
    // An element that says that it holds a secret names none.
    let is_of_secret = name.eq_ignore_ascii_case("password") || names_secret(name) && name.len() < 8;
    if !(name.is_empty() || is_of_secret) {
        names.insert(name.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::names_in;

    #[test]
    fn names_are_those_that_a_definition_writes() {
        let text = r#"<workflow-app name="load-${x}" xmlns="uri:oozie:workflow:1.0"><!-- <a name="no1"/> -->
            <start to='load_a'/><action name="load_a"><shell><exec>bin/load.sh</exec><argument>no2</argument>
            <env-var>A=no3</env-var></shell></action><property><name>db.password</name><value>no4</value></property>
            <uri-template>sftp://u:no5@host/data/${YEAR}?token=no6</uri-template>
            <message>${wf:conf('no7')} ${user_load}</message><password>no8</password></workflow-app>"#;
        let names = names_in(text);
        for name in
            ["workflow-app", "load-", "load_a", "load.sh", "bin", "db.password", "data", "user_load", "shell"]
        {
            assert!(names.contains(name), "{name}: {names:?}");
        }
        assert!(!names.iter().any(|name| name.contains("no") && name.len() == 3), "{names:?}");
    }

    #[test]
    fn no_text_is_too_odd() {
        for text in
            ["", "<", "<a", "<a b", "<a b=", "<a b='", "${", "${'", "<!--", "<name>", "<é name=\"ü\">", "</"]
        {
            names_in(text);
        }
    }
}
