//! Places in layers, and their coordinates across.
//!
//! In each layer the order is fixed; the positions are those with the least weighted squares of distances to the
//! neighbours above or below that keep places apart, found exactly by pooling neighbours that would come too close.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::rank::Ranks;
use super::{Link, Size, gap};

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A node.
    Node,
    /// A line that passes.
    Bend,
    /// The label of a line.
    Label,
}

/// A place in a layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) layer: usize,
    pub(super) size: Size,
    pub(super) kind: Kind,
    /// It belongs to a line that gives way.
    pub(super) is_light: bool,
    /// The middle.
    pub(super) x: f64,
}

/// A piece of a line between two places in neighbouring layers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) upper: usize,
    pub(super) lower: usize,
    pub(super) is_light: bool,
}

/// The way of a link: its own places, then perhaps a trunk.
#[derive(Clone, Debug, Default)]
pub(super) struct Way {
    /// Its label or the bend that keeps it apart.
    pub(super) own: Option<usize>,
    /// The trunk and the number of its place where the way joins it.
    pub(super) trunk: Option<(usize, usize)>,
    /// It ends at its label.
    pub(super) is_stub: bool,
}

/// The places from far to near, which all ways to a node of a lane and direction share.
#[derive(Clone, Debug)]
pub(super) struct Trunk {
    pub(super) to: usize,
    pub(super) is_beside: bool,
    pub(super) places: Vec<usize>,
    /// How many ways join.
    pub(super) joined: usize,
}

/// All places in their layers. Places of nodes come first and have the nodes' numbers.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) places: Vec<Place>,
    /// The places of each layer, from left to right.
    pub(super) layers: Vec<Vec<usize>>,
    pub(super) pieces: Vec<Piece>,
    /// For each place: the neighbours above, with weights that say how much the line wants to be straight.
    pub(super) above: Vec<Vec<(usize, f64)>>,
    /// The neighbours below.
    pub(super) below: Vec<Vec<(usize, f64)>>,
    pub(super) ways: Vec<Way>,
    pub(super) trunks: Vec<Trunk>,
}

/// A trunk while it is sought: target, lane, whether it leads up.
type Key = (usize, usize, bool);

