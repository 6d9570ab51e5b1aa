//! Which known setting the name of a property nearly is, and which settings hold numbers.

mod names;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::diag::distance;

pub use names::NAMES;

/// What stands before a property of the launcher.
const LAUNCHER: &str = "oozie.launcher.";

/// Shorter names are near to each other by chance.
const MIN_LENGTH: usize = 9;
/// From this length on two letters may differ.
const LONG: usize = 20;
/// How many letters of what stands before a property of the launcher may differ.
const LAUNCHER_SLIP: usize = 3;

/// Families of settings in which nobody makes up names: what begins like one of their names is that name, cut short.
const FAMILIES: &[&str] =
    &["mapred.", "mapreduce.", "yarn.app.", "hive.exec.", "hive.metastore.", "oozie.", "tez."];
/// How much of the last word there must be.
const MIN_WORD: usize = 3;

/// Names that people take for known ones, though more than a letter or two differs.
const ALIASES: &[(&str, &str)] = &[
    ("mapreduce.job.queue", "mapreduce.job.queuename"),
    ("mapreduce.queue.name", "mapreduce.job.queuename"),
    ("mapred.queue.name", "mapred.job.queue.name"),
    ("mapred.job.queue", "mapred.job.queue.name"),
    ("mapreduce.input.fileinputformat.input", "mapreduce.input.fileinputformat.inputdir"),
    ("mapreduce.output.fileoutputformat.output", "mapreduce.output.fileoutputformat.outputdir"),
    ("oozie.use.libpath", "oozie.use.system.libpath"),
    ("oozie.use.system.lib", "oozie.use.system.libpath"),
    ("oozie.system.libpath", "oozie.use.system.libpath"),
    ("oozie.application.path", "oozie.wf.application.path"),
    ("oozie.wf.app.path", "oozie.wf.application.path"),
    ("oozie.wf.path", "oozie.wf.application.path"),
    ("oozie.wf.application.dir", "oozie.wf.application.path"),
    ("oozie.workflow.application.path", "oozie.wf.application.path"),
    ("oozie.workflow.app.path", "oozie.wf.application.path"),
    ("oozie.coord.app.path", "oozie.coord.application.path"),
    ("oozie.coord.path", "oozie.coord.application.path"),
    ("oozie.coordinator.application.path", "oozie.coord.application.path"),
    ("oozie.coordinator.app.path", "oozie.coord.application.path"),
    ("oozie.bundle.app.path", "oozie.bundle.application.path"),
    ("oozie.bundle.path", "oozie.bundle.application.path"),
];

static KNOWN: LazyLock<BTreeSet<&str>> = LazyLock::new(|| NAMES.iter().copied().collect());
static PLAIN: LazyLock<Vec<String>> = LazyLock::new(|| NAMES.iter().map(|name| plain(name)).collect());

/// The known name that `name` nearly is; none where it is known itself, or near to nothing.
pub fn near(name: &str) -> Option<String> {
    if KNOWN.contains(name) {
        return None;
    }
    let (head, tail) = match name.strip_prefix(LAUNCHER) {
        Some(tail) => (LAUNCHER, tail),
        None => ("", name),
    };
    let is_name =
        tail.len() >= MIN_LENGTH && !tail.contains(['$', '{', '/', ':']) && tail.contains(['.', '-']);
    if !is_name || !tail.is_ascii() || KNOWN.contains(tail) {
        return None;
    }
    if let Some((_, known)) = ALIASES.iter().find(|(alias, _)| *alias == tail) {
        return Some(format!("{head}{known}"));
    }
    let same = || {
        let plain = plain(tail);
        NAMES.iter().zip(PLAIN.iter()).find(|(_, known)| **known == plain).map(|(known, _)| *known)
    };
    if !tail.contains('.') {
        return same().map(|found| format!("{head}{found}"));
    }
    if head.is_empty()
        && let Some(tail) = of_launcher(name)
    {
        return Some(format!("{LAUNCHER}{tail}"));
    }
    let limit = if tail.len() < LONG { 1 } else { 2 };
    let by_letters = || {
        let alike = |known: &&&str| known.as_bytes()[0] == tail.as_bytes()[0] || limit > 1;
        let near =
            NAMES.iter().filter(alike).filter_map(|known| Some((distance(tail, known, limit)?, *known)));
        near.min().map(|(_, known)| known)
    };
    let found = same()
        .or_else(|| reordered(tail))
        .or_else(|| unit_cut(tail))
        .or_else(by_letters)
        .or_else(|| cut(tail))?;
    Some(format!("{head}{found}"))
}

/// The name behind a misspelt `oozie.launcher.`.
fn of_launcher(name: &str) -> Option<&str> {
    name.match_indices('.').find_map(|(at, _)| {
        let (head, tail) = name.split_at(at + 1);
        let is_meant = match head {
            "launcher." => true,
            "oozie." => FAMILIES[..3].iter().any(|family| tail.starts_with(family)),
            _ => distance(head, LAUNCHER, LAUNCHER_SLIP).is_some(),
        };
        (is_meant && KNOWN.contains(tail)).then_some(tail)
    })
}

