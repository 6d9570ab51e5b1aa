//! Where boxes and lines go: a layered drawing, as Sugiyama, Tagawa and Toda describe it.
//!
//! Knows sizes and links, nothing of what they mean. Nodes stand in layers (`rank`), links that span several layers
//! pass each of them at a place of their own, layers are ordered so that few links cross (`order`), places get their
//! coordinates (`place`), and lines are drawn through the places (`route`). A line bends only between layers,
//! where nothing stands, so that it passes no box. Links that lead to the same node in the same manner share their
//! way there, a `Trunk`, so that there are never more places than layers for each node that is far from others.
//!
//! Everything is a loop with a bound; nothing recurses. Written by hand because the crates for it overflow the stack
//! or take minutes for a few hundred nodes that all lead to one, which is what error transitions do.

mod order;
mod pack;
mod place;
mod rank;
mod route;

/// More places than this are not made; links that would need them end at a label that names their target.
pub const MAX_BENDS: usize = 60_000;

/// A width and a height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

/// A point; y grows downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// A box by its upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

/// A link between two nodes.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Where it starts.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// Only links of the same lane share a way.
    pub lane: usize,
    /// It gives way to the others and runs at the side.
    pub is_light: bool,
    /// It meets boxes beside their middle.
    pub is_beside: bool,
    /// The size of its label.
    pub label: Option<Size>,
    /// The size of the label that takes the place of a way that is too long.
    pub stub: Size,
}

/// A finished drawing.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The size of the whole.
    pub size: Size,
    /// The boxes, by node. A box is as large as was asked for, or higher to hold the ends of its loops.
    pub nodes: Vec<Rect>,
    /// The lines, by link.
    pub routes: Vec<Route>,
    /// What several lines share.
    pub trunks: Vec<Trunk>,
}

/// The line of a link.
#[derive(Clone, Debug, Default)]
pub struct Route {
    /// The points it goes through, vertical at each of them; for a loop it is horizontal at the first and the last,
    /// and the one between says how far out it goes.
    pub points: Vec<Point>,
    /// Where its label stands.
    pub label: Option<Rect>,
    /// Where it ends.
    pub end: End,
}

/// Where a line ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// At its target.
    #[default]
    Target,
    /// In a trunk, which goes on to the target.
    Trunk(usize),
    /// At its label, which names the target.
    Stub,
    /// At the node itself.
    Loop,
}

/// The last part of the way to a node, which several links share.
#[derive(Clone, Debug)]
pub struct Trunk {
    /// The node.
    pub to: usize,
    /// The points it goes through, vertical at each of them.
    pub points: Vec<Point>,
}

/// Distances between things.
mod gap {
    pub(super) const NODES: f64 = 32.0;
    pub(super) const BENDS: f64 = 14.0;
    pub(super) const MIXED: f64 = 20.0;
    pub(super) const LAYERS: f64 = 34.0;
    pub(super) const PARTS: f64 = 48.0;
    /// How far a loop goes out.
    pub(super) const LOOP: f64 = 22.0;
    /// How high the ends of a loop stand apart with what surrounds them.
    pub(super) const LOOP_HEIGHT: f64 = 20.0;
}

/// Draws nodes and links from top to bottom.
pub fn layout(nodes: &[Size], links: &[Link]) -> Layout {
    let mut whole = Layout {
        nodes: vec![Rect::default(); nodes.len()],
        routes: vec![Route::default(); links.len()],
        ..Layout::default()
    };
    let parts = pack::parts(nodes.len(), links);
    let drawn: Vec<Layout> = parts
        .iter()
        .map(|part| {
            let sizes: Vec<Size> = part.nodes.iter().map(|node| nodes[*node]).collect();
            draw(&sizes, &part.links)
        })
        .collect();
    let places = pack::shelves(&drawn.iter().map(|layout| layout.size).collect::<Vec<_>>());
    for ((part, mut layout), corner) in parts.iter().zip(drawn).zip(places) {
        layout.shift(corner);
        whole.size.width = whole.size.width.max(corner.x + layout.size.width);
        whole.size.height = whole.size.height.max(corner.y + layout.size.height);
        let first_trunk = whole.trunks.len();
        for (node, rect) in part.nodes.iter().zip(layout.nodes) {
            whole.nodes[*node] = rect;
        }
        for (number, mut route) in part.numbers.iter().zip(layout.routes) {
            if let End::Trunk(trunk) = &mut route.end {
                *trunk += first_trunk;
            }
            whole.routes[*number] = route;
        }
        whole
            .trunks
            .extend(layout.trunks.into_iter().map(|trunk| Trunk { to: part.nodes[trunk.to], ..trunk }));
    }
    whole
}

/// Draws nodes that hang together.
fn draw(nodes: &[Size], links: &[Link]) -> Layout {
    let loops = route::Loops::new(nodes, links);
    let ranks = rank::ranks(nodes.len(), links);
    let mut grid = place::Grid::new(&loops.sizes, links, &ranks, MAX_BENDS);
    order::order(&mut grid);
    place::place(&mut grid);
    route::routes(&grid, links, &loops)
}

impl Layout {
    fn shift(&mut self, by: Point) {
        let rects =
            self.nodes.iter_mut().chain(self.routes.iter_mut().filter_map(|route| route.label.as_mut()));
        for rect in rects {
            rect.x += by.x;
            rect.y += by.y;
        }
        for point in self.points_mut() {
            point.x += by.x;
            point.y += by.y;
        }
    }

    /// The same drawing from left to right. Sizes must have been given with width and height exchanged.
    pub fn transposed(mut self) -> Layout {
        std::mem::swap(&mut self.size.width, &mut self.size.height);
        let rects =
            self.nodes.iter_mut().chain(self.routes.iter_mut().filter_map(|route| route.label.as_mut()));
        for rect in rects {
            *rect = Rect { x: rect.y, y: rect.x, width: rect.height, height: rect.width };
        }
        for point in self.points_mut() {
            *point = Point { x: point.y, y: point.x };
        }
        self
    }

    fn points_mut(&mut self) -> impl Iterator<Item = &mut Point> {
        let routes = self.routes.iter_mut().flat_map(|route| &mut route.points);
        routes.chain(self.trunks.iter_mut().flat_map(|trunk| &mut trunk.points))
    }
}
