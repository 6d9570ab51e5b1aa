//! The expression language: JSP EL as Oozie 5.2 and later evaluates it (Tomcat's engine, with a text as the result).
//!
//! [`parse()`] reads a text into a [`Template`]; [`evaluate()`] gives its value in a [`World`]; [`evaluate_and_wrap`] is one
//! round of Oozie's own evaluation; [`partial()`] resolves what can be resolved now and keeps the rest; [`check()`] says what
//! is wrong without evaluating. Nothing here knows a function or an element of Oozie: variables and functions are the
//! world's.

mod ast;
mod check;
mod double;
mod error;
mod evaluate;
mod findings;
mod names;
mod number;
mod operands;
mod operators;
mod parse;
mod partial;
mod print;
mod program;
mod scan;
mod stack;
mod value;
mod world;

pub use ast::{Binary, Broken, Call, Engine, Node, NodeId, NodeKind, Part, Template, Unary};
pub use check::check;
pub use double::double_text;
pub use error::{ErrorKind, EvalError, Failure, Near};
pub use evaluate::{Echoed, evaluate, evaluate_and_wrap, evaluate_value, evaluate_within};
pub use findings::{EL_ARGUMENTS, EL_FUNCTION_CONTEXT, EL_FUNCTION_UNKNOWN, EL_SYNTAX, EL_TOO_DEEP};
pub use names::is_identifier;
pub use number::{parse_double, parse_long};
pub use operands::{Known, Misfit, misfits};
pub use parse::{parse, parse_for};
pub use partial::{Residual, partial};
pub use scan::MAX_DEPTH;
pub use value::{Map, Type, Value};
pub use world::{Function, MAX_TEXT_BYTES, Outcome, Parameter, Signature, World, too_long};

#[cfg(test)]
mod tests;
