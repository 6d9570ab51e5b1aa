//! Pictures: what they show of small apps, and what holds for the drawing of any graph.
//!
//! `ANKUS_THOROUGH=1` draws more random graphs; `UPDATE=1` rewrites snapshots and the pictures in `docs/pictures`.

use std::path::PathBuf;

use crate::support::{ankus, expect_file, root};
use ankus::report::graph::layout::{End, Layout, Point, Rect};
use ankus::report::graph::{Direction, Edge, Graph, Kind, Line, Mark, Node, dot, mermaid, svg};
use proptest::prelude::*;

/// The apps whose pictures are kept; `docs/pictures` holds those in SVG.
const APPS: [&str; 4] = ["load", "nightly", "tangled", "revenue"];

fn picture(app: &str, format: &str) -> String {
    let outcome = ankus(&["graph", "-q", &format!("fixtures/graph/{app}"), "--format", format]);
    assert_eq!((outcome.code, outcome.err.as_str()), (0, ""), "{app} {format}");
    outcome.out
}

#[test]
fn small_apps_look_as_before() {
    let mut faults = Vec::new();
    for app in APPS {
        for (format, extension) in [("svg", "svg"), ("dot", "dot"), ("mermaid", "mmd")] {
            let folder = if format == "svg" { "docs/pictures" } else { "snapshots/graph" };
            let path = root().join(folder).join(format!("{app}.{extension}"));
            faults.extend(expect_file(&path, &picture(app, format)).err());
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Two boxes overlap by more than a rounding.
fn overlap(a: Rect, b: Rect) -> bool {
    let apart = |from: f64, length: f64, other: f64, other_length: f64| {
        from + length <= other + 0.5 || other + other_length <= from + 0.5
    };
    !apart(a.x, a.width, b.x, b.width) && !apart(a.y, a.height, b.y, b.height)
}

fn is_inside(point: Point, rect: Rect) -> bool {
    const EDGE: f64 = 0.75;
    point.x > rect.x + EDGE
        && point.x < rect.x + rect.width - EDGE
        && point.y > rect.y + EDGE
        && point.y < rect.y + rect.height - EDGE
}

fn is_at_edge(point: Point, rect: Rect) -> bool {
    let wide = Rect { x: rect.x - 1.5, y: rect.y - 1.5, width: rect.width + 3.0, height: rect.height + 3.0 };
    is_inside(point, wide) && !is_inside(point, rect)
}

/// Points along a line as it is drawn.
fn along(points: &[Point], is_right: bool) -> Vec<Point> {
    const STEPS: usize = 16;
    let mut all = points.to_vec();
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let (a, b) = svg::bend(from, to, is_right);
        for step in 0..=STEPS {
            let t = step as f64 / STEPS as f64;
            let u = 1.0 - t;
            let mix = |p: f64, q: f64, r: f64, s: f64| {
                u * u * u * p + 3.0 * u * u * t * q + 3.0 * u * t * t * r + t * t * t * s
            };
            all.push(Point { x: mix(from.x, a.x, b.x, to.x), y: mix(from.y, a.y, b.y, to.y) });
        }
    }
    all
}

/// What must hold for a drawing; says what does not.
fn faults(graph: &Graph, drawing: &Layout) -> Vec<String> {
    let mut faults = Vec::new();
    let mut boxes: Vec<(String, Rect)> = Vec::new();
    for (index, rect) in drawing.nodes.iter().enumerate() {
        boxes.push((format!("node {index}"), *rect));
    }
    for (index, route) in drawing.routes.iter().enumerate() {
        boxes.extend(route.label.map(|label| (format!("label {index}"), label)));
        let must_have = graph.edges[index].label.is_some() || route.end == End::Stub;
        if must_have != route.label.is_some() {
            faults.push(format!("edge {index}: a label is missing or too much"));
        }
    }
    for (index, (name, rect)) in boxes.iter().enumerate() {
        let size = drawing.size;
        if rect.x < -0.5
            || rect.y < -0.5
            || rect.x + rect.width > size.width + 1.0
            || rect.y + rect.height > size.height + 1.0
        {
            faults.push(format!("{name} lies outside"));
        }
        for (other, second) in &boxes[index + 1..] {
            if overlap(*rect, *second) {
                faults.push(format!("{name} and {other} overlap"));
            }
        }
    }
    let is_right = graph.direction == Direction::Right;
    let passes = |what: &str, points: &[Point], own_label: Option<usize>| {
        let own = own_label.map(|index| format!("label {index}"));
        for point in along(points, is_right) {
            let hit = boxes.iter().find(|(name, rect)| Some(name) != own.as_ref() && is_inside(point, *rect));
            if let Some((name, _)) = hit {
                return Some(format!("{what} passes {name}"));
            }
        }
        None
    };
    let mut found = Vec::new();
    for (index, trunk) in drawing.trunks.iter().enumerate() {
        found.extend(passes(&format!("trunk {index}"), &trunk.points, None));
        if !trunk.points.last().is_some_and(|end| is_at_edge(*end, drawing.nodes[trunk.to])) {
            found.push(format!("trunk {index} does not reach its node"));
        }
    }
    for (index, (edge, route)) in graph.edges.iter().zip(&drawing.routes).enumerate() {
        let what = format!("edge {index}");
        let (Some(start), Some(end)) = (route.points.first(), route.points.last()) else {
            found.push(format!("{what} is not drawn"));
            continue;
        };
        if !is_at_edge(*start, drawing.nodes[edge.from]) {
            found.push(format!("{what} does not leave its node"));
        }
        let arrives = match route.end {
            End::Target => is_at_edge(*end, drawing.nodes[edge.to]),
            End::Trunk(trunk) => {
                drawing.trunks[trunk].to == edge.to && drawing.trunks[trunk].points.contains(end)
            }
            End::Stub => route.label.is_some_and(|label| is_at_edge(*end, label)),
            End::Loop => edge.from == edge.to && is_at_edge(*end, drawing.nodes[edge.to]),
        };
        if !arrives {
            found.push(format!("{what} does not arrive: {:?}", route.end));
        }
        found.extend(passes(&what, &route.points, Some(index)));
    }
    faults.extend(found);
    faults
}

fn node(name: String, kind: Kind, lines: usize) -> Node {
    let lines = (0..lines).map(|n| format!("line {n} of {name}")).collect();
    Node { kind, about: name.clone(), name, lines, marks: Vec::new() }
}

fn edge(from: usize, to: usize, line: Line, label: Option<String>) -> Edge {
    Edge { from, to, line, label, about: format!("{from} to {to}"), is_cyclic: false }
}

fn graph(direction: Direction, nodes: Vec<Node>, edges: Vec<Edge>) -> Graph {
    Graph { title: "test".to_owned(), about: "a graph".to_owned(), direction, nodes, edges }
}

const KINDS: [Kind; 6] =
    [Kind::Start, Kind::Kill, Kind::Decision, Kind::Action, Kind::SubWorkflow, Kind::Dataset];

/// Any graph: loops, cycles, parallel edges, parts that do not hang together, labels of all lengths.
fn any_graph() -> impl Strategy<Value = Graph> {
    let nodes = prop::collection::vec((0..KINDS.len(), 1..30usize, 0..4usize, any::<u8>()), 1..40);
    let edges =
        prop::collection::vec((any::<u16>(), any::<u16>(), 0..3usize, 0..20usize, any::<u8>()), 0..90);
    (nodes, edges, any::<bool>()).prop_map(|(nodes, edges, is_right)| {
        let count = nodes.len();
        let nodes: Vec<Node> = nodes
            .into_iter()
            .map(|(kind, length, lines, mark)| {
                let mut node = node("W".repeat(length), KINDS[kind], lines);
                if mark < 20 {
                    node.marks.push(Mark::Unreached);
                }
                node
            })
            .collect();
        let edges = edges
            .into_iter()
            .map(|(from, to, line, label, cyclic)| {
                let line = [Line::Plain, Line::Error, Line::Failure][line];
                // Half of the edges lead on a little, as in real apps.
                let from = usize::from(from) % count;
                let to = if cyclic % 2 == 0 {
                    (from + 1 + usize::from(to) % 3) % count
                } else {
                    usize::from(to) % count
                };
                let label = (label > 10).then(|| "m".repeat(label));
                Edge { is_cyclic: cyclic < 10, ..edge(from, to, line, label) }
            })
            .collect();
        graph(if is_right { Direction::Right } else { Direction::Down }, nodes, edges)
    })
}

fn cases() -> u32 {
    if std::env::var_os("ANKUS_THOROUGH").is_some() { 500 } else { 50 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_graph_is_drawn_well(graph in any_graph()) {
        let drawing = svg::draw(&graph);
        let faults = faults(&graph, &drawing);
        prop_assert!(faults.is_empty(), "{}", faults.join("\n"));
        prop_assert_eq!(svg::render(&graph), svg::render(&graph));
    }
}

#[test]
fn long_chains_are_drawn() {
    let count = 10_000;
    let mut nodes: Vec<Node> = (0..count).map(|n| node(format!("n{n}"), Kind::Action, 1)).collect();
    nodes.push(node("failed".to_owned(), Kind::Kill, 0));
    let mut edges = Vec::new();
    for n in 0..count {
        edges.push(edge(n, count, Line::Failure, None));
        if n + 1 < count {
            edges.push(edge(n, n + 1, Line::Plain, None));
        }
    }
    let graph = graph(Direction::Down, nodes, edges);
    let drawing = svg::draw(&graph);
    assert_eq!(drawing.trunks.len(), 1, "what leads to kill shares its way");
    assert!(drawing.routes.iter().all(|route| route.points.len() >= 2));
    assert!(svg::render(&graph).len() < 20_000_000);
}

#[test]
fn what_would_need_too_many_places_ends_at_a_name() {
    let count = 2_000;
    let nodes = (0..count).map(|n| node(format!("n{n}"), Kind::Action, 0)).collect();
    let on = (1..count).map(|n| edge(n - 1, n, Line::Plain, None));
    let far = (0..count).map(|n| edge(n, (n * 7 + 1_000) % count, Line::Plain, None));
    let graph = graph(Direction::Down, nodes, on.chain(far).collect());
    let drawing = svg::draw(&graph);
    let stubs: Vec<_> = drawing.routes.iter().filter(|route| route.end == End::Stub).collect();
    assert!(!stubs.is_empty() && stubs.iter().all(|route| route.label.is_some()));
    assert!(svg::render(&graph).contains("→ n1007"));
}

#[test]
fn nothing_is_a_picture_too() {
    let graph = graph(Direction::Down, Vec::new(), Vec::new());
    for text in [svg::render(&graph), dot::render(&graph), mermaid::render(&graph)] {
        assert!(text.ends_with('\n'), "{text}");
    }
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("ankus-graph-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("a plain name").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const HOSTILE: [&str; 14] = [
    "]]>",
    "\"quoted\" and 'single'",
    "<script>alert(1)</script>",
    "&amp; &lt; &#10; #quot; #35;",
    "two\nlines\tand\rmore",
    "back\\slash \\N \\",
    "`markdown` **bold** __under__",
    "%%{init: {}}%% ;; | } ] ) -->",
    "$$x^2$$ ${wf:conf('a')}",
    "1. list",
    "- list",
    "\u{202e}desrever \u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{645}\u{631}\u{62d}\u{628}\u{627}",
    "end",
    "",
];

/// A workflow whose every name and condition is one of these.
fn hostile_workflow(texts: &[String]) -> String {
    let escape = |text: &str| {
        let pairs = [
            ("&", "&amp;"),
            ("<", "&lt;"),
            (">", "&gt;"),
            ("\"", "&quot;"),
            ("\n", "&#10;"),
            ("\t", "&#9;"),
            ("\r", "&#13;"),
        ];
        pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    };
    let mut xml = format!("<workflow-app name=\"{}\" xmlns=\"uri:oozie:workflow:0.5\">", escape(&texts[0]));
    xml.push_str(&format!("<start to=\"{}\"/>", escape(&texts[0])));
    for (index, text) in texts.iter().enumerate() {
        let (name, next) = (escape(text), escape(&texts[(index + 1) % texts.len()]));
        xml.push_str(&format!(
            "<decision name=\"{name}\"><switch><case to=\"{next}\">{name}</case><case to=\"unknown {name}\">{next}</case>\
             <default to=\"{name}\"/></switch></decision>"
        ));
    }
    xml.push_str("</workflow-app>");
    xml
}

/// The end of a DOT string that begins at the start of `text`, which has a quote there.
fn after_string(text: &str) -> &str {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\\' => is_escaped = !is_escaped,
            '"' if !is_escaped => return &text[at + 1..],
            _ => is_escaped = false,
        }
    }
    panic!("a string has no end: {text}");
}

#[test]
fn hostile_texts_stay_texts() {
    let mut texts: Vec<String> = HOSTILE.iter().map(|text| (*text).to_owned()).collect();
    texts.push("long ".repeat(2_000));
    texts.push("x".repeat(10_000));
    texts.push(format!("a{}", "\u{301}".repeat(10_000)));
    texts.push("\u{5e9}".repeat(10_000));
    let folder = Folder::new("hostile");
    let path = folder.write("workflow.xml", &hostile_workflow(&texts));
    let written = |format: &str| {
        let outcome = ankus(&["graph", &path, "--format", format]);
        assert_eq!(outcome.code, 0, "{}", outcome.err);
        outcome.out
    };

    let picture = written("svg");
    let mut sources = ankus::source::Sources::new();
    let file = sources.add("picture.svg", picture.as_str());
    let (root, findings) = ankus::xml::read(file, &picture, &ankus::xml::Limits::default());
    assert!(findings.is_empty(), "{findings:?}");
    let mut open = vec![root.expect("well-formed")];
    while let Some(element) = open.pop() {
        let name = element.name.local.to_string();
        let known = ["svg", "title", "desc", "style", "rect", "g", "path", "text"];
        assert!(known.contains(&name.as_str()), "an element `{name}`");
        open.extend(element.elements().cloned());
    }
    assert!(!picture.contains('\u{202e}'));
    let longest = picture.lines().map(str::len).max().expect("lines");
    assert!(longest < 8_000, "a line of {longest} bytes");

    let dot = written("dot");
    for line in dot.lines() {
        // Strings aside, only what the renderer itself writes is left.
        let (mut rest, mut bare) = (line, String::new());
        while let Some(at) = rest.find('"') {
            bare.push_str(&rest[..at]);
            bare.push('_');
            rest = after_string(&rest[at..]);
        }
        bare.push_str(rest);
        let plain = |c: char| c.is_ascii_alphanumeric() || " _=,-[];>{}.".contains(c);
        assert!(bare.chars().all(plain), "{line}\n{bare}");
    }

    let mermaid = written("mermaid");
    for line in mermaid.lines().skip(1) {
        let line = line.trim_start();
        let texts = match line.split_once(": ") {
            Some(("accTitle" | "accDescr", text)) => vec![text],
            _ => line.split('"').skip(1).step_by(2).collect(),
        };
        let quotes = line.matches('"').count();
        assert!(quotes % 2 == 0 && quotes <= 2, "{line}");
        for text in texts {
            let text = text.replace("<br/>", " ");
            assert!(!text.contains(['<', '>', '"', '`', '\\', '%']), "{line}");
            let entities = text.split('#').skip(1).all(|rest| {
                rest.split_once(';').is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_alphanumeric()))
            });
            assert!(entities, "{line}");
        }
    }
}

