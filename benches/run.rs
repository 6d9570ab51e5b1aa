//! The executor beside what it cannot do without: forced writes of the disk.
//!
//! Run with `cargo bench --bench run`. Prints how often SQLite forces its files to disk for an action (counted where
//! SQLite does it), the time of an action beside that of as many bare writes in the same run, whether memory and open
//! files grow with actions in sequence, 200 actions at once, the start on a store of 100,000 jobs, and how fast a long
//! journal is replayed. `-- journal`, `sequence`, `at-once`, `start` or `long` runs one part; numbers of actions are smaller
//! with `ANKUS_ACTIONS=N` and `ANKUS_DAYS=N`.

#[path = "../tests/support/executor.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod executor;
#[path = "support/figures.rs"]
#[allow(dead_code, reason = "each bench uses its own part")]
mod figures;

use std::cell::Cell;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant as Wall;

use ankus::engine::Event;
use ankus::execute::clock::{Clock, JumpingClock, SystemClock};
use ankus::execute::executor::{Stop, replay};
use ankus::execute::store::Moment;
use ankus::report::run_lines::Heard;
use ankus::time::Instant;
use executor::{Life, fill, options, place};
use figures::{target, verdict};

/// One part of the measurements, in a folder of its own.
type Part = fn(&Path);

/// Whether a part is asked for: `cargo bench --bench run -- journal` runs that one alone.
fn is_wanted(part: &str) -> bool {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    words.is_empty() || words.iter().any(|word| word == part)
}

