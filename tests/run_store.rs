//! Stores that are damaged, full, locked, of an older or a newer version: told with a way out, and left as they are.

use std::path::{Path, PathBuf};
use std::process::Command;

use ankus::execute::clock::JumpingClock;
use ankus::execute::store::Store;
use ankus::time::Instant;

use crate::run::{ankus, program, project, shell, statuses, workflow};
use crate::run_torture::MARK;
use crate::support::executor::{Life, jobs, options, place};
use crate::support::graphs::Random;
use crate::support::{folder_of, write_file};

fn text(nodes: usize) -> String {
    let mut text = r#"<start to="n0"/>"#.to_owned();
    for node in 0..nodes {
        let next = if node + 1 < nodes { format!("n{}", node + 1) } else { "end".to_owned() };
        text.push_str(&shell(&format!("n{node}"), "mark.sh", &["me", &format!("n{node}")], &next));
    }
    workflow("w", &text)
}

/// A project whose store holds one job that is over and one in PREP.
fn used(name: &str) -> PathBuf {
    let text = text(2);
    let folder = project(name, &[("app/workflow.xml", &text), ("app/mark.sh", MARK)]);
    assert_eq!(ankus(&folder, &["-q", "run", "app", "--stub", "all"]).0, 0);
    assert_eq!(ankus(&folder, &["submit", "app"]).0, 0);
    folder
}

/// What the files of a store hold that may have been acknowledged; no log is as good as an empty one.
fn bytes(folder: &Path) -> [Vec<u8>; 2] {
    let names = ["store.sqlite", "store.sqlite-wal"];
    names.map(|name| std::fs::read(folder.join(".ankus").join(name)).unwrap_or_default())
}