#[test]
fn a_folder_without_a_bundle_shows_all_its_coordinators() {
    let outcome = ankus(&[
        "graph",
        "fixtures/graph/revenue",
        "-D",
        "root=hdfs://nn1:8020/apps/revenue",
        "-D",
        "nameNode=hdfs://nn1:8020",
        "--format",
        "dot",
    ]);
    assert!(outcome.out.contains("bundle revenue"), "{}", outcome.out);
    let folder = Folder::new("folder");
    let fixture = root().join("fixtures/graph/revenue");
    for name in ["hourly", "daily", "monthly"] {
        let text = std::fs::read_to_string(fixture.join(name).join("coordinator.xml")).expect("the fixture");
        folder.write(&format!("{name}.xml"), &text);
    }
    let datasets = std::fs::read_to_string(fixture.join("datasets.xml")).expect("the fixture");
    folder.write("datasets.xml", &datasets);
    let path = folder.0.to_str().expect("a plain name");
    let root = format!(
        "root=hdfs://nn1:8020/{}",
        folder.0.file_name().and_then(|name| name.to_str()).expect("a name")
    );
    // Without values, and with them: lineage holds in both.
    for define in [vec![], vec!["-D", &root, "-D", "nameNode=hdfs://nn1:8020"]] {
        let mut arguments = vec!["graph", path, "--format", "mermaid"];
        arguments.extend(define);
        let outcome = ankus(&arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.err);
        let revenue =
            outcome.out.lines().find(|line| line.contains("hourly-revenue<br/>")).expect("the dataset");
        let id = revenue.trim_start().split(['[', '(']).next().expect("an id");
        let written = outcome.out.lines().filter(|line| line.ends_with(&format!("--> {id}"))).count();
        let read =
            outcome.out.lines().filter(|line| line.trim_start().starts_with(&format!("{id} -->"))).count();
        assert_eq!((written, read), (1, 1), "{}", outcome.out);
        assert!(outcome.out.contains("every day") && !outcome.out.contains("refused"), "{}", outcome.out);
    }
}

