//! Packages of `hadoop-workflow`: ZIP archives through `check`, with places inside the archive.

use std::io::{Cursor, Write};
use std::path::Path;

use serde_json::Value;

use crate::support::{ankus, folder_of};

const FINE: &str = "<hadoop-workflow name=\"w\">\n<start to=\"a\"/>\n<hadoop name=\"a\"><job-xml>/conf/a.xml</job-xml><configuration>\
                    <property><name>x</name><value>${wf:conf('y')}</value></property></configuration><transition name=\"OK\" \
                    to=\"e\"/><transition name=\"ERROR\" to=\"e\"/></hadoop>\n<end name=\"e\"/>\n</hadoop-workflow>\n";
const JOB: &str =
    "<configuration><property><name>mapred.job.tracker</name><value>jt:1</value></property></configuration>";

/// An archive of these files.
fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).expect("an entry");
        writer.write_all(text.as_bytes()).expect("it is written");
    }
    writer.finish().expect("it ends").into_inner()
}

/// What `check` finds in an archive: rule, file, line.
fn findings(folder: &Path, name: &str, bytes: &[u8]) -> Vec<(String, String, u64)> {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("it is written");
    let outcome = ankus(&["check", &path.to_string_lossy(), "--format", "json"]);
    let report: Value =
        serde_json::from_str(&outcome.out).unwrap_or_else(|_| panic!("{}{}", outcome.out, outcome.err));
    let one = |finding: &Value| {
        let text = |key: &str| finding[key].as_str().expect("a text").to_owned();
        let file = text("file").rsplit_once('/').map(|(_, name)| name.to_owned()).unwrap_or_default();
        (text("rule"), file, finding["start"]["line"].as_u64().expect("a line"))
    };
    // Nothing is submitted here that could give what `wf:conf` asks for.
    let told = |finding: &&Value| finding["rule"] != "parameter-undefined";
    report["findings"].as_array().expect("findings").iter().filter(told).map(one).collect()
}

/// HWS-1-5 HWS-7-2 HWS-7-4 HWS-7-5 HWS-7-9: a package is read without unpacking, whatever it is called.
#[test]
fn a_package_is_checked_where_it_lies() {
    let folder = folder_of("hws-packages", &[("x", "")]);
    let fine = archive(&[("workflow.xml", FINE), ("conf/a.xml", JOB), ("lib/a.jar", "x")]);
    assert_eq!(findings(&folder, "app.zip", &fine), []);
    assert_eq!(findings(&folder, "app", &fine), []);
    let broken = archive(&[("workflow.xml", &FINE.replace("to=\"a\"", "to=\"b\"")), ("conf/a.xml", JOB)]);
    let found = findings(&folder, "app.zip", &broken);
    assert_eq!(found[0], ("transition-unknown".to_owned(), "workflow.xml".to_owned(), 2), "{found:?}");
    let outcome = ankus(&["check", &folder.join("app.zip").to_string_lossy()]);
    assert!(outcome.out.contains("app.zip!/workflow.xml:2:"), "HWS-7-4 {}", outcome.out);
    let other = archive(&[("workflow.xml", "<project/>")]);
    assert_eq!(findings(&folder, "app.zip", &other).len(), 1, "HWS-7-4");
}

/// HWS-7-10 HWS-3.2.2.1-7 HWS-3.2.2.1-8 HWS-3.2.3-6: `/conf/a.xml` and `conf/a.xml` are one file, and one that is missing is an error.
#[test]
fn files_are_looked_for_from_the_root_of_the_package() {
    let folder = folder_of("hws-package-files", &[("x", "")]);
    let relative = FINE.replace("/conf/a.xml", "conf/a.xml");
    assert_eq!(
        findings(&folder, "app.zip", &archive(&[("workflow.xml", &relative), ("conf/a.xml", JOB)])),
        []
    );
    let missing = findings(&folder, "app.zip", &archive(&[("workflow.xml", FINE)]));
    assert_eq!(missing, [("action-file-missing".to_owned(), "workflow.xml".to_owned(), 3)]);
    let other = archive(&[("workflow.xml", FINE), ("conf/a.xml", "<project/>")]);
    let found = findings(&folder, "app.zip", &other);
    assert_eq!((found[0].0.as_str(), found[0].1.as_str()), ("configuration-invalid", "a.xml"), "{found:?}");
    // HWS-7-6: defaults are a Hadoop configuration.
    let defaults =
        archive(&[("workflow.xml", FINE), ("conf/a.xml", JOB), ("configuration.xml", "<project/>")]);
    let found = findings(&folder, "app.zip", &defaults);
    assert_eq!(found[0].0, "configuration-invalid", "{found:?}");
}

/// HWS-7-3 HWS-7-11: what is no package, or hostile, is refused with the finding `package-invalid` at the archive.
#[test]
fn what_is_no_package_is_refused() {
    let folder = folder_of("hws-package-refused", &[("x", "")]);
    let check = |files: &[(&str, &str)]| findings(&folder, "app.zip", &archive(files));
    let refused = [("package-invalid".to_owned(), "app.zip".to_owned(), 1)];
    assert_eq!(check(&[("app/workflow.xml", FINE)]), refused);
    assert_eq!(check(&[("workflow.xml", FINE), ("../out", "x")]), refused);
    assert_eq!(check(&[("readme", "x")]), refused);
    let whole = archive(&[("workflow.xml", FINE)]);
    assert_eq!(findings(&folder, "app.zip", &whole[..whole.len() - 4]), refused);
}