impl Grid {
    pub(super) fn new(nodes: &[Size], links: &[Link], ranks: &Ranks, most_bends: usize) -> Grid {
        let place = |layer, size, kind, is_light| Place { layer, size, kind, is_light, x: 0.0 };
        let places = nodes
            .iter()
            .zip(&ranks.of)
            .map(|(size, layer)| place(*layer, *size, Kind::Node, false))
            .collect();
        let count = ranks.of.iter().max().map_or(0, |last| last + 1);
        let mut grid = Grid {
            places,
            layers: vec![Vec::new(); count],
            pieces: Vec::new(),
            above: Vec::new(),
            below: Vec::new(),
            ways: vec![Way::default(); links.len()],
            trunks: Vec::new(),
        };
        let step = |layer: usize, is_up: bool| if is_up { layer - 1 } else { layer + 1 };
        let direct = |link: &Link| {
            let (from, to) = (ranks.of[link.from], ranks.of[link.to]);
            let is_up = to < from;
            (from, to, is_up)
        };
        // How far from its target each trunk begins; where that is too much in all, the longest are left out.
        let mut lengths: BTreeMap<Key, usize> = BTreeMap::new();
        for (link, repeats) in links.iter().zip(&ranks.repeats).filter(|(link, _)| link.from != link.to) {
            let (from, to, is_up) = direct(link);
            let has_own = link.label.is_some() || *repeats;
            let length = from.abs_diff(to) - 1 - usize::from(has_own);
            if length > 0 {
                let known = lengths.entry((link.to, link.lane, is_up)).or_default();
                *known = (*known).max(length);
            }
        }
        let mut by_length: Vec<(usize, Key)> = lengths.iter().map(|(key, length)| (*length, *key)).collect();
        by_length.sort_unstable();
        let mut left = most_bends;
        let kept = by_length.iter().take_while(|(length, _)| {
            let fits = *length <= left;
            left = left.saturating_sub(*length);
            fits
        });
        let lanes: BTreeMap<usize, (bool, bool)> =
            links.iter().map(|link| (link.lane, (link.is_light, link.is_beside))).collect();
        let mut trunks: BTreeMap<Key, usize> = BTreeMap::new();
        for (length, key) in kept {
            trunks.insert(*key, grid.trunks.len());
            let (to, lane, is_up) = *key;
            let target = ranks.of[to];
            let (is_light, is_beside) = lanes[&lane];
            let size = Size { width: 2.0, height: 0.0 };
            let mut own = Vec::with_capacity(*length);
            for distance in (1..=*length).rev() {
                let layer = if is_up { target + distance } else { target - distance };
                own.push(grid.places.len());
                grid.places.push(place(layer, size, Kind::Bend, is_light));
            }
            for pair in own.windows(2) {
                grid.join(pair[0], pair[1], is_light);
            }
            grid.join(own[own.len() - 1], to, is_light);
            grid.trunks.push(Trunk { to, is_beside, places: own, joined: 0 });
        }
        for (number, (link, repeats)) in links.iter().zip(&ranks.repeats).enumerate() {
            if link.from == link.to {
                continue;
            }
            let (from, to, is_up) = direct(link);
            let mut way = Way::default();
            let has_own = link.label.is_some() || *repeats;
            let needs_trunk = from.abs_diff(to) - 1 - usize::from(has_own) > 0;
            let trunk = trunks.get(&(link.to, link.lane, is_up)).copied();
            way.is_stub = needs_trunk && trunk.is_none();
            let mut at = link.from;
            if has_own || way.is_stub {
                let (size, kind) = match (way.is_stub, link.label) {
                    (true, _) => (link.stub, Kind::Label),
                    (false, Some(size)) => (size, Kind::Label),
                    (false, None) => (Size { width: 2.0, height: 0.0 }, Kind::Bend),
                };
                let own = grid.places.len();
                grid.places.push(place(step(from, is_up), size, kind, false));
                grid.join(at, own, link.is_light);
                way.own = Some(own);
                at = own;
            }
            match trunk.filter(|_| needs_trunk && !way.is_stub) {
                Some(trunk) => {
                    let length = grid.trunks[trunk].places.len();
                    let index = length - (grid.places[at].layer.abs_diff(to) - 1);
                    let join = grid.trunks[trunk].places[index];
                    grid.join(at, join, link.is_light);
                    grid.trunks[trunk].joined += 1;
                    way.trunk = Some((trunk, index));
                }
                None if !way.is_stub => grid.join(at, link.to, link.is_light),
                None => {}
            }
            grid.ways[number] = way;
        }
        grid.connect();
        grid
    }

    fn join(&mut self, a: usize, b: usize, is_light: bool) {
        let is_down = self.places[a].layer < self.places[b].layer;
        let (upper, lower) = if is_down { (a, b) } else { (b, a) };
        self.pieces.push(Piece { upper, lower, is_light });
    }

    fn connect(&mut self) {
        self.above = vec![Vec::new(); self.places.len()];
        self.below = vec![Vec::new(); self.places.len()];
        let (mut into, mut out) = (vec![0; self.places.len()], vec![0; self.places.len()]);
        for piece in self.pieces.iter().filter(|piece| !piece.is_light) {
            out[piece.upper] += 1;
            into[piece.lower] += 1;
        }
        for piece in &self.pieces {
            let kinds = [self.places[piece.upper].kind, self.places[piece.lower].kind];
            let is_only = out[piece.upper] == 1 && into[piece.lower] == 1;
            let weight = match (piece.is_light, kinds) {
                (_, [Kind::Bend, Kind::Bend]) => 8.0,
                (true, _) => 0.01,
                (false, _) if is_only => 4.0,
                (false, [Kind::Label, _]) => 2.0,
                (false, _) => 1.0,
            };
            self.above[piece.lower].push((piece.upper, weight));
            self.below[piece.upper].push((piece.lower, weight));
        }
    }

