//! Texts with expressions: read once, evaluated in a [`Scope`], their errors turned into findings.

use std::sync::Arc;

use super::findings;
use super::scope::Scope;
use super::variables::Variables;
use crate::analysis::parameters::{PARAMETER_UNDEFINED, java_trim};
use crate::diag::{Diagnostic, Edit, Info, Stage, SubjectKind, closest};
use crate::el::{
    self, EL_ARGUMENTS, EL_FUNCTION_CONTEXT, EL_FUNCTION_UNKNOWN, EL_SYNTAX, Echoed, Engine, ErrorKind,
    EvalError, NodeKind, Part, Template,
};
use crate::model::functions;
use crate::source::{Span, Text};

/// A text that has been read.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    template: Arc<Template>,
    /// How deep the text was nested or why it does not parse, as a finding.
    broken: Option<Arc<Diagnostic>>,
    sole_call: Option<Box<str>>,
}

/// What one evaluation gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Evaluated {
    pub(super) text: String,
    /// False when the same text would come out for every action.
    pub(super) depends_on_action: bool,
}

impl Compiled {
    /// Reads a text, without the blanks around it.
    pub(super) fn new(text: &Text, engine: Engine) -> Compiled {
        let (template, findings) = el::parse_for(&java_trimmed(text), engine);
        let broken = findings.into_iter().next().map(Arc::new);
        let sole_call = sole_call(&template).map(Box::from);
        Compiled { template: Arc::new(template), broken, sole_call }
    }

    /// Reads a text that an earlier round made, and which stands for what was written at `span`.
    pub(super) fn computed(text: &str, span: Span, engine: Engine) -> Compiled {
        Compiled::new(&Text::computed(text, span), engine)
    }

    pub(super) fn span(&self) -> Span {
        self.template.text.span
    }

    /// What was read.
    pub(super) fn text(&self) -> &Text {
        &self.template.text
    }

    /// The text, when it holds no expression.
    pub(super) fn literal(&self) -> Option<&str> {
        self.template.literal()
    }

    pub(super) fn template(&self) -> &Template {
        &self.template
    }

    /// `CoordELFunctions.evalAndWrap`
    pub(super) fn evaluate(&self, scope: &Scope<'_>) -> Result<Evaluated, EvalError> {
        if let Some(text) = self.literal() {
            return Ok(Evaluated { text: text.to_owned(), depends_on_action: false });
        }
        scope.effects.start();
        let Echoed { text, .. } = el::evaluate_and_wrap(&self.template, scope)?;
        Ok(Evaluated { text, depends_on_action: scope.effects.touched() })
    }

    /// The value as shared text, at the start of an action, where nothing is deferred.
    pub(super) fn evaluate_shared(&self, scope: &Scope<'_>) -> Result<Arc<str>, EvalError> {
        scope.effects.start();
        el::evaluate(&self.template, scope).map(|value| value.to_text().into())
    }

    /// The name of the function when the text is one call and nothing else, no call among its arguments.
    pub(super) fn sole_call(&self) -> Option<&str> {
        self.sole_call.as_deref()
    }

