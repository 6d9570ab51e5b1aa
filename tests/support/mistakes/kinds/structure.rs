//! Mistakes in elements, attributes, namespaces and in XML itself.

use super::super::document::{Document, Edit, Element, hash, typo};
use super::Make::{Attribute, Element as Of, Raw};
use super::{Kinds, everywhere, is_body, is_node, kind};

fn is_oozie(d: &Document<'_>, e: &Element<'_>) -> bool {
    e.parent.is_some() && d.root().name != "configuration"
}

fn below_body(d: &Document<'_>, e: &Element<'_>, name: &str) -> bool {
    e.name == name && d.parent(e).is_some_and(|parent| is_body(d, parent))
}

/// The text of the declaration of the root's namespace.
fn version<'t>(d: &Document<'t>) -> Option<(&'t str, usize)> {
    let head = &d.text[d.root().range.start..];
    let head = &head[..head.find('>')?];
    let at = head.find("xmlns=")? + 7;
    let uri = head[at..].split(['"', '\'']).next()?;
    Some((uri, d.root().range.start + at))
}

fn root_namespace(
    d: &Document<'_>,
    e: &Element<'_>,
    change: impl Fn(&str) -> Option<String>,
) -> Option<Edit> {
    let (uri, at) = version(d).filter(|_| e.parent.is_none())?;
    let with = change(uri).filter(|with| with != uri)?;
    Some(Edit::new(at..at + uri.len(), with))
}

/// The declaration of an action's own namespace.
fn body_namespace(d: &Document<'_>, e: &Element<'_>, change: impl Fn(&str) -> String) -> Option<Edit> {
    let head = d.written(e).split('>').next()?;
    let at = head.find("xmlns=\"")? + 7;
    let uri = head[at..].split('"').next()?;
    let at = e.range.start + at;
    is_body(d, e).then(|| Edit::new(at..at + uri.len(), change(uri)))
}

fn attribute_gone(e: &Element<'_>, of: &str, name: &str) -> Option<Edit> {
    let attribute = e.attribute(name).filter(|_| e.name == of)?;
    Some(Edit::new(attribute.range.start - 1..attribute.range.end, ""))
}

