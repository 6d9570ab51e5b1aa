//! The layer of each node: after all that lead to it, but for links that close a loop.

use std::collections::BTreeSet;

use super::Link;

/// What the layers come to.
#[derive(Debug)]
pub(super) struct Ranks {
    /// The layer of each node.
    pub(super) of: Vec<usize>,
    /// For each link: it repeats an earlier one and needs a way of its own.
    pub(super) repeats: Vec<bool>,
}

/// A link as layers see it: from an upper node to a lower one.
#[derive(Clone, Copy)]
struct Arc {
    upper: usize,
    lower: usize,
    length: usize,
    is_light: bool,
}

pub(super) fn ranks(nodes: usize, links: &[Link]) -> Ranks {
    let mut seen = BTreeSet::new();
    let repeats: Vec<bool> = links.iter().map(|link| !seen.insert((link.from, link.to, link.lane))).collect();
    let back = back(nodes, links);
    let mut arcs = Vec::with_capacity(links.len());
    for (number, link) in links.iter().enumerate() {
        if link.from == link.to {
            continue;
        }
        let (upper, lower) = if back[number] { (link.to, link.from) } else { (link.from, link.to) };
        let length = 1 + usize::from(link.label.is_some() || repeats[number]);
        arcs.push(Arc { upper, lower, length, is_light: link.is_light });
    }
    let (down, up) = (Lists::new(nodes, &arcs, |arc| arc.upper), Lists::new(nodes, &arcs, |arc| arc.lower));
    let mut of = vec![0; nodes];
    let mut open: Vec<usize> = (0..nodes).map(|node| up.of(node).len()).collect();
    let mut order: Vec<usize> = (0..nodes).filter(|node| open[*node] == 0).collect();
    let mut next = 0;
    while next < order.len() {
        let node = order[next];
        next += 1;
        for arc in down.of(node).iter().map(|number| arcs[*number]) {
            of[arc.lower] = of[arc.lower].max(of[node] + arc.length);
            open[arc.lower] -= 1;
            if open[arc.lower] == 0 {
                order.push(arc.lower);
            }
        }
    }
    // What leads to more than leads to it moves down to where it is needed.
    for node in order.into_iter().rev() {
        let count = |list: &[usize]| list.iter().filter(|number| !arcs[**number].is_light).count();
        let room = down.of(node).iter().map(|number| of[arcs[*number].lower] - arcs[*number].length).min();
        if let Some(room) = room
            && count(down.of(node)) > count(up.of(node))
        {
            of[node] = of[node].max(room);
        }
    }
    let first = of.iter().copied().min().unwrap_or(0);
    of.iter_mut().for_each(|layer| *layer -= first);
    Ranks { of, repeats }
}

/// The links that lead back to a node of the way that led to them, when nodes are walked in depth from those that
/// nothing leads to, then from the others.
fn back(nodes: usize, links: &[Link]) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let out = Lists::new(nodes, links, |link| link.from);
    let mut has_in = vec![false; nodes];
    links.iter().filter(|link| link.from != link.to).for_each(|link| has_in[link.to] = true);
    let mut state = vec![State::New; nodes];
    let mut back = vec![false; links.len()];
    let mut stack: Vec<(usize, usize)> = Vec::new();
    let roots = (0..nodes).filter(|node| !has_in[*node]).chain(0..nodes);
    for root in roots {
        if state[root] != State::New {
            continue;
        }
        state[root] = State::Open;
        stack.push((root, 0));
        while let Some((node, next)) = stack.last_mut() {
            let Some(number) = out.of(*node).get(*next) else {
                state[*node] = State::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            let to = links[*number].to;
            match state[to] {
                State::Done => {}
                State::Open => back[*number] = true,
                State::New => {
                    state[to] = State::Open;
                    stack.push((to, 0));
                }
            }
        }
    }
    back
}

/// The numbers of things by a node of each, in one list.
struct Lists {
    starts: Vec<usize>,
    numbers: Vec<usize>,
}

impl Lists {
    fn new<T>(nodes: usize, things: &[T], node: impl Fn(&T) -> usize) -> Lists {
        let mut starts = vec![0; nodes + 1];
        things.iter().for_each(|thing| starts[node(thing) + 1] += 1);
        for index in 0..nodes {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut numbers = vec![0; things.len()];
        for (number, thing) in things.iter().enumerate() {
            let at = &mut next[node(thing)];
            numbers[*at] = number;
            *at += 1;
        }
        Lists { starts, numbers }
    }

    fn of(&self, node: usize) -> &[usize] {
        &self.numbers[self.starts[node]..self.starts[node + 1]]
    }
}
