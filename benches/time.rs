//! How fast times are found: 100,000 next occurrences of a cron expression, beside Quartz's 0.8 s for them.

#[path = "support/verdict.rs"]
mod verdict;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant as Clock;

use ankus::time::cron::Cron;
use ankus::time::{Frequency, Instant, ProcessingZone, Unit, Zone, calendar};

/// What Quartz takes for 100,000 next fire times on two cores with Java 17.
const QUARTZ_SECONDS: f64 = 0.8;
/// What they may take here.
const LIMIT_SECONDS: f64 = 0.040;
const COUNT: usize = 100_000;
const ROUNDS: usize = 9;

fn main() -> ExitCode {
    let utc = ProcessingZone::UTC;
    let start = utc.parse_datetime("2024-01-01T00:00Z").expect("a datetime").instant;
    for text in ["*/5 * * * *", "0 10 * * MON-FRI", "0 0 L * ?", "30 4 1,15 * 5", "0 12 ? * 2#1"] {
        let cron = Cron::parse(text).expect("an expression");
        let seconds = best(|| {
            let mut at = start;
            for _ in 0..COUNT {
                // Rare ones begin again after the search's last year.
                at = cron.next_after(at, utc).unwrap_or(start);
            }
            black_box(at);
        });
        let verdict = verdict::hold(seconds <= LIMIT_SECONDS);
        println!(
            "cron {text:<18} {COUNT} next occurrences in {:>6.2} ms, {:.0} times Quartz{verdict}",
            seconds * 1000.0,
            QUARTZ_SECONDS / seconds
        );
    }
    let zone = Zone::parse("America/Los_Angeles").expect("a zone");
    measure("calendar days in America/Los_Angeles", |index| {
        calendar::add(start, index % 4000, Unit::Day, zone)
    });
    let frequency = Frequency::minutes(5);
    let mut text = String::new();
    measure("nominal times as text", |index| {
        text.clear();
        let at = frequency.nth(start, index, zone);
        utc.write(at, &mut text);
        at.plus_millis(text.len() as i64)
    });
    verdict::exit_code()
}

fn measure(what: &str, mut step: impl FnMut(i64) -> Instant) {
    let seconds = best(|| {
        for index in 0..COUNT as i64 {
            black_box(step(index));
        }
    });
    println!("{what}: {:.0} ns each", seconds * 1e9 / COUNT as f64);
}

/// The seconds of the best of several rounds, so that a busy machine does not count.
fn best(mut round: impl FnMut()) -> f64 {
    let seconds = (0..ROUNDS).map(|_| {
        let clock = Clock::now();
        round();
        clock.elapsed().as_secs_f64()
    });
    seconds.fold(f64::INFINITY, f64::min)
}
