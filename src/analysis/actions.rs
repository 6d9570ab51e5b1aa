//! What several rules ask about the actions of a workflow: which there are, which server code runs them, and what each
//! gets from `global`.

use super::flow::{Facts, NodeId};
use super::templates::Place;
use super::values::Values;
use crate::diag::Diagnostic;
use crate::el::{self, NodeKind as Expression, Part};
use crate::model::action::Details;
use crate::model::workflow::{Action, ActionBody, Node, NodeKind, Workflow};
use crate::source::Text;

/// Types that a server runs on the cluster: the executors that extend `JavaActionExecutor`.
pub const CLUSTER_TYPES: &[&str] =
    &["distcp", "git", "hive", "hive2", "java", "map-reduce", "pig", "shell", "spark", "sqoop"];

/// The types that a server runs by itself.
pub const SERVER_TYPES: &[&str] = &["email", "fs", "ssh", "sub-workflow"];

/// An action node with its parts at hand.
#[derive(Clone, Debug)]
pub struct ActionNode<'a> {
    /// Which node it is.
    pub id: NodeId,
    /// The node.
    pub node: &'a Node,
    /// The action.
    pub action: &'a Action,
    /// What it does.
    pub body: &'a ActionBody,
    /// What it does, part by part.
    pub details: Details,
}

impl ActionNode<'_> {
    /// Whether it runs on the cluster.
    pub fn is_on_cluster(&self) -> bool {
        CLUSTER_TYPES.contains(&self.body.kind.as_str())
    }

    /// The words for it in a message.
    pub fn words(&self) -> String {
        format!("action `{}`", self.node.name.value)
    }
}

/// The action nodes that say what they do, in document order.
pub fn actions<'a>(flow: &Facts<'a>, workflow: &'a Workflow) -> Vec<ActionNode<'a>> {
    let ids = flow.flow.ids();
    ids.zip(&workflow.nodes)
        .filter_map(|(id, node)| {
            let NodeKind::Action(action) = &node.kind else { return None };
            let body = action.body.as_ref()?;
            Some(ActionNode { id, node, action, body, details: body.details() })
        })
        .collect()
}

/// A finding of a fault that shows when the action starts, weighed by whether it ever does.
pub fn at_start(flow: &Facts<'_>, action: &ActionNode<'_>, finding: Diagnostic) -> Diagnostic {
    flow.weigh(action.id, finding)
}

/// The trimmed text when it holds no expression.
pub fn literal(text: &Text) -> Option<&str> {
    let is_literal = !text.value.contains("${") && !text.value.contains("#{");
    is_literal.then(|| text.value.trim())
}

/// The text as the server sees it, trimmed: as it stands, with its places, when it holds no expression; else its value,
/// when that is known.
pub fn known(values: &Values, text: &Text) -> Option<Text> {
    match literal(text) {
        Some(_) => Some(text.trimmed()),
        None => values.trimmed(text, Place::WorkflowNode).map(|value| Text::computed(value, text.span)),
    }
}

/// Whether a text is what stands in the file, so that an edit can be made in it.
pub fn is_written(text: &Text) -> bool {
    literal(text).is_some()
}

/// How a path begins, as far as it can be seen without values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// With a scheme: `hdfs://…`.
    Scheme,
    /// With `/`.
    Root,
    /// With a name.
    Name,
    /// With an expression, or not at all.
    Unknown,
}

/// How a path begins.
pub fn start(path: &Text) -> Start {
    let text = path.value.trim_start();
    let end = text.find(['$', '#']).unwrap_or(text.len());
    let (fixed, is_whole) = (&text[..end], end == text.len());
    let is_scheme = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    };
    match fixed.find(['/', ':']) {
        Some(0) if fixed.starts_with('/') => Start::Root,
        Some(at) if fixed[at..].starts_with(':') && is_scheme(&fixed[..at]) => Start::Scheme,
        Some(_) => Start::Name,
        None if is_whole && !fixed.trim_end().is_empty() => Start::Name,
        None => Start::Unknown,
    }
}

