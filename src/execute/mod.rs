//! The executor: the engine with a real clock, real processes and a journal.
//!
//! An event is on disk before its commands are carried out, so after the end of this process at any instant the next one
//! knows all that was acknowledged, and what was asked for and not answered.

pub mod applications;
pub mod attempt;
pub mod captures;
pub mod clock;
pub mod deployed;
pub mod distcp;
pub mod executor;
pub mod fetch;
pub mod files;
pub mod group;
pub mod lasting;
pub mod logs;
pub mod needed;
pub mod news;
pub mod open;
pub mod outcome;
pub mod post;
pub mod private;
pub mod process;
pub mod recipe;
pub mod requests;
pub mod rows;
pub mod runners;
pub mod screen;
mod scripts;
pub mod selection;
pub mod setup;
pub mod storage;
pub mod store;
pub mod streaming;
pub mod stub;
pub mod stub_names;
pub mod supervisor;
pub mod unpack;
pub mod view;
