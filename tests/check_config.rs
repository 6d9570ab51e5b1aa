//! `[check]` of `ankus.toml` and its counterparts on the command line.

use std::path::{Path, PathBuf};

use crate::support::{ankus, findings_of, folder_of, root, write_file};

/// Finds `transition-unknown` (error) in line 2 and `el-function-unknown` in line 3.
const WORKFLOW: &str = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">
<start to="gone"/>
<kill name="alone"><message>${wf:nothing()}</message></kill>
<end name="done"/>
</workflow-app>
"#;

fn app(name: &str, config: &str) -> PathBuf {
    folder_of(
        &format!("check-config-{name}"),
        &[("ankus.toml", config), ("a/workflow.xml", WORKFLOW), ("b/workflow.xml", WORKFLOW)],
    )
}

/// The findings as `a:rule severity`, without the notes that every app has.
fn said(folder: &Path, more: &[&str]) -> Vec<String> {
    let path = folder.display().to_string();
    let mut arguments = vec![path.as_str()];
    arguments.extend(more);
    findings_of(&arguments)
        .into_iter()
        .map(|(_, line, rule, severity)| format!("{line} {rule} {severity}"))
        .collect()
}

#[test]
fn rules_are_chosen_by_name_beginning_and_all() {
    let all = said(&app("all", ""), &[]);
    assert!(all.contains(&"2 transition-unknown error".to_owned()), "{all:?}");
    let ignored = said(&app("ignore", "[check]\nignore = [\"transition-unknown\"]\n"), &[]);
    assert!(!ignored.is_empty() && !ignored.iter().any(|said| said.contains("transition-")), "{ignored:?}");
    let selected = said(&app("select", "[check]\nselect = [\"transition\"]\n"), &[]);
    assert_eq!(selected, ["2 transition-unknown error"; 2]);
    let none = said(&app("none", "[check]\nignore = [\"all\"]\n"), &[]);
    assert!(none.is_empty(), "{none:?}");
    let again = said(&app("again", "[check]\nignore = [\"all\"]\n"), &["--select", "transition-unknown"]);
    assert_eq!(again, ["2 transition-unknown error"; 2]);
    let fewer =
        said(&app("fewer", "[check]\nselect = [\"transition\"]\n"), &["--ignore", "transition-unknown"]);
    assert!(fewer.is_empty(), "{fewer:?}");
}

#[test]
fn severities_are_changed() {
    let config = "[check]\nselect = [\"transition\"]\n[check.severity]\ntransition-unknown = \"warning\"\n";
    let folder = app("severity", config);
    assert_eq!(said(&folder, &[]), ["2 transition-unknown warning"; 2]);
    assert_eq!(ankus(&["check", &folder.display().to_string()]).code, 0);
    let off = app("off", "[check.severity]\nall = \"off\"\ntransition = \"info\"\n");
    assert_eq!(said(&off, &[]), ["2 transition-unknown info"; 2]);
}

#[test]
fn paths_have_choices_of_their_own() {
    let config =
        "[check]\nselect = [\"transition\"]\n[[check.override]]\npaths = [\"a/\"]\nignore = [\"all\"]\n";
    assert_eq!(said(&app("override", config), &[]).len(), 1);
    let config = "[check]\nselect = [\"transition\"]\n\
                  [[check.override]]\npaths = [\"*.xml\"]\nseverity = { transition-unknown = \"info\" }\n\
                  [[check.override]]\npaths = [\"/b\"]\nseverity = { transition-unknown = \"warning\" }\n";
    assert_eq!(
        said(&app("later", config), &[]),
        ["2 transition-unknown info", "2 transition-unknown warning"]
    );
}

#[test]
fn files_are_excluded() {
    let folder = app("exclude", "[check]\nselect = [\"transition\"]\nexclude = [\"a/\"]\n");
    assert_eq!(said(&folder, &[]).len(), 1);
    let outcome = ankus(&["check", &folder.display().to_string()]);
    assert!(outcome.out.contains("1 file checked"), "{}", outcome.out);
    // A file that is named is meant.
    let file = folder.join("a/workflow.xml").display().to_string();
    assert_eq!(findings_of(&[&file]).len(), 1);
    assert_eq!(findings_of(&[&file, "--force-exclude"]).len(), 0);
    let folder = app("exclude-argument", "[check]\nselect = [\"transition\"]\n");
    // Patterns of arguments are relative to the working folder.
    if folder.starts_with(root()) {
        assert_eq!(said(&folder, &["--exclude", "b/workflow.xml", "--exclude", "workflow.xml"]).len(), 0);
    }
}

/// What is excluded is not spoken of either when another file leads to it.
#[test]
fn excluded_files_are_not_spoken_of() {
    let caller = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">
<start to="sub"/>
<action name="sub"><sub-workflow><app-path>hdfs://nn/apps/a</app-path></sub-workflow>
<ok to="done"/><error to="fail"/></action>
<kill name="fail"><message>m</message></kill>
<end name="done"/>
</workflow-app>
"#;
    let folder = app("led", "[check]\nselect = [\"transition\"]\nexclude = [\"a/\", \"b/\"]\n");
    write_file(&folder.join("c/workflow.xml"), caller);
    let file = folder.join("c/workflow.xml").display().to_string();
    assert_eq!(findings_of(&[&file, "-D", "x=y"]).len(), 0);
    write_file(&folder.join("ankus.toml"), "[check]\nselect = [\"transition\"]\n");
    assert_eq!(findings_of(&[&file, "-D", "x=y"]).len(), 1);
}

