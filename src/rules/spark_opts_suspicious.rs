//! The `spark-opts` of a spark action do not reach `spark-submit` as they read.
//!
//! An option that it does not know ends it at once, a single dash makes no option, and `--conf` wants `name=value` without
//! blanks around the sign. Numbers of cores and executors are whole ones, and memory is a whole number with a unit of Spark:
//! `k`, `m`, `g`, `t`. A value runs to the next option that begins with `--`, what stands before the first one is lost,
//! and no shell reads quotes: double quotes around a whole value are dropped (`SparkOptionsSplitter`, since Oozie 5.0), and
//! all others stay in it.
//!
//! ```xml
//! <spark-opts>-num-executors 4 --conf spark.yarn.queue = etl</spark-opts>
//! <spark-opts>--num-executors 4 --conf spark.yarn.queue=etl --driver-memory 2g</spark-opts>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::subject::Workflow;
use crate::analysis::{actions, known_properties, words};
use crate::diag::{Diagnostic, Group, Info, Severity, closest};
use crate::model::action::Details;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "spark-opts-suspicious",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("spark_opts_suspicious.rs"),
    },
    check: Check::Workflow(check),
};

/// Options with a value.
const WITH_VALUE: &[&str] = &[
    "--archives",
    "--class",
    "--conf",
    "--deploy-mode",
    "--driver-class-path",
    "--driver-cores",
    "--driver-java-options",
    "--driver-library-path",
    "--driver-memory",
    "--exclude-packages",
    "--executor-cores",
    "--executor-memory",
    "--files",
    "--jars",
    "--keytab",
    "--kill",
    "--master",
    "--name",
    "--num-executors",
    "--packages",
    "--principal",
    "--properties-file",
    "--proxy-user",
    "--py-files",
    "--queue",
    "--repositories",
    "--status",
    "--total-executor-cores",
];
/// Options without one.
const ALONE: &[&str] =
    &["--help", "--supervise", "--usage-error", "--verbose", "--version", "-h", "-v", "-c"];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let Details::Spark(spark) = &action.details else { continue };
        let Some(text) = &spark.spark_opts else { continue };
        let known = actions::known(app.values, text);
        let Some((at, message, help)) = known.as_ref().and_then(|text| fault(&text.value)) else { continue };
        let span = known.map_or(text.span, |known| match actions::is_written(text) {
            true => known.span_of(at.0..at.1),
            false => text.span,
        });
        sink.push(actions::at_start(
            &app.flow,
            action,
            Diagnostic::new(&RULE.info, span, message).help(help),
        ));
    }
}

/// Options and properties of which the value is a whole number.
const NUMBERS: &[&str] = &[
    "--driver-cores",
    "--executor-cores",
    "--num-executors",
    "--total-executor-cores",
    "spark.default.parallelism",
    "spark.driver.cores",
    "spark.dynamicAllocation.initialExecutors",
    "spark.dynamicAllocation.maxExecutors",
    "spark.dynamicAllocation.minExecutors",
    "spark.executor.cores",
    "spark.executor.instances",
    "spark.sql.shuffle.partitions",
    "spark.task.cpus",
    "spark.task.maxFailures",
    "spark.yarn.maxAppAttempts",
];
/// Those of which it is a size.
const SIZES: &[&str] = &[
    "--driver-memory",
    "--executor-memory",
    "spark.driver.maxResultSize",
    "spark.driver.memory",
    "spark.driver.memoryOverhead",
    "spark.executor.memory",
    "spark.executor.memoryOverhead",
    "spark.yarn.am.memory",
    "spark.yarn.driver.memoryOverhead",
    "spark.yarn.executor.memoryOverhead",
];
/// `JavaUtils.byteStringAs`
const UNITS: &[&str] = &["", "b", "k", "kb", "m", "mb", "g", "gb", "t", "tb", "p", "pb"];

