//! Lines through places, and the heights of layers.

use super::place::{Grid, Kind};
use super::{End, Layout, Link, Point, Rect, Route, Size, Trunk, gap};

/// What links from a node to itself need.
pub(super) struct Loops {
    /// The sizes of places: boxes with their loops, as wide on the left, so that the box stands in the middle.
    pub(super) sizes: Vec<Size>,
    /// The sizes of boxes.
    boxes: Vec<Size>,
    /// How many loops each node has.
    counts: Vec<usize>,
}

impl Loops {
    pub(super) fn new(nodes: &[Size], links: &[Link]) -> Loops {
        let mut counts = vec![0; nodes.len()];
        let mut widths = vec![0.0_f64; nodes.len()];
        let mut bands = vec![gap::LOOP_HEIGHT; nodes.len()];
        for link in links.iter().filter(|link| link.from == link.to) {
            let label = link.label.unwrap_or_default();
            counts[link.from] += 1;
            widths[link.from] = widths[link.from].max(gap::LOOP + label.width);
            bands[link.from] = bands[link.from].max(label.height);
        }
        let grown = |node: usize, size: &Size| {
            let height = size.height.max(bands[node] * counts[node] as f64);
            Size { width: size.width, height }
        };
        let boxes: Vec<Size> = nodes.iter().enumerate().map(|(node, size)| grown(node, size)).collect();
        let sizes = boxes
            .iter()
            .zip(&widths)
            .map(|(size, more)| Size { width: size.width + 2.0 * more, height: size.height })
            .collect();
        Loops { sizes, boxes, counts }
    }
}

pub(super) fn routes(grid: &Grid, links: &[Link], loops: &Loops) -> Layout {
    let rows = Rows::new(grid);
    let nodes: Vec<Rect> = loops
        .boxes
        .iter()
        .enumerate()
        .map(|(node, size)| {
            let place = &grid.places[node];
            let (x, y) = (place.x - size.width / 2.0, rows.middle(place.layer) - size.height / 2.0);
            Rect { x, y, width: size.width, height: size.height }
        })
        .collect();
    let mut drawing = Drawing { grid, rows, nodes };
    let mut trunks = Vec::new();
    // A trunk that only one way joins is a part of that way.
    let mut shared = vec![None; grid.trunks.len()];
    for (number, trunk) in grid.trunks.iter().enumerate().filter(|(_, trunk)| trunk.joined > 1) {
        shared[number] = Some(trunks.len());
        let points = drawing.through(&trunk.places, trunk.to, trunk.is_beside);
        trunks.push(Trunk { to: trunk.to, points });
    }
    let mut looped = vec![0; drawing.nodes.len()];
    let mut routes = Vec::with_capacity(links.len());
    for (link, way) in links.iter().zip(&grid.ways) {
        if link.from == link.to {
            let index = looped[link.from];
            looped[link.from] += 1;
            routes.push(drawing.around(link, index, loops.counts[link.from]));
            continue;
        }
        let first = way.own.or(way.trunk.map(|(trunk, index)| grid.trunks[trunk].places[index]));
        let next = first.unwrap_or(link.to);
        let is_up = grid.places[next].layer < grid.places[link.from].layer;
        let side = drawing.side(link.from, grid.places[next].x, is_up);
        let mut route = Route { points: drawing.leave(link, side, is_up), ..Route::default() };
        if let Some(own) = way.own {
            let place = &grid.places[own];
            if place.kind == Kind::Label {
                let Size { width, height } = place.size;
                let y = drawing.rows.middle(place.layer) - height / 2.0;
                route.label = Some(Rect { x: place.x - width / 2.0, y, width, height });
            }
            if way.is_stub {
                let end =
                    route.label.map_or(0.0, |label| if is_up { label.y + label.height } else { label.y });
                route.points.extend(drawing.enter(own, is_up));
                route.points.push(Point { x: place.x, y: end });
                route.end = End::Stub;
                routes.push(route);
                continue;
            }
            route.points.extend(drawing.pass(own, is_up));
        }
        match way.trunk {
            None => {
                // A line that comes straight from a box arrives at the side where it left, beside the other lines.
                let arrived = |own: usize| drawing.side(link.to, grid.places[own].x, !is_up);
                let side = way.own.map_or(side, arrived);
                route.points.extend(drawing.arrive(link.to, side, link.is_beside, is_up));
            }
            Some((trunk, index)) => match shared[trunk] {
                Some(number) => {
                    route.end = End::Trunk(number);
                    route.points.extend(drawing.enter(grid.trunks[trunk].places[index], is_up));
                }
                None => {
                    let places = &grid.trunks[trunk].places[index..];
                    route.points.extend(drawing.through(places, link.to, link.is_beside));
                }
            },
        }
        route.points.dedup();
        routes.push(route);
    }
    let right = grid.places.iter().map(|place| place.x + place.size.width / 2.0).fold(0.0, f64::max);
    let size = Size { width: right, height: drawing.rows.height() };
    Layout { size, nodes: std::mem::take(&mut drawing.nodes), routes, trunks }
}

/// Top and bottom of each layer.
struct Rows {
    spans: Vec<(f64, f64)>,
}

