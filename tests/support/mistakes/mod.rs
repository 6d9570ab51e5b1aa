//! Realistic mistakes, put one at a time into apps: what the linter is measured by.
//!
//! A [`kinds::Kind`] says what people do wrong; a [`subject::Subject`] is an estate or an app that has nothing wrong with
//! it; a [`mutant::Mutant`] is one mistake at one place of one file; [`judge`] says what became of it.

pub mod document;
pub mod judge;
pub mod kinds;
pub mod mutant;
pub mod report;
pub mod subject;
