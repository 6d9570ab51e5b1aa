//! The fs action on files of this machine: every operation, every code of its errors, and what is checked before anything is
//! changed.

use std::path::{Path, PathBuf};

use ankus::execute::files;
use ankus::execute::storage::Storage;
use ankus::shell::config::Config;
use ankus::source::Sources;
use ankus::xml;

use crate::support::{folder_of, names_in};

/// A project whose folder `data` stands for `hdfs://nn`, with these files in it.
fn data(name: &str, names: &[&str]) -> (PathBuf, Storage) {
    let files: Vec<_> = names.iter().map(|name| format!("data/{name}")).collect();
    let files: Vec<_> = files.iter().map(|name| (name.as_str(), "x")).collect();
    let folder = folder_of(&format!("files-{name}"), &files);
    let config = "[storage]\n\"hdfs://nn\" = \"data\"\n";
    let config = Config::parse(config, &folder).expect("a configuration");
    let storage = Storage::new(&config, &folder).expect("storage").guarding(&folder.join(".ankus"));
    (folder.join("data"), storage)
}

/// Does what an action says; the code and the words of what went wrong.
fn fs(storage: &Storage, action: &str) -> Result<(), (&'static str, String)> {
    let text = format!("<fs><name-node>hdfs://nn</name-node>{action}</fs>");
    run(storage, &text)
}

fn run(storage: &Storage, text: &str) -> Result<(), (&'static str, String)> {
    let mut sources = Sources::new();
    let root = xml::read(sources.add("action", text), text, &xml::Limits::default()).0.expect("a tree");
    let operations = files::operations(&root, "joe");
    let done = operations.and_then(|operations| files::run(storage, &operations));
    done.map_err(|fault| (fault.code, fault.words))
}

fn code(storage: &Storage, action: &str) -> &'static str {
    fs(storage, action).expect_err(action).0
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().expect("it is there").permissions().mode() & 0o7777
}

