//! `hadoop-workflow`, the dialect of 2009.

pub(super) mod action;
pub(super) mod foreign;
pub(super) mod workflow;
