//! Names: ids of DAGs, and variables of Python for the ids of tasks.

use std::collections::BTreeSet;

/// Words that cannot be, or should not become, a variable of a DAG file.
const TAKEN: &[&str] = &[
    "False",
    "None",
    "True",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "match",
    "case",
    "type",
    "dag",
    "DAG",
    "task",
    "teardown",
    "state",
    "params",
    "ti",
    "run_id",
    "str",
    "int",
    "float",
    "dict",
    "list",
    "set",
    "quote",
    "shlex",
    "subprocess",
    "timedelta",
    "pendulum",
    "print",
    "len",
    "any",
    "all",
    "min",
    "max",
    "sum",
    "id",
    "input",
    "open",
    "filter",
    "map",
    "range",
    "sorted",
    "zip",
    "hash",
    "iter",
    "next",
    "object",
    "repr",
    "round",
    "slice",
    "super",
    "vars",
    "eval",
    "exec",
    "BashOperator",
    "EmptyOperator",
    "TriggerDagRunOperator",
    "AirflowFailException",
    "Variable",
    "PokeReturnValue",
    "ObjectStoragePath",
    "TriggerRule",
    "NotImplementedError",
    "logical_date",
    "captured",
    "any_of",
    "bytes",
    "format",
];

/// Longer ids are cut; Airflow takes 250 characters.
const LONGEST_ID: usize = 200;

/// The id of a DAG for the name of an app: letters, digits, `_`, `-` and `.`; nothing where nothing is left.
pub(super) fn dag_id(name: &str) -> Option<String> {
    let mut id = String::new();
    for c in name.trim().chars() {
        let c = if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.') { c } else { '_' };
        if c != '_' || !id.ends_with('_') {
            id.push(c);
        }
    }
    id.truncate(LONGEST_ID);
    let id = id.trim_matches(|c| matches!(c, '_' | '.')).to_owned();
    (!id.is_empty()).then_some(id)
}

/// Hands out variables, each once.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// A variable for an id.
    pub(super) fn variable(&mut self, id: &str) -> String {
        let mut name: String =
            id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
        if name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() {
            name.insert(0, '_');
        }
        // Two underscores in front mean something to Python.
        let name = if name.starts_with("__") { format!("x{name}") } else { name };
        let name = if TAKEN.contains(&name.as_str()) { format!("{name}_") } else { name };
        let mut found = name.clone();
        let mut number = 2;
        while !self.0.insert(found.clone()) {
            found = format!("{name}_{number}");
            number += 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_pythons() {
        let mut names = Names::default();
        assert_eq!(names.variable("load-data"), "load_data");
        assert_eq!(names.variable("load_data"), "load_data_2");
        assert_eq!(names.variable("class"), "class_");
        assert_eq!(names.variable("dag"), "dag_");
        assert_eq!(names.variable("__x"), "x__x");
        assert_eq!(dag_id("Daily load: ${x}/é").as_deref(), Some("Daily_load_x"));
        assert_eq!(dag_id("é "), None);
        assert_eq!(dag_id("../../etc").as_deref(), Some("etc"));
    }
}
