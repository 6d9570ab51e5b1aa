//! An executor that dies at every write of its journal, before it and behind it, and one that follows and loses nothing.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ankus::engine::{ActionsRerun, Event, JobId, Scope};
use ankus::execute::clock::JumpingClock;
use ankus::execute::executor::Stop;
use ankus::execute::open::Place;
use ankus::execute::store::{Moment, Watch};
use ankus::time::Instant;

use crate::run::{shell, workflow};
use crate::run_torture::MARK;
use crate::support::executor::{Life, jobs, options, place};
use crate::support::{folder_of, write_file};

/// Somebody who ends the executor at one write, and lets nothing through after that.
fn fault(nth: usize, moment: Moment) -> (Watch, Rc<Cell<bool>>) {
    let (seen, died) = (Cell::new(0), Rc::new(Cell::new(false)));
    let told = died.clone();
    let watch: Watch = Rc::new(move |at| {
        if at == moment {
            seen.set(seen.get() + 1);
        }
        if told.get() || (at == moment && seen.get() == nth) {
            told.set(true);
            return Err("it dies here".to_owned());
        }
        Ok(())
    });
    (watch, died)
}

const CONFIG: &str = "[paths]\n\"hdfs://nn/apps\" = \".\"\n[storage]\n\"hdfs://nn/data\" = \"data\"\n";

/// A workflow with a fork of two actions, files, a decision and a workflow below.
fn work() -> String {
    let fs = r#"<action name="make"><fs><mkdir path="hdfs://nn/data/${who}"/>
        <touchz path="hdfs://nn/data/${who}/_DONE"/></fs><ok to="look"/><error to="fail"/></action>
        <decision name="look"><switch><case to="below">${fs:exists(concat('hdfs://nn/data/', who))}</case>
        <default to="fail"/></switch></decision>
        <action name="below"><sub-workflow><app-path>hdfs://nn/apps/below</app-path><propagate-configuration/>
        </sub-workflow><ok to="end"/><error to="fail"/></action>"#;
    let nodes = format!(
        r#"<start to="fork"/><fork name="fork"><path start="a"/><path start="b"/></fork>{}{}
        <join name="join" to="make"/>{fs}"#,
        shell("a", "mark.sh", &["${who}", "a"], "join"),
        shell("b", "mark.sh", &["${who}", "b"], "join"),
    );
    workflow("work", &nodes)
}

