//! The distcp action: what is copied where, between folders and WebHDFS, and what is left alone.

use std::path::PathBuf;

use ankus::execute::distcp::{self, CopyFault, Counts, arguments};
use ankus::execute::storage::Storage;

use super::run_storage::storage;
use crate::support::namenode::NameNode;
use crate::support::{folder_of, names_in, write_file};

/// Two folders, `hdfs://a` and `hdfs://b`.
fn two(name: &str, files: &[(&str, &str)]) -> (PathBuf, Storage) {
    let folder = folder_of(&format!("distcp-{name}"), files);
    let table = "\"hdfs://a\" = \"a\"\n\"hdfs://b\" = \"b\"\n";
    let storage = storage(&folder, table);
    (folder, storage)
}

fn copy(storage: &Storage, words: &str) -> Result<Counts, CopyFault> {
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    let plan = arguments::read(&words, None, "joe").expect("arguments");
    distcp::run(storage, &plan, &mut std::io::sink(), &|| false)
}

fn counts(storage: &Storage, words: &str) -> (u64, u64, u64) {
    let counts = copy(storage, words).expect(words);
    (counts.copied, counts.skipped, counts.deleted)
}

fn text(folder: &std::path::Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|_| "-".to_owned())
}

#[test]
fn a_folder_becomes_a_new_target_and_goes_into_an_old_one() {
    let files = [("a/in/x", "x"), ("a/in/deep/y", "y"), ("a/in/empty/.keep", "")];
    let (folder, storage) = two("folder", &files);
    std::fs::remove_file(folder.join("a/in/empty/.keep")).expect("a file");
    assert_eq!(counts(&storage, "hdfs://a/in hdfs://b/new"), (2, 0, 0));
    assert_eq!((text(&folder, "b/new/x"), text(&folder, "b/new/deep/y")), ("x".into(), "y".into()));
    assert!(folder.join("b/new/empty").is_dir());
    assert_eq!(counts(&storage, "hdfs://a/in hdfs://b/new"), (2, 0, 0));
    assert_eq!(names_in(&folder.join("b/new")), ["deep", "empty", "in", "x"]);
    // A second time nothing is copied over, whatever it holds.
    std::fs::write(folder.join("a/in/x"), "changed").expect("a file");
    assert_eq!(counts(&storage, "hdfs://a/in hdfs://b/new"), (0, 2, 0));
    assert_eq!(text(&folder, "b/new/in/x"), "x");
}

#[test]
fn files_go_to_a_name_or_into_a_folder() {
    let (folder, storage) = two("files", &[("a/x", "x"), ("a/y", "y"), ("b/there/z", "z"), ("b/old", "old")]);
    assert_eq!(counts(&storage, "hdfs://a/x hdfs://b/name"), (1, 0, 0));
    assert_eq!(counts(&storage, "hdfs://a/x hdfs://b/there"), (1, 0, 0));
    assert_eq!(counts(&storage, "hdfs://a/{x,y} hdfs://b/made/new"), (2, 0, 0));
    assert_eq!(counts(&storage, "hdfs://a/x hdfs://b/old"), (0, 1, 0));
    assert_eq!(counts(&storage, "-overwrite hdfs://a/x hdfs://b/old"), (1, 0, 0));
    assert_eq!(
        (text(&folder, "b/name"), text(&folder, "b/there/x"), text(&folder, "b/old")),
        ("x".into(), "x".into(), "x".into())
    );
    assert_eq!(names_in(&folder.join("b/made/new")), ["x", "y"]);
    write_file(&folder.join("a/list"), "hdfs://a/x\n\n hdfs://a/y\n");
    assert_eq!(counts(&storage, "-f hdfs://a/list hdfs://b/of-list"), (2, 0, 0));
    assert_eq!(names_in(&folder.join("b/of-list")), ["x", "y"]);
}

#[test]
fn marks_come_last_and_leftovers_go() {
    let files = [
        ("a/in/_SUCCESS", ""),
        ("a/in/a", "a"),
        ("a/in/day/_DONE", ""),
        ("a/in/day/z", "z"),
        ("a/in/zz", "zz"),
        ("b/out/.zz.ankus", "half"),
        ("b/out/.other.ankus", "somebody's"),
        ("b/out/day/.z.ankus", "half"),
    ];
    let (folder, storage) = two("marks", &files);
    let words = ["-update", "hdfs://a/in", "hdfs://b/out"].map(str::to_owned);
    let plan = arguments::read(&words, None, "joe").expect("arguments");
    let mut said = Vec::new();
    distcp::run(&storage, &plan, &mut said, &|| false).expect("a copy");
    let said = String::from_utf8(said).expect("text");
    let copied: Vec<_> = said.lines().filter_map(|line| line.split(" to hdfs://b/out/").nth(1)).collect();
    assert_eq!(copied, ["a", "day/z", "zz", "day/_DONE", "_SUCCESS"], "{said}");
    assert_eq!(names_in(&folder.join("b/out")), [".other.ankus", "_SUCCESS", "a", "day", "zz"]);
    assert_eq!(names_in(&folder.join("b/out/day")), ["_DONE", "z"]);
}