impl Rows {
    fn new(grid: &Grid) -> Rows {
        // Lines that go far across need height, or they would lie flat.
        let mut across = vec![0.0_f64; grid.layers.len()];
        for piece in grid.pieces.iter().filter(|piece| !piece.is_light) {
            let (upper, lower) = (&grid.places[piece.upper], &grid.places[piece.lower]);
            across[upper.layer] = across[upper.layer].max((upper.x - lower.x).abs());
        }
        let mut y = 0.0;
        let mut spans = Vec::with_capacity(grid.layers.len());
        for (layer, across) in grid.layers.iter().zip(across) {
            let height = layer.iter().map(|place| grid.places[*place].size.height).fold(0.0, f64::max).ceil();
            spans.push((y, y + height));
            y += height + gap::LAYERS + (across / 12.0).min(50.0).round();
        }
        Rows { spans }
    }

    fn middle(&self, layer: usize) -> f64 {
        (self.spans[layer].0 + self.spans[layer].1) / 2.0
    }

    fn height(&self) -> f64 {
        self.spans.last().map_or(0.0, |(_, bottom)| *bottom)
    }
}

struct Drawing<'g> {
    grid: &'g Grid,
    rows: Rows,
    nodes: Vec<Rect>,
}

impl Drawing<'_> {
    /// At which side of its middle a box is met by a line that comes from or goes to so far across: at the side where
    /// it does not cross the other lines there. 1 is right.
    fn side(&self, node: usize, other: f64, is_top: bool) -> f64 {
        let neighbours = if is_top { &self.grid.above[node] } else { &self.grid.below[node] };
        let across =
            neighbours.iter().filter(|(_, pull)| *pull >= 0.1).map(|(place, _)| self.grid.places[*place].x);
        let (sum, count) = across
            .filter(|x| *x != other)
            .fold((0.0, 0.0), |(sum, count): (f64, f64), x| (sum + x, count + 1.0));
        let reference = if count > 0.0 { sum / count } else { self.grid.places[node].x };
        if other < reference { -1.0 } else { 1.0 }
    }

    /// Where a line meets a box.
    fn port(&self, node: usize, side: f64, is_beside: bool, is_up: bool) -> f64 {
        let rect = &self.nodes[node];
        let aside = match (is_beside, is_up) {
            (false, false) => 0.0,
            (true, false) => 0.24,
            (false, true) => 0.34,
            (true, true) => 0.42,
        };
        (rect.x + rect.width / 2.0 + rect.width * aside * side).round()
    }

    /// From the box to the edge of its layer.
    fn leave(&self, link: &Link, side: f64, is_up: bool) -> Vec<Point> {
        let rect = &self.nodes[link.from];
        let (top, bottom) = self.rows.spans[self.grid.places[link.from].layer];
        let x = self.port(link.from, side, link.is_beside, is_up);
        let ys = if is_up { [rect.y, top] } else { [rect.y + rect.height, bottom] };
        ys.map(|y| Point { x, y }).to_vec()
    }

    /// From the edge of the layer to the box.
    fn arrive(&self, node: usize, side: f64, is_beside: bool, is_up: bool) -> [Point; 2] {
        let rect = &self.nodes[node];
        let (top, bottom) = self.rows.spans[self.grid.places[node].layer];
        let x = self.port(node, side, is_beside, is_up);
        let ys = if is_up { [bottom, rect.y + rect.height] } else { [top, rect.y] };
        ys.map(|y| Point { x, y })
    }

    /// To the edge of the layer of a place.
    fn enter(&self, place: usize, is_up: bool) -> [Point; 1] {
        let (top, bottom) = self.rows.spans[self.grid.places[place].layer];
        [Point { x: self.grid.places[place].x, y: if is_up { bottom } else { top } }]
    }

    /// Through the layer of a place.
    fn pass(&self, place: usize, is_up: bool) -> [Point; 2] {
        let (top, bottom) = self.rows.spans[self.grid.places[place].layer];
        let ys = if is_up { [bottom, top] } else { [top, bottom] };
        ys.map(|y| Point { x: self.grid.places[place].x, y })
    }

    /// Through places to a node.
    fn through(&self, places: &[usize], to: usize, is_beside: bool) -> Vec<Point> {
        let is_up = self.grid.places[to].layer < self.grid.places[places[0]].layer;
        let mut points: Vec<Point> = places.iter().flat_map(|place| self.pass(*place, is_up)).collect();
        let side = self.side(to, self.grid.places[places[places.len() - 1]].x, !is_up);
        points.extend(self.arrive(to, side, is_beside, is_up));
        points.dedup();
        points
    }

    /// A loop at the right of its node, the `index`-th of so many.
    fn around(&self, link: &Link, index: usize, count: usize) -> Route {
        let rect = &self.nodes[link.from];
        let band = rect.height / count as f64;
        let middle = rect.y + band * (index as f64 + 0.5);
        let right = rect.x + rect.width;
        let apart = 5.0;
        let points = vec![
            Point { x: right, y: middle - apart },
            Point { x: right + gap::LOOP - 4.0, y: middle },
            Point { x: right, y: middle + apart },
        ];
        let label = link.label.map(|size| Rect {
            x: right + gap::LOOP,
            y: middle - size.height / 2.0,
            width: size.width,
            height: size.height,
        });
        Route { points, label, end: End::Loop }
    }
}