fn below() -> String {
    workflow("below", &format!(r#"<start to="c"/>{}"#, shell("c", "mark.sh", &["${who}", "c"], "end")))
}

const DEFAULTS: &str =
    "<configuration><property><name>who</name><value>me</value></property></configuration>";

const COORDINATOR: &str = r#"<coordinator-app name="two" frequency="60" start="2024-01-01T00:00Z"
    end="2024-01-01T02:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
    <datasets><dataset name="in" frequency="60" initial-instance="2024-01-01T00:00Z" timezone="UTC">
    <uri-template>hdfs://nn/data/in/${HOUR}</uri-template><done-flag></done-flag></dataset></datasets>
    <input-events><data-in name="in" dataset="in"><instance>${coord:current(0)}</instance></data-in></input-events>
    <action><workflow><app-path>hdfs://nn/apps/work</app-path><configuration><property><name>who</name>
    <value>${coord:formatTime(coord:nominalTime(), 'HH')}</value></property></configuration></workflow></action>
    </coordinator-app>"#;

const BUNDLE: &str = r#"<bundle-app name="all" xmlns="uri:oozie:bundle:0.2">
    <coordinator name="one"><app-path>hdfs://nn/apps/two</app-path></coordinator></bundle-app>"#;

/// When it all begins.
pub fn begin() -> Instant {
    Instant::from_millis(1_704_067_200_000) // 2024-01-01T00:00Z
}

/// A project with a bundle, a coordinator and workflows.
pub fn fresh(name: &str) -> PathBuf {
    let (work, below) = (work(), below());
    let files = [
        ("ankus.toml", CONFIG),
        ("all/bundle.xml", BUNDLE),
        ("two/coordinator.xml", COORDINATOR),
        ("work/workflow.xml", &work),
        ("work/config-default.xml", DEFAULTS),
        ("work/mark.sh", MARK),
        ("below/workflow.xml", &below),
        ("below/mark.sh", MARK),
        ("data/in/00/x", "x"),
        ("data/in/01/x", "x"),
    ];
    folder_of(name, &files)
}

/// What actions did and what became of the jobs; jobs by name, for which comes first depends on the processes.
pub fn outcome(folder: &Path, place: &Place) -> (Vec<String>, Vec<(String, String)>) {
    let marks = std::fs::read_to_string(folder.join("marks")).expect("marks");
    let mut marks: Vec<String> = marks.lines().map(str::to_owned).collect();
    marks.sort();
    let mut jobs: Vec<_> = jobs(place).into_iter().map(|(_, name, status)| (name, status)).collect();
    jobs.sort();
    for done in crate::support::names_in(&folder.join("data")) {
        marks.push(done);
    }
    (marks, jobs)
}

/// Dies once at each write of a run in turn, and compares each with a run in peace; how often it died.
fn every_write(name: &str, app: &str) -> usize {
    let run = |watch: Option<Watch>, folder: &Path, place: &Place| {
        let clock = JumpingClock::at(begin(), true);
        let app = folder.join(app);
        let (options, until) = (options(&[]), None);
        Life { app: &app, place, clock: &clock, options, until, watch }.live(&mut |_| {})
    };
    let folder = fresh(name);
    let calm_place = place(&folder.join(app), &folder.join(".ankus"));
    assert_eq!(run(None, &folder, &calm_place).expect("it runs"), Stop::Done);
    let calm = outcome(&folder, &calm_place);
    assert!(calm.1.iter().all(|(_, status)| status == "SUCCEEDED"), "{calm:?}");
    let mut deaths = 0;
    for moment in [Moment::Before, Moment::After] {
        for nth in 1.. {
            let folder = fresh(name);
            let place = place(&folder.join(app), &folder.join(".ankus"));
            let (watch, died) = fault(nth, moment);
            let ended = run(Some(watch), &folder, &place);
            assert_eq!(ended.is_err(), died.get(), "{moment:?} write {nth}: {ended:?}");
            if died.get() {
                deaths += 1;
                assert_eq!(run(None, &folder, &place).expect("it goes on"), Stop::Done);
            }
            assert_eq!(outcome(&folder, &place), calm, "{moment:?} write {nth} of {app}");
            if !died.get() {
                break;
            }
        }
    }
    deaths
}

#[test]
fn a_workflow_survives_the_end_of_its_executor_at_every_write() {
    let deaths = every_write("faults-workflow", "work");
    println!("{deaths} deaths");
    assert!(deaths >= 15, "{deaths}");
}

#[test]
fn a_coordinator_survives_the_end_of_its_executor_at_every_write() {
    let deaths = every_write("faults-coordinator", "two");
    println!("{deaths} deaths");
    assert!(deaths > 30, "{deaths}");
}

#[test]
fn a_bundle_comes_to_its_end_though_each_executor_writes_once() {
    let name = "faults-bundle";
    let run = |folder: &Path, place: &Place, watch: Option<Watch>| {
        let clock = JumpingClock::at(begin(), true);
        let app = folder.join("all");
        let (options, until) = (options(&[]), None);
        Life { app: &app, place, clock: &clock, options, until, watch }.live(&mut |_| {})
    };
    let folder = fresh(name);
    let calm_place = place(&folder.join("all"), &folder.join(".ankus"));
    assert_eq!(run(&folder, &calm_place, None).expect("it runs"), Stop::Done);
    let calm = outcome(&folder, &calm_place);
    for moment in [Moment::Before, Moment::After] {
        let folder = fresh(name);
        let place = place(&folder.join("all"), &folder.join(".ankus"));
        let mut lives = 0;
        loop {
            lives += 1;
            assert!(lives < 500, "it never ends");
            // The first write after the start goes through, the second does not; or the first does, and nobody hears.
            let (watch, died) = fault(if moment == Moment::Before { 2 } else { 1 }, moment);
            let ended = run(&folder, &place, Some(watch));
            if !died.get() {
                assert_eq!(ended.expect("it runs"), Stop::Done);
                break;
            }
        }
        println!("{lives} lives");
        assert!(lives > 8, "{lives}");
        assert_eq!(outcome(&folder, &place), calm, "{moment:?}");
    }
}

#[test]
fn a_clean_up_that_a_kill_has_put_off_is_done_at_the_next_start() {
    let coordinator = COORDINATOR.replace(
        "<action>",
        r#"<output-events><data-out name="out" dataset="in"><instance>${coord:current(7)}</instance></data-out>
        </output-events><action>"#,
    );
    let folder = fresh("faults-chore");
    write_file(&folder.join("two/coordinator.xml"), &coordinator);
    let app = folder.join("two");
    let place = place(&app, &folder.join(".ankus"));
    let clock = JumpingClock::at(begin(), true);
    let life =
        |watch| Life { app: &app, place: &place, clock: &clock, options: options(&[]), until: None, watch };
    assert_eq!(life(None).live(&mut |_| {}).expect("it runs"), Stop::Done);
    let output = folder.join("data/in/07/part");
    write_file(&output, "old");
    let rerun = ActionsRerun::of(Scope::Numbers("1".into()));
    let rerun = Event::RerunActions(JobId::coordinator(1), rerun);
    let (watch, died) = fault(1, Moment::After);
    let ended = life(Some(watch)).live_and(&mut |_| {}, |executor| {
        executor.operate(rerun)?.expect("it is taken");
        Ok(())
    });
    assert!(ended.is_err() && died.get());
    assert!(output.is_file(), "the executor died before it was removed");
    assert_eq!(place.read().expect("a store").chores().expect("chores").len(), 1);
    assert_eq!(life(None).live(&mut |_| {}).expect("it goes on"), Stop::Done);
    assert!(!output.exists() && !output.parent().expect("a folder").exists());
    assert_eq!(place.read().expect("a store").chores().expect("chores"), []);
    let marks = std::fs::read_to_string(folder.join("marks")).expect("marks");
    assert_eq!(marks.lines().filter(|line| line.starts_with("00 ")).count(), 6, "{marks}");
}
