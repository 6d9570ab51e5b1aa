//! The world of a simulation for those who drive an engine themselves: the same data are there at the same times.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::app::App;
use super::scenario::Scenario;
use super::world::{Outputs, World};
use crate::engine::{ActionId, CoordinatorProgram, JobId, Outside};
use crate::plan::coordinator::Exists;
use crate::time::Instant;

/// A world that somebody else looks at.
#[derive(Debug)]
pub struct Around<'a> {
    world: RefCell<World<'a>>,
    outputs: RefCell<BTreeMap<JobId, Outputs>>,
}

impl<'a> Around<'a> {
    /// The world of an app as a scenario has it, before anything happens.
    pub fn new(app: &App, scenario: &'a Scenario) -> Around<'a> {
        let world = World::new(app, scenario, scenario.seed.unwrap_or(0));
        Around { world: RefCell::new(world), outputs: RefCell::default() }
    }

    /// It is this time.
    pub fn set_now(&self, now: Instant) {
        self.world.borrow_mut().now = now;
    }

    /// An action of a coordinator, made at a time for another, has ended well: what it writes is there.
    pub fn write(&self, program: &CoordinatorProgram, id: ActionId, nominal: Instant, created: Instant) {
        let mut outputs = self.outputs.borrow_mut();
        let outputs = outputs.entry(id.job()).or_insert_with(|| Outputs::new(program));
        for uri in outputs.of(program, id, nominal, created) {
            self.world.borrow_mut().write(&uri);
        }
    }
}

impl Exists for Around<'_> {
    fn exists(&self, uri: &str) -> bool {
        let world = self.world.borrow();
        let exists = world.exists(uri);
        // Who waits is known to those who look.
        world.take_missing();
        exists
    }
}

impl Outside for Around<'_> {
    fn files(&self, path: &str) -> Vec<(String, Option<i64>)> {
        self.world.borrow().files(path)
    }
}
