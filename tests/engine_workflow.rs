//! The workflow machine: every row of the tables of jobs and nodes, and what binds them.

use crate::support::engine::{ENDS, Stage, action, action_with, starts, submission};
use crate::support::hourly::{code, one};
use ankus::engine::status::{NodeStatus, WorkflowStatus};
use ankus::engine::workflow::{JOB_TABLE, NODE_TABLE};
use ankus::engine::{
    Command, Conf, During, EngineError, Event, Facts, Fault, JobId, NodeEnd, Outside, Parent,
    PlannedWorkflow, Recorded, Settings, Subject, Trouble, TroubleKind, WorkflowRerun,
};
use ankus::plan::coordinator::Exists;

fn two() -> String {
    format!("<start to=\"a\"/>{}{}{ENDS}", action("a", "b", "fail"), action("b", "end", "fail"))
}

fn forked() -> String {
    let fork = r#"<start to="f"/><fork name="f"><path start="a"/><path start="b"/></fork>"#;
    let rest = r#"<join name="j" to="c"/>"#;
    format!(
        "{fork}{}{}{rest}{}{ENDS}",
        action("a", "j", "fail"),
        action("b", "j", "fail"),
        action("c", "end", "fail")
    )
}

fn trouble(kind: TroubleKind, during: During) -> Trouble {
    Trouble { kind, during, fault: Fault::new("JA000", "trouble") }
}

fn not_allowed<T>(result: Result<T, EngineError>) -> bool {
    matches!(result, Err(EngineError::NotAllowed { .. }))
}

#[test]
fn a_table_has_one_row_for_a_pair() {
    for (index, row) in JOB_TABLE.iter().enumerate() {
        assert!(
            JOB_TABLE[..index].iter().all(|other| (other.from, other.on) != (row.from, row.on)),
            "{row:?}"
        );
    }
    for (index, row) in NODE_TABLE.iter().enumerate() {
        assert!(
            NODE_TABLE[..index].iter().all(|other| (other.from, other.on) != (row.from, row.on)),
            "{row:?}"
        );
    }
}

#[test]
fn prep_start_running() {
    let mut stage = Stage::new();
    let job = stage.submit(&one(), &[]);
    assert_eq!(stage.status(job), WorkflowStatus::Prep);
    let commands = stage.must(Event::Start(job));
    assert_eq!(starts(&commands).len(), 1);
    assert_eq!(stage.status(job), WorkflowStatus::Running);
    assert_eq!(code(stage.tell(Event::Start(job))), "E0801");
}

#[test]
fn prep_kill_killed() {
    let mut stage = Stage::new();
    let job = stage.submit(&one(), &[]);
    stage.must(Event::Kill(job));
    assert_eq!(stage.status(job), WorkflowStatus::Killed);
    assert!(not_allowed(stage.tell(Event::Kill(job))));
}

#[test]
fn running_suspend_suspended_resume_running() {
    let mut stage = Stage::new();
    let job = stage.run(&two(), &[]);
    stage.started(job, "a");
    stage.must(Event::Suspend(job));
    assert_eq!(stage.status(job), WorkflowStatus::Suspended);
    assert!(not_allowed(stage.tell(Event::Suspend(job))));
    // What ends meanwhile is taken in; nothing follows.
    assert!(starts(&stage.ok(job, "a")).is_empty());
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Done));
    let commands = stage.must(Event::Resume(job));
    assert_eq!(starts(&commands).len(), 1, "{commands:?}");
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Ok));
    assert!(not_allowed(stage.tell(Event::Resume(job))));
}

#[test]
fn running_end_node_succeeded() {
    let mut stage = Stage::new();
    let job = stage.run(&one(), &[]);
    stage.started(job, "a");
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Running));
    stage.ok(job, "a");
    assert_eq!(stage.status(job), WorkflowStatus::Succeeded);
    assert_eq!(stage.engine.next_wake(), None);
}

#[test]
fn running_kill_node_killed_with_its_message() {
    let mut stage = Stage::new();
    let kill = r#"<kill name="fail"><message>${wf:lastErrorNode()}: ${wf:errorCode('a')}</message></kill>"#;
    let nodes = format!("<start to=\"a\"/>{}{kill}<end name=\"end\"/>", action("a", "end", "fail"));
    let job = stage.run(&nodes, &[]);
    stage.started(job, "a");
    stage.error(job, "a", "JA018");
    assert_eq!(stage.status(job), WorkflowStatus::Killed);
    let workflow = stage.engine.workflow(job).expect("a workflow");
    let run = workflow.node(workflow.program.find("fail").expect("a node")).expect("a run");
    let fault = run.facts.as_ref().and_then(|facts| facts.fault.clone());
    assert_eq!(fault, Some(Fault::new("E0729", "a: JA018")));
}

