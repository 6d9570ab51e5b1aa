//! The input logic of a coordinator at submission and for one action.

use std::collections::{BTreeMap, BTreeSet};

use super::findings::INPUT_LOGIC_INVALID;
use super::job::LogicTemplate;
use super::resolver::Resolver;
use super::scope::{Scope, Side};
use super::template::{Compiled, Fault, Place};
use crate::diag::{Diagnostic, Stage, SubjectKind};
use crate::model::coordinator::{InputLogic, LogicKind, LogicNode as Model};
use crate::model::functions::Phase;
use crate::plan::input_logic::{LogicError, LogicNode, MAX_LOGIC_DEPTH};

/// Resolves names (`CoordSubmitXCommand.resolveInputLogic`). What only a dry run finds is told as well. `inputs` are the
/// names of all input events that are written, those included whose dataset is not understood.
pub(super) fn resolve(
    resolver: &mut Resolver<'_>,
    logic: &InputLogic,
    inputs: &[&str],
    names: &mut BTreeMap<String, Side>,
) -> Vec<LogicTemplate> {
    let known: BTreeSet<String> = inputs.iter().map(|name| (*name).to_owned()).collect();
    if let [_, second, ..] = logic.operands.as_slice() {
        let message = "two operators stand side by side";
        let finding = Diagnostic::new(&INPUT_LOGIC_INVALID, second.span, message).oozie(&[]);
        resolver.report(finding.help("put them into an `and` or an `or`"));
    }
    logic.operands.iter().map(|node| node_of(resolver, node, &known, names, 0)).collect()
}

fn node_of(
    resolver: &mut Resolver<'_>,
    model: &Model,
    known: &BTreeSet<String>,
    names: &mut BTreeMap<String, Side>,
    depth: usize,
) -> LogicTemplate {
    let instances = Phase::CoordJobSubmitInstances;
    let dataset = model.dataset.as_ref().and_then(|text| resolver.text(Some(text), instances));
    let name = model.name.as_ref().and_then(|text| resolver.text(Some(text), instances));
    if let Some(name) = &name {
        names.insert(name.clone(), Side::Input);
    }
    if let (LogicKind::DataIn, Some(text), Some(dataset)) = (model.kind, &model.dataset, &dataset)
        && !known.contains(dataset)
    {
        let message = format!("no input event is named `{dataset}`");
        let finding = Diagnostic::new(&INPUT_LOGIC_INVALID, text.span, message)
            .about(SubjectKind::Event, dataset.as_str());
        resolver.report(finding.help_did_you_mean(dataset, known.iter().map(String::as_str)));
    }
    let too_deep = depth >= MAX_LOGIC_DEPTH;
    if too_deep && !model.operands.is_empty() {
        let message = LogicError::TooDeep.to_string();
        resolver.report(Diagnostic::new(&INPUT_LOGIC_INVALID, model.span, message).oozie(&[]));
    }
    let operands = if too_deep { &[][..] } else { &model.operands };
    if operands.is_empty() && model.kind != LogicKind::DataIn {
        let finding = Diagnostic::new(&INPUT_LOGIC_INVALID, model.span, LogicError::Empty.to_string());
        resolver.report(finding.oozie(&[]));
    }
    let operands = operands.iter().map(|o| node_of(resolver, o, known, names, depth + 1)).collect();
    let engine = resolver.settings.engine;
    LogicTemplate {
        span: model.span,
        node: LogicNode { kind: model.kind, name, dataset, min: None, wait: None, operands: Vec::new() },
        min: model.min.as_ref().map(|text| Compiled::new(text, engine)),
        wait: model.wait.as_ref().map(|text| Compiled::new(text, engine)),
        operands,
    }
}

/// The logic of one action, with `min` and `wait` evaluated (`CoordCommandUtils.evaluateInputCheck`).
pub(super) fn create(templates: &[LogicTemplate], scope: &Scope<'_>) -> Result<Vec<LogicNode>, Fault> {
    let evaluate = |compiled: &Option<Compiled>| -> Result<_, Fault> {
        match compiled {
            None => Ok(None),
            Some(compiled) => compiled.evaluate(scope).map(|found| Some(found.text)).map_err(|error| {
                let place =
                    Place { stage: Stage::Materialize, codes: &["E1004"], variables: scope.variables };
                compiled.finding(&error, &place).into()
            }),
        }
    };
    let create_one = |template: &LogicTemplate| {
        Ok(LogicNode {
            min: evaluate(&template.min)?,
            wait: evaluate(&template.wait)?,
            operands: create(&template.operands, scope)?,
            ..template.node.clone()
        })
    };
    templates.iter().map(create_one).collect()
}
