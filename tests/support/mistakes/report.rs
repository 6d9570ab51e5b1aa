//! The table of kinds with what became of their mutants.

use std::collections::BTreeMap;

/// What became of the mutants of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub harmless: usize,
    pub reported: usize,
    pub missed: usize,
}

impl Counts {
    pub fn all(&self) -> usize {
        self.harmless + self.reported + self.missed
    }

    pub fn add(&mut self, other: Counts) {
        self.harmless += other.harmless;
        self.reported += other.reported;
        self.missed += other.missed;
    }

    /// How many of those that are not harmless are reported, in percent.
    fn rate(&self) -> String {
        match self.reported + self.missed {
            0 => "–".to_owned(),
            all => format!("{:.1} %", 100.0 * self.reported as f64 / all as f64),
        }
    }

    fn row(&self, name: &str) -> String {
        let (all, rate) = (self.all(), self.rate());
        format!("| {name} | {all} | {} | {} | {} | {rate} |\n", self.harmless, self.reported, self.missed)
    }
}

/// The section of `docs/rules.md`: kinds in order of areas.
pub fn table(rows: &[(&str, &str, Counts)]) -> String {
    let mut areas: BTreeMap<&str, Counts> = BTreeMap::new();
    let (mut total, mut held_out) = (Counts::default(), Counts::default());
    for (area, _, counts) in rows {
        areas.entry(area).or_default().add(*counts);
        if *area == "held out" { held_out.add(*counts) } else { total.add(*counts) }
    }
    let head = "| mistake | mutants | harmless | reported | missed | rate |\n|---|---|---|---|---|---|\n";
    let mut text = format!("{head}{}{}", total.row("**all kinds**"), held_out.row("**kinds held out**"));
    let mut last = "";
    for (area, name, counts) in rows {
        if *area != last {
            text.push_str(&areas[area].row(&format!("*{area}*")));
            last = area;
        }
        text.push_str(&counts.row(name));
    }
    text
}

/// What a table says of each kind.
pub fn read(text: &str) -> BTreeMap<String, Counts> {
    let mut found = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| ") && !line.contains('*')) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let number = |at: usize| cells.get(at).and_then(|cell| cell.parse().ok());
        if let (Some(harmless), Some(reported), Some(missed)) = (number(3), number(4), number(5)) {
            found.insert(cells[1].to_owned(), Counts { harmless, reported, missed });
        }
    }
    found
}