#[test]
fn running_user_kill_killed_and_so_are_its_actions() {
    let mut stage = Stage::new();
    let job = stage.run(&forked(), &[]);
    stage.started(job, "a");
    let commands = stage.must(Event::Kill(job));
    assert_eq!(stage.status(job), WorkflowStatus::Killed);
    let kills = commands.iter().filter(|command| matches!(command, Command::KillNode { .. })).count();
    // Both were handed out, one has told so.
    assert_eq!(kills, 2);
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Killed));
    let (node, attempt) = stage.node(job, "a");
    stage.must(Event::NodeKilled { node, attempt, fault: None });
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Killed));
}

#[test]
fn killed_kill_fails_failed() {
    let mut stage = Stage::new();
    let job = stage.run(&one(), &[]);
    stage.started(job, "a");
    stage.must(Event::Kill(job));
    let (node, attempt) = stage.node(job, "a");
    stage.must(Event::NodeKilled { node, attempt, fault: Some(Fault::new("JA000", "no")) });
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Failed));
    assert!(not_allowed(stage.tell(Event::NodeKilled { node, attempt, fault: None })));
}

#[test]
fn a_process_that_ends_while_it_is_killed_answers_the_kill() {
    let mut stage = Stage::new();
    let job = stage.run(&one(), &[]);
    stage.started(job, "a");
    stage.must(Event::Kill(job));
    stage.ok(job, "a");
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Killed));
    let (node, attempt) = stage.node(job, "a");
    let end = NodeEnd::default();
    assert!(not_allowed(stage.tell(Event::NodeEnded { node, attempt, end })));
}

#[test]
fn running_failure_failed_and_the_others_are_killed() {
    let mut stage = Stage::new();
    let job = stage.run(&forked(), &[]);
    stage.started(job, "a");
    stage.started(job, "b");
    let commands = stage.trouble(job, "a", trouble(TroubleKind::Failed, During::Check));
    assert_eq!(stage.status(job), WorkflowStatus::Failed);
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Failed));
    assert_eq!(stage.node_status(job, "b"), Some(NodeStatus::Killed));
    assert!(commands.iter().any(|command| matches!(command, Command::KillNode { .. })));
}

#[test]
fn suspended_kill_killed() {
    let mut stage = Stage::new();
    let job = stage.run(&one(), &[]);
    stage.must(Event::Suspend(job));
    stage.must(Event::Kill(job));
    assert_eq!(stage.status(job), WorkflowStatus::Killed);
}

#[test]
fn a_join_waits_for_all_its_branches() {
    let mut stage = Stage::new();
    let job = stage.run(&forked(), &[]);
    stage.started(job, "a");
    stage.started(job, "b");
    assert!(starts(&stage.ok(job, "b")).is_empty());
    assert_eq!(stage.node_status(job, "j"), None);
    assert_eq!(starts(&stage.ok(job, "a")).len(), 1);
    stage.ok(job, "c");
    assert_eq!(stage.status(job), WorkflowStatus::Succeeded);
}

#[test]
fn an_end_reached_by_one_branch_kills_the_other() {
    let mut stage = Stage::new();
    let fork = r#"<start to="f"/><fork name="f"><path start="a"/><path start="b"/></fork>"#;
    let nodes = format!(
        "{fork}{}{}<join name=\"j\" to=\"end\"/>{ENDS}",
        action("a", "j", "fail"),
        action("b", "j", "fail")
    );
    let job = stage.run(&nodes, &[]);
    stage.started(job, "b");
    stage.error(job, "a", "X");
    assert_eq!(stage.status(job), WorkflowStatus::Killed);
    assert_eq!(stage.node_status(job, "b"), Some(NodeStatus::Killed));
}

#[test]
fn transient_errors_at_the_start_are_retried_three_times_and_then_wait_for_a_hand() {
    let mut stage = Stage::new();
    let job = stage.run(&one(), &[]);
    for round in 0..3 {
        stage.trouble(job, "a", trouble(TroubleKind::Transient, During::Start));
        assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::StartRetry), "{round}");
        stage.wait_seconds(9);
        assert_eq!(stage.node(job, "a").1, 0, "not before ten seconds");
        stage.wait_seconds(1);
        assert_ne!(stage.node(job, "a").1, 0, "after ten seconds");
    }
    stage.trouble(job, "a", trouble(TroubleKind::Transient, During::Start));
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::StartManual));
    assert_eq!(stage.status(job), WorkflowStatus::Suspended);
    assert_eq!(starts(&stage.must(Event::Resume(job))).len(), 1);
    stage.started(job, "a");
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Running));
    stage.ok(job, "a");
    assert_eq!(stage.status(job), WorkflowStatus::Succeeded);
}

