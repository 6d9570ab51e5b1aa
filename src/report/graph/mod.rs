//! Pictures: the control flow of a workflow, the lineage of coordinators.
//!
//! [`model`] is a graph as data, made by [`workflow`], [`lineage`] and [`schedules`]; [`svg`], [`dot`] and [`mermaid`] write it.
//! Nothing is judged here: what is marked as wrong was found by `analysis` and `plan`. The same graph gives the same
//! bytes.

pub mod dot;
pub mod layout;
pub mod lineage;
pub mod mermaid;
pub mod model;
pub mod schedules;
pub mod svg;
pub mod text;
pub mod workflow;

pub use model::{Direction, Edge, Graph, Kind, Line, Mark, Node};
