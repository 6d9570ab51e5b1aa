//! The catalogue of findings is complete, and every rule has its fixtures and snapshots.

use crate::support;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support::{ankus, expect_file, names_in, root, update};
use serde_json::Value;

const BEGIN: &str = "// generated: begin\n";
const END: &str = "// generated: end\n";

/// Slugs of rules: the files beside `src/rules/mod.rs`.
fn rule_files() -> Vec<String> {
    let names = names_in(&root().join("src/rules"));
    names
        .iter()
        .filter_map(|name| name.strip_suffix(".rs"))
        .filter(|name| *name != "mod")
        .map(str::to_owned)
        .collect()
}

/// Replaces or compares the generated part of a source file.
fn expect_block(path: &str, block: &str) {
    let file = root().join(path);
    let text = std::fs::read_to_string(&file).expect("the source is there");
    let start = text.find(BEGIN).expect("the block begins") + BEGIN.len();
    let end = text.find(END).expect("the block ends");
    if text[start..end] != *block {
        assert!(update(), "the generated block of {path} is stale; run UPDATE=1 cargo test registry");
        std::fs::write(&file, format!("{}{block}{}", &text[..start], &text[end..]))
            .expect("it can be written");
    }
}

#[test]
fn the_block_of_rules_is_fresh() {
    let files = rule_files();
    let mut block = String::new();
    for name in &files {
        block.push_str(&format!("mod {name};\n"));
    }
    if !files.is_empty() {
        block.push('\n');
    }
    block.push_str("/// Every rule, sorted by name.\n#[rustfmt::skip]\npub static ALL: &[&Rule] = &[\n");
    for name in &files {
        block.push_str(&format!("    &{name}::RULE,\n"));
    }
    block.push_str("];\n");
    expect_block("src/rules/mod.rs", &block);
}

/// Every `pub static NAME: Info` outside `src/rules`, as a path, with the name it declares.
fn reading_infos() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for name in names_in(&folder) {
            let path = folder.join(&name);
            if path.is_dir() {
                if path != root().join("src/rules") {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") {
                let text = std::fs::read_to_string(&path).expect("the source is there");
                for (declared, slug) in infos_of(&text) {
                    found.insert(format!("{}::{declared}", module_path(&path)), slug);
                }
            }
        }
    }
    found
}

/// `crate::a::b` of `src/a/b.rs` or `src/a/b/mod.rs`. Private modules are left out: what they hold is re-exported.
fn module_path(file: &Path) -> String {
    let relative = file.strip_prefix(root().join("src")).expect("a source").with_extension("");
    let (mut path, mut folder, mut parent) =
        ("crate".to_owned(), root().join("src"), std::fs::read_to_string(root().join("src/lib.rs")).unwrap());
    for part in relative.iter().map(|part| part.to_string_lossy()).filter(|part| part != "mod") {
        if parent.contains(&format!("pub mod {part};")) || parent.contains(&format!("pub(crate) mod {part};"))
        {
            path = format!("{path}::{part}");
        }
        folder.push(part.as_ref());
        parent = std::fs::read_to_string(folder.join("mod.rs")).unwrap_or_default();
    }
    path
}

/// The statics of type `Info` in a source text: identifier and slug.
fn infos_of(text: &str) -> Vec<(String, String)> {
    let mut infos = Vec::new();
    let text = text.split("#[cfg(test)]").next().unwrap_or(text);
    for (at, _) in text.match_indices("static ") {
        let rest = &text[at + "static ".len()..];
        let Some((identifier, after)) = rest.split_once(':') else { continue };
        let is_info = after.trim_start().strip_prefix("Info = Info").is_some();
        let line_start = text[..at].rfind('\n').map_or(0, |n| n + 1);
        if !is_info || text[line_start..at].contains("//") {
            continue;
        }
        let slug =
            after.split_once("name: \"").and_then(|(_, tail)| tail.split_once('"')).expect("it has a name").0;
        infos.push((identifier.trim().to_owned(), slug.to_owned()));
    }
    infos
}

