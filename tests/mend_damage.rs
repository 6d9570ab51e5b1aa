//! Fixes of damaged definitions: whatever is broken in a fixture of a rule, mending it ends, and what is kept can be read.

use std::path::PathBuf;

use crate::support::exercise;
use crate::support::graphs::Random;
use crate::support::{names_in, root};

/// Every definition among the fixtures of the rules.
fn definitions() -> Vec<Vec<u8>> {
    let mut open: Vec<PathBuf> = vec![root().join("fixtures/rules")];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for name in names_in(&folder) {
            let path = folder.join(&name);
            if path.is_dir() {
                open.push(path);
            } else if name.ends_with(".xml") {
                found.push(std::fs::read(path).expect("a fixture"));
            }
        }
    }
    found
}

#[test]
fn every_fixture_is_mended_to_the_end() {
    let definitions = definitions();
    assert!(definitions.len() > 300, "{} definitions", definitions.len());
    definitions.iter().for_each(|bytes| exercise::fixes(bytes));
}

/// One change: a byte, a stretch taken out, a stretch twice, or a stretch of another file.
fn damage(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let odd = b"<>&\"'/${}#. \n\0\xe9a1";
    let (at, length) = (random.below(bytes.len().max(1)), 1 + random.below(40));
    let end = (at + length).min(bytes.len());
    match random.below(5) {
        0 => bytes.insert(at.min(bytes.len()), odd[random.below(odd.len())]),
        1 => drop(bytes.drain(at.min(end)..end)),
        2 => {
            let again = bytes[at.min(end)..end].to_vec();
            bytes.splice(end..end, again);
        }
        3 => {
            let from = random.below(other.len().max(1));
            let piece = other[from..(from + length).min(other.len())].to_vec();
            bytes.splice(at.min(bytes.len())..at.min(bytes.len()), piece);
        }
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = odd[random.below(odd.len())];
            }
        }
    }
}

#[test]
fn damaged_fixtures_are_mended_or_left_alone() {
    let definitions = definitions();
    let rounds = if std::env::var_os("ANKUS_THOROUGH").is_some() { 20_000 } else { 1_000 };
    let mut random = Random(7);
    for _ in 0..rounds {
        let mut bytes = definitions[random.below(definitions.len())].clone();
        let other = &definitions[random.below(definitions.len())];
        for _ in 0..=random.below(3) {
            damage(&mut bytes, other, &mut random);
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mended = std::panic::catch_unwind(|| exercise::fixes(&bytes));
        assert!(mended.is_ok(), "this definition is not mended as it should be:\n{text}");
    }
}
