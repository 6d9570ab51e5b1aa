//! A clock that is set while an executor runs: a retry comes after as long as it was to, a nominal time when the clock
//! shows it, and somebody says so.

use std::cell::Cell;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use ankus::execute::clock::Clock;
use ankus::execute::news::News;
use ankus::time::Instant;

use crate::run::{ankus, project, shell, workflow};
use crate::support::engine::minute;
use crate::support::executor::{Life, jobs, options, place};

/// A clock that jumps to what is waited for, and is set once when it has gone for so long.
struct Set {
    now: Cell<Instant>,
    gone: Cell<Duration>,
    /// After how long, and by how many milliseconds.
    set: Cell<Option<(Duration, i64)>>,
}

impl Set {
    fn new(set: Option<(Duration, i64)>) -> Set {
        Set { now: Cell::new(minute(0)), gone: Cell::default(), set: Cell::new(set) }
    }

    fn pass(&self, span: Duration) {
        let millis = i64::try_from(span.as_millis()).expect("not so long");
        self.now.set(self.now.get().plus_millis(millis));
        self.gone.set(self.gone.get() + span);
    }
}

impl Clock for Set {
    fn now(&self) -> Instant {
        self.now.get()
    }

    fn steady(&self) -> Duration {
        self.gone.get()
    }

    fn goes_on(&self) -> bool {
        true
    }

    fn wait(&self, until: Option<Instant>, news: &Receiver<News>) -> Option<News> {
        let heard = news.try_recv().ok();
        if let (None, Some(until)) = (&heard, until) {
            let left = Duration::from_millis(until.millis_since(self.now.get()).max(0).unsigned_abs());
            match self.set.get().filter(|(after, _)| self.gone.get() + left > *after) {
                Some((after, by)) => {
                    self.pass(after.saturating_sub(self.gone.get()));
                    self.now.set(self.now.get().plus_millis(by));
                    self.set.set(None);
                }
                None => self.pass(left),
            }
        }
        heard
    }
}