#[test]
fn update_and_overwrite_make_the_target_like_the_source() {
    let files = [
        ("a/in/same", "same"),
        ("a/in/longer", "longer"),
        ("a/in/other", "abc"),
        ("a/in/deep/new", "new"),
        ("b/out/same", "same"),
        ("b/out/longer", "long"),
        ("b/out/other", "xyz"),
        ("b/out/extra/x", "x"),
        ("b/out/deep/extra", "x"),
    ];
    let (folder, storage) = two("update", &files);
    assert_eq!(counts(&storage, "-update -skipcrccheck hdfs://a/in hdfs://b/out"), (2, 2, 0));
    assert_eq!(text(&folder, "b/out/other"), "xyz");
    assert_eq!(counts(&storage, "-update -delete -prbugp hdfs://a/in hdfs://b/out"), (1, 3, 2));
    assert_eq!(text(&folder, "b/out/other"), "abc");
    assert_eq!(names_in(&folder.join("b/out")), ["deep", "longer", "other", "same"]);
    assert_eq!(names_in(&folder.join("b/out/deep")), ["new"]);
    assert_eq!(counts(&storage, "-overwrite hdfs://a/in hdfs://b/out"), (4, 0, 0));
    assert_eq!(counts(&storage, "-update hdfs://a/in hdfs://b/out"), (0, 4, 0));
    // All of a storage may be the target; what is deleted there is what the source lacks.
    assert_eq!(counts(&storage, "-update -delete hdfs://a/in hdfs://b"), (4, 0, 1));
    assert_eq!(names_in(&folder.join("b")), ["deep", "longer", "other", "same"]);
}

#[test]
fn what_cannot_be_copied_is_said_before_anything_is() {
    let files =
        [("a/one/same", "1"), ("a/two/same", "2"), ("a/file", "f"), ("b/file", "b"), ("b/kind/same/x", "")];
    let (folder, storage) = two("refused", &files);
    for (words, expected) in [
        ("hdfs://a/nothing hdfs://b/x", "doesn't exist"),
        ("hdfs://a/file hdfs://a/no* hdfs://b/x", "doesn't exist"),
        ("hdfs://a/one hdfs://b/file", "which is not a file to"),
        ("hdfs://a/one hdfs://a/two hdfs://b/file", "Multiple source being copied to a file"),
        ("-update hdfs://a/one hdfs://a/two hdfs://b/x", "would cause duplicates"),
        ("hdfs://a/one hdfs://c/x", "no folder stands for"),
        ("hdfs://a/one hdfs://b/../x", "leads out"),
        ("hdfs://a/{../../x,y} hdfs://b/x", "leads out"),
        ("-f hdfs://a/none hdfs://b/x", "does not exist"),
    ] {
        let told = copy(&storage, words).expect_err(words).to_string();
        assert!(told.contains(expected), "{words}: {told}");
        assert_eq!(names_in(&folder.join("b")), ["file", "kind"], "{words}");
    }
    let told = copy(&storage, "-update hdfs://a/one hdfs://b/kind").expect_err("kinds").to_string();
    assert!(told.contains("Can't replace hdfs://b/kind/same. Target is dir, Source is file"), "{told}");
    assert_eq!(text(&folder, "b/kind/same/x"), "");
    // The executor's own store is not written to.
    write_file(&folder.join(".ankus/store.sqlite"), "store");
    let own = format!("-overwrite hdfs://a/file file:{}/.ankus/store.sqlite", folder.display());
    let told = copy(&storage, &own).expect_err("the store").to_string();
    assert!(told.contains("belongs to the store"), "{told}");
    assert_eq!(text(&folder, ".ankus/store.sqlite"), "store");
}

#[cfg(unix)]
#[test]
fn links_are_not_copied_and_failures_may_be_let_pass() {
    let (folder, storage) = two("links", &[("a/in/x", "x"), ("kept/secret", "s"), ("b/out/x/y", "")]);
    std::os::unix::fs::symlink(folder.join("kept/secret"), folder.join("a/in/out")).expect("a link");
    std::os::unix::fs::symlink("x", folder.join("a/in/inside")).expect("a link");
    assert_eq!(counts(&storage, "hdfs://a/in hdfs://b/new"), (1, 0, 0));
    assert_eq!(names_in(&folder.join("b/new")), ["x"]);
    // A link in the target is taken for what it is, and leads nowhere.
    std::os::unix::fs::symlink(folder.join("kept"), folder.join("b/trap")).expect("a link");
    copy(&storage, "hdfs://a/in hdfs://b/trap/in").expect_err("it leads out");
    assert_eq!(names_in(&folder.join("kept")), ["secret"]);
    assert_eq!(counts(&storage, "-update -delete hdfs://a/in hdfs://b"), (1, 0, 3));
    assert_eq!(names_in(&folder.join("kept")), ["secret"]);
}