#[test]
fn non_transient_errors_wait_for_a_hand_at_once() {
    let mut stage = Stage::new();
    let job = stage.run(&one(), &[]);
    stage.trouble(job, "a", trouble(TroubleKind::NonTransient, During::Start));
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::StartManual));
    assert_eq!(stage.status(job), WorkflowStatus::Suspended);
    // START_MANUAL → KILLED
    stage.must(Event::Kill(job));
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Killed));
}

#[test]
fn transient_errors_at_the_end_are_asked_for_again() {
    let mut stage = Stage::new();
    let job = stage.run(&one(), &[]);
    stage.started(job, "a");
    for _ in 0..3 {
        stage.trouble(job, "a", trouble(TroubleKind::Transient, During::End));
        assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::EndRetry));
        stage.wait_seconds(10);
        assert!(matches!(stage.said.last(), Some(Command::EndNode { .. })));
    }
    stage.trouble(job, "a", trouble(TroubleKind::Transient, During::End));
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::EndManual));
    assert_eq!(stage.status(job), WorkflowStatus::Suspended);
    assert!(stage.must(Event::Resume(job)).iter().any(|c| matches!(c, Command::EndNode { .. })));
    stage.ok(job, "a");
    assert_eq!(stage.status(job), WorkflowStatus::Succeeded);
}

#[test]
fn a_check_that_fails_for_the_moment_in_a_suspended_job_starts_nothing_again() {
    let mut stage = Stage::new();
    let job = stage.run(&one(), &[]);
    stage.started(job, "a");
    stage.must(Event::Suspend(job));
    stage.trouble(job, "a", trouble(TroubleKind::Transient, During::Check));
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Running));
    assert!(starts(&stage.must(Event::Resume(job))).is_empty(), "it still runs");
    stage.ok(job, "a");
    assert_eq!(stage.status(job), WorkflowStatus::Succeeded);
}

#[test]
fn what_was_started_by_hand_is_killed_too() {
    let mut stage = Stage::new();
    let job = stage.run(&one(), &[]);
    stage.trouble(job, "a", trouble(TroubleKind::NonTransient, During::Start));
    stage.must(Event::Resume(job));
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::StartManual));
    let commands = stage.must(Event::Kill(job));
    assert!(commands.iter().any(|command| matches!(command, Command::KillNode { .. })));
}

#[test]
fn an_error_at_the_start_takes_the_error_transition() {
    let mut stage = Stage::new();
    let job = stage.run(&one(), &[]);
    stage.trouble(job, "a", trouble(TroubleKind::Error, During::Start));
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Error));
    assert_eq!(stage.status(job), WorkflowStatus::Killed);
}

fn retrying(attributes: &str) -> String {
    format!("<start to=\"a\"/>{}{ENDS}", action_with("a", attributes, "end", "fail"))
}

#[test]
fn user_retries_are_periodic() {
    let mut stage = Stage::new();
    let job = stage.run(&retrying(r#"retry-max="2" retry-interval="5""#), &[]);
    for _ in 0..2 {
        stage.started(job, "a");
        stage.error(job, "a", "JA008");
        assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::UserRetry));
        stage.wait_seconds(299);
        assert_eq!(stage.node(job, "a").1, 0);
        stage.wait_seconds(1);
        assert_ne!(stage.node(job, "a").1, 0);
    }
    stage.started(job, "a");
    stage.error(job, "a", "JA008");
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Error));
}

#[test]
fn user_retries_are_exponential_and_no_more_than_the_servers() {
    let mut stage = Stage::new();
    let attributes = r#"retry-max="9" retry-interval="1" retry-policy="exponential""#;
    let job = stage.run(&retrying(attributes), &[]);
    for wait in [1, 2, 4] {
        stage.error(job, "a", "JA008");
        let before = stage.now;
        assert_eq!(stage.engine.next_wake(), Some(before.plus_minutes(wait)));
        stage.wait_minutes(wait);
    }
    stage.error(job, "a", "JA008");
    assert_eq!(stage.status(job), WorkflowStatus::Killed);
}