/// Lives through an app whose action fails twice, a minute apart: how long that took, what was said, how it ended.
fn lived(name: &str, set: Option<(Duration, i64)>) -> (Duration, Vec<String>, String) {
    let action = shell("a", "x.sh", &[], "end");
    let action = action.replace(r#"name="a""#, r#"name="a" retry-max="2" retry-interval="1""#);
    let text = workflow("w", &format!(r#"<start to="a"/>{action}"#));
    let folder = project(name, &[("app/workflow.xml", &text), ("app/x.sh", "#!/bin/sh\n")]);
    let place = place(&folder.join("app"), &folder.join(".ankus"));
    let clock = Set::new(set);
    let mut said = Vec::new();
    let life = Life {
        app: &folder.join("app"),
        place: &place,
        clock: &clock,
        options: options(&["a=ERROR"]),
        until: None,
        watch: None,
    };
    life.live_saying(&mut |_| {}, &mut |words| said.push(words.to_owned()), |_| Ok(())).expect("it runs");
    let ended = jobs(&place).remove(0).2;
    // What is read again comes to the same end.
    let store = place.read().expect("a store");
    store.verify().expect("it is sound");
    drop(store);
    assert_eq!(jobs(&place).remove(0).2, ended);
    (clock.gone.get(), said, ended)
}

#[test]
fn a_retry_comes_after_as_long_as_it_was_to_whoever_sets_the_clock() {
    let (calm, said, end) = lived("clock-calm", None);
    assert!(said.is_empty(), "{said:?}");
    // An hour back, an hour forward, in the middle of the first wait and of a stub.
    for (name, after, by, words) in [
        ("clock-back", 90_000, -3_600_000, "the clock was set back by 3600 s"),
        ("clock-forward", 90_000, 3_600_000, "the clock went forward by 3600 s at once"),
        ("clock-stub", 30_000, -3_600_000, "the clock was set back by 3600 s"),
        ("clock-drift", 90_000, 1_000, ""),
    ] {
        let (gone, said, other) = lived(name, Some((Duration::from_millis(after), by)));
        assert_eq!(other, end, "{name}");
        let off = gone.abs_diff(calm);
        assert!(off <= Duration::from_secs(2), "{name}: {gone:?}, and {calm:?} without");
        match words {
            "" => assert!(said.is_empty(), "{name}: {said:?}"),
            words => assert!(said.len() == 1 && said[0].contains(words), "{name}: {said:?}"),
        }
    }
}

/// Set back while no executor runs: the next one sees it, and the retry comes after as long as it was to.
#[test]
fn a_clock_that_was_set_back_between_two_executors_is_noticed() {
    let action = shell("a", "x.sh", &[], "end");
    let action = action.replace(r#"name="a""#, r#"name="a" retry-max="1" retry-interval="1""#);
    let text = workflow("w", &format!(r#"<start to="a"/>{action}"#));
    let folder = project("clock-between", &[("app/workflow.xml", &text), ("app/x.sh", "#!/bin/sh\n")]);
    let place = place(&folder.join("app"), &folder.join(".ankus"));
    let app = folder.join("app");
    let live = |clock: &Set, until| {
        let mut said = Vec::new();
        let options = options(&["a=ERROR"]);
        let life = Life { app: &app, place: &place, clock, options, until, watch: None };
        life.live_saying(&mut |_| {}, &mut |words| said.push(words.to_owned()), |_| Ok(())).expect("it runs");
        said
    };
    // The stub takes a minute, and half a minute of the pause behind it passes.
    let first = Set::new(None);
    assert!(live(&first, Some(minute(0).plus_millis(90_000))).is_empty());
    let second = Set::new(None);
    second.now.set(minute(-60));
    let said = live(&second, None);
    assert!(said.len() == 1 && said[0].contains("it was set back"), "{said:?}");
    // At most the whole pause, and the stub again.
    assert!(second.gone.get() <= Duration::from_secs(150), "{:?}", second.gone.get());
    assert_eq!(jobs(&place).remove(0).2, "KILLED");
}

#[test]
fn nothing_is_begun_after_the_time_until_which_to_run() {
    let script = "#!/bin/sh\ntouch \"$1\"\n";
    let folder = project("clock-until", &[("app/x.sh", script)]);
    let mark = folder.join("mark");
    let action = shell("a", "x.sh", &[&mark.to_string_lossy()], "end");
    let text = workflow("w", &format!(r#"<start to="a"/>{action}"#));
    std::fs::write(folder.join("app/workflow.xml"), text).expect("it can be written");
    let (code, out, err) = ankus(&folder, &["run", "app", "--until", "2020-01-01T00:00Z"]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(!out.contains("a  PREP -> RUNNING") && !mark.exists(), "{out}{err}");
    let (code, out, err) = ankus(&folder, &["run"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(mark.exists());
}

/// No decision is taken, no sub-workflow made, no action of a coordinator, nothing sent, and what waits to be started stays.
#[test]
fn with_a_time_that_is_over_nothing_is_begun_at_all() {
    let sub = r#"<start to="s"/><action name="s"><sub-workflow><app-path>hdfs://nn/apps/sub</app-path></sub-workflow><ok to="end"/>
        <error to="fail"/></action>"#;
    let chosen = r#"<start to="d"/><decision name="d"><switch><case to="end">${wf:id() ne ''}</case><default to="fail"/></switch>
        </decision>"#;
    let daily = r#"<coordinator-app name="c" frequency="${coord:days(1)}" start="2024-01-01T00:00Z" end="2024-01-04T00:00Z"
        timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><action><workflow><app-path>hdfs://nn/apps/chosen</app-path></workflow>
        </action></coordinator-app>"#;
    let (sub, chosen) = (workflow("w", sub), workflow("sub", chosen));
    let files = [
        ("above/workflow.xml", &*sub),
        ("sub/workflow.xml", &chosen),
        ("chosen/workflow.xml", &chosen),
        ("daily/coordinator.xml", daily),
    ];
    let folder = project("clock-over", &files);
    let past = ["--until", "2020-01-01T00:00Z"];
    assert_eq!(ankus(&folder, &["submit", "chosen"]).0, 0);
    for app in ["above", "chosen", "daily"] {
        let (code, out, err) = ankus(&folder, &[&["run", app], &past[..]].concat());
        assert!(code == 1 && err.contains("stopped at the time that was asked for"), "{app}: {out}{err}");
    }
    let (code, out, err) = ankus(&folder, &[&["run"], &past[..]].concat());
    assert_eq!(code, 1, "{out}{err}");
    let (_, listed, _) = ankus(&folder, &["jobs"]);
    assert_eq!(listed.lines().filter(|line| line.starts_with("0000")).count(), 3, "{listed}");
    assert!(!listed.contains("SUCCEEDED"), "{listed}");
    assert!(ankus(&folder, &["job", "1-W", "info"]).1.contains("PREP"));
    let (code, out, err) = ankus(&folder, &["run", "chosen"]);
    assert_eq!(code, 0, "{out}{err}");
    let (_, listed, _) = ankus(&folder, &["jobs"]);
    assert_eq!(listed.matches("SUCCEEDED").count(), 7, "{listed}");
}
