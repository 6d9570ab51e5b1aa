//! A graph as a picture that stands by itself: no fonts, scripts or files from elsewhere, colours for light and dark.
//!
//! Widths of texts are estimated and then said in the picture (`textLength`), so that texts keep to their boxes with
//! any font.

use std::fmt::{self, Write};

use super::layout::{self, End, Layout, Link, Point, Rect, Size};
use super::model::{Direction, Edge, Graph, Kind, Line, Node};
use super::text;

/// Colours by what they are for. Those of the dark scheme follow where a viewer asks for it.
const STYLE: &str = include_str!("svg.css");

const MARGIN: f64 = 24.0;
const TITLE_SIZE: f64 = 16.0;
const NAME_SIZE: f64 = 13.0;
const LINE_SIZE: f64 = 11.0;
/// Letters in bold are wider.
const BOLD: f64 = 1.06;
const NAME_HEIGHT: f64 = 17.0;
const LINE_HEIGHT: f64 = 15.0;
const PADDING: Size = Size { width: 12.0, height: 8.0 };
const LABEL_HEIGHT: f64 = 16.0;
/// Title and summary above the drawing, legend below.
const HEAD_HEIGHT: f64 = 52.0;
const FOOT_HEIGHT: f64 = 34.0;
const ARROW: Size = Size { width: 8.0, height: 8.0 };

/// Writes the picture.
pub fn render(graph: &Graph) -> String {
    let drawing = draw(graph);
    let mut out = String::new();
    Picture { graph, drawing: &drawing }.write(&mut out).expect("memory takes everything");
    out
}

/// Where everything of a graph stands; the drawing begins at 0, 0.
pub fn draw(graph: &Graph) -> Layout {
    let is_right = graph.direction == Direction::Right;
    let turned = |size: Size| {
        if is_right { Size { width: size.height, height: size.width } } else { size }
    };
    let nodes: Vec<Size> = graph.nodes.iter().map(|node| turned(box_size(node))).collect();
    let links: Vec<Link> = graph
        .edges
        .iter()
        .map(|edge| Link {
            from: edge.from,
            to: edge.to,
            lane: class_index(graph, edge),
            is_beside: edge.line != Line::Plain,
            is_light: edge.line == Line::Failure && !edge.is_cyclic && !graph.is_dead(edge),
            label: edge.label.as_deref().map(|label| turned(label_size(label))),
            stub: turned(label_size(&stub(graph, edge))),
        })
        .collect();
    let layout = layout::layout(&nodes, &links);
    if is_right { layout.transposed() } else { layout }
}

/// What stands at the end of a line that does not reach its target.
fn stub(graph: &Graph, edge: &Edge) -> String {
    let name = &graph.nodes[edge.to].name;
    match &edge.label {
        Some(label) => format!("{label} → {name}"),
        None => format!("→ {name}"),
    }
}

fn name_width(node: &Node) -> f64 {
    text::ems(&node.name) * NAME_SIZE * BOLD
}

fn line_width(line: &str) -> f64 {
    text::ems(line) * LINE_SIZE
}

/// All lines under the name.
fn small_lines(node: &Node) -> Vec<String> {
    node.lines.iter().cloned().chain(node.mark_words()).collect()
}

fn box_size(node: &Node) -> Size {
    let lines = small_lines(node);
    let text = lines.iter().map(|line| line_width(line)).fold(name_width(node), f64::max);
    let more = match node.kind {
        Kind::Decision => 16.0,
        Kind::Start | Kind::End | Kind::Kill => 8.0,
        Kind::SubWorkflow => 8.0,
        _ => 0.0,
    };
    let above = match node.kind {
        Kind::Dataset => PADDING.height + 5.0,
        Kind::Fork | Kind::Join => PADDING.height - 4.0,
        Kind::Start | Kind::End | Kind::Kill => PADDING.height - 2.0,
        _ => PADDING.height,
    };
    let height = NAME_HEIGHT + LINE_HEIGHT * lines.len() as f64 + 2.0 * above;
    Size { width: (text + 2.0 * PADDING.width + more).ceil().max(52.0), height }
}

fn label_size(label: &str) -> Size {
    Size { width: (line_width(label) + 10.0).ceil(), height: LABEL_HEIGHT }
}

struct Picture<'a> {
    graph: &'a Graph,
    drawing: &'a Layout,
}

