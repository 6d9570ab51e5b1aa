//! All files of an export.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::action::{Actions, Child, Rendered, captures};
use super::cases::{Case, cases, stubbed};
use super::dag::{Condition, Parts, file, marked, marked_page};
use super::expected;
use super::expression::{Scope, variable_of};
use super::losses::{CREDENTIALS, FORK_RUNS_ON, KILLED_IS_FAILED, Loss, NODE_ENTERED_TWICE, SLA};
use super::lower::{Tangled, lower};
use super::names::dag_id;
use super::python::Expr;
use super::shape::Shape;
use crate::analysis::parameters::java_trim;
use crate::model::Dialect;
use crate::model::workflow::NodeKind;
use crate::plan::workflow::{Definition, Program, ProgramKind, Submitted};
use crate::redact::Redactor;
use crate::redact::names::names_in;
use crate::source::Span;

/// A workflow to export.
pub struct WorkflowInput<'a> {
    /// The definition.
    pub definition: Definition<'a>,
    /// What its submission gave.
    pub submitted: Submitted,
    /// Where it was read from, for people.
    pub path: String,
    /// The workflows of its sub-workflow actions by the names of the nodes: their places in the list of inputs, all of them
    /// before this one.
    pub children: BTreeMap<String, usize>,
}

/// How to export.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Leave the tests and what they expect out.
    pub no_tests: bool,
}

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path below the folder.
    pub path: String,
    /// What it holds.
    pub text: String,
}

/// Where a loss lies, in words.
pub type Source<'s> = &'s dyn Fn(Span) -> String;

/// What an export gives.
#[derive(Clone, Debug, Default)]
pub struct Export {
    /// The files in order of their paths.
    pub files: Vec<File>,
    /// What is lost, by DAG.
    pub losses: Vec<(String, Loss)>,
    /// How many DAGs, tasks and runs to compare there are.
    pub counts: (usize, usize, usize),
}

/// Why there is no export.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportFault {
    /// The name of an app gives no id.
    #[error("the name `{name}` of `{path}` has no letter or digit for a DAG id")]
    Nameless {
        /// The name.
        name: String,
        /// The file.
        path: String,
    },
    /// Two apps would be one DAG.
    #[error("`{one}` and `{other}` both become the DAG `{id}`; rename one of the apps")]
    SameId {
        /// The id.
        id: String,
        /// A file.
        one: String,
        /// Another.
        other: String,
    },
    /// A DAG would run otherwise, for a reason that is no listed loss.
    #[error("{place}: control-flow: {what}")]
    ControlFlow {
        /// Where the workflow or its node was written.
        place: String,
        /// What differs, and what to do about it.
        what: String,
    },
    /// A workflow of the specification of 2009.
    #[error("`{0}` is a `hadoop-workflow`; only a `workflow-app` is exported so far")]
    Dialect(String),
    /// A transition leads nowhere.
    #[error("`{0}` has a transition to a node that is missing")]
    Broken(String),
}

