//! `ankus init`: a first `ankus.toml`, which changes nothing that is found.

use crate::support;
use std::path::{Path, PathBuf};

use crate::support::{ankus, folder_of, write_file};

const WORKFLOW: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">
<start to="gone"/>
<end name="done"/>
</workflow-app>
"#;

/// A repository as they are: two apps, one properties file for each, one for all.
fn repository(name: &str) -> PathBuf {
    let folder = folder_of(
        &format!("init-{name}"),
        &[
            ("apps/load/workflow.xml", WORKFLOW),
            (
                "apps/load/job.properties",
                "nn=hdfs://nn1:8020\noozie.wf.application.path=${nn}/user/joe/apps/load\n",
            ),
            ("apps/clean/workflow.xml", &WORKFLOW.replace("gone", "done")),
            ("apps/clean/prod.properties", "oozie.wf.application.path=hdfs://nn1:8020/user/joe/apps/clean\n"),
            ("log4j.properties", "a=b\n"),
        ],
    );
    std::fs::create_dir(folder.join(".git")).expect("a root");
    folder
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn the_file_fits_and_changes_nothing() {
    let folder = repository("fits");
    let found = || ankus(&["check", "--format", "json", &text(&folder)]).out;
    let before = found();
    let outcome = ankus(&["init", &text(&folder)]);
    assert_eq!((outcome.code, outcome.err.as_str()), (0, ""));
    assert!(outcome.out.ends_with("ankus.toml`: 2 apps, 2 profiles, 1 mapped path\n"), "{}", outcome.out);
    let written = std::fs::read_to_string(folder.join("ankus.toml")).expect("it was written");
    for part in [
        "#   workflow     apps/clean/workflow.xml\n",
        "[paths]\n# by apps/clean/prod.properties\n\"hdfs://nn1:8020/user/joe\" = \".\"\n",
        "[profiles.\"prod\"]\nproperties = [\"apps/clean/prod.properties\"]\n",
        "[profiles.\"load\"]\n",
    ] {
        assert!(written.contains(part), "{part}\n{written}");
    }
    assert_eq!(found(), before);
    // The profiles can be used.
    let outcome = ankus(&["check", "--profile", "load", &text(&folder.join("apps/load/workflow.xml"))]);
    assert_eq!(outcome.code, 1, "{}", outcome.err);
}

#[test]
fn nothing_is_overwritten() {
    let folder = repository("there");
    write_file(&folder.join("ankus.toml"), "user = \"joe\"\n");
    let outcome = ankus(&["init", &text(&folder)]);
    assert!(outcome.code == 2 && outcome.err.contains("is there already"), "{}", outcome.err);
    assert_eq!(std::fs::read_to_string(folder.join("ankus.toml")).expect("it is there"), "user = \"joe\"\n");
    let outcome = ankus(&["init", "--print", &text(&folder)]);
    assert!(outcome.code == 0 && outcome.out.contains("[paths]"), "{}", outcome.err);
    let outcome = ankus(&["init", &text(&folder.join("no/such/folder"))]);
    assert!(outcome.code == 2 && outcome.err.contains("is no folder"), "{}", outcome.err);
}

#[test]
fn an_empty_folder_gets_a_template() {
    let folder = folder_of("init-empty", &[]);
    let outcome = ankus(&["init", &text(&folder)]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    // It is read; that there is nothing to check is said.
    let outcome = ankus(&["check", &text(&folder)]);
    assert!(outcome.code == 2 && outcome.err.contains("holds no definition"), "{}", outcome.err);
}

/// A mapping that would change what is found is only suggested.
#[test]
fn doubtful_mappings_are_comments() {
    let folder = repository("doubtful");
    // The data lie under the prefix as well, and an app path leads there that leads nowhere in the repository.
    let other = "oozie.wf.application.path=hdfs://nn1:8020/user/joe/elsewhere/load\n";
    write_file(&folder.join("other/run.properties"), other);
    let before = ankus(&["check", "--format", "json", &text(&folder)]).out;
    let outcome = ankus(&["init", &text(&folder)]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert_eq!(ankus(&["check", "--format", "json", &text(&folder)]).out, before);
}

/// Over real repositories: each is read back, and nothing else is found.
#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn the_corpus_keeps_its_findings() {
    let corpus = support::reference("corpus");
    let copies = folder_of("init-corpus", &[]);
    for name in support::names_in(&corpus).into_iter().take(12) {
        let source = corpus.join(&name);
        if !source.is_dir() {
            continue;
        }
        let folder = copies.join(&name);
        copy(&source, &folder);
        let found = || ankus(&["check", "--format", "json", &text(&folder)]).out;
        std::fs::create_dir_all(folder.join(".git")).expect("a root");
        let before = found();
        let outcome = ankus(&["init", &text(&folder)]);
        assert_eq!((outcome.code, outcome.err.as_str()), (0, ""), "{name}");
        assert_eq!(found(), before, "{name}");
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for name in support::names_in(from) {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(&from, &to).expect("it can be copied");
        }
    }
}
