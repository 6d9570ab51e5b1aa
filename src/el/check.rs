//! What can be said of a template without evaluating it.

use crate::diag::{Diagnostic, Edit, closest};

use super::ast::{Call, NodeId, NodeKind, Template};
use super::evaluate::{count_message, literal};
use super::findings::{EL_ARGUMENTS, EL_FUNCTION_CONTEXT, EL_FUNCTION_UNKNOWN, EL_SYNTAX};
use super::world::{Function, Signature};

/// Every call of a function that does not exist or not at this place, or that has the wrong number of arguments or a
/// literal argument of the wrong type; and whole numbers that are too large. `lookup` is what [`super::World::function`]
/// would answer, `names` the functions to offer where one is misspelt, `elsewhere` says where a function does exist.
pub fn check<'n>(
    template: &Template,
    lookup: impl Fn(&str, &str) -> Function,
    names: impl Fn() -> Vec<&'n str>,
    elsewhere: impl Fn(&Signature) -> Option<String>,
) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (id, node) in (0u32..).map(super::NodeId).zip(&template.nodes) {
        match &node.kind {
            NodeKind::TooLong(digits) => {
                let message = format!("`{digits}` is too large for a whole number");
                findings.push(Diagnostic::new(&EL_SYNTAX, template.span(id), message));
            }
            NodeKind::Call { prefix, name, arguments } => {
                let call = Call { node: id, prefix, name, arguments };
                match lookup(prefix, name) {
                    Function::Known(signature) => {
                        check_arguments(template, call, signature, false, &mut findings)
                    }
                    Function::Echoed(signature) => {
                        check_arguments(template, call, signature, true, &mut findings)
                    }
                    Function::Elsewhere(signature) => {
                        let message = format!("`{}` does not exist at this place", signature.full_name());
                        let mut finding = Diagnostic::new(&EL_FUNCTION_CONTEXT, template.span(id), message);
                        finding.help = elsewhere(signature);
                        findings.push(finding);
                    }
                    Function::Unknown => {
                        let written =
                            if prefix.is_empty() { name.to_string() } else { format!("{prefix}:{name}") };
                        let message = format!("there is no function `{written}`");
                        let finding = Diagnostic::new(&EL_FUNCTION_UNKNOWN, template.span(id), message);
                        findings.push(with_near_name(finding, template, id, &written, &names()));
                    }
                }
            }
            _ => {}
        }
    }
    findings
}

/// With the nearest name, and the edit that writes it where the name stands as it was read.
fn with_near_name(
    finding: Diagnostic,
    template: &Template,
    id: NodeId,
    written: &str,
    names: &[&str],
) -> Diagnostic {
    let Some(near) = closest(written, names.iter().copied()) else { return finding };
    let finding = finding.help(format!("did you mean `{near}`?"));
    let start = template.node(id).range.start as usize;
    let is_written = template.text.value.get(start..).is_some_and(|rest| rest.starts_with(written));
    let span = template.text.span_of(start..start + written.len());
    if !is_written || span.range().len() != written.len() {
        return finding;
    }
    finding.fix(false, vec![Edit { span, text: near.to_owned() }])
}

fn check_arguments(
    template: &Template,
    call: Call<'_>,
    signature: &Signature,
    is_echo: bool,
    findings: &mut Vec<Diagnostic>,
) {
    let given = call.arguments.len();
    if !signature.takes(given) {
        let names: Vec<_> = signature.parameters.iter().map(|parameter| parameter.name).collect();
        let finding =
            Diagnostic::new(&EL_ARGUMENTS, template.span(call.node), count_message(signature, given));
        findings.push(finding.help(format!("write `{}({})`", signature.full_name(), names.join(", "))));
        return;
    }
    if is_echo {
        return;
    }
    for (argument, parameter) in call.arguments.iter().zip(signature.parameters) {
        // What is no literal is null here, which fits everything.
        if let Some(failure) = literal(template, *argument).ok().and_then(|v| v.coerce(parameter.kind).err())
        {
            let message =
                format!("{} (`{}` of `{}`)", failure.message, parameter.name, signature.full_name());
            findings.push(Diagnostic::new(&EL_ARGUMENTS, template.span(*argument), message));
        }
    }
}
