//! What an app leads to by a link out of its project is read by no command.

use std::os::unix::fs::symlink;
use std::path::Path;

use crate::support::{ankus, folder_of};

const WORKFLOW: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:1.0"><start to="a"/>
  <action name="a"><shell xmlns="uri:oozie:shell-action:1.0"><exec>true</exec><argument>${given}</argument></shell>
  <ok to="e"/><error to="e"/></action><end name="e"/></workflow-app>"#;

const SOUND: &str =
    r#"<workflow-app name="w" xmlns="uri:oozie:workflow:1.0"><start to="e"/><end name="e"/></workflow-app>"#;

const SECRET: &str =
    "<configuration><property><name>given</name><value>t0psecret</value></property></configuration>";

#[test]
fn default_files_are_not_read_through_links_that_lead_out() {
    let outer = folder_of("links-outer", &[("secret.xml", SECRET)]);
    let outer = outer.canonicalize().expect("it is there");
    for (name, target, is_chain) in [
        ("absolute", outer.join("secret.xml"), false),
        ("relative", Path::new("../../links-outer/secret.xml").to_owned(), false),
        ("chain", outer.join("secret.xml"), true),
    ] {
        let files = [
            ("ankus.toml", ""),
            ("app/workflow.xml", WORKFLOW),
            ("app/job.properties", "x=y\noozie.wf.application.path=app\n"),
        ];
        let folder = folder_of(&format!("links-{name}"), &files);
        let link = folder.join("app/config-default.xml");
        match is_chain {
            true => {
                symlink(target, folder.join("app/between")).expect("a link");
                symlink("between", &link).expect("a link");
            }
            false => symlink(target, &link).expect("a link"),
        }
        let app = folder.join("app").display().to_string();
        for command in ["check", "plan", "simulate", "graph"] {
            let outcome = ankus(&[command, &app]);
            assert_eq!(outcome.code, 2, "{name} {command}: {} {}", outcome.out, outcome.err);
            assert!(!outcome.out.contains("t0psecret"), "{name} {command}: {}", outcome.out);
            assert!(outcome.err.contains("leads out of"), "{name} {command}: {}", outcome.err);
        }
    }
}

/// What a check finds by itself and passes over is said; the settings of another place are not shown.
#[test]
fn definitions_and_settings_are_not_read_through_links_that_lead_out() {
    let outer = folder_of("links-outside", &[("workflow.xml", SOUND), ("ankus.toml", "t0psecret=line\n")]);
    let outer = outer.canonicalize().expect("it is there");
    let folder = folder_of("links-found", &[("ankus.toml", ""), ("ok/workflow.xml", SOUND), ("lk/note", "")]);
    symlink(outer.join("workflow.xml"), folder.join("lk/workflow.xml")).expect("a link");
    let path = |part: &str| folder.join(part).display().to_string();
    for part in [".", "lk"] {
        let outcome = ankus(&["check", &path(part)]);
        assert!(
            outcome.code == 2 && outcome.err.contains("leads out of"),
            "{part}: {} {}",
            outcome.out,
            outcome.err
        );
    }
    let settings = folder_of("links-settings", &[("app/workflow.xml", SOUND), (".git/HEAD", "")]);
    symlink(outer.join("ankus.toml"), settings.join("ankus.toml")).expect("a link");
    let app = settings.join("app").display().to_string();
    for command in ["check", "plan", "simulate", "graph"] {
        let outcome = ankus(&[command, &app]);
        assert!(outcome.code == 2 && outcome.err.contains("leads out of"), "{command}: {}", outcome.err);
        assert!(!outcome.err.contains("t0psecret"), "{command}: {}", outcome.err);
    }
    // Whoever names a file may name any.
    let named = outer.join("ankus.toml").display().to_string();
    let outcome = ankus(&["check", &app, "--config", &named]);
    assert!(outcome.err.contains("t0psecret"), "{}", outcome.err);
}

/// Within the project links are as good as files.
#[test]
fn links_within_the_project_are_followed() {
    let files = [("ankus.toml", ""), ("app/workflow.xml", WORKFLOW), ("shared/default.xml", SECRET)];
    let folder = folder_of("links-within", &files);
    symlink("../shared/default.xml", folder.join("app/config-default.xml")).expect("a link");
    let outcome = ankus(&["plan", &folder.join("app").display().to_string()]);
    assert!(outcome.out.contains("t0psecret"), "{} {}", outcome.out, outcome.err);
}

/// The folder is not passed over in silence: whoever reads "no errors" believes that all of it was looked at.
#[test]
fn links_that_lead_nowhere_are_reported() {
    let folder = folder_of("links-nowhere", &[("sound/workflow.xml", SOUND)]);
    for (name, target) in [("self", "workflow.xml"), ("lost", "../gone.xml")] {
        std::fs::create_dir_all(folder.join(name)).expect("a folder");
        symlink(target, folder.join(name).join("workflow.xml")).expect("a link");
    }
    symlink("../gone.xml", folder.join("sound/site.xml")).expect("a link");
    let outcome = ankus(&["check", &folder.to_string_lossy()]);
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    assert!(
        outcome.err.contains("self/workflow.xml") && outcome.err.contains("leads to itself"),
        "{}",
        outcome.err
    );
    assert!(
        outcome.err.contains("lost/workflow.xml") && outcome.err.contains("leads to nothing"),
        "{}",
        outcome.err
    );
    assert!(!outcome.err.contains("site.xml"), "nothing says what it would be: {}", outcome.err);
}

#[test]
fn what_lies_too_deep_is_reported() {
    let deep = format!("{}/workflow.xml", vec!["f"; 64].join("/"));
    let folder = folder_of("links-deep", &[("workflow.xml", SOUND), (&deep, SOUND)]);
    let outcome = ankus(&["check", &folder.to_string_lossy()]);
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    assert!(outcome.err.contains("nothing deeper is looked at"), "{}", outcome.err);
    let less = format!("{}/workflow.xml", vec!["f"; 63].join("/"));
    let folder = folder_of("links-less-deep", &[("workflow.xml", SOUND), (&less, SOUND)]);
    assert_eq!(ankus(&["check", &folder.to_string_lossy()]).code, 0);
}
