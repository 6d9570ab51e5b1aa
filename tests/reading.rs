//! Reading holds on anything: arbitrary bytes, what fuzzing found, other people's files, very large and very odd input.

use crate::support::exercise;
use std::time::{Duration, Instant};

use crate::support::exercise::TARGETS;
use crate::support::own_time::thread_time;
use crate::support::{names_in, reference, root};
use ankus::model::lower;
use ankus::properties;
use ankus::source::Sources;
use ankus::xml::{self, Decoding, Limits};
use proptest::prelude::*;

/// Runs on a stack that is small on every platform.
fn on_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(work).expect("a thread");
    thread.join().expect("it fits the stack")
}

fn read(text: &str) -> (Option<xml::Element>, Vec<&'static str>) {
    let mut sources = Sources::new();
    let (_, root, found) =
        xml::read_bytes(&mut sources, "a.xml", text.as_bytes(), Decoding::Utf8, &Limits::default());
    (root, found.iter().map(|finding| finding.rule.name).collect())
}

#[test]
fn what_fuzzing_found_stays_mended() {
    for (name, run) in TARGETS {
        let folder = root().join("fixtures/fuzz").join(name);
        for input in names_in(&folder) {
            let bytes = std::fs::read(folder.join(&input)).expect("the input can be read");
            println!("{name}/{input}");
            run(&bytes);
        }
    }
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn every_definition_of_the_corpus_gives_a_model() {
    let corpus = reference("corpus");
    let table = std::fs::read_to_string(corpus.join("XSD_RESULTS.tsv")).expect("the table is there");
    let mut broken = Vec::new();
    for line in table.lines().skip(1) {
        let columns: Vec<_> = line.split('\t').collect();
        let bytes = std::fs::read(corpus.join(columns[0])).expect("the file is there");
        exercise::xml_to_model(&bytes);
        let mut sources = Sources::new();
        let (_, root, found) =
            xml::read_bytes(&mut sources, columns[0], &bytes, Decoding::Utf8, &Limits::default());
        let Some(root) = root else {
            let place = sources.position(found[0].span.file, found[0].span.start);
            let complained: usize = columns[2].parse().expect("a line");
            broken.push((columns[0].to_owned(), place.line, complained));
            continue;
        };
        assert!(found.is_empty(), "{}: {found:?}", columns[0]);
        let known = matches!(
            root.name.local.as_str(),
            "workflow-app" | "coordinator-app" | "bundle-app" | "datasets"
        );
        assert_eq!(lower(&root).0.is_some(), known, "{}", columns[0]);
    }
    assert_eq!(broken.len(), 2, "{broken:?}");
    // Java complains where it missed the `>`, on the line after the tag.
    for (path, ours, theirs) in broken {
        assert_eq!(ours + 1, theirs, "{path}");
    }
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn every_properties_file_of_the_corpus_is_read() {
    let corpus = reference("corpus");
    let mut folders = vec![corpus];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for name in names_in(&folder) {
            let path = folder.join(&name);
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".properties") {
                let bytes = std::fs::read(&path).expect("the file can be read");
                exercise::java_properties(&bytes);
                let mut sources = Sources::new();
                let (_, _, found) = properties::read_bytes(&mut sources, &name, &bytes);
                assert!(found.is_empty(), "{}: {found:?}", path.display());
                files += 1;
            }
        }
    }
    assert!(files > 50, "{files} files");
}

/// A chain of this many nodes, all of them actions.
fn chain(nodes: usize) -> String {
    let mut text =
        String::from("<workflow-app xmlns=\"uri:oozie:workflow:0.5\" name=\"w\">\n  <start to=\"n0\"/>\n");
    for node in 0..nodes {
        text.push_str(&format!(
            "  <action name=\"n{node}\">\n    <fs><mkdir path=\"${{nameNode}}/a/{node}\"/></fs>\n    \
             <ok to=\"n{}\"/>\n    <error to=\"k\"/>\n  </action>\n",
            node + 1
        ));
    }
    text.push_str("  <kill name=\"k\"><message>m</message></kill>\n  <end name=\"e\"/>\n</workflow-app>\n");
    text
}

fn timed(text: &str) -> Duration {
    let start = Instant::now();
    let (root, found) = read(text);
    assert!(found.is_empty());
    lower(&root.expect("a tree")).0.expect("a model");
    start.elapsed()
}

#[test]
fn a_hundred_thousand_nodes_are_read_in_linear_time() {
    on_small_stack(|| {
        let (small, large) = (chain(10_000), chain(100_000));
        let small = (0..3).map(|_| timed(&small)).min().expect("three");
        let large = timed(&large);
        println!("10,000 nodes {small:?}, 100,000 nodes {large:?}");
        // Ten times the nodes: far from a hundred times the time, whatever else the machine does.
        assert!(large < small * 40 + Duration::from_secs(1), "{small:?} {large:?}");
    });
}

