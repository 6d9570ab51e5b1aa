//! The cheapest way to make a row of children right: which match, which are too many, what is missing.
//!
//! One fault of the author should come out as one step, so that nothing cascades.

use super::model::{Model, Set, bits};

/// How a child relates to the positions of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Candidates {
    /// It matches these.
    pub(super) exact: Set,
    /// It almost matches these: a slip in the name or the namespace.
    pub(super) near: Set,
    /// Nothing is known about it: it may stand for anything.
    pub(super) stranger: bool,
}

/// One step through the children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The child stands for this position, exactly or nearly.
    Take { child: usize, position: usize },
    /// The child does not belong here.
    Drop { child: usize },
    /// A child of this position is missing before the given child.
    Miss { before: usize, position: usize },
}

/// What a step costs.
const NEAR: u32 = 6;
const STRANGER: u32 = 14;
pub(super) const DROP: u32 = 10;
const MISS: u32 = 10;
/// Cells of the table; beyond that only the first fault of a row is told.
const MAX_CELLS: usize = 16 << 20;

/// The cheapest steps, those that keep early children first; with their cost.
pub(super) fn repair(model: &Model, children: &[Candidates]) -> (u32, Vec<Step>) {
    let states = model.start() + 1;
    if (children.len() + 1).saturating_mul(states) > MAX_CELLS {
        return first_fault(model, children);
    }
    let costs = costs(model, children);
    let cost = |child: usize, state: usize| costs[child * states + state];
    let mut steps = Vec::new();
    let (mut child, mut state) = (0, model.start());
    loop {
        let now = cost(child, state);
        let at = children.get(child).copied().unwrap_or_default();
        let reaches = |set: Set, price: u32| {
            bits(model.follow(state) & set).find(|next| price + cost(child + 1, *next) == now)
        };
        if child < children.len() {
            let stranger = if at.stranger { Set::MAX } else { 0 };
            let taken = reaches(at.exact, 0).or_else(|| reaches(at.near, NEAR));
            let taken = taken.or_else(|| reaches(stranger, STRANGER));
            if let Some(position) = taken {
                steps.push(Step::Take { child, position });
                (child, state) = (child + 1, position);
                continue;
            }
        } else if model.ends(state) && now == 0 {
            return (cost(0, model.start()), steps);
        }
        if let Some(position) = bits(model.follow(state)).find(|next| MISS + cost(child, *next) == now) {
            steps.push(Step::Miss { before: child, position });
            state = position;
        } else {
            steps.push(Step::Drop { child });
            child += 1;
        }
    }
}

/// What it costs at least to get from each state before each child to the end.
fn costs(model: &Model, children: &[Candidates]) -> Vec<u32> {
    const NEVER: u32 = u32::MAX / 2;
    let states = model.start() + 1;
    let mut costs = vec![NEVER; (children.len() + 1) * states];
    for child in (0..=children.len()).rev() {
        for state in 0..states {
            let follow = model.follow(state);
            let best = match children.get(child) {
                None => u32::from(!model.ends(state)) * NEVER,
                Some(at) => {
                    let next = &costs[(child + 1) * states..];
                    let exact = bits(follow & at.exact).map(|to| next[to]);
                    let near = bits(follow & at.near).map(|to| next[to] + NEAR);
                    let stranger = if at.stranger { follow } else { 0 };
                    let stranger = bits(stranger).map(|to| next[to] + STRANGER);
                    exact.chain(near).chain(stranger).fold(next[state] + DROP, u32::min)
                }
            };
            costs[child * states + state] = best;
        }
        let row = &mut costs[child * states..(child + 1) * states];
        // Missing children lead from state to state before the same child; the longest way visits each once.
        let mut changed = true;
        while changed {
            changed = false;
            for state in (0..states).rev() {
                let best = bits(model.follow(state)).map(|to| row[to] + MISS).fold(row[state], u32::min);
                changed |= best < row[state];
                row[state] = best;
            }
        }
    }
    costs
}

/// Follows the children to the first that does not fit, and says only that; for rows too long for the table.
fn first_fault(model: &Model, children: &[Candidates]) -> (u32, Vec<Step>) {
    let mut steps = Vec::new();
    let mut state = model.start();
    for (child, at) in children.iter().enumerate() {
        match bits(model.follow(state) & at.exact).next() {
            Some(position) => {
                steps.push(Step::Take { child, position });
                state = position;
            }
            None => {
                steps.push(Step::Drop { child });
                return (DROP, steps);
            }
        }
    }
    let position = bits(model.follow(state)).next().unwrap_or(0);
    steps.push(Step::Miss { before: children.len(), position });
    (MISS, steps)
}