pub const KINDS: Kinds = &[
    kind(
        "element-typo",
        Of(|d, e| {
            (is_oozie(d, e) && e.name.len() > 2).then(|| d.renamed(e, &typo(e.name, hash(d.written(e)))))
        }),
    ),
    kind(
        "element-case",
        Of(|d, e| {
            let mut name = e.name.to_owned();
            name[..1].make_ascii_uppercase();
            is_oozie(d, e).then(|| d.renamed(e, &name))
        }),
    ),
    kind(
        "element-camel-case",
        Of(|d, e| {
            let mut parts = e.name.split('-');
            let first = parts.next()?.to_owned();
            let name = parts.fold(first, |name, part| name + &part[..1].to_uppercase() + &part[1..]);
            (is_oozie(d, e) && name != e.name).then(|| d.renamed(e, &name))
        }),
    ),
    kind(
        "element-underscore",
        Of(|d, e| (is_oozie(d, e) && e.name.contains('-')).then(|| d.renamed(e, &e.name.replace('-', "_")))),
    ),
    kind(
        "element-plural",
        Of(|d, e| {
            let names = [
                "argument",
                "arg",
                "file",
                "property",
                "credential",
                "parameter",
                "dataset",
                "param",
                "path",
            ];
            (is_oozie(d, e) && names.contains(&e.name)).then(|| d.renamed(e, &format!("{}s", e.name)))
        }),
    ),
    kind(
        "attribute-typo",
        Of(|d, e| {
            let a = e.attributes.first().filter(|_| d.root().name != "configuration")?;
            let start = a.range.start;
            (a.name.len() > 1)
                .then(|| Edit::new(start..start + a.name.len(), typo(a.name, hash(d.written(e)))))
        }),
    ),
    kind(
        "attribute-missing",
        Of(|d, e| {
            let a = e.attributes.first().filter(|_| d.root().name != "configuration")?;
            Some(Edit::new(a.range.start - 1..a.range.end, ""))
        }),
    ),
    kind(
        "attribute-doubled",
        Of(|_, e| {
            let a = e.attributes.last()?;
            Some(Edit::new(a.range.end..a.range.end, format!(" {}=\"{}\"", a.name, a.value)))
        }),
    ),
    kind("action-name-missing", Of(|d, e| is_node(d, e).then(|| attribute_gone(e, "action", "name"))?)),
    kind(
        "job-tracker-missing",
        Of(|d, e| {
            (below_body(d, e, "job-tracker")
                || below_body(d, e, "resource-manager")
                || e.name == "job-tracker" && d.is_in(e, "global"))
            .then(|| d.without(e))
        }),
    ),
    kind(
        "name-node-missing",
        Of(|d, e| {
            (below_body(d, e, "name-node") || e.name == "name-node" && d.is_in(e, "global"))
                .then(|| d.without(e))
        }),
    ),
    kind(
        "required-child-missing",
        Of(|d, e| {
            let names = [
                "script",
                "exec",
                "main-class",
                "jar",
                "master",
                "command",
                "host",
                "to",
                "subject",
                "body",
                "app-path",
                "class",
                "query",
            ];
            let is_one = names.contains(&e.name)
                && d.parent(e).is_some_and(|parent| is_body(d, parent) || parent.name == "workflow");
            is_one.then(|| d.without(e))
        }),
    ),
    kind(
        "child-doubled",
        Of(|d, e| {
            let names = [
                "job-tracker",
                "name-node",
                "script",
                "exec",
                "main-class",
                "configuration",
                "prepare",
                "master",
                "command",
                "subject",
                "app-path",
            ];
            names.contains(&e.name).then(|| d.doubled(e))
        }),
    ),
    kind(
        "children-swapped",
        Of(|d, e| {
            let (first, second) = (&d.elements[*e.children.first()?], &d.elements[*e.children.get(1)?]);
            (is_body(d, e) && first.name != second.name).then(|| d.swapped(first, second))
        }),
    ),
    kind(
        "configuration-last",
        Of(|d, e| {
            let last = &d.elements[*e.children.last()?];
            let conf =
                d.child(e, "configuration").filter(|_| is_body(d, e) && last.name != "configuration")?;
            Some(d.swapped(conf, last))
        }),
    ),
    kind(
        "element-in-wrong-parent",
        Of(|d, e| {
            // `file` and `capture-output` within the configuration.
            let conf = d.child(d.parent(e)?, "configuration")?;
            let is_meant = ["file", "capture-output", "param", "script"].contains(&e.name);
            if !is_meant || conf.range.end >= e.range.start || !d.written(conf).ends_with("</configuration>")
            {
                return None;
            }
            let end = conf.range.end - "</configuration>".len();
            let with = format!("{}{}", d.written(e), &d.text[end..e.range.start]);
            Some(Edit::new(end..e.range.end, with))
        }),
    ),
    kind(
        "property-without-value",
        Of(|d, e| {
            (e.name == "value" && d.is_in(e, "property") && !d.is_below(e, "parameters"))
                .then(|| d.without(e))
        }),
    ),
    kind(
        "property-without-name",
        Of(|d, e| (e.name == "name" && d.is_in(e, "property")).then(|| d.without(e))),
    ),
    kind(
        "property-unwrapped",
        Of(|d, e| {
            let inner =
                e.children.iter().map(|at| d.written(&d.elements[*at])).collect::<Vec<_>>().join("\n");
            (e.name == "property" && !inner.is_empty()).then(|| Edit::new(e.range.clone(), inner))
        }),
    ),
    kind(
        "property-name-doubled",
        Of(|d, e| {
            let value = d.child(e, "value").filter(|_| e.name == "property")?;
            let (text, range) = value.text.clone()?;
            let mut other = d.written(e).to_owned();
            let at = range.start - e.range.start;
            other.replace_range(at..at + text.len(), "another");
            Some(Edit::new(e.range.end..e.range.end, format!("\n{other}")))
        }),
    ),
    kind(
        "namespace-missing",
        Of(|d, e| {
            let (uri, at) = version(d).filter(|_| e.parent.is_none())?;
            Some(Edit::new(at - 8..at + uri.len() + 1, ""))
        }),
    ),
    kind("namespace-typo", Of(|d, e| root_namespace(d, e, |uri| replaced(uri, "oozie", "ozzie")))),
    kind(
        "namespace-unknown-version",
        Of(|d, e| root_namespace(d, e, |uri| Some(format!("{}:0.9", uri.rsplit_once(':')?.0)))),
    ),
    kind(
        "namespace-too-old",
        Of(|d, e| root_namespace(d, e, |uri| Some(format!("{}:0.1", uri.rsplit_once(':')?.0)))),
    ),
    kind(
        "namespace-of-other-kind",
        Of(|d, e| {
            root_namespace(d, e, |uri| {
                replaced(uri, "workflow", "coordinator")
                    .or_else(|| replaced(uri, "coordinator", "workflow"))
                    .or_else(|| replaced(uri, "bundle", "coordinator"))
            })
        }),
    ),
    kind("namespace-with-blank", Of(|d, e| root_namespace(d, e, |uri| Some(format!("{uri} "))))),
    kind("action-namespace-typo", Of(|d, e| body_namespace(d, e, |uri| uri.replace("-action", "action")))),
    kind(
        "action-namespace-unknown-version",
        Of(|d, e| {
            body_namespace(d, e, |uri| format!("{}:0.9", uri.rsplit_once(':').map_or(uri, |(head, _)| head)))
        }),
    ),
    kind(
        "action-namespace-missing",
        Of(|d, e| {
            let head = d.written(e).split('>').next()?;
            let at = head.find(" xmlns=\"")?;
            let end = at + 8 + head[at + 8..].find('"')? + 1;
            is_body(d, e).then(|| Edit::new(e.range.start + at..e.range.start + end, ""))
        }),
    ),
    kind(
        "action-type-typo",
        Of(|d, e| {
            (is_body(d, e) && e.name.len() > 2).then(|| d.renamed(e, &typo(e.name, hash(d.written(e)))))
        }),
    ),
    kind("ampersand", Attribute(|_, _, a| a.value.contains('/').then(|| format!("{}?a=1&b=2", a.value)))),
    kind(
        "ampersand-in-text",
        super::Make::Text(|_, e, text| {
            ["value", "arg", "argument", "message", "body", "case"]
                .contains(&e.name)
                .then(|| format!("{text} && more"))
        }),
    ),
    kind(
        "less-than-in-case",
        super::Make::Text(|_, e, text| (e.name == "case").then(|| replaced(text, " gt ", " < "))?),
    ),
    kind(
        "end-tag-missing",
        Of(|d, e| {
            let end = format!("</{}>", &d.text[e.tag.clone()]);
            let at = e.range.end.checked_sub(end.len())?;
            (d.written(e).ends_with(&end) && e.text.is_some()).then(|| Edit::new(at..e.range.end, ""))
        }),
    ),
    kind(
        "end-tag-other",
        Of(|d, e| {
            let end = format!("</{}>", &d.text[e.tag.clone()]);
            let at = e.range.end.checked_sub(end.len())?;
            (d.written(e).ends_with(&end) && e.text.is_some()).then(|| Edit::new(at..e.range.end, "</other>"))
        }),
    ),
    kind(
        "end-tag-without-slash",
        Of(|d, e| {
            let end = format!("</{}>", &d.text[e.tag.clone()]);
            let at = e.range.end.checked_sub(end.len())?;
            d.written(e).ends_with(&end).then(|| Edit::new(at + 1..at + 2, ""))
        }),
    ),
    kind(
        "quote-missing",
        Of(|_, e| {
            let a = e.attributes.first()?;
            Some(Edit::new(a.range.end - 1..a.range.end, ""))
        }),
    ),
    kind("comment-not-closed", Raw(|text| everywhere(text, "-->", "--"))),
    kind(
        "text-between-elements",
        Of(|d, e| (is_node(d, e)).then(|| Edit::new(e.range.end..e.range.end, "\n  TODO"))),
    ),
    kind(
        "declaration-late",
        Raw(|text| match text.starts_with("<?xml") {
            true => vec![Edit::new(0..0, "\n")],
            false => vec![],
        }),
    ),
];

fn replaced(text: &str, from: &str, to: &str) -> Option<String> {
    super::replace(text, from, to)
}