#[test]
fn ten_thousand_files_are_read() {
    let text = chain(5);
    for _ in 0..10_000 {
        let (root, _) = read(&text);
        assert!(lower(&root.expect("a tree")).0.is_some());
    }
}

#[test]
fn hostile_input_is_refused_in_bounded_time() {
    on_small_stack(|| {
        let origin = Instant::now();
        let start = thread_time(origin);
        let deep = "<a>".repeat(100_000);
        assert_eq!(read(&deep).1, ["xml-too-deep"]);
        assert_eq!(read(&format!("<a b='{}'/>", "x".repeat(20 << 20))).1, ["xml-attribute-too-long"]);
        assert_eq!(read(&"x".repeat(130 << 20)).1, ["xml-too-large"]);
        assert_eq!(read(&format!("<a>{}</a>", "<b/>".repeat(3_000_000))).1, ["xml-too-many-nodes"]);
        let laughs: String =
            (1..10).map(|n| format!("<!ENTITY l{n} \"{}\">", format!("&l{};", n - 1).repeat(10))).collect();
        assert_eq!(
            read(&format!("<!DOCTYPE a [<!ENTITY l0 \"ha\">{laughs}]><a>&l9;</a>")).1,
            ["xml-doctype"]
        );
        assert_eq!(read("<!DOCTYPE a SYSTEM \"file:///etc/hostname\"><a/>").1, ["xml-doctype"]);
        assert_eq!(read(&format!("<a>{}</a>", "& ".repeat(1_000_000))).1.len(), 100);
        assert_eq!(read(&format!("<a>{}", "&#".repeat(1_000_000))).1.len(), 100);
        let namespaces: String = (0..250).map(|n| format!(" xmlns:p{n}='u{n}'")).collect();
        let nested = format!("<a{namespaces}>").repeat(100);
        assert_eq!(read(&nested).1, ["xml-too-many-attributes"]);
        let took = thread_time(origin) - start;
        println!("all of it in {took:?}");
        assert!(took < Duration::from_secs(60));
    });
}

#[test]
fn the_deepest_tree_fits_a_small_stack() {
    on_small_stack(|| {
        let depth = Limits::default().depth;
        let (root, found) = read(&format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth)));
        assert!(found.is_empty());
        let root = root.expect("a tree");
        assert_eq!(root, root.clone());
        let logic = format!("{}{}", "<and>".repeat(depth - 2), "</and>".repeat(depth - 2));
        let (root, _) =
            read(&format!("<coordinator-app><input-logic>{logic}</input-logic></coordinator-app>"));
        assert!(lower(&root.expect("a tree")).0.is_some());
    });
}

/// Pieces that make documents likely to be almost right.
fn xml_like() -> impl Strategy<Value = String> {
    let pieces = [
        "<a>",
        "</a>",
        "<b x='1'>",
        "</b>",
        "<b/>",
        "<workflow-app name=\"w\">",
        "</workflow-app>",
        "<action name='a'>",
        "</action>",
        "<ok to='b'/>",
        "<property><name>n</name><value>v</value></property>",
        "<configuration>",
        "</configuration>",
        "&amp;",
        "&#233;",
        "&",
        "<",
        "]]>",
        "<![CDATA[",
        "<!--",
        "-->",
        "<?p",
        "?>",
        "é",
        "\r\n",
        "\u{FEFF}",
        "${a}",
        "'",
        "\"",
        " ",
        "=",
        "<!DOCTYPE a>",
        "xmlns:p='u'",
        "<p:q>",
        "</p:q>",
        "\u{1}",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_bytes_are_xml_or_findings(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        exercise::xml_to_model(&bytes);
    }

    #[test]
    fn almost_xml_is_xml_or_findings(text in xml_like()) {
        exercise::xml_to_model(text.as_bytes());
        exercise::xml_to_model(format!("<a>{text}</a>").as_bytes());
    }

    #[test]
    fn any_bytes_are_properties(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        exercise::java_properties(&bytes);
    }

    #[test]
    fn almost_properties_are_properties(text in "([a-z=: \t\\\\#!\n\ru0é]|\\\\u00[0-9a-f]{2}){0,60}") {
        exercise::java_properties(text.as_bytes());
    }

    #[test]
    fn any_text_is_an_expression_a_cron_a_datetime_or_none(text in "[ -~\u{e9}]{0,60}") {
        exercise::expressions(text.as_bytes());
        exercise::expressions(format!("${{{text}}}").as_bytes());
        exercise::cron(text.as_bytes());
        exercise::datetime(text.as_bytes());
    }
}
