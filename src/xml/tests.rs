//! Tests of reading as a whole.

use super::*;
use crate::diag::Diagnostic;
use crate::source::Sources;

fn read_text(text: &str) -> (Sources, Option<Element>, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.add("a.xml", text);
    let (root, found) = read(file, text, &Limits::default());
    (sources, root, found)
}

/// The text under each finding, and the finding's message.
fn faults(text: &str) -> Vec<(String, String)> {
    let (sources, root, found) = read_text(text);
    assert_eq!(root.is_none(), !found.is_empty());
    found.iter().map(|d| (sources.slice(d.span).to_owned(), d.message.clone())).collect()
}

fn check_fault(text: &str, place: &str, message: &str) {
    assert_eq!(faults(text), [(place.to_owned(), message.to_owned())], "{text}");
}

#[test]
fn everything_knows_its_place() {
    let text = "\u{FEFF}<?xml version=\"1.0\"?>\r\n<a xmlns='u' b = \"x&lt;\ty\">é&amp;<![CDATA[<\r\n]]>z<!--c--><s:i xmlns:s='v'/>\r\n</a >";
    let (sources, root, found) = read_text(text);
    assert!(found.is_empty(), "{found:?}");
    let root = root.expect("a tree");
    assert_eq!((root.name.namespace.as_str(), root.name.local.as_str()), ("u", "a"));
    assert_eq!(sources.slice(root.name_span), "a");
    assert!(sources.slice(root.start_tag).ends_with("y\">"));
    assert!(sources.slice(root.span).ends_with("</a >"));
    let b = root.attribute("b").expect("b");
    assert_eq!(b.value.value, "x< y");
    assert_eq!(sources.slice(b.value.span_of(1..2)), "&lt;");
    assert_eq!(sources.slice(b.value.span_of(3..4)), "y");
    let Node::Text(content) = &root.children[0] else { panic!("text first") };
    assert_eq!(content.value, "é&<\nz");
    assert_eq!(sources.slice(content.span_of(2..3)), "&amp;");
    assert_eq!(sources.slice(content.span_of(4..5)), "\r\n");
    assert_eq!(sources.slice(content.span_of(5..6)), "z");
    let Node::Comment(comment) = &root.children[1] else { panic!("a comment") };
    assert_eq!(sources.slice(comment.span), "c");
    let inner = root.child("i").expect("i");
    assert_eq!((inner.name.namespace.as_str(), sources.slice(inner.name_span)), ("v", "s:i"));
    assert_eq!(root.text().value, "é&<\nz\n");
}

#[test]
fn faults_are_named_where_they_are() {
    check_fault("<a>x & y</a>", "&", "a raw `&` starts an entity in XML");
    check_fault("<a b='x?c=1&d=2'/>", "&", "a raw `&` starts an entity in XML");
    check_fault("<a>&nbsp;</a>", "&nbsp;", "the entity `&nbsp;` is not defined");
    check_fault("<a>&#0;</a>", "&#0;", "`&#0;` is no character that XML allows");
    check_fault("<a>1 < 2</a>", "<", "a raw `<` starts a tag in XML");
    check_fault("<a><b></a>", "</a>", "`<b>` is not closed before `</a>`");
    check_fault("<a><b></c></a>", "</c>", "`</c>` does not close `<b>`");
    check_fault("<a><b></b>", "a", "`<a>` is never closed");
    check_fault("<a/></a>", "</a>", "`</a>` closes nothing");
    check_fault("<a/><b/>", "b", "`<b>` stands beside the root element");
    check_fault("<a/>x", "x", "text stands outside the root element");
    check_fault("", "", "the document has no element");
    check_fault("<a b=c/>", "b", "the value of `b` is not quoted");
    check_fault("<a b/>", "b", "the attribute `b` has no value");
    check_fault("<a b='1' b='2'/>", "b", "the attribute `b` stands twice");
    check_fault("<a b='<'/>", "<", "a raw `<` stands in the value of `b`");
    check_fault("<a><!-- -- --></a>", "--", "`--` stands in a comment");
    check_fault(
        " <?xml version='1.0'?><a/>",
        "<?xml",
        "the XML declaration does not stand at the very start of the file",
    );
    check_fault("<s:a/>", "s", "the prefix `s` is not declared");
    check_fault("<a>\u{1}</a>", "\u{1}", "the character U+0001 is not allowed in XML");
    check_fault("<a", "a", "the tag `<a` is not closed");
    assert_eq!(faults("<a>x & y < z &foo</a>").len(), 3);
}

#[test]
fn dtds_are_refused() {
    let laughs = "<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 \"&lol;&lol;\">]><lolz>&lol2;</lolz>";
    let (sources, root, found) = read_text(laughs);
    assert!(root.is_none());
    assert_eq!((found[0].rule.name, sources.slice(found[0].span)), ("xml-doctype", "<!DOCTYPE lolz "));
    assert_eq!(found[0].oozie, ["E0700"]);
    let (_, _, found) = read_text("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>");
    assert_eq!((found[0].rule.name, found[0].oozie.as_slice()), ("xml-doctype", ["E0702"].as_slice()));
}

#[test]
fn limits_have_findings() {
    let rules = |text: &str, limits: &Limits| {
        let mut sources = Sources::new();
        let file = sources.add("a", "");
        let (root, found) = read(file, text, limits);
        assert!(root.is_none());
        found.iter().map(|d| d.rule.name).collect::<Vec<_>>()
    };
    let limits = Limits::default();
    let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
    assert_eq!(rules(&deep, &limits), ["xml-too-deep"]);
    let long = format!("<a b='{}'/>", "x".repeat(2 << 20));
    assert_eq!(rules(&long, &limits), ["xml-attribute-too-long"]);
    let wide: String = (0..300).map(|n| format!(" a{n}='1'")).collect();
    assert_eq!(rules(&format!("<a{wide}/>"), &limits), ["xml-too-many-attributes"]);
    let few = Limits { nodes: 10, ..Limits::default() };
    assert_eq!(rules(&format!("<a>{}</a>", "<b/>".repeat(20)), &few), ["xml-too-many-nodes"]);
    assert_eq!(rules(&format!("<a>{}</a>", "=".repeat(20)), &few), ["xml-too-many-nodes"]);
    let small = Limits { bytes: 10, ..Limits::default() };
    assert_eq!(rules("<a>          </a>", &small), ["xml-too-large"]);
}

#[test]
fn texts_that_a_comment_parts_are_joined_with_their_places() {
    let text = "<a>x<!-- c -->y<b k='v'/><!-- d --></a>";
    let file = Sources::new().add("a.xml", text);
    let root = Arc::new(read(file, text, &Limits::default()).0.expect("well-formed"));
    let joined = without_comments(&root);
    let texts: Vec<_> = joined
        .children
        .iter()
        .map(|node| match node {
            Node::Text(it) => format!("{} {:?}", it.value, it.span_of(1..2).range()),
            Node::Element(it) => it.name.local.to_string(),
            Node::Comment(_) => "comment".to_owned(),
        })
        .collect();
    assert_eq!(texts, ["xy 14..15", "b"]);
    let plain = Arc::new(read(file, "<a><b>t</b><!-- c --></a>", &Limits::default()).0.expect("well-formed"));
    assert!(Arc::ptr_eq(&plain, &without_comments(&plain)));
}
