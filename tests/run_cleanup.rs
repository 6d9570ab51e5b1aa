//! Outputs that are removed before their actions run again, where storage is away for a while or for long.

use std::path::PathBuf;

use ankus::engine::{ActionsRerun, Event, JobId, Scope};
use ankus::execute::clock::{Clock, JumpingClock};
use ankus::execute::executor::{Stop, cleaning};
use ankus::execute::open::Place;
use ankus::report::run_lines::Heard;

use crate::run::{ankus, workflow};
use crate::support::engine::minute;
use crate::support::executor::{Life, options, place};
use crate::support::folder_of;
use crate::support::namenode::{Instead, NameNode};

/// Two actions, of which the second reads what the first has written.
const COORDINATOR: &str = r#"<coordinator-app name="c" frequency="60" start="1970-01-01T00:00Z" end="1970-01-01T02:00Z"
    timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><datasets><dataset name="d" frequency="60"
    initial-instance="1970-01-01T00:00Z" timezone="UTC"><uri-template>hdfs://nn/out/${HOUR}</uri-template>
    <done-flag/></dataset></datasets><output-events><data-out name="o" dataset="d">
    <instance>${coord:current(0)}</instance></data-out></output-events>
    <action><workflow><app-path>hdfs://apps/app</app-path></workflow></action></coordinator-app>"#;

/// A project over a server, whose coordinator has come to its end once; both outputs are there again.
struct Project {
    folder: PathBuf,
    place: Place,
    clock: JumpingClock,
    server: NameNode,
}

impl Project {
    fn new(name: &str) -> Project {
        let server = NameNode::with(&[("other", "")]);
        let config = format!(
            "[paths]\n\"hdfs://apps\" = \".\"\n[storage]\n\"hdfs://nn\" = {{ webhdfs = \"{}\" }}\n",
            server.address()
        );
        let text = workflow("w", r#"<start to="end"/>"#);
        let files = [
            ("ankus.toml", config.as_str()),
            ("c/coordinator.xml", COORDINATOR),
            ("app/workflow.xml", &text),
        ];
        let folder = folder_of(&format!("cleanup-{name}"), &files);
        let place = place(&folder.join("c"), &folder.join(".ankus"));
        let project = Project { folder, place, clock: JumpingClock::at(minute(200), false), server };
        assert_eq!(project.live(None).0, Stop::Done);
        for hour in ["00", "01"] {
            project.server.state().put(&format!("out/{hour}/part"), b"old".to_vec());
        }
        project.server.state().asked.clear();
        project
    }

    /// One life of an executor, after an operator's command: how it stopped, what it said, and the server's requests at the
    /// moment when the first workflow was planned.
    fn live(&self, first: Option<Event>) -> (Stop, Vec<String>, Option<Vec<String>>) {
        let (mut said, mut asked) = (Vec::new(), None);
        let mut hear = |told: Heard<'_>| {
            if matches!(told.recorded.event, Event::WorkflowPlanned { .. }) && asked.is_none() {
                asked = Some(self.server.state().asked.clone());
            }
        };
        let app = self.folder.join("c");
        let life = Life {
            app: &app,
            place: &self.place,
            clock: &self.clock,
            options: options(&[]),
            until: None,
            watch: None,
        };
        let mut remark = |words: &str| said.push(words.to_owned());
        let stop = life.live_saying(&mut hear, &mut remark, |executor| {
            if let Some(event) = first {
                executor.operate(event)?.expect("it is taken");
            }
            Ok(())
        });
        (stop.expect("it lives"), said, asked)
    }

    fn rerun(&self) -> Event {
        Event::RerunActions(JobId::coordinator(1), ActionsRerun::of(Scope::Numbers("1-2".into())))
    }

    fn chores(&self) -> usize {
        self.place.read().expect("a store").chores().expect("chores").len()
    }

    fn statuses(&self) -> (usize, usize) {
        let (_, info, _) = ankus(&self.folder, &["job", "1-C", "info"]);
        (info.matches("SUCCEEDED").count(), info.matches("still to be removed before").count())
    }

