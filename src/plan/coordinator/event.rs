//! Input and output events as a submission leaves them: the dataset, and instances still to be evaluated.

use std::sync::Arc;

use super::dataset::Dataset;
use super::template::Compiled;
use crate::source::Span;

/// A `data-in` or `data-out`.
#[derive(Clone, Debug)]
pub(super) struct EventSpec {
    pub(super) name: Arc<str>,
    pub(super) span: Span,
    pub(super) dataset: Arc<Dataset>,
    /// Every `instance`.
    pub(super) singles: Vec<Compiled>,
    /// `start-instance` and `end-instance`.
    pub(super) range: Option<(Compiled, Compiled)>,
}
