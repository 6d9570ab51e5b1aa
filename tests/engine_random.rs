//! The engine on random apps with random operators, data, ends, troubles and crashes: what must hold holds after every
//! event, an engine made again goes on alike, and all rows of all tables are taken.
//!
//! `ANKUS_SEEDS=100000` plays so many, `ANKUS_SEED=7` one.

use crate::support::play::Play;

/// Seeds at the desk, and where time is no matter.
const SEEDS: (u64, u64) = (40, 500);

/// What replays a seed, said when it fails.
struct Replay(u64);

impl Drop for Replay {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("replay: ANKUS_SEED={} cargo test --test all engine_random::random_plays_hold", self.0);
        }
    }
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is no number: `{text}`")))
}

/// Plays a seed; says how to do it again when it fails.
fn played(seed: u64) -> Play {
    let replay = Replay(seed);
    let play = Play::of(seed);
    drop(replay);
    play
}

#[test]
fn random_plays_hold() {
    if let Some(seed) = number("ANKUS_SEED") {
        let play = played(seed);
        println!("{} events", play.log.len());
        return;
    }
    let thorough = std::env::var_os("ANKUS_THOROUGH").is_some();
    let count = number("ANKUS_SEEDS").unwrap_or(if thorough { SEEDS.1 } else { SEEDS.0 });
    let events: usize = (0..count).map(|seed| played(seed).log.len()).sum();
    assert!(events as u64 > count * 50, "{events} events in {count} plays");
}
