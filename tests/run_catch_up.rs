//! An executor that was off for a day catches up as the specification says (`004` 6.1.6, 6.3).

use std::collections::BTreeMap;
use std::path::PathBuf;

use ankus::engine::status::ActionStatus::{self, Running, Skipped, Succeeded, TimedOut, Waiting};
use ankus::engine::{Changed, Command};
use ankus::execute::clock::JumpingClock;
use ankus::execute::open::Place;
use ankus::report::run_lines::Heard;
use ankus::time::Instant;

use crate::run::{project, workflow};
use crate::support::executor::{Life, options, place};
use crate::support::{engine::minute, write_file};

/// The hours of two days; the first is 0.
const DAY: i64 = 24;

/// A coordinator that makes an action each hour for three days.
fn coordinator(controls: &str, inputs: bool) -> String {
    let data = r#"<datasets><dataset name="in" frequency="60" initial-instance="2024-01-01T00:00Z" timezone="UTC">
        <uri-template>hdfs://nn/in/${DAY}/${HOUR}</uri-template><done-flag></done-flag></dataset></datasets>
        <input-events><data-in name="in" dataset="in"><instance>${coord:current(0)}</instance></data-in>
        </input-events>"#;
    let data = if inputs { data } else { "" };
    format!(
        r#"<coordinator-app name="c" frequency="60" start="2024-01-01T00:00Z" end="2024-01-04T00:00Z" timezone="UTC"
        xmlns="uri:oozie:coordinator:0.4"><controls>{controls}</controls>{data}<action><workflow>
        <app-path>hdfs://nn/apps/w</app-path></workflow></action></coordinator-app>"#
    )
}

/// What happened to an action: when, in minutes, which, and its new state.
type Course = Vec<(i64, u32, ActionStatus)>;

struct App {
    folder: PathBuf,
    place: Place,
}

impl App {
    fn new(name: &str, controls: &str, inputs: bool) -> App {
        let fs = r#"<start to="a"/><action name="a"><fs><mkdir path="/x"/></fs><ok to="end"/><error to="fail"/></action>"#;
        let (coordinator, workflow) = (coordinator(controls, inputs), workflow("w", fs));
        let folder = project(name, &[("c/coordinator.xml", &coordinator), ("w/workflow.xml", &workflow)]);
        let config = "[paths]\n\"hdfs://nn/apps\" = \".\"\n[storage]\n\"hdfs://nn\" = \"data\"\n";
        write_file(&folder.join("ankus.toml"), config);
        let place = place(&folder.join("c"), &folder.join(".ankus"));
        App { folder, place }
    }

    /// One life of an executor from a minute until another.
    fn live(&self, from: i64, until: i64) -> Course {
        self.live_saying(from, until).0
    }

    /// The same, with what is said besides.
    fn live_saying(&self, from: i64, until: i64) -> (Course, Vec<String>) {
        let clock = JumpingClock::at(minute(from), false);
        let mut course = Vec::new();
        let app = self.folder.join("c");
        let until = Some(minute(until));
        let life = Life {
            app: &app,
            place: &self.place,
            clock: &clock,
            options: options(&["all"]),
            until,
            watch: None,
        };
        let minutes = |at: Instant| at.millis_since(minute(0)) / 60_000;
        let mut said = Vec::new();
        let mut hear = |heard: Heard<'_>| {
            for command in heard.commands {
                match command {
                    Command::Changed(Changed::Action(id, _, to)) => {
                        course.push((minutes(heard.recorded.at), id.number, *to));
                    }
                    Command::Created { action, .. } => {
                        course.push((minutes(heard.recorded.at), action.number, Waiting));
                    }
                    _ => {}
                }
            }
        };
        life.live_saying(&mut hear, &mut |words| said.push(words.to_owned()), |_| Ok(())).expect("it runs");
        (course, said)
    }

    fn put(&self, day: i64, hour: i64) {
        write_file(&self.folder.join(format!("data/in/{day:02}/{hour:02}/part")), "x");
    }
}

/// The actions that came into a state, in order.
fn those(course: &Course, state: ActionStatus) -> Vec<u32> {
    course.iter().filter(|(_, _, status)| *status == state).map(|(_, number, _)| *number).collect()
}

/// How many actions waited at once, at most, at the end of a minute.
fn most_waiting(before: usize, course: &Course) -> usize {
    let (mut waiting, mut at_end) = (before, BTreeMap::new());
    let mut states: BTreeMap<u32, ActionStatus> = BTreeMap::new();
    for (at, number, status) in course {
        let was = states.insert(*number, *status);
        waiting += usize::from(*status == Waiting);
        waiting -= usize::from(was.unwrap_or(Waiting) == Waiting && *status != Waiting);
        at_end.insert(*at, waiting);
    }
    at_end.values().copied().max().unwrap_or_default()
}

/// The executor runs until half past two, and again from half past two the next day on. Until then it has made the
/// actions of 0, 1 and 2 o'clock, numbers 1 to 3.
const OFF: i64 = 150;
const ON: i64 = OFF + DAY * 60;

