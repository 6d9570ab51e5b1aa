//! Drawn numbers that depend on the seed and on what is drawn, never on the order: a change in one place of a scenario
//! leaves everything else as it was.
//!
//! The seed and the name of what is drawn go through FNV-1a (64 bits), and the result through the finalizer of
//! SplitMix64 (Steele, Lea and Flood, 2014), whose output is equidistributed. Integers only, so every machine draws the
//! same.

/// What is drawn, as a name in pieces.
#[derive(Clone, Copy, Debug)]
pub struct Draw(u64);

impl Draw {
    /// A draw of its own for each seed.
    pub fn new(seed: u64) -> Draw {
        Draw(0xCBF2_9CE4_8422_2325).with(&seed.to_le_bytes())
    }

    /// With one more piece of the name.
    pub fn with(self, piece: &[u8]) -> Draw {
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        // The length keeps `ab`, `c` and `a`, `bc` apart.
        let length = (piece.len() as u64).to_le_bytes();
        Draw(piece.iter().chain(&length).fold(self.0, step))
    }

    /// A number, any with the same chance.
    pub fn number(self) -> u64 {
        let mut z = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from `least` to `most`, both included.
    pub fn between(self, least: i64, most: i64) -> i64 {
        let width = most.saturating_sub(least).max(0) as u128 + 1;
        least.saturating_add(((u128::from(self.number()) * width) >> 64) as i64)
    }

    /// True in so many of a million cases.
    pub fn happens(self, millionths: u32) -> bool {
        self.between(1, 1_000_000) <= i64::from(millionths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_the_same_everywhere_and_spread() {
        assert_eq!(Draw::new(0).number(), Draw::new(0).number());
        assert_eq!(Draw::new(1).with(b"a").number(), RECORDED);
        let draws = (0..10_000_u32).map(|n| Draw::new(7).with(&n.to_le_bytes()));
        let mut seen = [0_u32; 10];
        draws.clone().for_each(|draw| seen[draw.between(0, 9) as usize] += 1);
        assert!(seen.iter().all(|count| (850..1150).contains(count)), "{seen:?}");
        let happened = draws.filter(|draw| draw.happens(250_000)).count();
        assert!((2300..2700).contains(&happened), "{happened}");
        assert_eq!(Draw::new(3).between(5, 5), 5);
        assert_ne!(
            Draw::new(3).with(b"ab").with(b"c").number(),
            Draw::new(3).with(b"a").with(b"bc").number()
        );
    }

    /// Worked out apart from this program.
    const RECORDED: u64 = 0xE145D12C329A74F8;
}
