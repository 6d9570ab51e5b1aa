//! Whatever happens to the files of a store behind its back is told, or is without effect: flipped bits, zeroed and
//! swapped pages, cuts, old copies of files put back, a store of another place.
//!
//! `ANKUS_FLIPS=10000` tries so many changes; the nightly script does.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ankus::execute::store::{Batch, Filter, Store};
use ankus::host::ShellError;

use crate::run::{ankus, program, project, shell, workflow};
use crate::support::executor::fill;
use crate::support::folder_of;
use crate::support::graphs::Random;

const PAGE: usize = 4_096;

/// How many jobs a store has: enough for more than one page of each table.
const JOBS: u32 = 40;

/// What is in the files that are a store.
type Files = BTreeMap<&'static str, Vec<u8>>;

const NAMES: [&str; 3] = ["store.sqlite", "store.sqlite-wal", "acknowledged"];

fn files_of(store: &Path) -> Files {
    let read = |name| Some((name, std::fs::read(store.join(name)).ok()?));
    NAMES.into_iter().filter_map(read).collect()
}

fn put(store: &Path, files: &Files) {
    for entry in std::fs::read_dir(store).expect("a folder").flatten() {
        if entry.path().is_file() {
            std::fs::remove_file(entry.path()).expect("it goes");
        }
    }
    for (name, bytes) in files {
        std::fs::write(store.join(name), bytes).expect("it can be written");
    }
}

/// Everything that commands see of a store; nothing is compared but what they compare.
fn seen(store: &Path) -> Result<String, ShellError> {
    let store = Store::read(store)?.ok_or_else(|| ShellError::usage("it is gone"))?;
    shown(&store)
}

/// The same of whoever takes a store to work on it, and changes it.
fn worked_on(store: &Path) -> Result<String, ShellError> {
    let mut held = Store::lock(store)?.ok_or_else(|| ShellError::usage("somebody has it"))?;
    let text = shown(&held)?;
    let jobs = held.newest(10_000)?;
    held.commit(&Batch { jobs: jobs.clone(), live: vec![3], ..Batch::default() })?;
    assert_eq!(held.newest(10_000)?, jobs);
    drop(held);
    let store = Store::read(store)?.ok_or_else(|| ShellError::usage("it is gone"))?;
    assert_eq!(store.newest(10_000)?, jobs);
    store.verify()?;
    Ok(text)
}

fn shown(store: &Store) -> Result<String, ShellError> {
    let mut text = String::new();
    let mut add = |part: &dyn std::fmt::Debug| text.push_str(&format!("{part:?}\n"));
    store.replay(None, |entry| {
        add(&entry);
        Ok(())
    })?;
    add(&store.newest(10_000)?);
    add(&store.newest(3)?);
    for number in 1..=JOBS + 1 {
        let entries = &mut Vec::new();
        store.replay(Some(&[number]), |entry| {
            entries.push(entry);
            Ok(())
        })?;
        add(&(&entries, store.job(number)?, store.job_named(&format!("name {number}"))?));
        add(&(store.roots_of(&[number])?, store.recipe(&number.to_string())?));
        let names = vec![format!("job {number}")];
        add(&store.find(&Filter { names, len: 5, ..Filter::default() })?);
    }
    let statuses = vec!["KILLED".to_owned()];
    add(&store.find(&Filter { statuses, offset: 1, len: 100, ..Filter::default() })?);
    add(&store.last_key()?);
    add(&(store.live()?, store.chores()?, store.requests()?, store.last_event()?, store.last_number()?));
    add(&store.meta("note")?);
    Ok(text)
}

