//! What surrounds an expression: variables and functions, as arguments to its evaluation.

use super::error::Failure;
use super::value::{Type, Value};

/// Longest text that a call may give, in bytes. A server has no such limit and dies of what goes far beyond it.
pub const MAX_TEXT_BYTES: usize = 16 << 20;

/// The failure of a call whose text grows past [`MAX_TEXT_BYTES`].
pub fn too_long() -> Failure {
    let limit = MAX_TEXT_BYTES >> 20;
    Failure::new("OutOfMemoryError", format!("the text grows beyond {limit} MiB"))
}

/// What can be known of a function without calling it.
#[derive(Debug, PartialEq, Eq)]
pub struct Signature {
    /// What stands before the colon; may be empty.
    pub prefix: &'static str,
    /// The function's own name.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// How many of the last parameters a call may omit.
    pub optional: usize,
    /// What it returns.
    pub result: Type,
}

/// A parameter of a function.
#[derive(Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, for documentation and messages.
    pub name: &'static str,
    /// What an argument is turned into.
    pub kind: Type,
}

impl Signature {
    /// Whether a call may have so many arguments.
    pub fn takes(&self, count: usize) -> bool {
        let most = self.parameters.len();
        count <= most && count + self.optional >= most
    }

    /// `prefix:name`, as it is written in a call.
    pub fn full_name(&self) -> String {
        if self.prefix.is_empty() { self.name.to_owned() } else { format!("{}:{}", self.prefix, self.name) }
    }
}

/// What a world answers when it is asked for a function.
#[derive(Clone, Copy, Debug)]
pub enum Function {
    /// It can be called.
    Known(&'static Signature),
    /// It can be called, but takes all arguments as text: the call itself is printed, to be evaluated later.
    Echoed(&'static Signature),
    /// It exists in another phase.
    Elsewhere(&'static Signature),
    /// It exists nowhere.
    Unknown,
}

/// What a call gives.
#[derive(Clone, Debug)]
pub enum Outcome<'a> {
    /// A value.
    Value(Value<'a>),
    /// Not now: the text that Oozie's echo function returns, such as `coord:dataIn('x')`, to be evaluated in a later
    /// phase. [`super::evaluate`] goes on with that text, [`super::partial`] keeps the call.
    Deferred(String),
}

/// Variables and functions. Evaluation asks nothing else, so the same world gives the same value.
pub trait World {
    /// The value of a variable; `None`: there is no such variable.
    fn variable(&self, name: &str) -> Option<Value<'_>>;

    /// Which function a name stands for.
    fn function(&self, prefix: &str, name: &str) -> Function;

    /// Calls a function that [`World::function`] has named. There are as many arguments as parameters, turned into
    /// the parameters' types, or into text where the function is echoed.
    fn call<'a>(
        &'a self,
        function: &'static Signature,
        arguments: Vec<Value<'a>>,
    ) -> Result<Outcome<'a>, Failure>;

    /// True for a variable whose value only a later phase knows: [`super::partial`] keeps it.
    fn is_deferred(&self, variable: &str) -> bool {
        let _ = variable;
        false
    }
}

/// A world of variables alone.
impl World for std::collections::BTreeMap<String, String> {
    fn variable(&self, name: &str) -> Option<Value<'_>> {
        self.get(name).map(|value| Value::from(value.as_str()))
    }

    fn function(&self, _: &str, _: &str) -> Function {
        Function::Unknown
    }

    fn call<'a>(&'a self, function: &'static Signature, _: Vec<Value<'a>>) -> Result<Outcome<'a>, Failure> {
        Err(Failure::new("ELException", format!("`{}` cannot be called here", function.full_name())))
    }
}