#[test]
fn faults_of_the_file_are_told_with_line_and_column() {
    let check = |config: &str, expected: &[&str]| {
        let folder = folder_of("check-config-fault", &[("ankus.toml", config), ("workflow.xml", WORKFLOW)]);
        let outcome = ankus(&["check", &folder.display().to_string()]);
        assert_eq!((outcome.code, outcome.out.as_str()), (2, ""), "{config}");
        for part in expected {
            assert!(outcome.err.contains(part), "{config}\n{}", outcome.err);
        }
    };
    check("[check]\nignroe = []\n", &["line 2, column 1: unknown field `ignroe`", "did you mean `ignore`?"]);
    check(
        "[check]\nignore = [\"el\", \"transition-unknwon\"]\n",
        &[
            "line 2, column 17: no rule is named `transition-unknwon`; did you mean `transition-unknown`?",
            "^^^^",
        ],
    );
    check("[check.severity]\nnode-duplicte = \"info\"\n", &["line 2, column 1: ", "`node-duplicate`?"]);
    check(
        "[check.severity]\nnode-duplicate = \"warn\"\n",
        &["line 2, column 18: there is no severity `warn`"],
    );
    check("[[check.override]]\nignore = []\n", &["line 1, column 1: missing field `paths`"]);
    check("[[check.override]]\npaths = [\"a[\"]\n", &["line 2, column 10: `a[` is no pattern"]);
    check("[check]\nexclude = \"a\"\n", &["line 2, column 11: "]);
    check("version = \"5.2\n", &["line 1, column "]);
    check("version = \"5.2\"\nuser = \" \"\n", &["line 2, column 8: `user` is empty"]);
}

#[test]
fn a_mapping_to_nothing_is_told_and_fails_nothing() {
    let sound = WORKFLOW
        .replace("gone", "done")
        .replace("<kill name=\"alone\"><message>${wf:nothing()}</message></kill>\n", "");
    let config = "[paths]\n\"hdfs://nn/a\" = \"a\"\n\"hdfs://nn/b\" = \"b\"\n";
    let folder = folder_of("check-config-paths", &[("ankus.toml", config), ("a/workflow.xml", &sound)]);
    let outcome = ankus(&["check", &folder.display().to_string()]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    let told: Vec<&str> = outcome.err.lines().collect();
    assert!(
        matches!(told[..], [line] if line.contains("maps `hdfs://nn/b` to `") && line.ends_with("which is not there")),
        "{told:?}"
    );
}

#[test]
fn faults_of_the_arguments_are_told() {
    let check = |arguments: &[&str], expected: &str| {
        let mut all = vec!["check", "fixtures/demo"];
        all.extend(arguments);
        let outcome = ankus(&all);
        assert_eq!(outcome.code, 2);
        assert!(outcome.err.contains(expected), "{}", outcome.err);
    };
    check(
        &["--select", "transition-unknwon"],
        "`--select`: no rule is named `transition-unknwon`; did you mean",
    );
    check(&["--ignore", "el,nothing-like-it"], "`--ignore`: no rule is named `nothing-like-it`");
    check(&["--exclude", "a["], "`--exclude`: `a[` is no pattern");
}

/// Names that come with the command line alone, and files that deploying adds, are not missed.
#[test]
fn what_comes_later_is_not_missed() {
    let workflow = r#"<workflow-app name="w" xmlns="uri:oozie:workflow:0.5">
<start to="a"/>
<action name="a"><shell xmlns="uri:oozie:shell-action:0.3">
<job-tracker>rm:8032</job-tracker><name-node>hdfs://nn</name-node>
<exec>run.sh</exec><argument>${day}</argument><file>run.sh</file><file>lib/made.sh</file>
</shell><ok to="done"/><error to="fail"/></action>
<kill name="fail"><message>m</message></kill>
<end name="done"/>
</workflow-app>
"#;
    let folder = app("later-given", "");
    std::fs::remove_dir_all(folder.join("b")).expect("it was made");
    std::fs::write(folder.join("a/workflow.xml"), workflow).expect("the file can be written");
    std::fs::write(folder.join("a/run.sh"), "true").expect("the file can be written");
    std::fs::write(folder.join("a/job.properties"), "oozie.wf.application.path=hdfs://nn/apps/a\n")
        .expect("the file can be written");
    let serious = |folder: &Path| -> Vec<String> {
        let list = said(folder, &[]);
        list.into_iter().filter(|line| !line.ends_with("info")).collect()
    };
    assert_eq!(serious(&folder), ["5 parameter-undefined error", "5 action-file-missing error"]);
    std::fs::write(folder.join("ankus.toml"), "[check]\nsupplied = [\"day\"]\ndeployed = [\"*/lib/*.sh\"]\n")
        .expect("the file can be written");
    assert_eq!(serious(&folder), Vec::<String>::new());
}
