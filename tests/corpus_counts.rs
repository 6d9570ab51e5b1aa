//! How often each rule speaks over applications that other people wrote, and why each error there is one: lists that a
//! person has looked at.
//!
//! What others wrote stays where it is: a file is known here by a hash of its path, and of its text nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{ankus, expect_file, reference, root};
use serde_json::Value;

/// The findings over the corpus, and where it lies.
fn findings() -> (Vec<Value>, String) {
    let corpus = reference("corpus").display().to_string();
    let outcome = ankus(&["check", "--format", "json", &corpus]);
    assert_ne!(outcome.code, 2, "{}", outcome.err);
    let mut report: Value = serde_json::from_str(&outcome.out).expect("check prints JSON");
    let Value::Array(findings) = report["findings"].take() else { panic!("no findings") };
    (findings, corpus)
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn counts_by_rule_are_those_that_were_reviewed() {
    let (findings, _) = findings();
    let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for finding in &findings {
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

/// FNV-1a, cut to eight digits: enough to tell some hundred paths apart, and nothing can be read from it.
fn short_hash(path: &str) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in path.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{:08x}", hash >> 32)
}

/// Every error by rule and file, with its lines.
fn errors(findings: &[Value], corpus: &str) -> BTreeMap<(String, String), Vec<u64>> {
    let mut errors: BTreeMap<(String, String), Vec<u64>> = BTreeMap::new();
    let mut names: BTreeMap<String, &str> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding["severity"] == "error") {
        let file = finding["file"].as_str().expect("a file");
        let relative = file.strip_prefix(corpus).expect("in the corpus").trim_start_matches('/');
        let hash = short_hash(relative);
        assert_eq!(*names.entry(hash.clone()).or_insert(file), file, "two files have the hash {hash}");
        let rule = finding["rule"].as_str().expect("a rule").to_owned();
        errors.entry((rule, hash)).or_default().push(finding["start"]["line"].as_u64().expect("a line"));
    }
    errors
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn errors_are_those_that_were_reviewed() {
    let (findings, corpus) = findings();
    let mut table = String::new();
    let mut rule = "";
    let errors = errors(&findings, &corpus);
    for ((of, hash), lines) in &errors {
        if of != rule {
            let count: usize =
                errors.iter().filter(|((other, _), _)| other == of).map(|(_, l)| l.len()).sum();
            table.push_str(&format!("{of}: {count}\n"));
            rule = of;
        }
        let lines: Vec<String> = lines.iter().map(u64::to_string).collect();
        table.push_str(&format!("  {hash} {}\n", lines.join(" ")));
    }
    expect_file(&root().join("snapshots/corpus/errors.txt"), &table)
        .unwrap_or_else(|fault| panic!("{fault}"));
}

/// Each error stands under exactly one reason, and each reason under an error.
#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn every_error_has_its_reason() {
    let (findings, corpus) = findings();
    let text =
        std::fs::read_to_string(root().join("snapshots/corpus/reasons.toml")).expect("reasons are there");
    let table: toml::Table = text.parse().expect("it is TOML");
    let mut reasons: BTreeMap<(String, String), usize> = BTreeMap::new();
    for reason in table["reason"].as_array().expect("reasons") {
        assert!(reason["why"].as_str().is_some_and(|why| why.len() > 40), "{reason}: no words");
        for (rule, files) in reason["errors"].as_table().expect("files by rule") {
            for file in files.as_str().expect("hashes").split_whitespace() {
                *reasons.entry((rule.clone(), file.to_owned())).or_default() += 1;
            }
        }
    }
    let errors: BTreeSet<_> = errors(&findings, &corpus).into_keys().collect();
    let open: Vec<_> = errors.iter().filter(|key| !reasons.contains_key(key)).collect();
    assert!(open.is_empty(), "errors that nobody has looked at: {open:?}");
    let stale: Vec<_> = reasons.keys().filter(|key| !errors.contains(key)).collect();
    assert!(stale.is_empty(), "reasons without an error: {stale:?}");
    let twice: Vec<_> = reasons.iter().filter(|(_, count)| **count > 1).collect();
    assert!(twice.is_empty(), "errors with two reasons: {twice:?}");
}