    /// How far apart the middles of two neighbours must be.
    fn distance(&self, left: usize, right: usize) -> f64 {
        let (left, right) = (&self.places[left], &self.places[right]);
        let gap = match (left.kind, right.kind) {
            (Kind::Node, Kind::Node) => gap::NODES,
            (Kind::Bend, Kind::Bend) => gap::BENDS,
            _ => gap::MIXED,
        };
        (left.size.width + right.size.width) / 2.0 + gap
    }

    /// How often layers are gone through, so that large drawings take no longer than small ones.
    pub(super) fn rounds(&self, work: usize, most: usize) -> usize {
        (work / (self.places.len() + self.pieces.len() + 1)).clamp(2, most)
    }
}

/// Which neighbours a place follows.
#[derive(Clone, Copy)]
enum Follow {
    Above,
    Below,
    Both,
}

/// Gives every place its position across; the leftmost edge is 0.
pub(super) fn place(grid: &mut Grid) {
    const WORK: usize = 2_000_000;
    for layer in 0..grid.layers.len() {
        let mut x = 0.0;
        let mut before = None;
        for place in grid.layers[layer].clone() {
            x += before.map_or(0.0, |before| grid.distance(before, place));
            grid.places[place].x = x;
            before = Some(place);
        }
    }
    let last = grid.layers.len();
    for _ in 0..grid.rounds(WORK, 16) {
        (0..last).for_each(|layer| settle(grid, layer, Follow::Above));
        (0..last).rev().for_each(|layer| settle(grid, layer, Follow::Below));
    }
    for _ in 0..grid.rounds(WORK, 8) {
        (0..last).for_each(|layer| settle(grid, layer, Follow::Both));
        (0..last).rev().for_each(|layer| settle(grid, layer, Follow::Both));
    }
    let index = indices(grid);
    straighten(grid, &index);
    snap(grid, &index);
    let left = grid.places.iter().map(|place| place.x - place.size.width / 2.0).fold(f64::INFINITY, f64::min);
    grid.places.iter_mut().for_each(|place| place.x = (place.x - left).round());
}

/// The index of each place in its layer.
fn indices(grid: &Grid) -> Vec<usize> {
    let mut index = vec![0; grid.places.len()];
    for layer in &grid.layers {
        layer.iter().enumerate().for_each(|(at, place)| index[*place] = at);
    }
    index
}

/// From where to where a place may be moved while all others stay.
fn room(grid: &Grid, index: &[usize], place: usize) -> (f64, f64) {
    let layer = &grid.layers[grid.places[place].layer];
    let at = index[place];
    let left = at.checked_sub(1).map(|at| layer[at]);
    let right = layer.get(at + 1).copied();
    (
        left.map_or(f64::NEG_INFINITY, |left| grid.places[left].x + grid.distance(left, place)),
        right.map_or(f64::INFINITY, |right| grid.places[right].x - grid.distance(place, right)),
    )
}

/// Makes long lines straight as far as there is room: squares spread a bend over all layers.
fn straighten(grid: &mut Grid, index: &[usize]) {
    let mut chains: Vec<Vec<usize>> = grid.trunks.iter().map(|trunk| trunk.places.clone()).collect();
    // A trunk of one way begins at the label of that way.
    for way in &grid.ways {
        if let (Some(own), Some((trunk, 0))) = (way.own, way.trunk)
            && grid.trunks[trunk].joined == 1
        {
            chains[trunk].insert(0, own);
        }
    }
    // Lines that give way go as far out as they must, and make room; of the others the longest choose first.
    let is_light = |chain: &Vec<usize>| chain.first().is_some_and(|place| grid.places[*place].is_light);
    let farthest = |chain: &Vec<usize>| chain.iter().map(|place| grid.places[*place].x).fold(0.0, f64::max);
    chains.sort_by(|a, b| {
        let outer =
            if is_light(a) && is_light(b) { farthest(b).total_cmp(&farthest(a)) } else { Ordering::Equal };
        is_light(b).cmp(&is_light(a)).then(outer).then(b.len().cmp(&a.len())).then(a.cmp(b))
    });
    for chain in &chains {
        let mut from = 0;
        while from < chain.len() {
            let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
            let mut end = from;
            while let Some(place) = chain.get(end) {
                let (left, right) = room(grid, index, *place);
                let (left, right) = (low.max(left), high.min(right));
                if left > right {
                    break;
                }
                (low, high) = (left, right);
                end += 1;
            }
            // Rounding may leave a place less room than none.
            end = end.max(from + 1);
            if low <= high {
                let mut known: Vec<f64> =
                    chain[from..end].iter().map(|place| grid.places[*place].x).collect();
                known.sort_by(f64::total_cmp);
                let is_light = grid.places[chain[from]].is_light;
                let wanted = if is_light { known[known.len() - 1] } else { known[known.len() / 2] };
                let x = wanted.clamp(low, high);
                chain[from..end].iter().for_each(|place| grid.places[*place].x = x);
            }
            from = end;
        }
    }
}

