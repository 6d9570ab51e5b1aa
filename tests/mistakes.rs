//! How many realistic mistakes the linter reports, kind by kind.
//!
//! Each mutant is one mistake in an estate of `fixtures/estates` or an app of other people that nothing is wrong with.
//! It is harmless where every program is planned and played as before; else the check of the folder must report it as
//! an error or a warning within two lines of its place. The thorough run makes all of them and writes the table
//! (`UPDATE=1 ANKUS_MISTAKES=1 cargo test mistakes`), the short one tries a few of each kind against it.
//! `ANKUS_KIND=name` tries one kind and prints what is missed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use crate::support::mistakes::document::hash;
use crate::support::mistakes::judge::{Fate, judge};
use crate::support::mistakes::kinds::{self, Kind};
use crate::support::mistakes::mutant::{self, Mutant};
use crate::support::mistakes::report::{self, Counts};
use crate::support::mistakes::subject::{self, Subject};
use crate::support::{expect_file, root, update};

/// The table that the thorough run writes.
const TABLE: &str = "snapshots/mistakes/table.md";
/// How many mutants of one kind are made in one estate, and in one app of other people.
const IN_ESTATE: usize = 1;
const IN_APP: usize = 1;
/// How many are made of one kind in all apps of other people.
const IN_APPS: usize = 2;

/// One of so many kinds is tried by the short run.
const SAMPLE: usize = 6;

fn is_estate(subject: &Subject) -> bool {
    subject.name.starts_with("estates/")
}

/// The mutants to be made of one kind: the same ones always, spread over subjects.
fn chosen(kind: &'static Kind, subjects: &[Subject], few: bool) -> Vec<(usize, Mutant)> {
    let (mut of_estates, mut of_apps) = (Vec::new(), Vec::new());
    for (index, subject) in subjects.iter().enumerate() {
        let mut all = mutant::mutants(kind, subject);
        all.sort_by_key(|mutant| mutant.rank(&subject.name));
        all.truncate(if is_estate(subject) { IN_ESTATE } else { IN_APP });
        let all = all.into_iter().map(|mutant| (index, mutant));
        if is_estate(subject) { of_estates.extend(all) } else { of_apps.extend(all) }
    }
    let rank = |(index, mutant): &(usize, Mutant)| mutant.rank(&subjects[*index].name);
    of_apps.sort_by_key(rank);
    of_apps.truncate(IN_APPS);
    if few {
        of_estates.sort_by_key(rank);
        of_estates.truncate(1);
        of_apps.truncate(1);
    }
    of_estates.into_iter().chain(of_apps).collect()
}

/// What became of mutants, by kind; each subject is worked on by one thread at a time.
struct Result {
    counts: BTreeMap<&'static str, Counts>,
    missed: Vec<String>,
    elsewhere: Vec<String>,
}

fn run(subjects: &[Subject], kinds: &[(&str, &'static Kind)], few: bool) -> Result {
    let mut by_subject: BTreeMap<usize, Vec<Mutant>> = BTreeMap::new();
    for (_, kind) in kinds {
        for (index, mutant) in chosen(kind, subjects, few) {
            by_subject.entry(index).or_default().push(mutant);
        }
    }
    let mut counts: BTreeMap<&'static str, Counts> = BTreeMap::new();
    counts.extend(kinds.iter().map(|(_, kind)| (kind.name, Counts::default())));
    let result = Mutex::new(Result { counts, missed: Vec::new(), elsewhere: Vec::new() });
    let work = Mutex::new(by_subject.into_iter());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let next = work.lock().expect("nobody panics").next();
                    let Some((index, mutants)) = next else { return };
                    for mutant in mutants {
                        take(&subjects[index], &mutant, &result);
                    }
                    write_log(&result.lock().expect("nobody panics"));
                }
            });
        }
    });
    let mut result = result.into_inner().expect("nobody panics");
    result.missed.sort();
    result.elsewhere.sort();
    result
}