/// Makes a change of the files, of which several kinds there are; its name.
fn spoil(files: &mut Files, older: &[Files], other: &Files, random: &mut Random) -> String {
    let names: Vec<&str> = files.keys().copied().filter(|name| !files[name].is_empty()).collect();
    let name = names[random.below(names.len())];
    let name = if random.one_in(3) { name } else { "store.sqlite" };
    let old = &older[random.below(older.len())];
    let bytes = files.get_mut(name).expect("a file");
    let pages = bytes.len() / PAGE;
    match random.below(8) {
        0..=2 => {
            let (at, bit) = (random.below(bytes.len()), random.below(8));
            bytes[at] ^= 1 << bit;
            format!("bit {bit} of byte {at} of {name}")
        }
        3 if pages > 0 => {
            let page = random.below(pages);
            bytes[page * PAGE..(page + 1) * PAGE].fill(0);
            format!("page {page} of {name} zeroed")
        }
        4 if pages > 1 => {
            let (one, other) = (random.below(pages), random.below(pages));
            let kept = bytes[one * PAGE..(one + 1) * PAGE].to_vec();
            bytes.copy_within(other * PAGE..(other + 1) * PAGE, one * PAGE);
            bytes[other * PAGE..(other + 1) * PAGE].copy_from_slice(&kept);
            format!("pages {one} and {other} of {name} swapped")
        }
        5 => {
            let length = random.below(bytes.len());
            bytes.truncate(length);
            format!("{name} cut to {length} bytes")
        }
        6 => {
            let before = old.get(name).cloned().unwrap_or_default();
            // A page, or all of it, as it was before.
            let page = random.below(pages.max(1));
            let range = page * PAGE..(page + 1) * PAGE;
            match (before.get(range.clone()), random.one_in(2)) {
                (Some(before), true) if bytes.len() >= range.end => {
                    bytes[range].copy_from_slice(before);
                    format!("page {page} of {name} as it was before")
                }
                _ => {
                    *bytes = before;
                    format!("{name} as it was before")
                }
            }
        }
        _ => {
            *bytes = other.get(name).cloned().unwrap_or_default();
            format!("{name} of another store")
        }
    }
}

/// Stores with what came before them: one that was closed in the ordinary way, and one whose executor was killed.
fn stores(name: &str) -> (PathBuf, Vec<Vec<Files>>) {
    let folder = folder_of(name, &[]);
    let store = folder.join(".ankus");
    fill(&store, JOBS);
    let mut history = vec![files_of(&store)];
    for number in 1..=3 {
        let held = Store::lock(&store).expect("a store").expect("nobody has it");
        held.set_meta("note", &format!("note {number}")).expect("written");
        held.ask(&format!("{{\"request\":{number}}}")).expect("written");
        drop(held);
        history.push(files_of(&store));
    }
    let mut held = Store::lock(&store).expect("a store").expect("nobody has it");
    let mut killed = history.clone();
    for number in [11, 12] {
        let mut batch = Batch::default();
        batch.chores.push((number, format!("tell of {number}")));
        batch.live.push(number);
        held.commit(&batch).expect("written");
        killed.push(files_of(&store));
    }
    drop(held);
    history.push(files_of(&store));
    (store, vec![history, killed])
}

#[test]
fn no_change_behind_the_back_of_a_store_goes_unnoticed() {
    let wanted = std::env::var("ANKUS_FLIPS").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    let other = files_of(&stores("store-flips-other").0);
    let (store, histories) = stores("store-flips");
    let (mut told, mut harmless) = (0, 0);
    for (which, history) in histories.iter().enumerate() {
        let (sound, older) = history.split_last().expect("a history");
        put(&store, sound);
        let truth = seen(&store).expect("it is sound");
        let mut random = Random(7 + which as u64);
        for round in 0..wanted / histories.len() {
            let mut files = sound.clone();
            let what = spoil(&mut files, older, &other, &mut random);
            put(&store, &files);
            // Whoever only looks, and at times whoever goes on with it.
            let is_worked_on = random.one_in(4);
            let seen = seen(&store).and_then(|seen| match is_worked_on {
                true => worked_on(&store).map(|shown| (seen, shown)),
                false => Ok((seen, truth.clone())),
            });
            match seen {
                Err(_) => told += 1,
                Ok((seen, worked_on)) => {
                    let is_same = seen == truth && worked_on == truth;
                    assert!(is_same, "history {which}, round {round}: {what} is not noticed");
                    harmless += 1;
                }
            }
        }
        put(&store, sound);
        assert_eq!(seen(&store).expect("it is sound again"), truth);
    }
    println!("{told} changes were told, {harmless} were without effect");
    assert!(told > harmless, "{told} were told, {harmless} had no effect");
}

