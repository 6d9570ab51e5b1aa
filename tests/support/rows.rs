//! The tables of transitions in the specifications, and the tests named after their rows.

use std::collections::BTreeMap;
use std::fs;

/// The lines of a specification, where the reference material lies.
fn lines(number: &str) -> Option<Vec<String>> {
    let folder = super::reference_for("tables of transitions", "spec")?;
    let name = super::names_in(&folder).into_iter().find(|name| name.starts_with(number));
    let text = fs::read_to_string(folder.join(name.expect("a specification"))).expect("text");
    Some(text.lines().map(str::to_owned).collect())
}

/// The rows of `000`, State Transition, as names begin: `prep_running`, how often each.
pub fn of_bundles() -> Option<BTreeMap<String, usize>> {
    let lines = lines("000_")?;
    let begin = lines.iter().position(|line| line.starts_with("====")).expect("a table") + 1;
    let rows = lines[begin..].iter().take_while(|line| !line.starts_with("```"));
    let state = |word: &str| match word {
        "RunningWithErrors" => "runningwitherror".to_owned(),
        "DoneWithErrors" => "donewitherror".to_owned(),
        "SuspendedError" => "suspendedwitherror".to_owned(),
        "PausedError" => "pausedwitherror".to_owned(),
        word => word.to_lowercase(),
    };
    let mut found = BTreeMap::new();
    for row in rows {
        let mut words = row.split_whitespace();
        if let (Some(from), Some(to)) = (words.next(), words.next()) {
            *found.entry(format!("{}_{}", state(from), state(to))).or_default() += 1;
        }
    }
    Some(found)
}

/// The rows of a section of `004`: `prep_to_running`, each once.
pub fn of_coordinators(section: &str) -> Option<BTreeMap<String, usize>> {
    let lines = lines("004_")?;
    let begin = lines.iter().position(|line| line.starts_with(section)).expect("a section");
    let rows = lines[begin..].iter().skip_while(|line| !line.contains("-->"));
    let mut found = BTreeMap::new();
    for row in rows.take_while(|line| line.contains("-->")) {
        let (from, to) = row.split_once("-->").expect("an arrow");
        let states = |text: &str| -> Vec<String> {
            text.split('|').map(|word| word.trim_matches(['•', ' ']).to_lowercase()).collect()
        };
        for from in states(from) {
            for to in states(to) {
                *found.entry(format!("{from}_to_{to}")).or_default() += 1;
            }
        }
    }
    Some(found)
}

/// Every row has a test whose name begins with it, and every test a row.
pub fn hold<'t>(rows: &BTreeMap<String, usize>, tests: impl IntoIterator<Item = &'t str>) {
    let mut left = rows.clone();
    let mut faults = Vec::new();
    for test in tests {
        // The longest fits: `prep_running` is no row of `prep_runningwitherror`.
        let fits = |row: &&String| test == row.as_str() || test.starts_with(&format!("{row}_"));
        match left.keys().filter(fits).max_by_key(|row| row.len()).cloned() {
            None => faults.push(format!("`{test}` is named after no row")),
            Some(row) => *left.get_mut(&row).expect("a row") -= usize::from(left[&row] > 0),
        }
    }
    faults.extend(
        left.iter()
            .filter(|(_, count)| **count > 0)
            .map(|(row, count)| format!("`{row}` lacks {count} of its tests")),
    );
    assert!(faults.is_empty() && rows.len() > 10, "{}", faults.join("\n"));
}
