//! A DAG file of a workflow, as somebody would write it by hand.

use std::collections::{BTreeMap, BTreeSet};

use super::action::{BASH, EMPTY, Import, Rendered, Work};
use super::graph::{TaskGraph, TaskKind, TriggerRule};
use super::names::Names;
use super::python::{Expr, WIDTH, comment, statement, string};

/// A choice of a decision: the condition, or what has no counterpart.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// Code.
    Code(String),
    /// The text of an expression that nothing stands for.
    Unknown(String),
}

/// What a file is made from.
pub(super) struct Parts<'p> {
    pub(super) dag_id: &'p str,
    /// The name of the app.
    pub(super) name: &'p str,
    /// Where it was read from.
    pub(super) source: &'p str,
    pub(super) graph: &'p TaskGraph,
    /// The names of the nodes.
    pub(super) nodes: &'p [String],
    /// The actions by node.
    pub(super) actions: &'p BTreeMap<usize, Rendered>,
    /// The conditions of decisions by node, in order.
    pub(super) decisions: &'p BTreeMap<usize, Vec<Condition>>,
    /// The messages of kill nodes by node, as code.
    pub(super) kills: &'p BTreeMap<usize, Expr>,
    /// Parameters with their defaults.
    pub(super) parameters: &'p BTreeMap<String, String>,
}

/// What a file says of itself in its first line, before the mark of its contents.
const MARK: &str = "Exported by ankus; mark of the contents: ";

/// The mark of a text (FNV-1a): it tells a file that was edited from one that was not.
pub(super) fn mark(text: &str) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

/// A file of Python with its mark.
pub(super) fn marked(text: &str) -> String {
    format!("# {MARK}{}\n{text}", mark(text))
}

/// A page with its mark.
pub(super) fn marked_page(text: &str) -> String {
    format!("<!-- {MARK}{} -->\n{text}", mark(text))
}

/// Whether a text is an export as it was written: nobody has edited it.
pub fn is_untouched(text: &str) -> bool {
    let Some((first, rest)) = text.split_once('\n') else { return false };
    first.split_once(MARK).is_some_and(|(_, found)| found.trim_end_matches(" -->") == mark(rest))
}

/// The code of the tasks of a graph, to stand in a DAG.
struct Writer<'p> {
    parts: &'p Parts<'p>,
    names: Names,
    /// The variable of each task.
    variables: Vec<String>,
    out: String,
    after_function: bool,
}

/// The text of the file.
pub(super) fn file(parts: &Parts<'_>) -> String {
    let mut writer = Writer {
        parts,
        names: Names::default(),
        variables: Vec::new(),
        out: String::new(),
        after_function: true,
    };
    for index in 0..parts.graph.tasks.len() {
        writer.task(index);
    }
    writer.edges();
    if parts.graph.fail_fast {
        writer.line("");
        writer.line(
            "# A failure ends the other branches too. Set here: the constructor's check of trigger rules",
        );
        writer.line("# is stricter than the flag.");
        writer.line("dag.fail_fast = True");
    }
    let body = writer.out;
    let mut text = head(parts, &body);
    text.push_str(&dag_line(parts, &body));
    text.push_str(&body);
    text
}

