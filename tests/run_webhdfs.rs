//! Storage over WebHDFS, against a small server in memory: every operation, redirects, and every kind of error.

use std::path::Path;
use std::time::Duration;

use ankus::engine::{Outside, TroubleKind};
use ankus::execute::clock::JumpingClock;
use ankus::execute::executor::Stop;
use ankus::execute::files::{self, FilesFault, Operation};
use ankus::execute::storage::Storage;
use ankus::execute::storage::backend::{Backend, Patience, Summary};
use ankus::execute::storage::fault::{StorageFault, Why};
use ankus::execute::storage::webhdfs::Webhdfs;
use ankus::plan::coordinator::Exists;
use ankus::report::run_lines::Heard;

use super::run_storage::storage;
use ankus::time::Instant;

use crate::support::namenode::{Instead, Mood, NameNode};
use crate::support::{ankus, executor, folder_of};

/// The storage of a project whose `hdfs://nn` is a server.
fn mapped(name: &str, server: &NameNode) -> Storage {
    let folder = folder_of(&format!("webhdfs-{name}"), &[]);
    let table = format!("\"hdfs://nn\" = {{ webhdfs = \"{}\", user = \"joe & co\" }}\n", server.address());
    storage(&folder, &table)
}

fn delete(storage: &Storage, uri: &str) -> Result<(), FilesFault> {
    files::run(storage, &[Operation::Delete(uri.to_owned())])
}

fn read(backend: &dyn Backend, path: &str) -> String {
    let mut text = String::new();
    backend.open(path).expect("it opens").read_to_string(&mut text).expect("it is read");
    text
}

