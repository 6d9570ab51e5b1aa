//! Apps in virtual time: the engine, a clock that jumps, a world that a scenario describes.
//!
//! Pure: the same app, scenario and seed give the same bytes on every machine. Reads no clock and no file, and draws
//! nothing but from the seed.

pub mod against;
mod app;
mod around;
mod check;
pub mod digest;
mod draw;
pub mod explain;
mod fate;
mod files;
pub mod fold;
mod fs_action;
pub mod moment;
pub mod oddities;
pub mod parts;
mod play;
pub mod record;
mod recorder;
mod rehearsal;
pub mod scenario;
pub mod summary;
mod unfinished;
mod veil;
mod world;

pub use app::{App, Apps};
pub use around::Around;
pub use check::{Invariant, Violation};
pub use play::{
    HORIZON_ACTIONS, HORIZON_DAYS, Listener, MAX_EVENTS, Options, PlayError, TAIL_DAYS, Told, play,
};
pub use record::Simulation;
pub use rehearsal::{Rehearsal, Rehearsed};