/// Docstring, imports and helpers.
fn head(parts: &Parts<'_>, body: &str) -> String {
    let mut out = format!(
        "\"\"\"{}: an Oozie workflow.\n\nMade by `ankus export airflow` from {}; yours to change.\nWhat differs from Oozie is in LOSSES.md.\n\"\"\"\n\n",
        comment(parts.name),
        comment(parts.source)
    );
    let uses = |word: &str| body.contains(word);
    let mut imports: BTreeSet<Import> =
        parts.actions.values().flat_map(|action| &action.imports).copied().collect();
    if !uses("BashOperator(") {
        imports.remove(&BASH);
    }
    if uses("EmptyOperator(") {
        imports.insert(EMPTY);
    }
    if uses("AirflowFailException(") {
        imports.insert(("airflow.sdk.exceptions", "AirflowFailException"));
    }
    for (word, name) in [
        ("", "DAG"),
        ("ObjectStoragePath(", "ObjectStoragePath"),
        ("Variable.get(", "Variable"),
        ("@task", "task"),
        ("@teardown", "teardown"),
    ] {
        if uses(word) {
            imports.insert(("airflow.sdk", name));
        }
    }
    let is_captured = uses("captured(");
    let mut standard: Vec<String> = Vec::new();
    if uses("| quote") {
        standard.push("import shlex".to_owned());
    }
    if is_captured {
        standard.push("import subprocess".to_owned());
    }
    if imports.remove(&("datetime", "timedelta")) {
        standard.push("from datetime import timedelta".to_owned());
    }
    for line in &standard {
        out.push_str(line);
        out.push('\n');
    }
    if !standard.is_empty() {
        out.push('\n');
    }
    let mut modules: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    imports.iter().for_each(|(module, name)| modules.entry(module).or_default().push(name));
    for (module, names) in modules {
        out.push_str(&format!("from {module} import {}\n", names.join(", ")));
    }
    if uses("state(ti,") {
        out.push_str(
            "\n\ndef state(ti, task_id):\n    \"\"\"The state of another task of the same run.\"\"\"\n    \
             states = ti.get_task_states(\n        dag_id=ti.dag_id, task_ids=[task_id], run_ids=[ti.run_id]\n    )\n    \
             return states.get(ti.run_id, {}).get(task_id)\n",
        );
    }
    if is_captured {
        out.push_str(
            "\n\ndef captured(command):\n    \"\"\"Run a command and read the lines of `key=value` that it prints.\"\"\"\n    \
             output = subprocess.check_output([\"bash\", \"-c\", command], text=True)\n    \
             return dict(line.split(\"=\", 1) for line in output.splitlines() if \"=\" in line)\n",
        );
    }
    out.push_str("\n\n");
    // After imports alone one blank line is enough.
    if !uses("state(ti,") && !is_captured {
        out.truncate(out.len() - 1);
    }
    out
}

