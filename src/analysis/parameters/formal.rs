//! Formal parameters: the `parameters` element of an app, as `ParameterVerifier` applies it.

use super::java_trim;
use super::job_conf::{Given, JobConf, Layer};
use crate::diag::{Diagnostic, Group, Info, Severity, Stage, SubjectKind};
use crate::model::Parameter;
use crate::source::Span;

/// A name that nothing gives a value.
pub static PARAMETER_UNDEFINED: Info = Info {
    name: "parameter-undefined",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0738"],
    explanation: "A parameter is used or demanded, and nothing gives it a value.\n\n\
        Formal parameters without a default must come with the submission (E0738); a variable in an expression must \
        be a property of the job (E1004 in bundles and coordinators, E0803 or a failed action in workflows). \
        Supply it with a property file, `-D`, the default file beside the app or a default.",
};

/// A formal parameter without a name.
pub static PARAMETER_NAME_EMPTY: Info = Info {
    name: "parameter-name-empty",
    group: Group::Meaning,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E0739"],
    explanation: "A formal parameter has an empty name.\n\nThe server refuses the submission. Name it or remove it.",
};

/// Whether apps of this namespace have formal parameters (`ParameterVerifier.supportsParameters`).
pub fn supports_parameters(namespace: &str) -> bool {
    let minimum = |kind| if kind == "bundle" { 0.2 } else { 0.4 };
    let Some((kind, version)) = namespace.strip_prefix("uri:oozie:").and_then(|rest| rest.split_once(':'))
    else {
        return false;
    };
    ["workflow", "coordinator", "bundle"].contains(&kind)
        && version.split_once('.').is_some_and(|(major, minor)| {
            let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            digits(major) && digits(minor)
        })
        && version.parse::<f64>().is_ok_and(|version| version >= minimum(kind))
}

/// Gives defaults to parameters that nothing else gives and reports those that have neither
/// (`ParameterVerifier.verifyParameters`). Defaults are trimmed, an empty one counts.
pub fn verify(conf: &mut JobConf, namespace: &str, parameters: &[Parameter]) -> Vec<Diagnostic> {
    if !supports_parameters(namespace) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for parameter in parameters {
        let name = java_trim(&parameter.name.value);
        if name.is_empty() {
            let message = "a formal parameter has no name";
            findings.push(Diagnostic::new(&PARAMETER_NAME_EMPTY, parameter.span, message));
            continue;
        }
        match &parameter.default {
            Some(default) => {
                let given = Given::new(name, java_trim(&default.value)).at(default.span);
                conf.set_default(Layer::FormalDefault, given);
            }
            None if conf.contains(name) => {}
            None => {
                let message = format!("the formal parameter `{name}` has no default and is not supplied");
                let help = format!("supply it with `-D {name}=…` or a property file, or give it a default");
                let found = Diagnostic::new(&PARAMETER_UNDEFINED, parameter.name.span, message);
                findings.push(found.about(SubjectKind::Parameter, name).help(help));
            }
        }
    }
    findings
}

/// The findings for names that files leave to the command line and that it does not give: a server that gets
/// `a=${a}` puts the value into itself until it gives up.
pub fn not_awaited(conf: &JobConf) -> Vec<Diagnostic> {
    let finding = |(name, span): (&str, Option<Span>)| {
        let message = format!("`{name}` is left to the command line, which does not give it");
        let finding = Diagnostic::new(&PARAMETER_UNDEFINED, span?, message)
            .about(SubjectKind::Parameter, name)
            .oozie(&["E0803"]);
        Some(finding.help(format!("supply it with `-D {name}=…`, or write the value out")))
    };
    conf.awaited().filter_map(finding).collect()
}

/// The finding for a variable that no layer defines; `codes` are those of its place.
pub fn undefined(conf: &JobConf, name: &str, span: Span, codes: &[&'static str]) -> Diagnostic {
    let found = Diagnostic::new(&PARAMETER_UNDEFINED, span, format!("`{name}` has no value"))
        .about(SubjectKind::Parameter, name)
        .oozie(codes);
    let supply = format!("supply it with `-D {name}=…` or a property file");
    match crate::diag::closest(name, conf.iter().map(|(name, _)| name)) {
        Some(near) => found.help(format!("did you mean `{near}`? Else {supply}")).meant(near),
        None => found.help(supply),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_that_have_parameters() {
        let check = |namespace, expected| assert_eq!(supports_parameters(namespace), expected, "{namespace}");
        check("uri:oozie:workflow:0.4", true);
        check("uri:oozie:workflow:0.2.5", false);
        check("uri:oozie:workflow:0.3", false);
        check("uri:oozie:workflow:1.0", true);
        check("uri:oozie:coordinator:0.4", true);
        check("uri:oozie:coordinator:0.2", false);
        check("uri:oozie:bundle:0.2", true);
        check("uri:oozie:bundle:0.1", false);
        check("uri:oozie:workflow:1.", false);
        check("uri:oozie:workflow:.5", false);
        check("uri:oozie:workflow:+1.0", false);
        check("uri:oozie:workflow:1", false);
        check("uri:oozie:workflow:1.x", false);
        check("uri:oozie:sla:0.4", false);
        check("", false);
    }
}
