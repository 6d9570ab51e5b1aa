//! How often each rule speaks over applications that other people wrote, in a list that a person has looked at.

use std::collections::BTreeMap;

use crate::support::{ankus, expect_file, reference, root};
use serde_json::Value;

#[test]
fn counts_by_rule_are_those_that_were_reviewed() {
    let Some(corpus) = reference("corpus") else { return };
    let outcome = ankus(&["check", "--format", "json", &corpus.display().to_string()]);
    assert_ne!(outcome.code, 2, "{}", outcome.err);
    let report: Value = serde_json::from_str(&outcome.out).expect("check prints JSON");
    let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for finding in report["findings"].as_array().expect("findings") {
        let text = |name: &str| finding[name].as_str().expect("a text");
        *counts.entry(text("rule")).or_default().entry(text("severity")).or_default() += 1;
    }
    let mut table = String::new();
    for (rule, counts) in counts {
        let of = |severity: &str, word: &str| {
            counts.get(severity).map(|count| format!("{count} {word}{}", if *count == 1 { "" } else { "s" }))
        };
        let words = [of("error", "error"), of("warning", "warning"), of("info", "info")];
        table.push_str(&format!("{rule} {}\n", words.into_iter().flatten().collect::<Vec<_>>().join(", ")));
    }
    expect_file(&root().join("snapshots/corpus/counts.txt"), &table)
        .unwrap_or_else(|fault| panic!("{fault}"));
}
