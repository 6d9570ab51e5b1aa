//! What the program is made of: every crate that is built here comes from the registry, under a licence that `deny.toml`
//! allows. `cargo deny check` looks at the same file, and at advisories and other platforms, at night.

use std::process::Command;

use crate::support::root;

/// Whether an SPDX expression can be met with what is allowed; older crates write `/` for `OR`.
fn is_met(expression: &str, allowed: &[&str]) -> bool {
    let text =
        expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ").replace(" WITH ", "\u{1}");
    let words: Vec<String> = text.split_whitespace().map(|word| word.replace('\u{1}', " WITH ")).collect();
    let mut rest = words.iter().map(String::as_str).peekable();
    let met = any(&mut rest, allowed);
    met && rest.next().is_none()
}

fn any<'w, I: Iterator<Item = &'w str>>(rest: &mut std::iter::Peekable<I>, allowed: &[&str]) -> bool {
    let mut met = all(rest, allowed);
    while rest.next_if_eq(&"OR").is_some() {
        met |= all(rest, allowed);
    }
    met
}

fn all<'w, I: Iterator<Item = &'w str>>(rest: &mut std::iter::Peekable<I>, allowed: &[&str]) -> bool {
    let mut met = one(rest, allowed);
    while rest.next_if_eq(&"AND").is_some() {
        met &= one(rest, allowed);
    }
    met
}

fn one<'w, I: Iterator<Item = &'w str>>(rest: &mut std::iter::Peekable<I>, allowed: &[&str]) -> bool {
    match rest.next() {
        Some("(") => {
            let met = any(rest, allowed);
            rest.next_if_eq(&")").is_some() && met
        }
        Some(licence) => allowed.contains(&licence),
        None => false,
    }
}

fn said_by(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).current_dir(root()).args(arguments).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn every_crate_comes_from_the_registry_under_a_licence_that_is_allowed() {
    let text = std::fs::read_to_string(root().join("deny.toml")).expect("deny.toml");
    let rules: toml::Table = text.parse().expect("TOML");
    let list = |table: &str, key: &str| {
        let values = rules[table][key].as_array().expect("a list");
        values.iter().map(|value| value.as_str().expect("a text").to_owned()).collect::<Vec<_>>()
    };
    let (allowed, registries) = (list("licenses", "allow"), list("sources", "allow-registry"));
    let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
    // What other systems need was not brought here.
    let host = said_by("rustc", &["-vV"]);
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let arguments = ["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host];
    let metadata = said_by(env!("CARGO"), &arguments);
    let metadata: serde_json::Value = serde_json::from_str(&metadata).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 100, "{} packages", packages.len());
    let mut faults = Vec::new();
    for package in packages {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        let (name, licence, source) = (text("name"), text("license"), text("source"));
        if !is_met(licence, &allowed) {
            faults.push(format!("{name}: licence `{licence}`"));
        }
        let is_known =
            source.strip_prefix("registry+").is_some_and(|url| registries.iter().any(|it| it == url));
        if name != env!("CARGO_PKG_NAME") && !is_known {
            faults.push(format!("{name}: source `{source}`"));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn licence_expressions_are_read() {
    let allowed = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"];
    for (expression, met) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("", false),
        ("MIT OR GPL-3.0", true),
        ("GPL-3.0/MIT", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR GPL-3.0) AND Apache-2.0", true),
        ("GPL-3.0 OR MIT AND Apache-2.0", true),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("GPL-2.0 WITH Classpath-exception", false),
        ("MIT) OR (MIT", false),
    ] {
        assert_eq!(is_met(expression, &allowed), met, "{expression}");
    }
}
