//! The arguments of a sqoop action begin with no tool of Sqoop, or hold an option that it does not have.
//!
//! The first word is the tool (`import`, `export`, …), without `sqoop` before it. Sqoop ends at the first word that it does not
//! know. Each `arg` is one argument: `<arg>--split-by ID</arg>` asks for an option of that whole name. A free-form `--query` of
//! an import must hold `$CONDITIONS`, as it stands: no shell takes away a backslash before it.
//!
//! ```xml
//! <arg>import</arg> <arg>--tabel</arg> <arg>clicks</arg>   <!-- wrong -->
//! <arg>import</arg> <arg>--table</arg> <arg>clicks</arg>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Group, Info, Severity, closest};
use crate::model::action::{Details, Sqoop};
use crate::source::{Span, Text};

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "sqoop-arguments-invalid",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("sqoop_arguments_invalid.rs"),
    },
    check: Check::Workflow(check),
};

/// `SqoopTool.registerTool`
const TOOLS: &[&str] = &[
    "codegen",
    "create-hive-table",
    "eval",
    "export",
    "help",
    "import",
    "import-all-tables",
    "import-mainframe",
    "job",
    "list-databases",
    "list-tables",
    "merge",
    "metastore",
    "version",
];
/// Options of Sqoop 1.4 with a value, of all tools together.
const WITH_VALUE: &[&str] = &[
    "accumulo-batch-size",
    "accumulo-column-family",
    "accumulo-instance",
    "accumulo-max-latency",
    "accumulo-password",
    "accumulo-row-key",
    "accumulo-table",
    "accumulo-user",
    "accumulo-visibility",
    "accumulo-zookeepers",
    "bindir",
    "boundary-query",
    "buffersize",
    "call",
    "check-column",
    "class-name",
    "column-family",
    "columns",
    "compression-codec",
    "connect",
    "connection-manager",
    "connection-param-file",
    "create",
    "dataset",
    "datasettype",
    "delete",
    "direct-split-size",
    "driver",
    "enclosed-by",
    "escape-mapping-column-names",
    "escaped-by",
    "exclude-tables",
    "exec",
    "export-dir",
    "external-table-dir",
    "fetch-size",
    "fields-terminated-by",
    "ftp-commands",
    "hadoop-home",
    "hadoop-mapred-home",
    "hbase-null-incremental-mode",
    "hbase-row-key",
    "hbase-table",
    "hcatalog-database",
    "hcatalog-home",
    "hcatalog-partition-keys",
    "hcatalog-partition-values",
    "hcatalog-storage-stanza",
    "hcatalog-table",
    "hive-database",
    "hive-delims-replacement",
    "hive-home",
    "hive-partition-key",
    "hive-partition-value",
    "hive-table",
    "hs2-keytab",
    "hs2-password",
    "hs2-url",
    "hs2-user",
    "incremental",
    "inline-lob-limit",
    "input-enclosed-by",
    "input-escaped-by",
    "input-fields-terminated-by",
    "input-lines-terminated-by",
    "input-null-non-string",
    "input-null-string",
    "input-optionally-enclosed-by",
    "jar-file",
    "last-value",
    "lines-terminated-by",
    "map-column-hive",
    "map-column-java",
    "mapreduce-job-name",
    "merge-key",
    "meta-connect",
    "meta-password",
    "meta-username",
    "metadata-transaction-isolation-level",
    "new-data",
    "null-non-string",
    "null-string",
    "num-mappers",
    "onto",
    "optionally-enclosed-by",
    "oracle-escaping-disabled",
    "outdir",
    "package-name",
    "parquet-configurator-implementation",
    "password",
    "password-alias",
    "password-file",
    "query",
    "show",
    "split-by",
    "split-limit",
    "staging-table",
    "table",
    "tape",
    "target-dir",
    "temporary-rootdir",
    "update-key",
    "update-mode",
    "username",
    "validation-failurehandler",
    "validation-threshold",
    "validator",
    "warehouse-dir",
    "where",
    "e",
    "m",
    // Those of every tool of Hadoop.
    "D",
    "archives",
    "conf",
    "files",
    "fs",
    "jt",
    "libjars",
    "options-file",
];
/// Those without one.
const ALONE: &[&str] = &[
    "accumulo-create-table",
    "append",
    "as-avrodatafile",
    "as-binaryfile",
    "as-parquetfile",
    "as-sequencefile",
    "as-textfile",
    "autoreset-to-one-mapper",
    "batch",
    "clear-staging-table",
    "compress",
    "create-hcatalog-table",
    "create-hive-table",
    "delete-compile-dir",
    "delete-target-dir",
    "direct",
    "drop-and-create-hcatalog-table",
    "hbase-bulkload",
    "hbase-create-table",
    "hcatalog-external-table",
    "help",
    "hive-drop-import-delims",
    "hive-import",
    "hive-overwrite",
    "list",
    "mysql-delimiters",
    "relaxed-isolation",
    "schema",
    "shutdown",
    "skip-dist-cache",
    "throw-on-error",
    "validate",
    "verbose",
    "P",
    "z",
];
/// What the query of an import holds, for the condition of each task.
const CONDITIONS: &str = "$CONDITIONS";

