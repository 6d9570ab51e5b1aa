//! Damaged documents: the tables, the Java platform's validator, `xsd-schema` and, where it is built in, libxml2 must agree
//! on every one.
//!
//! Valid documents are damaged at random, one to three times. `DAMAGE_ROUNDS` sets how many, `DAMAGE_SEED` which.

use crate::support::xsd_engine::{Pure, needed};
use crate::support::{self, java_schemas};
use std::fmt::Write as _;

use ankus::schema::{Engine, Kind, SCHEMAS, Selection, Version, check};
use ankus::source::Sources;
use ankus::xml::{Element, Limits, Node, read};

/// A small generator of numbers, the same on every machine (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides.max(1)
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.roll(list.len())]
    }
}

/// A document that can be damaged.
#[derive(Clone, Debug)]
enum Part {
    Tag(Tag),
    /// Text as written: references, CDATA, comments and instructions included.
    Raw(String),
}

#[derive(Clone, Debug)]
struct Tag {
    space: String,
    local: String,
    /// As written, with prefixes.
    attributes: Vec<(String, String)>,
    parts: Vec<Part>,
}

impl Tag {
    fn of(element: &Element) -> Tag {
        let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let parts = element.children.iter().map(|node| match node {
            Node::Element(child) => Part::Tag(Tag::of(child)),
            Node::Text(text) => Part::Raw(escape(&text.value)),
            Node::Comment(_) => Part::Raw("<!-- c -->".into()),
        });
        let attributes = element.attributes.iter().filter(|one| one.name.namespace.is_empty());
        Tag {
            space: element.name.namespace.to_string(),
            local: element.name.local.to_string(),
            attributes: attributes
                .map(|one| (one.name.local.to_string(), escape(&one.value.value)))
                .collect(),
            parts: parts.collect(),
        }
    }

    fn write(&self, outer: Option<&str>, out: &mut String) {
        write!(out, "<{}", self.local).unwrap();
        if outer != Some(&self.space) && (outer.is_some() || !self.space.is_empty()) {
            write!(out, " xmlns=\"{}\"", self.space).unwrap();
        }
        for (name, value) in &self.attributes {
            write!(out, " {name}=\"{value}\"").unwrap();
        }
        if self.parts.is_empty() {
            out.push_str("/>");
            return;
        }
        out.push('>');
        for part in &self.parts {
            match part {
                Part::Tag(tag) => tag.write(Some(&self.space), out),
                Part::Raw(text) => out.push_str(text),
            }
        }
        write!(out, "</{}>", self.local).unwrap();
    }

    /// The nth element below and including this one, in the order of the document.
    fn nth(&mut self, left: &mut usize) -> Option<&mut Tag> {
        if *left == 0 {
            return Some(self);
        }
        *left -= 1;
        self.parts.iter_mut().find_map(|part| match part {
            Part::Tag(tag) => tag.nth(left),
            Part::Raw(_) => None,
        })
    }

    fn count(&self) -> usize {
        let below = self.parts.iter().map(|part| match part {
            Part::Tag(tag) => tag.count(),
            Part::Raw(_) => 0,
        });
        1 + below.sum::<usize>()
    }
}

