//! A graph in the language of Mermaid.

use std::fmt::Write;

use super::model::{Graph, Kind, Line, Node};

/// More edges than this a viewer of Mermaid refuses unless it is told otherwise.
pub const MAX_EDGES: usize = 500;

/// Writes the graph.
pub fn render(graph: &Graph) -> String {
    let mut out = String::new();
    write(graph, &mut out).expect("memory takes everything");
    out
}

fn write(graph: &Graph, out: &mut String) -> std::fmt::Result {
    let direction = graph.direction.word();
    writeln!(out, "flowchart {direction}")?;
    writeln!(out, "  accTitle: {}", escaped(&graph.title))?;
    writeln!(out, "  accDescr: {}", escaped(&graph.about))?;
    for (index, node) in graph.nodes.iter().enumerate() {
        let lines = node.lines.iter().cloned().chain(node.mark_words());
        let mut label = escaped(&node.name);
        for line in lines {
            label.push_str("<br/>");
            label.push_str(&escaped(&line));
        }
        let (open, close) = brackets(node.kind);
        writeln!(out, "  n{}{open}\"{label}\"{close}:::{}", index + 1, class(node))?;
    }
    let (mut failures, mut loops, mut dead) = (Vec::new(), Vec::new(), Vec::new());
    for (index, edge) in graph.edges.iter().enumerate() {
        let arrow = match (edge.is_cyclic, edge.line) {
            (true, _) => "==>",
            _ if graph.is_dead(edge) => "-.->",
            (_, Line::Plain) => "-->",
            (_, Line::Error | Line::Failure) => "-.->",
        };
        let label = edge.label.as_ref().map(|label| format!("|\"{}\"|", escaped(label))).unwrap_or_default();
        writeln!(out, "  n{} {arrow}{label} n{}", edge.from + 1, edge.to + 1)?;
        match (edge.is_cyclic, edge.line) {
            (true, _) => loops.push(index.to_string()),
            _ if graph.is_dead(edge) => dead.push(index.to_string()),
            (_, Line::Failure) => failures.push(index.to_string()),
            _ => {}
        }
    }
    for (edges, style) in [(failures, "stroke:#d9a6a0"), (loops, "stroke:#c2410c"), (dead, "stroke:#9aa3ad")]
    {
        if !edges.is_empty() {
            writeln!(out, "  linkStyle {} {style}", edges.join(","))?;
        }
    }
    let mut used: Vec<_> = graph.nodes.iter().map(class).collect();
    used.sort_unstable();
    used.dedup();
    for class in used {
        writeln!(out, "  classDef {class} {}", style(class))?;
    }
    Ok(())
}

fn brackets(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Start | Kind::End | Kind::Kill => ("([", "])"),
        Kind::Decision => ("{{", "}}"),
        Kind::Fork => ("[/", "\\]"),
        Kind::Join => ("[\\", "/]"),
        Kind::Action => ("[", "]"),
        Kind::SubWorkflow => ("[[", "]]"),
        Kind::Coordinator => ("(", ")"),
        Kind::Dataset => ("[(", ")]"),
    }
}

/// The name of a class; none is a word of the language, as `end` would be.
fn class(node: &Node) -> &'static str {
    match (node.is_faulty(), node.is_dead(), node.kind) {
        (true, ..) => "faulty",
        (_, true, _) => "unused",
        (_, _, Kind::Start | Kind::End) => "good",
        (_, _, Kind::Kill) => "bad",
        (_, _, Kind::Decision | Kind::Dataset) => "choice",
        (_, _, Kind::Fork | Kind::Join) => "bar",
        (_, _, Kind::Action) => "work",
        (_, _, Kind::SubWorkflow) => "nested",
        (_, _, Kind::Coordinator) => "timer",
    }
}

fn style(class: &str) -> &'static str {
    match class {
        "faulty" => "fill:#ffffff,stroke:#b42318,color:#b42318,stroke-width:2px,stroke-dasharray:5 3",
        "unused" => "fill:#f4f4f4,stroke:#9aa3ad,color:#6b7480,stroke-dasharray:5 3",
        "good" => "fill:#d8f0dd,stroke:#3f7d4e,color:#17202a",
        "bad" => "fill:#f9dcd9,stroke:#b42318,color:#17202a",
        "choice" => "fill:#fdf0cf,stroke:#9a7413,color:#17202a",
        "bar" => "fill:#dfe3ea,stroke:#5b6b7f,color:#17202a",
        "nested" => "fill:#e4e0f7,stroke:#5b4fa0,color:#17202a",
        "timer" => "fill:#dcebfb,stroke:#2f6aa8,color:#17202a",
        _ => "fill:#eef2f7,stroke:#5b6b7f,color:#17202a",
    }
}

/// A text between quotes, with Mermaid's own entities (`#quot;`) for what it would read: quotes, `#`, markup,
/// backticks (Markdown), backslashes, `%` (directives), `$$` (formulas), icons, and lists at the beginning.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let is_list = |c: char| matches!(c, '-' | '*' | '+');
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    // Where the dot of `1. ` stands.
    let dot =
        (number.len() < text.len() && number.starts_with(['.', ')'])).then(|| text.len() - number.len());
    let mut before = None;
    for (at, c) in text.char_indices() {
        let entity = match c {
            '"' => Some("#quot;"),
            '<' => Some("#lt;"),
            '>' => Some("#gt;"),
            '&' => Some("#amp;"),
            '#' | '`' | '\\' | '%' | '|' | ';' => None,
            '$' if before == Some('$') => None,
            ':' if text[at + 1..].starts_with("fa-") => None,
            c if at == 0 && is_list(c) => None,
            _ if Some(at) == dot => None,
            '\n' => Some("<br/>"),
            c => {
                out.push(c);
                before = Some(c);
                continue;
            }
        };
        match entity {
            Some(entity) => out.push_str(entity),
            None => out.push_str(&format!("#{};", u32::from(c))),
        }
        before = Some(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn texts_stay_inside_their_quotes() {
        assert_eq!(escaped("a\"]-->b"), "a#quot;]--#gt;b");
        assert_eq!(escaped("`x` #quot; %%{init}%%"), "#96;x#96; #35;quot#59; #37;#37;{init}#37;#37;");
        assert_eq!(escaped("$$x$$ ${y}"), "$#36;x$#36; ${y}");
        assert_eq!(escaped("1. a"), "1#46; a");
        assert_eq!(escaped("12) a"), "12#41; a");
        assert_eq!(escaped("- a - b"), "#45; a - b");
        assert_eq!(escaped("fas:fa-ban"), "fas#58;fa-ban");
    }
}