/// The names of the variables of a text when it is nothing but one variable: `${nameNode}`.
pub fn only_variable(text: &Text) -> Option<String> {
    let (template, _) = el::parse(text);
    match &template.parts[..] {
        [Part::Expression { root, .. }] => match &template.node(*root).kind {
            Expression::Variable(name) => Some(name.to_string()),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{subject, testing};
    use crate::source::{Sources, Span};

    #[test]
    fn paths_begin_in_four_ways() {
        let file = Sources::new().add("", "");
        let check = |text: &str, expected: Start| {
            assert_eq!(start(&Text::computed(text, Span::new(file, 0..0))), expected, "{text}");
        };
        check("hdfs://nn/x", Start::Scheme);
        check("hdfs://${nn}/x", Start::Scheme);
        check("hdfs:${x}", Start::Scheme);
        check(" /x", Start::Root);
        check("/${x}", Start::Root);
        check("x", Start::Name);
        check("x/${y}", Start::Name);
        check("x${y}", Start::Unknown);
        check("${nn}/x", Start::Unknown);
        check("", Start::Unknown);
        check("1:2/x", Start::Name);
        check(":x", Start::Name);
        check("s3a+x.y-z:/x", Start::Scheme);
        check("a_b:/x", Start::Name);
        check("é:/x", Start::Name);
        check("x/y:z", Start::Name);
        check(" x ", Start::Name);
        check(" \n", Start::Unknown);
        check("x#{y}", Start::Unknown);
    }

    #[test]
    fn texts_are_literal_known_or_open() {
        let check = |written: &str, of_file: Option<&str>, value: Option<&str>| {
            let text = testing::text(written);
            assert_eq!(literal(&text), of_file, "{written}");
            assert_eq!(is_written(&text), of_file.is_some(), "{written}");
            let known = known(Values::unknown(), &text);
            assert_eq!(known.as_ref().map(|known| &*known.value), value, "{written}");
        };
        check(" a/b ", Some("a/b"), Some("a/b"));
        check("", Some(""), Some(""));
        check("a$b{c}#d", Some("a$b{c}#d"), Some("a$b{c}#d"));
        check(" ${1 + 1} ", None, Some("2"));
        check("#{1 + 1}", None, Some("2"));
        check("a${b}", None, None);
        let text = testing::text(" a ");
        let known = known(Values::unknown(), &text).expect("a value");
        assert_eq!(known.span.range(), 1..2);
    }

    #[test]
    fn a_text_may_be_one_variable_alone() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(only_variable(&testing::text(text)).as_deref(), expected, "{text}");
        };
        check("${nameNode}", Some("nameNode"));
        check("${ nameNode }", Some("nameNode"));
        check("${nameNode}/x", None);
        check("${a}${b}", None);
        check("${a + b}", None);
        check("${f(a)}", None);
        check("nameNode", None);
        check("", None);
    }

    #[test]
    fn some_actions_run_on_the_cluster() {
        let model = testing::workflow(
            "<workflow-app xmlns='uri:oozie:workflow:0.5' name='w'><start to='a'/>\
             <action name='a'><pig><job-tracker>j</job-tracker><name-node>n</name-node><script>s</script></pig>\
             <ok to='b'/><error to='e'/></action>\
             <action name='b'><fs/><ok to='c'/><error to='e'/></action>\
             <action name='c'><ok to='e'/><error to='e'/></action><end name='e'/></workflow-app>",
        );
        let subject = subject::Workflow::new(&model);
        let found: Vec<_> =
            subject.actions().iter().map(|it| (it.words(), it.id.index(), it.is_on_cluster())).collect();
        assert_eq!(found, [("action `a`".to_owned(), 1, true), ("action `b`".to_owned(), 2, false)]);
    }
}