#[test]
fn user_retries_are_for_some_codes_only() {
    let mut stage = Stage::new();
    let job = stage.run(&retrying(r#"retry-max="2""#), &[]);
    stage.error(job, "a", "JA001");
    assert_eq!(stage.status(job), WorkflowStatus::Killed);
    let mut stage = Stage::with(Settings { user_retry_codes: vec!["ALL".to_owned()], ..Settings::default() });
    let job = stage.run(&retrying(r#"retry-max="2""#), &[]);
    stage.error(job, "a", "JA001");
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::UserRetry));
    assert_eq!(stage.engine.next_wake(), Some(stage.now.plus_minutes(10)));
    stage.must(Event::Kill(job));
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Killed));
}

#[test]
fn a_failed_action_is_run_again_too() {
    let mut stage = Stage::new();
    let job = stage.run(&retrying(r#"retry-max="1" retry-interval="1""#), &[]);
    let failed =
        || Trouble { kind: TroubleKind::Failed, during: During::Start, fault: Fault::new("FS008", "no") };
    stage.trouble(job, "a", failed());
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::UserRetry));
    stage.wait_minutes(1);
    stage.trouble(job, "a", failed());
    assert_eq!(stage.status(job), WorkflowStatus::Failed);
}

fn decision() -> String {
    let cases = r#"<case to="a">${count gt 3}</case><case to="b">${wf:conf('go') eq 'yes'}</case>"#;
    format!(
        "<start to=\"d\"/><decision name=\"d\"><switch>{cases}<default to=\"end\"/></switch></decision>{}{}{ENDS}",
        action("a", "end", "fail"),
        action("b", "end", "fail")
    )
}

#[test]
fn a_decision_takes_the_first_case_that_holds() {
    for (count, go, node) in [("4", "yes", Some("a")), ("1", "yes", Some("b")), ("1", "no", None)] {
        let mut stage = Stage::new();
        let job = stage.run(&decision(), &[("count", count), ("go", go)]);
        for name in ["a", "b"] {
            assert_eq!(stage.node_status(job, name).is_some(), node == Some(name), "{count} {go}");
        }
        assert_eq!(stage.status(job) == WorkflowStatus::Succeeded, node.is_none());
    }
}

#[test]
fn an_expression_that_fails_fails_the_job_at_once() {
    let mut stage = Stage::new();
    // `count` is missing.
    let job = stage.run(&decision(), &[]);
    assert_eq!(stage.node_status(job, "d"), Some(NodeStatus::Failed));
    assert_eq!(stage.status(job), WorkflowStatus::Failed);
}

/// Behind a fork all branches start, whatever becomes of one of them; once the job has failed, nobody looks at them.
#[test]
fn a_branch_that_fails_at_its_start_lets_the_others_be() {
    let mut stage = Stage::new();
    let job = stage.run(&forked(), &[]);
    stage.trouble(job, "a", trouble(TroubleKind::Failed, During::Start));
    assert_eq!(stage.status(job), WorkflowStatus::Failed);
    assert_eq!(stage.node_status(job, "b"), Some(NodeStatus::Prep));
    stage.started(job, "b");
    stage.ok(job, "b");
    assert_eq!(stage.node_status(job, "b"), Some(NodeStatus::Running));
    // What runs on can be killed.
    stage.must(Event::Kill(job));
    assert_eq!(stage.node_status(job, "b"), Some(NodeStatus::Killed));
    assert_eq!(stage.status(job), WorkflowStatus::Failed);
}

#[derive(Debug)]
struct Files(&'static [&'static str]);

impl Exists for Files {
    fn exists(&self, uri: &str) -> bool {
        self.0.contains(&uri)
    }
}

impl Outside for Files {
    fn files(&self, path: &str) -> Vec<(String, Option<i64>)> {
        let below = self.0.iter().filter(|file| file.starts_with(path));
        below.map(|file| ((*file).to_owned(), Some(3))).collect()
    }
}

#[test]
fn functions_over_files_ask_the_world_and_the_answer_is_an_event() {
    let switch = r#"<case to="a">${fs:exists('hdfs://nn/x')}</case><default to="end"/>"#;
    let nodes = format!(
        "<start to=\"d\"/><decision name=\"d\"><switch>{switch}</switch></decision>{}{ENDS}",
        action("a", "end", "fail")
    );
    for (disk, there) in [(Files(&["hdfs://nn/x"]), true), (Files(&[]), false)] {
        let mut stage = Stage::new();
        let job = stage.run(&nodes, &[]);
        let subject = Subject::Node(stage.node(job, "d").0);
        assert!(stage.said.contains(&Command::Look(subject)));
        let event = stage.engine.look(stage.now, subject, &disk).expect("an answer");
        stage.must(event.clone());
        assert_eq!(stage.node_status(job, "a").is_some(), there);
        assert!(stage.tell(event).is_err(), "answered already");
    }
}

