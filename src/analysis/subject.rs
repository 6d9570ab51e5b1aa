//! What a rule gets to look at: a model together with the facts about it that several rules ask for.
//!
//! A fact that two rules need is computed here once.

use super::flow::{Facts, Flow};
use super::values::Values;
use crate::model;

/// A workflow under analysis.
#[derive(Debug)]
pub struct Workflow<'a> {
    /// What the file says.
    pub model: &'a model::Workflow,
    /// Its control flow.
    pub flow: Facts<'a>,
    /// What is known of its values.
    pub values: &'a Values,
}

impl<'a> Workflow<'a> {
    /// Works out the facts about a workflow of which no value is known.
    pub fn new(model: &'a model::Workflow) -> Workflow<'a> {
        Workflow::with(model, Values::unknown())
    }

    /// Works out the facts about a workflow with these values.
    pub fn with(model: &'a model::Workflow, values: &'a Values) -> Workflow<'a> {
        Workflow { model, flow: Facts::new(Flow::new(model)), values }
    }
}

/// A coordinator under analysis.
#[derive(Debug)]
pub struct Coordinator<'a> {
    /// What the file says.
    pub model: &'a model::Coordinator,
    /// What is known of its values.
    pub values: &'a Values,
}

/// A bundle under analysis.
#[derive(Debug)]
pub struct Bundle<'a> {
    /// What the file says.
    pub model: &'a model::Bundle,
    /// What is known of its values.
    pub values: &'a Values,
}

/// The definitions of a project together.
#[derive(Debug)]
pub struct Package<'a> {
    /// Every definition, with the path of its file.
    pub apps: &'a [(String, model::App)],
}
