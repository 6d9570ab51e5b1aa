//! Stores on a disk that is really full, as the kernel says it (ENOSPC): what was acknowledged is kept, and all goes on
//! once there is room.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{project, workflow};
use crate::support::not_run;

/// Runs a shell script beside a disk of its own in the folder `disk`, whose size `resize KILOBYTES` changes; what it says.
/// Nothing where the kernel lets nobody have one, which is a failure where all is to be tested.
fn with_disk(folder: &Path, script: &str) -> Option<String> {
    std::fs::create_dir_all(folder.join("disk")).expect("a folder");
    let mount = "mount -t tmpfs -o size=64k none disk";
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command.current_dir(folder).args(["--user", "--map-root-user", "--mount", "sh", "-c", script]);
        command.arg(env!("CARGO_BIN_EXE_ankus")).output()
    };
    if !unshare(mount).is_ok_and(|output| output.status.success()) {
        // Nothing can be installed against that; a limit on the length of files, which works anywhere, stands for it in
        // the tests of stores.
        not_run("a disk that is full", "no mounts are allowed");
        return None;
    }
    let resize = "resize() { mount -o remount,size=$1k disk; }";
    let output = unshare(&format!("{mount} && {resize}\n{script}")).expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    Some(text(&output.stdout))
}

/// A folder in which an app with these nodes lies beside the disk.
fn beside_disk(name: &str, nodes: &str) -> PathBuf {
    project(name, &[("app/workflow.xml", &workflow("w", nodes))])
}

/// An action that needs no file.
fn line(name: &str, command: &str, ok: &str) -> String {
    format!(
        r#"<action name="{name}"><shell xmlns="uri:oozie:shell-action:1.0"><exec>sh</exec><argument>-c</argument>
        <argument>{command}</argument><capture-output/></shell><ok to="{ok}"/><error to="fail"/></action>"#
    )
}

#[test]
fn a_disk_that_grows_by_little_loses_nothing() {
    // From the folder of an attempt to what lies beside the disk.
    let mark = |n: u32| format!("echo n{n} &gt;&gt; ../../../../../../marks");
    let mut nodes = r#"<start to="n0"/>"#.to_owned();
    for n in 0..5 {
        let next = if n < 4 { format!("n{}", n + 1) } else { "end".to_owned() };
        nodes.push_str(&line(&format!("n{n}"), &mark(n), &next));
    }
    let folder = beside_disk("full-grows", &nodes);
    let script = r#"
        size=64
        while [ $size -lt 4096 ]; do
            resize $size
            "$0" -q run app --external-id it --store disk/.ankus > out 2> err; code=$?
            echo "code $code"
            case $code in
                0) break;;
                1) "$0" job 1-W resume --store disk/.ankus > /dev/null 2>&1;;
                2) grep -q "the disk does not take what is written (" err || { echo "else"; cat err; };;
            esac
            size=$((size + 16))
        done
        "$0" job 1-W info --store disk/.ankus"#;
    let Some(said) = with_disk(&folder, script) else { return };
    println!("{said}");
    assert!(said.matches("code 2\n").count() >= 3 && said.contains("code 0\n"), "{said}");
    assert!(!said.contains("else\n") && said.contains("  SUCCEEDED  w\n"), "{said}");
    let marks = std::fs::read_to_string(folder.join("marks")).expect("marks");
    assert_eq!(marks, "n0\nn1\nn2\nn3\nn4\n", "{said}");
}

#[test]
fn the_end_of_an_action_that_fills_the_disk_is_written() {
    let fill = "echo a=b; echo n0 &gt;&gt; ../../../../../../marks; cat /dev/zero &gt; ../../../../../fill";
    let nodes = format!(
        r#"<start to="n0"/>{}{}"#,
        line("n0", &format!("{fill}; true"), "n1"),
        line("n1", "true", "end")
    );
    let folder = beside_disk("full-filled", &nodes);
    let script = r#"
        resize 4096
        "$0" -q run app --store disk/.ankus; echo "code $?"
        test -f disk/fill && test -f disk/.ankus/work/1/1/result.json && echo there
        rm disk/fill
        "$0" -q run --store disk/.ankus; echo "code $?"
        "$0" job 1-W info --store disk/.ankus"#;
    let Some(said) = with_disk(&folder, script) else { return };
    assert!(said.starts_with("code 2\nthere\ncode 0\n") && said.contains("  SUCCEEDED  w\n"), "{said}");
    assert_eq!(std::fs::read_to_string(folder.join("marks")).expect("marks"), "n0\n");
}