/// A root with several apps is drawn whole: what a coordinator of a bundle writes leads to one outside that reads it.
#[test]
fn a_root_shows_the_coordinators_of_all_its_apps() {
    let folder = Folder::new("estate");
    let coordinator = |name: &str, events: &str| {
        format!(
            r#"<coordinator-app name="{name}" frequency="${{coord:days(1)}}" start="2024-01-01T00:00Z"
              end="2024-02-01T00:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><datasets><dataset name="d"
              frequency="${{coord:days(1)}}" initial-instance="2024-01-01T00:00Z" timezone="UTC">
              <uri-template>${{nn}}/d/${{YEAR}}/${{MONTH}}/${{DAY}}</uri-template></dataset></datasets>{events}
              <action><workflow><app-path>${{nn}}/none</app-path></workflow></action></coordinator-app>"#
        )
    };
    let event = |tag: &str| {
        format!(
            r#"<{tag}put-events><data-{tag} name="e" dataset="d"><instance>${{coord:current(0)}}</instance></data-{tag}></{tag}put-events>"#
        )
    };
    let folders = ["load", "sum", "conf"].map(|name| folder.0.join(name));
    folders.iter().for_each(|folder| std::fs::create_dir_all(folder).expect("a folder"));
    folder.write("load/coordinator.xml", &coordinator("loads", &event("out")));
    folder.write("sum/coordinator.xml", &coordinator("sums", &event("in")));
    let bundle = r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2"><coordinator name="inside">
      <app-path>${nn}/load</app-path></coordinator></bundle-app>"#;
    folder.write("load/bundle.xml", bundle);
    folder.write("conf/load.properties", "nn=hdfs://nn\noozie.bundle.application.path=${nn}/load\n");
    folder.write("conf/sum.properties", "nn=hdfs://nn\noozie.coord.application.path=${nn}/sum\n");
    folder.write("sum/workflow.xml", "<workflow-app name='w' xmlns='uri:oozie:workflow:0.5'/>");
    let outcome = ankus(&["graph", folder.0.to_str().expect("a plain name"), "--format", "mermaid"]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let id = |name: &str| {
        let lines: Vec<_> = outcome.out.lines().filter(|line| line.contains(name)).collect();
        let [line] = lines[..] else { panic!("{name}: {}", outcome.out) };
        line.trim_start().split(['[', '(', '{']).next().expect("an id").to_owned()
    };
    let (inside, sums, data) = (id("inside"), id("sums"), id("/d/YYYY"));
    let has = |from: &str, to: &str| {
        let edges = outcome.out.lines().map(str::trim);
        let mut edges = edges.filter(|line| line.starts_with(&format!("{from} -->")));
        edges.any(|line| line.ends_with(&format!(" {to}")))
    };
    assert!(has(&inside, &data) && has(&data, &sums), "{}", outcome.out);
}

#[test]
fn what_cannot_be_read_is_said() {
    let folder = Folder::new("broken");
    let path = folder.write("workflow.xml", "<workflow-app name='x'><start");
    let outcome = ankus(&["graph", &path]);
    assert_eq!((outcome.code, outcome.out.as_str()), (1, ""));
    assert!(outcome.err.contains("xml-"), "{}", outcome.err);
}
