//! Bundles, coordinators and workflows as typed values with places, and the catalogue of functions.
//!
//! Always constructible: a broken document gives a smaller model. Evaluates nothing, looks across no files.

pub mod action;
pub mod bundle;
pub mod coordinator;
pub mod functions;
mod lower;
pub mod roots;
pub mod schedule;
pub mod sla;
pub mod workflow;

use crate::source::{Span, Text};
use crate::xml::Declaration;

pub use bundle::Bundle;
pub use coordinator::Coordinator;
pub use lower::{lower, lower_datasets};
pub use roots::{Dialect, RootKind, definition_roots};
pub use workflow::Workflow;

/// Any definition that a file can hold; the root element decides.
#[derive(Clone, Debug)]
pub enum App {
    /// `bundle-app`
    Bundle(Box<Bundle>),
    /// `coordinator-app`
    Coordinator(Box<Coordinator>),
    /// `workflow-app` or `hadoop-workflow`
    Workflow(Box<Workflow>),
    /// `datasets`, the root of an included file
    Datasets(coordinator::Datasets),
}

impl App {
    /// The language that it is written in.
    pub fn dialect(&self) -> Dialect {
        match self {
            App::Workflow(workflow) => workflow.dialect,
            App::Bundle(_) | App::Coordinator(_) | App::Datasets(_) => Dialect::Oozie,
        }
    }
}

/// A property of a configuration. Name and value are as written; expressions in them are not yet read.
#[derive(Clone, Debug)]
pub struct Property {
    /// The whole `property` element.
    pub span: Span,
    /// The name.
    pub name: Text,
    /// The value; empty when the element is absent.
    pub value: Text,
    /// True when the property was marked `final`.
    pub is_final: bool,
}

/// A `configuration` element.
#[derive(Clone, Debug, Default)]
pub struct Configuration {
    /// In document order, doubles included.
    pub properties: Vec<Property>,
}

/// One `property` of a `parameters` element: a formal parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The whole `property` element.
    pub span: Span,
    /// The name.
    pub name: Text,
    /// The default, used only for names that nothing else gives.
    pub default: Option<Text>,
}

/// The namespace of a root element, such as `uri:oozie:workflow:0.5`.
#[derive(Clone, Debug)]
pub struct Namespace {
    /// The namespace; empty for none.
    pub value: String,
    /// Where it is declared, without quotes; the start tag when the element has none.
    pub span: Span,
    /// The declaration.
    pub declaration: Option<Declaration>,
}
