//! Evaluates templates.

use std::borrow::Cow;

use super::ast::{NodeId, NodeKind, Part, Template};
use super::error::{ErrorKind, EvalError, Failure};
use super::operators;
use super::program::Op;
use super::stack::Stack;
use super::value::{Type, Value};
use super::world::{Function, MAX_TEXT_BYTES, Outcome, Signature, World, too_long};

/// What one round of Oozie's evaluation leaves of a text (`CoordELFunctions.evalAndWrap`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Echoed {
    /// The text; wrapped in `${…}` as a whole when something in it was deferred, whatever stands around it.
    pub text: String,
    /// True when something was deferred.
    pub deferred: bool,
}

/// The value of a template. A template that is one expression has that expression's value, any other is text.
/// A deferred call counts as the text of its echo.
pub fn evaluate<'a, W: World + ?Sized>(template: &'a Template, world: &'a W) -> Result<Value<'a>, EvalError> {
    evaluate_value(template, world).map(|(value, _)| value)
}

/// As [`evaluate`]; also says whether a call was deferred, so that the value is an expression for a later phase.
pub fn evaluate_value<'a, W: World + ?Sized>(
    template: &'a Template,
    world: &'a W,
) -> Result<(Value<'a>, bool), EvalError> {
    let mut machine = Machine::new(template, world)?;
    match machine.template() {
        Ok(value) => Ok((value, machine.deferred)),
        Err(error) => Err(*error),
    }
}

/// A template as text, in which the value of each expression is written by `write`.
pub fn evaluate_within<W: World + ?Sized>(
    template: &Template,
    world: &W,
    write: fn(&str) -> String,
) -> Result<String, EvalError> {
    let mut machine = Machine::new(template, world)?;
    let mut text = String::new();
    for part in &template.parts {
        match (part, machine.part(part).map_err(|error| *error)?) {
            (Part::Literal { .. }, value) => text.push_str(&value.to_text()),
            (Part::Expression { .. }, value) => text.push_str(&write(&value.to_text())),
        }
        if text.len() > MAX_TEXT_BYTES {
            return Err(raised(template, NodeId(0), too_long()));
        }
    }
    Ok(text)
}

/// One round of Oozie's evaluation: the text, and if any call was deferred, `${` and `}` around all of it.
/// What the next phase does is to read that text and evaluate it again.
pub fn evaluate_and_wrap<W: World + ?Sized>(template: &Template, world: &W) -> Result<Echoed, EvalError> {
    let (value, deferred) = evaluate_value(template, world)?;
    let text = value.into_text().into_owned();
    Ok(Echoed { text: if deferred { format!("${{{text}}}") } else { text }, deferred })
}

struct Machine<'a, W: ?Sized> {
    template: &'a Template,
    world: &'a W,
    stack: Stack<'a>,
    /// `ELContext.isPropertyResolved`: was a variable or a key looked up, ever?
    resolved: bool,
    deferred: bool,
}

