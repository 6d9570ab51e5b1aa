//! The estate as people have it: which files belong together, and where the paths of a cluster lead among them.
//!
//! Pure: files are seen through [`files::Files`], which `host` implements for the disk and [`files::Tree`] for a test.

pub mod causes;
pub mod files;
pub mod package;
pub mod paths;
pub mod programs;
pub mod slips;