#[test]
fn the_block_of_readers_is_fresh() {
    let mut block = "#[rustfmt::skip]\nstatic READING: &[&Info] = &[\n".to_owned();
    for path in reading_infos().keys() {
        block.push_str(&format!("    &{path},\n"));
    }
    block.push_str("];\n");
    expect_block("src/report/catalogue.rs", &block);
}

#[test]
fn names_are_unique_and_equal_to_the_files() {
    for (rule, file) in ankus::rules::ALL.iter().zip(rule_files()) {
        assert_eq!(rule.info.name, file.replace('_', "-"), "a rule is named for its file");
    }
    let mut seen = BTreeSet::new();
    for info in ankus::report::catalogue::all() {
        assert!(seen.insert(info.name), "{} is declared twice", info.name);
        assert!(!info.explanation().trim().is_empty(), "{} has no explanation", info.name);
        let kebab = info.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        assert!(kebab, "{} is not in kebab case", info.name);
    }
}

/// The cases under `fixtures/rules`: slug and case.
fn cases() -> Vec<(String, String)> {
    let folder = root().join("fixtures/rules");
    let slugs = names_in(&folder);
    slugs
        .into_iter()
        .flat_map(|slug| names_in(&folder.join(&slug)).into_iter().map(move |case| (slug.clone(), case)))
        .collect()
}

/// Kinds of findings without fixtures: which, why, and the test that shows them all the same.
const WITHOUT_FIXTURES: &[(&str, &str, &str)] = &[
    ("configuration-too-long", "takes values of 64 MiB", "tests/limits.rs"),
    ("definition-too-long", "takes 100,000 bytes", "tests/limits.rs"),
    ("internal-error", "takes a fault of our own", "tests/check_isolation.rs"),
    ("package-invalid", "takes an archive", "tests/hws_packages.rs"),
    ("properties-too-large", "takes 32 MiB", "tests/limits.rs"),
    ("time-out-of-range", "shows in plans only, thousands of years ahead", "tests/limits.rs"),
    ("upgrade-loss", "takes an upgrade", "tests/hws_upgrade.rs"),
    ("upgrade-refused", "takes an upgrade", "tests/hws_upgrade.rs"),
    ("xml-attribute-too-long", "takes 1 MiB", "tests/limits.rs"),
    ("xml-too-deep", "breaks the schema long before", "tests/limits.rs"),
    ("xml-too-large", "takes 32 MiB", "tests/limits.rs"),
    ("xml-too-many-attributes", "breaks the schema long before", "tests/limits.rs"),
    ("xml-too-many-nodes", "takes 2 million elements", "tests/limits.rs"),
];

#[test]
fn every_kind_of_finding_has_fixtures_of_both_kinds() {
    let cases = cases();
    for info in ankus::report::catalogue::all() {
        let excused = WITHOUT_FIXTURES.iter().find(|(slug, ..)| *slug == info.name);
        for prefix in ["ok-", "bad-"] {
            let has = cases.iter().any(|(slug, case)| slug == info.name && case.starts_with(prefix));
            match excused {
                None => assert!(has, "fixtures/rules/{}/{prefix}* is missing", info.name),
                Some((_, why, _)) => {
                    assert!(!has, "{} has fixtures, so it is wrong that it {why}", info.name)
                }
            }
        }
    }
    for (slug, _, test) in WITHOUT_FIXTURES {
        assert!(ankus::report::catalogue::find(slug).is_some(), "there is no {slug}");
        let text = std::fs::read_to_string(root().join(test)).expect("the test is there");
        assert!(text.contains(slug), "{test} does not show {slug}");
    }
    for (slug, case) in &cases {
        assert!(
            ankus::report::catalogue::find(slug).is_some(),
            "fixtures/rules/{slug}: there is no such rule"
        );
        assert!(
            case.starts_with("ok-") || case.starts_with("bad-"),
            "fixtures/rules/{slug}/{case}: ok- or bad-?"
        );
    }
}