/// Sets places right below or above each other that nearly are.
fn snap(grid: &mut Grid, index: &[usize]) {
    const NEAR: f64 = 9.0;
    let count = grid.layers.len();
    for is_down in [true, false] {
        for layer in (0..count).map(|layer| if is_down { layer } else { count - 1 - layer }) {
            for place in grid.layers[layer].clone() {
                let beside = grid.above[place].iter().chain(&grid.below[place]);
                let passes = |place: usize| grid.places[place].kind == Kind::Bend;
                let is_label = grid.places[place].kind == Kind::Label;
                if passes(place) || (is_label && beside.into_iter().any(|(place, _)| passes(*place))) {
                    continue;
                }
                let x = grid.places[place].x;
                let off = |neighbour: &(usize, f64)| (grid.places[neighbour.0].x - x).abs();
                let neighbours = if is_down { &grid.above[place] } else { &grid.below[place] };
                let near = neighbours.iter().filter(|neighbour| neighbour.1 >= 0.1 && off(neighbour) <= NEAR);
                let near = near.min_by(|a, b| off(a).total_cmp(&off(b)));
                let Some(target) = near.map(|(near, _)| grid.places[*near].x) else { continue };
                let (low, high) = room(grid, index, place);
                if low <= target && target <= high {
                    grid.places[place].x = target;
                }
            }
        }
    }
}

/// A run of places that touch: from which index on, and the weighted mean of where they want to be.
struct Run {
    from: usize,
    weight: f64,
    mean: f64,
}

/// Moves the places of a layer to where their neighbours want them, as far as their order and sizes allow.
fn settle(grid: &mut Grid, layer: usize, follow: Follow) {
    /// What holds a place without neighbours where it is.
    const REST: f64 = 0.001;
    let mut runs: Vec<Run> = Vec::new();
    let mut offsets = Vec::with_capacity(grid.layers[layer].len());
    let mut offset = 0.0;
    for (index, place) in grid.layers[layer].iter().copied().enumerate() {
        if index > 0 {
            offset += grid.distance(grid.layers[layer][index - 1], place);
        }
        offsets.push(offset);
        let (above, below) = (&grid.above[place], &grid.below[place]);
        let (first, second): (&[_], &[_]) = match follow {
            Follow::Above => (above, &[]),
            Follow::Below => (below, &[]),
            Follow::Both => (above, below),
        };
        let (mut weight, mut sum) = (REST, REST * grid.places[place].x);
        for (neighbour, pull) in first.iter().chain(second) {
            weight += pull;
            sum += pull * grid.places[*neighbour].x;
        }
        let mut run = Run { from: index, weight, mean: sum / weight - offset };
        while let Some(before) = runs.pop_if(|before| before.mean > run.mean) {
            let weight = before.weight + run.weight;
            run.mean = (before.mean * before.weight + run.mean * run.weight) / weight;
            (run.from, run.weight) = (before.from, weight);
        }
        runs.push(run);
    }
    let mut ends: Vec<usize> = runs.iter().skip(1).map(|run| run.from).collect();
    ends.push(offsets.len());
    for (run, end) in runs.iter().zip(ends) {
        for (place, offset) in grid.layers[layer][run.from..end].iter().zip(&offsets[run.from..end]) {
            grid.places[*place].x = run.mean + offset;
        }
    }
}
