//! `ankus explain`, `ankus rules`, `ankus man`: what the program says of itself.

use crate::support;
use std::path::PathBuf;

use crate::support::ankus;
use serde_json::Value;

#[test]
fn a_rule_is_explained_with_what_is_wrong_and_what_is_right() {
    let outcome = ankus(&["explain", "Transition-Unknown"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (0, ""));
    for part in ["transition-unknown (error, at submit, E0708)\n", "\nWrong:\n", "\nOutput:\n", "\nRight:\n"]
    {
        assert!(outcome.out.contains(part), "{part:?} is missing in\n{}", outcome.out);
    }
}

#[test]
fn every_rule_and_every_code_is_explained() {
    for info in ankus::report::catalogue::all() {
        let outcome = ankus(&["explain", info.name]);
        assert!(outcome.code == 0 && outcome.out.starts_with(info.name), "{}", info.name);
        for code in info.mirrors {
            let outcome = ankus(&["explain", &code.to_lowercase()]);
            assert!(outcome.code == 0 && outcome.out.contains(info.name), "{code}: {}", outcome.out);
        }
    }
    let outcome = ankus(&["explain", "E0734"]);
    assert!(outcome.out.starts_with("E0734 (declared, but raised by nothing"), "{}", outcome.out);
}

#[test]
fn unknown_names_get_the_nearest_one() {
    for (name, near) in
        [("transition-unknwon", "transition-unknown"), ("E07008", "E0700"), ("e0o708", "E0708")]
    {
        let outcome = ankus(&["explain", name]);
        assert_eq!((outcome.code, outcome.out.as_str()), (2, ""), "{name}");
        assert!(outcome.err.contains(&format!("did you mean `{near}`?")), "{}", outcome.err);
    }
    assert_eq!(ankus(&["explain", "nothing-like-it-at-all"]).code, 2);
}

#[test]
fn rules_are_listed_in_every_form() {
    let count = ankus::report::catalogue::all().len();
    assert_eq!(ankus(&["rules"]).out.lines().count(), count);
    let json: Value = serde_json::from_str(&ankus(&["rules", "--format", "json"]).out).expect("it is JSON");
    let rules = json["rules"].as_array().expect("rules");
    assert_eq!(rules.len(), count);
    let fixable = rules.iter().find(|rule| rule["rule"] == "kill-unused").expect("it is there");
    assert_eq!(fixable["fix"]["safe"], true);
    let page = ankus(&["rules", "--format", "markdown"]).out;
    // One section more: how many mistakes are found.
    assert_eq!(page.lines().filter(|line| line.starts_with("## ")).count(), count + 1);
}

#[test]
fn manual_pages_are_written() {
    assert!(ankus(&["man"]).out.contains(".SH SYNOPSIS"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("man");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    assert_eq!(ankus(&["man", &folder.display().to_string()]).code, 0);
    let names = support::names_in(&folder);
    assert!(
        names.contains(&"ankus.1".to_owned()) && names.contains(&"ankus-check.1".to_owned()),
        "{names:?}"
    );
    let check = std::fs::read_to_string(folder.join("ankus-check.1")).expect("it is there");
    assert!(check.contains("ankus\\-check") && check.contains("\\-\\-fix"), "{check}");
}
