//! Where URIs lie when apps run here: what is reached, what is not left, what is never deleted.

use std::path::{Path, PathBuf};

use ankus::engine::Outside;
use ankus::execute::files::{self, Operation};
use ankus::execute::storage::Storage;
use ankus::execute::storage::fault::Why;
use ankus::plan::coordinator::Exists;
use ankus::shell::config::Config;

use crate::support::{ankus, folder_of, names_in};

/// A storage of a project with this table.
pub fn storage(folder: &Path, table: &str) -> Storage {
    let config = Config::parse(&format!("[storage]\n{table}"), folder).expect("a configuration");
    Storage::new(&config, folder).expect("storage").guarding(&folder.join(".ankus"))
}

fn project(name: &str, files: &[&str]) -> (PathBuf, Storage) {
    let files: Vec<_> = files.iter().map(|name| (*name, "x")).collect();
    let folder = folder_of(&format!("storage-{name}"), &files);
    let storage = storage(&folder, "\"hdfs://nn\" = \"data\"\n\"hdfs://nn/special\" = \"other/special\"\n");
    (folder, storage)
}

fn why(storage: &Storage, uri: &str) -> Result<bool, Why> {
    let found = storage.spot(uri).and_then(|spot| spot.status());
    found.map(|status| status.is_some()).map_err(|fault| fault.why)
}

fn delete(storage: &Storage, uri: &str) -> Result<(), &'static str> {
    files::run(storage, &[Operation::Delete(uri.to_owned())]).map_err(|fault| fault.code)
}

#[test]
fn uris_lead_where_the_table_says() {
    let (folder, storage) = project("where", &["data/a/b", "other/special/c", "app/d"]);
    let own = format!("{}/app/d", folder.display());
    for uri in [
        "hdfs://nn/a/b",
        " hdfs://nn//a/./b/ ",
        "hdfs://nn/special/c",
        "hdfs://nn",
        &own,
        &format!("file:{own}"),
        &format!("file://{own}"),
    ] {
        assert_eq!(why(&storage, uri), Ok(true), "{uri}");
        assert!(storage.exists(uri), "{uri}");
    }
    for uri in ["hdfs://nn/nothing", "hdfs://nn/a/b/c", "hdfs://nn/special/a"] {
        assert_eq!(why(&storage, uri), Ok(false), "{uri}");
    }
    for uri in [
        "hdfs://nn2/a",
        "hdfs://nnx",
        "s3a://nn/a",
        "/etc/passwd",
        "file:///etc/passwd",
        "file:/",
        "hcat://h/d/t/p=1",
    ] {
        assert_eq!(why(&storage, uri), Err(Why::Unmapped), "{uri}");
        assert!(!storage.exists(uri), "{uri}");
    }
    for uri in ["a/b", "", "."] {
        assert_eq!(why(&storage, uri), Err(Why::Relative), "{uri}");
    }
    // What `fs:…` sees: the thing itself, what a folder holds, what a pattern stands for.
    let see = |uri: &str| storage.files(uri);
    assert_eq!(see("hdfs://nn/a"), [("hdfs://nn/a".to_owned(), None), ("hdfs://nn/a/b".to_owned(), Some(1))]);
    assert_eq!(see("hdfs://nn/{a,z}/*"), [("hdfs://nn/a/b".to_owned(), Some(1))]);
    assert_eq!(see(&own), [(own.clone(), Some(1))]);
    assert_eq!(see("hdfs://nn/[x"), []);
}

