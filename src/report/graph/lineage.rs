//! Coordinators and datasets as a graph: who reads what, who writes it, and what each runs.
//!
//! Two datasets are one when their URI templates are the same after values were put in, whatever they are called.

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};

use super::model::{Direction, Edge, Graph, Kind, Line, Mark, Node};
use super::text;

/// A coordinator as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct Coordinator {
    /// Its name.
    pub name: String,
    /// How often it runs, such as "every 1 day".
    pub rhythm: Option<String>,
    /// The path of the workflow that it runs.
    pub workflow: Option<String>,
    /// The name of that workflow, where the project holds it.
    pub workflow_name: Option<String>,
    /// The file that defines it.
    pub file: Option<String>,
    /// What it reads and writes.
    pub uses: Vec<Use>,
    /// What is odd about it.
    pub marks: Vec<Mark>,
}

/// An event: a dataset that is read or written.
#[derive(Clone, Debug, Default)]
pub struct Use {
    /// Whether it is written.
    pub is_output: bool,
    /// The event's name.
    pub event: String,
    /// The dataset's name.
    pub dataset: String,
    /// The dataset's URI template; `None` when there is no such dataset.
    pub uri: Option<String>,
    /// How often the dataset gets an instance.
    pub rhythm: Option<String>,
    /// Which instances, each still an expression.
    pub instances: Vec<String>,
    /// First and last instance of a range.
    pub range: Option<(String, String)>,
}

/// A dataset while it is gathered.
#[derive(Default)]
struct Gathered {
    names: IndexSet<String>,
    rhythms: IndexSet<String>,
    readers: BTreeSet<usize>,
    writers: BTreeSet<usize>,
    uri: Option<String>,
}

/// With more datasets than this beside each other a picture would be wider than a page, so it leads to the right.
const MANY_USES: usize = 6;

/// Draws coordinators.
pub fn graph(title: &str, coordinators: &[Coordinator]) -> Graph {
    let mut datasets: IndexMap<(Option<usize>, String), Gathered> = IndexMap::new();
    let mut edges = Vec::new();
    for (index, coordinator) in coordinators.iter().enumerate() {
        for used in &coordinator.uses {
            // A dataset that nothing defines belongs to the coordinator that names it.
            let key = match &used.uri {
                Some(uri) => (None, identity(uri)),
                None => (Some(index), used.dataset.clone()),
            };
            let entry = datasets.entry(key);
            let number = coordinators.len() + entry.index();
            let dataset = entry.or_default();
            dataset.names.insert(used.dataset.clone());
            dataset.rhythms.extend(used.rhythm.clone());
            dataset.uri.clone_from(&used.uri);
            let users = if used.is_output { &mut dataset.writers } else { &mut dataset.readers };
            users.insert(index);
            let (from, to) = if used.is_output { (index, number) } else { (number, index) };
            edges.push(edge(coordinator, used, from, to));
        }
    }
    let name_of = |index: &usize| coordinators[*index].name.as_str();
    let nodes = coordinators.iter().map(node);
    let nodes = nodes.chain(datasets.values().map(|dataset| dataset_node(dataset, &name_of))).collect();
    let title = text::short(title, text::MAX_LINE_COLUMNS);
    let is_wide = coordinators.iter().any(|coordinator| coordinator.uses.len() > MANY_USES);
    let direction = if is_wide { Direction::Right } else { Direction::Down };
    let mut graph = Graph { title, about: String::new(), direction, nodes, edges };
    graph.edges.sort_by_key(|edge| edge.from);
    graph.about = format!("coordinators and datasets of {}: {}", graph.title, graph.summary());
    graph
}

/// What two templates share that mean the same URIs: blanks within expressions and a slash at the end do not count.
fn identity(uri: &str) -> String {
    let mut out = String::with_capacity(uri.len());
    let mut is_inside = false;
    for c in uri.trim().trim_end_matches('/').chars() {
        match c {
            '{' if out.ends_with('$') => is_inside = true,
            '}' => is_inside = false,
            c if is_inside && c.is_whitespace() => continue,
            _ => {}
        }
        out.push(c);
    }
    out
}

fn node(coordinator: &Coordinator) -> Node {
    let mut about = format!("coordinator {}", coordinator.name);
    let mut lines = Vec::new();
    if let Some(rhythm) = &coordinator.rhythm {
        lines.push(text::short(rhythm, text::MAX_LINE_COLUMNS));
        about.push_str(&format!(", {rhythm}"));
    }
    if let Some(path) = &coordinator.workflow {
        let name = coordinator.workflow_name.clone().unwrap_or_else(|| text::path_end(path));
        lines.push(text::short(&format!("runs {name}"), text::MAX_LINE_COLUMNS));
    }
    let mut about = text::short(&about, text::MAX_ABOUT_COLUMNS);
    if let Some(path) = &coordinator.workflow {
        add_line(&mut about, &format!("runs {path}"));
    }
    if let Some(file) = &coordinator.file {
        add_line(&mut about, file);
    }
    let name = named(&coordinator.name);
    Node { kind: Kind::Coordinator, name, lines, about, marks: coordinator.marks.clone() }
}

