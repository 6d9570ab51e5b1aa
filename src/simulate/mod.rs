//! Apps in virtual time: the engine, a clock that jumps, a world that a scenario describes.
//!
//! Pure: the same app, scenario and seed give the same bytes on every machine. Reads no clock and no file, and draws
//! nothing but from the seed.

pub mod moment;
pub mod record;
pub mod summary;

pub use record::Simulation;