impl Picture<'_> {
    fn write(&self, out: &mut String) -> fmt::Result {
        let graph = self.graph;
        let summary = text::short(&graph.summary(), 2 * text::MAX_LINE_COLUMNS);
        let legend = self.legend();
        let head = (text::ems(&graph.title) * TITLE_SIZE * BOLD).max(line_width(&summary));
        let foot: f64 = legend.iter().map(|(_, words)| SAMPLE + line_width(words)).sum();
        let foot_height = if legend.is_empty() { 0.0 } else { FOOT_HEIGHT };
        let width = (self.drawing.size.width.max(head).max(foot) + 2.0 * MARGIN).ceil();
        let height = (self.drawing.size.height + HEAD_HEIGHT + foot_height + 2.0 * MARGIN).ceil();
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ankus\" role=\"img\" \
             aria-labelledby=\"ankus-title ankus-desc\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">"
        )?;
        writeln!(out, "<title id=\"ankus-title\">{}</title>", escaped(&graph.title))?;
        writeln!(out, "<desc id=\"ankus-desc\">{}</desc>", escaped(&graph.about))?;
        writeln!(out, "<style>\n{}</style>", STYLE)?;
        writeln!(out, "<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>")?;
        let title = Words { class: "title", anchor: "start", size: TITLE_SIZE * BOLD };
        title.write(out, MARGIN, MARGIN + 14.0, &graph.title)?;
        let note = Words { class: "note", anchor: "start", size: LINE_SIZE };
        note.write(out, MARGIN, MARGIN + 34.0, &summary)?;
        // A small drawing stands in the middle of the page.
        let left = ((width - self.drawing.size.width) / 2.0).floor();
        writeln!(out, "<g transform=\"translate({} {})\">", number(left), number(MARGIN + HEAD_HEIGHT))?;
        self.lines(out)?;
        for (node, rect) in graph.nodes.iter().zip(&self.drawing.nodes) {
            write_node(out, node, *rect)?;
        }
        self.labels(out)?;
        out.push_str("</g>\n");
        let mut x = MARGIN;
        let y = height - MARGIN;
        for (class, words) in &legend {
            let end = x + 26.0;
            writeln!(
                out,
                "<path class=\"{class}\" d=\"M{} {y}H{}\"/>",
                number(x),
                number(end),
                y = number(y - 4.0)
            )?;
            note.write(out, end + 6.0, y, words)?;
            x += SAMPLE + line_width(words);
        }
        out.push_str("</svg>\n");
        Ok(())
    }

    /// The kinds of lines there are, when they differ.
    fn legend(&self) -> Vec<(&'static str, &'static str)> {
        let mut kinds: Vec<_> = self.graph.edges.iter().map(|edge| class_index(self.graph, edge)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.len() < 2 {
            return Vec::new();
        }
        kinds.into_iter().map(|kind| CLASSES[kind]).collect()
    }

    /// Light lines first, so that the others lie over them.
    fn lines(&self, out: &mut String) -> fmt::Result {
        let mut users = vec![Vec::new(); self.drawing.trunks.len()];
        for (index, route) in self.drawing.routes.iter().enumerate() {
            if let End::Trunk(trunk) = route.end {
                users[trunk].push(index);
            }
        }
        let edges = &self.graph.edges;
        for is_light in [true, false] {
            for (trunk, users) in self.drawing.trunks.iter().zip(&users) {
                let Some(first) = users.first().map(|index| &edges[*index]) else { continue };
                if (first.line == Line::Failure) != is_light {
                    continue;
                }
                let about = match users.len() {
                    1 => first.about.clone(),
                    count => format!("{} to {}", text::count(count, "edge"), self.graph.nodes[trunk.to].name),
                };
                self.line(out, class(self.graph, first), &about, &trunk.points, true)?;
            }
            for (edge, route) in edges.iter().zip(&self.drawing.routes) {
                if (edge.line == Line::Failure) != is_light {
                    continue;
                }
                match route.end {
                    End::Loop => self.turn(out, edge, &route.points)?,
                    end => self.line(
                        out,
                        class(self.graph, edge),
                        &edge.about,
                        &route.points,
                        end != End::Trunk(trunk_of(end)),
                    )?,
                }
            }
        }
        Ok(())
    }

    fn line(
        &self,
        out: &mut String,
        class: &str,
        about: &str,
        points: &[Point],
        has_tip: bool,
    ) -> fmt::Result {
        let [.., before, last] = points else { return Ok(()) };
        let is_right = self.graph.direction == Direction::Right;
        let (along, sign) = if is_right { (last.x, last.x - before.x) } else { (last.y, last.y - before.y) };
        let sign = if sign < 0.0 { -1.0 } else { 1.0 };
        let mut points = points.to_vec();
        if has_tip && let Some(end) = points.last_mut() {
            let back = along - sign * (ARROW.height - 1.0);
            if is_right { end.x = back } else { end.y = back }
        }
        write!(
            out,
            "<g class=\"{class}\"><title>{}</title><path d=\"{}\"/>",
            escaped(about),
            path(&points, is_right)
        )?;
        if has_tip {
            let (half, back) = (ARROW.width / 2.0, -sign * ARROW.height);
            let (x, y) = (number(last.x), number(last.y));
            if is_right {
                write!(
                    out,
                    "<path class=\"tip\" d=\"M{x} {y}l{b} {}v{}z\"/>",
                    number(-half),
                    number(2.0 * half),
                    b = number(back)
                )?;
            } else {
                write!(
                    out,
                    "<path class=\"tip\" d=\"M{x} {y}l{} {b}h{}z\"/>",
                    number(-half),
                    number(2.0 * half),
                    b = number(back)
                )?;
            }
        }
        out.push_str("</g>\n");
        Ok(())
    }

    /// A line from a node to itself.
    fn turn(&self, out: &mut String, edge: &Edge, points: &[Point]) -> fmt::Result {
        let [start, far, end] = points else { return Ok(()) };
        let is_right = self.graph.direction == Direction::Right;
        // The middle of a curve comes three quarters as far out as what it is drawn towards.
        let reach = |from: f64, to: f64| from + (to - from) * 4.0 / 3.0;
        let (a, b) = if is_right {
            let y = reach(start.y, far.y);
            (Point { x: start.x - 4.0, y }, Point { x: end.x + 4.0, y })
        } else {
            let x = reach(start.x, far.x);
            (Point { x, y: start.y - 4.0 }, Point { x, y: end.y + 4.0 })
        };
        write!(
            out,
            "<g class=\"{}\"><title>{}</title><path d=\"M{}C{} {} {}\"/>",
            class(self.graph, edge),
            escaped(&edge.about),
            pair(*start),
            pair(a),
            pair(b),
            pair(*end)
        )?;
        let tip = if is_right { "l-4 7h8z" } else { "l7 -4v8z" };
        writeln!(out, "<path class=\"tip\" d=\"M{}{tip}\"/></g>", pair(*end))
    }

    fn labels(&self, out: &mut String) -> fmt::Result {
        let words = Words { class: "label", anchor: "middle", size: LINE_SIZE };
        for (edge, route) in self.graph.edges.iter().zip(&self.drawing.routes) {
            let Some(rect) = route.label else { continue };
            let label = match (route.end, &edge.label) {
                (End::Stub, _) => stub(self.graph, edge),
                (_, Some(label)) => label.clone(),
                (_, None) => continue,
            };
            write!(out, "<g><title>{}</title>", escaped(&edge.about))?;
            write!(out, "<rect class=\"behind\" {}/>", placed(rect))?;
            words.write(out, rect.x + rect.width / 2.0, rect.y + rect.height / 2.0 + 4.0, &label)?;
            out.push_str("</g>\n");
        }
        Ok(())
    }
}