fn dataset_node<'a>(dataset: &Gathered, name_of: &dyn Fn(&usize) -> &'a str) -> Node {
    let names: Vec<_> = dataset.names.iter().map(String::as_str).collect();
    let names = names.join(", ");
    let mut lines = Vec::new();
    let mut about = text::short(&format!("dataset {names}"), text::MAX_ABOUT_COLUMNS);
    if let Some(uri) = &dataset.uri {
        lines.push(text::short_middle(&plain(uri), text::MAX_LINE_COLUMNS));
        add_line(&mut about, uri);
    }
    for rhythm in &dataset.rhythms {
        add_line(&mut about, rhythm);
    }
    for (words, users) in [("written by", &dataset.writers), ("read by", &dataset.readers)] {
        let users: Vec<_> = users.iter().map(name_of).collect();
        if !users.is_empty() {
            add_line(&mut about, &format!("{words} {}", users.join(", ")));
        }
    }
    let marks = if dataset.uri.is_none() { vec![Mark::Missing] } else { Vec::new() };
    Node { kind: Kind::Dataset, name: named(&names), lines, about, marks }
}

/// A URI template without scheme and host, which are mostly the same for all, and with the usual letters for dates. The
/// tooltip has it as it is.
fn plain(uri: &str) -> String {
    let rest = uri.split_once("://").and_then(|(scheme, rest)| {
        let is_plain = scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
        let at = rest.find('/')?;
        (is_plain && scheme != "hcat").then(|| &rest[at..])
    });
    let mut text = rest.unwrap_or(uri).to_owned();
    let letters =
        [("${YEAR}", "YYYY"), ("${MONTH}", "MM"), ("${DAY}", "DD"), ("${HOUR}", "hh"), ("${MINUTE}", "mm")];
    for (name, letters) in letters {
        text = text.replace(name, letters);
    }
    text
}

fn edge(coordinator: &Coordinator, used: &Use, from: usize, to: usize) -> Edge {
    let instances = match (&used.range, used.instances.as_slice()) {
        (Some((start, end)), _) => Some(range(&instance(start), &instance(end))),
        (None, []) => None,
        (None, [one]) => Some(instance(one)),
        (None, [first, rest @ ..]) => Some(format!("{} and {} more", instance(first), rest.len())),
    };
    let is_usual = instances.as_deref() == Some("current(0)");
    let verb = if used.is_output { "writes" } else { "reads" };
    let what = instances.as_deref().map_or_else(String::new, |instances| format!(", {instances}"));
    let about = format!("{} {verb} {} as {}{what}", coordinator.name, used.dataset, used.event);
    Edge {
        from,
        to,
        line: Line::Plain,
        label: instances.filter(|_| !is_usual).map(|label| text::short(&label, text::MAX_LABEL_COLUMNS)),
        about: text::short(&about, text::MAX_ABOUT_COLUMNS),
        is_cyclic: false,
    }
}

/// An instance without the signs that all instances share: `${coord:current(0)}` is `current(0)`.
fn instance(text: &str) -> String {
    let text = text.trim();
    let inner = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    let inner = inner.filter(|inner| !inner.contains("${")).unwrap_or(text);
    inner.replace("coord:", "").trim().to_owned()
}

/// Two instances as one: `current(-23)` and `current(0)` are `current(-23 … 0)`.
fn range(start: &str, end: &str) -> String {
    let parts = |text: &str| {
        let (function, rest) = text.split_once('(')?;
        Some((function.to_owned(), rest.strip_suffix(')')?.to_owned()))
    };
    match (parts(start), parts(end)) {
        (Some((function, from)), Some((other, to))) if function == other => {
            format!("{function}({from} … {to})")
        }
        _ => format!("{start} … {end}"),
    }
}

fn named(name: &str) -> String {
    let name = text::short_middle(name, text::MAX_NAME_COLUMNS);
    if name.is_empty() { "(no name)".to_owned() } else { name }
}

fn add_line(about: &mut String, line: &str) {
    about.push('\n');
    about.push_str(&text::short(line, text::MAX_ABOUT_COLUMNS));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_one_in_spite_of_blanks() {
        assert_eq!(identity("hdfs://a/${ YEAR }/"), identity("hdfs://a/${YEAR}"));
        assert_ne!(identity("hdfs://a/${YEAR}"), identity("hdfs://a/${MONTH}"));
    }

    #[test]
    fn templates_are_shown_plainly() {
        assert_eq!(plain("hdfs://nn1:8020/a/${YEAR}-${MONTH}"), "/a/YYYY-MM");
        assert_eq!(plain("${nn}/a"), "${nn}/a");
        assert_eq!(plain("hcat://h:1/db/t"), "hcat://h:1/db/t");
    }

    #[test]
    fn instances_are_short() {
        assert_eq!(instance("${coord:current(-coord:hoursInDay(0))}"), "current(-hoursInDay(0))");
        assert_eq!(instance("2024-01-01T00:00Z"), "2024-01-01T00:00Z");
        assert_eq!(range("current(-daysInMonth(0))", "current(-1)"), "current(-daysInMonth(0) … -1)");
        assert_eq!(range("current(0)", "future(0, 3)"), "current(0) … future(0, 3)");
    }
}