const VALUES: &[&str] = &[
    "",
    " ",
    "x",
    "_x",
    "-x",
    "9",
    "a b",
    "x ",
    "${x}",
    "ä",
    "a.b",
    "true",
    "TRUE",
    " false ",
    "1",
    "0",
    "+1",
    "-0",
    "-1",
    "32767",
    "32768",
    "-32768",
    "-32769",
    "4294967295",
    "4294967296",
    "00000000007",
    "1.0",
    "1e2",
    "0x1",
    "&#10;1&#9;",
    "99999999999999999999",
    "+",
    "x\u{a0}",
    "\u{a0}1",
    "a&#13;",
];
const RAWS: &[&str] = &[
    " ",
    "\n",
    "text",
    "<!-- c -->",
    "<?p i?>",
    "<![CDATA[ ]]>",
    "<![CDATA[]]>",
    "<![CDATA[x]]>",
    "&#32;",
    "&#x20;",
    "&#xa0;",
    "\u{a0}",
    "7",
    " 7 ",
    "-7",
    "&#13;",
];
const ATTRIBUTES: &[(&str, &str)] = &[
    ("name", "x"),
    ("to", "x"),
    ("path", "/x"),
    ("cred", "c"),
    ("retry-max", "1"),
    ("retry-policy", "p"),
    ("retry-interval", "1"),
    ("skip-trash", "true"),
    ("nocleanup", "false"),
    ("dataset", "d"),
    ("bogus", "1"),
    ("xml:lang", "en"),
    ("xml:space", "preserve"),
    ("xml:base", "a"),
    ("xmlns:q", "urn:q"),
    ("min", "1"),
    ("wait", "1"),
    ("enabled", "true"),
    ("critical", "x"),
    ("Name", "x"),
];
/// Types of the schemas and of XSD, and what is neither.
const TYPES: &[&str] = &[
    "string",
    "normalizedString",
    "token",
    "language",
    "NMTOKEN",
    "Name",
    "NCName",
    "boolean",
    "short",
    "byte",
    "unsignedInt",
    "unsignedShort",
    "unsignedByte",
    "IDENTIFIER",
    "FLAG",
    "CASE",
    "HTTP-POST",
    "ACTION",
    "FS",
    "CONFIGURATION",
    "WORKFLOW-APP",
    "COORDINATOR-APP",
    "DATASETS",
    "PREPARE",
    "SWITCH",
    "LAUNCHER",
    " FLAG ",
    "none",
    "a:b",
    "",
];
const NAMES: &[&str] = &[
    "bogus",
    "ok",
    "error",
    "action",
    "start",
    "end",
    "kill",
    "fork",
    "path",
    "configuration",
    "property",
    "name",
    "value",
    "description",
    "job-xml",
    "name-node",
    "job-tracker",
    "resource-manager",
    "launcher",
    "global",
    "parameters",
    "file",
    "archive",
    "arg",
    "args",
    "script",
    "query",
    "info",
    "data-in",
    "and",
    "or",
    "combine",
    "instance",
    "start-instance",
    "end-instance",
    "datasets",
    "dataset",
    "vcores",
    "memory.mb",
    "prepare",
    "delete",
    "mkdir",
    "streaming",
    "pipes",
    "shell",
    "fs",
    "java",
    "switch",
    "workflow-app",
    "coordinator-app",
    "bundle-app",
    "include",
    "async-dataset",
    "input-logic",
    "setrep",
    "chgrp",
    "touchz",
    "recursive",
    "capture-output",
    "java-opt",
    "java-opts",
    "credential",
    "credentials",
    "end",
];

/// Damages a document once; what it does may as well leave it right.
fn damage(root: &mut Tag, others: &[Tag], dice: &mut Dice) {
    let count = root.count();
    let donor = {
        let mut donor = dice.pick(others).clone();
        let mut at = dice.roll(donor.count());
        donor.nth(&mut at).expect("it is in the tree").clone()
    };
    let mut at = dice.roll(count);
    let tag = root.nth(&mut at).expect("it is in the tree");
    let tags: Vec<usize> =
        (0..tag.parts.len()).filter(|index| matches!(tag.parts[*index], Part::Tag(_))).collect();
    let child = if tags.is_empty() { None } else { Some(*dice.pick(&tags)) };
    let place = dice.roll(tag.parts.len() + 1);
    match (dice.roll(18), child) {
        (0, Some(child)) => drop(tag.parts.remove(child)),
        (1, Some(child)) => tag.parts.insert(place, tag.parts[child].clone()),
        (2, Some(child)) => {
            let other = *dice.pick(&tags);
            tag.parts.swap(child, other);
        }
        (3, Some(child)) => {
            let moved = tag.parts.remove(child);
            tag.parts.insert(dice.roll(tag.parts.len() + 1), moved);
        }
        (4, _) => tag.local = dice.pick(NAMES).to_string(),
        (5, _) => tag.local.push('s'),
        (6, _) => {
            tag.space = match dice.roll(6) {
                0 => String::new(),
                1 => "urn:other".into(),
                2 => "uri:oozie:workflow:9.9".into(),
                _ => dice.pick(SCHEMAS).namespace.into(),
            }
        }
        (7, _) => tag.parts.insert(place, Part::Raw(dice.pick(RAWS).to_string())),
        (8, _) => tag.parts.insert(place, Part::Tag(donor)),
        (9, _) => {
            let mut donor = donor;
            donor.space = tag.space.clone();
            tag.parts.insert(place, Part::Tag(donor));
        }
        (10, _) => {
            let (name, value) = dice.pick(ATTRIBUTES);
            if tag.attributes.iter().all(|(other, _)| other != name) {
                tag.attributes.push((name.to_string(), value.to_string()));
            }
        }
        (11, _) if !tag.attributes.is_empty() => {
            let at = dice.roll(tag.attributes.len());
            tag.attributes.remove(at);
        }
        (12, _) if !tag.attributes.is_empty() => {
            let at = dice.roll(tag.attributes.len());
            tag.attributes[at].1 = dice.pick(VALUES).to_string();
        }
        (13, None) => tag.parts = vec![Part::Raw(dice.pick(VALUES).to_string())],
        (14, _) => {
            let attributes = vec![("path".into(), "/x".into()), ("name".into(), "x".into())];
            let (space, local) = (tag.space.clone(), dice.pick(NAMES).to_string());
            let attributes = if dice.roll(2) == 0 { attributes } else { Vec::new() };
            tag.parts.insert(place, Part::Tag(Tag { space, local, attributes, parts: Vec::new() }));
        }
        (15, _) => {
            // The same definition by another version of its schema, all through.
            let from = tag.space.clone();
            let family = SCHEMAS.iter().filter(|file| from.starts_with(file.family)).collect::<Vec<_>>();
            if let Some(file) = (!family.is_empty()).then(|| *dice.pick(&family)) {
                respace(tag, &from, file.namespace);
            }
        }
        (16, _) if dice.roll(4) == 0 => *root = donor,
        (17, _) => speak_to_the_validator(tag, dice),
        _ => {}
    }
}

