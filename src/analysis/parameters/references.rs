//! Values of properties files that mean another property and do not reach it.

use std::collections::BTreeSet;

use super::job_conf::{JobConf, Layer};
use crate::diag::{Diagnostic, Group, Info, Severity, SubjectKind, closest};
use crate::model::functions::CONSTANTS;

/// A value that means another property, and stays as it is.
pub static PROPERTY_REFERENCE: Info = Info {
    name: "property-reference",
    group: Group::Meaning,
    severity: Severity::Warning,
    stage: None,
    mirrors: &[],
    explanation: "A value of a properties file means another property and does not get its value.\n\n\
        Only `${name}` is replaced, and only where something gives `name` a value (Hadoop's `Configuration`). \
        `$(name)`, `$name`, `${name` and a misspelt name stay in the value as they are, in paths most of all, where \
        they lead nowhere. Behind the address of a name node there must be a `/`. A name that nothing at all gives may come with the command line, and is a note.\n\n\
        ```properties\n\
        nameNode=hdfs://nn.example:8020\n\
        root=$(nameNode)/apps    # wrong\n\
        root=${nameNode}/apps    # right\n\
        ```",
};

/// How a reference to a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `${name}`
    Right,
    /// `$(name)`, `$name`, `${name`, `$ {name}`: text.
    Wrong,
}

/// The findings for values of files. `given` are names that definitions and their default files give besides, which a
/// value may mean that is evaluated there.
pub fn references(conf: &JobConf, given: &BTreeSet<String>) -> Vec<Diagnostic> {
    let awaited: BTreeSet<&str> = conf.awaited().map(|(name, _)| name).collect();
    let mut findings = Vec::new();
    for (name, _) in conf.iter() {
        let written = conf.steps(name).iter().rev().find(|step| step.layer != Layer::Substitution);
        let Some(step) = written.filter(|step| step.layer == Layer::File && step.value.contains('$')) else {
            continue;
        };
        let Some(span) = step.span else { continue };
        for (form, meant) in meant_names(&step.value) {
            let is_known = conf.contains(meant);
            let finding = match form {
                Form::Wrong if is_known && meant != name => {
                    let message = format!("the value of `{name}` means `{meant}`, which stays unreplaced");
                    Diagnostic::new(&PROPERTY_REFERENCE, span, message).help(format!("write `${{{meant}}}`"))
                }
                Form::Right if !is_known && !is_of_definitions(meant, given) && !awaited.contains(meant) => {
                    let message = format!("the value of `{name}` refers to `{meant}`, which nothing gives");
                    let found = Diagnostic::new(&PROPERTY_REFERENCE, span, message);
                    let others = conf.iter().map(|(other, _)| other).filter(|other| *other != name);
                    match closest(meant, others) {
                        Some(near) => found.help(format!("did you mean `{near}`?")).meant(near),
                        None => found
                            .severity(Severity::Info)
                            .help(format!("supply it with `-D {meant}=…` or a property file")),
                    }
                }
                Form::Right if is_joined(conf, &step.value, meant) => {
                    let message =
                        format!("text in the value of `{name}` becomes a part of the address in `{meant}`");
                    Diagnostic::new(&PROPERTY_REFERENCE, span, message)
                        .help(format!("write a `/` behind `${{{meant}}}`"))
                }
                _ => continue,
            };
            findings.push(finding.about(SubjectKind::Parameter, meant));
        }
    }
    findings
}

/// Whether a name or number stands right behind a reference to an address.
fn is_joined(conf: &JobConf, value: &str, meant: &str) -> bool {
    let reference = format!("${{{meant}}}");
    let mut behind = value.match_indices(&reference).map(|(at, _)| &value[at + reference.len()..]);
    behind.any(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        && conf.get_raw(meant).is_some_and(is_address)
}

/// Whether a value is a scheme, a host and maybe a port, and nothing behind it.
pub fn is_address(value: &str) -> bool {
    value.trim().split_once("://").is_some_and(|(scheme, host)| {
        !scheme.is_empty()
            && !host.is_empty()
            && !host.contains(['/', '$', ','])
            && !host.ends_with([':', '@'])
    })
}

/// Whether an expression in a definition may give the name its value.
fn is_of_definitions(name: &str, given: &BTreeSet<String>) -> bool {
    const DATE_PARTS: [&str; 5] = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE"];
    given.contains(name)
        || DATE_PARTS.contains(&name)
        || CONSTANTS.iter().any(|constant| constant.name == name)
}

/// The names that a value refers to, or was to refer to.
fn meant_names(value: &str) -> Vec<(Form, &str)> {
    let mut found = Vec::new();
    for (at, _) in value.match_indices('$') {
        // `$$`: the first one is text.
        if value[..at].ends_with('\\') {
            continue;
        }
        let rest = &value[at + 1..];
        let trimmed = rest.trim_start_matches(' ');
        let (open, inner) = match trimmed.chars().next() {
            Some(c @ ('{' | '(')) => (Some(c), &trimmed[1..]),
            _ if trimmed.len() == rest.len() => (None, rest),
            _ => continue,
        };
        let length = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inner.len());
        let (name, behind) = inner.split_at(length);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let is_whole = behind.starts_with('}') && trimmed.len() == rest.len();
        match open {
            Some('{') if is_whole => found.push((Form::Right, name)),
            // What has a dot or a call inside is a name of another kind, or an expression.
            Some('{') if behind.starts_with('/') || behind.is_empty() || behind.starts_with('}') => {
                found.push((Form::Wrong, name));
            }
            Some('(') if behind.starts_with(')') => found.push((Form::Wrong, name)),
            None => found.push((Form::Wrong, name)),
            Some(_) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_meant_in_several_forms() {
        let check =
            |value: &str, expected: &[(Form, &str)]| assert_eq!(meant_names(value), expected, "{value}");
        check("${a}/b/${c_1}", &[(Form::Right, "a"), (Form::Right, "c_1")]);
        check("$(a)/b", &[(Form::Wrong, "a")]);
        check("$a/b", &[(Form::Wrong, "a")]);
        check("$ {a}/b", &[(Form::Wrong, "a")]);
        check("${a/b", &[(Form::Wrong, "a")]);
        check("${user.name}/${coord:user()}/${f(a)}", &[]);
        check("5$ and $1 and \\$x", &[]);
    }
}
