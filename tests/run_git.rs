//! Git actions, against repositories of this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{ankus, program, project, statuses, workflow};

/// Runs git in a folder, as nobody in particular.
pub fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-C"]).arg(folder);
    let output = command.args(arguments).output().expect("git runs");
    assert!(output.status.success(), "{output:?}");
}

/// A project with a repository of two branches; a key lies in its storage.
fn cloning(name: &str, parts: &str) -> PathBuf {
    let nodes = |url: &str| {
        let parts = parts.replace("REPOSITORY", url);
        format!(
            r#"<start to="clone"/><action name="clone"><git xmlns="uri:oozie:git-action:1.0">
            <name-node>hdfs://nn</name-node>{parts}</git><ok to="end"/><error to="fail"/></action>"#
        )
    };
    let files =
        [("repository/a.txt", "one\n"), ("repository/sub/b.txt", "two\n"), ("data/key", "secret key\n")];
    let folder = project(name, &files);
    let repository = folder.join("repository");
    git(&repository, &["init", "--quiet", "--initial-branch=main"]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/hosts", repository.join("link")).expect("a link");
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "--quiet", "-m", "Add two files"]);
    git(&repository, &["checkout", "--quiet", "-b", "side"]);
    crate::support::write_file(&repository.join("c.txt"), "three\n");
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "--quiet", "-m", "Add a third"]);
    git(&repository, &["checkout", "--quiet", "main"]);
    let text = workflow("cloning", &nodes(&format!("file://{}", repository.display())));
    crate::support::write_file(&folder.join("app/workflow.xml"), &text);
    folder
}

fn info(folder: &Path) -> String {
    ankus(folder, &["job", "1-W", "info"]).1
}

#[test]
fn a_repository_is_copied_into_storage() {
    let parts = "<git-uri>REPOSITORY</git-uri><branch>side</branch><destination-uri>hdfs://nn/out/copy</destination-uri>";
    let folder = cloning("git-well", parts);
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}{}", info(&folder));
    let copy = folder.join("data/out/copy");
    for (file, text) in
        [("a.txt", "one\n"), ("sub/b.txt", "two\n"), ("c.txt", "three\n"), ("link", "/etc/hosts")]
    {
        assert!(!copy.join(file).is_symlink(), "{file}");
        assert_eq!(std::fs::read_to_string(copy.join(file)).expect(file), text);
    }
    assert!(copy.join(".git/HEAD").is_file());
    // Once more, over what is there.
    assert_eq!(ankus(&folder, &["-q", "run", "app", "--new"]).0, 0, "{}", info(&folder));
    assert_eq!(statuses(&folder), ["SUCCEEDED", "SUCCEEDED"]);
    let left = folder.join(".ankus/work/2/1/work/clone");
    assert!(!left.exists(), "what was cloned is copied and removed");
}

#[test]
fn what_cannot_be_cloned_has_the_codes_of_a_server() {
    let to = "<destination-uri>hdfs://nn/out</destination-uri>";
    for (number, (parts, code)) in [
        (format!("<git-uri>REPOSITORY</git-uri><branch>none</branch>{to}"), "JA018"),
        (format!("<git-uri>REPOSITORY-none</git-uri>{to}"), "JA018"),
        (format!("<git-uri>/no/scheme</git-uri>{to}"), "JA018"),
        (format!("<git-uri>ext::sh -c true</git-uri>{to}"), "JA018"),
        (
            "<git-uri>REPOSITORY</git-uri><destination-uri>hdfs://nn/../x</destination-uri>".to_owned(),
            "JA018",
        ),
        (format!("<git-uri>REPOSITORY</git-uri><key-path>/none</key-path>{to}"), "GIT011"),
        (format!("<git-uri>REPOSITORY</git-uri><key-path>hdfs://nn/key</key-path>{to}"), "GIT012"),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = cloning(&format!("git-bad-{number}"), &parts);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let open = std::fs::Permissions::from_mode(0o644);
            std::fs::set_permissions(folder.join("data/key"), open).expect("permissions");
        }
        let (exit, out, err) = ankus(&folder, &["run", "app"]);
        assert_eq!(exit, 1, "{parts}: {out}{err}");
        assert_eq!(statuses(&folder), ["KILLED"], "{parts}");
        assert!(info(&folder).contains(code), "{parts}: {}", info(&folder));
        assert!(!folder.join("data/out").exists(), "{parts}");
    }
}

#[test]
#[cfg(unix)]
fn a_key_is_not_left_behind() {
    use std::os::unix::fs::PermissionsExt;
    let parts = "<git-uri>REPOSITORY</git-uri><key-path>/key</key-path><destination-uri>hdfs://nn/out</destination-uri>";
    let folder = cloning("git-key", parts);
    let own = std::fs::Permissions::from_mode(0o640);
    std::fs::set_permissions(folder.join("data/key"), own).expect("permissions");
    assert_eq!(ankus(&folder, &["-q", "run", "app"]).0, 0, "{}", info(&folder));
    assert!(!folder.join(".ankus/work/1/1/privkey").exists());
}

#[test]
fn without_git_nothing_is_begun() {
    let parts = "<git-uri>REPOSITORY</git-uri><destination-uri>hdfs://nn/out</destination-uri>";
    let folder = cloning("git-none", parts);
    let output = program(&folder, &["run", "app"]).env("PATH", folder.join("bin")).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(err.contains("action `clone` of type `git` needs the program `git`"), "{err}");
    assert!(!folder.join(".ankus").exists(), "nothing is begun");
}