#[test]
fn a_job_suspends_before_nodes_that_it_names() {
    let mut stage = Stage::new();
    let job = stage.run(&two(), &[("oozie.suspend.on.nodes", " x , b ")]);
    assert!(starts(&stage.ok(job, "a")).is_empty());
    assert_eq!(stage.status(job), WorkflowStatus::Suspended);
    assert_eq!(starts(&stage.must(Event::Resume(job))).len(), 1);
    stage.ok(job, "b");
    assert_eq!(stage.status(job), WorkflowStatus::Succeeded);
}

#[test]
fn a_star_suspends_before_every_node() {
    let mut stage = Stage::new();
    let job = stage.run(&one(), &[("oozie.suspend.on.nodes", "*")]);
    // The start node, the action, the end.
    for _ in 0..2 {
        assert_eq!(stage.status(job), WorkflowStatus::Suspended);
        stage.must(Event::Resume(job));
    }
    stage.ok(job, "a");
    assert_eq!(stage.status(job), WorkflowStatus::Suspended);
    stage.must(Event::Resume(job));
    assert_eq!(stage.status(job), WorkflowStatus::Succeeded);
}

#[test]
fn a_fork_goes_on_whole_after_a_suspension_within_it() {
    let mut stage = Stage::new();
    let job = stage.run(&forked(), &[("oozie.suspend.on.nodes", "a")]);
    assert_eq!(stage.status(job), WorkflowStatus::Suspended);
    // Each start waits for the one before.
    assert_eq!(starts(&stage.must(Event::Resume(job))).len(), 1);
    assert_eq!(starts(&stage.started(job, "a")).len(), 1);
    stage.ok(job, "a");
    stage.ok(job, "b");
    stage.ok(job, "c");
    assert_eq!(stage.status(job), WorkflowStatus::Succeeded);
}

#[test]
fn captured_output_is_seen_by_later_nodes_and_has_a_limit() {
    let reader = r#"<action name="b"><shell xmlns="uri:oozie:shell-action:0.3"><exec>${wf:actionData('a')['x']}</exec></shell><ok to="end"/><error to="fail"/></action>"#;
    let nodes = format!("<start to=\"a\"/>{}{reader}{ENDS}", action("a", "b", "fail"));
    let mut stage = Stage::new();
    let job = stage.run(&nodes, &[]);
    let with = |data: String| NodeEnd { ok: true, data: Some(data.into()), ..NodeEnd::default() };
    let commands = stage.ended(job, "a", with("x=found".to_owned()));
    let definition = commands.iter().find_map(|command| match command {
        Command::StartNode { definition, .. } => Some(definition.clone()),
        _ => None,
    });
    assert!(definition.expect("a start").contains("<exec>found</exec>"));
    let mut stage = Stage::new();
    let job = stage.run(&nodes, &[]);
    stage.ended(job, "a", with("x".repeat(2_049)));
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Error));
    let mut stage = Stage::new();
    let job = stage.run(&nodes, &[]);
    stage.ended(job, "a", with("x".repeat(2_048)));
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Ok));
}

#[test]
fn notifications_tell_jobs_and_nodes() {
    let mut stage = Stage::new();
    let conf = [
        ("oozie.wf.workflow.notification.url", "http://h/$jobId/$status/$parentId"),
        ("oozie.wf.action.notification.url", "http://h/$jobId/$nodeName/$status"),
        ("oozie.wf.workflow.notification.proxy", "socks@proxy:1080"),
    ];
    let job = stage.run(&one(), &conf);
    stage.started(job, "a");
    stage.ok(job, "a");
    // The proxy of the job is that of its nodes too.
    let urls = stage.said.iter().filter_map(|command| match command {
        Command::Notify { url, proxy: Some(proxy) } if proxy == "socks@proxy:1080" => Some(url.as_str()),
        _ => None,
    });
    let expected = [
        "http://h/0000001-W/RUNNING/",
        "http://h/0000001-W/:start:/T:a",
        "http://h/0000001-W/a/S:RUNNING",
        "http://h/0000001-W/a/T:end",
        "http://h/0000001-W/end/T:null",
        "http://h/0000001-W/SUCCEEDED/",
    ];
    assert_eq!(urls.collect::<Vec<_>>(), expected);
}

fn parent(propagate: &str) -> String {
    let sub = format!(
        r#"<action name="s"><sub-workflow><app-path>hdfs://nn/${{child}}</app-path>{propagate}<configuration>
        <property><name>own</name><value>${{given}}</value></property></configuration></sub-workflow>
        <ok to="end"/><error to="fail"/></action>"#
    );
    format!("<start to=\"s\"/>{sub}{ENDS}")
}