    /// The finding for an evaluation that failed.
    pub(super) fn finding(&self, error: &EvalError, place: &Place<'_>) -> Diagnostic {
        let span = self.template.text.span_of(error.range.clone());
        if let (ErrorKind::Syntax, Some(broken)) = (error.kind, &self.broken) {
            return Diagnostic {
                stage: Some(place.stage),
                oozie: place.codes.to_vec(),
                ..(**broken).clone()
            };
        }
        let rule: &'static Info = match error.kind {
            ErrorKind::Syntax => &EL_SYNTAX,
            ErrorKind::UnknownVariable => &PARAMETER_UNDEFINED,
            ErrorKind::UnknownFunction => &EL_FUNCTION_UNKNOWN,
            ErrorKind::FunctionContext => &EL_FUNCTION_CONTEXT,
            _ => findings::of(&error.java).unwrap_or(&EL_ARGUMENTS),
        };
        let name = &error.subject;
        let message = match error.kind {
            ErrorKind::UnknownVariable => format!("`{name}` has no value"),
            _ => error.message.clone(),
        };
        // What a phase does not have, other places may: that is one fault, told in the words of the check.
        let (rule, message) = match functions::elsewhere(error) {
            Some(message) => (&EL_FUNCTION_CONTEXT, message),
            None => (rule, message),
        };
        let finding = Diagnostic::new(rule, span, message).stage(Some(place.stage)).oozie(place.codes);
        match error.kind {
            ErrorKind::UnknownVariable => {
                let finding = finding.about(SubjectKind::Parameter, name);
                match closest(name, place.variables.names()) {
                    Some(near) => finding.help(format!("did you mean `{near}`?")).meant(near),
                    None => finding.help(format!("supply it with `-D {name}=…` or a property file")),
                }
            }
            ErrorKind::UnknownFunction if functions::elsewhere(error).is_none() => {
                let names: Vec<String> = functions::all().map(|f| f.signature.full_name()).collect();
                finding.help_did_you_mean(name, names.iter().map(String::as_str))
            }
            _ => match &error.near {
                None if rule.name == findings::DATA_EVENT_UNKNOWN.name => self.about_event(finding, error),
                Some(near) => {
                    let near = &near.0;
                    let finding = finding.help(format!("did you mean `{near}`?")).meant(near);
                    let finding = self.about_event(finding, error);
                    match self.first_argument(error) {
                        Some(span) => finding.fix(false, vec![Edit { span, text: near.clone() }]),
                        None => finding,
                    }
                }
                None => finding,
            },
        }
    }

    /// With the event that a failed call asks for, where it is written out.
    fn about_event(&self, finding: Diagnostic, error: &EvalError) -> Diagnostic {
        let template = &self.template;
        let at = |id| template.node(id).range.start as usize..template.node(id).range.end as usize;
        let call = template.calls().find(|call| at(call.node) == error.range);
        match call.and_then(|call| call.arguments.first()).map(|id| &template.node(*id).kind) {
            Some(NodeKind::String(name)) => finding.about(SubjectKind::Event, name.trim()),
            _ => finding,
        }
    }

    /// Where the first argument of a failed call stands without its quotes, when it is written out.
    fn first_argument(&self, error: &EvalError) -> Option<Span> {
        let template = &self.template;
        let at = |id| template.node(id).range.start as usize..template.node(id).range.end as usize;
        let call = template.calls().find(|call| at(call.node) == error.range)?;
        let argument = *call.arguments.first()?;
        let NodeKind::String(written) = &template.node(argument).kind else { return None };
        let within = at(argument).start + 1..at(argument).end.checked_sub(1)?;
        let is_plain = template.text.value.get(within.clone()) == Some(&**written);
        let span = template.text.span_of(within.clone());
        (is_plain && span.range().len() == within.len()).then_some(span)
    }
}

fn sole_call(template: &Template) -> Option<&str> {
    let [Part::Expression { root, .. }] = template.parts.as_slice() else { return None };
    match &template.node(*root).kind {
        NodeKind::Call { prefix, name, .. } if &**prefix == "coord" => {
            (template.calls().count() == 1).then_some(&**name)
        }
        _ => None,
    }
}

/// A finding that ends what is being done.
pub type Fault = Box<Diagnostic>;

/// When and with which codes a server fails at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub(super) stage: Stage,
    pub(super) codes: &'a [&'static str],
    pub(super) variables: &'a Variables,
}

/// A text without what Java's `String.trim` cuts.
pub(super) fn java_trimmed(text: &Text) -> Text {
    let kept = java_trim(&text.value);
    if kept.len() == text.value.len() {
        return text.clone();
    }
    let start = text.value.len() - text.value.trim_start_matches(|c: char| c <= ' ').len();
    text.part(start.min(text.value.len() - kept.len())..start.min(text.value.len() - kept.len()) + kept.len())
}
