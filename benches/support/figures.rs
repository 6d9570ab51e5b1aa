//! What the benches share: the program as a process, clocks that other work does not disturb, and figures beside targets.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[path = "../../tests/support/own_time.rs"]
pub mod own_time;
#[path = "verdict.rs"]
pub mod verdict;

/// That of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What one run of the program took.
pub struct Run {
    /// Wall time.
    pub wall: Duration,
    /// The most memory it held at once.
    pub peak_mib: f64,
    /// What it wrote to standard output.
    pub bytes: u64,
}

/// Runs the program with its output thrown away and counted.
pub fn ankus(arguments: &[&str]) -> Run {
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
        peak_mib = peak_mib.max(peak_of(&child));
        std::thread::sleep(Duration::from_millis(1));
    }
    let bytes = reader.join().expect("the reader ends");
    Run { wall: started.elapsed(), peak_mib, bytes }
}

fn peak_of(child: &Child) -> f64 {
    peak_mib(&format!("/proc/{}/status", child.id()))
}

/// The high-water mark of memory so far, from a `status` file of Linux' `/proc`; 0 elsewhere.
pub fn peak_mib(status: &str) -> f64 {
    let status = fs::read_to_string(status).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1024.0
}

/// How long all threads of this process have run, ended ones too, in seconds; in steps of a hundredth.
pub fn process_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux tells");
    // The name, in parentheses, may hold spaces; user and system time are the 14th and 15th field.
    let (_, rest) = stat.rsplit_once(')').expect("a name");
    let ticks = |index: usize| rest.split_whitespace().nth(index).and_then(|field| field.parse::<f64>().ok());
    (ticks(11).expect("user time") + ticks(12).expect("system time")) / 100.0
}

/// Where the corpus lies; says so when it is not there.
pub fn corpus_folder() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let reference = std::env::var_os("ANKUS_REFERENCE").map_or(default, PathBuf::from);
    let corpus = reference.join("corpus");
    if !corpus.is_dir() {
        verdict::hold(false);
        println!("not measured: the corpus is not at {}", corpus.display());
        return None;
    }
    Some(corpus)
}

/// All XML files below a folder, sorted.
pub fn xml_files(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "xml") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Prints a figure beside its limit.
pub fn target(what: &str, figure: f64, unit: &str, limit: f64) {
    let verdict = verdict::hold(figure <= limit);
    println!("{what}: {figure:.2} {unit} (target {limit} {unit}, ratio {:.2}){verdict}", limit / figure);
}