/// Answers the request for a sub-workflow; the request.
fn run_child(stage: &mut Stage, key: &str) -> (Parent, String, Conf) {
    let request = stage.said.iter().rev().find_map(|command| match command {
        Command::PlanWorkflow { parent, app_path, conf, .. } => {
            Some((*parent, app_path.to_string(), Conf::clone(conf), conf.clone()))
        }
        _ => None,
    });
    let (parent, path, conf, shared) = request.expect("a request");
    let planned = PlannedWorkflow { program: key.into(), name: "child".into(), conf: Some(shared) };
    stage.must(Event::WorkflowPlanned { parent, outcome: Ok(planned) });
    (parent, path, conf)
}

#[test]
fn a_sub_workflow_gets_what_is_handed_down() {
    for (propagate, handed) in [("<propagate-configuration/>", Some("x")), ("", None)] {
        let mut stage = Stage::new();
        stage.add("child", &one());
        let given = [("child", "c1"), ("given", "x"), ("user.name", "joe"), ("group.name", "g")];
        let job = stage.run(&parent(propagate), &given);
        let (_, path, conf) = run_child(&mut stage, "child");
        assert_eq!(path, "hdfs://nn/c1");
        assert_eq!(conf.raw("own"), Some("x"));
        assert_eq!(conf.raw("given"), handed);
        assert_eq!(conf.raw("user.name"), Some("joe"));
        assert_eq!(conf.raw("group.name"), Some("g"));
        assert_eq!(conf.raw("oozie.wf.parent.job.id"), Some("0000001-W"));
        assert_eq!(conf.raw("oozie.wf.application.path"), Some("hdfs://nn/c1"));
        let child = JobId::workflow(2);
        assert_eq!(stage.node_status(job, "s"), Some(NodeStatus::Running));
        stage.ok(child, "a");
        assert_eq!(stage.status(child), WorkflowStatus::Succeeded);
        assert_eq!(stage.status(job), WorkflowStatus::Succeeded);
    }
}

#[test]
fn a_sub_workflow_that_fails_is_an_error_of_its_action() {
    let mut stage = Stage::new();
    stage.add("child", &one());
    let job = stage.run(&parent(""), &[("child", "c1"), ("given", "x")]);
    run_child(&mut stage, "child");
    stage.error(JobId::workflow(2), "a", "X");
    assert_eq!(stage.status(JobId::workflow(2)), WorkflowStatus::Killed);
    assert_eq!(stage.node_status(job, "s"), Some(NodeStatus::Error));
    assert_eq!(stage.status(job), WorkflowStatus::Killed);
}

#[test]
fn a_sub_workflow_is_killed_with_its_parent_and_suspends_it() {
    let mut stage = Stage::new();
    stage.add("child", &one());
    let job = stage.run(&parent(""), &[("child", "c1"), ("given", "x")]);
    run_child(&mut stage, "child");
    let child = JobId::workflow(2);
    stage.must(Event::Suspend(child));
    assert_eq!(stage.status(job), WorkflowStatus::Suspended);
    stage.must(Event::Kill(job));
    assert_eq!(stage.status(child), WorkflowStatus::Killed);
}

#[test]
fn a_sub_workflow_that_is_refused_is_an_error() {
    let mut stage = Stage::new();
    let job = stage.run(&parent(""), &[("child", "c1"), ("given", "x")]);
    let (node, _) = stage.node(job, "s");
    let outcome = Err(Fault::new("E0710", "not there"));
    stage.must(Event::WorkflowPlanned { parent: Parent::Node(node), outcome });
    assert_eq!(stage.status(job), WorkflowStatus::Killed);
}

#[test]
fn sub_workflows_nest_fifty_deep() {
    let mut stage = Stage::new();
    stage.add("self", &parent("<propagate-configuration/>"));
    stage.must(submission("self", &[("child", "self"), ("given", "x")], true));
    for depth in 1..=50 {
        run_child(&mut stage, "self");
        assert_eq!(stage.engine.workflow(JobId::workflow(depth + 1)).expect("a child").depth, depth);
    }
    // The fifty-first is an error, and errors go all the way up.
    assert!(stage.engine.workflows().all(|job| job.status == WorkflowStatus::Killed));
    let run =
        stage.engine.workflow(JobId::workflow(51)).and_then(|job| job.nodes.iter().find(|n| n.node == 1));
    let fault = run.and_then(|run| run.facts.as_ref()).and_then(|facts| facts.fault.clone());
    assert_eq!(fault.map(|fault| fault.code.to_string()).as_deref(), Some("SUBWF001"));
}