/// The files of a fixture, folders included, by their paths in it.
fn fixture_files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for name in names_in(folder) {
        if folder.join(&name).is_dir() {
            let inner = fixture_files(&folder.join(&name));
            found.extend(inner.into_iter().map(|below| format!("{name}/{below}")));
        } else if !marks_root_only(&folder.join(&name)) {
            found.push(name);
        }
    }
    found
}

/// Whether a file only makes its folder the root of an estate.
fn marks_root_only(path: &Path) -> bool {
    path.ends_with("ankus.toml")
        && std::fs::read_to_string(path).is_ok_and(|text| text.lines().all(|line| line.starts_with('#')))
}

/// `docs/rules.md` says what the catalogue, the fixtures and the snapshots say.
#[test]
fn the_page_of_rules_is_fresh() {
    if let Err(difference) = expect_file(&root().join("docs/rules.md"), &page_of_rules()) {
        panic!("{}", difference.lines().next().unwrap_or_default());
    }
}

fn page_of_rules() -> String {
    let counts = std::fs::read_to_string(root().join("snapshots/corpus/counts.txt")).unwrap_or_default();
    let counts: BTreeMap<&str, &str> = counts.lines().filter_map(|line| line.split_once(' ')).collect();
    let mut page = "# Rules\n\nWritten by `UPDATE=1 cargo test registry`; `ankus rules --format markdown` prints it.\n\n\
                    *Stage* says when a server would notice. *Fix* says what `ankus check --fix` can do: `safe` is done \
                    unasked, `guess` with `--unsafe`. *Seen* counts the findings over 403 files of real applications.\n\n\
                    | rule | severity | stage | codes | fix | seen |\n|---|---|---|---|---|---|\n"
        .to_owned();
    let mut sections = String::new();
    let cases = cases();
    for info in ankus::report::catalogue::all() {
        let (name, severity) = (info.name, info.severity.name());
        let snapshots = root().join("snapshots/rules").join(name);
        let texts: Vec<_> = names_in(&snapshots)
            .iter()
            .filter_map(|name| std::fs::read_to_string(snapshots.join(name)).ok())
            .collect();
        let has = |words: &str| texts.iter().any(|text| text.contains(&format!("\nfix ({words}):\n")));
        let fix = match (has("a guess"), has("safe")) {
            (true, _) => "guess",
            (_, true) => "safe",
            _ => "–",
        };
        let codes = info.mirrors.join(", ");
        let codes = if codes.is_empty() { "–" } else { &codes };
        let stage = info.stage.map_or("–", |stage| stage.name());
        let seen = counts.get(name).copied().unwrap_or("–");
        page.push_str(&format!("| [{name}](#{name}) | {severity} | {stage} | {codes} | {fix} | {seen} |\n"));
        let noticed = info.stage.map_or("never noticed by a server".to_owned(), |stage| {
            format!("noticed by a server at {}", stage.name())
        });
        let codes = if info.mirrors.is_empty() { String::new() } else { format!(" ({codes})") };
        let explanation = info.explanation();
        sections.push_str(&format!(
            "\n## {name}\n\n{severity}, {noticed}{codes}\n\n{}\n",
            explanation.trim_end()
        ));
        sections.push_str(&examples_of(name, &cases));
    }
    page + &sections + &mistakes()
}

/// How many realistic mistakes are reported; `tests/mistakes.rs` writes the table.
fn mistakes() -> String {
    let table = std::fs::read_to_string(root().join("snapshots/mistakes/table.md")).unwrap_or_default();
    format!(
        "\n## Mistakes that are found\n\nMistakes of these kinds are put one at a time into estates of several apps \
         (`fixtures/estates`) and into apps of other people. One is *harmless* where every program is planned and \
         simulated as before; any other one has to be reported as an error or a warning within two lines of its place \
         by a check of the folder. The kinds held out were measured before any rule was written for them; since then \
         some rules have been added for what was missed. `UPDATE=1 ANKUS_MISTAKES=1 cargo test mistakes` writes the \
         table.\n\n{table}"
    )
}

