//! Content models: what may stand in an element, as a tree for words and as positions for matching.
//!
//! Positions are those of Glushkov's construction: each place where a child may be matched, and which may follow which.

/// How often something may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occurs {
    pub(super) min: u32,
    /// `None`: without end.
    pub(super) max: Option<u32>,
}

impl Occurs {
    pub(super) const ONCE: Occurs = Occurs { min: 1, max: Some(1) };

    /// May it stand more than once.
    pub(super) fn repeats(self) -> bool {
        self.max.is_none_or(|max| max > 1)
    }
}

/// Which namespaces a wildcard takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wildcard {
    /// Any but this one and none.
    Other(&'static str),
    /// These.
    OneOf(Vec<String>),
}

impl Wildcard {
    pub(super) fn takes(&self, namespace: &str) -> bool {
        match self {
            Wildcard::Other(own) => !namespace.is_empty() && namespace != *own,
            Wildcard::OneOf(list) => list.iter().any(|one| one == namespace),
        }
    }
}

/// What a position matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Term {
    /// An element of the schema's own namespace: its name and its type.
    Element(String, usize),
    /// An element of other namespaces.
    Any(Wildcard),
}

/// A part of a content model.
#[derive(Clone, Debug)]
pub(super) struct Particle {
    pub(super) occurs: Occurs,
    pub(super) what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Term(Term),
    Sequence(Vec<Particle>),
    Choice(Vec<Particle>),
}

/// A place in the model where a child is matched.
#[derive(Debug)]
pub(super) struct Position {
    pub(super) term: Term,
    /// Where children of this position stand among the others; equal where the order is free.
    pub(super) rank: u32,
    /// The innermost choice that is made once, if the position is in one, and its branch.
    pub(super) choice: Option<(u32, u32)>,
}

/// A set of positions.
pub(super) type Set = u64;

/// A compiled content model.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) tree: Particle,
    pub(super) positions: Vec<Position>,
    /// What may follow each position; the last entry is the start.
    follow: Vec<Set>,
    /// Where the children may end; the bit after the last position is the start.
    last: Set,
}

/// What stands at the borders of a part.
struct Borders {
    first: Set,
    last: Set,
    nullable: bool,
}

impl Model {
    pub(super) fn new(tree: Particle) -> Model {
        let mut model = Model { tree: tree.clone(), positions: Vec::new(), follow: Vec::new(), last: 0 };
        let mut ranks = 0;
        let mut choices = 0;
        let borders = model
            .put(&tree, &mut Place { rank: &mut ranks, fixed: false, choices: &mut choices, choice: None });
        assert!(model.positions.len() < Set::BITS as usize, "a content model has at most 63 positions");
        model.follow.push(borders.first);
        model.last = borders.last | Set::from(borders.nullable) << model.start();
        model
    }

    /// The state before the first child.
    pub(super) fn start(&self) -> usize {
        self.positions.len()
    }

    /// What may come after a state.
    pub(super) fn follow(&self, state: usize) -> Set {
        self.follow[state]
    }

    /// May the children end in this state.
    pub(super) fn ends(&self, state: usize) -> bool {
        self.last & 1 << state != 0
    }

    /// The positions that `fits` takes.
    pub(super) fn matching(&self, mut fits: impl FnMut(&Term) -> bool) -> Set {
        let mut set = 0;
        for (index, position) in self.positions.iter().enumerate() {
            set |= Set::from(fits(&position.term)) << index;
        }
        set
    }

    /// Is a row of children right; each child is the set of positions that it matches.
    pub(super) fn accepts(&self, children: impl IntoIterator<Item = Set>) -> bool {
        let mut states = 1 << self.start();
        for child in children {
            states = bits(states).fold(0, |next, state| next | self.follow[state]) & child;
            if states == 0 {
                return false;
            }
        }
        states & self.last != 0
    }

    fn put(&mut self, particle: &Particle, place: &mut Place<'_>) -> Borders {
        let Occurs { min, max } = particle.occurs;
        let many_terms = !matches!(particle.what, What::Term(_));
        let outer = (place.fixed, *place.rank);
        if particle.occurs.repeats() && many_terms {
            place.fixed = true;
        }
        // `min` copies in a row (at least one), then one that repeats or the rest as options.
        let copies = max.unwrap_or(min.max(1)).max(1);
        let mut all = Borders { first: 0, last: 0, nullable: true };
        for copy in 0..copies {
            if !many_terms && copy > 0 {
                *place.rank = outer.1;
            }
            let mut one = self.put_once(&particle.what, place);
            if max.is_none() && copy + 1 == copies {
                self.link(one.last, one.first);
            }
            one.nullable |= copy >= min;
            all = self.join(all, one);
        }
        place.fixed = outer.0;
        if place.fixed {
            *place.rank = outer.1;
        } else if particle.occurs.repeats() && many_terms {
            *place.rank += 1;
        }
        all
    }

    fn put_once(&mut self, what: &What, place: &mut Place<'_>) -> Borders {
        match what {
            What::Term(term) => {
                let index = self.positions.len();
                self.positions.push(Position { term: term.clone(), rank: *place.rank, choice: place.choice });
                self.follow.push(0);
                *place.rank += u32::from(!place.fixed);
                Borders { first: 1 << index, last: 1 << index, nullable: false }
            }
            What::Sequence(parts) => {
                let mut all = Borders { first: 0, last: 0, nullable: true };
                for part in parts {
                    let next = self.put(part, place);
                    all = self.join(all, next);
                }
                all
            }
            What::Choice(parts) => {
                let mut all = Borders { first: 0, last: 0, nullable: false };
                let outer = place.choice;
                let number = *place.choices;
                *place.choices += 1;
                for (branch, part) in parts.iter().enumerate() {
                    place.choice = if place.fixed { outer } else { Some((number, branch as u32)) };
                    let one = self.put(part, place);
                    all.first |= one.first;
                    all.last |= one.last;
                    all.nullable |= one.nullable;
                }
                place.choice = outer;
                all
            }
        }
    }

    fn join(&mut self, a: Borders, b: Borders) -> Borders {
        self.link(a.last, b.first);
        Borders {
            first: a.first | if a.nullable { b.first } else { 0 },
            last: b.last | if b.nullable { a.last } else { 0 },
            nullable: a.nullable && b.nullable,
        }
    }

    fn link(&mut self, from: Set, to: Set) {
        for state in bits(from) {
            self.follow[state] |= to;
        }
    }
}

/// Where the construction stands.
struct Place<'a> {
    rank: &'a mut u32,
    /// Inside something that repeats, where all have one rank.
    fixed: bool,
    choices: &'a mut u32,
    choice: Option<(u32, u32)>,
}

/// The members of a set, in order.
pub(super) fn bits(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros();
        (bit < Set::BITS).then(|| {
            set &= set - 1;
            bit as usize
        })
    })
}