impl<'a, W: World + ?Sized> Machine<'a, W> {
    fn new(template: &'a Template, world: &'a W) -> Result<Machine<'a, W>, EvalError> {
        check_first(template, world)?;
        Ok(Machine { template, world, stack: Stack::new(), resolved: false, deferred: false })
    }

    fn template(&mut self) -> Result<Value<'a>, Box<EvalError>> {
        match self.template.parts.as_slice() {
            [] => Ok(Value::from("")),
            [part] => self.part(part),
            parts => {
                let mut text = String::new();
                for part in parts {
                    text.push_str(&self.part(part)?.to_text());
                }
                Ok(Value::from(text))
            }
        }
    }

    fn part(&mut self, part: &'a Part) -> Result<Value<'a>, Box<EvalError>> {
        match part {
            Part::Literal { value, .. } => Ok(Value::from(value.as_str())),
            Part::Expression { ops, .. } => self.run(ops.start, ops.end),
        }
    }

    fn run(&mut self, start: usize, end: usize) -> Result<Value<'a>, Box<EvalError>> {
        let (template, mut at) = (self.template, start);
        while at < end {
            let op = template.program[at];
            at += 1;
            match op {
                Op::Long(number) => self.stack.push(Value::Long(number)),
                Op::Push(id) => {
                    if let NodeKind::Variable(name) = &template.nodes[id.0 as usize].kind
                        && let Some(value) = self.world.variable(name)
                    {
                        self.resolved = true;
                        self.stack.push(value);
                        continue;
                    }
                    let value = self.leaf(id)?;
                    self.stack.push(value);
                }
                Op::Unary(operator, id) => {
                    let operand = self.pop();
                    let value = operators::unary(operator, &operand, template.engine)
                        .map_err(|e| Box::new(locate(template, id, e)))?;
                    self.stack.push(value);
                }
                Op::Binary(operator, id) => {
                    let right = self.pop();
                    let left = self.pop();
                    if let Some(value) = operators::of_whole_numbers(operator, &left, &right) {
                        self.stack.push(value);
                        continue;
                    }
                    let value = operators::binary(operator, &left, &right)
                        .map_err(|e| Box::new(locate(template, id, e)))?;
                    self.stack.push(value);
                }
                Op::StopNull { target, .. } => {
                    if self.stack.is_null_on_top() {
                        self.pop();
                        self.stack.push(Value::Bool(false));
                        at = target as usize;
                    }
                }
                Op::Decide { node, stop, target } => {
                    let bool = self
                        .pop()
                        .to_bool()
                        .map_err(|e| Box::new(locate(template, left(template, node), e)))?;
                    if bool == stop {
                        self.stack.push(Value::Bool(bool));
                        at = target as usize;
                    }
                }
                Op::ToBool(node) => {
                    let bool = self.pop().to_bool().map_err(|e| Box::new(locate(template, node, e)))?;
                    self.stack.push(Value::Bool(bool));
                }
                Op::Branch { node, target } => {
                    if !self.pop().to_bool().map_err(|e| Box::new(locate(template, node, e)))? {
                        at = target as usize;
                    }
                }
                Op::Jump(target) => at = target as usize,
                Op::Call { node, count } => self.call(node, count as usize)?,
                Op::SkipNull(target) => {
                    if self.stack.is_null_on_top() {
                        at = target as usize;
                    }
                }
                Op::Property(id) => {
                    let key = self.pop();
                    let base = self.pop();
                    let value = property(base, &key).map_err(|e| Box::new(locate(template, id, e)))?;
                    self.resolved = true;
                    self.stack.push(value);
                }
                Op::Method { count, .. } => {
                    // Base, key and arguments. The resolver of a server knows no methods and returns null.
                    self.stack.take(count as usize + 2);
                    self.stack.push(Value::Null);
                }
                Op::EndChain(id) => {
                    if !self.resolved {
                        let failure = no_property("null has no such key".to_owned());
                        return Err(Box::new(locate(template, id, failure)));
                    }
                }
            }
        }
        Ok(self.pop())
    }

    #[inline]
    fn pop(&mut self) -> Value<'a> {
        self.stack.pop()
    }

    fn leaf(&mut self, id: NodeId) -> Result<Value<'a>, Box<EvalError>> {
        match &self.template.node(id).kind {
            NodeKind::Variable(name) => Err(Box::new(unknown_variable(self.template, id, name))),
            _ => literal(self.template, id).map_err(Box::new),
        }
    }

    fn call(&mut self, id: NodeId, count: usize) -> Result<(), Box<EvalError>> {
        let NodeKind::Call { prefix, name, .. } = &self.template.node(id).kind else { return Ok(()) };
        let (signature, is_echo) = match self.world.function(prefix, name) {
            Function::Known(signature) => (signature, false),
            Function::Echoed(signature) => (signature, true),
            Function::Elsewhere(_) | Function::Unknown => {
                return Err(Box::new(unknown_function(self.template, id, None)));
            }
        };
        let mut arguments = self.stack.take(count);
        coerce_arguments(self.template, id, signature, is_echo, &mut arguments).map_err(Box::new)?;
        let outcome =
            self.world.call(signature, arguments).map_err(|e| Box::new(raised(self.template, id, e)))?;
        self.stack.push(match outcome {
            Outcome::Value(Value::String(text)) if text.len() > MAX_TEXT_BYTES => {
                return Err(Box::new(raised(self.template, id, too_long())));
            }
            Outcome::Value(value) => value,
            Outcome::Deferred(text) => {
                self.deferred = true;
                Value::String(Cow::Owned(text))
            }
        });
        Ok(())
    }
}

