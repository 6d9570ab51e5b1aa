//! Whole-process figures: `check` and `plan` as users run them, with time and peak memory.
//!
//! Run with `cargo bench --bench process`. Each line gives the figure, the target and their ratio (above 1 is better
//! than the target). The corpus is found through `ANKUS_REFERENCE`; without it its lines are left out.

#[path = "support/figures.rs"]
#[allow(dead_code, reason = "each bench uses its own part")]
mod figures;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use figures::{ankus, corpus_folder, target, verdict};

fn main() -> ExitCode {
    let folder = std::env::temp_dir().join(format!("ankus-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the inputs");
    small_workflow(&folder);
    long_chain(&folder);
    plan_years(&folder);
    corpus();
    fs::remove_dir_all(&folder).expect("the inputs can be removed");
    verdict::exit_code()
}

fn small_workflow(folder: &Path) {
    let file = folder.join("small.xml");
    fs::write(&file, chain(3)).expect("an input file");
    let best = (0..20).map(|_| ankus(&["check", text(&file)]).wall).min().expect("twenty runs");
    target("check of one small workflow", best.as_secs_f64() * 1e3, "ms", 20.0);
}

fn long_chain(folder: &Path) {
    let file = folder.join("chain.xml");
    fs::write(&file, chain(100_000)).expect("an input file");
    let run = ankus(&["check", text(&file)]);
    target("check of a chain of 100,000 nodes", run.wall.as_secs_f64(), "s", 3.0);
}

fn plan_years(folder: &Path) {
    for (years, end) in [(1, "2025-01-01"), (10, "2034-01-01")] {
        let file = folder.join(format!("coordinator-{years}.xml"));
        fs::write(&file, five_minute_coordinator(end)).expect("an input file");
        let run = ankus(&["plan", text(&file), "--format", "jsonl"]);
        let seconds = run.wall.as_secs_f64();
        let rate = run.bytes as f64 / 1e6 / seconds;
        println!(
            "plan of {years} year(s) every 5 minutes: {:.0} MB at {rate:.0} MB/s",
            run.bytes as f64 / 1e6
        );
        if years == 1 {
            target("  whole process", seconds, "s", 1.5);
        }
        target("  peak memory", run.peak_mib, "MiB", 64.0);
    }
}

fn corpus() {
    let Some(corpus) = corpus_folder() else { return };
    let best = (0..5).map(|_| ankus(&["check", text(&corpus)]).wall).min().expect("five runs");
    target("check of the whole corpus", best.as_secs_f64(), "s", 0.7);
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

fn chain(nodes: usize) -> String {
    let mut xml =
        String::from("<workflow-app name=\"chain\" xmlns=\"uri:oozie:workflow:0.5\">\n<start to=\"n0\"/>\n");
    for node in 0..nodes {
        let next = if node + 1 == nodes { "end".to_owned() } else { format!("n{}", node + 1) };
        let fs = "<fs><mkdir path=\"hdfs://nn/x\"/></fs>";
        let _ =
            writeln!(xml, "<action name=\"n{node}\">{fs}<ok to=\"{next}\"/><error to=\"fail\"/></action>");
    }
    xml + "<kill name=\"fail\"><message>failed</message></kill>\n<end name=\"end\"/>\n</workflow-app>\n"
}

fn five_minute_coordinator(end: &str) -> String {
    format!(
        r#"<coordinator-app name="dense" frequency="${{coord:minutes(5)}}" start="2024-01-01T00:00Z" end="{end}T00:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.4">
  <datasets>
    <dataset name="in" frequency="${{coord:hours(1)}}" initial-instance="2020-01-01T00:00Z" timezone="UTC">
      <uri-template>hdfs://nn:8020/data/in/${{YEAR}}/${{MONTH}}/${{DAY}}/${{HOUR}}</uri-template>
    </dataset>
    <dataset name="out" frequency="${{coord:minutes(5)}}" initial-instance="2020-01-01T00:00Z" timezone="UTC">
      <uri-template>hdfs://nn:8020/data/out/${{YEAR}}/${{MONTH}}/${{DAY}}/${{HOUR}}/${{MINUTE}}</uri-template>
    </dataset>
  </datasets>
  <input-events>
    <data-in name="i" dataset="in">
      <start-instance>${{coord:current(-23)}}</start-instance>
      <end-instance>${{coord:current(0)}}</end-instance>
    </data-in>
  </input-events>
  <output-events>
    <data-out name="o" dataset="out"><instance>${{coord:current(0)}}</instance></data-out>
  </output-events>
  <action>
    <workflow>
      <app-path>hdfs://nn:8020/apps/wf</app-path>
      <configuration>
        <property><name>in</name><value>${{coord:dataIn('i')}}</value></property>
        <property><name>out</name><value>${{coord:dataOut('o')}}</value></property>
      </configuration>
    </workflow>
  </action>
</coordinator-app>
"#
    )
}