#[test]
fn a_store_that_is_exchanged_while_it_is_held_is_left() {
    type Change = fn(&Path);
    let changes: [(&str, Change); 7] = [
        ("moved", |store| std::fs::rename(store, store.with_extension("aside")).expect("moved")),
        ("removed", |store| std::fs::remove_file(store.join("store.sqlite")).expect("removed")),
        ("replaced", |store| {
            let file = store.join("store.sqlite");
            std::fs::copy(&file, store.join("copy")).expect("copied");
            std::fs::rename(store.join("copy"), &file).expect("replaced");
        }),
        ("lock removed", |store| {
            let lock = std::fs::read_dir(store).expect("a folder").flatten().map(|entry| entry.path());
            let lock = lock.into_iter().find(|path| path.ends_with("lock")).expect("a lock");
            std::fs::remove_file(lock).expect("removed");
        }),
        ("log removed", |store| std::fs::remove_file(store.join("store.sqlite-wal")).expect("removed")),
        ("index of the log removed", |store| {
            std::fs::remove_file(store.join("store.sqlite-shm")).expect("removed");
        }),
        ("log replaced", |store| {
            let file = store.join("store.sqlite-wal");
            std::fs::copy(&file, store.join("copy")).expect("copied");
            std::fs::rename(store.join("copy"), &file).expect("replaced");
        }),
    ];
    for (name, change) in changes {
        let folder = folder_of(&format!("store-exchanged-{}", name.replace(' ', "-")), &[]);
        let store = folder.join(".ankus");
        fill(&store, 2);
        let mut held = Store::lock(&store).expect("a store").expect("nobody has it");
        held.commit(&Batch { live: vec![1], ..Batch::default() }).expect("it is written");
        change(&store);
        let words = "removed or replaced";
        let error = held.commit(&Batch { live: vec![2], ..Batch::default() }).expect_err("it is noticed");
        assert!(error.to_string().contains(words), "{name}: {error}");
        let error = held.is_in_place().expect_err("it is noticed");
        assert!(error.to_string().contains(words), "{name}: {error}");
        // What was acknowledged is not lost with a log that has no name any more.
        drop(held);
        if name.contains("log") {
            let again =
                Store::lock(&store).unwrap_or_else(|error| panic!("{name}: {error}")).expect("nobody has it");
            assert_eq!(
                (again.live().expect("a list"), again.last_event().expect("a number")),
                (vec![1], 8),
                "{name}"
            );
            again.verify().unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

/// What two readers of a row, an index and the table itself, do not agree on is not believed: a lost name would let a
/// submission run again.
#[test]
fn a_lost_row_is_not_taken_for_one_that_never_was() {
    let folder = folder_of("store-lost-rows", &[]);
    let store = folder.join(".ankus");
    fill(&store, JOBS);
    let sound = files_of(&store);
    let text = sound["store.sqlite"].clone();
    let places = |wanted: &str| -> Vec<usize> {
        let wanted = wanted.as_bytes();
        (0..text.len() - wanted.len()).filter(|at| text[*at..].starts_with(wanted)).collect()
    };
    // The name of job 40, in its row and in the index.
    let mut told = 0;
    for at in places("name 40") {
        let mut files = sound.clone();
        files.get_mut("store.sqlite").expect("a file")[at + 6] = b'1';
        put(&store, &files);
        let asked = |name: &str| Store::read(&store)?.expect("a store").job_named(name);
        match (asked("name 40"), asked("name 41")) {
            (Err(_), _) | (_, Err(_)) => told += 1,
            // A place that SQLite does not use any more.
            (Ok(Some(job)), Ok(None)) if job.id.number == 40 => {}
            other => panic!("byte {at}: {other:?}"),
        }
    }
    assert!(told >= 2, "the row and the index are looked at");
    // One row less in a page of the table.
    let pages = sound["store.sqlite"].len() / PAGE;
    let is_leaf = |page: &usize| text[page * PAGE] == 13;
    for page in (1..pages).filter(is_leaf) {
        let mut files = sound.clone();
        let count = &mut files.get_mut("store.sqlite").expect("a file")[page * PAGE + 4];
        if *count == 0 {
            continue;
        }
        *count -= 1;
        put(&store, &files);
        assert!(seen(&store).is_err(), "page {page} has lost a row");
    }
}

/// A project whose action waits until it is let go, and leaves a mark for each time it ran.
fn waiting(name: &str) -> PathBuf {
    let script = "#!/bin/sh\necho began >> \"$1/marks\"\nmkfifo \"$1/go\" 2>/dev/null\ncat \"$1/go\"\n";
    let folder = project(name, &[("app/wait.sh", script)]);
    let place = folder.to_string_lossy().into_owned();
    let nodes = r#"<start to="n0"/>"#.to_owned() + &shell("n0", "wait.sh", &[&place], "end");
    std::fs::write(folder.join("app/workflow.xml"), workflow("w", &nodes)).expect("an app");
    folder
}

#[test]
fn an_executor_whose_store_is_taken_away_ends() {
    let folder = waiting("store-taken");
    let mut child = program(&folder, &["run", "app"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let go = folder.join("go");
    while !go.exists() {
        std::thread::yield_now();
        assert!(child.try_wait().expect("a child").is_none(), "it has ended before its action began");
    }
    std::fs::rename(folder.join(".ankus"), folder.join("taken")).expect("moved");
    let output = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("moved away, removed or replaced"), "{err}");
    assert!(!folder.join(".ankus").exists(), "no new one is made in its place");
    // Brought back, it is gone on with, and the action runs on.
    std::fs::rename(folder.join("taken"), folder.join(".ankus")).expect("moved");
    std::thread::scope(|scope| {
        scope.spawn(|| std::fs::write(&go, "go\n").expect("somebody reads"));
        let (code, out, err) = ankus(&folder, &["run"]);
        assert_eq!(code, 0, "{out}{err}");
    });
    let marks = std::fs::read_to_string(folder.join("marks")).expect("marks");
    assert_eq!(marks.lines().count(), 1, "the action ran once");
}

#[cfg(unix)]
#[test]
fn an_action_whose_folder_is_removed_is_lost() {
    let folder = waiting("store-work-removed");
    let child = program(&folder, &["run", "app"]).stdout(std::process::Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    while !folder.join("go").exists() {
        std::thread::yield_now();
        assert!(child.try_wait().expect("a child").is_none(), "it has ended before its action began");
    }
    std::fs::remove_dir_all(folder.join(".ankus/work")).expect("it goes");
    std::fs::write(folder.join("go"), "go\n").expect("somebody reads");
    let output = child.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(1) && out.contains("ANKUS-LOST"), "{out}");
    let (code, out, err) = ankus(&folder, &["run"]);
    assert_eq!(code, 1, "{out}{err}");
    let marks = std::fs::read_to_string(folder.join("marks")).expect("marks");
    assert_eq!(marks.lines().count(), 1, "the action ran once");
}

/// Folders of attempts are made for their owner alone whatever the umask, as is every file in them that no program of the
/// user has written, and never among the files of somebody else.
#[cfg(unix)]
#[test]
fn attempts_lie_in_folders_of_their_own() {
    use std::os::unix::fs::PermissionsExt;
    let script = "#!/bin/sh\ntar czf ../../../../../data/more.tgz x.sh\necho own > own\necho a=b\n";
    let folder = project("store-attempts", &[("app/x.sh", script), ("app/more/deep/file", "")]);
    let fs = r#"<action name="n1"><fs><mkdir path="/d"/><touchz path="/d/f"/></fs><ok to="n0"/><error to="fail"/></action>"#;
    let piped = r#"<action name="n2"><map-reduce><prepare><delete path="/o"/></prepare><streaming><mapper>/bin/cat</mapper>
        <reducer>/bin/cat</reducer></streaming><configuration><property><name>mapred.input.dir</name><value>/d</value></property>
        <property><name>mapred.output.dir</name><value>/o</value></property></configuration></map-reduce><ok to="n3"/>
        <error to="fail"/></action>"#;
    let unpacked = r#"<action name="n3"><shell xmlns="uri:oozie:shell-action:1.0"><exec>sleep</exec><argument>0</argument>
        <file>more#much</file><archive>/more.tgz#less</archive></shell><ok to="end"/><error to="fail"/></action>"#;
    let nodes = r#"<start to="n1"/>"#.to_owned() + fs + &shell("n0", "x.sh", &[], "n2") + piped + unpacked;
    std::fs::write(folder.join("app/workflow.xml"), workflow("w", &nodes)).expect("an app");
    std::fs::create_dir_all(folder.join("mine/work/1")).expect("a folder");
    let (code, out, err) = ankus(&folder, &["run", "app", "--store", "mine"]);
    assert!(code == 2 && err.contains("`mine/work` holds files already"), "{out}{err}");
    assert!(!folder.join("mine/store.sqlite").exists());
    std::fs::remove_dir(folder.join("mine/work/1")).expect("it goes");
    let program = env!("CARGO_BIN_EXE_ankus");
    let status = std::process::Command::new("sh")
        .args(["-c", "umask 0; exec \"$0\" run app --store mine --quiet", program])
        .current_dir(&folder)
        .status();
    assert!(status.expect("the program starts").success());
    let (mut open, mut seen) = (vec![folder.join("mine/work/1")], Vec::new());
    while let Some(path) = open.pop() {
        let meta = path.symlink_metadata().expect("it is there");
        let (mode, name) = (meta.permissions().mode() & 0o777, path.file_name().expect("a name"));
        let name = name.to_string_lossy().into_owned();
        match name.as_str() {
            // A program is given the umask as it was.
            "own" => assert_eq!(mode, 0o666),
            _ => assert_eq!(mode & 0o077, 0, "{}: {mode:o}", path.display()),
        }
        if meta.is_dir() {
            open.extend(
                std::fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()),
            );
        }
        seen.push(name);
    }
    for name in
        ["spec.json", "result.json", "begun", "lock", "group", "stdout", "stderr", "own", "x.sh", "file"]
    {
        assert!(seen.iter().any(|it| it == name), "no `{name}` in {seen:?}");
    }
}

/// What is read of a file that grew without end is bounded.
#[test]
fn huge_files_of_a_store_are_not_read() {
    let folder = folder_of("store-huge", &[]);
    let store = folder.join(".ankus");
    fill(&store, 1);
    let grow = |path: &Path| {
        let file = std::fs::OpenOptions::new().write(true).create(true).truncate(false).open(path);
        file.and_then(|file| file.set_len(1 << 40)).expect("a hole");
    };
    grow(&store.join("acknowledged"));
    let (code, out, err) = ankus(&folder, &["jobs"]);
    assert!(code == 0 && out.lines().count() == 1, "{out}{err}");
    let attempt = ankus::execute::attempt::Attempt::new(folder.join("attempt"));
    std::fs::create_dir_all(attempt.folder()).expect("a folder");
    grow(&attempt.folder().join("result.json"));
    let error = attempt.outcome().expect_err("it is too large").to_string();
    assert!(error.contains("result.json` is larger than 64 MiB"), "{error}");
}

#[cfg(unix)]
#[test]
fn others_may_not_write_to_a_store() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    let folder = waiting("store-modes");
    let command = format!("umask 0; exec '{}' submit app", env!("CARGO_BIN_EXE_ankus"));
    let status = std::process::Command::new("sh").args(["-c", &command]).current_dir(&folder).status();
    assert!(status.expect("sh runs").success());
    let store = folder.join(".ankus");
    assert_eq!(mode(&store), 0o700);
    for entry in std::fs::read_dir(&store).expect("a folder").flatten() {
        let wanted = if entry.path().is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&entry.path()), wanted, "{}", entry.path().display());
    }
    std::fs::set_permissions(&store, PermissionsExt::from_mode(0o777)).expect("one's own");
    let (code, _, err) = ankus(&folder, &["jobs"]);
    assert!(code == 0 && err.contains("could be changed by other users"), "{err}");
    assert_eq!(mode(&store), 0o755);
    let (code, _, err) = ankus(&folder, &["jobs"]);
    assert!(code == 0 && err.is_empty(), "{err}");
}