/// What is wrong with the value of an option or a property: why, and what to do.
fn value_fault(name: &str, value: &str) -> Option<(String, String)> {
    if value.contains(['$', '{']) {
        return None;
    }
    let digits = value.len() - value.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = value.split_at(digits);
    if NUMBERS.contains(&name) && (number.is_empty() || !unit.is_empty()) {
        return Some((
            format!("`{name}` takes a whole number, not `{value}`"),
            "write digits only".to_owned(),
        ));
    }
    if SIZES.contains(&name) && (number.is_empty() || !UNITS.contains(&unit.to_lowercase().as_str())) {
        let help = "write a whole number and a unit, as in `2g` or `512m`".to_owned();
        return Some((format!("`{name}` takes a size, not `{value}`"), help));
    }
    if name == "--deploy-mode" && !["client", "cluster"].contains(&value) {
        return Some((
            format!("there is no deploy mode `{value}`"),
            "write `client` or `cluster`".to_owned(),
        ));
    }
    None
}

/// What is wrong with a `name=value` behind `--conf`.
fn property_fault(pair: &str) -> Option<(String, String)> {
    let (name, value) = pair.split_once('=')?;
    if name.starts_with("spark.")
        && let Some(near) = known_properties::near(name)
    {
        return Some((format!("Spark does not read a property `{name}`"), format!("did you mean `{near}`?")));
    }
    value_fault(name, value)
}

/// The first word that is none of the command line: where, why, and what to do.
fn fault(text: &str) -> Option<((usize, usize), String, String)> {
    if text.replace("\\\"", "").matches('"').count() % 2 == 1
        && let Some(at) = text.rfind('"')
    {
        let message = "a quote has no partner, so it stays in the value".to_owned();
        return Some(((at, at + 1), message, "close the quote, or remove it".to_owned()));
    }
    // Quotes join words.
    if text.contains(['"', '\'']) {
        return quoted(text);
    }
    let mut before: Option<&str> = None;
    let mut at = 0;
    for word in text.split(char::is_whitespace) {
        let place = (at, at + word.len());
        at += word.len() + 1;
        if word.is_empty() {
            continue;
        }
        let option = before.take();
        if let Some(option) = option {
            if matches!(option, "--conf" | "-c") && (!word.contains('=') || word.starts_with('=')) {
                let message = format!("`{option}` takes `name=value`, and `{word}` is not that");
                return Some((place, message, "write the sign without blanks around it".to_owned()));
            }
            let is_conf = matches!(option, "--conf" | "-c");
            let fault = if is_conf { property_fault(word) } else { value_fault(option, word) };
            if let Some((message, help)) = fault {
                return Some((place, message, help));
            }
            continue;
        }
        let name = word.split('=').next().unwrap_or(word);
        if WITH_VALUE.contains(&name) || word == "-c" {
            before = (!word.contains('=')).then_some(word);
            let given = word.split_once('=').filter(|(name, _)| *name != "--conf");
            if let Some((message, help)) = given.and_then(|(name, value)| value_fault(name, value)) {
                return Some((place, message, help));
            }
            continue;
        }
        if ALONE.contains(&word) {
            continue;
        }
        if word.starts_with("--") {
            let near = closest(name, WITH_VALUE.iter().chain(ALONE).copied())?;
            let message = format!("`spark-submit` does not have an option `{name}`");
            return Some((place, message, format!("did you mean `{near}`?")));
        }
        if let Some(near) = word.strip_prefix('-').map(|rest| format!("--{rest}"))
            && WITH_VALUE.contains(&near.as_str())
        {
            let message = format!("`spark-submit` does not have an option `{word}`");
            return Some((place, message, format!("did you mean `{near}`?")));
        }
        let message = format!("`{word}` does not belong to any option of `spark-submit`");
        return Some((place, message, "write an option before it, or remove it".to_owned()));
    }
    None
}

/// The first value whose quotes Spark gets: where, why, and what to do.
fn quoted(text: &str) -> Option<((usize, usize), String, String)> {
    let value = words::spark_quoted(text).into_iter().next()?;
    let at = text.find(&value)?;
    let help =
        "put double quotes around the whole value, behind a name of letters, digits and dots, or omit them";
    Some(((at, at + value.len()), format!("the quotes of `{value}` stay in the value"), help.to_owned()))
}
