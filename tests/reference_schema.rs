//! The recorded schema verdicts, and those of the corpus: of the tables, and of the validators they are compared with.

use crate::support::{self, java_schemas, xsd_engine::Pure};
use ankus::diag::Diagnostic;
use ankus::model::RootKind;
use ankus::schema::{Engine, Kind, Selection, Version, check};
use ankus::source::Sources;
use ankus::xml::{Limits, read};
use serde_json::Value;

struct Case {
    about: String,
    kind: Kind,
    valid: bool,
    line: Option<u64>,
    xml: String,
}

fn cases() -> Vec<Case> {
    let path = support::reference("oracle/schema/cases.jsonl");
    let case = |line: &str| {
        let case: Value = serde_json::from_str(line).expect("a case is JSON");
        let text = |name: &str| case[name].as_str().expect("a text").to_owned();
        Case {
            about: format!("{} {}", case["id"], text("about")),
            kind: kind(&text("kind")),
            valid: case["valid"].as_bool().expect("a verdict"),
            line: case["line"].as_u64(),
            xml: text("xml"),
        }
    };
    std::fs::read_to_string(path).expect("the cases are there").lines().map(case).collect()
}

fn engines() -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(Pure),
        #[cfg(feature = "libxml")]
        Box::new(ankus::schema::Native),
    ]
}

fn kind(name: &str) -> Kind {
    match name {
        "workflow" => Kind::Workflow,
        "coordinator" => Kind::Coordinator,
        "bundle" => Kind::Bundle,
        other => panic!("kind `{other}`"),
    }
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn the_engines_give_the_recorded_verdicts() {
    let cases = cases();
    for engine in engines() {
        let mut wrong = Vec::new();
        for case in &cases {
            let schemas = Selection::of(case.kind, Version::default());
            let complaints = engine.complaints(schemas, &case.xml).expect("it is read");
            if complaints.is_empty() != case.valid {
                wrong.push(format!("{}: {complaints:?}", case.about));
            }
        }
        assert!(wrong.is_empty(), "{}: {} wrong\n{}", engine.name(), wrong.len(), wrong.join("\n"));
    }
}

fn tables(xml: &str, kind: Kind) -> (Sources, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.add("case.xml", xml);
    let (root, found) = read(file, xml, &Limits::default());
    let root = root.unwrap_or_else(|| panic!("{found:?}"));
    let findings = check(&root, xml, kind);
    (sources, findings)
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn the_tables_give_the_recorded_verdicts() {
    let cases = cases();
    let mut wrong = Vec::new();
    let (mut invalid, mut one, mut same_line) = (0, 0, 0);
    let dump = std::env::var_os("DUMP").is_some();
    for case in &cases {
        let (sources, findings) = tables(&case.xml, case.kind);
        if findings.is_empty() != case.valid {
            let words: Vec<_> = findings.iter().map(|finding| finding.message.clone()).collect();
            wrong.push(format!("{}: {words:?}", case.about));
        }
        if !case.valid {
            invalid += 1;
            one += usize::from(findings.len() == 1);
            let line = |f: &Diagnostic| sources.position(f.span.file, f.span.start).line as u64;
            same_line += usize::from(findings.iter().any(|f| Some(line(f)) == case.line));
            if dump {
                for f in &findings {
                    println!(
                        "{}\t{:?}\t{}\t{}\t{}\t{}\t{}",
                        case.about,
                        case.line,
                        findings.len(),
                        line(f),
                        f.rule.name,
                        f.message,
                        f.help.as_deref().unwrap_or("")
                    );
                }
            }
        }
    }
    println!("{invalid} invalid, {one} with one finding, {same_line} with one on the recorded line");
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
#[cfg_attr(not(has_javac), ignore = "needs java")]
fn the_java_platform_gives_the_recorded_verdicts() {
    let cases = cases();
    let documents: Vec<_> = cases.iter().map(|case| (case.kind, case.xml.clone())).collect();
    for (case, complaint) in cases.iter().zip(java_schemas::complaints(&documents)) {
        assert_eq!(complaint.is_none(), case.valid, "{}: {complaint:?}", case.about);
    }
}

#[test]
#[cfg_attr(not(has_reference), ignore = "needs the reference material")]
fn the_corpus_gets_its_recorded_verdicts() {
    let folder = support::reference("corpus");
    let table = std::fs::read_to_string(folder.join("XSD_RESULTS.tsv")).expect("the verdicts are there");
    let mut wrong = Vec::new();
    let (mut files, mut same_line) = (0, 0);
    for row in table.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [path, verdict, line, gist] = columns[..] else { panic!("four columns: {row}") };
        files += 1;
        let bytes = std::fs::read(folder.join(path)).expect("the file is there");
        let text = String::from_utf8(bytes).expect("the corpus is UTF-8");
        let mut sources = Sources::new();
        let file = sources.add(path, text.as_str());
        let (root, _) = read(file, &text, &Limits::default());
        let got = match root {
            None => "not-wellformed",
            Some(root) => match RootKind::of(&root.name.local).and_then(RootKind::schema) {
                None => "no-schema",
                Some(kind) => {
                    let findings = check(&root, &text, kind);
                    for engine in engines() {
                        let all = Selection::of(kind, Version::default());
                        let complaints = engine.complaints(all, &text).expect("it is read");
                        assert_eq!(complaints.is_empty(), findings.is_empty(), "{path}: {}", engine.name());
                    }
                    let at = |f: &Diagnostic| sources.position(f.span.file, f.span.start).line.to_string();
                    same_line += usize::from(findings.iter().any(|f| at(f) == line));
                    if std::env::var_os("DUMP").is_some() {
                        for f in &findings {
                            println!(
                                "{path}\t{line}\t{}\t{}\t{}\t{}\t{gist}",
                                findings.len(),
                                at(f),
                                f.rule.name,
                                f.message
                            );
                        }
                    }
                    if findings.is_empty() { "valid" } else { "invalid" }
                }
            },
        };
        let wanted = if verdict == "template-or-unknown-namespace" { "invalid" } else { verdict };
        if got != wanted {
            wrong.push(format!("{path}: {got}, not {verdict}"));
        }
    }
    println!("{files} files, {same_line} with a finding on the recorded line");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