/// Who looks for a store where there is none, or makes one in a folder of other things, leaves those as they are.
#[cfg(unix)]
#[test]
fn what_is_no_store_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let allow = |path: &Path, mode| {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("one's own");
    };
    let mode = |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o7777;
    let folder = waiting("store-others");
    let (place, other, below) =
        (folder.join("place"), folder.join("place/other"), folder.join("place/below"));
    std::fs::create_dir_all(&below).expect("folders");
    std::fs::write(&other, "other").expect("a file");
    allow(&other, 0o666);
    allow(&below, 0o775);
    for shared in [0o1777, 0o777, 0o775] {
        allow(&place, shared);
        let (code, out, err) = ankus(&folder, &["jobs", "--store", "place"]);
        assert!(code == 2 && err.contains("there is no store at") && !err.contains("warning"), "{out}{err}");
        assert_eq!((mode(&place), mode(&other), mode(&below)), (shared, 0o666, 0o775));
    }
    // Where everybody puts files no store is made.
    allow(&place, 0o1777);
    let (code, _, err) = ankus(&folder, &["submit", "app", "--store", "place"]);
    assert!(code == 2 && err.contains("its folder is shared by the users of this machine"), "{err}");
    assert_eq!(std::fs::read_dir(&place).expect("a folder").count(), 2, "nothing was made");
    // Nor is one used there, and the folder stays as it is.
    allow(&place, 0o755);
    assert_eq!(ankus(&folder, &["submit", "app", "--store", "place"]).0, 0);
    allow(&place, 0o1777);
    let (code, _, err) = ankus(&folder, &["jobs", "--store", "place"]);
    assert!(code == 2 && err.contains("its folder is shared by the users of this machine"), "{err}");
    assert_eq!(mode(&place), 0o1777);
    // What is no part of the store keeps its permissions; a link to the folder hides nothing.
    allow(&place, 0o777);
    std::os::unix::fs::symlink(&place, folder.join("link")).expect("a link");
    let (code, _, err) = ankus(&folder, &["jobs", "--store", "link"]);
    assert!(code == 0 && err.contains("could be changed by other users"), "{err}");
    assert_eq!((mode(&place), mode(&other), mode(&below)), (0o755, 0o666, 0o775));
}

