//! Why an expression has no value.

use std::borrow::Cow;
use std::ops::Range;

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text does not parse.
    Syntax,
    /// A variable that the world does not have; its name stands in [`EvalError::subject`].
    UnknownVariable,
    /// A function that exists nowhere.
    UnknownFunction,
    /// A function that does not exist in this phase.
    FunctionContext,
    /// The wrong number of arguments.
    ArgumentCount,
    /// A value that cannot become what an operator or a parameter needs.
    Coercion,
    /// A key that a value does not have.
    Property,
    /// An operator or a function that failed, such as a division by zero.
    Failed,
}

/// What somebody has meant, most likely. Behind a pointer in errors, which are returned everywhere and rarely have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near(pub String);

/// What went wrong, before its place is known: what operators and functions return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind.
    pub kind: ErrorKind,
    /// The class of Java's exception, without its package, as the server sees it in the end.
    pub java: Cow<'static, str>,
    /// The server's own error code, where the exception carries one.
    pub oozie: Option<&'static str>,
    /// What is wrong, in the words of a finding.
    pub message: String,
    /// What the first argument should be, most likely.
    pub near: Option<Box<Near>>,
}

impl Failure {
    /// A function or an operator that failed with an exception of this class.
    pub fn new(java: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Failure {
        Failure::of(ErrorKind::Failed, java, message)
    }

    pub(super) fn of(
        kind: ErrorKind,
        java: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
    ) -> Failure {
        Failure { kind, java: java.into(), oozie: None, message: message.into(), near: None }
    }

    /// With what was meant by the first argument.
    pub fn near(mut self, near: Option<&str>) -> Failure {
        self.near = near.map(|near| Box::new(Near(near.to_owned())));
        self
    }

    /// With the server's own error code.
    pub fn oozie(mut self, code: &'static str) -> Failure {
        self.oozie = Some(code);
        self
    }

    /// A value of the wrong kind.
    pub(super) fn coercion(message: String) -> Failure {
        Failure::of(ErrorKind::Coercion, "ELException", message)
    }

    /// With another class of exception.
    pub(super) fn class(mut self, java: &'static str) -> Failure {
        self.java = java.into();
        self
    }
}

/// What went wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EvalError {
    /// The kind.
    pub kind: ErrorKind,
    /// The class of Java's exception, without its package.
    pub java: Cow<'static, str>,
    /// The server's own error code, where the exception carries one.
    pub oozie: Option<&'static str>,
    /// What is wrong, in the words of a finding.
    pub message: String,
    /// The variable or the function (`prefix:name`) that it is about, else empty.
    pub subject: String,
    /// What the first argument of the function should be, most likely.
    pub near: Option<Box<Near>>,
    /// The bytes of the template's text that it is about.
    pub range: Range<usize>,
    /// True when it arose so deep within calls that the server only sees the engine's `ELException` around it.
    pub is_wrapped: bool,
}

impl EvalError {
    /// The class of the exception that `ELEvaluator.evaluate` of the server throws.
    pub fn thrown(&self) -> &str {
        if self.is_wrapped { "ELException" } else { &self.java }
    }

    /// The rule whose finding it is.
    pub fn rule(&self) -> &'static str {
        match self.kind {
            ErrorKind::Syntax => "el-syntax",
            ErrorKind::UnknownVariable => "parameter-undefined",
            ErrorKind::UnknownFunction => "el-function-unknown",
            ErrorKind::FunctionContext => "el-function-context",
            ErrorKind::ArgumentCount | ErrorKind::Coercion | ErrorKind::Property | ErrorKind::Failed => {
                "el-arguments"
            }
        }
    }
}
