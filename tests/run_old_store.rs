//! A store that an earlier version has written: what it holds is replayed to the states that it showed then, and goes on
//! by the rules of then. `fixtures/run/old-store` was written by the version before lifecycles followed the server's
//! commands: an expression that fails suspended its workflow there, and fails it today.

use std::fs;

use serde_json::Value;

use crate::support::{ankus, folder_of, root};

fn info(store: &str) -> (String, Vec<(String, String)>) {
    let outcome = ankus(&["job", "0000001-W", "info", "--format", "json", "--store", store]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let info: Value = serde_json::from_str(&outcome.out).expect("JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let parts = info["parts"].as_array().expect("parts");
    let parts = parts.iter().map(|part| (text(&part["name"]), text(&part["status"])));
    (text(&info["status"]), parts.collect())
}

#[test]
fn a_store_of_an_earlier_version_shows_what_it_showed() {
    let folder = folder_of("run-old-store", &[]);
    let file = folder.join("store.sqlite");
    fs::copy(root().join("fixtures/run/old-store/store.sqlite"), &file).expect("the store is copied");
    let store = folder.display().to_string();
    let state = |parts: &[(String, String)], name: &str| {
        parts.iter().find(|part| part.0 == name).map(|part| part.1.clone()).unwrap_or_default()
    };
    let (status, parts) = info(&store);
    assert_eq!(status, "SUSPENDED");
    assert_eq!(["a", "b", "c"].map(|name| state(&parts, name)), ["OK", "START_MANUAL", "PREP"]);
    let outcome = ankus(&["job", "0000001-W", "resume", "--store", &store]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let (status, parts) = info(&store);
    assert_eq!((status.as_str(), state(&parts, "b").as_str()), ("SUSPENDED", "START_MANUAL"));
}