/// Adds an attribute that validators read: mostly the element's choice of its own type.
fn speak_to_the_validator(tag: &mut Tag, dice: &mut Dice) {
    let declared = |name: &str| tag.attributes.iter().any(|(other, _)| other == name);
    let (name, value) = match dice.roll(8) {
        0 => ("xsi:nil", (*dice.pick(VALUES)).to_owned()),
        1 => ("xsi:schemaLocation", "uri:oozie:workflow:0.5 http://localhost/none.xsd".to_owned()),
        2 => ("xsi:noNamespaceSchemaLocation", "none.xsd".to_owned()),
        _ => ("xsi:type", format!("{}{}", dice.pick(&["", "xs:", "t:"]), dice.pick(TYPES))),
    };
    if declared("xmlns:xsi") {
        return;
    }
    // A prefix cannot stand for no namespace, which is the one of 2009.
    let named = SCHEMAS.iter().filter(|file| !file.namespace.is_empty()).collect::<Vec<_>>();
    let spaces = [
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
        ("xmlns:xs", "http://www.w3.org/2001/XMLSchema"),
        ("xmlns:t", dice.pick(&named).namespace),
        (name, &value),
    ];
    tag.attributes.extend(spaces.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

fn respace(tag: &mut Tag, from: &str, to: &str) {
    if tag.space == from {
        tag.space = to.into();
    }
    for part in &mut tag.parts {
        if let Part::Tag(tag) = part {
            respace(tag, from, to);
        }
    }
}

/// Documents to start from: a few of our own, and the recorded valid ones when they are there.
fn seeds() -> Vec<(Kind, Tag)> {
    let mut texts: Vec<(Kind, String)> = SEEDS.iter().map(|(kind, text)| (*kind, text.to_string())).collect();
    if let Some(path) = support::reference_for("damage of recorded documents", "oracle/schema/cases.jsonl") {
        for line in std::fs::read_to_string(path).expect("the cases are there").lines() {
            let case: serde_json::Value = serde_json::from_str(line).expect("a case is JSON");
            let kind = match case["kind"].as_str() {
                Some("workflow") => Kind::Workflow,
                Some("coordinator") => Kind::Coordinator,
                _ => Kind::Bundle,
            };
            if case["valid"] == true {
                texts.push((kind, case["xml"].as_str().expect("a text").to_owned()));
            }
        }
    }
    let tree = |(kind, text): &(Kind, String)| {
        let file = Sources::new().add("seed.xml", text.as_str());
        (*kind, Tag::of(&read(file, text, &Limits::default()).0.expect("a seed is well-formed")))
    };
    texts.iter().map(tree).collect()
}

const SEEDS: &[(Kind, &str)] = &[
    (
        Kind::Workflow,
        r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5"><parameters><property><name>a</name></property></parameters>
<start to="f"/><fork name="f"><path start="a"/><path start="b"/></fork>
<action name="a" cred="c"><shell xmlns="uri:oozie:shell-action:0.3"><exec>x</exec><file>x</file><capture-output/></shell><ok to="j"/><error to="k"/></action>
<action name="b"><fs><delete path="/x" skip-trash="true"/><setrep path="/x" replication-factor="3"/></fs><ok to="j"/><error to="k"/>
<sla:info xmlns:sla="uri:oozie:sla:0.2"><sla:nominal-time>n</sla:nominal-time><sla:should-end>e</sla:should-end></sla:info></action>
<join name="j" to="d"/><decision name="d"><switch><case to="e">${x}</case><default to="k"/></switch></decision>
<kill name="k"><message>m</message></kill><end name="e"/></workflow-app>"#,
    ),
    (
        Kind::Workflow,
        r#"<workflow-app name="w" xmlns="uri:oozie:workflow:1.0"><global><launcher><vcores>2</vcores><env>e</env></launcher></global><start to="a"/>
<action name="a"><hive2 xmlns="uri:oozie:hive2-action:1.0"><jdbc-url>j</jdbc-url><query>q</query><param>p</param></hive2><ok to="e"/><error to="e"/></action>
<action name="b"><map-reduce><streaming><mapper>m</mapper></streaming><configuration><property><name>n</name><value>v</value></property></configuration></map-reduce><ok to="e"/><error to="e"/></action>
<end name="e"/></workflow-app>"#,
    ),
    (
        Kind::Coordinator,
        r#"<coordinator-app xmlns="uri:oozie:coordinator:0.5" name="c" frequency="1" start="s" end="e" timezone="UTC"><controls><timeout>1</timeout></controls>
<datasets><include>i</include><dataset name="d" frequency="1" initial-instance="i" timezone="UTC"><uri-template>u</uri-template><done-flag/></dataset></datasets>
<input-events><data-in name="i" dataset="d"><start-instance>a</start-instance><end-instance>b</end-instance></data-in></input-events>
<input-logic><or name="o"><and><data-in dataset="i"/></and><combine><data-in dataset="i"/><data-in dataset="j"/></combine></or></input-logic>
<output-events><data-out name="o" dataset="d" nocleanup="true"><instance>x</instance></data-out></output-events>
<action><workflow><app-path>p</app-path></workflow></action></coordinator-app>"#,
    ),
    (
        Kind::Bundle,
        r#"<bundle-app xmlns="uri:oozie:bundle:0.2" name="b"><controls><kick-off-time>k</kick-off-time></controls>
<coordinator name="c" enabled="true"><app-path>p</app-path></coordinator></bundle-app>"#,
    ),
];

/// Where libxml2 2.9 does not judge as Java's validator: CDATA among elements or in an empty one, signs and blanks of whole
/// numbers, elements that choose their type.
#[cfg(feature = "libxml")]
const LIBXML_DIFFERS: &[&str] = &["<![CDATA[", "<vcores", "<memory.mb", "replication-factor=", "xsi:"];

/// How many documents are damaged.
fn rounds() -> usize {
    let asked = std::env::var("DAMAGE_ROUNDS").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(if std::env::var_os("ANKUS_THOROUGH").is_some() { 6_000 } else { 1_500 })
}

/// Damaged documents, the same each time.
fn damaged(rounds: usize) -> Vec<(Kind, String)> {
    let seed = std::env::var("DAMAGE_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(20_090_102);
    let mut dice = Dice(seed);
    let seeds = seeds();
    let others: Vec<Tag> = seeds.iter().map(|(_, tag)| tag.clone()).collect();
    let mut documents = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        let (kind, mut tag) = dice.pick(&seeds).clone();
        for _ in 0..=dice.roll(3) {
            damage(&mut tag, &others, &mut dice);
        }
        let mut text = String::new();
        tag.write(None, &mut text);
        documents.push((kind, text));
    }
    documents
}

/// The messages of the tables, and what was read.
fn by_tables(kind: Kind, text: &str) -> (Element, Vec<String>) {
    let file = Sources::new().add("damaged.xml", text);
    let (root, found) = read(file, text, &Limits::default());
    let root = root.unwrap_or_else(|| panic!("{found:?}\n{text}"));
    let findings = check(&root, text, kind);
    (root, findings.into_iter().map(|finding| finding.message).collect())
}

#[test]
fn other_engines_agree_on_damaged_documents() {
    let documents = damaged(rounds());
    let mut invalid = 0;
    for (round, (kind, text)) in documents.iter().enumerate() {
        let (root, words) = by_tables(*kind, text);
        let all = Selection::of(*kind, Version::default());
        let complaints = Pure.complaints(needed(&root, all), text).expect("it is read");
        assert_eq!(
            words.is_empty(),
            complaints.is_empty(),
            "round {round}: {complaints:?} {words:?}\n{text}"
        );
        #[cfg(feature = "libxml")]
        if !LIBXML_DIFFERS.iter().any(|mark| text.contains(mark)) {
            let second = ankus::schema::Native.complaints(all, text).expect("it is read");
            assert_eq!(words.is_empty(), second.is_empty(), "round {round}: {words:?} {second:?}\n{text}");
        }
        invalid += usize::from(!words.is_empty());
    }
    let rounds = documents.len();
    assert!(invalid > rounds / 2 && invalid < rounds, "{invalid} of {rounds} are invalid");
}

#[test]
#[cfg_attr(not(has_javac), ignore = "needs java")]
fn the_java_platform_agrees_on_damaged_documents() {
    let documents = damaged(rounds());
    let mut wrong = Vec::new();
    for ((kind, text), complaint) in documents.iter().zip(java_schemas::complaints(&documents)) {
        let (_, words) = by_tables(*kind, text);
        if words.is_empty() != complaint.is_none() {
            wrong.push(format!("{complaint:?} {words:?}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), documents.len(), wrong.join("\n"));
}
