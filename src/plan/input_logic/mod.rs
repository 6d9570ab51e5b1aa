//! When an action's inputs are there: `and`, `or`, `combine` and plain data-ins, with `min` and `wait`.
//!
//! Availability is remembered per action and per instance, as the reference does; the world is an argument. Never looks
//! at a file system and never reads a clock.

mod availability;
mod evaluate;
mod expression;

pub use availability::{Availability, Instance, Unresolved};
pub use evaluate::{Resolution, World};
pub use expression::{
    Bounds, LogicExpr, LogicNode, MAX_LOGIC_DEPTH, effective, expression, expression_named,
};

use thiserror::Error;

/// What is wrong with an input logic, or goes wrong while it is evaluated.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LogicError {
    /// An operator without operands.
    #[error("an operator has no operands")]
    Empty,
    /// More than one expression where one is wanted.
    #[error("two operators stand side by side; put them into an `and` or an `or`")]
    SideBySide,
    /// `min` is no whole number.
    #[error("`min` is not a whole number: `{0}`")]
    Min(String),
    /// `wait` is no number of minutes.
    #[error("`wait` is not a number of minutes: `{0}`")]
    Wait(String),
    /// A data-in that does not exist or has no instance.
    #[error("no data-in with instances is named `{0}`")]
    UnknownInput(String),
    /// `combine` over one data-in.
    #[error("`combine` needs at least two data-ins")]
    CombineOne,
    /// `combine` over ranges of different length.
    #[error("`combine` needs ranges of equal length: `{0}` and `{1}` differ")]
    CombineUnequal(String, String),
    /// `combine` over latest or future instances.
    #[error("`combine` does not work with `latest` and `future`")]
    CombineUnresolved,
    /// Operators nested too deeply.
    #[error("operators are nested more than {MAX_LOGIC_DEPTH} deep")]
    TooDeep,
}