/// Exports workflows, each after those that it runs.
pub fn export(
    inputs: &[WorkflowInput<'_>],
    options: Options,
    place: Source<'_>,
) -> Result<Export, ExportFault> {
    let mut ids: BTreeMap<String, &str> = BTreeMap::new();
    let mut children: Vec<Child> = Vec::new();
    let mut made = Export::default();
    let (mut dags, mut variables) = (Map::new(), BTreeMap::new());
    for input in inputs {
        let name = java_trim(&input.submitted.name).to_owned();
        let id = dag_id(&name)
            .ok_or_else(|| ExportFault::Nameless { name: name.clone(), path: input.path.clone() })?;
        // File systems that do not tell capitals apart would mix the files up.
        if let Some(other) = ids.insert(id.to_lowercase(), &input.path) {
            return Err(ExportFault::SameId { id, one: other.to_owned(), other: input.path.clone() });
        }
        let one = one(input, &id, &name, &children, place)?;
        made.files.push(File { path: format!("{id}.py"), text: marked(&one.text) });
        made.losses.extend(one.losses.into_iter().map(|loss| (id.clone(), loss)));
        made.counts.0 += 1;
        made.counts.1 += one.tasks;
        made.counts.2 += one.cases;
        dags.insert(id.clone(), json!({"file": format!("{id}.py"), "workflow": one.expected}));
        variables.extend(one.variables);
        children.push(Child { dag_id: id, parameters: one.parameters });
    }
    made.files
        .push(File { path: "LOSSES.md".to_owned(), text: marked_page(&losses_page(&made.losses, place)) });
    made.files
        .push(File { path: "CONNECTIONS.md".to_owned(), text: marked_page(&connections_page(&variables)) });
    if !options.no_tests {
        let expected = json!({"version": 1, "airflow": "3.3.2", "dags": Value::Object(dags)});
        let mut text = serde_json::to_string_pretty(&expected).unwrap_or_default();
        text.push('\n');
        made.files.push(File { path: "tests/expected.json".to_owned(), text });
        made.files.push(File {
            path: "tests/test_export.py".to_owned(),
            text: marked(include_str!("test_export.py")),
        });
    }
    made.files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(made)
}

/// What one workflow gives.
struct One {
    text: String,
    losses: Vec<Loss>,
    expected: Value,
    variables: BTreeMap<String, String>,
    parameters: BTreeSet<String>,
    tasks: usize,
    cases: usize,
}

fn one(
    input: &WorkflowInput<'_>,
    id: &str,
    name: &str,
    children: &[Child],
    shown: Source<'_>,
) -> Result<One, ExportFault> {
    let (conf, model) = (&input.submitted.conf, input.definition.model);
    if model.dialect != Dialect::Oozie {
        return Err(ExportFault::Dialect(input.path.clone()));
    }
    let place = model.name_span;
    let span_of: BTreeMap<&str, Span> =
        model.nodes.iter().map(|node| (node.name.value.as_str(), node.tag_span)).collect();
    let program = Program::new(input.definition, &input.submitted, None);
    let broken = || ExportFault::Broken(input.path.clone());
    let shape = Shape::of(&program).ok_or_else(broken)?;
    let graph = lower(&shape).map_err(|Tangled(node)| {
        let node = &shape.nodes[node].name;
        ExportFault::ControlFlow {
            place: shown(span_of.get(node.as_str()).copied().unwrap_or(place)),
            what: format!("the branches at `{node}` are not those of one fork and one join; let each fork have its own join"),
        }
    })?;
    let mut redactor = Redactor::default();
    redactor.learn_names("", || names_in(input.definition.text));
    redactor.learn_all(conf.iter());
    redactor.learn_definition(input.definition.text);
    let is_secret = |(name, value): &(&str, &str)| redactor.value(Some(name), value) != *value;
    let secrets: BTreeSet<String> = conf.iter().filter(is_secret).map(|(name, _)| name.to_owned()).collect();
    let names: Vec<String> = shape.nodes.iter().map(|node| node.name.clone()).collect();
    let mut captured = BTreeMap::new();
    for node in &program.nodes {
        if let ProgramKind::Action(action) = &node.kind
            && captures(action)
        {
            captured.insert(node.name.to_string(), node.name.to_string());
        }
    }
    let scope = Scope {
        conf,
        workflow: name,
        secrets: &secrets,
        captured: &captured,
        used: RefCell::default(),
        used_secrets: RefCell::default(),
    };
    let actions = Actions { scope: &scope, redactor: &redactor, dag_id: id, has_fork: shape.has_fork() };
    let mut losses: Vec<Loss> = Vec::new();
    let mut variables = BTreeMap::new();
    let (mut rendered, mut decisions, mut kills) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (index, node) in program.nodes.iter().enumerate().filter(|(index, _)| shape.reached.contains(index)) {
        let span = span_of.get(&*node.name).copied().unwrap_or(place);
        let mut lose = |kind, subject: String| losses.push(Loss { kind, span, subject });
        match &node.kind {
            ProgramKind::Action(action) => {
                let child = input.children.get(&*node.name).and_then(|child| children.get(*child));
                let one: Rendered = actions.render(&node.name, action, child);
                one.losses.iter().for_each(|(kind, what)| lose(kind, format!("`{}`: {what}", node.name)));
                variables.extend(one.variables.iter().cloned());
                rendered.insert(index, one);
            }
            ProgramKind::Decision { cases, .. } => {
                let mut conditions = Vec::new();
                for (predicate, _) in cases {
                    conditions.push(match scope.condition(&predicate.text) {
                        Ok(code) => Condition::Code(code),
                        Err(missing) => {
                            let what = redactor.text(&missing.what).into_owned();
                            lose(missing.kind, format!("`{}`: {what}", node.name));
                            Condition::Unknown(redactor.text(&predicate.text.value).into_owned())
                        }
                    });
                }
                decisions.insert(index, conditions);
            }
            ProgramKind::Kill { message, .. } if graph.task_of(index).is_some() => {
                let text = &message.text;
                let (code, missing) = match redactor.text(&text.value) == text.value {
                    true => scope.python_expr(text),
                    false => (Expr::text(&redactor.text(&text.value)), Vec::new()),
                };
                for fault in missing {
                    lose(fault.kind, format!("`{}`: {}", node.name, fault.what));
                }
                kills.insert(index, code);
            }
            _ => {}
        }
    }
    for node in &model.nodes {
        if let NodeKind::Action(action) = &node.kind {
            let mut lose = |kind, what: &str| {
                let subject = format!("`{}`: {what}", node.name.value);
                losses.push(Loss { kind, span: node.tag_span, subject });
            };
            if action.credentials.is_some() {
                lose(&CREDENTIALS, "`cred`");
            }
            if action.sla.is_some() {
                lose(&SLA, "`sla:info`");
            }
        }
    }
    if model.sla.is_some() {
        losses.push(Loss { kind: &SLA, span: place, subject: "the workflow's `sla:info`".to_owned() });
    }
    let compared = cases(&shape, &graph, &stubbed(program, place));
    let differ: Vec<_> = compared.iter().filter(|case| !case.agrees).collect();
    if let Some(first) = differ.first() {
        let subject = format!("{} of {} runs, such as: {}", differ.len(), compared.len(), first.name);
        let is_twice = |case: &&&Case| !case.expected.entered_twice.is_empty();
        let runs_on = |case: &Case| shape.has_fork() && shape.has_handler() && case.expected.is_cut_short();
        if differ.iter().any(|case| !is_twice(&case) && !runs_on(case)) {
            let what = format!("the DAG would not do what Oozie does in {subject}; write this one by hand");
            return Err(ExportFault::ControlFlow { place: shown(place), what });
        }
        let enters_twice = differ.iter().any(|case| is_twice(&case));
        let kind = if enters_twice { &NODE_ENTERED_TWICE } else { &FORK_RUNS_ON };
        losses.push(Loss { kind, span: place, subject });
    } else if shape.has_fork() && shape.has_handler() {
        let subject = "a fork and an action that handles its error".to_owned();
        losses.push(Loss { kind: &FORK_RUNS_ON, span: place, subject });
    }
    for name in scope.used_secrets.borrow().iter() {
        variables.insert(variable_of(name), format!("the value of the property `{name}`"));
    }
    let used = scope.used.borrow().clone();
    let value = |name: &String| conf.get(name).ok().flatten().unwrap_or_default();
    let parameters: BTreeMap<String, String> =
        used.iter().map(|name| (name.clone(), java_trim(&value(name)).to_owned())).collect();
    let parts = Parts {
        dag_id: id,
        name,
        source: &input.path,
        graph: &graph,
        nodes: &names,
        actions: &rendered,
        decisions: &decisions,
        kills: &kills,
        parameters: &parameters,
    };
    let expected = expected::workflow(&graph, &compared);
    let agreed = compared.iter().filter(|case| case.agrees).count();
    Ok(One {
        text: file(&parts),
        losses,
        expected,
        variables,
        parameters: used,
        tasks: graph.tasks.len(),
        cases: agreed,
    })
}

fn losses_page(losses: &[(String, Loss)], place: Source<'_>) -> String {
    let mut out = String::from(
        "# Losses\n\nWhat Oozie did and these DAGs do otherwise, place by place. Made by `ankus export airflow`.\n",
    );
    let general = format!(
        "\n`{}` holds for every DAG: Oozie {}; here {}.\n",
        KILLED_IS_FAILED.name, KILLED_IS_FAILED.oozie, KILLED_IS_FAILED.airflow
    );
    out.push_str(&general);
    if losses.is_empty() {
        out.push_str("\nNothing else.\n");
    }
    let mut by_kind: BTreeMap<&str, Vec<(&String, &Loss)>> = BTreeMap::new();
    losses.iter().for_each(|(dag, loss)| by_kind.entry(loss.kind.name).or_default().push((dag, loss)));
    for (name, found) in by_kind {
        let kind = found[0].1.kind;
        let _ = write!(out, "\n## {name}\n\nOozie {}.\nThe DAG: {}.\n\n", kind.oozie, kind.airflow);
        for (dag, loss) in found {
            let subject = one_line(&loss.subject);
            let _ = writeln!(out, "- {} in `{dag}`: {subject}", place(loss.span));
        }
    }
    out
}

fn connections_page(variables: &BTreeMap<String, String>) -> String {
    let mut out = String::from(
        "# Connections and variables\n\nWhat the DAGs need and no file holds. Made by `ankus export airflow`.\n\n",
    );
    if variables.is_empty() {
        out.push_str("No variable is needed.\n");
    }
    for (name, what) in variables {
        let _ = writeln!(out, "- variable `{name}`: {}", one_line(what));
    }
    out
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
