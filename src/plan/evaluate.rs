//! Expressions that know nothing but a job's configuration: a bundle's definition, names, a workflow's service level.

use super::resolved::{Chunk, Resolved};
use crate::analysis::parameters::{JobConf, java_trim, undefined};
use crate::diag::Diagnostic;
use crate::el::{self, ErrorKind, EvalError, Failure, Function, Outcome, Part, Signature, Value, World};
use crate::model::functions::{self, Phase};
use crate::source::Text;

/// The variables of a configuration and the functions of a phase. Variables are trimmed in a bundle's definition
/// (`BundleSubmitXCommand.createELEvaluatorForGroup`), not in names (`ELUtils.resolveAppName`) and service levels
/// (`SubmitXCommand.createELEvaluatorForGroup`).
struct ConfWorld<'c> {
    conf: &'c JobConf,
    phase: Phase,
}

impl World for ConfWorld<'_> {
    fn variable(&self, name: &str) -> Option<Value<'_>> {
        match self.conf.get_raw(name) {
            Some(value) if self.phase == Phase::BundleSubmit => Some(Value::from(java_trim(value))),
            Some(value) => Some(Value::from(value)),
            None => functions::constant(self.phase, name).map(functions::Constant::value),
        }
    }

    fn function(&self, prefix: &str, name: &str) -> Function {
        functions::lookup(self.phase, prefix, name)
    }

    fn call<'a>(
        &'a self,
        function: &'static Signature,
        arguments: Vec<Value<'a>>,
    ) -> Result<Outcome<'a>, Failure> {
        match (function.prefix, function.name, &*arguments) {
            // `BundleELFunctions.bundle_conf` looks into the variables; what is not there is null and prints nothing.
            ("bundle", "conf", [name]) => {
                Ok(Outcome::Value(self.variable(&name.to_text()).unwrap_or(Value::Null)))
            }
            _ => Err(Failure::new(
                "ELException",
                format!("`{}` is not known in bundles", function.full_name()),
            )),
        }
    }
}

/// Puts values into a text. Every expression is evaluated by itself, so that all faults are found at once.
pub(crate) fn evaluate<'t>(
    text: &'t Text,
    conf: &JobConf,
    phase: Phase,
    codes: &[&'static str],
) -> Result<Resolved<'t>, Vec<Diagnostic>> {
    let (template, findings) = el::parse_for(text, conf.engine());
    if template.broken.is_some() {
        let findings = syntax(text, &template, findings);
        return Err(findings.into_iter().map(|finding| finding.oozie(codes)).collect());
    }
    let world = ConfWorld { conf, phase };
    let mut findings = Vec::new();
    let mut resolved =
        Resolved { original: text, text: String::with_capacity(text.value.len()), chunks: Vec::new() };
    for part in &template.parts {
        let start = resolved.text.len();
        let (from, is_expression) = match part {
            Part::Literal { value, range } => {
                resolved.text.push_str(value);
                (range.clone(), false)
            }
            Part::Expression { range, .. } => {
                let alone = text.part(range.clone());
                let (template, _) = el::parse_for(&alone, conf.engine());
                match el::evaluate(&template, &world) {
                    Ok(value) => resolved.text.push_str(&value.to_text()),
                    Err(error) => findings.push(finding(&alone, &error, conf, codes)),
                }
                (range.clone(), true)
            }
        };
        resolved.chunks.push(Chunk { out: start..resolved.text.len(), from, is_expression });
    }
    if findings.is_empty() { Ok(resolved) } else { Err(findings) }
}

/// The findings of a text that does not parse; where the printed form of a mark is to blame, in words about that.
pub(crate) fn syntax(text: &Text, template: &el::Template, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    printed_mark(text, template).map_or(findings, |finding| vec![finding])
}

/// The finding for an expression that does not parse because a mark in it is printed as a reference.
pub(crate) fn printed_mark(text: &Text, template: &el::Template) -> Option<Diagnostic> {
    let broken = template.broken.as_ref()?;
    let rest = text.value.get(broken.offset..)?;
    let marks = [
        ("&quot;", '"', "single quotes"),
        ("&lt;", '<', "`lt`"),
        ("&gt;", '>', "`gt`"),
        ("&amp;", '&', "`and`"),
    ];
    let (printed, mark, instead) = marks.into_iter().find(|(printed, ..)| rest.starts_with(printed))?;
    let span = text.span_of(broken.offset..broken.offset + printed.len());
    let message = format!("`{mark}` in an expression is read as `{printed}` by the time it is evaluated");
    Some(Diagnostic::new(&el::EL_SYNTAX, span, message).help(format!("use {instead}")))
}

/// What a fault of evaluation looks like to a person.
pub(crate) fn finding(text: &Text, error: &EvalError, conf: &JobConf, codes: &[&'static str]) -> Diagnostic {
    let span = text.span_of(error.range.clone());
    let rule = match error.kind {
        ErrorKind::UnknownVariable => return undefined(conf, &error.subject, span, codes),
        ErrorKind::Syntax => &el::EL_SYNTAX,
        ErrorKind::UnknownFunction => &el::EL_FUNCTION_UNKNOWN,
        ErrorKind::FunctionContext => &el::EL_FUNCTION_CONTEXT,
        _ => &el::EL_ARGUMENTS,
    };
    match functions::elsewhere(error) {
        Some(message) => Diagnostic::new(&el::EL_FUNCTION_CONTEXT, span, message).oozie(codes),
        None => Diagnostic::new(rule, span, error.message.clone()).oozie(codes),
    }
}