/// How wide a sample of the legend is with the blanks around it.
const SAMPLE: f64 = 54.0;

/// The classes of lines in the order of the legend, with its words.
const CLASSES: [(&str, &str); 5] = [
    ("edge plain", "goes on"),
    ("edge error", "after an error"),
    ("edge failure", "after an error, to kill"),
    ("edge cycle", "in a loop"),
    ("edge unused", "never taken"),
];

fn class_index(graph: &Graph, edge: &Edge) -> usize {
    match (edge.is_cyclic, edge.line) {
        (true, _) => 3,
        _ if graph.is_dead(edge) => 4,
        (_, Line::Plain) => 0,
        (_, Line::Error) => 1,
        (_, Line::Failure) => 2,
    }
}

fn class(graph: &Graph, edge: &Edge) -> &'static str {
    CLASSES[class_index(graph, edge)].0
}

fn trunk_of(end: End) -> usize {
    match end {
        End::Trunk(trunk) => trunk,
        _ => usize::MAX,
    }
}

fn write_node(out: &mut String, node: &Node, rect: Rect) -> fmt::Result {
    let state = match (node.is_faulty(), node.is_dead()) {
        (true, true) => " faulty dead",
        (true, false) => " faulty",
        (false, true) => " dead",
        (false, false) => "",
    };
    writeln!(out, "<g class=\"node {}{state}\"><title>{}</title>", node.kind.name(), escaped(&node.about))?;
    let Rect { x, y, width, height } = rect;
    let (right, bottom, middle) = (number(x + width), number(y + height), number(y + height / 2.0));
    match node.kind {
        Kind::Decision => {
            let (from, to) = (number(x + 12.0), number(x + width - 12.0));
            let (x, y) = (number(x), number(y));
            writeln!(
                out,
                "<path class=\"box\" d=\"M{from} {y}H{to}L{right} {middle}L{to} {bottom}H{from}L{x} {middle}z\"/>"
            )?;
        }
        Kind::Dataset => {
            let (half, cap) = (number(width / 2.0), 5.0);
            let (top, base) = (number(y + cap), number(y + height - cap));
            let x = number(x);
            writeln!(
                out,
                "<path class=\"box\" d=\"M{x} {top}A{half} 5 0 0 1 {right} {top}V{base}A{half} 5 0 0 1 {x} {base}z\"/>\
                 <path class=\"rim\" d=\"M{x} {top}A{half} 5 0 0 0 {right} {top}\"/>"
            )?;
        }
        kind => {
            let round = match kind {
                Kind::Start | Kind::End | Kind::Kill => (height / 2.0).min(20.0),
                Kind::Fork | Kind::Join => 2.0,
                _ => 6.0,
            };
            writeln!(out, "<rect class=\"box\" {} rx=\"{}\"/>", placed(rect), number(round))?;
            if kind == Kind::SubWorkflow {
                let inner = Rect { x: x + 4.0, y: y + 4.0, width: width - 8.0, height: height - 8.0 };
                writeln!(out, "<rect class=\"rim\" {} rx=\"3\"/>", placed(inner))?;
            }
        }
    }
    let lines = small_lines(node);
    let text_height = NAME_HEIGHT + LINE_HEIGHT * lines.len() as f64;
    let caps = if node.kind == Kind::Dataset { 3.0 } else { 0.0 };
    let (center, mut y) = (x + width / 2.0, y + (height - text_height) / 2.0 + 13.0 + caps);
    let name = Words { class: "name", anchor: "middle", size: NAME_SIZE * BOLD };
    name.write(out, center, y, &node.name)?;
    let of_marks = if node.is_faulty() { "mark" } else { "state" };
    let has_marks = !node.marks.is_empty();
    y += LINE_HEIGHT + 1.0;
    for (index, line) in lines.iter().enumerate() {
        let is_mark = has_marks && index + 1 == lines.len();
        let words =
            Words { class: if is_mark { of_marks } else { "line" }, anchor: "middle", size: LINE_SIZE };
        words.write(out, center, y, line)?;
        y += LINE_HEIGHT;
    }
    out.push_str("</g>\n");
    Ok(())
}