#[test]
fn every_operation_is_asked_as_the_interface_has_it() {
    let server = NameNode::with(&[("a/b", "text"), ("a/odd %&?#+ü", "odd")]);
    let backend = Webhdfs::new(&server.address(), "", "joe & co");
    let status = backend.status("a/b").expect("it answers").expect("it is there");
    assert_eq!((status.length, status.is_folder, status.block_size), (4, false, Some(67_108_864)));
    assert_eq!(backend.status("a/none").expect("it answers"), None);
    assert_eq!(backend.status("a/b/below").expect("it answers"), None);
    let names = |path: &str| -> Vec<String> {
        backend.list(path).expect("a list").into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(names("a"), ["b", "odd %&?#+ü"]);
    assert_eq!(names(""), ["a"]);
    assert_eq!((read(&backend, "a/b").as_str(), read(&backend, "a/odd %&?#+ü").as_str()), ("text", "odd"));
    let mut end = String::new();
    backend.open_at("a/b", 2).expect("it opens").read_to_string(&mut end).expect("it is read");
    assert_eq!(end, "xt");
    backend.mkdirs("new/deep").expect("made");
    backend.create("new/deep/file", &mut &b"content"[..]).expect("written");
    backend.create("new/deep/file", &mut &b"other"[..]).expect("written over");
    backend.create("new/empty", &mut std::io::empty()).expect("written");
    assert_eq!(server.text("new/deep/file").as_deref(), Some("other"));
    assert_eq!(server.text("new/empty").as_deref(), Some(""));
    assert_eq!(backend.summary("new").expect("a summary"), Summary { folders: 2, files: 2, length: 5 });
    backend.rename("new", "old").expect("renamed");
    backend.set_mode("old/empty", 0o1750).expect("set");
    backend.set_group("old/empty", "my group").expect("set");
    backend.set_replication("old/empty", 5).expect("set");
    backend.set_times("old/empty", 1234).expect("set");
    let node = server.state().nodes["old/empty"].clone();
    assert_eq!(
        (node.mode.as_str(), node.group.as_str(), node.copies, node.modified),
        ("1750", "my group", 5, 1234)
    );
    assert!(backend.delete("old").expect("deleted") && !backend.delete("old").expect("asked"));
    assert_eq!(server.paths(), ["a", "a/b", "a/odd %&?#+ü"]);
    let asked = server.state().asked.clone();
    assert!(asked.iter().all(|line| line.contains("user.name=joe%20%26%20co")), "{asked:?}");
    assert!(
        asked.iter().any(|line| line.starts_with("data: GET /a/odd%20%25%26%3F%23%2B%C3%BC?op=OPEN")),
        "{asked:?}"
    );
    assert!(asked.iter().any(|line| line.starts_with("PUT /new?op=RENAME&destination=%2Fold&")), "{asked:?}");
}

#[test]
fn the_fs_action_works_on_it() {
    let server = NameNode::with(&[("in/a.txt", "a"), ("in/b.txt", "b"), ("user/joe/x/y", "y")]);
    let storage = mapped("fs", &server);
    let work = [
        Operation::Mkdir("hdfs://nn/out".into()),
        Operation::Touchz("hdfs://nn/out/_SUCCESS".into()),
        Operation::Move { source: "hdfs://nn/in/*.txt".into(), target: "hdfs://nn/out".into() },
        Operation::Chmod {
            path: "hdfs://nn/out".into(),
            permissions: "700".into(),
            dir_files: true,
            recursive: true,
        },
        Operation::Setrep { path: "hdfs://nn/out/a.txt".into(), copies: 1 },
        Operation::Trash { path: "hdfs://nn/user/joe/x".into(), user: "joe".into() },
    ];
    files::run(&storage, &work).expect("it works");
    assert_eq!(server.text("out/a.txt").as_deref(), Some("a"));
    assert_eq!(server.text("user/joe/.Trash/Current/user/joe/x/y").as_deref(), Some("y"));
    assert!(
        server
            .state()
            .nodes
            .iter()
            .filter(|(path, _)| path.starts_with("out"))
            .all(|(_, node)| node.mode == "700")
    );
    assert_eq!(server.state().nodes["out/a.txt"].copies, 1);
    assert!(storage.exists("hdfs://nn/out/_SUCCESS") && !storage.exists("hdfs://nn/in/a.txt"));
    assert_eq!(storage.files("hdfs://nn/out").len(), 4);
    delete(&storage, "hdfs://nn/out/?.txt").expect("deleted");
    assert_eq!(server.text("out/a.txt"), None);
    // Names that would lead out are not even asked for, and what lies at the root is not deleted.
    let before = server.state().asked.len();
    for (uri, code) in [
        ("hdfs://nn/../x", "E0904"),
        ("hdfs://nn/", "FS005"),
        ("hdfs://nn/*", "FS005"),
        ("hdfs://nn/user", "FS005"),
        ("hdfs://nn/out/../user", "E0904"),
    ] {
        assert_eq!(delete(&storage, uri).expect_err(uri).code, code, "{uri}");
    }
    assert_eq!(server.state().asked.len(), before);
    assert_eq!(delete(&storage, "hdfs://nn/us*").expect_err("a folder at the root").code, "FS005");
    assert!(server.paths().contains(&"user/joe/.Trash/Current/user/joe/x/y".to_owned()));
}

#[test]
fn a_mapping_may_stand_for_a_folder_of_the_server() {
    let server = NameNode::with(&[("base/below/a", "a"), ("else/b", "b"), ("data/c", "c")]);
    let folder = folder_of("webhdfs-base", &[]);
    let address = server.address();
    let table = format!(
        "\"viewfs://all/logs\" = {{ webhdfs = \"{address}/base/below/\" }}\n\
         \"hdfs://nn/data\" = {{ webhdfs = \"{address}\" }}\n"
    );
    let storage = storage(&folder, &table);
    assert!(storage.exists("viewfs://all/logs/a") && !storage.exists("viewfs://all/logs/b"));
    // Without a folder in the address, the path of the beginning itself.
    assert!(storage.exists("hdfs://nn/data/c"));
    files::run(
        &storage,
        &[Operation::Move { source: "hdfs://nn/data/c".into(), target: "hdfs://nn/data/d".into() }],
    )
    .expect("moved");
    assert_eq!(server.text("data/d").as_deref(), Some("c"));
    let refused = |operation: Operation| files::run(&storage, &[operation]).expect_err("refused").code;
    assert_eq!(refused(Operation::Delete("hdfs://nn/else".into())), "E0904");
    assert_eq!(refused(Operation::Delete("hdfs://nn/data".into())), "FS005");
    let moved = Operation::Move { source: "viewfs://all/logs/a".into(), target: "viewfs://all/x".into() };
    assert_eq!(refused(moved), "E0904");
}

#[test]
fn errors_keep_their_meaning() {
    let server = NameNode::with(&[("a/b/c", "x"), ("a/d", "x")]);
    let storage = mapped("errors", &server);
    let cases = [
        (403, "AccessControlException", "FS014", TroubleKind::Error),
        (401, "SecurityException", "FS014", TroubleKind::Error),
        (403, "SafeModeException", "JA005", TroubleKind::Transient),
        (403, "NSQuotaExceededException", "JA004", TroubleKind::NonTransient),
        (403, "DiskOutOfSpaceException", "JA003", TroubleKind::NonTransient),
        (403, "StandbyException", "JA006", TroubleKind::Transient),
        (403, "RetriableException", "JA006", TroubleKind::Transient),
        (400, "IllegalArgumentException", "IllegalArgumentException", TroubleKind::Error),
        (400, "UnsupportedOperationException", "UnsupportedOperationException", TroubleKind::Error),
        (403, "IOException", "IOException", TroubleKind::Error),
        (500, "NullPointerException", "IOException", TroubleKind::Error),
    ];
    for (status, class, code, kind) in cases {
        server.next(Instead::Exception(status, class, "no luck\nat org.apache"));
        let told = delete(&storage, "hdfs://nn/a/b").expect_err(class);
        assert_eq!((told.code, told.kind), (code, kind), "{class}");
        assert!(
            told.words.contains(&format!("{class}: no luck")) && !told.words.contains("org.apache"),
            "{}",
            told.words
        );
        assert!(server.paths().contains(&"a/b/c".to_owned()), "{class}");
    }
    // An error while it is deleted has the code of the operation.
    server.state().instead.push_back(Instead::Body(200, r#"{"FileStatus":{"type":"DIRECTORY"}}"#));
    server.state().instead.push_back(Instead::Body(200, r#"{"FileStatus":{"type":"DIRECTORY"}}"#));
    server.next(Instead::Exception(403, "PathIsNotEmptyDirectoryException", "it is not empty"));
    assert_eq!(delete(&storage, "hdfs://nn/a/b").expect_err("refused").code, "FS005");
    assert_eq!(server.state().instead.len(), 0);
    let mkdir = Operation::Mkdir("hdfs://nn/a/d/below".into());
    assert_eq!(files::run(&storage, &[mkdir]).expect_err("a file stands above").code, "FS004");
}

#[test]
fn a_cluster_that_starts_is_tried_again_and_whoever_is_away_is_named() {
    let server = NameNode::with(&[("a/b", "x")]);
    let backend = Webhdfs::new(&server.address(), "", "joe");
    let told = |found: StorageFault| (found.why.kind(), found.words);
    for (mood, reads, writes) in [
        (
            Mood::Starting,
            Some("RetriableException: NameNode still not started"),
            "NameNode still not started",
        ),
        (
            Mood::NoDataNode,
            Some("IOException: Failed to find datanode"),
            "IOException: Failed to find datanode",
        ),
        (Mood::NoBlocks, Some("SafeModeException: Zero blocklocations for /a/b."), "in safe mode"),
        (Mood::Safe, None, "SafeModeException: Cannot create directory"),
        (
            Mood::DataNodeGone,
            Some("the data node `http://127.0.0.1:1`"),
            "the data node `http://127.0.0.1:1`",
        ),
    ] {
        server.state().mood = mood;
        if let Some(words) = reads {
            let (kind, said) = told(backend.open("a/b").map(|_| ()).expect_err("not now"));
            assert_eq!(kind, TroubleKind::Transient, "{mood:?}: {said}");
            assert!(said.contains(words), "{mood:?}: {said}");
        }
        let (kind, said) = told(backend.create("a/c", &mut &b"text"[..]).expect_err("not now"));
        assert_eq!(kind, TroubleKind::Transient, "{mood:?}: {said}");
        assert!(said.contains(writes) && !said.contains("(os error 11)"), "{mood:?}: {said}");
    }
    server.state().mood = Mood::Well;
    assert_eq!(server.paths(), ["a", "a/b"]);
    let limit = Duration::from_millis(100);
    let patience = Patience { connect: limit, answer: limit };
    let patient = Webhdfs::patient(&server.address(), "", "joe", patience);
    server.next(Instead::Silence);
    let (kind, said) = told(patient.status("a").expect_err("it is silent"));
    assert_eq!(
        (kind, said),
        (TroubleKind::Transient, format!("`{}` timed out after 0.1 s", server.address()))
    );
}

/// What a name node refuses in any mood: the fault, and its words up to what names the machine. The real one is asked the
/// same (`parts`).
pub fn refusals(owner: &dyn Backend, other: &dyn Backend) {
    owner.mkdirs("refused").expect("made");
    owner.create("refused/file", &mut &b"text"[..]).expect("written");
    for (found, why, words) in [
        (
            other.set_mode("refused/file", 0o600),
            Why::Denied,
            "AccessControlException: Permission denied. user=joe is not the owner of inode=file",
        ),
        (
            owner.set_replication("refused/file", 600),
            Why::Io,
            "IOException: file /refused/file. Requested replication 600 exceeds maximum 512",
        ),
        (owner.list("refused/none").map(|_| ()), Why::NotFound, "FileNotFoundException: File "),
        (
            owner.mkdirs("refused/file/below"),
            Why::Exists,
            "FileAlreadyExistsException: Parent path is not a directory: /refused/file below",
        ),
    ] {
        let found = found.expect_err(words);
        assert_eq!(found.why, why, "{}", found.words);
        assert!(found.words.starts_with(words), "{}, not {words}", found.words);
    }
}

#[test]
fn the_small_name_node_refuses_as_the_real_one() {
    let server = NameNode::with(&[("a/b", "x")]);
    let [owner, other] = ["oozie", "joe"].map(|user| Webhdfs::new(&server.address(), "", user));
    refusals(&owner, &other);
    let found = other.set_group("a/b", "hadoop").expect_err("not a group of joe's");
    assert_eq!(
        (found.why, found.words.as_str()),
        (Why::Denied, "AccessControlException: User does not belong to hadoop")
    );
}

#[test]
fn what_is_made_has_the_permissions_of_a_client_of_hadoop() {
    let server = NameNode::with(&[]);
    let backend = Webhdfs::new(&server.address(), "", "joe");
    backend.mkdirs("folder/deep").expect("made");
    backend.create("folder/file", &mut &b"text"[..]).expect("written");
    backend.create("folder/empty", &mut std::io::empty()).expect("written");
    let mode = |path: &str| backend.status(path).expect("asked").expect("there").mode;
    assert_eq!(mode("folder/deep"), Some(0o755));
    assert_eq!((mode("folder/file"), mode("folder/empty")), (Some(0o644), Some(0o644)));
}

#[test]
fn what_is_no_webhdfs_is_not_taken_for_an_empty_one() {
    let server = NameNode::with(&[("a/b", "x")]);
    let backend = Webhdfs::new(&server.address(), "", "joe");
    for (status, body, why) in [
        (404, "<html>no such page</html>", Why::Connect),
        (200, "<html>welcome</html>", Why::Io),
        (200, "{}", Why::Io),
        (200, "", Why::Io),
        (401, "who are you?", Why::Denied),
        (503, "", Why::Connect),
        (302, "", Why::Io),
    ] {
        server.next(Instead::Body(status, body));
        assert_eq!(backend.status("a/b").expect_err(body).why, why, "{status} {body}");
    }
    for names in ["../x", "..", "a/b", ""] {
        let body = format!(
            r#"{{"FileStatuses":{{"FileStatus":[{{"pathSuffix":"{names}","type":"FILE","length":1}}]}}}}"#
        );
        server.next(Instead::Body(200, Box::leak(body.into_boxed_str())));
        assert_eq!(backend.list("a").expect_err(names).why, Why::Io, "{names}");
    }
    server.next(Instead::Close);
    assert_eq!(backend.status("a/b").expect_err("nobody answers").why, Why::Connect);
    // Neither a redirect to elsewhere nor one to nowhere is taken.
    server.next(Instead::Body(307, ""));
    assert!(backend.open("a/b").is_err());
    server.next(Instead::Body(200, ""));
    assert!(backend.create("a/c", &mut &b"x"[..]).is_err());
    assert_eq!(server.paths(), ["a", "a/b"]);
}

#[test]
fn nobody_there_is_transient() {
    let server = NameNode::with(&[("a/b", "x")]);
    let storage = mapped("refused", &server);
    let limit = Duration::from_millis(100);
    let patience = Patience { connect: limit, answer: limit };
    let patient = Webhdfs::patient(&server.address(), "", "joe", patience);
    server.next(Instead::Silence);
    assert_eq!(patient.status("a").expect_err("it is silent").why, Why::Connect);
    let address = server.address();
    drop(server);
    let told = delete(&storage, "hdfs://nn/a/b").expect_err("nobody is there");
    assert_eq!((told.code, told.kind), ("JA006", TroubleKind::Transient), "{}", told.words);
    assert!(told.words.contains(&address), "{}", told.words);
    // Who only looks is told that it could not be seen, which is not that nothing is there.
    assert!(storage.take_trouble().is_none());
    assert!(!storage.exists("hdfs://nn/a/b") && storage.take_trouble().is_some());
    assert!(storage.files("hdfs://nn/a/b").is_empty() && storage.take_trouble().is_some());
    // Where nothing stands there is nothing, which is another thing to be told.
    assert!(!storage.exists("hdfs://other/a/b"));
    assert_eq!(storage.take_trouble().map(|fault| fault.why), Some(Why::Unmapped));
}

#[test]
fn a_broken_write_leaves_what_was_there() {
    struct Broken(usize);
    impl std::io::Read for Broken {
        fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
            if self.0 == 0 {
                return Err(std::io::Error::other("the source is gone"));
            }
            self.0 -= 1;
            bytes[0] = b'x';
            Ok(1)
        }
    }
    let server = NameNode::with(&[("a/b", "before")]);
    let backend = Webhdfs::new(&server.address(), "", "joe");
    backend.create("a/b", &mut Broken(3)).expect_err("it breaks");
    assert_eq!(server.text("a/b").as_deref(), Some("before"));
    server.next(Instead::Exception(403, "QuotaExceededException", "full"));
    assert_eq!(backend.create("a/b", &mut &b"after"[..]).expect_err("it is full").why, Why::Quota);
    assert_eq!(server.text("a/b").as_deref(), Some("before"));
    backend.create("a", &mut &b"after"[..]).expect_err("it is a folder");
    assert_eq!(server.paths(), ["a", "a/b"]);
}

/// A project over a server, with a workflow of these nodes.
pub fn project(name: &str, address: &str, nodes: &str) -> std::path::PathBuf {
    let config = format!(
        "[paths]\n\"hdfs://nn/apps\" = \".\"\n[storage]\n\"hdfs://nn\" = {{ webhdfs = \"{address}\" }}\n"
    );
    let text = super::run::workflow("w", nodes);
    folder_of(&format!("webhdfs-{name}"), &[("ankus.toml", &config), ("app/workflow.xml", &text)])
}

fn path(folder: &Path) -> &str {
    folder.to_str().expect("a path")
}

const NODES: &str = r#"<start to="look"/><decision name="look"><switch>
    <case to="make">${fs:exists('hdfs://nn/in/_SUCCESS') and fs:dirSize('hdfs://nn/in') eq 5 and
        fs:fileSize('hdfs://nn/in/a') eq 5 and fs:blockSize('hdfs://nn/in/a') eq 67108864 and fs:isDir('hdfs://nn/in') and not fs:exists('hdfs://nn/out')}</case>
    <default to="fail"/></switch></decision>
    <action name="make"><fs><mkdir path="/out"/><move source="/in/a" target="/out"/></fs><ok to="end"/>
    <error to="fail"/></action>"#;

#[test]
fn a_workflow_runs_over_it_and_only_run_reaches_it() {
    let server = NameNode::with(&[("in/_SUCCESS", ""), ("in/a", "12345")]);
    let folder = project("run", &server.address(), NODES);
    let app = folder.join("app");
    // What only plans or plays reaches nothing.
    for command in ["plan", "simulate", "check"] {
        ankus(&[command, path(&app)]);
        assert_eq!(server.state().asked, Vec::<String>::new(), "{command}");
    }
    let output = super::run::program(&folder, &["run", "app"]).output().expect("it runs");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{out} {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(server.paths(), ["in", "in/_SUCCESS", "out", "out/a"]);
    // As the user that the job has by default.
    assert!(server.state().asked.iter().all(|line| line.contains("user.name=oozie")));
}

#[test]
fn storage_that_is_away_for_a_while_is_waited_for() {
    let nodes = r#"<start to="look"/><decision name="look"><switch>
        <case to="make">${not fs:exists('hdfs://nn/out')}</case><default to="fail"/></switch></decision>
        <action name="make"><fs><mkdir path="/out"/></fs><ok to="end"/><error to="fail"/></action>"#;
    let server = NameNode::with(&[("in/a", "x")]);
    let folder = project("away", &server.address(), nodes);
    let app = folder.join("app/workflow.xml");
    let place = executor::place(&app, &folder.join(".ankus"));
    // The decision does not see that nothing can be seen, and the action is tried again by itself.
    let standby = Instead::Exception(403, "StandbyException", "not me");
    server.state().instead.extend([standby.clone(), standby.clone(), Instead::Right, standby]);
    let clock = JumpingClock::at(Instant::EPOCH, true);
    let mut heard = Vec::new();
    let mut hear = |told: Heard<'_>| heard.push(format!("{:?}", told.recorded.event));
    let options = executor::options(&[]);
    let life = executor::Life { app: &app, place: &place, clock: &clock, options, until: None, watch: None };
    assert_eq!(life.live(&mut hear).expect("it lives"), Stop::Done);
    let remark = place.read().expect("a store").meta("unreached").expect("a remark");
    assert_eq!(remark.as_deref(), Some(""));
    let looks = heard.iter().filter(|event| event.starts_with("Looked")).count();
    let troubles: Vec<_> = heard.iter().filter(|event| event.starts_with("NodeTrouble")).collect();
    assert_eq!((looks, troubles.len()), (1, 1), "{heard:#?}");
    assert!(troubles[0].contains("Transient") && troubles[0].contains("JA006"), "{troubles:?}");
    assert_eq!(server.paths(), ["in", "in/a", "out"]);
}