/// What is wrong: where, what, and what to do.
type Fault = (Span, String, String);

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for action in app.actions() {
        let Details::Sqoop(sqoop) = &action.details else { continue };
        let words = words(app, sqoop);
        let faults = tool(&words).into_iter().chain(option(&words)).chain(query(&words));
        for (span, message, help) in faults {
            let finding = Diagnostic::new(&RULE.info, span, message).help(help);
            sink.push(actions::at_start(&app.flow, action, finding));
        }
    }
}

/// The words that Sqoop gets, as far as they are known; `None` for one that is not.
fn words(app: &Workflow<'_>, sqoop: &Sqoop) -> Vec<Option<Text>> {
    match &sqoop.command {
        None => sqoop.args.iter().map(|arg| actions::known(app.values, arg)).collect(),
        // Quotes may join words, or not; that is another finding.
        Some(command) if command.value.contains(['"', '\'']) => Vec::new(),
        Some(command) => {
            let known = actions::known(app.values, command);
            // An expression that is not known is a part of one word at least.
            let text = known.unwrap_or_else(|| command.trimmed());
            let is_open =
                |word: &str| word.contains(['$', '{', '}', '(', ')']) && !actions::is_written(command);
            let mut at = 0;
            let mut found = Vec::new();
            for word in text.value.split(' ') {
                let start = at;
                at += word.len() + 1;
                if !word.trim().is_empty() {
                    let piece = Text::computed(word.trim(), text.span_of(start..start + word.len()));
                    found.push(Some(piece).filter(|_| !is_open(word)));
                }
            }
            found
        }
    }
}

fn tool(words: &[Option<Text>]) -> Option<Fault> {
    let first = words.first()?.as_ref()?;
    let name = first.value.as_str();
    if name.is_empty() || TOOLS.contains(&name) || name == "--options-file" {
        return None;
    }
    let message = format!("Sqoop does not have a tool `{name}`");
    let help = if name == "sqoop" {
        "omit `sqoop`: the first word is the tool".to_owned()
    } else if let Some(near) = closest(name, TOOLS.iter().copied()) {
        format!("did you mean `{near}`?")
    } else if name.starts_with('-') {
        "begin with the tool, as in `import`".to_owned()
    } else if let Some((tool, _)) = name.split_once(' ').filter(|(tool, _)| TOOLS.contains(tool)) {
        format!("write `<arg>{tool}</arg>` and each word behind it in an `arg` of its own")
    } else {
        // A tool of somebody's own.
        return None;
    };
    Some((first.span, message, help))
}

/// An argument as an option: its name without dashes, and whether its value stands behind `=`.
fn option_name(word: &str) -> Option<(&str, bool)> {
    let bare = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).filter(|bare| !bare.is_empty())?;
    let known = |name: &str| WITH_VALUE.contains(&name) || ALONE.contains(&name);
    match bare.split_once('=') {
        Some((name, _)) if known(name) => Some((name, true)),
        _ => Some((bare, false)),
    }
}

/// The first word that Sqoop ends at (`GnuParser.flatten`, `BaseSqoopTool.hasUnrecognizedArgs`).
fn option(words: &[Option<Text>]) -> Option<Fault> {
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        // What is not known may be an option with a value, and what follows anything.
        let word = word.as_ref()?;
        if word.value == "--" {
            return None;
        }
        let Some((name, has_value)) = option_name(&word.value) else {
            // A word that belongs to no option; of a job or a tool of one's own it may be right.
            return None;
        };
        if ALONE.contains(&name) || has_value || word.value.starts_with("-D") {
            continue;
        }
        if WITH_VALUE.contains(&name) {
            rest.next();
            continue;
        }
        let head = name.split(' ').next().unwrap_or_default();
        if head.len() < name.len() && (WITH_VALUE.contains(&head) || ALONE.contains(&head)) {
            let message =
                format!("`--{head}` and its value are one argument here, which Sqoop does not know");
            return Some((word.span, message, "write each in an `arg` of its own".to_owned()));
        }
        let near = closest(name, WITH_VALUE.iter().chain(ALONE).copied().filter(|known| known.len() > 1))?;
        let message = format!("Sqoop does not have an option `{}`", word.value);
        return Some((word.span, message, format!("did you mean `--{near}`?")));
    }
    None
}

/// The query of an import without a place for the condition of each task.
fn query(words: &[Option<Text>]) -> Option<Fault> {
    if words.first()?.as_ref()?.value != "import" {
        return None;
    }
    let at = words.iter().position(|word| {
        let is_query = |text: &Text| matches!(text.value.as_str(), "--query" | "-query" | "-e" | "--e");
        word.as_ref().is_some_and(is_query)
    })?;
    let query = words.get(at + 1)?.as_ref()?;
    // The words of a `command` are no whole query.
    if !query.value.contains(char::is_whitespace) {
        return None;
    }
    match query.value.find(CONDITIONS) {
        None => {
            let message = "the query of an import must hold `$CONDITIONS`".to_owned();
            Some((
                query.span,
                message,
                "write `WHERE $CONDITIONS`, or `AND $CONDITIONS` behind others".to_owned(),
            ))
        }
        Some(at) if query.value[..at].ends_with('\\') => {
            let message =
                "no shell removes the `\\` before `$CONDITIONS`, so it stays in the query".to_owned();
            Some((query.span, message, "remove the `\\`".to_owned()))
        }
        Some(_) => None,
    }
}
