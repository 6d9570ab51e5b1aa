//! Whole-process figures: `check` and `plan` as users run them, with time and peak memory.
//!
//! Run with `cargo bench --bench process`. Each line gives the figure, the target and their ratio (above 1 is better
//! than the target). The corpus is found through `ANKUS_REFERENCE`; without it its lines are left out.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What one run took.
struct Run {
    wall: Duration,
    peak_mib: f64,
    bytes: u64,
}

fn main() {
    let folder = std::env::temp_dir().join(format!("ankus-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the inputs");
    small_workflow(&folder);
    long_chain(&folder);
    plan_years(&folder);
    corpus();
    many_files(&folder);
    fs::remove_dir_all(&folder).expect("the inputs can be removed");
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
    target("check of the whole corpus", best.as_secs_f64(), "s", 1.0);
}

fn many_files(folder: &Path) {
    let Some(corpus) = corpus_folder() else { return };
    let mut originals = Vec::new();
    let mut folders = vec![corpus];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "xml") {
                originals.push(fs::read(&path).expect("a corpus file"));
            }
        }
    }
    let copies = folder.join("copies");
    for number in 0..10_000 {
        let app = copies.join(format!("{:03}/{:02}", number / 100, number % 100));
        fs::create_dir_all(&app).expect("a folder for a copy");
        fs::write(app.join("app.xml"), &originals[number % originals.len()]).expect("a copy");
    }
    let run = ankus(&["check", text(&copies)]);
    println!("check of 10,000 files: {:.1} s", run.wall.as_secs_f64());
    target("  peak memory", run.peak_mib, "MiB", 512.0);
}

fn corpus_folder() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let reference = std::env::var_os("ANKUS_REFERENCE").map_or(default, PathBuf::from);
    let corpus = reference.join("corpus");
    if !corpus.is_dir() {
        println!("not measured: the corpus is not at {}", corpus.display());
        return None;
    }
    Some(corpus)
}

fn target(what: &str, figure: f64, unit: &str, limit: f64) {
    println!("{what}: {figure:.2} {unit} (target {limit} {unit}, ratio {:.2})", limit / figure);
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// Runs the program with its output thrown away and counted.
fn ankus(arguments: &[&str]) -> Run {
    let started = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_ankus"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut output = child.stdout.take().expect("a pipe");
    let reader =
        std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()).expect("its output"));
    let mut peak_mib = 0.0_f64;
    while child.try_wait().expect("a child").is_none() {
        peak_mib = peak_mib.max(peak_memory_mib(&child));
        std::thread::sleep(Duration::from_millis(1));
    }
    let bytes = reader.join().expect("the reader ends");
    Run { wall: started.elapsed(), peak_mib, bytes }
}

/// The high-water mark so far, from Linux' `/proc`; 0 elsewhere.
fn peak_memory_mib(child: &Child) -> f64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1024.0
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
