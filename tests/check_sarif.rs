//! `check --format sarif`, read back by types that were made from the schema of SARIF 2.1.0.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::support::ankus;
use serde_json::Value;

/// Many findings of many rules, with labels, fixes and several files.
const MANY: &str = "fixtures/rules";

/// An app whose names need every kind of escaping.
fn awkward() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("check_sarif");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let text = "<workflow-app name=\"é\" xmlns=\"uri:oozie:workflow:0.5\">\n  <start to=\"a]](0)&lt;é\u{1F418}\"/>\n  \
                <end name=\"end\"/>\n</workflow-app>\n";
    let file = folder.join("we, 100% &'<é\u{1F418}: x.xml");
    std::fs::write(&file, text).expect("written");
    file
}

fn check(format: &str, path: &str) -> String {
    let outcome = ankus(&["check", "-v", "--format", format, path]);
    assert_ne!(outcome.code, 2, "{}", outcome.err);
    outcome.out
}

/// The findings as `--format json` has them.
fn findings(path: &str) -> Vec<Value> {
    let report: Value = serde_json::from_str(&check("json", path)).expect("it is JSON");
    report["findings"].as_array().expect("findings").clone()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("no text `{name}` in {value}"))
}

#[test]
fn sarif_is_what_its_schema_says() {
    let awkward = awkward().display().to_string();
    for path in [MANY, "fixtures/broken", "fixtures/demo", &awkward] {
        let out = check("sarif", path);
        let value: Value = serde_json::from_str(&out).expect("it is JSON");
        let sarif: serde_sarif::sarif::Sarif = serde_json::from_str(&out).expect("it is SARIF");
        // What the types do not know is lost on the way.
        let again = serde_json::to_value(&sarif).expect("it can be written");
        assert_eq!(without_nulls(again), without_nulls(value));
        assert_sarif_says(&sarif, &findings(path));
    }
}

/// JSON without members that are null or empty, which a reader may leave out.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| (name, without_nulls(value)))
            .filter(|(_, value)| !value.is_null())
            .collect(),
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

fn assert_sarif_says(sarif: &serde_sarif::sarif::Sarif, findings: &[Value]) {
    let run = &sarif.runs[0];
    let rules = run.tool.driver.rules.as_ref().expect("rules");
    let results = run.results.as_ref().expect("results");
    assert_eq!(results.len(), findings.len());
    let mut fingerprints = BTreeSet::new();
    for (result, finding) in results.iter().zip(findings) {
        let rule = &rules[usize::try_from(result.rule_index.expect("an index")).expect("not negative")];
        assert_eq!(rule.id, text(finding, "rule"));
        assert!(rule.help_uri.as_ref().is_some_and(|uri| uri.starts_with("https://")), "{}", rule.id);
        assert!(rule.help.as_ref().is_some_and(|help| help.markdown.is_some()), "{}", rule.id);
        assert!(result.message.text.as_ref().is_some_and(|text| !text.is_empty()));
        let place =
            result.locations.as_ref().expect("a place")[0].physical_location.as_ref().expect("a file");
        let region = place.region.as_ref().expect("a region");
        assert_eq!(region.start_line, finding["start"]["line"].as_i64());
        assert_eq!(region.start_column, finding["start"]["column"].as_i64());
        assert_eq!(region.end_column, finding["end"]["column"].as_i64());
        let uri = place.artifact_location.as_ref().and_then(|a| a.uri.as_ref()).expect("a URI");
        assert!(uri.is_ascii() && !uri.contains([' ', '&', '<', '\'', ',']), "{uri}");
        let related = result.related_locations.as_ref().map_or(0, Vec::len);
        assert_eq!(related, finding["labels"].as_array().expect("labels").len());
        assert_eq!(result.fixes.is_some(), !finding["fix"].is_null());
        let own = result.partial_fingerprints.as_ref().expect("fingerprints").values().next().cloned();
        assert!(fingerprints.insert(own), "fingerprints differ");
    }
    let flows = results.iter().filter(|result| result.code_flows.is_some()).count();
    let cycles = findings.iter().filter(|finding| finding["rule"] == "workflow-cycle").count();
    assert_eq!(flows, cycles);
}

#[test]
fn sarif_holds_what_annotations_show() {
    let results = |more: &[&str]| {
        let out = ankus(&[&["check", "--format", "sarif", "fixtures/demo"], more].concat()).out;
        let value: Value = serde_json::from_str(&out).expect("it is JSON");
        value["runs"][0]["results"].as_array().expect("results").len()
    };
    assert_eq!(results(&[]), 0, "infos are shown with -v only");
    assert!(results(&["-v"]) > 0);
}
