//! Parts that do not hang together, drawn one by one and set beside and below each other.

use super::{Link, Point, Size, gap};

/// Nodes that hang together, with the links between them.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// The nodes, by their numbers in the whole.
    pub(super) nodes: Vec<usize>,
    /// The links, with the numbers of the nodes in this part.
    pub(super) links: Vec<Link>,
    /// The numbers of the links in the whole.
    pub(super) numbers: Vec<usize>,
}

/// The parts, in the order of their first nodes.
pub(super) fn parts(nodes: usize, links: &[Link]) -> Vec<Part> {
    let mut above: Vec<usize> = (0..nodes).collect();
    for link in links {
        let (a, b) = (root(&mut above, link.from), root(&mut above, link.to));
        above[a.max(b)] = a.min(b);
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut part_of = vec![usize::MAX; nodes];
    let mut number_in = vec![0; nodes];
    for node in 0..nodes {
        let root = root(&mut above, node);
        if part_of[root] == usize::MAX {
            part_of[root] = parts.len();
            parts.push(Part::default());
        }
        part_of[node] = part_of[root];
        let part = &mut parts[part_of[node]];
        number_in[node] = part.nodes.len();
        part.nodes.push(node);
    }
    for (number, link) in links.iter().enumerate() {
        let part = &mut parts[part_of[link.from]];
        part.links.push(Link { from: number_in[link.from], to: number_in[link.to], ..*link });
        part.numbers.push(number);
    }
    parts
}

/// The first node of a set; halves the way there.
fn root(above: &mut [usize], mut node: usize) -> usize {
    while above[node] != node {
        above[node] = above[above[node]];
        node = above[node];
    }
    node
}

/// Sets boxes on shelves, so that the whole is somewhat wider than high.
pub(super) fn shelves(sizes: &[Size]) -> Vec<Point> {
    const WIDE: f64 = 1.6;
    let area: f64 = sizes.iter().map(|size| (size.width + gap::PARTS) * (size.height + gap::PARTS)).sum();
    let widest = sizes.iter().map(|size| size.width).fold(0.0, f64::max);
    let most = widest.max((area * WIDE).sqrt());
    let (mut x, mut y, mut height): (f64, f64, f64) = (0.0, 0.0, 0.0);
    let mut corners = Vec::with_capacity(sizes.len());
    for size in sizes {
        if x > 0.0 && x + size.width > most {
            (x, y, height) = (0.0, y + height + gap::PARTS, 0.0);
        }
        corners.push(Point { x, y });
        x += size.width + gap::PARTS;
        height = height.max(size.height);
    }
    corners
}