#[test]
fn names_do_not_lead_out() {
    let (folder, storage) = project("names", &["data/a", "kept/secret"]);
    for uri in [
        "hdfs://nn/..",
        "hdfs://nn/../kept/secret",
        "hdfs://nn/a/../../kept/secret",
        "hdfs://nn/special/../../kept",
        &format!("file:{}/../x", folder.display()),
    ] {
        assert_eq!(why(&storage, uri), Err(Why::Outside), "{uri}");
        assert_eq!(delete(&storage, uri), Err("E0904"), "{uri}");
    }
    assert_eq!(delete(&storage, "hdfs://nn/{a/../../kept,z}/*"), Err("E0904"));
    assert_eq!(why(&storage, "hdfs://nn/a\0b"), Err(Why::Argument));
    // Percent signs are no other way to write a name.
    for uri in ["hdfs://nn/%2e%2e/kept/secret", "hdfs://nn/..%2fkept", "hdfs://nn/%2E%2E"] {
        assert_eq!(why(&storage, uri), Ok(false), "{uri}");
    }
    files::run(&storage, &[Operation::Touchz("hdfs://nn/%2e%2e/x".to_owned())]).expect("it is a name");
    assert_eq!(names_in(&folder.join("data")), ["%2e%2e", "a"]);
    assert!(folder.join("kept/secret").is_file());
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out() {
    use std::os::unix::fs::symlink;
    let (folder, storage) = project("links", &["data/in/a", "data/deep/er/b", "kept/secret"]);
    let data = folder.join("data");
    let link = |to: &str, name: &str| symlink(to, data.join(name)).expect("a link");
    link(&format!("{}/kept", folder.display()), "absolute");
    link("../kept", "relative");
    link("deep/er/../../../kept", "winding");
    link("circle", "circle");
    link("nowhere", "broken");
    link("../in", "deep/inside");
    link(&format!("{}/in", data.canonicalize().expect("a folder").display()), "own");
    for name in ["absolute", "relative", "winding"] {
        let uri = format!("hdfs://nn/{name}/secret");
        assert_eq!(why(&storage, &uri), Err(Why::Outside), "{name}");
        assert_eq!(delete(&storage, &uri), Err("E0904"), "{name}");
        assert_eq!(why(&storage, &format!("hdfs://nn/{name}")), Err(Why::Outside), "{name}");
        for operation in [
            Operation::Mkdir(format!("hdfs://nn/{name}/new")),
            Operation::Touchz(format!("hdfs://nn/{name}/new")),
            Operation::Move { source: "hdfs://nn/in/a".into(), target: format!("hdfs://nn/{name}/a") },
            Operation::Chmod {
                path: format!("hdfs://nn/{name}/secret"),
                permissions: "000".into(),
                dir_files: true,
                recursive: true,
            },
        ] {
            let done = files::run(&storage, std::slice::from_ref(&operation)).map_err(|fault| fault.code);
            assert_eq!(done, Err("E0904"), "{operation:?}");
        }
    }
    assert_eq!(why(&storage, "hdfs://nn/circle/x"), Err(Why::Io));
    assert_eq!(why(&storage, "hdfs://nn/broken"), Ok(false));
    // Links that stay inside are followed.
    assert_eq!(why(&storage, "hdfs://nn/deep/inside/a"), Ok(true));
    assert_eq!(why(&storage, "hdfs://nn/own/a"), Ok(true));
    // A link is deleted, not what it leads to, and no folder is emptied through one.
    symlink("../../kept", data.join("deep/out")).expect("a link");
    assert_eq!(delete(&storage, "hdfs://nn/own"), Ok(()));
    assert_eq!(delete(&storage, "hdfs://nn/deep"), Ok(()));
    assert_eq!(delete(&storage, "hdfs://nn/rel*"), Ok(()));
    // So is one that leads out, or nowhere; a move takes it along.
    assert_eq!(delete(&storage, "hdfs://nn/absolute"), Ok(()));
    assert_eq!(delete(&storage, "hdfs://nn/broken"), Ok(()));
    let moved = Operation::Move { source: "hdfs://nn/winding".into(), target: "hdfs://nn/in".into() };
    assert_eq!(files::run(&storage, &[moved]), Ok(()));
    assert!(data.join("in/winding").is_symlink());
    let trash = Operation::Trash { path: "hdfs://nn/in/winding".into(), user: "joe".into() };
    assert_eq!(files::run(&storage, &[trash]), Ok(()));
    assert_eq!(names_in(&data), ["circle", "in", "user"]);
    assert!(folder.join("kept/secret").is_file() && data.join("in/a").is_file());
}

#[cfg(unix)]
#[test]
fn a_link_that_takes_the_place_of_a_folder_is_not_followed() {
    let (folder, storage) = project("swapped", &["data/in/a", "kept/a"]);
    // The place is known, and looked at, before somebody puts a link there.
    let spot = storage.spot("hdfs://nn/in/a").expect("it is mapped");
    assert!(spot.status().expect("it is reached").is_some());
    std::fs::rename(folder.join("data/in"), folder.join("data/old")).expect("it is moved");
    std::os::unix::fs::symlink(folder.join("kept"), folder.join("data/in")).expect("a link");
    assert_eq!(spot.status().expect_err("it leads out").why, Why::Outside);
    assert_eq!(spot.backend.delete(&spot.path).expect_err("it leads out").why, Why::Outside);
    assert_eq!(spot.backend.create(&spot.path, &mut &b"y"[..]).expect_err("it leads out").why, Why::Outside);
    assert_eq!(std::fs::read(folder.join("kept/a")).expect("a file"), b"x");
}

#[cfg(unix)]
#[test]
fn a_root_may_be_given_through_a_link_and_is_not_left_by_it() {
    let folder = folder_of("storage-root-link", &[("real/deep/a", "x"), ("real/b", "x")]);
    std::os::unix::fs::symlink("real/deep", folder.join("data")).expect("a link");
    let storage = storage(&folder, "\"hdfs://nn\" = \"data\"\n\"hdfs://all\" = \"real\"\n");
    assert_eq!(why(&storage, "hdfs://nn/a"), Ok(true));
    assert_eq!(why(&storage, "hdfs://nn/../b"), Err(Why::Outside));
    // Neither the link nor what it leads to is deleted, from whatever side.
    let own = format!("file:{}", folder.display());
    for uri in ["hdfs://nn", "hdfs://all/deep", "hdfs://all", &format!("{own}/data"), &format!("{own}/real")]
    {
        assert_eq!(delete(&storage, uri), Err("FS005"), "{uri}");
    }
    assert!(folder.join("data/a").is_file());
}

#[test]
fn roots_and_what_holds_them_are_not_deleted() {
    let (folder, storage) =
        project("roots", &["data/a", "data/b/c", "other/special/c", "other/x", ".ankus/store.sqlite"]);
    let own = format!("file:{}", folder.display());
    for uri in [
        "hdfs://nn",
        "hdfs://nn/",
        "hdfs://nn//./",
        "hdfs://nn/*",
        "hdfs://nn/**",
        "hdfs://nn/*/*",
        "hdfs://nn/special",
        "hdfs://nn/special/*",
        &own,
        &format!("{own}/*"),
        &format!("{own}/data"),
        &format!("{own}/other"),
        &format!("{own}/other/special"),
        &format!("{own}/.ankus"),
        &format!("{own}/.ankus/store.sqlite"),
        &format!("{own}/.ankus/store*"),
        &format!("{own}/[do]*"),
        // All of a storage, from another side.
        &format!("{own}/data/*"),
        &format!("{own}/d?ta/*/*"),
        &format!("{own}/{{x,data}}/*"),
        &format!("{own}/other/special/**"),
        "hdfs://nn/{b,*}",
        "hdfs://nn/{b,special}/*",
    ] {
        assert_eq!(delete(&storage, uri), Err("FS005"), "{uri}");
        let trash = Operation::Trash { path: uri.to_owned(), user: "joe".to_owned() };
        let told = files::run(&storage, &[trash]).expect_err("it is refused");
        assert!(told.words.contains("which is not deleted"), "{uri}: {}", told.words);
        let scheme = uri.split_once(":/").expect("a scheme").0;
        let target = if scheme == "file" { format!("{own}/moved") } else { "hdfs://nn/moved".to_owned() };
        let moved = Operation::Move { source: uri.to_owned(), target };
        assert!(files::run(&storage, &[moved]).is_err(), "{uri}");
    }
    assert!(files::clean(&storage, "hdfs://nn/").is_err());
    assert_eq!(files::clean(&storage, "hdfs://elsewhere/"), Ok(()));
    assert!(folder.join("data/b/c").is_file() && folder.join("other/special/c").is_file());
    assert!(folder.join(".ankus/store.sqlite").is_file());
    // What lies below may go.
    for uri in ["hdfs://nn/b/*", "hdfs://nn/a", "hdfs://nn/special/c", &format!("{own}/other/x")] {
        assert_eq!(delete(&storage, uri), Ok(()), "{uri}");
    }
    assert_eq!(names_in(&folder.join("data")), ["b"]);
}

#[test]
fn a_part_of_a_file_system_that_stands_for_storage_is_not_emptied() {
    let folder = folder_of("storage-emptied", &[]);
    let table = "\"hdfs://nn\" = { webhdfs = \"http://127.0.0.1:1\" }\n\
                 \"viewfs://all\" = { webhdfs = \"http://127.0.0.1:1/a/warehouse\" }\n";
    let storage = storage(&folder, table);
    for uri in ["hdfs://nn/a/warehouse/*", "hdfs://nn/a/w*/*", "hdfs://nn/?/{x,warehouse}/*/*"] {
        assert_eq!(delete(&storage, uri), Err("FS005"), "{uri}");
    }
    // Others are asked for, and nobody answers there.
    assert_eq!(delete(&storage, "hdfs://nn/a/b/*"), Err("JA006"));
}

#[test]
fn the_table_is_read_strictly() {
    let wrong = [
        ("1", "expected a folder, or a table such as"),
        ("{}", "it names no storage"),
        ("{ hdfs = false }", "it names no storage"),
        ("{ webhdfs = \"http://nn:9870\", s3 = \"b\" }", "it names several kinds"),
        ("{ webhdfs = \"nn:9870\" }", "is the address of a name node"),
        ("{ webhdfs = \"http://\" }", "is the address of a name node"),
        ("{ webhdfs = \"http://me@nn:9870\" }", "is the address of a name node"),
        ("{ s3 = \"b\", user = \"me\" }", "`user` goes with `webhdfs` only"),
        ("{ gcs = \"gs://b\" }", "the bucket is its name alone"),
        ("{ azur = \"b\" }", "did you mean `azure`?"),
    ];
    for (entry, expected) in wrong {
        let text = format!("[storage]\n\"hdfs://nn\" = {entry}\n");
        let error = Config::parse(&text, Path::new("/r")).expect_err(entry);
        assert!(error.contains(expected) && error.starts_with("line 2"), "{entry}: {error}");
    }
}

#[test]
fn a_kind_that_is_not_built_in_is_said_before_anything_begins() {
    let kinds = [
        ("{ hdfs = true }", "hdfs", cfg!(feature = "hdfs")),
        ("{ s3 = \"bucket\" }", "object-store", cfg!(feature = "object-store")),
        ("{ gcs = \"bucket/below\" }", "object-store", cfg!(feature = "object-store")),
        ("{ azure = \"container\" }", "object-store", cfg!(feature = "object-store")),
    ];
    let app = "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:1.0\"><start to=\"end\"/><end name=\"end\"/></workflow-app>";
    for (entry, feature, is_built_in) in kinds.into_iter().filter(|(.., is_built_in)| !is_built_in) {
        assert!(!is_built_in);
        let config = format!("[storage]\n\"hdfs://nn\" = {entry}\n");
        let folder = folder_of("storage-not-built", &[("ankus.toml", &config), ("app/workflow.xml", app)]);
        let outcome = ankus(&["run", folder.join("app").to_str().expect("a path")]);
        assert_eq!(outcome.code, 2, "{entry}: {}", outcome.err);
        assert!(outcome.err.contains(&format!("--features {feature}")), "{entry}: {}", outcome.err);
        assert!(!outcome.out.contains("RUNNING"), "{entry}: {}", outcome.out);
    }
}