fn take(subject: &Subject, mutant: &Mutant, result: &Mutex<Result>) {
    let verdict = judge(subject, mutant);
    let cut = |text: &str| text.replace('\n', "⏎").chars().take(90).collect::<String>();
    let what = format!(
        "{} {}/{}:{} `{}` -> `{}`",
        mutant.kind.name,
        subject.name,
        mutant.file,
        mutant.lines.start(),
        cut(&mutant.before),
        cut(&mutant.after)
    );
    let mut result = result.lock().expect("nobody panics");
    let counts = result.counts.entry(mutant.kind.name).or_default();
    match &verdict.fate {
        Fate::Reported(_) => counts.reported += 1,
        Fate::Harmless => counts.harmless += 1,
        Fate::Missed(why) => {
            counts.missed += 1;
            result.missed.push(format!("{what}: {why}"));
        }
    }
    result.elsewhere.extend(verdict.elsewhere.iter().map(|it| format!("{what}: {it}")));
}

/// What was missed so far, for whoever wants to mend it.
fn write_log(result: &Result) {
    let log = format!("{}\n\n{}\n", result.missed.join("\n"), result.elsewhere.join("\n"));
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("mistakes/missed.txt");
    std::fs::write(path, &log).expect("the list can be written");
}

fn table(result: &Result) -> String {
    let counts = &result.counts;
    let rows: Vec<(&str, &str, Counts)> =
        kinds::all().into_iter().map(|(area, kind)| (area, kind.name, counts[kind.name])).collect();
    let strays: BTreeSet<&str> = result.elsewhere.iter().filter_map(|it| it.split(": ").next()).collect();
    format!(
        "{}\nMutants that change findings of a file that nobody touched, and does not speak of them: {}.\n",
        report::table(&rows),
        strays.len()
    )
}

#[test]
fn kinds_have_names_of_their_own_and_stand_in_the_table() {
    let written = std::fs::read_to_string(root().join(TABLE)).unwrap_or_default();
    let written = report::read(&written);
    let mut names: Vec<&str> = kinds::all().iter().map(|(_, kind)| kind.name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count, "two kinds have one name");
    assert!(count > 100, "{count} kinds");
    let listed: Vec<&str> = written.keys().map(String::as_str).collect();
    assert_eq!(names, listed, "{TABLE} is stale; run UPDATE=1 ANKUS_MISTAKES=1 cargo test mistakes");
}

#[test]
fn estates_have_nothing_wrong_with_them() {
    for subject in subject::estates("estates") {
        let serious: Vec<_> = subject.findings.iter().filter(|it| it.severity != "info").collect();
        assert!(serious.is_empty(), "{}: {serious:#?}", subject.name);
        assert!(subject.programs.len() >= 3, "{}: {} programs", subject.name, subject.programs.len());
    }
}

#[test]
fn mistakes_are_reported() {
    let thorough = std::env::var_os("ANKUS_MISTAKES").is_some();
    let only = std::env::var("ANKUS_KIND").ok();
    let kinds: Vec<_> = kinds::all()
        .into_iter()
        .filter(|(area, kind)| only.as_deref().is_none_or(|only| kind.name == only || *area == only))
        .collect();
    let few = !thorough && only.is_none();
    // A part of the kinds, the same always.
    let kinds: Vec<_> =
        kinds.into_iter().filter(|(_, kind)| !few || hash(kind.name).is_multiple_of(SAMPLE)).collect();
    let mut subjects = subject::estates("all");
    subjects.extend(subject::corpus("all", |index| !few || index % 24 == 0));
    let result = run(&subjects, &kinds, few);
    write_log(&result);
    if only.is_some() {
        println!("{}", result.missed.join("\n"));
        for (name, counts) in &result.counts {
            println!("{name}: {counts:?}");
        }
        return;
    }
    if !few {
        println!("{}", result.elsewhere.join("\n"));
        expect_file(&root().join(TABLE), &table(&result)).unwrap_or_else(|fault| panic!("{fault}"));
        return;
    }
    assert!(!update() || !few, "only the thorough run writes {TABLE}");
    let written_text = std::fs::read_to_string(root().join(TABLE)).expect("the table is there");
    let written = report::read(&written_text);
    let mut stale = Vec::new();
    for (name, counts) in &result.counts {
        let of = written.get(*name).copied().unwrap_or_default();
        // A sample may be better than the table, which the thorough run renews, but misses nothing that the table has
        // as found.
        if counts.missed > 0 && of.missed == 0 {
            stale.push(format!("{name}: {counts:?}, in the table {of:?}"));
        }
    }
    assert!(
        stale.is_empty(),
        "{TABLE} is not what the sample says:\n{}\n{}",
        stale.join("\n"),
        result.missed.join("\n")
    );
}