/// The smallest fixture of each kind of a rule, one with a fix before others, and what is said of the bad one.
fn examples_of(slug: &str, cases: &[(String, String)]) -> String {
    let read = |path: String| std::fs::read_to_string(root().join(path)).unwrap_or_default();
    let snapshot = |case: &str| read(format!("snapshots/rules/{slug}/{case}.txt"));
    let texts = |case: &str| -> Vec<(String, String)> {
        let folder = format!("fixtures/rules/{slug}/{case}");
        let names = fixture_files(&root().join(&folder)).into_iter();
        names.map(|name| (name.clone(), read(format!("{folder}/{name}")))).collect()
    };
    let best = |prefix: &str| {
        let of_rule = cases.iter().filter(|(own, case)| own == slug && case.starts_with(prefix));
        let size = |case: &str| texts(case).iter().map(|(_, text)| text.len()).sum::<usize>();
        of_rule
            .map(|(_, case)| case.as_str())
            .min_by_key(|case| (!snapshot(case).contains("\nfix ("), size(case)))
    };
    let Some(bad) = best("bad-") else { return String::new() };
    let mut out = "\n### Wrong\n".to_owned();
    let files = |case: &str, out: &mut String| {
        for (name, text) in texts(case) {
            let kind = match name.rsplit('.').next() {
                Some(kind @ ("xml" | "toml" | "properties")) => kind.to_owned(),
                _ => "text".to_owned(),
            };
            out.push_str(&format!("\n`{name}`\n\n{}", fenced(&kind, &text)));
        }
    };
    files(bad, &mut out);
    out.push_str(&format!("\n### Output\n\n{}", fenced("text", &snapshot(bad))));
    if let Some(good) = best("ok-") {
        out.push_str("\n### Right\n");
        files(good, &mut out);
    }
    out
}

/// A block with a fence that the text does not hold.
fn fenced(kind: &str, text: &str) -> String {
    let fence = if text.contains("```") { "~~~~" } else { "```" };
    format!("{fence}{kind}\n{}\n{fence}\n", text.trim_end())
}

/// `RULE=slug` or `RULE=slug/case` runs only those fixtures.
fn selected(slug: &str, case: &str) -> bool {
    std::env::var("RULE").map_or(true, |filter| format!("{slug}/{case}").starts_with(&filter))
}

