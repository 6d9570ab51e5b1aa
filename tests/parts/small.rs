//! What starts within a minute: a mail server with STARTTLS and a login, a git daemon, an sshd.

use std::path::Path;
use std::process::Stdio;

use super::Stand;
use crate::run::{ankus, program, project, statuses, workflow};

#[test]
fn letters_go_over_a_secured_connection_with_a_login() {
    let Some(stand) = Stand::of(&["smtp"]) else { return };
    let value = |name: &str| stand.value("smtp", name);
    let nodes = r#"<start to="m"/><action name="m"><email xmlns="uri:oozie:email-action:0.2"><to>a@example.org</to>
        <subject>hello</subject><body>text</body></email><ok to="end"/><error to="fail"/></action>"#;
    for (name, password, certificate, status) in [
        ("parts-mail", "right", true, "SUCCEEDED"),
        ("parts-mail-password", "wrong", true, "KILLED"),
        ("parts-mail-stranger", "right", false, "KILLED"),
    ] {
        let certificate =
            if certificate { format!("certificate = \"{}\"\n", value("ca")) } else { String::new() };
        let config = format!(
            "[run.email]\nhost = \"localhost\"\nport = {}\nauth = true\nusername = \"joe\"\npassword-env = \"MAIL_PASSWORD\"\n\
             starttls = true\n{certificate}",
            value("port")
        );
        let folder = project(name, &[("ankus.toml", &config), ("app/workflow.xml", &workflow(name, nodes))]);
        let output =
            program(&folder, &["run", "app"]).env("MAIL_PASSWORD", password).output().expect("it runs");
        let said =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(statuses(&folder), [status], "{said}");
        assert!(!said.contains("wrong"), "{said}");
    }
    let letters = std::fs::read_dir(value("letters")).expect("a folder").count();
    assert_eq!(letters, 1);
}

#[test]
fn a_repository_comes_from_a_git_daemon() {
    let Some(stand) = Stand::of(&["git"]) else { return };
    let repository = Path::new(&stand.value("git", "folder")).join("one");
    crate::support::write_file(&repository.join("a.txt"), "text\n");
    let git = crate::run_git::git;
    git(&repository, &["init", "--quiet", "--initial-branch=main"]);
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "--quiet", "-m", "Add a file"]);
    let mut names = vec!["none", "one"];
    while let Some(name) = names.pop() {
        let nodes = format!(
            r#"<start to="c"/><action name="c"><git xmlns="uri:oozie:git-action:1.0"><name-node>hdfs://nn</name-node>
            <git-uri>{}/{name}</git-uri><destination-uri>hdfs://nn/copy</destination-uri></git>
            <ok to="end"/><error to="fail"/></action>"#,
            stand.value("git", "url")
        );
        // Only what says so is given away.
        crate::support::write_file(&repository.join(".git/git-daemon-export-ok"), "");
        let folder =
            project(&format!("parts-git-{name}"), &[("app/workflow.xml", &workflow("clone", &nodes))]);
        let (_, out, err) = ankus(&folder, &["run", "app"]);
        let status = if name == "one" { "SUCCEEDED" } else { "KILLED" };
        assert_eq!(statuses(&folder), [status], "{out}{err}");
        let copied = std::fs::read_to_string(folder.join("data/copy/a.txt")).ok();
        assert_eq!(copied.as_deref(), (name == "one").then_some("text\n"));
    }
}

#[test]
fn a_command_goes_on_where_the_sshd_is_killed() {
    let Some(mut stand) = Stand::of(&["ssh"]) else { return };
    let value = |stand: &Stand, name: &str| stand.value("ssh", name);
    let folder = project("parts-ssh", &[]);
    let (begun, go) = (folder.join("begun"), folder.join("go"));
    let nodes = format!(
        r#"<start to="s"/><action name="s"><ssh xmlns="uri:oozie:ssh-action:0.2"><host>{}@127.0.0.1</host>
        <command>sh</command><arg>-c</arg><arg>touch {}; while ! test -e {}; do :; done; echo done=yes</arg><capture-output/></ssh>
        <ok to="end"/><error to="fail"/></action>"#,
        value(&stand, "user"),
        begun.display(),
        go.display()
    );
    let config = format!(
        "{}[run.ssh]\nport = {}\nidentity = \"{}\"\noptions = [\"StrictHostKeyChecking=no\", \"UserKnownHostsFile={}\"]\n",
        crate::run::CONFIG,
        value(&stand, "port"),
        value(&stand, "key"),
        folder.join("known").display()
    );
    crate::support::write_file(&folder.join("ankus.toml"), &config);
    crate::support::write_file(&folder.join("app/workflow.xml"), &workflow("ssh", &nodes));
    let mut child = program(&folder, &["run", "app"]).stdout(Stdio::null()).spawn().expect("it runs");
    while !begun.exists() {
        assert!(child.try_wait().expect("asked").is_none(), "{}", ankus(&folder, &["job", "1-W", "info"]).1);
        std::thread::yield_now();
    }
    stand.order("kill ssh");
    std::fs::write(&go, "").expect("a file");
    assert!(stand.order("start ssh").starts_with("ssh port="));
    assert!(child.wait().expect("it ends").success(), "{}", ankus(&folder, &["job", "1-W", "info"]).1);
}