/// The name of a family with the same words in another order.
fn reordered(tail: &str) -> Option<&'static str> {
    let words = |name: &'_ str| {
        let mut words: Vec<String> = name.split('.').map(str::to_owned).collect();
        words.sort_unstable();
        words
    };
    let is_long = tail.matches('.').count() > 1 && FAMILIES.iter().any(|family| tail.starts_with(family));
    let own = if is_long { words(tail) } else { return None };
    NAMES.iter().copied().find(|known| known.len() == tail.len() && words(known) == own)
}

/// The name of which the unit is left away.
fn unit_cut(tail: &str) -> Option<&'static str> {
    NAMES.iter().copied().find(|known| known.strip_prefix(tail) == Some(".mb"))
}

/// The shortest name of a family that goes on where this one ends.
fn cut(tail: &str) -> Option<&'static str> {
    let is_long =
        tail.matches('.').count() > 1 && tail.rsplit('.').next().is_some_and(|word| word.len() >= MIN_WORD);
    if !is_long || !FAMILIES.iter().any(|family| tail.starts_with(family)) {
        return None;
    }
    let all = NAMES.iter().copied().filter(|known| known.starts_with(tail));
    // A folder of libraries is named more seldom than the application that needs it.
    all.min_by_key(|known| (known.ends_with(".lib"), known.len()))
}

/// Whether Hadoop reads the value of a setting as a whole number (`Configuration.getInt`).
pub fn is_whole_number(name: &str) -> bool {
    let name = name.strip_prefix(LAUNCHER).unwrap_or(name);
    let ends =
        [".memory.mb", ".resource.mb", ".sort.mb", ".sort.factor", ".maxattempts", ".vcores", ".cpu-vcores"];
    let names = [
        "dfs.replication",
        "mapred.job.map.memory.mb",
        "mapred.job.reduce.memory.mb",
        "mapred.map.max.attempts",
        "mapred.map.tasks",
        "mapred.reduce.max.attempts",
        "mapred.reduce.tasks",
        "mapred.task.timeout",
        "mapreduce.job.jvm.numtasks",
        "mapreduce.job.maps",
        "mapreduce.job.reduces",
        "mapreduce.job.running.map.limit",
        "mapreduce.job.running.reduce.limit",
        "mapreduce.reduce.shuffle.parallelcopies",
        "mapreduce.task.timeout",
    ];
    names.contains(&name)
        || KNOWN.contains(name)
            && ends.iter().any(|end| name.ends_with(end))
            && ["mapred", "yarn.app.", "io."].iter().any(|start| name.starts_with(start))
}

/// A name without case and punctuation.
fn plain(name: &str) -> String {
    let is_punctuation = |c: &char| matches!(c, '.' | '-' | '_' | ' ');
    name.chars().filter(|c| !is_punctuation(c)).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_near_by_punctuation_or_a_letter() {
        for (name, expected) in [
            ("mapreduce.job.queue.name", Some("mapreduce.job.queuename")),
            ("mapred.job.queuename", Some("mapred.job.queue.name")),
            ("oozie.launcher.mapreduce.job.queue.name", Some("oozie.launcher.mapreduce.job.queuename")),
            ("mapreduce.map.memory", Some("mapreduce.map.memory.mb")),
            ("mapreduce.job.reducers", Some("mapreduce.job.reduces")),
            ("oozie.use.system.libpaht", Some("oozie.use.system.libpath")),
            ("MapReduce.job.queuename", Some("mapreduce.job.queuename")),
            ("mapreduce.job.queuename", None),
            ("mapreduce.job.maps", None),
            ("com.example.queue.name", None),
            // A parameter of its own, not a setting.
            ("mapred_max_split_size", None),
            ("oozie.launcher.action.main.class", None),
            // Of a whole name the last part is missing.
            ("mapreduce.job.queue", Some("mapreduce.job.queuename")),
            ("mapred.child.java", Some("mapred.child.java.opts")),
            ("mapred.max.split", Some("mapred.max.split.size")),
            ("oozie.wf.application", Some("oozie.wf.application.path")),
            ("mapreduce.job", None),
            ("mapred.map.output.compress", Some("mapred.compress.map.output")),
            ("hive.exec.dynamic.partition", None),
            ("oozie.luncher.mapreduce.map.memory.mb", Some("oozie.launcher.mapreduce.map.memory.mb")),
            ("oozie..launcher.mapreduce.job.queuename", Some("oozie.launcher.mapreduce.job.queuename")),
            ("launcher.mapreduce.job.queuename", Some("oozie.launcher.mapreduce.job.queuename")),
            ("oozie.mapreduce.job.queuename", Some("oozie.launcher.mapreduce.job.queuename")),
            ("oozie-libpath", Some("oozie.libpath")),
            ("oozie_libpath", None),
            ("io.srot.mb", Some("io.sort.mb")),
            ("spark.executor.memry", Some("spark.executor.memory")),
        ] {
            assert_eq!(near(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn some_settings_are_whole_numbers() {
        for (name, expected) in [
            ("mapreduce.job.reduces", true),
            ("oozie.launcher.mapreduce.map.memory.mb", true),
            ("mapreduce.task.io.sort.mb", true),
            ("mapreduce.map.sort.spill.percent", false),
            ("com.example.memory.mb", false),
        ] {
            assert_eq!(is_whole_number(name), expected, "{name}");
        }
    }

    #[test]
    fn no_known_name_is_taken_for_another() {
        for name in NAMES {
            assert_eq!(near(name), None);
            assert!(NAMES.iter().filter(|other| *other == name).count() == 1, "{name} stands twice");
        }
    }
}