    fn info(&self) -> String {
        ankus(&self.folder, &["job", "1-C", "info"]).1
    }
}

const AWAY: Instead = Instead::Exception(403, "StandbyException", "not me");

#[test]
fn storage_that_comes_back_is_cleaned_before_anything_runs_again() {
    let project = Project::new("back");
    // For both at the command, for one when the executor begins.
    project.server.state().instead.extend([AWAY, AWAY, AWAY]);
    let before = project.clock.now();
    let (stop, said, asked) = project.live(Some(project.rerun()));
    assert_eq!((stop, project.server.paths()), (Stop::Done, vec!["other".to_owned(), "out".to_owned()]));
    assert_eq!(project.clock.now().millis_since(before), cleaning::FIRST_PAUSE_MILLIS, "{said:#?}");
    assert!(
        said.iter().all(|words| words.contains("could not be removed, and that is tried again in")),
        "{said:#?}"
    );
    let asked = asked.expect("they ran again");
    let removed = asked.iter().filter(|line| line.contains("op=DELETE")).count();
    assert_eq!(removed, 2, "both are gone before either runs: {asked:#?}");
    assert_eq!((project.chores(), project.statuses()), (0, (3, 0)));
}

#[test]
fn storage_that_stays_away_is_left_to_the_next_executor() {
    let project = Project::new("away");
    let away = |project: &Project| project.server.state().instead.extend(vec![AWAY; 100]);
    away(&project);
    let before = project.clock.now();
    let (stop, said, asked) = project.live(Some(project.rerun()));
    assert_eq!((stop, asked), (Stop::Stuck, None), "{said:#?}");
    let pauses = cleaning::FIRST_PAUSE_MILLIS * ((1 << (cleaning::TRIES - 1)) - 1);
    assert_eq!(project.clock.now().millis_since(before), pauses, "there is a limit");
    let last = said.last().expect("something is said");
    let left = "still to be removed before what wrote it runs again: hdfs://nn/out/00, hdfs://nn/out/01";
    assert_eq!(last, left);
    assert_eq!((project.chores(), project.statuses().1), (2, 2), "{}", project.info());
    let (_, json, _) = ankus(&project.folder, &["job", "1-C", "info", "--format", "json"]);
    assert!(
        json.contains("\"toRemove\": [\n    \"hdfs://nn/out/00\",\n    \"hdfs://nn/out/01\"\n  ]"),
        "{json}"
    );
    project.server.state().instead.clear();
    assert_eq!(project.live(None).0, Stop::Done);
    assert_eq!(project.server.paths(), ["other", "out"]);
    assert_eq!((project.chores(), project.statuses()), (0, (3, 0)));
}

#[test]
fn an_action_that_was_killed_meanwhile_keeps_its_outputs() {
    let project = Project::new("killed");
    project.server.state().instead.extend(vec![AWAY; 100]);
    assert_eq!(project.live(Some(project.rerun())).0, Stop::Stuck);
    project.server.state().instead.clear();
    let (stop, said, asked) = project.live(Some(Event::Kill(JobId::coordinator(1))));
    assert_eq!((stop, said, asked), (Stop::Done, Vec::new(), None));
    assert!(project.server.text("out/00/part").is_some() && project.server.text("out/01/part").is_some());
    assert_eq!(project.chores(), 0);
}

#[test]
fn what_can_never_be_removed_is_told_and_stays() {
    let project = Project::new("never");
    let denied = Instead::Exception(403, "AccessControlException", "not yours");
    project.server.next(denied);
    let (stop, said, asked) = project.live(Some(project.rerun()));
    assert_eq!(stop, Stop::Done);
    assert!(said.len() == 1 && said[0].starts_with("output [hdfs://nn/out/00] stays: "), "{said:#?}");
    assert!(asked.is_some() && project.server.text("out/00/part").is_some());
    assert!(project.server.text("out/01/part").is_none());
    assert_eq!((project.chores(), project.statuses()), (0, (3, 0)));
}