/// The left operand, which an error of `and` and `or` is about; else the node itself.
pub(super) fn left(template: &Template, id: NodeId) -> NodeId {
    match &template.node(id).kind {
        NodeKind::Binary(_, left, _) => *left,
        _ => id,
    }
}

/// Turns arguments into what the function takes.
pub(super) fn coerce_arguments(
    template: &Template,
    id: NodeId,
    signature: &Signature,
    is_echo: bool,
    arguments: &mut [Value<'_>],
) -> Result<(), EvalError> {
    for (index, (argument, parameter)) in arguments.iter_mut().zip(signature.parameters).enumerate() {
        let kind = if is_echo { Type::String } else { parameter.kind };
        let value = std::mem::replace(argument, Value::Null);
        *argument = value.coerce(kind).map_err(|mut failure| {
            failure.message =
                format!("{} (`{}` of `{}`)", failure.message, parameter.name, signature.full_name());
            let at = match &template.node(id).kind {
                NodeKind::Call { arguments, .. } => arguments.get(index).copied().unwrap_or(id),
                _ => id,
            };
            locate(template, at, failure)
        })?;
    }
    Ok(())
}

/// A literal that is no text.
pub(super) fn literal(template: &Template, id: NodeId) -> Result<Value<'_>, EvalError> {
    Ok(match &template.node(id).kind {
        NodeKind::Bool(bool) => Value::Bool(*bool),
        NodeKind::Long(number) => Value::Long(*number),
        NodeKind::Double(number) => Value::Double(*number),
        NodeKind::String(text) => Value::from(&**text),
        NodeKind::TooLong(digits) => {
            let message = format!("`{digits}` is too large for a whole number");
            return Err(locate(template, id, Failure::coercion(message).class("NumberFormatException")));
        }
        _ => Value::Null,
    })
}

/// What a value holds at a key (the resolvers of `ELResolverImpl`).
pub(super) fn property<'a>(base: Value<'a>, key: &Value<'_>) -> Result<Value<'a>, Failure> {
    let class = match &base {
        Value::Map(map) => {
            return Ok(match key {
                Value::String(key) => map.get(key).cloned().unwrap_or(Value::Null),
                Value::Long(_) if map.is_list() => map.get(&key.to_text()).cloned().unwrap_or(Value::Null),
                _ => Value::Null,
            });
        }
        Value::String(text) => match &*key.to_text() {
            "empty" => return Ok(Value::Bool(text.is_empty())),
            "blank" => return Ok(Value::Bool(text.chars().all(char::is_whitespace))),
            _ => "a text",
        },
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Long(_) | Value::Double(_) => "a number",
    };
    Err(no_property(format!("{class} has no `{}`", key.to_text())))
}

pub(super) fn no_property(message: String) -> Failure {
    Failure::of(ErrorKind::Property, "PropertyNotFoundException", message)
}

