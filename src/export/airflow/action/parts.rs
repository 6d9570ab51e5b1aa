//! Parts of actions: operations on files, sub-workflows, retries.

use std::collections::BTreeSet;

use super::{Child, Rendering, TRIGGER, Work};
use crate::el::Template;
use crate::export::airflow::losses::{RETRY_CODES, SUB_WORKFLOW_LIVES_ON, SUB_WORKFLOW_MISSING};
use crate::export::airflow::names;
use crate::export::airflow::python::{Expr, jinja_string, string};
use crate::model::action::{FsKind, FsOperation, SubWorkflow};
use crate::plan::workflow::ActionProgram;
use crate::source::Text;
use crate::xml::Element;

impl Rendering<'_, '_, '_> {
    pub(super) fn sub_workflow(&mut self, sub: &SubWorkflow, child: Option<&Child>) -> Work {
        self.imports.insert(TRIGGER);
        let dag_id = match child {
            Some(child) => child.dag_id.clone(),
            None => {
                let path = sub.app_path.as_ref().map(|path| path.value.trim().to_owned()).unwrap_or_default();
                self.lose(&SUB_WORKFLOW_MISSING, format!("`{path}`"));
                let name = path.trim_end_matches("/workflow.xml").trim_end_matches('/');
                names::dag_id(name.rsplit('/').next().unwrap_or(name)).unwrap_or_else(|| self.node.to_owned())
            }
        };
        if self.actions.has_fork {
            self.lose(&SUB_WORKFLOW_LIVES_ON, self.node);
        }
        let mut conf = Vec::new();
        let mut given = BTreeSet::new();
        for property in &sub.configuration.properties {
            let name = property.name.value.trim().to_owned();
            let value = match self.is_secret(&name, &property.value) {
                Some(_) => continue,
                None => self.jinja(&property.value.trimmed()),
            };
            if given.insert(name.clone()) {
                conf.push((string(&name), Expr::text(&value)));
            }
        }
        if let (Some(_), Some(child)) = (&sub.propagate_configuration, child) {
            let scope = self.actions.scope;
            for name in child.parameters.iter().filter(|name| !given.contains(*name)) {
                if scope.conf.contains(name) && !scope.secrets.contains(name) {
                    scope.used.borrow_mut().insert(name.clone());
                    let value = format!("{{{{ params[{}] }}}}", jinja_string(name));
                    conf.push((string(name), Expr::text(&value)));
                }
            }
        }
        let run_id = format!("{{{{ run_id }}}}__{}", self.node);
        let mut arguments = vec![
            ("trigger_dag_id", Expr::text(&dag_id)),
            ("trigger_run_id", Expr::text(&run_id)),
            ("logical_date", Expr::Code("None".to_owned())),
        ];
        if !conf.is_empty() {
            arguments.push(("conf", Expr::Dict(conf)));
        }
        arguments.push(("wait_for_completion", Expr::Code("True".to_owned())));
        arguments.push(("deferrable", Expr::Code("True".to_owned())));
        Work::Operator(TRIGGER.1, arguments)
    }

    /// Operations on files as commands; nothing where one has no counterpart.
    pub(super) fn operations(
        &mut self,
        operations: &[FsOperation],
        name_node: Option<&Text>,
        elements: &[&Element],
    ) -> Option<Vec<String>> {
        let mut commands = Vec::new();
        for operation in operations {
            let of_element = elements.iter().find(|element| element.span == operation.span);
            let attribute = |name: &str| {
                of_element.and_then(|element| element.attribute(name)).map(|it| it.value.clone())
            };
            let is_bare = operation.path.as_ref().is_some_and(|path| path.value.trim().starts_with('/'));
            let mut words = vec!["hdfs dfs".to_owned()];
            if let (true, Some(name_node)) = (is_bare, name_node) {
                words.push(format!("-fs {}", self.word(&name_node.trimmed())));
            }
            let deep = if operation.recursive.is_some() { " -R" } else { "" };
            let option = match operation.kind {
                FsKind::Delete => "-rm -r -f".to_owned(),
                FsKind::Mkdir => "-mkdir -p".to_owned(),
                FsKind::Move => "-mv".to_owned(),
                FsKind::Touchz => "-touchz".to_owned(),
                FsKind::Chmod => {
                    let permissions =
                        operation.permissions.as_ref().map(|text| self.word(&text.trimmed()))?;
                    format!("-chmod{deep} {permissions}")
                }
                FsKind::Chgrp => {
                    let group = attribute("group").map(|text| self.word(&text))?;
                    format!("-chgrp{deep} {group}")
                }
                FsKind::Setrep => {
                    let factor = attribute("replication-factor").map(|text| self.word(&text))?;
                    format!("-setrep {factor}")
                }
            };
            words.push(option);
            words.extend(
                operation.path.iter().chain(&operation.target).map(|path| self.word(&path.trimmed())),
            );
            commands.push(words.join(" "));
        }
        Some(commands)
    }

    pub(super) fn retries(&mut self, program: &ActionProgram) -> Vec<(&'static str, Expr)> {
        let number = |template: &Option<Template>| {
            let template = template.as_ref()?;
            template.literal().and_then(|text| text.trim().parse::<u32>().ok())
        };
        let Some(max) = number(&program.retry_max).filter(|max| *max > 0) else { return Vec::new() };
        self.lose(&RETRY_CODES, format!("`retry-max=\"{max}\"`"));
        let minutes = number(&program.retry_interval).unwrap_or(10);
        let delay = format!("timedelta(minutes={minutes})");
        self.imports.insert(("datetime", "timedelta"));
        let mut arguments =
            vec![("retries", Expr::Code(max.to_string())), ("retry_delay", Expr::Code(delay))];
        let policy = program.retry_policy.as_ref().and_then(Template::literal);
        if policy.is_some_and(|policy| policy.trim().eq_ignore_ascii_case("exponential")) {
            arguments.push(("retry_exponential_backoff", Expr::Code("True".to_owned())));
        }
        arguments
    }
}