#[test]
fn a_rerun_skips_nodes_and_keeps_what_they_gave() {
    let reader = r#"<action name="b"><shell xmlns="uri:oozie:shell-action:0.3"><exec>${wf:actionData('a')['x']}${wf:run()}${more}</exec></shell><ok to="end"/><error to="fail"/></action>"#;
    let nodes = format!("<start to=\"a\"/>{}{reader}{ENDS}", action("a", "b", "fail"));
    let mut stage = Stage::new();
    let job = stage.run(&nodes, &[("more", "1")]);
    stage.ended(job, "a", NodeEnd { ok: true, data: Some("x=found".into()), ..NodeEnd::default() });
    stage.error(job, "b", "X");
    let conf = Some(Conf::new([("more", "2")]));
    let rerun = WorkflowRerun { skip: Some(vec!["a".into()]), conf, ..WorkflowRerun::default() };
    let commands = stage.must(Event::RerunWorkflow(job, rerun));
    let definition = commands.iter().find_map(|command| match command {
        Command::StartNode { definition, .. } => Some(definition.clone()),
        _ => None,
    });
    assert!(definition.expect("a start").contains("<exec>found12</exec>"));
    assert_eq!(starts(&commands).len(), 1);
    stage.ok(job, "b");
    assert_eq!(stage.status(job), WorkflowStatus::Succeeded);
    assert_eq!(stage.engine.workflow(job).expect("a job").run, 1);
}

#[test]
fn a_rerun_of_failed_nodes_skips_what_went_well_in_forks() {
    let mut stage = Stage::new();
    let job = stage.run(&forked(), &[]);
    stage.ok(job, "a");
    stage.error(job, "b", "X");
    assert_eq!(stage.status(job), WorkflowStatus::Killed);
    let rerun = WorkflowRerun { failed: true, ..WorkflowRerun::default() };
    let commands = stage.must(Event::RerunWorkflow(job, rerun));
    assert_eq!(starts(&commands).len(), 1);
    stage.ok(job, "b");
    stage.ok(job, "c");
    assert_eq!(stage.status(job), WorkflowStatus::Succeeded);
}

#[test]
fn a_rerun_of_failed_nodes_goes_on_with_the_sub_workflow() {
    let mut stage = Stage::new();
    stage.add("child", &two());
    let job = stage.run(&parent(""), &[("child", "c1"), ("given", "x")]);
    run_child(&mut stage, "child");
    let child = JobId::workflow(2);
    stage.ok(child, "a");
    stage.error(child, "b", "X");
    let rerun = WorkflowRerun { failed: true, ..WorkflowRerun::default() };
    stage.must(Event::RerunWorkflow(job, rerun));
    run_child(&mut stage, "child");
    assert_eq!(stage.status(child), WorkflowStatus::Running);
    assert_eq!(stage.engine.workflow(child).expect("a child").run, 1);
    stage.ok(child, "b");
    assert_eq!(stage.status(job), WorkflowStatus::Succeeded);
    assert_eq!(stage.engine.workflows().count(), 2);
}

#[test]
fn a_rerun_with_a_patched_app_finds_nodes_by_their_names() {
    let mut stage = Stage::new();
    let job = stage.run(&two(), &[]);
    stage.ok(job, "a");
    stage.error(job, "b", "X");
    // The node `a` stands elsewhere, `b` leads on to a new one.
    let patched = format!(
        "<start to=\"a\"/>{}{}{}{ENDS}",
        action("n", "end", "fail"),
        action("b", "n", "fail"),
        action("a", "b", "fail")
    );
    stage.add("patched", &patched);
    let program = Some("patched".into());
    let rerun = WorkflowRerun { failed: true, program, ..WorkflowRerun::default() };
    let commands = stage.must(Event::RerunWorkflow(job, rerun));
    assert_eq!(starts(&commands), [stage.node(job, "b").0.node]);
    assert_eq!(stage.node_status(job, "a"), Some(NodeStatus::Ok));
    stage.ok(job, "b");
    stage.ok(job, "n");
    assert_eq!(stage.status(job), WorkflowStatus::Succeeded);
    let unknown = WorkflowRerun { failed: true, program: Some("none".into()), ..WorkflowRerun::default() };
    assert!(matches!(stage.tell(Event::RerunWorkflow(job, unknown)), Err(EngineError::UnknownProgram(_))));
    assert_eq!(stage.engine.workflow(job).expect("a job").run, 1);
}

