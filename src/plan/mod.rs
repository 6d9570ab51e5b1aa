//! Materialization: from a model and parameters to actions, as an iterator.