/// How a text is written.
struct Words {
    class: &'static str,
    anchor: &'static str,
    /// The size of letters, bold ones counted wider.
    size: f64,
}

impl Words {
    fn write(&self, out: &mut String, x: f64, y: f64, text: &str) -> fmt::Result {
        let length = number(text::ems(text) * self.size);
        let anchor = if self.anchor == "start" { "" } else { " text-anchor=\"middle\"" };
        writeln!(
            out,
            "<text class=\"{}\" x=\"{}\" y=\"{}\"{anchor} textLength=\"{length}\" \
             lengthAdjust=\"spacingAndGlyphs\">{}</text>",
            self.class,
            number(x),
            number(y),
            escaped(text)
        )
    }
}

/// A line through points: straight where it goes on, else a curve that leaves and arrives along its direction.
fn path(points: &[Point], is_right: bool) -> String {
    let mut out = String::new();
    let Some(first) = points.first() else { return out };
    out.push('M');
    out.push_str(&pair(*first));
    for step in points.windows(2) {
        let (from, to) = (step[0], step[1]);
        let is_straight = if is_right { from.y == to.y } else { from.x == to.x };
        if is_straight {
            out.push('L');
        } else {
            let (a, b) = bend(from, to, is_right);
            out.push_str(&format!("C{} {} ", pair(a), pair(b)));
        }
        out.push_str(&pair(to));
    }
    out
}

/// The points between which a curve is drawn from one point to the next.
pub fn bend(from: Point, to: Point, is_right: bool) -> (Point, Point) {
    if is_right {
        let x = (from.x + to.x) / 2.0;
        (Point { x, y: from.y }, Point { x, y: to.y })
    } else {
        let y = (from.y + to.y) / 2.0;
        (Point { x: from.x, y }, Point { x: to.x, y })
    }
}

fn placed(rect: Rect) -> String {
    format!(
        "x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
        number(rect.x),
        number(rect.y),
        number(rect.width),
        number(rect.height)
    )
}

fn pair(point: Point) -> String {
    format!("{} {}", number(point.x), number(point.y))
}

/// A number to a tenth, without a needless end.
fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    match (tenths / 10, (tenths % 10).abs()) {
        (whole, 0) => whole.to_string(),
        (0, rest) if tenths < 0 => format!("-0.{rest}"),
        (whole, rest) => format!("{whole}.{rest}"),
    }
}

/// Text as XML holds it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let check = |value: f64, expected: &str| assert_eq!(number(value), expected);
        check(1.0, "1");
        check(1.25, "1.3");
        check(-0.25, "-0.3");
        check(-1.5, "-1.5");
        check(0.04, "0");
    }

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escaped("]]><script>\"&"), "]]&gt;&lt;script&gt;&quot;&amp;");
    }
}
