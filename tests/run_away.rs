//! Storage that is not there, of the kinds that a build has by its features: a transient fault soon, which names it, and
//! no way out by the error transition.

#![cfg(any(feature = "hdfs", feature = "object-store"))]

use std::process::Command;

use crate::run::{project, workflow};

/// Makes a folder where nobody listens; what is said, and the job's state.
fn mkdir(name: &str, storage: &str, variables: &[(&str, &str)]) -> (String, String) {
    let nodes = "<start to=\"a\"/><action name=\"a\"><fs><mkdir path=\"DATA/in/day\"/></fs><ok to=\"end\"/><error to=\"fail\"/></action>";
    let (place, table) = storage.split_once(' ').expect("a place and a table");
    let config = format!(
        "[paths]\n\"hdfs://nn/apps\" = \".\"\n[storage]\n\"{place}\" = {table}\n[server]\naction-retries = 0\n"
    );
    let text = workflow(name, &nodes.replace("DATA", place));
    let folder = project(name, &[("ankus.toml", &config), ("app/workflow.xml", &text)]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_ankus"));
    command.current_dir(&folder).args(["run", "app"]).envs(variables.iter().copied());
    let output = command.output().expect("it runs");
    let said = [output.stdout, output.stderr].concat();
    let info = Command::new(env!("CARGO_BIN_EXE_ankus"))
        .current_dir(&folder)
        .args(["job", "1-W", "info"])
        .output()
        .expect("it runs");
    (String::from_utf8_lossy(&said).into_owned(), String::from_utf8_lossy(&info.stdout).into_owned())
}

#[cfg(feature = "object-store")]
#[test]
fn a_cloud_that_is_not_reached_is_tried_again() {
    let variables = [
        ("AWS_ENDPOINT", "http://127.0.0.1:1"),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
    ];
    let (said, info) = mkdir("away-s3", "hdfs://nn/data { s3 = \"bkt\" }", &variables);
    assert!(said.contains("JA006") && said.contains("the S3 bucket `bkt` is not reached"), "{said}");
    assert!(info.contains("SUSPENDED") && info.contains("START_MANUAL"), "{said}{info}");
}

#[cfg(feature = "hdfs")]
#[test]
fn a_name_node_that_is_not_reached_is_tried_again() {
    let (said, info) = mkdir("away-hdfs", "hdfs://127.0.0.1:1 { hdfs = true }", &[]);
    assert!(said.contains("JA006") && said.contains("`hdfs://127.0.0.1:1` is not reached"), "{said}");
    assert!(info.contains("SUSPENDED") && info.contains("START_MANUAL"), "{said}{info}");
}
