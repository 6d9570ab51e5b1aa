//! A store that an earlier version has written: what it holds is replayed to the states that it showed then, and goes on
//! by the rules of then. `fixtures/run/old-store` was written by the version before lifecycles followed the server's
//! commands: an expression that fails suspended its workflow there, and fails it today.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::executor::fill;
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

/// Makes a store what it was before jobs and definitions were counted.
fn uncount(store: &Path) {
    let db = rusqlite::Connection::open(store.join("store.sqlite")).expect("a database");
    let drop =
        "ALTER TABLE seal DROP COLUMN jobs; ALTER TABLE seal DROP COLUMN programs; PRAGMA user_version = 3;";
    db.execute_batch(drop).expect("an older seal");
    let sql = "SELECT lineage, serial, digest, duties FROM seal";
    let (lineage, numbers) = db
        .query_row(sql, [], |row| {
            let numbers: [i64; 3] = [row.get(1)?, row.get(2)?, row.get(3)?];
            Ok((row.get::<_, String>(0)?, numbers.map(i64::to_le_bytes)))
        })
        .expect("a seal");
    let mut sum = flate2::Crc::new();
    sum.update(&0u32.to_le_bytes());
    for part in [lineage.as_bytes(), numbers.as_flattened()] {
        sum.update(&part.len().to_le_bytes());
        sum.update(part);
    }
    db.execute("UPDATE seal SET sum = ?1", [sum.sum()]).expect("it is sealed");
}

#[test]
fn a_store_that_counts_nothing_is_brought_up_where_it_is_sound() {
    let store = folder_of("run-uncounted", &[]).join("store");
    fill(&store, 5);
    uncount(&store);
    let place = store.display().to_string();
    let jobs = ankus(&["jobs", "--store", &place]);
    assert_eq!((jobs.code, jobs.out.lines().count()), (0, 5), "{}{}", jobs.out, jobs.err);
    assert_eq!(ankus(&["jobs", "verify", "--store", &place]).code, 0);
    uncount(&store);
    let db = rusqlite::Connection::open(store.join("store.sqlite")).expect("a database");
    db.execute("DELETE FROM job WHERE number = 3", []).expect("it is removed");
    drop(db);
    let jobs = ankus(&["jobs", "--store", &place]);
    assert!(jobs.code == 2 && jobs.err.contains("is damaged"), "{}{}", jobs.out, jobs.err);
}
