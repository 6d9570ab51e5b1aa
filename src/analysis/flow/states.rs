//! Tables that have a row for each state of a search.

use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

/// A state, by its position; small, as there are as many as nodes and more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StateId(NonZeroU32);

impl StateId {
    /// The state at a position from 0.
    pub(super) fn new(index: usize) -> StateId {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        StateId(number.expect("fewer than 2^32 states"))
    }
}

/// One thing for each state.
pub(super) struct PerState<T>(pub(super) Vec<T>);

impl<T> PerState<T> {
    /// All states, in order.
    pub(super) fn ids(&self) -> impl Iterator<Item = StateId> + use<T> {
        (0..self.0.len()).map(StateId::new)
    }
}

impl<T> Index<StateId> for PerState<T> {
    type Output = T;

    fn index(&self, id: StateId) -> &T {
        &self.0[id.0.get() as usize - 1]
    }
}

impl<T> IndexMut<StateId> for PerState<T> {
    fn index_mut(&mut self, id: StateId) -> &mut T {
        &mut self.0[id.0.get() as usize - 1]
    }
}