#[test]
fn it_ends_when_it_is_killed() {
    let (folder, storage) = two("killed", &[("a/in/x", "x"), ("a/in/y", "y")]);
    let words = ["hdfs://a/in".to_owned(), "hdfs://b/out".to_owned()];
    let plan = arguments::read(&words, None, "joe").expect("arguments");
    let asked = std::cell::Cell::new(0);
    let is_killed = || {
        asked.set(asked.get() + 1);
        asked.get() > 2
    };
    let told = distcp::run(&storage, &plan, &mut std::io::sink(), &is_killed);
    assert_eq!(told, Err(CopyFault::Killed));
    assert_eq!(names_in(&folder.join("b/out")), ["x"]);
}

#[test]
fn files_go_from_any_kind_to_any_other() {
    let near = NameNode::with(&[("in/x", "x"), ("in/deep/y", "yy")]);
    let far = NameNode::with(&[("out/old", "old")]);
    let folder = folder_of("distcp-kinds", &[("local/z", "zzz")]);
    let table = format!(
        "\"hdfs://near\" = {{ webhdfs = \"{}\" }}\n\"hdfs://far\" = {{ webhdfs = \"{}\" }}\n\"s3a://bucket\" = \"local\"\n",
        near.address(),
        far.address()
    );
    let storage = storage(&folder, &table);
    assert_eq!(counts(&storage, "-update -delete hdfs://near/in hdfs://far/out"), (2, 0, 1));
    assert_eq!((far.text("out/x"), far.text("out/deep/y")), (Some("x".into()), Some("yy".into())));
    assert_eq!(counts(&storage, "-update hdfs://near/in hdfs://far/out"), (0, 2, 0));
    assert_eq!(counts(&storage, "hdfs://near/in hdfs://far/out/deep s3a://bucket"), (3, 0, 0));
    assert_eq!(names_in(&folder.join("local")), ["deep", "in", "z"]);
    assert_eq!(text(&folder, "local/in/deep/y"), "yy");
    assert_eq!(counts(&storage, "s3a://bucket/z hdfs://near/up/z"), (1, 0, 0));
    assert_eq!(near.text("up/z").as_deref(), Some("zzz"));
}

#[test]
fn the_action_runs_by_itself_and_by_a_command() {
    let nodes = |arguments: &str| {
        format!(
            r#"<start to="copy"/><action name="copy"><distcp xmlns="uri:oozie:distcp-action:1.0">
            <resource-manager>local</resource-manager><name-node>hdfs://nn</name-node>
            <prepare><delete path="hdfs://nn/out"/></prepare>{arguments}</distcp>
            <ok to="end"/><error to="fail"/></action>"#
        )
    };
    let config = "[paths]\n\"hdfs://nn/apps\" = \".\"\n[storage]\n\"hdfs://nn\" = \"data\"\n";
    let run = |name: &str, config: &str, arguments: &str| {
        let text = super::run::workflow("w", &nodes(arguments));
        let files =
            [("ankus.toml", config), ("app/workflow.xml", &text), ("data/in/x", "x"), ("data/out/old", "")];
        let folder = folder_of(&format!("distcp-run-{name}"), &files);
        let output = super::run::program(&folder, &["run", "app"]).output().expect("it runs");
        let told = super::run::program(&folder, &["job", "1-W", "info"]).output().expect("it runs");
        let log = super::run::program(&folder, &["job", "1-W", "log"]).output().expect("it runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (folder, output.status.code(), text(told.stdout), text(log.stdout))
    };
    let (folder, code, info, log) =
        run("own", config, "<arg>-m</arg><arg>3</arg><arg>/in</arg><arg>hdfs://nn/out</arg>");
    assert_eq!(code, Some(0), "{info}");
    assert_eq!(names_in(&folder.join("data/out")), ["x"]);
    assert!(
        log.contains("copied hdfs://nn/in/x to hdfs://nn/out/x") && log.contains("`-m` does not count"),
        "{log}"
    );
    let (folder, code, info, _) = run("wrong", config, "<arg>-atomic</arg><arg>/in</arg><arg>/out</arg>");
    assert_eq!(code, Some(1), "{info}");
    assert!(info.contains("JA018") && info.contains("-atomic"), "{info}");
    assert_eq!(names_in(&folder.join("data/out")), ["old"]);
    let (folder, code, info, _) = run("gone", config, "<arg>/nothing</arg><arg>/out</arg>");
    assert_eq!(code, Some(1), "{info}");
    assert!(info.contains("doesn't exist"), "{info}");
    assert!(!folder.join("data/out").exists());
    let given = format!("{config}[run.commands]\ndistcp = [\"sh\", \"-c\", \"echo $0 $1\", \"{{arg}}\"]\n");
    let (folder, code, _, log) = run("given", &given, "<arg>/in</arg><arg>/out</arg>");
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("/in /out") && !folder.join("data/out").exists(), "{log}");
}