/// Each of these commands says these words, names the file, and changes nothing.
fn is_told(folder: &Path, commands: &[&[&str]], words: &str) {
    let before = bytes(folder);
    for arguments in commands {
        let (code, out, err) = ankus(folder, arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert!(err.contains(".ankus/store.sqlite` cannot be used: "), "{arguments:?}: {err}");
        assert!(err.contains(words), "{arguments:?}: {err}");
        assert!(bytes(folder) == before, "{arguments:?} has changed the store: {err}");
    }
}

const ALL: &[&[&str]] = &[&["run", "app"], &["run"], &["submit", "app"], &["jobs"], &["job", "2-W", "start"]];
const RUNS: &[&[&str]] = &[&["run"], &["run", "app"]];

fn change(folder: &Path, edit: impl FnOnce(&mut Vec<u8>)) {
    let path = folder.join(".ankus/store.sqlite");
    let mut bytes = std::fs::read(&path).expect("a store");
    edit(&mut bytes);
    std::fs::write(&path, bytes).expect("it can be written");
}

/// Changes a text inside the file wherever it stands.
fn replace(bytes: &mut [u8], text: &str, by: &str) {
    assert_eq!(text.len(), by.len());
    let found: Vec<usize> =
        (0..bytes.len() - text.len()).filter(|at| bytes[*at..].starts_with(text.as_bytes())).collect();
    assert!(!found.is_empty(), "`{text}` is not in the file");
    for at in found {
        bytes[at..at + by.len()].copy_from_slice(by.as_bytes());
    }
}

fn page_of(folder: &Path, table: &str) -> usize {
    let db = rusqlite::Connection::open(folder.join(".ankus/store.sqlite")).expect("a store");
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
    db.query_row(sql, [table], |row| row.get::<_, i64>(0)).expect("a table") as usize
}

#[test]
fn damage_is_told_and_made_no_worse() {
    type Edit = fn(&mut Vec<u8>);
    let edits: &[(&str, Edit, &[&[&str]], &str)] = &[
        ("magic", |bytes| bytes[3] ^= 1, ALL, "it is not a database, or its first bytes are damaged"),
        ("half", |bytes| bytes.truncate(bytes.len() / 2), ALL, "it has lost its end: "),
        ("byte", |bytes| bytes.truncate(bytes.len() - 1), ALL, "it has lost its end: "),
        ("nothing", Vec::clear, ALL, "it is empty, which a store never is"),
        ("short", |bytes| bytes.truncate(50), ALL, "it is not a database"),
        ("job", |bytes| replace(bytes, "PREP", "PREQ"), &[&["jobs"]], "the row of job 2 is damaged"),
        (
            "event",
            |bytes| replace(bytes, r#"{"Submit""#, r#"{"SubmiT""#),
            RUNS,
            "or one before it, is damaged",
        ),
        ("number", |bytes| replace(bytes, r#""start":false"#, r#""start":true "#), RUNS, "is damaged"),
        (
            "recipe",
            |bytes| replace(bytes, "mark.sh", "mark.sx"),
            RUNS,
            "the definition of number 2 is damaged",
        ),
    ];
    let folder = used("store-damage");
    let sound = std::fs::read(folder.join(".ankus/store.sqlite")).expect("a store");
    for (name, edit, commands, words) in edits {
        println!("{name}");
        change(&folder, |bytes| {
            *bytes = sound.clone();
            edit(bytes);
        });
        is_told(&folder, commands, words);
    }
    for table in ["event", "job", "program"] {
        std::fs::write(folder.join(".ankus/store.sqlite"), &sound).expect("it can be written");
        let page = page_of(&folder, table);
        change(&folder, |bytes| bytes[(page - 1) * 4_096..page * 4_096 - 2_048].fill(0xa5));
        println!("{table} on page {page}");
        is_told(&folder, &[&["run", "app"]], "its pages are damaged (database disk image is malformed)");
    }
    // With the right bytes back, all goes on.
    std::fs::write(folder.join(".ankus/store.sqlite"), &sound).expect("it can be written");
    assert_eq!(statuses(&folder), ["SUCCEEDED", "PREP"]);
}

#[test]
fn what_lies_in_the_place_of_a_store_is_left_alone() {
    let folder = used("store-other");
    let file = folder.join(".ankus/store.sqlite");
    let aside = folder.join("aside");
    std::fs::rename(&file, &aside).expect("moved");
    is_told(
        &folder,
        &[&["run", "app"], &["submit", "app"], &["run"], &["jobs"], &["job", "1-W", "info"]],
        "it is gone, though events were written to it",
    );
    std::fs::create_dir(&file).expect("a folder");
    is_told(&folder, ALL, "what lies in its place is no file");
    std::fs::remove_dir(&file).expect("removed");
    let db = rusqlite::Connection::open(&file).expect("a database");
    db.execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES (1)").expect("a table");
    drop(db);
    is_told(&folder, ALL, "it is a database, but no store of Ankus");
    std::fs::copy(&aside, &file).expect("copied");
    let db = rusqlite::Connection::open(&file).expect("a database");
    db.execute_batch("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)").expect("a version");
    drop(db);
    is_told(&folder, ALL, "it was written by a newer Ankus (version 99 of stores; this one knows up to ");
    std::fs::rename(&aside, &file).expect("moved");
    assert_eq!(statuses(&folder), ["SUCCEEDED", "PREP"]);
}

/// A copy of a store as a lost power leaves it: what was written last is in the log alone.
fn with_log(name: &str) -> PathBuf {
    let from = used(&format!("{name}-from"));
    let reader = Store::read(&from.join(".ankus")).expect("a store").expect("it is there");
    reader.newest(1).expect("it is read");
    assert_eq!(ankus(&from, &["submit", "app"]).0, 0);
    let text = text(2);
    let folder = project(name, &[("app/workflow.xml", &text), ("app/mark.sh", MARK)]);
    std::fs::create_dir(folder.join(".ankus")).expect("a folder");
    for file in ["store.sqlite", "store.sqlite-wal", "acknowledged"] {
        std::fs::copy(from.join(".ankus").join(file), folder.join(".ankus").join(file)).expect("copied");
    }
    drop(reader);
    assert!(std::fs::metadata(folder.join(".ankus/store.sqlite-wal")).expect("a log").len() > 0);
    folder
}

#[test]
fn a_log_that_lost_something_is_told() {
    let folder = with_log("store-log");
    let log = folder.join(".ankus/store.sqlite-wal");
    let sound = std::fs::read(&log).expect("a log");
    let words = "though event ";
    for cut in [0, 31, sound.len() / 2, sound.len() - 1] {
        std::fs::write(&log, &sound[..cut]).expect("written");
        is_told(&folder, ALL, words);
    }
    for at in [5, 20, 40, sound.len() / 2, sound.len() - 10] {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x40;
        std::fs::write(&log, bytes).expect("written");
        is_told(&folder, ALL, words);
    }
    std::fs::write(&log, vec![0x5a; sound.len()]).expect("written");
    is_told(&folder, ALL, words);
    std::fs::remove_file(&log).expect("removed");
    is_told(&folder, ALL, words);
    // What was being written when the power went, and was not acknowledged, is nothing.
    let mut bytes = sound.clone();
    bytes.extend(vec![0x5a; 5_000]);
    std::fs::write(&log, bytes).expect("written");
    assert_eq!(statuses(&folder), ["SUCCEEDED", "PREP", "PREP"]);
}

/// Whatever one changed byte does, an executor either says so or does what it would have done.
#[test]
fn a_changed_byte_anywhere_never_makes_another_end() {
    let text = text(3);
    let folder = folder_of("store-bytes", &[("app/workflow.xml", &text), ("app/mark.sh", MARK)]);
    let (app, store) = (folder.join("app"), folder.join(".ankus"));
    let place = place(&app, &store);
    let begin = Instant::from_millis(1_704_067_200_000);
    let live = |until, at| {
        let clock = JumpingClock::at(at, false);
        let (options, watch) = (options(&["all"]), None);
        Life { app: &app, place: &place, clock: &clock, options, until, watch }.live(&mut |_| {})
    };
    let later = begin.plus_minutes(1).plus_millis(1);
    live(Some(later), begin).expect("it runs");
    assert_eq!(jobs(&place)[0].2, "RUNNING");
    let sound = std::fs::read(store.join("store.sqlite")).expect("a store");
    let mark = std::fs::read(store.join("acknowledged")).expect("a mark");
    let _ = std::fs::remove_file(store.join("store.sqlite-wal"));
    live(None, later).expect("it runs");
    let calm = jobs(&place);
    let wanted = if std::env::var_os("ANKUS_THOROUGH").is_some() { 2_000 } else { 150 };
    let (mut random, mut told) = (Random(41), 0);
    for _ in 0..wanted {
        let at = random.below(sound.len());
        let bit = 1_u8 << random.below(8);
        for name in ["store.sqlite-wal", "store.sqlite-shm"] {
            let _ = std::fs::remove_file(store.join(name));
        }
        let mut bytes = sound.clone();
        bytes[at] ^= bit;
        std::fs::write(store.join("store.sqlite"), bytes).expect("written");
        std::fs::write(store.join("acknowledged"), &mark).expect("written");
        match live(None, later) {
            Err(_) => told += 1,
            Ok(_) => {
                let ended = place.read().and_then(|store| store.newest(9));
                let ended = ended.map(|_| jobs(&place));
                assert!(ended.is_err() || ended.is_ok_and(|ended| ended == calm), "bit {bit} of byte {at}");
            }
        }
    }
    println!("{told} of {wanted} changes were told");
    assert!(told > 0);
}

#[test]
fn a_disk_that_takes_nothing_more_loses_nothing() {
    let text = text(4);
    let mut refused = 0;
    // Files may have so many blocks of 512 bytes: what comes beyond is refused as by a disk that is full.
    for blocks in (16..400).step_by(32) {
        let folder = project("store-full", &[("app/workflow.xml", &text), ("app/mark.sh", MARK)]);
        let run = ["run", "app", "--external-id", "full"];
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.current_dir(&folder).arg("-c").arg(limited).arg(env!("CARGO_BIN_EXE_ankus")).args(run);
        let output = shell.output().expect("it runs");
        let err = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code();
        if code == Some(2) {
            refused += 1;
            assert!(err.contains(".ankus/store.sqlite` cannot be used: "), "{blocks}: {err}");
            assert!(err.contains("the disk does not take what is written"), "{blocks}: {err}");
        } else {
            assert_eq!(code, Some(0), "{blocks}: {err}");
        }
        let (code, out, err) = ankus(&folder, &run);
        assert!(
            code == 0
                && (err.is_empty()
                    || err.starts_with("goes on with")
                    || err.starts_with("the job 0000001-W has")),
            "{blocks}: {out}{err}"
        );
        assert_eq!(statuses(&folder), ["SUCCEEDED"], "{blocks}");
        let marks = std::fs::read_to_string(folder.join("marks")).expect("marks");
        assert_eq!(marks, "me n0\nme n1\nme n2\nme n3\n", "{blocks}");
    }
    println!("{refused} refused");
    assert!(refused >= 3, "{refused}");
}

#[test]
#[cfg(unix)]
fn a_store_that_may_not_be_written_is_told() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let text = text(1);
    let folder = project("store-unwritable", &[("app/workflow.xml", &text), ("app/mark.sh", MARK)]);
    write_file(&folder.join("file"), "no folder");
    let (code, _, err) = ankus(&folder, &["run", "app", "--store", "file/store"]);
    assert_eq!(code, 2);
    assert!(
        err.contains("file/store/store.sqlite` cannot be used: its folder cannot be written to"),
        "{err}"
    );
    assert!(err.contains("or use another with `--store`"), "{err}");
    // What root may do nobody can forbid; so it is somebody else there.
    let shut = std::env::temp_dir().join(format!("ankus-unwritable-{}", std::process::id()));
    std::fs::create_dir(&shut).expect("a folder");
    std::fs::set_permissions(&shut, PermissionsExt::from_mode(0o555)).expect("shut");
    let mut command = program(&folder, &["run", "app", "--store"]);
    command.arg(shut.join("store"));
    if nix::unistd::geteuid().is_root() {
        command.uid(65_534);
    }
    let output = command.output().expect("it runs");
    std::fs::remove_dir(&shut).expect("it is empty still");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("its folder cannot be written to (Permission denied"), "{err}");
}

#[test]
fn one_executor_at_a_time_writes_to_a_store() {
    let folder = used("store-two");
    let held = Store::lock(&folder.join(".ankus")).expect("a store").expect("nobody has it");
    for arguments in [&["run"][..], &["run", "app"]] {
        let (code, out, err) = ankus(&folder, arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.contains("another executor works on the store `"), "{err}");
        assert!(err.contains(", or stop it, or use `--store`"), "{err}");
    }
    // Whoever only looks is not kept out.
    assert_eq!(statuses(&folder), ["SUCCEEDED", "PREP"]);
    drop(held);
    assert_eq!(ankus(&folder, &["job", "2-W", "start"]).0, 0);
}

#[test]
fn a_mark_that_is_gone_is_missed() {
    let folder = used("store-mark");
    let mark = folder.join(".ankus/acknowledged");
    let told = std::fs::read_to_string(&mark).expect("a mark");
    let remove: &dyn Fn() = &|| std::fs::remove_file(&mark).expect("it goes");
    let garble: &dyn Fn() = &|| std::fs::write(&mark, [0xff, b'x']).expect("it can be written");
    for (spoil, words) in
        [(remove, "acknowledged` is gone, though events"), (garble, "` holds no number, though events")]
    {
        spoil();
        let (code, out, err) = ankus(&folder, &["jobs"]);
        assert_eq!((code, out.lines().count()), (0, 2), "{out}");
        assert!(
            err.starts_with("warning: ") && err.contains(words) && err.contains("nobody would notice"),
            "{err}"
        );
        // What changes the store says it once more, and brings it back.
        let (code, _, err) = ankus(&folder, &["job", "2-W", "suspend"]);
        assert!(code == 1 && err.contains(words), "{err}");
        assert_eq!(std::fs::read_to_string(&mark).expect("a mark"), told);
        assert_eq!(statuses(&folder), ["SUCCEEDED", "PREP"]);
    }
}

/// Sets the permissions of folders and of files, all below a folder.
#[cfg(unix)]
fn allow(folder: &Path, of_folders: u32, of_files: u32) {
    let set = |path: &Path, mode| {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(path, mode).expect("one's own");
    };
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).expect("a folder").flatten().map(|entry| entry.path()));
        }
        set(&path, if path.is_dir() { of_folders } else { of_files });
    }
}

