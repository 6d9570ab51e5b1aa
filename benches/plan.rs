//! How fast a coordinator of many actions is planned: one year, every five minutes, a range of 24 hourly inputs and one
//! output each. Prints actions a second, and the ratio to plain formatting of the same URIs in the same run.

#[path = "support/verdict.rs"]
mod verdict;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant as Clock;

use ankus::analysis::parameters::{Given, JobConf, Layer};
use ankus::model::{self, App};
use ankus::plan::coordinator::{CoordinatorJob, IncludeError, PlanOptions, Settings, prepare, submit};
use ankus::report::plan_json;
use ankus::source::Sources;
use ankus::xml;

/// What the same work costs Oozie, in actions a second.
const OOZIE: f64 = 5_400.0;

/// How many times as fast as that is wanted.
const WANTED: f64 = 50.0;

fn job(frequency: &str, years: u32) -> CoordinatorJob {
    let end = 2024 + years;
    let text = format!(
        r#"<coordinator-app name="year" frequency="{frequency}" start="2024-01-01T00:00Z" end="{end}-01-01T00:00Z"
            timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
  <datasets>
    <dataset name="logs" frequency="${{coord:hours(1)}}" initial-instance="2023-01-01T00:00Z" timezone="UTC">
      <uri-template>${{nn}}/data/logs/${{YEAR}}/${{MONTH}}/${{DAY}}/${{HOUR}}</uri-template>
    </dataset>
    <dataset name="stats" frequency="${{coord:minutes(5)}}" initial-instance="2023-01-01T00:00Z" timezone="UTC">
      <uri-template>${{nn}}/data/stats/${{YEAR}}/${{MONTH}}/${{DAY}}/${{HOUR}}/${{MINUTE}}</uri-template>
    </dataset>
  </datasets>
  <input-events>
    <data-in name="input" dataset="logs">
      <start-instance>${{coord:current(-23)}}</start-instance>
      <end-instance>${{coord:current(0)}}</end-instance>
    </data-in>
  </input-events>
  <output-events>
    <data-out name="output" dataset="stats"><instance>${{coord:current(0)}}</instance></data-out>
  </output-events>
  <action>
    <workflow>
      <app-path>${{nn}}/apps/wf</app-path>
      <configuration>
        <property><name>wfInput</name><value>${{coord:dataIn('input')}}</value></property>
        <property><name>wfOutput</name><value>${{coord:dataOut('output')}}</value></property>
      </configuration>
    </workflow>
  </action>
</coordinator-app>"#
    );
    let mut sources = Sources::new();
    let file = sources.add("coordinator.xml", text.as_str());
    let (root, _) = xml::read(file, &text, &xml::Limits::default());
    let root = root.expect("well-formed");
    let (Some(App::Coordinator(app)), _) = model::lower(&root) else { panic!("a coordinator") };
    let mut conf = JobConf::new();
    let given = [Given::new("nn", "hdfs://namenode.example.com:8020"), Given::new("user.name", "joe")];
    conf.set_all(&Layer::File, given);
    prepare(&mut conf, &[], app.name_span);
    let mut nothing = |path: &str| Err(IncludeError::Missing(path.to_owned()));
    let submitted = submit(&app, &conf, None, &Settings::default(), &mut nothing);
    submitted.job.unwrap_or_else(|| panic!("{:?}", submitted.findings))
}

/// Seconds of the fastest of some runs: of the processor where that is known, so that neighbours do not count.
fn best<T>(runs: usize, mut work: impl FnMut() -> T) -> f64 {
    let times = (0..runs).map(|_| {
        let (start, before) = (Clock::now(), processor_seconds());
        black_box(work());
        let wall = start.elapsed().as_secs_f64();
        before.zip(processor_seconds()).map_or(wall, |(before, after)| after - before)
    });
    times.fold(f64::INFINITY, f64::min)
}

/// The seconds that this thread has run.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<f64>().ok().map(|nanos| nanos / 1e9)
}

/// All actions as values; the number of bytes of all URIs, so that none is left out.
fn plan(job: &CoordinatorJob) -> (usize, usize) {
    let (mut actions, mut bytes) = (0, 0);
    for action in job.actions(PlanOptions::default()) {
        let action = action.expect("no error");
        actions += 1;
        let events = action.inputs.iter().chain(&action.outputs);
        bytes += events.flat_map(|event| event.uris.iter()).map(|uri| uri.len()).sum::<usize>();
    }
    (actions, bytes)
}

/// All actions as lines of JSON, into a buffer that is emptied.
fn lines(job: &CoordinatorJob) -> usize {
    let (mut out, mut bytes) = (String::new(), 0);
    for action in job.actions(PlanOptions::default()) {
        plan_json::line(job, &action.expect("no error"), &mut out);
        if out.len() > 1 << 16 {
            bytes += black_box(&out).len();
            out.clear();
        }
    }
    bytes + out.len()
}

/// The same URIs by plain formatting, without any planning: 24 inputs and one output for each action.
fn format_only(actions: usize) -> usize {
    let mut bytes = 0;
    for action in 0..actions as i64 {
        let minutes = 54 * 525_600 + action * 5;
        for hour in 0..24 {
            let at = minutes / 60 - hour;
            let (day, hour) = (at / 24, at % 24);
            let (year, month, day) = (1970 + day / 365, day / 31 % 12 + 1, day % 28 + 1);
            let uri =
                format!("hdfs://namenode.example.com:8020/data/logs/{year:04}/{month:02}/{day:02}/{hour:02}");
            bytes += black_box(uri).len();
        }
        let (year, minute) = (2024, minutes % 60);
        let uri = format!("hdfs://namenode.example.com:8020/data/stats/{year:04}/01/01/00/{minute:02}");
        bytes += black_box(uri).len();
    }
    bytes
}

fn main() -> ExitCode {
    let year = job("${coord:minutes(5)}", 1);
    let (actions, bytes) = plan(&year);
    let seconds = best(5, || plan(&year));
    let plain = best(3, || format_only(actions));
    let rate = actions as f64 / seconds;
    println!("one year every 5 minutes: {actions} actions, {:.1} MB of URIs", bytes as f64 / 1e6);
    let verdict = verdict::hold(rate >= WANTED * OOZIE);
    println!("  planned: {rate:.0} actions/s, {:.0} times Oozie's {OOZIE:.0}{verdict}", rate / OOZIE);
    println!("  plain formatting of the URIs takes {:.2} times as long as planning", plain / seconds);
    let size = lines(&year);
    let seconds = best(3, || lines(&year));
    println!(
        "  as JSONL: {:.3} s, {:.0} MB, {:.0} MB/s",
        seconds,
        size as f64 / 1e6,
        size as f64 / 1e6 / seconds
    );
    let hourly = job("${coord:hours(1)}", 10);
    let (actions, _) = plan(&hourly);
    let seconds = best(3, || plan(&hourly));
    println!("ten years every hour: {actions} actions, {:.0} actions/s", actions as f64 / seconds);
    verdict::exit_code()
}