/// Runs an app whose two actions leave a mark each, and copies what is in the store at some moment; the folder of the
/// project, of which the store has gone on since, and the copies of its files.
#[cfg(unix)]
fn gone_on(name: &str, fails_first: bool, again: &[&str]) -> (PathBuf, Files) {
    let script = "#!/bin/sh\necho $2 >> \"$1/marks\"\n[ \"$2\" != b ] || [ -e \"$1/good\" ]\n";
    let folder = project(name, &[("app/mark.sh", script)]);
    let place = folder.to_string_lossy().into_owned();
    let nodes = r#"<start to="n0"/>"#.to_owned()
        + &shell("n0", "mark.sh", &[&place, "a"], "n1")
        + &shell("n1", "mark.sh", &[&place, "b"], "end");
    std::fs::write(folder.join("app/workflow.xml"), workflow("w", &nodes)).expect("an app");
    if !fails_first {
        std::fs::write(folder.join("good"), "").expect("a mark");
    }
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    assert_eq!(code, i32::from(fails_first), "{out}{err}");
    let copies = files_of(&folder.join(".ankus"));
    std::fs::write(folder.join("good"), "").expect("a mark");
    let (code, out, err) = ankus(&folder, again);
    assert_eq!(code, 0, "{out}{err}");
    (folder, copies)
}