fn dag_line(parts: &Parts<'_>, body: &str) -> String {
    let mut arguments =
        vec![(None, Expr::text(parts.dag_id)), (Some("schedule".to_owned()), Expr::Code("None".to_owned()))];
    if !parts.parameters.is_empty() {
        let params = parts.parameters.iter().map(|(name, value)| (string(name), Expr::text(value)));
        arguments.push((Some("params".to_owned()), Expr::Dict(params.collect())));
    }
    if body.contains("| quote") {
        let filter = vec![(string("quote"), Expr::Code("shlex.quote".to_owned()))];
        arguments.push((Some("user_defined_filters".to_owned()), Expr::Dict(filter)));
    }
    let default = vec![(string("retries"), Expr::Code("0".to_owned()))];
    arguments.push((Some("default_args".to_owned()), Expr::Dict(default)));
    arguments.push((Some("tags".to_owned()), Expr::List(vec![Expr::text("oozie")])));
    statement(0, "with ", &Expr::Call("DAG".to_owned(), arguments), " as dag:")
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        if !text.is_empty() {
            self.out.push_str("    ");
            self.out.push_str(text);
        }
        self.out.push('\n');
    }

    fn rule(&self, index: usize, arguments: &mut Vec<(Option<String>, Expr)>) {
        let rule = self.parts.graph.tasks[index].rule;
        if !matches!(rule, TriggerRule::AllSuccess | TriggerRule::AllDoneSetupSuccess) {
            arguments.push((Some("trigger_rule".to_owned()), Expr::text(rule.name())));
        }
    }

    fn task(&mut self, index: usize) {
        let parts = self.parts;
        let it = &parts.graph.tasks[index];
        let target = |slot: usize| it.targets.get(slot).and_then(|target| parts.graph.tasks.get(*target));
        let target = |slot: usize| target(slot).map_or_else(String::new, |task| task.id.clone());
        match it.kind {
            TaskKind::Action(node) => match parts.actions.get(&node) {
                Some(Rendered { work: Work::Operator(operator, arguments), common, .. }) => {
                    let all = arguments.iter().chain(common).cloned();
                    self.operator(index, operator, all.collect());
                }
                Some(Rendered { work: Work::Function(parameters, lines), common, .. }) => {
                    self.function(index, "task", common, &parameters.join(", "), lines);
                }
                None => self.operator(index, EMPTY.1, Vec::new()),
            },
            TaskKind::End(_) | TaskKind::Control(_) | TaskKind::Empty => {
                self.operator(index, EMPTY.1, Vec::new())
            }
            TaskKind::Kill(node) => {
                let message = parts.kills.get(&node).cloned().unwrap_or_else(|| Expr::text(""));
                let raise = Expr::Call("AirflowFailException".to_owned(), vec![(None, message.clone())]);
                let line = statement(8, "raise ", &raise, "");
                self.function(index, "task", &[], &signature(&message.flat()), &[line]);
            }
            TaskKind::Decision(node) => {
                let conditions = parts.decisions.get(&node).map_or(&[][..], Vec::as_slice);
                let (mut lines, mut code) = (Vec::new(), String::new());
                let mut is_open = true;
                for (slot, condition) in conditions.iter().enumerate() {
                    if !is_open {
                        break;
                    }
                    match condition {
                        Condition::Code(condition) if condition == "True" => {
                            lines.push(format!("        return {}\n", string(&target(slot))));
                            is_open = false;
                        }
                        Condition::Code(condition) => {
                            code.push_str(condition);
                            let line = format!("        if {condition}:");
                            let long = if line.chars().count() > WIDTH { "  # fmt: skip" } else { "" };
                            lines.push(format!(
                                "{line}{long}\n            return {}\n",
                                string(&target(slot))
                            ));
                        }
                        Condition::Unknown(text) => {
                            let raise =
                                Expr::Call("NotImplementedError".to_owned(), vec![(None, Expr::text(text))]);
                            lines.push(statement(8, "raise ", &raise, ""));
                            is_open = false;
                        }
                    }
                }
                if is_open {
                    lines.push(format!("        return {}\n", string(&target(conditions.len()))));
                }
                self.function(index, "task.branch", &[], &signature(&code), &lines);
            }
            TaskKind::Next(node) => {
                let action = string(&parts.nodes[node]);
                let lines = [
                    format!(
                        "        if state(ti, {action}) == \"success\":\n            return {}\n",
                        string(&target(0))
                    ),
                    format!("        return {}\n", string(&target(1))),
                ];
                self.function(index, "task.branch", &[], "*, ti", &lines);
            }
            TaskKind::Outcome => {
                let is_end = |task: &&super::graph::Task| matches!(task.kind, TaskKind::End(_));
                let ends: Vec<String> =
                    parts.graph.tasks.iter().filter(is_end).map(|task| string(&task.id)).collect();
                let condition = match ends.as_slice() {
                    [end] => format!("state(ti, {end}) != \"success\""),
                    ends => format!("all(state(ti, end) != \"success\" for end in [{}])", ends.join(", ")),
                };
                let line = format!("        if {condition}:");
                let long = if line.chars().count() > WIDTH { "  # fmt: skip" } else { "" };
                let lines = [format!(
                    "{line}{long}\n            raise AirflowFailException(\"the workflow did not reach its end\")\n"
                )];
                let flag = [("on_failure_fail_dagrun", Expr::Code("True".to_owned()))];
                self.function(index, "teardown", &flag, "*, ti", &lines);
            }
        }
    }

    fn operator(&mut self, index: usize, operator: &str, arguments: Vec<(&str, Expr)>) {
        let id = self.parts.graph.tasks[index].id.clone();
        let variable = self.names.variable(&id);
        let mut all = vec![(Some("task_id".to_owned()), Expr::text(&id))];
        all.extend(arguments.into_iter().map(|(name, value)| (Some(name.to_owned()), value)));
        self.rule(index, &mut all);
        if self.after_function && !self.out.is_empty() {
            self.line("");
        }
        self.after_function = false;
        self.out.push_str(&statement(
            4,
            &format!("{variable} = "),
            &Expr::Call(operator.to_owned(), all),
            "",
        ));
        self.variables.push(variable);
    }

    fn function(
        &mut self,
        index: usize,
        decorator: &str,
        common: &[(&str, Expr)],
        signature: &str,
        lines: &[String],
    ) {
        let id = self.parts.graph.tasks[index].id.clone();
        let name = self.names.variable(&id);
        let variable = self.names.variable(&format!("{name}_task"));
        let mut arguments = Vec::new();
        let has_other_name = name != id;
        // The decorator of teardowns takes no id.
        let is_teardown = decorator == "teardown";
        if has_other_name && !is_teardown {
            arguments.push((Some("task_id".to_owned()), Expr::text(&id)));
        }
        arguments.extend(common.iter().map(|(name, value)| (Some((*name).to_owned()), value.clone())));
        self.rule(index, &mut arguments);
        self.line("");
        match arguments.is_empty() {
            true => self.line(&format!("@{decorator}")),
            false => {
                let call = Expr::Call(decorator.to_owned(), arguments);
                self.out.push_str(&statement(4, "@", &call, ""));
            }
        }
        if has_other_name && is_teardown {
            let arguments = vec![(Some("task_id".to_owned()), Expr::text(&id))];
            self.out.push_str(&statement(4, "@", &Expr::Call("task".to_owned(), arguments), ""));
        }
        self.line(&format!("def {name}({signature}):"));
        for line in lines {
            match line.ends_with('\n') {
                true => self.out.push_str(line),
                false => self.line(&format!("    {line}")),
            }
        }
        self.line("");
        self.line(&format!("{variable} = {name}()"));
        self.after_function = true;
        self.variables.push(variable);
    }

    /// What comes after what: chains where they are chains.
    fn edges(&mut self) {
        let graph = self.parts.graph;
        let downstream = graph.downstream();
        let is_link = |from: usize| match downstream[from][..] {
            [to] => graph.tasks[to].upstream.len() == 1,
            _ => false,
        };
        let mut is_written = vec![false; graph.tasks.len()];
        let mut text = String::new();
        for first in 0..graph.tasks.len() {
            if is_written[first] || downstream[first].is_empty() {
                continue;
            }
            let mut line = self.variables[first].clone();
            let mut at = first;
            loop {
                is_written[at] = true;
                let behind = &downstream[at];
                if behind.is_empty() {
                    break;
                }
                let names: Vec<&str> = behind.iter().map(|to| self.variables[*to].as_str()).collect();
                let next = match names[..] {
                    [only] => only.to_owned(),
                    _ => format!("[{}]", names.join(", ")),
                };
                if 4 + line.len() + 4 + next.len() > WIDTH && line != self.variables[at] {
                    text.push_str(&format!("    {line}\n"));
                    line = self.variables[at].clone();
                }
                if 4 + line.len() + 4 + next.len() > WIDTH && names.len() > 1 {
                    let list = names.iter().map(|name| Expr::Code((*name).to_owned())).collect();
                    line.push_str(" >> ");
                    text.push_str(&statement(4, &line, &Expr::List(list), ""));
                    line.clear();
                    break;
                }
                line.push_str(" >> ");
                line.push_str(&next);
                match is_link(at) {
                    true => at = behind[0],
                    false => break,
                }
            }
            if line.contains(" >> ") {
                text.push_str(&format!("    {line}\n"));
            }
        }
        if !text.is_empty() {
            self.out.push('\n');
            self.out.push_str(&text);
        }
    }
}

/// The parameters that a function needs for its code.
fn signature(code: &str) -> String {
    let mut names = Vec::new();
    if code.contains("params[") || code.contains("params.get(") {
        names.push("params");
    }
    if code.contains("ti.") {
        names.push("ti");
    }
    if names.is_empty() { String::new() } else { format!("*, {}", names.join(", ")) }
}
