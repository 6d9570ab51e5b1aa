//! How long `ankus simulate` takes: events as lines beside the summary of the same app, and an estate of hourly coordinators
//! for a year. `ANKUS_THOROUGH=1` plays a thousand of them: 8.8 million actions.

#[path = "support/figures.rs"]
#[allow(dead_code, reason = "each bench uses its own part")]
mod figures;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use figures::{ankus, verdict};

/// So many hourly coordinators of 2024, each with an input of its own, that run a workflow of five actions.
fn estate(folder: &Path, coordinators: usize) -> PathBuf {
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    let mut bundle = String::from("<bundle-app name=\"estate\" xmlns=\"uri:oozie:bundle:0.2\">");
    for number in 0..coordinators {
        bundle += &format!(
            "<coordinator name=\"c{number}\"><app-path>hdfs://nn/c{number}/coordinator.xml</app-path></coordinator>"
        );
        write(
            &format!("c{number}/coordinator.xml"),
            &format!(
                r#"<coordinator-app name="c{number}" frequency="${{coord:hours(1)}}" start="2024-01-01T00:00Z"
 end="2025-01-01T00:00Z" timezone="UTC" xmlns="uri:oozie:coordinator:0.4"><datasets>
<dataset name="logs" frequency="${{coord:hours(1)}}" initial-instance="2023-01-01T00:00Z" timezone="UTC">
<uri-template>hdfs://nn/data/logs{number}/${{YEAR}}/${{MONTH}}/${{DAY}}/${{HOUR}}</uri-template></dataset></datasets>
<input-events><data-in name="input" dataset="logs"><instance>${{coord:current(0)}}</instance></data-in></input-events>
<action><workflow><app-path>hdfs://nn/wf/workflow.xml</app-path><configuration><property><name>wfInput</name>
<value>${{coord:dataIn('input')}}</value></property></configuration></workflow></action></coordinator-app>"#
            ),
        );
    }
    write("estate/bundle.xml", &(bundle + "</bundle-app>"));
    let action = |number: usize| {
        let ok = if number == 5 { "end".to_owned() } else { format!("n{}", number + 1) };
        format!(
            r#"<action name="n{number}"><shell xmlns="uri:oozie:shell-action:0.3"><exec>run.sh</exec>
<argument>${{wfInput}}</argument></shell><ok to="{ok}"/><error to="fail"/></action>"#
        )
    };
    let actions: String = (1..=5).map(action).collect();
    let text = format!(
        r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5"><start to="n1"/>{actions}<kill name="fail"><message>no</message></kill><end name="end"/></workflow-app>"#
    );
    write("wf/workflow.xml", &text);
    write("ankus.toml", "[paths]\n\"hdfs://nn\" = \".\"\n");
    folder.join("estate")
}

fn main() -> ExitCode {
    let folder = std::env::temp_dir().join(format!("ankus-bench-simulate-{}", std::process::id()));
    let until = ["-q", "--until", "2025-01-02T00:00Z"];
    let app = estate(&folder.join("ten"), 10);
    let app = app.to_str().expect("a path");
    let run = |more: &[&str]| ankus(&[&["simulate", app], &until[..], more].concat());
    let best = |more: &[&str]| {
        let runs: Vec<_> = (0..3).map(|_| run(more)).collect();
        runs.into_iter().min_by_key(|run| run.wall).expect("three runs")
    };
    // One thread for both.
    let (text, lines) = (best(&["-o", "/dev/null", "--jobs", "1"]), best(&["--format", "jsonl"]));
    let ratio = lines.wall.as_secs_f64() / text.wall.as_secs_f64();
    println!("ten coordinators: summary {:.2} s, {:.0} MiB", text.wall.as_secs_f64(), text.peak_mib);
    let verdict = verdict::hold(ratio <= 2.0);
    println!(
        "as lines: {:.2} s, {ratio:.2} times the summary (wanted: 2){verdict}",
        lines.wall.as_secs_f64()
    );
    let number = if std::env::var_os("ANKUS_THOROUGH").is_some() { 1000 } else { 100 };
    let large = estate(&folder.join("large"), number);
    let large = large.to_str().expect("a path");
    for jobs in ["1", "2"] {
        let out = folder.join("summary.txt");
        let shown = out.to_str().expect("a path");
        let run = ankus(&[&["simulate", large], &until[..], &["--jobs", jobs, "-o", shown]].concat());
        // Figures of something else would say nothing: all data come in time.
        let text = fs::read_to_string(&out).unwrap_or_default();
        assert!(text.contains(" SUCCEEDED") && !text.contains("TIMEDOUT"), "another simulation was measured");
        let (seconds, memory) = (run.wall.as_secs_f64(), run.peak_mib);
        let verdict = verdict::hold(seconds <= 120.0 && memory <= 1024.0);
        println!(
            "{number} coordinators on {jobs} threads: {seconds:.1} s, {memory:.0} MiB \
             (wanted of 1000 on 2: 120 s, 1024 MiB){verdict}"
        );
    }
    let _ = fs::remove_dir_all(&folder);
    verdict::exit_code()
}