#[test]
fn fixtures_give_what_their_names_say() {
    let mut faults = Vec::new();
    let mut expected_snapshots = BTreeSet::new();
    for (slug, case) in cases() {
        let snapshot = root().join("snapshots/rules").join(&slug).join(format!("{case}.txt"));
        if case.starts_with("bad-") {
            expected_snapshots.insert(snapshot.clone());
        }
        if selected(&slug, &case) {
            faults.extend(fixture_faults(&slug, &case, &snapshot));
        }
    }
    for slug in names_in(&root().join("snapshots/rules")) {
        let folder: PathBuf = root().join("snapshots/rules").join(&slug);
        for name in names_in(&folder) {
            let path = folder.join(&name);
            if !expected_snapshots.contains(&path) {
                faults.push(format!("{}: no fixture belongs to it", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

fn fixture_faults(slug: &str, case: &str, snapshot: &Path) -> Vec<String> {
    let path = format!("fixtures/rules/{slug}/{case}");
    // What must be known beside the files stands in one of them, an argument a line.
    let arguments = std::fs::read_to_string(root().join(&path).join("arguments")).unwrap_or_default();
    let with = |fixed: &[&str]| -> Vec<String> {
        fixed.iter().copied().chain([&*path]).chain(arguments.lines()).map(str::to_owned).collect()
    };
    let run = |fixed: &[&str]| ankus(&with(fixed).iter().map(String::as_str).collect::<Vec<_>>());
    let full = run(&["check", "-v", "--color", "never"]);
    let json = run(&["check", "--format", "json"]);
    let mut faults = Vec::new();
    if full.code == 2 {
        faults.push(format!("{path}: {}", full.err));
        return faults;
    }
    let value: serde_json::Value = serde_json::from_str(&json.out).expect("check prints JSON");
    let findings = value["findings"].as_array().expect("findings");
    let names: BTreeSet<_> = findings.iter().filter_map(|finding| finding["rule"].as_str()).collect();
    if case.starts_with("ok-") && !names.is_empty() {
        faults.push(format!("{path}: finds {names:?}\n{}", full.out));
    }
    if case.starts_with("bad-") && !names.contains(slug) {
        faults.push(format!("{path}: does not find {slug}\n{}", full.out));
    }
    if case.starts_with("bad-") {
        let own = findings.iter().filter(|finding| finding["rule"] == *slug && !finding["fix"].is_null());
        let is_safe: BTreeSet<bool> = own.map(|finding| finding["fix"]["safe"] == true).collect();
        let mut text = full.out;
        if !is_safe.is_empty() {
            let words = if is_safe.contains(&false) { "a guess" } else { "safe" };
            let diff = ankus(&["check", "-v", "--diff", "--unsafe", &path]);
            text.push_str(&format!("\nfix ({words}):\n{}", diff.out));
            faults.extend(fix_faults(slug, &path, findings, &diff));
        }
        faults.extend(expect_file(snapshot, &text).err());
    }
    faults
}

/// A fix is made, removes its finding, brings no error, leaves a document, and is not made a second time.
fn fix_faults(slug: &str, path: &str, findings: &[Value], diff: &support::Outcome) -> Vec<String> {
    // Away from the repository, where the same paths lead to the fixture itself.
    let copy = std::env::temp_dir().join(format!("ankus-{}-{}", std::process::id(), path.replace('/', "-")));
    copy_folder(&root().join(path), &copy);
    let shown = copy.display().to_string();
    let mut faults = Vec::new();
    let fixed = ankus(&["check", "-v", "--fix", "--unsafe", &shown]);
    if diff.code != 1 || fixed.code == 2 || format!("{}{}", diff.err, fixed.err).contains("not fixed") {
        faults.push(format!("{path}: the fix is not made\n{}{}", diff.err, fixed.err));
    }
    let json = ankus(&["check", "--format", "json", &shown]);
    let value: Value = serde_json::from_str(&json.out).expect("check prints JSON");
    let left = value["findings"].as_array().expect("findings");
    if left.iter().any(|finding| finding["rule"] == *slug && !finding["fix"].is_null()) {
        faults.push(format!("{path}: the fix does not remove its finding\n{}", fixed.out));
    }
    let errors = |findings: &[Value]| -> BTreeSet<(String, String)> {
        let errors = findings.iter().filter(|finding| finding["severity"] == "error");
        errors.map(|finding| (finding["rule"].to_string(), finding["message"].to_string())).collect()
    };
    let new: Vec<_> = errors(left).difference(&errors(findings)).cloned().collect();
    if !new.is_empty() {
        faults.push(format!("{path}: the fix brings {new:?}"));
    }
    let again = ankus(&["check", "-v", "--diff", "--unsafe", &shown]);
    let _ = std::fs::remove_dir_all(&copy);
    if !again.out.is_empty() {
        faults.push(format!("{path}: fixing twice changes something\n{}", again.out));
    }
    faults
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the folder can be made");
    for name in names_in(from) {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            copy_folder(&from, &to);
        } else {
            std::fs::copy(&from, &to).expect("the file can be copied");
        }
    }
}