/// The journal of an older copy asks for attempts that have run already: neither are their results taken for others, nor
/// do their actions run again before somebody says so.
#[cfg(unix)]
#[test]
fn what_an_older_copy_of_a_store_does_not_know_is_noticed() {
    for (name, fails_first, again) in [
        ("store-older", false, &["run", "app", "--new"][..]),
        ("store-older-rerun", true, &["job", "1-W", "rerun", "--failed", "--and-run"]),
    ] {
        let (folder, copies) = gone_on(name, fails_first, again);
        let marks = || std::fs::read_to_string(folder.join("marks")).expect("marks");
        let before = marks();
        put(&folder.join(".ankus"), &copies);
        if !fails_first {
            let (code, _, err) = ankus(&folder, &["jobs", "verify"]);
            assert!(code == 2 && err.contains("its journal does not know what ran in"), "{err}");
        }
        for command in [again, &["run"]] {
            let (code, out, err) = ankus(&folder, command);
            assert_eq!(code, 2, "{out}{err}");
            assert!(err.contains("an older copy of the store: its journal does not know what ran"), "{err}");
            assert_eq!(marks(), before, "nothing has run");
        }
        let work = folder.join(".ankus/work");
        let foreign = if fails_first { "1/3" } else { "2" };
        std::fs::remove_dir_all(work.join(foreign)).expect("the folder that is named");
        let (_, out, err) = ankus(&folder, &["run"]);
        assert!(marks().len() > before.len(), "{out}{err}");
    }
}