#[test]
fn a_rerun_that_is_suspended_at_once_loses_no_skipped_fork() {
    let nodes = format!(
        r#"<start to="f"/><fork name="f"><path start="a"/><path start="g"/></fork>
<fork name="g"><path start="b"/><path start="c"/></fork>{}{}{}<join name="k" to="j"/><join name="j" to="end"/>{ENDS}"#,
        action("a", "j", "fail"),
        action("b", "k", "fail"),
        action("c", "k", "fail")
    );
    let mut stage = Stage::new();
    let job = stage.run(&nodes, &[]);
    stage.error(job, "a", "X");
    // The fork `g` is skipped, and the job is suspended before `a`, which comes first.
    let conf = Some(Conf::new([("oozie.suspend.on.nodes", "a")]));
    stage.must(Event::RerunWorkflow(job, WorkflowRerun { failed: true, conf, ..WorkflowRerun::default() }));
    assert_eq!(stage.status(job), WorkflowStatus::Suspended);
    assert_eq!(starts(&stage.must(Event::Resume(job))).len(), 3);
    for name in ["a", "b", "c"] {
        stage.ok(job, name);
    }
    assert_eq!(stage.status(job), WorkflowStatus::Succeeded);
}

#[test]
fn reruns_are_refused_as_a_server_refuses_them() {
    let skip = |names: &[&str]| WorkflowRerun {
        skip: Some(names.iter().map(|name| (*name).into()).collect()),
        ..WorkflowRerun::default()
    };
    let mut stage = Stage::new();
    let job = stage.run(&two(), &[]);
    assert_eq!(code(stage.tell(Event::RerunWorkflow(job, skip(&["a"])))), "E0805");
    stage.ok(job, "a");
    stage.must(Event::Kill(job));
    assert_eq!(code(stage.tell(Event::RerunWorkflow(job, skip(&["b"])))), "E0806");
    assert_eq!(code(stage.tell(Event::RerunWorkflow(job, skip(&["x"])))), "E0807");
    assert_eq!(code(stage.tell(Event::RerunWorkflow(job, WorkflowRerun::default()))), "E0401");
    let both = WorkflowRerun { failed: true, ..skip(&["a"]) };
    assert_eq!(code(stage.tell(Event::RerunWorkflow(job, both))), "E0404");
    stage.must(Event::RerunWorkflow(job, skip(&["a"])));
    assert_eq!(stage.status(job), WorkflowStatus::Running);
}

#[test]
fn a_second_submission_with_an_external_id_finds_the_first() {
    let mut stage = Stage::new();
    stage.add("app", &one());
    let Event::Submit(mut submit) = submission("app", &[], true) else { unreachable!() };
    submit.external_id = Some("mine".into());
    let first = stage.must(Event::Submit(submit.clone()));
    let second = stage.must(Event::Submit(submit));
    assert!(first.contains(&Command::Submitted { job: JobId::workflow(1), existed: false }));
    assert_eq!(second, [Command::Submitted { job: JobId::workflow(1), existed: true }]);
}

#[test]
fn late_news_of_an_older_attempt_are_recognized() {
    let mut stage = Stage::new();
    let job = stage.run(&retrying(r#"retry-max="2" retry-interval="1""#), &[]);
    let (node, attempt) = stage.node(job, "a");
    stage.error(job, "a", "JA008");
    stage.wait_minutes(1);
    let end = NodeEnd { ok: true, ..NodeEnd::default() };
    let told = stage.tell(Event::NodeEnded { node, attempt, end });
    assert!(matches!(told, Err(EngineError::Stale { .. })));
    assert_eq!(stage.status(job), WorkflowStatus::Running);
}

#[test]
fn events_are_written_and_read_as_json() {
    let mut stage = Stage::new();
    let job = stage.run(&decision(), &[("count", "4"), ("go", "")]);
    stage.ended(job, "a", NodeEnd { ok: true, data: Some("a=1".into()), ..NodeEnd::default() });
    let node = stage.node(job, "a").0;
    let facts =
        Facts { found: 1, uris: vec!["u".into()], files: vec![("f".into(), None)], ..Facts::default() };
    let looked = Event::Looked { subject: Subject::Node(node), facts };
    let more = Recorded { version: 1, at: stage.now, event: looked };
    for recorded in stage.log.iter().chain([&more]) {
        let text = serde_json::to_string(recorded).expect("JSON");
        let read: Recorded = serde_json::from_str(&text).expect(&text);
        assert_eq!(&read, recorded, "{text}");
    }
    assert_eq!(format!("{:?}", stage.again()), format!("{:?}", stage.engine));
    let newer = Recorded { version: 2, ..more };
    let read = ankus::engine::Engine::replay(stage.apps.clone(), Settings::default(), [&newer]);
    assert_eq!(read.err(), Some(EngineError::Version(2)));
}
