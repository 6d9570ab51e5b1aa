//! The order within layers, so that few lines cross: each place goes to the mean of its neighbours, layer by layer,
//! down and up; then neighbours change places where that helps. The best order seen is kept.

use super::place::{Grid, Kind, Piece};

/// Work that may be spent on going through layers.
const WORK: usize = 1_500_000;
/// Drawings of more pieces than this are not improved pair by pair.
const MAX_PAIRED: usize = 6_000;

pub(super) fn order(grid: &mut Grid) {
    // Where one way of beginning ends in a corner, another may not; large drawings begin once.
    let starts: &[(bool, bool)] = match grid.pieces.len() <= MAX_PAIRED {
        true => &[(false, true), (true, true), (false, false), (true, false)],
        false => &[(false, true)],
    };
    let mut best: Option<(usize, Vec<Vec<usize>>)> = None;
    for (is_mirrored, is_down_first) in starts {
        let found = improved(grid, *is_mirrored, *is_down_first);
        if best.as_ref().is_none_or(|best| found.0 < best.0) {
            best = Some(found);
        }
        if best.as_ref().is_some_and(|best| best.0 == 0) {
            break;
        }
    }
    grid.layers = best.map(|best| best.1).unwrap_or_default();
}

/// The best order that one beginning leads to, with the number of its crossings.
fn improved(grid: &mut Grid, is_mirrored: bool, is_down_first: bool) -> (usize, Vec<Vec<usize>>) {
    begin(grid, is_mirrored);
    let mut position = vec![0.0; grid.places.len()];
    grid.layers.iter().for_each(|layer| number(layer, &mut position));
    let mut best = (crossings(grid, &position), grid.layers.clone());
    for round in 0..grid.rounds(WORK, 24) {
        if best.0 == 0 {
            break;
        }
        let count = grid.layers.len();
        let is_down = (round % 2 == 0) == is_down_first;
        for index in 0..count {
            sort(grid, if is_down { index } else { count - 1 - index }, is_down, &mut position);
        }
        if grid.pieces.len() <= MAX_PAIRED {
            exchange(grid, &mut position);
        }
        let crossings = crossings(grid, &position);
        if crossings < best.0 {
            best = (crossings, grid.layers.clone());
        }
    }
    best
}

/// The first order: as places are met on the way down in depth, lines that give way last.
fn begin(grid: &mut Grid, is_mirrored: bool) {
    let mut seen = vec![false; grid.places.len()];
    let mut roots: Vec<usize> =
        (0..grid.places.len()).filter(|place| grid.above[*place].is_empty()).collect();
    roots.sort_by_key(|place| (grid.places[*place].layer, *place));
    let mut stack: Vec<usize> = Vec::new();
    grid.layers.iter_mut().for_each(Vec::clear);
    for root in roots {
        stack.push(root);
        while let Some(place) = stack.pop() {
            if std::mem::replace(&mut seen[place], true) {
                continue;
            }
            grid.layers[grid.places[place].layer].push(place);
            stack.extend(
                grid.below[place].iter().rev().map(|(below, _)| below).filter(|below| !seen[**below]),
            );
        }
    }
    for layer in &mut grid.layers {
        if is_mirrored {
            layer.reverse();
        }
        layer.sort_by_key(|place| grid.places[*place].is_light);
    }
}

fn number(layer: &[usize], position: &mut [f64]) {
    layer.iter().enumerate().for_each(|(index, place)| position[*place] = index as f64);
}

/// Sorts a layer by the means of the neighbours above or below.
fn sort(grid: &mut Grid, layer: usize, by_above: bool, position: &mut [f64]) {
    let neighbours = if by_above { &grid.above } else { &grid.below };
    let mut keyed: Vec<(bool, f64, usize)> = grid.layers[layer]
        .iter()
        .map(|place| {
            let (mut weight, mut sum) = (0.0, 0.0);
            for (neighbour, pull) in &neighbours[*place] {
                // Straightness is not the matter here, but what gives way shall not decide.
                let pull = if *pull < 0.1 { 0.001 } else { 1.0 };
                weight += pull;
                sum += pull * position[*neighbour];
            }
            let mean = if weight > 0.0 { sum / weight } else { position[*place] };
            (grid.places[*place].is_light, mean, *place)
        })
        .collect();
    keyed.sort_by(|a, b| {
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(position[a.2].total_cmp(&position[b.2]))
    });
    let sorted: Vec<usize> = keyed.into_iter().map(|(_, _, place)| place).collect();
    number(&sorted, position);
    grid.layers[layer] = sorted;
}

/// Exchanges neighbours while fewer lines cross for it.
fn exchange(grid: &mut Grid, position: &mut [f64]) {
    const PASSES: usize = 4;
    for _ in 0..PASSES {
        let mut is_better = false;
        for layer in 0..grid.layers.len() {
            for index in 1..grid.layers[layer].len() {
                let (left, right) = (grid.layers[layer][index - 1], grid.layers[layer][index]);
                if grid.places[left].is_light != grid.places[right].is_light {
                    continue;
                }
                let both = |a: usize, b: usize| {
                    crossed(&grid.above[a], &grid.above[b], position)
                        + crossed(&grid.below[a], &grid.below[b], position)
                };
                if both(right, left) < both(left, right) {
                    grid.layers[layer].swap(index - 1, index);
                    position[left] = index as f64;
                    position[right] = (index - 1) as f64;
                    is_better = true;
                }
            }
        }
        if !is_better {
            break;
        }
    }
}

/// How many lines of two neighbours cross when the first stands left.
fn crossed(left: &[(usize, f64)], right: &[(usize, f64)], position: &[f64]) -> usize {
    /// Of a place with more lines the first ones stand for all.
    const MOST: usize = 64;
    let mut count = 0;
    for (a, pull) in left.iter().take(MOST) {
        for (b, other) in right.iter().take(MOST) {
            if *pull >= 0.1 && *other >= 0.1 && position[*a] > position[*b] {
                count += 1;
            }
        }
    }
    count
}

/// How many pairs of pieces cross, those aside that give way.
fn crossings(grid: &Grid, position: &[f64]) -> usize {
    let mut by_layer: Vec<Vec<(usize, usize)>> = vec![Vec::new(); grid.layers.len()];
    let counts = |piece: &&Piece| {
        !piece.is_light || [piece.upper, piece.lower].iter().all(|p| grid.places[*p].kind == Kind::Node)
    };
    for piece in grid.pieces.iter().filter(counts) {
        let at = |place: usize| position[place] as usize;
        by_layer[grid.places[piece.upper].layer].push((at(piece.upper), at(piece.lower)));
    }
    let mut total = 0;
    for (layer, pieces) in by_layer.iter_mut().enumerate() {
        let Some(below) = grid.layers.get(layer + 1) else { continue };
        pieces.sort_unstable();
        // How many so far end at a position or right of it, as sums of powers of two.
        let mut sums = vec![0usize; below.len() + 1];
        for (index, (_, lower)) in pieces.iter().enumerate() {
            let mut not_right = 0;
            let mut at = lower + 1;
            while at > 0 {
                not_right += sums[at];
                at &= at - 1;
            }
            total += index - not_right;
            let mut at = lower + 1;
            while at < sums.len() {
                sums[at] += 1;
                at += at & at.wrapping_neg();
            }
        }
    }
    total
}
