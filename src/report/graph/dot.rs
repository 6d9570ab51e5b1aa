//! A graph in the language of Graphviz.

use std::fmt::Write;

use super::model::{Graph, Kind, Line, Node};

/// Writes the graph.
pub fn render(graph: &Graph) -> String {
    let mut out = String::new();
    write(graph, &mut out).expect("memory takes everything");
    out
}

fn write(graph: &Graph, out: &mut String) -> std::fmt::Result {
    let direction = graph.direction.word();
    writeln!(out, "digraph ankus {{")?;
    writeln!(
        out,
        "  graph [rankdir={direction}, label={}, labelloc=t, tooltip={}, fontname=\"sans-serif\"];",
        quoted(&graph.title),
        quoted(&graph.about)
    )?;
    writeln!(
        out,
        "  node [shape=box, style=filled, fillcolor=\"#eef2f7\", color=\"#5b6b7f\", fontname=\"sans-serif\"];"
    )?;
    writeln!(out, "  edge [color=\"#44505e\", fontname=\"sans-serif\", fontsize=11];")?;
    for (index, node) in graph.nodes.iter().enumerate() {
        let mut label = node.name.clone();
        for line in node.lines.iter().cloned().chain(node.mark_words()) {
            label.push('\n');
            label.push_str(&line);
        }
        let about = quoted(&node.about);
        writeln!(out, "  n{} [label={}, tooltip={about}{}];", index + 1, quoted(&label), look(node))?;
    }
    for edge in &graph.edges {
        write!(out, "  n{} -> n{} [tooltip={}", edge.from + 1, edge.to + 1, quoted(&edge.about))?;
        if let Some(label) = &edge.label {
            write!(out, ", label={}", quoted(label))?;
        }
        match (edge.is_cyclic, edge.line) {
            (true, _) => out.push_str(", color=\"#c2410c\", penwidth=2.5"),
            _ if graph.is_dead(edge) => out.push_str(", color=\"#9aa3ad\", style=dotted"),
            (_, Line::Plain) => {}
            (_, Line::Error) => out.push_str(", color=\"#b42318\", style=dashed"),
            (_, Line::Failure) => out.push_str(", color=\"#d9a6a0\", style=dashed, weight=0"),
        }
        out.push_str("];\n");
    }
    out.push_str("}\n");
    Ok(())
}

fn look(node: &Node) -> String {
    let (shape, fill) = match node.kind {
        Kind::Start => ("oval", "#d8f0dd"),
        Kind::End => ("oval", "#d8f0dd"),
        Kind::Kill => ("oval", "#f9dcd9"),
        Kind::Decision => ("hexagon", "#fdf0cf"),
        Kind::Fork => ("trapezium", "#dfe3ea"),
        Kind::Join => ("invtrapezium", "#dfe3ea"),
        Kind::Action => ("box", "#eef2f7"),
        Kind::SubWorkflow => ("box", "#e4e0f7"),
        Kind::Coordinator => ("box", "#dcebfb"),
        Kind::Dataset => ("cylinder", "#fdf0cf"),
    };
    let mut look = format!(", shape={shape}, fillcolor=\"{fill}\"");
    if node.kind == Kind::SubWorkflow {
        look.push_str(", peripheries=2");
    }
    match (node.is_faulty(), node.is_dead()) {
        (true, _) => {
            look.push_str(", style=\"filled,dashed\", color=\"#b42318\", penwidth=2, fontcolor=\"#b42318\"")
        }
        (_, true) => look.push_str(
            ", style=\"filled,dashed\", fillcolor=\"#f4f4f4\", color=\"#9aa3ad\", fontcolor=\"#6b7480\"",
        ),
        _ => {}
    }
    look
}

/// A string between quotes. Graphviz reads backslashes and character entities in labels.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '&' => out.push_str("&amp;"),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn texts_stay_inside_their_quotes() {
        assert_eq!(quoted("a\"]; b [x=\"\\"), r#""a\"]; b [x=\"\\""#);
        assert_eq!(quoted("\\N &lt; <b>\n"), r#""\\N &amp;lt; <b>\n""#);
    }
}
