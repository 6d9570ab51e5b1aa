//! An old job that is run again while others are at work: it alone is taken from the journal, the others stay as they are.

use ankus::engine::{Event, JobId, Submit, WorkflowRerun};
use ankus::execute::clock::JumpingClock;
use ankus::execute::executor::Stop;
use ankus::report::run_lines::Heard;

use crate::run::{project, shell, workflow};
use crate::support::engine::minute;
use crate::support::executor::{jobs, lock, options, place, with_app};

#[test]
fn an_old_job_runs_again_beside_one_that_is_at_work() {
    let nodes =
        format!(r#"<start to="a"/>{}{}"#, shell("a", "a.sh", &[], "b"), shell("b", "a.sh", &[], "end"));
    let text = workflow("w", &nodes);
    let folder = project("run-again", &[("app/workflow.xml", &text), ("app/a.sh", "")]);
    let app = folder.join("app");
    let place = place(&app, &folder.join(".ankus"));
    let clock = JumpingClock::at(minute(0), false);
    let mut told: Vec<String> = Vec::new();
    let mut hear = |heard: Heard<'_>| {
        if let Event::NodeStarted { node, attempt, .. } = &heard.recorded.event {
            told.push(format!("{node} {attempt}"));
        }
    };
    let submit = |executor: &mut ankus::execute::executor::Executor<'_>| {
        let job = with_app(&app, |_, loaded, submitted| {
            let program = executor.deployed().submission(loaded, &submitted).ok()?;
            executor.submit(Submit::new(program, None, true)).ok()
        });
        job.expect("an app that is accepted").0
    };
    {
        let store = lock(&place).expect("a store");
        let mut executor = place.executor(store, options(&["all"]), &clock, None).expect("an executor");
        assert_eq!(submit(&mut executor), JobId::workflow(1));
        assert_eq!(executor.run(None).expect("it runs"), Stop::Done);
    }
    {
        let store = lock(&place).expect("a store");
        let options = options(&["all"]);
        let mut executor = place.executor(store, options, &clock, Some(&mut hear)).expect("an executor");
        let second = submit(&mut executor);
        // The first action of the second job has begun.
        assert_eq!(executor.run(Some(minute(3))).expect("it runs"), Stop::Until);
        assert!(executor.engine().workflow(JobId::workflow(1)).is_none(), "the old job is not at hand");
        let rerun = WorkflowRerun { skip: Some(Vec::new()), failed: false, conf: None, program: None };
        let rerun = Event::RerunWorkflow(JobId::workflow(1), rerun);
        executor.operate(rerun).expect("it can be written").expect("it is taken");
        assert!(executor.engine().workflow(JobId::workflow(1)).is_some());
        assert_eq!(executor.live().iter().copied().collect::<Vec<_>>(), [1, second.number]);
        assert_eq!(executor.run(None).expect("it runs"), Stop::Done);
    }
    told.sort();
    // Once each: the numbers of attempts go on where the old job stood.
    assert_eq!(told, ["0000001-W@1 3", "0000001-W@2 4", "0000002-W@1 1", "0000002-W@2 2"]);
    let ended = jobs(&place);
    assert!(ended.iter().all(|(_, _, status)| status == "SUCCEEDED"), "{ended:?}");
    // What was joined is what the journal says.
    let store = lock(&place).expect("a store");
    let mut executor = place.executor(store, options(&["all"]), &clock, None).expect("an executor");
    assert_eq!(executor.run(None).expect("it runs"), Stop::Done);
}
