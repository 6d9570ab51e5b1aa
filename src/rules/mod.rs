//! The rules of `ankus check`, one file each.