/// A store that leads somewhere else is neither followed nor written to, and nobody waits for a pipe.
#[cfg(unix)]
#[test]
fn a_store_has_only_files_of_its_own() {
    use std::os::unix::fs::symlink;
    let folder = folder_of("store-links", &[]);
    fill(&folder.join("other"), 2);
    std::fs::write(folder.join("kept"), "kept\n").expect("a file");
    let refused = |what: &str, words: &str| {
        for command in [&["jobs"][..], &["jobs", "verify"], &["run"], &["job", "1-W", "kill"]] {
            let (code, out, err) = ankus(&folder, command);
            assert_eq!((code, out.as_str()), (2, ""), "{what}, {command:?}: {err}");
            assert!(err.contains(words), "{what}, {command:?}: {err}");
        }
    };
    let store = folder.join(".ankus");
    for name in ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "lock", "acknowledged", "work"] {
        fill(&store, 1);
        let place = store.join(name);
        let _ = std::fs::remove_file(&place).or_else(|_| std::fs::remove_dir_all(&place));
        let target = if name == "store.sqlite" { "other/store.sqlite" } else { "kept" };
        symlink(folder.join(target), &place).expect("a link");
        refused(name, "is a link, or not a regular file");
        std::fs::remove_file(&place).expect("it goes");
        if name != "store.sqlite" {
            nix::unistd::mkfifo(&place, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
            refused(name, "is a link, or not a regular file");
        }
        std::fs::remove_dir_all(&store).expect("it goes");
    }
    fill(&store, 1);
    std::fs::hard_link(store.join("store.sqlite"), folder.join("second")).expect("a second name");
    refused("a second name", "more than one name");
    std::fs::remove_dir_all(&store).expect("it goes");
    symlink(folder.join("nowhere"), &store).expect("a link");
    for command in ["jobs", "run"] {
        let (code, out, err) = ankus(&folder, &[command, "--store", ".ankus"]);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains("a link that leads nowhere"), "{err}");
    }
    assert_eq!(std::fs::read_to_string(folder.join("kept")).expect("a file"), "kept\n");
    assert!(!folder.join("nowhere").exists());
}

#[test]
fn a_store_is_verified_on_demand() {
    let folder = folder_of("store-verify", &[]);
    fill(&folder.join(".ankus"), 3);
    let (code, out, err) = ankus(&folder, &["jobs", "verify"]);
    assert_eq!((code, out.as_str()), (0, "sound: 12 events of 3 jobs\n"), "{err}");
    let path = folder.join(".ankus/store.sqlite");
    let db = rusqlite::Connection::open(&path).expect("a store");
    db.execute_batch("DELETE FROM event WHERE number = 12; PRAGMA wal_checkpoint(TRUNCATE)")
        .expect("it goes");
    drop(db);
    let (code, out, err) = ankus(&folder, &["jobs", "verify"]);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert!(err.contains("cannot be used"), "{err}");
}
