//! What an action of `ankus run` finds: files and archives in its folder, its configuration, its environment; and that
//! nothing of it leads out.

use std::io::Write;
use std::path::Path;

use crate::run::{ankus, program, project, workflow};

/// A shell action around more elements.
fn shell(exec: &str, before: &str, after: &str) -> String {
    workflow(
        "files",
        &format!(
            r#"<start to="a"/><action name="a"><shell xmlns="uri:oozie:shell-action:1.0">{before}<exec>{exec}</exec>
            {after}</shell><ok to="end"/><error to="fail"/></action>"#
        ),
    )
}

/// A zip archive of these files; a name with a target behind `->` is a link.
pub fn zip_of(path: &Path, files: &[(&str, &str)]) {
    let mut writer = zip::ZipWriter::new(std::fs::File::create(path).expect("a file"));
    let options = zip::write::SimpleFileOptions::default();
    for (name, text) in files {
        match name.split_once("->") {
            Some((name, target)) => writer.add_symlink(name, target, options).expect("a link"),
            None => {
                writer.start_file(*name, options).expect("an entry");
                writer.write_all(text.as_bytes()).expect("its text");
            }
        }
    }
    writer.finish().expect("an archive");
}

/// A tar archive of these entries, whatever their names: name, kind, target, text.
fn tar_of(files: &[(&str, tar::EntryType, &str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, kind, target, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_entry_type(*kind);
        header.set_mode(0o644);
        // The writer refuses names that lead out, so they are put in as bytes.
        let old = header.as_old_mut();
        old.name[..name.len()].copy_from_slice(name.as_bytes());
        old.linkname[..target.len()].copy_from_slice(target.as_bytes());
        header.set_cksum();
        builder.append(&header, text.as_bytes()).expect("an entry");
    }
    builder.into_inner().expect("an archive")
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory takes everything");
    encoder.finish().expect("memory takes everything")
}

/// What the only action of a folder's first job wrote.
fn log(folder: &Path) -> String {
    ankus(folder, &["job", "1-W", "log", "--action", "a"]).1
}

#[test]
fn files_and_archives_lie_in_the_folder_of_the_action() {
    let after = "<file>bin/tool.sh</file><file>/shared/words.txt#deep/w.txt,bin/second.txt</file>\
                 <file>other#lib.jar</file><archive>z.zip#unzipped</archive><archive>j.jar</archive>\
                 <archive>hdfs://nn/shared/t.tar</archive><archive>g.tgz#g</archive><archive>plain.txt#plain</archive>";
    let script =
        "#!/bin/sh\nfind . -type f -o -type l | sort\ncat deep/w.txt unzipped/in/a.txt g/l lib.jar\n";
    let text = shell("bin/tool.sh", "", after);
    let folder = project(
        "run-files",
        &[
            ("app/workflow.xml", &text),
            ("app/bin/tool.sh", script),
            ("app/bin/second.txt", ""),
            ("app/lib/lib.jar", "of lib\n"),
            ("app/lib/below/not.jar", ""),
            ("app/other", "later\n"),
            ("app/plain.txt", ""),
            ("data/shared/words.txt", "words\n"),
        ],
    );
    zip_of(&folder.join("app/z.zip"), &[("in/a.txt", "zipped\n"), ("in/b->a.txt", "")]);
    zip_of(&folder.join("app/j.jar"), &[("META-INF/MANIFEST.MF", "")]);
    let (file, link, hard) = (tar::EntryType::Regular, tar::EntryType::Symlink, tar::EntryType::Link);
    let tar = tar_of(&[("x/y", file, "", "tarred\n"), ("x/l", link, "../x/y", ""), ("h", hard, "x/y", "")]);
    std::fs::write(folder.join("data/shared/t.tar"), tar).expect("a file");
    let tar = tar_of(&[("./f", file, "", "gzipped\n"), ("l", link, "f", "")]);
    std::fs::write(folder.join("app/g.tgz"), gz(&tar)).expect("a file");
    let (code, out, err) = ankus(&folder, &["run", "app"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}{}", log(&folder));
    let found = "./action.xml ./deep/w.txt ./g/f ./g/l ./j.jar/META-INF/MANIFEST.MF ./lib.jar ./plain ./second.txt \
                 ./t.tar/h ./t.tar/x/l ./t.tar/x/y ./tool.sh ./unzipped/in/a.txt ./unzipped/in/b";
    let found = found.replace(' ', "\n");
    assert_eq!(log(&folder), format!("== a, stdout\n{found}\nwords\nzipped\ngzipped\nof lib\n"));
}

#[test]
fn archives_write_nothing_outside_their_folder() {
    let (file, link, hard) = (tar::EntryType::Regular, tar::EntryType::Symlink, tar::EntryType::Link);
    let out = "leads out of its folder";
    let whole = tar_of(&[("a", file, "", &"x".repeat(5_000))]);
    let hostile: [(&str, Vec<u8>, &str); 12] = [
        (
            "both",
            tar_of(&[("a", file, "", ""), ("a/b/c", file, "", "")]),
            "`a` in it is a file as well as the folder of `a/b/c`",
        ),
        ("cut", whole[..2_000].to_vec(), "it is no whole archive of its kind ("),
        ("text", b"text".to_vec(), "it is no whole archive of its kind ("),
        ("up", tar_of(&[("../../out", file, "", "x")]), out),
        ("absolute", tar_of(&[("/out", file, "", "x")]), out),
        ("inside-up", tar_of(&[("a/../../../out", file, "", "x")]), out),
        ("link", tar_of(&[("l", link, "../..", "")]), out),
        ("absolute-link", tar_of(&[("l", link, "/tmp", "")]), out),
        (
            "chain",
            tar_of(&[("a/b", file, "", ""), ("l", link, "a", ""), ("l/c", file, "", "x")]),
            "behind a link",
        ),
        ("back", tar_of(&[("l", link, "a/../..", "")]), out),
        ("second", tar_of(&[("h", hard, "../../../../kept", "")]), out),
        ("device", tar_of(&[("d", tar::EntryType::Char, "", "")]), "neither a file nor a folder nor a link"),
    ];
    for (name, bytes, words) in hostile {
        let text = shell("true", "", "<archive>bad.tar.gz#in</archive>");
        let folder =
            project(&format!("run-hostile-{name}"), &[("app/workflow.xml", &text), ("kept", "kept")]);
        std::fs::write(folder.join("app/bad.tar.gz"), gz(&bytes)).expect("a file");
        refused(&folder, "JA018", words);
    }
    for (name, entry) in [("zip-up", "../../out"), ("zip-absolute", "/out"), ("zip-link", "l->../../x")] {
        let text = shell("true", "", "<archive>bad.zip</archive>");
        let folder =
            project(&format!("run-hostile-{name}"), &[("app/workflow.xml", &text), ("kept", "kept")]);
        zip_of(&folder.join("app/bad.zip"), &[(entry, "x")]);
        refused(&folder, "JA018", out);
    }
    let text = shell("true", "", "<archive>bad.zip</archive>");
    let folder = project(
        "run-hostile-zip-cut",
        &[("app/workflow.xml", &text), ("app/bad.zip", "PK"), ("kept", "kept")],
    );
    refused(&folder, "JA018", "it is no whole archive of its kind (");
}

/// Runs an app whose action is refused, and looks that nothing was written beside the store.
fn refused(folder: &Path, code: &str, words: &str) {
    let (exit, out, err) = ankus(folder, &["run", "app"]);
    assert_eq!((exit, err.as_str()), (1, ""), "{out}");
    let (_, info, _) = ankus(folder, &["job", "1-W", "info"]);
    assert!(info.contains(code) && info.contains(words), "{}: {info}", folder.display());
    assert_eq!(std::fs::read_to_string(folder.join("kept")).expect("it is there"), "kept");
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        assert_ne!(path.file_name().unwrap_or_default(), "out", "{}", path.display());
        if path.is_dir() && !path.is_symlink() {
            open.extend(std::fs::read_dir(path).expect("a folder").flatten().map(|entry| entry.path()));
        }
    }
}

#[test]
fn paths_of_files_lead_nowhere_else() {
    for (number, (element, code, words)) in [
        ("<file>../kept</file>", "E0904", "leads out of the app's folder"),
        ("<file>/etc/hostname</file>", "JA008", "File does not exist: /etc/hostname"),
        ("<file>file:///etc/hostname</file>", "E0904", "no folder stands for"),
        ("<file>hdfs://nn/../kept</file>", "E0904", "leads out of the folder"),
        ("<file>hdfs://other/x</file>", "E0904", "no folder stands for"),
        ("<file>here#../out</file>", "E0904", "would lie outside the action's folder"),
        ("<file>here#/out</file>", "E0904", "would lie outside the action's folder"),
        ("<archive>here#a/../../out</archive>", "E0904", "would lie outside the action's folder"),
        ("<file>nothing</file>", "JA008", "File does not exist: nothing"),
        ("<archive>link</archive>", "E0904", "leads out of"),
        ("<file>chain</file>", "E0904", "leads out of"),
        ("<file>absolute</file>", "E0904", "leads out of"),
        ("<file>outer/secret.xml</file>", "E0904", "leads out of"),
        ("<job-xml>link</job-xml>", "E0904", "leads out of"),
        ("<job-xml>chain</job-xml>", "E0904", "leads out of"),
        ("<job-xml>absolute</job-xml>", "E0904", "leads out of"),
        ("<job-xml>outer/secret.xml</job-xml>", "E0904", "leads out of"),
        ("<archive>outer/secret.xml</archive>", "E0904", "leads out of"),
        ("<file>folder#f</file>", "E0904", "leads out of"),
        ("<job-xml>../conf.xml</job-xml>", "E0904", "leads out of the app's folder"),
        ("<job-xml>none.xml</job-xml>", "JA008", "File does not exist: none.xml"),
    ]
    .into_iter()
    .enumerate()
    {
        let (before, after) = if element.starts_with("<job") { (element, "") } else { ("", element) };
        let text = shell("true", before, after);
        let files =
            [("app/workflow.xml", text.as_str()), ("kept", "kept"), ("app/here", ""), ("app/folder/x", "")];
        let folder = project(&format!("run-paths-{number}"), &files);
        std::fs::write(folder.join("../run-paths-secret"), "secret").expect("a file");
        for link in ["app/link", "app/folder/link"] {
            std::os::unix::fs::symlink(folder.join("../run-paths-secret"), folder.join(link))
                .expect("a link");
        }
        let outer = folder.join("../run-paths-outer");
        std::fs::create_dir_all(&outer).expect("a folder");
        std::fs::write(outer.join("secret.xml"), "<configuration/>").expect("a file");
        let outer = outer.canonicalize().expect("it is there");
        for (target, link) in [
            (std::path::PathBuf::from("link"), "app/chain"),
            (outer.join("secret.xml"), "app/absolute"),
            (outer.clone(), "app/outer"),
        ] {
            std::os::unix::fs::symlink(target, folder.join(link)).expect("a link");
        }
        refused(&folder, code, words);
    }
}

#[test]
fn configurations_are_merged_in_a_servers_order() {
    let conf = |properties: &[(&str, &str)]| {
        let property = |(name, value): &(&str, &str)| {
            format!("<property><name>{name}</name><value>{value}</value></property>")
        };
        format!("<configuration>{}</configuration>", properties.iter().map(property).collect::<String>())
    };
    let own = conf(&[("own", "inline"), ("both", "inline")]);
    let before = format!("<job-xml>second.xml</job-xml><job-xml>third.xml</job-xml>{own}");
    let text = shell("cat", &before, "<argument>action.xml</argument>");
    let global = format!("<job-xml>first.xml</job-xml>{}</global>", conf(&[("global", "g"), ("both", "g")]));
    let text = text.replace("</global>", &global);
    let first = conf(&[("a", "1"), ("b", "1"), ("c", "1"), ("global", "1"), ("both", "1"), ("own", "1")]);
    let second = conf(&[("b", "2"), ("c", "2"), ("name", "${wf:name()}-${wf:conf('given')}")]);
    let third = conf(&[("c", "3")]);
    let folder = project(
        "run-job-xml",
        &[
            ("app/workflow.xml", &text),
            ("app/first.xml", &first),
            ("app/second.xml", &second),
            ("app/third.xml", &third),
        ],
    );
    let (code, out, err) = ankus(&folder, &["-q", "run", "app", "-D", "given=x & <y>"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let log = log(&folder);
    for (name, value) in [
        ("a", "1"),
        ("b", "2"),
        ("c", "3"),
        ("global", "g"),
        ("both", "inline"),
        ("own", "inline"),
        ("name", "files-x &amp; &lt;y&gt;"),
        ("fs.default.name", "hdfs://nn"),
        ("yarn.resourcemanager.address", "local"),
    ] {
        let line = format!("<property><name>{name}</name><value>{value}</value></property>");
        assert!(log.contains(&line), "{line} in {log}");
    }
    let text = shell("true", "<job-xml>bad.xml</job-xml>", "");
    let bad = conf(&[("user.name", "root")]);
    let folder =
        project("run-disallowed", &[("app/workflow.xml", &text), ("app/bad.xml", &bad), ("kept", "kept")]);
    let words = "Property [user.name] not allowed in action [job-xml] configuration";
    refused(&folder, "JA010", words);
}

#[test]
fn the_environment_is_what_is_stated() {
    let before = "<launcher><env>FROM_LAUNCHER=1:OTHER=a=b</env></launcher>";
    let text = shell("/usr/bin/env", before, "<env-var>MINE=$HOME;`id`</env-var>");
    let folder = project("run-environment", &[("app/workflow.xml", &text)]);
    let mut command = program(&folder, &["-q", "run", "app"]);
    command.env_clear().envs([("PATH", "/usr/bin:/bin"), ("HOME", "/home/x"), ("LANG", "C"), ("TZ", "UTC")]);
    command.envs([("TMPDIR", "/tmp"), ("SECRET_TOKEN", "x"), ("LD_LIBRARY_PATH", "/x"), ("JAVA_HOME", "/x")]);
    let output = command.output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let log = log(&folder);
    let mut lines: Vec<&str> = log.lines().skip(1).collect();
    lines.sort();
    let conf = lines.iter().position(|line| line.starts_with("OOZIE_ACTION_CONF_XML=")).expect("it is told");
    let conf = lines.remove(conf);
    assert!(conf.ends_with("/work/action.xml"), "{conf}");
    let stated =
        ["FROM_LAUNCHER=1", "HOME=/home/x", "LANG=C", "MINE=$HOME;`id`", "OTHER=a=b", "PATH=.:/usr/bin:/bin"];
    assert_eq!(lines, [&stated[..], &["TMPDIR=/tmp", "TZ=UTC"]].concat());
}

#[cfg(unix)]
#[test]
fn a_script_that_names_no_program_is_run_by_the_shell() {
    // Below the app, by its own name; and by a name that is looked for on the path.
    let text = shell("plain.sh", "", "<argument>a b</argument><file>plain.sh</file>");
    let script = "echo \"$# $1\"; basename \"$0\"\n";
    let folder = project("run-plain", &[("app/workflow.xml", &text), ("app/plain.sh", script)]);
    let (code, out, err) = ankus(&folder, &["-q", "run", "app"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert_eq!(log(&folder), "== a, stdout\n1 a b\nplain.sh\n");
    let text = shell("plain-on-path", "", "<argument>a</argument>");
    let folder = project("run-plain-on-path", &[("app/workflow.xml", &text), ("bin/plain-on-path", script)]);
    let executable: std::fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.join("bin/plain-on-path"), executable).expect("it may be run");
    let (code, out, err) = ankus(&folder, &["-q", "run", "app"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert_eq!(log(&folder), "== a, stdout\n1 a\nplain-on-path\n");
    // What is no text is for another machine, and no shell is asked.
    let text = shell("other", "", "<file>other</file>");
    let folder = project(
        "run-plain-binary",
        &[("app/workflow.xml", &text), ("app/other", "\u{7f}ELF\0\0\0\0"), ("kept", "kept")],
    );
    refused(&folder, "JA018", "Exec format error");
}

#[test]
fn what_no_argument_can_hold_is_told_with_its_place() {
    let text = shell("echo", "", "<argument>a</argument><argument>${bad}</argument>");
    let folder = project("run-nul", &[("app/workflow.xml", &text), ("nul.properties", "bad=x\\u0000y\n")]);
    assert_eq!(ankus(&folder, &["-q", "run", "app", "--no-preflight", "-c", "nul.properties"]).0, 1);
    let (_, info, _) = ankus(&folder, &["job", "1-W", "info"]);
    assert!(
        info.contains("JA018: the value of `argument` holds the character U+0000, which no argument"),
        "{info}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_app_whose_path_cannot_be_kept_is_told_with_it() {
    use std::os::unix::ffi::OsStrExt;
    let text = shell("true", "", "");
    let folder = project("run-odd", &[("app/workflow.xml", &text)]);
    let odd = std::ffi::OsStr::from_bytes(b"odd\xff");
    std::fs::rename(folder.join("app"), folder.join(odd)).expect("renamed");
    let output = program(&folder, &["run"]).arg(odd).output().expect("it runs");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("odd\u{fffd}/workflow.xml` is not UTF-8") && err.contains("rename it"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_path_of_an_action_is_for_what_its_program_starts() {
    let text = shell(
        "sh",
        "",
        "<argument>-c</argument><argument>echo $PATH</argument><env-var>PATH=/nowhere</env-var>",
    );
    let folder = project("run-path", &[("app/workflow.xml", &text)]);
    let (code, out, err) = ankus(&folder, &["-q", "run", "app"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert_eq!(log(&folder), "== a, stdout\n/nowhere\n");
}

#[test]
fn what_is_captured_is_bounded() {
    for (allowed, fits) in [("", false), ("5000", true), ("100", false)] {
        let conf = match allowed {
            "" => String::new(),
            max => format!(
                "<configuration><property><name>oozie.action.max.output.data</name><value>{max}</value></property></configuration>"
            ),
        };
        let after = format!("<argument>x={}</argument><capture-output/>", "y".repeat(3000));
        let text = shell("echo", &conf, &after);
        let folder = project(
            &format!("run-captured-{fits}-{allowed}"),
            &[("app/workflow.xml", &text), ("kept", "kept")],
        );
        if fits {
            assert_eq!(ankus(&folder, &["-q", "run", "app"]).0, 0);
        } else {
            let max = if allowed.is_empty() { "2048" } else { allowed };
            refused(&folder, "JA018", &format!("output.properties data exceeds its limit [{max}]"));
        }
    }
}
