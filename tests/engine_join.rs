//! Submissions that are replayed apart and joined are the engine that they were in together.

use std::collections::BTreeMap;

use ankus::engine::{Engine, Event, Recorded, Settings};

use crate::support::engine::minute;
use crate::support::hourly;

#[test]
fn what_is_replayed_apart_is_what_it_was_together() {
    let mut stage = hourly::finishing();
    let first = stage.coordinate(&hourly::plain(0, 5, ""), &[]);
    stage.now = minute(7);
    let second = stage.coordinate(&hourly::plain(0, 5, ""), &[]);
    for step in 1..30 {
        stage.now = minute(step * 10);
        if step == 12 {
            stage.must(Event::Suspend(second));
        }
        stage.must(Event::Tick);
    }
    // Which submission each event is of, and the newest job before it.
    let (mut whole, mut roots, mut split) =
        (Engine::new(stage.apps.clone(), Settings::default()), BTreeMap::new(), Vec::new());
    for recorded in &stage.log {
        let last = whole.last_number();
        whole.handle(recorded.at, recorded.event.clone()).expect("it was taken before");
        let root = match recorded.event.job() {
            Some(job) => roots.get(&job.number).copied(),
            None => (whole.last_number() > last).then_some(last + 1),
        };
        for number in last + 1..=whole.last_number() {
            roots.insert(number, root.unwrap_or(number));
        }
        split.push((root, last, recorded));
    }
    let apart = |wanted: u32| {
        let mut engine = Engine::new(stage.apps.clone(), Settings::default());
        let mine = split.iter().filter(|(root, ..)| root.is_none_or(|root| root == wanted));
        for (_, last, Recorded { at, event, .. }) in mine {
            engine.continue_after(*last);
            engine.handle(*at, event.clone()).expect("it was taken before");
        }
        engine
    };
    let mut joined = apart(second.number);
    joined.adopt(apart(first.number));
    joined.continue_after(whole.last_number());
    assert!(whole.last_number() > 6, "both have had workflows");
    assert!(format!("{joined:?}") == format!("{whole:?}"), "{joined:?}\nis not\n{whole:?}");
}