#[test]
fn fifo_runs_all_that_was_missed_in_order() {
    let app = App::new("catch-fifo", "<execution>FIFO</execution>", false);
    assert_eq!(those(&app.live(0, OFF), Succeeded), [1, 2, 3]);
    let (course, said) = app.live_saying(ON, ON + 120);
    let words = "0000001-C catches up at most 12 actions at a time (its throttle): the next ones, from 2024-01-01T15:00Z \
                 on, are materialized at 2024-01-02T02:35:00Z";
    assert_eq!(said, [words], "it is said once");
    // 3 o'clock of the first day is number 4, 4 o'clock of the second day number 29.
    assert_eq!(those(&course, Succeeded), (4..=29).collect::<Vec<_>>());
    assert!(those(&course, Skipped).is_empty());
    // One after the other (the concurrency is 1), a minute each.
    let began: Vec<i64> =
        course.iter().filter(|(_, _, status)| *status == Running).map(|(at, ..)| *at).collect();
    assert!(began.windows(2).all(|pair| pair[0] < pair[1]), "{began:?}");
    assert_eq!(began.first(), Some(&ON));
}

#[test]
fn lifo_runs_the_newest_of_those_that_are_ready() {
    let app = App::new("catch-lifo", "<execution>LIFO</execution><throttle>30</throttle>", false);
    assert_eq!(those(&app.live(0, OFF), Succeeded), [1, 2, 3]);
    let (course, said) = app.live_saying(ON, ON + 30);
    assert!(said.is_empty(), "the throttle is no hindrance: {said:?}");
    // All that were missed but the last are made at once: the first is taken while it is alone, then the newest comes
    // first. The last is made with the next pass, five minutes later (`getMaterializationTimeForCatchUp`).
    let expected: Vec<u32> =
        [4].into_iter().chain((22..=26).rev()).chain([27]).chain((5..=21).rev()).collect();
    assert_eq!(those(&course, Succeeded), expected);
}

#[test]
fn last_only_skips_all_but_the_last() {
    let app = App::new("catch-last", "<execution>LAST_ONLY</execution>", false);
    assert_eq!(those(&app.live(0, OFF), Succeeded), [1, 2, 3]);
    let course = app.live(ON, ON + 60);
    assert_eq!(those(&course, Skipped), (4..=26).collect::<Vec<_>>());
    // 2 o'clock of the second day, whose successor is not due, and then that one.
    assert_eq!(those(&course, Succeeded), [27, 28]);
}

#[test]
fn none_skips_whatever_is_late() {
    let app = App::new("catch-none", "<execution>NONE</execution>", false);
    assert_eq!(those(&app.live(0, OFF), Succeeded), [1, 2, 3]);
    let course = app.live(ON, ON + 60);
    assert_eq!(those(&course, Skipped), (4..=27).collect::<Vec<_>>());
    assert_eq!(those(&course, Succeeded), [28]);
}

#[test]
fn the_throttle_holds_while_it_catches_up() {
    let app = App::new("catch-throttle", "<timeout>-1</timeout><throttle>5</throttle>", true);
    (0..3).for_each(|hour| app.put(1, hour));
    let course = app.live(0, OFF);
    assert_eq!(those(&course, Succeeded), [1, 2, 3]);
    // Nothing has come: the five oldest wait, and no other is made.
    let (course, said) = app.live_saying(ON, ON + 120);
    let words = "0000001-C pauses its catch-up: 5 actions wait for input, as many as its throttle allows; those from \
                 2024-01-01T08:00Z on are materialized as these start";
    let waits = "0000001-C@4 waits for hdfs://nn/in/01/03; 4 more actions wait";
    assert_eq!(said, [words, waits], "each is said once");
    assert_eq!(those(&course, Waiting), [4, 5, 6, 7, 8]);
    assert_eq!(most_waiting(0, &course), 5);
    // One comes, and makes room for one.
    app.put(1, 3);
    let course = app.live(ON + 120, ON + 180);
    assert_eq!(those(&course, Succeeded), [4]);
    assert_eq!(those(&course, Waiting), [9]);
    assert_eq!(most_waiting(5, &course), 5);
}

#[test]
fn patience_ends_as_it_does_on_a_server() {
    let app = App::new("catch-timeout", "<timeout>120</timeout><throttle>30</throttle>", true);
    app.put(1, 0);
    let course = app.live(0, OFF);
    assert_eq!(those(&course, Succeeded), [1]);
    assert_eq!(those(&course, Waiting), [1, 2, 3]);
    // While nobody looked, the data of 1 o'clock came, those of 2 o'clock did not.
    app.put(1, 1);
    let course = app.live(ON, ON + 150);
    let timed_out: Vec<(i64, u32)> = course
        .iter()
        .filter(|(_, _, status)| *status == TimedOut)
        .map(|(at, number, _)| (*at - ON, *number))
        .collect();
    assert_eq!(those(&course, Succeeded), [2], "what has come is taken, however late");
    // 2 o'clock has waited since its time, those made now from when they were made on, for more than 120 minutes.
    let mut expected = vec![(0, 3)];
    expected.extend((4..=26).map(|number| (121, number)));
    expected.push((126, 27));
    assert_eq!(timed_out, expected);
}
