//! A credential lacks a property that its type needs, or has a type that no server knows.
//!
//! A server gets the token before the action starts: of type `hcat` by `hcat.metastore.uri` and `hcat.metastore.principal`, of
//! type `hive2` by `hive2.jdbc.url` and `hive2.server.principal`. Without one of them the action fails (E0510), unless for `hcat` the
//! server's own `hive-site.xml` has it.
//!
//! ```xml
//! <credential name="h" type="hive">…</credential>    <!-- wrong -->
//! <credential name="h" type="hive2">…</credential>
//! ```

use super::{Check, Rule, Sink};
use crate::analysis::actions;
use crate::analysis::subject::Workflow;
use crate::diag::{Diagnostic, Edit, Group, Info, Severity, closest};
use crate::model::workflow::Credential;

pub(super) static RULE: Rule = Rule {
    info: Info {
        name: "credential-incomplete",
        group: Group::Meaning,
        severity: Severity::Warning,
        stage: None,
        mirrors: &[],
        explanation: include_str!("credential_incomplete.rs"),
    },
    check: Check::Workflow(check),
};

/// The types that servers are set up with.
const TYPES: &[&str] = &["hcat", "hive2", "hbase", "filesystem", "yarnRM", "jhs"];

/// What each type needs: alternatives, the usual name first (`HCatCredentials`, `Hive2Credentials`).
const NEEDED: &[(&str, &[&[&str]])] = &[
    (
        "hcat",
        &[
            &["hcat.metastore.uri", "hive.metastore.uris"],
            &["hcat.metastore.principal", "hive.metastore.kerberos.principal"],
        ],
    ),
    ("hive2", &[&["hive2.jdbc.url"], &["hive2.server.principal"]]),
];
/// How the names of properties begin by which a type is known.
const STARTS: &[(&str, &str)] = &[("hcat.", "hcat"), ("hive2.", "hive2"), ("hbase.", "hbase")];

fn check(app: &Workflow<'_>, sink: &mut Sink) {
    for credential in &app.model.credentials {
        let Some(written) = &credential.kind else { continue };
        let Some(kind) = actions::literal(written) else { continue };
        match NEEDED.iter().find(|(name, _)| *name == kind) {
            // Nothing at all: the server's own settings may have it.
            Some(_) if kind == "hcat" && credential.properties.is_empty() => {}
            Some((_, needed)) => needed.iter().for_each(|names| sink.extend(lacks(credential, kind, names))),
            None if TYPES.contains(&kind) => {}
            None => {
                let Some(near) = meant(credential, kind) else { continue };
                let span = written.trimmed().span;
                let message = format!("servers come without credentials of the type `{kind}`");
                let finding =
                    Diagnostic::new(&RULE.info, span, message).help(format!("did you mean `{near}`?"));
                sink.push(finding.fix(false, vec![Edit { span, text: near.to_owned() }]));
            }
        }
    }
}

/// The type that is probably meant.
fn meant(credential: &Credential, kind: &str) -> Option<&'static str> {
    let by_property = STARTS.iter().find(|(start, _)| {
        credential.properties.iter().any(|property| property.name.value.trim().starts_with(start))
    });
    let near = || closest(kind, TYPES.iter().copied());
    let is_near = ["hive", "hcatalog", "hiveserver2"].contains(&kind) || near().is_some();
    by_property.map(|(_, known)| *known).filter(|_| is_near).or_else(near)
}

fn lacks(credential: &Credential, kind: &str, names: &[&str]) -> Option<Diagnostic> {
    let given = || credential.properties.iter().map(|property| property.name.trimmed());
    if given().any(|name| names.contains(&name.value.as_str()) || name.value.contains("${")) {
        return None;
    }
    let wanted = names.first()?;
    let message = format!("a credential of the type `{kind}` needs the property `{wanted}`");
    let known = |name: &str| NEEDED.iter().any(|(_, all)| all.iter().any(|names| names.contains(&name)));
    let others: Vec<_> = given().filter(|name| !known(&name.value)).collect();
    let near = closest(wanted, others.iter().map(|name| name.value.as_str()));
    Some(match near.and_then(|near| others.iter().find(|name| name.value == near)) {
        Some(name) => Diagnostic::new(&RULE.info, name.span, message)
            .help(format!("did you mean `{wanted}`?"))
            .fix(false, vec![Edit { span: name.span, text: (*wanted).to_owned() }]),
        None => Diagnostic::new(
            &RULE.info,
            credential.name.as_ref().map_or(credential.span, |it| it.span),
            message,
        )
        .help(if kind == "hcat" {
            "add the property, unless the server's `hive-site.xml` has it"
        } else {
            "add the property"
        }),
    })
}
