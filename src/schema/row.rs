//! The children of an element as a row that does not fit its content model.

use super::grammar::Type;
use super::model::Model;
use super::repair::Candidates;
use super::walk::Scope;
use crate::xml::Element;

/// Children that are not right.
pub(super) struct Row<'r, 'a> {
    pub(super) parent: &'a Element,
    pub(super) its_type: &'static Type,
    pub(super) model: &'static Model,
    pub(super) kids: &'r [&'a Element],
    pub(super) candidates: &'r [Candidates],
    pub(super) scope: Scope<'a>,
}
