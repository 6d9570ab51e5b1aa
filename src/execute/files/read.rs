//! The operations of an fs action, with the faults of one that is run.

use super::{FilesFault, Operation};
use crate::plan::fs;
use crate::xml::Element;

pub use crate::plan::fs::{root, scheme};

/// As [`fs::operations`].
pub fn operations(action: &Element, user: &str) -> Result<Vec<Operation>, FilesFault> {
    Ok(fs::operations(action, user)?)
}