/// Runs the program as somebody who may not write: root may always, and so becomes nobody.
#[cfg(unix)]
fn as_reader(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65_534;
    let mut command = program(folder, arguments);
    if nix::unistd::Uid::effective().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    let output = command.output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[cfg(unix)]
#[test]
fn who_may_only_read_can_look() {
    let text = text(1);
    let folder = project("store-read", &[("app/workflow.xml", &text), ("app/mark.sh", "echo written\n")]);
    assert_eq!(ankus(&folder, &["-q", "run", "app"]).0, 0);
    let store = folder.join(".ankus");
    let looks: [&[&str]; 4] =
        [&["jobs"], &["job", "1-W", "info"], &["job", "1-W", "log"], &["job", "1-W", "definition"]];
    let seen: Vec<_> = looks.iter().map(|arguments| ankus(&folder, arguments)).collect();
    allow(&store, 0o555, 0o444);
    for (arguments, (code, out, err)) in looks.iter().zip(&seen) {
        assert_eq!(as_reader(&folder, arguments), (Some(*code), out.clone(), err.clone()), "{arguments:?}");
        assert!(*code == 0 && !out.is_empty(), "{arguments:?}: {out}");
    }
    let (code, _, err) = as_reader(&folder, &["job", "1-W", "kill"]);
    assert!(code == Some(2) && err.contains("see to the permissions of its folder"), "{err}");
    // Somebody else works on it: its log is read too.
    allow(&store, 0o755, 0o644);
    let held = Store::lock(&store).expect("a store").expect("nobody has it");
    held.set_meta("x", "y").expect("written");
    allow(&store, 0o555, 0o444);
    let (code, out, err) = as_reader(&folder, &["jobs"]);
    assert_eq!((code, &out, err.as_str()), (Some(0), &seen[0].1, ""));
    // Without the file that leads through the log, it cannot be.
    allow(&store, 0o755, 0o644);
    std::fs::copy(store.join("store.sqlite-wal"), folder.join("wal")).expect("a log");
    drop(held);
    std::fs::copy(folder.join("wal"), store.join("store.sqlite-wal")).expect("it can be written");
    allow(&store, 0o555, 0o444);
    let (code, _, err) = as_reader(&folder, &["jobs"]);
    assert!(
        code == Some(2) && err.contains("its log `store.sqlite-wal` holds what is not in it yet"),
        "{err}"
    );
    assert!(err.contains("any command of its owner"), "{err}");
    allow(&store, 0o755, 0o644);
    assert_eq!(ankus(&folder, &["jobs"]), seen[0]);
    assert_eq!(as_reader(&folder, &["jobs"]), (Some(0), seen[0].1.clone(), String::new()));
    allow(&store, 0o000, 0o000);
    let (code, _, err) = as_reader(&folder, &["jobs"]);
    assert!(code == Some(2) && err.contains("it cannot be read (Permission denied"), "{err}");
    allow(&store, 0o755, 0o644);
}

/// The tables of version 1, as they were.
const VERSION_1: &str = "CREATE TABLE event (number INTEGER PRIMARY KEY, at INTEGER NOT NULL, root INTEGER,
    last INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
    CREATE INDEX event_of_root ON event (root, number);
    CREATE TABLE program (key TEXT PRIMARY KEY, recipe TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE job (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, root INTEGER NOT NULL, parent TEXT,
        name TEXT NOT NULL, app_path TEXT NOT NULL, user TEXT NOT NULL, status TEXT NOT NULL, created INTEGER NOT NULL,
        started INTEGER, ended INTEGER, modified INTEGER NOT NULL, external_id TEXT UNIQUE) STRICT;
    CREATE INDEX job_of_root ON job (root, number);
    CREATE TABLE live (root INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE chore (number INTEGER PRIMARY KEY AUTOINCREMENT, root INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
    CREATE TABLE request (number INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, answer TEXT) STRICT;
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    PRAGMA application_id = 0x416e6b6a;
    PRAGMA user_version = 1;";

#[test]
fn a_store_of_the_first_version_opens() {
    for first in [&["jobs"][..], &["job", "2-W", "info"], &["run"]] {
        let folder = used("store-first");
        let (new, old) = (folder.join(".ankus/store.sqlite"), folder.join("old.sqlite"));
        let db = rusqlite::Connection::open(&old).expect("a database");
        db.execute_batch(VERSION_1).expect("its tables");
        db.pragma_update(None, "journal_mode", "WAL").expect("a log");
        db.execute("ATTACH ?1 AS new", [new.to_str().expect("a plain name")]).expect("the other one");
        let columns = [
            ("event", "number, at, root, last, body"),
            ("program", "CAST(key AS TEXT), recipe"),
            (
                "job",
                "number, kind, root, parent, name, app_path, user, status, created, started, ended, modified, external_id",
            ),
            ("live", "root"),
            ("meta", "name, value"),
        ];
        for (table, columns) in columns {
            db.execute(&format!("INSERT INTO {table} SELECT {columns} FROM new.{table}"), [])
                .expect("copied");
        }
        db.execute("DETACH new", []).expect("left");
        drop(db);
        std::fs::rename(&old, &new).expect("moved");
        std::fs::remove_file(folder.join(".ankus/acknowledged")).expect("it had none");
        assert_ne!(ankus(&folder, first).0, 2, "{first:?}");
        assert_eq!(statuses(&folder), ["SUCCEEDED", "PREP"]);
        assert_eq!(ankus(&folder, &["job", "2-W", "start"]).0, 0);
        assert_eq!(ankus(&folder, &["-q", "run"]).0, 0);
        assert_eq!(statuses(&folder), ["SUCCEEDED", "SUCCEEDED"]);
    }
}