#[test]
fn every_operation_does_its_work() {
    let (data, storage) = data("work", &["in/a.txt", "in/b.txt", "in/deep/c.txt", "old/x", "keep/y"]);
    fs(&storage, r#"<mkdir path="/new/deep"/><mkdir path="/in"/><mkdir path="hdfs://nn//new//again/"/>"#)
        .expect("mkdir");
    assert_eq!(names_in(&data.join("new")), ["again", "deep"]);
    fs(&storage, r#"<touchz path="/out/_SUCCESS"/><touchz path="/out/_SUCCESS"/>"#).expect("touchz");
    assert_eq!(std::fs::read(data.join("out/_SUCCESS")).expect("a file"), b"");
    // Into a folder that is there, as HDFS renames, and to a name that is not.
    fs(
        &storage,
        r#"<move source="/in/{a,b}.txt" target="/new"/><move source="/in" target="hdfs://nn/moved"/>"#,
    )
    .expect("move");
    assert_eq!(names_in(&data.join("new")), ["a.txt", "again", "b.txt", "deep"]);
    assert_eq!(names_in(&data.join("moved/deep")), ["c.txt"]);
    fs(&storage, r#"<delete path="/old"/><delete path="/nothing"/><delete path="/new/?.txt"/>"#)
        .expect("delete");
    assert_eq!(names_in(&data), ["keep", "moved", "new", "out"]);
    assert_eq!(names_in(&data.join("new")), ["again", "deep"]);
    // Trash keeps what it has.
    fs(&storage, r#"<delete path="/keep/y" skip-trash="false"/><touchz path="/keep/y"/>"#).expect("trash");
    fs(&storage, r#"<delete path="/keep/y" skip-trash="false"/><delete path="/keep" skip-trash="no"/>"#)
        .expect("trash");
    assert_eq!(names_in(&data.join("user/joe/.Trash/Current/keep")), ["y", "y.1"]);
    assert!(!data.join("keep").exists());
    assert_eq!(fs(&storage, r#"<setrep path="hdfs://nn/moved/deep/c.txt" replication-factor="2"/>"#), Ok(()));
    assert_eq!(fs(&storage, r#"<setrep path="hdfs://nn/nothing" replication-factor="2"/>"#), Ok(()));
}

#[cfg(unix)]
#[test]
fn permissions_reach_as_far_as_they_are_asked_to() {
    let names = ["d/f", "d/sub/g", "e/f", "e/sub/g", "h/f", "p1", "p2"];
    let (data, storage) = data("modes", &names);
    let before = mode(&data.join("e/sub/g"));
    fs(&storage, r#"<chmod path="/d" permissions="-rwxr-x---"><recursive/></chmod>"#).expect("recursive");
    for name in ["d", "d/f", "d/sub", "d/sub/g"] {
        assert_eq!(mode(&data.join(name)), 0o750, "{name}");
    }
    fs(&storage, r#"<chmod path="/e" permissions="700"/>"#).expect("one level");
    for (name, expected) in [("e", 0o700), ("e/f", 0o700), ("e/sub", 0o700), ("e/sub/g", before)] {
        assert_eq!(mode(&data.join(name)), expected, "{name}");
    }
    // Without `dir-files`, the folder alone, recursive or not.
    fs(&storage, r#"<chmod path="/h" permissions="711" dir-files="false"><recursive/></chmod>"#)
        .expect("itself");
    assert_eq!((mode(&data.join("h")), mode(&data.join("h/f"))), (0o711, before));
    fs(&storage, r#"<chmod path="/p[12]" permissions="600"/>"#).expect("a pattern");
    assert_eq!((mode(&data.join("p1")), mode(&data.join("p2"))), (0o600, 0o600));
    // A folder that loses the right to be read is not asked for its files after that.
    fs(&storage, r#"<chmod path="/d" permissions="000"><recursive/></chmod>"#).expect("from below");
    assert_eq!(mode(&data.join("d")), 0);
    fs(&storage, r#"<chmod path="/d" permissions="755"/>"#).expect("back");
    // A link is not followed.
    std::os::unix::fs::symlink("p1", data.join("h/link")).expect("a link");
    fs(&storage, r#"<chmod path="/h" permissions="755"><recursive/></chmod>"#).expect("beside a link");
    assert_eq!(mode(&data.join("p1")), 0o600);
    let own = nix::unistd::Gid::current().to_string();
    fs(&storage, &format!(r#"<chgrp path="/e" group="{own}"><recursive/></chgrp>"#))
        .expect("one's own group");
    let (code, words) = fs(&storage, r#"<chgrp path="/e" group="no-such-group"/>"#).expect_err("no group");
    assert_eq!(code, "IOException", "{words}");
}

#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let (data, storage) = data("bytes", &["in/a", "in/deep/b"]);
    let odd = |bytes: &[u8]| data.join("in/deep").join(std::ffi::OsStr::from_bytes(bytes));
    for name in [&b"\xff\xfe"[..], b"\xc3"] {
        std::fs::write(odd(name), "x").expect("a file");
    }
    fs(&storage, r#"<chmod path="/in" permissions="700"><recursive/></chmod>"#).expect("chmod");
    let own = nix::unistd::Gid::current().to_string();
    fs(&storage, &format!(r#"<chgrp path="/in" group="{own}"><recursive/></chgrp>"#)).expect("chgrp");
    for path in [odd(b"\xff\xfe"), odd(b"\xc3"), data.join("in/a"), data.join("in/deep/b")] {
        assert_eq!(mode(&path), 0o700, "{}", path.display());
    }
    fs(&storage, r#"<mkdir path="/to"/><move source="/in/deep/*" target="/to"/>"#).expect("move");
    assert!(data.join("to").join(std::ffi::OsStr::from_bytes(b"\xff\xfe")).is_file());
    fs(&storage, r#"<delete path="/to/?"/>"#).expect("delete");
    // What is told of them can be read.
    std::fs::create_dir(odd(b"\xfd")).expect("a folder");
    let (code, words) = fs(&storage, r#"<move source="/in/deep/*" target="/in/a"/>"#).expect_err("a file");
    assert_eq!(code, "FS008");
    assert!(words.contains("deep/\u{fffd}") && !words.contains('\u{10fefd}'), "{words}");
    assert_eq!(names_in(&data.join("to")).len(), 1);
}

#[test]
fn every_code_of_a_server_is_told() {
    let (data, storage) = data("codes", &["a", "b", "full", "dir/x", "to/a"]);
    // FS001: no scheme, and no name node that gives one; setrep never takes it from there.
    assert_eq!(run(&storage, r#"<fs><mkdir path="/x"/></fs>"#).expect_err("no scheme").0, "FS001");
    assert_eq!(run(&storage, r#"<fs><name-node>nn</name-node></fs>"#).expect_err("no scheme").0, "FS001");
    assert_eq!(code(&storage, r#"<setrep path="/a" replication-factor="2"/>"#), "FS001");
    assert_eq!(
        code(&storage, r#"<setrep path="hdfs://nn/a" replication-factor="two"/>"#),
        "NumberFormatException"
    );
    assert_eq!(code(&storage, r#"<mkdir path="/a/below"/>"#), "FS004");
    assert_eq!(code(&storage, r#"<delete path="/"/>"#), "FS005");
    std::fs::create_dir_all(data.join("user/joe")).expect("a folder");
    assert_eq!(code(&storage, r#"<delete path="/user" skip-trash="false"/>"#), "FS005");
    assert_eq!(code(&storage, r#"<move source="/nothing" target="/y"/>"#), "FS006");
    assert_eq!(code(&storage, r#"<move source="/no*thing" target="/y"/>"#), "FS006");
    assert_eq!(code(&storage, r#"<move source="/a" target="hdfs://other/y"/>"#), "FS007");
    assert_eq!(code(&storage, r#"<move source="/a" target="file:/y"/>"#), "FS007");
    for target in ["/b", "/to", "/none/y", "/a/below"] {
        assert_eq!(code(&storage, &format!(r#"<move source="/a" target="{target}"/>"#)), "FS008", "{target}");
    }
    assert_eq!(code(&storage, r#"<move source="/dir" target="/dir"/>"#), "FS008");
    assert_eq!(fs(&storage, r#"<move source="/a" target="/a"/>"#), Ok(()));
    assert_eq!(code(&storage, r#"<chmod path="/no*" permissions="700"/>"#), "FS009");
    assert_eq!(code(&storage, r#"<chgrp path="/no" group="g"/>"#), "FS009");
    assert_eq!(code(&storage, r#"<chmod path="/a" permissions="u+x"/>"#), "FS010");
    assert_eq!(code(&storage, r#"<chmod path="/a" permissions="888"/>"#), "NumberFormatException");
    assert_eq!(code(&storage, r#"<mkdir path="relative"/>"#), "FS011");
    assert_eq!(code(&storage, r#"<move source="/a" target="relative"/>"#), "FS011");
    assert_eq!(code(&storage, r#"<move source="/[ab]" target="/none"/>"#), "FS012");
    assert_eq!(code(&storage, r#"<move source="/{a,b}" target="/full"/>"#), "FS012");
    assert_eq!(code(&storage, r#"<touchz path="/dir"/>"#), "Exception");
    assert_eq!(code(&storage, r#"<touchz path="/full"/>"#), "Exception");
    assert_eq!(code(&storage, r#"<mkdir path="hdfs://other/x"/>"#), "E0904");
    assert_eq!(code(&storage, r#"<delete path="/[a"/>"#), "IOException");
    assert_eq!(names_in(&data), ["a", "b", "dir", "full", "to", "user"]);
}

#[test]
fn a_missing_right_has_its_own_code() {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let (data, storage) = data("denied", &["shut/x"]);
        let set = |mode| {
            std::fs::set_permissions(data.join("shut"), PermissionsExt::from_mode(mode)).expect("a mode")
        };
        set(0o555);
        // Whoever may do everything is refused nothing.
        let is_root = nix::unistd::Uid::effective().is_root();
        let told = fs(&storage, r#"<delete path="/shut/x"/>"#).map_err(|(code, _)| code);
        set(0o755);
        assert_eq!(told, if is_root { Ok(()) } else { Err("FS014") });
    }
}

#[test]
fn too_many_matches_are_refused_before_anything_is_changed() {
    let (data, storage) = data("many", &["in/a"]);
    for number in 0..=50_000 {
        std::fs::File::create(data.join(format!("in/n{number}"))).expect("a file");
    }
    assert_eq!(code(&storage, r#"<touchz path="/new"/><delete path="/in/n*"/>"#), "FS013");
    assert_eq!(names_in(&data.join("in")).len(), 50_002);
    assert_eq!(fs(&storage, r#"<delete path="/in/n?"/><delete path="/in/n[1-9]*[0-9]"/>"#), Ok(()));
    assert_eq!((names_in(&data), names_in(&data.join("in"))), (vec!["in".to_owned()], vec!["a".to_owned()]));
}

#[test]
fn all_is_checked_before_anything_is_changed() {
    let (data, storage) = data("before", &["a", "b"]);
    let wrong = [
        (r#"<move source="/nothing" target="/y"/>"#, "FS006"),
        (r#"<move source="/a" target="hdfs://else/y"/>"#, "FS007"),
        (r#"<chmod path="/b" permissions="7"/>"#, "FS010"),
        (r#"<chmod path="/nothing" permissions="700"/>"#, "FS009"),
        (r#"<chgrp path="/nothing/*" group="g"/>"#, "FS009"),
        (r#"<delete path="/*"/>"#, "FS005"),
        (r#"<mkdir path="/../x"/>"#, "E0904"),
        (r#"<touchz path="x"/>"#, "FS011"),
    ];
    for (last, expected) in wrong {
        assert_eq!(
            code(&storage, &format!(r#"<delete path="/a"/><mkdir path="/new"/>{last}"#)),
            expected,
            "{last}"
        );
        assert_eq!(names_in(&data), ["a", "b"], "{last}");
    }
    // What an earlier operation makes is there for a later one.
    let chain = r#"<touchz path="/new/x"/><move source="/new/x" target="/new/y"/><chmod path="/new/y" permissions="600"/>
        <move source="/new" target="/newer"/><delete path="/newer/y"/>"#;
    assert_eq!(fs(&storage, chain), Ok(()));
    assert_eq!(names_in(&data.join("newer")), Vec::<String>::new());
    // And what it takes away is not; that shows when it is its turn.
    assert_eq!(code(&storage, r#"<delete path="/b"/><move source="/b" target="/c"/>"#), "FS006");
    assert_eq!(names_in(&data), ["a", "newer"]);
}