fn main() -> ExitCode {
    syncs::count();
    let folder = std::env::temp_dir().join(format!("ankus-bench-run-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the inputs");
    let parts: [(&str, Part); 5] = [
        ("journal", journal),
        ("sequence", sequence),
        ("at-once", at_once),
        ("start", start),
        ("long", long_journal),
    ];
    for (name, part) in parts.into_iter().filter(|(name, _)| is_wanted(name)) {
        part(&folder.join(name));
    }
    fs::remove_dir_all(&folder).expect("the inputs can be removed");
    verdict::exit_code()
}

/// A number that the environment may make smaller.
fn given(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn begin() -> Instant {
    Instant::from_millis(1_704_067_200_000) // 2024-01-01T00:00Z
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
    fs::write(path, text).expect("the file can be written");
}

fn action(name: &str, next: &str) -> String {
    format!(
        r#"<action name="{name}"><shell xmlns="uri:oozie:shell-action:1.0"><exec>true</exec></shell>
        <ok to="{next}"/><error to="fail"/></action>"#
    )
}

fn workflow(nodes: &str) -> String {
    format!(
        r#"<workflow-app name="w" xmlns="uri:oozie:workflow:1.0"><global><resource-manager>l</resource-manager>
        <name-node>hdfs://nn</name-node></global>{nodes}<kill name="fail"><message>no</message></kill>
        <end name="end"/></workflow-app>"#
    )
}

fn chain(actions: usize) -> String {
    let mut nodes = r#"<start to="n1"/>"#.to_owned();
    for number in 1..=actions {
        let next = if number < actions { format!("n{}", number + 1) } else { "end".to_owned() };
        nodes.push_str(&action(&format!("n{number}"), &next));
    }
    workflow(&nodes)
}

/// How many actions a definition has at most here; a server takes only so many bytes.
const LEAF: usize = 500;

/// Writes an app of so many actions in sequence: a chain of workflows below, each a chain; how many there are.
fn long_chain(folder: &Path, actions: usize) -> usize {
    let leaf = actions.clamp(1, LEAF);
    let times = (actions / leaf).max(1);
    let mut nodes = r#"<start to="s1"/>"#.to_owned();
    for number in 1..=times {
        let next = if number < times { format!("s{}", number + 1) } else { "end".to_owned() };
        nodes.push_str(&format!(
            r#"<action name="s{number}"><sub-workflow><app-path>hdfs://nn/apps/leaf</app-path></sub-workflow>
            <ok to="{next}"/><error to="fail"/></action>"#
        ));
    }
    write(&folder.join("ankus.toml"), "[paths]\n\"hdfs://nn/apps\" = \".\"\n");
    write(&folder.join("app/workflow.xml"), &workflow(&nodes));
    write(&folder.join("leaf/workflow.xml"), &chain(leaf));
    leaf * times
}

/// Runs an app of a folder to its end.
fn run(
    folder: &Path,
    clock: &dyn Clock,
    stubs: &[&str],
    jobs: usize,
    hear: &mut dyn FnMut(Heard<'_>),
) -> usize {
    let app = folder.join("app");
    let place = place(&app, &folder.join(".ankus"));
    let commits = Rc::new(Cell::new(0));
    let counted = commits.clone();
    let mut options = options(stubs);
    options.jobs = jobs;
    let life = Life {
        app: &app,
        place: &place,
        clock,
        options,
        until: None,
        watch: Some(Rc::new(move |moment| {
            counted.set(counted.get() + usize::from(moment == Moment::After));
            Ok(())
        })),
    };
    assert_eq!(life.live(hear).expect("it runs"), Stop::Done);
    commits.get()
}

/// Bare forced writes of a page each, in seconds.
fn bare_syncs(folder: &Path, count: u64) -> f64 {
    fs::create_dir_all(folder).expect("a folder");
    let mut file = File::create(folder.join("bare")).expect("a file");
    let began = Wall::now();
    for _ in 0..count {
        file.write_all(&[7; 4_096]).expect("it is written");
        file.sync_data().expect("it is forced to disk");
    }
    began.elapsed().as_secs_f64()
}

/// Rounds of the journal beside as many of bare writes: the disk's own pace changes from second to second.
const ROUNDS: usize = 5;

fn journal(folder: &Path) {
    let mut ratios = Vec::new();
    let mut syncs_an_action = 0.0_f64;
    for round in 0..ROUNDS {
        let folder = folder.join(round.to_string());
        let actions = long_chain(&folder, given("ANKUS_ACTIONS", 2_000).min(2_000));
        let clock = JumpingClock::at(begin(), false);
        let before = syncs::seen();
        let began = Wall::now();
        let commits = run(&folder, &clock, &["all"], 8, &mut |_| {});
        let took = began.elapsed().as_secs_f64();
        let syncs = syncs::seen() - before;
        let bare = bare_syncs(&folder, syncs);
        println!(
            "{actions} actions that are not run: {commits} commits, {syncs} syncs, {took:.3} s; as many bare syncs of a \
             page: {bare:.3} s ({:.0} us each)",
            bare * 1e6 / syncs as f64
        );
        ratios.push(took / bare);
        syncs_an_action = syncs_an_action.max(syncs as f64 / actions as f64);
    }
    ratios.sort_by(f64::total_cmp);
    target("syncs of the journal an action", syncs_an_action, "syncs", 3.0);
    target("time of an action beside that of as many bare syncs, median", ratios[ROUNDS / 2], "times", 1.5);
}

/// Resident memory in KiB and open files of this process.
fn held() -> (f64, usize) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0.0);
    (kib, fs::read_dir("/proc/self/fd").map_or(0, Iterator::count))
}

fn sequence(folder: &Path) {
    let actions = long_chain(folder, given("ANKUS_ACTIONS", 10_000));
    let (mut ended, mut at_tenth, mut files_then, mut files) = (0, 0.0, 0, 0);
    let began = Wall::now();
    let mut tenth = 0.0;
    run(folder, &SystemClock, &[], 8, &mut |heard| {
        if !matches!(heard.recorded.event, Event::NodeEnded { .. }) {
            return;
        }
        ended += 1;
        if ended % 20 == 0 {
            files = files.max(held().1);
        }
        if ended == actions / 10 {
            (at_tenth, tenth, files_then) = (held().0, began.elapsed().as_secs_f64(), files);
        }
    });
    let (took, (kib, _)) = (began.elapsed().as_secs_f64(), held());
    println!("{actions} processes in sequence: {took:.1} s, {:.2} ms each", took * 1e3 / actions as f64);
    let each = took / actions as f64 / (tenth / (actions / 10) as f64);
    println!("  time of one beside that of the first tenth: {each:.2}");
    println!("  memory: {at_tenth:.0} KiB after a tenth, {kib:.0} KiB in the end");
    println!("  {:.2} KiB more for each action", (kib - at_tenth) / (actions as f64 * 0.9));
    println!("  open files at most: {files_then} in the first tenth, {files} in all");
}

fn at_once(folder: &Path) {
    let mut nodes = r#"<start to="f"/><fork name="f">"#.to_owned();
    (0..200).for_each(|number| nodes.push_str(&format!(r#"<path start="n{number}"/>"#)));
    nodes.push_str("</fork>");
    (0..200).for_each(|number| nodes.push_str(&action(&format!("n{number}"), "j")));
    nodes.push_str(r#"<join name="j" to="end"/>"#);
    write(&folder.join("app/workflow.xml"), &workflow(&nodes));
    let began = Wall::now();
    let commits = run(folder, &SystemClock, &[], 200, &mut |_| {});
    println!("200 processes at once: {:.2} s, {commits} commits", began.elapsed().as_secs_f64());
}

fn start(folder: &Path) {
    let jobs = 100_000;
    write(&folder.join("app/workflow.xml"), &chain(1));
    fill(&folder.join(".ankus"), jobs);
    let place = place(&folder.join("app"), &folder.join(".ankus"));
    let mut best = f64::MAX;
    for _ in 0..5 {
        let began = Wall::now();
        let store = place.lock().expect("a store").expect("nobody has it");
        let executor = place.executor(store, options(&[]), &SystemClock, None).expect("an executor");
        best = best.min(began.elapsed().as_secs_f64());
        assert_eq!(executor.store().last_number().expect("a number"), jobs);
    }
    let bytes = fs::metadata(folder.join(".ankus/store.sqlite")).expect("a store").len();
    println!("a store of {jobs} jobs has {} MB", bytes / 1_000_000);
    target("start of an executor on it", best, "s", 0.5);
    let store = folder.join(".ankus");
    let store = store.to_str().expect("a plain name");
    let process = figures::ankus(&["jobs", "--store", store]).wall.as_secs_f64();
    target("`ankus jobs` on it, the whole process", process, "s", 0.5);
}

/// A coordinator that makes an action every five minutes; its journal lies in memory while it is written, since only
/// reading it is measured.
fn long_journal(folder: &Path) {
    let days = given("ANKUS_DAYS", 365);
    let memory = PathBuf::from("/dev/shm");
    let folder = match memory.is_dir() {
        true => memory.join(format!("ankus-bench-{}", std::process::id())),
        false => folder.to_owned(),
    };
    let end = begin().plus_minutes(days as i64 * 24 * 60);
    let end = ankus::time::ProcessingZone::UTC.format(end);
    let text = format!(
        r#"<coordinator-app name="c" frequency="5" start="2024-01-01T00:00Z" end="{end}" timezone="UTC"
        xmlns="uri:oozie:coordinator:0.4"><action><workflow><app-path>hdfs://nn/apps/w</app-path></workflow></action>
        </coordinator-app>"#
    );
    write(&folder.join("ankus.toml"), "[paths]\n\"hdfs://nn/apps\" = \".\"\n");
    write(&folder.join("app/coordinator.xml"), &text);
    write(&folder.join("w/workflow.xml"), &chain(1));
    let clock = JumpingClock::at(begin(), false);
    let mut events = 0;
    let began = Wall::now();
    run(&folder, &clock, &["all"], 8, &mut |_| events += 1);
    let took = began.elapsed().as_secs_f64();
    let actions = days * 24 * 12;
    println!(
        "{days} days of actions every five minutes: {actions} actions, {events} events, written in {took:.1} s"
    );
    let place = place(&folder.join("app"), &folder.join(".ankus"));
    let store = place.lock().expect("a store").expect("nobody has it");
    let settings = place.settings(&store, &SystemClock).expect("settings");
    let executor = place.executor(store, options(&[]), &SystemClock, None).expect("an executor");
    let began = Wall::now();
    let (engine, _) = replay(executor.store(), executor.deployed(), settings, &[1], false).expect("a replay");
    let took = began.elapsed().as_secs_f64();
    assert_eq!(engine.coordinators().map(|job| job.actions.len()).sum::<usize>(), actions);
    println!("replayed in {took:.2} s: {:.0} events a second", f64::from(events) / took);
    drop((engine, executor));
    fs::remove_dir_all(&folder).expect("it can be removed");
}

/// Counts how often SQLite forces a file to disk, where it does so: in the functions that it calls for its files.
mod syncs {
    use std::ffi::c_int;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    use rusqlite::ffi::{
        SQLITE_OK, sqlite3_file, sqlite3_io_methods, sqlite3_vfs, sqlite3_vfs_find, sqlite3_vfs_register,
    };

    type Sync = unsafe extern "C" fn(*mut sqlite3_file, c_int) -> c_int;
    type Open =
        unsafe extern "C" fn(*mut sqlite3_vfs, *const i8, *mut sqlite3_file, c_int, *mut c_int) -> c_int;

    static SEEN: AtomicU64 = AtomicU64::new(0);
    static SYNC: OnceLock<Sync> = OnceLock::new();
    static OPEN: OnceLock<Open> = OnceLock::new();

    pub fn seen() -> u64 {
        SEEN.load(Ordering::SeqCst)
    }

    unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
        SEEN.fetch_add(1, Ordering::SeqCst);
        let own = SYNC.get().expect("a file was opened");
        // SAFETY: the function of the same table, called as SQLite calls it.
        unsafe { own(file, flags) }
    }

    unsafe extern "C" fn open(
        vfs: *mut sqlite3_vfs,
        name: *const i8,
        file: *mut sqlite3_file,
        flags: c_int,
        out: *mut c_int,
    ) -> c_int {
        let own = OPEN.get().expect("it was registered");
        // SAFETY: called as SQLite calls it; the table of a file that was opened is replaced by a copy of it that lives
        // for good, but for one function, which is the same for all files of this system.
        unsafe {
            let opened = own(vfs, name, file, flags, out);
            if opened == SQLITE_OK && !(*file).pMethods.is_null() {
                let mut methods: sqlite3_io_methods = std::ptr::read((*file).pMethods);
                SYNC.get_or_init(|| methods.xSync.expect("a function"));
                methods.xSync = Some(sync);
                (*file).pMethods = Box::leak(Box::new(methods));
            }
            opened
        }
    }

    /// Begins to count, before any file is opened.
    pub fn count() {
        // SAFETY: the default system is there for good, and so is the copy that is registered.
        unsafe {
            let known = sqlite3_vfs_find(std::ptr::null());
            let mut copy: sqlite3_vfs = std::ptr::read(known);
            OPEN.get_or_init(|| copy.xOpen.expect("a function"));
            copy.xOpen = Some(open);
            copy.zName = c"counting".as_ptr();
            let registered = sqlite3_vfs_register(Box::leak(Box::new(copy)), 1);
            assert_eq!(registered, SQLITE_OK);
        }
    }
}
