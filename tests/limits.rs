//! Every limit has its finding: just within it there is none, beyond it there is. The inputs are made here because they
//! are too large, or too far from anything real, for fixtures. What is within the largest ones takes too long to read.

use std::fs;

use crate::support::{ankus, folder_of};

/// Whether a command finds a rule in a folder with these files.
fn finds(name: &str, slug: &str, files: &[(&str, String)], command: &[&str]) -> bool {
    let texts: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let folder = folder_of(&format!("limits/{name}"), &texts);
    let path = folder.join(files[0].0).display().to_string();
    let outcome = ankus(&[command, &[path.as_str(), "--format", "json"]].concat());
    assert_ne!(outcome.code, 2, "{name}: {}", outcome.err);
    let _ = fs::remove_dir_all(&folder);
    outcome.out.contains(&format!("\"{slug}\""))
}

/// Holds `check` to a limit of one file that `text` makes of a size.
fn limit(slug: &str, file: &str, within: usize, text: impl Fn(usize) -> String) {
    assert!(!finds(slug, slug, &[(file, text(within))], &["check"]), "{slug} is found within its limit");
    assert!(
        finds(slug, slug, &[(file, text(within + 1))], &["check"]),
        "{slug} is not found beyond its limit"
    );
}

/// A workflow of one action, with something before its nodes.
fn workflow(attributes: &str, inside: &str) -> String {
    format!(
        "<workflow-app name=\"w\" xmlns=\"uri:oozie:workflow:0.5\"{attributes}><start to=\"end\"/>{inside}<end name=\"end\"/>\
         </workflow-app>"
    )
}

/// Fills a text up to so many bytes.
fn filled(size: usize, text: impl Fn(&str) -> String) -> String {
    let empty = text("").len();
    text(&"x".repeat(size.checked_sub(empty).expect("there is room")))
}

#[test]
fn long_definitions() {
    let comment = |fill: &str| workflow("", &format!("<!--{fill}-->"));
    limit("definition-too-long", "workflow.xml", 100_000, |size| filled(size, comment));
}

#[test]
fn deep_and_wide_documents() {
    // The root is a level of its own, as is its namespace among the attributes.
    let nested = |levels: usize| workflow("", &("<a>".repeat(levels - 1) + &"</a>".repeat(levels - 1)));
    limit("xml-too-deep", "workflow.xml", 200, nested);
    let attributes = |count: usize| {
        let more: String = (2..count).map(|number| format!(" a{number}=\"\"")).collect();
        workflow(&more, "")
    };
    limit("xml-too-many-attributes", "workflow.xml", 256, attributes);
    let value = |size: usize| workflow(&format!(" a=\"{}\"", "x".repeat(size)), "");
    limit("xml-attribute-too-long", "workflow.xml", 1 << 20, value);
}

#[test]
fn large_documents() {
    let beyond = |slug: &str, text: String| {
        assert!(
            finds(slug, slug, &[("workflow.xml", text)], &["check"]),
            "{slug} is not found beyond its limit"
        );
    };
    beyond("xml-too-large", filled((32 << 20) + 1, |fill| workflow("", &format!("<!--{fill}-->"))));
    beyond("xml-too-many-nodes", workflow("", &"<?a?>".repeat(2_000_000)));
}

#[test]
fn large_properties() {
    let comment = |fill: &str| format!("oozie.wf.application.path=/x\n#{fill}");
    limit("properties-too-large", "job.properties", 32 << 20, |size| filled(size, comment));
}

#[test]
fn values_that_grow() {
    // All values together count: 16 times 4 MiB, and a bit.
    let files = |count: usize| {
        let values: String = (0..count).map(|number| format!("all{number}=${{long}}\n")).collect();
        let long = "x".repeat(4 << 20);
        let properties = format!("oozie.wf.application.path=/x\nlong={long}\n{values}");
        let config = "[paths]\n\"/x\" = \".\"\n".to_owned();
        [("job.properties", properties), ("workflow.xml", workflow("", "")), ("ankus.toml", config)]
    };
    let slug = "configuration-too-long";
    assert!(!finds(slug, slug, &files(15), &["check"]), "{slug} is found within its limit");
    assert!(finds(slug, slug, &files(17), &["check"]), "{slug} is not found beyond its limit");
}

#[test]
fn times_that_leave_the_calendar() {
    // 2^31 - 1 minutes are 4,083 years; the third time would be counted with a number that has wrapped.
    let coordinator = |end: &str| {
        let text = format!(
            "<coordinator-app name=\"c\" frequency=\"2147483647\" start=\"2024-01-01T00:00Z\" end=\"{end}\" \
             timezone=\"UTC\" xmlns=\"uri:oozie:coordinator:0.4\"><action><workflow><app-path>hdfs://nn/w</app-path>\
             </workflow></action></coordinator-app>"
        );
        [("coordinator.xml", text)]
    };
    let slug = "time-out-of-range";
    assert!(!finds(slug, slug, &coordinator("6000-01-01T00:00Z"), &["plan"]), "{slug} is found too early");
    assert!(finds(slug, slug, &coordinator("9999-01-01T00:00Z"), &["plan"]), "{slug} is not found");
}
