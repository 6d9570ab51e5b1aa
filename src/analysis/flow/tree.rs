//! A tree that grows from its root, in which ancestors are found in a logarithmic number of steps.
//!
//! Each place keeps its parent and one farther ancestor, chosen so that a few jumps lead to any (skew-binary jump
//! pointers).

/// The tree. Places are numbered from 0, the root, in the order of growing.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    places: Vec<Place>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    parent: u32,
    jump: u32,
    depth: u32,
}

/// The root.
pub(super) const ROOT: u32 = 0;

impl Tree {
    /// The root alone.
    pub(super) fn new() -> Tree {
        Tree { places: vec![Place { parent: ROOT, jump: ROOT, depth: 0 }] }
    }

    /// How many places there are.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Grows a place below another.
    pub(super) fn grow(&mut self, parent: u32) -> u32 {
        let above = self.place(parent);
        let far = self.place(above.jump);
        let end = self.place(far.jump);
        let even = above.depth - far.depth == far.depth - end.depth;
        let jump = if even { far.jump } else { parent };
        self.places.push(Place { parent, jump, depth: above.depth + 1 });
        self.places.len() as u32 - 1
    }

    fn place(&self, place: u32) -> Place {
        self.places[place as usize]
    }

    /// The place above; of the root itself.
    pub(super) fn parent(&self, place: u32) -> u32 {
        self.place(place).parent
    }

    /// The ancestor at a depth.
    fn rise(&self, mut place: u32, depth: u32) -> u32 {
        while self.place(place).depth > depth {
            let found = self.place(place);
            place = if self.place(found.jump).depth >= depth { found.jump } else { found.parent };
        }
        place
    }

    /// True when the second is the first, or lies below it.
    pub(super) fn holds(&self, above: u32, below: u32) -> bool {
        self.rise(below, self.place(above).depth) == above
    }

    /// The nearest common ancestor.
    pub(super) fn common(&self, a: u32, b: u32) -> u32 {
        self.parted(a, b).map_or_else(|| if self.holds(a, b) { a } else { b }, |(a, _)| self.parent(a))
    }

    /// The last ancestors of two places before their ways become one; `None` when one lies on the way of the other.
    pub(super) fn parted(&self, a: u32, b: u32) -> Option<(u32, u32)> {
        let least = self.place(a).depth.min(self.place(b).depth);
        let (mut a, mut b) = (self.rise(a, least), self.rise(b, least));
        if a == b {
            return None;
        }
        loop {
            let (left, right) = (self.place(a), self.place(b));
            if left.parent == right.parent {
                return Some((a, b));
            }
            // Both are equally deep, so both jump equally far.
            (a, b) =
                if left.jump == right.jump { (left.parent, right.parent) } else { (left.jump, right.jump) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_of_a_chain_double_like_skew_binary_numbers() {
        let mut tree = Tree::new();
        for parent in 0..15 {
            assert_eq!(tree.grow(parent), parent + 1);
        }
        assert_eq!(tree.len(), 16);
        let places: Vec<_> = tree.places.iter().map(|place| (place.depth, place.jump)).collect();
        let expected = [0, 0, 1, 0, 3, 4, 3, 0, 7, 8, 7, 10, 11, 10, 7, 0];
        assert_eq!(places, (0..).zip(expected).collect::<Vec<_>>());
        let far = (0..16).map(|depth| tree.rise(15, depth));
        assert_eq!(far.collect::<Vec<_>>(), (0..16).collect::<Vec<_>>());
    }

    #[test]
    fn the_root_holds_all_and_is_its_own_parent() {
        let mut tree = Tree::new();
        let (left, right) = (tree.grow(ROOT), tree.grow(ROOT));
        assert_eq!((tree.parent(ROOT), tree.parent(left), tree.parent(right)), (ROOT, ROOT, ROOT));
        assert_eq!(
            (tree.holds(ROOT, right), tree.holds(right, ROOT), tree.holds(left, right)),
            (true, false, false)
        );
        assert_eq!(
            (tree.common(left, right), tree.common(left, left), tree.common(left, ROOT)),
            (ROOT, left, ROOT)
        );
        assert_eq!((tree.parted(left, right), tree.parted(left, ROOT)), (Some((left, right)), None));
    }

    #[test]
    fn ancestors_are_those_of_a_plain_walk() {
        let mut tree = Tree::new();
        let mut state = 7_u64;
        for _ in 0..300 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            tree.grow((state >> 33) as u32 % tree.len() as u32);
        }
        let way = |place: u32| {
            let mut way: Vec<u32> =
                std::iter::successors(Some(place), |at| (*at != ROOT).then(|| tree.parent(*at))).collect();
            way.reverse();
            way
        };
        for a in (0..tree.len() as u32).step_by(7) {
            for b in 0..tree.len() as u32 {
                let (left, right) = (way(a), way(b));
                let same = left.iter().zip(&right).take_while(|(a, b)| a == b).count();
                assert_eq!(tree.common(a, b), left[same - 1]);
                assert_eq!(tree.holds(a, b), same == left.len());
                let parted = (same < left.len() && same < right.len()).then(|| (left[same], right[same]));
                assert_eq!(tree.parted(a, b), parted);
            }
        }
    }
}