/// What the engine checks before it evaluates anything: that the text parses, that functions with a prefix exist, and
/// that the number of arguments is right. An unknown function without a prefix is an error only when it is called.
pub(super) fn check_first<W: World + ?Sized>(template: &Template, world: &W) -> Result<(), EvalError> {
    if let Some(broken) = &template.broken {
        return Err(EvalError {
            kind: ErrorKind::Syntax,
            java: "ELParseException".into(),
            oozie: None,
            message: broken.message.clone(),
            subject: String::new(),
            near: None,
            range: broken.offset..broken.offset,
            is_wrapped: false,
        });
    }
    for id in &template.calls {
        let NodeKind::Call { prefix, name, arguments } = &template.node(*id).kind else { continue };
        match world.function(prefix, name) {
            Function::Known(signature) | Function::Echoed(signature) => {
                if !signature.takes(arguments.len()) {
                    let mut error = located(
                        template,
                        *id,
                        ErrorKind::ArgumentCount,
                        count_message(signature, arguments.len()),
                    );
                    error.java = "ELParseException".into();
                    error.subject = signature.full_name();
                    return Err(error);
                }
            }
            Function::Unknown | Function::Elsewhere(_) if prefix.is_empty() => {}
            Function::Unknown => return Err(unknown_function(template, *id, Some("ELParseException"))),
            Function::Elsewhere(signature) => {
                let name = signature.full_name();
                let message = format!("`{name}` does not exist at this place");
                let mut error = located(template, *id, ErrorKind::FunctionContext, message);
                error.java = "ELParseException".into();
                error.subject = name;
                return Err(error);
            }
        }
    }
    Ok(())
}

/// `concat` takes 2 arguments, not 3
pub(super) fn count_message(signature: &Signature, count: usize) -> String {
    let takes = match signature.parameters.len() {
        n if signature.optional > 0 => format!("{} or {n} arguments", n - signature.optional),
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    };
    format!("`{}` takes {takes}, not {count}", signature.full_name())
}

pub(super) fn unknown_function(template: &Template, id: NodeId, java: Option<&'static str>) -> EvalError {
    let name = match &template.node(id).kind {
        NodeKind::Call { prefix, name, .. } if prefix.is_empty() => name.to_string(),
        NodeKind::Call { prefix, name, .. } => format!("{prefix}:{name}"),
        _ => String::new(),
    };
    let mut error =
        located(template, id, ErrorKind::UnknownFunction, format!("there is no function `{name}`"));
    error.java = java.unwrap_or("ELException").into();
    error.subject = name;
    error
}

pub(super) fn unknown_variable(template: &Template, id: NodeId, name: &str) -> EvalError {
    let mut error =
        located(template, id, ErrorKind::UnknownVariable, format!("the variable `{name}` is not defined"));
    error.subject = name.to_owned();
    error
}

fn located(template: &Template, id: NodeId, kind: ErrorKind, message: String) -> EvalError {
    locate(template, id, Failure::of(kind, "ELException", message))
}

/// An exception that a function raised. The engine wraps it, and wraps it again for each call around; the server takes
/// one wrapping off, so that of an exception within calls within calls only the wrapping is left.
pub(super) fn raised(template: &Template, id: NodeId, failure: Failure) -> EvalError {
    let mut error = locate(template, id, failure);
    error.is_wrapped = calls_around(template, id) > 0;
    error
}

/// How many calls have this node among their arguments.
fn calls_around(template: &Template, id: NodeId) -> usize {
    let holds = |call: &&NodeId| call.0 > id.0 && call.0 + 1 - template.node(**call).size <= id.0;
    template.calls.iter().filter(holds).count()
}

pub(super) fn locate(template: &Template, id: NodeId, failure: Failure) -> EvalError {
    let range = &template.node(id).range;
    EvalError {
        kind: failure.kind,
        java: failure.java,
        oozie: failure.oozie,
        message: failure.message,
        subject: String::new(),
        near: failure.near,
        range: range.start as usize..range.end as usize,
        is_wrapped: calls_around(template, id) > 1,
    }
}
