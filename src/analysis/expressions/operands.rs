//! Operators that fail whenever they are evaluated, whatever is not known yet.

use super::Expression;
use crate::analysis::templates::Place;
use crate::analysis::values::Values;
use crate::diag::{Diagnostic, Severity};
use crate::el::{self, EL_ARGUMENTS, Known, NodeId, NodeKind, Template, Type, Value, misfits};
use crate::model::functions::{self, ConstantValue, Treatment};

/// What is wrong with the operands of an expression. What only some executions evaluate is a warning.
pub(super) fn check(expression: &Expression<'_>, values: &Values) -> Vec<Diagnostic> {
    let (parsed, place) = (&expression.parsed, expression.template.place);
    let found = misfits(parsed, |id| known(parsed, id, place, values));
    let finding = |misfit: el::Misfit| {
        let finding = Diagnostic::new(&EL_ARGUMENTS, parsed.span(misfit.node), misfit.message);
        let finding = expression.placed(finding);
        match misfit.is_sure {
            true => finding,
            false => {
                finding.stage(None).severity(Severity::Warning).help("mend it: it fails once it is evaluated")
            }
        }
    };
    found.into_iter().map(finding).collect()
}

fn known(template: &Template, id: NodeId, place: Place, values: &Values) -> Known {
    // What holds an expression itself may become anything.
    let text = |found: Option<String>| match found.filter(|text| !text.contains("${")) {
        Some(text) => Known::Value(Value::from(text)),
        None => Known::Nothing,
    };
    match &template.node(id).kind {
        NodeKind::Variable(name) => match functions::constant(place.phase(), name).map(|found| found.value) {
            Some(ConstantValue::Long(number)) => Known::Value(Value::Long(number)),
            Some(ConstantValue::Text(_)) => Known::Nothing,
            None => text(values.text_of(name, place, false)),
        },
        NodeKind::Call { prefix, name, arguments } => {
            let Some(definition) = functions::find(prefix, name) else { return Known::Nothing };
            if definition.in_phase(place.phase()) != Treatment::Evaluated {
                return Known::Nothing;
            }
            match (definition.signature.result, arguments.as_ref()) {
                (Type::Int | Type::Long | Type::Bool | Type::Map, _) => {
                    Known::Type(definition.signature.result)
                }
                (_, [argument]) if &**name == "conf" => match &template.node(*argument).kind {
                    NodeKind::String(property) => text(values.text_of(property, place, true)),
                    _ => Known::Nothing,
                },
                _ => Known::Nothing,
            }
        }
        _ => Known::Nothing,
    }
}
