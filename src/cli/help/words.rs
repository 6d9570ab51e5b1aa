//! Words of Oozie's own command line, and of other linters, that name no command here: which one is meant.

use std::ffi::OsString;

/// Words that stand where a command stands, and the command that does it.
const COMMANDS: &[(&str, &str)] = &[
    ("dryrun", "ankus plan APP"),
    ("admin", "ankus timezones"),
    ("version", "ankus --version"),
    ("share", "ankus --help"),
    ("info", "ankus job ID info"),
    ("log", "ankus job ID log"),
    ("kill", "ankus job ID kill"),
    ("suspend", "ankus job ID suspend"),
    ("resume", "ankus job ID resume"),
    ("rerun", "ankus job ID rerun"),
    ("change", "ankus job ID change"),
    ("ignore", "ankus job ID ignore"),
    ("pause", "ankus job ID pause"),
    ("start", "ankus job ID start"),
    ("definition", "ankus job ID definition"),
    ("status", "ankus jobs"),
    ("list", "ankus jobs"),
    ("purge", "ankus jobs purge --older-than 30d"),
    ("verify", "ankus jobs verify"),
    ("fix", "ankus check --fix"),
    ("fmt", "ankus check --fix"),
    ("format", "ankus check --fix"),
    ("materialize", "ankus plan APP"),
    ("test", "ankus simulate APP"),
    ("dot", "ankus graph APP --format dot"),
    ("cron", "ankus next 'FREQUENCY'"),
    ("sla", "ankus job ID info"),
    ("mapreduce", "ankus run APP"),
    ("pig", "ankus run APP"),
    ("hive", "ankus run APP"),
    ("sqoop", "ankus run APP"),
];

/// Options of `oozie job`, each with what does it here.
const OPTIONS: &[(&str, &str)] = &[
    ("info", "ankus job ID info"),
    ("log", "ankus job ID log"),
    ("errorlog", "ankus job ID log"),
    ("auditlog", "ankus job ID log"),
    ("definition", "ankus job ID definition"),
    ("configcontent", "ankus job ID info --format json"),
    ("start", "ankus job ID start"),
    ("suspend", "ankus job ID suspend"),
    ("resume", "ankus job ID resume"),
    ("kill", "ankus job ID kill"),
    ("change", "ankus job ID change"),
    ("update", "ankus job ID rerun"),
    ("rerun", "ankus job ID rerun"),
    ("ignore", "ankus job ID ignore"),
    ("poll", "ankus job ID log -f"),
    ("run", "ankus run APP"),
    ("submit", "ankus submit APP"),
    ("dryrun", "ankus plan APP"),
    ("validate", "ankus check FILE"),
    ("timezones", "ankus timezones"),
    ("jobtype", "ankus jobs --type TYPE"),
    ("filter", "ankus jobs --status STATUS"),
    ("len", "ankus jobs"),
    ("localtime", "ankus convert DATETIME --to ZONE"),
];

/// Which command is meant by arguments that name none.
pub fn meant(arguments: &[OsString]) -> Option<&'static str> {
    let words: Vec<&str> = arguments.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let find = |table: &[(&'static str, &'static str)], word: &str| {
        table.iter().find(|(known, _)| *known == word).map(|(_, command)| *command)
    };
    let Some(first) = words.iter().find(|word| !word.starts_with('-')) else {
        return words.iter().find_map(|word| find(OPTIONS, word.strip_prefix('-')?));
    };
    if !matches!(*first, "job" | "jobs" | "info" | "admin" | "validate") {
        return find(COMMANDS, first);
    }
    let is_option = |word: &&&str| word.starts_with('-');
    let by_option =
        words.iter().filter(is_option).find_map(|word| find(OPTIONS, word.trim_start_matches('-')));
    by_option.or_else(|| find(COMMANDS, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_oozie_lead_to_commands() {
        let of = |line: &str| {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            meant(&arguments)
        };
        assert_eq!(of("ankus job -info 0000001-W"), Some("ankus job ID info"));
        assert_eq!(of("ankus job --config job.properties -run"), Some("ankus run APP"));
        assert_eq!(of("ankus job -kill 1-C -action 3"), Some("ankus job ID kill"));
        assert_eq!(of("ankus kill 1-W"), Some("ankus job ID kill"));
        assert_eq!(of("ankus info -timezones"), Some("ankus timezones"));
        assert_eq!(of("ankus -run"), Some("ankus run APP"));
        assert_eq!(of("ankus version"), Some("ankus --version"));
        assert_eq!(of("ankus frobnicate"), None);
        assert_eq!(of("ankus"), None);
    }
}
